// What a link tells of a simulation.
import type { Parts } from "./link";
import type { Camera } from "./stage";

/** The name of a scene or a recording that was dropped. */
export const FILE = "file";

export interface SimulationLink {
  /** The name of a ready scene, or `file`. */
  scene: string;
  frame: number;
  camera: Camera;
}

/** Later frames are refused: a simulation that is to be run so far would take hours. */
const LAST_FRAME = 100_000;

export function simulationLink({ scene, frame, camera }: SimulationLink): [string, string | number[]][] {
  return [
    ["room", "simulate"],
    ["scene", scene],
    ["frame", [frame]],
    ["camera", [...camera.position, ...camera.target]],
  ];
}

export function readSimulationLink(parts: Parts, first: string): SimulationLink {
  const scene = parts.text("scene") ?? first;
  const [frame] = parts.numbers("frame").concat(0);
  if (!Number.isInteger(frame) || frame < 0 || frame > LAST_FRAME) {
    throw new Error(`the link's “frame” must be an integer from 0 to ${LAST_FRAME}`);
  }
  const numbers = parts.numbers("camera", 6);
  return { scene, frame, camera: { position: numbers.slice(0, 3), target: numbers.slice(3) } };
}

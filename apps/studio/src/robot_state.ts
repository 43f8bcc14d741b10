// What the room of robots shows, as data: JSON for tests, and a link for people.
import hands from "../../../urdf/icub_hands.urdf?url";
import handsMotion from "../../../urdf/icub_hands_motion.csv?url";
import molars from "../../../urdf/molars.urdf?url";
import molarsBite from "../../../urdf/molars_bite.csv?url";
import panda from "../../../urdf/panda.urdf?url";
import type { Parts } from "./link";
import type { Camera } from "./stage";

/** The robots that come with the page, and a file that was dropped on it. */
export const SOURCES = ["icub_hands", "panda", "hands_meet", "bite", "file"] as const;
export type Source = (typeof SOURCES)[number];
/** The URDF files, and the trajectory where the robot comes with one. */
export const FILES: Record<Exclude<Source, "file">, { urdf: string; trajectory?: string }> = {
  icub_hands: { urdf: hands },
  panda: { urdf: panda },
  hands_meet: { urdf: hands, trajectory: handsMotion },
  bite: { urdf: molars, trajectory: molarsBite },
};
export const WORDS: Record<Source, string> = { icub_hands: "iCub hands", panda: "Panda", hands_meet: "Hands meet", bite: "A bite", file: "a file" };

export interface RobotState {
  source: Source;
  /** The name of the robot. */
  robot: string;
  /** The numbers of the configuration. */
  positions: number[];
  camera: Camera | undefined;
}

/** What a link says of a robot, before its file is read. */
export interface RobotLink {
  source: Source;
  name: string;
  positions: number[] | undefined;
  camera: Camera;
  /** The place on the trajectory, if there is one. */
  row: number | undefined;
}

export function robotLink(state: RobotState, row: number | undefined): [string, string | number[]][] {
  const entries: [string, string | number[]][] = [
    ["room", "robot"],
    ["robot", state.source],
    ["q", state.positions],
  ];
  if (state.source === "file") entries.push(["name", state.robot]);
  if (row !== undefined) entries.push(["row", [row]]);
  if (state.camera) entries.push(["camera", [...state.camera.position, ...state.camera.target]]);
  return entries;
}

export function readRobotLink(parts: Parts): RobotLink {
  const source = parts.one("robot", SOURCES, "icub_hands");
  const positions = parts.numbers("q");
  const name = parts.text("name") ?? "";
  const camera = parts.numbers("camera", 6);
  const [row] = parts.numbers("row");
  return { source, name, positions, row, camera: { position: camera.slice(0, 3), target: camera.slice(3) } };
}

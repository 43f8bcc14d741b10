// Pulling what moves in a simulation with mouse, pen or finger, or with keys.
import { Plane, Vector3 } from "three";
import type { Stage } from "./stage";

/** What is held: a point in the frame of a body's shape, or a vertex of a cloth. */
export type Grip = { body: number; point: [number, number, number] } | { cloth: number; vertex: number };

export interface Puller {
  /** Whether there is something that may be pulled. */
  active(): boolean;
  /** Returns what is at a place of the page, and its point there. */
  pick(x: number, y: number): { grip: Grip; point: Vector3 } | undefined;
  pull(grip: Grip, target: Vector3): void;
  release(): void;
}

/** Metres of a key. */
const KEY_STEP = 0.05;
const STEPS: Record<string, [number, number, number]> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

/** Returns what may be pulled nearest to the middle of the picture, by rings of places around it. */
function nearestToMiddle(puller: Puller, box: DOMRect): ReturnType<Puller["pick"]> {
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  for (let ring = 0; ring <= 6; ring++) {
    const places = Math.max(1, 6 * ring);
    for (let k = 0; k < places; k++) {
      const angle = (2 * Math.PI * k) / places;
      const radius = (ring / 6) * 0.45 * Math.min(box.width, box.height);
      const hit = puller.pick(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
      if (hit) return hit;
    }
  }
  return undefined;
}

/** Lets pointers and keys pull. It has to be there before the controls that turn the view see an event. */
export function pulling(stage: Stage, puller: Puller): void {
  pointers(stage, puller);
  keys(stage, puller);
}

function pointers(stage: Stage, puller: Puller): void {
  const { canvas } = stage;
  let held: { pointer: number; grip: Grip; plane: Plane } | undefined;
  const begin = (event: PointerEvent) => {
    // A second finger while something is held does nothing.
    if (held) return event.stopImmediatePropagation();
    if (!puller.active() || event.button !== 0 || event.ctrlKey || event.shiftKey) return;
    const hit = puller.pick(event.clientX, event.clientY);
    if (!hit) return;
    event.stopImmediatePropagation();
    stage.controls.enabled = false;
    const away = stage.camera.getWorldDirection(new Vector3());
    held = { pointer: event.pointerId, grip: hit.grip, plane: new Plane().setFromNormalAndCoplanarPoint(away, hit.point) };
    canvas.setPointerCapture(event.pointerId);
    puller.pull(hit.grip, hit.point);
  };
  const end = (event: PointerEvent) => {
    if (held?.pointer !== event.pointerId) return;
    held = undefined;
    stage.controls.enabled = true;
    puller.release();
  };
  const move = (event: PointerEvent) => {
    if (!held || held.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    // A button that was let go outside of the window.
    if (event.pointerType === "mouse" && event.buttons === 0) return end(event);
    const to = stage.castAt(event.clientX, event.clientY).ray.intersectPlane(held.plane, new Vector3());
    if (to) puller.pull(held.grip, to);
  };
  canvas.addEventListener("pointerdown", begin, { capture: true });
  canvas.addEventListener("pointermove", move, { capture: true });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    canvas.addEventListener(name, end, { capture: true });
  }
}

/** P takes hold of what is in the middle of the picture, arrows and Page keys pull it, P or Escape let it go. */
function keys(stage: Stage, puller: Puller): void {
  let held: { grip: Grip; target: Vector3 } | undefined;
  const release = () => {
    held = undefined;
    puller.release();
  };
  stage.canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey || !puller.active()) return;
    const step = STEPS[event.key];
    if (event.key.toLowerCase() === "p" && !held) {
      const box = stage.canvas.getBoundingClientRect();
      const hit = nearestToMiddle(puller, box);
      if (!hit) return;
      held = { grip: hit.grip, target: hit.point };
      puller.pull(held.grip, held.target);
    } else if (held && (event.key.toLowerCase() === "p" || event.key === "Escape")) {
      release();
    } else if (held && step) {
      const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
      stage.camera.matrixWorld.extractBasis(right, up, back);
      const by = right.multiplyScalar(step[0]).add(up.multiplyScalar(step[1])).add(back.multiplyScalar(-step[2]));
      held.target = held.target.clone().add(by.multiplyScalar(KEY_STEP));
      puller.pull(held.grip, held.target);
    } else {
      return;
    }
    event.preventDefault();
  });
  stage.canvas.addEventListener("blur", () => {
    if (held) release();
  });
}

// Dragging bodies with mouse, pen or finger, and moving them with keys.
import { Plane, Quaternion, Vector3 } from "three";
import type { Pose } from "./core";
import type { Stage } from "./stage";

export interface Handler {
  /** Whether the room of these bodies is shown. */
  active(): boolean;
  /** Returns the body at a place of the page, and its point there. */
  pick(x: number, y: number): { body: 0 | 1; point: Vector3 } | undefined;
  pose(body: 0 | 1): Pose;
  selected(): 0 | 1;
  select(body: 0 | 1): void;
  /** Takes a new pose, if the library does. */
  setPose(body: 0 | 1, pose: Pose): void;
  /** Whether dragging turns instead of moving. */
  turning(): boolean;
  touched(): void;
}

/** Radians of a turn for each pixel. */
const TURN = 0.01;
/** Metres and radians of a key. */
const KEY_STEP = 0.02;
const KEY_TURN = Math.PI / 60;
const KEY_ORBIT = Math.PI / 36;

const STEPS: Record<string, [number, number, number]> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

interface Drag {
  pointer: number;
  body: 0 | 1;
  turn: boolean;
  plane: Plane;
  from: Vector3;
  start: Pose;
  last: [number, number];
}

function turned(pose: Pose, axis: Vector3, angle: number): Pose {
  const turn = new Quaternion().setFromAxisAngle(axis, angle);
  const now = new Quaternion(pose[3], pose[4], pose[5], pose[6]).normalize();
  return [...pose.slice(0, 3), ...turn.multiply(now).normalize().toArray()];
}

function moved(pose: Pose, by: Vector3): Pose {
  return [pose[0] + by.x, pose[1] + by.y, pose[2] + by.z, ...pose.slice(3)];
}

/** Returns the camera's directions: right, up and away. */
function directions(stage: Stage): { right: Vector3; up: Vector3; away: Vector3 } {
  stage.camera.updateMatrixWorld();
  const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
  stage.camera.matrixWorld.extractBasis(right, up, back);
  return { right, up, away: back.negate() };
}

/** Lets pointers drag bodies. It has to be there before the controls that turn the view see an event. */
export function pointers(stage: Stage, handler: Handler): void {
  const { canvas } = stage;
  let drag: Drag | undefined;

  const end = (event: PointerEvent) => {
    if (drag?.pointer !== event.pointerId) return;
    drag = undefined;
    stage.controls.enabled = true;
  };

  const begin = (event: PointerEvent) => {
    // A second finger while a body is held does nothing.
    if (drag) {
      event.stopImmediatePropagation();
      return;
    }
    const hit = handler.active() ? handler.pick(event.clientX, event.clientY) : undefined;
    if (!hit) return;
    event.stopImmediatePropagation();
    stage.controls.enabled = false;
    handler.select(hit.body);
    const plane = new Plane().setFromNormalAndCoplanarPoint(directions(stage).away, hit.point);
    drag = {
      pointer: event.pointerId,
      body: hit.body,
      turn: handler.turning() || event.shiftKey || event.button === 2,
      plane,
      from: hit.point,
      start: handler.pose(hit.body),
      last: [event.clientX, event.clientY],
    };
    canvas.setPointerCapture(event.pointerId);
  };

  const move = (event: PointerEvent) => {
    if (!drag) {
      if (event.pointerType === "mouse" && event.buttons === 0) {
        const over = handler.active() && handler.pick(event.clientX, event.clientY) !== undefined;
        canvas.classList.toggle("over-body", over);
      }
      return;
    }
    if (drag.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    // A button that was let go outside of the window.
    if (event.pointerType === "mouse" && event.buttons === 0) return end(event);
    handler.touched();
    if (drag.turn) {
      const { right, up } = directions(stage);
      const [dx, dy] = [event.clientX - drag.last[0], event.clientY - drag.last[1]];
      drag.last = [event.clientX, event.clientY];
      handler.setPose(drag.body, turned(turned(handler.pose(drag.body), up, dx * TURN), right, dy * TURN));
    } else {
      const to = stage.castAt(event.clientX, event.clientY).ray.intersectPlane(drag.plane, new Vector3());
      if (to) handler.setPose(drag.body, moved(drag.start, to.sub(drag.from)));
    }
  };

  canvas.addEventListener("pointerdown", begin, { capture: true });
  canvas.addEventListener("pointermove", move, { capture: true });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    canvas.addEventListener(name, end, { capture: true });
  }
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Lets keys move, turn and choose the bodies. */
export function keys(stage: Stage, handler: Handler): void {
  stage.canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey || !handler.active()) return;
    const step = STEPS[event.key];
    if (step) stepped(stage, handler, step, event);
    else if (event.key === "1" || event.key === "2") handler.select(event.key === "1" ? 0 : 1);
    else return;
    event.preventDefault();
  });
}

function stepped(stage: Stage, handler: Handler, [x, y, z]: [number, number, number], event: KeyboardEvent): void {
  handler.touched();
  const { right, up, away } = directions(stage);
  const body = handler.selected();
  const pose = handler.pose(body);
  if (event.shiftKey) {
    const about = x !== 0 ? up : y !== 0 ? right : away;
    handler.setPose(body, turned(pose, about, (x - y + z) * KEY_TURN));
  } else {
    const by = right.multiplyScalar(x).add(up.multiplyScalar(y)).add(away.multiplyScalar(z));
    handler.setPose(body, moved(pose, by.multiplyScalar(KEY_STEP)));
  }
}

/** Lets keys turn and zoom the view, in every room, and begin again. */
export function viewKeys(stage: Stage, reset: () => void): void {
  stage.canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step && event.ctrlKey) orbit(stage, -step[0] * KEY_ORBIT, step[1] * KEY_ORBIT);
    else if (event.key === "+" || event.key === "-") zoom(stage, event.key === "+" ? 1 / 1.1 : 1.1);
    else if (event.key === "Home") reset();
    else return;
    event.preventDefault();
  });
}

/** Turns the camera about its target, sideways and upwards. */
function orbit(stage: Stage, sideways: number, upwards: number): void {
  const { target } = stage.controls;
  const offset = stage.camera.position.clone().sub(target);
  const height = Math.asin(offset.z / offset.length());
  const around = Math.atan2(offset.y, offset.x) + sideways;
  const limit = Math.PI / 2 - 0.02;
  const up = Math.min(limit, Math.max(-limit, height + upwards));
  const level = offset.length() * Math.cos(up);
  const turned = new Vector3(level * Math.cos(around), level * Math.sin(around), offset.length() * Math.sin(up));
  stage.setCamera({ position: turned.add(target).toArray(), target: target.toArray() });
}

function zoom(stage: Stage, factor: number): void {
  const { target } = stage.controls;
  const offset = stage.camera.position.clone().sub(target).multiplyScalar(factor);
  stage.setCamera({ position: offset.add(target).toArray(), target: target.toArray() });
}

// Dragging bodies with mouse, pen or finger, and moving them with keys.
import { Plane, Quaternion, Vector3 } from "three";
import type { Pose } from "./core";
import type { View } from "./view";

export interface Handler {
  pose(body: 0 | 1): Pose;
  selected(): 0 | 1;
  select(body: 0 | 1): void;
  /** Takes a new pose, if the library does. */
  setPose(body: 0 | 1, pose: Pose): void;
  /** Whether dragging turns instead of moving. */
  turning(): boolean;
  reset(): void;
  touched(): void;
}

/** Radians of a turn for each pixel. */
const TURN = 0.01;
/** Metres and radians of a key. */
const KEY_STEP = 0.02;
const KEY_TURN = Math.PI / 60;
const KEY_ORBIT = Math.PI / 36;

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
function directions(view: View): { right: Vector3; up: Vector3; away: Vector3 } {
  view.camera.updateMatrixWorld();
  const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
  view.camera.matrixWorld.extractBasis(right, up, back);
  return { right, up, away: back.negate() };
}

/** Lets pointers drag bodies. It has to be there before the controls that turn the view see an event. */
export function pointers(view: View, handler: Handler): void {
  const { canvas } = view;
  let drag: Drag | undefined;

  const end = (event: PointerEvent) => {
    if (drag?.pointer !== event.pointerId) return;
    drag = undefined;
    view.controls.enabled = true;
  };

  const begin = (event: PointerEvent) => {
    // A second finger while a body is held does nothing.
    if (drag) {
      event.stopImmediatePropagation();
      return;
    }
    const hit = view.pick(event.clientX, event.clientY);
    if (!hit) return;
    event.stopImmediatePropagation();
    view.controls.enabled = false;
    handler.select(hit.body);
    const plane = new Plane().setFromNormalAndCoplanarPoint(directions(view).away, hit.point);
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
        canvas.classList.toggle("over-body", view.pick(event.clientX, event.clientY) !== undefined);
      }
      return;
    }
    if (drag.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    // A button that was let go outside of the window.
    if (event.pointerType === "mouse" && event.buttons === 0) return end(event);
    handler.touched();
    if (drag.turn) {
      const { right, up } = directions(view);
      const [dx, dy] = [event.clientX - drag.last[0], event.clientY - drag.last[1]];
      drag.last = [event.clientX, event.clientY];
      handler.setPose(drag.body, turned(turned(handler.pose(drag.body), up, dx * TURN), right, dy * TURN));
    } else {
      const to = view.castAt(event.clientX, event.clientY).ray.intersectPlane(drag.plane, new Vector3());
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

/** Lets keys move and turn the chosen body, and the view with Control. */
export function keys(view: View, handler: Handler): void {
  const steps: Record<string, [number, number, number]> = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
    PageUp: [0, 0, 1],
    PageDown: [0, 0, -1],
  };
  view.canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey) return;
    const step = steps[event.key];
    if (step) stepped(view, handler, step, event);
    else if (event.key === "1" || event.key === "2") handler.select(event.key === "1" ? 0 : 1);
    else if (event.key === "+" || event.key === "-") zoom(view, event.key === "+" ? 1 / 1.1 : 1.1);
    else if (event.key === "Home") handler.reset();
    else return;
    event.preventDefault();
  });
}

function stepped(view: View, handler: Handler, [x, y, z]: [number, number, number], event: KeyboardEvent): void {
  if (event.ctrlKey) {
    orbit(view, -x * KEY_ORBIT, y * KEY_ORBIT);
    return;
  }
  handler.touched();
  const { right, up, away } = directions(view);
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

/** Turns the camera about its target, sideways and upwards. */
function orbit(view: View, sideways: number, upwards: number): void {
  const { target } = view.controls;
  const offset = view.camera.position.clone().sub(target);
  const height = Math.asin(offset.z / offset.length());
  const around = Math.atan2(offset.y, offset.x) + sideways;
  const limit = Math.PI / 2 - 0.02;
  const up = Math.min(limit, Math.max(-limit, height + upwards));
  const level = offset.length() * Math.cos(up);
  const turned = new Vector3(level * Math.cos(around), level * Math.sin(around), offset.length() * Math.sin(up));
  view.setCamera(turned.add(target).toArray(), target.toArray());
}

function zoom(view: View, factor: number): void {
  const { target } = view.controls;
  const offset = view.camera.position.clone().sub(target).multiplyScalar(factor);
  view.setCamera(offset.add(target).toArray(), target.toArray());
}

// The keys of the sketcher: everything that a hand does but drawing.
import { Vector3 } from "three";
import { SEEN } from "./open_box";
import type { SketchEditor } from "./sketch_editor";
import type { SketchPanes } from "./sketch_panes";

/** The step of a key in parts of the view, its turn in radians, and the ratio of a key that scales. */
const STEP = 0.01;
const TURN = Math.PI / 60;
const SIZE = 1.05;
const ZOOM = 1.1;
const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export interface KeysRoom {
  active(): boolean;
  /** Whether the figure can be changed now. */
  drawing(): boolean;
  fit(): void;
  physics(): void;
}

export function sketchKeys(canvas: HTMLCanvasElement, editor: SketchEditor, panes: SketchPanes, room: KeysRoom): void {
  canvas.addEventListener("keydown", (event) => {
    if (!room.active() || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "s" && !event.ctrlKey) room.physics();
    else if (!room.drawing() || !pressed(event, key)) return;
    event.preventDefault();
  });

  const pressed = (event: KeyboardEvent, key: string): boolean => {
    if (event.ctrlKey) {
      if (key !== "z" && key !== "y") return false;
      if (key === "y" || event.shiftKey) editor.redo();
      else editor.undo();
      return true;
    }
    if (key === "delete" || key === "backspace") editor.remove();
    else if (key === "b") editor.next("bone");
    else if (key === "n") editor.next("hitbox");
    else if (key === "f") room.fit();
    else if (key === "escape") editor.select(undefined);
    else if (key === "+" || key === "-") panes.zoom(key === "+" ? 1 / ZOOM : ZOOM);
    else if (STEPS[event.key]) step(STEPS[event.key], event.shiftKey);
    else if (SEEN[Number(key) - 1]) panes.chooseLast(SEEN[Number(key) - 1]);
    else return false;
    return true;
  };

  /** Moves the joint of the chosen bone, or moves, scales and turns the chosen body. */
  const step = ([right, up]: [number, number], changes: boolean): void => {
    const pane = panes.current();
    const view = pane?.view();
    if (!pane || !view) return;
    const [bone, hitbox] = [editor.bone(), editor.hitbox()];
    if (bone) {
      const joint = editor.state.joints.find(({ id }) => id === bone.near);
      if (!joint) return;
      const to = new Vector3(...joint.place).addScaledVector(pane.along([right, up]), STEP * view.extent);
      editor.gathered((sketch) => sketch.moveJoint(joint.id, to.toArray()));
    } else if (hitbox) {
      const shift: [number, number] = changes ? [0, 0] : [STEP * right, STEP * up];
      const touch = { shift, turn: changes ? -TURN * right : 0, scale: changes ? SIZE ** up : 1 };
      editor.gathered((sketch) => sketch.touchHitbox(view, hitbox.id, touch));
    }
  };
}

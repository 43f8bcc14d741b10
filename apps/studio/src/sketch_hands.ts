// What mouse, pen and fingers do in the panes of the sketcher: strokes, taps, joints that are held and moved, bodies under
// one or two fingers, and the views.
import { Fingers, type Place, type Two } from "./fingers";
import type { SketchHitbox, SketchPick, SketchView } from "./core";
import type { ShapeWidget } from "./shape_widget";
import type { SketchEditor } from "./sketch_editor";
import { Panning } from "./sketch_panning";
import type { InPane, SketchPane, SketchPanes } from "./sketch_panes";
import type { Turned } from "./square";

/** Ratio and radians of a step of the wheel. */
const WHEEL_SIZE = 1.06;
const WHEEL_TURN = Math.PI / 36;
/** The pane's border, pixels, beyond which a gesture has left it. */
const BORDER = 1;

/** What the room does for the hands. */
export interface HandsRoom {
  active(): boolean;
  touched(): void;
  say(text: string): void;
  /** How a body is seen. */
  seen(hitbox: SketchHitbox): Turned;
  /** Returns the bodies at a place of the page, the foremost first. */
  bodiesAt(at: Place): number[];
  /** The joint that is held is another. */
  holds(joint: number | undefined): void;
}

/** A gesture of one pointer in a pane; it is a press until it moves or has been held. */
interface Gesture {
  pane: SketchPane;
  view: SketchView;
  from: [number, number];
  pick: SketchPick;
  /** The bodies at its beginning. */
  bodies: number[];
  mode: "press" | "stroke" | "joint" | "shift" | "widget" | "over";
  /** The places of a stroke. */
  places: Place[];
  last: [number, number];
}

export class SketchHands {
  private readonly fingers: Fingers<Gesture>;
  private readonly pan: Panning;
  private gesture: Gesture | undefined;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly panes: SketchPanes,
    private readonly editor: SketchEditor,
    private readonly widget: ShapeWidget,
    private readonly room: HandsRoom,
  ) {
    this.pan = new Panning(canvas, panes, { active: () => room.active(), busy: () => this.gesture !== undefined });
    this.fingers = new Fingers<Gesture>(canvas, {
      active: () => room.active(),
      pick: (at, touch) => this.pick(at, touch),
      begin: (gesture) => {
        this.gesture = gesture;
        room.touched();
        editor.closeChange();
      },
      move: (gesture, at) => this.move(gesture, at),
      hold: (gesture, at) => this.hold(gesture, at),
      end: (gesture, { clicked }) => this.end(gesture, clicked),
      cancel: (gesture) => this.drop(gesture),
      tap: () => undefined,
      pair: (a, b) => this.pair(a, b),
    });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: false });
  }

  /** Lets go of everything, as if nothing was meant. */
  cancel(): void {
    this.fingers.cancel();
    this.pan.cancel();
  }

  /** Whether a gesture is going on. */
  get busy(): boolean {
    return this.gesture !== undefined || this.pan.on;
  }

  /** What is going on, for tests. */
  state(): string {
    return this.gesture?.mode ?? (this.pan.on ? "pan" : "");
  }

  private pick(at: Place, touch: boolean): Gesture | undefined {
    const found = this.panes.at(at);
    const { sketch } = this.editor;
    if (!found || !sketch) return undefined;
    const { pane, view, point } = found;
    const pick = sketch.pick(view, point, pane.reach(touch));
    return { pane, view, from: point, pick, bodies: this.room.bodiesAt(at), mode: "press", places: [at], last: point };
  }

  private isChosen(gesture: Gesture): boolean {
    const { selected } = this.editor;
    return selected?.kind === "hitbox" && gesture.bodies.includes(selected.id);
  }

  private move(gesture: Gesture, at: Place): void {
    if (gesture.mode === "over") return;
    if (gesture.mode === "widget") return this.widget.take(at);
    if (left(gesture.pane, at)) return this.leave(gesture);
    if (gesture.mode === "press") this.choose(gesture);
    const point = gesture.pane.point(at);
    const { view, last, pick } = gesture;
    if (gesture.mode === "stroke") {
      gesture.places.push(at);
      gesture.pane.showStroke(gesture.places);
    } else if (gesture.mode === "joint" && pick.kind === "joint") {
      this.editor.edit((sketch) => sketch.shiftJoint(view, pick.id, point));
    } else if (gesture.mode === "shift") {
      const shift: [number, number] = [point[0] - last[0], point[1] - last[1]];
      this.touch(view, { shift, turn: 0, scale: 1 });
    }
    gesture.last = point;
  }

  /** A press that moves is a stroke, unless it began on the chosen body. */
  private choose(gesture: Gesture): void {
    if (gesture.pick.kind !== "joint" && this.isChosen(gesture)) {
      gesture.mode = "shift";
      this.editor.openChange();
    } else {
      gesture.mode = "stroke";
    }
  }

  /** The pointer has left the pane: nothing is drawn, and what has moved is back. */
  private leave(gesture: Gesture): void {
    const stroke = gesture.mode === "stroke" || gesture.mode === "press";
    this.drop(gesture);
    this.gesture = gesture;
    this.room.say(`The pointer has left its pane, so ${stroke ? "the stroke is not drawn" : "everything is where it was"}: stay in the pane, or take the figure smaller by the wheel or two fingers.`);
  }

  private hold(gesture: Gesture, at: Place): void {
    if (gesture.pick.kind === "joint") {
      gesture.mode = "joint";
      this.editor.openChange();
      this.room.holds(gesture.pick.id);
      return;
    }
    const { selected } = this.editor;
    const body = this.isChosen(gesture) ? selected?.id : gesture.bodies[0];
    if (body === undefined) return;
    this.editor.select({ kind: "hitbox", id: body });
    const hitbox = this.editor.hitbox();
    if (!hitbox) return;
    gesture.mode = "widget";
    this.editor.openChange();
    this.widget.openAt(at, this.room.seen(hitbox));
  }

  private end(gesture: Gesture, clicked: boolean): void {
    const { editor } = this;
    const { mode, pick, view, pane, last } = gesture;
    this.gesture = undefined;
    if (mode === "press" && clicked) {
      this.tap(gesture);
    } else if (mode === "stroke") {
      pane.showStroke();
      this.draw(gesture);
    } else if (mode === "joint" && pick.kind === "joint") {
      this.room.holds(undefined);
      try {
        // Where it ends it may become one with another joint.
        if (last !== gesture.from) editor.sketch?.dragJoint(view, pick.id, last);
        editor.finishChange();
      } catch (error) {
        editor.cancelChange();
        editor.refuse(error);
      }
    } else if (mode === "shift" || mode === "widget") {
      this.widget.close();
      editor.finishChange();
    }
  }

  private draw({ places, view, pane }: Gesture): void {
    const points = places.flatMap((place) => pane.point(place));
    this.editor.edit((sketch) => {
      const drawn = sketch.draw(view, points);
      if (drawn.kind === "hitbox") this.editor.selected = { kind: "hitbox", id: drawn.id };
      else this.editor.selected = drawn.ids.length > 0 ? { kind: "bone", id: drawn.ids[0] } : undefined;
    });
  }

  /** A tap chooses a joint or a body, and splits a bone; a bone in a body that is not chosen yet stands back for it. */
  private tap(gesture: Gesture): void {
    const { pick, bodies, view, from } = gesture;
    const { editor } = this;
    if (pick.kind === "joint") return editor.selectAt(pick.id);
    if (bodies.length > 0 && !this.isChosen(gesture)) return editor.select({ kind: "hitbox", id: bodies[0] });
    if (pick.kind === "bone") {
      let joint = -1;
      if (editor.edit((sketch) => (joint = sketch.tap(view, from)))) editor.selectAt(joint);
    } else if (pick.kind === "nothing" && bodies.length === 0) {
      editor.select(undefined);
    }
  }

  /** Drops a gesture, as if nothing was meant. */
  private drop(gesture: Gesture): void {
    gesture.pane.showStroke();
    gesture.mode = "over";
    this.gesture = undefined;
    this.widget.close();
    this.room.holds(undefined);
    this.editor.cancelChange();
  }

  private touch(view: SketchView, touch: { shift: [number, number]; turn: number; scale: number }): void {
    const { selected } = this.editor;
    if (selected?.kind === "hitbox") this.editor.edit((sketch) => sketch.touchHitbox(view, selected.id, touch));
  }

  /** Two fingers turn, scale and shift a body, or shift and scale what the panes show. */
  private pair(a: Place, b: Place): Two | undefined {
    const [first, second] = [a, b].map((place) => this.panes.at(place));
    if (!first) return undefined;
    const nothing: Two = { move: () => undefined, end: () => undefined, cancel: () => undefined };
    if (second?.pane !== first.pane) return nothing;
    this.room.touched();
    const found = [between(a, b), a, b].flatMap((place) => this.room.bodiesAt(place));
    const { selected } = this.editor;
    const chosen = selected?.kind === "hitbox" && found.includes(selected.id) ? selected.id : found[0];
    return chosen === undefined ? this.pairView(first, a, b) : this.pairBody(first, chosen, a, b);
  }

  private pairBody({ pane, view }: InPane, id: number, a: Place, b: Place): Two {
    const { editor } = this;
    editor.select({ kind: "hitbox", id });
    editor.openChange();
    let last = pose(pane, a, b);
    return {
      move: (a, b) => {
        const now = pose(pane, a, b);
        const shift: [number, number] = [now.x - last.x, now.y - last.y];
        this.touch(view, { shift, turn: now.angle - last.angle, scale: now.length / last.length });
        last = now;
      },
      end: () => editor.finishChange(),
      cancel: () => editor.cancelChange(),
    };
  }

  private pairView({ pane }: InPane, a: Place, b: Place): Two {
    const { panes } = this;
    const { center, extent, follows } = panes;
    const start = center.clone();
    let last = pose(pane, a, b);
    return {
      move: (a, b) => {
        const now = pose(pane, a, b);
        panes.shift(pane, [now.x - last.x, now.y - last.y]);
        panes.zoom(last.length / now.length);
        last = now;
      },
      end: () => undefined,
      cancel: () => {
        panes.center.copy(start);
        panes.zoom(extent / panes.extent);
        panes.follows = follows;
      },
    };
  }

  /** The wheel scales the chosen body under it, with Shift it turns it; elsewhere it scales the view. */
  private wheel(event: WheelEvent): void {
    const found = this.room.active() ? this.panes.at(event) : undefined;
    if (!found) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.busy) return;
    // With Shift some browsers turn the wheel sideways.
    const step = Math.sign(event.deltaY || event.deltaX);
    const { selected } = this.editor;
    if (selected?.kind !== "hitbox" || !this.room.bodiesAt(event).includes(selected.id)) return this.panes.zoom(WHEEL_SIZE ** step);
    const touch = event.shiftKey ? { turn: -step * WHEEL_TURN, scale: 1 } : { turn: 0, scale: WHEEL_SIZE ** -step };
    this.editor.gathered((sketch) => sketch.touchHitbox(found.view, selected.id, { shift: [0, 0], ...touch }));
  }
}

function between(a: Place, b: Place): Place {
  return { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
}

/** Where two fingers are in a pane: their middle, direction and distance. */
function pose(pane: SketchPane, a: Place, b: Place): { x: number; y: number; angle: number; length: number } {
  const [[ax, ay], [bx, by]] = [pane.point(a), pane.point(b)];
  const length = Math.max(Math.hypot(bx - ax, by - ay), 1e-3);
  return { x: (ax + bx) / 2, y: (ay + by) / 2, angle: Math.atan2(by - ay, bx - ax), length };
}

function left(pane: SketchPane, { clientX, clientY }: Place): boolean {
  const [x, y, width, height] = pane.rectangle();
  return clientX < x - BORDER || clientX > x + width + BORDER || clientY < y - BORDER || clientY > y + height + BORDER;
}

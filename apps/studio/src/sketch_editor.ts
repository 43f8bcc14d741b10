// The figure that is drawn, and how it is changed: what is refused is told and changes nothing, and what is done in one
// gesture is one step to undo.
import type { Sketch, SketchState } from "./core";
import { messageOf } from "./room";
import type { Selected } from "./sketch_view";

/** Milliseconds without a turn of the wheel or a key after which a change is over. */
const REST = 400;

export interface EditorHost {
  say(text: string): void;
  quiet(): void;
  /** The figure or what is chosen is another. */
  changed(): void;
}

export class SketchEditor {
  sketch: Sketch | undefined;
  state: SketchState = { root: undefined, joints: [], bones: [], hitboxes: [] };
  selected: Selected | undefined;
  private open = false;
  private rest = 0;

  constructor(private readonly host: EditorHost) {}

  /** Takes a figure, as a step; an exception tells what is wrong with its text. */
  take(json: string): void {
    this.closeChange();
    this.sketch?.take(json);
    this.read();
  }

  /** Works on another sketch. */
  own(sketch: Sketch): void {
    this.closeChange();
    this.sketch?.free();
    this.sketch = sketch;
    this.selected = undefined;
    this.read();
  }

  /** Reads the figure again after a change. */
  private read(): void {
    if (!this.sketch) return;
    this.state = this.sketch.state();
    const { selected } = this;
    if (selected && !this.state[selected.kind === "bone" ? "bones" : "hitboxes"].some(({ id }) => id === selected.id)) {
      this.selected = undefined;
    }
    this.host.changed();
  }

  select(selected: Selected | undefined): void {
    this.selected = selected;
    this.host.changed();
  }

  /** Does something to the figure, and returns whether it was done; where it is refused the page says why. */
  edit(change: (sketch: Sketch) => void): boolean {
    const { sketch } = this;
    if (!sketch) return false;
    try {
      change(sketch);
      this.host.quiet();
    } catch (error) {
      this.refuse(error);
      return false;
    }
    this.read();
    return true;
  }

  /** Tells what is refused; numbers and names are shown as they are. */
  refuse(error: unknown): void {
    const text = messageOf(error);
    this.host.say(text.charAt(0).toUpperCase() + text.slice(1));
    this.read();
  }

  /** Everything until the change is closed is one step. */
  openChange(): void {
    this.closeChange();
    if (!this.sketch) return;
    this.sketch.beginChange();
    this.open = true;
  }

  /** Nothing is shown anew, so that a number that is being typed stays. */
  closeChange(): void {
    clearTimeout(this.rest);
    if (!this.open) return;
    this.open = false;
    this.sketch?.endChange();
  }

  /** Closes the change of a gesture. */
  finishChange(): void {
    this.closeChange();
    this.read();
  }

  /** Takes everything back since the change was opened. */
  cancelChange(): void {
    clearTimeout(this.rest);
    if (!this.open) return;
    this.open = false;
    this.sketch?.cancelChange();
    this.read();
  }

  /** What is done until the hand rests is one step. */
  gathered(change: (sketch: Sketch) => void): boolean {
    if (!this.open) this.openChange();
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.closeChange(), REST);
    return this.edit(change);
  }

  /** Does something as one step of its own. */
  step(change: (sketch: Sketch) => void): boolean {
    this.closeChange();
    return this.edit(change);
  }

  undo(): void {
    this.step((sketch) => {
      if (sketch.canUndo()) sketch.undo();
    });
  }

  redo(): void {
    this.step((sketch) => {
      if (sketch.canRedo()) sketch.redo();
    });
  }

  /** Deletes what is chosen. */
  remove(): void {
    const { selected } = this;
    if (!selected) return;
    this.step((sketch) => (selected.kind === "bone" ? sketch.removeBone(selected.id) : sketch.removeHitbox(selected.id)));
  }

  bone() {
    const { selected } = this;
    return selected?.kind === "bone" ? this.state.bones.find(({ id }) => id === selected.id) : undefined;
  }

  hitbox() {
    const { selected } = this;
    return selected?.kind === "hitbox" ? this.state.hitboxes.find(({ id }) => id === selected.id) : undefined;
  }

  /** Chooses a bone that begins at a joint, or ends there where none begins: at each call the next one. */
  selectAt(joint: number): void {
    const begins = this.state.bones.filter(({ near }) => near === joint);
    const bones = begins.length > 0 ? begins : this.state.bones.filter(({ far }) => far === joint);
    const last = bones.findIndex(({ id }) => this.selected?.kind === "bone" && id === this.selected.id);
    const bone = bones[(last + 1) % Math.max(bones.length, 1)];
    if (bone) this.select({ kind: "bone", id: bone.id });
  }

  /** Chooses the next bone or body. */
  next(kind: Selected["kind"]): void {
    const all = kind === "bone" ? this.state.bones : this.state.hitboxes;
    const last = all.findIndex(({ id }) => this.selected?.kind === kind && id === this.selected.id);
    const thing = all[(last + 1) % Math.max(all.length, 1)];
    if (thing) this.select({ kind, id: thing.id });
  }
}

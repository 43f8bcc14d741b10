// Moving what the panes of the sketcher show, with any other button than the left one, or the left one with Shift or Control.
import type { SketchPane, SketchPanes } from "./sketch_panes";

export class Panning {
  private held: { pointer: number; pane: SketchPane; last: [number, number] } | undefined;

  /** It has to be there before the controls that turn the view see an event; `busy` tells of a gesture that goes on. */
  constructor(canvas: HTMLCanvasElement, private readonly panes: SketchPanes, private readonly room: { active(): boolean; busy(): boolean }) {
    const on = (name: string, run: (event: PointerEvent) => void) => {
      canvas.addEventListener(name, (event) => run(event as PointerEvent), { capture: true });
    };
    on("pointerdown", (event) => this.begin(event, canvas));
    on("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      on(name, (event) => {
        if (this.held?.pointer === event.pointerId) this.held = undefined;
      });
    }
    canvas.addEventListener("contextmenu", (event) => {
      if (room.active()) event.preventDefault();
    });
  }

  get on(): boolean {
    return this.held !== undefined;
  }

  cancel(): void {
    this.held = undefined;
  }

  private begin(event: PointerEvent, canvas: HTMLCanvasElement): void {
    if (!this.room.active() || event.pointerType === "touch") return;
    const found = this.panes.at(event);
    const plain = event.button === 0 && !event.shiftKey && !event.ctrlKey;
    if (!found || plain) return;
    event.stopImmediatePropagation();
    if (this.held || this.room.busy()) return;
    canvas.setPointerCapture(event.pointerId);
    this.held = { pointer: event.pointerId, pane: found.pane, last: found.point };
  }

  private move(event: PointerEvent): void {
    const { held } = this;
    if (held?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    const point = held.pane.point(event);
    this.panes.shift(held.pane, [point[0] - held.last[0], point[1] - held.last[1]]);
    held.last = point;
  }
}

// The square of exponents over the picture: it opens under a finger that holds a body, and follows it.
import { make } from "./dom";
import type { Place } from "./fingers";
import { Square, type Turned } from "./square";

export class ShapeWidget {
  private readonly square: Square;
  private readonly box: HTMLElement;

  /** The widget lies over a canvas. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    changed: (e1: number, e2: number) => void,
  ) {
    this.square = new Square("shape-square", "exponents", changed);
    this.box = make("div", { id: "shape-widget", "aria-hidden": "true" });
    this.box.append(this.square.element);
    this.box.hidden = true;
    canvas.after(this.box);
  }

  get open(): boolean {
    return !this.box.hidden;
  }

  /** Opens it such that the finger is at the exponents as they are. */
  openAt(at: Place, body: Turned): void {
    this.box.hidden = false;
    this.show(body);
    const [x, y] = this.square.placeOf(body.numbers);
    const box = this.canvas.getBoundingClientRect();
    this.box.style.left = `${at.clientX - box.left - x}px`;
    this.box.style.top = `${at.clientY - box.top - y}px`;
  }

  take(at: Place): void {
    this.square.take(at);
  }

  show(body: Turned): void {
    if (this.open) this.square.show(body);
  }

  close(): void {
    this.box.hidden = true;
  }
}

// The square of the two exponents, in which a shape is chosen.
import { makeSvg } from "./dom";

const [LOW, HIGH] = [0.05, 1.95];

/** The square of the two exponents: boxes at the lower left, ellipsoids in the middle, octahedra at the upper right. */
export class Square {
  readonly element: SVGElement;
  private readonly dot = makeSvg("circle", { class: "dot", r: "7" });
  private pointer: number | undefined;

  constructor(
    id: string,
    private readonly changed: (e1: number, e2: number) => void,
  ) {
    this.element = makeSvg("svg", { id, class: "square", viewBox: "0 0 150 150", "aria-hidden": "true" });
    this.element.append(
      makeSvg("rect", { class: "back", x: "10", y: "10", width: "130", height: "130", rx: "4" }),
      makeSvg("line", { class: "axis", x1: "75", y1: "10", x2: "75", y2: "140" }),
      makeSvg("line", { class: "axis", x1: "10", y1: "75", x2: "140", y2: "75" }),
      makeSvg("text", { x: "124", y: "136" }, "e1"),
      makeSvg("text", { x: "14", y: "22" }, "e2"),
      this.dot,
    );
    this.element.addEventListener("pointerdown", (event) => {
      if (this.pointer !== undefined) return;
      this.pointer = event.pointerId;
      try {
        this.element.setPointerCapture(event.pointerId);
      } catch {
        // The pointer is up already.
      }
      this.take(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.pointerId === this.pointer) this.take(event);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.element.addEventListener(name, (event) => {
        if (event.pointerId === this.pointer) this.pointer = undefined;
      });
    }
  }

  /** Takes the exponents at a place of the page; beside the square those at its edge. */
  take(event: { clientX: number; clientY: number }): void {
    const box = this.element.getBoundingClientRect();
    const at = (part: number) => {
      const exponent = LOW + ((part * 150 - 10) / 130) * (HIGH - LOW);
      return Math.round(Math.min(HIGH, Math.max(LOW, exponent)) * 200) / 200;
    };
    this.changed(at((event.clientX - box.left) / box.width), at((box.bottom - event.clientY) / box.height));
  }

  show(e1: number, e2: number): void {
    const [x, y] = this.place(e1, e2);
    this.dot.setAttribute("cx", String(x));
    this.dot.setAttribute("cy", String(y));
  }

  /** Returns where exponents are in the square, from its upper left corner, of 150 units a side. */
  place(e1: number, e2: number): [number, number] {
    const at = (e: number) => 10 + ((Math.min(HIGH, Math.max(LOW, e)) - LOW) / (HIGH - LOW)) * 130;
    return [at(e1), 150 - at(e2)];
  }
}

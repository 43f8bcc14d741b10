// The square of the two exponents, in which a shape is chosen: curves along its edges show what the exponents do, and the
// cursor is the shape itself, seen from above at an angle.
import { makeSvg } from "./dom";

const [LOW, HIGH] = [0.05, 1.95];
/** The exponents of the curves along the edges, their places beside the edge, and the radii of these and of the cursor. */
const SHOWN = [0.4, 1, 1.6];
const EDGE = 20;
const [ICON, CURSOR] = [6, 11];
/** Points of a curve. */
const POINTS = 48;

/** The square of the two exponents: boxes at the lower left, ellipsoids in the middle, octahedra at the upper right. */
export class Square {
  readonly element: SVGElement;
  private readonly dot = makeSvg("circle", { class: "dot", r: "2.5" });
  private readonly shape = makeSvg("path", { class: "shape" });
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
      ...SHOWN.flatMap((e) => {
        const [x, y] = this.place(e, e);
        return [icon(e, x, 150 - EDGE), icon(e, EDGE, y)];
      }),
      this.shape,
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
    this.shape.setAttribute("d", seen(e1, e2, x, y));
  }

  /** Returns where exponents are in the square, from its upper left corner, of 150 units a side. */
  place(e1: number, e2: number): [number, number] {
    const at = (e: number) => 10 + ((Math.min(HIGH, Math.max(LOW, e)) - LOW) / (HIGH - LOW)) * 130;
    return [at(e1), 150 - at(e2)];
  }
}

/** A superellipse with an exponent, around a place. */
function icon(e: number, x: number, y: number): SVGElement {
  const d = curve(e, (c, s) => [x + ICON * c, y - ICON * s]);
  return makeSvg("path", { class: "icon", d });
}

/** The equator and two meridians of a superellipsoid, seen from above at an angle, around a place. */
function seen(e1: number, e2: number, x: number, y: number): string {
  const at = (a: number, b: number, c: number): [number, number] => [x + CURSOR * 0.8 * (a - b), y + CURSOR * (0.4 * (a + b) - 0.9 * c)];
  return [curve(e2, (c, s) => at(c, s, 0)), curve(e1, (c, s) => at(c, 0, s)), curve(e1, (c, s) => at(0, c, s))].join("");
}

/** The path of the points (cosᵉ t, sinᵉ t), signs kept, where they are drawn. */
function curve(e: number, at: (c: number, s: number) => [number, number]): string {
  const power = (x: number) => Math.sign(x) * Math.abs(x) ** e;
  const points = Array.from({ length: POINTS }, (_, k) => {
    const t = (2 * Math.PI * k) / POINTS;
    return at(power(Math.cos(t)), power(Math.sin(t))).map((x) => x.toFixed(1)).join();
  });
  return `M${points.join("L")}Z`;
}

// The open box of a pane: a cube seen from the front, above and the right, whose back, bottom and left faces are folded
// out around it, so that each of the six is there to be chosen; the figure in its middle is the free view.
import type { Face } from "./core";
import { make, makeSvg } from "./dom";

export type Seen = Face | "orbit";
export const SEEN: readonly Seen[] = ["front", "back", "top", "bottom", "left", "right", "orbit"];

/** The name of a view, to be read. */
export function nameOf(seen: Seen): string {
  return seen === "orbit" ? "Free view" : seen[0].toUpperCase() + seen.slice(1);
}

type Point = [number, number];
/** The edges of the cube as they are seen, units of a picture 100 wide, and the part of a face that is folded out. */
const EDGE = 34;
const FOLDED = 0.62;
const MIDDLE: Point = [50, 47];
const LEFT: Point = [-EDGE * Math.cos(Math.PI / 6), -EDGE / 2];
const RIGHT: Point = [-LEFT[0], LEFT[1]];
const DOWN: Point = [0, EDGE];

const add = (...points: Point[]): Point => points.reduce(([x, y], [u, v]) => [x + u, y + v]);
const times = ([x, y]: Point, factor: number): Point => [factor * x, factor * y];

/** Returns the corners of a face that begins at a point. */
const face = (at: Point, along: Point, down: Point): Point[] => [at, add(at, along), add(at, along, down), add(at, down)];

const FACES: Record<Face, Point[]> = {
  front: face(MIDDLE, LEFT, DOWN),
  right: face(MIDDLE, RIGHT, DOWN),
  top: face(MIDDLE, LEFT, RIGHT),
  left: face(add(MIDDLE, LEFT), times(LEFT, FOLDED), DOWN),
  bottom: face(add(MIDDLE, DOWN), LEFT, times(DOWN, FOLDED)),
  back: face(add(MIDDLE, RIGHT), times(RIGHT, FOLDED), DOWN),
};

export class OpenBox {
  readonly element: HTMLElement;
  private readonly parts = new Map<Seen, SVGElement>();
  private readonly word = make("span");

  constructor(label: string, chosen: (seen: Seen) => void) {
    this.element = make("div", { class: "open-box", role: "radiogroup", "aria-label": label });
    const picture = makeSvg("svg", { viewBox: "-4 0 108 112" });
    for (const seen of SEEN) {
      const part = makeSvg("g", { role: "radio", "data-seen": seen, "aria-label": nameOf(seen), "aria-checked": "false", tabindex: "-1" });
      const title = makeSvg("title", {}, nameOf(seen));
      part.append(title, ...(seen === "orbit" ? figure() : [polygon(FACES[seen])]));
      part.addEventListener("click", () => chosen(seen));
      part.addEventListener("keydown", (event) => this.key(event as KeyboardEvent, seen, chosen));
      this.parts.set(seen, part);
      picture.append(part);
    }
    this.element.append(picture, this.word);
  }

  show(seen: Seen): void {
    this.word.textContent = nameOf(seen);
    for (const [each, part] of this.parts) {
      part.setAttribute("aria-checked", String(each === seen));
      part.setAttribute("tabindex", each === seen ? "0" : "-1");
    }
  }

  /** Arrows choose the next one, as in every group of which one is chosen. */
  private key(event: KeyboardEvent, seen: Seen, chosen: (seen: Seen) => void): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = SEEN[(SEEN.indexOf(seen) + step + SEEN.length) % SEEN.length];
    chosen(next);
    this.parts.get(next)?.focus();
  }
}

function polygon(points: Point[]): SVGElement {
  return makeSvg("polygon", { points: points.map((point) => point.map((x) => x.toFixed(2)).join()).join(" ") });
}

/** Returns a small figure in the middle of the box. */
function figure(): SVGElement[] {
  const [x, y] = MIDDLE;
  const at = (points: Point[]) => points.map(([u, v]) => `${x + u} ${y + v}`).join(" L ");
  const limbs = [[[0, -3], [0, 2.5]], [[-5, -1.5], [5, -1.5]], [[-3.5, 7.5], [0, 2.5], [3.5, 7.5]]] as Point[][];
  return [
    makeSvg("circle", { class: "round", cx: String(x), cy: String(y), r: "11.5" }),
    makeSvg("circle", { class: "head", cx: String(x), cy: String(y - 5.5), r: "2.5" }),
    makeSvg("path", { class: "limbs", d: limbs.map((limb) => `M ${at(limb)}`).join(" ") }),
  ];
}

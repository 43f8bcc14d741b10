// The square of two of a body's numbers, in which its shape is chosen: of its exponents or of its tapers. Along the edges
// stands the body as it would be there, and at its place the body as it is, with its own semi-axes and turned as in the
// picture.
import type { Quaternion } from "three";
import { colours } from "./colours";
import type { Numbers } from "./core";
import { make } from "./dom";
import { LittleBody } from "./little_body";

/** The length of the canvas and the width of its margin. */
const SIZE = 200;
const MARGIN = 27;
const INNER = SIZE - 2 * MARGIN;
/** The radii of the bodies along the edges and of the one that is chosen, and the edges around them. */
const [ICON, CURSOR] = [14, 22];
const [FEW, MANY] = [24, 40];
/** The height of the names, pixels of the page, and pixels of the canvas for each unit. */
const LETTERS = 11;
const FINE = 2;

/** Two of the seven numbers: their places, names, the ends of the square, and the least and greatest that are chosen in it. */
interface Kind {
  places: [number, number];
  names: [string, string];
  ends: [number, number];
  chosen: [number, number];
}
const KINDS: Record<"exponents" | "tapers", Kind> = {
  exponents: { places: [3, 4], names: ["e1", "e2"], ends: [0, 2], chosen: [0.05, 1.95] },
  tapers: { places: [5, 6], names: ["tx", "ty"], ends: [-1, 1], chosen: [-0.95, 0.95] },
};

/** What is drawn: the seven numbers of a body, and the rotation from its frame to that of the reader, with z out of the page. */
export interface Turned {
  numbers: Numbers;
  turn: Quaternion;
}

/** The square of exponents: boxes at the lower left, balls in the middle, octahedra at the upper right; or that of tapers. */
export class Square {
  readonly element: HTMLCanvasElement;
  private readonly kind: Kind;
  private readonly cursor = new LittleBody(MANY);
  /** The bodies along the edges, with their two numbers. */
  private readonly icons: { at: [number, number]; body: LittleBody }[] = [];
  private pointer: number | undefined;
  /** What the picture shows, in words, and whether it is painted with the next one of the page. */
  private painted = "";
  private due = false;
  private shown: Turned | undefined;

  constructor(
    id: string,
    kind: keyof typeof KINDS,
    private readonly changed: (first: number, second: number) => void,
  ) {
    this.kind = KINDS[kind];
    const [least, most] = this.kind.chosen;
    const three = [least, (least + most) / 2, most];
    for (const first of three) {
      for (const second of three) {
        if (first !== three[1] || second !== three[1]) this.icons.push({ at: [first, second], body: new LittleBody(FEW) });
      }
    }
    const pixels = String(SIZE * FINE);
    this.element = make("canvas", { id, class: "square", width: pixels, height: pixels, "aria-hidden": "true" });
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

  /** Takes the numbers at a place of the page; beside the square those at its edge. */
  take(event: { clientX: number; clientY: number }): void {
    const box = this.element.getBoundingClientRect();
    const { ends: [low, high], chosen: [least, most] } = this.kind;
    const at = (part: number) => {
      const number = low + ((part * SIZE - MARGIN) / INNER) * (high - low);
      return Math.round(Math.min(most, Math.max(least, number)) * 200) / 200;
    };
    this.changed(at((event.clientX - box.left) / box.width), at((box.bottom - event.clientY) / box.height));
  }

  /** Draws the square of a body, with the next picture of the page and only where it is another one: nobody waits for it. */
  show(shown: Turned): void {
    this.shown = shown;
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.paint();
    });
  }

  private paint(): void {
    const context = this.element.getContext("2d");
    if (!context || !this.shown) return;
    const { numbers, turn } = this.shown;
    const { line, soft, stage, accent } = colours();
    const words = JSON.stringify([numbers, turn.toArray(), line, soft, stage, accent, this.element.clientWidth]);
    if (words === this.painted) return;
    this.painted = words;
    const { places: [i, j], names } = this.kind;
    context.setTransform(FINE, 0, 0, FINE, 0, 0);
    context.clearRect(0, 0, SIZE, SIZE);
    context.fillStyle = stage;
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.fillRect(MARGIN, MARGIN, INNER, INNER);
    context.strokeRect(MARGIN, MARGIN, INNER, INNER);
    context.beginPath();
    context.moveTo(SIZE / 2, MARGIN);
    context.lineTo(SIZE / 2, SIZE - MARGIN);
    context.moveTo(MARGIN, SIZE / 2);
    context.lineTo(SIZE - MARGIN, SIZE / 2);
    context.stroke();
    context.fillStyle = soft;
    // As large on the page as other small text.
    const text = (LETTERS * SIZE) / (this.element.clientWidth || SIZE);
    context.font = `${text}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(`${names[0]} →`, MARGIN + 0.75 * INNER, SIZE - MARGIN - 2);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(`↑ ${names[1]}`, MARGIN + 4, MARGIN + 0.25 * INNER);
    for (const { at: [first, second], body } of this.icons) {
      const there = [...numbers];
      [there[i], there[j]] = [first, second];
      body.show(there);
      body.draw(context, this.place([first, second]), ICON, turn, soft);
    }
    const at = this.place([numbers[i], numbers[j]]);
    this.cursor.show(numbers);
    this.cursor.draw(context, at, CURSOR, turn, accent);
  }

  /** Returns where a body of these numbers is in the square, from the upper left corner of the element. */
  placeOf(numbers: Numbers): [number, number] {
    const [i, j] = this.kind.places;
    const { clientWidth } = this.element;
    const [x, y] = this.place([numbers[i], numbers[j]]);
    return [(x * clientWidth) / SIZE, (y * clientWidth) / SIZE];
  }

  private place([first, second]: [number, number]): [number, number] {
    const { ends: [low, high] } = this.kind;
    const at = (number: number) => MARGIN + ((Math.min(high, Math.max(low, number)) - low) / (high - low)) * INNER;
    return [at(first), SIZE - at(second)];
  }
}

// The field of Pong as a picture: walls, paddles with their handles, the ball with a mark that shows its spin.
import type { CourtField, CourtNumbers } from "./core";
import { makeSvg } from "./dom";

/** Points of the ball's outline in the picture. */
const OUTLINE = 96;
/** Metres around the field. */
const MARGIN = 0.06;

export class PongView {
  readonly element = makeSvg("svg", { id: "court", tabindex: "0", role: "img", preserveAspectRatio: "xMidYMid meet" }) as SVGSVGElement;
  private readonly field = makeSvg("g", { transform: "scale(1, -1)" });
  private readonly paddles = [0, 1].map((side) => makeSvg("polygon", { class: `paddle side-${side}` }));
  private readonly handles = [0, 1, 2, 3].map(() => makeSvg("circle", { class: "handle", r: "0.018" }));
  private readonly ball = makeSvg("polygon", { class: "ball" });
  private readonly mark = makeSvg("line", { class: "mark" });

  constructor() {
    this.element.setAttribute(
      "aria-label",
      "The field of Pong. W and S move the left paddle, A and D turn it; the arrow keys move and turn the right one; Space begins and pauses.",
    );
    this.element.append(this.field);
  }

  /** Takes another field. */
  build({ width, height }: CourtField): void {
    const [w, h] = [width / 2, height / 2];
    const box = [-w - MARGIN, -h - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
    this.element.setAttribute("viewBox", box.join(" "));
    const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
      makeSvg("line", { x1: String(x1), y1: String(y1), x2: String(x2), y2: String(y2), class: kind });
    this.field.replaceChildren(
      line(0, -h, 0, h, "net"),
      line(-w, -h, -w, h, "back"),
      line(w, -h, w, h, "back"),
      line(-w, h, w, h, "wall"),
      line(-w, -h, w, -h, "wall"),
      ...this.paddles,
      ...this.handles,
      this.ball,
      this.mark,
    );
  }

  show(field: CourtField, now: CourtNumbers, people: boolean[]): void {
    [0, 1].forEach((side) => {
      const corners = paddleCorners(field, now, side as 0 | 1);
      this.paddles[side].setAttribute("points", corners.map((c) => c.map((x) => x.toFixed(5)).join(",")).join(" "));
      paddleEnds(field, now, side as 0 | 1).forEach(([x, y], end) => {
        const handle = this.handles[2 * side + end];
        handle.setAttribute("cx", x.toFixed(5));
        handle.setAttribute("cy", y.toFixed(5));
        handle.setAttribute("visibility", people[side] ? "visible" : "hidden");
      });
    });
    const outline = ballOutline(now);
    this.ball.setAttribute("points", outline.map(([x, y]) => `${x.toFixed(5)},${y.toFixed(5)}`).join(" "));
    const { x, y, angle, axes } = now.ball;
    const [c, s] = [Math.cos(angle) * axes[0] * 0.7, Math.sin(angle) * axes[0] * 0.7];
    for (const [name, value] of Object.entries({ x1: x, y1: y, x2: x + c, y2: y + s })) this.mark.setAttribute(name, value.toFixed(5));
  }

  /** Returns the point of the field at a place of the page, metres. */
  at(clientX: number, clientY: number): [number, number] {
    const matrix = this.element.getScreenCTM();
    if (!matrix) return [0, 0];
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [x, -y];
  }
}

function paddlePose({ rail }: CourtField, { paddles }: CourtNumbers, side: 0 | 1): { at: [number, number]; angle: number } {
  return { at: [side === 0 ? -rail : rail, paddles[side].y], angle: paddles[side].angle };
}

function placed([x, y]: [number, number], angle: number, dx: number, dy: number): [number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [x + c * dx - s * dy, y + s * dx + c * dy];
}

function paddleCorners(field: CourtField, now: CourtNumbers, side: 0 | 1): [number, number][] {
  const { at, angle } = paddlePose(field, now, side);
  const [w, h] = field.half;
  return [[w, -h], [w, h], [-w, h], [-w, -h]].map(([dx, dy]) => placed(at, angle, dx, dy));
}

/** Returns the upper and the lower end of a paddle. */
export function paddleEnds(field: CourtField, now: CourtNumbers, side: 0 | 1): [number, number][] {
  const { at, angle } = paddlePose(field, now, side);
  return [1, -1].map((end) => placed(at, angle, 0, end * field.half[1]));
}

function ballOutline({ ball: { x, y, angle, axes, exponent } }: CourtNumbers): [number, number][] {
  const p = 2 / exponent;
  return Array.from({ length: OUTLINE }, (_, k) => {
    const turn = (2 * Math.PI * k) / OUTLINE;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const r = (Math.abs(c / axes[0]) ** p + Math.abs(s / axes[1]) ** p) ** (-1 / p);
    return placed([x, y], angle, r * c, r * s);
  });
}

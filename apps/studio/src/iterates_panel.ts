// The guess of a published scheme in the squares of both bodies' surface angles, and the iterates in a table: its own, or
// those of the library's query.
import { Color } from "three";
import type { Cell, Trace } from "./core";
import { make, makeSvg } from "./dom";
import { levelColour } from "./iterates_view";

const [WIDTH, HEIGHT] = [140, 70];

type AnglesCell = Extract<Cell, { angles: object }>["angles"];

export class IteratesPanel {
  readonly element = make("div", { id: "iterates-panel", hidden: "" });
  private readonly squares = [0, 1].map((body) => {
    return makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "angles", role: "img", "aria-label": `Cells of the guess by the surface angles of ${"AB"[body]}` });
  });
  private readonly text = make("p", {});
  private readonly rows = make("tbody", {});

  constructor() {
    const head = make("tr", {}, ...["Iterate", "Residual", "Step"].map((word) => make("th", { scope: "col" }, word)));
    const caption = make("caption", { class: "unseen" }, "Iterates");
    this.element.append(
      this.text,
      make("div", { class: "row" }, ...this.squares),
      make("table", { id: "iterates" }, caption, make("thead", {}, head), this.rows),
    );
  }

  show(trace: Trace | undefined): void {
    this.element.hidden = trace === undefined;
    const attempt = trace?.attempts.at(-1);
    for (const square of this.squares) square.replaceChildren();
    this.rows.replaceChildren();
    if (!trace || !attempt) {
      this.text.textContent = "Bounds decide this pair: there is no guess.";
      return;
    }
    this.text.textContent = words(trace);
    attempt.levels.forEach((cells, level) => {
      const colour = `#${new Color().copy(levelColour(level, attempt.levels.length)).getHexString()}`;
      cells.forEach((ofBody, body) => {
        for (const cell of ofBody) {
          if ("angles" in cell) this.squares[body].append(patch(cell.angles, colour));
        }
      });
    });
    const hasAngles = attempt.levels.some(([a]) => a.some((cell) => "angles" in cell));
    for (const square of this.squares) square.style.display = hasAngles ? "" : "none";
    attempt.iterates.forEach(({ residual, step }, k) => {
      const isLater = trace.later && k === attempt.iterates.length - 1;
      const led = k === 0 ? "guess" : `× ${step.toPrecision(2)}`;
      const cells = isLater ? ["–", "search"] : [residual.toExponential(1), led];
      this.rows.append(make("tr", {}, make("th", { scope: "row" }, String(k)), ...cells.map((text) => make("td", {}, text))));
    });
  }
}

/** Tells what is drawn. */
function words({ attempts, later }: Trace): string {
  const { length: count } = attempts;
  const { opposed, levels } = attempts[count - 1];
  if (levels.length === 0) {
    const end = later ? ", then the answer of a later stage" : "";
    return `Newton's method from the line of the centres${end}; iterates from grey to green.`;
  }
  const kind = opposed ? "the largest gap between opposed normals" : "the nearest cells";
  const others = count === 1 ? "" : `, guess ${count} of ${count}`;
  return `Guess: ${kind}${others}. Cells from yellow to red, level by level; iterates from grey to green.`;
}

/** Returns the rectangle of a cell: the angle around z to the right, that of latitude upwards. */
function patch({ phi1: [left, right], phi2: [low, high] }: AnglesCell, colour: string): SVGElement {
  const x = (angle: number) => ((angle + Math.PI) / (2 * Math.PI)) * WIDTH;
  const y = (angle: number) => (0.5 - angle / Math.PI) * HEIGHT;
  const place = { x: String(x(left)), y: String(y(high)), width: String(x(right) - x(left)), height: String(y(low) - y(high)) };
  return makeSvg("rect", { ...place, fill: colour, "fill-opacity": "0.35", stroke: colour, "stroke-width": "0.5" });
}

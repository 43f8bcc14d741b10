// Curves over the last frames, as a small picture with a text.
import { make, makeSvg } from "./dom";

const [WIDTH, HEIGHT] = [290, 70];

export class Plot {
  readonly element;
  private readonly curves: SVGElement[];
  private readonly text = make("p", { class: "plot-text" });

  /** `dashes` are those of each curve. */
  constructor(title: string, id: string, dashes: string[]) {
    this.curves = dashes.map((dash) => makeSvg("polyline", { fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-dasharray": dash }));
    const svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
    svg.append(...this.curves);
    this.element = make("div", { class: "plot", id }, make("h2", {}, title), svg, this.text);
  }

  /** Shows curves from the oldest point on, all from 0 to the largest. */
  show(curves: number[][], text: string): void {
    this.element.hidden = curves.every((curve) => curve.length === 0);
    const most = Math.max(1e-12, ...curves.flat());
    curves.forEach((curve, k) => {
      const points = curve.map((value, at) => {
        const x = (at / Math.max(curve.length - 1, 1)) * WIDTH;
        return `${x.toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1)}`;
      });
      this.curves[k].setAttribute("points", points.join(" "));
    });
    this.text.textContent = text;
  }
}

// A range with two ends, and a field for the exact number of each.
import { make } from "./dom";

export class TwoEnded {
  readonly row: HTMLElement;
  private readonly ranges: HTMLInputElement[];
  private readonly fields: HTMLInputElement[];
  private shown: [number, number] = [0, 0];
  private readonly between = make("span", { class: "between" });

  constructor(
    id: string,
    name: string,
    tells: string,
    private readonly least: number,
    private readonly most: number,
    changed: (low: number, high: number) => void,
  ) {
    const bounds = { min: String(least), max: String(most), step: "1" };
    const words = ["from", "to"];
    this.ranges = words.map((word) => make("input", { type: "range", id: `${id}-${word}-range`, "aria-label": `${name}, ${word}`, ...bounds }));
    this.fields = words.map((word) => make("input", { type: "number", id: `${id}-${word}`, "aria-label": `${name}, ${word}, exact`, step: "any" }));
    this.ranges.forEach((range, end) => {
      range.addEventListener("input", () => {
        // An end that is drawn over the other one takes it along.
        const value = Number(range.value);
        const [low, high] = this.shown;
        if (end === 0) changed(value, Math.max(value, high));
        else changed(Math.min(value, low), value);
      });
    });
    this.fields.forEach((field, end) => {
      field.addEventListener("change", () => {
        const value = field.value.trim() === "" ? Number.NaN : Number(field.value);
        const [low, high] = this.shown;
        if (end === 0) changed(value, high);
        else changed(low, value);
      });
    });
    const track = make("div", { class: "two-ended" }, this.between, ...this.ranges);
    this.row = make("div", { class: "two-ended-row" }, make("span", { title: tells, class: "axis-name" }, name), this.fields[0], track, this.fields[1]);
  }

  show(low: number, high: number): void {
    this.shown = [low, high];
    [low, high].forEach((value, end) => {
      this.ranges[end].value = String(value);
      // Rounding for the eye; the number itself stays as it is.
      this.fields[end].value = String(Number(value.toFixed(2)));
    });
    const part = (value: number) => Math.min(1, Math.max(0, (value - this.least) / (this.most - this.least)));
    this.between.style.left = `${100 * part(low)}%`;
    this.between.style.width = `${100 * (part(high) - part(low))}%`;
  }
}

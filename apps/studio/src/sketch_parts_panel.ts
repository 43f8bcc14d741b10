// The controls of what is chosen in the sketcher: the joint of a bone, and the numbers of a body.
import { make, Slider } from "./dom";
import { Square, type Turned } from "./square";
import { TwoEnded } from "./two_ended";
import type { SketchBone, SketchHitbox, SketchPreset } from "./core";

const PRESETS: SketchPreset[] = ["rigid", "hinge", "pivot", "elbow", "ball"];
const AXES = [
  ["x", "turns about the bone itself, degrees"],
  ["y", "bends about the level axis, degrees"],
  ["z", "bends about the third axis, degrees"],
];
const NUMBERS: { name: string; tells: string; least: number; most: number; step: number }[] = [
  ...["x", "y", "z"].map((axis, k) => ({ name: `a${k + 1}`, tells: `semi-axis ${axis}, metres`, least: 0.005, most: 0.6, step: 0.005 })),
  { name: "e1", tells: "exponent of the section", least: 0.05, most: 1.95, step: 0.005 },
  { name: "e2", tells: "exponent of the profile", least: 0.05, most: 1.95, step: 0.005 },
  { name: "tx", tells: "taper of x along z", least: -0.95, most: 0.95, step: 0.01 },
  { name: "ty", tells: "taper of y along z", least: -0.95, most: 0.95, step: 0.01 },
];

const degrees = (radians: number) => (radians * 180) / Math.PI;

export interface JointChanges {
  /** Three ranges, degrees. */
  ranges(ranges: [number, number][]): void;
  preset(preset: SketchPreset): void;
  rename(name: string): void;
  makeRoot(): void;
}

/** The joint at which a bone begins. */
export class JointPanel {
  readonly element: HTMLElement;
  private readonly name = make("input", { type: "text", id: "sketch-name", "aria-label": "Name of the bone", autocomplete: "off" });
  private readonly ranges: TwoEnded[];
  private readonly warning = make("p", { id: "sketch-warning", class: "warning" });
  private readonly root = make("button", { type: "button", id: "sketch-root" }, "Make it the root");
  private shown: [number, number][] = [];

  constructor(changes: JointChanges) {
    this.name.addEventListener("change", () => changes.rename(this.name.value.trim()));
    this.ranges = AXES.map(([axis, tells], k) => {
      return new TwoEnded(`sketch-${axis}`, axis, tells, -180, 180, (low, high) => {
        changes.ranges(this.shown.map((range, j) => (j === k ? [low, high] : range)));
      });
    });
    this.root.addEventListener("click", () => changes.makeRoot());
    const presets = PRESETS.map((preset) => {
      const button = make("button", { type: "button", id: `sketch-${preset}` }, preset[0].toUpperCase() + preset.slice(1));
      button.addEventListener("click", () => changes.preset(preset));
      return button;
    });
    this.ranges.forEach(({ row }, k) => row.classList.add(`axis-${AXES[k][0]}`));
    this.element = make(
      "div",
      { id: "sketch-joint" },
      make("h2", {}, "Chosen bone and its joint"),
      make("p", { class: "row" }, this.name, this.root),
      make("p", { class: "row wraps", role: "group", "aria-label": "Ready joints" }, ...presets),
      ...this.ranges.map(({ row }) => row),
      this.warning,
    );
  }

  show(bone: SketchBone | undefined, root: number | undefined): void {
    this.element.hidden = bone === undefined;
    if (!bone) return;
    this.name.value = bone.name;
    this.shown = bone.ranges.map(([low, high]) => [degrees(low), degrees(high)]);
    this.shown.forEach(([low, high], k) => this.ranges[k].show(low, high));
    this.root.disabled = bone.near === root;
    this.warning.textContent = bone.warning === undefined ? "" : `Warning: ${bone.warning}`;
    this.warning.hidden = bone.warning === undefined;
  }
}

/** A body. */
export class HitboxPanel {
  readonly element: HTMLElement;
  private readonly sliders: Slider[];
  private readonly squares: Square[];

  /** `number` sets one of a1 a2 a3 e1 e2 tx ty by its place. */
  constructor(
    number: (place: number, value: number) => void,
    exponents: (e1: number, e2: number) => void,
    tapers: (tx: number, ty: number) => void,
  ) {
    this.sliders = NUMBERS.map(({ name, tells, least, most, step }, place) => {
      return new Slider(name, tells, least, most, step, (value) => number(place, value), `sketch-${name}`);
    });
    this.squares = [new Square("sketch-square", "exponents", exponents), new Square("sketch-square-tapers", "tapers", tapers)];
    const rows = this.sliders.map(({ row }) => row);
    const squares = make("div", { class: "squares" }, ...this.squares.map(({ element }) => element));
    this.element = make("div", { id: "sketch-hitbox" }, make("h2", {}, "Chosen body"), ...rows, squares);
  }

  show(hitbox: SketchHitbox | undefined, seen: Turned | undefined): void {
    this.element.hidden = hitbox === undefined;
    if (!hitbox || !seen) return;
    hitbox.numbers.forEach((value, k) => this.sliders[k].show(value));
    for (const square of this.squares) square.show(seen);
  }
}

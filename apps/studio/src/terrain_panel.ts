// The controls of a terrain: bodies and the numbers of the chosen one, what is seen, undo, files, and walking.
import { Slider, make } from "./dom";
import { Square, type Turned } from "./square";
import type { TerrainBody } from "./core";
import type { Land } from "./terrain_room";

export interface TerrainChanges {
  add(): void;
  remove(): void;
  clear(): void;
  drape(): void;
  undo(): void;
  redo(): void;
  rocky(on: boolean): void;
  walk(): void;
  save(): void;
  saveMesh(): void;
  files(files: FileList): void;
  land(land: Land): void;
  /** Sets one of a1 a2 a3 e1 e2 and the turn in degrees, by its place. */
  setNumber(place: number, value: number): void;
  setExponents(e1: number, e2: number): void;
}

export interface TerrainCount {
  bodies: number;
  pins: number;
  /** Whether time passes more slowly than it should. */
  late: boolean;
}

export interface TerrainShown extends TerrainCount {
  /** The chosen body, its turn about the vertical in degrees, and how it is seen. */
  selected: { body: TerrainBody; turn: number; seen: Turned } | undefined;
  undo: boolean;
  redo: boolean;
  rocky: boolean;
  walking: boolean;
}

const NUMBERS: { name: string; tells: string; least: number; most: number; step: number }[] = [
  { name: "a1", tells: "semi-axis x, metres", least: 0.03, most: 0.6, step: 0.005 },
  { name: "a2", tells: "semi-axis y, metres", least: 0.03, most: 0.6, step: 0.005 },
  { name: "a3", tells: "semi-axis z, metres", least: 0.03, most: 0.6, step: 0.005 },
  { name: "e1", tells: "exponent of the section", least: 0.05, most: 1.95, step: 0.005 },
  { name: "e2", tells: "exponent of the profile", least: 0.05, most: 1.95, step: 0.005 },
  { name: "turn", tells: "about the vertical, degrees", least: -180, most: 180, step: 1 },
];

export class TerrainPanel {
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly facts = make("p", { id: "terrain-facts" });
  private readonly sliders: Slider[];
  private readonly square: Square;
  private readonly shape: HTMLElement;
  private readonly making: HTMLElement;
  private readonly walking: HTMLElement;

  constructor(panel: HTMLElement, changes: TerrainChanges) {
    this.sliders = NUMBERS.map(({ name, tells, least, most, step }, place) => {
      return new Slider(name, tells, least, most, step, (value) => changes.setNumber(place, value), `terrain-${name}`);
    });
    this.square = new Square("terrain-square", "exponents", (e1, e2) => changes.setExponents(e1, e2));
    const rows = this.sliders.map((slider) => slider.row);
    const remove = this.button("remove", "Delete the body", () => changes.remove());
    this.shape = make("div", {}, make("h2", {}, "Chosen body"), ...rows.slice(0, 5), this.square.element, rows[5], make("p", {}, remove));
    const input = make("input", { type: "file", accept: ".json", class: "unseen", tabindex: "-1", "aria-label": "A saved terrain" });
    input.addEventListener("change", () => {
      if (input.files) changes.files(input.files);
      input.value = "";
    });
    const row = (...children: HTMLElement[]) => make("p", { class: "row wraps" }, ...children);
    this.making = make(
      "div",
      {},
      this.facts,
      row(this.button("add", "Add a body", () => changes.add()), this.button("walk", "Walk on it", () => changes.walk())),
      row(
        this.button("undo", "Undo", () => changes.undo()),
        this.button("redo", "Redo", () => changes.redo()),
        this.button("rocky", "Rock", () => changes.rocky(this.button("rocky").getAttribute("aria-pressed") !== "true")),
      ),
      this.shape,
      make("h2", {}, "Terrain"),
      row(
        this.button("hills", "Hills", () => changes.land("hills")),
        this.button("mesas", "Mesas", () => changes.land("mesas")),
        this.button("flat", "Flat", () => changes.land("flat")),
      ),
      row(
        this.button("drape", "New cloth", () => changes.drape()),
        this.button("clear", "Delete everything", () => changes.clear()),
      ),
      row(
        this.button("save", "Save", () => changes.save()),
        this.button("open", "Open…", () => input.click()),
        this.button("mesh", "Save as OBJ", () => changes.saveMesh()),
        input,
      ),
      make("h2", {}, "How to"),
      make("p", {}, "Tap with two fingers, or click twice: a body rises. Drag it, its handles for height and width; hold it for its shape."),
      make("p", {}, "Drag the cloth, and rest half a second before you let go: a clothespin stays. Drag a pin elsewhere; a click takes it off."),
      make("p", {}, "Keys: N adds, arrows move, with Shift size, Delete deletes; Control and Z undoes. Two fingers or the right button turn the view."),
    );
    this.walking = make(
      "div",
      {},
      row(this.button("back", "Back to the cloth", () => changes.walk())),
      make("p", {}, "Drag in the left half of the picture to walk, in the right half to look around. A tap puts the walker there. Keys: W A S D or the arrows walk, Q and E turn."),
      make("p", {}, "The walker is a superellipsoid of 1.7 m on the mesh of the cloth, which is eight times as large; what hangs over is a roof."),
    );
    panel.append(make("h2", {}, "Terrain Cloth"), this.making, this.walking);
  }

  /** Makes a button, or returns the one of this name. */
  private button(name: string, text = "", clicked: () => void = () => undefined): HTMLButtonElement {
    const known = this.buttons.get(name);
    if (known) return known;
    const made = make("button", { type: "button", id: `terrain-${name}` }, text);
    made.addEventListener("click", clicked);
    this.buttons.set(name, made);
    return made;
  }

  /** Says how many bodies and pins there are, and leaves the numbers, into which somebody may be typing. */
  count({ bodies, pins, late }: TerrainCount): void {
    const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
    const slow = late ? ", in slow motion" : "";
    this.facts.textContent = `${count(bodies, "body", "bodies")}, ${count(pins, "clothespin", "clothespins")}${slow}`;
  }

  /** Shows the square of the chosen body. */
  showShape(body: Turned): void {
    if (!this.shape.hidden) this.square.show(body);
  }

  show({ selected, undo, redo, rocky, walking, ...count }: TerrainShown): void {
    this.making.hidden = walking;
    this.walking.hidden = !walking;
    this.count(count);
    this.button("undo").disabled = !undo;
    this.button("redo").disabled = !redo;
    this.button("rocky").setAttribute("aria-pressed", String(rocky));
    this.shape.hidden = selected === undefined;
    if (!selected) return;
    const { numbers } = selected.body.goal;
    [...numbers.slice(0, 5), selected.turn].forEach((value, k) => this.sliders[k].show(value));
    this.showShape(selected.seen);
  }
}

// The controls of the sketcher: panes, undo, what is chosen, ready figures, files, and physics.
import { choice, make } from "./dom";
import { HitboxPanel, JointPanel, type JointChanges } from "./sketch_parts_panel";
import type { SketchBone, SketchFigure, SketchHitbox, SketchState } from "./core";
import type { Turned } from "./square";

export type Written = "json" | "urdf" | "srdf" | "obj" | "dae";

export interface SketchChanges extends JointChanges {
  panes(count: number): void;
  fit(): void;
  undo(): void;
  redo(): void;
  remove(): void;
  choose(bone: number): void;
  number(place: number, value: number): void;
  exponents(e1: number, e2: number): void;
  tapers(tx: number, ty: number): void;
  clear(): void;
  figure(figure: SketchFigure): void;
  save(as: Written): void;
  files(files: FileList): void;
  robot(): void;
  physics(): void;
  gravity(on: boolean): void;
}

export interface SketchShown {
  state: SketchState;
  bone: SketchBone | undefined;
  hitbox: SketchHitbox | undefined;
  /** How the chosen body is seen. */
  seen: Turned | undefined;
  undo: boolean;
  redo: boolean;
  panes: number;
  physics: boolean;
  gravity: boolean;
}

export class SketchPanel {
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly panes: { row: HTMLElement; show: (value: number) => void };
  private readonly bones = make("select", { id: "sketch-bone", "aria-label": "Bone" });
  private readonly gravity = make("input", { type: "checkbox", id: "sketch-gravity" });
  private readonly joint: JointPanel;
  private readonly hitbox: HitboxPanel;
  private readonly drawing: HTMLElement;
  private readonly pulled = make("p", {}, "Pull what moves with mouse or finger; drag beside it to turn the view. Without gravity the root stands still. Keys: P takes hold of the middle, arrows pull; S ends. Leaving puts the figure back.");

  constructor(panel: HTMLElement, changes: SketchChanges) {
    const button = (name: string, text: string, clicked: () => void) => this.button(name, text, clicked);
    const row = (...children: HTMLElement[]) => make("p", { class: "row wraps" }, ...children);
    this.panes = choice("Panes", [1, 2, 3, 4].map((count): [number, string] => [count, String(count)]), (count) => changes.panes(count));
    this.joint = new JointPanel(changes);
    this.hitbox = new HitboxPanel((place, value) => changes.number(place, value), (e1, e2) => changes.exponents(e1, e2), (tx, ty) => changes.tapers(tx, ty));
    this.bones.addEventListener("change", () => changes.choose(Number(this.bones.value)));
    this.gravity.addEventListener("change", () => changes.gravity(this.gravity.checked));
    const input = make("input", { type: "file", accept: ".json", class: "unseen", tabindex: "-1", "aria-label": "A saved figure" });
    input.addEventListener("change", () => {
      if (input.files) changes.files(input.files);
      input.value = "";
    });
    const figures: [SketchFigure, string][] = [["humanoid", "Humanoid"], ["horse", "Horse"], ["hexapod", "Hexapod"]];
    this.drawing = make(
      "div",
      {},
      make("div", { class: "row panes-row" }, make("span", {}, "Panes"), this.panes.row),
      row(
        button("undo", "Undo", () => changes.undo()),
        button("redo", "Redo", () => changes.redo()),
        button("delete", "Delete", () => changes.remove()),
        button("fit", "Fit", () => changes.fit()),
      ),
      this.bones,
      this.joint.element,
      this.hitbox.element,
      make("h2", {}, "Figures"),
      row(button("clear", "Empty", () => changes.clear()), ...figures.map(([name, word]) => button(name, word, () => changes.figure(name)))),
      make("h2", {}, "Files"),
      row(
        button("save", "Save", () => changes.save("json")),
        button("open", "Open…", () => input.click()),
        button("urdf", "URDF", () => changes.save("urdf")),
        button("obj", "OBJ", () => changes.save("obj")),
        button("srdf", "SRDF", () => changes.save("srdf")),
        button("dae", "COLLADA", () => changes.save("dae")),
        input,
      ),
      row(button("robot", "Open in the robot room", () => changes.robot())),
      make("h2", {}, "How to"),
      make("p", {}, "A stroke becomes bones, an ellipse over a bone a body. A tap on a bone splits it; on a joint it chooses the bone, on a body the body."),
      make("p", {}, "Hold a joint, then move it. Drag the chosen body; two fingers or the wheel, with Shift, scale and turn it; hold it for its shape."),
      make("p", {}, "Keys: B and N choose the next bone and body, arrows move, with Shift scale and turn; 1 to 7 choose views, F fits, S starts physics, Delete deletes, Control and Z undoes."),
    );
    const physics = row(button("physics", "Physics", () => changes.physics()), make("label", { class: "check" }, this.gravity, "Gravity"));
    panel.append(make("h2", {}, "Multibody Sketcher"), physics, this.pulled, this.drawing);
  }

  private button(name: string, text: string, clicked: () => void): HTMLButtonElement {
    const made = make("button", { type: "button", id: `sketch-${name}` }, text);
    made.addEventListener("click", clicked);
    this.buttons.set(name, made);
    return made;
  }

  private enable(names: string[], on: boolean): void {
    for (const name of names) (this.buttons.get(name) as HTMLButtonElement).disabled = !on;
  }

  show({ state, bone, hitbox, seen, undo, redo, panes, physics, gravity }: SketchShown): void {
    this.drawing.hidden = physics;
    this.pulled.hidden = !physics;
    this.gravity.checked = gravity;
    this.buttons.get("physics")?.setAttribute("aria-pressed", String(physics));
    this.panes.show(panes);
    this.enable(["undo"], undo);
    this.enable(["redo"], redo);
    this.enable(["delete"], bone !== undefined || hitbox !== undefined);
    this.enable(["urdf", "srdf", "obj", "dae", "robot", "physics"], state.bones.length > 0);
    const names = state.bones.map(({ id, name }) => make("option", { value: String(id) }, name));
    this.bones.replaceChildren(make("option", { value: "" }, state.bones.length === 0 ? "No bones yet" : "Choose a bone…"), ...names);
    this.bones.value = bone ? String(bone.id) : "";
    this.bones.disabled = state.bones.length === 0;
    this.joint.show(bone, state.root);
    this.hitbox.show(hitbox, seen);
  }
}

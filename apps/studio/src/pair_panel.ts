// The numbers beside the picture: the chosen body's sliders, the square of its exponents, and the answer.
import { SCHEMES, isConvex, type DistanceGradient } from "./core";
import { Slider, choice, make } from "./dom";
import type { Answer } from "./query";
import { OTHERS, OVERLAYS, TRACES, type Other, type State } from "./pair_state";
import { Square, type Turned } from "./square";
import { IteratesPanel } from "./iterates_panel";

export interface Changes {
  select(body: 0 | 1): void;
  setNumber(index: number, value: number): void;
  setExponents(e1: number, e2: number): void;
  setTapers(tx: number, ty: number): void;
  setOther(other: Other): void;
  setCertifiedDepth(on: boolean): void;
  setOverlay(segments: number): void;
  setPublished(on: boolean): void;
  setTrace(trace: State["trace"]): void;
  setGradient(on: boolean): void;
  files(files: FileList): void;
  reset(): void;
}

/** The numbers in their order, with the range of their sliders; a field takes any number that the library takes. */
const NUMBERS: { name: string; tells: string; least: number; most: number }[] = [
  { name: "a1", tells: "semi-axis x, metres", least: 0.05, most: 1.2 },
  { name: "a2", tells: "semi-axis y, metres", least: 0.05, most: 1.2 },
  { name: "a3", tells: "semi-axis z, metres", least: 0.05, most: 1.2 },
  { name: "e1", tells: "exponent of the section", least: 0.05, most: 1.95 },
  { name: "e2", tells: "exponent of the profile", least: 0.05, most: 1.95 },
  { name: "tx", tells: "taper x", least: -0.95, most: 0.95 },
  { name: "ty", tells: "taper y", least: -0.95, most: 0.95 },
];
const WORDS: Record<Other, string> = { body: "Body", point: "Point", plane: "Plane", ray: "Ray", mesh: "Mesh" };
const FACTS = ["Distance", "From", "To", "Outcome", "Iterations", "Normal", "Point A", "Point B", "Convex", ...["A", "B"].flatMap((body) => [`∂d/∂v ${body}`, `∂d/∂ω ${body}`])];

export class PairPanel {
  private readonly bodies;
  private readonly other;
  private readonly sliders: Slider[];
  private readonly squares: Square[];
  private readonly shape: HTMLElement;
  private readonly noShape: HTMLElement;
  private readonly facts = new Map<string, HTMLElement>();
  private readonly certified: HTMLInputElement;
  private readonly overlay: HTMLSelectElement;
  private readonly published = make("input", { type: "checkbox", id: "published" });
  private readonly schemes = make("tbody", {});
  private readonly schemeTable: HTMLElement;
  private readonly trace = make("select", { id: "trace" });
  private readonly iterates = new IteratesPanel();
  private readonly gradient = make("input", { type: "checkbox", id: "gradient" });
  private readonly aboutMesh = make("div", {});
  private readonly meshText = make("p", { id: "mesh-text" });

  constructor(panel: HTMLElement, changes: Changes) {
    this.bodies = choice<0 | 1>("Chosen body", [[0, "A", "a"], [1, "B", "b"]], (body) => changes.select(body));
    const others = OTHERS.map((other): [Other, string] => [other, WORDS[other]]);
    this.other = choice<Other>("What B is", others, (other) => changes.setOther(other));
    this.sliders = NUMBERS.map(({ name, tells, least, most }, index) => {
      return new Slider(name, tells, least, most, 0.005, (value) => changes.setNumber(index, value));
    });
    this.squares = [
      new Square("square", "exponents", (e1, e2) => changes.setExponents(e1, e2)),
      new Square("square-tapers", "tapers", (tx, ty) => changes.setTapers(tx, ty)),
    ];
    const rows = this.sliders.map((slider) => slider.row);
    const squares = make("div", { class: "squares" }, ...this.squares.map(({ element }) => element));
    this.shape = make("div", {}, ...rows, squares);
    this.noShape = make("p", {});
    const list = make("dl", { id: "facts" });
    for (const name of FACTS) {
      const fact = make("dd", {}, "–");
      this.facts.set(name, fact);
      list.append(make("dt", {}, name), fact);
    }
    this.certified = make("input", { type: "checkbox", id: "certified" });
    this.certified.addEventListener("change", () => changes.setCertifiedDepth(this.certified.checked));
    this.published.addEventListener("change", () => changes.setPublished(this.published.checked));
    const caption = make("caption", {}, "Published schemes, and how far each is from the answer above");
    this.schemeTable = make("table", { id: "schemes" }, caption, this.schemes);
    this.overlay = make("select", { id: "overlay" }, make("option", { value: "0" }, "none"));
    for (const count of OVERLAYS) this.overlay.append(make("option", { value: String(count) }, `${count} edges around`));
    this.overlay.addEventListener("change", () => changes.setOverlay(Number(this.overlay.value)));
    for (const trace of TRACES) this.trace.append(make("option", { value: trace }, trace));
    this.trace.addEventListener("change", () => changes.setTrace(TRACES.find((trace) => trace === this.trace.value) ?? "none"));
    this.gradient.addEventListener("change", () => changes.setGradient(this.gradient.checked));
    const input = make("input", { type: "file", id: "mesh-file", accept: ".stl,.obj,.dae", class: "unseen", tabindex: "-1" });
    input.setAttribute("aria-label", "Mesh: STL, OBJ or COLLADA");
    input.addEventListener("change", () => {
      if (input.files) changes.files(input.files);
      input.value = "";
    });
    const open = make("button", { type: "button", id: "open-mesh" }, "Open a mesh…");
    open.addEventListener("click", () => input.click());
    this.aboutMesh.append(this.meshText, make("p", {}, open, input));
    const again = make("button", { type: "button", id: "again" }, "Begin again");
    again.addEventListener("click", () => changes.reset());
    panel.append(
      make("h2", {}, "B is a"),
      this.other.row,
      this.aboutMesh,
      make("h2", {}, "Chosen"),
      this.bodies.row,
      this.shape,
      this.noShape,
      make("h2", {}, "Answer"),
      list,
      this.schemeTable,
      this.iterates.element,
      make("h2", {}, "Options"),
      make("label", { class: "check" }, this.certified, "Certified depth: prove the least overlap"),
      make("label", { class: "check" }, this.published, "Published schemes beside it"),
      make("label", { class: "check" }, "Guess and iterates of", this.trace),
      make("label", { class: "check" }, this.gradient, "Gradient of the distance"),
      make("label", { class: "check" }, "Mesh laid over", this.overlay),
      make("p", {}, again),
    );
  }

  /** Shows the squares of the chosen body. */
  showShape(body: Turned): void {
    if (!this.shape.hidden) for (const square of this.squares) square.show(body);
  }

  show(state: State, answer: Answer, mesh: string, chosen: Turned): void {
    this.aboutMesh.hidden = state.other !== "mesh";
    this.meshText.textContent = mesh;
    this.trace.value = state.trace;
    this.trace.disabled = state.other !== "body";
    this.gradient.checked = state.gradient;
    this.iterates.show(answer.kind === "contact" ? answer.trace : undefined);
    this.other.show(state.other);
    this.bodies.show(state.selected);
    const hasShape = state.selected === 0 || state.other === "body";
    this.shape.hidden = !hasShape;
    this.noShape.hidden = hasShape;
    this.noShape.textContent = `A ${state.other} has no shape: drag it, or turn it.`;
    const { numbers } = state.bodies[state.selected];
    this.sliders.forEach((slider, k) => slider.show(numbers[k]));
    this.showShape(chosen);
    this.certified.checked = state.certifiedDepth;
    this.overlay.value = String(state.overlay);
    this.published.checked = state.published;
    this.showAnswer(state, answer);
    this.showSchemes(answer);
  }

  private showSchemes(answer: Answer): void {
    const published = answer.kind === "contact" ? answer.published : undefined;
    this.schemeTable.hidden = published === undefined;
    if (answer.kind !== "contact" || !published) return;
    const rows = published.map(({ distance, outcome, iterations }, k) => {
      const error = `${(distance - answer.contact.distance).toExponential(1)} m`;
      const cells = [error, outcome, `${iterations} it.`].map((text) => make("td", {}, text));
      return make("tr", {}, make("th", { scope: "row" }, SCHEMES[k]), ...cells);
    });
    this.schemes.replaceChildren(...rows);
  }

  private showGradient({ gradient: wanted }: State, gradient: DistanceGradient | undefined): void {
    const parts = gradient && [gradient.a.velocity, gradient.a.angular, gradient.b.velocity, gradient.b.angular];
    ["∂d/∂v A", "∂d/∂ω A", "∂d/∂v B", "∂d/∂ω B"].forEach((name, k) => {
      const fact = this.facts.get(name);
      if (!fact) return;
      const part = parts?.[k];
      fact.textContent = part ? part.map((x) => x.toFixed(4)).join(" ") : "none";
      fact.hidden = !wanted;
      if (fact.previousElementSibling instanceof HTMLElement) fact.previousElementSibling.hidden = !wanted;
    });
  }

  private showAnswer(state: State, answer: Answer): void {
    const tell = (name: string, text: string) => {
      const fact = this.facts.get(name);
      if (fact && fact.textContent !== text) fact.textContent = text;
    };
    const vector = (v: number[]) => v.map((x) => x.toFixed(6)).join(" ");
    if (answer.kind === "contact") {
      const { contact } = answer;
      tell("Distance", String(contact.distance));
      tell("From", String(contact.lower));
      tell("To", String(contact.upper));
      tell("Outcome", contact.outcome);
      tell("Iterations", String(contact.iterations));
      tell("Normal", vector(contact.normal));
      tell("Point A", vector(contact.pointA));
      tell("Point B", vector(contact.pointB));
      this.showGradient(state, answer.gradient);
    } else {
      const { hit } = answer;
      tell("Distance", hit ? String(hit.time) : "no hit");
      this.showGradient(state, undefined);
      for (const name of ["From", "To", "Iterations", "Point B"]) tell(name, "–");
      tell("Outcome", hit ? "hit" : "miss");
      tell("Normal", hit ? vector(hit.normal) : "–");
      tell("Point A", hit ? vector(hit.point) : "–");
    }
    const shown = state.other === "body" ? state.bodies : state.bodies.slice(0, 1);
    tell("Convex", shown.map((body, k) => `${"AB"[k]} ${isConvex(body.numbers) ? "yes" : "no"}`).join(", "));
  }
}

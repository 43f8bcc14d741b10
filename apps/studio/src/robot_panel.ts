// The numbers beside a robot: where it comes from, its closest pairs, its joints and a trajectory.
import type { EdgeProof, PairOfBodies, RobotModel, RobotParts } from "./core";
import { Slider, choice, make } from "./dom";
import type { Path } from "./path";
import { WORDS, type Source } from "./robot_state";
import { Plot } from "./plot";
import { DRAWN_PAIRS } from "./robot_view";

export interface RobotChanges {
  source(source: Exclude<Source, "file">): void;
  files(files: FileList): void;
  set(place: number, value: number): void;
  mark(pair: number): void;
  row(row: number): void;
  /** Plays forwards, for 1, or back, for −1. */
  play(direction: number): void;
  /** Steps of the player at once. */
  speed(speed: number): void;
  reset(): void;
}

/** What the player shows. */
export interface Played {
  path: Path;
  row: number;
  /** 1 or −1 while it plays. */
  playing: number;
  speed: number;
  /** What is proven of the lines between the rows, once all are judged. */
  proofs: EdgeProof[];
  nameOf(body: number): string;
}

/** The range of a slider where a joint has none: one turn, or a metre. */
const TURN = Math.PI;

export class RobotPanel {
  private readonly sources;
  private readonly about = make("p", { id: "robot-about" });
  private readonly warnings = make("details", {});
  private readonly pairs = make("tbody", {});
  private readonly joints = make("div", { id: "joints" });
  private readonly player = make("div", { id: "player", hidden: "" });
  private readonly row = make("input", { type: "range", id: "row", min: "0", step: "1", "aria-label": "Row of the trajectory" });
  private readonly rowText = make("span", { id: "row-text" });
  private readonly proof = make("p", { id: "proof" });
  private readonly plot = new Plot("Least clearance, and depth (dashed), over the rows", "clearances", ["", "4 3"]);
  private readonly playButton = make("button", { type: "button", id: "play" }, "Play");
  private readonly backButton = make("button", { type: "button", id: "play-back" }, "Back");
  private readonly speed;
  private sliders: { place: number; slider: Slider }[] = [];

  constructor(panel: HTMLElement, private readonly changes: RobotChanges) {
    this.sources = choice<Source>("Robot", (["icub_hands", "panda", "hands_meet", "bite"] as const).map((source) => [source, WORDS[source]]), (source) => {
      if (source !== "file") changes.source(source);
    });
    const input = make("input", { type: "file", id: "file", accept: ".urdf,.xml,.srdf,.csv,.json,.stl,.obj,.dae,.zip", multiple: "", class: "unseen", tabindex: "-1" });
    input.setAttribute("aria-label", "URDF file with its meshes, zip file of these, SRDF file, JSON file of obstacles, or CSV file of a trajectory");
    const folder = make("input", { type: "file", id: "folder", webkitdirectory: "", class: "unseen", tabindex: "-1" });
    folder.setAttribute("aria-label", "Folder with a URDF file and its meshes");
    for (const each of [input, folder]) {
      each.addEventListener("change", () => {
        if (each.files) changes.files(each.files);
        // The same file may be chosen again.
        each.value = "";
      });
    }
    const open = make("button", { type: "button", id: "open-file" }, "Open a URDF or a trajectory…");
    open.addEventListener("click", () => input.click());
    const openFolder = make("button", { type: "button", id: "open-folder" }, "Open a folder…");
    openFolder.addEventListener("click", () => folder.click());
    const table = make("table", { id: "pairs" }, make("caption", { class: "unseen" }, "Closest pairs"), this.pairs);
    const again = make("button", { type: "button", id: "again-robot" }, "Begin again");
    again.addEventListener("click", () => changes.reset());
    this.row.addEventListener("input", () => changes.row(Number(this.row.value)));
    this.playButton.addEventListener("click", () => changes.play(1));
    this.backButton.addEventListener("click", () => changes.play(-1));
    this.speed = choice<number>("Speed", [[0.25, "×¼"], [1, "×1"], [4, "×4"]], (speed) => changes.speed(speed));
    const buttons = make("div", { class: "row wraps" }, this.backButton, this.playButton, this.speed.row);
    this.player.append(make("h2", {}, "Trajectory"), this.row, make("p", {}, this.rowText), buttons, this.proof, this.plot.element);
    this.showCourse([], 0);
    panel.append(
      make("h2", {}, "Robot"),
      this.sources.row,
      make("p", {}, open, input, " ", openFolder, folder),
      this.about,
      this.warnings,
      make("h2", {}, "Closest pairs"),
      table,
      this.player,
      make("h2", {}, "Joints"),
      this.joints,
      make("p", {}, again),
    );
  }

  /** Takes another robot. */
  build(parts: RobotParts, obstacles: number): void {
    this.sliders = [];
    this.joints.replaceChildren();
    for (const joint of parts.joints) {
      const linear = joint.kind === "prismatic";
      const [least, most] = joint.range ?? (linear ? [-1, 1] : [-TURN, TURN]);
      for (let k = 0; k < joint.count; k++) {
        const place = joint.first + k;
        const name = joint.count === 1 ? joint.name : `${joint.name} ${k + 1}`;
        const tells = `${joint.kind}, ${linear ? "metres" : "radians"}`;
        const step = Math.max((most - least) / 500, 1e-9);
        const slider = new Slider(name, tells, least, most, step, (value) => this.changes.set(place, value), `joint-${place}`);
        slider.row.classList.add("joint");
        this.sliders.push({ place, slider });
        this.joints.append(slider.row);
      }
    }
    const among = obstacles === 0 ? "" : obstacles === 1 ? ", 1 obstacle" : `, ${obstacles} obstacles`;
    const lines = [`${parts.name}: ${parts.links.length} links, ${parts.bodies.length} bodies${among}.`];
    if (parts.unchecked.length > 0) lines.push(`Not checked: ${parts.unchecked.join(", ")}.`);
    this.about.textContent = lines.join(" ");
    this.warnings.hidden = parts.warnings.length === 0;
    const count = `Left out by the reader: ${parts.warnings.length}`;
    this.warnings.replaceChildren(make("summary", {}, count), ...parts.warnings.map((text) => make("p", {}, text)));
  }

  show(source: Source, model: RobotModel, positions: number[], pairs: PairOfBodies[], marked: number): void {
    this.sources.show(source);
    for (const { place, slider } of this.sliders) slider.show(positions[place]);
    const rows = pairs.slice(0, DRAWN_PAIRS).map(({ a, b, status, contact }, k) => {
      const button = make("button", { type: "button", "aria-pressed": String(k === marked) }, `${model.nameOf(a)} – ${model.nameOf(b)}`);
      button.addEventListener("click", () => this.changes.mark(k));
      const distance = `${(contact.distance * 1000).toFixed(3)} mm`;
      return make("tr", { class: status }, make("th", { scope: "row" }, button), make("td", {}, distance), make("td", {}, status));
    });
    if (rows.length === 0) rows.push(make("tr", {}, make("td", {}, "No pair is near.")));
    // Not while a button of the list has the focus of the keyboard: it keeps it.
    const focused = [...this.pairs.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    this.pairs.replaceChildren(...rows);
    if (focused >= 0) this.pairs.querySelectorAll("button")[focused]?.focus();
  }

  /** Shows the least signed distance over the rows, metres; pairs farther apart than `within` count as so far. */
  showCourse(clearances: number[], within: number): void {
    const [apart, deep] = [1, -1].map((sign) => clearances.map((distance) => Math.max(sign * distance, 0)));
    const [least, most] = [Math.min(...clearances), Math.max(...clearances)].map((distance) => (1000 * distance).toFixed(3));
    this.plot.show([apart, deep], clearances.length > 0 ? `from ${least} to ${Math.max(...clearances) >= within ? "over " : ""}${most} mm` : "");
  }

  showTrajectory({ path, row, playing, speed, proofs, nameOf }: Played): void {
    const rows = path.rows.length;
    this.player.hidden = rows === 0;
    this.row.max = String(Math.max(path.last, 0));
    this.row.step = path.isFine ? "1" : "0.01";
    this.row.value = String(row);
    this.rowText.textContent = `row ${Number((row + 1).toFixed(2))} of ${rows}`;
    this.playButton.textContent = playing > 0 ? "Pause" : "Play";
    this.backButton.textContent = playing < 0 ? "Pause" : "Back";
    this.speed.show(speed);
    this.proof.hidden = proofs.length === 0;
    if (proofs.length > 0) this.proof.textContent = proven(proofs, Math.min(Math.floor(row), path.last - 1), nameOf);
  }
}

/** Tells what is proven of the line after a row, and of all. */
function proven(proofs: EdgeProof[], row: number, nameOf: (body: number) => string): string {
  const { status, safe, pair } = proofs[row];
  const between = pair ? `, ${pair.map(nameOf).join(" and ")}` : "";
  const far = `${between}, proven free up to ${(100 * (safe ?? 0)).toFixed(1)} % of it`;
  const words = { free: "proven free", unchecked: "free as far as it is checked", hit: `in collision${far}`, undecided: `not decided${far}` };
  const free = proofs.filter((proof) => proof.status === "free").length;
  const all = free === proofs.length ? `all ${free}` : `${free} of ${proofs.length}`;
  return `The line from row ${row + 1} to ${row + 2} is ${words[status]}. Of the lines between rows ${all} are proven free.`;
}

// The controls of a simulation: which scene, play, step, speed, the frame of a recording, and a curve of the energy.
import { readyScenes, type Energy } from "./core";
import { choice, make } from "./dom";
import { Plot } from "./plot";

export interface SimulationChanges {
  ready(name: string): void;
  files(files: FileList): void;
  play(): void;
  step(): void;
  again(): void;
  speed(speed: number): void;
  frame(frame: number): void;
  contacts(drawn: boolean): void;
}

/** What is shown of a simulation or recording. */
export interface Shown {
  /** The name of the ready scene, or nothing. */
  ready: string;
  title: string;
  frame: number;
  /** The frame that the slider has asked for, which may be on its way. */
  wanted: number;
  time: number;
  playing: boolean;
  speed: number;
  /** The frames of a recording; 0 for a live simulation. */
  frames: number;
  /** The mean time of a step, milliseconds. */
  cost: number;
  /** How much slower than asked for it runs: 1 where it keeps up. */
  late: number;
}

const SPEEDS: [number, string][] = [[0.1, "× 0.1"], [0.25, "× 0.25"], [1, "× 1"]];

export class SimulationPanel {
  private readonly scenes = make("select", { id: "scenes", "aria-label": "Ready scene" });
  private readonly title = make("p", { id: "scene-title" });
  private readonly play = make("button", { type: "button", id: "sim-play" }, "Play");
  private readonly step = make("button", { type: "button", id: "sim-step" }, "Step");
  private readonly speeds;
  private readonly frame = make("input", { type: "range", id: "sim-frame", min: "0", step: "1", "aria-label": "Frame of the recording" });
  private readonly contacts = make("input", { type: "checkbox", id: "sim-contacts" });
  private readonly contactsRow = make("label", { class: "check" }, this.contacts, "Contacts and their impulses");
  private readonly facts = make("p", { id: "sim-facts" });
  private readonly energy = new Plot("Energy: kinetic, and potential above its least (dashed)", "plot-energy", ["", "4 3"]);
  private readonly depth = new Plot("Deepest penetration", "plot-depth", [""]);

  constructor(panel: HTMLElement, changes: SimulationChanges) {
    this.scenes.append(make("option", { value: "" }, "a file"));
    for (const { name, about } of readyScenes()) this.scenes.append(make("option", { value: name }, `${name}: ${about}`));
    this.scenes.addEventListener("change", () => {
      if (this.scenes.value !== "") changes.ready(this.scenes.value);
    });
    const input = make("input", { type: "file", accept: ".json,.sovorec", class: "unseen", tabindex: "-1" });
    input.setAttribute("aria-label", "Scene as JSON, or recording");
    input.addEventListener("change", () => {
      if (input.files) changes.files(input.files);
      input.value = "";
    });
    const open = make("button", { type: "button" }, "Open a scene or a recording…");
    open.addEventListener("click", () => input.click());
    const again = make("button", { type: "button", id: "sim-again" }, "From the start");
    this.play.addEventListener("click", () => changes.play());
    this.step.addEventListener("click", () => changes.step());
    again.addEventListener("click", () => changes.again());
    this.frame.addEventListener("input", () => changes.frame(Number(this.frame.value)));
    this.contacts.addEventListener("change", () => changes.contacts(this.contacts.checked));
    this.speeds = choice<number>("Speed", SPEEDS, (speed) => changes.speed(speed));
    panel.append(
      make("h2", {}, "Scene"),
      this.scenes,
      make("p", {}, open, input),
      this.title,
      make("p", { class: "row" }, this.play, this.step, again),
      this.frame,
      this.speeds.row,
      this.facts,
      this.contactsRow,
      this.energy.element,
      this.depth.element,
    );
  }

  show({ ready, title, frame, wanted, time, playing, speed, frames, cost, late }: Shown): void {
    this.scenes.value = ready;
    this.title.textContent = title;
    this.play.textContent = playing ? "Pause" : "Play";
    this.speeds.show(speed);
    this.frame.hidden = frames === 0;
    this.contactsRow.hidden = frames > 0;
    this.frame.max = String(Math.max(frames - 1, 0));
    this.frame.value = String(wanted);
    const facts = [`frame ${frame}, ${time.toFixed(3)} s`];
    if (frames > 0) facts.push(`of ${frames} recorded frames`);
    else if (cost > 0) facts.push(`${cost.toFixed(1)} ms a frame`);
    if (late > 1.05) facts.push(`slow motion: ${late.toFixed(1)} times slower than asked for`);
    this.facts.textContent = facts.join(" · ");
  }

  /** Draws the energies and the penetrations of the last frames. */
  showCurves(energies: Energy[], depths: number[]): void {
    const kinetic = energies.map((energy) => energy.kinetic);
    const potential = energies.map((energy) => energy.potential);
    const least = Math.min(...potential);
    const now = energies.at(-1) ?? { kinetic: 0, potential: 0 };
    const text = `kinetic ${now.kinetic.toPrecision(3)} J, potential ${now.potential.toPrecision(3)} J`;
    this.energy.show([kinetic, potential.map((energy) => energy - least)], text);
    const millimetres = (depth: number) => `${(1000 * depth).toFixed(3)} mm`;
    this.depth.show([depths], `now ${millimetres(depths.at(-1) ?? 0)}, at most ${millimetres(Math.max(0, ...depths))}`);
  }
}

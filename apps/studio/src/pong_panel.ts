// The controls of Pong: who plays, how strong the computer is, begin and pause, sound, and records of matches.
import { choice, make, Slider } from "./dom";

export type Opponent = "computer" | "person" | "watch";
const OPPONENTS: [Opponent, string][] = [["computer", "Computer"], ["person", "Two people"], ["watch", "Two computers"]];

export interface PongChanges {
  opponent(opponent: Opponent): void;
  level(level: number): void;
  toggle(): void;
  again(): void;
  sound(on: boolean): void;
  save(): void;
  files(files: FileList): void;
}

export interface PongShown {
  opponent: Opponent;
  level: number;
  running: boolean;
  over: boolean;
  sound: boolean;
  watching: boolean;
  late: number;
  /** What the next match will be, where it is otherwise. */
  next: string;
}

export class PongPanel {
  private readonly opponents;
  private readonly level: Slider;
  private readonly play = make("button", { type: "button", id: "pong-play" }, "Play");
  private readonly again = make("button", { type: "button", id: "pong-again" }, "New match");
  private readonly sound = make("button", { type: "button", id: "pong-sound", "aria-pressed": "false" }, "Sound");
  private readonly facts = make("p", { id: "pong-facts" });

  constructor(panel: HTMLElement, changes: PongChanges) {
    this.opponents = choice<Opponent>("Opponent", OPPONENTS, (opponent) => changes.opponent(opponent));
    this.level = new Slider("level", "of the computer, 0 to 9", 0, 9, 1, (level) => changes.level(level), "pong-level");
    const save = make("button", { type: "button", id: "pong-save" }, "Save the match");
    const input = make("input", { type: "file", accept: ".json", class: "unseen", tabindex: "-1", "aria-label": "Record of a match" });
    input.addEventListener("change", () => {
      if (input.files) changes.files(input.files);
      input.value = "";
    });
    const open = make("button", { type: "button", id: "pong-open" }, "Watch a saved match…");
    open.addEventListener("click", () => input.click());
    this.play.addEventListener("click", () => changes.toggle());
    this.again.addEventListener("click", () => changes.again());
    save.addEventListener("click", () => changes.save());
    this.sound.addEventListener("click", () => changes.sound(this.sound.getAttribute("aria-pressed") !== "true"));
    panel.append(
      make("h2", {}, "Duper Bowl Pong"),
      this.opponents.row,
      this.level.row,
      make("p", { class: "row" }, this.play, this.again, this.sound),
      this.facts,
      make("p", { class: "row" }, save, open, input),
      make("h2", {}, "How to play"),
      make("p", {}, "Drag in your half to move your paddle. Turn it by the dots at its ends, by a second finger or by the wheel."),
      make("p", {}, "Keys: W and S move the left paddle, A and D turn it; the arrows do so for the right one. Space begins and pauses."),
      make("p", {}, "The ball is a superellipse whose shape changes while it flies. Contacts are exact, spin and friction count, and nothing is tunnelled through."),
    );
  }

  show({ opponent, level, running, over, sound, watching, late, next }: PongShown): void {
    this.opponents.show(opponent);
    this.level.show(level);
    this.level.row.hidden = opponent === "person";
    this.play.textContent = running ? "Pause" : "Play";
    this.play.disabled = over;
    this.again.textContent = watching ? "Back to the match" : "New match";
    this.sound.setAttribute("aria-pressed", String(sound));
    const facts = [];
    if (watching) facts.push("a saved match");
    if (next !== "") facts.push(next);
    if (late > 0.5) facts.push(`slow motion: ${late.toFixed(1)} s late`);
    this.facts.textContent = facts.join(" · ");
    this.facts.hidden = facts.length === 0;
  }
}

// The room of Pong: a match against the computer, a person or of two computers, and matches that were saved.
import { Court, readCourt, type CourtField, type CourtNumbers } from "./core";
import { download, textOf } from "./files";
import { store, stored } from "./storage";
import type { Parts } from "./link";
import { PongHands } from "./pong_hands";
import { PongPanel, type Opponent } from "./pong_panel";
import { PongSound } from "./pong_sound";
import { PongView } from "./pong_view";
import { messageOf, type Host, type Room } from "./room";

/** The steps of a picture after which the match is in slow motion. */
const MOST_STEPS = 8;
const POINTS = 11;
const FRICTION = 0.3;
/** The name under which the match is kept for a reload. */
const KEY = "pong";
const PERSON = -1;

export class PongRoom implements Room {
  readonly name = "pong";
  readonly label = "A field with two paddles and a ball. W, S, A and D and the arrows move and turn the paddles; Space pauses.";
  readonly hint = "Play, then drag in your half of the field.\nA dot at an end of the paddle turns it.\nKeys: W S A D and the arrows; Space pauses.";
  readonly panel = document.createElement("div");
  private readonly view = new PongView();
  private readonly sound = new PongSound();
  private readonly numbers: PongPanel;
  private readonly hands: PongHands;
  private court: Court | undefined;
  private field: CourtField = { width: 2, height: 1.2, rail: 0.92, half: [0.015, 0.13], step: 1 / 120 };
  private now: CourtNumbers | undefined;
  private levels: [number, number] = [PERSON, 4];
  /** The level of the computer, also while two people play. */
  private level = 4;
  private watching = false;
  private running = false;
  private over = false;
  private due = 0;
  private last = 0;
  /** Seconds that are to be played, and that were not, as the page was late. */
  private ahead = 0;
  private late = 0;
  private steps = 0;
  /** Whether the levels are those of a link. */
  private opening = false;
  private active = false;
  /** Counts the matches that were asked for: an older one that comes late is not shown. */
  private asked = 0;
  /** The levels of the match that was played before a saved one was watched. */
  private own: [number, number] = [PERSON, 4];
  /** The level that the next match will have, where it is another one. */
  private next = "";

  constructor(private readonly host: Host) {
    this.numbers = new PongPanel(this.panel, {
      opponent: (opponent) => this.begin(this.levelsOf(opponent)),
      level: (level) => this.setLevel(level),
      toggle: () => this.toggle(),
      again: () => this.again(),
      sound: (on) => {
        this.sound.on = on;
        this.show();
      },
      save: () => this.save(),
      files: (files) => host.files(files),
    });
    this.hands = new PongHands({
      view: this.view,
      field: () => this.field,
      numbers: () => this.now ?? NOTHING,
      person: (side) => !this.watching && this.levels[side] === PERSON,
      toggle: () => this.toggle(),
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.pause();
    });
    addEventListener("pagehide", () => this.store());
  }

  enter(): void {
    this.active = true;
    const { canvas } = this.host.stage;
    canvas.style.visibility = "hidden";
    canvas.tabIndex = -1;
    canvas.after(this.view.element);
    if (this.court) this.show();
    else void this.resume();
  }

  leave(): void {
    this.pause();
    this.active = false;
    const { canvas } = this.host.stage;
    canvas.style.visibility = "";
    canvas.tabIndex = 0;
    this.view.element.remove();
  }

  reset(): void {
    this.again();
  }

  open(parts: Parts): void {
    const levels = parts.numbers("levels");
    parts.end();
    if (levels.length === 0) return;
    if (levels.length !== 2 || !levels.every((level) => Number.isInteger(level) && level >= PERSON && level <= 9)) {
      throw new Error("the link's “levels” must be two whole numbers from -1, a person, to 9");
    }
    const [left, right] = levels;
    if (this.court && !this.watching && left === this.levels[0] && right === this.levels[1]) return;
    this.store();
    this.levels = [left, right];
    this.level = Math.max(left, right, 0);
    this.court?.free();
    this.court = undefined;
    this.opening = true;
  }

  link(): [string, string | number[]][] {
    return [
      ["room", "pong"],
      ["levels", this.watching ? this.own : this.levels],
    ];
  }

  state(): object {
    const { levels, running, watching, over, steps, late, field } = this;
    const { wishes } = this.hands;
    return { room: "pong", ready: this.now !== undefined, levels, running, watching, over, steps, late, field, ...this.now, wishes, sound: this.sound.on };
  }

  cameraMoved(): void {
    // The picture is flat.
  }

  /** Takes the record of a match, to be watched. */
  async file(_name: string, bytes: Uint8Array): Promise<void> {
    const asked = ++this.asked;
    try {
      const court = await readCourt(textOf(bytes), true, () => asked === this.asked);
      if (!court) return;
      this.pause();
      if (!this.watching) this.own = this.levels;
      this.take(court, true);
    } catch (error) {
      // The room has to have a match, whatever it was entered with.
      if (!this.court && asked === this.asked) await this.resume();
      throw error;
    }
    this.host.quiet();
    this.toggle();
  }

  private opponent(): Opponent {
    const people = this.levels.filter((level) => level === PERSON).length;
    return people === 2 ? "person" : people === 1 ? "computer" : "watch";
  }

  private levelsOf(opponent: Opponent): [number, number] {
    const { level } = this;
    return opponent === "person" ? [PERSON, PERSON] : opponent === "computer" ? [PERSON, level] : [level, level];
  }

  /** Begins a new match, or takes up the one that was played before a saved one was watched. */
  private again(): void {
    if (!this.watching) return this.begin(this.next === "" ? this.levels : this.levelsOf(this.opponent()));
    this.court?.free();
    this.court = undefined;
    this.levels = this.own;
    this.opening = false;
    void this.resume();
  }

  /** The computer is as strong from the next match on, which begins if this one has not. */
  private setLevel(level: number): void {
    if (!Number.isInteger(level) || level < 0 || level > 9) {
      this.host.say("The level must be a whole number from 0 to 9.");
      this.show();
      return;
    }
    this.level = level;
    const begun = this.now !== undefined && (this.steps > 0 || this.now.strokes > 0 || Math.max(...this.now.score) > 0);
    if (!begun || this.over) return this.begin(this.levelsOf(this.opponent()));
    this.next = `level ${level} from the next match on`;
    this.show();
  }

  private begin(levels: [number, number]): void {
    this.asked++;
    this.take(new Court(...levels, someSeed(), POINTS, FRICTION), false);
    this.host.quiet();
  }

  /** Takes up the match that was kept; with a link, if it is of the players of the link. */
  private async resume(): Promise<void> {
    const asked = ++this.asked;
    const live = () => asked === this.asked && !this.court;
    const files = await stored(KEY);
    const wanted = this.opening ? String(this.levels) : undefined;
    this.opening = false;
    try {
      const court = files?.length && live() ? await readCourt(textOf(files[0].bytes), false, live) : undefined;
      if (!live()) return court?.free();
      if (court && (wanted ?? String(court.levels())) === String(court.levels())) return this.take(court, false);
      court?.free();
    } catch (error) {
      if (!live()) return;
      // It stays in the browser, until another one is played.
      this.host.say(`The match that was kept cannot be taken up: ${messageOf(error)}`);
    }
    if (live()) this.take(new Court(...this.levels, someSeed(), POINTS, FRICTION), false);
  }

  private take(court: Court, watching: boolean): void {
    this.pause();
    this.court?.free();
    this.court = court;
    this.watching = watching;
    this.levels = court.levels();
    if (this.opponent() !== "person") this.level = Math.max(...this.levels);
    this.field = court.field();
    this.now = court.numbers();
    this.over = this.now.winner >= 0;
    this.next = "";
    [this.steps, this.late, this.ahead] = [0, 0, 0];
    this.view.build(this.field);
    this.hands.reset();
    this.show();
  }

  private store(): void {
    // One that has not begun does not take the place of one that has.
    if (!this.court || this.watching || this.steps === 0) return;
    const bytes = new TextEncoder().encode(this.court.record());
    void store(KEY, [{ name: "pong.json", bytes }]);
  }

  private save(): void {
    if (!this.court) return;
    download("pong_match.json", "application/json", this.court.record());
  }

  private toggle(): void {
    if (this.running) return this.pause();
    if (!this.court || this.over || !this.active) return;
    this.running = true;
    this.last = performance.now();
    this.due = requestAnimationFrame((time) => this.picture(time));
    this.view.element.focus();
    this.show();
  }

  private pause(): void {
    if (!this.running) return;
    cancelAnimationFrame(this.due);
    this.running = false;
    this.hands.reset();
    this.store();
    this.show();
  }

  /** Plays what has passed since the last picture. */
  private picture(time: number): void {
    if (!this.running || !this.court) return;
    const passed = Math.max(0, (time - this.last) / 1000);
    this.last = time;
    this.ahead += passed;
    const { step } = this.field;
    const due = Math.floor(this.ahead / step);
    const steps = Math.min(due, MOST_STEPS);
    this.ahead -= due * step;
    this.late += (due - steps) * step;
    this.hands.follow(steps * step);
    this.play(steps);
    if (this.running) this.due = requestAnimationFrame((next) => this.picture(next));
  }

  private play(steps: number): void {
    if (!this.court || steps === 0) return;
    const [left, right] = this.hands.wishes;
    const events = this.court.play(steps, left, right);
    this.now = this.court.numbers();
    this.steps += steps;
    if (events) this.sound.play(events);
    const ended = !events || events.includes("won");
    if (ended) {
      this.over = true;
      this.pause();
    } else if (events.some((event) => event === "point" || event === "let")) {
      this.store();
    }
    this.draw();
    if (!events || events.length > 0) this.tell();
  }

  private draw(): void {
    if (!this.now) return;
    const people = this.levels.map((level) => level === PERSON && !this.watching);
    this.view.show(this.field, this.now, people);
  }

  show(): void {
    if (!this.active || !this.now) return;
    const { level, running, over, watching, late, next } = this;
    this.draw();
    this.numbers.show({ opponent: this.opponent(), level, running, over, watching, late, next, sound: this.sound.on });
    this.tell();
    this.host.changed();
  }

  private tell(): void {
    if (!this.now) return;
    const { score, strokes, winner } = this.now;
    const word = winner >= 0 ? `${["left", "right"][winner]} has won` : this.running ? "" : "paused";
    const detail = strokes > 0 ? `${strokes} stroke${strokes === 1 ? "" : "s"} in this rally` : "\u00a0";
    this.host.headline({ kind: "", value: `${score[0]} : ${score[1]}`, word, detail });
  }
}

function someSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

const NOTHING: CourtNumbers = {
  ball: { x: 0, y: 0, angle: 0, axes: [0.05, 0.05], exponent: 1 },
  paddles: [
    { y: 0, angle: 0 },
    { y: 0, angle: 0 },
  ],
  score: [0, 0],
  strokes: 0,
  pause: 0,
  winner: -1,
};

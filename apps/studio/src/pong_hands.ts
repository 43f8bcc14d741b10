// What the players want: by pointer, a second finger, the handles of the paddles, the wheel, and keys.
import type { CourtField, CourtNumbers } from "./core";
import { paddleEnds, type PongView } from "./pong_view";

type Side = 0 | 1;

export interface Hands {
  view: PongView;
  field(): CourtField;
  numbers(): CourtNumbers;
  /** Whether a side is played by a person. */
  person(side: Side): boolean;
  /** Begins or pauses. */
  toggle(): void;
}

/** What a player wants: where the paddle goes, metres, and how it turns, radians. */
export interface Wish {
  target: number;
  angle: number;
}

/** Metres about an end of a paddle in which it is held by its handle. */
const HANDLE = 0.07;
/** Metres a second and radians a second of a key that is held, radians of a notch of the wheel. */
const KEY_SPEED = 2;
const KEY_TURN = 2.5;
const NOTCH = 0.08;

/** Keys of the left and the right player: up, down, turn to the left, turn to the right. */
const KEYS: Record<Side, string[]> = { 0: ["KeyW", "KeyS", "KeyA", "KeyD"], 1: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] };

interface Finger {
  side: Side;
  /** Turns by a handle: the angle between the paddle and the direction to the pointer. */
  turns: number | undefined;
  at: [number, number];
}

export class PongHands {
  readonly wishes: [Wish, Wish] = [
    { target: 0, angle: 0 },
    { target: 0, angle: 0 },
  ];
  private readonly fingers = new Map<number, Finger>();
  private readonly held = new Set<string>();

  constructor(private readonly hands: Hands) {
    const { element } = hands.view;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      element.addEventListener(name, ({ pointerId }) => this.fingers.delete(pointerId));
    }
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const side = this.sideAt(hands.view.at(event.clientX, event.clientY)[0]);
        if (side !== undefined) this.turn(side, this.wishes[side].angle - Math.sign(event.deltaY) * NOTCH);
      },
      { passive: false },
    );
    element.addEventListener("keydown", (event) => {
      if (event.code === "Space") {
        event.preventDefault();
        if (!event.repeat) hands.toggle();
      } else if (KEYS[0].includes(event.code) || KEYS[1].includes(event.code)) {
        event.preventDefault();
        this.held.add(event.code);
      }
    });
    element.addEventListener("keyup", ({ code }) => this.held.delete(code));
    element.addEventListener("blur", () => this.held.clear());
  }

  /** Lets go of everything, and wants the paddles where they are. */
  reset(): void {
    this.fingers.clear();
    this.held.clear();
    this.hands.numbers().paddles.forEach(({ y, angle }, side) => Object.assign(this.wishes[side], { target: y, angle }));
  }

  /** Follows the keys that are held for a time, seconds. */
  follow(time: number): void {
    for (const side of [0, 1] as Side[]) {
      // One person has both halves of the keyboard.
      const keys = this.hands.person((1 - side) as Side) ? [KEYS[side]] : [KEYS[0], KEYS[1]];
      const pressed = (k: number) => Number(keys.some((row) => this.held.has(row[k])));
      const wish = this.wishes[side];
      this.steer(side, wish.target + (pressed(0) - pressed(1)) * KEY_SPEED * time);
      this.turn(side, wish.angle + (pressed(2) - pressed(3)) * KEY_TURN * time);
    }
  }

  private steer(side: Side, target: number): void {
    const most = this.hands.field().height / 2;
    this.wishes[side].target = Math.max(-most, Math.min(most, target));
  }

  private turn(side: Side, angle: number): void {
    this.wishes[side].angle = angle;
  }

  /** Returns whose paddle a place belongs to: one person has the whole field. */
  private sideAt(x: number): Side | undefined {
    const side: Side = x < 0 ? 0 : 1;
    if (this.hands.person(side)) return side;
    const other = (1 - side) as Side;
    return this.hands.person(other) ? other : undefined;
  }

  private direction(side: Side, [x, y]: [number, number]): number {
    const rail = this.hands.field().rail;
    return Math.atan2(y - this.hands.numbers().paddles[side].y, x - (side === 0 ? -rail : rail));
  }

  private down(event: PointerEvent): void {
    const { view } = this.hands;
    view.element.focus();
    const at = view.at(event.clientX, event.clientY);
    const side = this.sideAt(at[0]);
    if (side === undefined) return;
    try {
      view.element.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is up already: its events came out of order.
    }
    const ends = paddleEnds(this.hands.field(), this.hands.numbers(), side);
    const holds = ends.some(([x, y]) => Math.hypot(x - at[0], y - at[1]) < HANDLE);
    const turns = holds ? this.direction(side, at) - this.wishes[side].angle : undefined;
    this.fingers.set(event.pointerId, { side, turns, at });
    if (!holds && this.fingersOf(side).length === 1) this.steer(side, at[1]);
  }

  private fingersOf(side: Side): Finger[] {
    return [...this.fingers.values()].filter((finger) => finger.side === side);
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const at = this.hands.view.at(event.clientX, event.clientY);
    const { side, turns } = finger;
    const both = this.fingersOf(side);
    if (turns !== undefined) {
      const { angle } = this.wishes[side];
      this.turn(side, angle + wrapped(this.direction(side, at) - turns - angle));
    } else if (both.length >= 2) {
      // Two fingers: their line turns the paddle, and their middle moves it.
      const [other] = both.filter((each) => each !== finger);
      const along = ([x, y]: [number, number]) => Math.atan2(y - other.at[1], x - other.at[0]);
      this.turn(side, this.wishes[side].angle + wrapped(along(at) - along(finger.at)));
      this.steer(side, (at[1] + other.at[1]) / 2);
    } else {
      this.steer(side, at[1]);
    }
    finger.at = at;
  }
}

/** Returns an angle between −π and π. */
function wrapped(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

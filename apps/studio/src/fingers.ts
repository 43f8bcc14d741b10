// Gestures of mouse, pen and fingers on what lies in the picture: dragging, holding, letting go at rest, and taps of two
// fingers. What takes hold of nothing, and every second finger, turns the view.

/** A place of the page. */
export interface Place {
  clientX: number;
  clientY: number;
}

export interface FingerHandler<Grip> {
  active(): boolean;
  /** Returns what is at a place; nothing lets the pointer turn the view. `touch` asks for the size of a finger. */
  pick(at: Place, touch: boolean): Grip | undefined;
  begin(grip: Grip, at: Place): void;
  move(grip: Grip, at: Place): void;
  /** It has been held where it began, without a move, for `HOLD`. */
  hold(grip: Grip, at: Place): void;
  /** It is let go, as `how` tells. */
  end(grip: Grip, how: LetGo): void;
  /** It is let go by a second finger, or the pointer went away: nothing was meant. */
  cancel(grip: Grip): void;
  /** Two fingers tapped, or the mouse clicked twice. */
  tap(at: Place): void;
  /** Takes two fingers; where it does not, they turn the view. */
  pair?(first: Place, second: Place): Two | undefined;
}

/** What two fingers do, until one of them is up; a third one cancels it. */
export interface Two {
  move(first: Place, second: Place): void;
  end(): void;
  cancel(): void;
}

/** How something is let go. */
export interface LetGo {
  /** It was neither moved nor held. */
  clicked: boolean;
  /** It had not moved for `HOLD`. */
  rested: boolean;
}

/** Milliseconds after which a pointer that stays is held. */
export const HOLD = 500;
/** Pixels within which a pointer stays. */
const STILL = 6;
/** Milliseconds of a tap by two fingers. */
const TAP = 350;

interface Held<Grip> {
  pointer: number;
  grip: Grip;
  begun: Place;
  /** Where it was followed to. */
  last: Place;
  /** Where the pointer came to rest last, and when by the time of its events: the page may take them late. */
  rest: Place;
  since: number;
  moved: boolean;
  held: boolean;
  timer: number;
}

/** Two fingers that may become a tap. */
interface Tap {
  at: Place;
  since: number;
  moved: boolean;
}

const far = (a: Place, b: Place) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) > STILL;

export class Fingers<Grip> {
  private held: Held<Grip> | undefined;
  /** The fingers that are down, where they came down. */
  private readonly down = new Map<number, PointerEvent>();
  /** Pointers beside those that mean something. */
  private readonly ignored = new Set<number>();
  private pair: Tap | undefined;
  /** Where the fingers that are down are now. */
  private readonly now = new Map<number, PointerEvent>();
  private two: Two | undefined;
  /** Whether the view does not get the fingers until all are up. */
  private taken = false;
  /** Whether the view has the fingers until all are up. */
  private turning = false;
  /** Whether an event is one that this class has made for the view. */
  private made = false;

  /** It has to be there before the controls that turn the view see an event. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly handler: FingerHandler<Grip>,
  ) {
    const on = (name: string, run: (event: PointerEvent) => void) => {
      canvas.addEventListener(name, (event) => run(event as PointerEvent), { capture: true });
    };
    on("pointerdown", (event) => this.begin(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event, false));
    on("pointercancel", (event) => this.up(event, true));
    on("lostpointercapture", (event) => {
      if (this.held?.pointer === event.pointerId) this.cancel();
    });
    canvas.addEventListener("dblclick", (event) => {
      if (this.handler.active()) this.handler.tap(event);
    });
    addEventListener("blur", () => this.cancel());
  }

  /** Lets go of what is held, as if nothing was meant. */
  cancel(): void {
    const { held, two } = this;
    this.two = undefined;
    two?.cancel();
    if (!held) return;
    clearTimeout(held.timer);
    this.held = undefined;
    this.handler.cancel(held.grip);
  }

  private begin(event: PointerEvent): void {
    if (this.made || !this.handler.active()) return;
    const touch = event.pointerType === "touch";
    if (touch && this.down.size < 2) {
      this.down.set(event.pointerId, event);
      this.now.set(event.pointerId, event);
      if (this.down.size === 2) return this.second(event);
    } else if (touch || this.held) {
      // A third finger.
      if (this.two) this.cancel();
      this.ignored.add(event.pointerId);
      return event.stopImmediatePropagation();
    }
    const plain = event.button === 0 && !event.ctrlKey && !event.shiftKey;
    const grip = plain ? this.handler.pick(event, touch) : undefined;
    if (grip === undefined) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    const held: Held<Grip> = { pointer: event.pointerId, grip, begun: event, last: event, rest: event, since: event.timeStamp, moved: false, held: false, timer: 0 };
    held.timer = window.setTimeout(() => {
      if (this.held !== held || held.moved) return;
      held.held = true;
      this.handler.hold(grip, held.begun);
    }, HOLD);
    this.held = held;
    this.handler.begin(grip, event);
  }

  /** A second finger: the view has both, and perhaps it is a tap. */
  private second(event: PointerEvent): void {
    const [first] = this.now.values();
    const at = { clientX: (first.clientX + event.clientX) / 2, clientY: (first.clientY + event.clientY) / 2 };
    this.pair = { at, since: event.timeStamp, moved: this.held?.moved ?? false };
    const { held } = this;
    this.turning = true;
    this.cancel();
    this.two = this.handler.pair?.(first, event);
    this.taken = this.two !== undefined;
    if (this.taken) {
      event.stopImmediatePropagation();
      return this.canvas.setPointerCapture(event.pointerId);
    }
    if (!held) return;
    // The controls have not seen the first finger yet.
    this.made = true;
    const { pointerId, pointerType, isPrimary, clientX, clientY } = first;
    this.canvas.dispatchEvent(new PointerEvent("pointerdown", { pointerId, pointerType, isPrimary, clientX, clientY, bubbles: true }));
    this.made = false;
  }

  private move(event: PointerEvent): void {
    if (this.ignored.has(event.pointerId)) return event.stopImmediatePropagation();
    const first = this.down.get(event.pointerId);
    if (this.turning && this.pair && first && far(first, event)) this.pair.moved = true;
    if (first) this.now.set(event.pointerId, event);
    if (first && this.taken) {
      event.stopImmediatePropagation();
      const [a, b] = this.now.values();
      return this.two?.move(a, b);
    }
    const { held } = this;
    if (!held || held.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    // A button that was let go outside of the window has clicked nothing.
    if (event.pointerType === "mouse" && event.buttons === 0) return held.moved || held.held ? this.up(event, false) : this.cancel();
    this.follow(held, event);
  }

  private follow(held: Held<Grip>, event: PointerEvent): void {
    held.last = event;
    if (far(held.begun, event)) held.moved = true;
    if (far(held.rest, event)) [held.rest, held.since] = [event, event.timeStamp];
    if (held.moved || held.held) this.handler.move(held.grip, event);
  }

  private up(event: PointerEvent, lost: boolean): void {
    if (this.ignored.delete(event.pointerId)) return event.stopImmediatePropagation();
    this.down.delete(event.pointerId);
    this.now.delete(event.pointerId);
    if (this.turning) {
      if (this.taken) this.endTwo(event, lost);
      if (this.down.size > 0) return;
      const { pair } = this;
      [this.turning, this.pair, this.taken] = [false, undefined, false];
      if (pair && !lost && !pair.moved && event.timeStamp - pair.since < TAP && this.handler.active()) this.handler.tap(pair.at);
      return;
    }
    const { held } = this;
    if (!held || held.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    if (lost) return this.cancel();
    // A busy page may not have been told of the last way.
    if (event.clientX !== held.last.clientX || event.clientY !== held.last.clientY) this.follow(held, event);
    clearTimeout(held.timer);
    this.held = undefined;
    this.handler.end(held.grip, { clicked: !held.moved && !held.held, rested: event.timeStamp - held.since >= HOLD });
  }

  private endTwo(event: PointerEvent, lost: boolean): void {
    event.stopImmediatePropagation();
    const { two } = this;
    this.two = undefined;
    if (lost) two?.cancel();
    else two?.end();
  }
}

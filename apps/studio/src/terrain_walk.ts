// Walking on a terrain: the left half of the picture moves, the right half looks around, keys do both, and a tap puts the
// walker somewhere else.
import { Vector3 } from "three";
import type { TerrainWalker } from "./core";
import type { Stage } from "./stage";
import type { TerrainView } from "./terrain_view";

/** Pixels of a drag that walk at full speed; radians of a pixel and of a second of a key. */
const FULL = 60;
const LOOK = 0.006;
const KEY_TURN = 2;
/** Of the walker: metres a second, radians a second. */
const SPEED = 3;
const FASTEST_TURN = 8;
/** The camera: metres behind the walker, over its centre, from the walker at least, and before a mesh; its least and greatest height angle. */
const BEHIND = 4;
const OVER = 0.6;
const LEAST = 1.8;
const SPARED = 0.4;
const [LOW, HIGH] = [-0.2, 1.3];
/** Milliseconds and pixels of a tap at most. */
const TAP = [300, 6];
/** Metres over the ground at which the walker is put down; the next where it does not fit. */
const HEIGHTS = [0.03, 0.2, 0.5];
/** Seconds of a picture at most. */
const LONGEST = 0.1;

const KEYS: Record<string, [number, number]> = {
  KeyW: [0, 1],
  ArrowUp: [0, 1],
  KeyS: [0, -1],
  ArrowDown: [0, -1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
};

interface Finger {
  walks: boolean;
  begun: [number, number];
  at: [number, number];
  since: number;
}

export class TerrainWalk {
  private walker: TerrainWalker | undefined;
  private readonly fingers = new Map<number, Finger>();
  private readonly held = new Set<string>();
  /** The direction in which the camera looks, about the vertical, and how far down. */
  private around = Math.PI / 2;
  private down = 0.35;

  /** It has to be there before the controls that turn the view see an event. */
  constructor(
    private readonly stage: Stage,
    private readonly view: TerrainView,
    private readonly active: () => boolean,
    private readonly say: (text: string) => void,
  ) {
    const { canvas } = stage;
    const on = (name: string, run: (event: PointerEvent) => void) => {
      const caught = (event: Event) => {
        if (!this.on || !this.active()) return;
        event.stopImmediatePropagation();
        run(event as PointerEvent);
      };
      canvas.addEventListener(name, caught, { capture: true });
    };
    on("pointerdown", (event) => {
      const box = canvas.getBoundingClientRect();
      canvas.setPointerCapture(event.pointerId);
      const at: [number, number] = [event.clientX, event.clientY];
      this.fingers.set(event.pointerId, { walks: event.clientX < box.left + box.width / 2 && event.button === 0, begun: at, at, since: event.timeStamp });
    });
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => {
      const finger = this.fingers.get(event.pointerId);
      this.fingers.delete(event.pointerId);
      if (finger && isTap(finger, event)) this.place(event);
    });
    for (const name of ["pointercancel", "lostpointercapture"]) on(name, ({ pointerId }) => this.fingers.delete(pointerId));
    canvas.addEventListener("keydown", (event) => {
      if (!this.on || !this.active() || event.ctrlKey || event.altKey || event.metaKey) return;
      if (!KEYS[event.code] && event.code !== "KeyQ" && event.code !== "KeyE") return;
      this.held.add(event.code);
      event.preventDefault();
    });
    canvas.addEventListener("keyup", ({ code }) => this.held.delete(code));
    canvas.addEventListener("blur", () => this.held.clear());
    addEventListener("blur", () => this.held.clear());
  }

  get on(): boolean {
    return this.walker !== undefined;
  }

  begin(walker: TerrainWalker): void {
    this.end();
    this.walker = walker;
    this.view.showGround(walker);
    this.look();
  }

  end(): void {
    this.fingers.clear();
    this.held.clear();
    if (!this.walker) return;
    this.walker.free();
    this.walker = undefined;
    this.view.showMaking();
  }

  state(): object | undefined {
    const { walker, around, down } = this;
    return walker ? { ...walker.pose(), around, down, numbers: walker.shape(), vertices: Array.from(walker.vertices()) } : undefined;
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = finger.at;
    finger.at = [event.clientX, event.clientY];
    if (finger.walks) return;
    this.around -= (event.clientX - x) * LOOK;
    this.down = Math.min(HIGH, Math.max(LOW, this.down + (event.clientY - y) * LOOK));
  }

  /** Puts the walker on the mesh at a place of the page. */
  private place({ clientX, clientY }: PointerEvent): void {
    const { walker } = this;
    const { origin, direction } = this.stage.castAt(clientX, clientY).ray;
    const far = this.view.sees(origin, direction, Infinity);
    if (!walker || far === Infinity) return;
    const { x, y, z } = origin.clone().addScaledVector(direction, far);
    const [, , tall] = walker.shape();
    const fits = (over: number) => {
      try {
        walker.place([x, y, z + tall + over], walker.pose().heading);
        return true;
      } catch {
        return false;
      }
    };
    if (!HEIGHTS.some(fits)) this.say("The walker does not fit there.");
    this.look();
  }

  /** Lets the seconds since the last picture pass. */
  picture(passed: number): void {
    const { walker } = this;
    if (!walker) return;
    const seconds = Math.min(passed, LONGEST);
    if (seconds === 0) return;
    const turn = Number(this.held.has("KeyQ")) - Number(this.held.has("KeyE"));
    this.around += turn * KEY_TURN * seconds;
    const [right, ahead] = this.wish();
    const share = Math.min(1, Math.hypot(right, ahead));
    // It turns to where it goes, and goes as far as it looks there.
    const wanted = this.around + Math.atan2(-right, ahead) - walker.pose().heading;
    const off = share > 0 ? Math.atan2(Math.sin(wanted), Math.cos(wanted)) : 0;
    const turning = Math.min(FASTEST_TURN, Math.max(-FASTEST_TURN, off / seconds));
    walker.step(seconds, share * SPEED * Math.max(0, Math.cos(off)), turning);
    this.look();
  }

  /** How the walker shall go: to the right and ahead, as shares of its speed. */
  private wish(): [number, number] {
    let [right, ahead] = [0, 0];
    for (const key of this.held) {
      right += KEYS[key]?.[0] ?? 0;
      ahead += KEYS[key]?.[1] ?? 0;
    }
    for (const { walks, begun, at } of this.fingers.values()) {
      if (!walks) continue;
      right += (at[0] - begun[0]) / FULL;
      ahead -= (at[1] - begun[1]) / FULL;
    }
    return [right, ahead];
  }

  private look(): void {
    const { walker, around, down } = this;
    if (!walker) return;
    const pose = walker.pose();
    this.view.showWalker(pose);
    const at = new Vector3().fromArray(pose.position);
    at.z += OVER;
    const back = new Vector3(Math.cos(around) * Math.cos(down), Math.sin(around) * Math.cos(down), -Math.sin(down));
    // Nearer where the mesh would hide the walker.
    const behind = Math.max(LEAST, this.view.sees(at, back.clone().negate(), BEHIND) - SPARED);
    this.stage.setCamera({ position: at.clone().addScaledVector(back, -behind).toArray(), target: at.toArray() });
  }
}

function isTap({ begun, since }: Finger, event: PointerEvent): boolean {
  const [time, distance] = TAP;
  return event.timeStamp - since < time && Math.hypot(event.clientX - begun[0], event.clientY - begun[1]) < distance;
}

// The room of terrain: a cloth that bodies press into hills, with clothespins; frozen, it is walked on.
import { MOUSE, Plane, Sphere, TOUCH, Vector3 } from "three";
import hills from "./landscapes/hills.json?url";
import mesas from "./landscapes/mesas.json?url";
import { Terrain, type TerrainBody, type TerrainPick, type Vector } from "./core";
import { bytesAt, download, textOf } from "./files";
import { Fingers, type Place } from "./fingers";
import { store, stored } from "./storage";
import type { Parts } from "./link";
import { messageOf, type Host, type Room } from "./room";
import type { Camera } from "./stage";
import { ShapeWidget } from "./shape_widget";
import type { Turned } from "./square";
import { TerrainPanel, type TerrainCount } from "./terrain_panel";
import { TerrainView } from "./terrain_view";
import { TerrainWalk } from "./terrain_walk";

/** The name under which the terrain is kept for a reload. */
const KEY = "terrain";
/** Milliseconds of computing in a picture; what does not fit makes slow motion. */
const BUDGET = 28;
/** The time of a step, seconds. */
const FRAME = 1 / 60;
/** Steps of a picture at most. */
const MOST_STEPS = 3;
/** Pixels about a handle or a pin, for a mouse and for a finger. */
const REACH = [12, 24];
/** Metres from a body to its handles, metres of a key, the ratio of a key that sizes. */
const BESIDE = 0.06;
const KEY_STEP = 0.025;
const KEY_SIZE = 1.08;
/** The grid under the mesh that is walked on, metres, and what throws shadows, there and under the cloth. */
const WALKED = { height: -0.1, size: 40 };
const AROUND = new Sphere(new Vector3(0, 0, 0.2), 1.6);
const AROUND_WALKER = new Sphere(new Vector3(0, 0, 1.6), 12.8);
/** The camera looks from here at all of a cloth with hills of a height, metres. */
const LOOKS = new Vector3(-0.8, 2.3, -1.6);
const HILL = 0.5;
/** The landscapes that come with the page, beside a flat cloth. */
const LANDSCAPES = { hills, mesas };
const LANDS = ["flat", "hills", "mesas"] as const;
export type Land = (typeof LANDS)[number];
/** Milliseconds after the last change until the terrain is kept. */
const KEEP_DELAY = 800;

/** What is under a finger. */
type Grip =
  | { kind: "body"; id: number; plane: Plane; from: Vector3; start: Vector3 }
  | { kind: "height" | "width"; id: number; plane: Plane; ratio: number }
  | { kind: "pin"; index: number; plane: Plane }
  | { kind: "cloth"; vertex: number; plane: Plane };

const UP = new Vector3(0, 0, 1);

export class TerrainRoom implements Room {
  readonly name = "terrain";
  readonly label = "A cloth over bodies. N adds a body, B chooses the next, arrows move it, with Shift they size it, Delete deletes it; Control with Z undoes.";
  readonly hint = "Tap with two fingers or click twice: a body rises.\nDrag it, or hold it for its shape.\nPull the cloth; rest before you let go, and a pin stays.";
  readonly panel = document.createElement("div");
  private readonly view: TerrainView;
  private readonly numbers: TerrainPanel;
  private readonly fingers: Fingers<Grip>;
  private readonly widget: ShapeWidget;
  private readonly walk: TerrainWalk;
  private terrain: Terrain | undefined;
  private bodies: TerrainBody[] = [];
  private selected: number | undefined;
  /** Where the cloth is pulled to, while it is. */
  private target: Vector3 | undefined;
  private grabbed = 0;
  private rocky = false;
  private late = false;
  private fallen = false;
  private active = false;
  private due = 0;
  private last = 0;
  private ahead = 0;
  private steps = 0;
  private camera: Camera | undefined;
  private keeping = 0;
  /** What a link has asked for, until the room is entered. */
  private opening: { camera: Camera | undefined; land: Land | undefined } | undefined;
  /** The landscape of the page, as long as nobody has changed it: it does not take the place of the terrain that is kept. */
  private land: Land | undefined;
  /** Counts the terrains that were asked for: one that comes late does not take the place of another. */
  private asked = 0;

  constructor(private readonly host: Host) {
    this.view = new TerrainView(host.stage);
    this.numbers = new TerrainPanel(this.panel, {
      add: () => this.add(0, 0),
      remove: () => this.remove(),
      clear: () => this.edit((terrain) => terrain.clear()),
      drape: () => this.edit((terrain) => terrain.drape()),
      undo: () => this.edit((terrain) => terrain.undo()),
      redo: () => this.edit((terrain) => terrain.redo()),
      rocky: (on) => {
        this.rocky = on;
        this.show();
      },
      walk: () => this.toggleWalk(),
      save: () => this.save("terrain.json", "application/json", (terrain) => terrain.json()),
      saveMesh: () => this.save("terrain.obj", "text/plain", (terrain) => terrain.obj()),
      files: (files) => host.files(files),
      land: (land) => void this.openLand(land),
      setNumber: (place, value) => this.setNumber(place, value),
      setExponents: (e1, e2) => this.shape([e1, e2]),
    });
    this.widget = new ShapeWidget(host.stage.canvas, (e1, e2) => this.shape([e1, e2]));
    this.fingers = new Fingers<Grip>(host.stage.canvas, {
      active: () => this.active && this.terrain !== undefined && !this.walk.on,
      pick: (at, touch) => this.pick(at, touch),
      begin: (grip, at) => this.begin(grip, at),
      move: (grip, at) => this.move(grip, at),
      hold: (grip, at) => this.hold(grip, at),
      end: (grip, { clicked, rested }) => {
        if (grip.kind === "pin" && clicked) this.edit((terrain) => terrain.removePin(grip.index));
        this.end(grip, rested);
      },
      cancel: (grip) => this.end(grip, false),
      tap: (at) => this.tap(at),
    });
    this.walk = new TerrainWalk(host.stage, this.view, () => this.active, (text) => host.say(text));
    host.stage.canvas.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.fingers.cancel();
    });
    addEventListener("pagehide", () => this.keepNow());
  }

  enter(): void {
    this.active = true;
    const { stage } = this.host;
    stage.enter(this.view);
    stage.shade(AROUND);
    stage.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.ROTATE };
    stage.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_ROTATE };
    if (this.opening?.land) void this.openLand(this.opening.land);
    else if (!this.terrain) void this.begun();
    stage.setCamera(this.opening?.camera ?? this.camera ?? this.overview());
    this.opening = undefined;
    this.run();
    this.show();
  }

  leave(): void {
    this.fingers.cancel();
    this.walk.end();
    cancelAnimationFrame(this.due);
    this.active = false;
    const { controls } = this.host.stage;
    controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.keepNow();
  }

  reset(): void {
    if (this.walk.on) return this.toggleWalk();
    this.edit((terrain) => terrain.clear());
    this.edit((terrain) => terrain.drape());
    this.host.stage.setCamera(this.overview());
  }

  /** Returns a camera that sees all of a cloth. */
  private overview(): Camera {
    const edge = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => new Vector3(x, y, x === 0 || y === 0 ? HILL : 0)));
    return this.host.stage.overview(edge, LOOKS);
  }

  open(parts: Parts): void {
    const camera = parts.numbers("camera");
    const land = parts.one("land", [...LANDS, "kept"], "kept");
    parts.end();
    if (camera.length !== 0 && camera.length !== 6) throw new Error("the link's “camera” must be six numbers");
    const seen = camera.length === 6 ? { position: camera.slice(0, 3), target: camera.slice(3) } : undefined;
    this.opening = { camera: seen, land: land === "kept" ? undefined : land };
  }

  link(): [string, string | number[]][] {
    const { position, target } = this.opening?.camera ?? this.camera ?? this.overview();
    const land: [string, string][] = this.land ? [["land", this.land]] : [];
    return [["room", "terrain"], ...land, ["camera", [...position, ...target].map((x) => Number(x.toPrecision(6)))]];
  }

  state(): object {
    const { bodies, selected, rocky, late, fallen, steps, terrain, camera, target } = this;
    const pins = terrain?.pins() ?? [];
    const walker = this.walk.state();
    const [canUndo, canRedo] = [terrain?.canUndo() ?? false, terrain?.canRedo() ?? false];
    const cloth = Array.from(terrain?.cloth() ?? []);
    return { room: "terrain", ready: terrain !== undefined, bodies, selected, pins, rocky, late, fallen, steps, camera, walker, canUndo, canRedo, cloth, pulling: target !== undefined, widget: this.widget.open, handles: this.handles().map((at) => at.toArray()) };
  }

  cameraMoved(): void {
    if (!this.active || this.walk.on) return;
    this.camera = this.host.stage.getCamera();
    const body = this.body();
    if (body) this.numbers.showShape(this.seen(body));
  }

  /** A body as it becomes, seen as it is now. */
  private seen({ goal }: TerrainBody): Turned {
    return this.host.stage.turned(goal);
  }

  /** Takes a terrain that was saved. */
  async file(_name: string, bytes: Uint8Array): Promise<void> {
    this.asked++;
    this.take(Terrain.read(textOf(bytes)));
    this.keepSoon();
    this.host.quiet();
  }

  /** Opens a landscape of the page. */
  private async openLand(land: Land): Promise<void> {
    const asked = ++this.asked;
    try {
      const text = land === "flat" ? undefined : textOf(await bytesAt(LANDSCAPES[land]));
      if (asked !== this.asked) return;
      this.take(text === undefined ? new Terrain() : Terrain.read(text), land);
      this.host.quiet();
    } catch (error) {
      this.host.say(messageOf(error));
      if (!this.terrain && asked === this.asked) this.take(new Terrain(), "flat");
    }
  }

  /** Takes up the terrain that was kept, or opens the first landscape. */
  private async begun(): Promise<void> {
    const asked = ++this.asked;
    const files = await stored(KEY);
    if (asked !== this.asked) return;
    try {
      if (files?.length) return this.take(Terrain.read(textOf(files[0].bytes)));
    } catch (error) {
      this.host.say(`The terrain that was kept cannot be taken up: ${messageOf(error)}`);
    }
    await this.openLand("hills");
  }

  private take(terrain: Terrain, land?: Land): void {
    this.fingers.cancel();
    this.walk.end();
    this.terrain?.free();
    this.terrain = terrain;
    this.land = land;
    this.selected = undefined;
    this.view.build(Math.round(Math.sqrt(terrain.cloth().length / 3)));
    this.bodies = terrain.bodies();
    this.look();
    this.show();
  }

  /** Lets time pass while the room is shown. */
  private run(): void {
    cancelAnimationFrame(this.due);
    this.last = performance.now();
    this.due = requestAnimationFrame((time) => this.picture(time));
  }

  private picture(time: number): void {
    if (!this.active) return;
    this.due = requestAnimationFrame((next) => this.picture(next));
    const passed = Math.max(0, time - this.last) / 1000;
    this.last = time;
    if (this.walk.on) return this.walk.picture(passed);
    const { terrain } = this;
    if (!terrain) return;
    this.ahead += passed;
    const due = Math.floor(this.ahead / FRAME);
    if (due === 0) return;
    this.ahead -= due * FRAME;
    const end = performance.now() + BUDGET;
    const moving = terrain.moving();
    let done = 0;
    try {
      while (done < Math.min(due, MOST_STEPS) && performance.now() < end) {
        terrain.step();
        done++;
      }
    } catch (error) {
      this.host.say(`${messageOf(error)}: undo, or take a new cloth.`);
    }
    this.steps += done;
    const fallen = terrain.clothFallen();
    if (fallen && !this.fallen) this.host.say("The cloth has fallen off: undo, or take a new cloth.");
    this.fallen = fallen;
    const late = done < due && passed < 0.25;
    if (moving) this.bodies = terrain.bodies();
    this.look();
    if (late !== this.late) {
      this.late = late;
      this.numbers.count(this.count());
    }
  }

  /** Draws what is now. */
  private look(): void {
    const { terrain } = this;
    if (!terrain) return;
    this.view.showCloth(terrain.cloth());
    this.view.showBodies(this.bodies, this.selected, this.handles(), this.rocky);
    this.view.showPins(terrain.pins());
    this.view.showPull(this.target ? this.vertex(this.grabbed) : undefined, this.target ?? UP);
  }

  show(): void {
    const { terrain } = this;
    if (!this.active || !terrain) return;
    this.look();
    const body = this.body();
    const [undo, redo] = [terrain.canUndo(), terrain.canRedo()];
    const selected = body ? { body, turn: turnOf(body.goal.pose), seen: this.seen(body) } : undefined;
    const { rocky } = this;
    this.numbers.show({ ...this.count(), selected, undo, redo, rocky, walking: this.walk.on });
    if (body) this.widget.show(this.seen(body));
    else this.widget.close();
    const count = this.bodies.length;
    const word = this.walk.on ? "walking" : count === 1 ? "body under the cloth" : "bodies under the cloth";
    this.host.headline({ kind: "", value: this.walk.on ? "" : String(count), word, detail: "\u00a0" });
    this.host.changed();
  }

  private count(): TerrainCount {
    return { bodies: this.bodies.length, pins: this.terrain?.pins().length ?? 0, late: this.late };
  }

  private body(): TerrainBody | undefined {
    return this.bodies.find(({ id }) => id === this.selected);
  }

  private vertex(index: number): Vector3 {
    return new Vector3().fromArray(this.terrain?.cloth() ?? [], 3 * index);
  }

  /** Does something to the terrain; where it is refused the page says why, and everything stays. */
  private edit(change: (terrain: Terrain) => void): boolean {
    if (!this.terrain) return false;
    try {
      change(this.terrain);
      this.host.quiet();
    } catch (error) {
      this.host.say(messageOf(error));
      this.show();
      return false;
    }
    this.bodies = this.terrain.bodies();
    this.land = undefined;
    if (!this.body()) this.selected = undefined;
    this.show();
    this.keepSoon();
    return true;
  }

  private add(x: number, y: number): void {
    this.edit((terrain) => {
      this.selected = terrain.addBody(x, y);
    });
  }

  private remove(): void {
    const { selected } = this;
    if (selected !== undefined) this.edit((terrain) => terrain.removeBody(selected));
  }

  private shape(exponents: [number, number]): void {
    const { selected } = this;
    if (selected !== undefined) this.edit((terrain) => terrain.shapeBody(selected, ...exponents));
  }

  private setNumber(place: number, value: number): void {
    const body = this.body();
    if (!body) return;
    const numbers = [...body.goal.numbers];
    numbers[place] = value;
    const [a1, a2, a3, e1, e2] = numbers;
    if (place < 3) {
      this.edit((terrain) => terrain.sizeBody(body.id, [a1, a2, a3]));
    } else if (place < 5) {
      this.shape([e1, e2]);
    } else {
      this.edit((terrain) => terrain.turnBody(body.id, (value * Math.PI) / 180));
    }
  }

  /** The points of the handles for height and width of the chosen body. */
  private handles(): Vector3[] {
    const body = this.body();
    if (!body) return [];
    const [a1, a2, a3] = body.numbers;
    const centre = new Vector3().fromArray(body.pose);
    const right = new Vector3().setFromMatrixColumn(this.host.stage.camera.matrixWorld, 0).setZ(0).normalize();
    const top = centre.clone().setZ(centre.z + a3 + BESIDE);
    return [top, centre.clone().addScaledVector(right, Math.max(a1, a2) + BESIDE)];
  }

  private pick(at: Place, touch: boolean): Grip | undefined {
    const { terrain } = this;
    const { stage } = this.host;
    if (!terrain) return undefined;
    const across = (point: Vector3) => {
      return new Plane().setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new Vector3()), point);
    };
    // The nearest one of the handles and pins that are within reach.
    let least = REACH[touch ? 1 : 0];
    let grip: Grip | undefined;
    const offer = (point: Vector3, offered: Grip) => {
      const [x, y] = stage.project(point.toArray());
      const away = Math.hypot(x - at.clientX, y - at.clientY);
      if (away < least) [least, grip] = [away, offered];
    };
    const body = this.body();
    if (body && !this.rocky) {
      const [top, side] = this.handles();
      const [a1, a2] = body.goal.numbers;
      offer(top, { kind: "height", id: body.id, plane: across(top).normalize(), ratio: 1 });
      offer(side, { kind: "width", id: body.id, plane: new Plane().setFromNormalAndCoplanarPoint(UP, side), ratio: a2 / a1 });
    }
    for (const [index, { place }] of terrain.pins().entries()) {
      const point = new Vector3(...place);
      offer(point, { kind: "pin", index, plane: across(point) });
    }
    if (grip) return grip;
    return this.gripOf(terrain.pick(...this.ray(at)), across);
  }

  private ray(at: Place): [Vector, Vector] {
    const { ray } = this.host.stage.castAt(at.clientX, at.clientY);
    return [ray.origin.toArray(), ray.direction.toArray()];
  }

  private gripOf(found: TerrainPick, across: (point: Vector3) => Plane): Grip | undefined {
    if (found.kind === "nothing" || found.kind === "pin") return undefined;
    const point = new Vector3(...found.point);
    if (found.kind === "cloth") return { kind: "cloth", vertex: found.vertex, plane: across(point) };
    const body = this.bodies.find(({ id }) => id === found.id);
    if (!body) return undefined;
    const plane = new Plane().setFromNormalAndCoplanarPoint(UP, point);
    return { kind: "body", id: found.id, plane, from: point, start: new Vector3().fromArray(body.pose) };
  }

  private begin(grip: Grip, at: Place): void {
    this.widget.close();
    this.host.touched();
    if (grip.kind === "cloth") {
      if (!this.edit((terrain) => terrain.grab(grip.vertex))) return;
      this.grabbed = grip.vertex;
      return this.move(grip, at);
    }
    if (grip.kind === "body") this.selected = grip.id;
    this.edit((terrain) => terrain.beginChange());
  }

  private move(grip: Grip, at: Place): void {
    if (this.widget.open) return this.widget.take(at);
    const to = this.host.stage.castAt(at.clientX, at.clientY).ray.intersectPlane(grip.plane, new Vector3());
    if (!to) return;
    switch (grip.kind) {
      case "body": {
        const { x, y } = grip.start.clone().add(to).sub(grip.from);
        this.edit((terrain) => terrain.moveBody(grip.id, x, y));
        break;
      }
      case "height":
      case "width":
        this.size(grip, to);
        break;
      case "pin":
        this.edit((terrain) => terrain.movePin(grip.index, to.toArray()));
        break;
      case "cloth":
        this.target = to;
        this.edit((terrain) => terrain.pullTo(to.toArray()));
    }
  }

  private size(grip: { kind: "height" | "width"; id: number; ratio: number }, to: Vector3): void {
    const body = this.body();
    if (!body) return;
    const [x, y, z] = body.pose;
    const [a1, a2, a3] = body.goal.numbers;
    const across = Math.hypot(to.x - x, to.y - y) - BESIDE;
    // The larger of both semi-axes is at the handle.
    const wide = across / Math.max(1, grip.ratio);
    const axes: Vector = grip.kind === "height" ? [a1, a2, to.z - z - BESIDE] : [wide, wide * grip.ratio, a3];
    this.edit((terrain) => terrain.sizeBody(grip.id, axes));
  }

  private hold(grip: Grip, at: Place): void {
    const body = this.body();
    if (grip.kind === "body" && body) this.widget.openAt(at, this.seen(body));
  }

  private end(grip: Grip, rested: boolean): void {
    this.widget.close();
    if (grip.kind === "cloth") {
      this.target = undefined;
      this.edit((terrain) => terrain.letGo(rested));
    } else {
      this.edit((terrain) => terrain.endChange());
    }
  }

  /** A body rises where the ground is under a place of the page, unless one is there. */
  private tap(at: Place): void {
    if (this.pick(at, false)?.kind === "body") return;
    this.host.touched();
    const ground = this.host.stage.castAt(at.clientX, at.clientY).ray.intersectPlane(new Plane(UP.clone(), 0), new Vector3());
    if (ground) this.add(ground.x, ground.y);
  }

  private toggleWalk(): void {
    if (this.walk.on) {
      this.walk.end();
      this.host.stage.enter(this.view);
      this.host.stage.shade(AROUND);
      this.host.stage.setCamera(this.camera ?? this.overview());
      return this.show();
    }
    const { terrain } = this;
    if (!terrain) return;
    this.fingers.cancel();
    const { land } = this;
    const begun = this.edit(() => this.walk.begin(terrain.walk()));
    // Whoever walks changes nothing.
    this.land = land;
    if (begun) {
      this.host.stage.enter(this.view, WALKED);
      this.host.stage.shade(AROUND_WALKER);
    }
    this.host.touched();
  }

  private key(event: KeyboardEvent): void {
    if (!this.active || !this.terrain || event.altKey || event.metaKey) return;
    if (this.walk.on) {
      if (event.key !== "Escape") return;
      this.toggleWalk();
      return event.preventDefault();
    }
    const key = event.key.toLowerCase();
    if (event.ctrlKey) {
      if (key !== "z" && key !== "y") return;
      this.edit((terrain) => (key === "y" || event.shiftKey ? terrain.redo() : terrain.undo()));
    } else if (key === "n") {
      const [x, y] = this.host.stage.getCamera().target;
      this.add(x, y);
    } else if (key === "delete" || key === "backspace") {
      this.remove();
    } else if (key === "b") {
      this.next();
    } else if (STEPS[event.key]) {
      this.stepBody(STEPS[event.key], event.shiftKey);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Chooses the next body. */
  private next(): void {
    const place = this.bodies.findIndex(({ id }) => id === this.selected);
    this.selected = this.bodies[(place + 1) % Math.max(this.bodies.length, 1)]?.id;
    this.show();
  }

  private stepBody([across, up]: [number, number], sizes: boolean): void {
    const body = this.body();
    if (!body) return;
    const { goal, id } = body;
    if (sizes) {
      const [a1, a2, a3] = goal.numbers;
      const [wide, high] = [KEY_SIZE ** across, KEY_SIZE ** up];
      this.edit((terrain) => terrain.sizeBody(id, [a1 * wide, a2 * wide, a3 * high]));
    } else {
      const right = new Vector3().setFromMatrixColumn(this.host.stage.camera.matrixWorld, 0).setZ(0).normalize();
      const away = new Vector3().crossVectors(UP, right);
      const by = right.multiplyScalar(across * KEY_STEP).addScaledVector(away, up * KEY_STEP);
      this.edit((terrain) => terrain.moveBody(id, goal.pose[0] + by.x, goal.pose[1] + by.y));
    }
  }

  private save(name: string, type: string, text: (terrain: Terrain) => string): void {
    if (this.terrain) download(name, type, text(this.terrain));
  }

  private keepSoon(): void {
    clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => this.keepNow(), KEEP_DELAY);
  }

  private keepNow(): void {
    clearTimeout(this.keeping);
    if (!this.terrain || this.land) return;
    void store(KEY, [{ name: "terrain.json", bytes: new TextEncoder().encode(this.terrain.json()) }]);
  }
}

const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The turn of a pose about the vertical, degrees. */
function turnOf(pose: number[]): number {
  return (2 * Math.atan2(pose[5], pose[6]) * 180) / Math.PI;
}

// The queries of the library, typed. Errors are exceptions with the library's message.
import load, * as wasm from "./wasm/superovoid_studio.js";
import file from "./wasm/superovoid_studio_bg.wasm?url";

/** Seven numbers: a1 a2 a3 e1 e2 tx ty. */
export type Numbers = number[];
/** x y z qx qy qz qw. */
export type Pose = number[];
export type Vector = [number, number, number];

export interface Placed {
  numbers: Numbers;
  pose: Pose;
}

export interface Contact {
  distance: number;
  lower: number;
  upper: number;
  pointA: Vector;
  pointB: Vector;
  normal: Vector;
  outcome: "certified" | "converged" | "not converged" | "beyond";
  iterations: number;
}

export interface Hit {
  time: number;
  point: Vector;
  normal: Vector;
}

const OUTCOMES = ["certified", "converged", "not converged", "beyond"] as const;

/** A small module with one SIMD128 instruction: valid where the browser has it. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The build for browsers without SIMD128; whoever builds the page may leave it out. */
const PLAIN = "superovoid_plain.wasm";

/** Returns what the browser lacks for the queries, or nothing. */
export function lacking(): string | undefined {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly.";
  return undefined;
}

/** Whether the browser has the instructions of the quicker build. */
export function hasSimd(): boolean {
  return WebAssembly.validate(SIMD);
}

let memory: WebAssembly.Memory | undefined;
let compiled: WebAssembly.Module | undefined;

/** Loads the library; a worker is given what the page has compiled. */
export async function loadCore(module?: WebAssembly.Module): Promise<void> {
  compiled = module ?? (await compiledCore());
  memory = (await load({ module_or_path: compiled })).memory;
}

/** Compiles the build with SIMD128 where the browser has that, and otherwise the one without. */
async function compiledCore(): Promise<WebAssembly.Module> {
  const url = hasSimd() ? file : new URL(PLAIN, document.baseURI).href;
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(hasSimd() ? `the server answers ${answer.status}` : "this browser's WebAssembly has no SIMD128 instructions, and the build without them is not beside the page");
  }
  // Not every server knows the type of the file.
  if (answer.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Returns the compiled library, for workers. */
export function coreModule(): WebAssembly.Module {
  if (!compiled) throw new Error("the library is not loaded");
  return compiled;
}

/** Returns the bytes that the library's memory has taken. */
export function memoryBytes(): number {
  return memory?.buffer.byteLength ?? 0;
}

function contact(n: Float64Array): Contact {
  return {
    distance: n[0],
    lower: n[1],
    upper: n[2],
    pointA: [n[3], n[4], n[5]],
    pointB: [n[6], n[7], n[8]],
    normal: [n[9], n[10], n[11]],
    outcome: OUTCOMES[n[12]],
    iterations: n[13],
  };
}

const floats = (numbers: number[]) => Float64Array.from(numbers);

export function pairContact(a: Placed, b: Placed, certifiedDepth: boolean): Contact {
  const numbers = floats([...a.numbers, ...a.pose, ...b.numbers, ...b.pose]);
  return contact(wasm.pairContact(numbers, certifiedDepth));
}

/** The published schemes, in the library's order. */
export const SCHEMES = ["oct-implicit", "quad-implicit", "quad-parametric", "ntb-parametric"] as const;

/** Answers a pair by each of the published schemes. */
export function publishedContacts(a: Placed, b: Placed): Contact[] {
  const found = wasm.publishedContacts(floats([...a.numbers, ...a.pose, ...b.numbers, ...b.pose]));
  return SCHEMES.map((_, k) => contact(found.subarray(14 * k, 14 * k + 14)));
}

/** A cell of a guess: a box in the body's frame (centre, half widths), or ranges of the surface angles with a point. */
export type Cell = { box: number[] } | { angles: number[] };

/** What a scheme or the library's query goes through: for each guess the cells of A and B by level, and the iterates. */
export interface Trace {
  /** Whether the last iterate is the answer of a stage after Newton's method. */
  later: boolean;
  attempts: {
    opposed: boolean;
    levels: [Cell[], Cell[]][];
    iterates: { a: Vector; b: Vector; residual: number; step: number }[];
  }[];
}

/** Returns what a published scheme goes through, by its place among the schemes. */
export function publishedTrace(a: Placed, b: Placed, scheme: number): Trace {
  const numbers = floats([...a.numbers, ...a.pose, ...b.numbers, ...b.pose]);
  return JSON.parse(wasm.publishedTrace(numbers, scheme)) as Trace;
}

/** Returns what the library's own query goes through: one attempt, without a guess by cells. */
export function contactTrace(a: Placed, b: Placed, certifiedDepth: boolean): Trace {
  const numbers = floats([...a.numbers, ...a.pose, ...b.numbers, ...b.pose]);
  return JSON.parse(wasm.contactTrace(numbers, certifiedDepth)) as Trace;
}

/** Returns the gradient of a distance by the motions of A and B: velocity and angular velocity of each. */
export function distanceGradient(a: Pose, b: Pose, of: Contact): number[] | undefined {
  const numbers = [of.distance, of.lower, of.upper, ...of.pointA, ...of.pointB, ...of.normal];
  const answer = floats([...numbers, OUTCOMES.indexOf(of.outcome), of.iterations]);
  const found = wasm.distanceGradient(floats(a), floats(b), answer);
  return found.length === 0 ? undefined : Array.from(found);
}

export function pointContact(a: Placed, point: Vector): Contact {
  return contact(wasm.pointContact(floats(a.numbers), floats(a.pose), floats(point)));
}

export function halfSpaceContact(a: Placed, normal: Vector, offset: number): Contact {
  return contact(wasm.planeContact(floats(a.numbers), floats(a.pose), floats(normal), offset, true));
}

export function rayCast(a: Placed, origin: Vector, direction: Vector): Hit | undefined {
  const n = wasm.rayCast(floats(a.numbers), floats(a.pose), floats(origin), floats(direction), false);
  if (n.length === 0) return undefined;
  return { time: n[0], point: [n[1], n[2], n[3]], normal: [n[4], n[5], n[6]] };
}

export interface Mesh {
  positions: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
}

export function mesh(numbers: Numbers, segments: number): Mesh {
  return taken(wasm.mesh(floats(numbers), segments));
}

function taken(made: wasm.Mesh): Mesh {
  const { positions, normals, triangles } = made;
  made.free();
  return { positions, normals, triangles };
}

/** A mesh as a body. */
export class MeshBody {
  private readonly body: wasm.MeshBody;
  readonly drawn: Mesh;
  readonly scale: number;

  /** Reads an STL, OBJ or COLLADA file by the end of its name; an exception tells what is wrong with it. */
  constructor(name: string, bytes: Uint8Array, size: number) {
    this.body = new wasm.MeshBody(name, bytes, size);
    this.drawn = taken(this.body.drawn());
    this.scale = this.body.scale();
  }

  contact(body: Placed, at: Pose): Contact {
    return contact(this.body.contact(floats(body.numbers), floats(body.pose), floats(at)));
  }
}

/** The mesh of a robot by the name of its file, which may have folders, or what is wrong with it. */
export type MeshFile = { name: string; vertices: Float64Array; triangles: Uint32Array } | { name: string; problem: string };

/** Reads the file of a robot's mesh. */
export function readMesh(name: string, bytes: Uint8Array): MeshFile {
  try {
    const read = new wasm.ReadMesh(name, bytes);
    const { vertices, triangles } = read;
    read.free();
    return { name, vertices, triangles };
  } catch (error) {
    return { name, problem: String(error instanceof Error ? error.message : error) };
  }
}

/** The status of a pair of links: what its bracket proves. */
export type Status = "free" | "collision" | "undecided";
const STATUS: Status[] = ["free", "collision", "undecided"];

export interface JointParts {
  name: string;
  kind: string;
  /** The place of its first number, and how many it has. */
  first: number;
  count: number;
  range: [number, number] | null;
}

export type ShapeParts =
  | { superovoid: Numbers }
  | { box: [number, number, number] }
  | { cylinder: [number, number] }
  | { capsule: [number, number] }
  /** The place of a mesh. */
  | { mesh: number };

export interface RobotParts {
  name: string;
  links: string[];
  joints: JointParts[];
  bodies: { link: number; pose: Pose; shape: ShapeParts }[];
  unchecked: string[];
  warnings: string[];
  neutral: number[];
}

export interface PairOfBodies {
  a: number;
  b: number;
  status: Status;
  contact: Contact;
}

/** A robot; it has to be freed. */
export class RobotModel {
  private readonly robot: wasm.Robot;
  readonly parts: RobotParts;

  /** Reads a robot; an exception tells what is wrong with the text, with line and column. */
  constructor(urdf: string, meshes: MeshFile[] = []) {
    const beside = new wasm.Files();
    for (const file of meshes) {
      if ("problem" in file) beside.addProblem(file.name, file.problem);
      else beside.addMesh(file.name, file.vertices, file.triangles);
    }
    try {
      this.robot = new wasm.Robot(urdf, beside);
    } finally {
      beside.free();
    }
    try {
      this.parts = JSON.parse(this.robot.description()) as RobotParts;
    } catch (error) {
      this.robot.free();
      throw error;
    }
  }

  /** Leaves out what an SRDF file disables; returns what of it does not fit the robot. */
  applySrdf(text: string): string[] {
    return JSON.parse(this.robot.applySrdf(text)) as string[];
  }

  /** Returns a mesh of its shapes. */
  mesh(index: number): Mesh {
    return taken(this.robot.mesh(index));
  }

  /** Returns the poses of the links. */
  poses(numbers: number[]): Pose[] {
    const found = this.robot.poses(floats(numbers));
    return this.parts.links.map((_, k) => Array.from(found.subarray(7 * k, 7 * k + 7)));
  }

  /** Returns the pairs that may be nearer than some metres, closest first. */
  clearances(numbers: number[], within: number): PairOfBodies[] {
    const found = this.robot.clearances(floats(numbers), within);
    return Array.from({ length: found.length / 17 }, (_, k) => {
      const n = found.subarray(17 * k, 17 * k + 17);
      return { a: n[0], b: n[1], status: STATUS[n[2]], contact: contact(n.subarray(3)) };
    });
  }

  free(): void {
    this.robot.free();
  }
}

export function isConvex(numbers: Numbers): boolean {
  return wasm.isConvex(floats(numbers));
}

export interface SceneParts {
  name: string;
  /** The time of a frame, seconds. */
  frame: number;
  bodies: {
    moves: boolean;
    pose: Pose;
    shape:
      | { superovoid: Numbers }
      | { halfspace: [] }
      | { mesh: { vertices: Vector[]; triangles: Vector[] } };
  }[];
  cloths: { vertices: number; triangles: Vector[] }[];
}

/** The names of the ready scenes, with a line about each. */
export function readyScenes(): [string, string][] {
  return JSON.parse(wasm.readyScenes()) as [string, string][];
}

/** What moves in a scene, at one moment. */
export interface Moment {
  time: number;
  /** Seven numbers for each body. */
  bodies: Float64Array;
  /** Three numbers for each vertex of each cloth. */
  cloths: Float64Array[];
  /** Six numbers for each contact of the last frame: a point and the normal impulse there, N·s. A recording has none. */
  contacts: Float64Array;
}

/** What is pulled, and where to: a point in the frame of a body's shape, or a vertex of a cloth. */
export type Pull =
  | { body: number; point: Vector; target: Vector }
  | { cloth: number; vertex: number; target: Vector };

/** A simulation; it has to be freed. */
export class Simulation {
  private readonly world: wasm.Simulation;
  readonly parts: SceneParts;

  /** Builds a ready scene, or that of a JSON text; an exception tells what is wrong with it. */
  constructor(from: { ready: string } | { json: string }) {
    this.world = "ready" in from ? wasm.Simulation.ready(from.ready) : wasm.Simulation.scene(from.json);
    this.parts = JSON.parse(this.world.description()) as SceneParts;
  }

  /** Advances by a frame; an exception says what diverged. */
  step(): void {
    this.world.step();
  }

  moment(): Moment {
    const cloths = this.parts.cloths.map((_, k) => this.world.cloth(k));
    return { time: this.world.time(), bodies: this.world.bodies(), cloths, contacts: this.world.contacts() };
  }

  /** Returns the kinetic and the potential energy, joules. */
  energy(): [number, number] {
    const [kinetic, potential] = this.world.energy();
    return [kinetic, potential];
  }

  /** Returns the deepest penetration, metres. */
  penetration(): number {
    return this.world.penetration();
  }

  /** Pulls a point of a body or a vertex of a cloth, or lets go. */
  pull(pull: Pull | undefined): void {
    if (!pull) this.world.letGo();
    else if ("body" in pull) this.world.pullBody(pull.body, floats(pull.point), floats(pull.target));
    else this.world.pullVertex(pull.cloth, pull.vertex, floats(pull.target));
  }

  free(): void {
    this.world.free();
  }
}

/** A recording; it has to be freed. */
export class Recording {
  private readonly recording: wasm.Recording;
  readonly parts: SceneParts;
  readonly count: number;

  /** Reads a recording; an exception tells what is wrong with it. */
  constructor(bytes: Uint8Array) {
    this.recording = new wasm.Recording(bytes);
    this.parts = JSON.parse(this.recording.description()) as SceneParts;
    this.count = this.recording.count();
  }

  moment(frame: number): Moment {
    const cloths = this.parts.cloths.map((_, k) => this.recording.cloth(frame, k));
    return { time: this.recording.time(frame), bodies: this.recording.bodies(frame), cloths, contacts: new Float64Array() };
  }

  free(): void {
    this.recording.free();
  }
}

/** What moves in a match of Pong: metres and radians. */
export interface CourtNumbers {
  ball: { x: number; y: number; angle: number; axes: [number, number]; exponent: number };
  paddles: [{ y: number; angle: number }, { y: number; angle: number }];
  score: [number, number];
  strokes: number;
  /** Seconds until the serve. */
  pause: number;
  /** Who has won; −1 for nobody. */
  winner: number;
}

/** The field: its size, x of the right paddle, half the width and height of a paddle, metres. */
export interface CourtField {
  width: number;
  height: number;
  rail: number;
  half: [number, number];
  /** The time of a step, seconds. */
  step: number;
}

/** Milliseconds for which a record is played before the page has its turn, and the steps between two looks at the clock. */
const SLICE = 12;
const STEPS_OF_SLICE = 20;

/** A match of Pong, or one that is watched; it has to be freed. */
export class Court {
  private readonly court: wasm.Court;

  /** Begins a match; a level below 0 is a person. */
  constructor(from: wasm.Court | [number, number], seed = 0, points = 11, friction = 0.3) {
    this.court = Array.isArray(from) ? new wasm.Court(from[0], from[1], seed, points, friction) : from;
  }

  /**
   * Takes up a match where its record ends, or watches it; an exception tells what is wrong with the record. It is played
   * to its end a little at a time; `live` tells whether somebody still wants it.
   */
  static async read(json: string, watch: boolean, live: () => boolean): Promise<Court | undefined> {
    const reader = new wasm.CourtReader(json);
    for (let more = true; more; ) {
      const end = performance.now() + SLICE;
      while (more && performance.now() < end) more = reader.advance(STEPS_OF_SLICE);
      if (!more) break;
      await new Promise((done) => setTimeout(done));
      if (!live()) {
        reader.free();
        return undefined;
      }
    }
    return new Court(reader.finish(watch));
  }

  /** Plays steps; returns what happened, or nothing at the end of a match or record. */
  play(steps: number, left: { target: number; angle: number }, right: { target: number; angle: number }): Uint8Array | undefined {
    return this.court.play(steps, left.target, right.target, left.angle, right.angle);
  }

  numbers(): CourtNumbers {
    const [x, y, angle, a1, a2, exponent, y0, turn0, y1, turn1, left, right, strokes, pause, winner] = this.court.numbers();
    return {
      ball: { x, y, angle, axes: [a1, a2], exponent },
      paddles: [
        { y: y0, angle: turn0 },
        { y: y1, angle: turn1 },
      ],
      score: [left, right],
      strokes,
      pause,
      winner,
    };
  }

  field(): CourtField {
    const [width, height, rail, w, h, step] = this.court.field();
    return { width, height, rail, half: [w, h], step };
  }

  levels(): [number, number] {
    const [left, right] = this.court.levels();
    return [left, right];
  }

  record(): string {
    return this.court.record();
  }

  free(): void {
    this.court.free();
  }
}

/** A body under the cloth: what it is now, and what it becomes. */
export interface TerrainBody extends Placed {
  /** Its own number, which stays. */
  id: number;
  goal: Placed;
}

export interface TerrainPin {
  vertex: number;
  /** Where it is held now, and where it is moved to. */
  place: Vector;
  goal: Vector;
}

/** What a ray meets. */
export type TerrainPick =
  | { kind: "nothing" }
  | { kind: "body"; id: number; point: Vector }
  | { kind: "cloth"; vertex: number; point: Vector }
  | { kind: "pin"; index: number };

const BODY_OF_TERRAIN = 29;
const PIN_OF_TERRAIN = 7;

/** A terrain under a cloth: metres, z up, the ground is |x|, |y| ≤ 1; it has to be freed. */
export class Terrain {
  private readonly terrain: wasm.Terrain;
  /** The vertices of each triangle of the cloth. */
  readonly triangles: Uint32Array;

  /** Lays a flat cloth, or reads a terrain from JSON; an exception tells the place of what is wrong. */
  constructor(json?: string) {
    this.terrain = json === undefined ? new wasm.Terrain() : wasm.Terrain.read(json);
    this.triangles = this.terrain.triangles();
  }

  /** Advances by 1/60 s; returns how many pins gave way to bodies. An exception says what diverged; then undo or drape. */
  step(): number {
    return this.terrain.step();
  }

  /** Three numbers for each vertex of the cloth, row by row. */
  cloth(): Float64Array {
    return this.terrain.cloth();
  }

  bodies(): TerrainBody[] {
    const found = this.terrain.bodies();
    return Array.from({ length: found.length / BODY_OF_TERRAIN }, (_, k) => {
      const [id, ...n] = found.subarray(BODY_OF_TERRAIN * k, BODY_OF_TERRAIN * (k + 1));
      return { id, numbers: n.slice(0, 7), pose: n.slice(7, 14), goal: { numbers: n.slice(14, 21), pose: n.slice(21) } };
    });
  }

  pins(): TerrainPin[] {
    const found = this.terrain.pins();
    return Array.from({ length: found.length / PIN_OF_TERRAIN }, (_, k) => {
      const [vertex, x, y, z, u, v, w] = found.subarray(PIN_OF_TERRAIN * k, PIN_OF_TERRAIN * (k + 1));
      return { vertex, place: [x, y, z], goal: [u, v, w] };
    });
  }

  /** Adds a body that rises from below the ground, and returns its number; refused outside of the ground and above 128. */
  addBody(x: number, y: number): number {
    return this.terrain.addBody(x, y);
  }

  /** Moves a body to the nearest place on the ground, as fast as the cloth can follow. */
  moveBody(id: number, x: number, y: number): void {
    this.terrain.moveBody(id, x, y);
  }

  sizeBody(id: number, [a1, a2, a3]: Vector): void {
    this.terrain.sizeBody(id, a1, a2, a3);
  }

  shapeBody(id: number, [e1, e2]: [number, number]): void {
    this.terrain.shapeBody(id, e1, e2);
  }

  /** Turns a body about the vertical to an angle. */
  turnBody(id: number, angle: number): void {
    this.terrain.turnBody(id, angle);
  }

  removeBody(id: number): void {
    this.terrain.removeBody(id);
  }

  /** Takes all bodies and pins away. */
  clear(): void {
    this.terrain.clear();
  }

  /** Lays a new flat cloth over everything. */
  drape(): void {
    this.terrain.drape();
  }

  /** Whether the cloth has left the ground. */
  clothFallen(): boolean {
    return this.terrain.clothFallen();
  }

  /** Grabs a vertex; from here to `letGo` everything is one step of undo. */
  grab(vertex: number): void {
    this.terrain.grab(vertex);
  }

  pullTo([x, y, z]: Vector): void {
    this.terrain.pullTo(x, y, z);
  }

  /** Lets go; with `pin` a clothespin stays where the vertex is. */
  letGo(pin: boolean): void {
    this.terrain.letGo(pin);
  }

  removePin(index: number): void {
    this.terrain.removePin(index);
  }

  movePin(index: number, [x, y, z]: Vector): void {
    this.terrain.movePin(index, x, y, z);
  }

  pick(origin: Vector, direction: Vector): TerrainPick {
    const [kind, index, x, y, z] = this.terrain.pick(floats(origin), floats(direction));
    if (kind === 1) return { kind: "body", id: index, point: [x, y, z] };
    if (kind === 2) return { kind: "cloth", vertex: index, point: [x, y, z] };
    return kind === 3 ? { kind: "pin", index } : { kind: "nothing" };
  }

  /** Begins a change: the edits up to `endChange`, such as those of a drag, are one step of undo. */
  beginChange(): void {
    this.terrain.beginChange();
  }

  endChange(): void {
    this.terrain.endChange();
  }

  canUndo(): boolean {
    return this.terrain.canUndo();
  }

  canRedo(): boolean {
    return this.terrain.canRedo();
  }

  undo(): boolean {
    return this.terrain.undo();
  }

  redo(): boolean {
    return this.terrain.redo();
  }

  json(): string {
    return this.terrain.json();
  }

  obj(): string {
    return this.terrain.obj();
  }

  /** Freezes the cloth, eight times as large, with a walker on its middle. */
  walk(): TerrainWalker {
    return new TerrainWalker(this.terrain.walk());
  }

  free(): void {
    this.terrain.free();
  }
}

export interface WalkerPose {
  /** The centre, metres. */
  position: Vector;
  /** Where it looks: the angle about the vertical, 0 along x. */
  heading: number;
  onGround: boolean;
}

/** A walker on a frozen terrain, eight times as large as the cloth; it has to be freed. */
export class TerrainWalker {
  /** The vertices and triangles of the ground. */
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  /** The shape of the walker. */
  readonly numbers: Numbers;

  constructor(private readonly walker: wasm.TerrainWalker) {
    this.vertices = walker.vertices();
    this.triangles = walker.triangles();
    this.numbers = Array.from(walker.shape());
  }

  /** Puts the walker somewhere else; an exception tells that it does not fit there. */
  place(position: Vector, heading: number): void {
    this.walker.place(floats(position), heading);
  }

  /** Advances by a time, seconds, of at most 0.1, at a speed, m/s, and a speed of turning, rad/s. */
  step(time: number, forward: number, turn: number): void {
    this.walker.step(time, forward, turn);
  }

  pose(): WalkerPose {
    const [x, y, z, heading, onGround] = this.walker.pose();
    return { position: [x, y, z], heading, onGround: onGround === 1 };
  }

  free(): void {
    this.walker.free();
  }
}

/** The side from which a figure is seen: it looks along x, its left is y, and up is z. */
export type Face = "front" | "back" | "top" | "bottom" | "left" | "right";
const FACES: Face[] = ["front", "back", "top", "bottom", "left", "right"];

/** A square pane: the side, the point in its middle and the metres that its edge spans. Points of it are from 0 to 1 with y up. */
export interface SketchView {
  face: Face;
  center: Vector;
  extent: number;
}

export interface SketchJoint {
  id: number;
  /** The position at rest, metres. */
  place: Vector;
}

export interface SketchBone {
  id: number;
  name: string;
  /** The joint at its end that is nearer to the root, and the other one. */
  near: number;
  far: number;
  parent: number | null;
  /** What it may turn about x, y and z of its frame at its near joint, radians. */
  ranges: [[number, number], [number, number], [number, number]];
  /** Its frame at rest, at the near joint: x along it, away from the root. */
  frame: Pose;
  /** What is doubtful about the ranges. */
  warning: string | null;
}

export interface SketchHitbox extends Placed {
  id: number;
  bone: number;
}

export interface SketchState {
  /** The joint from which bones are counted; nothing in an empty figure. */
  root: number | null;
  joints: SketchJoint[];
  bones: SketchBone[];
  hitboxes: SketchHitbox[];
}

export type SketchPick = { kind: "joint" | "bone" | "hitbox"; id: number } | { kind: "nothing" };
const PICKS = ["joint", "bone", "hitbox"] as const;

export type SketchFigure = "humanoid" | "horse" | "hexapod";
export type SketchPreset = "rigid" | "hinge" | "pivot" | "elbow" | "ball";

/** A figure that is sketched, with its edits: an edit that fails throws and changes nothing. It has to be freed. */
export class Sketch {
  private readonly sketch: wasm.Sketch;

  /** Begins an empty figure, or reads one from JSON; an exception tells the place of what is wrong. */
  constructor(from?: string | wasm.Sketch) {
    if (from instanceof wasm.Sketch) this.sketch = from;
    else this.sketch = from === undefined ? new wasm.Sketch() : wasm.Sketch.read(from);
  }

  static ready(figure: SketchFigure): Sketch {
    return new Sketch(wasm.Sketch.ready(figure));
  }

  state(): SketchState {
    return JSON.parse(this.sketch.state()) as SketchState;
  }

  canUndo(): boolean {
    return this.sketch.canUndo();
  }

  canRedo(): boolean {
    return this.sketch.canRedo();
  }

  undo(): void {
    this.sketch.undo();
  }

  redo(): void {
    this.sketch.redo();
  }

  /** Replaces the figure by one from JSON. */
  take(json: string): void {
    this.sketch.take(json);
  }

  /** Leaves an empty figure. */
  clear(): void {
    this.sketch.clear();
  }

  /** Draws a stroke, two numbers for each point: an ellipse becomes a body, another stroke bones. */
  draw(view: SketchView, points: number[]): { kind: "bones"; ids: number[] } | { kind: "hitbox"; id: number } {
    const [kind, ...ids] = this.sketch.draw(seen(view), floats(points));
    return kind === 0 ? { kind: "bones", ids } : { kind: "hitbox", id: ids[0] };
  }

  /** Returns what is at a point: a joint before a bone, within a reach in parts of the view, before a body in its silhouette. */
  pick(view: SketchView, [x, y]: [number, number], reach: number): SketchPick {
    const [kind, id] = this.sketch.pick(seen(view), x, y, reach);
    return kind === 0 ? { kind: "nothing" } : { kind: PICKS[kind - 1], id };
  }

  /** Splits the bone at a point, and returns the new joint. */
  tap(view: SketchView, [x, y]: [number, number]): number {
    return this.sketch.tap(seen(view), x, y);
  }

  /** Begins a change: the edits up to `endChange`, such as those of a drag, are one step of undo. */
  beginChange(): void {
    this.sketch.beginChange();
  }

  endChange(): void {
    this.sketch.endChange();
  }

  /** Takes back what was edited since the change began, and ends it. */
  cancelChange(): void {
    this.sketch.cancelChange();
  }

  /** Moves a joint in the plane of the pane; it stays the joint that it is. */
  shiftJoint(view: SketchView, joint: number, [x, y]: [number, number]): void {
    this.sketch.shiftJoint(seen(view), joint, x, y);
  }

  /** Moves a joint in the plane of the pane; where another tree has a joint they become one, which is returned. */
  dragJoint(view: SketchView, joint: number, [x, y]: [number, number]): number {
    return this.sketch.dragJoint(seen(view), joint, x, y);
  }

  moveJoint(joint: number, [x, y, z]: Vector): void {
    this.sketch.moveJoint(joint, x, y, z);
  }

  /** Deletes a joint with its bones. */
  removeJoint(id: number): void {
    this.sketch.removeJoint(id);
  }

  /** Deletes a bone with its bodies. */
  removeBone(id: number): void {
    this.sketch.removeBone(id);
  }

  removeHitbox(id: number): void {
    this.sketch.removeHitbox(id);
  }

  /** Chooses the joint from which bones are counted. */
  setRoot(joint: number): void {
    this.sketch.setRoot(joint);
  }

  setName(bone: number, name: string): void {
    this.sketch.setName(bone, name);
  }

  /** Sets what a bone may turn: the lower and upper ends about x, y and z, radians. */
  setRanges(bone: number, ranges: number[]): void {
    this.sketch.setRanges(bone, floats(ranges));
  }

  setPreset(bone: number, preset: SketchPreset): void {
    this.sketch.setPreset(bone, preset);
  }

  shapeHitbox(id: number, numbers: Numbers): void {
    this.sketch.shapeHitbox(id, floats(numbers));
  }

  /** Shifts a body by parts of the view, turns it in the view, radians, and scales it. */
  touchHitbox(view: SketchView, id: number, touch: { shift: [number, number]; turn: number; scale: number }): void {
    const [x, y] = touch.shift;
    this.sketch.touchHitbox(seen(view), id, x, y, touch.turn, touch.scale);
  }

  json(): string {
    return this.sketch.json();
  }

  /** Returns the robot in URDF, with mass and inertia at a density, kg/m³. */
  urdf(name = "figure", density = 1000): string {
    return this.sketch.urdf(name, density);
  }

  obj(): string {
    return this.sketch.obj();
  }

  collada(): string {
    return this.sketch.collada();
  }

  /** Returns the pairs of bones that share a joint, as the SRDF of a robot of this name. */
  srdf(name = "figure"): string {
    return this.sketch.srdf(name);
  }

  /** Returns the figure as a scene of the simulation: the bodies are named `hitbox N`, and `bone N` for a bone without. */
  scene(gravity: boolean): string {
    return this.sketch.scene(gravity);
  }

  free(): void {
    this.sketch.free();
  }
}

/** The numbers of a view: the place of its face, its centre and its extent. */
function seen({ face, center, extent }: SketchView): Float64Array {
  return floats([FACES.indexOf(face), ...center, extent]);
}

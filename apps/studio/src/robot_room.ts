// The room of robots: a URDF file, its joints, its closest pairs, and a trajectory.
import { RobotModel, type EdgeProof, type PairOfBodies, type Pose } from "./core";
import { Gradually } from "./gradually";
import { bytesAt, goesWithRobot, isMesh, isObstacles, isSrdf, isTrajectory, textOf } from "./files";
import { store, stored, type StoredFile } from "./storage";
import type { Parts } from "./link";
import { MOST, Path } from "./path";
import { readMeshes } from "./read_meshes";
import { RobotPanel } from "./robot_panel";
import { FILES, readRobotLink, robotLink, type RobotLink, type RobotState, type Source } from "./robot_state";
import { RobotView, type PosesAt } from "./robot_view";
import { messageOf, type Headline, type Host, type Room } from "./room";
import { readTrajectory } from "./trajectory";

/** Pairs that are farther apart, in metres, are not listed. */
const NEAR = 0.05;
/** The name under which a dropped robot is kept. */
const KEY = "robot";
/** Steps of the player in a second. */
const RATE = 30;
/** Milliseconds after which a line between two rows is left undecided. */
const PATIENCE = 500;

export class RobotRoom implements Room {
  readonly name = "robot";
  readonly label = "A robot. Control with arrows turns the view, plus and minus zoom; the joints are sliders beside it; Home shows the beginning.";
  readonly hint = "Move the sliders of the joints; pairs in collision are red.\nDrag to turn the view.\nDrop a URDF with its meshes here, an SRDF, obstacles as JSON, or a trajectory as CSV.";
  readonly panel = document.createElement("div");
  private readonly view: RobotView;
  private readonly numbers: RobotPanel;
  private model: RobotModel | undefined;
  private now: RobotState = { source: "icub_hands", robot: "", positions: [], camera: undefined };
  private poses: Pose[] = [];
  private pairs: PairOfBodies[] = [];
  private marked = 0;
  /** The files of a robot that was dropped: the URDF, then what goes with it. */
  private files: StoredFile[] = [];
  /** What of an SRDF file does not fit the robot. */
  private left: string[] = [];
  private path = new Path([]);
  /** The place on the path. */
  private row = 0;
  private readonly leastClearance = new Gradually<number>(
    (clearances) => {
      this.clearances = clearances;
      this.numbers.showCourse(clearances, NEAR);
    },
    (error) => this.host.say(messageOf(error)),
  );
  /** The least signed distance over the path, metres; empty until all are known. */
  private clearances: number[] = [];
  private readonly proving = new Gradually<EdgeProof>((proofs) => {
    this.proofs = proofs;
    this.view.showProofs(proofs);
    this.showPlayer();
  });
  /** What is proven of the lines between the rows; empty until all are judged. */
  private proofs: EdgeProof[] = [];
  private readonly way = new Gradually<PosesAt>((poses) => this.view.showWay(poses));
  private timer = 0;
  /** Where the player goes: 1, or −1 for back. */
  private direction = 1;
  private speed = 1;
  private active = false;
  /** The link that was opened last, until its robot is there. */
  private opening: RobotLink | undefined;
  /** Ends when the files that were dropped last are read. */
  private reading: Promise<void> = Promise.resolve();
  /** Counts the robots that were asked for: an older one that comes late is not shown. */
  private asked = 0;

  constructor(private readonly host: Host) {
    this.view = new RobotView(host.stage);
    this.numbers = new RobotPanel(this.panel, {
      source: (source) => {
        host.quiet();
        void this.load(source);
      },
      files: (files) => host.files(files),
      set: (place, value) => this.set(place, value),
      mark: (pair) => {
        this.marked = pair;
        this.show();
      },
      row: (row) => this.toRow(row),
      play: (direction) => this.play(this.timer === 0 || this.direction !== direction, direction),
      speed: (speed) => {
        this.speed = speed;
        this.showPlayer();
      },
      reset: () => this.reset(),
    });
  }

  enter(): void {
    this.active = true;
    this.ground();
    if (this.opening || !this.model) {
      void this.load(this.opening?.source ?? "icub_hands");
    } else {
      if (this.now.camera) this.host.stage.setCamera(this.now.camera);
      this.show();
    }
  }

  private ground(): void {
    this.host.stage.enter(this.view, { height: this.view.ground(), size: 2.4 });
  }

  leave(): void {
    this.active = false;
    this.play(false);
  }

  reset(): void {
    if (!this.model) return;
    this.play(false);
    this.begin(this.model, this.now.source, undefined);
    if (this.path.last > 0) this.toRow(0);
  }

  /** Forgets the trajectory. */
  private forget(): void {
    this.path = new Path([]);
    this.leastClearance.end();
    this.proving.end();
    this.way.end();
  }

  /** Takes a trajectory, and shows a place on it, if that is given. */
  private follow(rows: number[][], row: number | undefined): void {
    const { model } = this;
    if (!model) return;
    this.forget();
    const path = new Path(rows);
    this.path = path;
    this.row = row ?? 0;
    const places = path.places();
    this.leastClearance.begin(places, (place) => model.clearances(path.at(place), NEAR)[0]?.contact.distance ?? NEAR);
    const lines = rows.length > MOST ? [] : [...rows.keys()].slice(1);
    this.proving.begin(lines, (to) => model.edge(rows[to - 1], rows[to], PATIENCE));
    this.way.begin(places, (place) => ({ place, poses: model.poses(path.at(place)) }));
    if (row === undefined) this.show();
    else this.toRow(row);
  }

  open(parts: Parts): void {
    this.opening = readRobotLink(parts);
    parts.end();
  }

  link(): [string, string | number[]][] {
    return robotLink(this.now, this.path.rows.length > 0 ? this.row : undefined);
  }

  state(): object {
    const { model, poses, row, clearances, proofs } = this;
    const pairs = this.pairs.map(({ a, b, ...others }) => ({ a: model?.nameOf(a), b: model?.nameOf(b), ...others }));
    const [rows, obstacles] = [this.path.rows.length, model?.obstacles.length ?? 0];
    return { room: "robot", ready: model !== undefined, ...this.now, pairs, poses, row, rows, clearances, proofs, obstacles };
  }

  cameraMoved(): void {
    this.now.camera = this.host.stage.getCamera();
  }

  /** Loads a robot that comes with the page, or the file that was kept. */
  private async load(source: Source): Promise<void> {
    const asked = ++this.asked;
    const link = this.opening;
    this.opening = undefined;
    try {
      await this.read(await (source === "file" ? storedFiles(link) : filesOfPage(source)), source, link, asked);
    } catch (error) {
      this.host.say(link ? `This link cannot be opened: ${messageOf(error)}` : messageOf(error));
      if (!this.model && (link || source !== "icub_hands")) await this.load("icub_hands");
    }
  }

  /** Whether the robot has meshes that were not given. */
  lacksMeshes(): boolean {
    return this.active && this.now.source === "file" && (this.model?.parts.unchecked.some((shape) => shape.endsWith(": mesh")) ?? false);
  }

  /** Takes a URDF with the files that were dropped with it, or files for the robot that is shown. */
  robot(files: StoredFile[]): Promise<void> {
    // What comes while others are read goes with these.
    const shown = this.reading.then(() => this.readDropped(files));
    this.reading = shown.catch(() => undefined);
    return shown;
  }

  private async readDropped(files: StoredFile[]): Promise<void> {
    const asked = ++this.asked;
    const [first] = files;
    const all = goesWithRobot(first) ? [...this.files, ...files] : files;
    if (!(await this.read(all, "file", all === files ? undefined : this.asLink("file"), asked))) return;
    this.host.quiet();
    await this.keep();
  }

  /** Returns what is shown as a link. */
  private asLink(source: Source): RobotLink | undefined {
    const { positions, camera } = this.now;
    return camera && { source, name: "", positions, camera, row: this.row };
  }

  /** Keeps the files of a dropped robot for a reload. */
  private async keep(): Promise<void> {
    if (!(await store(KEY, this.files))) this.host.say("The robot is shown, but the browser does not keep it for a reload.");
  }

  /** Takes an SRDF file, obstacles or a trajectory for the robot that is shown. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    const { source } = this.now;
    if (!this.model) throw new Error(`${isObstacles(bytes) ? "obstacles need" : "a trajectory needs"} a robot`);
    if (goesWithRobot({ name, bytes })) {
      if (source === "file") return this.robot([{ name, bytes }]);
      if (await this.read([...this.files, { name, bytes }], source, this.asLink(source), ++this.asked)) this.host.quiet();
      return;
    }
    const rows = readTrajectory(textOf(bytes), this.model.parts, this.model.parts.neutral);
    this.configured(rows[0]);
    this.files = [...this.files.filter((file) => !isTrajectory(file.name)), { name: isTrajectory(name) ? name : `${name}.csv`, bytes }];
    this.follow(rows, 0);
    this.host.quiet();
    if (source === "file") await this.keep();
  }

  /** Shows the robot of files, if no other was asked for meanwhile; returns whether it was shown. */
  private async read(files: StoredFile[], source: Source, link: RobotLink | undefined, asked: number): Promise<boolean> {
    const [urdf, ...others] = files;
    const text = textOf(urdf.bytes);
    const meshes = await readMeshes(others.filter(({ name }) => isMesh(name)));
    if (asked !== this.asked) return false;
    const model = new RobotModel(text, meshes);
    let rows: number[][] = [];
    try {
      const settings = others.filter(({ name }) => isSrdf(name));
      this.left = settings.flatMap(({ bytes }) => model.applySrdf(textOf(bytes)));
      for (const { name, bytes } of others.filter((file) => isObstacles(file.bytes))) model.obstacles.push(...named(name, () => model.addObstacles(textOf(bytes))));
      const path = others.find(({ name }) => isTrajectory(name));
      if (path) rows = readTrajectory(textOf(path.bytes), model.parts, model.parts.neutral);
      // Wrong positions of a link are told before anything changes.
      model.poses(link?.positions?.length ? link.positions : model.parts.neutral);
    } catch (error) {
      model.free();
      throw error;
    }
    this.model?.free();
    this.model = model;
    this.files = files;
    this.forget();
    this.play(false);
    this.view.build(model.parts, model.obstacles, (index) => model.mesh(index));
    this.numbers.build({ ...model.parts, warnings: [...this.left, ...model.parts.warnings] }, model.obstacles.length);
    this.begin(model, source, link);
    if (rows.length > 0) this.follow(rows, placeOf(link, new Path(rows)));
    return true;
  }

  private begin(model: RobotModel, source: Source, link: RobotLink | undefined): void {
    const positions = link?.positions?.length ? link.positions : model.parts.neutral;
    this.now = { source, robot: model.parts.name, positions: [...positions], camera: link?.camera };
    this.marked = 0;
    this.configured(this.now.positions);
    this.view.show(this.poses, this.pairs, this.marked);
    if (this.active) {
      this.ground();
      const camera = link?.camera ?? this.view.overview();
      this.host.stage.setCamera(camera);
      this.now.camera = camera;
      this.show();
    }
  }

  /** Computes poses and pairs of a configuration; an exception tells why not, and everything stays as it was. */
  private configured(positions: number[]): void {
    if (!this.model) return;
    const poses = this.model.poses(positions);
    this.pairs = this.model.clearances(positions, NEAR);
    this.poses = poses;
    this.now.positions = positions;
  }

  private set(place: number, value: number): void {
    const positions = [...this.now.positions];
    positions[place] = value;
    this.take(positions);
  }

  private take(positions: number[]): void {
    try {
      this.configured(positions);
      this.host.quiet();
    } catch (error) {
      this.play(false);
      this.host.say(messageOf(error));
    }
    this.show();
  }

  private toRow(row: number): void {
    this.row = row;
    this.take(this.path.at(row));
  }

  private play(on: boolean, direction = this.direction): void {
    clearInterval(this.timer);
    [this.timer, this.direction] = [0, direction];
    const [first, last] = direction > 0 ? [0, this.path.last] : [this.path.last, 0];
    if (on && this.path.last > 0) {
      if (this.row === last) this.toRow(first);
      this.timer = window.setInterval(() => {
        if (this.row !== last) this.toRow(this.path.moved(this.row, direction * this.speed));
        else this.play(false);
      }, 1000 / RATE);
    }
    this.showPlayer();
  }

  private showPlayer(): void {
    const { path, row, proofs, speed, model } = this;
    const playing = this.timer === 0 ? 0 : this.direction;
    this.numbers.showTrajectory({ path, row, playing, speed, proofs, nameOf: (body) => model?.nameOf(body) ?? "" });
  }

  show(): void {
    if (!this.active || !this.model) return;
    this.marked = Math.min(this.marked, Math.max(this.pairs.length - 1, 0));
    this.view.show(this.poses, this.pairs, this.marked);
    this.numbers.show(this.now.source, this.model, this.now.positions, this.pairs, this.marked);
    this.showPlayer();
    this.host.headline(this.headline());
    this.host.changed();
  }

  private headline(): Headline {
    const colliding = this.pairs.filter(({ status }) => status !== "free").length;
    const unchecked = this.model?.parts.unchecked.length ?? 0;
    const detail = unchecked > 0 ? `not checked: ${unchecked === 1 ? "1 shape" : `${unchecked} shapes`}` : "";
    if (colliding > 0) {
      const pairs = colliding === 1 ? "1 pair" : `${colliding} pairs`;
      return { kind: "overlap", value: pairs, word: "in collision", detail };
    }
    const [closest] = this.pairs;
    const kind = unchecked > 0 ? "" : "apart";
    if (!closest) return { kind, value: `over ${NEAR * 1000} mm`, word: "apart", detail };
    return { kind, value: `${(closest.contact.distance * 1000).toFixed(3)} mm`, word: "is the least clearance", detail };
  }
}

/** Returns the files of a robot that comes with the page. */
function filesOfPage(source: Exclude<Source, "file">): Promise<StoredFile[]> {
  const { urdf, trajectory } = FILES[source];
  const fetched = async (name: string, url: string) => ({ name, bytes: await bytesAt(url) });
  return Promise.all([fetched("robot.urdf", urdf), ...(trajectory === undefined ? [] : [fetched("path.csv", trajectory)])]);
}

/** Returns the place of a link on a path; the beginning without a link, and none if it is not on the path. */
function placeOf(link: RobotLink | undefined, path: Path): number | undefined {
  if (!link?.positions?.length) return 0;
  const { positions, row } = link;
  const is = (place: number) => path.at(place).every((x, k) => x === positions[k]);
  return row !== undefined && row >= 0 && row <= path.last && is(row) ? row : undefined;
}

/** Puts the name of a file before the message of an exception. */
function named<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`);
  }
}

async function storedFiles(link: RobotLink | undefined): Promise<StoredFile[]> {
  const files = await stored(KEY);
  if (!files?.length) throw new Error(`it needs the file of the robot ${link?.name ?? ""}; drop it here`);
  return files;
}

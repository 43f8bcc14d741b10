// The room of robots: a URDF file, its joints, its closest pairs, and a trajectory.
import { RobotModel, type PairOfBodies, type Pose } from "./core";
import { LeastClearance } from "./least_clearance";
import { bytesAt, isMesh, isSrdf, textOf } from "./files";
import { store, stored, type StoredFile } from "./storage";
import type { Parts } from "./link";
import { readMeshes } from "./read_meshes";
import { RobotPanel } from "./robot_panel";
import { FILES, readRobotLink, robotLink, type RobotLink, type RobotState, type Source } from "./robot_state";
import { RobotView } from "./robot_view";
import { messageOf, type Headline, type Host, type Room } from "./room";
import { readTrajectory } from "./trajectory";

/** Pairs that are farther apart, in metres, are not listed. */
const NEAR = 0.05;
/** The name under which a dropped robot is kept. */
const KEY = "robot";
/** Rows of a trajectory in a second. */
const RATE = 30;

export class RobotRoom implements Room {
  readonly name = "robot";
  readonly label = "A robot. Control with arrows turns the view, plus and minus zoom; the joints are sliders beside it; Home shows the beginning.";
  readonly hint = "Move the sliders of the joints; pairs in collision are red.\nDrag to turn the view.\nDrop a URDF with its meshes here, an SRDF, or a trajectory as CSV.";
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
  private rows: number[][] = [];
  private row = 0;
  private readonly leastClearance = new LeastClearance((clearances) => {
    this.clearances = clearances;
    this.numbers.showCourse(clearances, NEAR);
  });
  /** The least signed distance over the rows, metres; empty until all are known. */
  private clearances: number[] = [];
  private timer = 0;
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
      play: () => this.play(this.timer === 0),
      reset: () => this.reset(),
    });
  }

  enter(): void {
    this.active = true;
    this.host.stage.enter(this.view, { height: -0.3, size: 2.4 });
    if (this.opening || !this.model) {
      void this.load(this.opening?.source ?? "icub_hands");
    } else {
      if (this.now.camera) this.host.stage.setCamera(this.now.camera);
      this.show();
    }
  }

  leave(): void {
    this.active = false;
    this.play(false);
  }

  reset(): void {
    if (!this.model) return;
    this.play(false);
    if (this.rows.length > 0 && this.comesWithRows()) {
      this.begin(this.model, this.now.source, undefined);
      this.toRow(0);
      return;
    }
    this.forget();
    this.begin(this.model, this.now.source, undefined);
  }

  /** Whether the page brings the trajectory of the robot. */
  private comesWithRows(): boolean {
    const { source } = this.now;
    return source !== "file" && FILES[source].trajectory !== undefined;
  }

  /** Forgets the trajectory. */
  private forget(): void {
    this.rows = [];
    this.leastClearance.end();
  }

  /** Takes a trajectory; `row` is where it is shown. */
  private follow(rows: number[][], row: number): void {
    this.rows = rows;
    if (this.model) this.leastClearance.begin(this.model, rows, NEAR);
    this.toRow(row);
  }

  open(parts: Parts): void {
    this.opening = readRobotLink(parts);
    parts.end();
  }

  link(): [string, string | number[]][] {
    return robotLink(this.now);
  }

  state(): object {
    const bodies = this.model?.parts.bodies ?? [];
    const links = this.model?.parts.links ?? [];
    const link = (body: number) => links[bodies[body].link];
    const pairs = this.pairs.map(({ a, b, ...others }) => ({ a: link(a), b: link(b), ...others }));
    const { positions, ...others } = this.now;
    return { room: "robot", ready: this.model !== undefined, ...others, positions, pairs, poses: this.poses, row: this.row, rows: this.rows.length, clearances: this.clearances };
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
      if (source === "file") {
        await this.read(await storedFiles(link), source, link, asked);
        return;
      }
      const { urdf, trajectory } = FILES[source];
      const [robot, path] = await Promise.all([fetched(urdf), trajectory === undefined ? undefined : fetched(trajectory)]);
      if (!(await this.read([robot], source, link, asked)) || !path || !this.model) return;
      const rows = readTrajectory(textOf(path.bytes), this.model.parts, this.model.parts.neutral);
      const same = ({ positions }: RobotState, row: number[]) => row.every((position, place) => position === positions[place]);
      // A link may be of any row, or of no row at all.
      const linked = link?.positions?.length ? rows.findIndex((row) => same(this.now, row)) : 0;
      if (linked >= 0) return this.follow(rows, linked);
      this.rows = rows;
      this.row = 0;
      this.leastClearance.begin(this.model, rows, NEAR);
      this.show();
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
    const all = isMesh(first.name) || isSrdf(first.name) ? [...this.files, ...files] : files;
    const { positions, camera } = this.now;
    const link = all === files || !camera ? undefined : { source: "file" as const, name: "", positions, camera };
    if (!(await this.read(all, "file", link, asked))) return;
    this.host.quiet();
    if (!(await store(KEY, all))) this.host.say("The robot is shown, but the browser does not keep it for a reload.");
  }

  /** Takes an SRDF file or a trajectory for the robot that is shown. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    const text = textOf(bytes);
    if (isSrdf(name) && this.model) {
      if (this.now.source === "file") return this.robot([{ name, bytes }]);
      const { rows, row } = this;
      if (!(await this.read([...this.files, { name, bytes }], this.now.source, undefined, ++this.asked))) return;
      this.host.quiet();
      // The robot is the same, and so is its trajectory.
      if (rows.length > 0) this.follow(rows, row);
      return;
    }
    if (!this.model) throw new Error("a trajectory needs a robot");
    const rows = readTrajectory(text, this.model.parts, this.model.parts.neutral);
    this.configured(rows[0]);
    this.follow(rows, 0);
    this.host.quiet();
  }

  /** Shows the robot of files, if no other was asked for meanwhile; returns whether it was shown. */
  private async read(files: StoredFile[], source: Source, link: RobotLink | undefined, asked: number): Promise<boolean> {
    const [urdf, ...others] = files;
    const text = textOf(urdf.bytes);
    const meshes = await readMeshes(others.filter(({ name }) => isMesh(name)));
    if (asked !== this.asked) return false;
    const model = new RobotModel(text, meshes);
    try {
      const settings = others.filter(({ name }) => isSrdf(name));
      this.left = settings.flatMap(({ bytes }) => model.applySrdf(textOf(bytes)));
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
    this.view.build(model.parts, (index) => model.mesh(index));
    this.numbers.build({ ...model.parts, warnings: [...this.left, ...model.parts.warnings] });
    this.begin(model, source, link);
    return true;
  }

  private begin(model: RobotModel, source: Source, link: RobotLink | undefined): void {
    const positions = link?.positions?.length ? link.positions : model.parts.neutral;
    this.now = { source, robot: model.parts.name, positions: [...positions], camera: link?.camera };
    this.marked = 0;
    this.configured(this.now.positions);
    this.view.show(this.poses, this.pairs, this.marked);
    if (this.active) {
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
    this.take([...this.rows[row]]);
  }

  private play(on: boolean): void {
    clearInterval(this.timer);
    this.timer = 0;
    if (on && this.rows.length > 0) {
      if (this.row === this.rows.length - 1) this.row = -1;
      this.timer = window.setInterval(() => {
        if (this.row < this.rows.length - 1) this.toRow(this.row + 1);
        else this.play(false);
      }, 1000 / RATE);
    }
    this.numbers.showTrajectory(this.rows.length, Math.max(this.row, 0), this.timer !== 0);
  }

  show(): void {
    if (!this.active || !this.model) return;
    this.marked = Math.min(this.marked, Math.max(this.pairs.length - 1, 0));
    this.view.show(this.poses, this.pairs, this.marked);
    this.numbers.show(this.now.source, this.model.parts, this.now.positions, this.pairs, this.marked);
    this.numbers.showTrajectory(this.rows.length, Math.max(this.row, 0), this.timer !== 0);
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

/** Returns a file of a robot that comes with the page. */
async function fetched(url: string): Promise<StoredFile> {
  return { name: "robot.urdf", bytes: await bytesAt(url) };
}

async function storedFiles(link: RobotLink | undefined): Promise<StoredFile[]> {
  const files = await stored(KEY);
  if (!files?.length) throw new Error(`it needs the file of the robot ${link?.name ?? ""}; drop it here`);
  return files;
}

// The room of simulations: live, or recorded. What is computed is computed in a worker.
import type { Energy, Moment } from "./core";
import { isRecording, textOf } from "./files";
import { store, stored, type StoredFile } from "./storage";
import { pulling, type Grip } from "./pulling";
import { messageOf, type Host, type Room } from "./room";
import { Running } from "./running";
import { readSimulationLink, simulationLink, FILE, type SimulationLink } from "./simulation_link";
import { SimulationPanel } from "./simulation_panel";
import type { Advanced, Origin } from "./simulation_runner";
import { SimulationView } from "./simulation_view";
import type { Camera } from "./stage";
import type { Parts } from "./link";
import { Vector3 } from "three";

const FIRST = "bumps";
/** The name under which a dropped scene or recording is kept. */
const KEY = "simulation";
/** Milliseconds of computing between two pictures; what does not fit makes slow motion. */
const BUDGET = 24;
/** The frames of the curve. */
const CURVE = 600;
/** Milliseconds of playing that are caught up with at most, where the page was busy or hidden. */
const LONGEST_WAIT = 250;

export class SimulationRoom implements Room {
  readonly name = "simulate";
  readonly label = "A simulation. P takes hold of what is in the middle, arrows and Page keys pull it, Escape lets go; Control with arrows turns the view.";
  readonly hint = "Pull the cloth or a body.\nDrag beside it to turn the view.\nDrop a scene (JSON) or a recording here.";
  readonly panel = document.createElement("div");
  private readonly view: SimulationView;
  private readonly numbers: SimulationPanel;
  private running: Running | undefined;
  private moment: Moment | undefined;
  private frame = 0;
  /** The name of the ready scene, or `file`. */
  private scene = FIRST;
  /** What begins the scene anew. */
  private origin: Origin = { ready: FIRST };
  private camera: Camera | undefined;
  private active = false;
  private playing = false;
  private speed = 1;
  private cost = 0;
  private late = 1;
  private energies: Energy[] = [];
  private depths: number[] = [];
  /** What is pulled, and where to. */
  private grip: Grip | undefined;
  private target = new Vector3();
  /** Whether something was pulled since the start: then the number of the frame does not tell the state. */
  private pulled = false;
  private wasm = 0;
  /** What the worker is asked one after another. */
  private queue: Promise<void> = Promise.resolve();
  /** Counts what was begun, and what was played: of an older one nothing is shown. */
  private begun = 0;
  private played = 0;
  /** Ends when the scene that was chosen last is there, or was refused. */
  private beginning: Promise<void> = Promise.resolve();
  /** The link that was opened last, until its scene is there. */
  private opening: SimulationLink | undefined;
  /** The frame that the slider asked for last. */
  private wanted = 0;

  constructor(private readonly host: Host) {
    this.view = new SimulationView(host.stage);
    this.numbers = new SimulationPanel(this.panel, {
      ready: (name) => {
        host.quiet();
        this.begin(name, { ready: name }, undefined, true);
      },
      files: (files) => host.files(files),
      play: () => this.play(!this.playing),
      step: () => this.step(),
      again: () => this.reset(),
      speed: (speed) => {
        this.speed = speed;
        this.show();
      },
      frame: (frame) => this.toFrame(frame),
      contacts: (drawn) => this.view.drawContacts(drawn),
    });
    pulling(host.stage, {
      active: () => this.active && this.running !== undefined && !this.running.recorded,
      pick: (x, y) => this.view.pick(x, y),
      pull: (grip, target) => this.pull(grip, target),
      release: () => this.release(),
    });
  }

  enter(): void {
    this.active = true;
    this.host.stage.enter(this.view);
    // The room shows itself: it runs, unless the reader wants no motion.
    const plays = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.opening) {
      void this.follow(this.opening, plays);
    } else if (!this.running) {
      this.begin(this.scene, this.origin, this.camera, plays);
    } else {
      this.look(this.camera);
      this.show();
      this.play(plays);
    }
  }

  leave(): void {
    this.release();
    this.play(false);
    this.active = false;
  }

  reset(): void {
    this.begin(this.scene, this.origin, this.camera, false);
  }

  open(parts: Parts): void {
    const link = readSimulationLink(parts, FIRST);
    parts.end();
    this.opening = link;
  }

  link(): [string, string | number[]][] {
    const { scene } = this;
    const frame = this.pulled ? 0 : this.frame;
    return simulationLink(this.opening ?? { scene, frame, camera: this.camera ?? this.host.stage.getCamera() });
  }

  state(): object {
    const { scene, frame, playing, speed, late, wasm, moment, camera } = this;
    const frames = this.running?.begun.frames ?? 0;
    const cloths = moment?.cloths.map((cloth) => Array.from(cloth)) ?? [];
    const { energies, depths, grip } = this;
    return { room: "simulate", ready: this.running !== undefined, scene, frame, frames, playing, speed, late, wasm, camera, time: moment?.time ?? 0, energies, depths, pulling: grip !== undefined, bodies: Array.from(moment?.bodies ?? []), cloths, contacts: Array.from(moment?.contacts ?? []), marks: this.view.marks };
  }

  cameraMoved(): void {
    this.camera = this.host.stage.getCamera();
  }

  /** Begins what a link tells, and goes to its frame. */
  private async follow(link: SimulationLink, plays: boolean): Promise<void> {
    this.opening = undefined;
    try {
      const origin = link.scene === FILE ? originOf(await storedFile()) : { ready: link.scene };
      if (!(await this.tryBegin(link.scene, origin, link.camera))) return;
      const most = this.running?.begun.frames ?? 0;
      if (this.running?.recorded) this.toFrame(Math.min(link.frame, most - 1));
      else if (link.frame > 0) this.runTo(link.frame);
      else this.play(plays);
    } catch (error) {
      this.host.say(`This link cannot be opened: ${messageOf(error)}`);
      if (!this.running) this.begin(FIRST, { ready: FIRST }, undefined, false);
    }
  }

  /** Takes the bytes of a scene or a recording. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    this.opening = undefined;
    const file = { name, bytes };
    if (!(await this.tryBegin(FILE, originOf(file), undefined))) return;
    this.host.quiet();
    this.play(true);
    if (!(await store(KEY, [file]))) this.host.say("The file is shown, but the browser does not keep it for a reload.");
  }

  /** Begins a scene; where that fails everything stays as it was. */
  private begin(scene: string, origin: Origin, camera: Camera | undefined, plays: boolean): void {
    this.beginning = this.tryBegin(scene, origin, camera).then(
      (begun) => {
        if (begun) this.play(plays);
      },
      (error: unknown) => this.host.say(messageOf(error)),
    );
  }

  /** Advances by one frame, and pauses; a scene that is about to begin advances, not the one that it takes the place of. */
  private step(): void {
    this.play(false);
    void this.beginning.then(() => {
      this.play(false);
      this.ask(() => this.advance(1, 0));
    });
  }

  /** Begins a scene; returns whether it is still what is asked for. */
  private async tryBegin(scene: string, origin: Origin, camera: Camera | undefined): Promise<boolean> {
    const begun = ++this.begun;
    let next: Running;
    try {
      next = await Running.begin(origin);
    } catch (error) {
      if (begun === this.begun && !this.running && scene !== FIRST) this.begin(FIRST, { ready: FIRST }, undefined, false);
      throw error;
    }
    if (begun !== this.begun) {
      next.end();
      return false;
    }
    this.play(false);
    this.running?.end();
    [this.running, this.scene, this.origin] = [next, scene, origin];
    this.queue = Promise.resolve();
    [this.energies, this.depths] = [[], []];
    [this.grip, this.pulled] = [undefined, false];
    this.view.showPull(undefined, this.target);
    [this.cost, this.late, this.frame, this.wanted] = [0, 1, 0, 0];
    this.moment = next.begun.moment;
    this.view.build(next.begun.scene, this.moment);
    this.camera = camera;
    if (this.active) {
      this.look(camera);
      this.show();
    }
    return true;
  }

  private look(camera: Camera | undefined): void {
    const { stage } = this.host;
    const wanted = camera ?? this.view.overview();
    stage.shade(this.view.around());
    stage.setCamera(wanted);
    // Not what rounding has made of it: a link stays as it is.
    this.camera = wanted;
  }

  /** Lets the worker do something when it has done what it was asked before. */
  private ask(what: () => Promise<unknown>): void {
    const { running } = this;
    this.queue = this.queue.then(async () => {
      if (running !== this.running) return;
      try {
        await what();
      } catch (error) {
        this.play(false);
        this.host.say(messageOf(error));
      }
    });
  }

  private toFrame(frame: number): void {
    this.wanted = frame;
    this.play(false);
    this.ask(() => this.showFrame(this.wanted));
  }

  /** Shows a frame of the recording. */
  private async showFrame(frame: number): Promise<void> {
    const { running } = this;
    if (!running?.recorded || frame === this.frame) return;
    const moment = await running.frame(frame);
    if (running !== this.running) return;
    this.frame = frame;
    this.moment = moment;
    this.view.show(moment);
    this.show();
  }

  /** Advances by up to as many frames, as there is time for; returns how many, and 0 at the end. */
  private async advance(frames: number, budget: number): Promise<number> {
    const { running } = this;
    if (!running) return 0;
    if (running.recorded) {
      const next = Math.min(this.frame + frames, running.begun.frames - 1);
      const passed = next - this.frame;
      this.wanted = next;
      await this.showFrame(next);
      return passed;
    }
    const done = await running.advance(frames, budget);
    if (running === this.running) this.take(done);
    return done.energies.length;
  }

  /** Pulls something; a scene that stands still begins to move. */
  private pull(grip: Grip, target: Vector3): void {
    [this.grip, this.target, this.pulled] = [grip, target, true];
    this.view.showPull(grip, target);
    this.running?.pull({ ...grip, target: target.toArray() }).catch((error: unknown) => {
      this.grip = undefined;
      this.view.showPull(undefined, target);
      this.host.say(messageOf(error));
    });
    if (!this.playing) this.play(true);
  }

  private release(): void {
    if (!this.grip) return;
    this.grip = undefined;
    this.view.showPull(undefined, this.target);
    void this.running?.pull(undefined);
  }

  private take({ moment, energies, penetration, cost, stopped, wasm }: Advanced): void {
    this.moment = moment;
    this.frame += energies.length;
    this.cost = this.cost === 0 ? cost : 0.95 * this.cost + 0.05 * cost;
    this.wasm = wasm;
    this.energies = [...this.energies, ...energies].slice(-CURVE);
    if (penetration !== undefined) this.depths = [...this.depths, penetration].slice(-CURVE);
    this.view.show(moment);
    if (this.grip) this.view.showPull(this.grip, this.target);
    this.show();
    if (stopped !== undefined) this.host.say(`The simulation has stopped: ${stopped}`);
  }

  private play(on: boolean): void {
    this.played++;
    this.playing = on && this.running !== undefined;
    if (this.playing) void this.keepPlaying(this.played);
    this.show();
  }

  /** Plays until something else is asked for: as many frames as the time since the last picture asks for, or as there is time for. */
  private async keepPlaying(played: number): Promise<void> {
    await this.queue;
    let last = performance.now();
    let owed = 0;
    while (played === this.played && this.running) {
      const now = await nextPicture();
      if (played !== this.played) return;
      const length = this.running.begun.scene.frame;
      owed += (Math.min(Math.max(now - last, 0), LONGEST_WAIT) / 1000) * this.speed;
      last = now;
      const frames = Math.floor(owed / length);
      if (frames === 0) continue;
      const advanced = this.advance(frames, BUDGET);
      this.queue = advanced.then(
        () => undefined,
        () => undefined,
      );
      let done = 0;
      try {
        done = await advanced;
      } catch (error) {
        this.host.say(messageOf(error));
      }
      // What there was no time for is left out: slow motion, never fewer substeps.
      owed %= length;
      this.late = 0.9 * this.late + 0.1 * (frames / Math.max(done, 1));
      if (done === 0 && played === this.played) this.play(false);
    }
  }

  /** Advances a simulation to a frame, as fast as it can, until something else is asked for. */
  private runTo(frame: number): void {
    const played = ++this.played;
    const on = async () => {
      if (played !== this.played || this.frame >= frame) return;
      const done = await this.advance(frame - this.frame, BUDGET);
      if (done > 0) this.ask(on);
    };
    this.ask(on);
  }

  show(): void {
    if (!this.active || !this.running || !this.moment) return;
    const { playing, speed, cost, late, frame, wanted } = this;
    const { scene, frames } = this.running.begun;
    const { time } = this.moment;
    const ready = this.scene === FILE ? "" : this.scene;
    this.numbers.show({ ready, title: scene.name, frame, wanted, time, playing, speed, frames, cost, late });
    this.numbers.showCurves(this.energies, this.depths);
    this.host.headline({ kind: "", value: `${time.toFixed(2)} s`, word: "", detail: scene.name });
    this.host.changed();
  }
}

function nextPicture(): Promise<number> {
  return new Promise((done) => requestAnimationFrame(done));
}

function originOf({ bytes }: StoredFile): Origin {
  return isRecording(bytes) ? { recording: bytes } : { json: textOf(bytes) };
}

async function storedFile(): Promise<StoredFile> {
  const [file] = (await stored(KEY)) ?? [];
  if (!file) throw new Error("it needs the file of the scene; drop it here");
  return file;
}

// The room of simulations: live, or recorded.
import { Recording, Simulation, type Moment } from "./core";
import { isRecording, keep, kept, textOf } from "./files";
import type { Parts } from "./link";
import { messageOf, type Host, type Room } from "./room";
import { SimulationPanel } from "./simulation_panel";
import { SimulationView } from "./simulation_view";
import type { Camera } from "./stage";

const FIRST = "bumps";
const FILE = "file";
/** The name under which a dropped scene is kept. */
const KEY = "scene";
/** Milliseconds of computing between two pictures; what does not fit makes slow motion. */
const BUDGET = 24;
/** The frames of the curve. */
const CURVE = 600;

type Source = { live: Simulation; frame: number } | { recording: Recording; frame: number };

export class SimulationRoom implements Room {
  readonly name = "simulate";
  readonly hint = "Drop a scene (JSON) or a recording here.";
  readonly panel = document.createElement("div");
  private readonly view: SimulationView;
  private readonly numbers: SimulationPanel;
  private source: Source | undefined;
  private moment: Moment | undefined;
  /** The name of the ready scene, or `file`. */
  private scene = FIRST;
  /** Begins the scene anew. */
  private restart: () => Source = () => ready(FIRST);
  private camera: Camera | undefined;
  private active = false;
  private playing = false;
  private speed = 1;
  private due = 0;
  private last = 0;
  private owed = 0;
  private cost = 0;
  private late = 1;
  private energies: number[] = [];

  constructor(private readonly host: Host) {
    this.view = new SimulationView(host.stage);
    this.numbers = new SimulationPanel(this.panel, {
      ready: (name) => {
        host.quiet();
        this.begin(name, () => ready(name), undefined);
        this.play(true);
      },
      files: (files) => host.files(files),
      play: () => this.play(!this.playing),
      step: () => {
        this.play(false);
        this.advance();
        this.show();
      },
      again: () => this.reset(),
      speed: (speed) => {
        this.speed = speed;
        this.show();
      },
      frame: (frame) => this.toFrame(frame),
    });
  }

  enter(): void {
    this.active = true;
    this.host.stage.enter(this.view, { height: -60, size: 1 });
    if (!this.source) this.begin(this.scene, this.restart, this.camera);
    else this.look(this.camera);
    this.show();
    // The room shows itself: it runs, unless the reader wants no motion.
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
  }

  leave(): void {
    this.play(false);
    this.active = false;
  }

  reset(): void {
    this.play(false);
    this.begin(this.scene, this.restart, this.camera);
  }

  open(parts: Parts): void {
    const name = parts.text("scene") ?? FIRST;
    const numbers = parts.numbers("camera", 6);
    parts.end();
    const camera = { position: numbers.slice(0, 3), target: numbers.slice(3) };
    let restart = () => ready(name);
    if (name === FILE) {
      const json = kept(KEY);
      if (json === undefined) throw new Error("it needs the file of the scene; drop it here");
      restart = () => ({ live: new Simulation({ json }), frame: 0 });
    }
    this.begin(name, restart, camera);
  }

  link(): [string, string | number[]][] {
    const entries: [string, string | number[]][] = [["room", "simulate"], ["scene", this.scene]];
    if (this.camera) entries.push(["camera", [...this.camera.position, ...this.camera.target]]);
    return entries;
  }

  cameraMoved(): void {
    this.camera = this.host.stage.getCamera();
  }

  state(): object {
    const { scene, playing, speed, camera } = this;
    const bodies = Array.from(this.moment?.bodies ?? []);
    const cloths = (this.moment?.cloths ?? []).map((cloth) => Array.from(cloth));
    const frame = this.source?.frame ?? 0;
    return { room: "simulate", scene, playing, speed, camera, frame, frames: this.frames(), time: this.moment?.time ?? 0, bodies, cloths };
  }

  /** Takes a file: a recording, or the JSON of a scene. */
  file(bytes: Uint8Array): void {
    if (isRecording(bytes)) {
      this.begin(FILE, () => ({ recording: new Recording(bytes), frame: 0 }), undefined);
      this.host.quiet();
    } else {
      const json = textOf(bytes);
      this.begin(FILE, () => ({ live: new Simulation({ json }), frame: 0 }), undefined);
      this.host.quiet();
      if (!keep(KEY, json)) this.host.say("The scene is shown, but it is too large to be there after a reload.");
    }
    this.play(true);
  }

  /** Begins a scene; an exception tells why not, and everything stays as it was. */
  private begin(scene: string, restart: () => Source, camera: Camera | undefined): void {
    const source = restart();
    this.free();
    [this.source, this.scene, this.restart] = [source, scene, restart];
    this.energies = [];
    [this.cost, this.late, this.owed] = [0, 1, 0];
    this.view.build("live" in source ? source.live.parts : source.recording.parts);
    this.refresh();
    this.camera = camera;
    if (this.active) {
      this.look(camera);
      this.show();
    }
  }

  private look(camera: Camera | undefined): void {
    const wanted = camera ?? this.view.overview();
    this.host.stage.setCamera(wanted);
    // Not what rounding has made of it: a link stays as it is.
    this.camera = wanted;
  }

  private free(): void {
    if (!this.source) return;
    if ("live" in this.source) this.source.live.free();
    else this.source.recording.free();
    this.source = undefined;
  }

  private frames(): number {
    return this.source && "recording" in this.source ? this.source.recording.count : 0;
  }

  /** Takes what moves from the simulation or the recording to the picture. */
  private refresh(): void {
    if (!this.source) return;
    this.moment = "live" in this.source ? this.source.live.moment() : this.source.recording.moment(this.source.frame);
    this.view.show(this.moment);
  }

  private toFrame(frame: number): void {
    if (!this.source || !("recording" in this.source)) return;
    this.play(false);
    this.source.frame = frame;
    this.refresh();
    this.show();
  }

  /** Advances by a frame; returns whether there is more. */
  private advance(): boolean {
    const { source } = this;
    if (!source) return false;
    if ("recording" in source) {
      if (source.frame >= source.recording.count - 1) return false;
      source.frame++;
      this.refresh();
      return true;
    }
    const start = performance.now();
    try {
      source.live.step();
    } catch (error) {
      this.host.say(`The simulation has stopped: ${messageOf(error)}`);
      return false;
    }
    const cost = performance.now() - start;
    this.cost = this.cost === 0 ? cost : 0.95 * this.cost + 0.05 * cost;
    source.frame++;
    this.energies.push(source.live.kineticEnergy());
    if (this.energies.length > CURVE) this.energies.shift();
    this.refresh();
    return true;
  }

  private play(on: boolean): void {
    cancelAnimationFrame(this.due);
    this.playing = on && this.source !== undefined;
    this.last = performance.now();
    this.owed = 0;
    if (this.playing) this.due = requestAnimationFrame((now) => this.tick(now));
    this.show();
  }

  /** Advances by as many frames as the time since the last picture asks for, or as there is time for. */
  private tick(now: number): void {
    if (!this.source) return;
    const parts = "live" in this.source ? this.source.live.parts : this.source.recording.parts;
    const passed = Math.min(Math.max(now - this.last, 0), 250);
    this.last = now;
    this.owed += (passed / 1000) * this.speed;
    const asked = this.owed;
    const start = performance.now();
    let more = true;
    while (more && this.owed >= parts.frame && performance.now() - start < BUDGET) {
      more = this.advance();
      this.owed -= parts.frame;
    }
    // What there was no time for is left out: slow motion, never fewer substeps.
    const left = this.owed >= parts.frame ? this.owed - (this.owed % parts.frame) : 0;
    this.owed -= left;
    const late = asked > left ? asked / (asked - left) : 1;
    this.late = 0.9 * this.late + 0.1 * late;
    if (!more) this.playing = false;
    this.show();
    if (this.playing) this.due = requestAnimationFrame((next) => this.tick(next));
  }

  show(): void {
    if (!this.active || !this.source || !this.moment) return;
    const parts = "live" in this.source ? this.source.live.parts : this.source.recording.parts;
    const { playing, speed, cost, late } = this;
    const { frame } = this.source;
    const { time } = this.moment;
    const name = this.scene === FILE ? "" : this.scene;
    this.numbers.show({ ready: name, title: parts.name, frame, time, playing, speed, frames: this.frames(), cost, late });
    this.numbers.showEnergy(this.energies);
    this.host.headline({ kind: "", value: `${time.toFixed(2)} s`, word: "", detail: parts.name });
    this.host.changed();
  }
}

function ready(name: string): Source {
  return { live: new Simulation({ ready: name }), frame: 0 };
}

// The figure as bodies that fall and are pulled. It works on a scene of its own, so that nothing of the figure changes.
import type { Vector3 } from "three";
import { Simulation } from "./core";
import { pulling, type Grip } from "./pulling";
import { messageOf } from "./room";
import { drawn } from "./scene_drawing";
import { SimulationView } from "./simulation_view";
import type { Stage } from "./stage";

/** Milliseconds of computing in a picture; what does not fit makes slow motion. */
const BUDGET = 24;
/** Frames of a picture at most. */
const MOST_FRAMES = 3;

export class SketchPhysics {
  readonly view: SimulationView;
  private simulation: Simulation | undefined;
  /** The time of a frame, seconds. */
  private frame = 0;
  private grip: { grip: Grip; target: Vector3 } | undefined;
  private due = 0;
  private last = 0;
  private ahead = 0;

  /** `stopped` is told why a simulation cannot go on. */
  constructor(
    stage: Stage,
    active: () => boolean,
    private readonly stopped: (why: string) => void,
  ) {
    this.view = new SimulationView(stage);
    pulling(stage, {
      active: () => active() && this.on,
      pick: (x, y) => this.view.pick(x, y),
      pull: (grip, target) => {
        this.grip = { grip, target };
        this.pull();
      },
      release: () => this.release(),
    });
  }

  get on(): boolean {
    return this.simulation !== undefined;
  }

  /** Begins with a scene; an exception tells what is wrong with it, and nothing changes. */
  begin(json: string): void {
    const simulation = new Simulation({ json });
    this.end();
    this.simulation = simulation;
    const scene = drawn(simulation.parts());
    this.frame = scene.frame;
    this.view.build(scene, simulation.moment());
    this.ahead = 0;
    this.last = performance.now();
    this.due = requestAnimationFrame((time) => this.picture(time));
  }

  end(): void {
    cancelAnimationFrame(this.due);
    this.release();
    this.simulation?.free();
    this.simulation = undefined;
  }

  private picture(time: number): void {
    const { simulation, frame } = this;
    if (!simulation) return;
    this.due = requestAnimationFrame((next) => this.picture(next));
    this.ahead += Math.max(0, time - this.last) / 1000;
    this.last = time;
    const due = Math.floor(this.ahead / frame);
    // What there was no time for is left out: slow motion, never fewer substeps.
    this.ahead -= due * frame;
    const end = performance.now() + BUDGET;
    try {
      for (let k = 0; k < Math.min(due, MOST_FRAMES) && performance.now() < end; k++) simulation.step();
    } catch (error) {
      return this.stopped(messageOf(error));
    }
    this.view.show(simulation.moment());
    if (this.grip) this.view.showPull(this.grip.grip, this.grip.target);
  }

  private pull(): void {
    const { grip, simulation } = this;
    if (grip) simulation?.pull({ ...grip.grip, target: grip.target.toArray() });
  }

  private release(): void {
    if (!this.grip) return;
    const { target } = this.grip;
    this.grip = undefined;
    this.simulation?.pull(undefined);
    this.view.showPull(undefined, target);
  }

  /** The time and the poses of the bodies, for tests. */
  state(): object | undefined {
    const moment = this.simulation?.moment();
    return moment && { time: moment.time, bodies: Array.from(moment.bodies), pulled: this.grip !== undefined };
  }
}

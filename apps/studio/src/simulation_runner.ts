// A simulation or a recording in a worker: the page asks for frames, and never waits for them.
import { transfer } from "comlink";
import { loadCore, memoryBytes, Recording, Simulation, type Energy, type Moment, type Pull, type SceneSource } from "./core";
import { arrays, drawn, type DrawnScene } from "./scene_drawing";

/** What a worker runs: a ready scene, the JSON of one, or a recording. */
export type Origin = SceneSource | { recording: Uint8Array };

export interface Begun {
  scene: DrawnScene;
  /** The frames of a recording; 0 for a simulation. */
  frames: number;
  moment: Moment;
}

/** What has come of frames that were asked for. */
export interface Advanced {
  moment: Moment;
  /** The kinetic and the potential energy of each frame, joules. */
  energies: Energy[];
  /** The deepest penetration, metres, if it was asked for: that takes longer than it is worth in each frame. */
  penetration: number | undefined;
  /** The mean time of a frame, milliseconds. */
  cost: number;
  /** Why there was no further frame. */
  stopped: string | undefined;
  wasm: number;
}

export class Runner {
  private live: Simulation | undefined;
  private recording: Recording | undefined;
  private nextJudgement = 0;

  /** Begins; an exception tells what is wrong with a scene or a recording. */
  async begin(core: WebAssembly.Module, origin: Origin): Promise<Begun> {
    await loadCore(core);
    if ("recording" in origin) this.recording = new Recording(origin.recording);
    else this.live = new Simulation(origin);
    const scene = drawn((this.live ?? this.recording)!.parts());
    return transfer({ scene, frames: this.recording?.count() ?? 0, moment: this.moment(0) }, arrays(scene));
  }

  private moment(frame: number): Moment {
    return (this.live?.moment() ?? this.recording?.moment(frame))!;
  }

  /** Returns a frame of a recording. */
  frame(frame: number): Moment {
    return handed(this.moment(frame));
  }

  /** Advances by up to as many frames, but no further once some milliseconds have passed. */
  advance(frames: number, budget: number): Advanced {
    const energies: Energy[] = [];
    const start = performance.now();
    let stopped: string | undefined;
    while (energies.length < frames && (energies.length === 0 || performance.now() - start < budget)) {
      try {
        this.live?.step();
      } catch (error) {
        stopped = String(error instanceof Error ? error.message : error);
        break;
      }
      energies.push(this.live?.energy() ?? { kinetic: 0, potential: 0 });
    }
    const cost = (performance.now() - start) / Math.max(energies.length, 1);
    const moment = this.moment(0);
    const penetration = this.penetration();
    return transfer({ moment, energies, penetration, cost, stopped, wasm: memoryBytes() }, buffers(moment));
  }

  /** Returns the deepest penetration, as often as a tenth of the time allows. */
  private penetration(): number | undefined {
    const start = performance.now();
    if (!this.live || start < this.nextJudgement) return undefined;
    const depth = this.live.penetration();
    const end = performance.now();
    this.nextJudgement = end + 10 * (end - start);
    return depth;
  }

  /** Pulls something from the next frame on, or lets it go. */
  pull(pull: Pull | undefined): void {
    this.live?.pull(pull);
  }
}

function buffers({ bodies, cloths, contacts }: Moment): ArrayBufferLike[] {
  return [bodies.buffer, contacts.buffer, ...cloths.map((cloth) => cloth.buffer)];
}

function handed(moment: Moment): Moment {
  return transfer(moment, buffers(moment));
}

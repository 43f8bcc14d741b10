// A worker with a simulation or a recording of its own. Another one takes another worker: the old one goes on until the
// new one has begun, and a scene that is refused changes nothing.
import { wrap, type Remote } from "comlink";
import { coreModule } from "./core";
import type { Advanced, Begun, Origin, Runner } from "./simulation_runner";
import type { Moment, Pull } from "./core";

export class Running {
  private constructor(
    private readonly worker: Worker,
    private readonly runner: Remote<Runner>,
    readonly begun: Begun,
  ) {}

  /** Begins; an exception tells what is wrong with a scene or a recording. */
  static async begin(origin: Origin): Promise<Running> {
    const worker = new Worker(new URL("./simulation_worker.ts", import.meta.url), { type: "module" });
    const failed = new Promise<never>((_, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || "the worker of the simulation could not be started"));
    });
    try {
      const runner = wrap<Runner>(worker);
      const begun = await Promise.race([runner.begin(coreModule(), origin), failed]);
      return new Running(worker, runner, begun);
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  get recorded(): boolean {
    return this.begun.frames > 0;
  }

  frame(frame: number): Promise<Moment> {
    return this.runner.frame(frame);
  }

  advance(frames: number, budget: number): Promise<Advanced> {
    return this.runner.advance(frames, budget);
  }

  pull(pull: Pull | undefined): Promise<void> {
    return this.runner.pull(pull);
  }

  /** Ends, whatever is being computed. */
  end(): void {
    this.worker.terminate();
  }
}

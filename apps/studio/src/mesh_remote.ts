// The mesh of the pair room, in a worker of its own.
import { wrap, type Remote } from "comlink";
import { coreModule, type Contact, type Placed, type Pose } from "./core";
import type { MeshRunner, OpenedMesh } from "./mesh_runner";

export class MeshRemote {
  private constructor(
    private readonly worker: Worker,
    private readonly runner: Remote<MeshRunner>,
    readonly name: string,
    readonly opened: OpenedMesh,
  ) {}

  /** Reads a mesh; an exception tells what is wrong with the file. */
  static async open(name: string, bytes: Uint8Array): Promise<MeshRemote> {
    const worker = new Worker(new URL("./mesh_worker.ts", import.meta.url), { type: "module" });
    const failed = new Promise<never>((_, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || "the worker of the mesh could not be started"));
    });
    try {
      const runner = wrap<MeshRunner>(worker);
      const opened = await Promise.race([runner.open(coreModule(), name, bytes), failed]);
      return new MeshRemote(worker, runner, name, opened);
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  contact(body: Placed, at: Pose): Promise<Contact> {
    return this.runner.contact(body, at);
  }

  end(): void {
    this.worker.terminate();
  }
}

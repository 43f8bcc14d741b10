// The meshes of a robot, read in a worker: only their hierarchies are built where the robot is.
import { transfer, wrap } from "comlink";
import { coreModule, loadCore, readMesh, type MeshFile } from "./core";
import type { StoredFile } from "./storage";

/** What runs in the worker. */
export class MeshReader {
  /** Reads files of meshes; of each that is broken it returns what is wrong with it. */
  async read(core: WebAssembly.Module, files: StoredFile[]): Promise<MeshFile[]> {
    await loadCore(core);
    const read = files.map(({ name, bytes }) => readMesh(name, bytes));
    const buffers = read.flatMap(({ content }) => ("problem" in content ? [] : [content.mesh.vertices.buffer, content.mesh.triangles.buffer]));
    return transfer(read, buffers);
  }
}

/** Reads files of meshes in a worker of its own. */
export async function readMeshes(files: StoredFile[]): Promise<MeshFile[]> {
  if (files.length === 0) return [];
  const worker = new Worker(new URL("./read_meshes_worker.ts", import.meta.url), { type: "module" });
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the worker of the meshes could not be started"));
  });
  try {
    return await Promise.race([wrap<MeshReader>(worker).read(coreModule(), files), failed]);
  } finally {
    worker.terminate();
  }
}

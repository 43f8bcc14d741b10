// A mesh in a worker: reading it, and asking it for contacts, never keeps the page waiting.
import { transfer } from "comlink";
import { loadCore, MeshBody, type Contact, type Mesh, type Placed, type Pose } from "./core";

export interface OpenedMesh {
  drawn: Mesh;
  triangles: number;
  /** By what the lengths of the file were multiplied. */
  scale: number;
}

/** The largest edge of the box of a mesh in the room, metres. */
const SIZE = 1.2;

export class MeshRunner {
  private mesh: MeshBody | undefined;

  /** Reads a mesh; an exception tells what is wrong with the file, and where. */
  async open(core: WebAssembly.Module, name: string, bytes: Uint8Array): Promise<OpenedMesh> {
    await loadCore(core);
    this.mesh = new MeshBody(name, bytes, SIZE);
    const { scale } = this.mesh;
    const drawn = this.mesh.drawn();
    const buffers = [drawn.positions.buffer, drawn.normals.buffer, drawn.triangles.buffer];
    return transfer({ drawn, scale, triangles: drawn.triangles.length / 3 }, buffers);
  }

  contact(body: Placed, at: Pose): Contact {
    if (!this.mesh) throw new Error("there is no mesh");
    return this.mesh.contact(body, at);
  }
}

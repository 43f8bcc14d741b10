// What is drawn of a scene, as arrays that a worker hands over: bodies of the same shape share a mesh.
import { mesh, type Mesh, type Pose, type SceneParts } from "./core";

export interface DrawnScene {
  name: string;
  /** The time of a frame, seconds. */
  frame: number;
  meshes: Mesh[];
  /** `mesh` is none for a half-space. */
  bodies: { moves: boolean; pose: Pose; mesh: number | undefined }[];
  cloths: SceneParts["cloths"];
}

/** The edges around a superovoid; fewer where many are drawn. */
const SEGMENTS = 32;
const MANY = 200;

export function drawn(parts: SceneParts): DrawnScene {
  const segments = parts.bodies.length > MANY ? SEGMENTS / 2 : SEGMENTS;
  const meshes: Mesh[] = [];
  const known = new Map<string, number>();
  const added = (made: Mesh) => meshes.push(made) - 1;
  const meshOf = (shape: SceneParts["bodies"][number]["shape"]) => {
    if (shape === "halfspace") return undefined;
    if ("mesh" in shape) return added({ ...shape.mesh, normals: vertexNormals(shape.mesh.positions, shape.mesh.triangles) });
    const key = shape.superovoid.join();
    const place = known.get(key) ?? added(mesh(shape.superovoid, segments));
    known.set(key, place);
    return place;
  };
  const bodies = parts.bodies.map(({ moves, pose, shape }) => ({ moves, pose, mesh: meshOf(shape) }));
  return { ...parts, meshes, bodies };
}

/** Returns the arrays that are handed over instead of being copied. */
export function arrays({ meshes, cloths }: DrawnScene): ArrayBufferLike[] {
  const ofMeshes = meshes.flatMap((each) => [each.positions.buffer, each.normals.buffer, each.triangles.buffer]);
  return [...ofMeshes, ...cloths.map((cloth) => cloth.triangles.buffer)];
}

/** Returns unit normals at the vertices: those of the triangles about them, weighted by area. */
export function vertexNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((i) => positions[b + i] - positions[a + i]);
    const [vx, vy, vz] = [0, 1, 2].map((i) => positions[c + i] - positions[a + i]);
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const vertex of [a, b, c]) for (let i = 0; i < 3; i++) normals[vertex + i] += normal[i];
  }
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
    for (let i = 0; i < 3; i++) normals[k + i] /= length;
  }
  return normals;
}

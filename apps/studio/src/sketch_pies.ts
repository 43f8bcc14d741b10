// The ranges of a joint as slices of pies, in the frame of its bone: about x from y to z, about y from x to −z, and about z
// from x to y, so that a slice about y or z lies where the bone goes.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";
import type { Colours } from "./colours";
import type { SketchBone } from "./core";

/** The angle of a triangle at most, radians. */
const STEP = Math.PI / 36;
const [X, Y, Z] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
/** For each axis where its angle is zero, and where it is a right one. */
const DIRECTIONS = [
  [Y, Z],
  [X, Z.clone().negate()],
  [X, Y],
];
/** Radii, in parts of the largest: slices in one plane would hide one another. */
const RADII = [0.8, 1, 0.9];

export class Pies {
  readonly root = new Group();
  private readonly materials = DIRECTIONS.map(
    () => new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.5, depthTest: false, depthWrite: false }),
  );
  private readonly slices = this.materials.map((material) => new Mesh(new BufferGeometry(), material));

  constructor() {
    for (const slice of this.slices) slice.renderOrder = 6;
    this.root.add(...this.slices);
  }

  paint({ axes }: Colours): void {
    this.materials.forEach((material, k) => material.color.set(axes[k]));
  }

  /** Shows the ranges of a bone that are not a point, with a radius in metres, or nothing. */
  show(bone: SketchBone | undefined, radius: number): void {
    this.root.visible = bone !== undefined;
    if (!bone) return;
    const [x, y, z, i, j, k, w] = bone.frame;
    this.root.position.set(x, y, z);
    this.root.quaternion.set(i, j, k, w);
    this.slices.forEach((slice, axis) => {
      const [low, high] = bone.ranges[axis];
      slice.visible = high > low;
      slice.geometry.dispose();
      slice.geometry = slice.visible ? pie(axis, low, high, RADII[axis] * radius) : new BufferGeometry();
    });
  }
}

function pie(axis: number, low: number, high: number, radius: number): BufferGeometry {
  // More than a turn covers itself.
  const angle = Math.min(high - low, 2 * Math.PI);
  const count = Math.max(1, Math.ceil(angle / STEP));
  const [from, to] = DIRECTIONS[axis];
  const points = new Float32Array(3 * (count + 2));
  for (let k = 0; k <= count; k++) {
    const at = low + (angle * k) / count;
    const point = from.clone().multiplyScalar(radius * Math.cos(at)).addScaledVector(to, radius * Math.sin(at));
    point.toArray(points, 3 * (k + 1));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setIndex(Array.from({ length: count }, (_, k) => [0, k + 1, k + 2]).flat());
  return geometry;
}

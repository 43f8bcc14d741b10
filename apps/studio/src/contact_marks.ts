// What pressed in the last frame of a simulation: a dot at every contact, and an arrow as long as its normal impulse.
import {
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from "three";
import type { Colours } from "./colours";

const UP = new Vector3(0, 0, 1);
/** Sizes as shares of the radius of the scene. */
const DOT = 0.006;
const ROD = 0.0025;
const TIP = 0.008;
const LONGEST = 0.3;
/** The numbers of a contact: a point, and the normal impulse there as a vector. */
const NUMBERS = 6;

export class ContactMarks extends Group {
  /** What is drawn is seen through the bodies. */
  private readonly material = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
  private parts: InstancedMesh[] = [];
  private room = 0;

  paint({ overlap }: Colours): void {
    this.material.color.set(overlap);
  }

  /** Draws the contacts of a frame in a scene of some radius; the longest arrow is that of the largest impulse. */
  show(contacts: Float64Array, radius: number): void {
    const count = contacts.length / NUMBERS;
    this.makeRoom(count);
    const points: Vector3[] = [];
    const impulses: Vector3[] = [];
    for (let k = 0; k < contacts.length; k += NUMBERS) {
      points.push(new Vector3(...contacts.subarray(k, k + 3)));
      impulses.push(new Vector3(...contacts.subarray(k + 3, k + 6)));
    }
    const largest = impulses.reduce((most, impulse) => Math.max(most, impulse.length()), 0);
    const [dots, rods, tips] = this.parts;
    const place = new Matrix4();
    const turn = new Quaternion();
    const size = new Vector3();
    points.forEach((point, k) => {
      const length = largest > 0 ? (LONGEST * radius * impulses[k].length()) / largest : 0;
      turn.setFromUnitVectors(UP, impulses[k].clone().normalize());
      dots.setMatrixAt(k, place.compose(point, turn, size.setScalar(DOT * radius)));
      rods.setMatrixAt(k, place.compose(point, turn, size.set(ROD * radius, ROD * radius, length)));
      const tip = Math.min(TIP * radius, 0.5 * length);
      const end = impulses[k].clone().normalize().multiplyScalar(length).add(point);
      tips.setMatrixAt(k, place.compose(end, turn, size.setScalar(tip)));
    });
    for (const part of this.parts) {
      part.count = count;
      part.instanceMatrix.needsUpdate = true;
    }
  }

  private makeRoom(count: number): void {
    if (count <= this.room && this.room > 0) return;
    this.room = Math.max(64, 2 * count);
    for (const part of this.parts) part.geometry.dispose();
    this.remove(...this.parts);
    const shapes: BufferGeometry[] = [
      new SphereGeometry(1, 12, 8),
      // Both lie along z; the rod is one long, and the cone ends where the arrow does.
      new CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5),
      new ConeGeometry(1, 3, 12).rotateX(Math.PI / 2).translate(0, 0, -1.5),
    ];
    this.parts = shapes.map((shape) => {
      const part = new InstancedMesh(shape, this.material, this.room);
      part.instanceMatrix.setUsage(DynamicDrawUsage);
      part.frustumCulled = false;
      part.renderOrder = 10;
      return part;
    });
    this.add(...this.parts);
  }
}

// The smooth surface of a cloth that is a square grid of vertices: a bicubic B-spline with the vertices as its control
// points, which ends at the edges of the cloth (beyond an edge the grid goes on as a mirror of itself). It lies between the
// vertices within a sixth of how far they are from a plane, and shows folds without the triangles.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

/** The steps of the surface along a side, about. */
const STEPS = 120;

export class SmoothCloth {
  readonly geometry = new BufferGeometry();
  /** Steps between two vertices, and points along a side. */
  private readonly fine: number;
  private readonly points: number;
  /** The weights of four vertices for each step between the second and the third. */
  private readonly weights: number[][];
  private readonly along: Float64Array;

  /** The cloth has as many vertices along a side. */
  constructor(private readonly side: number) {
    this.fine = Math.max(1, Math.round(STEPS / (side - 1)));
    this.points = (side - 1) * this.fine + 1;
    this.weights = Array.from({ length: this.fine }, (_, k) => {
      const t = k / this.fine;
      return [(1 - t) ** 3, 3 * t ** 3 - 6 * t ** 2 + 4, -3 * t ** 3 + 3 * t ** 2 + 3 * t + 1, t ** 3].map((w) => w / 6);
    });
    const { points: n } = this;
    this.along = new Float64Array(3 * side * n);
    for (const name of ["position", "normal"]) {
      const attribute = new BufferAttribute(new Float32Array(3 * n * n), 3);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    }
    const uv = new Float32Array(2 * n * n);
    for (let k = 0; k < n * n; k++) uv.set([(k % n) / (n - 1), Math.floor(k / n) / (n - 1)], 2 * k);
    this.geometry.setAttribute("uv", new BufferAttribute(uv, 2));
    const triangles: number[] = [];
    for (let j = 0; j < n - 1; j++) {
      for (let i = 0; i < n - 1; i++) {
        const k = j * n + i;
        triangles.push(k, k + 1, k + n + 1, k, k + n + 1, k + n);
      }
    }
    this.geometry.setIndex(new BufferAttribute(Uint32Array.from(triangles), 1));
  }

  /** Takes the vertices, three numbers each, row by row. */
  show(vertices: ArrayLike<number>): void {
    const { side, points: n, along } = this;
    const [position, normal] = ["position", "normal"].map((name) => this.geometry.getAttribute(name) as BufferAttribute);
    const out = position.array as Float32Array;
    for (let j = 0; j < side; j++) this.spline(vertices, 3 * side * j, 3, along, 3 * n * j, 3);
    for (let i = 0; i < n; i++) this.spline(along, 3 * i, 3 * n, out, 3 * i, 3 * n);
    this.turn(out, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = true;
  }

  /** Writes the curve of a row of vertices, which begin at `from` and are `step` numbers apart, likewise. */
  private spline(from: ArrayLike<number>, first: number, step: number, to: Float32Array | Float64Array, start: number, stride: number): void {
    const { side, fine, points, weights } = this;
    for (let axis = 0; axis < 3; axis++) {
      const at = (k: number) => from[first + axis + k * step];
      const beyond = (k: number) => (k < 0 ? 2 * at(0) - at(1) : k >= side ? 2 * at(side - 1) - at(side - 2) : at(k));
      for (let i = 0; i < side; i++) {
        const [a, b, c, d] = [beyond(i - 1), at(i), beyond(i + 1), beyond(i + 2)];
        for (let k = 0; k < fine && i * fine + k < points; k++) {
          const w = weights[k];
          to[start + axis + (i * fine + k) * stride] = w[0] * a + w[1] * b + w[2] * c + w[3] * d;
        }
      }
    }
  }

  /** Writes the unit normals of points: across the directions to their neighbours. */
  private turn(x: Float32Array, normals: Float32Array): void {
    const n = this.points;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const [left, right] = [3 * (j * n + Math.max(i - 1, 0)), 3 * (j * n + Math.min(i + 1, n - 1))];
        const [low, high] = [3 * (Math.max(j - 1, 0) * n + i), 3 * (Math.min(j + 1, n - 1) * n + i)];
        const [ux, uy, uz] = [x[right] - x[left], x[right + 1] - x[left + 1], x[right + 2] - x[left + 2]];
        const [vx, vy, vz] = [x[high] - x[low], x[high + 1] - x[low + 1], x[high + 2] - x[low + 2]];
        const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        const length = Math.hypot(nx, ny, nz) || 1;
        const k = 3 * (j * n + i);
        normals[k] = nx / length;
        normals[k + 1] = ny / length;
        normals[k + 2] = nz / length;
      }
    }
  }
}

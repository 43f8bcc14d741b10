// A small picture of a superovoid on a canvas: the triangles of its mesh that face the reader, the nearest at every point. Thousands of
// paths would keep the page busy for half a second where there is no graphics processor.
import { Color, Quaternion, SRGBColorSpace, Vector3 } from "three";
import { mesh, type Mesh, type Numbers } from "./core";

/** Where the light comes from: x to the right, y up, z towards the reader. */
const LIGHT = new Vector3(-0.5, 0.75, 0.6).normalize();
/** The brightness of what is turned away from the light, and what the light adds of the colour and of white. */
const [DARK, LIT, GLOSS] = [0.72, 0.5, 0.2];
/** Points to a unit of the canvas along either axis, more than it has pixels, so that edges are smooth. */
const FINE = 4;

export class LittleBody {
  private numbers: Numbers = [];
  private shape: Mesh | undefined;

  /** `segments` are the edges around it. */
  constructor(private readonly segments: number) {}

  show(numbers: Numbers): void {
    if (this.shape && numbers.every((x, k) => x === this.numbers[k])) return;
    this.numbers = [...numbers];
    this.shape = mesh(numbers, this.segments);
  }

  /**
   * Paints it around a place, its longest semi-axis, or what tapers make of it, as long as the radius. `turn` takes its frame to that of the reader: x
   * to the right, y up, z out of the canvas.
   */
  draw(context: CanvasRenderingContext2D, [x, y]: [number, number], radius: number, turn: Quaternion, colour: string): void {
    if (!this.shape) return;
    const { positions, triangles } = this.shape;
    const [a1, a2, a3, , , tx, ty] = this.numbers;
    const wide = (a: number, t: number) => a * (1 + 0.5 * Math.abs(t));
    const scale = radius / Math.max(wide(a1, tx), wide(a2, ty), a3);
    const corners = Array.from({ length: positions.length / 3 }, (_, k) => new Vector3().fromArray(positions, 3 * k).multiplyScalar(scale).applyQuaternion(turn));
    const { r, g, b } = new Color(colour).getRGB({ r: 0, g: 0, b: 0 }, SRGBColorSpace);
    // Of a box the corners are the farthest, √3 radii away.
    const half = Math.ceil(1.75 * radius);
    const n = 2 * half * FINE;
    const image = new ImageData(n, n);
    const depths = new Float32Array(n * n).fill(-Infinity);
    const seen = corners.map((corner) => [FINE * (half + corner.x), FINE * (half - corner.y), corner.z]);
    for (let k = 0; k < triangles.length; k += 3) {
      const names = [triangles[k], triangles[k + 1], triangles[k + 2]];
      const [first, second, third] = names.map((name) => corners[name]);
      const normal = new Vector3().crossVectors(second.clone().sub(first), third.clone().sub(first)).normalize();
      if (!(normal.z > 0)) continue;
      const light = Math.max(0, normal.dot(LIGHT));
      const shade = [r, g, b].map((part) => 255 * Math.min(1, part * (DARK + LIT * light) + GLOSS * light));
      const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = names.map((name) => seen[name]);
      const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      if (area === 0) continue;
      const ends = (...values: number[]) => [Math.max(0, Math.floor(Math.min(...values))), Math.min(n - 1, Math.ceil(Math.max(...values)))];
      const [[left, right], [top, bottom]] = [ends(ax, bx, cx), ends(ay, by, cy)];
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const [px, py] = [column + 0.5, row + 0.5];
          const v = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / area;
          const w = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area;
          if (v < 0 || w < 0 || v + w > 1) continue;
          const depth = az + v * (bz - az) + w * (cz - az);
          const at = row * n + column;
          if (depth <= depths[at]) continue;
          depths[at] = depth;
          image.data.set([...shade, 255], 4 * at);
        }
      }
    }
    const scratch = document.createElement("canvas");
    scratch.width = scratch.height = n;
    scratch.getContext("2d")?.putImageData(image, 0, 0);
    context.drawImage(scratch, x - half, y - half, 2 * half, 2 * half);
  }
}

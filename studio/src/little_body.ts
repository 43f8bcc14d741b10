// A small picture of a superovoid on a canvas: the triangles of its mesh that face the reader, painted from far to near.
import { Color, Quaternion, SRGBColorSpace, Vector3 } from "three";
import { mesh, type Mesh, type Numbers } from "./core";

/** Where the light comes from: x to the right, y up, z towards the reader. */
const LIGHT = new Vector3(-0.5, 0.75, 0.6).normalize();
/** The brightness of what is turned away from the light, and what the light adds of the colour and of white. */
const [DARK, LIT, GLOSS] = [0.72, 0.5, 0.2];

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
    const faces: { corners: Vector3[]; depth: number; light: number }[] = [];
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [corners[triangles[k]], corners[triangles[k + 1]], corners[triangles[k + 2]]];
      const normal = new Vector3().crossVectors(b.clone().sub(a), c.clone().sub(a)).normalize();
      if (normal.z > 0) faces.push({ corners: [a, b, c], depth: a.z + b.z + c.z, light: Math.max(0, normal.dot(LIGHT)) });
    }
    faces.sort((one, other) => one.depth - other.depth);
    const { r, g, b } = new Color(colour).getRGB({ r: 0, g: 0, b: 0 }, SRGBColorSpace);
    context.lineJoin = "round";
    context.lineWidth = 0.6;
    for (const { corners, light } of faces) {
      const shade = [r, g, b].map((part) => Math.round(255 * Math.min(1, part * (DARK + LIT * light) + GLOSS * light)));
      context.fillStyle = context.strokeStyle = `rgb(${shade.join()})`;
      context.beginPath();
      for (const corner of corners) context.lineTo(x + corner.x, y - corner.y);
      context.closePath();
      context.fill();
      // Without it the background shines through between the triangles.
      context.stroke();
    }
  }
}

// A floor: a disc with a grid of squares, on which shadows lie and which fades away into the background.
import { BufferAttribute, CanvasTexture, Mesh, MeshLambertMaterial, RepeatWrapping, RingGeometry, SRGBColorSpace } from "three";
import type { Colours } from "./colours";

/** Radii of what stands on the floor: where it begins to fade, and where it has faded away. */
const FADES = 2.5;
const GONE = 9;
/** Squares along a radius of what stands on it, about. */
const SQUARES = 3;
/** Pixels of the texture of a square, and of its line. */
const PIXELS = 256;
const LINE = 2;

export class Floor extends Mesh<RingGeometry, MeshLambertMaterial> {
  private readonly square = document.createElement("canvas");
  private readonly texture = new CanvasTexture(this.square);

  /** Something of a radius stands around a point of the plane z = 0. */
  constructor([x, y]: [number, number], radius: number) {
    super(new RingGeometry(0, 1, 64, 3), new MeshLambertMaterial({ transparent: true, vertexColors: true }));
    // What stands on it is drawn first, and not through it.
    this.renderOrder = -1;
    this.receiveShadow = true;
    this.square.width = this.square.height = PIXELS;
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.wrapS = this.texture.wrapT = RepeatWrapping;
    this.texture.anisotropy = 2;
    this.material.map = this.texture;
    const side = rounded(radius / SQUARES);
    const [position, uv] = ["position", "uv"].map((name) => this.geometry.getAttribute(name));
    const colours = new Float32Array(4 * position.count).fill(1);
    const radii = [0, FADES, (FADES + GONE) / 2, GONE];
    for (let k = 0; k < position.count; k++) {
      const ring = Math.round(3 * Math.hypot(position.getX(k), position.getY(k)));
      const scale = ring === 0 ? 0 : (3 / ring) * radii[ring] * radius;
      position.setXY(k, x + position.getX(k) * scale, y + position.getY(k) * scale);
      uv.setXY(k, position.getX(k) / side, position.getY(k) / side);
      colours[4 * k + 3] = [1, 1, 0.3, 0][ring];
    }
    this.geometry.setAttribute("color", new BufferAttribute(colours, 4));
    this.geometry.computeBoundingSphere();
  }

  paint({ floor, grid }: Colours): void {
    const context = this.square.getContext("2d");
    if (!context) return;
    context.fillStyle = floor;
    context.fillRect(0, 0, PIXELS, PIXELS);
    context.strokeStyle = grid;
    context.lineWidth = 2 * LINE;
    context.strokeRect(0, 0, PIXELS, PIXELS);
    this.texture.needsUpdate = true;
  }

  free(): void {
    this.geometry.dispose();
    this.material.dispose();
    this.texture.dispose();
  }
}

/** Returns the nearest of 1, 2 and 5 times a power of ten, metres. */
function rounded(length: number): number {
  const ten = 10 ** Math.floor(Math.log10(length));
  return ten * (length / ten < 1.5 ? 1 : length / ten < 3.5 ? 2 : length / ten < 7.5 ? 5 : 10);
}

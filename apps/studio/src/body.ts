// A superovoid in the picture: its surface, and the mesh that is laid over.
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  WireframeGeometry,
} from "three";
import { mesh, type Mesh as MeshArrays, type Numbers, type Placed } from "./core";

/** The edges around of the meshes that stand for the surfaces. */
const SEGMENTS = 96;

export class Body extends Group {
  readonly material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, transparent: true, opacity: 0.82 });
  private readonly wire = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  readonly surface = new Mesh(new BufferGeometry(), this.material);
  private readonly overlay = new LineSegments(new BufferGeometry(), this.wire);
  private shown: Numbers = [];
  private laidOver = 0;

  constructor() {
    super();
    this.add(this.surface, this.overlay);
  }

  paint(colour: string, text: string): void {
    this.material.color.set(colour);
    this.wire.color.set(text);
  }

  show(body: Placed, overlay: number): void {
    const changed = body.numbers.some((x, k) => x !== this.shown[k]);
    if (changed) replace(this.surface, surfaceGeometry(body.numbers, SEGMENTS));
    if (changed || overlay !== this.laidOver) {
      replace(this.overlay, overlay > 0 ? wires(body.numbers, overlay) : new BufferGeometry());
    }
    this.overlay.visible = overlay > 0;
    // The mesh lies inside of the surface, and is seen through it.
    this.material.depthWrite = overlay === 0;
    this.material.opacity = overlay === 0 ? 0.82 : 0.45;
    this.shown = [...body.numbers];
    this.laidOver = overlay;
  }
}

function replace(drawn: Mesh | LineSegments, geometry: BufferGeometry): void {
  drawn.geometry.dispose();
  drawn.geometry = geometry;
}

/** Returns the surface of a body with as many edges around. */
export function surfaceGeometry(numbers: Numbers, segments: number): BufferGeometry {
  return meshGeometry(mesh(numbers, segments));
}

/** Returns the geometry of arrays. */
export function meshGeometry({ positions, normals, triangles }: MeshArrays): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}

function wires(numbers: Numbers, segments: number): BufferGeometry {
  const geometry = surfaceGeometry(numbers, segments);
  const lines = new WireframeGeometry(geometry);
  geometry.dispose();
  return lines;
}

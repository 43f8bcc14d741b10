// The picture of a robot: its bodies, red where they collide, and lines between the closest pairs.
import {
  BoxGeometry,
  Box3,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Sphere,
  type Vector3,
} from "three";
import { meshGeometry, surfaceGeometry } from "./body";
import type { Colours } from "./colours";
import type { Mesh as MeshArrays, PairOfBodies, Pose, RobotParts, ShapeParts } from "./core";
import { Markers } from "./markers";
import type { Camera, Drawn, Stage } from "./stage";

const SEGMENTS = 40;
/** The pairs that have a line: those that are listed. */
export const DRAWN_PAIRS = 10;

function geometryOf(shape: ShapeParts, mesh: (index: number) => MeshArrays): BufferGeometry {
  if ("mesh" in shape) return meshGeometry(mesh(shape.mesh));
  if ("superovoid" in shape) return surfaceGeometry(shape.superovoid, SEGMENTS);
  if ("box" in shape) return new BoxGeometry(...shape.box);
  // Those of three.js lie along y, those of URDF along z.
  if ("cylinder" in shape) {
    const { radius, length } = shape.cylinder;
    return new CylinderGeometry(radius, radius, length, SEGMENTS).rotateX(Math.PI / 2);
  }
  const { radius, length } = shape.capsule;
  return new CapsuleGeometry(radius, length, SEGMENTS / 4, SEGMENTS).rotateX(Math.PI / 2);
}

function place(object: Group | Mesh, pose: Pose): void {
  object.position.set(pose[0], pose[1], pose[2]);
  object.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
}

export class RobotView implements Drawn {
  readonly root = new Group();
  private readonly free = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, side: DoubleSide });
  private readonly colliding = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, side: DoubleSide });
  private readonly lineMaterial = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
  private readonly lines = new LineSegments(new BufferGeometry(), this.lineMaterial);
  private readonly markers = new Markers();
  private links: Group[] = [];
  private bodies: Mesh[] = [];

  constructor(private readonly stage: Stage) {
    this.lines.renderOrder = 9;
    this.root.add(this.lines, this.markers);
  }

  /** Takes another robot. */
  build(parts: RobotParts, mesh: (index: number) => MeshArrays): void {
    for (const link of this.links) this.root.remove(link);
    for (const body of this.bodies) body.geometry.dispose();
    this.links = parts.links.map(() => new Group());
    this.bodies = parts.bodies.map(({ link, pose, shape }) => {
      const body = new Mesh(geometryOf(shape, mesh), this.free);
      place(body, pose);
      this.links[link].add(body);
      return body;
    });
    this.root.add(...this.links);
  }

  paint(colours: Colours): void {
    this.free.color.set(colours.a);
    this.colliding.color.set(colours.overlap);
    this.markers.paint(colours);
  }

  /** Shows poses and pairs, of which one is marked with points and normal. */
  show(poses: Pose[], pairs: PairOfBodies[], marked: number): void {
    poses.forEach((pose, k) => place(this.links[k], pose));
    const colliding = new Set(pairs.filter(({ status }) => status !== "free").flatMap(({ a, b }) => [a, b]));
    this.bodies.forEach((body, k) => {
      body.material = colliding.has(k) ? this.colliding : this.free;
    });
    this.showLines(pairs.slice(0, DRAWN_PAIRS));
    const pair = pairs.at(marked);
    if (pair) {
      this.markers.show({ kind: "contact", contact: pair.contact }, pair.contact.pointB, this.stage.colours);
    } else {
      this.markers.visible = false;
    }
    this.stage.redraw();
  }

  private showLines(pairs: PairOfBodies[]): void {
    const { apart, overlap } = this.stage.colours;
    const colour = { free: rgb(apart), collision: rgb(overlap), undecided: rgb(overlap) };
    const geometry = new BufferGeometry();
    const points = pairs.flatMap(({ contact }) => [...contact.pointA, ...contact.pointB]);
    const colours = pairs.flatMap(({ status }) => [...colour[status], ...colour[status]]);
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
    this.lines.geometry.dispose();
    this.lines.geometry = geometry;
  }

  /** Returns the sphere about everything. */
  bounds(): Sphere {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    for (const body of this.bodies) box.expandByObject(body);
    return box.isEmpty() ? new Sphere(undefined, 0.5) : box.getBoundingSphere(new Sphere());
  }

  /** Returns a camera that sees everything. */
  overview(): Camera {
    const { center, radius } = this.bounds();
    const away = Math.max(radius, 0.02) * 3;
    const position = [center.x + 0.62 * away, center.y - 0.62 * away, center.z + 0.48 * away];
    return { position, target: center.toArray() };
  }

  fit(perPixel: (point: Vector3) => number): void {
    this.markers.fit(perPixel);
  }
}

/** Returns red, green and blue of a style sheet's colour `#rrggbb`, as three.js works with them. */
function rgb(colour: string): [number, number, number] {
  const linear = (k: number) => (Number.parseInt(colour.slice(k, k + 2), 16) / 255) ** 2.2;
  return [linear(1), linear(3), linear(5)];
}

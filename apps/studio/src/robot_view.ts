// The picture of a robot: its bodies, red where they collide, and lines between the closest pairs.
import {
  BoxGeometry,
  Box3,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Sphere,
  Vector3,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { meshGeometry, surfaceGeometry } from "./body";
import type { Colours } from "./colours";
import type { EdgeProof, Mesh as MeshArrays, ObstacleParts, PairOfBodies, Pose, RobotParts, ShapeParts } from "./core";
import { Markers } from "./markers";
import type { Camera, Drawn, Stage } from "./stage";

const SEGMENTS = 40;
/** A robot stands at its root if its lowest point is so near to that height, metres. */
const STANDS = 0.002;
/** Obstacles so many times larger than the robot are not all in the picture at the beginning. */
const LARGE = 2;
/** The width of the way of a link along a trajectory, pixels. */
const WAY = 3;
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
  if ("cone" in shape) {
    const { radius, length } = shape.cone;
    return new ConeGeometry(radius, length, SEGMENTS).rotateX(Math.PI / 2);
  }
  const { radius, length } = shape.capsule;
  return new CapsuleGeometry(radius, length, SEGMENTS / 4, SEGMENTS).rotateX(Math.PI / 2);
}

function place(object: Group | Mesh, pose: Pose): void {
  object.position.set(pose[0], pose[1], pose[2]);
  object.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
}

/** The poses of the links at a place on a trajectory. */
export interface PosesAt {
  place: number;
  poses: Pose[];
}

export class RobotView implements Drawn {
  readonly root = new Group();
  private readonly free = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, side: DoubleSide });
  private readonly colliding = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, side: DoubleSide });
  /** Obstacles: what is behind them is seen through them. */
  private readonly still = new MeshStandardMaterial({ roughness: 0.7, metalness: 0.05, side: DoubleSide, transparent: true, opacity: 0.32, depthWrite: false });
  private readonly lineMaterial = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
  private readonly lines = new LineSegments(new BufferGeometry(), this.lineMaterial);
  private readonly markers = new Markers();
  private links: Group[] = [];
  /** Those of the robot, then the obstacles. */
  private bodies: Mesh[] = [];
  private ofRobot = 0;
  /** The way of a link along a trajectory. */
  private readonly way = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ vertexColors: true, linewidth: WAY, transparent: true }));
  /** The places on the trajectory where the segments of the way begin. */
  private places: number[] = [];
  private proofs: EdgeProof[] = [];

  constructor(private readonly stage: Stage) {
    this.lines.renderOrder = 9;
    this.way.visible = false;
    // Over the obstacles, not over the robot.
    this.way.renderOrder = 8;
    this.root.add(this.lines, this.markers, this.way);
  }

  /** Takes another robot, among obstacles. */
  build(parts: RobotParts, obstacles: ObstacleParts[], mesh: (index: number) => MeshArrays): void {
    this.root.remove(...this.links, ...this.bodies);
    for (const body of this.bodies) body.geometry.dispose();
    this.links = parts.links.map(() => new Group());
    const made = ({ pose, shape }: { pose: Pose; shape: ShapeParts }) => {
      const body = new Mesh(geometryOf(shape, mesh));
      place(body, pose);
      return body;
    };
    this.bodies = [...parts.bodies, ...obstacles].map(made);
    parts.bodies.forEach(({ link }, k) => this.links[link].add(this.bodies[k]));
    this.ofRobot = parts.bodies.length;
    this.root.add(...this.links, ...this.bodies.slice(this.ofRobot));
  }

  paint(colours: Colours): void {
    this.free.color.set(colours.a);
    this.colliding.color.set(colours.overlap);
    this.still.color.set(colours.b);
    this.markers.paint(colours);
    this.paintWay();
  }

  /** Shows poses and pairs, of which one is marked with points and normal. */
  show(poses: Pose[], pairs: PairOfBodies[], marked: number): void {
    poses.forEach((pose, k) => place(this.links[k], pose));
    const colliding = new Set(pairs.filter(({ status }) => status !== "free").flatMap(({ a, b }) => [a, b]));
    this.bodies.forEach((body, k) => {
      body.material = colliding.has(k) ? this.colliding : k < this.ofRobot ? this.free : this.still;
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

  /** Shows the way of the link that goes farthest along a trajectory. */
  showWay(poses: PosesAt[]): void {
    const ways = this.links.map((_, link) => poses.map((each) => new Vector3().fromArray(each.poses[link])));
    const lengths = ways.map((way) => way.slice(1).reduce((sum, point, k) => sum + point.distanceTo(way[k]), 0));
    const farthest = ways[lengths.indexOf(Math.max(...lengths))] ?? [];
    this.places = poses.slice(0, -1).map(({ place }) => place);
    this.way.visible = this.places.length > 0;
    if (this.way.visible) {
      this.way.geometry.dispose();
      this.way.geometry = new LineSegmentsGeometry().setPositions(farthest.slice(1).flatMap((point, k) => [...farthest[k], ...point]));
      this.paintWay();
    }
    this.stage.redraw();
  }

  /** Colours the way by what is proven of the lines between the rows. */
  showProofs(proofs: EdgeProof[]): void {
    this.proofs = proofs;
    this.paintWay();
    this.stage.redraw();
  }

  private paintWay(): void {
    if (!this.way.visible) return;
    const { apart, overlap, accent } = this.stage.colours;
    const colour = { free: rgb(apart), hit: rgb(overlap), undecided: rgb(overlap), unchecked: rgb(accent) };
    const colours = this.places.flatMap((place) => {
      const one = colour[this.proofs[Math.floor(place)]?.status ?? "unchecked"];
      return [...one, ...one];
    });
    this.way.geometry.setColors(colours);
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

  /** Returns the height of the grid: that on which the robot stands, if it stands at its root, and otherwise below. */
  ground(): number {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    for (const body of this.bodies.slice(0, this.ofRobot)) box.expandByObject(body);
    return Math.abs(box.min.z) < STANDS ? box.min.z : -0.3;
  }

  /** Returns the sphere about the robot and the obstacles that are not far larger. */
  bounds(): Sphere {
    this.root.updateMatrixWorld(true);
    const boxes = this.bodies.map((body) => new Box3().setFromObject(body));
    const box = new Box3();
    for (const each of boxes.slice(0, this.ofRobot)) box.union(each);
    const size = (of: Box3) => of.getSize(new Vector3()).length();
    const most = LARGE * size(box);
    for (const each of boxes.slice(this.ofRobot)) if (size(each) < most) box.union(each);
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

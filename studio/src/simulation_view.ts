// The picture of a simulation: bodies and cloths.
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Sphere,
  Vector3,
} from "three";
import type { Colours } from "./colours";
import type { Moment } from "./core";
import type { DrawnScene } from "./scene_drawing";
import type { Grip } from "./pulling";
import type { Camera, Drawn, Stage } from "./stage";

/** The edge of the square that stands for a half-space. */
const FLOOR = 60;

export class SimulationView implements Drawn {
  readonly root = new Group();
  private readonly still = new MeshStandardMaterial({ roughness: 0.7, side: DoubleSide });
  private readonly moving = new MeshStandardMaterial({ roughness: 0.5 });
  private readonly fabric = new MeshStandardMaterial({ roughness: 0.85, side: DoubleSide });
  private readonly ground = new MeshStandardMaterial({ roughness: 1, transparent: true, opacity: 0.6 });
  private readonly threadMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly thread = new Line(new BufferGeometry(), this.threadMaterial);
  private bodies: Mesh[] = [];
  private cloths: Mesh[] = [];

  constructor(private readonly stage: Stage) {
    this.thread.visible = false;
    this.thread.frustumCulled = false;
    this.thread.renderOrder = 10;
    this.root.add(this.thread);
  }

  /** Takes another scene. */
  build(scene: DrawnScene): void {
    this.root.remove(...this.bodies, ...this.cloths);
    for (const old of [...this.bodies, ...this.cloths]) old.geometry.dispose();
    const shapes = scene.meshes.map(({ positions, normals, triangles }) => {
      const shape = meshGeometry(positions, triangles);
      shape.setAttribute("normal", new BufferAttribute(normals, 3));
      return shape;
    });
    this.bodies = scene.bodies.map(({ moves, mesh }) => {
      if (mesh === undefined) return new Mesh(new PlaneGeometry(FLOOR, FLOOR), this.ground);
      return new Mesh(shapes[mesh], moves ? this.moving : this.still);
    });
    this.cloths = scene.cloths.map(({ vertices, triangles }) => {
      const cloth = meshGeometry(new Float32Array(3 * vertices), triangles);
      cloth.setAttribute("normal", new BufferAttribute(new Float32Array(3 * vertices), 3));
      return new Mesh(cloth, this.fabric);
    });
    // The vertices move out of the sphere of their start.
    for (const cloth of this.cloths) cloth.frustumCulled = false;
    this.root.add(...this.bodies, ...this.cloths);
  }

  paint({ a, b, cloth, grid, overlap }: Colours): void {
    this.threadMaterial.color.set(overlap);
    this.still.color.set(a);
    this.moving.color.set(b);
    this.fabric.color.set(cloth);
    this.ground.color.set(grid);
  }

  show({ bodies, cloths }: Moment): void {
    this.bodies.forEach((body, k) => {
      const [x, y, z, i, j, l, w] = bodies.subarray(7 * k, 7 * k + 7);
      body.position.set(x, y, z);
      body.quaternion.set(i, j, l, w);
    });
    this.cloths.forEach((cloth, k) => {
      const positions = cloth.geometry.getAttribute("position") as BufferAttribute;
      (positions.array as Float32Array).set(cloths[k]);
      positions.needsUpdate = true;
      cloth.geometry.computeVertexNormals();
    });
    this.stage.redraw();
  }

  /** Returns what may be pulled at a place of the page, and its point there. */
  pick(x: number, y: number): { grip: Grip; point: Vector3 } | undefined {
    for (const { geometry } of this.cloths) geometry.boundingSphere = null;
    const solid = this.bodies.filter((body) => body.material !== this.ground);
    const [first] = this.stage.castAt(x, y).intersectObjects([...solid, ...this.cloths], false);
    if (!first) return undefined;
    const { object, point, face } = first;
    const body = this.bodies.indexOf(object as Mesh);
    if (body >= 0) {
      if (this.bodies[body].material !== this.moving) return undefined;
      return { grip: { body, point: object.worldToLocal(point.clone()).toArray() }, point };
    }
    const cloth = this.cloths.indexOf(object as Mesh);
    if (!face) return undefined;
    const place = (vertex: number) => this.vertex(cloth, vertex);
    const [vertex] = [face.a, face.b, face.c].sort((a, b) => place(a).distanceTo(point) - place(b).distanceTo(point));
    return { grip: { cloth, vertex }, point: place(vertex) };
  }

  private vertex(cloth: number, vertex: number): Vector3 {
    return new Vector3().fromBufferAttribute(this.cloths[cloth].geometry.getAttribute("position"), vertex);
  }

  /** Shows a line from what is pulled to where it is pulled, or nothing. */
  showPull(grip: Grip | undefined, target: Vector3): void {
    this.thread.visible = grip !== undefined;
    if (!grip) return this.stage.redraw();
    const from = "body" in grip ? this.bodies[grip.body].localToWorld(new Vector3(...grip.point)) : this.vertex(grip.cloth, grip.vertex);
    this.thread.geometry.setFromPoints([from, target]);
    this.stage.redraw();
  }

  /** Returns a camera that sees everything but half-spaces. */
  overview(): Camera {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    for (const part of [...this.bodies, ...this.cloths]) {
      if (part.material === this.ground) continue;
      part.geometry.computeBoundingBox();
      box.expandByObject(part);
    }
    const { center, radius } = box.isEmpty() ? new Sphere(undefined, 1) : box.getBoundingSphere(new Sphere());
    const away = Math.max(radius, 0.02) * 2.9;
    const position = [center.x + 0.5 * away, center.y - 0.75 * away, center.z + 0.5 * away];
    return { position, target: center.toArray() };
  }

  fit(): void {
    // Everything has its size in metres.
  }
}

function meshGeometry(positions: Float32Array, triangles: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  const attribute = new BufferAttribute(positions, 3);
  attribute.setUsage(DynamicDrawUsage);
  geometry.setAttribute("position", attribute);
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}

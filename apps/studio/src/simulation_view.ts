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
  Sphere,
  Vector3,
} from "three";
import type { Colours } from "./colours";
import { ContactMarks } from "./contact_marks";
import type { Moment } from "./core";
import { Floor } from "./floor";
import type { DrawnScene } from "./scene_drawing";
import type { Grip } from "./pulling";
import type { Camera, Drawn, Stage } from "./stage";

/** From where a scene is seen at first. */
const LOOKS = new Vector3(-0.5, 0.75, -0.5);

export class SimulationView implements Drawn {
  readonly root = new Group();
  private readonly still = new MeshStandardMaterial({ roughness: 0.7, side: DoubleSide });
  private readonly moving = new MeshStandardMaterial({ roughness: 0.5 });
  private readonly fabric = new MeshStandardMaterial({ roughness: 0.85, side: DoubleSide });
  private readonly threadMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly thread = new Line(new BufferGeometry(), this.threadMaterial);
  private bodies: Mesh[] = [];
  private cloths: Mesh[] = [];
  private floors: Floor[] = [];
  private readonly contacts = new ContactMarks();
  private radius = 1;
  private last: Float64Array = new Float64Array();

  constructor(private readonly stage: Stage) {
    this.thread.visible = false;
    this.thread.frustumCulled = false;
    this.thread.renderOrder = 10;
    this.contacts.visible = false;
    this.root.add(this.thread, this.contacts);
  }

  /** Takes another scene, as it is at a moment. */
  build(scene: DrawnScene, moment: Moment): void {
    this.root.remove(...this.bodies, ...this.cloths);
    for (const old of [...this.bodies, ...this.cloths]) old.geometry.dispose();
    for (const floor of this.floors) floor.free();
    const shapes = scene.meshes.map(({ positions, normals, triangles }) => {
      const shape = meshGeometry(positions, triangles);
      shape.setAttribute("normal", new BufferAttribute(normals, 3));
      return shape;
    });
    // A half-space is drawn as a floor, which has its place when all others have theirs.
    this.bodies = scene.bodies.map(({ moves, mesh }) => (mesh === undefined ? new Mesh() : new Mesh(shapes[mesh], moves ? this.moving : this.still)));
    this.cloths = scene.cloths.map(({ vertices, triangles }) => {
      const cloth = meshGeometry(new Float32Array(3 * vertices), triangles);
      cloth.setAttribute("normal", new BufferAttribute(new Float32Array(3 * vertices), 3));
      return new Mesh(cloth, this.fabric);
    });
    // The vertices move out of the sphere of their start.
    for (const cloth of this.cloths) cloth.frustumCulled = false;
    for (const part of [...this.bodies, ...this.cloths]) part.castShadow = true;
    // On folds as fine as those of cloth shadows have steps.
    for (const body of this.bodies) body.receiveShadow = true;
    this.root.add(...this.bodies, ...this.cloths);
    this.show(moment);
    const { center, radius } = this.around();
    this.radius = radius;
    this.floors = [];
    scene.bodies.forEach(({ mesh }, k) => {
      if (mesh !== undefined) return;
      const at = this.bodies[k].worldToLocal(center.clone());
      const floor = new Floor([at.x, at.y], radius);
      floor.paint(this.stage.colours);
      this.root.remove(this.bodies[k]);
      this.root.add(floor);
      this.floors.push(floor);
      this.bodies[k] = floor;
    });
    this.show(moment);
  }

  paint(colours: Colours): void {
    const { a, b, cloth, overlap } = colours;
    this.threadMaterial.color.set(overlap);
    this.contacts.paint(colours);
    this.still.color.set(a);
    this.moving.color.set(b);
    this.fabric.color.set(cloth);
    for (const floor of this.floors) floor.paint(colours);
  }

  show({ bodies, cloths, contacts }: Moment): void {
    this.last = contacts;
    if (this.contacts.visible) this.contacts.show(contacts, this.radius);
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

  /** Draws the contacts of every frame, or none. */
  drawContacts(drawn: boolean): void {
    this.contacts.visible = drawn;
    if (drawn) this.contacts.show(this.last, this.radius);
    this.stage.redraw();
  }

  /** The number of contacts that are drawn. */
  get marks(): number {
    return this.contacts.visible ? this.last.length / 6 : 0;
  }

  /** Returns what may be pulled at a place of the page, and its point there. */
  pick(x: number, y: number): { grip: Grip; point: Vector3 } | undefined {
    for (const { geometry } of this.cloths) geometry.boundingSphere = null;
    const solid = this.bodies.filter((body) => !(body instanceof Floor));
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

  get hasFloor(): boolean {
    return this.floors.length > 0;
  }

  /** Returns the box of everything but half-spaces. */
  private box(): Box3 {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    for (const part of [...this.bodies, ...this.cloths]) {
      if (part instanceof Floor || part.geometry.getAttribute("position") === undefined) continue;
      part.geometry.computeBoundingBox();
      box.expandByObject(part);
    }
    return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
  }

  /** Returns the sphere around everything but half-spaces. */
  around(): Sphere {
    return this.box().getBoundingSphere(new Sphere());
  }

  /** Returns a camera that sees everything but half-spaces. */
  overview(): Camera {
    const { min, max } = this.box();
    const corners = [min, max].flatMap(({ x }) => [min, max].flatMap(({ y }) => [min, max].map(({ z }) => new Vector3(x, y, z))));
    return this.stage.overview(corners, LOOKS);
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

// The picture of a pair: two bodies, or a body and a point, plane or ray, with the answer.
import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  SphereGeometry,
  type Vector3,
} from "three";
import { Body, meshGeometry } from "./body";
import { GradientView } from "./gradient_view";
import { IteratesView } from "./iterates_view";
import type { Colours } from "./colours";
import type { Mesh as MeshArrays } from "./core";
import { Markers } from "./markers";
import type { Answer } from "./query";
import type { Drawn, Stage } from "./stage";
import type { Other, State } from "./pair_state";

const POINT_PIXELS = 7;
const RAY_PIXELS = 3;
/** The triangles of a mesh that is asked itself for the place of a pointer. */
const MOST_PICKED = 20_000;
/** The length of a ray that hits nothing. */
const FAR = 20;

export class PairView implements Drawn {
  readonly root = new Group();
  private readonly bodies: [Body, Body] = [new Body(), new Body()];
  private readonly stand = new Group();
  private readonly sheet = new MeshStandardMaterial({ roughness: 0.6, transparent: true, opacity: 0.55, side: DoubleSide });
  private readonly solid = new MeshBasicMaterial();
  private readonly point = new Mesh(new SphereGeometry(POINT_PIXELS, 20, 14), this.solid);
  private readonly plane = new Mesh(new PlaneGeometry(3, 3), this.sheet);
  private readonly ray: Mesh;
  private readonly markers = new Markers();
  private readonly iterates = new IteratesView();
  private readonly gradient = new GradientView();
  private readonly skin = new MeshStandardMaterial({ roughness: 0.55, side: DoubleSide });
  private readonly mesh = new Mesh(new BufferGeometry(), this.skin);
  /** What is asked for the place of a pointer instead of a large mesh: its box. */
  private readonly hull = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ visible: false }));

  constructor(private readonly stage: Stage) {
    const rod = new CylinderGeometry(RAY_PIXELS, RAY_PIXELS, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.ray = new Mesh(rod, this.solid);
    this.stand.add(this.point, this.plane, this.ray, this.mesh, this.hull);
    this.root.add(...this.bodies, this.stand, this.markers, this.iterates, this.gradient);
  }

  /** Takes another mesh. */
  setMesh(arrays: MeshArrays): void {
    const geometry = meshGeometry(arrays);
    geometry.computeBoundingBox();
    geometry.computeBoundingSphere();
    const { min, max } = geometry.boundingBox!;
    this.mesh.geometry.dispose();
    this.hull.geometry.dispose();
    this.mesh.geometry = geometry;
    this.hull.geometry = new BoxGeometry(max.x - min.x, max.y - min.y, max.z - min.z);
    this.hull.position.copy(min).add(max).multiplyScalar(0.5);
  }

  paint({ a, b, text, ...others }: Colours): void {
    this.bodies[0].paint(a, text);
    this.bodies[1].paint(b, text);
    this.sheet.color.set(b);
    this.skin.color.set(b);
    this.solid.color.set(b);
    this.markers.paint({ a, b, text, ...others });
  }

  show(state: State, answer: Answer): void {
    state.bodies.forEach((body, k) => {
      const drawn = k === 0 || state.other === "body" ? this.bodies[k] : this.stand;
      drawn.position.set(body.pose[0], body.pose[1], body.pose[2]);
      drawn.quaternion.set(body.pose[3], body.pose[4], body.pose[5], body.pose[6]).normalize();
    });
    const [a, b] = this.bodies;
    a.show(state.bodies[0], state.overlay);
    b.visible = state.other === "body";
    if (b.visible) b.show(state.bodies[1], state.overlay);
    this.showStand(state.other);
    const [x, y, z] = state.bodies[1].pose;
    const hit = answer.kind === "ray" ? answer.hit : undefined;
    this.ray.scale.z = hit ? Math.hypot(hit.point[0] - x, hit.point[1] - y, hit.point[2] - z) : FAR;
    this.markers.show(answer, [x, y, z], this.stage.colours);
    const { colours } = this.stage;
    const contact = answer.kind === "contact" ? answer : undefined;
    if (contact && Number.isNaN(contact.contact.distance)) this.markers.visible = false;
    this.iterates.show(contact?.trace, state.bodies);
    this.gradient.show(contact?.gradient, state.bodies, [colours.a, colours.b], colours.text);
    // The chosen body glows a little.
    this.bodies.forEach((body, k) => {
      body.material.emissive.set(body.material.color).multiplyScalar(k === state.selected ? 0.16 : 0);
    });
    this.stage.redraw();
  }

  private showStand(other: Other): void {
    this.stand.visible = other !== "body";
    this.point.visible = other === "point" || other === "ray";
    this.plane.visible = other === "plane";
    this.ray.visible = other === "ray";
    this.mesh.visible = other === "mesh";
    this.hull.visible = other === "mesh";
  }

  /** Returns which body is at a place of the page, and its point there. */
  pick(x: number, y: number): { body: 0 | 1; point: Vector3 } | undefined {
    const meshes: Mesh[] = [this.bodies[0].surface];
    if (this.bodies[1].visible) meshes.push(this.bodies[1].surface);
    else if (this.mesh.visible) meshes.push(this.isLarge() ? this.hull : this.mesh);
    else meshes.push(...[this.point, this.plane, this.ray].filter((part) => part.visible));
    const [first] = this.stage.castAt(x, y).intersectObjects(meshes, false);
    if (!first) return undefined;
    return { body: first.object === this.bodies[0].surface ? 0 : 1, point: first.point };
  }

  private isLarge(): boolean {
    return (this.mesh.geometry.index?.count ?? 0) > 3 * MOST_PICKED;
  }

  fit(perPixel: (point: Vector3) => number): void {
    this.markers.fit(perPixel);
    const scale = perPixel(this.stand.position);
    this.point.scale.setScalar(scale);
    this.ray.scale.x = this.ray.scale.y = scale;
  }
}

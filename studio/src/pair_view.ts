// The picture of a pair: two bodies, or a body and a point, plane or ray, with the answer.
import {
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
import { Body } from "./body";
import type { Colours } from "./colours";
import { Markers } from "./markers";
import type { Answer } from "./query";
import type { Drawn, Stage } from "./stage";
import type { Other, State } from "./pair_state";

const POINT_PIXELS = 7;
const RAY_PIXELS = 3;
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

  constructor(private readonly stage: Stage) {
    const rod = new CylinderGeometry(RAY_PIXELS, RAY_PIXELS, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.ray = new Mesh(rod, this.solid);
    this.stand.add(this.point, this.plane, this.ray);
    this.root.add(...this.bodies, this.stand, this.markers);
  }

  paint({ a, b, text, ...others }: Colours): void {
    this.bodies[0].paint(a, text);
    this.bodies[1].paint(b, text);
    this.sheet.color.set(b);
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
  }

  /** Returns which body is at a place of the page, and its point there. */
  pick(x: number, y: number): { body: 0 | 1; point: Vector3 } | undefined {
    const meshes: Mesh[] = [this.bodies[0].surface];
    if (this.bodies[1].visible) meshes.push(this.bodies[1].surface);
    else meshes.push(...[this.point, this.plane, this.ray].filter((part) => part.visible));
    const [first] = this.stage.castAt(x, y).intersectObjects(meshes, false);
    if (!first) return undefined;
    return { body: first.object === this.bodies[0].surface ? 0 : 1, point: first.point };
  }

  fit(perPixel: (point: Vector3) => number): void {
    this.markers.fit(perPixel);
    const scale = perPixel(this.stand.position);
    this.point.scale.setScalar(scale);
    this.ray.scale.x = this.ray.scale.y = scale;
  }
}

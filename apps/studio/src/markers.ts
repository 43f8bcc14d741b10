// What is drawn of an answer: witness points with their tangent circles, the line between them and the normal.
import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from "three";
import type { Vector } from "./core";
import type { Answer } from "./query";
import type { Colours } from "./colours";

const UP = new Vector3(0, 0, 1);
/** Sizes in pixels. */
const DOT = 5.5;
const CIRCLE = 20;
const ARROW = 62;
const LINE = 2.4;

export class Markers extends Group {
  private readonly materials = { a: flat(), b: flat(), line: flat(), normal: flat() };
  private readonly dots: [Mesh, Mesh];
  private readonly circles: [Mesh, Mesh];
  private readonly line: Mesh;
  private readonly arrow = new Group();
  private points: [Vector3, Vector3] = [new Vector3(), new Vector3()];
  private readonly turn = new Quaternion();

  constructor() {
    super();
    const { a, b, line, normal } = this.materials;
    const dot = new SphereGeometry(DOT, 20, 14);
    const circle = new RingGeometry(CIRCLE - 1.6, CIRCLE, 40);
    // Both lie along z.
    const rod = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const tip = new ConeGeometry(5.5, 15, 16).rotateX(Math.PI / 2);
    this.dots = [this.added(dot, a), this.added(dot, b)];
    this.circles = [this.added(circle, a), this.added(circle, b)];
    this.line = this.added(rod, line);
    const shaft = new Mesh(rod, normal);
    shaft.scale.set(0.8, 0.8, ARROW - 10);
    const cone = new Mesh(tip, normal);
    cone.position.z = ARROW - 7;
    for (const part of [shaft, cone]) {
      part.renderOrder = 10;
      this.arrow.add(part);
    }
    this.add(this.arrow);
  }

  private added(geometry: BufferGeometry, material: MeshBasicMaterial): Mesh {
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = 10;
    this.add(mesh);
    return mesh;
  }

  paint(colours: Colours): void {
    this.materials.a.color.set(colours.a);
    this.materials.b.color.set(colours.b);
    this.materials.normal.color.set(colours.text);
  }

  /** Takes an answer; `from` is where a ray begins. */
  show(answer: Answer, from: Vector, colours: Colours): void {
    if (answer.kind === "contact") {
      const { pointA, pointB, normal, distance } = answer.contact;
      this.visible = true;
      this.place(pointA, pointB, normal);
      this.materials.line.color.set(distance > 0 ? colours.apart : colours.overlap);
    } else if (answer.hit) {
      this.visible = true;
      this.place(answer.hit.point, from, answer.hit.normal);
      this.materials.line.color.set(colours.b);
    } else {
      this.visible = false;
    }
    const contact = answer.kind === "contact";
    this.circles[1].visible = contact;
    this.dots[1].visible = contact;
    this.line.visible = contact;
  }

  private place(a: Vector, b: Vector, normal: Vector): void {
    this.points = [new Vector3(...a), new Vector3(...b)];
    this.turn.setFromUnitVectors(UP, new Vector3(...normal).normalize());
    for (const k of [0, 1]) {
      this.dots[k].position.copy(this.points[k]);
      this.circles[k].position.copy(this.points[k]);
      this.circles[k].quaternion.copy(this.turn);
    }
    this.arrow.position.copy(this.points[0]);
    this.arrow.quaternion.copy(this.turn);
    const between = this.points[1].clone().sub(this.points[0]);
    this.line.position.copy(this.points[0]);
    this.line.scale.z = between.length();
    if (between.lengthSq() > 0) this.line.quaternion.setFromUnitVectors(UP, between.normalize());
  }

  /** Gives everything its size on the screen: `perPixel` are the metres of a pixel at a point. */
  fit(perPixel: (point: Vector3) => number): void {
    for (const k of [0, 1]) {
      const scale = perPixel(this.points[k]);
      this.dots[k].scale.setScalar(scale);
      this.circles[k].scale.setScalar(scale);
    }
    const scale = perPixel(this.points[0]);
    this.arrow.scale.setScalar(scale);
    this.line.scale.x = this.line.scale.y = scale * LINE;
  }
}

/** What an answer is drawn with is seen through the bodies. */
function flat(): MeshBasicMaterial {
  return new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, side: 2 });
}

// The picture of a figure: bones, joints, bodies that are seen through, and the ranges of the chosen joint.
import {
  BufferGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
  type Material,
} from "three";
import { surfaceGeometry } from "./body";
import type { Colours } from "./colours";
import type { SketchBone, SketchHitbox, SketchState } from "./core";
import { Pies } from "./sketch_pies";
import type { Drawn, Stage } from "./stage";

/** The edges around of a body. */
const SEGMENTS = 40;
/** Pixels of a joint's radius, of the root's, of one that is held, and of a bone's. */
const JOINT = 6;
const ROOT = 8;
const HELD = 10;
const BONE = 3.5;
/** The radius of a pie in parts of its bone, and pixels. */
const PIE = 0.5;

const UP = new Vector3(0, 1, 0);

/** What is chosen. */
export type Selected = { kind: "bone" | "hitbox"; id: number };

/** Meshes of as many things as there are, by their keys. */
class Things {
  readonly meshes = new Map<number, Mesh>();

  constructor(
    private readonly root: Group,
    private readonly made: () => Mesh,
    private readonly freed: (mesh: Mesh) => void = () => undefined,
  ) {}

  /** Returns the mesh of each key, new ones where there was none; those of other keys are gone. */
  of(keys: number[]): Mesh[] {
    const wanted = new Set(keys);
    for (const [key, mesh] of this.meshes) {
      if (wanted.has(key)) continue;
      this.root.remove(mesh);
      this.meshes.delete(key);
      this.freed(mesh);
    }
    return keys.map((key) => {
      const known = this.meshes.get(key);
      if (known) return known;
      const mesh = this.made();
      this.meshes.set(key, mesh);
      this.root.add(mesh);
      return mesh;
    });
  }
}

export class SketchView implements Drawn {
  readonly root = new Group();
  // Bones and joints are drawn after the bodies about them, which do not dull them so.
  private readonly blue = new MeshStandardMaterial({ roughness: 0.5, transparent: true });
  private readonly green = new MeshStandardMaterial({ roughness: 0.4, transparent: true });
  private readonly bright = new MeshStandardMaterial({ roughness: 0.4, transparent: true });
  private readonly skin = seenThrough(0.34);
  private readonly chosenSkin = seenThrough(0.5);
  private readonly ball = new SphereGeometry(1, 20, 14);
  private readonly rod = new CylinderGeometry(0.6, 1, 1, 14);
  private readonly bones = new Things(this.root, () => after(new Mesh(this.rod, this.blue)));
  private readonly joints = new Things(this.root, () => after(new Mesh(this.ball, this.green)));
  private readonly hitboxes = new Things(
    this.root,
    () => new Mesh(new BufferGeometry(), this.skin),
    (mesh) => mesh.geometry.dispose(),
  );
  private readonly pies = new Pies();
  private readonly exponents = new Map<number, string>();
  private state: SketchState = { root: undefined, joints: [], bones: [], hitboxes: [] };
  private held: number | undefined;
  private chosen: SketchBone | undefined;

  constructor(private readonly stage: Stage) {
    this.root.add(this.pies.root);
  }

  paint(colours: Colours): void {
    this.blue.color.set(colours.a);
    this.green.color.set(colours.apart);
    this.bright.color.set(colours.b);
    this.skin.color.set(colours.cloth);
    this.chosenSkin.color.set(colours.b);
    this.pies.paint(colours);
  }

  /** Shows a figure, with what is chosen, and the joint that is being moved. */
  show(state: SketchState, selected: Selected | undefined, held: number | undefined): void {
    [this.state, this.held] = [state, held];
    const places = this.places();
    this.joints.of(state.joints.map(({ id }) => id)).forEach((ball, k) => {
      ball.position.fromArray(state.joints[k].place);
      ball.material = state.joints[k].id === held ? this.bright : this.green;
    });
    this.chosen = selected?.kind === "bone" ? state.bones.find(({ id }) => id === selected.id) : undefined;
    this.bones.of(state.bones.map(({ id }) => id)).forEach((rod, k) => {
      const bone = state.bones[k];
      const [near, far] = [bone.near, bone.far].map((id) => places.get(id) ?? new Vector3());
      rod.position.copy(near).add(far).multiplyScalar(0.5);
      rod.quaternion.setFromUnitVectors(UP, far.clone().sub(near).normalize());
      rod.scale.y = near.distanceTo(far);
      rod.material = bone === this.chosen ? this.bright : this.blue;
    });
    this.hitboxes.of(state.hitboxes.map(({ id }) => id)).forEach((mesh, k) => {
      const hitbox = state.hitboxes[k];
      const isChosen = selected?.kind === "hitbox" && selected.id === hitbox.id;
      this.showHitbox(mesh, hitbox, isChosen ? this.chosenSkin : this.skin);
    });
    for (const id of this.exponents.keys()) if (!this.hitboxes.meshes.has(id)) this.exponents.delete(id);
    const [near, far] = this.chosen ? [this.chosen.near, this.chosen.far].map((id) => places.get(id)) : [];
    this.pies.show(this.chosen, near && far ? PIE * near.distanceTo(far) : 0);
    this.stage.redraw();
  }

  private showHitbox(mesh: Mesh, { id, numbers, pose }: SketchHitbox, material: Material): void {
    const [a1, a2, a3, ...form] = numbers;
    if (this.exponents.get(id) !== form.join()) {
      this.exponents.set(id, form.join());
      mesh.geometry.dispose();
      mesh.geometry = surfaceGeometry([1, 1, 1, ...form], SEGMENTS);
    }
    const [x, y, z, i, j, k, w] = pose;
    mesh.position.set(x, y, z);
    mesh.quaternion.set(i, j, k, w);
    mesh.scale.set(a1, a2, a3);
    mesh.material = material;
  }

  private places(): Map<number, Vector3> {
    return new Map(this.state.joints.map(({ id, place }) => [id, new Vector3(...place)]));
  }

  /** Returns the bodies at a place of the page, the foremost first. */
  bodiesAt(x: number, y: number): number[] {
    const { meshes } = this.hitboxes;
    const keys = new Map([...meshes].map(([key, mesh]) => [mesh as object, key]));
    const hits = this.stage.castAt(x, y).intersectObjects([...meshes.values()], false);
    return [...new Set(hits.map(({ object }) => keys.get(object) ?? -1))];
  }

  /** Returns points that the whole figure lies between. */
  points(): Vector3[] {
    const around = this.state.hitboxes.flatMap(({ numbers, pose }) => {
      const [centre, radius] = [new Vector3().fromArray(pose), Math.max(...numbers.slice(0, 3))];
      return [-1, 1].map((sign) => centre.clone().addScalar(sign * radius));
    });
    return [...this.places().values(), ...around];
  }

  fit(perPixel: (point: Vector3) => number): void {
    for (const [id, ball] of this.joints.meshes) {
      const pixels = id === this.held ? HELD : id === this.state.root ? ROOT : JOINT;
      ball.scale.setScalar(pixels * perPixel(ball.position));
    }
    for (const rod of this.bones.meshes.values()) rod.scale.x = rod.scale.z = BONE * perPixel(rod.position);
  }
}

function after(mesh: Mesh): Mesh {
  mesh.renderOrder = 3;
  return mesh;
}

/** The material of a body through which its bone is seen. */
function seenThrough(opacity: number): MeshStandardMaterial {
  return new MeshStandardMaterial({ roughness: 0.6, transparent: true, opacity, depthWrite: false });
}

// The picture: two bodies, or a body and a point, plane or ray, with the answer; drawn only when something changed.
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  GridHelper,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  SphereGeometry,
  CylinderGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
  WireframeGeometry,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { colours, type Colours } from "./colours";
import { mesh, type Numbers, type Placed, type Vector } from "./core";
import { Markers } from "./markers";
import type { Answer } from "./query";
import type { Other, State } from "./state";

/** The edges around of the meshes that stand for the surfaces. */
const SEGMENTS = 96;
const POINT_PIXELS = 7;

/** A body in the picture: its surface, and the mesh that is laid over. */
class Body extends Group {
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
    if (changed) replace(this.surface, surfaceGeometry(body.numbers));
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

/** Lets a pointer be captured or let go that is up already: its events came out of order. */
function forgivePointers(canvas: HTMLCanvasElement): void {
  for (const name of ["setPointerCapture", "releasePointerCapture"] as const) {
    const own = canvas[name].bind(canvas);
    canvas[name] = (pointer: number) => {
      try {
        own(pointer);
      } catch {
        // Nothing is captured, and nothing is left to let go.
      }
    };
  }
}

function replace(drawn: Mesh | LineSegments, geometry: BufferGeometry): void {
  drawn.geometry.dispose();
  drawn.geometry = geometry;
}

function surfaceGeometry(numbers: Numbers): BufferGeometry {
  const made = mesh(numbers, SEGMENTS);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(made.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(made.normals, 3));
  geometry.setIndex(new BufferAttribute(made.triangles, 1));
  return geometry;
}

function wires(numbers: Numbers, segments: number): BufferGeometry {
  const made = mesh(numbers, segments);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(made.positions, 3));
  geometry.setIndex(new BufferAttribute(made.triangles, 1));
  const lines = new WireframeGeometry(geometry);
  geometry.dispose();
  return lines;
}

export class View {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 200);
  readonly controls: OrbitControls;
  private readonly bodies: [Body, Body] = [new Body(), new Body()];
  private readonly stand = new Group();
  private readonly standMaterial = new MeshStandardMaterial({ roughness: 0.6, transparent: true, opacity: 0.55, side: DoubleSide });
  private readonly solidMaterial = new MeshBasicMaterial();
  private readonly point: Mesh;
  private readonly plane: Mesh;
  private readonly ray: Mesh;
  private readonly markers = new Markers();
  private grid: GridHelper | undefined;
  private readonly caster = new Raycaster();
  private colours: Colours = colours();
  private due = 0;

  /** `moved` is called when the camera has moved, `lost` when the picture is lost or back. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    moved: () => void,
    lost: (lost: boolean) => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera.up.set(0, 0, 1);
    forgivePointers(canvas);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.minDistance = 0.2;
    this.controls.maxDistance = 50;
    this.controls.addEventListener("change", () => {
      this.redraw();
      moved();
    });
    const sun = new DirectionalLight(0xffffff, 2.1);
    sun.position.set(2, -4, 6);
    const fill = new DirectionalLight(0xffffff, 0.6);
    fill.position.set(-4, 2, -2);
    this.scene.add(new AmbientLight(0xffffff, 1.1), sun, fill, ...this.bodies, this.stand, this.markers);
    this.point = new Mesh(new SphereGeometry(POINT_PIXELS, 20, 14), this.solidMaterial);
    this.plane = new Mesh(new PlaneGeometry(3, 3), this.standMaterial);
    this.ray = new Mesh(new CylinderGeometry(3, 3, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), this.solidMaterial);
    this.stand.add(this.point, this.plane, this.ray);
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      lost(true);
    });
    canvas.addEventListener("webglcontextrestored", () => {
      lost(false);
      this.redraw();
    });
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.paint();
    this.resize();
  }

  /** Reads the colours anew. */
  paint(): void {
    this.colours = colours();
    const { stage, grid, a, b, text } = this.colours;
    this.scene.background = new Color(stage);
    this.bodies[0].paint(a, text);
    this.bodies[1].paint(b, text);
    this.standMaterial.color.set(b);
    this.solidMaterial.color.set(b);
    this.markers.paint(this.colours);
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    this.grid = new GridHelper(12, 24, grid, grid);
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.z = -1.2;
    this.scene.add(this.grid);
    this.redraw();
  }

  show(state: State, answer: Answer): void {
    const [a, b] = this.bodies;
    state.bodies.forEach((body, k) => {
      const drawn = k === 0 || state.other === "body" ? this.bodies[k] : this.stand;
      drawn.position.set(body.pose[0], body.pose[1], body.pose[2]);
      drawn.quaternion.set(body.pose[3], body.pose[4], body.pose[5], body.pose[6]).normalize();
    });
    a.show(state.bodies[0], state.overlay);
    b.visible = state.other === "body";
    if (b.visible) b.show(state.bodies[1], state.overlay);
    this.showStand(state.other);
    const [x, y, z] = state.bodies[1].pose;
    const hit = answer.kind === "ray" ? answer.hit : undefined;
    this.ray.scale.z = hit ? Math.hypot(hit.point[0] - x, hit.point[1] - y, hit.point[2] - z) : 20;
    this.markers.show(answer, [x, y, z], this.colours);
    // The chosen body glows a little.
    this.bodies.forEach((body, k) => {
      body.material.emissive.set(body.material.color).multiplyScalar(k === state.selected ? 0.16 : 0);
    });
    this.redraw();
  }

  private showStand(other: Other): void {
    this.stand.visible = other !== "body";
    this.point.visible = other === "point" || other === "ray";
    this.plane.visible = other === "plane";
    this.ray.visible = other === "ray";
  }

  setCamera(position: number[], target: number[]): void {
    this.camera.position.fromArray(position);
    this.controls.target.fromArray(target);
    this.controls.update();
    this.redraw();
  }

  /** Returns the metres of a pixel at a point. */
  private perPixel(point: Vector3): number {
    const depth = point.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new Vector3()));
    const height = 2 * Math.tan((this.camera.fov * Math.PI) / 360) * Math.max(depth, 0.01);
    return height / Math.max(this.canvas.clientHeight, 1);
  }

  /** Returns the ray through a place of the page. */
  castAt(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const place = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.camera.updateMatrixWorld();
    this.caster.setFromCamera(place, this.camera);
    return this.caster;
  }

  /** Returns which body is at a place of the page, and its point there. */
  pick(x: number, y: number): { body: 0 | 1; point: Vector3 } | undefined {
    this.scene.updateMatrixWorld();
    this.fit();
    const meshes: Mesh[] = [this.bodies[0].surface];
    if (this.bodies[1].visible) meshes.push(this.bodies[1].surface);
    else meshes.push(...[this.point, this.plane, this.ray].filter((part) => part.visible));
    const [first] = this.castAt(x, y).intersectObjects(meshes, false);
    if (!first) return undefined;
    return { body: first.object === this.bodies[0].surface ? 0 : 1, point: first.point };
  }

  /** Returns the place on the page where a point is seen. */
  project([x, y, z]: Vector): [number, number] {
    this.camera.updateMatrixWorld();
    const seen = new Vector3(x, y, z).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + ((seen.x + 1) / 2) * box.width, box.top + ((1 - seen.y) / 2) * box.height];
  }

  /** Draws, and returns red, green and blue of the pixel at a place of the page. */
  pixel(x: number, y: number): number[] {
    this.draw();
    const gl = this.renderer.getContext();
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    const read = new Uint8Array(4);
    const [column, row] = [Math.floor((x - box.left) * scale), Math.floor((box.bottom - y) * scale)];
    gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, read);
    return [...read.slice(0, 3)];
  }

  /** Returns how much the picture has in memory, and the pictures drawn. */
  get use(): { geometries: number; textures: number; frames: number } {
    const { memory, render } = this.renderer.info;
    return { geometries: memory.geometries, textures: memory.textures, frames: render.frame };
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // On a narrow screen the horizontal angle stays that of a square one.
    this.camera.fov = width < height ? (2 * Math.atan(Math.tan(Math.PI / 9) * (height / width)) * 180) / Math.PI : 40;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  private fit(): void {
    this.markers.fit((point) => this.perPixel(point));
    const scale = this.perPixel(this.stand.position);
    this.point.scale.setScalar(scale);
    this.ray.scale.x = this.ray.scale.y = scale;
  }

  /** Draws with the next picture of the screen. */
  redraw(): void {
    if (this.due === 0) this.due = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    cancelAnimationFrame(this.due);
    this.due = 0;
    this.fit();
    this.renderer.render(this.scene, this.camera);
  }
}

// The canvas: renderer, camera, light and ground, which all rooms share. It draws only when something changed.
import {
  AmbientLight,
  Color,
  DirectionalLight,
  GridHelper,
  OrthographicCamera,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Sphere,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { colours, type Colours } from "./colours";
import type { Placed, Vector } from "./core";
import type { Turned } from "./square";

/** What a room draws. */
export interface Drawn {
  root: Object3D;
  paint(colours: Colours): void;
  /** Gives things that have their size on the screen that size: `perPixel` are the metres of a pixel at a point. */
  fit(perPixel: (point: Vector3) => number): void;
}

/** A grid for the eye: its height and the length of its side, metres. */
export interface Ground {
  height: number;
  size: number;
}

export interface Camera {
  position: number[];
  target: number[];
}

/** A part of the canvas with a camera of its own. */
export interface Pane {
  camera: PerspectiveCamera | OrthographicCamera;
  /** Left, top, width and height, in parts of the canvas. */
  box: [number, number, number, number];
  /** Makes the camera see what a pane of as many pixels shows. */
  aim(width: number, height: number): void;
}

/** The direction towards the sun, without and with shadows, and the pixels of a side of its picture of shadows. */
const SUN = new Vector3(2, -4, 6).normalize();
const LOW_SUN = new Vector3(-3, -2, 3.5).normalize();
const SHADOW_PIXELS = 1024;
/** The share of the picture that an overview fills. */
const FILLED = 0.86;

/** Returns whether the browser draws without a graphics card: smooth edges would take half of the time then. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const named = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && named ? String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.001, 200);
  readonly controls: OrbitControls;
  private grid: GridHelper | undefined;
  private ground: Ground | undefined;
  private readonly sky = new AmbientLight();
  private readonly sun = new DirectionalLight();
  private readonly fill = new DirectionalLight();
  private readonly caster = new Raycaster();
  private drawn: Drawn | undefined;
  private due = 0;
  /** The whole canvas, with the camera that the controls turn. */
  private readonly whole: Pane = { camera: this.camera, box: [0, 0, 1, 1], aim: (width, height) => this.aim(width, height) };
  private panes = [this.whole];
  colours: Colours = colours();

  /** `moved` is called when the camera has moved, `lost` when the picture is lost or back. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    moved: () => void,
    lost: (lost: boolean) => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !drawsInSoftware() });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.camera.up.set(0, 0, 1);
    forgivePointers(canvas);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.minDistance = 0.01;
    this.controls.maxDistance = 50;
    this.controls.addEventListener("change", () => {
      this.redraw();
      moved();
    });
    this.fill.position.set(-4, 2, -2);
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.scene.add(this.sky, this.sun, this.sun.target, this.fill);
    this.shade();
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      lost(true);
    });
    canvas.addEventListener("webglcontextrestored", () => {
      lost(false);
      this.redraw();
    });
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  /** Lets what is in a sphere throw shadows from a direction, or nothing; with shadows less of the light comes from all sides. */
  shade(around?: Sphere, from = LOW_SUN): void {
    const { sun, sky, fill } = this;
    sun.castShadow = around !== undefined;
    [sky.intensity, sun.intensity, fill.intensity] = around ? [0.75, 2.7, 0.15] : [1.1, 2.1, 0.6];
    const { center, radius } = around ?? new Sphere(new Vector3(), 1);
    sun.target.position.copy(center);
    sun.position.copy(around ? from : SUN).multiplyScalar(2 * radius).add(center);
    const { shadow } = sun;
    const { camera } = shadow;
    [camera.left, camera.right, camera.bottom, camera.top] = [-radius, radius, -radius, radius];
    [camera.near, camera.far] = [0.5 * radius, 3.5 * radius];
    camera.updateProjectionMatrix();
    // What is lit does not throw a shadow on itself.
    shadow.bias = -0.001;
    shadow.normalBias = (6 * radius) / SHADOW_PIXELS;
    [shadow.radius, shadow.intensity] = [3, 0.7];
    this.redraw();
  }

  /** Returns a camera that looks in a direction and sees all of some points, however wide the picture is. */
  overview(points: Vector3[], direction: Vector3): Camera {
    this.aim(this.canvas.clientWidth || 1, this.canvas.clientHeight || 1);
    const back = direction.clone().normalize().negate();
    const right = new Vector3().crossVectors(new Vector3(0, 0, 1), back).normalize();
    const up = new Vector3().crossVectors(back, right);
    const high = FILLED * Math.tan((this.camera.fov * Math.PI) / 360);
    // A camera at (c, d) sees x where |x·u − c| ≤ t (d − x·back), for both directions u of the picture.
    const bounds = ([[right, high * this.camera.aspect], [up, high]] as const).map(([u, t]) => {
      const most = (sign: number) => Math.max(...points.map((x) => sign * x.dot(u) + t * x.dot(back)));
      const [above, below] = [most(1), most(-1)];
      return { centre: (above - below) / 2, away: (above + below) / (2 * t) };
    });
    const away = Math.max(...bounds.map((bound) => bound.away));
    const position = right.multiplyScalar(bounds[0].centre).addScaledVector(up, bounds[1].centre).addScaledVector(back, away);
    const depths = points.map((x) => x.dot(back));
    const middle = (Math.max(...depths) + Math.min(...depths)) / 2;
    return { position: position.toArray(), target: position.clone().addScaledVector(back, middle - away).toArray() };
  }

  /** Shows what a room draws, instead of another room's; without a ground there is no grid. */
  enter(drawn: Drawn, ground?: Ground): void {
    this.shade();
    if (this.drawn) this.scene.remove(this.drawn.root);
    this.drawn = drawn;
    this.ground = ground;
    this.scene.add(drawn.root);
    this.paint();
  }

  /** Reads the colours anew. */
  paint(): void {
    this.colours = colours();
    this.scene.background = new Color(this.colours.stage);
    this.drawn?.paint(this.colours);
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    this.grid = undefined;
    if (this.ground) {
      this.grid = new GridHelper(this.ground.size, 24, this.colours.grid, this.colours.grid);
      this.grid.rotation.x = Math.PI / 2;
      this.grid.position.z = this.ground.height;
      this.scene.add(this.grid);
    }
    this.redraw();
  }

  /** How a body is turned to a camera. */
  turned({ numbers, pose }: Placed, camera: Object3D = this.camera): Turned {
    const [i, j, k, w] = pose.slice(3);
    return { numbers, turn: camera.quaternion.clone().conjugate().multiply(new Quaternion(i, j, k, w).normalize()) };
  }

  setCamera({ position, target }: Camera): void {
    this.camera.position.fromArray(position);
    this.controls.target.fromArray(target);
    this.controls.update();
    this.redraw();
  }

  getCamera(): Camera {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  /** Divides the canvas; without panes it is whole. */
  setPanes(panes: Pane[] = [this.whole]): void {
    this.panes = panes;
    this.resize();
  }

  /** Makes the camera that the controls turn see what a pane of as many pixels shows. */
  aim(width: number, height: number): void {
    this.camera.aspect = width / height;
    // On a narrow screen the horizontal angle stays that of a square one.
    this.camera.fov = width < height ? (2 * Math.atan(Math.tan(Math.PI / 9) * (height / width)) * 180) / Math.PI : 40;
    this.camera.updateProjectionMatrix();
  }

  /** Returns the metres of a pixel at a point that a pane shows. */
  private perPixel(point: Vector3, { camera, box }: Pane): number {
    const pixels = Math.max(box[3] * this.canvas.clientHeight, 1);
    if (camera instanceof OrthographicCamera) return (camera.top - camera.bottom) / pixels;
    const depth = point.clone().sub(camera.position).dot(camera.getWorldDirection(new Vector3()));
    return (2 * Math.tan((camera.fov * Math.PI) / 360) * Math.max(depth, 0.001)) / pixels;
  }

  /** Returns the ray through a place of the page. */
  castAt(x: number, y: number): Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const [u, v] = [(x - left) / width, (y - top) / height];
    const has = ({ box: [l, t, w, h] }: Pane) => l <= u && u <= l + w && t <= v && v <= t + h;
    const pane = this.panes.find(has) ?? this.panes[0];
    const [l, t, w, h] = pane.box;
    const place = new Vector2(((u - l) / w) * 2 - 1, 1 - ((v - t) / h) * 2);
    pane.aim(w * width, h * height);
    this.fit(pane);
    this.scene.updateMatrixWorld();
    pane.camera.updateMatrixWorld();
    this.caster.setFromCamera(place, pane.camera);
    return this.caster;
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
    for (const pane of this.panes) pane.aim(pane.box[2] * width, pane.box[3] * height);
    this.draw();
  }

  private fit(pane: Pane): void {
    this.drawn?.fit((point) => this.perPixel(point, pane));
  }

  /** Draws with the next picture of the screen. */
  redraw(): void {
    if (this.due === 0) this.due = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    cancelAnimationFrame(this.due);
    this.due = 0;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.renderer.setScissorTest(this.panes.length > 1);
    for (const pane of this.panes) {
      const [left, top, wide, high] = pane.box;
      const part = [left * width, (1 - top - high) * height, wide * width, high * height] as const;
      this.renderer.setViewport(...part);
      this.renderer.setScissor(...part);
      pane.aim(part[2], part[3]);
      this.fit(pane);
      this.renderer.render(this.scene, pane.camera);
    }
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

// The picture of a terrain: the cloth, the bodies under it, clothespins and handles; or its mesh with a walker.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Raycaster,
  RepeatWrapping,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
} from "three";
import { surfaceGeometry } from "./body";
import type { Colours } from "./colours";
import type { TerrainBody, TerrainPin, TerrainWalker, WalkerPose } from "./core";
import { Floor } from "./floor";
import { SmoothCloth } from "./smooth_cloth";
import type { Drawn, Stage } from "./stage";

/** Metres from the middle of the ground to a corner of the cloth. */
const EXTENT = 1.5;
/** The edges around of a body. */
const SEGMENTS = 40;
/** Pixels of a pin and of a handle. */
const PIN = 7;
const HANDLE = 9;

/** A body: its surface, which the cloth covers, and its silhouette, which is seen through the cloth. */
class Hill extends Group {
  private readonly surface: Mesh;
  private readonly silhouette: Mesh;
  private exponents = "";

  constructor(
    readonly body: number,
    surface: MeshStandardMaterial,
    silhouette: MeshBasicMaterial,
  ) {
    super();
    this.surface = new Mesh(new BufferGeometry(), surface);
    this.silhouette = new Mesh(this.surface.geometry, silhouette);
    this.silhouette.renderOrder = 5;
    this.add(this.surface, this.silhouette);
  }

  show({ numbers, pose }: TerrainBody, silhouette: MeshBasicMaterial): void {
    const [a1, a2, a3, ...exponents] = numbers;
    if (exponents.join() !== this.exponents) {
      this.exponents = exponents.join();
      this.surface.geometry.dispose();
      this.surface.geometry = this.silhouette.geometry = surfaceGeometry([1, 1, 1, ...exponents], SEGMENTS);
    }
    this.silhouette.material = silhouette;
    const [x, y, z, i, j, k, w] = pose;
    this.position.set(x, y, z);
    this.quaternion.set(i, j, k, w);
    this.scale.set(a1, a2, a3);
  }

  free(): void {
    this.surface.geometry.dispose();
  }
}

export class TerrainView implements Drawn {
  readonly root = new Group();
  private readonly making = new Group();
  private readonly walking = new Group();
  private readonly fabric = new MeshLambertMaterial({ side: DoubleSide });
  private readonly stone = new MeshLambertMaterial({ side: DoubleSide, map: rock() });
  private readonly surface = new MeshStandardMaterial({ roughness: 0.6 });
  private readonly silhouette = seenThrough(0.1);
  private readonly chosen = seenThrough(0.45);
  private readonly pinMaterial = new MeshStandardMaterial({ roughness: 0.4 });
  private readonly handleMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly threadMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly ball = new SphereGeometry(1, 20, 14);
  private readonly cloth = new Mesh(new BufferGeometry(), this.fabric);
  private smooth: SmoothCloth | undefined;
  private readonly floor = new Floor([0, 0], EXTENT);
  private readonly ground = new Mesh(new BufferGeometry(), this.stone);
  private readonly walker = new Mesh(new BufferGeometry(), this.surface);
  /** The walker is seen through what hides it. */
  private readonly shadow = new Mesh(this.walker.geometry, this.chosen);
  private readonly thread = new Line(new BufferGeometry(), this.threadMaterial);
  private readonly handles = [0, 1].map(() => new Mesh(this.ball, this.handleMaterial));
  private readonly caster = new Raycaster();
  private hills: Hill[] = [];
  private pins: Mesh[] = [];

  constructor(private readonly stage: Stage) {
    this.cloth.frustumCulled = false;
    this.thread.frustumCulled = false;
    this.thread.renderOrder = 10;
    for (const handle of this.handles) handle.renderOrder = 11;
    for (const part of [this.cloth, this.ground, this.walker]) part.castShadow = true;
    // The cloth has only the shade of its own slopes: on folds as fine as these shadows have steps.
    this.ground.receiveShadow = this.walker.receiveShadow = true;
    this.making.add(this.cloth, this.floor, this.thread, ...this.handles);
    this.shadow.renderOrder = 5;
    this.walker.add(this.shadow);
    this.walking.add(this.ground, this.walker);
    this.walking.visible = false;
    this.root.add(this.making, this.walking);
  }

  paint(colours: Colours): void {
    const { a, b, cloth, overlap, text } = colours;
    this.floor.paint(colours);
    this.fabric.color.set(cloth);
    this.surface.color.set(b);
    this.silhouette.color.set(a);
    this.chosen.color.set(b);
    this.pinMaterial.color.set(overlap);
    this.threadMaterial.color.set(overlap);
    this.handleMaterial.color.set(text);
  }

  /** Takes a cloth of as many vertices along a side. */
  build(side: number): void {
    this.cloth.geometry.dispose();
    this.smooth = new SmoothCloth(side);
    this.cloth.geometry = this.smooth.geometry;
  }

  showCloth(positions: Float64Array): void {
    this.smooth?.show(positions);
    this.stage.redraw();
  }

  /** Shows bodies, with handles at these points for the one that is chosen; under rock no body is seen. */
  showBodies(bodies: TerrainBody[], selected: number | undefined, handles: Vector3[], rocky: boolean): void {
    const gone = this.hills.filter((hill) => !bodies.some(({ id }) => id === hill.body));
    for (const hill of gone) {
      this.making.remove(hill);
      hill.free();
    }
    this.hills = this.hills.filter((hill) => !gone.includes(hill));
    for (const body of bodies) {
      let hill = this.hills.find((known) => known.body === body.id);
      if (!hill) {
        hill = new Hill(body.id, this.surface, this.silhouette);
        this.hills.push(hill);
        this.making.add(hill);
      }
      hill.show(body, body.id === selected ? this.chosen : this.silhouette);
      hill.visible = !rocky;
    }
    this.cloth.material = rocky ? this.stone : this.fabric;
    this.handles.forEach((handle, k) => {
      handle.visible = handles.length > 0 && !rocky;
      if (handles.length > 0) handle.position.copy(handles[k]);
    });
  }

  showPins(pins: TerrainPin[]): void {
    while (this.pins.length > pins.length) this.making.remove(...this.pins.splice(pins.length));
    while (this.pins.length < pins.length) {
      const pin = new Mesh(this.ball, this.pinMaterial);
      this.pins.push(pin);
      this.making.add(pin);
    }
    this.pins.forEach((pin, k) => pin.position.fromArray(pins[k].place));
  }

  /** Shows a line from what is pulled to where it is pulled, or nothing. */
  showPull(from: Vector3 | undefined, to: Vector3): void {
    this.thread.visible = from !== undefined;
    if (from) this.thread.geometry.setFromPoints([from, to]);
  }

  /** Shows the mesh that was frozen, with who walks on it, instead of the cloth. */
  showGround(walker: TerrainWalker): void {
    this.ground.geometry.dispose();
    this.ground.geometry = clothGeometry(Float32Array.from(walker.vertices()), walker.triangles());
    this.ground.geometry.computeVertexNormals();
    this.walker.geometry.dispose();
    this.walker.geometry = this.shadow.geometry = surfaceGeometry(walker.shape(), SEGMENTS);
    this.making.visible = false;
    this.walking.visible = true;
  }

  showWalker({ position, heading }: WalkerPose): void {
    this.walker.position.fromArray(position);
    this.walker.rotation.z = heading;
    this.stage.redraw();
  }

  /** Returns how far one sees from a point in a unit direction before the mesh, `most` at most. */
  sees(from: Vector3, direction: Vector3, most: number): number {
    this.caster.set(from, direction);
    this.caster.far = most;
    const [first] = this.caster.intersectObject(this.ground, false);
    return first?.distance ?? most;
  }

  /** Shows the cloth again. */
  showMaking(): void {
    this.making.visible = true;
    this.walking.visible = false;
    this.stage.redraw();
  }

  fit(perPixel: (point: Vector3) => number): void {
    for (const pin of this.pins) pin.scale.setScalar(PIN * perPixel(pin.position));
    for (const handle of this.handles) handle.scale.setScalar(HANDLE * perPixel(handle.position));
  }
}

/** What is drawn over everything else, as a flat shape. */
function seenThrough(opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity });
}

/** The geometry of a square grid of vertices. */
function clothGeometry(positions: Float32Array, triangles: Uint32Array): BufferGeometry {
  const side = Math.round(Math.sqrt(positions.length / 3));
  const geometry = new BufferGeometry();
  const attribute = new BufferAttribute(positions, 3);
  attribute.setUsage(DynamicDrawUsage);
  geometry.setAttribute("position", attribute);
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(positions.length), 3));
  const uv = new Float32Array((2 * positions.length) / 3);
  for (let k = 0; k < uv.length / 2; k++) uv.set([(k % side) / (side - 1), Math.floor(k / side) / (side - 1)], 2 * k);
  geometry.setAttribute("uv", new BufferAttribute(uv, 2));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}

/** Edge of the texture of rock, pixels, and how often it is repeated over the cloth. */
const PIXELS = 256;
const REPEATED = 3;

/** Returns a texture of rock: value noise of five octaves, which meets itself at its edges. */
function rock(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PIXELS;
  const context = canvas.getContext("2d");
  if (context) {
    const image = context.createImageData(PIXELS, PIXELS);
    for (let k = 0; k < PIXELS * PIXELS; k++) {
      const grey = 95 + 110 * noise((k % PIXELS) / PIXELS, Math.floor(k / PIXELS) / PIXELS);
      image.data.set([grey, grey * 0.96, grey * 0.9, 255], 4 * k);
    }
    context.putImageData(image, 0, 0);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.set(REPEATED, REPEATED);
  return texture;
}

/** Returns noise from 0 to 1 at a place of the unit square. */
function noise(x: number, y: number): number {
  let [sum, share] = [0, 0.5];
  for (let cells = 8; cells <= 128; cells *= 2) {
    const [i, j] = [Math.floor(x * cells), Math.floor(y * cells)];
    const [u, v] = [smooth(x * cells - i), smooth(y * cells - j)];
    const at = (a: number, b: number) => scattered((a % cells) + 131 * (b % cells) + 17 * cells);
    const low = at(i, j) * (1 - u) + at(i + 1, j) * u;
    const high = at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u;
    sum += share * (low * (1 - v) + high * v);
    share /= 2;
  }
  return sum;
}

const smooth = (t: number) => t * t * (3 - 2 * t);

/** Returns a number from 0 to 1 that looks random, of a whole number. */
function scattered(n: number): number {
  let h = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

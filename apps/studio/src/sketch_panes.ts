// The panes of the sketcher: parts of the picture, each with one of six orthographic views or the free one, and its open box.
// The orthographic ones have the same centre and scale.
import { OrthographicCamera, Vector3 } from "three";
import type { Face, SketchView } from "./core";
import { make, makeSvg } from "./dom";
import type { Place } from "./fingers";
import { OpenBox, type Seen } from "./open_box";
import type { Pane, Stage } from "./stage";

const [X, Y, Z] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
const minus = (v: Vector3) => v.clone().negate();
/** The directions to the right and upwards, as the library has them (apps/sketch/src/view.rs). */
const AXES: Record<Face, [Vector3, Vector3]> = {
  front: [Y, Z],
  back: [minus(Y), Z],
  top: [minus(Y), X],
  bottom: [Y, X],
  left: [minus(X), Z],
  right: [X, Z],
};
/** What the panes show at first. */
const FIRST: Seen[] = ["front", "orbit", "left", "top"];
/** Metres across the shorter edge of a pane: at first, and at most and least. */
const EXTENT = 2.3;
const LEAST = 0.02;
const MOST = 2000;
/** The size of a figure in a pane, in parts of it. */
const FILLED = 0.75;
/** Pixels within which a pointer reaches something, for a mouse and for a finger. */
const REACH = [9, 20];

/** What a place of the page is in a pane. */
export interface InPane {
  pane: SketchPane;
  view: SketchView;
  point: [number, number];
}

export class SketchPane implements Pane {
  readonly camera = new OrthographicCamera();
  box: Pane["box"] = [0, 0, 1, 1];
  readonly element: HTMLElement;
  private readonly openBox: OpenBox;
  private readonly line = makeSvg("polyline", {});

  constructor(
    private readonly panes: SketchPanes,
    private readonly stage: Stage,
    place: number,
    public seen: Seen,
  ) {
    this.openBox = new OpenBox(`View of pane ${place + 1}`, (seen) => panes.choose(place, seen));
    const drawing = makeSvg("svg", { class: "stroke", "aria-hidden": "true" });
    drawing.append(this.line);
    this.element = make("div", { class: "pane" });
    this.element.append(drawing, this.openBox.element);
  }

  show(): void {
    const [left, top, width, height] = this.box.map((part) => `${100 * part}%`);
    Object.assign(this.element.style, { left, top, width, height });
    this.openBox.show(this.seen);
  }

  /** Its left, top, width and height on the page. */
  rectangle(): [number, number, number, number] {
    const { left, top, width, height } = this.stage.canvas.getBoundingClientRect();
    const [l, t, w, h] = this.box;
    return [left + l * width, top + t * height, w * width, h * height];
  }

  aim(width: number, height: number): void {
    if (this.seen === "orbit") return;
    const { camera, panes } = this;
    const [right, up] = AXES[this.seen];
    const across = panes.extent / Math.min(width, height);
    [camera.left, camera.right] = [(-across * width) / 2, (across * width) / 2];
    [camera.bottom, camera.top] = [(-across * height) / 2, (across * height) / 2];
    const away = 20 * panes.extent + 20;
    [camera.near, camera.far] = [0.01 * away, 2 * away];
    camera.up.copy(up);
    camera.position.copy(panes.center).addScaledVector(new Vector3().crossVectors(right, up), away);
    camera.lookAt(panes.center);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** Returns what the library is told of the pane, of which the longer edge counts: nothing of the free view. */
  view(): SketchView | undefined {
    if (this.seen === "orbit") return undefined;
    const [, , width, height] = this.rectangle();
    const { center, extent } = this.panes;
    return { face: this.seen, center: center.toArray(), extent: (extent * Math.max(width, height)) / Math.min(width, height) };
  }

  /** Returns a place of the page as a point of the pane, 0 to 1 along its longer edge. */
  point({ clientX, clientY }: Place): [number, number] {
    const [left, top, width, height] = this.rectangle();
    const longer = Math.max(width, height);
    return [0.5 + (clientX - left - width / 2) / longer, 0.5 - (clientY - top - height / 2) / longer];
  }

  has({ clientX, clientY }: Place): boolean {
    const [left, top, width, height] = this.rectangle();
    return left <= clientX && clientX < left + width && top <= clientY && clientY < top + height;
  }

  /** The reach of a pointer, in parts of the pane. */
  reach(touch: boolean): number {
    const [, , width, height] = this.rectangle();
    return REACH[touch ? 1 : 0] / Math.max(width, height, 1);
  }

  /** Shows the places of a stroke, or none. */
  showStroke(places: Place[] = []): void {
    const [left, top] = this.rectangle();
    this.line.setAttribute("points", places.map(({ clientX, clientY }) => `${clientX - left},${clientY - top}`).join(" "));
  }

  /** Whether a point is seen in it; the free view is turned by hand. */
  shows(point: Vector3): boolean {
    const { camera, panes } = this;
    const by = point.clone().sub(panes.center);
    const [across, high] = [Math.abs(by.dot(this.along([1, 0]))), Math.abs(by.dot(this.along([0, 1])))];
    return this.seen === "orbit" || (across <= camera.right && high <= camera.top);
  }

  /** Returns the direction of a step in the pane, to the right and upwards, of the length 1. */
  along([right, up]: [number, number]): Vector3 {
    const [u, v] = AXES[this.seen === "orbit" ? "front" : this.seen];
    return u.clone().multiplyScalar(right).addScaledVector(v, up);
  }
}

export class SketchPanes {
  readonly element = make("div", { id: "panes" });
  readonly all: SketchPane[];
  center = new Vector3(0, 0, 1);
  extent = EXTENT;
  private count: number;
  /** The pane that was used last. */
  private last = 0;
  /** Whether the views follow the figure: until they are moved by hand. */
  follows = true;

  constructor(
    private readonly stage: Stage,
    private readonly changed: () => void,
  ) {
    this.all = FIRST.map((seen, place) => new SketchPane(this, stage, place, seen));
    const { clientWidth, clientHeight } = stage.canvas;
    this.count = clientWidth >= 700 && clientWidth > clientHeight ? 2 : 1;
    this.element.hidden = true;
    stage.canvas.after(this.element);
    new ResizeObserver(() => {
      if (!this.element.hidden) this.lay();
    }).observe(stage.canvas);
  }

  get shown(): SketchPane[] {
    return this.all.slice(0, this.count);
  }

  /** Divides the picture, or leaves it whole for something else. */
  enter(on: boolean): void {
    this.element.hidden = !on;
    if (on) this.lay();
    else this.stage.setPanes();
  }

  setCount(count: number): void {
    this.count = Math.min(4, Math.max(1, count));
    this.lay();
    this.changed();
  }

  /** Takes the views of a link. */
  take(seen: Seen[]): void {
    this.count = seen.length;
    seen.forEach((each, place) => (this.all[place].seen = each));
    if (!this.element.hidden) this.lay();
  }

  choose(place: number, seen: Seen): void {
    this.all[place].seen = seen;
    this.last = place;
    this.lay();
    this.changed();
  }

  /** Shows a view in the pane that was used last. */
  chooseLast(seen: Seen): void {
    this.choose(Math.min(this.last, this.count - 1), seen);
  }

  private lay(): void {
    const wide = this.stage.canvas.clientWidth >= this.stage.canvas.clientHeight;
    const boxes = BOXES[this.count - 1].map(([a, b, c, d]): Pane["box"] => (wide ? [a, b, c, d] : [b, a, d, c]));
    this.element.replaceChildren(...this.shown.map(({ element }) => element));
    this.shown.forEach((pane, place) => {
      pane.box = boxes[place];
      pane.show();
    });
    const free = (box: Pane["box"]): Pane => ({ camera: this.stage.camera, box, aim: (w, h) => this.stage.aim(w, h) });
    this.stage.setPanes(this.shown.map((pane) => (pane.seen === "orbit" ? free(pane.box) : pane)));
  }

  /** Returns the orthographic pane at a place of the page. */
  at(place: Place): InPane | undefined {
    const pane = this.shown.find((each) => each.has(place));
    const view = pane?.view();
    if (!pane || !view) return undefined;
    this.last = this.all.indexOf(pane);
    return { pane, view, point: pane.point(place) };
  }

  /** Returns the pane that keys go to: the one used last, or the first that can be drawn in. */
  current(): SketchPane | undefined {
    const used = this.shown[this.last];
    return used && used.seen !== "orbit" ? used : this.shown.find(({ seen }) => seen !== "orbit");
  }

  /** Moves what the orthographic views show, by parts of a pane's longer edge. */
  shift(pane: SketchPane, [right, up]: [number, number]): void {
    const view = pane.view();
    if (!view) return;
    this.center.addScaledVector(pane.along([right, up]), -view.extent);
    this.follows = false;
    this.stage.redraw();
  }

  zoom(factor: number): void {
    this.extent = Math.min(MOST, Math.max(LEAST, this.extent * factor));
    this.follows = false;
    this.stage.redraw();
  }

  /** Shows all of some points, or the beginning where there are none; returns the sphere around them. */
  fit(points: Vector3[]): { center: Vector3; radius: number } {
    const [low, high] = ends(points);
    this.follows = true;
    this.center = points.length === 0 ? new Vector3(0, 0, 1) : low.clone().add(high).multiplyScalar(0.5);
    const size = points.length === 0 ? EXTENT * FILLED : Math.max(...high.clone().sub(low).toArray());
    this.extent = Math.min(MOST, Math.max(LEAST, size / FILLED));
    this.stage.redraw();
    return { center: this.center.clone(), radius: Math.max(size / 2, LEAST) };
  }

  /** Whether a pane cuts some points off. */
  cuts(points: Vector3[]): boolean {
    return this.shown.some((pane) => points.some((point) => !pane.shows(point)));
  }

  state(): object[] {
    return this.shown.map((pane) => ({ seen: pane.seen, view: pane.view(), rectangle: pane.rectangle() }));
  }
}

/** Left, top, width and height of panes in a wide picture; in a high one both directions change places. */
const BOXES: Pane["box"][][] = [
  [[0, 0, 1, 1]],
  [[0, 0, 0.5, 1], [0.5, 0, 0.5, 1]],
  [[0, 0, 0.5, 1], [0.5, 0, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]],
  [[0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0.5], [0, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]],
];

function ends(points: Vector3[]): [Vector3, Vector3] {
  const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  for (const point of points) {
    low.min(point);
    high.max(point);
  }
  return [low, high];
}

// The room of the Multibody Sketcher: a figure of bones, joints and bodies that is drawn by strokes in orthographic panes.
import { MOUSE, TOUCH, Vector3 } from "three";
import { Sketch, type Numbers, type SketchFigure, type SketchHitbox, type SketchRanges } from "./core";
import { download, textOf } from "./files";
import { store, stored } from "./storage";
import type { Parts } from "./link";
import { SEEN, type Seen } from "./open_box";
import { messageOf, type Host, type Room } from "./room";
import { ShapeWidget } from "./shape_widget";
import { SketchEditor } from "./sketch_editor";
import { SketchHands } from "./sketch_hands";
import { sketchKeys } from "./sketch_keys";
import { SketchPanel, type Written } from "./sketch_panel";
import { SketchPanes } from "./sketch_panes";
import { SketchPhysics } from "./sketch_physics";
import { SketchView } from "./sketch_view";
import type { Turned } from "./square";
import type { Camera } from "./stage";

/** The name under which the figure is kept for a reload. */
const KEY = "sketch";
/** Milliseconds after the last change until the figure is kept. */
const KEEP_DELAY = 800;
const GROUND = { height: 0, size: 6 };
/** From the figure's left, before it and above it: its direction, and its distance in radii of the figure. */
const FREE = new Vector3(0.8, 0.5, 0.3).normalize();
const AWAY = 3.3;
const CAMERA: Camera = { position: [2.9, 1.8, 2.1], target: [0, 0, 1] };
/** Where the light of the physics comes from: before the figure, as the camera is. */
const SUN = new Vector3(3, -2.2, 4).normalize();
const TYPES: Record<Written, [string, string]> = {
  json: ["figure.json", "application/json"],
  urdf: ["figure.urdf", "application/xml"],
  srdf: ["figure.srdf", "application/xml"],
  obj: ["figure.obj", "text/plain"],
  dae: ["figure.dae", "model/vnd.collada+xml"],
};

export class SketchRoom implements Room {
  readonly name = "sketch";
  readonly label = "A figure in panes. Arrow keys move the chosen joint or body, Delete deletes it, Control with Z undoes; Home shows all of the figure.";
  readonly hint = "Draw strokes: they become bones. Draw an ellipse over a bone: a body.\nTap a bone to split it, a joint or a body to choose it; hold a joint, then move it.\nThe box in the corner of a pane chooses its view.";
  readonly panel = document.createElement("div");
  private readonly view: SketchView;
  private readonly editor: SketchEditor;
  private readonly panes: SketchPanes;
  private readonly widget: ShapeWidget;
  private readonly hands: SketchHands;
  private readonly physics: SketchPhysics;
  private readonly numbers: SketchPanel;
  private active = false;
  private gravity = true;
  private held: number | undefined;
  private camera = CAMERA;
  private keeping = 0;
  /** Counts the figures that were asked for: one that comes late does not take the place of another. */
  private asked = 0;

  constructor(private readonly host: Host) {
    const { stage } = host;
    this.view = new SketchView(stage);
    this.editor = new SketchEditor({ say: (text) => host.say(text), quiet: () => host.quiet(), changed: () => this.changed() });
    this.panes = new SketchPanes(stage, () => this.show());
    this.widget = new ShapeWidget(stage.canvas, (e1, e2) => this.exponents(e1, e2));
    const drawing = () => this.active && this.editor.sketch !== undefined && !this.physics.on;
    this.hands = new SketchHands(stage.canvas, this.panes, this.editor, this.widget, {
      active: drawing,
      touched: () => host.touched(),
      say: (text) => host.say(text),
      seen: (hitbox) => this.seen(hitbox),
      bodiesAt: ({ clientX, clientY }) => this.view.bodiesAt(clientX, clientY),
      holds: (joint) => {
        this.held = joint;
        this.look();
      },
    });
    this.physics = new SketchPhysics(stage, () => this.active, (why) => {
      this.endPhysics();
      host.say(`The physics has stopped: ${why}`);
    });
    this.numbers = new SketchPanel(this.panel, {
      panes: (count) => this.panes.setCount(count),
      fit: () => this.fit(),
      undo: () => this.editor.undo(),
      redo: () => this.editor.redo(),
      remove: () => this.editor.remove(),
      choose: (bone) => this.editor.select({ kind: "bone", id: bone }),
      ranges: (ranges) => this.ranges(ranges),
      preset: (preset) => this.ofBone((sketch, bone) => sketch.setPreset(bone, preset)),
      rename: (name) => this.ofBone((sketch, bone) => sketch.setName(bone, name)),
      makeRoot: () => this.makeRoot(),
      number: (place, value) => this.number(place, value),
      exponents: (e1, e2) => this.exponents(e1, e2),
      tapers: (tx, ty) => this.tapers(tx, ty),
      clear: () => this.editor.step((sketch) => sketch.clear()) && this.fit(),
      figure: (figure) => this.figure(figure),
      save: (as) => this.save(as),
      files: (files) => host.files(files),
      robot: () => this.openAsRobot(),
      physics: () => this.togglePhysics(),
      gravity: (on) => this.setGravity(on),
    });
    sketchKeys(stage.canvas, this.editor, this.panes, {
      active: () => this.active && this.editor.sketch !== undefined,
      drawing: () => drawing() && !this.hands.busy,
      fit: () => this.fit(),
      physics: () => this.togglePhysics(),
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hands.cancel();
    });
    addEventListener("pagehide", () => this.keepNow());
  }

  enter(): void {
    this.active = true;
    const { stage } = this.host;
    stage.enter(this.view, GROUND);
    stage.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    stage.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    stage.setCamera(this.camera);
    this.panes.enter(true);
    if (!this.editor.sketch) void this.begun();
    this.show();
  }

  leave(): void {
    this.hands.cancel();
    this.editor.closeChange();
    this.physics.end();
    this.active = false;
    this.panes.enter(false);
    this.keepNow();
  }

  /** Takes the views to their beginning; the figure stays. */
  reset(): void {
    if (this.physics.on) return this.endPhysics();
    this.hands.cancel();
    this.fit();
  }

  open(parts: Parts): void {
    const camera = parts.numbers("camera");
    const panes = parts.text("panes");
    parts.end();
    if (camera.length !== 0 && camera.length !== 6) throw new Error("the link's “camera” must be six numbers");
    const seen = panes?.split(",").map((word) => SEEN.find((each) => each === word));
    if (seen && (seen.length > 4 || seen.includes(undefined))) throw new Error(`the link's “panes” must be one to four of ${SEEN.join(", ")}`);
    if (seen) this.panes.take(seen as Seen[]);
    if (camera.length === 6) this.camera = { position: camera.slice(0, 3), target: camera.slice(3) };
  }

  link(): [string, string | number[]][] {
    const { position, target } = this.camera;
    const panes = this.panes.shown.map(({ seen }) => seen).join();
    return [["room", "sketch"], ["panes", panes], ["camera", [...position, ...target].map((x) => Number(x.toPrecision(6)))]];
  }

  state(): object {
    const { editor, panes, camera, held, gravity } = this;
    const { sketch, selected, state } = editor;
    const [canUndo, canRedo] = [sketch?.canUndo() ?? false, sketch?.canRedo() ?? false];
    const physics = this.physics.state();
    const [gesture, widget] = [this.hands.state(), this.widget.open];
    return { room: "sketch", ready: sketch !== undefined, ...state, selected, panes: panes.state(), physics, gravity, canUndo, canRedo, gesture, widget, held, camera, follows: panes.follows };
  }

  cameraMoved(): void {
    if (this.active) this.camera = this.host.stage.getCamera();
  }

  /** Takes a figure that was saved; it can be undone. */
  async file(_name: string, bytes: Uint8Array): Promise<void> {
    this.asked++;
    this.endPhysics();
    this.hands.cancel();
    if (!this.editor.sketch) this.editor.own(new Sketch());
    this.editor.take(textOf(bytes));
    this.host.quiet();
    this.fit();
  }

  /** Takes up the figure that was kept, or begins an empty one. */
  private async begun(): Promise<void> {
    const asked = ++this.asked;
    const files = await stored(KEY);
    if (asked !== this.asked) return;
    let sketch = new Sketch();
    try {
      if (files?.length) sketch = Sketch.read(textOf(files[0].bytes));
    } catch (error) {
      this.host.say(`The figure that was kept cannot be taken up: ${messageOf(error)}`);
    }
    this.editor.own(sketch);
    this.panes.fit(this.view.points());
    this.show();
  }

  /** The figure or what is chosen is another. */
  private changed(): void {
    this.look();
    if (this.panes.follows && !this.hands.busy && this.panes.cuts(this.view.points())) this.fit();
    this.show();
    this.keepSoon();
  }

  private look(): void {
    const { state, selected } = this.editor;
    this.view.show(state, selected, this.held);
  }

  show(): void {
    const { editor, panes, gravity, host } = this;
    const { sketch, state } = editor;
    if (!this.active || !sketch) return;
    const [bone, hitbox, physics] = [editor.bone(), editor.hitbox(), this.physics.on];
    const count = panes.shown.length;
    const seen = hitbox && this.seen(hitbox);
    this.numbers.show({ state, bone, hitbox, seen, undo: sketch.canUndo(), redo: sketch.canRedo(), panes: count, physics, gravity });
    if (seen) this.widget.show(seen);
    const [bones, bodies] = [state.bones.length, state.hitboxes.length];
    const word = `${bones === 1 ? "bone" : "bones"}, ${bodies} ${bodies === 1 ? "body" : "bodies"}`;
    host.headline({ kind: "", value: physics ? "" : String(bones), word: physics ? "physics" : word, detail: "\u00a0" });
    host.changed();
  }

  /** A body as it is seen in the pane that was used last. */
  private seen(hitbox: SketchHitbox): Turned {
    return this.host.stage.turned(hitbox, this.panes.current()?.camera);
  }

  /** Shows all of the figure. */
  private fit(): void {
    const { center, radius } = this.panes.fit(this.view.points());
    const position = center.clone().addScaledVector(FREE, AWAY * radius);
    this.host.stage.setCamera({ position: position.toArray(), target: center.toArray() });
  }

  private ofBone(change: (sketch: Sketch, bone: number) => void): void {
    const bone = this.editor.bone();
    if (bone) this.editor.step((sketch) => change(sketch, bone.id));
  }

  private ranges(degrees: [number, number][]): void {
    const bone = this.editor.bone();
    for (const [k, [low, high]] of degrees.entries()) {
      const range = `the range about ${"xyz"[k]}`;
      if (low > high) return this.editor.refuse(`${range} is reversed, ${low}° to ${high}°: its first end must not be above its second.`);
      if (![low, high].every((end) => Math.abs(end) <= 360)) return this.editor.refuse(`${range} must have two ends from −360° to 360°.`);
    }
    const ranges = degrees.map((ends) => ends.map((angle) => (angle * Math.PI) / 180)) as SketchRanges;
    if (bone) this.editor.gathered((sketch) => sketch.setRanges(bone.id, ranges));
  }

  private makeRoot(): void {
    const bone = this.editor.bone();
    if (bone) this.editor.step((sketch) => sketch.setRoot(bone.near));
  }

  private number(place: number, value: number): void {
    const hitbox = this.editor.hitbox();
    const numbers = hitbox?.numbers.map((each, k) => (k === place ? value : each));
    if (hitbox && numbers) this.editor.gathered((sketch) => sketch.shapeHitbox(hitbox.id, numbers));
  }

  private exponents(e1: number, e2: number): void {
    const hitbox = this.editor.hitbox();
    if (hitbox) this.shape(hitbox, [...hitbox.numbers.slice(0, 3), e1, e2, ...hitbox.numbers.slice(5)]);
  }

  private tapers(tx: number, ty: number): void {
    const hitbox = this.editor.hitbox();
    if (hitbox) this.shape(hitbox, [...hitbox.numbers.slice(0, 5), tx, ty]);
  }

  private shape(hitbox: SketchHitbox, numbers: Numbers): void {
    const shape = (sketch: Sketch) => sketch.shapeHitbox(hitbox.id, numbers);
    // A finger that holds the body has opened the change itself.
    if (this.widget.open) this.editor.edit(shape);
    else this.editor.gathered(shape);
  }

  private figure(figure: SketchFigure): void {
    const ready = Sketch.ready(figure);
    this.host.touched();
    if (this.editor.step((sketch) => sketch.take(ready.json()))) this.fit();
    ready.free();
  }

  private save(as: Written): void {
    const text = this.text(as);
    if (text !== undefined) download(...TYPES[as], text);
  }

  private text(as: Written): string | undefined {
    let text: string | undefined;
    this.editor.closeChange();
    this.editor.edit((sketch) => {
      text = { json: () => sketch.json(), urdf: () => sketch.urdf("figure"), srdf: () => sketch.srdf("figure"), obj: () => sketch.obj(), dae: () => sketch.collada() }[as]();
    });
    return text;
  }

  private openAsRobot(): void {
    const urdf = this.text("urdf");
    const srdf = urdf && this.text("srdf");
    if (urdf && srdf) this.host.files([new File([urdf], TYPES.urdf[0]), new File([srdf], TYPES.srdf[0])]);
  }

  private togglePhysics(): void {
    if (this.physics.on) return this.endPhysics();
    const { stage } = this.host;
    this.hands.cancel();
    this.editor.closeChange();
    if (!this.editor.edit((sketch) => this.physics.begin(sketch.scene(this.gravity)))) return;
    this.panes.enter(false);
    stage.enter(this.physics.view, this.physics.view.hasFloor ? undefined : GROUND);
    stage.shade(this.physics.view.around(), SUN);
    this.host.touched();
    this.show();
  }

  /** Shows the figure again, as it was. */
  private endPhysics(): void {
    if (!this.physics.on) return;
    this.physics.end();
    this.host.stage.enter(this.view, GROUND);
    this.panes.enter(true);
    this.show();
  }

  private setGravity(on: boolean): void {
    this.gravity = on;
    if (this.physics.on) this.editor.edit((sketch) => this.physics.begin(sketch.scene(on)));
    this.show();
  }

  private keepSoon(): void {
    clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => this.keepNow(), KEEP_DELAY);
  }

  private keepNow(): void {
    clearTimeout(this.keeping);
    const { sketch } = this.editor;
    if (sketch) void store(KEY, [{ name: "figure.json", bytes: new TextEncoder().encode(sketch.json()) }]);
  }
}

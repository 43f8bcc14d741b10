// An hour of each room's model at full speed, without a picture: random gestures, bad ones among them, and the memory at
// every tenth. `node apps/studio/tests/hour.mjs [terrain|pong|sketch] [minutes]` prints a line for each and ends with exit code 1
// where memory grew by more than a quarter after the first one. Pong and the sketcher take seconds, the terrain an hour or more:
// it is not among the daily tests.
import { readFileSync } from "node:fs";
import * as core from "../src/wasm/superovoid_studio.js";

const file = new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url);
const { memory } = core.initSync({ module: readFileSync(file) });

/** The generator xorshift32, so that every run is the same. */
let seed = 1;
function random(below = 1) {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return ((seed >>> 0) / 2 ** 32) * below;
}
const whole = (below) => Math.floor(random(below));
const place = () => random(2.4) - 1.2;

/** Does what may be refused. */
function may(change) {
  try {
    return change();
  } catch {
    return undefined;
  }
}

/** Terrain: a gesture a second, sixty frames between, at most nine bodies and twelve pins. */
function terrain() {
  const terrain = new core.Terrain();
  const ids = () => terrain.bodies().map(({ id }) => id);
  const some = () => ids()[whole(ids().length)] ?? 99;
  const gestures = [
    () => terrain.addBody(place(), place()),
    () => terrain.moveBody(some(), place(), place()),
    () => terrain.sizeBody(some(), [random(), random(), random()]),
    () => terrain.shapeBody(some(), random(2), random(2)),
    () => terrain.turnBody(some(), random(6)),
    () => terrain.undo(),
    () => terrain.redo(),
    () => terrain.addBody(NaN, 0),
    () => terrain.removePin(0),
    () => (random() < 0.05 ? terrain.drape() : undefined),
    () => {
      terrain.grab(whole(41 * 41));
      terrain.pullTo([place(), place(), random()]);
      for (let k = 0; k < 30; k++) terrain.step();
      terrain.letGo(random() < 0.5);
    },
  ];
  return {
    second() {
      while (ids().length > 9) terrain.removeBody(ids()[0]);
      while (terrain.pins().length > 12) terrain.removePin(0);
      may(gestures[whole(gestures.length)]);
      for (let k = 0; k < 60; k++) may(() => terrain.step());
      if (random() < 0.01) may(() => terrain.walk().free());
      if (random() < 0.01) core.Terrain.read(terrain.json()).free();
    },
  };
}

const STILL = { target: 0, angle: 0 };

/** Pong: the computer against itself, match after match. */
function pong() {
  let court = new core.Court(7, 6, 1, 11, 0.3);
  let matches = 0;
  return {
    second() {
      if (court.play(120, STILL, STILL) === undefined || court.numbers().winner >= 0) {
        court.free();
        court = new core.Court(whole(10), whole(10), ++matches, 11, 0.3);
      }
    },
  };
}

/** The sketcher, ten gestures a second: strokes, ellipses, drags, taps, undo; anew where a figure has fifty bones. */
function sketch() {
  const figure = new core.Sketch();
  const view = () => ({ face: ["front", "back", "top", "bottom", "left", "right"][whole(6)], center: [0, 0, 0.5], extent: 2 });
  const state = () => figure.state();
  const key = (list) => state()[list][whole(state()[list].length)]?.id ?? 9999;
  const line = () => {
    const [x, y, u, v] = [random(), random(), random(), random()];
    return Array.from({ length: 80 }, (_, k) => (k % 2 ? y + ((v - y) * k) / 80 : x + ((u - x) * k) / 80));
  };
  const ring = () => {
    const [x, y, a, b] = [random(), random(), 0.02 + random(0.1), 0.02 + random(0.1)];
    return Array.from({ length: 130 }, (_, k) => (k % 2 ? y + b * Math.sin((k - 1) / 20) : x + a * Math.cos(k / 20)));
  };
  const gestures = [
    () => figure.draw(view(), line()),
    () => figure.draw(view(), line()),
    () => figure.draw(view(), ring()),
    () => figure.draw(view(), [random(), random()]),
    () => figure.tap(view(), [random(), random()]),
    () => figure.dragJoint(view(), key("joints"), [random(), random()]),
    () => figure.setPreset(key("bones"), ["hinge", "ball", "door"][whole(3)]),
    () => figure.shapeHitbox(key("hitboxes"), Array.from({ length: 7 }, () => random(2) - 0.1)),
    () => figure.undo(),
    () => figure.redo(),
    () => figure.take("{"),
  ];
  return {
    second() {
      for (let k = 0; k < 10; k++) may(gestures[whole(gestures.length)]);
      if (state().bones.length > 50) figure.clear();
      if (random() < 0.05) may(() => figure.urdf("figure"));
    },
  };
}

const models = { terrain, pong, sketch };
const [name = "", minutes = "60"] = process.argv.slice(2);
let grew = false;
for (const each of models[name] ? [name] : Object.keys(models)) {
  const model = models[each]();
  const sizes = [];
  const begun = performance.now();
  for (let tenth = 0; tenth < 10; tenth++) {
    for (let second = 0; second < Number(minutes) * 6; second++) model.second();
    sizes.push(memory.buffer.byteLength / 2 ** 20);
  }
  grew ||= sizes[9] > 1.25 * sizes[0];
  console.log(`${each}: ${minutes} minutes in ${((performance.now() - begun) / 1000).toFixed(0)} s; MiB of WebAssembly at each tenth: ${sizes.map((size) => size.toFixed(1)).join(" ")}`);
}
process.exitCode = grew ? 1 : 0;

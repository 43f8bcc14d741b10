// Models the landscapes that the terrain room comes with, and writes them as the cloth comes to rest. It needs the built
// library: after `npm run wasm`, `node scripts/landscapes.mjs`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as core from "../src/wasm/superovoid_studio.js";

const FOLDER = new URL("../src/landscapes/", import.meta.url);
/** Each body: its place on the ground, semi-axes, exponents, and turn about the vertical in degrees. */
const LANDSCAPES = {
  // Round hills, a ridge and a pointed peak.
  hills: {
    bodies: [
      [[-0.28, 0.3], [0.34, 0.3, 0.5], [1, 1], 0],
      [[0.45, 0.42], [0.26, 0.24, 0.36], [1, 1.3], 0],
      [[0.28, -0.26], [0.42, 0.18, 0.24], [1, 1], 20],
      [[-0.5, -0.38], [0.26, 0.24, 0.22], [1, 1], 0],
      [[0.72, -0.6], [0.16, 0.16, 0.12], [1, 1], 0],
    ],
    pins: [],
  },
  // Flat tops with steep sides, a tower, and a cave under an edge of the cloth that pins hold up: where their vertices are
  // on the flat cloth, and where they are held.
  mesas: {
    bodies: [
      [[-0.28, 0.32], [0.42, 0.26, 0.34], [0.25, 0.2], 12],
      [[0.5, 0.34], [0.17, 0.17, 0.54], [1, 0.25], 0],
      [[-0.55, -0.38], [0.24, 0.24, 0.22], [0.3, 0.25], 40],
      [[0.64, -0.16], [0.18, 0.14, 0.16], [1, 1], 0],
    ],
    pins: [
      [[0.05, -0.9], [0.05, -0.66, 0.3]],
      [[0.3, -0.9], [0.27, -0.7, 0.34]],
      [[0.55, -0.9], [0.49, -0.66, 0.28]],
    ],
  },
};
/** At rest no vertex moves farther in a frame, metres; and the most frames until then. */
const REST = 1e-4;
const MOST_FRAMES = 2000;

/** Lets the bodies rise under a flat cloth and moves the pins; returns the terrain as text when the cloth is at rest. */
function model({ bodies, pins }) {
  const terrain = new core.Terrain();
  const side = Math.sqrt(terrain.cloth().length / 3);
  for (const [from] of pins) {
    const [i, j] = from.map((x) => Math.round(((x + 1) / 2) * (side - 1)));
    terrain.grab(j * side + i);
    terrain.letGo(true);
  }
  for (const [[x, y], axes, exponents, turn] of bodies) {
    const id = terrain.addBody(x, y);
    terrain.sizeBody(id, axes);
    terrain.shapeBody(id, ...exponents);
    terrain.turnBody(id, (turn * Math.PI) / 180);
  }
  pins.forEach(([, to], pin) => terrain.movePin(pin, to));
  let [before, moved, frames] = [terrain.cloth(), 1, 0];
  for (; (moved > REST || frames < 60) && frames < MOST_FRAMES; frames++) {
    if (terrain.step() > 0) throw new Error("a pin has come off");
    const now = terrain.cloth();
    moved = now.reduce((most, x, k) => Math.max(most, Math.abs(x - before[k])), 0);
    before = now;
  }
  console.log(`${frames} frames, then ${moved} m a frame`);
  const document = JSON.parse(terrain.json());
  // A tenth of a millimetre is more than is seen.
  const rounded = (x) => Math.round(x * 1e4) / 1e4;
  document.terrain.positions = document.terrain.positions.map((x) => x.map(rounded));
  document.terrain.velocities = document.terrain.velocities.map(() => [0, 0, 0]);
  const text = JSON.stringify(document);
  core.Terrain.read(text);
  return text;
}

core.initSync({ module: readFileSync(new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url)) });
mkdirSync(FOLDER, { recursive: true });
for (const [name, landscape] of Object.entries(LANDSCAPES)) writeFileSync(new URL(`${name}.json`, FOLDER), `${model(landscape)}\n`);

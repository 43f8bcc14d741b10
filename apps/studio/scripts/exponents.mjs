// Draws docs/guides/exponents.png: superovoids over the square of their exponents, e1 across and e2 up, and with tapers beside it.
// It needs the built library and Chromium: after `npm run wasm`, `node scripts/exponents.mjs`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import * as core from "../src/wasm/superovoid_studio.js";

core.initSync({ module: readFileSync(new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url)) });

const EXPONENTS = [0.1, 0.5, 1, 1.5, 1.9];
/** The columns beside the square: e1 and both tapers. */
const TAPERED = [
  [0.1, -0.6, -0.6],
  [1, -0.6, -0.6],
  [1, -0.95, -0.95],
  [1, -0.95, 0],
];
/** What people call some of them, by column and e2. */
const NAMES = {
  "0,0.1": "box", "2,0.1": "cylinder", "4,0.1": "prism", "2,1": "ball", "0,1.9": "double pyramid", "2,1.9": "double cone", "4,1.9": "octahedron",
  "5,0.1": "frustum", "6,0.1": "frustum", "7,0.1": "cone", "8,0.1": "wedge", "6,1": "egg",
};
/** Pixels of a cell, of a semi-axis, of the room for words, and of the gap before the tapers. */
const [CELL, RADIUS, LEFT, BELOW, GAP] = [100, 30, 74, 96, 26];
const [WIDTH, HEIGHT] = [LEFT + 9 * CELL + GAP + 8, 5 * CELL + BELOW + 30];
const COLOURS = [[0.42, 0.58, 0.78], [0.85, 0.6, 0.36]];
const SEGMENTS = 96;

/** Turns about z, then looks from above: x to the right, y up, z towards the reader. */
const [TURN, ABOVE] = [0.42, 0.52];
function seen([x, y, z]) {
  const [u, v] = [Math.cos(TURN) * x - Math.sin(TURN) * y, Math.sin(TURN) * x + Math.cos(TURN) * y];
  return [u, Math.cos(ABOVE) * z + Math.sin(ABOVE) * v, Math.sin(ABOVE) * z - Math.cos(ABOVE) * v];
}

/** Returns the triangles that face the reader, from far to near, as corners and a colour. */
function painted(numbers, [x, y], colour) {
  const { positions, normals, triangles } = core.mesh(numbers, SEGMENTS);
  const vector = (of, k) => seen(of.subarray(3 * k, 3 * k + 3));
  const light = [-0.48, 0.72, 0.5];
  const faces = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [0, 1, 2].map((i) => vector(positions, triangles[k + i]));
    const [a, b, c] = corners;
    if ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0) continue;
    const normal = [0, 1, 2].map((i) => vector(normals, triangles[k + i])).reduce((sum, n) => sum.map((s, i) => s + n[i] / 3));
    const lit = Math.max(0, normal.reduce((sum, n, i) => sum + n * light[i], 0));
    const shade = colour.map((part) => Math.round(255 * Math.min(1, part * (0.55 + 0.55 * lit) + 0.12 * lit)));
    faces.push({ depth: a[2] + b[2] + c[2], corners: corners.map(([u, v]) => [x + RADIUS * u, y - RADIUS * v]), shade: `rgb(${shade})` });
  }
  return faces.sort((one, other) => one.depth - other.depth).map(({ corners, shade }) => [corners.flat().map((n) => Math.round(n * 100) / 100), shade]);
}

const [bodies, words] = [[], []];
const across = (column) => LEFT + (column + 0.5) * CELL + (column > 4 ? GAP : 0);
EXPONENTS.forEach((e2, row) => {
  const y = 20 + (4.5 - row) * CELL - 12;
  words.push({ text: String(e2), at: [LEFT - 12, y], size: 15, align: "right" });
  const columns = [...EXPONENTS.map((e1) => [e1, 0, 0]), ...TAPERED];
  columns.forEach(([e1, tx, ty], column) => {
    // The widest section is as wide as that of an untapered body, about.
    const [a1, a2] = [tx, ty].map((t) => 1 / (1 + 0.55 * Math.abs(t)));
    bodies.push(painted([a1, a2, 1, e1, e2, tx, ty], [across(column), y], COLOURS[column > 4 ? 1 : 0]));
    const name = NAMES[`${column},${e2}`];
    if (name) words.push({ text: name, at: [across(column), y + 0.56 * CELL], size: 12, align: "center", soft: true });
  });
});
const under = 20 + 5 * CELL + 12;
EXPONENTS.forEach((e1, column) => words.push({ text: String(e1), at: [across(column), under], size: 15, align: "center" }));
const minus = (x) => String(x).replace("-", "−");
TAPERED.forEach(([e1, tx, ty], k) => {
  const said = [`e1 = ${e1}`, `tx = ${minus(tx)}`, `ty = ${minus(ty)}`];
  said.forEach((text, line) => words.push({ text, at: [across(5 + k), under + 17 * line], size: 13, align: "center" }));
});
words.push({ text: "e1 →  the section across z: square, round, diamond", at: [across(2), under + 30], size: 16, align: "center", bold: true });
words.push({ text: "with tapers: x and y half-widths × (1 + t z/a3)", at: [(across(5) + across(8)) / 2, under + 60], size: 14, align: "center", bold: true });
words.push({ text: "e2 →  the profile along z: straight, round, pointed", at: [18, 20 + 2.5 * CELL], size: 16, align: "center", bold: true, upwards: true });

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: 1.25 });
await page.setContent(`<body style="margin:0;background:#fff"><canvas width="${2 * WIDTH}" height="${2 * HEIGHT}" style="display:block;width:${WIDTH}px;height:${HEIGHT}px"></canvas>`);
await page.evaluate(
  ({ bodies, words }) => {
    const context = document.querySelector("canvas").getContext("2d");
    context.scale(2, 2);
    context.lineWidth = 0.4;
    context.lineJoin = "round";
    for (const [corners, shade] of bodies.flat()) {
      context.fillStyle = context.strokeStyle = shade;
      context.beginPath();
      for (let k = 0; k < 6; k += 2) context.lineTo(corners[k], corners[k + 1]);
      context.closePath();
      context.fill();
      context.stroke();
    }
    context.textBaseline = "middle";
    for (const { text, at, size, align, bold, soft, upwards } of words) {
      context.save();
      context.translate(...at);
      if (upwards) context.rotate(-Math.PI / 2);
      context.font = `${bold ? "600 " : ""}${size}px sans-serif`;
      context.fillStyle = soft ? "#5a6675" : "#18202b";
      context.textAlign = align;
      context.fillText(text, 0, 0);
      context.restore();
    }
  },
  { bodies, words },
);
const path = process.argv[2] ?? fileURLToPath(new URL("../../../docs/guides/exponents.png", import.meta.url));
await page.screenshot({ path });
await browser.close();
console.log(path);

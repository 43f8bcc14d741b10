// The library in WebAssembly, without a browser: answers, errors, speed, sizes.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import * as core from "../src/wasm/superovoid_studio.js";
import { native, somePairs } from "./native.mjs";

const file = new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url);
core.initSync({ module: readFileSync(file) });

const BALL = new Float64Array([1, 1, 1, 1, 1, 0, 0]);
const HERE = new Float64Array([0, 0, 0, 0, 0, 0, 1]);

test("answers are those of the library without WebAssembly", () => {
  const pairs = somePairs(1000);
  const { answers } = native(pairs);
  assert.equal(answers.length, pairs.length);
  let [apart, overlapping] = [0, 0];
  pairs.forEach((pair, k) => {
    const found = core.pairContact(new Float64Array(pair), false);
    const right = answers[k];
    for (const i of [0, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
      const difference = Math.abs(found[i] - right[i]);
      assert.ok(difference <= 1e-9, `pair ${k} (${pair}), number ${i}: ${found[i]}, ${right[i]}`);
    }
    // Both brackets are true, but an open one may end elsewhere.
    assert.ok(found[1] <= right[2] + 1e-9 && right[1] <= found[2] + 1e-9, `pair ${k} (${pair}): ${found}`);
    if (found[0] > 0) apart++;
    else overlapping++;
  });
  assert.ok(apart > 400 && overlapping > 100, `${apart} apart, ${overlapping} overlapping`);
});

test("a ball meets a ball, a point, a plane, a half-space and a ray as geometry says", () => {
  const near = (numbers, right) => {
    right.forEach((x, k) => assert.ok(Math.abs(numbers[k] - x) < 1e-11, `${numbers} ${right}`));
  };
  const there = new Float64Array([3, 0, 0, 0, 0, 0, 1]);
  near(core.pairContact(new Float64Array([...BALL, ...HERE, ...BALL, ...there]), false), [1, 1, 1, 1, 0, 0, 2, 0, 0, 1]);
  near(core.pointContact(BALL, HERE, new Float64Array([0, 4, 0])), [3, 3, 3, 0, 1, 0, 0, 4, 0, 0, 1]);
  near(core.planeContact(BALL, HERE, new Float64Array([0, 0, 2]), -6, false), [2, 2, 2, 0, 0, -1, 0, 0, -3]);
  near(core.planeContact(BALL, HERE, new Float64Array([0, 0, 1]), 0.5, true), [-1.5]);
  const hit = core.rayCast(BALL, HERE, new Float64Array([-5, 0, 0]), new Float64Array([1, 0, 0]), false);
  near(hit, [4, -1, 0, 0, -1, 0, 0]);
  const miss = core.rayCast(BALL, HERE, new Float64Array([-5, 0, 0]), new Float64Array([0, 1, 0]), false);
  assert.equal(miss.length, 0);
  near(core.support(BALL, new Float64Array([0, 3, 4])), [5, 0, 0.6, 0.8]);
  near([core.volume(BALL)], [(4 / 3) * Math.PI]);
  assert.equal(core.isConvex(BALL), true);
});

test("meshes are closed and lie on the surface, with outward unit normals", () => {
  const made = core.mesh(BALL, 32);
  const { positions, normals, triangles } = made;
  made.free();
  assert.equal(positions.length, normals.length);
  for (let k = 0; k < positions.length; k += 3) {
    const [p, n] = [positions.slice(k, k + 3), normals.slice(k, k + 3)];
    assert.ok(Math.abs(Math.hypot(...p) - 1) < 1e-6 && Math.hypot(...p.map((x, i) => x - n[i])) < 1e-6);
  }
  const edges = new Map();
  for (let k = 0; k < triangles.length; k += 3) {
    for (let i = 0; i < 3; i++) {
      const ends = [triangles[k + i], triangles[k + ((i + 1) % 3)]].sort((a, b) => a - b).join();
      edges.set(ends, (edges.get(ends) ?? 0) + 1);
    }
  }
  assert.ok([...edges.values()].every((count) => count === 2));
});

test("wrong input is an exception that names it", () => {
  const pair = (change) => {
    const numbers = [...BALL, ...HERE, ...BALL, ...HERE];
    change(numbers);
    return () => core.pairContact(new Float64Array(numbers), false);
  };
  assert.throws(pair((n) => (n[15] = -1)), /body B: a2 = -1/);
  assert.throws(pair((n) => (n[3] = 2)), /body A: e1 = 2/);
  assert.throws(pair((n) => (n[0] = Number.NaN)), /body A: a1 = NaN/);
  assert.throws(pair((n) => (n[13] = 0)), /pose of A: the quaternion/);
  assert.throws(pair((n) => (n[21] = Infinity)), /pose of B: the pose is not finite/);
  assert.throws(pair((n) => n.pop()), /pair: 28 numbers are needed, 27 are given/);
  assert.throws(() => core.pairContacts(new Float64Array(29), false), /pairs: 28 numbers are needed for each/);
  assert.throws(() => core.pairContacts(new Float64Array([...BALL, ...HERE, ...BALL, ...HERE, ...new Array(28).fill(0)]), false), /pair 1: body A: a1 = 0/);
  assert.throws(() => core.pointContact(BALL, HERE, new Float64Array([0, Number.NaN, 0])), /point 0/);
  assert.throws(() => core.planeContact(BALL, HERE, new Float64Array(3), 0, true), /plane normal/);
  assert.throws(() => core.rayCast(BALL, HERE, new Float64Array(3), new Float64Array(3), true), /ray direction/);
  assert.throws(() => core.support(BALL, new Float64Array(3)), /direction: must be finite and not zero/);
  assert.throws(() => core.mesh(BALL, 1_000_000), /segments = 1000000/);
  // The module answers as before.
  assert.ok(Math.abs(core.pairContact(new Float64Array([...BALL, ...HERE, ...BALL, 5, 0, 0, 0, 0, 0, 1]), false)[0] - 3) < 1e-12);
});

/** How many times as long as without WebAssembly a query may take. */
const ENOUGH = 2.5;

/** Returns the least of a few ratios of times with WebAssembly and without: other programs share the processor. */
function ratio(kind, pairs, times) {
  const numbers = new Float64Array(pairs.flat());
  let best = Infinity;
  for (let run = 0; run < 8 && best > ENOUGH; run++) {
    for (let warm = 0; warm < times; warm++) core.pairContacts(numbers, false);
    const start = process.hrtime.bigint();
    for (let k = 0; k < times; k++) core.pairContacts(numbers, false);
    const wasm = Number(process.hrtime.bigint() - start) / times / pairs.length;
    const { nanoseconds } = native(pairs, times);
    best = Math.min(best, wasm / nanoseconds);
    console.log(`${pairs.length} ${kind}: ${wasm.toFixed(0)} ns in WebAssembly, ${nanoseconds.toFixed(0)} ns without`);
  }
  return best;
}

test("a pair takes at most 2.5 times as long as without WebAssembly, apart or overlapping", () => {
  const pairs = somePairs(600, 7).filter((pair) => pair[5] === 0);
  const { answers } = native(pairs);
  const apart = pairs.filter((_, k) => answers[k][0] > 0);
  const overlapping = pairs.filter((_, k) => answers[k][0] <= 0);
  const ratios = [ratio("pairs apart", apart, 100), ratio("pairs overlapping", overlapping, 10)];
  assert.ok(Math.max(...ratios) <= ENOUGH, `${ratios}`);
});

test("the page is small", () => {
  const dist = new URL("../dist/", import.meta.url);
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  let [wasm, page] = [0, 0];
  for (const entry of files) {
    const size = gzipSync(readFileSync(`${entry.parentPath ?? entry.path}/${entry.name}`)).length;
    // Of the two builds a browser loads one.
    if (entry.name.endsWith(".wasm")) wasm = Math.max(wasm, size);
    else page += size;
  }
  console.log(`gzipped: ${wasm} bytes of WebAssembly, ${page} bytes beside it`);
  assert.ok(wasm > 10_000 && wasm < 1.5 * 2 ** 20, `${wasm}`);
  assert.ok(page > 10_000 && page < 600 * 2 ** 10, `${page}`);
});

test("the trace of the library's own query leads to its answer", () => {
  let later = 0;
  for (const pair of somePairs(400, 11)) {
    const numbers = Float64Array.from(pair);
    const answer = core.pairContact(numbers, false);
    const trace = JSON.parse(core.contactTrace(numbers, false));
    const last = trace.attempts[0].iterates.at(-1);
    [...last.a, ...last.b].forEach((x, k) => assert.ok(Math.abs(x - answer[3 + k]) < 1e-5, `${pair}`));
    if (trace.later) later++;
    else assert.ok(last.residual < 1e-6, `${pair}: ${last.residual}`);
  }
  assert.ok(later > 10 && later < 200, `${later}`);
});

test("the trace of a scheme leads to its answer, by as many iterations", () => {
  for (const pair of somePairs(400, 7)) {
    const numbers = Float64Array.from(pair);
    const answers = core.publishedContacts(numbers);
    for (let scheme = 0; scheme < 4; scheme++) {
      const answer = answers.subarray(14 * scheme, 14 * scheme + 14);
      const { attempts } = JSON.parse(core.publishedTrace(numbers, scheme));
      const steps = attempts.reduce((sum, { iterates }) => sum + Math.max(iterates.length - 1, 0), 0);
      assert.equal(steps, answer[13]);
      for (const { levels, iterates } of attempts) {
        // An octree ends early where no child of its best cells meets the surface.
        if (scheme > 0) assert.equal(levels.length, 6);
        else assert.ok(levels.length >= 1 && levels.length <= 5);
        for (const pairs of levels) for (const cells of pairs) assert.ok(cells.length >= 1 && cells.length <= 16);
        // The first iterate of a quadtree scheme is the best pair of the last level.
        const [a, b] = levels.at(-1).map(([best]) => best);
        if (scheme > 0 && iterates.length > 0) {
          a.angles.slice(4).forEach((x, k) => assert.ok(Math.abs(x - iterates[0].a[k]) < 1e-9));
          b.angles.slice(4).forEach((x, k) => assert.ok(Math.abs(x - iterates[0].b[k]) < 1e-9));
        }
      }
      // The implicit schemes end beside the surfaces: within their tolerance, or anywhere after 30 iterations.
      const { iterates } = attempts.at(-1) ?? { iterates: [] };
      const last = iterates.at(-1);
      if (answer[12] === 0 && last && (scheme > 1 || iterates.length <= 30)) {
        const apart = Math.hypot(...last.a.map((x, k) => x - last.b[k]));
        assert.ok(Math.abs(apart - Math.abs(answer[0])) < (scheme > 1 ? 1e-12 : 2e-5), `${scheme}: ${apart} ${answer[0]}`);
      }
    }
  }
});

test("a figure is drawn, picked, undone, and becomes a robot and a scene", () => {
  const front = new Float64Array([0, 0, 0, 1, 2]);
  const stroke = Float64Array.from({ length: 122 }, (_, k) => (k % 2 === 0 ? 0.5 : 0.3 + (0.4 * (k >> 1)) / 60));
  const sketch = new core.Sketch();
  assert.throws(() => sketch.scene(true), /no bones/);
  assert.throws(() => sketch.undo(), /nothing to undo/);
  assert.deepEqual([...sketch.draw(front, stroke)], [0, 2]);
  const ring = Float64Array.from({ length: 182 }, (_, k) => {
    const angle = ((k >> 1) * 2 * Math.PI) / 90;
    return 0.5 + (k % 2 === 0 ? 0.05 * Math.cos(angle) : 0.1 * Math.sin(angle));
  });
  assert.deepEqual([...sketch.draw(front, ring)], [1, 3]);
  assert.deepEqual([...sketch.pick(front, 0.5, 0.3, 0.02)], [1, 0]);
  assert.deepEqual([...sketch.pick(front, 0.5, 0.5, 0.02)], [2, 2]);
  assert.deepEqual([...sketch.pick(front, 0.53, 0.5, 0.02)], [3, 3]);
  assert.deepEqual([...sketch.pick(front, 0.9, 0.5, 0.02)], [0]);
  const before = sketch.json();
  sketch.beginChange();
  for (let k = 0; k < 5; k++) sketch.shiftJoint(front, 1, 0.5 + 0.02 * k, 0.8);
  sketch.endChange();
  assert.notEqual(sketch.json(), before);
  sketch.undo();
  assert.equal(sketch.json(), before);
  assert.match(sketch.urdf("it", 1000), /<robot name="it"/);
  const scene = JSON.parse(sketch.scene(true));
  assert.deepEqual(scene.bodies.map((body) => body.name), ["hitbox 3", "floor"]);
  assert.throws(() => core.Sketch.read(before.replace('"next": 4', '"next": 3')), /hitboxes\[3\]/);
  sketch.free();
  const ready = core.Sketch.ready("humanoid");
  const world = core.Simulation.scene(ready.scene(true));
  world.step();
  const state = JSON.parse(ready.state());
  assert.ok(state.bones.every((bone) => bone.frame.length === 7 && bone.ranges.length === 3));
  world.free();
  ready.free();
});

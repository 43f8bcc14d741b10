// The library in WebAssembly, without a browser: answers, errors, speed, sizes.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import * as core from "../src/wasm/superovoid_studio.js";
import { native, somePairs } from "./native.mjs";

const file = new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url);
core.initSync({ module: readFileSync(file) });

const BALL = [1, 1, 1, 1, 1, 0, 0];
const HERE = [0, 0, 0, 0, 0, 0, 1];
const ball = { numbers: BALL, pose: HERE };

/** Returns the bodies of a pair of 28 numbers. */
const bodies = (pair) => [0, 14].map((from) => ({ numbers: pair.slice(from, from + 7), pose: pair.slice(from + 7, from + 14) }));
const pairContact = (pair) => core.pairContact(...bodies(pair), false);

test("answers are those of the library without WebAssembly", () => {
  const pairs = somePairs(1000);
  const { answers } = native(pairs);
  assert.equal(answers.length, pairs.length);
  let [apart, overlapping] = [0, 0];
  pairs.forEach((pair, k) => {
    const { distance, lower, upper, pointA, pointB, normal } = pairContact(pair);
    const [right, from, to, ...vectors] = answers[k];
    [distance, ...pointA, ...pointB, ...normal].forEach((x, i) => {
      const difference = Math.abs(x - [right, ...vectors][i]);
      assert.ok(difference <= 1e-9, `pair ${k} (${pair}), number ${i}: ${x}, ${answers[k]}`);
    });
    // Both brackets are true, but an open one may end elsewhere.
    assert.ok(lower <= to + 1e-9 && from <= upper + 1e-9, `pair ${k} (${pair}): ${lower} ${upper}`);
    if (distance > 0) apart++;
    else overlapping++;
  });
  assert.ok(apart > 400 && overlapping > 100, `${apart} apart, ${overlapping} overlapping`);
});

test("a ball meets a ball, a point, a plane, a half-space and a ray as geometry says", () => {
  /** Wants numbers, or vectors, by their names. */
  const near = (found, right) => {
    for (const [name, numbers] of Object.entries(right)) {
      [numbers].flat().forEach((x, k) => assert.ok(Math.abs([found[name]].flat()[k] - x) < 1e-11, `${name}: ${JSON.stringify(found)}`));
    }
  };
  const bracket = (distance) => ({ distance, lower: distance, upper: distance });
  const there = { numbers: BALL, pose: [3, 0, 0, 0, 0, 0, 1] };
  near(core.pairContact(ball, there, false), { ...bracket(1), pointA: [1, 0, 0], pointB: [2, 0, 0], normal: [1, 0, 0] });
  near(core.pointContact(ball, [0, 4, 0]), { ...bracket(3), pointA: [0, 1, 0], pointB: [0, 4, 0], normal: [0, 1, 0] });
  near(core.planeContact(ball, [0, 0, 2], -6, false), { ...bracket(2), pointA: [0, 0, -1], pointB: [0, 0, -3] });
  near(core.planeContact(ball, [0, 0, 1], 0.5, true), { distance: -1.5 });
  near(core.rayCast(ball, [-5, 0, 0], [1, 0, 0], false), { time: 4, point: [-1, 0, 0], normal: [-1, 0, 0] });
  assert.equal(core.rayCast(ball, [-5, 0, 0], [0, 1, 0], false), undefined);
  assert.equal(core.isConvex(BALL), true);
  const { a, b } = core.distanceGradient(HERE, there.pose, core.pairContact(ball, there, false));
  near({ ...a, of: b.velocity }, { velocity: [-1, 0, 0], angular: [0, 0, 0], of: [1, 0, 0] });
});

test("meshes are closed and lie on the surface, with outward unit normals", () => {
  const { positions, normals, triangles } = core.mesh(BALL, 32);
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
    return () => pairContact(numbers);
  };
  assert.throws(pair((n) => (n[15] = -1)), /body B: a2 = -1/);
  assert.throws(pair((n) => (n[3] = 2)), /body A: e1 = 2/);
  assert.throws(pair((n) => (n[0] = Number.NaN)), /body A: a1 = NaN/);
  assert.throws(pair((n) => (n[13] = 0)), /pose of A: the quaternion/);
  assert.throws(pair((n) => (n[21] = Infinity)), /pose of B: the pose is not finite/);
  assert.throws(pair((n) => n.pop()), /pose of B: 7 numbers are needed, 6 are given/);
  assert.throws(() => core.pairContact(ball, { numbers: BALL }, false), /missing field `pose`/);
  assert.throws(() => core.pairContact(ball, { numbers: BALL, pose: "here" }, false), /deserialize .*Placed/);
  assert.throws(() => core.pairDistances(new Float64Array(29), false), /pairs: 28 numbers are needed for each/);
  assert.throws(() => core.pointContact(ball, [0, Number.NaN, 0]), /point 0/);
  assert.throws(() => core.planeContact(ball, [0, 0, 0], 0, true), /plane normal/);
  assert.throws(() => core.rayCast(ball, [0, 0, 0], [0, 0, 0], true), /ray direction/);
  assert.throws(() => core.mesh(BALL, 1_000_000), /segments = 1000000/);
  // The module answers as before.
  assert.ok(Math.abs(pairContact([...BALL, ...HERE, ...BALL, 5, 0, 0, 0, 0, 0, 1]).distance - 3) < 1e-12);
});

/** How many times as long as without WebAssembly a query may take. */
const ENOUGH = 2.5;

/** Returns the least of a few ratios of times with WebAssembly and without: other programs share the processor. */
function ratio(kind, pairs, times) {
  const numbers = new Float64Array(pairs.flat());
  let best = Infinity;
  for (let run = 0; run < 8 && best > ENOUGH; run++) {
    for (let warm = 0; warm < times; warm++) core.pairDistances(numbers, false);
    const start = process.hrtime.bigint();
    for (let k = 0; k < times; k++) core.pairDistances(numbers, false);
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
    const { pointA, pointB } = pairContact(pair);
    const trace = core.contactTrace(...bodies(pair), false);
    const last = trace.attempts[0].iterates.at(-1);
    [...last.a, ...last.b].forEach((x, k) => assert.ok(Math.abs(x - [...pointA, ...pointB][k]) < 1e-5, `${pair}`));
    if (trace.later) later++;
    else assert.ok(last.residual < 1e-6, `${pair}: ${last.residual}`);
  }
  assert.ok(later > 10 && later < 200, `${later}`);
});

test("the trace of a scheme leads to its answer, by as many iterations", () => {
  for (const pair of somePairs(150, 7)) {
    for (const scheme of ["oct-implicit", "quad-implicit", "quad-parametric", "ntb-parametric"]) {
      const { distance, outcome, iterations } = core.publishedContact(...bodies(pair), scheme);
      const [octree, parametric] = [scheme.startsWith("oct"), scheme.endsWith("parametric")];
      const { attempts } = core.publishedTrace(...bodies(pair), scheme);
      const steps = attempts.reduce((sum, { iterates }) => sum + Math.max(iterates.length - 1, 0), 0);
      assert.equal(steps, iterations);
      for (const { levels, iterates } of attempts) {
        // An octree ends early where no child of its best cells meets the surface.
        if (!octree) assert.equal(levels.length, 6);
        else assert.ok(levels.length >= 1 && levels.length <= 5);
        for (const pairs of levels) for (const cells of pairs) assert.ok(cells.length >= 1 && cells.length <= 16);
        // The first iterate of a quadtree scheme is the best pair of the last level.
        const [a, b] = levels.at(-1).map(([best]) => best);
        if (!octree && iterates.length > 0) {
          a.angles.point.forEach((x, k) => assert.ok(Math.abs(x - iterates[0].a[k]) < 1e-9));
          b.angles.point.forEach((x, k) => assert.ok(Math.abs(x - iterates[0].b[k]) < 1e-9));
        }
      }
      // The implicit schemes end beside the surfaces: within their tolerance, or anywhere after 30 iterations.
      const { iterates } = attempts.at(-1) ?? { iterates: [] };
      const last = iterates.at(-1);
      if (outcome === "certified" && last && (parametric || iterates.length <= 30)) {
        const apart = Math.hypot(...last.a.map((x, k) => x - last.b[k]));
        assert.ok(Math.abs(apart - Math.abs(distance)) < (parametric ? 1e-12 : 2e-5), `${scheme}: ${apart} ${distance}`);
      }
    }
  }
});

/** The front view, two metres wide about a metre above the ground. */
const front = { face: "front", center: [0, 0, 1], extent: 2 };

test("a figure is drawn, picked, undone, and becomes a robot and a scene", () => {
  const stroke = Array.from({ length: 122 }, (_, k) => (k % 2 === 0 ? 0.5 : 0.3 + (0.4 * (k >> 1)) / 60));
  const sketch = new core.Sketch();
  assert.throws(() => sketch.scene(true), /no bones/);
  assert.throws(() => sketch.undo(), /nothing to undo/);
  assert.equal(sketch.state().root, undefined);
  assert.deepEqual(sketch.draw(front, stroke), { kind: "bones", ids: [2] });
  const ring = Array.from({ length: 182 }, (_, k) => {
    const angle = ((k >> 1) * 2 * Math.PI) / 90;
    return 0.5 + (k % 2 === 0 ? 0.05 * Math.cos(angle) : 0.1 * Math.sin(angle));
  });
  assert.deepEqual(sketch.draw(front, ring), { kind: "hitbox", id: 3 });
  const { root, joints, bones: [bone], hitboxes: [hitbox] } = sketch.state();
  assert.deepEqual([root, joints.length, bone.id, bone.near, bone.far, bone.parent, bone.warning], [0, 2, 2, 0, 1, undefined, undefined]);
  // The bone stands: x of its frame points up.
  const [, , , x, y, z, w] = bone.frame;
  [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)].forEach((part, k) => assert.ok(Math.abs(part - Number(k === 2)) < 1e-9));
  assert.ok(Math.abs(hitbox.numbers[2] - 0.2) < 1e-3 && hitbox.numbers[3] === 1);
  assert.deepEqual(sketch.pick(front, [0.5, 0.3], 0.02), { kind: "joint", id: 0 });
  assert.deepEqual(sketch.pick(front, [0.5, 0.5], 0.02), { kind: "bone", id: 2 });
  assert.deepEqual(sketch.pick(front, [0.53, 0.5], 0.02), { kind: "hitbox", id: 3 });
  assert.deepEqual(sketch.pick(front, [0.9, 0.5], 0.02), { kind: "nothing" });
  const before = sketch.json();
  sketch.beginChange();
  for (let k = 0; k < 5; k++) sketch.shiftJoint(front, 1, [0.5 + 0.02 * k, 0.8]);
  sketch.endChange();
  assert.notEqual(sketch.json(), before);
  sketch.undo();
  assert.equal(sketch.json(), before);
  assert.match(sketch.urdf("it"), /<robot name="it"/);
  const scene = JSON.parse(sketch.scene(true));
  assert.deepEqual(scene.bodies.map((body) => body.name), ["hitbox 3", "floor"]);
  assert.throws(() => core.Sketch.read(before.replace('"next": 4', '"next": 3')), /hitboxes\[3\]/);
  sketch.free();
});

test("ready figures have nothing to undo, and move as scenes", () => {
  for (const name of ["humanoid", "horse", "hexapod"]) {
    const figure = core.Sketch.ready(name);
    assert.equal(figure.canUndo(), false);
    assert.ok(figure.state().bones.every((bone) => bone.frame.length === 7 && bone.ranges.length === 3));
    const again = core.Sketch.read(figure.json());
    assert.deepEqual(again.state(), figure.state());
    assert.match(figure.urdf("it"), /<robot name="it"/);
    for (const gravity of [false, true]) {
      const world = new core.Simulation({ json: figure.scene(gravity) });
      world.step();
      world.free();
    }
    again.free();
    figure.free();
  }
});

test("an edit of a figure that is refused says why and changes nothing", () => {
  const sketch = core.Sketch.ready("horse");
  const before = sketch.json();
  const stroke = [0.5, 0.3, 0.5, 0.5, 0.5, 0.7];
  const refused = [
    [() => core.Sketch.ready("cow"), /unknown variant `cow`/],
    [() => sketch.draw({ ...front, face: "left side" }, stroke), /unknown variant `left side`/],
    [() => sketch.draw({ ...front, center: [0, 0] }, stroke), /invalid length/],
    [() => sketch.draw({ ...front, extent: 0 }, stroke), /^Error: view: its numbers/],
    [() => sketch.draw(front, stroke.slice(1)), /^Error: points/],
    [() => sketch.pick(front, [0.5, 0.5], -1), /^Error: reach/],
    [() => sketch.tap(front, [0.5, 1.5]), /^Error: points\[0\]/],
    [() => sketch.shiftJoint(front, 4_000_000_000, [0.5, 0.5]), /^Error: there is no joint/],
    [() => sketch.setRanges(2, [[0, 0], [0, 0]]), /invalid length/],
    [() => sketch.setPreset(2, "knee"), /unknown variant `knee`/],
    [() => sketch.shapeHitbox(0, [1, 1, 1, 1, 1, 1]), /^Error: shape: 7 numbers/],
    [() => sketch.take("{}"), /^Error: line 1, column 2: missing field `version`/],
  ];
  for (const [edit, told] of refused) assert.throws(edit, told);
  assert.equal(sketch.json(), before);
  assert.equal(sketch.canUndo(), false);
  sketch.free();
});

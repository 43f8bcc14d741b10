// The room of the sketcher in a browser: strokes, taps, joints and bodies by mouse, fingers, pen and keys; a humanoid from
// strokes as a robot; panes, physics, files, bad input, accessibility and memory.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PICTURES, allLooks, becomes, drag, drop, fingers, launch, refused, reload, serve, state, until, untilKept, visit } from "./browser.mjs";
import { program, random } from "./native.mjs";

let browser;
let server;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "sketch-"));
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Opens the room; smaller than other rooms, for the sake of software WebGL. */
const inRoom = (options, run) => visit(browser, server.url, "sketch", { viewport: { width: 1060, height: 600 }, ...options }, run);
const LARGE = { viewport: { width: 1280, height: 800 } };
const near = (a, b, within) => assert.ok(Math.abs(a - b) < within, `${a} and ${b}`);
const nearAll = (a, b, within) => a.forEach((x, k) => near(x, b[k], within));
const waitFor = (page, test, argument) => becomes(page, test, argument, 20_000);

/** The directions to the right and upwards of the views, from the table in docs/guides/studio.md. */
const AXES = {
  front: [[0, 1, 0], [0, 0, 1]],
  back: [[0, -1, 0], [0, 0, 1]],
  top: [[0, -1, 0], [1, 0, 0]],
  bottom: [[0, 1, 0], [1, 0, 0]],
  left: [[-1, 0, 0], [0, 0, 1]],
  right: [[1, 0, 0], [0, 0, 1]],
};
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

/** Returns where a point is seen on the page in the pane that shows a face. */
function seen({ panes }, face, point) {
  const { view, rectangle } = panes.find((pane) => pane.seen === face);
  const [left, top, width, height] = rectangle;
  const scale = Math.max(width, height) / view.extent;
  const by = point.map((x, k) => x - view.center[k]);
  const [right, up] = AXES[face].map((axis) => dot(by, axis));
  return [left + width / 2 + scale * right, top + height / 2 - scale * up];
}

/** Returns the point of space at metres to the right and upwards of the origin in a view. */
const inView = (face, [right, up]) => [0, 1, 2].map((k) => right * AXES[face][0][k] + up * AXES[face][1][k]);

/** Draws a stroke through places of the page with the mouse. */
async function byMouse(page, places) {
  await page.mouse.move(...places[0]);
  await page.mouse.down();
  for (const place of places.slice(1)) await page.mouse.move(...place, { steps: 6 });
  await page.mouse.up();
}

/** Draws with one finger or a pen. */
async function stroke(page, places, kind = "pen", last = "pointerup") {
  await fingers(page, [["pointerdown", 11, ...places[0]], ...between(places).map((at) => ["pointermove", 11, ...at]), [last, 11, ...places.at(-1)]], kind);
}
/** Returns points along lines between places. */
const between = (places) => places.slice(1).flatMap((to, k) => Array.from({ length: 8 }, (_, j) => places[k].map((x, i) => x + ((to[i] - x) * (j + 1)) / 8)));

/** Draws bones through points of a view, metres; returns the state afterwards. */
async function bones(page, face, corners, draw = stroke) {
  const now = await state(page);
  await draw(page, corners.map((corner) => seen(now, face, inView(face, corner))));
  return state(page);
}

/** Draws an ellipse in a view, metres and radians; returns the state afterwards. */
async function ellipse(page, face, [x, y], [a, b], angle = 0) {
  const now = await state(page);
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const places = Array.from({ length: 33 }, (_, k) => {
    const [u, v] = [a * Math.cos(1 + (k * Math.PI) / 16), b * Math.sin(1 + (k * Math.PI) / 16)];
    return seen(now, face, inView(face, [x + c * u - s * v, y + s * u + c * v]));
  });
  await stroke(page, places);
  return state(page);
}

const tap = async (page, face, at) => page.mouse.click(...seen(await state(page), face, inView(face, at)));
/** Undoes everything, or does everything again. */
const all = (page, what) =>
  page.evaluate((what) => {
    const button = document.querySelector(`#sketch-${what}`);
    while (!button.disabled) button.click();
  }, what);
const figure = ({ root, joints, bones, hitboxes }) => ({ root, joints, bones, hitboxes });
const boneOf = (now, name) => now.bones.find((bone) => bone.name === name);
const jointAt = (now, point, within = 0.03) => now.joints.find(({ place }) => Math.hypot(...place.map((x, k) => x - point[k])) < within);
const placeOf = (now, id) => now.joints.find((joint) => joint.id === id).place;
const told = async (page) => {
  await page.waitForSelector("#message:not([hidden])");
  return page.textContent("#message");
};
/** Presses a key over the picture. */
async function key(page, ...names) {
  await page.focus("#view");
  for (const name of names) await page.keyboard.press(name);
}
async function choose(page, name) {
  await page.selectOption("#sketch-bone", String(boneOf(await state(page), name).id));
}
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFileSync(await file.path(), "utf8");
}
/** Sets the ranges of the chosen bone, degrees. */
async function ranges(page, degrees) {
  for (const [k, axis] of ["x", "y", "z"].entries()) {
    // The end that widens first: a range is never reversed on the way.
    const now = Number(await page.inputValue(`#sketch-${axis}-to`));
    const ends = degrees[k][0] > now ? ["to", "from"] : ["from", "to"];
    for (const end of ends) {
      await page.fill(`#sketch-${axis}-${end}`, String(degrees[k][end === "from" ? 0 : 1]));
      await page.press(`#sketch-${axis}-${end}`, "Enter");
    }
  }
}

test("by mouse: a stroke becomes bones, another one welds to them, a tap splits, a joint that is held moves, an ellipse is a body", async () => {
  await inRoom({}, async (page) => {
    assert.deepEqual((await state(page)).panes.map(({ seen }) => seen), ["front", "orbit"]);
    const first = await bones(page, "front", [[0, 0.9], [0, 1.5]], byMouse);
    assert.deepEqual([first.joints.length, first.bones.length], [2, 1]);
    nearAll(placeOf(first, first.bones[0].near), [0, 0, 0.9], 0.02);
    assert.equal(await page.isVisible("#hint"), false);

    // A stroke with a corner, which begins near the upper joint.
    const branched = await bones(page, "front", [[0.01, 1.5], [0.4, 1.45], [0.45, 1]], byMouse);
    assert.deepEqual([branched.joints.length, branched.bones.length], [4, 3]);
    const upper = jointAt(branched, [0, 0, 1.5]).id;
    assert.equal(branched.bones.filter(({ near, far }) => near === upper || far === upper).length, 2);

    // A tap splits, and chooses the outer part.
    await tap(page, "front", [0, 1.2]);
    const split = await state(page);
    assert.equal(split.bones.length, 4);
    const middle = jointAt(split, [0, 0, 1.2]).id;
    assert.deepEqual(split.selected, { kind: "bone", id: split.bones.find(({ near }) => near === middle).id });

    // A tap on a joint chooses the bone that begins there.
    await tap(page, "front", [0.4, 1.45]);
    const chosen = await state(page);
    const corner = jointAt(chosen, [0, 0.4, 1.45], 0.05).id;
    assert.equal(chosen.bones.find(({ id }) => id === chosen.selected.id).near, corner);

    // Held, a joint moves; everything about it is one step.
    const from = seen(chosen, "front", placeOf(chosen, corner));
    await page.mouse.move(...from);
    await page.mouse.down();
    await waitFor(page, () => window.studio.state().gesture === "joint");
    await page.mouse.move(from[0] + 40, from[1] - 30, { steps: 6 });
    const moving = await state(page);
    assert.equal(moving.held, corner);
    nearAll(seen(moving, "front", placeOf(moving, corner)), [from[0] + 40, from[1] - 30], 1.5);
    await page.mouse.up();
    const moved = await state(page);
    assert.equal(moved.bones.length, 4);
    await page.click("#sketch-undo");
    assert.deepEqual(figure(await state(page)), figure(chosen));
    await page.click("#sketch-redo");
    assert.deepEqual(figure(await state(page)), figure(moved));

    // An ellipse over a bone.
    const bodied = await ellipse(page, "front", [0, 1.05], [0.15, 0.09], Math.PI / 2);
    assert.equal(bodied.hitboxes.length, 1);
    const [body] = bodied.hitboxes;
    nearAll(body.numbers, [0.09, 0.09, 0.15, 1, 1, 0, 0], 0.01);
    assert.deepEqual(bodied.selected, { kind: "hitbox", id: body.id });

    // Chosen, it is shifted by a drag, scaled by the wheel and turned by it with Shift.
    const at = seen(bodied, "front", [0, 0.05, 1.05]);
    await drag(page, at, [30, -20]);
    const shifted = await state(page);
    const scale = (now) => Math.max(...now.panes[0].rectangle.slice(2)) / now.panes[0].view.extent;
    near(shifted.hitboxes[0].pose[1] - body.pose[1], 30 / scale(bodied), 0.01);
    near(shifted.hitboxes[0].pose[2] - body.pose[2], 20 / scale(bodied), 0.01);
    assert.equal(shifted.bones.length, 4);
    await page.mouse.move(at[0] + 30, at[1] - 20);
    await page.mouse.wheel(0, -100);
    await waitFor(page, (a1) => window.studio.state().hitboxes[0].numbers[0] !== a1, shifted.hitboxes[0].numbers[0]);
    const larger = await state(page);
    nearAll(larger.hitboxes[0].numbers.slice(0, 3), body.numbers.slice(0, 3).map((x) => x * 1.06), 1e-3);
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 100);
    await page.keyboard.up("Shift");
    await waitFor(page, (pose) => String(window.studio.state().hitboxes[0].pose) !== pose, String(larger.hitboxes[0].pose));
    const turned = await state(page);
    near(2 * Math.acos(Math.min(1, Math.abs(dot(turned.hitboxes[0].pose.slice(3), larger.hitboxes[0].pose.slice(3))))), Math.PI / 36, 1e-6);

    // Held, it opens the square of its exponents.
    await page.mouse.down();
    await waitFor(page, () => window.studio.state().widget);
    await page.mouse.move(at[0] - 20, at[1] + 30, { steps: 5 });
    const box = await state(page);
    assert.ok(box.hitboxes[0].numbers.slice(3, 5).every((e) => e < 0.5), `${box.hitboxes[0].numbers}`);
    await page.mouse.up();
    assert.equal((await state(page)).widget, false);

    // Everything is undone to the empty figure, and redone.
    const last = await state(page);
    await all(page, "undo");
    const empty = await state(page);
    assert.deepEqual([empty.joints, empty.bones, empty.hitboxes], [[], [], []]);
    await all(page, "redo");
    assert.deepEqual(figure(await state(page)), figure(last));
  });
});

test("the humanoid from strokes is a robot that the command and check_urdf read", async () => {
  await inRoom({}, async (page) => {
    await page.click("#panes .pane:nth-child(2) [data-seen=left]");
    const named = async (now, before, names) => {
      const made = now.bones.filter(({ id }) => !before.bones.some((bone) => bone.id === id));
      assert.equal(made.length, names.length, `${names}`);
      for (const [k, { id }] of made.entries()) {
        await page.selectOption("#sketch-bone", String(id));
        await page.fill("#sketch-name", names[k]);
        await page.press("#sketch-name", "Enter");
      }
    };
    const draw = async (face, corners, names) => {
      const before = await state(page);
      await named(await bones(page, face, corners), before, names);
    };
    const split = async (at, name) => {
      const before = await state(page);
      await tap(page, "front", at);
      const after = await state(page);
      assert.equal(after.bones.length, before.bones.length + 1, name);
      await page.fill("#sketch-name", name);
      await page.press("#sketch-name", "Enter");
    };
    // The strokes of apps/sketch/src/figures/humanoid.rs: trunk, head, arms, legs, feet.
    await draw("front", [[0, 1], [0, 1.45]], ["belly"]);
    await split([0, 1.2], "chest");
    await draw("front", [[0, 1.45], [0, 1.75]], ["head"]);
    for (const [side, sign] of [["left", 1], ["right", -1]]) {
      await draw("front", [[0, 1.45], [0.2 * sign, 1.42], [0.52 * sign, 0.9]], [`${side}_shoulder`, `${side}_upper_arm`]);
      await split([0.355 * sign, 1.168], `${side}_forearm`);
      await split([0.475 * sign, 0.973], `${side}_hand`);
      await draw("front", [[0, 1], [0.15 * sign, 0.94], [0.15 * sign, 0.08]], [`${side}_hip`, `${side}_thigh`]);
      await split([0.15 * sign, 0.5], `${side}_shin`);
      // From either side x is forward, and the foot of that side is in front.
      if (sign < 0) await page.click("#panes .pane:nth-child(2) [data-seen=right]");
      await draw(side, [[0, 0.08], [-0.2 * sign, 0.04]], [`${side}_foot`]);
    }
    const skeleton = await state(page);
    assert.equal(skeleton.bones.length, 19);
    // Joints.
    await choose(page, "belly");
    assert.equal(skeleton.root, boneOf(skeleton, "belly").near);
    assert.ok(await page.isDisabled("#sketch-root"));
    await ranges(page, [[-30, 30], [-20, 60], [-25, 25]]);
    for (const side of ["left", "right"]) {
      for (const [part, preset] of [["shoulder", "rigid"], ["upper_arm", "ball"], ["forearm", "elbow"], ["hip", "rigid"]]) {
        await choose(page, `${side}_${part}`);
        await page.click(`#sketch-${preset}`);
      }
      await choose(page, `${side}_shin`);
      await ranges(page, [[0, 0], [0, 140], [0, 0]]);
    }
    // Bodies.
    const half = Math.PI / 2;
    const arm = (sign) => Math.atan2(-0.52, 0.32 * sign);
    const bodies = [
      [[0, 1.06], [0.17, 0.1], 0],
      [[0, 1.33], [0.17, 0.13], 1.5],
      [[0, 1.66], [0.12, 0.09], 1.5],
      ...[1, -1].flatMap((sign) => [
        [[0.275 * sign, 1.295], [0.15, 0.05], arm(sign)],
        [[0.415 * sign, 1.07], [0.12, 0.04], arm(sign)],
        [[0.15 * sign, 0.71], [0.22, 0.08], half],
        [[0.15 * sign, 0.28], [0.2, 0.055], half],
      ]),
    ];
    for (const [k, [centre, axes, angle]] of bodies.entries()) {
      // A stroke that begins on the chosen body would shift it.
      await key(page, "Escape");
      const now = await ellipse(page, "front", centre, axes, angle);
      assert.equal(now.hitboxes.length, k + 1, `body ${k}: ${await page.textContent("#message")}`);
    }
    const done = await state(page);
    assert.equal(boneOf(done, "left_forearm").ranges[1][0], 0);
    near(boneOf(done, "left_shin").ranges[1][1], (140 * Math.PI) / 180, 1e-9);

    const urdf = await saved(page, "#sketch-urdf");
    const file = join(folder, "humanoid.urdf");
    writeFileSync(file, urdf);
    const pairs = join(folder, "humanoid.srdf");
    writeFileSync(pairs, await saved(page, "#sketch-srdf"));
    const check = (...options) => spawnSync(program("superovoid"), ["check", file, "--max-distance", "1", ...options]);
    const alone = check();
    assert.ok(alone.status === 0 || alone.status === 1, `${alone.status} ${alone.stderr}`);
    assert.match(alone.stdout.toString(), /left_thigh|right_thigh|chest/);
    // Bodies overlap only where bones share a joint.
    const told = check("--srdf", pairs);
    assert.equal(told.status, 0, `${told.stdout} ${told.stderr}`);
    assert.match(told.stdout.toString(), /: free; [1-9]\d* within/);
    const other = spawnSync("check_urdf", [file]);
    if (other.error === undefined) assert.equal(other.status, 0, `${other.stderr}`);
    assert.match(await saved(page, "#sketch-obj"), /^v /m);
    assert.match(await saved(page, "#sketch-dae"), /<COLLADA/);

    // The robot room shows it at once.
    await page.click("#sketch-robot");
    await waitFor(page, () => window.studio.state().room === "robot" && window.studio.state().source === "file");
    assert.ok((await state(page)).positions.length > 10);
    await page.click("#room-sketch");
    assert.deepEqual(figure(await state(page)), figure(done));
  });
});

/** Opens a ready figure. */
async function ready(page, name) {
  await page.click(`#sketch-${name}`);
  await waitFor(page, () => window.studio.state().bones.length > 5);
  return state(page);
}

/** Moves two fingers from two places by steps to two others. */
async function pinch(page, [a, b], [c, d], up = true) {
  const at = (from, to, k) => from.map((x, i) => x + ((to[i] - x) * k) / 5);
  const moves = [1, 2, 3, 4, 5].flatMap((k) => [["pointermove", 11, ...at(a, c, k)], ["pointermove", 12, ...at(b, d, k)]]);
  const ends = up ? [["pointerup", 11, ...c], ["pointerup", 12, ...d]] : [];
  await fingers(page, [["pointerdown", 11, ...a], ["pointerdown", 12, ...b], ...moves, ...ends]);
}

test("by fingers and pen: strokes, taps and holds; two fingers turn, scale and shift a body, or the view; a third one cancels", async () => {
  await inRoom({ hasTouch: true, viewport: { width: 390, height: 844 } }, async (page) => {
    const start = await state(page);
    assert.deepEqual(start.panes.map(({ seen }) => seen), ["front"]);
    const at = (now, y, z) => seen(now, "front", [0, y, z]);
    await stroke(page, [at(start, 0, 0.6), at(start, 0, 1.4)], "touch");
    await stroke(page, [at(start, 0, 1.4), at(start, 0.5, 1.3)], "pen");
    const drawn = await state(page);
    assert.deepEqual([drawn.joints.length, drawn.bones.length], [3, 2]);
    await stroke(page, [at(drawn, 0, 1)], "touch");
    const split = await state(page);
    assert.equal(split.bones.length, 3);

    // A finger that rests on a joint moves it; a second finger puts it back.
    const [x, y] = at(split, 0.5, 1.3);
    await fingers(page, [["pointerdown", 11, x, y]]);
    await waitFor(page, () => window.studio.state().gesture === "joint");
    await fingers(page, [["pointermove", 11, x - 30, y + 30]]);
    assert.notDeepEqual(figure(await state(page)), figure(split));
    await fingers(page, [["pointerdown", 12, 100, 400], ["pointerup", 12, 100, 400], ["pointerup", 11, x, y]]);
    assert.deepEqual(figure(await state(page)), figure(split));

    // An ellipse with a finger.
    const ring = Array.from({ length: 33 }, (_, k) => at(split, 0.1 * Math.cos((k * Math.PI) / 16), 0.8 + 0.15 * Math.sin((k * Math.PI) / 16)));
    await stroke(page, ring, "touch");
    const bodied = await state(page);
    assert.equal(bodied.hitboxes.length, 1);
    const middle = at(bodied, 0, 0.8);
    const around = (angle, length, [dx, dy] = [0, 0]) => [-1, 1].map((sign) => [middle[0] + dx + sign * length * Math.cos(angle), middle[1] + dy - sign * length * Math.sin(angle)]);
    const scale = Math.max(...bodied.panes[0].rectangle.slice(2)) / bodied.panes[0].view.extent;

    // Two fingers: a turn by 0.5, a scale of 1.5, a shift.
    await pinch(page, around(0, 20), around(0.5, 30, [10, -20]));
    const changed = await state(page);
    const [a, b] = [bodied.hitboxes[0], changed.hitboxes[0]];
    nearAll(b.numbers.slice(0, 3), a.numbers.slice(0, 3).map((x) => 1.5 * x), 1e-6);
    near(b.pose[1] - a.pose[1], 10 / scale, 1e-6);
    near(b.pose[2] - a.pose[2], 20 / scale, 1e-6);
    near(2 * Math.acos(Math.min(1, Math.abs(dot(a.pose.slice(3), b.pose.slice(3))))), 0.5, 1e-6);
    assert.equal(changed.bones.length, 3);
    await page.click("#sketch-undo");
    assert.deepEqual(figure(await state(page)), figure(bodied));

    // A third finger takes back what two have done, and a lost pointer too.
    await pinch(page, around(0, 20), around(0.5, 30), false);
    assert.notDeepEqual(figure(await state(page)), figure(bodied));
    await fingers(page, [["pointerdown", 13, 200, 300], ["pointermove", 11, 300, 300], ["pointerup", 13, 200, 300], ["pointerup", 11, 200, 300], ["pointerup", 12, 200, 300]]);
    assert.deepEqual(figure(await state(page)), figure(bodied));
    await pinch(page, around(0, 20), around(0.5, 30), false);
    await fingers(page, [["pointercancel", 12, -500, 0], ["pointerup", 11, 0, 0]]);
    assert.deepEqual(figure(await state(page)), figure(bodied));

    // A finger that rests on a body opens the square.
    await fingers(page, [["pointerdown", 11, middle[0] + 12, middle[1]]]);
    await waitFor(page, () => window.studio.state().widget);
    await fingers(page, [["pointermove", 11, middle[0] + 42, middle[1] - 30], ["pointerup", 11, middle[0] + 42, middle[1] - 30]]);
    const shaped = await state(page);
    assert.ok(shaped.hitboxes[0].numbers.slice(3, 5).every((e) => e > 1.2), `${shaped.hitboxes[0].numbers}`);

    // Beside bodies two fingers shift and scale the view and nothing else; a stroke that a second finger meets is not drawn.
    await fingers(page, [["pointerdown", 11, 60, 400], ["pointermove", 11, 90, 400], ["pointermove", 11, 60, 400]]);
    await pinch(page, [[60, 400], [100, 400]], [[50, 420], [130, 420]]);
    const viewed = await state(page);
    near(viewed.panes[0].view.extent, shaped.panes[0].view.extent / 2, 1e-6);
    assert.equal(viewed.follows, false);
    assert.deepEqual(figure(viewed), figure(shaped));
    await page.click("#sketch-fit");
    assert.equal((await state(page)).follows, true);
  });
});

test("panes: one to four, each with its box; six views agree with the library's, the free one turns and does not draw", async () => {
  await inRoom({}, async (page) => {
    await ready(page, "horse");
    await page.click("#panes .pane:nth-child(1) [data-seen=top]");
    for (const count of [1, 2, 3, 4]) {
      await page.click(`.panes-row button:nth-child(${count})`);
      const { panes } = await state(page);
      assert.equal(panes.length, count);
      const area = panes.reduce((sum, { rectangle: [, , w, h] }) => sum + w * h, 0);
      const box = await page.locator("#view").boundingBox();
      near(area, box.width * box.height, 2);
    }
    // A joint is under the place where each view shows it: a hold moves it.
    await page.click(".panes-row button:nth-child(1)");
    const horse = await state(page);
    for (const face of Object.keys(AXES)) {
      await page.click(`#panes .pane:nth-child(1) [data-seen=${face}]`);
      const now = await state(page);
      // The joint that is farthest to the left is hidden by no other, nor by the box.
      const far = now.joints.reduce((a, b) => (dot(AXES[face][0], a.place) <= dot(AXES[face][0], b.place) ? a : b));
      const at = seen({ panes: [now.panes[0]] }, face, far.place);
      await page.mouse.move(...at);
      await page.mouse.down();
      await waitFor(page, () => window.studio.state().gesture === "joint");
      await page.mouse.move(at[0], at[1] - 25, { steps: 3 });
      const moved = await state(page);
      const held = moved.joints.find(({ id }) => id === moved.held);
      nearAll(seen({ panes: [moved.panes[0]] }, face, held.place), [at[0], at[1] - 25], 4);
      await page.mouse.up();
      await page.click("#sketch-undo");
      assert.deepEqual(figure(await state(page)), figure(horse), face);
    }
    // The keys 1 to 7 choose the view of the pane that was used last.
    await key(page, "3");
    assert.equal((await state(page)).panes[0].seen, "top");
    // The box can be gone through by arrows.
    await page.focus("#panes .pane:nth-child(1) [data-seen=top]");
    await page.keyboard.press("ArrowRight");
    assert.equal((await state(page)).panes[0].seen, "bottom");

    // The free view turns, and is for looking only.
    await page.click(".panes-row button:nth-child(2)");
    const free = (await state(page)).panes.find(({ seen }) => seen === "orbit").rectangle;
    const middle = [free[0] + free[2] / 2, free[1] + free[3] / 2];
    const before = await state(page);
    await drag(page, middle, [60, 20]);
    const after = await state(page);
    assert.notDeepEqual(after.camera, before.camera);
    assert.deepEqual(figure(after), figure(before));
    assert.deepEqual(after.panes.map(({ view }) => view), before.panes.map(({ view }) => view));
    // Elsewhere the right button moves the views, the wheel scales them.
    const [left, top] = after.panes[0].rectangle;
    await drag(page, [left + 30, top + 200], [40, 10], { button: "right" });
    await page.mouse.wheel(0, -100);
    await waitFor(page, (extent) => window.studio.state().panes[0].view.extent !== extent, after.panes[0].view.extent);
    const shifted = await state(page);
    assert.notDeepEqual(shifted.panes[0].view.center, after.panes[0].view.center);
    near(shifted.panes[0].view.extent, after.panes[0].view.extent / 1.06, 1e-9);
    assert.deepEqual(shifted.camera, after.camera);
    await key(page, "f");
    near((await state(page)).panes[0].view.extent, after.panes[0].view.extent, 1e-9);
  });
});

test("a joint: typed and drawn ranges, ready joints, warnings, name and root; a body: its numbers", async () => {
  await inRoom({}, async (page) => {
    await ready(page, "humanoid");
    await choose(page, "left_forearm");
    const bone = async () => boneOf(await state(page), "left_forearm");
    const degrees = async () => (await bone()).ranges.map((range) => range.map((x) => (x * 180) / Math.PI));
    await ranges(page, [[-10, 20], [0, 0], [-5, 5]]);
    (await degrees()).forEach((range, k) => nearAll(range, [[-10, 20], [0, 0], [-5, 5]][k], 1e-9));
    // One end by its handle, which takes the other along.
    await page.locator("#sketch-x-from-range").fill("40");
    nearAll((await degrees())[0], [40, 40], 1e-9);
    for (const [preset, right] of [["rigid", [[0, 0], [0, 0], [0, 0]]], ["hinge", [[0, 0], [-90, 90], [0, 0]]], ["pivot", [[-90, 90], [0, 0], [0, 0]]], ["elbow", [[-90, 90], [0, 150], [0, 0]]], ["ball", [[-90, 90], [-85, 85], [-90, 90]]]]) {
      await page.click(`#sketch-${preset}`);
      (await degrees()).forEach((range, k) => nearAll(range, right[k], 1e-9));
    }
    assert.equal(await page.isVisible("#sketch-warning"), false);
    await page.fill("#sketch-y-to", "100");
    await page.press("#sketch-y-to", "Enter");
    assert.match(await page.textContent("#sketch-warning"), /±85°/);
    await page.screenshot({ path: `${PICTURES}/sketch_joint.png` });

    // A reversed range, one beyond a full turn, and none at all are refused.
    const before = figure(await state(page));
    for (const [value, text] of [["170", /reversed, 170° to 100°/], ["-400", /range about y/], ["", /range about y/]]) {
      await page.fill("#sketch-y-from", value);
      await page.press("#sketch-y-from", "Enter");
      assert.match(await told(page), text);
      assert.deepEqual(figure(await state(page)), before);
      assert.equal(await page.inputValue("#sketch-y-from"), "-85");
      await page.click("#message button");
    }
    // Names: one that is taken is refused.
    await page.fill("#sketch-name", "head");
    await page.press("#sketch-name", "Enter");
    assert.match(await told(page), /name "head"/i);
    assert.equal(await page.inputValue("#sketch-name"), "left_forearm");
    await page.fill("#sketch-name", "lower_arm");
    await page.press("#sketch-name", "Enter");
    const named = await state(page);
    assert.ok(boneOf(named, "lower_arm"));
    await page.click("#sketch-root");
    const rooted = await state(page);
    assert.equal(rooted.root, boneOf(named, "lower_arm").near);

    // A body by keys, and by its numbers.
    await key(page, "n", "n");
    const { selected, hitboxes } = await state(page);
    assert.equal(selected.kind, "hitbox");
    const body = async () => (await state(page)).hitboxes.find(({ id }) => id === selected.id);
    const old = hitboxes.find(({ id }) => id === selected.id);
    for (const [name, value] of [["a1", 0.111], ["e1", 0.3], ["tx", 0.25]]) {
      await page.fill(`#number-sketch-${name}`, String(value));
      await page.press(`#number-sketch-${name}`, "Enter");
    }
    const shaped = (await body()).numbers;
    assert.deepEqual([shaped[0], shaped[3], shaped[5]], [0.111, 0.3, 0.25]);
    await page.fill("#number-sketch-a2", "-1");
    await page.press("#number-sketch-a2", "Enter");
    assert.match(await told(page), /shape: /i);
    assert.equal(await page.inputValue("#number-sketch-a2"), String(Number(old.numbers[1].toPrecision(10))));
    await page.click("#message button");
    await key(page, "ArrowRight", "ArrowUp");
    const stepped = await body();
    const { view } = (await state(page)).panes[0];
    near(stepped.pose[1] - old.pose[1], 0.01 * view.extent, 1e-9);
    await key(page, "Shift+ArrowUp", "Shift+ArrowRight");
    near((await body()).numbers[2], shaped[2] * 1.05, 1e-12);
    await key(page, "Delete");
    assert.equal(await body(), undefined);
    await key(page, "Control+z");
    assert.ok(await body());
    await key(page, "Control+Shift+z");
    assert.equal(await body(), undefined);
    // A bone's joint by keys.
    await key(page, "b");
    const one = await state(page);
    const chosen = one.bones.find(({ id }) => id === one.selected.id);
    await key(page, "ArrowLeft");
    near(placeOf(await state(page), chosen.near)[1], placeOf(one, chosen.near)[1] - 0.01 * view.extent, 1e-9);
  });
});

test("bad input: nothing is lost, the page tells what to do, and undo works after it", async () => {
  await inRoom(LARGE, async (page) => {
    await bones(page, "front", [[0, 0.6], [0, 1.4]]);
    const before = await state(page);
    const at = (y, z) => seen(before, "front", [0, y, z]);
    const [left, top, width, height] = before.panes[0].rectangle;
    const ring = (y, z, a, b) => Array.from({ length: 33 }, (_, k) => at(y + a * Math.cos((k * Math.PI) / 16), z + b * Math.sin((k * Math.PI) / 16)));
    const eight = Array.from({ length: 41 }, (_, k) => at(0.3 * Math.sin((k * Math.PI) / 10), 1 + 0.3 * Math.sin((k * Math.PI) / 20)));
    for (const [name, places, text] of [
      ["one point and a little more", [at(0.3, 1), [at(0.3, 1)[0] + 7, at(0.3, 1)[1]]], /stroke/i],
      ["leaves the pane", [at(0.3, 1), [left + width + 60, top + height / 2]], /left its pane/],
      ["crosses itself", eight, /crosses itself|no ellipse/],
      ["an ellipse far from bones", ring(0.6, 1, 0.1, 0.15), /meets no bone: .*draw it over a bone/],
      ["a triangle", [at(-0.3, 0.8), at(0.3, 0.8), at(0, 1.3), at(-0.3, 0.8)], /no ellipse/],
      ["a cycle", [at(0, 0.6), at(0.4, 1), at(0, 1.4)], /cycle/],
    ]) {
      await stroke(page, places);
      assert.match(await told(page), text, name);
      assert.deepEqual(figure(await state(page)), figure(before), name);
      assert.equal((await state(page)).gesture, "", name);
      await page.click("#message button");
    }
    // A joint that is moved out of the pane is back, and one that is let go on a joint of its own figure is refused.
    for (const [to, text] of [[[left + width + 60, top + height / 2], /left its pane/], [at(0, 1.4), /connected already|shorter/]]) {
      await page.mouse.move(...at(0, 0.6));
      await page.mouse.down();
      await waitFor(page, () => window.studio.state().gesture === "joint");
      await page.mouse.move(...to, { steps: 6 });
      await page.mouse.up();
      assert.match(await told(page), text);
      assert.deepEqual(figure(await state(page)), figure(before));
      await page.click("#message button");
    }
    // Two trees are no robot.
    await bones(page, "front", [[0.5, 0.6], [0.5, 1.1]]);
    for (const button of ["#sketch-urdf", "#sketch-robot"]) {
      await page.click(button);
      assert.match(await told(page), /2 trees/);
      await page.click("#message button");
    }
    await page.click("#sketch-undo");
    assert.deepEqual(figure(await state(page)), figure(before));
    await page.click("#sketch-undo");
    const empty = await state(page);
    assert.deepEqual([empty.bones, empty.canUndo], [[], false]);
    // An ellipse without any bone, taps on nothing, keys without a choice.
    await stroke(page, ring(0, 1, 0.2, 0.3));
    assert.match(await told(page), /draw bones first/);
    await page.mouse.click(...at(0.2, 1));
    await key(page, "Delete", "b", "n", "ArrowLeft", "Control+z", "Escape", "9");
    assert.deepEqual((await state(page)).bones, []);
  });
});

test("figures are saved, opened and kept for a reload; files of other versions and broken ones are refused; links", async () => {
  await inRoom({}, async (page) => {
    const hexapod = await ready(page, "hexapod");
    assert.ok(hexapod.canUndo);
    const text = await saved(page, "#sketch-save");
    await page.click("#sketch-clear");
    assert.equal((await state(page)).bones.length, 0);
    await drop(page, ["mine.json", text]);
    await waitFor(page, () => window.studio.state().bones.length > 5);
    assert.deepEqual(figure(await state(page)), figure(hexapod));
    for (const [content, expected] of [
      [text.replace(/"version":\s*1/, '"version": 9'), /mine\.json: .*version = 9/],
      [text.slice(0, 200), /mine\.json: .*line/],
      [text.replace(/"near":|"joints":\s*\[\s*\d+/, (part) => part.replace(/\d+$/, "999999")), /mine\.json: .*bones\[|mine\.json: .*joint/],
    ]) {
      await drop(page, ["mine.json", content]);
      assert.match(await told(page), expected);
      assert.deepEqual(figure(await state(page)), figure(hexapod));
      await page.click("#message button");
    }
    await page.click("#sketch-undo");
    assert.equal((await state(page)).bones.length, 0);
    await page.click("#sketch-redo");
    // From another room a dropped figure opens this one.
    await page.click("#room-pair");
    await drop(page, ["mine.json", text]);
    await waitFor(page, () => window.studio.state().room === "sketch");
    await page.click(".panes-row button:nth-child(3)");
    await untilKept(page, "sketch", (kept) => kept === text);
    await reload(page);
    await waitFor(page, () => window.studio.state().room === "sketch" && window.studio.state().bones?.length > 5);
    const again = await state(page);
    assert.deepEqual(figure(again), figure(hexapod));
    assert.equal(again.panes.length, 3);
  });
  await inRoom({ link: "#v=1&room=sketch" }, async (page) => {
    assert.equal((await state(page)).panes.length, 2);
    await refused(page, [["camera=1,2", /camera/], ["panes=front,inside", /panes/], ["bone=1", /bone/]].map(([part, text]) => [`#v=1&room=sketch&${part}`, text]));
  });
});

test("physics: the figure hangs and is pulled, with gravity it falls; leaving puts everything back", async () => {
  await inRoom({}, async (page) => {
    const before = await ready(page, "humanoid");
    await page.uncheck("#sketch-gravity");
    await page.click("#sketch-physics");
    await waitFor(page, () => window.studio.state().physics?.time > 0.1);
    const still = await state(page);
    assert.ok(still.physics.bodies.every(Number.isFinite));
    // Pulled by the mouse: the left hand.
    const moved = (old) => waitFor(page, ([old, least]) => window.studio.state().physics.bodies.some((x, k) => k % 7 < 3 && Math.abs(x - old[k]) > least), [old, 0.05]);
    const hand = before.hitboxes.reduce((a, b) => (b.pose[1] > a.pose[1] ? b : a));
    const at = await page.evaluate((point) => window.studio.project(point), hand.pose.slice(0, 3));
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0] + 60, at[1] - 80, { steps: 5 });
    assert.equal((await state(page)).physics.pulled, true);
    await moved(still.physics.bodies);
    await page.screenshot({ path: `${PICTURES}/sketch_physics.png` });
    await page.mouse.up();
    assert.equal((await state(page)).physics.pulled, false);
    // With gravity it falls, from where it was drawn.
    const highest = ({ physics }) => Math.max(...physics.bodies.filter((_, k) => k % 7 === 2));
    // In one go: no time has passed yet.
    const begun = await page.evaluate(() => {
      document.querySelector("#sketch-gravity").click();
      return window.studio.state();
    });
    near(highest(begun), Math.max(...before.hitboxes.map(({ pose }) => pose[2])), 0.2);
    await waitFor(page, (high) => Math.max(...window.studio.state().physics.bodies.filter((_, k) => k % 7 === 2)) < high - 0.1, highest(begun));
    // Nothing is drawn meanwhile, and keys change nothing.
    await stroke(page, [[at[0], at[1] + 100], [at[0] + 100, at[1] + 100]]);
    await key(page, "b", "ArrowLeft", "Delete");
    await key(page, "s");
    const after = await state(page);
    assert.equal(after.physics, undefined);
    assert.deepEqual(figure(after), figure(before));
    assert.deepEqual(after.panes, before.panes);
    await key(page, "s");
    assert.ok((await state(page)).physics);
    await page.click("#room-terrain");
    await page.click("#room-sketch");
    const back = await state(page);
    assert.deepEqual([back.physics, figure(back)], [undefined, figure(before)]);
  });
});

test("the room follows the rules of accessibility, light, dark and small", async () => {
  await inRoom(LARGE, async (page) => {
    await ready(page, "humanoid");
    await choose(page, "left_upper_arm");
    await allLooks(page, async (name) => {
      await page.click(`.panes-row button:nth-child(${name === "phone" ? 1 : 4})`);
      await page.screenshot({ path: `${PICTURES}/sketch_${name}.png` });
    });
  });
});

test("200 random gestures take no more memory, and undo leads back to the figure that they began with", async () => {
  await inRoom({ hasTouch: true }, async (page) => {
    const { panes } = await state(page);
    const [left, top, width, height] = panes[0].rectangle;
    const next = random(5);
    const place = () => [left + width * (0.05 + 0.9 * next()), top + height * (0.2 + 0.7 * next())];
    const gesture = async () => {
      const kind = next();
      const [a, b, c, d] = [place(), place(), place(), place()];
      if (kind < 0.5) await stroke(page, [a, b, c].slice(0, 2 + Math.round(next())), next() < 0.5 ? "touch" : "pen", next() < 0.9 ? "pointerup" : "pointercancel");
      else if (kind < 0.65) await stroke(page, Array.from({ length: 25 }, (_, k) => [a[0] + 40 * Math.cos((k * Math.PI) / 12), a[1] + 60 * Math.sin((k * Math.PI) / 12)]));
      else if (kind < 0.8) await stroke(page, [a]);
      else if (kind < 0.9) await pinch(page, [a, b], [c, d]);
      else await page.evaluate(() => document.querySelector("#sketch-undo").click());
    };
    const use = () => page.evaluate(() => ({ ...window.studio.use(), heap: performance.memory?.usedJSHeapSize ?? 0 }));
    for (let k = 0; k < 20; k++) await gesture();
    // Only what has been drawn takes memory of the graphics, and a slow machine draws after all these gestures.
    const { frames } = await use();
    await page.click("#sketch-fit");
    await until(async () => (await use()).frames > frames);
    const first = await use();
    for (let k = 0; k < 180; k++) await gesture();
    const busy = await state(page);
    assert.equal(busy.gesture, "");
    await all(page, "undo");
    const empty = await state(page);
    assert.deepEqual([empty.joints, empty.bones, empty.hitboxes], [[], [], []]);
    await page.click("#sketch-fit");
    // Bodies and pies are gone with the figure; what remains are the steps to redo.
    let last;
    await until(async () => {
      last = await use();
      return last.geometries <= first.geometries + 2 && last.textures <= first.textures;
    });
    assert.ok(last.wasm <= first.wasm + 8 * 2 ** 20, JSON.stringify([first, last]));
    assert.ok(last.heap <= first.heap + 60 * 2 ** 20, JSON.stringify([first, last]));
  });
});

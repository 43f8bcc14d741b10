// The room of terrain in a browser: every gesture by mouse, fingers and keys, an overhang that is walked under, files,
// bad input, accessibility and memory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { SHARP, agreement, coloursAt, picture, seenBy } from "./silhouette.mjs";
import { PICTURES, allLooks, becomes, drag, drop, fingers, launch, refused, reload, serve, state, until, untilKept, visit } from "./browser.mjs";

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A flat cloth, seen from before it. */
const FLAT = "#v=1&room=terrain&land=flat&camera=0.8,-2.3,1.5,0,0,0.05";
const inRoom = (options, run) => visit(browser, server.url, "terrain", { link: FLAT, ...options }, run);

const near = (a, b, within) => assert.ok(Math.abs(a - b) < within, `${a} and ${b}`);
const waitFor = (page, test, argument) => becomes(page, test, argument, 30_000);
/** Returns where a point is seen on the page. */
const seen = (page, point) => page.evaluate((point) => window.studio.project(point), point);
/** Waits until the bodies are what they become. */
const arrived = (page) =>
  waitFor(page, () => window.studio.state().bodies.every(({ pose, numbers, goal }) => Math.hypot(...pose.map((x, k) => x - goal.pose[k]), ...numbers.map((x, k) => x - goal.numbers[k])) < 1e-6));
/** Waits until the pins are where they were put: they are taken where they are seen. */
const pinsArrived = (page) => waitFor(page, () => window.studio.state().pins.every(({ place, goal }) => place.every((x, k) => x === goal[k])));
const vertex = ({ cloth }, index) => cloth.slice(3 * index, 3 * index + 3);
/** The vertex of the cloth that is nearest to a place of the ground. */
function vertexAt({ cloth }, x, y) {
  let [best, least] = [0, Infinity];
  for (let k = 0; k < cloth.length / 3; k++) {
    const away = Math.hypot(cloth[3 * k] - x, cloth[3 * k + 1] - y);
    if (away < least) [best, least] = [k, away];
  }
  return best;
}

test("the room opens with hills, whole in view and lit so that they are seen; they are kept when somebody changes them", async () => {
  for (const [name, options] of [["terrain", {}], ["terrain_phone", { viewport: { width: 390, height: 844 } }]]) {
    await inRoom({ ...options, link: "" }, async (page) => {
      const first = await state(page);
      assert.deepEqual([first.bodies.length, first.pins.length, first.canUndo], [5, 0, false]);
      const heights = first.cloth.filter((_, k) => k % 3 === 2);
      assert.ok(Math.max(...heights) > 0.4 && Math.min(...heights) > 0, `${Math.max(...heights)}`);
      // It rests.
      await waitFor(page, () => window.studio.state().steps > 10);
      const later = await state(page);
      assert.ok(later.cloth.every((x, k) => Math.abs(x - first.cloth[k]) < 0.01));
      // All of the cloth is in the picture, and below the words in its corner.
      const { x, y, width, height } = await page.locator("#view").boundingBox();
      const places = await page.evaluate(() => {
        const { cloth } = window.studio.state();
        return Array.from({ length: cloth.length / 3 }, (_, k) => window.studio.project(cloth.slice(3 * k, 3 * k + 3)));
      });
      const [left, right] = [Math.min, Math.max].map((end) => end(...places.map(([u]) => u)));
      const [top, bottom] = [Math.min, Math.max].map((end) => end(...places.map(([, v]) => v)));
      assert.ok(left > x + 4 && right < x + width - 4 && top > y + 60 && bottom < y + height - 4, `${[left, right, top, bottom]}`);
      assert.ok(right - left > 0.6 * width, `${left} ${right}`);
      // Light and shade on the cloth, and little of it from one vertex to the next.
      const side = Math.sqrt(first.cloth.length / 3);
      const rows = [8, 12, 16, 20, 24, 28].map((row) => Array.from({ length: side - 8 }, (_, k) => vertex(later, row * side + k + 4)));
      const colours = await coloursAt(page, rows.flat());
      const greys = rows.map((row, k) => colours.slice(k * row.length, (k + 1) * row.length).map(([r, g, b]) => (r + g + b) / 3));
      const all = greys.flat();
      const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
      const spread = Math.sqrt(all.reduce((sum, x) => sum + (x - mean) ** 2, 0) / all.length);
      const steps = greys.flatMap((row) => row.slice(1).map((x, k) => Math.abs(x - row[k]))).sort((a, b) => a - b);
      console.log(`light on the hills: ${mean.toFixed(1)} ± ${spread.toFixed(1)}, steps ${steps[steps.length >> 1].toFixed(1)}`);
      assert.ok(mean > 80 && mean < 200 && spread > 15, `${mean} ${spread}`);
      assert.ok(steps[steps.length >> 1] < 0.5 * spread, `${steps[steps.length >> 1]} ${spread}`);
      if (name === "terrain_phone") return page.screenshot({ path: `${PICTURES}/${name}.png` });

      // A reload shows it again; what is changed is kept, and the link says so.
      assert.match(await page.evaluate(() => window.studio.link()), /land=hills/);
      await page.focus("#view");
      await page.keyboard.press("b");
      await page.evaluate(() => document.activeElement.blur());
      await page.click("#terrain-mesas");
      await waitFor(page, () => window.studio.state().pins.length === 3);
      await page.screenshot({ path: `${PICTURES}/terrain_mesas.png` });
      await page.click("#terrain-hills");
      await waitFor(page, () => window.studio.state().bodies.length === 5);
      await page.click("#terrain-add");
      assert.doesNotMatch(await page.evaluate(() => window.studio.link()), /land/);
      await untilKept(page, "terrain", (kept) => JSON.parse(kept).terrain.bodies.length === 6);
      await reload(page);
      await waitFor(page, () => window.studio.state().ready && window.studio.state().bodies.length === 6);
      // A landscape of the page does not take the place of what is kept.
      await page.click("#terrain-flat");
      await waitFor(page, () => window.studio.state().bodies.length === 0);
      await page.waitForTimeout(1200);
      await untilKept(page, "terrain", (kept) => JSON.parse(kept).terrain.bodies.length === 6);
    });
  }
});

test("the square that opens over a body shows the body, from its own axes and turned as it is", async () => {
  await inRoom({ deviceScaleFactor: 1, viewport: { width: 860, height: 560 } }, async (page) => {
    await page.click("#terrain-add");
    const axes = [0.3, 0.2, 0.25];
    for (const [number, value] of Object.entries({ a1: axes[0], a2: axes[1], a3: axes[2], e1: 1, e2: 0.05, turn: 40 })) {
      await page.fill(`#number-terrain-${number}`, String(value));
      await page.keyboard.press("Enter");
    }
    await arrived(page);
    const { bodies, camera } = await state(page);
    await page.mouse.move(...(await seen(page, [0, 0, 0.15])));
    await page.mouse.down();
    await waitFor(page, () => window.studio.state().widget);
    const widget = page.locator("#shape-widget:not([hidden])");
    const blue = ([r, , b]) => b - r > 45;
    const looks = (points) => agreement(shown, [0.5, 0.865 - 0.025 * 0.73], 0.2, blue, seenBy(camera, bodies[0].pose.slice(3), points));
    const shown = await picture(widget, `${PICTURES}/terrain_square.png`);
    const [right, exchanged] = [looks(SHARP.cone(axes)), looks(SHARP.cushion(axes))];
    assert.ok(right.share > 0.92, `${right.share}`);
    assert.ok(exchanged.share < right.share - 0.05, `${exchanged.share} ${right.share}`);
    await page.mouse.up();
  });
});

test("by mouse: a body rises, moves, is sized by its handles and shaped by the square; the cloth is pulled, pinned and falls", async () => {
  await inRoom({}, async (page) => {
    assert.match(await page.textContent("#answer"), /0 *bodies/);
    await page.mouse.dblclick(...(await seen(page, [0.5, 0.3, 0])));
    const [rising] = (await state(page)).bodies;
    near(rising.goal.pose[0], 0.5, 0.02);
    near(rising.goal.pose[1], 0.3, 0.02);
    await arrived(page);
    const up = await state(page);
    assert.ok(Math.max(...up.cloth.filter((_, k) => k % 3 === 2)) > 0.2, "the cloth is pressed up");
    assert.equal(up.selected, rising.id);

    // The body follows the mouse over the ground.
    await drag(page, await seen(page, [0.5, 0.3, up.bodies[0].numbers[2] * 0.6]), [-150, 0]);
    await arrived(page);
    const moved = await state(page);
    assert.ok(moved.bodies[0].pose[0] < 0.2, `${moved.bodies[0].pose}`);
    near(moved.bodies[0].pose[2], up.bodies[0].pose[2], 1e-9);

    // The handles: height, and width.
    const [top] = moved.handles;
    await drag(page, await seen(page, top), [0, -60]);
    await arrived(page);
    const high = await state(page);
    assert.ok(high.bodies[0].numbers[2] > moved.bodies[0].numbers[2] + 0.1);
    assert.deepEqual(high.bodies[0].numbers.slice(0, 2), moved.bodies[0].numbers.slice(0, 2));
    await drag(page, await seen(page, high.handles[1]), [50, 0]);
    await arrived(page);
    const wide = await state(page);
    assert.ok(wide.bodies[0].numbers[0] > high.bodies[0].numbers[0] + 0.1);
    near(wide.bodies[0].numbers[0], wide.bodies[0].numbers[1], 1e-12);
    assert.equal(wide.bodies[0].numbers[2], high.bodies[0].numbers[2]);

    // Held, it opens the square of its exponents, which follows without letting go.
    const [x, y, z] = wide.bodies[0].pose;
    const on = await seen(page, [x, y, z + 0.5 * wide.bodies[0].numbers[2]]);
    await page.mouse.move(...on);
    await page.mouse.down();
    await waitFor(page, () => window.studio.state().widget);
    await page.mouse.move(on[0] - 50, on[1] + 50, { steps: 5 });
    const box = await state(page);
    assert.ok(box.bodies[0].goal.numbers.slice(3, 5).every((e) => e < 0.4), `${box.bodies[0].goal.numbers}`);
    assert.deepEqual(box.bodies[0].goal.pose, wide.bodies[0].goal.pose);
    await page.screenshot({ path: `${PICTURES}/terrain_widget.png` });
    await page.mouse.up();
    assert.equal((await state(page)).widget, false);

    // The cloth is pulled, and falls when it is let go at once.
    const start = await state(page);
    const grip = vertexAt(start, 0.7, -0.6);
    const at = await seen(page, vertex(start, grip));
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0], at[1] - 180, { steps: 6 });
    await waitFor(page, (grip) => window.studio.state().cloth[3 * grip + 2] > 0.25, grip);
    assert.equal((await state(page)).pulling, true);
    const pulled = vertex(await state(page), grip)[2];
    // The last move and the end of the pull in one, so that there is no rest between them however long a picture takes.
    await fingers(page, [["pointermove", 1, at[0], at[1] - 190], ["pointerup", 1, at[0], at[1] - 190]], "pen");
    await page.mouse.up();
    assert.equal((await state(page)).pins.length, 0);
    await waitFor(page, ([grip, z]) => window.studio.state().cloth[3 * grip + 2] < z, [grip, 0.8 * pulled]);

    // After half a second of rest a clothespin stays.
    const again = await seen(page, vertex(await state(page), grip));
    await page.mouse.move(...again);
    await page.mouse.down();
    await page.mouse.move(again[0], again[1] - 80, { steps: 6 });
    await page.waitForTimeout(1200);
    await page.mouse.up();
    const pinned = await state(page);
    assert.equal(pinned.pins.length, 1);
    await pinsArrived(page);
    await waitFor(page, () => {
      const { pins, cloth } = window.studio.state();
      return cloth[3 * pins[0].vertex + 2] > 0.15;
    });
    const later = await state(page);

    // The pin is taken off and put elsewhere.
    await drag(page, await seen(page, later.pins[0].place), [-60, 10]);
    await waitFor(page, (from) => window.studio.state().pins[0].place[0] < from - 0.05, later.pins[0].place[0]);
    const put = await state(page);
    await page.screenshot({ path: `${PICTURES}/terrain.png` });

    // A drag of a pin is one step; a click takes the pin off.
    await page.click("#terrain-undo");
    const before = await state(page);
    assert.deepEqual(before.pins[0].goal, later.pins[0].goal);
    await pinsArrived(page);
    await page.mouse.click(...(await seen(page, before.pins[0].place)));
    assert.equal((await state(page)).pins.length, 0);
    await page.click("#terrain-undo");
    assert.equal((await state(page)).pins.length, 1);

    // Everything is undone, step by step, and redone.
    const steps = [];
    while ((await state(page)).canUndo) {
      await page.click("#terrain-undo");
      const { bodies, pins } = await state(page);
      steps.push([bodies.length, pins.length]);
    }
    assert.deepEqual(steps.at(-1), [0, 0]);
    assert.ok(steps.some(([bodies, pins]) => bodies === 1 && pins === 0));
    while ((await state(page)).canRedo) await page.click("#terrain-redo");
    const redone = await state(page);
    assert.deepEqual([redone.bodies.length, redone.pins.length], [1, 0]);
    assert.deepEqual(redone.bodies[0].goal, put.bodies[0].goal);
  });
});

test("of a pin and a handle that are within reach the nearer one is taken", async () => {
  await inRoom({}, async (page) => {
    await page.mouse.dblclick(...(await seen(page, [0, 0, 0])));
    await arrived(page);
    const risen = await state(page);
    const at = await seen(page, vertex(risen, vertexAt(risen, 0.7, -0.6)));
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0], at[1] - 80, { steps: 6 });
    await page.waitForTimeout(1200);
    await page.mouse.up();
    const [pin] = (await state(page)).pins;
    const from = await seen(page, pin.place);
    const handle = await seen(page, risen.handles[1]);
    await drag(page, from, [handle[0] + 8 - from[0], handle[1] - from[1]]);
    await pinsArrived(page);
    const beside = await state(page);
    const [there] = beside.pins;
    const away = (await seen(page, there.place)).map((x, k) => x - handle[k]);
    near(away[0], 8, 1);
    near(away[1], 0, 1);

    await drag(page, await seen(page, there.place), [0, -40]);
    const lifted = await state(page);
    assert.ok(lifted.pins[0].goal[2] > there.goal[2] + 0.02, `${lifted.pins[0].goal}`);
    assert.deepEqual(lifted.bodies[0].goal, beside.bodies[0].goal);
    await page.click("#terrain-undo");
    await pinsArrived(page);

    await drag(page, handle, [30, 0]);
    const wide = await state(page);
    assert.ok(wide.bodies[0].goal.numbers[0] > beside.bodies[0].goal.numbers[0] + 0.02);
    assert.deepEqual(wide.pins[0].goal, there.goal);
  });
});

test("by fingers: two tap, one moves, swipes and pinches turn the view; a third, and events out of order, do nothing", async () => {
  await inRoom({ hasTouch: true }, async (page) => {
    const [x, y] = await seen(page, [-0.4, 0.2, 0]);
    await fingers(page, [["pointerdown", 11, x - 30, y], ["pointerdown", 12, x + 30, y], ["pointerup", 11, x - 30, y], ["pointerup", 12, x + 30, y]]);
    const tapped = await state(page);
    assert.equal(tapped.bodies.length, 1);
    near(tapped.bodies[0].goal.pose[0], -0.4, 0.03);
    assert.equal(tapped.pulling, false);
    await arrived(page);

    // A swipe and a pinch move the camera and nothing else, though the first finger came down on the cloth.
    const before = await state(page);
    await fingers(page, [["pointerdown", 11, x - 100, y + 60], ["pointerdown", 12, x + 100, y + 60]]);
    for (let k = 1; k <= 5; k++) await fingers(page, [["pointermove", 11, x - 100 - 12 * k, y + 60 + 6 * k], ["pointermove", 12, x + 100 + 12 * k, y + 60 + 6 * k]]);
    await fingers(page, [["pointerdown", 13, x, y], ["pointermove", 13, x + 5, y], ["pointerup", 13, x, y]]);
    await fingers(page, [["pointerup", 11, x - 160, y + 90], ["pointerup", 12, x + 160, y + 90]]);
    const turned = await state(page);
    assert.notDeepEqual(turned.camera, before.camera);
    const away = ({ camera }) => Math.hypot(...camera.position.map((p, k) => p - camera.target[k]));
    assert.ok(away(turned) < away(before) - 0.1, "the pinch zooms in");
    assert.deepEqual([turned.bodies.map(({ goal }) => goal), turned.pins.length, turned.pulling], [before.bodies.map(({ goal }) => goal), 0, false]);

    // One finger on the body moves it.
    const [bx, by] = await seen(page, [turned.bodies[0].pose[0], turned.bodies[0].pose[1], 0.15]);
    await fingers(page, [["pointerdown", 11, bx, by]]);
    for (let k = 1; k <= 5; k++) await fingers(page, [["pointermove", 11, bx + 16 * k, by]]);
    // Lifted outside of the page, and moved after that.
    await fingers(page, [["pointercancel", 11, -500, -500], ["pointermove", 11, bx, by], ["pointerup", 11, bx, by], ["pointerup", 99, 0, 0]]);
    const moved = await state(page);
    assert.notDeepEqual(moved.bodies[0].goal.pose, turned.bodies[0].goal.pose);
    assert.equal(moved.pulling, false);
  });
});

test("by keys: bodies are added, chosen, moved, sized and deleted; numbers are typed, wrong ones are refused", async () => {
  await inRoom({}, async (page) => {
    await page.focus("#view");
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    const two = await state(page);
    assert.equal(two.bodies.length, 2);
    await page.keyboard.press("b");
    const first = (await state(page)).selected;
    assert.equal(first, two.bodies[0].id);
    for (let k = 0; k < 4; k++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowUp");
    const moved = await state(page);
    assert.ok(Math.hypot(...[0, 1].map((k) => moved.bodies[0].goal.pose[k] - two.bodies[0].goal.pose[k])) > 0.09);
    assert.ok(moved.bodies[0].goal.numbers[2] > two.bodies[0].goal.numbers[2]);
    assert.deepEqual(moved.bodies[1].goal, two.bodies[1].goal);
    await page.fill("#number-terrain-e1", "0.3");
    await page.keyboard.press("Enter");
    assert.equal((await state(page)).bodies[0].goal.numbers[3], 0.3);
    const kept = (await state(page)).bodies[0].goal;
    // What is being typed stays when pictures become late, which the panel tells.
    await page.fill("#number-terrain-a1", "");
    await page.evaluate(() => {
      const busy = () => {
        const end = performance.now() + 120;
        while (performance.now() < end);
        if (!window.studio.state().late) requestAnimationFrame(busy);
      };
      requestAnimationFrame(busy);
    });
    await waitFor(page, () => window.studio.state().late);
    await page.keyboard.press("Enter");
    assert.match(await page.textContent("#message"), /finite/);
    assert.deepEqual((await state(page)).bodies[0].goal, kept);
    await page.focus("#view");
    await page.keyboard.press("Delete");
    assert.equal((await state(page)).bodies.length, 1);
    await page.keyboard.press("Control+z");
    assert.deepEqual((await state(page)).bodies[0].goal, kept);
    await page.keyboard.press("Control+y");
    assert.equal((await state(page)).bodies.length, 1);
    await page.click("#terrain-clear");
    assert.deepEqual([(await state(page)).bodies.length, (await state(page)).selected], [0, undefined]);
    await page.click("#terrain-undo");
    assert.equal((await state(page)).bodies.length, 1);
  });
});

test("under rock the bodies are not seen and still move; silhouettes are seen through the cloth", async () => {
  await inRoom({}, async (page) => {
    await page.mouse.dblclick(...(await seen(page, [0, 0, 0])));
    await arrived(page);
    const [body] = (await state(page)).bodies;
    const on = await seen(page, [0, 0, 0.6 * body.numbers[2]]);
    const beside = await seen(page, [-0.7, -0.5, 0]);
    const pixel = (at) => page.evaluate(([x, y]) => window.studio.pixel(x, y), at);
    // The chosen body is orange, which is redder than the cloth however they are lit.
    const redness = ([red, , blue]) => red - blue;
    await until(async () => redness(await pixel(on)) > redness(await pixel(beside)) + 20);
    await page.click("#terrain-rocky");
    assert.equal((await state(page)).rocky, true);
    await until(async () => {
      const rock = await pixel(on);
      return Math.max(...rock) - Math.min(...rock) < 40;
    });
    await drag(page, on, [120, 0]);
    assert.ok((await state(page)).bodies[0].goal.pose[0] > 0.2);
    await page.screenshot({ path: `${PICTURES}/terrain_rock.png` });
  });
});

test("an overhang is modelled by mouse and keys, and frozen; a tap puts the walker under it, which goes out and in again", async () => {
  await inRoom({}, async (page) => {
    // Two rows of clothespins, in the cloth and at its right edge. Where a pull ends depends on the time that it has, where a
    // pin is moved to does not: so the cloth is only lifted a little here, and the pins are moved.
    const flat = await state(page);
    const rows = [0.4, 0, -0.4];
    for (const x of [0.6, 1]) for (const y of rows) await pinned(page, vertexAt(flat, x, y));
    // Seen from the front, level: a pin moves in the plane of x and z.
    await page.focus("#view");
    for (const [key, times] of [["ArrowDown", 6], ["ArrowRight", 4]]) for (let k = 0; k < times; k++) await page.keyboard.press(`Control+${key}`);
    const { position, target } = (await state(page)).camera;
    assert.ok(position[1] < -2.5 && [0, 2].every((k) => Math.abs(position[k] - target[k]) < 0.06), `${position}`);
    // The inner pins stretch a wall, the others take the edge over it to the left: a roof, as wide as the cloth is there.
    // A pin comes off where the cloth is stretched too far, as it may be at the front of the wall: they go by their vertices.
    const vertices = (await state(page)).pins.map(({ vertex }) => vertex);
    const [wall, edge] = [vertices.slice(0, 3), vertices.slice(3)];
    for (const [pins, x, z] of [[wall, 0.55, 0.4], [edge, 0.8, 0.6], [edge, 0.5, 0.65], [edge, 0.2, 0.53]]) {
      for (const vertex of pins) await pinTo(page, vertex, x, z);
    }
    await page.screenshot({ path: `${PICTURES}/terrain_roof.png` });
    await page.click("#terrain-rocky");
    await page.click("#terrain-walk");
    await waitFor(page, () => window.studio.state().walker.onGround);
    // The mesh is that of the cloth, eight times as large.
    const frozen = await state(page);
    assert.ok(frozen.walker.vertices.every((x, k) => Math.abs(x - 8 * frozen.cloth[k]) < 1e-9));
    const walk = async (key, reached) => {
      await page.focus("#view");
      await page.keyboard.down(key);
      await waitFor(page, reached);
      await page.keyboard.up(key);
      await waitFor(page, () => window.studio.state().walker.onGround);
      return (await state(page)).walker;
    };
    // From the roof to the left and down: there the walker is under the sky.
    const off = await walk("a", () => window.studio.state().walker.position[0] < -2);
    assert.deepEqual(sheets(off).map(({ above }) => above), [false]);
    // It looks to the right and a little down, and taps put it before the roof and under it.
    await drag(page, [800, 500], [Math.PI / 2 / 0.006, 40]);
    const put = async (x, y) => {
      const { walker } = await state(page);
      const [{ height }] = sheets({ ...walker, position: [x, y, 0] });
      await page.mouse.click(...(await seen(page, [x, y, height])));
      const there = ([x, y]) => {
        const { position, onGround } = window.studio.state().walker;
        return onGround && Math.hypot(position[0] - x, position[1] - y) < 0.1;
      };
      await waitFor(page, there, [x, y]);
    };
    const y = lane(off, -2, 1.9);
    await put(-2, y);
    await put(1.9, y);
    sheltered(await stays(page, 3));
    // Seen level from behind, the roof is not between.
    await drag(page, [800, 500], [0, -90]);
    await waitFor(page, () => window.studio.state().walker.down < 0.1);
    await page.screenshot({ path: `${PICTURES}/terrain_overhang.png` });
    // It goes out backwards, and in again, as far as the wall at most.
    const out = await walk("s", () => window.studio.state().walker.position[0] < -1);
    assert.deepEqual(sheets(out).map(({ above }) => above), [false]);
    await walk("w", () => window.studio.state().walker.position[0] > 1.8);
    sheltered(await stays(page, 1));
  });
});

/** Wants a walker on the upper side of the ground, and straight above its head a sheet that faces down. */
function sheltered(walker) {
  const [ground, roof] = sheets(walker);
  const z = walker.position[2];
  const told = JSON.stringify([ground, roof, walker.position]);
  assert.ok(!ground.above && ground.up && ground.height > z - 1.2, told);
  assert.ok(roof.above && !roof.up && roof.height > z + 0.85, told);
}

/** Lifts the cloth at a vertex a little and rests, so that a clothespin stays. */
async function pinned(page, grip) {
  const now = await stillAt(page, grip);
  const { pins } = now;
  // A little towards the next vertex to the left: the cloth is there when the vertex is at its right edge, too.
  const left = vertex(now, grip - 1);
  const at = await seen(page, vertex(now, grip).map((x, k) => x + 0.2 * (left[k] - x)));
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0], at[1] - 30, { steps: 4 });
  await page.waitForTimeout(600);
  await page.mouse.up();
  const after = (await state(page)).pins.map(({ vertex }) => vertex);
  assert.deepEqual(after.slice(0, -1), pins.map(({ vertex }) => vertex));
  // That vertex or one near it, if another pull has left the cloth between.
  const [column, row] = [after.at(-1), grip].map((k) => [k % 41, Math.floor(k / 41)]).reduce((a, b) => a.map((x, i) => Math.abs(x - b[i])));
  assert.ok(column <= 2 && row <= 3, `${after} for ${grip}`);
}

/** Waits until a vertex of the cloth moves by less than a millimetre in ten steps; returns the state. */
async function stillAt(page, grip) {
  let last = await state(page);
  await until(async () => {
    const now = await state(page);
    if (now.steps < last.steps + 10) return false;
    const [before, after] = [last, now].map((at) => vertex(at, grip));
    last = now;
    return Math.hypot(...after.map((x, k) => x - before[k])) < 1e-3;
  });
  return last;
}

/** Drags the pin of a vertex to other x and z, in a view along y, and waits until it is there with its vertex. */
async function pinTo(page, vertex, x, z) {
  const pinned = async () => (await state(page)).pins.find((pin) => pin.vertex === vertex);
  const { place } = await pinned();
  const [from, to] = [await seen(page, place), await seen(page, [x, place[1], z])];
  await drag(page, from, to.map((at, k) => at - from[k]));
  const { goal } = await pinned();
  near(goal[0], x, 0.02);
  near(goal[2], z, 0.02);
  const there = (vertex) => {
    const { pins, cloth } = window.studio.state();
    const { place, goal } = pins.find((pin) => pin.vertex === vertex);
    return goal.every((x, k) => x === place[k] && Math.abs(cloth[3 * vertex + k] - x) < 0.01);
  };
  await waitFor(page, there, vertex);
}

/** The walker, which stays where it is, on the ground, in all pictures of some seconds. */
async function stays(page, seconds) {
  const first = (await state(page)).walker;
  const others = await page.evaluate(async (seconds) => {
    const [seen, begun] = [[], performance.now()];
    while (performance.now() - begun < 1000 * seconds) {
      await new Promise((done) => requestAnimationFrame(done));
      const { position, onGround } = window.studio.state().walker;
      seen.push({ position, onGround });
    }
    return seen;
  }, seconds);
  for (const { position, onGround } of others) {
    assert.ok(onGround, "it stands");
    position.forEach((x, k) => near(x, first.position[k], 1e-9));
  }
  return first;
}

/**
 * Where a walker that goes straight along x has the most room above its head: folds hang elsewhere in every cloth that was
 * made by hand. At the end there is a roof.
 */
function lane({ vertices }, from, to) {
  const room = (x, y) => {
    const [ground, above] = sheets({ vertices, position: [x, y, 0] });
    return ground?.up ? [ground.height, above && !above.up ? above.height - ground.height : Infinity] : [0, 0];
  };
  let [best, most] = [0, 0];
  for (let y = -2; y <= 2; y += 0.2) {
    let least = Infinity;
    for (const aside of [-0.4, 0, 0.4]) {
      let before;
      for (let x = from; x <= to + 0.4; x += 0.1) {
        const [height, free] = room(x, y + aside);
        least = Math.min(least, free);
        // Too steep to be walked.
        if (Math.abs(height - (before ?? height)) > 0.07) least = 0;
        before = height;
      }
      if (room(to, y + aside)[1] === Infinity) least = 0;
    }
    if (least > most) [best, most] = [y, least];
  }
  assert.ok(most > 1.8, `no lane of ${vertices.length / 3} vertices has more room than ${most}`);
  return best;
}

/**
 * The sheets of the mesh that the vertical through a walker meets, from below: the height, whether it is above the walker's
 * centre, and whether the side that faced up in the flat cloth does so there.
 */
function sheets({ vertices, position: [x, y, z] }) {
  const side = 41;
  const corner = (v) => vertices.slice(3 * v, 3 * v + 3);
  const found = [];
  for (let k = 0; k < side * (side - 1); k++) {
    if (k % side === side - 1) continue;
    for (const triangle of [[k, k + 1, k + side], [k + 1, k + side + 1, k + side]]) {
      const [a, b, c] = triangle.map(corner);
      const area = ([px, py], [qx, qy]) => (px - x) * (qy - y) - (py - y) * (qx - x);
      const parts = [area(b, c), area(c, a), area(a, b)];
      if (parts.some((part) => part > 0) && parts.some((part) => part < 0)) continue;
      const sum = parts[0] + parts[1] + parts[2];
      const height = (parts[0] * a[2] + parts[1] * b[2] + parts[2] * c[2]) / sum;
      found.push({ height, above: height > z, up: sum > 0 });
    }
  }
  return found.sort((a, b) => a.height - b.height);
}

test("a cloth that has fallen off is told, and a new one is laid", async () => {
  await inRoom({}, async (page) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#terrain-save")]);
    const file = JSON.parse(readFileSync(await download.path(), "utf8"));
    // A cloth that is beside the ground, as after it was pulled off.
    const positions = file.terrain.positions.map(([x, y]) => [x + 4, y, 0]);
    await drop(page, ["off.json", JSON.stringify({ ...file, terrain: { ...file.terrain, positions } })]);
    await waitFor(page, () => window.studio.state().fallen);
    assert.match(await page.textContent("#message"), /fallen off/);
    await page.click("#terrain-drape");
    await waitFor(page, () => !window.studio.state().fallen);
  });
});

test("the walker goes by the left half, by keys, and looks around by the right half; the room comes back as it was", async () => {
  await inRoom({}, async (page) => {
    await page.mouse.dblclick(...(await seen(page, [0.4, 0.7, 0])));
    await arrived(page);
    await page.click("#terrain-rocky");
    const { camera } = await state(page);
    await page.click("#terrain-walk");
    const walker = async () => (await state(page)).walker;
    await waitFor(page, () => window.studio.state().walker.onGround);
    const first = await walker();
    await page.focus("#view");
    await page.keyboard.down("w");
    await waitFor(page, (y) => window.studio.state().walker.position[1] > y + 0.5, first.position[1]);
    await page.keyboard.up("w");
    near((await walker()).heading, Math.PI / 2, 0.01);
    await page.screenshot({ path: `${PICTURES}/terrain_walk.png` });
    // The right half turns the camera, and the walker stays.
    await drag(page, [800, 500], [-100, 40]);
    const turned = await walker();
    near(turned.around - first.around, 0.6, 1e-6);
    near(turned.down - first.down, 0.24, 1e-6);
    // The left half walks: to the right of where the camera looks.
    await page.mouse.move(200, 600);
    await page.mouse.down();
    await page.mouse.move(260, 600, { steps: 4 });
    await waitFor(page, (x) => window.studio.state().walker.position[0] > x + 0.3, turned.position[0]);
    await page.mouse.up();
    near(Math.sin((await walker()).heading - turned.around), -1, 0.05);
    assert.equal(await page.isVisible("#hint"), false);
    await page.focus("#view");
    await page.keyboard.press("Escape");
    const back = await state(page);
    assert.equal(back.walker, undefined);
    for (const part of ["position", "target"]) back.camera[part].forEach((x, k) => near(x, camera[part][k], 1e-9));
    assert.equal(back.bodies.length, 1);
  });
});

test("a terrain is saved, opened and kept for a reload; the mesh is an OBJ file; broken files are refused", async () => {
  await inRoom({}, async (page) => {
    await page.mouse.dblclick(...(await seen(page, [0.3, 0, 0])));
    await arrived(page);
    const text = async (button) => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
      return readFileSync(await file.path(), "utf8");
    };
    const saved = await text("#terrain-save");
    const mesh = await text("#terrain-mesh");
    const lines = (start) => mesh.split("\n").filter((line) => line.startsWith(start));
    assert.deepEqual([lines("v ").length, lines("f ").length], [41 * 41, 2 * 40 * 40]);
    const before = await state(page);
    await page.click("#terrain-clear");
    await drop(page, ["mine.json", saved]);
    await waitFor(page, () => window.studio.state().bodies.length === 1);
    assert.deepEqual((await state(page)).bodies[0].goal, before.bodies[0].goal);
    for (const [content, told] of [
      [saved.replace('"version":1', '"version":9'), /mine\.json: .*version = 9/],
      [saved.slice(0, 200), /mine\.json: line 1, column/],
      [saved.replace(/"semi_axes":\[[^\]]*\]/, '"semi_axes":[0,1,1]'), /semi_axes/],
    ]) {
      await drop(page, ["mine.json", content]);
      await page.waitForSelector("#message:not([hidden])");
      assert.match(await page.textContent("#message"), told);
      assert.equal((await state(page)).bodies.length, 1);
      await page.click("#message button");
    }
    await untilKept(page, "terrain", (kept) => JSON.parse(kept).terrain.bodies.length === 1);
    await reload(page);
    await waitFor(page, () => window.studio.state().room === "terrain" && window.studio.state().bodies?.length === 1);
    assert.deepEqual((await state(page)).bodies[0].goal, before.bodies[0].goal);
    await refused(page, [["#v=1&room=terrain&camera=1,2", /camera/], ["#v=1&room=terrain&hill=1", /hill/]]);
  });
});

test("the room follows the rules of accessibility, light, dark and small; time takes no more memory", async () => {
  await inRoom({}, async (page) => {
    await page.click("#terrain-add");
    await allLooks(page);
  });
  // In a small picture, which is drawn sooner.
  await inRoom({ viewport: { width: 390, height: 400 } }, async (page) => {
    const use = () => page.evaluate(() => window.studio.use());
    const round = () =>
      page.evaluate(async () => {
        const add = Array(10).fill("add");
        for (const name of [...add, "undo", "undo", "walk", "back", "clear", "drape"]) {
          document.querySelector(`#terrain-${name}`).click();
          await new Promise((done) => requestAnimationFrame(done));
        }
      });
    // The 100 steps of undo are full after some rounds of ten, and the lists of pairs have their largest size.
    for (let k = 0; k < 18; k++) await round();
    // What WebAssembly has taken it never gives back, and its highest mark depends on when pictures come: only a leak raises it again and again.
    const uses = [await use()];
    do {
      for (let k = 0; k < 3; k++) await round();
      uses.push(await use());
    } while (uses.at(-1).wasm > uses.at(-2).wasm && uses.length < 6);
    const [first, last] = [uses[0], uses.at(-1)];
    assert.ok(last.geometries <= first.geometries && last.textures <= first.textures, JSON.stringify(uses));
    assert.ok(last.wasm <= uses.at(-2).wasm, JSON.stringify(uses));
  });
});

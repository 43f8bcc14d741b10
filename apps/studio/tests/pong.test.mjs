// The room of Pong in a browser: every gesture, matches that are saved, watched and taken up, broken records and links.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import * as core from "../src/wasm/superovoid_studio.js";
import { PICTURES, allLooks, becomes, drop, launch, refused, reload, serve, state, visit } from "./browser.mjs";

core.initSync({ module: readFileSync(new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url)) });
let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  server?.close();
});

const inRoom = (options, run) => visit(browser, server.url, "pong", options, run);

/** Returns where a point of the field is on the page. */
function seen(page, [x, y]) {
  return page.evaluate(([x, y]) => {
    const { x: left, y: top } = new DOMPoint(x, -y).matrixTransform(document.querySelector("#court").getScreenCTM());
    return [left, top];
  }, [x, y]);
}

/** A player who does nothing. */
const STILL = { target: 0, angle: 0 };
const near = (a, b, within) => assert.ok(Math.abs(a - b) < within, `${a} and ${b}`);
const waitFor = (page, test, argument) => becomes(page, test, argument, 30_000);

test("a match by mouse, handle, wheel, two fingers and keys", async () => {
  await inRoom({ hasTouch: true }, async (page) => {
    assert.match(await page.textContent("#answer"), /0 : 0 *paused/);
    const first = await state(page);
    assert.deepEqual([first.levels, first.running, first.sound], [[-1, 4], false, false]);
    // The ball at rest is no circle: there is ball near the corners of the box around it, and no more beside the box.
    const { ball } = first;
    const [right, high] = await Promise.all([[ball.axes[0], 0], [0, ball.axes[1]]].map((p) => seen(page, p)));
    const [middleX, middleY] = await seen(page, [0, 0]);
    const [w, h] = [right[0] - middleX, middleY - high[1]];
    assert.ok(w > 1.2 * h, `${w} ${h}`);
    const hit = (u, v) => page.evaluate(([x, y]) => document.elementFromPoint(x, y).classList.contains("ball"), [middleX + u * w, middleY + v * h]);
    for (const [u, v] of [[0.8, 0.8], [-0.8, 0.8], [-0.8, -0.8], [0.8, -0.8]]) assert.equal(await hit(u, v), true);
    for (const [u, v] of [[1.1, 0], [0, 1.1], [0.99, 0.99]]) assert.equal(await hit(u, v), false);
    await page.click("#pong-play");
    await waitFor(page, () => window.studio.state().steps > 20);

    // By mouse, anywhere: there is one person.
    const [x, y] = await seen(page, [0.4, 0.25]);
    await page.mouse.move(x, y + 80);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    near((await state(page)).wishes[0].target, 0.25, 0.01);
    await waitFor(page, () => Math.abs(window.studio.state().paddles[0].y - window.studio.state().wishes[0].target) < 1e-6);
    await page.mouse.up();
    await page.mouse.move(x, y + 100);
    near((await state(page)).wishes[0].target, 0.25, 0.01);
    // The wheel turns, a notch at a time.
    await page.mouse.wheel(0, -100);
    await waitFor(page, () => window.studio.state().wishes[0].angle !== 0);
    near((await state(page)).wishes[0].angle, 0.08, 1e-9);

    // By the handle at the upper end, a quarter of a right angle.
    const { paddles, field } = await state(page);
    const at = (angle) => seen(page, [-field.rail - field.half[1] * Math.sin(angle), paddles[0].y + field.half[1] * Math.cos(angle)]);
    await waitFor(page, () => Math.abs(window.studio.state().paddles[0].angle - 0.08) < 1e-6);
    await page.mouse.move(...(await at(0.08)));
    await page.mouse.down();
    await page.mouse.move(...(await at(0.08 + Math.PI / 8)), { steps: 6 });
    await page.mouse.up();
    near((await state(page)).wishes[0].angle, 0.08 + Math.PI / 8, 0.02);

    // By keys: one person has the arrows, too.
    const before = (await state(page)).wishes[0];
    await page.keyboard.down("ArrowDown");
    await waitFor(page, (from) => window.studio.state().wishes[0].target < from - 0.1, before.target);
    await page.keyboard.up("ArrowDown");
    await page.keyboard.down("KeyD");
    await waitFor(page, (from) => window.studio.state().wishes[0].angle < from - 0.1, before.angle);
    await page.keyboard.up("KeyD");

    // Two fingers: their middle moves, their line turns.
    const turned = (await state(page)).wishes[0].angle;
    const fingers = await Promise.all([[-0.5, 0], [-0.3, 0], [-0.3, 0.2]].map((p) => seen(page, p)));
    await page.evaluate((fingers) => {
      const court = document.querySelector("#court");
      const send = (type, pointerId, [clientX, clientY]) =>
        court.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY, pointerType: "touch", bubbles: true }));
      send("pointerdown", 11, fingers[0]);
      send("pointerdown", 12, fingers[1]);
      send("pointermove", 12, fingers[2]);
      send("pointerup", 12, fingers[2]);
      // Events out of order change nothing.
      send("pointermove", 12, fingers[0]);
      send("pointerup", 11, fingers[0]);
      send("pointerup", 11, fingers[0]);
    }, fingers);
    const both = (await state(page)).wishes[0];
    near(both.angle - turned, Math.PI / 4, 0.02);
    near(both.target, 0.1, 0.02);

    await page.keyboard.press("Space");
    const paused = await state(page);
    assert.equal(paused.running, false);
    await page.waitForTimeout(200);
    assert.equal((await state(page)).steps, paused.steps);
    await page.screenshot({ path: `${PICTURES}/pong.png` });
    // Leaving the room pauses, and the picture of the other rooms is there again.
    await page.keyboard.press("Space");
    await page.click("#room-pair");
    assert.equal(await page.isVisible("#view"), true);
    await page.click("#room-pong");
    assert.equal((await state(page)).running, false);
  });
});

test("two people on one screen each have their half and their keys; the sound is off until it is wanted", async () => {
  await inRoom({}, async (page) => {
    await page.click('role=button[name="Two people"]');
    assert.deepEqual((await state(page)).levels, [-1, -1]);
    assert.equal(await page.isVisible("#number-pong-level"), false);
    await page.click("#pong-play");
    for (const [x, side] of [[-0.5, 0], [0.5, 1]]) {
      const [left, top] = await seen(page, [x, 0.3]);
      await page.mouse.click(left, top);
      near((await state(page)).wishes[side].target, 0.3, 0.02);
      near((await state(page)).wishes[1 - side].target, side === 0 ? 0 : 0.3, 0.02);
    }
    await page.keyboard.down("KeyS");
    await waitFor(page, () => window.studio.state().wishes[0].target < 0.2);
    await page.keyboard.up("KeyS");
    near((await state(page)).wishes[1].target, 0.3, 0.02);
    await page.keyboard.down("ArrowUp");
    await waitFor(page, () => window.studio.state().wishes[1].target > 0.35);
    await page.keyboard.up("ArrowUp");
    await page.click("#pong-sound");
    assert.equal((await state(page)).sound, true);
  });
});

test("a saved match is watched to the same end, and the match itself outlives a reload", async () => {
  await inRoom({}, async (page) => {
    await page.click('role=button[name="Two computers"]');
    await page.click("#pong-play");
    await waitFor(page, () => window.studio.state().steps > 240);
    await page.click("#pong-play");
    const played = await state(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#pong-save")]);
    assert.equal(download.suggestedFilename(), "pong_match.json");
    const record = readFileSync(await download.path(), "utf8");

    await drop(page, ["match.json", record]);
    await waitFor(page, () => window.studio.state().watching && window.studio.state().over);
    const watched = await state(page);
    assert.deepEqual([watched.ball, watched.paddles, watched.score], [played.ball, played.paddles, played.score]);
    assert.match(await page.textContent("#pong-facts"), /a saved match/);
    // The record is that of the library in Node, too: the same WebAssembly has the same bits.
    const reader = new core.CourtReader(record);
    while (reader.advance(1000));
    const court = reader.finish(false);
    assert.deepEqual(court.numbers().ball, played.ball);
    court.free();

    // What is kept is the match that was played, not one that was watched, whoever played that.
    const other = new core.Court(1, 8, 5, 11, 0.3);
    other.play(300, STILL, STILL);
    await drop(page, ["other.json", other.record()]);
    other.free();
    await waitFor(page, () => window.studio.state().levels[1] === 8 && window.studio.state().over);
    await page.click('role=button[name="Back to the match"]');
    await waitFor(page, () => !window.studio.state().watching);
    assert.deepEqual((await state(page)).ball, played.ball);
    await reload(page);
    await waitFor(page, () => window.studio.state().room === "pong" && window.studio.state().ready);
    const again = await state(page);
    assert.deepEqual([again.ball, again.score, again.running, again.watching], [played.ball, played.score, false, false]);
  });
});

test("broken records and links are refused with their place, and the match goes on", async () => {
  await inRoom({}, async (page) => {
    const court = new core.Court(3, 3, 5, 11, 0.3);
    court.play(400, STILL, STILL);
    const record = court.record();
    court.free();
    const before = await state(page);
    for (const [content, text] of [
      [record.slice(0, record.length / 2), /bad\.json: .*line 1/],
      [record.replace('"version":1', '"version":7'), /version = 7/],
      [record.replace('"seed":5', '"seed":6'), /ends otherwise/],
      [record.replace('"friction":0.3', '"friction":-1'), /friction = -1/],
      [record.replace(/"steps":\d+/, '"steps":99999999999'), /steps: must be at most 10000000, and is 99999999999/],
    ]) {
      await drop(page, ["bad.json", content]);
      await page.waitForSelector("#message:not([hidden])");
      assert.match(await page.textContent("#message"), text);
      const { ball, levels, watching } = await state(page);
      assert.deepEqual([ball, levels, watching], [before.ball, before.levels, false]);
      await page.click("#message button");
    }
    // A match that was begun goes on with its level.
    await page.click("#pong-play");
    await waitFor(page, () => window.studio.state().steps > 10);
    await page.click("#pong-play");
    await page.fill("#number-pong-level", "7");
    await page.keyboard.press("Enter");
    assert.deepEqual((await state(page)).levels, [-1, 4]);
    assert.match(await page.textContent("#pong-facts"), /level 7 from the next match on/);
    await page.click("#pong-again");
    assert.deepEqual((await state(page)).levels, [-1, 7]);
    await page.fill("#number-pong-level", "12");
    await page.keyboard.press("Enter");
    assert.match(await page.textContent("#message"), /level must be a whole number/);
  });
  await inRoom({ link: "#v=1&room=pong&levels=2,9" }, async (page) => {
    assert.deepEqual((await state(page)).levels, [2, 9]);
    await refused(page, ["2", "2,10", "2,3&x=1"].map((levels) => [`#v=1&room=pong&levels=${levels}`, /cannot be opened/]));
  });
});

test("a whole match of computers ends, in the time that its steps take", () => {
  const court = new core.Court(0, 9, 3, 11, 0.3);
  const start = performance.now();
  let steps = 0;
  let last;
  for (let events = court.play(60, STILL, STILL); events; events = court.play(60, STILL, STILL)) {
    steps += 60;
    last = events.at(-1) ?? last;
    assert.ok(steps < 1_000_000);
  }
  assert.equal(last, "won");
  const cost = (performance.now() - start) / steps;
  console.log(`${steps} steps, ${(1000 * cost).toFixed(1)} µs a step`);
  assert.ok(cost < 1, `${cost} ms a step of 8.3 ms`);
  court.free();
});

test("the room follows the rules of accessibility, light, dark and small; matches take no more memory", async () => {
  await inRoom({}, async (page) => {
    await allLooks(page);
    await page.screenshot({ path: `${PICTURES}/pong_phone.png` });
    const before = (await page.evaluate(() => window.studio.use())).wasm;
    for (let k = 0; k < 50; k++) await page.evaluate(() => document.querySelector("#pong-again").click());
    assert.equal((await page.evaluate(() => window.studio.use())).wasm, before);
  });
});

// Takes the pictures of docs/guides/studio.md from the built page: `npm run pictures`. A word on the command line takes only those
// whose names have it.
import { fileURLToPath } from "node:url";
import { drag, launch, open, serve, state } from "../tests/browser.mjs";

const DOCS = fileURLToPath(new URL("../../../docs/guides/", import.meta.url));
const holds = (page, test, argument) => page.waitForFunction(test, argument, { timeout: 120_000 });
const seen = (page, point) => page.evaluate((point) => window.studio.project(point), point);

/** Draws guess and iterates of a method, with their table in sight. */
async function traced(page, trace) {
  await page.selectOption("#trace", trace);
  await page.locator("#iterates").scrollIntoViewIfNeeded();
}

/** Has the edges drawn smooth, which the page leaves out where it learns that there is no graphics card. */
function smoothEdges() {
  const { getExtension } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getExtension = function (name) {
    return name === "WEBGL_debug_renderer_info" ? null : getExtension.call(this, name);
  };
}

/** Each picture: the room, and what is done before it is taken. */
const PICTURES = {
  pair: ["pair"],
  iterates: ["pair", (page) => traced(page, "superovoid")],
  guess: ["pair", (page) => traced(page, "oct-implicit")],
  robot: ["robot"],
  bite: [
    "robot",
    async (page) => {
      await page.click('role=button[name="A bite"]');
      await holds(page, () => window.studio.state().clearances?.length === 181);
      await page.fill("#row", "79");
    },
  ],
  simulate: [
    "simulate",
    async (page) => {
      await page.selectOption("#scenes", "tablecloth");
      await holds(page, () => window.studio.state().scene === "tablecloth");
      await page.click("#sim-play");
      await page.click("#sim-step");
      // As many frames as the cloth needs to fall on its table.
      for (let frame = 1; frame < 90; frame++) await page.evaluate(() => document.querySelector("#sim-step").click());
      await holds(page, () => window.studio.state().frame >= 89);
    },
  ],
  terrain: [
    "terrain",
    async (page) => {
      // A pin at the front edge, and the highest hill chosen.
      const { cloth } = await state(page);
      const side = Math.sqrt(cloth.length / 3);
      const edge = 3 * Math.round(0.62 * side);
      const at = await seen(page, cloth.slice(edge, edge + 3));
      await page.mouse.move(...at);
      await page.mouse.down();
      await page.mouse.move(at[0], at[1] - 70, { steps: 6 });
      await page.waitForTimeout(1500);
      await page.mouse.up();
      await holds(page, () => window.studio.state().pins.length === 1);
      await page.focus("#view");
      await page.keyboard.press("b");
      await page.evaluate(() => document.activeElement.blur());
      await page.waitForTimeout(1500);
    },
  ],
  terrain_walk: [
    "terrain",
    async (page) => {
      await page.click("#terrain-walk");
      await holds(page, () => window.studio.state().walker.onGround);
      await drag(page, [700, 500], [-90, 10]);
      await page.waitForTimeout(500);
    },
  ],
  sketch: [
    "sketch",
    async (page) => {
      await page.click("#sketch-humanoid");
      await page.click(".panes-row button:nth-child(4)");
      const { bones } = await state(page);
      await page.selectOption("#sketch-bone", String(bones.find(({ name }) => name === "left_upper_arm").id));
    },
  ],
  sketch_physics: [
    "sketch",
    async (page) => {
      await page.click("#sketch-humanoid");
      await page.uncheck("#sketch-gravity");
      const { hitboxes } = await state(page);
      const hand = hitboxes.reduce((a, b) => (b.pose[1] > a.pose[1] ? b : a));
      await page.click("#sketch-physics");
      await holds(page, () => window.studio.state().physics?.time > 0.1);
      const at = await seen(page, hand.pose.slice(0, 3));
      await page.mouse.move(...at);
      await page.mouse.down();
      await page.mouse.move(at[0] + 60, at[1] - 80, { steps: 5 });
      const { time } = (await state(page)).physics;
      await holds(page, (time) => window.studio.state().physics.time > time + 1, time);
    },
  ],
  pong: [
    "pong",
    async (page) => {
      await page.click('role=button[name="Two computers"]');
      await page.click("#pong-play");
      await holds(page, () => window.studio.state().strokes >= 3);
      await page.keyboard.press("Space");
    },
  ],
};

const wanted = process.argv[2] ?? "";
const [browser, server] = await Promise.all([launch(), serve()]);
for (const [name, [room, prepare]] of Object.entries(PICTURES)) {
  if (!name.includes(wanted)) continue;
  const { page, errors, close } = await open(browser, server.url, { reducedMotion: room === "simulate" ? "reduce" : "no-preference", script: smoothEdges });
  if (room !== "pair") await page.click(`#room-${room}`);
  await holds(page, () => window.studio.state().ready !== false);
  await prepare?.(page);
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${DOCS}studio_${name}.png` });
  if (errors.length > 0) throw new Error(`${name}: ${errors}`);
  console.log(`docs/studio_${name}.png`);
  await close();
}
await browser.close();
server.close();

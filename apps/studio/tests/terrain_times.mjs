// Figure 6.1 of Gonçalves 2015 again: bodies in a square grid, all covered by the cloth at rest, in a picture of 430 × 318
// pixels. `node apps/studio/tests/terrain_times.mjs` prints a table: what a frame of the simulation takes alone, in Node, and how
// many pictures a second the page shows with software WebGL, in the mean and at the longest pause between two, over 5 s.
import { readFileSync } from "node:fs";
import * as core from "../src/wasm/superovoid_studio.js";
import { drop, launch, open, serve } from "./browser.mjs";

const FRAMES = 300;
core.initSync({ module: readFileSync(new URL("../src/wasm/superovoid_studio_bg.wasm", import.meta.url)) });

/** A terrain with n × n bodies under the cloth, at rest. */
function covered(n) {
  const terrain = new core.Terrain();
  const at = (k) => (n === 1 ? 0 : -0.8 + (1.6 * k) / (n - 1));
  const size = 0.45 / Math.max(n, 2.5);
  for (let k = 0; k < n * n; k++) {
    terrain.sizeBody(terrain.addBody(at(k % n), at(Math.floor(k / n))), [size, size, 1.2 * size]);
  }
  for (let k = 0; k < FRAMES; k++) terrain.step();
  return terrain;
}

function stepTimes(terrain) {
  const times = Array.from({ length: FRAMES }, () => {
    const start = performance.now();
    terrain.step();
    return performance.now() - start;
  });
  return [times.reduce((sum, time) => sum + time, 0) / FRAMES, Math.max(...times)];
}

/** The pictures a second over 5 s, in the mean and by the longest pause. */
const pictures = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const begun = performance.now();
        let [last, longest, count] = [begun, 0, -1];
        const look = (now) => {
          count++;
          if (count > 0) longest = Math.max(longest, now - last);
          last = now;
          if (now - begun < 5000) requestAnimationFrame(look);
          else done([(1000 * count) / (now - begun), 1000 / longest]);
        };
        requestAnimationFrame(look);
      }),
  );

const [browser, server] = await Promise.all([launch(), serve()]);
console.log("| bodies | simulation, ms a frame | worst | pictures a second | least |\n| ---: | ---: | ---: | ---: | ---: |");
for (let n = 1; n <= 10; n++) {
  const terrain = covered(n);
  const text = terrain.json();
  const [mean, worst] = stepTimes(terrain);
  terrain.free();
  const { page, close } = await open(browser, server.url, {});
  await page.addStyleTag({ content: "#stage, #view { width: 430px !important; height: 318px !important; flex: none !important; }" });
  await page.click("#room-terrain");
  await page.waitForFunction(() => window.studio.state().ready);
  await drop(page, ["grid.json", text]);
  await page.waitForFunction((count) => window.studio.state().bodies.length === count, n * n);
  await page.waitForTimeout(500);
  const [rate, least] = await pictures(page);
  if (n === 1) {
    const { width, height } = await page.locator("#view").boundingBox();
    console.error(`the picture has ${width} × ${height} pixels`);
  }
  console.log(`| ${n * n} | ${mean.toFixed(1)} | ${worst.toFixed(1)} | ${rate.toFixed(0)} | ${least.toFixed(0)} |`);
  await close();
}
await browser.close();
server.close();

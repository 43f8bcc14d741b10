// A browser with software WebGL, and the built page served to it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));
/** Where the pictures go. */
export const PICTURES = process.env.STUDIO_PICTURES ?? fileURLToPath(new URL("../../../target/studio", import.meta.url));
/**
 * Pixels of the picture to one of the page, along either edge: fewer where nobody looks at the pictures, as software draws each
 * of them, and fewest in rooms that draw all the time.
 */
const [FINE, COARSE] = process.env.STUDIO_PICTURES ? [1, 1] : [0.5, 0.25];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves the built page on a free port of this machine. */
export async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://here").pathname));
    try {
      const file = join(DIST, path === "/" ? "index.html" : path);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export async function launch() {
  mkdirSync(PICTURES, { recursive: true });
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"],
  });
}

/** Opens the page; `errors` collects whatever the console or the page complains about. */
export async function open(browser, url, { link = "", ready = true, script, routes = {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: FINE, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !harmless(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("requestfailed", (request) => errors.push(`no answer: ${request.url()}`));
  if (script) await page.addInitScript(script);
  for (const [address, answer] of Object.entries(routes)) await page.route(address, answer);
  await page.goto(url + link);
  if (ready) await page.waitForFunction(() => window.studio !== undefined);
  return { page, errors, close: () => context.close() };
}

/**
 * Opens a room of the page, or what a link names, lets `run` use it, and wants no complaint of the console. It waits until
 * the room is there, unless `waits` is false.
 */
export async function visit(browser, url, room, { waits = true, ...options }, run) {
  const fine = ["terrain", "simulate"].includes(room) ? COARSE : FINE;
  const { page, errors, close } = await open(browser, url, { deviceScaleFactor: fine, ...options });
  try {
    if (!options.link) await page.click(`#room-${room}`);
    if (waits) await page.waitForFunction(() => window.studio.state().ready);
    await run(page);
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
}

/** Returns what violates the rules of accessibility. */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run());
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Shows the page in light, in dark and on a small screen, each with its name, and wants no violation in what `see` makes of it. */
export async function allLooks(page, see = () => {}) {
  const full = page.viewportSize();
  for (const [name, colorScheme, size] of [["light", "light", full], ["dark", "dark", full], ["phone", "light", { width: 390, height: 844 }]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await see(name);
    assert.deepEqual(await violations(page), [], name);
  }
}

/** Opens links in a page that is there, and wants each to be refused with a text. */
export async function refused(page, links) {
  for (const [link, text] of links) {
    await page.evaluate((link) => {
      document.querySelector("#message").hidden = true;
      location.hash = link;
    }, link);
    await page.waitForSelector("#message:not([hidden])");
    assert.match(await page.textContent("#message"), text, link.slice(0, 100));
  }
}

/** What software WebGL says of itself, when pixels are read. */
function harmless(text) {
  return text.includes("GPU stall due to ReadPixels") || text.includes("Automatic fallback to software WebGL");
}

export const state = (page) => page.evaluate(() => window.studio.state());

/** Reloads the page once the address bar has the link of what is shown, which it gets some time after the last change. */
export async function reload(page) {
  await page.waitForFunction(() => location.search === "" && location.hash.slice(1) === window.studio.link());
  await page.reload();
  await page.waitForFunction(() => window.studio !== undefined);
}

/** Waits until a function of the page is true of an argument; where it is not, the error says what the page is like. */
export async function becomes(page, test, argument, milliseconds) {
  try {
    await page.waitForFunction(test, argument, { timeout: milliseconds });
  } catch (error) {
    const { cloth, ...rest } = await state(page);
    const said = await page.textContent("#message");
    throw new Error(`not so after ${milliseconds} ms: ${test}\nthe page says “${said}” and is ${JSON.stringify(rest)}`, { cause: error });
  }
}

/** Waits until `holds` is true of the page: a picture follows what is asked when the machine comes to it. */
export async function until(holds, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `not so after ${milliseconds} ms: ${holds}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until what the browser keeps of a room for a reload is a text for which `holds`: it is written some time after the last change. */
export async function untilKept(page, room, holds) {
  const read = (room) =>
    new Promise((done, failed) => {
      const asked = indexedDB.open("keyval-store");
      asked.onerror = () => failed(asked.error);
      asked.onsuccess = () => {
        const found = asked.result.transaction("keyval").objectStore("keyval").get(`superovoid-studio-${room}`);
        asked.result.close();
        found.onerror = () => failed(found.error);
        found.onsuccess = () => done(found.result?.map(({ bytes }) => new TextDecoder().decode(bytes)).join(""));
      };
    });
  await until(async () => {
    const text = await page.evaluate(read, room);
    return text !== undefined && holds(text);
  });
}

/** Returns where the centre of a body is seen on the page. */
export async function place(page, body) {
  const { bodies } = await state(page);
  return page.evaluate((at) => window.studio.project(at), bodies[body].pose.slice(0, 3));
}

/** Drags with the mouse from a place by pixels. */
export async function drag(page, [x, y], [dx, dy], { key, button = "left", steps = 8 } = {}) {
  if (key) await page.keyboard.down(key);
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + dx, y + dy, { steps });
  await page.mouse.up({ button });
  if (key) await page.keyboard.up(key);
}

/** Sends events of fingers, or of another kind of pointer, to the picture, as [type, pointer, x, y]. */
export function fingers(page, events, pointerType = "touch") {
  return page.evaluate(
    ([events, pointerType]) => {
      const canvas = document.querySelector("#view");
      for (const [type, pointerId, clientX, clientY] of events) {
        canvas.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY, pointerType, isPrimary: pointerId === 11, bubbles: true }));
      }
    },
    [events, pointerType],
  );
}

/** Drops files on the page, as [name, text or bytes]. */
export async function drop(page, ...files) {
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (const [name, content] of files) {
      const bytes = typeof content === "string" ? content : new Uint8Array(content);
      data.items.add(new File([bytes], name));
    }
    const event = (type) => new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event("dragover"));
    document.body.dispatchEvent(event("drop"));
  }, files);
}

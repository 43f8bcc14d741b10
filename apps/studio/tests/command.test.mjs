// The page as `superovoid studio` serves it: embedded in the command, with files that are opened in it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { launch, open, reload, state } from "./browser.mjs";
import { nativeSimulation, program } from "./native.mjs";

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const PANDA = join(ROOT, "urdf/panda.urdf");
const EGG = JSON.stringify({
  version: 1,
  name: "an egg",
  materials: [{}],
  bodies: [
    { shape: "HalfSpace" },
    {
      shape: { Superovoid: { semi_axes: [0.1, 0.1, 0.15], exponents: [1, 1], tapers: [0.2, 0.2] } },
      position: [0, 0, 0.5],
      motion: { Dynamic: { density: 1000 } },
    },
  ],
});
let browser;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "studio-"));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Starts the command with files, and opens the address that it prints. */
async function served(files, run) {
  const command = spawn(program("superovoid"), ["studio", "--no-open", ...files], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const lines = createInterface({ input: command.stdout });
    const [address] = await new Promise((done, failed) => {
      lines.once("line", (line) => done([line]));
      command.once("exit", (code) => failed(new Error(`the command ended with ${code}`)));
    });
    const opened = await open(browser, address, { reducedMotion: "reduce" });
    try {
      await run(opened.page);
      assert.deepEqual(opened.errors, []);
    } finally {
      await opened.close();
    }
  } finally {
    command.kill();
  }
}

test("without a file the command shows the live pair", async () => {
  await served([], async (page) => {
    const { answer } = await state(page);
    assert.equal(answer.contact.outcome, "certified");
    assert.equal(new URL(page.url()).search, "");
  });
});

test("a robot, and a trajectory for it, are open at once and after a reload", async () => {
  const path = join(folder, "path.csv");
  writeFileSync(path, "panda_joint1\n0.1\n0.2\n0.3\n");
  await served([PANDA, path], async (page) => {
    await page.waitForFunction(() => window.studio.state().rows === 3);
    const now = await state(page);
    assert.equal(now.robot, "panda");
    assert.equal(now.source, "file");
    await reload(page);
    await page.waitForFunction(() => window.studio.state().ready);
    assert.deepEqual((await state(page)).positions, now.positions);
  });
});

test("a scene or a recording is open at once", async () => {
  const [scene, recording] = [join(folder, "an egg.json"), join(folder, "stack.sovorec")];
  writeFileSync(scene, EGG);
  await served([scene], async (page) => {
    await page.waitForFunction(() => window.studio.state().scene === "file");
    assert.equal(await page.textContent("#scene-title"), "an egg");
  });
  nativeSimulation("stack", 10, recording);
  await served([recording], async (page) => {
    await page.waitForFunction(() => window.studio.state().frames === 10);
  });
});

test("a file that is broken is told with its name, and the page lives", async () => {
  const broken = join(folder, "broken.urdf");
  writeFileSync(broken, '<robot name="x"><link');
  await served([broken], async (page) => {
    await page.waitForSelector("#message:not([hidden])");
    assert.match(await page.textContent("#message"), /broken\.urdf: line 1/);
  });
});

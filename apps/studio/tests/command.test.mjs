// The page as `superovoid studio` serves it: embedded in the command, with files that are opened in it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** Starts the studio with files, and opens the address that it prints. */
const served = (files, run) => opened(["studio", "--no-open", ...files], run);

/** Starts the command, and opens the address that it prints. */
async function opened(args, run) {
  const command = spawn(program("superovoid"), args, { stdio: ["ignore", "pipe", "ignore"], cwd: folder });
  try {
    const lines = createInterface({ input: command.stdout });
    const [address] = await new Promise((done, failed) => {
      lines.once("line", (line) => done([line]));
      command.once("exit", (code) => failed(new Error(`the command ended with ${code}`)));
    });
    const { page, errors, close } = await open(browser, address, { reducedMotion: "reduce" });
    try {
      await run(page);
      assert.deepEqual(errors, []);
    } finally {
      await close();
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

test("a plan is shown with the robot, its mesh, the obstacles and the path, whose lines are proven, also after a reload", async () => {
  const slide = (name, child, axis) => `<joint name="${name}" type="prismatic"><parent link="${name === "x" ? "base" : "carriage"}"/>
    <child link="${child}"/><axis xyz="${axis}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>`;
  const cube = '<collision><geometry><mesh filename="package://parts/cube.obj" scale="0.2 0.2 0.2"/></geometry></collision>';
  const robot = `<robot name="slides"><link name="base"/><link name="carriage"/><link name="cube">${cube}</link>
    ${slide("x", "carriage", "1 0 0")}${slide("y", "cube", "0 1 0")}</robot>`;
  const corners = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => `v ${x - 0.5} ${y - 0.5} ${z - 0.5}`)));
  const sides = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"].map((side) => `f ${side}`);
  mkdirSync(join(folder, "parts"));
  writeFileSync(join(folder, "parts", "cube.obj"), [...corners, ...sides].join("\n"));
  writeFileSync(join(folder, "slides.urdf"), robot);
  writeFileSync(join(folder, "block.obj"), [...corners.map((line) => line.replaceAll("0.5", "0.2")), ...sides].join("\n"));
  const columns = "name,shape,x,y,z,radius,length,size_x,size_y,size_z";
  const shapes = ["tip,cone,0,0,1,0.2,0.4,,,", "bar,cylinder,0,0,-1,0.2,0.4,,,", "pin,capsule,1,1,1,0.2,0.4,,,", "book,box,-1,-1,1,,,0.2,0.3,0.4"];
  writeFileSync(join(folder, "shapes.csv"), [columns, ...shapes, ""].join("\n"));
  const plan = "plan slides.urdf --from -0.8,0 --to 0.8,0 --obstacles block.obj --obstacles shapes.csv --studio --no-open";
  await opened(plan.split(" "), async (page) => {
    const judged = () => page.waitForFunction(() => window.studio.state().proofs?.length > 0);
    await judged();
    const now = await state(page);
    assert.deepEqual([now.robot, now.source, now.obstacles, now.row], ["slides", "file", 5, 0]);
    assert.ok(now.rows > 3 && now.proofs.length === now.rows - 1 && now.proofs.every(({ status }) => status === "free"));
    assert.ok(Math.min(...now.clearances) > 0 && Math.min(...now.clearances) < 0.05);
    assert.match(await page.textContent("#robot-about"), /3 links, 1 bodies, 5 obstacles\.$/);
    await page.fill("#row", "1.5");
    const { positions } = await state(page);
    await reload(page);
    await judged();
    const after = await state(page);
    assert.deepEqual([after.row, after.positions, after.obstacles], [1.5, positions, 5]);
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

// The room of robots in a browser: joints, closest pairs, dropped files, trajectories, links.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { PICTURES, allLooks, drag, drop, launch, refused, reload, serve, state, visit } from "./browser.mjs";
import { nativeRobot } from "./native.mjs";

const MOLARS = fileURLToPath(new URL("../../../urdf/molars.urdf", import.meta.url));
const HANDS = fileURLToPath(new URL("../../../urdf/icub_hands.urdf", import.meta.url));
const ARM = `<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.03" length="0.3"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0 0 0.2"/><geometry><capsule radius="0.03" length="0.2"/></geometry></collision></link>
  <link name="tool"><collision><geometry><sphere radius="0.02"/></geometry></collision>
    <collision><geometry><mesh filename="tool.stl"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.4"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
</robot>`;
let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  server?.close();
});

const inRoom = (options, run) => visit(browser, server.url, "robot", options, run);

/** Sets a joint by its field. */
async function set(page, joint, value) {
  await page.fill(`input[aria-label="${joint}, exact"]`, String(value));
  await page.keyboard.press("Enter");
}

function same(pairs, right) {
  assert.equal(pairs.length, right.length);
  // Pairs at the same distance may be in another order.
  const key = ([a, b, distance]) => `${a} ${b} ${distance.toFixed(8)}`;
  const found = new Map(pairs.map(({ a, b, contact }) => [key([a, b, contact.distance]), contact.distance]));
  for (const each of right) assert.ok(Math.abs((found.get(key(each)) ?? Number.NaN) - each[2]) < 1e-9, `${each}`);
}

test("the hands' pairs are those of the library, red where thumbs collide, and free with the thumbs turned", async () => {
  await inRoom({}, async (page) => {
    const start = await state(page);
    assert.equal(start.robot, "icub_hands");
    same(start.pairs, nativeRobot(HANDS, start.positions));
    const colliding = start.pairs.filter(({ status }) => status === "collision");
    assert.equal(colliding.length, 2);
    assert.match(await page.textContent("#answer"), /2 pairs in collision/);
    await page.screenshot({ path: `${PICTURES}/robot.png` });
    // Somewhere on the right palm, which is large, in red.
    const palm = await page.evaluate(() => {
      const { contact } = window.studio.state().pairs[0];
      return window.studio.project(contact.pointA);
    });
    const reds = [];
    for (let x = -80; x <= 80; x += 40) {
      for (let y = -80; y <= 80; y += 40) {
        const [r, g, b] = await page.evaluate(([x, y]) => window.studio.pixel(x, y), [palm[0] + x, palm[1] + y]);
        reds.push(r > 90 && r > 2 * g && r > 2 * b);
      }
    }
    assert.ok(reds.filter(Boolean).length >= 3, `${reds.filter(Boolean).length} red pixels`);
    await set(page, "l_hand_thumb_0_joint", 0.25);
    await set(page, "r_hand_thumb_0_joint", 0.25);
    const turned = await state(page);
    same(turned.pairs, nativeRobot(HANDS, turned.positions));
    assert.ok(turned.pairs.every(({ status }) => status === "free"));
    assert.match(await page.textContent("#answer"), /mm is the least clearance/);
    // Another pair of the list is marked.
    await page.locator("#pairs button").nth(3).click();
    assert.equal(await page.locator("#pairs button").nth(3).getAttribute("aria-pressed"), "true");
    // A slider by keys, and the view by mouse.
    await page.focus('input[aria-label^="l_hand_index_1_joint"]');
    await page.keyboard.press("ArrowRight");
    const bent = await state(page);
    assert.notDeepEqual(bent.positions, turned.positions);
    await drag(page, [120, 300], [60, 30]);
    assert.notDeepEqual((await state(page)).camera, bent.camera);
    await page.click("text=Begin again");
    assert.deepEqual((await state(page)).positions, start.positions);
  });
});

test("a dropped URDF file is shown with all its shapes, what is not checked is told, and it outlives a reload", async () => {
  await inRoom({}, async (page) => {
    await drop(page, ["arm.urdf", ARM]);
    await page.waitForFunction(() => window.studio.state().robot === "arm");
    assert.match(await page.textContent("#robot-about"), /4 links, 4 bodies.*Not checked: tool: mesh/);
    await set(page, "elbow", 3);
    await set(page, "slide", 0.1);
    const bent = await state(page);
    assert.ok(bent.pairs.some(({ status }) => status === "collision"));
    await page.screenshot({ path: `${PICTURES}/arm.png` });
    await set(page, "elbow", 4);
    assert.match(await page.textContent("#message"), /elbow/);
    assert.deepEqual((await state(page)).positions, bent.positions);
    await reload(page);
    await page.waitForFunction(() => window.studio.state().robot === "arm");
    assert.deepEqual((await state(page)).positions, bent.positions);
    assert.deepEqual((await state(page)).camera, bent.camera);
  });
});

test("meshes that are dropped with a URDF are compared, also later and by their folders; an SRDF leaves pairs out", async () => {
  const mesh = '<mesh filename="package://arm/meshes/tool.obj" scale="0.04 0.04 0.04"/>';
  const arm = ARM.replace('<mesh filename="tool.stl"/>', mesh).replace('<sphere radius="0.02"/>', '<sphere radius="0.001"/>');
  await inRoom({}, async (page) => {
    await drop(page, ["tool.obj", cube()], ["arm.urdf", arm]);
    await page.waitForFunction(() => window.studio.state().robot === "arm");
    assert.match(await page.textContent("#robot-about"), /4 links, 5 bodies\.$/);
    // As far as a box of the same size.
    await set(page, "elbow", 2.9);
    const { pairs } = await state(page);
    await drop(page, ["box.urdf", arm.replace(mesh, '<box size="0.04 0.04 0.04"/>')]);
    await page.waitForFunction(() => !window.studio.state().positions.some((x) => x > 1));
    await set(page, "elbow", 2.9);
    const least = (pairs) => Math.min(...pairs.filter(({ a, b }) => a === "tool" || b === "tool").map(({ contact }) => contact.distance));
    const box = (await state(page)).pairs;
    assert.ok(Number.isFinite(least(pairs)) && Math.abs(least(pairs) - least(box)) < 1e-9, `${least(pairs)} ${least(box)}`);
    // The mesh comes after the robot, which tells that it lacks it.
    await drop(page, ["arm.urdf", arm]);
    await page.waitForFunction(() => document.querySelector("#robot-about").textContent.includes("Not checked: tool: mesh"));
    await drop(page, ["tool.obj", cube()]);
    await page.waitForFunction(() => /5 bodies\.$/.test(document.querySelector("#robot-about").textContent));
    await page.screenshot({ path: `${PICTURES}/robot_mesh.png` });
    await set(page, "elbow", 2.9);
    const among = async () => (await state(page)).pairs.some(({ a, b }) => [a, b].sort().join() === "tool,upper");
    assert.ok(await among());
    await drop(page, ["arm.srdf", '<robot name="arm"><disable_collisions link1="tool" link2="upper" reason="Never"/><disable_collisions link1="moon" link2="upper" reason="Never"/></robot>']);
    await page.waitForFunction(() => document.querySelector("#panel").textContent.includes("moon"));
    assert.equal(await among(), false);
    await drop(page, ["broken.srdf", "<robot><disable_collisions link1='tool'/></robot>"]);
    await page.waitForSelector("#message:not([hidden])");
    assert.match(await page.textContent("#message"), /broken\.srdf: .*line 1/);
    await page.click("#message button");
    await reload(page);
    await page.waitForFunction(() => window.studio.state().robot === "arm");
    assert.match(await page.textContent("#robot-about"), /5 bodies\.$/);
    assert.equal(await among(), false);
    // A mesh that is broken is told, and the rest of the robot is there.
    await drop(page, ["tool.obj", "v 0 0 0\nf 1 2 3"], ["arm.urdf", arm]);
    await page.waitForFunction(() => document.querySelector("#panel").textContent.includes("tool.obj: "));
    assert.match(await page.textContent("#robot-about"), /Not checked: tool: mesh/);
  });
});

/** A cube of edge 1 as an OBJ file. */
function cube() {
  const corners = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => `v ${x - 0.5} ${y - 0.5} ${z - 0.5}`)));
  const sides = ["1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7", "1 7 5", "2 6 8", "2 8 4"];
  return [...corners, ...sides.map((side) => `f ${side}`)].join("\n");
}

/** The arm as a package of ROS, with files that are no part of the robot. */
function armPackage() {
  const mesh = '<mesh filename="package://arm/meshes/tool.obj" scale="0.04 0.04 0.04"/>';
  return {
    "arm/package.xml": "<package><name>arm</name></package>",
    "arm/README.md": "an arm",
    "arm/config/setup.json": "{}",
    "arm/urdf/arm.urdf": ARM.replace('<mesh filename="tool.stl"/>', mesh),
    "arm/urdf/old/arm.urdf": "<robot",
    "arm/meshes/tool.obj": cube(),
    "arm/meshes/unused.stl": "not a mesh",
    "arm/srdf/arm.srdf": '<robot name="arm"><disable_collisions link1="tool" link2="upper" reason="Never"/></robot>',
  };
}

test("a package is dropped as a zip file, or as a folder: the robot with its meshes and its SRDF", async () => {
  const files = armPackage();
  const zipped = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  const folder = mkdtempSync(join(tmpdir(), "studio-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const shown = async (page) => {
    await page.waitForFunction(() => window.studio.state().robot === "arm");
    assert.match(await page.textContent("#robot-about"), /4 links, 5 bodies\.$/);
    assert.equal(await page.isVisible("#message"), false);
    await set(page, "elbow", 2.9);
    const pairs = (await state(page)).pairs.map(({ a, b }) => [a, b].sort().join());
    assert.ok(pairs.length > 0 && !pairs.includes("tool,upper"), `${pairs}`);
  };
  try {
    await inRoom({}, async (page) => {
      await drop(page, ["arm.zip", [...zipped]]);
      await shown(page);
      // What is broken is told by its name, and the robot stays.
      const broken = [
        [["cut.zip", [...zipped.subarray(0, 200)]], /cut\.zip: /],
        [["bomb.zip", [...bomb()]], /bomb\.zip: .*more than 256 MiB/],
        [["photos.zip", [...zipSync({ "a.txt": strToU8("x") })]], /photos\.zip: there is no robot in it/],
        [["bad.zip", [...zipSync({ "bad/x.urdf": strToU8("<robot") })]], /x\.urdf: line 1/],
      ];
      for (const [file, text] of broken) {
        await page.evaluate(() => (document.querySelector("#message").hidden = true));
        await drop(page, file);
        await page.waitForSelector("#message:not([hidden])");
        assert.match(await page.textContent("#message"), text);
        assert.equal((await state(page)).robot, "arm");
      }
    });
    await inRoom({}, async (page) => {
      // Only the browser itself can drop a folder.
      const session = await page.context().newCDPSession(page);
      const data = { items: [], files: [join(folder, "arm")], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) {
        await session.send("Input.dispatchDragEvent", { type, x: 400, y: 400, data });
      }
      await shown(page);
    });
    await inRoom({}, async (page) => {
      await page.setInputFiles("#folder", join(folder, "arm"));
      await shown(page);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A zip file that claims to hold half a gigabyte. */
function bomb() {
  const bytes = zipSync({ "a.stl": strToU8("x".repeat(1000)) });
  const view = new DataView(bytes.buffer);
  // The size of the file in the directory at the end.
  const directory = view.getUint32(bytes.length - 6, true);
  view.setUint32(directory + 24, 2 ** 29, true);
  return bytes;
}

test("the page lives while the meshes of a robot are read", async () => {
  await inRoom({}, async (page) => {
    const urdf = '<robot name="heavy"><link name="a"><collision><geometry><mesh filename="big.stl"/></geometry></collision></link></robot>';
    const [longest, total] = await page.evaluate(async (urdf) => {
      // A wavy square of 2 · 316² triangles.
      const n = 316;
      const bytes = new ArrayBuffer(84 + 50 * 2 * n * n);
      const view = new DataView(bytes);
      view.setUint32(80, 2 * n * n, true);
      let at = 84;
      const corner = (i, j) => [i / n, j / n, 0.1 * Math.sin(i / 9) * Math.cos(j / 7)];
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          for (const triangle of [[[0, 0], [1, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]]]) {
            triangle.forEach(([a, b], k) => corner(i + a, j + b).forEach((x, c) => view.setFloat32(at + 12 + 12 * k + 4 * c, x, true)));
            at += 50;
          }
        }
      }
      const data = new DataTransfer();
      data.items.add(new File([urdf], "heavy.urdf"));
      data.items.add(new File([bytes], "big.stl"));
      const start = performance.now();
      let [last, longest] = [start, 0];
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      while (window.studio.state().robot !== "heavy") {
        await new Promise((done) => setTimeout(done, 0));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      return [longest, performance.now() - start];
    }, urdf);
    console.log(`a robot with 199,712 triangles: shown after ${total.toFixed(0)} ms, the page waited ${longest.toFixed(0)} ms at most`);
    assert.match(await page.textContent("#robot-about"), /1 links?, 1 bod/);
    assert.ok(longest < 0.9 * total, `${longest} ${total}`);
  });
});

test("broken files are refused with their name and place, and everything stays", async () => {
  await inRoom({}, async (page) => {
    const start = await state(page);
    const links = Array.from({ length: 200_001 }, (_, k) => `<link name="l${k}"/>`).join("");
    const broken = [
      [["cut.urdf", ARM.slice(0, 300)], /cut\.urdf: line \d+, column \d+/],
      [["cycle.urdf", ARM.replaceAll('child link="upper"', 'child link="base"')], /cycle\.urdf: line/],
      [["nan.urdf", ARM.replace('radius="0.03"', 'radius="NaN"')], /nan\.urdf: line 3/],
      [["doctype.urdf", `<!DOCTYPE x [<!ENTITY a "b">]>${ARM}`], /doctype\.urdf: line 1/],
      [["html.urdf", "<html><body>not a robot</body></html>"], /html\.urdf: line 1/],
      [["many.urdf", `<robot name="many">${links}</robot>`], /many\.urdf: .*200000|200,000/],
      [["picture.urdf", [0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0]], /picture\.urdf: the file is not text/],
      [["empty.csv", ""], /empty\.csv: the trajectory has no rows/],
      [["other.csv", "knee\n1\n"], /other\.csv: the trajectory's column “knee” is no joint of icub_hands/],
      [["words.csv", "l_hand_thumb_0_joint\nx\n"], /words\.csv: the trajectory's line 2/],
      [["far.csv", "l_hand_thumb_0_joint\n99\n"], /far\.csv: .*l_hand_thumb_0_joint/],
      [["twice.csv", "l_hand_thumb_0_joint,l_hand_thumb_0_joint\n0,0\n"], /two columns/],
    ];
    for (const [file, text] of broken) {
      await page.evaluate(() => (document.querySelector("#message").hidden = true));
      await drop(page, file);
      await page.waitForSelector("#message:not([hidden])");
      assert.match(await page.textContent("#message"), text);
      const { camera, ...now } = await state(page);
      const { camera: before, ...right } = start;
      assert.deepEqual(now, right, file[0]);
    }
  });
});

test("a trajectory is played, and its rows are chosen by the slider", async () => {
  await inRoom({}, async (page) => {
    const rows = Array.from({ length: 20 }, (_, k) => `${0.25 + k * 0.01},${0.25}`);
    await drop(page, ["close.csv", ["l_hand_thumb_0_joint,r_hand_thumb_0_joint", ...rows].join("\r\n")]);
    await page.waitForFunction(() => window.studio.state().rows === 20);
    assert.equal(await page.textContent("#row-text"), "row 1 of 20");
    assert.ok((await state(page)).pairs.every(({ status }) => status === "free"));
    await page.focus("#row");
    await page.keyboard.press("End");
    const last = await state(page);
    assert.equal(last.row, 19);
    assert.ok(last.positions.some((x) => Math.abs(x - 0.44) < 1e-9));
    same(last.pairs, nativeRobot(HANDS, last.positions));
    await page.click("#play");
    // Not once in each picture, which may take longer than the rows.
    await page.waitForFunction(() => window.studio.state().row > 0 && window.studio.state().row < 19, null, { polling: 10 });
    await page.waitForFunction(() => window.studio.state().row === 19);
    await page.waitForFunction(() => document.querySelector("#play").textContent === "Play");
    await page.click("#room-pair");
    await page.click("#room-robot");
    assert.equal((await state(page)).rows, 20);
  });
});

const SLIDES = `<robot name="slides"><link name="base"/><link name="carriage"/>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="y" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>`;
const POST = { name: "post", pose: [0, 0, 0, 0, 0, 0, 1], shape: { cylinder: { radius: 0.3, length: 1 } } };
const obstacles = (...list) => JSON.stringify({ version: 1, obstacles: list });

test("a path among obstacles is played smoothly, both ways, and its lines are proven free, or told where they touch", async () => {
  await inRoom({}, async (page) => {
    const judged = (count) => page.waitForFunction((count) => window.studio.state().proofs.length === count, count);
    await drop(page, ["slides.urdf", SLIDES], ["post.json", obstacles(POST)]);
    await page.waitForFunction(() => window.studio.state().robot === "slides");
    assert.equal((await state(page)).obstacles, 1);
    assert.match(await page.textContent("#answer"), /1 pair in collision/);
    await drop(page, ["path.csv", "x,y\n-0.8,0\n0,0.5\n0.8,0\n"]);
    await judged(2);
    assert.match(await page.textContent("#proof"), /^The line from row 1 to 2 is proven free\. Of the lines between rows all 2 are proven free\.$/);
    // Between two rows, with the certified clearance there.
    await page.fill("#row", "0.72");
    const { positions, pairs } = await state(page);
    [-0.224, 0.36].forEach((x, k) => assert.ok(Math.abs(positions[k] - x) < 1e-12, `${positions}`));
    assert.deepEqual([pairs[0].a, pairs[0].b, pairs[0].status], ["ball", "post", "free"]);
    assert.ok(Math.abs(pairs[0].contact.distance - (Math.hypot(0.224, 0.36) - 0.4)) < 1e-9);
    assert.equal(await page.textContent("#row-text"), "row 1.72 of 3");
    await page.screenshot({ path: `${PICTURES}/robot_path.png` });
    // No step of the player is longer than 1/30 m, each row is met, and back ends at the beginning.
    await page.evaluate(() => {
      window.places = [];
      const seen = new MutationObserver(() => window.places.push(window.studio.state().row));
      seen.observe(document.querySelector("#row-text"), { childList: true, characterData: true, subtree: true });
    });
    await page.click("role=button[name='×4']");
    await page.click("#play-back");
    await page.waitForFunction(() => window.studio.state().row === 0 && document.querySelector("#play-back").textContent === "Back");
    await page.click("role=button[name='×1']");
    await page.evaluate(() => (window.places = []));
    await page.click("#play");
    await page.waitForFunction(() => window.studio.state().row === 2);
    const places = await page.evaluate(() => [...new Set(window.places)]);
    assert.ok(places.length > 40 && places.includes(1), `${places}`);
    places.slice(1).forEach((place, k) => assert.ok(place > places[k] && (place - places[k]) * 0.8 < 1 / 30 + 1e-9, `${places[k]} ${place}`));
    // Through the post.
    await drop(page, ["through.csv", "x,y\n-0.8,0\n0.8,0\n0.8,0.5\n"]);
    await page.waitForFunction(() => window.studio.state().proofs[0]?.status === "hit");
    const text = await page.textContent("#proof");
    assert.match(text, /^The line from row 1 to 2 is in collision, ball and post, proven free up to 25\.0 % of it\. .* 1 of 2 are proven free\.$/);
    // Another obstacle comes later; the path and the place stay.
    await page.fill("#row", "2");
    await drop(page, ["wall.json", obstacles({ ...POST, name: "wall", pose: [0.8, 0.9, 0, 0, 0, 0, 1], shape: { box: [0.1, 0.1, 1] } })]);
    await page.waitForFunction(() => window.studio.state().obstacles === 2);
    assert.deepEqual([(await state(page)).row, (await state(page)).rows], [2, 3]);
    await reload(page);
    await page.waitForFunction(() => window.studio.state().obstacles === 2);
    assert.deepEqual([(await state(page)).row, (await state(page)).rows], [2, 3]);
    const broken = [
      [obstacles({ name: "post" }), /broken\.json: line 1, column \d+.*obstacles\[0\].*pose/],
      [obstacles({ ...POST, shape: { box: [1, 1, -1] } }), /broken\.json: obstacles\[0\]: /],
      [obstacles({ ...POST, shape: { mesh: 0 } }), /broken\.json: obstacles\[0\]: there is no mesh 0/],
      [obstacles({ ...POST, name: "ball" }), /broken\.json: .*ball/],
      [obstacles(POST).replace(":1,", ":2,"), /broken\.json: version = 2/],
    ];
    for (const [text, message] of broken) {
      await page.evaluate(() => (document.querySelector("#message").hidden = true));
      await drop(page, ["broken.json", text]);
      await page.waitForSelector("#message:not([hidden])");
      assert.match(await page.textContent("#message"), message);
      assert.equal((await state(page)).obstacles, 2);
    }
  });
});

test("a bite and the hands that meet come with their trajectories: rows by slider, least clearance over the rows", async () => {
  await inRoom({}, async (page) => {
    await page.click('role=button[name="A bite"]');
    await page.waitForFunction(() => window.studio.state().clearances.length === 181);
    const start = await state(page);
    assert.deepEqual([start.robot, start.rows, start.row], ["teeth", 181, 0]);
    // Over frames 47 to 111 the molars overlap, and there is no jump.
    start.clearances.forEach((distance, row) => assert.equal(distance < 0, row >= 47 && row <= 111, `row ${row}: ${distance}`));
    const change = start.clearances.slice(1).map((distance, row) => Math.abs(distance - start.clearances[row]));
    assert.ok(Math.max(...change) < 2.1e-5);
    assert.match(await page.textContent("#clearances"), /from -0\.\d+ to \d\.\d+ mm/);
    // By the slider to the frame in which the upper molar turns.
    await page.fill("#row", "79");
    const turned = await state(page);
    assert.equal(turned.row, 79);
    same(turned.pairs, nativeRobot(MOLARS, turned.positions));
    assert.equal(turned.pairs[0].contact.distance, turned.clearances[79]);
    assert.match(await page.textContent("#answer"), /pairs? in collision/);
    await page.screenshot({ path: `${PICTURES}/robot_bite.png` });
    // The link is of that row, and the trajectory is there again.
    await reload(page);
    await page.waitForFunction(() => window.studio.state().clearances?.length === 181);
    assert.deepEqual([(await state(page)).row, (await state(page)).positions], [79, turned.positions]);
    await page.click("text=Begin again");
    assert.deepEqual([(await state(page)).row, (await state(page)).rows], [0, 181]);

    await page.click('role=button[name="Hands meet"]');
    await page.waitForFunction(() => window.studio.state().robot === "icub_hands" && window.studio.state().clearances.length > 100);
    const hands = await state(page);
    assert.ok(hands.pairs.every(({ status }) => status === "free"));
    assert.ok(hands.clearances[0] > 0 && Math.min(...hands.clearances) < 0);
    // A robot without a trajectory has none of another's.
    await page.click('role=button[name="Panda"]');
    await page.waitForFunction(() => window.studio.state().robot === "panda");
    assert.deepEqual([(await state(page)).rows, (await state(page)).clearances], [0, []]);
    assert.equal(await page.isVisible("#player"), false);
  });
});

test("a link opens a robot in its configuration; one that is wrong shows the hands and says why", async () => {
  let link;
  let right;
  await inRoom({}, async (page) => {
    await page.click('role=button[name="Panda"]');
    await page.waitForFunction(() => window.studio.state().robot === "panda");
    await page.focus("#range-joint-1");
    await page.keyboard.press("ArrowLeft");
    right = await state(page);
    link = `#${await page.evaluate(() => window.studio.link())}`;
  });
  await inRoom({ link }, async (page) => {
    assert.deepEqual(await state(page), right);
  });
  const wrong = [
    [link.replace("robot=panda", "robot=icub_hands"), /cannot be opened/],
    [link.replace("robot=panda", "robot=file&name=mine"), /needs the file of the robot mine/],
    [link.replace(/q=[^&]*/, "q=1e9,0,0,0,0,0,0,0"), /cannot be opened/],
  ];
  await inRoom({ link: wrong[0][0] }, async (page) => {
    await page.waitForSelector("#message:not([hidden])");
    assert.match(await page.textContent("#message"), wrong[0][1]);
    for (const each of wrong.slice(1)) {
      assert.equal((await state(page)).robot, "icub_hands");
      await refused(page, [each]);
    }
    assert.equal((await state(page)).robot, "icub_hands");
  });
});

test("the room follows the rules of accessibility, light, dark and small", async () => {
  await inRoom({}, async (page) => {
    await allLooks(page);
    await page.screenshot({ path: `${PICTURES}/robot_phone.png` });
  });
});

test("other robots take no more memory than the first ones", async () => {
  await inRoom({ viewport: { width: 320, height: 240 } }, async (page) => {
    const round = async () => {
      for (const [word, name] of [["Panda", "panda"], ["iCub hands", "icub_hands"]]) {
        await page.click(`role=button[name="${word}"]`);
        await page.waitForFunction((name) => window.studio.state().robot === name, name);
        await page.evaluate(() => window.studio.pixel(100, 100));
      }
      return page.evaluate(() => window.studio.use());
    };
    await round();
    const before = await round();
    for (let k = 0; k < 5; k++) await round();
    const after = await round();
    assert.equal(after.geometries, before.geometries);
    assert.equal(after.wasm, before.wasm);
  });
});

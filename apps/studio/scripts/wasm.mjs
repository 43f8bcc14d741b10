// Builds the library for WebAssembly: with SIMD128, and its JavaScript, into src/wasm; without SIMD128 into public, for
// browsers that lack it. STUDIO_BUILDS=simd128 leaves out the second, which takes some minutes.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const STUDIO = dirname(dirname(fileURLToPath(import.meta.url)));
const TARGET = "wasm32-unknown-unknown";
/** Debian's compiler for this target: packages rustc-web, rust-web-src and lld. */
const DEBIAN = "/usr/bin/rustc";

/** Runs a command in the studio's folder; returns what it prints, if that is wanted. Ends this program if it fails. */
async function run(command, args, { env = {}, quiet = false, may = false } = {}) {
  const stdio = quiet ? ["ignore", "pipe", may ? "ignore" : "inherit"] : "inherit";
  const child = spawn(command, args, { cwd: STUDIO, stdio, env: { ...process.env, ...env } });
  let printed = "";
  child.stdout?.on("data", (data) => (printed += data));
  const status = await new Promise((done) => {
    child.once("error", (error) => done(error.message));
    child.once("close", (code, signal) => done(code ?? signal));
  });
  if (status === 0) return printed;
  if (may) return undefined;
  console.error(`${command} ${args.join(" ")} ended with ${status}`);
  process.exit(1);
}

/** Returns whether a compiler has the library std for WebAssembly. */
async function hasTarget(rustc) {
  const root = await run(rustc, ["--print", "sysroot"], { quiet: true, may: true });
  return root !== undefined && existsSync(join(root.trim(), "lib", "rustlib", TARGET, "lib"));
}

/** Returns a version as numbers. */
const numbers = (version) => version.split(".").map(Number);
const isOlder = ([a, b], [c, d]) => a < c || (a === c && b < d);

/**
 * Returns cargo's arguments and environment for the target: none where rustup has it, or can add it; otherwise those by
 * which Debian's compiler builds std, too.
 */
async function toolchain(least) {
  if (await hasTarget(process.env.RUSTC ?? "rustc")) return { args: [], env: {} };
  if ((await run("rustup", ["target", "add", TARGET], { quiet: true, may: true })) !== undefined) return { args: [], env: {} };
  const version = await run(DEBIAN, ["--version"], { quiet: true, may: true });
  if (version === undefined || !existsSync("/usr/bin/wasm-ld")) {
    console.error(`there is no compiler for ${TARGET}: rustup has no such target, and Debian's packages rustc-web, rust-web-src and lld are not installed`);
    process.exit(1);
  }
  const found = version.split(" ")[1];
  if (isOlder(numbers(found), numbers(least))) {
    console.error(`there is no compiler for ${TARGET}: rustup has no such target, and ${DEBIAN} is ${found}, but ${least} is needed`);
    process.exit(1);
  }
  const env = { RUSTC: DEBIAN, RUSTC_BOOTSTRAP: "1", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld" };
  return { args: ["-Z", "build-std=std,panic_abort"], env };
}

const metadata = JSON.parse(await run("cargo", ["metadata", "--format-version", "1", "--no-deps"], { quiet: true }));
const { target_directory: targets, packages } = metadata;
const { args, env } = await toolchain(packages.find(({ name }) => name === "superovoid").rust_version);
// The program that makes the JavaScript is built beside the library, in another folder of the target directory.
const bindgen = run("cargo", ["build", "--quiet", "-p", "superovoid-studio-bindgen"]);

/** Builds the library with some features of the target, for which the flag is, and its JavaScript. */
async function build(features, targetFolder, to) {
  // In one piece: an eighth smaller, and overlaps take a twentieth less.
  const flags = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: features, CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "1" };
  const start = Date.now();
  const wanted = ["--release", "--target", TARGET, "-p", "superovoid-studio", "--lib", "--target-dir", targetFolder];
  await run("cargo", ["build", ...wanted, ...args], { env: { ...env, ...flags } });
  console.log(`built for ${TARGET} with “${features}” in ${Math.round((Date.now() - start) / 1000)} s`);
  await bindgen;
  const built = join(targetFolder, TARGET, "release", "superovoid_studio.wasm");
  await run(join(targets, "debug", "superovoid-studio-bindgen"), [built, to]);
  return readFileSync(join(to, "superovoid_studio.js"), "utf8");
}

const wanted = (process.env.STUDIO_BUILDS ?? "simd128 plain").split(" ");
const plain = join(STUDIO, "public", "superovoid_plain.wasm");
rmSync(plain, { force: true });
const made = await build("-C target-feature=+simd128", targets, join(STUDIO, "src", "wasm"));
if (wanted.includes("plain")) {
  // A folder of its own: in one the two builds would replace each other, and each be made anew every time.
  const folder = join(targets, "studio-plain");
  const other = await build("", folder, join(folder, "javascript"));
  if (made !== other) {
    console.error("the two builds need different JavaScript");
    process.exit(1);
  }
  mkdirSync(dirname(plain), { recursive: true });
  copyFileSync(join(folder, "javascript", "superovoid_studio_bg.wasm"), plain);
}

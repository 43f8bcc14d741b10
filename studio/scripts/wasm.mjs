// Builds the library for WebAssembly with SIMD128, and its JavaScript into src/wasm.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const studio = dirname(dirname(fileURLToPath(import.meta.url)));
const target = "wasm32-unknown-unknown";

/** Runs a command in the studio's folder; ends this program if it fails. */
function run(command, args, { env = {}, quiet = false } = {}) {
  const stdio = quiet ? ["ignore", "pipe", "inherit"] : "inherit";
  const done = spawnSync(command, args, { cwd: studio, stdio, env: { ...process.env, ...env }, maxBuffer: 1 << 28 });
  if (done.error) throw done.error;
  if (done.status !== 0) {
    console.error(`${command} ${args.join(" ")} ended with ${done.status ?? done.signal}`);
    process.exit(done.status ?? 1);
  }
  return done.stdout?.toString() ?? "";
}

const metadata = JSON.parse(run("cargo", ["metadata", "--format-version", "1", "--no-deps"], { quiet: true }));
// The flag is that of the target alone, so that programs which run here are built as ever.
const simd = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: "-C target-feature=+simd128" };
run("cargo", ["build", "--release", "--target", target, "-p", "superovoid-studio", "--lib"], { env: simd });
const built = join(metadata.target_directory, target, "release", "superovoid_studio.wasm");
run("cargo", ["run", "--quiet", "-p", "superovoid-studio-bindgen", "--", built, join(studio, "src", "wasm")]);

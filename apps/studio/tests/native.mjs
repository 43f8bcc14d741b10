// The library without WebAssembly: the programs of apps/studio/wasm/examples, and the command `superovoid`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Where the programs are, after they were built. */
let built;

/**
 * Builds the programs and the command; returns the path of one of them. They are built together, so that the library
 * is compiled once, with the features of the command.
 */
export function program(name) {
  if (built === undefined) {
    const packages = ["-p", "superovoid-studio", "-p", "superovoid-cli"];
    const done = spawnSync("cargo", ["build", "--quiet", "--release", ...packages, "--bins", "--examples"], { stdio: "inherit" });
    if (done.status !== 0) throw new Error(`cargo ended with ${done.status}`);
    const metadata = spawnSync("cargo", ["metadata", "--format-version", "1", "--no-deps"], { maxBuffer: 1 << 28 });
    built = join(JSON.parse(metadata.stdout.toString()).target_directory, "release");
  }
  return name === "superovoid" ? join(built, name) : join(built, "examples", name);
}

/** Runs a program to its end; returns what it prints, line by line. */
function run(name, args, input) {
  const done = spawnSync(program(name), args.map(String), { input, maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`the native program ended with ${done.status}: ${done.stderr}`);
  return done.stdout.toString().trim().split("\n");
}

/** Answers pairs of 28 numbers; with `times` it returns the nanoseconds of one, too. */
export function native(pairs, times = 0) {
  const input = pairs.map((pair) => pair.join(" ")).join("\n");
  const lines = run("native", times > 0 ? [times] : [], input);
  const nanoseconds = times > 0 ? Number(lines.pop()) : undefined;
  return { answers: lines.map((line) => line.split(" ").map(Number)), nanoseconds };
}

/** Random numbers that are the same in every run. */
export function random(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n) / 2 ** 31;
  };
}

/** Pairs of every kind of body, some apart and some overlapping. */
export function somePairs(count, seed = 1) {
  const next = random(seed);
  const body = (tapered) => {
    const axes = [0.2 + next(), 0.2 + next(), 0.2 + next()];
    const exponents = [0.1 + 1.7 * next(), 0.1 + 1.7 * next()];
    return [...axes, ...exponents, ...(tapered ? [0.4 * next() - 0.2, 0.4 * next() - 0.2] : [0, 0])];
  };
  const pose = (range) => {
    const at = [0, 1, 2].map(() => range * (next() - 0.5));
    const turn = [0, 1, 2, 3].map(() => next() - 0.5);
    const length = Math.hypot(...turn);
    return [...at, ...turn.map((x) => x / length)];
  };
  return Array.from({ length: count }, (_, k) => {
    const range = k % 4 === 0 ? 1.5 : 6;
    return [...body(k % 2 === 1), ...pose(range), ...body(k % 2 === 1), ...pose(range)];
  });
}

/** Returns the closest pairs of a robot's links, as [link, link, distance]. */
export function nativeRobot(file, numbers) {
  const lines = run("robot", [file, ...numbers]).map((line) => line.split(" "));
  return lines.map(([a, b, distance]) => [a, b, Number(distance)]);
}

/** Runs a ready scene for some frames: the numbers of its bodies and cloths, and the mean milliseconds of a frame. */
export function nativeSimulation(scene, frames, ...file) {
  const numbers = run("simulation", [scene, frames, ...file]).map(Number);
  const milliseconds = numbers.pop();
  return { numbers, milliseconds };
}

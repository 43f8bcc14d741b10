// The library without WebAssembly, as a program: studio/wasm/examples/native.rs.
import { spawnSync } from "node:child_process";

const CARGO = ["run", "--quiet", "--release", "-p", "superovoid-studio", "--example", "native", "--"];

/** Answers pairs of 28 numbers; with `times` it returns the nanoseconds of one, too. */
export function native(pairs, times = 0) {
  const input = pairs.map((pair) => pair.join(" ")).join("\n");
  const args = times > 0 ? [...CARGO, String(times)] : CARGO;
  const done = spawnSync("cargo", args, { input, maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`the native program ended with ${done.status}: ${done.stderr}`);
  const lines = done.stdout.toString().trim().split("\n");
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
  const args = ["run", "--quiet", "--release", "-p", "superovoid-studio", "--example", "robot", "--", file];
  const done = spawnSync("cargo", [...args, ...numbers.map(String)], { maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`the native program ended with ${done.status}: ${done.stderr}`);
  const lines = done.stdout.toString().trim().split("\n");
  return lines.map((line) => line.split(" ")).map(([a, b, distance]) => [a, b, Number(distance)]);
}

/** Runs a ready scene for some frames: the numbers of its bodies and cloths, and the mean milliseconds of a frame. */
export function nativeSimulation(scene, frames, ...file) {
  const args = ["run", "--quiet", "--release", "-p", "superovoid-studio", "--example", "simulation", "--", scene, String(frames)];
  const done = spawnSync("cargo", [...args, ...file], { maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`the native program ended with ${done.status}: ${done.stderr}`);
  const numbers = done.stdout.toString().trim().split("\n").map(Number);
  const milliseconds = numbers.pop();
  return { numbers, milliseconds };
}

// The library in WebAssembly: how it is loaded. Its queries and their types are declared in ../wasm/src, from which all
// that is exported here is made. Errors are exceptions with the library's message.
import load, * as wasm from "./wasm/superovoid_studio.js";
import file from "./wasm/superovoid_studio_bg.wasm?url";

export * from "./wasm/superovoid_studio.js";

/** A small module with one SIMD128 instruction: valid where the browser has it. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The build for browsers without SIMD128; whoever builds the page may leave it out. */
const PLAIN = "superovoid_plain.wasm";

/** Returns what the browser lacks for the queries, or nothing. */
export function lacking(): string | undefined {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly.";
  return undefined;
}

/** Whether the browser has the instructions of the quicker build. */
export function hasSimd(): boolean {
  return WebAssembly.validate(SIMD);
}

let memory: WebAssembly.Memory | undefined;
let compiled: WebAssembly.Module | undefined;

/** Loads the library; a worker is given what the page has compiled. */
export async function loadCore(module?: WebAssembly.Module): Promise<void> {
  compiled = module ?? (await compiledCore());
  memory = (await load({ module_or_path: compiled })).memory;
}

/** Compiles the build with SIMD128 where the browser has that, and otherwise the one without. */
async function compiledCore(): Promise<WebAssembly.Module> {
  const url = hasSimd() ? file : new URL(PLAIN, document.baseURI).href;
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(hasSimd() ? `the server answers ${answer.status}` : "this browser's WebAssembly has no SIMD128 instructions, and the build without them is not beside the page");
  }
  // Not every server knows the type of the file.
  if (answer.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Returns the compiled library, for workers. */
export function coreModule(): WebAssembly.Module {
  if (!compiled) throw new Error("the library is not loaded");
  return compiled;
}

/** Returns the bytes that the library's memory has taken. */
export function memoryBytes(): number {
  return memory?.buffer.byteLength ?? 0;
}

/** The published schemes. */
export const SCHEMES = ["oct-implicit", "quad-implicit", "quad-parametric", "ntb-parametric"] as const satisfies wasm.Scheme[];

/** A robot with its parts; it has to be freed. */
export class RobotModel extends wasm.RobotModel {
  readonly parts = this.description();
  readonly obstacles: wasm.ObstacleParts[] = [];

  /** Returns the name of a link or an obstacle by the place of its body. */
  nameOf(body: number): string {
    const { bodies, links } = this.parts;
    return body < bodies.length ? links[bodies[body].link] : this.obstacles[body - bodies.length].name;
  }
}

/** Milliseconds for which a record is played before the page has its turn, and the steps between two looks at the clock. */
const SLICE = 12;
const STEPS_OF_SLICE = 20;

/**
 * Takes up a match of Pong where its record ends, or watches it; an exception tells what is wrong with the record. It is
 * played to its end a little at a time; `live` tells whether somebody still wants it.
 */
export async function readCourt(json: string, watch: boolean, live: () => boolean): Promise<wasm.Court | undefined> {
  const reader = new wasm.CourtReader(json);
  for (let more = true; more; ) {
    const end = performance.now() + SLICE;
    while (more && performance.now() < end) more = reader.advance(STEPS_OF_SLICE);
    if (!more) break;
    await new Promise((done) => setTimeout(done));
    if (!live()) {
      reader.free();
      return undefined;
    }
  }
  return reader.finish(watch);
}

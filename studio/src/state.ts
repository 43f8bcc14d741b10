// What the room shows, as data: JSON for tests, and a link for people.
import type { Placed } from "./core";

export type Other = "body" | "point" | "plane" | "ray";
export const OTHERS: Other[] = ["body", "point", "plane", "ray"];

export interface Camera {
  position: number[];
  target: number[];
}

export interface State {
  /** Body A, and B: another body, or the pose of a point, of a plane or of a ray (its z axis). */
  bodies: [Placed, Placed];
  other: Other;
  selected: 0 | 1;
  certifiedDepth: boolean;
  /** The edges around of the meshes that are laid over; 0 for none. */
  overlay: number;
  camera: Camera;
}

/** The version of the links that this page writes and reads. */
const VERSION = 1;

export function beginning(): State {
  return {
    bodies: [
      { numbers: [0.5, 0.4, 0.6, 0.4, 0.6, 0, 0], pose: [-0.75, 0, 0, 0.0871557, 0.2588, 0, 0.9619938] },
      { numbers: [0.45, 0.45, 0.6, 1, 1, 0.35, 0.35], pose: [0.75, 0.1, 0.05, -0.2588, 0.1, 0.2, 0.9396] },
    ],
    other: "body",
    selected: 1,
    certifiedDepth: false,
    overlay: 0,
    camera: { position: [1.5, -3.9, 1.8], target: [0, 0, 0] },
  };
}

/** Returns where a thing of a kind is first: a plane below body A, a ray towards it. */
export function firstPose(other: Other): number[] {
  switch (other) {
    case "body":
    case "point":
      return beginning().bodies[1].pose;
    case "plane":
      return [-0.3, 0, -0.8, 0.0436, -0.0872, 0, 0.9952];
    case "ray":
      return [1.1, -0.3, 0.3, -0.1218, -0.7512, 0, 0.6487];
  }
}

/** Returns the part of a link after `#`. */
export function toLink(state: State): string {
  const [a, b] = state.bodies;
  const list = (numbers: number[]) => numbers.map((x) => String(x)).join(",");
  const entries: [string, string][] = [
    ["v", String(VERSION)],
    ["with", state.other],
    ["a", list(a.numbers)],
    ["at", list(a.pose)],
    ["b", list(b.numbers)],
    ["bt", list(b.pose)],
    ["camera", list([...state.camera.position, ...state.camera.target])],
    ["chosen", state.selected === 0 ? "a" : "b"],
  ];
  if (state.certifiedDepth) entries.push(["depth", "certified"]);
  if (state.overlay > 0) entries.push(["mesh", String(state.overlay)]);
  return entries.map(([key, value]) => `${key}=${value}`).join("&");
}

/** Reads a link; an exception names what is wrong in it. */
export function fromLink(link: string): State {
  const given = new Map<string, string>();
  for (const entry of link.split("&")) {
    const at = entry.indexOf("=");
    const key = at < 0 ? entry : entry.slice(0, at);
    if (at < 0 || given.has(key)) throw new Error(`the link's part “${shortened(entry)}” is not understood`);
    given.set(key, decodeURIComponent(entry.slice(at + 1)));
  }
  const take = (key: string) => {
    const value = given.get(key);
    given.delete(key);
    return value;
  };
  const version = take("v");
  if (version !== String(VERSION)) {
    throw new Error(`the link is of version ${shortened(version ?? "none")}; this page reads version ${VERSION}`);
  }
  const list = (key: string, count: number): number[] => {
    const words = (take(key) ?? "").split(",");
    const numbers = words.map((word) => (word.trim() === "" ? Number.NaN : Number(word)));
    if (numbers.length !== count || !numbers.every(Number.isFinite)) {
      throw new Error(`the link's “${key}” must be ${count} numbers`);
    }
    return numbers;
  };
  const one = <T extends string>(key: string, values: readonly T[], fallback: T): T => {
    const value = take(key) ?? fallback;
    if (!values.includes(value as T)) throw new Error(`the link's “${key}” must be one of ${values.join(", ")}`);
    return value as T;
  };
  const other = one("with", OTHERS, "body");
  const a = { numbers: list("a", 7), pose: list("at", 7) };
  const b = { numbers: list("b", 7), pose: list("bt", 7) };
  const camera = list("camera", 6);
  const selected = one("chosen", ["a", "b"], "a") === "a" ? 0 : 1;
  const certifiedDepth = one("depth", ["fast", "certified"], "fast") === "certified";
  const overlay = Number(one("mesh", ["0", ...OVERLAYS.map(String)], "0"));
  const unknown = given.keys().next();
  if (!unknown.done) throw new Error(`the link's part “${shortened(unknown.value)}” is not understood`);
  const camera3 = { position: camera.slice(0, 3), target: camera.slice(3) };
  return { bodies: [a, b], other, selected, certifiedDepth, overlay, camera: camera3 };
}

/** The choices of meshes to lay over. */
export const OVERLAYS = [8, 16, 32, 64];

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

// What the room shows, as data: JSON for tests, and a link for people.
import { SCHEMES, type Placed } from "./core";
import type { Parts } from "./link";
import type { Camera } from "./stage";

export type Other = "body" | "point" | "plane" | "ray" | "mesh";
export const OTHERS: Other[] = ["body", "point", "plane", "ray", "mesh"];
/** The mesh that comes with the page, and a file that was dropped on it. */
export const MESHES = ["ring", "file"] as const;
export type MeshSource = (typeof MESHES)[number];

export interface State {
  /** Body A, and B: another body, or the pose of a point, of a plane, of a ray (its z axis) or of a mesh. */
  bodies: [Placed, Placed];
  other: Other;
  selected: 0 | 1;
  certifiedDepth: boolean;
  /** The edges around of the meshes that are laid over; 0 for none. */
  overlay: number;
  /** Whether the published schemes answer, too. */
  published: boolean;
  /** The published scheme whose guess and iterates are drawn, or the library's own query, or none. */
  trace: (typeof TRACES)[number];
  /** Whether the gradient of the distance is drawn. */
  gradient: boolean;
  mesh: MeshSource;
  camera: Camera;
}

export const TRACES = ["none", "superovoid", ...SCHEMES] as const;

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
    published: false,
    trace: "none",
    gradient: false,
    mesh: "ring",
    camera: { position: [1.5, -3.9, 1.8], target: [0, 0, 0] },
  };
}

/** Returns where a thing of a kind is first: a plane below body A, a ray towards it. */
export function firstPose(other: Other): number[] {
  switch (other) {
    case "body":
    case "point":
      return beginning().bodies[1].pose;
    case "mesh":
      return [0.7, 0.1, 0, 0.4619, 0.1913, 0.3, 0.8];
    case "plane":
      return [-0.3, 0, -0.8, 0.0436, -0.0872, 0, 0.9952];
    case "ray":
      return [1.1, -0.3, 0.3, -0.1218, -0.7512, 0, 0.6487];
  }
}

/** Returns the parts of a link. */
export function toLink(state: State): [string, string | number[]][] {
  const [a, b] = state.bodies;
  const entries: [string, string | number[]][] = [
    ["with", state.other],
    ["a", a.numbers],
    ["at", a.pose],
    ["b", b.numbers],
    ["bt", b.pose],
    ["camera", [...state.camera.position, ...state.camera.target]],
    ["chosen", state.selected === 0 ? "a" : "b"],
  ];
  if (state.certifiedDepth) entries.push(["depth", "certified"]);
  if (state.published) entries.push(["published", "shown"]);
  if (state.trace !== "none") entries.push(["trace", state.trace]);
  if (state.gradient) entries.push(["gradient", "shown"]);
  if (state.other === "mesh") entries.push(["file", state.mesh]);
  if (state.overlay > 0) entries.push(["mesh", String(state.overlay)]);
  return entries;
}

/** Reads the parts of a link. */
export function fromLink(parts: Parts): State {
  const other = parts.one("with", OTHERS, "body");
  const a = { numbers: parts.numbers("a", 7), pose: parts.numbers("at", 7) };
  const b = { numbers: parts.numbers("b", 7), pose: parts.numbers("bt", 7) };
  const camera = parts.numbers("camera", 6);
  const selected = parts.one("chosen", ["a", "b"], "a") === "a" ? 0 : 1;
  const certifiedDepth = parts.one("depth", ["fast", "certified"], "fast") === "certified";
  const overlay = Number(parts.one("mesh", ["0", ...OVERLAYS.map(String)], "0"));
  const published = parts.one("published", ["hidden", "shown"], "hidden") === "shown";
  const trace = parts.one("trace", TRACES, "none");
  const gradient = parts.one("gradient", ["hidden", "shown"], "hidden") === "shown";
  const mesh = parts.one("file", MESHES, "ring");
  const seen = { position: camera.slice(0, 3), target: camera.slice(3) };
  return { bodies: [a, b], other, selected, certifiedDepth, overlay, published, trace, gradient, mesh, camera: seen };
}

/** The choices of meshes to lay over. */
export const OVERLAYS = [8, 16, 32, 64];

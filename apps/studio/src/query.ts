// The answer that belongs to a state.
import * as core from "./core";
import type { Contact, DistanceGradient, Hit, Pose, Trace, Vector } from "./core";
import type { State } from "./pair_state";

/** The answer of a contact query, with those of the published schemes if they are asked for, or of a ray: its hit, or nothing where it misses. */
export type Answer =
  | {
      kind: "contact";
      contact: Contact;
      published?: Contact[];
      trace?: Trace;
      gradient?: DistanceGradient;
      /** Whether a newer answer is on its way: that of a mesh is computed in a worker. */
      pending?: boolean;
    }
  | { kind: "ray"; hit: Hit | undefined };

/** Returns the z axis of a pose, whose quaternion may have any length but zero. */
export function axisOf(pose: Pose): Vector {
  const [, , , x, y, z, w] = pose;
  const square = x * x + y * y + z * z + w * w;
  return [
    (2 * (x * z + w * y)) / square,
    (2 * (y * z - w * x)) / square,
    (w * w + z * z - x * x - y * y) / square,
  ];
}

/** The answer of a mesh before there is one. */
const NONE: Contact = {
  distance: Number.NaN,
  lower: -Infinity,
  upper: Infinity,
  pointA: [0, 0, 0],
  pointB: [0, 0, 0],
  normal: [0, 0, 1],
  outcome: "not converged",
  iterations: 0,
};

/** Answers a state, with the derivatives if they are asked for; `last` is the last answer of the mesh. An exception is the library's message. */
export function answer(state: State, last: Contact = NONE): Answer {
  const found = plainAnswer(state, last);
  if (!state.gradient || found.kind !== "contact" || Number.isNaN(found.contact.distance)) return found;
  const [a, b] = state.bodies;
  return { ...found, gradient: core.distanceGradient(a.pose, b.pose, found.contact) };
}

/** Returns what the chosen method goes through. */
function traceOf({ trace, bodies: [a, b], certifiedDepth }: State): Trace | undefined {
  if (trace === "none") return undefined;
  if (trace === "superovoid") return core.contactTrace(a, b, certifiedDepth);
  return core.publishedTrace(a, b, trace);
}

function plainAnswer(state: State, last: Contact): Answer {
  const [a, b] = state.bodies;
  const at: Vector = [b.pose[0], b.pose[1], b.pose[2]];
  const axis = axisOf(b.pose);
  switch (state.other) {
    case "body":
      return {
        kind: "contact",
        contact: core.pairContact(a, b, state.certifiedDepth),
        published: state.published ? core.SCHEMES.map((scheme) => core.publishedContact(a, b, scheme)) : undefined,
        trace: traceOf(state),
      };
    case "point":
      return { kind: "contact", contact: core.pointContact(a, at) };
    case "plane": {
      const offset = axis[0] * at[0] + axis[1] * at[1] + axis[2] * at[2];
      return { kind: "contact", contact: core.planeContact(a, axis, offset, true) };
    }
    case "mesh":
      // It throws where a number of the body is out of its domain.
      core.isConvex(a.numbers);
      return { kind: "contact", contact: last, pending: true };
    case "ray":
      return { kind: "ray", hit: core.rayCast(a, at, axis, false) };
  }
}

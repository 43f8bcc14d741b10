// The answer that belongs to a state.
import * as core from "./core";
import type { Contact, Hit, Pose, Vector } from "./core";
import type { State } from "./pair_state";

/** The answer of a contact query, with those of the published schemes if they are asked for, or of a ray: its hit, or nothing where it misses. */
export type Answer =
  | { kind: "contact"; contact: Contact; published?: Contact[] }
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

/** Answers a state; an exception is the library's message. */
export function answer(state: State): Answer {
  const [a, b] = state.bodies;
  const at: Vector = [b.pose[0], b.pose[1], b.pose[2]];
  const axis = axisOf(b.pose);
  switch (state.other) {
    case "body":
      return {
        kind: "contact",
        contact: core.pairContact(a, b, state.certifiedDepth),
        published: state.published ? core.publishedContacts(a, b) : undefined,
      };
    case "point":
      return { kind: "contact", contact: core.pointContact(a, at) };
    case "plane": {
      const offset = axis[0] * at[0] + axis[1] * at[1] + axis[2] * at[2];
      return { kind: "contact", contact: core.halfSpaceContact(a, axis, offset) };
    }
    case "ray":
      return { kind: "ray", hit: core.rayCast(a, at, axis) };
  }
}

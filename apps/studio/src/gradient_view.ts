// The gradient of the distance: at each body an arrow for its velocity, and one along the axis of its turn.
import { ArrowHelper, Group, Vector3 } from "three";
import type { DistanceGradient, Placed } from "./core";

/** Metres for a gradient of 1 (metre by metre), and for one of a metre by radian. */
const LENGTH = 0.5;

export class GradientView extends Group {
  private readonly moves = [arrow(), arrow()];
  private readonly turns = [arrow(), arrow()];

  constructor() {
    super();
    this.add(...this.moves, ...this.turns);
  }

  /** Shows a gradient, or nothing. */
  show(gradient: DistanceGradient | undefined, bodies: [Placed, Placed], colours: [string, string], turn: string): void {
    this.visible = gradient !== undefined;
    if (!gradient) return;
    [gradient.a, gradient.b].forEach(({ velocity, angular }, body) => {
      const at = new Vector3().fromArray(bodies[body].pose);
      point(this.moves[body], at, new Vector3(...velocity), colours[body]);
      point(this.turns[body], at, new Vector3(...angular), turn);
    });
  }
}

function arrow(): ArrowHelper {
  const made = new ArrowHelper();
  for (const part of [made.line, made.cone]) {
    const materials = Array.isArray(part.material) ? part.material : [part.material];
    for (const material of materials) Object.assign(material, { depthTest: false, transparent: true });
    part.renderOrder = 12;
  }
  return made;
}

function point(drawn: ArrowHelper, at: Vector3, by: Vector3, colour: string): void {
  const length = by.length() * LENGTH;
  drawn.visible = length > 1e-4;
  if (!drawn.visible) return;
  drawn.position.copy(at);
  drawn.setDirection(by.normalize());
  drawn.setLength(length, Math.min(0.09, 0.4 * length), Math.min(0.05, 0.2 * length));
  drawn.setColor(colour);
}

// The way of a published scheme: cells of its guesses from yellow to red, level by level, and its iterates.
import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Cell, Placed, Trace } from "./core";

/** The twelve edges of a box by the signs of their ends. */
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
const EDGES = CORNERS.flatMap((a) => CORNERS.filter((b) => isEdge(a, b)).map((b) => [a, b]));

function isEdge(a: number[], b: number[]): boolean {
  const differing = [0, 1, 2].filter((k) => a[k] !== b[k]);
  return differing.length === 1 && a[differing[0]] < b[differing[0]];
}

/** Returns the colour of a level: yellow for the coarsest, red for the finest. */
export function levelColour(level: number, levels: number): Color {
  const part = levels > 1 ? level / (levels - 1) : 1;
  return new Color().setHSL(0.15 * (1 - part), 0.9, 0.45);
}

export class IteratesView extends Group {
  private readonly lineMaterial = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75 });
  private readonly pathMaterial = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
  private readonly dotMaterial = new PointsMaterial({ vertexColors: true, size: 6, sizeAttenuation: false, depthTest: false, transparent: true });
  private readonly boxes = new LineSegments(new BufferGeometry(), this.lineMaterial);
  private readonly path = new LineSegments(new BufferGeometry(), this.pathMaterial);
  private readonly dots = new Points(new BufferGeometry(), this.dotMaterial);

  constructor() {
    super();
    this.path.renderOrder = 11;
    this.dots.renderOrder = 11;
    this.add(this.boxes, this.path, this.dots);
    for (const part of [this.boxes, this.path, this.dots]) part.frustumCulled = false;
  }

  /** Shows the guesses and the iterates of the last attempt, or nothing. */
  show(trace: Trace | undefined, bodies: [Placed, Placed]): void {
    this.visible = trace !== undefined;
    const boxes = new Strokes();
    const path = new Strokes();
    const dots = new Strokes();
    const attempt = trace?.attempts.at(-1);
    attempt?.levels.forEach((cells, level) => {
      const colour = levelColour(level, attempt.levels.length);
      cells.forEach((ofBody, body) => {
        for (const cell of ofBody) drawCell(cell, bodies[body], colour, boxes, dots);
      });
    });
    const { iterates } = attempt ?? { iterates: [] };
    iterates.forEach(({ a, b }, k) => {
      // From grey to green, as the iterates come nearer to the answer.
      const colour = new Color("#8a8f98").lerp(new Color("#1f9d55"), iterates.length > 1 ? k / (iterates.length - 1) : 1);
      path.add(colour, a, b);
      dots.add(colour, a, b);
      const next = iterates.at(k + 1);
      if (k + 1 < iterates.length && next) path.add(colour, a, next.a, b, next.b);
    });
    replace(this.boxes, boxes);
    replace(this.path, path);
    replace(this.dots, dots);
  }
}

function drawCell(cell: Cell, body: Placed, colour: Color, boxes: Strokes, dots: Strokes): void {
  if ("angles" in cell) {
    dots.add(colour, cell.angles.point);
    return;
  }
  const [x, y, z, i, j, k, w] = body.pose;
  const turn = new Quaternion(i, j, k, w).normalize();
  const { center, half } = cell.box;
  const corner = (signs: number[]) => {
    const at = new Vector3(...half).multiply(new Vector3().fromArray(signs)).add(new Vector3(...center));
    return at.applyQuaternion(turn).add(new Vector3(x, y, z)).toArray();
  };
  for (const [from, to] of EDGES) boxes.add(colour, corner(from), corner(to));
}

/** Points with colours. */
class Strokes {
  readonly points: number[] = [];
  readonly colours: number[] = [];

  add(colour: Color, ...points: number[][]): void {
    for (const point of points) {
      this.points.push(...point);
      this.colours.push(colour.r, colour.g, colour.b);
    }
  }
}

function replace(drawn: LineSegments | Points, { points, colours }: Strokes): void {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  drawn.geometry.dispose();
  drawn.geometry = geometry;
}

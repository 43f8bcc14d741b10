// The mesh that comes with the page: a ring, which is not convex.
const [RADIUS, THICKNESS, AROUND, ACROSS] = [0.45, 0.15, 64, 24];

/** Returns the ring as the bytes of an OBJ file. */
export function ring(): Uint8Array {
  const lines: string[] = [];
  for (let i = 0; i < AROUND; i++) {
    for (let j = 0; j < ACROSS; j++) {
      const [u, v] = [(2 * Math.PI * i) / AROUND, (2 * Math.PI * j) / ACROSS];
      const r = RADIUS + THICKNESS * Math.cos(v);
      lines.push(`v ${r * Math.cos(u)} ${r * Math.sin(u)} ${THICKNESS * Math.sin(v)}`);
    }
  }
  const at = (i: number, j: number) => (i % AROUND) * ACROSS + (j % ACROSS) + 1;
  for (let i = 0; i < AROUND; i++) {
    for (let j = 0; j < ACROSS; j++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      lines.push(`f ${a} ${b} ${c}`, `f ${a} ${c} ${d}`);
    }
  }
  return new TextEncoder().encode(lines.join("\n"));
}

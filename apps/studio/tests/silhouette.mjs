// Silhouettes of bodies in closed form, which share nothing with the library, and how well pixels agree with them.

/** The points of sharp bodies whose hull is the body: [semi-axes, taper] → points. */
const circle = (count, of) => Array.from({ length: count }, (_, k) => of(Math.cos((2 * Math.PI * k) / count), Math.sin((2 * Math.PI * k) / count)));
export const SHARP = {
  ball: ([a, b, c]) => circle(64, (u, w) => circle(64, (s, t) => [a * s * u, b * s * w, c * t])).flat(),
  box: ([a, b, c]) => [-a, a].flatMap((x) => [-b, b].flatMap((y) => [-c, c].map((z) => [x, y, z]))),
  /** The half-widths are 1 + t at the top and 1 − t at the bottom; without a taper it is a cylinder. */
  cone: ([a, b, c], t = 0) => [-1, 1].flatMap((end) => circle(180, (s, u) => [a * (1 + end * t) * s, b * (1 + end * t) * u, c * end])),
  /** What a cylinder is with its exponents exchanged: square across z, and round along it. */
  cushion: ([a, b, c], t = 0) =>
    circle(360, (s, u) => [-1, 1].flatMap((x) => [-1, 1].map((y) => [a * (1 + u * t) * Math.abs(s) * x, b * (1 + u * t) * Math.abs(s) * y, c * u]))).flat(),
};

const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const unit = (v) => v.map((x) => x / Math.hypot(...v));
const dot = (u, v) => u.reduce((sum, x, k) => sum + x * v[k], 0);

/** Turns a vector by a quaternion x y z w. */
function turned([i, j, k, w], v) {
  const length = Math.hypot(i, j, k, w);
  const axis = [i, j, k].map((x) => x / length);
  const t = cross(axis, v).map((x) => 2 * x);
  const u = cross(axis, t);
  return v.map((x, n) => x + (w / length) * t[n] + u[n]);
}

/** Returns where a camera from far away sees points of a body: to the right and up. */
export function seenBy({ position, target }, quaternion, points) {
  const away = unit(position.map((x, k) => x - target[k]));
  const right = unit(cross([0, 0, 1], away));
  const up = cross(away, right);
  return points.map((point) => turned(quaternion, point)).map((x) => [dot(x, right), dot(x, up)]);
}

function hull(points) {
  const sorted = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const half = (from) => {
    const found = [];
    for (const p of from) {
      const turns = ([a, b], [c, d]) => (c - a) * (p[1] - b) - (d - b) * (p[0] - a) > 1e-9;
      while (found.length > 1 && !turns(found.at(-2), found.at(-1))) found.pop();
      found.push(p);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Area and centre of a convex polygon. */
function measures(corners) {
  let [area, x, y] = [0, 0, 0];
  corners.forEach(([a, b], k) => {
    const [c, d] = corners[(k + 1) % corners.length];
    const part = (a * d - b * c) / 2;
    area += part;
    x += (part * (a + c)) / 3;
    y += (part * (b + d)) / 3;
  });
  return { area, centre: [x / area, y / area] };
}

/** The pixels of an element of the page, as it is shown: width, height, and red, green and blue at a place. `path` is a file for them. */
export async function picture(locator, path) {
  const png = (await locator.screenshot({ path })).toString("base64");
  const { width, height, text } = await locator.page().evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    // As an array of numbers they would be seconds on their way.
    let text = "";
    for (let k = 0; k < data.length; k += 32768) text += String.fromCharCode(...data.subarray(k, k + 32768));
    return { width: image.width, height: image.height, text: btoa(text) };
  }, png);
  const data = Buffer.from(text, "base64");
  return { width, height, at: (x, y) => data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3) };
}

/**
 * Finds the pixels that are `wanted` within a reach of a place, both in parts of the width, and lays the silhouette of points
 * over them, with the same area and centre. Returns the centre and the size of the pixels in parts of the width, and the
 * share of what both cover in what either covers.
 */
export function agreement({ width, height, at }, [px, py], reach, wanted, points) {
  const inside = [];
  const [low, high] = [-1, 1].map((sign) => [px, py].map((p) => Math.round((p + sign * reach) * width)));
  for (let y = Math.max(0, low[1]); y < Math.min(height, high[1]); y++) {
    for (let x = Math.max(0, low[0]); x < Math.min(width, high[0]); x++) if (wanted(at(x, y))) inside.push([x + 0.5, y + 0.5]);
  }
  const count = inside.length;
  const middle = [0, 1].map((k) => inside.reduce((sum, p) => sum + p[k], 0) / count);
  const corners = hull(points);
  const { area, centre } = measures(corners);
  const scale = Math.sqrt(count / area);
  const shape = corners.map(([x, y]) => [middle[0] + scale * (x - centre[0]), middle[1] - scale * (y - centre[1])]);
  // With y down the corners go round the other way.
  const covers = ([x, y]) => shape.every(([a, b], k) => {
    const [c, d] = shape[(k + 1) % shape.length];
    return (c - a) * (y - b) - (d - b) * (x - a) <= 0;
  });
  const both = inside.filter(covers).length;
  return { centre: middle.map((x) => x / width), size: Math.sqrt(count) / width, share: both / (2 * count - both) };
}

/** The colours at points, as a picture of the view shows them. */
export async function coloursAt(page, points) {
  const view = page.locator("#view");
  const { x, y, width } = await view.boundingBox();
  const shown = await picture(view);
  const places = await page.evaluate((points) => points.map((point) => window.studio.project(point)), points);
  const scale = shown.width / width;
  return places.map(([u, v]) => shown.at(Math.floor(scale * (u - x)), Math.floor(scale * (v - y))));
}

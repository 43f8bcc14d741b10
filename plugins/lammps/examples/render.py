#!/usr/bin/env python3
"""A picture of the last frame of a dump: bodies by their exact shapes, and meshes.

    render.py DUMP PICTURE.png --in INPUT [--stl MESH.stl] [--eye X Y Z] [--look X Y Z] [--angle DEGREES] [--width PIXELS]

DUMP has the columns id, type, x, y, z and the quaternion as quatw, quati, quatj and quatk; the shapes are those of the
pair_coeff lines of INPUT, which have numbers and no variables. Needs numpy alone. Of a mesh the sides that face the eye are
left out.

Surfaces are drawn as points, dense enough for the pixels: the nearest of each pixel counts, and it lies in shadow where a
picture taken from the lamp has something nearer to the lamp.
"""

import argparse
import struct
import zlib

import numpy as np

LAMP = np.array([0.4, -0.5, 1.0]) / np.linalg.norm([0.4, -0.5, 1.0])
COLOURS = np.array([[0.86, 0.52, 0.20], [0.27, 0.50, 0.75], [0.45, 0.66, 0.34], [0.74, 0.35, 0.40]])
MESH = np.array([0.70, 0.70, 0.72])
SHADES = 48


def read_dump(path):
    """The last frame: types, positions, quaternions (w, x, y, z), box."""
    with open(path) as file:
        lines = file.read().split("ITEM: TIMESTEP\n")[-1].splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("ITEM: BOX"))
    box = np.array([[float(x) for x in line.split()[:2]] for line in lines[at + 1 : at + 4]])
    at = next(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    names = lines[at].split()[2:]
    rows = np.array([line.split() for line in lines[at + 1 :]], float)
    column = lambda *wanted: np.stack([rows[:, names.index(name)] for name in wanted], axis=1)
    return column("type")[:, 0].astype(int), column("x", "y", "z"), column("quatw", "quati", "quatj", "quatk"), box


def read_shapes(path):
    """The seven numbers of each type, from lines `pair_coeff I I a1 a2 a3 e1 e2 tx ty`."""
    shapes = {}
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:1] == ["pair_coeff"]:
                shapes[int(words[1])] = np.array(words[3:10], float)
    return shapes


def read_stl(path):
    """Corners, by triangle, of an STL file of text."""
    with open(path) as file:
        return np.array([line.split()[1:] for line in file if line.split()[:1] == ["vertex"]], float).reshape(-1, 3, 3)


def surface(shape, count):
    """Points and normals of a body about its centre of mass, `count` times `count` on each of six faces."""
    a, e, t = shape[:3], shape[3:5], shape[5:7]
    s = np.tan(np.linspace(-np.pi / 4, np.pi / 4, count))
    u, v = np.meshgrid(s, s, indexing="ij")
    points, normals = [], []
    for axis in range(3):
        for side in (-1, 1):
            d = np.empty((count, count, 3))
            d[..., axis], d[..., (axis + 1) % 3], d[..., (axis + 2) % 3] = side, u, v
            # The untapered body is the ball of a norm, which the direction is divided by; a taper widens its sections.
            d *= a
            with np.errstate(under="ignore"):
                w = np.abs(d / a) / np.abs(d / a).max(axis=-1, keepdims=True)
                across = (w[..., 0] ** (2 / e[0]) + w[..., 1] ** (2 / e[0])) ** (e[0] / 2)
                norm = (across ** (2 / e[1]) + w[..., 2] ** (2 / e[1])) ** (e[1] / 2)
            p = d / (norm * np.abs(d / a).max(axis=-1))[..., None]
            p[..., :2] *= 1 + t * p[..., 2:] / a[2]
            n = np.cross(np.gradient(p, axis=0), np.gradient(p, axis=1))
            n *= np.sign((n * p).sum(axis=-1, keepdims=True)) / np.maximum(np.linalg.norm(n, axis=-1, keepdims=True), 1e-300)
            points.append(p.reshape(-1, 3))
            normals.append(n.reshape(-1, 3))
    z = np.linspace(-1, 1, 2001)
    area = (1 + t[0] * z) * (1 + t[1] * z) * np.clip(1 - np.abs(z) ** (2 / e[1]), 0, None) ** e[1]
    return np.concatenate(points) - [0, 0, a[2] * (z * area).sum() / area.sum()], np.concatenate(normals)


def turned(q, points):
    """The points, turned by a quaternion."""
    u = np.cross(q[1:], points) * 2
    return points + q[0] * u + np.cross(q[1:], u)


class View:
    """A picture under way: the depth, the normal and the colour of what is nearest in each pixel."""

    def __init__(self, eye, look, angle, width, height, parallel=None):
        self.eye, self.width, self.height, self.parallel = np.array(eye, float), width, height, parallel
        self.forward = np.array(look, float) - self.eye
        self.forward /= np.linalg.norm(self.forward)
        self.right = np.cross(self.forward, [0, 0, 1.0])
        self.right /= np.linalg.norm(self.right)
        self.up = np.cross(self.right, self.forward)
        self.scale = width / 2 / np.tan(np.radians(angle) / 2)
        self.depth = np.full(width * height, np.inf)
        self.normal = np.zeros((width * height, 3))
        self.colour = np.zeros(width * height, int)

    def project(self, points):
        """Pixels, depths, and which points are in the picture."""
        p = points - self.eye
        depth = p @ self.forward
        scale = self.scale / np.maximum(depth, 1e-9) if self.parallel is None else self.parallel
        x = np.floor(self.width / 2 + p @ self.right * scale).astype(int)
        y = np.floor(self.height / 2 - p @ self.up * scale).astype(int)
        inside = (x >= 0) & (x < self.width) & (y >= 0) & (y < self.height) & (depth > 0)
        return y * self.width + x, depth, inside

    def size(self, position, radius):
        """The pixels that a ball takes across."""
        return 2 * radius * (self.scale / max((position - self.eye) @ self.forward, radius) if self.parallel is None else self.parallel)

    def add(self, points, normals, colour):
        pixel, depth, inside = self.project(points)
        pixel, depth, normals = pixel[inside], depth[inside], normals[inside]
        order = np.argsort(-depth)
        pixel, depth, normals = pixel[order], depth[order], normals[order]
        nearer = depth < self.depth[pixel]
        pixel, depth, normals = pixel[nearer], depth[nearer], normals[nearer]
        # Of several points of one pixel the last one, which is the nearest, stays.
        self.depth[pixel], self.normal[pixel], self.colour[pixel] = depth, normals, colour

    def places(self):
        """The points of the world that are seen."""
        k = np.arange(self.width * self.height)
        x, y = k % self.width + 0.5 - self.width / 2, self.height / 2 - k // self.width - 0.5
        rays = x[:, None] * self.right + y[:, None] * self.up
        return self.eye + self.depth[:, None] * (self.forward + rays / self.scale)


def add_bodies(view, types, positions, quats, shapes):
    made = {}
    for kind, x, q in zip(types, positions, quats):
        shape = shapes[kind]
        count = 8 * int(np.ceil((3 + 1.3 * view.size(x, np.linalg.norm(shape[:3]) * (1 + np.abs(shape[5:7]).max()))) / 8))
        if (kind, count) not in made:
            made[kind, count] = surface(shape, count)
        points, normals = made[kind, count]
        # Only the side that is seen.
        to_eye = turned(q * [1, -1, -1, -1], (view.eye - x)[None])[0]
        seen = ((to_eye - points) * normals).sum(axis=1) >= 0
        view.add(x + turned(q, points[seen]), turned(q, normals[seen]), kind)


def add_mesh(view, triangles, sides):
    for a, b, c in triangles:
        n = np.cross(b - a, c - a)
        length = np.linalg.norm(n)
        if length == 0:
            continue
        n /= length
        if sides == "far":
            # The side that is seen is inside: it faces away from the eye as the bodies see it.
            if n @ (a - view.eye) > 0:
                n = -n
        middle = (a + b + c) / 3
        longest = max(np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b))
        count = int(np.ceil(1.5 * view.size(middle, longest / 2))) + 2
        u, v = np.meshgrid(np.linspace(0, 1, count), np.linspace(0, 1, count))
        keep = u + v <= 1 + 1e-9
        points = a + u[keep][:, None] * (b - a) + v[keep][:, None] * (c - a)
        view.add(points, np.broadcast_to(n, points.shape), 0)


def facing_away(triangles, center, eye):
    """The triangles behind what they enclose, seen from the eye."""
    middle = triangles.mean(axis=1)
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inwards = np.sign((normal * (center - middle)).sum(axis=1))
    return ((normal * (eye - middle)).sum(axis=1) * inwards) > 0


def write_png(path, indices, palette):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = indices.shape
    rows = b"".join(b"\0" + row.tobytes() for row in indices.astype(np.uint8))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", palette.astype(np.uint8).tobytes()))
        file.write(chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump")
    parser.add_argument("picture")
    parser.add_argument("--in", dest="input", required=True)
    parser.add_argument("--stl")
    for name, of in (("--eye", "of the camera"), ("--look", "that it looks at")):
        parser.add_argument(name, nargs=3, type=float, help=f"the place {of}; from the front of the bodies without it")
    parser.add_argument("--angle", type=float, default=35)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--floor", type=float, help="the height of a floor that is drawn")
    options = parser.parse_args()
    types, positions, quats, box = read_dump(options.dump)
    shapes = read_shapes(options.input)
    triangles = read_stl(options.stl) if options.stl else np.zeros((0, 3, 3))
    corners = np.concatenate([positions, triangles.reshape(-1, 3)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    center, reach = (low + high) / 2, np.linalg.norm(high - low)
    look = center if options.look is None else np.array(options.look)
    eye = center + reach * np.array([0.5, -1.4, 0.7]) if options.eye is None else np.array(options.eye)
    width, height = options.width, options.width * 3 // 4
    view = View(eye, look, options.angle, width, height)
    lamp = View(center + 2 * reach * LAMP, center, 30, 2 * width, 2 * width, parallel=1.9 * width / (1.2 * reach))
    seen = triangles[facing_away(triangles, center, eye)] if len(triangles) else triangles
    for target in (view, lamp):
        add_bodies(target, types, positions, quats, shapes)
    add_mesh(view, seen, "far")
    if options.floor is not None:
        a, b = center[:2] - 0.6 * reach, center[:2] + 0.6 * reach
        z = options.floor
        square = np.array([[[a[0], a[1], z], [b[0], a[1], z], [b[0], b[1], z]], [[a[0], a[1], z], [b[0], b[1], z], [a[0], b[1], z]]])
        add_mesh(view, square, "far")
    hit = np.isfinite(view.depth)
    places = np.where(hit[:, None], view.places(), 0)
    pixel, depth, inside = lamp.project(places + 0.004 * reach * view.normal)
    lit = ~inside | (depth < lamp.depth[np.where(inside, pixel, 0)] + 0.004 * reach)
    light = 0.35 + 0.2 * view.normal[:, 2] + 0.5 * np.clip(view.normal @ LAMP, 0, None) * lit
    shade = np.clip((light * SHADES).astype(int), 0, SHADES - 1)
    kinds = np.concatenate([[MESH], COLOURS])
    palette = np.concatenate([[[255, 255, 255]], *(255 * np.clip(np.outer((np.arange(SHADES) + 0.5) / SHADES, c), 0, 1) for c in kinds)])
    index = np.where(hit, 1 + (view.colour % len(kinds)) * SHADES + shade, 0)
    write_png(options.picture, index.reshape(height, width), palette)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Fits superovoids to the iCub's hand links and writes urdf/icub_hands.urdf.

Input is a folder with the facts about the two hands, taken from
github.com/robotology/icub-models (CC BY-SA 4.0; the commit is named in the output):

    FACTS/hands.json     links, collision origins, joints of both hands (metres, radians)
    FACTS/meshes/*.obj   one collision mesh a link

They are not part of this project and not needed to build or test it. The script writes

    icub_hands.urdf      both hands on one root, one superovoid a collision link
    icub_hands.md        the text between the "fit table" markers is replaced by the new table

What is fitted
    A convex body can at best follow a mesh's convex hull, so the hull is the target (every iCub
    hand mesh is its own hull to within 1 % of its volume; the script prints the ratio). The 13
    unknowns are the seven of the shape and six of its pose in the link's frame. The residuals are
    signed distances in both directions, each weighted by area: from points of the hull to the
    superovoid and from points of the superovoid to the hull. The meshes have no outliers, so the
    plain sum of squares is minimised, which is the root mean square that the table reports.

How the body stays convex
    The tapers are not free: tx = T + D, ty = T - D with |T| <= (1 - e2/2) 2^(e2/2), the exact
    bound for equal tapers, and |D| up to the largest value that passes the exact test for unequal
    ones (zero for e2 <= 1). Both enter as fractions of their bounds, so every iterate is convex;
    the rounded numbers are tested once more.

How the error is measured
    Not with the fit's own residual: the hull and a triangulation of the superovoid (40,000
    triangles) are both sampled densely and uniformly, and each sample's distance to the other
    surface is the exact distance to its nearest triangles.

Requires Python 3.10+, numpy and scipy (tqdm for a progress bar, matplotlib for --pictures):

    python3 -m venv ~/fit && ~/fit/bin/pip install numpy scipy tqdm matplotlib
    ~/fit/bin/python urdf/fit_icub_hands.py FACTS

Two cores take about ten minutes. The result is the same for the same input and versions.
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares
from scipy.spatial import ConvexHull, QhullError, cKDTree
from scipy.spatial.transform import Rotation

try:
    from tqdm import tqdm
except ImportError:  # a progress bar is a convenience

    def tqdm(iterable, **_):
        return iterable


HERE = Path(__file__).resolve().parent
EXPONENTS = (0.1, 1.9)
SEMI_AXES = (1e-3, 0.1)
# Both bounds on the tapers are used up to this fraction, which leaves room for rounding.
TAPER_FRACTION = 0.97

# ---------------------------------------------------------------------------------------------
# Superovoids. Notation as in the crate: two nested circles (rho, zeta) with p2 = 2/e2 and
# (xi, eta) with p1 = 2/e1.


def taper_limit(e2):
    """Largest |t| of a convex body with equal tapers."""
    return (1 - e2 / 2) * 2 ** (e2 / 2)


# Heights at which the convexity of unequal tapers is tested, dense at 0 and at the ends.
_TEST_HEIGHTS = {
    n: np.concatenate([-s[::-1], s])
    for n in (200, 20000)
    for x in [np.linspace(0, 1, n + 2)[1:-1]]
    for s in [x * x * (3 - 2 * x)]
}


def is_convex(e1, e2, tx, ty, heights=200):
    """The exact test, evaluated on a grid of heights (closed form for equal tapers)."""
    if max(abs(tx), abs(ty)) > taper_limit(e2):
        return False
    if tx == ty:
        return True
    if e2 <= 1:
        return False
    z = _TEST_HEIGHTS[heights]
    s, m = np.abs(z), 2 / e2
    rest = 1 - s**m
    # -A''/A and -B''/B, times (1 - |z|^m)^2 |z|^(2 - m)
    x = (m - 1) + 2 * tx * z * rest / (1 + tx * z)
    y = (m - 1) + 2 * ty * z * rest / (1 + ty * z)
    if min(x.min(), y.min()) < 0:
        return False
    twist = math.sqrt(e1 / (2 - e1)) * abs(tx - ty) / ((1 + tx * z) * (1 + ty * z))
    return bool(np.all(np.sqrt(x) + np.sqrt(y) >= twist * rest * s ** (1 - m / 2)))


def largest_difference(e1, e2, taper):
    """Largest D for which tapers taper + D and taper - D are convex."""
    if e2 <= 1:
        return 0.0
    low, high = 0.0, taper_limit(e2) - abs(taper)
    for _ in range(24):
        middle = (low + high) / 2
        if is_convex(e1, e2, taper + middle, taper - middle):
            low = middle
        else:
            high = middle
    return low


@dataclass
class Superovoid:
    """Shape (a, e, t) and pose: body point p is at rotation * p + origin."""

    a: np.ndarray
    e: np.ndarray
    t: np.ndarray
    rotation: Rotation
    origin: np.ndarray

    def points(self, phi, theta):
        """Surface points at the direction angles phi of (xi, eta) and theta of (rho, zeta)."""
        return self.rotation.apply(self._body_points(phi, theta)) + self.origin

    def _body_points(self, phi, theta):
        xi, eta = on_circle(phi, self.e[0])
        rho, zeta = on_circle(theta, self.e[1])
        return np.stack(
            [
                self.a[0] * (1 + self.t[0] * zeta) * rho * xi,
                self.a[1] * (1 + self.t[1] * zeta) * rho * eta,
                self.a[2] * zeta,
            ],
            axis=-1,
        )

    def normals(self, phi, theta):
        xi, eta = on_circle(phi, self.e[0])
        rho, zeta = on_circle(theta, self.e[1])
        dxi, deta = dual(xi, self.e[0]), dual(eta, self.e[0])
        drho, dzeta = dual(rho, self.e[1]), dual(zeta, self.e[1])
        fx, fy = 1 + self.t[0] * zeta, 1 + self.t[1] * zeta
        slope = rho * drho * (xi * dxi * self.t[0] / fx + eta * deta * self.t[1] / fy)
        n = np.stack(
            [
                drho * dxi / (self.a[0] * fx),
                drho * deta / (self.a[1] * fy),
                (dzeta - slope) / self.a[2],
            ],
            axis=-1,
        )
        return self.rotation.apply(n / np.linalg.norm(n, axis=-1, keepdims=True))

    def grid(self, around, along):
        """Angles of a grid that is fine both on flat faces and around sharp ridges."""
        phi = circle_angles(around // 4, self.e[0])
        phi = np.concatenate([phi + k * math.pi / 2 for k in range(4)])
        quarter = np.append(circle_angles(along // 2, self.e[1]), math.pi / 2)
        theta = np.concatenate([-quarter[:0:-1], quarter])
        return np.meshgrid(phi, theta)

    def mesh(self, around, along):
        """Vertices and triangles (the triangles at the poles are degenerate)."""
        phi, theta = self.grid(around, along)
        rows, columns = phi.shape
        vertices = self.points(phi.ravel(), theta.ravel())
        i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
        k = (j + 1) % columns
        a, b, c, d = (i * columns + j, i * columns + k, (i + 1) * columns + k, (i + 1) * columns + j)
        triangles = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
        return vertices, triangles.reshape(-1, 3)


def on_circle(angle, e):
    """Point in the direction of an angle on |u|^p + |v|^p = 1, p = 2/e."""
    u, v = np.cos(angle), np.sin(angle)
    m = np.maximum(abs(u), abs(v))
    scale = m * ((abs(u) / m) ** (2 / e) + (abs(v) / m) ** (2 / e)) ** (e / 2)
    return u / scale, v / scale


def dual(u, e):
    return np.sign(u) * np.abs(u) ** (2 / e - 1)


def circle_angles(n, e):
    """About n directions in [0, pi/2): half evenly spread as points, half as normals."""
    even = np.linspace(0, math.pi / 2, n - n // 2 + 1)[:-1]
    between = np.linspace(0, math.pi / 2, n // 2 + 2)[1:-1]
    u, v = on_circle(between, 2 - e)  # a point of the dual circle, exponent q = 2/(2 - e)
    normal = np.arctan2(dual(v, 2 - e), dual(u, 2 - e))
    return np.sort(np.concatenate([even, normal]))


# ---------------------------------------------------------------------------------------------
# Triangles


def areas(vertices, triangles):
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


def sample(vertices, triangles, n, seed):
    """n points spread over the triangles in proportion to area."""
    rng = np.random.default_rng(seed)
    cumulative = np.cumsum(areas(vertices, triangles))
    # One point in each of n equal slices of the area: less scatter than independent draws.
    position = (np.arange(n) + rng.random(n)) / n * cumulative[-1]
    chosen = triangles[np.searchsorted(cumulative, position).clip(max=len(triangles) - 1)]
    u, v = rng.random((2, n))
    flip = u + v > 1
    u, v = np.where(flip, 1 - u, u)[:, None], np.where(flip, 1 - v, v)[:, None]
    a, b, c = (vertices[chosen[:, k]] for k in range(3))
    return a + u * (b - a) + v * (c - a)


def closest_on_segments(p, a, b):
    """Closest points to p on the segments a b (arrays broadcast)."""
    d = b - a
    length = np.sum(d * d, -1)
    s = np.sum((p - a) * d, -1) / np.where(length > 0, length, 1)
    return a + np.clip(s, 0, 1)[..., None] * d


def closest_on_triangles(p, a, b, c):
    """Closest points to p on the triangles a b c (arrays broadcast)."""
    best, least = None, None
    for u, v in ((a, b), (b, c), (c, a)):
        q = closest_on_segments(p, u, v)
        d = np.sum((p - q) ** 2, -1)
        if best is None:
            best, least = q, d
        else:
            nearer = d < least
            best, least = np.where(nearer[..., None], q, best), np.where(nearer, d, least)
    n = np.cross(b - a, c - a)
    nn = np.sum(n * n, -1)
    foot = p - (np.sum((p - a) * n, -1) / np.where(nn > 0, nn, 1))[..., None] * n
    inside = nn > 0
    for u, v in ((a, b), (b, c), (c, a)):
        inside = inside & (np.sum(np.cross(v - u, foot - u) * n, -1) >= 0)
    return np.where(inside[..., None], foot, best)


class Hull:
    """A convex polyhedron with its signed distance, which is exact on both sides."""

    def __init__(self, vertices):
        hull = ConvexHull(vertices)
        self.vertices, self.triangles = vertices, hull.simplices
        self.planes, self.volume = hull.equations, hull.volume

    def signed_distance(self, points):
        """Distance (negative inside) and its gradient."""
        heights = points @ self.planes[:, :3].T + self.planes[:, 3]
        face = heights.argmax(axis=1)
        distance = heights[np.arange(len(points)), face]
        gradient = self.planes[face, :3].copy()
        outside = np.flatnonzero(distance > 0)
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        for part in np.array_split(outside, max(1, len(outside) // 200)):
            p = points[part][:, None]
            q = closest_on_triangles(p, a, b, c)
            d = np.linalg.norm(p - q, axis=-1)
            k = d.argmin(axis=1)
            rows = np.arange(len(part))
            least = d[rows, k]
            far = least > 1e-9
            distance[part] = least
            gradient[part[far]] = ((p[:, 0] - q[rows, k]) / np.maximum(least, 1e-12)[:, None])[far]
        return distance, gradient


# ---------------------------------------------------------------------------------------------
# The fit


def body_of(x, base):
    """Unknowns: log semi-axes, exponents, taper fractions, rotation vector (in the frame `base`),
    origin in units of 10 mm."""
    e1, e2 = x[3:5]
    taper = x[5] * taper_limit(e2)
    difference = x[6] * largest_difference(e1, e2, taper) if x[6] else 0.0
    return Superovoid(
        a=np.exp(x[:3]),
        e=x[3:5],
        t=np.array([taper + difference, taper - difference]),
        rotation=base * Rotation.from_rotvec(x[7:10]),
        origin=x[10:] * 0.01,
    )


class Problem:
    """Residuals, in millimetres, of one hull against the bodies near a frame `base`.

    A nearest point moves along the surface as the unknowns change, but to first order that does
    not change the distance: its derivative is n . dx/dunknown at fixed angles.
    """

    def __init__(self, hull, base, samples, around, along, unequal):
        self.hull, self.base, self.unequal = hull, base, unequal
        self.samples = sample(hull.vertices, hull.triangles, samples, seed=1)
        self.around, self.along = around, along

    def set_weights(self, x):
        """Fixes the superovoid's sample points (as angles) and their share of its area."""
        body = body_of(x, self.base)
        phi, theta = body.grid(self.around // 2, self.along // 2)
        self.phi, self.theta = phi.ravel(), theta.ravel()
        vertices, triangles = body.mesh(self.around // 2, self.along // 2)
        area = np.zeros(len(vertices))
        np.add.at(area, triangles.ravel(), np.repeat(areas(vertices, triangles), 3))
        self.weight = 1e3 * np.sqrt(area / area.sum())

    def evaluate(self, x):
        body = body_of(x, self.base)
        phi, theta = (g.ravel() for g in body.grid(self.around, self.along))
        points = body.points(phi, theta)
        nearest = cKDTree(points).query(self.samples)[1]
        phi, theta = phi[nearest], theta[nearest]
        normals = body.normals(phi, theta)
        to_body = np.sum(normals * (self.samples - points[nearest]), axis=1)
        to_hull, gradient = self.hull.signed_distance(body.points(self.phi, self.theta))
        share = 1e3 / math.sqrt(len(self.samples))
        residual = np.concatenate([share * to_body, self.weight * to_hull])
        directions = np.concatenate([-share * normals, self.weight[:, None] * gradient])
        return residual, directions, np.append(phi, self.phi), np.append(theta, self.theta)

    def residual(self, x):
        return self.evaluate(x)[0]

    def jacobian(self, x):
        _, directions, phi, theta = self.evaluate(x)
        columns = []
        for step in 1e-5 * np.eye(len(x)):
            ahead = body_of(x + step, self.base).points(phi, theta)
            behind = body_of(x - step, self.base).points(phi, theta)
            columns.append(np.sum(directions * (ahead - behind), axis=1) / 2e-5)
        return np.stack(columns, axis=1)

    def minimise(self, x, rounds, evaluations):
        fraction = TAPER_FRACTION
        spread = fraction if self.unequal else 1e-12
        low = np.array([math.log(SEMI_AXES[0])] * 3 + [EXPONENTS[0]] * 2 + [-fraction, -spread] + [-9] * 6)
        high = np.array([math.log(SEMI_AXES[1])] * 3 + [EXPONENTS[1]] * 2 + [fraction, spread] + [9] * 6)
        cost = math.inf
        for _ in range(rounds):
            self.set_weights(x)
            x = np.clip(x, low + 1e-13, high - 1e-13)
            result = least_squares(
                self.residual, x, self.jacobian, (low, high), x_scale=0.1, max_nfev=evaluations
            )
            x = result.x
            if cost - result.cost < 1e-4 * cost:
                break
            cost = result.cost
        return result.cost, x


def starts(hull):
    """Principal axes of the surface in all three roles, with box-like to pointed exponents."""
    points = sample(hull.vertices, hull.triangles, 2000, seed=2)
    centre = points.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov((points - centre).T))
    for z in range(3):
        frame = axes[:, [(z + 1) % 3, (z + 2) % 3, z]]
        frame = frame * [1, 1, np.sign(np.linalg.det(frame))]
        local = (points - centre) @ frame
        half = (local.max(axis=0) - local.min(axis=0)) / 2
        origin = centre + frame @ ((local.max(axis=0) + local.min(axis=0)) / 2)
        for e1, e2 in ((0.5, 0.5), (0.9, 0.9), (0.5, 1.2), (1.2, 0.5)):
            # Either sign of the taper: the section that the mean would choose is a saddle.
            for taper in (-0.3, 0.3):
                x = np.concatenate([np.log(half), [e1, e2, taper, 0, 0, 0, 0], origin / 0.01])
                yield Rotation.from_matrix(frame), x


def fit(hull):
    """The best of all starts: a short coarse run each, then a fine run of the best few."""
    coarse = []
    for base, x in starts(hull):
        problem = Problem(hull, base, samples=250, around=40, along=20, unequal=False)
        coarse.append((*problem.minimise(x, rounds=1, evaluations=12), base))
    coarse.sort(key=lambda entry: entry[0])
    fine = []
    for _, x, base in coarse[:4]:
        problem = Problem(hull, base, samples=800, around=64, along=32, unequal=True)
        for tilt in (0.0, 0.3, -0.3) if x[4] > 1 else (0.0,):
            fine.append((*problem.minimise(np.r_[x[:6], tilt, x[7:]], rounds=4, evaluations=20), base))
    _, x, base = min(fine, key=lambda entry: entry[0])
    return rounded(body_of(x, base))


def rpy_of(rotation):
    """URDF's fixed-axis roll, pitch, yaw."""
    return rotation.as_euler("xyz")


def rounded(body):
    """The body with the numbers that the URDF will hold, still convex."""
    t = np.round(body.t, 4)
    if body.e[1] <= 1:
        t[1] = t[0]
    result = Superovoid(
        a=np.round(body.a, 6),
        e=np.round(body.e, 4),
        t=t + 0.0,
        rotation=Rotation.from_euler("xyz", np.round(rpy_of(body.rotation), 6)),
        origin=np.round(body.origin, 6) + 0.0,
    )
    while not is_convex(*result.e, *result.t, heights=20000):
        mean = result.t.mean()
        result.t = np.round(mean + (result.t - mean) * 0.95 - np.sign(mean) * 1e-4, 4)
    return result


def enclosing_radius(body):
    """Radius about the origin that holds the body, rounded up to 0.1 mm.

    The triangulation's vertices lie on the surface; 0.02 mm covers what lies between them."""
    vertices, _ = body.mesh(400, 200)
    reach = np.linalg.norm(vertices - body.origin, axis=1).max() + 2e-5
    return math.ceil(reach * 1e4) / 1e4


# ---------------------------------------------------------------------------------------------
# The error, measured independently of the residual


@dataclass
class Error:
    """Distances in millimetres; [mesh to superovoid, superovoid to mesh]."""

    rms: list
    p95: list
    largest: list
    volume_ratio: float


def measure(hull, body):
    vertices, triangles = body.mesh(200, 100)
    triangles = triangles[areas(vertices, triangles) > 0]
    there = distances(sample(hull.vertices, hull.triangles, 20000, seed=3), vertices, triangles)
    back = distances(sample(vertices, triangles, 20000, seed=4), hull.vertices, hull.triangles)
    both = [1e3 * there, 1e3 * back]
    return Error(
        rms=[math.sqrt(np.mean(d * d)) for d in both],
        p95=[float(np.quantile(d, 0.95)) for d in both],
        largest=[float(d.max()) for d in both],
        volume_ratio=ConvexHull(vertices).volume / hull.volume,
    )


def distances(points, vertices, triangles):
    """Distances of points to a triangulation: exact for the few triangles near each point."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    if len(triangles) <= 512:
        candidates = np.broadcast_to(np.arange(len(triangles)), (len(points), len(triangles)))
    else:
        candidates = cKDTree((a + b + c) / 3).query(points, 16)[1]
    result = np.empty(len(points))
    for part in np.array_split(np.arange(len(points)), max(1, candidates.size // 200000)):
        k = candidates[part]
        q = closest_on_triangles(points[part][:, None], a[k], b[k], c[k])
        result[part] = np.linalg.norm(points[part][:, None] - q, axis=-1).min(axis=1)
    return result


# ---------------------------------------------------------------------------------------------
# Reading the facts


class FactsError(Exception):
    pass


def read_facts(folder):
    path = folder / "hands.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        hands = facts["hands"]
        hands["left"], hands["right"]
        facts["source_repo"], facts["commit"], facts["licence"], facts["source_urdf"]
        return facts
    except OSError as error:
        raise FactsError(f"{path}: {error.strerror}; pass the folder that holds hands.json") from error
    except (ValueError, KeyError, TypeError) as error:
        raise FactsError(f"{path}: not the expected facts about two hands ({error!r})") from error


def read_hull(folder, collision):
    """A link's collision mesh in the link's frame, as its hull, and the mesh's share of it."""
    geometry, origin = collision["geometry"], collision["origin"]
    path = folder / geometry["file"]
    vertices, triangles = [], []
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            words = line.split()
            try:
                if words[:1] == ["v"]:
                    vertices.append([float(w) for w in words[1:4]])
                elif words[:1] == ["f"]:
                    corners = [int(w.split("/")[0]) - 1 for w in words[1:]]
                    triangles += [[corners[0], *pair] for pair in itertools.pairwise(corners[1:])]
            except ValueError as error:
                raise FactsError(f"{path}:{number}: {error}") from error
    except OSError as error:
        raise FactsError(f"{path}: {error.strerror}") from error
    local = np.array(vertices) * geometry["scale"]
    rotation = Rotation.from_euler("xyz", origin["rpy"])
    points = rotation.apply(local) + origin["xyz"]
    try:
        hull = Hull(points)
    except (QhullError, ValueError) as error:
        raise FactsError(f"{path}: no convex hull ({error})") from error
    a, b, c = (points[np.array(triangles)[:, k]] for k in range(3))
    volume = abs(np.sum(np.cross(a, b) * c)) / 6
    return hull, volume / hull.volume


# ---------------------------------------------------------------------------------------------
# The robot: both hands on one root

# Frames of the two hands: the left hand's fingers point along +x of l_hand, the right hand's
# along -x of r_hand, both tilted by 15 degrees about y; the thumb is at +z and the palms face -y.
# The root has x forward (along the fingers), y left, z up (the thumbs' side), and the hands are
# mirror images in its plane y = 0.
TILT = math.radians(15)
HALF_GAP = 0.035
PLACEHOLDER = 50000.0

HEADER = """<?xml version="1.0"?>
<!--
  Both hands of the iCub robot, 21 convex superovoids each, palms facing each other.

  Written by urdf/fit_icub_hands.py; edit that, not this. Frames, joints and the fit's errors are
  explained in docs/icub_hands.md. Lengths in metres, angles in radians.

  Link names, joint origins, axes and limits, and the collision meshes that the superovoids were
  fitted to, are facts taken from
    https://{source_repo}
    commit {commit}
    {source_urdf}
  by the iCub Facility, Istituto Italiano di Tecnologia, licensed {licence}
  (https://creativecommons.org/licenses/by-sa/4.0/). Changes: hands only, on a common root with
  two joints of our own; collision meshes replaced by superovoids, numbers rounded; no inertia,
  no visuals.

  Each <superovoid> stands beside an enclosing sphere, which is what other URDF readers see.
  effort="{placeholder:g}" and velocity="{placeholder:g}" are placeholders (URDF requires them).
-->
"""


def number(x):
    """Nine decimals at most (1e-9 m, 1e-9 rad: what the source holds beyond is rounding noise)."""
    return f"{round(x, 9) + 0.0:.9f}".rstrip("0").rstrip(".")


def vector(values):
    return " ".join(number(float(v)) for v in values)


def origin_tag(xyz, rpy, indent):
    return f'{indent}<origin xyz="{vector(xyz)}" rpy="{vector(rpy)}"/>'


def link_tag(name, body):
    if body is None:
        return f'  <link name="{name}"/>'
    shape = dict(zip(("a1", "a2", "a3", "e1", "e2", "tx", "ty"), (*body.a, *body.e, *body.t)))
    attributes = " ".join(f'{key}="{number(value)}"' for key, value in shape.items())
    return "\n".join(
        [
            f'  <link name="{name}">',
            f'    <collision name="{name}">',
            origin_tag(body.origin, np.round(rpy_of(body.rotation), 6), "      "),
            f'      <geometry><sphere radius="{number(enclosing_radius(body))}"/></geometry>',
            f"      <superovoid {attributes}/>",
            "    </collision>",
            "  </link>",
        ]
    )


def joint_tag(joint):
    lines = [
        f'  <joint name="{joint["name"]}" type="{joint["type"]}">',
        f'    <parent link="{joint["parent"]}"/>',
        f'    <child link="{joint["child"]}"/>',
        origin_tag(joint["origin"]["xyz"], joint["origin"]["rpy"], "    "),
    ]
    if joint["type"] != "fixed":
        lines.append(f'    <axis xyz="{vector(joint["axis"])}"/>')
        limit = joint["limit"]
        keys = ("lower", "upper", "effort", "velocity")
        lines.append("    <limit " + " ".join(f'{k}="{number(limit[k])}"' for k in keys) + "/>")
    return "\n".join([*lines, "  </joint>"])


def own_joints():
    """What holds the two hands: the left fixed, the right on a slide and a wrist."""

    def joint(name, kind, parent, child, xyz=(0, 0, 0), rpy=(0, 0, 0), axis=None, lower=0, upper=0):
        limit = {"lower": lower, "upper": upper, "effort": PLACEHOLDER, "velocity": PLACEHOLDER}
        origin = {"xyz": xyz, "rpy": rpy}
        return dict(name=name, type=kind, parent=parent, child=child, origin=origin, axis=axis, limit=limit)

    left = joint("left_hand_mount", "fixed", "root", "l_hand", (0, HALF_GAP, 0), (0, TILT, 0))
    slide = joint(
        "right_hand_approach", "prismatic", "root", "right_hand_slide", (0, -HALF_GAP, 0),
        axis=(0, 1, 0), lower=-0.2, upper=2 * HALF_GAP,
    )
    turn = joint(
        "right_hand_inward", "revolute", "right_hand_slide", "right_hand_wrist",
        axis=(0, 0, 1), upper=math.pi / 2,
    )
    mount = joint("right_hand_mount", "fixed", "right_hand_wrist", "r_hand", rpy=(0, -TILT, math.pi))
    return [left, slide, turn, mount]


def urdf(facts, bodies):
    joints = own_joints()
    lines = [HEADER.format(placeholder=PLACEHOLDER, **facts) + '<robot name="icub_hands">']
    lines += [link_tag(name, None) for name in ("root", "right_hand_slide", "right_hand_wrist")]
    lines += [joint_tag(joint) for joint in joints]
    for side in ("left", "right"):
        lines.append(f"\n  <!-- {side} hand -->")
        lines += [link_tag(link["name"], bodies.get(link["name"])) for link in facts["hands"][side]["links"]]
        lines += [joint_tag(joint) for joint in facts["hands"][side]["joints"]]
    return "\n".join([*lines, "</robot>", ""])


# ---------------------------------------------------------------------------------------------
# The table

BEGIN, END = "<!-- fit table: begin -->", "<!-- fit table: end -->"


def table(bodies, errors):
    lines = [
        "| link | a1 | a2 | a3 | e1 | e2 | tx | ty | rms | 95 % | max | volume | other hand |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, body in bodies.items():
        error = errors[name]
        pairs = [f"{there:.2f} / {back:.2f}" for there, back in (error.rms, error.p95, error.largest)]
        axes = [f"{1e3 * a:.2f}" for a in body.a]
        rest = [f"{v:g}" for v in (*body.e, *body.t)]
        other = bodies[{"l": "r", "r": "l"}[name[0]] + name[1:]]
        asymmetry = 1e3 * np.abs(np.sort(body.a) - np.sort(other.a)).max()
        cells = [f"`{name}`", *axes, *rest, *pairs, f"{error.volume_ratio:.3f}", f"{asymmetry:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def with_table(text, rows, path):
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise FactsError(f"{path}: needs the lines {BEGIN} and {END} once each, around the table")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{rows}\n{END}{rest.split(END)[1]}"


# ---------------------------------------------------------------------------------------------


def fit_link(job):
    name, hull = job
    body = fit(hull)
    return name, body, measure(hull, body)


def picture(folder, hulls, bodies):
    """One picture a link: hull edges in black, superovoid in colour, three views."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    for name, body in bodies.items():
        figure = pyplot.figure(figsize=(15, 5))
        hull = hulls[name]
        vertices, triangles = body.mesh(64, 32)
        for k, (up, turn) in enumerate(((20, -60), (0, 0), (90, -90)), 1):
            axes = figure.add_subplot(1, 3, k, projection="3d")
            axes.plot_trisurf(*vertices.T, triangles=triangles, color="tab:orange", alpha=0.35)
            axes.plot_trisurf(*hull.vertices.T, triangles=hull.triangles, color=(0, 0, 0, 0), edgecolor="k")
            axes.set_aspect("equal")
            axes.view_init(up, turn)
            axes.set(xlabel="x", ylabel="y", zlabel="z")
        figure.suptitle(f"{name}: a {body.a} e {body.e} t {body.t}")
        figure.savefig(folder / f"{name}.png", dpi=60)
        pyplot.close(figure)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python urdf/fit_icub_hands.py FACTS --workers 2 --pictures pictures",
    )
    parser.add_argument("facts", type=Path, help="folder with hands.json and meshes/")
    parser.add_argument("--urdf", type=Path, default=HERE / "icub_hands.urdf", help="URDF to write")
    parser.add_argument(
        "--doc", type=Path, default=HERE.parent / "docs" / "icub_hands.md",
        help="existing Markdown file with the table's markers",
    )
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--pictures", type=Path, help="folder for a picture of every fit")
    return parser.parse_args()


def main():
    options = arguments()
    try:
        facts = read_facts(options.facts)
        try:
            text = options.doc.read_text(encoding="utf-8")
        except OSError as error:
            raise FactsError(f"{options.doc}: {error.strerror}") from error
        with_table(text, "", options.doc)  # an unsuitable file fails now, not after the fit
        hulls = {}
        for side in ("left", "right"):
            for link in facts["hands"][side]["links"]:
                if len(link["collision"]) > 1:
                    raise FactsError(f"link {link['name']}: several collision meshes, expected one")
                for collision in link["collision"]:
                    hulls[link["name"]], share = read_hull(options.facts, collision)
                    if share < 0.99:
                        print(f"{link['name']}: mesh fills only {share:.1%} of its hull", file=sys.stderr)
        bodies, errors = {}, {}
        with concurrent.futures.ProcessPoolExecutor(options.workers) as pool:
            results = pool.map(fit_link, hulls.items())
            for name, body, error in tqdm(results, total=len(hulls), unit="link"):
                bodies[name], errors[name] = body, error
        options.urdf.write_text(urdf(facts, bodies), encoding="utf-8")
        options.doc.write_text(with_table(text, table(bodies, errors), options.doc), encoding="utf-8")
        if options.pictures:
            picture(options.pictures, hulls, bodies)
    except (FactsError, OSError) as error:
        sys.exit(f"fit_icub_hands: {error}")


if __name__ == "__main__":
    main()

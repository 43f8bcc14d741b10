#!/usr/bin/env python3
"""Compares normals, gradients and Jacobians of contacts with those of coal, MuJoCo and Drake, on pairs of ellipsoids.

    pip install -r studies/compare/derivatives_requirements.txt
    cargo build --release -p superovoid-capi
    python3 studies/compare/derivatives.py --pairs 300 --output docs/reports/comparison_derivatives.md

None of the peers has derivatives of two ellipsoids. What a user makes of their answers is measured: the gradient of the
distance by the poses from normal and witness points (the envelope theorem), and the Jacobians of normal and points by
central differences of their answers, at the step that serves each peer best.

The truth is the stationary pair by Newton's method with 40 digits (mpmath) on the supports n.c - |A n| - |B n|, and its
central differences with a step of 1e-12 m or rad, which share no code with the library.
"""

import argparse
import ctypes
import pathlib

import coal
import mpmath as mp
import mujoco
import numpy as np
from pydrake.common.value import AbstractValue
from pydrake.geometry import Ellipsoid, FramePoseVector, GeometryFrame, GeometryInstance, ProximityProperties, SceneGraph
from pydrake.math import RigidTransform, RotationMatrix

mp.mp.dps = 40
STEPS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7]
GAP = 2e-3


class Body:
    """An ellipsoid with its pose: semi-axes and origin in metres, a rotation matrix."""

    def __init__(self, axes, rotation, origin):
        self.axes, self.rotation, self.origin = axes, rotation, origin


def turned(axis, angle):
    """Returns the rotation about a unit vector of double precision, orthogonal to rounding."""
    cross = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def moved(pair, j, step):
    """Returns the pair after a motion of A (j < 6) or B along or about a world axis."""
    bodies = list(pair)
    body, k = bodies[j // 6], j % 6
    if k < 3:
        origin = body.origin.copy()
        origin[k] += step
        bodies[j // 6] = Body(body.axes, body.rotation, origin)
    else:
        bodies[j // 6] = Body(body.axes, turned(np.eye(3)[k - 3], step) @ body.rotation, body.origin)
    return bodies


def random_rotation(rng):
    matrix, r = np.linalg.qr(rng.normal(size=(3, 3)))
    matrix = matrix @ np.diag(np.sign(np.diag(r)))
    return matrix if np.linalg.det(matrix) > 0 else -matrix


def random_pair(rng, gap):
    """Two ellipsoids whose supports along a random direction are a gap apart: their distance if it is positive."""
    axes = rng.uniform(0.02, 0.1, size=(2, 3))
    rotations = [random_rotation(rng) for _ in range(2)]
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    supports = []
    for a, rotation, sign in zip(axes, rotations, [1, -1]):
        scaled = a * (rotation.T @ (sign * n))
        supports.append(rotation @ (a * scaled) / np.linalg.norm(scaled))
    place = rng.uniform(-0.2, 0.2, size=3)
    return [Body(axes[0], rotations[0], place), Body(axes[1], rotations[1], place + supports[0] + gap * n - supports[1])]


# ---- truth --------------------------------------------------------------------------------


def stationary(bodies, shift, start):
    """Returns (distance, normal, points) with 40 digits, from a start for the normal. shift: a motion (j, step)."""
    quadrics, origins = [], []
    for index, body in enumerate(bodies):
        rotation = mp.matrix(body.rotation.tolist())
        # Double precision leaves the matrix orthogonal to rounding only; that is the body which the peers see.
        origin = mp.matrix(body.origin.tolist())
        if shift and shift[0] // 6 == index:
            k, step = shift[0] % 6, shift[1]
            if k < 3:
                origin[k] += step
            else:
                axis = [mp.mpf(i == k - 3) for i in range(3)]
                cross = mp.matrix([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
                rotation = (mp.eye(3) + mp.sin(step) * cross + (1 - mp.cos(step)) * cross * cross) * rotation
        squares = mp.diag([mp.mpf(float(a)) ** 2 for a in body.axes])
        quadrics.append(rotation * squares * rotation.T)
        origins.append(origin)
    c = origins[1] - origins[0]
    n = mp.matrix(start)
    for _ in range(60):
        n /= mp.norm(n)
        supports = [mp.sqrt((n.T * q * n)[0]) for q in quadrics]
        slopes = [q * n / s for q, s in zip(quadrics, supports)]
        curvatures = [(q - v * v.T) / s for q, v, s in zip(quadrics, slopes, supports)]
        gap = c - slopes[0] - slopes[1]
        d = (n.T * gap)[0]
        residual = gap - d * n
        if mp.norm(residual) < mp.mpf(10) ** -36:
            break
        # On the tangent plane: -(H_A + H_B + d) y = -residual; n n^T fills up the plane's normal.
        system = curvatures[0] + curvatures[1] + d * (mp.eye(3) - n * n.T) + n * n.T
        step = mp.lu_solve(system, residual)
        n += step - (n.T * step)[0] * n
    else:
        raise ArithmeticError("no stationary pair")
    return d, n, [origins[0] + slopes[0], origins[1] - slopes[1]]


def numbers(d, n, points):
    return [d, *n, *points[0], *points[1]]


class Truth:
    """The answer and its Jacobian (10 rows: distance, normal, points; 12 columns) in double precision."""

    def __init__(self, bodies, start):
        here = numbers(*stationary(bodies, None, start))
        step = mp.mpf(10) ** -12
        columns = []
        for j in range(12):
            after, before = (numbers(*stationary(bodies, (j, s), list(here[1:4]))) for s in (step, -step))
            columns.append([float((a - b) / (2 * step)) for a, b in zip(after, before)])
        self.numbers = np.array([float(x) for x in here])
        self.jacobian = np.array(columns).T


# ---- peers: each returns ten numbers, or None --------------------------------------------


def transform(body):
    placed = coal.Transform3s()
    placed.setRotation(body.rotation)
    placed.setTranslation(body.origin)
    return placed


class Coal:
    def __init__(self, tolerance=None):
        self.request, self.name = coal.DistanceRequest(), "coal 3.0.3, default (1e-6)"
        if tolerance:
            self.name = f"coal 3.0.3, tolerances {tolerance:g}"
            self.request.gjk_tolerance = self.request.epa_tolerance = tolerance
            self.request.gjk_max_iterations = self.request.epa_max_iterations = 1000

    def prepare(self, axes):
        self.shapes = [coal.Ellipsoid(*a) for a in axes]

    def answer(self, bodies):
        result = coal.DistanceResult()
        d = coal.distance(
            self.shapes[0], transform(bodies[0]), self.shapes[1], transform(bodies[1]), self.request, result
        )
        if abs(d) > 1e3:  # what it returns where its EPA fails
            return None
        return np.array([d, *result.normal, *result.getNearestPoint1(), *result.getNearestPoint2()])


class MuJoCo:
    def __init__(self, tolerance=None):
        self.tolerance, self.name = tolerance, "MuJoCo 4.0.0, default (1e-6)"
        if tolerance:
            self.name = f"MuJoCo 4.0.0, ccd_tolerance {tolerance:g}"

    def prepare(self, axes):
        geoms = "".join(f'<body><geom type="ellipsoid" size="{a[0]} {a[1]} {a[2]}"/></body>' for a in axes)
        self.model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
        self.model.geom_size[:] = axes
        if self.tolerance:
            self.model.opt.ccd_tolerance, self.model.opt.ccd_iterations = self.tolerance, 1000
        self.data = mujoco.MjData(self.model)
        mujoco.mj_kinematics(self.model, self.data)

    def answer(self, bodies):
        for k, body in enumerate(bodies):
            self.data.geom_xpos[k] = body.origin
            self.data.geom_xmat[k] = body.rotation.ravel()
        line = np.zeros(6)
        d = mujoco.mj_geomDistance(self.model, self.data, 0, 1, 10.0, line)
        if d == 0:
            return None
        # Its normal is that of its points.
        return np.array([d, *((line[3:] - line[:3]) / d), *line])


class Drake:
    name = "Drake 1.51.1"

    def prepare(self, axes):
        self.scene = SceneGraph()
        source = self.scene.RegisterSource("pair")
        self.frames = [self.scene.RegisterFrame(source, GeometryFrame(name)) for name in "ab"]
        self.geometries = []
        for frame, a, name in zip(self.frames, axes, "ab"):
            instance = GeometryInstance(RigidTransform(), Ellipsoid(*a), name)
            geometry = self.scene.RegisterGeometry(source, frame, instance)
            self.scene.AssignRole(source, geometry, ProximityProperties())
            self.geometries.append(geometry)
        self.context = self.scene.CreateDefaultContext()
        self.port = self.scene.get_source_pose_port(source)

    def answer(self, bodies):
        poses, placed = FramePoseVector(), []
        for frame, body in zip(self.frames, bodies):
            pose = RigidTransform(RotationMatrix(body.rotation), body.origin)
            placed.append(pose)
            poses.set_value(frame, pose)
        self.port.FixValue(self.context, AbstractValue.Make(poses))
        query = self.scene.get_query_output_port().Eval(self.context)
        found = query.ComputeSignedDistancePairClosestPoints(*self.geometries)
        points = [pose.multiply(p) for pose, p in zip(placed, (found.p_ACa, found.p_BCb))]
        return np.array([found.distance, *(-found.nhat_BA_W), *points[0], *points[1]])


class Shape(ctypes.Structure):
    _fields_ = [("numbers", ctypes.c_double * 11), ("kinds", ctypes.c_uint32 * 2), ("prepared", ctypes.c_uint64 * 8)]


class Pose(ctypes.Structure):
    _fields_ = [("translation", ctypes.c_double * 3), ("rotation", ctypes.c_double * 4)]


class Contact(ctypes.Structure):
    _fields_ = [("distance", ctypes.c_double), ("bracket", ctypes.c_double * 2), ("point_a", ctypes.c_double * 3),
                ("point_b", ctypes.c_double * 3), ("normal", ctypes.c_double * 3), ("how", ctypes.c_uint32 * 2)]


class Gradient(ctypes.Structure):
    _fields_ = [("gradient", ctypes.c_double * 26), ("status", ctypes.c_uint32), ("local", ctypes.c_uint32)]


class Derivatives(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_void_p) for name in "hessian normal point_a point_b".split()]


def quaternion(rotation):
    """Returns (x, y, z, w) from the eigenvector of the largest eigenvalue (Bar-Itzhack)."""
    r = rotation
    k = np.array([
        [r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
        [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
        [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]],
    ])
    return np.linalg.eigh(k / 3)[1][:, -1]


class Superovoid:
    name = "superovoid"

    def __init__(self, library):
        self.c = ctypes.CDLL(str(library))

    def check(self, status):
        if status:
            self.c.sovo_last_error.restype = ctypes.c_char_p
            raise RuntimeError(self.c.sovo_last_error())

    def prepare(self, axes):
        self.shapes = []
        for a in axes:
            shape = Shape()
            made = [(ctypes.c_double * len(x))(*x) for x in (a, [1, 1], [0, 0])]
            self.check(self.c.sovo_superovoid_make(*made, ctypes.byref(shape)))
            self.shapes.append(shape)

    def pair(self, bodies):
        poses = [Pose((ctypes.c_double * 3)(*b.origin), (ctypes.c_double * 4)(*quaternion(b.rotation))) for b in bodies]
        return [ctypes.byref(x) for pair in zip(self.shapes, poses) for x in pair]

    def answer(self, bodies):
        contact = Contact()
        self.check(self.c.sovo_pair_contact(*self.pair(bodies), None, None, ctypes.byref(contact)))
        self.contact = contact
        return np.array([contact.distance, *contact.normal, *contact.point_a, *contact.point_b])

    def jacobian(self, bodies):
        """Returns the gradient and the Jacobians by the poses: 10 rows, 12 columns."""
        self.answer(bodies)
        places = [np.zeros((3, 26)) for _ in range(3)]
        derivatives = Derivatives(ctypes.sizeof(Derivatives), None, *[p.ctypes.data for p in places])
        gradient = Gradient()
        self.check(self.c.sovo_pair_gradient(
            *self.pair(bodies), ctypes.byref(self.contact), ctypes.byref(derivatives), ctypes.byref(gradient)
        ))
        return np.vstack([np.array(gradient.gradient), *places])[:, :12]


# ---- the comparison -----------------------------------------------------------------------


def pose_gradient(answer, bodies):
    """Returns what normal and witness points make of the gradient by the poses."""
    n, points = answer[1:4], (answer[4:7], answer[7:10])
    parts = [(s * n, s * np.cross(p - b.origin, n)) for s, p, b in zip((-1, 1), points, bodies)]
    return np.concatenate([x for part in parts for x in part])


def relative(found, true):
    return np.linalg.norm(found - true) / np.linalg.norm(true)


def differences(peer, pair, step):
    columns = []
    for j in range(12):
        after, before = (peer.answer(moved(pair, j, s)) for s in (step, -step))
        if after is None or before is None:
            return None
        columns.append((after - before) / (2 * step))
    return np.array(columns).T


def measure(peer, pairs, truths):
    """Returns rows of errors: distance, normal, gradient, Jacobian of the normal, Jacobian of point A; and failures."""
    errors, jacobians, failed = [], {step: [] for step in STEPS}, 0
    for pair, truth in zip(pairs, truths):
        peer.prepare([body.axes for body in pair])
        answer = peer.answer(pair)
        if answer is None or not np.all(np.isfinite(answer)) or answer[0] * truth.numbers[0] <= 0:
            failed += 1
            continue
        true = truth.numbers
        turn = np.linalg.norm(np.cross(answer[1:4], true[1:4]))
        turn = np.arctan2(turn, answer[1:4] @ true[1:4])
        gradient = relative(pose_gradient(answer, pair), truth.jacobian[0])
        errors.append((abs(answer[0] - true[0]), turn, gradient))
        if hasattr(peer, "jacobian"):
            found = {None: peer.jacobian(pair)}
        else:
            found = {step: differences(peer, pair, step) for step in STEPS}
        for step, jacobian in found.items():
            if jacobian is None:
                jacobian = np.full((10, 12), np.inf)
            both = [relative(jacobian[rows], truth.jacobian[rows]) for rows in (slice(1, 4), slice(4, 7))]
            jacobians.setdefault(step, []).append(both)
    best = min((s for s in jacobians if jacobians[s]), key=lambda s: np.median(np.array(jacobians[s])[:, 0]))
    return np.hstack([np.array(errors), np.array(jacobians[best])]), best, failed


def cell(values):
    return f"{np.median(values):.1e}, {np.max(values):.1e}"


def table(peers, gap, count, seed):
    rng = np.random.default_rng(seed)
    pairs = [random_pair(rng, gap) for _ in range(count)]
    truths = []
    for pair in pairs:
        # The start is ours, the end is not: the truth is stationary to 36 digits.
        peers[0].prepare([body.axes for body in pair])
        truths.append(Truth(pair, [float(x) for x in peers[0].answer(pair)[1:4]]))
    kind = "apart" if gap > 0 else "overlapping"
    lines = [
        f"## {1e3 * abs(gap):g} mm {kind}\n",
        "| | distance, m | normal, rad | gradient | Jacobian of the normal | of point A | step | failed |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for peer in peers:
        errors, step, failed = measure(peer, pairs, truths)
        cells = " | ".join(cell(column) for column in errors.T)
        lines.append(f"| {peer.name} | {cells} | {'none' if step is None else f'{step:g}'} | {failed} |")
    return "\n".join(lines) + "\n"


HEAD = """# Derivatives against other engines

    pip install -r studies/compare/derivatives_requirements.txt
    cargo build --release -p superovoid-capi
    python3 studies/compare/derivatives.py --pairs {pairs} --output docs/reports/comparison_derivatives.md

{pairs} pairs of ellipsoids a table, semi-axes from 20 to 100 mm, turned at random. Each cell has the median error and the
worst. *gradient*: of the distance by both poses (12 numbers), made of normal and witness points by the envelope theorem,
relative. *Jacobian*: of the normal and of the witness point on A by both poses (3 rows of 12 numbers), relative; the
library's own by its formulas, the peers', which have none for two ellipsoids, by central differences of their answers at
the step (m, rad; of 1e-2 to 1e-7) that gives the least median; inf: a difference without an answer. *failed*: no
answer, or one on the wrong side of touching.

The truth is the stationary pair with 40 digits and its differences (mpmath); it shares no code with the library. All are
double precision at their defaults where no tolerance is named. Overlapping pairs were set {depth:g} mm deep along a random
direction, so that the least depth may be less; all are judged by the stationary pair that the library's answer leads to.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2029)
    parser.add_argument("--library", type=pathlib.Path, default=pathlib.Path("target/release/libsuperovoid.so"))
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    peers = [Superovoid(arguments.library), Coal(), Coal(1e-12), MuJoCo(), MuJoCo(1e-12), Drake()]
    parts = [HEAD.format(pairs=arguments.pairs, depth=1e3 * GAP)]
    parts += [table(peers, gap, arguments.pairs, arguments.seed) for gap in (GAP, -GAP)]
    text = "\n".join(parts)
    if arguments.output:
        arguments.output.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()

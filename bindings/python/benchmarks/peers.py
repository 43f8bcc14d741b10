"""Compares times and errors of distances with those of other Python packages, in one run.

    pip install ./bindings/python scipy -r bindings/python/benchmarks/peers_requirements.txt
    python bindings/python/benchmarks/peers.py

Pairs of ellipsoids and of superellipsoids, 1 mm to some mm apart or overlapping by up to 3 mm, semi-axes of 20 to 100 mm.
Packages that know ellipsoids get them; superellipsoids are known to none but ours, so the others get the convex hull of the
vertices of a mesh, whose error is part of their answer. Objects are made before the clock starts, each peer is asked once
before, and every pair is asked in a loop of Python's, as these packages are; ours also in one call.

The truth shares no code with any of them: the signed distance is the greatest value, over unit normals n, of
n·(o_B − o_A) − h_A(n) − h_B(−n), with support functions in closed form here; it is searched from 4,000 directions, then by
SciPy's minimiser from the best of these. Every value is a lower bound. Where bodies are apart the two support points give
an upper bound, and the width is printed.

Failed: no answer, or one on the wrong side of touching. The error of those counts as infinite.
"""

import argparse
import logging
import time
import warnings
from importlib.metadata import version

import numpy as np
import superovoid
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import coal
import fcl
import mujoco
import trimesh

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

from distance3d import colliders, epa, gjk  # noqa: E402  (Numba warns of arrays that are not contiguous)

# ---- pairs and their truth ------------------------------------------------------------------


def support(shape, n):
    """Returns h(n) of an untapered body for directions of shape (..., 3), and the points that attain it."""
    a, (e1, e2) = shape[:3], shape[3:5]
    p, q = 2 / (2 - e1), 2 / (2 - e2)
    x, y, z = np.moveaxis(np.abs(a * n) + 1e-300, -1, 0)
    ring = (x**p + y**p) ** (1 / p)
    h = (ring**q + z**q) ** (1 / q)
    slope = (ring / h) ** (q - 1)
    parts = np.stack([slope * (x / ring) ** (p - 1), slope * (y / ring) ** (p - 1), (z / h) ** (q - 1)], axis=-1)
    return h, np.sign(n) * a * parts


class Pair:
    """Two bodies with their poses: rotations and origins."""

    def __init__(self, rng, kind, apart):
        self.shapes = np.zeros((2, 7))
        self.shapes[:, :3] = rng.uniform(0.02, 0.1, (2, 3))
        self.shapes[:, 3:5] = 1.0 if kind == "ellipsoids" else rng.uniform(0.2, 1.6, (2, 2))
        self.turns = Rotation.random(2, random_state=rng)
        self.rotations = self.turns.as_matrix()
        towards = rng.normal(size=3)
        towards /= np.linalg.norm(towards)
        self.origins = np.zeros((2, 3))
        gap = rng.uniform(1e-3, 3e-3) if apart else -rng.uniform(1e-3, 3e-3)
        reach = sum(support(self.shapes[k], s * towards @ self.rotations[k])[0] for k, s in ((0, 1), (1, -1)))
        self.origins[1] = towards * (reach + gap)
        self.poses = np.hstack([self.origins, self.turns.as_quat()])

    def gap(self, n):
        """Returns the values of directions, which all bound the distance from below, and the vectors between the points."""
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        h_a, x_a = support(self.shapes[0], n @ self.rotations[0])
        h_b, x_b = support(self.shapes[1], -n @ self.rotations[1])
        between = (self.origins[1] + x_b @ self.rotations[1].T) - (self.origins[0] + x_a @ self.rotations[0].T)
        return n @ (self.origins[1] - self.origins[0]) - h_a - h_b, between

    def truth(self, rng):
        """Returns the signed distance, and the width of its bracket (apart)."""
        directions = rng.normal(size=(4000, 3))
        values, _ = self.gap(directions)
        best, width = -np.inf, np.inf
        for k in np.argsort(values)[::-1][:3]:
            n = directions[k]
            for method in ("BFGS", "Nelder-Mead"):
                options = {"xatol": 1e-13, "fatol": 1e-16, "maxiter": 4000, "gtol": 1e-14}
                n = n / np.linalg.norm(n)
                n = minimize(lambda x: -self.gap(x)[0], n, method=method, options=options).x
            value, between = self.gap(n)
            if value > best:
                best, width = float(value), float(np.linalg.norm(between) - value)
        return best, width


# ---- peers ----------------------------------------------------------------------------------


class Ours:
    def __init__(self, name, batch):
        self.name, self.batch = name, batch

    def prepare(self, pairs, meshes):
        shapes, poses = np.array([p.shapes for p in pairs]), np.array([p.poses for p in pairs])
        self.all = [superovoid.Superovoids(shapes[:, 0]), poses[:, 0], superovoid.Superovoids(shapes[:, 1]), poses[:, 1]]
        self.each = [(superovoid.Superovoids(s[0]), p[0], superovoid.Superovoids(s[1]), p[1]) for s, p in zip(shapes, poses)]

    def ask(self, k):
        return superovoid.contact(*self.each[k]).distance

    def ask_all(self):
        return superovoid.contact(*self.all, threads=1).distance


class Coal:
    batch = False

    def __init__(self, tolerance):
        self.name = f"coal {version('coal')}, tolerances {tolerance:g}"
        self.request = coal.DistanceRequest()
        self.request.gjk_tolerance = self.request.epa_tolerance = tolerance
        self.request.gjk_max_iterations = self.request.epa_max_iterations = 1000
        self.result = coal.DistanceResult()

    def prepare(self, pairs, meshes):
        def geometry(shape, mesh):
            if mesh is None:
                return coal.Ellipsoid(*shape[:3])
            points = coal.StdVec_Vec3s()
            points.extend(mesh[0])
            return coal.Convex.convexHull(points, True, None)

        self.bodies = []
        for pair, mesh in zip(pairs, meshes):
            sides = zip(pair.shapes, mesh, pair.rotations, pair.origins)
            self.bodies.append([x for s, m, r, o in sides for x in (geometry(s, m), coal.Transform3s(r, o))])

    def ask(self, k):
        self.result.clear()
        distance = coal.distance(*self.bodies[k], self.request, self.result)
        return distance if abs(distance) < 1e3 else np.nan  # what it returns where its EPA fails


class MuJoCo:
    batch = False

    def __init__(self, tolerance):
        self.name, self.tolerance = f"MuJoCo {version('mujoco')}, ccd_tolerance {tolerance:g}", tolerance

    def prepare(self, pairs, meshes):
        spec = mujoco.MjSpec()
        for k, (pair, mesh) in enumerate(zip(pairs, meshes)):
            for side in range(2):
                body = spec.worldbody.add_body(pos=pair.origins[side], quat=pair.turns[side].as_quat()[[3, 0, 1, 2]])
                if mesh[side] is None:
                    body.add_geom(type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=pair.shapes[side, :3])
                    continue
                name = f"{k} {side}"
                vertices, triangles = mesh[side]
                spec.add_mesh(name=name, uservert=vertices.ravel(), userface=triangles.ravel().astype(np.int32))
                body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)
        self.model = spec.compile()
        self.model.opt.ccd_tolerance, self.model.opt.ccd_iterations = self.tolerance, 1000
        self.data = mujoco.MjData(self.model)
        mujoco.mj_kinematics(self.model, self.data)

    def ask(self, k):
        return mujoco.mj_geomDistance(self.model, self.data, 2 * k, 2 * k + 1, 1.0, None)


class Fcl:
    batch = False

    def __init__(self):
        self.name = f"python-fcl {version('python-fcl')}, signed"
        self.request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
        self.result = fcl.DistanceResult()

    def prepare(self, pairs, meshes):
        def geometry(shape, mesh):
            if mesh is None:
                return fcl.Ellipsoid(*shape[:3])
            faces = np.hstack([np.full((len(mesh[1]), 1), 3), mesh[1]]).ravel().astype(np.int32)
            return fcl.Convex(mesh[0], len(mesh[1]), faces)

        self.bodies = []
        for pair, mesh in zip(pairs, meshes):
            sides = zip(pair.shapes, mesh, pair.rotations, pair.origins)
            self.bodies.append([fcl.CollisionObject(geometry(s, m), fcl.Transform(r, o)) for s, m, r, o in sides])

    def ask(self, k):
        return fcl.distance(*self.bodies[k], self.request, self.result)


class Trimesh:
    """Triangles behind a hierarchy. Depths are those of its contacts, as it has no other; a body inside has none."""

    batch, meshes_only = False, True
    name = f"trimesh {version('trimesh')} + python-fcl, meshes"

    def prepare(self, pairs, meshes):
        self.bodies = []
        for pair, mesh in zip(pairs, meshes):
            manager = trimesh.collision.CollisionManager()
            matrices = np.tile(np.eye(4), (2, 1, 1))
            matrices[:, :3, :3], matrices[:, :3, 3] = pair.rotations, pair.origins
            solids = [trimesh.Trimesh(*m, process=False) for m in mesh]
            manager.add_object("a", solids[0], matrices[0])
            self.bodies.append((manager, solids[1], matrices[1]))

    def ask(self, k):
        manager, solid, matrix = self.bodies[k]
        distance = manager.min_distance_single(solid, matrix)
        if distance > 0:
            return distance
        _, contacts = manager.in_collision_single(solid, matrix, return_data=True)
        return -max((c.depth for c in contacts), default=np.nan)


class Distance3d:
    batch = False

    def __init__(self):
        self.name = f"distance3d {version('distance3d')}, GJK (Jolt), EPA"

    def prepare(self, pairs, meshes):
        self.bodies = []
        for pair, mesh in zip(pairs, meshes):
            both = []
            for side in range(2):
                matrix = np.eye(4)
                matrix[:3, :3], matrix[:3, 3] = pair.rotations[side], pair.origins[side]
                if mesh[side] is None:
                    both.append(colliders.Ellipsoid(matrix, pair.shapes[side, :3]))
                else:
                    vertices, triangles = mesh[side]
                    both.append(colliders.MeshGraph(matrix, np.array(vertices), triangles.astype(int)))
            self.bodies.append(both)

    def ask(self, k):
        distance, _, _, simplex = gjk.gjk_distance_jolt(*self.bodies[k])
        if distance > 0:
            return distance
        vector, _, success = epa.epa(simplex, *self.bodies[k])
        return -np.linalg.norm(vector) if success else np.nan


# ---- the comparison -------------------------------------------------------------------------


def asked(peer, k):
    try:
        return float(peer.ask(k))
    except Exception:
        return np.nan


def measure(peer, pairs, meshes, truths):
    """Returns µs a pair, the errors, and how many failed."""
    peer.prepare(pairs, meshes)
    found = np.array([asked(peer, k) for k in range(len(pairs))])
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        if peer.batch:
            found = np.array(peer.ask_all())
        else:
            for k in range(len(pairs)):
                asked(peer, k)
        seconds.append(time.perf_counter() - start)
    failed = ~np.isfinite(found) | (found * truths <= 0)
    errors = np.where(failed, np.inf, np.abs(found - truths))
    return 1e6 * min(seconds) / len(pairs), errors, int(failed.sum())


def table(kind, apart, count, segments, seed):
    rng = np.random.default_rng(seed)
    pairs, truths, widths = [], [], []
    while len(pairs) < count:
        pair = Pair(rng, kind, apart)
        truth, width = pair.truth(rng)
        if apart or truth < -5e-4:
            pairs.append(pair), truths.append(truth), widths.append(width)
    truths = np.array(truths)
    known = kind == "ellipsoids"
    fine = [[superovoid.Superovoids(s).tessellate(segments) for s in pair.shapes] for pair in pairs]
    native = [[None, None] for _ in pairs] if known else fine
    peers = [Ours("superovoid, one call a pair", False), Ours("superovoid, one call for all, one thread", True)]
    peers += [Coal(1e-6), Coal(1e-12), MuJoCo(1e-6), MuJoCo(1e-12), Fcl(), Distance3d(), Trimesh()]
    print(f"\n{count} pairs of {kind}, {'apart' if apart else 'overlapping'}: {1e3 * truths.min():.2f} to {1e3 * truths.max():.2f} mm", end="")
    print(f"; the truth's bracket is at most {max(widths):.1e} m\n" if apart else "\n")
    print("| | bodies | µs a pair | error, m: median | worst | failed |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for peer in peers:
        by_mesh = getattr(peer, "meshes_only", False) or not known and not isinstance(peer, Ours)
        time_taken, errors, failed = measure(peer, pairs, fine if by_mesh else native, truths)
        bodies = f"{len(fine[0][0][0])} vertices" if by_mesh else "exact"
        print(f"| {peer.name} | {bodies} | {time_taken:.3g} | {np.median(errors):.1e} | {errors.max():.1e} | {failed} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--segments", type=int, default=24, help="edges around a ring of the meshes")
    parser.add_argument("--seed", type=int, default=2030)
    arguments = parser.parse_args()
    for kind in ("ellipsoids", "superellipsoids"):
        for apart in (True, False):
            table(kind, apart, arguments.pairs, arguments.segments, arguments.seed)


if __name__ == "__main__":
    main()

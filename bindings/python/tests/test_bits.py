"""Every query equals that of the C interface to the last bit: the same compiled code, without this package in between.

``SUPEROVOID_C_LIBRARY`` names a ``libsuperovoid.so`` of the same source (``cargo build -p superovoid-capi``).
"""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import superovoid
from conftest import HANDS, HERE, poses, shapes

ROOT = Path(__file__).parents[3]
LIBRARY = os.environ.get("SUPEROVOID_C_LIBRARY")

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="SUPEROVOID_C_LIBRARY names no library")


class C:
    """The C interface, its declarations read from the header itself."""

    def __init__(self, folder):
        cffi = pytest.importorskip("cffi")
        for name in ["math", "stdarg", "stdbool", "stddef", "stdint", "stdlib"]:
            (folder / f"{name}.h").touch()
        compiler = shutil.which("cc") or "gcc"
        header = ROOT / "include" / "superovoid.h"
        text = subprocess.run([compiler, "-E", "-P", "-nostdinc", "-DSUPEROVOID_BODIES_H", "-I", folder, header], capture_output=True, text=True, check=True)
        self.ffi = cffi.FFI()
        self.ffi.cdef(text.stdout)
        self.library = self.ffi.dlopen(LIBRARY)
        self.kept = []

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        assert status == 0, self.ffi.string(self.library.sovo_last_error())

    def array(self, numbers):
        numbers = np.ascontiguousarray(numbers, np.float64)
        self.kept.append(numbers)
        return self.ffi.cast("double *", numbers.ctypes.data)

    def shapes(self, rows):
        made = self.ffi.new("sovo_superovoid[]", len(rows))
        for k, row in enumerate(rows):
            self.call("sovo_superovoid_make", self.array(row[:3]), self.array(row[3:5]), self.array(row[5:]), made + k)
        return made

    def poses(self, rows):
        made = self.ffi.new("sovo_pose[]", len(rows))
        for k, row in enumerate(rows):
            made[k].translation, made[k].rotation = list(row[:3]), list(row[3:])
        return made

    def bodies(self, count, kind, fill):
        """Bodies of a kind, whose data a function fills in."""
        made = self.ffi.new("sovo_body[]", count)
        for k in range(count):
            made[k].kind = getattr(self.library, f"SOVO_BODY_KIND_{kind}")
            fill(made[k].data, k)
        return made

    def ovoids(self, made):
        return self.bodies(len(made), "SUPEROVOID", lambda data, k: setattr(data, "superovoid", made[k]))

    def contacts(self, a, pose_a, b, pose_b, parts=None):
        """The contacts of bodies; B and its pose may be one for all."""
        at = lambda array, k: array + (k if len(array) > 1 else 0)
        part = lambda k: parts + 2 * k if parts else self.ffi.NULL
        query = lambda k, out: self.call("sovo_body_contact", a + k, pose_a + k, at(b, k), at(pose_b, k), self.ffi.NULL, out, part(k))
        return self.each(len(a), "sovo_contact", query)

    def each(self, count, kind, query):
        """Calls a query for each element, which writes its answer behind a pointer."""
        found = self.ffi.new(f"{kind}[]", count)
        for k in range(count):
            query(k, found + k)
        return found


@pytest.fixture(scope="module")
def c(tmp_path_factory):
    return C(tmp_path_factory.mktemp("headers"))


def check(found, theirs, contact=lambda answer: answer):
    """Compares contacts with those of C."""
    for k in range(len(found)):
        one = contact(theirs[k])
        for field in ["distance", "lower", "upper", "outcome", "iterations"]:
            assert getattr(found, field)[k] == getattr(one, field), (k, field)
        for field in ["point_a", "point_b", "normal"]:
            assert getattr(found, field)[k].tolist() == list(getattr(one, field)), (k, field)


N = 400


@pytest.fixture
def pairs(c, rng):
    rows = shapes(rng, N, (0.05, 1.95)), poses(rng, N), shapes(rng, N, (0.05, 1.95)), poses(rng, N)
    rows[0][::3, 5:] = rng.uniform(-0.3, 0.3, (len(rows[0][::3]), 1))
    return rows, (c.shapes(rows[0]), c.poses(rows[1]), c.shapes(rows[2]), c.poses(rows[3]))


def batches(c, bodies, depth, together):
    """The contacts of pairs, as many at a time: those that are solved together share instructions, which last bits show."""
    ca, cpose_a, cb, cpose_b = bodies
    batch, options = c.ffi.new("sovo_pair_batch *"), c.ffi.new("sovo_query_options *")
    theirs = c.ffi.new("sovo_contact[]", N)
    batch.size = c.ffi.sizeof("sovo_pair_batch")
    batch.shape_a_stride = batch.shape_b_stride = c.ffi.sizeof("sovo_superovoid")
    batch.pose_a_stride = batch.pose_b_stride = c.ffi.sizeof("sovo_pose")
    batch.contact_stride, batch.threads = c.ffi.sizeof("sovo_contact"), 1
    options.size, options.max_distance, options.max_iterations = c.ffi.sizeof("sovo_query_options"), np.inf, 30
    options.depth = {"fast": c.library.SOVO_DEPTH_FAST, "certified": c.library.SOVO_DEPTH_CERTIFIED}[depth]
    for first in range(0, N, together):
        batch.count, batch.contacts = min(together, N - first), theirs + first
        batch.shapes_a, batch.poses_a, batch.shapes_b, batch.poses_b = ca + first, cpose_a + first, cb + first, cpose_b + first
        c.call("sovo_pair_contact_batch", batch, options)
    return theirs


@pytest.mark.parametrize("depth", ["fast", "certified"])
def test_pairs(c, pairs, depth):
    (a, pose_a, b, pose_b), bodies = pairs
    found = superovoid.contact(a, pose_a, b, pose_b, depth=depth)
    check(found, batches(c, bodies, depth, 64))
    assert (found.distance > 0).any() and (found.distance < 0).any()


def test_single_pairs_and_gradients(c, pairs):
    (a, pose_a, b, pose_b), (ca, cpose_a, cb, cpose_b) = pairs
    singles = batches(c, (ca, cpose_a, cb, cpose_b), "fast", 1)
    for k in range(N):
        gradient = c.ffi.new("sovo_gradient *")
        found = superovoid.contact(a[k : k + 1], pose_a[k : k + 1], b[k : k + 1], pose_b[k : k + 1])
        check(found, singles + k)
        c.call("sovo_pair_gradient", ca + k, cpose_a + k, cb + k, cpose_b + k, singles + k, c.ffi.NULL, gradient)
        ours = superovoid.distance_gradient(a[k : k + 1], pose_a[k : k + 1], b[k : k + 1], pose_b[k : k + 1], found)
        assert np.array_equal(ours.gradient[0], list(gradient.gradient), equal_nan=True)


def test_points(c, pairs, rng):
    (a, pose, _, _), (ca, cpose, _, _) = pairs
    points = rng.uniform(-3, 3, (N, 3))
    query = lambda k, out: c.call("sovo_vertex_contact", ca + k, cpose + k, c.array(points[k]), c.ffi.NULL, out)
    check(superovoid.vertex_contact(a, pose, points), c.each(N, "sovo_contact", query))


def test_planes_rays_and_polytopes(c, pairs, rng):
    (a, pose, _, pose_b), (ca, cpose, _, cpose_b) = pairs
    normals, offsets = rng.normal(size=(N, 3)), rng.uniform(-2, 2, N)
    planes = np.hstack([normals, offsets[:, None]])
    ovoids, world = c.ovoids(ca), c.poses([HERE])

    def plane(data, k):
        data.plane.normal, data.plane.offset = list(normals[k]), offsets[k]

    for kind in ["PLANE", "HALF_SPACE"]:
        theirs = c.contacts(ovoids, cpose, c.bodies(N, kind, plane), world)
        check(getattr(superovoid, f"{kind.lower()}_contact")(a, pose, planes), theirs)
    corners, half = rng.uniform(-2, 2, (N, 3, 3)), rng.uniform(0.1, 1, (N, 3))
    cornered = lambda data, k: setattr(data, "corners", corners[k].tolist())
    check(superovoid.segment_contact(a, pose, corners[:, :2]), c.contacts(ovoids, cpose, c.bodies(N, "SEGMENT", cornered), world))
    check(superovoid.triangle_contact(a, pose, corners), c.contacts(ovoids, cpose, c.bodies(N, "TRIANGLE", cornered), world))
    boxes = c.bodies(N, "CUBOID", lambda data, k: setattr(data, "half_extents", half[k].tolist()))
    check(superovoid.box_contact(a, pose, half, pose_b), c.contacts(ovoids, cpose, boxes, cpose_b))
    clouds = rng.uniform(-2, 2, (N, 6, 3))

    def points(data, k):
        data.points.first, data.points.count, data.points.stride = c.array(clouds[k]), 6, 24

    check(superovoid.hull_contact(a, pose, clouds), c.contacts(ovoids, cpose, c.bodies(N, "POINTS", points), world))
    origins, directions = rng.uniform(-4, 4, (N, 3)), rng.normal(size=(N, 3))
    query = lambda k, out: c.call("sovo_body_ray_cast", ovoids + k, cpose + k, c.array(origins[k]), c.array(directions[k]), np.inf, 1, out)
    theirs = c.each(N, "sovo_ray_hit", query)
    ours = superovoid.ray_cast(a, pose, origins, directions)
    assert 0 < ours.hit.sum() < N
    for k in range(N):
        assert ours.hit[k] == theirs[k].hit
        if theirs[k].hit:
            assert ours.time_of_impact[k] == theirs[k].time_of_impact and ours.point[k].tolist() == list(theirs[k].point)


def test_convex_shapes_and_trees(c, pairs, rng):
    (a, pose, _, pose_b), (ca, cpose, _, cpose_b) = pairs
    vertices, triangles = rng.uniform(-2, 2, (30, 3)), rng.integers(0, 30, (50, 3)).astype(np.uint32)
    lower = rng.uniform(-2, 2, (40, 3))
    made = {kind: c.ffi.new(f"sovo_{kind} **") for kind in ["tri_mesh", "box_set"]}
    c.call("sovo_tri_mesh_new", c.array(vertices), 30, 24, c.ffi.cast("uint32_t *", triangles.ctypes.data), 50, 0, made["tri_mesh"])
    boxes = np.ascontiguousarray(np.hstack([lower, lower + 0.3]))
    c.call("sovo_box_set_new", c.ffi.cast("sovo_aabb *", boxes.ctypes.data), 40, made["box_set"])
    ovoids = c.ovoids(ca)
    cones = c.bodies(N, "CONE", lambda data, k: setattr(data, "round", {"radius": 0.4, "length": 0.9}))
    cone = superovoid.ConvexShape.cone(0.4, 0.9)
    check(superovoid.contact(a, pose, cone, pose_b), c.contacts(ovoids, cpose, cones, cpose_b))
    check(superovoid.contact(cone, pose, cone, pose_b), c.contacts(cones, cpose, cones, cpose_b))
    trees = {"tri_mesh": superovoid.TriMesh(vertices, triangles), "box_set": superovoid.BoxSet(lower, lower + 0.3)}
    for kind, tree in trees.items():
        parts = c.ffi.new("uint32_t[]", 2 * N)
        body = c.bodies(1, kind.upper(), lambda data, k: setattr(data, kind, made[kind][0]))
        ours = superovoid.contact(a, pose, tree, pose_b)
        check(ours, c.contacts(ovoids, cpose, body, cpose_b, parts))
        assert ours.part_b.tolist() == list(parts)[1::2]
    for kind, pointer in made.items():
        getattr(c.library, f"sovo_{kind}_free")(pointer[0])


def test_times_of_impact(c, pairs):
    (a, start, b, end), (ca, cstart, cb, cend) = pairs
    still = superovoid.Motions.screw_between(end[::-1], end[::-1])
    cstill = c.ffi.new("sovo_motion[]", N)
    move, cmove = superovoid.Motions.screw_between(start, end), c.ffi.new("sovo_motion[]", N)
    reverse = c.poses(end[::-1])
    for k in range(N):
        c.call("sovo_motion_between", c.library.SOVO_MOTION_KIND_SCREW, cstart + k, cend + k, cmove + k)
        c.call("sovo_motion_between", c.library.SOVO_MOTION_KIND_SCREW, reverse + k, reverse + k, cstill + k)
    ovoids, others = c.ovoids(ca), c.ovoids(cb)
    query = lambda k, out: c.call("sovo_body_time_of_impact", ovoids + k, cmove + k, others + k, cstill + k, c.ffi.NULL, out)
    theirs = c.each(N, "sovo_time_of_impact", query)
    ours = superovoid.time_of_impact(a, move, b, still)
    assert [ours.outcome[k] for k in range(N)] == [theirs[k].outcome for k in range(N)]
    hits = np.flatnonzero(ours.outcome == superovoid.ImpactOutcome.HIT)
    assert len(hits) > 10
    for k in hits:
        # C keeps a motion as plain numbers, from which it is made again: it may be another one by a rounding.
        assert ours.safe[k] == pytest.approx(theirs[k].safe, abs=1e-13) and ours.touching[k] == pytest.approx(theirs[k].touching, abs=1e-13)


def test_robots(c, rng):
    robot, theirs = superovoid.Robot.from_urdf(HANDS), c.ffi.new("sovo_robot **")
    c.call("sovo_robot_load", str(HANDS).encode(), theirs)
    least, most = np.clip(robot.position_limits, robot.neutral[:, None] - 0.5, robot.neutral[:, None] + 0.5).T
    q = rng.uniform(least, most, (20, robot.position_count))
    near = robot.clearances(q)
    rows = 0
    for k in range(20):
        count = c.ffi.new("size_t *")
        c.call("sovo_robot_clearances", theirs[0], c.array(q[k]), len(q[k]), c.ffi.NULL, c.ffi.NULL, 0, count)
        found = c.ffi.new("sovo_clearance[]", count[0])
        c.call("sovo_robot_clearances", theirs[0], c.array(q[k]), len(q[k]), c.ffi.NULL, found, count[0], count)
        for one in found:
            assert near.configuration[rows] == k and (near.link_a[rows], near.link_b[rows]) == (one.link_a, one.link_b)
            assert near.contacts.distance[rows] == one.contact.distance
            rows += 1
    assert rows == len(near)
    c.library.sovo_robot_free(theirs[0])

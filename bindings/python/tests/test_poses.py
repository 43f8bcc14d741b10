"""Quaternions of any length but zero, and matrices near rotations, stand for rotations: the same for every entry that
takes poses. The exact poses have quaternions that are divided here, by NumPy."""

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, shapes

N = 60


def six_digits(rows):
    return np.hstack([rows[:, :3], np.round(rows[:, 3:], 6)])


def single(rows):
    return np.hstack([rows[:, :3], rows[:, 3:].astype(np.float32).astype(np.float64)])


def scaled(rows):
    lengths = 10.0 ** np.random.default_rng(5).uniform(-3, 3, (len(rows), 1))
    return np.hstack([rows[:, :3], rows[:, 3:] * lengths])


def exact(rows):
    q = rows[:, 3:].astype(np.longdouble)
    return np.hstack([rows[:, :3], (q / np.sqrt((q * q).sum(axis=1, keepdims=True))).astype(np.float64)])


def entries(rng):
    """Every entry that takes poses: its name, and what it answers for poses, as arrays."""
    a, b = shapes(rng, N), shapes(rng, N)
    other = exact(poses(rng, N))
    points = rng.uniform(-3, 3, (N, 3))
    corners = rng.uniform(-2, 2, (N, 3, 3))
    half = rng.uniform(0.1, 1, (N, 3))
    planes = np.hstack([rng.normal(size=(N, 3)), rng.uniform(-2, 2, (N, 1))])
    cone, mesh = superovoid.ConvexShape.cone(0.4, 0.9), superovoid.TriMesh(rng.uniform(-2, 2, (9, 3)), [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    s = superovoid
    of = lambda found: np.column_stack([found.distance, found.point_a, found.normal])
    yield "contact A", lambda p: of(s.contact(a, p, b, other))
    yield "contact B", lambda p: of(s.contact(a, other, b, p))
    yield "contact of a convex shape", lambda p: of(s.contact(cone, p, b, other))
    yield "contact with a convex shape", lambda p: of(s.contact(b, other, cone, p))
    yield "contact with a mesh", lambda p: of(s.contact(a, other, mesh, p))
    yield "vertex_contact", lambda p: of(s.vertex_contact(a, p, points))
    yield "vertex_contact of one body", lambda p: np.array([of(s.vertex_contact(a[0], one, points)) for one in p[:5]])
    yield "segment_contact", lambda p: of(s.segment_contact(a, p, corners[:, :2]))
    yield "triangle_contact", lambda p: of(s.triangle_contact(a, p, corners))
    yield "hull_contact", lambda p: of(s.hull_contact(a, p, corners))
    yield "box_contact", lambda p: of(s.box_contact(a, p, half, other))
    yield "box_contact of boxes", lambda p: of(s.box_contact(a, other, half, p))
    yield "plane_contact", lambda p: of(s.plane_contact(a, p, planes))
    yield "half_space_contact", lambda p: of(s.half_space_contact(a, p, planes))
    yield "ray_cast", lambda p: s.ray_cast(a, p, points, -points).time_of_impact
    yield "tree_contacts", lambda p: np.concatenate([of(s.tree_contacts(a[k], p[k], mesh, HERE, 9.0)) for k in range(9)])

    def gradient(p):
        found = s.contact(a, p, b, other)
        return s.distance_gradient(a, p, b, other, found).gradient

    yield "distance_gradient", gradient
    linear, angular = rng.uniform(-1, 1, (2, N, 3))
    yield "Motions.still", lambda p: s.Motions.still(p).pose(0.5)
    yield "Motions.screw", lambda p: s.Motions.screw(p, linear, angular).pose(0.5)
    yield "Motions.screw_between", lambda p: s.Motions.screw_between(p, other).pose(0.5)
    yield "Motions.line_spin", lambda p: s.Motions.line_spin(other, p).pose(0.5)
    yield "Motions.line_spin_about_origin", lambda p: s.Motions.line_spin_about_origin(p, linear, angular).pose(0.5)

    def scene(p):
        scene = s.Scene()
        ids = [scene.add(f"a{k}", a[k], HERE) for k in range(N)]
        for k in range(N):
            scene.move_to(ids[k], p[k])
        scene.add_obstacle("b", mesh, p[0])
        return of(scene.contacts(max_distance=0.5).contacts)

    yield "Scene", scene


@pytest.mark.parametrize("change", [six_digits, single, scaled])
def test_quaternions_of_any_length_are_those_of_length_1(rng, change):
    rows = change(poses(rng, N))
    for name, answer in entries(rng):
        found, right = answer(rows), answer(exact(rows))
        assert found.shape == right.shape, name
        # Rotations that differ in the last bit. Distances of smooth bodies from each other, points and planes are as exact as their
        # numbers; those of convex shapes have a tolerance of 1e-9, to which points 3e-5 beside the nearest are as near (of bodies of 1 m).
        contact = "contact" in name or name == "Scene"
        exact_ones = ("contact A", "contact B", "vertex_contact", "vertex_contact of one body", "plane_contact", "half_space_contact")
        close = 1e-12 if name in exact_ones else 2e-9 if contact else 1e-8
        beside = 3e-5 if contact else 1e-8
        for one, other, most in (found[..., :1], right[..., :1], close), (found[..., 1:], right[..., 1:], beside):
            assert np.allclose(one, other, rtol=0, atol=most, equal_nan=True), (name, np.nanmax(abs(one - other)))
            # A quaternion that is taken as it is moves every answer, by 1e-7 and more.
            finite = np.isfinite(other)
            assert not finite.any() or np.median(abs(one[finite] - other[finite])) < 1e-9, name


def test_the_distance_of_a_ball_from_a_body_at_a_quaternion_of_six_digits():
    body, there = [2, 0.1, 0.1, 0.1, 0.1, 0, 0], [0, 0, 0, 0, 0, 0.707107, 0.707107]
    found = superovoid.contact(body, there, superovoid.Superovoids.sphere(0.5), [0, 3, 0, 0, 0, 0, 1])
    assert abs(found.distance - 0.5) < 1e-12 and found.lower <= 0.5 <= found.upper


def test_what_is_no_pose_is_refused_by_its_row(rng):
    good = exact(poses(rng, N))
    for bad in [[0.0] * 4, [np.nan, 0, 0, 1], [np.inf, 0, 0, 1]]:
        rows = good.copy()
        rows[3, 3:] = bad
        for name, answer in entries(rng):
            with pytest.raises(ValueError) as raised:
                answer(rows)
            one = name in ("Scene", "tree_contacts", "vertex_contact of one body")
            assert one or "element [3]" in str(raised.value), (name, raised.value)
            assert "quaternion" in str(raised.value) or "finite" in str(raised.value), (name, raised.value)


def test_matrices_of_six_digits_are_the_nearest_rotations(rng):
    rows = exact(poses(rng, N))
    a, ball = shapes(rng, N), superovoid.Superovoids.sphere(0.5)
    for digits in (6, 7):
        rough = np.round(matrices(rows), digits)
        # The orthogonal factor, by singular values.
        u, _, v = np.linalg.svd(rough[:, :3, :3])
        near = rough.copy()
        near[:, :3, :3] = u @ v
        there = [3, 0, 0, 0, 0, 0, 1]
        found, right = superovoid.contact(a, rough, ball, there), superovoid.contact(a, near, ball, there)
        assert np.allclose(found.distance, right.distance, rtol=0, atol=1e-12)
    for wrong in [np.diag([1, 1, 1.001, 1]), np.diag([1, 1, -1, 1]), np.zeros((4, 4))]:
        with pytest.raises(ValueError, match="pose_a"):
            superovoid.contact(a[0], wrong, ball, there)

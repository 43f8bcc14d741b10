"""Pairs: closed forms, an oracle of our own, broadcasting, threads."""

import threading

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, same, shapes
from scipy.optimize import minimize

ALL = slice(None)


def surface(shape, pose, angles):
    """A surface point by the parametrisation, and its outward normal, in the world."""
    (a1, a2, a3, e1, e2, *_), (eta, omega) = shape, angles
    signed = lambda x, e: np.sign(x) * np.abs(x) ** e
    ce, se, co, so = np.cos(eta), np.sin(eta), np.cos(omega), np.sin(omega)
    local = [a1 * signed(ce, e2) * signed(co, e1), a2 * signed(ce, e2) * signed(so, e1), a3 * signed(se, e2)]
    return matrices(pose)[:3, :3] @ local + pose[:3]


def test_spheres_are_as_far_apart_as_their_centres_say(rng):
    radius = rng.uniform(0.1, 1.0, (2, 1000))
    pose_a, pose_b = poses(rng, 1000), poses(rng, 1000)
    balls = superovoid.Superovoids.sphere(radius)
    assert balls.shape == (2, 1000)
    found = superovoid.contact(
        superovoid.Superovoids.sphere(radius[0]), pose_a, superovoid.Superovoids.sphere(radius[1]), pose_b
    )
    offset = pose_b[:, :3] - pose_a[:, :3]
    length = np.linalg.norm(offset, axis=1)
    assert np.allclose(found.distance, length - radius.sum(axis=0), rtol=0, atol=1e-12)
    assert np.allclose(found.normal, offset / length[:, None], rtol=0, atol=1e-9)
    assert (found.lower <= found.distance).all() and (found.distance <= found.upper).all()


def test_no_two_surface_points_are_nearer_than_the_distance(rng):
    """SciPy minimises the distance of surface points from the witnesses on; it knows nothing of the library."""
    a, b = shapes(rng, 40, (0.4, 1.4)), shapes(rng, 40, (0.4, 1.4))
    pose_a, pose_b = poses(rng, 40), poses(rng, 40)
    pose_b[:, 0] += 6.0
    found = superovoid.contact(a, pose_a, b, pose_b)
    assert (found.outcome == superovoid.Outcome.CERTIFIED).all()
    for k in range(40):
        apart = lambda x: np.sum((surface(a[k], pose_a[k], x[:2]) - surface(b[k], pose_b[k], x[2:])) ** 2)
        starts = rng.uniform(-1.5, 1.5, (12, 4)) * [1, 2, 1, 2]
        best = min(minimize(apart, s, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000}).fun for s in starts)
        assert np.sqrt(best) >= found.lower[k] - 1e-9
        assert np.sqrt(best) <= found.distance[k] + 1e-3
        gap = found.point_a[k] + found.distance[k] * found.normal[k] - found.point_b[k]
        assert np.abs(gap).max() < 1e-12


def test_swapped_bodies_have_swapped_answers(rng):
    a, b, pose_a, pose_b = shapes(rng, 500), shapes(rng, 500), poses(rng, 500), poses(rng, 500)
    one, other = superovoid.contact(a, pose_a, b, pose_b), superovoid.contact(b, pose_b, a, pose_a)
    apart = one.distance > 0
    assert apart.any() and (~apart).any()
    assert np.allclose(one.distance[apart], other.distance[apart], rtol=0, atol=3e-9)
    assert np.allclose(one.normal[apart], -other.normal[apart], rtol=0, atol=1e-3)


def test_matrices_are_poses(rng):
    a, b, pose_a, pose_b = shapes(rng, 200), shapes(rng, 200), poses(rng, 200), poses(rng, 200)
    one = superovoid.contact(a, pose_a, b, pose_b)
    other = superovoid.contact(a, matrices(pose_a), b, matrices(pose_b))
    apart = one.distance > 0
    assert np.allclose(one.distance[apart], other.distance[apart], rtol=0, atol=3e-9)


@pytest.mark.parametrize("threads", [1, 2, None])
def test_answers_depend_on_neither_threads_nor_chunks(rng, threads):
    a, b, pose_a, pose_b = shapes(rng, 3000), shapes(rng, 3000), poses(rng, 3000), poses(rng, 3000)
    whole = superovoid.contact(a, pose_a, b, pose_b, threads=threads)
    part = superovoid.contact(a[:700], pose_a[:700], b[:700], pose_b[:700], threads=1)
    for field in ["distance", "normal", "lower", "upper"]:
        assert np.array_equal(getattr(whole, field)[:700], getattr(part, field))


def test_broadcasts_are_loops(rng):
    a, b, pose_a, pose_b = shapes(rng, 4), shapes(rng, 5), poses(rng, 4), poses(rng, 5)
    grid = superovoid.contact(a[:, None], pose_a[:, None], superovoid.Superovoids(b), pose_b)
    assert grid.shape == (4, 5) and grid.point_a.shape == (4, 5, 3)
    for i in range(4):
        for j in range(5):
            one = superovoid.contact(a[i], pose_a[i], b[j], pose_b[j])
            assert one.shape == () and isinstance(float(one.distance), float)
            assert abs(one.distance - grid.distance[i, j]) < 2e-9
    ones = superovoid.contact(a[:1], pose_a[:1], b, pose_b)
    assert np.array_equal(ones.distance, superovoid.contact(np.tile(a[0], (5, 1)), np.tile(pose_a[0], (5, 1)), b, pose_b).distance)


def test_strides_do_not_matter(rng):
    a, b, pose_a, pose_b = shapes(rng, 60), shapes(rng, 60), poses(rng, 60), poses(rng, 60)
    want = superovoid.contact(a, pose_a, b, pose_b)
    wide = np.zeros((60, 14))
    wide[:, ::2] = pose_a
    fortran = np.asfortranarray(pose_b)
    assert same(want, superovoid.contact(a, wide[:, ::2], b, fortran))
    back = pose_a[::-1].copy()[::-1]
    assert back.strides[0] < 0
    assert same(want, superovoid.contact(a, back, b, pose_b.astype(">f8")))
    locked = pose_b.copy()
    locked.flags.writeable = False
    assert same(want, superovoid.contact(a.tolist(), pose_a, b, locked))
    packed = np.zeros(60, dtype=[("tag", "u1"), ("pose", "f8", 7)])
    packed["pose"] = pose_a
    assert same(want, superovoid.contact(a, packed["pose"], b, pose_b))
    still = np.broadcast_to(pose_a[0], (60, 7))
    assert still.strides[0] == 0
    assert same(superovoid.contact(a, pose_a[0], b, pose_b), superovoid.contact(a, still, b, pose_b))


def test_integers_and_single_precision_convert():
    ball = superovoid.Superovoids.sphere(np.float32(1))
    found = superovoid.contact(ball, HERE.astype(np.int32), ball, HERE + np.array([3, 0, 0, 0, 0, 0, 0]))
    assert found.distance == 1.0


def test_no_pairs_are_no_error():
    none = superovoid.contact(np.zeros((0, 7)), HERE, np.zeros((0, 7)), HERE)
    assert none.shape == (0,) and none.distance.shape == (0,) and none.normal.shape == (0, 3)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"a": [1, 1, 1, 1, 1, 0]}, ValueError, "a has the shape [6], but its last axis must have 7"),
        ({"a": [[1, 1, 1, 1, 1, 0, 0], [1, -2, 1, 1, 1, 0, 0]]}, ValueError, "a: element [1]: a2 = -2"),
        ({"b": [1, 1, 1, 1, np.nan, 0, 0]}, ValueError, "b: e2 = NaN"),
        ({"pose_a": [0, 0, 0, 0, 0, 1]}, ValueError, "pose_a has the shape [6]; poses are (..., 7)"),
        ({"pose_a": [0, 0, np.nan, 0, 0, 0, 1]}, ValueError, "pose"),
        ({"pose_b": [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0]]}, ValueError, "element [1]: "),
        ({"pose_b": np.diag([2.0, 2, 2, 1])}, ValueError, "pose_b: the rotation matrix is not orthonormal"),
        ({"pose_b": 2 * np.eye(4)}, ValueError, "pose_b: the last row of a matrix must be 0 0 0 1"),
        ({"pose_b": np.diag([1.0, 1, -1, 1])}, ValueError, "pose_b: the rotation matrix mirrors"),
        ({"pose_a": np.zeros((3, 7)), "pose_b": np.zeros((2, 7))}, ValueError, "does not broadcast"),
        ({"pose_a": "here"}, TypeError, "pose_a has the dtype"),
        ({"pose_a": HERE.astype(complex)}, TypeError, "pose_a has the dtype complex128"),
        ({"pose_a": HERE.astype(bool)}, TypeError, "pose_a has the dtype bool"),
        ({"pose_a": np.ma.masked_invalid(HERE)}, TypeError, "pose_a is a masked array"),
        ({"pose_a": None}, TypeError, "pose_a is a NoneType; an array of real numbers is wanted"),
        ({"tolerance": -1.0}, ValueError, "tolerance"),
        ({"max_distance": np.nan}, ValueError, "max_distance"),
        ({"depth": "deep"}, ValueError, 'depth = "deep"'),
        ({"threads": 0}, ValueError, "threads = 0"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    ball = [1.0, 1, 1, 1, 1, 0, 0]
    arguments = {"a": ball, "pose_a": HERE, "b": ball, "pose_b": HERE + np.eye(7)[0] * 3} | change
    with pytest.raises(error) as caught:
        superovoid.contact(**arguments)
    assert message in str(caught.value)


def test_arrays_are_read_only_views_that_outlive_the_answers(rng):
    found = superovoid.contact(shapes(rng, 100), poses(rng, 100), shapes(rng, 100), poses(rng, 100))
    distance, copy = found.distance, found.distance.copy()
    assert distance.base is not None and not distance.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        distance[0] = 0.0
    del found
    superovoid.contact(shapes(rng, 100), poses(rng, 100), shapes(rng, 100), poses(rng, 100))
    assert np.array_equal(distance, copy)
    with pytest.raises(AttributeError):
        superovoid.contact([1.0, 1, 1, 1, 1, 0, 0], HERE, [1.0, 1, 1, 1, 1, 0, 0], HERE).distance = 1.0


def test_threads_may_call_at_once(rng):
    a, b, pose_a, pose_b = shapes(rng, 2000), shapes(rng, 2000), poses(rng, 2000), poses(rng, 2000)
    want = superovoid.contact(a, pose_a, b, pose_b)
    agree = []
    def call():
        agree.append(all(same(want, superovoid.contact(a, pose_a, b, pose_b)) for _ in range(5)))
    callers = [threading.Thread(target=call) for _ in range(4)]
    [t.start() for t in callers]
    [t.join() for t in callers]
    assert agree == [True] * 4


def test_the_interpreter_runs_on_during_a_query(rng):
    a, b = superovoid.Superovoids(shapes(rng, 50_000)), superovoid.Superovoids(shapes(rng, 50_000))
    pose_a, pose_b = poses(rng, 50_000), poses(rng, 50_000)
    ticks, done = [0], threading.Event()
    def count():
        while not done.is_set():
            ticks[0] += 1
    counter = threading.Thread(target=count)
    counter.start()
    before = ticks[0]
    superovoid.contact(a, pose_a, b, pose_b, depth="certified", threads=1)
    done.set()
    counter.join()
    assert ticks[0] - before > 1000


def test_calls_do_not_leak():
    import resource
    ball = superovoid.Superovoids.sphere(1.0)
    there = HERE + np.eye(7)[0] * 3
    def calls(count):
        for _ in range(count):
            superovoid.contact(ball, HERE, ball, there).distance
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = calls(50_000)
    assert calls(1_000_000) - before < 4096  # kB


def test_overlaps_are_proven_when_asked(rng):
    a, b = shapes(rng, 200, (0.5, 1.2)), shapes(rng, 200, (0.5, 1.2))
    pose_a, pose_b = poses(rng, 200, 0.2), poses(rng, 200, 0.2)
    found = superovoid.contact(a, pose_a, b, pose_b, depth="certified")
    assert (found.distance < 0).all() and (found.status == superovoid.CollisionStatus.COLLISION).all()
    assert ((found.upper - found.lower) < 3e-6).mean() > 0.95


def test_far_pairs_end_early(rng):
    found = superovoid.contact(shapes(rng, 9), poses(rng, 9), shapes(rng, 9), poses(rng, 9) + np.eye(7)[0] * 50, max_distance=1.0)
    assert (found.outcome == superovoid.Outcome.BEYOND).all() and (found.lower > 1.0).all()

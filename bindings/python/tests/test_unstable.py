"""The modules that may change in any release: `superovoid.planar` and `superovoid.published`."""

import pickle

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, same, shapes
from superovoid import planar, published

SCHEMES = ["oct-implicit", "quad-implicit", "quad-parametric", "ntb-parametric"]


def test_circles_have_the_distance_of_their_centres_from_segments(rng):
    radius, centres, ends = 0.3, rng.uniform(-2, 2, (200, 2)), rng.uniform(-2, 2, (200, 2, 2))
    along = ends[:, 1] - ends[:, 0]
    t = np.clip(((centres - ends[:, 0]) * along).sum(1) / (along**2).sum(1), 0, 1)
    want = np.linalg.norm(ends[:, 0] + t[:, None] * along - centres, axis=1) - radius
    pose = np.hstack([centres, rng.uniform(-9, 9, (200, 1))])
    found = planar.segment_contact(planar.Superellipse([radius, radius], 1.0), pose, ends)
    apart = want > 0
    assert np.allclose(found.distance[apart], want[apart], rtol=0, atol=1e-11) and 0 < apart.sum() < 200
    assert np.allclose(found.point_a + found.distance[:, None] * found.normal, found.point_b, rtol=0, atol=1e-12)
    assert (found.outcome == superovoid.Outcome.CERTIFIED).all() and found.shape == (200,) and len(found) == 200


@pytest.mark.parametrize("exponent", [0.2, 1.0, 1.7])
def test_gaps_along_normals_bound_planar_distances(exponent, rng):
    """The signed distance is the largest gap min(n·P, n·Q) - h(n) over unit normals n, apart as well as overlapping."""
    a, pose, ends = np.array([0.9, 0.4]), np.hstack([rng.uniform(-1, 1, (40, 2)), rng.uniform(-4, 4, (40, 1))]), rng.uniform(-2, 2, (40, 2, 2))
    found = planar.segment_contact(planar.Superellipse(a, exponent), pose, ends)

    def gap(k, n):
        c, s = np.cos(pose[k, 2]), np.sin(pose[k, 2])
        local = n @ np.array([[c, -s], [s, c]])
        q = 2 / (2 - exponent)
        h = (np.abs(a * local) ** q).sum(-1) ** (1 / q)
        return ((ends[k] - pose[k, :2]) @ n.T).min(0) - h

    angles = np.linspace(0, 2 * np.pi, 5000)
    every = np.stack([np.cos(angles), np.sin(angles)], -1)
    for k in range(40):
        assert (gap(k, every) <= found.upper[k] + 1e-12).all()
        assert gap(k, found.normal[k][None])[0] >= found.distance[k] - 1e-9 and found.lower[k] <= found.distance[k] <= found.upper[k]
    assert (found.distance < 0).any() and (found.distance > 0).any()


def test_planar_arguments_broadcast_and_objects_pickle(rng):
    shape = planar.Superellipse([0.2, 0.1], 0.5)
    assert shape.semi_axes.tolist() == [0.2, 0.1] and shape.exponent == 0.5 and repr(shape) == "Superellipse([0.2, 0.1], 0.5)"
    assert repr(pickle.loads(pickle.dumps(shape))) == repr(shape)
    pose, ends = rng.uniform(-1, 1, (5, 1, 3)), rng.uniform(-1, 1, (7, 2, 2))
    found = planar.segment_contact(shape, pose, ends)
    one = planar.segment_contact(shape, pose[2, 0], ends[3])
    assert found.shape == (5, 7) and found.normal.shape == (5, 7, 2) and one.shape == () and one.distance == found.distance[2, 3]
    assert np.array_equal(planar.segment_contact(shape, pose, ends, threads=1).distance, found.distance)
    again = pickle.loads(pickle.dumps(found))
    for field in ["distance", "point_a", "point_b", "normal", "lower", "upper", "outcome", "iterations", "shape"]:
        assert np.array_equal(getattr(again, field), getattr(found, field)), field


def pairs(rng, count=40):
    a, b, pose_a, pose_b = shapes(rng, count, (0.5, 1.5)), shapes(rng, count, (0.5, 1.5)), poses(rng, count), poses(rng, count)
    return a, pose_a, b, pose_b


@pytest.mark.parametrize("scheme", SCHEMES)
def test_brackets_of_the_schemes_hold_the_distance(scheme, rng):
    arguments = pairs(rng, 12 if scheme == "oct-implicit" else 40)
    some = len(arguments[0]) // 3
    exact = superovoid.contact(*arguments, depth="certified")
    found = published.scheme_contact(*arguments, scheme=scheme, division="polar-angles")
    assert (found.lower <= exact.upper).all() and (exact.lower <= found.upper).all()
    certified = found.outcome == superovoid.Outcome.CERTIFIED
    assert certified.sum() > some and np.allclose(found.distance[certified], exact.distance[certified], rtol=0, atol=1e-5)
    assert same(found, published.scheme_contact(*arguments, scheme=scheme, division="polar-angles", threads=1))
    differences = published.scheme_contact(*arguments, scheme=scheme, jacobian="forward-differences")
    assert (differences.outcome == superovoid.Outcome.CERTIFIED).sum() > some and not same(differences, found)
    raw = published.scheme_contact(*arguments, scheme=scheme, as_published=True)
    assert not (raw.outcome == superovoid.Outcome.CERTIFIED).any() and (raw.outcome == superovoid.Outcome.CONVERGED).any()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_trace_ends_at_the_answer(scheme):
    egg, ball = superovoid.Superovoids([0.02, 0.02, 0.03, 1, 1, 0.2, 0.2]), superovoid.Superovoids.sphere(0.01)
    there = [0.01, 0.02, 0.05, 0, 0, 0, 1]
    contact, attempts = published.scheme_trace(egg, HERE, ball, there, scheme=scheme)
    assert same(contact, published.scheme_contact(egg, HERE, ball, there, scheme=scheme))
    last = attempts[-1]
    iterates = last["iterates"]
    assert contact.outcome == superovoid.Outcome.CERTIFIED and last["opposed"] is False
    assert np.allclose([iterates["point_a"][-1], iterates["point_b"][-1]], [contact.point_a, contact.point_b], rtol=0, atol=1e-6)
    assert iterates["residual"].shape == iterates["step"].shape == iterates["point_b"].shape[:1] and iterates["step"][0] == 1
    assert len(last["levels"]) == (5 if scheme == "oct-implicit" else 6)
    for level in last["levels"]:
        n = len(level["point"])
        assert 1 <= n <= 16 and level["point"].shape == (n, 2, 3)
        if scheme == "oct-implicit":
            assert level["center"].shape == level["half_widths"].shape == (n, 2, 3) and (level["half_widths"] > 0).all()
        else:
            assert level["phi1"].shape == level["phi2"].shape == (n, 2, 2) and (level["phi1"][..., 1] > level["phi1"][..., 0]).all()
    far, none = published.scheme_trace(egg, HERE, ball, [9, 0, 0, 0, 0, 0, 1], max_distance=1.0)
    assert far.outcome == superovoid.Outcome.BEYOND and none == []


def test_the_radial_distance_is_that_of_the_ray_from_the_centre(rng):
    bodies, pose, points = shapes(rng, 100, (0.4, 1.6)), poses(rng, 100), rng.uniform(-4, 4, (100, 3))
    found = published.radial_vertex_contact(bodies, pose, points)
    local = np.einsum("nji,nj->ni", matrices(pose)[:, :3, :3], points - pose[:, :3])
    (a, p1, p2) = bodies[:, :3], 2 / bodies[:, 3], 2 / bodies[:, 4]
    u, v, w = np.abs(local / a).T
    gauge = ((u**p1 + v**p1) ** (p2 / p1) + w**p2) ** (1 / p2)
    want = np.linalg.norm(local, axis=1) * (1 - 1 / gauge)
    assert np.allclose(found.distance, want, rtol=0, atol=1e-9)
    exact = superovoid.vertex_contact(bodies, pose, points)
    assert (np.abs(found.distance) >= np.abs(exact.distance) - 1e-9).all()


@pytest.mark.parametrize("method", ["iterative_vertex_contact", "curvature_aware_vertex_contact"])
def test_iterative_methods_are_as_near_as_their_tolerance(method, rng):
    bodies, pose = shapes(rng, 100, (0.6, 1.4)), poses(rng, 100)
    points = pose[:, :3] + 4 * (lambda x: x / np.linalg.norm(x, axis=1, keepdims=True))(rng.normal(size=(100, 3)))
    exact = superovoid.vertex_contact(bodies, pose, points)
    found = getattr(published, method)(bodies, pose, points, tolerance=1e-6, max_iterations=500)
    converged = found.outcome == superovoid.Outcome.CONVERGED
    assert converged.sum() > 80 and np.allclose(found.distance[converged], exact.distance[converged], rtol=0, atol=1e-6)
    assert (found.lower <= exact.upper).all() and (exact.lower <= found.upper).all()
    few = getattr(published, method)(bodies, pose, points, tolerance=1e-9, max_iterations=1)
    assert (few.outcome == superovoid.Outcome.NOT_CONVERGED).any()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: planar.Superellipse([0.2, -0.1], 1), ValueError, "a2 = -0.1"),
        (lambda: planar.Superellipse([0.2, 0.1], 2), ValueError, "e1 = 2"),
        (lambda: planar.segment_contact(planar.Superellipse([1, 1], 1), [0, 0], np.eye(2)), ValueError, r"pose has the shape \[2\], but its last axis must have 3"),
        (lambda: planar.segment_contact(planar.Superellipse([1, 1], 1), [0, 0, 0], np.eye(3)), ValueError, r"segments has the last two axes \[3, 3\]; \(..., 2, 2\)"),
        (lambda: planar.segment_contact(planar.Superellipse([1, 1], 1), [[0, 0, 0], [0, 0, np.inf]], np.eye(2)), ValueError, r"element \[1\]: .*pose"),
        (lambda: planar.segment_contact([1, 1, 1], [0, 0, 0], np.eye(2)), TypeError, "shape"),
        (lambda: published.scheme_contact(np.ones(7), HERE, np.ones(7), HERE, scheme="cubic"), ValueError, 'scheme = "cubic": "oct-implicit" or '),
        (lambda: published.scheme_contact([1, 1, 1, 1, 1, 0, 0], HERE, [1, 1, 1, 1, 1, 0, 0], HERE, tolerance=-1), ValueError, "tolerance"),
        (lambda: published.scheme_trace([[1, 1, 1, 1, 1, 0, 0]], HERE, [1, 1, 1, 1, 1, 0, 0], HERE), ValueError, r"axes \[1\]: one pair is wanted"),
        (lambda: published.radial_vertex_contact(superovoid.ConvexShape.ball(1), HERE, [1, 0, 0]), TypeError, "shape is a ConvexShape"),
    ],
)
def test_what_is_wrong_with_an_argument_is_named(make, error, message):
    with pytest.raises(error, match=message):
        make()

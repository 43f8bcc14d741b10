"""Derivatives and times of impact with points, half-spaces, polytopes and meshes, against differences and samples."""

import numpy as np
import pytest
import superovoid
from conftest import HERE, poses, shapes


def turned(pose, by):
    """A pose turned about its own origin by small rotation vectors in the world."""
    x, y, z, w = np.moveaxis(pose[..., 3:], -1, 0)
    angle = np.linalg.norm(by, axis=-1)
    half = np.sinc(angle / (2 * np.pi)) / 2
    a, b, c = np.moveaxis(by * half[..., None], -1, 0)
    d = np.cos(angle / 2)
    q = [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z]
    return np.concatenate([pose[..., :3], np.stack(q, axis=-1)], axis=-1)


def differences(distance, pose, h=1e-6):
    """The derivatives of distances by the six velocities of A."""
    columns = []
    for k in range(6):
        step = np.zeros((len(pose), 3))
        step[:, k % 3] = h
        move = (lambda s: pose + np.pad(s * step, ((0, 0), (0, 4)))) if k < 3 else (lambda s: turned(pose, s * step))
        columns.append((distance(move(1.0)) - distance(move(-1.0))) / (2 * h))
    return np.stack(columns, axis=-1)


@pytest.fixture
def bodies(rng):
    return shapes(rng, 60, (0.5, 1.4)), poses(rng, 60, 1.0)


def compare(found, distance, pose):
    want = differences(distance, pose)
    exact = found.status == superovoid.DerivativeStatus.EXACT
    assert exact.sum() > 50
    assert np.allclose(found.gradient[exact][:, :6], want[exact], rtol=0, atol=2e-5)
    assert np.allclose(found.hessian[exact], np.swapaxes(found.hessian[exact], 1, 2), rtol=0, atol=1e-7)
    # The normal is the derivative by the velocity of B, and its negative by that of A.
    assert np.allclose(found.gradient[exact][:, :3], -found.gradient[exact][:, 6:9], rtol=0, atol=1e-9)


def test_derivatives_of_points_are_differences(bodies, rng):
    shape, pose = bodies
    points = rng.normal(size=(60, 3)) * 4
    distance = lambda pose: superovoid.vertex_contact(shape, pose, points, tolerance=1e-13).distance
    found = superovoid.vertex_contact_derivatives(shape, pose, superovoid.vertex_contact(shape, pose, points))
    compare(found, distance, pose)
    h = 1e-6
    step = np.array([h, 0, 0])
    by_point = (superovoid.vertex_contact(shape, pose, points + step, tolerance=1e-13).distance - superovoid.vertex_contact(shape, pose, points - step, tolerance=1e-13).distance) / (2 * h)
    assert np.allclose(found.gradient[:, 6], by_point, rtol=0, atol=1e-5)


def test_derivatives_of_half_spaces_are_differences(bodies, rng):
    shape, pose = bodies
    planes = np.hstack([rng.normal(size=(60, 3)), rng.uniform(-3, -2, (60, 1))])
    distance = lambda pose: superovoid.half_space_contact(shape, pose, planes).distance
    found = superovoid.half_space_contact_derivatives(shape, pose, planes, superovoid.half_space_contact(shape, pose, planes))
    compare(found, distance, pose)


def test_derivatives_of_hulls_are_differences(bodies, rng):
    shape, pose = bodies
    points = rng.normal(size=(60, 5, 3)) + np.array([6.0, 0, 0])
    distance = lambda pose: superovoid.hull_contact(shape, pose, points, tolerance=1e-13).distance
    found = superovoid.hull_contact_derivatives(shape, pose, points, superovoid.hull_contact(shape, pose, points))
    compare(found, distance, pose)


def test_contacts_of_another_query_are_refused(bodies):
    shape, pose = bodies
    one = superovoid.vertex_contact(shape[0], pose[0], [9.0, 0, 0])
    with pytest.raises(ValueError, match="contacts has the axes"):
        superovoid.hull_contact_derivatives(shape, pose, np.eye(3), one)
    far = superovoid.hull_contact(shape[0], pose[0], np.eye(3) + 50, max_distance=1.0)
    found = superovoid.hull_contact_derivatives(shape[0], pose[0], np.eye(3) + 50, far)
    assert found.status == superovoid.DerivativeStatus.NONE and np.isnan(found.hessian).all()


def sampled(found, distance):
    """Compares times of impact with samples of the distances, (instants, elements)."""
    instants = np.linspace(0, 1, 301)
    every = np.array([distance(t) for t in instants])
    hit, free = (found.outcome == superovoid.ImpactOutcome.HIT), (found.outcome == superovoid.ImpactOutcome.FREE)
    assert hit.sum() > 3 and free.sum() > 3
    assert (every[:, free] > -1e-9).all()
    first = np.where((every < -1e-9).any(axis=0), instants[(every < -1e-9).argmax(axis=0)], 2.0)
    assert (found.touching[hit] <= first[hit]).all() and (found.safe[hit] <= found.touching[hit]).all()
    assert (every[:, hit][instants[:, None] < found.safe[None, hit]] > 0).all()
    return hit


def moving(rng, count):
    start = poses(rng, count, 1.0)
    start[:, 0] -= 5.0
    return superovoid.Motions.screw(start, rng.normal(size=(count, 3)) * 0.5 + [6.0, 0, 0], rng.normal(size=(count, 3)) * 0.5)


def test_times_with_points_half_spaces_and_hulls_are_those_of_samples(rng):
    shape, motion = shapes(rng, 60, (0.4, 1.4)), moving(rng, 60)
    points = poses(rng, 60, 0.4)
    found = superovoid.vertex_time_of_impact(shape, motion, superovoid.Motions.still(points))
    sampled(found, lambda t: superovoid.vertex_contact(shape, motion.pose(t), points[:, :3]).distance)
    assert found.part is None
    planes = np.hstack([rng.normal(size=(60, 3)), rng.uniform(-9, -3, (60, 1))])
    found = superovoid.half_space_time_of_impact(shape, motion, planes)
    sampled(found, lambda t: superovoid.half_space_contact(shape, motion.pose(t), planes).distance)
    corners = rng.normal(size=(60, 4, 3)) * 0.5
    found = superovoid.hull_time_of_impact(shape, motion, corners, superovoid.Motions.still(HERE))
    hit = sampled(found, lambda t: superovoid.hull_contact(shape, motion.pose(t), corners).distance)
    single = superovoid.hull_time_of_impact(shape[hit][0], superovoid.Motions.still(HERE), corners[hit][0], superovoid.Motions.still(HERE + np.eye(7)[0] * 50))
    assert single.outcome == superovoid.ImpactOutcome.FREE


def test_times_with_meshes_and_boxes_are_those_of_samples(rng):
    shape, motion = shapes(rng, 40, (0.4, 1.4)) * [0.5, 0.5, 0.5, 1, 1, 1, 1], moving(rng, 40)
    vertices, triangles = rng.uniform(-1, 1, (20, 3)), rng.integers(0, 20, (15, 3))
    lower = rng.uniform(-1, 1, (15, 3))
    for tree in [superovoid.TriMesh(vertices, triangles), superovoid.BoxSet(lower, lower + 0.2)]:
        found = superovoid.time_of_impact(shape, motion, tree, superovoid.Motions.still(HERE))
        hit = sampled(found, lambda t: superovoid.contact(shape, motion.pose(t), tree, HERE).distance)
        assert (found.part[hit] >= 0).all() and (found.part[found.outcome == superovoid.ImpactOutcome.FREE] == -1).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s, m: superovoid.half_space_time_of_impact(s, m, [0, 0, 0, 1]), "normal"),
        (lambda s, m: superovoid.hull_time_of_impact(s, m, np.full((2, 3), np.nan), m), "points: vertex 0 is not finite"),
        (lambda s, m: superovoid.vertex_time_of_impact(s, m, m, tolerance=-1.0), "tolerance"),
        (lambda s, m: superovoid.time_of_impact(s, m, superovoid.TriMesh(np.eye(3), [[0, 1, 2]]), m, min_separation=np.nan), "min_separation"),
    ],
)
def test_bad_requests_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call([1.0, 1, 1, 1, 1, 0, 0], superovoid.Motions.still(HERE))

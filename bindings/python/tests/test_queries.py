"""Points, planes, rays, shapes, derivatives and times of impact."""

import pickle

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, same, shapes


def test_points_of_a_mesh_lie_on_the_surface(rng):
    for parameters in shapes(rng, 10, (0.3, 1.5)):
        body = superovoid.Superovoids(parameters)
        pose = poses(rng, 1)[0]
        vertices, triangles = body.tessellate(24)
        assert triangles.max() == len(vertices) - 1 and np.abs(body.inside_outside(vertices)).max() < 1e-9
        world = vertices @ matrices(pose)[:3, :3].T + pose[:3]
        found = superovoid.vertex_contact(body, pose, world)
        assert np.abs(found.distance).max() < 1e-9
        single = superovoid.vertex_contact(body, pose, world[7])
        assert abs(single.distance - found.distance[7]) < 1e-9


def test_a_bad_point_is_named():
    points = np.zeros((300, 3))
    points[:, 0] = 2.0
    points[217, 1] = np.inf
    with pytest.raises(ValueError, match=r"element \[217\]"):
        superovoid.vertex_contact([1.0, 1, 1, 1, 1, 0, 0], HERE, points)


def test_points_and_balls_agree(rng):
    bodies, pose, points = shapes(rng, 300), poses(rng, 300), rng.uniform(-4, 4, (300, 3))
    found = superovoid.vertex_contact(bodies, pose, points)
    there = np.hstack([points, np.tile([0.0, 0, 0, 1], (300, 1))])
    ball = superovoid.contact(bodies, pose, superovoid.Superovoids.sphere(0.01), there)
    apart = found.distance > 0.02
    assert np.allclose(found.distance[apart], ball.distance[apart] + 0.01, rtol=0, atol=5e-9)


def test_planes(rng):
    bodies, pose = shapes(rng, 100), poses(rng, 100)
    normals = rng.normal(size=(100, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    planes = np.hstack([normals, rng.uniform(-9, 9, (100, 1))])
    value, _ = superovoid.Superovoids(bodies).support(np.einsum("nji,nj->ni", matrices(pose)[:, :3, :3], -normals))
    want = np.einsum("ni,ni->n", normals, pose[:, :3]) - value - planes[:, 3]
    assert np.allclose(superovoid.half_space_contact(bodies, pose, planes).distance, want, rtol=0, atol=1e-10)
    assert (superovoid.plane_contact(bodies, pose, planes).distance >= want - 1e-10).all()
    with pytest.raises(ValueError, match="normal"):
        superovoid.plane_contact(bodies[0], pose[0], [0, 0, 0, 1])
    with pytest.raises(ValueError, match="half_spaces has the shape"):
        superovoid.half_space_contact(bodies[0], pose[0], [0, 0, 1])


def test_rays(rng):
    bodies, pose = shapes(rng, 200), poses(rng, 200, 1.0)
    origins = rng.normal(size=(200, 3))
    origins *= 8 / np.linalg.norm(origins, axis=1, keepdims=True)
    hits = superovoid.ray_cast(bodies, pose, origins, pose[:, :3] - origins)
    assert hits.hit.all() and (0 < hits.time_of_impact).all() and (hits.time_of_impact < 1).all()
    on = superovoid.vertex_contact(bodies, pose, hits.point)
    assert np.abs(on.distance).max() < 1e-9
    away = superovoid.ray_cast(bodies, pose, origins, origins - pose[:, :3])
    assert not away.hit.any() and np.isinf(away.time_of_impact).all() and np.isnan(away.point).all()


def test_rays_at_bodies_of_any_kind():
    here, down = [0, 0, 0, 1], [0, 0, -1]
    pose, origins = [0, 0, 0, *here], [[0.1, 0.1, 3], [5, 5, 3]]
    box = superovoid.ConvexShape.cuboid([1, 1, 1])
    cells = superovoid.BoxSet([[-1, -1, -1], [0, -1, -1]], [[0, 1, 0.5], [1, 1, 1]])
    field = superovoid.HeightField([[1, 1], [1, 1]], [-1, 1], [-1, 1], -1)
    for shape, misses in [(box, 1), (cells, 1), (field, 1), (superovoid.HalfSpace([0, 0, 1], 1), 0), (superovoid.Plane([0, 0, 1], 1), 0)]:
        hits = superovoid.ray_cast(shape, pose, origins, down)
        assert hits.hit.tolist() == [True, not misses]
        assert hits.time_of_impact[0] == 2 and hits.point[0].tolist() == [0.1, 0.1, 1] and hits.normal[0].tolist() == [0, 0, 1]
        assert hits.part.tolist()[0] == {superovoid.BoxSet: 1, superovoid.HeightField: 1}.get(type(shape), -1)
    inside = superovoid.ray_cast(box, pose, [0.1, 0.1, 0.5], down, solid=False)
    assert inside.time_of_impact == 1.5 and inside.part == -1 and pickle.loads(pickle.dumps(inside)).part == -1


def test_shapes_know_what_they_are():
    three = superovoid.Superovoids([[1, 2, 3, 1, 1, 0, 0], [1, 1, 1, 1, 0.5, 0.9, 0.9], [1, 1, 1, 1, 0.5, 0.3, -0.3]])
    assert three.convex.tolist() == [True, False, False]
    reasons = three.convexity()
    assert reasons[0] is None and "too strong" in reasons[1] and "too different" in reasons[2]
    ellipsoid = superovoid.Superovoids([1, 2, 3, 1, 1, 0, 0])
    mass = ellipsoid.mass_properties()
    assert np.isclose(mass.volume, 8 * np.pi) and np.isclose(mass.inertia[0, 0], 8 * np.pi * 13 / 5)
    assert np.array_equal(three.parameters[0], [1, 2, 3, 1, 1, 0, 0])
    with pytest.raises(ValueError, match="single shape"):
        three.tessellate()


def test_gradients_are_differences(rng):
    a, b, pose_a, pose_b = shapes(rng, 50, (0.5, 1.4)), shapes(rng, 50, (0.5, 1.4)), poses(rng, 50), poses(rng, 50)
    pose_b[:, 0] += 7.0
    arguments = [a, pose_a, b, pose_b]
    distance = lambda *args: superovoid.contact(*args, tolerance=1e-13).distance
    found = superovoid.distance_gradient(*arguments, superovoid.contact(*arguments))
    every = superovoid.contact_derivatives(*arguments, superovoid.contact(*arguments))
    assert found.gradient.shape == (50, 26) and every.hessian.shape == (50, 26, 26)
    assert np.allclose(found.gradient, every.gradient, rtol=0, atol=1e-6)
    assert np.allclose(every.hessian, np.swapaxes(every.hessian, 1, 2), rtol=0, atol=1e-9)
    h = 1e-5
    for k in range(3):
        step = np.zeros(7)
        step[k] = h
        for column, which in [(k, 1), (6 + k, 3), (12 + k, 0), (19 + k, 2)]:
            more, less = list(arguments), list(arguments)
            more[which], less[which] = arguments[which] + step, arguments[which] - step
            difference = (distance(*more) - distance(*less)) / (2 * h)
            assert np.allclose(found.gradient[:, column], difference, rtol=0, atol=1e-5)
    more, less = list(arguments), list(arguments)
    more[3], less[3] = pose_b + [h, 0, 0, 0, 0, 0, 0], pose_b - [h, 0, 0, 0, 0, 0, 0]
    second = [superovoid.distance_gradient(*x, superovoid.contact(*x, tolerance=1e-13)).gradient for x in (more, less)]
    exact = every.status == superovoid.DerivativeStatus.EXACT
    assert exact.sum() > 40
    difference = (second[0] - second[1]) / (2 * h)
    assert np.median(np.abs(every.hessian[exact][:, 6] - difference[exact])) < 1e-5


def test_far_contacts_have_no_gradient(rng):
    ball = superovoid.Superovoids.sphere(1.0)
    there = HERE + np.eye(7)[0] * 30
    far = superovoid.contact(ball, HERE, ball, there, max_distance=1.0)
    found = superovoid.distance_gradient(ball, HERE, ball, there, far)
    assert found.status == superovoid.DerivativeStatus.NONE and np.isnan(found.gradient).all()
    with pytest.raises(ValueError, match="contacts has the axes"):
        superovoid.distance_gradient(ball, HERE, ball, [there, there], far)


def test_times_of_impact_are_those_of_samples(rng):
    a, b = shapes(rng, 60, (0.4, 1.4)), shapes(rng, 60, (0.4, 1.4))
    start_a, start_b = poses(rng, 60, 0.5), poses(rng, 60, 0.5)
    start_b[:, 0] += 5.0
    linear = rng.normal(size=(60, 3)) - [5.0, 0, 0]
    move_a = superovoid.Motions.line_spin_about_origin(start_a, np.zeros(3), rng.normal(size=(60, 3)))
    move_b = superovoid.Motions.screw(start_b, linear, rng.normal(size=(60, 3)))
    found = superovoid.time_of_impact(a, move_a, b, move_b)
    instants = np.linspace(0, 1, 400)
    distance = np.array([superovoid.contact(a, move_a.pose(t), b, move_b.pose(t)).distance for t in instants])
    hit = found.outcome == superovoid.ImpactOutcome.HIT
    free = found.outcome == superovoid.ImpactOutcome.FREE
    assert hit.sum() > 5 and free.sum() > 5
    assert (distance[:, free] > 0).all() and (distance[:, free].min(axis=0) >= found.clearance[free] - 1e-9).all()
    first = np.where((distance < 0).any(axis=0), instants[(distance < 0).argmax(axis=0)], 2.0)
    assert (found.touching[hit] <= first[hit]).all() and (found.safe[hit] <= found.touching[hit]).all()
    before = instants[:, None] < found.safe[None, hit]
    assert (distance[:, hit][before] > 0).all()
    assert np.isnan(found.safe[found.outcome == superovoid.ImpactOutcome.OVERLAPPING]).all()


def test_answers_of_parts_are_the_same(rng):
    bodies, pose, points = shapes(rng, 1), poses(rng, 1), rng.uniform(-3, 3, (5000, 3))
    whole = superovoid.vertex_contact(bodies[0], pose[0], points)
    again = superovoid.vertex_contact(bodies[0], pose[0], points, threads=1)
    assert same(whole, again)

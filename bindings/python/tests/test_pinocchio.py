"""Superovoids in geometry models of Pinocchio."""

import doctest
from pathlib import Path

import numpy as np
import pytest
import superovoid

pin = pytest.importorskip("pinocchio", reason="pip install 'superovoid[pinocchio]'")

import superovoid.pinocchio as module  # noqa: E402
from superovoid.pinocchio import ExactGeometry, hull  # noqa: E402

URDF = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"
EGG = [0.02, 0.02, 0.03, 1.0, 1.0, 0.2, 0.2]


@pytest.fixture
def hands():
    model = pin.buildModelFromUrdf(str(URDF))
    return model, pin.buildGeomFromUrdf(model, str(URDF), pin.GeometryType.COLLISION)


def test_clearances_of_a_urdf_are_those_of_the_robot(rng, hands):
    """Pinocchio's kinematics, our contacts, against our own of both."""
    model, geometry = hands
    robot = superovoid.Robot.from_urdf(URDF)
    geometry.addAllCollisionPairs()
    exact = ExactGeometry.from_urdf(model, geometry, robot)
    assert len(exact.known) == len(geometry.collisionPairs)
    data, placements = model.createData(), geometry.createData()
    low, high = robot.position_limits.T
    configuration = rng.uniform(low, high)
    q = pin.neutral(model)
    for joint in robot.joints:
        start, end = robot.position_range(joint) if model.existJointName(joint) else (0, 0)
        if end == start + 1:
            q[model.joints[model.getJointId(joint)].idx_q] = configuration[start]
    pin.updateGeometryPlacements(model, data, geometry, placements, q)
    distances = exact.distances(placements)
    rows = robot.clearances(configuration)
    want = {(robot.links[a], robot.links[b]): d for a, b, d in zip(rows.link_a, rows.link_b, rows.contacts.distance)}
    compared = 0
    for pair, found in zip(geometry.collisionPairs, distances):
        links = tuple(geometry.geometryObjects[k].name[:-2] for k in (pair.first, pair.second))
        expected = want.get(links, want.get(links[::-1]))
        if expected is not None:
            assert abs(found - expected) < 1e-8, links
            compared += 1
    assert compared == len(rows)
    # The fallback spheres alone say something else.
    pin.computeDistances(geometry, placements)
    assert max(abs(r.min_distance - d) for r, d in zip(placements.distanceResults, distances)) > 1e-3


def test_other_pairs_have_the_answers_of_coal():
    import coal

    model, geometry = pin.Model(), pin.GeometryModel()
    exact = ExactGeometry(geometry)
    at = lambda x: pin.XYZQUATToSE3(np.array([x, 0, 0, 0, 0, 0, 1.0]))
    egg = exact.add("egg", 0, at(0.0), EGG)
    box = geometry.addGeometryObject(pin.GeometryObject("box", 0, at(0.1), coal.Box(0.02, 0.02, 0.02)))
    ball = geometry.addGeometryObject(pin.GeometryObject("ball", 0, at(-0.1), coal.Sphere(0.03)))
    for pair in ((egg, box), (egg, ball), (ball, box)):
        geometry.addCollisionPair(pin.CollisionPair(*pair))
    data, placements = model.createData(), geometry.createData()
    pin.updateGeometryPlacements(model, data, geometry, placements, pin.neutral(model))
    assert exact.known.tolist() == [1]
    found = exact.distances(placements)
    # Of the egg against the box coal answers for its hull.
    want = superovoid.contact(EGG, [0, 0, 0, 0, 0, 0, 1], superovoid.Superovoids.sphere(0.03), [-0.1, 0, 0, 0, 0, 0, 1]).distance
    assert found[1] == want
    assert abs(found[2] - (0.2 - 0.03 - 0.01)) < 1e-6 and abs(found[0] - (0.1 - 0.01 - 0.02)) < 1e-3


def test_hulls_lie_inside():
    points = np.array(list(hull(EGG, 16).points()))
    assert len(points) > 100 and superovoid.Superovoids(EGG).inside_outside(points).max() < 1e-9


def test_what_does_not_fit_is_refused(hands):
    model, geometry = hands
    exact = ExactGeometry(geometry)
    exact.add("egg", 0, pin.SE3.Identity(), EGG)
    with pytest.raises(ValueError, match="an object 'egg' already"):
        exact.add("egg", 0, pin.SE3.Identity(), EGG)
    with pytest.raises(ValueError, match="of one superovoid"):
        exact.add("eggs", 0, pin.SE3.Identity(), [EGG, EGG])
    robot = superovoid.Robot.from_urdf(URDF)
    with pytest.raises(ValueError, match="no object 'l_hand_0'"):
        ExactGeometry.from_urdf(model, pin.GeometryModel(), robot)
    geometry.geometryObjects[geometry.getGeometryId("l_hand_0")].placement = pin.SE3.Identity()
    with pytest.raises(ValueError, match="'l_hand_0' lies elsewhere"):
        ExactGeometry.from_urdf(model, geometry, robot)


def test_example_of_the_module_is_true():
    assert doctest.testmod(module).failed == 0

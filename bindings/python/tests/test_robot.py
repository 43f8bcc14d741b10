"""The iCub hands: clearances, gradients, edges."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import superovoid

HANDS = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"


@pytest.fixture(scope="module")
def hands():
    return superovoid.Robot.from_urdf(HANDS)


def configurations(hands, rng, count):
    """Configurations in which every joint is moved that its limits let be moved."""
    found = []
    for _ in range(count):
        q = hands.neutral + 0.0
        for joint, step in enumerate(rng.uniform(0.0, 0.6, hands.position_count)):
            for moved in (step, -step):
                tried = q.copy()
                tried[joint] += moved
                try:
                    hands.forward_kinematics(tried)
                except ValueError:  # beyond a limit
                    continue
                q = tried
                break
        assert (q != hands.neutral).mean() > 0.5
        found.append(q)
    return np.array(found)


def test_the_hands_are_read(hands):
    assert hands.position_count > 20 and len(hands.links) > 20 and "icub" in hands.name
    assert hands.forward_kinematics(hands.neutral).shape == (len(hands.links), 7)
    with pytest.raises(ValueError, match="nowhere.urdf"):
        superovoid.Robot.from_urdf("nowhere.urdf")
    with pytest.raises(ValueError, match="last axis must have"):
        hands.clearances([0.0])


def test_clearances_are_those_of_single_configurations(hands, rng):
    q = configurations(hands, rng, 6)
    whole = hands.clearances(q, max_distance=0.02)
    assert whole.free.shape == (6,)
    for k in range(6):
        one = hands.clearances(q[k], max_distance=0.02)
        rows = whole.configuration == k
        assert np.array_equal(one.contacts.distance, whole.contacts.distance[rows])
        assert np.array_equal(one.link_a, whole.link_a[rows])
        assert one.free == whole.free[k] == (not hands.in_collision(q[k]))


def test_gradients_are_differences(hands, rng):
    q = hands.neutral + 0.0
    start = hands.clearances(q, max_distance=0.03, gradient=True)
    assert start.gradient.shape == (len(start), hands.velocity_count)
    pairs = lambda c: list(zip(c.link_a, c.link_b, c.collision_a, c.collision_b, strict=True))
    h = 1e-6
    checked = 0
    for joint in range(hands.position_count):
        more = q.copy()
        more[joint] += h
        try:
            moved = hands.clearances(more, max_distance=0.04)
        except ValueError:  # beyond a limit
            continue
        after = dict(zip(pairs(moved), moved.contacts.distance, strict=True))
        for row, pair in enumerate(pairs(start)):
            if start.contacts.distance[row] > 1e-3 and pair in after:
                difference = (after[pair] - start.contacts.distance[row]) / h
                assert abs(difference - start.gradient[row, joint]) < 1e-4
                checked += 1
    assert checked > 50


def test_edges_are_what_samples_say(hands, rng):
    q = configurations(hands, rng, 8)
    edges = hands.edge_free(q[:4], q[4:])
    for k in range(4):
        t = np.linspace(0, 1, 50)[:, None]
        collides = hands.in_collision(q[k] * (1 - t) + q[4 + k] * t)
        if edges.status[k] == superovoid.EdgeStatus.FREE:
            assert not collides.any()
        if collides.any():
            assert edges.status[k] == superovoid.EdgeStatus.HIT
            assert t[collides.argmax(), 0] >= edges.safe[k] or np.isnan(edges.safe[k])


CUBE = "\n".join(
    [f"v {x} {y} {z}" for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    + [f"f {a} {b} {c} {d}" for a, b, c, d in [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]]
)


def test_meshes_of_files_are_compared_and_kept_in_a_cache(tmp_path):
    text = (
        "<robot name='r'><link name='l'><collision><geometry><mesh filename='{}'/></geometry></collision></link><link name='m'/>"
        "<joint name='j' type='continuous'><parent link='l'/><child link='m'/></joint></robot>"
    )
    (tmp_path / "cube.obj").write_text(CUBE)
    urdf = tmp_path / "r.urdf"
    urdf.write_text(text.format("cube.obj"))
    bare = superovoid.Robot.from_urdf(urdf)
    robot = bare.with_mesh_files(urdf)
    cache = tmp_path / "r.cache"
    assert robot.use_cache(cache) is False
    assert robot.use_cache(cache) is True
    assert pickle.loads(pickle.dumps(robot)).use_cache(cache) is True
    for of in (robot, pickle.loads(pickle.dumps(robot))):
        scene = superovoid.RobotScene(of)
        scene.add_obstacle("ball", superovoid.Superovoids.sphere(0.25), [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
        assert scene.closest([0.0]).contacts.distance == pytest.approx(1.25, abs=1e-9)
    with pytest.raises(ValueError, match="is no cache of a robot's meshes; expected one, or no file"):
        robot.use_cache(urdf)
    assert urdf.read_text() == text.format("cube.obj")
    with pytest.raises(ValueError, match=r'link "l", collision 1: the mesh "none.obj": '):
        superovoid.Robot.from_urdf_text(text.format("none.obj")).with_mesh_files(urdf)
    with pytest.raises(ValueError, match="nowhere"):
        bare.with_mesh_files(urdf, [tmp_path / "nowhere"])

"""Scenes and robots among obstacles, against the queries of pairs."""

import threading

import numpy as np
import pytest
import superovoid
from conftest import HANDS, HERE, poses, shapes

SLIDER = """<robot name="slider"><link name="base"/>
  <link name="bob"><collision><geometry><superovoid a1="0.2" a2="0.3" a3="0.1" e1="0.5" e2="0.7" tx="0" ty="0"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="bob"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>"""


def test_contacts_of_a_scene_are_those_of_its_pairs(rng):
    bodies, pose = shapes(rng, 12), poses(rng, 12)
    scene = superovoid.Scene()
    ids = np.array([scene.add(f"group {k % 6}", bodies[k], pose[k]) for k in range(12)])
    posts = scene.add_obstacle("posts", superovoid.ConvexShape.cylinder(0.1, 2.0), poses(rng, 5))
    assert len(scene) == 17 and posts.shape == (5,)
    found = scene.contacts()
    want = {}
    for i in range(12):
        for j in range(i + 1, 12):
            if i % 6 != j % 6:
                want[ids[i], ids[j]] = superovoid.contact(bodies[i], pose[i], bodies[j], pose[j]).distance
        for post in posts:
            want[ids[i], post] = superovoid.contact(bodies[i], pose[i], superovoid.ConvexShape.cylinder(0.1, 2.0), scene.pose(post)).distance
    rows = dict(zip(zip(found.a.tolist(), found.b.tolist()), found.contacts.distance))
    assert rows.keys() == want.keys()
    # Depths of overlapping bodies are fast ones: a warm start may find another one.
    for pair, distance in want.items():
        assert rows[pair] == pytest.approx(distance, abs=3e-9 if distance > 0 else 1e-3)
    assert (np.diff(found.contacts.distance) >= 0).all()
    assert scene.closest().contacts.distance[0] == pytest.approx(found.contacts.distance[0], abs=1e-3)
    assert scene.in_collision() == (found.contacts.distance[0] <= 0)
    near = scene.contacts(max_distance=1.0)
    assert set(zip(near.a, near.b)) >= {pair for pair, d in want.items() if d < 1.0 - 1e-8}


def test_bodies_come_move_and_go():
    ball = superovoid.Superovoids.sphere(0.5)
    scene = superovoid.Scene()
    one, two = scene.add("one", ball, HERE), scene.add("two", ball, HERE + np.eye(7)[0] * 3)
    assert scene.closest().contacts.distance[0] == pytest.approx(2.0) and not scene.in_collision()
    scene.move_to(two, HERE + np.eye(7)[0] * 0.5)
    assert scene.in_collision()
    scene.allow("one", "two")
    assert not scene.in_collision() and len(scene.contacts()) == 0
    scene.forbid("one", "two")
    other = scene.copy()
    scene.remove(one)
    assert len(scene) == 1 and other.in_collision() and not scene.in_collision()
    assert scene.group_of(int(two)) == "two"
    with pytest.raises(ValueError, match="no body"):
        scene.move_to(one, HERE)
    with pytest.raises(ValueError, match='no group "three"'):
        scene.allow("one", "three")


def test_a_refused_change_changes_nothing(rng):
    scene = superovoid.Scene()
    ids = scene.add("balls", superovoid.Superovoids.sphere([0.1, 0.2, 0.3]), poses(rng, 3))
    before = scene.pose(ids)
    bad = poses(rng, 3)
    bad[2, 3:] = 0.0
    with pytest.raises(ValueError, match=r"element \[2\]: "):
        scene.move_to(ids, bad)
    assert np.array_equal(scene.pose(ids), before)
    # One that is moved twice before the refusal goes back to where it was first.
    with pytest.raises(ValueError, match="no body"):
        scene.move_to([ids[0], ids[0], 99], poses(rng, 3))
    assert np.array_equal(scene.pose(ids), before)
    with pytest.raises(ValueError, match=r"element \[2\]: "):
        scene.add("more", superovoid.Superovoids.sphere(1.0), bad)
    assert len(scene) == 3
    with pytest.raises(ValueError, match="no body"):
        scene.remove([ids[0], 99])
    assert len(scene) == 3
    with pytest.raises(ValueError, match="half-space"):
        scene.add("ground", superovoid.HalfSpace([0, 0, 1], 0), HERE)
    with pytest.raises(TypeError, match="id has the dtype float64"):
        scene.remove(1.5)


def test_threads_share_a_scene(rng):
    scene = superovoid.Scene()
    ids = scene.add("a", superovoid.Superovoids.sphere(np.full(50, 0.1)), poses(rng, 50))
    scene.add("b", superovoid.Superovoids.sphere(np.full(50, 0.1)), poses(rng, 50))
    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(50):
            scene.move_to(ids, poses(random, 50))
            scene.contacts(max_distance=0.2)
            scene.in_collision()
    callers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    [t.start() for t in callers]
    [t.join(timeout=60) for t in callers]
    assert not any(t.is_alive() for t in callers)


def test_a_robot_among_obstacles_is_its_body_among_them(rng):
    robot = superovoid.Robot.from_urdf_text(SLIDER)
    scene = superovoid.RobotScene(robot)
    wall = scene.add_obstacle("wall", superovoid.ConvexShape.cuboid([0.1, 1.0, 1.0]), HERE + np.eye(7)[0] * 2)
    q = np.linspace(-3, 3, 301)[:, None]
    there = np.zeros((301, 7))
    there[:, 0], there[:, 6] = q[:, 0], 1.0
    want = superovoid.contact([0.2, 0.3, 0.1, 0.5, 0.7, 0, 0], there, superovoid.ConvexShape.cuboid([0.1, 1, 1]), HERE + np.eye(7)[0] * 2)
    found = scene.closest(q)
    assert len(found) == 301 and (found.obstacle == int(wall)).all() and (found.link_b == -1).all()
    apart = want.distance > 0
    assert np.allclose(found.contacts.distance[apart], want.distance[apart], rtol=0, atol=3e-9)
    assert np.array_equal(scene.in_collision(q), want.distance <= 0)
    assert np.array_equal(scene.in_collision(q.reshape(7, 43, 1)), (want.distance <= 0).reshape(7, 43))
    edge = scene.edge_free([[-3.0], [-3.0]], [[1.0], [3.0]])
    assert edge.status.tolist() == [superovoid.EdgeStatus.FREE, superovoid.EdgeStatus.HIT]
    assert edge.obstacle.tolist() == [-1, int(wall)] and edge.links[1].tolist() == [1, -1]
    # The bodies touch where x + 0.2 = 1.9.
    assert -3 + 6 * edge.safe[1] <= 1.7 <= -3 + 6 * edge.touching[1] + 1e-6
    scene.move_obstacle(wall, HERE + np.eye(7)[0] * 20)
    assert not scene.in_collision(q).any()
    scene.set_base(HERE + np.eye(7)[0] * 20)
    assert scene.in_collision([0.0]) and scene.base[0] == 20
    scene.allow("bob", "wall")
    assert not scene.in_collision([0.0])
    scene.remove_obstacle(int(wall))
    assert len(scene.contacts([0.0])) == 0


def test_hands_alone_are_the_robot(rng):
    robot = superovoid.Robot.from_urdf(HANDS)
    scene = superovoid.RobotScene(robot)
    least, most = np.clip(robot.position_limits, robot.neutral[:, None] - 0.5, robot.neutral[:, None] + 0.5).T
    q = rng.uniform(least, most, (200, robot.position_count))
    hit = robot.in_collision(q)
    assert np.array_equal(scene.in_collision(q), hit) and 0 < hit.sum() < 200
    clearance, closest = scene.clearance(q), scene.closest(q)
    assert np.array_equal(clearance == 0, hit) and clearance.shape == (200,)
    assert clearance[~hit] == pytest.approx(closest.contacts.distance[~hit], abs=1e-9)
    assert np.array_equal(scene.clearance(q, max_distance=1e-4), np.minimum(clearance, 1e-4))
    near = scene.contacts(q[:20], max_distance=0.01)
    rows = robot.clearances(q[:20], max_distance=0.01)
    ours = sorted(zip(near.configuration, near.link_a, near.collision_a, near.link_b, near.collision_b))
    theirs = sorted(zip(rows.configuration, rows.link_a, rows.collision_a, rows.link_b, rows.collision_b))
    assert ours == theirs and len(ours) > 20
    one, two = scene.in_collision(q, threads=1), scene.in_collision(q, threads=2)
    assert np.array_equal(one, two)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.in_collision([0.0, 0.0]), "configurations has the shape"),
        (lambda s: s.in_collision([[0.0], [np.nan]]), r"element \[1\]: "),
        (lambda s: s.in_collision([[0.0]], threads=0), "threads = 0"),
        (lambda s: s.clearance([[0.0], [np.nan]]), r"element \[1\]: "),
        (lambda s: s.clearance([0.0], max_distance=-1.0), "max_distance"),
        (lambda s: s.add_obstacle("bob", superovoid.Superovoids.sphere(1.0), HERE), "name of a link"),
        (lambda s: s.allow("bob", "nobody"), 'no link, attached object or obstacle "nobody"'),
        (lambda s: s.remove_obstacle(0), "part of the robot"),
        (lambda s: s.contacts([0.0], max_distance=-1.0), "max_distance"),
        (lambda s: s.apply_srdf("no.srdf"), "no.srdf"),
    ],
)
def test_wrong_requests_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(superovoid.RobotScene(superovoid.Robot.from_urdf_text(SLIDER)))

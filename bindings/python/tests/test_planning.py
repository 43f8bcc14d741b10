"""Objects that are attached, paddings, and plans: distances of balls in closed form."""

import pickle

import numpy as np
import pytest
import superovoid as s
from conftest import HERE

ARM = """<robot name="arm"><link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="hand"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.2"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/></joint></robot>"""

TABLE = """<robot name="table"><link name="base"/><link name="carriage"/>
<link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint>
<joint name="y" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint>
</robot>"""

POST, HELD = np.array([0, 1.8, 0]), np.array([1.5, 0, 0.2])
TURNS = np.linspace(0, 2 * np.pi, 49)[:, None]


def at(point):
    return np.concatenate([point, HERE[3:]])


def arm():
    scene = s.RobotScene(s.Robot.from_urdf_text(ARM))
    return scene, scene.add_obstacle("post", s.ConvexShape.ball(0.3), at(POST))


def turned(point):
    c, n = np.cos(TURNS[:, 0]), np.sin(TURNS[:, 0])
    return np.column_stack([c * point[0] - n * point[1], n * point[0] + c * point[1], np.full(len(TURNS), point[2])])


def distances(held=True):
    """Of the hand and the post, of the held ball and the post, of the held ball and the base, of the base and the post."""
    held_there, hand = turned(HELD), turned(np.array([1, 0, 0]))
    rows = [np.linalg.norm(hand - POST, axis=1) - 0.5, np.linalg.norm(held_there - POST, axis=1) - 0.55]
    rows += [np.linalg.norm(held_there, axis=1) - 0.35, np.full(len(TURNS), 1.8 - 0.4)]
    return np.array(rows if held else [rows[0], rows[3]])


def test_what_is_attached_moves_with_its_link():
    scene, post = arm()
    assert scene.clearance(TURNS) == pytest.approx(distances(False).min(axis=0).clip(0), abs=1e-9)
    ball = scene.attach("ball", "hand", s.ConvexShape.ball(0.25), at(HELD))
    least = distances().min(axis=0)
    assert scene.clearance(TURNS) == pytest.approx(least.clip(0), abs=1e-9)
    assert np.array_equal(scene.in_collision(TURNS), least <= 0) and 0 < (least <= 0).sum() < len(least)
    found, nearest = scene.closest(TURNS), distances().argmin(axis=0)
    assert found.contacts.distance == pytest.approx(least, abs=1e-9)
    assert found.link_a.tolist() == [[1, 1, 0, 0][k] for k in nearest]
    assert found.attached_a.tolist() == [[-1, ball, -1, -1][k] for k in nearest]
    assert found.collision_a.tolist() == [[0, -1, 0, 0][k] for k in nearest]
    assert found.link_b.tolist() == [[-1, -1, 1, -1][k] for k in nearest]
    assert found.attached_b.tolist() == [[-1, -1, ball, -1][k] for k in nearest]
    assert found.obstacle.tolist() == [[int(post), int(post), -1, int(post)][k] for k in nearest]
    assert {1, 2} <= set(nearest.tolist())
    table = found.to_arrow()
    assert table["attached_a"].null_count == (found.attached_a == -1).sum() and table["attached_b"].null_count > 0
    edge = scene.edge_free([0.0], [np.pi])
    assert edge.status == s.EdgeStatus.HIT and edge.attached.tolist() == [ball, -1] and edge.links.tolist() == [1, -1]
    again = pickle.loads(pickle.dumps(found))
    for name in ["link_a", "collision_a", "attached_a", "link_b", "collision_b", "attached_b", "obstacle"]:
        assert np.array_equal(getattr(again, name), getattr(found, name)), name


def test_objects_are_gripped_and_left():
    scene, _ = arm()
    ball = scene.attach("ball", "hand", s.ConvexShape.ball(0.25), at(HELD), touch_links=["base"])
    touching = distances()[[0, 1, 3]].min(axis=0)
    assert scene.clearance(TURNS) == pytest.approx(touching.clip(0), abs=1e-9)
    assert scene.is_allowed("ball", "base") and scene.is_allowed("hand", "ball") and not scene.is_allowed("ball", "post")
    scene.set_default("ball", True)
    assert scene.is_allowed("ball", "post")
    scene.set_default("ball", None)
    assert not scene.is_allowed("ball", "post")
    (held,) = scene.attached
    assert (held.id, held.name, held.link, held.pose.tolist()) == (ball, "ball", 1, at(HELD).tolist())
    copy = scene.copy()
    scene.detach("ball", [np.pi / 2])
    assert scene.attached == [] and [body.id for body in copy.attached] == [ball]
    assert (scene.closest([np.pi / 2]).obstacle == ball).all()
    assert scene.closest([np.pi / 2]).contacts.distance == pytest.approx(np.hypot(0.5, 0.2) - 0.45, abs=1e-9)
    scene.attach_obstacle("ball", "hand", [np.pi / 2], touch_links=["base"])
    assert scene.clearance(TURNS) == pytest.approx(touching.clip(0), abs=1e-9)
    assert scene.attached[0].id == ball and scene.attached[0].pose == pytest.approx(at(HELD), abs=1e-12)
    assert repr(scene) == '<RobotScene of "arm" and 1 obstacles>'
    scene.detach("ball")
    assert scene.clearance(TURNS) == pytest.approx(distances(False).min(axis=0).clip(0), abs=1e-9)


def test_paddings_and_scales_count():
    scene, _ = arm()
    scene.attach("ball", "hand", s.ConvexShape.ball(0.25), at(HELD))
    less = np.zeros((4, 1))
    def check():
        assert scene.closest(TURNS).contacts.distance == pytest.approx((distances() - less).min(axis=0), abs=1e-9)
    scene.set_padding("hand", 0.125)
    less[0] = 0.125
    check()
    scene.set_padding("ball", 0.0625)
    less[1:3] = 0.0625
    check()
    scene.set_pair_padding("ball", "post", 0.25)
    less[1] = 0.3125
    check()
    assert scene.padding("hand") == 0.125 and scene.padding("base") == 0 and scene.pair_padding("post", "ball") == 0.25
    scene.set_scale("hand", 2)
    less[0] += 0.2
    check()
    scene.set_scale("hand", 1)
    less[0] -= 0.2
    check()


def table():
    scene = s.RobotScene(s.Robot.from_urdf_text(TABLE))
    scene.add_obstacle("post", s.ConvexShape.ball(0.3), HERE)
    return scene


def nearest_to(center, path):
    """The least distance of a path of straight lines from a point of the plane."""
    start, step = path[:-1] - center, np.diff(path, axis=0)
    t = np.clip(-(start * step).sum(axis=1) / (step**2).sum(axis=1), 0, 1)
    return np.linalg.norm(start + t[:, None] * step, axis=1).min()


def test_a_path_leads_around_a_post():
    scene = table()
    found = s.plan(scene, [-0.8, 0], [[0.1, 0], [0.8, 0]])
    assert found.proven and found.goal == 1 and found.reason is None and found.touching == []
    assert found.path.shape == (len(found.path), 2) and found.joints == ["x", "y"] and len(found.path) > 2
    assert found.path[0].tolist() == [-0.8, 0] and found.path[-1].tolist() == [0.8, 0]
    assert nearest_to([0, 0], found.path) > 0.4
    assert scene.find_collision(found.path) is None and scene.find_collision([[-0.8, 0], [0, 0], [0.8, 0]]) == 1
    assert (scene.edge_free(found.path[:-1], found.path[1:]).status == s.EdgeStatus.FREE).all()
    counts = found.statistics
    assert counts["edges_proven"] >= len(found.path) - 1 and counts["rounds"] >= 1 and counts["search"] >= 0
    assert np.array_equal(s.plan(scene, [-0.8, 0], [0.8, 0], joints=["x", "y"]).path, found.path)
    assert not np.array_equal(s.plan(scene, [-0.8, 0], [0.8, 0], seed=5).path, found.path)
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.path, found.path) and again.statistics == found.statistics
    unproven = s.plan(scene, [-0.8, 0], [0.8, 0], prove=False)
    assert not unproven.proven and len(unproven.path) > 2 and unproven.statistics["edges_proven"] == 0
    scene.attach("load", "ball", s.ConvexShape.ball(0.2), at([0, 0.15, 0]))
    scene.set_padding("load", 0.05)
    path = s.plan(scene, [-0.8, 0], [0.8, 0]).path
    assert nearest_to([0, 0], path) > 0.4 and nearest_to([0, -0.15], path) > 0.55


def test_a_plan_tells_why_there_is_no_path():
    scene = table()
    none = s.plan(scene, [0.1, 0], [0.8, 0])
    assert none.path.shape == (0, 2) and not none.proven and none.goal is None
    assert "the start is in collision: ball and post" in none.reason
    ((a, b, distance),) = none.touching
    assert (a, b) == ("ball", "post") and distance == pytest.approx(-0.3, abs=1e-9)
    goals = s.plan(scene, [-0.8, 0], [[0.2, 0], [0, 0.3]])
    assert [pair[2] for pair in goals.touching] == pytest.approx([-0.2, -0.1], abs=1e-9) and "goal 2" in goals.reason
    scene.add_obstacle("wall", s.ConvexShape.cuboid([0.01, 3, 1]), at([0.5, 0, 0]))
    walled = s.plan(scene, [-0.8, 0], [0.8, 0], max_samples=300)
    assert "300 samples" in walled.reason and walled.statistics["samples"] == 300 and walled.touching == []
    assert "in 0.001 s" in s.plan(scene, [-0.8, 0], [0.8, 0], max_time=1e-3).reason


BALL = s.ConvexShape.ball(0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda scene: scene.attach("x", "nobody", BALL, HERE), 'no link "nobody"'),
        (lambda scene: scene.attach("x", "ball", BALL, HERE, touch_links=["nobody"]), "nobody"),
        (lambda scene: scene.attach("post", "ball", BALL, HERE), '"post" is taken'),
        (lambda scene: scene.attach("x", "ball", s.HalfSpace([0, 0, 1], 0), HERE), "cannot be attached"),
        (lambda scene: scene.attach("x", "ball", s.Superovoids(np.ones((2, 7)) * 0.5), HERE), "one body is wanted"),
        (lambda scene: scene.attach("x", "ball", BALL, [HERE, HERE]), "one pose is wanted"),
        (lambda scene: scene.attach_obstacle("nobody", "ball", [0, 0]), 'no obstacle "nobody"'),
        (lambda scene: scene.attach_obstacle("post", "ball", [[0, 0]]), "configuration has the axes"),
        (lambda scene: scene.attach_obstacle("post", "ball", [0, 2]), '"y"'),
        (lambda scene: scene.detach("post"), 'no attached object "post"'),
        (lambda scene: scene.set_padding("ball", -0.1), "padding of .*ball.* is -0.1"),
        (lambda scene: scene.set_padding("post", 0.1), "post"),
        (lambda scene: scene.padding("nobody"), 'no link, attached object or obstacle "nobody"'),
        (lambda scene: scene.set_pair_padding("ball", "post", np.nan), "ball, post"),
        (lambda scene: scene.pair_padding("ball", "nobody"), "nobody"),
        (lambda scene: scene.set_scale("ball", 0), "ball"),
        (lambda scene: scene.set_scale("post", 1), 'no link "post"'),
        (lambda scene: scene.is_allowed("ball", "nobody"), "nobody"),
        (lambda scene: scene.set_default("nobody", True), "nobody"),
        (lambda scene: scene.find_collision([[0, 0], [0, 2]]), r"element \[1\]: .*\"y\""),
        (lambda scene: s.plan(scene, [0, 0, 0], [0.8, 0]), "start has the shape"),
        (lambda scene: s.plan(scene, [[-0.8, 0]], [0.8, 0]), "start has the axes"),
        (lambda scene: s.plan(scene, [-0.8, 0], np.zeros((0, 2))), "there is no goal"),
        (lambda scene: s.plan(scene, [-0.8, 0], [[0.8, 0], [0, 2]]), r"element \[1\]: .*\"y\""),
        (lambda scene: s.plan(scene, [-0.8, 0], [0.8, 0], joints=["z"]), 'no joint "z"; expected one of x, y'),
        (lambda scene: s.plan(scene, [-0.8, 0], [0.8, 0], joints=[]), "no revolute"),
        (lambda scene: s.plan(scene, [-0.8, 0], [0.8, 0.1], joints=["x"]), 'goal 1: joint "y"'),
        (lambda scene: s.plan(scene, [-0.8, 0], [0.8, 0], spacing=0), "spacing = 0"),
        (lambda scene: s.plan(scene, [-0.8, 0], [0.8, 0], max_step=np.inf), "max_step = inf"),
        (lambda scene: s.plan(scene, [-0.8, 0], [0.8, 0], max_time=-1), "max_time = -1"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(table())

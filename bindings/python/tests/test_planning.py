"""Objects that are attached, paddings, and plans: distances of balls in closed form."""

import pickle
import signal
import threading
import time

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


def test_edges_in_batches_are_those_of_single_calls():
    scene = table()
    starts, ends = np.array([[-0.8, 0], [-0.8, 0.5], [0, -0.9]]), np.array([[0.8, 0], [0.8, 0.5], [0, -0.2]])
    found = scene.edge_free(starts, ends)
    assert found.status.tolist() == [s.EdgeStatus.HIT, s.EdgeStatus.FREE, s.EdgeStatus.HIT]
    assert found.touching[[0, 2]] == pytest.approx([0.25, 0.5 / 0.7], abs=1e-5)
    for threads in [1, 2]:
        again = scene.edge_free(starts, ends, threads=threads)
        assert all(np.array_equal(getattr(again, n), getattr(found, n), equal_nan=True) for n in ["status", "safe", "touching", "links"])
    alone = [scene.edge_free(a, b) for a, b in zip(starts, ends)]
    assert [one.safe for one in alone] == found.safe.tolist()
    assert (scene.edge_free(starts, ends, max_time=0).status == s.EdgeStatus.UNDECIDED).all()
    assert scene.edge_free(starts, [0.8, 0]).status.shape == (3,) and scene.edge_free(np.zeros((0, 2)), [0, 0]).status.shape == (0,)


def test_states_of_a_line():
    scene = table()
    assert 4 <= scene.find_collision_between([-0.8, 0], [0.8, 0], 16) <= 12
    assert scene.find_collision_between([-0.8, 0], [0.8, 0], 2) == 1
    assert scene.find_collision_between([-0.8, 0], [0.8, 0], 1) is None
    assert scene.find_collision_between([-0.8, 0], [-0.8, 0.9], 1000) is None


def test_splines_reach_the_post_when_their_positions_do():
    scene, times = table(), [5, 6]
    rest, swing = [[0, 0], [0, 0]], [[1, 0], [-2, 0]]
    ends = np.array([[-0.8, 0], [-0.45, 0]])
    slow = s.Spline.cubic(times, ends, rest)
    assert slow.position(5.5) == pytest.approx([-0.625, 0]) and slow.position([[0, 9]]).shape == (1, 2, 2)
    assert slow.times.tolist() == times and slow.degree == 3 and slow.position_count == 2
    free = scene.spline_free(slow)
    assert free.status == s.EdgeStatus.FREE and free.safe == 6 and np.isnan(free.touching)
    assert scene.spline_free(s.Spline.quintic(times, ends, rest, rest)).status == s.EdgeStatus.FREE
    powers = [[[-0.8, 0], [1, 0], [1.05, 0], [-1.7, 0]]]
    points = [[-0.8, 0], [-0.8 + 1 / 3, 0], [-0.45 + 2 / 3, 0], [-0.45, 0]]
    made = [s.Spline.cubic(times, ends, swing), s.Spline.polynomials(times, powers), s.Spline.bezier(3, times, points)]
    made.append(s.Spline.b_spline(3, [5] * 4 + [6] * 4, points))
    t = np.linspace(0, 1, 9)
    for spline in made:
        assert spline.position(5 + t)[:, 0] == pytest.approx(-0.8 + t * (1 + t * (1.05 - 1.7 * t)), abs=1e-12)
        found = scene.spline_free(spline)
        assert found.status == s.EdgeStatus.HIT and found.safe <= found.touching and found.links.tolist() == [2, -1]
        assert spline.position(found.touching)[0] == pytest.approx(-0.4, abs=1e-5)
        again = pickle.loads(pickle.dumps(spline))
        assert np.array_equal(again.position(5 + t), spline.position(5 + t)) and repr(again) == repr(spline)


def test_a_region_is_a_polyhedron_of_free_configurations():
    scene = table()
    region = scene.free_region([-0.8, 0])
    a, b = region.half_spaces()
    assert a.shape == (4, 2) and b.shape == (4,) and region.joints == ["x", "y"] and region.states > 0
    corners = np.array([[x, y] for x in [region.lower[0], region.upper[0]] for y in [region.lower[1], region.upper[1]]])
    assert (np.sort(corners @ a.T - b) <= 0).all() and ((corners @ a.T == b).sum(axis=1) == 2).all()
    points = np.random.default_rng(1).uniform(-1, 1, (1000, 2))
    inside = region.contains(points)
    assert np.array_equal(inside, (points @ a.T <= b).all(axis=1)) and 50 < inside.sum() < 950
    assert not scene.in_collision(points[inside]).any() and region.contains(region.at)
    nearest = np.clip([0, 0], region.lower, region.upper)
    assert np.linalg.norm(nearest) > 0.4
    wider = scene.free_region([-0.8, 0], min_separation=0.1, max_states=5000)
    assert np.linalg.norm(np.clip([0, 0], wider.lower, wider.upper)) > 0.5
    again = pickle.loads(pickle.dumps(region))
    assert np.array_equal(again.contains(points), inside) and again.joints == region.joints and again.states == region.states
    assert s.Robot.from_urdf_text(TABLE).movable_joints == ["x", "y"]


def test_a_plan_that_is_cancelled_says_so():
    scene, seen = table(), []
    found = s.plan(scene, [-0.8, 0], [0.8, 0], progress=seen.append)
    assert np.array_equal(found.path, s.plan(scene, [-0.8, 0], [0.8, 0]).path) and seen[0]["samples"] == 0
    scene.add_obstacle("wall", s.ConvexShape.cuboid([0.01, 3, 1]), at([0.5, 0, 0]))
    samples = []

    def third(work):
        samples.append(work["samples"])
        return len(samples) < 3

    ended = s.plan(scene, [-0.8, 0], [0.8, 0], max_samples=2**40, progress=third)
    assert len(samples) == 3 and samples == sorted(samples) and len(ended.path) == 0 and not ended.proven
    assert ended.reason == "the plan was cancelled" and ended.touching == [] and ended.statistics["samples"] >= samples[-1]

    def fails(_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        s.plan(scene, [-0.8, 0], [0.8, 0], progress=fails)


def test_every_configuration_counts_for_a_step():
    scene, names = table(), ["bounds", "directions", "hulls", "pieces", "contacts"]
    assert scene.step_counts() == dict.fromkeys(names, 0) and list(scene.step_counts()) == names
    states, asked = np.random.default_rng(2).uniform(-1, 1, (1000, 2)), 0
    for count, options in [(1, {}), (8, {}), (13, {"threads": 1}), (1000, {"threads": 2}), (1000, {})]:
        before = scene.step_counts()
        scene.in_collision(states[:count], **options)
        after, asked = scene.step_counts(), asked + count
        assert sum(after.values()) == asked and all(after[name] >= before[name] for name in names)
    scene.closest(states)
    assert sum(scene.step_counts().values()) == asked
    scene.add_obstacle("far", BALL, [at([50, 0, 0]), at([60, 0, 0])])
    scene.add_obstacle("far", BALL, at([70, 0, 0]))
    assert scene.step_counts() == after
    assert scene.find_collision_between([-0.8, 0], [-0.8, 0.9], 16) is None
    assert sum(scene.step_counts().values()) == asked + 16
    assert sum(scene.copy().step_counts().values()) == 0
    before = sum(scene.step_counts().values())
    s.plan(scene, [-0.8, 0], [0.8, 0])
    assert sum(scene.step_counts().values()) > before


def test_a_callback_may_ask_the_scene():
    scene, answers = table(), []

    def asks(_):
        answers.append((bool(scene.in_collision([0, 0])), scene.find_collision_between([-0.8, 0], [-0.8, 0.9], 50)))

    found = s.plan(scene, [-0.8, 0], [0.8, 0], progress=asks)
    assert found.proven and answers and set(answers) == {(True, None)}


class Asks:
    """Looks at a scene while it is converted to an array."""

    def __init__(self, scene):
        self.scene = scene

    def __array__(self, dtype=None, copy=None):
        self.scene.clearance([-0.8, 0])
        return np.array(HERE, dtype=dtype)


def test_a_call_within_a_call_is_an_error():
    scene = table()
    with pytest.raises(RuntimeError, match="this RobotScene is in use by a call that has not returned"):
        scene.add_obstacle("wall", BALL, Asks(scene))
    # Configurations are read before the scene is in use.
    assert scene.spline_free(s.Spline.bezier(1, [0, 1], [[-0.8, 0], [-0.8, 0.5]])).status == s.EdgeStatus.FREE
    assert repr(scene) == '<RobotScene of "table" and 1 obstacles>'


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers of signals")
def test_a_signal_handler_gets_an_error_and_does_not_hang():
    scene = table()
    scene.add_obstacle("wall", s.ConvexShape.cuboid([0.01, 3, 1]), at([0.5, 0, 0]))
    before = signal.signal(signal.SIGALRM, lambda *_: scene.in_collision([0, 0]))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(RuntimeError, match="in use"):
            s.plan(scene, [-0.8, 0], [0.8, 0], max_samples=2**40, max_time=60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert scene.in_collision([0, 0])


def test_threads_share_a_robot_scene():
    scene, alone = table(), table()
    starts = np.random.default_rng(4).uniform(-0.9, 0.9, (24, 2))
    ends = np.roll(starts, 1, axis=0)
    splines = [s.Spline.bezier(1, [0, 1], [a, b]) for a, b in zip(starts, ends)]
    regions = [q for q in starts if not alone.in_collision(q)][:3]

    def asked(scene):
        """Verdicts alone: the parts of a batch may be measured with other warm starts."""
        found = [scene.in_collision(starts).tolist(), scene.find_collision(starts)]
        found += [scene.find_collision_between(a, b, 20) for a, b in zip(starts, ends)]
        found += [scene.edge_free(starts, ends).status.tolist(), [int(scene.spline_free(spline).status) for spline in splines]]
        found += [scene.free_region(q, max_states=300).lower.tolist() for q in regions]
        return found + [s.plan(scene, [-0.8, 0], [0.8, 0]).path.tolist()]

    want, answers, ended = asked(alone), [], []

    def work():
        answers.extend(asked(scene) for _ in range(3))

    def obstacles():
        while not ended:
            far = scene.add_obstacle("far", BALL, at([50, 0, 0]))
            scene.remove_obstacle(int(far))
            time.sleep(1e-3)

    callers, mover = [threading.Thread(target=work) for _ in range(4)], threading.Thread(target=obstacles)
    [t.start() for t in [*callers, mover]]
    [t.join(timeout=120) for t in callers]
    ended.append(True)
    mover.join(timeout=60)
    assert not any(t.is_alive() for t in [*callers, mover])
    assert len(answers) == 12 and all(answer == want for answer in answers)


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
        (lambda scene: scene.edge_free([[0, 0.9], [0, 0.9]], [[0, 0.9], [0, 2]]), r"element \[1\]: .*\"y\""),
        (lambda scene: scene.edge_free([0, 0], [0, 0], max_time=-1), "max_time = -1"),
        (lambda scene: scene.edge_free([0, 0], [0, 0], min_separation=np.nan), "min_separation"),
        (lambda scene: scene.find_collision_between([[0, 0]], [0, 0], 3), "start has the axes"),
        (lambda scene: scene.find_collision_between([0, 0], [0, 2], 3), '"y"'),
        (lambda scene: scene.free_region([0, 0]), '"ball" and "post"'),
        (lambda scene: scene.free_region([0, 0.9], resolution=0), "resolution"),
        (lambda scene: scene.free_region([0, 0.9]).contains([1]), "configurations has the shape"),
        (lambda _: s.Spline.cubic([0, 1], [[0, 0]], [[0, 0]]), "1 positions; expected 2"),
        (lambda _: s.Spline.cubic([0, 0], [[0], [0]], [[0], [0]]), "time 1 = 0"),
        (lambda _: s.Spline.cubic([0, 1], [0, 0], [[0], [0]]), "positions has 1 axes; 2 are wanted"),
        (lambda _: s.Spline.cubic([0, 1], [[0], [np.nan]], [[0], [0]]), "positions 1"),
        (lambda _: s.Spline.polynomials([0, 1], np.zeros((1, 0, 2))), "degree 0"),
        (lambda _: s.Spline.bezier(16, [0, 1], np.zeros((17, 2))), "degree 16"),
        (lambda _: s.Spline.b_spline(1, [0, 1, 2], np.zeros((2, 2))), "3 knots; expected 4"),
        (lambda _: s.Spline.bezier(1, [0, 1], [[0], [1]]).position(np.inf), "time = inf"),
        (lambda scene: scene.spline_free(s.Spline.bezier(1, [0, 1], [[0], [1]])), "expected 2|1"),
        (lambda scene: scene.spline_free(s.Spline.bezier(1, [0, 1], [[0, 0.9], [5, 0.9]])), 'joint "x" = '),
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

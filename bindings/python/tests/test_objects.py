"""Objects are pickled, copied and indexed; what is wrong with an argument is said in words."""

import copy
import pickle

import numpy as np
import pytest
import superovoid
from conftest import HANDS, HERE, poses, shapes

s = superovoid


def thrown(rng, count=8):
    start = np.array([[3.0 + k, 0.1, 0.2, 0, 0, 0, 1] for k in range(count)])
    return s.Motions.screw(start, [-8.0, 0, 0], rng.uniform(-1, 1, (count, 3)))


def objects(rng):
    a, b = shapes(rng, 8), shapes(rng, 8)
    pose_a, pose_b = poses(rng, 8), poses(rng, 8)
    mesh = s.TriMesh(rng.uniform(-2, 2, (9, 3)), [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    boxes = s.BoxSet([[0, 0, 0], [1, 1, 1]], [[0.5, 0.5, 0.5], [2, 2, 2]])
    found = s.contact(a, pose_a, b, pose_b)
    robot = s.Robot.from_urdf(HANDS)
    q = np.tile(robot.neutral, (2, 1))
    scene = s.RobotScene(robot)
    scene.add_obstacle("ball", s.Superovoids.sphere(0.02), [0, 0, 0.1, 0, 0, 0, 1])
    yield s.Superovoids(a)
    yield s.Superovoids(a[0])
    yield s.Superovoids(a.reshape(2, 4, 7))
    for convex in [s.ConvexShape.ball(0.1), s.ConvexShape.cuboid([0.1, 0.2, 0.3]), s.ConvexShape.cylinder(0.1, 0.7)]:
        yield convex
    for convex in [s.ConvexShape.capsule(0.1, 0.7), s.ConvexShape.cone(0.1, 0.7), s.ConvexShape.hull(rng.uniform(size=(9, 3)))]:
        yield convex
    cup = s.Superquadric.two_sheets([1, 2, 3], [0.5, 1.5], 2.5, "lower")
    for body in [cup, s.ConvexShape.hull_of(cup), s.Superquadric.one_sheet([1, 2, 3], [0.5, 1.5], 0.7), s.Superquadric.toroid([1, 2, 3], [0.5, 1.5], 2.5)]:
        yield body
    yield mesh
    yield boxes
    yield s.HalfSpace([1, 2, 3], 0.5)
    yield s.Plane([1, 2, 3], 0.5)
    yield s.HeightField([[0.5, 1], [2, 3], [4, 5]], (0, 1), (2, -1), 0.25)
    yield found
    yield s.contact(a[0], pose_a[0], b[0], pose_b[0])
    yield s.contact(a, pose_a, mesh, pose_b)
    yield s.distance_gradient(a, pose_a, b, pose_b, found)
    yield s.contact_derivatives(a, pose_a, b, pose_b, found)
    yield s.ray_cast(a, pose_a, pose_b[:, :3], rng.normal(size=(8, 3)))
    yield s.Superovoids(a).mass_properties()
    yield thrown(rng)
    yield s.time_of_impact(a, s.Motions.still(HERE), b, thrown(rng))
    yield s.time_of_impact(a, thrown(rng), mesh, s.Motions.still(HERE))
    yield robot
    yield robot.collisions[0]
    yield robot.clearances(q, max_distance=0.01)
    yield robot.clearances(q, max_distance=0.01, gradient=True)
    yield robot.edge_free(q, q)
    yield scene.contacts(q, max_distance=0.2)
    scene.attach("cup", "l_hand", s.Superovoids.sphere(0.01), HERE)
    yield scene.contacts(q, max_distance=0.2)
    yield scene.edge_free(q, q)
    yield scene.attached[0]
    yield s.Spline.bezier(1, [0, 2], np.zeros((2, 3)))


def numbers(thing):
    """What can be read of an object, as arrays and plain values."""
    seen = {} if " at 0x" in repr(thing) else {"repr": repr(thing)}
    for name in dir(type(thing)):
        if name.startswith("_") or callable(getattr(type(thing), name)):
            continue
        value = getattr(thing, name)
        if isinstance(value, (s.Contacts, s.Superovoids)):
            value = numbers(value)
        seen[name] = value
    if isinstance(thing, s.Motions):
        seen["pose"] = thing.pose(0.3)
    return seen


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) or np.isscalar(one) and not isinstance(one, str):
        return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f")
    if isinstance(one, list) and one and isinstance(one[0], s.Collision):
        return [repr(x) for x in one] == [repr(x) for x in other]
    return one == other


def test_objects_survive_pickles_and_copies(rng):
    for thing in objects(rng):
        before = numbers(thing)
        for way in [lambda x: pickle.loads(pickle.dumps(x)), lambda x: pickle.loads(pickle.dumps(x, 2)), copy.copy, copy.deepcopy]:
            after = way(thing)
            assert type(after) is type(thing)
            assert same(before, numbers(after)), (thing, after)


def test_a_surface_stays_a_surface_in_pickles_and_copies():
    solid = s.TriMesh(*s.Superovoids.sphere(1.0).tessellate(16))
    surface = s.TriMesh(solid.vertices, solid.triangles, surface=True)
    for way in [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]:
        assert way(solid).is_solid and way(surface).is_closed and not way(surface).is_solid


def test_a_scene_keeps_its_ids_groups_and_allowed_collisions():
    scene = s.Scene()
    gone = scene.add("old", s.Superovoids.sphere(1.0), HERE)
    ids = [scene.add(f"g{k}", shape, [k, 0, 0, 0, 0, 0, 1]) for k, shape in enumerate([s.Superovoids.sphere(0.3), s.ConvexShape.cone(0.3, 0.7)])]
    ids.append(scene.add_obstacle("floor", s.HalfSpace([0, 0, 1], -1), HERE))
    ids.append(scene.add_obstacle("mesh", s.TriMesh([[0, 0, 2], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]]), HERE))
    ids.append(scene.add("boxes", s.BoxSet([[0, 0, 5]], [[1, 1, 6]]), HERE))
    scene.remove(gone)
    again = scene.add("again", s.Superovoids.sphere(0.1), [0, 5, 0, 0, 0, 0, 1])
    scene.remove(again)
    scene.allow("g0", "floor")
    for way in [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy, s.Scene.copy]:
        other = way(scene)
        one, two = scene.contacts(), other.contacts()
        assert one.a.tolist() == two.a.tolist() and one.b.tolist() == two.b.tolist()
        assert np.array_equal(one.contacts.distance, two.contacts.distance)
        assert [other.group_of(int(k)) for k in ids] == [scene.group_of(int(k)) for k in ids]
        assert int(pickle.loads(pickle.dumps(two)).a[0]) == int(two.a[0])
        # What comes next gets the id that it would have got, and the scenes are independent.
        new = other.add("new", s.Superovoids.sphere(0.1), HERE)
        assert int(new) == int(scene.copy().add("new", s.Superovoids.sphere(0.1), HERE)) and int(new) not in (int(gone), int(again))
        other.move_to(ids[0], [9, 9, 9, 0, 0, 0, 1])
        assert scene.pose(ids[0]).tolist() == [0, 0, 0, 0, 0, 0, 1]
    robots = s.RobotScene(s.Robot.from_urdf(HANDS))
    assert isinstance(copy.deepcopy(robots), s.RobotScene)


def test_states_that_are_none_are_refused():
    for make, arguments in [
        (s.Contacts._restored, ([2], np.zeros((1, 14)), None, None)),
        (s.Contacts._restored, ([1], np.zeros((1, 14)), None, None)),
        (s.Motions._restored, ([1], np.zeros((1, 16)))),
        (s.Scene._restored, ([], [], [], [7])),
    ]:
        with pytest.raises(ValueError, match="state"):
            make(*arguments)


def test_shapes_are_indexed_as_numpy_indexes(rng):
    rows = shapes(rng, 12).reshape(3, 4, 7)
    all = s.Superovoids(rows)
    flat = s.Superovoids(rows.reshape(12, 7))
    keys = [0, -1, slice(1, 3), slice(None, None, -1), [0, 2, 2], np.array([True, False, True]), (1, 2), (slice(None), 1), ..., np.int64(1)]
    for key in keys:
        assert np.array_equal(all[key].parameters, rows[key]), key
    mask = rng.uniform(size=12) < 0.5
    assert np.array_equal(flat[mask].parameters, rows.reshape(12, 7)[mask])
    assert len(all) == 3 and [one.shape for one in all] == [(4,)] * 3
    assert [one.parameters.tolist() for one in flat] == rows.reshape(12, 7).tolist()
    for key in [3, -4, (0, 4)]:
        with pytest.raises(IndexError):
            all[key]
    with pytest.raises(IndexError):
        flat[0][0]
    with pytest.raises(TypeError):
        iter(flat[0])


def test_the_text_of_a_file_is_not_its_path():
    text = HANDS.read_text()
    with pytest.raises(ValueError) as raised:
        s.Robot.from_urdf(text)
    assert "from_urdf_text" in str(raised.value) and len(str(raised.value)) < 200
    assert s.Robot.from_urdf_text(text).name == s.Robot.from_urdf(str(HANDS)).name
    with pytest.raises(ValueError, match="no_such_file.urdf"):
        s.Robot.from_urdf("no_such_file.urdf")


def test_a_body_that_a_query_does_not_take_is_named():
    can = s.ConvexShape.cylinder(0.1, 0.3)
    for query in [
        lambda: s.vertex_contact(can, HERE, [1, 0, 0]),
        lambda: s.plane_contact(can, HERE, [1, 0, 0, 0]),
        lambda: s.half_space_contact(can, HERE, [1, 0, 0, 0]),
        lambda: s.half_space_time_of_impact(can, s.Motions.still(HERE), [1, 0, 0, 0]),
    ]:
        with pytest.raises(TypeError, match="is a ConvexShape; .* Superovoids"):
            query()
    with pytest.raises(TypeError, match="pose_a is a ConvexShape"):
        s.contact(can, can, can, HERE)


def test_convex_shapes_meet_segments_triangles_hulls_and_boxes():
    ball, can = s.ConvexShape.ball(0.5), s.ConvexShape.cylinder(0.5, 2.0)
    for body in (ball, can):
        assert abs(s.segment_contact(body, HERE, [[2, -1, 0], [2, 1, 0]]).distance - 1.5) < 1e-9
        assert abs(s.triangle_contact(body, HERE, [[2, -1, -1], [2, 1, -1], [2, 0, 3]]).distance - 1.5) < 1e-9
        assert abs(s.hull_contact(body, HERE, [[2, -1, -1], [2, 1, -1], [2, 0, 3], [3, 0, 0]]).distance - 1.5) < 1e-9
        assert abs(s.box_contact(body, HERE, [0.5, 1, 1], [2, 0, 0, 0, 0, 0, 1]).distance - 1.0) < 1e-9


def test_any_two_convex_bodies_have_a_time_of_impact():
    still, away = s.Motions.still(HERE), s.Motions.screw([5, 0, 0, 0, 0, 0, 1], [-8, 0, 0], [0, 0, 0])
    reach = {
        0.5: [s.Superovoids.sphere(0.5), s.ConvexShape.ball(0.5), s.ConvexShape.cuboid([0.5, 1, 1]), s.ConvexShape.cylinder(0.5, 1)],
        0.3: [s.ConvexShape.capsule(0.3, 1), s.ConvexShape.hull([[0.3, 0, 0], [-0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.2]])],
    }
    for x, bodies in reach.items():
        for a in bodies:
            for y, others in reach.items():
                for b in others:
                    found = s.time_of_impact(a, still, b, away)
                    truth = (5 - x - y) / 8
                    assert found.outcome == s.ImpactOutcome.HIT and found.safe <= truth + 1e-12 and truth <= found.touching + 1e-12
                    assert found.touching - found.safe < 1e-8
            mesh = s.TriMesh([[0, -3, -3], [0, 3, -3], [0, 0, 3]], [[0, 1, 2]])
            found = s.time_of_impact(a, away, mesh, still)
            assert found.outcome == s.ImpactOutcome.HIT and abs(found.safe - (5 - x) / 8) < 1e-8 and found.part == 0
            assert abs(s.hull_time_of_impact(a, away, [[0, -3, -3], [0, 3, -3], [0, 0, 3]], still).safe - (5 - x) / 8) < 1e-8
            assert abs(s.vertex_time_of_impact(a, away, still).safe - (5 - x) / 8) < 1e-8


def test_every_drop_on_a_wide_table_is_a_hit():
    """A ball of 0.5166 mm on tables of 0.5 to 52 m to each side: 0 undecided of 2,000."""
    r, still = 0.5166e-3, s.Motions.still([0, -1e-3, 0, 0, 0, 0, 1])
    for half in (0.5, 1, 2, 3, 5, 8, 12, 20, 30, 51.66):
        rng = np.random.default_rng(1)
        x, z = rng.uniform(-0.9 * half, 0.9 * half, (2, 200))
        y = rng.uniform(1.5e-3, 4e-3, 200)
        zero = np.zeros(200)
        start = np.column_stack([x, y, z, zero, zero, zero, zero + 1])
        fall = s.Motions.screw(start, np.column_stack([zero, -y, zero]), [0, 0, 0])
        table = np.array([[i, j, k] for i in (-half, half) for j in (-1e-3, 1e-3) for k in (-half, half)])
        found = s.hull_time_of_impact(s.Superovoids.sphere(r), fall, table, still)
        truth = (y - r) / y
        assert (found.outcome == s.ImpactOutcome.HIT).all()
        assert (found.safe <= truth + 1e-13).all() and (truth <= found.touching + 1e-13).all() and (found.touching - found.safe < 2e-8).all()


def test_e1_is_across_z_and_e2_along_z():
    """The claims of ``Superovoids.__doc__``: a cylinder has e1 = 1 and e2 towards 0; Barr's and LAMMPS's exponents."""
    cylinder = s.Superovoids([1, 1, 1, 1, 0.01, 0, 0])
    around = np.linspace(0, 2 * np.pi, 9)
    rim = np.column_stack([np.cos(around), np.sin(around), np.full(9, 0.98)])
    assert np.all(abs(cylinder.inside_outside(0.97 * rim)) > 0) and np.all(cylinder.inside_outside(0.97 * rim) < 0)
    assert cylinder.inside_outside([0.97, 0.97, 0]) > 0  # round across z
    assert cylinder.inside_outside([0.97, 0, 0.97]) < 0  # square along z
    points = np.random.default_rng(3).uniform(-1.2, 1.2, (200, 3))
    e1, e2 = 0.4, 1.3
    n1, n2 = 2 / e2, 2 / e1
    x, y, z = abs(points.T)
    lammps = (x**n2 + y**n2) ** (n1 / n2) + z**n1 - 1
    barr_1, barr_2 = e2, e1
    barr = (x ** (2 / barr_2) + y ** (2 / barr_2)) ** (barr_2 / barr_1) + z ** (2 / barr_1) - 1
    ours = s.Superovoids([1, 1, 1, e1, e2, 0, 0]).inside_outside(points)
    assert (np.sign(ours) == np.sign(lammps)).all() and (np.sign(ours) == np.sign(barr)).all()

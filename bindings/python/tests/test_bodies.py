"""Bodies that are no superovoids: convex shapes, meshes, sets of boxes, by support functions of the tests' own.

The signed distance of convex bodies is the largest g(n) = n·c - h_A(n) - h_B(-n) over unit n. So g at the answer's normal
proves the distance from below, and g at any other direction must not exceed the upper bound.
"""

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, same, shapes


def support_of_ovoid(shape, n):
    """The support function of an untapered superovoid, by Hölder's inequality in both circles."""
    a, (e1, e2) = np.abs(shape[:3] * n), shape[3:5]
    def norm(x, y, e):
        p, most = 2 / (2 - e), np.maximum(x, y)
        return most * (((x / most) ** p + (y / most) ** p) ** (1 / p)) if most > 0 else 0.0
    return norm(norm(a[0], a[1], e1), a[2], e2)


def random_bodies(rng):
    """One body of each convex kind, with its support function."""
    r, l = rng.uniform(0.2, 1.0, 2)
    half = rng.uniform(0.2, 1.0, 3)
    points = rng.normal(size=(12, 3)) * 0.6
    ovoid = shapes(rng, 1)[0]
    side = lambda n: np.hypot(n[0], n[1])
    return {
        "ball": (superovoid.ConvexShape.ball(r), lambda n: r * np.linalg.norm(n)),
        "cuboid": (superovoid.ConvexShape.cuboid(half), lambda n: half @ np.abs(n)),
        "cylinder": (superovoid.ConvexShape.cylinder(r, l), lambda n: r * side(n) + l / 2 * abs(n[2])),
        "capsule": (superovoid.ConvexShape.capsule(r, l), lambda n: l / 2 * abs(n[2]) + r * np.linalg.norm(n)),
        "cone": (superovoid.ConvexShape.cone(r, l), lambda n: max(l / 2 * n[2], r * side(n) - l / 2 * n[2])),
        "hull": (superovoid.ConvexShape.hull(points), lambda n: (points @ n).max()),
        "superovoid": (ovoid, lambda n: support_of_ovoid(ovoid, n)),
    }


def separation(h_a, pose_a, h_b, pose_b, n):
    turn_a, turn_b = matrices(pose_a)[:3, :3], matrices(pose_b)[:3, :3]
    return n @ (pose_b[:3] - pose_a[:3]) - h_a(turn_a.T @ n) - h_b(turn_b.T @ -n)


KINDS = ["ball", "cuboid", "cylinder", "capsule", "cone", "hull", "superovoid"]


@pytest.mark.parametrize("kind_a", KINDS)
@pytest.mark.parametrize("kind_b", KINDS)
def test_every_two_kinds_are_proven_by_their_support_functions(kind_a, kind_b):
    rng = np.random.default_rng([KINDS.index(kind_a), KINDS.index(kind_b)])
    apart = 0
    for _ in range(12):
        (a, h_a), (b, h_b) = random_bodies(rng)[kind_a], random_bodies(rng)[kind_b]
        pose_a, pose_b = poses(rng, 1, 0.2)[0], poses(rng, 1, 2.5)[0]
        found = superovoid.contact(a, pose_a, b, pose_b, depth="certified")
        scale = 1e-6 if found.distance < 0 else 1e-8
        at_normal = separation(h_a, pose_a, h_b, pose_b, found.normal)
        assert at_normal >= found.distance - scale and at_normal <= found.upper + 1e-9
        for n in rng.normal(size=(200, 3)):
            n /= np.linalg.norm(n)
            assert separation(h_a, pose_a, h_b, pose_b, n) <= found.upper + 1e-9
        assert found.lower <= found.distance <= found.upper
        assert np.abs(found.point_a + found.distance * found.normal - found.point_b).max() < 1e-9
        other = superovoid.contact(b, pose_b, a, pose_a, depth="certified")
        assert abs(other.distance - found.distance) < scale
        apart += found.distance > 0
    assert 0 < apart


def random_mesh(rng, triangles=60):
    vertices = rng.uniform(-1.5, 1.5, (40, 3))
    corners = np.array([rng.choice(40, 3, replace=False) for _ in range(triangles)])
    return vertices, corners


def test_meshes_are_as_near_as_their_nearest_triangle(rng):
    vertices, corners = random_mesh(rng)
    mesh = superovoid.TriMesh(vertices, corners)
    assert len(mesh) == 60 and np.array_equal(mesh.triangles, corners) and np.array_equal(mesh.vertices, vertices)
    bodies, pose_a = shapes(rng, 30, (0.3, 1.5)) * [0.3, 0.3, 0.3, 1, 1, 1, 1], poses(rng, 30, 4.0)
    pose_b = poses(rng, 1)[0]
    found = superovoid.contact(bodies, pose_a, mesh, pose_b)
    assert found.part_a is None and found.part_b.dtype == np.int64
    turn = matrices(pose_b)
    world = vertices[corners] @ turn[:3, :3].T + turn[:3, 3]
    every = superovoid.triangle_contact(bodies[:, None], pose_a[:, None], world)
    assert every.shape == (30, 60)
    assert np.allclose(found.distance, every.distance.min(axis=1), rtol=0, atol=3e-9)
    assert (every.distance[np.arange(30), found.part_b] <= found.distance + 3e-9).all()
    assert (found.distance > 0).any()
    swapped = superovoid.contact(mesh, pose_b, bodies, pose_a)
    assert np.allclose(swapped.distance, found.distance, rtol=0, atol=1e-12) and swapped.part_b is None
    assert np.array_equal(swapped.point_a, found.point_b)
    near = superovoid.tree_contacts(bodies[0], pose_a[0], mesh, pose_b, 2.0)
    assert near.part_b.tolist() == np.flatnonzero(every.distance[0] <= 2.0).tolist()
    assert np.allclose(near.distance, every.distance[0][near.part_b], rtol=0, atol=1e-12)


def test_boxes_of_a_set_are_boxes(rng):
    lower = rng.uniform(-2, 2, (50, 3))
    upper = lower + rng.uniform(0.05, 0.4, (50, 3))
    cells = superovoid.BoxSet(lower, upper)
    assert len(cells) == 50 and np.array_equal(cells.lower, lower) and np.array_equal(cells.upper, upper)
    bodies, pose = shapes(rng, 20, (0.3, 1.5)) * [0.4, 0.4, 0.4, 1, 1, 1, 1], poses(rng, 20, 3.0)
    found = superovoid.contact(bodies, pose, cells, HERE)
    centre = np.hstack([(lower + upper) / 2, np.tile([0.0, 0, 0, 1], (50, 1))])
    every = superovoid.box_contact(bodies[:, None], pose[:, None], (upper - lower) / 2, centre)
    apart = every.distance.min(axis=1) > 0
    assert apart.any()
    assert np.allclose(found.distance[apart], every.distance.min(axis=1)[apart], rtol=0, atol=3e-9)
    assert (found.status[~apart] == superovoid.CollisionStatus.COLLISION).all()


def test_a_height_field_is_solid_below_and_a_plane_is_thin(rng):
    heights = [[0, 0], [0, 2]]
    field = superovoid.HeightField(heights, (-1, 1), (-1, 1), -1)
    assert np.array_equal(field.heights, heights)
    ball = [0.25, 0.25, 0.25, 1, 1, 0, 0]
    at = np.array([[-0.5, -0.5, 1, 0, 0, 0, 1], [-0.6, -0.6, 1.8, 0, 0, 0, 1], [-0.6, -0.6, -0.9, 0, 0, 0, 1]])
    found = superovoid.contact(ball, at, field, HERE)
    assert np.allclose(found.distance, [0.75, 3**0.5 - 0.25, -0.35], rtol=0, atol=1e-9)
    assert found.part_b.tolist() == [0, 1, 0]
    falls = superovoid.Motions.screw_between(at[0], [-0.5, -0.5, -1, 0, 0, 0, 1])
    still = superovoid.Motions.screw_between(HERE, HERE)
    assert abs(superovoid.time_of_impact(ball, falls, field, still).safe - 0.375) < 1e-8
    scene = superovoid.Scene()
    scene.add_obstacle("terrain", field, HERE)
    scene.add("ball", ball, at[2])
    assert scene.in_collision()
    plane = superovoid.Plane([0, 0, 2], 1)
    found = superovoid.contact(ball, at, plane, HERE)
    assert np.allclose(found.distance, [0.25, 1.05, 1.15], rtol=0, atol=1e-12)
    assert superovoid.contact(plane, HERE, superovoid.HalfSpace([1, 0, 0], 0), HERE).distance == -np.inf


def test_trees_meet_trees(rng):
    (one, corners), (lower, pose) = random_mesh(rng, 12), (rng.uniform(-1, 1, (6, 3)), poses(rng, 8, 4.0))
    mesh, cells = superovoid.TriMesh(one, corners), superovoid.BoxSet(lower, lower + 0.3)
    found = superovoid.contact(mesh, pose, cells, HERE)
    for k in range(8):
        best = np.inf
        for t in corners:
            for low in lower:
                corner = np.array(np.meshgrid(*zip(low, low + 0.3))).reshape(3, -1).T
                pair = superovoid.contact(superovoid.ConvexShape.hull(one[t]), pose[k], superovoid.ConvexShape.hull(corner), HERE)
                best = min(best, float(pair.distance))
        assert found.distance[k] == pytest.approx(best, abs=3e-6 if best < 0 else 5e-9)
    itself = superovoid.contact(mesh, HERE, mesh, HERE + np.eye(7)[0] * 9)
    assert itself.part_a >= 0 and itself.part_b >= 0


def test_balls_and_polytopes_by_closed_forms(rng):
    radius, centre = 0.3, rng.uniform(-3, 3, (400, 3))
    ball, pose = superovoid.Superovoids.sphere(radius), np.hstack([centre, np.tile([0.0, 0, 0, 1], (400, 1))])
    ends = rng.uniform(-1, 1, (400, 2, 3))
    along = ends[:, 1] - ends[:, 0]
    t = np.clip(np.einsum("ni,ni->n", centre - ends[:, 0], along) / np.einsum("ni,ni->n", along, along), 0, 1)
    want = np.linalg.norm(ends[:, 0] + t[:, None] * along - centre, axis=1) - radius
    found = superovoid.segment_contact(ball, pose, ends)
    far = want > 0
    assert np.allclose(found.distance[far], want[far], rtol=0, atol=1e-9) and far.sum() > 300
    half = rng.uniform(0.1, 1.0, (400, 3))
    want = np.linalg.norm(np.maximum(np.abs(centre) - half, 0), axis=1) - radius
    found = superovoid.box_contact(ball, pose, half, HERE)
    assert np.allclose(found.distance[want > 0], want[want > 0], rtol=0, atol=1e-9) and (want > 0).sum() > 300
    sign = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
    same_box = superovoid.hull_contact(ball, pose, half[:, None] * sign)
    assert np.allclose(same_box.distance, found.distance, rtol=0, atol=2e-9)


def test_far_bodies_are_beyond():
    mesh = superovoid.TriMesh(np.eye(3), [[0, 1, 2]])
    found = superovoid.contact([0.1, 0.1, 0.1, 1, 1, 0, 0], HERE + np.eye(7)[0] * 9, mesh, HERE, max_distance=1.0)
    assert found.outcome == superovoid.Outcome.BEYOND and found.lower >= 1.0 and found.part_b == -1


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: superovoid.ConvexShape.ball(-1.0), ValueError, "radius = -1"),
        (lambda: superovoid.ConvexShape.cylinder(1.0, float("nan")), ValueError, "length = NaN"),
        (lambda: superovoid.ConvexShape.hull(np.zeros((0, 3))), ValueError, "at least one vertex"),
        (lambda: superovoid.ConvexShape.hull([1.0, 2, 3]), ValueError, r"points has the shape \[3\]; \(n, 3\)"),
        (lambda: superovoid.TriMesh(np.eye(3), [[0, 1, 3]]), ValueError, "triangle 0 names vertex 3"),
        (lambda: superovoid.TriMesh(np.eye(3), [[0, 1, -1]]), ValueError, r"triangles\[0, 2\] = -1 is out of range"),
        (lambda: superovoid.TriMesh(np.eye(3), [[0, 1, 2**32]]), ValueError, r"triangles\[0, 2\] = 4294967296"),
        (lambda: superovoid.TriMesh(np.eye(3), [[0.0, 1, 2]]), TypeError, "triangles has the dtype float64"),
        (lambda: superovoid.TriMesh(np.eye(3), [0, 1, 2]), ValueError, r"triangles has the shape \[3\]; \(n, 3\)"),
        (lambda: superovoid.TriMesh(np.eye(3) * np.nan, [[0, 1, 2]]), ValueError, "vertex 0 is not finite"),
        (lambda: superovoid.BoxSet([[0, 0, 0]], [[1, -1, 1]]), ValueError, "box 0"),
        (lambda: superovoid.BoxSet([[0, 0, 0]], np.ones((2, 3))), ValueError, "lower has 1 rows and upper 2"),
        (lambda: superovoid.HalfSpace([0, 0, 0], 1), ValueError, "normal"),
        (lambda: superovoid.Plane([0, 0, 0], 1), ValueError, "normal"),
        (lambda: superovoid.HeightField([0, 1], (0, 1), (0, 1), 0), ValueError, "the shape"),
        (lambda: superovoid.HeightField([[0, 1], [2, 3]], (0, 1), (0, 1), 0.5), ValueError, "row 0, column 0"),
        (lambda: superovoid.Scene().add_obstacle("p", superovoid.Plane([0, 0, 1], 1), HERE), ValueError, "half-space"),
        (lambda: superovoid.segment_contact([1.0, 1, 1, 1, 1, 0, 0], HERE, np.zeros((3, 3))), ValueError, r"segments has the last two axes \[3, 3\]; \(..., 2, 3\)"),
        (lambda: superovoid.triangle_contact([1.0, 1, 1, 1, 1, 0, 0], HERE, [np.eye(3), np.full((3, 3), np.inf)]), ValueError, r"element \[1\]: triangles: vertex 0 is not finite"),
        (lambda: superovoid.box_contact([1.0, 1, 1, 1, 1, 0, 0], HERE, [1, -1, 1], HERE), ValueError, "half extent y"),
        (lambda: superovoid.tree_contacts([1.0, 1, 1, 1, 1, 0, 0], HERE, "tree", HERE, 1.0), TypeError, "a TriMesh or a BoxSet"),
        (lambda: superovoid.contact(superovoid.ConvexShape.ball(1.0), HERE * np.nan, superovoid.ConvexShape.ball(1.0), HERE), ValueError, "pose"),
    ],
)
def test_bad_bodies_are_named(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_answers_of_bodies_depend_on_no_threads(rng):
    mesh = superovoid.TriMesh(*random_mesh(rng))
    pose = poses(rng, 1500)
    ball = superovoid.ConvexShape.cylinder(0.2, 0.5)
    assert same(superovoid.contact(ball, pose, mesh, HERE, threads=1), superovoid.contact(ball, pose, mesh, HERE, threads=2))


def test_manifolds_have_the_corners_of_faces_and_keep_their_numbers() -> None:
    table, block = superovoid.ConvexShape.cuboid([1.0, 1.0, 0.1]), superovoid.ConvexShape.cuboid([0.2, 0.1, 0.05])
    there = np.array([0.3, 0, 0.149, 0, 0, 0, 1.0])
    found = superovoid.manifolds(table, HERE, block, there, margin=0.01)
    assert isinstance(found, superovoid.Manifolds)
    assert found.count.tolist() == [4] and found.contacts.part_b is None
    np.testing.assert_allclose(found.distance[0, :4], -0.001, atol=1e-12)
    np.testing.assert_allclose(found.point_a[0, :4, 2], 0.1, atol=1e-12)
    np.testing.assert_allclose(np.sort(np.abs(found.point_b[0, :4, 1])), 0.1, atol=1e-12)
    assert np.isnan(found.point_a[0, 4:]).all() and (found.id[0, 4:] == 0).all()
    slid = superovoid.manifolds(table, HERE, block, there + [0.01, 0, 0, 0, 0, 0, 0], margin=0.01)
    assert set(slid.id[0, :4]) == set(found.id[0, :4]) and len(set(found.id[0, :4])) == 4
    egg = superovoid.Superovoids([0.1, 0.1, 0.2, 0.8, 0.9, 0.1, 0.1])
    assert superovoid.manifolds(table, HERE, egg, [0, 0, 0.29, 0, 0, 0, 1]).count.tolist() == [1]
    assert len(superovoid.manifolds(table, HERE, egg, [0, 0, 0.5, 0, 0, 0, 1]).count) == 0
    cells = superovoid.BoxSet([[0, 0, 0.1], [0.2, 0, 0.1]], [[0.1, 0.1, 0.2], [0.3, 0.1, 0.2]])
    many = superovoid.manifolds(table, HERE, cells, HERE, margin=0.01)
    assert many.contacts.part_b.tolist() == [0, 1] and many.count.tolist() == [4, 4]
    with pytest.raises(ValueError, match="one body"):
        superovoid.manifolds(table, HERE, superovoid.Superovoids(np.tile([0.1, 0.1, 0.1, 1, 1, 0, 0], (2, 1))), HERE)
    with pytest.raises(ValueError, match="NaN"):
        superovoid.manifolds(table, HERE, block, HERE, margin=np.nan)

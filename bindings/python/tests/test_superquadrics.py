"""Superhyperboloids and supertoroids, by their definitions, dense samples, and the closed forms of the round torus."""

import pickle

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, same

s = superovoid
Superquadric = s.Superquadric
FAMILIES = ["one_sheet", "both", "upper", "lower", "toroid"]


class Body:
    """A random body, with what its definition says of it."""

    def __init__(self, kind, rng, low=0.4):
        self.kind, self.a, self.e = kind, rng.uniform(0.5, 2.0, 3), rng.uniform(low, 2 - low, 2)
        self.end = rng.uniform(0.5, 2.0) if kind == "one_sheet" else rng.uniform(1.2, 2.5)
        if kind in ("one_sheet", "toroid"):
            self.made = getattr(Superquadric, kind)(self.a, self.e, self.end)
        else:
            self.made = Superquadric.two_sheets(self.a, self.e, self.end, kind)

    def inside_outside(self, x):
        p1, p2 = 2 / self.e
        u, v, zeta = np.moveaxis(np.abs(x / self.a), -1, 0)
        n = (u**p1 + v**p1) ** (1 / p1)
        norm = lambda one, other: (np.abs(one) ** p2 + np.abs(other) ** p2) ** (1 / p2)
        if self.kind == "toroid":
            return norm(n - self.end, zeta) - 1
        if self.kind == "one_sheet":
            return np.maximum(n - norm(1, zeta), zeta - self.end)
        up = {"both": zeta, "upper": x[..., 2] / self.a[2], "lower": -x[..., 2] / self.a[2]}[self.kind]
        return np.maximum(norm(1, n) - up, up - self.end)

    def surface(self, count=120):
        """Points of the surface, caps included, from the definition of section and profile."""
        p1, p2 = 2 / self.e
        t = np.linspace(0, 2 * np.pi, 4 * count, endpoint=False)
        section = np.stack([np.cos(t), np.sin(t)], -1)
        section /= (np.abs(section) ** p1).sum(-1, keepdims=True) ** (1 / p1)
        if self.kind == "toroid":
            tube = np.stack([np.cos(t), np.sin(t)], -1)
            tube /= (np.abs(tube) ** p2).sum(-1, keepdims=True) ** (1 / p2)
            profile = tube + [self.end, 0]
        elif self.kind == "one_sheet":
            zeta = np.linspace(-self.end, self.end, 2 * count)
            profile = np.stack([(1 + np.abs(zeta) ** p2) ** (1 / p2), zeta], -1)
            profile = np.concatenate([self.cap(profile[0], count), profile, self.cap(profile[-1], count)])
        else:
            rho = np.linspace(0, (self.end**p2 - 1) ** (1 / p2), count)
            profile = np.stack([rho, (1 + rho**p2) ** (1 / p2)], -1)
            profile = np.concatenate([profile, self.cap(profile[-1], count)])
            sides = {"upper": [1], "lower": [-1], "both": [1, -1]}[self.kind]
            profile = np.concatenate([profile * [1, side] for side in sides])
        points = np.concatenate([profile[:, None, :1] * section, np.broadcast_to(profile[:, None, 1:], (len(profile), len(t), 1))], -1)
        return (points * self.a).reshape(-1, 3)

    @staticmethod
    def cap(rim, count):
        return np.stack([np.linspace(0, rim[0], count), np.full(count, rim[1])], -1)


def torus(x, big=2.0, small=0.5):
    """The signed distance of points from a round torus about z."""
    return np.hypot(np.hypot(x[..., 0], x[..., 1]) - big, x[..., 2]) - small


ROUND = Superquadric.toroid([0.5, 0.5, 0.5], [1, 1], 4)


@pytest.mark.parametrize("kind", FAMILIES)
def test_the_surface_is_that_of_the_definition(kind, rng):
    for _ in range(4):
        body = Body(kind, rng)
        made, points = body.made, rng.uniform(-6, 6, (20, 30, 3))
        assert np.allclose(made.inside_outside(points), body.inside_outside(points), rtol=1e-12, atol=1e-12)
        assert made.inside_outside(points[0, 0]) == made.inside_outside(points)[0, 0]
        phi, t = rng.uniform(-np.pi, np.pi, (8, 1)), rng.uniform(-1, 1, 9) * made.largest_parameter
        on, normals = made.point_at(phi, t), made.normal_at(phi, t)
        assert on.shape == normals.shape == (8, 9, 3)
        assert np.abs(body.inside_outside(on)).max() < 1e-9 and np.allclose((normals**2).sum(-1), 1, atol=1e-12)
        step = 1e-6 * body.a.min()
        beyond, within = body.inside_outside(on + step * normals), body.inside_outside(on - step * normals)
        assert (beyond > 0).all() and ((within < 0) | (np.abs(t) > 0.999 * made.largest_parameter)).all()
        low, high = made.aabb()
        surface = body.surface()
        assert np.allclose([low, high], [surface.min(0), surface.max(0)], rtol=0, atol=2e-3)
        assert (surface >= low - 1e-12).all() and (surface <= high + 1e-12).all()


@pytest.mark.parametrize("kind", FAMILIES)
def test_meshes_are_closed_and_have_the_volume(kind, rng):
    body = Body(kind, rng)
    vertices, triangles = body.made.tessellate(128)
    assert np.abs(body.inside_outside(vertices)).max() < 1e-9
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    kinds, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all()
    assert len(vertices) - len(kinds) + len(triangles) == {"toroid": 0, "both": 4}.get(kind, 2)
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    parts = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6
    assert parts.sum() == pytest.approx(body.made.volume(), rel=5e-3) and body.made.mass_properties().volume == body.made.volume()
    centre = (parts[:, None] * (a + b + c) / 4).sum(0) / parts.sum()
    assert np.allclose(body.made.mass_properties().center_of_mass, centre, rtol=0, atol=5e-3)
    mesh = s.TriMesh(vertices, triangles)
    assert mesh.is_solid


def test_the_round_torus_has_its_closed_forms():
    volume = 2 * np.pi**2 * 2.0 * 0.25
    mass = ROUND.mass_properties()
    assert ROUND.volume() == pytest.approx(volume, rel=1e-14)
    assert mass.inertia[2, 2] == pytest.approx(volume * (4 + 0.75 * 0.25), rel=1e-12) and mass.inertia.shape == (3, 3)
    low, high = ROUND.aabb()
    assert high.tolist() == [2.5, 2.5, 0.5] and low.tolist() == [-2.5, -2.5, -0.5]


def test_what_a_body_is_can_be_read():
    cup = Superquadric.two_sheets([1, 2, 3], [0.5, 1.5], 2.5, "upper")
    assert (cup.family, cup.sheets, cup.height, cup.ring, cup.is_convex) == ("two_sheets", "upper", 2.5, None, True)
    assert (ROUND.family, ROUND.sheets, ROUND.height, ROUND.ring, ROUND.is_convex) == ("toroid", None, None, 4.0, False)
    assert cup.semi_axes.tolist() == [1, 2, 3] and cup.exponents.tolist() == [0.5, 1.5] and ROUND.largest_parameter == np.pi
    assert not Superquadric.two_sheets([1, 2, 3], [0.5, 1.5], 2.5).is_convex
    for body in [cup, ROUND, Superquadric.one_sheet([1, 2, 3], [0.5, 1.5], 0.5), Superquadric.two_sheets([1, 2, 3], [1, 1], 2)]:
        assert repr(eval(repr(body))) == repr(body) == repr(pickle.loads(pickle.dumps(body)))
    assert repr(cup) == "Superquadric.two_sheets([1.0, 2.0, 3.0], [0.5, 1.5], 2.5, \"upper\")"
    assert repr(s.ConvexShape.hull_of(cup)) == f"<ConvexShape: hull_of({cup!r})>"


def test_all_hits_of_rays_are_the_roots_of_the_quartic(rng):
    pose = poses(rng, 60, 1.0)
    turn = matrices(pose)
    origins = rng.normal(size=(60, 3))
    origins *= 6 / np.linalg.norm(origins, axis=1, keepdims=True)
    directions = pose[:, :3] + rng.uniform(-2, 2, (60, 3)) - origins
    hits, complete = ROUND.ray_hits(pose, origins, directions)
    most = hits.hit.shape[1]
    assert complete.all() and most == 4 and hits.point.shape == hits.normal.shape == (60, 4, 3)
    counts = []
    for k in range(60):
        o, d = turn[k, :3, :3].T @ (origins[k] - pose[k, :3]), turn[k, :3, :3].T @ directions[k]
        # (x² + R² - r²)² = 4 R² (x² + y²)
        square = np.poly1d([d @ d, 2 * o @ d, o @ o])
        flat = np.poly1d([d[:2] @ d[:2], 2 * o[:2] @ d[:2], o[:2] @ o[:2]])
        roots = ((square + (4 - 0.25)) ** 2 - 16 * flat).roots
        roots = np.sort(roots[(np.abs(roots.imag) < 1e-6) & (roots.real > 0)].real)
        counts.append(len(roots))
        assert hits.hit[k].tolist() == [j < len(roots) for j in range(4)]
        assert np.allclose(hits.time_of_impact[k][: len(roots)], roots, rtol=0, atol=1e-6)
    assert {0, 2, 4} == set(counts)
    first = ROUND.ray_cast(pose, origins, directions)
    assert np.array_equal(first.time_of_impact, hits.time_of_impact[:, 0]) and np.array_equal(first.normal, hits.normal[:, 0], equal_nan=True)
    on = hits.point[hits.hit]
    local = np.einsum("nji,nj->ni", np.repeat(turn[:, :3, :3], 4, 0)[hits.hit.ravel()], on - np.repeat(pose[:, :3], 4, 0)[hits.hit.ravel()])
    assert np.abs(torus(local)).max() < 1e-12
    again = pickle.loads(pickle.dumps(hits))
    assert repr(again) == repr(hits) and np.array_equal(again.point, hits.point, equal_nan=True)
    none, complete = ROUND.ray_hits(HERE, [9, 9, 9], [1, 0, 0])
    assert none.hit.shape == (0,) and complete


def test_a_ray_from_inside_hits_at_once_or_where_it_leaves():
    assert ROUND.ray_cast(HERE, [2, 0, 0], [1, 0, 0]).time_of_impact == 0
    assert ROUND.ray_cast(HERE, [2, 0, 0], [2, 0, 0], solid=False).time_of_impact == pytest.approx(0.25, abs=1e-14)
    assert not ROUND.ray_cast(HERE, [4, 0, 0], [-1, 0, 0], max_time_of_impact=1.4).hit


def test_points_have_the_distance_of_the_torus(rng):
    points, pose = rng.uniform(-3, 3, (300, 3)), poses(rng, 1, 1.0)[0]
    turn = matrices(pose)
    want = torus(points)
    world = points @ turn[:3, :3].T + turn[:3, 3]
    found = ROUND.point_contact(pose, world)
    assert np.allclose(found.distance, want, rtol=0, atol=1e-9)
    assert (found.lower <= want + 1e-9).all() and (want <= found.upper + 1e-9).all()
    apart = want > 0
    assert 0 < apart.sum() < 300 and (found.outcome[apart] == s.Outcome.CERTIFIED).all() and (found.outcome[~apart] == s.Outcome.CONVERGED).all()
    assert ROUND.point_contact(pose, world[7]).distance == found.distance[7]
    assert (ROUND.point_contact(HERE, [9, 0, 0], max_distance=1.0).outcome) == s.Outcome.BEYOND


@pytest.mark.parametrize("kind", FAMILIES)
def test_points_are_as_near_as_the_nearest_sample(kind, rng):
    body = Body(kind, rng, 0.6)
    surface, points = body.surface(), rng.uniform(-5, 5, (40, 3))
    points = points[body.inside_outside(points) > 0]
    found = body.made.point_contact(HERE, points)
    nearest = np.array([np.linalg.norm(surface - x, axis=1).min() for x in points])
    assert (found.lower <= nearest).all() and np.allclose(found.distance, nearest, rtol=0, atol=0.05)
    assert (found.upper - found.lower < 1e-7).all() and np.abs(body.inside_outside(found.point_a)).max() < 1e-6


@pytest.mark.parametrize("kind", FAMILIES)
def test_planes_touch_where_the_support_function_says(kind, rng):
    body = Body(kind, rng)
    surface, normals = body.surface(), rng.normal(size=(30, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    planes = np.hstack([normals, rng.uniform(-9, 9, (30, 1))])
    least, most = (normals @ surface.T).min(1) - planes[:, 3], (normals @ surface.T).max(1) - planes[:, 3]
    found = body.made.half_space_contact(HERE, planes)
    assert (found.distance <= least + 1e-12).all() and np.allclose(found.distance, least, rtol=0, atol=0.01)
    thin = body.made.plane_contact(HERE, planes)
    want = np.where(least >= -most, least, -most)
    near = np.allclose(thin.distance, want, rtol=0, atol=0.01)
    # Between two sheets a plane may be clear of both.
    assert near or kind == "both"
    assert np.allclose(found.point_a - found.distance[:, None] * -found.normal, found.point_b, atol=1e-12)


def test_balls_are_as_far_from_the_torus_as_their_centres(rng):
    centres, radius = rng.uniform(-3.5, 3.5, (60, 3)), 0.3
    there = np.hstack([centres, np.tile([0.0, 0, 0, 1], (60, 1))])
    want = torus(centres) - radius
    for ball in [s.Superovoids.sphere(radius), s.ConvexShape.ball(radius)]:
        found = ROUND.contact(HERE, ball, there)
        apart = want > 1e-6
        assert np.allclose(found.distance[apart], want[apart], rtol=0, atol=1e-8) and (found.outcome[apart] == s.Outcome.CERTIFIED).all()
        assert 0 < apart.sum() < 60 and (found.distance[~apart] <= 0).all() and (found.upper[~apart] >= want[~apart]).all()
        assert same(found, s.contact(ROUND, HERE, ball, there))
        swapped = s.contact(ball, there, ROUND, HERE)
        assert np.array_equal(swapped.point_a, found.point_b) and np.array_equal(swapped.normal, -found.normal)
        assert np.array_equal(swapped.distance, found.distance)
    assert same(ROUND.contact(HERE, ball, there, threads=1), ROUND.contact(HERE, ball, there, threads=2))
    assert ROUND.contact(HERE, ball, [9, 0, 0, 0, 0, 0, 1], max_distance=1.0).outcome == s.Outcome.BEYOND


def test_a_cup_is_a_convex_shape(rng):
    cup = Superquadric.two_sheets([1, 1.5, 0.5], [0.7, 1.2], 2.5, "upper")
    hull, there = s.ConvexShape.hull_of(cup), poses(rng, 40, 4.0)
    egg = s.Superovoids([0.3, 0.5, 0.7, 0.8, 1.3, 0.1, 0.1])
    assert same(cup.contact(HERE, egg, there), s.contact(hull, HERE, egg, there))
    assert hull.support([0, 0, 1]) == pytest.approx(1.25) and hull.support([0, 0, -1]) == pytest.approx(-0.5)
    assert same(cup.contact(HERE, cup, there), s.contact(hull, HERE, hull, there))
    mesh = s.TriMesh(*s.Superovoids.sphere(0.5).tessellate(16))
    assert same(cup.contact(HERE, mesh, there), s.contact(hull, HERE, mesh, there))
    other = pickle.loads(pickle.dumps(hull))
    assert repr(other) == repr(hull) and same(s.contact(other, HERE, egg, there), s.contact(hull, HERE, egg, there))


def test_scenes_have_superquadrics_as_bodies_and_obstacles():
    ball = s.Superovoids.sphere(0.3)
    for add in ["add", "add_obstacle"]:
        scene = s.Scene()
        getattr(scene, add)("ring", ROUND, HERE)
        scene.add("ball", ball, [0.2, 0, 0, 0, 0, 0, 1])
        for one in [scene, pickle.loads(pickle.dumps(scene))]:
            assert not one.in_collision() and one.closest().contacts.distance[0] == pytest.approx(1.0, abs=1e-8)
    on = s.contact(ROUND, [0, 0, 0.6, 0, 0, 0, 1], s.HalfSpace([0, 0, 1], 0), HERE)
    assert on.distance == pytest.approx(0.1, abs=1e-12) and same(on, ROUND.half_space_contact([0, 0, 0.6, 0, 0, 0, 1], [0, 0, 1, 0]))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Superquadric.toroid([1, 1, 1], [1, 1], 1), ValueError, "ring = 1: must be finite and greater than 1"),
        (lambda: Superquadric.one_sheet([1, -1, 1], [1, 1], 1), ValueError, "a2 = -1"),
        (lambda: Superquadric.one_sheet([1, 1, 1], [1, 2], 1), ValueError, "e2 = 2"),
        (lambda: Superquadric.two_sheets([1, 1, 1], [1, 1], 0.5), ValueError, "height = 0.5"),
        (lambda: Superquadric.two_sheets([1, 1, 1], [1, 1], 2, "top"), ValueError, 'sheets = "top": "both" or "upper" or "lower"'),
        (lambda: ROUND.point_contact(HERE, np.full((3, 3), np.nan)), ValueError, r"element \[0\]: .*finite"),
        (lambda: ROUND.point_contact(HERE, [1, 2]), ValueError, r"points has the shape \[2\]"),
        (lambda: ROUND.half_space_contact([HERE, HERE * np.nan], [0, 0, 1, 0]), ValueError, r"element \[1\]: pose"),
        (lambda: ROUND.plane_contact(HERE, [0, 0, 0, 1]), ValueError, "normal"),
        (lambda: ROUND.ray_hits(HERE, [0, 0, 0], [0, 0, 0]), ValueError, "direction"),
        (lambda: ROUND.contact(HERE, np.ones(6), HERE), ValueError, "other has the shape"),
        (lambda: s.contact(ROUND, HERE * np.nan, s.Superovoids.sphere(1), HERE), ValueError, "pose_a"),
        (lambda: s.vertex_contact(ROUND, HERE, [1, 0, 0]), TypeError, "shape is a Superquadric"),
        (lambda: s.ConvexShape.hull_of(s.Superovoids.sphere(1)), TypeError, "superquadric"),
        (lambda: ROUND.tessellate(3), ValueError, "segments = 3: from 4 to 4096"),
        (lambda: ROUND.point_at(np.zeros(2), np.zeros(3)), ValueError, "s does not broadcast"),
    ],
)
def test_what_is_wrong_with_a_superquadric_is_named(make, error, message):
    with pytest.raises(error, match=message):
        make()

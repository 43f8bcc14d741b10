"""Fits: points of known bodies, meshes, robots."""

import numpy as np
import pytest
import superovoid
from conftest import HERE, matrices, poses, shapes


def test_points_of_a_body_give_the_body_back(rng):
    for parameters in shapes(rng, 6, (0.4, 1.5)):
        body, pose = superovoid.Superovoids(parameters), poses(rng, 1)[0]
        vertices, _ = body.tessellate(20)
        world = vertices @ matrices(pose)[:3, :3].T + pose[:3]
        found = superovoid.fit(world, family="superellipsoid")
        off = superovoid.vertex_contact(found.shape, found.pose, world).distance
        assert np.abs(off).max() < 1e-6 and found.report is None and found.seconds > 0
        volume = found.shape.mass_properties().volume / body.mass_properties().volume
        assert abs(volume - 1) < 1e-5


def cube(half):
    sign = np.array(np.meshgrid(*[[-1, 1]] * 3, indexing="ij")).reshape(3, -1).T
    faces = [[0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 5, 1], [0, 4, 5], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return sign * half, np.array(faces)


def test_an_enclosing_body_holds_the_mesh():
    vertices, triangles = cube([0.1, 0.2, 0.3])
    [around] = superovoid.fit_mesh(vertices, triangles, aim="enclosing")
    assert (superovoid.vertex_contact(around.shape, around.pose, vertices).distance <= 0).all()
    assert 1 <= around.report["volume_to_hull"] < 1.1 and around.report["mesh_to_body_max"] < 0.05
    [best] = superovoid.fit_mesh(vertices, triangles)
    assert best.report["mesh_to_body_rms"] < 0.003 and best.report["body_to_mesh_p95"] < 0.01


def test_a_concave_mesh_becomes_several_bodies():
    (one, faces), (two, _) = cube([0.1, 0.1, 0.4]), cube([0.3, 0.1, 0.1])
    vertices, triangles = np.vstack([one, two + [0.4, 0.0, -0.3]]), np.vstack([faces, faces + 8])
    fits = superovoid.fit_mesh(vertices, triangles, most=4)
    assert 2 <= len(fits) <= 4


def test_progress_is_told_and_ends_the_fit(rng):
    vertices, triangles = superovoid.Superovoids([1.0, 2, 3, 0.5, 0.5, 0, 0]).tessellate(16)
    told = []
    superovoid.fit_mesh(vertices, triangles, progress=lambda *at: told.append(at))
    assert told and all(0 <= done <= steps and isinstance(stage, str) for stage, done, steps in told)
    with pytest.raises(ValueError, match="cancelled"):
        superovoid.fit(vertices, progress=lambda *at: False)
    def fails(*at):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        superovoid.fit(vertices, progress=fails)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: superovoid.fit(np.zeros((3, 3))), ValueError, "3 points are too few"),
        (lambda: superovoid.fit(np.zeros((20, 3))), ValueError, "one place"),
        (lambda: superovoid.fit(np.full((20, 3), np.nan)), ValueError, "point 0 is not finite"),
        (lambda: superovoid.fit(np.zeros((20, 2))), ValueError, r"points has the shape \[20, 2\]"),
        (lambda: superovoid.fit(np.eye(20, 3), family="round"), ValueError, 'family = "round": one of "convex"'),
        (lambda: superovoid.fit(np.eye(20, 3), axis_point=[0, 0, 0]), ValueError, "give axis as well"),
        (lambda: superovoid.fit(np.eye(20, 3), axis=[0, 0, 0]), ValueError, "axis: a direction"),
        (lambda: superovoid.fit_mesh(np.eye(3), [[0, 1, 2]], most=0), ValueError, "most = 0"),
        (lambda: superovoid.fit_mesh(np.eye(3), [[0, 1, 2]], samples=0), ValueError, "samples = 0"),
        (lambda: superovoid.fit_mesh(np.eye(3), [[0, 1, 2]]), ValueError, "plane"),
        (lambda: superovoid.fit_mesh(np.eye(3), [[0, 1, 5]]), ValueError, "5"),
        (lambda: superovoid.fit_robot("no.urdf"), ValueError, "no.urdf"),
        (lambda: superovoid.fit_robot("no.urdf", edge_exponent=2.0), ValueError, "edge"),
        (lambda: superovoid.read_mesh("no.stl"), ValueError, "no.stl"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_meshes_are_read_and_robots_fitted(tmp_path):
    vertices, triangles = cube([0.1, 0.2, 0.3])
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    (tmp_path / "box.obj").write_text("\n".join(lines))
    mesh = superovoid.read_mesh(tmp_path / "box.obj")
    assert len(mesh) == 12 and {tuple(v) for v in mesh.vertices} == {tuple(v) for v in vertices}
    (tmp_path / "arm.urdf").write_text("""<robot name="arm"><link name="hand">
      <collision><geometry><mesh filename="box.obj"/></geometry></collision>
      <collision><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision></link></robot>""")
    told = []
    fitted = superovoid.fit_robot(tmp_path / "arm.urdf", aim="enclosing", progress=lambda *at: told.append(at))
    assert fitted.links == ["hand", "hand"] and fitted.urdf.count("<superovoid") == 2 and fitted.untouched == []
    assert told[0] == ("hand", 0, 2)
    around = fitted.fits[0]
    assert (superovoid.vertex_contact(around.shape, around.pose, vertices).distance <= 0).all()
    robot = superovoid.Robot.from_urdf_text(fitted.urdf)
    assert robot.links == ["hand"]
    with pytest.raises(ValueError, match="cancelled"):
        superovoid.fit_robot(tmp_path / "arm.urdf", progress=lambda *at: False)

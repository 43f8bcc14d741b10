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
        (lambda: superovoid.fit_robot("no.urdf", keep_free=[[0.0]]), ValueError, "no.urdf"),
        (lambda: superovoid.fit_robot("no.urdf", keep_parts=65), ValueError, "keep_parts = 65: from 1 to 64"),
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


NOTCH = """<robot name="notch">
<link name="base"><collision><geometry><mesh filename="notch.obj"/></geometry></collision></link><link name="arm"/>
<link name="ball"><collision><geometry><sphere radius="0.03"/></geometry></collision></link>
<joint name="side" type="prismatic"><parent link="base"/><child link="arm"/><origin xyz="0.15 0.15 0.05"/><axis xyz="1 1 0"/>
<limit lower="-0.2" upper="0.2"/></joint>
<joint name="up" type="prismatic"><parent link="arm"/><child link="ball"/><origin xyz="0.001 0 0"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1"/></joint></robot>"""


@pytest.fixture
def notch(tmp_path):
    """An L of two boxes, 0.2 long and 0.1 high, and a ball that slides into its notch, from 0.1 to 0.2 in x and y."""
    corners = [(0, 0), (0.2, 0), (0.2, 0.1), (0.1, 0.1), (0.1, 0.2), (0, 0.2)]
    lines = [f"v {x} {y} {z}" for z in (0, 0.1) for x, y in corners]
    for a, b, c in [(1, 2, 3), (1, 3, 4), (1, 4, 5), (1, 5, 6)]:
        lines += [f"f {c} {b} {a}", f"f {a + 6} {b + 6} {c + 6}"]
    for a, b in [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)]:
        lines += [f"f {a} {b} {b + 6}", f"f {a} {b + 6} {a + 6}"]
    (tmp_path / "notch.obj").write_text("\n".join(lines))
    (tmp_path / "notch.urdf").write_text(NOTCH)
    states = "<group_state name='in' group='g'><joint name='side' value='0'/></group_state>"
    (tmp_path / "in.srdf").write_text(f"<robot name='notch'>{states}</robot>")
    (tmp_path / "none.srdf").write_text("<robot name='notch'/>")
    disabled = "<disable_collisions link1='base' link2='ball' reason='Never'/><disable_collisions link1='base' link2='nobody' reason='Never'/>"
    (tmp_path / "disabled.srdf").write_text(f"<robot name='notch'>{disabled}</robot>")
    return tmp_path


def test_a_pair_that_one_body_loses_is_kept_by_more(notch):
    urdf, free = notch / "notch.urdf", [[0, 0], [0.1, 0.2]]
    fitted = lambda **options: superovoid.fit_robot(urdf, aim="enclosing", **options)
    collides = lambda fits: superovoid.RobotScene(superovoid.Robot.from_urdf_text(fits.urdf)).in_collision(free).tolist()
    one = fitted()
    assert collides(one) == [True, False] and one.kept is None and one.links == ["base", "ball"]
    for options, poses in [({"keep_free": free}, ["keep_free[0]", "keep_free[1]"]), ({"srdf": notch / "in.srdf"}, ['"in" of g'])]:
        more = fitted(keep_parts=3, **options)
        assert collides(more) == [False, False] and more.kept["poses"] == poses
        (raised,) = more.kept["raised"]
        assert raised == {"link": "base", "collision": 0, "from": 1, "bodies": more.links.count("base")} and 2 <= raised["bodies"] <= 3
        pair = more.kept["pairs"][0]
        assert (pair["link_a"], pair["link_b"], pair["pose"]) == ("base", "ball", 0)
        # The ball is 0.02 from both walls, a millimetre farther from one.
        assert pair["as_is"] == pytest.approx(0.02, abs=1e-9) and 0 < pair["fitted"] < pair["as_is"]
        assert more.kept["colliding"] == [] and more.kept["warnings"] == []
    far = fitted(keep_free=[0.0, 0.5])
    assert far.urdf == one.urdf and far.kept["raised"] == []
    # The ball is in the wall, or the pair is disabled: it is not kept.
    inside = fitted(keep_free=[[-0.08, 0]])
    assert inside.urdf == one.urdf and inside.kept["colliding"][0]["link_b"] == "ball" and inside.kept["colliding"][0]["as_is"] < 0
    apart = fitted(keep_free=free, srdf=notch / "disabled.srdf")
    assert apart.urdf == one.urdf and apart.kept["pairs"] == [] and "nobody" in apart.kept["warnings"][0]
    for options, message in [
        ({"keep_free": free, "keep_parts": 1}, r'up to 1 bodies .*"base" and "ball" in pose "keep_free\[0\]", 20.000 mm apart'),
        ({"keep_free": [[0, 0], [7, 0]]}, r'element \[1\]: .*"side"'),
        ({"keep_free": [0.0]}, "keep_free has the shape"),
        ({"keep_free": np.zeros((0, 2))}, "no configuration in keep_free"),
        ({"srdf": notch / "none.srdf"}, "no group_state in srdf"),
        ({"srdf": notch / "missing.srdf"}, "missing.srdf"),
    ]:
        with pytest.raises(ValueError, match=message):
            fitted(**options)

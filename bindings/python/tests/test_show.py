"""Pictures: what is in them, as the page that viser writes."""

import numpy as np
import pytest
import superovoid
from conftest import HERE, poses, shapes

pytest.importorskip("viser", reason="pip install 'superovoid[show]'")

from pathlib import Path  # noqa: E402

from superovoid import show  # noqa: E402

URDF = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"
BOX = """<robot name="r"><link name="a"><collision><geometry><box size="1 2 3"/></geometry></collision>
<collision><origin xyz="0 0 4"/><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
<collision><geometry><mesh filename="package://a/b.stl" scale="2 2 2"/></geometry></collision></link></robot>"""


def test_pairs_have_bodies_contacts_and_labels(rng, tmp_path):
    a, b, pose_a, pose_b = shapes(rng, 6), shapes(rng, 6), poses(rng, 6), poses(rng, 6)
    found = superovoid.contact(a, pose_a, b, pose_b)
    with show.pairs(a, pose_a, b, pose_b, found, labels=2) as picture:
        names = list(picture.server.scene._handle_from_node_name)
        assert sum(name.startswith("/bodies/") for name in names) == 12
        assert len(picture.labels) == 2 and picture.labels[0].startswith(f"{1e3 * found.distance.min():.4g} mm")
        picture.save(tmp_path / "pairs.html")
        page = (tmp_path / "pairs.html").read_text()
        assert page.lstrip().lower().startswith("<!doctype html") and len(page) > 100_000
        assert picture._repr_html_().startswith("<iframe") and picture.url.startswith("http://127.0.0.1:")


def test_shapes_broadcast_and_matrices_are_poses(rng):
    with show.Picture(segments=8) as picture:
        picture.add_shapes(shapes(rng, 1)[0], np.tile(np.eye(4), (3, 1, 1)))
        assert sum(name.startswith("/bodies/") for name in picture.server.scene._handle_from_node_name) == 3


def test_pairs_that_are_beyond_have_no_witnesses():
    ball = superovoid.Superovoids.sphere(1.0)
    there = HERE + np.eye(7)[0] * 9
    found = superovoid.contact(ball, HERE, ball, there, max_distance=1.0)
    with show.pairs(ball, HERE, ball, there, found) as picture:
        assert picture.labels == []


def test_a_robot_has_all_its_bodies():
    robot = superovoid.Robot.from_urdf(URDF)
    with show.robot(robot, robot.neutral, max_distance=0.005, labels=2) as picture:
        names = list(picture.server.scene._handle_from_node_name)
        assert sum(name.startswith("/bodies/") for name in names) == len(robot.collisions) == 42
        assert picture.labels[0].startswith("-3.802 mm") and picture.left_out == []


def test_collisions_are_those_of_the_file():
    robot = superovoid.Robot.from_urdf_text(BOX)
    box, cylinder, mesh = robot.collisions
    assert (box.kind, box.parameters, box.link, box.collision) == ("box", [1, 2, 3], 0, 0)
    assert (cylinder.kind, cylinder.parameters, cylinder.pose.tolist()) == ("cylinder", [0.5, 2], [0, 0, 4, 0, 0, 0, 1])
    assert (mesh.kind, mesh.filename, mesh.parameters) == ("mesh", "package://a/b.stl", [2, 2, 2])
    with show.robot(robot, robot.neutral) as picture:
        assert picture.left_out == ["a: mesh package://a/b.stl"]


def test_example_of_the_module_is_true():
    import doctest

    assert doctest.testmod(show).failed == 0

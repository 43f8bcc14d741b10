"""Answers as Arrow streams, read by pyarrow and polars."""

import subprocess
import sys

import numpy as np
import polars
import pyarrow
import pytest
import superovoid
from conftest import HANDS, HERE, poses, shapes

FIELDS = ["distance", "point_a", "point_b", "normal", "lower", "upper", "outcome", "iterations"]


def test_contacts_are_tables_to_the_last_bit(rng):
    found = superovoid.contact(shapes(rng, 6).reshape(2, 3, 7), poses(rng, 6).reshape(2, 3, 7), shapes(rng, 3), poses(rng, 3))
    table = found.to_arrow()
    assert table.column_names == FIELDS and table.num_rows == 6
    assert table.schema.field("normal").type == pyarrow.list_(pyarrow.field("item", pyarrow.float64(), False), 3)
    frame = polars.DataFrame(found)
    for name in FIELDS:
        want = np.asarray(getattr(found, name)).reshape(6, -1)
        assert np.array_equal(np.array(table[name].to_pylist()).reshape(6, -1), want)
        assert np.array_equal(np.array(frame[name].to_list()).reshape(6, -1), want)


def test_parts_that_are_not_there_are_null():
    mesh = superovoid.TriMesh(np.eye(3), [[0, 1, 2]])
    there = HERE + np.array([[1.0], [50.0]]) * np.eye(7)[0]
    table = superovoid.contact(superovoid.Superovoids.sphere(0.1), there, mesh, HERE, max_distance=10.0).to_arrow()
    assert table["part_b"].to_pylist() == [0, None] and "part_a" not in table.column_names


def test_none_one_and_many_rows():
    ball = superovoid.Superovoids.sphere(1.0)
    assert superovoid.contact(np.zeros((0, 7)), HERE, ball, HERE).to_arrow().num_rows == 0
    assert superovoid.contact(ball, HERE, ball, HERE).to_arrow().num_rows == 1
    many = np.tile(HERE, (100_000, 1))
    found = superovoid.contact(ball, HERE, ball, many)
    for _ in range(20):
        table = pyarrow.table(found)
    assert table.num_rows == 100_000


def test_rows_of_robots_and_scenes_are_tables(rng):
    robot = superovoid.Robot.from_urdf(HANDS)
    near = robot.clearances(np.tile(robot.neutral, (3, 1)), max_distance=0.01, gradient=True)
    table = near.to_arrow()
    assert table.num_rows == len(near) > 0
    assert table["link_a"].to_pylist() == near.link_a.tolist()
    assert np.array_equal(np.array(table["gradient"].to_pylist()), near.gradient)
    scene = superovoid.RobotScene(robot)
    wall = scene.add_obstacle("wall", superovoid.HalfSpace([0, 0, 1], -1.0), HERE)
    frame = polars.DataFrame(scene.contacts(robot.neutral))
    assert frame["obstacle"].drop_nulls().unique().to_list() == [int(wall)]
    assert frame["link_b"].null_count() == (frame["obstacle"].is_not_null()).sum() > 0
    pair = superovoid.Scene()
    pair.add("a", superovoid.Superovoids.sphere(1.0), HERE)
    pair.add("b", superovoid.Superovoids.sphere(1.0), HERE + np.eye(7)[0] * 3)
    assert pair.contacts().to_arrow()["distance"].to_pylist() == [1.0]


def test_pyarrow_is_not_needed_but_for_its_tables():
    program = """
import sys
sys.modules["pyarrow"] = None
import superovoid
ball = superovoid.Superovoids.sphere(1.0)
found = superovoid.contact(ball, [0, 0, 0, 0, 0, 0, 1], ball, [3, 0, 0, 0, 0, 0, 1])
found.__arrow_c_stream__()
try:
    found.to_arrow()
except ImportError as error:
    assert "pip install pyarrow" in str(error)
else:
    raise SystemExit("to_arrow() worked without pyarrow")
import polars
assert polars.DataFrame(found)["distance"].to_list() == [1.0]
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_stream_is_read_once():
    ball = superovoid.Superovoids.sphere(1.0)
    capsule = superovoid.contact(ball, HERE, ball, HERE).__arrow_c_stream__()
    class Once:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule
    assert pyarrow.table(Once()).num_rows == 1
    with pytest.raises((ValueError, pyarrow.ArrowInvalid)):
        pyarrow.table(Once())

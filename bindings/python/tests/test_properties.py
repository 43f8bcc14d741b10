"""Properties of the arguments of every query, on arrays that hypothesis makes: hostile ones are refused by name or read right."""

import subprocess
import sys
import threading

import numpy as np
import pytest
import superovoid
from conftest import HERE, same
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from superovoid import published

BALL = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]
STILL = superovoid.Motions.still(HERE)
MESH = superovoid.TriMesh(np.eye(3), [[0, 1, 2]])
CONE = superovoid.ConvexShape.cone(0.5, 1.0)
RING = superovoid.Superquadric.toroid([0.5, 0.5, 0.5], [1, 1], 4)

# Each query as a function of poses of A; what else it takes is far away.
QUERIES = {
    "contact": lambda pose: superovoid.contact(BALL, pose, BALL, HERE),
    "contact with a mesh": lambda pose: superovoid.contact(BALL, pose, MESH, HERE),
    "contact of cones": lambda pose: superovoid.contact(CONE, pose, CONE, HERE),
    "vertex_contact": lambda pose: superovoid.vertex_contact(BALL, pose, [9.0, 0, 0]),
    "plane_contact": lambda pose: superovoid.plane_contact(BALL, pose, [0.0, 0, 1, 9]),
    "half_space_contact": lambda pose: superovoid.half_space_contact(BALL, pose, [0.0, 0, 1, -9]),
    "segment_contact": lambda pose: superovoid.segment_contact(BALL, pose, np.eye(2, 3) * 9),
    "triangle_contact": lambda pose: superovoid.triangle_contact(BALL, pose, np.eye(3) * 9),
    "hull_contact": lambda pose: superovoid.hull_contact(BALL, pose, np.eye(3) * 9),
    "box_contact": lambda pose: superovoid.box_contact(BALL, pose, [1.0, 1, 1], HERE),
    "contact with a ring": lambda pose: superovoid.contact(BALL, pose, RING, HERE),
    "point_contact of a ring": lambda pose: RING.point_contact(pose, [9.0, 0, 0]),
    "plane_contact of a ring": lambda pose: RING.plane_contact(pose, [0.0, 0, 1, 9]),
    "scheme_contact": lambda pose: published.scheme_contact(BALL, pose, BALL, HERE),
    "radial_vertex_contact": lambda pose: published.radial_vertex_contact(BALL, pose, [9.0, 0, 0]),
}

finite = st.floats(-1e3, 1e3, allow_subnormal=True)
quaternions = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)
pose = st.tuples(st.tuples(finite, finite, finite), quaternions).map(lambda p: np.array([*p[0], *(np.array(p[1]) / np.linalg.norm(p[1]))]))


@pytest.mark.parametrize("name", QUERIES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_broadcast_is_a_loop(name, data):
    query = QUERIES[name]
    axes = data.draw(st.lists(st.integers(0, 3), max_size=3).map(tuple))
    count = int(np.prod(axes))
    rows = np.array([data.draw(pose) for _ in range(count)]).reshape(*axes, 7)
    found = query(rows)
    assert found.shape == axes and found.distance.shape == axes and found.normal.shape == (*axes, 3)
    for index in np.ndindex(axes):
        one = query(rows[index])
        scale = max(1.0, np.abs(rows[index][:3]).max())
        # Pairs that are solved together agree with single ones within the tolerance.
        tolerance = 3e-9 * scale if one.distance > 0 else 1e-6
        assert abs(found.distance[index] - one.distance) <= tolerance
        assert found.lower[index] <= found.distance[index] <= found.upper[index]


# How the same numbers may lie in memory, or be written.
LAYOUTS = {
    "strided": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "reversed": lambda x: x[::-1].copy()[::-1],
    "Fortran": np.asfortranarray,
    "big-endian": lambda x: x.astype(">f8"),
    "read-only": lambda x: np.frombuffer(x.tobytes()).reshape(x.shape),
    "unaligned": lambda x: np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float64).reshape(x.shape),
    "list": lambda x: x.tolist(),
    "wide": lambda x: x.astype(np.longdouble),
    "a view of itself": lambda x: np.lib.stride_tricks.as_strided(x, x.shape, x.strides),
}


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_the_same_numbers_have_the_same_answers(name, layout, rng):
    rows = np.hstack([rng.uniform(-5, 5, (6, 3)), rng.normal(size=(6, 4))])
    rows[:, 3:] /= np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)
    assert same(QUERIES[name](rows), QUERIES[name](LAYOUTS[layout](rows)))


def test_overlapping_rows_are_read_where_they_lie():
    numbers = np.array([0.0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
    rows = np.lib.stride_tricks.as_strided(numbers, (2, 7), (56, 8))
    assert np.array_equal(superovoid.contact(BALL, rows, BALL, HERE).distance, superovoid.contact(BALL, rows.copy(), BALL, HERE).distance)


hostile = st.one_of(
    arrays.arrays(st.sampled_from([np.float64, np.float32, np.int8, np.bool_, np.complex64, "S3", object]), arrays.array_shapes(min_dims=0, max_dims=3, max_side=8)),
    st.sampled_from([None, "pose", b"pose", {}, {"x": 1}, [[1.0], [1.0, 2.0]], np.ma.masked_array(HERE, [True] * 7), object(), np.datetime64("2020")]),
    arrays.arrays(np.float64, (7,), elements=st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf, 5e-324, 1.7e308])),
)


@pytest.mark.parametrize("name", QUERIES)
@settings(max_examples=150, deadline=None)
@given(value=hostile)
def test_hostile_poses_are_refused_or_answered(name, value):
    try:
        found = QUERIES[name](value)
    except (ValueError, TypeError, OverflowError) as error:
        assert str(error)
        return
    assert not np.isnan(found.lower).any() and (np.asarray(found.lower) <= np.asarray(found.upper)).all()


@settings(max_examples=200, deadline=None)
@given(value=hostile)
def test_hostile_shapes_are_refused_or_answered(value):
    try:
        shapes = superovoid.Superovoids(value)
    except (ValueError, TypeError, OverflowError) as error:
        assert str(error)
        return
    assert shapes.parameters.shape[-1] == 7 and np.isfinite(shapes.parameters).all()


def test_threads_call_every_query_at_once(rng):
    rows = np.hstack([rng.uniform(-5, 5, (700, 3)), np.tile([0.0, 0, 0, 1], (700, 1))])
    want, agree = {name: query(rows) for name, query in QUERIES.items()}, []
    def work():
        agree.extend(same(want[name], query(rows)) for name, query in QUERIES.items())
    callers = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in callers]
    [t.join() for t in callers]
    assert agree == [True] * 4 * len(QUERIES)


def test_calls_of_other_queries_do_not_leak():
    import resource
    used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    def calls(count):
        for _ in range(count):
            superovoid.contact(CONE, HERE, CONE, HERE + np.eye(7)[0] * 9).distance
            superovoid.vertex_time_of_impact(BALL, STILL, STILL).outcome
            superovoid.Superovoids(BALL).support([0.0, 0, 1])
    calls(20_000)
    before = used()
    calls(100_000)
    assert used() - before < 4096  # kB


def test_arguments_are_not_copied():
    """Of 800,000 pairs the poses take 45 MB each: the answers and nothing else may be new."""
    program = """
import resource, numpy as np, superovoid
pose = np.tile([0.0, 0, 0, 0, 0, 0, 1], (800_000, 1))
there = pose + np.array([3.0, 0, 0, 0, 0, 0, 0])
ball = superovoid.Superovoids.sphere(1.0)
superovoid.contact(ball, pose[:1000], ball, there[:1000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = superovoid.contact(ball, pose, ball, there)
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
answers = 800_000 * 104 / 1024
assert used < answers + 12_000, (used, answers)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.version_info < (3, 13), reason="the module of subinterpreters is younger")
def test_subinterpreters_are_refused_clearly():
    program = """
import _interpreters, superovoid
failed = _interpreters.exec(_interpreters.create(), "import superovoid")
assert "does not support loading in subinterpreters" in failed.msg, failed
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

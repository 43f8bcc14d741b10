"""The functions of JAX: derivatives against differences, batches, what is refused."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import superovoid
from conftest import HERE, poses, shapes

jax = pytest.importorskip("jax", reason="pip install 'superovoid[jax]'")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402
import superovoid.jax  # noqa: E402
from superovoid.jax import RobotClearances, contact, distance  # noqa: E402


@pytest.fixture
def by_callbacks(monkeypatch):
    """JAX calls the queries through Python, as on other platforms than the processor."""
    monkeypatch.setattr(superovoid.jax, "_HANDLERS", False)
    jax.clear_caches()
    yield
    jax.clear_caches()


URDF = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"


def pairs(rng, count, exponents=(0.3, 1.7), reach=2.0, tapers=0.3):
    """Bodies of the whole convex domain but its edges, apart and overlapping."""
    a, b = shapes(rng, count, exponents), shapes(rng, count, exponents)
    for body in (a, b):
        body[:, 5:] = rng.uniform(-tapers, tapers, (count, 2))
        hollow = ~superovoid.Superovoids(body).convex
        body[hollow, 5:] = 0.0
    assert superovoid.Superovoids(a).convex.all() and superovoid.Superovoids(b).convex.all()
    return a, poses(rng, count, reach), b, poses(rng, count, reach)


def differences(f, arguments, h):
    """Central differences of fourth order of a function of several arrays, by each number."""
    found = []
    for k, x in enumerate(arguments):
        columns = []
        for j in range(x.shape[-1]):
            step = np.zeros(x.shape)
            step[..., j] = h
            at = lambda s: np.asarray(f(*arguments[:k], x + s * step, *arguments[k + 1 :]))
            columns.append((8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h))
        found.append(np.stack(columns, axis=-1))
    return found


def test_answers_are_those_of_the_package(rng):
    arguments = pairs(rng, 500)
    want, found = superovoid.contact(*arguments), contact(*arguments)
    assert np.abs(distance(*arguments) - want.distance).max() < 2e-9
    for field in ["distance", "lower", "upper"]:
        assert np.abs(getattr(found, field) - getattr(want, field)).max() < 2e-9, field
    assert found.outcome.dtype == np.uint8 and np.array_equal(found.outcome, want.outcome)
    apart = want.distance > 0.01
    assert np.abs(found.point_b - found.point_a - found.distance[:, None] * found.normal)[apart].max() < 1e-9


def whole_domain(rng, count):
    """Exponents from 0.02 to 1.98, and tapers wherever the body stays convex."""
    found = shapes(rng, count, (0.02, 1.98))
    for reach in (0.8, 0.4, 0.2, 0.1):
        hollow = ~superovoid.Superovoids(found).convex | (found[:, 5:] == 0).all(axis=1)
        found[hollow, 5:] = rng.uniform(-reach, reach, (hollow.sum(), 2))
    found[~superovoid.Superovoids(found).convex, 5:] = 0.0
    assert (found[:, 5:] != 0).all(axis=1).mean() > 0.2
    return found


def test_derivatives_of_the_whole_domain(rng):
    """Along a random tangent of all 28 numbers, beside fourth-order differences at the step that suits each pair."""
    count = 300
    at = [whole_domain(rng, count), poses(rng, count, 2.0), whole_domain(rng, count), poses(rng, count, 2.0)]
    by = [rng.normal(size=x.shape) for x in at]
    for body, tangent in zip(at[::2], by[::2]):
        tangent[:, 5:][body[:, 5:] == 0] = 0.0  # many of these are convex without a taper only

    def moved(step, chosen=slice(None)):
        there = [(x + step * t)[chosen] for x, t in zip(at, by)]
        for body in there[::2]:
            body[:, 3:5] = np.clip(body[:, 3:5], 1e-3, 1.999)
        return there

    def error(rate, of, steps):
        found = np.full(len(rate), np.inf)
        for h in steps:
            near = (8 * (of(h) - of(-h)) - (of(2 * h) - of(-2 * h))) / (12 * h)
            worst = np.abs(near - rate).reshape(len(rate), -1).max(axis=1)
            found = np.minimum(found, worst / (1 + np.abs(rate).reshape(len(rate), -1).max(axis=1)))
        return found

    # Where a body turns hollow on the way the differences are those of another problem.
    stays = np.all([superovoid.Superovoids(x).convex for h in (-2e-4, 2e-4) for x in moved(h)[::2]], axis=0)
    at, by = [x[stays] for x in at], [x[stays] for x in by]
    certified = lambda *x: distance(*x, depth="certified")
    value, rate = jax.jvp(certified, tuple(at), tuple(by))
    first = error(np.asarray(rate), lambda h: np.asarray(certified(*moved(h))), [1e-4, 1e-5, 1e-6])
    apart = np.asarray(value) > 0
    gradient = jax.jit(jax.grad(lambda *x: certified(*x).sum(), argnums=(0, 1, 2, 3)))
    _, rates = jax.jvp(gradient, *(tuple(x[apart] for x in some) for some in (at, by)))
    rates = np.concatenate(rates, axis=1)
    second = error(rates, lambda h: np.concatenate(gradient(*moved(h, apart)), axis=1), [1e-4, 1e-5, 1e-6, 1e-7])
    print(f"{len(value)} pairs of {count}, {apart.sum()} apart: first derivatives {first.max():.1e}, second (apart) {second.max():.1e}, NaN {np.isnan(rates).any(axis=1).sum()}")
    assert stays.sum() > 0.9 * count and 30 < (~apart).sum() and first.max() < 1e-7 and second.max() < 1e-5


def test_first_derivatives_are_those_of_differences(rng):
    """By all 28 numbers: quaternions move off the unit sphere too, along which nothing changes."""
    arguments = pairs(rng, 300)
    gradient = jax.grad(lambda *x: distance(*x).sum(), argnums=(0, 1, 2, 3))(*arguments)
    near = differences(distance, arguments, 1e-3)
    error = np.max([np.abs(g - n).max(axis=-1) for g, n in zip(gradient, near)], axis=0)
    # A difference that crosses from one least depth to another is no derivative; such pairs overlap deeply.
    missed = error > 1e-4
    found = superovoid.contact(*arguments)
    assert np.median(error) < 1e-7
    assert not (missed & (found.distance > 0)).any(), error[found.distance > 0].max()
    assert missed.sum() <= 3, (missed.sum(), np.sort(error)[-8:])
    for g, x in zip(gradient[1::2], arguments[1::2]):
        assert np.abs(np.sum(g[:, 3:] * x[:, 3:], axis=-1)).max() < 1e-12


@pytest.mark.parametrize("order", [1, 2])
def test_check_grads(rng, order):
    arguments = pairs(rng, 40, reach=4.0)
    apart = superovoid.contact(*arguments).distance > 0.05
    assert apart.sum() > 20
    chosen = [x[apart] for x in arguments]
    f = lambda *x: distance(*x)
    check_grads(f, chosen, order=order, modes=("fwd", "rev"), atol=1e-4, rtol=1e-4, eps=1e-4)


def test_witnesses_and_normals_are_differentiable(rng):
    arguments = pairs(rng, 60, exponents=(0.7, 1.4), reach=4.0)
    arguments = [x[superovoid.contact(*arguments).distance > 0.1] for x in arguments]
    tangents = [rng.normal(size=x.shape) for x in arguments]
    _, moved = jax.jvp(lambda *x: contact(*x)[:4], arguments, tangents)
    at = lambda s: contact(*[x + s * t for x, t in zip(arguments, tangents)])[:4]
    errors = []
    for h in [1e-4, 1e-5, 1e-6]:  # a point near a flat spot moves fast: its differences need a small step
        near = [(8 * (a - b) - (c - d)) / (12 * h) for a, b, c, d in zip(at(h), at(-h), at(2 * h), at(-2 * h))]
        errors.append([np.abs(r - n).reshape(len(r), -1).max(axis=1) / (1.0 + np.abs(r).max()) for r, n in zip(moved, near)])
    error = np.min(errors, axis=0)
    assert np.median(error) < 1e-10 and error.max() < 1e-6, error.max(axis=1)


def test_a_hessian_uses_second_derivatives(rng, monkeypatch, by_callbacks):
    """The Hessian by the poses, symmetric, beside differences of gradients."""
    a, pose_a, b, pose_b = (x[0] for x in pairs(rng, 1, exponents=(0.8, 1.2)))
    pose_b[:3] = pose_a[:3] + [3.0, 1.0, 0.5]
    f = lambda pose: distance(a, pose_a, b, pose)
    calls = []
    real = superovoid.contact_derivatives
    monkeypatch.setattr(superovoid, "contact_derivatives", lambda *x, **k: calls.append(1) or real(*x, **k))
    hessian = jax.hessian(f)(pose_b)
    assert calls and np.abs(hessian - hessian.T).max() < 1e-9
    monkeypatch.undo()
    columns = [(jax.grad(f)(pose_b + 1e-5 * e) - jax.grad(f)(pose_b - 1e-5 * e)) / 2e-5 for e in np.eye(7)]
    assert np.abs(hessian - np.stack(columns, axis=-1)).max() < 1e-5


def test_ten_thousand_pairs_of_vmap_are_one_call(rng):
    arguments = pairs(rng, 10_000)
    calls = superovoid._superovoid._xla_calls
    start = calls()
    f = jax.jit(jax.vmap(jax.value_and_grad(distance, argnums=(1, 3))))
    value, gradient = jax.block_until_ready(f(*arguments))
    assert calls() == start + 1 and value.shape == (10_000,) and gradient[0].shape == (10_000, 7)
    one = jax.vmap(distance, in_axes=(None, None, None, 0))(*[x[0] for x in arguments[:3]], arguments[3])
    assert jax.block_until_ready(one).shape == (10_000,) and calls() == start + 2
    grid = jax.vmap(jax.vmap(distance, (0, 0, None, None)), (None, None, 0, 0))(*[x[:30] for x in arguments])
    assert jax.block_until_ready(grid).shape == (30, 30) and calls() == start + 3
    assert abs(grid[3, 4] - superovoid.contact(*[x[k] for x, k in zip(arguments, (4, 4, 3, 3))]).distance) < 2e-9


def test_callbacks_batch_as_well(rng, monkeypatch, by_callbacks):
    arguments = pairs(rng, 10_000)
    sizes = []
    for name in ["contact", "distance_gradient"]:
        real = getattr(superovoid, name)
        count = lambda *x, real=real, **k: sizes.append(len(x[0])) or real(*x, **k)
        monkeypatch.setattr(superovoid, name, count)
    jax.block_until_ready(jax.jit(jax.vmap(jax.value_and_grad(distance, argnums=(1, 3))))(*arguments))
    assert sizes == [10_000, 10_000]


def test_handlers_and_callbacks_give_the_same_bits(rng, monkeypatch):
    arguments = pairs(rng, 1300)
    tangents = tuple(rng.normal(size=x.shape) for x in arguments)

    def everything():
        jax.clear_caches()
        some = [x[:100] for x in arguments]
        hessian = jax.jit(jax.vmap(jax.hessian(lambda *x: distance(*x, depth="certified"), argnums=(2, 3))))(*some)
        rates = jax.jvp(lambda *x: contact(*x)[:6], arguments, tangents)
        grad = jax.grad(lambda *x: distance(*x, threads=1).sum(), argnums=(0, 1, 2, 3))(*arguments)
        return jax.tree.leaves((hessian, rates, grad, distance(*arguments, tolerance=1e-3), contact(*arguments)))

    start = superovoid._superovoid._xla_calls()
    handlers = everything()
    assert superovoid._superovoid._xla_calls() > start + 4
    monkeypatch.setattr(superovoid.jax, "_HANDLERS", False)
    start = superovoid._superovoid._xla_calls()
    callbacks = everything()
    jax.clear_caches()
    assert superovoid._superovoid._xla_calls() == start
    assert len(handlers) == len(callbacks) > 15
    for one, other in zip(handlers, callbacks):
        assert np.array_equal(one, other, equal_nan=True)


def test_no_pairs_are_no_error():
    none = np.zeros((0, 7))
    assert distance(none, HERE, none, HERE).shape == (0,)
    assert jax.grad(lambda pose: distance(none, pose, none, HERE).sum())(jnp.asarray(HERE)).shape == (7,)


def test_handlers_refuse_calls_that_are_not_theirs():
    """Not by crashing."""
    one = jnp.ones((3, 7))
    shape = (jax.ShapeDtypeStruct((3,), np.float64),)
    right = dict(tolerance=np.float64(0), certified=np.int64(0), threads=np.int64(0))
    for arrays, results, attributes, message in [
        ((one,) * 3, shape, right, "other shapes"),
        ((one[:2],) + (one,) * 3, shape, right, "other shapes"),
        ((one,) * 4, shape * 2, right, "other shapes"),
        ((one.astype(jnp.float32),) * 4, shape, right, "float64"),
        ((jnp.float64(1.0),) * 4, shape, right, "other shapes"),
        ((one,) * 4, shape, {}, 'no attribute "tolerance"'),
        ((one,) * 4, shape, right | {"certified": np.float64(0.5)}, 'no attribute "certified"'),
    ]:
        with pytest.raises(Exception, match=message):
            jax.block_until_ready(jax.ffi.ffi_call("superovoid_distance", results)(*arrays, **attributes))


def test_threads_may_compute_at_once(rng):
    arguments = [jnp.asarray(x) for x in pairs(rng, 1500)]
    f = jax.jit(jax.value_and_grad(lambda *x: distance(*x).sum(), argnums=1))
    want = jax.block_until_ready(f(*arguments))
    agree = []

    def call():
        agree.append(all(np.array_equal(f(*arguments)[1], want[1]) for _ in range(5)))

    callers = [threading.Thread(target=call) for _ in range(4)]
    [t.start() for t in callers]
    [t.join() for t in callers]
    assert agree == [True] * 4


def test_axes_broadcast_before_vmap(rng):
    a, pose_a, b, pose_b = pairs(rng, 6)
    want = superovoid.contact(a, pose_a, b[:, None], pose_b[:, None]).distance
    found = jax.vmap(lambda b, pose_b: distance(superovoid.Superovoids(a), pose_a, b, pose_b))(b, pose_b)
    assert found.shape == (6, 6) and np.abs(found - want).max() < 2e-9


def test_ties_have_a_subgradient_and_never_nan():
    ball, there = jnp.array([1.0, 1, 1, 1, 1, 0, 0]), jnp.asarray(HERE)
    gradient = jax.grad(distance, argnums=(0, 1, 2, 3))(ball, there, ball, there)
    assert all(np.isfinite(g).all() for g in gradient)
    assert abs(np.linalg.norm(gradient[3][:3]) - 1.0) < 1e-12
    # Faces that lie opposite each other: witness points are not unique, the gradient by the position is.
    brick = jnp.array([0.5, 0.5, 0.5, 0.01, 0.01, 0, 0])
    gradient = jax.grad(distance, argnums=3)(brick, there, brick, there.at[2].set(2.0))
    assert np.isfinite(gradient).all() and np.allclose(gradient[:3], [0, 0, 1])
    # What does not exist does not spoil what does.
    only = jax.jit(jax.grad(lambda pose: contact(brick, there, brick, pose).distance))(there.at[2].set(2.0))
    assert np.isfinite(only).all()


def test_random_overlaps_have_no_nan(rng):
    arguments = pairs(rng, 2000, reach=0.5)
    gradient = jax.grad(lambda *x: distance(*x).sum(), argnums=(0, 1, 2, 3))(*arguments)
    converged = superovoid.contact(*arguments).outcome != superovoid.Outcome.NOT_CONVERGED
    assert converged.sum() > 1990
    assert all(np.isfinite(g[converged]).all() for g in gradient)


def test_what_does_not_fit_is_refused(rng):
    ball, there = np.array([1.0, 1, 1, 1, 1, 0, 0]), HERE + np.eye(7)[0] * 3
    with pytest.raises(ValueError, match="pose_a has the shape"):
        distance(ball, HERE[:6], ball, there)
    with pytest.raises(ValueError, match="do not broadcast: a .2,., pose_a .3,."):
        distance(np.tile(ball, (2, 1)), np.tile(HERE, (3, 1)), ball, there)
    with pytest.raises(TypeError, match="b has the dtype complex128"):
        distance(ball, HERE, ball.astype(complex), there)
    bad = np.tile(ball, (700, 1))
    bad[613, 1] = -1.0
    bad[650, 1] = -2.0
    with pytest.raises(Exception, match=r"b: element \[613\]: a2 = -1"):
        jax.jit(distance)(ball, HERE, bad, there).block_until_ready()
    with pytest.raises(Exception, match="pose"):
        distance(ball, HERE * np.nan, ball, there).block_until_ready()
    for options, message in (({"depth": "deep"}, "depth"), ({"threads": 0}, "threads = 0"), ({"tolerance": -1.0}, "tolerance")):
        with pytest.raises(ValueError, match=message):
            distance(ball, HERE, ball, there, **options)
    with pytest.raises(NotImplementedError, match="no third ones"):
        jax.jacfwd(jax.hessian(lambda pose: distance(ball, HERE, ball, pose)))(jnp.asarray(there))
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(RuntimeError, match="jax_enable_x64"):
            distance(ball, HERE, ball, there)
    finally:
        jax.config.update("jax_enable_x64", True)


def test_an_eager_call_compiles_once(caplog):
    ball, there = jnp.array([1.0, 1, 1, 1, 1, 0, 0]), jnp.asarray(HERE).at[0].set(3.0)
    distance(ball, HERE, ball, there).block_until_ready()
    with jax.log_compiles():
        distance(ball, HERE, ball, there).block_until_ready()
    assert not [record for record in caplog.records if "ompil" in record.getMessage()]


def test_clearances_of_a_robot(rng):
    robot = superovoid.Robot.from_urdf(URDF)
    clearances = RobotClearances(robot)
    neutral = jnp.asarray(robot.neutral)
    found = clearances(neutral)
    assert found.shape == (len(clearances.links),) and clearances.collisions.shape == clearances.links.shape
    rows = robot.clearances(robot.neutral)
    by_pair = dict(zip(zip(rows.link_a.tolist(), rows.link_b.tolist()), rows.contacts.distance))
    assert np.abs(found - np.array([by_pair[tuple(p)] for p in clearances.links.tolist()])).max() < 1e-9
    low, high = robot.position_limits.T
    q = rng.uniform(0.7 * low + 0.3 * high, 0.3 * low + 0.7 * high, (3, len(neutral)))
    jacobian = jax.jit(jax.vmap(jax.jacfwd(clearances)))(q)
    assert jacobian.shape == (3, len(found), len(neutral))
    assert np.array_equal(jax.jit(jax.vmap(jax.jacrev(clearances)))(q), jacobian)
    direction, h = rng.normal(size=len(neutral)) * (high > low), 1e-4
    slope = (clearances(q + h * direction) - clearances(q - h * direction)) / (2 * h)
    apart = (clearances(q) > 1e-3).all(axis=0)
    assert apart.sum() > 500 and np.abs(jacobian @ direction - slope)[:, apart].max() < 1e-5
    with pytest.raises(NotImplementedError, match="first derivatives only"):
        jax.hessian(lambda q: clearances(q).min())(neutral)


def test_example_of_the_module_is_true():
    import doctest
    
    assert doctest.testmod(superovoid.jax).failed == 0


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processors cannot be chosen here")
@pytest.mark.parametrize("handlers", [True, False])
def test_one_processor_does_not_wait_for_ever(handlers):
    program = """if True:
        import os
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        import jax, numpy as np
        jax.config.update("jax_enable_x64", True)
        import superovoid.jax
        from superovoid.jax import distance
        superovoid.jax._HANDLERS = WAY
        balls = np.ones((10_000, 7)); balls[:, 5:] = 0.0
        poses = np.zeros((10_000, 7)); poses[:, 6] = 1.0
        there = poses.copy(); there[:, 0] = np.linspace(3, 9, 10_000)
        pairs = [jax.numpy.asarray(x) for x in (balls, poses, balls, there)]
        for _ in range(20):  # eager calls: each is dispatched while its arguments are still made
            value = distance(*pairs).block_until_ready()
        print(value.sum())
    """
    done = subprocess.run([sys.executable, "-c", program.replace("WAY", str(handlers))], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and abs(float(done.stdout) - 40_000.0) < 1e-6, done.stderr

"""Times distances and gradients under ``jax.jit``, called by XLA and through Python, beside the package's own calls.

    pip install './bindings/python[jax]'
    python bindings/python/benchmarks/jax_calls.py
"""

import time

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)

import superovoid  # noqa: E402
import superovoid.jax  # noqa: E402


def pairs(rng, count):
    """Superellipsoids at random poses, apart and overlapping."""
    for _ in range(2):
        shapes = np.zeros((count, 7))
        shapes[:, :3], shapes[:, 3:5] = rng.uniform(0.3, 1.5, (count, 3)), rng.uniform(0.3, 1.7, (count, 2))
        turns = rng.normal(size=(count, 4))
        yield shapes
        yield np.hstack([rng.uniform(-3, 3, (count, 3)), turns / np.linalg.norm(turns, axis=1, keepdims=True)])


def best(call):
    """Returns the least of several times, µs."""
    call()
    times, end = [], time.perf_counter() + 1.0
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times)


def under_jit(arrays, handlers):
    jax.clear_caches()
    superovoid.jax._HANDLERS = handlers
    distance = jax.jit(lambda *x: superovoid.jax.distance(*x))
    gradient = jax.jit(jax.grad(lambda *x: superovoid.jax.distance(*x).sum(), argnums=(1, 3)))
    return [best(lambda: jax.block_until_ready(f(*arrays))) for f in (distance, gradient)]


def main():
    print("| µs a call | distance | gradient by both poses |\n| --- | ---: | ---: |")
    for count in (1, 10_000):
        numbers = list(pairs(np.random.default_rng(1), count))
        arrays = [jax.numpy.asarray(x) for x in numbers]
        contact = lambda: superovoid.contact(*numbers)
        rows = {"NumPy": [best(contact), best(lambda: superovoid.distance_gradient(*numbers, contact()).gradient)]}
        rows |= {"JAX, called by XLA": under_jit(arrays, True), "JAX, through Python": under_jit(arrays, False)}
        for name, (distance, gradient) in rows.items():
            print(f"| {count:,} pair{'s' * (count > 1)}, {name} | {distance:,.0f} | {gradient:,.0f} |", flush=True)


if __name__ == "__main__":
    main()

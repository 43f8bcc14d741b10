"""A million pairs in one call, beside the Rust batch in the same run: `python bindings/python/benchmarks/million_pairs.py`.

Build both first: `pip install ./bindings/python` and `cargo build --release --example batch_file`. The pairs are those of the papers'
battery: semi-axes 1, exponents 0.3 to 1.1, centres 2.5 apart along y, turned at random. The Rust batch runs on one thread
and makes its answers anew each time, as NumPy's functions do. The best of seven rounds counts.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import superovoid


def battery(count):
    rng = np.random.default_rng(2017)
    bodies = []
    for y in (0.0, 2.5):
        shapes = np.ones((count, 7))
        shapes[:, 3:5] = rng.uniform(0.3, 1.1, (count, 2))
        shapes[:, 5:] = 0.0
        turns = rng.normal(size=(count, 4))
        poses = np.zeros((count, 7))
        poses[:, 1] = y
        poses[:, 3:] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
        bodies += [shapes, poses]
    return bodies


def best(work, rounds=7):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
    return min(times), found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    target = os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[3] / "target")
    parser.add_argument("--rust", default=Path(target) / "release/examples/batch_file")
    options = parser.parse_args()
    a, pose_a, b, pose_b = battery(options.pairs)
    with tempfile.NamedTemporaryFile() as file:
        np.hstack([a, pose_a, b, pose_b]).tofile(file.name)
        alone = os.environ | {"RAYON_NUM_THREADS": "1"}
        rust, total = map(float, subprocess.check_output([options.rust, file.name], env=alone).split())
    shapes_a, shapes_b = superovoid.Superovoids(a), superovoid.Superovoids(b)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    one, found = best(lambda: superovoid.contact(shapes_a, pose_a, shapes_b, pose_b, threads=1))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    two, _ = best(lambda: superovoid.contact(shapes_a, pose_a, shapes_b, pose_b, threads=2))
    rows, _ = best(lambda: superovoid.contact(a, pose_a, b, pose_b, threads=1))
    assert found.distance.sum() == total or abs(found.distance.sum() - total) < 1e-9 * abs(total)
    each = lambda seconds: f"{1e9 * seconds / options.pairs:.0f} ns a pair, {seconds / rust:.3f} times the Rust batch"
    print(f"{options.pairs} pairs, {(found.outcome != superovoid.Outcome.CERTIFIED).sum()} not certified")
    print(f"Rust batch, one thread          {1e9 * rust / options.pairs:.0f} ns a pair")
    print(f"Superovoids, one thread              {each(one)}")
    print(f"Superovoids, two threads             {each(two)}, {one / two:.2f} times as fast as one")
    print(f"arrays of parameters, one       {each(rows)}")
    print(f"memory that calls add           {grown / 1024:.0f} MB, inputs {(a.nbytes + pose_a.nbytes) * 2 / 2**20:.0f} MB")
    ball, here = superovoid.Superovoids.sphere(1.0), np.array([0.0, 0, 0, 0, 0, 0, 1])
    there = here + np.eye(7)[0] * 3
    calls = 20_000
    def single():
        for _ in range(calls):
            superovoid.contact(ball, here, ball, there)
    seconds, _ = best(single)
    print(f"a single call                   {1e6 * seconds / calls:.2f} µs")


if __name__ == "__main__":
    main()

"""Measures a sweep of the iCub hands: one process, two workers of Dask and of Ray, one of which is killed half-way.

    pip install './bindings/python[sweep,dask,ray]'
    python bindings/python/benchmarks/sweep.py --configurations 1000000

Prints the time of each, whether its files have the bytes of one process, and how many rows they have.
"""

import argparse
import os
import signal
import tempfile
import time
from pathlib import Path

from superovoid import sweep

HANDS = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"


class Mortal:
    """A source that kills its process once, in a chunk half-way."""

    def __init__(self, source, chunk, grave):
        self.source, self.chunk, self.grave = source, chunk, grave

    def __call__(self, chunk):
        if chunk == self.chunk and not os.path.exists(self.grave):
            Path(self.grave).write_text("here")
            os.kill(os.getpid(), signal.SIGKILL)
        return self.source(chunk)


def on_dask(job):
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        start = time.perf_counter()
        sweep.run_dask(job, client)
        return time.perf_counter() - start


def on_ray(job):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}})
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        start = time.perf_counter()
        sweep.run_ray(job, 2)
        return time.perf_counter() - start
    finally:
        ray.shutdown()


def alone(job):
    start = time.perf_counter()
    sweep.run(job)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--configurations", type=int, default=1_000_000)
    parser.add_argument("--chunk", type=int, default=50_000)
    parser.add_argument("--ways", nargs="+", choices=["one", "two", "dask", "dask-killed", "ray", "ray-killed"], help="default: all")
    args = parser.parse_args()
    urdf = HANDS.read_text()
    source, chunks = sweep.RandomConfigurations(urdf, args.chunk, 1), args.configurations // args.chunk
    print(f"{chunks} chunks of {args.chunk} configurations, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        def job(name, threads=None, mortal=False):
            grave = str(Path(folder) / f"{name} died")
            made = Mortal(source, chunks // 2, grave) if mortal else source
            return sweep.Job(made, sweep.RobotClearances(urdf, threads=threads), chunks, str(Path(folder) / name))

        ways = {
            "one": ("one process, one thread", job("one", threads=1), alone),
            "two": ("one process, two threads", job("two", threads=2), alone),
            "dask": ("Dask, two workers", job("dask"), on_dask),
            "dask-killed": ("Dask, two workers, one killed half-way", job("dask killed", mortal=True), on_dask),
            "ray": ("Ray, two workers", job("ray"), on_ray),
            "ray-killed": ("Ray, two workers, one killed half-way", job("ray killed", mortal=True), on_ray),
        }
        first = base = None
        for name, other, run in (ways[way] for way in args.ways or ways):
            seconds = run(other)
            if first is None:
                first, base = other, seconds
            same = all(first.file(k).read_bytes() == other.file(k).read_bytes() for k in range(chunks))
            rows = sum(table.num_rows for table in other.tables())
            each = seconds / args.configurations * 1e6
            print(f"{name}: {seconds:.1f} s, {each:.1f} µs a configuration, {base / seconds:.2f} times as fast as the first,", end=" ")
            print(f"{rows} rows, bytes {'the same' if same else 'DIFFER'}", flush=True)


if __name__ == "__main__":
    main()

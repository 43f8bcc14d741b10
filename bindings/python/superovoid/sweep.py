"""Sweeps: millions of queries in chunks, in one process, on Dask or on Ray, resumable, with the same bytes everywhere.

A `Job` joins a source, which makes the Arrow record batch of a chunk from the chunk's number, and a query, which makes one
record batch of another. Each chunk becomes one Parquet file, written whole or not at all; a chunk whose file is there is not
done again. So a sweep that was interrupted goes on where it was, a worker that dies loses nothing, and a chunk that two
workers did has the same bytes from both. Nothing but numbers of chunks is sent to workers.

Sources and queries are any callables that can be pickled; those here are frozen dataclasses. ``python -m superovoid.sweep
--help`` is the command line for robots. It needs ``pip install 'superovoid[sweep]'``, and Dask or Ray if they are used.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import re
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise ImportError("superovoid.sweep needs pyarrow: pip install 'superovoid[sweep]'") from error

import superovoid

Source = Callable[[int], Any]
"""Makes the record batch of a chunk from its number, from 0: the same for the same number, on any machine."""

Query = Callable[[Any], Any]
"""Makes the record batch of answers of a record batch: a pure function."""

Told = Callable[[int, int], None]
"""Takes the number of chunks that are done and of all chunks."""


class SweepError(RuntimeError):
    """Chunks that failed, each with its file and what went wrong; the others are done."""


def matrix(column: Any, name: str, width: int | None = None) -> NDArray[np.float64]:
    """Returns a column of lists of one length as an array, shape (rows, width), without a copy where it can be."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if array.null_count:
        row = int(np.flatnonzero(np.asarray(array.is_null()))[0])
        raise ValueError(f"column {name!r}, row {row}: there is no value")
    kind = array.type
    if pa.types.is_fixed_size_list(kind):
        found = kind.list_size
        numbers = array.flatten()
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        lengths = np.diff(np.asarray(array.offsets))
        found = width if width is not None else int(lengths[0]) if len(lengths) else 0
        for row in np.flatnonzero(lengths != found)[:1]:
            raise ValueError(f"column {name!r}, row {row}: {lengths[row]} numbers, {found} are wanted")
        numbers = array.flatten()
    else:
        raise TypeError(f"column {name!r} has the type {kind}; lists of numbers are wanted")
    if width is not None and found != width:
        raise ValueError(f"column {name!r} has lists of {found} numbers; {width} are wanted")
    return np.asarray(numbers.to_numpy(zero_copy_only=False), np.float64).reshape(len(array), found)


def lists(rows: NDArray[np.float64]) -> Any:
    """Returns an array of the shape (rows, width) as a column of lists of one length."""
    flat = pa.array(np.ascontiguousarray(rows, np.float64).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, rows.shape[1])


def _columns(answers: Any) -> dict[str, Any]:
    table = pa.table(answers)
    return {name: table[name].combine_chunks() for name in table.column_names}


def _column(batch: Any, name: str) -> Any:
    if name not in batch.schema.names:
        raise ValueError(f"there is no column {name!r}; there are {', '.join(batch.schema.names)}")
    return batch.column(name)


@lru_cache(maxsize=8)
def _robot(urdf: str) -> superovoid.Robot:
    return superovoid.Robot.from_urdf_text(urdf)


@dataclasses.dataclass(frozen=True)
class PairContacts:
    """The query of pairs: the columns ``a, pose_a, b, pose_b``, lists of seven numbers, become those of `Contacts`."""

    tolerance: float = 0.0
    max_distance: float = float("inf")
    depth: str = "fast"
    threads: int | None = dataclasses.field(default=None, compare=False)

    def __call__(self, batch: Any) -> Any:
        a, pose_a, b, pose_b = (matrix(_column(batch, name), name, 7) for name in ("a", "pose_a", "b", "pose_b"))
        options: dict[str, Any] = {"tolerance": self.tolerance, "max_distance": self.max_distance, "depth": self.depth}
        found = superovoid.contact(a, pose_a, b, pose_b, threads=self.threads, **options)
        return pa.RecordBatch.from_pydict(_columns(found))


@dataclasses.dataclass(frozen=True)
class RobotClearances:
    """The query of configurations: the column ``configuration`` becomes pairs of links with their contacts.

    ``row`` is the row of the configuration. Of each configuration it is every pair within the maximum distance, or the closest
    one alone; configurations without such a pair have no row.
    """

    urdf: str
    """The text of the URDF file."""
    max_distance: float = 0.01
    closest: bool = True
    threads: int | None = dataclasses.field(default=None, compare=False)

    def __call__(self, batch: Any) -> Any:
        robot = _robot(self.urdf)
        q = matrix(_column(batch, "configuration"), "configuration", robot.position_count)
        scene = superovoid.RobotScene(robot)
        query = scene.closest if self.closest else scene.contacts
        columns = _columns(query(q, max_distance=self.max_distance, threads=self.threads))
        columns["row"] = columns.pop("configuration")
        del columns["obstacle"], columns["part_b"]
        names = ["row", *(name for name in columns if name != "row")]
        return pa.RecordBatch.from_pydict({name: columns[name] for name in names})


@dataclasses.dataclass(frozen=True)
class Fits:
    """The query of point clouds: the column ``points``, lists of 3 n numbers, becomes ``shape``, ``pose``, both lists of seven
    numbers, and ``rms``, the root mean square of the distances of the points, metres."""

    family: str = "convex"
    aim: str = "best"
    loss: str = "robust"

    def __call__(self, batch: Any) -> Any:
        shapes, poses, rms = [], [], []
        options: dict[str, Any] = {"family": self.family, "aim": self.aim, "loss": self.loss}
        for row, numbers in enumerate(_column(batch, "points")):
            points = np.array(numbers.as_py(), np.float64).reshape(-1)
            if len(points) % 3:
                raise ValueError(f"column 'points', row {row}: {len(points)} numbers are no points of three")
            try:
                found = superovoid.fit(points.reshape(-1, 3), **options)
            except ValueError as error:
                raise ValueError(f"column 'points', row {row}: {error}") from error
            off = superovoid.vertex_contact(found.shape, found.pose, points.reshape(-1, 3)).distance
            shapes.append(found.shape.parameters)
            poses.append(found.pose)
            rms.append(float(np.sqrt(np.mean(off**2))))
        columns = {"shape": lists(np.array(shapes).reshape(-1, 7)), "pose": lists(np.array(poses).reshape(-1, 7))}
        return pa.RecordBatch.from_pydict(columns | {"rms": pa.array(rms, pa.float64())})


@dataclasses.dataclass(frozen=True)
class RandomConfigurations:
    """A source of configurations within the limits of the joints, uniform; numbers without a limit are within ±π."""

    urdf: str
    rows: int = 100_000
    """The rows of a chunk."""
    seed: int = 0

    def __call__(self, chunk: int) -> Any:
        robot = _robot(self.urdf)
        if robot.position_count != robot.velocity_count:
            raise ValueError(f"robot {robot.name!r} has a floating joint: a source of its configurations is yours to write")
        least, most = np.array(robot.position_limits).T
        least, most = np.where(np.isfinite(least), least, -np.pi), np.where(np.isfinite(most), most, np.pi)
        random = np.random.Generator(np.random.PCG64([self.seed, chunk]))
        q = random.uniform(least, most, (self.rows, robot.position_count))
        return pa.RecordBatch.from_pydict({"configuration": lists(q)})


@dataclasses.dataclass(frozen=True)
class ParquetRows:
    """A source of the rows of a Parquet file, ``rows`` to a chunk."""

    path: str
    rows: int = 100_000

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        rows: int = pq.ParquetFile(self.path).metadata.num_rows
        return -(-rows // self.rows)

    def __call__(self, chunk: int) -> Any:
        file = pq.ParquetFile(self.path)
        first, last = chunk * self.rows, (chunk + 1) * self.rows
        found, start = [], 0
        for group in range(file.num_row_groups):
            end = start + file.metadata.row_group(group).num_rows
            if start < last and first < end:
                table = file.read_row_group(group)
                found.append(table.slice(max(first - start, 0), min(last, end) - max(first, start)))
            start = end
        if not found:
            raise IndexError(f"{self.path} has no rows from {first} on")
        return pa.concat_tables(found).combine_chunks().to_batches()[0]


def _described(part: Any) -> dict[str, Any]:
    """Returns what tells one source or query from another, for `sweep.json`; long texts by their digest."""
    name = getattr(part, "__qualname__", type(part).__qualname__)
    described: dict[str, Any] = {"kind": f"{part.__module__}.{name}"}
    if dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            value = getattr(part, field.name)
            if not field.compare:
                continue
            if isinstance(value, str) and len(value) > 200:
                value = "sha256 " + hashlib.sha256(value.encode()).hexdigest()
            described[field.name] = value if isinstance(value, (str, int, bool)) else repr(value)
    return described


@dataclasses.dataclass(frozen=True)
class Job:
    """A sweep: chunks of a source, a query for each, a Parquet file for each in a folder."""

    source: Source
    query: Query
    chunks: int
    output: str

    def file(self, chunk: int) -> Path:
        """Returns the file of a chunk."""
        return Path(self.output) / f"chunk-{chunk:06}.parquet"

    def begin(self) -> list[int]:
        """Makes the folder, or sees that it is that of this sweep, and returns the chunks that are not done.

        Raises
        ------
        SweepError
            The folder holds another sweep, or something else.
        """
        folder, record = Path(self.output), Path(self.output) / "sweep.json"
        described = {
            "superovoid": superovoid.__version__,
            "chunks": self.chunks,
            "source": _described(self.source),
            "query": _described(self.query),
        }
        folder.mkdir(parents=True, exist_ok=True)
        if record.exists():
            before = json.loads(record.read_text())
            for name in described:
                if before.get(name) != described[name]:
                    raise SweepError(
                        f"{folder} holds another sweep: {name} was {before.get(name)} and is {described[name]}; "
                        "name another folder"
                    )
        elif any(folder.iterdir()):
            raise SweepError(f"{folder} holds something else: name another folder, or an empty one")
        else:
            _write(record, lambda path: path.write_text(json.dumps(described, indent=2) + "\n"))
        return [chunk for chunk in range(self.chunks) if not self.file(chunk).exists()]

    def run_chunk(self, chunk: int) -> int:
        """Does a chunk, unless its file is there, and returns its number. Errors name the file and the row."""
        file = self.file(chunk)
        if file.exists():
            return chunk
        try:
            answers = self.query(self.source(chunk))
        except Exception as error:
            said = re.sub(r"^element \[(\d+)\]", r"row \1", str(error))
            raise SweepError(f"chunk {chunk} ({file}): {said}") from error
        _write(file, lambda path: pq.write_table(pa.Table.from_batches([answers]), path))
        return chunk

    def tables(self) -> Iterator[Any]:
        """Returns the tables of the chunks one after the other, in their order."""
        return (pq.read_table(self.file(chunk)) for chunk in range(self.chunks))


def _write(file: Path, write: Callable[[Path], Any]) -> None:
    """Writes a file whole or not at all."""
    part = file.with_name(f".{file.name}.{uuid.uuid4().hex}.part")
    try:
        write(part)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)


def _finish(job: Job, ended: Iterable[tuple[int, str | None]], pending: Sequence[int], progress: Told | None) -> None:
    """Counts the chunks as they end, and raises an error that has all failures."""
    done, failures = job.chunks - len(pending), []
    for _, failure in ended:
        if failure is not None:
            failures.append(failure)
        done += failure is None
        if progress is not None:
            progress(done, job.chunks)
    for part in Path(job.output).glob(".chunk-*.part"):
        if not failures:  # what a killed worker left
            part.unlink(missing_ok=True)
    if failures:
        more = f"\nand {len(failures) - 3} more" if len(failures) > 3 else ""
        raise SweepError("\n".join(failures[:3]) + more)


def _attempt(job: Job, chunk: int) -> tuple[int, str | None]:
    try:
        job.run_chunk(chunk)
    except SweepError as error:
        return chunk, str(error)
    return chunk, None


def run(job: Job, progress: Told | None = None) -> None:
    """Runs a sweep in this process, chunk after chunk, each on all processors.

    Raises
    ------
    SweepError
        Chunks that failed, with file and row. All others are done, and a second run tries only those again.
    """
    pending = job.begin()
    _finish(job, (_attempt(job, chunk) for chunk in pending), pending, progress)


def _on_one_thread(job: Job) -> Job:
    """Returns the job for workers of which there is one for each processor."""
    if dataclasses.is_dataclass(job.query) and hasattr(job.query, "threads") and job.query.threads is None:
        query: Any = dataclasses.replace(job.query, threads=1)  # type: ignore[type-var]
        return dataclasses.replace(job, query=query)
    return job


def run_dask(job: Job, client: Any, progress: Told | None = None, retries: int = 3) -> None:
    """Runs a sweep on the workers of a `dask.distributed.Client`; they must see the folder by the same name.

    Use a worker of one thread for each processor. A cluster of dask-jobqueue (SLURM, PBS) is a client like any other.

    Raises
    ------
    SweepError
        As that of `run`. What fails for another reason, such as workers that die, is tried again ``retries`` times.
    """
    from dask.distributed import as_completed

    pending = job.begin()
    futures = client.map(partial(_attempt, _on_one_thread(job)), pending, pure=False, retries=retries)
    chunk_of = {future.key: chunk for future, chunk in zip(futures, pending)}

    def ended() -> Iterator[tuple[int, str | None]]:
        for future in as_completed(futures):
            chunk = chunk_of[future.key]
            error = future.exception()
            yield future.result() if error is None else (chunk, f"chunk {chunk} ({job.file(chunk)}): {error!r}")

    _finish(job, ended(), pending, progress)


class _RayWorker:
    """An actor of Ray Data, which keeps the robot from one chunk to the next."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        ended = [_attempt(self.job, int(chunk)) for chunk in batch["chunk"]]
        failures = [failure or "" for _, failure in ended]
        return {"chunk": np.array([chunk for chunk, _ in ended]), "failure": np.array(failures, dtype=object)}


def run_ray(job: Job, workers: int, progress: Told | None = None) -> None:
    """Runs a sweep on Ray, by `ray.data` with an actor for each of the workers; they must see the folder by the same name.

    Raises
    ------
    SweepError
        As that of `run`. Ray starts actors that die again.
    """
    import ray.data

    pending = job.begin()
    if pending:
        numbers = ray.data.from_items([{"chunk": chunk} for chunk in pending], override_num_blocks=len(pending))
        constructor = {"job": _on_one_thread(job)}
        answers = numbers.map_batches(
            _RayWorker, fn_constructor_kwargs=constructor, batch_size=1, concurrency=min(workers, len(pending)), num_cpus=1
        )
        ended = ((row["chunk"], row["failure"] or None) for row in answers.iter_rows())
        _finish(job, ended, pending, progress)


EXAMPLES = """\
examples:
  python -m superovoid.sweep urdf/icub_hands.urdf -o near --configurations 1000000
  python -m superovoid.sweep urdf/icub_hands.urdf -o near --configurations 1000000 --workers 2   # Dask, resumes

Rows of the answers: row (the configuration's number in its chunk), link_a, link_b, distance, points, normal, bracket.
Chunk k of the seed s is numpy's PCG64([s, k]), uniform within the joint limits."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code: 0 if every chunk is done, otherwise 1."""
    parser = argparse.ArgumentParser(
        prog="python -m superovoid.sweep",
        description="Find the closest pairs of links in random configurations of a robot, into Parquet files.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("robot", metavar="ROBOT.urdf", help="the robot")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder of the answers; a begun one goes on")
    parser.add_argument("--configurations", type=int, default=1_000_000, metavar="N", help="how many (default %(default)s)")
    parser.add_argument("--chunk", type=int, default=100_000, metavar="N", help="configurations of a file (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default %(default)s")
    parser.add_argument("--max-distance", type=float, default=0.01, metavar="M", help="metres (default %(default)s)")
    parser.add_argument("--all-pairs", action="store_true", help="every pair within that, not the closest alone")
    parser.add_argument("--workers", type=int, metavar="N", help="processes of Dask (default: none, all processors in this one)")
    args = parser.parse_args(arguments)
    for name in ("configurations", "chunk"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} {getattr(args, name)}: at least 1")
    try:
        urdf = Path(args.robot).read_text()
        _robot(urdf)
    except (OSError, ValueError) as error:
        parser.error(f"{args.robot}: {error}")
    if args.configurations % args.chunk:
        parser.error(f"--configurations {args.configurations} is no multiple of --chunk {args.chunk}")
    query = RobotClearances(urdf, args.max_distance, not args.all_pairs)
    source = RandomConfigurations(urdf, args.chunk, args.seed)
    job = Job(source, query, args.configurations // args.chunk, args.output)
    try:
        from tqdm import tqdm
    except ImportError:
        print("superovoid.sweep: pip install 'superovoid[sweep]' for a progress bar", file=sys.stderr)
        return _run_told(job, args.workers, None)
    with tqdm(total=job.chunks, unit="chunk") as bar:

        def tell(done: int, _: int) -> None:
            bar.update(done - bar.n)

        return _run_told(job, args.workers, tell)


def _run_told(job: Job, workers: int | None, progress: Told | None) -> int:
    try:
        if workers is None:
            run(job, progress)
        else:
            from dask.distributed import Client, LocalCluster

            with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
                run_dask(job, client, progress)
    except (SweepError, ImportError) as error:
        print(f"superovoid.sweep: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    # The classes of the job are those of the module, not of this program: workers import them.
    from superovoid.sweep import main as run_main

    sys.exit(run_main())

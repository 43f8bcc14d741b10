"""Sweeps: the same bytes in one process, on Dask and on Ray; interrupted, failing, and with workers that die."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import superovoid
from conftest import HANDS, matrices, poses, shapes
from superovoid import sweep

URDF = HANDS.read_text()


def hands(output, chunks=4, rows=300, **options):
    return sweep.Job(sweep.RandomConfigurations(URDF, rows, 7), sweep.RobotClearances(URDF, **options), chunks, str(output))


def bytes_of(job):
    return [job.file(chunk).read_bytes() for chunk in range(job.chunks)]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The sweep of four chunks, in one process."""
    job, told = hands(tmp_path_factory.mktemp("alone") / "out"), []
    sweep.run(job, lambda done, of: told.append((done, of)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    return job


def test_answers_are_those_of_the_queries(alone):
    robot = superovoid.Robot.from_urdf(HANDS)
    for chunk, table in enumerate(alone.tables()):
        q = sweep.matrix(alone.source(chunk).column("configuration"), "configuration")
        assert q.shape == (300, robot.position_count) and len(np.unique(q[:, 0])) > 250
        near = robot.clearances(q, max_distance=0.01)
        rows = np.asarray(table["row"])
        assert set(rows) == set(near.configuration.tolist()) and len(set(rows)) == len(rows) > 250
        least = np.full(300, np.inf)
        np.minimum.at(least, near.configuration.astype(int), near.contacts.distance)
        # Depths are fast ones, which a warm start may find elsewhere.
        apart = least[rows] > 0
        assert np.allclose(np.asarray(table["distance"])[apart], least[rows][apart], rtol=0, atol=1e-9)
        assert (np.asarray(table["distance"])[~apart] <= 0).all()


def test_bytes_are_those_of_one_thread(alone, tmp_path):
    job = hands(tmp_path / "out", threads=1)
    sweep.run(job)
    assert bytes_of(job) == bytes_of(alone)


def test_an_interrupted_sweep_goes_on(alone, tmp_path):
    job = hands(tmp_path / "out")
    class Interrupted(Exception):
        pass
    def stop(done, of):
        if done == 2:
            raise Interrupted
    with pytest.raises(Interrupted):
        sweep.run(job, stop)
    assert [job.file(chunk).exists() for chunk in range(4)] == [True, True, False, False]
    job.file(0).with_name(".chunk-000003.parquet.dead.part").write_text("half")
    times = [job.file(chunk).stat().st_mtime_ns for chunk in range(2)]
    told = []
    sweep.run(job, lambda done, of: told.append(done))
    assert told == [3, 4] and bytes_of(job) == bytes_of(alone)
    assert [job.file(chunk).stat().st_mtime_ns for chunk in range(2)] == times
    assert {path.name for path in Path(job.output).iterdir()} == {"sweep.json", *(f"chunk-{k:06}.parquet" for k in range(4))}


def test_another_sweep_is_refused(alone, tmp_path):
    with pytest.raises(sweep.SweepError, match="holds another sweep: source was .*'seed': 7.* and is .*'seed': 8"):
        sweep.run(dataclasses.replace(alone, source=sweep.RandomConfigurations(URDF, 300, 8)))
    with pytest.raises(sweep.SweepError, match="another sweep: query was"):
        sweep.run(hands(alone.output, max_distance=0.02))
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(sweep.SweepError, match="holds something else"):
        sweep.run(hands(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def pairs(rng, count):
    columns = {"a": shapes(rng, count), "pose_a": poses(rng, count), "b": shapes(rng, count), "pose_b": poses(rng, count)}
    return columns, pa.table({name: sweep.lists(rows) for name, rows in columns.items()})


def test_rows_of_a_file_are_answered_in_order(rng, tmp_path):
    columns, table = pairs(rng, 1000)
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=70)
    source = sweep.ParquetRows(str(tmp_path / "in.parquet"), 130)
    job = sweep.Job(source, sweep.PairContacts(depth="certified"), source.chunks, str(tmp_path / "out"))
    sweep.run(job)
    found = pa.concat_tables(job.tables())
    want = superovoid.contact(*columns.values(), depth="certified")
    # Pairs that are solved together depend on their neighbours by less than the tolerance.
    assert np.allclose(np.asarray(found["lower"]), want.lower, rtol=0, atol=3e-6)
    assert np.array_equal(np.asarray(found["distance"]) > 0, want.distance > 0) and found.num_rows == 1000
    with pytest.raises(IndexError, match="no rows from"):
        source(99)


def test_a_failure_names_file_and_row_and_the_rest_is_done(rng, tmp_path):
    columns, _ = pairs(rng, 300)
    columns["a"][217, 2] = -1.0
    table = pa.table({name: sweep.lists(rows) for name, rows in columns.items()})
    pq.write_table(table, tmp_path / "in.parquet")
    source = sweep.ParquetRows(str(tmp_path / "in.parquet"), 100)
    job = sweep.Job(source, sweep.PairContacts(), 3, str(tmp_path / "out"))
    with pytest.raises(sweep.SweepError, match=r"chunk 2 \(.*chunk-000002.parquet\): a: element \[17\]: a3 = -1"):
        sweep.run(job)
    assert [job.file(chunk).exists() for chunk in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("batch", "error", "message"),
    [
        ({"a": [[1.0] * 7]}, ValueError, "no column 'pose_a'; there are a"),
        ({"a": [[1.0] * 6], "pose_a": [[0.0] * 7], "b": [[1.0] * 7], "pose_b": [[0.0] * 7]}, ValueError, "column 'a', row 0: 6 numbers, 7 are wanted"),
        ({"a": [None], "pose_a": [[0.0] * 7], "b": [[1.0] * 7], "pose_b": [[0.0] * 7]}, (ValueError, TypeError), "column 'a'"),
        ({"a": [1.0], "pose_a": [[0.0] * 7], "b": [[1.0] * 7], "pose_b": [[0.0] * 7]}, TypeError, "column 'a' has the type double"),
    ],
)
def test_wrong_columns_are_named(batch, error, message):
    with pytest.raises(error, match=message):
        sweep.PairContacts()(pa.RecordBatch.from_pydict(batch))


def test_a_floating_robot_has_no_random_configurations():
    urdf = """<robot name="free"><link name="a"/><link name="b"/>
      <joint name="j" type="floating"><parent link="a"/><child link="b"/></joint></robot>"""
    with pytest.raises(ValueError, match="robot 'free' has a floating joint"):
        sweep.RandomConfigurations(urdf)(0)


def test_columns_that_are_slices_are_read(rng):
    rows = rng.normal(size=(20, 7))
    for column in (sweep.lists(rows), pa.array(rows.tolist())):
        assert np.array_equal(sweep.matrix(column.slice(3, 9), "x", 7), rows[3:12])
    assert sweep.matrix(pa.array([], pa.list_(pa.float64())), "x", 7).shape == (0, 7)


def test_clouds_are_fitted(rng):
    clouds, bodies = [], shapes(rng, 3, (0.5, 1.4))
    for body, pose in zip(bodies, poses(rng, 3)):
        vertices, _ = superovoid.Superovoids(body).tessellate(12)
        clouds.append((vertices @ matrices(pose)[:3, :3].T + pose[:3]).reshape(-1))
    found = sweep.Fits(family="superellipsoid")(pa.RecordBatch.from_pydict({"points": [c.tolist() for c in clouds]}))
    assert found.num_rows == 3 and max(found.column("rms").to_pylist()) < 1e-4
    with pytest.raises(ValueError, match="column 'points', row 1: 1 points are too few"):
        sweep.Fits()(pa.RecordBatch.from_pydict({"points": [clouds[0].tolist(), [1.0, 2.0, 3.0]]}))


class Mortal:
    """A source that kills its process once, in the chunk 2."""

    def __init__(self, source, grave):
        self.source, self.grave = source, grave

    def __call__(self, chunk):
        if chunk == 2 and not os.path.exists(self.grave):
            Path(self.grave).write_text("here")
            os.kill(os.getpid(), signal.SIGKILL)
        return self.source(chunk)


def test_dask_gives_the_same_bytes_though_a_worker_dies(alone, tmp_path):
    distributed = pytest.importorskip("dask.distributed")
    job = hands(tmp_path / "out")
    job = dataclasses.replace(job, source=Mortal(job.source, str(tmp_path / "grave")))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            sweep.run_dask(job, client)
    assert (tmp_path / "grave").exists() and bytes_of(job) == bytes_of(alone)


def test_dask_names_what_failed(rng, tmp_path):
    distributed = pytest.importorskip("dask.distributed")
    _, table = pairs(rng, 10)
    pq.write_table(table.rename_columns(["a", "pose_a", "b", "posing"]), tmp_path / "in.parquet")
    job = sweep.Job(sweep.ParquetRows(str(tmp_path / "in.parquet"), 5), sweep.PairContacts(), 2, str(tmp_path / "out"))
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client, pytest.raises(sweep.SweepError, match="chunk . .*no column 'pose_b'"):
            sweep.run_dask(job, client)


def test_ray_gives_the_same_bytes_though_a_worker_dies(alone, tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}})
    try:
        job = hands(tmp_path / "out")
        job = dataclasses.replace(job, source=Mortal(job.source, str(tmp_path / "grave")))
        sweep.run_ray(job, 2)
    finally:
        ray.shutdown()
    assert (tmp_path / "grave").exists() and bytes_of(job) == bytes_of(alone)


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "superovoid.sweep", *map(str, arguments)], capture_output=True, text=True)


def test_the_command_line_resumes_and_refuses(tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", "superovoid.sweep", HANDS, "-o", out, "--configurations", "400000", "--chunk", "2000"], stderr=subprocess.DEVNULL
    )
    while process.poll() is None and not (out / "chunk-000001.parquet").exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    done = len(list(out.glob("chunk-*.parquet")))
    assert 2 <= done < 200
    refused = command(HANDS, "-o", out, "--configurations", 4000, "--chunk", 2000)
    assert refused.returncode == 1 and "holds another sweep" in refused.stderr
    small = command(HANDS, "-o", tmp_path / "small", "--configurations", 4000, "--chunk", 2000)
    assert small.returncode == 0 and len(list((tmp_path / "small").glob("chunk-*.parquet"))) == 2
    assert (tmp_path / "small" / "chunk-000001.parquet").read_bytes() == (out / "chunk-000001.parquet").read_bytes()
    assert json.loads((out / "sweep.json").read_text())["chunks"] == 200
    odd = command(HANDS, "-o", tmp_path / "odd", "--configurations", 4001, "--chunk", 2000)
    assert odd.returncode == 2 and "no multiple" in odd.stderr and not (tmp_path / "odd").exists()
    missing = command("no.urdf", "-o", tmp_path / "odd")
    assert missing.returncode == 2 and "no.urdf" in missing.stderr and not (tmp_path / "odd").exists()

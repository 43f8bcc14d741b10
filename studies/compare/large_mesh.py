#!/usr/bin/env python3
"""Measures bodies of 14 x 2 x 2 m over a terrain of 203,522 triangles beside coal's box on its OBBRSS tree.

    pip install coal numpy
    cargo build --release -p superovoid-compare --example mesh_times
    studies/compare/large_mesh.py target/release/examples/mesh_times

Each time is the mean over poses of the least of three rounds. The distances of the boxes must agree.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import coal
import numpy as np

ROUNDS = 3


def turn():
    """Returns the rotation of the case, Rz(0.1) Ry(0.2) Rx(0.3)."""
    about = [np.cos([0.3, 0.2, 0.1]), np.sin([0.3, 0.2, 0.1])]
    (cx, cy, cz), (sx, sy, sz) = about
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return z @ y @ x


def coal_times(folder):
    """Returns the mean time of a query, ms, of one that only says whether they collide, and the distances."""
    rows = [line.split() for line in (folder / "terrain.obj").read_text().splitlines()]
    vertices = np.array([row[1:] for row in rows if row[0] == "v"], float)
    faces = np.array([row[1:] for row in rows if row[0] == "f"], int) - 1
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(vertices))
    model.addVertices(vertices)
    model.addTriangles(faces)
    model.endModel()
    box = coal.Box(14.0, 2.0, 2.0)
    here, turned = coal.Transform3s(), turn()
    poses = np.loadtxt(folder / "poses.csv", delimiter=",", skiprows=1)
    least = np.full(len(poses), np.inf)
    found = np.zeros(len(poses))
    for _ in range(ROUNDS):
        for k, place in enumerate(poses):
            at = coal.Transform3s(turned, place)
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            begin = time.perf_counter()
            found[k] = coal.distance(box, at, model, here, request, result)
            least[k] = min(least[k], time.perf_counter() - begin)
    return least.mean() * 1e3, found


def main():
    example = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        ours = subprocess.run([example, folder], check=True, capture_output=True, text=True).stdout
        mean, found = coal_times(Path(folder))
    apart = found > 0
    print(f"coal {coal.__version__}, box: {mean:.4f} ms, {apart.sum()} of {len(found)} apart, "
          f"by {found[apart].sum():.9f} m together")
    for line in ours.splitlines():
        name, rest = line.split(": ", 1)
        each = float(rest.split()[0])
        ratio = "" if name == "build" else f" ({each / mean:.2f} of coal's box)"
        print(f"{name}: {rest}{ratio}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Counts, areas and boxes of the meshes of robots, as this library reads them and as trimesh does.

    pip install "trimesh[easy]" pycollada
    pip download example-robot-data==6.0.0 pybullet --no-deps && unzip each .whl into FOLDER
    cargo build -p superovoid-fit --example mesh_counts
    python3 crates/fit/tests/mesh_counts.py FOLDER

Every STL, OBJ and COLLADA file below the folder is read by both. Triangles without area are not counted: this library
leaves them out. Lengths of COLLADA are in metres, and its up axis is not turned. Printed are the files that differ, and for
each format how many files were compared, are alike, or were refused by one of the two.
"""

import collections
import pathlib
import subprocess
import sys

import numpy as np
import trimesh

COMMAND = "target/debug/examples/mesh_counts"
ENDINGS = (".stl", ".obj", ".dae")


def ours(paths):
    """What the example prints, by path; an error is a text."""
    found = {}
    for start in range(0, len(paths), 200):
        lines = subprocess.run([COMMAND, *paths[start : start + 200]], capture_output=True, text=True, check=True).stdout
        for line in lines.splitlines():
            path, first, *rest = line.split("\t")
            found[path] = rest[0] if first == "error" else (int(first), float(rest[0]), np.array(rest[1].split(), float))
    return found


def theirs(path):
    """The same of trimesh."""
    scene = trimesh.load_scene(path, process=False, skip_materials=True, maintain_order=True)
    unit = 1.0
    if path.lower().endswith(".dae"):
        import collada

        unit = collada.Collada(path, ignore=[collada.common.DaeError]).assetInfo.unitmeter or 1.0
    corners = [mesh.triangles for mesh in scene.dump() if hasattr(mesh, "triangles")]
    corners = np.concatenate(corners) * unit if corners else np.zeros((0, 3, 3))
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    corners = corners[areas > 0]
    return len(corners), areas.sum(), np.concatenate([corners.min(axis=(0, 1)), corners.max(axis=(0, 1))])


def difference(a, b):
    """Nothing, or what differs."""
    if a[0] != b[0]:
        return f"{a[0]} triangles, trimesh {b[0]}; area {a[1]:.9g}, trimesh {b[1]:.9g}"
    size = np.abs(b[2]).max()
    if abs(a[1] - b[1]) > 1e-6 * b[1]:
        return f"area {a[1]:.9g}, trimesh {b[1]:.9g}"
    if np.abs(a[2] - b[2]).max() > 1e-6 * size:
        return f"box {a[2]}, trimesh {b[2]}"
    return None


def main():
    paths = sorted(str(p) for p in pathlib.Path(sys.argv[1]).rglob("*") if p.suffix.lower() in ENDINGS and p.is_file())
    found = ours(paths)
    tally = collections.defaultdict(collections.Counter)
    for path in paths:
        count = tally[path[-4:].lower()]
        count["files"] += 1
        try:
            other = theirs(path)
        except Exception as error:  # whatever trimesh raises is a refusal
            other = f"{type(error).__name__}: {error}"
        refused = [name for name, facts in (("here", found[path]), ("by trimesh", other)) if isinstance(facts, str)]
        if refused:
            kind = "refused " + " and ".join(refused)
            print(path, kind, [facts for facts in (found[path], other) if isinstance(facts, str)], sep=": ")
        else:
            text = difference(found[path], other)
            kind = "different" if text else "alike"
            if text:
                print(path, text, sep=": ")
        count[kind] += 1
    for ending in ENDINGS:
        print(ending, dict(tally[ending]))


main()

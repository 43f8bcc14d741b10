#!/usr/bin/env python3
"""Judges the contacts of a run of examples/in.box, one pair query in ten thousand, by judge.cpp.

    plugins/lammps/benchmarks/judge.py [--side 22] [--steps 2600] [--share 10000]

Counts the pair queries of all steps; at fifty steps of the run it draws pairs from `compute pair/local` and asks the judge,
whose code is its own, and compares the contacts of these steps one by one with those that made the forces. Needs numpy and a
C++ compiler, and finds the plug-in as the tests do.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
PLUGIN = os.environ.get("SUPEROVOID_PLUGIN_FOLDER", str(HERE.parents[2] / "target" / "lammps"))
FRAMES = 50


def center(shape):
    """The height of the centre of mass in the frame of the shape, with equal tapers, in closed form."""
    t, e = shape[5], shape[4]
    beta = lambda a, b: math.gamma(a) * math.gamma(b) / math.gamma(a + b)
    moment = lambda k: e / 2 * beta((k + 1) * e / 2, e + 1) * 2
    # Of (1 + t s)^2 the odd part moves the centre.
    return shape[2] * 2 * t * moment(2) / (moment(0) + t * t * moment(2))


def frames(path, head):
    for part in path.read_text().split("ITEM: TIMESTEP\n")[1:]:
        lines = part.split(head)[1].splitlines()[1:]
        yield np.array([line.split() for line in lines], float)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("--side", 22), ("--steps", 2600), ("--share", 10000)):
        parser.add_argument(name, type=int, default=value)
    options = parser.parse_args()
    script = (HERE.parent / "examples" / "in.box").read_text()
    every = options.steps // FRAMES
    extra = "compute ids all property/local patom1 patom2\ncompute pairs all pair/local p5 p6 p7 p17\n"
    extra += f"dump pairs all local {every} pairs index c_ids[*] c_pairs[*]\ndump_modify pairs format float %.17g\n"
    extra += "compute q all property/atom quatw quati quatj quatk\n"
    extra += f"dump atoms all custom {every} atoms id type x y z c_q[*]\ndump_modify atoms sort id format float %.17g\n"
    extra += f"fix count all ave/time 1 {every} {every} c_touch[1] file queries\nfix now all ave/time {every} 1 {every} c_touch[2] file contacts\n"
    shapes = {int(w[1]): [float(x) for x in w[3:10]] for w in map(str.split, script.splitlines()) if w[:1] == ["pair_coeff"]}
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.box").write_text(script.replace("run ${steps}", extra + "run ${steps}"))
        subprocess.run(["c++", "-std=c++17", "-O3", "-march=native", str(HERE / "judge.cpp"), "-o", "judge"], cwd=folder, check=True)
        bin_folder = Path(sys.prefix) / "bin"
        command = [bin_folder / "lmp", "-in", "in.box", "-log", "none", "-screen", "none"]
        command += ["-var", "side", options.side, "-var", "steps", options.steps]
        environment = os.environ | {"LAMMPS_PLUGIN_PATH": PLUGIN, "OMP_NUM_THREADS": "1"}
        subprocess.run([str(c) for c in command], cwd=folder, env=environment, check=True)
        column = lambda file: np.loadtxt(folder / file, comments="#", ndmin=2)[:, 1]
        queries, contacts = column("queries")[1:].sum() * every, column("contacts")
        edge = 0.09 * options.side
        wanted = math.ceil(queries / options.share / FRAMES)
        lines, made_forces = [], 0
        for k, (atoms, pairs) in enumerate(zip(frames(folder / "atoms", "ITEM: ATOMS"), frames(folder / "pairs", "ITEM: ENTRIES"))):
            near = pairs[:, 6]
            # With `newton off` a pair of an atom and a ghost is asked, and counted, by both.
            ends = atoms[pairs[:, 1:3].astype(int) - 1, 2:4]
            twice = (np.abs(ends[:, 1] - ends[:, 0]) > edge / 2).any(axis=1)
            expected = ((near < 0) * (1 + twice)).sum()
            if expected != contacts[k]:
                sys.exit(f"frame {k}: {expected} contacts by pair/local, and {contacts[k]} made forces")
            made_forces += int((near < 0).sum())
            if k == 0:
                continue
            # Half of the sample are contacts and pairs that nearly touch, as long as there are enough.
            close = np.flatnonzero(np.abs(near) < 2e-4)
            some = random.permutation(close)[: wanted // 2]
            some = np.concatenate([some, random.permutation(len(pairs))[: wanted - len(some)]])
            for row in pairs[some]:
                i, j = (atoms[int(n) - 1] for n in row[1:3])
                apart = j[2:5] - i[2:5]
                apart[:2] -= edge * np.round(apart[:2] / edge)
                for body, place in ((i, np.zeros(3)), (j, apart)):
                    shape, q = shapes[int(body[1])], body[5:9]
                    down = np.array([0, 0, -center(shape)])
                    u = 2 * np.cross(q[1:], down)
                    lines.append(" ".join(f"{x!r}" for x in [*shape, *(place + down + q[0] * u + np.cross(q[1:], u)).tolist(), *q.tolist()]))
                lines.append(" ".join(repr(float(x)) for x in [row[6], *row[3:6]]))
        print(f"{len(atoms)} bodies, {options.steps} steps, {queries:.4g} pair queries; {made_forces} contacts of {FRAMES + 1} steps are those that made the forces")
        done = subprocess.run(["./judge"], cwd=folder, input="\n".join(lines), text=True, capture_output=True)
        print(done.stdout, end="")
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Whether the number of ranks changes the statistics of examples/in.box, once its bodies have piled up.

    plugins/lammps/benchmarks/ranks.py [--side 6] [--steps 6000] [--starts 8]

The same starts run on 1, 2 and 4 ranks. Their trajectories part, as those of chaotic motion do when sums are rounded in
another order; what must agree is the mean over starts of the height of the bodies, of their kinetic energy and of the
energy of their contacts, taken over the last third of the steps. Prints the means with their standard errors, and the largest
difference of two numbers of ranks in standard errors of the differences start by start. Finds the plug-in as the tests do.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
PLUGIN = os.environ.get("SUPEROVOID_PLUGIN_FOLDER", str(HERE.parents[2] / "target" / "lammps"))
RANKS = (1, 2, 4)


def settled(script, ranks, options):
    """The mean height, kinetic energy and energy of contacts of a run's last third, and the heights at all times."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.box").write_text(script)
        binaries = Path(sys.prefix) / "bin"
        command = [binaries / "mpirun", "-n", ranks, binaries / "lmp", "-in", "in.box", "-log", "none", "-screen", "none"]
        command += ["-var", "side", options.side, "-var", "steps", options.steps]
        environment = os.environ | {"LAMMPS_PLUGIN_PATH": PLUGIN, "OMP_NUM_THREADS": "1"}
        subprocess.run([str(c) for c in command], cwd=folder, env=environment, check=True)
        rows = np.loadtxt(Path(folder) / "rows", comments="#", ndmin=2)
    return rows[rows[:, 0] > options.steps * 2 / 3, 1:].mean(axis=0), rows[:, 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("--side", 6), ("--steps", 6000), ("--starts", 8)):
        parser.add_argument(name, type=int, default=value)
    options = parser.parse_args()
    if options.starts < 3:
        parser.error("--starts must be at least 3")
    script = (HERE.parent / "examples" / "in.box").read_text()
    # The energy of the contacts stands for their number, which a pair of two ranks would add to twice.
    extra = "compute middle all com\ncompute motion all ke\ncompute part all pe/atom pair\ncompute press all reduce sum c_part\n"
    extra += "fix rows all ave/time 50 1 50 c_middle[3] c_motion c_press file rows\nrun ${steps}"
    script = script.replace("run ${steps}", extra)
    means = np.empty((len(RANKS), options.starts, 3))
    parted = 0
    for start in range(options.starts):
        heights = []
        for k, ranks in enumerate(RANKS):
            means[k, start], height = settled(script.replace("quat/random 777", f"quat/random {777 + start}"), ranks, options)
            heights.append(height)
        parted += any((height != heights[0]).any() for height in heights[1:])
    error = means.std(axis=1, ddof=1) / np.sqrt(options.starts)
    print(f"{options.starts} starts, {options.steps} steps; {parted} starts whose motion depends on the ranks")
    print("ranks | height, m | kinetic energy, J | energy of the contacts, J")
    for k, ranks in enumerate(RANKS):
        print(f"{ranks} | " + " | ".join(f"{m:.6g} ± {e:.2g}" for m, e in zip(means[k].mean(axis=0), error[k])))
    worst = 0.0
    for k in range(1, len(RANKS)):
        apart = means[k] - means[0]
        spread = apart.std(axis=0, ddof=1) / np.sqrt(options.starts)
        worst = max(worst, (np.abs(apart.mean(axis=0)) / np.maximum(spread, 1e-12 * np.abs(means[0]).mean(axis=0))).max())
    print(f"largest difference: {worst:.2f} standard errors")


if __name__ == "__main__":
    main()

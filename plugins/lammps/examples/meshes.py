#!/usr/bin/env python3
"""Writes the meshes of the examples in.hopper, in.drum and in.bowl, and the bodies of the bowl, into the folder at hand.

    meshes.py [--bodies 50]

Makes hopper.stl, drum.stl, bowl.stl and bowl.bodies; the last has the LAMMPS commands for that many bodies, and the bowl
is as large as they need. Metres. Needs numpy.
"""

import argparse
from pathlib import Path

import numpy as np


def write(name, triangles):
    lines = ["solid wall"]
    for triangle in triangles:
        corners = [f"vertex {x:.17g} {y:.17g} {z:.17g}" for x, y, z in triangle]
        lines += ["facet normal 0 0 0", "outer loop", *corners, "endloop", "endfacet"]
    Path(name).write_text("\n".join([*lines, "endsolid", ""]))


def revolved(profile, around):
    """The triangles of a surface of revolution about z; `profile` has pairs of radius and height."""
    turn = np.linspace(0, 2 * np.pi, around + 1)
    ring = lambda r, z: np.stack([r * np.cos(turn), r * np.sin(turn), np.full(around + 1, z)], axis=1)
    triangles = []
    for (r, z), (s, w) in zip(profile, profile[1:]):
        low, high = ring(r, z), ring(s, w)
        for j in range(around):
            if r > 0:
                triangles.append([low[j], low[j + 1], high[j]])
            if s > 0:
                triangles.append([low[j + 1], high[j + 1], high[j]])
    return np.array(triangles)


def hopper():
    """A cone from the outlet, of radius 0.3, to 0.9, and a cylinder over it."""
    return revolved([(0.3, 0.0), (0.9, 0.9), (0.9, 4.4)], 48)


def drum():
    """A drum of radius 1.2 about the y axis, open at its ends, from -0.3 to 2.64."""
    return revolved([(1.2, -0.3), (1.2, 2.64)], 96)[:, :, [1, 2, 0]]


RIM = np.radians(130)


def bowl(radius, wall=0.2, rings=25, around=100):
    """The bowl of the thesis: 10,000 triangles, up to 130 degrees from the pole, outside and inside."""
    angle = np.linspace(0, RIM, rings + 1)
    outer = [((radius + wall) * np.sin(a), -(radius + wall) * np.cos(a)) for a in angle]
    inner = [(radius * np.sin(a), -radius * np.cos(a)) for a in angle[::-1]]
    return revolved([(0.0, -radius - wall), *outer[1:], *inner[:-1], (0.0, -radius)], around)


def bowl_bodies(count, radius, seed=1):
    """Bodies over the bowl, each a type of its own: semi-axes in [0.5, 0.6] m, exponents in [0.1, 1.9]."""
    random = np.random.default_rng(seed)
    columns = round(6 * (radius / 5) ** 2)
    shapes, places, turns = [], [], []
    for k in range(count):
        axes, exponents = random.uniform(0.5, 0.6, 3), random.uniform(0.1, 1.9, 2)
        shapes.append(f"pair_coeff {k + 1} {k + 1} " + " ".join(f"{x:.6f}" for x in [*axes, *exponents]) + " 0 0")
        column, row = k % columns, k // columns
        out, turn = 0.55 * radius * np.sqrt((column + 0.5) / columns), np.pi * (3 - np.sqrt(5)) * column
        x, y = out * np.cos(turn) + random.uniform(-0.05, 0.05), out * np.sin(turn) + random.uniform(-0.05, 0.05)
        places.append(f"create_atoms {k + 1} single {x:.6f} {y:.6f} {18 + 2 * row} units box")
        axis = random.normal(size=3)
        turns.append(f"set atom {k + 1} quat " + " ".join(f"{x:.6f}" for x in [*axis, random.uniform(0, 360)]))
    return "\n".join([*shapes, *places, *turns, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=50, help="in the bowl")
    bodies = parser.parse_args().bodies
    radius = 5 * max(1, bodies / 50) ** (1 / 3)
    write("hopper.stl", hopper())
    write("drum.stl", drum())
    write("bowl.stl", bowl(radius))
    Path("bowl.bodies").write_text(bowl_bodies(bodies, radius))


if __name__ == "__main__":
    main()

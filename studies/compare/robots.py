#!/usr/bin/env python3
"""Compares the distances of `superovoid check` with coal's, for every pair of a robot in its neutral configuration.

    pip install pin numpy
    cargo build --release -p superovoid-cli
    python3 studies/compare/robots.py ROBOT.urdf... [--package-path FOLDER]... [--only cylinder] [--tolerance 1e-6]

Pinocchio places the shapes, which shares no code with the library, and coal answers. Where both bodies are spheres, boxes
or cylinders that are apart, alternating projections onto the two bodies say who is right. A row per robot: pairs, largest
difference, largest distance by which coal's answer is outside the bracket of `check` widened by coal's tolerance, and the
largest differences of both from the projections. The exit code is 1 if a pair is outside.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import coal
import numpy as np
import pinocchio as pin

SHAPES = ["box", "cylinder", "sphere", "capsule", "mesh"]


def only(text, kind):
    """The URDF without the collisions of other kinds."""
    others = "|".join(shape for shape in SHAPES if shape != kind)
    return re.sub(rf"<collision\b(?:(?!</collision>).)*<(?:{others})\b(?:(?!</collision>).)*</collision>", "", text, flags=re.S)


def project(shape, x):
    """The point of a solid nearest to x, in its frame; None for a shape without a closed form here."""
    if isinstance(shape, coal.Sphere):
        return x * min(1.0, shape.radius / max(np.linalg.norm(x), 1e-300))
    if isinstance(shape, coal.Box):
        return np.clip(x, -shape.halfSide, shape.halfSide)
    if isinstance(shape, coal.Cylinder):
        across = x[:2] * min(1.0, shape.radius / max(np.hypot(*x[:2]), 1e-300))
        return np.array([*across, np.clip(x[2], -shape.halfLength, shape.halfLength)])
    return None


def projected_distance(a, at_a, b, at_b):
    """The distance by alternating projections (von Neumann; Cheney and Goldstein 1959); None where it is unknown."""
    if project(a, np.zeros(3)) is None or project(b, np.zeros(3)) is None:
        return None
    y = at_b.translation.copy()
    for _ in range(20000):
        x = at_a.act(project(a, at_a.actInv(y)))
        before, y = y, at_b.act(project(b, at_b.actInv(x)))
        if np.linalg.norm(y - before) < 1e-16:
            break
    return np.linalg.norm(y - x)


def coal_distance(a, at_a, b, at_b, tolerance):
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = tolerance
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    place = lambda at: coal.Transform3s(at.rotation, at.translation)
    return coal.distance(a, place(at_a), b, place(at_b), request, result)


def placed(path, packages):
    """Every collision shape with its pose, by link and number; the first position of a joint is 0 or its nearest limit."""
    model = pin.buildModelFromUrdf(path)
    geometry = pin.buildGeomFromUrdf(model, path, pin.GeometryType.COLLISION, None, packages)
    at = pin.neutral(model)
    for joint in model.joints[1:]:
        if joint.nq == 1:
            k = joint.idx_q
            at[k] = np.clip(0.0, model.lowerPositionLimit[k], model.upperPositionLimit[k])
    data, places = model.createData(), geometry.createData()
    pin.updateGeometryPlacements(model, data, geometry, places, at)
    shapes = zip(geometry.geometryObjects, places.oMg)
    return {shape.name: (shape.geometry, pose) for shape, pose in shapes}


def compare(path, arguments):
    shapes = placed(path, arguments.package_path)
    command = [arguments.superovoid, "check", path, "--json"]
    for folder in arguments.package_path:
        command += ["--package-path", folder]
    run = subprocess.run(command, capture_output=True, text=True)
    if not run.stdout:
        sys.exit(run.stderr)
    count, worst, outside, ours_off, coal_off = 0, 0.0, 0.0, 0.0, 0.0
    for pair in json.loads(run.stdout)["pairs"]:
        bodies = [shapes[f"{pair[f'link_{side}']}_{pair[f'collision_{side}']}"] for side in "ab"]
        (a, at_a), (b, at_b) = bodies
        theirs = coal_distance(a, at_a, b, at_b, arguments.tolerance)
        if min(theirs, pair["distance"]) <= 0.0 and isinstance(a, coal.BVHModelBase):
            continue  # coal has no depth of meshes.
        count += 1
        worst = max(worst, abs(theirs - pair["distance"]))
        # The rounding of coal's own inflation is below 1e-10 m.
        allowed = arguments.tolerance * max(1.0, abs(theirs)) + 1e-10
        outside = max(outside, pair["lower"] - allowed - theirs, theirs - pair["upper"] - allowed)
        if pair["lower"] > 0.0:
            truth = projected_distance(a, at_a, b, at_b)
            if truth is not None:
                ours_off = max(ours_off, abs(pair["distance"] - truth))
                coal_off = max(coal_off, abs(theirs - truth))
    name = pathlib.Path(path).stem
    print(f"| {name} | {count} | {worst:.1e} | {max(outside, 0.0):.1e} | {ours_off:.1e} | {coal_off:.1e} |")
    return outside > 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="+", metavar="ROBOT.urdf")
    parser.add_argument("--package-path", action="append", default=[])
    parser.add_argument("--only", choices=SHAPES, help="leave out the collision shapes of other kinds")
    parser.add_argument("--tolerance", type=float, default=1e-6, help="coal's, of its GJK and EPA [default: 1e-6]")
    parser.add_argument("--superovoid", default="target/release/superovoid")
    arguments = parser.parse_args()
    wrong = False
    print("| robot | pairs | difference/m | outside/m | check off/m | coal off/m |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for robot in arguments.robots:
        if not arguments.only:
            wrong |= compare(robot, arguments)
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / f"{pathlib.Path(robot).stem}_{arguments.only}.urdf"
            path.write_text(only(pathlib.Path(robot).read_text(), arguments.only))
            wrong |= compare(str(path), arguments)
    sys.exit(int(wrong))


if __name__ == "__main__":
    main()

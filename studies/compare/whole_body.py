#!/usr/bin/env python3
"""A whole humanoid as superovoids: Talos, fitted, checked against itself, beside coal on its meshes and their hulls.

    pip install pin numpy
    pip download example-robot-data==6.0.0 --no-deps && unzip example_robot_data-*.whl -d robots
    cargo build --release -p superovoid-cli && cargo build --release -p superovoid-fit --example whole_body_times
    python3 studies/compare/whole_body.py robots --output target/whole_body

The description of Talos (PAL Robotics, Apache-2.0) is that of the package; nothing of it is in this repository. The
command fits the robot (`fit-robot`), finds the pairs that need not be compared (`srdf`), and draws random configurations
within the limits. Superovoids, coal's convex hulls and coal's meshes then answer for the same pairs of links in the same
configurations, each on one thread: whether there is a collision, and the least distance. Pinocchio places coal's bodies,
in C++ as well; collisions are answered by a loop over the pairs and by a tree of boxes, of which the faster counts. The
times are those of whole answers, with forward kinematics; the fastest of several rounds (of one for the distances of
meshes).
"""

import argparse
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

import numpy as np
import pinocchio as pin

ROUNDS = 3


def command(*words):
    words = [str(word) for word in words]
    print("$", " ".join(words), flush=True)
    start = time.time()
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stdout + run.stderr)
    print(f"({time.time() - start:.1f} s)", flush=True)
    return run.stdout


def mimics(description):
    """The joints that follow another one: name, that of the other, multiplier and offset."""
    found = {}
    for joint in xml.etree.ElementTree.parse(description).getroot().findall("joint"):
        follow = joint.find("mimic")
        if follow is not None:
            numbers = [float(follow.get("multiplier", 1.0)), float(follow.get("offset", 0.0))]
            found[joint.get("name")] = (follow.get("joint"), *numbers)
    return found


def rows_of(model, follows, count, seed):
    """Random configurations in the middle half of the limits, the names of the joints that are set, and what follows."""
    random = np.random.default_rng(seed)
    joints = [k for k in range(1, model.njoints) if model.joints[k].nq == 1]
    low, high = model.lowerPositionLimit, model.upperPositionLimit
    rows = []
    for _ in range(count):
        at = pin.neutral(model)
        for k in joints:
            q = model.joints[k].idx_q
            middle, half = 0.5 * (low[q] + high[q]), 0.5 * (high[q] - low[q])
            at[q] = middle + 0.5 * half * random.uniform(-1.0, 1.0)
        for joint, (other, multiplier, offset) in follows.items():
            to, of = (model.joints[model.getJointId(name)].idx_q for name in (joint, other))
            at[to] = multiplier * at[of] + offset
        rows.append(at)
    return [k for k in joints if model.names[k] not in follows], rows


def timed(rows, query, rounds):
    fastest, answers = np.inf, []
    for _ in range(rounds):
        start = time.perf_counter()
        answers = [query(row) for row in rows]
        fastest = min(fastest, time.perf_counter() - start)
    return fastest / len(rows) * 1e6, answers


def with_coal(model, geometry, rows, rounds):
    """Times of both queries, and their answers."""
    data, places = model.createData(), geometry.createData()
    collision, hits = timed(rows, lambda q: pin.computeCollisions(model, data, geometry, places, q, True), ROUNDS)
    tree = pin.TreeBroadPhaseManager_DynamicAABBTreeCollisionManager(model, geometry, places)
    by_tree, same = timed(rows, lambda q: pin.computeCollisions(model, data, tree, q, True), ROUNDS)
    if same != hits:
        sys.exit("the tree of boxes and the loop over all pairs differ")
    print(f"collision or not: loop over the pairs {collision:.2f} µs, tree of boxes {by_tree:.2f} µs")
    distance, _ = timed(rows, lambda q: pin.computeDistances(model, data, geometry, places, q), rounds)
    distances = []
    for q in rows:
        pin.computeDistances(model, data, geometry, places, q)
        distances.append(min(result.min_distance for result in places.distanceResults))
    return min(collision, by_tree), distance, np.array(hits), np.array(distances)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", help="the folder of the unpacked package example-robot-data")
    parser.add_argument("--output", default="target/whole_body")
    parser.add_argument("--fit", action="store_true", help="fit again, although there is a fit in the output")
    parser.add_argument("--configurations", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2017)
    parser.add_argument("--bin", default="target/release", help="where superovoid and examples/whole_body_times are")
    parser.add_argument("--robot", default="talos_data/robots/talos_full_v2.urdf")
    arguments = parser.parse_args()
    root = pathlib.Path(arguments.package)
    found = sorted(root.rglob(arguments.robot))
    if not found:
        sys.exit(f"{root}: there is no {arguments.robot} in it")
    description = found[0]
    # Addresses of meshes begin with package://example-robot-data.
    packages = [description.parents[len(pathlib.Path(arguments.robot).parts) + 1]]
    output = pathlib.Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    superovoid = pathlib.Path(arguments.bin) / "superovoid"
    paths = [word for folder in packages for word in ("--package-path", folder)]
    fitted, pairs = output / "fitted.urdf", output / "pairs.srdf"
    if arguments.fit or not fitted.exists():
        print(command(superovoid, "fit-robot", description, "-o", fitted, *paths))
    print(command(superovoid, "srdf", fitted, "-o", pairs, *paths))
    print(command(superovoid, "check", fitted, "--srdf", pairs, *paths))

    names = [str(folder) for folder in packages]
    model = pin.buildModelFromUrdf(str(description))
    meshes = pin.buildGeomFromUrdf(model, str(description), pin.GeometryType.COLLISION, None, names)
    meshes.addAllCollisionPairs()
    pin.removeCollisionPairs(model, meshes, str(pairs))
    hulls = meshes.copy()
    for shape in hulls.geometryObjects:
        if hasattr(shape.geometry, "buildConvexRepresentation"):
            shape.geometry.buildConvexRepresentation(False)
            shape.geometry = shape.geometry.convex
    free, rows = rows_of(model, mimics(description), arguments.configurations, arguments.seed)
    lines = [",".join(model.names[k] for k in free)]
    lines += [",".join(repr(float(row[model.joints[k].idx_q])) for k in free) for row in rows]
    (output / "rows.csv").write_text("\n".join(lines) + "\n")

    print("| bodies | how many | collision or not µs | least distance µs | in collision |")
    print("| --- | ---: | ---: | ---: | ---: |")
    example = pathlib.Path(arguments.bin) / "examples" / "whole_body_times"
    run = subprocess.run(
        [example, fitted, pairs, output / "rows.csv", output / "answers.csv", *packages], capture_output=True, text=True
    )
    if run.returncode:
        sys.exit(run.stderr)
    bodies, collision, distance = run.stdout.split()
    ours = np.loadtxt(output / "answers.csv", delimiter=",", skiprows=1)
    print(f"| superovoids | {bodies} | {collision} | {distance} | {int(ours[:, 0].sum())} |", flush=True)
    answers = {}
    # A round over the distances of meshes takes long enough to be counted once.
    for name, geometry, rounds in [("hulls, coal", hulls, ROUNDS), ("meshes, coal", meshes, 1)]:
        collision, distance, hits, distances = with_coal(model, geometry, rows, rounds)
        answers[name] = np.column_stack([hits, distances])
        count = len(geometry.geometryObjects)
        print(f"| {name} | {count} | {collision:.2f} | {distance:.2f} | {int(hits.sum())} |", flush=True)
    print()
    print(f"pairs of shapes, coal: {len(meshes.collisionPairs)}")
    for name, theirs in answers.items():
        agree = int((ours[:, 0] == theirs[:, 0]).sum())
        apart = (ours[:, 0] == 0) & (theirs[:, 0] == 0)
        off = np.abs(ours[apart, 1] - theirs[apart, 1])
        print(f"{name}: {agree} of {len(rows)} agree; distances apart differ by {1000 * np.median(off):.1f} mm (median), "
              f"{1000 * off.max():.1f} mm (most)")


if __name__ == "__main__":
    main()

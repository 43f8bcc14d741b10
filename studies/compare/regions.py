#!/usr/bin/env python3
"""Measures proven regions of configurations beside Drake's IRIS-ZO and IRIS-NP: their times, volumes, and what collides in them.

    pip install ./bindings/python drake==1.51.1 numpy
    python3 studies/compare/regions.py                        # the table of docs/guides/motion.md
    python3 studies/compare/regions.py --samples 1e6 --drake-samples 1e5 --checked 1e3    # a quick look

Two robots of capsules stand among boxes, cylinders and balls: a planar arm of two joints, and an arm of seven with the
kinematics of the Panda. Both engines read the same URDF text, get the same obstacles and leave out the same pairs: links
that are at most two joints apart, and the first link with the obstacles (which it does not touch). Their verdicts on
random configurations are compared first.

Each engine has one thread and makes a region around every seed. Ours is a box, whose volume is exact; it is made with the
default `max_states`, and with more. Drake's are polytopes; IRIS has its default options but for the number of threads,
and for the Panda only the first iteration of IRIS-NP, whose further ones take many minutes (`--np-iterations 100`).
The volume of a polytope is that of its largest ellipsoid over the share of uniform samples that fall into the ellipsoid;
the samples are from 10,000 chains of hit-and-run. The largest box along the axes in it that holds the seed tells how much
of that is the form. In our boxes samples are drawn by coordinates, every fourth on faces. All samples are judged by our
`in_collision`, and the first ones of each region by Drake's collision checker too. Seeds are at least 2 cm clear; around
how many of 100 random free configurations our box is flat, whatever their clearance, is printed.
"""

import argparse
import logging
import math
import sys
import time

try:
    import numpy as np
    import superovoid
    from pydrake.common import Parallelism
    from pydrake.geometry import Box, CollisionFilterDeclaration, Cylinder, GeometrySet, Sphere
    from pydrake.geometry.optimization import HPolyhedron, Hyperellipsoid, IrisNp, IrisOptions
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import CoulombFriction
    from pydrake.planning import IrisZo, IrisZoOptions, RobotDiagramBuilder, SceneGraphCollisionChecker
    from pydrake.solvers import MathematicalProgram, Solve
except ModuleNotFoundError as missing:
    wheel = {"superovoid": "./bindings/python", "pydrake": "drake==1.51.1"}.get(missing.name.split(".")[0], missing.name)
    sys.exit(f"the module {missing.name} is missing: pip install {wheel}")

TURN = math.pi / 2

# A link: the origin of its joint (xyz, rpy), the limits, and its capsules: radius, length, xyz, rpy. The first has no joint.
ALONG_X, ALONG_Y, ALONG_Z = (0, TURN, 0), (TURN, 0, 0), (0, 0, 0)
PLANAR = [
    (None, None, [(0.1, 0.2, (0, 0, -0.3), ALONG_Z)]),
    (((0, 0, 0), ALONG_Z), (-3, 3), [(0.06, 0.9, (0.5, 0, 0), ALONG_X)]),
    (((1, 0, 0), ALONG_Z), (-2.8, 2.8), [(0.05, 0.7, (0.4, 0, 0), ALONG_X)]),
]
# The capsules are those with which Franka's controller keeps the arm from touching itself; the hand is a part of link 7.
PANDA = [
    (None, None, [(0.06, 0.03, (-0.075, 0, 0.06), ALONG_X)]),
    (((0, 0, 0.333), ALONG_Z), (-2.8973, 2.8973), [(0.06, 0.283, (0, 0, -0.1915), ALONG_Z)]),
    (((0, 0, 0), (-TURN, 0, 0)), (-1.7628, 1.7628), [(0.06, 0.12, (0, 0, 0), ALONG_Z)]),
    (((0, -0.316, 0), (TURN, 0, 0)), (-2.8973, 2.8973), [(0.06, 0.15, (0, 0, -0.145), ALONG_Z)]),
    (((0.0825, 0, 0), (TURN, 0, 0)), (-3.0718, -0.0698), [(0.06, 0.12, (0, 0, 0), ALONG_Z)]),
    (((-0.0825, 0.384, 0), (-TURN, 0, 0)), (-2.8973, 2.8973),
     [(0.06, 0.1, (0, 0, -0.26), ALONG_Z), (0.025, 0.14, (0, 0.08, -0.13), ALONG_Z)]),
    (((0, 0, 0), (TURN, 0, 0)), (-0.0175, 3.7525), [(0.05, 0.08, (0, 0, -0.03), ALONG_Z)]),
    (((0.088, 0, 0), (TURN, 0, 0)), (-2.8973, 2.8973),
     [(0.04, 0.14, (0, 0, 0.01), ALONG_Z), (0.03, 0.01, (0.06, 0, 0.082), ALONG_X),
      (0.04, 0.1, (0, 0, 0.147), (TURN, 0, -TURN / 2)), (0.02, 0.1, (0, 0, 0.207), (TURN, 0, -TURN / 2))]),
]
# Obstacles: half-extents of a box, radius and length of a cylinder along z, radius of a ball; where they are.
AROUND_PLANAR = [
    ("box", (0.15, 0.4, 0.3), (1.3, 0.9, 0)),
    ("box", (0.5, 0.1, 0.3), (-0.9, -1.0, 0)),
    ("cylinder", (0.2, 0.6), (-0.8, 0.9, 0)),
    ("ball", (0.25,), (0.9, -1.0, 0)),
]
AROUND_PANDA = [
    ("box", (0.4, 0.7, 0.02), (0.65, 0, 0.05)),
    ("box", (0.15, 0.3, 0.015), (0.65, 0, 0.75)),
    ("box", (0.02, 0.8, 0.6), (-0.6, 0, 0.6)),
    ("cylinder", (0.06, 1.0), (0.3, 0.5, 0.5)),
    ("ball", (0.12,), (0.4, -0.45, 0.5)),
]
READY = [0, -0.785, 0, -2.356, 0, 1.571, 0.785]
# Links, obstacles, the seed that is not drawn, and the iterations of IRIS-NP, at most: 100 are its default.
ROBOTS = {"planar arm": (PLANAR, AROUND_PLANAR, [0.0, 0.3], 100), "Panda": (PANDA, AROUND_PANDA, READY, 1)}
CHAINS, BURN_IN, THINNING = 10_000, 100, 5
CHUNK = 1_000_000


def urdf(links):
    """The robot as text; both engines read it."""

    def origin(xyz, rpy):
        return f'<origin xyz="{" ".join(map(repr, xyz))}" rpy="{" ".join(map(repr, rpy))}"/>'

    text = ['<robot name="arm">']
    for k, (joint, limits, capsules) in enumerate(links):
        text.append(f'<link name="link{k}">')
        for radius, length, xyz, rpy in capsules:
            shape = f'<geometry><capsule radius="{radius}" length="{length}"/></geometry>'
            text.append(f"<collision>{origin(xyz, rpy)}{shape}</collision>")
        text.append("</link>")
        if joint is not None:
            text.append(
                f'<joint name="joint{k}" type="revolute">{origin(*joint)}<parent link="link{k - 1}"/><child link="link{k}"/>'
                f'<axis xyz="0 0 1"/><limit lower="{limits[0]}" upper="{limits[1]}" effort="1" velocity="1"/></joint>'
            )
    return "\n".join([*text, "</robot>"])


def two_apart(links):
    return [(k, k + 2) for k in range(len(links) - 2)]


def ours(links, obstacles):
    scene = superovoid.RobotScene(superovoid.Robot.from_urdf_text(urdf(links)))
    shape = superovoid.ConvexShape
    for k, (kind, sizes, at) in enumerate(obstacles):
        body = {"box": lambda *half: shape.cuboid(half), "cylinder": shape.cylinder, "ball": shape.ball}[kind](*sizes)
        scene.add_obstacle(f"obstacle{k}", body, [*at, 0, 0, 0, 1])
    for a, b in two_apart(links):
        scene.allow(f"link{a}", f"link{b}")
    return scene


def drakes(links, obstacles):
    """Drake's collision checker, on one thread."""
    builder = RobotDiagramBuilder()
    plant = builder.plant()
    (model,) = builder.parser().AddModelsFromString(urdf(links), "urdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("link0"))
    for k, (kind, sizes, at) in enumerate(obstacles):
        shape = {"box": lambda *half: Box(*(2 * h for h in half)), "cylinder": Cylinder, "ball": Sphere}[kind](*sizes)
        friction = CoulombFriction(0.5, 0.5)
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(at), shape, f"obstacle{k}", friction)
    plant.Finalize()
    for pair in two_apart(links):
        a, b = (GeometrySet(plant.GetCollisionGeometriesForBody(plant.GetBodyByName(f"link{k}"))) for k in pair)
        builder.scene_graph().collision_filter_manager().Apply(CollisionFilterDeclaration().ExcludeBetween(a, b))
    return SceneGraphCollisionChecker(
        model=builder.Build(), robot_model_instances=[model], edge_step_size=0.1,
        implicit_context_parallelism=Parallelism(1),
    )


def collides(checker, rows):
    return np.logical_not(checker.CheckConfigsCollisionFree(rows, parallelize=Parallelism(1)))


def zeroth_order(checker, seed, domain, _):
    options = IrisZoOptions()
    options.sampled_iris_options.parallelism = Parallelism(1)
    return IrisZo(checker, Hyperellipsoid.MakeHypersphere(1e-2, seed), domain, options)


def nonlinear(checker, seed, domain, iterations):
    context = checker.model().CreateDefaultContext()
    plant_context = checker.plant().GetMyMutableContextFromRoot(context)
    checker.plant().SetPositions(plant_context, seed)
    options = IrisOptions()
    options.bounding_region = domain
    options.iteration_limit = iterations
    return IrisNp(checker.plant(), plant_context, options)


def timed(make, *arguments):
    """What was made, and the seconds of the processor that it took: others may use the machine."""
    start = time.process_time()
    made = make(*arguments)
    return made, time.process_time() - start


def short(number):
    return np.format_float_positional(number, precision=2, fractional=False, trim="-")


def samples_of(polytope, count, rng):
    """Uniform samples in a polytope by hit-and-run, where its largest ellipsoid is the unit ball; and its volume."""
    ellipsoid = polytope.MaximumVolumeInscribedEllipsoid()
    to_space, centre = np.linalg.inv(ellipsoid.A()), ellipsoid.center()
    normals, offsets = polytope.A() @ to_space, polytope.b() - polytope.A() @ centre
    dimension = len(centre)
    at = np.zeros((min(CHAINS, count), dimension))
    kept = []
    for step in range(BURN_IN + THINNING * -(-count // len(at))):
        along = rng.normal(size=at.shape)
        # The inverse distances to the faces along the line: the polytope is bounded, so that some are of either sign.
        inverse = along @ normals.T / np.maximum(offsets - at @ normals.T, 1e-12)
        at = at + along * rng.uniform(1 / inverse.min(1), 1 / inverse.max(1))[:, None]
        if step >= BURN_IN and (step - BURN_IN) % THINNING == THINNING - 1:
            kept.append(at)
    rows = np.concatenate(kept)[:count]
    ball = math.pi ** (dimension / 2) / math.gamma(dimension / 2 + 1)
    inside = (np.linalg.norm(rows, axis=1) <= 1).mean()
    return centre + rows @ to_space.T, ball * abs(np.linalg.det(to_space)) / inside


def largest_box(polytope, seed):
    """The volume of the largest box along the axes in a polytope that holds a seed."""
    program, one = MathematicalProgram(), np.eye(len(seed))
    upper, lower = program.NewContinuousVariables(len(seed)), program.NewContinuousVariables(len(seed))
    program.AddBoundingBoxConstraint(seed, np.full(len(seed), np.inf), upper)
    program.AddBoundingBoxConstraint(np.full(len(seed), -np.inf), seed, lower)
    faces, both = polytope.A(), np.concatenate([upper, lower])
    farthest = np.hstack([np.maximum(faces, 0), np.minimum(faces, 0)])
    program.AddLinearConstraint(farthest, np.full(len(faces), -np.inf), polytope.b(), both)
    program.AddMaximizeGeometricMeanCost(np.hstack([one, -one]), np.zeros(len(seed)), both)
    found = Solve(program)
    return np.prod(found.GetSolution(upper) - found.GetSolution(lower)) if found.is_success() else math.nan


def samples_of_box(region, count, rng):
    """Yields arrays of uniform samples; every fourth sample has each coordinate at an end with a chance of a half."""
    for done in range(0, count, CHUNK):
        share = rng.random((min(CHUNK, count - done), len(region.lower)))
        face = share[::4]
        face[:] = np.where(rng.random(face.shape) < 0.5, np.round(face), face)
        yield np.clip(region.lower + share * (region.upper - region.lower), region.lower, region.upper)


def seeds_of(scene, first, limits, count, rng):
    """The first one, and free configurations with a clearance of at least 2 cm."""
    seeds = [np.array(first, float)]
    while len(seeds) < count:
        seed = rng.uniform(*limits)
        if scene.clearance(seed) >= 0.02:
            seeds.append(seed)
    return seeds


def same_verdicts(name, scene, checker, limits, count, rng):
    rows = rng.uniform(*limits, size=(count, len(limits[0])))
    ours, theirs = scene.in_collision(rows, threads=1), collides(checker, rows)
    differ = int((ours != theirs).sum())
    print(f"{name}: {count:,} random configurations, {ours.mean():.1%} in collision, {differ} verdicts differ", flush=True)
    for row in rows[ours != theirs][:5]:
        print(f"  differs, clearance {scene.clearance(row):.2e} m: {row.tolist()}")
    return differ


def count_flat(name, scene, limits, count, rng):
    """Prints around how many random free configurations our box has no width in some joint."""
    rows = rng.uniform(*limits, size=(20 * count, len(limits[0])))
    rows = rows[~scene.in_collision(rows, threads=1)][:count]
    flat = sum(bool((region.upper <= region.lower).any()) for region in map(scene.free_region, rows))
    print(f"{name}: {flat} of our regions around {len(rows)} random free configurations have no width in some joint", flush=True)


class Judge:
    """Counts the samples that collide, and those of the first of each region on which Drake's checker differs."""

    def __init__(self, scene, checker, checked):
        self.scene, self.checker, self.checked = scene, checker, checked
        self.refuted = self.differing = 0

    def __call__(self, parts):
        """Judges arrays of samples in a region; returns how many collide."""
        before, left = self.refuted, self.checked
        for rows in parts:
            hits, first = self.scene.in_collision(rows, threads=1), rows[:left]
            if len(first):
                differs = hits[: len(first)] != collides(self.checker, first)
                self.differing += int(differs.sum())
                for row in first[differs][:5]:
                    print(f"  Drake differs, clearance {self.scene.clearance(row):.2e} m: {row.tolist()}", flush=True)
            self.refuted += int(hits.sum())
            left -= len(first)
        return self.refuted - before


def row_of(name, seed, scene, checker, limits, iterations, options, rng):
    """Measures the regions around a seed; returns a row of the table, refuted samples of ours, verdicts that differ."""
    print(f"{name}: seed {np.round(seed, 4).tolist()}", flush=True)
    cells, count = [name], options.samples // (2 * options.seeds * len(ROBOTS))
    judge = Judge(scene, checker, options.checked)
    for states in (20_000, options.more_states):
        region, seconds = timed(lambda: scene.free_region(seed, max_states=states))
        if not HPolyhedron(*region.half_spaces()).PointInSet(seed):
            sys.exit(f"Drake's polyhedron of our region lacks its seed {seed.tolist()}")
        widths = region.upper - region.lower
        refuted = judge(samples_of_box(region, count, rng))
        print(f"  ours: {seconds:.3f} s, {region.states:,} configurations, volume {np.prod(widths):.3e}, {refuted} of {count:,} "
              f"refuted, widths {np.round(widths, 3).tolist()}", flush=True)
        cells.append(f"{short(seconds)}, {short(np.prod(widths))}")
    ours_refuted = judge.refuted
    cells.append(f"{ours_refuted} of {2 * count:,}")
    for label, make in (("IRIS-ZO", zeroth_order), ("IRIS-NP", nonlinear)):
        polytope, seconds = timed(make, checker, seed, HPolyhedron.MakeBox(*limits), iterations)
        rows, volume = samples_of(polytope, options.drake_samples, rng)
        refuted = judge([rows])
        print(f"  {label}: {seconds:.3f} s, {len(polytope.b())} faces, volume {volume:.3e}, {refuted} of {len(rows):,} "
              f"refuted; the seed is {'in' if polytope.PointInSet(seed) else 'NOT in'} it", flush=True)
        box = largest_box(polytope, seed)
        print(f"  the largest box in it that holds the seed: {box:.3e}", flush=True)
        cells.append(f"{short(seconds)}, {short(volume)}, {short(box)}, {short(100 * refuted / len(rows))}%")
    return cells, ours_refuted, judge.differing


def processor():
    try:
        lines = open("/proc/cpuinfo").read().splitlines()
        return next(line.split(": ")[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


def main():
    number = lambda text: int(float(text))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=number, default=10**8, help="in all of our regions together (1e8)")
    parser.add_argument("--drake-samples", type=number, default=10**6, help="in each of Drake's regions (1e6)")
    parser.add_argument("--checked", type=number, default=10**5, help="of each region, judged by Drake too (1e5)")
    parser.add_argument("--more-states", type=number, default=10**6, help="max_states of our second region (1e6)")
    parser.add_argument("--np-iterations", type=int, help="of IRIS-NP, at most (100 for the planar arm, 1 for the Panda)")
    parser.add_argument("--seeds", type=int, default=4, help="of each robot (4)")
    parser.add_argument("--random", type=int, default=2031, help="the seed of all random numbers (2031)")
    options = parser.parse_args()
    if options.seeds < 1 or options.drake_samples < 1:
        parser.error("--seeds and --drake-samples are at least 1")
    logging.getLogger("drake").setLevel(logging.WARNING)
    print(f"{processor()}, one thread each")
    table, refuted, differing = [], 0, 0
    for name, (links, obstacles, first, iterations) in ROBOTS.items():
        rng = np.random.default_rng(options.random)
        scene, checker = ours(links, obstacles), drakes(links, obstacles)
        limits = np.array([limits for _, limits, _ in links[1:]], float).T
        differing += same_verdicts(name, scene, checker, limits, 10_000, rng)
        count_flat(name, scene, limits, 100, np.random.default_rng(options.random + 1))
        for k, seed in enumerate(seeds_of(scene, first, limits, options.seeds, rng)):
            limit = options.np_iterations or iterations
            cells, of_ours, others = row_of(f"{name}, {k + 1}", seed, scene, checker, limits, limit, options, rng)
            table.append(cells)
            refuted, differing = refuted + of_ours, differing + others
    print(f"\nsamples that collide in our regions: {refuted}; verdicts on which Drake's checker differs: {differing}\n")
    print(f"| seed | ours, 20,000 states: s, volume | {options.more_states:,} states: s, volume | hit, both "
          "| IRIS-ZO: s, volume, box, hit | IRIS-NP: s, volume, box, hit |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    print("\n".join(f"| {' | '.join(cells)} |" for cells in table))
    sys.exit(1 if refuted else 0)


if __name__ == "__main__":
    main()

"""Closes thumb and index of both iCub hands along a trajectory that keeps clear, by SciPy's optimiser.

    pip install './bindings/python[test]'
    python bindings/python/examples/hands_trajectory.py

Two programs. The first finds the pinch: 16 joints, the tips of thumb and index of both hands are to be 5 mm apart. The second finds the way there from the open hands: the joints at some instants between, the sum of the squared
steps is to be least. In both no two bodies may come nearer than 5 mm (or than in the open hands, where fingers side by
side are nearer); the straight line to the pinch comes nearer. SLSQP (sequential least squares, Kraft 1988) takes the
gradients of the clearances of all instants from one call of `Robot.clearances`; beside it, forward differences of the
same clearances, also in one call, each instant by its own joints only. Then each edge between two instants is proven free,
not sampled.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import superovoid
from scipy.optimize import minimize

URDF = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"
MARGIN = 5e-3  # metres
REACH = 0.25  # pairs that are farther apart than this count as this far
NEAR = 0.03  # pairs are constraints from this much above their margin on
TOLERANCE = 1e-7  # metres, of the constraints
HALF_CLOSED = [0.9, 0.3, 0.3, 0.3, 0.0, 0.5, 0.3, 0.2]  # radians, thumb and index, where the pinch is searched from
WEIGHT = 1e-2  # cm²/rad²
STEP = 1e-7  # radians, of differences: about the square root of the clearances' accuracy


class Hands:
    """The clearances of all pairs that the joints move, and what was asked for them."""

    def __init__(self, robot):
        self.robot = robot
        names = [f"{side}_hand_{finger}_{k}_joint" for side in "lr" for finger in ("thumb", "index") for k in range(4)]
        self.joints = np.array([robot.position_range(name)[0] for name in names])
        self.limits = robot.position_limits[self.joints]
        self.open = robot.neutral.copy()
        for side in "lr":
            self.open[robot.position_range(f"{side}_hand_thumb_0_joint")[0]] = 0.25
        self.configurations, self.seconds = 0, 0.0
        rows = robot.clearances(self.open)
        keys = np.stack([rows.link_a, rows.link_b], axis=-1)
        moves = [any(f"_hand_{finger}_" in robot.links[k] for k in key for finger in ("thumb", "index")) for key in keys]
        self.pairs = {tuple(key): k for k, key in enumerate(keys[moves].tolist())}
        self.margins = np.minimum(rows.contacts.distance[moves], MARGIN)
        ends = [sorted(robot.links.index(f"{side}_hand_{finger}_3") for finger in ("thumb", "index")) for side in "lr"]
        self.tips = [self.pairs[tuple(pair)] for pair in ends]

    def configuration(self, positions):
        """Returns whole configurations from the positions of the joints."""
        whole = np.broadcast_to(self.open, (*positions.shape[:-1], len(self.open))).copy()
        whole[..., self.joints] = np.clip(positions, *self.limits.T)
        return whole

    def clearances(self, positions, gradient=False):
        """Returns the distances of all pairs, shape (n, pairs), and their gradients, at positions, shape (n, joints)."""
        start = time.perf_counter()
        found = self.robot.clearances(self.configuration(positions), max_distance=REACH, gradient=gradient)
        self.seconds += time.perf_counter() - start
        self.configurations += len(positions)
        keys = zip(found.link_a.tolist(), found.link_b.tolist())
        column = np.array([self.pairs.get(key, -1) for key in keys])
        at = (found.configuration[column >= 0].astype(int), column[column >= 0])
        distances = np.full((len(positions), len(self.pairs)), REACH)
        distances[at] = found.contacts.distance[column >= 0]
        if not gradient:
            return distances, None
        jacobian = np.zeros((*distances.shape, len(self.joints)))
        jacobian[at] = found.gradient[column >= 0][:, self.joints]
        return distances, jacobian

    def differences(self, positions):
        """Returns the same by forward differences, into the limits, in one call."""
        inwards = np.where(positions + STEP <= self.limits[:, 1], STEP, -STEP)
        moved = positions[:, None, :] + np.concatenate([np.zeros((1, len(self.joints))), np.eye(len(self.joints))]) * inwards[:, None, :]
        found, _ = self.clearances(moved.reshape(-1, len(self.joints)))
        found = found.reshape(len(positions), 1 + len(self.joints), -1)
        return found[:, 0], np.moveaxis((found[:, 1:] - found[:, :1]) / inwards[..., None], 1, 2)


class Program:
    """A program of SLSQP: the positions of the joints at some instants, clearances as constraints."""

    def __init__(self, hands, derivatives, instants):
        self.hands, self.derivatives = hands, derivatives
        self.shape = (instants, len(hands.joints))
        self.start = hands.open[hands.joints]
        self.half = np.clip(np.tile(HALF_CLOSED, 2), *hands.limits.T)
        self.known = (None, None)
        self.iterations = self.evaluations = 0

    def evaluate(self, x):
        """Returns distances and gradients at all instants; SciPy asks for values and gradients at the same unknowns."""
        if self.known[0] is None or not np.array_equal(self.known[0], x):
            positions = x.reshape(self.shape)
            by_differences = self.derivatives == "differences"
            found = self.hands.differences(positions) if by_differences else self.hands.clearances(positions, gradient=True)
            self.known = (x.copy(), found)
            self.evaluations += 1
        return self.known[1]

    def violation(self, x):
        return max(0.0, (self.hands.margins - self.evaluate(x)[0]).max())

    def constraints(self, chosen):
        """Returns the clearances of the chosen pairs of each instant beyond their margins, as SciPy takes them, in mm."""
        instants = np.nonzero(chosen)[0]

        def gradients(x):
            jacobian = np.zeros((len(instants), *self.shape))
            jacobian[np.arange(len(instants)), instants] = self.evaluate(x)[1][chosen]
            return 1e3 * jacobian.reshape(len(instants), -1)

        values = lambda x: 1e3 * (self.evaluate(x)[0] - self.hands.margins)[chosen]
        return [{"type": "ineq", "fun": values, "jac": gradients}]

    def minimize(self, objective, x):
        """Minimises; pairs that come near become constraints, until none that is left out is violated."""
        bounds = np.tile(self.hands.limits, (self.shape[0], 1))
        chosen = np.zeros((self.shape[0], len(self.hands.margins)), bool)
        while True:
            chosen |= self.evaluate(x)[0] < self.hands.margins + NEAR
            found = minimize(
                objective,
                x,
                jac=True,
                method="SLSQP",
                bounds=bounds,
                constraints=self.constraints(chosen),
                options={"maxiter": 300, "ftol": 1e-7},
            )
            x = np.clip(found.x, *bounds.T)
            self.iterations += found.nit
            self.message = found.message
            missed = (self.evaluate(x)[0] < self.hands.margins - TOLERANCE) & ~chosen
            if not found.success or not missed.any():
                return x

    def tips(self, x):
        """Returns the squared distances of the tips beyond 5 mm (cm²), with some of the way from the half closed hands, and its
        gradient."""
        distances, gradients = self.evaluate(x)
        apart, away = 1e2 * (distances[0, self.hands.tips] - MARGIN), x - self.half
        return apart @ apart + WEIGHT * away @ away, 2e2 * apart @ gradients[0, self.hands.tips] + 2 * WEIGHT * away

    def length(self, end):
        """Returns the function that gives the sum of the squared steps from the open hands to the end, and its gradient."""

        def of(x):
            steps = np.diff(np.vstack([self.start, x.reshape(self.shape), end]), axis=0)
            return np.sum(steps**2), 2 * (steps[:-1] - steps[1:]).ravel()

        return of


def run(derivatives, instants):
    """Solves both programs and prints a row each; returns the positions from the open hands to the pinch."""
    hands = Hands(superovoid.Robot.from_urdf(URDF))

    def solve(name, count, x, end=None):
        program = Program(hands, derivatives, count)
        objective = program.tips if end is None else program.length(end)
        hands.configurations, hands.seconds, start = 0, 0.0, time.perf_counter()
        x = program.minimize(objective, x)
        took = time.perf_counter() - start
        if end is None:
            value = f"{1e3 * program.evaluate(x)[0][0, hands.tips].max():.3f} mm"
        else:
            value = f"{objective(x)[0]:.5f} rad²"
        violation = program.violation(x)
        print(
            f"| {name}, {derivatives} | {program.iterations} | {program.evaluations} | {hands.configurations} | {1e3 * hands.seconds:.0f} "
            f"| {1e3 * took:.0f} | {value} | {1e3 * violation:.1e} | {program.message} |",
            flush=True,
        )
        if derivatives == "gradients" and (violation > TOLERANCE or "successfully" not in program.message):
            raise SystemExit("the program with gradients is not solved")
        return x

    start = hands.open[hands.joints]
    pinch = solve("pinch", 1, np.clip(np.tile(HALF_CLOSED, 2), *hands.limits.T))
    line = start + (pinch - start) * np.linspace(0.0, 1.0, instants + 2)[1:-1, None]
    before = max(0.0, (hands.margins - hands.clearances(line)[0]).max())
    way = solve("way", instants, line.ravel(), pinch)
    return hands, np.vstack([start, way.reshape(line.shape), pinch]), before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instants", type=int, default=6, help="how many lie between the open hands and the pinch")
    arguments = parser.parse_args()
    print("| program, derivatives | iterations | evaluations | configurations | queries, ms | in all, ms | result | violation, mm | SLSQP says |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- |")
    ways = [run(derivatives, arguments.instants) for derivatives in ("gradients", "differences")]
    hands, positions, before = ways[0]
    print(f"\nthe straight line comes {1e3 * before:.2f} mm too near; the two ways differ by at most {np.abs(positions - ways[1][1]).max():.1e} rad")
    configurations = hands.configuration(positions)
    edges = hands.robot.edge_free(configurations[:-1], configurations[1:])
    free = int((edges.status == superovoid.EdgeStatus.FREE).sum())
    print(f"edges proven free of contact: {free} of {len(edges.status)}")
    if free < len(edges.status):
        raise SystemExit("an edge is not proven free")


if __name__ == "__main__":
    main()

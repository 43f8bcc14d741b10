"""What the tests share: random bodies and poses."""

from pathlib import Path

import numpy as np
import pytest

HANDS = Path(__file__).parents[3] / "urdf" / "icub_hands.urdf"
HERE = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])


@pytest.fixture
def rng():
    return np.random.default_rng(2017)


def shapes(rng, count, exponents=(0.1, 1.9)):
    """Superellipsoids, which are all convex."""
    parameters = np.zeros((count, 7))
    parameters[:, :3] = rng.uniform(0.3, 1.5, (count, 3))
    parameters[:, 3:5] = rng.uniform(*exponents, (count, 2))
    return parameters


def poses(rng, count, reach=3.0):
    quaternions = rng.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return np.hstack([rng.uniform(-reach, reach, (count, 3)), quaternions])


def matrices(poses):
    """The homogeneous matrices of poses, by the formula for unit quaternions."""
    x, y, z, w = np.moveaxis(poses[..., 3:], -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found = np.zeros((*poses.shape[:-1], 4, 4))
    found[..., :3, :3] = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    found[..., :3, 3] = poses[..., :3]
    found[..., 3, 3] = 1.0
    return found


def same(one, other):
    """Whether two answers are equal to the last bit."""
    fields = ["distance", "point_a", "point_b", "normal", "lower", "upper", "outcome", "iterations"]
    return all(np.array_equal(getattr(one, f), getattr(other, f)) for f in fields)

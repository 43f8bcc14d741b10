"""Exact contact between superovoids, superellipsoids, ellipsoids and spheres, with a proof.

Lengths are metres, angles radians, frames right-handed, numbers float64. A shape is seven numbers, ``a1 a2 a3 e1 e2 tx
ty``; a pose is seven numbers, ``x y z qx qy qz qw`` (the order of the C interface, Pinocchio and SciPy), or a homogeneous
4 x 4 matrix. The leading axes of all arguments broadcast together, and one call answers all elements, on all processors,
without the interpreter's lock.

>>> import superovoid
>>> egg = superovoid.Superovoids([0.02, 0.02, 0.03, 1.0, 1.0, 0.2, 0.2])
>>> brick = superovoid.Superovoids([0.05, 0.03, 0.01, 0.1, 0.1, 0.0, 0.0])
>>> answer = superovoid.contact(egg, [0, 0, 0, 0, 0, 0, 1], brick, [0, 0, 0.05, 0, 0, 0, 1])
>>> round(float(answer.distance), 9), superovoid.Outcome(answer.outcome).name
(0.01, 'CERTIFIED')
"""

from dataclasses import dataclass as _dataclass
from enum import IntEnum as _IntEnum
from importlib.metadata import version as _version
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._superovoid import (
    BoxSet,
    Clearances,
    ClothContacts,
    Collision,
    Contacts,
    ConvexShape,
    Derivatives,
    Edges,
    Fit,
    FittedRobot,
    Gradients,
    HalfSpace,
    HeightField,
    MassProperties,
    Motions,
    Plane,
    RayHits,
    Recording,
    Robot,
    RobotContacts,
    RobotScene,
    Scene,
    SceneContacts,
    Superovoids,
    Superquadric,
    TimesOfImpact,
    TriMesh,
    World,
    WorldContacts,
    box_contact,
    contact,
    contact_derivatives,
    distance_gradient,
    fit,
    fit_mesh,
    fit_robot,
    half_space_contact,
    half_space_contact_derivatives,
    half_space_time_of_impact,
    hull_contact,
    hull_contact_derivatives,
    hull_time_of_impact,
    plane_contact,
    ray_cast,
    read_mesh,
    ready_scenes,
    segment_contact,
    time_of_impact,
    tree_contacts,
    triangle_contact,
    vertex_contact,
    vertex_contact_derivatives,
    vertex_time_of_impact,
)
from ._superovoid import _manifolds as _find_manifolds

if _TYPE_CHECKING:
    import numpy as _np
    from numpy.typing import ArrayLike as _ArrayLike
    from numpy.typing import NDArray as _NDArray

    from ._superovoid import _AnyBody

__version__: str = _version("superovoid")


class Outcome(_IntEnum):
    """How a query ended."""

    CERTIFIED = 1
    """The bracket is closed: ``upper - lower`` is at most the tolerance."""
    CONVERGED = 2
    """The answer is stationary and checked, but its bracket is open: a fast depth, or an overlap of bodies that are not
    convex."""
    NOT_CONVERGED = 3
    """The query knows nothing better than the bracket, which is true."""
    BEYOND = 4
    """The bodies are proven to be farther apart than ``max_distance``; the points are not the nearest ones."""


class CollisionStatus(_IntEnum):
    """What a bracket proves."""

    FREE = 1
    """The bodies do not touch."""
    COLLISION = 2
    """They overlap or touch."""
    UNDECIDED = 3
    """Neither is proven."""


class DerivativeStatus(_IntEnum):
    """What derivatives are worth."""

    NONE = 0
    """There are none: the contact is not converged, or beyond."""
    EXACT = 1
    """All derivatives exist."""
    POINTS_SINGULAR = 2
    """The gradient exists; normal and witness points have no derivatives."""
    TIE = 3
    """The depth is attained along several directions: the gradient is that of one of them, a subgradient."""


class ImpactOutcome(_IntEnum):
    """What is proven of a motion."""

    FREE = 1
    """The bodies are apart at every instant."""
    HIT = 2
    """They touch; the first contact is between ``safe`` and ``touching``."""
    OVERLAPPING = 3
    """They overlap at the start."""
    UNDECIDED = 4
    """Neither is proven beyond ``safe``."""


class EdgeStatus(_IntEnum):
    """What is proven of an edge between configurations."""

    FREE = 1
    """No configuration on it touches."""
    HIT = 2
    """A pair touches at ``touching``."""
    UNDECIDED = 3
    """Neither is proven. Treat it as a hit."""


@_dataclass(frozen=True, eq=False)
class Manifolds:
    """Contact manifolds: for every two parts that are near each other the places where their surfaces face each other."""

    contacts: Contacts
    """The contact of each manifold, shape (m), with its normal and bracket, and the parts of bodies that have parts."""
    count: "_NDArray[_np.int64]"
    """The number of points of each, 1 to 8, shape (m)."""
    point_a: "_NDArray[_np.float64]"
    """The points on the surface of A, world frame, metres, the deepest first, shape (m, 8, 3); NaN behind the last."""
    point_b: "_NDArray[_np.float64]"
    """The points on the surface of B: ``point_a + distance * normal``."""
    distance: "_NDArray[_np.float64]"
    """The distances between both along the normal, metres, negative where they overlap, shape (m, 8)."""
    id: "_NDArray[_np.uint64]"
    """Numbers of the vertices, edges and faces that meet at the points, which stay from step to step; shape (m, 8)."""


def manifolds(
    a: "_AnyBody", pose_a: "_ArrayLike", b: "_AnyBody", pose_b: "_ArrayLike", margin: float = 0.0
) -> Manifolds:
    """Returns the contact manifolds of two bodies of any kind.

    A manifold has up to eight points of both surfaces that face each other along the normal of a contact: the corners of the
    region in which two faces overlap, the ends of an edge on a face, or one point of round bodies and crossing edges.

    Parameters
    ----------
    a, b : Superovoids, ConvexShape, TriMesh, BoxSet, HeightField, HalfSpace, Plane or Superquadric
        The bodies, one each.
    pose_a, pose_b : array_like, shape (7,) or (4, 4)
        Their poses.
    margin : float
        The greatest distance of two parts, and of two points of a manifold, metres; it may be negative.

    Returns
    -------
    Manifolds
        One row for every two parts within the margin, in the order of the parts; a body of one piece is one part.

    Examples
    --------
    >>> import superovoid
    >>> table = superovoid.ConvexShape.cuboid([1.0, 1.0, 0.1])
    >>> block = superovoid.ConvexShape.cuboid([0.2, 0.1, 0.05])
    >>> found = superovoid.manifolds(table, [0, 0, 0, 0, 0, 0, 1], block, [0, 0, 0.149, 0, 0, 0, 1], margin=0.01)
    >>> int(found.count[0]), round(float(found.distance[0, 0]), 9)
    (4, -0.001)
    """
    return Manifolds(*_find_manifolds(a, pose_a, b, pose_b, margin))


__all__ = [
    "BoxSet",
    "Clearances",
    "ClothContacts",
    "Collision",
    "CollisionStatus",
    "Contacts",
    "ConvexShape",
    "DerivativeStatus",
    "Derivatives",
    "EdgeStatus",
    "Edges",
    "Fit",
    "FittedRobot",
    "Gradients",
    "HalfSpace",
    "HeightField",
    "ImpactOutcome",
    "Manifolds",
    "MassProperties",
    "Motions",
    "Outcome",
    "Plane",
    "RayHits",
    "Recording",
    "Robot",
    "RobotContacts",
    "RobotScene",
    "Scene",
    "SceneContacts",
    "Superovoids",
    "Superquadric",
    "TimesOfImpact",
    "TriMesh",
    "World",
    "WorldContacts",
    "box_contact",
    "contact",
    "contact_derivatives",
    "distance_gradient",
    "fit",
    "fit_mesh",
    "fit_robot",
    "half_space_contact",
    "half_space_contact_derivatives",
    "half_space_time_of_impact",
    "hull_contact",
    "hull_contact_derivatives",
    "hull_time_of_impact",
    "manifolds",
    "plane_contact",
    "ray_cast",
    "read_mesh",
    "ready_scenes",
    "segment_contact",
    "time_of_impact",
    "tree_contacts",
    "triangle_contact",
    "vertex_contact",
    "vertex_contact_derivatives",
    "vertex_time_of_impact",
]

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

from enum import IntEnum as _IntEnum
from importlib.metadata import version as _version

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

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
    AttachedBody,
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
    FreeRegion,
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
    Spline,
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
from ._superovoid import _plan as _find_plan

if _TYPE_CHECKING:
    from collections.abc import Callable as _Callable
    from collections.abc import Sequence as _Sequence

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


@_dataclass(frozen=True, eq=False)
class Plan:
    """A motion of a robot among obstacles, or the reason why none was found."""

    path: "_NDArray[_np.float64]"
    """The configurations from the start to a goal, shape (n, position_count): the robot moves straight from one to the next.
    It has no rows if no path was found."""
    joints: list[str]
    """The name of the joint of each column of the path."""
    proven: bool
    """Whether a path was found, and every edge of it is proven free, both ends included."""
    goal: int | None
    """The index of the goal where the path ends."""
    reason: str | None
    """Why no path was found, in words. Unless an end is in collision this does not prove that there is none."""
    touching: list[tuple[str, str, float]]
    """The pairs that are in collision at the start, or at each of the goals: two names and the distance, metres."""
    statistics: dict[str, float]
    """The work: numbers of ``samples``, ``states_checked``, ``edges_checked``, ``edges_proven``, ``edges_refused`` (by the proof)
    and ``rounds``; seconds of ``search``, ``shortcutting`` and ``proof``."""


def plan(
    scene: RobotScene,
    start: "_ArrayLike",
    goals: "_ArrayLike",
    *,
    joints: "_Sequence[str] | None" = None,
    seed: int = 0,
    spacing: float = 1 / 32,
    max_step: float = 1.0,
    max_samples: int = 100_000,
    max_time: float | None = None,
    shortcuts: int = 3,
    prove: bool = True,
    progress: "_Callable[[dict[str, float]], bool | None] | None" = None,
) -> Plan:
    """Searches a path from a start to one of its goals, among the obstacles of a scene, and proves every edge of it.

    The search is RRT-Connect; an edge that the proof of `RobotScene.edge_free` refuses is replaced. Distances between
    configurations are Euclidean, in radians and metres alike. The same arguments give the same path, unless the time ends.

    Parameters
    ----------
    scene : RobotScene
        The robot, what is attached to it, and the obstacles.
    start : array_like, shape (position_count,)
        The first configuration.
    goals : array_like, shape (..., position_count)
        The configurations of which one is the last.
    joints : sequence of str, optional
        The names of the joints that move; the others stay where the start has them. By default every revolute, continuous and
        prismatic joint moves that mimics no other one.
    seed : int
        The seed of the random numbers.
    spacing : float
        The greatest distance between two states that are checked on an edge; twice that where edges are proven, as a proof
        refuses what is between the states.
    max_step : float
        The greatest length of an edge of the search's trees.
    max_samples : int
        The number of random configurations after which the search ends.
    max_time : float, optional
        The time after which the plan ends, seconds.
    shortcuts : int
        The number of rounds that make the path shorter, each with shortcuts and rounder corners.
    prove : bool
        Whether the edges of the path are proven; if not, their states are checked at the spacing only.
    progress : callable, optional
        Called with the ``statistics`` so far, once at the beginning and then every 10 ms, during proofs too. When it returns False
        the plan ends, without a path, and with that as its reason; what it raises ends the plan too. The plan then works on a copy
        of the scene, so that the callback may ask the scene; what it changes in it does not change the plan. Without a callback
        the calls of other threads on the scene wait until the plan ends.

    Returns
    -------
    Plan
        That no path is found is no error: ``reason`` tells why.

    Examples
    --------
    >>> import superovoid
    >>> robot = superovoid.Robot.from_urdf_text('''<robot name="table"><link name="base"/><link name="carriage"/>
    ...   <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
    ...   <joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/>
    ...   <limit lower="-1" upper="1"/></joint>
    ...   <joint name="y" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="0 1 0"/>
    ...   <limit lower="-1" upper="1"/></joint></robot>''')
    >>> scene = superovoid.RobotScene(robot)
    >>> post = scene.add_obstacle("post", superovoid.ConvexShape.ball(0.3), [0, 0, 0, 0, 0, 0, 1])
    >>> found = superovoid.plan(scene, [-0.8, 0], [0.8, 0])
    >>> found.proven, found.joints, found.path[-1].tolist()
    (True, ['x', 'y'], [0.8, 0.0])
    >>> superovoid.plan(scene, [0.1, 0], [0.8, 0]).reason
    'the start is in collision: ball and post, at a distance of -0.300000 m'
    """
    names = None if joints is None else list(joints)
    options = (seed, spacing, max_step, max_samples, max_time, shortcuts, prove, progress)
    return Plan(*_find_plan(scene, start, goals, names, *options))


__all__ = [
    "AttachedBody",
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
    "FreeRegion",
    "Gradients",
    "HalfSpace",
    "HeightField",
    "ImpactOutcome",
    "Manifolds",
    "MassProperties",
    "Motions",
    "Outcome",
    "Plan",
    "Plane",
    "RayHits",
    "Recording",
    "Robot",
    "RobotContacts",
    "RobotScene",
    "Scene",
    "SceneContacts",
    "Spline",
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
    "plan",
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

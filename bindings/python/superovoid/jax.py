"""Contacts and clearances as differentiable functions of JAX.

The queries run on the processor: XLA calls the library (``jax.ffi``), or JAX does through Python (``jax.pure_callback``) for
robots, on other platforms, and where XLA has another interface. Under ``vmap`` they are one batch. They have the library's own derivatives:
first ones by `superovoid.distance_gradient`, second ones by `superovoid.contact_derivatives`. Nothing is differentiated
through iterations.

Let d be a signed distance and g its gradient by the 26 inputs of the library (velocity and angular velocity of A, of B,
in world axes; shapes of A and B). JAX moves the quaternion q = (v, w) of a pose, which these functions divide by its
length; a tangent q' = (v', w') of the unit sphere is the angular velocity ω = 2 (w v' − w' v + v × v'). Second
derivatives of the library are those along paths exp(t [ω]) R, so they are symmetric; JAX wants those of g, in which
rotations do not commute: the derivative of g along u is H u, and for the turn of each body + ½ ω × g_ω.

>>> import jax, jax.numpy as jnp
>>> jax.config.update("jax_enable_x64", True)
>>> from superovoid.jax import distance
>>> ball = jnp.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0])
>>> here = jnp.array([0.0, 0, 0, 0, 0, 0, 1])
>>> gap = lambda x: distance(ball, here, ball, here.at[0].set(x))
>>> float(gap(3.0)), float(jax.grad(gap)(3.0))
(1.0, 1.0)
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike, NDArray

import superovoid
from superovoid import _superovoid

# A callback's arguments are copied by the threads that run the program. Where the callbacks hold all of these, as one does
# on a machine with one processor, the copy never ends; inline dispatch copies in the callback's own thread. JAX looks at
# this when it first computes something.
jax.config.update("jax_cpu_enable_async_dispatch", False)

__all__ = ["Contact", "RobotClearances", "contact", "distance"]

_Input: TypeAlias = superovoid.Superovoids | ArrayLike | jax.Array
_Pair: TypeAlias = tuple[jax.Array, jax.Array, jax.Array, jax.Array]
_Numbers: TypeAlias = tuple[NDArray[Any], ...]
_HostPair: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]

_INPUTS = 26


class Contact(NamedTuple):
    """Contacts of pairs, as arrays of JAX: those of `superovoid.Contacts`.

    ``distance``, ``normal``, ``point_a`` and ``point_b`` have derivatives; those of the bracket, ``lower`` and ``upper``,
    are zero.
    """

    distance: jax.Array
    normal: jax.Array
    point_a: jax.Array
    point_b: jax.Array
    lower: jax.Array
    upper: jax.Array
    outcome: jax.Array


class _Options(NamedTuple):
    depth: Literal["fast", "certified"]
    tolerance: float
    threads: int | None


def _options(depth: Literal["fast", "certified"], tolerance: float, threads: int | None) -> _Options:
    if depth not in ("fast", "certified"):
        raise ValueError(f'depth = {depth!r}: "fast" or "certified"')
    if threads is not None and not 1 <= threads <= 1024:
        raise ValueError(f"threads = {threads}: from 1 to 1024, or None for all processors")
    if not tolerance >= 0:
        raise ValueError(f"tolerance = {tolerance}: not negative")
    return _Options(depth, float(tolerance), threads)


# ---- arguments ----------------------------------------------------------------------------


def _float64(value: _Input, name: str) -> jax.Array:
    """Returns an argument as float64, which JAX must have been told to use."""
    if not jax.config.read("jax_enable_x64"):
        raise RuntimeError(
            "superovoid.jax needs float64: call jax.config.update('jax_enable_x64', True) before arrays are made"
        )
    array = jnp.asarray(value.parameters if isinstance(value, superovoid.Superovoids) else value)
    if not (jnp.issubdtype(array.dtype, jnp.floating) or jnp.issubdtype(array.dtype, jnp.integer)):
        raise TypeError(f"{name} has the dtype {array.dtype}; real numbers are wanted")
    return array.astype(jnp.float64)


def _seven(value: _Input, name: str) -> jax.Array:
    array = _float64(value, name)
    if array.ndim == 0 or array.shape[-1] != 7:
        raise ValueError(f"{name} has the shape {array.shape}, but its last axis must have 7 numbers")
    return array


def _unit(pose: jax.Array) -> jax.Array:
    """Returns poses with quaternions of length 1."""
    q = pose[..., 3:]
    return jnp.concatenate([pose[..., :3], q / jnp.sqrt(jnp.sum(q * q, axis=-1, keepdims=True))], axis=-1)


def _pair(a: _Input, pose_a: _Input, b: _Input, pose_b: _Input) -> _Pair:
    """Returns the arguments of pairs, all with the axes to which they broadcast."""
    arguments = {"a": a, "pose_a": pose_a, "b": b, "pose_b": pose_b}
    arrays = [_seven(value, name) for name, value in arguments.items()]
    axes = [array.shape[:-1] for array in arrays]
    try:
        lead = jnp.broadcast_shapes(*axes)
    except ValueError:
        found = ", ".join(f"{name} {shape}" for name, shape in zip(arguments, axes))
        raise ValueError(f"the axes that count pairs do not broadcast: {found}") from None
    one, pose_one, other, pose_other = (jnp.broadcast_to(array, (*lead, 7)) for array in arrays)
    return one, _unit(pose_one), other, _unit(pose_other)


# ---- the host's side: NumPy only ----------------------------------------------------------


def _contacts(options: _Options, pair: _HostPair) -> superovoid.Contacts:
    one, pose_one, other, pose_other = pair
    return superovoid.contact(one, pose_one, other, pose_other, **options._asdict())


@dataclass(frozen=True)
class _Run:
    """A query as JAX calls it. Equal ones compare equal, so that JAX compiles a call once and not at every call."""

    query: Callable[[_Options, _HostPair], _Numbers]
    options: _Options

    def __call__(self, a: Any, pose_a: Any, b: Any, pose_b: Any) -> _Numbers:
        found = self.query(self.options, (np.asarray(a), np.asarray(pose_a), np.asarray(b), np.asarray(pose_b)))
        return tuple(np.asarray(numbers, dtype=np.float64, order="C") for numbers in found)


# The versions of XLA's foreign function interface, 0.n, with which the handlers have been tried.
_INTERFACES = {1, 2, 3}


def _interface() -> int | None:
    """Returns n of the version 0.n of XLA's interface, as the header that JAX installs has it."""
    try:
        header = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text()
    except (AttributeError, OSError):
        return None
    version = re.findall(r"#define XLA_FFI_API_(?:MAJOR|MINOR) (\d+)", header)
    return int(version[1]) if len(version) == 2 and version[0] == "0" else None


def _registered() -> bool:
    """Makes the handlers of the extension known to XLA if its interface is theirs: with another it would not run at all."""
    minor = _interface()
    if minor not in _INTERFACES:
        return False
    for name, handler in _superovoid._xla_handlers(minor).items():
        jax.ffi.register_ffi_target(f"superovoid_{name}", handler, platform="cpu")
    return True


# Whether XLA calls the queries itself, on the processor; otherwise JAX calls them through Python.
_HANDLERS = _registered()


def _on_host(
    query: Callable[[_Options, _HostPair], _Numbers], options: _Options, pair: _Pair, *tails: tuple[int, ...]
) -> tuple[jax.Array, ...]:
    """Runs a query, whose answers are float64 with these axes after those that count pairs."""
    lead = pair[0].shape[:-1]
    shapes = tuple(jax.ShapeDtypeStruct((*lead, *tail), np.float64) for tail in tails)
    answers: tuple[jax.Array, ...]
    if _HANDLERS and jax.default_backend() == "cpu":
        name = query.__name__.replace("_query", "superovoid")
        call = jax.ffi.ffi_call(name, shapes, vmap_method="broadcast_all")
        certified, threads = np.int64(options.depth == "certified"), np.int64(options.threads or 0)
        answers = tuple(call(*pair, tolerance=np.float64(options.tolerance), certified=certified, threads=threads))
        return answers
    answers = jax.pure_callback(_Run(query, options), shapes, *pair, vmap_method="broadcast_all")
    return answers


def _query_distance(options: _Options, pair: _HostPair) -> _Numbers:
    return (_contacts(options, pair).distance,)


def _query_gradient(options: _Options, pair: _HostPair) -> _Numbers:
    found = _contacts(options, pair)
    gradients = superovoid.distance_gradient(*pair, found, threads=options.threads)
    return found.distance, gradients.gradient


def _query_hessian(options: _Options, pair: _HostPair) -> _Numbers:
    found = _contacts(options, pair)
    derivatives = superovoid.contact_derivatives(*pair, found, threads=options.threads)
    return found.distance, derivatives.gradient, derivatives.hessian


def _query_contact(options: _Options, pair: _HostPair) -> _Numbers:
    found = _contacts(options, pair)
    return (
        found.distance,
        found.normal,
        found.point_a,
        found.point_b,
        found.lower,
        found.upper,
        found.outcome,
    )


def _query_jacobians(options: _Options, pair: _HostPair) -> _Numbers:
    found = _contacts(options, pair)
    derivatives = superovoid.contact_derivatives(*pair, found, threads=options.threads)
    return derivatives.normal, derivatives.point_a, derivatives.point_b


# ---- rules of differentiation -------------------------------------------------------------


def _angular_velocity(pose: jax.Array, by: jax.Array) -> jax.Array:
    v, w, dv, dw = pose[..., 3:6], pose[..., 6:], by[..., 3:6], by[..., 6:]
    return 2.0 * (w * dv - dw * v + jnp.cross(v, dv))


def _velocities(pair: _Pair, by: _Pair) -> jax.Array:
    """Returns the 26 numbers of the library for a tangent of the arguments."""
    _, pose_a, _, pose_b = pair
    shape_a, by_a, shape_b, by_b = by
    turn_a, turn_b = _angular_velocity(pose_a, by_a), _angular_velocity(pose_b, by_b)
    return jnp.concatenate([by_a[..., :3], turn_a, by_b[..., :3], turn_b, shape_a, shape_b], axis=-1)


def _along(gradient: jax.Array, velocities: jax.Array) -> jax.Array:
    return jnp.sum(gradient * velocities, axis=-1)


def _times(jacobian: jax.Array, velocities: jax.Array) -> jax.Array:
    return jnp.einsum("...ij,...j->...i", jacobian, velocities)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _distance(options: _Options, pair: _Pair) -> jax.Array:
    return _on_host(_query_distance, options, pair, ())[0]


@_distance.defjvp
def _distance_jvp(options: _Options, at: tuple[_Pair], by: tuple[_Pair]) -> tuple[jax.Array, jax.Array]:
    distance, gradient = _distance_and_gradient(options, *at)
    return distance, _along(gradient, _velocities(*at, *by))


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _distance_and_gradient(options: _Options, pair: _Pair) -> tuple[jax.Array, ...]:
    return _on_host(_query_gradient, options, pair, (), (_INPUTS,))


@_distance_and_gradient.defjvp
def _gradient_jvp(options: _Options, at: tuple[_Pair], by: tuple[_Pair]) -> tuple[Any, Any]:
    distance, gradient, hessian = _second_derivatives(options, *at)
    u = _velocities(*at, *by)
    turns = [0.5 * jnp.cross(u[..., k : k + 3], gradient[..., k : k + 3]) for k in (3, 9)]
    none = jnp.zeros_like(turns[0])
    brackets = jnp.concatenate([none, turns[0], none, turns[1], jnp.zeros_like(u[..., 12:])], axis=-1)
    return (distance, gradient), (_along(gradient, u), _times(hessian, u) + brackets)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _second_derivatives(options: _Options, pair: _Pair) -> tuple[jax.Array, ...]:
    return _on_host(_query_hessian, options, pair, (), (_INPUTS,), (_INPUTS, _INPUTS))


@_second_derivatives.defjvp
def _third_derivatives(options: _Options, at: tuple[_Pair], by: tuple[_Pair]) -> Any:
    raise NotImplementedError("superovoid.jax: distances have first and second derivatives, no third ones")


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _contact(options: _Options, pair: _Pair) -> tuple[jax.Array, ...]:
    return _on_host(_query_contact, options, pair, (), (3,), (3,), (3,), (), (), ())


@_contact.defjvp
def _contact_jvp(options: _Options, at: tuple[_Pair], by: tuple[_Pair]) -> tuple[Any, Any]:
    found = _contact(options, *at)
    _, gradient = _distance_and_gradient(options, *at)
    u = _velocities(*at, *by)
    moved = [_times(jacobian, u) for jacobian in _jacobians(options, *at)]
    none = jnp.zeros_like(found[0])
    return found, (_along(gradient, u), *moved, none, none, none)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _jacobians(options: _Options, pair: _Pair) -> tuple[jax.Array, ...]:
    return _on_host(_query_jacobians, options, pair, *[(3, _INPUTS)] * 3)


@_jacobians.defjvp
def _jacobians_jvp(options: _Options, at: tuple[_Pair], by: tuple[_Pair]) -> Any:
    raise NotImplementedError("superovoid.jax: normals and witness points have first derivatives only")


# ---- what is public -----------------------------------------------------------------------


def distance(
    a: _Input,
    pose_a: _Input,
    b: _Input,
    pose_b: _Input,
    *,
    depth: Literal["fast", "certified"] = "fast",
    tolerance: float = 0.0,
    threads: int | None = None,
) -> jax.Array:
    """Returns the signed distances of pairs of superovoids, differentiable twice by every argument.

    Parameters
    ----------
    a, b : Superovoids or array_like, shape (..., 7)
        The bodies: a1 a2 a3 (metres), e1 e2, tx ty.
    pose_a, pose_b : array_like, shape (..., 7)
        Their poses: x y z (metres), then the quaternion qx qy qz qw, which is divided by its length.
    depth, tolerance, threads
        As those of `superovoid.contact`.

    Returns
    -------
    jax.Array, shape (...)
        Metres.

    Raises
    ------
    RuntimeError
        If JAX is not told to use float64.
    ValueError, TypeError
        If the shapes or types of the arrays do not fit. Numbers are validated when the query runs; what is wrong then
        comes as JAX's runtime error, which names the element.

    Notes
    -----
    Where the depth of an overlap is attained along several directions, the gradient is that of one of them, a subgradient.
    It is NaN only where a query is not converged. Second derivatives are NaN where they do not exist: at such ties, and
    where witness points are not unique, as between flat faces; see `superovoid.DerivativeStatus`.
    """
    return _distance(_options(depth, tolerance, threads), _pair(a, pose_a, b, pose_b))


def contact(
    a: _Input,
    pose_a: _Input,
    b: _Input,
    pose_b: _Input,
    *,
    depth: Literal["fast", "certified"] = "fast",
    tolerance: float = 0.0,
    threads: int | None = None,
) -> Contact:
    """Returns the contacts of pairs of superovoids: distance, normal and witness points are differentiable.

    Parameters
    ----------
    a, pose_a, b, pose_b, depth, tolerance, threads
        As those of `distance`.

    Returns
    -------
    Contact
        Arrays with the axes of the pairs.

    Notes
    -----
    The distance has second derivatives, normal and witness points have first ones, which are NaN where they do not exist.
    """
    found = _contact(_options(depth, tolerance, threads), _pair(a, pose_a, b, pose_b))
    gap, normal, point_a, point_b, lower, upper, outcome = found
    code = jax.lax.stop_gradient(outcome).astype(jnp.uint8)
    return Contact(gap, normal, point_a, point_b, lower, upper, code)


class RobotClearances:
    """The clearances of a robot's pairs as a differentiable function of its configuration.

    Parameters
    ----------
    robot : superovoid.Robot
        A robot without floating joints.
    include_adjacent, allow_unchecked, threads
        As those of `superovoid.Robot.clearances`.

    Attributes
    ----------
    links : ndarray, shape (pairs, 2)
        The indices of the links of each pair: the order of the answers, which is the same for all configurations.
    collisions : ndarray, shape (pairs, 2)
        The indices of the bodies among the collisions of their links.

    Notes
    -----
    Clearances have first derivatives, by `superovoid.Robot.clearances`; where they are not converged these are NaN.
    """

    def __init__(
        self,
        robot: superovoid.Robot,
        *,
        include_adjacent: bool = False,
        allow_unchecked: bool = False,
        threads: int | None = None,
    ) -> None:
        if robot.position_count != robot.velocity_count:
            raise ValueError("a robot with floating joints has other velocities than positions, and no such function")
        self._robot = robot
        self._options: dict[str, Any] = dict(include_adjacent=include_adjacent, allow_unchecked=allow_unchecked, threads=threads)
        self._count = 0
        self._pairs, _ = self._ordered(np.asarray(robot.neutral)[None], gradient=False)
        self._count = len(self._pairs)

    @property
    def links(self) -> NDArray[np.uint64]:
        """The links of each pair."""
        return self._pairs[:, :2]

    @property
    def collisions(self) -> NDArray[np.uint64]:
        """The bodies of each pair among the collisions of their links."""
        return self._pairs[:, 2:]

    def __call__(self, configurations: ArrayLike | jax.Array) -> jax.Array:
        """Returns the clearances (metres), shape (..., pairs), of configurations, shape (..., position_count)."""
        q = _float64(configurations, "configurations")
        count = self._robot.position_count
        if q.ndim == 0 or q.shape[-1] != count:
            raise ValueError(f"configurations has the shape {q.shape}, but its last axis must have {count} numbers")
        return _clearances(self, q)

    def _ordered(self, q: NDArray[np.float64], gradient: bool) -> tuple[NDArray[np.uint64], _Numbers]:
        """Returns the pairs, and distances (and their gradients), in one order for every configuration."""
        found = self._robot.clearances(q, gradient=gradient, **self._options)
        keys = [found.link_a, found.link_b, found.collision_a, found.collision_b]
        order = np.lexsort([*keys[::-1], found.configuration])
        pairs = np.stack(keys, axis=-1)[order]
        if self._count:
            pairs = pairs.reshape(-1, self._count, 4)
            if len(pairs) != len(q) or not (pairs == self._pairs).all():
                raise RuntimeError("the robot has other pairs in this configuration than in the neutral one")
        numbers: list[NDArray[Any]] = [found.contacts.distance[order].reshape(len(q), -1)]
        if gradient and found.gradient is not None:
            numbers.append(found.gradient[order].reshape(len(q), -1, q.shape[-1]))
        return pairs, tuple(numbers)

    def _on_host(self, q: jax.Array, gradient: bool) -> tuple[jax.Array, ...]:
        tails = [(self._count,), (self._count, q.shape[-1])][: 1 + gradient]
        shapes = tuple(jax.ShapeDtypeStruct((*q.shape[:-1], *tail), np.float64) for tail in tails)
        run = _RunRobot(self, gradient)
        answers: tuple[jax.Array, ...] = jax.pure_callback(run, shapes, q, vmap_method="broadcast_all")
        return answers


@dataclass(frozen=True)
class _RunRobot:
    """As `_Run`, of configurations."""

    of: RobotClearances
    gradient: bool

    def __call__(self, array: Any) -> _Numbers:
        q = np.asarray(array)
        _, found = self.of._ordered(q.reshape(-1, q.shape[-1]), self.gradient)
        return tuple(numbers.reshape(*q.shape[:-1], *numbers.shape[1:]) for numbers in found)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _clearances(of: RobotClearances, q: jax.Array) -> jax.Array:
    return of._on_host(q, False)[0]


@_clearances.defjvp
def _clearances_jvp(of: RobotClearances, at: tuple[jax.Array], by: tuple[jax.Array]) -> tuple[jax.Array, jax.Array]:
    distances, gradient = _clearance_gradients(of, *at)
    return distances, _times(gradient, *by)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _clearance_gradients(of: RobotClearances, q: jax.Array) -> tuple[jax.Array, ...]:
    return of._on_host(q, True)


@_clearance_gradients.defjvp
def _clearance_hessians(of: RobotClearances, at: tuple[jax.Array], by: tuple[jax.Array]) -> Any:
    raise NotImplementedError("superovoid.jax: clearances of robots have first derivatives only")

from os import PathLike
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Clearances",
    "Contacts",
    "Derivatives",
    "Edges",
    "Gradients",
    "Impacts",
    "MassProperties",
    "Motions",
    "RayHits",
    "Robot",
    "Shapes",
    "contact",
    "contact_derivatives",
    "distance_gradient",
    "half_space_contact",
    "plane_contact",
    "ray_cast",
    "time_of_impact",
    "vertex_contact",
]

_Shapes: TypeAlias = Shapes | ArrayLike
_Depth: TypeAlias = Literal["fast", "certified"]
_Floats: TypeAlias = Any  # an array of float64, or a number where there are no axes

@final
class Shapes:
    def __new__(cls, parameters: ArrayLike) -> Shapes: ...
    @classmethod
    def sphere(cls, radius: ArrayLike) -> Shapes: ...
    @property
    def parameters(self) -> NDArray[np.float64]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    @property
    def convex(self) -> Any: ...
    def convexity(self) -> list[str | None]: ...
    def mass_properties(self) -> MassProperties: ...
    def support(self, directions: ArrayLike) -> tuple[_Floats, NDArray[np.float64]]: ...
    def inside_outside(self, points: ArrayLike) -> _Floats: ...
    def mesh(self, segments: int = 48) -> tuple[NDArray[np.float64], NDArray[np.uint32]]: ...

@final
class MassProperties:
    @property
    def volume(self) -> _Floats: ...
    @property
    def center_of_mass(self) -> NDArray[np.float64]: ...
    @property
    def inertia(self) -> NDArray[np.float64]: ...

@final
class Contacts:
    @property
    def distance(self) -> _Floats: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def lower(self) -> _Floats: ...
    @property
    def upper(self) -> _Floats: ...
    @property
    def outcome(self) -> Any: ...
    @property
    def status(self) -> Any: ...
    @property
    def iterations(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...

def contact(
    a: _Shapes,
    pose_a: ArrayLike,
    b: _Shapes,
    pose_b: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 30,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def vertex_contact(
    shape: _Shapes,
    pose: ArrayLike,
    points: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 50,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def plane_contact(
    shape: _Shapes, pose: ArrayLike, planes: ArrayLike, *, threads: int | None = None
) -> Contacts: ...
def half_space_contact(
    shape: _Shapes, pose: ArrayLike, half_spaces: ArrayLike, *, threads: int | None = None
) -> Contacts: ...

@final
class RayHits:
    @property
    def hit(self) -> Any: ...
    @property
    def time_of_impact(self) -> _Floats: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...

def ray_cast(
    shape: _Shapes,
    pose: ArrayLike,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    max_time_of_impact: float = ...,
    solid: bool = True,
    threads: int | None = None,
) -> RayHits: ...

@final
class Gradients:
    @property
    def gradient(self) -> NDArray[np.float64]: ...
    @property
    def status(self) -> Any: ...
    @property
    def local(self) -> Any: ...

@final
class Derivatives:
    @property
    def gradient(self) -> NDArray[np.float64]: ...
    @property
    def hessian(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def status(self) -> Any: ...
    @property
    def local(self) -> Any: ...

def distance_gradient(
    a: _Shapes,
    pose_a: ArrayLike,
    b: _Shapes,
    pose_b: ArrayLike,
    contacts: Contacts,
    *,
    threads: int | None = None,
) -> Gradients: ...
def contact_derivatives(
    a: _Shapes,
    pose_a: ArrayLike,
    b: _Shapes,
    pose_b: ArrayLike,
    contacts: Contacts,
    *,
    threads: int | None = None,
) -> Derivatives: ...

@final
class Motions:
    @classmethod
    def still(cls, pose: ArrayLike) -> Motions: ...
    @classmethod
    def screw(cls, start: ArrayLike, linear: ArrayLike, angular: ArrayLike) -> Motions: ...
    @classmethod
    def screw_between(cls, start: ArrayLike, end: ArrayLike) -> Motions: ...
    @classmethod
    def line_spin(cls, start: ArrayLike, end: ArrayLike) -> Motions: ...
    @classmethod
    def line_spin_about_origin(
        cls, start: ArrayLike, linear: ArrayLike, angular: ArrayLike
    ) -> Motions: ...
    def pose(self, t: float) -> NDArray[np.float64]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...

@final
class Impacts:
    @property
    def outcome(self) -> Any: ...
    @property
    def safe(self) -> _Floats: ...
    @property
    def touching(self) -> _Floats: ...
    @property
    def clearance(self) -> _Floats: ...
    @property
    def contacts(self) -> Contacts: ...

def time_of_impact(
    a: _Shapes,
    motion_a: Motions,
    b: _Shapes,
    motion_b: Motions,
    *,
    min_separation: float = 0.0,
    tolerance: float = 0.0,
    max_queries: int = 100,
    threads: int | None = None,
) -> Impacts: ...

@final
class Clearances:
    @property
    def configuration(self) -> NDArray[np.uint64]: ...
    @property
    def link_a(self) -> NDArray[np.uint64]: ...
    @property
    def link_b(self) -> NDArray[np.uint64]: ...
    @property
    def collision_a(self) -> NDArray[np.uint64]: ...
    @property
    def collision_b(self) -> NDArray[np.uint64]: ...
    @property
    def contacts(self) -> Contacts: ...
    @property
    def gradient(self) -> NDArray[np.float64] | None: ...
    @property
    def free(self) -> Any: ...
    def __len__(self) -> int: ...

@final
class Edges:
    @property
    def status(self) -> Any: ...
    @property
    def safe(self) -> _Floats: ...
    @property
    def touching(self) -> _Floats: ...
    @property
    def proven(self) -> _Floats: ...
    @property
    def links(self) -> NDArray[np.int64]: ...

@final
class Robot:
    @classmethod
    def from_urdf(cls, path: str | PathLike[str]) -> Robot: ...
    @classmethod
    def from_urdf_text(cls, text: str) -> Robot: ...
    @property
    def name(self) -> str: ...
    @property
    def links(self) -> list[str]: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def position_count(self) -> int: ...
    @property
    def velocity_count(self) -> int: ...
    def position_range(self, joint: str) -> tuple[int, int]: ...
    @property
    def position_limits(self) -> NDArray[np.float64]: ...
    @property
    def neutral(self) -> NDArray[np.float64]: ...
    @property
    def warnings(self) -> list[str]: ...
    def forward_kinematics(self, configurations: ArrayLike) -> NDArray[np.float64]: ...
    def clearances(
        self,
        configurations: ArrayLike,
        *,
        max_distance: float = ...,
        include_adjacent: bool = False,
        partial: bool = False,
        gradient: bool = False,
        threads: int | None = None,
    ) -> Clearances: ...
    def in_collision(
        self,
        configurations: ArrayLike,
        *,
        include_adjacent: bool = False,
        partial: bool = False,
        threads: int | None = None,
    ) -> Any: ...
    def edge_free(
        self,
        start: ArrayLike,
        end: ArrayLike,
        *,
        min_separation: float = 0.0,
        first_contact: bool = True,
        threads: int | None = None,
    ) -> Edges: ...

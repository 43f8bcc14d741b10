from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "BoxSet",
    "Clearances",
    "ClothContacts",
    "Collision",
    "Contacts",
    "ConvexShape",
    "Derivatives",
    "Edges",
    "Fit",
    "FittedRobot",
    "Gradients",
    "HalfSpace",
    "HeightField",
    "MassProperties",
    "Motions",
    "PlanarContacts",
    "Plane",
    "RayHits",
    "Recording",
    "Robot",
    "RobotContacts",
    "RobotScene",
    "Scene",
    "SceneContacts",
    "Superellipse",
    "Superovoids",
    "Superquadric",
    "TimesOfImpact",
    "TriMesh",
    "World",
    "WorldContacts",
    "box_contact",
    "contact",
    "contact_derivatives",
    "curvature_aware_vertex_contact",
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
    "iterative_vertex_contact",
    "planar_segment_contact",
    "plane_contact",
    "radial_vertex_contact",
    "ray_cast",
    "read_mesh",
    "ready_scenes",
    "scheme_contact",
    "scheme_trace",
    "segment_contact",
    "time_of_impact",
    "tree_contacts",
    "triangle_contact",
    "vertex_contact",
    "vertex_contact_derivatives",
    "vertex_time_of_impact",
    "_manifolds",
    "_xla_calls",
    "_xla_handlers",
]

_Superovoids: TypeAlias = Superovoids | ArrayLike
_Convex: TypeAlias = Superovoids | ConvexShape | ArrayLike
_Bodies: TypeAlias = Superovoids | ConvexShape | TriMesh | BoxSet | HeightField | Superquadric | ArrayLike
_Obstacle: TypeAlias = _Bodies | HalfSpace
_AnyBody: TypeAlias = _Obstacle | Plane
_Depth: TypeAlias = Literal["fast", "certified", "any"]
_Sheets: TypeAlias = Literal["both", "upper", "lower"]
_Scheme: TypeAlias = Literal["oct-implicit", "quad-implicit", "quad-parametric", "ntb-parametric"]
_Jacobian: TypeAlias = Literal["analytic", "forward-differences"]
_Division: TypeAlias = Literal["surface-angles", "polar-angles"]
_Floats: TypeAlias = Any  # an array of float64, or a number where there are no axes

@final
class Superovoids:
    def __new__(cls, parameters: ArrayLike) -> Superovoids: ...
    @classmethod
    def sphere(cls, radius: ArrayLike) -> Superovoids: ...
    @property
    def parameters(self) -> NDArray[np.float64]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Superovoids: ...
    def __iter__(self) -> Iterator[Superovoids]: ...
    @property
    def convex(self) -> Any: ...
    def convexity(self) -> list[str | None]: ...
    def mass_properties(self) -> MassProperties: ...
    def support(self, directions: ArrayLike) -> tuple[_Floats, NDArray[np.float64]]: ...
    def inside_outside(self, points: ArrayLike) -> _Floats: ...
    def tessellate(self, segments: int = 48) -> tuple[NDArray[np.float64], NDArray[np.uint32]]: ...

@final
class ConvexShape:
    @classmethod
    def ball(cls, radius: float) -> ConvexShape: ...
    @classmethod
    def cuboid(cls, half_extents: Sequence[float]) -> ConvexShape: ...
    @classmethod
    def cylinder(cls, radius: float, length: float) -> ConvexShape: ...
    @classmethod
    def capsule(cls, radius: float, length: float) -> ConvexShape: ...
    @classmethod
    def cone(cls, radius: float, length: float) -> ConvexShape: ...
    @classmethod
    def hull(cls, points: ArrayLike) -> ConvexShape: ...
    @classmethod
    def hull_of(cls, superquadric: Superquadric) -> ConvexShape: ...
    def support(self, direction: Sequence[float]) -> float: ...

@final
class Superquadric:
    @classmethod
    def one_sheet(cls, semi_axes: Sequence[float], exponents: Sequence[float], height: float) -> Superquadric: ...
    @classmethod
    def two_sheets(
        cls, semi_axes: Sequence[float], exponents: Sequence[float], height: float, sheets: _Sheets = "both"
    ) -> Superquadric: ...
    @classmethod
    def toroid(cls, semi_axes: Sequence[float], exponents: Sequence[float], ring: float) -> Superquadric: ...
    @property
    def family(self) -> str: ...
    @property
    def sheets(self) -> str | None: ...
    @property
    def semi_axes(self) -> NDArray[np.float64]: ...
    @property
    def exponents(self) -> NDArray[np.float64]: ...
    @property
    def height(self) -> float | None: ...
    @property
    def ring(self) -> float | None: ...
    @property
    def is_convex(self) -> bool: ...
    @property
    def largest_parameter(self) -> float: ...
    def inside_outside(self, points: ArrayLike) -> _Floats: ...
    def point_at(self, phi: ArrayLike, s: ArrayLike) -> NDArray[np.float64]: ...
    def normal_at(self, phi: ArrayLike, s: ArrayLike) -> NDArray[np.float64]: ...
    def aabb(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def tessellate(self, segments: int = 48) -> tuple[NDArray[np.float64], NDArray[np.uint32]]: ...
    def volume(self) -> float: ...
    def mass_properties(self) -> MassProperties: ...
    def ray_cast(
        self,
        pose: ArrayLike,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_time_of_impact: float = ...,
        solid: bool = True,
        threads: int | None = None,
    ) -> RayHits: ...
    def ray_hits(
        self,
        pose: ArrayLike,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_time_of_impact: float = ...,
        threads: int | None = None,
    ) -> tuple[RayHits, Any]: ...
    def point_contact(
        self,
        pose: ArrayLike,
        points: ArrayLike,
        *,
        tolerance: float = 0.0,
        max_distance: float = ...,
        depth: _Depth = "fast",
        threads: int | None = None,
    ) -> Contacts: ...
    def half_space_contact(self, pose: ArrayLike, half_spaces: ArrayLike, *, threads: int | None = None) -> Contacts: ...
    def plane_contact(self, pose: ArrayLike, planes: ArrayLike, *, threads: int | None = None) -> Contacts: ...
    def contact(
        self,
        pose: ArrayLike,
        other: _AnyBody,
        pose_b: ArrayLike,
        *,
        tolerance: float = 0.0,
        max_iterations: int = 30,
        max_distance: float = ...,
        depth: _Depth = "fast",
        threads: int | None = None,
    ) -> Contacts: ...

@final
class TriMesh:
    def __new__(cls, vertices: ArrayLike, triangles: ArrayLike, surface: bool = False) -> TriMesh: ...
    @property
    def is_solid(self) -> bool: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def triangles(self) -> NDArray[np.uint32]: ...
    def __len__(self) -> int: ...

@final
class BoxSet:
    def __new__(cls, lower: ArrayLike, upper: ArrayLike) -> BoxSet: ...
    @property
    def lower(self) -> NDArray[np.float64]: ...
    @property
    def upper(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

@final
class HeightField:
    def __new__(
        cls, heights: ArrayLike, x: Sequence[float], y: Sequence[float], bottom: float
    ) -> HeightField: ...
    @property
    def heights(self) -> NDArray[np.float64]: ...

@final
class Plane:
    def __new__(cls, normal: Sequence[float], offset: float) -> Plane: ...

@final
class HalfSpace:
    def __new__(cls, normal: Sequence[float], offset: float) -> HalfSpace: ...

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
    def part_a(self) -> Any: ...
    @property
    def part_b(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_arrow(self) -> Any: ...
    def __len__(self) -> int: ...

def contact(
    a: _AnyBody,
    pose_a: ArrayLike,
    b: _AnyBody,
    pose_b: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 30,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def vertex_contact(
    shape: _Superovoids,
    pose: ArrayLike,
    points: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 50,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def segment_contact(
    shape: _Convex,
    pose: ArrayLike,
    segments: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 30,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def triangle_contact(
    shape: _Convex,
    pose: ArrayLike,
    triangles: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 30,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def hull_contact(
    shape: _Convex,
    pose: ArrayLike,
    points: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 30,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def box_contact(
    shape: _Convex,
    pose: ArrayLike,
    half_extents: ArrayLike,
    box_pose: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 30,
    max_distance: float = ...,
    depth: _Depth = "fast",
    threads: int | None = None,
) -> Contacts: ...
def tree_contacts(
    shape: _Superovoids, pose: ArrayLike, tree: TriMesh | BoxSet, tree_pose: ArrayLike, margin: float
) -> Contacts: ...
def plane_contact(
    shape: _Superovoids, pose: ArrayLike, planes: ArrayLike, *, threads: int | None = None
) -> Contacts: ...
def half_space_contact(
    shape: _Superovoids, pose: ArrayLike, half_spaces: ArrayLike, *, threads: int | None = None
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
    @property
    def part(self) -> Any: ...

def ray_cast(
    shape: _AnyBody,
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
    a: _AnyBody,
    pose_a: ArrayLike,
    b: _AnyBody,
    pose_b: ArrayLike,
    contacts: Contacts,
    *,
    threads: int | None = None,
) -> Gradients: ...
def contact_derivatives(
    a: _Superovoids,
    pose_a: ArrayLike,
    b: _Superovoids,
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
class TimesOfImpact:
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
    @property
    def part(self) -> Any: ...

def time_of_impact(
    a: _Convex,
    motion_a: Motions,
    b: _Convex | TriMesh | BoxSet | HeightField,
    motion_b: Motions,
    *,
    min_separation: float = 0.0,
    tolerance: float = 0.0,
    max_queries: int = 100,
    threads: int | None = None,
) -> TimesOfImpact: ...

def vertex_time_of_impact(
    shape: _Convex,
    motion: Motions,
    vertex_motion: Motions,
    *,
    min_separation: float = 0.0,
    tolerance: float = 0.0,
    max_queries: int = 100,
    threads: int | None = None,
) -> TimesOfImpact: ...
def half_space_time_of_impact(
    shape: _Superovoids,
    motion: Motions,
    half_spaces: ArrayLike,
    *,
    min_separation: float = 0.0,
    tolerance: float = 0.0,
    max_queries: int = 100,
    threads: int | None = None,
) -> TimesOfImpact: ...
def hull_time_of_impact(
    shape: _Convex,
    motion: Motions,
    points: ArrayLike,
    hull_motion: Motions,
    *,
    min_separation: float = 0.0,
    tolerance: float = 0.0,
    max_queries: int = 100,
    threads: int | None = None,
) -> TimesOfImpact: ...
def vertex_contact_derivatives(
    shape: _Superovoids, pose: ArrayLike, contacts: Contacts, *, threads: int | None = None
) -> Derivatives: ...
def half_space_contact_derivatives(
    shape: _Superovoids, pose: ArrayLike, half_spaces: ArrayLike, contacts: Contacts, *, threads: int | None = None
) -> Derivatives: ...
def hull_contact_derivatives(
    shape: _Superovoids, pose: ArrayLike, points: ArrayLike, contacts: Contacts, *, threads: int | None = None
) -> Derivatives: ...

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
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_arrow(self) -> Any: ...
    def __len__(self) -> int: ...

@final
class Collision:
    @property
    def link(self) -> int: ...
    @property
    def collision(self) -> int: ...
    @property
    def name(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def parameters(self) -> list[float]: ...
    @property
    def filename(self) -> str | None: ...
    @property
    def pose(self) -> NDArray[np.float64]: ...

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
    @property
    def obstacle(self) -> Any: ...

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
    def collisions(self) -> list[Collision]: ...
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
        allow_unchecked: bool = False,
        gradient: bool = False,
        threads: int | None = None,
    ) -> Clearances: ...
    def in_collision(
        self,
        configurations: ArrayLike,
        *,
        include_adjacent: bool = False,
        allow_unchecked: bool = False,
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

@final
class SceneContacts:
    @property
    def a(self) -> NDArray[np.int64]: ...
    @property
    def b(self) -> NDArray[np.int64]: ...
    @property
    def contacts(self) -> Contacts: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_arrow(self) -> Any: ...
    def __len__(self) -> int: ...

@final
class Scene:
    def __new__(cls) -> Scene: ...
    def add(self, group: str, shape: _Bodies, pose: ArrayLike) -> Any: ...
    def add_obstacle(self, group: str, shape: _Obstacle, pose: ArrayLike) -> Any: ...
    def move_to(self, id: ArrayLike, pose: ArrayLike) -> None: ...
    def remove(self, id: ArrayLike) -> None: ...
    def pose(self, id: ArrayLike) -> NDArray[np.float64]: ...
    def group_of(self, id: int) -> str: ...
    def allow(self, a: str, b: str) -> None: ...
    def forbid(self, a: str, b: str) -> None: ...
    def contacts(
        self, *, max_distance: float = ..., tolerance: float = 0.0, depth: _Depth = "fast"
    ) -> SceneContacts: ...
    def closest(
        self, *, max_distance: float = ..., tolerance: float = 0.0, depth: _Depth = "fast"
    ) -> SceneContacts: ...
    def in_collision(self) -> bool: ...
    def copy(self) -> Scene: ...
    def __copy__(self) -> Scene: ...
    def __deepcopy__(self, _memo: object, /) -> Scene: ...
    def __len__(self) -> int: ...

@final
class RobotContacts:
    @property
    def configuration(self) -> NDArray[np.int64]: ...
    @property
    def link_a(self) -> NDArray[np.int64]: ...
    @property
    def collision_a(self) -> NDArray[np.int64]: ...
    @property
    def link_b(self) -> NDArray[np.int64]: ...
    @property
    def collision_b(self) -> NDArray[np.int64]: ...
    @property
    def obstacle(self) -> NDArray[np.int64]: ...
    @property
    def contacts(self) -> Contacts: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_arrow(self) -> Any: ...
    def __len__(self) -> int: ...

@final
class RobotScene:
    def __new__(cls, robot: Robot) -> RobotScene: ...
    @property
    def base(self) -> NDArray[np.float64]: ...
    def set_base(self, pose: ArrayLike) -> None: ...
    def set_allow_unchecked(self, allow_unchecked: bool) -> None: ...
    def add_obstacle(self, name: str, shape: _Obstacle, pose: ArrayLike) -> Any: ...
    def move_obstacle(self, id: ArrayLike, pose: ArrayLike) -> None: ...
    def remove_obstacle(self, id: int) -> None: ...
    def allow(self, a: str, b: str) -> None: ...
    def forbid(self, a: str, b: str) -> None: ...
    def apply_srdf(self, path: str | PathLike[str]) -> list[str]: ...
    def contacts(
        self,
        configurations: ArrayLike,
        *,
        max_distance: float = ...,
        tolerance: float = 0.0,
        depth: _Depth = "fast",
        threads: int | None = None,
    ) -> RobotContacts: ...
    def closest(
        self,
        configurations: ArrayLike,
        *,
        max_distance: float = ...,
        tolerance: float = 0.0,
        depth: _Depth = "fast",
        threads: int | None = None,
    ) -> RobotContacts: ...
    def clearance(
        self,
        configurations: ArrayLike,
        *,
        max_distance: float = ...,
        tolerance: float = 0.0,
        threads: int | None = None,
    ) -> Any: ...
    def in_collision(self, configurations: ArrayLike, *, threads: int | None = None) -> Any: ...
    def edge_free(
        self,
        start: ArrayLike,
        end: ArrayLike,
        *,
        min_separation: float = 0.0,
        first_contact: bool = True,
    ) -> Edges: ...
    def copy(self) -> RobotScene: ...
    def __copy__(self) -> RobotScene: ...
    def __deepcopy__(self, _memo: object, /) -> RobotScene: ...

_Family: TypeAlias = Literal["convex", "superellipsoid", "any"]
_Aim: TypeAlias = Literal["best", "enclosing", "inscribed"]
_Loss: TypeAlias = Literal["robust", "squares"]
_Progress: TypeAlias = Callable[[str, int, int], bool | None]

@final
class Fit:
    @property
    def shape(self) -> Superovoids: ...
    @property
    def pose(self) -> NDArray[np.float64]: ...
    @property
    def report(self) -> dict[str, float] | None: ...
    @property
    def seconds(self) -> float: ...

@final
class FittedRobot:
    @property
    def urdf(self) -> str: ...
    @property
    def fits(self) -> list[Fit]: ...
    @property
    def links(self) -> list[str]: ...
    @property
    def untouched(self) -> list[str]: ...

def fit(
    points: ArrayLike,
    *,
    family: _Family = "convex",
    aim: _Aim = "best",
    loss: _Loss = "robust",
    axis: Sequence[float] | None = None,
    axis_point: Sequence[float] | None = None,
    progress: _Progress | None = None,
) -> Fit: ...
def fit_mesh(
    vertices: ArrayLike,
    triangles: ArrayLike,
    *,
    most: int = 1,
    target: Literal["hull", "surface"] = "hull",
    samples: int = 2000,
    family: _Family = "convex",
    aim: _Aim = "best",
    loss: _Loss = "squares",
    axis: Sequence[float] | None = None,
    axis_point: Sequence[float] | None = None,
    progress: _Progress | None = None,
) -> list[Fit]: ...
def fit_robot(
    path: str | PathLike[str],
    *,
    most: int = 1,
    family: _Family = "convex",
    aim: _Aim = "best",
    loss: _Loss = "squares",
    fallback: Literal["tightest", "sphere"] = "tightest",
    edge_exponent: float = 0.02,
    package_paths: Sequence[str | PathLike[str]] = ...,
    progress: _Progress | None = None,
) -> FittedRobot: ...
def read_mesh(path: str | PathLike[str]) -> TriMesh: ...
def ready_scenes() -> dict[str, str]: ...

@final
class WorldContacts:
    @property
    def bodies(self) -> NDArray[np.int64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> NDArray[np.float64]: ...
    @property
    def impulse(self) -> NDArray[np.float64]: ...
    @property
    def normal_impulse(self) -> NDArray[np.float64]: ...
    @property
    def angular_impulse(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

@final
class ClothContacts:
    @property
    def cloth(self) -> NDArray[np.int64]: ...
    @property
    def vertex(self) -> NDArray[np.int64]: ...
    @property
    def body(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def impulse(self) -> NDArray[np.float64]: ...
    @property
    def normal_impulse(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

@final
class World:
    def __new__(cls, scene: str, *, threads: int = 1) -> World: ...
    @property
    def scene(self) -> str: ...
    @property
    def frame(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def cloth_count(self) -> int: ...
    def cloth_positions(self, index: int = 0) -> NDArray[np.float64]: ...
    def cloth_velocities(self, index: int = 0) -> NDArray[np.float64]: ...
    def contacts(self) -> WorldContacts: ...
    def cloth_contacts(self) -> ClothContacts: ...
    def step(self, frames: int = 1) -> None: ...
    def record(self, path: str | PathLike[str], frames: int) -> None: ...

@final
class Recording:
    @classmethod
    def read(cls, path: str | PathLike[str]) -> Recording: ...
    @property
    def scene(self) -> str: ...
    @property
    def times(self) -> NDArray[np.float64]: ...
    @property
    def moving(self) -> NDArray[np.int64]: ...
    @property
    def poses(self) -> NDArray[np.float32]: ...
    def cloth_positions(self, index: int = 0) -> NDArray[np.float32]: ...
    def __len__(self) -> int: ...

@final
class Superellipse:
    def __new__(cls, semi_axes: Sequence[float], e: float) -> Superellipse: ...
    @property
    def semi_axes(self) -> NDArray[np.float64]: ...
    @property
    def exponent(self) -> float: ...

@final
class PlanarContacts:
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
    def iterations(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...

def planar_segment_contact(
    shape: Superellipse, pose: ArrayLike, segments: ArrayLike, *, threads: int | None = None
) -> PlanarContacts: ...
def scheme_contact(
    a: _Superovoids,
    pose_a: ArrayLike,
    b: _Superovoids,
    pose_b: ArrayLike,
    *,
    scheme: _Scheme = "quad-implicit",
    jacobian: _Jacobian = "analytic",
    division: _Division = "surface-angles",
    tolerance: float = 0.0,
    as_published: bool = False,
    max_iterations: int = 30,
    max_distance: float = ...,
    threads: int | None = None,
) -> Contacts: ...
def scheme_trace(
    a: _Superovoids,
    pose_a: ArrayLike,
    b: _Superovoids,
    pose_b: ArrayLike,
    *,
    scheme: _Scheme = "quad-implicit",
    jacobian: _Jacobian = "analytic",
    division: _Division = "surface-angles",
    tolerance: float = 0.0,
    as_published: bool = False,
    max_iterations: int = 30,
    max_distance: float = ...,
) -> tuple[Contacts, list[dict[str, Any]]]: ...
def iterative_vertex_contact(
    shape: _Superovoids,
    pose: ArrayLike,
    points: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 50,
    max_distance: float = ...,
    threads: int | None = None,
) -> Contacts: ...
def curvature_aware_vertex_contact(
    shape: _Superovoids,
    pose: ArrayLike,
    points: ArrayLike,
    *,
    tolerance: float = 0.0,
    max_iterations: int = 50,
    max_distance: float = ...,
    threads: int | None = None,
) -> Contacts: ...
def radial_vertex_contact(
    shape: _Superovoids,
    pose: ArrayLike,
    points: ArrayLike,
    *,
    max_distance: float = ...,
    threads: int | None = None,
) -> Contacts: ...

def _manifolds(
    a: _AnyBody, pose_a: ArrayLike, b: _AnyBody, pose_b: ArrayLike, margin: float
) -> tuple[Contacts, NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.uint64]]: ...
def _xla_handlers(minor: int) -> dict[str, Any]: ...
def _xla_calls() -> int: ...

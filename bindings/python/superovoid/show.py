"""Pictures of pairs and robots, in a notebook or in a browser.

A `Picture` is a scene of viser (``pip install 'superovoid[show]'``): bodies as meshes, contacts as witness points with a line
between them and the distance with its bracket as a label. In a notebook it shows itself; `Picture.url` is its live page,
and `Picture.save` writes a file of HTML that needs neither Python nor a network.

>>> from superovoid import show
>>> picture = show.pairs([0.02, 0.02, 0.03, 1, 1, 0.2, 0.2], [0, 0, 0, 0, 0, 0, 1], [0.05, 0.03, 0.01, 0.1, 0.1, 0, 0],
...                      [0, 0, 0.05, 0, 0, 0, 1])
>>> picture.labels[0].startswith("10 mm, bracket")
True
>>> picture.close()
"""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeAlias

import numpy as np
import rich
import viser
from numpy.typing import ArrayLike, NDArray

import superovoid

__all__ = ["Picture", "pairs", "robot"]

_Color: TypeAlias = tuple[int, int, int]

_A: _Color = (66, 133, 180)
_B: _Color = (226, 150, 60)
_APART: _Color = (40, 150, 90)
_OVERLAP: _Color = (200, 40, 40)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keeps viser from printing where it serves and that it stops."""
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


def _matrices(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the homogeneous matrices of poses."""
    x, y, z, w = np.moveaxis(poses[..., 3:], -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found = np.zeros((*poses.shape[:-1], 4, 4))
    found[..., :3, :3] = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    found[..., :3, 3], found[..., 3, 3] = poses[..., :3], 1.0
    return found


def _as_matrices(poses: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(poses, dtype=np.float64)
    return _matrices(array) if array.shape[-1:] == (7,) else array


def _shape_mesh(collision: superovoid.Collision, segments: int) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Returns vertices and triangles of a collision shape; those of mesh files are not opened."""
    import trimesh

    p = collision.parameters
    if collision.kind == "superovoid":
        return superovoid.Superovoids(p).tessellate(segments)
    made = {
        "sphere": lambda: trimesh.creation.icosphere(3, p[0]),
        "box": lambda: trimesh.creation.box(p),
        "cylinder": lambda: trimesh.creation.cylinder(p[0], p[1], sections=segments),
        "capsule": lambda: trimesh.creation.capsule(p[1], p[0]),
    }
    if collision.kind not in made:
        return None
    mesh = made[collision.kind]()
    return mesh.vertices, mesh.faces


class Picture:
    """A scene of bodies and contacts.

    Parameters
    ----------
    segments : int, default 32
        The number of edges around a ring of a mesh.
    port : int, optional
        The port of the live page, at this machine only; by default one that is free.

    Attributes
    ----------
    server : viser.ViserServer
        The scene, for whatever else is to be shown.
    labels : list of str
        What is written at the contacts.
    left_out : list of str
        What could not be shown: collision shapes whose files are not opened.
    """

    def __init__(self, *, segments: int = 32, port: int | None = None) -> None:
        with _quietly():
            self.server = viser.ViserServer(host="127.0.0.1", port=port or 0, verbose=False)
        self.server.scene.set_up_direction("+z")
        self.labels: list[str] = []
        self.left_out: list[str] = []
        self._segments = segments
        self._box = np.array([[np.inf] * 3, [-np.inf] * 3])
        self._count = 0

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"/{kind}/{self._count}"

    def _look(self, points: NDArray[np.float64]) -> None:
        """Moves the camera so that the points are seen as well."""
        self._box = np.array([np.minimum(self._box[0], points.min(axis=0)), np.maximum(self._box[1], points.max(axis=0))])
        centre, size = self._box.mean(axis=0), float(np.linalg.norm(self._box[1] - self._box[0]))
        camera = self.server.initial_camera
        camera.look_at, camera.position = tuple(centre), tuple(centre + size * np.array([0.48, -0.58, 0.32]))
        camera.near, camera.far = size / 100, size * 100

    def _mesh(self, vertices: ArrayLike, triangles: ArrayLike, pose: NDArray[np.float64], color: _Color, opacity: float) -> None:
        points = np.asarray(vertices) @ pose[:3, :3].T + pose[:3, 3]
        see_through = None if opacity >= 1 else opacity
        self.server.scene.add_mesh_simple(self._name("bodies"), points, np.asarray(triangles), color=color, opacity=see_through)
        self._look(points)

    def add_shapes(
        self,
        shapes: superovoid.Superovoids | ArrayLike,
        poses: ArrayLike,
        *,
        color: tuple[int, int, int] = _A,
        opacity: float = 1.0,
    ) -> None:
        """Adds superovoids at poses, which broadcast together."""
        parameters = shapes.parameters if isinstance(shapes, superovoid.Superovoids) else np.asarray(shapes, dtype=np.float64)
        matrices = _as_matrices(poses)
        lead = np.broadcast_shapes(parameters.shape[:-1], matrices.shape[:-2])
        all_parameters = np.broadcast_to(parameters, (*lead, 7)).reshape(-1, 7)
        for numbers, pose in zip(all_parameters, np.broadcast_to(matrices, (*lead, 4, 4)).reshape(-1, 4, 4)):
            self._mesh(*superovoid.Superovoids(numbers).tessellate(self._segments), pose, color, opacity)

    def add_contacts(self, contacts: superovoid.Contacts, *, labels: int = 20) -> None:
        """Adds witness points with the line between them, green apart and red where bodies overlap.

        Parameters
        ----------
        contacts : Contacts
            What a query returned. Those of bodies proven to be beyond its ``max_distance`` have no witnesses and are left out.
        labels : int, default 20
            How many contacts, the closest ones, have a label: the distance (mm) and the width of its bracket (m).
        """
        flat = lambda numbers, own: np.asarray(numbers, dtype=np.float64).reshape(-1, *own)
        distance, lower, upper = (flat(x, ()) for x in (contacts.distance, contacts.lower, contacts.upper))
        ends = np.stack([flat(contacts.point_a, (3,)), flat(contacts.point_b, (3,))], axis=1)
        shown = np.flatnonzero(flat(contacts.outcome, ()) != superovoid.Outcome.BEYOND)
        if len(shown) == 0:
            return
        self._look(ends[shown].reshape(-1, 3))
        dot = 0.004 * float(np.linalg.norm(self._box[1] - self._box[0]))
        for some, color in ((shown[distance[shown] > 0], _APART), (shown[distance[shown] <= 0], _OVERLAP)):
            if len(some):
                colors = np.broadcast_to(np.array(color, dtype=np.uint8), (len(some), 2, 3))
                self.server.scene.add_line_segments(self._name("contacts"), ends[some], colors, thickness=0.5 * dot)
                points = ends[some].reshape(-1, 3)
                self.server.scene.add_point_cloud(
                    self._name("contacts"), points, color, point_size=2 * dot, point_shape="circle", precision="float32"
                )
        for k in shown[np.argsort(distance[shown], kind="stable")][:labels]:
            text = f"{1e3 * distance[k]:.4g} mm, bracket {upper[k] - lower[k]:.1g} m"
            self.labels.append(text)
            self.server.scene.add_label(self._name("labels"), text, position=tuple(ends[k].mean(axis=0)), anchor="bottom-left")

    def add_robot(
        self,
        robot: superovoid.Robot,
        configuration: ArrayLike,
        *,
        max_distance: float = 0.01,
        labels: int = 3,
        color: tuple[int, int, int] = _A,
        touching: tuple[int, int, int] = _OVERLAP,
    ) -> superovoid.Clearances:
        """Adds a robot at a configuration, and its clearances up to ``max_distance`` (metres), which are returned.

        Links whose bodies are not proven to be apart have the colour ``touching``. Where a robot has collision shapes that
        are not compared, as meshes, they are named in ``left_out``.
        """
        found = robot.clearances(configuration, max_distance=max_distance, allow_unchecked=True)
        open_bracket = found.contacts.lower <= 0
        hit = {*found.link_a[open_bracket].tolist(), *found.link_b[open_bracket].tolist()}
        links = _matrices(np.asarray(robot.forward_kinematics(configuration)))
        for collision in robot.collisions:
            mesh = _shape_mesh(collision, self._segments)
            if mesh is None:
                self.left_out.append(f"{robot.links[collision.link]}: {collision.kind} {collision.filename or ''}".strip())
                continue
            pose = links[collision.link] @ _matrices(collision.pose)
            self._mesh(*mesh, pose, touching if collision.link in hit else color, 0.75)
        self.add_contacts(found.contacts, labels=labels)
        return found

    @property
    def url(self) -> str:
        """The address of the live page, on this machine."""
        return f"http://127.0.0.1:{self.server.get_port()}"

    def html(self) -> str:
        """Returns the picture as a page of its own."""
        return str(self.server.scene.as_html())

    def save(self, path: str | PathLike[str]) -> None:
        """Writes `html` to a file."""
        Path(path).write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        frame = 'width="100%" height="480" style="border:none"'
        return f'<iframe srcdoc="{escape(self.html(), quote=True)}" {frame}></iframe>'

    def close(self) -> None:
        """Ends the live page."""
        with _quietly():
            self.server.stop()

    def __enter__(self) -> "Picture":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def pairs(
    a: superovoid.Superovoids | ArrayLike,
    pose_a: ArrayLike,
    b: superovoid.Superovoids | ArrayLike,
    pose_b: ArrayLike,
    contacts: superovoid.Contacts | None = None,
    *,
    depth: Literal["fast", "certified"] = "certified",
    labels: int = 20,
) -> Picture:
    """Shows pairs of superovoids with their contacts.

    Parameters
    ----------
    a, pose_a, b, pose_b
        The arguments of `superovoid.contact`.
    contacts : Contacts, optional
        What it returned; by default it is asked, with ``depth``.
    labels : int, default 20
        How many contacts, the closest ones, have a label.

    Returns
    -------
    Picture
        The picture.
    """
    found = superovoid.contact(a, pose_a, b, pose_b, depth=depth) if contacts is None else contacts
    picture = Picture()
    picture.add_shapes(a, pose_a, color=_A, opacity=0.6)
    picture.add_shapes(b, pose_b, color=_B, opacity=0.6)
    picture.add_contacts(found, labels=labels)
    return picture


def robot(robot: superovoid.Robot, configuration: ArrayLike, *, max_distance: float = 0.01, labels: int = 3) -> Picture:
    """Shows a robot at a configuration, with its clearances up to ``max_distance`` (metres)."""
    picture = Picture()
    picture.add_robot(robot, configuration, max_distance=max_distance, labels=labels)
    return picture

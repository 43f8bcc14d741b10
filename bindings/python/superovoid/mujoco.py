"""Superovoids in models of MuJoCo: a mesh that is seen, and exact contacts for a given state.

MuJoCo's engine does not know superovoids. `Superovoids` adds to a body of an ``mjSpec`` the mesh of one, which collides with
nothing, and remembers its shape; for an ``mjData`` it reports the contacts of all pairs on different bodies, in one call.

>>> import mujoco
>>> from superovoid.mujoco import Superovoids
>>> spec, bodies = mujoco.MjSpec(), Superovoids()
>>> bodies.add(spec, spec.worldbody, "brick", [0.05, 0.03, 0.01, 0.1, 0.1, 0.0, 0.0])
>>> falling = spec.worldbody.add_body(pos=[0, 0, 0.05], mass=0.1, inertia=[1e-5, 1e-5, 1e-5])
>>> joint = falling.add_freejoint()
>>> bodies.add(spec, falling, "egg", [0.02, 0.02, 0.03, 1.0, 1.0, 0.2, 0.2])
>>> model = spec.compile()
>>> data = mujoco.MjData(model)
>>> mujoco.mj_kinematics(model, data)
>>> report = bodies.contacts(model, data)
>>> report.pairs, round(float(report.contacts.distance[0]), 9)
([('brick', 'egg')], 0.01)
"""

from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

import superovoid

__all__ = ["Report", "Superovoids"]


class Report(NamedTuple):
    """The contacts of a state: the names of each pair, and the answers in the same order, in the world frame."""

    pairs: list[tuple[str, str]]
    contacts: superovoid.Contacts


class Superovoids:
    """The superovoids of a model, by name."""

    def __init__(self) -> None:
        self._shapes: dict[str, NDArray[np.float64]] = {}

    def add(
        self,
        spec: Any,
        body: Any,
        name: str,
        shape: superovoid.Superovoids | ArrayLike,
        *,
        pos: ArrayLike = (0.0, 0.0, 0.0),
        quat: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        segments: int = 32,
        rgba: ArrayLike = (0.26, 0.52, 0.71, 1.0),
    ) -> None:
        """Adds a superovoid to a body: a mesh and a geom that collides with nothing, and a site at its frame, all of one name.

        Parameters
        ----------
        spec : mujoco.MjSpec
            The model that is built.
        body : mujoco.MjsBody
            One of its bodies.
        name : str
            The name, which must be new.
        shape : Superovoids or array_like, shape (7,)
            The body's shape.
        pos : array_like, shape (3,)
            The origin in the frame of the body, metres.
        quat : array_like, shape (4,)
            The orientation there, in MuJoCo's order: w x y z.
        segments : int, default 32
            As that of `superovoid.Superovoids.tessellate`.
        rgba : array_like, shape (4,)
            The colour.

        Notes
        -----
        The geom has no mass: give the body its own, for instance from `superovoid.Superovoids.mass_properties`.
        """
        if name in self._shapes:
            raise ValueError(f"there is a superovoid {name!r} already")
        made = shape if isinstance(shape, superovoid.Superovoids) else superovoid.Superovoids(shape)
        if made.parameters.shape != (7,):
            raise ValueError(f"shape is that of one superovoid, not of the axes {made.shape}")
        vertices, triangles = made.tessellate(segments)
        spec.add_mesh(name=name, uservert=vertices.ravel(), userface=triangles.ravel().astype(np.int32))
        seen = {"pos": np.asarray(pos, dtype=float), "quat": np.asarray(quat, dtype=float), "rgba": np.asarray(rgba, dtype=float)}
        kind = mujoco.mjtGeom.mjGEOM_MESH
        body.add_geom(name=name, type=kind, meshname=name, contype=0, conaffinity=0, mass=0.0, **seen)
        # MuJoCo moves meshes to their centres of mass; a site stays at the frame of the shape.
        body.add_site(name=name, pos=seen["pos"], quat=seen["quat"], size=[1e-4] * 3, rgba=[0.0] * 4)
        self._shapes[name] = made.parameters

    @property
    def names(self) -> list[str]:
        """The names, in the order in which they were added."""
        return list(self._shapes)

    def poses(self, model: Any, data: Any) -> NDArray[np.float64]:
        """Returns the poses as homogeneous matrices, shape (n, 4, 4).

        Raises
        ------
        ValueError
            If the model has no such superovoid.
        """
        sites = self._sites(model)
        found = np.zeros((len(sites), 4, 4))
        found[:, :3, :3], found[:, :3, 3] = data.site_xmat[sites].reshape(-1, 3, 3), data.site_xpos[sites]
        found[:, 3, 3] = 1.0
        return found

    def contacts(self, model: Any, data: Any, **options: Any) -> Report:
        """Returns the contacts of all pairs whose bodies can move against each other.

        Parameters
        ----------
        model, data
            The compiled model, and a state whose kinematics is up to date (``mj_kinematics``, ``mj_forward`` or ``mj_step``).
        **options
            As those of `superovoid.contact`; with ``max_distance`` pairs that are farther apart are left out.

        Returns
        -------
        Report
            The pairs and their contacts.
        """
        names, sites, poses = self.names, self._sites(model), self.poses(model, data)
        welded = model.body_weldid[model.site_bodyid[sites]] if names else np.zeros(0, int)
        first, second = np.triu_indices(len(names), 1)
        apart = welded[first] != welded[second]
        first, second = first[apart], second[apart]
        shapes = np.array(list(self._shapes.values()), dtype=np.float64).reshape(-1, 7)
        found = superovoid.contact(shapes[first], poses[first], shapes[second], poses[second], **options)
        near = np.asarray(found.outcome) != superovoid.Outcome.BEYOND
        if not near.all():
            first, second = first[near], second[near]
            found = superovoid.contact(shapes[first], poses[first], shapes[second], poses[second], **options)
        return Report([(names[a], names[b]) for a, b in zip(first, second)], found)

    def _sites(self, model: Any) -> NDArray[np.intp]:
        kind = mujoco.mjtObj.mjOBJ_SITE
        sites = np.array([mujoco.mj_name2id(model, kind, name) for name in self._shapes], dtype=np.intp)
        for name, site in zip(self._shapes, sites):
            if site < 0:
                raise ValueError(f"the model has no superovoid {name!r}: it was compiled before that was added, or is another one")
        return sites

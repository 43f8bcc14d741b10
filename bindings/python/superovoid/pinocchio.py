"""Superovoids in the geometry models of Pinocchio: exact answers for the pairs that are known, coal's for the rest.

Pinocchio reads a URDF with the element ``<superovoid>`` as well, but sees only the fallback beside it, an enclosing sphere.
`ExactGeometry` knows which geometry objects are superovoids and answers their pairs exactly, all in one call, at the
placements that ``pinocchio.updateGeometryPlacements`` has computed.

>>> import pinocchio as pin, superovoid
>>> from superovoid.pinocchio import ExactGeometry
>>> model, geometry = pin.Model(), pin.GeometryModel()
>>> exact = ExactGeometry(geometry)
>>> egg = exact.add("egg", 0, pin.SE3.Identity(), [0.02, 0.02, 0.03, 1.0, 1.0, 0.2, 0.2])
>>> above = pin.XYZQUATToSE3([0.0, 0.0, 0.05, 0.0, 0.0, 0.0, 1.0])
>>> brick = exact.add("brick", 0, above, [0.05, 0.03, 0.01, 0.1, 0.1, 0.0, 0.0])
>>> geometry.addCollisionPair(pin.CollisionPair(egg, brick))
>>> data, placements = model.createData(), geometry.createData()
>>> pin.updateGeometryPlacements(model, data, geometry, placements, pin.neutral(model))
>>> [round(float(d), 9) for d in exact.distances(placements)]
[0.01]
"""

from typing import Any

import coal
import numpy as np
import pinocchio
from numpy.typing import ArrayLike, NDArray

import superovoid

__all__ = ["ExactGeometry", "hull"]

# How far the placements of two readers of one file may be apart.
_SAME = 1e-6


def hull(shape: superovoid.Superovoids | ArrayLike, segments: int = 24) -> Any:
    """Returns the convex hull of the vertices of a superovoid's mesh as a ``coal.Convex``, which lies inside the body."""
    body = shape if isinstance(shape, superovoid.Superovoids) else superovoid.Superovoids(shape)
    points = coal.StdVec_Vec3s()
    points.extend(body.tessellate(segments)[0])
    return coal.Convex.convexHull(points, True, None)


class ExactGeometry:
    """Which objects of a geometry model are superovoids, and the distances of its collision pairs.

    Spheres of coal are superovoids too, so their pairs are known as well.

    Parameters
    ----------
    geometry_model : pinocchio.GeometryModel
        The model. It may get more objects and pairs afterwards.
    """

    def __init__(self, geometry_model: Any) -> None:
        self.geometry_model = geometry_model
        self._shapes: dict[int, NDArray[np.float64]] = {}

    @classmethod
    def from_urdf(cls, model: Any, geometry_model: Any, robot: superovoid.Robot) -> "ExactGeometry":
        """Finds the superovoids of a robot among the collision objects that Pinocchio made of the same URDF.

        Parameters
        ----------
        model, geometry_model
            What ``pinocchio.buildModelFromUrdf`` and ``buildGeomFromUrdf`` (of collisions) returned.
        robot : superovoid.Robot
            What ``superovoid.Robot.from_urdf`` returned.

        Raises
        ------
        ValueError
            If a superovoid has no object, or lies elsewhere: the files are not the same.
        """
        exact = cls(geometry_model)
        for collision in robot.collisions:
            if collision.kind != "superovoid":
                continue
            name = f"{robot.links[collision.link]}_{collision.collision}"
            if not geometry_model.existGeometryName(name):
                raise ValueError(f"the geometry model has no object {name!r}: it is not that of the robot's URDF")
            index = geometry_model.getGeometryId(name)
            found = geometry_model.geometryObjects[index]
            frame = model.frames[found.parentFrame].placement
            off = (frame * pinocchio.XYZQUATToSE3(collision.pose)).homogeneous - found.placement.homogeneous
            if np.abs(off).max() > _SAME:
                raise ValueError(f"the object {name!r} lies elsewhere in the geometry model: it is not that of the robot's URDF")
            exact._shapes[index] = np.array(collision.parameters)
        return exact

    def add(self, name: str, joint: int, placement: Any, shape: superovoid.Superovoids | ArrayLike, *, segments: int = 24) -> int:
        """Adds a superovoid to the geometry model, with the `hull` of its mesh for those who do not know it.

        Parameters
        ----------
        name : str
            The name of the object, which must be new.
        joint : int
            The parent joint; 0 is the world.
        placement : pinocchio.SE3
            The pose in the frame of the joint.
        shape : Superovoids or array_like, shape (7,)
            The body.
        segments : int, default 24
            As that of `superovoid.Superovoids.tessellate`.

        Returns
        -------
        int
            The index of the object.
        """
        if self.geometry_model.existGeometryName(name):
            raise ValueError(f"the geometry model has an object {name!r} already")
        body = shape if isinstance(shape, superovoid.Superovoids) else superovoid.Superovoids(shape)
        parameters = body.parameters
        if parameters.shape != (7,):
            raise ValueError(f"shape is that of one superovoid, not of the axes {parameters.shape[:-1]}")
        made = pinocchio.GeometryObject(name, joint, placement, hull(body, segments))
        index = int(self.geometry_model.addGeometryObject(made))
        self._shapes[index] = parameters
        return index

    def shape(self, index: int) -> NDArray[np.float64] | None:
        """Returns the parameters of an object, None if it is neither a superovoid nor a sphere."""
        if index in self._shapes:
            return self._shapes[index]
        geometry = self.geometry_model.geometryObjects[index].geometry
        if isinstance(geometry, coal.Sphere):
            return np.array([geometry.radius] * 3 + [1.0, 1.0, 0.0, 0.0])
        return None

    @property
    def known(self) -> NDArray[np.intp]:
        """The indices of the collision pairs both of whose objects are known."""
        pairs = self.geometry_model.collisionPairs
        shapes = [self.shape(k) is not None for k in range(len(self.geometry_model.geometryObjects))]
        return np.array([k for k, pair in enumerate(pairs) if shapes[pair.first] and shapes[pair.second]], dtype=np.intp)

    def contacts(self, geometry_data: Any, **options: Any) -> superovoid.Contacts:
        """Returns the contacts of the known pairs, in their order, in the world frame.

        Parameters
        ----------
        geometry_data : pinocchio.GeometryData
            The data, with placements that are up to date.
        **options
            As those of `superovoid.contact`.
        """
        pairs = [self.geometry_model.collisionPairs[int(k)] for k in self.known]
        sides = []
        for objects in ([pair.first for pair in pairs], [pair.second for pair in pairs]):
            shapes = np.array([self.shape(k) for k in objects], dtype=np.float64).reshape(-1, 7)
            poses = [pinocchio.SE3ToXYZQUAT(geometry_data.oMg[k]) for k in objects]
            sides += [shapes, np.array(poses, dtype=np.float64).reshape(-1, 7)]
        return superovoid.contact(sides[0], sides[1], sides[2], sides[3], **options)

    def distances(self, geometry_data: Any, **options: Any) -> NDArray[np.float64]:
        """Returns the signed distances of all collision pairs: exact ones of the known pairs, coal's of the others.

        Coal's are written to ``geometry_data.distanceResults`` as ``pinocchio.computeDistance`` does; exact ones are not, as
        the points there cannot be set from Python. Options are those of `superovoid.contact`; a pair that is proven to be
        beyond ``max_distance`` has a distance that is proven, not the least.
        """
        found = np.empty(len(self.geometry_model.collisionPairs))
        known = self.known
        found[known] = self.contacts(geometry_data, **options).distance
        for k in np.setdiff1d(np.arange(len(found)), known):
            pinocchio.computeDistance(self.geometry_model, geometry_data, int(k))
            found[k] = geometry_data.distanceResults[int(k)].min_distance
        return found

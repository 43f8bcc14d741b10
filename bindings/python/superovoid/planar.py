"""Two dimensions: the signed distance between a superellipse and line segments, with a proof.

This module may change in any release, as `superovoid::planar` of Rust, which needs the feature ``unstable``.

>>> from superovoid import planar
>>> ball = planar.Superellipse([0.2, 0.2], 1.0)
>>> found = planar.segment_contact(ball, [0, 1, 0], [[-1, 0.5], [1, 0.5]])  # x y angle; the two ends
>>> round(float(found.distance), 9), found.normal.round(9).tolist()
(0.3, [0.0, -1.0])
"""

from ._superovoid import PlanarContacts, Superellipse
from ._superovoid import planar_segment_contact as segment_contact

__all__ = ["PlanarContacts", "Superellipse", "segment_contact"]

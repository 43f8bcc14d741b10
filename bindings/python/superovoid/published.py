"""The contact methods of the literature, for comparison: the queries of `superovoid` are faster and prove their answers.

This module may change in any release, as `superovoid::published` of Rust, which needs the feature ``unstable``. The methods
are described in docs/guides/published_methods.md of the repository.

>>> import superovoid
>>> from superovoid import published
>>> egg, ball = superovoid.Superovoids([0.02, 0.02, 0.03, 1, 1, 0.2, 0.2]), superovoid.Superovoids.sphere(0.01)
>>> here, there = [0, 0, 0, 0, 0, 0, 1], [0, 0, 0.05, 0, 0, 0, 1]
>>> found = published.scheme_contact(egg, here, ball, there, scheme="ntb-parametric")
>>> abs(float(found.distance) - 0.01) < 1e-6, superovoid.Outcome(found.outcome).name
(True, 'CERTIFIED')
"""

from ._superovoid import (
    curvature_aware_vertex_contact,
    iterative_vertex_contact,
    radial_vertex_contact,
    scheme_contact,
    scheme_trace,
)

__all__ = [
    "curvature_aware_vertex_contact",
    "iterative_vertex_contact",
    "radial_vertex_contact",
    "scheme_contact",
    "scheme_trace",
]

//! The cores of convex shapes: support points and membership, in the shape's own frame.

use crate::Aabb;
use crate::Superovoid;
use crate::narrowphase::gjk;
use crate::narrowphase::newton::Form;
use crate::shape::circle::length;
use crate::superquadric::Superquadric;
use crate::surface::support_map::{Hull, SupportMap};
use nalgebra::{Isometry3, Point3, Vector3};
use std::sync::Arc;

/// A body without its margin, metres.
// The large variants are not boxed: a query makes a core from a superovoid, and a query does not allocate.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Core {
    /// The origin.
    Point,
    /// A segment along z, by half its length.
    Segment(f64),
    /// A box by its half extents.
    Cuboid([f64; 3]),
    /// A cylinder along z.
    Cylinder { radius: f64, half_length: f64 },
    /// A cone along z, with its tip at +z.
    Cone { radius: f64, half_length: f64 },
    /// The hull of a triangle's corners.
    Triangle([Point3<f64>; 3]),
    /// The hull of points.
    Points(Arc<[Point3<f64>]>),
    /// A superovoid, which need not be convex: then its hull.
    Superovoid(Superovoid),
    /// The hull of a superhyperboloid or supertoroid.
    Superquadric(Superquadric),
}

impl Core {
    /// Whether it is the hull of a few points.
    pub fn is_polytope(&self) -> bool {
        !matches!(
            self,
            Core::Cylinder { .. } | Core::Cone { .. } | Core::Superovoid(_) | Core::Superquadric(_)
        )
    }

    /// Returns the corners of the hull of three points.
    pub fn triangle(&self) -> Option<&[Point3<f64>; 3]> {
        match self {
            Core::Triangle(corners) => Some(corners),
            Core::Points(points) => points.as_ref().try_into().ok(),
            _ => None,
        }
    }

    /// Returns the radius of a ball about the origin that holds the core, to rounding.
    pub fn outer_radius(&self) -> f64 {
        let farthest = |points: &[Point3<f64>]| {
            let lengths = points.iter().map(|p| p.coords.norm());
            lengths.fold(0.0, f64::max)
        };
        match self {
            Core::Point => 0.0,
            Core::Segment(half_length) => *half_length,
            Core::Cuboid(half) => Vector3::from(*half).norm(),
            Core::Cylinder {
                radius,
                half_length,
            }
            | Core::Cone {
                radius,
                half_length,
            } => radius.hypot(*half_length),
            Core::Triangle(corners) => farthest(corners),
            Core::Points(points) => farthest(points),
            Core::Superovoid(shape) => shape.outer_radius,
            Core::Superquadric(shape) => {
                let Aabb { min, max } = shape.aabb();
                min.coords.abs().sup(&max.coords.abs()).norm()
            }
        }
    }

    /// Returns the radius of a ball inside, about the centre that the constructors choose; 0 where none is known.
    #[inline(always)]
    pub fn inner_radius(&self) -> f64 {
        match self {
            Core::Point | Core::Segment(_) | Core::Triangle(_) | Core::Points(_) => 0.0,
            Core::Cuboid(half) => half.iter().copied().fold(f64::INFINITY, f64::min),
            Core::Cylinder {
                radius,
                half_length,
            } => radius.min(*half_length),
            Core::Cone {
                radius: r,
                half_length: h,
            } => r * (2.0 * h / (r + r.hypot(2.0 * h))) * (1.0 - 1e-12),
            Core::Superovoid(shape) => shape.inner_radius,
            Core::Superquadric(shape) => shape.inner_ball().1,
        }
    }

    /// Returns half the edges of the box about `center` along the axes that holds the core; the centre of those about their own
    /// axis is on it.
    #[inline(always)]
    pub fn extents(&self, center: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Core::Point => Vector3::zeros(),
            Core::Segment(half) => Vector3::new(0.0, 0.0, *half),
            Core::Cuboid(half) => Vector3::from(*half),
            Core::Cylinder {
                radius,
                half_length,
            }
            | Core::Cone {
                radius,
                half_length,
            } => Vector3::new(*radius, *radius, half_length + center.z.abs()),
            Core::Triangle(corners) => reach(corners, center),
            Core::Points(points) => reach(points, center),
            // The powers of its support function need lengths near 1, which only a scaled core has.
            Core::Superovoid(shape) => shape.obb(&Isometry3::identity()).half_extents,
            Core::Superquadric(shape) => {
                let Aabb { min, max } = shape.aabb();
                (max.coords - center).sup(&(center - min.coords))
            }
        }
    }

    /// Returns the support point of a core without a support function of its own, metres.
    fn extreme(&self, n: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Core::Point | Core::Superovoid(_) | Core::Superquadric(_) => Vector3::zeros(),
            Core::Segment(half) => Vector3::new(0.0, 0.0, half.copysign(n.z)),
            Core::Cuboid(half) => Vector3::from_fn(|i, _| half[i].copysign(n[i])),
            Core::Cylinder {
                radius,
                half_length,
            } => rim(n, *radius) + Vector3::z() * half_length.copysign(n.z),
            Core::Cone {
                radius,
                half_length,
            } => {
                let tip = Vector3::z() * *half_length;
                let base = rim(n, *radius) - tip;
                if n.dot(&tip) >= n.dot(&base) {
                    tip
                } else {
                    base
                }
            }
            Core::Triangle(corners) => Hull(corners).farthest_along(n),
            Core::Points(points) => Hull(points).farthest_along(n),
        }
    }
}

impl SupportMap for Core {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        match self {
            Core::Superovoid(shape) => shape.local_support(n),
            Core::Superquadric(shape) => shape.local_support(n),
            _ => {
                let point = self.extreme(n);
                (n.dot(&point), point)
            }
        }
    }
}

/// Returns how far points are from a center along each axis, at most.
fn reach(points: &[Point3<f64>], center: &Vector3<f64>) -> Vector3<f64> {
    let distances = points.iter().map(|p| (p.coords - center).abs());
    distances.fold(Vector3::zeros(), |most, distance| most.sup(&distance))
}

/// A core in units of the query: `scale` units are a metre.
pub(crate) struct ScaledCore<'a> {
    core: &'a Core,
    scale: f64,
    curved: Curved,
}

/// A scaled copy of a core whose support function takes powers, in units of the query.
// The large variants are not boxed: a query makes one, and a query does not allocate.
#[allow(clippy::large_enum_variant)]
enum Curved {
    Superovoid(Superovoid),
    Superquadric(Superquadric),
    No,
}

impl<'a> ScaledCore<'a> {
    #[inline]
    pub fn new(core: &'a Core, scale: f64) -> Self {
        let curved = match core {
            Core::Superovoid(shape) => Curved::Superovoid(shape.scaled(scale)),
            Core::Superquadric(shape) => Curved::Superquadric(shape.scaled(scale)),
            _ => Curved::No,
        };
        ScaledCore {
            core,
            scale,
            curved,
        }
    }

    /// Returns the half extents of a box in units of the query.
    pub fn half_extents(&self) -> Option<Vector3<f64>> {
        match self.core {
            Core::Cuboid(half) => Some(Vector3::from(*half) * self.scale),
            _ => None,
        }
    }

    /// Returns a number that is at most 1 in the core, for a point in units of the query. Of a hull it is 1 or 2, by
    /// the distance from it, up to `slack`.
    pub fn gauge(&self, x: &Vector3<f64>, slack: f64) -> f64 {
        match &self.curved {
            Curved::Superovoid(shape) => return shape.gauge(x),
            Curved::Superquadric(shape) => return shape.room_gauge(x),
            Curved::No => {}
        }
        let k = self.scale;
        match self.core {
            Core::Cuboid(half) if slack == 0.0 => {
                let share = |i: usize| x[i].abs() / (half[i] * k);
                share(0).max(share(1)).max(share(2))
            }
            Core::Cylinder {
                radius,
                half_length,
            } => (off_axis(x) / (radius * k)).max(x.z.abs() / (half_length * k)),
            Core::Cone {
                radius: r,
                half_length: h,
            } => {
                // The side is ρ = r (h − z)/(2 h).
                let side = (2.0 * h * off_axis(x) + r * x.z) / (r * h * k);
                side.max(-x.z / (h * k))
            }
            _ if self.distance_to(x, slack) <= slack => 1.0,
            _ => 2.0,
        }
    }

    /// Returns how far along a unit vector a point of the core is from the centre that the constructors choose, which is a ball's of
    /// this radius inside, in units of the query: where the ray leaves the core, or a point before.
    pub fn reach(&self, center: &Vector3<f64>, n: &Vector3<f64>, inner_radius: f64) -> f64 {
        let k = self.scale;
        if let Curved::Superovoid(shape) = &self.curved {
            return if shape.is_tapered() {
                inner_radius
            } else {
                1.0 / shape.gauge(n)
            };
        }
        match self.core {
            Core::Cuboid(half) => {
                let way = |i: usize| half[i] * k / n[i].abs();
                way(0).min(way(1)).min(way(2))
            }
            Core::Cylinder {
                radius,
                half_length,
            } => (radius * k / off_axis(n)).min(half_length * k / n.z.abs()),
            Core::Cone {
                radius: r,
                half_length: h,
            } => {
                // The side is 2 h ρ + r z = r h, and the centre is on the axis.
                let (rise, base) = (2.0 * h * off_axis(n) + r * n.z, -n.z);
                let way = |speed: f64, room: f64| {
                    if speed > 0.0 {
                        room / speed
                    } else {
                        f64::INFINITY
                    }
                };
                way(rise, r * (h * k - center.z)).min(way(base, h * k + center.z))
            }
            _ => inner_radius,
        }
    }

    /// Returns the radius of a sphere that rolls inside an ellipsoid, in units of the query, and 0 for other cores.
    pub fn ellipsoid_rolling_radius(&self) -> f64 {
        match &self.curved {
            Curved::Superovoid(shape) => shape.ellipsoid_rolling_radius(),
            _ => 0.0,
        }
    }

    /// Whether a gauge below 1 proves that a ball about the point lies in the core.
    pub fn has_true_gauge(&self) -> bool {
        let hull = self.core.is_polytope() && !matches!(self.core, Core::Cuboid(_));
        !hull
    }

    /// Returns the distance of a point from a hull, by GJK, to about the slack.
    fn distance_to(&self, x: &Vector3<f64>, slack: f64) -> f64 {
        const QUERIES: usize = 40;
        let lowest = |n: &Vector3<f64>| self.local_support(&-n).1;
        let enough = |v: &Vector3<f64>| v.norm_squared() - 0.25 * slack * v.norm();
        let simplex = gjk::nearest_to(x, Vector3::x(), QUERIES, lowest, enough);
        if simplex.encloses_origin {
            0.0
        } else {
            simplex.nearest().norm()
        }
    }
}

impl ScaledCore<'_> {
    /// Whether the surface has curved pieces, and [`ScaledCore::renewed`] knows them; `None` where there are others.
    pub fn curved_pieces(&self) -> Option<bool> {
        match &self.curved {
            Curved::Superovoid(shape) => shape.is_ellipsoid().then_some(true),
            Curved::Superquadric(_) => None,
            Curved::No => Some(!self.core.is_polytope()),
        }
    }

    /// Returns the support point in the direction n of the piece of the surface that the support point x is of, and its derivative by
    /// n on tangents; `None` where that is not known.
    #[inline(always)]
    pub fn renewed(
        &self,
        x: &Vector3<f64>,
        n: &Vector3<f64>,
        tangents: &[Vector3<f64>; 2],
    ) -> Option<(Vector3<f64>, Form)> {
        let k = self.scale;
        match (self.core, &self.curved) {
            (_, Curved::Superovoid(shape)) => shape.ellipsoid_support(n, tangents),
            (_, Curved::Superquadric(_)) => None,
            (Core::Cone { .. }, _) if x.z > 0.0 => Some((*x, [0.0; 3])),
            (Core::Cylinder { radius, .. } | Core::Cone { radius, .. }, _) => {
                // On the rim x = r e + z, with the unit e of n across the axis: dx = r/|n across| t tᵀ dn, t ⊥ e.
                let across = (n.x * n.x + n.y * n.y).sqrt();
                if across <= 1e-100 {
                    return None;
                }
                let (radius, e) = (radius * k, [n.x / across, n.y / across]);
                let [c, d] = tangents.map(|t| t.y * e[0] - t.x * e[1]);
                let bend = radius / across;
                let point = Vector3::new(radius * e[0], radius * e[1], x.z);
                Some((point, [bend * c * c, bend * c * d, bend * d * d]))
            }
            _ => Some((*x, [0.0; 3])),
        }
    }

    /// Returns the radius of the flat round face that a point of the core lies on, inside of its rim, and the outward direction of the face
    /// along z.
    pub fn round_face(&self, x: &Vector3<f64>) -> Option<(f64, f64)> {
        /// The share of the radius within which a combination of points of a rim is of the face rather than of an arc.
        const INSIDE: f64 = 0.95;
        let k = self.scale;
        let (radius, outwards) = match self.core {
            Core::Cylinder {
                radius,
                half_length,
            } if x.z.abs() > half_length * k * (1.0 - 1e-12) => (*radius * k, x.z.signum()),
            Core::Cone {
                radius,
                half_length,
            } if x.z < -half_length * k * (1.0 - 1e-12) => (*radius * k, -1.0),
            _ => return None,
        };
        let inner = INSIDE * radius;
        (x.x * x.x + x.y * x.y < inner * inner).then_some((radius, outwards))
    }
}

impl SupportMap for ScaledCore<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        match &self.curved {
            Curved::Superovoid(shape) => shape.local_support(n),
            Curved::Superquadric(shape) => shape.local_support(n),
            Curved::No => {
                let point = self.core.extreme(n) * self.scale;
                (n.dot(&point), point)
            }
        }
    }
}

/// Returns the length of a vector across the axis z.
#[inline(always)]
pub(super) fn off_axis(x: &Vector3<f64>) -> f64 {
    length(x.x, x.y)
}

/// Returns the point of a circle about z that is farthest along n; its centre where n has no direction there.
fn rim(n: &Vector3<f64>, radius: f64) -> Vector3<f64> {
    let across = off_axis(n);
    if across > 0.0 {
        Vector3::new(n.x, n.y, 0.0) * (radius / across)
    } else {
        Vector3::zeros()
    }
}

//! The convex hulls of bodies, for separating directions.
//!
//! A hull holds its body, so what separates two hulls separates the bodies. Convex bodies are their own hulls. The hull of
//! a mesh or a set of boxes is kept by few of its vertices: the farthest in each of many directions. Every other one is
//! within `margin` of the hull of these, as its distance from that says, and the hull is taken to reach so much farther.

use super::cover::cover;
use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::HashSet;
use std::sync::OnceLock;
use superovoid::convex::{ConvexKind, ConvexShape};
use superovoid::{
    Aabb, BoundingSphere, Contact, DepthMode, QueryError, QueryOptions, Shape, ShapeRef, Superovoid,
};

/// A convex body that holds another one.
pub(crate) struct Hull {
    /// The points within `margin` of this are the hull.
    pub shape: Shape,
    pub margin: f64,
    /// Whether the body is its own hull.
    pub is_body: bool,
    /// The size to which tolerances refer, and the largest coordinate.
    pub size: f64,
    pub reach: f64,
    /// The middle of the box around it.
    pub center: Point3<f64>,
    pub outline: Outline,
    balls: OnceLock<Vec<BoundingSphere>>,
}

/// How the support function is worked out in lanes, for all points within a radius of what there is.
pub(crate) enum Outline {
    Points(Vec<[f64; 3]>, f64),
    Cuboid([f64; 3]),
    /// Along z: the radius, and half the length.
    Cylinder(f64, f64),
    /// Along z, with its tip at +z: the radius, and half the length.
    Cone(f64, f64),
    /// By powers, which take far longer than the others.
    Superovoid(Box<Superovoid>),
    /// Only for one direction at a time, which does not fit lanes.
    Powers,
}

/// The number of vertices up to which all of them are kept.
const FEW: usize = 192;
/// The number of directions in which the farthest vertices are kept.
const DIRECTIONS: usize = 256;

impl Hull {
    /// Returns the hull of a body; `None` if it has none that is bounded, or none is known.
    pub fn of(shape: &Shape) -> Option<Self> {
        let (shape, margin, is_body) = match shape {
            Shape::Superovoid(ovoid) if ovoid.is_convex() => (shape.clone(), 0.0, true),
            Shape::Superovoid(ovoid) => (Shape::from(ConvexShape::from(*ovoid)), 0.0, false),
            Shape::Convex(_) => (shape.clone(), 0.0, true),
            Shape::Polytope(polytope) => (
                Shape::from(ConvexShape::of_points(polytope.vertices())),
                0.0,
                true,
            ),
            Shape::Superquadric(superquadric) => {
                (Shape::from(ConvexShape::hull_of(superquadric)), 0.0, false)
            }
            Shape::Mesh(mesh) => of_vertices(mesh.vertices())?,
            Shape::Boxes(set) => {
                of_vertices(&set.boxes().iter().flat_map(corners).collect::<Vec<_>>())?
            }
            _ => return None,
        };
        Hull::new(shape, margin, is_body)
    }

    /// Returns the hull of points.
    pub fn of_points(points: &[Point3<f64>]) -> Option<Self> {
        let (shape, margin, is_body) = of_vertices(points)?;
        Hull::new(shape, margin, is_body)
    }

    /// Returns the hull of a mesh that was made before, with the balls that cover it.
    pub(super) fn kept(shape: Shape, margin: f64, balls: Vec<BoundingSphere>) -> Option<Self> {
        let hull = Hull::new(shape, margin, false)?;
        hull.balls.get_or_init(|| balls);
        Some(hull)
    }

    fn new(shape: Shape, margin: f64, is_body: bool) -> Option<Self> {
        let bounds = shape.as_ref().local_aabb().ok()??;
        let outline = match &shape {
            Shape::Convex(convex) => outline(convex, margin),
            Shape::Superovoid(ovoid) if is_sphere(ovoid) => {
                Outline::Points(vec![[0.0; 3]], ovoid.outer_radius())
            }
            Shape::Superovoid(ovoid) if fits_lanes(ovoid) => Outline::Superovoid(Box::new(*ovoid)),
            _ => Outline::Powers,
        };
        Some(Hull {
            balls: OnceLock::new(),
            size: 0.5 * (bounds.max - bounds.min).amax(),
            center: nalgebra::center(&bounds.min, &bounds.max),
            reach: bounds.max.coords.amax().max(bounds.min.coords.amax()) + margin,
            shape,
            margin,
            is_body,
            outline,
        })
    }

    /// Returns balls that cover the hull.
    pub fn balls(&self) -> &[BoundingSphere] {
        self.balls.get_or_init(|| {
            let bounds = self.shape.as_ref().local_aabb().ok().flatten();
            let mut balls = match (&self.shape, bounds) {
                (Shape::Convex(convex), Some(bounds)) => match convex.kind() {
                    ConvexKind::Hull(points) if points.len() <= DIRECTIONS => cover(points),
                    _ => cover(&corners(&bounds).collect::<Vec<_>>()),
                },
                (_, Some(bounds)) => cover(&corners(&bounds).collect::<Vec<_>>()),
                _ => Vec::new(),
            };
            for ball in &mut balls {
                ball.radius += self.margin;
            }
            balls
        })
    }

    /// Returns the value of the support function in a direction of any length, metres.
    pub fn support(&self, direction: &Vector3<f64>) -> Option<f64> {
        Some(self.shape.as_ref().support(direction)? + self.margin * direction.norm())
    }
}

/// Returns the contact of two hulls, its lower bound that of their bodies; its upper bound and its points are those of the
/// hulls. `None` if there is none that a query takes.
pub(crate) fn hull_contact(
    [a, b]: [&Hull; 2],
    [pose_a, pose_b]: [&Isometry3<f64>; 2],
    options: &QueryOptions,
) -> Result<Option<Contact>, QueryError> {
    let margin = a.margin + b.margin;
    let options = options.with_max_distance(options.max_distance + margin);
    let [of_a, of_b] = [a, b].map(|hull| hull.shape.as_ref());
    let found = of_a.contact(pose_a, of_b, pose_b, &options)?;
    Ok(found.map(|found| {
        let mut contact = found.contact;
        contact.lower -= margin;
        contact
    }))
}

pub(super) fn corners(aabb: &Aabb) -> impl Iterator<Item = Point3<f64>> {
    let ends = [aabb.min, aabb.max];
    (0..8).map(move |k: usize| Point3::from([0, 1, 2].map(|axis| ends[k >> axis & 1][axis])))
}

/// Whether its support function has no products in lanes that overflow or vanish.
fn fits_lanes(ovoid: &Superovoid) -> bool {
    ovoid.is_convex() && (1e-60..=1e60).contains(&ovoid.outer_radius())
}

fn is_sphere(ovoid: &Superovoid) -> bool {
    ovoid.inner_radius() == ovoid.outer_radius()
}

fn outline(convex: &ConvexShape, margin: f64) -> Outline {
    match convex.kind() {
        ConvexKind::Ball(radius) => Outline::Points(vec![[0.0; 3]], radius),
        ConvexKind::Capsule(radius, length) => Outline::Points(
            vec![[0.0, 0.0, 0.5 * length], [0.0, 0.0, -0.5 * length]],
            radius,
        ),
        ConvexKind::Cuboid(half) => Outline::Cuboid(half),
        ConvexKind::Cylinder(radius, length) => Outline::Cylinder(radius, 0.5 * length),
        ConvexKind::Cone(radius, length) => Outline::Cone(radius, 0.5 * length),
        ConvexKind::Hull(points) if points.len() <= DIRECTIONS => {
            Outline::Points(points.iter().map(|p| p.coords.into()).collect(), margin)
        }
        _ => Outline::Powers,
    }
}

/// Returns the hull of the vertices, and its margin.
fn of_vertices(vertices: &[Point3<f64>]) -> Option<(Shape, f64, bool)> {
    if vertices.len() <= FEW {
        return Some((ConvexShape::of_points(vertices).into(), 0.0, false));
    }
    let mut places = HashSet::new();
    for k in 0..DIRECTIONS {
        let n = direction(k);
        let height = |&k: &usize| vertices[k].coords.dot(&n);
        let farthest = (0..vertices.len()).max_by(|a, b| height(a).total_cmp(&height(b)))?;
        places.insert(farthest);
    }
    let mut places: Vec<usize> = places.into_iter().collect();
    places.sort_unstable();
    let kept: Vec<Point3<f64>> = places.iter().map(|&k| vertices[k]).collect();
    let hull = ConvexShape::of_points(&kept);
    let here = Isometry3::identity();
    // Of what is inside only that is asked, not the depth.
    let options = QueryOptions::DEFAULT.with_depth(DepthMode::Any);
    let mut margin = 0.0_f64;
    let others = (0..vertices.len()).filter(|k| places.binary_search(k).is_err());
    for vertex in others.map(|k| vertices[k]) {
        let point = ConvexShape::of_points(&[vertex]);
        let found =
            ShapeRef::Convex(&point).contact(&here, ShapeRef::Convex(&hull), &here, &options);
        let distance = found.ok()??.contact.upper;
        if distance.is_nan() {
            return None;
        }
        margin = margin.max(distance);
    }
    Some((hull.into(), margin, false))
}

/// Returns one of [`DIRECTIONS`] that are spread evenly over the sphere, along a spiral (Fibonacci).
fn direction(k: usize) -> Vector3<f64> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let z = 1.0 - (2.0 * k as f64 + 1.0) / DIRECTIONS as f64;
    let radius = (1.0 - z * z).max(0.0).sqrt();
    let (sin, cos) = (golden * k as f64).sin_cos();
    Vector3::new(radius * cos, radius * sin, z)
}

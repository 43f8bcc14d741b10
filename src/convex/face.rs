//! The face, edge or line of a convex shape that supports it along a direction: what a contact manifold is cut from.
//!
//! A face counts where its normal is within 45° of the direction. Of a hull, whose faces are not stored, two steps of gift
//! wrapping (Chand and Kapur 1970) from the support point lead to one: the plane across the direction through that point turns
//! about it until it meets another point, which ends an edge of the hull, and about the edge to the nearer of its two faces.
//! Rims of cylinders and cones have eight points, which turn with the body.

use crate::convex::core::Core;
use crate::convex::shape::ConvexShape;
use nalgebra::{Point3, Vector3};

/// The largest number of corners of a face. Those of a hull's face are the farthest in as many directions: one at which the
/// border turns by less than 11° may be left out.
pub(crate) const MOST_CORNERS: usize = 32;

/// The corners of a face in order, or the ends of a line; none where only one point supports the shape.
#[derive(Clone, Copy)]
pub(crate) struct SupportingFace {
    corners: [Vector3<f64>; MOST_CORNERS],
    /// Numbers of the corners that stay with them when the shape moves.
    ids: [u16; MOST_CORNERS],
    count: usize,
    /// The outward normal of a face; of any length.
    pub normal: Vector3<f64>,
    /// The radius of the surface about a line of a round body; 0 of an edge.
    pub radius: f64,
}

/// The cosine of the largest angle between a direction and the normal of a face.
const ALIGNED: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// The number of points of a rim.
const RIM: u16 = 8;
/// The number of the first end of a line on a cylinder or cone.
const LINE: u16 = 2 * RIM;

impl SupportingFace {
    /// The face of a shape that is supported by one point.
    pub const NONE: SupportingFace = SupportingFace {
        corners: [Vector3::new(0.0, 0.0, 0.0); MOST_CORNERS],
        ids: [0; MOST_CORNERS],
        count: 0,
        normal: Vector3::new(0.0, 0.0, 0.0),
        radius: 0.0,
    };

    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.corners[..self.count]
    }

    pub fn ids(&self) -> &[u16] {
        &self.ids[..self.count]
    }

    fn of(normal: Vector3<f64>, corners: impl IntoIterator<Item = (u16, Vector3<f64>)>) -> Self {
        let mut face = SupportingFace {
            normal,
            ..Self::NONE
        };
        for (id, corner) in corners.into_iter().take(MOST_CORNERS) {
            (face.corners[face.count], face.ids[face.count]) = (corner, id);
            face.count += 1;
        }
        face
    }

    /// A line along z at the distance `radius` from the axis, towards a direction.
    fn line(radius: [f64; 2], half_length: f64, d: &Vector3<f64>) -> Self {
        let out = Vector3::new(d.x, d.y, 0.0).normalize();
        let end = |k: usize, z: f64| out * radius[k] + Vector3::z() * z;
        let ends = [
            (LINE, end(0, -half_length)),
            (LINE + 1, end(1, half_length)),
        ];
        SupportingFace {
            radius: radius[0].min(radius[1]),
            ..Self::of(out, ends)
        }
    }

    fn rim(radius: f64, z: f64) -> Self {
        let first = if z > 0.0 { RIM } else { 0 };
        let corners = (0..RIM).map(|k| {
            let (sin, cos) = (f64::from(k) * (std::f64::consts::TAU / f64::from(RIM))).sin_cos();
            (first + k, Vector3::new(radius * cos, radius * sin, z))
        });
        Self::of(Vector3::z() * z, corners)
    }
}

impl ConvexShape {
    /// Returns the face, edge or line that supports the shape along a unit direction, in its own frame.
    pub(crate) fn supporting_face(&self, d: &Vector3<f64>) -> SupportingFace {
        let across = d.x.hypot(d.y);
        match &self.core {
            Core::Point | Core::Superovoid(_) | Core::Superquadric(_) => SupportingFace::NONE,
            Core::Segment(half) if across >= ALIGNED => {
                SupportingFace::line([self.margin; 2], *half, d)
            }
            Core::Segment(_) => SupportingFace::NONE,
            Core::Cuboid(half) => of_box(half, d),
            Core::Cylinder {
                radius,
                half_length,
            } => {
                if d.z.abs() >= ALIGNED {
                    SupportingFace::rim(*radius, half_length.copysign(d.z))
                } else {
                    SupportingFace::line([*radius; 2], *half_length, d)
                }
            }
            Core::Cone {
                radius: r,
                half_length: h,
            } => {
                let slant = r.hypot(2.0 * h);
                let side = (2.0 * h * across + r * d.z) / slant;
                if -d.z >= side.max(ALIGNED) {
                    SupportingFace::rim(*r, -h)
                } else if side >= ALIGNED && across > 0.0 {
                    SupportingFace::line([*r, 0.0], *h, d)
                } else {
                    SupportingFace::NONE
                }
            }
            Core::Triangle(corners) => of_hull(corners, d),
            Core::Points(points) => of_hull(points, d),
        }
    }
}

fn of_box(half: &[f64; 3], d: &Vector3<f64>) -> SupportingFace {
    let axis = d.iamax();
    let id = |corner: &Vector3<f64>| (0..3).fold(0, |id, k| id | (u16::from(corner[k] > 0.0) << k));
    if d[axis].abs() < ALIGNED {
        // An edge, along the axis that the direction has the least of.
        let along = d.iamin();
        let ends = [-1.0, 1.0].map(|side: f64| {
            let mut end = Vector3::from_fn(|k, _| half[k].copysign(d[k]));
            end[along] = side * half[along];
            (id(&end), end)
        });
        return SupportingFace::of(Vector3::ith(axis, 1.0), ends);
    }
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let sign = 1.0_f64.copysign(d[axis]);
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| {
        let mut corner = Vector3::zeros();
        (corner[axis], corner[u], corner[v]) = (sign * half[axis], x * half[u], y * half[v]);
        (id(&corner), corner)
    });
    SupportingFace::of(Vector3::ith(axis, sign), corners)
}

/// Points nearer to a plane than this share of their extent are on it.
const FLAT: f64 = 1e-9;

fn of_hull(points: &[Point3<f64>], d: &Vector3<f64>) -> SupportingFace {
    let heights = points.iter().map(|p| d.dot(&p.coords)).enumerate();
    let Some((first, top)) = heights.max_by(|p, q| p.1.total_cmp(&q.1)) else {
        return SupportingFace::NONE;
    };
    let from = points[first].coords;
    let extent = points
        .iter()
        .fold(0.0, |far: f64, p| far.max((p.coords - from).amax()));
    // The edge that falls least steeply.
    let mut edge: Option<(f64, Vector3<f64>, usize)> = None;
    for (k, p) in points.iter().enumerate() {
        let way = p.coords - from;
        let fall = top - d.dot(&p.coords);
        let run = (way.norm_squared() - fall * fall).max(0.0).sqrt();
        if run > FLAT * extent && edge.is_none_or(|(slope, ..)| fall < slope * run) {
            edge = Some((fall / run, way, k));
        }
    }
    let Some((slope, way, second)) = edge else {
        return SupportingFace::NONE;
    };
    let along = way.normalize();
    // The plane through the edge that is nearest to being across the direction; the face on either side falls from it.
    let up = d - along * along.dot(d);
    let Some(up) = up.try_normalize(1e-3) else {
        return SupportingFace::NONE;
    };
    let side = along.cross(&up);
    let mut face: Option<(f64, Vector3<f64>)> = None;
    for p in points {
        let way = p.coords - from;
        let (fall, run) = (-up.dot(&way), side.dot(&way));
        let far = run.abs() > FLAT * extent;
        if far && face.is_none_or(|(slope, _)| fall < slope * run.abs()) {
            // Its normal, which leans to the side that falls.
            let slope = fall / run.abs();
            face = Some((slope, up + side * (slope * run.signum())));
        }
    }
    if let Some((_, normal)) = face
        && normal.dot(d) >= ALIGNED * normal.norm()
    {
        return polygon(points, &from, normal.normalize(), FLAT * extent);
    }
    // The slope of the edge is the tangent of its angle.
    if slope > 1.0 {
        return SupportingFace::NONE;
    }
    let end = |k: usize| (k as u16, points[k].coords);
    SupportingFace::of(up, [end(first), end(second)])
}

/// Returns the polygon of the points on a plane.
fn polygon(
    points: &[Point3<f64>],
    on: &Vector3<f64>,
    normal: Vector3<f64>,
    slack: f64,
) -> SupportingFace {
    let [t, b] = crate::surface::tangents(&nalgebra::Unit::new_unchecked(normal));
    let mut directions = [[1.0, 0.0]; MOST_CORNERS];
    let (sin, cos) = (std::f64::consts::TAU / MOST_CORNERS as f64).sin_cos();
    for k in 1..MOST_CORNERS {
        let [x, y] = directions[k - 1];
        directions[k] = [x * cos - y * sin, y * cos + x * sin];
    }
    let mut farthest = [(f64::NEG_INFINITY, 0_usize); MOST_CORNERS];
    for (k, p) in points.iter().enumerate() {
        let way = p.coords - on;
        if normal.dot(&way).abs() > slack {
            continue;
        }
        let [x, y] = [t.dot(&way), b.dot(&way)];
        for (farthest, [u, v]) in farthest.iter_mut().zip(directions) {
            let height = x * u + y * v;
            if height > farthest.0 {
                *farthest = (height, k);
            }
        }
    }
    // In order of the directions; one corner is the farthest in several that follow each other.
    let mut corners = [0_usize; MOST_CORNERS];
    let mut count = 0;
    for (_, k) in farthest {
        if !corners[..count].contains(&k) {
            corners[count] = k;
            count += 1;
        }
    }
    let corners = corners[..count].iter();
    SupportingFace::of(normal, corners.map(|&k| (k as u16, points[k].coords)))
}

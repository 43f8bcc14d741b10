//! Contact of a cloth, stage 3: triangles and edges by the exact polytope query.
//!
//! Vertices outside do not keep a triangle outside. What is known of its vertices often proves that it is: each plane
//! (n, o) has the body behind it, so that the triangle is at least min over its corners of n·x − o away. Other directions
//! give min n·x − h(n): the one that separated it last, the mean of the planes' normals, the triangle's own normal. A plane
//! that the triangle does not reach in the next substep serves as it is, and is looked at again before every substep. Where
//! all fail, the nearest points are found by projecting in turn onto the body (the exact vertex query) and onto the
//! triangle, which converges for convex sets that are apart; the plane at the body's point has the body behind it however
//! far this came. Only a triangle that overlaps is asked by the exact polytope query, which costs some thirty times as
//! much. Either gives the normal n, and the witness with barycentric weights w on the triangle:
//!
//! ```text
//! C = n·(Σ w_i x_i) − h(n) − t_f ≥ 0
//! ```
//!
//! with t_f, a quarter of the thickness: curvature between vertices that are at the thickness is not fought. The plane has
//! the body behind it, so that in a substep no corner goes behind it either: a triangle that turns about its witness stays
//! outside, however fast it turns. Both corrections have friction (see `press`): a triangle is held where it touches, be
//! it far from its vertices.

use crate::cloth::near::{Known, KnownFace, Near};
use crate::cloth::pair::on_triangle;
use crate::cloth::press::{Friction, Plane, press};
use crate::cloth::vertices::Approach;
use crate::particles::Particles;
use crate::rigid::{ContactShape, RigidBody};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::polytope::{Triangle, polytope_contact};
use superovoid::{Outcome, QueryOptions, Superovoid, VertexOptions, vertex_contact};

/// The share of the thickness that triangles keep.
pub(crate) const SHARE: f64 = 0.25;
/// A triangle is asked anew when a corner has moved by this share of the thickness.
const STALE: f64 = 0.05;

/// How much faster than at its start a corner may move in a substep.
const FASTER: f64 = 1.2;

/// A triangle in contact with a body: the plane in the frame of the body's centre of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceContact {
    pub particles: [u32; 3],
    /// The index of the triangle in its cloth.
    pub triangle: u32,
    pub weights: [f64; 3],
    pub body: u32,
    pub normal: Vector3<f64>,
    pub offset: f64,
    pub friction: Friction,
}

impl Approach<'_> {
    /// Finds the triangles in contact.
    pub fn faces(&self, near: &mut Near, contacts: &mut Vec<FaceContact>) {
        let ContactShape::Superovoid(shape) = &self.body.shape else {
            return;
        };
        let first = self.fabric.range.start;
        let keep = SHARE * self.fabric.thickness;
        for (index, triangle) in self.fabric.triangles.iter().enumerate() {
            let v = triangle.map(|v| v as usize - first);
            let known = v.map(|v| &near.known[v]);
            let corners = v.map(|v| near.local[v]);
            let left = [0, 1, 2].map(|i| known[i].clearance - (corners[i] - known[i].at).norm());
            let motion =
                v.iter().map(|v| self.motion[first + v]).fold(0.0, f64::max) + self.body_motion;
            let farthest = left.iter().fold(f64::NEG_INFINITY, |most, d| most.max(*d));
            if farthest - self.fabric.longest > keep + motion {
                continue;
            }
            // A vertex that is held by its own plane may still slide over an edge of the body and take the triangle along.
            let margin = keep + motion;
            let bound = known
                .iter()
                .filter(|known| known.has_plane())
                .map(|known| least_height(known, &corners));
            if bound.fold(f64::NEG_INFINITY, f64::max) >= margin {
                continue;
            }
            let near_by = if shape.is_convex() {
                keep + self.per_substep * motion
            } else {
                margin
            };
            let reaches = [near_by, margin];
            if let Some(face) = self.face(shape, &known, &corners, reaches, &mut near.faces[index])
            {
                contacts.push(FaceContact {
                    particles: *triangle,
                    triangle: index as u32,
                    weights: face.weights,
                    body: self.body_index,
                    normal: face.normal,
                    offset: face.support - face.normal.dot(&self.body.center),
                    friction: self.friction,
                });
            }
        }
    }

    fn face(
        &self,
        shape: &Superovoid,
        known: &[&Known; 3],
        corners: &[Vector3<f64>; 3],
        [near, margin]: [f64; 2],
        last: &mut Option<KnownFace>,
    ) -> Option<KnownFace> {
        if let Some(face) = last {
            if least(&face.normal, corners) - face.support >= margin {
                return None;
            }
            let moved = (0..3)
                .map(|i| (corners[i] - face.corners[i]).norm())
                .fold(0.0, f64::max);
            if moved <= STALE * self.fabric.thickness && !face.rough {
                return Some(*face);
            }
        }
        let (face, height) = separated(shape, known, corners, margin);
        if height >= near {
            *last = Some(face);
            return (height < margin).then_some(face);
        }
        let face = ask(shape, known, corners, margin, last.as_ref())?;
        *last = Some(face);
        (least(&face.normal, corners) - face.support < margin).then_some(face)
    }
}

fn least_height(known: &Known, corners: &[Vector3<f64>; 3]) -> f64 {
    corners
        .iter()
        .map(|x| known.height(x))
        .fold(f64::INFINITY, f64::min)
}

/// Tries directions that nearly always separate what is apart: the first plane that is `margin` below the triangle, or the
/// lowest, with the height of the triangle over it.
pub(crate) fn separated(
    shape: &Superovoid,
    known: &[&Known; 3],
    corners: &[Vector3<f64>; 3],
    margin: f64,
) -> (KnownFace, f64) {
    let mean = known.iter().map(|known| known.normal).sum::<Vector3<f64>>();
    let own = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let own = if own.dot(&mean) < 0.0 { -own } else { own };
    let pairs = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| known[i].normal + known[j].normal);
    let mut best = (
        KnownFace {
            normal: Vector3::zeros(),
            support: 0.0,
            weights: [1.0 / 3.0; 3],
            corners: *corners,
            rough: true,
        },
        f64::NEG_INFINITY,
    );
    for direction in [own, mean, pairs[0], pairs[1], pairs[2]] {
        let Some(normal) = direction.try_normalize(1e-12) else {
            continue;
        };
        let support = shape.support(&normal).value;
        let height = least(&normal, corners) - support;
        if height > best.1 {
            (best.0.normal, best.0.support, best.1) = (normal, support, height);
        }
        if height >= margin {
            break;
        }
    }
    if best.1 < margin {
        best.0.weights = lowest(corners, &best.0.normal);
    }
    best
}

/// The height of the lowest corner along a normal.
pub(crate) fn least(normal: &Vector3<f64>, corners: &[Vector3<f64>; 3]) -> f64 {
    corners
        .iter()
        .map(|x| normal.dot(x))
        .fold(f64::INFINITY, f64::min)
}

fn ask(
    shape: &Superovoid,
    known: &[&Known; 3],
    corners: &[Vector3<f64>; 3],
    margin: f64,
    last: Option<&KnownFace>,
) -> Option<KnownFace> {
    if shape.is_convex()
        && let Some(face) = apart(shape, corners, last)
    {
        return Some(face);
    }
    let here = Isometry3::identity();
    let triangle = Triangle::new(corners.map(Point3::from)).ok()?;
    let options = QueryOptions::default().with_max_distance(margin);
    let contact = polytope_contact(shape, &here, &triangle, &here, &options).ok()?;
    if contact.outcome == Outcome::Beyond {
        return None;
    }
    let mut normal = contact.normal.into_inner();
    let mut weights = barycentric(corners, &contact.point_b.coords);
    if contact.distance < 0.0 {
        // The least way out may lead to the wrong side: the side from which the triangle came is kept.
        let outside = known
            .iter()
            .filter(|known| known.has_plane())
            .map(|known| known.normal)
            .sum::<Vector3<f64>>();
        let from = last.map_or(outside, |last| last.normal);
        if from.norm() > 1e-9 && from.normalize().dot(&normal) < 0.5 {
            normal = from.normalize();
            weights = lowest(corners, &normal);
        }
    }
    let support = shape.support(&normal).value;
    Some(KnownFace {
        normal,
        support,
        weights,
        corners: *corners,
        rough: false,
    })
}

/// Projects in turn onto the body and the triangle; none if they overlap.
pub(crate) fn apart(
    shape: &Superovoid,
    corners: &[Vector3<f64>; 3],
    last: Option<&KnownFace>,
) -> Option<KnownFace> {
    /// The most projections; the plane is safe after any of them.
    const MOST: usize = 8;
    let size = (corners[1] - corners[0]).norm();
    let mut weights = last.map_or([1.0 / 3.0; 3], |last| last.weights);
    let mut face = None;
    for _ in 0..MOST {
        let point: Vector3<f64> = (0..3).map(|i| corners[i] * weights[i]).sum();
        let here = Isometry3::identity();
        let answer = vertex_contact(
            shape,
            &here,
            &Point3::from(point),
            &VertexOptions::default(),
        )
        .ok()?;
        if answer.distance <= 0.0 {
            return None;
        }
        let normal = answer.normal.into_inner();
        let foot = answer.point_a.coords;
        let support = normal.dot(&foot);
        face = Some(KnownFace {
            normal,
            support,
            weights,
            corners: *corners,
            rough: false,
        });
        let [a, b, c] = corners;
        let [_, u, v, w] = on_triangle(&foot, [a, b, c]);
        let next: Vector3<f64> = -(a * u + b * v + c * w);
        weights = [-u, -v, -w];
        if (next - point).norm() < 1e-3 * size {
            break;
        }
    }
    face
}

/// The weights of the lowest corner along a normal, shared by corners that are nearly as low.
fn lowest(corners: &[Vector3<f64>; 3], normal: &Vector3<f64>) -> [f64; 3] {
    let heights = corners.map(|x| normal.dot(&x));
    let least = heights.iter().fold(f64::INFINITY, |least, h| least.min(*h));
    let size = (corners[1] - corners[0]).norm() + (corners[2] - corners[0]).norm();
    let shares = heights.map(|h| (1.0 - (h - least) / (0.25 * size)).max(0.0));
    let sum: f64 = shares.iter().sum();
    shares.map(|share| share / sum)
}

/// The barycentric weights of the point of a triangle that is nearest to p, for p in the triangle to rounding.
fn barycentric([a, b, c]: &[Vector3<f64>; 3], p: &Vector3<f64>) -> [f64; 3] {
    let normal = (b - a).cross(&(c - a));
    let square = normal.norm_squared();
    if square == 0.0 {
        return [1.0 / 3.0; 3];
    }
    let share = |from: &Vector3<f64>, to: &Vector3<f64>| {
        ((to - from).cross(&(p - from)).dot(&normal) / square).max(0.0)
    };
    let weights = [share(b, c), share(c, a), share(a, b)];
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Finds the nearest points anew of triangles whose corners have moved and that may touch in a substep of length h, before
/// it. Within a frame the witness runs along a triangle that slides over an edge of the body, and the old one holds the
/// wrong place. `moves` is how far the points of a body can move in the substep.
pub(crate) fn renew(
    contacts: &mut [FaceContact],
    near: &mut [Near],
    particles: &Particles,
    bodies: &[RigidBody],
    [thickness, h]: [f64; 2],
    moves: impl Fn(&RigidBody) -> f64,
) {
    let mut moving = (u32::MAX, 0.0);
    for contact in contacts {
        let body = &bodies[contact.body as usize];
        let last = &mut near[contact.body as usize].faces[contact.triangle as usize];
        let (ContactShape::Superovoid(shape), Some(known)) = (&body.shape, *last) else {
            continue;
        };
        if moving.0 != contact.body {
            moving = (contact.body, moves(body));
        }
        let v = contact.particles.map(|v| v as usize);
        let origin = body.pose().translation.vector;
        let corners = v.map(|v| body.rotation.tr_mul(&(particles.x[v] - origin)));
        let speed = v.iter().map(|&v| particles.v[v].norm()).fold(0.0, f64::max);
        let ahead = FASTER * speed * h + moving.1;
        if least(&known.normal, &corners) - known.support >= SHARE * thickness + ahead {
            continue;
        }
        let moved = (0..3)
            .map(|i| (corners[i] - known.corners[i]).norm())
            .fold(0.0, f64::max);
        // A plane that was good enough from afar has no witness yet.
        if (moved <= STALE * thickness && !known.rough) || !shape.is_convex() {
            continue;
        }
        if let Some(face) = apart(shape, &corners, Some(&known)) {
            contact.normal = face.normal;
            contact.offset = face.support - face.normal.dot(&body.center);
            contact.weights = face.weights;
            *last = Some(face);
        }
    }
}

/// Corrects the triangles in contact once, the witness and then the corners, and returns the largest correction. What
/// presses is told to `near`, whose first vertex is the particle `first`.
pub(crate) fn solve(
    contacts: &[FaceContact],
    particles: &mut Particles,
    bodies: &mut [RigidBody],
    (near, first): (&mut [Near], usize),
    thickness: f64,
    push_out: f64,
) -> f64 {
    let mut largest: f64 = 0.0;
    for contact in contacts {
        let near = &mut near[contact.body as usize];
        let v = contact.particles.map(|v| v as usize);
        let body = &mut bodies[contact.body as usize];
        let plane = Plane {
            normal: body.rotation * contact.normal,
            offset: contact.offset,
        };
        let friction = &contact.friction;
        let witness = (v, contact.weights);
        let target = |before: f64| (SHARE * thickness).min(before + push_out);
        if let Some((by, impulse)) = press(witness, particles, body, &plane, friction, target) {
            largest = largest.max(by);
            for (corner, weight) in v.into_iter().zip(contact.weights) {
                if weight > 0.0 {
                    near.tell(corner - first, &plane.normal, &(impulse * weight));
                }
            }
        }
        for corner in v {
            let one = ([corner], [1.0]);
            let target = |before: f64| before.min(0.0);
            if let Some((by, impulse)) = press(one, particles, body, &plane, friction, target) {
                largest = largest.max(by);
                near.tell(corner - first, &plane.normal, &impulse);
            }
        }
    }
    largest
}

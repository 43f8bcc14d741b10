//! The manifold of an exact pair: the witness and up to four points around it where the gap is small.
//!
//! One witness is enough where a body is round and not where faces are parallel. So the normal n is tilted by δ towards
//! four tangents, between the axes of the body, once far and once by little; the support points of A at these directions,
//! and of B at their opposites, are the corners of what can touch. The exact point query of the other body gives the gap
//! of each. Where the nearest point of the other body is off to the side (its face ends there) its own nearest point on
//! the first body takes the corner's place, so that crossed faces have their common corners. For either tilt, of the
//! points within the margin the deepest is kept, the two that are farthest apart, and the two that span the largest area
//! with them: the deepest alone is no corner where faces bulge.

use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::{Contact, Superovoid, VertexOptions, vertex_contact};

/// The tilts of the normal, radians. The corners of the first stand far out and tell early what a body that turns will
/// touch; on a face that bulges they lie above the face (0.24 mm for a cube of 0.4 m with e = 0.1), and a body that had
/// only them and the witness would rock on the witness. Those of the second lie in the face (0.6 µm), and carry it.
pub(crate) const TILTS: [f64; 2] = [0.03, 1e-4];
/// The support points of round bodies move by less than this share of the size when the normal is tilted.
const ROUND: f64 = 0.06;
/// The cosine of the normals below which a nearest point counts as off to the side.
const ASIDE: f64 = 0.95;
/// Touches are one if they are nearer than this share of the longest distance between two.
const NEAR: f64 = 0.05;
/// The most points of a pair: the deepest and four for either tilt, the deepest once.
pub(crate) const MOST_POINTS: usize = 9;
/// The most candidates: one witness and the corners of two bodies.
const CANDIDATES: usize = 9;

/// A superovoid at its place, with the radius of its bounding sphere, which is not to be searched for every contact.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub shape: &'a Superovoid,
    pub pose: &'a Isometry3<f64>,
    pub size: f64,
}

/// A point of contact in the world frame: on A, on B, and the gap along the common normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub a: Vector3<f64>,
    pub b: Vector3<f64>,
    /// The unit normal from A to B.
    pub normal: Vector3<f64>,
    pub gap: f64,
}

/// A few touches without allocation.
#[derive(Clone, Copy)]
pub(crate) struct Touches<const N: usize> {
    touches: [Touch; N],
    count: usize,
}

impl<const N: usize> Touches<N> {
    pub fn new() -> Self {
        let (a, b, normal) = (Vector3::zeros(), Vector3::zeros(), Vector3::zeros());
        Touches {
            touches: [Touch {
                a,
                b,
                normal,
                gap: 0.0,
            }; N],
            count: 0,
        }
    }

    /// Adds a touch; when full, the one with the largest gap is left out.
    pub fn push(&mut self, touch: Touch) {
        if self.count < N {
            self.touches[self.count] = touch;
            self.count += 1;
        } else if let Some(widest) = self
            .touches
            .iter_mut()
            .max_by(|s, t| s.gap.total_cmp(&t.gap))
            && touch.gap < widest.gap
        {
            *widest = touch;
        }
    }

    pub fn as_slice(&self) -> &[Touch] {
        &self.touches[..self.count]
    }
}

/// Returns the corners of a body that can touch along the direction: the support points at the tilted directions, or
/// nothing for a body that is round there.
pub(crate) fn corners(
    Placed { shape, pose, size }: Placed,
    direction: &Vector3<f64>,
    tilt: f64,
) -> Option<[Vector3<f64>; 4]> {
    // In the frame of the body: its axis that is most across the direction, and what is across both.
    let local = pose.rotation.inverse() * direction;
    let axis = if local.x.abs() <= local.y.abs().min(local.z.abs()) {
        Vector3::x()
    } else if local.y.abs() <= local.z.abs() {
        Vector3::y()
    } else {
        Vector3::z()
    };
    let s = (axis - local * local.dot(&axis)).normalize();
    let t = local.cross(&s);
    let support = |towards: Vector3<f64>| {
        let direction = local + towards * (tilt * std::f64::consts::FRAC_1_SQRT_2);
        (pose * shape.support(&direction).point).coords
    };
    let found = [
        support(s + t),
        support(t - s),
        support(-s - t),
        support(s - t),
    ];
    let spread = (found[0] - found[2])
        .norm()
        .max((found[1] - found[3]).norm());
    (spread > ROUND * size).then_some(found)
}

/// Returns the manifold of a pair of superovoids whose contact is known.
pub(crate) fn of_pair(
    a: Placed,
    b: Placed,
    contact: &Contact,
    margin: f64,
) -> Touches<MOST_POINTS> {
    let normal = contact.normal.into_inner();
    let witness = Touch {
        a: contact.point_a.coords,
        b: contact.point_b.coords,
        normal,
        gap: contact.distance,
    };
    let mut kept = Touches::<MOST_POINTS>::new();
    for tilt in TILTS {
        let mut all = Touches::<CANDIDATES>::new();
        all.push(witness);
        let corners_a = corners(a, &normal, tilt);
        let corners_b = corners(b, &-normal, tilt);
        // Of two bodies, one round at the contact, one point is enough.
        if let (Some(corners_a), Some(corners_b)) = (corners_a, corners_b) {
            for corner in corners_a {
                if let Some((on_a, on_b)) = facing(a, b, corner, &normal, margin) {
                    add(&mut all, on_a, on_b, &normal, margin);
                }
            }
            for corner in corners_b {
                if let Some((on_b, on_a)) = facing(b, a, corner, &-normal, margin) {
                    add(&mut all, on_a, on_b, &normal, margin);
                }
            }
        }
        merge(&mut kept, &reduced(all.as_slice()));
    }
    kept
}

/// Adds the touches that are not among those kept.
pub(crate) fn merge(kept: &mut Touches<MOST_POINTS>, more: &Touches<5>) {
    let longest = |touches: &[Touch]| {
        let from = touches.first().map_or(Vector3::zeros(), |touch| touch.a);
        touches.iter().fold(0.0, |most: f64, touch| {
            most.max((touch.a - from).norm_squared())
        })
    };
    let near = (NEAR * NEAR) * longest(kept.as_slice()).max(longest(more.as_slice()));
    for touch in more.as_slice() {
        let known = |kept: &Touch| (kept.a - touch.a).norm_squared() <= near;
        if !kept.as_slice().iter().any(known) {
            kept.push(*touch);
        }
    }
}

fn add(
    all: &mut Touches<CANDIDATES>,
    a: Vector3<f64>,
    b: Vector3<f64>,
    normal: &Vector3<f64>,
    margin: f64,
) {
    let gap = (b - a).dot(normal);
    if gap < margin {
        all.push(Touch {
            a,
            b,
            normal: *normal,
            gap,
        });
    }
}

/// Returns a point of the first body at or near a corner of it and the point of the second body that faces it.
fn facing(
    first: Placed,
    second: Placed,
    corner: Vector3<f64>,
    normal: &Vector3<f64>,
    margin: f64,
) -> Option<(Vector3<f64>, Vector3<f64>)> {
    let options = VertexOptions::default();
    let near = options.with_max_distance(2.0 * first.size);
    let foot = vertex_contact(second.shape, second.pose, &Point3::from(corner), &near).ok()?;
    if -foot.normal.dot(normal) > ASIDE {
        return (foot.distance < margin).then_some((corner, foot.point_a.coords));
    }
    // The other body ends before this corner: its nearest point looks back.
    let near = options.with_max_distance(2.0 * margin);
    let back = vertex_contact(first.shape, first.pose, &foot.point_a, &near).ok()?;
    let faces = back.normal.dot(normal) > ASIDE && back.distance < margin;
    faces.then_some((back.point_a.coords, foot.point_a.coords))
}

/// Keeps the deepest touch and four that span a large area.
pub(crate) fn reduced(all: &[Touch]) -> Touches<5> {
    let mut kept = Touches::<5>::new();
    if all.len() <= 1 {
        all.iter().for_each(|touch| kept.push(*touch));
        return kept;
    }
    let largest = |value: &dyn Fn(&Touch) -> f64| {
        let order =
            |i: &usize, j: &usize| value(&all[*i]).total_cmp(&value(&all[*j])).then(j.cmp(i));
        let index = (0..all.len()).max_by(order);
        all[index.expect("there are two or more")]
    };
    let deepest = largest(&|touch| -touch.gap);
    let first = largest(&|touch| (touch.a - deepest.a).norm_squared());
    let second = largest(&|touch| (touch.a - first.a).norm_squared());
    let line = second.a - first.a;
    let side = line.cross(&deepest.normal);
    let left = largest(&|touch| (touch.a - first.a).dot(&side));
    let right = largest(&|touch| -(touch.a - first.a).dot(&side));
    let near = (NEAR * NEAR) * line.norm_squared();
    for touch in [deepest, first, second, left, right] {
        let known = |kept: &Touch| (kept.a - touch.a).norm_squared() <= near;
        if !kept.as_slice().iter().any(known) {
            kept.push(touch);
        }
    }
    kept
}

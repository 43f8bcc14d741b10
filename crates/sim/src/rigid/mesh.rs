//! A superovoid against a triangle mesh: every triangle within the margin.
//!
//! A triangle lies in its plane, so that the distance to it is at least that of the plane, which one value of the
//! support function gives: n·c − o − h(−n). Where the foot of the support point lies in the triangle the two distances are
//! equal, and the answer is known in closed form; so are those of the body's corners whose feet lie in it. Where the foot
//! lies beyond an edge over which the mesh goes up, the neighbour is nearer, and nothing is missed. Only beyond a ridge or
//! a border the exact query is asked. Only outward sides count: a body behind a triangle is not pulled through it.

use crate::rigid::body::{RigidBody, StaticMesh};
use crate::rigid::manifold::{Placed, TILTS, Touch, Touches, corners};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::bvh::PolytopeTree;
use superovoid::internals::Hierarchy;
use superovoid::polytope::{Polytope, polytope_contact};
use superovoid::{Outcome, QueryOptions, Superovoid};

/// Two touches are one if they are closer than this share of the size and their normals are alike.
const SAME: f64 = 0.05;
const ALIKE: f64 = 0.98;

/// Collects the touches of a body and a mesh within the margin and returns a lower bound of the distance.
pub(crate) fn touches<const N: usize>(
    (body, shape): (&RigidBody, &Superovoid),
    (other, mesh): (&RigidBody, &StaticMesh),
    margin: f64,
    found: &mut Touches<N>,
) -> f64 {
    let mesh_pose = other.pose();
    // The body in the frame of the mesh.
    let pose = mesh_pose.inv_mul(&body.pose());
    let bounds = shape.aabb(&pose);
    let mut least = margin;
    let mut all = Touches::<32>::new();
    let low = [0, 1, 2].map(|k| bounds.min[k] - margin);
    let high = [0, 1, 2].map(|k| bounds.max[k] + margin);
    let body = body.placed(shape, &pose);
    mesh.tree.visit_parts(low, high, |part| {
        triangle(body, mesh, part, margin, &mut all, &mut least);
    });
    for touch in distinct(all.as_slice(), body.size) {
        let world = |p: Vector3<f64>| (mesh_pose * Point3::from(p)).coords;
        found.push(Touch {
            a: world(touch.a),
            b: world(touch.b),
            normal: mesh_pose.rotation * touch.normal,
            gap: touch.gap,
        });
    }
    least
}

fn triangle(
    body: Placed,
    mesh: &StaticMesh,
    part: u32,
    margin: f64,
    all: &mut Touches<32>,
    least: &mut f64,
) {
    let Placed { shape, pose, size } = body;
    let (normal, offset) = mesh.planes[part as usize];
    let support = shape.support(&(pose.rotation.inverse() * -normal));
    let center = normal.dot(&pose.translation.vector) - offset;
    let gap = center - support.value;
    // In front and far, or behind: the centre of the body is on the inner side and the body reaches through by half.
    if gap > margin || center < 0.0 {
        return;
    }
    let part_corners = mesh.tree.part(part);
    let vertices = part_corners.vertices();
    let touch = |a: Vector3<f64>| {
        let gap = normal.dot(&a) - offset;
        Touch {
            a,
            b: a - normal * gap,
            normal: -normal,
            gap,
        }
    };
    let deepest = touch((pose * support.point).coords);
    let beyond = outside(vertices, &normal, &deepest.b);
    if beyond == [false; 3] {
        *least = least.min(gap);
        all.push(deepest);
    } else if (0..3).any(|k| beyond[k] && mesh.ridges[part as usize][k]) {
        let options = QueryOptions::default().with_max_distance(margin);
        let here = Isometry3::identity();
        if let Ok(contact) = polytope_contact(shape, pose, &part_corners, &here, &options)
            && contact.outcome != Outcome::Beyond
            && contact.distance <= margin
            && contact.normal.dot(&normal) < 0.0
        {
            *least = least.min(contact.distance);
            all.push(Touch {
                a: contact.point_a.coords,
                b: contact.point_b.coords,
                normal: contact.normal.into_inner(),
                gap: contact.distance,
            });
        }
    }
    // A face of the body touches at its corners.
    for corner in corners(body, &-normal, TILTS[0]).into_iter().flatten() {
        let touch = touch(corner);
        if touch.gap < margin
            && touch.gap > -size
            && outside(vertices, &normal, &touch.b) == [false; 3]
        {
            *least = least.min(touch.gap);
            all.push(touch);
        }
    }
}

/// Beyond which edges of the triangle a point of its plane lies.
fn outside(corners: &[Point3<f64>], normal: &Vector3<f64>, p: &Vector3<f64>) -> [bool; 3] {
    [0, 1, 2].map(|i| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        (to - from).cross(&(p - from.coords)).dot(normal) < 0.0
    })
}

/// The touches from the deepest on, without those that another one covers.
fn distinct(all: &[Touch], size: f64) -> impl Iterator<Item = Touch> + '_ {
    let mut order: [usize; 32] = std::array::from_fn(|i| i);
    order[..all.len()].sort_unstable_by(|&i, &j| all[i].gap.total_cmp(&all[j].gap).then(i.cmp(&j)));
    let count = all.len();
    let mut kept = [0usize; 32];
    let mut kept_count = 0;
    (0..count).filter_map(move |k| {
        let touch = all[order[k]];
        let covered = kept[..kept_count].iter().any(|&i| {
            let other = &all[i];
            (other.a - touch.a).norm() < SAME * size && other.normal.dot(&touch.normal) > ALIKE
        });
        if covered {
            return None;
        }
        kept[kept_count] = order[k];
        kept_count += 1;
        Some(touch)
    })
}

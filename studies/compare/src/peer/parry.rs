//! parry3d: GJK and EPA with the injected support function, and with meshes.

use super::answer::{Answer, Peer, native};
use crate::mesh::Mesh;
use crate::support::Supported;
use crate::workload::{Case, Field, Other, Workload};
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::details::{
    contact_support_map_support_map_with_params, local_point_projection_on_support_map,
};
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::query::{PointQuery, distance};
use parry3d_f64::shape::{ConvexPolyhedron, SupportMap, TriMesh};
use std::cell::Cell;

/// A peer's name, and what makes it.
type Entry<'a> = (&'static str, fn(&'a Workload, &str) -> Box<dyn Peer + 'a>);

/// The peers of a workload whose names are wanted.
pub fn peers<'a>(workload: &'a Workload, wanted: impl Fn(&str) -> bool) -> Vec<Box<dyn Peer + 'a>> {
    let entries: [Entry<'a>; 2] = match workload.field {
        Field::Points => [
            ("parry, injected", point_injected),
            ("parry, triangle mesh of 266 vertices", point_mesh),
        ],
        Field::Warm => [
            ("parry, injected, warm", injected_warm),
            ("parry, injected, cold", injected_cold),
        ],
        _ => [
            ("parry, injected", injected_cold),
            ("parry, hull of 266 vertices", hulls),
        ],
    };
    let wanted = entries.into_iter().filter(|(name, _)| wanted(name));
    wanted.map(|(name, make)| make(workload, name)).collect()
}

/// The injected support function; counts its evaluations.
struct Injected {
    shape: Supported,
    evaluations: Cell<u32>,
}

impl SupportMap for Injected {
    fn local_support_point(&self, direction: Vector) -> Vector {
        self.evaluations.set(self.evaluations.get() + 1);
        let x = self
            .shape
            .point(&Vector3::new(direction.x, direction.y, direction.z));
        Vector::new(x.x, x.y, x.z)
    }
}

fn injected_shapes(workload: &Workload) -> Vec<Injected> {
    let inject = |shape| Injected {
        shape: Supported::from(shape),
        evaluations: Cell::new(0),
    };
    workload.shapes.iter().map(inject).collect()
}

fn pose(pose: &Isometry3<f64>) -> Pose {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    Pose::from_parts(
        Vector::new(t.x, t.y, t.z),
        Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

/// B seen from A.
fn relative(poses: &[Isometry3<f64>; 2]) -> Pose {
    pose(&poses[0].inv_mul(&poses[1]))
}

/// The index of body B; of A for a point, which the callers leave alone.
fn index_b(case: &Case) -> usize {
    match case.b {
        Other::Shape(b) => b,
        Other::Point => case.a,
    }
}

/// Signed distance and normal by GJK and EPA.
fn gjk(
    relative: &Pose,
    a: &impl SupportMap,
    b: &impl SupportMap,
    first: Option<Vector>,
) -> Option<(f64, Vector)> {
    let simplex = &mut VoronoiSimplex::new();
    match contact_support_map_support_map_with_params(relative, a, b, f64::MAX, simplex, first) {
        GJKResult::ClosestPoints(p, q, normal) => Some(((q - p).dot(normal), normal)),
        _ => None,
    }
}

fn injected_cold<'a>(workload: &'a Workload, name: &str) -> Box<dyn Peer + 'a> {
    injected(workload, name, false)
}

fn injected_warm<'a>(workload: &'a Workload, name: &str) -> Box<dyn Peer + 'a> {
    injected(workload, name, true)
}

fn injected<'a>(workload: &'a Workload, name: &str, warm: bool) -> Box<dyn Peer + 'a> {
    let shapes = injected_shapes(workload);
    let prepare = |case: &Case| {
        let (a, b) = (&shapes[case.a], &shapes[index_b(case)]);
        let before = case.before.last().filter(|_| warm);
        let normal = before.and_then(|poses| gjk(&relative(poses), a, b, None));
        (relative(&case.poses), normal.map(|(_, normal)| normal))
    };
    let prepared: Vec<_> = workload.cases.iter().map(prepare).collect();
    native(name, move |k| {
        let case = &workload.cases[k];
        let (relative, first) = &prepared[k];
        let a = &shapes[case.a];
        let before = a.evaluations.get();
        let found = gjk(relative, a, &shapes[index_b(case)], *first);
        Answer {
            evaluations: a.evaluations.get() - before,
            ..found.map_or(Answer::NONE, |(distance, _)| Answer::of(distance))
        }
    })
}

/// Hulls by GJK and EPA.
pub fn hulls<'a>(workload: &'a Workload, name: &str) -> Box<dyn Peer + 'a> {
    let hulls: Vec<_> = workload.shapes.iter().map(convex_polyhedron).collect();
    let poses: Vec<_> = workload
        .cases
        .iter()
        .map(|case| relative(&case.poses))
        .collect();
    native(name, move |k| {
        let case = &workload.cases[k];
        let (Some(a), Some(b)) = (&hulls[case.a], &hulls[index_b(case)]) else {
            return Answer::NONE;
        };
        gjk(&poses[k], a, b, None).map_or(Answer::NONE, |(distance, _)| Answer::of(distance))
    })
}

fn convex_polyhedron(shape: &superovoid::Superovoid) -> Option<ConvexPolyhedron> {
    let mesh = Mesh::hull(shape).ok()?;
    ConvexPolyhedron::from_convex_mesh(mesh.points(), &mesh.triangles)
}

fn tri_mesh(shape: &superovoid::Superovoid) -> Option<TriMesh> {
    let mesh = Mesh::hull(shape).ok()?;
    TriMesh::new(mesh.points(), mesh.triangles).ok()
}

/// Triangle meshes, for the full check of the hands: no depth.
pub fn meshes<'a>(workload: &'a Workload, name: &str) -> Box<dyn Peer + 'a> {
    let meshes: Vec<_> = workload.shapes.iter().map(tri_mesh).collect();
    let prepare = |case: &Case| [pose(&case.poses[0]), pose(&case.poses[1])];
    let poses: Vec<_> = workload.cases.iter().map(prepare).collect();
    native(name, move |k| {
        let case = &workload.cases[k];
        let (Some(a), Some(b)) = (&meshes[case.a], &meshes[index_b(case)]) else {
            return Answer::NONE;
        };
        match distance(&poses[k][0], a, &poses[k][1], b) {
            Ok(found) if found.distance > 0.0 => Answer::of(found.distance),
            Ok(_) => Answer::of(f64::NEG_INFINITY),
            Err(_) => Answer::NONE,
        }
    })
}

fn local_point(case: &Case) -> Vector {
    let x = case.poses[0].inverse_transform_vector(
        &(case.poses[1].translation.vector - case.poses[0].translation.vector),
    );
    Vector::new(x.x, x.y, x.z)
}

fn signed(point: Vector, projection: Vector, inside: bool) -> Answer {
    let distance = (point - projection).length();
    Answer::of(if inside { -distance } else { distance })
}

fn point_injected<'a>(workload: &'a Workload, name: &str) -> Box<dyn Peer + 'a> {
    let shapes = injected_shapes(workload);
    let points: Vec<_> = workload.cases.iter().map(local_point).collect();
    native(name, move |k| {
        let shape = &shapes[workload.cases[k].a];
        let before = shape.evaluations.get();
        let simplex = &mut VoronoiSimplex::new();
        let found = local_point_projection_on_support_map(shape, simplex, points[k], false);
        Answer {
            evaluations: shape.evaluations.get() - before,
            ..signed(points[k], found.point, found.is_inside)
        }
    })
}

fn point_mesh<'a>(workload: &'a Workload, name: &str) -> Box<dyn Peer + 'a> {
    let meshes: Vec<_> = workload.shapes.iter().map(tri_mesh).collect();
    let points: Vec<_> = workload.cases.iter().map(local_point).collect();
    // Which side is not asked for: it would need more than a mesh.
    let inside = |(case, x): (&Case, &Vector)| {
        workload.shapes[case.a].inside_outside(&Point3::new(x.x, x.y, x.z)) < 0.0
    };
    let inside: Vec<bool> = workload.cases.iter().zip(&points).map(inside).collect();
    native(name, move |k| {
        let case = &workload.cases[k];
        let Some(mesh) = &meshes[case.a] else {
            return Answer::NONE;
        };
        let found = mesh.project_local_point(points[k], false);
        signed(points[k], found.point, inside[k])
    })
}

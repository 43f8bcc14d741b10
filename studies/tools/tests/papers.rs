//! What the pages on the papers measure, on a few cases.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};
use parry3d_f64::shape::ConvexPolyhedron;
use superovoid::{QueryOptions, Superovoid, contact};
use superovoid_tools::parry::{hull_contact, pose, vector};
use superovoid_tools::statistics::witness_errors;

/// The paper's accuracy (20) is that of both nearest points. A facet that slides along another loses them and keeps the
/// distance.
#[test]
fn the_papers_error_is_that_of_the_points_and_not_of_the_distance() {
    let exact = [Point3::origin(), Point3::new(0.0, 0.0, 0.5)];
    let slid = exact.map(|p| p + nalgebra::Vector3::x() * 0.1);
    let [points, distance] = witness_errors(&slid, &exact);
    assert!((points - 0.02_f64.sqrt()).abs() < 1e-15 && distance == 0.0);
    let longer = [exact[0], Point3::new(0.0, 0.0, 0.6)];
    let [points, distance] = witness_errors(&longer, &exact);
    assert!((points - 0.1).abs() < 1e-15 && (distance - 0.1).abs() < 1e-15);
}

/// Hulls of 762 vertices, about those of the paper's figure 10: the distance is right to millimetres, and the points are
/// several centimetres off, as the paper says.
#[test]
fn hulls_of_762_vertices_have_the_distance_and_not_the_contact_points() {
    let a = Superovoid::new([0.96, 1.1, 1.4], [0.9, 0.7], [0.2, 0.2]).unwrap();
    let b = Superovoid::new([1.4, 1.2, 0.96], [0.6, 1.0], [-0.15, -0.15]).unwrap();
    let hulls = [&a, &b].map(|body| {
        let mesh = body.tessellate(40);
        assert_eq!(mesh.vertices.len(), 762);
        let points: Vec<_> = mesh.vertices.iter().map(vector).collect();
        ConvexPolyhedron::from_convex_hull(&points).unwrap()
    });
    let here = Isometry3::identity();
    let mut sums = [0.0; 2];
    const POSES: usize = 60;
    for k in 0..POSES {
        let x = k as f64 * 0.618_033_988_749_895;
        let z = 2.0 * (k as f64 + 0.5) / POSES as f64 - 1.0;
        let (sin, cos) = (std::f64::consts::TAU * x).sin_cos();
        let flat = (1.0 - z * z).sqrt();
        let at = Translation3::new(3.5 * flat * cos, 3.5 * flat * sin, 3.5 * z);
        let there =
            Isometry3::from_parts(at, UnitQuaternion::from_euler_angles(x, 2.0 * x, 3.0 * x));
        let exact = contact(&a, &here, &b, &there, &QueryOptions::default(), None).unwrap();
        assert!(exact.lower > 0.0);
        let [p, q, _] = hull_contact(&pose(&there), &hulls[0], &hulls[1]).unwrap();
        let found = [p, q].map(|p| Point3::new(p.x, p.y, p.z));
        let errors = witness_errors(&found, &[exact.point_a, exact.point_b]);
        sums[0] += errors[0] / POSES as f64;
        sums[1] += errors[1] / POSES as f64;
    }
    let [points, distance] = sums;
    println!("points {points} m, distance {distance} m");
    assert!((0.04..0.12).contains(&points), "{points}");
    assert!((0.002..0.015).contains(&distance), "{distance}");
}

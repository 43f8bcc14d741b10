//! Meshes: what is read, what is fitted to them, and what a body that encloses them promises.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;
use superovoid::Superovoid;
use superovoid_fit::{
    Aim, Family, Fit, Loss, Mesh, MeshOptions, Part, PartsOptions, fit_mesh, fit_parts,
};

fn pose() -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::new(0.3, -0.2, 0.7),
        UnitQuaternion::from_euler_angles(0.4, -0.7, 1.9),
    )
}

fn moved(shape: &Superovoid, pose: &Isometry3<f64>, scale: f64) -> Mesh {
    let mut mesh = shape.tessellate(16);
    for v in &mut mesh.vertices {
        *v = Point3::from((pose * *v).coords * scale);
    }
    Mesh::try_from(mesh).unwrap()
}

/// Options for what does not depend on how well the bodies fit: few points, and no distances both ways.
fn rough_parts() -> PartsOptions<'static> {
    let mut options = PartsOptions::default();
    options.mesh.samples = 100;
    options.mesh.fit.loss = Loss::Robust;
    options
}

fn block(center: [f64; 3], half: [f64; 3]) -> (Vec<Point3<f64>>, Vec<[u32; 3]>) {
    let corner = |k: usize| {
        let side = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
        Point3::from(Vector3::from_fn(|i, _| center[i] + side(i) * half[i]))
    };
    let quads: [[u32; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), triangles.collect())
}

/// The inside-outside function in another arrangement than the library's: ratios and powers as in the definition.
fn gauge(shape: &Superovoid, p: &Point3<f64>) -> f64 {
    let ([a1, a2, a3], [e1, e2], [tx, ty]) = (shape.semi_axes(), shape.exponents(), shape.tapers());
    let z = p.z / a3;
    let norm = |x: f64, y: f64, e: f64| {
        let most = x.abs().max(y.abs());
        let power = |x: f64| (x.abs() / most).powf(2.0 / e);
        most * (power(x) + power(y)).powf(0.5 * e)
    };
    norm(
        norm(p.x / (a1 * (1.0 + tx * z)), p.y / (a2 * (1.0 + ty * z)), e1),
        z,
        e2,
    )
}

#[test]
fn enclosing_bodies_hold_every_vertex_and_little_more() {
    let shapes = [
        ([0.02, 0.03, 0.05], [1.0, 1.0], [0.0, 0.0]),
        ([0.02, 0.03, 0.05], [0.3, 0.2], [0.4, 0.4]),
        ([0.05, 0.02, 0.03], [1.6, 1.3], [0.1, -0.1]),
    ];
    for (a, e, t) in shapes {
        let shape = Superovoid::new(a, e, t).unwrap();
        let scales: &[f64] = if t == [0.0; 2] {
            &[1.0, 1e-6, 1e6]
        } else {
            &[1.0]
        };
        for &scale in scales {
            let mesh = moved(&shape, &pose(), scale);
            let mut options = MeshOptions::default();
            options.fit.aim = Aim::Enclosing;
            let found = fit_mesh(&mesh, &options).unwrap();
            assert!(found.shape.is_convex());
            for v in mesh.vertices() {
                let local = found.pose.inverse_transform_point(v);
                assert!(found.shape.inside_outside(&local) <= 0.0);
                assert!(gauge(&found.shape, &local) <= 1.0);
            }
            // The body that the vertices were taken from encloses them too.
            let volume = found.shape.volume() / (shape.volume() * scale.powi(3));
            assert!((0.9..1.002).contains(&volume), "{volume} {shape:?} {scale}");
        }
    }
}

#[test]
fn a_box_is_enclosed_by_a_box_and_a_tetrahedron_by_something() {
    let mut options = MeshOptions::default();
    options.fit.aim = Aim::Enclosing;
    let (corners, triangles) = block([0.1, 0.2, 0.3], [0.05, 0.03, 0.02]);
    let mesh = Mesh::new(corners, triangles).unwrap();
    let found = fit_mesh(&mesh, &options).unwrap();
    let ratio = found.report(&mesh).unwrap().volume_to_mesh.unwrap();
    assert!((1.0..1.05).contains(&ratio), "{ratio}");

    let p = |x: f64, y: f64, z: f64| Point3::new(x, y, z);
    let corners = vec![
        p(0.0, 0.0, 0.0),
        p(1.0, 0.0, 0.0),
        p(0.0, 1.0, 0.0),
        p(0.0, 0.0, 1.0),
    ];
    let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = Mesh::new(corners, sides).unwrap();
    let found = fit_mesh(&mesh, &options).unwrap();
    for v in mesh.vertices() {
        assert!(
            found
                .shape
                .inside_outside(&found.pose.inverse_transform_point(v))
                <= 0.0
        );
    }
    let ratio = found.report(&mesh).unwrap().volume_to_mesh.unwrap();
    assert!(ratio < 3.0, "{ratio}");
}

#[test]
fn inscribed_bodies_leave_every_vertex_out() {
    let (corners, triangles) = block([0.1, 0.2, 0.3], [0.05, 0.03, 0.02]);
    let brick = Mesh::new(corners, triangles).unwrap();
    let egg = Superovoid::new([0.02, 0.03, 0.05], [1.0, 0.8], [0.2, 0.2]).unwrap();
    let all = [Family::Convex, Family::Superellipsoid, Family::Any];
    for (mesh, families) in [(brick, &all[..]), (moved(&egg, &pose(), 1.0), &all[..1])] {
        for &family in families {
            let mut options = MeshOptions::default().with_samples(300);
            options.fit.aim = Aim::Inscribed;
            options.fit.family = family;
            let found = fit_mesh(&mesh, &options).unwrap();
            for v in mesh.vertices() {
                let local = found.pose.inverse_transform_point(v);
                assert!(found.shape.inside_outside(&local) >= 0.0);
            }
            let ratio = found.shape.volume() / mesh.volume().unwrap();
            let least = if family == Family::Superellipsoid {
                0.8
            } else {
                0.9
            };
            assert!((least..1.02).contains(&ratio), "{ratio} {family:?}");
        }
    }
}

#[test]
fn one_block_stays_one_body() {
    let (corners, triangles) = block([0.0, 0.0, 0.5], [0.1, 0.1, 0.5]);
    let alone = Mesh::new(corners, triangles).unwrap();
    let parts = fit_parts(&alone, &rough_parts()).unwrap();
    assert_eq!(parts.len(), 1);
}

/// Two blocks in an L, and their parts by an aim: few, and not much larger than the blocks.
fn parts_of_an_l(mut options: PartsOptions, aim: Aim) -> (Mesh, Vec<Part>) {
    let (mut corners, mut triangles) = block([0.0, 0.0, 0.5], [0.1, 0.1, 0.5]);
    let (more, sides) = block([0.4, 0.0, 0.1], [0.32, 0.1, 0.1]);
    let first = corners.len() as u32;
    corners.extend(more);
    triangles.extend(sides.iter().map(|t| t.map(|v| v + first)));
    let l = Mesh::new(corners, triangles).unwrap();
    options.mesh.fit.aim = aim;
    let parts = fit_parts(&l, &options).unwrap();
    assert!((2..=4).contains(&parts.len()), "{}", parts.len());
    let volume: f64 = parts.iter().map(|p| p.fit.shape.volume()).sum();
    assert!(volume < 1.5 * (0.04 + 0.0256), "{volume}");
    (l, parts)
}

#[test]
fn blocks_in_an_l_become_two_bodies_or_some_more() {
    parts_of_an_l(rough_parts(), Aim::Best);
}

/// A cut that had lost an arm of this L was the smallest, and 43 % of the surface was outside of its two bodies.
#[test]
fn enclosing_bodies_lose_no_arm_of_an_l() {
    let outline = [
        [0.0, 0.0],
        [0.2, 0.0],
        [0.2, 0.1],
        [0.1, 0.1],
        [0.1, 0.2],
        [0.0, 0.2],
    ];
    let corners = [0.0, 0.1]
        .iter()
        .flat_map(|z| outline.map(|[x, y]| Point3::new(x, y, *z)));
    let ends = (1..5_u32).flat_map(|k| [[k + 1, k, 0], [6, k + 6, k + 7]]);
    let sides = (0..6_u32).flat_map(|k| {
        let next = (k + 1) % 6;
        [[k, next, next + 6], [k, next + 6, k + 6]]
    });
    let l = Mesh::new(corners.collect(), ends.chain(sides).collect()).unwrap();
    for most in [2, 3] {
        let mut options = rough_parts().with_most(most);
        options.mesh.fit.aim = Aim::Enclosing;
        let parts = fit_parts(&l, &options).unwrap();
        for p in l.sample(2000).iter().chain(l.vertices()) {
            let holds = |part: &Part| {
                let local = part.fit.pose.inverse_transform_point(p);
                part.fit.shape.inside_outside(&local) <= 0.0
            };
            assert!(parts.iter().any(holds), "{most}: {p}");
        }
    }
}

#[test]
#[ignore = "ten seconds"]
fn blocks_in_an_l_become_two_bodies_or_some_more_long() {
    parts_of_an_l(PartsOptions::default(), Aim::Best);
}

#[test]
#[ignore = "thirty seconds"]
fn blocks_in_an_l_are_enclosed_by_two_bodies_or_some_more_long() {
    let (l, parts) = parts_of_an_l(PartsOptions::default(), Aim::Enclosing);
    let inside = |p: &Point3<f64>| {
        parts.iter().any(|part| {
            let local = part.fit.pose.inverse_transform_point(p);
            part.fit.shape.inside_outside(&local) <= 0.0
        })
    };
    assert!(l.vertices().iter().all(inside));
    assert!(l.sample(2000).iter().all(inside));
}

#[test]
fn reports_measure_what_is_known() {
    let ball = Superovoid::sphere(0.1).unwrap();
    let mut mesh = ball.tessellate(64);
    mesh.vertices.iter_mut().for_each(|v| *v = pose() * *v);
    let mesh = Mesh::try_from(mesh).unwrap();
    let larger = Fit::new(Superovoid::sphere(0.11).unwrap(), pose(), Duration::ZERO);
    let report = larger.report(&mesh).unwrap();
    for distances in [report.mesh_to_body, report.body_to_mesh] {
        for d in [distances.rms, distances.p95, distances.max] {
            assert!((d - 0.01).abs() < 3e-4, "{report:?}");
        }
    }
    let ratio = 1.1f64.powi(3) * ball.volume() / mesh.volume().unwrap();
    assert!((report.volume_to_mesh.unwrap() - ratio).abs() < 1e-9);
    assert!((report.volume_to_hull.unwrap() - ratio).abs() < 1e-3);
}

#[test]
fn flat_meshes_are_refused() {
    let p = |x: f64, y: f64| Point3::new(x, y, 0.5);
    let mesh = Mesh::new(vec![p(0.0, 0.0), p(1.0, 0.0), p(0.0, 1.0)], vec![[0, 1, 2]]).unwrap();
    assert!(fit_mesh(&mesh, &MeshOptions::default()).is_err());
    assert!(fit_parts(&mesh, &PartsOptions::default()).is_err());
}

/// No body near an enclosing one, grown until it holds the vertices too, is much smaller.
#[test]
fn enclosing_bodies_cannot_be_bettered_nearby() {
    let (corners, triangles) = block([0.1, 0.2, 0.3], [0.05, 0.03, 0.02]);
    let mut wedge = corners.clone();
    wedge
        .iter_mut()
        .filter(|p| p.x > 0.1)
        .for_each(|p| p.y = 0.2 + 0.6 * (p.y - 0.2));
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for corners in [corners, wedge] {
        let mesh = Mesh::new(corners, triangles.clone()).unwrap();
        let mut options = MeshOptions::default();
        options.fit.aim = Aim::Enclosing;
        let found = fit_mesh(&mesh, &options).unwrap();
        let grown_volume = |shape: &Superovoid, pose: &Isometry3<f64>| {
            let local = |v| pose.inverse_transform_point(v);
            let points: Vec<_> = mesh.vertices().iter().map(local).collect();
            let holds = |k: f64| points.iter().all(|p| gauge(shape, &(p / k)) <= 1.0);
            let (mut low, mut high) = (0.5, 2.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                *(if holds(middle) { &mut high } else { &mut low }) = middle;
            }
            shape.volume() * f64::powi(high, 3)
        };
        let volume = found.shape.volume();
        assert!(grown_volume(&found.shape, &found.pose) <= volume * (1.0 + 1e-9));
        for _ in 0..3000 {
            let step = 10f64.powf(random.random_range(-4.0..-1.0));
            if let Some((shape, pose)) = beside(&found, step, &mut random) {
                assert!(
                    grown_volume(&shape, &pose) > 0.995 * volume,
                    "{found:?} {shape:?}"
                );
            }
        }
    }
}

/// A convex body beside a fit, at most `step` (relative) away in every parameter.
fn beside(found: &Fit, step: f64, random: &mut ChaCha8Rng) -> Option<(Superovoid, Isometry3<f64>)> {
    let mut x = || step * random.random_range(-1.0..1.0);
    let t = found.shape.tapers()[0] + x();
    let shape = Superovoid::new(
        found.shape.semi_axes().map(|a| a * (1.0 + x())),
        found
            .shape
            .exponents()
            .map(|e| (e * (1.0 + x())).clamp(0.01, 1.99)),
        [t, t],
    );
    let turn = UnitQuaternion::from_euler_angles(x(), x(), x());
    let shift = Translation3::new(0.05 * x(), 0.05 * x(), 0.05 * x());
    let pose = found.pose * Isometry3::from_parts(shift, turn);
    Some((shape.ok().filter(Superovoid::is_convex)?, pose))
}

/// No body near the best fit of a mesh has a smaller sum of mean squares both ways.
fn check_that_no_fit_nearby_is_better(others: usize) {
    let (mut corners, triangles) = block([0.1, 0.2, 0.3], [0.05, 0.03, 0.02]);
    corners
        .iter_mut()
        .filter(|p| p.x > 0.1)
        .for_each(|p| p.y = 0.2 + 0.6 * (p.y - 0.2));
    let mesh = Mesh::new(corners, triangles).unwrap();
    let found = fit_mesh(&mesh, &MeshOptions::default()).unwrap();
    let error = |fit: &Fit| {
        let report = fit.report(&mesh).unwrap();
        report.mesh_to_body.rms.powi(2) + report.body_to_mesh.rms.powi(2)
    };
    let least = error(&found);
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..others {
        let step = 10f64.powf(random.random_range(-3.0..-1.0));
        if let Some((shape, pose)) = beside(&found, step, &mut random) {
            let other = Fit::new(shape, pose, found.time);
            // The samples of the report and of the fit differ.
            assert!(error(&other) > 0.98 * least, "{found:?} {shape:?}");
        }
    }
}

#[test]
fn fits_of_meshes_cannot_be_bettered_nearby() {
    check_that_no_fit_nearby_is_better(15);
}

#[test]
#[ignore = "four times the bodies"]
fn fits_of_meshes_cannot_be_bettered_nearby_long() {
    check_that_no_fit_nearby_is_better(60);
}

/// Five fingers on a palm are parted into as many bodies as asked for, or fewer.
fn check_numbers_of_parts(numbers: &[u32], options: &PartsOptions) {
    let mut star = block([0.0; 3], [0.5, 0.1, 0.1]);
    for k in 0..5 {
        let first = star.0.len() as u32;
        let finger = block([0.24 * f64::from(k) - 0.46, 0.4, 0.0], [0.04, 0.3, 0.1]);
        star.0.extend(finger.0);
        star.1.extend(finger.1.iter().map(|t| t.map(|v| v + first)));
    }
    let mesh = Mesh::new(star.0, star.1).unwrap();
    for &most in numbers {
        let parts = fit_parts(&mesh, &options.with_most(most)).unwrap();
        assert!(parts.len() <= most as usize, "{most}: {}", parts.len());
    }
}

#[test]
fn there_are_no_more_parts_than_asked_for() {
    check_numbers_of_parts(&[5], &rough_parts());
}

#[test]
#[ignore = "thirty seconds"]
fn there_are_no_more_parts_than_asked_for_long() {
    let mut options = PartsOptions::default();
    options.mesh.samples = 100;
    check_numbers_of_parts(&[2, 3, 5], &options);
}

//! Scans to teeth.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use std::time::Duration;
use superovoid::{Superovoid, TriangleMesh};
use superovoid_bite::{
    Bite, BiteError, Body, Closing, FrameOptions, Molar, Path, Status, Tooth, ToothOptions,
    fit_tooth, scan, union_mesh_of,
};
use superovoid_fit::{Fit, FitError, FitOptions, Mesh, Progress, refine_union};

const NOISE: f64 = 5e-5;

fn scanned(molar: &Molar, seed: u64) -> Mesh {
    let tooth = molar.tooth().unwrap();
    let mesh = union_mesh_of(&tooth, 6200).unwrap();
    Mesh::try_from(scan(&mesh, NOISE, seed)).unwrap()
}

/// The lower molar is fitted to its scan; the upper one too, if `both` says so.
fn check_that_scans_give_teeth_that_bite(both: bool) {
    let [lower, upper] = [(Molar::lower(), 1), (Molar::upper(), 2)].map(|(molar, seed)| {
        if seed == 2 && !both {
            return molar.tooth().unwrap();
        }
        let fitted = fit_tooth("molar", &scanned(&molar, seed), &ToothOptions::default()).unwrap();
        assert!(fitted.tooth.bodies().len() <= 8);
        let report = &fitted.report;
        // The noise is 0.05 mm at most.
        assert!(
            report.mesh_to_union.rms < 8e-5 && report.union_to_mesh.rms < 8e-5,
            "{report:?}"
        );
        assert!(report.hole < 5e-4 && report.hole <= report.allowed);
        fitted.tooth
    });
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    let mut bite = Bite::new(&lower, &upper);
    for (k, pose) in path.poses().iter().enumerate() {
        let frame = bite.frame(pose, &FrameOptions::default()).unwrap();
        let overlaps = (47..=111).contains(&k);
        assert_eq!(frame.status() == Status::Overlap, overlaps, "frame {k}");
        assert_eq!(frame.status() == Status::Apart, !overlaps, "frame {k}");
        if let Some(lift) = frame.lift {
            assert!((lift.upper - Closing::default().depth(k)).abs() < 1e-10);
        }
    }
}

#[test]
fn a_scan_gives_a_tooth_to_within_its_noise_that_bites() {
    check_that_scans_give_teeth_that_bite(false);
}

#[test]
#[ignore = "ten seconds"]
fn a_scan_gives_a_tooth_to_within_its_noise_that_bites_long() {
    check_that_scans_give_teeth_that_bite(true);
}

/// A mesh of two far-away balls cannot be one body.
fn two_balls(triangles: usize) -> Mesh {
    let ball = |x: f64| Body {
        name: "ball".to_owned(),
        shape: Superovoid::sphere(1e-3).unwrap(),
        pose: Isometry3::translation(x, 0.0, 0.0),
    };
    let tooth = Tooth::new(vec![ball(-7e-4), ball(7e-4)]).unwrap();
    Mesh::try_from(union_mesh_of(&tooth, triangles).unwrap()).unwrap()
}

fn with_one_part(allowed: f64) -> ToothOptions<'static> {
    let mut options = ToothOptions::default();
    options.parts.most = 1;
    options.parts.concavity = 1.0;
    options.allowed = allowed;
    options
}

#[test]
fn a_fit_that_leaves_a_hole_or_bulges_says_where() {
    let error = fit_tooth("pair", &two_balls(2000), &with_one_part(5e-5)).unwrap_err();
    assert!(
        matches!(error, BiteError::Hole { .. } | BiteError::Bulge { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("use more parts"), "{error}");
    let fitted = fit_tooth("pair", &two_balls(2000), &with_one_part(1e-3)).unwrap();
    assert!(fitted.report.mesh_to_union.max > 5e-5);
}

#[test]
fn open_meshes_and_bad_options_are_named() {
    let mesh = two_balls(200);
    let open = Mesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec()).unwrap();
    let options = ToothOptions::default();
    assert_eq!(
        fit_tooth("open", &open, &options).unwrap_err(),
        BiteError::OpenMesh
    );
    for allowed in [-1.0, f64::NAN, f64::INFINITY] {
        let error = fit_tooth("odd", &mesh, &ToothOptions { allowed, ..options }).unwrap_err();
        assert!(matches!(
            error,
            BiteError::Setting {
                name: "allowed",
                ..
            }
        ));
    }
    let flat = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| Point3::new(x, y, 0.0));
    let sheet = TriangleMesh {
        vertices: flat.to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    let error = fit_tooth("flat", &Mesh::try_from(sheet).unwrap(), &options).unwrap_err();
    assert_eq!(error, BiteError::Fit(FitError::Flat));
    let stop = |_: Progress| false;
    let mut cancelled = options;
    cancelled.parts = cancelled.parts.with_mesh(
        cancelled
            .parts
            .mesh
            .with_fit(FitOptions::default().with_progress(Some(&stop))),
    );
    let error = fit_tooth("cancelled", &mesh, &cancelled).unwrap_err();
    assert_eq!(error, BiteError::Fit(FitError::Cancelled));
}

fn placed(shape: Superovoid, at: [f64; 3], turn: [f64; 3]) -> Fit {
    let [roll, pitch, yaw] = turn;
    let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    let pose = Isometry3::from_parts(Vector3::from(at).into(), turn);
    Fit::new(shape, pose, Duration::ZERO)
}

fn rod_and_egg() -> [Fit; 2] {
    let rod = Superovoid::superellipsoid([3.0, 0.8, 0.7], [0.7, 0.8]).unwrap();
    let egg = Superovoid::new([1.2, 1.3, 1.8], [1.0, 1.0], [-0.3, -0.3]).unwrap();
    [
        placed(rod, [0.0; 3], [0.2, 0.1, 0.3]),
        placed(egg, [0.5, 0.2, 1.0], [0.1, -0.2, 0.0]),
    ]
}

fn joined(fits: &[Fit]) -> (Tooth, Mesh) {
    let bodies = fits.iter().map(|fit| Body {
        name: "body".to_owned(),
        shape: fit.shape,
        pose: fit.pose,
    });
    let tooth = Tooth::new(bodies.collect()).unwrap();
    let mesh = Mesh::try_from(union_mesh_of(&tooth, 6000).unwrap()).unwrap();
    (tooth, mesh)
}

#[test]
fn bodies_that_are_off_find_back_together() {
    let truth = rod_and_egg();
    let (_, mesh) = joined(&truth);
    let off = [
        placed(
            Superovoid::superellipsoid([2.6, 0.9, 0.8], [0.8, 0.8]).unwrap(),
            [0.2, -0.1, 0.1],
            [0.15, 0.0, 0.4],
        ),
        placed(
            Superovoid::superellipsoid([1.0, 1.1, 1.3], [1.0, 1.0]).unwrap(),
            [0.4, 0.3, 1.4],
            [0.0; 3],
        ),
    ];
    let found = refine_union(&mesh, &off).unwrap();
    assert_eq!(found.len(), 2);
    let near = |found: &[f64], truth: &[f64], within: f64| {
        let both = found.iter().zip(truth);
        assert!(
            both.clone().all(|(a, b)| (a - b).abs() < within),
            "{found:?} {truth:?}"
        );
    };
    for (fit, truth) in found.iter().zip(&truth) {
        // The mesh is cut off at the seam of the two, by as much as its cells are long: 0.1.
        near(&fit.shape.semi_axes(), &truth.shape.semi_axes(), 0.02);
        near(&fit.shape.exponents(), &truth.shape.exponents(), 0.03);
        near(&fit.shape.tapers(), &truth.shape.tapers(), 0.02);
        let apart = fit.pose.translation.vector - truth.pose.translation.vector;
        assert!(apart.norm() < 0.02 && fit.shape.is_convex());
    }
}

#[test]
fn a_body_that_is_not_needed_is_left_out() {
    let truth = rod_and_egg();
    let (_, mesh) = joined(&truth);
    let small = Superovoid::sphere(0.3).unwrap();
    let three = [
        truth[0],
        placed(small, [-1.0, -0.2, 0.2], [0.0; 3]),
        truth[1],
    ];
    assert_eq!(refine_union(&mesh, &three).unwrap().len(), 2);
}

#[test]
fn the_unit_of_a_refinement_does_not_matter() {
    let truth = rod_and_egg();
    let (_, mesh) = joined(&truth);
    const K: f64 = 1e-6;
    let scaled = |fit: &Fit| {
        let s = &fit.shape;
        let shape = Superovoid::new(s.semi_axes().map(|a| K * a), s.exponents(), s.tapers());
        let translation = fit.pose.translation.vector * K;
        let pose = Isometry3::from_parts(translation.into(), fit.pose.rotation);
        Fit::new(shape.unwrap(), pose, Duration::ZERO)
    };
    let large = refine_union(&mesh, &truth).unwrap();
    let small = refine_union(&mesh.scaled([K; 3]).unwrap(), &truth.map(|f| scaled(&f))).unwrap();
    for (a, b) in large.iter().zip(&small) {
        let ratio = b.shape.volume() / a.shape.volume() / K.powi(3);
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    }
}

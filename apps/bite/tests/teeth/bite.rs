//! The bite of the procedural molars: no jumps, certified, a lift that is proven.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use superovoid::{CollisionStatus, DepthMode, QueryOptions, Superovoid, contact};
use superovoid_bite::{
    Bite, BiteError, Body, Closing, Frame, FrameOptions, Molar, Path, SchemeRun, Status, Surfaces,
    Tooth, union_mesh_of,
};

fn molars() -> [Tooth; 2] {
    [Molar::lower(), Molar::upper()].map(|m| m.tooth().unwrap())
}

fn frames(lower: &Tooth, upper: &Tooth, path: &Path, options: &FrameOptions) -> Vec<Frame> {
    let mut bite = Bite::new(lower, upper);
    let poses = path.poses().iter();
    poses
        .map(|pose| bite.frame(pose, options).unwrap())
        .collect()
}

/// The worst that is proven of all pairs, every one asked by itself: that all are apart, or that one touches.
fn all_pairs(lower: &Tooth, upper: &Tooth, pose: &Isometry3<f64>) -> CollisionStatus {
    let mut worst = CollisionStatus::Free;
    for a in lower.bodies() {
        for b in upper.bodies() {
            let at = pose * b.pose;
            let options = QueryOptions::default();
            let found = contact(&a.shape, &a.pose, &b.shape, &at, &options, None).unwrap();
            match found.status() {
                CollisionStatus::Collision => return CollisionStatus::Collision,
                CollisionStatus::Undecided => worst = CollisionStatus::Undecided,
                CollisionStatus::Free => (),
            }
        }
    }
    worst
}

fn raised(pose: &Isometry3<f64>, by: f64) -> Isometry3<f64> {
    Translation3::new(0.0, 0.0, by) * pose
}

/// Meshes share no code with the queries; their error is their sagitta.
#[test]
fn the_curve_is_that_of_fine_meshes_and_overlaps_where_they_cross() {
    let [lower, upper] = molars();
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    let surface = |tooth: &Tooth| {
        let mesh = union_mesh_of(tooth, 6200).unwrap();
        Surfaces::new(&mesh.vertices, &mesh.triangles).unwrap()
    };
    let surfaces = [surface(&lower), surface(&upper)];
    let found = frames(&lower, &upper, &path, &FrameOptions::default());
    let mut hint = None;
    for k in [0, 30, 46, 79, 130] {
        let pose = &path.poses()[k];
        let mesh = surfaces[0].distance(&surfaces[1], pose).unwrap();
        let hinted = surfaces[0].nearest(&surfaces[1], pose, hint).unwrap();
        assert!((hinted.distance - mesh).abs() < 1e-12, "{k}: {hinted:?}");
        hint = hinted.triangles.or(Some([u32::MAX, 0]));
        let exact = found[k].distance.max(0.0);
        // Meshes are inside of the bodies.
        assert!(
            mesh >= exact - 1e-12 && mesh < exact + 4e-5,
            "{k}: {mesh} {exact}"
        );
    }
}

#[test]
fn a_bite_has_no_jumps_is_certified_and_overlaps_from_frame_47_to_111() {
    let [lower, upper] = molars();
    let closing = Closing::default();
    let path = Path::closing(&lower, &upper, &closing).unwrap();
    let found = frames(&lower, &upper, &path, &FrameOptions::default());
    assert_eq!(found.len(), 181);
    for (k, frame) in found.iter().enumerate() {
        assert!(frame.lower <= frame.distance && frame.distance <= frame.upper);
        let overlaps = (47..=111).contains(&k);
        let expected = if overlaps {
            Status::Overlap
        } else {
            Status::Apart
        };
        assert_eq!(frame.status(), expected, "frame {k}");
        if !overlaps {
            assert!(
                frame.certified && frame.upper - frame.lower < 1e-11,
                "frame {k}"
            );
        } else {
            assert!(frame.upper - frame.lower < 1.1e-8, "frame {k}");
        }
    }
    for (k, two) in found.windows(2).enumerate() {
        let jump = (two[1].distance - two[0].distance).abs();
        assert!(jump <= closing.step + 2e-8, "frame {k}: {jump:e}");
    }
}

#[test]
fn a_symmetric_path_gives_a_symmetric_curve_warm_and_cold() {
    let [lower, upper] = molars();
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    let warm = frames(&lower, &upper, &path, &FrameOptions::default());
    let cold = FrameOptions {
        warm: false,
        ..FrameOptions::default()
    };
    let cold = frames(&lower, &upper, &path, &cold);
    for k in 0..=79 {
        let mirror = 2 * 79 - k;
        // Certified depths are known to 1e-6 of the larger body.
        assert!(
            (warm[k].distance - warm[mirror].distance).abs() < 1.1e-8,
            "{k}"
        );
        assert!(
            (cold[k].distance - cold[mirror].distance).abs() < 1.1e-8,
            "{k}"
        );
    }
    for (k, (a, b)) in warm.iter().zip(&cold).enumerate() {
        assert!((a.distance - b.distance).abs() < 1.1e-8, "{k}");
    }
}

#[test]
fn the_lift_is_what_the_path_closed_and_is_proven_above_and_refuted_below() {
    let [lower, upper] = molars();
    let closing = Closing::default();
    let path = Path::closing(&lower, &upper, &closing).unwrap();
    let found = frames(&lower, &upper, &path, &FrameOptions::default());
    for (k, frame) in found.iter().enumerate() {
        let Some(lift) = frame.lift else {
            assert_eq!(frame.status(), Status::Apart, "frame {k}");
            continue;
        };
        // A straight path along z is undone by what it closed.
        assert!((lift.upper - closing.depth(k)).abs() < 1e-10, "frame {k}");
        assert!(lift.upper - lift.lower < 1e-9, "frame {k}");
        let pose = &path.poses()[k];
        let above = all_pairs(&lower, &upper, &raised(pose, lift.upper + 1e-9));
        assert_eq!(above, CollisionStatus::Free, "frame {k}");
        let below = all_pairs(&lower, &upper, &raised(pose, lift.lower - 1e-9));
        assert_eq!(below, CollisionStatus::Collision, "frame {k}");
    }
}

#[test]
fn the_lift_of_a_tilted_path_is_proven_too() {
    let [lower, upper] = molars();
    let start = Path::closing(&lower, &upper, &Closing::default())
        .unwrap()
        .poses()[47];
    for k in 0..40 {
        let s = f64::from(k);
        let turn = UnitQuaternion::from_euler_angles(0.006 * s, -0.004 * s, 0.01 * s);
        let shift = Translation3::new(2e-5 * s, -1e-5 * s, -3e-5 * s);
        // About the middle of the upper tooth.
        let middle = Translation3::new(0.0, 0.0, 0.012);
        let pose = shift * start * middle * turn * middle.inverse();
        let Some(lift) = lower.lift(&upper, &pose).unwrap() else {
            panic!("frame {k}: the teeth pass each other");
        };
        let above = all_pairs(&lower, &upper, &raised(&pose, lift.upper + 1e-9));
        assert_eq!(above, CollisionStatus::Free, "frame {k}");
        if lift.lower > 0.0 {
            let below = all_pairs(&lower, &upper, &raised(&pose, lift.lower - 1e-9));
            assert_eq!(below, CollisionStatus::Collision, "frame {k}");
        }
        // No move above the lift meets anything again.
        for j in 1..50 {
            let by = lift.upper + f64::from(j) * 2e-4;
            let status = all_pairs(&lower, &upper, &raised(&pose, by));
            assert_eq!(status, CollisionStatus::Free, "frame {k}, {by}");
        }
    }
}

fn ball(name: &str, x: f64, z: f64, radius: f64) -> Body {
    Body {
        name: name.to_owned(),
        shape: Superovoid::sphere(radius).unwrap(),
        pose: Isometry3::translation(x, 0.0, z),
    }
}

#[test]
fn balls_have_the_lift_of_geometry() {
    // Balls of radius 1 meet where their centres are 2 apart; at a distance x aside they part at a height of √(4 − x²).
    let lower = Tooth::new(vec![ball("low", 0.0, 0.0, 1.0), ball("far", 9.0, 0.0, 1.0)]).unwrap();
    for x in [0.0, 0.5, 1.2, 1.9, 1.999] {
        let upper = Tooth::new(vec![ball("up", x, -0.5, 1.0)]).unwrap();
        let lift = lower.lift(&upper, &Isometry3::identity()).unwrap().unwrap();
        let expected = f64::sqrt(4.0 - x * x) + 0.5;
        assert!(lift.lower <= expected + 1e-12 && expected <= lift.upper + 1e-12);
        assert!(lift.upper - expected < 1e-6, "{x}: {lift:?} {expected}");
        assert_eq!(lift.pair, [0, 0]);
    }
    let aside = Tooth::new(vec![ball("up", 2.5, 0.5, 1.0)]).unwrap();
    assert_eq!(lower.lift(&aside, &Isometry3::identity()).unwrap(), None);
}

#[test]
fn a_hook_that_is_free_now_and_meets_on_its_way_up_counts() {
    // The upper tooth reaches below the lower one.
    let lower = Tooth::new(vec![ball("low", 0.0, 0.0, 1.0)]).unwrap();
    let upper = Tooth::new(vec![
        ball("hook", 0.0, -3.0, 0.5),
        ball("top", 3.0, 0.0, 0.5),
    ])
    .unwrap();
    let here = Isometry3::identity();
    let mut bite = Bite::new(&lower, &upper);
    let frame = bite.frame(&here, &FrameOptions::default()).unwrap();
    assert_eq!(frame.status(), Status::Apart);
    let lift = lower.lift(&upper, &here).unwrap().unwrap();
    assert!((lift.upper - 4.5).abs() < 1e-8);
}

#[test]
fn pairs_are_left_out_only_where_another_is_nearer() {
    let [lower, upper] = molars();
    let mut bite = Bite::new(&lower, &upper);
    for k in 0..60 {
        let s = f64::from(k);
        let turn = UnitQuaternion::from_euler_angles(0.3 * s, 0.7 * s, 1.1 * s);
        let middle = Point3::new(0.0, 0.0, 0.0125);
        let about = Translation3::from(middle.coords) * turn * Translation3::from(-middle.coords);
        let pose = Translation3::new(1e-4 * s, 0.0, 8e-3 - 1.5e-4 * s) * about;
        let frame = bite.frame(&pose, &FrameOptions::default()).unwrap();
        let mut least = f64::INFINITY;
        for a in lower.bodies() {
            for b in upper.bodies() {
                let options = QueryOptions::default().with_depth(DepthMode::Certified);
                let at = pose * b.pose;
                let c = contact(&a.shape, &a.pose, &b.shape, &at, &options, None).unwrap();
                least = least.min(c.distance);
            }
        }
        assert!(
            (frame.distance - least).abs() < 1.1e-8,
            "{k}: {} {least}",
            frame.distance
        );
        assert!(
            frame.lower <= least + 1e-15 && least <= frame.upper + 1e-15,
            "{k}"
        );
    }
}

#[test]
fn contacts_lie_on_both_teeth_and_are_those_that_overlap() {
    let [lower, upper] = molars();
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    let pose = &path.poses()[79];
    let frame = Bite::new(&lower, &upper)
        .frame(pose, &FrameOptions::default())
        .unwrap();
    assert!(!frame.contacts.is_empty());
    assert_eq!(frame.contacts[0], frame.nearest);
    for found in &frame.contacts {
        let (a, b) = (
            &lower.bodies()[found.pair[0]],
            &upper.bodies()[found.pair[1]],
        );
        let on = |body: &Body, pose: Isometry3<f64>, p: &Point3<f64>| {
            let f = body.shape.inside_outside(&pose.inverse_transform_point(p));
            assert!(f.abs() < 1e-6, "{f}");
        };
        on(a, a.pose, &found.contact.point_a);
        on(b, pose * b.pose, &found.contact.point_b);
        assert_eq!(found.contact.status(), CollisionStatus::Collision);
    }
    let mut overlapping = 0;
    for a in lower.bodies() {
        for b in upper.bodies() {
            let at = pose * b.pose;
            let c = contact(
                &a.shape,
                &a.pose,
                &b.shape,
                &at,
                &QueryOptions::default(),
                None,
            );
            overlapping += usize::from(c.unwrap().distance < 0.0);
        }
    }
    assert_eq!(frame.contacts.len(), overlapping);
}

#[test]
fn the_published_gate_leaves_frames_out_and_without_it_the_curve_is_ours_apart() {
    let [lower, upper] = molars();
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    let (gated, open) = (
        SchemeRun::default(),
        SchemeRun {
            gate: false,
            ..SchemeRun::default()
        },
    );
    let mut bite = Bite::new(&lower, &upper);
    for k in [0, 20, 40, 60] {
        let pose = &path.poses()[k];
        let exact = bite.frame(pose, &FrameOptions::default()).unwrap();
        let with = gated.frame(&lower, &upper, pose).unwrap();
        let without = open.frame(&lower, &upper, pose).unwrap();
        assert_eq!(without.asked, lower.bodies().len() * upper.bodies().len());
        assert!(with.asked < without.asked);
        let nearest = without.nearest.unwrap().contact.distance;
        if exact.status() == Status::Apart && without.unsolved == 0 {
            assert!(
                (nearest - exact.distance).abs() < 1e-8,
                "{k}: {nearest} {}",
                exact.distance
            );
        }
    }
}

#[test]
fn bad_paths_are_named() {
    let [lower, upper] = molars();
    let closing = Closing::default();
    let error = |c: Closing| match Path::closing(&lower, &upper, &c) {
        Err(BiteError::Setting { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        error(Closing {
            frames: 3,
            ..closing
        }),
        "frames"
    );
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(error(Closing { step, ..closing }), "step");
    }
    assert_eq!(
        error(Closing {
            contact: 0,
            ..closing
        }),
        "contact"
    );
    assert_eq!(
        error(Closing {
            contact: 181,
            ..closing
        }),
        "contact"
    );
    assert_eq!(
        error(Closing {
            turn: 46,
            ..closing
        }),
        "turn"
    );
    assert_eq!(
        error(Closing {
            turn: 181,
            ..closing
        }),
        "turn"
    );
    assert_eq!(Path::new(Vec::new()), Err(BiteError::NoFrames));
    let lost = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let error = Path::new(vec![Isometry3::identity(), lost]).unwrap_err();
    assert!(error.to_string().starts_with("frame 1: "), "{error}");
    let far = Tooth::new(vec![ball("far", 1.0, 0.0, 0.01)]).unwrap();
    let never = Path::closing(&lower, &far, &closing);
    assert_eq!(never, Err(BiteError::NeverMeet));
}

#[test]
fn a_start_in_overlap_names_the_pair() {
    let [lower, upper] = molars();
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    let mut bite = Bite::new(&lower, &upper);
    assert_eq!(bite.check_start(&path), Ok(()));
    let late = Path::new(path.poses()[60..].to_vec()).unwrap();
    let error = bite.check_start(&late).unwrap_err();
    assert!(matches!(error, BiteError::StartInOverlap { depth, .. } if depth > 0.0));
    assert!(
        error.to_string().starts_with("frame 0: the teeth overlap"),
        "{error}"
    );
}

#[test]
fn other_numbers_of_frames_keep_the_proportions() {
    let [lower, upper] = molars();
    for frames in [4, 10, 61] {
        let closing = Closing::of_frames(frames);
        let path = Path::closing(&lower, &upper, &closing).unwrap();
        assert_eq!(path.poses().len(), frames);
        let mut bite = Bite::new(&lower, &upper);
        let first = path.poses().iter().position(|pose| {
            bite.frame(pose, &FrameOptions::default()).unwrap().status() == Status::Overlap
        });
        assert_eq!(first, Some(closing.contact));
    }
    assert_eq!(Closing::of_frames(181), Closing::default());
}

#[test]
fn answers_move_with_the_teeth() {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.7);
    let moved = Isometry3::from_parts(Translation3::new(0.3, -0.2, 0.1), turn);
    let [lower, upper] = molars();
    let by = |tooth: &Tooth| {
        let bodies = tooth.bodies().iter().cloned();
        let bodies = bodies.map(|b| Body {
            pose: moved * b.pose,
            ..b
        });
        Tooth::new(bodies.collect()).unwrap()
    };
    let (lower_moved, upper_moved) = (by(&lower), by(&upper));
    let path = Path::closing(&lower, &upper, &Closing::default()).unwrap();
    for k in [10, 46, 60] {
        let pose = path.poses()[k];
        // The path is along z, about which the teeth were turned.
        let a = Bite::new(&lower, &upper)
            .frame(&pose, &FrameOptions::default())
            .unwrap();
        let b = Bite::new(&lower_moved, &upper_moved);
        let b = { b }.frame(&pose, &FrameOptions::default()).unwrap();
        assert!((a.distance - b.distance).abs() < 1.1e-8, "{k}");
        match (a.lift, b.lift) {
            (Some(a), Some(b)) => assert!((a.upper - b.upper).abs() < 1e-9),
            (a, b) => assert_eq!(a.is_some(), b.is_some()),
        }
    }
}

//! What the rays of a pair report, and the limits of the method.

use crate::soft::{block, filled, still};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use superovoid_sim::scene::Scene;
use superovoid_sim::soft::internals::{StillMesh, cast_all};
use superovoid_sim::soft::{Finding, RayCounts, SolidMesh, ball, torus};
use superovoid_sim::{World, judge, scenes};

#[test]
fn the_first_condition_drops_rays_that_enter_and_the_second_those_that_left() {
    // A slab, a block below that reaches into it, and one above, apart: rays down from the top of the slab.
    let slab = still(&block([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]));
    let below = still(&block([-5.0, -5.0, -3.0], [5.0, 5.0, 0.5]));
    let all = |a: &StillMesh, b: &StillMesh| {
        let mut kept = Vec::new();
        let counts = cast_all(&a.at(), 0..a.at().x.len(), &b.at(), |ray| kept.push(ray));
        (counts, kept)
    };
    // The four lower vertices are inside; their rays are diagonal.
    let (counts, kept) = all(&slab, &below);
    assert_eq!((counts.cast, counts.kept), (4, 4));
    for ray in &kept {
        assert!((ray.depth - 0.5 * 3f64.sqrt()).abs() < 1e-12);
        assert!((ray.cosine - 1.0 / 3f64.sqrt()).abs() < 1e-12);
        assert!(slab.at().x[ray.vertex as usize].z == 0.0);
    }
    // A thin plate wholly within the block: its rays leave it first.
    let plate = still(&block([-1.0, -1.0, 0.0], [1.0, 1.0, 0.1]));
    let (counts, _) = all(&plate, &below);
    assert_eq!((counts.cast, counts.left_first, counts.kept), (8, 8, 0));
    // A ball in the hole of a ring, inside the ring's box and outside the ring: its rays cross the hole and enter.
    let ring = still(&torus(0.1, 0.03, [40, 20]));
    let inner = still(&ball(0.025, 2, 1));
    let (counts, kept) = all(&inner, &ring);
    assert_eq!(counts.cast, inner.at().x.len() - 1);
    assert!(counts.entering > 50 && kept.is_empty(), "{counts:?}");
    assert_eq!((counts.kept, counts.left_first), (0, 0));
    assert_eq!(counts.entering + counts.missed, counts.cast);
}

/// Two solids of a scene whose only frame is short, and what their rays say.
fn finding(first: SolidMesh, second: SolidMesh) -> (Finding, [RayCounts; 2], [usize; 2]) {
    let mut scene = Scene {
        solids: vec![scenes::solid("", first), scenes::solid("", second)],
        ..Scene::default()
    };
    scene.settings.substeps = 1;
    scene.settings.frame = 1e-4;
    scene.settings.gravity = [0.0; 3];
    let mut world = World::new(&scene).unwrap();
    world.step().unwrap();
    let report = world.solid_pairs().first().expect("their boxes meet");
    (report.finding(), report.rays, world.solid_contacts())
}

#[test]
fn one_solid_wholly_inside_the_other_is_reported_and_no_pair_is_kept() {
    let (found, rays, contacts) = finding(ball(0.1, 2, 3), ball(0.03, 1, 1));
    assert_eq!(found, Finding::Inside);
    assert_eq!(contacts, [0, 0]);
    assert_eq!(rays[1].left_first, 42);
}

#[test]
fn where_all_rays_leave_first_there_is_no_force_and_no_instability() {
    // Figure 9: the end of a thin rod in a block. The rod's rays leave the rod first, and the block has no vertex in it.
    let rod = filled(block([-0.01, -0.01, 0.0], [0.01, 0.01, 1.0]));
    let (found, rays, contacts) = finding(filled(block([-1.0; 3], [1.0, 1.0, 0.5])), rod);
    assert_eq!(found, Finding::AllLeaveFirst, "{rays:?}");
    assert_eq!(contacts, [0, 0]);
    assert!(rays[1].left_first > 0);
}

#[test]
fn edge_against_edge_is_not_found() {
    // Two wedges that cross edge on edge, no vertex of either in the other.
    let wedge = |turn: f64, z: f64| {
        let pose = Isometry3::from_parts(
            Vector3::new(0.0, 0.0, z).into(),
            UnitQuaternion::from_euler_angles(0.0, 0.0, turn)
                * UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_4, 0.0, 0.0),
        );
        filled(block([-1.0, -0.1, -0.1], [1.0, 0.1, 0.1]).at(&pose))
    };
    let (found, rays, contacts) = finding(wedge(0.0, 0.0), wedge(1.3, 0.25));
    assert_eq!(found, Finding::Apart);
    assert_eq!((rays[0].kept, rays[1].kept), (0, 0));
    assert_eq!(contacts, [0, 0]);
    // They do overlap.
    let scene = Scene {
        solids: vec![
            scenes::solid("", wedge(0.0, 0.0)),
            scenes::solid("", wedge(1.3, 0.25)),
        ],
        ..Scene::default()
    };
    let world = World::new(&scene).unwrap();
    assert!(judge::overlap_volume(&scene, world.state(), [0, 1], 100) > 1e-6);
}

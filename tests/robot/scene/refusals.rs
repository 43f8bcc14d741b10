//! What a scene refuses, it refuses with an error that names it, and is then as it was.

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};
use std::sync::Arc;
use superovoid::Shape;
use superovoid::polytope::Polytope;
use superovoid::{DepthMode, HalfSpace, QueryError, QueryOptions, Superovoid};
use superovoid_robot::scene::{Scene, SceneError, SceneOptions};

fn ball() -> Superovoid {
    Superovoid::sphere(1.0).unwrap()
}

#[test]
fn the_id_of_a_removed_body_names_nothing_also_when_its_place_is_taken() {
    let mut scene = Scene::new();
    let group = scene.group("ball");
    let here = Isometry3::identity();
    let first = scene.add(group, ball(), here).unwrap();
    scene.remove(first).unwrap();
    let second = scene.add(group, ball(), here).unwrap();
    assert_ne!(first, second);
    let refused = SceneError::NoBody { id: first };
    assert_eq!(scene.remove(first), Err(refused.clone()));
    assert_eq!(scene.move_to(first, here), Err(refused.clone()));
    assert_eq!(scene.pose(first), Err(refused.clone()));
    assert_eq!(scene.group_of(first), Err(refused.clone()));
    assert_eq!(scene.compares(second, first), Err(refused.clone()));
    assert_eq!(scene.shape(first).err(), Some(refused.clone()));
    assert!(refused.to_string().contains("was removed"), "{refused}");
    assert_eq!(scene.group_of(second), Ok(group));
    assert_eq!(scene.ids().collect::<Vec<_>>(), [second]);
    assert_eq!(scene.len(), 1);
    scene.remove(second).unwrap();
    assert!(scene.is_empty());
    assert_eq!(scene.closest(&SceneOptions::default()), Ok(None));
}

#[test]
fn poses_that_are_none_are_refused_and_the_body_stays() {
    let mut scene = Scene::new();
    let group = scene.group("ball");
    let here = Isometry3::translation(1.0, 2.0, 3.0);
    let id = scene.add(group, ball(), here).unwrap();
    let floor = HalfSpace::new(Vector3::z(), 0.0).unwrap();
    let floor = scene.add_obstacle(group, floor, here).unwrap();
    let turned = |w: f64, x: f64| {
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, 0.0, 0.0));
        Isometry3::from_parts(here.translation, rotation)
    };
    let bad = [
        Isometry3::translation(f64::NAN, 0.0, 0.0),
        Isometry3::translation(0.0, f64::NEG_INFINITY, 0.0),
        turned(f64::NAN, 0.0),
        turned(2.0, 0.0),
        turned(0.0, 0.0),
    ];
    for pose in bad {
        let errors = [
            scene.move_to(id, pose).unwrap_err(),
            scene.move_to(floor, pose).unwrap_err(),
            scene.add(group, ball(), pose).unwrap_err(),
            scene.add_obstacle(group, ball(), pose).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, SceneError::Pose { .. }), "{error}");
            assert!(error.to_string().contains("\"ball\""), "{error}");
        }
    }
    assert_eq!(scene.pose(id), Ok(here));
    assert_eq!(scene.len(), 2);
}

struct Vertices(Vec<Point3<f64>>);

impl Polytope for Vertices {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

#[test]
fn polytopes_that_are_none_and_groups_of_other_scenes_are_refused() {
    let mut scene = Scene::new();
    let here = Isometry3::identity();
    let mut other = Scene::new();
    other.group("first");
    let foreign = other.group("second");
    let group = scene.group("first");
    let refused = scene.add(foreign, ball(), here).unwrap_err();
    assert_eq!(refused, SceneError::NoGroup { index: 1, count: 1 });
    for vertices in [vec![], vec![Point3::new(0.0, f64::NAN, 0.0)]] {
        let shape = Shape::Polytope(Arc::new(Vertices(vertices)));
        let refused = scene.add_obstacle(group, shape, here).unwrap_err();
        assert!(matches!(refused, SceneError::Polytope { .. }), "{refused}");
    }
    assert!(scene.is_empty());
}

#[test]
fn options_out_of_their_domain_are_refused() {
    let mut scene = Scene::new();
    let group = scene.group("ball");
    let here = Isometry3::identity();
    for value in [f64::NAN, -1.0, -f64::MIN_POSITIVE] {
        let options = SceneOptions::default().with_max_distance(value);
        for refused in [
            scene.contacts(&options).unwrap_err(),
            scene.closest(&options).unwrap_err(),
            scene.in_collision(&options).unwrap_err(),
        ] {
            assert!(
                matches!(refused, SceneError::MaxDistance { .. }),
                "{refused}"
            );
        }
    }
    let with = |query: QueryOptions| SceneOptions::default().with_query(query);
    let negative = with(QueryOptions::default().with_tolerance(-1.0));
    let refused = scene.contacts(&negative).unwrap_err();
    assert!(matches!(
        refused,
        SceneError::Options(QueryError::Option { .. })
    ));
    // They are checked whatever the scene holds.
    let certified = with(QueryOptions::default().with_depth(DepthMode::Certified));
    scene.add_obstacle(group, ball(), here).unwrap();
    assert_eq!(scene.contacts(&certified), Ok(Vec::new()));
    let floor = HalfSpace::new(Vector3::z(), 0.0).unwrap();
    let floor = scene.add_obstacle(group, floor, here).unwrap();
    assert_eq!(scene.contacts(&certified), Ok(Vec::new()));
    assert_eq!(scene.contacts(&negative).unwrap_err(), refused);
    scene.remove(floor).unwrap();
    assert_eq!(scene.contacts(&certified), Ok(Vec::new()));
}

/// Places near the ends of the number range end in an answer or in an error.
#[test]
fn the_ends_of_the_number_range_do_not_panic() {
    let places = [
        0.0,
        f64::MIN_POSITIVE,
        1e-300,
        1e150,
        -1e200,
        1e300,
        f64::MAX,
        f64::MIN,
    ];
    let sizes = [1e-300, 1e-150, 1.0, 1e150, 1e300];
    let mut scene = Scene::new();
    let mut ids = Vec::new();
    for (i, &x) in places.iter().enumerate() {
        for (j, &size) in sizes.iter().enumerate() {
            let group = scene.group(&format!("{i} {j}"));
            let shape = Superovoid::ellipsoid([size, size, 0.5 * size]).unwrap();
            let pose = Isometry3::translation(x, -x, 0.5 * x);
            ids.extend(scene.add(group, shape, pose));
        }
    }
    for max_distance in [0.0, 1.0, 1e200, f64::INFINITY] {
        let options = SceneOptions::default().with_max_distance(max_distance);
        for _ in 0..3 {
            let _ = scene.contacts(&options);
            let _ = scene.closest(&options);
            // Those at one place overlap.
            assert_ne!(scene.in_collision(&options), Ok(false));
            for &id in &ids {
                let mut pose = scene.pose(id).unwrap();
                pose.translation.vector *= 0.5;
                scene.move_to(id, pose).unwrap();
            }
        }
    }
}

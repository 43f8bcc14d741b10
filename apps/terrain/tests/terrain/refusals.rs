//! What is refused is named and changes nothing.

use crate::common::run;
use superovoid_terrain::{
    EXPONENTS, HALF, MOST_BODIES, Picked, SEMI_AXES, Terrain, TerrainError, Walker,
};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn numbers_that_are_not_finite_change_nothing() {
    let mut terrain = Terrain::new();
    let id = terrain.add_body(0.1, 0.2).unwrap();
    terrain.grab(200).unwrap();
    terrain.pull_to([0.0, 0.0, 0.3]).unwrap();
    run(&mut terrain, 30, 10);
    terrain.let_go(true).unwrap();
    terrain.grab(900).unwrap();
    let before = terrain.to_json().unwrap();
    for bad in BAD {
        assert!(terrain.add_body(bad, 0.0).is_err());
        assert!(terrain.add_body(0.0, bad).is_err());
        assert!(terrain.move_body(id, bad, 0.0).is_err());
        assert!(terrain.move_body(id, 0.0, bad).is_err());
        assert!(terrain.lift_body(id, bad).is_err());
        assert!(terrain.turn_body(id, bad).is_err());
        for k in 0..3 {
            let mut three = [0.1; 3];
            three[k] = bad;
            assert!(terrain.size_body(id, three).is_err());
            assert!(terrain.pull_to(three).is_err());
            assert!(terrain.move_pin(0, three).is_err());
            assert!(terrain.pick(three, [0.0, 0.0, -1.0]).is_err());
            assert!(terrain.pick([0.0, 0.0, 1.0], three).is_err());
        }
        assert!(terrain.shape_body(id, [bad, 1.0]).is_err());
        assert!(terrain.shape_body(id, [1.0, bad]).is_err());
    }
    assert!(terrain.pick([0.0; 3], [0.0; 3]).is_err());
    assert_eq!(terrain.to_json().unwrap(), before);
    let undone = terrain.undo().unwrap();
    assert!(undone && terrain.pins().is_empty());
}

#[test]
fn what_is_not_there_is_refused() {
    let mut terrain = Terrain::new();
    assert_eq!(terrain.move_body(3, 0.0, 0.0), Err(TerrainError::NoBody(3)));
    assert_eq!(terrain.remove_body(0), Err(TerrainError::NoBody(0)));
    assert_eq!(terrain.grab(1681), Err(TerrainError::NoVertex(1681)));
    assert_eq!(terrain.remove_pin(0), Err(TerrainError::NoPin(0)));
    assert_eq!(terrain.move_pin(0, [0.0; 3]), Err(TerrainError::NoPin(0)));
    assert_eq!(terrain.let_go(true), Err(TerrainError::NothingGrabbed));
    assert_eq!(terrain.pull_to([0.0; 3]), Err(TerrainError::NothingGrabbed));
    assert_eq!(
        terrain.add_body(1.01, 0.0),
        Err(TerrainError::Outside(1.01, 0.0))
    );
    assert!(!terrain.can_undo() && !terrain.undo().unwrap() && !terrain.redo().unwrap());
    for k in 0..MOST_BODIES {
        terrain.add_body(-HALF + 0.01 * k as f64, 0.3).unwrap();
    }
    assert_eq!(terrain.add_body(0.0, 0.0), Err(TerrainError::TooMany));
    assert_eq!(terrain.bodies().len(), MOST_BODIES);
}

#[test]
fn numbers_out_of_range_become_the_nearest() {
    let mut terrain = Terrain::new();
    let id = terrain.add_body(0.0, 0.0).unwrap();
    terrain.move_body(id, 1e300, -7.0).unwrap();
    terrain.size_body(id, [0.0, -1.0, 1e9]).unwrap();
    terrain.shape_body(id, [-1.0, 9.0]).unwrap();
    let goal = terrain.bodies()[0].goal;
    assert_eq!(goal.position, [HALF, -HALF, 0.0]);
    assert_eq!(goal.semi_axes, [SEMI_AXES[0], SEMI_AXES[0], SEMI_AXES[1]]);
    assert_eq!(goal.exponents, EXPONENTS);
}

#[test]
fn numbers_of_bodies_stay_theirs() {
    let mut terrain = Terrain::new();
    let ids = [0.0, 0.1, 0.2].map(|x| terrain.add_body(x, 0.0).unwrap());
    terrain.remove_body(ids[1]).unwrap();
    let new = terrain.add_body(0.5, 0.5).unwrap();
    let left: Vec<u32> = terrain.bodies().iter().map(|body| body.id).collect();
    assert_eq!(left, [ids[0], ids[2], new]);
    assert!(!ids.contains(&new));
}

#[test]
fn a_ray_meets_pins_bodies_cloth_or_nothing() {
    let mut terrain = Terrain::new();
    let id = terrain.add_body(0.3, 0.3).unwrap();
    run(&mut terrain, 90, 30);
    let down = [0.0, 0.0, -1e-200];
    let met = terrain.pick([0.3, 0.3, 5.0], down).unwrap();
    let Picked::Body { id: met, point } = met else {
        panic!("{met:?}");
    };
    assert_eq!(met, id);
    assert!((point[2] - 0.25).abs() < 1e-9, "{point:?}");
    let met = terrain.pick([-0.51, -0.49, 5.0], down).unwrap();
    let Picked::Cloth { vertex, point } = met else {
        panic!("{met:?}");
    };
    let nearest = terrain.cloth()[vertex];
    assert!((nearest[0] - point[0]).hypot(nearest[1] - point[1]) < 0.05);
    assert!((point[2] - 0.02).abs() < 0.005, "{point:?}");
    let up = terrain.pick([0.0, 0.0, 5.0], [0.0, 0.0, 1.0]).unwrap();
    assert_eq!(up, Picked::Nothing);
    terrain.grab(vertex).unwrap();
    terrain.let_go(true).unwrap();
    let [x, y, _] = nearest;
    assert_eq!(terrain.pick([x, y, 5.0], down).unwrap(), Picked::Pin(0));
}

#[test]
fn walkers_refuse_what_is_not_finite_or_has_no_room() {
    let ground = Terrain::new().freeze().unwrap();
    let mut walker = Walker::new(&ground).unwrap();
    let before = walker.pose();
    for bad in BAD {
        assert!(walker.step(bad, 1.0, 0.0).is_err());
        assert!(walker.step(0.1, bad, 0.0).is_err());
        assert!(walker.step(0.1, 1.0, bad).is_err());
        assert!(Walker::at(&ground, [0.0, bad, 3.0], 0.0).is_err());
        assert!(Walker::at(&ground, [0.0, 0.0, 3.0], bad).is_err());
    }
    assert!(walker.step(-0.1, 1.0, 0.0).is_err());
    assert_eq!(walker.pose(), before);
    let in_ground = Walker::at(&ground, [0.0, 0.0, 0.5], 0.0);
    assert_eq!(in_ground.err(), Some(TerrainError::NoRoom));
}

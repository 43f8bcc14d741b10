//! What a person may do that makes little sense: nothing is pierced, and it can be undone.

use crate::common::{depth, run};
use superovoid_terrain::{HALF, SIDE, Terrain};

/// A cloth with a quarter of the vertices.
const COARSE: usize = SIDE / 2 + 1;

/// The vertex that is nearest to a place on the flat cloth.
fn vertex(x: f64, y: f64) -> usize {
    let at = |x: f64| ((x + HALF) / (2.0 * HALF) * (SIDE - 1) as f64).round() as usize;
    at(y) * SIDE + at(x)
}

fn undo_all(terrain: &mut Terrain) {
    while terrain.undo().unwrap() {
        assert_eq!(depth(terrain, 4), 0.0);
        run(terrain, 4, 2);
    }
    assert!(terrain.bodies().is_empty() && terrain.pins().is_empty());
}

fn check_targets_that_jump(side: usize) {
    let mut terrain = Terrain::with_side(side);
    let ids = [0.0, 0.5].map(|x| terrain.add_body(x, 0.0).unwrap());
    terrain.shape_body(ids[0], [0.1, 0.1]).unwrap();
    run(&mut terrain, 40, 10);
    for k in 0..8 {
        let s = if k % 2 == 0 { HALF } else { -HALF };
        terrain.move_body(ids[0], s, -s).unwrap();
        terrain.move_body(ids[1], -s, -s).unwrap();
        terrain.turn_body(ids[0], f64::from(k)).unwrap();
        run(&mut terrain, 25, 5);
    }
    undo_all(&mut terrain);
}

#[test]
fn targets_jump_across_the_whole_ground() {
    check_targets_that_jump(COARSE);
}

#[test]
#[ignore = "four times the vertices"]
fn targets_jump_across_the_whole_ground_long() {
    check_targets_that_jump(SIDE);
}

fn check_bodies_in_one_another(side: usize) {
    let mut terrain = Terrain::with_side(side);
    for k in 0..6 {
        let id = terrain.add_body(0.02 * f64::from(k), 0.0).unwrap();
        terrain
            .size_body(
                id,
                [0.1 + 0.05 * f64::from(k), 0.3, 0.5 - 0.07 * f64::from(k)],
            )
            .unwrap();
        terrain
            .shape_body(id, [0.1 + 0.3 * f64::from(k); 2])
            .unwrap();
    }
    run(&mut terrain, 120, 10);
    undo_all(&mut terrain);
}

#[test]
fn bodies_stand_in_one_another() {
    check_bodies_in_one_another(COARSE);
}

#[test]
#[ignore = "four times the vertices"]
fn bodies_stand_in_one_another_long() {
    check_bodies_in_one_another(SIDE);
}

fn check_a_large_body(side: usize) {
    let mut terrain = Terrain::with_side(side);
    let id = terrain.add_body(0.0, 0.0).unwrap();
    terrain.size_body(id, [1.5, 1.5, 1.5]).unwrap();
    run(&mut terrain, 240, 20);
    let lowest = terrain.cloth().iter().map(|x| x[2]).fold(9.0, f64::min);
    assert!(lowest > 0.5, "it lies on the body: {lowest}");
    terrain.shape_body(id, [0.02, 0.02]).unwrap();
    run(&mut terrain, 120, 20);
    undo_all(&mut terrain);
}

#[test]
fn a_body_is_larger_than_the_cloth() {
    check_a_large_body(COARSE);
}

#[test]
#[ignore = "four times the vertices"]
fn a_body_is_larger_than_the_cloth_long() {
    check_a_large_body(SIDE);
}

#[test]
fn everything_is_deleted_and_comes_back() {
    let mut terrain = Terrain::new();
    for k in 0..4 {
        terrain.add_body(-0.6 + 0.4 * f64::from(k), 0.1).unwrap();
    }
    run(&mut terrain, 60, 20);
    let hills = terrain.cloth().to_vec();
    terrain.clear().unwrap();
    run(&mut terrain, 120, 40);
    let highest = terrain.cloth().iter().map(|x| x[2]).fold(0.0, f64::max);
    // Folds stay, but the hills of 0.27 m are gone.
    assert!(highest < 0.2, "the cloth has fallen: {highest}");
    assert!(terrain.undo().unwrap());
    assert_eq!(terrain.bodies().len(), 4);
    assert_eq!(terrain.cloth(), hills);
    run(&mut terrain, 10, 5);
    assert!(terrain.redo().unwrap());
    assert!(terrain.bodies().is_empty() && !terrain.can_redo());
}

#[test]
fn a_cloth_that_has_left_the_ground_is_replaced() {
    let mut terrain = Terrain::new();
    terrain.add_body(0.0, 0.0).unwrap();
    run(&mut terrain, 30, 15);
    let mut text = terrain.to_json().unwrap();
    // Nobody can pull it off as a whole: what reaches out of the ground stays in reach.
    assert!(!terrain.cloth_fallen());
    let flat = Terrain::new().cloth().to_vec();
    let away: Vec<[f64; 3]> = flat.iter().map(|x| [x[0] + 2.5, x[1], x[2]]).collect();
    let list = |key: &str, text: &str| {
        let start = text.find(&format!("\"{key}\":[")).expect("it is there") + key.len() + 3;
        let end = start + text[start..].find("]]").expect("it ends") + 2;
        start..end
    };
    let written = format!("{away:?}").replace(' ', "");
    text.replace_range(list("positions", &text), &written);
    let mut fallen = Terrain::from_json(&text).unwrap();
    assert!(fallen.cloth_fallen());
    run(&mut fallen, 10, 5);
    fallen.drape().unwrap();
    assert!(!fallen.cloth_fallen());
    assert_eq!(depth(&fallen, 4), 0.0);
    run(&mut fallen, 90, 15);
    assert!(fallen.undo().unwrap() && fallen.cloth_fallen());
}

#[test]
fn a_pin_gives_way_to_a_body() {
    let mut terrain = Terrain::new();
    terrain.grab(vertex(0.0, 0.0)).unwrap();
    terrain.pull_to([0.0, 0.0, 0.1]).unwrap();
    run(&mut terrain, 60, 20);
    terrain.let_go(true).unwrap();
    run(&mut terrain, 30, 10);
    assert_eq!(terrain.pins().len(), 1);
    terrain.add_body(0.0, 0.0).unwrap();
    let mut off = 0;
    for _ in 0..90 {
        off += terrain.step().unwrap().pins_off;
        assert_eq!(depth(&terrain, 3), 0.0);
    }
    assert_eq!((off, terrain.pins().len()), (1, 0));
    undo_all(&mut terrain);
}

#[test]
fn pins_and_pulls_go_for_the_inside_of_a_body() {
    let mut terrain = Terrain::new();
    terrain.add_body(0.0, 0.0).unwrap();
    run(&mut terrain, 60, 20);
    for (x, y) in [(0.0, 0.0), (0.25, 0.0), (-0.3, 0.1)] {
        terrain.grab(vertex(x, y)).unwrap();
        terrain.pull_to([0.0, 0.0, -1.0]).unwrap();
        run(&mut terrain, 40, 4);
        terrain.let_go(true).unwrap();
    }
    assert_eq!(terrain.pins().len(), 3);
    for k in 0..3 {
        terrain.move_pin(k, [0.0, 0.0, 0.1]).unwrap();
    }
    run(&mut terrain, 90, 6);
    // The pin on top is kept more than 10 cm away from there and has come off.
    assert!(terrain.pins().len() < 3);
    undo_all(&mut terrain);
}

#[test]
fn a_drag_is_one_step() {
    let mut terrain = Terrain::new();
    let id = terrain.add_body(0.0, 0.0).unwrap();
    terrain.begin_change();
    for k in 0..10 {
        terrain.move_body(id, 0.05 * f64::from(k), 0.0).unwrap();
        terrain.step().unwrap();
    }
    terrain.end_change();
    terrain.begin_change();
    terrain.end_change();
    terrain.grab(300).unwrap();
    terrain.pull_to([0.0, 0.0, 0.4]).unwrap();
    terrain.step().unwrap();
    terrain.pull_to([0.0, 0.0, 0.5]).unwrap();
    terrain.let_go(true).unwrap();
    assert!(terrain.undo().unwrap());
    assert!(terrain.pins().is_empty());
    assert!(terrain.undo().unwrap());
    assert_eq!(terrain.bodies()[0].goal.position, [0.0; 3]);
    assert!(terrain.undo().unwrap());
    assert!(terrain.bodies().is_empty() && !terrain.can_undo());
    for _ in 0..3 {
        assert!(terrain.redo().unwrap());
    }
    assert_eq!(terrain.pins().len(), 1);
    assert!(!terrain.can_redo());
}

//! Picks, changes of several edits, and joints that are shifted.

use crate::common::{front, line, one_bone};
use nalgebra::{Point2, Point3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_sketch::{
    Face, Figure, Hitbox, Picked, Sketch, SketchError, Touch, View, hexapod, horse, humanoid,
};

#[test]
fn the_edits_of_a_change_are_one_step() {
    let mut sketch = one_bone();
    let (joint, before) = (
        *sketch.figure().joints().keys().next().unwrap(),
        sketch.figure().clone(),
    );
    let shift = |sketch: &mut Sketch, y: f64| sketch.shift_joint(&front(), joint, [0.4, y]);
    sketch.begin_change();
    for k in 0..10 {
        shift(&mut sketch, 0.1 + 0.01 * f64::from(k)).unwrap();
    }
    sketch.end_change();
    let after = sketch.figure().clone();
    sketch.undo().unwrap();
    assert_eq!(*sketch.figure(), before);
    assert!(sketch.can_redo());
    sketch.redo().unwrap();
    assert_eq!(*sketch.figure(), after);
    // What changes nothing is no step, and keeps what can be done again.
    sketch.undo().unwrap();
    sketch.begin_change();
    sketch.end_change();
    sketch.end_change();
    sketch.redo().unwrap();
    assert_eq!(*sketch.figure(), after);
}

#[test]
fn a_change_that_is_cancelled_leaves_no_trace() {
    let mut sketch = one_bone();
    let joint = *sketch.figure().joints().keys().next().unwrap();
    sketch
        .draw(&front(), &line([0.5, 0.7], [0.8, 0.9]))
        .unwrap();
    let longer = sketch.figure().clone();
    sketch.undo().unwrap();
    let before = sketch.figure().clone();
    sketch.begin_change();
    sketch.shift_joint(&front(), joint, [0.2, 0.2]).unwrap();
    assert!(sketch.can_undo() && !sketch.can_redo());
    sketch.cancel_change();
    assert_eq!(*sketch.figure(), before);
    // The change did not come between what was undone and its return.
    assert!(sketch.can_redo());
    sketch.redo().unwrap();
    assert_eq!(*sketch.figure(), longer);
    // Without a change there is nothing to cancel.
    sketch.cancel_change();
    assert_eq!(*sketch.figure(), longer);
}

#[test]
fn undo_within_a_change_takes_back_the_change() {
    let mut sketch = one_bone();
    let joint = *sketch.figure().joints().keys().next().unwrap();
    let before = sketch.figure().clone();
    sketch.begin_change();
    sketch.shift_joint(&front(), joint, [0.2, 0.2]).unwrap();
    sketch.shift_joint(&front(), joint, [0.3, 0.2]).unwrap();
    let shifted = sketch.figure().clone();
    sketch.undo().unwrap();
    assert_eq!(*sketch.figure(), before);
    sketch.redo().unwrap();
    assert_eq!(*sketch.figure(), shifted);
    // A change that begins within another one ends that.
    sketch.begin_change();
    sketch.shift_joint(&front(), joint, [0.4, 0.2]).unwrap();
    sketch.begin_change();
    sketch.shift_joint(&front(), joint, [0.45, 0.2]).unwrap();
    sketch.cancel_change();
    sketch.undo().unwrap();
    assert_eq!(*sketch.figure(), shifted);
}

#[test]
fn a_cleared_figure_is_one_step_and_its_keys_are_not_used_again() {
    let mut sketch = humanoid().unwrap();
    let full = sketch.figure().clone();
    let last = *full.joints().keys().last().unwrap();
    sketch.clear();
    assert!(sketch.figure().joints().is_empty() && sketch.figure().bones().is_empty());
    assert!(sketch.figure().hitboxes().is_empty() && sketch.figure().root().is_none());
    sketch
        .draw(&front(), &line([0.5, 0.3], [0.5, 0.7]))
        .unwrap();
    assert!(*sketch.figure().joints().keys().next().unwrap() > last);
    sketch.undo().unwrap();
    sketch.clear();
    sketch.undo().unwrap();
    assert_eq!(*sketch.figure(), full);
}

#[test]
fn a_shifted_joint_stays_itself_and_a_dragged_one_becomes_the_other() {
    let mut sketch = one_bone();
    sketch
        .draw(&front(), &line([0.1, 0.2], [0.3, 0.2]))
        .unwrap();
    let loose = *sketch.figure().joints().keys().last().unwrap();
    sketch.shift_joint(&front(), loose, [0.5, 0.3]).unwrap();
    assert_eq!(sketch.figure().roots().len(), 2);
    let kept = sketch.drag(&front(), loose, [0.5, 0.3]).unwrap();
    assert_ne!(kept, loose);
    assert_eq!(sketch.figure().roots().len(), 1);
    let off = sketch.shift_joint(&front(), kept, [0.5, 1.2]);
    assert!(matches!(off, Err(SketchError::Stroke(_))), "{off:?}");
}

/// From the side, the joints of the left leg lie before those of the right: one that is moved a little would meet the other,
/// which would close a cycle, and the edit was refused.
#[test]
fn a_joint_is_dragged_before_one_of_the_same_tree_that_lies_behind() {
    let mut sketch = humanoid().unwrap();
    let view = View {
        face: Face::Left,
        ..front()
    };
    let shin = sketch.figure().bone_named("left_shin").unwrap();
    let branch = sketch.figure().branches();
    let knee = branch.iter().find(|b| b.bone == shin).unwrap().near;
    let at = sketch.figure().position(knee).unwrap();
    let to = view.to_pane(at) + nalgebra::Vector2::new(0.01, 0.005);
    assert_eq!(sketch.drag(&view, knee, [to.x, to.y]).unwrap(), knee);
    let moved = sketch.figure().position(knee).unwrap();
    assert!((view.to_pane(moved) - to).norm() < 1e-12);
    assert!((view.depth(moved) - view.depth(at)).abs() < 1e-12);
}

#[test]
fn joints_are_picked_before_bones_and_bones_before_bodies() {
    let sketch = humanoid().unwrap();
    let figure = sketch.figure();
    for face in Face::ALL {
        let view = View { face, ..front() };
        for &place in figure.joints().values() {
            let seen = view.to_pane(Point3::from(place));
            let picked = sketch.pick(&view, [seen.x, seen.y], 0.01).unwrap();
            // Perhaps another one before it.
            let Picked::Joint(found) = picked else {
                panic!("{picked:?}");
            };
            let found = view.to_pane(figure.position(found).unwrap());
            assert!((found - seen).norm() <= 0.0025);
        }
    }
    let shin = figure.bone_named("left_shin").unwrap();
    let [from, to] = figure.ends(shin).unwrap();
    let middle = front().to_pane(nalgebra::center(&from, &to));
    let at = |x: f64| sketch.pick(&front(), [middle.x + x, middle.y], 0.01);
    assert_eq!(at(0.0).unwrap(), Picked::Bone(shin));
    let Picked::Hitbox(body) = at(0.012).unwrap() else {
        panic!("a body");
    };
    assert_eq!(figure.hitboxes()[&body].bone, shin);
    assert_eq!(at(0.3).unwrap(), Picked::Nothing);
    // Without a reach there are bodies alone.
    let Picked::Hitbox(body) = sketch.pick(&front(), [middle.x, middle.y], 0.0).unwrap() else {
        panic!("a body");
    };
    assert_eq!(figure.hitboxes()[&body].bone, shin);
}

#[test]
fn a_bad_pick_is_refused() {
    let sketch = humanoid().unwrap();
    for reach in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let refused = sketch.pick(&front(), [0.5, 0.5], reach);
        assert!(matches!(refused, Err(SketchError::Reach(_))), "{refused:?}");
    }
    for point in [[-0.1, 0.5], [0.5, f64::NAN], [2.0, 0.5]] {
        assert!(sketch.pick(&front(), point, 0.02).is_err());
    }
    let flat = View {
        extent: 0.0,
        ..front()
    };
    assert_eq!(sketch.pick(&flat, [0.5, 0.5], 0.02), Err(SketchError::View));
    let empty = Sketch::default().pick(&front(), [0.5, 0.5], 0.02);
    assert_eq!(empty, Ok(Picked::Nothing));
}

/// The inside-outside function of a body, 0 on its surface.
fn gauge(hitbox: &Hitbox, point: Point3<f64>) -> f64 {
    let p = hitbox.pose().inverse() * point;
    let ([a1, a2, a3], [e1, e2], [tx, ty]) = (hitbox.semi_axes, hitbox.exponents, hitbox.tapers);
    let z = p.z / a3;
    if z.abs() >= 1.0 {
        return z.abs();
    }
    let [x, y] = [p.x / (a1 * (1.0 + tx * z)), p.y / (a2 * (1.0 + ty * z))];
    let section = x.abs().powf(2.0 / e1) + y.abs().powf(2.0 / e1);
    (section.powf(e1 / e2) + z.abs().powf(2.0 / e2)).powf(0.5 * e2) - 1.0
}

/// The depths on a line of sight between which a body is, by dense samples; none where it comes near the silhouette.
fn inside(hitbox: &Hitbox, view: &View, point: Point2<f64>) -> Option<Option<f64>> {
    const SAMPLES: i32 = 4000;
    let middle = view.depth(Point3::from(hitbox.center));
    let reach = 2.0 * hitbox.semi_axes.iter().sum::<f64>();
    let at = |k: i32| middle + reach * (1.0 - 2.0 * f64::from(k) / f64::from(SAMPLES));
    let value = |k: i32| gauge(hitbox, view.to_space(point, at(k)));
    let least = (0..=SAMPLES).map(value).fold(f64::INFINITY, f64::min);
    if least.abs() < 0.02 {
        return None;
    }
    Some((0..=SAMPLES).find(|&k| value(k) < 0.0).map(at))
}

/// Bodies are picked where dense samples of the line of sight are inside, and the one in front counts.
#[test]
fn bodies_are_picked_where_the_line_of_sight_passes_through_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut met, mut missed) = (0, 0);
    for made in [humanoid(), horse(), hexapod()] {
        let mut sketch = made.unwrap();
        let ids: Vec<_> = sketch.figure().hitboxes().keys().copied().collect();
        for id in &ids {
            let touch = Touch {
                turn: rng.random_range(-3.0..3.0),
                ..Touch::default()
            };
            let face = Face::ALL[rng.random_range(0..6)];
            let view = View { face, ..front() };
            sketch.touch(&view, *id, &touch).unwrap();
            let axes = [(); 3].map(|()| rng.random_range(0.03..0.2));
            let exponents = [(); 2].map(|()| rng.random_range(0.1..1.9));
            let tapers = [(); 2].map(|()| rng.random_range(-0.5..0.5));
            sketch.set_shape(*id, axes, exponents, tapers).unwrap();
        }
        let figure: &Figure = sketch.figure();
        for _ in 0..60 {
            let face = Face::ALL[rng.random_range(0..6)];
            let view = View { face, ..front() };
            let near = &figure.hitboxes()[&ids[rng.random_range(0..ids.len())]];
            let off = [(); 2].map(|()| rng.random_range(-0.1..0.1));
            let seen = view.to_pane(Point3::from(near.center)) + nalgebra::Vector2::from(off);
            let point = seen.map(|x| x.clamp(0.0, 1.0));
            let all: Option<Vec<_>> = ids
                .iter()
                .map(|id| inside(&figure.hitboxes()[id], &view, point).map(|d| (d, *id)))
                .collect();
            let Some(all) = all else {
                continue;
            };
            let mut first: Vec<_> = all
                .iter()
                .filter_map(|(d, id)| d.map(|d| (d, *id)))
                .collect();
            first.sort_by(|a, b| b.0.total_cmp(&a.0));
            let picked = sketch.pick(&view, [point.x, point.y], 0.0).unwrap();
            match (&first[..], picked) {
                ([], Picked::Nothing) => missed += 1,
                // Of two that begin at the same depth either one is right.
                ([(front, _), ..], Picked::Hitbox(id)) => {
                    let own = first.iter().find(|(_, other)| *other == id);
                    assert!(
                        own.is_some_and(|(depth, _)| front - depth < 2e-3),
                        "{id:?} {first:?}"
                    );
                    met += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(met > 50 && missed > 15, "{met} {missed}");
}

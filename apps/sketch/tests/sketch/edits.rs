//! Edits, undo and what is refused.

use crate::common::{front, line, one_bone};
use nalgebra::Point3;
use superovoid_sketch::{
    Articulation, Drawn, Face, Figure, JointId, JsonError, Preset, Sketch, SketchError, Touch,
    View, from_json, hexapod, horse, humanoid, to_json,
};

fn ring(center: [f64; 2], [a, b]: [f64; 2]) -> Vec<[f64; 2]> {
    let at = |k: i32| (f64::from(k) * std::f64::consts::TAU / 90.0).sin_cos();
    (0..=90)
        .map(at)
        .map(|(s, c)| [center[0] + a * c, center[1] + b * s])
        .collect()
}

#[test]
fn panes_are_right_handed_and_lead_to_space_and_back() {
    for face in Face::ALL {
        let view = View { face, ..front() };
        let [right, up, toward] = face.axes();
        assert_eq!(right.cross(&up), toward);
        let point = Point3::new(0.3, -0.2, 1.1);
        let back = view.to_space(view.to_pane(point), view.depth(point));
        assert!((back - point).norm() < 1e-15, "{face:?}");
    }
}

#[test]
fn strokes_weld_and_cycles_are_refused() {
    let mut sketch = one_bone();
    sketch
        .draw(&front(), &line([0.505, 0.705], [0.8, 0.9]))
        .unwrap();
    assert_eq!(sketch.figure().joints().len(), 3);
    let before = sketch.figure().clone();
    let closing = sketch.draw(&front(), &line([0.8, 0.9], [0.5, 0.3]));
    assert!(
        matches!(closing, Err(SketchError::Cycle(..))),
        "{closing:?}"
    );
    assert_eq!(*sketch.figure(), before);
    // Apart, a second tree; dragged onto the first, one.
    sketch
        .draw(&front(), &line([0.1, 0.2], [0.3, 0.2]))
        .unwrap();
    assert_eq!(sketch.figure().roots().len(), 2);
    let loose = *sketch.figure().joints().keys().last().unwrap();
    sketch.drag(&front(), loose, [0.5, 0.3]).unwrap();
    assert_eq!(sketch.figure().roots().len(), 1);
    let end = *sketch.figure().joints().keys().next().unwrap();
    assert!(matches!(
        sketch.drag(&front(), end, [0.8, 0.9]),
        Err(SketchError::Cycle(..))
    ));
}

#[test]
fn a_tap_splits_and_the_body_follows_its_half() {
    let mut sketch = one_bone();
    let drawn = sketch
        .draw(&front(), &ring([0.5, 0.62], [0.03, 0.06]))
        .unwrap();
    let Drawn::Hitbox(body) = drawn else {
        panic!("a body")
    };
    let first = sketch.figure().hitboxes()[&body].bone;
    sketch.tap(&front(), [0.5, 0.5]).unwrap();
    assert_eq!(sketch.figure().bones().len(), 2);
    assert_ne!(sketch.figure().hitboxes()[&body].bone, first);
    let far = sketch.tap(&front(), [0.1, 0.1]);
    assert!(matches!(far, Err(SketchError::NothingTapped(_))));
}

#[test]
fn a_body_keeps_its_place_on_a_bone_that_is_moved() {
    let mut sketch = one_bone();
    sketch
        .draw(&front(), &ring([0.5, 0.5], [0.03, 0.1]))
        .unwrap();
    let tip = *sketch.figure().joints().keys().last().unwrap();
    let base = sketch.figure().position(JointId(0)).unwrap();
    sketch
        .move_joint(tip, base + nalgebra::Vector3::new(1.6, 0.0, 0.0))
        .unwrap();
    let hitbox = sketch.figure().hitboxes().values().next().unwrap();
    let center = Point3::from(hitbox.center);
    // Half way along the bone, with its long axis along it.
    assert!(
        (center - (base + nalgebra::Vector3::new(0.8, 0.0, 0.0))).norm() < 0.01,
        "{center}"
    );
    assert!((hitbox.pose().rotation * nalgebra::Vector3::z()).x.abs() > 0.999);
}

#[test]
fn an_ellipse_far_from_bones_is_refused_with_the_nearest() {
    let mut sketch = Sketch::default();
    let none = sketch.draw(&front(), &ring([0.5, 0.5], [0.1, 0.1]));
    assert_eq!(none, Err(SketchError::NoBones));
    let mut sketch = one_bone();
    let far = sketch.draw(&front(), &ring([0.8, 0.5], [0.1, 0.05]));
    let told = far.unwrap_err().to_string();
    assert!(told.contains("bone_") && told.contains("0.60"), "{told}");
}

#[test]
fn an_ellipse_becomes_a_body_with_its_axes() {
    let mut sketch = one_bone();
    sketch
        .draw(&front(), &ring([0.52, 0.5], [0.03, 0.1]))
        .unwrap();
    let hitbox = *sketch.figure().hitboxes().values().next().unwrap();
    for (a, expected) in hitbox.semi_axes.iter().zip([0.06, 0.06, 0.2]) {
        assert!(
            (a - expected).abs() < 0.01 * expected + 1e-3,
            "{:?}",
            hitbox.semi_axes
        );
    }
    let id = *sketch.figure().hitboxes().keys().next().unwrap();
    let touch = Touch {
        shift: [0.0, 0.1],
        turn: 0.3,
        scale: 2.0,
    };
    sketch.touch(&front(), id, &touch).unwrap();
    let after = sketch.figure().hitboxes()[&id];
    assert!((after.center[2] - hitbox.center[2] - 0.2).abs() < 1e-12);
    assert_eq!(after.semi_axes, hitbox.semi_axes.map(|a| 2.0 * a));
    let turned = hitbox.pose().rotation.rotation_to(&after.pose().rotation);
    assert!((turned.angle() - 0.3).abs() < 1e-12);
}

#[test]
fn what_fails_changes_nothing_and_undo_works_after_it() {
    let mut sketch = one_bone();
    sketch
        .draw(&front(), &ring([0.5, 0.5], [0.03, 0.1]))
        .unwrap();
    let bone = *sketch.figure().bones().keys().next().unwrap();
    let body = *sketch.figure().hitboxes().keys().next().unwrap();
    let before = sketch.figure().clone();
    let reversed = Articulation {
        ranges: [[0.0; 2], [1.0, -1.0], [0.0; 2]],
    };
    let told = sketch.set_articulation(bone, reversed).unwrap_err();
    assert!(
        told.to_string().starts_with("ranges[1] = [1, -1]"),
        "{told}"
    );
    let nan = Articulation {
        ranges: [[f64::NAN, 0.0]; 3],
    };
    assert!(sketch.set_articulation(bone, nan).is_err());
    assert!(
        sketch
            .set_shape(body, [0.1; 3], [2.0, 1.0], [0.0; 2])
            .is_err()
    );
    assert!(
        sketch
            .set_shape(body, [0.1, f64::NAN, 0.1], [1.0; 2], [0.0; 2])
            .is_err()
    );
    assert!(
        sketch
            .touch(
                &front(),
                body,
                &Touch {
                    scale: 0.0,
                    ..Touch::default()
                }
            )
            .is_err()
    );
    assert!(sketch.set_name(bone, "base").is_err() && sketch.set_name(bone, "a.b").is_err());
    assert!(sketch.delete_joint(JointId(99)).is_err());
    assert!(
        sketch
            .move_joint(JointId(0), Point3::new(f64::INFINITY, 0.0, 0.0))
            .is_err()
    );
    let tip = sketch.figure().position(JointId(1)).unwrap();
    assert!(matches!(
        sketch.move_joint(JointId(0), tip),
        Err(SketchError::ShortBone(_))
    ));
    assert!(
        sketch
            .draw(
                &View {
                    extent: f64::NAN,
                    ..front()
                },
                &line([0.1; 2], [0.9; 2])
            )
            .is_err()
    );
    assert_eq!(*sketch.figure(), before);
    sketch.undo().unwrap();
    assert!(sketch.figure().hitboxes().is_empty());
    sketch.redo().unwrap();
    assert_eq!(*sketch.figure(), before);
    assert!(sketch.redo().is_err());
}

#[test]
fn every_step_of_the_shipped_figures_is_undone_and_done_again() {
    for made in [humanoid(), horse(), hexapod()] {
        let mut sketch = made.unwrap();
        let full = sketch.figure().clone();
        assert_eq!(full.roots().len(), 1);
        let mut steps = 0;
        while sketch.undo().is_ok() {
            steps += 1;
        }
        assert_eq!(*sketch.figure(), Figure::default());
        assert!(steps > 50, "{steps}");
        while sketch.redo().is_ok() {}
        assert_eq!(*sketch.figure(), full);
    }
}

#[test]
fn a_ball_beyond_85_degrees_is_warned_of() {
    assert_eq!(Preset::Ball.articulation().warning(), None);
    let wide = Articulation {
        ranges: [[-1.0, 1.0], [-1.5, 1.5], [-1.0, 1.0]],
    };
    assert!(wide.warning().is_some());
    // With two axes there is nothing to coincide.
    assert_eq!(Preset::Elbow.articulation().warning(), None);
}

#[test]
fn deleting_leaves_no_loose_ends() {
    let mut sketch = humanoid().unwrap();
    let count = sketch.figure().bones().len();
    let chest = sketch.figure().bone_named("chest").unwrap();
    sketch.delete_bone(chest).unwrap();
    assert_eq!(sketch.figure().bones().len(), count - 1);
    assert_eq!(sketch.figure().roots().len(), 2);
    assert!(
        sketch
            .figure()
            .hitboxes()
            .values()
            .all(|hitbox| hitbox.bone != chest)
    );
    while let Some(&joint) = sketch.figure().joints().keys().next() {
        sketch.delete_joint(joint).unwrap();
    }
    assert!(sketch.figure().bones().is_empty() && sketch.figure().hitboxes().is_empty());
}

#[test]
fn files_are_read_to_the_same_bits_and_others_are_refused_with_their_place() {
    for made in [humanoid(), horse(), hexapod()] {
        let figure = made.unwrap().figure().clone();
        let text = to_json(&figure);
        let read = from_json(&text).unwrap();
        assert_eq!(read, figure);
        assert_eq!(to_json(&read), text);
    }
    let text = to_json(one_bone().figure());
    let told = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        from_json(&text.replacen(from, to, 1))
            .unwrap_err()
            .to_string()
    };
    assert!(told("\"version\": 1", "\"version\": 2").contains("version = 2"));
    assert!(told("bone_2", "no name").starts_with("bones[2]: name"));
    assert!(told("\"next\": 3", "\"next\": 2").starts_with("bones[2]"));
    assert!(told("\"root\"", "\"rooot\"").contains("line "));
    // A quaternion is divided by its length, as everywhere.
    let text = to_json(humanoid().unwrap().figure());
    let at = text.find("\"rotation\"").unwrap();
    let end = at + text[at..].find(']').unwrap();
    let turned = |turn: &str| {
        from_json(&format!(
            "{}\"rotation\": [{turn}{}",
            &text[..at],
            &text[end..]
        ))
    };
    assert_eq!(
        turned("0, 4, 0, 3").unwrap(),
        turned("0, 0.8, 0, 0.6").unwrap()
    );
    let zero = turned("0, 0, 0, 0").unwrap_err().to_string();
    let told = "].rotation: the quaternion of the pose is zero, which is no rotation";
    assert!(
        zero.starts_with("hitboxes[") && zero.ends_with(told),
        "{zero}"
    );
    assert!(matches!(from_json("{"), Err(JsonError::Text { .. })));
    assert!(matches!(from_json("null"), Err(JsonError::Text { .. })));
}

//! The ready scenes and their recordings.

use crate::common::run;
use crate::soft::collision;
use nalgebra::Vector3;
use superovoid_sim::{World, judge, scenes};

/// Whether neighbours of the chain are linked after some seconds, by the linking number of their core circles.
fn stays_linked(seconds: f64) {
    let scene = scenes::chain(4);
    let mut world = World::new(&scene).unwrap();
    let cores = |world: &World| -> Vec<f64> {
        let core = |k: usize| &world.state().solids[k].positions[448..];
        (1..4)
            .map(|k| judge::linking_number(core(k - 1), core(k)).abs())
            .collect()
    };
    for _ in 0..(seconds * 60.0) as usize {
        world.step().unwrap();
        if world.state().frame.is_multiple_of(30) {
            for (k, linked) in cores(&world).into_iter().enumerate() {
                assert!(
                    (linked - 1.0).abs() < 1e-6,
                    "{k} at {} s",
                    world.state().time
                );
            }
        }
    }
}

#[test]
fn the_chain_stays_linked() {
    stays_linked(0.5);
}

#[test]
#[ignore = "long: a chain for 60 s"]
fn the_chain_stays_linked_long() {
    stays_linked(60.0);
}

#[test]
fn the_thumbs_lift_the_ball() {
    let scene = scenes::squeeze();
    let world = run(&scene, 2.5);
    let height =
        |positions: &[[f64; 3]]| positions.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
    let lifted = height(&world.state().solids[0].positions) - height(&scene.solids[0].vertices);
    assert!((0.035..0.042).contains(&lifted), "{lifted}");
}

#[test]
fn a_ring_comes_to_rest_on_a_superovoid() {
    let world = run(&scenes::ring_on_superovoid(), 1.2);
    let at = &world.state().solids[0];
    let speeds = at.velocities.iter().map(|v| Vector3::from(*v).norm());
    assert!(speeds.fold(0.0, f64::max) < 0.1);
    assert!(world.solid_contacts()[1] > 20);
}

#[test]
fn a_recording_of_solids_is_read_back() {
    use superovoid_sim::recording::{ObjFrames, Recording, RecordingWriter};
    let scene = collision(1);
    let mut world = World::new(&scene).unwrap();
    let mut writer = RecordingWriter::new(Vec::new(), &scene).unwrap();
    world.step().unwrap();
    writer.frame(world.state()).unwrap();
    let bytes = writer.finish().unwrap();
    assert_eq!(bytes.len() % 4, 0);
    let recording = Recording::read(bytes.as_slice()).unwrap();
    assert_eq!(recording.scene, scene);
    for (read, solid) in recording.frames[0].solids.iter().zip(&world.state().solids) {
        let singles: Vec<_> = solid
            .positions
            .iter()
            .map(|p| p.map(|x| x as f32))
            .collect();
        assert_eq!(read, &singles);
    }
    let mut text = Vec::new();
    ObjFrames::new(&scene, 16)
        .moving(world.state(), &mut text)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let names: Vec<&str> = text.lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(names, ["o solid_0_ring", "o solid_1_ball"]);
}

//! Recordings: what is written is read back, and what is not whole is refused.

use crate::common::{body, dynamic, slope, square};
use superovoid_sim::recording::{ObjFrames, Recording, RecordingWriter};
use superovoid_sim::scene::{Key, Motion, Scene};
use superovoid_sim::{State, World};

/// A plane, a driven body, one that falls, and a cloth.
fn scene() -> Scene {
    let key = |time: f64, x: f64| Key {
        time,
        position: [x, 0.0, 0.3],
        orientation: [0.8, 0.0, 0.6, 0.0],
    };
    let keys = vec![key(0.0, 0.0), key(1.0, 0.4)];
    let driven = Motion::Kinematic { keys };
    Scene {
        bodies: vec![
            slope(0.0),
            body([0.1; 3], [1.0; 2], [0.0, 0.0, 0.3], driven),
            body([0.3; 3], [1.0; 2], [3.0, 0.0, 0.3], Motion::Static),
            body([0.1; 3], [0.5; 2], [1.0, 0.0, 0.5], dynamic()),
        ],
        cloths: vec![square(5, 0.6, 0.8, 0.01)],
        ..Scene::default()
    }
}

/// The states of a few frames, and their recording.
fn recorded(frames: usize) -> (Vec<State>, Vec<u8>) {
    let scene = scene();
    let mut world = World::new(&scene).unwrap();
    let mut writer = RecordingWriter::new(Vec::new(), &scene).unwrap();
    let mut states = vec![world.state().clone()];
    writer.frame(world.state()).unwrap();
    for _ in 0..frames {
        world.step().unwrap();
        writer.frame(world.state()).unwrap();
        states.push(world.state().clone());
    }
    (states, writer.finish().unwrap())
}

#[test]
fn a_recording_is_read_back_in_single_precision() {
    let (states, bytes) = recorded(20);
    let recording = Recording::read(bytes.as_slice()).unwrap();
    assert_eq!(recording.scene, scene());
    assert_eq!(recording.moving, [1, 3]);
    assert_eq!(recording.frames.len(), states.len());
    for (frame, state) in recording.frames.iter().zip(&states) {
        assert_eq!((frame.frame, frame.time), (state.frame, state.time));
        for (pose, &i) in frame.bodies.iter().zip(&recording.moving) {
            let body = &state.bodies[i];
            assert_eq!(pose.position, body.position.map(|x| x as f32));
            assert_eq!(pose.orientation, body.orientation.map(|x| x as f32));
            assert_eq!(pose.asleep, body.asleep);
        }
        for (read, cloth) in frame.cloths.iter().zip(&state.cloths) {
            let positions: Vec<_> = cloth
                .positions
                .iter()
                .map(|p| p.map(|x| x as f32))
                .collect();
            assert_eq!(read.positions, positions);
        }
    }
    // What a page relies on: every part at a multiple of four bytes.
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
    assert_eq!(length % 4, 0);
    assert_eq!(bytes.len() % 4, 0);
}

#[test]
fn a_recording_that_is_not_whole_is_refused() {
    let (_, bytes) = recorded(2);
    for end in (0..bytes.len()).step_by(7) {
        assert!(Recording::read(&bytes[..end]).is_err(), "{end}");
    }
}

#[test]
fn a_recording_with_other_bytes_is_refused_or_read_and_never_panics() {
    use rand::{RngExt, SeedableRng};
    let (_, bytes) = recorded(1);
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(8);
    let mut read = 0;
    for _ in 0..3000 {
        let mut changed = bytes.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..changed.len());
            changed[at] = random.random();
        }
        read += usize::from(Recording::read(changed.as_slice()).is_ok());
    }
    assert!(read > 0);
}

#[test]
fn a_state_of_another_scene_is_not_recorded() {
    let mut writer = RecordingWriter::new(Vec::new(), &scene()).unwrap();
    let other = World::new(&Scene::default()).unwrap();
    let error = writer.frame(other.state()).unwrap_err();
    assert!(error.to_string().contains("not one of the recorded scene"));
}

#[test]
fn obj_files_hold_what_stays_and_what_moves_apart() {
    let scene = scene();
    let mut world = World::new(&scene).unwrap();
    world.step().unwrap();
    let frames = ObjFrames::new(&scene, 16);
    let (mut still, mut moving) = (Vec::new(), Vec::new());
    frames.still(world.state(), &mut still).unwrap();
    frames.moving(world.state(), &mut moving).unwrap();
    let objects = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8(text.to_vec()).unwrap();
        let names = text.lines().filter_map(|line| line.strip_prefix("o "));
        names.map(str::to_owned).collect()
    };
    // The half-space has no end and is not written.
    assert_eq!(objects(&still), ["body_2_"]);
    assert_eq!(objects(&moving), ["body_1_", "body_3_", "cloth_0_"]);
}

#[test]
fn the_scene_of_the_guide_runs() {
    let page = include_str!("../../../../docs/guides/scenes.md");
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let mut world = World::new(&Scene::from_json(text).unwrap()).unwrap();
    for _ in 0..60 {
        world.step().unwrap();
    }
}

//! Figures of the sketcher in the other commands: their robots are checked and their scenes simulated.

use crate::common::{error_of, stdout_of, superovoid};
use std::fs;
use superovoid_sketch::{UrdfOptions, hexapod, horse, humanoid, to_scene, to_urdf};

#[test]
fn robots_and_scenes_of_the_shipped_figures_are_read() {
    for (name, made) in [
        ("humanoid", humanoid()),
        ("horse", horse()),
        ("hexapod", hexapod()),
    ] {
        let sketch = made.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let robot = to_urdf(sketch.figure(), &UrdfOptions::default()).unwrap();
        fs::write(folder.path().join("figure.urdf"), robot.to_urdf()).unwrap();
        let output = superovoid(&["check", "figure.urdf"], folder.path());
        // Limbs may overlap at rest, which is an answer and no error.
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{name}: {output:?}"
        );
        assert!(output.stderr.is_empty(), "{name}: {output:?}");
        let scene = to_scene(sketch.figure(), true).unwrap();
        fs::write(folder.path().join("scene.json"), scene.to_json()).unwrap();
        let seconds = ["simulate", "scene.json", "-o", "out", "--seconds", "0.05"];
        let output = superovoid(&seconds, folder.path());
        assert_eq!(stdout_of(&output), "3 frames, 0.050 s, in out\n", "{name}");
    }
}

#[test]
fn a_scene_with_a_pair_of_bodies_that_are_not_there_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = to_scene(horse().unwrap().figure(), true).unwrap();
    let place = scene.excluded_pairs.len();
    scene.excluded_pairs.push([0, 999]);
    fs::write(folder.path().join("scene.json"), scene.to_json()).unwrap();
    let output = superovoid(&["simulate", "scene.json", "-o", "out"], folder.path());
    let told = error_of(&output);
    assert!(
        told.contains(&format!("excluded_pairs[{place}][1]: is 999")),
        "{told}"
    );
}

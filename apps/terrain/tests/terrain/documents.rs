//! Terrains as text, to the bit, and errors with their place.

use crate::common::act;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use superovoid_terrain::{Terrain, TerrainError};

fn check_that_a_saved_session_goes_on(actions: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut terrain = Terrain::new();
    for _ in 0..actions {
        act(&mut terrain, &mut random);
        for _ in 0..10 {
            terrain.step().unwrap();
        }
    }
    if terrain.grabbed().is_some() {
        terrain.let_go(true).unwrap();
    }
    let text = terrain.to_json().unwrap();
    let mut read = Terrain::from_json(&text).unwrap();
    assert_eq!(read.to_json().unwrap(), text);
    for step in 0..actions / 2 {
        let (mut a, mut b) = (
            ChaCha8Rng::seed_from_u64(step),
            ChaCha8Rng::seed_from_u64(step),
        );
        act(&mut terrain, &mut a);
        act(&mut read, &mut b);
        for _ in 0..15 {
            assert_eq!(terrain.step().unwrap(), read.step().unwrap());
        }
        assert_eq!(terrain.cloth(), read.cloth());
        assert_eq!(terrain.bodies(), read.bodies());
        assert_eq!(terrain.pins(), read.pins());
    }
}

#[test]
fn a_saved_session_goes_on_the_same_to_the_bit() {
    check_that_a_saved_session_goes_on(6);
}

#[test]
#[ignore = "three times the actions"]
fn a_saved_session_goes_on_the_same_to_the_bit_long() {
    check_that_a_saved_session_goes_on(20);
}

#[test]
fn errors_tell_their_place() {
    let mut terrain = Terrain::with_side(2);
    terrain.add_body(0.0, 0.0).unwrap();
    let text = terrain.to_json().unwrap();
    let said = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        let changed = text.replacen(from, to, 1);
        match Terrain::from_json(&changed) {
            Ok(_) => panic!("{changed} is read"),
            Err(TerrainError::Text(error)) => error.to_string(),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(
        said("\"version\":1", "\"version\":2"),
        "version = 2: this program reads version 1"
    );
    assert_eq!(
        said("\"side\":2", "\"side\":1"),
        "terrain.side: must be 2 to 101"
    );
    assert_eq!(
        said("\"side\":2", "\"side\":3"),
        "terrain.positions: must be 9 in number, and are 4"
    );
    assert_eq!(
        said("\"exponents\":[1.0,1.0]", "\"exponents\":[1.0,2.0]"),
        "terrain.bodies[0].now.exponents: must be within 0.02 and 1.98"
    );
    assert_eq!(
        said("\"orientation\":[1.0", "\"orientation\":[0.0"),
        "terrain.bodies[0].now.orientation: the quaternion of the pose is zero, which is no rotation"
    );
    // Any other is divided by its length, as everywhere.
    let longer = text.replace("\"orientation\":[1.0", "\"orientation\":[3.0");
    assert_eq!(
        Terrain::from_json(&longer).unwrap().to_json().unwrap(),
        text
    );
    assert_eq!(
        said("\"id\":0", "\"id\":1"),
        "terrain.bodies[0].id: must be below next_id and that of no other body"
    );
    assert_eq!(
        said(
            "\"pins\":[]",
            "\"pins\":[{\"vertex\":4,\"place\":[0,0,0],\"goal\":[0,0,1]}]"
        ),
        "terrain.pins[0].vertex: must be a vertex that no other pin holds"
    );
    let wrong = said("\"id\":0", "\"id\":\"a\"");
    assert!(
        wrong.contains("terrain.bodies[0].id: invalid type: string \"a\""),
        "{wrong}"
    );
    assert!(wrong.starts_with("line 1, column "), "{wrong}");
    assert!(said("\"side\":2", "\"side\":2,\"more\":1").contains("unknown field `more`"));
    let more = Terrain::from_json(&format!("{text} x"))
        .err()
        .map(|error| error.to_string());
    assert!(more.is_some_and(|more| more.contains("trailing characters")));
    for end in (0..text.len()).step_by(7) {
        assert!(Terrain::from_json(&text[..end]).is_err());
    }
}

#[test]
fn the_obj_file_has_the_cloth() {
    let terrain = Terrain::new();
    let obj = terrain.to_obj();
    let vertices: Vec<Vec<f64>> = obj
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|x| x.parse().unwrap()).collect())
        .collect();
    assert_eq!(vertices.len(), 1681);
    for (read, x) in vertices.iter().zip(terrain.cloth()) {
        assert_eq!(read[..], x[..]);
    }
    let faces = obj.lines().filter_map(|line| line.strip_prefix("f "));
    let mut area = 0.0;
    for face in faces {
        let v: Vec<usize> = face.split(' ').map(|v| v.parse().unwrap()).collect();
        let [a, b, c] = [0, 1, 2].map(|k| &vertices[v[k] - 1]);
        // Upwards.
        area += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    }
    assert!((area - 4.0).abs() < 1e-9, "{area}");
}

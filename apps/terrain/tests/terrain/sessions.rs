//! Sessions in which everything happens, judged: never a vertex or a triangle in a body.

use crate::common::{act, depth, run};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use superovoid_terrain::Terrain;

#[test]
fn a_hill_rises_and_nothing_is_pierced() {
    let mut terrain = Terrain::new();
    terrain.add_body(0.0, 0.0).unwrap();
    run(&mut terrain, 60, 1);
    let top = terrain.cloth().iter().map(|x| x[2]).fold(0.0, f64::max);
    assert!((0.25..0.32).contains(&top), "{top}");
}

fn session(seed: u64, actions: usize, frames: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut terrain = Terrain::new();
    for action in 0..actions {
        act(&mut terrain, &mut random);
        for frame in 0..frames {
            let stepped = terrain.step();
            assert!(stepped.is_ok(), "seed {seed}, action {action}: {stepped:?}");
            if frame % 3 == 2 {
                let depth = depth(&terrain, 4);
                assert!(
                    depth == 0.0,
                    "seed {seed}, action {action}, frame {frame}: {depth} m deep"
                );
            }
        }
    }
}

#[test]
fn nothing_is_pierced_in_random_sessions() {
    for seed in 0..2 {
        session(seed, 12, 9);
    }
}

#[test]
#[ignore = "a minute"]
fn nothing_is_pierced_in_random_sessions_long() {
    for seed in 0..3 {
        session(seed, 25, 9);
    }
    for seed in 100..130 {
        session(seed, 60, 12);
    }
}

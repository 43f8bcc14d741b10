//! Random URDF and SRDF: files that are valid, and the same files spoiled, as trees of elements or as text.
//!
//! Everything follows from one number, so that a case that fails is told by its number alone.

mod element;
mod mutate;
mod srdf;
mod valid;

pub use element::{Element, Node};
pub use srdf::LINKS;

use mutate::Vocabulary;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A text for the reader.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text.
    pub text: String,
    /// Whether nothing in it was spoiled: it must be read.
    pub valid: bool,
}

/// The URDF file of a number. One in four is valid.
pub fn case(number: u64) -> Case {
    draw(number, valid::robot, &mutate::URDF)
}

/// The SRDF file of a number. One in four is valid.
pub fn srdf_case(number: u64) -> Case {
    draw(number, srdf::description, &srdf::WORDS)
}

fn draw(number: u64, valid: fn(&mut ChaCha8Rng) -> Element, words: &Vocabulary) -> Case {
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let mut root = valid(&mut rng);
    let valid = rng.random_bool(0.25);
    if valid {
        let text = element::document(&root, &mut rng);
        return Case { text, valid };
    }
    let on_tree = rng.random_range(0..4);
    for _ in 0..on_tree {
        mutate::tree(&mut root, words, &mut rng);
    }
    let mut text = element::document(&root, &mut rng);
    let on_text = rng.random_range(u32::from(on_tree == 0)..3);
    for _ in 0..on_text {
        mutate::text(&mut text, words, &mut rng);
    }
    Case { text, valid }
}

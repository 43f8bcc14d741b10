//! Prints what the recogniser makes of generated strokes: `cargo run --release -p superovoid-sketch --example confusion`.

#[path = "../tests/drawn/mod.rs"]
mod drawn;

use drawn::{Hand, KINDS, NOISES};
use superovoid_sketch::{Recognised, Stroke, recognise};

const DRAWS: usize = 2000;

fn main() {
    println!("| tremor | drawn | ellipse | bones | refused | right |");
    println!("| ---: | --- | ---: | ---: | ---: | ---: |");
    for noise in NOISES {
        let mut hand = Hand::new(1);
        for kind in KINDS {
            let mut counts = [0; 3];
            for _ in 0..DRAWS {
                let stroke = Stroke::new(&hand.draw(kind, noise)).expect("a stroke in the pane");
                counts[match recognise(&stroke) {
                    Recognised::Ellipse(_) => 0,
                    Recognised::Bones(_) => 1,
                    Recognised::Refused(_) => 2,
                }] += 1;
            }
            let [ellipse, bones, refused] = counts;
            let right = 100.0 * counts[kind.right()] as f64 / DRAWS as f64;
            println!("| {noise} | {kind:?} | {ellipse} | {bones} | {refused} | {right:.1} % |");
        }
    }
}

//! The distance between two bodies, and what a warm start and an early exit look like.
//!
//! ```text
//! cargo run --release --example two_bodies
//! ```

use nalgebra::{Isometry3, Vector3};
use superovoid::{Outcome, PairCache, QueryOptions, Superovoid, contact};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
    let brick = Superovoid::superellipsoid([0.05, 0.03, 0.01], [0.1, 0.1])?;
    let here = Isometry3::identity();
    let tilted = Vector3::new(0.3, 0.1, 0.0);

    println!("the brick comes down on the egg:");
    let options = QueryOptions::default();
    let mut cache = PairCache::default();
    for millimetres in [60, 50, 45, 42, 40, 35] {
        let pose = Isometry3::new(
            Vector3::new(0.0, 0.01, 1e-3 * f64::from(millimetres)),
            tilted,
        );
        let answer = contact(&egg, &here, &brick, &pose, &options, Some(&mut cache))?;
        println!(
            "  {millimetres} mm: distance {:+.6} mm, bracket {:.0e} mm wide, {:?}, {} iterations",
            1e3 * answer.distance,
            1e3 * (answer.upper - answer.lower),
            answer.outcome,
            answer.iterations,
        );
    }

    // A planner that only cares about 5 mm can stop as soon as that is proven.
    let near = options.with_max_distance(0.005);
    let pose = Isometry3::translation(0.0, 0.0, 0.2);
    let answer = contact(&egg, &here, &brick, &pose, &near, None)?;
    assert_eq!(answer.outcome, Outcome::Beyond);
    println!(
        "at 200 mm: proven to be more than {:.1} mm apart",
        1e3 * answer.lower
    );
    Ok(())
}

//! The time of a frame at rest and in motion, by the number of bodies in a square grid, all covered (figure 6.1 of
//! Gonçalves 2015), for the cloth of the page and for 10,201 vertices.
//!
//! ```sh
//! cargo run --release -p superovoid-terrain --example terrain_times
//! ```

use std::time::Instant;
use superovoid_terrain::{FRAME, Terrain, TerrainError};

/// The frames of a measurement: 5 s.
const FRAMES: usize = 300;

fn main() -> Result<(), TerrainError> {
    println!(
        "| vertices | bodies | rising: mean ms | worst | at rest: mean ms | worst | moving: mean ms | worst |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for side in [41, 101] {
        for n in 1..=10 {
            measure(side, n)?;
        }
    }
    Ok(())
}

fn measure(side: usize, n: usize) -> Result<(), TerrainError> {
    let mut terrain = Terrain::with_side(side);
    let spacing = 1.7 / n as f64;
    let place = |i: usize| (i as f64 - 0.5 * (n - 1) as f64) * spacing;
    let radius = (0.35 * spacing).min(0.3);
    for i in 0..n * n {
        let id = terrain.add_body(place(i % n), place(i / n))?;
        terrain.size_body(id, [radius, radius, 1.2 * radius])?;
        let exponent = |k: usize| 0.2 + 1.6 * (k % 5) as f64 / 4.0;
        terrain.shape_body(id, [exponent(i), exponent(i / 5)])?;
    }
    let rising = time(&mut terrain, 120, |_, _| Ok(()))?;
    for _ in 0..120 {
        terrain.step()?;
    }
    let resting = time(&mut terrain, FRAMES, |_, _| Ok(()))?;
    // One body goes round, as under a finger.
    let id = terrain.bodies()[0].id;
    let moving = time(&mut terrain, FRAMES, |terrain, frame| {
        let angle = frame as f64 * FRAME;
        terrain.move_body(id, 0.7 * angle.cos(), 0.7 * angle.sin())
    })?;
    let [(a, b), (c, d), (e, f)] = [rising, resting, moving];
    println!(
        "| {} | {} | {a:.2} | {b:.2} | {c:.2} | {d:.2} | {e:.2} | {f:.2} |",
        side * side,
        n * n
    );
    Ok(())
}

/// The mean and the worst time of a frame, milliseconds.
fn time(
    terrain: &mut Terrain,
    frames: usize,
    mut before: impl FnMut(&mut Terrain, usize) -> Result<(), TerrainError>,
) -> Result<(f64, f64), TerrainError> {
    let (mut sum, mut worst) = (0.0, 0.0f64);
    for frame in 0..frames {
        before(terrain, frame)?;
        let start = Instant::now();
        terrain.step()?;
        let ms = 1e3 * start.elapsed().as_secs_f64();
        sum += ms;
        worst = worst.max(ms);
    }
    Ok((sum / frames as f64, worst))
}

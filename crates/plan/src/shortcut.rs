//! Shorter paths: random shortcuts, and the removal of points.
//!
//! R. Geraerts and M. H. Overmars, "Creating high-quality paths for motion planning", International Journal of Robotics
//! Research 26 (2007). Two random points of the path, evenly by length, are joined by a straight edge if it is free; then
//! every point is left out whose neighbours can be joined.

use super::edges::Edges;
use super::error::PlanError;
use super::rrt_connect::Points;
use super::space::distance;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Makes a path shorter.
pub(crate) fn shorten(
    edges: &mut Edges,
    rng: &mut ChaCha8Rng,
    path: &mut Points,
) -> Result<(), PlanError> {
    remove_points(edges, path)?;
    for _ in 0..edges.options.shortcuts {
        if path.len() <= 2 || edges.is_over() {
            return Ok(());
        }
        try_shortcut(edges, rng, path)?;
    }
    remove_points(edges, path)
}

/// Leaves out every point whose neighbours can be joined.
fn remove_points(edges: &mut Edges, path: &mut Points) -> Result<(), PlanError> {
    let mut k = 1;
    while k + 1 < path.len() {
        if edges.is_free([&path[k - 1], &path[k + 1]])? {
            path.remove(k);
        } else {
            k += 1;
        }
    }
    Ok(())
}

fn try_shortcut(
    edges: &mut Edges,
    rng: &mut ChaCha8Rng,
    path: &mut Points,
) -> Result<(), PlanError> {
    let lengths = path.windows(2).map(|ends| distance(&ends[0], &ends[1]));
    let length: f64 = lengths.sum();
    let places = [0; 2].map(|_| rng.random_range(0.0..=1.0) * length);
    let first = places[0].min(places[1]);
    let [(i, a), (j, b)] = [first, places[0].max(places[1])].map(|s| at(edges, path, s));
    // On one edge there is nothing to gain. What is left of the two edges at the ends is as free as they were; of the points
    // the edge between them has only the second one among its states.
    if i != j && edges.is_free([&a, &a])? && edges.is_free([&a, &b])? {
        path.splice(i + 1..=j, [a, b]);
    }
    Ok(())
}

/// Returns the edge and the point at a length of the path.
fn at(edges: &Edges, path: &Points, mut length: f64) -> (usize, Vec<f64>) {
    let last = path.len() - 2;
    for (k, ends) in path.windows(2).enumerate() {
        let way = distance(&ends[0], &ends[1]);
        if length <= way || k == last {
            let t = if way > 0.0 {
                (length / way).min(1.0)
            } else {
                1.0
            };
            let mut point = Vec::new();
            edges.space.between([&ends[0], &ends[1]], t, &mut point);
            return (k, point);
        }
        length -= way;
    }
    (last, path[last + 1].clone())
}

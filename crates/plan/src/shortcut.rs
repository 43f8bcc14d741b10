//! Shorter paths: straight ways past points, and rounder corners.
//!
//! In rounds: every point is joined with the farthest one along the path to which a straight edge is free, and what is
//! between them is left out; then every edge is halved, and each old point that is not an end is moved to the middle of what
//! a quadratic B-spline has there (J. Pan, L. Zhang and D. Manocha, "Collision-free and smooth trajectory computation in
//! cluttered environments", International Journal of Robotics Research 31 (2012)), if both edges there stay free.

use super::edges::Edges;
use super::error::PlanError;
use super::rrt_connect::Points;
use super::space::distance;

/// A corner that would move by less stays, relative to the longest step of the search.
const LEAST_MOVE: f64 = 0.1;

/// A round that makes the path shorter by a smaller share is the last one.
const LEAST_GAIN: f64 = 0.01;

/// Makes a path shorter.
pub(crate) fn shorten(edges: &mut Edges, path: &mut Points) -> Result<(), PlanError> {
    if edges.options.shortcuts == 0 {
        return Ok(());
    }
    let mut before = length(path);
    for _ in 0..edges.options.shortcuts {
        join(edges, path)?;
        if path.len() <= 2 || !round(edges, path)? {
            return Ok(());
        }
        let now = length(path);
        if now > (1.0 - LEAST_GAIN) * before {
            break;
        }
        before = now;
    }
    join(edges, path)
}

fn length(path: &Points) -> f64 {
    let lengths = path.windows(2).map(|ends| distance(&ends[0], &ends[1]));
    lengths.sum()
}

/// Joins points by straight edges, and leaves out what is between them.
fn join(edges: &mut Edges, path: &mut Points) -> Result<(), PlanError> {
    let mut first = 0;
    while first + 2 < path.len() {
        for last in (first + 2..path.len()).rev() {
            if edges.is_over() {
                return Ok(());
            }
            if edges.is_free([&path[first], &path[last]])? {
                path.drain(first + 1..last);
                break;
            }
        }
        first += 1;
    }
    Ok(())
}

/// Makes corners rounder; returns whether there were any.
fn round(edges: &mut Edges, path: &mut Points) -> Result<bool, PlanError> {
    let mut fine = vec![path[0].clone()];
    let mut middle = Vec::new();
    for ends in path.windows(2) {
        edges.space.between([&ends[0], &ends[1]], 0.5, &mut middle);
        // It need not be among the states of its edge.
        if !edges.options.prove && !edges.is_free([&middle, &middle])? {
            return Ok(false);
        }
        fine.extend([middle.clone(), ends[1].clone()]);
    }
    let mut any = false;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for corner in (2..fine.len() - 1).step_by(2) {
        if edges.is_over() {
            break;
        }
        let at = &fine[corner];
        let [from, to] = [&fine[corner - 1], &fine[corner + 1]];
        edges.space.between([at, from], 0.5, &mut before);
        edges.space.between([at, to], 0.5, &mut after);
        edges.space.between([&before, &after], 0.5, &mut middle);
        if distance(at, &middle) > LEAST_MOVE * edges.options.max_step
            && edges.is_free([from, &middle])?
            && edges.is_free([&middle, to])?
        {
            fine[corner].clone_from(&middle);
            any = true;
        }
    }
    if any {
        *path = fine;
    }
    Ok(any)
}

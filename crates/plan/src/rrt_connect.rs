//! RRT-Connect: two trees, one from the start and one from the goals, that grow towards random points and towards each
//! other in turns.
//!
//! J. J. Kuffner and S. M. LaValle, "RRT-Connect: An efficient approach to single-query path planning", ICRA 2000. The
//! tree of the goals has a root for each of them, and before anything is drawn the start is connected with each goal.

use super::edges::Edges;
use super::error::PlanError;
use super::nearest::Tree;
use super::space::distance;
use rand_chacha::ChaCha8Rng;

/// Points in a row, each a straight way from the one before.
pub(crate) type Points = Vec<Vec<f64>>;

/// How far a tree came on its way to a point.
enum Step {
    /// The first edge is not free.
    Trapped,
    /// This new point lies on the way.
    Advanced(usize),
    /// This point is the one.
    Reached(usize),
}

/// Returns a path from the start to one of the goals, or `None` where the budget ends, or so many samples.
pub(crate) fn search(
    edges: &mut Edges,
    rng: &mut ChaCha8Rng,
    start: &[f64],
    goals: &[Vec<f64>],
    samples: usize,
) -> Result<Option<Points>, PlanError> {
    let dimension = edges.space.dimension();
    let mut trees = [
        Tree::with_roots(dimension, [start]),
        Tree::with_roots(dimension, goals.iter().map(Vec::as_slice)),
    ];
    for (root, goal) in goals.iter().enumerate() {
        if let Step::Reached(end) = connect(edges, &mut trees[0], goal)? {
            return Ok(Some(joined(&trees, [end, root])));
        }
    }
    let mut target = Vec::new();
    for sample in 0..samples {
        if edges.out_of_samples() || edges.is_over() {
            return Ok(None);
        }
        edges.statistics.samples += 1;
        edges.space.draw(rng, &mut target);
        // The trees take turns.
        let (growing, other) = (sample % 2, 1 - sample % 2);
        let (Step::Advanced(new) | Step::Reached(new)) =
            extend(edges, &mut trees[growing], &target)?
        else {
            continue;
        };
        target.clear();
        target.extend_from_slice(trees[growing].point(new));
        if let Step::Reached(end) = connect(edges, &mut trees[other], &target)? {
            let ends = if growing == 0 { [new, end] } else { [end, new] };
            return Ok(Some(joined(&trees, ends)));
        }
    }
    Ok(None)
}

/// Grows a tree by one edge from its nearest point towards another point.
fn extend(edges: &mut Edges, tree: &mut Tree, target: &[f64]) -> Result<Step, PlanError> {
    let nearest = tree.nearest(target);
    extend_from(edges, tree, nearest, target)
}

/// Grows a tree from its nearest point towards another point as far as it comes.
fn connect(edges: &mut Edges, tree: &mut Tree, target: &[f64]) -> Result<Step, PlanError> {
    let mut from = tree.nearest(target);
    loop {
        match extend_from(edges, tree, from, target)? {
            Step::Advanced(new) => from = new,
            end => return Ok(end),
        }
    }
}

fn extend_from(
    edges: &mut Edges,
    tree: &mut Tree,
    from: usize,
    target: &[f64],
) -> Result<Step, PlanError> {
    let way = distance(tree.point(from), target);
    if way == 0.0 {
        return Ok(Step::Reached(from));
    }
    let share = (edges.options.max_step / way).min(1.0);
    let mut point = Vec::with_capacity(target.len());
    edges
        .space
        .between([tree.point(from), target], share, &mut point);
    if !edges.is_free([tree.point(from), &point])? {
        return Ok(Step::Trapped);
    }
    let new = tree.add(&point, from);
    Ok(if share < 1.0 {
        Step::Advanced(new)
    } else {
        Step::Reached(new)
    })
}

/// Returns the path through a point that both trees have.
fn joined([of_start, of_goals]: &[Tree; 2], [end, begin]: [usize; 2]) -> Points {
    let mut path = of_start.to_root(end);
    path.reverse();
    path.extend(of_goals.to_root(begin).into_iter().skip(1));
    path
}

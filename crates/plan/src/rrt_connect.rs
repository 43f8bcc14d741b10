//! RRT-Connect: two trees, one from the start and one from the goals, that grow towards random points, and then towards
//! each other.
//!
//! J. J. Kuffner and S. M. LaValle, "RRT-Connect: An efficient approach to single-query path planning", ICRA 2000. The
//! tree of the goals has a root for each of them, and before anything is drawn the start is connected with each goal. The
//! smaller tree grows (Kuffner and LaValle, "An efficient approach to path planning using balanced bidirectional RRT search",
//! 2005), and a new point is connected with the nearest one of the other tree by points of its own tree. A point from which
//! an edge was refused is at the border of what is free: it grows only towards samples that are near (A. Yershova, L. Jaillet,
//! T. Siméon and S. M. LaValle, "Dynamic-domain RRTs", ICRA 2005), as most that are far would be refused again.

use super::edges::Edges;
use super::error::PlanError;
use super::nearest::Tree;
use super::space::distance;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;

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

/// How far a sample may be from a point at the border: so many steps, or this share of the diagonal of the limits, if that is
/// more. The ball of that share holds a tenth of all samples and more in the middle of 2 to 20 joints.
const STEPS: f64 = 4.0;
const SHARE: f64 = 0.25;

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
        if let Step::Reached(end) = connect(edges, &mut trees[0], 0, goal)? {
            return Ok(Some(joined(&trees, [end, root])));
        }
    }
    let (mut sample, mut target) = (Vec::new(), Vec::new());
    let mut growing = 1;
    let domain = (STEPS * edges.options.max_step).max(SHARE * edges.space.diagonal());
    for _ in 0..samples {
        if edges.out_of_samples() || edges.is_over() {
            return Ok(None);
        }
        edges.statistics.samples += 1;
        edges.space.draw(rng, &mut sample);
        // The smaller tree, or the other one than before.
        growing = match trees[0].len().cmp(&trees[1].len()) {
            Ordering::Less => 0,
            Ordering::Equal => 1 - growing,
            Ordering::Greater => 1,
        };
        let tree = &mut trees[growing];
        let nearest = tree.nearest(&sample);
        let way = distance(tree.point(nearest), &sample);
        if tree.is_trapped(nearest) && way > domain {
            continue;
        }
        let (Step::Advanced(new) | Step::Reached(new)) = extend(edges, tree, nearest, &sample)?
        else {
            tree.trap(nearest);
            continue;
        };
        let root = trees[1 - growing].nearest(trees[growing].point(new));
        target.clear();
        target.extend_from_slice(trees[1 - growing].point(root));
        if let Step::Reached(end) = connect(edges, &mut trees[growing], new, &target)? {
            let ends = if growing == 0 {
                [end, root]
            } else {
                [root, end]
            };
            return Ok(Some(joined(&trees, ends)));
        }
    }
    Ok(None)
}

/// Grows a tree from one of its points towards another point as far as it comes.
fn connect(
    edges: &mut Edges,
    tree: &mut Tree,
    mut from: usize,
    target: &[f64],
) -> Result<Step, PlanError> {
    loop {
        match extend(edges, tree, from, target)? {
            Step::Advanced(new) => from = new,
            end => return Ok(end),
        }
    }
}

/// Grows a tree by one edge from one of its points towards another point.
fn extend(
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

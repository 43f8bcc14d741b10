//! Bodies about the corners of a cell, quickly: from frames that are given, without a search for the best fit first.

use super::cell::Cell;
use crate::body::Body;
use crate::bounding::{FEW_ROUNDS, ROUNDS, Side, minimised, settled_with};
use crate::chart::{Tapers, made_convex};
use crate::points::{mean, principal_axes};
use crate::{Family, Fit};
use nalgebra::{Matrix3, Vector3};
use std::time::Instant;

/// How much work a body is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// To rank cuts.
    Glance,
    /// A body of the result.
    Full,
}

impl Effort {
    /// Edges of the starts: round and sharp ones in the section and along z.
    fn exponents(self) -> &'static [[f64; 2]] {
        match self {
            Effort::Glance => &[[0.4, 0.4], [1.0, 0.2]],
            Effort::Full => &[[0.4, 0.4], [0.8, 0.8], [1.0, 0.3], [0.1, 0.5], [1.2, 0.1]],
        }
    }

    fn rounds(self) -> usize {
        match self {
            Effort::Glance => 2,
            Effort::Full => FEW_ROUNDS,
        }
    }
}

/// How many bodies get all rounds, at full effort.
const REFINED: usize = 2;

/// The smallest body found about a cell, whose axes start along those of one of the frames, and at full effort also along
/// the principal ones of its corners.
pub(super) fn enclosing(
    cell: &Cell,
    frames: &[Matrix3<f64>],
    family: Family,
    effort: Effort,
) -> Option<Fit> {
    let started = Instant::now();
    let corners = cell.corners();
    let coords: Vec<Vector3<f64>> = corners.iter().map(|p| p.coords).collect();
    let center = mean(&coords);
    let far = coords.iter().map(|p| (p - center).norm_squared());
    let scale = (far.sum::<f64>() / coords.len() as f64).sqrt();
    let points: Vec<Vector3<f64>> = coords.iter().map(|p| (p - center) / scale).collect();
    let tapers = match family {
        Family::Superellipsoid => Tapers::Zero,
        Family::Convex | Family::Any => Tapers::ConvexEqual,
    };
    let improved = |start: &Body, rounds: usize| {
        let body = minimised(start, &points, tapers, None, Side::Inside, rounds);
        made_convex(&body)
    };
    let placed = |body: &Body| {
        let body = body.rescaled(scale, &center);
        let (shape, pose) = (body.shape().ok()?, body.pose());
        let shape = settled_with(&shape, &pose, &corners, Side::Inside, cell.slack)?;
        Some((shape, pose))
    };
    let mut found: Vec<(f64, Body)> = Vec::new();
    let mut keep = |body: Body| {
        if let Some((shape, _)) = placed(&body) {
            found.push((shape.volume(), body));
        }
    };
    for start in starts(&points, frames, effort) {
        keep(improved(&start, effort.rounds()));
    }
    found.sort_by(|p, q| p.0.total_cmp(&q.0));
    if effort == Effort::Full {
        let best: Vec<Body> = found.iter().take(REFINED).map(|(_, body)| *body).collect();
        found.extend(best.iter().filter_map(|body| {
            let body = improved(body, ROUNDS);
            Some((placed(&body)?.0.volume(), body))
        }));
        found.sort_by(|p, q| p.0.total_cmp(&q.0));
    }
    let (shape, pose) = placed(&found.first()?.1)?;
    let time = started.elapsed();
    Some(Fit { shape, pose, time })
}

/// Bodies in the box of the points along each frame, with each axis as z.
fn starts(points: &[Vector3<f64>], frames: &[Matrix3<f64>], effort: Effort) -> Vec<Body> {
    let own = (effort == Effort::Full).then(|| principal_axes(points).1);
    let frames = frames.iter().chain(&own);
    let turned = frames.flat_map(|frame| {
        [0, 1, 2].map(|z| {
            let column = |k: usize| frame.column((z + k) % 3).into_owned();
            Matrix3::from_columns(&[column(1), column(2), column(0)])
        })
    });
    let starts = turned.flat_map(|rotation| {
        let (mut a, mut center) = ([0.0; 3], Vector3::zeros());
        for k in 0..3 {
            let axis = rotation.column(k);
            let along = points.iter().map(|p| axis.dot(p));
            let [low, high] = along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                [low.min(x), high.max(x)]
            });
            a[k] = (0.5 * (high - low)).max(1e-3);
            center += axis * (0.5 * (high + low));
        }
        effort.exponents().iter().map(move |&e| Body {
            a,
            e,
            t: [0.0; 2],
            rotation,
            center,
        })
    });
    starts.collect()
}

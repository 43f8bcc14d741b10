//! Where to cut a cell so that the bodies about both parts are small together.
//!
//! Planes across the axes of the cell's body and across those of its corners, at several places, are ranked by the sum of
//! the volumes of quickly found bodies; the best of them are moved and tilted by a pattern search on the volume of the
//! union.

use super::cell::{Cell, Plane};
use super::enclose::{Effort, enclosing};
use super::union::union_volume;
use crate::frame::shortest_turn;
use crate::{Family, Fit};
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};

/// A cell with the body about it.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    pub cell: Cell,
    pub fit: Fit,
}

/// Places of the cut, as parts of the cell's extent.
const PLACES: [f64; 5] = [0.3, 0.4, 0.5, 0.6, 0.7];
/// Planes that are moved and tilted.
const FOLLOWED: usize = 2;
/// First steps of the pattern search: a part of the extent, and radians.
const FIRST_STEPS: [f64; 2] = [0.08, 0.25];
const HALVINGS: usize = 3;

/// A way to cut.
#[derive(Clone, Copy)]
struct Way {
    normal: Unit<Vector3<f64>>,
    place: f64,
}

/// Both parts of a cell, with their bodies; None where no cut helps to find any.
pub(super) fn split(covered: &Covered, family: Family) -> Option<[Covered; 2]> {
    let cell = &covered.cell;
    let axes = covered.fit.pose.rotation.to_rotation_matrix().into_inner();
    let own =
        crate::points::principal_axes(&cell.corners().iter().map(|p| p.coords).collect::<Vec<_>>())
            .1;
    let normals = [axes, own]
        .into_iter()
        .flat_map(|frame| [0, 1, 2].map(|k| Unit::new_normalize(frame.column(k).into_owned())));
    let ways = normals.flat_map(|normal| PLACES.map(|place| Way { normal, place }));
    let volume = |[a, b]: &[Covered; 2]| a.fit.shape.volume() + b.fit.shape.volume();
    let mut ranked: Vec<(f64, Way)> = ways
        .filter_map(|way| {
            Some((
                volume(&parts(cell, &way, &axes, family, Effort::Glance)?),
                way,
            ))
        })
        .collect();
    ranked.sort_by(|p, q| p.0.total_cmp(&q.0));
    let followed = ranked.iter().take(FOLLOWED);
    let found = followed.filter_map(|(_, way)| {
        let way = moved(cell, *way, &axes, family);
        parts(cell, &way, &axes, family, Effort::Full)
    });
    found.min_by(|p, q| together(p).total_cmp(&together(q)))
}

fn together([a, b]: &[Covered; 2]) -> f64 {
    union_volume(&[a.fit, b.fit])
}

/// The parts with their bodies.
fn parts(
    cell: &Cell,
    way: &Way,
    axes: &Matrix3<f64>,
    family: Family,
    effort: Effort,
) -> Option<[Covered; 2]> {
    let [low, high] = cell.extent(&way.normal);
    let plane = Plane {
        normal: way.normal,
        offset: low + way.place * (high - low),
    };
    let [below, above] = cell.cut(&plane)?;
    let frames = [across(&way.normal, axes), *axes];
    let frames = match effort {
        Effort::Glance => &frames[..1],
        Effort::Full => &frames,
    };
    let covered = |cell: Cell| {
        let fit = enclosing(&cell, frames, family, effort)?;
        Some(Covered { cell, fit })
    };
    Some([covered(below)?, covered(above)?])
}

/// The axes, turned the shortest way until one of them is the normal.
fn across(normal: &Unit<Vector3<f64>>, axes: &Matrix3<f64>) -> Matrix3<f64> {
    let nearest = axes.tr_mul(normal).iamax();
    let axis: Vector3<f64> = axes.column(nearest).into_owned();
    let axis = if axis.dot(normal) < 0.0 { -axis } else { axis };
    shortest_turn(&axis, normal).matrix() * axes
}

/// The way of least union nearby, by a pattern search over place and tilts.
fn moved(cell: &Cell, way: Way, axes: &Matrix3<f64>, family: Family) -> Way {
    let value = |way: &Way| {
        parts(cell, way, axes, family, Effort::Glance).map_or(f64::INFINITY, |two| together(&two))
    };
    let (mut best, mut least) = (way, value(&way));
    let [mut shift, mut tilt] = FIRST_STEPS;
    for _ in 0..HALVINGS {
        let sideways = across(&best.normal, axes);
        for side in [-1.0, 1.0] {
            for k in 0..4 {
                let mut other = best;
                if k == 3 {
                    other.place = (other.place + side * shift).clamp(0.1, 0.9);
                } else {
                    let axis = Unit::new_normalize(sideways.column(k).into_owned());
                    if axis.dot(&best.normal).abs() > 0.9 {
                        continue;
                    }
                    let turn = Rotation3::from_axis_angle(&axis, side * tilt);
                    other.normal = Unit::new_normalize(turn * best.normal.into_inner());
                }
                let found = value(&other);
                if found < least {
                    (best, least) = (other, found);
                }
            }
        }
        shift *= 0.5;
        tilt *= 0.5;
    }
    best
}

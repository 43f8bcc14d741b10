//! Bodies that the search starts from.

use crate::body::Body;
use crate::chart::Line;
use crate::points::{Cloud, principal_axes};
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_3, FRAC_PI_4, SQRT_2};

/// Round, box-like and pointed, in the section and along z.
const EXPONENTS: [[f64; 2]; 5] = [[1.0, 1.0], [0.4, 0.4], [1.6, 1.6], [0.4, 1.6], [1.6, 0.4]];

/// Starts that suffice for nearly all points: each principal axis as z, all kinds of exponents.
pub(crate) fn usual(cloud: &Cloud, few: &[Vector3<f64>], line: Option<Line>) -> Vec<Body> {
    let mut starts = Vec::new();
    for frame in frames(cloud, line) {
        starts.extend(EXPONENTS.map(|e| start(few, frame, line, e, 0.0)));
        // A square section has two principal frames, and those of the points may be the wrong ones.
        let diagonal = frame * turned(Vector3::z(), FRAC_PI_4);
        starts.push(start(few, diagonal, line, [0.5, 1.0], 0.0));
    }
    starts
}

/// More of them, for strong tapers, points whose principal axes say little, and surfaces seen from one
/// side.
pub(crate) fn unusual(cloud: &Cloud, few: &[Vector3<f64>], line: Option<Line>) -> Vec<Body> {
    let mut starts = Vec::new();
    for frame in frames(cloud, line) {
        for taper in [-0.5, 0.5] {
            starts.push(start(few, frame, line, [0.7, 0.7], taper));
        }
        for side in [-1.0, 1.0] {
            starts.push(half_hidden(cloud, few, frame, line, side));
        }
    }
    if line.is_some() {
        return starts;
    }
    let between = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| turned(axis, FRAC_PI_4));
    let diagonal = Vector3::new(1.0, 1.0, 1.0);
    let corners = [-FRAC_PI_3, FRAC_PI_3].map(|angle| turned(diagonal, angle));
    for turn in between.iter().chain(&corners) {
        let frames = roles(&(cloud.axes * turn));
        starts.extend(frames.map(|frame| start(few, frame, line, [0.5, 0.5], 0.0)));
    }
    starts
}

/// Bodies that differ from this one but look much alike, so that the search may have ended at the wrong one.
pub(crate) fn variants(body: &Body) -> Vec<Body> {
    let mut variants = Vec::new();
    let taper = 0.5 * (body.t[0] + body.t[1]);
    if taper.abs() > 0.4 {
        // Few points show where a cone ends.
        variants.extend([0.15, 0.3].map(|cut| cut_off(body, cut * taper.signum())));
    }
    // Half a body, on either side, with flat ends: what is seen of it may go on or not.
    variants.extend([-0.5, 0.5].map(|cut| Body {
        e: [body.e[0], 0.4],
        ..cut_off(body, cut)
    }));
    let square = (body.a[0] / body.a[1]).ln().abs() < 0.3;
    if square && (body.e[0] - 1.0).abs() > 0.3 {
        variants.push(on_its_corner(body));
    }
    variants
}

/// A body without the part `cut` of its half height, at the lower end (at the upper one if negative). In units
/// of a3 its heights are those within `1 − |cut|` of the new centre; the sides stay what they are.
fn cut_off(body: &Body, cut: f64) -> Body {
    let keep = 1.0 - cut.abs();
    let mut b = *body;
    b.center += body.rotation.column(2) * (cut * body.a[2]);
    b.a[2] *= keep;
    for k in 0..2 {
        let width = 1.0 + body.t[k] * cut;
        b.a[k] *= width;
        b.t[k] *= keep / width;
    }
    b
}

/// A square section is a pointed one turned by 45°, and the other way round.
fn on_its_corner(body: &Body) -> Body {
    let k = if body.e[0] < 1.0 {
        SQRT_2
    } else {
        FRAC_1_SQRT_2
    };
    let half_width = (body.a[0] * body.a[1]).sqrt() * k;
    Body {
        a: [half_width, half_width, body.a[2]],
        e: [2.0 - body.e[0], body.e[1]],
        rotation: body.rotation * turned(Vector3::z(), FRAC_PI_4),
        ..*body
    }
}

/// A body of which the points show one side only, across their thinnest direction.
fn half_hidden(
    cloud: &Cloud,
    few: &[Vector3<f64>],
    frame: Matrix3<f64>,
    line: Option<Line>,
    side: f64,
) -> Body {
    let thin = cloud.axes.column(2).into_owned();
    let mut start = start(few, frame, line, [0.7, 0.7], 0.0);
    let across = frame.tr_mul(&thin).iamax();
    start.center += thin * (side * start.a[across]);
    start.a[across] *= 2.0;
    start
}

/// Frames to try: each principal axis as z, or the given one.
fn frames(cloud: &Cloud, line: Option<Line>) -> Vec<Matrix3<f64>> {
    let Some(line) = line else {
        return roles(&cloud.axes).to_vec();
    };
    let z = line.direction.into_inner();
    let flattened: Vec<Vector3<f64>> = cloud.points.iter().map(|p| p - z * z.dot(p)).collect();
    // z has no variance here and comes last.
    let (_, axes) = principal_axes(&flattened);
    let x: Vector3<f64> = axes.column(0) - z * z.dot(&axes.column(0));
    let x = x.try_normalize(1e-6).unwrap_or_else(|| {
        let other = Vector3::ith(z.iamin(), 1.0);
        other.cross(&z).normalize()
    });
    vec![Matrix3::from_columns(&[x, z.cross(&x), z])]
}

/// The frame with each of its axes as z.
fn roles(axes: &Matrix3<f64>) -> [Matrix3<f64>; 3] {
    [0, 1, 2].map(|z| {
        let column = |k: usize| axes.column((z + k) % 3).into_owned();
        Matrix3::from_columns(&[column(1), column(2), column(0)])
    })
}

fn turned(axis: Vector3<f64>, angle: f64) -> Matrix3<f64> {
    *Rotation3::from_axis_angle(&Unit::new_normalize(axis), angle).matrix()
}

fn start(
    points: &[Vector3<f64>],
    frame: Matrix3<f64>,
    line: Option<Line>,
    e: [f64; 2],
    taper: f64,
) -> Body {
    let (mut center, mut a) = extent(points, &frame);
    if let Some(Line {
        direction,
        through: Some(point),
    }) = line
    {
        let off = center - point;
        let across = off - direction.as_ref() * direction.dot(&off);
        center -= across;
        for k in 0..2 {
            a[k] += frame.column(k).dot(&across).abs();
        }
    }
    Body {
        a,
        e,
        t: [taper; 2],
        rotation: frame,
        center,
    }
}

/// Middle and half extents of the points in a frame, from medians: of a round or box-like surface they are
/// right to within a half, whatever a third of the points may be.
fn extent(points: &[Vector3<f64>], frame: &Matrix3<f64>) -> (Vector3<f64>, [f64; 3]) {
    /// The median of |x| on a sphere is a half of the radius, on a cube three quarters of the half side.
    const FROM_MEDIAN: f64 = 1.7;
    let mut center = Vector3::zeros();
    let mut half = [0.0; 3];
    let median = |values: &mut [f64]| {
        let k = values.len() / 2;
        *values.select_nth_unstable_by(k, f64::total_cmp).1
    };
    for k in 0..3 {
        let axis = frame.column(k);
        let mut along: Vec<f64> = points.iter().map(|p| axis.dot(p)).collect();
        let middle = median(&mut along);
        along.iter_mut().for_each(|x| *x = (*x - middle).abs());
        center += axis * middle;
        half[k] = (FROM_MEDIAN * median(&mut along)).max(1e-3);
    }
    (center, half)
}

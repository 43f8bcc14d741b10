//! The search for the best fit: many rough starts on few points, the best of them refined.

use crate::body::Body;
use crate::chart::{Chart, Line, Tapers};
use crate::least_squares::minimise;
use crate::points::Cloud;
use crate::robust::{Weighted, distances, loss, scale};
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};

/// A body with its loss.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub body: Body,
    pub loss: f64,
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub tapers: Tapers,
    pub line: Option<Line>,
    pub robust: bool,
}

/// Points of the first stages.
const FEW: usize = 100;
const MORE: usize = 400;
/// A fit better than this, in units of the points' spread, is exact.
pub(crate) const EXACT: f64 = 1e-9;

/// One round of reweighting.
#[derive(Clone, Copy)]
struct Round {
    evaluations: usize,
    /// Smallest scale of the robust loss.
    floor: f64,
    c: f64,
}

const fn round(evaluations: usize, floor: f64) -> Round {
    Round { evaluations, floor, c: 2.4 }
}
const fn gentle(evaluations: usize, floor: f64) -> Round {
    Round { evaluations, floor, c: 6.0 }
}

const ROUGH: [Round; 2] = [round(7, 0.1), round(7, 0.05)];
const FINER: [Round; 2] = [round(8, 0.05), round(8, 0.02)];
const FINE: [Round; 6] = [round(10, 0.02), gentle(10, 0.01), gentle(8, 0.005), gentle(8, 0.001), gentle(8, 1e-4), gentle(8, 1e-6)];
const RANKED: [f64; 3] = [0.12, 0.05, 0.03];

impl Goal {
    fn improve(&self, body: &Body, points: &[Vector3<f64>], rounds: &[Round], rank: f64) -> Candidate {
        let mut body = *body;
        for round in rounds {
            let chart = Chart::around(&body, self.tapers, self.line);
            let scale = self
                .robust
                .then(|| round.c * scale(distances(&body, points)).max(round.floor));
            let problem = Weighted::at(&body, points, chart, scale);
            let start = chart.unknowns_of(&body);
            let found = minimise(&problem, start, round.evaluations, 1e-6);
            body = chart.body(&found.unknowns);
        }
        let loss = loss(&distances(&body, points), self.robust.then_some(rank));
        Candidate { body, loss }
    }

    pub fn search(&self, cloud: &Cloud) -> Candidate {
        let few = cloud.some(FEW);
        let mut best: Option<Candidate> = None;
        for starts in [usual_starts(cloud, &few), unusual_starts(cloud, &few)] {
            let (found, agreed) = self.best_of(cloud, &few, starts);
            let debug = std::env::var("FIT_DEBUG").is_ok();
            if debug { eprintln!("wave: loss {:.3e} {:?}", found.loss, found.body.a); }
            if best.as_ref().is_none_or(|b| found.loss < b.loss) {
                best = Some(found);
            }
            let b = best.as_ref().expect("just set");
            if b.loss < EXACT * EXACT || agreed { break; }
        }
        let mut best = best.expect("there are starts");
        if best.loss > EXACT * EXACT {
            let more = cloud.some(MORE);
            for variant in variants(&best.body) {
                let c = self.improve(&variant, &more, &FINE, RANKED[2]);
                if std::env::var("FIT_DEBUG").is_ok() { eprintln!("variant {:.3e} of {:.3e}: {:.3?} {:.3?} {:.3?}", c.loss.sqrt(), best.loss.sqrt(), c.body.a, c.body.e, c.body.t); }
                if c.loss < best.loss { best = c; }
            }
        }
        self.polish(&best.body, &cloud.points)
    }

    fn best_of(&self, cloud: &Cloud, few: &[Vector3<f64>], starts: Vec<Body>) -> (Candidate, bool) {
        let debug = std::env::var("FIT_DEBUG").is_ok();
        let show = |what: &str, k: usize, c: &Candidate| if debug {
                eprintln!("{what} {k} loss {:.3e} a {:.3?} e {:.3?} t {:.3?}", c.loss.sqrt(), c.body.a, c.body.e, c.body.t);
            };
        let more = cloud.some(MORE);
        let mut found: Vec<Candidate> = Vec::new();
        for (k, start) in starts.into_iter().enumerate() {
            let c = self.improve(&start, &few, &ROUGH, RANKED[0]);
            show("rough", k, &c);
            found.push(c);
        }
        found.sort_by(|p, q| p.loss.total_cmp(&q.loss));
        found.truncate(10);
        for (k, c) in found.iter_mut().enumerate() {
            *c = self.improve(&c.body, &few, &FINER, RANKED[1]);
            show("finer", k, &c);
        }
        found.sort_by(|p, q| p.loss.total_cmp(&q.loss));
        found.truncate(4);
        let mut best: Option<Candidate> = None;
        let mut losses = vec![];
        for (k, c) in found.iter().enumerate() {
            let c = self.improve(&c.body, &more, &FINE, RANKED[2]);
            show("fine", k, &c);
            losses.push(c.loss);
            if best.as_ref().is_none_or(|b| c.loss < b.loss) {
                best = Some(c);
            }
            if best.as_ref().is_some_and(|b| b.loss < EXACT * EXACT) { break; }
        }
        losses.sort_by(f64::total_cmp);
        (best.expect("there are starts"), losses.len() > 2 && losses[2] < losses[0] * 1.0001)
    }

    /// Least squares over the points that are no outliers.
    fn polish(&self, body: &Body, points: &[Vector3<f64>]) -> Candidate {
        let mut body = *body;
        let mut kept: Vec<Vector3<f64>> = Vec::new();
        for floor in [1e-2, 3e-3, 1e-3, 1e-4, 1e-6, 1e-9] {
            let d = distances(&body, points);
            let limit = if self.robust { (6.0 * scale(d.clone())).max(floor) } else { f64::INFINITY };
            let before = kept.len();
            kept = points.iter().zip(&d).filter(|(_, d)| **d <= limit).map(|(p, _)| *p).collect();
            let chart = Chart::around(&body, self.tapers, self.line);
            let problem = Weighted::at(&body, &kept, chart, None);
            let found = minimise(&problem, chart.unknowns_of(&body), 6, 1e-10);
            body = chart.body(&found.unknowns);
            if kept.len() == before && limit > floor || kept.len() == points.len() && found.sum_of_squares < 1e-20 { break; }
        }
        let d = distances(&body, &kept);
        Candidate { body, loss: loss(&d, None) }
    }
}

/// Bodies to start from: each principal axis as z, all kinds of exponents.
fn usual_starts(cloud: &Cloud, few: &[Vector3<f64>]) -> Vec<Body> {
    const EXPONENTS: [[f64; 2]; 5] = [[1.0, 1.0], [0.4, 0.4], [1.6, 1.6], [0.4, 1.6], [1.6, 0.4]];
    let mut starts = Vec::new();
    for frame in roles(&cloud.axes) {
        starts.extend(EXPONENTS.map(|e| start(few, frame, e, 0.0)));
        // A square section has two principal frames, and those of the points may be the wrong ones.
        let diagonal = frame * turned(Vector3::z(), std::f64::consts::FRAC_PI_4);
        starts.push(start(few, diagonal, [0.5, 1.0], 0.0));
    }
    starts
}

/// More of them, for bodies whose principal axes say little, strong tapers, and surfaces seen from one side.
fn unusual_starts(cloud: &Cloud, few: &[Vector3<f64>]) -> Vec<Body> {
    let mut starts = Vec::new();
    for frame in roles(&cloud.axes) {
        for taper in [-0.5, 0.5] {
            starts.push(start(few, frame, [0.7, 0.7], taper));
        }
    }
    for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
        let axes = cloud.axes * turned(axis, std::f64::consts::FRAC_PI_4);
        starts.extend(roles(&axes).map(|frame| start(few, frame, [0.5, 0.5], 0.0)));
    }
    for sign in [-1.0, 1.0] {
        let axes = cloud.axes * turned(Vector3::new(1.0, 1.0, 1.0), sign * std::f64::consts::FRAC_PI_3);
        starts.extend(roles(&axes).map(|frame| start(few, frame, [0.5, 0.5], 0.0)));
    }
    for frame in roles(&cloud.axes) {
        for side in [-1.0, 1.0] {
            // The shortest axis, along which half the body is hidden.
            let thin = cloud.axes.column(2).into_owned();
            let mut start = start(few, frame, [0.7, 0.7], 0.0);
            let k = (0..3).max_by(|&i, &j| frame.column(i).dot(&thin).abs().total_cmp(&frame.column(j).dot(&thin).abs())).unwrap_or(2);
            start.center += thin * (side * start.a[k]);
            start.a[k] *= 2.0;
            starts.push(start);
        }
    }
    starts
}

/// Bodies that look much like this one to a distance, with minima of their own.
///
/// A tapered body that goes on to its tip resembles one that is cut off before: the cut is small. And a square
/// section resembles a pointed one turned by 45°.
fn variants(body: &Body) -> Vec<Body> {
    let mut result = Vec::new();
    let taper = 0.5 * (body.t[0] + body.t[1]);
    if taper.abs() > 0.4 {
        for cut in [0.15, 0.3] {
            // Heights from −s to s − 2 cut in units of a3 (s the wide end's sign): the widths stay what they are.
            let shift = -taper.signum() * -cut;
            let keep = 1.0 - cut;
            let mut b = *body;
            b.center += body.rotation.column(2) * (shift * body.a[2]);
            b.a[2] *= keep;
            for k in 0..2 {
                let at_center = 1.0 + body.t[k] * shift;
                b.a[k] *= at_center;
                b.t[k] = body.t[k] * keep / at_center;
            }
            result.push(b);
        }
    }
    let turn = turned(Vector3::z(), std::f64::consts::FRAC_PI_4);
    let mean = (body.a[0] * body.a[1]).sqrt();
    let [e1, e2] = body.e;
    let square = (body.a[0] / body.a[1]).ln().abs() < 0.3;
    if square && (e1 - 1.0).abs() > 0.3 {
        let k = if e1 < 1.0 { std::f64::consts::SQRT_2 } else { std::f64::consts::FRAC_1_SQRT_2 };
        result.push(Body {
            a: [mean * k, mean * k, body.a[2]],
            e: [2.0 - e1, e2],
            rotation: body.rotation * turn,
            ..*body
        });
    }
    result
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

fn start(points: &[Vector3<f64>], frame: Matrix3<f64>, e: [f64; 2], taper: f64) -> Body {
    let (center, a) = extent(points, &frame);
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
        half[k] = (1.7 * median(&mut along)).max(1e-3);
    }
    (center, half)
}

/// Fit for trials.
pub fn trial(points: &[nalgebra::Point3<f64>], tapers: bool, robust: bool) -> (superovoid::Superovoid, nalgebra::Isometry3<f64>) {
    let cloud = Cloud::new(points).unwrap();
    let goal = Goal { tapers: if tapers { Tapers::Limited } else { Tapers::Zero }, line: None, robust };
    let c = goal.search(&cloud);
    let b = c.body.rescaled(cloud.scale, &cloud.center);
    (b.shape().unwrap(), b.pose())
}

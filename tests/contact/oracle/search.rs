//! A placed pair: its gap function and the search for the best separating direction.
//!
//! `gap(n) = n·(c_B − c_A) − h_A(n) − h_B(−n)` is the width of the empty slab (negative: the
//! overlap) between the bodies along the unit vector n. Whatever the bodies, the distance is at
//! least gap(n) for every n, and translating B by −gap(n)·n parts overlapping bodies; for convex
//! bodies the signed distance is the maximum of the gap. So a direction found here is a proof,
//! and the verdict only relies on the search being *thorough*, never on its being complete.

use super::body::{Body, fibonacci_sphere};
use super::minimise::nelder_mead;
use nalgebra::{Isometry3, Matrix3, Vector2, Vector3};

/// A body at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    pub body: &'a Body,
    pub rotation: Matrix3<f64>,
    pub centre: Vector3<f64>,
}

impl<'a> Placed<'a> {
    pub fn new(body: &'a Body, pose: &Isometry3<f64>) -> Self {
        Placed {
            body,
            rotation: *pose.rotation.to_rotation_matrix().matrix(),
            centre: pose.translation.vector,
        }
    }

    /// Support about the body's own centre, direction in the world frame.
    pub fn support(&self, n: &Vector3<f64>) -> f64 {
        self.body.support(&self.rotation.tr_mul(n))
    }

    /// Support point in the world frame.
    pub fn support_point(&self, n: &Vector3<f64>) -> Vector3<f64> {
        self.centre + self.rotation * self.body.support_point(&self.rotation.tr_mul(n))
    }

    pub fn local(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.tr_mul(&(x - self.centre))
    }

    pub fn gauge(&self, x: &Vector3<f64>) -> f64 {
        self.body.gauge(&self.local(x))
    }

    pub fn contains(&self, x: &Vector3<f64>) -> bool {
        self.gauge(x) <= 1.0
    }

    pub fn surface_error(&self, x: &Vector3<f64>) -> f64 {
        self.body.surface_error(&self.local(x))
    }
}

/// How thorough a search is.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Directions of the even grid.
    pub grid: usize,
    /// Grid maxima that are refined coarsely.
    pub coarse: usize,
    /// Best of those that are refined to rounding.
    pub fine: usize,
}

impl Effort {
    /// For shallow overlaps, whose best direction is close to the centre line.
    pub const LIGHT: Effort = Effort {
        grid: 150,
        coarse: 3,
        fine: 1,
    };
    /// A few milliseconds: enough where the best direction is not in dispute.
    pub const QUICK: Effort = Effort {
        grid: 300,
        coarse: 6,
        fine: 2,
    };
    /// For deep overlaps with many local maxima.
    pub const THOROUGH: Effort = Effort {
        grid: 2000,
        coarse: 12,
        fine: 3,
    };
}

/// What is known of the distance of the two hulls.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    pub lower: f64,
    pub upper: f64,
    pub normal: Vector3<f64>,
}

/// Two placed bodies.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    /// c_B − c_A.
    pub offset: Vector3<f64>,
}

impl<'a> Pair<'a> {
    pub fn new(a: &'a Body, pose_a: &Isometry3<f64>, b: &'a Body, pose_b: &Isometry3<f64>) -> Self {
        Pair {
            a: Placed::new(a, pose_a),
            b: Placed::new(b, pose_b),
            offset: pose_b.translation.vector - pose_a.translation.vector,
        }
    }

    /// The largest semi-axis of the two.
    pub fn size(&self) -> f64 {
        self.a.body.shape.size().max(self.b.body.shape.size())
    }

    /// Gap along the unit vector n.
    pub fn gap(&self, n: &Vector3<f64>) -> f64 {
        n.dot(&self.offset) - self.a.support(n) - self.b.support(&-n)
    }

    /// Gap from the rough supports: at least the gap.
    fn rough_gap(&self, n: &Vector3<f64>) -> f64 {
        let support = |p: &Placed, n: Vector3<f64>| p.body.rough_support(&p.rotation.tr_mul(&n));
        n.dot(&self.offset) - support(&self.a, *n) - support(&self.b, -n)
    }

    fn axes(&self) -> Vec<Vector3<f64>> {
        [self.a.rotation, self.b.rotation]
            .iter()
            .flat_map(|r| (0..3).map(|i| r.column(i).into_owned()))
            .collect()
    }

    /// The even grid and the directions at which boxes have their maxima: face normals, sums of
    /// two of a body's (edges), cross products of the bodies' axes, and the centre line.
    fn directions(&self, grid: usize) -> Vec<Vector3<f64>> {
        let mut all = fibonacci_sphere(grid);
        let mut structural = vec![self.offset];
        let axes = self.axes();
        for i in 0..6 {
            structural.push(axes[i]);
            for j in 0..i {
                structural.push(axes[i] + axes[j]);
                structural.push(axes[i] - axes[j]);
                structural.push(axes[i].cross(&axes[j]));
            }
        }
        for d in structural {
            if let Some(unit) = d.try_normalize(1e-9 * self.size()) {
                all.push(unit);
                all.push(-unit);
            }
        }
        all
    }

    /// The best direction found for the gap over the whole sphere.
    pub fn max_gap(&self, effort: Effort) -> (Vector3<f64>, f64) {
        let mut ranked: Vec<(Vector3<f64>, f64)> = self
            .directions(effort.grid)
            .into_iter()
            .map(|n| (n, self.rough_gap(&n)))
            .collect();
        ranked.sort_by(|x, y| y.1.total_cmp(&x.1));
        let spacing = (4.0 * std::f64::consts::PI / effort.grid as f64).sqrt();
        let mut starts: Vec<Vector3<f64>> = Vec::new();
        for (n, _) in &ranked {
            if starts.len() == effort.coarse {
                break;
            }
            if starts.iter().all(|s| (s - n).norm() > 1.2 * spacing) {
                starts.push(*n);
            }
        }
        let mut refined: Vec<(Vector3<f64>, f64)> = starts
            .iter()
            .map(|n| self.climb(n, 0.5 * spacing, 1e-5, 60))
            .collect();
        refined.sort_by(|x, y| y.1.total_cmp(&x.1));
        refined
            .iter()
            .take(effort.fine)
            .map(|(n, _)| self.polish(n, 1e-3))
            .max_by(|x, y| x.1.total_cmp(&y.1))
            .expect("there is at least one direction")
    }

    /// Local maximum of the gap near `n`: simplex searches restarted at ever smaller radii until
    /// one gains less than a thousandth of the tolerance that answers are held to.
    pub fn polish(&self, n: &Vector3<f64>, mut radius: f64) -> (Vector3<f64>, f64) {
        let mut best = (*n, self.gap(n));
        while radius > 1e-12 {
            let next = self.climb(&best.0, radius, 1e-13, 250);
            let gain = next.1 - best.1;
            if gain > 0.0 {
                best = next;
            }
            if gain <= 1e-12 * self.size() {
                break;
            }
            radius *= 0.02;
        }
        best
    }

    /// The largest gap within `radius` of n, of hulls apart. Any two of their points have `gap(q) ≤ z·q`, z their
    /// difference, so those at the centre of a polygon of directions `n + u t + v b` tell which side of it the larger
    /// gaps are on. That goes along ridges on which the simplex search stalls.
    pub fn largest_gap_near(&self, n: &Vector3<f64>, radius: f64) -> f64 {
        const CUTS: usize = 200;
        let t = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
        let b = n.cross(&t);
        let mut polygon: Vec<Vector2<f64>> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(u, v)| Vector2::new(u, v) * radius)
            .to_vec();
        let mut best = self.gap(n);
        for _ in 0..CUTS {
            let Some(centre) = centre_of_gravity(&polygon) else {
                break;
            };
            let m = (n + t * centre.x + b * centre.y).normalize();
            best = best.max(self.gap(&m));
            let z = self.b.support_point(&-m) - self.a.support_point(&m) - m * best;
            let above = |q: &Vector2<f64>| z.dot(&(n + t * q.x + b * q.y));
            polygon = clipped(&polygon, above);
        }
        best
    }

    /// One simplex search in the tangent chart `n + u t + v b` about n.
    fn climb(
        &self,
        n: &Vector3<f64>,
        radius: f64,
        smallest: f64,
        evaluations: usize,
    ) -> (Vector3<f64>, f64) {
        let t = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
        let b = n.cross(&t);
        let direction = |u: &[f64; 2]| (n + t * u[0] + b * u[1]).normalize();
        let (u, value) = nelder_mead([0.0, 0.0], radius, smallest, evaluations, |u| {
            self.gap(&direction(u))
        });
        (direction(&u), value)
    }

    /// Distance of the hulls with proof on both sides: the lower bound is a gap, the upper bound
    /// the norm of a point of conv{x_B(−n) − x_A(n)}, which lies in the difference of the hulls.
    /// The simplex search sharpens the first where the bodies are smooth; the nearest point of
    /// the convex hull of the difference points sharpens the second where they are flat.
    pub fn hull_distance(&self) -> Bracket {
        let (mut normal, mut lower) = self.max_gap(Effort::QUICK);
        let difference = |n: &Vector3<f64>| self.b.support_point(&-n) - self.a.support_point(n);
        let mut active = vec![difference(&normal)];
        let mut upper = f64::INFINITY;
        for _ in 0..200 {
            let (v, kept) = nearest_in_hull(&active);
            active = kept;
            upper = upper.min(v.norm());
            let Some(n) = v.try_normalize(1e-15 * self.size()) else {
                upper = 0.0;
                break;
            };
            let gap = self.gap(&n);
            if gap > lower {
                (normal, lower) = (n, gap);
            }
            if upper - lower <= 1e-14 * self.size() || active.len() == 4 {
                break;
            }
            active.push(difference(&n));
        }
        Bracket {
            lower,
            upper,
            normal,
        }
    }

    /// A point of both bodies, searched for by lowering the larger of the two gauges from each
    /// hint. Returns the point and that gauge: at most 1 is a common point.
    pub fn deepest_common_point(&self, hints: &[Vector3<f64>]) -> (Vector3<f64>, f64) {
        // About A's centre, so that a far origin costs no digits.
        let origin = self.a.centre;
        let worse = |x: &[f64; 3]| {
            let x = origin + Vector3::from(*x);
            -self.a.gauge(&x).max(self.b.gauge(&x))
        };
        let mut best = ([0.0; 3], worse(&[0.0; 3]));
        for hint in hints {
            let start: [f64; 3] = (hint - origin).into();
            let here = (start, worse(&start));
            let mut local = here;
            for radius in [0.1, 1e-3, 1e-6] {
                if local.1 >= -1.0 {
                    break;
                }
                let next = nelder_mead(local.0, radius * self.size(), 1e-14, 400, worse);
                if next.1 > local.1 {
                    local = next;
                }
            }
            if local.1 > best.1 {
                best = local;
            }
        }
        (origin + Vector3::from(best.0), -best.1)
    }
}

/// The point of the convex hull of at most five points that is nearest to the origin, with the
/// points of the face it lies on, by trying every face.
fn nearest_in_hull(points: &[Vector3<f64>]) -> (Vector3<f64>, Vec<Vector3<f64>>) {
    let mut best: Option<(Vector3<f64>, Vec<Vector3<f64>>)> = None;
    for mask in 1u32..(1 << points.len()) {
        if mask.count_ones() > 4 {
            continue;
        }
        let face: Vec<Vector3<f64>> = (0..points.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| points[i])
            .collect();
        let Some(weights) = barycentric_of_origin(&face) else {
            continue;
        };
        if weights.iter().any(|w| *w < 0.0) {
            continue;
        }
        let v = face
            .iter()
            .zip(&weights)
            .fold(Vector3::zeros(), |sum, (x, w)| sum + x * *w);
        if best.as_ref().is_none_or(|(b, _)| v.norm() < b.norm()) {
            best = Some((v, face));
        }
    }
    best.expect("a single point is always a face")
}

/// Weights, summing to one, of the point nearest to the origin in the affine hull of a face.
fn barycentric_of_origin(face: &[Vector3<f64>]) -> Option<Vec<f64>> {
    let edges: Vec<Vector3<f64>> = face[1..].iter().map(|x| x - face[0]).collect();
    let k = edges.len();
    let gram = nalgebra::DMatrix::from_fn(k, k, |i, j| edges[i].dot(&edges[j]));
    let right = nalgebra::DVector::from_fn(k, |i, _| -edges[i].dot(&face[0]));
    let solution = if k == 0 {
        right
    } else {
        gram.lu().solve(&right)?
    };
    let mut weights = vec![1.0 - solution.sum()];
    weights.extend(solution.iter());
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

/// None of a polygon without area.
fn centre_of_gravity(polygon: &[Vector2<f64>]) -> Option<Vector2<f64>> {
    let (first, others) = polygon.split_first()?;
    let (mut area, mut moment) = (0.0, Vector2::zeros());
    for ends in others.windows(2) {
        let (p, q) = (ends[0] - first, ends[1] - first);
        let twice = p.x * q.y - p.y * q.x;
        area += twice;
        moment += (p + q) * (twice / 3.0);
    }
    (area > 0.0).then(|| first + moment / area)
}

/// What is left of a polygon where a linear function is not negative.
fn clipped(polygon: &[Vector2<f64>], f: impl Fn(&Vector2<f64>) -> f64) -> Vec<Vector2<f64>> {
    let mut left = Vec::new();
    for (k, p) in polygon.iter().enumerate() {
        let q = &polygon[(k + 1) % polygon.len()];
        let (at_p, at_q) = (f(p), f(q));
        if at_p >= 0.0 {
            left.push(*p);
        }
        if at_p * at_q < 0.0 {
            left.push(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    left
}

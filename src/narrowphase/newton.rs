//! Newton's method for the distance of bodies that are apart, on the smooth pieces of their surfaces that GJK has found.
//!
//! A surface is made of pieces whose support points x(n) are smooth: a vertex, at which x is constant, the rim of a cylinder or
//! cone, an ellipsoid. Two pieces make a piece of the CSO, of which `z(n) = x_B − x_A` is the support point, `g(n) = n·z(n)` the height,
//! and −H the derivative of z, H ≥ 0. The distance is the greatest value over unit n of the least height. At that n pieces
//! of equal heights have a combination of their points that is parallel to n:
//!
//! ```text
//! Σ λ_i z_i(n) = μ n,    n·z_i(n) equal,    λ ≥ 0,  Σ λ_i = 1
//! ```
//!
//! One piece is a pair of points, two are an edge against a surface or the line along which a cylinder or cone touches, three a
//! face or two crossing lines. GJK's simplex tells which pieces these are, and the weights λ to begin with. With y_i the part of z_i across
//! n, g_i its height, and μ the mean height, a step n + d, d across n, follows from
//!
//! ```text
//! (Σ λ_i H_i + μ) d = Σ λ'_i y_i,    g_i + y_i·d equal,    Σ λ'_i = 1,
//! ```
//!
//! since the derivative of g is z. (It is a step of sequential quadratic programming, as in R. Fletcher, *Practical Methods of
//! Optimization* (1987), for the greatest of least values.) A piece whose weight becomes negative is left out.
//!
//! Nothing is proven here. The points belong to the CSO wherever n is, so that the simplex of them is one as any other, from which GJK
//! goes on: its next support point tells whether the pieces were the right ones.

use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::surface::tangents;
use nalgebra::{Unit, Vector3};

/// A symmetric form on the plane across a direction: its values for the first tangent, for both, and for the second.
pub(crate) type Form = [f64; 3];

/// The smooth pieces of the surfaces of two bodies.
pub(crate) trait Pieces {
    /// The angle by which the nearest point may be off the direction, radians: the bracket is wider by the square of it.
    const ALIGNED: f64;
    /// Whether all pieces are known, and some are curved.
    fn are_curved(&self) -> bool;
    /// Replaces points of the CSO by those of the same pieces in the direction n, and returns the derivatives −dz/dn there,
    /// on the tangents, for up to three points. Returns `None` where they have none.
    fn renew(
        &self,
        points: &mut [CsoPoint],
        n: &Vector3<f64>,
        tangents: &[Vector3<f64>; 2],
    ) -> Option<[Form; 3]>;
    /// Returns the points of the CSO that the ends of a diameter of a flat round face have with the support point of the other body
    /// over it, and the direction, which is along the normal of the face; `None` where the nearest point of the simplex is on no such
    /// face, or the support point is not over it. (Along the axis a rim is not smooth.)
    fn across_face(&self, _: &Simplex) -> Option<([CsoPoint; 2], Vector3<f64>)> {
        None
    }
}

/// Bodies that are polytopes, or of which no pieces are known.
pub(crate) struct NoPieces;

impl Pieces for NoPieces {
    const ALIGNED: f64 = 0.0;
    fn are_curved(&self) -> bool {
        false
    }
    fn renew(
        &self,
        _: &mut [CsoPoint],
        _: &Vector3<f64>,
        _: &[Vector3<f64>; 2],
    ) -> Option<[Form; 3]> {
        None
    }
}

/// Replaces a simplex by that of the pieces it has points of, in the direction that its nearest point has there, if that is nearer.
/// Returns the direction. Heights may differ by `even`.
pub(crate) fn align<P: Pieces>(
    pieces: &P,
    simplex: &mut Simplex,
    even: f64,
    rounding: f64,
) -> Option<Vector3<f64>> {
    const STEPS: usize = 6;
    const LONGEST: f64 = 0.5;
    let known = simplex.nearest().norm_squared();
    if let Some((ends, n)) = pieces.across_face(simplex) {
        let mut across = Simplex::new();
        for end in ends {
            across.add(end);
        }
        let v = across.nearest();
        if v.norm_squared() >= known || v.dot(&n) <= 0.0 {
            return None;
        }
        *simplex = across;
        return Some(n);
    }
    let mut set = ActiveSet::new(simplex)?;
    let mut n = simplex.nearest() / known.sqrt();
    for step in 0..STEPS {
        let axes = tangents(&Unit::new_unchecked(n));
        set.forms = pieces.renew(&mut set.points[..set.count], &n, &axes)?;
        if step == 0 {
            set.merge(4.0 * rounding);
        }
        let Step {
            turn,
            off,
            height,
            uneven,
        } = set.step(&n, &axes)?;
        if off <= (P::ALIGNED * height).max(8.0 * rounding) && uneven <= even.max(rounding) {
            if height * height + off * off > known {
                return None;
            }
            simplex.set(&set.points[..set.count], &set.weights[..set.count]);
            return Some(n);
        }
        let shorter = (LONGEST / dot(turn, turn).sqrt()).min(1.0);
        let further = n + (axes[0] * turn[0] + axes[1] * turn[1]) * shorter;
        n = further / further.norm();
    }
    None
}

/// The pieces that make the least height, with their weights.
struct ActiveSet {
    points: [CsoPoint; 3],
    forms: [Form; 3],
    weights: [f64; 3],
    count: usize,
}

/// A step of Newton's method.
struct Step {
    /// The step d on the tangents.
    turn: [f64; 2],
    /// How far the combination of the points is off the direction before the step, and how high it is.
    off: f64,
    height: f64,
    /// By how much the heights of the points differ.
    uneven: f64,
}

impl ActiveSet {
    fn new(simplex: &Simplex) -> Option<Self> {
        let corners = simplex.corners();
        let mut points = [*corners.first()?; 3];
        let mut weights = [0.0; 3];
        points.get_mut(..corners.len())?.copy_from_slice(corners);
        weights[..corners.len()].copy_from_slice(simplex.weights());
        Some(ActiveSet {
            points,
            forms: [[0.0; 3]; 3],
            weights,
            count: corners.len(),
        })
    }

    /// Makes one of points that are the same to rounding: they are of the same piece.
    fn merge(&mut self, rounding: f64) {
        for last in (1..self.count).rev() {
            let z = self.points[last].z;
            let same = |p: &CsoPoint| (p.z - z).amax() <= rounding;
            if let Some(k) = self.points[..last].iter().position(same) {
                self.weights[k] += self.weights[last];
                self.remove(last);
            }
        }
    }

    fn remove(&mut self, k: usize) {
        self.count -= 1;
        self.points[k] = self.points[self.count];
        self.forms[k] = self.forms[self.count];
        self.weights[k] = self.weights[self.count];
    }

    /// Returns the step, after which the points have the weights that belong to it; pieces whose weights become negative are left
    /// out. `None` where the points are not above the origin.
    #[inline(always)]
    fn step(&mut self, n: &Vector3<f64>, [t, b]: &[Vector3<f64>; 2]) -> Option<Step> {
        loop {
            let points = &self.points[..self.count];
            let height = |i: usize| points[i].z.dot(n);
            let across = |i: usize| [points[i].z.dot(t), points[i].z.dot(b)];
            let (mut mean, mut form) = (0.0, [0.0; 3]);
            for i in 0..points.len() {
                mean += self.weights[i] * height(i);
                for (sum, part) in form.iter_mut().zip(self.forms[i]) {
                    *sum += self.weights[i] * part;
                }
            }
            if mean.is_nan() || mean <= 0.0 {
                return None;
            }
            let form = [form[0] + mean, form[1], form[2] + mean];
            let y = across(0);
            let (turn, shares, uneven) = match points.len() {
                1 => (solve(&form, y), [0.0; 2], 0.0),
                2 => {
                    let e = minus(across(1), y);
                    let (rest, along) = (solve(&form, y), solve(&form, e));
                    let lift = height(1) - height(0);
                    let share = -(lift + dot(e, rest)) / dot(e, along);
                    let turn = [rest[0] + share * along[0], rest[1] + share * along[1]];
                    (turn, [share, 0.0], lift.abs())
                }
                _ => {
                    let [e, f] = [1, 2].map(|i| minus(across(i), y));
                    let lifts = [1, 2].map(|i| height(i) - height(0));
                    let area = cross(e, f);
                    let turn = [
                        (lifts[1] * e[1] - lifts[0] * f[1]) / area,
                        (lifts[0] * f[0] - lifts[1] * e[0]) / area,
                    ];
                    let rest = minus(times(&form, turn), y);
                    let shares = [cross(rest, f) / area, cross(e, rest) / area];
                    (turn, shares, lifts[0].abs().max(lifts[1].abs()))
                }
            };
            if !(turn[0].is_finite() && turn[1].is_finite()) {
                return None;
            }
            let weights = [1.0 - shares[0] - shares[1], shares[0], shares[1]];
            if let Some(k) = (0..points.len()).find(|k| weights[*k] < 0.0)
                && points.len() > 1
            {
                let left = 1.0 - self.weights[k];
                self.remove(k);
                let known = left > 0.0;
                let count = self.count as f64;
                self.weights = self
                    .weights
                    .map(|w| if known { w / left } else { 1.0 / count });
                continue;
            }
            self.weights = weights;
            let off = times(&form, turn);
            return Some(Step {
                turn,
                off: dot(off, off).sqrt(),
                height: mean,
                uneven,
            });
        }
    }
}

fn times([p, q, r]: &Form, x: [f64; 2]) -> [f64; 2] {
    [p * x[0] + q * x[1], q * x[0] + r * x[1]]
}

/// Returns the solution of a system whose matrix is a positive form.
fn solve([p, q, r]: &Form, y: [f64; 2]) -> [f64; 2] {
    let det = p * r - q * q;
    [(r * y[0] - q * y[1]) / det, (p * y[1] - q * y[0]) / det]
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superovoid;

    /// An ellipsoid, and points of a polytope.
    struct Ellipsoid(Superovoid);

    impl Pieces for Ellipsoid {
        const ALIGNED: f64 = 1e-13;
        fn are_curved(&self) -> bool {
            true
        }
        fn renew(
            &self,
            points: &mut [CsoPoint],
            n: &Vector3<f64>,
            tangents: &[Vector3<f64>; 2],
        ) -> Option<[Form; 3]> {
            let (xa, form) = self.0.ellipsoid_support(n, tangents)?;
            for point in points {
                point.z += point.xa - xa;
                point.xa = xa;
            }
            Some([form; 3])
        }
    }

    /// Aligns the simplex that support points in rough directions make with the vertices; returns it with the direction.
    fn aligned(vertices: &[[f64; 3]]) -> Option<(Simplex, Vector3<f64>)> {
        let body = Ellipsoid(Superovoid::ellipsoid([1.0, 0.7, 0.4]).ok()?);
        let mut simplex = Simplex::new();
        for (k, x) in vertices.iter().enumerate() {
            let rough = Vector3::new(0.1 * k as f64, 0.2, 1.0);
            let xa = body.0.support(&rough).point.coords;
            let z = Vector3::from(*x) - xa;
            simplex.add(CsoPoint { z, xa });
        }
        let n = align(&body, &mut simplex, 1e-12, 1e-15)?;
        Some((simplex, n))
    }

    #[test]
    fn a_vertex_an_edge_and_a_face_are_aligned_with_the_point_of_an_ellipsoid_that_faces_them() {
        let vertex = [[0.5, 0.3, 1.0]];
        let edge = [[-0.7, -0.3, 1.1], [0.9, 0.8, 1.4]];
        let face = [[-1.2, -1.0, 1.1], [1.3, -0.9, 1.3], [0.1, 1.4, 1.5]];
        for vertices in [&vertex[..], &edge, &face] {
            let (simplex, n) = aligned(vertices).expect("it is near");
            let [xa, _] = simplex.witnesses();
            let v = simplex.nearest();
            assert!((v - n * v.dot(&n)).norm() < 1e-12, "{vertices:?}");
            let body = Superovoid::ellipsoid([1.0, 0.7, 0.4]).unwrap();
            let support = body.support(&n);
            assert!((support.point.coords - xa).norm() < 1e-12);
            let corners = vertices.iter().map(|x| n.dot(&Vector3::from(*x)));
            let lowest = corners.fold(f64::INFINITY, f64::min);
            assert!((lowest - support.value - v.norm()).abs() < 1e-12);
            assert_eq!(simplex.corners().len(), vertices.len());
        }
    }

    #[test]
    fn a_piece_that_is_not_touched_is_left_out() {
        let (simplex, _) = aligned(&[[0.5, 0.3, 1.0], [0.6, 0.4, 1.0]]).expect("it is near");
        assert_eq!(simplex.corners().len(), 1);
    }
}

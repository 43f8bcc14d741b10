//! How a spline is made: from Bézier points, polynomials, Hermite data and B-splines.
//!
//! | from | Bézier points of a piece of the length h |
//! | --- | --- |
//! | polynomial `Σ c_k τ^k` of degree n | `P_j = Σ_{k≤j} C(j, k)/C(n, k) c_k h^k` |
//! | positions p, velocities v (cubic) | `p₀, p₀ + h v₀/3, p₁ − h v₁/3, p₁` |
//! | and accelerations a (quintic) | `p₀, p₀ + h v₀/5, p₀ + 2 h v₀/5 + h² a₀/20`, and the same back from the end |
//! | B-spline with knots u | `P_j = f(u_k … u_k, u_{k+1} … u_{k+1})` with j times the latter: the blossom f by de Boor's scheme |

use super::curve::{Spline, SplineError};

/// How far two pieces may be apart where they meet, relative to the position if that is greater than 1: the rounding of polynomials.
const JUMP: f64 = 1e-9;

impl Spline {
    /// Makes a spline of Bézier pieces: times `t_0 … t_m`, and the `m · degree + 1` points of the pieces, of which
    /// neighbours share one.
    ///
    /// # Errors
    /// The error names times that do not grow, numbers that are not finite, and a wrong number of points or of numbers in
    /// one.
    pub fn bezier(
        degree: usize,
        times: &[f64],
        points: &[impl AsRef<[f64]>],
    ) -> Result<Self, SplineError> {
        check_degree(degree)?;
        let pieces = check_times(times)?;
        let width = check("points", points, pieces * degree + 1, None)?;
        Spline::of(degree, times.to_vec(), width, |piece, number, place| {
            for (j, point) in place.iter_mut().enumerate() {
                *point = points[piece * degree + j].as_ref()[number];
            }
        })
    }

    /// Makes a spline of polynomials: on piece k, from `times[k]` to `times[k + 1]`, number i is
    /// `Σ_j coefficients[k][j][i] (t − times[k])^j`. All pieces have the same degree; pad with zeros.
    ///
    /// # Errors
    /// The errors are those of [`Spline::bezier`], and a number that jumps from one piece to the next.
    pub fn polynomials<C: AsRef<[f64]>>(
        times: &[f64],
        coefficients: &[impl AsRef<[C]>],
    ) -> Result<Self, SplineError> {
        let pieces = check_times(times)?;
        check_count("polynomials", coefficients.len(), pieces)?;
        let powers = coefficients[0].as_ref().len();
        let degree = powers.saturating_sub(1);
        check_degree(degree)?;
        let mut width = None;
        for of_piece in coefficients {
            width = Some(check("coefficients", of_piece.as_ref(), powers, width)?);
        }
        let width = width.unwrap_or(0);
        Spline::of(degree, times.to_vec(), width, |piece, number, place| {
            let h = times[piece + 1] - times[piece];
            let of = |k: usize| coefficients[piece].as_ref()[k].as_ref()[number] * h.powi(k as i32);
            for (j, point) in place.iter_mut().enumerate() {
                // The quotient of both binomials.
                let mut share = 1.0;
                *point = of(0);
                for k in 1..=j {
                    share *= (j + 1 - k) as f64 / (degree + 1 - k) as f64;
                    *point += share * of(k);
                }
            }
        })
    }

    /// Makes a spline of cubic pieces with these positions and velocities at the times.
    ///
    /// # Errors
    /// The errors are those of [`Spline::bezier`].
    pub fn cubic<P: AsRef<[f64]>>(
        times: &[f64],
        positions: &[P],
        velocities: &[P],
    ) -> Result<Self, SplineError> {
        check_times(times)?;
        let width = check("positions", positions, times.len(), None)?;
        check("velocities", velocities, times.len(), Some(width))?;
        Spline::of(3, times.to_vec(), width, |piece, number, place| {
            let h = times[piece + 1] - times[piece];
            let [p, v] = [positions, velocities].map(|of| ends(of, piece, number));
            let third = h / 3.0;
            place.copy_from_slice(&[p[0], p[0] + third * v[0], p[1] - third * v[1], p[1]]);
        })
    }

    /// Makes a spline of quintic pieces with these positions, velocities and accelerations at the times.
    ///
    /// # Errors
    /// The errors are those of [`Spline::bezier`].
    pub fn quintic<P: AsRef<[f64]>>(
        times: &[f64],
        positions: &[P],
        velocities: &[P],
        accelerations: &[P],
    ) -> Result<Self, SplineError> {
        check_times(times)?;
        let width = check("positions", positions, times.len(), None)?;
        check("velocities", velocities, times.len(), Some(width))?;
        check("accelerations", accelerations, times.len(), Some(width))?;
        Spline::of(5, times.to_vec(), width, |piece, number, place| {
            let h = times[piece + 1] - times[piece];
            let [p, v, a] =
                [positions, velocities, accelerations].map(|of| ends(of, piece, number));
            let (step, bend) = (h / 5.0, h * h / 20.0);
            place.copy_from_slice(&[
                p[0],
                p[0] + step * v[0],
                p[0] + 2.0 * step * v[0] + bend * a[0],
                p[1] - 2.0 * step * v[1] + bend * a[1],
                p[1] - step * v[1],
                p[1],
            ]);
        })
    }

    /// Makes a B-spline of a degree from its control points and one knot more than points and degree together. It runs from
    /// knot `degree` to the last but `degree`; with equally spaced knots it is uniform.
    ///
    /// # Errors
    /// The errors are those of [`Spline::bezier`], knots that fall, and a knot within that is there so often that the curve
    /// jumps.
    pub fn b_spline(
        degree: usize,
        knots: &[f64],
        points: &[impl AsRef<[f64]>],
    ) -> Result<Self, SplineError> {
        check_degree(degree)?;
        if points.len() <= degree {
            return Err(count("points", points.len(), degree + 1));
        }
        let width = check("points", points, points.len(), None)?;
        check_count("knots", knots.len(), points.len() + degree + 1)?;
        check_order(knots, |before, knot| knot >= before)?;
        let spans: Vec<usize> = (degree..points.len())
            .filter(|&k| knots[k] < knots[k + 1])
            .collect();
        let (Some(&first), Some(_)) = (spans.first(), spans.last()) else {
            let (index, time) = (points.len(), knots[points.len()]);
            return Err(SplineError::Times { index, time });
        };
        let ends = spans.iter().map(|&k| knots[k + 1]);
        let times: Vec<f64> = std::iter::once(knots[first]).chain(ends).collect();
        let mut scheme = vec![0.0; degree + 1];
        Spline::of(degree, times, width, |piece, number, place| {
            let k = spans[piece];
            for (j, point) in place.iter_mut().enumerate() {
                for (i, value) in scheme.iter_mut().enumerate() {
                    *value = points[k - degree + i].as_ref()[number];
                }
                for level in 1..=degree {
                    let at = knots[if level <= j { k + 1 } else { k }];
                    for i in (level..=degree).rev() {
                        // The knots between which the value of this level stands.
                        let (from, to) = (knots[k - degree + i], knots[k + 1 + i - level]);
                        let s = (at - from) / (to - from);
                        scheme[i] = (1.0 - s) * scheme[i - 1] + s * scheme[i];
                    }
                }
                *point = scheme[degree];
            }
        })
    }

    /// Makes a spline whose points are written by piece and number.
    fn of(
        degree: usize,
        times: Vec<f64>,
        width: usize,
        mut write: impl FnMut(usize, usize, &mut [f64]),
    ) -> Result<Self, SplineError> {
        let pieces = times.len() - 1;
        let mut points = vec![0.0; pieces * width * (degree + 1)];
        for (k, place) in points.chunks_mut(degree + 1).enumerate() {
            write(k / width, k % width, place);
            if !place.iter().all(|point| point.is_finite()) {
                let (of, index) = ("piece", k / width);
                return Err(SplineError::NotFinite { of, index });
            }
        }
        let spline = Spline {
            degree,
            width,
            times,
            points,
        };
        for piece in 1..pieces {
            for number in 0..width {
                let (before, behind) =
                    (spline.piece(piece - 1, number), spline.piece(piece, number));
                let (before, behind) = (before[degree], behind[0]);
                if (before - behind).abs() > JUMP * before.abs().max(1.0) {
                    let time = spline.times[piece];
                    return Err(SplineError::Jump { number, time });
                }
            }
        }
        Ok(spline)
    }
}

fn ends(of: &[impl AsRef<[f64]>], piece: usize, number: usize) -> [f64; 2] {
    [of[piece].as_ref()[number], of[piece + 1].as_ref()[number]]
}

fn count(of: &'static str, count: usize, expected: usize) -> SplineError {
    SplineError::Count {
        of,
        count,
        expected,
    }
}

fn check_count(of: &'static str, given: usize, expected: usize) -> Result<(), SplineError> {
    if given == expected {
        return Ok(());
    }
    Err(count(of, given, expected))
}

fn check_degree(degree: usize) -> Result<(), SplineError> {
    if (1..=Spline::MOST_DEGREE).contains(&degree) {
        return Ok(());
    }
    Err(SplineError::Degree { degree })
}

/// Returns the number of pieces.
fn check_times(times: &[f64]) -> Result<usize, SplineError> {
    if times.len() < 2 {
        return Err(count("times", times.len(), 2));
    }
    check_order(times, |before, time| time > before)?;
    Ok(times.len() - 1)
}

fn check_order(times: &[f64], follows: impl Fn(f64, f64) -> bool) -> Result<(), SplineError> {
    for (index, &time) in times.iter().enumerate() {
        let first = times[0];
        if !time.is_finite() || !(time - first).is_finite() {
            return Err(SplineError::NotFinite { of: "time", index });
        }
        if index > 0 && !follows(times[index - 1], time) {
            return Err(SplineError::Times { index, time });
        }
    }
    Ok(())
}

/// Returns the number of numbers in each row of a table, which must have so many rows.
fn check(
    of: &'static str,
    rows: &[impl AsRef<[f64]>],
    expected: usize,
    width: Option<usize>,
) -> Result<usize, SplineError> {
    check_count(of, rows.len(), expected)?;
    let first = rows.first().map_or(0, |row| row.as_ref().len());
    let width = width.unwrap_or(first);
    for (index, row) in rows.iter().enumerate() {
        check_count("numbers in a row", row.as_ref().len(), width)?;
        if !row.as_ref().iter().all(|x| x.is_finite()) {
            return Err(SplineError::NotFinite { of, index });
        }
    }
    Ok(width)
}

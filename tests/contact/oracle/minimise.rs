//! Derivative-free maximisation: in one dimension, by Nelder and Mead in more.

/// A local maximum of `f` between `low` and `high`, to about 1e-9 of the interval.
///
/// A search that compares values ends where they are equal to rounding; where `f` is flat that can be far from the
/// maximum, and where its first parabolas miss, a step too short to be felt can cut the maximum off. Parabolas over
/// stretches that are wide enough for it decide.
pub fn maximise_on_interval(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut x = brent(low, high, &f);
    let mut fx = f(x);
    for share in [1e-2, 1e-3, 1e-4] {
        let reach = share * (high - low);
        let (before, after) = (f(x - reach), f(x + reach));
        let summit = x + 0.5 * reach * (after - before) / (2.0 * fx - after - before);
        if summit > low && summit < high && f(summit) > fx {
            (x, fx) = (summit, f(summit));
        }
    }
    x
}

/// The local maxima between `low` and `high` of a function whose slope has the sign of `slope`, at the ends too: where
/// that falls through zero between two of five places.
pub fn local_maxima(low: f64, high: f64, slope: impl Fn(f64) -> f64) -> Vec<f64> {
    let places = [0.0, 0.25, 0.5, 0.75, 1.0].map(|k| low + k * (high - low));
    let slopes = places.map(&slope);
    let mut found = Vec::new();
    if slopes[0] <= 0.0 {
        found.push(low);
    }
    for k in 1..places.len() {
        if slopes[k - 1] > 0.0 && slopes[k] <= 0.0 {
            let (before, after) = ((places[k - 1], slopes[k - 1]), (places[k], slopes[k]));
            found.push(falling_zero(before, after, 1e-10 * (high - low), &slope));
        }
    }
    if slopes[places.len() - 1] > 0.0 {
        found.push(high);
    }
    found
}

/// Where `f` falls through zero between two places whose values are known, to a tolerance: false position with the
/// Illinois rule, and a bisection where two of its steps have not halved the interval.
fn falling_zero(
    (mut a, mut at_a): (f64, f64),
    (mut b, mut at_b): (f64, f64),
    tolerance: f64,
    f: impl Fn(f64) -> f64,
) -> f64 {
    let (mut side, mut steps, mut width) = (0, 0, b - a);
    while b - a > tolerance && at_b < 0.0 {
        let secant = (a * at_b - b * at_a) / (at_b - at_a);
        let halve = steps == 2;
        let x = if !halve && secant > a && secant < b {
            secant
        } else {
            0.5 * (a + b)
        };
        if x <= a || x >= b {
            break;
        }
        let value = f(x);
        if value > 0.0 {
            (a, at_a) = (x, value);
            at_b *= if side == 1 { 0.5 } else { 1.0 };
            side = 1;
        } else {
            (b, at_b) = (x, value);
            at_a *= if side == -1 { 0.5 } else { 1.0 };
            side = -1;
        }
        steps += 1;
        if halve || b - a <= 0.5 * width {
            (steps, width) = (0, b - a);
        }
    }
    b
}

/// Golden section, with a parabola through the best three points where that falls inside.
fn brent(low: f64, high: f64, f: &impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    let tolerance = 1e-9 * (high - low);
    let (mut a, mut b) = (low, high);
    let mut x = a + GOLDEN * (b - a);
    let (mut w, mut v) = (x, x);
    let mut fx = f(x);
    let (mut fw, mut fv) = (fx, fx);
    let (mut step, mut last) = (0.0f64, 0.0f64);
    for _ in 0..90 {
        let middle = 0.5 * (a + b);
        if (x - middle).abs() <= 2.0 * tolerance - 0.5 * (b - a) {
            break;
        }
        let r = (x - w) * (fx - fv);
        let mut q = (x - v) * (fx - fw);
        let mut p = (x - v) * q - (x - w) * r;
        q = 2.0 * (q - r);
        if q > 0.0 {
            p = -p;
        } else {
            q = -q;
        }
        let parabola = p / q;
        if p.abs() < (0.5 * q * last).abs() && x + parabola > a && x + parabola < b {
            last = step;
            step = parabola;
            if x + step - a < 2.0 * tolerance || b - x - step < 2.0 * tolerance {
                step = tolerance.copysign(middle - x);
            }
        } else {
            last = if x < middle { b - x } else { a - x };
            step = GOLDEN * last;
        }
        let u = if step.abs() >= tolerance {
            x + step
        } else {
            x + tolerance.copysign(step)
        };
        let fu = f(u);
        if fu >= fx {
            if u < x {
                b = x;
            } else {
                a = x;
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
        } else {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu >= fw || w == x {
                (v, fv, w, fw) = (w, fw, u, fu);
            } else if fu >= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
    x
}

/// Nelder and Mead's simplex search for a local maximum of `f` about `start`, with first edges
/// `radius`, until the simplex is smaller than `smallest` or its values are equal to rounding.
/// It follows the kinks of boxes, along which coordinate searches stall.
pub fn nelder_mead<const N: usize>(
    start: [f64; N],
    radius: f64,
    smallest: f64,
    evaluations: usize,
    f: impl Fn(&[f64; N]) -> f64,
) -> ([f64; N], f64) {
    let mut simplex: Vec<([f64; N], f64)> = Vec::with_capacity(N + 1);
    simplex.push((start, f(&start)));
    for i in 0..N {
        let mut x = start;
        x[i] += radius;
        simplex.push((x, f(&x)));
    }
    let mut used = N + 1;
    let along = |from: &[f64; N], to: &[f64; N], k: f64| {
        let mut x = *from;
        for i in 0..N {
            x[i] += k * (to[i] - from[i]);
        }
        x
    };
    while used < evaluations {
        simplex.sort_by(|x, y| y.1.total_cmp(&x.1));
        let (best, worst) = (simplex[0], simplex[N]);
        let width = simplex[1..]
            .iter()
            .flat_map(|(x, _)| (0..N).map(move |i| (x[i] - best.0[i]).abs()))
            .fold(0.0, f64::max);
        if width < smallest || best.1 - worst.1 <= 1e-16 * best.1.abs() && width < 1e-6 {
            break;
        }
        let mut centre = [0.0; N];
        for (x, _) in &simplex[..N] {
            for i in 0..N {
                centre[i] += x[i] / N as f64;
            }
        }
        let reflected = along(&centre, &worst.0, -1.0);
        let value = f(&reflected);
        used += 1;
        if value > best.1 {
            let expanded = along(&centre, &worst.0, -2.0);
            let further = f(&expanded);
            used += 1;
            simplex[N] = if further > value {
                (expanded, further)
            } else {
                (reflected, value)
            };
        } else if value > simplex[N - 1].1 {
            simplex[N] = (reflected, value);
        } else {
            let towards = if value > worst.1 { reflected } else { worst.0 };
            let contracted = along(&centre, &towards, 0.5);
            let nearer = f(&contracted);
            used += 1;
            if nearer > value.max(worst.1) {
                simplex[N] = (contracted, nearer);
            } else {
                for vertex in &mut simplex[1..] {
                    vertex.0 = along(&best.0, &vertex.0, 0.5);
                    vertex.1 = f(&vertex.0);
                    used += 1;
                }
            }
        }
    }
    simplex.sort_by(|x, y| y.1.total_cmp(&x.1));
    simplex[0]
}

//! Radii of spheres about and in a superovoid, from its seven numbers.

use crate::golden_section::minimum;
use crate::shape::circle::norm;

/// Returns the radius of a sphere that rolls inside the whole surface: where it touches, it lies in the body. The
/// radius is 0 where none is known.
///
/// For untapered bodies with e1, e2 ≤ 1 the support function h is a nested norm of exponents
/// q ≤ 2 in (a1 n1, a2 n2, a3 n3), for which (Ball, Carlen, Lieb 1994, and Minkowski's inequality for
/// the nesting) with κ = min(q1, q2) − 1
///
/// ```text
/// D²(h²/2)(n)[w, w] = h(n) D²h(n)[w, w] + (∇h·w)² ≥ κ h(w)²
/// ```
///
/// For a tangent v of the unit n take w = v + c n with ∇h·w = 0, which leaves D²h unchanged and is no shorter. With
/// h(w) ≥ r|w| and h(n) ≤ R, r and R the inner and outer radius, `D²h(n)[v, v] ≥ κ r²/R |v|²`: no radius of curvature
/// is less than κ r²/R. By Blaschke's theorem a sphere of that radius rolls freely.
pub(crate) fn rolling_radius(q: [f64; 2], t: [f64; 2], inner: f64, outer: f64) -> f64 {
    // The exponent is q = 2/(2 − e).
    if t != [0.0; 2] || q[0] > 2.0 || q[1] > 2.0 {
        return 0.0;
    }
    let kappa = q[0].min(q[1]) - 1.0;
    kappa * inner * (inner / outer)
}

/// The factor on radii that were found by a one-dimensional search.
pub(crate) const ROUNDED_UP: f64 = 1.0 + 1e-9;

/// Returns the radius of the smallest sphere about the origin around the body: exact without tapers, otherwise
/// rounded up.
pub(crate) fn outer_radius(a: [f64; 3], p: [f64; 2], t: [f64; 2]) -> f64 {
    if t == [0.0, 0.0] {
        return longest(longest(a[0], a[1], p[0]), a[2], p[1]);
    }
    largest_on_half_turn(|phi| section_reach(a, p, t, phi, 0.0)) * ROUNDED_UP
}

/// Returns the radius of the largest sphere about the origin inside the body: exact without tapers, otherwise rounded
/// down.
pub(crate) fn inner_radius(a: [f64; 3], p: [f64; 2], q: [f64; 2], t: [f64; 2]) -> f64 {
    if t == [0.0, 0.0] {
        return shortest(shortest(a[0], a[1], q[0]), a[2], q[1]);
    }
    let nearest = |phi: f64| {
        let [rho, zeta] = profile_at(phi, p[1]);
        let section = shortest(a[0] * (1.0 + t[0] * zeta), a[1] * (1.0 + t[1] * zeta), q[0]);
        (rho * section).hypot(a[2] * zeta)
    };
    -largest_on_half_turn(|phi| -nearest(phi)) / ROUNDED_UP
}

/// Returns the largest distance of the section's points from (0, 0, c).
pub(crate) fn section_reach(a: [f64; 3], p: [f64; 2], t: [f64; 2], phi: f64, c: f64) -> f64 {
    let [rho, zeta] = profile_at(phi, p[1]);
    let section = longest(a[0] * (1.0 + t[0] * zeta), a[1] * (1.0 + t[1] * zeta), p[0]);
    (rho * section).hypot(a[2] * zeta - c)
}

/// Returns `[ρ, ζ]` in the direction of an angle from −π/2 to π/2, seen from the centre: even steps of it are even on
/// the curve for every exponent (those of the angle-centre parameters nearly skip the flat sides of a box).
fn profile_at(phi: f64, p2: f64) -> [f64; 2] {
    let (s, c) = phi.sin_cos();
    let length = norm(c, s, p2);
    [c.max(0.0) / length, s / length]
}

/// Returns the length of the longest vector `(A u, B v)`, `|u|^p + |v|^p = 1`: by Hölder's inequality `max(A, B)` for
/// p ≤ 2 and the r-norm of (A, B), r = 2p/(p − 2), beyond.
pub(crate) fn longest(a: f64, b: f64, p: f64) -> f64 {
    if p <= 2.0 {
        a.max(b)
    } else {
        // The product 2p would overflow for the smallest exponents.
        norm(a, b, 2.0 / (1.0 - 2.0 / p))
    }
}

/// Returns the length of the shortest such vector: the least value of the support function, the q-norm of `(A n1, B
/// n2)` over unit n, by the same inequality for the dual.
pub(crate) fn shortest(a: f64, b: f64, q: f64) -> f64 {
    if q <= 2.0 {
        a.min(b)
    } else {
        1.0 / norm(1.0 / a, 1.0 / b, 2.0 * q / (q - 2.0))
    }
}

/// Returns the largest value on [−π/2, π/2] of a function with a few smooth maxima: the function is sampled, and each
/// local maximum is refined.
pub(crate) fn largest_on_half_turn(f: impl Fn(f64) -> f64) -> f64 {
    const SAMPLES: usize = 64;
    let at = |k: usize| (k as f64 / SAMPLES as f64 - 0.5) * std::f64::consts::PI;
    let values: [f64; SAMPLES + 1] = std::array::from_fn(|k| f(at(k)));
    let mut most = values[0].max(values[SAMPLES]);
    for k in 0..=SAMPLES {
        let (left, right) = (k.saturating_sub(1), (k + 1).min(SAMPLES));
        if values[k] >= values[left] && values[k] >= values[right] {
            // Ridges have their maximum at a sample, as a kink that the search only approaches.
            let refined = -minimum(|x| -f(x), at(left), at(right)).1;
            most = most.max(refined).max(values[k]);
        }
    }
    most
}

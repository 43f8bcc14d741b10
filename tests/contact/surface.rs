//! The surface of one body against the oracle, closed forms and finite differences.

use crate::oracle::body::{Body, Shape, norm};
use crate::oracle::convexity;
use crate::sets::{any_direction, any_rotation, spread};
use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, PI};
use superovoid::Superovoid;
use superovoid::surface::{SurfaceAngles, tangents};

/// Any valid shape: half of them untapered, tapers to 0.95 whether convex or not.
fn any_shape(rng: &mut impl Rng) -> Shape {
    let taper = if rng.random_bool(0.5) { 0.95 } else { 0.0 };
    let mut t = [0; 2].map(|_| rng.random_range(-1.0..1.0) * taper);
    if rng.random_bool(0.3) {
        t[1] = t[0];
    }
    Shape::new(
        [0; 3].map(|_| spread(rng, 0.3, 3.0)),
        [0; 2].map(|_| rng.random_range(0.02..1.98)),
        t,
    )
}

/// A direction, some of them along or close to an axis or a coordinate plane.
fn awkward_direction(rng: &mut impl Rng) -> Vector3<f64> {
    let mut n = any_direction(rng);
    for i in 0..3 {
        match rng.random_range(0..8) {
            0 => n[i] = 0.0,
            1 => n[i] *= spread(rng, 1e-14, 1e-2),
            _ => {}
        }
    }
    n.try_normalize(1e-300).unwrap_or_else(Vector3::z)
}

fn any_angles(rng: &mut impl Rng) -> SurfaceAngles {
    SurfaceAngles {
        phi1: rng.random_range(-PI..PI),
        phi2: rng.random_range(-FRAC_PI_2..FRAC_PI_2),
    }
}

#[test]
fn support_agrees_with_the_oracle() {
    let mut rng = crate::sets::seeded(101);
    for _ in 0..3000 {
        let shape = any_shape(&mut rng);
        let (body, own) = (shape.build(), Body::new(shape));
        for _ in 0..8 {
            let n = awkward_direction(&mut rng);
            let support = body.support(&n);
            let truth = own.support(&n);
            let error = (support.value / truth - 1.0).abs();
            assert!(error <= 1e-12, "{shape:?} {n:?}: {} {truth}", support.value);
            // The value is what the point reaches.
            let reach = n.dot(&support.point.coords);
            assert!(
                (reach / truth - 1.0).abs() <= 1e-12,
                "{shape:?} {n:?}: {reach} {truth}"
            );
            let off = own.surface_error(&support.point.coords);
            assert!(off <= 1e-13 * shape.size(), "{shape:?} {n:?}: {off:e}");
        }
    }
}

/// `h(k n) = k h(n)`, over the whole range of lengths of n and of the body.
#[test]
fn support_is_homogeneous() {
    let mut rng = crate::sets::seeded(102);
    for _ in 0..500 {
        let shape = any_shape(&mut rng);
        let n = any_direction(&mut rng);
        let value = shape.build().support(&n).value;
        let (k, m) = (spread(&mut rng, 1e-100, 1e100), spread(&mut rng, 1e-6, 1e6));
        let scaled = shape.scaled(m).build().support(&(n * k)).value;
        assert!(
            (scaled / (k * m * value) - 1.0).abs() <= 1e-12,
            "{shape:?} {n:?} {k} {m}"
        );
    }
}

/// F multiplies a relative error of the coordinates by p2 = 2/e2, up to 100, and one of ζ by
/// 1/τ, up to 20: a few units of rounding of each are allowed.
fn implicit_tolerance(shape: &Shape) -> f64 {
    let narrow = 1.0 - shape.t[0].abs().max(shape.t[1].abs());
    4e-15 * (2.0 / shape.e[1]) / narrow
}

#[test]
fn parametric_points_lie_on_the_surface() {
    let mut rng = crate::sets::seeded(103);
    for _ in 0..20_000 {
        let shape = any_shape(&mut rng);
        let body = shape.build();
        let x = body.point_at(any_angles(&mut rng));
        let off = Body::new(shape).surface_error(&x.coords);
        assert!(off <= 1e-14 * shape.size(), "{shape:?} {x:?}: {off:e}");
        let f = body.inside_outside(&x);
        assert!(
            f.abs() <= implicit_tolerance(&shape),
            "{shape:?} {x:?}: F = {f:e}"
        );
    }
}

#[test]
fn poles_and_equator_are_where_the_angles_say() {
    let body = Superovoid::new([1.0, 2.0, 3.0], [0.5, 1.5], [0.1, 0.1]).expect("valid");
    let at = |phi1, phi2| body.point_at(SurfaceAngles { phi1, phi2 });
    assert!((at(0.3, FRAC_PI_2) - Point3::new(0.0, 0.0, 3.0)).norm() < 1e-15);
    assert!((at(0.3, -FRAC_PI_2) - Point3::new(0.0, 0.0, -3.0)).norm() < 1e-15);
    assert!((at(0.0, 0.0) - Point3::new(1.0, 0.0, 0.0)).norm() < 1e-15);
    // cos(π/2) is 6e-17, its square root 8e-9: x there is rounding, not an error.
    assert!((at(FRAC_PI_2, 0.0) - Point3::new(0.0, 2.0, 0.0)).norm() < 2e-8);
}

#[test]
fn inside_outside_agrees_with_the_oracle() {
    let mut rng = crate::sets::seeded(104);
    for _ in 0..20_000 {
        let shape = any_shape(&mut rng);
        let x = Vector3::from_fn(|i, _| shape.a[i] * rng.random_range(-1.2..1.2));
        let (f, gauge) = (
            shape.build().inside_outside(&x.into()),
            Body::new(shape).gauge(&x),
        );
        // The nearest that a random point comes to the surface is 1e-5.
        assert_eq!(f > 0.0, gauge > 1.0, "{shape:?} {x:?}: {f} {gauge}");
        if x.z.abs() < shape.a[2] {
            let truth = gauge.powf(2.0 / shape.e[1]) - 1.0;
            let tolerance = implicit_tolerance(&shape) * (1.0 + truth.abs());
            assert!(
                (f - truth).abs() <= 8.0 * tolerance,
                "{shape:?} {x:?}: {f} {truth}"
            );
        }
    }
}

/// Beyond the tapered tip, where 1 + t z/a3 ≤ 0 and the powers make no sense, is outside.
#[test]
fn beyond_the_tapered_tip_is_outside() {
    let body = Superovoid::new([1.0, 1.0, 1.0], [1.0, 1.0], [0.5, -0.5]).expect("valid");
    for z in [-2.0, 2.0, -3.0, 1e300] {
        assert!(body.inside_outside(&Point3::new(0.0, 0.0, z)) > 0.0, "{z}");
        assert!(body.inside_outside(&Point3::new(0.1, 0.1, z)) > 0.0, "{z}");
    }
}

/// A shape and a point near its surface at which F is smooth on the scale of 1e-2: no coordinate
/// near a ridge, exponents from 0.3 to 1.7.
fn smooth_place(rng: &mut impl Rng) -> (Shape, Vector3<f64>) {
    let shape = Shape::new(
        [0; 3].map(|_| spread(rng, 0.5, 2.0)),
        [0; 2].map(|_| rng.random_range(0.3..1.7)),
        [0; 2].map(|_| rng.random_range(-0.6..0.6)),
    );
    loop {
        let m = any_direction(rng).component_mul(&Vector3::from(shape.a));
        let x = m * Body::new(shape).radial_scale(&m) * rng.random_range(0.9..1.1);
        let clear = |i: usize| x[i].abs() > 0.15 * shape.a[i];
        if clear(0) && clear(1) && clear(2) {
            return (shape, x);
        }
    }
}

/// Fourth-order central difference of a vector function along axis i.
fn difference<T>(f: impl Fn(&Vector3<f64>) -> T, x: &Vector3<f64>, i: usize, h: f64) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let at = |k: f64| f(&(x + Vector3::ith(i, k * h)));
    ((at(1.0) - at(-1.0)) * 8.0 - (at(2.0) - at(-2.0))) * (1.0 / (12.0 * h))
}

/// With h = 1e-3 the fourth-order formula errs by h⁴ F⁽⁵⁾/30, at p up to 6.7 about 1e-8 of the
/// derivative's scale, and rounding by 1e-13.
#[test]
fn gradient_and_hessian_agree_with_finite_differences() {
    let mut rng = crate::sets::seeded(105);
    for _ in 0..3000 {
        let (shape, x) = smooth_place(&mut rng);
        let body = shape.build();
        let h = 3e-4 * shape.a[0].min(shape.a[1]).min(shape.a[2]);
        let gradient = body.gradient(&x.into());
        let numeric =
            Vector3::from_fn(|i, _| difference(|x| body.inside_outside(&(*x).into()), &x, i, h));
        let error = (gradient - numeric).norm() / gradient.norm();
        assert!(error < 1e-7, "{shape:?} {x:?}: {gradient:?} {numeric:?}");
        let hessian = body.hessian(&x.into());
        let columns = [0, 1, 2].map(|i| difference(|x| body.gradient(&(*x).into()), &x, i, h));
        let numeric = Matrix3::from_columns(&columns);
        let error = (hessian - numeric).norm() / hessian.norm();
        assert!(error < 1e-7, "{shape:?} {x:?}: {hessian} {numeric}");
        assert!((hessian - hessian.transpose()).norm() <= 1e-14 * hessian.norm());
    }
}

/// Untapered, F + 1 is homogeneous of degree p2: x·∇F = p2 (F + 1) over the whole domain.
#[test]
fn gradient_obeys_eulers_identity() {
    let mut rng = crate::sets::seeded(106);
    for _ in 0..5000 {
        let mut shape = any_shape(&mut rng);
        shape.t = [0.0; 2];
        let body = shape.build();
        let x = body.point_at(any_angles(&mut rng));
        let degree = 2.0 / shape.e[1];
        let value = x.coords.dot(&body.gradient(&x)) / (degree * (body.inside_outside(&x) + 1.0));
        assert!((value - 1.0).abs() <= 1e-12, "{shape:?} {x:?}: {value}");
    }
}

/// The unit normal of a surface point is the direction in which a convex body reaches no farther
/// than that point.
#[test]
fn normals_support_their_points() {
    let mut rng = crate::sets::seeded(107);
    let mut tested = 0;
    while tested < 5000 {
        let shape = any_shape(&mut rng);
        let body = shape.build();
        if !body.is_convex() {
            continue;
        }
        tested += 1;
        let angles = any_angles(&mut rng);
        let (x, n) = (body.point_at(angles), body.normal_at(angles));
        assert!((n.norm() - 1.0).abs() < 4e-16);
        let lag = Body::new(shape).support(&n) - n.dot(&x.coords);
        assert!(
            lag.abs() <= 1e-13 * shape.size(),
            "{shape:?} {angles:?}: {lag:e}"
        );
    }
}

#[test]
fn normal_gradient_and_parametric_tangents_agree() {
    let mut rng = crate::sets::seeded(108);
    for _ in 0..3000 {
        let mut shape = any_shape(&mut rng);
        shape.e = [0; 2].map(|_| rng.random_range(0.3..1.7));
        let body = shape.build();
        // Away from the coordinate planes, where derivatives vanish or are infinite.
        let turn = |rng: &mut ChaCha8Rng| rng.random_range(0.2..1.3);
        let quarter = FRAC_PI_2 * rng.random_range(-2i32..2) as f64;
        let flip = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let angles = SurfaceAngles {
            phi1: quarter + turn(&mut rng),
            phi2: flip * turn(&mut rng),
        };
        let (x, n) = (body.point_at(angles), body.normal_at(angles));
        let across = n.cross(&body.gradient(&x).normalize()).norm();
        assert!(across < 1e-12, "{shape:?} {angles:?}: {across:e}");
        let tangents = body.tangents_at(angles);
        for i in 0..2 {
            assert!(
                n.dot(&tangents[i]).abs() < 1e-12 * tangents[i].norm(),
                "{shape:?}"
            );
            let numeric = difference(
                |u| {
                    let at = SurfaceAngles {
                        phi1: u.x,
                        phi2: u.y,
                    };
                    body.point_at(at).coords
                },
                &Vector3::new(angles.phi1, angles.phi2, 0.0),
                i,
                1e-3,
            );
            let error = (numeric - tangents[i]).norm() / tangents[i].norm();
            assert!(
                error < 1e-7,
                "{shape:?} {angles:?}: {numeric:?} {:?}",
                tangents[i]
            );
        }
    }
}

#[test]
fn householder_tangents_are_orthonormal_for_every_normal() {
    let mut rng = crate::sets::seeded(109);
    for _ in 0..20_000 {
        let n = Unit::new_normalize(awkward_direction(&mut rng));
        let [t, b] = tangents(&n);
        let frame = Matrix3::from_columns(&[t, b, n.into_inner()]);
        let error = (frame.transpose() * frame - Matrix3::identity()).norm();
        assert!(error < 2e-15, "{n:?}: {error:e}");
    }
}

/// The box touches the body on all six sides: its coordinates are the oracle's supports.
#[test]
fn aabb_is_the_support_along_the_axes() {
    let mut rng = crate::sets::seeded(110);
    for _ in 0..2000 {
        let shape = any_shape(&mut rng);
        let (body, own) = (shape.build(), Body::new(shape));
        let pose = Isometry3::from_parts(
            (any_direction(&mut rng) * 5.0).into(),
            any_rotation(&mut rng),
        );
        let frames = [
            (body.local_aabb(), Isometry3::identity()),
            (body.aabb(&pose), pose),
        ];
        for (aabb, pose) in frames {
            for i in 0..3 {
                let axis = pose.rotation.inverse() * Vector3::ith(i, 1.0);
                let c = pose.translation.vector[i];
                let (low, high) = (c - own.support(&-axis), c + own.support(&axis));
                let tolerance = 1e-12 * shape.size() + 1e-15 * c.abs();
                assert!(
                    (aabb.min[i] - low).abs() <= tolerance,
                    "{shape:?} {aabb:?} {low}"
                );
                assert!(
                    (aabb.max[i] - high).abs() <= tolerance,
                    "{shape:?} {aabb:?} {high}"
                );
            }
        }
    }
}

#[test]
fn bounding_sphere_holds_the_body_and_is_the_smallest() {
    let mut rng = crate::sets::seeded(111);
    for _ in 0..40 {
        let shape = any_shape(&mut rng);
        let ball = shape.build().bounding_sphere();
        let samples = Body::new(shape).surface_samples(20_000);
        let reach = |z: f64| {
            let c = Vector3::new(0.0, 0.0, z);
            samples.iter().map(|x| (x - c).norm()).fold(0.0, f64::max)
        };
        assert_eq!((ball.center.x, ball.center.y), (0.0, 0.0));
        assert!(reach(ball.center.z) <= ball.radius, "{shape:?} {ball:?}");
        let z =
            crate::oracle::minimise::maximise_on_interval(-shape.a[2], shape.a[2], |z| -reach(z));
        // 20,000 samples are 0.03 apart; the sampled radius errs by the square of that, and by
        // the distance of a sharp corner from the nearest sample.
        assert!(
            ball.radius <= reach(z) * 1.01,
            "{shape:?} {ball:?} {}",
            reach(z)
        );
    }
}

#[test]
fn volume_agrees_with_closed_forms() {
    let volume = |a, e, t| Superovoid::new(a, e, t).expect("valid").volume();
    let close = |x: f64, y: f64, relative: f64| {
        assert!((x / y - 1.0).abs() <= relative, "{x} {y}");
    };
    close(volume([2.0; 3], [1.0; 2], [0.0; 2]), 32.0 / 3.0 * PI, 1e-14);
    close(volume([1.0, 2.0, 3.0], [1.0; 2], [0.0; 2]), 8.0 * PI, 1e-14);
    // Box, cylinder and octahedron are limits: the error is of the order of e² and of 2 − e.
    close(volume([1.0, 2.0, 3.0], [1e-4; 2], [0.0; 2]), 48.0, 1e-7);
    close(
        volume([2.0, 2.0, 3.0], [1.0, 1e-4], [0.0; 2]),
        24.0 * PI,
        1e-7,
    );
    let sharp = 2.0 - 1e-9;
    close(volume([1.0, 2.0, 3.0], [sharp; 2], [0.0; 2]), 8.0, 1e-8);
    // A tapered cylinder: ∫ (1 + tx ζ)(1 + ty ζ) dζ = 2 + 2 tx ty/3.
    close(
        volume([1.0, 2.0, 3.0], [1.0, 1e-4], [0.3, 0.6]),
        6.0 * PI * (2.0 + 0.12),
        1e-7,
    );
}

/// Sections integrated by the midpoint rule over the profile's logarithm.
#[test]
fn volume_agrees_with_quadrature() {
    let mut rng = crate::sets::seeded(112);
    for _ in 0..100 {
        let shape = any_shape(&mut rng);
        let p = shape.e.map(|e| 2.0 / e);
        // With u = s³ the integrand's root singularities at both ends are mild enough.
        let midpoint = |f: &dyn Fn(f64) -> f64| {
            let count = 20_000;
            (0..count)
                .map(|i| {
                    let s = (i as f64 + 0.5) / count as f64;
                    let (u, weight) = (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s));
                    f(u) * weight / count as f64
                })
                .sum::<f64>()
        };
        let width = |p: f64, u: f64| (-(p * u.ln()).exp_m1()).powf(1.0 / p);
        let quarter = midpoint(&|u| width(p[0], u));
        let area = |zeta: f64| {
            4.0 * quarter
                * shape.a[0]
                * shape.a[1]
                * (1.0 + shape.t[0] * zeta)
                * (1.0 + shape.t[1] * zeta)
        };
        let sum = midpoint(&|z| width(p[1], z).powi(2) * (area(z) + area(-z)));
        let ratio = shape.build().volume() / (shape.a[2] * sum);
        assert!((ratio - 1.0).abs() < 1e-6, "{shape:?}: {ratio}");
    }
}

/// Solids with a known tensor: ellipsoid, box, cylinder, and the regular octahedron's limit.
#[test]
fn mass_properties_agree_with_closed_forms() {
    let check = |a: [f64; 3], e, t, per_mass: [f64; 3], relative: f64| {
        let mass = Superovoid::new(a, e, t).expect("valid").mass_properties();
        for i in 0..3 {
            let ratio = mass.inertia[(i, i)] / (mass.volume * per_mass[i]);
            assert!((ratio - 1.0).abs() <= relative, "{a:?} {e:?} {i}: {ratio}");
        }
        mass
    };
    let sums = |f: f64| [13.0 * f, 10.0 * f, 5.0 * f]; // a2² + a3², a1² + a3², a1² + a2²
    let (a, none) = ([1.0, 2.0, 3.0], [0.0; 2]);
    let ball = check(a, [1.0; 2], none, sums(0.2), 1e-14);
    assert_eq!(ball.center_of_mass, Point3::origin());
    check(a, [1e-4; 2], none, sums(1.0 / 3.0), 1e-7);
    check(a, [2.0 - 1e-9; 2], none, sums(0.1), 1e-8);
    let cylinder = [1.0 + 3.0, 1.0 + 3.0, 2.0]; // r = 2, half height 3: r²/4 + h²/3, r²/2
    check([2.0, 2.0, 3.0], [1.0, 1e-4], none, cylinder, 1e-7);
    // A wedge between 0.5 and 1.5 of the width: the centre of a trapezium, h (b + 2a)/(3 (a + b)).
    let wedge = Superovoid::new([1.0; 3], [1e-4; 2], [0.5, 0.0]).expect("valid");
    let center = wedge.mass_properties().center_of_mass;
    assert!(
        (center.z - (2.0 * 3.5 / 6.0 - 1.0)).abs() < 1e-7,
        "{center}"
    );
}

/// The moments of the solid from its tessellation: a triangle and the centre span a tetrahedron, of
/// which ∫ x xᵀ dV = V/20 (Σ v vᵀ + s sᵀ) with s the sum of its corners v. A mesh's own error goes
/// with the square of the edges, so that two meshes extrapolate to a far better value.
#[test]
fn mass_properties_agree_with_the_divergence_theorem() {
    let moments = |body: &Superovoid, segments: usize| {
        let mesh = body.tessellate(segments);
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for triangle in &mesh.triangles {
            let v = triangle.map(|i| mesh.vertices[i as usize].coords);
            let part = v[0].dot(&v[1].cross(&v[2])) / 6.0;
            let sum = v[0] + v[1] + v[2];
            volume += part;
            first += sum * (part / 4.0);
            let squares: Matrix3<f64> = v.iter().map(|x| x * x.transpose()).sum();
            second += (squares + sum * sum.transpose()) * (part / 20.0);
        }
        (volume, first, second)
    };
    let mut rng = crate::sets::seeded(115);
    for k in 0..60 {
        let mut shape = any_shape(&mut rng);
        let range = [0.3..1.0, 1.0..1.7, 0.3..1.7][k % 3].clone();
        shape.e = [0; 2].map(|_| rng.random_range(range.clone()));
        let body = shape.build();
        let (coarse, fine) = (moments(&body, 64), moments(&body, 256));
        let limit = |fine: f64, coarse: f64| fine + (fine - coarse) / 15.0;
        let volume = limit(fine.0, coarse.0);
        let first = fine.1.zip_map(&coarse.1, limit);
        let second = fine.2.zip_map(&coarse.2, limit);
        let center = first / volume;
        let about_center = second - center * center.transpose() * volume;
        let inertia = Matrix3::identity() * about_center.trace() - about_center;

        let mass = body.mass_properties();
        let size = shape.size();
        assert!((mass.volume / volume - 1.0).abs() < 1e-3, "{shape:?}");
        let off = (mass.center_of_mass.coords - center).amax() / size;
        assert!(off < 1e-3, "{shape:?}: {off:e}");
        let off = (mass.inertia - inertia).amax() / mass.inertia.amax();
        assert!(off < 1e-3, "{shape:?}: {off:e}");
    }
}

/// The same slices as for the volume, each a sum of narrow strips, for every exponent and taper.
#[test]
fn mass_properties_agree_with_quadrature() {
    let mut rng = crate::sets::seeded(116);
    let midpoint = |f: &dyn Fn(f64) -> f64| {
        let count = 4_000;
        (0..count)
            .map(|i| {
                let s = (i as f64 + 0.5) / count as f64;
                let (u, weight) = (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s));
                f(u) * weight / count as f64
            })
            .sum::<f64>()
    };
    let width = |p: f64, u: f64| (-(p * u.ln()).exp_m1()).powf(1.0 / p);
    for _ in 0..200 {
        let shape = any_shape(&mut rng);
        let [p1, p2] = shape.e.map(|e| 2.0 / e);
        let area = 4.0 * midpoint(&|u| width(p1, u));
        let spread = 4.0 * midpoint(&|u| u * u * width(p1, u));
        // Sums over both halves of what a slice at ζ contributes.
        let whole = |f: &dyn Fn(f64, [f64; 2]) -> f64| {
            let half_widths =
                |zeta: f64, rho: f64| [0, 1].map(|i| shape.a[i] * (1.0 + shape.t[i] * zeta) * rho);
            shape.a[2]
                * midpoint(&|u| {
                    let rho = width(p2, u);
                    f(u, half_widths(u, rho)) + f(-u, half_widths(-u, rho))
                })
        };
        let volume = whole(&|_, [a, b]| area * a * b);
        let z = whole(&|zeta, [a, b]| area * a * b * zeta * shape.a[2]) / volume;
        let z2 = whole(&|zeta, [a, b]| area * a * b * (zeta * shape.a[2] - z).powi(2));
        let x2 = whole(&|_, [a, b]| spread * a.powi(3) * b);
        let y2 = whole(&|_, [a, b]| spread * a * b.powi(3));
        let mass = shape.build().mass_properties();
        let close = |x: f64, y: f64| assert!((x / y - 1.0).abs() < 2e-5, "{shape:?}: {x} {y}");
        close(mass.volume, volume);
        assert_eq!((mass.center_of_mass.x, mass.center_of_mass.y), (0.0, 0.0));
        assert!((mass.center_of_mass.z - z).abs() < 1e-6 * shape.a[2]);
        let principal = [y2 + z2, x2 + z2, x2 + y2];
        for i in 0..3 {
            close(mass.inertia[(i, i)], principal[i]);
        }
        let off_diagonal = mass.inertia - Matrix3::from_diagonal(&mass.inertia.diagonal());
        assert_eq!(off_diagonal, Matrix3::zeros());
    }
}

#[test]
fn tessellations_are_closed_outward_spheres() {
    let mut rng = crate::sets::seeded(113);
    for k in 0..120 {
        let shape = any_shape(&mut rng);
        let (body, own) = (shape.build(), Body::new(shape));
        let mesh = body.tessellate([1, 8, 13, 40][k % 4]);
        // Every directed edge once, and its reverse once.
        let mut edges = HashMap::new();
        for [i, j, k] in &mesh.triangles {
            for edge in [(i, j), (j, k), (k, i)] {
                *edges.entry(edge).or_insert(0) += 1;
            }
        }
        for ((i, j), count) in &edges {
            assert_eq!(
                (*count, edges.get(&(*j, *i))),
                (1, Some(&1)),
                "{shape:?} edge {i} {j}"
            );
        }
        let euler =
            mesh.vertices.len() as i64 - edges.len() as i64 / 2 + mesh.triangles.len() as i64;
        assert_eq!(euler, 2, "{shape:?}");
        for x in &mesh.vertices {
            let off = own.surface_error(&x.coords);
            assert!(off <= 1e-13 * shape.size(), "{shape:?} {x:?}: {off:e}");
        }
        // Star-shaped about the centre, seen from which every triangle turns its back.
        for triangle in &mesh.triangles {
            let [x, y, z] = triangle.map(|i| mesh.vertices[i as usize].coords);
            let facing = x.dot(&y.cross(&z));
            assert!(facing > 0.0, "{shape:?} {triangle:?}: {facing:e}");
        }
        let a3 = shape.a[2];
        let poles = |z: f64| {
            let pole = Point3::new(0.0, 0.0, z);
            mesh.vertices.iter().filter(|x| **x == pole).count()
        };
        assert_eq!((poles(a3), poles(-a3)), (1, 1), "{shape:?}");
        let highest = mesh.vertices.iter().map(|x| x.z.abs()).fold(0.0, f64::max);
        assert_eq!(highest, a3, "{shape:?}");
    }
}

/// Chords of length d leave out a share of the volume of the order of d²: a four times finer mesh
/// misses at most an eighth.
#[test]
fn mesh_volume_tends_to_the_volume() {
    let mut rng = crate::sets::seeded(114);
    for _ in 0..60 {
        let mut shape = any_shape(&mut rng);
        shape.e = [0; 2].map(|_| rng.random_range(0.1..1.9));
        let body = shape.build();
        let missing = |segments| 1.0 - body.tessellate(segments).volume() / body.volume();
        let (coarse, fine) = (missing(32).abs(), missing(128).abs());
        assert!(coarse < 0.05, "{shape:?}: {coarse}");
        assert!(fine < coarse / 8.0 + 1e-4, "{shape:?}: {coarse} {fine}");
    }
}

/// The taper strength at which the library sees the body turn non-convex, from bisection, must
/// separate what the oracle sees on both sides of it.
#[test]
fn convexity_boundary_agrees_with_the_oracle() {
    convexity_boundary(200);
}

#[test]
#[ignore = "10,000 shapes: 20 s"]
fn convexity_boundary_agrees_with_the_oracle_long() {
    convexity_boundary(10_000);
}

fn convexity_boundary(count: usize) {
    crate::sets::in_parallel(count, |seed| {
        let mut rng = crate::sets::seeded(seed as u64);
        let equal = rng.random_bool(0.4);
        let mut shape = Shape::new(
            [0; 3].map(|_| spread(&mut rng, 0.5, 2.0)),
            // Just below e2 = 1 unequal tapers are non-convex only within |ζ| of the order of
            // (difference of tapers)^(1/(p2 − 2)), too small for a grid to see.
            [rng.random_range(0.02..1.98), 0.0],
            [rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0)],
        );
        shape.e[1] = if equal || rng.random_bool(0.8) {
            rng.random_range(1.0..1.98)
        } else {
            rng.random_range(0.02..0.8)
        };
        if equal {
            shape.e[1] = rng.random_range(0.02..1.98);
            shape.t[1] = shape.t[0];
        }
        let at = |k: f64| Shape {
            t: shape.t.map(|t| t * k),
            ..shape
        };
        let widest = shape.t[0].abs().max(shape.t[1].abs());
        if widest < 1e-3 {
            return;
        }
        let end = 0.999 / widest;
        let (mut low, mut high) = (0.0, end);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if at(middle).build().is_convex() {
                low = middle;
            } else {
                high = middle;
            }
        }
        let margin = spread(&mut rng, 1e-4, 1e-1);
        let inside = convexity::worst_bend(&at(low * (1.0 - margin)));
        assert!(
            inside.bend <= 1e-12,
            "{:?} is convex, but {inside:?}",
            at(low * (1.0 - margin))
        );
        let beyond = (high * (1.0 + margin)).max(0.3 * f64::from(u8::from(high < 1e-6)));
        if high < end && beyond < end {
            let outside = convexity::worst_bend(&at(beyond));
            assert!(!at(beyond).build().is_convex(), "{:?}", at(beyond));
            assert!(
                outside.bend > 0.0,
                "{:?} is not convex, but {outside:?}",
                at(beyond)
            );
        }
    });
}

/// A body that the library calls non-convex has a chord that leaves it.
#[test]
fn non_convex_bodies_have_a_chord_outside() {
    let mut rng = crate::sets::seeded(116);
    let mut tested = 0;
    while tested < 300 {
        let shape = any_shape(&mut rng);
        let hollow = convexity::worst_bend(&shape);
        if shape.build().is_convex() || hollow.bend < 1e-3 || hollow.zeta.abs() < 1e-3 {
            continue;
        }
        tested += 1;
        assert!(
            convexity::point_in_hollow(&shape, &hollow).is_some(),
            "{shape:?} {hollow:?}"
        );
    }
}

/// The longest diagonal of the box-like section is what the oracle's norms say; a sphere's ball
/// is itself.
#[test]
fn bounding_sphere_of_simple_bodies() {
    let ball = Superovoid::sphere(2.0).expect("valid").bounding_sphere();
    assert!(ball.radius >= 2.0 && ball.radius < 2.0 * (1.0 + 2e-9) && ball.center.z.abs() < 1e-8);
    // |u|^p + |v|^p + |w|^p = 1 reaches farthest along the diagonal, at √3 · 3^(−1/p).
    let cube = Superovoid::superellipsoid([1.0; 3], [0.1; 2]).expect("valid");
    let corner = 3f64.sqrt() / norm(norm(1.0, 1.0, 20.0), 1.0, 20.0);
    let radius = cube.bounding_sphere().radius;
    assert!((radius / corner - 1.0).abs() < 2e-9, "{radius} {corner}");
}

/// On the hollow part of a tapered body the search over the heights used to go on for hours.
#[test]
fn support_of_a_direction_that_is_not_finite_is_nan() {
    let hollow = Superovoid::new([1.0; 3], [0.5, 0.5], [0.5, -0.5]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let mut direction = Vector3::new(0.3, 0.4, 1.0);
            direction[axis] = bad;
            let value = hollow.support(&direction).value;
            assert!(!value.is_finite(), "{direction:?}: {value}");
        }
    }
    assert!(
        hollow
            .support(&Vector3::new(f64::NAN, 0.0, 1.0))
            .value
            .is_nan()
    );
}

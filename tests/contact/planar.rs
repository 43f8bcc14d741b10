//! The superellipse and the segment against a dense search over all normals.

use crate::oracle::body::norm;
use crate::oracle::minimise::maximise_on_interval;
use crate::sets::{in_parallel, spread};
use nalgebra::{Isometry2, Point2, Vector2};
use rand::{Rng, RngExt};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use superovoid::planar::{PlanarContact, Superellipse, segment_contact};
use superovoid::{Outcome, QueryError};

#[derive(Clone, Copy, Debug)]
struct Case {
    a: [f64; 2],
    e: f64,
    pose: Isometry2<f64>,
    ends: [Point2<f64>; 2],
}

fn direction(angle: f64) -> Vector2<f64> {
    let (sin, cos) = angle.sin_cos();
    Vector2::new(cos, sin)
}

impl Case {
    fn answer(&self) -> PlanarContact {
        let shape = Superellipse::new(self.a, self.e).expect("valid");
        segment_contact(&shape, &self.pose, &self.ends[0], &self.ends[1]).expect("valid")
    }

    fn size(&self) -> f64 {
        self.a[0].max(self.a[1])
    }

    fn local_ends(&self) -> [Vector2<f64>; 2] {
        self.ends
            .map(|x| self.pose.inverse_transform_point(&x).coords)
    }

    fn gauge(&self, x: &Vector2<f64>) -> f64 {
        norm(x.x.abs() / self.a[0], x.y.abs() / self.a[1], 2.0 / self.e)
    }

    /// The gap that unit normal n shows.
    fn gap(&self, ends: &[Vector2<f64>; 2], n: &Vector2<f64>) -> f64 {
        let h = norm(
            self.a[0] * n.x.abs(),
            self.a[1] * n.y.abs(),
            2.0 / (2.0 - self.e),
        );
        n.dot(&ends[0]).min(n.dot(&ends[1])) - h
    }

    /// The largest gap: even samples, more of them about the axes (where the normals of flat faces
    /// and of tips are) and about the perpendiculars of the segment; every peak refined.
    fn largest_gap(&self) -> f64 {
        let ends = self.local_ends();
        let along = ends[1] - ends[0];
        let mut angles: Vec<f64> = (0..360).map(|i| TAU * i as f64 / 360.0 - PI).collect();
        // And evenly around an ellipse, however slender.
        angles.extend((0..360).map(|i| {
            let x = direction(TAU * i as f64 / 360.0 - PI);
            (x.y / self.a[1]).atan2(x.x / self.a[0])
        }));
        let mut special: Vec<f64> = (-2..2).map(|k| f64::from(k) * FRAC_PI_2).collect();
        if along != Vector2::zeros() {
            let across = along.y.atan2(along.x) + FRAC_PI_2;
            special.extend([across - PI, across]);
        }
        special.extend(
            ends.iter()
                .filter(|x| x.norm() > 0.0)
                .map(|x| x.y.atan2(x.x)),
        );
        for s in special {
            angles.push(s);
            for k in 0..24 {
                let step = 0.5 * 0.4f64.powi(k);
                angles.extend([s - step, s + step]);
            }
        }
        for angle in &mut angles {
            *angle = (*angle + PI).rem_euclid(TAU) - PI;
        }
        angles.sort_by(f64::total_cmp);
        // Twins would hide the true neighbours of a peak.
        angles.dedup_by(|x, y| (*x - *y).abs() < 1e-11);
        let f = |angle: f64| self.gap(&ends, &direction(angle));
        let values: Vec<f64> = angles.iter().map(|&x| f(x)).collect();
        let n = angles.len();
        let mut most = f64::NEG_INFINITY;
        for i in 0..n {
            most = most.max(values[i]);
            let (before, after) = ((i + n - 1) % n, (i + 1) % n);
            if values[i] >= values[before] && values[i] >= values[after] {
                let low = if i == 0 {
                    angles[before] - TAU
                } else {
                    angles[before]
                };
                let high = if i == n - 1 {
                    angles[after] + TAU
                } else {
                    angles[after]
                };
                for (low, high) in [(low, angles[i]), (angles[i], high)] {
                    most = most.max(f(maximise_on_interval(low, high, f)));
                }
            }
        }
        most
    }

    fn judge(&self, answer: &PlanarContact) -> Result<(), String> {
        let size = self.size();
        let far = self
            .ends
            .iter()
            .map(|x| x.coords.norm())
            .fold(0.0, f64::max)
            + self.pose.translation.vector.norm();
        let rounding = 32.0 * f64::EPSILON * (far + size);
        let near = |what: &str, error: f64, most: f64| {
            if error.abs() <= most {
                Ok(())
            } else {
                Err(format!("{what}: {error:e}, at most {most:e}"))
            }
        };
        let truth = self.largest_gap();
        // The search's own error, quadratic in 1e-9 of its intervals, and sharper at kinks.
        let search = 1e-10 * size;
        near("distance", answer.distance - truth, search + rounding)?;
        if truth > answer.upper || truth < answer.lower - search - rounding {
            return Err(format!(
                "{truth:e} outside [{:e}, {:e}]",
                answer.lower, answer.upper
            ));
        }
        near(
            "width",
            answer.upper - answer.lower,
            1e-9 * size + 4.0 * rounding,
        )?;
        if answer.outcome != Outcome::Certified {
            return Err("not certified".to_owned());
        }
        let [x, y] =
            [answer.point_a, answer.point_b].map(|x| self.pose.inverse_transform_point(&x).coords);
        let thinnest = self.a[0].min(self.a[1]);
        near(
            "A off the curve",
            self.gauge(&x) - 1.0,
            1e-12 + (rounding + answer.upper - answer.lower) / thinnest,
        )?;
        near(
            "B off the segment",
            self.off_segment(&y),
            1e-9 * size + rounding,
        )?;
        let closure = answer.point_b - answer.point_a - *answer.normal * answer.distance;
        near("closure", closure.norm(), rounding)?;
        near("normal", answer.normal.norm() - 1.0, 1e-14)?;
        if answer.distance < 0.0 {
            self.translation_separates(answer, 1e-11 + 4.0 * rounding / thinnest)?;
        }
        Ok(())
    }

    fn off_segment(&self, x: &Vector2<f64>) -> f64 {
        let [p, q] = self.local_ends();
        let along = q - p;
        let share = ((x - p).dot(&along) / along.norm_squared().max(1e-300)).clamp(0.0, 1.0);
        (p + along * share - x).norm()
    }

    /// Moved by the depth along the normal, no point of the segment is inside.
    fn translation_separates(&self, answer: &PlanarContact, most: f64) -> Result<(), String> {
        let shift = self.pose.rotation.inverse() * (*answer.normal * -answer.distance);
        let [p, q] = self.local_ends().map(|x| x + shift);
        for i in 0..=50 {
            let x = p + (q - p) * (f64::from(i) / 50.0);
            if self.gauge(&x) < 1.0 - most {
                return Err(format!(
                    "still {:e} deep after the translation",
                    1.0 - self.gauge(&x)
                ));
            }
        }
        Ok(())
    }
}

fn draw(rng: &mut impl Rng) -> Case {
    let k = if rng.random_bool(0.3) {
        spread(rng, 1e-6, 1e6)
    } else {
        1.0
    };
    let a = [0; 2].map(|_| k * spread(rng, 0.2, 5.0));
    let e = match rng.random_range(0..4) {
        0 => rng.random_range(0.02..0.2),
        1 => rng.random_range(1.8..1.98),
        2 => 1.0,
        _ => rng.random_range(0.02..1.98),
    };
    let size = a[0].max(a[1]);
    let turn = if rng.random_bool(0.3) {
        0.0
    } else {
        rng.random_range(-PI..PI)
    };
    let pose = Isometry2::new(
        Vector2::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0)) * size,
        turn,
    );
    let any_point = |rng: &mut dyn Rng| {
        let reach = if rng.random_bool(0.3) {
            spread(&mut &mut *rng, 1e-2, 1.0)
        } else {
            (*rng).random_range(0.7..4.0)
        };
        let m = direction((*rng).random_range(-PI..PI));
        Vector2::new(m.x * a[0], m.y * a[1]) * reach
    };
    let p = any_point(rng);
    let q = match rng.random_range(0..8) {
        // A point.
        0 => p,
        // Along an axis.
        1 => Vector2::new(p.x, any_point(rng).y),
        2 => Vector2::new(any_point(rng).x, p.y),
        // Through the centre.
        3 => p * rng.random_range(-2.0..2.0),
        // A tiny segment.
        4 => p + direction(rng.random_range(-PI..PI)) * (size * spread(rng, 1e-15, 1e-3)),
        _ => any_point(rng),
    };
    // Now and then on an axis, at the centre, or nearly touching.
    let snap = |x: Vector2<f64>, rng: &mut dyn Rng| match (*rng).random_range(0..12) {
        0 => Vector2::new(x.x, 0.0),
        1 => Vector2::new(0.0, x.y),
        2 => Vector2::zeros(),
        3 => {
            let on = x / norm(x.x.abs() / a[0], x.y.abs() / a[1], 2.0 / e);
            on * (1.0
                + spread(&mut &mut *rng, 1e-12, 1e-2)
                    * if (*rng).random_bool(0.5) { 1.0 } else { -1.0 })
        }
        _ => x,
    };
    let p = snap(p, rng);
    let q = snap(q, rng);
    Case {
        a,
        e,
        pose,
        ends: [p, q].map(|x| pose * Point2::from(x)),
    }
}

fn random_segments(seed: u64, count: usize) {
    let overlaps = AtomicUsize::new(0);
    let most = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    in_parallel(count, |i| {
        let mut rng = crate::sets::seeded(seed);
        rng.set_stream(i as u64);
        let case = draw(&mut rng);
        let answer = case.answer();
        overlaps.fetch_add(usize::from(answer.distance < 0.0), Ordering::Relaxed);
        most.fetch_max(answer.iterations as usize, Ordering::Relaxed);
        if let Err(reason) = case.judge(&answer) {
            let text = format!("{i}: {reason}\n{case:?}\n{answer:?}");
            wrong.lock().expect("no judge panics").push(text);
        }
    });
    let wrong = wrong.into_inner().expect("no judge panics");
    println!(
        "{count} segments, {overlaps:?} overlapping, at most {most:?} evaluations, {} wrong",
        wrong.len()
    );
    let shown = &wrong[..wrong.len().min(8)];
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

#[test]
fn random_segments_agree_with_a_search_over_normals() {
    random_segments(1, 1_500);
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_random_segments_agree_with_a_search() {
    random_segments(2, 100_000);
}

/// The case that testing the ends misses: a segment across a corner, both ends outside and the
/// line's foot beyond one of them.
#[test]
fn a_segment_across_a_corner_overlaps() {
    let shape = Superellipse::new([1.0, 1.0], 0.02).expect("valid");
    let (p, q) = (Point2::new(0.85, 1.1), Point2::new(1.1, 0.85));
    let answer = segment_contact(&shape, &Isometry2::identity(), &p, &q).expect("valid");
    // The corner is at 2^(-1/100) on the diagonal, the line at 1.95/√2 from the centre.
    let depth = 2f64.sqrt() * (0.5f64).powf(0.01) - 1.95 / 2f64.sqrt();
    assert!((answer.distance + depth).abs() < 1e-12, "{answer:?}");
}

/// Closed forms for the circle.
#[test]
fn circle_and_segment_have_a_closed_form() {
    let circle = Superellipse::new([2.0, 2.0], 1.0).expect("valid");
    let ask = |p: [f64; 2], q: [f64; 2]| {
        segment_contact(&circle, &Isometry2::identity(), &p.into(), &q.into())
            .expect("valid")
            .distance
    };
    let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-11, "{x} {y}");
    near(ask([-1.0, 3.0], [4.0, 3.0]), 1.0);
    near(ask([3.0, 4.0], [9.0, 5.0]), 3.0);
    near(ask([3.0, 4.0], [3.0, 4.0]), 3.0);
    near(ask([-9.0, 0.5], [9.0, 0.5]), -1.5);
    near(ask([0.0, 0.0], [0.0, 0.0]), -2.0);
    // Only an end inside.
    near(ask([1.5, 0.0], [9.0, 0.0]), -0.5);
    near(ask([0.0, 0.0], [9.0, 0.0]), -2.0);
}

#[test]
fn rigid_motion_and_scale_change_nothing() {
    let mut rng = crate::sets::seeded(3);
    for _ in 0..2000 {
        let case = draw(&mut rng);
        let (k, first) = (spread(&mut rng, 1e-6, 1e6), case.answer());
        let motion = Isometry2::new(
            Vector2::new(rng.random_range(-2.0..2.0), 1.0) * case.size(),
            rng.random_range(-PI..PI),
        );
        let mut pose = motion * case.pose;
        pose.translation.vector *= k;
        let moved = Case {
            a: case.a.map(|a| a * k),
            pose,
            ends: [case.ends[1], case.ends[0]].map(|x| (motion * x) * k),
            ..case
        };
        let second = moved.answer();
        let error = (second.distance / k - first.distance).abs();
        assert!(
            error <= 2e-12 * case.size() + 1e-13 * case.ends[0].coords.norm(),
            "{case:?} {error:e}\n{first:?}\n{second:?} {:?} {:?}",
            case.judge(&first),
            moved.judge(&second)
        );
    }
}

/// Exponents too close to 0 or 2 are never certified; their bracket is true.
#[test]
fn exponents_at_the_ends_are_not_certified() {
    for e in [1e-9, 2.0 - 1e-9] {
        let shape = Superellipse::new([1.0, 1.0], e).expect("valid");
        let (p, q) = (Point2::new(3.0, -1.0), Point2::new(3.0, 1.0));
        let answer = segment_contact(&shape, &Isometry2::identity(), &p, &q).expect("valid");
        assert_eq!(answer.outcome, Outcome::NotConverged);
        assert!(answer.lower <= 2.0 && 2.0 <= answer.upper);
    }
}

#[test]
fn invalid_input_is_refused() {
    assert!(Superellipse::new([0.0, 1.0], 1.0).is_err());
    assert!(Superellipse::new([1.0, f64::INFINITY], 1.0).is_err());
    assert!(Superellipse::new([1.0, 1.0], f64::NAN).is_err());
    let shape = Superellipse::new([1.0, 1.0], 1.0).expect("valid");
    let good = Point2::new(3.0, 0.0);
    let bad = Point2::new(f64::NAN, 0.0);
    let error = segment_contact(&shape, &Isometry2::identity(), &good, &bad).expect_err("NaN");
    assert_eq!(error.to_string(), "segment end: metres, must be finite");
    let nowhere = Isometry2::translation(f64::INFINITY, 0.0);
    let error = segment_contact(&shape, &nowhere, &good, &good).expect_err("infinite");
    assert_eq!(error, QueryError::NonFinitePose { body: 'A' });
}

#[test]
fn extreme_magnitudes_do_not_panic() {
    for k in [1e-310, 1e-300, 1e-150, 1e150, 1e300] {
        let circle = Superellipse::new([k, k], 1.0).expect("valid");
        let (p, q) = (Point2::new(3.0 * k, -k), Point2::new(3.0 * k, k));
        let answer = segment_contact(&circle, &Isometry2::identity(), &p, &q).expect("valid");
        assert!(
            (answer.distance / k - 2.0).abs() < 1e-11,
            "{k:e}: {answer:?}"
        );
    }
    let needle = Superellipse::new([1.0, 1e-200], 0.5).expect("valid");
    let (p, q) = (Point2::new(1e308, 1e308), Point2::new(-1e308, 1.7e308));
    for pose in [
        Isometry2::identity(),
        Isometry2::translation(-1.7e308, -1.7e308),
    ] {
        let _ = segment_contact(&needle, &pose, &p, &q);
        let _ = segment_contact(&needle, &pose, &p, &p);
    }
    let _ = segment_contact(
        &needle,
        &Isometry2::identity(),
        &Point2::origin(),
        &Point2::origin(),
    );
}

/// Every normal ties at the centre of a circle: that once took a second. What cannot be resolved is
/// left open after a bounded number of steps.
#[test]
fn ties_over_all_normals_end_soon() {
    let origin = Point2::origin();
    for (k, e) in [
        (1.0, 1.0),
        (1.000_000_1, 1.0),
        (1.0, 0.999_999),
        (1.0, 1.000_001),
    ] {
        let shape = Superellipse::new([1.0, k], e).expect("valid");
        let answer = segment_contact(&shape, &Isometry2::identity(), &origin, &origin);
        let answer = answer.expect("valid");
        assert!(answer.iterations < 50_000, "{k} {e}: {answer:?}");
        assert!((answer.distance + 1.0).abs() < 2e-6, "{k} {e}: {answer:?}");
        assert!(answer.lower < -0.999_999 && answer.upper > -1.000_001);
        if (k, e) == (1.0, 1.0) {
            assert_eq!(answer.outcome, Outcome::Certified);
        }
    }
    let needle = Superellipse::new([1.0, 5e-324], 1.999_998).expect("valid");
    let ends = [Point2::new(0.1, 0.0), Point2::new(0.5, -1.0)];
    let answer = segment_contact(&needle, &Isometry2::identity(), &ends[0], &ends[1]);
    assert!(answer.expect("valid").iterations < 50_000);
}

//! Proven splines, against configurations sampled on them: the curves are evaluated here by other formulas, and the
//! configurations judged by the kinematics and pairs of `regions`.

use crate::regions::{READY, panda};
use nalgebra::{Isometry3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::HalfSpace;
use superovoid_robot::scene::{RobotScene, RobotSceneError};
use superovoid_robot::{EdgeOptions, EdgeStatus, Robot, Spline, SplineError};

type Rows = Vec<Vec<f64>>;

/// A curve, and how it is evaluated.
struct Curve {
    spline: Spline,
    at: Box<dyn Fn(f64) -> Vec<f64>>,
}

/// The cubic or quintic of Hermite's data by its powers, solved for the end of each piece.
fn hermite(times: Vec<f64>, p: Rows, v: Rows, a: Option<Rows>) -> Curve {
    let spline = match &a {
        Some(a) => Spline::quintic(&times, &p, &v, a),
        None => Spline::cubic(&times, &p, &v),
    };
    let at = move |t: f64| {
        let k = (1..times.len() - 1)
            .take_while(|&k| times[k] <= t)
            .last()
            .unwrap_or(0);
        let (h, tau) = (times[k + 1] - times[k], t - times[k]);
        let value = |i: usize| {
            let (p0, p1, v0, v1) = (p[k][i], p[k + 1][i], v[k][i], v[k + 1][i]);
            let Some(a) = &a else {
                let c2 = (3.0 * (p1 - p0) / h - 2.0 * v0 - v1) / h;
                let c3 = (2.0 * (p0 - p1) / h + v0 + v1) / (h * h);
                return p0 + tau * (v0 + tau * (c2 + tau * c3));
            };
            let (a0, a1, d) = (a[k][i], a[k + 1][i], p1 - p0);
            let c3 = (20.0 * d - (8.0 * v1 + 12.0 * v0) * h - (3.0 * a0 - a1) * h * h)
                / (2.0 * h.powi(3));
            let c4 = (-30.0 * d + (14.0 * v1 + 16.0 * v0) * h + (3.0 * a0 - 2.0 * a1) * h * h)
                / (2.0 * h.powi(4));
            let c5 = (12.0 * d - 6.0 * (v1 + v0) * h + (a1 - a0) * h * h) / (2.0 * h.powi(5));
            p0 + tau * (v0 + tau * (0.5 * a0 + tau * (c3 + tau * (c4 + tau * c5))))
        };
        (0..p[0].len()).map(value).collect()
    };
    Curve {
        spline: spline.expect("valid"),
        at: Box::new(at),
    }
}

/// A B-spline by the basis functions of Cox and de Boor.
fn b_spline(degree: usize, knots: Vec<f64>, points: Rows) -> Curve {
    fn basis(knots: &[f64], i: usize, degree: usize, t: f64) -> f64 {
        if degree == 0 {
            return f64::from(u8::from(knots[i] <= t && t < knots[i + 1]));
        }
        let part = |from: usize, to: usize, x: f64| {
            let width = knots[to] - knots[from];
            if width > 0.0 { x / width } else { 0.0 }
        };
        part(i, i + degree, t - knots[i]) * basis(knots, i, degree - 1, t)
            + part(i + 1, i + degree + 1, knots[i + degree + 1] - t)
                * basis(knots, i + 1, degree - 1, t)
    }
    let spline = Spline::b_spline(degree, &knots, &points).expect("valid");
    let last = *spline.times().last().expect("an end");
    let at = move |t: f64| {
        // The basis functions are open at their right end.
        let t = t.min(last - 1e-12);
        let value = |k: usize| {
            (0..points.len())
                .map(|i| basis(&knots, i, degree, t) * points[i][k])
                .sum()
        };
        (0..points[0].len()).map(value).collect()
    };
    Curve {
        spline,
        at: Box::new(at),
    }
}

/// Polynomials through waypoints, and bent between them, by Horner's scheme.
fn polynomials(times: Vec<f64>, p: Rows, bent: Rows) -> Curve {
    let mut coefficients: Vec<Rows> = Vec::new();
    for k in 0..times.len() - 1 {
        let h = times[k + 1] - times[k];
        // p + (p' − p) τ/h + b τ (h − τ) (h + τ)
        let linear = |i: usize| (p[k + 1][i] - p[k][i]) / h + bent[k][i] * h * h;
        let count = p[0].len();
        coefficients.push(vec![
            p[k].clone(),
            (0..count).map(linear).collect(),
            vec![0.0; count],
            (0..count).map(|i| -bent[k][i]).collect(),
        ]);
    }
    let spline = Spline::polynomials(&times, &coefficients).expect("valid");
    let at = move |t: f64| {
        let k = (1..times.len() - 1)
            .take_while(|&k| times[k] <= t)
            .last()
            .unwrap_or(0);
        let tau = t - times[k];
        let value = |i: usize| {
            coefficients[k]
                .iter()
                .rev()
                .fold(0.0, |sum, c| sum * tau + c[i])
        };
        (0..p[0].len()).map(value).collect()
    };
    Curve {
        spline,
        at: Box::new(at),
    }
}

/// A curve of one of five kinds, through or near random configurations about the ready position.
fn random(kind: usize, spread: f64, rng: &mut ChaCha8Rng) -> Curve {
    let count = rng.random_range(2..=4_usize);
    let mut time = rng.random_range(-1.0..1.0);
    let mut times = Vec::new();
    for _ in 0..count {
        times.push(time);
        time += rng.random_range(0.3..1.5);
    }
    let mut rows = |count: usize, size: f64, of: &[f64]| -> Rows {
        let mut row = || -> Vec<f64> {
            let joints = of.iter().map(|q| q + size * rng.random_range(-1.0..=1.0));
            joints.collect()
        };
        (0..count).map(|_| row()).collect()
    };
    let [ready, rest] = [READY, [0.0; 7]];
    let fingers = |mut rows: Rows, at: f64| {
        rows.iter_mut().for_each(|row| row.push(at));
        rows
    };
    match kind {
        0 | 1 => {
            let p = fingers(rows(count, spread, &ready), 0.02);
            let v = fingers(rows(count, spread, &rest), 0.0);
            let a = fingers(rows(count, spread, &rest), 0.001);
            hermite(times, p, v, (kind == 1).then_some(a))
        }
        2 => {
            let points = fingers(rows(count + 3, 1.5 * spread, &ready), 0.01);
            let knots = (0..count + 7).map(|k| 0.5 * k as f64 - 1.0).collect();
            b_spline(3, knots, points)
        }
        3 => {
            let points = fingers(rows(count + 3, 1.5 * spread, &ready), 0.01);
            let mut knots = vec![times[0]; 4];
            // One knot is there twice.
            let inner = (1..count).map(|k| times[0] + k.div_ceil(2) as f64);
            knots.extend(inner);
            knots.extend([times[0] + count as f64; 4]);
            b_spline(3, knots, points)
        }
        _ => {
            let p = fingers(rows(count, spread, &ready), 0.02);
            let bent = fingers(rows(count, spread, &rest), 0.0);
            polynomials(times, p, bent)
        }
    }
}

#[test]
fn splines_of_the_panda_are_proven_as_samples_say() {
    sample(500, 150);
}

#[test]
#[ignore = "a long draw"]
fn splines_of_the_panda_are_proven_as_samples_say_long() {
    sample(10_000, 600);
}

fn sample(splines: usize, samples: usize) {
    let (mut scene, model) = panda();
    let rng = &mut ChaCha8Rng::seed_from_u64(51);
    let [mut free, mut hit, mut left] = [0; 3];
    let mut count = 0;
    while count < splines {
        let spread = [0.3, 0.6, 0.9][count % 3];
        let Curve { spline, at } = random(count % 5, spread, rng);
        let times = spline.times();
        let (start, end) = (times[0], times[times.len() - 1]);
        let sample = |k: usize| start + (end - start) * k as f64 / samples as f64;
        for t in [0, samples / 3, samples].map(sample) {
            for (ours, exact) in spline.position(t).iter().zip(at(t)) {
                assert!((ours - exact).abs() < 1e-9, "{t}: {ours} {exact}");
            }
        }
        let answer = match scene.spline_free(&spline, &EdgeOptions::default()) {
            Ok(answer) => answer,
            Err(RobotSceneError::Spline(SplineError::OutsideLimits {
                joint,
                time,
                value,
                lower,
                upper,
            })) => {
                let index = scene.robot().joint_index(&joint).expect("a joint");
                let number = scene.robot().position_range(index).expect("a joint").start;
                let there = at(time)[number];
                assert!(
                    (there - value).abs() < 1e-9 && (there < lower || there > upper),
                    "{joint} {time}"
                );
                left += 1;
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        count += 1;
        for t in (0..=samples)
            .map(sample)
            .filter(|t| answer.safe.is_some_and(|safe| *t <= safe))
        {
            assert!(!model.touches(&at(t)), "refuted at {t}: {answer:?}");
        }
        match answer.status {
            EdgeStatus::Free => {
                free += 1;
                assert_eq!((answer.safe, answer.touching), (Some(end), None));
                assert!((answer.proven - 1.0).abs() < 1e-12);
            }
            EdgeStatus::Hit => {
                hit += 1;
                let touching = answer.touching.expect("a hit");
                assert!(answer.contact.is_some() && (start..=end).contains(&touching));
                assert!(
                    model.is_within(&at(touching), 1e-9),
                    "no contact at {touching}"
                );
                assert!(answer.safe.is_none_or(|safe| safe < touching));
                let early = EdgeOptions::default().with_first_contact(false);
                assert!(!scene.spline_free(&spline, &early).expect("valid").is_free());
            }
            EdgeStatus::Undecided => assert!(
                (0..=samples)
                    .map(sample)
                    .any(|t| model.is_within(&at(t), 1e-2))
            ),
        }
    }
    println!("{free} free, {hit} hit, {left} left their limits");
    assert!(free > splines / 8 && hit > splines / 8 && free + hit >= splines - splines / 50);
}

/// A straight line, as a cubic in one piece or two, and as a quintic and a line, has the verdict of the edge.
#[test]
fn a_straight_line_as_a_spline_is_judged_as_the_edge() {
    let (mut scene, _) = panda();
    let rng = &mut ChaCha8Rng::seed_from_u64(52);
    let options = EdgeOptions::default();
    let [mut free, mut hit] = [0; 2];
    for _ in 0..150 {
        let mut end = || -> Vec<f64> {
            let joints = READY.iter().map(|q| q + 0.7 * rng.random_range(-1.0..=1.0));
            joints.chain([0.02]).collect()
        };
        let ends = [end(), end()];
        let [from, to] = [0, 1].map(|k| {
            scene
                .robot()
                .configuration(&ends[k])
                .expect("within the limits")
        });
        let edge = scene.edge_free(&from, &to, &options).expect("valid");
        let at = |t: f64| -> Vec<f64> {
            (0..8)
                .map(|i| ends[0][i] + t * (ends[1][i] - ends[0][i]))
                .collect()
        };
        let rate: Vec<f64> = (0..8).map(|i| ends[1][i] - ends[0][i]).collect();
        let rest = vec![0.0; 8];
        let half: Vec<f64> = rate.iter().map(|rate| 0.5 * rate).collect();
        for spline in [
            Spline::bezier(1, &[0.0, 1.0], &ends),
            Spline::cubic(&[0.0, 1.0], &ends, &[rate.clone(), rate.clone()]),
            // Twice as long, in pieces of different lengths.
            Spline::cubic(
                &[1.0, 1.5, 3.0],
                &[at(0.0), at(0.25), at(1.0)],
                &[half.clone(), half.clone(), half],
            ),
            Spline::quintic(
                &[0.0, 1.0],
                &ends,
                &[rate.clone(), rate],
                &[rest.clone(), rest],
            ),
        ] {
            let spline = spline.expect("valid");
            let answer = scene.spline_free(&spline, &options).expect("valid");
            assert_eq!(answer.status, edge.status);
            let [start, end] = [spline.times()[0], spline.times()[spline.times().len() - 1]];
            let share = |t: Option<f64>| t.map_or(-1.0, |t| (t - start) / (end - start));
            assert!((share(answer.touching) - edge.touching.unwrap_or(-1.0)).abs() < 1e-4);
        }
        free += usize::from(edge.status == EdgeStatus::Free);
        hit += usize::from(edge.status == EdgeStatus::Hit);
    }
    assert!(free > 20 && hit > 20, "{free} {hit}");
}

fn slide() -> RobotScene {
    let robot = Robot::from_urdf_str(
        r#"<robot name="slide"><link name="rail"/><link name="cart"/>
             <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
             <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
               <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
             <joint name="plane" type="planar"><parent link="cart"/><child link="ball"/><axis xyz="0 0 1"/></joint></robot>"#,
    );
    RobotScene::new(robot.expect("a robot")).expect("it fits")
}

#[test]
fn joints_that_leave_their_limits_or_may_not_move_are_named() {
    let mut scene = slide();
    let options = EdgeOptions::default();
    let mut answer = |spline: Result<Spline, SplineError>| {
        scene
            .spline_free(&spline.expect("valid"), &options)
            .map(|answer| answer.is_free())
    };
    let row = |x: f64| vec![x, 0.5, 0.0, 0.1];
    let slope = |v: f64| vec![v, 0.0, 0.0, 0.0];
    // It goes up to its limit and rests there; over it, by t (1 − t) · 4.2; and its control points only.
    let up = Spline::cubic(
        &[2.0, 3.0],
        &[row(0.0), row(1.0)],
        &[slope(0.0), slope(0.0)],
    );
    assert_eq!(answer(up), Ok(true));
    let over = Spline::cubic(
        &[2.0, 3.0],
        &[row(0.0), row(0.0)],
        &[slope(4.2), slope(-4.2)],
    );
    let error = answer(over).expect_err("outside");
    let RobotSceneError::Spline(SplineError::OutsideLimits {
        joint, time, value, ..
    }) = &error
    else {
        panic!("{error}");
    };
    assert!(
        joint == "x" && (time - 2.5).abs() < 0.2 && *value > 1.0,
        "{error}"
    );
    let control = Spline::bezier(2, &[0.0, 1.0], &[row(0.0), row(2.0), row(0.0)]);
    assert_eq!(answer(control), Ok(true));
    let moves = Spline::bezier(1, &[0.0, 1.0], &[row(0.0), vec![0.0, 0.6, 0.0, 0.1]]);
    assert!(
        answer(moves)
            .expect_err("moves")
            .to_string()
            .contains("\"plane\" moves")
    );
    let few = Spline::bezier(1, &[0.0, 1.0], &[[0.0], [1.0]]);
    assert!(
        answer(few)
            .expect_err("few")
            .to_string()
            .contains("1 positions")
    );
    let rest = Spline::bezier(1, &[0.0, 1.0], &[row(0.5), row(0.5)]);
    assert_eq!(answer(rest), Ok(true));
    let negative = EdgeOptions::default().with_min_separation(-1.0);
    let rest = Spline::bezier(1, &[0.0, 1.0], &[row(0.5), row(0.5)]).expect("valid");
    assert!(slide().spline_free(&rest, &negative).is_err());
}

#[test]
fn bad_data_of_a_spline_is_named() {
    let p = [[0.0], [1.0]];
    let refused = |spline: Result<Spline, SplineError>, with: &str| {
        let error = spline.expect_err(with).to_string();
        assert!(error.contains(with), "{error}");
    };
    refused(Spline::cubic(&[0.0], &p, &p), "1 times; expected 2");
    refused(
        Spline::cubic(&[0.0, 0.0], &p, &p),
        "time 1 = 0 is not after",
    );
    refused(Spline::cubic(&[0.0, f64::NAN], &p, &p), "time 1 holds");
    refused(
        Spline::cubic(&[-f64::MAX, f64::MAX], &p, &p),
        "time 1 holds",
    );
    refused(
        Spline::cubic(&[0.0, 1.0], &p, &p[..1]),
        "1 velocities; expected 2",
    );
    refused(
        Spline::cubic(&[0.0, 1.0], &[[0.0], [f64::NAN]], &p),
        "positions 1 holds",
    );
    refused(
        Spline::cubic(&[0.0, 1.0], &[vec![0.0], vec![]], &[vec![0.0], vec![0.0]]),
        "0 numbers in a row",
    );
    refused(
        Spline::cubic(&[0.0, 1e300], &p, &[[1e300], [0.0]]),
        "piece 0 holds",
    );
    refused(
        Spline::quintic(&[0.0, 1.0], &p, &p, &p[..0]),
        "0 accelerations",
    );
    refused(Spline::bezier(0, &[0.0, 1.0], &p), "degree 0");
    refused(Spline::bezier(99, &[0.0, 1.0], &p), "degree 99");
    refused(Spline::bezier(2, &[0.0, 1.0], &p), "2 points; expected 3");
    let lines = |second: f64| vec![vec![[0.0], [1.0]], vec![[second], [0.0]]];
    assert!(Spline::polynomials(&[0.0, 1.0, 2.0], &lines(1.0)).is_ok());
    refused(
        Spline::polynomials(&[0.0, 1.0, 2.0], &lines(1.1)),
        "number 0 jumps at the time 1",
    );
    refused(
        Spline::polynomials(&[0.0, 1.0], &lines(1.0)),
        "2 polynomials; expected 1",
    );
    let none: [Vec<[f64; 1]>; 1] = [vec![]];
    refused(Spline::polynomials(&[0.0, 1.0], &none), "degree 0");
    refused(Spline::b_spline(3, &[0.0; 6], &p), "2 points; expected 4");
    let four = [[0.0], [1.0], [0.0], [1.0]];
    refused(Spline::b_spline(3, &[0.0; 7], &four), "7 knots; expected 8");
    refused(Spline::b_spline(3, &[0.0; 8], &four), "is not after");
    refused(
        Spline::b_spline(3, &[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 1.0], &four),
        "time 6 = 0.5",
    );
    refused(
        Spline::b_spline(1, &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0], &four),
        "jumps",
    );
}

/// A large ball is at rest before a wall in the middle of its motion, and hits it before and after: only the second
/// derivative tells.
#[test]
fn a_motion_at_rest_in_its_middle_is_not_taken_for_rest() {
    let robot = Robot::from_urdf_str(
        r#"<robot name="slide"><link name="rail"/>
             <link name="ball"><collision><geometry><sphere radius="10"/></geometry></collision></link>
             <joint name="x" type="prismatic"><parent link="rail"/><child link="ball"/><axis xyz="1 0 0"/>
               <limit lower="0" upper="2" effort="1" velocity="1"/></joint></robot>"#,
    );
    let mut scene = RobotScene::new(robot.expect("a robot")).expect("it fits");
    let wall = HalfSpace::new(-Vector3::x(), -10.9).expect("a half-space");
    scene
        .add_obstacle("wall", wall, Isometry3::identity())
        .expect("finite");
    // The middle is at 0.75 or 0.65 and at rest, the greatest value about 1.02 or 0.85.
    for (least, status) in [(-2.0, EdgeStatus::Hit), (-1.6, EdgeStatus::Free)] {
        let most = if least < -1.8 { 3.0 } else { 2.5 };
        let points = [[0.0], [most], [least], [most], [0.0]];
        let spline = Spline::bezier(4, &[0.0, 1.0], &points).expect("valid");
        let answer = scene
            .spline_free(&spline, &EdgeOptions::default())
            .expect("valid");
        assert_eq!(answer.status, status);
        let first = (0..=100_000)
            .map(|k| f64::from(k) / 100_000.0)
            .find(|&t| spline.position(t)[0] >= 0.9);
        assert_eq!(first.is_some(), status == EdgeStatus::Hit);
        if let (Some(first), Some(touching)) = (first, answer.touching) {
            assert!((touching - first).abs() < 1e-4, "{touching} {first}");
        }
    }
}

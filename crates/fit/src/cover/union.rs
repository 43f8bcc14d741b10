//! The volume of a union of bodies, by counting.
//!
//! With c(x) the number of bodies that hold x, `|∪ B_i| = Σ |B_i| mean over B_i of 1/c`. The points are a low-discrepancy
//! sequence in the box about each body, of which those in the body count.

use crate::Fit;
use nalgebra::Point3;

/// Points in the box about a body.
const SAMPLES: usize = 4000;

/// The volume of the union of bodies; exact for one.
pub(super) fn union_volume(bodies: &[Fit]) -> f64 {
    let volumes = bodies.iter().map(|body| match bodies.len() {
        1 => body.shape.volume(),
        _ => body.shape.volume() * share(body, bodies),
    });
    volumes.sum()
}

/// The mean of 1/c over a body.
fn share(body: &Fit, bodies: &[Fit]) -> f64 {
    // The plastic number's generalisation to three dimensions (Roberts, 2018).
    const STEP: [f64; 3] = [
        0.819_172_513_396_164_4,
        0.671_043_606_703_789_2,
        0.549_700_477_901_943_8,
    ];
    let half = body.shape.local_aabb().max;
    let (mut sum, mut count) = (0.0, 0);
    for k in 0..SAMPLES {
        let at = |i: usize| half[i] * (2.0 * (0.5 + k as f64 * STEP[i]).fract() - 1.0);
        let point = Point3::new(at(0), at(1), at(2));
        if body.shape.inside_outside(&point) > 0.0 {
            continue;
        }
        let point = body.pose * point;
        let others = bodies.iter().filter(|other| holds(other, &point)).count();
        sum += 1.0 / others.max(1) as f64;
        count += 1;
    }
    if count == 0 {
        1.0
    } else {
        sum / f64::from(count)
    }
}

fn holds(body: &Fit, point: &Point3<f64>) -> bool {
    let local = body.pose.inverse_transform_point(point);
    body.shape.inside_outside(&local) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Isometry3;
    use std::time::Duration;
    use superovoid::Superovoid;

    #[test]
    fn two_balls_have_the_volume_without_their_lens() {
        let ball = |x: f64| Fit {
            shape: Superovoid::sphere(1.0).unwrap(),
            pose: Isometry3::translation(x, 0.0, 0.0),
            time: Duration::ZERO,
        };
        let whole = ball(0.0).shape.volume();
        for d in [0.5, 1.0, 1.9, 2.5_f64] {
            let lens = if d < 2.0 {
                std::f64::consts::PI * (4.0 + d) * (2.0 - d).powi(2) / 12.0
            } else {
                0.0
            };
            let found = union_volume(&[ball(0.0), ball(d)]);
            let expected = 2.0 * whole - lens;
            assert!(
                (found / expected - 1.0).abs() < 0.01,
                "{d}: {found} {expected}"
            );
        }
    }
}

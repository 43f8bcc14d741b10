//! How far the points of a body can move, and how much their paths can bend, within an interval of the line.
//!
//! Let a body hang on the steps 1 … k behind a link C that is taken to be at rest. Step j is a turn with the angular
//! velocity ω_j about an axis through o_j, or a slide with the velocity v_j. For a material point p of the body write
//! `c_j = ω_j × (p − o_j)` for a turn and `c_j = v_j` for a slide: what step j contributes to the velocity,
//!
//! ```text
//! ṗ = Σ_j c_j
//! ```
//!
//! The rates are constant, and step j is carried by the steps before it, whose angular velocities add up to
//! `W_j = Σ_{i<j} ω_i`. So `ω̇_j = W_j × ω_j`, and `d/dt (p − o_j) = Σ_{m≥j, turns} c_m + Σ_{m>j, slides} c_m +
//! W_j × (p − o_j)`. With Jacobi's identity
//!
//! ```text
//! p̈ = Σ_j ω_j × c_j  +  2 Σ_{i<j} ω_i × c_j          (ω_j = 0 for a slide)
//! ```
//!
//! Let L_j be the largest distance of a point of the body from the axis j on the interval, s_j = |ω_j| and u_j = s_j L_j
//! (|v_j| for a slide, with s_j = 0). Then
//!
//! ```text
//! |ṗ| ≤ U = Σ_j u_j          |p̈| ≤ A = Σ_j u_j ( s_j + 2 Σ_{i<j} s_i )
//! ```
//!
//! L_j at the middle of the interval is at most the distance of the centre of the body's sphere from the axis plus its
//! radius. Seen from the link that carries axis j only the steps behind j move the body, so that on an interval of the
//! half-width h it is at most `h Σ_{m>j} u_m` more. And it never exceeds the length of the chain from o_j to the far side
//! of the body. So the levers follow from the tip inwards, and so do both sums: with `S_j = Σ_{i≥j} s_i` and `U_j = Σ_{i≥j}
//! u_i`, summed from the tip to step j,
//!
//! ```text
//! A_j = B_j + 2 S_j U_j,        B_j = Σ_{i≥j} u_i ( s_i − 2 S_i )
//! ```
//!
//! so that one pass serves all pairs of a body, whichever link C they have in common.
//!
//! Where the rates are not constant, s_j is the largest speed of step j on the interval. `ω̇_j` then has the further term
//! `α_j ω_j/|ω_j|` with the second derivative α_j of the joint's position, which adds at most `|α_j| L_j` to |p̈| (`|α_j|` for a
//! slide).
//!
//! The same sums hold for a box of configurations with half-widths s_j around its middle: the way from the middle to any
//! configuration of the box on the straight line has constant rates that are no greater, in the time h = 1.

use super::body::{Bound, EdgeBody};
use super::line::{Line, State};
use nalgebra::{Isometry3, Vector3};

/// The steps that move one body, from the tip to the root.
#[derive(Default)]
pub(crate) struct Chain {
    pub links: Vec<Lever>,
}

/// A step of a chain.
pub(crate) struct Lever {
    pub step: usize,
    /// The largest distance of the body's points from the step's origin on the whole line.
    pub longest: f64,
}

/// The motion of a body within an interval, relative to each link of its chain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Motion {
    /// U: the largest speed of a point.
    pub speed: f64,
    /// A: the largest acceleration of a point.
    pub acceleration: f64,
}

/// A body at the middle of an interval.
#[derive(Default)]
pub(crate) struct Moving {
    pub pose: Isometry3<f64>,
    /// The centre of its sphere in the world.
    pub centre: Vector3<f64>,
    pub radius: f64,
    /// The size of the numbers from which its coordinates are worked out: no point is farther from the world's origin.
    pub size: f64,
    /// For every step of the chain the motion due to it and to the steps before it in the chain's order.
    pub motions: Vec<Motion>,
}

/// Covers the rounding of lengths and sums.
const ROUNDED_UP: f64 = 1.0 + 1e-12;

impl Chain {
    /// Replaces the steps by those of a body.
    pub fn set(&mut self, line: &Line, body: &EdgeBody) {
        let links = &mut self.links;
        links.clear();
        let (Some(mut link), Bound::Sphere { centre, radius }) = (body.link, &body.bound) else {
            return;
        };
        let mut farthest = (body.pose * centre).coords.norm() + radius;
        let mut step = line.last[link];
        while let Some((joint, parent)) = line.parent(link) {
            while let Some(index) = step
                && line.steps[index].joint == joint
            {
                let longest = farthest * ROUNDED_UP;
                links.push(Lever {
                    step: index,
                    longest,
                });
                step = line.steps[index].above;
            }
            farthest += line.offset(joint);
            link = parent;
        }
    }

    /// Returns the number of steps that move a body and not the other one.
    pub fn own(&self, other: &Chain) -> usize {
        let from_root = |chain: &Chain, k: usize| {
            let index = chain.links.len().checked_sub(k + 1)?;
            Some(chain.links[index].step)
        };
        let shared = (0..self.links.len())
            .take_while(|&k| from_root(self, k) == from_root(other, k))
            .count();
        self.links.len() - shared
    }
}

impl Moving {
    /// Moves the body to the state in the middle of an interval.
    pub fn update(&mut self, state: &State, chain: &Chain, body: &EdgeBody) {
        self.pose = match body.link {
            Some(link) => state.links[link] * body.pose,
            None => body.pose,
        };
        let Bound::Sphere { centre, radius } = &body.bound else {
            return;
        };
        self.centre = (self.pose * centre).coords;
        self.radius = *radius;
        // Far from its own frame a body is at a difference of larger numbers.
        let own = self.pose.translation.vector.norm() + centre.coords.norm();
        self.size = self.centre.norm() + radius + own;
        self.motions.clear();
        let (mut turned, mut speed, mut bent) = (0.0, 0.0, 0.0);
        for lever in &chain.links {
            let at = &state.steps[lever.step];
            let step = &at.step;
            let (s, longest) = if step.turns {
                let distance = at.axis.cross(&(self.centre - at.origin)).norm() + radius;
                let longest = (distance + state.half * speed).min(lever.longest);
                (step.speed, longest)
            } else {
                (0.0, 1.0)
            };
            let u = step.speed * longest;
            turned += s;
            speed += u * ROUNDED_UP;
            bent += u * (s - 2.0 * turned) + step.bend * longest;
            // The rounding of `bent` is relative to this product, which may be far greater than the sum.
            let acceleration = bent + 2.0 * turned * speed * ROUNDED_UP;
            self.motions.push(Motion {
                speed,
                acceleration,
            });
        }
    }

    /// Returns the motion due to the first steps of the chain.
    pub fn motion(&self, steps: usize) -> Motion {
        match steps {
            0 => Motion::default(),
            _ => self.motions[steps - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robot::edge::body::OwnBox;
    use crate::robot::{JointPosition, Robot};
    use nalgebra::Point3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A chain of every type of joint, one of them mimicking.
    const CHAIN: &str = r#"<robot name="chain"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
      <link name="e"/><link name="f"/><link name="g"/>
      <joint name="ab" type="revolute"><origin xyz="0.3 0.1 0.2" rpy="0.2 0.5 -0.3"/><parent link="a"/><child link="b"/>
        <axis xyz="0.2 1 0.3"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="bc" type="prismatic"><origin xyz="0.2 0 0.1" rpy="0.1 0.2 0.3"/><parent link="b"/><child link="c"/>
        <axis xyz="1 0.5 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
      <joint name="cd" type="continuous"><origin xyz="0 0.4 0" rpy="1 0 0"/><parent link="c"/><child link="d"/>
        <axis xyz="0 0.3 1"/><mimic joint="ab" multiplier="-1.5" offset="0.3"/></joint>
      <joint name="de" type="planar"><origin xyz="0.1 0 0" rpy="0 0.7 0"/><parent link="d"/><child link="e"/><axis xyz="0.1 0.2 1"/></joint>
      <joint name="ef" type="floating"><origin xyz="0 0 0.3"/><parent link="e"/><child link="f"/></joint>
      <joint name="fg" type="continuous"><origin xyz="0.3 0 0" rpy="0 0 1"/><parent link="f"/><child link="g"/><axis xyz="0 1 0"/></joint>
      </robot>"#;

    fn ends(robot: &Robot, rng: &mut ChaCha8Rng) -> [crate::robot::Configuration; 2] {
        [0, 1].map(|_| {
            let mut number = |most: f64| rng.random_range(-most..most);
            let mut configuration = robot.neutral();
            let floating = Isometry3::new(
                Vector3::new(number(0.5), number(0.5), number(0.5)),
                Vector3::new(number(1.5), number(1.5), number(1.5)),
            );
            let positions = [
                ("ab", JointPosition::Scalar(number(2.0))),
                ("bc", JointPosition::Scalar(number(1.0))),
                (
                    "de",
                    JointPosition::Planar([number(0.5), number(0.5), number(3.0)]),
                ),
                ("ef", JointPosition::Floating(floating)),
                ("fg", JointPosition::Scalar(number(4.0))),
            ];
            for (joint, position) in positions {
                configuration
                    .set(joint, position)
                    .expect("within the limits");
            }
            configuration
        })
    }

    /// Speeds and accelerations by differences, relative to every link above, stay within the bounds, and the bounds are
    /// not far above the largest of them.
    #[test]
    fn points_move_and_bend_no_more_than_bounded() {
        const STEP: f64 = 1e-4;
        let robot = Robot::from_urdf_str(CHAIN).expect("a robot");
        let rng = &mut ChaCha8Rng::seed_from_u64(29);
        let mut tightest = [0.0_f64; 2];
        for round in 0..60 {
            let [from, to] = ends(&robot, rng);
            let line = Line::new(&robot, Isometry3::identity(), [&from, &to]).expect("it fits");
            let radius = 0.2;
            let body = EdgeBody {
                link: Some(6),
                pose: Isometry3::translation(0.1, 0.2, -0.1),
                bound: Bound::Sphere {
                    centre: Point3::new(0.05, 0.0, 0.0),
                    radius,
                },
                own_box: OwnBox::ALL,
            };
            let mut chain = Chain::default();
            chain.set(&line, &body);
            assert_eq!(chain.links.len(), 8);
            let half = [0.02, 0.1, 0.3][round % 3];
            let middle = rng.random_range(half..1.0 - half);
            let mut moving = Moving::default();
            let mut state = State::default();
            line.at(middle, half, &mut state).expect("finite");
            moving.update(&state, &chain, &body);
            let pose_at = |t: f64| {
                let mut state = State::default();
                line.at(t, 0.0, &mut state).expect("finite");
                state.links
            };
            for (link, steps) in [(0, 8), (1, 7), (2, 6), (3, 5), (4, 3), (5, 1)] {
                let Motion {
                    speed,
                    acceleration,
                } = moving.motion(steps);
                for _ in 0..20 {
                    let t = middle + rng.random_range(-half..half);
                    let direction =
                        Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)).normalize();
                    let point = Point3::new(0.05, 0.0, 0.0) + direction * radius;
                    let at = |t: f64| {
                        let links = pose_at(t);
                        (links[link].inverse() * links[6] * body.pose * point).coords
                    };
                    let [before, now, after] = [t - STEP, t, t + STEP].map(at);
                    let moved = ((after - before) / (2.0 * STEP)).norm();
                    let bent = ((after - now * 2.0 + before) / (STEP * STEP)).norm();
                    assert!(moved <= speed * (1.0 + 1e-6), "{link}: {moved} {speed}");
                    assert!(
                        bent <= acceleration * (1.0 + 1e-4) + 1e-4,
                        "{link}: {bent} {acceleration}"
                    );
                    if half < 0.05 {
                        tightest[0] = tightest[0].max(moved / speed);
                        tightest[1] = tightest[1].max(bent / acceleration.max(1e-9));
                    }
                }
            }
        }
        assert!(tightest[0] > 0.8 && tightest[1] > 0.5, "{tightest:?}");
    }
}

//! Where the hands are when.

use super::Hands;
use super::hands::ask;
use super::moment::Moment;
use anyhow::{Context, Result, bail, ensure};
use superovoid::{Outcome, QueryOptions};

/// A planned motion.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The approach at which the hands touch, metres.
    pub contact: f64,
    /// The links that touch there.
    pub touching: [String; 2],
    /// Advances that the plan took to get there.
    pub advances: usize,
    /// When they touch, seconds.
    pub contact_time: f64,
    /// Evenly spaced within the approach and within the rotation, contact among them.
    pub moments: Vec<Moment>,
}

/// Where the approach begins, metres.
const START: f64 = -0.1;
/// Metres a second.
const APPROACH_SPEED: f64 = 0.05;
/// Radians a second.
const TURNING_SPEED: f64 = 0.5;

impl Motion {
    /// Plans the motion for this version of the hands, with so many moments a second.
    ///
    /// The approach is found by conservative advancement: every point of the right hand moves as far as the
    /// joint does, so that a step as long as the clearance that was proven cannot collide, at no time
    /// between its ends. The steps end at contact.
    ///
    /// # Errors
    /// Hands that overlap at the beginning or do not meet within the joint's range; a rate that is not
    /// positive.
    pub fn plan(hands: &Hands, rate: f64) -> Result<Motion> {
        ensure!(
            rate > 0.0 && rate <= 1e4,
            "rate = {rate}: expected more than 0 and at most 10,000 moments a second"
        );
        let (contact, touching, advances) = approach(hands)?;
        let inward = hands.robot.joint_index("right_hand_inward");
        let range = inward.and_then(|joint| hands.robot.joints()[joint].range());
        let [_, turn] = range.context("right_hand_inward: expected a joint with limits")?;

        let contact_time = (contact - START) / APPROACH_SPEED;
        let mut moments = evenly(contact_time, rate, |share| Moment {
            time: share * contact_time,
            approach: START + share * (contact - START),
            inward: 0.0,
        });
        let turning_time = turn / TURNING_SPEED;
        let turning = evenly(turning_time, rate, |share| Moment {
            time: contact_time + share * turning_time,
            approach: contact,
            inward: share * turn,
        });
        // Both phases hold the moment of contact.
        moments.extend(&turning[1..]);
        Ok(Motion {
            contact,
            touching,
            advances,
            contact_time,
            moments,
        })
    }

    /// Returns the motion as a CSV text: a column for each joint of [`Moment::positions`], a row for each moment.
    pub fn trajectory(&self) -> String {
        let row = |words: [String; 4]| words.join(",") + "\n";
        let header = row(Moment::default()
            .positions()
            .map(|(joint, _)| joint.to_owned()));
        let rows = self.moments.iter().map(|moment| {
            let positions = moment.positions();
            row(positions.map(|(_, position)| position.to_string()))
        });
        std::iter::once(header).chain(rows).collect()
    }
}

/// Both ends of a phase and what lies between them.
fn evenly(duration: f64, rate: f64, moment: impl Fn(f64) -> Moment) -> Vec<Moment> {
    let steps = (duration * rate).ceil().max(1.0) as usize;
    (0..=steps)
        .map(|k| moment(k as f64 / steps as f64))
        .collect()
}

/// The approach at which the hands touch, the links that do, and the number of advances.
fn approach(hands: &Hands) -> Result<(f64, [String; 2], usize)> {
    /// A clearance that counts as contact, metres.
    const TOUCHING: f64 = 1e-8;
    const MOST: usize = 1000;
    let mut position = START;
    for advances in 0..MOST {
        let moment = Moment {
            approach: position,
            ..Moment::default()
        };
        let (clearance, [a, b]) = proven_clearance(hands, &moment)?;
        // Rounding may leave a little less than nothing.
        ensure!(
            clearance >= -TOUCHING,
            "{}: the hands overlap at an approach of {position} m",
            hands.name
        );
        if clearance <= TOUCHING {
            let links = [a, b].map(|body| hands.link(body).to_owned());
            return Ok((position, links, advances));
        }
        position += clearance;
    }
    bail!("{}: the hands do not meet", hands.name)
}

/// A lower bound of the distance of the hands, and the bodies that are closest.
fn proven_clearance(hands: &Hands, moment: &Moment) -> Result<(f64, [usize; 2])> {
    let bodies = hands.at(moment)?;
    let mut least = (f64::INFINITY, [0; 2]);
    for &[a, b] in &hands.pairs {
        let options = QueryOptions::default().with_max_distance(least.0);
        let found = ask([&bodies[a], &bodies[b]], &options, None)?;
        if found.outcome != Outcome::Beyond && found.lower < least.0 {
            least = (found.lower, [a, b]);
        }
    }
    Ok(least)
}

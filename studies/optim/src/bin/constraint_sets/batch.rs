//! The pairs and their reference answers.

use anyhow::Result;
use superovoid::{Contact, DepthMode, Outcome, QueryOptions, contact};
use superovoid_optim::constrained::Sense;
use superovoid_optim::random_pairs::{Pair, RandomPairs};

/// The three questions put to every constraint set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Apart,
    Overlapping,
    OverlappingTurned,
}

impl Case {
    pub const ALL: [Case; 3] = [Case::Apart, Case::Overlapping, Case::OverlappingTurned];

    pub fn sense(self) -> Sense {
        match self {
            Case::Apart | Case::Overlapping => Sense::Apart,
            Case::OverlappingTurned => Sense::Overlapping,
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Case::Apart => "Apart: the distance",
            Case::Overlapping => "Overlapping: the penetration, constraints as printed",
            Case::OverlappingTurned => {
                "Overlapping: the penetration, sign of the d constraints turned"
            }
        }
    }
}

pub struct Batch {
    apart: Vec<(Pair, Contact)>,
    overlapping: Vec<(Pair, Contact)>,
}

impl Batch {
    /// `count` pairs apart and `count` overlapping, in the order in which they are drawn.
    pub fn draw(seed: u64, count: usize) -> Result<Self> {
        let mut draw = RandomPairs::new(seed);
        let mut batch = Batch {
            apart: Vec::with_capacity(count),
            overlapping: Vec::with_capacity(count),
        };
        let options = QueryOptions::default().with_depth(DepthMode::Certified);
        while batch.apart.len() < count || batch.overlapping.len() < count {
            let pair = draw.superovoids();
            let reference = contact(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options, None)?;
            let list = if reference.distance > 0.0 {
                &mut batch.apart
            } else {
                &mut batch.overlapping
            };
            if list.len() < count {
                list.push((pair, reference));
            }
        }
        Ok(batch)
    }

    pub fn pairs(&self, case: Case) -> &[(Pair, Contact)] {
        match case {
            Case::Apart => &self.apart,
            Case::Overlapping | Case::OverlappingTurned => &self.overlapping,
        }
    }

    /// Reference answers whose bracket stayed open.
    pub fn uncertified(&self) -> usize {
        let all = self.apart.iter().chain(&self.overlapping);
        all.filter(|(_, reference)| reference.outcome != Outcome::Certified)
            .count()
    }
}

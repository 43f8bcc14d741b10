//! The distance of two unions at a pose.
//!
//! The signed distance of a pair of convex bodies changes by no more than the pair moves, and so does the least one: the
//! curve over a path has no jumps. Pairs are asked in the order of lower bounds by boxes along the bodies' axes. A pair
//! whose bound exceeds the upper end of the best answer is farther apart than that one, and all after it are too; a pair
//! that is asked may end early where it is proven to be farther apart. So
//!
//! ```text
//! lower = min over the pairs of their lower ends ≤ distance ≤ upper = min over the pairs of their upper ends.
//! ```
//!
//! Where the teeth overlap, all pairs whose boxes meet are asked: those that overlap are the contacts, and the deepest of
//! them is the distance, negative. It is the depth of that pair, not that of the union: [`Lift`] says what frees the teeth.

use crate::lift::last_contact;
use crate::tooth::is_pose;
use crate::{BiteError, Lift, Path, Tooth};
use nalgebra::Isometry3;
use superovoid::{Contact, DepthMode, Obb, Outcome, PairCache, QueryOptions, contact};

/// What a frame is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameOptions {
    /// How the depth of a pair is found; certified by default, so that its bracket closes.
    pub depth: DepthMode,
    /// Whether every pair starts from its last answer; true by default.
    pub warm: bool,
    /// Whether the lift of teeth that overlap is computed; true by default.
    pub lift: bool,
}

impl Default for FrameOptions {
    fn default() -> Self {
        FrameOptions {
            depth: DepthMode::Certified,
            warm: true,
            lift: true,
        }
    }
}

/// A pair of bodies that overlap or touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// The bodies of the lower and the upper tooth, from 0.
    pub pair: [usize; 2],
    /// Their contact, in the frame of the lower tooth; the normal points to the upper body.
    pub contact: Contact,
}

/// What the bracket of a frame proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The teeth do not touch.
    Apart,
    /// They overlap or touch.
    Overlap,
    /// The bracket contains 0.
    Undecided,
}

/// The answer at a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The least signed distance of the pairs, metres: apart that of the unions, negative the depth of the deepest pair.
    pub distance: f64,
    /// It is at least this.
    pub lower: f64,
    /// It is at most this.
    pub upper: f64,
    /// The pair of that distance.
    pub nearest: PairContact,
    /// The pairs that overlap or are not proven to be apart, deepest first.
    pub contacts: Vec<PairContact>,
    /// The least upward move after which the teeth are free, where they are not proven to be apart.
    pub lift: Option<Lift>,
    /// How many pairs were asked; the others are proven to be farther apart.
    pub asked: usize,
    /// Whether the bracket of the answer is closed.
    pub certified: bool,
}

impl Frame {
    /// Returns what the bracket proves.
    pub fn status(&self) -> Status {
        if self.lower > 0.0 {
            Status::Apart
        } else if self.upper <= 0.0 {
            Status::Overlap
        } else {
            Status::Undecided
        }
    }
}

/// Two teeth, with what their pairs remember from frame to frame.
pub struct Bite<'a> {
    lower: &'a Tooth,
    upper: &'a Tooth,
    boxes: Vec<Obb>,
    caches: Vec<PairCache>,
}

impl<'a> Bite<'a> {
    /// Makes a bite of two teeth.
    pub fn new(lower: &'a Tooth, upper: &'a Tooth) -> Self {
        let boxes = lower
            .bodies()
            .iter()
            .map(|b| b.shape.obb(&b.pose))
            .collect();
        let pairs = lower.bodies().len() * upper.bodies().len();
        Bite {
            lower,
            upper,
            boxes,
            caches: vec![PairCache::default(); pairs],
        }
    }

    /// Returns the lower tooth.
    pub fn lower(&self) -> &'a Tooth {
        self.lower
    }

    /// Returns the upper tooth.
    pub fn upper(&self) -> &'a Tooth {
        self.upper
    }

    /// Makes sure that a path starts where the teeth are apart.
    ///
    /// # Errors
    /// Teeth that overlap or touch at the first frame: the error names the deepest pair.
    pub fn check_start(&mut self, path: &Path) -> Result<(), BiteError> {
        let frame = self.frame(&path.poses()[0], &FrameOptions::default())?;
        match frame.status() {
            Status::Apart => Ok(()),
            Status::Overlap if frame.distance < 0.0 => Err(BiteError::StartInOverlap {
                pair: frame.nearest.pair,
                depth: -frame.distance,
            }),
            _ => Err(BiteError::StartInTouch),
        }
    }

    /// Returns the answer for the upper tooth at a pose.
    ///
    /// # Errors
    /// A pose that is not finite or whose quaternion is not of unit length, or a distance that exceeds the number range.
    pub fn frame(
        &mut self,
        pose: &Isometry3<f64>,
        options: &FrameOptions,
    ) -> Result<Frame, BiteError> {
        if !is_pose(pose) {
            let name = "frame".to_owned();
            return Err(BiteError::Pose { name });
        }
        let mut search = Search::new();
        for (bound, pair) in self.pairs_by_bound(pose) {
            if bound > search.upper.max(0.0) {
                break;
            }
            let contact = self.ask(pair, pose, search.upper.max(0.0), options)?;
            search.add(PairContact { pair, contact });
        }
        // The nearest boxes are always asked.
        let Some(nearest) = search.nearest else {
            return Err(BiteError::NoBodies);
        };
        let mut contacts = search.contacts;
        contacts.sort_by(|p, q| p.contact.distance.total_cmp(&q.contact.distance));
        let lift = if options.lift && search.lower <= 0.0 {
            last_contact(self.lower, self.upper, pose, 0.0)?
        } else {
            None
        };
        Ok(Frame {
            distance: nearest.contact.distance,
            lower: search.lower,
            upper: search.upper,
            nearest,
            contacts,
            lift,
            asked: search.asked,
            certified: search.open_lower > search.upper,
        })
    }

    /// The pairs with lower bounds of their distances, least first.
    fn pairs_by_bound(&self, pose: &Isometry3<f64>) -> Vec<(f64, [usize; 2])> {
        let of_upper = self.upper.bodies().iter();
        let of_upper: Vec<Obb> = of_upper.map(|b| b.shape.obb(&(pose * b.pose))).collect();
        let mut pairs = Vec::with_capacity(self.caches.len());
        for (i, a) in self.boxes.iter().enumerate() {
            pairs.extend((of_upper.iter().enumerate()).map(|(j, b)| (a.distance_bound(b), [i, j])));
        }
        pairs.sort_by(|p, q| p.0.total_cmp(&q.0));
        pairs
    }

    fn ask(
        &mut self,
        [i, j]: [usize; 2],
        pose: &Isometry3<f64>,
        max_distance: f64,
        options: &FrameOptions,
    ) -> Result<Contact, BiteError> {
        let (a, b) = (&self.lower.bodies()[i], &self.upper.bodies()[j]);
        let query = QueryOptions::default()
            .with_max_distance(max_distance)
            .with_depth(options.depth);
        let cache = &mut self.caches[i * self.upper.bodies().len() + j];
        let cache = options.warm.then_some(cache);
        let found = contact(&a.shape, &a.pose, &b.shape, &(pose * b.pose), &query, cache)?;
        Ok(found)
    }
}

/// The best of the pairs so far.
struct Search {
    lower: f64,
    upper: f64,
    nearest: Option<PairContact>,
    contacts: Vec<PairContact>,
    asked: usize,
    /// The least lower end of brackets that are not closed. If it exceeds `upper`, the bracket of the unions is closed:
    /// its lower end is that of a closed bracket whose upper end is not below `upper`.
    open_lower: f64,
}

impl Search {
    fn new() -> Self {
        Search {
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            nearest: None,
            contacts: Vec::new(),
            asked: 0,
            open_lower: f64::INFINITY,
        }
    }

    fn add(&mut self, found: PairContact) {
        let contact = &found.contact;
        self.asked += 1;
        self.lower = self.lower.min(contact.lower);
        if contact.lower <= 0.0 {
            self.contacts.push(found);
        }
        if contact.outcome == Outcome::Beyond {
            return;
        }
        if contact.outcome != Outcome::Certified {
            self.open_lower = self.open_lower.min(contact.lower);
        }
        self.upper = self.upper.min(contact.upper);
        let least = self.nearest.map_or(f64::INFINITY, |n| n.contact.distance);
        if contact.distance < least {
            self.nearest = Some(found);
        }
    }
}

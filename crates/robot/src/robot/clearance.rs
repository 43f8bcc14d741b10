//! Clearances: the signed distances between the links of a posed robot. The pairs that the broad phase (see `bodies`)
//! leaves are solved by the pair query.
use super::adjacency::Adjacency;
use super::bodies::{Candidate, Placed};
use super::error::ClearanceError;
use super::kinematics::Configuration;
use super::robot::Robot;
use crate::broad_phase;
use std::cmp::Ordering;
use superovoid::internals::validate_options;
use superovoid::{CollisionStatus, Contact, DepthMode, QueryOptions};

/// The options of a clearance query. By default it includes every pair that is not adjacent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClearanceOptions {
    /// The distance (metres) beyond which pairs are counted but not returned; most of them are not solved either. The
    /// default is infinity.
    pub max_distance: f64,
    /// Whether pairs of links that are joined by one joint or rigidly fixed together are included as well.
    pub include_adjacent: bool,
    /// Whether the answers may leave out the collision shapes of [`Robot::unchecked`]. By default a query on a
    /// robot that has one ends with [`ClearanceError::Unchecked`], so that nothing unchecked passes for free.
    pub allow_unchecked: bool,
    /// The options of every pair query; the field `max_distance` in them is replaced by the one above.
    pub query: QueryOptions,
}

impl ClearanceOptions {
    superovoid::setters! {
        with_max_distance max_distance: f64,
        with_include_adjacent include_adjacent: bool,
        with_allow_unchecked allow_unchecked: bool,
        with_query query: QueryOptions,
    }
}

impl Default for ClearanceOptions {
    fn default() -> Self {
        ClearanceOptions {
            max_distance: f64::INFINITY,
            include_adjacent: false,
            allow_unchecked: false,
            query: QueryOptions::default(),
        }
    }
}

/// The contact of two collision shapes on different links.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clearance {
    /// The index of the link of body A; it is less than `link_b`.
    pub link_a: usize,
    /// The index of body A among the collisions of its link.
    pub collision_a: usize,
    /// The index of the link of body B.
    pub link_b: usize,
    /// The index of body B among the collisions of its link.
    pub collision_b: usize,
    /// The contact, with points and normal in the frame of the root link.
    pub contact: Contact,
}

impl Clearance {
    #[doc(hidden)]
    pub fn new(
        link_a: usize,
        collision_a: usize,
        link_b: usize,
        collision_b: usize,
        contact: Contact,
    ) -> Self {
        Clearance {
            link_a,
            collision_a,
            link_b,
            collision_b,
            contact,
        }
    }

    /// Returns what the bracket proves.
    pub fn status(&self) -> CollisionStatus {
        self.contact.status()
    }

    /// Orders clearances by distance, and equal ones by their links and collisions.
    fn order(&self, other: &Self) -> Ordering {
        let key = |c: &Clearance| (c.link_a, c.link_b, c.collision_a, c.collision_b);
        let by_distance = self.contact.distance.total_cmp(&other.contact.distance);
        by_distance.then_with(|| key(self).cmp(&key(other)))
    }
}

/// The clearances of a robot, and the number of pairs among which they were found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clearances {
    /// The pairs that are not proven to be farther apart than the maximum distance, closest (or deepest) first.
    pub pairs: Vec<Clearance>,
    /// The number of pairs of bodies on different links, without adjacent ones unless these are included.
    pub considered: usize,
    /// The number of these that are proven to be farther apart than the maximum distance by their bounding volumes
    /// alone.
    pub culled: usize,
    /// The number of these that were solved: `considered − culled`.
    pub solved: usize,
    /// The number of collision shapes that were not checked; not 0 only for [`ClearanceOptions::allow_unchecked`] answers.
    pub unchecked: usize,
}

impl Clearances {
    /// Whether the robot is proven to be free: every pair is, and no collision shape was left unchecked.
    pub fn is_free(&self) -> bool {
        let free = |pair: &Clearance| pair.status() == CollisionStatus::Free;
        self.unchecked == 0 && self.pairs.iter().all(free)
    }
}

impl Robot {
    /// Returns the signed distances between the collision shapes of different links, closest first, in the frame of the
    /// root link.
    ///
    /// Adjacent links ([`Robot::are_adjacent`]) are left out by default.
    ///
    /// # Errors
    /// The error names the collision shapes that are not checked, unless the option `allow_unchecked` is set; a configuration
    /// that does not fit the robot; a `max_distance` that is negative or NaN; or a query option out of its domain.
    pub fn clearances(
        &self,
        configuration: &Configuration,
        options: &ClearanceOptions,
    ) -> Result<Clearances, ClearanceError> {
        let placed = self.placed(configuration, options)?;
        self.refuse_unchecked(options.allow_unchecked)?;
        let (max_distance, include_adjacent) = (options.max_distance, options.include_adjacent);
        let mut solved = 0;
        let mut pairs = Vec::new();
        for pair in self
            .bodies
            .candidates(&placed, max_distance, include_adjacent)
        {
            solved += 1;
            pairs.extend(self.solve(&pair, max_distance, options)?);
        }
        pairs.sort_by(Clearance::order);
        let considered = self.bodies.pair_count(include_adjacent);
        Ok(Clearances {
            pairs,
            considered,
            culled: considered - solved,
            solved,
            unchecked: self.bodies.unchecked().len(),
        })
    }

    /// Returns the first of [`Robot::clearances`], faster: pairs that are proven to be farther apart than another one
    /// are not solved to the end. The result is `None` if no pair is within `max_distance`.
    ///
    /// The contact, with its bracket, is that of this one pair.
    ///
    /// # Errors
    /// The errors are those of [`Robot::clearances`].
    pub fn closest(
        &self,
        configuration: &Configuration,
        options: &ClearanceOptions,
    ) -> Result<Option<Clearance>, ClearanceError> {
        let placed = self.placed(configuration, options)?;
        self.refuse_unchecked(options.allow_unchecked)?;
        let max_distance = options.max_distance;
        let candidates = self
            .bodies
            .candidates(&placed, max_distance, options.include_adjacent);
        let mut candidates: Vec<Candidate> = candidates.collect();
        candidates.sort_by(|x, y| x.apart.total_cmp(&y.apart));
        broad_phase::closest(
            &candidates,
            max_distance,
            |pair| pair.apart,
            Clearance::order,
            |pair, limit| {
                if pair.farther_than(limit) {
                    return Ok(None);
                }
                let found = self.solve(pair, limit, options)?;
                Ok(found.map(|found| (found.contact.distance, found)))
            },
        )
    }

    /// Whether any two bodies of different links touch or overlap; adjacent links are left out by default. The answer
    /// `false` is proven for every pair; a pair that is [`CollisionStatus::Undecided`] counts as a collision. The query
    /// ends at the first pair that is not free.
    ///
    /// The option `max_distance` is ignored.
    ///
    /// # Errors
    /// The errors are those of [`Robot::clearances`]. Where some collision shapes are not checked, a collision of the
    /// others is still the answer `true`.
    pub fn in_collision(
        &self,
        configuration: &Configuration,
        options: &ClearanceOptions,
    ) -> Result<bool, ClearanceError> {
        let placed = self.placed(configuration, options)?;
        // A distance is solved only until it is proven to be positive, or not to be.
        let touching = 0.0;
        let query = options.query.with_depth(DepthMode::Any);
        let options = &ClearanceOptions { query, ..*options };
        for pair in self
            .bodies
            .candidates(&placed, touching, options.include_adjacent)
        {
            if self.solve(&pair, touching, options)?.is_some() {
                return Ok(true);
            }
        }
        self.refuse_unchecked(options.allow_unchecked)?;
        Ok(false)
    }

    /// Returns which links are adjacent.
    pub(crate) fn adjacency(&self) -> &Adjacency {
        self.bodies.adjacency()
    }

    /// Returns parent and child link of a joint.
    pub(crate) fn ends_of(&self, joint: usize) -> [usize; 2] {
        self.tree.ends[joint]
    }

    /// Returns the posed bodies, after the configuration and the options were validated.
    fn placed(
        &self,
        configuration: &Configuration,
        options: &ClearanceOptions,
    ) -> Result<Vec<Placed<'_>>, ClearanceError> {
        let max_distance = options.max_distance;
        if max_distance.is_nan() || max_distance < 0.0 {
            return Err(ClearanceError::MaxDistance {
                value: max_distance,
            });
        }
        validate_options(&options.query).map_err(ClearanceError::Options)?;
        let links = self.forward_kinematics(configuration)?;
        Ok(self.bodies.placed(&links))
    }

    /// Returns the clearance of a pair, unless it is proven to be farther apart than `max_distance`.
    fn solve(
        &self,
        &Candidate { a, b, .. }: &Candidate,
        max_distance: f64,
        options: &ClearanceOptions,
    ) -> Result<Option<Clearance>, ClearanceError> {
        let query = options.query.with_max_distance(max_distance);
        let found = a
            .body
            .shape
            .contact(&a.pose, &b.body.shape, &b.pose, &query);
        let found = found.map_err(|error| ClearanceError::Query {
            link_a: self.links[a.body.link].name.clone(),
            link_b: self.links[b.body.link].name.clone(),
            error,
        })?;
        let near = found.map(|found| found.contact);
        let near = near.filter(|contact| !contact.is_beyond(max_distance));
        Ok(near.map(|contact| Clearance {
            link_a: a.body.link,
            collision_a: a.body.collision,
            link_b: b.body.link,
            collision_b: b.body.collision,
            contact,
        }))
    }
}

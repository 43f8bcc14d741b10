//! A moving superovoid or other convex body and a moving triangle mesh, set of boxes or height field.
//!
//! The first contact with the union is the first of the first contacts with its parts. The motion is cut into equal
//! intervals; in the tree's frame a box around the body at the middle of each, grown by half of what its fastest point
//! moves in that frame, contains the body during the interval. A part that meets none of these boxes is never touched,
//! and one that meets a later box first is searched from there on. No part is searched beyond the earliest contact known.

use super::answer::{PartsTimeOfImpact, TimeOfImpact};
use super::convex::convex_first_contact;
use super::entry::limits;
use super::moving_pair::MovingBody;
use super::polytope::polytope_first_contact;
use super::rigid_motion::Motion;
use super::search::Limits;
use super::time_of_impact_options::TimeOfImpactOptions;
use crate::bvh::{PartContact, PolytopeTree, convex_tree_contact, tree_contact};
use crate::convex::ConvexShape;
use crate::query::error::QueryError;
use crate::surface::bounds::Aabb;
use crate::{Contact, QueryOptions, Superovoid};
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::partitioning::{BvhNode, TraversalAction};

/// Returns when `shape`, which moves as `motion`, and a mesh, set of boxes or height field, which moves as `tree_motion`,
/// touch first in t ∈ [0, 1], or proves that they do not. The contact's body A is the superovoid. A body that begins inside
/// a mesh that [is solid](crate::bvh::TriMesh::is_solid) overlaps it from the start.
///
/// The clearance of a free motion is `min_separation`.
///
/// # Errors
/// The errors are those of [`time_of_impact`](super::time_of_impact).
///
/// ```
/// use nalgebra::{Isometry3, Point3, Vector3};
/// use superovoid::Superovoid;
/// use superovoid::bvh::TriMesh;
/// use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, tree_time_of_impact};
///
/// let corner = |x: f64, y: f64| Point3::new(x, y, 0.0);
/// let floor = TriMesh::new(
///     vec![corner(-9.0, -9.0), corner(9.0, -9.0), corner(9.0, 9.0), corner(-9.0, 9.0)],
///     vec![[0, 1, 2], [0, 2, 3]],
/// )?;
/// let ball = Superovoid::sphere(0.5)?;
/// let falling = Motion::screw(Isometry3::translation(1.0, -2.0, 3.0), -4.0 * Vector3::z(), Vector3::x())?;
/// let still = Motion::still(Isometry3::identity())?;
/// let found = tree_time_of_impact(&ball, &falling, &floor, &still, &TimeOfImpactOptions::default())?;
/// assert_eq!(found.parts, [0, 0]);
/// assert!(matches!(found.found, TimeOfImpact::Hit { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tree_time_of_impact(
    shape: &Superovoid,
    motion: &Motion,
    tree: &impl PolytopeTree,
    tree_motion: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<PartsTimeOfImpact, QueryError> {
    let limits = limits(options, shape.size())?;
    let contact = |pose: &_, tree_pose: &_| {
        tree_contact(shape, pose, tree, tree_pose, &QueryOptions::default())
    };
    let origin = Point3::origin();
    if let Some(inside) = inside_at_start(&origin, motion, tree, tree_motion, contact)? {
        return Ok(inside);
    }
    let swept = Swept::new(&shape.into(), motion, tree_motion, &limits);
    first_part(&swept, tree, limits.min_separation, |part, between| {
        let part = tree.part(part);
        polytope_first_contact(shape, motion, &part, tree_motion, between, &limits)
    })
}

/// Returns when a convex body and a mesh, set of boxes or height field touch first, as [`tree_time_of_impact`] does for
/// superovoids.
///
/// # Errors
/// The errors are those of [`time_of_impact`](super::time_of_impact).
pub fn convex_tree_time_of_impact(
    shape: &ConvexShape,
    motion: &Motion,
    tree: &impl PolytopeTree,
    tree_motion: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<PartsTimeOfImpact, QueryError> {
    let limits = limits(options, shape.size())?;
    let contact = |pose: &_, tree_pose: &_| {
        convex_tree_contact(shape, pose, tree, tree_pose, &QueryOptions::default())
    };
    let center = shape.inner_ball().center;
    if let Some(inside) = inside_at_start(&center, motion, tree, tree_motion, contact)? {
        return Ok(inside);
    }
    let swept = Swept::new(&shape.into(), motion, tree_motion, &limits);
    first_part(&swept, tree, limits.min_separation, |part, between| {
        let part = tree.convex_part(part);
        convex_first_contact(shape, motion, &part, tree_motion, between, &limits)
    })
}

/// Returns the first contact with the parts of a tree; `first_contact` takes a part and two instants.
fn first_part(
    swept: &Swept,
    tree: &impl PolytopeTree,
    clearance: f64,
    first_contact: impl Fn(u32, [f64; 2]) -> Result<TimeOfImpact, QueryError>,
) -> Result<PartsTimeOfImpact, QueryError> {
    let mut first = First {
        end: 1.0,
        touching: None,
        stopped: None,
        overlapping: None,
    };
    let mut error = None;
    tree.bvh().traverse(|node| {
        let Some(from) = swept.first_instant_near(node) else {
            return TraversalAction::Prune;
        };
        let Some(part) = node.leaf_data() else {
            return TraversalAction::Continue;
        };
        if from >= first.end {
            return TraversalAction::Continue;
        }
        match first_contact(part, [from, first.end]) {
            Ok(found) => first.add(part, &found),
            Err(e) => error = Some(e),
        }
        if error.is_some() || first.overlapping.is_some() {
            TraversalAction::EarlyExit
        } else {
            TraversalAction::Continue
        }
    });
    match error {
        Some(error) => Err(error),
        None => Ok(first.answer(clearance)),
    }
}

/// Returns the answer of a body of which a point, in its own frame, begins inside a solid; `contact` is that with the tree
/// at rest.
fn inside_at_start(
    point: &Point3<f64>,
    motion: &Motion,
    tree: &impl PolytopeTree,
    tree_motion: &Motion,
    contact: impl Fn(&Isometry3<f64>, &Isometry3<f64>) -> Result<Option<PartContact>, QueryError>,
) -> Result<Option<PartsTimeOfImpact>, QueryError> {
    let (pose, tree_pose) = (motion.pose(0.0), tree_motion.pose(0.0));
    if !tree.encloses(&(tree_pose.inv_mul(&pose) * point)) {
        return Ok(None);
    }
    let found = contact(&pose, &tree_pose)?;
    Ok(
        found.map(|PartContact { part, contact }| PartsTimeOfImpact {
            parts: [0, part],
            found: TimeOfImpact::Overlapping { contact },
        }),
    )
}

/// The earliest contact of the parts that were searched.
struct First {
    /// The instant beyond which no part is searched.
    end: f64,
    /// The earliest instant at which a part is known to be touched.
    touching: Option<f64>,
    /// The earliest instant at which the search of a part stopped, with that part and its contact.
    stopped: Option<(f64, u32, Contact)>,
    /// A part that is overlapped at the start.
    overlapping: Option<(u32, Contact)>,
}

impl First {
    fn add(&mut self, part: u32, found: &TimeOfImpact) {
        match *found {
            TimeOfImpact::Free { .. } => {}
            TimeOfImpact::Overlapping { contact } => self.overlapping = Some((part, contact)),
            TimeOfImpact::Undecided { safe, contact } => self.stop(safe, part, contact),
            TimeOfImpact::Hit {
                safe,
                touching,
                contact,
            } => {
                self.stop(safe, part, contact);
                self.touching = Some(touching);
                self.end = touching;
            }
        }
    }

    fn stop(&mut self, safe: f64, part: u32, contact: Contact) {
        if self.stopped.is_none_or(|(earliest, ..)| safe < earliest) {
            self.stopped = Some((safe, part, contact));
        }
    }

    fn answer(&self, clearance: f64) -> PartsTimeOfImpact {
        if let Some((part, contact)) = self.overlapping {
            return PartsTimeOfImpact {
                parts: [0, part],
                found: TimeOfImpact::Overlapping { contact },
            };
        }
        let Some((safe, part, contact)) = self.stopped else {
            return PartsTimeOfImpact {
                parts: [0, 0],
                found: TimeOfImpact::Free { clearance },
            };
        };
        let found = match self.touching {
            Some(touching) => TimeOfImpact::Hit {
                safe,
                touching,
                contact,
            },
            None => TimeOfImpact::Undecided { safe, contact },
        };
        PartsTimeOfImpact {
            parts: [0, part],
            found,
        }
    }
}

/// The number of intervals into which a motion is cut.
const INTERVALS: usize = 32;

/// Boxes around a moving body in the frame of a moving tree, one for each interval.
struct Swept([Aabb; INTERVALS]);

impl Swept {
    fn new(shape: &MovingBody, motion: &Motion, tree_motion: &Motion, limits: &Limits) -> Self {
        let half = 0.5 / INTERVALS as f64;
        let radius = shape.radius;
        let speed = motion.speed(radius);
        let rounding = motion.rounding(radius) + tree_motion.rounding(radius);
        Swept(std::array::from_fn(|k| {
            let t = half * (2 * k + 1) as f64;
            let (pose, tree_pose) = (motion.pose(t), tree_motion.pose(t));
            let offset = (pose.translation.vector - tree_pose.translation.vector).norm();
            // How far from the tree's origin a point of the body can be during the interval.
            let origins = motion.speed(0.0) + tree_motion.speed(0.0);
            let farthest = offset + half * origins + radius;
            let grown = half * (speed + tree_motion.speed(farthest));
            let grown = (grown + limits.min_separation + limits.tolerance) * (1.0 + 1e-9)
                + rounding * (1.0 + farthest)
                + 1e-12 * farthest;
            let pose = tree_pose.inv_mul(&pose);
            let extent = |axis: usize, sign: f64| {
                let n = Vector3::ith(axis, sign);
                shape.support(&pose.rotation.inverse_transform_vector(&n)) + grown
            };
            let place = pose.translation.vector;
            Aabb {
                min: Vector3::from_fn(|i, _| place[i] - extent(i, -1.0)).into(),
                max: Vector3::from_fn(|i, _| place[i] + extent(i, 1.0)).into(),
            }
        }))
    }

    /// Returns the start of the first interval in which the body may touch the contents of a node.
    fn first_instant_near(&self, node: &BvhNode) -> Option<f64> {
        let (min, max) = (node.mins(), node.maxs());
        let (min, max) = ([min.x, min.y, min.z], [max.x, max.y, max.z]);
        let apart =
            |around: &Aabb| (0..3).any(|i| around.min[i] > max[i] || around.max[i] < min[i]);
        let first = self.0.iter().position(|around| !apart(around))?;
        Some(first as f64 / INTERVALS as f64)
    }
}

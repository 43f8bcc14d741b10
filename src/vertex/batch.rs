//! Many vertices against one body.

use crate::Superovoid;
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::units::power_of_two_below;
use crate::surface::bounds::Aabb;
use crate::vertex::soa::VertexLanes;
use crate::vertex::vertex_contact::{solve_vertex, validate_query};
use crate::vertex::vertex_options::VertexOptions;
use nalgebra::{Isometry3, Point3, Unit, Vector3};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// The number of vertices that share a box: neighbours on a mesh are usually neighbours in its list.
#[doc(hidden)]
pub const GROUP: usize = 64;

/// Answers every vertex as [`vertex_contact`](crate::vertex_contact) does; the answers are in the order of the vertices.
///
/// Consecutive vertices form groups of 64, and with a finite `max_distance` a group whose
/// axis-aligned box is farther than that from the box of the body is answered as a whole: its answers are
/// [`Outcome::Beyond`](crate::Outcome::Beyond) with the distance of the boxes. The vertices of other groups are solved together in the
/// lanes of the processor's vectors, where the body is convex, several times faster
/// than by single queries. Such an answer proves as much as that of a single query and agrees with it
/// within the tolerance, but need not have the same last bits, nor the same number of iterations.
///
/// Except for the boxes, an answer depends neither on the other vertices nor on the number of threads: with the
/// feature `rayon` the groups are distributed to the threads of the current pool, without it they are
/// solved in turn. Nothing is allocated for a vertex.
///
/// # Errors
/// The error is that of the first vertex in the slice that is refused, as by `vertex_contact`, or names slices of
/// different lengths. The contents of `answers` are then unspecified.
///
/// ```
/// use nalgebra::{Isometry3, Point3};
/// use superovoid::{Contact, VertexOptions, Superovoid, vertex_contact_batch};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let points = [Point3::new(3.0, 0.0, 0.0), Point3::new(0.0, 0.5, 0.0)];
/// let mut answers = [Contact::default(); 2];
/// vertex_contact_batch(&ball, &Isometry3::identity(), &points, &mut answers, &VertexOptions::default())?;
/// assert!((answers[0].distance - 2.0).abs() < 1e-12);
/// assert!((answers[1].distance + 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vertex_contact_batch(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    points: &[Point3<f64>],
    answers: &mut [Contact],
    options: &VertexOptions,
) -> Result<(), QueryError> {
    let body = PlacedBody::new(shape, pose, options)?;
    if points.len() != answers.len() {
        return Err(QueryError::LengthMismatch {
            inputs: points.len(),
            answers: answers.len(),
        });
    }
    #[cfg(feature = "rayon")]
    let groups = points.par_chunks(GROUP).zip(answers.par_chunks_mut(GROUP));
    #[cfg(not(feature = "rayon"))]
    let groups = points.chunks(GROUP).zip(answers.chunks_mut(GROUP));
    let first_error = groups
        .enumerate()
        .filter_map(|(k, (points, answers))| body.solve_group(k * GROUP, points, answers).err())
        .min_by_key(|(index, _)| *index);
    first_error.map_or(Ok(()), |(_, error)| Err(error))
}

/// A body at its pose, against which groups of vertices are solved.
pub struct PlacedBody<'a> {
    shape: &'a Superovoid,
    pose: Isometry3<f64>,
    aabb: Aabb,
    lanes: Option<VertexLanes>,
    options: &'a VertexOptions,
}

impl<'a> PlacedBody<'a> {
    /// Validates the pose and the options.
    pub fn new(
        shape: &'a Superovoid,
        pose: &Isometry3<f64>,
        options: &'a VertexOptions,
    ) -> Result<Self, QueryError> {
        let pose = validate_query(pose, options)?.unwrap_or(*pose);
        Ok(PlacedBody {
            shape,
            pose,
            aabb: shape.aabb(&pose),
            lanes: VertexLanes::new(shape, &pose, options),
            options,
        })
    }

    /// Solves at most [`GROUP`] vertices, of which the first has the given index. The error comes with the index of its
    /// vertex.
    pub fn solve_group(
        &self,
        first: usize,
        points: &[Point3<f64>],
        answers: &mut [Contact],
    ) -> Result<(), (usize, QueryError)> {
        if let Some(lower) = self.beyond(points) {
            for (point, answer) in points.iter().zip(answers) {
                *answer = self.beyond_contact(point, lower);
            }
            return Ok(());
        }
        let mut alone = |k: usize, answer: &mut Contact| {
            let index = first + k;
            *answer = solve_vertex(self.shape, &self.pose, &points[k], self.options, index)
                .map_err(|error| (index, error))?;
            Ok(())
        };
        match &self.lanes {
            Some(lanes) => lanes.solve(points, answers, &mut alone),
            None => (0..)
                .zip(answers)
                .try_for_each(|(k, answer)| alone(k, answer)),
        }
    }

    /// Returns a lower bound of the distance of all these vertices, if it is above `max_distance`.
    fn beyond(&self, points: &[Point3<f64>]) -> Option<f64> {
        /// The relative error of a support function.
        const SUPPORT: f64 = 1e-12;
        let first = points.first()?;
        if self.options.max_distance == f64::INFINITY {
            return None;
        }
        let mut group = Aabb {
            min: *first,
            max: *first,
        };
        let mut sum = Vector3::zeros();
        for point in points {
            group.min = group.min.inf(point);
            group.max = group.max.sup(point);
            sum += point.coords;
        }
        // Points whose coordinates are not finite are left to the single queries.
        if !sum.iter().all(|x| x.is_finite()) {
            return None;
        }
        let largest = self.pose.translation.vector.amax()
            + group.min.coords.amax().max(group.max.coords.amax());
        let rounding = SUPPORT * self.shape.outer_radius + 8.0 * f64::EPSILON * largest;
        let lower = self.aabb.distance(&group) - rounding;
        // Boxes that touch prove nothing: points may be inside, at any depth.
        let far = lower > 0.0 && lower > self.options.max_distance;
        (far && lower.is_finite()).then_some(lower)
    }

    /// As `lower` is positive, the point is not the body's centre.
    fn beyond_contact(&self, point: &Point3<f64>, lower: f64) -> Contact {
        let offset = point.coords - self.pose.translation.vector;
        // The vector is scaled first, as the square of its length can exceed the number range.
        let offset = offset / power_of_two_below(offset.amax());
        let normal = Unit::try_new(offset, 0.0).unwrap_or_else(Vector3::z_axis);
        Contact::beyond(point - normal.as_ref() * lower, *point, normal, lower)
    }
}

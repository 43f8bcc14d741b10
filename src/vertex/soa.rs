//! Points of a group in the lanes of the processor's vectors: into the body's frame, through
//! [`newton_lanes`](crate::vertex::newton_lanes), and back to the world.

use crate::Superovoid;
use crate::lanes::fused::{dot, mul_add3};
use crate::lanes::{Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, scaled};
use crate::query::contact::{Contact, Outcome};
use crate::surface::primal_dual::ShapeLanes;
use crate::vertex::newton_lanes::{VertexAnswers, VertexSolver, answers_about};
use crate::vertex::problem::VertexProblem;
use crate::vertex::vertex_contact::{EXACT_TOLERANCE, query_of};
use crate::vertex::vertex_options::VertexOptions;
use fearless_simd::Simd;
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// A function that answers a single vertex, given its place.
type Left<'a, E> = dyn FnMut(usize, &mut Contact) -> Result<(), E> + 'a;

/// The part of the query that does not depend on the vertex.
pub(crate) struct VertexLanes {
    query: VertexProblem,
    pose: Isometry3<f64>,
    most_steps: u32,
}

impl VertexLanes {
    /// Returns `None` if unguarded steps in lanes have no answers about such a body.
    pub fn new(
        shape: &Superovoid,
        pose: &Isometry3<f64>,
        options: &VertexOptions,
    ) -> Option<VertexLanes> {
        let center = pose.translation.vector.into();
        let query = query_of(shape, pose, &center, options, EXACT_TOLERANCE);
        answers_about(&query).then_some(VertexLanes {
            query,
            pose: *pose,
            most_steps: options.max_iterations,
        })
    }

    /// Writes the answers of the vertices that lanes can solve. The others are passed to `left`, in their order.
    pub fn solve<E>(
        &self,
        points: &[Point3<f64>],
        answers: &mut [Contact],
        left: &mut Left<E>,
    ) -> Result<(), E> {
        dispatch!(simd => self.in_lanes(simd, points, answers, left))
    }

    #[inline(always)]
    fn in_lanes<S: SimdLevel, E>(
        &self,
        simd: S,
        points: &[Point3<f64>],
        answers: &mut [Contact],
        left: &mut Left<E>,
    ) -> Result<(), E> {
        let width = <Piece<S> as SoaLanes<S>>::WIDTH;
        let like = Piece::<S>::load(simd, &[0.0; MAX_LANES]);
        let body = ShapeLanes::of_many(like, &self.query.shape);
        let question = VertexSolver::new(body, &self.query, self.most_steps);
        let frame = BodyFrame::new(like, &self.pose, self.query.unit);
        let chunks = points.chunks(width).zip(answers.chunks_mut(width));
        for (k, (points, answers)) in chunks.enumerate() {
            let p = coordinates_in_lanes::<S, Piece<S>>(simd, points);
            let found = question.answer(&frame.to_body(&p));
            let found = StoredAnswers::new(&frame.to_world(found), &p);
            for (lane, answer) in answers.iter_mut().enumerate() {
                match found.contact(lane, &points[lane]) {
                    Some(contact) => *answer = contact,
                    None => left(k * width + lane, answer)?,
                }
            }
        }
        Ok(())
    }
}

/// The coordinates of vertices, with a lane for each. Lanes without a vertex repeat the last one.
#[inline(always)]
fn coordinates_in_lanes<S: Simd, V: SoaLanes<S>>(simd: S, points: &[Point3<f64>]) -> [V; 3] {
    let mut numbers = [[0.0; MAX_LANES]; 3];
    for lane in 0..V::WIDTH {
        let point = &points[lane.min(points.len() - 1)];
        for i in 0..3 {
            numbers[i][lane] = point[i];
        }
    }
    numbers.map(|column| V::load(simd, &column))
}

/// The body's frame and unit of length, in every lane.
struct BodyFrame<V> {
    /// The columns of the rotation: the body's axes in the world.
    axes: [[V; 3]; 3],
    half_center: [V; 3],
    unit: f64,
}

impl<V: Lanes> BodyFrame<V> {
    #[inline(always)]
    fn new(like: V, pose: &Isometry3<f64>, unit: f64) -> Self {
        let splat = |v: Vector3<f64>| [like.splat(v.x), like.splat(v.y), like.splat(v.z)];
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        BodyFrame {
            axes: axes.map(|axis| splat(pose.rotation * axis)),
            half_center: splat(pose.translation.vector * 0.5),
            unit,
        }
    }

    /// The conversion is that of [`VertexProblem::new`].
    #[inline(always)]
    fn to_body(&self, p: &[V; 3]) -> [V; 3] {
        let per_unit = 1.0 / self.unit;
        let c = &self.half_center;
        let half = [p[0] * 0.5 - c[0], p[1] * 0.5 - c[1], p[2] * 0.5 - c[2]];
        let offset = scaled(&half, c[0].splat(per_unit * 2.0));
        [
            dot(&self.axes[0], &offset),
            dot(&self.axes[1], &offset),
            dot(&self.axes[2], &offset),
        ]
    }

    #[inline(always)]
    fn to_world(&self, found: VertexAnswers<V>) -> VertexAnswers<V> {
        let [x, y, z] = &self.axes;
        let n = &found.normal;
        let normal = mul_add3(n[0], x, &mul_add3(n[1], y, &scaled(z, n[2])));
        VertexAnswers {
            distance: found.distance * self.unit,
            normal,
            lower: found.lower * self.unit,
            upper: found.upper * self.unit,
            steps: found.steps,
        }
    }
}

/// The answers in the world, metres, out of their lanes.
struct StoredAnswers {
    distance: [f64; MAX_LANES],
    normal: [[f64; MAX_LANES]; 3],
    point_a: [[f64; MAX_LANES]; 3],
    lower: [f64; MAX_LANES],
    upper: [f64; MAX_LANES],
    steps: [f64; MAX_LANES],
}

impl StoredAnswers {
    #[inline(always)]
    fn new<S: Simd, V: SoaLanes<S>>(answers: &VertexAnswers<V>, p: &[V; 3]) -> Self {
        let VertexAnswers {
            distance, normal, ..
        } = answers;
        let to_a = mul_add3(-*distance, normal, p);
        StoredAnswers {
            distance: distance.store(),
            normal: normal.map(V::store),
            point_a: to_a.map(V::store),
            lower: answers.lower.store(),
            upper: answers.upper.store(),
            steps: answers.steps.store(),
        }
    }

    /// Returns `None` where nothing was proven, or a number is too large.
    #[inline(always)]
    fn contact(&self, k: usize, point: &Point3<f64>) -> Option<Contact> {
        if self.lower[k] == f64::INFINITY {
            return None;
        }
        let beyond = self.upper[k] == f64::INFINITY;
        let vector = |v: &[[f64; MAX_LANES]; 3]| Vector3::new(v[0][k], v[1][k], v[2][k]);
        let contact = Contact {
            distance: self.distance[k],
            point_a: vector(&self.point_a).into(),
            point_b: *point,
            normal: Unit::new_unchecked(vector(&self.normal)),
            lower: self.lower[k],
            upper: self.upper[k],
            outcome: if beyond {
                Outcome::Beyond
            } else {
                Outcome::Certified
            },
            iterations: self.steps[k] as u32,
        };
        contact.within_number_range().ok()
    }
}

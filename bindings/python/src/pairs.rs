//! Pairs of superovoids.

use crate::body_contact::{BodyArgument, body_contact};
use crate::broadcast::{Broadcast, Failed, answers};
use crate::contacts::Contacts;
use crate::options::query_options;
use crate::placed_shapes::PlacedShapes;
use crate::poses::Poses;
use crate::shapes::SuperovoidsArgument;
use nalgebra::Isometry3;
use pyo3::prelude::*;
use superovoid::{Contact, Pair, Superovoid, contact_batch};

type Pose = Isometry3<f64>;
type Ovoid<'a> = &'a Superovoid;

/// The arguments of a query of pairs.
pub struct PairArguments<'py> {
    a: SuperovoidsArgument<'py>,
    pose_a: Poses<'py>,
    b: SuperovoidsArgument<'py>,
    pose_b: Poses<'py>,
    pub all: Broadcast,
}

impl<'py> PairArguments<'py> {
    pub fn new(
        a: &Bound<'py, PyAny>,
        pose_a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        pose_b: &Bound<'py, PyAny>,
    ) -> PyResult<Self> {
        let (a, b) = (
            SuperovoidsArgument::new(a, "a")?,
            SuperovoidsArgument::new(b, "b")?,
        );
        let (pose_a, pose_b) = (Poses::new(pose_a, "pose_a")?, Poses::new(pose_b, "pose_b")?);
        let all = Broadcast::of(&[
            ("a", &a.get().axes),
            ("pose_a", pose_a.lead()),
            ("b", &b.get().axes),
            ("pose_b", pose_b.lead()),
        ])?;
        Ok(PairArguments {
            a,
            pose_a,
            b,
            pose_b,
            all,
        })
    }

    pub fn reader(&self) -> PairReader<'_> {
        let to = &self.all.axes;
        PairReader {
            a: PlacedShapes::new(self.a.get(), &self.pose_a, to),
            b: PlacedShapes::new(self.b.get(), &self.pose_b, to),
        }
    }
}

/// Reads pairs of a broadcast.
pub struct PairReader<'a> {
    pub a: PlacedShapes<'a>,
    pub b: PlacedShapes<'a>,
}

/// The number of pairs that are read together.
const READ: usize = 64;

impl<'a> PairReader<'a> {
    /// Returns the bodies and poses of a pair; the error names the pose.
    pub fn pair(&self, k: usize) -> Result<(Ovoid<'a>, Pose, Ovoid<'a>, Pose), String> {
        let (pose_a, pose_b) = (self.a.pose(k)?, self.b.pose(k)?);
        Ok((self.a.body(k), pose_a, self.b.body(k), pose_b))
    }

    /// Runs `query` on the pairs from number `first` on, as many at a time as are read together.
    pub fn in_parts<T>(
        &self,
        first: usize,
        answers: &mut [T],
        query: impl Fn(usize, &[Pair], &mut [T]) -> Result<(), Failed<String>>,
    ) -> Result<(), Failed<String>> {
        let mut poses = [[Isometry3::identity(); 2]; READ];
        for (k, part) in answers.chunks_mut(READ).enumerate() {
            let first = first + k * READ;
            let read = &mut poses[..part.len()];
            for (index, [pose_a, pose_b]) in (first..).zip(read.iter_mut()) {
                let failed = |error| Failed { index, error };
                *pose_a = self.a.pose(index).map_err(failed)?;
                *pose_b = self.b.pose(index).map_err(failed)?;
            }
            let pair = |k: usize| Pair {
                a: self.a.body(first + k),
                pose_a: &poses[k][0],
                b: self.b.body(first + k),
                pose_b: &poses[k][1],
            };
            let pairs: [Pair; READ] = std::array::from_fn(|k| pair(k.min(part.len() - 1)));
            query(first, &pairs[..part.len()], part)?;
        }
        Ok(())
    }
}

/// Returns the signed distance of pairs of bodies with witness points, normal and a bracket that proves it.
///
/// All arguments broadcast together by NumPy's rule; their leading axes count the pairs.
///
/// Parameters
/// ----------
/// a, b : Superovoids or array_like, shape (..., 7), ConvexShape, TriMesh, BoxSet, HeightField, Superquadric, HalfSpace or Plane
///     The bodies; ``Superovoids`` are validated once, parameters at every call. Of trees the contact is that of the nearest
///     or deepest part. Half-spaces and planes that are not parallel have distance ``-inf``.
/// pose_a, pose_b : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses in the world: x y z (metres), then the unit quaternion qx qy qz qw, or homogeneous matrices.
/// tolerance : float, default 0
///     The widest bracket (metres) of an answer that counts as certified; 0 means 1e-9 of the larger body.
/// max_iterations : int, default 30
///     The number of Newton iterations from one start.
/// max_distance : float, default inf
///     A query stops where the bodies are proven to be farther apart than this (metres).
/// depth : {"fast", "certified", "any"}
///     Whether the depth of overlapping bodies is searched for until it is proven to be the least; "any": whether the bodies
///     overlap at all is enough, and the answer ends with the first overlap that is proven.
/// threads : int, optional
///     The number of threads; by default one for each processor. The answers do not depend on it.
///
/// Returns
/// -------
/// Contacts
///     One answer for each pair.
///
/// Raises
/// ------
/// ValueError, TypeError
///     The error names the argument and the element that is refused.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> ball = superovoid.Superovoids.sphere(1.0)
/// >>> float(superovoid.contact(ball, [0, 0, 0, 0, 0, 0, 1], ball, [3, 0, 0, 0, 0, 0, 1]).distance)
/// 1.0
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, tolerance = 0.0, max_iterations = 30, max_distance = f64::INFINITY,
    depth = "fast", threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn contact(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    pose_a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_b: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    depth: &str,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = query_options(tolerance, max_iterations, max_distance, depth)?;
    if BodyArgument::is_other(a) || BodyArgument::is_other(b) {
        let arguments = [(a, "a"), (pose_a, "pose_a"), (b, "b"), (pose_b, "pose_b")];
        return body_contact(py, arguments, &options, threads);
    }
    let arguments = PairArguments::new(a, pose_a, b, pose_b)?;
    let reader = arguments.reader();
    let solve = |first: usize, pairs: &[Pair], found: &mut [Contact]| {
        contact_batch(pairs, found, &options).map_err(|error| Failed {
            index: first + error.index,
            error: error.error.to_string(),
        })
    };
    let all = answers(py, threads, arguments.all.count, |first, part| {
        reader.in_parts(first, part, solve)
    })?
    .map_err(|failed| arguments.all.error(failed.index, &failed.error))?;
    Ok(Contacts::new(arguments.all.axes, all))
}

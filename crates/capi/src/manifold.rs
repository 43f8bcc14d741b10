//! Contact manifolds of two bodies of any kind.

use super::batch::{Batch, one_by_one};
use super::body::{Body, BodyBuffer, look_at_body, sovo_body, unsupported};
use super::body_contact::{check_margin, parts_of, sovo_part_contact};
use super::memory::{In, Out, Plain, Strided, StridedOut, no_memory};
use super::options::{read_options, sovo_query_options};
use super::pose::sovo_pose;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::Isometry3;
use superovoid::{Manifold, ManifoldPoint, QueryError, QueryOptions};

const _: () = assert!(Manifold::MOST == 8, "the struct of C has eight");

/// A place where two surfaces face each other along the normal of their contact, in the world frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_manifold_point {
    /// The point on the surface of A, metres.
    pub point_a: [f64; 3],
    /// The point on the surface of B: point_a + distance * normal.
    pub point_b: [f64; 3],
    /// The distance between both along the normal, metres; negative where they overlap.
    pub distance: f64,
    /// A number of the vertices, edges and faces that meet here. It is the same in the next step if they are, so that impulses
    /// can be kept; 0 for the witnesses of the contact.
    pub id: u64,
}

/// The contact of two bodies, or of two parts of them, with the places where they face each other.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_manifold {
    /// The contact, with its normal and bracket, and the parts.
    pub contact: sovo_part_contact,
    /// The points, the deepest first; zeros after the last.
    pub points: [sovo_manifold_point; 8],
    /// The number of points: 1 to 8, or 0 where no two parts are within the margin: then contact is that of
    /// sovo_body_contact() with the margin as the maximum distance.
    pub count: u64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_manifold {}

impl sovo_manifold {
    /// The answer of bodies that are farther apart than a margin.
    fn beyond(margin: f64) -> Self {
        const NONE: sovo_manifold_point = sovo_manifold_point {
            point_a: [0.0; 3],
            point_b: [0.0; 3],
            distance: 0.0,
            id: 0,
        };
        sovo_manifold {
            contact: sovo_part_contact::beyond(margin),
            points: [NONE; 8],
            count: 0,
        }
    }

    fn new(found: &Manifold, a: &Body, b: &Body) -> Self {
        let mut manifold = sovo_manifold::beyond(0.0);
        manifold.contact = sovo_part_contact {
            contact: (&found.found.contact).into(),
            parts: parts_of(a.shape, b.shape, found.found.parts),
        };
        for (place, point) in manifold.points.iter_mut().zip(found.points()) {
            let ManifoldPoint {
                point_a,
                point_b,
                distance,
                id,
                ..
            } = *point;
            *place = sovo_manifold_point {
                point_a: point_a.into(),
                point_b: point_b.into(),
                distance,
                id,
            };
            manifold.count += 1;
        }
        manifold
    }
}

/// Calls `visit` with the manifolds of two bodies until it returns false.
fn manifolds(
    a: Body,
    pose_a: &Isometry3<f64>,
    b: Body,
    pose_b: &Isometry3<f64>,
    margin: f64,
    options: &QueryOptions,
    mut visit: impl FnMut(sovo_manifold) -> bool,
) -> Result<(), Failure> {
    let made = |found: &Manifold| visit(sovo_manifold::new(found, &a, &b));
    match (a.shape).manifolds(pose_a, b.shape, pose_b, margin, options, made) {
        Err(QueryError::Unsupported { .. }) => Err(unsupported("manifolds", a, b)),
        done => Ok(done?),
    }
}

/// Finds the contact manifolds of the bodies A and B: one for every two parts that sovo_body_contacts() finds within margin
/// (metres), in the same order, a body of one piece being one part. A manifold has up to eight points of both surfaces that face
/// each other along the normal of the contact at a distance of at most margin: the corners of the region in which two faces
/// overlap, the ends of an edge on a face, or one point of round bodies and crossing edges.
///
/// The function writes as many as capacity allows and sets total to their number; manifolds may be NULL if capacity is 0.
/// options: as for sovo_body_contact(), except that max_distance is ignored. The function allocates memory.
///
/// SOVO_STATUS_ERROR_OPTION: a margin that is NaN. Other errors are those of sovo_body_contact().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_manifolds(
    a: *const sovo_body,
    pose_a: *const sovo_pose,
    b: *const sovo_body,
    pose_b: *const sovo_pose,
    margin: f64,
    options: *const sovo_query_options,
    manifolds: *mut sovo_manifold,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { look_at_body(a, "a", &mut buffer_a) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { In::new(pose_a, "pose_a")?.read() }.isometry("pose_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { look_at_body(b, "b", &mut buffer_b) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { In::new(pose_b, "pose_b")?.read() }.isometry("pose_b")?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_options(options) }?.query;
        check_margin(margin)?;
        let stride = size_of::<sovo_manifold>();
        let places = StridedOut::new(manifolds, capacity, stride, "manifolds")?;
        let total_out = Out::new(total, "total")?;
        let mut found: Vec<sovo_manifold> = Vec::new();
        let (mut count, mut memory) = (0, Ok(()));
        self::manifolds(a, &pose_a, b, &pose_b, margin, &options, |manifold| {
            count += 1;
            if found.len() < capacity {
                memory = found.try_reserve(1);
                if memory.is_err() {
                    return false;
                }
                found.push(manifold);
            }
            true
        })?;
        memory.map_err(|_| no_memory(count, stride))?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.into_iter()) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { total_out.write(count) };
        Ok(())
    })
}

/// Finds the contact manifold of many pairs of bodies of one table, as sovo_body_manifolds() does: of bodies with many parts that
/// of the two parts with the least distance. Pair k is that of the bodies pairs[2 k] (A) and pairs[2 k + 1] (B). bodies and poses
/// have body_count elements, pairs twice as many as manifolds, which are pair_count. threads: as in sovo_body_batch.
///
/// All answers are written once all are found, so that after an error manifolds are unchanged. The text of an error names the
/// pair as the element.
///
/// SOVO_STATUS_ERROR_SIZE: an index that is not below body_count. Other errors are those of sovo_body_manifolds().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_manifold_batch(
    bodies: *const sovo_body,
    poses: *const sovo_pose,
    body_count: usize,
    pairs: *const u32,
    pair_count: usize,
    margin: f64,
    options: *const sovo_query_options,
    threads: u32,
    manifolds: *mut sovo_manifold,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let options = unsafe { read_options(options) }?.query;
        check_margin(margin)?;
        let bodies = Strided::new(bodies, body_count, size_of::<sovo_body>(), "bodies")?;
        let poses = Strided::new(poses, body_count, size_of::<sovo_pose>(), "poses")?;
        let pairs = Strided::new(pairs.cast::<[u32; 2]>(), pair_count, 8, "pairs")?;
        let stride = size_of::<sovo_manifold>();
        let places = StridedOut::new(manifolds, pair_count, stride, "manifolds")?;
        let solve = |first: usize, answers: &mut [sovo_manifold]| {
            one_by_one(first, answers, |k| {
                // SAFETY: k is below the count, and the arrays are as the header demands.
                let [i, j] = unsafe { pairs.get(k) }.map(|index| index as usize);
                if let Some(index) = [i, j].into_iter().find(|index| *index >= body_count) {
                    let text = format!("index {index}: there are {body_count} bodies");
                    return Err(Failure::other(SOVO_STATUS_ERROR_SIZE, text));
                }
                let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
                // SAFETY: The index is below the count, here and below.
                let a = unsafe { look_at_body(bodies.place(i), "a", &mut buffer_a) }?;
                // SAFETY: As above.
                let pose_a = unsafe { poses.get(i) }.isometry("pose_a")?;
                // SAFETY: As above.
                let b = unsafe { look_at_body(bodies.place(j), "b", &mut buffer_b) }?;
                // SAFETY: As above.
                let pose_b = unsafe { poses.get(j) }.isometry("pose_b")?;
                let mut least = sovo_manifold::beyond(margin.max(0.0));
                self::manifolds(a, &pose_a, b, &pose_b, margin, &options, |found| {
                    let distance = found.contact.contact.distance;
                    if least.count == 0 || distance < least.contact.contact.distance {
                        least = found;
                    }
                    true
                })?;
                if least.count == 0 {
                    // A body may be wholly inside a solid mesh, where no triangle is near.
                    let options = options.with_max_distance(margin.max(0.0));
                    let found = a.shape.contact(&pose_a, b.shape, &pose_b, &options)?;
                    if let Some(found) = found {
                        least.contact = sovo_part_contact {
                            contact: (&found.contact).into(),
                            parts: parts_of(a.shape, b.shape, found.parts),
                        };
                    }
                }
                Ok(least)
            })
        };
        let work = Batch {
            count: pair_count,
            threads,
            cancel: None,
            cancel_data: std::ptr::null_mut(),
        };
        // SAFETY: there is no callback.
        let answers = unsafe { work.run(sovo_manifold::beyond(margin), solve) }?;
        // SAFETY: the places are as the header demands.
        unsafe { places.write_all(answers.into_iter()) };
        Ok(())
    })
}

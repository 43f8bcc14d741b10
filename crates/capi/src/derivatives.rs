//! Derivatives of contacts.

use super::batch::{BatchStruct, one_by_one, read_batch};
use super::body::{
    Body, BodyBuffer, look_at_body, sovo_body, sovo_body_kind::SOVO_BODY_KIND_POINT, with_corners,
};
use super::body_contact::{BodyArrays, sovo_body_batch};
use super::memory::{In, Out, Plain, Strided, StridedOut, Versioned, read_sized, size_through};
use super::pair::{PairArrays, PlacedBodies, sovo_contact, sovo_pair_batch};
use super::pose::sovo_pose;
use super::shape::{read_shape, sovo_superovoid};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::{Isometry3, SMatrix, SVector};
use std::borrow::Cow;
use superovoid::derivatives::{
    ContactDerivatives, DerivativeStatus, DistanceGradient, INPUTS, contact_derivatives,
    distance_gradient, half_space_contact_derivatives, polytope_contact_derivatives,
    vertex_contact_derivatives,
};
use superovoid::{Contact, ShapeRef};

/// What derivatives are worth.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_derivative_status {
    /// There are none, and all numbers are NaN: the contact is not converged, or beyond the maximum distance.
    SOVO_DERIVATIVE_STATUS_NONE = 0,
    /// All derivatives exist.
    SOVO_DERIVATIVE_STATUS_EXACT = 1,
    /// The gradient of the distance exists; the other derivatives are NaN. The witness points are not unique (flat
    /// faces that lie on each other), or ridges touch; or so nearly that rounding leaves too few digits.
    SOVO_DERIVATIVE_STATUS_POINTS_SINGULAR = 2,
    /// The depth is attained along several directions: the gradient is a subgradient, that of the contact's normal.
    SOVO_DERIVATIVE_STATUS_TIE = 3,
}
use sovo_derivative_status::*;

/// The gradient of a signed distance by 26 inputs, in this order: the motion of A (velocity of its origin, metres, then
/// angular velocity, radians, both along the world's axes), the motion of B likewise, the shape of A (a1 a2 a3 e1 e2 tx
/// ty) and the shape of B (0 where B is not a superovoid).
///
/// Along a motion (v, w) the origin moves to o + t v and the rotation is exp(t [w]) R.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_gradient {
    /// The derivatives of the distance by the inputs.
    pub gradient: [f64; 26],
    /// What they are worth, a sovo_derivative_status.
    pub status: u32,
    /// 1 if a body is not convex, so that the derivatives are those of a local answer, otherwise 0.
    pub local_answer: u32,
}

/// The places for further derivatives by the same inputs. Start from SOVO_DERIVATIVES_INIT and set the pointers to those
/// that are wanted; NULL ones are not computed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_derivatives {
    /// The size, sizeof(sovo_derivatives).
    pub size: usize,
    /// The Hessian of the distance, symmetric: 26 rows of 26 numbers.
    pub hessian: *mut f64,
    /// The Jacobian of the unit normal: 3 rows of 26 numbers.
    pub normal: *mut f64,
    /// The Jacobian of the witness point of A, metres: 3 rows of 26 numbers.
    pub point_a: *mut f64,
    /// The Jacobian of the witness point of B, metres: 3 rows of 26 numbers.
    pub point_b: *mut f64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_gradient {}
// SAFETY: The struct consists of a number and raw pointers, for which any bits are valid.
unsafe impl Plain for sovo_derivatives {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_derivatives {
    const DEFAULT: Self = sovo_derivatives {
        size: 0,
        hessian: std::ptr::null_mut(),
        normal: std::ptr::null_mut(),
        point_a: std::ptr::null_mut(),
        point_b: std::ptr::null_mut(),
    };
    const FIRST: usize = size_through!(sovo_derivatives.point_b: *mut f64);
}

impl sovo_derivatives {
    fn wants_any(&self) -> bool {
        let pointers = [self.hessian, self.normal, self.point_a, self.point_b];
        pointers.iter().any(|pointer| !pointer.is_null())
    }

    /// The places of element k where there are those of several contacts one after the other.
    fn element(&self, k: usize) -> Self {
        let of = |first: *mut f64, rows: usize| {
            if first.is_null() {
                first
            } else {
                first.wrapping_add(rows * INPUTS * k)
            }
        };
        sovo_derivatives {
            size: self.size,
            hessian: of(self.hessian, INPUTS),
            normal: of(self.normal, 3),
            point_a: of(self.point_a, 3),
            point_b: of(self.point_b, 3),
        }
    }

    /// Returns an error for more elements than an address space holds.
    fn check_count(&self, count: usize) -> Result<(), Failure> {
        let hessian = size_of::<[f64; INPUTS * INPUTS]>();
        let jacobian = size_of::<[f64; 3 * INPUTS]>();
        for (first, stride, name) in [
            (self.hessian, hessian, "derivatives->hessian"),
            (self.normal, jacobian, "derivatives->normal"),
            (self.point_a, jacobian, "derivatives->point_a"),
            (self.point_b, jacobian, "derivatives->point_b"),
        ] {
            if !first.is_null() {
                StridedOut::new(first, count, stride, name)?;
            }
        }
        Ok(())
    }

    /// # Safety
    /// Each pointer must be NULL or to as many numbers as its field says, aligned or not.
    unsafe fn write(&self, found: &ContactDerivatives) {
        // SAFETY: The caller guarantees it, here and below.
        unsafe {
            write_rows(self.hessian, &found.hessian);
            write_rows(self.normal, &found.normal);
            write_rows(self.point_a, &found.point_a);
            write_rows(self.point_b, &found.point_b);
        }
    }

    /// Writes the derivatives of several contacts one after the other, and their gradients.
    ///
    /// # Safety
    /// As for [`sovo_derivatives::write`], for each contact.
    unsafe fn write_all(
        &self,
        answers: &[Option<ContactDerivatives>],
        gradients: StridedOut<sovo_gradient>,
    ) {
        for (k, found) in answers.iter().enumerate() {
            // SAFETY: The caller guarantees it.
            unsafe { self.element(k).write_or_nan(found.as_ref()) };
        }
        let found = answers.iter().map(Option::as_ref);
        // SAFETY: The caller guarantees it.
        unsafe { gradients.write_all(found.map(sovo_gradient::of_contact_derivatives)) };
    }

    /// Writes the derivatives, or NaN where there are none.
    ///
    /// # Safety
    /// As for [`sovo_derivatives::write`].
    unsafe fn write_or_nan(&self, found: Option<&ContactDerivatives>) {
        if let Some(found) = found {
            // SAFETY: The caller guarantees it.
            return unsafe { self.write(found) };
        }
        // SAFETY: The caller guarantees it.
        unsafe { self.write(&not_a_number()) };
    }
}

/// Returns derivatives that do not exist.
fn not_a_number() -> ContactDerivatives {
    let mut none = ContactDerivatives::default();
    none.status = DerivativeStatus::PointsSingular;
    none.hessian.fill(f64::NAN);
    for jacobian in [&mut none.normal, &mut none.point_a, &mut none.point_b] {
        jacobian.fill(f64::NAN);
    }
    none
}

/// # Safety
/// The pointer must be NULL or to as many numbers as the matrix has, aligned or not.
unsafe fn write_rows<const ROWS: usize>(to: *mut f64, matrix: &SMatrix<f64, ROWS, INPUTS>) {
    if to.is_null() {
        return;
    }
    let mut rows = [[0.0; INPUTS]; ROWS];
    for j in 0..INPUTS {
        for i in 0..ROWS {
            rows[i][j] = matrix[(i, j)];
        }
    }
    // SAFETY: The caller guarantees it.
    unsafe { to.cast::<[[f64; INPUTS]; ROWS]>().write_unaligned(rows) };
}

impl sovo_gradient {
    fn new(gradient: &SVector<f64, INPUTS>, status: DerivativeStatus, local: bool) -> Self {
        let status = match status {
            DerivativeStatus::Exact => SOVO_DERIVATIVE_STATUS_EXACT,
            DerivativeStatus::PointsSingular => SOVO_DERIVATIVE_STATUS_POINTS_SINGULAR,
            _ => SOVO_DERIVATIVE_STATUS_TIE,
        };
        sovo_gradient {
            gradient: (*gradient).into(),
            status: status as u32,
            local_answer: local.into(),
        }
    }

    fn of_contact_derivatives(found: Option<&ContactDerivatives>) -> Self {
        found.map_or(Self::NONE, |found| {
            Self::new(&found.gradient, found.status, found.local)
        })
    }

    fn alone(found: Option<&DistanceGradient>) -> Self {
        found.map_or(Self::NONE, |found| {
            Self::new(&found.gradient, found.status, found.local)
        })
    }

    const NONE: Self = sovo_gradient {
        gradient: [f64::NAN; 26],
        status: SOVO_DERIVATIVE_STATUS_NONE as u32,
        local_answer: 0,
    };
}

/// Computes the derivatives of the signed distance of two superovoids at their contact, which sovo_pair_contact() has
/// answered for the same shapes and poses, without another query.
///
/// derivatives: NULL for the gradient alone, which takes a fraction of the time of a query and is as exact as normal and
/// points of the contact; otherwise the places for the Hessian of the distance and the Jacobians of normal and witness
/// points, and normal and points are polished first.
///
/// SOVO_STATUS_ERROR_GEOMETRY: the contact is not finite or has no unit normal; with derivatives, also where it is not
/// the answer of a query of these bodies at these poses. SOVO_STATUS_ERROR_OPTION: an outcome that no answer has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pair_gradient(
    shape_a: *const sovo_superovoid,
    pose_a: *const sovo_pose,
    shape_b: *const sovo_superovoid,
    pose_b: *const sovo_pose,
    contact: *const sovo_contact,
    derivatives: *const sovo_derivatives,
    gradient: *mut sovo_gradient,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { read_shape(shape_a, "shape_a") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { In::new(pose_a, "pose_a")?.read() }.isometry("pose_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { read_shape(shape_b, "shape_b") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { In::new(pose_b, "pose_b")?.read() }.isometry("pose_b")?;
        // SAFETY: As above, the caller guarantees it.
        let contact = unsafe { In::new(contact, "contact")?.read() }.contact()?;
        // SAFETY: As above, the caller guarantees it.
        let places = unsafe { read_sized(derivatives, "derivatives") }?;
        let places = places.unwrap_or(sovo_derivatives::DEFAULT);
        let out = Out::new(gradient, "gradient")?;
        let bodies = PlacedBodies {
            a: Cow::Owned(a),
            pose_a,
            b: Cow::Owned(b),
            pose_b,
        };
        if places.wants_any() {
            let found = bodies.derivatives(&contact)?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { write(found.as_ref(), &places, out) };
        } else {
            let found = bodies.gradient(&contact)?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(found) };
        }
        Ok(())
    })
}

impl PlacedBodies<'_> {
    fn derivatives(&self, contact: &Contact) -> Result<Option<ContactDerivatives>, Failure> {
        let PlacedBodies {
            a,
            pose_a,
            b,
            pose_b,
        } = self;
        Ok(contact_derivatives(a, pose_a, b, pose_b, contact)?)
    }

    /// The gradient alone.
    fn gradient(&self, contact: &Contact) -> Result<sovo_gradient, Failure> {
        let PlacedBodies {
            a,
            pose_a,
            b,
            pose_b,
        } = self;
        let found = distance_gradient(a, pose_a, b, pose_b, contact)?;
        Ok(sovo_gradient::alone(found.as_ref()))
    }
}

/// Computes the derivatives of every pair of a batch at its contact, as sovo_pair_gradient() does. batch is that of
/// sovo_pair_contact_batch(), whose contacts are read here; its caches are not looked at.
///
/// derivatives: NULL for the gradients alone; otherwise each of its pointers that is not NULL is to the places for all
/// pairs, one after the other without gaps: count Hessians of 676 numbers, count Jacobians of 78 numbers.
///
/// gradients: the places for the gradients, gradient_stride bytes (at least sizeof(sovo_gradient)) from one to the next.
///
/// All answers are written once all are found, so that after an error, or a cancellation, no place is changed; until then
/// they take 216 bytes of memory a pair, and 7.6 kB with derivatives. The text of an error names the element; errors are
/// those of sovo_pair_contact_batch() and sovo_pair_gradient().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pair_gradient_batch(
    batch: *const sovo_pair_batch,
    derivatives: *const sovo_derivatives,
    gradients: *mut sovo_gradient,
    gradient_stride: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        let count = batch.count;
        // SAFETY: As above, the caller guarantees it.
        let places = unsafe { read_sized(derivatives, "derivatives") }?;
        let places = places.unwrap_or(sovo_derivatives::DEFAULT);
        places.check_count(count)?;
        let pairs = PairArrays::new(&batch)?;
        let first = batch.contacts.cast_const();
        let contacts = Strided::new(first, count, batch.contact_stride, "contacts")?;
        let out = StridedOut::new(gradients, count, gradient_stride, "gradients")?;
        let work = batch.work();
        let load = |k: usize| -> Result<(PlacedBodies, Contact), Failure> {
            // SAFETY: k is below the count, here and below.
            let bodies = unsafe { pairs.load(k) }?;
            // SAFETY: As above, k is below the count.
            Ok((bodies, unsafe { contacts.get(k) }.contact()?))
        };
        if places.wants_any() {
            let solve = |first: usize, answers: &mut [Option<ContactDerivatives>]| {
                one_by_one(first, answers, |k| {
                    let (bodies, contact) = load(k)?;
                    bodies.derivatives(&contact)
                })
            };
            // SAFETY: The callback is as the header demands.
            let answers = unsafe { work.run(None, solve) }?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { places.write_all(&answers, out) };
            return Ok(());
        }
        let solve = |first: usize, answers: &mut [sovo_gradient]| {
            one_by_one(first, answers, |k| {
                let (bodies, contact) = load(k)?;
                bodies.gradient(&contact)
            })
        };
        // SAFETY: The callback is as the header demands.
        let answers = unsafe { work.run(sovo_gradient::NONE, solve) }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write_all(answers.into_iter()) };
        Ok(())
    })
}

/// Computes the derivatives of the signed distance of two bodies at their contact, which sovo_body_contact() has answered
/// for the same bodies and poses, without another query.
///
/// All derivatives are those of a superovoid A with a B that is a superovoid, a point, a half-space, or a body with corners
/// (hull, points, cuboid, segment, triangle), which is touched at a vertex, edge or face; the motion of such a half-space is
/// about the world's origin. Of any other two kinds there is the gradient alone, by both poses and by the shape of a
/// superovoid: with the status SOVO_DERIVATIVE_STATUS_POINTS_SINGULAR, and NaN in the other places. It is that of the nearest, or
/// deepest, parts of a mesh, a set of boxes or terrain.
///
/// derivatives: NULL for the gradient alone; otherwise as for sovo_pair_gradient(), which is faster for the gradient of two
/// superovoids.
///
/// The errors are those of sovo_pair_gradient().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_derivatives(
    a: *const sovo_body,
    pose_a: *const sovo_pose,
    b: *const sovo_body,
    pose_b: *const sovo_pose,
    contact: *const sovo_contact,
    derivatives: *const sovo_derivatives,
    gradient: *mut sovo_gradient,
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
        let contact = unsafe { In::new(contact, "contact")?.read() }.contact()?;
        // SAFETY: As above, the caller guarantees it.
        let places = unsafe { read_sized(derivatives, "derivatives") }?;
        let places = places.unwrap_or(sovo_derivatives::DEFAULT);
        let out = Out::new(gradient, "gradient")?;
        let found = bodies_derivatives(a, &pose_a, b, &pose_b, &contact)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { write(found.as_ref(), &places, out) };
        Ok(())
    })
}

/// Returns the derivatives at the contact of two bodies; `None` where there are none.
fn bodies_derivatives(
    a: Body,
    pose_a: &Isometry3<f64>,
    b: Body,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, Failure> {
    let gradient_alone = || -> Result<_, Failure> {
        let found = (a.shape).distance_gradient(pose_a, b.shape, pose_b, contact)?;
        Ok(found.map(|found| {
            let mut all = not_a_number();
            (all.gradient, all.local) = (found.gradient, found.local);
            all
        }))
    };
    let ShapeRef::Superovoid(shape) = a.shape else {
        return gradient_alone();
    };
    Ok(match b.shape {
        _ if b.kind == SOVO_BODY_KIND_POINT => vertex_contact_derivatives(shape, pose_a, contact),
        ShapeRef::Superovoid(b) => contact_derivatives(shape, pose_a, b, pose_b, contact),
        ShapeRef::HalfSpace(b) => {
            half_space_contact_derivatives(shape, pose_a, &b.at(pose_b)?, contact)
        }
        b => {
            let found = with_corners(b, |corners| {
                polytope_contact_derivatives(shape, pose_a, corners, pose_b, contact)
            });
            match found {
                Some(found) => found,
                None => return gradient_alone(),
            }
        }
    }?)
}

/// Computes the derivatives of every pair of a batch at its contact, as sovo_body_derivatives() does, to the bit. batch is
/// that of sovo_body_contact_batch(), whose contacts are read here. derivatives, gradients, gradient_stride, memory and
/// errors are as for sovo_pair_gradient_batch().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_derivatives_batch(
    batch: *const sovo_body_batch,
    derivatives: *const sovo_derivatives,
    gradients: *mut sovo_gradient,
    gradient_stride: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        let count = batch.count;
        // SAFETY: As above, the caller guarantees it.
        let places = unsafe { read_sized(derivatives, "derivatives") }?;
        let places = places.unwrap_or(sovo_derivatives::DEFAULT);
        places.check_count(count)?;
        let pairs = BodyArrays::new(&batch)?;
        let first = batch.contacts.cast_const();
        let contacts = Strided::new(first, count, batch.contact_stride, "contacts")?;
        let out = StridedOut::new(gradients, count, gradient_stride, "gradients")?;
        let of = |k: usize| {
            let derivatives = |a: Body, pose_a: &_, b: Body, pose_b: &_| {
                // SAFETY: k is below the count.
                let contact = unsafe { contacts.get(k) }.contact.contact()?;
                bodies_derivatives(a, pose_a, b, pose_b, &contact)
            };
            // SAFETY: As above, k is below the count.
            unsafe { pairs.with(k, derivatives) }
        };
        let gradient = |found: &Option<_>| sovo_gradient::of_contact_derivatives(found.as_ref());
        if !places.wants_any() {
            let solve = |first: usize, answers: &mut [sovo_gradient]| {
                one_by_one(first, answers, |k| Ok(gradient(&of(k)?)))
            };
            // SAFETY: The callback is as the header demands.
            let answers = unsafe { batch.work().run(sovo_gradient::NONE, solve) }?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write_all(answers.into_iter()) };
            return Ok(());
        }
        let solve = |first: usize, answers: &mut [Option<ContactDerivatives>]| {
            one_by_one(first, answers, of)
        };
        // SAFETY: The callback is as the header demands.
        let answers = unsafe { batch.work().run(None, solve) }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(&answers, out) };
        Ok(())
    })
}

/// Writes the derivatives, or NaN where there are none.
///
/// # Safety
/// The pointers must be as the header demands.
unsafe fn write(
    found: Option<&ContactDerivatives>,
    places: &sovo_derivatives,
    out: Out<sovo_gradient>,
) {
    // SAFETY: The caller guarantees it.
    unsafe {
        places.write_or_nan(found);
        out.write(sovo_gradient::of_contact_derivatives(found));
    }
}

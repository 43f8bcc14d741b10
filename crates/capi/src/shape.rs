//! Shapes.

use super::memory::{Out, Plain, Strided, read, read_numbers};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use std::borrow::Cow;
use std::mem::{MaybeUninit, offset_of};
use superovoid::Superovoid;
use superovoid::derivatives::ConvexDomain;
use superovoid::internals::{ConvexityNumbers, ShapeNumbers};

/// Whether a body is convex and, if not, the reason.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_convexity {
    /// The body is convex: queries can prove their answers.
    SOVO_CONVEXITY_CONVEX = 1,
    /// The profile in x (or y) is hollow itself: |tx| (or |ty|) > (1 - e2/2) 2^(e2/2).
    SOVO_CONVEXITY_TAPER_TOO_STRONG = 2,
    /// Both profiles are convex, but the difference of the tapers twists the sections more than the
    /// profiles' curvature allows. For e2 < 1 every body with tx != ty is of this kind.
    SOVO_CONVEXITY_TAPERS_TOO_DIFFERENT = 3,
}
use sovo_convexity::*;

/// A superovoid: a superellipsoid whose x and y half-widths change linearly along z. It is filled by
/// sovo_superovoid_make() and is a plain value from then on: it can be copied, kept in arrays and shared between threads.
/// A query rejects a shape that was filled or changed in any other way.
///
/// In the body's own frame, with its origin at the centre, the body is F <= 0 with
///
///   F(x, y, z) = ( |x/(a1 (1 + tx z/a3))|^(2/e1) + |y/(a2 (1 + ty z/a3))|^(2/e1) )^(e1/e2)
///              + |z/a3|^(2/e2) - 1
///
/// e1 squares the section parallel to the xy plane and e2 the profile along z (part of the
/// literature numbers them the other way round). Exponents: 1 is round, towards 0 a box, towards 2 a
/// pointed body. Without tapers this is a superellipsoid, with e1 = e2 = 1 an ellipsoid.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_superovoid {
    /// The semi-axes a1, a2, a3, metres. They are read-only, like all that follows.
    pub semi_axes: [f64; 3],
    /// The exponents e1, e2.
    pub exponents: [f64; 2],
    /// The tapers tx, ty.
    pub tapers: [f64; 2],
    /// The radius of a sphere about the origin that contains the body, metres.
    pub outer_radius: f64,
    /// The radius of a sphere about the origin inside the body, metres.
    pub inner_radius: f64,
    /// The lowest and highest z/a3 of the sections at which the surface curves inwards; 0, 0 if convex.
    pub hollow_band: [f64; 2],
    /// The convexity, a sovo_convexity.
    pub convexity: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// Constants of the solver, and a checksum of everything above.
    pub prepared: [u64; 8],
}

/// The index of a shape's checksum.
const SEAL: usize = 7;

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_superovoid {}

/// Returns a checksum of any number of values, such that a change of any one of them changes it: the bits of each are
/// rotated by a different amount, the k-th last by 5 k. It protects against mistakes, not against malice.
#[inline]
pub(super) fn seal(words: impl IntoIterator<Item = u64>) -> u64 {
    /// An arbitrary start value that memory does not contain by chance; it is not zero, so that all zero has no valid
    /// checksum.
    const START: u64 = 0x7375_7065_726f_766f;
    let fold = |seal: u64, word| seal.rotate_left(5) ^ word;
    words.into_iter().fold(START, fold)
}

// A sovo_superovoid is a Superovoid and a checksum.
const _: () = {
    assert!(size_of::<sovo_superovoid>() == size_of::<Superovoid>() + size_of::<u64>());
    assert!(align_of::<sovo_superovoid>() == align_of::<Superovoid>());
    assert!(offset_of!(sovo_superovoid, semi_axes) == offset_of!(ShapeNumbers, semi_axes));
    assert!(offset_of!(sovo_superovoid, exponents) == offset_of!(ShapeNumbers, exponents));
    assert!(offset_of!(sovo_superovoid, tapers) == offset_of!(ShapeNumbers, tapers));
    assert!(offset_of!(sovo_superovoid, outer_radius) == offset_of!(ShapeNumbers, outer_radius));
    assert!(offset_of!(sovo_superovoid, inner_radius) == offset_of!(ShapeNumbers, inner_radius));
    assert!(offset_of!(sovo_superovoid, hollow_band) == offset_of!(ShapeNumbers, convexity.band));
    assert!(offset_of!(sovo_superovoid, convexity) == offset_of!(ShapeNumbers, convexity.kind));
    assert!(offset_of!(sovo_superovoid, reserved) == offset_of!(ShapeNumbers, convexity.reserved));
    assert!(offset_of!(sovo_superovoid, prepared) == offset_of!(ShapeNumbers, prepared));
    assert!(SOVO_CONVEXITY_CONVEX as u32 == ConvexityNumbers::CONVEX);
    assert!(SOVO_CONVEXITY_TAPER_TOO_STRONG as u32 == ConvexityNumbers::TAPER_TOO_STRONG);
    assert!(SOVO_CONVEXITY_TAPERS_TOO_DIFFERENT as u32 == ConvexityNumbers::TAPERS_TOO_DIFFERENT);
};

impl sovo_superovoid {
    pub fn of(shape: &Superovoid) -> Self {
        let numbers = ShapeNumbers::of(shape);
        let [p1, p2, q1, q2, steepest, rolling, traits] = numbers.prepared;
        let mut value = sovo_superovoid {
            semi_axes: numbers.semi_axes,
            exponents: numbers.exponents,
            tapers: numbers.tapers,
            outer_radius: numbers.outer_radius,
            inner_radius: numbers.inner_radius,
            hollow_band: numbers.convexity.band,
            convexity: numbers.convexity.kind,
            reserved: numbers.convexity.reserved,
            prepared: [p1, p2, q1, q2, steepest, rolling, traits, 0],
        };
        value.prepared[SEAL] = value.seal();
        value
    }

    #[inline]
    fn seal(&self) -> u64 {
        let [a1, a2, a3] = self.semi_axes.map(f64::to_bits);
        let [e1, e2] = self.exponents.map(f64::to_bits);
        let [tx, ty] = self.tapers.map(f64::to_bits);
        let [low, high] = self.hollow_band.map(f64::to_bits);
        let (outer, inner) = (self.outer_radius.to_bits(), self.inner_radius.to_bits());
        let convexity = u64::from(self.convexity) | u64::from(self.reserved) << 32;
        let [p1, p2, q1, q2, steepest, rolling, traits, _] = self.prepared;
        seal([
            a1, a2, a3, e1, e2, tx, ty, outer, inner, low, high, convexity, p1, p2, q1, q2,
            steepest, rolling, traits,
        ])
    }

    /// Returns the shape, if it is one that [`sovo_superovoid::of`] made.
    #[inline]
    pub fn superovoid(&self, name: &'static str) -> Result<&Superovoid, Failure> {
        if self.prepared[SEAL] != self.seal() {
            return Err(not_made(name));
        }
        // SAFETY: a sovo_superovoid begins with a Superovoid, which consists of numbers.
        Ok(unsafe { &*std::ptr::from_ref(self).cast::<Superovoid>() })
    }
}

#[cold]
fn not_made(name: &'static str) -> Failure {
    Failure::other(
        SOVO_STATUS_ERROR_SHAPE,
        format!("{name} was not filled by sovo_superovoid_make, or was changed since"),
    )
}

/// # Safety
/// The requirements are those of [`read`].
#[inline]
pub(super) unsafe fn read_shape(
    shape: *const sovo_superovoid,
    name: &'static str,
) -> Result<Superovoid, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { read(shape, name) }?.superovoid(name).copied()
}

/// Returns the shape in the caller's memory or, if it is not aligned there, its copy in `place`. Copying it always
/// would cost a query of a microsecond 2 %: the solver reads the copy before the processor has written it.
///
/// # Safety
/// The requirements are those of [`read`], and nothing may write to the shape while the reference lives.
#[inline]
pub(super) unsafe fn look_at_shape<'a>(
    shape: *const sovo_superovoid,
    name: &'static str,
    place: &'a mut MaybeUninit<sovo_superovoid>,
) -> Result<&'a Superovoid, Failure> {
    if shape.is_null() {
        return Err(Failure::Null(name));
    }
    let shape = if shape.is_aligned() {
        // SAFETY: not NULL, aligned, numbers; the rest is the caller's promise.
        unsafe { &*shape }
    } else {
        // SAFETY: the caller's promise; any bits are a sovo_superovoid.
        place.write(unsafe { shape.read_unaligned() })
    };
    shape.superovoid(name)
}

/// Returns a shape of an array: where it lies, if it is aligned there, otherwise its copy.
///
/// # Safety
/// The requirements are those of [`Strided::get`], and nothing may write to the shape while the reference lives.
#[inline]
pub(super) unsafe fn look_at_element<'a>(
    shapes: &'a Strided<sovo_superovoid>,
    index: usize,
    name: &'static str,
) -> Result<Cow<'a, Superovoid>, Failure> {
    // SAFETY: The caller guarantees it.
    match unsafe { shapes.look(index) } {
        Cow::Borrowed(shape) => shape.superovoid(name).map(Cow::Borrowed),
        Cow::Owned(shape) => shape.superovoid(name).copied().map(Cow::Owned),
    }
}

/// Makes a shape from the seven numbers of a superovoid, which are checked: semi_axes points to a1, a2, a3 (metres),
/// exponents to e1, e2, tapers to tx, ty (NULL: 0, 0, a superellipsoid). This takes about a microsecond for
/// superellipsoids, and up to some hundred for tapered bodies.
///
/// Every combination in the domain is accepted, also bodies that are not convex: see the field
/// convexity.
///
/// SOVO_STATUS_ERROR_SHAPE: a semi-axis that is not finite and positive, an exponent that is not between 0 and
/// 2, a taper that is not between -1 and 1 (ends excluded). The text names the first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_make(
    semi_axes: *const f64,
    exponents: *const f64,
    tapers: *const f64,
    shape: *mut sovo_superovoid,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let semi_axes = unsafe { read_numbers(semi_axes, "semi_axes") }?;
        // SAFETY: As above, the caller guarantees it.
        let exponents = unsafe { read_numbers(exponents, "exponents") }?;
        // SAFETY: As above, the caller guarantees it.
        let tapers = unsafe { read_tapers(tapers) }?;
        let out = Out::new(shape, "shape")?;
        let made = Superovoid::new(semi_axes, exponents, tapers)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_superovoid::of(&made)) };
        Ok(())
    })
}

/// Reads two tapers; NULL stands for 0, 0.
///
/// # Safety
/// The requirements are those of [`read_numbers`].
unsafe fn read_tapers(tapers: *const f64) -> Result<[f64; 2], Failure> {
    if tapers.is_null() {
        return Ok([0.0; 2]);
    }
    // SAFETY: The caller guarantees it.
    unsafe { read_numbers(tapers, "tapers") }
}

/// Makes the convex shape nearest to seven numbers, given as to sovo_superovoid_make(), for optimisers whose steps along
/// shape derivatives leave the domain: semi-axes are at least 1e-4 m, exponents from 0.02 to 1.98, tapers at most 0.95 and
/// the nearest with which these exponents make a convex body. A convex shape within these limits is made as it is.
/// Unequal tapers that are to be brought nearer to each other take some milliseconds.
///
/// SOVO_STATUS_ERROR_SHAPE: a number that is not finite; the text names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_make_convex(
    semi_axes: *const f64,
    exponents: *const f64,
    tapers: *const f64,
    shape: *mut sovo_superovoid,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let [a1, a2, a3] = unsafe { read_numbers(semi_axes, "semi_axes") }?;
        // SAFETY: As above, the caller guarantees it.
        let [e1, e2] = unsafe { read_numbers(exponents, "exponents") }?;
        // SAFETY: As above, the caller guarantees it.
        let [tx, ty] = unsafe { read_tapers(tapers) }?;
        let out = Out::new(shape, "shape")?;
        let made = ConvexDomain::default().project([a1, a2, a3, e1, e2, tx, ty])?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_superovoid::of(&made)) };
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_comes_back_as_it_was() -> Result<(), Box<dyn std::error::Error>> {
        for (e, t) in [
            ([1.0, 1.0], [0.0, 0.0]),
            ([0.02, 1.98], [0.3, 0.3]),
            ([0.5, 0.5], [0.9, -0.9]),
            ([1.0, 1.9], [0.5, 0.5]),
        ] {
            let shape = Superovoid::new([1.0, 2.0, 3.0], e, t)?;
            let value = sovo_superovoid::of(&shape);
            let back = value.superovoid("shape");
            assert_eq!(*back.map_err(|e| e.to_string())?, shape);
        }
        Ok(())
    }

    #[test]
    fn a_shape_is_seen_where_it_lies_aligned_or_not() -> Result<(), Box<dyn std::error::Error>> {
        let shape = Superovoid::new([1.0, 2.0, 3.0], [0.5, 0.7], [0.3, -0.2])?;
        let mut memory = [0_u64; 2 + size_of::<sovo_superovoid>() / size_of::<u64>()];
        for offset in 0..=size_of::<u64>() {
            // SAFETY: within the memory, with room for a shape behind it.
            let there = unsafe { memory.as_mut_ptr().byte_add(offset) }.cast::<sovo_superovoid>();
            // SAFETY: As above, the caller guarantees it.
            unsafe { there.write_unaligned(sovo_superovoid::of(&shape)) };
            let mut place = MaybeUninit::uninit();
            // SAFETY: as above, and nothing writes there meanwhile.
            let seen = unsafe { look_at_shape(there, "shape", &mut place) };
            assert_eq!(*seen.map_err(|e| e.to_string())?, shape, "offset {offset}");
        }
        Ok(())
    }

    #[test]
    fn a_change_of_any_bit_is_seen() -> Result<(), Box<dyn std::error::Error>> {
        let shape = Superovoid::new([1.0, 2.0, 3.0], [0.5, 0.7], [0.3, -0.2])?;
        let bytes = size_of::<sovo_superovoid>();
        for bit in 0..8 * bytes {
            let mut value = sovo_superovoid::of(&shape);
            // SAFETY: a byte of the value, of which any bits are valid.
            unsafe { *(&raw mut value).cast::<u8>().add(bit / 8) ^= 1 << (bit % 8) };
            assert!(value.superovoid("shape").is_err(), "bit {bit}");
        }
        Ok(())
    }
}

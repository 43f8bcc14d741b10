//! Reads and writes of the caller's memory.

use super::status::{Failure, caught, sovo_status::*};
use nalgebra::{Point3, Vector3};
use std::borrow::Cow;

/// Types of which any bits are a valid value, so that they can be read from memory that a C program filled
/// arbitrarily.
///
/// # Safety
/// `repr(C)` structs, or arrays, of integers, floating-point numbers, raw pointers and `Option`s of
/// function pointers only.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for u8 {}
// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for u32 {}
// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for i32 {}
// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for f64 {}
// SAFETY: Any bits are a valid pointer, as long as it is not followed.
unsafe impl<T> Plain for *const T {}
// SAFETY: An array of numbers, for which any bits are valid.
unsafe impl<const N: usize> Plain for [f64; N] {}
// SAFETY: An array of numbers, for which any bits are valid.
unsafe impl<const N: usize> Plain for [u32; N] {}

/// Reads the value behind a pointer that must not be NULL. `name` is for the error.
///
/// # Safety
/// A pointer that is not NULL must point to a `T`, aligned or not.
#[inline]
pub(super) unsafe fn read<T: Plain>(pointer: *const T, name: &'static str) -> Result<T, Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: The caller guarantees it, and any bits are a valid T.
    Ok(unsafe { pointer.read_unaligned() })
}

/// A value to be read, whose pointer is known not to be NULL.
///
/// Large values in the queries that take a microsecond are read through this type instead of [`read`]: a `Result` of
/// a large value is taken apart and put together again in pieces, which costs more than the read.
#[must_use]
pub(super) struct In<T>(*const T);

impl<T: Plain> In<T> {
    #[inline(always)]
    pub fn new(pointer: *const T, name: &'static str) -> Result<Self, Failure> {
        if pointer.is_null() {
            Err(Failure::Null(name))
        } else {
            Ok(In(pointer))
        }
    }

    /// # Safety
    /// The pointer must be to a `T`, aligned or not.
    #[inline(always)]
    pub unsafe fn read(self) -> T {
        // SAFETY: The caller guarantees it, and any bits are a valid T.
        unsafe { self.0.read_unaligned() }
    }
}

/// Reads `N` numbers behind a pointer to the first.
///
/// # Safety
/// The requirements are those of [`read`], for `N` numbers.
#[inline]
pub(super) unsafe fn read_numbers<const N: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<[f64; N], Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { read(pointer.cast::<[f64; N]>(), name) }
}

/// Reads a point behind a pointer to its first coordinate.
///
/// # Safety
/// The requirements are those of [`read`], for three numbers.
#[inline]
pub(super) unsafe fn read_point(
    pointer: *const f64,
    name: &'static str,
) -> Result<Point3<f64>, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { read_numbers::<3>(pointer, name) }.map(Point3::from)
}

/// Reads a direction behind a pointer to its first coordinate.
///
/// # Safety
/// The requirements are those of [`read`], for three numbers.
#[inline]
pub(super) unsafe fn read_vector(
    pointer: *const f64,
    name: &'static str,
) -> Result<Vector3<f64>, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { read_numbers::<3>(pointer, name) }.map(Vector3::from)
}

/// The destination of a result, whose pointer is known not to be NULL.
#[must_use]
pub(super) struct Out<T>(*mut T);

impl<T> Out<T> {
    #[inline]
    pub fn new(pointer: *mut T, name: &'static str) -> Result<Self, Failure> {
        if pointer.is_null() {
            Err(Failure::Null(name))
        } else {
            Ok(Out(pointer))
        }
    }

    /// # Safety
    /// The pointer must be to memory for a `T`, aligned or not, that nothing else uses at the same time.
    #[inline]
    pub unsafe fn write(self, value: T) {
        // SAFETY: The caller guarantees it.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// Structs that begin with their own size, so that fields can be added at the end.
///
/// # Safety
/// The first field must be the size, a `usize`.
pub(super) unsafe trait Versioned: Plain {
    /// The value of the fields that a caller with an older header does not know.
    const DEFAULT: Self;

    /// The size in the first release of the interface, which stays when fields are added. No program has a shorter struct:
    /// a smaller size is a mistake, such as that of a pointer.
    const FIRST: usize;
}

/// Returns the size of a struct up to a field.
macro_rules! size_through {
    ($struct:ident . $field:ident: $type:ty) => {
        std::mem::offset_of!($struct, $field) + size_of::<$type>()
    };
}
pub(super) use size_through;

/// Reads a struct that begins with its size; returns `None` for NULL.
///
/// The fields that a shorter struct lacks, from a caller that was compiled with an older header, have their defaults. The
/// part by which a longer struct exceeds this version must be zero; otherwise it requests something unknown.
///
/// # Safety
/// A pointer that is not NULL must point to a `usize` and to as many bytes as that says, aligned or not.
#[inline]
pub(super) unsafe fn read_sized<T: Versioned>(
    pointer: *const T,
    name: &'static str,
) -> Result<Option<T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: The caller guarantees it.
    let size = unsafe { pointer.cast::<usize>().read_unaligned() };
    if size == size_of::<T>() {
        // SAFETY: The caller guarantees it, and any bits are a valid T.
        return Ok(Some(unsafe { pointer.read_unaligned() }));
    }
    // SAFETY: The caller guarantees it.
    unsafe { read_other_size(pointer, size, name) }.map(Some)
}

/// # Safety
/// The requirements are those of [`read_sized`].
#[cold]
unsafe fn read_other_size<T: Versioned>(
    pointer: *const T,
    size: usize,
    name: &'static str,
) -> Result<T, Failure> {
    /// The largest size that a struct will ever have; a larger one is a mistake.
    const LARGEST: usize = 1024;
    let known = size_of::<T>();
    // The size of every version is a multiple of its alignment; any other one would cut a field.
    if size < T::FIRST || size > LARGEST || !size.is_multiple_of(align_of::<T>()) {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_SIZE,
            format!("{name}->size = {size}: it must be sizeof(*{name}), here {known}"),
        ));
    }
    let mut value = T::DEFAULT;
    let bytes = pointer.cast::<u8>();
    // SAFETY: `size` bytes may be read, `known` bytes may be written, and any bits are a T.
    unsafe { bytes.copy_to_nonoverlapping((&raw mut value).cast(), size.min(known)) };
    for place in known..size {
        // SAFETY: `place` is below `size`.
        if unsafe { bytes.add(place).read() } != 0 {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_SIZE,
                format!(
                    "{name} has a field at byte {place} that this version of the library, whose \
                     struct ends at byte {known}, does not know: it must be 0"
                ),
            ));
        }
    }
    Ok(value)
}

/// Elements at equal distances in the caller's memory.
#[derive(Clone, Copy)]
pub(super) struct Strided<T> {
    first: *const T,
    stride: usize,
}

// SAFETY: the memory is read only, by value; that nothing else writes to it is the caller's promise.
unsafe impl<T> Sync for Strided<T> {}
// SAFETY: As above, the caller guarantees it.
unsafe impl<T> Send for Strided<T> {}

impl<T: Plain> Strided<T> {
    /// Makes `count` elements, `stride` bytes from one to the next; a stride of 0 repeats the first. Elements that share
    /// bytes are refused: their stride counts something else than bytes.
    pub fn new(
        first: *const T,
        count: usize,
        stride: usize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        check_array(first, count, stride, name)?;
        if count > 1 && (1..size_of::<T>()).contains(&stride) {
            return Err(short_stride::<T>(stride, name));
        }
        Ok(Strided { first, stride })
    }

    /// Returns the place of an element, whose index must be below the count.
    #[inline]
    pub fn place(&self, index: usize) -> *const T {
        self.first.wrapping_byte_add(index * self.stride)
    }

    /// # Safety
    /// `index` must be below the count, and the memory must be as `new` was told.
    #[inline]
    pub unsafe fn get(&self, index: usize) -> T {
        // SAFETY: the product was checked not to overflow; any bits are a T.
        unsafe { self.first.byte_add(index * self.stride).read_unaligned() }
    }

    /// Returns the element where it lies, if it is aligned there, otherwise its copy.
    ///
    /// # Safety
    /// The requirements are those of [`Strided::get`], and nothing may write to the element while the reference lives.
    #[inline]
    pub unsafe fn look(&self, index: usize) -> Cow<'_, T> {
        // SAFETY: The product was checked not to overflow.
        let element = unsafe { self.first.byte_add(index * self.stride) };
        if element.is_aligned() {
            // SAFETY: aligned, and any bits are a T; the rest is the caller's promise.
            Cow::Borrowed(unsafe { &*element })
        } else {
            // SAFETY: any bits are a T.
            Cow::Owned(unsafe { element.read_unaligned() })
        }
    }
}

/// Places for results at equal distances in the caller's memory.
pub(super) struct StridedOut<T> {
    first: *mut T,
    stride: usize,
}

impl<T: Plain> StridedOut<T> {
    /// Makes `count` places, `stride` bytes from one to the next.
    pub fn new(
        first: *mut T,
        count: usize,
        stride: usize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        check_array(first, count, stride, name)?;
        if count > 1 && stride < size_of::<T>() {
            return Err(short_stride::<T>(stride, name));
        }
        Ok(StridedOut { first, stride })
    }

    /// # Safety
    /// The memory must be as `new` was told, with room for `values`.
    pub unsafe fn write_all(self, values: impl Iterator<Item = T>) {
        for (index, value) in values.enumerate() {
            // SAFETY: the caller's promise; the product was checked not to overflow.
            unsafe {
                self.first
                    .byte_add(index * self.stride)
                    .write_unaligned(value)
            };
        }
    }
}

/// Returns the error of elements that would overlap.
#[cold]
fn short_stride<T>(stride: usize, name: &'static str) -> Failure {
    let size = size_of::<T>();
    Failure::other(
        SOVO_STATUS_ERROR_SIZE,
        format!(
            "the stride of {name} is {stride} bytes: the elements, {size} bytes each, would overlap"
        ),
    )
}

/// Returns an error for NULL with elements, and for more elements than an address space holds.
fn check_array<T>(
    first: *const T,
    count: usize,
    stride: usize,
    name: &'static str,
) -> Result<(), Failure> {
    if first.is_null() && count > 0 {
        return Err(Failure::Null(name));
    }
    let bytes = count.checked_mul(stride.max(size_of::<T>()));
    if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_SIZE,
            format!("{name}: {count} elements, {stride} bytes apart, are more than memory holds"),
        ));
    }
    Ok(())
}

/// Reads points of three numbers each; contiguous ones are not copied. Points at the same place, with a stride of 0, are
/// refused like others that overlap.
///
/// # Safety
/// There must be `count` points, `stride` bytes from one to the next, to which nothing writes while the slice lives.
pub(super) unsafe fn read_points<'a>(
    first: *const f64,
    count: usize,
    stride: usize,
    name: &'static str,
) -> Result<Cow<'a, [Point3<f64>]>, Failure> {
    check_array(first.cast::<[f64; 3]>(), count, stride, name)?;
    if count > 0 && stride == size_of::<Point3<f64>>() && first.is_aligned() {
        // SAFETY: not NULL, aligned, as many as the caller promised, within an address space; a
        // point is three numbers.
        let slice = unsafe { std::slice::from_raw_parts(first.cast::<Point3<f64>>(), count) };
        return Ok(Cow::Borrowed(slice));
    }
    // SAFETY: The caller guarantees it.
    unsafe { copy_points(first, count, stride, name) }.map(Cow::Owned)
}

/// Reads points of three numbers each, copied.
///
/// # Safety
/// There must be `count` points, `stride` bytes from one to the next.
pub(super) unsafe fn copy_points(
    first: *const f64,
    count: usize,
    stride: usize,
    name: &'static str,
) -> Result<Vec<Point3<f64>>, Failure> {
    let first = first.cast::<[f64; 3]>();
    let points = Strided::new(first, count, stride, name)?;
    if count > 1 && stride == 0 {
        return Err(short_stride::<[f64; 3]>(stride, name));
    }
    let mut copy = with_capacity(count)?;
    // SAFETY: The caller guarantees it.
    copy.extend((0..count).map(|i| Point3::from(unsafe { points.get(i) })));
    Ok(copy)
}

/// Returns a vector with room for `count` elements, or an error where memory does not suffice.
pub(super) fn with_capacity<T>(count: usize) -> Result<Vec<T>, Failure> {
    let mut vector = Vec::new();
    match vector.try_reserve_exact(count) {
        Ok(()) => Ok(vector),
        Err(_) => Err(no_memory(count, size_of::<T>())),
    }
}

#[cold]
pub(super) fn no_memory(count: usize, bytes: usize) -> Failure {
    Failure::other(
        SOVO_STATUS_ERROR_MEMORY,
        format!("not enough memory for {count} elements of {bytes} bytes"),
    )
}

/// Returns an error unless memory suffices for `count` times so many bytes. This serves work whose own allocations
/// end the process when they fail; other threads may still take the memory first.
pub(super) fn room_for(count: usize, bytes: usize) -> Result<(), Failure> {
    let room: Vec<u8> = with_capacity(count.saturating_mul(bytes))?;
    // Otherwise the compiler removes the allocation.
    std::hint::black_box(room.as_ptr());
    Ok(())
}

/// Frees the object behind a handle.
///
/// # Safety
/// The pointer must be NULL, or one from `Box::into_raw` that was not freed before.
pub(super) unsafe fn free<T>(pointer: *mut T) {
    if pointer.is_null() {
        return;
    }
    // There is no caller to take this status: the destructor does not fail.
    let _ = caught(|| {
        // SAFETY: The caller guarantees it.
        drop(unsafe { Box::from_raw(pointer) });
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct that had two fields in its first release, and has one more.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Grown {
        size: usize,
        first: f64,
        added: f64,
    }
    // SAFETY: The struct consists of numbers, for which any bits are valid.
    unsafe impl Plain for Grown {}
    // SAFETY: The first field is the size.
    unsafe impl Versioned for Grown {
        const DEFAULT: Self = Grown {
            size: 0,
            first: 1.0,
            added: 2.0,
        };
        const FIRST: usize = size_through!(Grown.first: f64);
    }

    #[test]
    fn a_struct_of_the_first_release_has_the_defaults_of_later_fields() {
        for size in 0..=size_of::<Grown>() {
            let given = Grown {
                size,
                first: 7.0,
                added: 8.0,
            };
            // SAFETY: The pointer is to a whole struct.
            let read = unsafe { read_sized(&raw const given, "grown") };
            let read = read.map_err(|failure| failure.status());
            let expected = match size {
                16 => Ok(Some(Grown {
                    added: 2.0,
                    ..given
                })),
                24 => Ok(Some(given)),
                _ => Err(SOVO_STATUS_ERROR_SIZE),
            };
            assert_eq!(read, expected, "size {size}");
        }
    }
}

//! Reading and writing the caller's memory.

use super::status::{Failure, caught, sovo_status::*};
use nalgebra::{Point3, Vector3};
use std::borrow::Cow;

/// Types of which any bits are a value, so that they can be read from memory that a C program filled
/// as it liked.
///
/// # Safety
/// `repr(C)` structs, or arrays, of integers, floating-point numbers, raw pointers and `Option`s of
/// function pointers only.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: numbers.
unsafe impl Plain for u8 {}
// SAFETY: numbers.
unsafe impl Plain for u32 {}
// SAFETY: numbers.
unsafe impl Plain for f64 {}
// SAFETY: arrays of numbers.
unsafe impl<const N: usize> Plain for [f64; N] {}
// SAFETY: arrays of numbers.
unsafe impl<const N: usize> Plain for [u32; N] {}

/// The value behind a pointer that must not be NULL. `name` is for the error.
///
/// # Safety
/// A pointer that is not NULL points to a `T`, aligned or not.
#[inline]
pub(super) unsafe fn read<T: Plain>(pointer: *const T, name: &'static str) -> Result<T, Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: the caller's promise; any bits are a T.
    Ok(unsafe { pointer.read_unaligned() })
}

/// A value to be read, known not to be NULL.
///
/// Large values in the queries that take a microsecond are read through this rather than through
/// [`read`]: a `Result` of a large value is taken apart and put together again in pieces, which costs
/// more than the reading.
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
    /// The pointer is to a `T`, aligned or not.
    #[inline(always)]
    pub unsafe fn read(self) -> T {
        // SAFETY: the caller's promise; any bits are a T.
        unsafe { self.0.read_unaligned() }
    }
}

/// `N` numbers behind a pointer to the first.
///
/// # Safety
/// As [`read`], for `N` numbers.
#[inline]
pub(super) unsafe fn read_numbers<const N: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<[f64; N], Failure> {
    // SAFETY: the caller's promise.
    unsafe { read(pointer.cast::<[f64; N]>(), name) }
}

/// A point behind a pointer to its first coordinate.
///
/// # Safety
/// As [`read`], for three numbers.
#[inline]
pub(super) unsafe fn read_point(
    pointer: *const f64,
    name: &'static str,
) -> Result<Point3<f64>, Failure> {
    // SAFETY: the caller's promise.
    unsafe { read_numbers::<3>(pointer, name) }.map(Point3::from)
}

/// A direction behind a pointer to its first coordinate.
///
/// # Safety
/// As [`read`], for three numbers.
#[inline]
pub(super) unsafe fn read_vector(
    pointer: *const f64,
    name: &'static str,
) -> Result<Vector3<f64>, Failure> {
    // SAFETY: the caller's promise.
    unsafe { read_numbers::<3>(pointer, name) }.map(Vector3::from)
}

/// A place for a result, known not to be NULL.
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
    /// The pointer is to memory for a `T`, aligned or not, that nothing else uses meanwhile.
    #[inline]
    pub unsafe fn write(self, value: T) {
        // SAFETY: the caller's promise.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// Structs that begin with their own size and in which zero means default, so that fields can be
/// added at the end.
///
/// # Safety
/// The first field is the size, a `usize`.
pub(super) unsafe trait Versioned: Plain {
    /// All zero.
    const ZERO: Self;
}

/// A struct that begins with its size; `None` for NULL.
///
/// Of a shorter one, from a caller that was compiled with an older header, the fields that it lacks
/// are zero. What a longer one has more must be zero, or it asks for something unknown here.
///
/// # Safety
/// A pointer that is not NULL points to a `usize` and to as many bytes as that says, aligned or not.
#[inline]
pub(super) unsafe fn read_sized<T: Versioned>(
    pointer: *const T,
    name: &'static str,
) -> Result<Option<T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let size = unsafe { pointer.cast::<usize>().read_unaligned() };
    if size == size_of::<T>() {
        // SAFETY: the caller's promise; any bits are a T.
        return Ok(Some(unsafe { pointer.read_unaligned() }));
    }
    // SAFETY: the caller's promise.
    unsafe { read_other_size(pointer, size, name) }.map(Some)
}

/// # Safety
/// As [`read_sized`].
#[cold]
unsafe fn read_other_size<T: Versioned>(
    pointer: *const T,
    size: usize,
    name: &'static str,
) -> Result<T, Failure> {
    /// More than a struct will ever have; a larger size is a mistake.
    const LARGEST: usize = 1024;
    let known = size_of::<T>();
    // The size of every version is a multiple of its alignment; any other one would cut a field.
    if size < size_of::<usize>() || size > LARGEST || !size.is_multiple_of(align_of::<T>()) {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_SIZE,
            format!("{name}->size = {size}: it must be sizeof(*{name}), here {known}"),
        ));
    }
    let mut value = T::ZERO;
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
// SAFETY: as above.
unsafe impl<T> Send for Strided<T> {}

impl<T: Plain> Strided<T> {
    /// `count` elements, `stride` bytes from one to the next; a stride of 0 repeats the first.
    pub fn new(
        first: *const T,
        count: usize,
        stride: usize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        check_array(first, count, stride, name)?;
        Ok(Strided { first, stride })
    }

    /// # Safety
    /// `index` is below the count, and the memory is as `new` was told.
    #[inline]
    pub unsafe fn get(&self, index: usize) -> T {
        // SAFETY: the product was checked not to overflow; any bits are a T.
        unsafe { self.first.byte_add(index * self.stride).read_unaligned() }
    }
}

/// Places for results at equal distances in the caller's memory.
pub(super) struct StridedOut<T> {
    first: *mut T,
    stride: usize,
}

impl<T: Plain> StridedOut<T> {
    /// `count` places, `stride` bytes from one to the next.
    pub fn new(
        first: *mut T,
        count: usize,
        stride: usize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        check_array(first, count, stride, name)?;
        if count > 1 && stride < size_of::<T>() {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_SIZE,
                format!(
                    "the stride of {name} is {stride} bytes: the results, {} bytes each, would \
                     overlap",
                    size_of::<T>()
                ),
            ));
        }
        Ok(StridedOut { first, stride })
    }

    /// # Safety
    /// The memory is as `new` was told, with room for `values`.
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

/// NULL only for no elements, and no more of them than an address space holds.
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

/// Points of three numbers each; those that lie close together are not copied.
///
/// # Safety
/// `count` points, `stride` bytes from one to the next, which nothing writes to while the slice lives.
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
    // SAFETY: the caller's promise.
    unsafe { copy_points(first, count, stride, name) }.map(Cow::Owned)
}

/// Points of three numbers each, copied.
///
/// # Safety
/// `count` points, `stride` bytes from one to the next.
pub(super) unsafe fn copy_points(
    first: *const f64,
    count: usize,
    stride: usize,
    name: &'static str,
) -> Result<Vec<Point3<f64>>, Failure> {
    let points = Strided::new(first.cast::<[f64; 3]>(), count, stride, name)?;
    let mut copy = with_capacity(count)?;
    // SAFETY: the caller's promise.
    copy.extend((0..count).map(|i| Point3::from(unsafe { points.get(i) })));
    Ok(copy)
}

/// A vector with room for `count` elements, or an error where memory does not suffice.
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

/// An error unless memory suffices for `count` times so many bytes. For work whose own allocations end
/// the process when they fail; other threads may still be faster to take the memory.
pub(super) fn room_for(count: usize, bytes: usize) -> Result<(), Failure> {
    let room: Vec<u8> = with_capacity(count.saturating_mul(bytes))?;
    // Or the compiler does without.
    std::hint::black_box(room.as_ptr());
    Ok(())
}

/// Frees what a handle points to.
///
/// # Safety
/// NULL, or a pointer from `Box::into_raw` that was not freed before.
pub(super) unsafe fn free<T>(pointer: *mut T) {
    if pointer.is_null() {
        return;
    }
    // A status without anybody to take it: the destructor does not fail.
    let _ = caught(|| {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(pointer) });
        Ok(())
    });
}

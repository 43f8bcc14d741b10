//! Status codes, the text of the last error, and the guard in which every function runs.

use std::any::Any;
use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use superovoid::bvh::TreeError;
use superovoid::convex::ConvexShapeError;
use superovoid::polytope::PolytopeError;
use superovoid::superquadric::SuperquadricError;
use superovoid::{QueryError, ShapeError};

/// The status of a call. Everything but SOVO_STATUS_OK is an error: the call changed nothing that the caller can see,
/// and sovo_last_error() describes the error and its place.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_status {
    /// The call succeeded.
    SOVO_STATUS_OK = 0,
    /// A pointer that must not be NULL is NULL.
    SOVO_STATUS_ERROR_NULL = 1,
    /// A size field, count, capacity, stride, or index in an array is invalid.
    SOVO_STATUS_ERROR_SIZE = 2,
    /// An option is out of its domain, unknown, or in conflict with another one.
    SOVO_STATUS_ERROR_OPTION = 3,
    /// The parameters are not those of a shape, or a sovo_superovoid was not filled by this library or was changed since.
    SOVO_STATUS_ERROR_SHAPE = 4,
    /// A pose is not finite, or its quaternion or matrix is not a rotation.
    SOVO_STATUS_ERROR_POSE = 5,
    /// A point, direction or other length is not finite or is zero where it must not be, or vertices, triangles or
    /// boxes do not make a body.
    SOVO_STATUS_ERROR_GEOMETRY = 6,
    /// The answer, or an intermediate difference, exceeds the number range.
    SOVO_STATUS_ERROR_OVERFLOW = 7,
    /// A sovo_pair_cache is neither all zero nor written by a query.
    SOVO_STATUS_ERROR_CACHE = 8,
    /// A text is not UTF-8.
    SOVO_STATUS_ERROR_TEXT = 9,
    /// A file cannot be read.
    SOVO_STATUS_ERROR_FILE = 10,
    /// A robot description was rejected; the text gives line and column.
    SOVO_STATUS_ERROR_URDF = 11,
    /// The robot cannot take these joint positions, or a robot or scene does not have this name, index or number.
    SOVO_STATUS_ERROR_CONFIGURATION = 12,
    /// The cancel callback ended the call.
    SOVO_STATUS_ERROR_CANCELLED = 13,
    /// There is not enough memory.
    SOVO_STATUS_ERROR_MEMORY = 14,
    /// A defect of this library was caught before it could do harm. Please report it with the text.
    SOVO_STATUS_ERROR_INTERNAL = 15,
    /// The robot has collision shapes that are not checked, so that nothing proves it free; the text names them.
    SOVO_STATUS_ERROR_UNCHECKED = 16,
    /// The library has no answer for these kinds of body; the text names them.
    SOVO_STATUS_ERROR_UNSUPPORTED = 17,
}
use sovo_status::*;

/// The failure of a call: a status and its text.
#[derive(Debug)]
pub(super) enum Failure {
    /// The name of the argument.
    Null(&'static str),
    Shape(ShapeError),
    Query(QueryError),
    Polytope(PolytopeError),
    Tree(TreeError),
    /// An error in an argument, with its name.
    At(&'static str, Box<Failure>),
    /// An error of one element of a batch, with its index.
    Element(usize, Box<Failure>),
    /// Any other error.
    Other(sovo_status, String),
}

impl Failure {
    pub fn other(status: sovo_status, text: impl Into<String>) -> Self {
        Failure::Other(status, text.into())
    }

    pub fn status(&self) -> sovo_status {
        match self {
            Failure::Null(_) => SOVO_STATUS_ERROR_NULL,
            Failure::Shape(_) => SOVO_STATUS_ERROR_SHAPE,
            Failure::Polytope(_) => SOVO_STATUS_ERROR_GEOMETRY,
            Failure::Tree(TreeError::TooMany { .. }) => SOVO_STATUS_ERROR_SIZE,
            Failure::Tree(_) => SOVO_STATUS_ERROR_GEOMETRY,
            Failure::Query(error) => match error {
                QueryError::NonFinitePose { .. } | QueryError::Rotation { .. } => {
                    SOVO_STATUS_ERROR_POSE
                }
                QueryError::Overflow => SOVO_STATUS_ERROR_OVERFLOW,
                QueryError::LengthMismatch { .. } => SOVO_STATUS_ERROR_SIZE,
                QueryError::Option { .. } => SOVO_STATUS_ERROR_OPTION,
                QueryError::Unsupported { .. } => SOVO_STATUS_ERROR_UNSUPPORTED,
                _ => SOVO_STATUS_ERROR_GEOMETRY,
            },
            Failure::At(_, failure) | Failure::Element(_, failure) => failure.status(),
            Failure::Other(status, _) => *status,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Null(name) => write!(f, "{name} is NULL"),
            Failure::Shape(error) => error.fmt(f),
            Failure::Query(error) => error.fmt(f),
            Failure::Polytope(error) => error.fmt(f),
            Failure::Tree(error) => error.fmt(f),
            Failure::At(name, failure) => write!(f, "{name}: {failure}"),
            Failure::Element(index, failure) => write!(f, "element {index}: {failure}"),
            Failure::Other(_, text) => f.write_str(text),
        }
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Failure::Shape(error)
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Failure::Query(error)
    }
}

impl From<PolytopeError> for Failure {
    fn from(error: PolytopeError) -> Self {
        Failure::Polytope(error)
    }
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        Failure::Tree(error)
    }
}

impl From<ConvexShapeError> for Failure {
    fn from(error: ConvexShapeError) -> Self {
        match error {
            ConvexShapeError::Hull(error) => error.into(),
            _ => Failure::other(SOVO_STATUS_ERROR_GEOMETRY, error.to_string()),
        }
    }
}

impl From<SuperquadricError> for Failure {
    fn from(error: SuperquadricError) -> Self {
        Failure::other(SOVO_STATUS_ERROR_SHAPE, error.to_string())
    }
}

/// Returns the numbers of an answer, unless the number range is too small for it.
pub(super) fn in_range<const N: usize>(numbers: [f64; N], name: &str) -> Result<[f64; N], Failure> {
    if numbers.iter().all(|x| x.is_finite()) {
        return Ok(numbers);
    }
    Err(Failure::other(
        SOVO_STATUS_ERROR_OVERFLOW,
        format!("the {name} exceeds the number range"),
    ))
}

/// Runs the body of a call; an error or panic is recorded for [`sovo_last_error`].
#[inline]
pub(super) fn guarded(body: impl FnOnce() -> Result<(), Failure>) -> sovo_status {
    match caught(body) {
        Ok(()) => SOVO_STATUS_OK,
        Err(failure) => record(&failure),
    }
}

/// Returns the body's result, with a panic as one of its errors.
#[inline]
pub(super) fn caught<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // Results are written last, so no partial change can be seen after a panic.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(of_panic(payload)))
}

/// Returns the error that tells of a panic: once, and not in each of the functions.
#[cold]
#[inline(never)]
fn of_panic(payload: Box<dyn Any + Send>) -> Failure {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let failure = Failure::other(
        SOVO_STATUS_ERROR_INTERNAL,
        format!("a defect of this library: {}", text.unwrap_or("no text")),
    );
    // Dropping a payload can panic again.
    std::mem::forget(payload);
    failure
}

#[cold]
fn record(failure: &Failure) -> sovo_status {
    let formatted = catch_unwind(AssertUnwindSafe(|| {
        LAST_ERROR.try_with(|text| {
            // SAFETY: the text is this thread's own, and no reference to it outlives its use here.
            let text = unsafe { &mut *text.get() };
            text.clear();
            // A text that is too long is truncated.
            let _ = write!(text, "{failure}");
        })
    }));
    // Without a text (in a thread that is ending) there is still the status.
    drop(formatted);
    failure.status()
}

/// The size of an error text in bytes, the final zero included. Long lists of names are truncated.
const CAPACITY: usize = 2048;

/// A text of limited length that ends with a zero, without the heap: an error costs no allocation, and a thread that
/// ends has nothing to free.
struct Text {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl Text {
    fn clear(&mut self) {
        self.length = 0;
        self.bytes[0] = 0;
    }
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let room = CAPACITY - 1 - self.length;
        let mut end = s.len().min(room);
        while !s.is_char_boundary(end) {
            end -= 1;
        }
        self.bytes[self.length..][..end].copy_from_slice(&s.as_bytes()[..end]);
        // A zero within the text would end it early.
        for byte in &mut self.bytes[self.length..][..end] {
            if *byte == 0 {
                *byte = b'?';
            }
        }
        self.length += end;
        self.bytes[self.length] = 0;
        if end == s.len() {
            Ok(())
        } else {
            Err(fmt::Error)
        }
    }
}

thread_local! {
    static LAST_ERROR: UnsafeCell<Text> = const {
        UnsafeCell::new(Text { bytes: [0; CAPACITY], length: 0 })
    };
}

/// Returns the description of the last error of this thread, in English, UTF-8; the empty string if there was none.
/// The text belongs to the library: it is valid until another call fails on this thread or the thread ends. A call
/// that succeeds does not clear it.
#[unsafe(no_mangle)]
pub extern "C" fn sovo_last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|text| {
            // SAFETY: a pointer to the bytes, without a reference to them.
            unsafe { (&raw const (*text.get()).bytes).cast() }
        })
        .unwrap_or(c"".as_ptr())
}

/// Returns the name of a status, such as "SOVO_STATUS_ERROR_NULL"; "unknown status" for any other number. The text is
/// a constant.
#[unsafe(no_mangle)]
pub extern "C" fn sovo_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"SOVO_STATUS_OK",
        1 => c"SOVO_STATUS_ERROR_NULL",
        2 => c"SOVO_STATUS_ERROR_SIZE",
        3 => c"SOVO_STATUS_ERROR_OPTION",
        4 => c"SOVO_STATUS_ERROR_SHAPE",
        5 => c"SOVO_STATUS_ERROR_POSE",
        6 => c"SOVO_STATUS_ERROR_GEOMETRY",
        7 => c"SOVO_STATUS_ERROR_OVERFLOW",
        8 => c"SOVO_STATUS_ERROR_CACHE",
        9 => c"SOVO_STATUS_ERROR_TEXT",
        10 => c"SOVO_STATUS_ERROR_FILE",
        11 => c"SOVO_STATUS_ERROR_URDF",
        12 => c"SOVO_STATUS_ERROR_CONFIGURATION",
        13 => c"SOVO_STATUS_ERROR_CANCELLED",
        14 => c"SOVO_STATUS_ERROR_MEMORY",
        15 => c"SOVO_STATUS_ERROR_INTERNAL",
        16 => c"SOVO_STATUS_ERROR_UNCHECKED",
        17 => c"SOVO_STATUS_ERROR_UNSUPPORTED",
        _ => c"unknown status",
    };
    name.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last_error() -> String {
        // SAFETY: the pointer is to this thread's text, which ends with a zero.
        let text = unsafe { CStr::from_ptr(sovo_last_error()) };
        text.to_str().expect("UTF-8").to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        let status = guarded(|| panic!("the test's panic"));
        assert_eq!(status, SOVO_STATUS_ERROR_INTERNAL);
        assert!(last_error().ends_with("the test's panic"));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let long = "ü".repeat(CAPACITY);
        guarded(|| Err(Failure::other(SOVO_STATUS_ERROR_TEXT, format!("a{long}"))));
        let text = last_error();
        assert_eq!(text.len(), CAPACITY - 1);
        assert!(text.ends_with('ü'));
    }

    #[test]
    fn a_zero_does_not_end_the_text() {
        guarded(|| Err(Failure::other(SOVO_STATUS_ERROR_TEXT, "a\0b")));
        assert_eq!(last_error(), "a?b");
    }
}

//! What of XLA's foreign function interface is used: `xla/ffi/api/c_api.h` as JAX installs it, versions 0.1 to 0.3, in which
//! all that is used here is the same.
//!
//! XLA asks a handler for its version and does not run at all if it is another one than it supports. So Python reads the
//! version in that file, registers handlers only where it is one of these, and says it here.

#![allow(unsafe_code)] // the interface is one of C

use std::ffi::{CString, c_char, c_void};
use std::mem::offset_of;
use std::slice;
use std::sync::atomic::{AtomicI32, Ordering};

const MAJOR: i32 = 0;
/// The minor version that the handlers answer with.
pub static MINOR: AtomicI32 = AtomicI32::new(3);
const METADATA: i32 = 1;
const EXECUTE: i32 = 3;
const BUFFER: i32 = 1;
const SCALAR: i32 = 3;
const F64: i32 = 12;
const S64: i32 = 5;
const INVALID_ARGUMENT: i32 = 3;

#[repr(C)]
struct Extension {
    struct_size: usize,
    kind: i32,
    next: *mut Extension,
}

#[repr(C)]
struct Version {
    struct_size: usize,
    extension: *mut Extension,
    major: i32,
    minor: i32,
}

/// It has further fields, which are left as they are.
#[repr(C)]
struct Metadata {
    struct_size: usize,
    version: Version,
    traits: u32,
}

#[repr(C)]
struct MetadataExtension {
    base: Extension,
    metadata: *mut Metadata,
}

#[repr(C)]
struct ErrorArguments {
    struct_size: usize,
    extension: *mut Extension,
    message: *const c_char,
    code: i32,
}

/// The beginning of the table of functions.
#[repr(C)]
struct Api {
    struct_size: usize,
    extension: *mut Extension,
    version: Version,
    internal: *const c_void,
    create_error: unsafe extern "C" fn(*mut ErrorArguments) -> *mut c_void,
}

#[repr(C)]
struct Buffer {
    struct_size: usize,
    extension: *mut Extension,
    kind: i32,
    data: *mut f64,
    rank: i64,
    axes: *const i64,
}

#[repr(C)]
struct Buffers {
    struct_size: usize,
    extension: *mut Extension,
    size: i64,
    kinds: *const i32,
    all: *const *const Buffer,
}

#[repr(C)]
struct Text {
    start: *const u8,
    length: usize,
}

#[repr(C)]
struct Scalar {
    kind: i32,
    value: *const c_void,
}

#[repr(C)]
struct Attributes {
    struct_size: usize,
    extension: *mut Extension,
    size: i64,
    kinds: *const i32,
    names: *const *const Text,
    all: *const *const Scalar,
}

/// A call of a handler.
#[repr(C)]
pub struct Frame {
    struct_size: usize,
    extension: *mut Extension,
    api: *const Api,
    context: *mut c_void,
    stage: i32,
    arguments: Buffers,
    results: Buffers,
    attributes: Attributes,
}

/// The arrays of a call, all of float64 and one row after the other, and its options.
pub struct Call<'a> {
    /// The axes of the first argument without the last one.
    pub axes: Vec<usize>,
    pub arguments: Vec<&'a [f64]>,
    pub results: Vec<&'a mut [f64]>,
    pub tolerance: f64,
    pub certified: bool,
    /// 0: all processors.
    pub threads: usize,
}

/// Returns the elements of an array of the interface.
///
/// # Safety
/// The interface promises so many.
unsafe fn list<'a, T>(start: *const T, size: i64) -> &'a [T] {
    match usize::try_from(size) {
        Ok(size) if size > 0 => unsafe { slice::from_raw_parts(start, size) },
        _ => &[],
    }
}

/// The axes of an array, where it starts, and the number of its elements.
type Array = (Vec<usize>, *mut f64, usize);

impl Buffers {
    /// Returns the arrays.
    ///
    /// # Safety
    /// They are those of a call that goes on.
    unsafe fn arrays(&self) -> Result<Vec<Array>, String> {
        let kinds = unsafe { list(self.kinds, self.size) };
        let all = unsafe { list(self.all, self.size) };
        let each = kinds.iter().zip(all).map(|(&kind, &buffer)| {
            let buffer = unsafe { &*buffer };
            if kind != BUFFER || buffer.kind != F64 {
                return Err("the arrays of a call must be of float64".to_owned());
            }
            let axes = unsafe { list(buffer.axes, buffer.rank) };
            let axes: Vec<usize> = axes.iter().map(|&axis| axis as usize).collect();
            let count = axes.iter().product();
            Ok((axes, buffer.data, count))
        });
        each.collect()
    }
}

impl Attributes {
    /// Returns the scalar of that name and type.
    ///
    /// # Safety
    /// They are those of a call that goes on.
    unsafe fn scalar<T: Copy>(&self, name: &str, kind: i32) -> Result<T, String> {
        let kinds = unsafe { list(self.kinds, self.size) };
        let names = unsafe { list(self.names, self.size) };
        let all = unsafe { list(self.all, self.size) };
        for ((&is, &text), &scalar) in kinds.iter().zip(names).zip(all) {
            let text = unsafe { &*text };
            let same = unsafe { list(text.start, text.length as i64) } == name.as_bytes();
            if same && is == SCALAR && unsafe { (*scalar).kind } == kind {
                return Ok(unsafe { (*scalar).value.cast::<T>().read_unaligned() });
            }
        }
        Err(format!(
            "the call has no attribute {name:?} of the right type"
        ))
    }
}

/// Answers XLA's question for the version, if that is what is asked.
///
/// # Safety
/// `frame` is what XLA called a handler with.
pub unsafe fn told_version(frame: *mut Frame) -> bool {
    let extension = unsafe { (*frame).extension };
    if extension.is_null() || unsafe { (*extension).kind } != METADATA {
        return false;
    }
    let metadata = unsafe { &mut *(*extension.cast::<MetadataExtension>()).metadata };
    metadata.version.major = MAJOR;
    metadata.version.minor = MINOR.load(Ordering::Relaxed);
    metadata.traits = 0;
    true
}

/// Returns the arrays and options of a call.
///
/// # Safety
/// `frame` is what XLA called a handler with, and the call goes on.
pub unsafe fn read<'a>(frame: *mut Frame) -> Result<Call<'a>, String> {
    let frame = unsafe { &*frame };
    if frame.struct_size < offset_of!(Frame, attributes) + size_of::<Attributes>() {
        return Err("XLA's interface is older than this handler".to_owned());
    }
    if frame.stage != EXECUTE {
        return Err("the handler is for execution only".to_owned());
    }
    let arguments = unsafe { frame.arguments.arrays() }?;
    let results = unsafe { frame.results.arrays() }?;
    let mut axes = arguments.first().map(|a| a.0.clone()).unwrap_or_default();
    axes.pop();
    let attributes = &frame.attributes;
    Ok(Call {
        axes,
        arguments: arguments
            .iter()
            .map(|&(_, start, count)| unsafe { list(start, count as i64) })
            .collect(),
        results: results
            .iter()
            .map(|&(_, start, count)| match count {
                0 => &mut [][..],
                _ => unsafe { slice::from_raw_parts_mut(start, count) },
            })
            .collect(),
        tolerance: unsafe { attributes.scalar("tolerance", F64) }?,
        certified: unsafe { attributes.scalar::<i64>("certified", S64) }? != 0,
        threads: unsafe { attributes.scalar::<i64>("threads", S64) }? as usize,
    })
}

/// Makes an error of XLA.
///
/// # Safety
/// `frame` is what XLA called a handler with.
pub unsafe fn error(frame: *mut Frame, message: String) -> *mut c_void {
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    let mut arguments = ErrorArguments {
        struct_size: offset_of!(ErrorArguments, code) + size_of::<i32>(),
        extension: std::ptr::null_mut(),
        message: message.as_ptr(),
        code: INVALID_ARGUMENT,
    };
    unsafe { ((*(*frame).api).create_error)(&raw mut arguments) }
}

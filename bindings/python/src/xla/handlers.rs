//! The functions that XLA calls. They need neither Python nor its lock, and nothing of them panics into XLA.

#![allow(unsafe_code)] // the interface is one of C

use super::abi::{Frame, MINOR, error, read, told_version};
use super::pairs::{Query, run};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::c_void;
use std::panic::catch_unwind;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of calls of queries so far.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Runs a query for XLA.
///
/// # Safety
/// XLA calls it, with a frame of its own.
unsafe fn handle(query: Query, frame: *mut Frame) -> *mut c_void {
    let done = catch_unwind(|| {
        if unsafe { told_version(frame) } {
            return Ok(());
        }
        CALLS.fetch_add(1, Ordering::Relaxed);
        run(query, unsafe { read(frame) }?)
    });
    match done {
        Ok(Ok(())) => null_mut(),
        Ok(Err(message)) => unsafe { error(frame, message) },
        Err(_) => unsafe { error(frame, "superovoid: a defect of the library".to_owned()) },
    }
}

unsafe extern "C" fn distance(frame: *mut Frame) -> *mut c_void {
    unsafe { handle(Query::Distance, frame) }
}

unsafe extern "C" fn gradient(frame: *mut Frame) -> *mut c_void {
    unsafe { handle(Query::Gradient, frame) }
}

unsafe extern "C" fn hessian(frame: *mut Frame) -> *mut c_void {
    unsafe { handle(Query::Hessian, frame) }
}

unsafe extern "C" fn contact(frame: *mut Frame) -> *mut c_void {
    unsafe { handle(Query::Contact, frame) }
}

unsafe extern "C" fn jacobians(frame: *mut Frame) -> *mut c_void {
    unsafe { handle(Query::Jacobians, frame) }
}

type Handler = unsafe extern "C" fn(*mut Frame) -> *mut c_void;

/// Returns the handlers by name, as capsules for `jax.ffi.register_ffi_target`, for version 0.minor of the interface.
#[pyfunction(name = "_xla_handlers")]
pub fn xla_handlers(py: Python<'_>, minor: i32) -> PyResult<Bound<'_, PyDict>> {
    MINOR.store(minor, Ordering::Relaxed);
    let all: [(&str, Handler); 5] = [
        ("distance", distance),
        ("gradient", gradient),
        ("hessian", hessian),
        ("contact", contact),
        ("jacobians", jacobians),
    ];
    let found = PyDict::new(py);
    for (name, handler) in all {
        let pointer = NonNull::new(handler as *mut c_void);
        let pointer = pointer.ok_or_else(|| pyo3::exceptions::PySystemError::new_err(name))?;
        // SAFETY: a function lives as long as the module, which is never unloaded.
        let capsule =
            unsafe { PyCapsule::new_with_pointer(py, pointer, c"xla._CUSTOM_CALL_TARGET") }?;
        found.set_item(name, capsule)?;
    }
    Ok(found)
}

/// Returns how many times XLA has run a query.
#[pyfunction(name = "_xla_calls")]
pub fn xla_calls() -> usize {
    CALLS.load(Ordering::Relaxed)
}

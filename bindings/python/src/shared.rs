//! What the threads of Python share: one call at a time, and no call from within another one.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// A value that one thread at a time may use, and that knows which thread does.
pub struct Shared<T> {
    value: Mutex<T>,
    user: Mutex<Option<ThreadId>>,
}

/// The value for as long as a call uses it, also while it does not hold the interpreter.
pub struct InUse<'a, T> {
    of: &'a Shared<T>,
    value: MutexGuard<'a, T>,
}

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Shared {
            value: Mutex::new(value),
            user: Mutex::new(None),
        }
    }

    /// Takes the value. Whoever waits for it lets go of the interpreter meanwhile: another thread may use the value and wait
    /// for the interpreter. What Python runs within a call that uses the value, such as the handler of a signal, would wait
    /// for itself, and gets an error that names the class.
    pub fn take(&self, py: Python<'_>, class: &str) -> PyResult<InUse<'_, T>> {
        let me = thread::current().id();
        if *self.user() == Some(me) {
            let problem = format!("this {class} is in use by a call that has not returned");
            return Err(PyRuntimeError::new_err(problem));
        }
        let value = self.value.lock_py_attached(py);
        let value = value.unwrap_or_else(PoisonError::into_inner);
        *self.user() = Some(me);
        Ok(InUse { of: self, value })
    }

    fn user(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.user.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for InUse<'_, T> {
    fn drop(&mut self) {
        // The lock itself ends after this.
        *self.of.user() = None;
    }
}

impl<T> Deref for InUse<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for InUse<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

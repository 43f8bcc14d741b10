//! Batches over many elements: on several threads, with cancellation, all or nothing.

use super::memory::{Versioned, read_sized};
use super::options::zero;
use super::status::{Failure, caught, sovo_status::*};
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// A callback that decides during a batch or a plan whether to continue: done of count elements are finished. Any value but 0
/// ends a batch with SOVO_STATUS_ERROR_CANCELLED, and a plan with SOVO_PLAN_REASON_CANCELLED. It is called from the thread that called the library, never from
/// another; it must return (no longjmp, no C++ exception).
pub type sovo_cancel =
    Option<unsafe extern "C" fn(data: *mut c_void, done: usize, count: usize) -> i32>;

/// The number of elements that are solved together.
pub(super) const CHUNK: usize = 64;

/// The way in which a batch is run.
pub(super) struct Batch {
    pub count: usize,
    pub threads: u32,
    pub cancel: sovo_cancel,
    pub cancel_data: *mut c_void,
}

/// A struct of the interface that describes a batch.
pub(super) trait BatchStruct: Versioned {
    fn reserved(&self) -> u32;
    fn work(&self) -> Batch;
}

macro_rules! batch_struct {
    ($name:ty) => {
        impl super::batch::BatchStruct for $name {
            fn reserved(&self) -> u32 {
                self.reserved
            }

            fn work(&self) -> super::batch::Batch {
                super::batch::Batch {
                    count: self.count,
                    threads: self.threads,
                    cancel: self.cancel,
                    cancel_data: self.cancel_data,
                }
            }
        }
    };
}
pub(super) use batch_struct;

/// Reads the description of a batch, whose reserved field must be 0.
///
/// # Safety
/// The requirements are those of [`read_sized`].
pub(super) unsafe fn read_batch<T: BatchStruct>(batch: *const T) -> Result<T, Failure> {
    // SAFETY: The caller guarantees it.
    let batch = unsafe { read_sized(batch, "batch") }?.ok_or(Failure::Null("batch"))?;
    zero(batch.reserved(), "batch->reserved")?;
    Ok(batch)
}

impl Batch {
    /// Returns the answers of all elements, or the error of the first that has one. `solve` takes the index of its
    /// first element and the slice for the answers.
    ///
    /// # Safety
    /// `cancel` is a function that can be called with `cancel_data`.
    pub unsafe fn run<R: Copy + Send>(
        &self,
        empty: R,
        solve: impl Fn(usize, &mut [R]) -> Result<(), Failure> + Sync,
    ) -> Result<Vec<R>, Failure> {
        let mut answers = super::memory::with_capacity(self.count)?;
        answers.resize(self.count, empty);
        // Chunks are handed out in order, so that when one fails all before it are finished, and the first error is
        // the same on any number of threads.
        let queue = Mutex::new(answers.chunks_mut(CHUNK).enumerate());
        let first_error = Mutex::new(None);
        let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let next_chunk = || queue.lock().ok().and_then(|mut queue| queue.next());
        let work = |may_go_on: &dyn Fn() -> bool| {
            while !stop.load(Relaxed) && may_go_on() {
                let Some((k, chunk)) = next_chunk() else {
                    return;
                };
                match caught(|| solve(k * CHUNK, chunk)) {
                    Ok(()) => {
                        done.fetch_add(chunk.len(), Relaxed);
                    }
                    Err(failure) => {
                        stop.store(true, Relaxed);
                        keep_first(&first_error, k, failure);
                    }
                }
            }
        };
        let cancelled = std::cell::Cell::new(false);
        let ask = || {
            let go_on = match self.cancel {
                None => true,
                // SAFETY: The caller guarantees it.
                Some(cancel) => {
                    (unsafe { cancel(self.cancel_data, done.load(Relaxed), self.count) }) == 0
                }
            };
            if !go_on {
                cancelled.set(true);
                stop.store(true, Relaxed);
            }
            go_on
        };
        match self.workers() {
            // A scope would keep data of the calling thread until its end.
            0 | 1 => work(&ask),
            workers => std::thread::scope(|scope| {
                for _ in 1..workers {
                    let worker = || work(&|| true);
                    // If no other thread can be started, this one does the work.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, worker);
                }
                work(&ask);
            }),
        }
        if let Some((_, failure)) = first_error.into_inner().unwrap_or(None) {
            return Err(failure);
        }
        if cancelled.get() {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_CANCELLED,
                format!(
                    "cancelled after {} of {} elements",
                    done.into_inner(),
                    self.count
                ),
            ));
        }
        Ok(answers)
    }

    fn workers(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = self.threads.max(1) as usize;
        wanted.min(cores).min(self.count.div_ceil(CHUNK))
    }
}

fn keep_first(place: &Mutex<Option<(usize, Failure)>>, chunk: usize, failure: Failure) {
    if let Ok(mut first) = place.lock()
        && first.as_ref().is_none_or(|(known, _)| chunk < *known)
    {
        *first = Some((chunk, failure));
    }
}

/// Solves the elements of a chunk one by one; an error comes with its element.
pub(super) fn one_by_one<R>(
    first: usize,
    answers: &mut [R],
    solve: impl Fn(usize) -> Result<R, Failure>,
) -> Result<(), Failure> {
    for (k, answer) in answers.iter_mut().enumerate() {
        let element = first + k;
        *answer = solve(element).map_err(|e| Failure::Element(element, Box::new(e)))?;
    }
    Ok(())
}

//! Work on all elements of a broadcast.

#![allow(unsafe_code)] // memory that is filled in parts

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use superovoid::Contact;

/// The axes to which arguments broadcast together, by NumPy's rule.
pub struct Broadcast {
    pub axes: Vec<usize>,
    pub count: usize,
}

impl Broadcast {
    /// Takes the name and the leading axes of each argument.
    pub fn of(arguments: &[(&str, &[usize])]) -> PyResult<Self> {
        let most = arguments.iter().map(|(_, lead)| lead.len()).max();
        let mut axes = vec![1; most.unwrap_or(0)];
        for (name, lead) in arguments {
            let missing = axes.len() - lead.len();
            for (axis, &length) in axes[missing..].iter_mut().zip(*lead) {
                if *axis == 1 {
                    *axis = length;
                } else if length != 1 && length != *axis {
                    let all: Vec<String> = arguments
                        .iter()
                        .map(|(name, lead)| format!("{name} {lead:?}"))
                        .collect();
                    return Err(PyValueError::new_err(format!(
                        "{name} does not broadcast with what precedes it: the axes that count elements are {}",
                        all.join(", ")
                    )));
                }
            }
        }
        let count = axes.iter().try_fold(1usize, |n, &axis| n.checked_mul(axis));
        let count = count.filter(|&n| isize::try_from(n).is_ok());
        let count = count.ok_or_else(|| PyOverflowError::new_err("too many elements"))?;
        Ok(Broadcast { axes, count })
    }

    /// Returns an error that names an element.
    pub fn error(&self, index: usize, error: &dyn Display) -> PyErr {
        PyValueError::new_err(format!("{}{error}", place(&self.axes, index)))
    }
}

/// Returns the name of an element by its indices, for an error: empty for a single one.
pub fn place(axes: &[usize], index: usize) -> String {
    let mut rest = index;
    let mut indices: Vec<String> = axes
        .iter()
        .rev()
        .map(|&axis| {
            let at = rest % axis;
            rest /= axis;
            at.to_string()
        })
        .collect();
    indices.reverse();
    if indices.is_empty() {
        String::new()
    } else {
        format!("element [{}]: ", indices.join(", "))
    }
}

/// An error of an element.
pub struct Failed<E> {
    pub index: usize,
    pub error: E,
}

/// The number of elements that a thread takes together.
const CHUNK: usize = 512;

/// Fills `answers` without the interpreter's lock, in chunks, on the threads that the caller wants. `work` takes the index
/// of a chunk's first element and its answers. Returns the error of the first element that has one.
pub fn fill<T: Send, E: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    answers: &mut [T],
    work: impl Fn(usize, &mut [T]) -> Result<(), Failed<E>> + Sync,
) -> PyResult<Result<(), Failed<E>>> {
    let pool = pool(threads)?;
    let one = answers.len() <= CHUNK || threads == Some(1);
    Ok(py.detach(|| {
        if one {
            let mut chunks = answers.chunks_mut(CHUNK).enumerate();
            return chunks.try_for_each(|(k, chunk)| work(k * CHUNK, chunk));
        }
        in_pool(pool, || {
            let chunks = answers.par_chunks_mut(CHUNK).enumerate();
            first_failed(chunks.filter_map(|(k, chunk)| work(k * CHUNK, chunk).err()))
        })
    }))
}

/// Returns the error of the first element that has one.
fn first_failed<E: Send>(failed: impl ParallelIterator<Item = Failed<E>>) -> Result<(), Failed<E>> {
    failed.min_by_key(|failed| failed.index).map_or(Ok(()), Err)
}

/// Does work in a pool, or in the common one.
fn in_pool<R: Send>(pool: Option<Arc<ThreadPool>>, work: impl FnOnce() -> R + Send) -> R {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Does the work of parts on the threads that the caller wants, and needs no interpreter. Returns the error of the first
/// element that has one.
pub fn on_threads<T: Send, E: Send>(
    threads: Option<usize>,
    parts: &mut [T],
    work: impl Fn(&mut T) -> Result<(), Failed<E>> + Sync,
) -> Result<(), Failed<E>> {
    if parts.len() <= 1 || threads == Some(1) {
        return parts.iter_mut().try_for_each(work);
    }
    // The number of threads is checked before; if there cannot be so many, those that there are do the work.
    in_pool(pool(threads).unwrap_or(None), || {
        first_failed(parts.par_iter_mut().filter_map(|part| work(part).err()))
    })
}

/// Returns the answers of `count` queries, as [`fill`] fills them. They begin as default answers, each chunk when its turn
/// comes, so that the memory is touched once and by the thread that needs it.
pub fn answers<E: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    count: usize,
    work: impl Fn(usize, &mut [Contact]) -> Result<(), Failed<E>> + Sync,
) -> PyResult<Result<Vec<Contact>, Failed<E>>> {
    let mut all = Vec::with_capacity(count);
    let blank = &mut all.spare_capacity_mut()[..count];
    in_large_pages(blank);
    let done = fill(py, threads, blank, |first, part| {
        for place in part.iter_mut() {
            place.write(Contact::default());
        }
        // SAFETY: all of the part was just written.
        work(first, unsafe { &mut *(part as *mut [_] as *mut [Contact]) })
    })?;
    Ok(done.map(|()| {
        // SAFETY: every part was written.
        unsafe { all.set_len(count) };
        all
    }))
}

/// Asks for large pages for many answers, as NumPy does for its arrays: the system then hands out memory in fewer steps.
fn in_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        const MANY: usize = 1 << 22;
        let (start, size) = (memory.as_mut_ptr() as usize, size_of_val(memory));
        if size >= MANY {
            let first = start.next_multiple_of(PAGE);
            let length = (start + size - first) / PAGE * PAGE;
            // SAFETY: the pages lie in memory of our own; it is a hint, whose refusal changes nothing.
            unsafe { libc::madvise(first as *mut _, length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Returns the pool of that many threads; `None` is the common one, with a thread for each processor (or as many as
/// the environment variable `RAYON_NUM_THREADS` says).
fn pool(threads: Option<usize>) -> PyResult<Option<Arc<ThreadPool>>> {
    static POOLS: LazyLock<Mutex<HashMap<usize, Arc<ThreadPool>>>> = LazyLock::new(Mutex::default);
    let Some(threads) = threads else {
        return Ok(None);
    };
    check_threads(threads)?;
    if threads == 1 {
        return Ok(None);
    }
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&threads) {
        return Ok(Some(Arc::clone(pool)));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(pool.map_err(|error| PyValueError::new_err(error.to_string()))?);
    pools.insert(threads, Arc::clone(&pool));
    Ok(Some(pool))
}

/// Refuses a number of threads that is out of range.
pub fn check_threads(threads: usize) -> PyResult<()> {
    if (1..=1024).contains(&threads) {
        return Ok(());
    }
    let problem = format!("threads = {threads}: from 1 to 1024, or None for all processors");
    Err(PyValueError::new_err(problem))
}

/// Runs a query on every element of a chunk.
pub fn each<T, E>(
    first: usize,
    answers: &mut [T],
    query: impl Fn(usize) -> Result<T, E>,
) -> Result<(), Failed<E>> {
    for (k, answer) in answers.iter_mut().enumerate() {
        let index = first + k;
        *answer = query(index).map_err(|error| Failed { index, error })?;
    }
    Ok(())
}

//! The threads that contact queries may use: none but the caller's, unless asked for.
//!
//! Every query writes its own answer and reads nothing that another one writes, so that the bits do not depend on the
//! number of threads.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// A pool of threads, or none.
#[derive(Default)]
pub(crate) struct Threads {
    #[cfg(feature = "rayon")]
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// Makes a pool; with one thread, or where the system gives none, everything runs on the caller's.
    #[cfg(feature = "rayon")]
    pub fn new(count: usize) -> Self {
        let pool = || {
            rayon::ThreadPoolBuilder::new()
                .num_threads(count)
                .build()
                .ok()
        };
        Threads {
            pool: if count > 1 { pool() } else { None },
        }
    }

    /// Calls `work` for every item.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            pool.install(|| items.par_iter_mut().with_min_len(16).for_each(&work));
            return;
        }
        items.iter_mut().for_each(work);
    }

    /// Calls `work` for every item, each of which is work enough for a thread.
    pub fn each_large<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            pool.install(|| items.par_iter_mut().for_each(&work));
            return;
        }
        items.iter_mut().for_each(work);
    }

    /// Calls `work` for every piece of `size` items with their outputs. Both slices are equally long.
    pub fn pieces<A: Sync, B: Send>(
        &self,
        items: &[A],
        out: &mut [B],
        size: usize,
        work: impl Fn(&[A], &mut [B]) + Sync + Send,
    ) {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            pool.install(|| {
                let pieces = items.par_chunks(size).zip(out.par_chunks_mut(size));
                pieces.for_each(|(items, out)| work(items, out));
            });
            return;
        }
        items
            .chunks(size)
            .zip(out.chunks_mut(size))
            .for_each(|(items, out)| work(items, out));
    }
}

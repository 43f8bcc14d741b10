//! The queries of pairs as handlers of XLA's foreign function interface, which JAX calls without Python.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `abi` | what of XLA's C interface is used, as Rust sees it |
//! | `pairs` | the queries on the arrays of a call |
//! | `handlers` | the functions that XLA calls, as capsules for `jax.ffi.register_ffi_target` |

mod abi;
mod handlers;
mod pairs;

pub use handlers::{xla_calls, xla_handlers};

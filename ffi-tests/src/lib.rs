//! What the tests of the C interface share: the header as cbindgen makes it, and C and C++ programs
//! compiled, linked and run.
//!
//! Two environment variables let the same tests run under other rules:
//!
//! - `SOVO_CFLAGS`: more flags for every program, such as `-fsanitize=address,undefined`;
//! - `SOVO_RUNNER`: what to run the programs under, such as `valgrind --error-exitcode=9`.

pub mod abi;
mod program;

pub use program::*;

//! The version of the library.

use std::ffi::c_char;

/// Returns the version of the library that runs, such as "0.1.0"; SOVO_VERSION is that of the header. The text is a
/// constant.
///
/// While the major version is 0, a change of the minor version may change this interface, and the
/// name of the shared library changes with it.
#[unsafe(no_mangle)]
pub extern "C" fn sovo_version() -> *const c_char {
    const VERSION: &std::ffi::CStr = {
        let bytes = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
        match std::ffi::CStr::from_bytes_with_nul(bytes) {
            Ok(version) => version,
            Err(_) => c"",
        }
    };
    VERSION.as_ptr()
}

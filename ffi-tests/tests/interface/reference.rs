//! The reference of the C and C++ interfaces, `docs/Doxyfile`.

use std::error::Error;
use std::process::Command;
use superovoid_ffi_tests::{available, finish, root};

#[test]
fn every_item_of_the_headers_is_documented() -> Result<(), Box<dyn Error>> {
    if available(&["doxygen", "--version"], "reference of the headers") {
        std::fs::create_dir_all(root().join("target"))?;
        let mut doxygen = Command::new("doxygen");
        finish(doxygen.arg("docs/Doxyfile").current_dir(root()))?;
    }
    Ok(())
}

//! Scenes from C.

use std::error::Error;
use superovoid_ffi_tests::Program;

#[test]
fn scenes_give_known_distances() -> Result<(), Box<dyn Error>> {
    Program::new("ffi-tests/c/scene.c", "c99").run(&[])?;
    Ok(())
}

//! Programs in C.

use std::error::Error;
use superovoid_ffi_tests::Program;

#[test]
fn the_quick_start_prints_a_distance() -> Result<(), Box<dyn Error>> {
    for program in [
        Program::new("ffi-tests/c/quick_start.c", "c99"),
        Program::new("ffi-tests/c/quick_start.c", "c99").shared(),
    ] {
        let output = program.run(&[])?;
        assert!(
            output.starts_with("distance 0.015057 m, certified"),
            "{output}"
        );
    }
    Ok(())
}

//! Robots in C.

use std::error::Error;
use superovoid_ffi_tests::Program;

#[test]
fn every_function_on_robots_answers_and_refuses_as_it_should() -> Result<(), Box<dyn Error>> {
    let program = Program::new("ffi-tests/c/robot.c", "c99");
    assert_eq!(program.run(&[])?, "all as it should be\n");
    Ok(())
}

//! Programs in C++.

use std::error::Error;
use std::process::Command;
use superovoid_ffi_tests::{Program, available, finish, root};

#[test]
fn the_quick_start_prints_a_distance() -> Result<(), Box<dyn Error>> {
    for program in [
        Program::new("ffi-tests/cpp/quick_start.cpp", "c++17"),
        Program::new("ffi-tests/cpp/quick_start.cpp", "c++17").shared(),
    ] {
        let output = program.run(&[])?;
        assert!(
            output.starts_with("distance 0.015057 m, certified"),
            "{output}"
        );
    }
    Ok(())
}

#[test]
fn the_whole_api_gives_known_values() -> Result<(), Box<dyn Error>> {
    let source = "ffi-tests/cpp/whole_api.cpp";
    let strict = ["-Wconversion", "-Wshadow"];
    Program::new(source, "c++17").flags(strict).run(&[])?;
    Program::new(source, "c++20").check()?;
    if available(&["clang++", "--version"], "the whole API with clang++") {
        let program = Program::new(source, "c++17").compiler("clang++");
        program.shared().run(&[])?;
    }
    Ok(())
}

#[test]
fn without_exceptions_the_rest_still_works() -> Result<(), Box<dyn Error>> {
    let source = "ffi-tests/cpp/no_exceptions.cpp";
    let flags = ["-fno-exceptions", "-fno-rtti"];
    let program = Program::new(source, "c++17").shared();
    program.flags(flags).run(&[])?;
    if available(&["clang++", "--version"], "no exceptions with clang++") {
        let program = Program::new(source, "c++17").compiler("clang++");
        program.shared().flags(flags).run(&[])?;
    }
    Ok(())
}

#[test]
fn two_translation_units_link_together() -> Result<(), Box<dyn Error>> {
    let other = root().join("ffi-tests/cpp/second_unit.cpp");
    let program = Program::new("ffi-tests/cpp/two_units.cpp", "c++17").shared();
    program.flags([other.to_string_lossy()]).run(&[])?;
    Ok(())
}

#[test]
fn eigen_goes_in_and_comes_out() -> Result<(), Box<dyn Error>> {
    if !available(&["pkg-config", "--exists", "eigen3"], "Eigen") {
        return Ok(());
    }
    let output = finish(Command::new("pkg-config").args(["--cflags", "eigen3"]))?;
    // As a system header: its warnings are not ours.
    let flags = String::from_utf8(output.stdout)?.replace("-I", "-isystem");
    let program = Program::new("ffi-tests/cpp/eigen.cpp", "c++17").shared();
    program.flags(flags.split_whitespace()).run(&[])?;
    Ok(())
}

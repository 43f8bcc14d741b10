//! The FCL adapter, include/superovoid/fcl.hpp. Skipped where pkg-config does not find FCL.

use std::error::Error;
use std::process::Command;
use superovoid_ffi_tests::Program;

/// Flags for the compiler and linker, FCL's headers being system headers: their warnings are not ours.
/// `None`, and a line that says so, without FCL.
fn flags(test: &str) -> Option<Vec<String>> {
    let mut command = Command::new("pkg-config");
    let output = command.args(["--cflags", "--libs", "fcl"]).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        eprintln!("skipped: {test}: pkg-config does not find fcl (Debian: libfcl-dev)");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    // fcl.pc asks for C++11. Debugging information would double the time to compile.
    let wanted = text.split_whitespace().filter(|f| !f.starts_with("-std="));
    let flags = wanted.map(|flag| match flag.strip_prefix("-I") {
        Some(path) => format!("-isystem{path}"),
        None => flag.to_string(),
    });
    Some(flags.chain(["-g0".to_string()]).collect())
}

/// Builds, runs and prints what the program printed.
fn run(test: &str, source: &str, more: &[&str]) -> Result<(), Box<dyn Error>> {
    if let Some(flags) = flags(test) {
        let more = more.iter().map(|flag| flag.to_string());
        let program = Program::new(source, "c++17").flags(flags).flags(more);
        println!("{}", program.run(&[])?);
    }
    Ok(())
}

#[test]
fn every_kind_of_pair_is_answered_as_fcl_would() -> Result<(), Box<dyn Error>> {
    let test = "every_kind_of_pair_is_answered_as_fcl_would";
    run(test, "ffi-tests/cpp/fcl_pairs.cpp", &[])
}

/// FCL's library has double precision only: everything else is compiled here, which takes a minute.
#[test]
#[ignore = "slow to compile"]
fn every_kind_of_pair_in_single_precision() -> Result<(), Box<dyn Error>> {
    let test = "every_kind_of_pair_in_single_precision";
    run(test, "ffi-tests/cpp/fcl_pairs_float.cpp", &[])
}

#[test]
fn every_manager_finds_the_pairs_of_brute_force() -> Result<(), Box<dyn Error>> {
    let test = "every_manager_finds_the_pairs_of_brute_force";
    run(test, "ffi-tests/cpp/fcl_scene.cpp", &[])
}

#[test]
fn the_example_prints_its_contacts() -> Result<(), Box<dyn Error>> {
    let test = "the_example_prints_its_contacts";
    run(test, "examples/fcl/scene.cpp", &[])
}

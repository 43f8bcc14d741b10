//! The adapters for FCL and its descendant coal, include/superovoid/fcl.hpp and coal.hpp. Skipped where
//! pkg-config does not find the library.
//!
//! `SOVO_COAL_PREFIX`: where coal is, if pkg-config does not know (in a virtual environment with the wheels
//! libcoal and cmeel-eigen: `lib/python3.x/site-packages/cmeel.prefix`).

use std::error::Error;
use std::process::Command;
use superovoid_ffi_tests::{Program, skipped};

/// Flags for the compiler and linker, the library's headers being system headers: their warnings are
/// not ours. `None`, and a line that says so, without the library.
fn flags(test: &str, library: &str, package: &str) -> Option<Vec<String>> {
    let mut command = Command::new("pkg-config");
    if let (true, Ok(prefix)) = (library == "coal", std::env::var("SOVO_COAL_PREFIX")) {
        // For coal alone: FCL must not get the wheels' other versions of Eigen and OctoMap.
        let path = format!("{prefix}/lib/pkgconfig:{prefix}/share/pkgconfig");
        command.env("PKG_CONFIG_PATH", path);
    }
    let output = command.args(["--cflags", "--libs", library]).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        let why = format!("pkg-config does not find {library} ({package})");
        skipped(test, &why);
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    // fcl.pc asks for C++11. Debugging information would double the time to compile.
    let mut flags = vec!["-g0".to_string()];
    for flag in text.split_whitespace().filter(|f| !f.starts_with("-std=")) {
        if let Some(path) = flag.strip_prefix("-L") {
            flags.push(format!("-Wl,-rpath,{path}"));
        }
        flags.push(match flag.strip_prefix("-I") {
            Some(path) => format!("-isystem{path}"),
            None => flag.to_string(),
        });
    }
    Some(flags)
}

/// Builds, runs and prints what the program printed.
fn run(flags: Option<Vec<String>>, source: &str, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    if let Some(flags) = flags {
        let program = Program::new(source, "c++17").shared().flags(flags);
        println!("{}", program.run(arguments)?);
    }
    Ok(())
}

fn run_fcl(test: &str, source: &str, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    run(flags(test, "fcl", "Debian: libfcl-dev"), source, arguments)
}

#[test]
fn every_kind_of_pair_is_answered_as_fcl_would() -> Result<(), Box<dyn Error>> {
    let test = "every_kind_of_pair_is_answered_as_fcl_would";
    run_fcl(test, "ffi-tests/cpp/fcl_pairs.cpp", &[])
}

/// FCL's library has double precision only: everything else is compiled here, which takes a minute.
#[test]
#[ignore = "slow to compile"]
fn every_kind_of_pair_in_single_precision() -> Result<(), Box<dyn Error>> {
    let test = "every_kind_of_pair_in_single_precision";
    run_fcl(test, "ffi-tests/cpp/fcl_pairs_float.cpp", &[])
}

/// FCL's functions for every two of its types are compiled with our solver, which takes half a minute.
#[test]
#[ignore = "slow to compile"]
fn a_program_of_fcl_is_answered_here_with_one_line_added() -> Result<(), Box<dyn Error>> {
    let test = "a_program_of_fcl_is_answered_here_with_one_line_added";
    // It takes longer to compile than to run.
    let mut flags = flags(test, "fcl", "Debian: libfcl-dev");
    flags
        .iter_mut()
        .for_each(|flags| flags.push("-O0".to_string()));
    run(flags, "ffi-tests/cpp/fcl_in_place.cpp", &[])
}

#[test]
fn every_manager_finds_the_pairs_of_brute_force() -> Result<(), Box<dyn Error>> {
    let test = "every_manager_finds_the_pairs_of_brute_force";
    run_fcl(test, "ffi-tests/cpp/fcl_scene.cpp", &["300"])
}

#[test]
#[ignore = "a thousand objects"]
fn every_manager_finds_the_pairs_of_brute_force_long() -> Result<(), Box<dyn Error>> {
    let test = "every_manager_finds_the_pairs_of_brute_force_long";
    run_fcl(test, "ffi-tests/cpp/fcl_scene.cpp", &["1000"])
}

#[test]
fn the_example_prints_its_contacts() -> Result<(), Box<dyn Error>> {
    let test = "the_example_prints_its_contacts";
    run_fcl(test, "examples/fcl/scene.cpp", &[])
}

#[test]
fn every_kind_of_pair_is_answered_as_coal_would() -> Result<(), Box<dyn Error>> {
    let test = "every_kind_of_pair_is_answered_as_coal_would";
    let flags = flags(test, "coal", "set SOVO_COAL_PREFIX");
    run(flags, "ffi-tests/cpp/coal_pairs.cpp", &[])
}

#[test]
fn a_program_of_coal_is_answered_here_with_one_line_added() -> Result<(), Box<dyn Error>> {
    let test = "a_program_of_coal_is_answered_here_with_one_line_added";
    let flags = flags(test, "coal", "set SOVO_COAL_PREFIX");
    run(flags, "ffi-tests/cpp/coal_in_place.cpp", &[])
}

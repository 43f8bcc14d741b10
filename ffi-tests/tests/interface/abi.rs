//! The binary interface: what it was, and nothing but what the header says.

use std::error::Error;
#[cfg(target_os = "linux")]
use std::process::Command;
#[cfg(target_os = "linux")]
use superovoid_ffi_tests::{Program, finish, root};
use superovoid_ffi_tests::{abi, available, interface, shared_library};

#[test]
#[cfg(target_pointer_width = "64")]
fn the_interface_is_the_committed_one() -> Result<(), Box<dyn Error>> {
    let committed = std::fs::read_to_string(abi::committed())?;
    let now = abi::describe()?;
    let missing: Vec<_> = committed.lines().filter(|l| !now.contains(l)).collect();
    let new: Vec<_> = now.lines().filter(|l| !committed.contains(l)).collect();
    assert!(
        committed == now,
        "The binary interface has changed. No longer there:\n{}\nNew:\n{}\n\
         New functions and structs are compatible. Anything else breaks programs: it needs a new minor \
         version (a new major one from 1.0 on), which changes the name of the shared library. Then renew \
         the description: cargo run -q -p superovoid-ffi-tests --bin abi",
        missing.join("\n"),
        new.join("\n"),
    );
    Ok(())
}

#[test]
fn the_shared_library_exports_the_functions_of_the_header() -> Result<(), Box<dyn Error>> {
    if available(&["nm", "--version"], "exported symbols") {
        let exported = abi::exported_symbols(&shared_library()?)?;
        assert_eq!(exported, abi::declared_functions()?);
    }
    Ok(())
}

#[test]
fn the_shared_library_is_named_after_its_interface() -> Result<(), Box<dyn Error>> {
    if available(&["readelf", "--version"], "name of the shared library") {
        let names = abi::dynamic_entries(&shared_library()?, "SONAME")?;
        let name = format!("libsuperovoid.so.{}", interface());
        assert_eq!(names, [name]);
    }
    Ok(())
}

/// Builds, with the build script of the C library, a library that another one depends on.
#[test]
#[cfg(target_os = "linux")]
fn a_library_that_depends_on_it_keeps_its_own_name() -> Result<(), Box<dyn Error>> {
    if !available(&["readelf", "--version"], "name of a dependent library") {
        return Ok(());
    }
    let folder = Program::directory()?.join("dependent");
    let package = |name: &str, kinds: &str, rest: &str| -> Result<(), Box<dyn Error>> {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [lib]\ncrate-type = [{kinds}]\n{rest}"
        );
        std::fs::create_dir_all(folder.join(name).join("src"))?;
        std::fs::write(folder.join(name).join("src/lib.rs"), "")?;
        Ok(std::fs::write(
            folder.join(name).join("Cargo.toml"),
            manifest,
        )?)
    };
    package("named", "\"cdylib\", \"rlib\"", "[workspace]\n")?;
    let script = root().join("crates/capi/build.rs");
    std::fs::copy(script, folder.join("named/build.rs"))?;
    let needs = "[dependencies]\nnamed = { path = \"../named\" }\n[workspace]\n";
    package("dependent", "\"cdylib\"", needs)?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline", "--target-dir"]);
    cargo.arg(folder.join("target"));
    for (name, expected) in [
        ("named", Some(format!("libsuperovoid.so.{}", interface()))),
        ("dependent", None),
    ] {
        finish(cargo.current_dir(folder.join(name)))?;
        let library = folder.join(format!("target/debug/lib{name}.so"));
        let names = abi::dynamic_entries(&library, "SONAME")?;
        assert_eq!(names, Vec::from_iter(expected), "{name}");
    }
    Ok(())
}

/// `old_programs/program.c` says how the program was made, and what it checks.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn a_program_compiled_against_an_earlier_release_runs_with_this_library()
-> Result<(), Box<dyn Error>> {
    let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("old_programs");
    let program = programs.join(format!("program-{}-x86_64-linux", interface()));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("old_programs");
    std::fs::create_dir_all(&folder)?;
    let library = folder.join(format!("libsuperovoid.so.{}", interface()));
    std::fs::copy(shared_library()?, library)?;
    let ended = std::process::Command::new(program)
        .env("LD_LIBRARY_PATH", folder)
        .status()?;
    assert_eq!(ended.code(), Some(0), "the number of the check that failed");
    Ok(())
}

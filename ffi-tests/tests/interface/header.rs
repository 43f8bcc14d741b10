//! The header: up to date, and valid in every language that it is for.

use std::error::Error;
use superovoid_ffi_tests::{Program, available, header, root};

#[test]
fn the_header_is_that_of_the_source() -> Result<(), Box<dyn Error>> {
    let committed = std::fs::read_to_string(root().join("include/superovoid.h"))?;
    assert!(
        committed == header()?,
        "include/superovoid.h is out of date: run `cargo run -p superovoid-ffi-tests --bin header`"
    );
    Ok(())
}

#[test]
fn the_header_names_the_version_of_the_library() -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(root().join("include/superovoid.h"))?;
    let version = env!("CARGO_PKG_VERSION");
    assert!(text.contains(&format!("#define SOVO_VERSION \"{version}\"\n")));
    for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(version.split('.')) {
        let line = format!("#define SOVO_VERSION_{name} {number}\n");
        assert!(text.contains(&line), "{line}");
    }
    Ok(())
}

#[test]
fn the_header_is_c99_and_later() -> Result<(), Box<dyn Error>> {
    for compiler in ["gcc", "clang"] {
        for standard in ["c99", "c11", "c17", "c2x"] {
            if understands(compiler, "c", standard) {
                let program = Program::new("ffi-tests/c/quick_start.c", standard);
                program.compiler(compiler).check()?;
            }
        }
    }
    Ok(())
}

#[test]
fn the_header_is_cpp11_and_later() -> Result<(), Box<dyn Error>> {
    for compiler in ["g++", "clang++"] {
        for standard in ["c++11", "c++14", "c++17", "c++20", "c++23"] {
            if understands(compiler, "c++", standard) {
                let program = Program::new("ffi-tests/cpp/c_header.cpp", standard);
                program.compiler(compiler).check()?;
            }
        }
    }
    Ok(())
}

/// Whether a compiler is there and knows a standard; if not, says what is not checked.
fn understands(compiler: &str, language: &str, standard: &str) -> bool {
    let standard = format!("-std={standard}");
    let command = [
        compiler,
        &standard,
        "-fsyntax-only",
        "-x",
        language,
        "/dev/null",
    ];
    available(&command, "the header in every language")
}

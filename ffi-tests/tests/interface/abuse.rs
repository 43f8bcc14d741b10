//! Programs in C that use all of the interface, and abuse it.
//!
//! Under a `SOVO_RUNNER` such as valgrind, which is twenty times slower, the random program makes
//! fewer calls. `ffi-tests/sanitize.sh` runs all of this under sanitizers and valgrind.

use std::error::Error;
use superovoid_ffi_tests::{Program, root};

type Result = std::result::Result<(), Box<dyn Error>>;

fn passes(name: &str, arguments: &[&str]) -> Result {
    let program = Program::new(format!("ffi-tests/c/{name}.c"), "c99");
    let output = program.run(arguments)?;
    print!("{output}");
    assert!(
        output.ends_with(&format!("{name}: passed\n")),
        "{name}: {output}"
    );
    Ok(())
}

/// Whether the programs run under a tool that needs more time and stack.
fn under_a_tool() -> bool {
    let set = |name| std::env::var(name).is_ok_and(|value: String| !value.is_empty());
    set("SOVO_RUNNER") || set("SOVO_CFLAGS")
}

#[test]
fn the_whole_interface_answers_in_closed_form() -> Result {
    passes("whole_api", &[])
}

#[test]
fn bad_arguments_are_refused_by_name_and_change_nothing() -> Result {
    passes("abuse", &[])
}

#[test]
fn threads_get_the_same_bits() -> Result {
    // A stack with room for what a tool puts there.
    passes("threads", if under_a_tool() { &["0"] } else { &[] })
}

#[test]
fn random_calls_neither_crash_nor_lie() -> Result {
    // Calls, seed, and the CPU seconds that one call may take.
    if under_a_tool() {
        passes("random_abuse", &["5000", "2", "30"])
    } else {
        passes("random_abuse", &["30000", "1", "1"])
    }
}

#[test]
fn too_little_memory_is_an_error() -> Result {
    if under_a_tool() {
        eprintln!("skipped: too_little_memory_is_an_error, which limits the tool's memory too");
        return Ok(());
    }
    passes("low_memory", &[])
}

/// Ten million calls: `cargo test --release -p superovoid-ffi-tests --test abuse -- --ignored`.
#[test]
#[ignore = "minutes"]
fn ten_million_random_calls_neither_crash_nor_lie() -> Result {
    passes("random_abuse", &["10000000", "1", "1"])
}

#[test]
fn structs_are_laid_out_as_in_rust() -> Result {
    let printed = Program::new("ffi-tests/c/layout.c", "c99").run(&[])?;
    let expected = std::fs::read_to_string(root().join("ffi-tests/layout.txt"))?;
    assert_eq!(printed, expected);
    Ok(())
}

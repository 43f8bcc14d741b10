//! The README's programs in C and C++ compile, run, and print what the README says.

use std::error::Error;
use superovoid_ffi_tests::{Program, root};

/// The blocks of the README in a language, each with the block of plain text that follows it: what it
/// prints.
fn blocks(language: &str) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let readme = std::fs::read_to_string(root().join("README.md"))?;
    let after = |text: &str, fence: &str| {
        let (_, rest) = text.split_once(fence)?;
        let (block, rest) = rest.split_once("\n```\n")?;
        Some((block.to_owned(), rest.to_owned()))
    };
    let mut found = Vec::new();
    let mut rest = readme;
    while let Some((program, behind)) = after(&rest, &format!("\n```{language}\n")) {
        let (output, _) = after(&behind, "\n```text\n").ok_or("no output follows")?;
        found.push((program, output));
        rest = behind;
    }
    Ok(found)
}

fn runs_as_it_says(language: &str, standard: &'static str) -> Result<(), Box<dyn Error>> {
    let programs = blocks(language)?;
    assert!(
        !programs.is_empty(),
        "the README has no program in {language}"
    );
    // One for each language: the tests run at the same time.
    let name = format!("superovoid-readme-{}-{language}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory)?;
    for (k, (program, output)) in programs.iter().enumerate() {
        let source = directory.join(format!("readme_{k}.{language}"));
        std::fs::write(&source, format!("{program}\n"))?;
        let printed = Program::new(&source, standard).run(&[])?;
        assert_eq!(printed.trim_end(), output, "{source:?}");
    }
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}

#[test]
fn the_programs_in_c() -> Result<(), Box<dyn Error>> {
    runs_as_it_says("c", "c99")
}

#[test]
fn the_programs_in_cpp() -> Result<(), Box<dyn Error>> {
    runs_as_it_says("cpp", "c++17")
}

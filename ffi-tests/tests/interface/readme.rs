//! The programs in C and C++ of the README and of the pages in `docs/` compile, run, and print what the
//! pages say.

use std::error::Error;
use superovoid_ffi_tests::{Program, root};

/// The pages whose programs run.
const PAGES: [&str; 4] = [
    "README.md",
    "docs/guides/c.md",
    "docs/guides/cpp.md",
    "docs/guides/superquadrics.md",
];

/// A program of a page, with the output that the page states.
struct Block {
    page: &'static str,
    program: String,
    output: String,
}

/// The blocks of a page in a language, each with the block of plain text that follows it.
fn blocks(page: &'static str, language: &str) -> Result<Vec<Block>, Box<dyn Error>> {
    let after = |text: &str, fence: &str| {
        let (_, rest) = text.split_once(fence)?;
        let (block, rest) = rest.split_once("\n```\n")?;
        Some((block.to_owned(), rest.to_owned()))
    };
    let mut found = Vec::new();
    let mut rest = std::fs::read_to_string(root().join(page))?;
    while let Some((program, behind)) = after(&rest, &format!("\n```{language}\n")) {
        // The output stands right behind the program.
        let text = behind.strip_prefix("\n```text\n");
        let text = text.ok_or_else(|| format!("{page}: no output follows a program"))?;
        let (output, _) = text.split_once("\n```\n").ok_or("an open block")?;
        found.push(Block {
            page,
            program,
            output: output.to_owned(),
        });
        rest = behind;
    }
    Ok(found)
}

/// Runs the programs in a language on all pages, and asserts that there are `count` of them.
fn programs_print_what_the_pages_say(
    language: &str,
    standard: &'static str,
    count: usize,
) -> Result<(), Box<dyn Error>> {
    let mut programs = Vec::new();
    for page in PAGES {
        programs.extend(blocks(page, language)?);
    }
    assert_eq!(programs.len(), count, "programs in {language}");
    // The directory is one for each language: the tests run at the same time.
    let name = format!("superovoid-readme-{}-{language}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory)?;
    for (k, block) in programs.iter().enumerate() {
        let source = directory.join(format!("page_{k}.{language}"));
        std::fs::write(&source, format!("{}\n", block.program))?;
        let printed = Program::new(&source, standard).shared().run(&[])?;
        assert_eq!(
            printed.trim_end(),
            block.output,
            "{}, {source:?}",
            block.page
        );
    }
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}

#[test]
fn programs_in_c_print_what_the_pages_say() -> Result<(), Box<dyn Error>> {
    programs_print_what_the_pages_say("c", "c99", 5)
}

#[test]
fn programs_in_cpp_print_what_the_pages_say() -> Result<(), Box<dyn Error>> {
    programs_print_what_the_pages_say("cpp", "c++17", 5)
}

//! The last section of the page, on soft solids: its words stay, and its tables are made anew by the program that each of
//! them names.

use anyhow::{Context, Result, ensure};
use std::process::Command;

const COMMAND: &str =
    "    cargo run --release -p superovoid-sim --example soft --features rayon -- ";

/// What the program is asked for. `steps` is not among these: with proximity and XPBD it does not end in reasonable time.
const WORDS: [&str; 4] = ["friction", "separation", "chain", "count"];

/// Returns the section with the tables that stand below the commands made anew by `print`, which returns what a command
/// prints for a word.
///
/// # Errors
/// A word whose command or table is missing, and what `print` fails with.
pub fn renewed(section: &str, print: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut lines: Vec<String> = section.lines().map(str::to_owned).collect();
    for word in WORDS {
        let command = format!("{COMMAND}{word}");
        let at = lines.iter().position(|line| *line == command);
        let at = at.with_context(|| format!("the page has no line {command:?}"))?;
        let is_row = |line: &String| line.starts_with('|');
        let first = lines[at..].iter().position(is_row);
        let first = at + first.with_context(|| format!("{word}: no table below the command"))?;
        let rows = lines[first..]
            .iter()
            .take_while(|line| is_row(line))
            .count();
        let printed = print(word)?;
        let table: Vec<String> = printed
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(str::to_owned)
            .collect();
        ensure!(table.len() > 2, "{word} prints no table: {printed}");
        lines.splice(first..first + rows, table);
    }
    Ok(lines.join("\n") + "\n")
}

/// Runs the program for a word.
///
/// # Errors
/// A program that does not run, or fails.
pub fn run(word: &str) -> Result<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(COMMAND.split_whitespace().skip(1)).arg(word);
    let output = command.output().context("cargo does not run")?;
    ensure!(
        output.status.success(),
        "soft -- {word} fails:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

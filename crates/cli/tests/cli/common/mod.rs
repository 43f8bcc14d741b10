//! Running the command.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub fn superovoid(arguments: &[&str], folder: &Path) -> Output {
    superovoid_with_input(arguments, folder, b"")
}

/// Runs the command in `folder` with `input` on its standard input.
pub fn superovoid_with_input(arguments: &[&str], folder: &Path, input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_superovoid"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that does not read its input closes the pipe early; that is no failure.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("the command ends")
}

/// The message of a run that must fail with exit code 2 and print nothing else.
pub fn error_of(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let message = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    let message = message.strip_prefix("error: ").expect("starts with error:");
    message.trim_end().to_owned()
}

/// The output of a run that must succeed.
pub fn stdout_of(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

//! The simulators' own readers.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Says on standard error, uncaptured so that it is seen, that a test did not run.
pub fn skipped(test: &str, why: &str) {
    let line = format!("skipped: {test}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Compiles a program of this folder against a library; `None` where pkg-config does not find it.
pub fn compiled(source: &str, library: &str) -> Option<PathBuf> {
    let flags = Command::new("pkg-config")
        .args(["--cflags", "--libs", library])
        .output()
        .ok()?;
    if !flags.status.success() {
        return None;
    }
    let flags = String::from_utf8_lossy(&flags.stdout).into_owned();
    let program =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{library}_{source}.program"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cli/export")
        .join(source);
    let run = Command::new("c++")
        .args(["-std=c++17", "-Wall", "-Wextra"])
        .arg(source)
        .arg("-o")
        .arg(&program)
        .args(flags.split_whitespace())
        .output()
        .ok()?;
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    Some(program)
}

/// The lines that a program prints, split at tabs.
pub fn lines_of(program: &Path, file: &Path) -> Vec<Vec<String>> {
    let run = Command::new(program).arg(file).output().unwrap();
    split(&run.stdout)
}

fn split(text: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(text);
    let words = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().map(words).collect()
}

/// What MuJoCo makes of a model; `None` where `SUPEROVOID_PYTHON` has no MuJoCo.
pub fn mujoco(model: &Path, positions: &str, arguments: &[&str]) -> Option<Vec<Vec<String>>> {
    let python = std::env::var_os("SUPEROVOID_PYTHON").unwrap_or_else(|| OsString::from("python3"));
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/cli/export/mujoco_model.py"
    );
    let mut child = Command::new(python)
        .arg(script)
        .arg(model)
        .args(arguments)
        // MuJoCo leaves a log in the folder in which it runs.
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // Where it has no MuJoCo it reads nothing.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(positions.as_bytes());
    let run = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&run.stderr);
    if told.contains("ModuleNotFoundError") {
        return None;
    }
    assert!(run.status.success(), "{}: {told}", model.display());
    Some(split(&run.stdout))
}

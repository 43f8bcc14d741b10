//! Drivers of engines in C++, compiled when first needed.

use anyhow::{Context, Result, bail, ensure};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Flags for compiler and linker from pkg-config. The engine's headers become system headers: their warnings are
/// not ours.
pub fn flags(library: &str, package: &str) -> Result<Vec<String>> {
    let mut command = Command::new("pkg-config");
    if let (true, Ok(prefix)) = (library == "coal", std::env::var("SOVO_COAL_PREFIX")) {
        // For coal alone: FCL must not get the wheels' other versions of Eigen and OctoMap.
        let path = format!("{prefix}/lib/pkgconfig:{prefix}/share/pkgconfig");
        command.env("PKG_CONFIG_PATH", path);
    }
    let output = command.args(["--cflags", "--libs", library]).output();
    let output = output.context("pkg-config does not run")?;
    ensure!(
        output.status.success(),
        "not found by pkg-config ({package})"
    );
    let text = String::from_utf8(output.stdout)?;
    let mut flags = Vec::new();
    for flag in text
        .split_whitespace()
        .filter(|flag| !flag.starts_with("-std="))
    {
        if let Some(path) = flag.strip_prefix("-L") {
            flags.push(format!("-Wl,-rpath,{path}"));
        }
        flags.push(match flag.strip_prefix("-I") {
            Some(path) => format!("-isystem{path}"),
            None => flag.to_owned(),
        });
    }
    Ok(flags)
}

/// Compiles a driver, unless that has been done before; beside this program, in `compare-peers`.
pub fn compile(library: &str, source: &str, flags: &[String]) -> Result<PathBuf> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut hash = DefaultHasher::new();
    (source, include_str!("../../cpp/peer.hpp"), flags, &compiler).hash(&mut hash);
    let program = std::env::current_exe()?;
    let folder = program.with_file_name("compare-peers");
    std::fs::create_dir_all(&folder)?;
    let object = folder.join(format!("{library}-{:016x}.so", hash.finish()));
    if object.exists() {
        return Ok(object);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("cpp/{library}.cpp"));
    // Another process may be at the same: each makes its own, and the last to finish stays.
    let unfinished = object.with_extension(format!("{}.so", std::process::id()));
    let output = Command::new(&compiler)
        .args([
            "-std=c++17",
            "-O3",
            "-DNDEBUG",
            "-fPIC",
            "-shared",
            "-Wall",
            "-Wextra",
            "-o",
        ])
        .args([&unfinished, &path])
        .args(flags)
        .output()
        .with_context(|| format!("the compiler {compiler} does not run"))?;
    if !output.status.success() {
        bail!(
            "{compiler} fails:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    std::fs::rename(&unfinished, &object)?;
    Ok(object)
}

//! Programs in C and C++ that are compiled, linked and run, and where the library is.

use std::borrow::BorrowMut;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The text of `include/superovoid.h`, made anew from `crates/capi/src`.
///
/// # Errors
/// What cbindgen cannot make sense of.
pub fn header() -> Result<String, Box<dyn Error>> {
    let root = root();
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml"))?;
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_crate(root.join("crates/capi"))
        .generate()?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    Ok(String::from_utf8(text)?)
}

/// A program in C or C++ that uses the library.
pub struct Program {
    source: PathBuf,
    standard: &'static str,
    compiler: Option<&'static str>,
    shared: bool,
    flags: Vec<String>,
    built: OnceLock<Result<PathBuf, String>>,
}

impl Program {
    /// From a source file, its path relative to the root of the workspace. The extension tells the
    /// language; the standard is something like `c99` or `c++17`.
    pub fn new(source: impl AsRef<Path>, standard: &'static str) -> Self {
        Program {
            source: root().join(source),
            standard,
            compiler: None,
            shared: false,
            flags: Vec::new(),
            built: OnceLock::new(),
        }
    }

    /// With another compiler than the machine's default.
    pub fn compiler(mut self, name: &'static str) -> Self {
        self.compiler = Some(name);
        self
    }

    /// Linked to the shared library instead of the static one, which takes the linker an eighth of the time.
    pub fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    /// With more flags for the compiler and linker.
    pub fn flags<S: Into<String>>(mut self, flags: impl IntoIterator<Item = S>) -> Self {
        self.flags.extend(flags.into_iter().map(Into::into));
        self
    }

    /// Where the programs go.
    ///
    /// # Errors
    /// A directory that cannot be made.
    pub fn directory() -> Result<PathBuf, Box<dyn Error>> {
        let directory = libraries()?.join("../c-programs");
        std::fs::create_dir_all(&directory)?;
        Ok(directory)
    }

    /// Compiles with all warnings as errors and links, the first time it is called; says where the program is.
    ///
    /// # Errors
    /// What the compiler prints.
    pub fn build(&self) -> Result<PathBuf, Box<dyn Error>> {
        // Tests that share a program wait for the one that builds it.
        let built = self
            .built
            .get_or_init(|| self.link().map_err(|e| e.to_string()));
        Ok(built.clone()?)
    }

    fn link(&self) -> Result<PathBuf, Box<dyn Error>> {
        let libraries = libraries()?;
        let stem = self.source.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy();
        let kind = if self.shared { "shared" } else { "static" };
        let compiler = self.compiler.unwrap_or("cc");
        let name = format!("{stem}-{}-{kind}-{compiler}", self.standard);
        let program = Self::directory()?.join(name.replace('+', "p"));
        let mut command = self.compile_command();
        command.arg("-o").arg(&program).arg(&self.source);
        if self.shared {
            command.arg(shared_library()?);
            command.arg(format!("-Wl,-rpath,{}", libraries.display()));
        } else {
            command.arg(libraries.join("libsuperovoid.a"));
        }
        command.args(&self.flags).args(["-lm", "-lpthread", "-ldl"]);
        finish(command)?;
        Ok(program)
    }

    /// Compiles without linking: is the source valid?
    ///
    /// # Errors
    /// What the compiler prints.
    pub fn check(&self) -> Result<(), Box<dyn Error>> {
        let mut command = self.compile_command();
        command.arg("-fsyntax-only").arg(&self.source);
        command.args(&self.flags);
        finish(command).map(|_| ())
    }

    /// Builds and runs the program from the root of the workspace; its standard output.
    ///
    /// # Errors
    /// What the compiler prints, or a program that fails with what it prints.
    pub fn run(&self, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        let program = self.build()?;
        let runner = std::env::var("SOVO_RUNNER").unwrap_or_default();
        let mut words = runner.split_whitespace();
        let mut command = match words.next() {
            None => Command::new(&program),
            Some(first) => {
                let mut command = Command::new(first);
                command.args(words).arg(&program);
                command
            }
        };
        command.args(arguments).current_dir(root());
        let output = finish(command)?;
        Ok(String::from_utf8(output.stdout)?)
    }

    fn compile_command(&self) -> Command {
        let cpp = self.source.extension().is_some_and(|e| e == "cpp");
        let mut build = cc::Build::new();
        // What a build script would learn from cargo.
        build.target(TARGET).host(TARGET).opt_level(1).cpp(cpp);
        build.cargo_metadata(false).cargo_warnings(false);
        if let Some(compiler) = self.compiler {
            build.compiler(compiler);
        }
        let mut command = build.get_compiler().to_command();
        command.arg(format!("-std={}", self.standard));
        command.args(["-Wall", "-Wextra", "-Werror", "-pedantic"]);
        command.arg("-I").arg(root().join("include"));
        let more = std::env::var("SOVO_CFLAGS").unwrap_or_default();
        command.args(more.split_whitespace());
        // Lines are for those who look for what went wrong; they take the compiler a third of its time.
        if std::env::var_os("SOVO_RUNNER").is_some() || !more.is_empty() {
            command.arg("-g");
        }
        command
    }
}

/// The target that this was built for, from the build script.
const TARGET: &str = env!("SOVO_TARGET");

/// Where cargo has put the libraries for this test: beside it.
fn libraries() -> Result<PathBuf, Box<dyn Error>> {
    let test = std::env::current_exe()?;
    let directory = test.parent().ok_or("the test has no directory")?;
    let directory = if directory.ends_with("deps") {
        directory.to_path_buf()
    } else {
        directory.join("deps")
    };
    Ok(directory)
}

/// The numbers up to which the interface may not change: `0.1` of version 0.1.7, `1` of version 1.2.3.
pub fn interface() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let parts = if version.starts_with("0.") { 2 } else { 1 };
    let numbers: Vec<_> = version.split('.').take(parts).collect();
    numbers.join(".")
}

/// The shared library for this test, to be found by programs linked to it: the loader looks for the
/// name of its interface, and `cargo cinstall` makes this link, `cargo build` does not.
///
/// # Errors
/// A link that cannot be made.
pub fn shared_library() -> Result<PathBuf, Box<dyn Error>> {
    let libraries = libraries()?;
    let soname = libraries.join(format!("libsuperovoid.so.{}", interface()));
    match std::os::unix::fs::symlink("libsuperovoid.so", soname) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(libraries.join("libsuperovoid.so")),
    }
}

/// Says that something was not tested. Not with `eprintln!`, whose lines nobody sees when the test passes.
pub fn skipped(what: &str, why: &str) {
    let line = format!("skipped: {what}: {why}\n");
    // Without a standard error there is nobody to tell.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Whether a command that a test needs is there; if not, says that the test is skipped.
pub fn available(command: &[&str], test: &str) -> bool {
    let (program, arguments) = command.split_first().unwrap_or((&"", &[]));
    let output = Command::new(program).args(arguments).output();
    let there = output.is_ok_and(|output| output.status.success());
    if !there {
        let command = command.join(" ");
        skipped(test, &format!("`{command}` does not work here"));
    }
    there
}

/// Runs a command; its output unless it fails.
///
/// # Errors
/// What the command prints.
pub fn finish(mut command: impl BorrowMut<Command>) -> Result<Output, Box<dyn Error>> {
    let command = command.borrow_mut();
    // Without the environment, which the compiler's command lists whole.
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let line = words.join(" ");
    let output = command
        .output()
        .map_err(|error| format!("{line}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let (out, err) = (&output.stdout, &output.stderr);
    let (out, err) = (String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    Err(format!("{line}: {}\n{out}{err}", output.status).into())
}

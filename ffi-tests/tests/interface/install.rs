//! What `cargo cinstall` installs, used as others would: with pkg-config and with CMake.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use superovoid_ffi_tests::{abi, available, finish, interface, root};

/// All that programs may need of the system; of Rust, nothing.
const SYSTEM_LIBRARIES: [&str; 6] = [
    "libc.so.6",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "ld-linux-x86-64.so.2",
];

#[test]
#[ignore = "a second build of the library: a minute"]
fn the_files_are_where_others_look_for_them() -> Result<(), Box<dyn Error>> {
    let Some(installed) = Installed::get("installed files")? else {
        return Ok(());
    };
    let version = env!("CARGO_PKG_VERSION");
    let shared = "libsuperovoid.so".to_owned();
    for library in [
        "libsuperovoid.a".to_owned(),
        format!("{shared}.{}", interface()),
        format!("{shared}.{version}"),
        shared,
    ] {
        assert!(installed.libraries.join(&library).is_file(), "{library}");
    }
    let prefix = &installed.prefix;
    for header in files(&root().join("include"))? {
        let name = header.strip_prefix(root())?;
        let same = std::fs::read(&header)? == std::fs::read(prefix.join(name))?;
        assert!(same, "{}", name.display());
    }
    for file in ["superovoidConfig.cmake", "superovoidConfigVersion.cmake"] {
        assert!(prefix.join("share/cmake/superovoid").join(file).is_file());
    }
    Ok(())
}

#[test]
#[ignore = "a second build of the library: a minute"]
fn the_shared_library_is_like_that_of_cargo_build() -> Result<(), Box<dyn Error>> {
    let Some(installed) = Installed::get("installed shared library")? else {
        return Ok(());
    };
    let library = installed.libraries.join("libsuperovoid.so");
    let name = format!("libsuperovoid.so.{}", interface());
    assert_eq!(abi::dynamic_entries(&library, "SONAME")?, [name]);
    assert_eq!(abi::exported_symbols(&library)?, abi::declared_functions()?);
    needs_only(&library, &SYSTEM_LIBRARIES)
}

#[test]
#[ignore = "a second build of the library: a minute"]
fn pkg_config_says_how_to_link() -> Result<(), Box<dyn Error>> {
    let Some(installed) = Installed::get("pkg-config")? else {
        return Ok(());
    };
    if !available(&["pkg-config", "--version"], "pkg-config") {
        return Ok(());
    }
    let version = installed.pkg_config(&["--modversion"])?;
    assert_eq!(version, [env!("CARGO_PKG_VERSION")]);

    let shared = installed.prefix.join("shared");
    installed.compile(&shared, &installed.pkg_config(&["--cflags", "--libs"])?)?;
    let mut run = outside(&shared);
    run.env("LD_LIBRARY_PATH", &installed.libraries);
    prints_a_distance(run)?;
    let soname = format!("libsuperovoid.so.{}", interface());
    let mut allowed = SYSTEM_LIBRARIES.to_vec();
    allowed.push(&soname);
    needs_only(&shared, &allowed)?;

    // The static library has the same name: the shared one has to be out of the linker's way.
    let flags = installed.pkg_config(&["--static", "--cflags", "--libs"])?;
    let archive = installed.libraries.join("libsuperovoid.a");
    let archive = archive.to_string_lossy().into_owned();
    let flags = flags.into_iter().map(|flag| match flag.as_str() {
        "-lsuperovoid" => archive.clone(),
        _ => flag,
    });
    let static_ = installed.prefix.join("static");
    installed.compile(&static_, &flags.collect::<Vec<_>>())?;
    prints_a_distance(outside(&static_))?;
    needs_only(&static_, &SYSTEM_LIBRARIES)
}

#[test]
#[ignore = "a second build of the library: a minute"]
fn cmake_finds_it_also_where_it_was_moved_to() -> Result<(), Box<dyn Error>> {
    let Some(installed) = Installed::get("CMake")? else {
        return Ok(());
    };
    if !available(&["cmake", "--version"], "CMake") {
        return Ok(());
    }
    let moved = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moved");
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cmake-consumer");
    for directory in [&moved, &build] {
        let _ = std::fs::remove_dir_all(directory);
    }
    finish(
        Command::new("cp")
            .arg("-a")
            .args([&installed.prefix, &moved]),
    )?;

    let configure = |wanted: &str| {
        let _ = std::fs::remove_dir_all(&build);
        let mut cmake = Command::new("cmake");
        cmake.arg("-S").arg(root().join("ffi-tests/cmake-consumer"));
        cmake.arg("-B").arg(&build);
        cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display()));
        cmake.arg(format!("-DWANTED={wanted}"));
        finish(cmake)
    };
    for other in ["0.0.9", "0.1.99", "0.2", "1.0", "0.2...0.3"] {
        assert!(configure(other).is_err(), "{other} is another version");
    }
    for same in ["0.1.0", "0.1...<0.2", "0.0...0.1"] {
        configure(same)?;
    }
    configure("0.1")?;
    finish(Command::new("cmake").arg("--build").arg(&build))?;
    let output = finish(outside("ctest").arg("--test-dir").arg(&build))?;
    let output = String::from_utf8(output.stdout)?;
    assert!(output.contains("100% tests passed"), "{output}");

    let linked = finish(outside("ldd").arg(build.join("c_superovoid")))?;
    let linked = String::from_utf8(linked.stdout)?;
    assert!(linked.contains(&*moved.to_string_lossy()), "{linked}");
    needs_only(&build.join("c_superovoid_static"), &SYSTEM_LIBRARIES)
}

/// An installation in a directory of its own.
struct Installed {
    prefix: PathBuf,
    libraries: PathBuf,
}

impl Installed {
    /// Installed by the first test that asks; none, which says so, without cargo-c.
    fn get(test: &str) -> Result<Option<&'static Self>, Box<dyn Error>> {
        static INSTALLED: OnceLock<Result<Installed, String>> = OnceLock::new();
        if !available(&["cargo", "cinstall", "--version"], test) {
            return Ok(None);
        }
        let installed = INSTALLED.get_or_init(|| Self::install().map_err(|e| e.to_string()));
        Ok(Some(installed.as_ref().map_err(Clone::clone)?))
    }

    fn install() -> Result<Self, Box<dyn Error>> {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed");
        let _ = std::fs::remove_dir_all(&prefix);
        let mut cargo = Command::new("cargo");
        cargo.args([
            "cinstall",
            "-p",
            "superovoid-capi",
            "--locked",
            "--profile",
            "dev",
        ]);
        cargo.arg("--prefix").arg(&prefix).current_dir(root());
        // cargo-c brings a cargo of another version: in one directory each would build anew what the
        // other has built.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cinstall");
        cargo.arg("--target-dir").arg(target);
        // How fast it is does not matter here.
        cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        finish(cargo)?;
        // Debian's directory of the architecture, or the usual one.
        let files = files(&prefix)?;
        let archive = files.iter().find(|file| file.ends_with("libsuperovoid.a"));
        let libraries = archive.and_then(|file| file.parent());
        let libraries = libraries.ok_or("no static library")?.to_path_buf();
        Ok(Installed { prefix, libraries })
    }

    /// What pkg-config says of it, word by word.
    fn pkg_config(&self, arguments: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
        let mut command = Command::new("pkg-config");
        command.args(arguments).arg("superovoid");
        command.env("PKG_CONFIG_PATH", self.libraries.join("pkgconfig"));
        let output = String::from_utf8(finish(command)?.stdout)?;
        Ok(output.split_whitespace().map(str::to_owned).collect())
    }

    /// Compiles the quick start in C with nothing but these flags.
    fn compile(&self, program: &Path, flags: &[String]) -> Result<(), Box<dyn Error>> {
        let mut cc = Command::new("cc");
        cc.arg("-o").arg(program);
        cc.arg(root().join("ffi-tests/c/quick_start.c")).args(flags);
        finish(cc).map(|_| ())
    }
}

/// A command without the paths on which cargo has its tests look for shared libraries.
fn outside(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH");
    command
}

fn prints_a_distance(program: Command) -> Result<(), Box<dyn Error>> {
    let output = String::from_utf8(finish(program)?.stdout)?;
    assert!(
        output.starts_with("distance 0.015057 m, certified"),
        "{output}"
    );
    Ok(())
}

/// Asserts that the loader is asked for no other libraries than these.
fn needs_only(file: &Path, allowed: &[&str]) -> Result<(), Box<dyn Error>> {
    for needed in abi::dynamic_entries(file, "NEEDED")? {
        let known = allowed.contains(&needed.as_str());
        assert!(known, "{} needs {needed}", file.display());
    }
    Ok(())
}

/// All files under a directory.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

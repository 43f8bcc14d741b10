//! Names the shared library after its interface: a program asks the loader for `libsuperovoid.so.0.1`,
//! so that it never runs with a library whose interface is another one.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_C_CARGO");
    // cargo-c names what it installs: the same name, on macOS with the path of installation.
    if env::var_os("CARGO_C_CARGO").is_some() {
        return;
    }
    let number = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    // While the major version is 0 the minor one counts the interfaces.
    let interface = match number("MAJOR").as_str() {
        "0" => format!("0.{}", number("MINOR")),
        major => major.to_owned(),
    };
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let name = match system.as_str() {
        "linux" | "freebsd" | "dragonfly" | "netbsd" | "openbsd" | "illumos" | "haiku" => {
            format!("-soname,libsuperovoid.so.{interface}")
        }
        "macos" => format!("-install_name,@rpath/libsuperovoid.{interface}.dylib"),
        _ => return,
    };
    // Cargo hands what `rustc-link-arg-cdylib` says on to the libraries of packages that depend on this one, which would get
    // its name; `rustc-link-arg` is for this package alone. On macOS the linker takes a name for libraries only, not for the
    // programs of the unit tests: there a dependent library gives its own `-install_name`, of which the last counts.
    let key = if system == "macos" {
        "rustc-link-arg-cdylib"
    } else {
        "rustc-link-arg"
    };
    println!("cargo::{key}=-Wl,{name}");
}

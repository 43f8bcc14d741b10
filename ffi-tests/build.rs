//! Tells the tests for which target they are built; the compiler of C depends on it.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=SOVO_TARGET={target}");
    println!("cargo::rerun-if-changed=build.rs");
}

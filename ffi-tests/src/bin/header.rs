//! Writes `include/superovoid.h` anew.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = superovoid_ffi_tests::root().join("include/superovoid.h");
    std::fs::write(path, superovoid_ffi_tests::header()?)?;
    Ok(())
}

//! Writes `ffi-tests/abi.txt` anew.

use superovoid_ffi_tests::abi;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::fs::write(abi::committed(), abi::describe()?)?;
    Ok(())
}

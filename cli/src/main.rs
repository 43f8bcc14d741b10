//! The `superovoid` command.
fn main() {}

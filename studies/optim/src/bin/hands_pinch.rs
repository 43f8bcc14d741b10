//! Closes both iCub hands to a pinch under a clearance of 5 mm by sequential convex programming, with the gradients of
//! the clearances and with differences, and prints what each took.
//!
//!     cargo run --release -p superovoid-optim --bin hands_pinch

use anyhow::Result;
use superovoid_optim::pinch::{MARGIN, Outcome, Pinch, Source};

const URDF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../urdf/icub_hands.urdf");

fn row(name: &str, found: &Outcome) {
    let ms = |t: std::time::Duration| 1e3 * t.as_secs_f64();
    println!(
        "| {name} | {} | {} | {} | {:.1} | {:.1} | {:.4}, {:.4} | {:.1e} |",
        found.iterations,
        found.configurations,
        found.pairs,
        ms(found.query_time),
        ms(found.program_time),
        1e3 * found.tips[0],
        1e3 * found.tips[1],
        1e3 * found.violation,
    );
}

fn main() -> Result<()> {
    let pinch = Pinch::new(URDF.as_ref())?;
    println!(
        "{} joints; the clearance kept is {} mm, or that of the open hands where it is less\n",
        pinch.joint_count(),
        1e3 * MARGIN
    );
    println!(
        "| derivatives | programs | configurations | pairs answered | queries, ms | programs, ms | tips, mm | violation, mm |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    // Once before, so that neither is the first to touch memory.
    pinch.close(Source::Gradients)?;
    row("gradients", &pinch.close(Source::Gradients)?);
    row("differences", &pinch.close(Source::Differences)?);
    Ok(())
}

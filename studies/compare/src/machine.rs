//! The machine that measures: what it is, how busy it is, and what its clock costs.

use std::fs::read_to_string;
use std::hint::black_box;
use std::time::Instant;

/// Rounds of one peer that differ by more than this share are noise, and are warned of.
pub const NOISE: f64 = 0.1;

/// Model, number of processors, virtual or not.
pub fn processor() -> String {
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model = field("model name").unwrap_or_else(|| "an unknown processor".to_owned());
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &str| flags.split_whitespace().any(|f| f == flag);
    let machine = if has("hypervisor") {
        ", virtual machine"
    } else {
        ""
    };
    let widest = [("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse2", "SSE2")];
    let widest = widest.iter().find(|(flag, _)| has(flag));
    let widest = widest.map_or(String::new(), |(_, name)| format!(", {name}"));
    format!("{model} ({count} processors{widest}{machine})")
}

/// The load averages of 1, 5 and 15 minutes; empty where the system does not tell.
pub fn load() -> String {
    let text = read_to_string("/proc/loadavg").unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    words.join(" ")
}

/// The least time between two readings of the clock, nanoseconds: the median of many.
pub fn clock_overhead() -> f64 {
    let read = || {
        let start = Instant::now();
        black_box(start).elapsed().as_nanos() as f64
    };
    let mut times: Vec<f64> = (0..10_001).map(|_| read()).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

//! The machine that measures, for the heads of reports.

use std::fs::read_to_string;

/// Maker and kind of the processor, how many there are, the widest vectors, virtual or not.
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
    let widest = [("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse2", "SSE2")];
    let widest = widest.iter().find(|(flag, _)| has(flag));
    let widest = widest.map_or(String::new(), |(_, name)| format!(", {name}"));
    let machine = if has("hypervisor") {
        ", virtual machine"
    } else {
        ""
    };
    format!("{model} ({count} processors{widest}{machine})")
}

//! Who is asked. A [`Peer`] answers the cases of one workload; each is timed in the same way.

pub mod answer;
pub mod driver;
mod foreign;
mod ours;
mod parry;

use crate::workload::{Field, Workload};

pub use answer::{Answer, Peer};
pub use foreign::Engines;

/// Everyone who takes part in a workload, ourselves first; and who would but does not, with the reason. With names,
/// only ourselves and those whose name begins with one of them.
pub fn all<'a>(
    workload: &'a Workload,
    engines: &'a Engines,
    names: &[String],
) -> (Vec<Box<dyn Peer + 'a>>, Vec<String>) {
    let wanted =
        |name: &str| names.is_empty() || names.iter().any(|wanted| name.starts_with(wanted));
    let mut peers = ours::peers(workload);
    let mut missing = Vec::new();
    if workload.field != Field::NonConvex {
        peers.extend(parry::peers(workload, wanted));
        for (peer, name) in engines.peers(workload, wanted) {
            match peer {
                Ok(peer) => peers.push(peer),
                Err(why) => missing.push(format!("{name}: {why}")),
            }
        }
    }
    peers.retain(|peer| peer.name().starts_with("superovoid") || wanted(peer.name()));
    (peers, missing)
}

/// Who takes part in the full check of the hands, besides the library's own scene.
pub fn full_check_peers<'a>(
    workload: &'a Workload,
    engines: &'a Engines,
) -> Vec<(anyhow::Result<Box<dyn Peer + 'a>>, &'static str)> {
    let mut peers = vec![
        (
            Ok(parry::meshes(workload, "parry, meshes")),
            "parry, meshes",
        ),
        (Ok(parry::hulls(workload, "parry, hulls")), "parry, hulls"),
    ];
    peers.extend(engines.full_check(workload));
    peers
}

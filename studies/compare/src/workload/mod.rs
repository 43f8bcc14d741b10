//! What is asked: bodies, and cases of two bodies (or a body and a point) where they are.

mod case;
mod hands;
mod random;

#[cfg(test)]
pub use case::pose;
pub use case::{Case, Field, Other, Workload};
pub use hands::{Hands, Scene};
pub use random::{Battery, Draw, Tapers};

/// Names and makers of all workloads, in the order of the report.
pub const ALL: [&str; 14] = [
    "battery",
    "tapered",
    "non-convex",
    "warm",
    "ellipsoids-apart",
    "ellipsoids-overlapping",
    "boxy",
    "deep",
    "domain",
    "points",
    "hands",
    "hands-0.1mm",
    "hands-1mm",
    "hands-10mm",
];

/// A workload by its name, with about that many cases. `None`: there is none of that name.
///
/// # Errors
/// A model of the hands that cannot be read.
pub fn make(name: &str, count: usize, seed: u64) -> anyhow::Result<Option<Workload>> {
    let mut draw = Draw::new(seed);
    let battery = |distance| random::Battery {
        distance,
        ..random::Battery::default()
    };
    let workload = match name {
        "battery" => Workload {
            title: "Battery, untapered",
            note: "Bodies at (0, 0, 0) and (0, 2.21, 0), semi-axes 1, e in [0.3, 1.1], orientations uniform.",
            ..draw.battery(count, &battery(2.21))
        },
        "tapered" => Workload {
            title: "Battery, convex tapers",
            note: "The same with tx = ty in [-0.4, 0.4] where that is convex. Peers are given the library's \
                   support function, which has no closed form here.",
            ..draw.battery(
                count,
                &random::Battery {
                    tapers: Tapers::Convex,
                    ..battery(2.21)
                },
            )
        },
        "non-convex" => Workload {
            title: "Battery, any tapers",
            note: "The same with tx and ty in [-0.4, 0.4] drawn apart, as in the 2017 paper: most bodies are \
                   not convex, and no peer can answer. Without a reference: the oracle is of convex bodies.",
            field: Field::NonConvex,
            ..draw.battery(
                count,
                &random::Battery {
                    tapers: Tapers::Any,
                    ..battery(2.21)
                },
            )
        },
        "warm" => Workload {
            title: "Battery, untapered, moved by 0.1 %",
            note: "B has moved by 0.001 and turned by 0.001 rad a query, in one direction, since six queries ago.",
            field: Field::Warm,
            ..draw.moved(count, &battery(2.21), 0.001)
        },
        "ellipsoids-apart" => Workload {
            title: "Ellipsoids, centres 3.2 apart",
            note: "Semi-axes in [0.96, 1.4], orientations uniform: all apart.",
            field: Field::Ellipsoids,
            ..draw.battery(count, &random::Battery::ellipsoids(3.2))
        },
        "ellipsoids-overlapping" => Workload {
            title: "Ellipsoids, centres 1.8 apart",
            note: "Semi-axes in [0.96, 1.4], orientations uniform: all overlapping.",
            field: Field::Ellipsoids,
            ..draw.battery(count, &random::Battery::ellipsoids(1.8))
        },
        "boxy" => Workload {
            title: "Box-like bodies",
            note: "e in [0.02, 0.2], centres 2.21 apart; a quarter of the pairs axis-aligned with parallel faces.",
            ..draw.boxy(count)
        },
        "deep" => Workload {
            title: "Deep overlap",
            note: "The untapered battery with centres 1.0 apart.",
            deep: true,
            ..draw.battery(count, &battery(1.0))
        },
        "domain" => Workload {
            title: "Whole convex domain",
            note: "e in [0.02, 1.98], semi-axes in [0.1, 1], tx = ty in [-0.4, 0.4] where that is convex, centres \
                   1.0 apart, orientations uniform.",
            deep: true,
            ..draw.battery(count, &random::Battery::domain())
        },
        "points" => Workload {
            title: "Points",
            note: "The seven shapes of the thesis on superellipsoids and vertices, semi-axes 1; points of the \
                   parametric surface with semi-axes 1.05 (apart) and 0.985 (inside: overlapping).",
            field: Field::Points,
            ..random::points(count)
        },
        "hands" => Hands::load()?.pairs(&mut draw, count)?,
        "hands-0.1mm" => Workload {
            title: "Hands, 0.1 mm a step",
            ..Hands::load()?.trajectory(&mut draw, count, 1e-4)?
        },
        "hands-1mm" => Workload {
            title: "Hands, 1 mm a step",
            ..Hands::load()?.trajectory(&mut draw, count, 1e-3)?
        },
        "hands-10mm" => Workload {
            title: "Hands, 10 mm a step",
            ..Hands::load()?.trajectory(&mut draw, count, 1e-2)?
        },
        _ => return Ok(None),
    };
    let name = ALL.into_iter().find(|known| *known == name);
    Ok(Some(Workload {
        name: name.unwrap_or("other"),
        ..workload
    }))
}

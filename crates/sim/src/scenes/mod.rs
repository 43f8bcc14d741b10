//! Ready scenes, by name, and the functions that build their like.

mod bowl;
mod cloth;
#[cfg(feature = "urdf")]
mod hands;
mod random;
mod soft;
#[cfg(feature = "urdf")]
mod squeeze;
mod stack;

pub use bowl::bowl;
pub use cloth::{grid, hanging_strip, tablecloth};
#[cfg(feature = "urdf")]
pub use hands::{PINCHED, hands_and_cloth, robot_bodies};
pub use random::Random;
pub use soft::{RING, chain, ring, ring_on_superovoid, rings, rings_in_one_another, solid};
#[cfg(feature = "urdf")]
pub use squeeze::squeeze;
pub use stack::stack;

use crate::scene::Scene;

/// The names of the ready scenes, with one line about each.
pub const READY: &[(&str, &str)] = &[
    (
        "tablecloth",
        "A cloth of 3,240 vertices on a box-like superellipsoid",
    ),
    ("tablecloth-fine", "The same with 6,460 vertices"),
    (
        "bowl",
        "Fifty superellipsoids fall into a bowl of 10,000 triangles",
    ),
    ("bowl-200", "200 superellipsoids and a larger bowl"),
    ("bowl-1000", "1,000 superellipsoids and a larger bowl"),
    ("stack", "Ten box-like bodies on top of each other"),
    #[cfg(feature = "urdf")]
    ("hands-and-cloth", "The hands of the iCub touch a cloth"),
    (
        "rings",
        "Six soft rings that begin in one another fall on a floor",
    ),
    ("chain", "A chain of four soft rings hangs"),
    (
        "ring-on-superovoid",
        "A soft ring falls on an egg-shaped superovoid",
    ),
    #[cfg(feature = "urdf")]
    (
        "squeeze",
        "The thumbs of the iCub take a soft ball and lift it",
    ),
];

/// Returns the ready scene of this name.
pub fn ready(name: &str) -> Option<Scene> {
    match name {
        "tablecloth" => Some(tablecloth(60, 54)),
        "tablecloth-fine" => Some(tablecloth(85, 76)),
        "bowl" => Some(bowl(50, 1)),
        "bowl-200" => Some(bowl(200, 1)),
        "bowl-1000" => Some(bowl(1000, 1)),
        "stack" => Some(stack(10)),
        #[cfg(feature = "urdf")]
        "hands-and-cloth" => Some(hands_and_cloth()),
        "rings" => Some(rings()),
        "chain" => Some(chain(4)),
        "ring-on-superovoid" => Some(ring_on_superovoid()),
        #[cfg(feature = "urdf")]
        "squeeze" => Some(squeeze()),
        _ => None,
    }
}

//! What the crates of this repository share with this one: lanes, checks of input, bounds. It is no interface, and
//! changes without notice.

#[cfg(feature = "bvh")]
pub use crate::bvh::Hierarchy;
pub use crate::collision::Flat;
pub use crate::convex::ovoid_contact;
pub use crate::convexity::ConvexityNumbers;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use crate::lanes::level;
pub use crate::lanes::{
    Lanes, MAX_LANES, Piece, RowLanes, SimdLevel, SoaLanes, Two, dispatch, fused, on_level, pieces,
};
pub use crate::pair::batch::{PAIRS_PER_BATCH, solve_batch};
pub use crate::pair::pair_contact::contact_of_valid;
pub use crate::pair::warm_start::cache_along;
pub use crate::polytope::shapes::validate_vertices;
pub use crate::query::bounding::pair_beyond_by_boxes;
pub use crate::query::units::RELATIVE_TOLERANCE;
pub use crate::query::validation::{validate_options, validate_pose};
pub use crate::shape::ShapeNumbers;
pub use crate::surface::bounds::BOUND_ACCURACY;
pub use crate::surface::enclosure::{Enclosure, PlacedEnclosure};
pub use crate::surface::support_lanes::Supports;
pub use crate::vertex::batch::{GROUP, PlacedBody};

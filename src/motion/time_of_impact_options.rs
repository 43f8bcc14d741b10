//! The options of the search for the first contact.

use crate::query::error::QueryError;

/// The options of a time of impact. `TimeOfImpactOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TimeOfImpactOptions {
    /// The distance (metres) at which the bodies count as touching; the default is 0.
    pub min_separation: f64,
    /// How far the distances at `safe` and `touching` may be from `min_separation` (metres). The value 0, which is the
    /// default, means 1e-9 of the largest semi-axis of the bodies. A tolerance below what rounding allows, about 5e-13 of
    /// the lengths (reach of both bodies from their origins, distance from the world's origin, path), is raised to that.
    pub tolerance: f64,
    /// The number of distance queries, after which the search ends; the default is 100. A hit that is transversal takes
    /// about six, a miss about three.
    pub max_queries: u32,
}

impl Default for TimeOfImpactOptions {
    fn default() -> Self {
        TimeOfImpactOptions {
            min_separation: 0.0,
            tolerance: 0.0,
            max_queries: 100,
        }
    }
}

impl TimeOfImpactOptions {
    crate::setters! {
        with_min_separation min_separation: f64,
        with_tolerance tolerance: f64,
        with_max_queries max_queries: u32,
    }

    #[doc(hidden)]
    pub fn validate(&self) -> Result<(), QueryError> {
        let requirement = "metres, finite, at least 0";
        for (name, value) in [
            ("min_separation", self.min_separation),
            ("tolerance", self.tolerance),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(QueryError::Option {
                    name,
                    value,
                    requirement,
                });
            }
        }
        Ok(())
    }
}

//! Table 4 of Gonçalves et al. 2017.

use super::MeshQuery;
use superovoid::published::Scheme;

/// A row: mean and standard deviation in microseconds, mean number of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Mean time of a call, microseconds.
    pub mean: f64,
    /// Its standard deviation, microseconds.
    pub deviation: f64,
    /// Mean number of Newton-Raphson iterations; `None` of meshes.
    pub iterations: Option<f64>,
}

const fn row(mean: f64, deviation: f64, iterations: Option<f64>) -> Published {
    Published {
        mean,
        deviation,
        iterations,
    }
}

/// A hand of the paper and the implementation that it is given to (section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// The superellipsoids of figure 7 (b) by the general implementation, that of superovoids: its row *Superovoids*.
    SuperellipsoidsByGeneralCode,
    /// Figure 7 (c): superovoids at the fingertips.
    Mixed,
}

/// The rows of schemes. Its rows *Superellipsoids* are those of an implementation for them alone, which this library's
/// schemes do not have.
pub fn scheme(hand: Hand, scheme: Scheme) -> Option<Published> {
    let [general, mixed] = match scheme {
        Scheme::OctImplicit => [
            row(123.55, 309.49, Some(3.5)),
            row(128.62, 277.83, Some(2.7)),
        ],
        Scheme::QuadParametric => [row(45.67, 95.11, Some(2.1)), row(49.55, 116.65, Some(2.3))],
        _ => return None,
    };
    Some(match hand {
        Hand::SuperellipsoidsByGeneralCode => general,
        Hand::Mixed => mixed,
    })
}

/// FCL's meshes.
pub fn mesh(query: MeshQuery) -> Option<Published> {
    match query {
        MeshQuery::Cross => Some(row(28.29, 21.98, None)),
        MeshQuery::Distance => Some(row(181.03, 95.21, None)),
        MeshQuery::Depth => None,
    }
}

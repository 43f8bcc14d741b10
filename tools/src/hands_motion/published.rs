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

/// Superovoids, superellipsoids and mixed, in the order in which this project names them.
pub fn scheme(version: usize, scheme: Scheme) -> Option<Published> {
    let rows = match scheme {
        Scheme::OctImplicit => [
            row(123.55, 309.49, Some(3.5)),
            row(127.71, 299.89, Some(3.7)),
            row(128.62, 277.83, Some(2.7)),
        ],
        Scheme::QuadParametric => [
            row(45.67, 95.11, Some(2.1)),
            row(39.01, 96.27, Some(2.3)),
            row(49.55, 116.65, Some(2.3)),
        ],
        _ => return None,
    };
    rows.get(version).copied()
}

/// FCL's meshes.
pub fn mesh(query: MeshQuery) -> Option<Published> {
    match query {
        MeshQuery::Cross => Some(row(28.29, 21.98, None)),
        MeshQuery::Distance => Some(row(181.03, 95.21, None)),
        MeshQuery::Depth => None,
    }
}

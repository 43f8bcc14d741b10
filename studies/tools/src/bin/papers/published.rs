//! What the papers printed, for the columns beside ours.

#![expect(
    clippy::approx_constant,
    reason = "a percentage of 6.28 is not a circle"
)]

/// A row of Tables 1 and 2 of Gonçalves et al. 2017: means in microseconds.
pub struct PublishedPair {
    pub microseconds: [f64; 2],
    pub iterations: [f64; 2],
    /// Time an iteration, which is not the quotient of the others.
    pub iteration: [f64; 2],
}

/// The quadtrees' guess, the same for all of them, microseconds.
pub const PAIR_GUESS: f64 = 129.28;

/// `[separated (Table 2), overlapping (Table 1)]`, 10,000 pairs, forward differences.
pub fn pair(method: &str) -> Option<PublishedPair> {
    let (microseconds, iterations, iteration) = match method {
        "quad-implicit" => ([290.55, 310.42], [5.47, 6.20], [21.26, 21.20]),
        "quad-parametric" => ([396.00, 424.53], [6.20, 6.93], [31.72, 31.59]),
        "ntb-parametric" => ([326.41, 347.72], [6.20, 6.92], [23.05, 22.99]),
        _ => return None,
    };
    Some(PublishedPair {
        microseconds,
        iterations,
        iteration,
    })
}

/// The papers' mesh of 290 vertices with FCL, microseconds, `[separated, overlapping]`.
pub const PAIR_MESH: [f64; 2] = [375.19, 206.29];

/// Tables 1 to 4 of the thesis on superellipsoids and vertices, for one side of the surface.
pub struct PublishedPoints {
    /// Mean error, mm.
    pub error: f64,
    /// Queries that reached 1e-3 m, per cent.
    pub converged: f64,
    /// Mean time, microseconds.
    pub microseconds: f64,
}

/// Exponents (e1, e2) of the seven shapes.
pub const SHAPES: [[f64; 2]; 7] = [
    [0.3, 0.3],
    [0.65, 0.65],
    [1.0, 1.0],
    [1.35, 1.35],
    [1.7, 1.7],
    [1.0, 0.3],
    [1.0, 1.6],
];

const fn row(error: f64, converged: f64, microseconds: f64) -> PublishedPoints {
    PublishedPoints {
        error,
        converged,
        microseconds,
    }
}

/// The thesis' iterative method, `[outside (Tables 1 and 3), inside (Tables 2 and 4)]`.
pub const ITERATIVE: [[PublishedPoints; 7]; 2] = [
    [
        row(0.41, 100.0, 2.63),
        row(0.59, 100.0, 1.76),
        row(2.11e-14, 100.0, 1.23),
        row(0.46, 100.0, 1.98),
        row(0.73, 86.0, 5.86),
        row(0.40, 100.0, 2.33),
        row(0.34, 100.0, 2.12),
    ],
    [
        row(0.21, 100.0, 1.80),
        row(0.06, 100.0, 1.70),
        row(2.10e-14, 100.0, 1.13),
        row(0.06, 100.0, 1.63),
        row(0.19, 96.08, 2.52),
        row(0.15, 100.0, 2.27),
        row(0.09, 100.0, 2.17),
    ],
];

/// Its mesh with FCL.
pub const MESH: [[PublishedPoints; 7]; 2] = [
    [
        row(6.89, 10.52, 35.02),
        row(5.91, 5.44, 29.05),
        row(5.30, 5.28, 32.57),
        row(4.49, 6.28, 30.37),
        row(3.94, 19.56, 33.66),
        row(6.39, 7.72, 26.51),
        row(3.83, 6.32, 39.27),
    ],
    [
        row(1.09, 56.88, 32.36),
        row(1.48, 67.29, 23.65),
        row(1.88, 66.71, 24.35),
        row(0.66, 79.48, 25.45),
        row(0.48, 87.64, 26.42),
        row(0.96, 63.52, 28.10),
        row(0.59, 85.92, 33.47),
    ],
];

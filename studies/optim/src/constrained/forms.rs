//! Forms of the surface constraints, and the limit of the iterations.

/// The surface equation φ = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurfaceForm {
    /// `φ = (F + 1)^(e2/2) − 1`, the nested norm less 1: it grows like the distance, so that its
    /// linearisation means something away from the surface.
    #[default]
    Norm,
    /// `φ = F`, as in the paper: the same surface, but of degree 2/e2, 20 for e2 = 0.1.
    InsideOutside,
}

/// On which side of A's surface x_B is expected: the sign of "along A" and "along B".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// `n_A·d = |d|`, as the paper prints it for every pair.
    #[default]
    Apart,
    /// `n_A·d = −|d|`, the sign that holds at a penetration.
    Overlapping,
}

/// Iterations granted to the interior point; the SQP is granted ten evaluations for each.
pub(super) const MAX_ITERATIONS: usize = 200;

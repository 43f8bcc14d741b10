//! The options of the schemes of Gonçalves, Bernardino, Jorge and Lopes (2017).

use crate::query::error::QueryError;
use crate::query::validation::validate_lengths;

/// The four schemes of Gonçalves, Bernardino, Jorge and Lopes (*Mechanism and Machine Theory* 115, 2017).
///
/// The [module](crate::published) describes their equations and guesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The unknowns are the six local Cartesian coordinates of both points, in system (15) with tangents
    /// by Householder's reflection. The guess comes from octrees of 5 levels over bounds of the
    /// inside-outside function. It is the slowest guess, and it needs no parametric form.
    OctImplicit,
    /// The scheme that the paper recommends: the unknowns and equations of
    /// [`OctImplicit`](Scheme::OctImplicit) with a guess from quadtrees of 6 levels in (φ1, φ2), of which
    /// 16 pairs of cells are kept on each level. System (15) is at its best for e ≤ 1 and stalls at the
    /// ridges of pointed bodies (e well above 1).
    #[default]
    QuadImplicit,
    /// The unknowns are the four surface angles ([`SurfaceAngles`](crate::surface::SurfaceAngles)), in
    /// system (18) with the tangents of the parametric form. The guess comes from the quadtrees.
    QuadParametric,
    /// The unknowns are the four surface angles, in system (18) with tangents from the normal by
    /// Householder's reflection, which are perpendicular everywhere. The guess comes from the quadtrees.
    /// It is the most robust of the four.
    NtbParametric,
}

impl Scheme {
    /// Every scheme, in the order of declaration.
    pub const ALL: [Scheme; 4] = [
        Scheme::OctImplicit,
        Scheme::QuadImplicit,
        Scheme::QuadParametric,
        Scheme::NtbParametric,
    ];

    /// The name on the command line and in reports: `oct-implicit`, `quad-implicit`, `quad-parametric` or
    /// `ntb-parametric`.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::OctImplicit => "oct-implicit",
            Scheme::QuadImplicit => "quad-implicit",
            Scheme::QuadParametric => "quad-parametric",
            Scheme::NtbParametric => "ntb-parametric",
        }
    }
}

impl std::fmt::Display for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The source of the Jacobian matrix of the Newton–Raphson of the schemes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jacobian {
    /// The derivatives in closed form, which the papers name as future work.
    #[default]
    Analytic,
    /// The forward differences of the papers, which cost an evaluation more for each unknown and
    /// iteration. The step, which the papers do not give, is √ε (1.5e-8) of the semi-axis, or of the angle
    /// to the nearest quarter turn; as published it is that of the authors' program, 1e-6.
    ForwardDifferences,
}

/// The steps in which the quadtrees of a guess divide the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Division {
    /// Equal steps of the surface angles (φ1, φ2), as published. They crowd the cells at the edges of a square body, whose
    /// faces they hardly reach, and at the ridges of a pointed one, where most contacts are.
    #[default]
    SurfaceAngles,
    /// Equal steps of the polar angles of the points on both circles, which spread the cells over the surface for every
    /// exponent: the non-uniform tree that the paper leaves as future work. It guesses better for e < 0.5, worse for
    /// e > 1, and takes up to 40 % more time.
    PolarAngles,
}

/// The options of [`scheme_contact`](crate::published::scheme_contact).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchemeOptions {
    /// The scheme that answers; the default is [`Scheme::QuadImplicit`].
    pub scheme: Scheme,
    /// The source of the Jacobian matrix; the default is [`Jacobian::Analytic`].
    pub jacobian: Jacobian,
    /// The steps of the quadtrees; the default is [`Division::SurfaceAngles`]. Octrees do not use it.
    pub division: Division,
    /// The widest bracket, in metres, of an answer that counts as certified; Newton–Raphson stops at it too. The
    /// value `0`, which is the default, means 1e-6 of the largest semi-axis of the two bodies, as in the papers.
    pub tolerance: f64,
    /// Whether the scheme runs as its authors published it: one pair of cells of 16 is kept on a level, Newton–Raphson
    /// takes whole steps in the papers' unknowns and ends when a step is short, there is no second guess, and the answer
    /// is believed. The default is `false`.
    ///
    /// Such an answer is [`Converged`](crate::Outcome::Converged) where the last step was within `tolerance` (radians
    /// for bodies of size 1 where the unknowns are angles), and its distance and points may then be wrong by any
    /// amount: only the bracket, that of the bounding spheres, is true, and need not contain the distance. The points
    /// of the implicit schemes are as near the surfaces as the iteration has come.
    pub as_published: bool,
    /// The number of Newton–Raphson iterations of one guess; the default is 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// The query stops as soon as the bodies are proven to be farther apart than this, in metres; the
    /// default is infinity.
    pub max_distance: f64,
}

impl Default for SchemeOptions {
    fn default() -> Self {
        SchemeOptions {
            scheme: Scheme::default(),
            jacobian: Jacobian::default(),
            division: Division::default(),
            tolerance: 0.0,
            as_published: false,
            max_iterations: 30,
            max_distance: f64::INFINITY,
        }
    }
}

impl SchemeOptions {
    /// Returns an error for lengths that are out of their domain.
    pub(super) fn validate(&self) -> Result<(), QueryError> {
        validate_lengths(self.tolerance, self.max_distance)
    }
}

//! The superovoid: seven validated numbers and the constants that follow from them.

pub(crate) mod circle;
pub(crate) mod radii;

use crate::convexity::{self, Convexity, ConvexityNumbers};
use crate::traits::Traits;

/// A parameter of a superovoid, for error messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The semi-axis along x, metres.
    A1,
    /// The semi-axis along y, metres.
    A2,
    /// The semi-axis along z, metres.
    A3,
    /// The squareness exponent of the section parallel to the xy plane.
    E1,
    /// The squareness exponent along z.
    E2,
    /// The taper of the x half-width along z.
    Tx,
    /// The taper of the y half-width along z.
    Ty,
}

impl Parameter {
    /// Returns the name used in files, columns and messages: `a1`, …, `ty`.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::A1 => "a1",
            Parameter::A2 => "a2",
            Parameter::A3 => "a3",
            Parameter::E1 => "e1",
            Parameter::E2 => "e2",
            Parameter::Tx => "tx",
            Parameter::Ty => "ty",
        }
    }

    fn requirement(self) -> &'static str {
        match self {
            Parameter::A1 | Parameter::A2 | Parameter::A3 => {
                "a semi-axis must be finite and greater than 0"
            }
            Parameter::E1 | Parameter::E2 => {
                "an exponent must lie strictly between 0 and 2 (1 is round, towards 0 a box, \
                 towards 2 a pointed body)"
            }
            Parameter::Tx | Parameter::Ty => "a taper must lie strictly between -1 and 1",
        }
    }
}

/// An error of a parameter that no superovoid can have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{} = {value}: {}", .parameter.name(), .parameter.requirement())]
#[non_exhaustive]
pub struct ShapeError {
    /// The parameter.
    pub parameter: Parameter,
    /// The value that was rejected.
    pub value: f64,
}

/// A superovoid: a superellipsoid whose x and y half-widths change linearly along z.
///
/// A superovoid has seven numbers, with all lengths in metres, in its own frame with the origin at the centre:
/// semi-axes `a1 a2 a3`, squareness exponents `e1 e2` and tapers `tx ty`. The body is `F(x) ≤ 0` with the
/// inside-outside function (Gonçalves et al. 2017, equation 5)
///
/// ```text
/// F(x, y, z) = ( |x / (a1 (1 + tx z/a3))|^(2/e1) + |y / (a2 (1 + ty z/a3))|^(2/e1) )^(e1/e2)
///              + |z/a3|^(2/e2) − 1
/// ```
///
/// `e1` squares the section parallel to the xy plane and `e2` the profile along z (part of the
/// superquadric literature numbers them the other way round). `tx = ty = 0` is a superellipsoid,
/// with `e1 = e2 = 1` an ellipsoid, with equal semi-axes a sphere: these are values of one type
/// that cost less to query, not other types.
///
/// A value is immutable and validated once, when it is made. Every valid parameter set is accepted; a tapered body
/// may be non-convex, see [`Superovoid::convexity`].
// The struct consists of numbers only, in the order of the C interface's sovo_superovoid.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superovoid {
    pub(crate) a: [f64; 3],
    pub(crate) e: [f64; 2],
    pub(crate) t: [f64; 2],
    /// The radius of a sphere about the origin that contains the body.
    pub(crate) outer_radius: f64,
    /// The radius of a sphere about the origin inside the body.
    pub(crate) inner_radius: f64,
    pub(crate) convexity: ConvexityNumbers,
    /// The exponents of the two circles, p = 2/e.
    pub(crate) p: [f64; 2],
    /// The conjugates of these, q = 2/(2 − e): 1/p + 1/q = 1.
    pub(crate) q: [f64; 2],
    /// The largest of p and q.
    pub(crate) steepest: f64,
    /// The radius of a sphere that rolls inside the whole surface, see [`radii::rolling_radius`].
    pub(crate) rolling_radius: f64,
    pub(crate) traits: Traits,
}

/// The numbers of a superovoid as they lie in its memory, of which the C interface's `sovo_superovoid` begins.
#[doc(hidden)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeNumbers {
    pub semi_axes: [f64; 3],
    pub exponents: [f64; 2],
    pub tapers: [f64; 2],
    pub outer_radius: f64,
    pub inner_radius: f64,
    pub convexity: ConvexityNumbers,
    /// The constants of the solver, as bits.
    pub prepared: [u64; 7],
}

const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<ShapeNumbers>() == size_of::<Superovoid>());
    assert!(align_of::<ShapeNumbers>() == align_of::<Superovoid>());
    assert!(offset_of!(ShapeNumbers, semi_axes) == offset_of!(Superovoid, a));
    assert!(offset_of!(ShapeNumbers, exponents) == offset_of!(Superovoid, e));
    assert!(offset_of!(ShapeNumbers, tapers) == offset_of!(Superovoid, t));
    assert!(offset_of!(ShapeNumbers, outer_radius) == offset_of!(Superovoid, outer_radius));
    assert!(offset_of!(ShapeNumbers, inner_radius) == offset_of!(Superovoid, inner_radius));
    assert!(offset_of!(ShapeNumbers, convexity) == offset_of!(Superovoid, convexity));
    const PREPARED: usize = offset_of!(ShapeNumbers, prepared);
    assert!(offset_of!(Superovoid, p) == PREPARED);
    assert!(offset_of!(Superovoid, q) == PREPARED + 2 * size_of::<u64>());
    assert!(offset_of!(Superovoid, steepest) == PREPARED + 4 * size_of::<u64>());
    assert!(offset_of!(Superovoid, rolling_radius) == PREPARED + 5 * size_of::<u64>());
    assert!(offset_of!(Superovoid, traits) == PREPARED + 6 * size_of::<u64>());
};

impl ShapeNumbers {
    /// Returns the numbers of a shape.
    pub fn of(shape: &Superovoid) -> Self {
        let [p1, p2] = shape.p.map(f64::to_bits);
        let [q1, q2] = shape.q.map(f64::to_bits);
        let (steepest, rolling) = (shape.steepest.to_bits(), shape.rolling_radius.to_bits());
        ShapeNumbers {
            semi_axes: shape.a,
            exponents: shape.e,
            tapers: shape.t,
            outer_radius: shape.outer_radius,
            inner_radius: shape.inner_radius,
            convexity: shape.convexity,
            prepared: [p1, p2, q1, q2, steepest, rolling, shape.traits.bits()],
        }
    }
}

impl Superovoid {
    /// Makes a superovoid from seven numbers, which it validates: `semi_axes = [a1, a2, a3]` in metres, `exponents =
    /// [e1, e2]`, `tapers = [tx, ty]`.
    ///
    /// # Errors
    /// The error names the first parameter that is out of its domain, with its value.
    ///
    /// ```
    /// use superovoid::Superovoid;
    /// let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
    /// assert!(egg.is_convex());
    /// let error = Superovoid::new([0.02, -0.02, 0.03], [1.0, 1.0], [0.0, 0.0]).unwrap_err();
    /// assert!(error.to_string().starts_with("a2 = -0.02"));
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn new(
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        tapers: [f64; 2],
    ) -> Result<Self, ShapeError> {
        use Parameter::{A1, A2, A3, E1, E2, Tx, Ty};
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let between_0_and_2 = |x: f64| x > 0.0 && x < 2.0;
        let below_one = |x: f64| x.abs() < 1.0;
        let checks = [
            (A1, semi_axes[0], positive(semi_axes[0])),
            (A2, semi_axes[1], positive(semi_axes[1])),
            (A3, semi_axes[2], positive(semi_axes[2])),
            (E1, exponents[0], between_0_and_2(exponents[0])),
            (E2, exponents[1], between_0_and_2(exponents[1])),
            (Tx, tapers[0], below_one(tapers[0])),
            (Ty, tapers[1], below_one(tapers[1])),
        ];
        for (parameter, value, valid) in checks {
            if !valid {
                return Err(ShapeError { parameter, value });
            }
        }
        let p = exponents.map(|e| 2.0 / e);
        let q = exponents.map(|e| 2.0 / (2.0 - e));
        let outer_radius = radii::outer_radius(semi_axes, p, tapers);
        let inner_radius = radii::inner_radius(semi_axes, p, q, tapers);
        let convexity = convexity::of(exponents, tapers);
        Ok(Superovoid {
            a: semi_axes,
            e: exponents,
            t: tapers,
            outer_radius,
            inner_radius,
            convexity: ConvexityNumbers::of(convexity),
            p,
            q,
            steepest: p[0].max(p[1]).max(q[0].max(q[1])),
            rolling_radius: radii::rolling_radius(q, tapers, inner_radius, outer_radius),
            traits: Traits::of(semi_axes, exponents, tapers, convexity),
        })
    }

    /// Makes an untapered superellipsoid.
    ///
    /// # Errors
    /// The errors are those of [`Superovoid::new`].
    pub fn superellipsoid(semi_axes: [f64; 3], exponents: [f64; 2]) -> Result<Self, ShapeError> {
        Self::new(semi_axes, exponents, [0.0, 0.0])
    }

    /// Makes an ellipsoid.
    ///
    /// # Errors
    /// The errors are those of [`Superovoid::new`].
    pub fn ellipsoid(semi_axes: [f64; 3]) -> Result<Self, ShapeError> {
        Self::superellipsoid(semi_axes, [1.0, 1.0])
    }

    /// Makes a sphere of the given radius (metres).
    ///
    /// # Errors
    /// The error names a radius that is not finite and positive, as semi-axis `a1`.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Self::ellipsoid([radius; 3])
    }

    /// A sphere so small that it is a point beside bodies of sizes about 1.
    pub(crate) const POINT: Superovoid = {
        const RADIUS: f64 = 1e-18;
        Superovoid {
            a: [RADIUS; 3],
            e: [1.0; 2],
            t: [0.0; 2],
            outer_radius: RADIUS,
            inner_radius: RADIUS,
            convexity: ConvexityNumbers::of(Convexity::Convex),
            p: [2.0; 2],
            q: [2.0; 2],
            steepest: 2.0,
            rolling_radius: RADIUS,
            traits: Traits::OF_SPHERE,
        }
    };

    /// Returns the semi-axes `[a1, a2, a3]`, metres.
    pub fn semi_axes(&self) -> [f64; 3] {
        self.a
    }

    /// Returns the squareness exponents `[e1, e2]`.
    pub fn exponents(&self) -> [f64; 2] {
        self.e
    }

    /// Returns the tapers `[tx, ty]`.
    pub fn tapers(&self) -> [f64; 2] {
        self.t
    }

    /// Whether any taper is not zero.
    pub fn is_tapered(&self) -> bool {
        self.traits.tapered()
    }

    /// Whether this is an untapered ellipsoid (`e1 = e2 = 1`), a sphere included.
    pub fn is_ellipsoid(&self) -> bool {
        self.traits.round() && !self.traits.tapered()
    }

    /// Returns the radius of a ball about the origin that contains the body, metres.
    #[inline]
    pub fn outer_radius(&self) -> f64 {
        self.outer_radius
    }

    /// Returns the radius of a ball about the origin inside the body, metres.
    #[inline]
    pub fn inner_radius(&self) -> f64 {
        self.inner_radius
    }

    /// Returns whether the body is convex, and where it is not. The test is exact (unlike `|t| ≤ 0.5` of the
    /// literature, which is neither necessary nor sufficient).
    pub fn convexity(&self) -> Convexity {
        self.convexity.convexity()
    }

    /// Whether `self.convexity() == Convexity::Convex`.
    pub fn is_convex(&self) -> bool {
        self.traits.convex()
    }

    /// Returns the same shape with every length multiplied by `k` (the pair query works in units of the larger body;
    /// `k` is a power of two there, so that nothing is rounded).
    pub(crate) fn scaled(&self, k: f64) -> Self {
        Superovoid {
            a: self.a.map(|x| x * k),
            outer_radius: self.outer_radius * k,
            inner_radius: self.inner_radius * k,
            rolling_radius: self.rolling_radius * k,
            ..*self
        }
    }

    /// Returns the radius of a sphere that rolls inside an ellipsoid, and 0 for other shapes.
    ///
    /// With that sphere taken out of the support functions the bounds of the branch and bound are exact for spheres.
    /// The spheres of other shapes are smaller and close no bracket that stays open without them.
    pub(crate) fn ellipsoid_rolling_radius(&self) -> f64 {
        if self.is_ellipsoid() {
            self.rolling_radius
        } else {
            0.0
        }
    }

    /// Returns the largest semi-axis, the length to which relative tolerances refer.
    #[inline]
    #[doc(hidden)]
    pub fn size(&self) -> f64 {
        // No semi-axis is NaN, which `max` would have to test.
        let larger = |x, y| if x > y { x } else { y };
        larger(larger(self.a[0], self.a[1]), self.a[2])
    }
}

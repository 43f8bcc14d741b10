//! Options of the exact queries.

/// Makes the methods `with_…`, which give options back with another value of a field.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ([$($const:ident)?] $setter:ident $field:ident: $type:ty) => {
        #[doc = concat!("Returns these options with another [`", stringify!($field), "`](Self::", stringify!($field), ").")]
        #[inline]
        #[must_use]
        pub $($const)? fn $setter(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    };
    (fn; $($setter:ident $field:ident: $type:ty,)*) => {
        $($crate::setters! { [] $setter $field: $type })*
    };
    ($($setter:ident $field:ident: $type:ty,)*) => {
        $($crate::setters! { [const] $setter $field: $type })*
    };
}

/// The way in which the depth of overlapping bodies is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DepthMode {
    /// A shallow overlap of superovoids is solved from the centre line, a deep one by a branch and bound that stops early; other
    /// bodies by an expanding polytope. The answer is the least depth in nearly every case. The bracket of two superovoids stays
    /// open, that of other bodies closes in nearly every case.
    #[default]
    Fast,
    /// The search goes on until the bracket closes to 1e-6 of the larger semi-axis (or to the tolerance, if that is larger),
    /// unless 2048 directions do not suffice. It may need 400 kB of stack.
    Certified,
    /// Only whether the bodies overlap counts: as soon as that is proven, the depth is not looked for. The distance is then minus the
    /// length of some translation that separates the two bodies, or of meshes, sets of boxes and terrain the first two parts that
    /// overlap, and the lower bound is theirs; the witness points need not be on the surfaces.
    Any,
}

/// The options of a query. `QueryOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryOptions {
    /// The widest bracket, in metres, of an answer that counts as certified. The value 0, which is the default, means
    /// 1e-9 of the largest semi-axis of the two bodies.
    pub tolerance: f64,
    /// The number of Newton iterations from one start; the default is 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// The query stops as soon as the bodies are proven to be farther apart than this (metres). The default is infinity.
    pub max_distance: f64,
    /// The depth of overlapping bodies is fast (the default) or certified.
    pub depth: DepthMode,
}

/// The largest number of iterations that is made, so that every query ends. No query needs as many.
pub(crate) const MAX_ITERATIONS: u32 = 1000;

impl QueryOptions {
    crate::setters! {
        with_tolerance tolerance: f64,
        with_max_iterations max_iterations: u32,
        with_max_distance max_distance: f64,
        with_depth depth: DepthMode,
    }

    /// The options of [`Default`].
    pub const DEFAULT: QueryOptions = QueryOptions {
        tolerance: 0.0,
        max_iterations: 30,
        max_distance: f64::INFINITY,
        depth: DepthMode::Fast,
    };

    /// Whether the query is answered by any proof that the bodies overlap.
    #[inline(always)]
    pub(crate) fn takes_any_overlap(&self) -> bool {
        self.depth == DepthMode::Any && self.max_distance >= 0.0
    }

    /// Whether this lower bound (metres) exceeds the maximum distance and so answers the query.
    #[inline(always)]
    pub(crate) fn is_beyond(&self, lower: f64) -> bool {
        self.max_distance < lower
    }
}

impl Default for QueryOptions {
    #[inline]
    fn default() -> Self {
        Self::DEFAULT
    }
}

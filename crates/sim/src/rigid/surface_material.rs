//! What two surfaces make together.

use crate::scene::Material;

/// What the surfaces of a pair are made of: the geometric means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceMaterial {
    pub static_friction: f64,
    pub kinetic_friction: f64,
    pub restitution: f64,
    pub rolling_friction: f64,
}

/// What two materials make together.
pub(crate) fn combined(a: &Material, b: &Material) -> SurfaceMaterial {
    SurfaceMaterial {
        static_friction: (a.static_friction * b.static_friction).sqrt(),
        kinetic_friction: (a.kinetic_friction * b.kinetic_friction).sqrt(),
        restitution: (a.restitution * b.restitution).sqrt(),
        rolling_friction: (a.rolling_friction * b.rolling_friction).sqrt(),
    }
}

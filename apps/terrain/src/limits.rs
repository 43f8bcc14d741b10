//! The measures of a terrain.

/// Half the length of a side of the ground and of the cloth, metres.
pub const HALF: f64 = 1.0;
/// The vertices along a side of the cloth.
pub const SIDE: usize = 41;
/// The time of a frame, seconds.
pub const FRAME: f64 = 1.0 / 60.0;
/// The most bodies of a terrain.
pub const MOST_BODIES: usize = 128;
/// The least and the greatest semi-axis, metres: less than an edge of the cloth, and more than its half.
pub const SEMI_AXES: [f64; 2] = [0.03, 1.5];
/// The least and the greatest exponent: the open square from 0 to 2 but for a margin, up to which the library is tested.
pub const EXPONENTS: [f64; 2] = [0.02, 1.98];
/// How many times larger the frozen ground is than the cloth: 2 m become 16 m, a hill of 0.25 m one of 2 m.
pub const SCALE: f64 = 8.0;
/// The version of the texts.
pub const VERSION: u32 = 1;

/// The distance that the cloth's vertices keep from bodies and from the ground, metres.
pub(crate) const THICKNESS: f64 = 0.02;
/// The greatest height of a body's centre over the ground and below it, metres.
pub(crate) const LIFT: f64 = 1.5;
/// The greatest distance of a pin from the middle of the ground along an axis, metres.
pub(crate) const REACH: f64 = 1.5 * HALF;

/// The nearest point in the box over the ground where the cloth is pulled and pinned.
pub(crate) fn within_reach([x, y, z]: [f64; 3]) -> [f64; 3] {
    let z = z.clamp(THICKNESS, 2.0 * REACH);
    [x.clamp(-REACH, REACH), y.clamp(-REACH, REACH), z]
}

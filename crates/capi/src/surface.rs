//! The surface of a superovoid: support function and parametric points.

use super::memory::{Out, read_vector};
use super::shape::{read_shape, sovo_superovoid};
use super::status::{Failure, guarded, in_range, sovo_status, sovo_status::*};
use superovoid::surface::SurfaceAngles;

/// Writes the support function h(n) = max n . x over the body, and a surface point that attains it, in the body's own
/// frame, metres. direction: three numbers, any length but zero (h is proportional to it). For a body that is not
/// convex these are those of its convex hull. value or point may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_support(
    shape: *const sovo_superovoid,
    direction: *const f64,
    value: *mut f64,
    point: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let direction = unsafe { read_vector(direction, "direction") }?;
        finite(direction.as_slice(), "direction")?;
        if direction.amax() == 0.0 {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_GEOMETRY,
                "direction is zero",
            ));
        }
        let support = shape.support(&direction);
        let [height] = in_range([support.value], "support function")?;
        let touched = in_range(support.point.into(), "support point")?;
        if let Ok(out) = Out::new(value, "value") {
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(height) };
        }
        if let Ok(out) = Out::new(point.cast::<[f64; 3]>(), "point") {
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(touched) };
        }
        Ok(())
    })
}

/// Writes the surface point and unit outward normal at two angles, radians, in the body's own frame: phi1 around z,
/// phi2 from the lower pole (-pi/2) to the upper one (pi/2). point or normal may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_surface_point(
    shape: *const sovo_superovoid,
    phi1: f64,
    phi2: f64,
    point: *mut f64,
    normal: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        finite(&[phi1, phi2], "an angle")?;
        let angles = SurfaceAngles { phi1, phi2 };
        let at = in_range(shape.point_at(angles).into(), "surface point")?;
        let outwards = in_range(shape.normal_at(angles).into_inner().into(), "normal")?;
        if let Ok(out) = Out::new(point.cast::<[f64; 3]>(), "point") {
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(at) };
        }
        if let Ok(out) = Out::new(normal.cast::<[f64; 3]>(), "normal") {
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(outwards) };
        }
        Ok(())
    })
}

/// Returns an error unless the numbers of an argument are finite.
pub(super) fn finite(numbers: &[f64], name: &str) -> Result<(), Failure> {
    if numbers.iter().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err(Failure::other(
            SOVO_STATUS_ERROR_GEOMETRY,
            format!("{name} is not finite"),
        ))
    }
}

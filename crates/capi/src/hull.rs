//! Convex hulls of points.

use super::memory::{Out, copy_points, free};
use super::status::{Failure, guarded, sovo_status};
use std::sync::Arc;
use superovoid::convex::ConvexShape;

/// The convex hull of points, prepared for queries. It is immutable, so that threads can share it.
pub struct sovo_hull(pub(super) Arc<ConvexShape>);

/// Makes the convex hull of points (the first coordinate of the first, three numbers each, metres, stride bytes from
/// one to the next), which are copied. Points inside the hull, duplicates and flat sets are allowed. The hull must be
/// freed with sovo_hull_free().
///
/// SOVO_STATUS_ERROR_GEOMETRY: there is no point, or one is not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_hull_new(
    points: *const f64,
    count: usize,
    stride: usize,
    hull: *mut *mut sovo_hull,
) -> sovo_status {
    guarded(|| {
        let out = Out::new(hull, "hull")?;
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let points = unsafe { copy_points(points, count, stride, "points") }?;
        let made = ConvexShape::hull(&points);
        let made = made.map_err(|error| Failure::At("points", Box::new(error.into())))?;
        let made = sovo_hull(Arc::new(made));
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Frees a hull; NULL is allowed. In scenes to which it was added it remains.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_hull_free(hull: *mut sovo_hull) {
    // SAFETY: The caller passes pointers as the header demands.
    unsafe { free(hull) }
}

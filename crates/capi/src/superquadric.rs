//! Superhyperboloids and supertoroids: the handle, the surface, mass properties and meshes.

use super::bounds::sovo_aabb;
use super::convex::sovo_convex;
use super::memory::{Out, free, read_numbers, read_point};
use super::options::chosen;
use super::status::{Failure, guarded, in_range, sovo_status, sovo_status::*};
use super::surface::{
    MOST_SEGMENTS, MeshBuffers, finite, sovo_mass_properties, too_many_segments, weighed,
};
use superovoid::Aabb;
use superovoid::convex::ConvexShape;
use superovoid::superquadric::{Family, Sheets, Superquadric, SuperquadricError};

/// A superhyperboloid of one or two sheets, or a supertoroid, in its own frame: a neck, a cup, a ring or a washer. It
/// is immutable, so that threads can share it.
pub struct sovo_superquadric(Superquadric);

/// The sheets of a superhyperboloid of two sheets that belong to the body.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_sheets {
    /// Both sheets: two bodies that move as one.
    SOVO_SHEETS_BOTH = 0,
    /// The sheet above the xy plane, a cup that opens upwards.
    SOVO_SHEETS_UPPER = 1,
    /// The sheet below the xy plane, a cup that opens downwards.
    SOVO_SHEETS_LOWER = 2,
}
use sovo_sheets::*;

impl From<SuperquadricError> for Failure {
    fn from(error: SuperquadricError) -> Self {
        Failure::other(SOVO_STATUS_ERROR_SHAPE, error.to_string())
    }
}

/// Reads the body behind a handle.
///
/// # Safety
/// A pointer that is not NULL must be one of the functions that make a superquadric, and not freed.
pub(super) unsafe fn read_superquadric<'a>(
    superquadric: *const sovo_superquadric,
) -> Result<&'a Superquadric, Failure> {
    // SAFETY: The caller guarantees it.
    let body = unsafe { superquadric.as_ref() };
    Ok(&body.ok_or(Failure::Null("superquadric"))?.0)
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn make(
    semi_axes: *const f64,
    exponents: *const f64,
    superquadric: *mut *mut sovo_superquadric,
    made: impl FnOnce([f64; 3], [f64; 2]) -> Result<Superquadric, Failure>,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let semi_axes = unsafe { read_numbers::<3>(semi_axes, "semi_axes") }?;
        // SAFETY: As above, the caller guarantees it.
        let exponents = unsafe { read_numbers::<2>(exponents, "exponents") }?;
        let out = Out::new(superquadric, "superquadric")?;
        let made = made(semi_axes, exponents)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(sovo_superquadric(made)))) };
        Ok(())
    })
}

/// Makes a solid ring about z from the semi-axes a1, a2, a3 of its tube, metres, its exponents e1 (around z) and e2
/// (of the tube), both strictly between 0 and 2, and its ring radius in units of the tube, more than 1: the centre
/// line has the half-widths a1 * ring and a2 * ring. It must be freed with sovo_superquadric_free(), as those of the
/// two functions below.
///
/// SOVO_STATUS_ERROR_SHAPE: a parameter out of its domain; the text names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_toroid(
    semi_axes: *const f64,
    exponents: *const f64,
    ring: f64,
    superquadric: *mut *mut sovo_superquadric,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        make(semi_axes, exponents, superquadric, |a, e| {
            Ok(Superquadric::toroid(a, e, ring)?)
        })
    }
}

/// Makes a solid neck about z, a superhyperboloid of one sheet, between flat caps at z = -a3 * height and
/// a3 * height, height more than 0. Its waist has the half-widths a1 and a2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_one_sheet(
    semi_axes: *const f64,
    exponents: *const f64,
    height: f64,
    superquadric: *mut *mut sovo_superquadric,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        make(semi_axes, exponents, superquadric, |a, e| {
            Ok(Superquadric::one_sheet(a, e, height)?)
        })
    }
}

/// Makes one or both sheets of a superhyperboloid of two sheets, solid from their tips at z = +-a3 to flat caps at
/// z = +-a3 * height, height more than 1. sheets: a sovo_sheets. One sheet is a convex body.
///
/// SOVO_STATUS_ERROR_OPTION: sheets is not a sovo_sheets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_two_sheets(
    semi_axes: *const f64,
    exponents: *const f64,
    height: f64,
    sheets: u32,
    superquadric: *mut *mut sovo_superquadric,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        make(semi_axes, exponents, superquadric, |a, e| {
            Ok(Superquadric::two_sheets(a, e, height, sheets_of(sheets)?)?)
        })
    }
}

fn sheets_of(number: u32) -> Result<Sheets, Failure> {
    let choices = [
        (SOVO_SHEETS_BOTH as u32, Sheets::Both),
        (SOVO_SHEETS_UPPER as u32, Sheets::Upper),
        (SOVO_SHEETS_LOWER as u32, Sheets::Lower),
    ];
    chosen(number, choices, "sheets", "sovo_sheets")
}

/// Frees a superquadric; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_free(superquadric: *mut sovo_superquadric) {
    // SAFETY: As above, the caller guarantees it.
    unsafe { free(superquadric) }
}

/// Makes the convex hull of a superquadric as a convex body, which must be freed with sovo_convex_free(). For one
/// sheet of two that is the body itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_hull_of_superquadric(
    superquadric: *const sovo_superquadric,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        let out = Out::new(convex, "convex")?;
        let hull = ConvexShape::hull_of(body);
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(sovo_convex::of(hull)))) };
        Ok(())
    })
}

/// Writes the inside-outside function at a point of the body's own frame (three numbers, metres): negative inside,
/// zero on the surface, positive outside, without a unit.
///
/// SOVO_STATUS_ERROR_OVERFLOW: a value that exceeds the number range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_inside_outside(
    superquadric: *const sovo_superquadric,
    point: *const f64,
    value: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        // SAFETY: As above, the caller guarantees it.
        let point = unsafe { read_point(point, "point") }?;
        let out = Out::new(value, "value")?;
        finite(point.coords.as_slice(), "point")?;
        let [found] = in_range([body.inside_outside(&point)], "inside-outside function")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Writes the smallest box along the axes of the body's own frame around the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_aabb(
    superquadric: *const sovo_superquadric,
    aabb: *mut sovo_aabb,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        let out = Out::new(aabb, "aabb")?;
        let Aabb { min, max } = body.aabb();
        let (min, max) = (min.into(), max.into());
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_aabb { min, max }) };
        Ok(())
    })
}

/// Writes mass, centre of mass and inertia tensor of the solid body: of a ring in closed form, of the others to a
/// relative 1e-12. density: kg/m^3.
///
/// SOVO_STATUS_ERROR_GEOMETRY: a density that is not finite and positive. SOVO_STATUS_ERROR_OVERFLOW: a result that
/// exceeds the number range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_mass_properties(
    superquadric: *const sovo_superquadric,
    density: f64,
    properties: *mut sovo_mass_properties,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        let out = Out::new(properties, "properties")?;
        let found = weighed(density, || body.mass_properties())?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Writes the numbers of vertices and triangles that sovo_superquadric_tessellate() gives for a number of segments.
///
/// SOVO_STATUS_ERROR_SIZE: more than 4096 segments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_tessellation_size(
    superquadric: *const sovo_superquadric,
    segments: usize,
    vertex_count: *mut usize,
    triangle_count: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        let vertex_out = Out::new(vertex_count, "vertex_count")?;
        let triangle_out = Out::new(triangle_count, "triangle_count")?;
        let [vertices, triangles] = tessellation_size(body, segments)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { vertex_out.write(vertices) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { triangle_out.write(triangles) };
        Ok(())
    })
}

/// Returns the numbers of vertices and triangles: of rings of `around` vertices, which close upon themselves around a
/// tube and otherwise lie between two points of the axis.
fn tessellation_size(body: &Superquadric, segments: usize) -> Result<[usize; 2], Failure> {
    if segments > MOST_SEGMENTS {
        return Err(too_many_segments(segments));
    }
    let around = 4 * segments.div_ceil(4).max(2);
    let between_ends = |rings: usize| [around * rings + 2, 2 * around * rings];
    Ok(match body.family() {
        Family::Toroid => [around * around, 2 * around * around],
        Family::OneSheet => between_ends(around / 2 + 1),
        Family::TwoSheets(Sheets::Both) => between_ends(around / 2).map(|count| 2 * count),
        Family::TwoSheets(_) => between_ends(around / 2),
    })
}

/// Writes a watertight triangle mesh of the surface in the body's own frame, with its vertices on the surface and its
/// triangles counter-clockwise seen from outside; of two sheets it is two closed surfaces. segments edges go around z
/// (rounded up to a multiple of 4, at least 8), as many around the tube of a ring, and half as many from cap to cap or
/// from tip to cap.
///
/// Places and capacities are as for sovo_shape_tessellate(); sovo_superquadric_tessellation_size() gives the numbers
/// needed.
///
/// SOVO_STATUS_ERROR_SIZE: a capacity that is too small, more than 4096 segments. SOVO_STATUS_ERROR_OVERFLOW: a
/// coordinate that exceeds the number range. SOVO_STATUS_ERROR_MEMORY: not enough memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_tessellate(
    superquadric: *const sovo_superquadric,
    segments: usize,
    vertices: *mut f64,
    vertex_capacity: usize,
    triangles: *mut u32,
    triangle_capacity: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        let needed = tessellation_size(body, segments)?;
        let capacities = [vertex_capacity, triangle_capacity];
        let buffers = MeshBuffers::new(vertices, triangles, capacities, needed)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { buffers.write(|| body.tessellate(segments)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_announced_size_is_that_of_the_mesh() -> Result<(), Box<dyn std::error::Error>> {
        let sheets = |sheets| Superquadric::two_sheets([1.0; 3], [1.0, 0.5], 2.0, sheets);
        let bodies = [
            Superquadric::toroid([1.0; 3], [1.0, 0.5], 3.0)?,
            Superquadric::one_sheet([1.0; 3], [1.0, 0.5], 1.0)?,
            sheets(Sheets::Both)?,
            sheets(Sheets::Upper)?,
            sheets(Sheets::Lower)?,
        ];
        for body in bodies {
            for segments in [0, 7, 8, 9, 40] {
                let mesh = body.tessellate(segments);
                let size = tessellation_size(&body, segments).map_err(|e| e.to_string())?;
                assert_eq!(
                    size,
                    [mesh.vertices.len(), mesh.triangles.len()],
                    "{body:?}, {segments} segments"
                );
            }
        }
        Ok(())
    }
}

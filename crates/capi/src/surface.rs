//! The surface: inside-outside function, support function, parametric points, mass properties, meshes.

use super::memory::{Out, Plain, StridedOut, read_point, read_vector, room_for};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, in_range, sovo_status, sovo_status::*};
use superovoid::surface::SurfaceAngles;
use superovoid::{MassProperties, TriangleMesh};

/// Writes the inside-outside function F at a point of the body's own frame (three numbers, metres): negative inside,
/// zero on the surface, positive outside, without a unit. F is INFINITY beyond a tapered tip and where powers exceed
/// the number range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_shape_inside_outside(
    shape: *const sovo_shape,
    point: *const f64,
    value: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let point = unsafe { read_point(point, "point") }?;
        let out = Out::new(value, "value")?;
        finite(point.coords.as_slice(), "point")?;
        let inside_outside = shape.inside_outside(&point);
        if inside_outside.is_nan() {
            // This is a quotient of two numbers that are both beyond the number range.
            in_range([inside_outside], "inside-outside function")?;
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(inside_outside) };
        Ok(())
    })
}

/// Writes the support function h(n) = max n . x over the body, and a surface point that attains it, in the body's own
/// frame, metres. direction: three numbers, any length but zero (h is proportional to it). For a body that is not
/// convex these are those of its convex hull. value or point may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_shape_support(
    shape: *const sovo_shape,
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
pub unsafe extern "C" fn sovo_shape_surface_point(
    shape: *const sovo_shape,
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

/// Writes the volume, cubic metres, in closed form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_shape_volume(
    shape: *const sovo_shape,
    volume: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        let out = Out::new(volume, "volume")?;
        let [cubic_metres] = in_range([shape.volume()], "volume")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(cubic_metres) };
        Ok(())
    })
}

/// The mass properties of a solid body, in its own frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_mass_properties {
    /// The mass, kilograms.
    pub mass: f64,
    /// The volume, cubic metres.
    pub volume: f64,
    /// The centre of mass, metres. Tapers move it along z, towards the wider end.
    pub center_of_mass: [f64; 3],
    /// The inertia tensor about the centre of mass, kg m^2, row by row. By symmetry it is diagonal.
    pub inertia: [f64; 9],
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_mass_properties {}

/// Writes mass, centre of mass and inertia tensor of a solid body, in closed form. density: kg/m^3.
///
/// SOVO_STATUS_ERROR_GEOMETRY: a density that is not finite and positive. SOVO_STATUS_ERROR_OVERFLOW: a result that
/// exceeds the number range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_shape_mass_properties(
    shape: *const sovo_shape,
    density: f64,
    properties: *mut sovo_mass_properties,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        let out = Out::new(properties, "properties")?;
        let result = weighed(density, || shape.mass_properties())?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(result) };
        Ok(())
    })
}

/// Returns the mass properties of a body of a density, kg/m³, from those of density 1.
pub(super) fn weighed(
    density: f64,
    unit: impl FnOnce() -> MassProperties,
) -> Result<sovo_mass_properties, Failure> {
    if !(density > 0.0 && density.is_finite()) {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_GEOMETRY,
            format!("density = {density}: it must be finite and greater than 0"),
        ));
    }
    let unit = unit();
    let inertia = unit.inertia * density;
    let result = sovo_mass_properties {
        mass: unit.volume * density,
        volume: unit.volume,
        center_of_mass: unit.center_of_mass.into(),
        inertia: std::array::from_fn(|i| inertia[(i / 3, i % 3)]),
    };
    if !(result.mass.is_finite() && result.inertia.iter().all(|x| x.is_finite())) {
        return Err(superovoid::QueryError::Overflow.into());
    }
    Ok(result)
}

/// The largest number of segments of a tessellation, which gives 8 million vertices, or 17 million for a ring.
pub(super) const MOST_SEGMENTS: usize = 4096;

pub(super) fn too_many_segments(segments: usize) -> Failure {
    Failure::other(
        SOVO_STATUS_ERROR_SIZE,
        format!("segments = {segments}: at most {MOST_SEGMENTS}"),
    )
}

/// Writes the numbers of vertices and triangles that sovo_shape_tessellate() gives for a number of segments.
///
/// SOVO_STATUS_ERROR_SIZE: more than 4096 segments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_tessellation_size(
    segments: usize,
    vertex_count: *mut usize,
    triangle_count: *mut usize,
) -> sovo_status {
    guarded(|| {
        let vertex_out = Out::new(vertex_count, "vertex_count")?;
        let triangle_out = Out::new(triangle_count, "triangle_count")?;
        let [vertices, triangles] = tessellation_size(segments)?;
        // SAFETY: The caller passes pointers as the header demands, here and below.
        unsafe { vertex_out.write(vertices) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { triangle_out.write(triangles) };
        Ok(())
    })
}

/// Returns the numbers of vertices and triangles: rings of `around` vertices between two poles.
fn tessellation_size(segments: usize) -> Result<[usize; 2], Failure> {
    if segments > MOST_SEGMENTS {
        return Err(too_many_segments(segments));
    }
    let around = 4 * segments.div_ceil(4).max(2);
    let rings = around / 2 - 1;
    Ok([around * rings + 2, 2 * around * rings])
}

/// Writes a watertight triangle mesh of the surface in the body's own frame, with its vertices on the surface and its
/// triangles counter-clockwise seen from outside. segments edges go around each ring (rounded up to a multiple of 4,
/// at least 8) and half as many bands from pole to pole.
///
/// vertices: room for three numbers (metres) a vertex; triangles: for three indices a triangle; the capacities count
/// vertices and triangles, and sovo_tessellation_size() gives the numbers needed.
///
/// SOVO_STATUS_ERROR_SIZE: a capacity that is too small, more than 4096 segments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_shape_tessellate(
    shape: *const sovo_shape,
    segments: usize,
    vertices: *mut f64,
    vertex_capacity: usize,
    triangles: *mut u32,
    triangle_capacity: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        let needed = tessellation_size(segments)?;
        let capacities = [vertex_capacity, triangle_capacity];
        let buffers = MeshBuffers::new(vertices, triangles, capacities, needed)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { buffers.write(|| shape.tessellate(segments)) }
    })
}

/// Places for the vertices and triangles of a mesh.
pub(super) struct MeshBuffers {
    vertices: StridedOut<[f64; 3]>,
    triangles: StridedOut<[u32; 3]>,
    counts: [usize; 2],
}

impl MeshBuffers {
    /// Accepts the caller's places if their capacities, of vertices and of triangles, are as many as needed.
    pub fn new(
        vertices: *mut f64,
        triangles: *mut u32,
        capacities: [usize; 2],
        needed: [usize; 2],
    ) -> Result<Self, Failure> {
        let names = ["vertex_capacity", "triangle_capacity"];
        for ((name, capacity), count) in names.into_iter().zip(capacities).zip(needed) {
            if capacity < count {
                return Err(Failure::other(
                    SOVO_STATUS_ERROR_SIZE,
                    format!("{name} = {capacity}: {count} are needed"),
                ));
            }
        }
        let [vertex_count, triangle_count] = needed;
        Ok(MeshBuffers {
            vertices: StridedOut::new(vertices.cast(), vertex_count, 24, "vertices")?,
            triangles: StridedOut::new(triangles.cast(), triangle_count, 12, "triangles")?,
            counts: needed,
        })
    }

    /// # Safety
    /// The places must be as the caller said.
    pub unsafe fn write(self, mesh: impl FnOnce() -> TriangleMesh) -> Result<(), Failure> {
        // A vector that grows is up to three times its size.
        room_for(self.counts[0], 3 * 24 + 2 * 12)?;
        let mesh = mesh();
        if [mesh.vertices.len(), mesh.triangles.len()] != self.counts {
            let text = "a defect of this library: a mesh is not of the size that was announced";
            return Err(Failure::other(SOVO_STATUS_ERROR_INTERNAL, text));
        }
        for vertex in &mesh.vertices {
            in_range((*vertex).into(), "surface")?;
        }
        let vertices = mesh.vertices.iter().map(|&v| <[f64; 3]>::from(v));
        // SAFETY: The caller guarantees it.
        unsafe { self.vertices.write_all(vertices) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { self.triangles.write_all(mesh.triangles.iter().copied()) };
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sovo_shape_make;
    use std::ptr::{null, null_mut};

    /// The mass properties of a sphere are right; the struct is filled with NaN before the call.
    fn mass_of_ball(radius: f64, density: f64) -> (sovo_status, sovo_mass_properties) {
        let mut shape = std::mem::MaybeUninit::<sovo_shape>::zeroed();
        let mut properties = sovo_mass_properties {
            mass: f64::NAN,
            volume: f64::NAN,
            center_of_mass: [f64::NAN; 3],
            inertia: [f64::NAN; 9],
        };
        let (axes, exponents) = ([radius; 3], [1.0; 2]);
        // SAFETY: the arrays are of the sizes that the header names.
        let status = unsafe {
            let shape = shape.as_mut_ptr();
            let made = sovo_shape_make(axes.as_ptr(), exponents.as_ptr(), null(), shape);
            assert_eq!(made, SOVO_STATUS_OK);
            sovo_shape_mass_properties(shape, density, &mut properties)
        };
        (status, properties)
    }

    #[test]
    fn mass_properties_of_a_ball() {
        let (status, ball) = mass_of_ball(0.5, 1000.0);
        assert_eq!(status, SOVO_STATUS_OK);
        let volume = std::f64::consts::PI / 6.0;
        assert!((ball.volume - volume).abs() < 1e-15);
        assert!((ball.mass - 1000.0 * volume).abs() < 1e-12);
        assert_eq!(ball.center_of_mass, [0.0; 3]);
        for (k, x) in ball.inertia.into_iter().enumerate() {
            let expected = if k % 4 == 0 { 0.1 * ball.mass } else { 0.0 };
            assert!((x - expected).abs() < 1e-12, "{k}: {x}");
        }
    }

    #[test]
    fn mass_properties_that_cannot_be_are_refused() {
        for (radius, density, expected) in [
            (1.0, 0.0, SOVO_STATUS_ERROR_GEOMETRY),
            (1.0, -1.0, SOVO_STATUS_ERROR_GEOMETRY),
            (1.0, f64::NAN, SOVO_STATUS_ERROR_GEOMETRY),
            (1.0, f64::INFINITY, SOVO_STATUS_ERROR_GEOMETRY),
            (1e70, 1.0, SOVO_STATUS_ERROR_OVERFLOW),
            (1e120, 1.0, SOVO_STATUS_ERROR_OVERFLOW),
        ] {
            let (status, left) = mass_of_ball(radius, density);
            assert_eq!(status, expected, "{radius} {density}");
            assert!(left.mass.is_nan(), "written in spite of an error");
        }
        // SAFETY: NULL is allowed to be tried.
        let status = unsafe { sovo_shape_mass_properties(null(), 1.0, null_mut()) };
        assert_eq!(status, SOVO_STATUS_ERROR_NULL);
    }

    #[test]
    fn the_announced_size_is_that_of_the_mesh() -> Result<(), Box<dyn std::error::Error>> {
        let ball = superovoid::Superovoid::sphere(1.0)?;
        for segments in [0, 7, 8, 9, 40] {
            let mesh = ball.tessellate(segments);
            let size = tessellation_size(segments).map_err(|e| e.to_string())?;
            assert_eq!(size, [mesh.vertices.len(), mesh.triangles.len()]);
        }
        Ok(())
    }
}

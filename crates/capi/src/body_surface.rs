//! The surfaces and solids of bodies: inside-outside function, box, mass properties, meshes.

use super::body::{Body, BodyBuffer, look_at_body, sovo_body, unsupported_kind, with_corners};
use super::bounds::sovo_aabb;
use super::memory::{Out, Plain, StridedOut, read_point, room_for};
use super::status::{Failure, guarded, in_range, sovo_status, sovo_status::*};
use super::surface::finite;
use nalgebra::Point3;
use superovoid::superquadric::{Family, Sheets};
use superovoid::{Aabb, MassProperties, ShapeRef, TriangleMesh};

/// Writes the inside-outside function of a superovoid (see sovo_superovoid) or superquadric at a point of the body's own
/// frame (three numbers, metres): negative inside, zero on the surface, positive outside, without a unit. That of a
/// superovoid is INFINITY beyond a tapered tip and where powers exceed the number range.
///
/// SOVO_STATUS_ERROR_OVERFLOW: a value that exceeds the number range. SOVO_STATUS_ERROR_UNSUPPORTED: another kind of body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_inside_outside(
    body: *const sovo_body,
    point: *const f64,
    value: *mut f64,
) -> sovo_status {
    guarded(|| {
        let mut buffer = BodyBuffer::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut buffer) }?;
        // SAFETY: As above, the caller guarantees it.
        let point = unsafe { read_point(point, "point") }?;
        let out = Out::new(value, "value")?;
        finite(point.coords.as_slice(), "point")?;
        let (found, may_be_infinite) = match body.shape {
            ShapeRef::Superovoid(shape) => (shape.inside_outside(&point), true),
            ShapeRef::Superquadric(shape) => (shape.inside_outside(&point), false),
            _ => return Err(unsupported_kind("inside-outside function", body.kind)),
        };
        // NaN is a quotient of two numbers that are both beyond the number range.
        if !may_be_infinite || found.is_nan() {
            in_range([found], "inside-outside function")?;
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Writes a box along the axes of the body's own frame around the body: the smallest one to rounding, except for a cone.
/// sovo_superovoid_aabb() gives that of a superovoid at a pose.
///
/// SOVO_STATUS_ERROR_UNSUPPORTED: a half-space or a plane, which no box holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_local_aabb(
    body: *const sovo_body,
    aabb: *mut sovo_aabb,
) -> sovo_status {
    guarded(|| {
        let mut buffer = BodyBuffer::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut buffer) }?;
        let out = Out::new(aabb, "aabb")?;
        let found = match body.shape {
            // That of a convex shape is about its centre.
            ShapeRef::Convex(shape) => {
                let corners = with_corners(ShapeRef::Convex(shape), |corners| {
                    around(corners.vertices())
                });
                Some(corners.unwrap_or_else(|| shape.local_aabb()))
            }
            shape => shape.local_aabb()?,
        };
        let Aabb { min, max } = found.ok_or_else(|| unsupported_kind("box", body.kind))?;
        let (min, max) = (in_range(min.into(), "box")?, in_range(max.into(), "box")?);
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_aabb { min, max }) };
        Ok(())
    })
}

fn around(points: &[Point3<f64>]) -> Aabb {
    let least = |x: Point3<f64>, y: &Point3<f64>| x.inf(y);
    let most = |x: Point3<f64>, y: &Point3<f64>| x.sup(y);
    Aabb {
        min: points.iter().fold([f64::INFINITY; 3].into(), least),
        max: points.iter().fold([f64::NEG_INFINITY; 3].into(), most),
    }
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

/// Writes mass, centre of mass and inertia tensor of the solid superovoid or superquadric: of superovoids and rings in
/// closed form, of the others to a relative 1e-12. density: kg/m^3.
///
/// SOVO_STATUS_ERROR_GEOMETRY: a density that is not finite and positive. SOVO_STATUS_ERROR_OVERFLOW: a result that
/// exceeds the number range. SOVO_STATUS_ERROR_UNSUPPORTED: another kind of body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_mass_properties(
    body: *const sovo_body,
    density: f64,
    properties: *mut sovo_mass_properties,
) -> sovo_status {
    guarded(|| {
        let mut buffer = BodyBuffer::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut buffer) }?;
        let out = Out::new(properties, "properties")?;
        let found = match body.shape {
            ShapeRef::Superovoid(shape) => weighed(density, || shape.mass_properties()),
            ShapeRef::Superquadric(shape) => weighed(density, || shape.mass_properties()),
            _ => return Err(unsupported_kind("mass properties", body.kind)),
        }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Returns the mass properties of a body of a density, kg/m³, from those of density 1.
fn weighed(
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
const MOST_SEGMENTS: usize = 4096;

/// Returns the numbers of vertices and triangles: of rings of `around` vertices, which close upon themselves around a
/// tube and otherwise lie between two points of the axis.
fn tessellation_size(body: Body, segments: usize) -> Result<[usize; 2], Failure> {
    if segments > MOST_SEGMENTS {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_SIZE,
            format!("segments = {segments}: at most {MOST_SEGMENTS}"),
        ));
    }
    let around = 4 * segments.div_ceil(4).max(2);
    let between_ends = |rings: usize| [around * rings + 2, 2 * around * rings];
    let family = match body.shape {
        ShapeRef::Superovoid(_) => return Ok(between_ends(around / 2 - 1)),
        ShapeRef::Superquadric(shape) => shape.family(),
        _ => return Err(unsupported_kind("mesh of the surface", body.kind)),
    };
    Ok(match family {
        Family::Toroid => [around * around, 2 * around * around],
        Family::OneSheet => between_ends(around / 2 + 1),
        Family::TwoSheets(Sheets::Both) => between_ends(around / 2).map(|count| 2 * count),
        Family::TwoSheets(_) => between_ends(around / 2),
    })
}

fn tessellate(body: Body, segments: usize) -> Result<TriangleMesh, Failure> {
    match body.shape {
        ShapeRef::Superovoid(shape) => Ok(shape.tessellate(segments)),
        ShapeRef::Superquadric(shape) => Ok(shape.tessellate(segments)),
        _ => Err(unsupported_kind("mesh of the surface", body.kind)),
    }
}

/// Writes a watertight triangle mesh of the surface of a superovoid or superquadric in the body's own frame, with its
/// vertices on the surface and its triangles counter-clockwise seen from outside; of two sheets it is two closed surfaces.
/// segments edges go around z (rounded up to a multiple of 4, at least 8), as many around the tube of a ring, and half as
/// many bands from pole to pole, from cap to cap or from tip to cap.
///
/// vertices: room for three numbers (metres) a vertex; triangles: for three indices a triangle; the capacities count
/// vertices and triangles. vertex_count and triangle_count are set to the numbers of both; with capacities of 0 nothing
/// else is written.
///
/// SOVO_STATUS_ERROR_SIZE: a capacity that is too small, more than 4096 segments. SOVO_STATUS_ERROR_OVERFLOW: a
/// coordinate that exceeds the number range. SOVO_STATUS_ERROR_MEMORY: not enough memory. SOVO_STATUS_ERROR_UNSUPPORTED:
/// another kind of body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_tessellate(
    body: *const sovo_body,
    segments: usize,
    vertices: *mut f64,
    vertex_capacity: usize,
    triangles: *mut u32,
    triangle_capacity: usize,
    vertex_count: *mut usize,
    triangle_count: *mut usize,
) -> sovo_status {
    guarded(|| {
        let mut buffer = BodyBuffer::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut buffer) }?;
        let vertex_out = Out::new(vertex_count, "vertex_count")?;
        let triangle_out = Out::new(triangle_count, "triangle_count")?;
        let needed = tessellation_size(body, segments)?;
        let capacities = [vertex_capacity, triangle_capacity];
        if capacities != [0, 0] {
            let buffers = MeshBuffers::new(vertices, triangles, capacities, needed)?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { buffers.write(|| tessellate(body, segments)) }?;
        }
        let [vertices, triangles] = needed;
        // SAFETY: As above, the caller guarantees it.
        unsafe { vertex_out.write(vertices) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { triangle_out.write(triangles) };
        Ok(())
    })
}

/// Places for the vertices and triangles of a mesh.
struct MeshBuffers {
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
    pub unsafe fn write(
        self,
        mesh: impl FnOnce() -> Result<TriangleMesh, Failure>,
    ) -> Result<(), Failure> {
        // A vector that grows is up to three times its size.
        room_for(self.counts[0], 3 * 24 + 2 * 12)?;
        let mesh = mesh()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::sovo_body_kind::*;
    use superovoid::Superovoid;
    use superovoid::superquadric::Superquadric;

    #[test]
    fn mass_properties_that_cannot_be_are_refused() -> Result<(), Box<dyn std::error::Error>> {
        for (radius, density, expected) in [
            (1.0, 0.0, SOVO_STATUS_ERROR_GEOMETRY),
            (1.0, -1.0, SOVO_STATUS_ERROR_GEOMETRY),
            (1.0, f64::NAN, SOVO_STATUS_ERROR_GEOMETRY),
            (1.0, f64::INFINITY, SOVO_STATUS_ERROR_GEOMETRY),
            (1e70, 1.0, SOVO_STATUS_ERROR_OVERFLOW),
            (1e120, 1.0, SOVO_STATUS_ERROR_OVERFLOW),
        ] {
            let ball = Superovoid::sphere(radius)?;
            let status = weighed(density, || ball.mass_properties()).map_err(|e| e.status());
            assert_eq!(status, Err(expected), "{radius} {density}");
        }
        Ok(())
    }

    #[test]
    fn the_announced_size_is_that_of_the_mesh() -> Result<(), Box<dyn std::error::Error>> {
        let sheets = |sheets| Superquadric::two_sheets([1.0; 3], [1.0, 0.5], 2.0, sheets);
        let superquadrics = [
            Superquadric::toroid([1.0; 3], [1.0, 0.5], 3.0)?,
            Superquadric::one_sheet([1.0; 3], [1.0, 0.5], 1.0)?,
            sheets(Sheets::Both)?,
            sheets(Sheets::Upper)?,
            sheets(Sheets::Lower)?,
        ];
        let ball = Superovoid::sphere(1.0)?;
        let mut shapes: Vec<ShapeRef> = superquadrics.iter().map(ShapeRef::Superquadric).collect();
        shapes.push(ShapeRef::Superovoid(&ball));
        for (k, shape) in shapes.into_iter().enumerate() {
            let kind = SOVO_BODY_KIND_SUPERQUADRIC;
            for segments in [0, 7, 8, 9, 40] {
                let body = Body { kind, shape };
                let mesh = tessellate(body, segments).map_err(|e| e.to_string())?;
                let size = tessellation_size(body, segments).map_err(|e| e.to_string())?;
                let found = [mesh.vertices.len(), mesh.triangles.len()];
                assert_eq!(size, found, "body {k}, {segments} segments");
            }
        }
        Ok(())
    }
}

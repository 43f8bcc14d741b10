//! Triangle meshes, sets of boxes and height fields.

use super::bounds::sovo_aabb;
use super::memory::{Out, Strided, copy_points, free, read_numbers, room_for, with_capacity};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::Point3;
use std::sync::Arc;
use superovoid::Aabb;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};

/// A triangle mesh behind a hierarchy of boxes: a solid where it is closed, so that a body wholly inside overlaps it,
/// otherwise its surface, two-sided. A mesh is immutable, so that threads can share it.
pub struct sovo_tri_mesh(pub(super) Arc<TriMesh>);

/// Solid boxes along the axes of their common frame, behind a hierarchy of boxes, for example the occupied cells of
/// an octree. They may touch or overlap. A set is immutable, so that threads can share it.
pub struct sovo_box_set(pub(super) Arc<BoxSet>);

/// Terrain from a grid of heights, solid from its surface down to a bottom, behind a hierarchy of boxes. A field is
/// immutable, so that threads can share it.
pub struct sovo_height_field(pub(super) Arc<HeightField>);

/// The number of bytes for each part that the hierarchy takes while it is built, rounded up from about 300.
const HIERARCHY: usize = 512;

/// Makes a mesh from its vertices (the first coordinate of the first, three numbers each, metres, vertex_stride bytes
/// from one to the next) and the three vertex indices of each triangle, contiguous. Both are copied. The mesh must be
/// freed with sovo_tri_mesh_free().
///
/// as_surface: 0 makes a solid of a closed mesh: the triangles meet edge to edge, all turned the same way, with their
/// corners anticlockwise seen from outside; vertices at the same place are one. A mesh that is not closed is its surface,
/// two-sided, and any other value makes a surface of a closed mesh too, so that a body wholly inside does not overlap it.
/// sovo_tri_mesh_is_solid() tells which.
///
/// SOVO_STATUS_ERROR_GEOMETRY: there are no triangles, a vertex is not finite, or an index has no vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_tri_mesh_new(
    vertices: *const f64,
    vertex_count: usize,
    vertex_stride: usize,
    triangles: *const u32,
    triangle_count: usize,
    as_surface: i32,
    mesh: *mut *mut sovo_tri_mesh,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let vertices = unsafe { copy_points(vertices, vertex_count, vertex_stride, "vertices") }?;
        let first = triangles.cast::<[u32; 3]>();
        let triangles = Strided::new(first, triangle_count, 12, "triangles")?;
        let out = Out::new(mesh, "mesh")?;
        let mut indices = with_capacity(triangle_count)?;
        // SAFETY: As above, the caller guarantees it.
        indices.extend((0..triangle_count).map(|k| unsafe { triangles.get(k) }));
        room_for(triangle_count, HIERARCHY)?;
        let solid = TriMesh::new(vertices, indices)?;
        let made = if as_surface != 0 {
            solid.surface()
        } else {
            solid
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(sovo_tri_mesh(Arc::new(made))))) };
        Ok(())
    })
}

/// Tells whether a mesh is a solid, so that a body wholly inside overlaps it: is_solid is set to 1 if it is, and to 0 if
/// it is its surface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_tri_mesh_is_solid(
    mesh: *const sovo_tri_mesh,
    is_solid: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let mesh = unsafe { mesh.as_ref() }.ok_or(Failure::Null("mesh"))?;
        let out = Out::new(is_solid, "is_solid")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(mesh.0.is_solid().into()) };
        Ok(())
    })
}

/// Frees a mesh; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_tri_mesh_free(mesh: *mut sovo_tri_mesh) {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { free(mesh) }
}

/// Makes a set of boxes. boxes: the first of count, contiguous; they are copied. The set must be freed with
/// sovo_box_set_free().
///
/// SOVO_STATUS_ERROR_GEOMETRY: there are no boxes, one is not finite, or its min exceeds its max.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_box_set_new(
    boxes: *const sovo_aabb,
    count: usize,
    set: *mut *mut sovo_box_set,
) -> sovo_status {
    guarded(|| {
        let boxes = Strided::new(boxes, count, size_of::<sovo_aabb>(), "boxes")?;
        let out = Out::new(set, "set")?;
        let mut copy = with_capacity(count)?;
        copy.extend((0..count).map(|k| {
            // SAFETY: The caller passes pointers as the header demands, here and below.
            let sovo_aabb { min, max } = unsafe { boxes.get(k) };
            Aabb {
                min: Point3::from(min),
                max: Point3::from(max),
            }
        }));
        room_for(count, HIERARCHY)?;
        let tree = BoxSet::new(copy)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(sovo_box_set(Arc::new(tree))))) };
        Ok(())
    })
}

/// Frees a set of boxes; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_box_set_free(set: *mut sovo_box_set) {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { free(set) }
}

/// Makes a height field. heights: rows * columns numbers (metres), row by row; they are copied. x, y: two numbers each, the
/// coordinates of the first and the last column and row (metres), which may decrease. bottom: the z of the bottom, at most
/// that of any height. The field must be freed with sovo_height_field_free().
///
/// The diagonal of a cell goes from its next row to its next column and makes two triangles; the space below each is a
/// part: of the cell of row r and column c, counted from 0, the parts 2 * (r * (columns - 1) + c), at the corner of that
/// row and column, and the one after it.
///
/// SOVO_STATUS_ERROR_GEOMETRY: fewer than two rows or columns, an x or y of no length, a number that is not finite, or a
/// height below the bottom; the text names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_height_field_new(
    heights: *const f64,
    rows: usize,
    columns: usize,
    x: *const f64,
    y: *const f64,
    bottom: f64,
    field: *mut *mut sovo_height_field,
) -> sovo_status {
    guarded(|| {
        let count = rows.saturating_mul(columns);
        let heights = Strided::new(heights, count, size_of::<f64>(), "heights")?;
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let x = unsafe { read_numbers(x, "x") }?;
        // SAFETY: As above, the caller guarantees it.
        let y = unsafe { read_numbers(y, "y") }?;
        let out = Out::new(field, "field")?;
        let mut copy = with_capacity(count)?;
        // SAFETY: As above, the caller guarantees it.
        copy.extend((0..count).map(|k| unsafe { heights.get(k) }));
        room_for(count.saturating_mul(2), HIERARCHY)?;
        let made = HeightField::new(copy, columns, x, y, bottom)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(sovo_height_field(Arc::new(made))))) };
        Ok(())
    })
}

/// Frees a height field; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_height_field_free(field: *mut sovo_height_field) {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { free(field) }
}

//! Triangle meshes and sets of boxes.

use super::bounds::sovo_aabb;
use super::memory::{
    Out, Plain, Strided, StridedOut, copy_points, free, no_memory, room_for, with_capacity,
};
use super::options::{read_query_options, sovo_query_options};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::Point3;
use std::sync::Arc;
use superovoid::Aabb;
use superovoid::bvh::{BoxSet, PartContact, PolytopeTree, TriMesh, tree_contact, tree_contacts};

/// A triangle mesh behind a hierarchy of boxes: a solid where it is closed, so that a body wholly inside overlaps it,
/// otherwise its surface, two-sided. A mesh is immutable, so that threads can share it.
pub struct sovo_mesh(pub(super) Arc<TriMesh>);

/// Solid boxes along the axes of their common frame, behind a hierarchy of boxes, for example the occupied cells of
/// an octree. They may touch or overlap. A set is immutable, so that threads can share it.
pub struct sovo_boxes(pub(super) Arc<BoxSet>);

/// The answer for one part of a mesh or of a set of boxes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_part_contact {
    /// The contact; A is the superovoid and B the part. It is all zero, with the outcome SOVO_OUTCOME_NONE, if all
    /// parts are proven to be farther than max_distance.
    pub contact: sovo_contact,
    /// The index of the triangle or box.
    pub part: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_part_contact {}

impl From<&PartContact> for sovo_part_contact {
    fn from(found: &PartContact) -> Self {
        sovo_part_contact {
            contact: (&found.contact).into(),
            part: found.part,
            reserved: 0,
        }
    }
}

/// The number of bytes for each part that the hierarchy takes while it is built, rounded up from about 300.
const HIERARCHY: usize = 512;

/// Makes a mesh from its vertices (the first coordinate of the first, three numbers each, metres, vertex_stride bytes
/// from one to the next) and the three vertex indices of each triangle, contiguous. Both are copied. The mesh must be
/// freed with sovo_mesh_free().
///
/// The mesh is a solid if it is closed: the triangles meet edge to edge, all turned the same way, with their corners
/// anticlockwise seen from outside; vertices at the same place are one. Otherwise it is its surface;
/// sovo_mesh_is_solid() tells which.
///
/// SOVO_STATUS_ERROR_GEOMETRY: there are no triangles, a vertex is not finite, or an index has no vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_mesh_new(
    vertices: *const f64,
    vertex_count: usize,
    vertex_stride: usize,
    triangles: *const u32,
    triangle_count: usize,
    mesh: *mut *mut sovo_mesh,
) -> sovo_status {
    guarded(|| {
        let vertices = (vertices, vertex_count, vertex_stride);
        // SAFETY: The caller passes pointers as the header demands.
        unsafe { make_mesh(vertices, (triangles, triangle_count), mesh, |made| made) }
    })
}

/// Makes a mesh that is its surface, two-sided, also where it is closed: a body wholly inside does not overlap it.
/// Otherwise the function is like sovo_mesh_new().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_mesh_new_surface(
    vertices: *const f64,
    vertex_count: usize,
    vertex_stride: usize,
    triangles: *const u32,
    triangle_count: usize,
    mesh: *mut *mut sovo_mesh,
) -> sovo_status {
    guarded(|| {
        let vertices = (vertices, vertex_count, vertex_stride);
        // SAFETY: The caller passes pointers as the header demands.
        unsafe {
            make_mesh(
                vertices,
                (triangles, triangle_count),
                mesh,
                TriMesh::surface,
            )
        }
    })
}

/// Makes a mesh and changes it.
///
/// # Safety
/// The pointers must be as the header demands.
unsafe fn make_mesh(
    (vertices, vertex_count, vertex_stride): (*const f64, usize, usize),
    (triangles, triangle_count): (*const u32, usize),
    mesh: *mut *mut sovo_mesh,
    change: impl FnOnce(TriMesh) -> TriMesh,
) -> Result<(), Failure> {
    // SAFETY: The caller guarantees it, here and below.
    let vertices = unsafe { copy_points(vertices, vertex_count, vertex_stride, "vertices") }?;
    let first = triangles.cast::<[u32; 3]>();
    let triangles = Strided::new(first, triangle_count, 12, "triangles")?;
    let out = Out::new(mesh, "mesh")?;
    let mut indices = with_capacity(triangle_count)?;
    // SAFETY: As above, the caller guarantees it.
    indices.extend((0..triangle_count).map(|k| unsafe { triangles.get(k) }));
    room_for(triangle_count, HIERARCHY)?;
    let tree = change(TriMesh::new(vertices, indices)?);
    // SAFETY: As above, the caller guarantees it.
    unsafe { out.write(Box::into_raw(Box::new(sovo_mesh(Arc::new(tree))))) };
    Ok(())
}

/// Tells whether a mesh is a solid, so that a body wholly inside overlaps it: is_solid is set to 1 if it is, and to 0 if
/// it is its surface, because it is not closed or was made with sovo_mesh_new_surface().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_mesh_is_solid(
    mesh: *const sovo_mesh,
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
pub unsafe extern "C" fn sovo_mesh_free(mesh: *mut sovo_mesh) {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { free(mesh) }
}

/// Makes a set of boxes. boxes: the first of count, contiguous; they are copied. The set must be freed with
/// sovo_boxes_free().
///
/// SOVO_STATUS_ERROR_GEOMETRY: there are no boxes, one is not finite, or its min exceeds its max.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_boxes_new(
    boxes: *const sovo_aabb,
    count: usize,
    set: *mut *mut sovo_boxes,
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
        unsafe { out.write(Box::into_raw(Box::new(sovo_boxes(Arc::new(tree))))) };
        Ok(())
    })
}

/// Frees a set of boxes; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_boxes_free(set: *mut sovo_boxes) {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { free(set) }
}

/// Finds the triangle of a mesh with the least signed distance to a superovoid, and that distance. The bracket holds
/// for the least of all triangles. Inside a solid the distance is minus the way along the normal at the nearest triangle
/// until the whole superovoid has passed it, with an open bracket that is true of the solid.
///
/// options: NULL for the defaults. Where nothing is within options->max_distance, the answer is all zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_mesh_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    mesh: *const sovo_mesh,
    mesh_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_part_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        let tree = mesh.as_ref().map(|mesh| &*mesh.0).ok_or("mesh");
        nearest(
            shape,
            pose,
            tree,
            (mesh_pose, "mesh_pose"),
            options,
            contact,
        )
    }
}

/// Finds the box of a set with the least signed distance to a superovoid, like sovo_mesh_contact().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_boxes_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    set: *const sovo_boxes,
    set_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_part_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        let tree = set.as_ref().map(|set| &*set.0).ok_or("set");
        nearest(shape, pose, tree, (set_pose, "set_pose"), options, contact)
    }
}

/// Finds every triangle of a mesh whose signed distance to a superovoid is at most margin (metres, may be negative or
/// INFINITY), in no particular order.
///
/// The function writes as many as capacity allows and sets count to their number; contacts may be NULL if capacity is
/// 0. The options are those of sovo_mesh_contact(); their max_distance is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_mesh_contacts(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    mesh: *const sovo_mesh,
    mesh_pose: *const sovo_pose,
    margin: f64,
    options: *const sovo_query_options,
    contacts: *mut sovo_part_contact,
    capacity: usize,
    count: *mut usize,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        let tree = mesh.as_ref().map(|mesh| &*mesh.0).ok_or("mesh");
        let places = (contacts, capacity, count);
        within(
            shape,
            pose,
            tree,
            (mesh_pose, "mesh_pose"),
            margin,
            options,
            places,
        )
    }
}

/// Finds every box of a set whose signed distance to a superovoid is at most margin, like sovo_mesh_contacts().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_boxes_contacts(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    set: *const sovo_boxes,
    set_pose: *const sovo_pose,
    margin: f64,
    options: *const sovo_query_options,
    contacts: *mut sovo_part_contact,
    capacity: usize,
    count: *mut usize,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        let tree = set.as_ref().map(|set| &*set.0).ok_or("set");
        let places = (contacts, capacity, count);
        within(
            shape,
            pose,
            tree,
            (set_pose, "set_pose"),
            margin,
            options,
            places,
        )
    }
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn nearest(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    tree: Result<&impl PolytopeTree, &'static str>,
    (tree_pose, pose_name): (*const sovo_pose, &'static str),
    options: *const sovo_query_options,
    contact: *mut sovo_part_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let tree = tree.map_err(Failure::Null)?;
        // SAFETY: As above, the caller guarantees it.
        let tree_pose = unsafe { read_pose(tree_pose, pose_name) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let found = tree_contact(&shape, &pose, tree, &tree_pose, &options)?;
        let nothing = sovo_part_contact {
            contact: sovo_contact::NONE,
            part: 0,
            reserved: 0,
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found.as_ref().map_or(nothing, Into::into)) };
        Ok(())
    })
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn within(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    tree: Result<&impl PolytopeTree, &'static str>,
    (tree_pose, pose_name): (*const sovo_pose, &'static str),
    margin: f64,
    options: *const sovo_query_options,
    (contacts, capacity, count): (*mut sovo_part_contact, usize, *mut usize),
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let tree = tree.map_err(Failure::Null)?;
        // SAFETY: As above, the caller guarantees it.
        let tree_pose = unsafe { read_pose(tree_pose, pose_name) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        let stride = size_of::<sovo_part_contact>();
        let places = StridedOut::new(contacts, capacity, stride, "contacts")?;
        let count_out = Out::new(count, "count")?;
        let mut found: Vec<sovo_part_contact> = Vec::new();
        let (mut total, mut memory) = (0, Ok(()));
        tree_contacts(&shape, &pose, tree, &tree_pose, margin, &options, |part| {
            total += 1;
            if found.len() < capacity {
                memory = found.try_reserve(1);
                if memory.is_err() {
                    return false;
                }
                found.push((&part).into());
            }
            true
        })?;
        memory.map_err(|_| no_memory(total, stride))?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.into_iter()) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { count_out.write(total) };
        Ok(())
    })
}

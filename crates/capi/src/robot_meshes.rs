//! The meshes of a robot's collision shapes.

use super::memory::{Out, Strided};
use super::robot::{read_text, read_texts, robot_of, sovo_robot};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use super::tree::sovo_tri_mesh;
use std::ffi::c_char;
use std::path::PathBuf;
use std::sync::Arc;
use superovoid::bvh::TriMesh;
use superovoid_fit::{FitRobotError, ReadLimits, load_collision_meshes};
use superovoid_robot::CacheError;

/// Makes a robot like another one, whose collision shapes have meshes: every shape whose file name in the URDF is
/// filenames[k], byte for byte, gets meshes[k] (count of each), multiplied by the scale in the URDF. A closed mesh
/// is compared as a solid, mirrored or not, an open one as its surface (sovo_tri_mesh_new()). What has a superovoid beside
/// its mesh is compared as that; a mesh that is not among these stays unchecked, also if the other robot has it. The
/// meshes are shared: they may be freed at any time. The robot must be freed with sovo_robot_free().
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a file name that no collision shape has, or one that is given twice.
/// SOVO_STATUS_ERROR_GEOMETRY: a scaled vertex that is not finite. The text of an error names the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_with_meshes(
    robot: *const sovo_robot,
    filenames: *const *const c_char,
    meshes: *const *const sovo_tri_mesh,
    count: usize,
    with_meshes: *mut *mut sovo_robot,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let robot = unsafe { robot_of(robot) }?;
        let stride = size_of::<*const c_char>();
        let filenames = Strided::new(filenames, count, stride, "filenames")?;
        let meshes = Strided::new(meshes, count, stride, "meshes")?;
        let out = Out::new(with_meshes, "with_meshes")?;
        let refused = |k: usize, problem: String| {
            let failure = Failure::other(SOVO_STATUS_ERROR_CONFIGURATION, problem);
            Failure::Element(k, Box::new(failure))
        };
        let mut given: Vec<(&str, &Arc<TriMesh>, bool)> = Vec::new();
        for k in 0..count {
            let at = |failure| Failure::Element(k, Box::new(failure));
            // SAFETY: As above, the caller guarantees it.
            let (name, mesh) = unsafe { (filenames.get(k), meshes.get(k)) };
            // SAFETY: As above, the caller guarantees it.
            let name = unsafe { read_text(name, "filenames") }.map_err(at)?;
            // SAFETY: As above, the caller guarantees it.
            let mesh = unsafe { mesh.as_ref() };
            let mesh = mesh.ok_or_else(|| at(Failure::Null("meshes")))?;
            if given.iter().any(|(known, ..)| *known == name) {
                return Err(refused(k, format!("the file name {name:?} is given twice")));
            }
            given.push((name, &mesh.0, false));
        }
        let made = robot.robot.clone().with_meshes(|filename, scale| {
            let Some(k) = given.iter().position(|(name, ..)| *name == filename) else {
                return Ok(None);
            };
            let (_, mesh, used) = &mut given[k];
            *used = true;
            let made = scaled(mesh, scale);
            made.map(Some)
                .map_err(|failure| Failure::Element(k, Box::new(failure)))
        })?;
        if let Some(k) = given.iter().position(|(.., used)| !used) {
            let name = given[k].0;
            let problem = format!("no collision shape has the file name {name:?}");
            return Err(refused(k, problem));
        }
        let made = sovo_robot::new(made)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Makes a robot like another one, whose collision shapes have the meshes of the files that its URDF names: STL, OBJ and
/// COLLADA. path: that of the URDF, which need not be the file that the robot was read from; relative names start in its
/// folder. package_paths: folders (count of them, NULL if there are none) in which the packages of names like
/// package://arm/meshes/a.stl are looked for, by their package.xml or the name of their folder; the packages that the URDF
/// is in are found without them. Files outside of these folders are not read. Everything else is as for
/// sovo_robot_with_meshes(), and the robot must be freed with sovo_robot_free().
///
/// SOVO_STATUS_ERROR_FILE: a folder that is not there, or a mesh that may not or cannot be read; the text names the link,
/// the collision element (from 1), the name in the URDF and what is wrong. SOVO_STATUS_ERROR_TEXT: a path that is not
/// UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_with_mesh_files(
    robot: *const sovo_robot,
    path: *const c_char,
    package_paths: *const *const c_char,
    count: usize,
    with_meshes: *mut *mut sovo_robot,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let robot = &unsafe { robot_of(robot) }?.robot;
        // SAFETY: As above, the caller guarantees it.
        let path = unsafe { read_text(path, "path") }?;
        // SAFETY: As above, the caller guarantees it.
        let folders = unsafe { read_texts(package_paths, count, "package_paths") }?;
        let folders: Vec<PathBuf> = folders.into_iter().map(PathBuf::from).collect();
        let out = Out::new(with_meshes, "with_meshes")?;
        let loaded = load_collision_meshes(robot.clone(), path, &folders, &ReadLimits::default())?;
        if let Some(unread) = loaded.unread() {
            return Err(Failure::other(SOVO_STATUS_ERROR_FILE, unread));
        }
        let made = sovo_robot::new(loaded.robot)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Reads from a file most of what scenes work out of the robot's meshes before their first answer: their hulls, and balls around
/// and inside them. If there is no such file (path is UTF-8 and ends with a zero), or it is of other meshes or another version of
/// the library, or not whole, this is worked out now and the file written anew. was_read: 1 if it was read, else 0; may be
/// NULL. Of a robot without meshes there is nothing to keep, and no file. Who can write the file can make proofs wrong.
///
/// SOVO_STATUS_ERROR_FILE: a mesh of the robot is not loaded, the file cannot be read or written, or is something else than such a file, and stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_use_cache(
    robot: *const sovo_robot,
    path: *const c_char,
    was_read: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let robot = &unsafe { robot_of(robot) }?.robot;
        // SAFETY: As above, the caller guarantees it.
        let path = unsafe { read_text(path, "path") }?;
        let read = robot.use_cache(path)?;
        if !was_read.is_null() {
            let out = Out::new(was_read, "was_read")?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(i32::from(read)) };
        }
        Ok(())
    })
}

impl From<CacheError> for Failure {
    fn from(error: CacheError) -> Self {
        Failure::other(SOVO_STATUS_ERROR_FILE, error.to_string())
    }
}

impl From<FitRobotError> for Failure {
    fn from(error: FitRobotError) -> Self {
        Failure::other(SOVO_STATUS_ERROR_FILE, error.to_string())
    }
}

fn scaled(mesh: &Arc<TriMesh>, scale: [f64; 3]) -> Result<Arc<TriMesh>, Failure> {
    if scale == [1.0; 3] {
        return Ok(Arc::clone(mesh));
    }
    Ok(Arc::new(mesh.scaled(scale)?))
}

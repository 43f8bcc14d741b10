//! The drivers in C++ of coal and FCL as collision checkers, compiled when first needed.

#![allow(unsafe_code)] // calls of the drivers

use super::workload::Workload;
use crate::mesh::Mesh;
use crate::peer::driver;
use anyhow::{Result, bail, ensure};
use libloading::Library;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;
use superovoid::Superovoid;

/// The struct of `cpp/planner.hpp`.
#[repr(C)]
struct CBody {
    kind: u32,
    reserved: u32,
    size: [f64; 3],
    pose: [f64; 12],
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
}

type New = unsafe extern "C" fn(
    *const CBody,
    usize,
    *const u32,
    usize,
    u32,
    *mut c_char,
    usize,
) -> *mut c_void;
type Ask = unsafe extern "C" fn(*mut c_void, *const f64, usize, usize, u32, *mut f64) -> f64;

/// What the bodies of the robot are to a peer; its obstacles are always spheres.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shapes {
    /// The smallest of sphere, box and capsule around each.
    Primitives,
    /// Convex hulls.
    Hulls,
    Meshes,
}

/// The numbers of the kinds of bodies, as in `cpp/planner.hpp`.
const SPHERE: u32 = 0;
const BOX: u32 = 1;
const CAPSULE: u32 = 2;
const HULL: u32 = 3;
const MESH: u32 = 4;

/// A loaded driver.
pub struct Engine {
    new: New,
    ask: Ask,
    free: unsafe extern "C" fn(*mut c_void),
    /// Its code must outlive the functions.
    _library: Library,
}

impl Engine {
    /// # Errors
    /// What is not installed, or does not compile.
    pub fn load(library: &str, source: &str, package: &str) -> Result<Engine> {
        let flags = driver::flags(library, package)?;
        let source = format!("{}{source}", include_str!("../../cpp/planner.hpp"));
        let object = driver::compile(&format!("planner_{library}"), &source, &flags)?;
        // SAFETY: driver and engine do nothing when they are loaded; the functions have these types.
        unsafe {
            let library = Library::new(object)?;
            let size = *library.get::<unsafe extern "C" fn() -> usize>(b"planner_body_size")?;
            ensure!(size() == size_of::<CBody>(), "a body of another size");
            Ok(Engine {
                new: *library.get(b"planner_new")?,
                ask: *library.get(b"planner_ask")?,
                free: *library.get(b"planner_free")?,
                _library: library,
            })
        }
    }

    /// # Errors
    /// What the engine cannot do.
    pub fn checker(&self, workload: &Workload, shapes: Shapes, way: u32) -> Result<Checker<'_>> {
        let meshes = workload.shapes.iter().map(Mesh::hull);
        let meshes = meshes.collect::<Result<Vec<_>>>()?;
        let robot = workload.robot_bodies;
        let bodies = workload.shapes.iter().zip(&meshes).enumerate();
        let bodies: Vec<CBody> = bodies
            .map(|(k, (shape, mesh))| body(shape, mesh, shapes, k < robot))
            .collect();
        let mut text = [0; 256];
        // SAFETY: pointers and counts are of these vectors, which the driver copies.
        let handle = unsafe {
            (self.new)(
                bodies.as_ptr(),
                bodies.len(),
                workload.pairs.as_ptr().cast(),
                workload.pairs.len(),
                way,
                text.as_mut_ptr(),
                text.len(),
            )
        };
        if handle.is_null() {
            // SAFETY: the driver has written a text that ends with a zero.
            let text = unsafe { CStr::from_ptr(text.as_ptr()) };
            bail!("{}", text.to_string_lossy());
        }
        Ok(Checker {
            engine: self,
            handle,
            numbers: 12 * bodies.len(),
        })
    }
}

/// An engine with the bodies of a workload.
pub struct Checker<'a> {
    engine: &'a Engine,
    handle: *mut c_void,
    /// Of the poses of a configuration.
    numbers: usize,
}

impl Checker<'_> {
    /// Answers all configurations whose poses these are, and returns the nanoseconds.
    pub fn ask(&mut self, poses: &[f64], question: u32, answers: &mut [f64]) -> f64 {
        let count = poses.len() / self.numbers;
        assert_eq!(answers.len(), count);
        // SAFETY: there are poses and answers of `count` configurations.
        unsafe {
            (self.engine.ask)(
                self.handle,
                poses.as_ptr(),
                self.numbers,
                count,
                question,
                answers.as_mut_ptr(),
            )
        }
    }
}

impl Drop for Checker<'_> {
    fn drop(&mut self) {
        // SAFETY: of the driver, and freed once.
        unsafe { (self.engine.free)(self.handle) }
    }
}

fn body(shape: &Superovoid, mesh: &Mesh, shapes: Shapes, is_robot: bool) -> CBody {
    let mut body = CBody {
        kind: SPHERE,
        reserved: 0,
        size: [shape.semi_axes()[0], 0.0, 0.0],
        pose: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        vertices: null(),
        vertex_count: 0,
        triangles: null(),
        triangle_count: 0,
    };
    if !is_robot {
        return body;
    }
    if shapes == Shapes::Primitives {
        (body.kind, body.size, body.pose) = primitive(mesh);
        return body;
    }
    body.kind = if shapes == Shapes::Hulls { HULL } else { MESH };
    body.vertices = mesh.vertices.as_ptr().cast();
    body.vertex_count = mesh.vertices.len();
    body.triangles = mesh.triangles.as_ptr().cast();
    body.triangle_count = mesh.triangles.len();
    body
}

/// The smallest of the sphere, the box and the capsules along the axes that contain a mesh.
fn primitive(mesh: &Mesh) -> (u32, [f64; 3], [f64; 12]) {
    let along = |k: usize| mesh.vertices.iter().map(move |v| v[k]);
    let middle = [0, 1, 2].map(|k| {
        let (low, high) = along(k).fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        (0.5 * (low + high), 0.5 * (high - low))
    });
    let center = middle.map(|(center, _)| center);
    let half = middle.map(|(_, half)| half);
    let from_center = |v: &[f64; 3]| [0, 1, 2].map(|k| v[k] - center[k]);
    let pose = |axes: [usize; 3]| {
        let mut pose = [0.0; 12];
        for (column, axis) in axes.into_iter().enumerate() {
            pose[3 * column + axis] = 1.0;
        }
        pose[9..].copy_from_slice(&center);
        pose
    };
    let vertices = mesh.vertices.iter().map(from_center);
    let radius = vertices.map(|[x, y, z]| (x * x + y * y + z * z).sqrt());
    let radius = radius.fold(0.0, f64::max);
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    let mut best = (
        ball * radius.powi(3),
        SPHERE,
        [radius, 0.0, 0.0],
        pose([0, 1, 2]),
    );
    let volume = 8.0 * half[0] * half[1] * half[2];
    if volume < best.0 {
        best = (volume, BOX, half, pose([0, 1, 2]));
    }
    for axis in 0..3 {
        // A rotation: cyclic.
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let across = |p: &[f64; 3]| (p[u] * p[u] + p[v] * p[v]).sqrt();
        let radius = mesh.vertices.iter().map(from_center).map(|p| across(&p));
        let radius = radius.fold(0.0, f64::max);
        let length = mesh
            .vertices
            .iter()
            .map(from_center)
            .map(|p| p[axis].abs() - (radius * radius - across(&p).powi(2)).max(0.0).sqrt());
        let length = length.fold(0.0, f64::max);
        let volume = ball * radius.powi(3) + std::f64::consts::TAU * radius * radius * length;
        if volume < best.0 {
            best = (volume, CAPSULE, [radius, length, 0.0], pose([u, v, axis]));
        }
    }
    (best.1, best.2, best.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long body is in a capsule, a brick in a box and a ball in a sphere, and no vertex is outside.
    #[test]
    fn primitives_contain_their_meshes() {
        for (a, e, kind) in [
            ([0.1, 0.1, 0.5], [1.0, 0.6], CAPSULE),
            ([0.5, 0.1, 0.1], [0.8, 1.0], CAPSULE),
            ([0.5, 0.2, 0.1], [0.05, 0.05], BOX),
            ([0.3, 0.3, 0.3], [1.0, 1.0], SPHERE),
        ] {
            let shape = Superovoid::superellipsoid(a, e).expect("valid");
            let mesh = Mesh::hull(&shape).expect("a hull");
            let (found, size, pose) = primitive(&mesh);
            assert_eq!(found, kind, "{a:?}");
            for vertex in &mesh.vertices {
                let local = |column: usize| -> f64 {
                    (0..3)
                        .map(|k| pose[3 * column + k] * (vertex[k] - pose[9 + k]))
                        .sum()
                };
                let [x, y, z] = [local(0), local(1), local(2)];
                let outside = match kind {
                    BOX => (x.abs() - size[0])
                        .max(y.abs() - size[1])
                        .max(z.abs() - size[2]),
                    CAPSULE => {
                        let z = (z.abs() - size[1]).max(0.0);
                        (x * x + y * y + z * z).sqrt() - size[0]
                    }
                    _ => (x * x + y * y + z * z).sqrt() - size[0],
                };
                assert!(outside < 1e-12, "{a:?} {vertex:?} {outside}");
            }
        }
    }
}

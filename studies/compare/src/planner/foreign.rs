//! The drivers in C++ of coal and FCL as collision checkers, compiled when first needed.

#![allow(unsafe_code)] // calls of the drivers

use super::workload::Workload;
use crate::mesh::Mesh;
use crate::peer::driver;
use anyhow::{Result, ensure};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::null;
use superovoid::Superovoid;

/// The struct of `cpp/planner.hpp`: a body in its own frame, or an obstacle in the world.
#[repr(C)]
pub struct Body<'a> {
    kind: u32,
    reserved: u32,
    size: [f64; 3],
    pose: [f64; 12],
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    mesh: PhantomData<&'a [f64; 3]>,
}

impl<'a> Body<'a> {
    fn new(kind: u32, size: [f64; 3], pose: [f64; 12]) -> Self {
        Body {
            kind,
            reserved: 0,
            size,
            pose,
            vertices: null(),
            vertex_count: 0,
            triangles: null(),
            triangle_count: 0,
            mesh: PhantomData,
        }
    }

    pub fn sphere(radius: f64, pose: [f64; 12]) -> Self {
        Body::new(SPHERE, [radius, 0.0, 0.0], pose)
    }

    /// A box of these half extents.
    pub fn cuboid(half: [f64; 3], pose: [f64; 12]) -> Self {
        Body::new(BOX, half, pose)
    }

    pub fn cylinder(radius: f64, length: f64, pose: [f64; 12]) -> Self {
        Body::new(CYLINDER, [radius, 0.5 * length, 0.0], pose)
    }

    pub fn mesh(vertices: &'a [[f64; 3]], triangles: &'a [[u32; 3]]) -> Self {
        Body {
            vertices: vertices.as_ptr().cast(),
            vertex_count: vertices.len(),
            triangles: triangles.as_ptr().cast(),
            triangle_count: triangles.len(),
            ..Body::new(MESH, [0.0; 3], HERE)
        }
    }
}

/// The pose that moves nothing: rotation column by column, translation.
pub const HERE: [f64; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

type New = unsafe extern "C" fn(
    *const Body,
    usize,
    *const u32,
    usize,
    u32,
    *mut c_char,
    usize,
) -> *mut c_void;
type Stand = unsafe extern "C" fn(*mut c_void, *const Body, usize, *mut c_char, usize) -> c_int;
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
const CYLINDER: u32 = 5;

/// A loaded driver.
pub struct Engine {
    new: New,
    stand: Stand,
    ask: Ask,
    free: unsafe extern "C" fn(*mut c_void),
    /// Its code must outlive the functions.
    _library: Library,
}

/// Those that there are, or why not.
pub fn engines() -> [(&'static str, Result<Engine>); 2] {
    let coal = include_str!("../../cpp/planner_coal.cpp");
    let fcl = include_str!("../../cpp/planner_fcl.cpp");
    [
        ("coal", Engine::load("coal", coal, "set SOVO_COAL_PREFIX")),
        ("FCL", Engine::load("fcl", fcl, "Debian: libfcl-dev")),
    ]
}

impl Engine {
    /// # Errors
    /// What is not installed, or does not compile.
    fn load(library: &str, source: &str, package: &str) -> Result<Engine> {
        let flags = driver::flags(library, package)?;
        let source = format!("{}{source}", include_str!("../../cpp/planner.hpp"));
        let object = driver::compile(&format!("planner_{library}"), &source, &flags)?;
        // SAFETY: driver and engine do nothing when they are loaded; the functions have these types.
        unsafe {
            let library = Library::new(object)?;
            let size = *library.get::<unsafe extern "C" fn() -> usize>(b"planner_body_size")?;
            ensure!(size() == size_of::<Body>(), "a body of another size");
            Ok(Engine {
                new: *library.get(b"planner_new")?,
                stand: *library.get(b"planner_stand")?,
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
        let bodies: Vec<Body> = bodies
            .map(|(k, (shape, mesh))| body(shape, mesh, shapes, k < robot))
            .collect();
        self.scene(&bodies, &workload.pairs, way)
    }

    /// A scene of these bodies, of which these pairs are compared; `way` is that of `cpp/planner.hpp`.
    ///
    /// # Errors
    /// What the engine cannot do.
    pub fn scene(&self, bodies: &[Body], pairs: &[[u32; 2]], way: u32) -> Result<Checker<'_>> {
        let mut text = [0; 256];
        // SAFETY: pointers and counts are of these slices, which the driver copies.
        let handle = unsafe {
            (self.new)(
                bodies.as_ptr(),
                bodies.len(),
                pairs.as_ptr().cast(),
                pairs.len(),
                way,
                text.as_mut_ptr(),
                text.len(),
            )
        };
        ensure!(!handle.is_null(), "{}", written(&text));
        Ok(Checker {
            engine: self,
            handle,
            numbers: 12 * bodies.len(),
        })
    }
}

/// The text of a driver.
fn written(text: &[c_char; 256]) -> String {
    // SAFETY: the driver has written a text that ends with a zero.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    text.to_string_lossy().into_owned()
}

/// An engine with the bodies of a workload.
pub struct Checker<'a> {
    engine: &'a Engine,
    handle: *mut c_void,
    /// Of the poses of a configuration.
    numbers: usize,
}

impl Checker<'_> {
    /// Replaces the obstacles that stand still; each is compared with every body.
    ///
    /// # Errors
    /// What the engine cannot do.
    pub fn stand(&mut self, obstacles: &[Body]) -> Result<()> {
        let mut text = [0; 256];
        // SAFETY: pointer and count are of this slice, which the driver copies.
        let failed = unsafe {
            (self.engine.stand)(
                self.handle,
                obstacles.as_ptr(),
                obstacles.len(),
                text.as_mut_ptr(),
                text.len(),
            )
        };
        ensure!(failed == 0, "{}", written(&text));
        Ok(())
    }

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

fn body<'a>(shape: &Superovoid, mesh: &'a Mesh, shapes: Shapes, is_robot: bool) -> Body<'a> {
    if !is_robot {
        return Body::sphere(shape.semi_axes()[0], HERE);
    }
    match shapes {
        Shapes::Primitives => {
            let (kind, size, pose) = primitive(mesh);
            Body::new(kind, size, pose)
        }
        Shapes::Meshes => Body::mesh(&mesh.vertices, &mesh.triangles),
        Shapes::Hulls => Body {
            kind: HULL,
            ..Body::mesh(&mesh.vertices, &mesh.triangles)
        },
    }
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

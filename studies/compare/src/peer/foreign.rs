//! Engines in C++: FCL of the system, coal of PyPI's wheels. Their drivers in `cpp/` are compiled when first needed and
//! loaded into this process, so that all peers run in turn under the same conditions.
//!
//! FCL is found by pkg-config (Debian: `libfcl-dev`), coal too or under `SOVO_COAL_PREFIX` (of a virtual environment
//! with the wheels `libcoal` and `cmeel-eigen`: `lib/python3.x/site-packages/cmeel.prefix`). What is not found is
//! named in the report.

#![allow(unsafe_code)] // calls of the drivers

use super::answer::{Answer, Peer};
use super::driver::{compile, flags};
use crate::mesh::Mesh;
use crate::support::{Supported, support_point};
use crate::workload::{Case, Field, Other, Workload};
use anyhow::{Result, anyhow, bail, ensure};
use libloading::Library;
use nalgebra::Isometry3;
use std::ffi::{CStr, c_char, c_void};
use std::ops::Range;
use std::ptr::{null, null_mut};

type SupportFunction = unsafe extern "C" fn(*const c_void, *const f64, *mut f64);

/// The structs of `cpp/peer.hpp`.
#[repr(C)]
struct CGeometry {
    shape: *const c_void,
    semi_axes: [f64; 3],
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
}

#[repr(C)]
struct CCase {
    a: u32,
    b: u32,
    poses: [[f64; 12]; 2],
    before: [[f64; 12]; 2],
}

#[repr(C)]
struct CRequest {
    kind: u32,
    warm: u32,
    tolerance: f64,
    support: SupportFunction,
}

const POINT: u32 = u32::MAX;

type Sizes = unsafe extern "C" fn(*mut usize);
type New = unsafe extern "C" fn(
    *const CRequest,
    *const CGeometry,
    usize,
    *const CCase,
    usize,
    *mut c_char,
    usize,
) -> *mut c_void;
type Run = unsafe extern "C" fn(*mut c_void, usize, usize, *mut Answer, *mut f64);
type Free = unsafe extern "C" fn(*mut c_void);

/// How a body goes to an engine; numbered as in `cpp/peer.hpp`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Injected = 0,
    Ellipsoid = 1,
    Nesterov = 2,
    Hull = 3,
    Mesh = 4,
}

/// A loaded driver.
struct Engine {
    new: New,
    run: Run,
    free: Free,
    /// Its code must outlive the functions.
    _library: Library,
}

/// The engines, each loaded or with the reason why not.
pub struct Engines {
    fcl: Result<Engine, String>,
    coal: Result<Engine, String>,
}

/// A peer of an engine: kind, warm start, tolerance, name.
type Entry = (Kind, bool, f64, &'static str);

const FCL: [Entry; 4] = [
    (Kind::Injected, false, 1e-6, "FCL, injected"),
    (Kind::Ellipsoid, false, 1e-6, "FCL, its ellipsoid"),
    (Kind::Hull, false, 1e-6, "FCL, hull of 266 vertices"),
    (Kind::Mesh, false, 1e-6, "FCL, mesh of 266 vertices"),
];
const COAL: [Entry; 6] = [
    (Kind::Injected, false, 1e-6, "coal, injected, 1e-6"),
    (Kind::Injected, false, 1e-9, "coal, injected, 1e-9"),
    (Kind::Injected, true, 1e-6, "coal, injected, 1e-6, warm"),
    (Kind::Ellipsoid, false, 1e-6, "coal, its ellipsoid"),
    (Kind::Nesterov, false, 1e-6, "coal, its ellipsoid, Nesterov"),
    (Kind::Hull, false, 1e-6, "coal, hull of 266 vertices"),
];

/// Whether a peer takes part in a workload.
fn takes_part(kind: Kind, warm: bool, field: Field) -> bool {
    match kind {
        Kind::Injected => !warm || field == Field::Warm,
        Kind::Ellipsoid | Kind::Nesterov => field == Field::Ellipsoids,
        Kind::Hull | Kind::Mesh => matches!(field, Field::Pairs | Field::Ellipsoids),
    }
}

impl Engines {
    /// Compiles and loads what is found.
    pub fn load() -> Engines {
        let load = |library, source, package| {
            Engine::load(library, source, package).map_err(|error| format!("{error:#}"))
        };
        Engines {
            fcl: load(
                "fcl",
                include_str!("../../cpp/fcl.cpp"),
                "Debian: libfcl-dev",
            ),
            coal: load(
                "coal",
                include_str!("../../cpp/coal.cpp"),
                "set SOVO_COAL_PREFIX",
            ),
        }
    }

    /// One line for each engine: its name, and why it is not there.
    pub fn missing(&self) -> Vec<String> {
        [("FCL", &self.fcl), ("coal", &self.coal)]
            .into_iter()
            .filter_map(|(name, engine)| Some(format!("{name}: {}", engine.as_ref().err()?)))
            .collect()
    }

    /// The peers of a workload whose names are wanted, or why they are not there.
    pub fn peers<'a>(
        &'a self,
        workload: &'a Workload,
        wanted: impl Fn(&str) -> bool,
    ) -> Vec<(Result<Box<dyn Peer + 'a>>, &'static str)> {
        let mut peers = Vec::new();
        for (engine, entries) in [(&self.fcl, &FCL[..]), (&self.coal, &COAL[..])] {
            for &(kind, warm, tolerance, name) in entries {
                if takes_part(kind, warm, workload.field) && wanted(name) {
                    peers.push((
                        self.peer(engine, workload, kind, warm, tolerance, name),
                        name,
                    ));
                }
            }
        }
        peers
    }

    /// Meshes and hulls, for the full check of the hands.
    pub fn full_check<'a>(
        &'a self,
        workload: &'a Workload,
    ) -> Vec<(Result<Box<dyn Peer + 'a>>, &'static str)> {
        [
            (&self.fcl, Kind::Mesh, "FCL, meshes"),
            (&self.coal, Kind::Mesh, "coal, meshes"),
            (&self.coal, Kind::Hull, "coal, hulls"),
            (&self.coal, Kind::Injected, "coal, injected, 1e-6"),
        ]
        .into_iter()
        .map(|(engine, kind, name)| (self.peer(engine, workload, kind, false, 1e-6, name), name))
        .collect()
    }

    fn peer<'a>(
        &'a self,
        engine: &'a Result<Engine, String>,
        workload: &'a Workload,
        kind: Kind,
        warm: bool,
        tolerance: f64,
        name: &str,
    ) -> Result<Box<dyn Peer + 'a>> {
        let engine = engine.as_ref().map_err(|_| anyhow!("not found"))?;
        let peer = Foreign::new(engine, workload, kind, warm, tolerance, name)?;
        Ok(Box::new(peer))
    }
}

impl Engine {
    fn load(library: &str, source: &str, package: &str) -> Result<Engine> {
        let object = compile(library, source, &flags(library, package)?)?;
        // SAFETY: the driver and its engine do nothing when they are loaded; its functions have these types.
        let (engine, sizes) = unsafe {
            let library = Library::new(object)?;
            let sizes = *library.get::<Sizes>(b"peer_sizes")?;
            let engine = Engine {
                new: *library.get::<New>(b"peer_new")?,
                run: *library.get::<Run>(b"peer_run")?,
                free: *library.get::<Free>(b"peer_free")?,
                _library: library,
            };
            (engine, sizes)
        };
        let mut theirs = [0; 4];
        // SAFETY: it writes four sizes.
        unsafe { sizes(theirs.as_mut_ptr()) };
        let ours = [
            size_of::<CGeometry>(),
            size_of::<CCase>(),
            size_of::<Answer>(),
            size_of::<CRequest>(),
        ];
        ensure!(theirs == ours, "structs of sizes {theirs:?}, not {ours:?}");
        Ok(engine)
    }
}

/// A peer of an engine, for one workload.
struct Foreign<'a> {
    name: String,
    engine: &'a Engine,
    handle: *mut c_void,
    count: usize,
    /// What the engine's support functions point to.
    _shapes: Vec<Supported>,
}

/// Rotation column by column, translation.
fn numbers(pose: &Isometry3<f64>) -> [f64; 12] {
    let mut numbers = [0.0; 12];
    numbers[..9].copy_from_slice(pose.rotation.to_rotation_matrix().matrix().as_slice());
    numbers[9..].copy_from_slice(pose.translation.vector.as_slice());
    numbers
}

fn c_case(case: &Case) -> Result<CCase> {
    let before = case.before.last().unwrap_or(&case.poses);
    Ok(CCase {
        a: case.a.try_into()?,
        b: match case.b {
            Other::Shape(b) => b.try_into()?,
            Other::Point => POINT,
        },
        poses: [numbers(&case.poses[0]), numbers(&case.poses[1])],
        before: [numbers(&before[0]), numbers(&before[1])],
    })
}

impl<'a> Foreign<'a> {
    fn new(
        engine: &'a Engine,
        workload: &Workload,
        kind: Kind,
        warm: bool,
        tolerance: f64,
        name: &str,
    ) -> Result<Foreign<'a>> {
        let shapes: Vec<Supported> = workload.shapes.iter().map(Supported::from).collect();
        let meshes = match kind {
            Kind::Hull | Kind::Mesh => workload.shapes.iter().map(Mesh::hull).collect(),
            _ => Ok(Vec::new()),
        };
        let meshes = meshes?;
        let geometry = |(k, shape): (usize, &Supported)| {
            let mesh = meshes.get(k);
            CGeometry {
                shape: std::ptr::from_ref(shape).cast(),
                semi_axes: workload.shapes[k].semi_axes(),
                vertices: mesh.map_or(null(), |mesh| mesh.vertices.as_ptr().cast()),
                vertex_count: mesh.map_or(0, |mesh| mesh.vertices.len()),
                triangles: mesh.map_or(null(), |mesh| mesh.triangles.as_ptr().cast()),
                triangle_count: mesh.map_or(0, |mesh| mesh.triangles.len()),
            }
        };
        let geometries: Vec<CGeometry> = shapes.iter().enumerate().map(geometry).collect();
        let cases = workload
            .cases
            .iter()
            .map(c_case)
            .collect::<Result<Vec<_>>>()?;
        let request = CRequest {
            kind: kind as u32,
            warm: warm.into(),
            tolerance,
            support: support_point,
        };
        let mut text = [0; 256];
        // SAFETY: pointers and counts are of these vectors; the driver copies all but the shapes, which
        // live as long as the peer (moving a vector leaves its elements where they are).
        let handle = unsafe {
            (engine.new)(
                &request,
                geometries.as_ptr(),
                geometries.len(),
                cases.as_ptr(),
                cases.len(),
                text.as_mut_ptr(),
                text.len(),
            )
        };
        if handle.is_null() {
            // SAFETY: the driver has written a text that ends with a zero.
            let text = unsafe { CStr::from_ptr(text.as_ptr()) };
            bail!("{}", text.to_string_lossy());
        }
        Ok(Foreign {
            name: name.to_owned(),
            engine,
            handle,
            count: cases.len(),
            _shapes: shapes,
        })
    }
}

impl Foreign<'_> {
    fn call(&mut self, cases: Range<usize>, answers: &mut [Answer], nanoseconds: *mut f64) {
        assert!(cases.end <= self.count && answers.len() >= cases.len());
        let (run, handle) = (self.engine.run, self.handle);
        // SAFETY: the cases exist, there is room for the answers, and for times if they are asked for.
        unsafe {
            run(
                handle,
                cases.start,
                cases.len(),
                answers.as_mut_ptr(),
                nanoseconds,
            );
        }
    }
}

impl Peer for Foreign<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, cases: Range<usize>, answers: &mut [Answer]) {
        self.call(cases, answers, null_mut());
    }

    fn time(&mut self, cases: Range<usize>, nanoseconds: &mut [f64]) {
        assert!(nanoseconds.len() >= cases.len());
        let mut answers = vec![Answer::NONE; cases.len()];
        self.call(cases, &mut answers, nanoseconds.as_mut_ptr());
    }
}

impl Drop for Foreign<'_> {
    fn drop(&mut self) {
        // SAFETY: of the driver, and freed once.
        unsafe { (self.engine.free)(self.handle) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use superovoid::Superovoid;

    /// Spheres of radius 1 and 0.5, apart and overlapping.
    #[test]
    fn engines_know_the_distance_of_two_spheres() {
        let engines = Engines::load();
        for line in engines.missing() {
            let line = format!("skipped: engines_know_the_distance_of_two_spheres: {line}\n");
            // Not with eprintln!, whose lines nobody sees when the test passes.
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
        let spheres = [1.0, 0.5].map(|radius| Superovoid::sphere(radius).expect("valid"));
        let turned = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.4, 0.5);
        let case = |x: f64| {
            let b = crate::workload::pose(nalgebra::Vector3::new(0.0, x, 0.0), turned);
            Case::pair(0, 1, [Isometry3::identity(), b])
        };
        let workload = Workload {
            shapes: spheres.into(),
            cases: [2.0, 1.4].map(case).into(),
            field: Field::Ellipsoids,
            ..Workload::default()
        };
        for (peer, name) in engines.peers(&workload, |_| true) {
            let Ok(mut peer) = peer else { continue };
            let mut answers = [Answer::NONE; 2];
            peer.run(0..2, &mut answers);
            // Meshes of 266 vertices lie up to 1 % inside; EPA of curved bodies is not exact either.
            let tolerance = if name.contains("vertices") {
                0.03
            } else {
                1e-3
            };
            for (answer, exact) in answers.iter().zip([0.5, -0.1]) {
                let unknown = answer.distance == f64::NEG_INFINITY && exact < 0.0;
                // The tight tolerance is too much for EPA, and coal says so.
                let admitted = name.contains("1e-9") && answer.failed();
                let near = (answer.distance - exact).abs() < tolerance;
                assert!(
                    unknown || admitted || near,
                    "{name}: {answer:?}, not {exact}"
                );
            }
            let mut nanoseconds = [0.0; 2];
            peer.time(0..2, &mut nanoseconds);
            assert!(nanoseconds.iter().all(|t| *t > 0.0), "{name}");
        }
    }
}

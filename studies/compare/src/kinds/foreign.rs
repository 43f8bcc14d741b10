//! The drivers in C++ of FCL, of coal, and of the library through its C interface, compiled when first needed.

#![allow(unsafe_code)] // calls of the drivers

use super::body::Body;
use super::race::Ask;
use crate::peer::driver;
use anyhow::{Context, Result, ensure};
use libloading::Library;
use nalgebra::Isometry3;
use std::ffi::c_void;
use std::path::{Path, PathBuf};

/// Numbered as in `cpp/kinds.hpp`.
#[derive(Clone, Copy, PartialEq)]
pub enum Question {
    Distance = 0,
    /// At coal's tolerance of 1e-9.
    Tight = 1,
    Verdict = 2,
}

/// The struct of `cpp/kinds.hpp`.
#[repr(C)]
struct CShape {
    kind: u32,
    reserved: u32,
    size: [f64; 4],
    numbers: *const f64,
    number_count: usize,
    triangles: *const u32,
    triangle_count: usize,
}

type Cases =
    unsafe extern "C" fn(*const c_void, *const c_void, *const f64, usize, u32, bool) -> *mut c_void;
type Run = unsafe extern "C" fn(*mut c_void, usize, usize, *mut f64);
type Free = unsafe extern "C" fn(*mut c_void);

/// A loaded driver.
pub struct Engine {
    shape: unsafe extern "C" fn(*const CShape) -> *mut c_void,
    shape_free: Free,
    cases: Cases,
    cases_free: Free,
    run: Run,
    /// Its code must outlive the functions.
    _library: Library,
}

/// A file that `cargo build --release -p superovoid-capi` puts beside this program.
pub fn static_library() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("libsuperovoid.a");
    ensure!(
        path.exists(),
        "no libsuperovoid.a beside this program (cargo build --release -p superovoid-capi)"
    );
    Ok(path)
}

/// The folder of the library.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What compiles and links a program of the C interface.
pub fn flags_of_ours() -> Result<Vec<String>> {
    let text = |path: PathBuf| path.to_str().map(str::to_owned).context("no UTF-8 path");
    let include = format!("-I{}", text(root().join("include"))?);
    let flags = [include, text(static_library()?)?];
    Ok(flags
        .into_iter()
        .chain(["-lm", "-lpthread", "-ldl"].map(String::from))
        .collect())
}

impl Engine {
    /// # Errors
    /// What is not installed, or does not compile.
    pub fn load(library: &str, source: &str, flags: &[String]) -> Result<Engine> {
        let source = format!("{}{source}", include_str!("../../cpp/kinds.hpp"));
        let object = driver::compile(&format!("kinds_{library}"), &source, flags)?;
        // SAFETY: driver and engine do nothing when they are loaded; the functions have these types.
        unsafe {
            let library = Library::new(object)?;
            let size = *library.get::<unsafe extern "C" fn() -> usize>(b"kinds_shape_size")?;
            ensure!(size() == size_of::<CShape>(), "a shape of another size");
            Ok(Engine {
                shape: *library.get(b"kinds_shape")?,
                shape_free: *library.get(b"kinds_shape_free")?,
                cases: *library.get(b"kinds_cases")?,
                cases_free: *library.get(b"kinds_cases_free")?,
                run: *library.get(b"kinds_run")?,
                _library: library,
            })
        }
    }

    /// The body as the engine has it, or nothing if it has none of this kind.
    pub fn shape(&self, body: &Body) -> Option<Handle<'_>> {
        let shape = CShape {
            kind: body.kind as u32,
            reserved: 0,
            size: body.size,
            numbers: body.numbers.as_ptr(),
            number_count: body.numbers.len(),
            triangles: body.triangles.as_ptr().cast(),
            triangle_count: body.triangles.len(),
        };
        // SAFETY: pointers and counts are of vectors that outlive the call, in which the driver copies them.
        let handle = unsafe { (self.shape)(&raw const shape) };
        (!handle.is_null()).then_some(Handle {
            pointer: handle,
            free: self.shape_free,
            engine: self,
        })
    }
}

/// What a driver has made: a shape, or two shapes with poses.
pub struct Handle<'a> {
    pointer: *mut c_void,
    free: Free,
    engine: &'a Engine,
}

impl<'a> Handle<'a> {
    /// Asks this shape and another one, or nothing if the engine does not.
    pub fn ask(
        &'a self,
        other: &'a Handle<'a>,
        poses: &[[Isometry3<f64>; 2]],
        question: Question,
        overlapping: bool,
    ) -> Option<Ask<'a>> {
        let numbers: Vec<f64> = poses.iter().flatten().flat_map(numbers).collect();
        // SAFETY: shapes of this driver, and seven numbers for each pose.
        let cases = unsafe {
            (self.engine.cases)(
                self.pointer,
                other.pointer,
                numbers.as_ptr(),
                poses.len(),
                question as u32,
                overlapping,
            )
        };
        if cases.is_null() {
            return None;
        }
        let cases = Handle {
            pointer: cases,
            free: self.engine.cases_free,
            engine: self.engine,
        };
        let count = poses.len();
        Some(Box::new(move |range, answers| {
            assert!(range.end <= count && answers.len() == range.len());
            let handle = &cases;
            // SAFETY: the cases exist, and there is room for the answers.
            unsafe {
                (handle.engine.run)(
                    handle.pointer,
                    range.start,
                    range.len(),
                    answers.as_mut_ptr(),
                )
            }
        }))
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        // SAFETY: of the driver, and freed once.
        unsafe { (self.free)(self.pointer) }
    }
}

fn numbers(pose: &Isometry3<f64>) -> [f64; 7] {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}

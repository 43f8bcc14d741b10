//! What the C interface adds to a call: `superovoid::contact` and `sovo_pair_contact` on the same pairs,
//! one after the other.
//!
//! ```text
//! call_overhead PAIRS.csv libsuperovoid.so [--passes N]                        times, in turn
//! call_overhead PAIRS.csv libsuperovoid.so --calls none|rust|c [--warm]        for instruction counts
//! ```
//!
//! The pairs are those of `call_times --write-pairs`. All calls go through function pointers that the
//! compiler knows nothing about, so that nothing is inlined across the interface.
//!
//! **Times.** Every pass goes over all pairs and asks each of them 17 times per kind of call, of which the
//! last 16 are timed together: the clock may advance in steps of tens of nanoseconds, and the first call
//! leaves the same state of the processor's caches and branch predictors behind for every kind, whatever
//! ran before. A pair's time is its fastest over the passes, which leaves out what else the machine does.
//! It also leaves out where the stack happens to lie: the C call has a stack frame more, and its solver's
//! frame lies otherwise to the processor's cache lines and pages, which makes tens of nanoseconds either
//! way from one process to the next; so each pass runs at another depth of the stack. The overhead is the
//! difference from the Rust call, pair by pair: its median, and the 5th and 95th percentile. A second Rust
//! call takes part as the control: its difference is what the method itself gets wrong. Cold is without a cache; warm is with one, at an unmoved pose: the shortest call there is.
//!
//! **Instruction counts** do not depend on what else the machine does. The difference of the totals of two
//! runs, divided by the number of pairs, is exact:
//!
//! ```text
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null call_overhead pairs.csv libsuperovoid.so --calls rust
//! ```

#![allow(unsafe_code)] // calls across the C interface

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::time::Instant;
use superovoid::{Contact, PairCache, QueryError, QueryOptions, Superovoid, contact};

/// `sovo_superovoid`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Shape([u64; 17]);

/// `sovo_pose`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Pose([f64; 7]);

/// `sovo_pair_cache`; all zero is empty.
#[repr(C)]
#[derive(Clone, Copy)]
struct Cache([u64; 21]);

/// `sovo_contact`, whose first number is the distance.
#[repr(C)]
#[derive(Clone, Copy)]
struct Answer([f64; 13]);

type PairContact = unsafe extern "C" fn(
    *const Shape,
    *const Pose,
    *const Shape,
    *const Pose,
    *const c_void,
    *mut Cache,
    *mut Answer,
) -> i32;

type RustContact = fn(
    &Superovoid,
    &Isometry3<f64>,
    &Superovoid,
    &Isometry3<f64>,
    &QueryOptions,
    Option<&mut PairCache>,
) -> Result<Contact, QueryError>;

type ShapeMake = unsafe extern "C" fn(*const f64, *const f64, *const f64, *mut Shape) -> i32;

unsafe extern "C" {
    fn dlopen(path: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// A pair, as Rust and as C have it.
struct Pair {
    shapes: [Superovoid; 2],
    poses: [Isometry3<f64>; 2],
    cache: PairCache,
    c_shapes: [Shape; 2],
    c_poses: [Pose; 2],
    c_cache: Cache,
}

/// A kind of call.
#[derive(Clone, Copy)]
enum Call {
    Rust(RustContact),
    C(PairContact),
}

impl Call {
    /// Asks a pair; its distance. Infinite for a call that fails, which no pair should.
    #[inline(never)]
    fn ask(self, pair: &mut Pair, warm: bool) -> f64 {
        let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
        let ([c_a, c_b], [c_pose_a, c_pose_b]) = (&pair.c_shapes, &pair.c_poses);
        match self {
            Call::Rust(contact) => {
                let options = QueryOptions::default();
                let cache = warm.then_some(&mut pair.cache);
                let answer = contact(a, pose_a, b, pose_b, &options, cache);
                black_box(&answer)
                    .as_ref()
                    .map_or(f64::INFINITY, |c| c.distance)
            }
            Call::C(contact) => {
                let mut answer = MaybeUninit::<Answer>::uninit();
                let cache = if warm {
                    &raw mut pair.c_cache
                } else {
                    null_mut()
                };
                let place = answer.as_mut_ptr();
                // SAFETY: the structs have the sizes of the header's.
                let status = unsafe { contact(c_a, c_pose_a, c_b, c_pose_b, null(), cache, place) };
                if status == 0 {
                    // SAFETY: a call that succeeds has written its answer.
                    black_box(unsafe { answer.assume_init_ref() }).0[0]
                } else {
                    f64::INFINITY
                }
            }
        }
    }
}

/// The header that `call_times --write-pairs` writes.
const HEADER: &str = "a_a1,a_a2,a_a3,a_e1,a_e2,a_tx,a_ty,a_qw,a_qx,a_qy,a_qz,a_px,a_py,a_pz,\
                      b_a1,b_a2,b_a3,b_e1,b_e2,b_tx,b_ty,b_qw,b_qx,b_qy,b_qz,b_px,b_py,b_pz";

fn read_pairs(path: &str, library: &Library) -> Result<Vec<Pair>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return Err(format!("{path}: not a file of call_times --write-pairs").into());
    }
    lines.map(|line| read_pair(line, library)).collect()
}

fn read_pair(line: &str, library: &Library) -> Result<Pair, Box<dyn Error>> {
    let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
    let numbers: [f64; 28] = numbers?
        .try_into()
        .map_err(|_| format!("not 28 numbers: {line}"))?;
    let body = |k: usize| -> Result<_, Box<dyn Error>> {
        let [a1, a2, a3, e1, e2, tx, ty, qw, qx, qy, qz, px, py, pz] =
            std::array::from_fn(|column| numbers[14 * k + column]);
        let shape = Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty])?;
        let mut c_shape = Shape([0; 17]);
        // SAFETY: the arrays are as long as the header demands.
        let status = unsafe {
            (library.shape_make)(
                [a1, a2, a3].as_ptr(),
                [e1, e2].as_ptr(),
                [tx, ty].as_ptr(),
                &mut c_shape,
            )
        };
        if status != 0 {
            return Err(format!("sovo_superovoid_make: status {status}").into());
        }
        let rotation = UnitQuaternion::new_normalize(Quaternion::new(qw, qx, qy, qz));
        let pose = Isometry3::from_parts(Translation3::new(px, py, pz), rotation);
        let [x, y, z, w] = rotation.coords.into();
        Ok((shape, c_shape, pose, Pose([px, py, pz, x, y, z, w])))
    };
    let ((a, c_a, pose_a, c_pose_a), (b, c_b, pose_b, c_pose_b)) = (body(0)?, body(1)?);
    Ok(Pair {
        shapes: [a, b],
        poses: [pose_a, pose_b],
        cache: PairCache::default(),
        c_shapes: [c_a, c_b],
        c_poses: [c_pose_a, c_pose_b],
        c_cache: Cache([0; 21]),
    })
}

/// Functions of the shared library.
struct Library {
    shape_make: ShapeMake,
    pair_contact: PairContact,
}

impl Library {
    fn load(path: &str) -> Result<Self, Box<dyn Error>> {
        const RTLD_NOW: c_int = 2;
        let file = CString::new(path)?;
        // SAFETY: a path that ends with a zero; the library stays loaded.
        let library = unsafe { dlopen(file.as_ptr(), RTLD_NOW) };
        if library.is_null() {
            return Err(
                format!("{path} cannot be loaded: give its path, as ./libsuperovoid.so").into(),
            );
        }
        let function = |name: &CStr| {
            // SAFETY: a library and a name that ends with a zero.
            let function = unsafe { dlsym(library, name.as_ptr()) };
            if function.is_null() {
                return Err(format!("{path} has no {}", name.to_string_lossy()));
            }
            Ok(function)
        };
        let (make, contact) = (
            function(c"sovo_superovoid_make")?,
            function(c"sovo_pair_contact")?,
        );
        // SAFETY: the functions of these names have these signatures.
        Ok(unsafe {
            Library {
                shape_make: std::mem::transmute::<*mut c_void, ShapeMake>(make),
                pair_contact: std::mem::transmute::<*mut c_void, PairContact>(contact),
            }
        })
    }
}

/// Calls of a pair that are timed together: the clock may advance in steps of tens of nanoseconds.
const IN_A_ROW: u32 = 16;

/// Nanoseconds of a call.
fn time(call: Call, pair: &mut Pair, warm: bool) -> f64 {
    black_box(call.ask(pair, warm));
    let start = Instant::now();
    for _ in 0..IN_A_ROW {
        black_box(call.ask(pair, warm));
    }
    start.elapsed().as_nanos() as f64 / f64::from(IN_A_ROW)
}

/// Stack depths that passes run at, 80 bytes apart: over a page of memory together, and at every place
/// in a cache line that the alignment of frames, 16 bytes, leaves.
const DEPTHS: usize = 64;

/// Runs the work that much farther down the stack.
#[inline(never)]
fn at_depth(depth: usize, work: &mut dyn FnMut()) {
    let frame = black_box([0_u8; 48]);
    if depth == 0 {
        work();
    } else {
        at_depth(depth - 1, work);
    }
    black_box(&frame);
}

/// The fastest time of every pair over the passes, nanoseconds, for each kind of call.
fn fastest(pairs: &mut [Pair], calls: &[Call], passes: usize, warm: bool) -> Vec<Vec<f64>> {
    let mut fastest = vec![vec![f64::INFINITY; pairs.len()]; calls.len()];
    for pass in 0..passes {
        at_depth(pass % DEPTHS, &mut || {
            for (k, pair) in pairs.iter_mut().enumerate() {
                for turn in 0..calls.len() {
                    let kind = (pass + turn) % calls.len();
                    let time = time(black_box(calls[kind]), pair, warm);
                    fastest[kind][k] = fastest[kind][k].min(time);
                }
            }
        });
    }
    fastest
}

/// The p-th percentile.
fn percentile(values: &[f64], p: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * p / 100.0).round() as usize]
}

fn compare(pairs: &mut [Pair], library: &Library, passes: usize) -> Result<(), Box<dyn Error>> {
    let names = ["Rust", "Rust again", "C"];
    let calls = [
        Call::Rust(contact),
        Call::Rust(contact),
        Call::C(library.pair_contact),
    ];
    for (k, pair) in pairs.iter_mut().enumerate() {
        let answers: Vec<f64> = calls.iter().map(|call| call.ask(pair, false)).collect();
        if !answers.iter().all(|d| d.is_finite() && *d == answers[0]) {
            return Err(format!("pair {k}: the calls differ: {answers:?}").into());
        }
    }
    println!("{} pairs, fastest of {passes} passes, ns", pairs.len());
    println!(
        "{:<6}{:<12}{:>10}{:>22}{:>10}{:>10}",
        "state", "call", "p50", "more than Rust: p50", "p5", "p95"
    );
    for warm in [false, true] {
        let state = if warm { "warm" } else { "cold" };
        let times = fastest(pairs, &calls, passes, warm);
        for (name, times_of_call) in names.iter().zip(&times) {
            let more = times_of_call.iter().zip(&times[0]);
            let more: Vec<f64> = more.map(|(time, rust)| time - rust).collect();
            println!(
                "{state:<6}{name:<12}{:>10.1}{:>22.1}{:>10.1}{:>10.1}",
                percentile(times_of_call, 50.0),
                percentile(&more, 50.0),
                percentile(&more, 5.0),
                percentile(&more, 95.0)
            );
        }
    }
    Ok(())
}

/// One call of every pair, for a count of instructions. With `none` everything but the calls; warm
/// ones come after a round of both kinds that fills the caches, whatever the kind.
fn count(
    pairs: &mut [Pair],
    library: &Library,
    kind: &str,
    warm: bool,
) -> Result<(), Box<dyn Error>> {
    let call = match kind {
        "none" => None,
        "rust" => Some(Call::Rust(contact)),
        "c" => Some(Call::C(library.pair_contact)),
        _ => return Err(format!("--calls {kind}: none, rust or c").into()),
    };
    for pair in pairs {
        if warm {
            black_box(Call::Rust(contact).ask(pair, true));
            black_box(Call::C(library.pair_contact).ask(pair, true));
        }
        if let Some(call) = black_box(call) {
            black_box(call.ask(pair, warm));
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file of pairs?")?;
    let library = Library::load(&arguments.next().ok_or("which libsuperovoid.so?")?)?;
    let (mut passes, mut calls, mut warm) = (100, None, false);
    while let Some(name) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--passes" => passes = value()?.parse()?,
            "--calls" => calls = Some(value()?),
            "--warm" => warm = true,
            _ => return Err(format!("unknown argument {name}").into()),
        }
    }
    let mut pairs = read_pairs(&path, &library)?;
    match calls {
        Some(kind) => count(&mut pairs, &library, &kind, warm),
        None => compare(&mut pairs, &library, passes),
    }
}

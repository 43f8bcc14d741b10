//! Box3D's `b3TimeOfImpact`: conservative advancement along a separating axis of two clouds of points, in single precision.

#![allow(unsafe_code)] // calls of its C interface

use super::course::{Course, Found};
use crate::mesh::Mesh;
use anyhow::{Result, ensure};
use box3d_sys::{
    B3_MAX_HULL_VERTICES, b3Quat, b3ShapeProxy, b3Sweep, b3TOIInput, b3TimeOfImpact, b3Vec3,
};
use nalgebra::Isometry3;
use std::time::Instant;
use superovoid::Superovoid;

/// Edges around a ring of its hulls: 114 vertices, of the 128 that it takes.
const SEGMENTS: usize = 16;
/// A motion is asked in this many parts, one after the other: between the orientations of its ends Box3D interpolates linearly,
/// which over 3 rad is another motion, and over 0.75 rad deviates by 0.0017 rad from the steady turn.
const PARTS: usize = 4;

/// The vertices of a body's hull, as Box3D has them.
pub struct Cloud(Vec<b3Vec3>);

impl Cloud {
    /// # Errors
    /// A body without a hull.
    pub fn new(shape: &Superovoid) -> Result<Cloud> {
        let mesh = Mesh::coarse_hull(shape, SEGMENTS)?;
        ensure!(
            mesh.vertices.len() <= B3_MAX_HULL_VERTICES as usize,
            "too many vertices for Box3D"
        );
        Ok(Cloud(mesh.vertices.iter().copied().map(vector).collect()))
    }

    fn proxy(&self) -> b3ShapeProxy {
        b3ShapeProxy {
            points: self.0.as_ptr(),
            count: self.0.len() as i32,
            radius: 0.0,
        }
    }
}

pub fn ask(courses: &[Course; 2], clouds: &[Cloud; 2]) -> (Found, f64) {
    let inputs: Vec<b3TOIInput> = (0..PARTS)
        .map(|part| input(courses, clouds, part))
        .collect();
    let start = Instant::now();
    let mut found = Found::Free;
    for (part, input) in inputs.iter().enumerate() {
        found = ask_part(input, part);
        if found != Found::Free {
            break;
        }
    }
    (found, start.elapsed().as_nanos() as f64)
}

fn ask_part(input: &b3TOIInput, part: usize) -> Found {
    use box3d_sys::{
        b3TOIState_b3_toiStateHit as HIT, b3TOIState_b3_toiStateOverlapped as OVERLAPPED,
        b3TOIState_b3_toiStateSeparated as SEPARATED,
    };
    // SAFETY: the points of the proxies outlive the call.
    let output = unsafe { b3TimeOfImpact(input) };
    match output.state {
        SEPARATED => Found::Free,
        HIT => Found::Hit((part as f64 + f64::from(output.fraction)) / PARTS as f64),
        OVERLAPPED => Found::Hit(part as f64 / PARTS as f64),
        _ => Found::Unknown,
    }
}

fn input(courses: &[Course; 2], clouds: &[Cloud; 2], part: usize) -> b3TOIInput {
    let sweep = |course: &Course| {
        let at = |end: usize| course.at(end as f64 / PARTS as f64);
        let (from, to) = (at(part), at(part + 1));
        b3Sweep {
            localCenter: vector([0.0; 3]),
            c1: place(&from),
            c2: place(&to),
            q1: turn(&from),
            q2: turn(&to),
        }
    };
    b3TOIInput {
        proxyA: clouds[0].proxy(),
        proxyB: clouds[1].proxy(),
        sweepA: sweep(&courses[0]),
        sweepB: sweep(&courses[1]),
        maxFraction: 1.0,
    }
}

fn vector([x, y, z]: [f64; 3]) -> b3Vec3 {
    b3Vec3 {
        x: x as f32,
        y: y as f32,
        z: z as f32,
    }
}

fn place(pose: &Isometry3<f64>) -> b3Vec3 {
    vector(pose.translation.vector.into())
}

fn turn(pose: &Isometry3<f64>) -> b3Quat {
    let q = pose.rotation.coords;
    b3Quat {
        v: vector([q.x, q.y, q.z]),
        s: q.w as f32,
    }
}

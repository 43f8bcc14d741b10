//! The queries of one body, and of a body and another one, a point, a plane or a ray.

use crate::types::{Contact, Mesh, Numbers, Placed, Pose, Thrown, Vector};
use nalgebra::{Isometry3, Vector3};
use serde::{Deserialize, Serialize};
use superovoid::VertexOptions;
use superovoid::derivatives::pose_gradient;
use superovoid::pair::ContactStage;
use superovoid::published::{
    CellExtent, GuessCell, SchemeOptions, SchemeTrace, scheme_contact, scheme_trace,
};
use superovoid::{
    DepthMode, HalfSpace, Plane, QueryOptions, Ray, Superovoid, contact, half_space_contact,
    plane_contact, published, vertex_contact,
};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

fn options(certified_depth: bool) -> QueryOptions {
    QueryOptions::default().with_depth(if certified_depth {
        DepthMode::Certified
    } else {
        DepthMode::Fast
    })
}

/// A body and its pose.
type Body = (Superovoid, Isometry3<f64>);

fn bodies(a: &Ts<Placed>, b: &Ts<Placed>) -> Result<[Body; 2], Thrown> {
    Ok([a.to_rust()?.body("A")?, b.to_rust()?.body("B")?])
}

fn told(found: &superovoid::Contact) -> Result<Ts<Contact>, Thrown> {
    Ok(Contact::from(found).into_ts()?)
}

/// Answers two bodies.
#[wasm_bindgen(js_name = pairContact)]
pub fn pair_contact(
    a: Ts<Placed>,
    b: Ts<Placed>,
    certified_depth: bool,
) -> Result<Ts<Contact>, Thrown> {
    let [(a, pose_a), (b, pose_b)] = bodies(&a, &b)?;
    let options = options(certified_depth);
    told(&contact(&a, &pose_a, &b, &pose_b, &options, None)?)
}

/// The numbers of a pair: a1 a2 a3 e1 e2 tx ty x y z qx qy qz qw of A, then those of B.
const PAIR: usize = 28;

/// Returns the distances of many pairs, for comparisons of speed: 28 numbers are a pair.
#[wasm_bindgen(js_name = pairDistances)]
pub fn pair_distances(numbers: &[f64], certified_depth: bool) -> Result<Vec<f64>, Thrown> {
    let (pairs, rest) = numbers.as_chunks::<PAIR>();
    if !rest.is_empty() {
        let given = numbers.len();
        let told = format!("pairs: {PAIR} numbers are needed for each, {given} are given");
        return Err(Thrown(told));
    }
    let options = options(certified_depth);
    let body = |n: &[f64]| -> Result<Body, Thrown> {
        let shape = Superovoid::new([n[0], n[1], n[2]], [n[3], n[4]], [n[5], n[6]])?;
        let pose =
            superovoid::pose::from_quaternion([n[7], n[8], n[9]], [n[10], n[11], n[12], n[13]])?;
        Ok((shape, pose))
    };
    let distance = |pair: &[f64; PAIR]| {
        let (a, b) = pair.split_at(PAIR / 2);
        let ((a, pose_a), (b, pose_b)) = (body(a)?, body(b)?);
        Ok(contact(&a, &pose_a, &b, &pose_b, &options, None)?.distance)
    };
    pairs.iter().map(distance).collect()
}

/// A published scheme.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    OctImplicit,
    QuadImplicit,
    QuadParametric,
    NtbParametric,
}

impl From<Scheme> for SchemeOptions {
    fn from(scheme: Scheme) -> Self {
        SchemeOptions {
            scheme: match scheme {
                Scheme::OctImplicit => published::Scheme::OctImplicit,
                Scheme::QuadImplicit => published::Scheme::QuadImplicit,
                Scheme::QuadParametric => published::Scheme::QuadParametric,
                Scheme::NtbParametric => published::Scheme::NtbParametric,
            },
            ..SchemeOptions::default()
        }
    }
}

/// Answers two bodies by a published scheme.
#[wasm_bindgen(js_name = publishedContact)]
pub fn published_contact(
    a: Ts<Placed>,
    b: Ts<Placed>,
    scheme: Ts<Scheme>,
) -> Result<Ts<Contact>, Thrown> {
    let [(a, pose_a), (b, pose_b)] = bodies(&a, &b)?;
    let options = scheme.to_rust()?.into();
    told(&scheme_contact(&a, &pose_a, &b, &pose_b, &options, None)?)
}

/// What a published scheme, or the library's own query, goes through.
#[derive(Serialize, Tsify)]
pub struct Trace {
    /// Whether the last iterate is the answer of a stage after Newton's method.
    later: bool,
    attempts: Vec<Attempt>,
}

/// A guess and the iterates from it.
#[derive(Serialize, Tsify)]
struct Attempt {
    opposed: bool,
    /// For each level the cells of the pairs that were kept: those of A, and of B.
    levels: Vec<[Vec<Cell>; 2]>,
    iterates: Vec<Iterate>,
}

/// A cell of a guess.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum Cell {
    /// A box in the body's frame.
    Box { center: Vector, half: Vector },
    /// Ranges of both surface angles, and the point on the surface in the world.
    Angles {
        phi1: [f64; 2],
        phi2: [f64; 2],
        point: Vector,
    },
}

#[derive(Serialize, Tsify)]
struct Iterate {
    a: Vector,
    b: Vector,
    residual: f64,
    step: f64,
}

/// Returns what a published scheme goes through. A cell that is kept in several pairs is listed once.
#[wasm_bindgen(js_name = publishedTrace)]
pub fn published_trace(
    a: Ts<Placed>,
    b: Ts<Placed>,
    scheme: Ts<Scheme>,
) -> Result<Ts<Trace>, Thrown> {
    let [(a, pose_a), (b, pose_b)] = bodies(&a, &b)?;
    let options = scheme.to_rust()?.into();
    let SchemeTrace { attempts, .. } = scheme_trace(&a, &pose_a, &b, &pose_b, &options)?;
    let attempts = attempts.iter().map(|attempt| Attempt {
        opposed: attempt.opposed,
        levels: attempt
            .levels
            .iter()
            .map(|pairs| [0, 1].map(|body| cells(pairs.iter().map(|pair| &pair[body]))))
            .collect(),
        iterates: attempt
            .iterates
            .iter()
            .map(|iterate| Iterate {
                a: iterate.point_a.into(),
                b: iterate.point_b.into(),
                residual: iterate.residual,
                step: iterate.step,
            })
            .collect(),
    });
    let trace = Trace {
        later: false,
        attempts: attempts.collect(),
    };
    Ok(trace.into_ts()?)
}

/// Returns what the library's own query goes through: one attempt, without a guess by cells.
#[wasm_bindgen(js_name = contactTrace)]
pub fn contact_trace(
    a: Ts<Placed>,
    b: Ts<Placed>,
    certified_depth: bool,
) -> Result<Ts<Trace>, Thrown> {
    let [(a, pose_a), (b, pose_b)] = bodies(&a, &b)?;
    let options = options(certified_depth);
    let found = superovoid::pair::contact_trace(&a, &pose_a, &b, &pose_b, &options)?;
    let iterates = found.iterates.iter().map(|iterate| Iterate {
        a: iterate.point_a.into(),
        b: iterate.point_b.into(),
        residual: iterate.residual,
        step: 1.0,
    });
    let last = found.iterates.last().map(|last| last.stage);
    let trace = Trace {
        later: last == Some(ContactStage::Later),
        attempts: vec![Attempt {
            opposed: false,
            levels: Vec::new(),
            iterates: iterates.collect(),
        }],
    };
    Ok(trace.into_ts()?)
}

fn cells<'a>(given: impl Iterator<Item = &'a GuessCell>) -> Vec<Cell> {
    let mut known: Vec<&GuessCell> = Vec::new();
    for cell in given {
        if !known.contains(&cell) {
            known.push(cell);
        }
    }
    let traced = |cell: &&GuessCell| match cell.extent {
        CellExtent::Box {
            center,
            half_widths,
        } => Cell::Box {
            center: center.into(),
            half: half_widths.into(),
        },
        CellExtent::Angles { phi1, phi2 } => Cell::Angles {
            phi1,
            phi2,
            point: cell.point.into(),
        },
    };
    known.iter().map(traced).collect()
}

/// The gradient of a distance by the motion of a body: by its velocity and its angular velocity.
#[derive(Serialize, Tsify)]
struct MotionGradient {
    velocity: Vector,
    angular: Vector,
}

/// The gradient of a distance by the motions of A and B.
#[derive(Serialize, Tsify)]
pub struct DistanceGradient {
    a: MotionGradient,
    b: MotionGradient,
}

/// Returns the gradient of the distance of an answer; nothing where it has none.
#[wasm_bindgen(js_name = distanceGradient)]
pub fn distance_gradient(
    pose_a: Ts<Pose>,
    pose_b: Ts<Pose>,
    contact: Ts<Contact>,
) -> Result<Option<Ts<DistanceGradient>>, Thrown> {
    let pose_a = pose_a.to_rust()?.isometry("pose of A")?;
    let pose_b = pose_b.to_rust()?.isometry("pose of B")?;
    let Some(found) = pose_gradient(&pose_a, &pose_b, &contact.to_rust()?.into()) else {
        return Ok(None);
    };
    let part = |k: usize| Vector3::from_column_slice(&found.as_slice()[k..k + 3]).into();
    let of = |k| MotionGradient {
        velocity: part(k),
        angular: part(k + 3),
    };
    Ok(Some(DistanceGradient { a: of(0), b: of(6) }.into_ts()?))
}

/// Answers a body and a point.
#[wasm_bindgen(js_name = pointContact)]
pub fn point_contact(body: Ts<Placed>, point: Ts<Vector>) -> Result<Ts<Contact>, Thrown> {
    let ((shape, pose), point) = (body.to_rust()?.body("")?, point.to_rust()?.into());
    let options = VertexOptions::default();
    told(&vertex_contact(&shape, &pose, &point, &options)?)
}

/// Answers a body and a plane `normal · x = offset`, or the solid half-space below it.
#[wasm_bindgen(js_name = planeContact)]
pub fn plane(
    body: Ts<Placed>,
    normal: Ts<Vector>,
    offset: f64,
    solid: bool,
) -> Result<Ts<Contact>, Thrown> {
    let ((shape, pose), normal) = (body.to_rust()?.body("")?, normal.to_rust()?.into());
    let found = if solid {
        half_space_contact(&shape, &pose, &HalfSpace::new(normal, offset)?)
    } else {
        plane_contact(&shape, &pose, &Plane::new(normal, offset)?)
    };
    told(&found?)
}

/// What a ray meets first.
#[derive(Serialize, Tsify)]
pub struct Hit {
    /// The length of the ray up to there, in lengths of its direction.
    time: f64,
    point: Vector,
    normal: Vector,
}

/// Casts a ray; returns nothing where it misses.
#[wasm_bindgen(js_name = rayCast)]
pub fn ray_cast(
    body: Ts<Placed>,
    origin: Ts<Vector>,
    direction: Ts<Vector>,
    solid: bool,
) -> Result<Option<Ts<Hit>>, Thrown> {
    let (shape, pose) = body.to_rust()?.body("")?;
    let ray = Ray {
        origin: origin.to_rust()?.into(),
        direction: direction.to_rust()?.into(),
    };
    let Some(hit) = shape.ray_cast(&pose, &ray, f64::INFINITY, solid)? else {
        return Ok(None);
    };
    let hit = Hit {
        time: hit.time_of_impact,
        point: hit.point.into(),
        normal: hit.normal.into_inner().into(),
    };
    Ok(Some(hit.into_ts()?))
}

/// The finest mesh that is made: a quarter of a million triangles.
const MOST_SEGMENTS: u32 = 512;

/// Returns the mesh of a body with as many edges around, 8 to 512.
#[wasm_bindgen]
pub fn mesh(numbers: Ts<Numbers>, segments: u32) -> Result<Ts<Mesh>, Thrown> {
    let shape = numbers.to_rust()?.shape("body")?;
    if !(8..=MOST_SEGMENTS).contains(&segments) {
        return Err(Thrown(format!(
            "segments = {segments}: must be from 8 to {MOST_SEGMENTS}"
        )));
    }
    let mesh = shape.tessellate(segments as usize);
    let normals = mesh.vertices.iter().map(|p| {
        let gradient = shape.gradient(p);
        let normal = gradient / gradient.norm();
        // Where the gradient has left the number range the direction from the centre is near enough for a picture.
        if normal.x.is_finite() {
            normal
        } else {
            p.coords.normalize()
        }
    });
    Mesh::drawn(&mesh.vertices, normals, &mesh.triangles)
}

/// Whether a body is convex. An exception tells which of its numbers is out of its domain.
#[wasm_bindgen(js_name = isConvex)]
pub fn is_convex(numbers: Ts<Numbers>) -> Result<bool, Thrown> {
    Ok(numbers.to_rust()?.shape("body")?.is_convex())
}

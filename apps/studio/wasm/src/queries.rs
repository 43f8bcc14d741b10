//! The queries on numbers, without JavaScript: the native tests call them, too.

use crate::numbers::{ANSWER, BODY, answer, point, pose, shape, vector};
use nalgebra::Isometry3;
use serde::Serialize;
use superovoid::VertexOptions;
use superovoid::derivatives::pose_gradient;
use superovoid::pair::{ContactStage, contact_trace};
use superovoid::published::{
    CellExtent, GuessCell, Scheme, SchemeOptions, scheme_contact, scheme_trace,
};
use superovoid::{
    DepthMode, HalfSpace, Plane, QueryOptions, Ray, Superovoid, contact, half_space_contact,
    plane_contact, vertex_contact,
};

/// The numbers of a pair: body and pose of A, then of B.
pub const PAIR: usize = 4 * BODY;

fn options(certified_depth: bool) -> QueryOptions {
    QueryOptions::default().with_depth(if certified_depth {
        DepthMode::Certified
    } else {
        DepthMode::Fast
    })
}

/// Answers pairs of [`PAIR`] numbers each; an error tells the pair.
pub fn pairs(numbers: &[f64], certified_depth: bool) -> Result<Vec<f64>, String> {
    if !numbers.len().is_multiple_of(PAIR) {
        let given = numbers.len();
        return Err(format!(
            "pairs: {PAIR} numbers are needed for each, {given} are given"
        ));
    }
    let options = options(certified_depth);
    let mut answers = Vec::with_capacity(numbers.len() / PAIR * ANSWER);
    for (index, pair) in numbers.chunks_exact(PAIR).enumerate() {
        let found = one_pair(pair, &options).map_err(|error| format!("pair {index}: {error}"))?;
        answers.extend(found);
    }
    Ok(answers)
}

fn one_pair(numbers: &[f64], options: &QueryOptions) -> Result<[f64; ANSWER], String> {
    let [(a, pose_a), (b, pose_b)] = bodies(numbers)?;
    contact(&a, &pose_a, &b, &pose_b, options, None)
        .map(|found| answer(&found))
        .map_err(|error| error.to_string())
}

/// Returns the bodies and poses of a pair's numbers.
fn bodies(numbers: &[f64]) -> Result<[(Superovoid, Isometry3<f64>); 2], String> {
    let (a, b) = numbers.split_at(2 * BODY);
    let body_a = (shape("body A", &a[..BODY])?, pose("pose of A", &a[BODY..])?);
    let body_b = (shape("body B", &b[..BODY])?, pose("pose of B", &b[BODY..])?);
    Ok([body_a, body_b])
}

/// Answers one pair.
pub fn pair(numbers: &[f64], certified_depth: bool) -> Result<[f64; ANSWER], String> {
    let numbers = crate::numbers::exactly::<PAIR>("pair", numbers)?;
    one_pair(numbers, &options(certified_depth))
}

/// Answers a pair by the four published schemes, in the order of [`Scheme::ALL`], one answer after another.
pub fn published(numbers: &[f64]) -> Result<Vec<f64>, String> {
    let numbers = crate::numbers::exactly::<PAIR>("pair", numbers)?;
    let [(a, pose_a), (b, pose_b)] = bodies(numbers)?;
    let mut answers = Vec::with_capacity(Scheme::ALL.len() * ANSWER);
    for scheme in Scheme::ALL {
        let options = SchemeOptions {
            scheme,
            ..SchemeOptions::default()
        };
        let found = scheme_contact(&a, &pose_a, &b, &pose_b, &options, None);
        answers.extend(answer(&found.map_err(|error| error.to_string())?));
    }
    Ok(answers)
}

/// What a scheme, or the library's own query, goes through, for drawing.
#[derive(Serialize)]
struct Traced {
    attempts: Vec<TracedAttempt>,
    /// Whether the last iterate is not one of Newton's method, but of a later stage.
    later: bool,
}

#[derive(Serialize)]
struct TracedAttempt {
    opposed: bool,
    /// For each level the cells of the pairs that were kept: those of A, and of B.
    levels: Vec<[Vec<TracedCell>; 2]>,
    iterates: Vec<TracedIterate>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum TracedCell {
    /// Centre and half widths in the body's frame.
    Box([f64; 6]),
    /// Ranges of both surface angles, and the point on the surface in the world.
    Angles([f64; 7]),
}

#[derive(Serialize)]
struct TracedIterate {
    a: [f64; 3],
    b: [f64; 3],
    residual: f64,
    step: f64,
}

/// Returns the cells of the guesses and the iterates of a published scheme, by its place in [`Scheme::ALL`], as JSON. A
/// cell that is kept in several pairs is listed once.
pub fn trace(numbers: &[f64], scheme: usize) -> Result<String, String> {
    let numbers = crate::numbers::exactly::<PAIR>("pair", numbers)?;
    let [(a, pose_a), (b, pose_b)] = bodies(numbers)?;
    let scheme = *Scheme::ALL
        .get(scheme)
        .ok_or_else(|| format!("there is no scheme {scheme}"))?;
    let options = SchemeOptions {
        scheme,
        ..SchemeOptions::default()
    };
    let found = scheme_trace(&a, &pose_a, &b, &pose_b, &options);
    let found = found.map_err(|error| error.to_string())?;
    let attempts = found.attempts.iter().map(|attempt| TracedAttempt {
        opposed: attempt.opposed,
        levels: attempt
            .levels
            .iter()
            .map(|pairs| [0, 1].map(|body| cells(pairs.iter().map(|pair| &pair[body]))))
            .collect(),
        iterates: attempt
            .iterates
            .iter()
            .map(|iterate| TracedIterate {
                a: iterate.point_a.coords.into(),
                b: iterate.point_b.coords.into(),
                residual: iterate.residual,
                step: iterate.step,
            })
            .collect(),
    });
    let traced = Traced {
        attempts: attempts.collect(),
        later: false,
    };
    serde_json::to_string(&traced).map_err(|error| error.to_string())
}

/// Returns the iterates of the library's own query as JSON, in the form of [`trace`].
pub fn own_trace(numbers: &[f64], certified_depth: bool) -> Result<String, String> {
    let numbers = crate::numbers::exactly::<PAIR>("pair", numbers)?;
    let [(a, pose_a), (b, pose_b)] = bodies(numbers)?;
    let found = contact_trace(&a, &pose_a, &b, &pose_b, &options(certified_depth));
    let found = found.map_err(|error| error.to_string())?;
    let iterates = found.iterates.iter().map(|iterate| TracedIterate {
        a: iterate.point_a.coords.into(),
        b: iterate.point_b.coords.into(),
        residual: iterate.residual,
        step: 1.0,
    });
    let last = found.iterates.last().map(|last| last.stage);
    let traced = Traced {
        attempts: vec![TracedAttempt {
            opposed: false,
            levels: Vec::new(),
            iterates: iterates.collect(),
        }],
        later: last == Some(ContactStage::Later),
    };
    serde_json::to_string(&traced).map_err(|error| error.to_string())
}

fn cells<'a>(given: impl Iterator<Item = &'a GuessCell>) -> Vec<TracedCell> {
    let mut known: Vec<&GuessCell> = Vec::new();
    for cell in given {
        if !known.contains(&cell) {
            known.push(cell);
        }
    }
    let traced = |cell: &&GuessCell| match cell.extent {
        CellExtent::Box {
            center: c,
            half_widths: h,
        } => TracedCell::Box([c.x, c.y, c.z, h.x, h.y, h.z]),
        CellExtent::Angles {
            phi1: [a, b],
            phi2: [c, d],
        } => {
            let p = cell.point;
            TracedCell::Angles([a, b, c, d, p.x, p.y, p.z])
        }
    };
    known.iter().map(traced).collect()
}

/// Returns the gradient of the distance by the motions of A and B, velocity and angular velocity of each, for an answer of
/// [`ANSWER`] numbers; nothing where it has none.
pub fn gradient(pose_a: &[f64], pose_b: &[f64], numbers: &[f64]) -> Result<Vec<f64>, String> {
    let (pose_a, pose_b) = (pose("pose of A", pose_a)?, pose("pose of B", pose_b)?);
    let contact = crate::numbers::contact(numbers)?;
    let found = pose_gradient(&pose_a, &pose_b, &contact);
    Ok(found.map_or_else(Vec::new, |gradient| gradient.as_slice().to_vec()))
}

/// Answers a body and a point.
pub fn body_point(body: &[f64], at: &[f64], to: &[f64]) -> Result<[f64; ANSWER], String> {
    let (shape, pose, point) = (shape("body", body)?, pose("pose", at)?, point("point", to)?);
    vertex_contact(&shape, &pose, &point, &VertexOptions::default())
        .map(|found| answer(&found))
        .map_err(|error| error.to_string())
}

/// Answers a body and a plane `normal · x = offset`, or the solid half-space below it.
pub fn body_plane(
    body: &[f64],
    at: &[f64],
    normal: &[f64],
    offset: f64,
    solid: bool,
) -> Result<[f64; ANSWER], String> {
    let (shape, pose) = (shape("body", body)?, pose("pose", at)?);
    let normal = vector("plane normal", normal)?;
    let found = if solid {
        HalfSpace::new(normal, offset).and_then(|solid| half_space_contact(&shape, &pose, &solid))
    } else {
        Plane::new(normal, offset).and_then(|plane| plane_contact(&shape, &pose, &plane))
    };
    found
        .map(|found| answer(&found))
        .map_err(|error| error.to_string())
}

/// Returns the first hit of a ray: t, the point and the normal, or nothing.
pub fn body_ray(
    body: &[f64],
    at: &[f64],
    origin: &[f64],
    direction: &[f64],
    solid: bool,
) -> Result<Option<[f64; 7]>, String> {
    let (shape, pose) = (shape("body", body)?, pose("pose", at)?);
    let ray = Ray {
        origin: point("ray origin", origin)?,
        direction: vector("ray direction", direction)?,
    };
    let hit = shape
        .ray_cast(&pose, &ray, f64::INFINITY, solid)
        .map_err(|error| error.to_string())?;
    Ok(hit.map(|hit| {
        let (p, n) = (hit.point, hit.normal);
        [hit.time_of_impact, p.x, p.y, p.z, n.x, n.y, n.z]
    }))
}

/// Returns the support value of a body in a direction of its own frame, and the support point.
pub fn support(body: &[f64], direction: &[f64]) -> Result<[f64; 4], String> {
    let shape = shape("body", body)?;
    let direction = vector("direction", direction)?;
    if !direction.iter().all(|x| x.is_finite()) || direction.amax() == 0.0 {
        return Err("direction: must be finite and not zero".to_owned());
    }
    let found = shape.support(&direction);
    let p = found.point;
    Ok([found.value, p.x, p.y, p.z])
}

/// A triangle mesh in single precision, for drawing.
pub struct DrawnMesh {
    /// The vertices, three numbers each.
    pub positions: Vec<f32>,
    /// The outward unit normals of the surface at the vertices.
    pub normals: Vec<f32>,
    /// The vertices of each triangle.
    pub triangles: Vec<u32>,
}

/// The finest mesh that is made: a quarter of a million triangles.
pub const MOST_SEGMENTS: u32 = 512;

/// Returns the mesh of a body with as many edges around.
pub fn mesh(body: &[f64], segments: u32) -> Result<DrawnMesh, String> {
    let shape = shape("body", body)?;
    if !(8..=MOST_SEGMENTS).contains(&segments) {
        return Err(format!(
            "segments = {segments}: must be from 8 to {MOST_SEGMENTS}"
        ));
    }
    let mesh = shape.tessellate(segments as usize);
    let positions = mesh.vertices.iter().flat_map(|p| [p.x, p.y, p.z]);
    let normals = mesh.vertices.iter().flat_map(|p| {
        let gradient = shape.gradient(p);
        let normal = gradient / gradient.norm();
        // Where the gradient has left the number range the direction from the centre is near enough for a picture.
        let outward = if normal.x.is_finite() {
            normal
        } else {
            p.coords.normalize()
        };
        [outward.x, outward.y, outward.z]
    });
    Ok(DrawnMesh {
        positions: positions.map(|x| x as f32).collect(),
        normals: normals.map(|x| x as f32).collect(),
        triangles: mesh.triangles.concat(),
    })
}

/// Returns whether a body is convex, as a word for people, and its volume.
pub fn about(body: &[f64]) -> Result<(bool, f64), String> {
    let shape = shape("body", body)?;
    Ok((shape.is_convex(), shape.volume()))
}

//! What JavaScript gives and gets. A type is declared once, here or beside its queries, and the page's TypeScript is made
//! from the declaration; an error is an exception with its message.

use js_sys::{Float32Array, Float64Array, Uint32Array};
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use serde::{Deserialize, Serialize};
use superovoid::Superovoid;
use superovoid::pose::from_quaternion;
use tsify::serde_wasm_bindgen::preserve;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The message of an exception.
#[derive(Debug)]
pub struct Thrown(pub String);

impl<E: std::error::Error> From<E> for Thrown {
    fn from(error: E) -> Self {
        Thrown(error.to_string())
    }
}

impl From<Thrown> for JsValue {
    fn from(Thrown(message): Thrown) -> Self {
        JsError::new(&message).into()
    }
}

impl Thrown {
    /// Puts the name of a thing before the message of an error.
    pub fn of<E: std::fmt::Display>(name: &str) -> impl Fn(E) -> Self {
        move |error| Thrown(format!("{name}: {error}"))
    }
}

/// The numbers of a body: a1 a2 a3 e1 e2 tx ty.
#[derive(Clone, Serialize, Deserialize, Tsify)]
pub struct Numbers(Vec<f64>);

/// Semi-axes, exponents and tapers.
type ShapeNumbers = ([f64; 3], [f64; 2], [f64; 2]);

/// Position and quaternion: x y z qx qy qz qw.
#[derive(Clone, Serialize, Deserialize, Tsify)]
pub struct Pose(Vec<f64>);

/// A point or a direction: x y z.
#[derive(Clone, Copy, Serialize, Deserialize, Tsify)]
pub struct Vector(pub [f64; 3]);

/// A body at its pose.
#[derive(Clone, Serialize, Deserialize, Tsify)]
pub struct Placed {
    /// The shape.
    pub numbers: Numbers,
    /// The pose of its frame.
    pub pose: Pose,
}

/// Returns as many numbers as are needed, or an error that names the thing.
fn exactly<'a, const N: usize>(name: &str, numbers: &'a [f64]) -> Result<&'a [f64; N], Thrown> {
    let given = numbers.len();
    let exact = numbers.try_into();
    exact.map_err(|_| Thrown(format!("{name}: {N} numbers are needed, {given} are given")))
}

impl Numbers {
    /// Returns the numbers of a shape.
    pub fn of([a1, a2, a3]: [f64; 3], [e1, e2]: [f64; 2], [tx, ty]: [f64; 2]) -> Self {
        Numbers(vec![a1, a2, a3, e1, e2, tx, ty])
    }

    /// Returns the numbers of a superovoid.
    pub fn of_shape(shape: &Superovoid) -> Self {
        Numbers::of(shape.semi_axes(), shape.exponents(), shape.tapers())
    }

    /// Returns semi-axes, exponents and tapers, which are not checked.
    pub fn parts(&self, name: &str) -> Result<ShapeNumbers, Thrown> {
        let &[a1, a2, a3, e1, e2, tx, ty] = exactly(name, &self.0)?;
        Ok(([a1, a2, a3], [e1, e2], [tx, ty]))
    }

    /// Makes a superovoid.
    pub fn shape(&self, name: &str) -> Result<Superovoid, Thrown> {
        let (semi_axes, exponents, tapers) = self.parts(name)?;
        Superovoid::new(semi_axes, exponents, tapers).map_err(Thrown::of(name))
    }
}

impl Pose {
    /// Returns the numbers of a position and a unit quaternion, whose scalar is last.
    pub fn of([x, y, z]: [f64; 3], [i, j, k, w]: [f64; 4]) -> Self {
        Pose(vec![x, y, z, i, j, k, w])
    }

    /// Makes an isometry; the quaternion may have any length but zero.
    pub fn isometry(&self, name: &str) -> Result<Isometry3<f64>, Thrown> {
        let &[x, y, z, qx, qy, qz, qw] = exactly(name, &self.0)?;
        from_quaternion([x, y, z], [qx, qy, qz, qw]).map_err(Thrown::of(name))
    }
}

impl From<&Isometry3<f64>> for Pose {
    fn from(pose: &Isometry3<f64>) -> Self {
        Pose::of(pose.translation.vector.into(), pose.rotation.coords.into())
    }
}

impl Placed {
    /// Makes a body and its pose; `name` is empty or that of the body among several.
    pub fn body(&self, name: &str) -> Result<(Superovoid, Isometry3<f64>), Thrown> {
        let (body, pose) = if name.is_empty() {
            ("body".to_owned(), "pose".to_owned())
        } else {
            (format!("body {name}"), format!("pose of {name}"))
        };
        Ok((self.numbers.shape(&body)?, self.pose.isometry(&pose)?))
    }
}

impl From<Point3<f64>> for Vector {
    fn from(point: Point3<f64>) -> Self {
        Vector(point.into())
    }
}

impl From<Vector3<f64>> for Vector {
    fn from(vector: Vector3<f64>) -> Self {
        Vector(vector.into())
    }
}

impl From<Vector> for Point3<f64> {
    fn from(Vector(numbers): Vector) -> Self {
        numbers.into()
    }
}

impl From<Vector> for Vector3<f64> {
    fn from(Vector(numbers): Vector) -> Self {
        numbers.into()
    }
}

/// What an answer proves: its bracket is as narrow as asked for, the iteration has converged, it has not, or the distance
/// is beyond what was asked for.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Certified,
    Converged,
    #[serde(rename = "not converged")]
    NotConverged,
    Beyond,
}

/// The contact of two bodies A and B.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    /// The distance, metres; negative where they overlap.
    distance: f64,
    /// The ends of the bracket that is proven.
    lower: f64,
    upper: f64,
    point_a: Vector,
    point_b: Vector,
    /// The unit normal from A to B.
    normal: Vector,
    outcome: Outcome,
    iterations: u32,
}

impl From<&superovoid::Contact> for Contact {
    fn from(found: &superovoid::Contact) -> Self {
        Contact {
            distance: found.distance,
            lower: found.lower,
            upper: found.upper,
            point_a: found.point_a.into(),
            point_b: found.point_b.into(),
            normal: found.normal.into_inner().into(),
            outcome: match found.outcome {
                superovoid::Outcome::Certified => Outcome::Certified,
                superovoid::Outcome::Converged => Outcome::Converged,
                superovoid::Outcome::Beyond => Outcome::Beyond,
                _ => Outcome::NotConverged,
            },
            iterations: found.iterations,
        }
    }
}

impl From<Contact> for superovoid::Contact {
    fn from(given: Contact) -> Self {
        let mut contact = superovoid::Contact::default();
        contact.distance = given.distance;
        contact.lower = given.lower;
        contact.upper = given.upper;
        contact.point_a = given.point_a.into();
        contact.point_b = given.point_b.into();
        contact.normal = Unit::new_unchecked(given.normal.into());
        contact.outcome = match given.outcome {
            Outcome::Certified => superovoid::Outcome::Certified,
            Outcome::Converged => superovoid::Outcome::Converged,
            Outcome::NotConverged => superovoid::Outcome::NotConverged,
            Outcome::Beyond => superovoid::Outcome::Beyond,
        };
        contact.iterations = given.iterations;
        contact
    }
}

/// A triangle mesh for drawing.
#[derive(Serialize, Tsify)]
pub struct Mesh {
    /// The vertices, three numbers each.
    #[serde(with = "preserve")]
    positions: Float32Array,
    /// The outward unit normals at the vertices.
    #[serde(with = "preserve")]
    normals: Float32Array,
    /// The vertices of each triangle.
    #[serde(with = "preserve")]
    triangles: Uint32Array,
}

impl Mesh {
    /// Returns the mesh of some vertices with their normals.
    pub fn drawn(
        vertices: &[Point3<f64>],
        normals: impl Iterator<Item = Vector3<f64>>,
        triangles: &[[u32; 3]],
    ) -> Result<Ts<Mesh>, Thrown> {
        let mesh = Mesh {
            positions: singles(vertices.iter().map(|p| p.coords)),
            normals: singles(normals),
            triangles: Uint32Array::from(triangles.as_flattened()),
        };
        Ok(mesh.into_ts()?)
    }
}

/// Returns the coordinates of vectors in single precision.
pub fn singles(vectors: impl Iterator<Item = Vector3<f64>>) -> Float32Array {
    let numbers: Vec<f32> = vectors
        .flat_map(|v| [v.x, v.y, v.z].map(|x| x as f32))
        .collect();
    Float32Array::from(numbers.as_slice())
}

/// Returns the numbers of points, as an array of JavaScript.
pub fn doubles(points: &[[f64; 3]]) -> Float64Array {
    Float64Array::from(points.as_flattened())
}

//! Pairs of any two bodies, by the fastest query that knows both.

use crate::array_input::Index;
use crate::bodies::{BoxSet, ConvexShape, HalfSpace, HeightField, Plane, Superquadric, TriMesh};
use crate::broadcast::{Broadcast, Failed, each, fill};
use crate::contacts::Contacts;
use crate::placed_shapes::PlacedShapes;
use crate::poses::{PoseReader, Poses};
use crate::shapes::SuperovoidsArgument;
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use pyo3::prelude::*;
use std::sync::Arc;
use superovoid::{Contact, Outcome, PartsContact, QueryOptions, Shape, ShapeRef, Superovoid};

/// An argument of bodies: an array of superovoids, or one shape of another kind.
pub enum BodyArgument<'py> {
    Superovoids(SuperovoidsArgument<'py>),
    One(Shape),
}

impl<'py> BodyArgument<'py> {
    pub fn new(value: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        Ok(match other_shape(value) {
            Some(shape) => BodyArgument::One(shape),
            None => BodyArgument::Superovoids(SuperovoidsArgument::new(value, name)?),
        })
    }

    /// Whether the argument is something else than superovoids.
    pub fn is_other(value: &Bound<'_, PyAny>) -> bool {
        other_shape(value).is_some()
    }

    pub fn lead(&self) -> &[usize] {
        match self {
            BodyArgument::Superovoids(shapes) => &shapes.get().axes,
            BodyArgument::One(_) => &[],
        }
    }

    /// Returns the shape at a place of the array.
    pub fn shape(&self, place: usize) -> Shape {
        match self {
            BodyArgument::Superovoids(shapes) => shapes.get().bodies[place].into(),
            BodyArgument::One(shape) => shape.clone(),
        }
    }

    fn has_parts(&self) -> bool {
        matches!(self, BodyArgument::One(shape) if shape.as_ref().has_parts())
    }

    pub fn reader<'a>(&'a self, poses: &'a Poses, to: &[usize]) -> BodyReader<'a> {
        match self {
            BodyArgument::Superovoids(shapes) => {
                BodyReader::Superovoids(PlacedShapes::new(shapes.get(), poses, to))
            }
            BodyArgument::One(shape) => BodyReader::One(shape.as_ref(), poses.reader(to)),
        }
    }
}

/// Returns the shape of a body that is no array of superovoids.
fn other_shape(value: &Bound<'_, PyAny>) -> Option<Shape> {
    if let Ok(body) = value.cast::<ConvexShape>() {
        Some(Shape::Convex(body.get().shape.clone()))
    } else if let Ok(body) = value.cast::<TriMesh>() {
        Some(Shape::Mesh(body.get().mesh.clone()))
    } else if let Ok(body) = value.cast::<BoxSet>() {
        Some(Shape::Boxes(body.get().boxes.clone()))
    } else if let Ok(body) = value.cast::<HeightField>() {
        Some(Shape::HeightField(body.get().field.clone()))
    } else if let Ok(body) = value.cast::<Plane>() {
        Some(Shape::Plane(body.get().plane))
    } else if let Ok(body) = value.cast::<HalfSpace>() {
        Some(Shape::HalfSpace(body.get().half_space))
    } else if let Ok(body) = value.cast::<Superquadric>() {
        Some(Shape::Superquadric(body.get().body))
    } else {
        None
    }
}

/// An argument of convex bodies: an array of superovoids, or one convex shape.
pub enum ConvexArgument<'py> {
    Superovoids(SuperovoidsArgument<'py>),
    One(Bound<'py, ConvexShape>),
}

impl<'py> ConvexArgument<'py> {
    pub fn new(value: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        if let Ok(body) = value.cast::<ConvexShape>() {
            return Ok(ConvexArgument::One(body.clone()));
        }
        Ok(ConvexArgument::Superovoids(SuperovoidsArgument::new(
            value, name,
        )?))
    }

    pub fn lead(&self) -> &[usize] {
        match self {
            ConvexArgument::Superovoids(shapes) => &shapes.get().axes,
            ConvexArgument::One(_) => &[],
        }
    }

    /// Returns a function that reads the body of an element of a broadcast.
    pub fn reader<'a>(
        &'a self,
        to: &[usize],
    ) -> impl Fn(usize) -> Convex<'a> + Sync + use<'a, 'py> {
        let index = Index::of_list(self.lead(), to);
        let body = match self {
            ConvexArgument::Superovoids(shapes) => Ok(&shapes.get().bodies),
            ConvexArgument::One(body) => Err(&body.get().shape),
        };
        move |k| match body {
            Ok(bodies) => Convex::Superovoid(&bodies[index.offset(k) as usize]),
            Err(shape) => Convex::Shape(shape),
        }
    }
}

/// Reads bodies at their poses.
pub enum BodyReader<'a> {
    Superovoids(PlacedShapes<'a>),
    One(ShapeRef<'a>, PoseReader<'a>),
}

/// A body that is one piece.
#[derive(Clone, Copy)]
pub enum Convex<'a> {
    Superovoid(&'a Superovoid),
    Shape(&'a Arc<superovoid::convex::ConvexShape>),
}

impl<'a> BodyReader<'a> {
    pub fn body(&self, index: usize) -> ShapeRef<'_> {
        match self {
            BodyReader::Superovoids(shapes) => ShapeRef::Superovoid(shapes.body(index)),
            BodyReader::One(body, _) => *body,
        }
    }

    pub fn pose(&self, index: usize) -> Result<Isometry3<f64>, String> {
        match self {
            BodyReader::Superovoids(shapes) => shapes.pose(index),
            BodyReader::One(_, poses) => poses.pose(index),
        }
    }
}

impl Convex<'_> {
    /// Returns the body as the queries of convex bodies take it.
    pub fn as_convex(self) -> Arc<superovoid::convex::ConvexShape> {
        match self {
            Convex::Superovoid(body) => Arc::new((*body).into()),
            Convex::Shape(body) => Arc::clone(body),
        }
    }
}

/// Returns the answer where all parts are proven to be farther away than the maximum distance.
fn beyond(options: &QueryOptions) -> Contact {
    let nowhere = Point3::from([f64::NAN; 3]);
    let mut contact = Contact::default();
    (contact.distance, contact.lower) = (options.max_distance, options.max_distance);
    (contact.point_a, contact.point_b) = (nowhere, nowhere);
    contact.normal = Unit::new_unchecked(Vector3::repeat(f64::NAN));
    contact.outcome = Outcome::Beyond;
    contact
}

/// Answers `contact` where a body is something else than a superovoid; the arguments, a body and its pose and another body
/// and its pose, have the names that errors say.
pub fn body_contact(
    py: Python<'_>,
    arguments: [(&Bound<'_, PyAny>, &'static str); 4],
    options: &QueryOptions,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let [a, pose_a, b, pose_b] = arguments;
    let (body_a, body_b) = (BodyArgument::new(a.0, a.1)?, BodyArgument::new(b.0, b.1)?);
    let named = [a.1, pose_a.1, b.1, pose_b.1];
    let (pose_a, pose_b) = (
        Poses::new(pose_a.0, pose_a.1)?,
        Poses::new(pose_b.0, pose_b.1)?,
    );
    let leads = [body_a.lead(), pose_a.lead(), body_b.lead(), pose_b.lead()];
    let all = Broadcast::of(&std::array::from_fn::<_, 4, _>(|k| (named[k], leads[k])))?;
    let (a, b) = (
        body_a.reader(&pose_a, &all.axes),
        body_b.reader(&pose_b, &all.axes),
    );
    let mut found = vec![None; all.count];
    let single = |k: usize| {
        let (pose_a, pose_b) = (a.pose(k)?, b.pose(k)?);
        let found = a.body(k).contact(&pose_a, b.body(k), &pose_b, options);
        found.map_err(|error| error.to_string())
    };
    fill(py, threads, &mut found, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed: Failed<String>| all.error(failed.index, &failed.error))?;
    // −1 where all parts are farther away than the maximum distance.
    let part = |found: &Option<PartsContact>, of: usize| {
        found.map_or(-1, |found| i64::from(found.parts[of]))
    };
    let parts =
        |has: bool, of: usize| has.then(|| found.iter().map(|found| part(found, of)).collect());
    let contact =
        |found: &Option<PartsContact>| found.map_or_else(|| beyond(options), |found| found.contact);
    Ok(Contacts {
        parts: [parts(body_a.has_parts(), 0), parts(body_b.has_parts(), 1)],
        ..Contacts::new(all.axes, found.iter().map(contact).collect())
    })
}

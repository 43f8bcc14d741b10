//! What each of the inputs changes at fixed surface coordinates.

use super::answer::INPUTS;
use super::stationary::{Problem, Stationary};
use super::surface_point::{ByShape, PARAMETERS};
use super::system::Input;
use nalgebra::Vector3;

/// A column of the derivatives.
#[derive(Clone, Copy)]
pub(super) struct Column {
    /// The body, 0 or 1.
    pub body: usize,
    pub kind: Kind,
    pub input: Input,
    /// The change of the body's own witness point at fixed surface coordinates.
    pub displacement: Vector3<f64>,
}

/// What kind of a number an input is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Velocity,
    AngularVelocity,
    /// A parameter of the shape, by its index in a1 a2 a3 e1 e2 tx ty.
    Shape(usize),
}

impl Kind {
    /// Whether the input is a length.
    pub fn is_length(self) -> bool {
        match self {
            Kind::Velocity => true,
            Kind::AngularVelocity => false,
            Kind::Shape(parameter) => parameter < 3,
        }
    }
}

/// The shape derivatives of both bodies; `None` for what is no superovoid.
pub(super) type Shapes = [Option<ByShape>; 2];

pub(super) fn shapes(problem: &Problem, at: &Stationary) -> Shapes {
    let of = |body: usize| ByShape::new(&problem.shapes[body], &at.points[body].circles);
    [Some(of(0)), problem.feature.is_none().then(|| of(1))]
}

/// All columns, in the order of the inputs.
pub(super) fn columns(problem: &Problem, at: &Stationary, shapes: &Shapes) -> [Column; INPUTS] {
    std::array::from_fn(|j| match j {
        0..12 => pose_column(problem, at, j / 6, j % 6),
        _ => shape_column(
            problem,
            at,
            shapes,
            (j - 12) / PARAMETERS,
            (j - 12) % PARAMETERS,
        ),
    })
}

#[inline]
fn pose_column(problem: &Problem, at: &Stationary, body: usize, k: usize) -> Column {
    let unit = Vector3::ith(k % 3, 1.0);
    let mut input = Input::NONE;
    let (kind, displacement) = if k < 3 {
        (Kind::Velocity, unit)
    } else {
        input.normal[body] = at.tangents.tr_mul(&unit.cross(&at.normal));
        let lever = problem.lever(body, &at.sides[body].x);
        (Kind::AngularVelocity, unit.cross(&lever))
    };
    input.point[body] = at.tangents.tr_mul(&displacement);
    Column {
        body,
        kind,
        input,
        displacement,
    }
}

#[inline]
fn shape_column(
    problem: &Problem,
    at: &Stationary,
    shapes: &Shapes,
    body: usize,
    parameter: usize,
) -> Column {
    let mut input = Input::NONE;
    let mut displacement = Vector3::zeros();
    if let Some(by_shape) = &shapes[body] {
        let rotation = &problem.rotations[body];
        displacement = rotation * by_shape.x[parameter];
        input.point[body] = at.tangents.tr_mul(&displacement);
        let normal = rotation * by_shape.n[parameter] / at.points[body].length;
        let sign = if body == 0 { 1.0 } else { -1.0 };
        input.normal[body] = at.tangents.tr_mul(&normal) * sign;
    }
    Column {
        body,
        kind: Kind::Shape(parameter),
        input,
        displacement,
    }
}

//! Bodies that a person moves, turns and reshapes while a world runs.
//!
//! A body that is kinematic and has no keys is guided: it goes towards a [`Goal`], all of pose and shape by the same share
//! of what is left. In a frame no point of its surface goes farther than n t_f, with n the substeps and t_f the least
//! height that a triangle of any cloth keeps over a body: what touches at the start of a substep cannot be reached before
//! the body has been asked about it again. The way of the surface is bounded by the sum of
//!
//! ```text
//! |Δx| + R θ                                      a move and a turn by θ; R = |a|, with the larger of both semi-axes
//! |Δa|                                            other semi-axes: the point (a₁u₁, a₂u₂, a₃u₃) has |u_i| ≤ 1
//! (2^((|Δe1| + |Δe2|)/2) − 1) R                   other exponents
//! ```
//!
//! The last holds because norms of two numbers satisfy ‖u‖_p' ≤ ‖u‖_p ≤ 2^(1/p − 1/p') ‖u‖_p' for p ≤ p', and 1/p = e/2:
//! the body with either exponents lies in the other one, scaled by 2^(|Δe1|/2 + |Δe2|/2). A share σ of the way has at most
//! the share σ of the bound, which is convex in it.

use crate::cloth::ClothSystem;
use crate::rigid::ContactShape;
use crate::rigid::body::{RigidBody, quaternion};
use crate::scene::{Key, Settings};
use nalgebra::Vector3;
use superovoid::pose::rotation;
use superovoid::{ShapeError, Superovoid};

/// What is left of a way counts as none below this length, metres.
const THERE: f64 = 1e-12;
/// The share of a frame at whose end the way of the frame is made, so that rounding of times leaves nothing of it.
const END: f64 = 1.0 - 1e-9;

/// Where a guided body goes, and what it becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The origin of the shape's frame, metres.
    pub position: [f64; 3],
    /// The orientation, a quaternion `[w, x, y, z]`, which is divided by its length.
    pub orientation: [f64; 4],
    /// The semi-axes, metres.
    pub semi_axes: [f64; 3],
    /// The exponents `[e1, e2]`.
    pub exponents: [f64; 2],
    /// The greatest speed of a point of the surface, m/s; it is lowered to what cloths can follow.
    pub speed: f64,
}

/// A goal that is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GuideError {
    /// The body is none that can be guided.
    #[error("body {0} is no superovoid that is kinematic without keys")]
    Body(usize),
    /// A number is not finite or out of range.
    #[error(
        "{0} must be finite and of at most 1e6 in size, orientations not zero, speeds positive"
    )]
    Number(&'static str),
    /// The shape is refused.
    #[error("{0}")]
    Shape(#[from] ShapeError),
}

/// The numbers of a shape that change.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Form {
    semi_axes: Vector3<f64>,
    exponents: [f64; 2],
    tapers: [f64; 2],
}

impl Form {
    fn between(&self, to: &Form, share: f64) -> Form {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        let e = [0, 1].map(|i| mix(self.exponents[i], to.exponents[i]));
        Form {
            semi_axes: self.semi_axes.zip_map(&to.semi_axes, mix),
            exponents: e,
            tapers: self.tapers,
        }
    }

    fn shape(&self) -> Result<Superovoid, ShapeError> {
        Superovoid::new(self.semi_axes.into(), self.exponents, self.tapers)
    }
}

/// A guided body.
#[derive(Clone, Debug)]
struct Guide {
    body: usize,
    goal: Goal,
    /// The shape at the start of the frame, and at its end.
    from: Form,
    to: Form,
    /// The shape at the start of the substep, that which it was to have at its end, and that which it has.
    last: Form,
    aim: Form,
    now: Form,
    /// A bound of how far the surface changes by the shape in this frame.
    change: f64,
}

/// The guided bodies of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guides(Vec<Guide>);

impl Guides {
    /// Sets the goal of a body.
    pub fn set(
        &mut self,
        body: usize,
        goal: Goal,
        bodies: &[RigidBody],
        guidable: bool,
    ) -> Result<(), GuideError> {
        let shape = match bodies.get(body).map(|body| &body.shape) {
            Some(ContactShape::Superovoid(shape)) if guidable => shape,
            _ => return Err(GuideError::Body(body)),
        };
        check(&goal, shape.tapers())?;
        let form = Form {
            semi_axes: shape.semi_axes().into(),
            exponents: shape.exponents(),
            tapers: shape.tapers(),
        };
        match self.0.iter_mut().find(|guide| guide.body == body) {
            Some(guide) => guide.goal = goal,
            None => self.0.push(Guide {
                body,
                goal,
                from: form,
                to: form,
                last: form,
                aim: form,
                now: form,
                change: 0.0,
            }),
        }
        Ok(())
    }

    /// The semi-axes and exponents of a body that is or was guided.
    pub fn form(&self, body: usize) -> Option<([f64; 3], [f64; 2])> {
        let guide = self.0.iter().find(|guide| guide.body == body)?;
        Some((guide.now.semi_axes.into(), guide.now.exponents))
    }

    /// Plans a frame that starts at `start`; `most` is how far a surface may go in a substep.
    pub fn begin_frame(
        &mut self,
        bodies: &mut [RigidBody],
        start: f64,
        settings: &Settings,
        most: f64,
    ) {
        for guide in &mut self.0 {
            let body = &mut bodies[guide.body];
            (guide.from, guide.to) = (guide.now, guide.now);
            (guide.last, guide.aim) = (guide.now, guide.now);
            (body.shape_before, body.change) = (None, 0.0);
            let end = Form {
                semi_axes: guide.goal.semi_axes.into(),
                exponents: guide.goal.exponents,
                tapers: guide.from.tapers,
            };
            let (x1, q1) = (
                Vector3::from(guide.goal.position),
                quaternion(&guide.goal.orientation),
            );
            let radius = guide.from.semi_axes.sup(&end.semi_axes).norm();
            let moved = (x1 - body.x).norm() + radius * body.q.angle_to(&q1);
            let changed = change(&guide.from, &end, radius);
            if moved + changed < THERE {
                rest(guide, body);
                continue;
            }
            let within =
                (most * f64::from(settings.substeps)).min(guide.goal.speed * settings.frame);
            let share = (within / (moved + changed)).min(1.0);
            guide.to = if share == 1.0 {
                end
            } else {
                guide.from.between(&end, share)
            };
            guide.change = share * changed;
            body.guided = share * (moved + changed) / settings.frame;
            let key = |time: f64, x: Vector3<f64>, q: nalgebra::UnitQuaternion<f64>| Key {
                time,
                position: x.into(),
                orientation: [q.w, q.i, q.j, q.k],
            };
            let q = body.q.try_slerp(&q1, share, 1e-9).unwrap_or(q1);
            let x = if share == 1.0 {
                x1
            } else {
                body.x.lerp(&x1, share)
            };
            body.keys.clear();
            body.keys.push(key(start, body.x, body.q));
            body.keys.push(key(start + END * settings.frame, x, q));
        }
    }

    /// Gives the bodies their shapes in a substep of `substeps`, counted from 0.
    pub fn reshape(
        &mut self,
        substep: u32,
        substeps: u32,
        bodies: &mut [RigidBody],
        cloth: &mut ClothSystem,
    ) {
        let share = f64::from(substep + 1) / f64::from(substeps);
        for guide in self.0.iter_mut().filter(|guide| guide.from != guide.to) {
            let form = if substep + 1 == substeps {
                guide.to
            } else {
                guide.from.between(&guide.to, share)
            };
            let body = &mut bodies[guide.body];
            (guide.last, guide.aim, guide.now) = (guide.now, form, form);
            if let ContactShape::Superovoid(shape) = &body.shape {
                body.shape_before = Some(*shape);
            }
            let radius = guide.last.semi_axes.sup(&form.semi_axes).norm();
            body.change = change(&guide.last, &form, radius);
            give(&form, body);
            cloth.reshaped(guide.body, body);
        }
    }

    /// Gives a body only a share of the change of its shape in this substep.
    pub fn hold_back(&mut self, index: usize, share: f64, body: &mut RigidBody) {
        let of_body = |guide: &&mut Guide| guide.body == index && guide.last != guide.aim;
        if let Some(guide) = self.0.iter_mut().find(of_body) {
            guide.now = guide.last.between(&guide.aim, share);
            give(&guide.now, body);
        }
    }

    /// Ends a frame: what is known of cloths and bodies that have another shape is told so.
    pub fn end_frame(&self, bodies: &[RigidBody], cloth: &mut ClothSystem) {
        for guide in self.0.iter().filter(|guide| guide.from != guide.to) {
            cloth.grown(guide.body, &bodies[guide.body], guide.change);
        }
    }
}

/// A body that is where it should be rests.
fn rest(guide: &mut Guide, body: &mut RigidBody) {
    guide.change = 0.0;
    body.guided = 0.0;
    body.keys.clear();
    (body.v, body.omega) = (Vector3::zeros(), Vector3::zeros());
    (body.u, body.phi) = (Vector3::zeros(), Vector3::zeros());
}

fn give(form: &Form, body: &mut RigidBody) {
    if let Ok(shape) = form.shape() {
        body.size = shape.bounding_sphere().radius;
        body.radius = body.size;
        body.shape = ContactShape::Superovoid(shape);
    }
}

/// The bound of the change of the surface between two shapes that a ball of this radius contains.
fn change(from: &Form, to: &Form, radius: f64) -> f64 {
    let e: f64 = (0..2)
        .map(|i| (from.exponents[i] - to.exponents[i]).abs())
        .sum();
    (from.semi_axes - to.semi_axes).norm() + ((0.5 * e).exp2() - 1.0) * radius
}

fn check(goal: &Goal, tapers: [f64; 2]) -> Result<(), GuideError> {
    let small = |x: &f64| x.abs() <= 1e6;
    if !goal.position.iter().all(small) {
        return Err(GuideError::Number("position"));
    }
    let [w, x, y, z] = goal.orientation;
    if rotation([x, y, z, w]).is_err() {
        return Err(GuideError::Number("orientation"));
    }
    if !(goal.semi_axes.iter().all(small) && goal.semi_axes.iter().all(|a| *a >= 1e-6)) {
        return Err(GuideError::Number("semi_axes"));
    }
    if !(goal.speed > 0.0 && small(&goal.speed)) {
        return Err(GuideError::Number("speed"));
    }
    Superovoid::new(goal.semi_axes, goal.exponents, tapers)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(a: [f64; 3], e: [f64; 2]) -> Form {
        Form {
            semi_axes: a.into(),
            exponents: e,
            tapers: [0.0; 2],
        }
    }

    #[test]
    fn the_bound_of_a_change_holds_in_every_direction() {
        let forms = [
            form([0.3, 0.2, 0.5], [0.1, 1.9]),
            form([0.31, 0.2, 0.48], [0.15, 1.7]),
            form([0.3, 0.2, 0.5], [1.0, 1.0]),
            form([0.1, 0.9, 0.2], [1.0, 0.2]),
        ];
        let mut tight: f64 = 0.0;
        for from in &forms {
            for to in &forms {
                let radius = from.semi_axes.sup(&to.semi_axes).norm();
                let bound = change(from, to, radius);
                let (a, b) = (from.shape().unwrap(), to.shape().unwrap());
                // The Hausdorff distance of convex bodies is the largest difference of their support functions.
                for i in 0..40 {
                    for j in 0..20 {
                        let (u, v) = (0.15708 * f64::from(i), 0.15708 * f64::from(j));
                        let n = Vector3::new(u.cos() * v.sin(), u.sin() * v.sin(), v.cos());
                        let apart = (a.support(&n).value - b.support(&n).value).abs();
                        assert!(apart <= bound + 1e-12, "{from:?} {to:?} {apart} {bound}");
                        tight = tight.max(apart / bound.max(1e-12));
                    }
                }
            }
        }
        assert!(tight > 0.3, "{tight}");
    }
}

//! Joints between two bodies, or a body and the world.
//!
//! The common point is kept by `C = |p_B − p_A|` with the displacements of the substep, as a contact without sign. The
//! orientations are kept by a vector of small angles a, which the turns φ_B − φ_A have to undo:
//!
//! ```text
//! fixed: a = the scaled axis of q_B (q_A r)⁻¹, r the relative orientation at the start
//! hinge: a = axis_A × axis_B; the angle about the axis within its limits, or at the target of a drive
//! ball:  the swing of the axis and the twist about it, each within its limit
//! gimbal: three angles within their ranges, and the common point with them: see [`crate::rigid::gimbal`]
//! Δλ = (−|a| − α̃ λ − γ (…)) / ((1 + γ) w + α̃),   w = âᵀ (I_A⁻¹ + I_B⁻¹) â
//! ```
//!
//! (Müller et al. 2020, sections 3.3 and 3.4, in the displacements of a substep.)

use crate::rigid::block::{self, End};
use crate::rigid::body::{RigidBody, quaternion};
use crate::rigid::gimbal::{self, Ranges, rotation};
use crate::scene::{Drive, Joint, JointKind};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// The most corrections of a gimbal in a pass, and the turn below which no other follows, radians.
const GIMBAL_PASSES: u32 = 2;
const NO_TURN: f64 = 1e-5;

/// A joint with its points and axes fixed to both sides.
pub(crate) struct JointConstraint {
    /// The bodies; the first one is none for the world.
    a: Option<u32>,
    b: u32,
    on_a: Vector3<f64>,
    on_b: Vector3<f64>,
    axis_a: Vector3<f64>,
    axis_b: Vector3<f64>,
    /// A direction across the axis, from which angles about it are counted.
    across_a: Vector3<f64>,
    across_b: Vector3<f64>,
    relative: UnitQuaternion<f64>,
    /// The frames of a gimbal.
    frame_a: UnitQuaternion<f64>,
    frame_b: UnitQuaternion<f64>,
    compliance: f64,
    kind: JointKind,
}

/// One side of a joint in a substep: where it is and what it weighs.
#[derive(Clone, Copy)]
struct Side {
    x: Vector3<f64>,
    q: UnitQuaternion<f64>,
    r: Vector3<f64>,
    inverse_mass: f64,
    inverse_inertia: Matrix3<f64>,
}

impl Side {
    fn of(body: Option<&RigidBody>, local: &Vector3<f64>) -> Side {
        let Some(body) = body else {
            return Side {
                x: Vector3::zeros(),
                q: UnitQuaternion::identity(),
                r: *local,
                inverse_mass: 0.0,
                inverse_inertia: Matrix3::zeros(),
            };
        };
        let q = UnitQuaternion::from_scaled_axis(body.phi) * body.q;
        let movable = body.is_movable();
        Side {
            x: body.x + body.u,
            q,
            r: q * local,
            inverse_mass: if movable { body.inverse_mass } else { 0.0 },
            inverse_inertia: if movable {
                body.inverse_inertia_world
            } else {
                Matrix3::zeros()
            },
        }
    }

    fn end(&self) -> End<'_> {
        End {
            lever: &self.r,
            inverse_mass: self.inverse_mass,
            inverse_inertia: &self.inverse_inertia,
        }
    }

    fn weight(&self, n: &Vector3<f64>) -> f64 {
        let lever = self.r.cross(n);
        self.inverse_mass + lever.dot(&(self.inverse_inertia * lever))
    }
}

impl JointConstraint {
    /// Builds a joint of a validated scene from the bodies at the start.
    pub fn new(joint: &Joint, bodies: &[RigidBody]) -> Self {
        let b = &bodies[joint.child];
        let a = joint.parent.map(|parent| &bodies[parent]);
        let anchor = Vector3::from(joint.anchor);
        let (xa, qa) = a.map_or((Vector3::zeros(), UnitQuaternion::identity()), |a| {
            (a.x, a.q)
        });
        let axis = match joint.kind {
            JointKind::Fixed | JointKind::Gimbal { .. } => Vector3::z(),
            JointKind::Hinge { axis, .. } | JointKind::Ball { axis, .. } => Vector3::from(axis),
        };
        let axis = nalgebra::Unit::new_normalize(axis);
        let across = superovoid::surface::tangents(&axis)[0];
        let (frame, turned) = match &joint.kind {
            JointKind::Gimbal { frame, start, .. } => (quaternion(frame), rotation(*start)),
            _ => (UnitQuaternion::identity(), UnitQuaternion::identity()),
        };
        JointConstraint {
            a: joint.parent.map(|parent| parent as u32),
            b: joint.child as u32,
            on_a: qa.inverse() * (anchor - xa),
            on_b: b.q.inverse() * (anchor - b.x),
            axis_a: qa.inverse() * axis.into_inner(),
            axis_b: b.q.inverse() * axis.into_inner(),
            across_a: qa.inverse() * across,
            across_b: b.q.inverse() * across,
            relative: qa.inverse() * b.q,
            frame_a: qa.inverse() * frame,
            frame_b: b.q.inverse() * frame * turned,
            compliance: joint.compliance,
            kind: joint.kind,
        }
    }

    /// The two bodies, if there are two.
    pub fn link(&self) -> Option<[u32; 2]> {
        self.a.map(|a| [a, self.b])
    }

    fn sides(&self, bodies: &[RigidBody]) -> (Side, Side) {
        let a = self.a.map(|a| &bodies[a as usize]);
        (
            Side::of(a, &self.on_a),
            Side::of(Some(&bodies[self.b as usize]), &self.on_b),
        )
    }

    pub fn is_gimbal(&self) -> bool {
        matches!(self.kind, JointKind::Gimbal { .. })
    }

    /// Corrects the joint once, in a round from 0; those that are no gimbals in the first round alone. Returns by how much a
    /// gimbal was wrong, metres.
    pub fn solve(&mut self, bodies: &mut [RigidBody], h: f64, round: u32) -> f64 {
        if let JointKind::Gimbal {
            ranges, damping, ..
        } = self.kind
        {
            // What is damped or soft would be so again.
            return if round == 0 || self.compliance == 0.0 {
                let damping = if round == 0 { damping } else { 0.0 };
                self.solve_gimbal(bodies, &ranges, damping, h)
            } else {
                0.0
            };
        }
        if round == 0 {
            self.solve_others(bodies, h);
        }
        0.0
    }

    fn solve_others(&mut self, bodies: &mut [RigidBody], h: f64) {
        match self.kind {
            JointKind::Fixed => {
                let (a, b) = self.sides(bodies);
                self.turn(
                    bodies,
                    &(b.q * (a.q * self.relative).inverse()).scaled_axis(),
                    0.0,
                );
            }
            JointKind::Hinge { limits, drive, .. } => {
                let (a, b) = self.sides(bodies);
                // The turn that brings B's axis onto A's.
                self.turn(
                    bodies,
                    &(a.q * self.axis_a).cross(&(b.q * self.axis_b)),
                    0.0,
                );
                if let Some(drive) = drive {
                    self.drive(bodies, &drive, h);
                }
                if let Some([low, high]) = limits {
                    let (a, b) = self.sides(bodies);
                    let axis = a.q * self.axis_a;
                    let angle = about(&axis, &(a.q * self.across_a), &(b.q * self.across_b));
                    self.turn(bodies, &(axis * (angle - angle.clamp(low, high))), 0.0);
                }
            }
            JointKind::Ball { swing, twist, .. } => self.limit_ball(bodies, swing, twist),
            JointKind::Gimbal { .. } => {}
        }
        self.attach(bodies, h);
    }

    fn drive(&self, bodies: &mut [RigidBody], drive: &Drive, h: f64) {
        let (a, b) = self.sides(bodies);
        let axis = a.q * self.axis_a;
        let angle = about(&axis, &(a.q * self.across_a), &(b.q * self.across_b));
        let phi_a = self.a.map_or(Vector3::zeros(), |a| bodies[a as usize].phi);
        let moved = axis.dot(&(bodies[self.b as usize].phi - phi_a));
        let weight = axis.dot(&((a.inverse_inertia + b.inverse_inertia) * axis));
        if weight > 0.0 {
            let gamma = if drive.compliance > 0.0 {
                drive.damping / h
            } else {
                0.0
            };
            let alpha = drive.compliance / (h * h);
            let impulse =
                -((angle - drive.angle) + gamma * moved) / ((1.0 + gamma) * weight + alpha);
            self.apply_turn(bodies, &(axis * impulse));
        }
    }

    fn limit_ball(&self, bodies: &mut [RigidBody], swing: Option<f64>, twist: Option<[f64; 2]>) {
        if let Some(most) = swing {
            let (a, b) = self.sides(bodies);
            let (axis_a, axis_b) = (a.q * self.axis_a, b.q * self.axis_b);
            let across = axis_a.cross(&axis_b);
            let angle = across.norm().atan2(axis_a.dot(&axis_b));
            if angle > most && across.norm() > 1e-12 {
                self.turn(bodies, &(across.normalize() * (angle - most)), 0.0);
            }
        }
        if let Some([low, high]) = twist {
            let (a, b) = self.sides(bodies);
            let (axis_a, axis_b) = (a.q * self.axis_a, b.q * self.axis_b);
            // The directions across, brought into the plane across the mean axis.
            let mean = axis_a + axis_b;
            if mean.norm() > 1e-6 {
                let mean = mean.normalize();
                let flat = |v: Vector3<f64>| v - mean * mean.dot(&v);
                let angle = about(
                    &mean,
                    &flat(a.q * self.across_a),
                    &flat(b.q * self.across_b),
                );
                self.turn(bodies, &(mean * (angle - angle.clamp(low, high))), 0.0);
            }
        }
    }

    /// Corrects a gimbal, and returns by how much it was wrong, metres.
    fn solve_gimbal(&self, bodies: &mut [RigidBody], ranges: &Ranges, damping: f64, h: f64) -> f64 {
        let (a, b) = self.sides(bodies);
        let mobility = a.inverse_inertia + b.inverse_inertia;
        if mobility.trace() <= 0.0 {
            return 0.0;
        }
        if damping > 0.0 {
            let phi_a = self.a.map_or(Vector3::zeros(), |a| bodies[a as usize].phi);
            let turn = bodies[self.b as usize].phi - phi_a;
            if let Some(impulse) = gimbal::resistance(&turn, damping, &mobility, h) {
                self.apply_turn(bodies, &impulse);
            }
        }
        let mut wrong: f64 = 0.0;
        // What brings one angle back may bring another one out.
        for pass in 0..GIMBAL_PASSES {
            let (a, b) = self.sides(bodies);
            let frame = a.q * self.frame_a;
            let relative = frame.inverse() * (b.q * self.frame_b);
            let (turn, torques) = gimbal::correction(&frame, &relative, ranges);
            let apart = (b.x + b.r) - (a.x + a.r);
            if pass == 0 {
                wrong = apart.norm() + turn.norm() * b.r.norm();
            }
            let softness = self.compliance / (h * h);
            let ends = [a.end(), b.end()];
            let Some([push, twist]) = block::impulses(ends, &apart, softness, &torques, &turn)
            else {
                return wrong;
            };
            self.apply_turn(bodies, &twist);
            bodies[self.b as usize].push(&b.r, &push);
            if let Some(index) = self.a {
                bodies[index as usize].push(&a.r, &-push);
            }
            if turn.norm() < NO_TURN {
                return wrong;
            }
        }
        wrong
    }

    /// Undoes a turn of B against A.
    fn turn(&self, bodies: &mut [RigidBody], by: &Vector3<f64>, alpha: f64) {
        let angle = by.norm();
        if angle < 1e-14 {
            return;
        }
        let axis = by / angle;
        let (a, b) = self.sides(bodies);
        let weight = axis.dot(&((a.inverse_inertia + b.inverse_inertia) * axis));
        if weight > 0.0 {
            self.apply_turn(bodies, &(axis * (-angle / (weight + alpha))));
        }
    }

    /// Turns B by an angular impulse (times h), and A by its opposite.
    fn apply_turn(&self, bodies: &mut [RigidBody], impulse: &Vector3<f64>) {
        let mut turn = |index: u32, impulse: Vector3<f64>| {
            let body = &mut bodies[index as usize];
            if body.is_movable() {
                body.phi += body.inverse_inertia_world * impulse;
            }
        };
        turn(self.b, *impulse);
        if let Some(a) = self.a {
            turn(a, -impulse);
        }
    }

    /// Brings the points of both sides together.
    fn attach(&self, bodies: &mut [RigidBody], h: f64) {
        let (a, b) = self.sides(bodies);
        let apart = (b.x + b.r) - (a.x + a.r);
        let length = apart.norm();
        if length < 1e-14 {
            return;
        }
        let n = apart / length;
        let weight = a.weight(&n) + b.weight(&n);
        if weight <= 0.0 {
            return;
        }
        let impulse = n * (-length / (weight + self.compliance / (h * h)));
        bodies[self.b as usize].push(&b.r, &impulse);
        if let Some(index) = self.a {
            bodies[index as usize].push(&a.r, &-impulse);
        }
    }
}

/// The angle about an axis from one direction to another, in (−π, π].
fn about(axis: &Vector3<f64>, from: &Vector3<f64>, to: &Vector3<f64>) -> f64 {
    from.cross(to).dot(axis).atan2(from.dot(to))
}

//! Contact of rigid bodies in a substep: positions with friction, then velocities with restitution.
//!
//! With the displacements u(r) = u + φ × r of both bodies since the start of the substep, the impulse P = λ n + G of a
//! point (times h) starts from that of the last substep and is corrected in every sweep:
//!
//! ```text
//! C = gap + n·(u_B − u_A) − target ≥ 0,      λ ← max(λ − C/w, 0)
//! friction: G ← G − t/w_t, t the tangential part of u_B − u_A; |G| ≤ μ λ (static), beyond it |G| = μ λ (kinetic)
//! rolling:  R ← R − θ/w_θ, θ = φ_B − φ_A, w_θ = nᵀ(I_A⁻¹ + I_B⁻¹)n along n = θ/|θ|; |R| ≤ ρ λ, a torque on B
//! target = skin where the gap is larger, the gap itself down to half the skin, and below that
//!          gap + min((skin/2 − gap)/5, h · push-out speed): what starts inside is pushed out slowly
//! ```
//!
//! What rests so has no displacement, however many bodies lie on each other: the loads are known from the substep before.
//! The load that is taken over is at most that of the last two substeps, so that a blow is not struck twice.
//!
//! Afterwards the normal velocity of a point that pressed is set to −e times that before the substep, or to 0 if that
//! was below 2 |g| h: neither rest nor what pushed out of an overlap gains energy.

use crate::rigid::body::RigidBody;
use crate::rigid::pair::{Pair, Point};
use crate::rigid::surface_material::SurfaceMaterial;
use nalgebra::Vector3;

/// Takes the points of a pair at the start of a substep, before the velocities change.
pub(crate) fn prepare(pair: &mut Pair, bodies: &[RigidBody], skin: f64, push_out: f64) {
    let (a, b) = (&bodies[pair.a as usize], &bodies[pair.b as usize]);
    for point in pair.active() {
        point.ra = a.rotation * point.on_a;
        point.rb = b.rotation * point.on_b;
        point.gap = point.normal.dot(&((b.x + point.rb) - (a.x + point.ra)));
        let below = (0.2 * (0.5 * skin - point.gap)).clamp(0.0, push_out);
        point.target = if point.gap < skin {
            point.gap + below
        } else {
            skin
        };
        point.weight = a.weight(&point.ra, &point.normal) + b.weight(&point.rb, &point.normal);
        point.approach = point
            .normal
            .dot(&(b.velocity(&point.rb) - a.velocity(&point.ra)));
        let load = point.lambda.min(point.lambda_before);
        let share = if load > 0.0 { load / point.lambda } else { 0.0 };
        (point.grip, point.roll) = (point.grip * share, point.roll * share);
        (point.lambda_before, point.lambda) = (point.lambda, load);
        point.kick = 0.0;
    }
}

/// Starts from the impulses of the last substep.
pub(crate) fn warm_start(pair: &Pair, bodies: &mut [RigidBody]) {
    let Ok([a, b]) = bodies.get_disjoint_mut([pair.a as usize, pair.b as usize]) else {
        return;
    };
    for point in &pair.points[..pair.count] {
        if point.lambda > 0.0 {
            let impulse = point.normal * point.lambda + point.grip;
            a.push(&point.ra, &-impulse);
            b.push(&point.rb, &impulse);
            a.turn(&-point.roll);
            b.turn(&point.roll);
        }
    }
}

/// Corrects the displacements of a pair, and returns the largest correction of a point, metres.
pub(crate) fn solve_positions(pair: &mut Pair, bodies: &mut [RigidBody]) -> f64 {
    let mut largest: f64 = 0.0;
    let surface = pair.surface;
    let Ok([a, b]) = bodies.get_disjoint_mut([pair.a as usize, pair.b as usize]) else {
        return largest;
    };
    for point in &mut pair.points[..pair.count] {
        if point.weight == 0.0 {
            continue;
        }
        let apart = b.displacement(&point.rb) - a.displacement(&point.ra);
        let error = point.gap + point.normal.dot(&apart) - point.target;
        let lambda = (point.lambda - error / point.weight).max(0.0);
        if lambda == 0.0 && point.lambda == 0.0 {
            continue;
        }
        let impulse = point.normal * (lambda - point.lambda);
        largest = largest.max((lambda - point.lambda).abs() * point.weight);
        point.lambda = lambda;
        a.push(&point.ra, &-impulse);
        b.push(&point.rb, &impulse);
        let grip = hold(point, a, b, &surface);
        let impulse = grip - point.grip;
        largest = largest.max(impulse.norm() * point.weight);
        point.grip = grip;
        a.push(&point.ra, &-impulse);
        b.push(&point.rb, &impulse);
        if surface.rolling_friction > 0.0 {
            let roll = resist(point, a, b, &surface);
            let torque = roll - point.roll;
            point.roll = roll;
            a.turn(&-torque);
            b.turn(&torque);
        }
    }
    pair.touching |= pair.points[..pair.count]
        .iter()
        .any(|point| point.lambda > 0.0);
    largest
}

/// The friction that undoes the slip of the substep, within what the load allows.
fn hold(point: &Point, a: &RigidBody, b: &RigidBody, surface: &SurfaceMaterial) -> Vector3<f64> {
    let apart = b.displacement(&point.rb) - a.displacement(&point.ra);
    let slip = apart - point.normal * point.normal.dot(&apart);
    let length = slip.norm();
    let mut grip = point.grip;
    if length > 1e-15 {
        let along = slip / length;
        let weight = a.weight(&point.ra, &along) + b.weight(&point.rb, &along);
        grip -= along * (length / weight);
    }
    let force = grip.norm();
    if force > surface.static_friction * point.lambda {
        grip *= surface.kinetic_friction * point.lambda / force;
    }
    grip
}

/// The torque that undoes the turn of the substep, within what the load allows.
fn resist(point: &Point, a: &RigidBody, b: &RigidBody, surface: &SurfaceMaterial) -> Vector3<f64> {
    let turn = b.phi - a.phi;
    let angle = turn.norm();
    let mut roll = point.roll;
    if angle > 1e-15 {
        let axis = turn / angle;
        roll -= axis * (angle / (a.turning_weight(&axis) + b.turning_weight(&axis)));
    }
    let (torque, most) = (roll.norm(), surface.rolling_friction * point.lambda);
    if torque > most {
        roll *= most / torque;
    }
    roll
}

/// Sets the normal velocities of points that pressed. `slow` is the speed below which nothing bounces.
pub(crate) fn solve_velocities(pair: &mut Pair, bodies: &mut [RigidBody], slow: f64) {
    let Ok([a, b]) = bodies.get_disjoint_mut([pair.a as usize, pair.b as usize]) else {
        return;
    };
    for point in &mut pair.points[..pair.count] {
        if point.lambda == 0.0 {
            continue;
        }
        let speed = point
            .normal
            .dot(&(b.velocity(&point.rb) - a.velocity(&point.ra)));
        let bounce = if point.approach < -slow {
            -pair.surface.restitution * point.approach
        } else {
            0.0
        };
        let impulse = (bounce - speed) / point.weight;
        point.kick += impulse;
        a.kick(&point.ra, &(point.normal * -impulse));
        b.kick(&point.rb, &(point.normal * impulse));
    }
}

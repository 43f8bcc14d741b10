//! Contact of rigid bodies in a substep: positions with friction, then velocities with restitution.
//!
//! With the displacements u(r) = u + φ × r of both bodies since the start of the substep,
//!
//! ```text
//! C = gap + n·(u_B − u_A) − target ≥ 0,      Δλ = −C/w where C < 0
//! friction: the tangential part t of u_B − u_A is undone by |t|/w_t, up to μ λ (static), at the bound with kinetic μ
//! target = min(skin, gap + h · push-out speed), so that what starts inside is pushed out at a bounded speed
//! ```
//!
//! Afterwards the normal velocity of a point that pressed is set to −e times that before the substep, or to 0 if that
//! was below 2 |g| h: neither rest nor what pushed out of an overlap gains energy.

use crate::rigid::body::RigidBody;
use crate::rigid::pair::Pair;

/// What the surfaces of a pair are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub static_friction: f64,
    pub kinetic_friction: f64,
    pub restitution: f64,
}

/// Takes the points of a pair at the start of a substep, before the velocities change.
pub(crate) fn prepare(pair: &mut Pair, bodies: &[RigidBody], skin: f64, push_out: f64) {
    let (a, b) = (&bodies[pair.a as usize], &bodies[pair.b as usize]);
    for point in pair.active() {
        point.ra = a.rotation * point.on_a;
        point.rb = b.rotation * point.on_b;
        point.gap = point.normal.dot(&((b.x + point.rb) - (a.x + point.ra)));
        point.target = skin.min(point.gap + push_out);
        point.weight = a.weight(&point.ra, &point.normal) + b.weight(&point.rb, &point.normal);
        point.approach = point
            .normal
            .dot(&(b.velocity(&point.rb) - a.velocity(&point.ra)));
        (point.lambda, point.lambda_t) = (0.0, 0.0);
    }
}

/// Corrects the displacements of a pair.
pub(crate) fn solve_positions(pair: &mut Pair, bodies: &mut [RigidBody], surface: &Surface) {
    let Ok([a, b]) = bodies.get_disjoint_mut([pair.a as usize, pair.b as usize]) else {
        return;
    };
    for point in &mut pair.points[..pair.count] {
        let apart = b.displacement(&point.rb) - a.displacement(&point.ra);
        let error = point.gap + point.normal.dot(&apart) - point.target;
        if error >= 0.0 || point.weight == 0.0 {
            continue;
        }
        let impulse = -error / point.weight;
        point.lambda += impulse;
        a.push(&point.ra, &(point.normal * -impulse));
        b.push(&point.rb, &(point.normal * impulse));
        let apart = b.displacement(&point.rb) - a.displacement(&point.ra);
        let slip = apart - point.normal * point.normal.dot(&apart);
        let length = slip.norm();
        if length <= 1e-15 {
            continue;
        }
        let along = slip / length;
        let weight = a.weight(&point.ra, &along) + b.weight(&point.rb, &along);
        let holding = length / weight;
        let friction = if point.lambda_t + holding <= surface.static_friction * point.lambda {
            holding
        } else {
            holding.min((surface.kinetic_friction * point.lambda - point.lambda_t).max(0.0))
        };
        point.lambda_t += friction;
        a.push(&point.ra, &(along * friction));
        b.push(&point.rb, &(along * -friction));
    }
    pair.touching |= pair.points[..pair.count]
        .iter()
        .any(|point| point.lambda > 0.0);
}

/// Sets the normal velocities of points that pressed. `slow` is the speed below which nothing bounces.
pub(crate) fn solve_velocities(
    pair: &Pair,
    bodies: &mut [RigidBody],
    surface: &Surface,
    slow: f64,
) {
    let Ok([a, b]) = bodies.get_disjoint_mut([pair.a as usize, pair.b as usize]) else {
        return;
    };
    for point in &pair.points[..pair.count] {
        if point.lambda == 0.0 {
            continue;
        }
        let speed = point
            .normal
            .dot(&(b.velocity(&point.rb) - a.velocity(&point.ra)));
        let bounce = if point.approach < -slow {
            -surface.restitution * point.approach
        } else {
            0.0
        };
        let impulse = (bounce - speed) / point.weight;
        a.kick(&point.ra, &(point.normal * -impulse));
        b.kick(&point.rb, &(point.normal * impulse));
    }
}

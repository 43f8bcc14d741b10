//! What is told of the contacts of a pair in a frame: the sum of their impulses over the substeps.
//!
//! The points of a pair may be renewed in any substep. A new point that takes the load of an old one is the same contact,
//! and the first of several that do. What is told never acts on what moves.

use crate::contacts::ContactPoint;
use crate::rigid::RigidBody;
use crate::rigid::manifold::MOST_POINTS;
use nalgebra::Vector3;

/// A contact and its impulses in the frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    /// The points in the frames of the bodies, about their centres of mass, and the normal from A to B, of the last substep
    /// in which it pressed.
    pub on_a: Vector3<f64>,
    pub on_b: Vector3<f64>,
    pub normal: Vector3<f64>,
    /// The impulse and the angular impulse on B, N·s and N·m·s.
    pub impulse: Vector3<f64>,
    pub angular: Vector3<f64>,
}

impl Told {
    /// The contact at the poses of the bodies a and b.
    pub fn contact(&self, bodies: &[RigidBody], [a, b]: [u32; 2]) -> ContactPoint {
        let at = |k: u32, on: &Vector3<f64>| {
            let body = &bodies[k as usize];
            body.x + body.rotation * on
        };
        let (point_a, point_b) = (at(a, &self.on_a), at(b, &self.on_b));
        ContactPoint {
            bodies: [a as usize, b as usize],
            point_a: point_a.into(),
            point_b: point_b.into(),
            normal: self.normal.into(),
            distance: self.normal.dot(&(point_b - point_a)),
            impulse: self.impulse.into(),
            angular_impulse: self.angular.into(),
        }
    }
}

/// The contacts of a pair in a frame.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tale {
    told: [Told; MOST_POINTS],
    count: usize,
}

impl Tale {
    /// Forgets everything, at the start of a frame.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn as_slice(&self) -> &[Told] {
        &self.told[..self.count]
    }

    /// Adds what a point pressed with in a substep to its place, or to a new one, and returns the place.
    pub fn add(&mut self, place: Option<u8>, more: &Told) -> u8 {
        let k = match place {
            Some(k) => usize::from(k),
            None => self.place(&more.on_a),
        };
        let Told {
            impulse, angular, ..
        } = self.told[k];
        self.told[k] = Told {
            impulse: impulse + more.impulse,
            angular: angular + more.angular,
            ..*more
        };
        k as u8
    }

    /// Returns a place for a point that is not told yet: a new one, or if there is no room that of the nearest contact.
    fn place(&mut self, on_a: &Vector3<f64>) -> usize {
        if self.count < MOST_POINTS {
            self.told[self.count] = Told::default();
            self.count += 1;
            return self.count - 1;
        }
        let distance = |k: &usize| (self.told[*k].on_a - on_a).norm_squared();
        let nearest = (0..self.count).min_by(|j, k| distance(j).total_cmp(&distance(k)));
        nearest.unwrap_or_default()
    }
}

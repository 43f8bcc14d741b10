//! The bodies of an edge query, and what it asks about their pairs.

use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::{Contact, HalfSpace};

/// A body on a link, or a fixed one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeBody {
    /// The link that carries it; `None` for an obstacle.
    pub link: Option<usize>,
    /// The pose in the frame of the link, or in the world.
    pub pose: Isometry3<f64>,
    /// The volume that encloses it.
    pub bound: Bound,
    /// A box that encloses it too.
    pub own_box: OwnBox,
}

/// A box in the frame of a body: its middle, and half its edges, which may be infinite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnBox {
    pub centre: Point3<f64>,
    pub half: Vector3<f64>,
}

impl OwnBox {
    /// The box that says nothing.
    pub const ALL: OwnBox = OwnBox {
        centre: Point3::new(0.0, 0.0, 0.0),
        half: Vector3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    };

    /// Returns the distance of a point in the frame of the body; 0 within the box.
    pub fn distance(&self, point: &Point3<f64>) -> f64 {
        let from = (point - self.centre).abs() - self.half;
        from.map(|along| along.max(0.0)).norm()
    }
}

/// A volume that encloses a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    /// A sphere, its centre in the frame of the body.
    Sphere { centre: Point3<f64>, radius: f64 },
    /// The half-space itself, in the world; only obstacles are half-spaces.
    HalfSpace(HalfSpace),
}

/// The contact of a pair, and the part of body B that it is with if that is a mesh or a set of boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairContact {
    pub contact: Contact,
    pub part: Option<u32>,
}

/// The pairs of bodies that an edge query compares.
pub(crate) trait EdgePairs {
    type Error;

    /// Returns the contact of the bodies of a pair (by its index) at their poses; `None` if they are proven to be
    /// farther apart than a distance. The pair must keep the distance `keep`, which is no greater: of bodies that are far
    /// enough beyond that the contact may be one of bodies that hold them, with an upper bound of infinity.
    fn contact(
        &mut self,
        pair: usize,
        poses: [&Isometry3<f64>; 2],
        keep: f64,
        max_distance: f64,
    ) -> Result<Option<PairContact>, Self::Error>;

    /// Returns the distance (metres) that a pair must keep in addition to the minimum separation.
    fn padding(&self, _pair: usize) -> f64 {
        0.0
    }

    /// Returns an upper bound of `m · x` over the points x of a body, which has its `pose`, exact where it can be;
    /// `None` for bodies that no plane separates from others, such as meshes.
    fn support(&self, body: usize, pose: &Isometry3<f64>, m: &Vector3<f64>) -> Option<f64>;
}

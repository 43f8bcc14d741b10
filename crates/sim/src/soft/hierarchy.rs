//! A bounding-volume hierarchy over the triangles of a surface, that of parry3d: built once, refitted whenever the surface
//! moves.

use crate::soft::ray::InwardRay;
use crate::soft::surface::Surface;
use nalgebra::Vector3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, TraversalAction};
use std::cell::RefCell;

/// The hierarchy of a surface.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy(Bvh);

fn from(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

/// The box of a triangle.
fn boxed(surface: &Surface, x: &[Vector3<f64>], triangle: u32) -> Aabb {
    let [a, b, c] = surface.corners(triangle, x);
    let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
    Aabb::new(
        Vector::new(low.x, low.y, low.z),
        Vector::new(high.x, high.y, high.z),
    )
}

impl Hierarchy {
    /// Builds the hierarchy of a surface with vertices at x.
    ///
    /// # Panics
    /// It panics if there are fewer positions than the surface has vertices.
    pub fn new(surface: &Surface, x: &[Vector3<f64>]) -> Self {
        let triangles = 0..surface.triangles().len() as u32;
        let boxes: Vec<Aabb> = triangles.map(|t| boxed(surface, x, t)).collect();
        Hierarchy(Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes))
    }

    /// Makes the boxes again for vertices at x.
    ///
    /// # Panics
    /// It panics if the surface is not the one of which the hierarchy was built, or if positions lack.
    pub fn refit(&mut self, surface: &Surface, x: &[Vector3<f64>]) {
        for t in 0..surface.triangles().len() as u32 {
            let new = boxed(surface, x, t);
            self.0.insert_or_update_partially(new, t, 0.0);
        }
        self.0.refit_without_opt();
    }

    /// The box of the whole surface; one that nothing meets if there is no triangle.
    pub fn bounds(&self) -> [Vector3<f64>; 2] {
        let bounds = self.0.root_aabb();
        [from(bounds.mins), from(bounds.maxs)]
    }

    /// Calls `meet` with every triangle whose box the ray meets before the limit, and with the limit; it returns the
    /// limit from there on.
    #[inline]
    pub fn along(&self, ray: &InwardRay, limit: f64, meet: impl FnMut(u32, f64) -> f64) {
        let meet = RefCell::new(meet);
        self.0.find_best(
            limit,
            |node, limit| {
                let enters = ray.enters(&from(node.mins()), &from(node.maxs()), limit);
                enters.unwrap_or(f64::MAX)
            },
            |triangle, limit| Some((meet.borrow_mut())(triangle, limit)),
        );
    }

    /// Calls `found` with every triangle whose box meets a box.
    pub fn within(&self, low: &Vector3<f64>, high: &Vector3<f64>, mut found: impl FnMut(u32)) {
        self.0.traverse(|node| {
            let (mins, maxs) = (node.mins(), node.maxs());
            if (0..3).any(|k| mins[k] > high[k] || maxs[k] < low[k]) {
                return TraversalAction::Prune;
            }
            node.leaf_data().into_iter().for_each(&mut found);
            TraversalAction::Continue
        });
    }
}

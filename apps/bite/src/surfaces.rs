//! Two meshes as triangles only, as FCL took them for the paper: a distance apart, 0 where the surfaces cross.
//!
//! Both hierarchies of boxes are descended together; a pair of boxes that is no nearer than the best triangles so far is
//! left out, by its axes or along the normal of the best, and the first pair of triangles that crosses ends the search.

use crate::BiteError;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::PointQuery;
use std::cell::Cell;
use superovoid::bvh::{PolytopeTree, TriMesh};
use superovoid::convex::convex_contact;
use superovoid::internals::Hierarchy;
use superovoid::{Outcome, QueryOptions};

/// The least distance of two surfaces and the triangles that have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestTriangles {
    /// The distance, metres; 0 where the surfaces cross.
    pub distance: f64,
    /// The indices of the triangles of both; `None` where a vertex that was tried first is as near as any triangle.
    pub triangles: Option<[u32; 2]>,
}

/// A triangle mesh behind a bounding-volume hierarchy.
pub struct Surfaces {
    tree: TriMesh,
    points: parry3d_f64::shape::TriMesh,
}

impl Surfaces {
    /// Makes it from vertices (metres) and triangles; `None` without triangles, or for vertices that are not finite.
    pub fn new(vertices: &[Point3<f64>], triangles: &[[u32; 3]]) -> Option<Self> {
        let tree = TriMesh::new(vertices.to_vec(), triangles.to_vec()).ok()?;
        let vertices = vertices.iter().map(vector).collect();
        let points = parry3d_f64::shape::TriMesh::new(vertices, triangles.to_vec()).ok()?;
        Some(Surfaces { tree, points })
    }

    /// Returns the distance (metres) of this surface from another one that moved by a pose, 0 where they cross.
    ///
    /// # Errors
    /// A pose that is not one, or a distance that exceeds the number range.
    pub fn distance(&self, other: &Surfaces, pose: &Isometry3<f64>) -> Result<f64, BiteError> {
        Ok(self.nearest(other, pose, None)?.distance)
    }

    /// Returns the same with the triangles that have it. Those of a pose nearby, as a hint, save most of the search:
    /// the answer does not depend on it, but which of equally near triangles are returned may. A hint without such
    /// triangles is ignored.
    ///
    /// # Errors
    /// A pose that is not one, or a distance that exceeds the number range.
    pub fn nearest(
        &self,
        other: &Surfaces,
        pose: &Isometry3<f64>,
        hint: Option<[u32; 2]>,
    ) -> Result<NearestTriangles, BiteError> {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        let spread = turn.abs();
        let at = |surface: &Surfaces, k: u32| {
            let corners = surface.tree.triangles()[k as usize];
            corners.map(|corner| surface.tree.vertices()[corner as usize])
        };
        let has = |surface: &Surfaces, k: u32| (k as usize) < surface.tree.triangles().len();
        let hint = hint.filter(|&[i, j]| has(self, i) && has(other, j));
        let best = Cell::new(NearestTriangles {
            distance: match hint {
                Some(_) => f64::INFINITY,
                None => self.distance_of_some_vertices(other, pose),
            },
            triangles: None,
        });
        // A direction along which both may be far apart although their boxes are near: the normal of the best pair so far.
        let along = Cell::new(Vector3::<f64>::zeros());
        let near = |a: &BvhNode, b: &BvhNode| {
            let least = best.get().distance;
            let (low, high) = (corner(b.mins()), corner(b.maxs()));
            let middle = turn * (0.5 * (low + high)) + pose.translation.vector;
            let half = spread * (0.5 * (high - low));
            let below = (middle - half) - corner(a.maxs());
            let above = corner(a.mins()) - (middle + half);
            let gap = below.sup(&above).sup(&Vector3::zeros());
            let n = along.get();
            let in_b = turn.tr_mul(&n).abs();
            let half_a = 0.5 * (corner(a.maxs()) - corner(a.mins()));
            let between = middle - corner(a.mins()) - half_a;
            let parted = n.dot(&between) - n.abs().dot(&half_a) - in_b.dot(&(0.5 * (high - low)));
            least > 0.0 && gap.norm().max(parted) < least
        };
        let ask = |i: u32, j: u32| -> Result<(), BiteError> {
            let least = best.get().distance;
            let n = along.get();
            let low = at(other, j).map(|x| n.dot(&(pose * x).coords));
            let high = at(self, i).map(|x| n.dot(&x.coords));
            let parted = low.into_iter().fold(f64::INFINITY, f64::min)
                - high.into_iter().fold(f64::NEG_INFINITY, f64::max);
            if parted >= least {
                return Ok(());
            }
            let (a, b) = (self.tree.convex_part(i), other.tree.convex_part(j));
            let options = QueryOptions::default().with_max_distance(least);
            let contact = convex_contact(&a, &Isometry3::identity(), &b, pose, &options)?;
            if contact.outcome != Outcome::Beyond && contact.distance < least {
                best.set(NearestTriangles {
                    distance: contact.distance.max(0.0),
                    triangles: Some([i, j]),
                });
                along.set(contact.normal.into_inner());
            }
            Ok(())
        };
        if let Some([i, j]) = hint {
            ask(i, j)?;
        }
        for (i, j) in self.tree.bvh().leaf_pairs(other.tree.bvh(), near) {
            ask(i, j)?;
        }
        Ok(best.get())
    }

    /// The least distance of some vertices of the other surface: an upper bound, from which pairs of boxes are compared.
    fn distance_of_some_vertices(&self, other: &Surfaces, pose: &Isometry3<f64>) -> f64 {
        const SOME: usize = 500;
        let vertices = other.tree.vertices();
        let some = vertices.iter().step_by(vertices.len().div_ceil(SOME));
        some.map(|v| self.point_distance(&(pose * v)))
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the distance (metres) of a point from the surface.
    pub fn point_distance(&self, point: &Point3<f64>) -> f64 {
        let point = vector(point);
        let nearest = self.points.project_local_point(point, false).point;
        (point - nearest).length()
    }
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn corner(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

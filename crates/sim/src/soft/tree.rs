//! What finds the triangles along a ray: the refitted hierarchy, or the octree as published.

use crate::scene::RayTree;
use crate::soft::hierarchy::Hierarchy;
use crate::soft::octree::Octree;
use crate::soft::ray::{InwardRay, TriangleHit};
use crate::soft::surface::Surface;
use nalgebra::Vector3;
use std::cmp::Ordering;

/// The trees of a surface: the hierarchy always, as it gives the box and what is near, and the octree where it is asked
/// for.
#[derive(Clone, Debug)]
pub struct Trees {
    pub(crate) hierarchy: Hierarchy,
    octree: Option<Octree>,
}

/// A hit on a triangle of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// The index of the triangle.
    pub triangle: u32,
    /// Where, and whether the ray leaves.
    pub hit: TriangleHit,
}

impl SurfaceHit {
    /// The order of hits along a ray: by place, entering before leaving, and by triangle.
    fn order(&self, other: &SurfaceHit) -> Ordering {
        let place = self.hit.s.total_cmp(&other.hit.s);
        place
            .then(self.hit.leaves.cmp(&other.hit.leaves))
            .then(self.triangle.cmp(&other.triangle))
    }
}

impl Trees {
    /// Builds the trees of a surface with vertices at x.
    ///
    /// # Panics
    /// It panics if there are fewer positions than the surface has vertices.
    pub fn new(surface: &Surface, x: &[Vector3<f64>], tree: RayTree) -> Self {
        let mut trees = Trees {
            hierarchy: Hierarchy::new(surface, x),
            octree: (tree == RayTree::Octree).then(Octree::default),
        };
        trees.update(surface, x);
        trees
    }

    /// Makes them those of vertices at x.
    ///
    /// # Panics
    /// It panics if the surface is not the one of which the trees were built, or if positions lack.
    pub fn update(&mut self, surface: &Surface, x: &[Vector3<f64>]) {
        self.hierarchy.refit(surface, x);
        if let Some(octree) = &mut self.octree {
            octree.rebuild(surface, x);
        }
    }

    fn along(&self, ray: &InwardRay, limit: f64, meet: impl FnMut(u32, f64) -> f64) {
        match &self.octree {
            Some(octree) => octree.along(ray, limit, meet),
            None => self.hierarchy.along(ray, limit, meet),
        }
    }

    /// Returns the first hit up to the limit on a triangle that is not left out. Of two at the same place, which is an edge
    /// or a vertex, the one where the ray enters counts, and else that of the lower index: a ray that grazes an edge from
    /// outside does not leave.
    ///
    /// # Panics
    /// It panics if the surface is not the one of which the trees were built, or if positions lack.
    pub fn first(
        &self,
        (surface, x): (&Surface, &[Vector3<f64>]),
        ray: &InwardRay,
        limit: f64,
        leave_out: &[u32],
    ) -> Option<SurfaceHit> {
        let mut best: Option<SurfaceHit> = None;
        self.along(ray, limit, |triangle, limit| {
            if leave_out.contains(&triangle) {
                return limit;
            }
            let Some(hit) = ray.triangle(surface.corners(triangle, x)) else {
                return limit;
            };
            let new = SurfaceHit { triangle, hit };
            if hit.s <= limit && best.is_none_or(|best| new.order(&best).is_lt()) {
                best = Some(new);
                return hit.s;
            }
            limit
        });
        best
    }

    /// Puts all hits on triangles that are not left out into `hits`, in the order of the ray. Those of neighbours at the
    /// same place, an edge or a vertex on the ray, count once.
    ///
    /// # Panics
    /// It panics if the surface is not the one of which the trees were built, or if positions lack.
    pub fn all(
        &self,
        (surface, x): (&Surface, &[Vector3<f64>]),
        ray: &InwardRay,
        leave_out: &[u32],
        hits: &mut Vec<SurfaceHit>,
    ) {
        hits.clear();
        self.along(ray, f64::INFINITY, |triangle, limit| {
            let known = || hits.iter().any(|hit| hit.triangle == triangle);
            if !leave_out.contains(&triangle)
                && let Some(hit) = ray.triangle(surface.corners(triangle, x))
                && !known()
            {
                hits.push(SurfaceHit { triangle, hit });
            }
            limit
        });
        hits.sort_unstable_by(|a, b| {
            a.hit
                .s
                .total_cmp(&b.hit.s)
                .then(a.triangle.cmp(&b.triangle))
        });
        let shared = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|t| surface.triangles()[t as usize]);
            a.iter().any(|v| b.contains(v))
        };
        hits.dedup_by(|next, before| {
            next.hit.leaves == before.hit.leaves
                && next.hit.s - before.hit.s <= 1e-12 * next.hit.s
                && shared(next.triangle, before.triangle)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;
    use crate::soft::mesh::{ball, torus};

    /// The nearest hit of all triangles.
    fn brute(surface: &Surface, x: &[Vector3<f64>], ray: &InwardRay) -> Option<SurfaceHit> {
        let hits = (0..surface.triangles().len() as u32).filter_map(|triangle| {
            let hit = ray.triangle(surface.corners(triangle, x))?;
            Some(SurfaceHit { triangle, hit })
        });
        // At one place what is entered comes first.
        hits.min_by(|a, b| {
            let key = |hit: &SurfaceHit| (u8::from(hit.hit.leaves), hit.triangle);
            a.hit.s.total_cmp(&b.hit.s).then(key(a).cmp(&key(b)))
        })
    }

    #[test]
    fn hierarchy_and_octree_find_the_hits_of_brute_force() {
        let mut random = Random::new(11);
        let (mut met, mut missed) = (0, 0);
        for mesh in [torus(0.1, 0.03, [24, 12]), ball(0.1, 2, 1)] {
            let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
            let mut x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
            let mut trees =
                [RayTree::Hierarchy, RayTree::Octree].map(|tree| Trees::new(&surface, &x, tree));
            // The surface moves after the trees were built.
            for v in &mut x {
                *v += Vector3::new(0.02 * (40.0 * v.y).sin(), 0.3 * v.x, -0.5 * v.z * v.x);
            }
            trees.iter_mut().for_each(|tree| tree.update(&surface, &x));
            for ray in 0..3000 {
                let mut vector =
                    |size: f64| Vector3::from([0; 3].map(|_| random.within(-size, size)));
                let (mut origin, mut direction) = (vector(0.16), vector(1.0));
                match ray % 4 {
                    // Along an axis, and from a vertex.
                    0 => {
                        direction = Vector3::ith(ray / 4 % 3, if ray % 8 == 0 { 1.0 } else { -1.0 })
                    }
                    1 => {
                        origin = x[ray % surface.triangles().len() / 2];
                        if ray % 3 == 0 {
                            direction = Vector3::ith(ray % 9 / 3, -1.0);
                        }
                    }
                    _ => {}
                }
                let ray = InwardRay::new(origin, direction).unwrap();
                let expected = brute(&surface, &x, &ray);
                for tree in &trees {
                    assert_eq!(
                        tree.first((&surface, &x), &ray, f64::INFINITY, &[]),
                        expected
                    );
                }
                let mut hits = [Vec::new(), Vec::new()];
                for (tree, hits) in trees.iter().zip(&mut hits) {
                    tree.all((&surface, &x), &ray, &[], hits);
                }
                assert_eq!(hits[0], hits[1]);
                *(if expected.is_some() {
                    &mut met
                } else {
                    &mut missed
                }) += 1;
            }
        }
        assert!(met > 1000 && missed > 500, "{met} {missed}");
    }

    /// Two triangles of an octahedron meet in each edge of its waist; a ray straight down past such an edge, from outside,
    /// meets the upper one from outside and the lower one from inside, at once.
    #[test]
    fn a_ray_that_grazes_an_edge_from_outside_enters() {
        let vertices = [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ];
        let mut triangles = Vec::new();
        for k in 0..4 {
            // The lower one, which is left, comes first.
            triangles.push([(k + 1) % 4, k, 5]);
            triangles.push([k, (k + 1) % 4, 4]);
        }
        let surface = Surface::new(&vertices, &triangles).unwrap();
        let x: Vec<Vector3<f64>> = vertices.iter().map(|&v| v.into()).collect();
        for tree in [RayTree::Hierarchy, RayTree::Octree] {
            let trees = Trees::new(&surface, &x, tree);
            for (place, sign) in [(0.5, 1.0), (0.25, 1.0), (0.75, -1.0), (0.0, 1.0)] {
                let origin = Vector3::new(place, 1.0 - place, 2.0 * sign);
                let ray = InwardRay::new(origin, -sign * Vector3::z()).unwrap();
                let met = trees.first((&surface, &x), &ray, f64::INFINITY, &[]);
                let met = met.expect("the edge is hit");
                assert_eq!((met.hit.s, met.hit.leaves), (2.0, false));
            }
        }
    }

    #[test]
    fn a_triangle_lies_in_at_most_eight_cells() {
        for mesh in [torus(0.1, 0.03, [40, 20]), torus(1.0, 0.01, [60, 5])] {
            let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
            let x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
            let mut octree = Octree::default();
            octree.rebuild(&surface, &x);
            let most = octree.most_cells_of_a_triangle();
            assert!((2..=8).contains(&most), "{most}");
        }
    }

    #[test]
    fn the_hits_through_a_closed_surface_leave_as_often_as_they_enter_from_outside() {
        let mesh = torus(0.1, 0.03, [24, 12]);
        let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
        let x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
        let trees = Trees::new(&surface, &x, RayTree::Hierarchy);
        let mut random = Random::new(2);
        let mut hits = Vec::new();
        for _ in 0..500 {
            let direction = Vector3::from([0; 3].map(|_| random.within(-1.0, 1.0)));
            let target = Vector3::from([0; 3].map(|_| random.within(-0.1, 0.1)));
            let ray = InwardRay::new(target - direction.normalize(), direction).unwrap();
            trees.all((&surface, &x), &ray, &[], &mut hits);
            let leaving = hits.iter().filter(|hit| hit.hit.leaves).count();
            assert_eq!(2 * leaving, hits.len());
        }
    }
}

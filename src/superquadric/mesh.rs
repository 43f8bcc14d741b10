//! Closed triangle meshes, with vertices evenly spaced by arc length.

use crate::TriangleMesh;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::surface::tessellate::{full_turn, quarter_arc};
use nalgebra::Point3;

/// A point (ρ, ζ) of the profile.
type Point = (f64, f64);

impl Superquadric {
    /// Returns a watertight mesh with outward triangles and its vertices on the surface: one closed surface, or two for
    /// two sheets.
    ///
    /// `segments` edges go around each ring (rounded up to a multiple of 4, at least 8), as many around the tube of a
    /// toroid, and half as many from cap to cap or from tip to cap of a hyperboloid. Both curves are divided evenly by
    /// arc length, so that boxes keep their flat faces and sharp edges. A flat cap is a fan about its centre.
    ///
    /// ```
    /// use superovoid::superquadric::Superquadric;
    /// let ring = Superquadric::toroid([0.5; 3], [1.0, 1.0], 4.0)?;
    /// let mesh = ring.tessellate(256);
    /// assert!((mesh.volume() / ring.volume() - 1.0).abs() < 1e-3);
    /// # Ok::<(), superovoid::superquadric::SuperquadricError>(())
    /// ```
    pub fn tessellate(&self, segments: usize) -> TriangleMesh {
        let quarter = segments.div_ceil(4).max(2);
        let section = full_turn(&quarter_arc(self.e[0], self.a[1] / self.a[0], quarter));
        let mut mesh = TriangleMesh {
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        let stretch = self.a[2] / (0.5 * self.a[0] + 0.5 * self.a[1]);
        match self.family {
            Family::Toroid => {
                let tube = full_turn(&quarter_arc(self.e[1], stretch, quarter));
                let rings: Vec<Point> = tube.iter().map(|&(c, z)| (self.extent + c, z)).collect();
                self.close_rings(&mut mesh, &section, &rings);
            }
            Family::OneSheet => {
                let upper = self.arc(stretch, quarter);
                let lower = upper.iter().rev().map(|&(rho, zeta)| (rho, -zeta));
                let mut profile: Vec<Point> = vec![(0.0, -self.extent)];
                profile.extend(lower.chain(upper[1..].iter().copied()));
                profile.push((0.0, self.extent));
                self.close_ends(&mut mesh, &section, &profile);
            }
            Family::TwoSheets(sheets) => {
                let mut upper = self.arc(stretch, 2 * quarter);
                upper.push((0.0, self.extent));
                if sheets != Sheets::Lower {
                    self.close_ends(&mut mesh, &section, &upper);
                }
                if sheets != Sheets::Upper {
                    let lower: Vec<Point> = upper.iter().rev().map(|&(r, z)| (r, -z)).collect();
                    self.close_ends(&mut mesh, &section, &lower);
                }
            }
        }
        mesh
    }

    /// Returns `count + 1` points of a hyperboloid's upper profile, from neck or tip to the rim, evenly spaced by the arc
    /// length of `(ρ, stretch · ζ)`.
    fn arc(&self, stretch: f64, count: usize) -> Vec<Point> {
        let fine = 16 * count.max(64);
        let largest = self.largest_parameter();
        let point = |k: f64| -> Point {
            if k >= fine as f64 {
                return (self.rim, self.extent);
            }
            let profile = self.profile_at(largest * (k / fine as f64));
            (
                profile.rho.min(self.rim),
                profile.zeta.abs().min(self.extent),
            )
        };
        // Powers of sinh crowd the samples at one end; the squared share spreads them there.
        let share = |k: f64| {
            let t = k / fine as f64;
            fine as f64
                * if self.e[1] < 1.0 {
                    t.powf(1.0 / self.e[1])
                } else {
                    t
                }
        };
        let mut length = vec![0.0; fine + 1];
        for k in 1..=fine {
            let ((r0, z0), (r1, z1)) = (point(share((k - 1) as f64)), point(share(k as f64)));
            length[k] = length[k - 1] + (r1 - r0).hypot(stretch * (z1 - z0));
        }
        (0..=count)
            .map(|i| {
                if i == count {
                    return (self.rim, self.extent);
                }
                let target = length[fine] * i as f64 / count as f64;
                let k = length.partition_point(|&l| l < target).clamp(1, fine);
                let part = (target - length[k - 1]) / (length[k] - length[k - 1]);
                point(share((k - 1) as f64 + part))
            })
            .collect()
    }

    fn vertex(&self, section: Point, profile: Point) -> Point3<f64> {
        let ((xi, eta), (rho, zeta)) = (section, profile);
        Point3::new(
            self.a[0] * (rho * xi),
            self.a[1] * (rho * eta),
            self.a[2] * zeta,
        )
    }

    /// Adds the surface of rings that go around a tube and close upon themselves.
    fn close_rings(&self, mesh: &mut TriangleMesh, section: &[Point], rings: &[Point]) {
        for &ring in rings {
            mesh.vertices
                .extend(section.iter().map(|&s| self.vertex(s, ring)));
        }
        for k in 0..rings.len() {
            let next = (k + 1) % rings.len();
            band(mesh, k * section.len(), next * section.len(), section.len());
        }
    }

    /// Adds the surface of a profile from below to above, whose first and last points lie on the axis.
    fn close_ends(&self, mesh: &mut TriangleMesh, section: &[Point], profile: &[Point]) {
        let around = section.len();
        let bottom = mesh.vertices.len();
        let [(_, low), .., (_, high)] = *profile else {
            return;
        };
        mesh.vertices.push(self.vertex((0.0, 0.0), (0.0, low)));
        let first = bottom + 1;
        let rings = &profile[1..profile.len() - 1];
        for &ring in rings {
            mesh.vertices
                .extend(section.iter().map(|&s| self.vertex(s, ring)));
        }
        let top = mesh.vertices.len();
        mesh.vertices.push(self.vertex((0.0, 0.0), (0.0, high)));
        let last = top - around;
        for k in 0..around {
            let next = (k + 1) % around;
            let index = |i: usize| i as u32;
            mesh.triangles
                .push([bottom, first + next, first + k].map(index));
            mesh.triangles.push([top, last + k, last + next].map(index));
        }
        for k in 1..rings.len() {
            band(mesh, first + (k - 1) * around, first + k * around, around);
        }
    }
}

/// Adds the triangles between two rings of vertices, the second above the first seen from outside.
fn band(mesh: &mut TriangleMesh, below: usize, above: usize, around: usize) {
    for k in 0..around {
        let next = (k + 1) % around;
        let index = |i: usize| i as u32;
        let corners = [below + k, below + next, above + next].map(index);
        mesh.triangles.push(corners);
        mesh.triangles
            .push([below + k, above + next, above + k].map(index));
    }
}

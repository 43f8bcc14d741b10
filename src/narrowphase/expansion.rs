//! The least penetration depth of convex bodies by an expanding polytope (EPA), with a proof.
//!
//! G. van den Bergen, *Proximity queries and penetration depth computation on 3D game objects* (2001). The origin lies in the
//! configuration space obstacle (CSO) of two bodies that overlap, and its distance to the surface is the least depth. A
//! polytope of CSO points about the origin grows at the face that is nearest to it, by the support point along the face's
//! normal, until the face is one of the CSO, to the tolerance.
//!
//! What proves the answer needs no exact normals, and no polytope that is convex to the last bit:
//!
//! - any unit n has a depth of `−g(n)`, so the least depth is at most that of every direction that was asked;
//! - all points x of a face with corners z_i have `|x| ≥ n·x ≥ min n·z_i =: d` for **any** unit n. Where all these d are
//!   positive, the surface avoids the origin, and as it is closed and each of its faces turns its outer side away from the origin,
//!   its solid angles add up to 4π at least: every ray from the origin meets it, at a distance of at least the least d. So the
//!   ball of that radius about the origin lies in the CSO, which is convex: the least depth is at least min d.
//!
//! Of two polytopes this ends at a face of the CSO, exactly. Where the CSO is curved, a face of width w is w²/8R below it, and
//! only faces near the least depth are split, so that their number grows with the digits of the answer; but cylinders with a
//! common axis are equally deep in a ring of directions, and there the search ends at its last vertex with an open bracket.

use crate::narrowphase::convex_pair::{Penetration, SupportPair};
use crate::narrowphase::simplex::{CsoPoint, face_weights};
use nalgebra::Vector3;

/// What an expansion found.
pub(crate) struct Expansion {
    /// The penetration along the best normal that was met; its gap is a lower bound of the signed distance.
    pub best: Penetration,
    /// An upper bound of the signed distance, to rounding.
    pub upper: f64,
    /// The corners of the face that the witnesses are on; none where the search ended before.
    pub face: Option<[CsoPoint; 3]>,
}

/// A triangle of the surface, its corners counter-clockwise seen from outside.
#[derive(Clone, Copy)]
struct Face {
    corners: [u16; 3],
    /// The faces across the edges from each corner to the next.
    across: [u16; 3],
    normal: Vector3<f64>,
    /// The round in which the face was last seen.
    seen: u16,
}

const NO_FACE: Face = Face {
    corners: [0; 3],
    across: [0; 3],
    normal: Vector3::new(0.0, 0.0, 0.0),
    seen: 0,
};

const NO_POINT: CsoPoint = CsoPoint {
    z: Vector3::new(0.0, 0.0, 0.0),
    xa: Vector3::new(0.0, 0.0, 0.0),
};

/// An edge between a face that a point sees and one that it does not see.
#[derive(Clone, Copy)]
struct Rim {
    ends: [u16; 2],
    beyond: u16,
}

const NO_RIM: Rim = Rim {
    ends: [0; 2],
    beyond: 0,
};

/// The largest number of faces that one point replaces.
const REPLACED: usize = 64;

/// A closed surface of up to `VERTICES` points, which has fewer than `FACES` = 2 `VERTICES` faces.
struct Surface<const VERTICES: usize, const FACES: usize> {
    points: [CsoPoint; VERTICES],
    count: usize,
    faces: [Face; FACES],
    /// The d of each face; infinite where the place is vacant.
    heights: [f64; FACES],
    face_count: usize,
    vacant: [u16; FACES],
    vacant_count: usize,
    rounding: f64,
}

/// How the growth of a surface ended.
enum End {
    /// The lowest face is one of the CSO, to the tolerance.
    Closed,
    /// There is no room for another point.
    Full,
    /// Rounding leaves no surface with another point.
    Stuck,
}

/// Returns the least depth to `tolerance`, or as near as 96 points lead, from the simplex of CSO points that
/// has the origin inside or, to `rounding`, on its border; `None` where rounding leaves no tetrahedron about it. Up to 1024 points
/// are used to reach the tolerance `thorough`, if there is one. A CSO that is flat has a depth of 0 along its normal, with any
/// witnesses.
#[inline(never)]
pub(crate) fn expand(
    support: impl Fn(&Vector3<f64>) -> SupportPair,
    simplex: &[CsoPoint],
    tolerance: f64,
    rounding: f64,
    thorough: Option<f64>,
    iterations: &mut u32,
) -> Option<Expansion> {
    let tetrahedron = match tetrahedron(&support, simplex, rounding, iterations) {
        Ok(corners) => corners,
        Err(normal) => {
            let along = |n: Vector3<f64>| Penetration::of_support_pair(&n, &support(&n));
            let sides = [along(normal), along(-normal)];
            let best = sides[usize::from(sides[1].gap > sides[0].gap)];
            return Some(Expansion {
                best,
                upper: 0.0,
                face: None,
            });
        }
    };
    let mut search = Search {
        support,
        tolerance,
        iterations,
        best: None,
        inner: 0.0,
        face: None,
        round: 0,
    };
    // Most polytopes need few points, and a surface of more costs time before it is used.
    let mut few = Surface::<24, 48>::new(tetrahedron, rounding)?;
    if let End::Full = search.grow(&mut few) {
        search.grow_further(&few, thorough);
    }
    let (upper, face) = (-search.inner, search.face);
    search.best.map(|best| Expansion { best, upper, face })
}

/// A search for the least depth.
struct Search<'a, S> {
    support: S,
    tolerance: f64,
    iterations: &'a mut u32,
    best: Option<Penetration>,
    /// A depth that the least one is not less than.
    inner: f64,
    face: Option<[CsoPoint; 3]>,
    round: u16,
}

impl<S: Fn(&Vector3<f64>) -> SupportPair> Search<'_, S> {
    fn grow<const VERTICES: usize, const FACES: usize>(
        &mut self,
        surface: &mut Surface<VERTICES, FACES>,
    ) -> End {
        loop {
            let lowest = surface.lowest();
            // The support point of the CSO is the lowest along the normal, which leads from A to B.
            let normal = -surface.faces[lowest].normal;
            self.inner = surface.heights[lowest];
            let found = (self.support)(&normal);
            *self.iterations += 1;
            if -found.gap - self.inner <= self.tolerance {
                let ([xa, xb], corners) = surface.witnesses(lowest);
                let gap = found.gap;
                self.face = Some(corners);
                self.best = Some(Penetration {
                    normal,
                    gap,
                    xa,
                    xb,
                });
                return End::Closed;
            }
            if self.best.is_none_or(|best| found.gap > best.gap) {
                self.best = Some(Penetration::of_support_pair(&normal, &found));
            }
            if surface.count == VERTICES {
                return End::Full;
            }
            self.round += 1;
            if !surface.add(CsoPoint::of(&found), lowest, self.round) {
                return End::Stuck;
            }
        }
    }

    #[inline(never)]
    fn grow_further(&mut self, few: &Surface<24, 48>, thorough: Option<f64>) {
        let mut more = Surface::<96, 192>::of(few);
        if let End::Full = self.grow(&mut more)
            && let Some(tolerance) = thorough
        {
            self.tolerance = tolerance;
            self.grow_to_the_end(&more);
        }
    }

    #[inline(never)]
    fn grow_to_the_end(&mut self, more: &Surface<96, 192>) {
        self.grow(&mut Surface::<1024, 2048>::of(more));
    }
}

/// Returns a tetrahedron that holds the simplex, or the normal of a flat CSO.
fn tetrahedron(
    support: impl Fn(&Vector3<f64>) -> SupportPair,
    simplex: &[CsoPoint],
    rounding: f64,
    iterations: &mut u32,
) -> Result<[CsoPoint; 4], Vector3<f64>> {
    let mut corners = [NO_POINT; 4];
    corners[..simplex.len()].copy_from_slice(simplex);
    for count in simplex.len()..4 {
        let [a, b, c, _] = corners.map(|corner| corner.z);
        // A direction across the hull of the corners.
        let across = match count {
            0 | 1 => Vector3::x(),
            2 => {
                let edge = b - a;
                edge.cross(&Vector3::ith(edge.iamin(), 1.0))
            }
            _ => (b - a).cross(&(c - a)),
        };
        let n = across.try_normalize(0.0).unwrap_or_else(Vector3::x);
        let ends = [n, -n].map(|n| CsoPoint::of(&support(&n)));
        *iterations += 2;
        let far = |end: &CsoPoint| {
            if count == 0 {
                1.0
            } else {
                n.dot(&(end.z - a)).abs()
            }
        };
        let end = if far(&ends[0]) >= far(&ends[1]) {
            ends[0]
        } else {
            ends[1]
        };
        if far(&end) <= 4.0 * rounding {
            return Err(n);
        }
        corners[count] = end;
    }
    Ok(corners)
}

impl<const VERTICES: usize, const FACES: usize> Surface<VERTICES, FACES> {
    /// Makes the same surface with more room.
    fn of<const V: usize, const F: usize>(other: &Surface<V, F>) -> Self {
        let mut surface = Self::empty(other.rounding);
        surface.count = other.count;
        surface.face_count = other.face_count;
        surface.vacant_count = other.vacant_count;
        surface.points[..V].copy_from_slice(&other.points);
        surface.faces[..F].copy_from_slice(&other.faces);
        surface.heights[..F].copy_from_slice(&other.heights);
        surface.vacant[..F].copy_from_slice(&other.vacant);
        surface
    }

    fn empty(rounding: f64) -> Self {
        const { assert!(FACES == 2 * VERTICES && FACES < u16::MAX as usize) };
        Surface {
            points: [NO_POINT; VERTICES],
            count: 0,
            faces: [NO_FACE; FACES],
            heights: [f64::INFINITY; FACES],
            face_count: 0,
            vacant: [0; FACES],
            vacant_count: 0,
            rounding,
        }
    }

    /// Makes the surface of a tetrahedron; `None` where the origin is outside by more than rounding.
    fn new([a, b, c, d]: [CsoPoint; 4], rounding: f64) -> Option<Self> {
        let outward = (b.z - a.z).cross(&(c.z - a.z)).dot(&(d.z - a.z)) < 0.0;
        let mut surface = Self::empty(rounding);
        (surface.count, surface.face_count) = (4, 4);
        surface.points[..4].copy_from_slice(&if outward { [a, b, c, d] } else { [a, c, b, d] });
        // Each edge is met in one direction by one of its faces, and in the other direction by the other one.
        let corners = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (k, (corners, across)) in corners.into_iter().zip(across).enumerate() {
            let (normal, height) = surface.plane(corners)?;
            surface.faces[k] = Face {
                corners,
                across,
                normal,
                seen: 0,
            };
            surface.heights[k] = height;
        }
        Some(surface)
    }

    /// Returns the unit normal of a triangle of points, and the height over the origin that its corners have at least; `None`
    /// where it has no normal, or the origin is outside by more than rounding.
    fn plane(&self, corners: [u16; 3]) -> Option<(Vector3<f64>, f64)> {
        let [a, b, c] = corners.map(|k| self.points[usize::from(k)].z);
        // The cross product of the two shorter edges loses the fewest digits.
        let edges = [b - a, c - b, a - c];
        let [ab, bc, ca] = edges.map(|e| e.norm_squared());
        let normal = if bc >= ab && bc >= ca {
            edges[2].cross(&edges[0])
        } else if ca >= ab {
            edges[0].cross(&edges[1])
        } else {
            edges[1].cross(&edges[2])
        };
        let normal = normal.try_normalize(0.0)?;
        let height = normal.dot(&a).min(normal.dot(&b)).min(normal.dot(&c));
        (height >= -self.rounding).then_some((normal, height))
    }

    /// Returns the face of the least height.
    fn lowest(&self) -> usize {
        let mut least = (f64::INFINITY, 0);
        for (k, height) in self.heights[..self.face_count].iter().enumerate() {
            if *height < least.0 {
                least = (*height, k);
            }
        }
        least.1
    }

    /// Returns points of A and B whose difference is the point of the surface nearest to the origin, on the face of the least
    /// height, or another one in its plane, and the corners of that.
    fn witnesses(&self, lowest: usize) -> ([Vector3<f64>; 2], [CsoPoint; 3]) {
        let (normal, height) = (self.faces[lowest].normal, self.heights[lowest]);
        let corners = |face: &Face| face.corners.map(|k| self.points[usize::from(k)]);
        let weights = |face: &Face| {
            let [a, b, c] = corners(face).map(|corner| corner.z);
            face_weights(&a, &b, &c)
        };
        let inside = |weights: &[f64; 3]| weights[0].min(weights[1]).min(weights[2]);
        let mut best = (lowest, weights(&self.faces[lowest]));
        if inside(&best.1) < 0.0 {
            for (k, face) in self.faces[..self.face_count].iter().enumerate() {
                let level = self.heights[k] <= height + 4.0 * self.rounding;
                if level && face.normal.dot(&normal) > 0.999_999 {
                    let weights = weights(face);
                    if inside(&weights) > inside(&best.1) {
                        best = (k, weights);
                    }
                }
            }
        }
        let weights = best.1.map(|w| w.max(0.0));
        let whole: f64 = weights.iter().sum();
        let corners = corners(&self.faces[best.0]);
        let sum = |part: fn(&CsoPoint) -> Vector3<f64>| -> Vector3<f64> {
            let parts = corners.iter().zip(weights);
            parts.map(|(corner, w)| part(corner) * (w / whole)).sum()
        };
        let xa = sum(|corner| corner.xa);
        ([xa, xa + sum(|corner| corner.z)], corners)
    }

    /// Adds a point that sees the face `first`, for which there is room. Returns false where rounding leaves no surface.
    fn add(&mut self, point: CsoPoint, first: usize, round: u16) -> bool {
        let mut seen = [0_u16; REPLACED];
        let mut rims = [NO_RIM; REPLACED];
        let (mut seen_count, mut rim_count) = (1, 0);
        seen[0] = first as u16;
        self.faces[first].seen = round;
        let mut next = 0;
        while next < seen_count {
            let face = self.faces[usize::from(seen[next])];
            next += 1;
            let [a, b, c] = face.corners;
            for (ends, beyond) in [[a, b], [b, c], [c, a]].into_iter().zip(face.across) {
                let other = &mut self.faces[usize::from(beyond)];
                if other.seen == round {
                    continue;
                }
                if seen_count == REPLACED || rim_count == REPLACED {
                    return false;
                }
                // Faces whose plane holds the point are replaced, too: their edges may be in line with it.
                let plane = self.heights[usize::from(beyond)] - self.rounding;
                if other.normal.dot(&point.z) >= plane {
                    other.seen = round;
                    seen[seen_count] = beyond;
                    seen_count += 1;
                } else {
                    rims[rim_count] = Rim { ends, beyond };
                    rim_count += 1;
                }
            }
        }
        let z = self.count as u16;
        self.points[self.count] = point;
        self.count += 1;
        for &k in &seen[..seen_count] {
            self.heights[usize::from(k)] = f64::INFINITY;
            self.vacant[self.vacant_count] = k;
            self.vacant_count += 1;
        }
        self.cone(z, &rims[..rim_count])
    }

    /// Adds the faces between a point and the edges of a border. Returns false where that is not one cycle, or a face turns its
    /// outer side to the origin.
    fn cone(&mut self, z: u16, rims: &[Rim]) -> bool {
        let mut places = [0_u16; REPLACED];
        for (place, rim) in places.iter_mut().zip(rims) {
            let [a, b] = rim.ends;
            let corners = [a, b, z];
            let (Some((normal, height)), Some(k)) = (self.plane(corners), self.place()) else {
                return false;
            };
            *place = k;
            let across = [rim.beyond; 3];
            self.heights[usize::from(k)] = height;
            self.faces[usize::from(k)] = Face {
                corners,
                across,
                normal,
                seen: 0,
            };
            let beyond = &mut self.faces[usize::from(rim.beyond)];
            for e in 0..3 {
                if beyond.corners[e] == b && beyond.corners[(e + 1) % 3] == a {
                    beyond.across[e] = k;
                }
            }
        }
        for (rim, k) in rims.iter().zip(places) {
            let mut following = (rims.iter().zip(places)).filter(|(r, _)| r.ends[0] == rim.ends[1]);
            let (Some((_, next)), None) = (following.next(), following.next()) else {
                return false;
            };
            self.faces[usize::from(k)].across[1] = next;
            self.faces[usize::from(next)].across[2] = k;
        }
        rims.len() >= 3
    }

    fn place(&mut self) -> Option<u16> {
        if self.vacant_count > 0 {
            self.vacant_count -= 1;
            return Some(self.vacant[self.vacant_count]);
        }
        let fresh = self.face_count;
        self.face_count += 1;
        (fresh < FACES).then_some(fresh as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowphase::convex_pair::ConvexPair;
    use crate::narrowphase::gjk::{self, Nearest};
    use crate::narrowphase::newton::NoPieces;
    use crate::narrowphase::simplex::Simplex;
    use crate::narrowphase::test_bodies::{Body, BodyPair, TOLERANCE, overlapping};

    const ROUNDING: f64 = 1e-14;

    fn found(pair: &BodyPair, thorough: Option<f64>) -> (Expansion, u32) {
        let support = |n: &Vector3<f64>| pair.support_pair(n);
        let (stop, mut iterations) = (f64::INFINITY, 0);
        let (mut simplex, accuracy) = (Simplex::new(), [TOLERANCE, ROUNDING]);
        let met = gjk::nearest(
            support,
            &NoPieces,
            &mut simplex,
            &Vector3::x(),
            stop,
            accuracy,
            &mut 0,
        );
        assert!(matches!(met, Nearest::Meeting), "they overlap");
        let corners = simplex.corners();
        let found = expand(
            support,
            corners,
            TOLERANCE,
            ROUNDING,
            thorough,
            &mut iterations,
        );
        (found.expect("the origin is inside"), iterations)
    }

    #[test]
    fn depths_are_proven_from_both_sides() {
        for (pair, depth) in overlapping() {
            let (Expansion { best, upper, face }, iterations) = found(&pair, None);
            assert!(best.gap <= -depth + 1e-12 && upper >= -depth - 1e-12);
            // Balls that are nearly concentric are nearly as deep in all directions.
            assert!(upper - best.gap <= 0.02, "{upper} {}", best.gap);
            let closed = upper - best.gap <= TOLERANCE;
            assert!(closed == face.is_some() && iterations < 100);
            let boxes = matches!(pair.a, Body::Cuboid(_)) && matches!(pair.b, Body::Cuboid(_));
            assert!(!boxes || closed);
            let along = best.xb - best.xa;
            let beside = along - best.normal * best.normal.dot(&along);
            assert!(!closed || beside.norm() < 1e-9);
            assert!(pair.gauge_a(&best.xa) <= 1.0 + 1e-12 && pair.gauge_b(&best.xb) <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn where_all_directions_are_equally_deep_the_bracket_stays_open_but_true() {
        let [a, b] = [Body::Ball(1.0), Body::Ball(0.5)];
        let center = Vector3::zeros();
        let pair = BodyPair { a, b, center };
        let (open, few) = found(&pair, None);
        let (less, more) = found(&pair, Some(1e-6));
        for (found, widest) in [(&open, 0.3), (&less, 0.03)] {
            assert!(found.best.gap <= -1.5 + 1e-12 && found.upper >= -1.5 - 1e-12);
            assert!(found.upper - found.best.gap < widest, "{}", found.upper);
        }
        assert!(few > 80 && more > 1000, "{few} {more}");
    }

    #[test]
    fn what_is_flat_has_no_depth_along_its_normal() {
        let flat = |n: &Vector3<f64>| {
            let xa = Vector3::new(0.5_f64.copysign(n.x), 0.25_f64.copysign(n.y), 0.0);
            SupportPair {
                gap: -n.dot(&xa),
                xa,
                xb: Vector3::zeros(),
            }
        };
        let corners = [[-0.5, -0.25, 0.0], [0.5, 0.25, 0.0]].map(|z| CsoPoint {
            z: Vector3::from(z),
            xa: -Vector3::from(z),
        });
        let found = expand(flat, &corners, 1e-9, ROUNDING, None, &mut 0).unwrap();
        assert!(found.best.gap == 0.0 && found.upper == 0.0);
        assert_eq!(found.best.normal.z.abs(), 1.0);
    }

    #[test]
    fn a_tetrahedron_that_leaves_the_origin_outside_is_refused() {
        let pair = BodyPair {
            a: Body::Ball(1.0),
            b: Body::Ball(1.0),
            center: Vector3::new(3.0, 0.0, 0.0),
        };
        let support = |n: &Vector3<f64>| pair.support_pair(n);
        let corner = CsoPoint::of(&support(&Vector3::x()));
        assert!(expand(support, &[corner], 1e-9, ROUNDING, None, &mut 0).is_none());
    }
}

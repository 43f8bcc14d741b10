//! What crosses in a substep: two features of cloths, or a triangle of a cloth and a body or a triangle of its mesh, that
//! no direction is known to separate at the start and at the end.

use crate::cloth::faces::{apart, least, separated};
use crate::cloth::near::{Known, KnownFace};
use crate::cloth::pair::{FLOOR, Pair, on_edges, on_triangle};
use crate::cloth::patches::{Mark, Patch};
use crate::rigid::RigidBody;
use crate::rigid::body::StaticMesh;
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use superovoid::bvh::PolytopeTree;
use superovoid::internals::Hierarchy;
use superovoid::polytope::{Polytope, Triangle, polytope_contact};
use superovoid::{QueryOptions, Superovoid};

/// What crosses in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) enum Crossing {
    /// Two features of cloths, with the direction of the start.
    Cloths { pair: Pair, normal: Vector3<f64> },
    /// A triangle of a cloth and a body, or a triangle of its mesh.
    Body(Face),
}

/// A triangle of a cloth in front of a body or of a triangle of its mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub cloth: u32,
    pub triangle: u32,
    pub body: u32,
    pub part: u32,
    /// The direction in the frame of the shape that separates them at the start, away from the body, with the gap there.
    pub normal: Vector3<f64>,
    pub gap: f64,
    /// How high the plane of the part is along it at the start and at the end.
    pub support: [f64; 2],
    /// Whether the gap holds in no direction: nothing convex is behind the plane.
    pub ball: bool,
}

/// The part of what is no mesh.
pub(super) const WHOLE: u32 = u32::MAX;

impl Crossing {
    /// What is the same of one crossing in all rounds.
    pub fn key(&self) -> [u32; 5] {
        match self {
            Crossing::Cloths { pair, .. } => {
                let [a, b, c, d] = pair.particles;
                [pair.split as u32, a, b, c, d]
            }
            Crossing::Body(face) => [3, face.cloth, face.triangle, face.body, face.part],
        }
    }
}

/// The memory of the guard.
#[derive(Default)]
pub(crate) struct Guard {
    pub found: Vec<Crossing>,
    /// For each patch and each body how far apart they were.
    clear: Vec<Clear>,
    bodies: Vec<Followed>,
    /// Where the particles would be at the end, and how far the bodies would go.
    pub full: Vec<Vector3<f64>>,
    pub ways: Vec<[Vector3<f64>; 2]>,
    pub shares: Vec<f64>,
    pub body_shares: Vec<f64>,
}

/// How far a patch and a body can go against one another since a mark and be apart, with the path of the body then.
#[derive(Clone, Copy)]
struct Clear {
    room: f64,
    mark: Mark,
    path: f64,
}

/// The length of the way that the farthest point of a body has made until the substep begins, what the substep adds, and
/// where it ends.
#[derive(Clone, Copy)]
struct Followed {
    path: f64,
    ahead: f64,
    x: Vector3<f64>,
    q: UnitQuaternion<f64>,
}

impl Guard {
    /// Takes what the bodies move in the substep.
    pub fn follow(&mut self, bodies: &[RigidBody], patches: &[Patch]) {
        if self.bodies.len() != bodies.len() {
            let begin = |body: &RigidBody| Followed {
                path: 0.0,
                ahead: 0.0,
                x: body.x,
                q: body.q,
            };
            self.bodies.clear();
            self.bodies.extend(bodies.iter().map(begin));
            let none = |patch: &Patch| Clear {
                room: f64::NEG_INFINITY,
                mark: patch.mark(),
                path: 0.0,
            };
            let each = patches.iter();
            let each = each.flat_map(|patch| bodies.iter().map(move |_| none(patch)));
            self.clear.clear();
            self.clear.extend(each);
        }
        for (followed, body) in self.bodies.iter_mut().zip(bodies) {
            let mut ahead = body.u.norm() + body.change;
            // A point at r goes by at most twice the difference of unit quaternions times r. A half-space that turns is
            // followed no farther.
            let turn = body.phi.norm() + 2.0 * (body.q.coords - followed.q.coords).norm();
            if turn > 0.0 {
                ahead += turn * (body.radius + body.change);
            }
            followed.ahead = ahead + (body.x - followed.x).norm();
        }
    }

    /// Ends a substep.
    pub fn leave(&mut self, bodies: &[RigidBody]) {
        for (followed, body) in self.bodies.iter_mut().zip(bodies) {
            followed.path += followed.ahead;
            (followed.x, followed.q) = (body.x + body.u, body.q);
            if body.phi != Vector3::zeros() {
                followed.q = UnitQuaternion::from_scaled_axis(body.phi) * body.q;
            }
        }
    }

    /// Forgets what is known of patches and bodies.
    pub fn forget(&mut self) {
        self.bodies.clear();
    }

    /// Whether a patch and a body are still as far apart as they were.
    pub fn is_clear(&self, (p, patch): (usize, &Patch), b: usize) -> bool {
        let (clear, body) = (&self.clear[p * self.bodies.len() + b], &self.bodies[b]);
        patch.since(&clear.mark) + body.path + body.ahead - clear.path < clear.room
    }

    /// Keeps how far apart a patch and a body are at the start of the substep.
    pub fn keep(&mut self, (p, patch): (usize, &Patch), b: usize, room: f64) {
        self.clear[p * self.bodies.len() + b] = Clear {
            room,
            mark: patch.mark(),
            path: self.bodies[b].path,
        };
    }
}

/// The gap that must be left of one at the start: what is nearer than the floor does not come nearer.
pub(super) fn kept(floor: f64, gap: f64) -> f64 {
    floor.min(gap) * (1.0 - 1e-9)
}

/// The direction at the start of two features that no direction is known to separate at the start and at the end; none if
/// one is, or if they touch at the start.
pub(super) fn crosses(
    pair: &mut Pair,
    x0: &[Vector3<f64>],
    x: &[Vector3<f64>],
) -> Option<Vector3<f64>> {
    // The direction that separated them last nearly always does still.
    if pair.gap(&pair.apart, x) >= FLOOR * pair.thickness && pair.gap(&pair.apart, x0) > 0.0 {
        return None;
    }
    let normal = pair.direction(x0)?;
    let gap = pair.gap(&normal, x0);
    if gap <= 0.0 {
        return None;
    }
    let keep = kept(FLOOR * pair.thickness, gap);
    let last = pair.direction(x);
    let mut separates = |n: &Vector3<f64>| {
        let separates = pair.gap(n, x) >= keep && pair.gap(n, x0) > 0.0;
        if separates {
            pair.apart = *n;
        }
        separates
    };
    if separates(&normal) {
        return None;
    }
    if let Some(last) = last
        && (separates(&last)
            || (normal + last)
                .try_normalize(1e-9)
                .is_some_and(|n| separates(&n)))
    {
        return None;
    }
    Some(normal)
}

/// Whether a triangle crosses a superovoid, from its shape at the start to that at the end.
pub(super) fn ovoid_crossing(
    shapes: [&Superovoid; 2],
    changes: bool,
    at: &[[Vector3<f64>; 3]; 2],
    known: &[&Known; 3],
    last: &mut Option<KnownFace>,
    floor: f64,
    face: Face,
) -> Option<Face> {
    let heights = |n: &Vector3<f64>, supports: Option<f64>| {
        let support = |k: usize| {
            supports
                .filter(|_| !changes)
                .unwrap_or_else(|| shapes[k].support(n).value)
        };
        let supports = [support(0), if changes { support(1) } else { support(0) }];
        (
            [
                least(n, &at[0]) - supports[0],
                least(n, &at[1]) - supports[1],
            ],
            supports,
        )
    };
    let good = |[before, after]: [f64; 2]| before > 0.0 && after >= kept(floor, before);
    let mut best = Face { gap: 0.0, ..face };
    let mut look = |n: &Vector3<f64>, support: Option<f64>| {
        let (gaps, supports) = heights(n, support);
        if gaps[0] > best.gap {
            (best.normal, best.gap, best.support) = (*n, gaps[0], supports);
        }
        good(gaps)
    };
    if let Some(last) = last
        && look(&last.normal, Some(last.support))
    {
        return None;
    }
    let convex = shapes[0].is_convex() && shapes[1].is_convex();
    for k in known.iter().filter(|k| convex && k.has_plane()) {
        if look(&k.normal, Some(k.offset)) {
            *last = Some(KnownFace {
                normal: k.normal,
                support: shapes[1].support(&k.normal).value,
                weights: [1.0 / 3.0; 3],
                corners: at[1],
                rough: true,
            });
            return None;
        }
    }
    for k in [1, 0] {
        let (found, height) = separated(shapes[k], known, &at[k], floor);
        if height > f64::NEG_INFINITY && look(&found.normal, None) {
            *last = Some(KnownFace {
                support: shapes[1].support(&found.normal).value,
                ..found
            });
            return None;
        }
    }
    for k in [1, 0] {
        if convex
            && let Some(found) = apart(shapes[k], &at[k], None)
            && look(&found.normal, None)
        {
            *last = Some(KnownFace {
                support: shapes[1].support(&found.normal).value,
                rough: true,
                ..found
            });
            return None;
        }
    }
    let asked = [0, 1].map(|k| asked(shapes[k], &at[k]));
    if asked.iter().flatten().any(|(normal, _)| look(normal, None)) {
        return None;
    }
    if best.gap > 0.0 {
        return Some(best);
    }
    // In front of no plane: a hollow body. The distance tells how far both may go.
    let gap = asked[0].map_or(0.0, |(_, gap)| gap);
    let way = (0..3)
        .map(|i| (at[1][i] - at[0][i]).norm())
        .fold(0.0, f64::max);
    let may_meet = gap > 0.0 && way > gap - kept(floor, gap);
    may_meet.then_some(Face {
        gap,
        ball: true,
        ..best
    })
}

/// The normal and a lower bound of the distance of a triangle from a body, by the exact query.
fn asked(shape: &Superovoid, corners: &[Vector3<f64>; 3]) -> Option<(Vector3<f64>, f64)> {
    let here = Isometry3::identity();
    let triangle = Triangle::new(corners.map(Point3::from)).ok()?;
    let answer = polytope_contact(shape, &here, &triangle, &here, &QueryOptions::default()).ok()?;
    Some((
        answer.normal.into_inner(),
        answer.lower.min(answer.distance),
    ))
}

/// Lists the triangles of a mesh that a triangle crosses, and with `pressed`, the height that triangles keep and the most
/// that they are pushed out, those that it presses.
pub(super) fn mesh_crossings(
    mesh: &StaticMesh,
    at: &[[Vector3<f64>; 3]; 2],
    pressed: Option<(f64, f64)>,
    floor: f64,
    face: Face,
    found: &mut Vec<Crossing>,
) {
    let all = at[0].iter().chain(&at[1]);
    let (low, high) = all.fold((at[0][0], at[0][0]), |(l, h), p| (l.inf(p), h.sup(p)));
    let margin = Vector3::repeat(pressed.map_or(floor, |(height, _)| height));
    let (low, high) = (low - margin, high + margin);
    mesh.tree.visit_parts(low.into(), high.into(), |part| {
        let vertices = mesh.tree.part(part);
        let vertices: [Vector3<f64>; 3] = [0, 1, 2].map(|k| vertices.vertices()[k].coords);
        let plane = mesh.planes[part as usize].0;
        let face = Face { part, ..face };
        if let Some(face) = part_crossing(&vertices, &plane, at, pressed, floor, face) {
            found.push(Crossing::Body(face));
        }
    });
}

fn part_crossing(
    part: &[Vector3<f64>; 3],
    plane: &Vector3<f64>,
    at: &[[Vector3<f64>; 3]; 2],
    pressed: Option<(f64, f64)>,
    floor: f64,
    face: Face,
) -> Option<Face> {
    let highest = |n: &Vector3<f64>| -least(&-n, part);
    let gaps = |n: &Vector3<f64>| {
        let support = highest(n);
        [least(n, &at[0]) - support, least(n, &at[1]) - support]
    };
    let wanted = |before: f64| match pressed {
        Some((height, push_out)) => height.min(before + push_out),
        None => kept(floor, before),
    };
    let good = |[before, after]: [f64; 2]| before > 0.0 && after >= wanted(before);
    let own = (at[0][1] - at[0][0]).cross(&(at[0][2] - at[0][0]));
    let own = own.try_normalize(1e-150).unwrap_or(*plane);
    if [*plane, -plane, own, -own].iter().any(|n| good(gaps(n))) {
        return None;
    }
    let normal = between_triangles(part, &at[0])?;
    let before = gaps(&normal);
    if before[0] <= 0.0 || good(before) {
        return None;
    }
    if let Some(last) = between_triangles(part, &at[1])
        && [last, normal + last]
            .iter()
            .filter_map(|n| n.try_normalize(1e-9))
            .any(|n| good(gaps(&n)))
    {
        return None;
    }
    Some(Face {
        normal,
        gap: before[0],
        support: [highest(&normal); 2],
        ..face
    })
}

/// The direction from the nearest point of one triangle to that of another; none if they meet.
fn between_triangles(a: &[Vector3<f64>; 3], b: &[Vector3<f64>; 3]) -> Option<Vector3<f64>> {
    let mut best = (f64::INFINITY, Vector3::zeros());
    let mut look = |between: Vector3<f64>, across: Vector3<f64>| {
        let square = between.norm_squared();
        if square < best.0 {
            // Inside both features the line between is along the cross product, which is sharper.
            let along = across.dot(&between);
            let sharp = along * along > 0.998 * across.norm_squared() * square;
            best = (
                square,
                if sharp {
                    across * along.signum()
                } else {
                    between
                },
            );
        }
    };
    let across = |t: &[Vector3<f64>; 3]| (t[1] - t[0]).cross(&(t[2] - t[0]));
    let (na, nb) = (across(a), across(b));
    for k in 0..3 {
        let w = on_triangle(&b[k], [&a[0], &a[1], &a[2]]);
        look(b[k] + a[0] * w[1] + a[1] * w[2] + a[2] * w[3], na);
        let w = on_triangle(&a[k], [&b[0], &b[1], &b[2]]);
        look(-(a[k] + b[0] * w[1] + b[1] * w[2] + b[2] * w[3]), nb);
    }
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        for (k, l) in [(0, 1), (1, 2), (2, 0)] {
            if let Some(w) = on_edges([&b[i], &b[j]], [&a[k], &a[l]]) {
                let between = b[i] * w[0] + b[j] * w[1] + a[k] * w[2] + a[l] * w[3];
                look(between, (b[j] - b[i]).cross(&(a[l] - a[k])));
            }
        }
    }
    best.1.try_normalize(1e-150)
}

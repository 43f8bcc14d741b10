//! Contact by inward rays (Hermann, Faure, Raffin 2008).
//!
//! From a vertex P₁ of A with the outward unit normal n₁ a ray is cast along u = −n₁. It meets B first after a way s_B, in
//! P₂ with the normal n₂ of the triangle there, and A itself first after s_A, on another triangle than those at P₁. The
//! contact is kept if
//!
//! ```text
//! (i)   n₁·n₂ < 0: the ray leaves B, so that P₁ is inside B, which is closed
//! (ii)  s_B < s_A: P₂ is inside A
//! ```
//!
//! The force is along the ray, with cos α = −n₁·n₂, on P₁ and opposite on the corners of P₂'s triangle by its barycentric
//! weights. Both act on one line, so that linear and angular momentum are kept.

use crate::soft::ray::InwardRay;
use crate::soft::surface::{Surface, VertexShapes};
use crate::soft::tree::{SurfaceHit, Trees};
use nalgebra::Vector3;

/// A closed surface at one time, with what its vertices and rays need.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceAt<'a> {
    /// The surface.
    pub surface: &'a Surface,
    /// Its vertices, metres.
    pub x: &'a [Vector3<f64>],
    /// Its normals and areas there.
    pub shapes: &'a VertexShapes,
    /// Its trees there.
    pub trees: &'a Trees,
}

/// A vertex inside another body, and the point where its inward ray leaves that body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayContact {
    /// The vertex P₁ of A.
    pub vertex: u32,
    /// The triangle of B in which P₂ lies.
    pub triangle: u32,
    /// The barycentric weights of P₂ in it.
    pub weights: [f64; 3],
    /// The unit vector u = −n₁, along which A is pushed.
    pub direction: Vector3<f64>,
    /// The way s_B from P₁ to P₂, metres.
    pub depth: f64,
    /// cos α = −n₁·n₂, in (0, 1].
    pub cosine: f64,
}

/// What became of the rays of one body into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RayCounts {
    /// The rays that were cast: those of the vertices inside both boxes.
    pub cast: usize,
    /// Those that met nothing of the other body.
    pub missed: usize,
    /// Those that entered it first, against (i).
    pub entering: usize,
    /// Those that left their own body first, against (ii).
    pub left_first: usize,
    /// Those that were kept as contacts.
    pub kept: usize,
}

impl RayCounts {
    /// Adds the counts of other rays of the same bodies.
    pub fn add(&mut self, other: &RayCounts) {
        self.cast += other.cast;
        self.missed += other.missed;
        self.entering += other.entering;
        self.left_first += other.left_first;
        self.kept += other.kept;
    }
}

/// What became of one ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RayEnd {
    /// It met nothing of the other body.
    Missed,
    /// It entered the other body first.
    Entering,
    /// It left its own body first.
    LeftFirst,
    /// It is a contact.
    Kept(RayContact),
}

/// Casts the inward ray of a vertex of A into B.
///
/// # Panics
/// It panics if there is no such vertex, or if the parts of a `SurfaceAt` do not belong together.
pub fn cast(a: &SurfaceAt, vertex: u32, b: &SurfaceAt) -> RayEnd {
    let v = vertex as usize;
    let Some(ray) = InwardRay::new(a.x[v], -a.shapes.normals[v]) else {
        return RayEnd::Missed;
    };
    let Some(SurfaceHit { triangle, hit }) =
        b.trees.first((b.surface, b.x), &ray, f64::INFINITY, &[])
    else {
        return RayEnd::Missed;
    };
    let cosine = ray.direction.dot(&b.shapes.faces[triangle as usize]);
    if !(hit.leaves && cosine > 0.0) {
        return RayEnd::Entering;
    }
    if leaves_first(a, vertex, &ray, hit.s) {
        return RayEnd::LeftFirst;
    }
    RayEnd::Kept(RayContact {
        vertex,
        triangle,
        weights: hit.weights,
        direction: ray.direction,
        depth: hit.s,
        cosine: cosine.min(1.0),
    })
}

/// Whether the inward ray of a vertex of A meets A again within a way, on a triangle that does not have the vertex.
pub(crate) fn leaves_first(a: &SurfaceAt, vertex: u32, ray: &InwardRay, way: f64) -> bool {
    let own = a.surface.faces_of(vertex as usize);
    a.trees.first((a.surface, a.x), ray, way, own).is_some()
}

/// Casts the inward rays of a range of A's vertices that are inside both boxes, and calls `kept` with the contacts in
/// their order.
///
/// # Panics
/// It panics if there is no vertex of the range, or if the parts of a `SurfaceAt` do not belong together.
pub fn cast_all(
    a: &SurfaceAt,
    vertices: std::ops::Range<usize>,
    b: &SurfaceAt,
    mut kept: impl FnMut(RayContact),
) -> RayCounts {
    let [low, high] = b.trees.hierarchy.bounds();
    let mut counts = RayCounts::default();
    for v in vertices {
        let outside = (0..3).any(|k| a.x[v][k] < low[k] || a.x[v][k] > high[k]);
        if outside || a.surface.faces_of(v).is_empty() {
            continue;
        }
        counts.cast += 1;
        match cast(a, v as u32, b) {
            RayEnd::Missed => counts.missed += 1,
            RayEnd::Entering => counts.entering += 1,
            RayEnd::LeftFirst => counts.left_first += 1,
            RayEnd::Kept(contact) => {
                counts.kept += 1;
                kept(contact);
            }
        }
    }
    counts
}

/// What the rays of two bodies, both ways, say about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No vertex of either body is inside the other.
    Apart,
    /// There are contacts.
    Contact,
    /// Vertices are inside the other body, but all of their rays leave their own body first: no contact, no force.
    AllLeaveFirst,
    /// One body is wholly inside the other: no contact is kept, and nothing separates the two.
    Inside,
}

/// The rays of two solids, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairReport {
    /// The indices of the solids.
    pub solids: [usize; 2],
    /// What became of the rays of each.
    pub rays: [RayCounts; 2],
    /// The vertices on the surface of each.
    pub vertices: [usize; 2],
}

impl PairReport {
    /// What the rays say.
    pub fn finding(&self) -> Finding {
        let [a, b] = &self.rays;
        let inside = |k: usize| self.rays[k].left_first == self.vertices[k] && self.vertices[k] > 0;
        match (a.kept + b.kept, a.left_first + b.left_first) {
            (0, 0) => Finding::Apart,
            (0, _) if inside(0) || inside(1) => Finding::Inside,
            (0, _) => Finding::AllLeaveFirst,
            _ => Finding::Contact,
        }
    }
}

//! Rays against the parts of a tree.
//!
//! A triangle is met where the border of its projection along the ray winds about the ray, by the same products for both triangles
//! of an edge, so that no ray slips through between them (S. Woop, C. Benthin, I. Wald, *Watertight ray/triangle
//! intersection* 2013). Boxes and prisms are cut by half-spaces; together they are one solid, whose inner walls are no
//! surface.

use super::boxes::{bounds, point};
use super::height_field::HeightField;
use super::solid::turns_about;
use super::tree::{BoxSet, Hierarchy, PolytopeTree, TriMesh};
use crate::convex::{Line, Stretch};
use crate::polytope::shapes::Polytope;
use crate::surface::bounds::Aabb;
use nalgebra::Vector3;
use parry3d_f64::partitioning::{BvhNode, TraversalAction};

/// The first hit of a ray on a tree.
#[derive(Clone, Copy)]
pub(crate) struct TreeHit {
    /// The part; `None` where the ray begins inside a mesh.
    pub part: Option<u32>,
    /// The length along the ray.
    pub s: f64,
    /// The outward unit normal, or `None` where the ray begins inside a solid.
    pub normal: Option<Vector3<f64>>,
}

/// A ray with what its test of a box needs.
struct Probe<'a> {
    line: &'a Line,
    /// What rounding can change of a coordinate.
    slack: f64,
}

impl<'a> Probe<'a> {
    fn new(line: &'a Line, tree: &impl Hierarchy) -> Self {
        let Aabb { min, max } = bounds(tree.bvh());
        let extent = line.from.amax() + min.coords.amax() + max.coords.amax();
        Probe {
            line,
            slack: 8.0 * f64::EPSILON * extent,
        }
    }

    /// Returns where the ray comes into the box of a node, a little extended; infinity if it misses.
    fn reach(&self, node: &BvhNode) -> f64 {
        let Line { from, along } = self.line;
        let (min, max) = (point(node.mins()), point(node.maxs()));
        let (mut start, mut end) = (0.0_f64, f64::INFINITY);
        for i in 0..3 {
            let (low, high) = (min[i] - self.slack - from[i], max[i] + self.slack - from[i]);
            if along[i] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return f64::INFINITY;
                }
                continue;
            }
            let (a, b) = (low / along[i], high / along[i]);
            start = start.max(a.min(b));
            end = end.min(a.max(b));
        }
        // The quotients are rounded as well.
        if start * (1.0 - 4.0 * f64::EPSILON) <= end * (1.0 + 4.0 * f64::EPSILON) {
            start * (1.0 - 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }

    /// Returns the first of the hits that `hit` returns for parts, at most `last`.
    fn first(
        &self,
        tree: &impl Hierarchy,
        last: f64,
        hit: impl Fn(u32) -> Option<(f64, Option<Vector3<f64>>)>,
    ) -> Option<TreeHit> {
        let bvh = tree.bvh();
        let found = bvh.find_best(
            last.next_up(),
            |node, _| self.reach(node),
            |part, _| hit(part),
        );
        found.map(|(part, (s, normal))| TreeHit {
            part: Some(part),
            s,
            normal,
        })
    }

    /// Visits the parts whose boxes the ray meets.
    fn each(&self, tree: &impl Hierarchy, mut visit: impl FnMut(u32)) {
        tree.bvh().traverse(|node| {
            if self.reach(node) == f64::INFINITY {
                return TraversalAction::Prune;
            }
            if let Some(part) = node.leaf_data() {
                visit(part);
            }
            TraversalAction::Continue
        });
    }
}

/// Where a ray passes through a triangle.
struct Crossing {
    part: u32,
    s: f64,
    /// 1 where it leaves the solid, −1 where it enters; a ray through two edges may count otherwise.
    turns: i32,
    normal: Vector3<f64>,
}

/// Returns the first hit of a ray on a mesh within a length `last`: of a surface the first triangle, and of a solid the place
/// where it enters; inside, a body that is `filled` is hit at once, another one where the ray leaves it.
pub(crate) fn ray_hits_mesh(
    mesh: &TriMesh,
    line: &Line,
    last: f64,
    filled: bool,
) -> Option<TreeHit> {
    let probe = Probe::new(line, mesh);
    let along = line.along;
    let first = along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize();
    let across = [first, along.cross(&first)];
    let crossing = |part: u32| {
        let relative = mesh
            .part(part)
            .vertices()
            .first_chunk::<3>()?
            .map(|p| p.coords - line.from);
        let turns = turns_about(&across, &relative);
        if turns == 0 {
            return None;
        }
        let [a, b, c] = relative;
        let n = unit_normal(&a, &b, &c);
        let heights = relative.map(|r| along.dot(&r));
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Between the corners, also of a triangle without area.
        let s = n.map_or(low, |n| (n.dot(&a) / n.dot(&along)).max(low).min(high));
        let normal = n.unwrap_or(-along);
        (s >= 0.0).then_some(Crossing {
            part,
            s,
            turns,
            normal,
        })
    };
    if !mesh.is_solid() {
        let towards = |n: Vector3<f64>| if n.dot(&along) > 0.0 { -n } else { n };
        return probe.first(mesh, last, |part| {
            crossing(part).map(|c| (c.s, Some(towards(c.normal))))
        });
    }
    let Aabb { min, max } = mesh.aabb();
    let is_outside = (0..3).any(|i| line.from[i] < min[i] || line.from[i] > max[i]);
    let mut winding = 0;
    if !is_outside {
        probe.each(mesh, |part| {
            winding += crossing(part).map_or(0, |c| c.turns)
        });
    }
    if winding <= 0 {
        return probe.first(mesh, last, |part| {
            let found = crossing(part).filter(|c| c.turns < 0)?;
            Some((found.s, Some(found.normal)))
        });
    }
    if filled {
        return Some(TreeHit {
            part: None,
            s: 0.0,
            normal: None,
        });
    }
    let mut all = Vec::new();
    probe.each(mesh, |part| all.extend(crossing(part)));
    all.sort_by(|a, b| a.s.total_cmp(&b.s));
    let left = all.into_iter().find(|crossing| {
        winding -= crossing.turns;
        winding <= 0
    });
    left.filter(|c| c.s <= last).map(|c| TreeHit {
        part: Some(c.part),
        s: c.s,
        normal: Some(c.normal),
    })
}

/// Returns the first hit of a ray on a set of boxes, which is one solid, as [`ray_hits_mesh`] does.
pub(crate) fn ray_hits_boxes(
    set: &BoxSet,
    line: &Line,
    last: f64,
    filled: bool,
) -> Option<TreeHit> {
    let stretch = |part: u32| {
        let Aabb { min, max } = set.boxes()[part as usize];
        Stretch::in_box(line, &min.coords, &max.coords)
    };
    ray_hits_union(set, line, last, filled, stretch)
}

/// Returns the first hit of a ray on terrain, which is one solid, as [`ray_hits_mesh`] does.
pub(crate) fn ray_hits_terrain(
    field: &HeightField,
    line: &Line,
    last: f64,
    filled: bool,
) -> Option<TreeHit> {
    ray_hits_union(field, line, last, filled, |part| {
        in_prism(field, line, part)
    })
}

/// Returns the stretch of a line in a prism of terrain. A wall between two prisms has the normal of the surface above, for
/// the line that comes to the surface there.
fn in_prism(field: &HeightField, line: &Line, part: u32) -> Option<Stretch> {
    let prism = field.part(part);
    let [top @ .., _, _, _] = prism.corners();
    let [p, q, r] = top.map(|corner| corner.coords);
    let up = unit_normal(&p, &q, &r).map_or(Vector3::z(), |n| n * 1.0_f64.copysign(n.z));
    let down = -Vector3::z();
    let mut stretch = Stretch::whole().below(line, &up, up.dot(&p), up)?.below(
        line,
        &down,
        -field.bottom(),
        down,
    )?;
    let around = field.aabb();
    for (a, b, third) in [(p, q, r), (p, r, q), (q, r, p)] {
        let edge = b - a;
        let out = Vector3::new(edge.y, -edge.x, 0.0);
        let out = if out.dot(&(third - a)) > 0.0 {
            -out
        } else {
            out
        };
        let on_border = |axis: usize| {
            let place = a[axis];
            a[axis] == b[axis] && (place == around.min[axis] || place == around.max[axis])
        };
        let is_border = on_border(0) || on_border(1);
        let normal = if is_border {
            (out / out.amax()).normalize()
        } else {
            up
        };
        stretch = stretch.below(line, &out, out.dot(&a), normal)?;
    }
    Some(stretch)
}

/// Returns the normal of a triangle with anticlockwise corners; `None` of one without area.
fn unit_normal(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>) -> Option<Vector3<f64>> {
    let [e, f] = [b - a, c - a].map(|edge| edge / edge.amax());
    e.cross(&f).try_normalize(0.0)
}

/// Returns the first hit of a ray on the union of convex parts, as [`ray_hits_mesh`] does.
fn ray_hits_union(
    tree: &impl Hierarchy,
    line: &Line,
    last: f64,
    filled: bool,
    stretch: impl Fn(u32) -> Option<Stretch>,
) -> Option<TreeHit> {
    let probe = Probe::new(line, tree);
    let first = probe.first(tree, last, |part| {
        let Stretch { enter, .. } = stretch(part).filter(|stretch| stretch.leave.s >= 0.0)?;
        let is_inside = enter.s <= 0.0;
        Some((enter.s.max(0.0), (!is_inside).then_some(enter.normal)))
    })?;
    if filled || first.normal.is_some() {
        return Some(first);
    }
    // It leaves the union where no other part follows.
    let mut all = Vec::new();
    probe.each(tree, |part| {
        all.extend(stretch(part).map(|stretch| (part, stretch)))
    });
    all.sort_by(|(_, a), (_, b)| a.enter.s.total_cmp(&b.enter.s));
    let mut left: Option<TreeHit> = None;
    for (part, Stretch { enter, leave }) in all {
        let reached = left.map_or(0.0, |hit| hit.s);
        if enter.s > reached + probe.slack {
            break;
        }
        if leave.s >= reached {
            left = Some(TreeHit {
                part: Some(part),
                s: leave.s,
                normal: Some(leave.normal),
            });
        }
    }
    left.filter(|hit| hit.s <= last)
}

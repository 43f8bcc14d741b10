//! What crosses already where a scene begins: a cloth and itself, another one or a mesh. Nothing that comes later could take
//! it apart, as none of it is on one side; so such a scene is refused.

use crate::cloth::tree::{Box3, LEAF, Stack, Tree};
use crate::error::SceneError;
use crate::rigid::body::quaternion;
use crate::scene::{ClothContact, Scene, Shape};
use nalgebra::Vector3;

/// The edges and triangles of one cloth or mesh where it begins.
struct Surface {
    /// Its place in the scene.
    place: String,
    at: Vec<Vector3<f64>>,
    triangles: Vec<[u32; 3]>,
    /// Whether it meets itself, and whether it meets others.
    folds: bool,
    meets: bool,
    is_mesh: bool,
}

fn surfaces(scene: &Scene) -> Vec<Surface> {
    let cloths = scene.cloths.iter().enumerate().map(|(c, cloth)| Surface {
        place: format!("cloths[{c}]"),
        at: cloth.vertices.iter().map(|&v| v.into()).collect(),
        triangles: cloth.triangles.clone(),
        folds: cloth.self_contact,
        meets: cloth.contact == ClothContact::Exact,
        is_mesh: false,
    });
    let meshes = scene.bodies.iter().enumerate().filter_map(|(b, body)| {
        let Shape::Mesh {
            vertices,
            triangles,
        } = &body.shape
        else {
            return None;
        };
        let (q, x) = (quaternion(&body.orientation), Vector3::from(body.position));
        Some(Surface {
            place: format!("bodies[{b}].shape"),
            at: vertices.iter().map(|&v| q * Vector3::from(v) + x).collect(),
            triangles: triangles.clone(),
            folds: false,
            meets: true,
            is_mesh: true,
        })
    });
    cloths.chain(meshes).collect()
}

/// Checks that nothing crosses or touches where a validated scene begins.
pub(crate) fn crossed(scene: &Scene) -> Result<(), SceneError> {
    if scene.cloths.is_empty() {
        return Ok(());
    }
    let surfaces = surfaces(scene);
    for (i, first) in surfaces.iter().enumerate() {
        for second in &surfaces[..=i] {
            let same = std::ptr::eq(first, second);
            let wanted = if same {
                first.folds
            } else {
                first.meets && second.meets && !(first.is_mesh && second.is_mesh)
            };
            if !wanted {
                continue;
            }
            let mut found = pierced(first, second, same);
            if !same && found.is_none() {
                found = pierced(second, first, false).map(|[t, u]| [u, t]);
            }
            if let Some([t, u]) = found {
                let (a, b) = (&first.place, &second.place);
                return Err(SceneError::new(
                    format!("{a}.triangles[{t}]"),
                    format!("crosses {b}.triangles[{u}] where the scene begins"),
                ));
            }
        }
    }
    Ok(())
}

/// A triangle of the first surface with an edge that crosses a triangle of the second, and that triangle.
fn pierced(first: &Surface, second: &Surface, same: bool) -> Option<[usize; 2]> {
    let boxed = |surface: &Surface, t: u32| -> Box3 {
        let points = surface.triangles[t as usize].map(|v| surface.at[v as usize]);
        let start = (points[0], points[0]);
        points.iter().fold(start, |(l, h), p| (l.inf(p), h.sup(p)))
    };
    let tree_of = |surface: &Surface| {
        let centers = surface.triangles.iter();
        let centers = centers.map(|triangle| surface.at[triangle[0] as usize]);
        let mut tree = Tree::new(&centers.collect::<Vec<_>>(), LEAF);
        tree.refit(|t| boxed(surface, t));
        tree
    };
    let mut found: Option<[usize; 2]> = None;
    tree_of(first).meeting(&tree_of(second), &mut Stack::new(), |t, u| {
        let pair = [t as usize, u as usize];
        let (triangle, other) = (first.triangles[pair[0]], second.triangles[pair[1]]);
        let corners = other.map(|v| second.at[v as usize]);
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let ends = [triangle[i], triangle[j]];
            if same && ends.iter().any(|end| other.contains(end)) {
                continue;
            }
            if found.is_none_or(|found| pair < found)
                && crosses(ends.map(|v| first.at[v as usize]), &corners)
            {
                found = Some(pair);
            }
        }
    });
    found
}

/// Whether a segment crosses a triangle, or touches it but for rounding.
fn crosses([p, q]: [Vector3<f64>; 2], [a, b, c]: &[Vector3<f64>; 3]) -> bool {
    let normal = (b - a).cross(&(c - a));
    let (s, t) = (normal.dot(&(p - a)), normal.dot(&(q - a)));
    let size = normal.norm() * (q - p).norm();
    if s * t > 0.0 && s.abs().min(t.abs()) > 1e-12 * size {
        return false;
    }
    let inside = |x: &Vector3<f64>| {
        [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
            (*to - *from).cross(&(x - *from)).dot(&normal) > 1e-12 * normal.norm_squared()
        })
    };
    if (s - t).abs() <= 1e-12 * size {
        // In the plane of the triangle: an end inside touches it.
        return inside(&p) || inside(&q) || inside(&((p + q) * 0.5));
    }
    inside(&(p + (q - p) * (s / (s - t)).clamp(0.0, 1.0)))
}

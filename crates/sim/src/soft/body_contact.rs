//! Contact between a solid and a rigid body, by the same rays.
//!
//! The vertices of the solid cast their inward rays. A superovoid answers by its own ray query, which gives P₂ and n₂
//! exactly and needs no tree; a half-space in closed form; a mesh by its hierarchy, in its own frame. A rigid body casts
//! no rays back.
//!
//! The correction is that of two solids, with the body at P₂, and friction as on cloth: what P₁ moved across u since x₀,
//! relative to the body, is undone up to μ times the multiplier.

use crate::rigid::{ContactShape, RigidBody};
use crate::scene::Shape;
use crate::soft::ray::InwardRay;
use crate::soft::ray_contact::leaves_first;
use crate::soft::solid::SolidBody;
use crate::soft::still::StillMesh;
use nalgebra::{Point3, Vector3};
use superovoid::{Aabb, Ray, Superovoid};

/// A vertex of a solid inside a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyContact {
    pub solid: u32,
    pub vertex: u32,
    pub body: u32,
    /// u = −n₁ of the vertex.
    pub direction: Vector3<f64>,
    /// P₂ in the world frame at the start of the substep.
    pub point: Vector3<f64>,
    pub stiffness: f64,
    /// The coefficients of static and of kinetic friction.
    pub friction: [f64; 2],
}

/// Prepares the mesh of a validated body in its own frame; none for other shapes.
pub(crate) fn still_mesh(shape: &Shape) -> Option<StillMesh> {
    match shape {
        Shape::Mesh {
            vertices,
            triangles,
        } => StillMesh::new(vertices, triangles).ok(),
        _ => None,
    }
}

/// Calls `kept` with the vertex, u, P₂ and cos α of the vertices of a solid whose rays leave a body, which is given with
/// its box and its mesh, where it has them.
pub(crate) fn cast_all(
    solid: &SolidBody,
    (body, bounds, mesh): (&RigidBody, Option<&Aabb>, Option<&StillMesh>),
    mut kept: impl FnMut(u32, Vector3<f64>, Vector3<f64>, f64),
) {
    let at = solid.at();
    let [low, high] = solid.trees.hierarchy.bounds();
    if bounds.is_some_and(|b| (0..3).any(|k| b.min[k] > high[k] || b.max[k] < low[k])) {
        return;
    }
    for (v, x) in solid.x.iter().enumerate() {
        let outside = |k: usize| bounds.is_some_and(|b| x[k] < b.min[k] || x[k] > b.max[k]);
        if (0..3).any(outside) || solid.surface.faces_of(v).is_empty() {
            continue;
        }
        let Some(ray) = InwardRay::new(*x, -solid.shapes.normals[v]) else {
            continue;
        };
        let met = match &body.shape {
            ContactShape::Superovoid(shape) => leaves_superovoid(shape, body, &ray),
            ContactShape::HalfSpace => leaves_half_space(body, &ray),
            ContactShape::Mesh(_) => mesh.and_then(|mesh| leaves_mesh(mesh, body, &ray)),
        };
        if let Some((s, normal)) = met
            && !leaves_first(&at, v as u32, &ray, s)
        {
            let cosine = ray.direction.dot(&normal).min(1.0);
            kept(v as u32, ray.direction, ray.at(s), cosine);
        }
    }
}

/// The way s and the normal where a ray that begins in the body leaves it.
type Exit = Option<(f64, Vector3<f64>)>;

fn leaving(ray: &InwardRay, s: f64, normal: Vector3<f64>) -> Exit {
    (s > 0.0 && s.is_finite() && ray.direction.dot(&normal) > 0.0).then_some((s, normal))
}

fn leaves_superovoid(shape: &Superovoid, body: &RigidBody, ray: &InwardRay) -> Exit {
    let asked = Ray {
        origin: Point3::from(ray.origin),
        direction: ray.direction,
    };
    // A shell is met where the ray leaves it, if it begins inside, and else where it enters, against (i).
    let hit = shape
        .ray_cast(&body.pose(), &asked, f64::INFINITY, false)
        .ok()??;
    leaving(ray, hit.time_of_impact, *hit.normal)
}

fn leaves_half_space(body: &RigidBody, ray: &InwardRay) -> Exit {
    let normal: Vector3<f64> = body.rotation.column(2).into();
    let height = normal.dot(&(ray.origin - body.x));
    leaving(ray, -height / normal.dot(&ray.direction), normal)
}

fn leaves_mesh(mesh: &StillMesh, body: &RigidBody, ray: &InwardRay) -> Exit {
    let pose = body.pose();
    let origin = pose
        .inverse_transform_point(&Point3::from(ray.origin))
        .coords;
    let local = InwardRay::new(origin, pose.rotation.inverse() * ray.direction)?;
    let mesh = mesh.at();
    let met = mesh
        .trees
        .first((mesh.surface, mesh.x), &local, f64::INFINITY, &[])?;
    if !met.hit.leaves {
        return None;
    }
    leaving(
        ray,
        met.hit.s,
        pose.rotation * mesh.shapes.faces[met.triangle as usize],
    )
}

impl BodyContact {
    /// u·(P₁ − P₂) after a substep of length h in which the vertex keeps its velocity and the body goes on; not negative
    /// where they part.
    pub fn foreseen(&self, solid: &SolidBody, body: &RigidBody, h: f64) -> f64 {
        let v = self.vertex as usize;
        let carried = body.displacement(&(self.point - body.x));
        self.direction
            .dot(&(solid.x0[v] + solid.v[v] * h - self.point - carried))
    }

    /// Corrects the contact once in a substep of length h.
    pub fn solve(&self, solid: &mut SolidBody, body: &mut RigidBody, h: f64) {
        let v = self.vertex as usize;
        let u = &self.direction;
        let arm = self.point - body.x;
        let error = u.dot(&(solid.x[v] - self.point - body.displacement(&arm)));
        if error >= 0.0 {
            return;
        }
        let (own, soft) = (solid.w[v], 1.0 / (self.stiffness * h * h));
        let load = -error / (own + body.weight(&arm, u) + soft);
        if !load.is_finite() {
            return;
        }
        solid.x[v] += u * (load * own);
        body.push(&arm, &(u * -load));
        let arm = solid.x0[v] - body.x;
        let slip = solid.x[v] - solid.x0[v] - body.displacement(&arm);
        let slip = slip - u * u.dot(&slip);
        let length = slip.norm();
        if length <= 1e-15 {
            return;
        }
        let along = slip / length;
        let holding = length / (own + body.weight(&arm, &along));
        let [stick, slide] = self.friction;
        let grip = if holding <= stick * load {
            holding
        } else {
            slide * load
        };
        solid.x[v] -= along * (grip * own);
        body.push(&arm, &(along * grip));
    }
}

//! What of a cloth overlaps a body at the end of a frame, and is taken back.
//!
//! A triangle and a body are apart if a plane has the body behind it and the triangle before it. The planes that are known
//! are tried first, then directions that nearly always separate, then the exact query. Where the start of a frame had no
//! overlap, taking back to it what overlaps, with what that brings to overlap, ends with none: at worst everything goes
//! back.

use crate::cloth::ClothSystem;
use crate::cloth::fabric::FabricBody;
use crate::cloth::faces::{apart, least, separated};
use crate::cloth::near::{Known, Near};
use crate::rigid::system::grown;
use crate::rigid::{ContactShape, RigidBody};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::polytope::{Triangle, polytope_contact};
use superovoid::{Aabb, QueryOptions, Superovoid};

/// The triangles that share a box.
const BLOCK: usize = 32;

impl ClothSystem {
    /// Lists the triangles of cloths that are awake that overlap superovoids or half-spaces: cloth, triangle, body.
    pub fn overlaps(&self, bodies: &[RigidBody]) -> Vec<[usize; 3]> {
        let mut found = Vec::new();
        let awake = |(_, cloth): &(usize, &FabricBody)| !cloth.asleep;
        for (c, cloth) in self.cloths.iter().enumerate().filter(awake) {
            let at = |t: &[u32; 3]| t.map(|v| self.particles.x[v as usize]);
            let boxes: Vec<Aabb> = cloth.triangles.iter().map(|t| bounds(&at(t))).collect();
            let blocks: Vec<Aabb> = boxes.chunks(BLOCK).map(joined).collect();
            for (b, body) in bodies.iter().enumerate() {
                let aabb = body.aabb();
                let meets = |bounds: &Aabb| aabb.is_none_or(|aabb| aabb.intersects(bounds));
                for k in (0..blocks.len()).filter(|&k| meets(&blocks[k])) {
                    for t in k * BLOCK..(k * BLOCK + BLOCK).min(boxes.len()) {
                        let near = &self.near[c][b];
                        let v = cloth.triangles[t].map(|v| v as usize - cloth.range.start);
                        if meets(&boxes[t]) && overlaps(body, near, t, v, &at(&cloth.triangles[t]))
                        {
                            found.push([c, t, b]);
                        }
                    }
                }
            }
        }
        found
    }

    /// Takes the vertices of a triangle back to where they were; returns whether any of them was elsewhere.
    pub fn take_back(&mut self, c: usize, t: usize, begin: &[Vector3<f64>]) -> bool {
        let mut moved = false;
        for v in self.cloths[c].triangles[t].map(|v| v as usize) {
            moved |= self.particles.x[v] != begin[v];
            self.particles.x[v] = begin[v];
            self.particles.v[v] = Vector3::zeros();
        }
        moved
    }

    /// Follows the shape of a body within a frame: the planes of its contacts have it behind them.
    pub fn reshaped(&mut self, b: usize, body: &RigidBody) {
        let ContactShape::Superovoid(shape) = &body.shape else {
            return;
        };
        for c in 0..self.cloths.len() {
            let of = |index: u32| index as usize == b;
            for contact in self.contacts[c].iter_mut().filter(|k| of(k.body)) {
                contact.offset =
                    shape.support(&contact.normal).value - contact.normal.dot(&body.center);
            }
            let faces = &mut self.near[c][b].faces;
            for contact in self.faces[c].iter_mut().filter(|k| of(k.body)) {
                contact.offset =
                    shape.support(&contact.normal).value - contact.normal.dot(&body.center);
                if let Some(face) = &mut faces[contact.triangle as usize] {
                    face.support = shape.support(&face.normal).value;
                }
            }
        }
    }

    /// Follows the shape of a body whose surface has changed by at most `change` in a frame.
    pub fn grown(&mut self, b: usize, body: &RigidBody, change: f64) {
        let ContactShape::Superovoid(shape) = &body.shape else {
            return;
        };
        for near in self.near.iter_mut().map(|near| &mut near[b]) {
            for known in &mut near.known {
                known.clearance -= change;
                if known.has_plane() {
                    known.offset = shape.support(&known.normal).value;
                }
            }
            for face in near.faces.iter_mut().flatten() {
                face.support = shape.support(&face.normal).value;
                face.rough = true;
            }
        }
    }
}

fn overlaps(
    body: &RigidBody,
    near: &Near,
    t: usize,
    v: [usize; 3],
    corners: &[Vector3<f64>; 3],
) -> bool {
    let origin = body.pose().translation.vector;
    let local = corners.map(|x| body.rotation.tr_mul(&(x - origin)));
    match &body.shape {
        ContactShape::HalfSpace => local.iter().any(|x| x.z < 0.0),
        ContactShape::Mesh(_) => false,
        ContactShape::Superovoid(shape) => {
            let nothing = Known::NOTHING;
            let known = v.map(|v| near.known.get(v).unwrap_or(&nothing));
            let in_front = |n: &Vector3<f64>, support: f64| least(n, &local) > support;
            let face = near.faces.get(t).and_then(Option::as_ref);
            let proven = known
                .iter()
                .any(|k| k.has_plane() && in_front(&k.normal, k.offset))
                || face.is_some_and(|face| in_front(&face.normal, face.support))
                || separated(shape, &known, &local, 0.0).1 > 0.0;
            !proven && asked(shape, &local)
        }
    }
}

/// Asks the exact queries whether a triangle overlaps a body.
fn asked(shape: &Superovoid, corners: &[Vector3<f64>; 3]) -> bool {
    if let Some(face) = apart(shape, corners, None)
        && least(&face.normal, corners) > face.support
    {
        return false;
    }
    let here = Isometry3::identity();
    let Ok(triangle) = Triangle::new(corners.map(Point3::from)) else {
        return true;
    };
    let answer = polytope_contact(shape, &here, &triangle, &here, &QueryOptions::default());
    !answer.is_ok_and(|contact| contact.distance > 0.0)
}

fn bounds(corners: &[Vector3<f64>; 3]) -> Aabb {
    let [a, b, c] = corners;
    Aabb {
        min: Point3::from(a.inf(b).inf(c)),
        max: Point3::from(a.sup(b).sup(c)),
    }
}

fn joined(boxes: &[Aabb]) -> Aabb {
    let first = grown(&boxes[0], 0.0);
    boxes[1..].iter().fold(first, |all, b| Aabb {
        min: all.min.inf(&b.min),
        max: all.max.sup(&b.max),
    })
}

//! A sequence of OBJ files: one of what stays, and one for each frame of what moves (feature `obj`).

use crate::recording::moving_bodies;
use crate::scene::{Body, Scene, Shape};
use crate::state::{BodyState, State};
use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion};
use std::io::{self, Write};
use superovoid::surface::write_obj;
use superovoid::{Superovoid, TriangleMesh};

/// Writes the bodies and cloths of a scene as OBJ files, an object for each, named `body_3_`, `cloth_0_` or `solid_0_` and its
/// name.
/// Half-spaces have no end and are left out.
pub struct ObjFrames {
    /// The meshes in the frames of their bodies; none for half-spaces.
    meshes: Vec<Option<TriangleMesh>>,
    names: Vec<String>,
    moving: Vec<usize>,
    /// Cloths, and solids after them.
    cloths: Vec<(String, Vec<[u32; 3]>)>,
}

impl ObjFrames {
    /// Makes the meshes of a scene's bodies. A superovoid has `segments` edges around (see
    /// [`Superovoid::tessellate`]).
    pub fn new(scene: &Scene, segments: usize) -> Self {
        let name = |kind: &str, i: usize, name: &str| {
            let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
            let name: String = name.chars().map(plain).collect();
            format!("{kind}_{i}_{name}")
        };
        let bodies = scene.bodies.iter().enumerate();
        let cloths = scene.cloths.iter().enumerate();
        let solids = scene.solids.iter().enumerate();
        ObjFrames {
            meshes: scene.bodies.iter().map(|b| mesh(b, segments)).collect(),
            names: bodies.map(|(i, b)| name("body", i, &b.name)).collect(),
            moving: moving_bodies(scene),
            cloths: cloths
                .map(|(i, c)| (name("cloth", i, &c.name), c.triangles.clone()))
                .chain(solids.map(|(i, s)| (name("solid", i, &s.name), s.triangles.clone())))
                .collect(),
        }
    }

    /// Writes the bodies that never move.
    ///
    /// # Errors
    /// The errors are those of `out`, and coordinates that single precision cannot hold.
    pub fn still(&self, state: &State, out: impl Write) -> io::Result<()> {
        let still = (0..self.meshes.len()).filter(|i| self.moving.binary_search(i).is_err());
        self.write(still.collect::<Vec<_>>().as_slice(), &[], state, out)
    }

    /// Writes the cloths, the solids and the bodies that can move.
    ///
    /// # Errors
    /// The errors are those of `out`, and coordinates that single precision cannot hold.
    pub fn moving(&self, state: &State, out: impl Write) -> io::Result<()> {
        self.write(&self.moving, &self.cloths, state, out)
    }

    fn write(
        &self,
        bodies: &[usize],
        cloths: &[(String, Vec<[u32; 3]>)],
        state: &State,
        out: impl Write,
    ) -> io::Result<()> {
        let mut meshes: Vec<(&str, TriangleMesh)> = Vec::new();
        for &i in bodies {
            if let (Some(mesh), Some(at)) = (&self.meshes[i], state.bodies.get(i)) {
                meshes.push((&self.names[i], moved(mesh, at)));
            }
        }
        let at = state.cloths.iter().map(|cloth| &cloth.positions);
        let at = at.chain(state.solids.iter().map(|solid| &solid.positions));
        for ((name, triangles), at) in cloths.iter().zip(at) {
            let vertices = at.iter().map(|&p| Point3::from(p)).collect();
            let triangles = triangles.clone();
            let mesh = TriangleMesh {
                vertices,
                triangles,
            };
            meshes.push((name, mesh));
        }
        let named: Vec<_> = meshes.iter().map(|(name, mesh)| (*name, mesh)).collect();
        write_obj(out, &named)
    }
}

fn mesh(body: &Body, segments: usize) -> Option<TriangleMesh> {
    match &body.shape {
        Shape::Superovoid {
            semi_axes,
            exponents,
            tapers,
        } => Superovoid::new(*semi_axes, *exponents, *tapers)
            .ok()
            .map(|shape| shape.tessellate(segments)),
        Shape::HalfSpace => None,
        Shape::Mesh {
            vertices,
            triangles,
        } => Some(TriangleMesh {
            vertices: vertices.iter().map(|&v| Point3::from(v)).collect(),
            triangles: triangles.clone(),
        }),
    }
}

fn moved(mesh: &TriangleMesh, at: &BodyState) -> TriangleMesh {
    let [w, x, y, z] = at.orientation;
    let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    let pose = Isometry3::from_parts(Point3::from(at.position).into(), turn);
    TriangleMesh {
        vertices: mesh.vertices.iter().map(|v| pose * v).collect(),
        triangles: mesh.triangles.clone(),
    }
}

//! The obstacles of a robot, as the document that the page reads.

use anyhow::{Result, bail};
use serde::Serialize;
use std::sync::Arc;
use superovoid::Shape;
use superovoid::bvh::TriMesh;
use superovoid::convex::ConvexKind;
use superovoid_robot::scene::RobotScene;

/// The version comes first: the page knows the document by its beginning.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    obstacles: Vec<Obstacle<'a>>,
    meshes: Vec<Mesh<'a>>,
}

#[derive(Serialize)]
struct Obstacle<'a> {
    name: &'a str,
    /// The position and the quaternion, whose scalar is last.
    pose: [f64; 7],
    shape: Parts,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Parts {
    Superovoid([f64; 7]),
    /// The edge lengths.
    Box([f64; 3]),
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    Cone {
        radius: f64,
        length: f64,
    },
    /// The place among the meshes.
    Mesh(usize),
}

#[derive(Serialize)]
struct Mesh<'a> {
    vertices: Vec<[f64; 3]>,
    triangles: &'a [[u32; 3]],
}

/// Writes the obstacles of a scene; an error names one whose shape the page does not have.
pub fn document(scene: &RobotScene) -> Result<Vec<u8>> {
    let scene = scene.scene();
    let mut obstacles = Vec::new();
    let mut meshes: Vec<&Arc<TriMesh>> = Vec::new();
    for id in scene.ids() {
        if !scene.is_obstacle(id)? {
            continue;
        }
        let name = scene.group_name(scene.group_of(id)?).unwrap_or_default();
        let Some(shape) = parts(scene.shape(id)?, &mut meshes) else {
            bail!("obstacle {name:?}: the studio has no shape of this kind");
        };
        let pose = scene.pose(id)?;
        let ([x, y, z], [i, j, k, w]) =
            (pose.translation.vector.into(), pose.rotation.coords.into());
        obstacles.push(Obstacle {
            name,
            pose: [x, y, z, i, j, k, w],
            shape,
        });
    }
    let meshes = meshes.into_iter().map(|mesh| Mesh {
        vertices: mesh.vertices().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles(),
    });
    let document = Document {
        version: 1,
        obstacles,
        meshes: meshes.collect(),
    };
    Ok(serde_json::to_vec(&document)?)
}

fn parts<'a>(shape: &'a Shape, meshes: &mut Vec<&'a Arc<TriMesh>>) -> Option<Parts> {
    Some(match shape {
        Shape::Superovoid(shape) => {
            let ([a1, a2, a3], [e1, e2]) = (shape.semi_axes(), shape.exponents());
            let [tx, ty] = shape.tapers();
            Parts::Superovoid([a1, a2, a3, e1, e2, tx, ty])
        }
        Shape::Convex(shape) => match shape.kind() {
            ConvexKind::Cuboid(half) => Parts::Box(half.map(|x| 2.0 * x)),
            ConvexKind::Cylinder(radius, length) => Parts::Cylinder { radius, length },
            ConvexKind::Capsule(radius, length) => Parts::Capsule { radius, length },
            ConvexKind::Cone(radius, length) => Parts::Cone { radius, length },
            _ => return None,
        },
        Shape::Mesh(mesh) => {
            let known = meshes.iter().position(|other| Arc::ptr_eq(other, mesh));
            Parts::Mesh(known.unwrap_or_else(|| {
                meshes.push(mesh);
                meshes.len() - 1
            }))
        }
        _ => return None,
    })
}

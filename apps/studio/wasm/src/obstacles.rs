//! The obstacles of a robot: a document in JSON with their shapes, which are those of a robot's bodies.

use crate::types::{Numbers, Pose, Thrown};
use nalgebra::{Isometry3, Point3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use superovoid::bvh::TriMesh;
use superovoid::convex::ConvexShape;
use superovoid::{Shape, TriangleMesh};
use superovoid_fit::Mesh as FileMesh;
use superovoid_json::from_json;
use tsify::Tsify;

/// The version of the documents that are read.
const VERSION: u32 = 1;

/// The shape of a body, for drawing.
#[derive(Clone, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum ShapeParts {
    Superovoid(Numbers),
    /// The edge lengths.
    Box([f64; 3]),
    /// The length is along z.
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// The length is along z, without the caps.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// The length is along z, from the base at −z to the apex.
    Cone {
        radius: f64,
        length: f64,
    },
    /// The place among the meshes.
    Mesh(usize),
}

impl ShapeParts {
    fn shape(&self, meshes: &[Arc<TriMesh>]) -> Result<Shape, Thrown> {
        Ok(match *self {
            ShapeParts::Superovoid(ref numbers) => numbers.shape("superovoid")?.into(),
            ShapeParts::Box(size) => ConvexShape::cuboid(size.map(|length| 0.5 * length))?.into(),
            ShapeParts::Cylinder { radius, length } => {
                ConvexShape::cylinder(radius, length)?.into()
            }
            ShapeParts::Capsule { radius, length } => ConvexShape::capsule(radius, length)?.into(),
            ShapeParts::Cone { radius, length } => ConvexShape::cone(radius, length)?.into(),
            ShapeParts::Mesh(place) => {
                let mesh = meshes.get(place);
                Shape::Mesh(Arc::clone(
                    mesh.ok_or_else(|| Thrown(format!("there is no mesh {place}")))?,
                ))
            }
        })
    }
}

/// An obstacle, as it is drawn.
#[derive(Clone, Serialize, Deserialize, Tsify)]
#[serde(deny_unknown_fields)]
pub struct ObstacleParts {
    pub name: String,
    /// The pose in the frame of the robot's root.
    pub pose: Pose,
    pub shape: ShapeParts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "version")]
    _version: u32,
    obstacles: Vec<ObstacleParts>,
    #[serde(default)]
    meshes: Vec<MeshArrays>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeshArrays {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// An obstacle, as the queries take it.
pub struct Obstacle {
    pub parts: ObstacleParts,
    pub shape: Shape,
    pub pose: Isometry3<f64>,
}

/// Reads obstacles, and the meshes among which their shapes have places. An error tells the place of what is wrong.
pub fn read(text: &str) -> Result<(Vec<Obstacle>, Vec<Arc<TriMesh>>), Thrown> {
    let document: Document = from_json(text, VERSION)?;
    let meshes = (0..).zip(document.meshes).map(|(place, arrays)| {
        tree(arrays).map_err(|problem| Thrown(format!("meshes[{place}]: {problem}")))
    });
    let meshes: Vec<Arc<TriMesh>> = meshes.collect::<Result<_, _>>()?;
    let obstacles = (0..).zip(document.obstacles).map(|(place, parts)| {
        let of = |Thrown(problem)| Thrown(format!("obstacles[{place}]: {problem}"));
        Ok(Obstacle {
            shape: parts.shape.shape(&meshes).map_err(of)?,
            pose: parts.pose.isometry("pose").map_err(of)?,
            parts,
        })
    });
    Ok((obstacles.collect::<Result<_, Thrown>>()?, meshes))
}

fn tree(arrays: MeshArrays) -> Result<Arc<TriMesh>, String> {
    let MeshArrays {
        vertices,
        triangles,
    } = arrays;
    let vertices: Vec<Point3<f64>> = vertices.into_iter().map(Point3::from).collect();
    // Only this one refuses triangles without their vertices.
    let mesh = FileMesh::try_from(TriangleMesh {
        vertices,
        triangles,
    });
    let mesh = mesh.map_err(|error| error.to_string())?;
    let tree = TriMesh::try_from(TriangleMesh::from(mesh));
    tree.map(Arc::new).map_err(|error| error.to_string())
}

//! What is known about the hands: links, joints and collision meshes.

use anyhow::{Context, Result, bail};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use superovoid_fit::{Mesh, ReadLimits, read_mesh};

/// hands.json: metres, radians.
#[derive(Deserialize)]
pub struct Facts {
    pub source_repo: String,
    pub commit: String,
    pub source_urdf: String,
    pub licence: String,
    hands: Hands,
}

#[derive(Deserialize)]
struct Hands {
    left: Hand,
    right: Hand,
}

#[derive(Deserialize)]
pub struct Hand {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
}

#[derive(Deserialize)]
pub struct Link {
    pub name: String,
    /// "palm", "thumb" and so on.
    finger: String,
    collision: Vec<Collision>,
}

#[derive(Deserialize)]
struct Collision {
    origin: Origin,
    geometry: Geometry,
}

#[derive(Deserialize)]
struct Geometry {
    file: String,
    scale: [f64; 3],
}

#[derive(Clone, Copy, Deserialize)]
pub struct Origin {
    pub xyz: [f64; 3],
    pub rpy: [f64; 3],
}

#[derive(Deserialize)]
pub struct Joint {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub parent: String,
    pub child: String,
    pub origin: Origin,
    pub axis: Option<[f64; 3]>,
    pub limit: Option<Limit>,
}

#[derive(Clone, Copy, Deserialize)]
pub struct Limit {
    pub lower: f64,
    pub upper: f64,
    pub effort: f64,
    pub velocity: f64,
}

/// A link that has a collision mesh.
pub struct LinkHull {
    pub name: String,
    pub finger: String,
    /// The mesh's convex hull in the link's frame.
    pub hull: Mesh,
}

/// Share of its hull's volume that every mesh here must fill to be followed by its hull.
const FILLED: f64 = 0.99;

impl Facts {
    pub fn read(folder: &Path) -> Result<Facts> {
        let path = folder.join("hands.json");
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{}: FACTS must hold hands.json", path.display()))?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// The hands with their sides.
    pub fn hands(&self) -> [(&'static str, &Hand); 2] {
        [("left", &self.hands.left), ("right", &self.hands.right)]
    }

    /// The hulls of all links that have a mesh, in the order of the links.
    pub fn hulls(&self, folder: &Path) -> Result<Vec<LinkHull>> {
        let hands = self.hands();
        let links = hands.iter().flat_map(|(_, hand)| &hand.links);
        let mut hulls = Vec::new();
        for link in links {
            match link.collision.as_slice() {
                [] => {}
                [collision] => hulls.push(LinkHull {
                    name: link.name.clone(),
                    finger: link.finger.clone(),
                    hull: hull(folder, collision).with_context(|| link.name.clone())?,
                }),
                _ => bail!("{}: several collision meshes, expected one", link.name),
            }
        }
        Ok(hulls)
    }
}

fn hull(folder: &Path, collision: &Collision) -> Result<Mesh> {
    let mesh = read_mesh(
        folder.join(&collision.geometry.file),
        &ReadLimits::default(),
    )?;
    let ([x, y, z], [roll, pitch, yaw]) = (collision.origin.xyz, collision.origin.rpy);
    let pose = Isometry3::from_parts(
        Translation3::new(x, y, z),
        UnitQuaternion::from_euler_angles(roll, pitch, yaw),
    );
    let scale = collision.geometry.scale;
    let placed =
        |v: &Point3<f64>| pose * Point3::new(v.x * scale[0], v.y * scale[1], v.z * scale[2]);
    let vertices = mesh.vertices().iter().map(placed).collect();
    let mesh = Mesh::new(vertices, mesh.triangles().to_vec())?;
    let hull = mesh.hull().context("the mesh is flat")?;
    // Negative volumes are those of meshes that face inwards.
    let volumes = mesh.volume().zip(hull.volume());
    let (own, whole) = volumes.context("the mesh is not closed")?;
    if own.abs() < FILLED * whole {
        bail!(
            "the mesh fills only {:.1} % of its hull",
            100.0 * own.abs() / whole
        );
    }
    Ok(hull)
}

//! The hands as triangle meshes, for parry3d.

use super::Hands;
use crate::parry;
use anyhow::{Context, Result, ensure};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher};
use parry3d_f64::shape::{ConvexPolyhedron, TriMesh};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use superovoid_fit::{ReadLimits, read_mesh};

/// A mesh for every body of the hands, in the same order.
pub struct Meshes {
    /// What this version is called in the report.
    pub name: String,
    parts: Vec<Part>,
}

struct Part {
    /// Index of the link that it is fixed to.
    link: usize,
    /// In the frame of the link.
    surface: TriMesh,
    hull: ConvexPolyhedron,
}

/// Edges around a ring: 266 vertices, the nearest to the paper's 290.
const SEGMENTS: usize = 24;

impl Meshes {
    /// Our own meshes of the superovoids: 266 vertices and 528 triangles each.
    ///
    /// # Errors
    /// A mesh that parry3d refuses.
    pub fn of_superovoids(hands: &Hands) -> Result<Self> {
        let part = |(k, body): (usize, &superovoid_robot::SuperovoidBody)| {
            let mesh = body.shape.tessellate(SEGMENTS);
            let vertices = mesh.vertices.iter().map(|v| body.pose * v).collect();
            Part::new(body.link, vertices, mesh.triangles).with_context(|| hands.link(k).to_owned())
        };
        let parts: Result<Vec<Part>> = hands.bodies.iter().enumerate().map(part).collect();
        Ok(Meshes {
            name: "meshes of the superovoids".to_owned(),
            parts: parts?,
        })
    }

    /// The robot's own collision meshes, from a folder with `hands.json` and the files that it names.
    ///
    /// # Errors
    /// A file that cannot be read, or a link without exactly one mesh.
    pub fn of_robot(hands: &Hands, folder: &Path) -> Result<Self> {
        let path = folder.join("hands.json");
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let facts: Facts =
            serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        let links: HashMap<String, Vec<FactsCollision>> = facts
            .hands
            .into_values()
            .flat_map(|hand| hand.links)
            .map(|link| (link.name, link.collision))
            .collect();
        let part = |(k, body): (usize, &superovoid_robot::SuperovoidBody)| {
            let name = hands.link(k);
            let collisions = links.get(name).map_or(&[][..], Vec::as_slice);
            ensure!(
                collisions.len() == 1,
                "{}: {} collision meshes of {name}; expected one",
                path.display(),
                collisions.len()
            );
            collisions[0].part(folder, body.link)
        };
        let parts: Result<Vec<Part>> = hands.bodies.iter().enumerate().map(part).collect();
        Ok(Meshes {
            name: "the robot's meshes".to_owned(),
            parts: parts?,
        })
    }

    /// The least and the greatest number of vertices of a mesh.
    pub fn vertices(&self) -> [usize; 2] {
        let counts = self.parts.iter().map(|part| part.surface.vertices().len());
        counts.fold([usize::MAX, 0], |[low, high], n| [low.min(n), high.max(n)])
    }

    /// The poses of the meshes, from those of the links.
    pub fn at(&self, links: &[Isometry3<f64>]) -> Vec<Pose> {
        let place = |part: &Part| parry::pose(&links[part.link]);
        self.parts.iter().map(place).collect()
    }

    /// Whether the spheres about two meshes share a point.
    pub fn near(&self, pair: [usize; 2], poses: &[Pose]) -> bool {
        let [a, b] = pair.map(|k| {
            let sphere = self.parts[k].surface.local_bounding_sphere();
            (poses[k] * sphere.center(), sphere.radius())
        });
        (b.0 - a.0).length() <= a.1 + b.1
    }

    /// The signed distance of two hulls, by GJK and EPA; `None` where these do not converge.
    pub fn hull_distance(&self, pair: [usize; 2], poses: &[Pose]) -> Option<f64> {
        let [a, b] = pair.map(|k| &self.parts[k].hull);
        parry::hull_distance(&relative(pair, poses), a, b)
    }

    /// Whether two surfaces cross, by their bounding-volume hierarchies; `None` where parry3d cannot tell.
    pub fn surfaces_cross(&self, pair: [usize; 2], poses: &[Pose]) -> Option<bool> {
        let [a, b] = pair.map(|k| &self.parts[k].surface);
        let found = DefaultQueryDispatcher.intersection_test(&relative(pair, poses), a, b);
        found.ok().map(|found| found.intersecting)
    }

    /// The distance of two surfaces, 0 where they cross, by their bounding-volume hierarchies; `None` where
    /// parry3d cannot tell.
    pub fn surface_distance(&self, pair: [usize; 2], poses: &[Pose]) -> Option<f64> {
        let [a, b] = pair.map(|k| &self.parts[k].surface);
        let found = DefaultQueryDispatcher.distance(&relative(pair, poses), a, b);
        found.ok().map(|found| found.distance)
    }
}

/// The pose of the second mesh in the frame of the first.
fn relative([a, b]: [usize; 2], poses: &[Pose]) -> Pose {
    poses[a].inv_mul(&poses[b])
}

impl Part {
    fn new(link: usize, vertices: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Part> {
        let vertices: Vec<Vector> = vertices.iter().map(parry::vector).collect();
        let hull = ConvexPolyhedron::from_convex_hull(&vertices).context("no convex hull")?;
        let surface = TriMesh::new(vertices, triangles)?;
        Ok(Part {
            link,
            surface,
            hull,
        })
    }
}

#[derive(Deserialize)]
struct Facts {
    hands: HashMap<String, FactsHand>,
}

#[derive(Deserialize)]
struct FactsHand {
    links: Vec<FactsLink>,
}

#[derive(Deserialize)]
struct FactsLink {
    name: String,
    collision: Vec<FactsCollision>,
}

#[derive(Deserialize)]
struct FactsCollision {
    origin: FactsOrigin,
    geometry: FactsGeometry,
}

#[derive(Deserialize)]
struct FactsOrigin {
    /// Metres.
    xyz: [f64; 3],
    /// Radians, as in URDF.
    rpy: [f64; 3],
}

#[derive(Deserialize)]
struct FactsGeometry {
    file: String,
    scale: [f64; 3],
}

impl FactsCollision {
    fn part(&self, folder: &Path, link: usize) -> Result<Part> {
        let path = folder.join(&self.geometry.file);
        let mesh = read_mesh(&path, &ReadLimits::default())?;
        let [roll, pitch, yaw] = self.origin.rpy;
        let origin = Isometry3::from_parts(
            Translation3::from(self.origin.xyz),
            UnitQuaternion::from_euler_angles(roll, pitch, yaw),
        );
        let scale = self.geometry.scale;
        let place =
            |v: &Point3<f64>| origin * Point3::new(scale[0] * v.x, scale[1] * v.y, scale[2] * v.z);
        let vertices = mesh.vertices().iter().map(place).collect();
        Part::new(link, vertices, mesh.triangles().to_vec())
            .with_context(|| path.display().to_string())
    }
}

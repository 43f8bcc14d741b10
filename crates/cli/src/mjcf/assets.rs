//! The robot's own meshes, copied.

use crate::export::Solid;
use crate::export::mesh_files::MeshFiles;
use crate::export::meshes::Meshes;
use crate::export::model::OwnMeshes;
use std::collections::HashMap;
use superovoid_robot::Geometry;

/// The addresses of the meshes that were copied, each once however many links have it.
#[derive(Default)]
pub struct Copies {
    copied: HashMap<(String, [u64; 3]), String>,
}

impl OwnMeshes for Copies {
    fn shape(
        &mut self,
        link: &str,
        geometry: &Geometry,
        meshes: &Meshes,
        files: &mut MeshFiles,
    ) -> Option<Solid> {
        let Geometry::Mesh { filename, scale } = geometry else {
            return None;
        };
        let mesh = meshes.get(geometry)?;
        let key = (filename.clone(), scale.map(f64::to_bits));
        let copy = || files.add(link, mesh.mesh().clone());
        let address = self.copied.entry(key).or_insert_with(copy);
        Some(Solid::mesh(address.clone()))
    }
}

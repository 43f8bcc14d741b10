//! OBJ and STL files of triangle meshes (feature `mesh-io`).
//!
//! Both libraries hold coordinates in single precision, so a written file follows the mesh to about 1e-7 of the
//! largest coordinate: it serves viewers, printers and simulators that want meshes, not exact queries. Indices are
//! kept in OBJ, and equal vertices become equal triples in STL, so a watertight mesh stays watertight.

use super::triangle_mesh::{MeshError, TriangleMesh};
use nalgebra::Point3;
use obj::{Group, IndexTuple, ObjData, ObjError, Object, SimplePolygon};
use std::io::{Error, ErrorKind, Result, Write};

impl TriangleMesh {
    /// Writes the mesh as a Wavefront OBJ file with one object, `name`. Coordinates are in metres, in single
    /// precision.
    ///
    /// # Errors
    /// The errors are those of [`write_obj`].
    pub fn write_obj(&self, out: impl Write, name: &str) -> Result<()> {
        write_obj(out, &[(name, self)])
    }

    /// Writes the mesh as a binary STL file. Coordinates are in metres, in single precision.
    ///
    /// # Errors
    /// The errors are those of [`write_stl`].
    pub fn write_stl(&self, out: impl Write) -> Result<()> {
        write_stl(out, &[self])
    }
}

/// Writes named meshes, all in one frame, as one Wavefront OBJ file with an object (`o`) and a group (`g`) of that
/// name for each. Coordinates are in metres, in single precision.
///
/// # Errors
/// The errors are those of `out`, a name that is empty or holds a line break or another control character, those of
/// [`MeshError::check`], and a coordinate that single precision cannot hold.
pub fn write_obj(mut out: impl Write, meshes: &[(&str, &TriangleMesh)]) -> Result<()> {
    let mut data = ObjData::default();
    for &(name, mesh) in meshes {
        check_name(name)?;
        check(mesh)?;
        let first = data.position.len();
        for vertex in &mesh.vertices {
            data.position.push(single_precision(vertex)?);
        }
        let mut group = Group::new(name.to_owned());
        for triangle in &mesh.triangles {
            let corner = |i: u32| IndexTuple(first + i as usize, None, None);
            let polygon = SimplePolygon(triangle.map(corner).to_vec());
            group.polys.push(polygon);
        }
        let mut object = Object::new(name.to_owned());
        object.groups.push(group);
        data.objects.push(object);
    }
    data.write_to_buf(&mut out).map_err(|error| match error {
        ObjError::Io(error) => error,
        other => Error::other(other),
    })?;
    out.flush()
}

/// Writes meshes, all in one frame, as one binary STL file (the format has no names). Coordinates are in metres, in
/// single precision.
///
/// # Errors
/// The errors are those of `out` and of [`MeshError::check`], and a coordinate that single precision cannot hold.
pub fn write_stl(mut out: impl Write, meshes: &[&TriangleMesh]) -> Result<()> {
    let mut facets = Vec::with_capacity(meshes.iter().map(|m| m.triangles.len()).sum());
    for mesh in meshes {
        check(mesh)?;
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
            let normal = (b - a).cross(&(c - a));
            // The zero vector is the format's convention for "no normal"; it is kept for triangles without area.
            let normal = normal.try_normalize(0.0).unwrap_or_default();
            let mut vertices = [stl_io::Vertex::default(); 3];
            for (vertex, corner) in vertices.iter_mut().zip([a, b, c]) {
                *vertex = stl_io::Vertex::new(single_precision(&corner)?);
            }
            facets.push(stl_io::Triangle {
                normal: stl_io::Normal::new(normal.map(|x| x as f32).into()),
                vertices,
            });
        }
    }
    stl_io::write_stl(&mut out, facets.iter())
}

/// A line break in a name would start another statement in the file.
fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || name.chars().any(char::is_control) {
        let message = format!(
            "object name {name:?}: an OBJ file needs a name without line breaks or other control \
             characters"
        );
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    Ok(())
}

fn check(mesh: &TriangleMesh) -> Result<()> {
    MeshError::check(&mesh.vertices, &mesh.triangles)
        .map_err(|error| Error::new(ErrorKind::InvalidInput, error))
}

fn single_precision(vertex: &Point3<f64>) -> Result<[f32; 3]> {
    let single = vertex.map(|x| x as f32);
    if single.iter().all(|x| x.is_finite()) {
        return Ok([single.x, single.y, single.z]);
    }
    let message = format!(
        "vertex {vertex}: OBJ and STL files hold single precision, coordinates up to 3.4e38 metres"
    );
    Err(Error::new(ErrorKind::InvalidInput, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superovoid;

    fn mesh() -> TriangleMesh {
        let body = Superovoid::new([0.02, 0.03, 0.05], [0.5, 1.2], [0.2, 0.1]).unwrap();
        body.tessellate(16)
    }

    #[test]
    fn several_objects_keep_their_names_and_triangles() {
        let mesh = mesh();
        let mut file = Vec::new();
        write_obj(&mut file, &[("left palm", &mesh), ("right", &mesh)]).unwrap();
        let read = ObjData::load_buf(file.as_slice()).unwrap();
        let names: Vec<&str> = read.objects.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["left palm", "right"]);
        for (k, object) in read.objects.iter().enumerate() {
            let polygons = &object.groups[0].polys;
            assert_eq!(polygons.len(), mesh.triangles.len());
            for (polygon, triangle) in polygons.iter().zip(&mesh.triangles) {
                let first = k * mesh.vertices.len();
                let expected = triangle.map(|i| first + i as usize);
                let found: Vec<usize> = polygon.0.iter().map(|corner| corner.0).collect();
                assert_eq!(found, expected);
            }
        }
        for (written, vertex) in read.position.iter().zip(&mesh.vertices) {
            assert_eq!(*written, single_precision(vertex).unwrap());
        }
    }

    #[test]
    fn stl_reads_back_as_the_same_solid() {
        let mesh = mesh();
        let mut file = Vec::new();
        mesh.write_stl(&mut file).unwrap();
        let read = stl_io::read_stl(&mut std::io::Cursor::new(file)).unwrap();
        read.validate().expect("watertight");
        let solid = TriangleMesh {
            vertices: read
                .vertices
                .iter()
                .map(|v| Point3::from(v.0).cast())
                .collect(),
            triangles: read
                .faces
                .iter()
                .map(|f| f.vertices.map(|i| i as u32))
                .collect(),
        };
        // Single precision changes each of three coordinates by up to 2^-24.
        let relative = solid.volume() / mesh.volume() - 1.0;
        assert!(relative.abs() < 4e-7, "{relative}");
        for facet in &read.faces {
            let outward: f32 = (0..3)
                .map(|k| {
                    let corner = read.vertices[facet.vertices[0]].0[k];
                    corner * facet.normal.0[k]
                })
                .sum();
            assert!(outward > 0.0, "the body is star-shaped about its centre");
        }
    }

    #[test]
    fn what_the_formats_cannot_hold_is_an_error() {
        let mesh = mesh();
        for name in ["", "palm\nv 0 0 0"] {
            let error = mesh.write_obj(Vec::new(), name).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("object name {name:?}"))
            );
        }
        let huge = TriangleMesh {
            vertices: vec![Point3::new(1e39, 0.0, 0.0); 3],
            triangles: vec![[0, 1, 2]],
        };
        for error in [
            huge.write_obj(Vec::new(), "huge").unwrap_err(),
            huge.write_stl(Vec::new()).unwrap_err(),
        ] {
            assert!(error.to_string().contains("single precision"), "{error}");
        }
        let torn = TriangleMesh {
            triangles: vec![[0, 1, 3]],
            ..huge
        };
        let error = torn.write_stl(Vec::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "triangle 0 names vertex 3; there are 3 (from 0)"
        );
    }
}

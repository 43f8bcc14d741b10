//! Meshes to be fitted, and files of them.

use super::judge::Vector;
use superovoid::Superovoid;

/// Corners and triangles.
#[derive(Clone, Debug)]
pub struct Shape {
    pub corners: Vec<Vector>,
    pub triangles: Vec<[usize; 3]>,
}

/// A tapered body, unlike in all directions.
pub fn egg() -> Shape {
    tessellated([0.05, 0.03, 0.08], [0.6, 0.9], 0.2)
}

/// A round, flat one.
pub fn disc() -> Shape {
    tessellated([0.05, 0.05, 0.01], [1.0, 0.3], 0.0)
}

fn tessellated(a: Vector, e: [f64; 2], t: f64) -> Shape {
    let mesh = Superovoid::new(a, e, [t; 2]).unwrap().tessellate(24);
    Shape {
        corners: mesh.vertices.iter().map(|v| [v.x, v.y, v.z]).collect(),
        triangles: mesh
            .triangles
            .iter()
            .map(|t| t.map(|v| v as usize))
            .collect(),
    }
}

/// A block with a corner at the origin.
pub fn block([x, y, z]: Vector) -> Shape {
    let corner = |k: usize| {
        let side = |bit: usize, size: f64| (k >> bit & 1) as f64 * size;
        [side(0, x), side(1, y), side(2, z)]
    };
    let quads: [[usize; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    Shape {
        corners: (0..8).map(corner).collect(),
        triangles: quads
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
    }
}

impl Shape {
    pub fn map(mut self, f: impl Fn(Vector) -> Vector) -> Shape {
        self.corners.iter_mut().for_each(|c| *c = f(*c));
        self
    }

    pub fn and(mut self, other: Shape) -> Shape {
        let first = self.corners.len();
        self.corners.extend(other.corners);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
        self
    }

    /// OBJ, which keeps every digit.
    pub fn obj(&self) -> String {
        let corners = self
            .corners
            .iter()
            .map(|[x, y, z]| format!("v {x:e} {y:e} {z:e}\n"));
        let sides = self
            .triangles
            .iter()
            .map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        corners.chain(sides).collect()
    }

    pub fn stl(&self) -> Vec<u8> {
        let mut bytes = vec![b' '; 80];
        bytes.extend((self.triangles.len() as u32).to_le_bytes());
        for triangle in &self.triangles {
            bytes.extend([0; 12]);
            for corner in triangle.map(|k| self.corners[k]) {
                bytes.extend(corner.map(|x| (x as f32).to_le_bytes()).concat());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    pub fn dae(&self, asset: &str) -> String {
        let numbers: String = self
            .corners
            .iter()
            .flatten()
            .map(|x| format!("{x:e} "))
            .collect();
        let indices: String = self
            .triangles
            .iter()
            .flatten()
            .map(|k| format!("{k} "))
            .collect();
        let (count, numbers_count) = (self.corners.len(), 3 * self.corners.len());
        format!(
            r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset>{asset}</asset>
 <library_geometries><geometry id="g"><mesh>
  <source id="s"><float_array id="a" count="{numbers_count}">{numbers}</float_array>
   <technique_common><accessor source="#a" count="{count}" stride="3"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
  <triangles count="{}"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="scene"><node><instance_geometry url="#g"/></node>
 </visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>"##,
            self.triangles.len()
        )
    }
}

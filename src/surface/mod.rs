//! The surface of one superovoid.
use nalgebra::{Point3, Vector3};

/// Axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates, metres.
    pub min: Point3<f64>,
    /// Largest coordinates, metres.
    pub max: Point3<f64>,
}

/// Bounding sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// Centre, metres.
    pub center: Point3<f64>,
    /// Radius, metres.
    pub radius: f64,
}

/// Support.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Value of the support function.
    pub value: f64,
    /// Point.
    pub point: Point3<f64>,
}

/// A closed triangle mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    /// Vertices, metres.
    pub vertices: Vec<Point3<f64>>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl crate::Superovoid {
    /// Stub.
    pub fn support(&self, direction: &Vector3<f64>) -> Support {
        let _ = direction;
        unimplemented!()
    }
    /// Stub.
    pub fn local_aabb(&self) -> Aabb {
        unimplemented!()
    }
    /// Stub.
    pub fn aabb(&self, pose: &nalgebra::Isometry3<f64>) -> Aabb {
        let _ = pose;
        unimplemented!()
    }
    /// Stub.
    pub fn bounding_sphere(&self) -> BoundingSphere {
        unimplemented!()
    }
    /// Stub.
    pub fn tessellate(&self, segments: usize) -> TriangleMesh {
        let _ = segments;
        unimplemented!()
    }
}

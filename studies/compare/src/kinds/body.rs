//! One body of every kind, with the numbers that the drivers get.

use anyhow::{Result, anyhow};
use nalgebra::{Point3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::shape::{
    Compound, ConvexPolyhedron, HalfSpace as ParryHalfSpace, SharedShape, TriMesh as ParryMesh,
};
use parry3d_f64::transformation::try_convex_hull;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};
use superovoid::convex::ConvexShape;
use superovoid::polytope::Triangle;
use superovoid::{Aabb, HalfSpace, Plane, Shape, Superovoid};

/// Numbered as in `cpp/kinds.hpp`.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Kind {
    Ball = 0,
    Capsule = 1,
    Cylinder = 2,
    Cone = 3,
    Box = 4,
    Hull = 5,
    Ellipsoid = 6,
    Triangle = 7,
    HalfSpace = 8,
    Plane = 9,
    Mesh = 10,
    Boxes = 11,
    HeightField = 12,
}

pub struct Body {
    pub name: String,
    pub kind: Kind,
    pub size: [f64; 4],
    /// Points, three numbers each, or heights.
    pub numbers: Vec<f64>,
    pub triangles: Vec<[u32; 3]>,
    pub ours: Shape,
    /// Parry's shape, and its pose in the frame of the body.
    pub parry: Option<(SharedShape, Pose)>,
    /// How far it reaches from its origin, about.
    pub reach: f64,
}

/// Triangles of the meshes.
pub const MESHES: [(&str, usize, usize); 3] = [
    ("mesh 1e3", 32, 17),
    ("mesh 1e5", 316, 159),
    ("mesh 1e6", 1000, 501),
];

const CELL: f64 = 0.1;
const GRID: usize = 64;

impl Body {
    /// Whether it has parts: triangles, boxes, prisms.
    pub fn has_parts(&self) -> bool {
        self.kind >= Kind::Mesh
    }

    fn new(
        name: &str,
        kind: Kind,
        size: &[f64],
        ours: impl Into<Shape>,
        parry: Option<SharedShape>,
    ) -> Body {
        let mut sizes = [0.0; 4];
        sizes[..size.len()].copy_from_slice(size);
        Body {
            name: name.to_owned(),
            kind,
            size: sizes,
            numbers: Vec::new(),
            triangles: Vec::new(),
            ours: ours.into(),
            parry: parry.map(|shape| (shape, Pose::IDENTITY)),
            reach: 0.35,
        }
    }

    fn with_points(mut self, points: &[Point3<f64>], triangles: Vec<[u32; 3]>) -> Body {
        self.numbers = points.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        self.triangles = triangles;
        self
    }

    fn reaching(self, reach: f64) -> Body {
        Body { reach, ..self }
    }
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

/// The bodies that are convex: none reaches farther than 0.5 m, but for the half-space and the plane, which come last.
pub fn convex() -> Result<Vec<Body>> {
    // Parry's cylinders and cones are about y.
    let turned = |mut body: Body| {
        if let Some((_, pose)) = &mut body.parry {
            let q = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), PI / 2.0).coords;
            *pose = Pose::from_parts(Vector::ZERO, Rotation::from_xyzw(q.x, q.y, q.z, q.w));
        }
        body
    };
    let corners = [[0.3, 0.0, 0.1], [-0.2, 0.3, 0.0], [0.0, -0.3, -0.1]].map(Point3::from);
    let [a, b, c] = corners.each_ref().map(vector);
    let (normal, offset) = (Vector3::new(0.0, 0.6, 0.8), 0.1);
    let half_space = ParryHalfSpace::new(Vector::new(0.0, 0.6, 0.8));
    let mut under = Body::new(
        "half-space",
        Kind::HalfSpace,
        &[0.0, 0.6, 0.8, offset],
        HalfSpace::new(normal, offset)?,
        Some(SharedShape::new(half_space)),
    );
    if let Some((_, pose)) = &mut under.parry {
        *pose = Pose::from_parts(half_space.normal * offset, Rotation::IDENTITY);
    }
    Ok(vec![
        Body::new(
            "ball",
            Kind::Ball,
            &[0.25],
            ConvexShape::ball(0.25)?,
            Some(SharedShape::ball(0.25)),
        ),
        Body::new(
            "capsule",
            Kind::Capsule,
            &[0.15, 0.5],
            ConvexShape::capsule(0.15, 0.5)?,
            Some(SharedShape::capsule_z(0.25, 0.15)),
        ),
        turned(Body::new(
            "cylinder",
            Kind::Cylinder,
            &[0.2, 0.5],
            ConvexShape::cylinder(0.2, 0.5)?,
            Some(SharedShape::cylinder(0.25, 0.2)),
        )),
        turned(Body::new(
            "cone",
            Kind::Cone,
            &[0.25, 0.5],
            ConvexShape::cone(0.25, 0.5)?,
            Some(SharedShape::cone(0.25, 0.25)),
        )),
        Body::new(
            "box",
            Kind::Box,
            &[0.2, 0.3, 0.15],
            ConvexShape::cuboid([0.2, 0.3, 0.15])?,
            Some(SharedShape::cuboid(0.2, 0.3, 0.15)),
        ),
        hull()?,
        Body::new(
            "ellipsoid",
            Kind::Ellipsoid,
            &[0.2, 0.3, 0.35],
            Superovoid::ellipsoid([0.2, 0.3, 0.35])?,
            None,
        ),
        Body::new(
            "triangle",
            Kind::Triangle,
            &[],
            Triangle::new(corners)?,
            Some(SharedShape::triangle(a, b, c)),
        )
        .with_points(&corners, Vec::new()),
        under,
        Body::new(
            "plane",
            Kind::Plane,
            &[0.0, 0.6, 0.8, offset],
            Plane::new(normal, offset)?,
            None,
        ),
    ])
}

/// 30 points of an ellipsoid.
fn hull() -> Result<Body> {
    let mut rng = ChaCha8Rng::seed_from_u64(30);
    let points: Vec<Vector> = (0..30)
        .map(|_| {
            let d = direction(&mut rng);
            Vector::new(0.3 * d.x, 0.25 * d.y, 0.35 * d.z)
        })
        .collect();
    let (points, triangles) =
        try_convex_hull(&points).map_err(|error| anyhow!("convex hull: {error}"))?;
    let ours: Vec<Point3<f64>> = points.iter().map(|p| Point3::new(p.x, p.y, p.z)).collect();
    let parry = ConvexPolyhedron::from_convex_mesh(points, &triangles).map(SharedShape::new);
    let name = format!("hull of {}", ours.len());
    let body = Body::new(&name, Kind::Hull, &[], ConvexShape::hull(&ours)?, parry);
    Ok(body.with_points(&ours, triangles))
}

/// A sphere with bumps, as a surface.
pub fn mesh(size: usize) -> Result<Body> {
    let (name, around, down) = MESHES[size];
    let point = |i: usize, j: usize| {
        let (theta, phi) = (
            PI * i as f64 / down as f64,
            2.0 * PI * j as f64 / around as f64,
        );
        let r = 1.0 + 0.1 * (5.0 * phi).sin() * (4.0 * theta).sin();
        Point3::new(
            r * theta.sin() * phi.cos(),
            r * theta.sin() * phi.sin(),
            r * theta.cos(),
        )
    };
    let mut points = vec![Point3::new(0.0, 0.0, 1.0)];
    points.extend(
        (1..down)
            .flat_map(|i| (0..around).map(move |j| (i, j)))
            .map(|(i, j)| point(i, j)),
    );
    points.push(Point3::new(0.0, 0.0, -1.0));
    let last = (points.len() - 1) as u32;
    let id = |i: usize, j: usize| (1 + (i - 1) * around + j % around) as u32;
    let mut triangles = Vec::new();
    for j in 0..around {
        triangles.push([0, id(1, j), id(1, j + 1)]);
        for i in 1..down - 1 {
            triangles.push([id(i, j), id(i + 1, j), id(i + 1, j + 1)]);
            triangles.push([id(i, j), id(i + 1, j + 1), id(i, j + 1)]);
        }
        triangles.push([id(down - 1, j), last, id(down - 1, j + 1)]);
    }
    let parry = ParryMesh::new(points.iter().map(vector).collect(), triangles.clone());
    let parry = parry.map_err(|error| anyhow!("parry's mesh: {error}"))?;
    let ours = TriMesh::new(points.clone(), triangles.clone())?.surface();
    let body = Body::new(name, Kind::Mesh, &[], ours, Some(SharedShape::new(parry)));
    Ok(body.with_points(&points, triangles).reaching(1.0))
}

/// The cells of an octree that a sphere passes through.
pub fn boxes() -> Result<Body> {
    let mut middles = Vec::new();
    let lattice = || (-10..10).map(|k| (f64::from(k) + 0.5) * CELL);
    for x in lattice() {
        for y in lattice() {
            middles.extend(
                lattice()
                    .map(|z| Point3::new(x, y, z))
                    .filter(|p| (p.coords.norm() - 0.8).abs() < 0.05),
            );
        }
    }
    let half = Vector3::repeat(CELL / 2.0);
    let cell = |p: &Point3<f64>| Aabb {
        min: p - half,
        max: p + half,
    };
    let cells = middles.iter().map(cell).collect();
    let cube = |p: &Point3<f64>| {
        let shape = SharedShape::cuboid(half.x, half.y, half.z);
        (Pose::from_parts(vector(p), Rotation::IDENTITY), shape)
    };
    let parry = SharedShape::new(Compound::new(middles.iter().map(cube).collect()));
    let name = format!("boxes ({})", middles.len());
    let body = Body::new(
        &name,
        Kind::Boxes,
        &[CELL],
        BoxSet::new(cells)?,
        Some(parry),
    );
    Ok(body.with_points(&middles, Vec::new()).reaching(0.85))
}

/// Terrain of 2 m × 2 m.
pub fn height_field() -> Result<Body> {
    let wave = |k: usize| 7.0 * k as f64 / GRID as f64;
    let height = |k: usize| 0.15 * wave(k / GRID).sin() * (1.3 * wave(k % GRID)).cos();
    let heights: Vec<f64> = (0..GRID * GRID).map(height).collect();
    let (side, bottom) = (2.0, -0.3);
    let ends = [-side / 2.0, side / 2.0];
    let ours = HeightField::new(heights.clone(), GRID, ends, [ends[1], ends[0]], bottom)?;
    let name = format!("height field {GRID}²");
    let mut body = Body::new(
        &name,
        Kind::HeightField,
        &[side, side, bottom, GRID as f64],
        ours,
        None,
    );
    body.numbers = heights;
    Ok(body.reaching(1.0))
}

/// A random direction.
pub fn direction(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let d = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
        if d.norm() > 1e-2 && d.norm() < 1.0 {
            return d.normalize();
        }
    }
}

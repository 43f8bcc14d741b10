//! What is known of a cloth and a body: for each vertex a plane and a clearance, in the frame of the body's shape.
//!
//! At a query a vertex had at least the distance `clearance`, and n·y ≤ `offset` for all points y of a convex body, with
//! n the normal at its nearest point. The distance is 1-Lipschitz: after the vertex has moved by m in the body's frame it
//! is still at least clearance − m away. And the half-space contains the body wherever the vertex goes, so that it may
//! serve for many substeps; it is renewed when the vertex has moved along it by more than a share of the thickness.

use nalgebra::Vector3;

/// What is known of a vertex and a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// The vertex at the query.
    pub at: Vector3<f64>,
    /// The unit normal of the plane, zero if there is none.
    pub normal: Vector3<f64>,
    pub offset: f64,
    /// A lower bound of the distance at the query.
    pub clearance: f64,
}

impl Known {
    /// Nothing is known.
    pub const NOTHING: Known = Known {
        at: Vector3::new(0.0, 0.0, 0.0),
        normal: Vector3::new(0.0, 0.0, 0.0),
        offset: 0.0,
        clearance: f64::NEG_INFINITY,
    };

    pub fn has_plane(&self) -> bool {
        self.normal != Vector3::zeros()
    }

    /// The height of a point over the plane.
    pub fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

/// What is known of a triangle and a body: the direction that separated them last, and where its centre was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownFace {
    pub normal: Vector3<f64>,
    pub support: f64,
    pub weights: [f64; 3],
    pub corners: [Vector3<f64>; 3],
    /// Whether the direction is that of no query.
    pub rough: bool,
}

/// A cloth and a body that have been near each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    pub known: Vec<Known>,
    /// The vertices in the frame of the body's shape at the start of the frame.
    pub local: Vec<Vector3<f64>>,
    pub faces: Vec<Option<KnownFace>>,
    /// For each vertex what pressed it in the frame, and the vertices that were pressed.
    pressed: Vec<Pressed>,
    pressing: Vec<u32>,
}

/// What pressed a vertex in a frame: the last normal out of the body, in the world frame, and the impulse, times h.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pressed {
    pub normal: Vector3<f64>,
    pub impulse: Vector3<f64>,
}

impl Near {
    /// Makes room for the vertices and triangles of a cloth, once.
    pub fn reserve(&mut self, vertices: usize, triangles: usize) {
        if self.known.is_empty() {
            self.known.resize(vertices, Known::NOTHING);
            self.local.resize(vertices, Vector3::zeros());
            self.faces.resize(triangles, None);
            self.pressed.resize(vertices, Pressed::default());
            self.pressing.reserve(vertices);
        }
    }

    /// Tells that a vertex was pressed; there must be room for it.
    pub fn tell(&mut self, vertex: usize, normal: &Vector3<f64>, impulse: &Vector3<f64>) {
        let pressed = &mut self.pressed[vertex];
        if *pressed == Pressed::default() {
            self.pressing.push(vertex as u32);
        }
        pressed.normal = *normal;
        pressed.impulse += impulse;
    }

    /// Forgets what pressed, at the start of a frame.
    pub fn forget_pressed(&mut self) {
        for vertex in self.pressing.drain(..) {
            self.pressed[vertex as usize] = Pressed::default();
        }
    }

    /// The vertices that were pressed in the frame, with what pressed them.
    pub fn pressed(&self) -> impl Iterator<Item = (usize, &Pressed)> {
        let one = |&vertex: &u32| (vertex as usize, &self.pressed[vertex as usize]);
        self.pressing.iter().map(one)
    }
}

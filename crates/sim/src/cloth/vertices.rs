//! Contact of a cloth, stage 1: vertices by batch.
//!
//! Once a frame the vertices that may come near a body are asked in one batch, those whose plane is stale or whose
//! clearance is used up. Outside a convex body the plane at the nearest point has the whole body behind it: one query
//! gives a half-space that is safe for all substeps, in front of which the vertex is kept at the thickness (see `press`).
//! Of a vertex that got inside the last outside plane is kept.

use crate::cloth::fabric::FabricBody;
use crate::cloth::near::{Known, Near};
use crate::cloth::press::{Friction, Plane, press};
use crate::particles::Particles;
use crate::rigid::body::StaticMesh;
use crate::rigid::{ContactShape, RigidBody};
use crate::scene::ClothContact;
use crate::threads::Threads;
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::bvh::tree_contact;
use superovoid::published::iterative_vertex_contact;
use superovoid::{Aabb, Contact, QueryOptions, Superovoid, VertexOptions, vertex_contact_batch};

/// A plane is renewed when its vertex has moved by this share of the thickness.
const STALE: f64 = 0.25;
/// The number of vertices that share a box.
const PATCH: usize = 64;

/// A vertex in contact with a body: the plane in the frame of the body's centre of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexContact {
    pub particle: u32,
    pub body: u32,
    pub normal: Vector3<f64>,
    pub offset: f64,
    pub friction: Friction,
}

/// The memory of batches.
pub(crate) struct Batch {
    which: Vec<usize>,
    points: Vec<Point3<f64>>,
    answers: Vec<Contact>,
}

impl Batch {
    /// Makes room for a number of vertices.
    pub fn with_capacity(count: usize) -> Self {
        Batch {
            which: Vec::with_capacity(count),
            points: Vec::with_capacity(count),
            answers: Vec::with_capacity(count),
        }
    }
}

/// The frame of one cloth and one body.
pub(crate) struct Approach<'a> {
    pub fabric: &'a FabricBody,
    pub body: &'a RigidBody,
    pub body_index: u32,
    pub friction: Friction,
    /// How far the body's points can move in the frame.
    pub body_motion: f64,
    /// How far each particle of the world can move in the frame.
    pub motion: &'a [f64],
    /// The length of a substep over that of a frame.
    pub per_substep: f64,
    pub threads: &'a Threads,
}

impl Approach<'_> {
    /// Finds the vertices in contact and lowers `free`, the length that every vertex can move without coming near.
    pub fn vertices(
        &self,
        near: &mut Near,
        particles: &Particles,
        free: &mut [f64],
        batch: &mut Batch,
        contacts: &mut Vec<VertexContact>,
    ) {
        let first = self.fabric.range.start;
        match &self.body.shape {
            ContactShape::Superovoid(shape) => {
                self.localize(near, particles);
                self.select(&shape.local_aabb(), near, batch);
                self.ask(shape, near, batch);
            }
            ContactShape::HalfSpace => {
                self.localize(near, particles);
                let plane = Known {
                    normal: Vector3::z(),
                    offset: 0.0,
                    ..Known::NOTHING
                };
                for (known, local) in near.known.iter_mut().zip(&near.local) {
                    *known = Known {
                        at: *local,
                        clearance: local.z,
                        ..plane
                    };
                }
            }
            ContactShape::Mesh(mesh) => {
                self.localize(near, particles);
                self.select(&mesh.bounds, near, batch);
                self.ask_mesh(mesh, near, batch);
            }
        }
        for (k, (known, local)) in near.known.iter().zip(&near.local).enumerate() {
            let left = known.clearance - (local - known.at).norm();
            let margin = self.fabric.thickness + self.motion[first + k] + self.body_motion;
            if known.has_plane() && left <= margin {
                contacts.push(self.contact(first + k, known));
            } else {
                free[first + k] =
                    free[first + k].min(left - self.fabric.thickness - self.body_motion);
            }
        }
    }

    pub fn contact(&self, particle: usize, known: &Known) -> VertexContact {
        VertexContact {
            particle: particle as u32,
            body: self.body_index,
            normal: known.normal,
            offset: known.offset - known.normal.dot(&self.body.center),
            friction: self.friction,
        }
    }

    /// Takes the vertices into the frame of the shape.
    fn localize(&self, near: &mut Near, particles: &Particles) {
        let pose = self.body.pose();
        let (rotation, origin) = (self.body.rotation, pose.translation.vector);
        for (local, x) in near
            .local
            .iter_mut()
            .zip(&particles.x[self.fabric.range.clone()])
        {
            *local = rotation.tr_mul(&(x - origin));
        }
    }

    /// Lists the vertices to ask: near enough, and nothing good known of them.
    fn select(&self, bounds: &Aabb, near: &mut Near, batch: &mut Batch) {
        let first = self.fabric.range.start;
        let always = matches!(self.fabric.contact, ClothContact::Iterative { .. });
        batch.which.clear();
        batch.points.clear();
        for start in (0..near.local.len()).step_by(PATCH) {
            let patch = start..(start + PATCH).min(near.local.len());
            let points = &near.local[patch.clone()];
            let (low, high) = points
                .iter()
                .fold((points[0], points[0]), |(l, h), p| (l.inf(p), h.sup(p)));
            let motion = self.motion[first + patch.start..first + patch.end]
                .iter()
                .fold(0.0, |m: f64, x| m.max(*x));
            let margin = self.margin(motion);
            let apart =
                |axis: usize| (bounds.min[axis] - high[axis]).max(low[axis] - bounds.max[axis]);
            let apart = apart(0).max(apart(1)).max(apart(2));
            if apart > margin {
                for k in patch {
                    near.known[k] = Known {
                        at: near.local[k],
                        clearance: apart,
                        ..Known::NOTHING
                    };
                }
                continue;
            }
            for k in patch {
                let (known, local) = (&near.known[k], &near.local[k]);
                let moved = (local - known.at).norm();
                let far = known.clearance - moved > self.margin(self.motion[first + k]);
                let fresh = known.has_plane() && moved <= STALE * self.fabric.thickness;
                if always || !(far || fresh) {
                    batch.which.push(k);
                    batch.points.push(Point3::from(*local));
                }
            }
        }
    }

    /// The distance up to which vertices are asked: triangles that are near have a vertex within it.
    fn margin(&self, motion: f64) -> f64 {
        let faces = if self.fabric.contact == ClothContact::Exact {
            self.fabric.longest
        } else {
            0.0
        };
        self.fabric.thickness + motion + self.body_motion + faces
    }

    fn ask(&self, shape: &Superovoid, near: &mut Near, batch: &mut Batch) {
        batch.answers.clear();
        batch.answers.resize(batch.points.len(), Contact::default());
        let pose = Isometry3::identity();
        let answer = |points: &[Point3<f64>], answers: &mut [Contact]| match self.fabric.contact {
            ClothContact::Iterative {
                tolerance,
                iterations,
            } => {
                let options = VertexOptions::default()
                    .with_tolerance(tolerance)
                    .with_max_iterations(iterations);
                for (point, answer) in points.iter().zip(answers) {
                    *answer =
                        iterative_vertex_contact(shape, &pose, point, &options).unwrap_or_default();
                }
            }
            // Positions that are not finite are refused, and end the simulation after this frame.
            _ => {
                let _ =
                    vertex_contact_batch(shape, &pose, points, answers, &VertexOptions::default());
            }
        };
        self.threads
            .pieces(&batch.points, &mut batch.answers, PATCH, answer);
        for (&k, answer) in batch.which.iter().zip(&batch.answers) {
            remember(&mut near.known[k], near.local[k], answer);
        }
    }
}

impl Approach<'_> {
    /// Asks for vertices near a mesh: a speck, a sphere without weight, against the triangles. The plane is that of the
    /// nearest point, on the outer side of its triangle.
    fn ask_mesh(&self, mesh: &StaticMesh, near: &mut Near, batch: &Batch) {
        let radius = 1e-3 * self.fabric.thickness;
        let speck = Superovoid::sphere(radius).expect("a thickness is positive");
        for (&k, point) in batch.which.iter().zip(&batch.points) {
            let at = near.local[k];
            let margin = 2.0 * self.margin(self.motion[self.fabric.range.start + k]);
            let options = QueryOptions::default().with_max_distance(margin);
            let pose = Isometry3::translation(point.x, point.y, point.z);
            let known = &mut near.known[k];
            match tree_contact(&speck, &pose, &mesh.tree, &Isometry3::identity(), &options) {
                Ok(Some(found)) => {
                    let (outward, offset) = mesh.planes[found.part as usize];
                    let foot = found.contact.point_b.coords;
                    let inside = outward.dot(&at) < offset;
                    let normal = if inside {
                        outward
                    } else {
                        -found.contact.normal.into_inner()
                    };
                    let clearance = if inside { 0.0 } else { found.contact.lower };
                    *known = Known {
                        at,
                        normal,
                        offset: normal.dot(&foot),
                        clearance,
                    };
                }
                Ok(None) => {
                    *known = Known {
                        at,
                        clearance: margin,
                        ..Known::NOTHING
                    }
                }
                Err(_) => {}
            }
        }
    }
}

/// Stores an answer. Inside, an outside plane that is known stays.
pub(crate) fn remember(known: &mut Known, at: Vector3<f64>, answer: &Contact) {
    let normal = answer.normal.into_inner();
    let inside = answer.distance < 0.0;
    known.clearance = if inside {
        answer.distance
    } else {
        answer.lower.min(answer.distance)
    };
    known.at = at;
    if !(inside && known.has_plane()) {
        known.normal = normal;
        known.offset = normal.dot(&answer.point_a.coords);
    }
}

/// Corrects the vertices in contact once, and returns the largest correction. What presses is told to `near`, whose first
/// vertex is the particle `first`. `push_out` is the most that one is pushed out in a substep.
pub(crate) fn solve(
    contacts: &[VertexContact],
    particles: &mut Particles,
    bodies: &mut [RigidBody],
    (near, first): (&mut [Near], usize),
    thickness: f64,
    push_out: f64,
) -> f64 {
    let mut largest: f64 = 0.0;
    for contact in contacts {
        let body = &mut bodies[contact.body as usize];
        let plane = Plane {
            normal: body.rotation * contact.normal,
            offset: contact.offset,
        };
        let vertex = ([contact.particle as usize], [1.0]);
        let target = |before: f64| thickness.min(before + push_out);
        let friction = &contact.friction;
        if let Some((by, impulse)) = press(vertex, particles, body, &plane, friction, target) {
            largest = largest.max(by);
            let vertex = contact.particle as usize - first;
            near[contact.body as usize].tell(vertex, &plane.normal, &impulse);
        }
    }
    largest
}

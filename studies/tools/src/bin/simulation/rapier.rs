//! The scenes in Rapier: bodies as convex hulls of their meshes, or as boxes; the bowl as its triangle mesh.

use crate::peers::{Form, Peer, body_mesh};
use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion};
use rapier3d_f64::glamx::{DQuat, DVec3};
use rapier3d_f64::prelude::*;
use std::time::Instant;
use superovoid_sim::scene::{Body, Motion, Scene, Shape};
use superovoid_sim::{BodyState, State};

/// Runs a scene, `substeps` steps a frame, and calls `judge` with its state once a second.
pub fn run(
    scene: &Scene,
    form: Form,
    frames: usize,
    substeps: usize,
    judge: &mut dyn FnMut(&State),
) -> Peer {
    let mut world = PhysicsWorld::new();
    world.gravity = DVec3::from_array(scene.settings.gravity);
    world.integration_parameters.dt = scene.settings.frame / substeps as f64;
    let mut handles = Vec::new();
    for body in &scene.bodies {
        let (rigid, mut collider) = (builder(body), shape(body, form));
        let material = scene
            .materials
            .get(body.material)
            .copied()
            .unwrap_or_default();
        collider = collider
            .friction(material.static_friction)
            .restitution(material.restitution);
        if let Motion::Dynamic { density, .. } = body.motion {
            collider = collider.density(density);
        }
        handles.push(world.insert(rigid, collider).0);
    }
    let mut times = Vec::new();
    let mut state = State::default();
    for frame in 1..=frames {
        let start = Instant::now();
        for _ in 0..substeps {
            world.step();
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if frame % 60 == 0 || frame == frames {
            state.frame = frame as u64;
            state.bodies = handles.iter().map(|h| at(&world.bodies[*h])).collect();
            judge(&state);
        }
    }
    Peer { times, state }
}

fn builder(body: &Body) -> RigidBodyBuilder {
    let [w, x, y, z] = body.orientation;
    let pose = Pose::from_parts(
        DVec3::from_array(body.position),
        DQuat::from_xyzw(x, y, z, w),
    );
    let builder = match body.motion {
        Motion::Dynamic { .. } => RigidBodyBuilder::dynamic(),
        _ => RigidBodyBuilder::fixed(),
    };
    builder.pose(pose)
}

fn shape(body: &Body, form: Form) -> ColliderBuilder {
    let points = |points: &[Point3<f64>]| -> Vec<DVec3> {
        points.iter().map(|p| DVec3::new(p.x, p.y, p.z)).collect()
    };
    match &body.shape {
        Shape::HalfSpace => ColliderBuilder::new(SharedShape::halfspace(DVec3::Z)),
        Shape::Mesh {
            vertices,
            triangles,
        } => {
            let vertices = vertices.iter().map(|v| DVec3::from_array(*v)).collect();
            ColliderBuilder::trimesh(vertices, triangles.clone()).expect("the bowl is a mesh")
        }
        Shape::Superovoid { semi_axes, .. } if form == Form::Box => {
            let [x, y, z] = *semi_axes;
            ColliderBuilder::cuboid(x, y, z)
        }
        Shape::Superovoid { .. } => {
            let mesh = body_mesh(body).expect("a superovoid has a mesh");
            ColliderBuilder::convex_hull(&points(&mesh.vertices)).expect("the points have a hull")
        }
    }
}

fn at(body: &RigidBody) -> BodyState {
    let pose = body.position();
    let (p, q) = (pose.translation, pose.rotation);
    let turn = UnitQuaternion::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z));
    let pose = Isometry3::from_parts(Point3::new(p.x, p.y, p.z).into(), turn);
    let (v, w) = (body.linvel(), body.angvel());
    let q = pose.rotation.quaternion();
    BodyState {
        position: pose.translation.vector.into(),
        orientation: [q.w, q.i, q.j, q.k],
        velocity: [v.x, v.y, v.z],
        angular_velocity: [w.x, w.y, w.z],
        asleep: body.is_sleeping(),
    }
}

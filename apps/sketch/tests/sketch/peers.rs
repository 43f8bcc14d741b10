//! The robots of the shipped figures as urdf-rs reads them, and their kinematics from what it reads.

use crate::common::shipped;
use nalgebra::{Matrix3, Matrix4, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use superovoid_robot::{JointKind, Robot};
use superovoid_sketch::{Angles, Sketch, UrdfOptions, to_urdf};
use urdf_rs::JointType;

fn written(name: &str, sketch: &Sketch) -> String {
    let options = UrdfOptions {
        name: name.to_owned(),
        ..UrdfOptions::default()
    };
    to_urdf(sketch.figure(), &options).unwrap().to_urdf()
}

#[test]
fn urdf_rs_reads_the_same_links_joints_limits_and_origins() {
    for (name, sketch) in shipped() {
        let text = written(name, &sketch);
        let own = Robot::from_urdf_str(&text).unwrap();
        let theirs = urdf_rs::read_from_string(&text).unwrap();
        assert_eq!(theirs.name, name);
        assert_eq!(theirs.links.len(), own.links().len());
        for (link, read) in own.links().iter().zip(&theirs.links) {
            assert_eq!(link.name, read.name);
            assert_eq!(link.collisions.len(), read.collision.len());
            let mass = link.inertial.map_or(0.0, |inertial| inertial.mass);
            assert_eq!(mass, read.inertial.mass.value, "{}", link.name);
            for (collision, read) in link.collisions.iter().zip(&read.collision) {
                assert_eq!(collision.origin.xyz, *read.origin.xyz);
                assert_eq!(collision.origin.rpy, *read.origin.rpy);
            }
        }
        assert_eq!(theirs.joints.len(), own.joints().len());
        for (joint, read) in own.joints().iter().zip(&theirs.joints) {
            assert_eq!(joint.name, read.name);
            assert_eq!(
                [&joint.parent, &joint.child],
                [&read.parent.link, &read.child.link]
            );
            assert_eq!(joint.origin.xyz, *read.origin.xyz);
            assert_eq!(joint.origin.rpy, *read.origin.rpy);
            match joint.kind {
                JointKind::Fixed => assert_eq!(read.joint_type, JointType::Fixed),
                JointKind::Revolute => {
                    assert_eq!(read.joint_type, JointType::Revolute);
                    assert_eq!(joint.axis, *read.axis.xyz);
                    let limit = joint.limit.unwrap();
                    assert_eq!(
                        [limit.lower, limit.upper],
                        [read.limit.lower, read.limit.upper]
                    );
                    let [effort, velocity] = [limit.effort, limit.velocity].map(Option::unwrap);
                    assert_eq!([effort, velocity], [read.limit.effort, read.limit.velocity]);
                }
                kind => panic!("{kind:?}"),
            }
        }
    }
}

/// A turn about an axis by Rodrigues' formula, to share nothing with quaternions.
fn about(axis: Vector3<f64>, angle: f64) -> Matrix3<f64> {
    let (s, c) = angle.sin_cos();
    let k = axis.normalize();
    Matrix3::identity() * c + k.cross_matrix() * s + k * k.transpose() * (1.0 - c)
}

fn placed(turn: Matrix3<f64>, at: Vector3<f64>) -> Matrix4<f64> {
    let mut m = turn.to_homogeneous();
    m.fixed_view_mut::<3, 1>(0, 3).copy_from(&at);
    m
}

/// The poses of the links below the root, by walking up the chain of each.
fn walked(
    robot: &urdf_rs::Robot,
    angles: &BTreeMap<String, f64>,
) -> BTreeMap<String, Matrix4<f64>> {
    let above: BTreeMap<&str, &urdf_rs::Joint> = robot
        .joints
        .iter()
        .map(|joint| (&*joint.child.link, joint))
        .collect();
    let pose = |link: &str| {
        let (mut pose, mut at) = (Matrix4::identity(), link);
        while let Some(joint) = above.get(at) {
            let [r, p, y] = *joint.origin.rpy;
            let [x, y_axis, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
            let turn = about(z, y) * about(y_axis, p) * about(x, r);
            let angle = angles.get(&joint.name).copied().unwrap_or(0.0);
            let axis = Vector3::from(*joint.axis.xyz);
            let own = placed(about(axis, angle), Vector3::zeros());
            pose = placed(turn, Vector3::from(*joint.origin.xyz)) * own * pose;
            at = &joint.parent.link;
        }
        assert_eq!(at, "base");
        pose
    };
    robot
        .links
        .iter()
        .map(|link| (link.name.clone(), pose(&link.name)))
        .collect()
}

#[test]
fn what_urdf_rs_reads_moves_as_the_figure() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for (name, sketch) in shipped() {
        let figure = sketch.figure();
        let robot = urdf_rs::read_from_string(&written(name, &sketch)).unwrap();
        let root = figure.position(figure.roots()[0]).unwrap().coords;
        for _ in 0..10 {
            let (mut angles, mut turns) = (Angles::new(), BTreeMap::new());
            for (&id, bone) in figure.bones() {
                let ranges = bone.articulation.ranges;
                let own =
                    ranges.map(|[low, high]| low + (high - low) * rng.random_range(0.0..=1.0));
                angles.insert(id, own);
                for (letter, angle) in ["x", "y", "z"].iter().zip(own) {
                    turns.insert(format!("{}.{letter}", bone.name), angle);
                }
            }
            let poses = figure.forward_kinematics(&angles).unwrap();
            let found = walked(&robot, &turns);
            for (bone, pose) in poses {
                let expected = placed(
                    pose.rotation.to_rotation_matrix().into_inner(),
                    pose.translation.vector - root,
                );
                let difference = (found[&figure.bones()[&bone].name] - expected).amax();
                assert!(difference < 1e-12, "{name}: {difference:e}");
            }
        }
    }
}

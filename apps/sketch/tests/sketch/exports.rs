//! Robots and meshes of figures.

use crate::common::shipped;
use nalgebra::{Isometry3, Matrix3, Matrix4, Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::process::Command;
use superovoid_fit::{ReadLimits, read_mesh_bytes};
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Origin, Robot, Srdf};
use superovoid_sketch::{
    Angles, Figure, SketchError, UrdfOptions, humanoid, to_collada, to_obj, to_srdf, to_urdf,
};

fn any_angles(figure: &Figure, rng: &mut ChaCha8Rng) -> Angles {
    let bones = figure.bones().iter();
    bones
        .map(|(&id, bone)| {
            let ranges = bone.articulation.ranges;
            (
                id,
                ranges.map(|[low, high]| low + (high - low) * rng.random_range(0.0..=1.0)),
            )
        })
        .collect()
}

fn reread(figure: &Figure) -> Robot {
    let written = to_urdf(figure, &UrdfOptions::default()).unwrap();
    let robot = Robot::from_urdf_str(&written.to_urdf()).unwrap();
    assert_eq!(robot, written);
    assert!(robot.warnings().is_empty());
    robot
}

fn poses(robot: &Robot, figure: &Figure, angles: &Angles) -> Vec<Isometry3<f64>> {
    let mut configuration = robot.neutral();
    for (id, turns) in angles {
        let name = &figure.bones()[id].name;
        for (axis, turn) in ["x", "y", "z"].iter().zip(turns) {
            let joint = format!("{name}.{axis}");
            if robot.joint_index(&joint).is_some() {
                configuration.set(&joint, *turn).unwrap();
            }
        }
    }
    robot.forward_kinematics(&configuration).unwrap()
}

#[test]
fn robots_move_as_their_figures() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (name, sketch) in shipped() {
        let figure = sketch.figure();
        let robot = reread(figure);
        let root = figure.position(figure.roots()[0]).unwrap();
        for _ in 0..20 {
            let angles = any_angles(figure, &mut rng);
            let own = figure.forward_kinematics(&angles).unwrap();
            let theirs = poses(&robot, figure, &angles);
            for (bone, pose) in own {
                let link = robot.link_index(&figure.bones()[&bone].name).unwrap();
                let mut expected = pose.to_homogeneous();
                expected -= Matrix4::new_translation(&root.coords) - Matrix4::identity();
                let difference = (theirs[link].to_homogeneous() - expected).amax();
                assert!(difference < 1e-12, "{name}: {difference:e}");
            }
        }
    }
}

#[test]
fn an_angle_held_behind_and_between_is_kept() {
    let mut sketch = humanoid().unwrap();
    let bone = sketch.figure().bone_named("left_thigh").unwrap();
    for ranges in [
        [[0.2, 0.2], [-1.0, 1.0], [0.4, 0.4]],
        [[-1.0, 1.0], [0.3, 0.3], [-1.0, 1.0]],
        [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]],
    ] {
        sketch
            .set_articulation(bone, superovoid_sketch::Articulation { ranges })
            .unwrap();
        let figure = sketch.figure();
        let angles = any_angles(figure, &mut ChaCha8Rng::seed_from_u64(9));
        let robot = reread(figure);
        let link = robot.link_index("left_thigh").unwrap();
        let root = figure.position(figure.roots()[0]).unwrap();
        let own = figure.forward_kinematics(&angles).unwrap()[&bone];
        let theirs = poses(&robot, figure, &angles)[link];
        assert!((theirs.rotation.angle_to(&own.rotation)) < 1e-7);
        assert!((theirs.translation.vector + root.coords - own.translation.vector).norm() < 1e-12);
    }
}

/// The rotation by its matrices, to share nothing with the library's quaternions.
fn turned(origin: &Origin) -> Rotation3<f64> {
    let [r, p, y] = origin.rpy;
    let about = |axis: Vector3<f64>, a: f64| Rotation3::new(axis * a);
    about(Vector3::z(), y) * about(Vector3::y(), p) * about(Vector3::x(), r)
}

/// Mass, centre and inertia by summing cells inside |x|, |y|, |z| of the norm form.
#[test]
fn masses_are_those_of_a_dense_sum() {
    const CELLS: i32 = 60;
    let sketch = humanoid().unwrap();
    let robot = reread(sketch.figure());
    for name in ["chest", "left_foot", "head"] {
        let link = &robot.links()[robot.link_index(name).unwrap()];
        let (mut mass, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for collision in &link.collisions {
            let shape = collision.superovoid.unwrap();
            let ([a1, a2, a3], [e1, e2], [tx, ty]) =
                (shape.semi_axes(), shape.exponents(), shape.tapers());
            let turn = turned(&collision.origin);
            // Tapers widen the ends.
            let reach = [a1 * (1.0 + tx.abs()), a2 * (1.0 + ty.abs()), a3];
            let cell: f64 = reach.iter().map(|a| 2.0 * a / f64::from(CELLS)).product();
            let at = |k: i32, a: f64| a * (2.0 * (f64::from(k) + 0.5) / f64::from(CELLS) - 1.0);
            for i in 0..CELLS {
                for j in 0..CELLS {
                    for k in 0..CELLS {
                        let p = Vector3::new(at(i, reach[0]), at(j, reach[1]), at(k, reach[2]));
                        let z = p.z / a3;
                        let [x, y] = [p.x / (a1 * (1.0 + tx * z)), p.y / (a2 * (1.0 + ty * z))];
                        let section = x.abs().powf(2.0 / e1) + y.abs().powf(2.0 / e1);
                        if section.powf(e1 / e2) + z.abs().powf(2.0 / e2) > 1.0 {
                            continue;
                        }
                        let q = turn * p + Vector3::from(collision.origin.xyz);
                        mass += 1000.0 * cell;
                        first += q * (1000.0 * cell);
                        second += q * q.transpose() * (1000.0 * cell);
                    }
                }
            }
        }
        let center = first / mass;
        let about = second - center * center.transpose() * mass;
        let inertia = Matrix3::identity() * about.trace() - about;
        let own = link.inertial.unwrap();
        assert!(
            (own.mass / mass - 1.0).abs() < 0.01,
            "{name} {} {mass}",
            own.mass
        );
        assert!(
            (Vector3::from(own.origin.xyz) - center).norm() < 1e-3,
            "{name}"
        );
        let [xx, xy, xz, yy, yz, zz] = own.inertia;
        let found = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        assert!((found - inertia).amax() < 0.015 * inertia.amax(), "{name}");
    }
}

#[test]
fn several_trees_are_no_robot() {
    let mut sketch = humanoid().unwrap();
    let head = sketch.figure().bone_named("chest").unwrap();
    sketch.delete_bone(head).unwrap();
    let refused = to_urdf(sketch.figure(), &UrdfOptions::default());
    assert!(matches!(refused, Err(SketchError::Trees(2))));
    let none = to_urdf(&Figure::default(), &UrdfOptions::default());
    assert!(matches!(none, Err(SketchError::Trees(0))));
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = UrdfOptions {
            density,
            ..UrdfOptions::default()
        };
        let refused = to_urdf(sketch.figure(), &options);
        assert!(matches!(refused, Err(SketchError::Density(_))));
    }
    assert!(to_obj(sketch.figure(), &Angles::new(), 0).is_err());
}

#[test]
fn meshes_are_read_back_as_they_were_posed() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for (name, sketch) in shipped() {
        let figure = sketch.figure();
        let angles = any_angles(figure, &mut rng);
        let motions = figure.motions(&angles).unwrap();
        let mut expected = Vec::new();
        for hitbox in figure.hitboxes().values() {
            let pose = motions[&hitbox.bone] * hitbox.pose();
            let mesh = hitbox.shape().unwrap().tessellate(12);
            expected.extend(mesh.vertices.iter().map(|v| pose * v));
        }
        let dae = to_collada(figure, &angles, 12).unwrap();
        let obj = to_obj(figure, &angles, 12).unwrap();
        for (file, text, tolerance) in [("a.dae", dae, 1e-12), ("a.obj", obj, 1e-6)] {
            let mesh = read_mesh_bytes(file, text.as_bytes(), &ReadLimits::default()).unwrap();
            // The reader may merge and reorder vertices: each one has its twin.
            for (these, those) in [
                (mesh.vertices(), &expected[..]),
                (&expected[..], mesh.vertices()),
            ] {
                for p in these {
                    let nearest = those.iter().map(|q| (p - q).norm()).fold(1.0, f64::min);
                    assert!(nearest < tolerance, "{name} {file}: {nearest:e}");
                }
            }
        }
    }
}

/// urdfdom, by its program, and Python's XML parser; each is left out where it is missing.
#[test]
fn other_parsers_open_the_robots() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sketch) in shipped() {
        let robot = to_urdf(sketch.figure(), &UrdfOptions::default()).unwrap();
        let file = folder.path().join(format!("{name}.urdf"));
        std::fs::write(&file, robot.to_urdf()).unwrap();
        match Command::new("check_urdf").arg(&file).output() {
            Ok(run) => {
                let told = String::from_utf8_lossy(&run.stdout);
                assert!(
                    run.status.success() && told.contains("Successfully"),
                    "{told}"
                );
                assert!(told.contains("root Link: base"), "{told}");
            }
            Err(_) => eprintln!("skipped: other_parsers_open_the_robots: there is no check_urdf"),
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sketch/tree.py");
        match Command::new("python3").arg(script).arg(&file).output() {
            Ok(run) => {
                let told = String::from_utf8_lossy(&run.stdout);
                let expected = format!("{} {} base", robot.links().len(), robot.joints().len());
                assert_eq!(
                    told.trim(),
                    expected,
                    "{}",
                    String::from_utf8_lossy(&run.stderr)
                );
            }
            Err(_) => eprintln!("skipped: other_parsers_open_the_robots: there is no python3"),
        }
    }
}

/// Bodies overlap about the joints that bones share, and nowhere else, as figures are drawn; of the horse's back and tail,
/// both at the root, only the SRDF tells that they share one.
#[test]
fn with_its_srdf_no_figure_collides_with_itself() {
    for (name, sketch) in shipped() {
        let figure = sketch.figure();
        let options = UrdfOptions {
            name: "a \"figure\" & <more>".to_owned(),
            ..UrdfOptions::default()
        };
        let robot = to_urdf(figure, &options).unwrap();
        let mut scene = RobotScene::new(robot).unwrap();
        let neutral = scene.robot().neutral();
        let options = SceneOptions::default();
        let alone = scene.in_collision(&neutral, &options).unwrap();
        assert_eq!(alone, name == "horse");
        let srdf = Srdf::from_srdf_str(&to_srdf(figure, scene.robot().name())).unwrap();
        assert!(scene.apply_srdf(&srdf).is_empty());
        assert!(!scene.in_collision(&neutral, &options).unwrap(), "{name}");
        let shared = |[a, b]: [&String; 2]| {
            let ends = |name| {
                let bone = figure.bone_named(name).unwrap();
                let of = figure
                    .branches()
                    .into_iter()
                    .find(|branch| branch.bone == bone);
                of.map(|branch| [branch.near, branch.far]).unwrap()
            };
            ends(a).iter().any(|joint| ends(b).contains(joint))
        };
        let names = srdf.disabled.iter().map(|pair| pair.links.each_ref());
        assert!(
            names.clone().count() > 4 && names.clone().all(shared),
            "{name}"
        );
    }
}

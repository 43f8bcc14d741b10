//! `superovoid sdf`, read by Gazebo's parser.

use super::readers::{compiled, lines_of, skipped};
use super::{motion, robots};
use crate::common::{stdout_of, superovoid};
use nalgebra::{Isometry3, Matrix3, Point3, Translation3, Unit, UnitQuaternion, Vector3};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use superovoid_robot::{Geometry, JointKind, Robot};

/// Gazebo's parser, as the program of this folder, which is compiled once.
fn gazebo(test: &str) -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let versions = ["sdformat12", "sdformat11", "sdformat13"];
        versions
            .iter()
            .find_map(|name| compiled("gazebo.cpp", name))
    });
    if program.is_none() {
        skipped(test, "libsdformat-dev is not installed");
    }
    program.as_deref()
}

/// A model as Gazebo reads it.
struct Read {
    links: HashMap<String, Vec<String>>,
    /// The link that each frame belongs to, and its pose there.
    frames: HashMap<String, (String, Isometry3<f64>)>,
    joints: HashMap<String, Vec<String>>,
    parts: Vec<Vec<String>>,
}

impl Read {
    fn new(program: &Path, file: &Path) -> Self {
        let mut read = Read {
            links: HashMap::new(),
            frames: HashMap::new(),
            joints: HashMap::new(),
            parts: Vec::new(),
        };
        for line in lines_of(program, file) {
            match &*line[0] {
                "link" => drop(read.links.insert(line[1].clone(), line[2..].to_vec())),
                "frame" => {
                    let pose = motion::pose(&line[3..], 3);
                    read.frames.insert(line[1].clone(), (line[2].clone(), pose));
                }
                "joint" => drop(read.joints.insert(line[1].clone(), line[2..].to_vec())),
                "visual" | "collision" => read.parts.push(line),
                _ => panic!("{}: {line:?}", file.display()),
            }
        }
        read
    }

    /// The poses of all links and frames in that of `root`, for positions of the joints by their names in SDF: from the
    /// joints' poses and axes alone.
    fn poses(&self, root: &str, positions: &HashMap<String, f64>) -> HashMap<&str, Isometry3<f64>> {
        let child_of = |joint: &Vec<String>| joint[2].clone();
        let mut poses: HashMap<&str, Isometry3<f64>> = HashMap::new();
        let moved: Vec<String> = self.joints.values().map(child_of).collect();
        for (name, link) in &self.links {
            if !moved.contains(name) {
                poses.insert(name, motion::pose(&link[1..], 3));
            }
        }
        while poses.len() < self.links.len() {
            let before = poses.len();
            for (name, joint) in &self.joints {
                let child = self.links.get_key_value(&joint[2]).expect("a link").0;
                let parent = match &*joint[1] {
                    "world" => Some(Isometry3::identity()),
                    other => poses.get(other).copied(),
                };
                if let (Some(parent), false) = (parent, poses.contains_key(&**child)) {
                    let [at, rest] = [3, 10].map(|k| motion::pose(&joint[k..], 3));
                    let position = positions.get(name).copied().unwrap_or(0.0);
                    poses.insert(child, parent * at * Self::motion(joint, position) * rest);
                }
            }
            assert!(
                poses.len() > before,
                "the joints of {root} reach every link"
            );
        }
        for (name, (body, pose)) in &self.frames {
            let pose = poses[&**body] * pose;
            poses.insert(name, pose);
        }
        let back = poses
            .get(root)
            .map_or(Isometry3::identity(), |pose| pose.inverse());
        poses.values_mut().for_each(|pose| *pose = back * *pose);
        poses
    }

    fn motion(joint: &[String], position: f64) -> Isometry3<f64> {
        let number = |k: usize| joint[k].parse::<f64>().unwrap();
        let axis = |joint: &[String]| {
            assert!(joint.len() > 19, "an axis: {joint:?}");
            Unit::new_normalize(Vector3::new(number(17), number(18), number(19)))
        };
        // sdf::JointType: 3 fixed, 5 prismatic, 6 revolute.
        match &*joint[0] {
            "3" => Isometry3::identity(),
            "5" => Translation3::from(axis(joint).into_inner() * position).into(),
            "6" => UnitQuaternion::from_axis_angle(&axis(joint), position).into_isometry(),
            other => panic!("joint type {other}"),
        }
    }
}

trait IntoIsometry {
    fn into_isometry(self) -> Isometry3<f64>;
}

impl IntoIsometry for UnitQuaternion<f64> {
    fn into_isometry(self) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::identity(), self)
    }
}

/// Names of joints in SDF: those of a link have `_joint` at their ends.
fn name_in_sdf(robot: &Robot, joint: &str) -> String {
    match robot.link_index(joint) {
        Some(_) => format!("{joint}_joint"),
        None => joint.to_owned(),
    }
}

/// Compares links, joints, masses and the poses of links in random configurations with the robot.
fn assert_same(robot: &Robot, read: &Read, file: &str) {
    let root = &robot.links()[robot.root()].name;
    for link in robot.links() {
        let there = read.links.contains_key(&link.name) || read.frames.contains_key(&link.name);
        assert!(there || link.name == "world", "{file}: {}", link.name);
        // What has mass is as it was.
        if let (Some(own), Some(line)) = (&link.inertial, read.links.get(&link.name)) {
            assert_same_inertial(own, line, &format!("{file}: {}", link.name));
        }
    }
    for joint in robot.joints() {
        let Some(line) = read.joints.get(&name_in_sdf(robot, &joint.name)) else {
            assert!(!joint.kind.has_one_freedom(), "{file}: {}", joint.name);
            continue;
        };
        if joint.kind.has_one_freedom() {
            let number = |k: usize| line[k].parse::<f64>().unwrap();
            // The parser's numbers for no limit.
            let [lower, upper] = joint.range().unwrap_or([-1e16, 1e16]);
            let found = [number(20), number(21)];
            assert_eq!(found, [lower, upper], "{file}: {}", joint.name);
            if let Some(limit) = joint.limit {
                let of = |value: Option<f64>| value.filter(|value| *value >= 0.0);
                assert!(
                    of(limit.effort).is_none_or(|effort| effort == number(22)),
                    "{file}: {}",
                    joint.name
                );
                assert!(
                    of(limit.velocity).is_none_or(|speed| speed == number(23)),
                    "{file}: {}",
                    joint.name
                );
            }
            let dynamics = joint.dynamics.unwrap_or_default();
            assert_eq!(
                [number(24), number(25)],
                [dynamics.damping, dynamics.friction],
                "{file}"
            );
        }
    }
    for configuration in motion::random_configurations(robot, 4) {
        let ours = robot.forward_kinematics(&configuration).unwrap();
        let positions = motion::positions(robot, &configuration);
        let positions = positions
            .into_iter()
            .map(|(joint, at)| (name_in_sdf(robot, &joint), at));
        let theirs = read.poses(root, &positions.collect());
        for (link, own) in robot.links().iter().zip(ours) {
            if let Some(pose) = theirs.get(&*link.name) {
                let off = motion::difference(pose, &own);
                assert!(off < 1e-9, "{file}: {}: {off}", link.name);
            }
        }
    }
}

fn assert_same_inertial(own: &superovoid_robot::Inertial, line: &[String], what: &str) {
    let [xx, xy, xz, yy, yz, zz] = own.inertia;
    let tensor =
        |[xx, xy, xz, yy, yz, zz]: [f64; 6]| Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let moments = tensor([xx, xy, xz, yy, yz, zz]);
    let size = moments.amax();
    let mut eigenvalues: [f64; 3] = moments.symmetric_eigenvalues().into();
    eigenvalues.sort_by(f64::total_cmp);
    // Other inertias cannot be kept: Gazebo refuses them.
    if own.mass <= 0.0
        || eigenvalues[0] <= 0.0
        || eigenvalues[0] + eigenvalues[1] < eigenvalues[2] * (1.0 + 1e-8)
    {
        return;
    }
    let number = |k: usize| line[k].parse::<f64>().unwrap();
    assert_eq!(number(0), own.mass, "{what}");
    let pose = own.origin.isometry();
    let center = motion::pose(&line[8..], 3) * Point3::origin();
    assert!(
        (center - pose * Point3::origin()).norm() < 1e-12,
        "{what}: {center}"
    );
    let turn = pose.rotation.to_rotation_matrix();
    let expected = turn * moments * turn.inverse();
    // Gazebo gives the inertia along the axes of the link.
    let found = tensor([15, 16, 17, 18, 19, 20].map(number));
    assert!(
        (found - expected).amax() < 1e-9 * size,
        "{what}: {found} {expected}"
    );
}

fn converted(robot: &Path, folder: &Path) -> PathBuf {
    let robot = fs::canonicalize(robot).unwrap();
    let run = superovoid(&["sdf", robot.to_str().unwrap(), "-o", "out.sdf"], folder);
    assert!(run.status.success(), "{run:?}");
    folder.join("out.sdf")
}

#[test]
fn gazebo_reads_every_robot_where_its_links_are_and_as_heavy() {
    let Some(program) = gazebo("gazebo_reads_every_robot_where_its_links_are_and_as_heavy") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("everything.urdf");
    fs::write(&own, robots::EVERYTHING).unwrap();
    let mut read = 0;
    for file in robots::files().into_iter().chain([own]) {
        if let Ok(robot) = Robot::from_urdf_file(&file) {
            let out = converted(&file, folder.path());
            assert_same(
                &robot,
                &Read::new(program, &out),
                &file.display().to_string(),
            );
            read += 1;
        }
    }
    println!("{read} robots");
    assert!(read >= 5);
}

#[test]
fn every_shape_is_the_one_that_it_was_and_where_it_was() {
    let Some(program) = gazebo("every_shape_is_the_one_that_it_was_and_where_it_was") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("everything.urdf");
    fs::write(&own, robots::EVERYTHING).unwrap();
    let read = Read::new(program, &converted(&own, folder.path()));
    let robot = Robot::from_urdf_file(&own).unwrap();
    let collisions: Vec<_> = read
        .parts
        .iter()
        .filter(|part| part[0] == "collision")
        .collect();
    let ours = robot.links().iter();
    let ours: Vec<_> = ours
        .flat_map(|link| link.collisions.iter().map(move |one| (link, one)))
        .collect();
    assert_eq!(collisions.len(), ours.len());
    for (link, collision) in ours {
        let expected = collision.origin.isometry();
        // sdf::GeometryType: 1 box, 2 cylinder, 4 sphere, 5 mesh, 7 capsule, 8 ellipsoid.
        let kind = match (&collision.superovoid, &collision.geometry) {
            (Some(shape), _) if shape.exponents() == [1.0; 2] => "8",
            (Some(_), _) => "5",
            (None, Geometry::Box { .. }) => "1",
            (None, Geometry::Cylinder { .. }) => "2",
            (None, Geometry::Sphere { .. }) => "4",
            (None, Geometry::Capsule { .. }) => "7",
            other => panic!("{other:?}"),
        };
        let found = collisions.iter().find(|part| {
            part[1] == link.name
                && part[3] == kind
                && motion::difference(&motion::pose(&part[5..], 3), &expected) < 1e-12
        });
        let found = found.unwrap_or_else(|| panic!("{} {kind}", link.name));
        if kind == "5" {
            assert!(folder.path().join(&found[4]).is_file(), "{found:?}");
        }
    }
    // The box and the copies of both superovoids; the forearm's own visual too.
    assert_eq!(read.parts.len() - collisions.len(), 4);
    // One of the two trunks has another name.
    assert_eq!(read.joints.len(), robot.joints().len() - 3);
    assert_eq!(read.frames.keys().count(), 3);
}

#[test]
fn the_base_is_free_or_fixed_and_the_version_that_of_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("everything.urdf"), robots::EVERYTHING).unwrap();
    let text = |arguments: &[&str]| {
        let all = [&["sdf", "everything.urdf", "-o", "out.sdf"], arguments].concat();
        stdout_of(&superovoid(&all, folder.path()));
        fs::read_to_string(folder.path().join("out.sdf")).unwrap()
    };
    let free = text(&[]);
    assert!(
        free.contains("<sdf version=\"1.11\">") && !free.contains("world"),
        "{free}"
    );
    assert!(free.contains("<mimic joint=\"grip\">") && free.contains("<mu>1</mu>"));
    let fixed = text(&["--base", "fixed", "--format", "1.9", "--friction", "0.25"]);
    assert!(fixed.contains("<sdf version=\"1.9\">") && !fixed.contains("<mimic"));
    assert!(fixed.contains("<parent>world</parent>") && fixed.contains("<mu2>0.25</mu2>"));
    let Some(program) = gazebo("the_base_is_free_or_fixed_and_the_version_that_of_what_is_in_it")
    else {
        return;
    };
    let read = Read::new(program, &folder.path().join("out.sdf"));
    let to_world: Vec<_> = read
        .joints
        .values()
        .filter(|joint| joint[1] == "world")
        .collect();
    // The base is a frame of the torso.
    assert_eq!((to_world.len(), &*to_world[0][2]), (1, "torso"));
}

#[test]
fn a_root_that_is_called_world_is_the_world() {
    const ARM: &str = r#"<robot name="arm"><link name="world"/>
        <link name="stand"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <link name="mark"/><link name="slider"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="a" type="fixed"><parent link="world"/><child link="stand"/><origin xyz="1 2 3" rpy="0 0 1"/></joint>
        <joint name="b" type="fixed"><parent link="stand"/><child link="mark"/><origin xyz="0 0 1"/></joint>
        <joint name="c" type="prismatic"><parent link="world"/><child link="slider"/><origin xyz="4 0 0"/>
            <axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint></robot>"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arm.urdf");
    fs::write(&file, ARM).unwrap();
    let Some(program) = gazebo("a_root_that_is_called_world_is_the_world") else {
        return;
    };
    let read = Read::new(program, &converted(&file, folder.path()));
    let mut links: Vec<_> = read.links.keys().collect();
    links.sort();
    assert_eq!(links, ["slider", "stand"]);
    assert_eq!(read.frames["mark"].0, "stand");
    assert_same(&Robot::from_urdf_file(&file).unwrap(), &read, "arm.urdf");
    assert!(read.joints.values().all(|joint| joint[1] == "world"));
}

/// The lower of two links on an empty base came first in the file, and the frame of the base belonged to it.
#[test]
fn a_base_belongs_to_the_upper_of_two_links() {
    const STACK: &str = r#"<robot name="stack"><link name="base"/>
        <link name="lower"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <link name="upper"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <joint name="a" type="fixed"><parent link="base"/><child link="upper"/><origin xyz="0 0 2"/></joint>
        <joint name="b" type="fixed"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -1"/></joint></robot>"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stack.urdf");
    fs::write(&file, STACK).unwrap();
    let Some(program) = gazebo("a_base_belongs_to_the_upper_of_two_links") else {
        return;
    };
    let read = Read::new(program, &converted(&file, folder.path()));
    assert_eq!(read.frames["base"].0, "upper");
    assert_same(&Robot::from_urdf_file(&file).unwrap(), &read, "stack.urdf");
}

#[test]
fn joints_that_sdf_lacks_are_told_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let robot = |kind: JointKind| {
        let [kind, ball] = [
            kind.name(),
            "<collision><geometry><sphere radius='1'/></geometry></collision>",
        ];
        format!(
            "<robot name='r'><link name='a'>{ball}</link><link name='b'>{ball}</link>\
             <joint name='j' type='{kind}'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>"
        )
    };
    let run = |kind| {
        fs::write(folder.path().join("r.urdf"), robot(kind)).unwrap();
        superovoid(&["sdf", "r.urdf", "-o", "r.sdf"], folder.path())
    };
    let message = crate::common::error_of(&run(JointKind::Planar));
    assert_eq!(message, "r.urdf: joint \"j\": SDF has no planar joint");
    assert!(!folder.path().join("r.sdf").exists());
    let floating = run(JointKind::Floating);
    assert!(floating.status.success());
    let told = String::from_utf8_lossy(&floating.stderr);
    assert!(
        told.contains("joint \"j\": SDF has no floating joint: link \"b\" is free"),
        "{told}"
    );
}

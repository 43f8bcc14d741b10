//! `superovoid mjcf`, opened by MuJoCo.

use super::readers::{mujoco, skipped};
use super::{motion, robots};
use crate::common::superovoid;
use nalgebra::Point3;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use superovoid::{VertexOptions, vertex_contact};
use superovoid_robot::{Collision, Configuration, Geometry, Robot};

/// A line of positions for MuJoCo.
fn line(robot: &Robot, configuration: &Configuration) -> String {
    let positions = motion::positions(robot, configuration);
    let words: Vec<_> = positions
        .iter()
        .map(|(joint, at)| format!("{joint}\t{at:?}"))
        .collect();
    words.join("\t") + "\n"
}

/// The text of a robot without its collision shapes.
fn without_collisions(mut text: String) -> String {
    let end = "</collision>";
    while let Some(from) = text
        .find("<collision>")
        .or_else(|| text.find("<collision "))
    {
        let length = text[from..].find(end).unwrap() + end.len();
        text.replace_range(from..from + length, "");
    }
    text
}

/// Converts the robot and opens it, in some configurations; `None` without MuJoCo.
fn opened(
    file: &Path,
    folder: &Path,
    configurations: &[Configuration],
    arguments: &[&str],
    told: &[&str],
) -> Option<Vec<Vec<String>>> {
    let file = fs::canonicalize(file).unwrap();
    let all = [
        &["mjcf", file.to_str().unwrap(), "-o", "out.xml"],
        arguments,
    ]
    .concat();
    let run = superovoid(&all, folder);
    assert!(run.status.success(), "{run:?}");
    let robot = Robot::from_urdf_file(&file).unwrap();
    let lines: String = configurations.iter().map(|at| line(&robot, at)).collect();
    mujoco(&folder.join("out.xml"), &lines, told)
}

fn assert_same(robot: &Robot, told: &[Vec<String>], configurations: &[Configuration], file: &str) {
    let mut blocks = told.split(|line| line[0] == "configuration");
    let head = blocks.next().unwrap();
    let masses = head.iter().filter(|line| line[0] == "body");
    let masses: HashMap<&str, f64> = masses
        .map(|line| (&*line[1], line[2].parse().unwrap()))
        .collect();
    for link in robot.links() {
        let mass = masses
            .get(&*link.name)
            .unwrap_or_else(|| panic!("{file}: {}", link.name));
        if let Some(own) = link.inertial.filter(|own| own.mass > 0.0) {
            assert!(
                (mass - own.mass).abs() <= 1e-12 * own.mass,
                "{file}: {} {mass}",
                link.name
            );
        }
    }
    for joint in robot
        .joints()
        .iter()
        .filter(|joint| joint.kind.has_one_freedom())
    {
        let found = head
            .iter()
            .find(|line| line[0] == "joint" && line[1] == joint.name);
        let found = found.unwrap_or_else(|| panic!("{file}: {}", joint.name));
        let number = |k: usize| found[k].parse::<f64>().unwrap();
        let [lower, upper] = joint.range().unwrap_or_default();
        let off = (number(3) - lower).abs().max((number(4) - upper).abs());
        assert!(off <= 1e-8 * upper.abs().max(1.0), "{file}: {}", joint.name);
        let effort = joint.limit.and_then(|limit| limit.effort).unwrap_or(0.0);
        assert_eq!(
            [number(5), number(6)],
            [-effort, effort],
            "{file}: {}",
            joint.name
        );
        let dynamics = joint.dynamics.unwrap_or_default();
        assert_eq!(
            [number(7), number(8)],
            [dynamics.damping, dynamics.friction]
        );
    }
    for (configuration, block) in configurations.iter().zip(blocks) {
        let ours = robot.forward_kinematics(configuration).unwrap();
        let poses = block.iter().filter(|line| line[0] == "pose");
        let poses: HashMap<&str, _> = poses
            .map(|line| (&*line[1], motion::pose(&line[2..], 0)))
            .collect();
        for (link, own) in robot.links().iter().zip(&ours) {
            let off = motion::difference(&poses[&*link.name], own);
            assert!(off < 1e-9, "{file}: {}: {off}", link.name);
        }
    }
    assert_eq!(told.last().unwrap(), &["finite", "True"], "{file}");
}

#[test]
fn mujoco_opens_robots_with_their_bodies_where_they_are_and_as_heavy() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("everything.urdf");
    fs::write(&own, robots::EVERYTHING).unwrap();
    // Some robots of the other folder: MuJoCo takes a second to start.
    for file in [own]
        .into_iter()
        .chain(robots::files().into_iter().step_by(3))
    {
        let Ok(mut robot) = Robot::from_urdf_file(&file) else {
            continue;
        };
        // Without the meshes of the other folder's robots nothing would be written.
        let mut file = file;
        let collisions = robot.links().iter().flat_map(|link| &link.collisions);
        let is_mesh = |collision: &Collision| matches!(collision.geometry, Geometry::Mesh { .. });
        if collisions.into_iter().any(is_mesh) {
            let text = without_collisions(fs::read_to_string(&file).unwrap());
            file = folder.path().join("without_meshes.urdf");
            fs::write(&file, text).unwrap();
            robot = Robot::from_urdf_file(&file).unwrap();
        }
        let configurations = motion::random_configurations(&robot, 5);
        let Some(told) = opened(&file, folder.path(), &configurations, &[], &[]) else {
            skipped(
                "mujoco_opens_robots_with_their_bodies_where_they_are_and_as_heavy",
                "SUPEROVOID_PYTHON is no Python with mujoco",
            );
            return;
        };
        if robot.root() != 0 || robot.links()[0].name != "world" {
            assert_same(&robot, &told, &configurations, &file.display().to_string());
        }
    }
}

#[test]
fn the_hands_are_in_mujoco_what_they_are_here() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../urdf/icub_hands.urdf");
    let robot = Robot::from_urdf_file(&file).unwrap();
    let configurations = motion::random_configurations(&robot, 3);
    let folder = tempfile::tempdir().unwrap();
    let told = opened(&file, folder.path(), &configurations, &[], &["--vertices"]);
    let Some(told) = told else {
        skipped(
            "the_hands_are_in_mujoco_what_they_are_here",
            "SUPEROVOID_PYTHON is no Python with mujoco",
        );
        return;
    };
    assert_same(&robot, &told, &configurations, "icub_hands.urdf");
    // Bodies with the world, joints, geoms, of these shown, meshes, equalities, excluded pairs.
    let joints = robot
        .joints()
        .iter()
        .filter(|joint| joint.kind.has_one_freedom())
        .count();
    let adjacent = adjacent_pairs(&robot);
    let counts = [robot.links().len() + 1, joints, 84, 42, 42, 0, adjacent];
    assert_eq!(told[0][1..], counts.map(|count| count.to_string()));
    // The mass is that of the closed form, and a gram for the slide that has no shape.
    let bodies = robot.superovoid_bodies();
    let volume: f64 = bodies.iter().map(|body| body.shape.volume()).sum();
    let mass: f64 = told[1][1].parse().unwrap();
    assert!(
        (mass - 1000.0 * volume - 0.001).abs() < 1e-12,
        "{mass} {volume}"
    );
    // The vertices of the meshes are on the superovoids, wherever the hands are.
    let blocks = told.split(|line| line[0] == "configuration").skip(1);
    for (configuration, block) in configurations.iter().zip(blocks) {
        let poses = robot.forward_kinematics(configuration).unwrap();
        let vertices = block.iter().filter(|line| line[0] == "vertex");
        let mut count = 0;
        for vertex in vertices {
            let link = robot.link_index(&vertex[1]).unwrap();
            let body = bodies.iter().find(|body| body.link == link).unwrap();
            let [x, y, z] = [2, 3, 4].map(|k| vertex[k].parse().unwrap());
            let place = poses[link] * body.pose;
            let found = vertex_contact(
                &body.shape,
                &place,
                &Point3::new(x, y, z),
                &VertexOptions::default(),
            )
            .unwrap();
            // The files are in single precision; and a geom whose frame is nearly that of the inertia takes it in MuJoCo.
            assert!(found.distance.abs() < 1e-6, "{vertex:?} {found:?}");
            count += 1;
        }
        assert!(count > 1000);
    }
}

fn adjacent_pairs(robot: &Robot) -> usize {
    let shaped = |link: &usize| !robot.links()[*link].collisions.is_empty();
    let links: Vec<usize> = (0..robot.links().len()).filter(shaped).collect();
    let of = |&a: &usize| {
        links
            .iter()
            .filter(|b| a < **b && robot.are_adjacent(a, **b))
            .count()
    };
    links.iter().map(of).sum()
}

#[test]
fn a_joint_that_mimics_is_an_equality_and_an_srdf_excludes_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("everything.urdf");
    fs::write(&file, robots::EVERYTHING).unwrap();
    let srdf = "<robot name='everything'><disable_collisions link1='torso' link2='wheel'/>\
                <disable_collisions link1='forearm' link2='torso' reason='Never'/></robot>";
    fs::write(folder.path().join("r.srdf"), srdf).unwrap();
    let robot = Robot::from_urdf_file(&file).unwrap();
    let arguments = ["--srdf", "r.srdf", "--base", "free"];
    let Some(told) = opened(&file, folder.path(), &[], &arguments, &[]) else {
        skipped(
            "a_joint_that_mimics_is_an_equality_and_an_srdf_excludes_pairs",
            "SUPEROVOID_PYTHON is no Python with mujoco",
        );
        return;
    };
    let equalities: Vec<_> = told.iter().filter(|line| line[0] == "equality").collect();
    assert_eq!(equalities.len(), 1);
    assert_eq!(equalities[0][1..], ["follow", "grip", "0.01", "-1.5"]);
    assert_eq!(told[0][7], (adjacent_pairs(&robot) + 2).to_string());
    // A free joint, and the five joints.
    assert_eq!(told[0][2], "6");
}

/// The parts of planar and floating joints have names that no other joint has, and the bodies are where they are here.
#[test]
fn mujoco_opens_planar_and_floating_joints() {
    const TEST: &str = "mujoco_opens_planar_and_floating_joints";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.urdf");
    let link = |name: &str| {
        format!(
            "<link name='{name}'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, kind: &str, parent: &str, child: &str, inside: &str| {
        format!(
            "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>\
             <origin xyz='0.1 0.2 0.3' rpy='0.4 -0.5 0.6'/>{inside}</joint>"
        )
    };
    let limit = "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/>";
    let robot = [
        "<robot name='r'>".to_owned(),
        ["base", "cart", "slide", "kite"].map(link).concat(),
        joint("base", "planar", "base", "cart", "<axis xyz='0 1 1'/>"),
        joint("base_x", "prismatic", "cart", "slide", limit),
        joint("free", "floating", "slide", "kite", ""),
        "</robot>".to_owned(),
    ]
    .concat();
    fs::write(&file, robot).unwrap();
    let robot = Robot::from_urdf_file(&file).unwrap();
    let mut configuration = robot.neutral();
    configuration.set("base_x", 0.3).unwrap();
    let planar = [("base_x_", 0.0), ("base_y", 0.0), ("base_yaw", 0.0)];
    let run = superovoid(&["mjcf", "r.urdf", "-o", "out.xml"], folder.path());
    assert!(run.status.success(), "{run:?}");
    let line = format!(
        "base_x\t0.3\t{}\n",
        planar.map(|(name, at)| format!("{name}\t{at}")).join("\t")
    );
    let Some(told) = mujoco(&folder.path().join("out.xml"), &line, &[]) else {
        return skipped(TEST, "SUPEROVOID_PYTHON is no Python with mujoco");
    };
    let ours = robot.forward_kinematics(&configuration).unwrap();
    for (link, own) in robot.links().iter().zip(&ours) {
        let found = told
            .iter()
            .find(|line| line[0] == "pose" && line[1] == link.name);
        let found = motion::pose(&found.unwrap()[2..], 0);
        assert!(motion::difference(&found, own) < 1e-9, "{}", link.name);
    }
    assert_eq!(told.last().unwrap(), &["finite", "True"]);
}

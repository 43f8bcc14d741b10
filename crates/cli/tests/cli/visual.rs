//! `superovoid visual` from the outside.
//!
//! What is written is read back by the library's own reader, by stl_io and, where `SUPEROVOID_PYTHON` has it, by
//! PyBullet.

use crate::common::{error_of, stdout_of, superovoid};
use nalgebra::{Isometry3, Point3};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use superovoid::{VertexOptions, vertex_contact};
use superovoid_robot::{Geometry, Robot};

const ARM: &str = r#"<robot name="arm">
  <link name="base">
    <visual><geometry><mesh filename="base.dae"/></geometry></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="../up per">
    <visual>
      <origin xyz="0 0 1"/>
      <geometry><sphere radius="1.1"/></geometry>
      <superovoid a1="1" a2="0.25" a3="0.5" e1="0.5" e2="1" tx="0" ty="0"/>
      <material name="red"><color rgba="1 0 0 1"/></material>
    </visual>
    <collision>
      <origin xyz="2 0 0" rpy="0 0 1"/>
      <geometry><sphere radius="1.1"/></geometry>
      <superovoid a1="1" a2="0.25" a3="0.5" e1="0.5" e2="1.2" tx="0.2" ty="-0.1"/>
    </collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="../up per"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
</robot>"#;

fn folder_with_arm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.urdf"), ARM).unwrap();
    folder
}

fn mesh_of(geometry: &Geometry) -> &str {
    match geometry {
        Geometry::Mesh { filename, scale } if *scale == [1.0; 3] => filename,
        other => panic!("{other:?} is no mesh as it is"),
    }
}

/// Every edge is there once in each direction.
fn assert_watertight(mesh: &stl_io::IndexedMesh) {
    let mut edges: HashMap<[usize; 2], i32> = HashMap::new();
    for face in &mesh.faces {
        let [a, b, c] = face.vertices;
        for edge in [[a, b], [b, c], [c, a]] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    for ([a, b], count) in &edges {
        assert_eq!(
            (*count, edges.get(&[*b, *a])),
            (1, Some(&1)),
            "edge {a}-{b}"
        );
    }
}

#[test]
fn every_superovoid_is_shown_by_a_mesh_of_its_surface_where_it_is() {
    let folder = folder_with_arm();
    let out = stdout_of(&superovoid(
        &["visual", "arm.urdf", "-o", "shown.urdf"],
        folder.path(),
    ));
    assert_eq!(out, "shown.urdf: 2 meshes in shown_meshes\n");
    let before = Robot::from_urdf_file(folder.path().join("arm.urdf")).unwrap();
    let after = Robot::from_urdf_file(folder.path().join("shown.urdf")).unwrap();
    assert_eq!(after.joints(), before.joints());
    assert_eq!(after.links()[0], before.links()[0]);
    let [link, was] = [&after, &before].map(|robot| &robot.links()[1]);
    assert_eq!(link.collisions, was.collisions);
    assert_eq!(link.visuals.len(), 2);
    assert_eq!(link.visuals[0].material, was.visuals[0].material);
    let shapes = [
        (was.visuals[0].superovoid, was.visuals[0].origin),
        (was.collisions[0].superovoid, was.collisions[0].origin),
    ];
    for (visual, (shape, origin)) in link.visuals.iter().zip(shapes) {
        assert_eq!((visual.superovoid, visual.origin), (None, origin));
        let file = folder.path().join(mesh_of(&visual.geometry));
        let mesh = stl_io::read_stl(&mut File::open(file).unwrap()).unwrap();
        assert_watertight(&mesh);
        let shape = shape.expect("it had one");
        for vertex in &mesh.vertices {
            let vertex = Point3::from(<[f32; 3]>::from(*vertex).map(f64::from));
            let options = VertexOptions::default();
            let found = vertex_contact(&shape, &Isometry3::identity(), &vertex, &options).unwrap();
            assert!(found.distance.abs() < 1e-6, "{vertex} {}", found.distance);
        }
    }
    let names = [0, 1].map(|k| mesh_of(&link.visuals[k].geometry));
    assert_eq!(
        names,
        [
            "shown_meshes/001____up_per.stl",
            "shown_meshes/002____up_per.stl"
        ]
    );
}

#[test]
fn the_robot_says_where_readers_find_the_meshes() {
    let folder = folder_with_arm();
    let shown = |arguments: &[&str]| {
        let all = [&["visual", "arm.urdf", "-o", "out/shown.urdf"], arguments].concat();
        superovoid(&all, folder.path())
    };
    let of = || {
        let robot = Robot::from_urdf_file(folder.path().join("out/shown.urdf")).unwrap();
        let visuals = &robot.links()[1].visuals;
        mesh_of(&visuals[0].geometry).to_owned()
    };
    fs::create_dir(folder.path().join("out")).unwrap();
    let run = shown(&["--meshes", "out/a/b", "--segments", "8"]);
    assert!(run.status.success(), "{run:?}");
    assert_eq!(of(), "a/b/001____up_per.stl");
    // base.dae was beside the robot.
    let warning = String::from_utf8_lossy(&run.stderr);
    assert!(
        warning.contains("arm.urdf has meshes at relative paths"),
        "{warning}"
    );
    let package = [
        "--meshes",
        "elsewhere",
        "--address",
        "package://arm/shapes/",
    ];
    assert!(shown(&package).status.success());
    assert_eq!(of(), "package://arm/shapes/001____up_per.stl");
    assert!(folder.path().join("elsewhere/002____up_per.stl").is_file());
    let run = shown(&["--replace"]);
    assert!(run.status.success());
    let robot = Robot::from_urdf_file(folder.path().join("out/shown.urdf")).unwrap();
    assert_eq!(
        robot
            .links()
            .iter()
            .map(|link| link.visuals.len())
            .collect::<Vec<_>>(),
        [0, 2]
    );
    let message = error_of(&shown(&["--meshes", "elsewhere"]));
    assert!(message.contains("--address"), "{message}");
}

#[test]
fn what_cannot_be_written_is_named_and_nothing_is_left() {
    let folder = folder_with_arm();
    let bare = "<robot name='bare'><link name='only'/></robot>";
    fs::write(folder.path().join("bare.urdf"), bare).unwrap();
    let refused = |arguments: &[&str]| {
        error_of(&superovoid(
            &[&["visual"], arguments].concat(),
            folder.path(),
        ))
    };
    let message = refused(&["bare.urdf", "-o", "shown.urdf"]);
    assert_eq!(message, "bare.urdf: no link has a superovoid to show");
    let message = refused(&["arm.urdf", "-o", "arm.urdf"]);
    assert!(message.contains("is the input"), "{message}");
    let message = refused(&["arm.urdf", "-o", "-"]);
    assert!(message.contains("needs a file"), "{message}");
    let message = refused(&["none.urdf", "-o", "shown.urdf"]);
    assert!(message.contains("none.urdf"), "{message}");
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["arm.urdf", "bare.urdf"]);
}

/// PyBullet finds the mesh of each of the hands' superovoids.
#[test]
fn pybullet_shows_the_hands() {
    const PROGRAM: &str = "
import sys, pybullet as p
p.connect(p.DIRECT)
body = p.loadURDF(sys.argv[1], useFixedBase=True)
print('meshes', sum(shape[2] == p.GEOM_MESH for shape in p.getVisualShapeData(body)))
";
    let folder = tempfile::tempdir().unwrap();
    let hands = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../urdf/icub_hands.urdf");
    let hands = hands.to_str().expect("a path that is text");
    stdout_of(&superovoid(
        &["visual", hands, "-o", "hands.urdf"],
        folder.path(),
    ));
    let python = std::env::var_os("SUPEROVOID_PYTHON").unwrap_or("python3".into());
    let run = Command::new(python)
        .args(["-c", PROGRAM, "hands.urdf"])
        .current_dir(folder.path())
        .output();
    let lacks = |text: &[u8]| String::from_utf8_lossy(text).contains("ModuleNotFoundError");
    let Some(run) = run.ok().filter(|run| !lacks(&run.stderr)) else {
        // Not captured, so that it is seen.
        let line =
            "skipped: pybullet_shows_the_hands: SUPEROVOID_PYTHON is no Python with pybullet\n";
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    };
    // Its warnings come before that, without a line of their own.
    let out = String::from_utf8_lossy(&run.stdout);
    let found = out.trim_end().ends_with("meshes 42");
    assert!(run.status.success() && found, "{run:?}");
}

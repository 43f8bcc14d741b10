//! `superovoid mesh` from the outside.

use crate::common::{error_of, stdout_of, superovoid};
use obj::ObjData;
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;

const DOOR: &str = r#"<robot name="door">
  <link name="wall">
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="leaf">
    <collision>
      <origin xyz="2 0 0"/>
      <geometry><sphere radius="1.1"/></geometry>
      <superovoid a1="1" a2="0.25" a3="0.5" e1="0.5" e2="1" tx="0" ty="0"/>
    </collision>
  </link>
  <link name="bare"/>
  <joint name="hinge" type="revolute">
    <parent link="wall"/><child link="leaf"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="weld" type="fixed"><parent link="wall"/><child link="bare"/></joint>
</robot>"#;

fn folder_with_door() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("door.urdf"), DOOR).unwrap();
    folder
}

fn read_obj(path: &Path) -> ObjData {
    ObjData::load_buf(File::open(path).unwrap()).unwrap()
}

/// Every edge once in each direction: closed, and consistently oriented.
fn assert_watertight(triangles: &[[usize; 3]]) {
    let mut edges: HashMap<[usize; 2], i32> = HashMap::new();
    for &[a, b, c] in triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    for (&[a, b], &count) in &edges {
        assert_eq!(count, 1, "edge {a}-{b}");
        assert_eq!(edges.get(&[b, a]), Some(&1), "edge {a}-{b} is open");
    }
}

fn triangles_of(object: &obj::Object) -> Vec<[usize; 3]> {
    let polygons = object.groups.iter().flat_map(|group| &group.polys);
    let corners = |p: &obj::SimplePolygon| [p.0[0].0, p.0[1].0, p.0[2].0];
    polygons.map(corners).collect()
}

/// Smallest and largest coordinates.
fn extents<'a>(points: impl Iterator<Item = &'a [f32; 3]>) -> [[f32; 2]; 3] {
    let mut extents = [[f32::INFINITY, f32::NEG_INFINITY]; 3];
    for point in points {
        for (extent, &x) in extents.iter_mut().zip(point) {
            *extent = [extent[0].min(x), extent[1].max(x)];
        }
    }
    extents
}

fn assert_extents(found: [[f32; 2]; 3], expected: [[f32; 2]; 3]) {
    for (f, e) in found.iter().flatten().zip(expected.iter().flatten()) {
        // Single precision of numbers up to 3.
        assert!((f - e).abs() < 1e-6, "{found:?} {expected:?}");
    }
}

#[test]
fn a_shape_is_written_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let expected = [[-0.1, 0.1], [-0.2, 0.2], [-0.3, 0.3]];
    for file in ["egg.obj", "egg.STL"] {
        let arguments = [
            "mesh",
            "--shape",
            "0.1, 0.2, 0.3, 1.2, 0.4, 0, 0",
            "--segments",
            "30",
        ];
        let output = superovoid(
            &[&arguments[..], &["--output", file]].concat(),
            folder.path(),
        );
        assert_eq!(stdout_of(&output), "");
    }
    let read = read_obj(&folder.path().join("egg.obj"));
    assert_eq!(read.objects.len(), 1);
    let triangles = triangles_of(&read.objects[0]);
    // 32 edges around, 16 bands: two caps of 32 triangles and 14 bands of 64.
    assert_eq!(triangles.len(), 2 * 32 + 14 * 64);
    assert_watertight(&triangles);
    assert_extents(extents(read.position.iter()), expected);

    let mut file = File::open(folder.path().join("egg.STL")).unwrap();
    let read = stl_io::read_stl(&mut file).unwrap();
    assert_eq!(read.faces.len(), triangles.len());
    let faces: Vec<_> = read.faces.iter().map(|face| face.vertices).collect();
    assert_watertight(&faces);
    assert_extents(extents(read.vertices.iter().map(|v| &v.0)), expected);
}

#[test]
fn superhyperboloids_and_supertoroids_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for (option, numbers, triangles, expected) in [
        // 32 edges around and 32 around the tube.
        (
            "--toroid",
            "0.1,0.2,0.05,0.3,0.7,3",
            2 * 32 * 32,
            [[-0.4, 0.4], [-0.8, 0.8], [-0.05, 0.05]],
        ),
        // Two caps, and 16 bands from cap to cap.
        (
            "--hyperboloid",
            "0.3,0.3,0.4,1,1,0.75",
            2 * 32 + 16 * 64,
            [[-0.375, 0.375], [-0.375, 0.375], [-0.3, 0.3]],
        ),
        // The tip is a fan as the cap is.
        (
            "--cup",
            "0.3,0.3,0.4,1,1,1.25",
            2 * 32 + 15 * 64,
            [[-0.225, 0.225], [-0.225, 0.225], [0.4, 0.5]],
        ),
        (
            "--two-sheets",
            "0.3,0.3,0.4,1,1,1.25",
            2 * (2 * 32 + 15 * 64),
            [[-0.225, 0.225], [-0.225, 0.225], [-0.5, 0.5]],
        ),
    ] {
        let arguments = [
            "mesh",
            option,
            numbers,
            "--segments",
            "32",
            "--output",
            "out.obj",
        ];
        assert_eq!(stdout_of(&superovoid(&arguments, folder.path())), "");
        let read = read_obj(&folder.path().join("out.obj"));
        let found = triangles_of(&read.objects[0]);
        assert_eq!(found.len(), triangles, "{option}");
        assert_watertight(&found);
        assert_extents(extents(read.position.iter()), expected);
    }
}

#[test]
fn a_robot_has_one_object_per_link_in_its_pose() {
    let folder = folder_with_door();
    let quarter = format!("hinge={}", std::f64::consts::FRAC_PI_2);
    for (joint, leaf) in [
        ("hinge=0", [[1.0, 3.0], [-0.25, 0.25], [-0.5, 0.5]]),
        (quarter.as_str(), [[-0.25, 0.25], [1.0, 3.0], [-0.5, 0.5]]),
    ] {
        let arguments = [
            "mesh",
            "door.urdf",
            "--joint",
            joint,
            "--output",
            "door.obj",
        ];
        let output = superovoid(&arguments, folder.path());
        assert_eq!(stdout_of(&output), "");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "warning: link \"wall\": its <box> is not a superovoid and is left out\n"
        );
        let read = read_obj(&folder.path().join("door.obj"));
        let names: Vec<&str> = read.objects.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["wall", "leaf"]);
        for (object, expected) in read.objects.iter().zip([[[-0.5, 0.5]; 3], leaf]) {
            let triangles = triangles_of(object);
            assert_watertight(&triangles);
            let corners = triangles.iter().flatten().map(|&i| &read.position[i]);
            assert_extents(extents(corners), expected);
        }
    }
}

#[test]
fn bad_arguments_name_themselves_and_nothing_is_written() {
    let folder = folder_with_door();
    let shape = "1,1,1,1,1,0,0";
    for (arguments, part) in [
        (
            vec!["--shape", "1,1,1,1,1,0"],
            "6 numbers where 7 are needed: a1,a2,a3,e1,e2,tx,ty",
        ),
        (vec!["--shape", "1,1,x,1,1,0,0"], "\"x\" is not a number"),
        (
            vec!["--shape", "-1,1,1,1,1,0,0"],
            "a1 = -1: a semi-axis must be finite",
        ),
        (vec!["--shape", shape, "--segments", "7"], "--segments"),
        (vec!["--shape", shape, "door.urdf"], "cannot be used with"),
        (
            vec!["--shape", shape, "--joint", "hinge=1"],
            "cannot be used with",
        ),
        (
            vec!["--toroid", "1,1,1,1,1"],
            "5 numbers where 6 are needed: a1,a2,a3,e1,e2,ring",
        ),
        (
            vec!["--toroid", "1,1,1,1,1,1"],
            "ring = 1: must be finite and greater than 1",
        ),
        (
            vec!["--hyperboloid", "1,1,1,1,1,-2"],
            "height = -2: must be finite",
        ),
        (vec!["--cup", "1,1,1,1,2,3"], "e2 = 2: an exponent must lie"),
        (
            vec!["--two-sheets", "1,1,0,1,1,3"],
            "a3 = 0: a semi-axis must be",
        ),
        (
            vec!["--toroid", "1,1,1,1,1,2", "--shape", shape],
            "cannot be used with",
        ),
        (vec![], "ROBOT.urdf|--shape"),
        (vec!["absent.urdf"], "absent.urdf"),
        (vec!["door.urdf", "--joint", "hinge"], "expected NAME=VALUE"),
        (
            vec!["door.urdf", "--joint", "hinge=much"],
            "\"much\" is not a number",
        ),
        (vec!["door.urdf", "--joint", "hing=1"], "no joint \"hing\""),
        (
            vec!["door.urdf", "--joint", "hinge=3"],
            "outside its limits, -2 to 2",
        ),
        (
            vec!["door.urdf", "--joint", "hinge=1", "--joint", "hinge=1"],
            "hinge: given twice",
        ),
    ] {
        let all = [&["mesh"], &arguments[..], &["--output", "out.obj"]].concat();
        let error = error_of(&superovoid(&all, folder.path()));
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert!(!folder.path().join("out.obj").exists());
    }
    let all = ["mesh", "--shape", shape, "--output", "out.ply"];
    assert_eq!(
        error_of(&superovoid(&all, folder.path())),
        "--output out.ply: the file name must end in .obj or .stl"
    );
    let bare = r#"<robot name="bare"><link name="only"/></robot>"#;
    fs::write(folder.path().join("bare.urdf"), bare).unwrap();
    let all = ["mesh", "bare.urdf", "--output", "out.obj"];
    assert_eq!(
        error_of(&superovoid(&all, folder.path())),
        "bare.urdf: no link has a superovoid or a sphere to write"
    );
}

//! `superovoid bite` from the outside.

use crate::common::{error_of, stdout_of, superovoid};
use std::fs;
use std::path::Path;
use superovoid_robot::{ClearanceOptions, Robot};

/// Two balls of radius 1 mm, the upper one 3 mm above the lower one.
const LOWER: &str =
    "a1,a2,a3,e1,e2,tx,ty,qw,qx,qy,qz,px,py,pz\n1e-3,1e-3,1e-3,1,1,0,0,1,0,0,0,0,0,0\n";
const UPPER: &str =
    "a1,a2,a3,e1,e2,tx,ty,qw,qx,qy,qz,px,py,pz\n1e-3,1e-3,1e-3,1,1,0,0,1,0,0,0,0,0,3e-3\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lower.csv"), LOWER).unwrap();
    fs::write(folder.path().join("upper.csv"), UPPER).unwrap();
    folder
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect())
        .collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn molars_bite_from_frame_47_to_111() {
    let folder = folder();
    let text = stdout_of(&superovoid(
        &["bite", "molar", "molar", "--frames", "181"],
        folder.path(),
    ));
    assert!(
        text.starts_with("frame,status,distance,lower,upper,certified,lift,lift_lower,contacts,")
    );
    let rows = rows(&text);
    assert_eq!(rows.len(), 181);
    for (k, row) in rows.iter().enumerate() {
        let overlaps = (47..=111).contains(&k);
        assert_eq!(
            row[1],
            if overlaps { "overlap" } else { "apart" },
            "frame {k}"
        );
        assert_eq!(!row[6].is_empty(), overlaps);
        assert_eq!(row[8] == "0", !overlaps);
    }
    for two in rows.windows(2) {
        assert!((number(&two[1][2]) - number(&two[0][2])).abs() < 2.1e-5);
    }
}

#[test]
fn a_path_of_poses_has_the_distances_of_balls() {
    let folder = folder();
    let path =
        "frame,qw,qx,qy,qz,px,py,pz\n0,1,0,0,0,0,0,0\n1,1,0,0,0,0,0,-5e-4\n2,1,0,0,0,0,0,-1.5e-3\n";
    fs::write(folder.path().join("path.csv"), path).unwrap();
    let run = [
        "bite",
        "lower.csv",
        "upper.csv",
        "--path",
        "path.csv",
        "-o",
        "out.csv",
        "--contacts",
        "contacts.csv",
    ];
    assert_eq!(stdout_of(&superovoid(&run, folder.path())), "");
    let text = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let rows = rows(&text);
    for (row, expected) in rows.iter().zip([1e-3, 5e-4, -5e-4]) {
        assert!((number(&row[2]) - expected).abs() < 1e-12, "{row:?}");
    }
    // A ball that is 0.5 mm too low has to rise by 0.5 mm.
    assert!((number(&rows[2][6]) - 5e-4).abs() < 1e-11);
    let contacts = fs::read_to_string(folder.path().join("contacts.csv")).unwrap();
    assert_eq!(contacts.lines().count(), 2);
    assert!(contacts.lines().nth(1).unwrap().starts_with("2,1,1,-"));
}

/// The robot's forward kinematics place the upper tooth where the path does, and `check` finds the same distances.
#[test]
fn a_bite_as_a_robot_has_the_same_distances() {
    let folder = folder();
    // Turned about all three axes, among others by yaw 0.3, pitch -0.4, roll 0.5.
    let turn = nalgebra::UnitQuaternion::from_euler_angles(0.5, -0.4, 0.3);
    let [x, y, z, w] = [turn.i, turn.j, turn.k, turn.w];
    let path = format!(
        "qw,qx,qy,qz,px,py,pz\n1,0,0,0,0,0,0\n{w},{x},{y},{z},1e-3,-2e-3,5e-4\n{w},{x},{y},{z},-1e-3,0,-1e-3\n"
    );
    fs::write(folder.path().join("path.csv"), path).unwrap();
    let run = [
        "bite",
        "lower.csv",
        "upper.csv",
        "--path",
        "path.csv",
        "--robot",
        ".",
        "-o",
        "out.csv",
    ];
    assert_eq!(stdout_of(&superovoid(&run, folder.path())), "");
    let frames = rows(&fs::read_to_string(folder.path().join("out.csv")).unwrap());

    let robot = Robot::from_urdf_file(folder.path().join("teeth.urdf")).unwrap();
    let trajectory = fs::read_to_string(folder.path().join("frames.csv")).unwrap();
    let header = trajectory.lines().next().unwrap();
    assert_eq!(header, "x,y,z,yaw,pitch,roll");
    let positions = rows(&trajectory);
    assert_eq!(positions.len(), 3);
    for (frame, row) in frames.iter().zip(&positions) {
        let mut configuration = robot.neutral();
        for (joint, position) in header.split(',').zip(row) {
            configuration.set(joint, number(position)).unwrap();
        }
        let found = robot
            .clearances(&configuration, &ClearanceOptions::default())
            .unwrap();
        let nearest = found.pairs[0].contact.distance;
        assert!((nearest - number(&frame[2])).abs() < 1e-12, "{frame:?}");
    }
    let checked = superovoid(
        &["check", "teeth.urdf", "--trajectory", "frames.csv"],
        folder.path(),
    );
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");

    // A path that only moves along z has one joint; outputs that are inputs are refused.
    let run = [
        "bite", "molar", "molar", "--frames", "8", "--robot", "molars",
    ];
    fs::create_dir(folder.path().join("molars")).unwrap();
    stdout_of(&superovoid(&run, folder.path()));
    let rows = fs::read_to_string(folder.path().join("molars/frames.csv")).unwrap();
    assert!(rows.starts_with("z\n"), "{rows}");
    fs::copy(
        folder.path().join("lower.csv"),
        folder.path().join("frames.csv"),
    )
    .unwrap();
    let run = [
        "bite",
        "frames.csv",
        "upper.csv",
        "--frames",
        "8",
        "--robot",
        ".",
    ];
    let error = error_of(&superovoid(&run, folder.path()));
    assert!(error.contains("frames.csv"), "{error}");
}

#[test]
fn bodies_that_are_written_can_be_read_again() {
    let folder = folder();
    let first = stdout_of(&superovoid(
        &["bite", "molar", "molar", "--frames", "20", "--bodies", "."],
        folder.path(),
    ));
    let again = ["bite", "lower.csv", "upper.csv", "--frames", "20"];
    let again = stdout_of(&superovoid(&again, folder.path()));
    for (a, b) in rows(&first).iter().zip(&rows(&again)) {
        assert!((number(&a[2]) - number(&b[2])).abs() < 1e-12);
    }
}

/// An egg as an OBJ file, in millimetres, standing at a height.
fn egg(path: &Path, z: f64) {
    let egg = superovoid::Superovoid::new([4.0, 4.0, 5.0], [1.0, 1.0], [0.2, 0.2]).unwrap();
    let mesh = egg.tessellate(24);
    let corners = mesh
        .vertices
        .iter()
        .map(|v| format!("v {} {} {}\n", v.x, v.y, v.z + z));
    let sides = mesh.triangles.iter().map(|t| {
        let [a, b, c] = t.map(|k| k + 1);
        format!("f {a} {b} {c}\n")
    });
    fs::write(path, corners.chain(sides).collect::<String>()).unwrap();
}

#[test]
fn meshes_of_a_user_are_fitted_and_their_errors_told() {
    let folder = folder();
    egg(&folder.path().join("lower.obj"), 0.0);
    egg(&folder.path().join("upper.obj"), 15.0);
    let run = [
        "bite",
        "lower.obj",
        "upper.obj",
        "--scale",
        "0.001",
        "--frames",
        "31",
        "--parts",
        "2",
    ];
    let output = superovoid(&run, folder.path());
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(
        told.contains("note: lower.obj: 1 bodies; mesh to bodies 0.0"),
        "{told}"
    );
    assert!(told.contains("31 frames: "), "{told}");
    assert_eq!(rows(&stdout_of(&output)).len(), 31);
}

#[test]
fn bad_input_names_its_place() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let error = |arguments: &[&str]| {
        let all: Vec<&str> = ["bite"]
            .into_iter()
            .chain(arguments.iter().copied())
            .collect();
        error_of(&superovoid(&all, folder.path()))
    };
    write("start.csv", "qw,qx,qy,qz,px,py,pz\n1,0,0,0,0,0,-2e-3\n");
    let found = error(&["lower.csv", "upper.csv", "--path", "start.csv"]);
    assert!(
        found.starts_with(
            "start.csv: frame 0: the teeth overlap at the start, lower body 1 and upper body 1"
        ),
        "{found}"
    );
    write(
        "zero.csv",
        "qw,qx,qy,qz,px,py,pz\n1,0,0,0,0,0,0\n0,0,0,0,0,0,0\n",
    );
    let found = error(&["lower.csv", "upper.csv", "--path", "zero.csv"]);
    assert!(
        found.starts_with("zero.csv:3:qw: the quaternion"),
        "{found}"
    );
    write("empty.csv", "qw,qx,qy,qz,px,py,pz\n");
    let found = error(&["lower.csv", "upper.csv", "--path", "empty.csv"]);
    assert_eq!(found, "empty.csv: the path has no frames");
    write("odd.csv", "qw,qx,qy,qz,px,py,pz,t\n");
    let found = error(&["lower.csv", "upper.csv", "--path", "odd.csv"]);
    assert!(
        found.starts_with("odd.csv:1: unknown column \"t\""),
        "{found}"
    );
    write("bent.csv", &LOWER.replace("1,1,0,0,1", "1,1,0.9,0.9,1"));
    let found = error(&["bent.csv", "upper.csv", "--frames", "9"]);
    assert!(
        found.starts_with("bent.csv:2:tx: the body is not convex"),
        "{found}"
    );
    write("none.csv", LOWER.lines().next().unwrap());
    let found = error(&["none.csv", "upper.csv", "--frames", "9"]);
    assert_eq!(found, "none.csv: a tooth needs at least one body");
    write(
        "aside.csv",
        &UPPER.replace("0,0,0,0,0,3e-3", "0,0,0,1,0,3e-3"),
    );
    let found = error(&["lower.csv", "aside.csv", "--frames", "9"]);
    assert!(found.starts_with("the teeth never meet"), "{found}");
    let found = error(&["lower.csv", "upper.txt", "--frames", "9"]);
    assert!(found.starts_with("upper.txt: unknown ending"), "{found}");
    let found = error(&["lower.csv", "upper.csv", "--frames", "9", "--turn", "9"]);
    assert!(
        found.starts_with("turn is 9: expected a frame of the path"),
        "{found}"
    );
    let found = error(&["lower.csv", "upper.csv", "--frames", "9", "-o", "lower.csv"]);
    assert!(found.contains("is the input"), "{found}");
    write(
        "open.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n",
    );
    let found = error(&["open.obj", "upper.csv", "--frames", "9"]);
    assert_eq!(found, "open.obj: the mesh is not closed; fill its holes");
    for (arguments, word) in [
        (&["lower.csv", "upper.csv"][..], "--path"),
        (&["lower.csv", "upper.csv", "--frames", "3"], "--frames"),
        (
            &["lower.csv", "upper.csv", "--frames", "9", "--scale", "-1"],
            "--scale",
        ),
    ] {
        assert!(error(arguments).contains(word));
    }
}

//! What is refused, and what is said about it.

use super::meshes::{block, egg};
use super::{Folder, mesh_collision, robot, rough};
use superovoid_fit::{FitRobotError, ReadLimits, RobotOptions};

fn message(folder: &Folder, urdf: &str, options: &RobotOptions) -> String {
    folder.fit(urdf, options).unwrap_err().to_string()
}

/// Of a second collision that is wrong after a first one that is not.
fn of_mesh(folder: &Folder, filename: &str, scale: &str) -> String {
    let good = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let text = robot(&format!("{good}{}", mesh_collision("", filename, scale)));
    message(folder, &text, &RobotOptions::default())
}

#[test]
fn broken_meshes_are_named_with_their_link() {
    let folder = Folder::new();
    let nan = egg().obj().replacen("v ", "v nan ", 1);
    let flat = egg().map(|[x, y, _]| [x, y, 0.0]).obj();
    let line = egg().map(|[x, _, _]| [x, 0.0, 0.0]).obj();
    let missing = block([1.0; 3]).obj().replace("f 1 ", "f 100 ");
    let mut cut = block([1.0; 3]).stl();
    cut.truncate(300);
    for (name, content, part) in [
        ("empty.stl", &b""[..], "empty.stl"),
        ("empty.obj", b"", "no triangle has an area"),
        ("none.dae", b"", "none.dae"),
        ("words.stl", b"this is no mesh", "words.stl"),
        ("bytes.obj", b"\xff\xfe\x00\x80", "bytes.obj"),
        ("cut.stl", &cut, "cut.stl"),
        ("nan.obj", nan.as_bytes(), "nan.obj"),
        ("missing.obj", missing.as_bytes(), "missing.obj"),
        ("flat.obj", flat.as_bytes(), "flat.obj"),
        ("line.obj", line.as_bytes(), "line.obj"),
        ("mesh.ply", b"ply", "must end in .stl, .obj or .dae"),
    ] {
        folder.write(name, content);
        let message = of_mesh(&folder, name, "1 1 1");
        assert!(
            message.starts_with("link \"arm\", collision 2: "),
            "{name}: {message}"
        );
        assert!(
            message.contains(name) && message.contains(part),
            "{name}: {message}"
        );
    }
    folder.write("egg.obj", egg().obj());
    let large = of_mesh(&folder, "egg.obj", "1e308 1e308 1e308");
    assert!(
        large.starts_with("link \"arm\", collision 2: egg.obj: "),
        "{large}"
    );
    assert!(of_mesh(&folder, "egg.obj", "1 0 1").contains("scale"));
}

#[test]
fn paths_that_lead_nowhere_or_out_are_named_with_their_link() {
    let folder = Folder::new();
    for (name, part) in [
        ("none.stl", "is not there"),
        ("../none.stl", "--package-path"),
        ("/etc/passwd", "--package-path"),
        ("file:///etc/passwd", "--package-path"),
        ("package://../../etc/passwd", "is no address"),
        ("package://pkg/none.stl", "--package-path"),
        ("http://example.org/a.stl", "is no address"),
    ] {
        let message = of_mesh(&folder, name, "1 1 1");
        let start = format!("link \"arm\", collision 2: the mesh {name:?} ");
        assert!(
            message.starts_with(&start) && message.contains(part),
            "{message}"
        );
    }
    assert!(of_mesh(&folder, "$(find pkg)/a.stl", "1 1 1").contains("a xacro expression"));
    // A visual is not opened.
    let visual = "<visual><geometry><mesh filename=\"/etc/passwd\"/></geometry></visual>";
    assert!(folder.fit(&robot(visual), &RobotOptions::default()).is_ok());
}

#[test]
fn package_paths_allow_what_they_hold() {
    let folder = Folder::new();
    folder.write("ros/arm_description/meshes/egg.obj", egg().obj());
    let urdf = folder.write(
        "robots/robot.urdf",
        robot(&mesh_collision(
            "",
            "package://arm_description/meshes/egg.obj",
            "1 1 1",
        )),
    );
    for path in ["ros", "ros/arm_description"] {
        let options = rough().with_package_paths(vec![folder.path().join(path)]);
        assert!(superovoid_fit::fit_robot(&urdf, &options).is_ok(), "{path}");
    }
    let options = RobotOptions::default().with_package_paths(vec![folder.path().join("none")]);
    let error = superovoid_fit::fit_robot(&urdf, &options).unwrap_err();
    assert!(matches!(&error, FitRobotError::Folder { path, .. } if path.ends_with("none")));
}

#[test]
fn limits_on_the_files_hold() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let text = robot(&mesh_collision("", "egg.obj", "1 1 1"));
    let mut options = rough().with_mesh_limits(ReadLimits::default().with_triangles(100));
    assert!(message(&folder, &text, &options).contains("more than 100 triangles"));
    options.mesh_limits = ReadLimits::default();
    options.urdf_limits.bytes = text.len();
    // It may be read, and what becomes of it may not.
    let message = message(&folder, &text, &options);
    assert!(
        message.starts_with("the file with superovoids: "),
        "{message}"
    );
}

#[test]
fn files_that_are_no_urdf_are_refused_as_the_reader_does() {
    let folder = Folder::new();
    let options = RobotOptions::default();
    for (text, part) in [
        (
            "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><xacro:macro name='m'/></robot>",
            "xacro",
        ),
        (
            "<robot name='r'><link name='a'><collision><geometry><box size='${a} 1 1'/></geometry></collision></link></robot>",
            "xacro",
        ),
        (
            "<!DOCTYPE r [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><robot name='&e;'/>",
            "DOCTYPE",
        ),
        ("<sdf/>", "expected <robot>"),
        ("", "empty"),
    ] {
        let message = message(&folder, text, &options);
        assert!(
            message.contains(part) && message.contains("robot.urdf"),
            "{message}"
        );
    }
}

#[test]
fn a_quaternion_that_the_version_of_urdf_has_not_is_refused() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let origin = "<origin xyz=\"0 0 1\" quat_xyzw=\"1 0 0 0\"/>";
    let text = robot(&mesh_collision(origin, "egg.obj", "1 1 1"));
    let message = message(&folder, &text, &RobotOptions::default());
    assert!(
        message.contains("quat_xyzw") && message.contains("\"arm\""),
        "{message}"
    );
}

#[test]
fn exponents_of_edges_have_a_domain() {
    let folder = Folder::new();
    for edge_exponent in [0.0, 0.003, 1.1, -1.0, f64::NAN] {
        let options = RobotOptions::default().with_edge_exponent(edge_exponent);
        assert!(message(&folder, &robot(""), &options).contains("exponent"));
    }
    // Sizes at the ends of the number range: an answer or an error.
    for size in ["5e-324", "1e-300", "1e154", "1.7e308"] {
        for shape in [
            "box size=\"S S S\"",
            "cylinder radius=\"S\" length=\"S\"",
            "sphere radius=\"S\"",
        ] {
            let shape = shape.replace('S', size);
            let text = robot(&format!(
                "<collision><geometry><{shape}/></geometry></collision>"
            ));
            if let Err(error) = folder.fit(&text, &RobotOptions::default()) {
                assert!(error.to_string().contains("link \"arm\""), "{error}");
            }
        }
    }
}

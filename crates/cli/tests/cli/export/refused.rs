//! What cannot be written is named, and nothing is left behind.

use crate::common::{error_of, superovoid};
use std::fs;

#[test]
fn names_that_a_format_reserves_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let ball = "<collision><geometry><sphere radius='1'/></geometry></collision>";
    let refused = |command: &str, link: &str, joint: &str, robot: &str| {
        let text = format!(
            "<robot name='{robot}'><link name='base'>{ball}</link><link name='{link}'>{ball}</link>\
             <joint name='{joint}' type='continuous'><parent link='base'/><child link='{link}'/></joint></robot>"
        );
        fs::write(folder.path().join("r.urdf"), text).unwrap();
        error_of(&superovoid(
            &[command, "r.urdf", "-o", "out"],
            folder.path(),
        ))
    };
    let message = refused("sdf", "a::b", "j", "r");
    assert_eq!(
        message,
        "r.urdf: link \"a::b\": SDF has \"::\" between a model and its parts; rename it"
    );
    let message = refused("sdf", "a", "__j__", "r");
    assert_eq!(
        message,
        "r.urdf: joint \"__j__\": SDF reserves this name; rename it"
    );
    let message = refused("sdf", "world", "j", "r");
    assert_eq!(
        message,
        "r.urdf: link \"world\": SDF reserves this name; rename it"
    );
    let message = refused("sdf", "a", "j", "r::s");
    assert!(
        message.starts_with("r.urdf: the robot \"r::s\": "),
        "{message}"
    );
    let message = refused("mjcf", "world", "j", "r");
    assert_eq!(
        message,
        "r.urdf: link \"world\": MuJoCo has this name for the world; rename it"
    );
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, ["r.urdf"]);
}

#[test]
fn bad_values_and_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("r.urdf"),
        "<robot name='r'><link name='a'/></robot>",
    )
    .unwrap();
    fs::create_dir(folder.path().join("o")).unwrap();
    for command in ["sdf", "mjcf"] {
        let run = |arguments: &[&str]| superovoid(&[&[command], arguments].concat(), folder.path());
        let refused = |arguments: &[&str]| error_of(&run(arguments));
        assert!(refused(&["r.urdf", "-o", "-"]).contains("--output -: the robot needs a file"));
        assert!(refused(&["r.urdf", "-o", "r.urdf"]).contains("is the input"));
        assert!(refused(&["none.urdf", "-o", "out"]).contains("none.urdf"));
        assert!(refused(&["r.urdf", "-o", "o/out", "--meshes", "m"]).contains("--meshes m"));
        assert!(refused(&["r.urdf", "-o", "none/out"]).contains("there is no folder none"));
        for (option, value) in [
            ("--density", "0"),
            ("--density", "nan"),
            ("--friction", "-1"),
            ("--segments", "7"),
        ] {
            let message = refused(&["r.urdf", "-o", "out", option, value]);
            assert!(
                message.contains(option) && message.contains(value),
                "{message}"
            );
        }
    }
    let message = error_of(&superovoid(
        &["mjcf", "r.urdf", "-o", "out", "--srdf", "none.srdf"],
        folder.path(),
    ));
    assert!(message.contains("none.srdf"), "{message}");
}

const EGG: &str = "<collision><geometry><sphere radius='1'/></geometry>\
     <superovoid a1='1' a2='2' a3='3' e1='0.5' e2='1' tx='0' ty='0'/></collision>";

/// With meshes to write, too: they come after everything that can be wrong.
#[test]
fn nothing_is_written_where_the_robot_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let robot = format!("<robot name='r'><link name='a'>{EGG}</link></robot>");
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    fs::write(folder.path().join("r.srdf"), "<robot name='r'/>").unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    for command in ["sdf", "mjcf", "visual"] {
        let refused = |output: &str| {
            error_of(&superovoid(
                &[command, "r.urdf", "-o", output],
                folder.path(),
            ))
        };
        assert!(refused("out").contains("is a folder"));
        assert!(refused("none/out").contains("there is no folder none"));
    }
    let run = ["mjcf", "r.urdf", "--srdf", "r.srdf", "-o", "r.srdf"];
    assert!(error_of(&superovoid(&run, folder.path())).contains("is the input"));
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["out", "r.srdf", "r.urdf"]);
}

/// Gazebo, MuJoCo and RViz may have files of the same robot in one folder: none takes the meshes of another.
#[test]
fn every_format_has_its_own_meshes() {
    let folder = tempfile::tempdir().unwrap();
    let robot = format!("<robot name='r'><link name='a'>{EGG}</link></robot>");
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    for (command, output, segments, meshes) in [
        ("visual", "x.urdf", "8", "x_meshes"),
        ("sdf", "x.sdf", "16", "x_sdf_meshes"),
        ("mjcf", "x.xml", "24", "x_mjcf_meshes"),
    ] {
        let run = [command, "r.urdf", "-o", output, "--segments", segments];
        assert!(superovoid(&run, folder.path()).status.success());
        // Header and count, then 50 bytes a triangle.
        let around: u64 = segments.parse().unwrap();
        let triangles = 2 * around * (around / 2 - 1);
        let file = folder.path().join(meshes).join("001_a.stl");
        assert_eq!(fs::metadata(file).unwrap().len(), 84 + 50 * triangles);
    }
    let first = folder.path().join("x_meshes/001_a.stl");
    assert_eq!(fs::metadata(first).unwrap().len(), 84 + 50 * 48);
}

#[test]
fn a_root_that_is_called_world_has_to_be_the_world() {
    let folder = tempfile::tempdir().unwrap();
    let floor = "<visual><geometry><box size='9 9 0.1'/></geometry></visual>";
    let arm = format!(
        "<link name='arm'>{EGG}</link><joint name='j' type='continuous'><parent link='world'/><child link='arm'/></joint>"
    );
    for (inside, taken) in [("", true), (floor, false)] {
        let robot = format!("<robot name='r'><link name='world'>{inside}</link>{arm}</robot>");
        fs::write(folder.path().join("r.urdf"), robot).unwrap();
        for command in ["sdf", "mjcf"] {
            let run = superovoid(&[command, "r.urdf", "-o", "out.xml"], folder.path());
            assert_eq!(run.status.success(), taken, "{run:?}");
            if !taken {
                assert!(error_of(&run).contains("link \"world\""));
            }
        }
    }
    let robot = format!("<robot name='world'><link name='a'>{EGG}</link></robot>");
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    let message = error_of(&superovoid(
        &["sdf", "r.urdf", "-o", "out.sdf"],
        folder.path(),
    ));
    assert!(message.contains("the robot \"world\""), "{message}");
}

/// All of them are named, with the reason, and neither the robot nor a mesh is written.
#[test]
fn a_collision_shape_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let robot = format!(
        "<robot name='r'><link name='a'>{EGG}\
         <collision><geometry><mesh filename='none.stl'/></geometry></collision>\
         <collision><geometry><mesh filename='package://p/none.stl'/></geometry></collision>\
         <collision><geometry><mesh filename='bad.obj'/></geometry></collision></link></robot>"
    );
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    fs::write(folder.path().join("bad.obj"), "v 0 0 nonsense\n").unwrap();
    let run = superovoid(&["mjcf", "r.urdf", "-o", "out.xml"], folder.path());
    assert_eq!(run.status.code(), Some(2));
    let message = error_of(&run);
    for part in [
        "r.urdf",
        "link \"a\", collision 2: the mesh \"none.stl\": is not there",
        "link \"a\", collision 3: the mesh \"package://p/none.stl\": is in no package \"p\"",
        "link \"a\", collision 4: the mesh \"bad.obj\": ",
    ] {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["bad.obj", "r.urdf"]);
    // A mesh that is only shown may be left out, and a superovoid is written instead of the mesh beside it.
    let robot = format!(
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='none.stl'/></geometry></visual>{}</link></robot>",
        EGG.replace("<sphere radius='1'/>", "<mesh filename='none.stl'/>")
    );
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    let run = superovoid(&["mjcf", "r.urdf", "-o", "out.xml"], folder.path());
    assert!(run.status.success(), "{run:?}");
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(
        told.contains("a visual that is a mesh is left out"),
        "{told}"
    );
}

#[test]
fn a_capsule_of_length_0_is_written_as_a_sphere() {
    let folder = tempfile::tempdir().unwrap();
    let robot = "<robot name='r'><link name='a'><collision><geometry><capsule radius='0.25' length='0'/></geometry>\
                 </collision></link></robot>";
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    for (command, sphere) in [
        ("mjcf", "type=\"sphere\" size=\"0.25\""),
        ("sdf", "<radius>0.25</radius>"),
    ] {
        let run = superovoid(&[command, "r.urdf", "-o", "out"], folder.path());
        assert!(run.status.success(), "{run:?}");
        let text = fs::read_to_string(folder.path().join("out")).unwrap();
        assert!(text.contains(sphere) && !text.contains("capsule"), "{text}");
    }
}

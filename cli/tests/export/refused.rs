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

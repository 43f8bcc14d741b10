//! What SRDF disables.

use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Robot, Srdf, UrdfProblem};

/// Four balls at one place, none joined to another one directly.
fn balls() -> Robot {
    let mut text = String::from(r#"<robot name="balls"><link name="root"/>"#);
    for name in ["a", "b", "c", "d"] {
        text += &format!(
            r#"<link name="{name}"><collision><geometry><sphere radius="1"/></geometry></collision></link>
               <joint name="{name}" type="continuous"><parent link="root"/><child link="{name}"/></joint>"#
        );
    }
    Robot::from_urdf_str(&(text + "</robot>")).unwrap()
}

/// The pairs that are still compared, and the warnings.
fn compared(srdf: &str) -> (Vec<String>, Vec<String>) {
    let robot = balls();
    let neutral = robot.neutral();
    let mut scene = RobotScene::new(robot).unwrap();
    let srdf = Srdf::from_srdf_str(srdf).unwrap();
    let warnings = scene.apply_srdf(&srdf);
    let found = scene.contacts(&neutral, &SceneOptions::default()).unwrap();
    let names = |c: &superovoid_robot::scene::RobotContact| {
        let superovoid_robot::scene::Counterpart::Link { link, .. } = c.with else {
            panic!("no obstacles here");
        };
        let links = scene.robot().links();
        format!("{}{}", links[c.link].name, links[link].name)
    };
    let mut pairs: Vec<String> = found.iter().map(names).collect();
    pairs.sort_unstable();
    (pairs, warnings.iter().map(ToString::to_string).collect())
}

#[test]
fn pairs_are_disabled_enabled_and_disabled_by_default_as_in_moveit() {
    let (pairs, warnings) = compared(r#"<robot name="balls"/>"#);
    assert_eq!(pairs, ["ab", "ac", "ad", "bc", "bd", "cd"]);
    assert!(warnings.is_empty());
    let (pairs, warnings) = compared(
        r#"<?xml version="1.0"?>
           <robot name="balls">
             <group name="all"><link name="a"/></group>
             <group_state name="home" group="all"/>
             <disable_collisions link1="b" link2="a" reason="Never"/>
             <disable_collisions link1="c" link2="d"/>
             <disable_collisions link1="c" link2="d"/>
           </robot>"#,
    );
    assert_eq!(pairs, ["ac", "ad", "bc", "bd"]);
    assert!(warnings.is_empty());
    // The order in the file does not matter.
    let (pairs, _) = compared(
        r#"<robot name="balls">
             <disable_collisions link1="a" link2="c"/>
             <enable_collisions link1="a" link2="b"/>
             <enable_collisions link1="a" link2="c"/>
             <disable_default_collisions link="a"/>
           </robot>"#,
    );
    assert_eq!(pairs, ["ab", "bc", "bd", "cd"]);
}

#[test]
fn links_that_the_robot_does_not_have_are_told_and_have_no_effect() {
    let (pairs, warnings) = compared(
        "<robot name=\"others\">\n\
         <disable_collisions link1=\"a\" link2=\"ä\"/>\n  \
         <disable_collisions link1=\"a\" link2=\"b\"/>\n\
         <disable_default_collisions link=\"e\"/><enable_collisions link1=\"e\" link2=\"f\"/>\n\
         </robot>",
    );
    assert_eq!(pairs, ["ac", "ad", "bc", "bd", "cd"]);
    assert_eq!(
        warnings,
        [
            "line 1, column 1: written for robot \"others\", applied to \"balls\"",
            "line 2, column 1: <disable_collisions>: the robot has no link \"ä\"; no effect",
            "line 4, column 1: <disable_default_collisions>: the robot has no link \"e\"; no effect",
            "line 4, column 39: <enable_collisions>: the robot has no link \"e\"; no effect",
            "line 4, column 39: <enable_collisions>: the robot has no link \"f\"; no effect",
        ]
    );
}

#[test]
fn broken_files_are_refused_with_line_and_column() {
    let position = |text: &str| Srdf::from_srdf_str(text).unwrap_err().position;
    let problem = |text: &str| *Srdf::from_srdf_str(text).unwrap_err().problem;
    let lacking =
        "<robot name=\"r\">\n  <disable_collisions link1=\"a\" reason=\"Never\"/></robot>";
    assert_eq!(position(lacking), Some((2, 3)));
    let UrdfProblem::MissingAttribute { attribute, .. } = problem(lacking) else {
        panic!("{}", problem(lacking));
    };
    assert_eq!(attribute, "link2");
    assert_eq!(position("<robot/>"), Some((1, 1)));
    assert_eq!(position("\n <srdf name=\"r\"/>"), Some((2, 2)));
    let other = problem("<srdf name=\"r\"/>");
    assert!(matches!(other, UrdfProblem::RootElement { .. }), "{other}");
    let doctype = "<!DOCTYPE robot [<!ENTITY a \"b\">]><robot name=\"&a;\"/>";
    assert!(matches!(problem(doctype), UrdfProblem::Doctype));
    for text in [
        "",
        "<robot",
        "<robot name=\"r\"><group></robot>",
        "{}",
        "<robot name=\"r\"",
    ] {
        assert!(matches!(problem(text), UrdfProblem::Xml(_)), "{text}");
        assert!(position(text).is_some(), "{text}");
    }
    let missing = Srdf::from_srdf_file("no such file.srdf").unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("no such file.srdf: cannot read"),
        "{missing}"
    );
    let file = std::env::temp_dir().join(format!("{}.srdf", std::process::id()));
    std::fs::write(&file, b"<robot name=\"\xff\"/>").unwrap();
    let error = Srdf::from_srdf_file(&file).unwrap_err();
    std::fs::write(&file, "<robot name=\"r\"/>").unwrap();
    let read = Srdf::from_srdf_file(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(error.position, Some((1, 14)));
    assert!(matches!(*error.problem, UrdfProblem::Encoding));
    assert_eq!(read.robot, "r");
}

/// A text cut anywhere, or with a byte changed, ends in a description or an error.
#[test]
fn damaged_files_do_not_panic() {
    let text = r#"<robot name="r"><disable_collisions link1="a" link2="b" reason="é"/></robot>"#;
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        assert!(Srdf::from_srdf_str(&text[..end]).is_err());
        for byte in ["<", ">", "\"", "&", "/", "\0"] {
            let damaged = format!("{}{byte}{}", &text[..end], &text[end..]);
            let _ = Srdf::from_srdf_str(&damaged);
        }
    }
}

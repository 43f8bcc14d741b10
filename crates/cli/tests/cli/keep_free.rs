//! `superovoid fit-robot --keep-free`: pairs of links that are free in given poses stay free.

use crate::common::{error_of, stdout_of, superovoid};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// A base in the form of an L, and a ball that slides into its notch.
const NOTCH: &str = r#"<robot name="notch">
  <link name="base"><collision><geometry><mesh filename="notch.obj"/></geometry></collision></link>
  <link name="arm"/>
  <link name="ball">
    <collision><geometry><sphere radius="0.03"/></geometry></collision>
  </link>
  <joint name="side" type="prismatic">
    <parent link="base"/><child link="arm"/><origin xyz="0.15 0.15 0.05"/><axis xyz="1 1 0"/>
    <limit lower="-0.2" upper="0.2" effort="1" velocity="1"/>
  </joint>
  <joint name="up" type="prismatic">
    <parent link="arm"/><child link="ball"/><origin xyz="0.001 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <link name="tail"/>
  <joint name="follows" type="prismatic">
    <parent link="base"/><child link="tail"/><axis xyz="0 0 1"/><mimic joint="up"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"#;

/// An L of two boxes, 0.2 long and 0.1 high, whose notch is from 0.1 to 0.2 in x and y.
fn notch() -> String {
    let corners = [
        [0.0, 0.0],
        [0.2, 0.0],
        [0.2, 0.1],
        [0.1, 0.1],
        [0.1, 0.2],
        [0.0, 0.2],
    ];
    let mut text = String::new();
    for z in [0.0, 0.1] {
        for [x, y] in corners {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    for [a, b, c] in [[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 6]] {
        text += &format!("f {c} {b} {a}\nf {} {} {}\n", a + 6, b + 6, c + 6);
    }
    for k in 1..=6 {
        let next = k % 6 + 1;
        text += &format!("f {k} {next} {}\nf {k} {} {}\n", next + 6, next + 6, k + 6);
    }
    text
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("notch.urdf", NOTCH);
    write("notch.obj", &notch());
    write("poses.csv", "side,up\n0,0\n0.1,0.2\n");
    write(
        "notch.srdf",
        "<robot name='notch'><virtual_joint name='world' type='floating' parent_frame='w' child_link='base'/>\n\
         <group_state name='in' group='g'><joint name='side' value='0'/><joint name='follows' value='0.1'/><joint name='world' value='0 0 0 0 0 0 1'/>\
         </group_state></robot>",
    );
    folder
}

fn fitted(folder: &Path, arguments: &[&str]) -> Output {
    let all = ["fit-robot", "notch.urdf", "-o", "out.urdf", "--enclosing"];
    superovoid(&[&all, arguments].concat(), folder)
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let run = fitted(folder, &[&["--format", "json"], arguments].concat());
    serde_json::from_str(&stdout_of(&run)).unwrap()
}

fn is_free(folder: &Path, robot: &str) -> bool {
    let check = ["check", robot, "--trajectory", "poses.csv"];
    superovoid(&check, folder).status.code() == Some(0)
}

#[test]
fn a_pair_that_one_body_loses_is_kept_by_more() {
    let folder = folder();
    let folder = folder.path();
    assert!(is_free(folder, "notch.urdf"));
    json(folder, &[]);
    assert!(!is_free(folder, "out.urdf"));
    for file in ["poses.csv", "notch.srdf"] {
        let report = json(folder, &["--keep-free", file, "--keep-parts", "3"]);
        assert!(is_free(folder, "out.urdf"));
        let kept = &report["keep_free"];
        let raised = &kept["raised"][0];
        assert_eq!(raised["link"], "base");
        assert_eq!(raised["from"], 1);
        let bodies = raised["bodies"].as_u64().unwrap();
        let of_base = report["superovoids"].as_array().unwrap().iter();
        let of_base = of_base.filter(|body| body["link"] == "base").count();
        assert!(
            (2..=3).contains(&bodies) && of_base as u64 == bodies,
            "{kept}"
        );
        let pair = &kept["pairs"][0];
        assert_eq!([&pair["link_a"], &pair["link_b"]], ["base", "ball"]);
        let number = |name: &str| pair[name].as_f64().unwrap();
        // The ball is 0.02 from both walls, a millimetre farther from one.
        assert!((number("as_is") - 0.02).abs() < 1e-9, "{pair}");
        assert!(number("fitted") > 0.0 && number("fitted") < number("as_is"));
    }
}

#[test]
fn the_table_tells_what_is_lost_and_which_meshes_have_more_bodies() {
    let folder = folder();
    let out = stdout_of(&fitted(
        folder.path(),
        &["--keep-free", "poses.csv", "--keep-parts", "3"],
    ));
    let rows: Vec<Vec<&str>> = out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let pair = rows.iter().find(|row| row.starts_with(&["base", "ball"]));
    assert!(pair.is_some_and(|row| row.contains(&"20.000")), "{out}");
    assert!(out.contains("kept free in 2 poses; base: "), "{out}");
}

#[test]
fn nothing_changes_where_nothing_is_lost() {
    let folder = folder();
    let folder = folder.path();
    let read = || std::fs::read_to_string(folder.join("out.urdf")).unwrap();
    json(folder, &[]);
    let without = read();
    std::fs::write(folder.join("far.csv"), "up\n0.5\n").unwrap();
    let report = json(folder, &["--keep-free", "far.csv"]);
    assert_eq!(read(), without);
    assert_eq!(report["keep_free"]["raised"], serde_json::json!([]));
    // The ball is in the wall, or the pair is disabled: it is not kept.
    std::fs::write(folder.join("in.csv"), "side\n-0.08\n").unwrap();
    let report = json(folder, &["--keep-free", "in.csv"]);
    assert_eq!(read(), without);
    assert_eq!(report["keep_free"]["colliding"][0]["link_b"], "ball");
    let disabled = "<robot name='notch'><disable_collisions link1='base' link2='ball' reason='Never'/></robot>";
    std::fs::write(folder.join("disabled.srdf"), disabled).unwrap();
    let files = ["--keep-free", "poses.csv", "--keep-free", "disabled.srdf"];
    json(folder, &files);
    assert_eq!(read(), without);
}

#[test]
fn the_panda_of_the_repository_is_free_in_its_ready_pose() {
    let ready = [
        ("panda_joint2", "-0.785"),
        ("panda_joint4", "-2.356"),
        ("panda_joint6", "1.571"),
        ("panda_joint7", "0.785"),
        ("panda_finger_joint1", "0.02"),
    ];
    let joints = ready.map(|(joint, q)| format!("--joint={joint}={q}"));
    let joints = joints.each_ref().map(String::as_str);
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let check = [&["check", "urdf/panda.urdf"], &joints[..]].concat();
    stdout_of(&superovoid(&check, root));
}

#[test]
fn errors_name_the_pair_or_the_pose_and_write_nothing() {
    let folder = folder();
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("joint.csv", "sideways\n0\n");
    write("nan.csv", "side\nnan\n");
    write("limit.csv", "side\n0\n7\n");
    write("none.csv", "side\n");
    write("none.srdf", "<robot name='notch'/>");
    let state = |joint: &str| {
        format!(
            "<robot name='notch'>\n<group_state name='s' group='g'>{joint}</group_state></robot>"
        )
    };
    write("joint.srdf", &state("<joint name='elbow' value='0'/>"));
    write("nan.srdf", &state("<joint name='side' value='nan'/>"));
    write("two.srdf", &state("<joint name='side' value='0 1'/>"));
    write("value.srdf", &state("<joint name='side'/>"));
    write("out.urdf", "before");
    for (arguments, parts) in [
        (
            &["poses.csv", "--keep-parts", "1"][..],
            &[
                "\"base\" and \"ball\"",
                "row 1 of poses.csv",
                "20.000 mm apart",
                "up to 1 bodies",
            ][..],
        ),
        (&["joint.csv"], &["joint.csv:2", "\"sideways\"", "\"side\""]),
        (&["nan.csv"], &["nan.csv:2", "\"side\"", "not finite"]),
        (&["limit.csv"], &["limit.csv:3", "outside its limits"]),
        (&["none.csv"], &["none.csv", "no row"]),
        (&["none.srdf"], &["none.srdf", "no <group_state>"]),
        (
            &["joint.srdf"],
            &["joint.srdf:2:1", "group_state \"s\"", "\"elbow\""],
        ),
        (
            &["nan.srdf"],
            &["nan.srdf", "line 2", "value=\"nan\"", "\"side\""],
        ),
        (&["two.srdf"], &["two.srdf", "line 2", "value=\"0 1\""]),
        (
            &["value.srdf"],
            &["value.srdf", "line 2", "lacks the attribute value"],
        ),
        (&["missing.srdf"], &["missing.srdf"]),
        (&["notch.obj"], &["notch.obj", ".srdf or .csv"]),
        (&["notch.urdf"], &["notch.urdf", ".srdf or .csv"]),
    ] {
        let message = error_of(&fitted(folder, &[&["--keep-free"], arguments].concat()));
        let all = parts.iter().all(|part| message.contains(part));
        assert!(all, "{arguments:?}: {message}");
        let out = std::fs::read_to_string(folder.join("out.urdf")).unwrap();
        assert_eq!(out, "before");
    }
    let message = error_of(&fitted(folder, &["--keep-parts", "3"]));
    assert!(message.contains("--keep-free"), "{message}");
    let onto = [
        "fit-robot",
        "notch.urdf",
        "-o",
        "poses.csv",
        "--keep-free",
        "poses.csv",
    ];
    let message = error_of(&superovoid(&onto, folder));
    assert!(message.contains("is the input"), "{message}");
}

//! `superovoid plan` from the outside: the path, the summary, and how it exits.

use super::common::{error_of, stdout_of, superovoid};
use std::path::PathBuf;
use std::process::Output;

const SLIDES: &str = r#"<robot name="slides">
  <link name="base"/> <link name="carriage"/>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="y" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"#;

/// The folder of a test, with the robot and a post at the origin.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("plan-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("slides.urdf"), SLIDES).unwrap();
    std::fs::write(
        folder.join("post.csv"),
        "name,shape,radius\npost,sphere,0.3\n",
    )
    .unwrap();
    folder
}

fn plan(folder: &std::path::Path, args: &str) -> Output {
    let words = format!("plan slides.urdf --obstacles post.csv {args}");
    superovoid(&words.split_whitespace().collect::<Vec<_>>(), folder)
}

#[test]
fn a_path_is_a_table_that_check_proves() {
    let folder = folder("path");
    let run = plan(&folder, "--from -0.8,0 --to 0.8,0");
    let summary = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        summary.starts_with("slides: ") && summary.contains("to goal 1, proven free; "),
        "{summary}"
    );
    let path = stdout_of(&run);
    let rows: Vec<&str> = path.lines().collect();
    assert_eq!(rows[0], "x,y");
    assert!(rows.len() > 3, "{path}");
    assert_eq!(rows[1], "-8.0000000000000004e-1,0.0000000000000000e0");
    std::fs::write(folder.join("path.csv"), &path).unwrap();
    let check = "check slides.urdf --obstacles post.csv --trajectory path.csv --edges";
    let check = superovoid(&check.split(' ').collect::<Vec<_>>(), &folder);
    assert_eq!(check.status.code(), Some(0), "{check:?}");
    let again = plan(&folder, "--from -0.8,0 --to 0.8,0 --output again.csv");
    assert_eq!(stdout_of(&again), "");
    assert_eq!(
        std::fs::read_to_string(folder.join("again.csv")).unwrap(),
        path
    );
}

#[test]
fn joints_by_name_goals_and_other_joints() {
    let folder = folder("joints");
    let run = plan(
        &folder,
        "--joints x --joint y=0.6 --from -0.8 --to 0.8 --no-proof",
    );
    let summary = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(summary.contains("NOT PROVEN"), "{summary}");
    assert_eq!(stdout_of(&run).lines().count(), 3);
    let run = plan(&folder, "--from -0.8,0 --to 0,0 --to 0.8,0.5");
    assert!(
        String::from_utf8_lossy(&run.stderr).contains("to goal 2"),
        "{run:?}"
    );
}

#[test]
fn without_a_path_the_reason_is_told() {
    let folder = folder("none");
    let run = plan(&folder, "--from 0,0 --to 0.8,0");
    assert_eq!(run.status.code(), Some(1));
    assert!(run.stdout.is_empty());
    let reason = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        reason.starts_with("slides: the start is in collision: ball and post"),
        "{reason}"
    );
}

#[test]
fn wrong_arguments_are_named() {
    let folder = folder("wrong");
    let error = |args: &str| error_of(&plan(&folder, args));
    assert_eq!(
        error("--from 0.5 --to 0.8,0"),
        "--from: 1 positions; expected one for each of x, y"
    );
    assert!(
        error("--from 0.5,0.5 --to 3,0").starts_with("--to: joint \"x\" = 3: outside its limits")
    );
    assert!(error("--from 0.5,NaN --to 0,0").contains("joint \"y\": the position is not finite"));
    assert!(error("--joints z --from 1 --to 0").contains("no joint \"z\""));
    assert!(error("--from 0.5,0.5 --to 0.8,0 --spacing 0").contains("spacing = 0"));
}

//! `superovoid check` from the outside: what it prints and how it exits.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Balls of radius 10 mm on links a, b, c, d at x = 0, 15, 40 and 100 mm, each on a joint of its
/// own from the base. Distances: ab −5, bc 5, ac 20, cd 40, bd 65, ad 80 mm.
const BALLS: &str = r#"<robot name="balls">
  <link name="base"/>
  <link name="a"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
  <link name="b"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
  <link name="c"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
  <link name="d"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
  <joint name="ja" type="floating"><parent link="base"/><child link="a"/></joint>
  <joint name="jb" type="prismatic"><parent link="base"/><child link="b"/>
    <origin xyz="0.015 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint>
  <joint name="jc" type="planar"><parent link="base"/><child link="c"/>
    <origin xyz="0.04 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="jd" type="fixed"><parent link="base"/><child link="d"/><origin xyz="0.1 0 0"/></joint>
  <gazebo/>
</robot>"#;

/// A file of this test run; `name` is different in every test, since they run side by side.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}.urdf"));
    std::fs::write(&path, text).unwrap();
    path
}

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn check(robot: &std::path::Path, args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_superovoid"));
    let Output {
        status,
        stdout,
        stderr,
    } = command.arg("check").arg(robot).args(args).output().unwrap();
    Run {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// The words of every row of the table.
fn rows(out: &str) -> Vec<Vec<&str>> {
    let table = out.split("\n\n").next().unwrap();
    let lines = table.lines().skip(1);
    lines
        .map(|line| line.split_whitespace().collect())
        .collect()
}

fn last_line(out: &str) -> &str {
    out.lines().last().unwrap()
}

#[test]
fn pairs_are_listed_closest_first_and_overlaps_are_marked() {
    let run = check(&file("table", BALLS), &[]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let rows = rows(&run.out);
    // Within the 50 mm of the default.
    assert_eq!(rows.len(), 4, "{}", run.out);
    assert_eq!(rows[0][..2], ["COLLISION", "-5.000000"]);
    assert_eq!(rows[0][4..6], ["a", "b"]);
    // Points in millimetres: the surfaces reach 10 and 5 along x.
    assert_eq!(
        rows[0][6..],
        ["10.000", "0.000", "0.000", "5.000", "0.000", "0.000"]
    );
    let distances: Vec<&str> = rows[1..].iter().map(|row| row[0]).collect();
    assert_eq!(distances, ["5.000000", "20.000000", "40.000000"]);
    assert_eq!(rows[1][2..5], ["certified", "b", "c"]);
    // Aligned: the links of every row start in the column of their heading.
    let mut lines = run.out.lines();
    let heading = lines.next().unwrap();
    let column = heading.find("link a").unwrap();
    for (line, name) in lines.zip(["a", "b", "a", "c"]) {
        assert_eq!(&line[column..=column], name, "{}", run.out);
    }
    let expected = "balls: 1 IN COLLISION; 6 pairs, 4 within 50 mm, 2 culled, 4 solved";
    assert_eq!(last_line(&run.out), expected);
}

#[test]
fn what_was_not_checked_is_named_and_never_free() {
    let with_mesh = BALLS.replace(
        "<link name=\"base\"/>",
        "<link name=\"base\"><collision><geometry><mesh filename=\"b.stl\"/></geometry></collision></link>",
    );
    let robot = file("mesh-too", &with_mesh);
    let run = check(&robot, &["--joint", "jb=0.02"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    let last = last_line(&run.out);
    assert!(last.starts_with("balls: NOT CHECKED; 6 pairs"), "{last}");
    assert!(last.ends_with("; not checked: base (mesh)"), "{last}");
    assert!(!run.out.contains("free"), "{}", run.out);
    let run = check(&robot, &["--joint", "jb=0.02", "--json"]);
    assert_eq!(run.code, Some(2));
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["free"], false);
    assert_eq!(report["unchecked"][0]["link"], "base");
    assert_eq!(report["unchecked"][0]["geometry"], "mesh");
    // A collision is proven all the same.
    let run = check(&robot, &[]);
    assert_eq!(run.code, Some(1));
    assert!(last_line(&run.out).starts_with("balls: 1 IN COLLISION; "));
}

#[test]
fn joints_move_the_robot_and_the_exit_code_tells_whether_it_is_free() {
    let robot = file("joints", BALLS);
    // b away from a by a right-angled triangle: √(15² + 20²) − 20 = 5 mm; bc √(25² + 20²) − 20.
    let run = check(&robot, &["--joint", "jb=0.02"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(rows(&run.out)[0][..1], ["5.000000"]);
    assert!(
        last_line(&run.out).starts_with("balls: free; 6 pairs"),
        "{}",
        run.out
    );
    let nearest = |joints: &[&str]| {
        let run = check(&robot, joints);
        let rows = rows(&run.out);
        let words = rows[0].iter().map(|word| (*word).to_owned());
        words.collect::<Vec<String>>()
    };
    // c onto d along the plane; a onto c in space, turned over.
    let planar = nearest(&["--joint=jb=0.5", "--joint=jc=0.055,0,1"]);
    assert_eq!(
        (planar[1].as_str(), planar[4..6].join("")),
        ("-15.000000", "cd".to_owned())
    );
    let floating = nearest(&["--joint=jb=0.5", "--joint=ja=0.04,0.012,0,3,0,0"]);
    assert_eq!(
        (floating[1].as_str(), floating[4..6].join("")),
        ("-8.000000", "ac".to_owned())
    );
}

#[test]
fn within_bounds_what_is_listed_and_solved() {
    let run = check(&file("max_distance", BALLS), &["--max-distance", "0.007"]);
    assert_eq!(rows(&run.out).len(), 2);
    let expected = "balls: 1 IN COLLISION; 6 pairs, 2 within 7 mm, 4 culled, 2 solved";
    assert_eq!(last_line(&run.out), expected);
    // Nothing so close: no table, and free.
    let run = check(
        &file("max_distance", BALLS),
        &["--max-distance=0.001", "--joint=jb=0.5"],
    );
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    assert!(run.out.starts_with("balls: free; 6 pairs, 0 within 1 mm"));
    assert_eq!(run.code, Some(0));
}

/// Thirty balls in a heap on one base: 435 pairs.
fn heap() -> String {
    let mut text = "<robot name=\"heap\"><link name=\"base\"/>".to_owned();
    for i in 0..30 {
        // 10 mm apart and 4 mm thick: 29 pairs at 6 mm, 28 at 16 mm, …
        let x = f64::from(i) * 0.01;
        text.push_str(&format!(
            "<link name=\"l{i}\"><collision><origin xyz=\"{x} 0 0\"/>\
             <geometry><sphere radius=\"0.002\"/></geometry></collision></link>\
             <joint name=\"j{i}\" type=\"continuous\"><parent link=\"base\"/>\
             <child link=\"l{i}\"/></joint>"
        ));
    }
    text + "</robot>"
}

#[test]
fn twenty_rows_unless_more_are_asked_for_or_collide() {
    let robot = file("heap", &heap());
    let run = check(&robot, &[]);
    // 29 + 28 + 27 + 26 + 25 pairs up to 50 mm.
    assert!(
        run.out
            .contains("… and 115 more pairs (--max-distance or --all-pairs shows them)"),
        "{}",
        run.out
    );
    assert_eq!(rows(&run.out).len(), 20 + 1);
    assert_eq!(run.code, Some(0));
    let run = check(&robot, &["--all-pairs"]);
    assert_eq!(rows(&run.out).len(), 435);
    assert_eq!(
        last_line(&run.out),
        "heap: free; 435 pairs, 0 culled, 435 solved"
    );
    let run = check(&robot, &["--max-distance", "0.05"]);
    assert_eq!(rows(&run.out).len(), 135);
    // Every collision is shown, however many there are.
    let run = check(&file("fat-heap", &heap().replace("0.002", "0.006")), &[]);
    assert_eq!(rows(&run.out).len(), 29 + 1);
    assert_eq!(run.out.matches("COLLISION").count(), 29 + 1);
}

#[test]
fn json_holds_every_pair_in_metres() {
    let run = check(&file("json", BALLS), &["--json"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.err, "");
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["robot"], "balls");
    assert_eq!(report["free"], false);
    assert_eq!(report["max_distance"], Value::Null);
    assert_eq!(
        (&report["considered"], &report["culled"]),
        (&6.into(), &0.into())
    );
    let pairs = report["pairs"].as_array().unwrap();
    let expected = [
        ("ab", -0.005),
        ("bc", 0.005),
        ("ac", 0.02),
        ("cd", 0.04),
        ("bd", 0.065),
        ("ad", 0.08),
    ];
    assert_eq!(pairs.len(), expected.len());
    for (pair, (links, distance)) in pairs.iter().zip(expected) {
        let number = |key: &str| pair[key].as_f64().unwrap();
        let text = |key: &str| pair[key].as_str().unwrap();
        assert_eq!(format!("{}{}", text("link_a"), text("link_b")), links);
        // The default tolerance of a query, 1e-9 of the size.
        assert!((number("distance") - distance).abs() < 1e-11, "{pair}");
        assert!(number("lower") <= number("distance") && number("distance") <= number("upper"));
        assert_eq!(
            text("status"),
            if distance > 0.0 { "free" } else { "collision" }
        );
        let normal = pair["normal"][0].as_f64().unwrap();
        assert!((normal - 1.0).abs() < 1e-9, "{pair}");
        for key in ["point_a", "point_b"] {
            assert_eq!(pair[key].as_array().unwrap().len(), 3);
        }
    }
    assert_eq!(report["unchecked"].as_array().unwrap().len(), 0);
    let warning = report["warnings"][0].as_str().unwrap();
    assert_eq!(
        warning,
        "line 13, column 3: <gazebo> in <robot> is not part of the model"
    );
    // With a distance, only what is within it.
    let run = check(&file("json", BALLS), &["--json", "--max-distance=0.03"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(report["max_distance"], 0.03);
}

#[test]
fn one_of_several_collisions_is_told_by_name_or_number() {
    let sphere = |attribute: &str, y: f64| {
        format!(
            "<collision{attribute}><origin xyz=\"0 {y} 0\"/><geometry><sphere radius=\"0.01\"/>\
             </geometry></collision>"
        )
    };
    let (named, plain) = (sphere(" name=\"tip\"", 0.0), sphere("", 0.03));
    let with_two = BALLS.replace(
        "<link name=\"a\">",
        &format!("<link name=\"a\">{named}{plain}"),
    );
    let run = check(&file("several", &with_two), &[]);
    assert!(run.out.contains(" a [tip] "), "{}", run.out);
    assert!(run.out.contains(" a [2] "), "{}", run.out);
    assert!(run.out.contains(" a [3] "), "{}", run.out);
}

#[test]
fn warnings_are_counted_and_listed_when_asked() {
    let robot = file("warnings", BALLS);
    let run = check(&robot, &[]);
    let file = robot.display();
    let counted = format!(
        "note: {file}: 1 note on what does not bear on collision (--warnings lists them)\n"
    );
    assert_eq!(run.err, counted);
    let run = check(&robot, &["--warnings"]);
    let listed = "line 13, column 3: <gazebo> in <robot> is not part of the model";
    assert_eq!(run.err, format!("note: {file}: {listed}\n"));
}

/// A bar of 2 m along y, and a capsule along x, 5 m away; a ball 0.4 m beyond the bar's end and one 0.8 m beyond that of
/// the capsule.
#[test]
fn quaternions_and_capsules_of_urdf_1_1_are_read_or_refused_with_their_place() {
    let text = r#"<robot name="bar" version="1.1">
  <link name="base">
    <collision><origin xyz="0 0 0" quat_xyzw="0 0 1 1"/><geometry><box size="2 0.1 0.1"/></geometry></collision>
  </link>
  <joint name="j" type="fixed"><origin xyz="5 0 0" quat_xyzw="0 0.7071067811865476 0 0.7071067811865476"/>
    <parent link="base"/><child link="arm"/></joint>
  <link name="arm"><collision><geometry><capsule radius="0.1" length="1"/></geometry></collision></link>
</robot>"#;
    let robot = file("quaternions", text);
    // Capsules of length 0 are balls.
    let balls =
        "name,shape,x,y,z,radius,length\nball,sphere,0,1.5,0,0.1,\nfar,capsule,6.5,0,0,0.1,0\n";
    let obstacles = robot.with_extension("csv");
    std::fs::write(&obstacles, balls).unwrap();
    let obstacles = obstacles.to_str().unwrap();
    let args = ["--obstacles", obstacles, "--max-distance", "1", "--json"];
    let run = check(&robot, &args);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let pairs = report["pairs"].as_array().unwrap();
    let expected = [("base", "ball", 0.4), ("arm", "far", 0.8)];
    assert_eq!(pairs.len(), expected.len(), "{}", run.out);
    for (pair, (link, obstacle, distance)) in pairs.iter().zip(expected) {
        assert_eq!(pair["link_a"], link);
        assert_eq!(pair["obstacle_b"], obstacle);
        let found = pair["distance"].as_f64().unwrap();
        assert!((found - distance).abs() < 1e-9, "{pair}");
    }
    // A version that has no quaternions.
    let old = file("no-quaternions", &text.replace(" version=\"1.1\"", ""));
    let run = check(&old, &args);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    let place =
        "check-no-quaternions.urdf: line 3, column 36: link \"base\", collision 1: <origin>";
    assert!(run.err.contains(place), "{}", run.err);
}

#[test]
fn what_bears_on_collision_and_is_not_read_is_an_error_with_its_place() {
    let misspelt = BALLS.replacen("radius=\"0.01\"", "radius=\"0.01\" raduis=\"0.1\"", 1);
    let run = check(&file("misspelt", &misspelt), &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    let place =
        "check-misspelt.urdf: line 3, column 61: link \"a\", collision 1: raduis of <sphere>";
    assert!(run.err.contains(place), "{}", run.err);
    assert!(run.err.ends_with("expected radius\n"), "{}", run.err);
}

#[test]
fn errors_name_the_thing_and_exit_with_2() {
    let refused = |robot: &PathBuf, args: &[&str], parts: &[&str]| {
        let run = check(robot, args);
        assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
        assert_eq!(run.out, "");
        assert!(run.err.starts_with("error: "), "{}", run.err);
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in: {}", run.err);
        }
    };
    let good = file("good", BALLS);
    refused(
        &PathBuf::from("/no/such/robot.urdf"),
        &[],
        &["/no/such/robot.urdf", "cannot read"],
    );
    let comma = file(
        "comma",
        &BALLS.replacen("radius=\"0.01\"", "radius=\"0,01\"", 1),
    );
    let parts = [
        "check-comma.urdf",
        "line 3, column 47",
        "radius=\"0,01\"",
        "a point",
    ];
    refused(&comma, &[], &parts);
    let mesh = "<robot name=\"m\"><link name=\"a\"><collision><geometry><mesh filename=\"x.stl\"/>\
                </geometry></collision></link></robot>";
    let run = check(&file("mesh", mesh), &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    for part in [
        "the mesh \"x.stl\"",
        "no collision shape can be checked",
        "a (mesh)",
    ] {
        assert!(run.err.contains(part), "{part:?} is not in: {}", run.err);
    }
    refused(
        &good,
        &["--joint", "jx=1"],
        &["\"jx\"", "\"ja\", \"jb\", \"jc\""],
    );
    refused(
        &good,
        &["--joint", "jb=2"],
        &["--joint jb=2", "outside its limits, -1 to 1"],
    );
    refused(&good, &["--joint", "jb=nan"], &["jb", "not finite"]);
    refused(
        &good,
        &["--joint", "jc=1"],
        &["\"jc\" is planar", "three numbers"],
    );
    refused(&good, &["--joint", "jd=1"], &["\"jd\" is fixed"]);
    refused(
        &good,
        &["--joint", "jb=0", "--joint", "jb=0"],
        &["jb: given twice"],
    );
    refused(&good, &["--joint", "jb"], &["NAME=VALUE"]);
    refused(
        &good,
        &["--joint", "jb=0.1,0.2"],
        &["2 numbers", "expected 1"],
    );
    refused(&good, &["--joint", "jb=ten"], &["\"ten\" is not a number"]);
    refused(
        &good,
        &["--max-distance", "-1"],
        &["--max-distance", "at least 0"],
    );
    refused(&good, &["--max-distance", "nan"], &["at least 0"]);
    refused(
        &good,
        &["--max-distance", "1", "--all-pairs"],
        &["--max-distance", "--all-pairs"],
    );
}

/// A box 0.2 m wide on a slide along x, towards a cylinder of radius 0.1 m at x = 1 m; without a superovoid.
const SOLIDS: &str = r#"<robot name="solids">
  <link name="base"/>
  <link name="brick"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="can"><collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision></link>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="brick"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="2"/></joint>
  <joint name="turn" type="continuous"><parent link="base"/><child link="can"/>
    <origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"#;

#[test]
fn a_robot_without_superovoids_is_checked_and_told_how_to_get_faster() {
    let robot = file("solids", SOLIDS);
    let run = check(&robot, &["--all-pairs"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(rows(&run.out)[0][0], "800.000000");
    assert!(
        last_line(&run.out).starts_with("superovoid fit-robot "),
        "{}",
        run.out
    );
    let run = check(&robot, &["--joint", "rail=0.85"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(rows(&run.out)[0][..2], ["COLLISION", "-50.000000"]);
}

/// The rows of a trajectory of the rail, and what `--edges` says about them.
fn edges(name: &str, rows: &str) -> (Run, Vec<Vec<String>>) {
    let robot = file(name, SOLIDS);
    let [path, table] =
        ["path.csv", "edges.csv"].map(|file| robot.with_file_name(format!("{name}-{file}")));
    std::fs::write(&path, rows).unwrap();
    let (path, output) = (path.to_str().unwrap(), table.to_str().unwrap());
    let run = check(
        &robot,
        &["--trajectory", path, "--edges", "--output", output],
    );
    let text = std::fs::read_to_string(&table).unwrap_or_default();
    let rows = text.lines().skip(1);
    let rows = rows.map(|row| row.split(',').map(str::to_owned).collect());
    (run, rows.collect())
}

#[test]
fn edges_are_proven_free_or_hit_where_they_touch() {
    // The can's side is at x = 0.9 m, so that the brick touches it at 0.8 m; from 1.2 m on it is free again.
    let (run, rows) = edges("edges-hit", "rail\n-1\n0.79\n1.3\n1.5\n0.81\n");
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let status: Vec<&str> = rows.iter().map(|row| &*row[2]).collect();
    assert_eq!(status, ["free", "hit", "free", "hit"]);
    // From 0.79 to 1.3, and back from 1.5 to 0.81, which the rows themselves do not show.
    for (row, at) in [(1, 0.01 / 0.51), (3, 0.3 / 0.69)] {
        let [safe, touching] = [3, 4].map(|k| rows[row][k].parse::<f64>().unwrap());
        assert!(
            safe <= at + 1e-9 && at <= touching + 1e-9,
            "{:?}",
            rows[row]
        );
        assert!(touching - safe < 1e-4, "{:?}", rows[row]);
        assert_eq!(rows[row][5..], ["brick", "can"]);
    }
    assert_eq!(
        last_line(&run.out),
        "solids: of 4 edges 2 HIT, 2 proven free"
    );
    assert!(
        run.out
            .starts_with("rows 2 to 3: HIT brick and can, free up to 0.0196"),
        "{}",
        run.out
    );

    let (run, rows) = edges("edges-free", "rail\n-1\n0.7999\n");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(
        rows[0],
        ["1", "2", "free", "1.0000000000000000e0", "", "", ""]
    );

    let (run, _) = edges("edges-one", "rail\n0\n");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("at least two rows"), "{}", run.err);
}

#[test]
fn edges_of_a_robot_that_is_not_all_checked_are_not_free() {
    let with_mesh = SOLIDS.replace(
        "<link name=\"base\"/>",
        "<link name=\"base\"><collision><geometry><mesh filename=\"none.stl\"/></geometry></collision></link>",
    );
    let robot = file("edges-unchecked", &with_mesh);
    let path = robot.with_file_name("edges-unchecked.csv");
    std::fs::write(&path, "rail\n-1\n0\n").unwrap();
    let run = check(&robot, &["--trajectory", path.to_str().unwrap(), "--edges"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert!(run.out.contains("of 1 edges 1 NOT CHECKED"), "{}", run.out);
}

#[test]
fn pairs_that_an_srdf_disables_are_left_out() {
    let robot = file("srdf-robot", SOLIDS);
    let srdf = robot.with_file_name("check-pairs.srdf");
    let text = "<robot name=\"solids\"><disable_collisions link1=\"brick\" link2=\"can\"/></robot>";
    std::fs::write(&srdf, text).unwrap();
    let srdf = srdf.to_str().unwrap();
    let run = check(&robot, &["--joint", "rail=0.85", "--srdf", srdf]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(
        run.out.starts_with("solids: free; 0 within 50 mm"),
        "{}",
        run.out
    );
}

#[test]
fn obstacles_of_every_kind_of_file_are_checked() {
    let robot = file("obstacles", SOLIDS);
    let folder = robot.parent().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // Each 0.3 m above the brick, whose top is at z = 0.1 m.
    let csv = "name,shape,x,y,z,radius,length,size_x,size_y,size_z\n\
               ball,sphere,0,0,0.5,0.1,,,,\nlid,box,0,0,0.9,,,1,1,1\n\
               pole,cylinder,0,0,0.6,0.1,0.4,,,\n";
    let table = write("check-table.csv", csv);
    let floor = "v -9 -9 0.4\nv 9 -9 0.4\nv 0 9 0.4\nf 1 2 3\n";
    let mesh = write("check-sheet.obj", floor);
    let urdf = "<robot name=\"room\"><link name=\"shelf\"><collision><origin xyz=\"0 0 0.9\"/><geometry>\
                <box size=\"1 1 1\"/></geometry></collision></link></robot>";
    let urdf = write("check-room.urdf", urdf);
    let args = [
        "--max-distance",
        "0.301",
        "--obstacles",
        &table,
        "--obstacles",
        &mesh,
        "--obstacles",
        &urdf,
    ];
    let run = check(&robot, &args);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let near = rows(&run.out);
    // The mesh is near the can, which reaches z = 0.2 m.
    let of_brick = near.iter().filter(|row| row[3] == "brick");
    assert!(
        of_brick.clone().all(|row| row[0] == "300.000000"),
        "{}",
        run.out
    );
    assert_eq!(of_brick.count(), 5, "{}", run.out);
    let run = check(
        &robot,
        &["--joint", "rail=0.5", "--json", "--obstacles", &table],
    );
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["pairs"].as_array().unwrap().len(), 1 + 2 * 3);
    assert!(
        report["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .any(|pair| pair["obstacle_b"] == "pole")
    );
    // What is wrong in a table is named with its place.
    let bad = write("check-bad.csv", "name,shape,radius\nball,sphere,\n");
    let run = check(&robot, &["--obstacles", &bad]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("check-bad.csv:2: radius is missing"),
        "{}",
        run.err
    );
}

#[test]
fn every_row_of_a_trajectory_is_checked() {
    let robot = file("trajectory", SOLIDS);
    let folder = robot.parent().unwrap();
    let path = folder.join("check-trajectory.csv");
    std::fs::write(&path, "rail\n0\n0.5\n0.85\n").unwrap();
    let out = folder.join("check-clearances.csv");
    let (path, to) = (path.to_str().unwrap(), out.to_str().unwrap());
    let run = check(&robot, &["--trajectory", path, "--output", to]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert_eq!(
        run.out,
        "solids: of 3 configurations 1 IN COLLISION, 2 free\n"
    );
    let written = std::fs::read_to_string(&out).unwrap();
    let rows: Vec<Vec<&str>> = written
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(
        rows[0],
        ["row", "status", "distance", "lower", "upper", "a", "b"]
    );
    for (row, (status, distance)) in
        rows[1..]
            .iter()
            .zip([("free", 0.8), ("free", 0.3), ("collision", -0.05)])
    {
        assert_eq!((row[1], row[5], row[6]), (status, "brick", "can"));
        assert!(
            (row[2].parse::<f64>().unwrap() - distance).abs() < 1e-8,
            "{written}"
        );
    }
    // Without a table nothing is asked beyond a contact, and the answer is the same.
    let alone = check(&robot, &["--trajectory", path]);
    assert_eq!((alone.code, alone.out), (run.code, run.out));
    std::fs::write(path, "rail\n0\n9\n").unwrap();
    let run = check(&robot, &["--trajectory", path]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("check-trajectory.csv:3"), "{}", run.err);
}

/// The corners of a cube of 2 m and its faces, as an OBJ file; without the last face it is open.
fn cube(open: bool) -> String {
    let mut text = String::new();
    for k in 0..8 {
        let sign = |axis: usize| if k >> axis & 1 == 0 { -1 } else { 1 };
        text += &format!("v {} {} {}\n", sign(0), sign(1), sign(2));
    }
    let faces = [
        "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6",
    ];
    for face in &faces[..if open { 5 } else { 6 }] {
        text += &format!("f {face}\n");
    }
    text
}

/// A ball wholly inside a closed mesh was free.
#[test]
fn a_ball_inside_a_closed_mesh_collides_and_open_meshes_are_named() {
    for (name, open, scale) in [
        ("closed", false, "1 1 1"),
        ("mirrored", false, "1 -1 1"),
        ("open", true, "1 1 1"),
    ] {
        let robot = format!(
            "<robot name='r'><link name='w'><collision><geometry><mesh filename='inside-{name}.obj' scale='{scale}'/>\
             </geometry></collision></link></robot>"
        );
        let robot = file(&format!("inside-{name}"), &robot);
        let folder = robot.parent().unwrap();
        std::fs::write(folder.join(format!("inside-{name}.obj")), cube(open)).unwrap();
        let balls = folder.join(format!("inside-{name}.csv"));
        std::fs::write(&balls, "name,shape,x,y,z,radius\nball,sphere,0,0,0.5,0.1\n").unwrap();
        let balls = balls.to_str().unwrap();
        let run = check(&robot, &["--obstacles", balls, "--max-distance", "9"]);
        assert_eq!(run.code, Some(i32::from(!open)), "{}{}", run.out, run.err);
        assert_eq!(run.err.contains("is not closed"), open, "{}", run.err);
        assert_eq!(
            run.err.contains(&format!("inside-{name}.obj")),
            open,
            "{}",
            run.err
        );
        // The mesh as an obstacle of itself: it is named as well.
        let mesh = folder.join(format!("inside-{name}.obj"));
        let run = check(&robot, &["--obstacles", mesh.to_str().unwrap()]);
        assert_eq!(
            run.err.matches("is not closed").count(),
            if open { 2 } else { 0 }
        );
    }
}

#[test]
fn an_srdf_is_proposed_from_counted_samples() {
    let robot = file("proposed", SOLIDS);
    let mut command = Command::new(env!("CARGO_BIN_EXE_superovoid"));
    let run = command
        .arg("srdf")
        .arg(&robot)
        .args(["--samples", "2000"])
        .output()
        .unwrap();
    assert!(run.status.success());
    let text = String::from_utf8(run.stdout).unwrap();
    // The brick meets the can in 0.4 m of the 3 m of its rail: the pair is compared.
    assert!(!text.contains("disable_collisions"), "{text}");
    let far = file(
        "proposed-far",
        &SOLIDS.replace("xyz=\"1 0 0\"/><axis", "xyz=\"1 5 0\"/><axis"),
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_superovoid"));
    let run = command
        .arg("srdf")
        .arg(&far)
        .args(["--samples", "200"])
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let line = "<disable_collisions link1=\"brick\" link2=\"can\" reason=\"Never\"/> <!-- 0 -->";
    assert!(text.contains(line), "{text}");
}

#[test]
fn help_shows_examples() {
    let run = check(&PathBuf::from("--help"), &[]);
    assert_eq!(run.code, Some(0));
    for part in [
        "Examples:",
        "superovoid check",
        "Exit code:",
        "--joint",
        "--max-distance",
        "--obstacles",
        "--trajectory",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

/// A superovoid and every shape of URDF, a ball each 1 m beyond the next; distances by closed form.
#[test]
fn one_table_answers_for_every_shape_of_urdf() {
    let folder = tempfile::tempdir().unwrap();
    // A closed tetrahedron whose corner (0.1, 0, 0) is its farthest along x.
    let mesh = "v 0.1 0 0\nv -0.1 0.1 0\nv -0.1 -0.1 0.1\nv -0.1 -0.1 -0.1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";
    std::fs::write(folder.path().join("corner.obj"), mesh).unwrap();
    // The reach along x of each shape, about its origin.
    let shapes = [
        (
            "ball",
            "<geometry><sphere radius='0.1'/></geometry>",
            [0.1, 0.1],
        ),
        (
            "box",
            "<geometry><box size='0.2 0.4 0.6'/></geometry>",
            [0.1, 0.1],
        ),
        (
            "cylinder",
            "<geometry><cylinder radius='0.1' length='0.3'/></geometry>",
            [0.1, 0.1],
        ),
        (
            "capsule",
            "<geometry><capsule radius='0.1' length='0.3'/></geometry>",
            [0.1, 0.1],
        ),
        (
            "mesh",
            "<geometry><mesh filename='corner.obj'/></geometry>",
            [0.1, 0.1],
        ),
        (
            "superovoid",
            "<geometry><sphere radius='0.5'/></geometry>\
             <superovoid a1='0.2' a2='0.3' a3='0.4' e1='0.5' e2='0.7' tx='0' ty='0'/>",
            [0.2, 0.2],
        ),
    ];
    let mut robot = String::from("<robot name='all'><link name='base'/>");
    for (k, (name, shape, _)) in shapes.iter().enumerate() {
        robot += &format!(
            "<link name='{name}'><collision>{shape}</collision></link>\
             <joint name='to_{name}' type='prismatic'><parent link='base'/><child link='{name}'/>\
             <origin xyz='{k} 0 0'/><axis xyz='0 1 0'/><limit lower='-1' upper='1'/></joint>"
        );
    }
    let path = folder.path().join("all.urdf");
    std::fs::write(&path, robot + "</robot>").unwrap();
    let Run { code, out, err } = check(&path, &["--json"]);
    assert_eq!(code, Some(0), "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 15);
    let index = |name: &Value| shapes.iter().position(|shape| name == shape.0).unwrap();
    for pair in pairs {
        let [a, b] = ["link_a", "link_b"].map(|side| index(&pair[side]));
        let (a, b) = (a.min(b), a.max(b));
        let expected = (b - a) as f64 - shapes[a].2[1] - shapes[b].2[0];
        let distance = pair["distance"].as_f64().unwrap();
        assert!((distance - expected).abs() < 1e-9, "{pair} {expected}");
    }
}

//! `superovoid fit` from the outside.

use crate::common::{error_of, stdout_of, superovoid};
use crate::egg;
use serde_json::Value;
use std::path::Path;

/// A folder with an egg in two formats, one in millimetres.
fn eggs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let stl = std::fs::File::create(folder.path().join("egg.stl")).unwrap();
    egg::mesh().write_stl(stl).unwrap();
    std::fs::write(folder.path().join("egg, mm.obj"), egg::obj(1e3)).unwrap();
    folder
}

fn json(arguments: &[&str], folder: &Path) -> Vec<Value> {
    let arguments = [&["fit", "--format", "json"], arguments].concat();
    serde_json::from_str(&stdout_of(&superovoid(&arguments, folder))).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().unwrap().iter();
    all.map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn a_table_for_people() {
    let folder = eggs();
    let run = superovoid(&["fit", "egg.stl"], folder.path());
    let out = stdout_of(&run);
    assert!(run.stderr.is_empty(), "{run:?}");
    let rows: Vec<Vec<&str>> = out
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!((rows.len(), rows[0][0]), (2, "mesh"), "{out}");
    assert_eq!(rows[1][..2], ["egg.stl", "yes"]);
    let height: f64 = rows[1][4].parse().unwrap();
    assert!((height - 80.0).abs() < 2.0, "{out}");
}

#[test]
fn several_files_for_programs() {
    let folder = eggs();
    let arguments = [
        "fit",
        "egg.stl",
        "egg, mm.obj",
        "--robust",
        "--format",
        "csv",
        "-o",
        "out.csv",
    ];
    assert_eq!(stdout_of(&superovoid(&arguments, folder.path())), "");
    let mut table = csv::Reader::from_path(folder.path().join("out.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|h| h == name).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let a3 = |k: usize| rows[k][column("a3")].parse::<f64>().unwrap();
    assert_eq!((&rows[0][0], &rows[1][0]), ("egg.stl", "egg, mm.obj"));
    assert!((a3(1) / a3(0) / 1e3 - 1.0).abs() < 1e-3);
    assert!(
        rows.iter()
            .all(|row| &row[column("convex")] == "true" && &row[column("part")] == "1")
    );
    let scaled = json(
        &["egg, mm.obj", "--robust", "--scale", "0.001"],
        folder.path(),
    );
    assert!((numbers(&scaled[0]["semi_axes"])[2] * 1e3 / a3(1) - 1.0).abs() < 1e-3);
}

#[test]
fn options_reach_the_fit() {
    let folder = eggs();
    let one =
        |arguments: &[&str]| json(&[&["egg.stl"], arguments].concat(), folder.path())[0].clone();
    let volume = |row: &Value| row["volume_to_mesh"].as_f64().unwrap();
    let around = one(&["--enclosing"]);
    assert!(volume(&around) > 1.0 && volume(&around) < 1.1, "{around}");
    let within = one(&["--inscribed"]);
    assert!(volume(&within) < 1.0 && volume(&within) > 0.9, "{within}");
    let plain = one(&[
        "--family",
        "superellipsoid",
        "--robust",
        "--target",
        "surface",
    ]);
    assert_eq!(numbers(&plain["tapers"]), [0.0, 0.0]);
    let turned = one(&["--robust", "--axis", "-1,0,0", "--through", "0,0,0"]);
    let q = numbers(&turned["quaternion"]);
    // The body's z axis along x: the x component of its third column.
    let along = 2.0 * (q[1] * q[3] + q[0] * q[2]);
    assert!((along.abs() - 1.0).abs() < 1e-9, "{turned}");
    assert!(
        !json(
            &["egg.stl", "--robust", "--parts", "2", "--scale", "1,-1,2"],
            folder.path()
        )
        .is_empty()
    );
}

#[test]
fn errors_name_the_file_and_write_nothing() {
    let folder = eggs();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("words.stl"), "no mesh").unwrap();
    std::fs::write(
        path("flat.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n",
    )
    .unwrap();
    std::fs::write(path("before.csv"), "before").unwrap();
    for (arguments, part) in [
        (&["egg.stl", "none.stl"][..], "none.stl"),
        (&["words.stl"], "words.stl"),
        (&["flat.obj"], "flat.obj: all points lie in one plane"),
        (&["egg.ply"], "egg.ply"),
        (&[], "MESH"),
        (&["egg.stl", "--scale", "0"], "must not be 0"),
        (
            &["egg.stl", "--scale", "1,2"],
            "expected one number, or three",
        ),
        (&["egg.stl", "--scale", "1e308"], "egg.stl"),
        (&["egg.stl", "--axis", "0,0,0"], "--axis"),
        (&["egg.stl", "--axis", "1,2"], "3 are needed"),
        (&["egg.stl", "--through", "1,2,3"], "--axis"),
        (
            &["egg.stl", "--enclosing", "--inscribed"],
            "cannot be used with",
        ),
        (&["egg.stl", "--samples", "5"], "100 to 1000000"),
    ] {
        let all = [&["fit", "-o", "before.csv"], arguments].concat();
        let message = error_of(&superovoid(&all, folder.path()));
        assert!(message.contains(part), "{message}");
        assert_eq!(
            std::fs::read_to_string(path("before.csv")).unwrap(),
            "before"
        );
    }
    let message = error_of(&superovoid(
        &["fit", "egg.stl", "-o", "./egg.stl"],
        folder.path(),
    ));
    assert!(message.contains("is the input"), "{message}");
}

#[test]
fn help_has_examples() {
    for command in ["fit", "fit-robot"] {
        let out = stdout_of(&superovoid(&[command, "--help"], Path::new(".")));
        assert!(
            out.contains("Examples:") && out.contains("10 million triangles"),
            "{out}"
        );
    }
}

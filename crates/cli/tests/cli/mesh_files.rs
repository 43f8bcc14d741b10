//! Mesh files as people have them, through `superovoid check`: the distances of balls from a robot of one mesh are those of
//! all that the file holds, and nothing else.

use serde_json::Value;
use std::process::Command;

/// The distances of balls (name, centre, radius) from a mesh file, as the robot's only link.
fn distances(file: &str, content: &[u8], balls: &str) -> Result<Vec<(String, f64)>, String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    write(file, content);
    let robot = format!(
        "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{file}\"/></geometry></collision></link></robot>"
    );
    let robot = write("r.urdf", robot.as_bytes());
    let table = format!("name,shape,x,y,z,radius\n{balls}");
    let table = write("balls.csv", table.as_bytes());
    let run = Command::new(env!("CARGO_BIN_EXE_superovoid"))
        .args(["check", "--json", "--all-pairs", "--obstacles"])
        .args([table, robot])
        .output()
        .unwrap();
    let report = serde_json::from_slice::<Value>(&run.stdout);
    let told = String::from_utf8_lossy(&run.stderr);
    match report {
        Ok(report) if run.status.code() != Some(2) => {
            let pairs = report["pairs"].as_array().unwrap().iter();
            let of = |pair: &Value| {
                let name = pair["obstacle_b"].as_str().unwrap().to_owned();
                (name, pair["distance"].as_f64().unwrap())
            };
            let mut found: Vec<_> = pairs.map(of).collect();
            found.sort_by(|a, b| a.0.cmp(&b.0));
            Ok(found)
        }
        _ => Err(told.into_owned()),
    }
}

fn assert_distances(file: &str, content: &[u8], balls: &str, expected: &[(&str, f64)]) {
    let found = distances(file, content, balls).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(found.len(), expected.len(), "{file}: {found:?}");
    for ((name, distance), (wanted, right)) in found.iter().zip(expected) {
        assert_eq!(name, wanted);
        assert!(
            (distance - right).abs() < 1e-9,
            "{file}, {name}: {distance}, not {right}"
        );
    }
}

/// A solid of one tetrahedron with edges of 1 m along the axes, moved along x.
fn solid(name: &str, x: f64) -> String {
    let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let sides = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let facets = sides.iter().map(|side| {
        let vertices = side.map(|k| {
            let [i, j, k] = corners[k].map(f64::from);
            format!("      vertex {:e} {j:e} {k:e}\n", x + i)
        });
        let vertices = vertices.concat();
        format!("  facet normal 0 0 0\n    outer loop\n{vertices}    endloop\n  endfacet\n")
    });
    format!(
        "solid {name}\n{}endsolid {name}\n",
        facets.collect::<String>()
    )
}

/// Beside the tetrahedron at 0, and beyond that at x = 3 m, if it is there.
const STL_BALLS: &str = "ball,sphere,-2,0.25,0.25,0.5\nball2,sphere,6,0.2,0.2,0.5\n";

#[test]
fn every_solid_of_a_text_stl_file_is_in_the_way() {
    // The nearest corner of the second one is (4, 0, 0).
    let text = solid("a", 0.0) + &solid("b", 3.0);
    let expected = [("ball", 1.5), ("ball2", 4.08f64.sqrt() - 0.5)];
    assert!((expected[1].1 - 1.519901).abs() < 1e-6);
    assert_distances("two.stl", text.as_bytes(), STL_BALLS, &expected);
}

#[test]
fn text_stl_as_people_have_it_is_read() {
    let text = solid("x", 0.0);
    let expected = [("ball", 1.5), ("ball2", 25.08f64.sqrt() - 0.5)];
    assert!((expected[1].1 - 4.507994).abs() < 1e-6);
    for (file, text) in [
        ("plain.stl", text.clone()),
        ("upper_case.stl", text.to_uppercase()),
        ("no_name.stl", text.replace("solid x", "solid")),
        (
            "nan_normal.stl",
            text.replace("normal 0 0 0", "normal nan nan nan"),
        ),
        ("leading_space.stl", format!("  \n{text}")),
        ("mark.stl", format!("\u{feff}{text}")),
    ] {
        assert_distances(file, text.as_bytes(), STL_BALLS, &expected);
    }
}

#[test]
fn the_notch_of_a_concave_face_is_free() {
    let arrow = b"v 0 0 0\nv 4 2 0\nv 0 4 0\nv 3 2 0\nf 1 2 3 4\n";
    // To the edge from (0, 4) to (3, 2).
    let expected = [("notch", 1.0 / 13f64.sqrt() - 0.1)];
    assert!((expected[0].1 - 0.177350).abs() < 1e-6);
    assert_distances(
        "arrow.obj",
        arrow,
        "notch,sphere,2.2,2.2,0,0.1\n",
        &expected,
    );
}

/// A cube of edge 2 m about the origin.
const CUBE: &str = "v -1 -1 -1\nv -1 -1 1\nv -1 1 -1\nv -1 1 1\nv 1 -1 -1\nv 1 -1 1\nv 1 1 -1\nv 1 1 1\n\
    f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";

#[test]
fn a_line_of_three_vertices_is_no_face() {
    let text = format!("{CUBE}v 3 -1 0\nv 3 1 0\nv 7 1 0\nv 7 -1 0\nl 9 10 11\n");
    let balls = "ball,sphere,5.5,0.5,0.05,0.1\n";
    assert_distances("line.obj", text.as_bytes(), balls, &[("ball", 4.4)]);
}

#[test]
fn obj_with_a_mark_latin_1_or_continued_lines_is_read() {
    let latin1 = [b"# Geh\xe4use\no Geh\xe4use\n", CUBE.as_bytes()].concat();
    let continued = CUBE.replace("f 1 2 4 3", "f 1 2 \\\n 4 3");
    let balls = "ball,sphere,-3,0,0,0.5\nball2,sphere,13,0,0,0.5\n";
    for (file, content) in [
        ("plain.obj", CUBE.as_bytes()),
        ("mark.obj", format!("\u{feff}{CUBE}").as_bytes()),
        ("latin1.obj", &latin1),
        ("continued.obj", continued.as_bytes()),
    ] {
        assert_distances(file, content, balls, &[("ball", 1.5), ("ball2", 11.5)]);
    }
}

#[test]
fn a_mesh_that_is_not_read_whole_leaves_the_robot_unchecked_and_names_file_and_line() {
    let cut = solid("x", 0.0).replace("endsolid x\n", "");
    let surface = format!("{CUBE}surf 0 1 0 1 1 2 3 4\n");
    for (file, text, part) in [
        (
            "cut.stl",
            &cut,
            "line 29: the file ends, and the solid of line 1 has no endsolid",
        ),
        ("surface.obj", &surface, "line 15: surf"),
    ] {
        let error = distances(file, text.as_bytes(), STL_BALLS).unwrap_err();
        assert!(error.contains(file) && error.contains(part), "{error}");
    }
}

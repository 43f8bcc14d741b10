//! COLLADA as people have it, and what of it is not read.

use super::{PLAIN, Triangle, Z_UP, assert_refused, dae, latin1, list, utf16};

fn plain() -> String {
    dae(Z_UP, PLAIN)
}

fn tetrahedron() -> Vec<Triangle> {
    list("t.dae", plain()).unwrap()
}

/// The plain file with other primitives than its triangles; INPUT names the corners.
fn with_primitives(primitives: &str) -> String {
    let text = plain();
    let (start, rest) = text.split_once("<triangles").unwrap();
    let (_, end) = rest.split_once("</triangles>").unwrap();
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    format!("{start}{}{end}", primitives.replace("INPUT", input))
}

#[test]
fn collada_as_people_have_it_is_the_same_mesh() {
    let named = plain()
        .replace("\"g\"", "\"Gehäuse\"")
        .replace("#g", "#Gehäuse");
    let declared = |encoding: &str| {
        let declaration = format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>");
        named.replace("<?xml version=\"1.0\"?>", &declaration)
    };
    let with = |from: &str, to: &str| plain().replace(from, to).into_bytes();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("UTF-8", named.clone().into()),
        ("byte order mark", format!("\u{feff}{named}").into()),
        ("Latin-1 that says so", latin1(&declared("ISO-8859-1"))),
        ("Latin-1 that does not", latin1(&named)),
        (
            "UTF-16, little end first",
            utf16(&declared("UTF-16"), u16::to_le_bytes),
        ),
        (
            "UTF-16, big end first",
            utf16(&declared("UTF-16"), u16::to_be_bytes),
        ),
        (
            "UTF-16 without a mark",
            utf16(&declared("UTF-16"), u16::to_le_bytes)[2..].to_vec(),
        ),
        ("CR LF", with("\n", "\r\n")),
        ("CR", with("\n", "\r")),
        ("blanks among numbers", with(" 0 ", "\n\t0  ")),
        (
            "comments and extras",
            with("<p>", "<!-- <p>1 2</p> --><extra><p>1</p></extra><p>"),
        ),
        (
            "lines",
            with(
                "<triangles",
                "<lines count=\"1\"><p>0 1 2 3</p></lines><linestrips><p>0 1 2</p></linestrips><triangles",
            ),
        ),
        (
            "cameras and lights",
            with(
                "<node>",
                "<node><instance_camera url=\"#c\"/><instance_light url=\"#l\"/><extra/>",
            ),
        ),
        (
            "the same id elsewhere",
            with("<visual_scene id=\"scene\"", "<visual_scene id=\"g\"")
                .into_iter()
                .collect::<Vec<u8>>(),
        ),
    ];
    for (what, bytes) in cases {
        let bytes = match what {
            "the same id elsewhere" => String::from_utf8(bytes)
                .unwrap()
                .replace("#scene", "#g")
                .into_bytes(),
            _ => bytes,
        };
        assert_eq!(list("t.dae", &bytes), Ok(tetrahedron()), "{what}");
    }
}

#[test]
fn several_primitives_geometries_and_instances_all_count() {
    let two = "<triangles count=\"1\">INPUT<p>0 2 1</p></triangles><triangles count=\"1\">INPUT<p>0 1 3</p></triangles>\
        <polylist count=\"2\">INPUT<vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist>";
    assert_eq!(list("t.dae", with_primitives(two)), Ok(tetrahedron()));
    let lists = "<triangles count=\"4\">INPUT<p>0 2 1 0 1 3</p><p>0 3 2 1 2 3</p></triangles>";
    assert_eq!(list("t.dae", with_primitives(lists)), Ok(tetrahedron()));
    let polygons =
        "<polygons count=\"4\">INPUT<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>";
    assert_eq!(list("t.dae", with_primitives(polygons)), Ok(tetrahedron()));
    // Polygons of one or two corners are points and lines.
    let few = "<polylist count=\"6\">INPUT<vcount>3 2 3 1 3 3</vcount><p>0 2 1 1 2 0 1 3 3 0 3 2 1 2 3</p></polylist>";
    assert_eq!(list("t.dae", with_primitives(few)), Ok(tetrahedron()));
    // Columns of another order, with one that has no name before them.
    let params = "<accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"Y\"/><param name=\"Z\"/><param name=\"X\"/></accessor>";
    let turned = plain().replace("<accessor source=\"#a\" count=\"4\" stride=\"3\"/>", params);
    let expected = tetrahedron()
        .iter()
        .map(|t| t.map(|[x, y, z]| [z, x, y]))
        .collect();
    assert_eq!(list("t.dae", turned), Ok(expected));
}

#[test]
fn a_mirrored_instance_keeps_its_outside() {
    let volume = |triangles: &[Triangle]| -> f64 {
        let six = triangles.iter().map(|[a, b, c]| {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        });
        six.sum::<f64>() / 6.0
    };
    for scale in ["-1 1 1", "1 -2 1", "-1 -1 -1", "-1 -1 1"] {
        let node = format!(r##"<node><scale>{scale}</scale><instance_geometry url="#g"/></node>"##);
        let found = volume(&list("t.dae", dae(Z_UP, &node)).unwrap());
        assert!(found > 0.1, "{scale}: {found}");
    }
    let polygons =
        "<polygons count=\"4\">INPUT<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>";
    let mirrored = with_primitives(polygons).replace(
        "<node>",
        "<node><matrix>1 0 0 0 0 1 0 0 0 0 -1 0 0 0 0 1</matrix>",
    );
    assert!(volume(&list("t.dae", mirrored).unwrap()) > 0.1);
}

#[test]
fn collada_that_is_not_read_is_refused_with_its_place() {
    let with = |from: &str, to: &str| {
        assert!(plain().contains(from), "{from}");
        plain().replacen(from, to, 1)
    };
    let primitive = |text: &str| with_primitives(text);
    for (text, parts) in [
        (String::new(), &["t.dae", "line 1"][..]),
        ("<html/>".to_owned(), &["line 1", "<html>", "COLLADA"]),
        (
            with("<instance_geometry", "<instance_controller"),
            &["line 13", "<instance_controller>", "not read"],
        ),
        (
            with("<node>", "<node><instance_thing/>"),
            &["line 13", "<instance_thing>", "not read"],
        ),
        (
            with("<node>", "<node><lookat>0 0 1 0 0 0 0 1 0</lookat>"),
            &["line 13", "<lookat>", "not read"],
        ),
        (
            with(
                "<node>",
                "<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1</matrix>",
            ),
            &["line 13", "<matrix>", "0 0 0 1"],
        ),
        (
            with("<node>", "<node><scale>1 1</scale>"),
            &["line 13", "<scale>", "3 finite numbers"],
        ),
        (
            with("url=\"#g\"", "url=\"other.dae#g\""),
            &["line 13", "<instance_geometry>", "other.dae#g"],
        ),
        (
            with("url=\"#g\"", "url=\"#scene\""),
            &["line 13", "no element \"#scene\"", "<geometry>"],
        ),
        (
            with(
                "<geometry id=\"g\"><mesh>",
                "<geometry id=\"g\"/><geometry id=\"g\"><mesh>",
            ),
            &["line 13", "more than one element \"#g\""],
        ),
        (
            plain().replace("mesh>", "convex_mesh>"),
            &["line 4", "<geometry>", "only geometry made of a mesh"],
        ),
        (
            plain().replace("mesh>", "spline>"),
            &["line 4", "<geometry>", "only geometry made of a mesh"],
        ),
        (
            plain().replace("triangles", "patches"),
            &["line 10", "<patches>", "not read"],
        ),
        (
            with("<triangles count=\"4\"", "<triangles count=\"5\""),
            &["line 10", "<triangles>", "count is 5", "there are 4"],
        ),
        (
            with("<triangles count=\"4\"", "<triangles count=\"3\""),
            &["line 10", "<triangles>", "count is 3", "there are 4"],
        ),
        (
            with("count=\"12\"", "count=\"13\""),
            &["line 5", "<float_array>", "count is 13", "there are 12"],
        ),
        (
            with("source=\"#a\" count=\"4\"", "source=\"#a\" count=\"5\""),
            &["line 6", "<accessor>", "count"],
        ),
        (
            with("stride=\"3\"", "stride=\"2\""),
            &["line 6", "<accessor>", "stride"],
        ),
        (
            with("<p>0 0 ", "<p>0 "),
            &["line 11", "<p>", "23 indices", "2 are needed"],
        ),
        (
            with("<p>0 0 ", "<p>4 0 "),
            &["line 11", "<p>", "vertex 4", "there are 4"],
        ),
        (
            with("<p>0 0 ", "<p>-1 0 "),
            &["line 11", "<p>", "vertex -1"],
        ),
        (with("<p>0 0 ", "<p>0.5 0 "), &["line 11", "<p>", "\"0.5\""]),
        (
            with("semantic=\"VERTEX\"", "semantic=\"POSITION\""),
            &["line 10", "<triangles>", "VERTEX"],
        ),
        (with(" offset=\"1\"", ""), &["line 11", "<input>", "offset"]),
        (
            with(
                "<float_array id=\"a\" count=\"12\">0",
                "<float_array id=\"a\" count=\"12\">nan",
            ),
            &["line 5", "<float_array>", "not finite"],
        ),
        (
            with(
                "<geometry id=\"g\">",
                "<geometry id=\"g\"><asset><unit meter=\"0.01\"/></asset>",
            ),
            &["line 4", "<unit>", "whole file"],
        ),
        (
            with("<scene>", "<scenes>").replace("</scene>", "</scenes>"),
            &["line 14", "<scenes>", "not read"],
        ),
        (
            with("<instance_visual_scene", "<visual"),
            &["line 14", "<visual>", "not read"],
        ),
        (
            primitive("<triangles>INPUT<p>0 2 1 0</p></triangles>"),
            &["line 10", "<p>", "4 corners"],
        ),
        (
            primitive("<triangles count=\"1\">INPUT<q>0 2 1</q></triangles>"),
            &["line 10", "<q>", "not read"],
        ),
        (
            primitive("<triangles count=\"1\">INPUT</triangles>"),
            &["line 10", "count is 1", "there are 0"],
        ),
        (
            primitive("<triangles>INPUT<ph><p>0 2 1</p></ph></triangles>"),
            &["line 10", "<ph>", "only polygons"],
        ),
        (
            primitive("<polylist>INPUT<vcount>3</vcount><p>0 2 1 3</p></polylist>"),
            &["line 10", "<p>", "more indices"],
        ),
        (
            primitive("<polylist>INPUT<vcount>3 3</vcount><p>0 2 1</p></polylist>"),
            &["line 10", "<p>", "fewer indices"],
        ),
        (
            primitive("<polylist>INPUT<vcount>3</vcount></polylist>"),
            &["line 10", "fewer indices"],
        ),
        (
            primitive("<polylist>INPUT<p>0 2 1</p></polylist>"),
            &["line 10", "<polylist>", "vcount"],
        ),
        (
            primitive("<polylist>INPUT<vcount>3</vcount><p>0 2 1</p><p>0 2 1</p></polylist>"),
            &["line 10", "one p"],
        ),
        (
            primitive("<polylist count=\"2\">INPUT<vcount>3</vcount><p>0 2 1</p></polylist>"),
            &["count is 2", "there are 1"],
        ),
        (
            primitive("<polygons count=\"2\">INPUT<p>0 2 1</p></polygons>"),
            &["count is 2", "there are 1"],
        ),
        (
            primitive("<polygons>INPUT<ph><h>0 2 1</h></ph></polygons>"),
            &["line 10", "<ph>", "outline"],
        ),
    ] {
        assert_refused("t.dae", text, parts);
    }
}

//! OBJ as people have it.

use super::{Triangle, assert_refused, latin1, list, utf16};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A cube of edge 2 about the origin.
const CUBE: &str = "\
v -1 -1 -1
v -1 -1 1
v -1 1 -1
v -1 1 1
v 1 -1 -1
v 1 -1 1
v 1 1 -1
v 1 1 1
f 1 2 4 3
f 5 7 8 6
f 1 5 6 2
f 3 4 8 7
f 1 3 7 5
f 2 6 8 4
";

/// Its triangles, by the fans of its squares.
fn cube() -> Vec<Triangle> {
    let corner = |k: usize| {
        let sign = |bit: usize| if (k - 1) >> bit & 1 == 1 { 1.0 } else { -1.0 };
        [sign(2), sign(1), sign(0)]
    };
    let squares = [
        [1, 2, 4, 3],
        [5, 7, 8, 6],
        [1, 5, 6, 2],
        [3, 4, 8, 7],
        [1, 3, 7, 5],
        [2, 6, 8, 4],
    ];
    let fans = squares
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    fans.map(|t| t.map(corner)).collect()
}

#[test]
fn obj_as_people_have_it_is_the_same_mesh() {
    let with = |more: &str| format!("{CUBE}{more}\n").into_bytes();
    let before = |more: &str| format!("{more}\n{CUBE}");
    let change = |from: &str, to: &str| CUBE.replace(from, to).into_bytes();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("plain", CUBE.into()),
        ("byte order mark", format!("\u{feff}{CUBE}").into()),
        (
            "Latin-1 comments and names",
            latin1(&before("# Gehäuse\no Gehäuse\ng ä\nusemtl é")),
        ),
        (
            "UTF-8 comments and names",
            before("# Gehäuse Ω\no Ω").into(),
        ),
        (
            "UTF-16, little end first",
            utf16(&before("o Ω"), u16::to_le_bytes),
        ),
        (
            "UTF-16, big end first",
            utf16(&before("o Ω"), u16::to_be_bytes),
        ),
        ("continued lines", change("f 1 2 4 3", "f 1 2 \\\n 4 3")),
        (
            "continued lines, CR LF",
            change("f 1 2 4 3\n", "f 1 \\\r\n2 \\\r\n4 3\r\n"),
        ),
        (
            "continued vertices",
            change("v -1 -1 1\n", "v \\\n-1\\\n -1 1\n"),
        ),
        (
            "continued before a blank line",
            change("f 2 6 8 4\n", "f 2 6 8 4 \\\n\n"),
        ),
        (
            "continued at the end",
            change("f 2 6 8 4\n", "f 2 6 8 4 \\"),
        ),
        (
            "comments that end in a backslash",
            before("# C:\\meshes\\").into(),
        ),
        (
            "names that end in a backslash",
            before("o C:\\meshes\\\nmtllib \\\ng a\\").into(),
        ),
        ("CR", change("\n", "\r")),
        ("CR LF", change("\n", "\r\n")),
        ("tabs and blanks", change(" ", " \t ")),
        ("blanks before and behind", change("\n", "  \n\t ")),
        ("no last line end", CUBE.trim_end().into()),
        ("comments behind", change("\n", " # 1 2 3\n")),
        (
            "normals and textures",
            before("vn 0 0 1\nvt 0 0\nvt 0\nvp 0 0 0").into(),
        ),
        ("v//n", change("f 1 2 4 3", "f 1//1 2//1 4//1 3//1")),
        ("v/t", change("f 1 2 4 3", "f 1/1 2/1 4/1 3/1")),
        ("v/t/n", change("f 1 2 4 3", "f 1/1/1 2/1/1 4/1/-1 3/-1/1")),
        ("v/", change("f 1 2 4 3", "f 1/ 2// 4/ 3")),
        ("indices from the end", change("f 1 2 4 3", "f -8 -7 -5 -6")),
        ("weights", change("\nv 1 1 1\n", "\nv 1 1 1 1.0\n")),
        ("colours", change("\nv 1 1 1\n", "\nv 1 1 1 0.5 0.5 0.5\n")),
        (
            "colours of four",
            change("\nv 1 1 1\n", "\nv 1 1 1 0.5 0.5 0.5 0.1\n"),
        ),
        (
            "groups and materials",
            change("\nf", "\ng a b\ns off\nusemtl m\no p\nmg 1 2\nf"),
        ),
        ("an old face", change("f 2 6 8 4", "fo 2 6 8 4")),
        ("lines of two", with("l 1 8")),
        ("lines of three and more", with("l 1 2 3\nl 1/1 4/1 5 8 2")),
        ("points", with("p 1 2 3 4")),
        ("faces of two corners, which are lines", with("f 1 2\nf 3")),
        ("faces before their vertices", {
            let (vertices, faces) = CUBE.split_at(CUBE.find('f').unwrap());
            format!("{faces}{vertices}").into()
        }),
        (
            "vertices that no face names",
            before("")
                .replace("\nf", "\nv 9 9 9\nf")
                .replacen("\nv 9 9 9", "", 5)
                .into(),
        ),
    ];
    for (what, bytes) in cases {
        assert_eq!(list("t.obj", &bytes), Ok(cube()), "{what}");
    }
}

#[test]
fn lines_and_points_are_no_faces() {
    // A square of edges beside the cube, as curves are drawn.
    let square = "v 3 -1 0\nv 3 1 0\nv 7 1 0\nv 7 -1 0\nl 9 10 11\nl 9 10 11 12 9\np 9 10 11\n";
    assert_eq!(list("t.obj", format!("{CUBE}{square}")), Ok(cube()));
    // Nothing but lines is no mesh.
    let lines = format!("{}{square}", CUBE.replace("\nf", "\nl"));
    assert_refused("t.obj", lines, &["t.obj", "no triangle"]);
}

#[test]
fn obj_that_is_wrong_is_refused_with_its_line() {
    let with = |more: &str| format!("{CUBE}{more}\n");
    for (more, parts) in [
        (
            "f 1 2 9",
            &["line 15", "vertex 9 is named; there are 8"][..],
        ),
        ("f 1 2 0", &["line 15", "vertex 0", "from 1"]),
        ("f 1 2 -9", &["line 15", "vertex -9", "8 stand before"]),
        ("f 1 2 x", &["line 15", "\"x\""]),
        ("f 1 2 3.5", &["line 15", "\"3.5\""]),
        ("f 1 2 3/x", &["line 15", "\"3/x\""]),
        ("f 1 2 3/1/1/1", &["line 15", "\"3/1/1/1\""]),
        ("f 1 2 /1", &["line 15", "\"/1\""]),
        (
            "f 1 2 99999999999999999999",
            &["line 15", "\"99999999999999999999\""],
        ),
        ("f 1 2\\\n3 4", &["line 15", "2\\\\3"]),
        ("v 1 2", &["line 15", "3 numbers", "this has 2"]),
        ("v 1 2 3 4 5", &["line 15", "this has 5"]),
        ("v 1 2 3 4 5 6 7 8 9", &["line 15", "this has 8 or more"]),
        ("v 1 2 3 0.5", &["line 15", "weight", "0.5"]),
        ("v 1 2 x", &["line 15", "\"x\" is not a number"]),
        ("v 1 2 3 1 1 x", &["line 15", "\"x\" is not a number"]),
        ("v 1 2 nan", &["line 15", "not finite"]),
        ("v 1 2 1e999", &["line 15", "not finite"]),
        ("curv 0 1 1 2 3", &["line 15", "curv", "not read"]),
        ("curv2 1 2", &["line 15", "curv2", "not read"]),
        ("surf 0 1 0 1 1 2 3", &["line 15", "surf", "not read"]),
        (
            "cstype bezier\ndeg 3 3\nsurf 0 1 0 1 1 2 3",
            &["line 17", "surf", "not read"],
        ),
        ("bzp 1 2 3", &["line 15", "bzp", "not read"]),
        ("call other.obj", &["line 15", "call", "not read"]),
        ("F 1 2 3", &["line 15", "\"F\" is no statement"]),
        ("face 1 2 3", &["line 15", "\"face\" is no statement"]),
        ("1 2 3", &["line 15", "\"1\" is no statement"]),
        ("\0", &["line 15", "no statement"]),
    ] {
        assert_refused("t.obj", with(more), parts);
        assert_refused("t.obj", with(more).replace('\n', "\r"), parts);
    }
}

/// The cube written in a way that was drawn.
fn drawn_writing(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut text = String::new();
    let blank =
        |rng: &mut ChaCha8Rng| [" ", "\t", "  ", " \\\n", " \\\n  "][rng.random_range(0..5)];
    let mut before = 0;
    for line in CUBE.lines() {
        text += [
            "",
            "\n",
            "# f 1 2 3\n",
            "g f\n",
            "vn 0 0 1\n",
            " l 1 2 3\n",
            "s 1\n",
            "p 1\n",
        ][rng.random_range(0..8)];
        text += ["", " ", "\t"][rng.random_range(0..3)];
        let mut words = line.split(' ');
        let keyword = words.next().unwrap();
        text += keyword;
        before += usize::from(keyword == "v");
        for word in words {
            text += blank(rng);
            if keyword == "v" {
                text += word;
                text += ["", ".0", "e0", ".00E+00"][rng.random_range(0..4)];
                continue;
            }
            let index: usize = word.parse().unwrap();
            match rng.random_range(0..2) {
                0 => text += word,
                _ => text += &format!("-{}", before + 1 - index),
            }
            text += ["", "/1", "//1", "/1/1"][rng.random_range(0..4)];
        }
        text += ["", " ", " # Gehäuse", "\t"][rng.random_range(0..4)];
        text += "\n";
    }
    let text = text.replace('\n', ["\n", "\r", "\r\n"][rng.random_range(0..3)]);
    match rng.random_range(0..5) {
        0 => utf16(&text, u16::to_le_bytes),
        1 => utf16(&text, u16::to_be_bytes),
        2 => latin1(&text),
        3 => format!("\u{feff}{text}").into(),
        _ => text.into(),
    }
}

#[test]
fn any_writing_of_the_same_faces_is_the_same_mesh() {
    for draw in 0..1000 {
        let bytes = drawn_writing(&mut ChaCha8Rng::seed_from_u64(draw));
        let found = list("t.obj", &bytes);
        assert_eq!(
            found,
            Ok(cube()),
            "{draw}: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

//! STL: text as people have it, and binary files that say what they are not.

use super::{CORNERS, SIDES, Triangle, assert_refused, binary_stl, latin1, list, utf16};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The triangles of the tetrahedron.
fn tetrahedron() -> Vec<Triangle> {
    SIDES.map(|side| side.map(|k| CORNERS[k])).to_vec()
}

fn moved(triangles: &[Triangle], x: f64) -> Vec<Triangle> {
    let corner = |p: &[f64; 3]| [p[0] + x, p[1], p[2]];
    triangles
        .iter()
        .map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])])
        .collect()
}

/// A solid as exporters write it.
fn solid(name: &str, triangles: &[Triangle]) -> String {
    let facets = triangles.iter().map(|t| {
        let vertices = t.map(|[x, y, z]| format!("      vertex {x:e} {y:e} {z:e}\n"));
        let vertices = vertices.concat();
        format!("  facet normal 0 0 0\n    outer loop\n{vertices}    endloop\n  endfacet\n")
    });
    let facets = facets.collect::<String>();
    format!("solid {name}\n{facets}endsolid {name}\n")
}

#[test]
fn every_solid_of_a_text_is_read() {
    let first = tetrahedron();
    let all = [first.clone(), moved(&first, 10.0), moved(&first, 20.0)];
    let expected = all.concat();
    let text: String = all
        .iter()
        .zip(["a", "", "a b"])
        .map(|(t, name)| solid(name, t))
        .collect();
    let one_line = text.replace('\n', " ");
    for text in [
        text.clone(),
        text.replace('\n', "\r"),
        text.replace('\n', "\r\n"),
        text.replace("endsolid a\n", "endsolid a\n\n\n"),
        text.replace("endsolid", "end solid"),
        // The second solid begins where the first ends, and files put together have marks within.
        text.replace("endsolid a\n", "endsolid a "),
        text.replace("endsolid a\n", "endsolid a\n\u{feff}"),
        one_line,
    ] {
        assert_eq!(list("t.stl", &text).unwrap(), expected, "{text}");
    }
}

#[test]
fn text_as_people_have_it_is_the_same_mesh() {
    let text = solid("x", &tetrahedron());
    let named = |name: &str| text.replace("solid x", &format!("solid {name}"));
    let normal = |normal: &str| text.replace("normal 0 0 0", normal);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("plain", text.clone().into()),
        ("capitals", text.to_uppercase().into()),
        (
            "mixed case",
            text.replace("facet", "Facet")
                .replace("vertex", "Vertex")
                .into(),
        ),
        ("no name", text.replace("solid x", "solid").into()),
        (
            "no name at the end",
            text.replace("endsolid x", "endsolid").into(),
        ),
        ("leading blanks", format!(" \t\n\n  {text}").into()),
        ("byte order mark", format!("\u{feff}{text}").into()),
        ("mark and blanks", format!("\u{feff} \n{text}").into()),
        ("UTF-8 name", named("Gehäuse Ω").into()),
        ("Latin-1 name", latin1(&named("Gehäuse"))),
        (
            "mark and Latin-1 name",
            [&b"\xef\xbb\xbf"[..], &latin1(&named("Gehäuse"))].concat(),
        ),
        (
            "UTF-16, little end first",
            utf16(&named("Ω"), u16::to_le_bytes),
        ),
        (
            "UTF-16, big end first",
            utf16(&named("Ω"), u16::to_be_bytes),
        ),
        ("CR LF", text.replace('\n', "\r\n").into()),
        ("CR", text.replace('\n', "\r").into()),
        ("tabs", text.replace(' ', "\t").into()),
        (
            "form feeds",
            text.replace("  facet", "\x0c\x0bfacet").into(),
        ),
        ("no blanks before", text.replace("  ", "").into()),
        ("one line", text.replace('\n', " ").into()),
        (
            "a word a line",
            text.replace(' ', "\n").replace("solid\n", "solid ").into(),
        ),
        ("no last line end", text.trim_end().into()),
        ("blank lines at the end", format!("{text}\n\n  \n").into()),
        ("end solid", text.replace("endsolid", "end solid").into()),
        (
            "end loop, end facet",
            text.replace("endloop", "end loop")
                .replace("endfacet", "End Facet")
                .into(),
        ),
        ("nan normals", normal("normal nan nan nan").into()),
        (
            "Windows' nan normals",
            normal("normal -1.#IND -nan(ind) 1.#QNAN").into(),
        ),
        ("normals with commas", normal("normal 0,5 0,5 0,7").into()),
        ("infinite normals", normal("normal inf -inf 1e999").into()),
        ("normals without numbers", normal("normal").into()),
        ("no normals", text.replace(" normal 0 0 0", "").into()),
        (
            "name like a statement",
            named("solid facet vertex loop").into(),
        ),
        ("name with numbers", named("vertex a 1 2 3 outer").into()),
        (
            "numbers with signs",
            text.replace("1e0", "+1.0E+00").replace("0e0", "-.0").into(),
        ),
        (
            "plain numbers",
            text.replace("1e0", "1.").replace("0e0", "0").into(),
        ),
    ];
    for (what, bytes) in cases {
        assert_eq!(list("t.stl", &bytes), Ok(tetrahedron()), "{what}");
    }
    // An empty solid drops nothing.
    let with_empty = format!("solid none\nendsolid none\n{text}solid\nendsolid\n");
    assert_eq!(list("t.stl", with_empty), Ok(tetrahedron()));
}

#[test]
fn text_that_is_not_stl_is_refused_with_its_line() {
    let text = solid("x", &tetrahedron());
    let first = |from: &str, to: &str| text.replacen(from, to, 1);
    let first_vertex = "vertex 0e0 0e0 0e0";
    let cut_at = |part: &str| text[..text.find(part).unwrap()].to_owned();
    let cases: Vec<(String, &[&str])> = vec![
        (String::new(), &["line 1: the file is empty"]),
        (" \n\t\n".into(), &["line 1: the file is empty"]),
        ("nonsense".into(), &["line 1", "\"nonsense\"", "solid"]),
        (first("solid x", "slid x"), &["line 1", "\"slid\""]),
        (
            first(first_vertex, "vertex 0e0 0e0"),
            &["line 5", "\"vertex\" is not a number"],
        ),
        (
            first(first_vertex, "vertex 0e0 0e0 0e0 0e0"),
            &["line 4", "\"0e0\""],
        ),
        (
            first(first_vertex, "vertex 0,5 0e0 0e0"),
            &["line 4", "\"0,5\" is not a number"],
        ),
        (
            first(first_vertex, "vertex nan 0e0 0e0"),
            &["line 4", "not finite"],
        ),
        (
            first(first_vertex, "vertex 1e999 0e0 0e0"),
            &["line 4", "not finite"],
        ),
        (
            first(first_vertex, "vertx 0e0 0e0 0e0"),
            &["line 4", "\"vertx\""],
        ),
        (first(first_vertex, ""), &["line 2", "2 vertices"]),
        (
            first("outer loop", ""),
            &["line 4", "\"vertex\"", "outer loop"],
        ),
        (first("endloop", ""), &["line 8", "\"endfacet\"", "endloop"]),
        (first("endfacet", ""), &["line 9", "\"facet\"", "endfacet"]),
        (
            first("normal 0 0 0", "normal 0 0 0 0"),
            &["line 2", "\"0\"", "outer loop"],
        ),
        (first("endsolid x", ""), &["solid of line 1", "no endsolid"]),
        (
            first("endsolid x", "solid y"),
            &["solid of line 1", "no endsolid"],
        ),
        (cut_at("    endloop"), &["line 2", "ends within this facet"]),
        (format!("{text}trailing junk"), &["line 31", "\"trailing\""]),
        (format!("{text}vertex 1 2 3"), &["line 31", "\"vertex\""]),
        (format!("{text}endsolid x"), &["line 31", "endsolid"]),
        (
            first("solid x\n", "solid x outer loop\n"),
            &["line 1", "\"outer\""],
        ),
        (
            first("solid x\n", "solid x vertex 0 0 0\n"),
            &["line 1", "\"vertex\""],
        ),
    ];
    for (text, parts) in cases {
        assert_refused("t.stl", text, parts);
    }
    // A facet behind the last solid is another one, and ends like one.
    let facet =
        "facet normal 0 0 0 outer loop vertex 0 0 5 vertex 1 0 5 vertex 0 1 5 endloop endfacet";
    assert_eq!(
        list("t.stl", format!("{text}{facet} endsolid"))
            .unwrap()
            .len(),
        5
    );
    assert_refused(
        "t.stl",
        format!("{text}{facet}"),
        &["solid of line 31", "no endsolid"],
    );
}

#[test]
fn facets_of_more_vertices_are_cut_within_their_outline() {
    // An arrow of area 4, whose fan from the first corner would have 8.
    let arrow = "vertex 0 0 0 vertex 4 2 0 vertex 0 4 0 vertex 3 2 0";
    let text = format!("solid facet outer loop {arrow} endloop endfacet endsolid");
    let found = list("t.stl", text).unwrap();
    assert_eq!(found.len(), 2);
    let area: f64 = found
        .iter()
        .map(|[a, b, c]| {
            let turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
            turn / 2.0
        })
        .sum();
    assert_eq!(area, 2.0);
}

#[test]
fn binary_files_are_read_whatever_their_header_or_refused_with_their_byte() {
    let whole = binary_stl();
    assert_eq!(list("t.stl", &whole), Ok(tetrahedron()));
    let with = |change: fn(&mut Vec<u8>)| {
        let mut bytes = binary_stl();
        change(&mut bytes);
        bytes
    };
    // Headers like texts, marks, or zeros.
    for header in [
        &b"solid x\nfacet normal 0 0 0\nouter loop\n"[..],
        b"\xff\xfe",
        b"\0",
        b"\xef\xbb\xbfsolid",
    ] {
        let mut bytes = binary_stl();
        bytes[..80].fill(b' ');
        bytes[..header.len()].copy_from_slice(header);
        assert_eq!(list("t.stl", &bytes), Ok(tetrahedron()), "{header:?}");
    }
    // Padding drops nothing.
    for padding in [&[7; 3][..], &[10; 49], &[0; 50], &[0; 1000]] {
        assert_eq!(list("t.stl", [&whole, padding].concat()), Ok(tetrahedron()));
    }
    for (bytes, parts) in [
        (
            with(|b| b.extend([7; 50])),
            &["byte 80", "counts 4", "50 bytes stand behind"][..],
        ),
        (
            with(|b| b[80] = 3),
            &["byte 80", "counts 3", "50 bytes stand behind"],
        ),
        (with(|b| b[80] = 0), &["byte 80", "counts 0", "200 bytes"]),
        (
            with(|b| b[80] = 5),
            &["byte 80", "counts 5", "ends after 4"],
        ),
        (
            with(|b| b[80..84].fill(255)),
            &["byte 80", "counts 4294967295", "ends after 4"],
        ),
        (
            with(|b| b.truncate(283)),
            &["byte 80", "counts 4", "ends after 3"],
        ),
        (with(|b| b.truncate(84)), &["byte 80", "ends after 0"]),
        (
            with(|b| {
                b.truncate(84);
                b[80] = 0;
            }),
            &["byte 80", "counts 0", "no mesh"],
        ),
        (
            with(|b| {
                b.truncate(83);
            }),
            &["byte 83", "header"],
        ),
        (
            with(|b| b[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes())),
            &["triangle 1", "byte 134", "not finite"],
        ),
    ] {
        assert_refused("t.stl", bytes, parts);
    }
}

/// Facets written in a way that was drawn.
fn drawn_writing(triangles: &[Triangle], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let names = ["", " part", " facet", " a solid b", " Gehäuse 7"];
    for triangle in triangles {
        if is_open && rng.random_bool(0.2) {
            let end = ["endsolid", "end solid"][rng.random_range(0..2)];
            words.push(format!("{end}{}\n", names[rng.random_range(0..5)]));
            is_open = false;
        }
        if !is_open {
            words.push(format!("solid{}\n", names[rng.random_range(0..5)]));
            is_open = true;
        }
        words.push("facet".to_owned());
        match rng.random_range(0..5) {
            0 => {}
            1 => words.push("normal nan nan nan".to_owned()),
            2 => words.push("normal 1,0 #".to_owned()),
            _ => words.push("normal 0 0 1".to_owned()),
        }
        words.push("outer loop".to_owned());
        for [x, y, z] in triangle {
            let text = if rng.random() {
                format!("vertex {x} {y} {z}")
            } else {
                format!("vertex {x:e} {y:E} {z}")
            };
            words.push(text);
        }
        words.push(["endloop", "end loop"][rng.random_range(0..2)].to_owned());
        words.push(["endfacet", "end facet"][rng.random_range(0..2)].to_owned());
    }
    words.push("endsolid".to_owned());
    let case = rng.random_range(0..3);
    let end = ["\n", "\r", "\r\n"][rng.random_range(0..3)];
    let mut text = String::new();
    for word in &words {
        match case {
            0 => text += word,
            1 => text += &word.to_uppercase(),
            _ => text += &word.to_lowercase(),
        }
        text += [" ", "\t", "\n", "\n    ", " \n\n"][rng.random_range(0..5)];
    }
    let text = text.replace('\n', end);
    match rng.random_range(0..5) {
        0 => utf16(&text, u16::to_le_bytes),
        1 => utf16(&text, u16::to_be_bytes),
        2 => latin1(&text),
        3 => format!("\u{feff}{text}").into(),
        _ => text.into(),
    }
}

fn drawn_writings_are_the_same_mesh(draws: u64) {
    for draw in 0..draws {
        let rng = &mut ChaCha8Rng::seed_from_u64(draw);
        let count = rng.random_range(1..30);
        let triangles: Vec<Triangle> = (0..count)
            .map(|_| [(); 3].map(|()| [(); 3].map(|()| rng.random_range(-1e3..1e3))))
            .collect();
        let bytes = drawn_writing(&triangles, rng);
        let found = list("t.stl", &bytes);
        assert_eq!(
            found,
            Ok(triangles),
            "{draw}: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

#[test]
fn any_writing_of_the_same_facets_is_the_same_mesh() {
    drawn_writings_are_the_same_mesh(1000);
}

#[test]
#[ignore = "100,000 files"]
fn any_writing_of_the_same_facets_is_the_same_mesh_long() {
    drawn_writings_are_the_same_mesh(100_000);
}

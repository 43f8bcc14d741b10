//! Small files in `srdf-corpus/`, each with one thing in it. A file that was read or refused wrongly once
//! belongs here.

use super::fuzz::balls;
use super::read;
use std::path::Path;
use superovoid_robot::Srdf;

/// File, and the number of pairs disabled, pairs enabled and links disabled by default.
const READ: &[(&str, [usize; 3])] = &[
    ("loads_a_urdf", [0, 0, 0]),
    ("loads_assistant", [3, 1, 1]),
    ("loads_byte_order_mark", [1, 0, 0]),
    ("loads_carriage_returns", [1, 0, 0]),
    ("loads_default_namespace", [1, 0, 0]),
    ("loads_elsewhere", [1, 0, 0]),
    ("loads_empty_names", [1, 0, 0]),
    ("loads_foreign_attributes", [1, 0, 0]),
    ("loads_foreign_namespace", [1, 0, 0]),
    ("loads_misspelt_element", [0, 0, 0]),
    ("loads_nothing", [0, 0, 0]),
    ("loads_one_link_twice", [1, 0, 0]),
    ("loads_references", [1, 0, 0]),
    ("loads_spaces_in_names", [1, 0, 0]),
    ("loads_xacro_namespace_left_over", [1, 0, 0]),
];

/// File, line and column, and a part of the message.
const REFUSED: &[(&str, u32, u32, &str)] = &[
    (
        "another_root",
        2,
        1,
        "the root element is <srdf>; expected <robot>",
    ),
    (
        "attributes",
        2,
        941,
        "more than 128 attributes on one element; the limit is UrdfLimits::attributes",
    ),
    (
        "billion_laughs",
        2,
        1,
        "a <!DOCTYPE>; expected none (URDF and SRDF need none, and entities are not expanded)",
    ),
    (
        "default_without_link",
        2,
        3,
        "SRDF: <disable_default_collisions> lacks the attribute link; expected the name of a link",
    ),
    (
        "depth",
        2,
        890,
        "more than 128 elements within each other; the limit is UrdfLimits::depth",
    ),
    (
        "duplicate_attribute",
        2,
        33,
        "not well-formed XML: a second attribute link1; expected it once",
    ),
    (
        "empty",
        1,
        1,
        "not well-formed XML: the file is empty; expected a <robot>",
    ),
    (
        "foreign_attribute_only",
        2,
        3,
        "SRDF: <disable_collisions> lacks the attribute link2; expected the name of a link",
    ),
    (
        "latin1",
        2,
        30,
        "a byte that is not UTF-8; expected a file in UTF-8",
    ),
    (
        "less_than_in_value",
        2,
        31,
        "not well-formed XML: < inside an attribute; expected &lt;, or the closing \" before it",
    ),
    ("long_root", 1, 1, "rrrr…>; expected <robot>"),
    (
        "nul",
        2,
        31,
        "not well-formed XML: a NUL character (a byte of value 0); expected none: the file may be padded or cut off",
    ),
    (
        "pair_without_first_link",
        2,
        3,
        "SRDF: <disable_collisions> lacks the attribute link1; expected the name of a link",
    ),
    (
        "pair_without_second_link",
        2,
        3,
        "SRDF: <enable_collisions> lacks the attribute link2; expected the name of a link",
    ),
    (
        "robot_without_name",
        1,
        1,
        "SRDF: <robot> lacks the attribute name; expected the name of the robot",
    ),
    (
        "truncated",
        2,
        35,
        "not well-formed XML: the file ends in the middle of a tag inside <robot> (line 1, column 1)",
    ),
    (
        "two_root_elements",
        2,
        1,
        "not well-formed XML: something that is no part of XML, or after the end of the root element",
    ),
    (
        "unclosed_group",
        4,
        1,
        "not well-formed XML: </robot> inside <group> (line 2, column 3); expected </group>",
    ),
    (
        "unknown_entity",
        2,
        30,
        "not well-formed XML: &deg; is not defined; XML has &amp; &lt; &gt; &quot; &apos; only",
    ),
    (
        "utf16_little_endian",
        1,
        1,
        "the file is UTF-16; expected UTF-8 (save it again with that encoding)",
    ),
    (
        "xacro_in_a_group",
        3,
        5,
        "<xacro:links> is a xacro macro; expected none (expand the file with xacro first)",
    ),
    (
        "xacro_macro",
        2,
        3,
        "<xacro:include> is a xacro macro; expected none (expand the file with xacro first)",
    ),
    (
        "xacro_undeclared",
        2,
        3,
        "<xacro:hand> is a xacro macro; expected none (expand the file with xacro first)",
    ),
];

#[test]
fn every_file_is_read_or_refused_as_it_should_be() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/srdf-corpus"));
    let robot = balls();
    let mut wrong = Vec::new();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap();
        let counts = READ.iter().find(|(read, _)| *read == name);
        let refusal = REFUSED.iter().find(|(refused, ..)| *refused == name);
        let found = Srdf::from_srdf_file(&path);
        match (&found, counts, refusal) {
            (Ok(srdf), Some((_, counts)), None)
                if *counts
                    == [
                        srdf.disabled.len(),
                        srdf.enabled.len(),
                        srdf.disabled_by_default.len(),
                    ] => {}
            (Err(error), None, Some(&(_, line, column, why)))
                if error.position == Some((line, column))
                    && error.problem.to_string().contains(why) => {}
            (Ok(srdf), ..) => wrong.push(format!("{name}: is read: {srdf:?}")),
            (Err(error), ..) => {
                let (line, column) = error.position.unwrap_or_default();
                let why = error.problem.to_string();
                wrong.push(format!("(\"{name}\", {line}, {column}, {why:?}),"));
            }
        }
        // From its text it is the same.
        if let Ok(text) = String::from_utf8(std::fs::read(&path).unwrap()) {
            assert_eq!(read(&text, &robot).ok(), found.ok(), "{name}");
        }
        files += 1;
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        files,
        READ.len() + REFUSED.len(),
        "a file of the lists is missing"
    );
}

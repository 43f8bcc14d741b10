//! Small files in `corpus/`, each with one thing in it: what begins with `loads_` is read, everything
//! else is refused at a place and for a reason.
//!
//! A file that was read or refused wrongly once belongs here.

use crate::properties;
use std::path::Path;
use superovoid_robot::Robot;

/// File, line and column, and a part of the message.
const REFUSED: &[(&str, u32, u32, &str)] = &[
    (
        "ampersand",
        2,
        17,
        "& begins a reference, but no valid one follows; expected &amp; for the character",
    ),
    (
        "attributes",
        2,
        924,
        "more than 128 attributes on one element; the limit is UrdfLimits::attributes",
    ),
    (
        "billion_laughs",
        2,
        1,
        "a <!DOCTYPE>; expected none (URDF and SRDF need none, and entities are not expanded)",
    ),
    (
        "axis_as_text",
        4,
        78,
        "joint \"j\": text in <axis> is not read, and may bear on collision or motion; expected xyz",
    ),
    ("blank", 3, 1, "the file is empty; expected a <robot>"),
    (
        "collision_scale_of_four_numbers",
        2,
        62,
        "link \"a\", collision 1: <mesh> has scale=\"1 2 3 1\"; expected 3 finite numbers",
    ),
    (
        "cycle",
        3,
        9,
        "links \"b\", \"a\" form a cycle; expected a tree",
    ),
    (
        "decimal_comma",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"0,5 0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "depth",
        3,
        382,
        "more than 128 elements within each other; the limit is UrdfLimits::depth",
    ),
    ("duplicate_attribute", 2, 18, "a second attribute name"),
    (
        "duplicate_link",
        3,
        9,
        "a second <link> has name=\"a\"; expected a name of its own",
    ),
    ("empty", 1, 1, "the file is empty; expected a <robot>"),
    (
        "empty_numbers",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "exponent_of_two",
        5,
        40,
        "link \"a\", collision 1: <superovoid> is not a superovoid: e1 = 2: an exponent must lie strictly between 0 and 2 (1 is round, towards 0 a box, towards 2 a pointed body)",
    ),
    (
        "external_entity",
        2,
        23,
        "a <!DOCTYPE>; expected none (URDF and SRDF need none, and entities are not expanded)",
    ),
    (
        "extra_number",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"0 0 0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "foreign_attribute_only",
        5,
        17,
        "link \"a\", collision 1: <sphere> lacks the attribute radius; expected a number",
    ),
    (
        "foreign_shape",
        2,
        39,
        "link \"a\", collision 1: <s:sphere> in <geometry> is not read, and may bear on collision or motion; expected sphere, box",
    ),
    (
        "form_feed",
        2,
        14,
        "'\\u{c}' is a character that XML does not allow",
    ),
    (
        "hexadecimal",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"0x10 0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "infinite",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"inf 0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "joint_on_itself",
        2,
        9,
        "links \"a\" form a cycle; expected a tree",
    ),
    (
        "joint_type_in_capitals",
        4,
        19,
        "joint \"j\": <joint> has type=\"Revolute\"; expected fixed, revolute, continuous, prismatic, floating or planar",
    ),
    (
        "json",
        1,
        1,
        "the file does not begin with <; expected XML with a <robot>",
    ),
    (
        "latin1",
        2,
        15,
        "a byte that is not UTF-8; expected a file in UTF-8",
    ),
    (
        "less_than_in_value",
        2,
        16,
        "< inside an attribute; expected &lt;, or the closing \" before it",
    ),
    (
        "mimic_of_itself",
        8,
        12,
        "joints \"j\" mimic each other in a circle; expected one that moves freely",
    ),
    (
        "mimic_of_nothing",
        8,
        12,
        "joint \"j\": <mimic> has joint=\"k\"; expected the name of a revolute, continuous or prismatic joint of this robot",
    ),
    (
        "misspelt_attribute",
        2,
        58,
        "link \"a\", collision 1: raduis of <sphere> is not read, and may bear on collision or motion; expected radius",
    ),
    (
        "misspelt_element",
        4,
        67,
        "joint \"j\": <orgin> in <joint> is not read, and may bear on collision or motion; expected origin, parent",
    ),
    (
        "namespaces",
        5,
        848,
        "more than 256 declarations of namespaces; the limit is UrdfLimits::namespaces",
    ),
    (
        "nan",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"nan 0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "negative_radius",
        4,
        25,
        "link \"a\", collision 1: <sphere> has radius=\"-1\"; expected more than 0",
    ),
    (
        "no_break_space",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"0\\u{a0}0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "no_limits",
        4,
        3,
        "joint \"j\": <limit> is missing; expected the lower and upper limits of a revolute joint",
    ),
    (
        "no_links",
        1,
        1,
        "robot \"r\" has no <link>; expected at least one",
    ),
    (
        "nul",
        2,
        14,
        "a NUL character (a byte of value 0); expected none: the file may be padded or cut off",
    ),
    (
        "nul_at_end",
        2,
        1,
        "a NUL character (a byte of value 0); expected none: the file may be padded or cut off",
    ),
    (
        "nul_between",
        2,
        17,
        "a NUL character (a byte of value 0); expected none: the file may be padded or cut off",
    ),
    (
        "null_by_reference",
        2,
        16,
        "& begins a reference, but no valid one follows; expected &amp; for the character",
    ),
    (
        "overflow",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"0 1e999 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    (
        "quaternion_of_zeros",
        2,
        37,
        "link \"a\", collision 1: <origin> has quat_xyzw=\"0 0 0 0\"; expected a quaternion that is finite and not zero",
    ),
    (
        "robot_without_name",
        1,
        1,
        "robot without a name: <robot> lacks the attribute name; expected the name of the robot",
    ),
    ("sdf", 2, 1, "the root element is <sdf>; expected <robot>"),
    (
        "truncated_in_character_data",
        2,
        14,
        "the file ends inside <robot> (line 1, column 1); expected ]]>",
    ),
    (
        "truncated_in_comment",
        2,
        13,
        "the file ends inside <robot> (line 1, column 1); expected -->",
    ),
    (
        "truncated_in_element",
        4,
        1,
        "the file ends inside <collision> (line 3, column 5)",
    ),
    (
        "truncated_in_tag",
        2,
        11,
        "the file ends in the middle of a tag inside <robot> (line 1, column 1)",
    ),
    (
        "truncated_in_value",
        2,
        16,
        "the file ends in the middle of a tag inside <robot> (line 1, column 1)",
    ),
    ("two_axes", 2, 57, "joint \"j\": a second <axis>"),
    (
        "two_parents",
        6,
        57,
        "link \"c\" is the child of joints \"j\" and \"k\"; expected one (a URDF is a tree)",
    ),
    (
        "two_root_elements",
        4,
        1,
        "something that is no part of XML, or after the end of the root element",
    ),
    (
        "two_roots",
        3,
        9,
        "links \"a\", \"b\" are all roots; expected one link that is no joint's child (is a joint missing?)",
    ),
    (
        "unclosed_quote",
        3,
        3,
        "< inside an attribute; expected &lt;, or the closing \" before it",
    ),
    (
        "undeclared_prefix_of_a_shape",
        2,
        39,
        "the prefix drake: of a shape is not declared; expected xmlns:drake=\"…\" on <robot>",
    ),
    (
        "unicode_digits",
        7,
        13,
        "joint \"j\": <origin> has xyz=\"٣ 0 0\"; expected 3 finite numbers separated by spaces, with a point for decimals",
    ),
    ("unicode_quotes", 2, 14, "found '“'; expected a quote"),
    (
        "unknown_entity",
        2,
        15,
        "&deg; is not defined; XML has &amp; &lt; &gt; &quot; &apos; only",
    ),
    (
        "unknown_link",
        3,
        57,
        "joint \"j\": <child> has link=\"A\"; expected the name of a link of this robot",
    ),
    ("unquoted", 2, 14, "found 'a'; expected a quote"),
    (
        "utf16_big_endian_unmarked",
        1,
        1,
        "the file is UTF-16; expected UTF-8 (save it again with that encoding)",
    ),
    (
        "utf16_little_endian",
        1,
        1,
        "the file is UTF-16; expected UTF-8 (save it again with that encoding)",
    ),
    (
        "version_2",
        1,
        17,
        "robot \"r\": <robot> has version=\"2.0\"; expected 1.0, 1.1 or 1.2",
    ),
    (
        "words",
        1,
        1,
        "the file does not begin with <; expected XML with a <robot>",
    ),
    (
        "wrong_close",
        3,
        3,
        "</joint> inside <link> (line 2, column 3); expected </link>",
    ),
    (
        "xacro_deep",
        4,
        5,
        "<xacro:insert_block> is a xacro macro; expected none (expand the file with xacro first)",
    ),
    (
        "xacro_expression",
        4,
        22,
        "link \"a\", collision 1: <box> has size=\"${w} 0.1 0.1\", a xacro expression; expected a URDF (expand the file with xacro first)",
    ),
    (
        "xacro_macros",
        3,
        3,
        "<xacro:property> is a xacro macro; expected none (expand the file with xacro first)",
    ),
    (
        "xacro_undeclared",
        2,
        3,
        "<xacro:include> is a xacro macro; expected none (expand the file with xacro first)",
    ),
    (
        "zero_axis",
        7,
        11,
        "joint \"j\": <axis> has xyz=\"0 0 0\"; expected an axis that is not zero",
    ),
];

#[test]
fn every_file_is_read_or_refused_as_it_should_be() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus"));
    let mut wrong = Vec::new();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap();
        let expected = REFUSED.iter().find(|(refused, ..)| *refused == name);
        let read = Robot::from_urdf_file(&path);
        match (&read, expected) {
            (Ok(_), None) if name.starts_with("loads_") => {}
            (Err(error), Some(&(_, line, column, why)))
                if error.position == Some((line, column))
                    && error.problem.to_string().contains(why) => {}
            (Ok(_), _) => wrong.push(format!("{name}: is read")),
            (Err(error), _) => wrong.push(format!(
                "(\"{name}\", {:?}, {:?}),",
                error.position,
                error.problem.to_string()
            )),
        }
        // From its text it is the same.
        if let Ok(text) = String::from_utf8(std::fs::read(&path).unwrap())
            && !name.starts_with("utf16")
        {
            let from_text = properties::read(&text);
            assert_eq!(from_text.ok(), read.ok(), "{name}");
        }
        files += 1;
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files > REFUSED.len(), "a file of the list is missing");
}

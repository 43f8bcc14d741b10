//! SRDF that every rule allows, with what MoveIt's assistant writes and what it seldom does.

use crate::element::{Element, Node};
use crate::mutate::Vocabulary;
use crate::valid::{scatter, shuffle};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The links that random files speak of, beside others that no robot has.
pub const LINKS: [&str; 7] = ["a", "b", "c", "d", "link é", "<&>\"'", "tab\tand\nline"];

/// What spoils an SRDF.
pub(crate) const WORDS: Vocabulary = Vocabulary {
    names: &[
        "robot",
        "disable_collisions",
        "enable_collisions",
        "disable_default_collisions",
        "disable_collision",
        "group",
        "group_state",
        "link",
        "joint",
        "chain",
        "virtual_joint",
        "xacro:macro",
        "x:disable_collisions",
        "xml:disable_collisions",
        "",
        "1",
        "näme",
    ],
    attributes: &[
        "name", "link", "link1", "link2", "reason", "group", "value", "xmlns", "xmlns:x",
        "x:link1", "LINK1", "link3",
    ],
    values: &[
        "",
        " ",
        "a",
        "b",
        " a ",
        "A",
        "nowhere",
        "link é",
        "${prefix}a",
        "$(arg name)",
        "\u{1}",
        "\u{ffff}",
        "http://example.org/x",
        "http://www.ros.org/wiki/xacro",
        "../../../etc/passwd",
        "ten_letters_ten_letters_ten_letters_ten_letters_ten_letters_ten_letters_ten_letters_ten_letters_ten_letters_ten_letters_",
    ],
};

/// The semantic description of a robot with these links.
pub(crate) fn description(rng: &mut ChaCha8Rng) -> Element {
    let name = ["balls", "other", "näme \"1\"", ""][rng.random_range(0..4)];
    let mut robot = Element::new("robot", &[("name", name)]);
    let default_namespace = rng.random_bool(0.05);
    if default_namespace {
        push(&mut robot, "xmlns", "http://example.org/srdf");
    }
    let foreign = rng.random_bool(0.1);
    if foreign {
        push(&mut robot, "xmlns:x", "http://example.org/x");
    }
    for _ in 0..rng.random_range(0..12) {
        let mut element = statement(rng);
        if foreign && rng.random_bool(0.1) {
            element.name.insert_str(0, "x:");
        } else if foreign && rng.random_bool(0.1) {
            let attribute = ("x:link1".to_owned(), "c".to_owned());
            element.attributes.insert(0, attribute);
        }
        robot = robot.with(element);
    }
    for _ in 0..rng.random_range(0..3) {
        robot = robot.with(about_planning(rng));
    }
    shuffle(&mut robot.children, rng);
    scatter(&mut robot, rng);
    robot
}

/// A link of the robot, or now and then one that it does not have.
fn link(rng: &mut ChaCha8Rng) -> &'static str {
    const NONE: [&str; 3] = ["", "nowhere", " a"];
    match rng.random_range(0..20) {
        none @ 0..3 => NONE[none],
        _ => LINKS[rng.random_range(0..LINKS.len())],
    }
}

fn push(element: &mut Element, attribute: &str, value: &str) {
    let pair = (attribute.to_owned(), value.to_owned());
    element.attributes.push(pair);
}

/// One of the elements that speak of collisions.
fn statement(rng: &mut ChaCha8Rng) -> Element {
    const REASONS: [&str; 6] = ["Adjacent", "Never", "Default", "User", "", "é < \"b\""];
    let pair = match rng.random_range(0..8) {
        0 => {
            let mut element = Element::new("disable_default_collisions", &[]);
            push(&mut element, "link", link(rng));
            return element;
        }
        1 | 2 => "enable_collisions",
        _ => "disable_collisions",
    };
    let mut element = Element::new(pair, &[]);
    push(&mut element, "link1", link(rng));
    push(&mut element, "link2", link(rng));
    if rng.random_bool(0.6) {
        let reason = REASONS[rng.random_range(0..REASONS.len())];
        push(&mut element, "reason", reason);
    }
    if rng.random_bool(0.1) {
        push(&mut element, "comment", "kept by hand");
    }
    let turn = rng.random_range(0..element.attributes.len());
    element.attributes.rotate_left(turn);
    if rng.random_bool(0.05) {
        // Inside another statement it is none.
        let inner = statement(rng);
        element = element.with(inner);
    }
    element
}

/// What has no part in collisions, with what looks like it.
fn about_planning(rng: &mut ChaCha8Rng) -> Element {
    let [one, other] = [link(rng), link(rng)];
    match rng.random_range(0..6) {
        0 => Element::new("group", &[("name", "arm")])
            .with(Element::new("link", &[("name", one)]))
            .with(Element::new(
                "chain",
                &[("base_link", one), ("tip_link", other)],
            ))
            .with(statement(rng)),
        1 => Element::new("group_state", &[("name", "home"), ("group", "arm")])
            .with(Element::new("joint", &[("name", "j"), ("value", "0.5")])),
        2 => Element::new("end_effector", &[("name", "hand"), ("parent_link", one)]),
        3 => Element::new("virtual_joint", &[("type", "fixed"), ("child_link", one)]),
        4 => Element::new("passive_joint", &[("name", "wheel")]),
        _ => {
            let mut element = Element::new("link_sphere_approximation", &[("link", one)]);
            let words = Node::Verbatim("<!-- <disable_collisions/> --> words".to_owned());
            element.children.push(words);
            element
        }
    }
}

//! Robots that every rule allows, with what real files have and what they seldom have.

use crate::element::{Element, Node};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const KINDS: [&str; 6] = [
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "floating",
    "planar",
];

/// A robot of up to a dozen links.
pub(crate) fn robot(rng: &mut ChaCha8Rng) -> Element {
    let links = rng.random_range(1..12_usize);
    let names: Vec<String> = (0..links).map(|i| name("link", i, rng)).collect();
    let mut robot = Element::new("robot", &[("name", &name("robot", 0, rng))]);
    if rng.random_bool(0.3) {
        let grey = Element::new("material", &[("name", "grey")]);
        robot = robot.with(grey.with(color(rng)));
    }
    for name in &names {
        robot = robot.with(link(name, rng));
    }
    // Every link but the first hangs on one before it: a tree.
    let mut movable: Vec<String> = Vec::new();
    for child in 1..links {
        let joint_name = name("joint", child, rng);
        let kind = KINDS[rng.random_range(0..KINDS.len())];
        let parent = &names[rng.random_range(0..child)];
        let mut joint = joint(&joint_name, kind, parent, &names[child], rng);
        if matches!(kind, "revolute" | "continuous" | "prismatic") {
            if !movable.is_empty() && rng.random_bool(0.2) {
                let source = &movable[rng.random_range(0..movable.len())];
                let mut mimic = Element::new("mimic", &[("joint", source)]);
                for attribute in ["multiplier", "offset"] {
                    maybe(&mut mimic, attribute, 1, rng);
                }
                joint = joint.with(mimic);
            }
            movable.push(joint_name);
        }
        shuffle(&mut joint.children, rng);
        robot = robot.with(joint);
    }
    if rng.random_bool(0.2) {
        robot = robot.with(gazebo());
    }
    shuffle(&mut robot.children, rng);
    scatter(&mut robot, rng);
    robot
}

/// Unique by its number.
fn name(what: &str, number: usize, rng: &mut ChaCha8Rng) -> String {
    const ODD: [&str; 8] = [" ", "é", "\u{1F916}", "<&>", "\"'", "\t\n", "/..", "]]>"];
    match rng.random_range(0..20) {
        odd @ 0..8 => format!("{what}{}{number}", ODD[odd]),
        _ => format!("{what}_{number}"),
    }
}

/// A number as files write it.
fn number(rng: &mut ChaCha8Rng) -> String {
    let x: f64 = rng.random_range(-2.0..2.0);
    match rng.random_range(0..16) {
        0 => "0".to_owned(),
        1 => "-0.0".to_owned(),
        2 => "+1".to_owned(),
        3 => ".5".to_owned(),
        4 => "5.".to_owned(),
        5 => "1e-320".to_owned(),
        6 => format!("{x:e}"),
        7 => format!("{x:.3E}"),
        8 => format!("{x:.40}"),
        _ => x.to_string(),
    }
}

fn positive(rng: &mut ChaCha8Rng) -> String {
    let x: f64 = rng.random_range(1e-3..2.0);
    x.to_string()
}

fn several(count: usize, mut one: impl FnMut() -> String, separator: &str) -> String {
    let words: Vec<String> = (0..count).map(|_| one()).collect();
    words.join(separator)
}

fn numbers(count: usize, rng: &mut ChaCha8Rng) -> String {
    let separator = [" ", " ", "  ", "\n", "\t "][rng.random_range(0..5)];
    several(count, || number(rng), separator)
}

fn maybe(element: &mut Element, attribute: &str, count: usize, rng: &mut ChaCha8Rng) {
    if rng.random_bool(0.6) {
        let value = numbers(count, rng);
        element.attributes.push((attribute.to_owned(), value));
    }
}

fn origin(rng: &mut ChaCha8Rng) -> Element {
    let mut origin = Element::new("origin", &[]);
    maybe(&mut origin, "xyz", 3, rng);
    maybe(&mut origin, "rpy", 3, rng);
    origin
}

fn color(rng: &mut ChaCha8Rng) -> Element {
    let rgba = several(4, || rng.random_range(0.0..1.0_f64).to_string(), " ");
    Element::new("color", &[("rgba", &rgba)])
}

fn link(name: &str, rng: &mut ChaCha8Rng) -> Element {
    let mut link = Element::new("link", &[("name", name)]);
    if rng.random_bool(0.4) {
        let moments = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
        let mut inertia = Element::new("inertia", &[]);
        for moment in moments {
            inertia.attributes.push((moment.to_owned(), number(rng)));
        }
        let inertial = Element::new("inertial", &[])
            .with(origin(rng))
            .with(Element::new("mass", &[("value", &positive(rng))]))
            .with(inertia);
        link = link.with(inertial);
    }
    for element in ["visual", "collision"] {
        for _ in 0..rng.random_range(0..3) {
            link = link.with(body(element, rng));
        }
    }
    shuffle(&mut link.children, rng);
    link
}

fn body(element: &str, rng: &mut ChaCha8Rng) -> Element {
    let mut body = Element::new(element, &[]);
    if rng.random_bool(0.2) {
        body.attributes
            .push(("name".to_owned(), name("body", 0, rng)));
    }
    if rng.random_bool(0.7) {
        body = body.with(origin(rng));
    }
    let inside = rng.random_bool(0.01);
    let beside = rng.random_bool(0.3);
    let shape = if inside {
        superovoid(rng)
    } else {
        standard(element, rng)
    };
    body = body.with(Element::new("geometry", &[]).with(shape));
    if beside && !inside {
        body = body.with(superovoid(rng));
    }
    if element == "visual" && rng.random_bool(0.3) {
        let name = ["", "grey", "own"][rng.random_range(0..3)];
        body = body.with(Element::new("material", &[("name", name)]).with(color(rng)));
    }
    shuffle(&mut body.children, rng);
    body
}

fn standard(body: &str, rng: &mut ChaCha8Rng) -> Element {
    let [a, b, c] = [positive(rng), positive(rng), positive(rng)];
    match rng.random_range(0..60) {
        0..10 => Element::new("sphere", &[("radius", &a)]),
        10..20 => Element::new("box", &[("size", &format!("{a} {b} {c}"))]),
        20..30 => Element::new("cylinder", &[("radius", &a), ("length", &b)]),
        30..40 => Element::new("capsule", &[("length", &a), ("radius", &b)]),
        // Seldom, since other readers refuse it, and only where it is seen.
        40 if body == "visual" => {
            Element::new("cone", &[("height", &a), ("words", "a < b & \"c\"")])
        }
        _ => {
            let mut mesh = Element::new("mesh", &[("filename", "package://a/../b c.dae")]);
            if rng.random_bool(0.5) {
                mesh.attributes
                    .push(("scale".to_owned(), format!("{a} -{b} 1")));
            }
            mesh
        }
    }
}

fn superovoid(rng: &mut ChaCha8Rng) -> Element {
    let mut shape = Element::new("superovoid", &[]);
    for axis in ["a1", "a2", "a3"] {
        shape.attributes.push((axis.to_owned(), positive(rng)));
    }
    for exponent in ["e1", "e2"] {
        let e: f64 = rng.random_range(0.05..1.95);
        shape.attributes.push((exponent.to_owned(), e.to_string()));
    }
    for taper in ["tx", "ty"] {
        if rng.random_bool(0.7) {
            let t: f64 = rng.random_range(-0.9..0.9);
            shape.attributes.push((taper.to_owned(), t.to_string()));
        }
    }
    shape
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, rng: &mut ChaCha8Rng) -> Element {
    let mut joint = Element::new("joint", &[("name", name), ("type", kind)])
        .with(Element::new("parent", &[("link", parent)]))
        .with(Element::new("child", &[("link", child)]));
    if rng.random_bool(0.8) {
        joint = joint.with(origin(rng));
    }
    if rng.random_bool(0.7) {
        // Not zero, whatever the other two are.
        let axis = format!("{} {} {}", number(rng), positive(rng), number(rng));
        joint = joint.with(Element::new("axis", &[("xyz", &axis)]));
    }
    if matches!(kind, "revolute" | "prismatic") || rng.random_bool(0.2) {
        let lower: f64 = rng.random_range(-2.0..1.0);
        let upper = lower + rng.random_range(0.0..2.0);
        let mut limit = Element::new("limit", &[("effort", "1"), ("velocity", "2.5")]);
        if rng.random_bool(0.8) {
            let [lower, upper] = [lower, upper].map(|x: f64| x.to_string());
            limit.attributes.push(("lower".to_owned(), lower));
            limit.attributes.push(("upper".to_owned(), upper));
        }
        joint = joint.with(limit);
    }
    if rng.random_bool(0.2) {
        let mut dynamics = Element::new("dynamics", &[]);
        maybe(&mut dynamics, "damping", 1, rng);
        maybe(&mut dynamics, "friction", 1, rng);
        joint = joint.with(dynamics);
    }
    if rng.random_bool(0.1) {
        let mut safety = Element::new("safety_controller", &[("k_velocity", "10")]);
        maybe(&mut safety, "soft_lower_limit", 1, rng);
        joint = joint.with(safety);
    }
    if rng.random_bool(0.1) {
        let mut calibration = Element::new("calibration", &[]);
        maybe(&mut calibration, "rising", 1, rng);
        joint = joint.with(calibration);
    }
    joint
}

fn gazebo() -> Element {
    let mut plugin = Element::new("plugin", &[("filename", "libx.so")]);
    plugin.children.push(Node::Verbatim("on".to_owned()));
    Element::new("gazebo", &[("reference", "a")]).with(plugin)
}

pub(crate) fn shuffle(nodes: &mut [Node], rng: &mut ChaCha8Rng) {
    if rng.random_bool(0.5) {
        return;
    }
    for i in (1..nodes.len()).rev() {
        nodes.swap(i, rng.random_range(0..=i));
    }
}

/// Puts comments and the like anywhere.
pub(crate) fn scatter(element: &mut Element, rng: &mut ChaCha8Rng) {
    const WORDS: [&str; 5] = [
        "<!-- <link name=\"none\"/> > -->",
        "<?name <!DOCTYPE x> ?>",
        "<![CDATA[ ]]>",
        "&#x20;",
        "<!---->",
    ];
    for child in &mut element.children {
        if let Node::Element(child) = child {
            scatter(child, rng);
        }
    }
    if rng.random_bool(0.05) {
        let words = WORDS[rng.random_range(0..WORDS.len())].to_owned();
        let at = rng.random_range(0..=element.children.len());
        element.children.insert(at, Node::Verbatim(words));
    }
}

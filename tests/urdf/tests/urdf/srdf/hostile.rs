//! Files made to take time, memory or stack.

use super::fuzz::balls;
use crate::hostile::{Family, assert_linear, exceeded, on_small_stack, repeated, robot, time};
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Joint, JointKind, Link, Robot, Srdf, UrdfError, UrdfLimits, UrdfProblem};

fn pair(a: usize, b: usize) -> String {
    format!("<disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"Never\"/>")
}

/// What a scene has to work through.
const STATEMENTS: &[Family] = &[
    ("pairs", |n| robot(&repeated(n, |i| pair(i, i + 1)))),
    ("one link with all others, the last first", |n| {
        robot(&repeated(n, |i| pair(1, n - i)))
    }),
    ("links that are disabled by default", |n| {
        robot(&repeated(n, |i| {
            format!("<disable_default_collisions link=\"{i}\"/>")
        }))
    }),
];

const OTHERS: &[Family] = &[
    ("pairs on one line", |n| {
        robot(&repeated(n, |i| pair(i, 0)).replace('\n', ""))
    }),
    ("pairs, the last one wrong", |n| {
        robot(&(repeated(n, |i| pair(i, i + 1)) + "<disable_collisions link1=\"a\"/>"))
    }),
    ("links of a group", |n| {
        let links = repeated(n, |i| format!("<link name=\"{i}\"/>"));
        robot(&format!("<group name=\"g\">{links}</group>"))
    }),
    ("groups within each other", |n| {
        robot(&("<group name=\"g\">".repeat(n) + &"</group>".repeat(n)))
    }),
    ("groups that are never closed", |n| {
        robot(&"<group>".repeat(n))
    }),
    ("letters of a link", |n| {
        let name = "é&amp;".repeat(n);
        robot(&format!(
            "<disable_collisions link1=\"{name}\" link2=\"{name}\"/>"
        ))
    }),
    ("letters of the root", |n| format!("<{}/>", "r".repeat(n))),
    ("attributes, 100 on a pair", |n| {
        let hundred: String = (0..100).map(|i| format!(" x{i}=\"\"")).collect();
        robot(&repeated(n / 100, |_| {
            format!("<disable_collisions{hundred} link1=\"a\" link2=\"b\"/>")
        }))
    }),
    ("comments and character data", |n| {
        robot(&"<!----><![CDATA[x]]>&#65;".repeat(n))
    }),
    ("siblings that declare the namespaces anew", |n| {
        let namespaces = repeated(n.min(200), |i| format!("<x xmlns:p{i}=\"u{i}\"/>"));
        robot(&(namespaces + &repeated(n, |i| pair(i, 0))))
    }),
];

fn read(text: &str) -> Result<Srdf, UrdfError> {
    Srdf::from_srdf_str_with(text, &UrdfLimits::NONE)
}

/// A robot whose links are called 0, 1, 2, …, all on the first.
fn star(links: usize) -> Robot {
    let names = (0..links).map(|i| i.to_string());
    let joint = |i: usize| Joint::new(i.to_string(), JointKind::Continuous, "0", i.to_string());
    let joints = (1..links).map(joint).collect();
    Robot::new("r", names.map(Link::new).collect(), joints, Vec::new()).unwrap()
}

#[test]
fn time_is_linear() {
    for (name, text) in STATEMENTS.iter().chain(OTHERS) {
        let [small, large] = [4_000, 32_000].map(|n| {
            let text = text(n);
            time(|| drop(read(&text)))
        });
        assert_linear(name, [small, large]);
    }
}

/// The same of what is done with the answer.
#[test]
fn time_to_apply_is_linear() {
    for (name, text) in STATEMENTS {
        let [small, large] = [8_000, 64_000].map(|n| {
            let srdf = read(&text(n)).unwrap();
            let scene = RobotScene::new(star(n)).unwrap();
            time(|| drop(scene.clone().apply_srdf(&srdf)))
        });
        assert_linear(name, [small, large]);
    }
}

/// Whatever the text, the stack that is needed is small.
#[test]
fn a_small_stack_is_enough() {
    on_small_stack(|| {
        let robot = balls();
        for (_, text) in STATEMENTS.iter().chain(OTHERS) {
            let text = text(5_000);
            drop(Srdf::from_srdf_str(&text));
            if let Ok(srdf) = read(&text) {
                drop(srdf.warnings(&robot));
            }
        }
        for text in [
            "<group>".repeat(300_000),
            "<robot name='r'><group>".repeat(50_000),
        ] {
            assert!(read(&text).is_err());
        }
    });
}

/// As much as a limit allows is read; one more is refused where it stands.
#[test]
fn limits_hold_to_the_last_one() {
    /// Limits of which one has this value.
    type Limited = fn(usize) -> UrdfLimits;
    const NONE: UrdfLimits = UrdfLimits::NONE;
    let text = "<robot name='r' xmlns:p='u'>\n<disable_collisions link1='a' link2='b'><p:x/>\
                </disable_collisions></robot>";
    let cases: [(&str, Limited, usize, (u32, u32)); 6] = [
        ("bytes", |bytes| NONE.with_bytes(bytes), text.len(), (2, 75)),
        // Three elements and a piece of text.
        ("nodes", |nodes| NONE.with_nodes(nodes), 4, (2, 41)),
        ("signs", |signs| NONE.with_signs(signs), 9, (2, 68)),
        ("depth", |depth| NONE.with_depth(depth), 3, (2, 41)),
        (
            "attributes",
            |attributes| NONE.with_attributes(attributes),
            2,
            (1, 17),
        ),
        (
            "namespaces",
            |namespaces| NONE.with_namespaces(namespaces),
            1,
            (1, 17),
        ),
    ];
    for (field, limits, just, place) in cases {
        let read = |n| Srdf::from_srdf_str_with(text, &limits(n));
        assert_eq!(exceeded(read(just)), None, "{field}");
        assert_eq!(exceeded(read(just - 1)), Some((field, place)));
    }
    // What is a link here is none of the robot's.
    assert!(Srdf::from_srdf_str_with(text, &NONE.with_links(0)).is_ok());
    let too_deep = robot(&("<group>".repeat(200) + &"</group>".repeat(200)));
    let error = Srdf::from_srdf_str(&too_deep).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("more than 128 elements within each other"),
        "{error}"
    );
}

/// A file is not read beyond the limit, also one that never ends.
#[test]
fn no_more_of_a_file_is_read_than_the_limit() {
    let limits = |bytes| UrdfLimits::NONE.with_bytes(bytes);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("long.srdf");
    let text = robot(&"<!-- é -->".repeat(100));
    std::fs::write(&path, &text).unwrap();
    for bytes in 50..60 {
        let error = Srdf::from_srdf_file_with(&path, &limits(bytes)).unwrap_err();
        let limit = matches!(*error.problem, UrdfProblem::Limit { field: "bytes", .. });
        assert!(limit && error.position.is_some(), "{error}");
    }
    assert!(Srdf::from_srdf_file_with(&path, &limits(text.len())).is_ok());
    #[cfg(target_os = "linux")]
    assert!(Srdf::from_srdf_file_with("/dev/zero", &limits(1000)).is_err());
}

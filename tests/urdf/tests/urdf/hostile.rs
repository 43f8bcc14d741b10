//! Files made to take time, memory or stack.

use crate::properties;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use superovoid_robot::{Robot, UrdfError, UrdfLimits, UrdfProblem};

/// A name, and a text of about n things.
pub type Family = (&'static str, fn(usize) -> String);

pub fn repeated(n: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(text, "{}", one(i));
    }
    text
}

pub fn robot(inside: &str) -> String {
    format!("<robot name=\"r\">{inside}</robot>")
}

fn links(n: usize) -> String {
    repeated(n, |i| format!("<link name=\"{i}\"/>"))
}

/// Joints that hang every link but the first on another one.
fn joints(n: usize, parent: impl Fn(usize) -> usize, inside: impl Fn(usize) -> String) -> String {
    repeated(n.saturating_sub(1), |i| {
        let (child, parent, inside) = (i + 1, parent(i + 1), inside(i));
        format!(
            "<joint name=\"{i}\" type=\"continuous\"><parent link=\"{parent}\"/>\
             <child link=\"{child}\"/>{inside}</joint>"
        )
    })
}

fn nothing(_: usize) -> String {
    String::new()
}

fn chain(n: usize) -> String {
    robot(&(links(n) + &joints(n, |child| child - 1, nothing)))
}

const FAMILIES: &[Family] = &[
    ("links in a chain", chain),
    ("links on one link", |n| {
        robot(&(links(n) + &joints(n, |_| 0, nothing)))
    }),
    ("links in a chain from the end of the file", |n| {
        robot(
            &(links(n)
                + &joints(
                    n,
                    |child| if child + 1 == n { 0 } else { child + 1 },
                    nothing,
                )),
        )
    }),
    ("joints that mimic the one before", |n| {
        let mimic = |i: usize| match i {
            0 => String::new(),
            _ => format!("<mimic joint=\"{}\"/>", i - 1),
        };
        robot(&(links(n) + &joints(n, |child| child - 1, mimic)))
    }),
    ("joints that mimic the one after, in a circle", |n| {
        let mimic = |i: usize| format!("<mimic joint=\"{}\"/>", (i + 1) % (n - 1));
        robot(&(links(n) + &joints(n, |child| child - 1, mimic)))
    }),
    ("links in a circle", |n| {
        let last = format!(
            "<joint name=\"x\" type=\"fixed\"><parent link=\"{}\"/><child link=\"0\"/></joint>",
            n - 1
        );
        robot(&(links(n) + &joints(n, |child| child - 1, nothing) + &last))
    }),
    ("roots", |n| robot(&links(n))),
    ("the last link twice", |n| {
        robot(&(links(n) + "<link name=\"0\"/>"))
    }),
    ("collisions on one link, the last one wrong", |n| {
        let body = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
        let wrong = "<collision><geometry><sphere radius=\"0\"/></geometry></collision>";
        let bodies = repeated(n, |_| body.to_owned()) + wrong;
        robot(&format!("<link name=\"a\">{bodies}</link>"))
    }),
    ("attributes, four on an element", |n| {
        let one = |_| "<x a=\"1\" b=\"2\" c=\"3\" d=\"4\"/>".to_owned();
        robot(&(repeated(n / 4, one) + "<link name=\"a\"/>"))
    }),
    ("attributes, 100 on an element", |n| {
        let hundred: String = (0..100).map(|i| format!(" x{i}=\"\"")).collect();
        robot(&repeated(n / 100, |i| {
            format!("<link name=\"{i}\"{hundred}/>")
        }))
    }),
    ("things that are not known, on one line", |n| {
        robot(&("<é/>".repeat(n) + "<link name=\"a\"/>"))
    }),
    ("comments before the root", |n| {
        "<!---->".repeat(n) + &chain(n / 10 + 1)
    }),
    ("instructions inside a joint", |n| {
        let inside = |i: usize| {
            if i == 0 {
                "<?x?>".repeat(n)
            } else {
                String::new()
            }
        };
        robot(&(links(2) + &joints(2, |_| 0, inside)))
    }),
    ("character data", |n| {
        robot(&("<![CDATA[x]]>&#65;".repeat(n) + "<link name=\"a\"/>"))
    }),
    ("letters of a name", |n| {
        robot(&format!("<link name=\"{}\"/>", "é&amp;".repeat(n)))
    }),
    ("letters of a wrong number", |n| {
        let joint = format!("<origin xyz=\"{}\"/>", "0 ".repeat(n));
        robot(&(links(2) + &joints(2, |_| 0, |_| joint.clone())))
    }),
    ("letters of a prefix", |n| {
        let prefix = "p".repeat(n);
        format!("<robot name=\"r\" xmlns:{prefix}=\"u\"><link name=\"a\"/><{prefix}:x/></robot>")
    }),
    ("elements within each other", |n| {
        robot(&("<x>".repeat(n) + &"</x>".repeat(n) + "<link name=\"a\"/>"))
    }),
    ("elements within each other, never closed", |n| {
        robot(&"<link>".repeat(n))
    }),
    ("materials", |n| {
        robot(&(repeated(n, |i| format!("<material name=\"{i}\"/>")) + "<link name=\"a\"/>"))
    }),
    ("siblings that declare the namespaces anew", |n| {
        robot(&(repeated(n.min(200), |i| format!("<x xmlns:p{i}=\"u{i}\"/>")) + &chain(n)))
    }),
];

/// Time that this thread has had a processor, where the system tells; other work does not count.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Seconds that something takes, such as reading. The clock of the processor moves in steps of a few
/// milliseconds, so that what is short is repeated until it has moved far.
pub fn time(read: impl Fn()) -> f64 {
    const FAR: Duration = Duration::from_millis(40);
    let (clock, start) = (Instant::now(), processor_time());
    let mut rounds = 0.0;
    loop {
        read();
        rounds += 1.0;
        let spent = start.and_then(|start| Some(processor_time()? - start));
        let spent = spent.unwrap_or_else(|| clock.elapsed());
        if spent > FAR {
            return spent.as_secs_f64() / rounds;
        }
    }
}

/// Seconds that reading a text takes.
fn time_of(text: &str) -> f64 {
    time(|| drop(Robot::from_urdf_str_with(text, &UrdfLimits::NONE)))
}

/// Eight times as much takes about eight times as long; 64 times if it were quadratic. Between
/// them lies what caches and clocks do.
pub fn assert_linear(name: &str, [small, large]: [f64; 2]) {
    assert!(
        large < 25.0 * small,
        "{name}: {small:e} s, then {large:e} s"
    );
}

/// Does something with a stack of 256 kB.
pub fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn time_is_linear() {
    for (name, text) in FAMILIES {
        let [small, large] = [4_000, 32_000].map(|n| time_of(&text(n)));
        assert_linear(name, [small, large]);
    }
}

/// For the documentation: `cargo test --release -p superovoid-urdf-tests -- --ignored --nocapture`.
#[test]
#[ignore = "prints a table; takes a minute"]
fn table_of_times() {
    eprintln!("| n things | 1e4 | 1e5 | 1e6 |\n| --- | --- | --- | --- |");
    for (name, text) in FAMILIES {
        let times = [10_000, 100_000, 1_000_000].map(|n| time_of(&text(n)) * 1e3);
        let [a, b, c] = times;
        eprintln!("| {name} | {a:.1} ms | {b:.0} ms | {c:.0} ms |");
    }
}

/// Whatever the text, the stack that is needed is small: everything is done in 256 kB.
#[test]
fn a_small_stack_is_enough() {
    on_small_stack(|| {
        for (name, text) in FAMILIES {
            let text = text(5_000);
            drop(Robot::from_urdf_str(&text));
            let Ok(robot) = Robot::from_urdf_str_with(&text, &UrdfLimits::NONE) else {
                continue;
            };
            assert!(robot.forward_kinematics(&robot.neutral()).is_ok(), "{name}");
            let again = Robot::from_urdf_str_with(&robot.to_urdf(), &UrdfLimits::NONE);
            assert!(again.is_ok_and(|again| again == robot), "{name}");
        }
        // Deeper than any stack, should there be recursion.
        for text in ["<x>".repeat(300_000), "<robot><link>".repeat(50_000)] {
            assert!(Robot::from_urdf_str_with(&text, &UrdfLimits::NONE).is_err());
        }
    });
}

#[test]
fn more_links_than_the_limit_are_refused_by_default_and_read_without_limits() {
    let text = chain(200_001);
    let error = Robot::from_urdf_str(&text).unwrap_err();
    let expected = "line 200001, column 1: more than 200000 links; the limit is UrdfLimits::links";
    assert_eq!(error.to_string(), expected);
    let robot = Robot::from_urdf_str_with(&text, &UrdfLimits::NONE).unwrap();
    assert_eq!(robot.links().len(), 200_001);
}

/// The field and the place of a limit that is exceeded.
pub fn exceeded<T>(result: Result<T, UrdfError>) -> Option<(&'static str, (u32, u32))> {
    let error = result.err()?;
    match *error.problem {
        UrdfProblem::Limit { field, .. } => Some((field, error.position?)),
        _ => panic!("{error}"),
    }
}

/// As much as a limit allows is read; one more is refused where it stands.
#[test]
fn limits_hold_to_the_last_one() {
    /// Limits of which one has this value.
    type Limited = fn(usize) -> UrdfLimits;
    const NONE: UrdfLimits = UrdfLimits::NONE;
    // Seven nodes: three elements, a comment and three pieces of text; depth 3.
    let text = "<robot name=\"r\" xmlns:p=\"u\" xmlns:q=\"u\">\n<!-- <a> -->\n\
                <link name=\"a\"><x p=\"/\" q='>'/> </link></robot>";
    let cases: [(&str, Limited, usize, (u32, u32)); 7] = [
        ("bytes", |bytes| NONE.with_bytes(bytes), text.len(), (3, 47)),
        ("nodes", |nodes| NONE.with_nodes(nodes), 7, (3, 33)),
        // Seven < and six =, of which the last is that of </robot>.
        ("signs", |signs| NONE.with_signs(signs), 13, (3, 40)),
        ("depth", |depth| NONE.with_depth(depth), 3, (3, 16)),
        (
            "attributes",
            |attributes| NONE.with_attributes(attributes),
            3,
            (1, 29),
        ),
        (
            "namespaces",
            |namespaces| NONE.with_namespaces(namespaces),
            2,
            (1, 29),
        ),
        ("links", |links| NONE.with_links(links), 1, (3, 1)),
    ];
    for (field, limits, just, place) in cases {
        assert!(
            exceeded(Robot::from_urdf_str_with(text, &limits(just))).is_none(),
            "{field}"
        );
        let one_less = Robot::from_urdf_str_with(text, &limits(just - 1));
        assert_eq!(exceeded(one_less), Some((field, place)));
        let nothing = Robot::from_urdf_str_with(text, &limits(0));
        assert_eq!(exceeded(nothing).map(|(field, _)| field), Some(field));
    }
    properties::read(text).unwrap();
}

/// A file is not read beyond the limit, also one that never ends, and a character that the limit
/// cuts in two is not what is wrong.
#[test]
fn no_more_of_a_file_is_read_than_the_limit() {
    let limits = |bytes| UrdfLimits::NONE.with_bytes(bytes);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("long.urdf");
    let text = format!(
        "<robot name=\"{}\"><link name=\"a\"/></robot>",
        "é".repeat(100)
    );
    std::fs::write(&path, &text).unwrap();
    for bytes in [50, 51, 52] {
        let error = Robot::from_urdf_file_with(&path, &limits(bytes)).unwrap_err();
        assert!(
            matches!(*error.problem, UrdfProblem::Limit { field: "bytes", .. }),
            "{error}"
        );
        assert_eq!(error.position.map(|(line, _)| line), Some(1));
    }
    assert!(Robot::from_urdf_file_with(&path, &limits(text.len())).is_ok());
    #[cfg(target_os = "linux")]
    assert!(Robot::from_urdf_file_with("/dev/zero", &limits(1000)).is_err());
}

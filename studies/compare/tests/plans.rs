//! `superovoid-compare plans`, end to end, with a small robot and its problems.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A box of these half extents that begins at z = 0, as OBJ.
fn mesh([x, y, z]: [f64; 3]) -> String {
    let mut text = String::new();
    for k in 0..8 {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let [x, y, z] = [sign(0) * x, sign(1) * y, (sign(2) + 1.0) * z];
        text += &format!("v {x} {y} {z}\n");
    }
    text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

/// An arm with the joints of a UR5, which reaches 0.9 m along z when all of them are at 0.
fn arm() -> String {
    let mut text = String::from("<robot name=\"arm\">");
    let links = ["base_link", "pan", "upper", "forearm", "one", "two", "hand"];
    for link in links {
        let shape = match link {
            "upper" | "forearm" => {
                format!("<mesh filename=\"package://arm_meshes/{link}.obj\"/>")
            }
            "hand" => "<box size=\"0.06 0.06 0.06\"/>".to_owned(),
            _ => String::new(),
        };
        text += &format!("<link name=\"{link}\">");
        if !shape.is_empty() {
            text += &format!("<collision><geometry>{shape}</geometry></collision>");
        }
        text += "</link>";
    }
    let joints = [
        ("shoulder_pan_joint", "0 0 1", 0.0),
        ("shoulder_lift_joint", "0 1 0", 0.0),
        ("elbow_joint", "0 1 0", 0.45),
        ("wrist_1_joint", "0 1 0", 0.4),
        ("wrist_2_joint", "0 0 1", 0.0),
        ("wrist_3_joint", "0 1 0", 0.05),
    ];
    for ((joint, axis, z), ends) in joints.iter().zip(links.windows(2)) {
        text += &format!(
            "<joint name=\"{joint}\" type=\"revolute\"><parent link=\"{}\"/><child link=\"{}\"/>\
             <origin xyz=\"0 0 {z}\"/><axis xyz=\"{axis}\"/>\
             <limit lower=\"-3\" upper=\"3\" effort=\"1\" velocity=\"1\"/></joint>",
            ends[0], ends[1]
        );
    }
    text + "</robot>"
}

/// Hands hang at the side of the arm: free; a ball in the way; a goal in the ball. The root is at the height of 0.9144 m and
/// turned by 1.57 about z.
const PROBLEMS: &str = "\
P far 1 1
S -1 1.57 0 0 0 0
G 0 1.57 0 0 0 0
O box 1 0.1 0.1 0.1 0 -2 0.9144 0 0 0 1
P ball 2 2
S -1 1.57 0 0 0 0
G 1 1.57 0 0 0 0
O ball 0 0.1 0 0 0 0.6 0.9144 0 0 0 1
O can 2 0.05 0.2 0 1 1 0.9144 0 0 0 1
P ball 3 1
S -1 1.57 0 0 0 0
G 0 1.57 0 0 0 0
O ball 0 0.1 0 0 0 0.6 0.9144 0 0 0 1
";

fn write(path: PathBuf, text: &str) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(path.parent().ok_or("a folder")?)?;
    Ok(fs::write(path, text)?)
}

/// A folder with the robot and its problems.
fn folder(name: &str, problems: &str) -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let robot = folder.join("robots/ur_description");
    write(robot.join("urdf/ur5_robot.urdf"), &arm())?;
    write(
        robot.join("srdf/ur5.srdf"),
        "<robot name=\"arm\"><disable_collisions link1=\"forearm\" link2=\"hand\"/></robot>",
    )?;
    write(
        robot.join("urdf/arm_meshes/upper.obj"),
        &mesh([0.03, 0.03, 0.2]),
    )?;
    write(
        robot.join("urdf/arm_meshes/forearm.obj"),
        &mesh([0.025, 0.025, 0.19]),
    )?;
    write(folder.join("ur5.txt"), problems)?;
    Ok(folder)
}

/// The output; none, told, where coal is missing.
fn run(folder: &Path, arguments: &[&str]) -> Result<Option<Output>, Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_superovoid-compare"))
        .arg("plans")
        .arg(folder)
        .args(arguments)
        .env("SUPEROVOID_URDF_DIR", folder.join("robots"))
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("not found by pkg-config") || errors.contains("pkg-config does not run") {
        eprintln!("SKIPPED: coal is not installed");
        return Ok(None);
    }
    Ok(Some(output))
}

/// The cells of the rows of a report that begin so.
fn row<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!("| {name} |");
    let line = text.lines().find(|line| line.starts_with(&begin));
    let line = line.unwrap_or_else(|| panic!("no row {name:?} in\n{text}"));
    line.split('|').map(str::trim).skip(2).collect()
}

#[test]
fn states_edges_and_plans_agree_with_coal() -> Result<(), Box<dyn Error>> {
    let folder = folder("plans", PROBLEMS)?;
    let Some(output) = run(&folder, &["--rounds", "1", "--max-time", "5"])? else {
        return Ok(());
    };
    let errors = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout)?;
    // Lines of 1, 2 and 1 rad: 33, 65 and 33 states. Those that collide turn past the ball by an angle that two bounds
    // enclose: the ball alone, and the ball with half the diagonal of the hand.
    let lines = row(&text, "straight lines");
    assert_eq!(lines[0], "131", "{text}");
    let colliding: usize = lines[1].parse()?;
    let angle = |radius: f64| (radius / 0.6_f64).asin();
    let [least, most] = [angle(0.1), angle(0.1 + 0.06)].map(|a| (3.0 * 32.0 * a) as usize);
    assert!(
        (least..=most + 3).contains(&colliding),
        "{least} {colliding} {most}"
    );
    for states in ["straight lines", "found paths", "random"] {
        let cells = row(&text, states);
        // Missed, false alarms, near, enclosed, differing, failed.
        assert_eq!(cells[2], "0", "{states}: {text}");
        assert_eq!(cells[3], cells[5], "{states}: {text}");
        assert_eq!(cells[6..8], ["0", "0"], "{states}: {text}");
    }
    assert_eq!(row(&text, "found paths")[1], "0", "{text}");
    let edges = row(&text, "of found paths");
    assert!(edges[0].parse::<usize>()? >= 3, "{text}");
    // All free, none touching by coal, none contradicted.
    assert_eq!(
        [edges[1], edges[4], edges[5]],
        [edges[0], "0", "0"],
        "{text}"
    );
    assert_eq!(row(&text, "at random near them")[5], "0", "{text}");
    // Problems, solved, start collides, goal collides, not found.
    let proven = row(&text, "with proof");
    assert_eq!(proven[..5], ["3", "2", "0", "1", "0"], "{text}");
    assert_eq!(proven[10], "0", "{text}");
    assert!(
        text.contains("\nNot here: Panda (example-robot-data): no panda.txt.gz"),
        "{text}"
    );
    Ok(())
}

#[test]
fn given_paths_are_judged() -> Result<(), Box<dyn Error>> {
    let folder = folder("judged", PROBLEMS)?;
    let paths = folder.join("paths.txt");
    let straight = "-1 1.57 0 0 0 0\n1 1.57 0 0 0 0\n";
    fs::write(
        &paths,
        format!("P far 1\n{straight}P ball 2\n{straight}P no 7\n{straight}"),
    )?;
    let place = paths.to_str().ok_or("a path that is no text")?;
    let Some(output) = run(&folder, &["--rounds", "1", "--paths", place])? else {
        return Ok(());
    };
    let text = String::from_utf8(output.stdout)?;
    let counts = "\n2 given paths, of which 0 leave the limits of the joints; 1 touch by coal at states 1e-3 rad apart, \
                  1 are proven free by us.\n";
    assert!(text.contains(counts), "{text}");
    let edges = row(&text, "of given paths");
    assert_eq!(edges[..6], ["2", "1", "1", "0", "1", "0"], "{text}");
    Ok(())
}

#[test]
fn what_is_wrong_is_named() -> Result<(), Box<dyn Error>> {
    let wrong = folder("wrong", &PROBLEMS.replacen("G 0", "G zero", 1))?;
    let Some(output) = run(&wrong, &[])? else {
        return Ok(());
    };
    let errors = String::from_utf8(output.stderr)?;
    assert!(
        !output.status.success() && errors.contains("ur5.txt:3"),
        "{errors}"
    );
    assert!(errors.contains("\"zero\": not a finite number"), "{errors}");
    fs::remove_file(wrong.join("ur5.txt"))?;
    let Some(output) = run(&wrong, &[])? else {
        return Ok(());
    };
    let errors = String::from_utf8(output.stderr)?;
    assert!(
        !output.status.success() && errors.contains("no ur5.txt.gz in"),
        "{errors}"
    );
    Ok(())
}

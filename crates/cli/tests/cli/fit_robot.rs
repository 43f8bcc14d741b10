//! `superovoid fit-robot` from the outside, and what other programs make of the files that it writes.
//!
//! The last tests need robots and programs that are not part of the repository: `SUPEROVOID_URDF_DIR` names a folder
//! with what `pip download example-robot-data --no-deps` brings, unpacked with its meshes; `check_urdf` is urdfdom's;
//! `SUPEROVOID_PYTHON` is a Python (or else `python3`) with `pybullet` and `pin`. Where one is missing they say that
//! they were skipped.

use crate::common::{error_of, stdout_of, superovoid};
use crate::egg;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use superovoid_robot::Robot;

const ARM: &str = r#"<robot name="arm">
  <link name="base">
    <collision>
      <origin xyz="0 0 0.5" rpy="0 1 0"/>
      <geometry><mesh filename="package://arm/egg.obj"/></geometry>
    </collision>
    <collision><geometry><capsule radius="0.1" length="1"/></geometry></collision>
  </link>
  <link name="tip">
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
    <collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
    <collision><geometry><mesh filename="package://arm/egg.obj"/></geometry></collision>
  </link>
  <joint name="j" type="fixed"><parent link="base"/><child link="tip"/><origin xyz="0 0 3"/></joint>
</robot>
"#;

/// A folder with `arm/arm.urdf` and the mesh that it names.
fn arm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("arm")).unwrap();
    std::fs::write(folder.path().join("arm/egg.obj"), egg::obj(1.0)).unwrap();
    std::fs::write(folder.path().join("arm/arm.urdf"), ARM).unwrap();
    folder
}

#[test]
fn a_table_for_people_and_a_file_that_check_reads() {
    let folder = arm();
    let run = superovoid(
        &["fit-robot", "arm/arm.urdf", "-o", "out.urdf"],
        folder.path(),
    );
    let out = stdout_of(&run);
    assert!(run.stderr.is_empty(), "{run:?}");
    let rows: Vec<Vec<&str>> = out
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0][..3], ["link", "source", "fallback"]);
    assert_eq!(rows[1][..4], ["base", "[1]", "egg.obj", "box"]);
    assert_eq!(rows[2][..4], ["tip", "[1]", "sphere", "sphere"]);
    assert_eq!(rows[3][..4], ["tip", "[2]", "box", "box"]);
    assert_eq!(rows[4][rows[4].len() - 2..], ["as", "above"]);
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("arm: 4 superovoids in "), "{out}");
    assert!(
        last.ends_with("; base [2] stays as it is (<capsule> is not converted)"),
        "{out}"
    );
    // The capsule that stays is checked as it is.
    let check = superovoid(&["check", "out.urdf", "--all-pairs"], folder.path());
    assert!(!stdout_of(&check).contains("NOT CHECKED"), "{check:?}");
}

#[test]
fn tables_for_programs_have_the_numbers_of_the_file() {
    let folder = arm();
    let run = |format: &str| {
        let arguments = [
            "fit-robot",
            "arm/arm.urdf",
            "-o",
            "out.urdf",
            "--format",
            format,
        ];
        stdout_of(&superovoid(&arguments, folder.path()))
    };
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    let csv = run("csv");
    let robot = Robot::from_urdf_file(folder.path().join("out.urdf")).unwrap();
    let bodies = robot.superovoid_bodies();
    let rows = json["superovoids"].as_array().unwrap();
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    let header = table.headers().unwrap().clone();
    let lines: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!([bodies.len(), rows.len(), lines.len()], [4; 3]);
    for ((body, row), line) in bodies.iter().zip(rows).zip(&lines) {
        let field = |name: &str| {
            let column = header.iter().position(|h| h == name).unwrap();
            line[column].parse::<f64>().unwrap()
        };
        let position = body.pose.translation.vector;
        let [a1, _, _] = body.shape.semi_axes();
        assert_eq!(row["link"], robot.links()[body.link].name.as_str());
        // The reader of JSON may be off by the last bit.
        let near = |value: &Value, x: f64| (value.as_f64().unwrap() - x).abs() < 1e-15;
        assert!(near(&row["semi_axes"][0], a1) && near(&row["position"][2], position.z));
        assert!(near(&row["mesh_to_body"]["rms"], field("mesh_rms")));
        assert_eq!([field("a1"), field("pz")], [a1, position.z]);
    }
    assert_eq!(json["untouched"][0]["link"], "base");
}

#[test]
fn options_reach_the_fit() {
    let folder = arm();
    let volume = |arguments: &[&str]| {
        let arguments = [
            &[
                "fit-robot",
                "arm/arm.urdf",
                "-o",
                "out.urdf",
                "--format",
                "json",
            ],
            arguments,
        ];
        let out = stdout_of(&superovoid(&arguments.concat(), folder.path()));
        let json: Value = serde_json::from_str(&out).unwrap();
        let row = |k: usize| json["superovoids"][k].clone();
        let volume = |k: usize| row(k)["volume_to_hull"].as_f64().unwrap();
        (volume(0), volume(2), row(0))
    };
    let (mesh, block, best) = volume(&[]);
    assert!((mesh - 1.0).abs() < 0.02 && (block - 1.0).abs() < 1e-9);
    assert_eq!(best["fallback"], "box");
    let (mesh, block, _) = volume(&["--enclosing", "--edge-exponent", "0.1"]);
    assert!(
        mesh > 1.0 && mesh < 1.1 && block > 1.15 && block < 1.18,
        "{mesh} {block}"
    );
    let (_, _, row) = volume(&[
        "--family",
        "superellipsoid",
        "--fallback",
        "sphere",
        "--samples",
        "500",
    ]);
    assert_eq!(row["tapers"], serde_json::json!([0.0, 0.0]));
    assert_eq!(row["fallback"], "sphere");
}

#[test]
fn errors_name_what_is_wrong_and_write_nothing() {
    let folder = arm();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(
        path("arm/out.urdf"),
        ARM.replace("arm/egg.obj", "../egg.obj"),
    )
    .unwrap();
    std::fs::write(path("arm/none.urdf"), ARM.replace("egg.obj", "none.obj")).unwrap();
    std::fs::write(
        path("arm/arm.xacro"),
        "<robot name='r' xmlns:x='http://ros.org/wiki/xacro'><x:if/></robot>",
    )
    .unwrap();
    std::fs::write(path("before.urdf"), "before").unwrap();
    for (arguments, parts) in [
        (
            &["arm/out.urdf"][..],
            &["link \"base\", collision 1", "is no address"][..],
        ),
        (
            &["arm/none.urdf"],
            &["link \"base\", collision 1", "none.obj", "--package-path"],
        ),
        (&["arm/arm.xacro"], &["xacro"]),
        (&["arm/missing.urdf"], &["missing.urdf"]),
        (&["arm/arm.urdf", "--package-path", "nowhere"], &["nowhere"]),
        (
            &["arm/arm.urdf", "--edge-exponent", "0"],
            &["from 0.004 to 1"],
        ),
        (&["arm/arm.urdf", "--parts", "0"], &["--parts"]),
    ] {
        let all = [&["fit-robot", "-o", "before.urdf"], arguments].concat();
        let message = error_of(&superovoid(&all, folder.path()));
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        assert_eq!(
            std::fs::read_to_string(path("before.urdf")).unwrap(),
            "before"
        );
    }
    let message = error_of(&superovoid(
        &["fit-robot", "arm/arm.urdf", "-o", "arm/../arm/arm.urdf"],
        folder.path(),
    ));
    assert!(message.contains("is the input"), "{message}");
    assert_eq!(std::fs::read_to_string(path("arm/arm.urdf")).unwrap(), ARM);
    let message = error_of(&superovoid(
        &["fit-robot", "arm/arm.urdf", "-o", "no/out.urdf"],
        folder.path(),
    ));
    assert!(message.contains("there is no folder"), "{message}");
}

#[test]
fn the_file_goes_to_standard_output_and_the_table_to_the_other() {
    let folder = arm();
    let run = superovoid(&["fit-robot", "arm/arm.urdf", "-o", "-"], folder.path());
    let out = stdout_of(&run);
    assert_eq!(
        Robot::from_urdf_str(&out)
            .unwrap()
            .superovoid_bodies()
            .len(),
        4
    );
    assert!(
        String::from_utf8(run.stderr)
            .unwrap()
            .contains("arm: 4 superovoids in ")
    );
}

// ---- real robots and other programs ----

/// Says so where it is seen: nobody sees what `eprintln!` prints in a test that passes.
fn skipped(test: &str, why: &str) {
    let line = format!("skipped: {test}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// A robot of `example-robot-data` with how many collisions it has, and the file made of it.
struct Fitted {
    name: &'static str,
    collisions: usize,
    /// Largest root mean square distance of a body from the hull of its mesh, metres.
    rms: f64,
    /// The folder of the package.
    package: PathBuf,
    source: PathBuf,
    file: PathBuf,
    table: Value,
}

const PANDA: &str = "panda_description/urdf/panda.urdf";

/// The Panda and the UR5 enclosed; None, told once for each test, where they are missing.
fn robots(test: &str) -> Option<&'static [Fitted]> {
    static FITTED: OnceLock<Option<Vec<Fitted>>> = OnceLock::new();
    let fitted = FITTED.get_or_init(|| {
        let folder = PathBuf::from(std::env::var_os("SUPEROVOID_URDF_DIR")?);
        let options = ["--enclosing"];
        let panda = fitted(&folder, PANDA, "panda", 17, 12e-3, &options)?;
        let ur5 = fitted(
            &folder,
            "ur_description/urdf/ur5_robot.urdf",
            "ur5",
            8,
            20e-3,
            &options,
        )?;
        Some(vec![panda, ur5])
    });
    if fitted.is_none() {
        skipped(
            test,
            "SUPEROVOID_URDF_DIR names no folder of example-robot-data with its meshes",
        );
    }
    fitted.as_deref()
}

fn fitted(
    folder: &Path,
    urdf: &str,
    name: &'static str,
    collisions: usize,
    rms: f64,
    options: &[&str],
) -> Option<Fitted> {
    let package = package_in(folder)?;
    let urdf = package.join("robots").join(urdf);
    if !urdf.exists() || !urdf.parent()?.parent()?.join("meshes").is_dir() {
        return None;
    }
    // PyBullet looks for packages, also for those of visual meshes, in the folders above the file.
    let beside = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("real-robots");
    std::fs::create_dir_all(&beside).unwrap();
    #[cfg(unix)]
    {
        let link = beside.join("example-robot-data");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(package.canonicalize().unwrap(), link).unwrap();
    }
    let file = beside.join(format!("fitted-{name}.urdf"));
    let paths = [&urdf, &file, &package].map(|path| path.to_str().unwrap().to_owned());
    let [source, out, path] = &paths;
    let arguments = [
        "fit-robot",
        source,
        "-o",
        out,
        "--package-path",
        path,
        "--format",
        "json",
    ];
    let run = superovoid(&[&arguments, options].concat(), folder);
    Some(Fitted {
        name,
        collisions,
        rms,
        table: serde_json::from_str(&stdout_of(&run)).unwrap(),
        package,
        source: urdf,
        file,
    })
}

/// The folder `example-robot-data` with robots in it, somewhere in a folder.
fn package_in(folder: &Path) -> Option<PathBuf> {
    if folder
        .file_name()
        .is_some_and(|name| name == "example-robot-data")
        && folder.join("robots").is_dir()
    {
        return Some(folder.to_owned());
    }
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut folders = entries.filter(|e| e.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.find_map(|e| package_in(&e.path()))
}

#[test]
fn real_robots_are_fitted_and_checked() {
    let Some(robots) = robots("real_robots_are_fitted_and_checked") else {
        return;
    };
    check_fits(robots);
}

/// The Panda as it fits best.
#[test]
#[ignore = "ten seconds"]
fn real_robots_are_fitted_and_checked_long() {
    let folder = std::env::var_os("SUPEROVOID_URDF_DIR").map(PathBuf::from);
    let panda = folder.and_then(|folder| fitted(&folder, PANDA, "panda-best", 17, 6.5e-3, &[]));
    match panda {
        Some(panda) => check_fits(&[panda]),
        None => skipped(
            "real_robots_are_fitted_and_checked_long",
            "SUPEROVOID_URDF_DIR names no folder of example-robot-data with its meshes",
        ),
    }
}

fn check_fits(robots: &[Fitted]) {
    for fitted in robots {
        let rows = fitted.table["superovoids"].as_array().unwrap();
        assert_eq!(rows.len(), fitted.collisions, "{}", fitted.name);
        for row in rows {
            let rms = row["mesh_to_body"]["rms"].as_f64().unwrap();
            assert!(rms < fitted.rms && row["convex"] == true, "{row}");
        }
        let check = superovoid(
            &["check", fitted.file.to_str().unwrap(), "--json"],
            Path::new("."),
        );
        // Whether the neutral pose is free is not what this is about.
        assert!(matches!(check.status.code(), Some(0 | 1)), "{check:?}");
        let report: Value = serde_json::from_slice(&check.stdout).unwrap();
        assert_eq!(
            report["unchecked"],
            serde_json::json!([]),
            "{}",
            fitted.name
        );
    }
}

#[test]
fn enclosed_meshes_of_a_real_robot_are_inside() {
    let Some(robots) = robots("enclosed_meshes_of_a_real_robot_are_inside") else {
        return;
    };
    let ur5 = robots.iter().find(|r| r.name == "ur5").unwrap();
    let robot = Robot::from_urdf_file(&ur5.file).unwrap();
    let mut meshes = 0;
    for row in ur5.table["superovoids"].as_array().unwrap() {
        let Some(mesh) = row["source"]
            .as_str()
            .unwrap()
            .strip_prefix("package://example-robot-data/")
        else {
            continue;
        };
        let bodies = robot.superovoid_bodies();
        let of_link = |link: usize| robot.links()[link].name == row["link"].as_str().unwrap();
        let body = bodies.iter().find(|b| of_link(b.link)).unwrap();
        let mut file = std::fs::File::open(ur5.package.join(mesh)).unwrap();
        // The meshes of this robot have the frames of their links.
        for vertex in stl_io::read_stl(&mut file).unwrap().vertices {
            let [x, y, z] = vertex.0.map(f64::from);
            let local = body
                .pose
                .inverse_transform_point(&nalgebra::Point3::new(x, y, z));
            assert!(body.shape.inside_outside(&local) <= 0.0, "{mesh}");
        }
        meshes += 1;
    }
    assert_eq!(meshes, 7);
}

#[test]
fn urdfdom_opens_what_is_written() {
    const TEST: &str = "urdfdom_opens_what_is_written";
    let Some(robots) = robots(TEST) else {
        return;
    };
    for fitted in robots {
        let Ok(run) = Command::new("check_urdf").arg(&fitted.file).output() else {
            return skipped(TEST, "there is no check_urdf");
        };
        let out = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{run:?}");
        let name = format!("robot name is: {}", fitted.name);
        assert!(
            out.contains(&name) && out.contains("Successfully Parsed XML"),
            "{out}"
        );
    }
}

/// Runs a Python program on the file, the folder that holds the package, and the file that there was before; None if it lacks a module.
fn python(test: &str, program: &str, fitted: &Fitted) -> Option<Output> {
    let python = std::env::var_os("SUPEROVOID_PYTHON").unwrap_or("python3".into());
    let mut command = Command::new(python);
    command
        .args(["-c", program])
        .arg(&fitted.file)
        .arg(fitted.package.parent()?)
        .arg(&fitted.source);
    let run = command.output().ok();
    let lacks = |run: &Output| String::from_utf8_lossy(&run.stderr).contains("ModuleNotFoundError");
    if run.as_ref().is_none_or(lacks) {
        skipped(
            test,
            "SUPEROVOID_PYTHON is no Python with the modules pybullet and pin",
        );
        return None;
    }
    run
}

#[test]
fn pybullet_opens_what_is_written() {
    const TEST: &str = "pybullet_opens_what_is_written";
    const PROGRAM: &str = "
import sys, pybullet as p
p.connect(p.DIRECT)
body = p.loadURDF(sys.argv[1], useFixedBase=True)
links = range(-1, p.getNumJoints(body))
print('shapes', sum(len(p.getCollisionShapeData(body, k)) for k in links))
";
    for fitted in robots(TEST).unwrap_or_default() {
        let Some(run) = python(TEST, PROGRAM, fitted) else {
            return;
        };
        let out = String::from_utf8_lossy(&run.stdout);
        let expected = format!("shapes {}", fitted.collisions);
        assert!(
            run.status.success() && out.lines().any(|l| l == expected),
            "{run:?}"
        );
    }
}

/// Also an oracle for all poses: in Pinocchio's hands the vertices of each mesh are in the fallback that took its place.
#[test]
fn pinocchio_opens_what_is_written_and_finds_the_meshes_in_their_fallbacks() {
    const TEST: &str = "pinocchio_opens_what_is_written_and_finds_the_meshes_in_their_fallbacks";
    const PROGRAM: &str = "
import sys, numpy, pinocchio
def shapes(path):
    model = pinocchio.buildModelFromUrdf(path)
    kind = pinocchio.GeometryType.COLLISION
    return pinocchio.buildGeomFromUrdf(model, path, kind, package_dirs=[sys.argv[2]]).geometryObjects
new, old = shapes(sys.argv[1]), shapes(sys.argv[3])
print('shapes', len(new))
worst = -1
for a, b in zip(old, new):
    assert (a.name, a.parentJoint) == (b.name, b.parentJoint)
    if not hasattr(a.geometry, 'vertices'):
        continue
    to_new = (b.placement.inverse() * a.placement).homogeneous
    p = numpy.array(a.geometry.vertices()) @ to_new[:3, :3].T + to_new[:3, 3]
    shape = b.geometry
    if hasattr(shape, 'halfSide'):
        outside = (abs(p) - shape.halfSide).max()
    elif hasattr(shape, 'halfLength'):
        around = numpy.hypot(p[:, 0], p[:, 1]).max() - shape.radius
        outside = max(around, abs(p[:, 2]).max() - shape.halfLength)
    else:
        outside = numpy.linalg.norm(p, axis=1).max() - shape.radius
    worst = max(worst, outside)
print('inside', -1 < worst < 1e-9)
";
    for fitted in robots(TEST).unwrap_or_default() {
        let Some(run) = python(TEST, PROGRAM, fitted) else {
            return;
        };
        let out = String::from_utf8_lossy(&run.stdout);
        let expected = [
            format!("shapes {}", fitted.collisions),
            "inside True".to_owned(),
        ];
        let found = |line: &String| out.lines().any(|l| l == line);
        assert!(
            run.status.success() && expected.iter().all(found),
            "{run:?}"
        );
    }
}

//! `superovoid simulate` from the outside.

use crate::common::{error_of, stdout_of, superovoid};
use std::fs::{self, File};
use std::path::Path;
use superovoid_sim::recording::Recording;
use superovoid_sim::{Scene, State, World, scenes};

/// A ball that falls on a plane.
const BALL: &str = r#"{
  "version": 1,
  "name": "ball",
  "materials": [{}],
  "bodies": [
    {"shape": "HalfSpace"},
    {"name": "a \"ball\", red",
     "shape": {"Superovoid": {"semi_axes": [0.1, 0.1, 0.1], "exponents": [1, 1]}},
     "position": [0, 0, 0.30000000000000004],
     "motion": {"Dynamic": {"density": 1000}}}
  ]
}"#;

fn folder_with(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.json"), scene).unwrap();
    folder
}

/// The names of all files, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

#[test]
fn the_ready_scenes_are_listed_and_each_of_them_runs() {
    let folder = tempfile::tempdir().unwrap();
    let listed = stdout_of(&superovoid(&["simulate", "--list"], folder.path()));
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let ready: Vec<&str> = scenes::READY.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ready);
    for name in names {
        let output = superovoid(
            &["simulate", name, "-o", name, "--seconds", "0.05"],
            folder.path(),
        );
        assert_eq!(
            stdout_of(&output),
            format!("3 frames, 0.050 s, in {name}\n")
        );
        let out = folder.path().join(name);
        assert_eq!(
            files(&out),
            ["last.json", "recording.sovorec", "scene.json"]
        );
        let file = File::open(out.join("recording.sovorec")).unwrap();
        let recording = Recording::read(std::io::BufReader::new(file)).unwrap();
        assert_eq!(recording.frames.len(), 4);
        assert_eq!(recording.scene, scenes::ready(name).unwrap());
    }
}

#[test]
fn a_file_is_simulated_as_the_library_does_it_to_the_last_bit() {
    let folder = folder_with(BALL);
    let arguments = ["simulate", "scene.json", "-o", "out", "--seconds", "0.5"];
    stdout_of(&superovoid(&arguments, folder.path()));
    let mut world = World::new(&Scene::from_json(BALL).unwrap()).unwrap();
    for _ in 0..30 {
        world.step().unwrap();
    }
    let out = folder.path().join("out");
    let last: State =
        serde_json::from_str(&fs::read_to_string(out.join("last.json")).unwrap()).unwrap();
    assert_eq!(&last, world.state());
    // The scene that it leaves gives the same again.
    let again = [
        "simulate",
        "out/scene.json",
        "-o",
        "two",
        "--seconds",
        "0.5",
    ];
    stdout_of(&superovoid(&again, folder.path()));
    for file in ["recording.sovorec", "scene.json", "last.json"] {
        let read =
            |folder_name: &str| fs::read(folder.path().join(folder_name).join(file)).unwrap();
        assert_eq!(read("out"), read("two"), "{file}");
    }
}

#[test]
fn every_kth_frame_the_start_and_the_end_are_written_in_both_formats() {
    let folder = folder_with(BALL);
    for format in ["obj", "csv"] {
        let arguments = [
            "simulate",
            "scene.json",
            "-o",
            format,
            "--seconds",
            "0.2",
            "--every",
            "5",
            "--format",
            format,
        ];
        assert_eq!(
            stdout_of(&superovoid(&arguments, folder.path())),
            format!("12 frames, 0.200 s, in {format}\n")
        );
    }
    assert_eq!(
        files(&folder.path().join("obj")),
        [
            "frame_000000.obj",
            "frame_000005.obj",
            "frame_000010.obj",
            "frame_000012.obj",
            "last.json",
            "recording.sovorec",
            "scene.json",
            "still.obj",
        ]
    );
    let table = folder.path().join("csv/bodies.csv");
    let mut table = csv::Reader::from_path(table).unwrap();
    let rows: Vec<_> = table.records().map(Result::unwrap).collect();
    let frames: Vec<&str> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(frames, ["0", "5", "10", "12"]);
    assert_eq!(&rows[0][3], "a \"ball\", red");
    let z: f64 = rows[0][6].parse().unwrap();
    assert_eq!(z, 0.30000000000000004);
}

#[test]
fn bad_arguments_name_themselves_and_nothing_is_written() {
    let folder = folder_with(&BALL.replace("\"density\": 1000", "\"density\": \"heavy\""));
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("negative.json", BALL.replace("1000", "-1000"));
    write("short.json", BALL[..100].to_owned());
    write("other.json", BALL.replace("position", "place"));
    fs::create_dir(folder.path().join("full")).unwrap();
    fs::write(folder.path().join("full/file"), "").unwrap();
    let before = files(folder.path());
    for (arguments, part) in [
        (
            vec!["scene.json"],
            "scene.json: line 10, column 46, bodies[1].motion.Dynamic.density: invalid type: string \"heavy\", expected f64",
        ),
        (
            vec!["short.json"],
            "short.json: line 7, column 1, bodies: EOF",
        ),
        (
            vec!["other.json"],
            "other.json: line 9, column 12, bodies[1].place: unknown field `place`",
        ),
        (
            vec!["negative.json"],
            "negative.json: bodies[1].motion.density: is -1000",
        ),
        (vec!["absent.json"], "absent.json: No such file"),
        (
            vec!["bwol"],
            "\"bwol\" is neither a file nor a ready scene; those are tablecloth, ",
        ),
        (
            vec!["stack", "--seconds", "-1"],
            "expected seconds, 0 to 1000000",
        ),
        (vec!["stack", "--every", "0"], "--every"),
        (vec!["stack", "--format", "ply"], "--format"),
        (vec!["stack", "--list"], "cannot be used with"),
        (vec![], "SCENE.json|NAME|--list"),
    ] {
        let all = [&["simulate"], &arguments[..], &["-o", "out"]].concat();
        let error = error_of(&superovoid(&all, folder.path()));
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert_eq!(files(folder.path()), before, "{arguments:?}");
    }
    for (out, part) in [
        ("full", "full: is not empty; name another folder"),
        ("scene.json", "scene.json: is a file; name a folder"),
        ("no/where", "no/where: there is no folder no; create it"),
    ] {
        let all = ["simulate", "stack", "--seconds", "0", "-o", out];
        assert_eq!(error_of(&superovoid(&all, folder.path())), part);
        assert_eq!(files(folder.path()), before, "{out}");
    }
    let error = error_of(&superovoid(&["simulate", "stack"], folder.path()));
    assert!(error.contains("--output <DIR>"), "{error}");
}

#[test]
fn a_simulation_that_diverges_keeps_the_last_good_state() {
    // It leaves the world's range of a thousand kilometres after a tenth of a second.
    let fast = BALL
        .replace(
            "\"density\": 1000",
            "\"density\": 1000, \"velocity\": [900000, 0, 0]",
        )
        .replace("[0, 0, 0.30000000000000004]", "[910000, 0, 1]");
    let folder = folder_with(&fast);
    let arguments = ["simulate", "scene.json", "-o", "out", "--every", "4"];
    let error = error_of(&superovoid(&arguments, folder.path()));
    assert_eq!(
        error,
        "scene.json: frame 5: body 1 diverged; out holds what was before, up to 0.083 s"
    );
    let out = folder.path().join("out");
    let last: State =
        serde_json::from_str(&fs::read_to_string(out.join("last.json")).unwrap()).unwrap();
    assert_eq!(last.frame, 5);
    let file = File::open(out.join("recording.sovorec")).unwrap();
    let recording = Recording::read(std::io::BufReader::new(file)).unwrap();
    let frames: Vec<u64> = recording.frames.iter().map(|frame| frame.frame).collect();
    assert_eq!(frames, [0, 4, 5]);
}

//! `superovoid vertices` from the outside.

use crate::common::{error_of, stdout_of, superovoid, superovoid_with_input};
use std::fs;
use std::process::Output;

const HEADER: &str = "distance,px,py,pz,nx,ny,nz,iterations,outcome";

/// Runs the command on a file named `in.csv`.
fn run_on(text: &str, shape: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.csv"), text).unwrap();
    let arguments = ["vertices", "in.csv", "--shape", shape];
    superovoid(&[&arguments, options].concat(), folder.path())
}

fn many_points() -> String {
    let row = |k: usize| {
        let k = k as f64;
        let wave = |frequency: f64| 2.0 * (frequency * k).sin();
        format!("{},{},{}\n", wave(1.1), wave(2.3), wave(3.7))
    };
    "x,y,z\n".to_owned() + &(0..1000).map(row).collect::<String>()
}

#[test]
fn points_around_a_ball_have_closed_form_answers() {
    let text = "x,y,z\n0,0,3\n3,4,0\n0,-0.5,0\n2,0,0\n";
    for method in ["exact", "iterative", "radial"] {
        let output = stdout_of(&run_on(text, "2,2,2,1,1,0,0", &["--method", method]));
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[0], HEADER);
        let expected = [
            [1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0],
            [3.0, 1.2, 1.6, 0.0, 0.6, 0.8, 0.0],
            [-1.5, 0.0, -2.0, 0.0, 0.0, -1.0, 0.0],
            [0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        ];
        assert_eq!(lines.len(), 1 + expected.len());
        for (line, expected) in lines[1..].iter().zip(expected) {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), 9, "{line}");
            for (field, value) in fields.iter().zip(expected) {
                let number: f64 = field.parse().unwrap();
                assert!((number - value).abs() < 1e-12, "{method}: {line}");
            }
            let outcome = match method {
                "exact" => "certified",
                "iterative" => "converged",
                _ => "not_converged",
            };
            assert_eq!(fields[8], outcome, "{line}");
        }
    }
}

#[test]
fn output_depends_neither_on_threads_nor_on_the_order_of_columns() {
    let text = many_points();
    let shape = "1,0.7,1.3,0.4,1.5,0.2,0.2";
    let one = stdout_of(&run_on(&text, shape, &["--threads", "1"]));
    assert_eq!(stdout_of(&run_on(&text, shape, &["--threads", "3"])), one);
    let reversed: String = text
        .lines()
        .map(|line| line.split(',').rev().collect::<Vec<_>>().join(",") + "\n")
        .collect();
    assert_eq!(stdout_of(&run_on(&reversed, shape, &[])), one);
}

#[test]
fn standard_input_and_output_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = many_points();
    let shape = "1,1,1,0.3,0.3,0,0";
    let arguments = ["vertices", "-", "--shape", shape, "--output", "out.csv"];
    let output = superovoid_with_input(&arguments, folder.path(), text.as_bytes());
    assert_eq!(stdout_of(&output), "");
    let written = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert_eq!(
        written,
        stdout_of(&run_on(&text, shape, &["--output", "-"]))
    );
    assert_eq!(written.lines().count(), 1001);
}

#[test]
fn a_header_alone_gives_a_header_alone() {
    let output = stdout_of(&run_on("x,y,z\n", "1,1,1,1,1,0,0", &[]));
    assert_eq!(output, format!("{HEADER}\n"));
}

#[test]
fn bad_values_name_their_line_and_column() {
    let ball = "1,1,1,1,1,0,0";
    for (text, message) in [
        (
            "x,y,z\n1,2,3\n1,two,3\n",
            "in.csv:3:y: \"two\" is not a number",
        ),
        (
            "x,y,z\n1,2,inf\n",
            "in.csv:2:z: \"inf\" is not a finite number",
        ),
        (
            "x,y,z\n1,2\n",
            "in.csv:2:z: missing; the row has 2 of 3 values",
        ),
        (
            "x,y,z\n1,2,3,4\n",
            "in.csv:2: extra value \"4\" after column z; the row has 4 values for 3 columns",
        ),
        (
            "x,y\n",
            "in.csv:1: missing column z; the header must name all 3 columns",
        ),
        (
            "x,y,w\n",
            "in.csv:1: unknown column \"w\"; the columns, separated by commas, are x y z",
        ),
        (
            "x,y,z\r1,2,3\r4,5,oops\r",
            "in.csv:3:z: \"oops\" is not a number",
        ),
        (
            "x,y,z\r\n\r\n1,2,?\r\n",
            "in.csv:3:z: \"?\" is not a number",
        ),
        (
            "",
            "in.csv: the file is empty; expected a header that names the columns",
        ),
    ] {
        assert_eq!(error_of(&run_on(text, ball, &[])), message);
    }
}

#[test]
fn a_bad_shape_is_named() {
    let message = error_of(&run_on("x,y,z\n", "1,1,1,1,2.5,0,0", &[]));
    assert!(message.contains("e2 = 2.5"), "{message}");
    let message = error_of(&run_on("x,y,z\n", "1,1,1", &[]));
    assert!(
        message.contains("3 numbers where 7 are needed"),
        "{message}"
    );
}

#[test]
fn the_input_is_not_overwritten() {
    let message = error_of(&run_on("x,y,z\n", "1,1,1,1,1,0,0", &["-o", "in.csv"]));
    assert!(message.contains("is the input"), "{message}");
}

#[test]
fn a_point_without_an_answer_is_named() {
    let text = "x,y,z\n1,2,3\n1.7e308,1.7e308,1.7e308\n";
    assert_eq!(
        error_of(&run_on(text, "1,1,1,1,1,0,0", &[])),
        "point 2: the distance between the bodies is not a finite number of metres"
    );
}

#[test]
fn only_the_exact_method_certifies_depths() {
    for method in ["iterative", "radial"] {
        let options = ["--method", method, "--depth", "certified"];
        let message = error_of(&run_on("x,y,z\n", "1,1,1,1,1,0,0", &options));
        assert_eq!(
            message,
            "--depth certified needs --method exact: no other proves a depth"
        );
    }
}

#[test]
fn max_iterations_limits_the_iterative_method_and_errors_fall_with_it() {
    let (text, shape) = (many_points(), "1,0.7,1.3,0.4,1.5,0.2,0.2");
    let column = |options: &[&str], k: usize| -> Vec<String> {
        let output = stdout_of(&run_on(&text, shape, options));
        let rows = output.lines().skip(1);
        rows.map(|row| row.split(',').nth(k).unwrap().to_owned())
            .collect()
    };
    let number = |text: &String| text.parse::<f64>().unwrap();
    let exact = column(&["--depth", "certified"], 0);
    let iterative = ["--method", "iterative", "--tolerance", "1e-6"];
    let mut last = f64::INFINITY;
    for most in ["1", "3", "10", "1000"] {
        let options = [&iterative[..], &["--max-iterations", most]].concat();
        let used = column(&options, 7);
        let limit = number(&most.to_owned());
        assert!(used.iter().all(|n| number(n) <= limit), "{most}");
        // The limit is reached by the points for which it is too few, and by no others.
        for (outcome, n) in column(&options, 8).iter().zip(&used) {
            assert_eq!(
                outcome == "not_converged",
                number(n) == limit && outcome != "converged"
            );
        }
        let distances = column(&options, 0);
        let off = |(d, e): (&String, &String)| (number(d) - number(e)).abs();
        // A certified depth is the least one, and the method looks for the nearest point of its own side.
        let outside = |(_, e): &(&String, &String)| number(e) > 0.0;
        let error: f64 = distances.iter().zip(&exact).filter(outside).map(off).sum();
        assert!(error <= last, "{most}: {error} after {last}");
        last = error;
    }
    let default = column(&iterative, 0);
    let fifty = [&iterative[..], &["--max-iterations", "50"]].concat();
    assert_eq!(default, column(&fifty, 0));
    assert_ne!(
        default,
        column(&[&iterative[..], &["--max-iterations", "1"]].concat(), 0)
    );
    // The exact method takes it too: one step from each start proves less than fifty.
    let open = |most: &str| {
        let outcomes = column(&["--max-iterations", most], 8);
        outcomes.iter().filter(|o| *o != "certified").count()
    };
    assert!(open("1") > open("50"));
}

#[test]
fn max_iterations_out_of_range_or_without_effect_is_refused() {
    let ball = "1,1,1,1,1,0,0";
    for value in ["0", "1001", "-1", "two", "1.5"] {
        let option = format!("--max-iterations={value}");
        let message = error_of(&run_on("x,y,z\n", ball, &[&option]));
        assert!(message.contains("--max-iterations"), "{message}");
    }
    let options = ["--method", "radial", "--max-iterations", "5"];
    assert_eq!(
        error_of(&run_on("x,y,z\n", ball, &options)),
        "--max-iterations needs --method exact or iterative: the radial method makes no iterations"
    );
}

#[test]
fn a_missing_output_folder_is_named() {
    let options = ["--output", "nowhere/out.csv"];
    let message = error_of(&run_on("x,y,z\n1,2,3\n", "1,1,1,1,1,0,0", &options));
    assert_eq!(
        message,
        "nowhere/out.csv: there is no folder nowhere; create it"
    );
}

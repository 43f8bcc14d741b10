//! `superovoid pairs` from the outside.

use crate::common::{error_of, stdout_of, superovoid, superovoid_with_input};
use std::fs;

const BODY: [&str; 14] = [
    "a1", "a2", "a3", "e1", "e2", "tx", "ty", "qw", "qx", "qy", "qz", "px", "py", "pz",
];

fn columns() -> Vec<String> {
    let of = |prefix: &'static str| BODY.map(|column| format!("{prefix}{column}"));
    [of("a_"), of("b_")].concat()
}

/// A file of these columns and rows.
fn csv(columns: &[String], rows: &[Vec<String>]) -> String {
    let lines = rows.iter().map(|row| row.join(","));
    let mut lines: Vec<String> = std::iter::once(columns.join(",")).chain(lines).collect();
    lines.push(String::new());
    lines.join("\n")
}

fn sphere(radius: f64, center: [f64; 3]) -> Vec<f64> {
    let shape = [radius, radius, radius, 1.0, 1.0, 0.0, 0.0];
    let turn = [0.5, -0.5, 0.5, 0.5];
    [&shape[..], &turn, &center].concat()
}

fn row(a: &[f64], b: &[f64]) -> Vec<String> {
    a.iter().chain(b).map(|x| format!("{x:?}")).collect()
}

fn one_good_row() -> Vec<String> {
    row(&sphere(1.0, [0.0; 3]), &sphere(0.5, [0.0, 0.0, 3.0]))
}

/// A row with one value replaced.
fn with(column: &str, value: &str) -> Vec<String> {
    let mut row = one_good_row();
    let field = columns().iter().position(|c| c == column).unwrap();
    row[field] = value.to_owned();
    row
}

/// Tapered, squarish bodies at many distances and orientations, some overlapping.
fn varied_rows(count: usize) -> Vec<Vec<String>> {
    let body = |k: f64, center: [f64; 3]| {
        let wave = |frequency: f64| (frequency * k).sin();
        let shape = [
            1.0 + 0.3 * wave(1.1),
            1.0 + 0.3 * wave(2.3),
            1.0 + 0.3 * wave(3.7),
            0.7 + 0.4 * wave(5.1),
            0.7 + 0.4 * wave(7.3),
            0.1 * wave(1.9),
            0.1 * wave(1.9),
        ];
        let q = nalgebra::Quaternion::new(wave(0.9), wave(1.7), wave(2.9), 1.5).normalize();
        [&shape[..], &[q.w, q.i, q.j, q.k], &center].concat()
    };
    let pair = |k: usize| {
        let k = k as f64;
        row(
            &body(k, [0.0; 3]),
            &body(k + 0.5, [0.3, 1.6 + (k * 0.7).sin(), 0.2]),
        )
    };
    (0..count).map(pair).collect()
}

/// Runs the command on a file named `in.csv`.
fn run_on(text: &str, options: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.csv"), text).unwrap();
    superovoid(&[&["pairs", "in.csv"], options].concat(), folder.path())
}

fn refused(rows: &[Vec<String>]) -> String {
    error_of(&run_on(&csv(&columns(), rows), &[]))
}

#[test]
fn spheres_have_closed_form_answers() {
    let cases = [
        (1.0, [0.0, 0.0, 0.0], 0.5, [0.0, 0.0, 3.0]),
        (0.02, [0.1, -0.2, 0.3], 0.03, [0.13, -0.24, 0.3]),
        (2.0, [1.0, 2.0, 3.0], 1.0, [2.0, 4.0, 5.0]),
        // Overlapping, and touching.
        (1.0, [0.0, 0.0, 0.0], 1.0, [0.9, 1.2, 0.0]),
        (1.0, [0.0, 0.0, 0.0], 2.0, [1.0, 2.0, 2.0]),
    ];
    let rows = cases.map(|(ra, ca, rb, cb)| row(&sphere(ra, ca), &sphere(rb, cb)));
    let output = stdout_of(&run_on(&csv(&columns(), &rows), &["--depth", "certified"]));
    let mut lines = output.lines();
    assert_eq!(
        lines.next().unwrap(),
        "distance,ax,ay,az,bx,by,bz,nx,ny,nz,lower,upper,iterations,outcome"
    );
    assert_eq!(output.lines().count(), 1 + cases.len());
    for (line, (ra, ca, rb, cb)) in lines.zip(cases) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), 14, "{line}");
        let number = |k: usize| fields[k].parse::<f64>().unwrap();
        let (ca, cb) = (nalgebra::Vector3::from(ca), nalgebra::Vector3::from(cb));
        let apart = (cb - ca).norm();
        let normal = (cb - ca) / apart;
        // The default tolerance for bodies apart, that of a certified depth otherwise.
        let size: f64 = f64::max(ra, rb);
        let tolerance = size * if apart > ra + rb { 1e-9 } else { 1e-6 };
        let distance = apart - ra - rb;
        assert!((number(0) - distance).abs() <= tolerance, "{line}");
        assert!(
            number(10) <= distance + 1e-15 && distance <= number(11) + 1e-15,
            "{line}"
        );
        assert_eq!(fields[13], "certified", "{line}");
        // A direction is as uncertain as the square root of the distance over the size.
        let slack = size * (2.0 * tolerance / size).sqrt();
        let points = [ca + ra * normal, cb - rb * normal];
        for k in 0..3 {
            assert!((number(1 + k) - points[0][k]).abs() <= slack, "{line}");
            assert!((number(4 + k) - points[1][k]).abs() <= slack, "{line}");
            assert!((number(7 + k) - normal[k]).abs() <= slack / size, "{line}");
        }
        for field in &fields[..12] {
            let digits = field.split('e').next().unwrap();
            let digits = digits.chars().filter(char::is_ascii_digit).count();
            assert_eq!(digits, 17, "{field}");
        }
    }
}

#[test]
fn output_depends_neither_on_threads_nor_on_the_order_of_columns() {
    // Several chunks of work for each thread.
    let (columns, rows) = (columns(), varied_rows(2_000));
    let text = csv(&columns, &rows);
    let one = stdout_of(&run_on(&text, &["--threads", "1"]));
    let two = stdout_of(&run_on(&text, &["--threads", "2"]));
    assert_eq!(one.lines().count(), 2_001);
    assert!(one == two, "one and two threads differ");
    assert!(
        one.lines().any(|line| line.starts_with('-')),
        "some overlap"
    );

    let permute = |row: &[String]| -> Vec<String> {
        // 11 and 28 have no common factor: every column once.
        (0..28).map(|k| row[(11 * k + 5) % 28].clone()).collect()
    };
    let rows: Vec<_> = rows.iter().map(|row| permute(row)).collect();
    let permuted = stdout_of(&run_on(&csv(&permute(&columns), &rows), &[]));
    assert!(
        one == permuted,
        "another order of columns changes the answers"
    );
}

#[test]
fn a_row_is_answered_alone() {
    let rows = varied_rows(20);
    let all = stdout_of(&run_on(&csv(&columns(), &rows), &[]));
    for (k, row) in rows.iter().enumerate() {
        let alone = stdout_of(&run_on(&csv(&columns(), std::slice::from_ref(row)), &[]));
        assert_eq!(alone.lines().nth(1), all.lines().nth(1 + k));
    }
}

/// The schemes answer in the same columns, and agree with the exact solver where they converge.
#[test]
fn methods_can_be_chosen() {
    let text = csv(&columns(), &varied_rows(100));
    let exact = stdout_of(&run_on(&text, &[]));
    assert_eq!(stdout_of(&run_on(&text, &["--method", "exact"])), exact);
    let schemes = [
        "oct-implicit",
        "quad-implicit",
        "quad-parametric",
        "ntb-parametric",
    ];
    for method in schemes {
        for jacobian in ["analytic", "forward-differences"] {
            let options = ["--method", method, "--jacobian", jacobian];
            let output = stdout_of(&run_on(&text, &options));
            assert_eq!(output.lines().count(), exact.lines().count());
            assert_eq!(output.lines().next(), exact.lines().next());
            let mut converged = 0;
            for (line, truth) in output.lines().zip(exact.lines()).skip(1) {
                let fields: Vec<&str> = line.split(',').collect();
                let distance =
                    |line: &str| -> f64 { line.split(',').next().unwrap().parse().unwrap() };
                assert_eq!(fields.len(), 14, "{line}");
                if fields[13] != "not_converged" {
                    // 1e-6 of the larger semi-axis, at most 1.3.
                    assert!(
                        (distance(line) - distance(truth)).abs() < 2e-6,
                        "{line}\n{truth}"
                    );
                    converged += 1;
                }
            }
            assert!(converged >= 95, "{method}, {jacobian}: {converged}");
        }
    }
}

#[test]
fn methods_refuse_what_they_cannot_use() {
    let text = csv(&columns(), &[one_good_row()]);
    let options = ["--method", "ntb-parametric", "--depth", "certified"];
    let error = error_of(&run_on(&text, &options));
    assert_eq!(
        error,
        "--depth certified needs --method exact: ntb-parametric proves no depth"
    );
    let error = error_of(&run_on(&text, &["--jacobian", "analytic"]));
    assert!(
        error.starts_with("--jacobian needs another --method"),
        "{error}"
    );
    let error = error_of(&run_on(&text, &["--as-published"]));
    assert!(
        error.starts_with("--as-published needs another --method"),
        "{error}"
    );
}

/// As published nothing is verified: no answer is certified, and spheres bound it.
#[test]
fn schemes_run_as_published() {
    let text = csv(&columns(), &varied_rows(3));
    for method in [
        "oct-implicit",
        "quad-implicit",
        "quad-parametric",
        "ntb-parametric",
    ] {
        let verified = stdout_of(&run_on(&text, &["--method", method]));
        let believed = stdout_of(&run_on(&text, &["--method", method, "--as-published"]));
        assert_ne!(verified, believed, "{method}");
        assert!(!believed.contains("certified"), "{believed}");
        assert_eq!(believed.lines().count(), verified.lines().count());
    }
}

#[test]
fn byte_order_mark_line_ends_spaces_and_quotes_do_not_matter() {
    let text = csv(&columns(), &varied_rows(3));
    let plain = stdout_of(&run_on(&text, &[]));
    let dressed = text.replace(',', " ,\t").replace('\n', "\r\n");
    let dressed = format!("\u{feff}{dressed}\r\n");
    assert_eq!(stdout_of(&run_on(&dressed, &[])), plain);
    let quoted = text.replace("a_a1", "\"a_a1\"");
    assert_eq!(stdout_of(&run_on(&quoted, &[])), plain);
}

#[test]
fn standard_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let text = csv(&columns(), &varied_rows(3));
    let expected = stdout_of(&run_on(&text, &[]));
    let piped = superovoid_with_input(&["pairs", "-"], folder.path(), text.as_bytes());
    assert_eq!(stdout_of(&piped), expected);
    let error = superovoid_with_input(&["pairs", "-"], folder.path(), b"");
    assert_eq!(
        error_of(&error),
        "standard input: the file is empty; expected a header that names the columns"
    );
}

#[test]
fn a_header_alone_gives_a_header_alone() {
    let output = stdout_of(&run_on(&csv(&columns(), &[]), &[]));
    assert_eq!(
        output,
        "distance,ax,ay,az,bx,by,bz,nx,ny,nz,lower,upper,iterations,outcome\n"
    );
}

#[test]
fn bad_values_name_their_line_and_column() {
    let cases = [
        ("b_px", "abc", "in.csv:3:b_px: \"abc\" is not a number"),
        (
            "a_a1",
            "1,5",
            "in.csv:3: extra value \"3.0\" after column b_pz; the row has 29 values for 28 columns",
        ),
        (
            "a_tx",
            "NaN",
            "in.csv:3:a_tx: \"NaN\" is not a finite number",
        ),
        (
            "b_py",
            "1e999",
            "in.csv:3:b_py: \"1e999\" is not a finite number",
        ),
        (
            "a_qx",
            "",
            "in.csv:3:a_qx: the value is empty; expected a number",
        ),
        (
            "b_a2",
            "-1",
            "in.csv:3:b_a2: a2 = -1: a semi-axis must be finite and greater than 0",
        ),
        (
            "a_e2",
            "2",
            "in.csv:3:a_e2: e2 = 2: an exponent must lie strictly between 0 and 2",
        ),
        (
            "b_ty",
            "1",
            "in.csv:3:b_ty: ty = 1: a taper must lie strictly between -1 and 1",
        ),
    ];
    for (column, value, message) in cases {
        let error = refused(&[one_good_row(), with(column, value)]);
        assert!(error.starts_with(message), "{error}\n{message}");
    }
    let mut zero = one_good_row();
    zero[7..11].fill("0".to_owned());
    let error = refused(&[zero]);
    assert!(
        error.contains("in.csv:2:a_qw: the quaternion of the pose is zero, which is no rotation"),
        "{error}"
    );
}

#[test]
fn a_quaternion_of_any_length_is_the_rotation_of_the_one_of_length_1() {
    let distance = |output: &str| -> f64 {
        let line = output.lines().nth(1).unwrap();
        line.split(',').next().unwrap().parse().unwrap()
    };
    let good = varied_rows(1).remove(0);
    let exact = distance(&stdout_of(&run_on(
        &csv(&columns(), std::slice::from_ref(&good)),
        &[],
    )));
    for length in [1e-200, 1e-3, 0.999_999_7, 1.05, 1e3, 1e200] {
        let mut row = good.clone();
        for number in &mut row[7..11] {
            *number = (number.parse::<f64>().unwrap() * length).to_string();
        }
        let found = distance(&stdout_of(&run_on(&csv(&columns(), &[row]), &[])));
        assert!((found - exact).abs() < 1e-13, "{length}: {found} {exact}");
    }
}

#[test]
fn lines_are_those_of_the_file() {
    // Blank lines are no rows but do count, whatever the line ends.
    for end in ["\n", "\r\n"] {
        let good = one_good_row().join(",");
        let bad = with("b_px", "abc").join(",");
        let header = columns().join(",");
        let text = [
            header,
            String::new(),
            good,
            String::new(),
            bad,
            String::new(),
        ]
        .join(end);
        let error = error_of(&run_on(&text, &[]));
        assert_eq!(error, "in.csv:5:b_px: \"abc\" is not a number", "{end:?}");
    }
}

#[test]
fn short_rows_name_the_first_missing_column() {
    let mut short = one_good_row();
    short.truncate(26);
    let error = refused(&[one_good_row(), one_good_row(), short]);
    assert_eq!(error, "in.csv:4:b_py: missing; the row has 26 of 28 values");
}

#[test]
fn the_header_must_name_every_column_once() {
    let header = |change: &dyn Fn(&mut Vec<String>)| {
        let mut columns = columns();
        change(&mut columns);
        error_of(&run_on(&csv(&columns, &[]), &[]))
    };
    let error = header(&|c| drop(c.remove(7)));
    assert_eq!(
        error,
        "in.csv:1: missing column a_qw; the header must name all 28 columns"
    );
    let error = header(&|c| c.truncate(26));
    assert_eq!(
        error,
        "in.csv:1: missing columns b_py, b_pz; the header must name all 28 columns"
    );
    let error = header(&|c| c[3] = "a_el".to_owned());
    assert!(
        error.starts_with("in.csv:1: unknown column \"a_el\"; the columns,"),
        "{error}"
    );
    let error = header(&|c| c.push("a_e1".to_owned()));
    assert_eq!(error, "in.csv:1: column \"a_e1\" is there twice; keep one");
    let error = error_of(&run_on("", &[]));
    assert_eq!(
        error,
        "in.csv: the file is empty; expected a header that names the columns"
    );
}

#[test]
fn text_in_another_encoding_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = csv(&columns(), &[one_good_row()]).into_bytes();
    bytes.extend(b"1,2,\xb5,4\n");
    let output = superovoid_with_input(&["pairs", "-"], folder.path(), &bytes);
    assert_eq!(
        error_of(&output),
        "standard input:3: value 3 is not UTF-8 text; save the file as UTF-8"
    );
}

#[test]
fn an_error_leaves_the_output_file_and_its_folder_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("out.csv"), "precious").unwrap();
    let rows = [one_good_row(), with("b_px", "abc")];
    fs::write(path("bad.csv"), csv(&columns(), &rows)).unwrap();
    error_of(&superovoid(
        &["pairs", "bad.csv", "--output", "out.csv"],
        folder.path(),
    ));
    assert_eq!(fs::read_to_string(path("out.csv")).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    fs::write(path("good.csv"), csv(&columns(), &rows[..1])).unwrap();
    let output = superovoid(&["pairs", "good.csv", "--output", "out.csv"], folder.path());
    assert_eq!(stdout_of(&output), "");
    let to_file = fs::read_to_string(path("out.csv")).unwrap();
    assert_eq!(
        to_file,
        stdout_of(&superovoid(&["pairs", "good.csv"], folder.path()))
    );
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        3,
        "no temporary file is left"
    );

    let error = error_of(&superovoid(
        &["pairs", "good.csv", "--output", "nowhere/out.csv"],
        folder.path(),
    ));
    assert!(error.starts_with("nowhere/out.csv: "), "{error}");
    let error = error_of(&superovoid(
        &["pairs", "good.csv", "--output", "."],
        folder.path(),
    ));
    assert_eq!(error, ".: is a folder; name a file in it");
}

#[test]
fn bad_arguments_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (vec!["pairs"], "IN.csv"),
        (vec!["pairs", "in.csv", "--threads", "0"], "--threads"),
        (vec!["pairs", "in.csv", "--depth", "deep"], "--depth"),
        (vec!["pairs", "in.csv", "--method", "newton"], "--method"),
        (vec!["pairs", "in.csv", "--tolerance", "-1"], "--tolerance"),
        (vec!["pairs", "in.csv", "--tolerance", "nan"], "--tolerance"),
        (vec!["pairs", "absent.csv"], "absent.csv: "),
    ] {
        let error = error_of(&superovoid(&arguments, folder.path()));
        assert!(error.contains(part), "{error}");
    }
}

/// The reader of the output goes away at once: no panic, no message.
#[test]
#[cfg(unix)]
fn a_broken_pipe_is_quiet() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.csv");
    fs::write(&path, csv(&columns(), &varied_rows(500))).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_superovoid"))
        .arg("pairs")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

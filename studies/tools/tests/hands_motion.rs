//! The motion of the hands, a few moments of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use superovoid::{Contact, Outcome, QueryOptions, contact};
use superovoid_tools::hands_motion::{
    Body, Hands, Judge, Meshes, Moment, Motion, Study, Timeline, Verdict,
};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

static HANDS: LazyLock<Hands> = LazyLock::new(|| {
    Hands::load("superovoids", &repository().join("urdf/icub_hands.urdf")).unwrap()
});

/// Four moments a second.
static MOTION: LazyLock<Motion> = LazyLock::new(|| Motion::plan(&HANDS, 4.0).unwrap());

/// Indices of the moments until contact.
fn until_contact() -> std::ops::RangeInclusive<usize> {
    let moments = &MOTION.moments;
    let contact = moments.iter().position(|m| m.time == MOTION.contact_time);
    0..=contact.unwrap()
}

#[test]
fn the_plan_ends_in_contact_of_the_thumb_tips_where_the_documentation_says() {
    let text = fs::read_to_string(repository().join("docs/reports/icub_hands.md")).unwrap();
    let (_, after) = text
        .split_once("**Contact**, the same with `right_hand_approach` = ")
        .unwrap();
    let documented: f64 = after.split(' ').next().unwrap().parse().unwrap();
    // It is given to 0.01 mm.
    assert!(
        (MOTION.contact - documented).abs() < 1e-5,
        "{} m, documented {documented} m",
        MOTION.contact
    );
    assert_eq!(MOTION.touching, ["l_hand_thumb_3", "r_hand_thumb_3"]);
    let end = MOTION.moments.last().unwrap();
    assert!((end.inward.to_degrees() - 90.0).abs() < 1e-6);
    let times = MOTION.moments.windows(2);
    assert!(times.into_iter().all(|pair| pair[0].time < pair[1].time));
}

#[test]
fn the_clearance_falls_to_nothing_and_then_the_fingers_pass_through_each_other() {
    let timeline = Timeline::of_hands(&HANDS, &MOTION.moments, || ()).unwrap();
    assert_eq!(timeline.failed, 0);
    let contact = *until_contact().end();
    let approach = &timeline.clearance[until_contact()];
    for pair in approach.windows(2) {
        // No faster than the hand moves.
        let advance = 0.05 * (MOTION.moments[1].time - MOTION.moments[0].time);
        assert!(
            pair[1] < pair[0] && pair[0] - pair[1] < advance + 1e-9,
            "{approach:?}"
        );
    }
    assert!((0.0..1e-7).contains(&approach[contact]), "{approach:?}");
    assert!(
        timeline.overlapping[until_contact()]
            .iter()
            .all(|&n| n == 0)
    );
    assert!(timeline.clearance[contact + 1] < 0.0);
    assert!(timeline.overlapping.iter().max() >= Some(&15));
}

/// A mesh with its vertices on the surface lies within the body: it is farther away, by what the facets cut
/// off.
#[test]
fn meshes_of_the_superovoids_are_a_little_farther_apart() {
    let exact = Timeline::of_hands(&HANDS, &MOTION.moments, || ()).unwrap();
    let meshes = Meshes::of_superovoids(&HANDS).unwrap();
    assert_eq!(meshes.vertices(), [266, 266]);
    let meshed = Timeline::of_meshes(&meshes, &HANDS, &MOTION.moments, || ()).unwrap();
    assert_eq!(meshed.failed, 0);
    for (exact, meshed) in exact.clearance.iter().zip(&meshed.clearance) {
        // Depths of two deep bodies take the loss of both, and another direction.
        assert!(
            (-1e-9..1e-3).contains(&(meshed - exact)),
            "{exact} {meshed}"
        );
    }
}

#[test]
fn the_exact_method_is_always_right_and_no_method_is_wrong_unlabelled() {
    let turning = MOTION.moments[*until_contact().end()..].iter();
    let moments: Vec<Moment> = turning.step_by(4).copied().collect();
    let meshes = Meshes::of_superovoids(&HANDS).unwrap();
    let study = Study::run(&HANDS, &moments, Some(&meshes), || ()).unwrap();
    assert!(study.overlapping() > 20 && study.near < study.considered / 10);
    for row in &study.rows {
        let name = format!("{} {}", row.setting.name(), row.setting.start());
        for score in &row.sides {
            let counts = [
                score.right,
                score.not_least,
                score.not_converged,
                score.wrong,
            ];
            assert_eq!(counts.iter().sum::<usize>(), score.pairs, "{name}");
            assert_eq!(score.wrong, 0, "{name}: {counts:?}");
            let least = match row.setting.scheme {
                None => score.pairs,
                Some(_) => score.pairs * 9 / 10,
            };
            assert!(score.right >= least, "{name}: {counts:?}");
        }
    }
    for row in &study.meshes {
        assert_eq!((row.pairs, row.failed), (study.overlapping(), 0));
        assert!(row.missed <= row.pairs / 20, "{row:?}");
    }
}

/// The paper's experiment of one hand and two implementations: tapers that change no bit change no distance, and the row
/// *Superovoids* of its Table 4 stands beside the general code, not beside tapered hands.
#[test]
fn general_and_special_code_answer_alike_on_one_hand() {
    let special = Hands::load(
        "superellipsoids",
        &repository().join("urdf/icub_hands_superellipsoids.urdf"),
    )
    .unwrap();
    let general = special.by_general_code().unwrap();
    assert!(HANDS.by_general_code().is_err());
    let mut compared = 0;
    for moment in MOTION.moments.iter().step_by(3) {
        let [a, b] = [&special, &general].map(|hands| hands.at(moment).unwrap());
        for &[left, right] in special.pairs.iter().step_by(7) {
            let ask = |bodies: &[Body]| {
                let [p, q] = [left, right].map(|k| &bodies[k]);
                contact(
                    &p.shape,
                    &p.pose,
                    &q.shape,
                    &q.pose,
                    &QueryOptions::default(),
                    None,
                )
                .unwrap()
            };
            let [by_special, by_general] = [ask(&a), ask(&b)];
            assert!(a[left].shape.tapers() == [0.0; 2] && b[left].shape.tapers() != [0.0; 2]);
            if by_special.distance > 0.0 {
                let off = (by_special.distance - by_general.distance).abs();
                assert!(off < 1e-10, "{off}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// The judge must refuse right answers that were altered.
#[test]
fn altered_answers_are_wrong() {
    /// Metres; the shapes are some 16 mm long.
    const SHIFT: f64 = 1e-5;
    type Alteration = fn(&mut Contact);
    let alterations: [Alteration; 5] = [
        |c| c.distance -= SHIFT,
        |c| c.distance += SHIFT,
        |c| c.normal = -c.normal,
        // Off both surfaces.
        |c| {
            c.point_a += c.normal.into_inner() * SHIFT;
            c.point_b += c.normal.into_inner() * SHIFT;
        },
        // Consistent in itself, and farther apart than the bodies are.
        |c| {
            c.distance += SHIFT;
            c.point_b += c.normal.into_inner() * SHIFT;
        },
    ];
    let judge = Judge::new(&HANDS);
    let mut judged = 0;
    for moment in MOTION.moments.iter().step_by(3) {
        let bodies = HANDS.at(moment).unwrap();
        for &[a, b] in HANDS.pairs.iter().step_by(50) {
            let ([a_, b_], options) = ([&bodies[a], &bodies[b]], QueryOptions::default());
            let ask = |a: &Body, b: &Body| {
                contact(&a.shape, &a.pose, &b.shape, &b.pose, &options, None).unwrap()
            };
            let answer = ask(a_, b_);
            let truth = judge.truth([a, b], &bodies, []);
            assert_eq!(truth.verdict(&answer), Verdict::Right, "{answer:?}");
            for alter in alterations {
                let mut altered = answer;
                alter(&mut altered);
                assert_eq!(truth.verdict(&altered), Verdict::Wrong, "{altered:?}");
            }
            let mut given_up = answer;
            given_up.outcome = Outcome::NotConverged;
            assert_eq!(truth.verdict(&given_up), Verdict::NotConverged);
            judged += 1;
        }
    }
    assert!(judged > 50, "{judged}");
}

/// The program, once; one model is both of those that may have tapers.
#[test]
fn the_program_writes_its_report_and_refuses_what_is_not_there() {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hands_motion");
    let urdf = repository().join("urdf/icub_hands.urdf");
    let untapered = repository().join("urdf/icub_hands_superellipsoids.urdf");
    let run = |urdf: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hands_motion"));
        for version in ["--superovoids", "--mixed"] {
            command.arg(version).arg(urdf);
        }
        command.arg("--superellipsoids").arg(&untapered);
        command.args(more).output().unwrap()
    };
    let ran = run(
        &urdf,
        &["--rate", "1", "--output", output.to_str().unwrap()],
    );
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let report = fs::read_to_string(output.join("hands_motion.md")).unwrap();
    assert_eq!(
        String::from_utf8(ran.stdout).unwrap().trim_end(),
        report.trim_end()
    );
    for part in [
        "## Clearance over time",
        "| exact | warm | 100.00 % |",
        "123.5",
        "### Superellipsoids by the code for tapered bodies",
    ] {
        assert!(report.contains(part), "{part}");
    }
    for plot in ["hands_motion_clearance.svg", "hands_motion_times.svg"] {
        let svg = fs::read_to_string(output.join(plot)).unwrap();
        assert!(svg.contains("<svg") && !svg.contains("NaN"), "{plot}");
    }

    let missing = run(Path::new("no such file.urdf"), &[]);
    let error = String::from_utf8(missing.stderr).unwrap();
    assert!(
        !missing.status.success() && error.contains("no such file.urdf"),
        "{error}"
    );
    let still = run(&urdf, &["--rate", "0"]);
    let error = String::from_utf8(still.stderr).unwrap();
    assert!(
        !still.status.success() && error.contains("rate = 0"),
        "{error}"
    );
}

//! What holds for every text, whatever it is.

use superovoid_robot::{Robot, UrdfError, UrdfLimits, Warning};

/// Reads a text and checks what must hold of the answer.
pub fn read(text: &str) -> Result<Robot, UrdfError> {
    let result = Robot::from_urdf_str(text);
    match &result {
        Ok(robot) => {
            survives_writing(robot);
            moves_or_says_why_not(robot);
            warnings_lie_within(robot.warnings(), text);
        }
        Err(error) => tells_where_and_why(error, text),
    }
    result
}

/// The parts of a robot to the last bit: `{:?}` tells −0 from 0, which `==` does not.
fn parts(robot: &Robot) -> String {
    let parts = (robot.links(), robot.joints(), robot.materials());
    format!("{:?} {parts:?}", robot.name())
}

/// Read, written and read again it is the same robot, and the text is the same too.
pub fn survives_writing(robot: &Robot) {
    let written = robot.to_urdf();
    let again = Robot::from_urdf_str_with(&written, &UrdfLimits::NONE)
        .unwrap_or_else(|error| panic!("what was written is refused: {error}\n{written}"));
    assert!(again == *robot, "changed by writing:\n{written}");
    assert_eq!(parts(&again), parts(robot), "changed by writing");
    assert_eq!(again.to_urdf(), written, "written otherwise a second time");
    // Only what is in names and stays there, and reversed limits, which are written as they were.
    let mut warnings = again.warnings().iter();
    let stays = |message: &str| message.contains("xacro") || message.contains("are reversed");
    assert!(warnings.all(|warning| stays(&warning.message)), "{written}");
}

fn moves_or_says_why_not(robot: &Robot) {
    let poses = match robot.forward_kinematics(&robot.neutral()) {
        Ok(poses) => poses,
        Err(error) => return assert!(error.to_string().contains("not finite"), "{error}"),
    };
    assert_eq!(poses.len(), robot.links().len());
    for pose in poses {
        let numbers = pose.translation.vector.iter().chain(&pose.rotation.coords);
        assert!(numbers.into_iter().all(|x| x.is_finite()), "{pose}");
        assert!((pose.rotation.norm() - 1.0).abs() < 1e-9, "{pose}");
    }
}

/// An error of a text has a place in it, told once, and says enough and not too much.
pub fn tells_where_and_why(error: &UrdfError, text: &str) {
    let message = error.to_string();
    let (line, column) = error
        .position
        .expect("a text was given, so there is a place");
    assert!(is_within(text, line, column), "no such place: {message}");
    let start = format!("line {line}, column {column}: ");
    let why = message.strip_prefix(&start).expect("the place comes first");
    assert!((5..2000).contains(&why.chars().count()), "{message}");
    let place = why
        .split(" at ")
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    assert!(!place, "the place is told twice: {message}");
}

/// Warnings have a place in the text, and are not too long.
pub fn warnings_lie_within(warnings: &[Warning], text: &str) {
    for warning in warnings {
        assert!(is_within(text, warning.line, warning.column), "{warning}");
        assert!(warning.message.chars().count() < 1000, "{warning}");
    }
}

/// Whether a place is one of a character, or the end of a line.
fn is_within(text: &str, line: u32, column: u32) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = text.split('\n').nth(line as usize - 1);
    line.is_some_and(|line| column >= 1 && column as usize <= line.chars().count() + 1)
}

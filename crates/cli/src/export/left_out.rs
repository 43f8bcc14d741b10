//! What of a robot its reader leaves out.

use superovoid_robot::{Link, Robot};

/// Returns what is to be said of the parts of a URDF file that its reader leaves out, such as `<gazebo>` and
/// `<transmission>`, and that no format gets.
pub fn left_out(robot: &Robot) -> Option<String> {
    let [first, others @ ..] = robot.warnings() else {
        return None;
    };
    Some(match others.len() {
        0 => format!("the reader says: {first}"),
        more => {
            format!(
                "the reader says: {first}; and {more} things more, which `superovoid check` lists"
            )
        }
    })
}

/// Whether a link has neither mass nor shape.
pub fn is_empty(link: &Link) -> bool {
    link.inertial.is_none() && link.visuals.is_empty() && link.collisions.is_empty()
}

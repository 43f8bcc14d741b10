//! Names of links and joints, which SDF keeps in one room.

use crate::export::is_empty;
use anyhow::{Result, ensure};
use std::collections::HashSet;
use superovoid_robot::Robot;

/// The names of the joints in SDF; links keep theirs.
pub struct Names {
    /// The names, in the order of [`Robot::joints`].
    pub joints: Vec<String>,
    /// The joints that are called otherwise than in the robot.
    pub notes: Vec<String>,
}

impl Names {
    /// Returns the names. A joint that is called like a link gets `_joint` at its end, as with Gazebo's reader of URDF.
    ///
    /// # Errors
    /// The error names a link, joint or robot whose name SDF does not allow.
    pub fn new(robot: &Robot) -> Result<Self> {
        allowed("the robot", robot.name(), &["world"])?;
        let mut taken: HashSet<String> = HashSet::new();
        for (index, link) in robot.links().iter().enumerate() {
            // The root that is called world and has nothing in it is the world.
            let reserved: &[_] = if index == robot.root() && is_empty(link) {
                &[]
            } else {
                &["world"]
            };
            allowed("link", &link.name, reserved)?;
            taken.insert(link.name.clone());
        }
        // A joint keeps its name before another one takes it.
        let own = robot.joints().iter().map(|joint| joint.name.clone());
        let own: HashSet<String> = own.collect();
        let mut names = Names {
            joints: Vec::new(),
            notes: Vec::new(),
        };
        for joint in robot.joints() {
            allowed("joint", &joint.name, &["world"])?;
            let mut name = joint.name.clone();
            while taken.contains(&name) || (name != joint.name && own.contains(&name)) {
                name.push_str("_joint");
            }
            if name != joint.name {
                names.notes.push(format!(
                    "joint {:?} is called {name:?}, because a link has its name",
                    joint.name
                ));
            }
            taken.insert(name.clone());
            names.joints.push(name);
        }
        Ok(names)
    }
}

fn allowed(what: &str, name: &str, reserved: &[&str]) -> Result<()> {
    let underscored = name.len() > 3 && name.starts_with("__") && name.ends_with("__");
    ensure!(
        !underscored && !reserved.contains(&name),
        "{what} {name:?}: SDF reserves this name; rename it"
    );
    ensure!(
        !name.contains("::"),
        "{what} {name:?}: SDF has \"::\" between a model and its parts; rename it"
    );
    ensure!(
        name == name.trim() && !name.chars().any(char::is_control),
        "{what} {name:?}: SDF cannot have a name with white space at its ends or control characters; rename it"
    );
    Ok(())
}

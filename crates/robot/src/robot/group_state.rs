//! The reader of the poses in SRDF files, `<group_state>`.

use super::error::{ConfigurationError, RobotError, UrdfError, UrdfProblem, quoted};
use super::kinematics::{Configuration, JointPosition};
use super::limits::UrdfLimits;
use super::read::{attribute_of, elements, known, read_file};
use super::robot::Robot;
use super::srdf::{Node, Reader, read};
use std::collections::HashSet;
use std::path::Path;
use superovoid::pose::from_quaternion;

/// A named pose of a group of joints in an SRDF file, such as `ready`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroupState {
    /// The name of the pose.
    pub name: String,
    /// The name of the group of joints.
    pub group: String,
    /// The joints and their positions, without the virtual joints of the file, which move the robot as a whole.
    pub positions: Vec<(String, JointPosition)>,
    /// The line and column of the element, from 1.
    pub position: (u32, u32),
}

impl GroupState {
    /// Reads the states of an SRDF file, in the order of the file, within the default [`UrdfLimits`].
    ///
    /// # Errors
    /// The error names a file that cannot be read, or the place that [`GroupState::from_srdf_str`] rejects.
    pub fn from_srdf_file(path: impl AsRef<Path>) -> Result<Vec<Self>, UrdfError> {
        let limits = UrdfLimits::default();
        read_file(path.as_ref(), &limits, |text| {
            read(text, &limits, Self::all)
        })
    }

    /// Reads the states of the text of an SRDF file. A value is one number (radians or metres), the three of a planar joint
    /// (x, y, yaw), or the seven of a floating one (x, y, z and the quaternion x, y, z, w).
    ///
    /// # Errors
    /// The error names the place of what [`Srdf::from_srdf_str`](super::Srdf::from_srdf_str) refuses of any file, of an attribute that is
    /// missing, and of a value of another form.
    ///
    /// ```
    /// use superovoid_robot::GroupState;
    ///
    /// let states = GroupState::from_srdf_str(
    ///     r#"<robot name="arm">
    ///          <group_state name="ready" group="arm"><joint name="elbow" value="0.5"/></group_state>
    ///        </robot>"#,
    /// )?;
    /// assert_eq!(states[0].positions, [("elbow".to_owned(), 0.5.into())]);
    /// # Ok::<(), superovoid_robot::UrdfError>(())
    /// ```
    pub fn from_srdf_str(text: &str) -> Result<Vec<Self>, UrdfError> {
        read(text, &UrdfLimits::default(), Self::all)
    }

    /// Returns the configuration with these positions; other joints are in their neutral position, and joints that mimic
    /// follow, whatever the file says of them.
    ///
    /// # Errors
    /// The errors are those of [`Configuration::set`].
    pub fn configuration(&self, robot: &Robot) -> Result<Configuration, ConfigurationError> {
        let mut configuration = robot.neutral();
        for (joint, position) in &self.positions {
            let index = robot.joint_index(joint);
            if index.is_none_or(|index| robot.follows(index).is_none()) {
                configuration.set(joint, *position)?;
            }
        }
        Ok(configuration)
    }

    fn all(reader: &Reader) -> Result<Vec<Self>, UrdfError> {
        let root = reader.root;
        let named = |name: &'static str| elements(root).filter(move |n| known(*n, root) == name);
        let moved_whole: HashSet<&str> = named("virtual_joint")
            .filter_map(|node| attribute_of(node, "name"))
            .collect();
        let states = named("group_state").map(|node| {
            let joints = elements(node).filter(|joint| known(*joint, root) == "joint");
            let mut positions = Vec::new();
            for joint in joints {
                let name = reader.attribute(joint, "name", "the name of a joint")?;
                if positions.iter().any(|(other, _)| *other == name) {
                    let element = "joint";
                    let problem = RobotError::DuplicateName { element, name };
                    return Err(reader.error(joint, UrdfProblem::Robot(problem)));
                }
                if !moved_whole.contains(name.as_str()) {
                    positions.push((name, position(reader, joint)?));
                }
            }
            Ok(GroupState {
                name: reader.attribute(node, "name", "the name of the state")?,
                group: reader.attribute(node, "group", "the name of a group")?,
                positions,
                position: reader.position(node),
            })
        });
        states.collect()
    }
}

/// Returns the value of a joint in a state.
fn position<'a>(reader: &Reader<'a>, joint: Node<'a>) -> Result<JointPosition, UrdfError> {
    let value = reader.attribute(joint, "value", "the position of the joint")?;
    let number = |word: &str| word.parse().ok().filter(|x: &f64| x.is_finite());
    let numbers: Option<Vec<f64>> = value.split_ascii_whitespace().map(number).collect();
    let read = match *numbers.unwrap_or_default() {
        [q] => Some(JointPosition::Scalar(q)),
        [x, y, yaw] => Some(JointPosition::Planar([x, y, yaw])),
        [x, y, z, i, j, k, w] => from_quaternion([x, y, z], [i, j, k, w])
            .ok()
            .map(JointPosition::Floating),
        _ => None,
    };
    read.ok_or_else(|| {
        let problem = RobotError::Value {
            owner: format!(
                "joint {}",
                quoted(attribute_of(joint, "name").unwrap_or_default())
            ),
            element: reader.tag(joint),
            attribute: "value".to_owned(),
            value,
            expected:
                "one finite number, the three of a planar joint, or the seven of a floating one"
                    .to_owned(),
        };
        reader.error(joint, UrdfProblem::Robot(problem))
    })
}

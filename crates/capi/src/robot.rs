//! Robots: URDF and kinematics.

use super::memory::{Out, Strided, StridedOut, free, with_capacity};
use super::pose::sovo_pose;
use super::shape::sovo_superovoid;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use std::ffi::{CStr, CString, c_char};
use superovoid_robot::{
    ConfigurationError, JointKind, Robot, UncheckedCollision, UrdfError, UrdfProblem,
};

/// A robot read from a URDF: links joined into one tree, their collision shapes and the data that clearances need. A
/// robot is immutable, so that threads can share it. Its links, joints, bodies, warnings and unchecked shapes are
/// numbered from 0 in the order of the file.
pub struct sovo_robot {
    pub(super) robot: Robot,
    name: CString,
    pub(super) links: Vec<CString>,
    pub(super) joints: Vec<CString>,
    bodies: Vec<sovo_superovoid_body>,
    warnings: Vec<CString>,
    unchecked: Vec<CString>,
}

impl sovo_robot {
    pub(super) fn new(robot: Robot) -> Result<Self, Failure> {
        let bodies = robot.superovoid_bodies();
        let largest = robot.links().len().max(robot.joints().len());
        let largest = largest.max(bodies.len()).max(robot.warnings().len());
        // The last number stands for none.
        if largest >= u32::MAX as usize {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_SIZE,
                format!("the robot has {largest} parts of one kind: too many to number"),
            ));
        }
        let bodies = bodies.into_iter().map(|body| sovo_superovoid_body {
            link: number(body.link),
            collision: number(body.collision),
            shape: sovo_superovoid::of(&body.shape),
            pose: sovo_pose::of(&body.pose),
        });
        let left_out = robot.unchecked();
        Ok(sovo_robot {
            name: text(robot.name()),
            links: robot.links().iter().map(|link| text(&link.name)).collect(),
            joints: robot.joints().iter().map(|j| text(&j.name)).collect(),
            bodies: bodies.collect(),
            warnings: texts(robot.warnings().iter()),
            unchecked: left_out
                .iter()
                .map(|s| text(&describe(&robot, s)))
                .collect(),
            robot,
        })
    }
}

/// An index of a part that was counted when the robot was read.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Returns what the parts say, as texts in the form of C.
pub(super) fn texts<T: ToString>(parts: impl Iterator<Item = T>) -> Vec<CString> {
    parts.map(|part| text(&part.to_string())).collect()
}

/// A text in the form of C. XML forbids a zero within.
pub(super) fn text(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

fn describe(robot: &Robot, shape: &UncheckedCollision) -> String {
    let link = &robot.links()[shape.link].name;
    let (collision, element) = (shape.collision + 1, shape.geometry.element());
    format!("link {link:?}, collision {collision}: {element}")
}

impl From<UrdfError> for Failure {
    fn from(error: UrdfError) -> Self {
        let status = match *error.problem {
            UrdfProblem::Io(_) => SOVO_STATUS_ERROR_FILE,
            UrdfProblem::Encoding => SOVO_STATUS_ERROR_TEXT,
            _ => SOVO_STATUS_ERROR_URDF,
        };
        Failure::other(status, error.to_string())
    }
}

impl From<ConfigurationError> for Failure {
    fn from(error: ConfigurationError) -> Self {
        let status = match error {
            ConfigurationError::Count { .. } => SOVO_STATUS_ERROR_SIZE,
            _ => SOVO_STATUS_ERROR_CONFIGURATION,
        };
        Failure::other(status, error.to_string())
    }
}

/// Returns the robot behind a handle.
///
/// # Safety
/// The handle must be NULL, or one that is not freed while the reference is used.
pub(super) unsafe fn robot_of<'a>(robot: *const sovo_robot) -> Result<&'a sovo_robot, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { robot.as_ref() }.ok_or(Failure::Null("robot"))
}

/// Returns the part of this number.
pub(super) fn part<'a, T>(parts: &'a [T], index: u32, kind: &str) -> Result<&'a T, Failure> {
    parts.get(index as usize).ok_or_else(|| {
        let count = parts.len();
        Failure::other(
            SOVO_STATUS_ERROR_CONFIGURATION,
            format!("{kind} {index}: there are {count}, numbered from 0"),
        )
    })
}

/// Calls `find` with the robot and writes what it returns.
///
/// # Safety
/// The requirements are those of [`robot_of`]; `out` must be NULL or point to memory for a `T`.
pub(super) unsafe fn tell<T>(
    robot: *const sovo_robot,
    (out, name): (*mut T, &'static str),
    find: impl FnOnce(&sovo_robot) -> Result<T, Failure>,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it.
        let robot = unsafe { robot_of(robot) }?;
        let out = Out::new(out, name)?;
        let found = find(robot)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Reads a text that ends with a zero.
///
/// # Safety
/// The pointer must be NULL, or point to a zero or to bytes that are followed by one, which nothing changes while the
/// text is used.
pub(super) unsafe fn read_text<'a>(
    pointer: *const c_char,
    name: &'static str,
) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: The caller guarantees it.
    utf8(unsafe { CStr::from_ptr(pointer) }.to_bytes(), name)
}

/// Reads texts, each of which ends with a zero.
///
/// # Safety
/// The pointers must be as the header demands.
pub(super) unsafe fn read_texts<'a>(
    first: *const *const c_char,
    count: usize,
    name: &'static str,
) -> Result<Vec<&'a str>, Failure> {
    let places = Strided::new(first, count, size_of::<*const c_char>(), name)?;
    let mut texts = with_capacity(count)?;
    for k in 0..count {
        // SAFETY: The caller guarantees it.
        let read = unsafe { read_text(places.get(k), name) };
        texts.push(read.map_err(|failure| Failure::Element(k, Box::new(failure)))?);
    }
    Ok(texts)
}

/// Reads a text of length bytes.
///
/// # Safety
/// The pointer must be NULL, or point to length bytes which nothing changes while the text is used.
pub(super) unsafe fn read_bytes<'a>(
    text: *const c_char,
    length: usize,
) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::Null("text"));
    }
    if length > isize::MAX as usize {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_SIZE,
            format!("length = {length}: more than memory holds"),
        ));
    }
    // SAFETY: The caller guarantees it; not NULL, within an address space.
    utf8(
        unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) },
        "text",
    )
}

fn utf8<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, Failure> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Failure::other(
            SOVO_STATUS_ERROR_TEXT,
            format!("{name} is not UTF-8: byte {at} belongs to no character"),
        )
    })
}

/// Reads a robot from a URDF file; path is UTF-8 and ends with a zero. Superovoids stand next to geometry in
/// collision elements; spheres are superovoids too, and meshes are not checked for contact until
/// sovo_robot_with_meshes() or sovo_robot_with_mesh_files() has added them (see sovo_robot_unchecked()). The robot must be freed with sovo_robot_free().
///
/// SOVO_STATUS_ERROR_FILE: the file cannot be read. SOVO_STATUS_ERROR_TEXT: the path or the file is not UTF-8.
/// SOVO_STATUS_ERROR_URDF: any other error; the text gives line, column and what was expected there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_load(
    path: *const c_char,
    robot: *mut *mut sovo_robot,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let path = unsafe { read_text(path, "path") }?;
        let out = Out::new(robot, "robot")?;
        let made = sovo_robot::new(Robot::from_urdf_file(path)?)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Reads a robot from the text of a URDF file: length bytes of UTF-8, which need not end with a zero. Everything else
/// is as for sovo_robot_load().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_parse(
    text: *const c_char,
    length: usize,
    robot: *mut *mut sovo_robot,
) -> sovo_status {
    guarded(|| {
        let out = Out::new(robot, "robot")?;
        // SAFETY: As above, the caller guarantees it.
        let text = unsafe { read_bytes(text, length) }?;
        let made = sovo_robot::new(Robot::from_urdf_str(text)?)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Frees a robot and its texts; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_free(robot: *mut sovo_robot) {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { free(robot) }
}

/// Writes the robot as a URDF document, in which superovoids stand next to geometry: length is set to its bytes,
/// without the zero at its end. buffer has room for capacity bytes; NULL with a capacity of 0 requests the length
/// only.
///
/// SOVO_STATUS_ERROR_SIZE: a capacity that is neither 0 nor greater than the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_urdf(
    robot: *const sovo_robot,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and in all that follows.
        let robot = unsafe { robot_of(robot) }?;
        let places = StridedOut::new(buffer.cast::<u8>(), capacity, 1, "buffer")?;
        let out = Out::new(length, "length")?;
        let urdf = robot.robot.to_urdf();
        if capacity > 0 {
            if capacity <= urdf.len() {
                return Err(Failure::other(
                    SOVO_STATUS_ERROR_SIZE,
                    format!(
                        "capacity = {capacity}: the document takes {}",
                        urdf.len() + 1
                    ),
                ));
            }
            // SAFETY: as above; there is room for the bytes and a zero.
            unsafe { places.write_all(urdf.bytes().chain([0])) };
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(urdf.len()) };
        Ok(())
    })
}

/// What a robot consists of.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_robot_info {
    /// The name of the robot. This text and those of the functions below belong to the robot and are freed with it.
    pub name: *const c_char,
    /// The number of links.
    pub link_count: u32,
    /// The number of joints.
    pub joint_count: u32,
    /// The number of superovoids among the collision shapes, for sovo_robot_body().
    pub body_count: u32,
    /// The number of warnings of the reader, for sovo_robot_warning().
    pub warning_count: u32,
    /// The number of collision shapes that are not checked for contact, for sovo_robot_unchecked().
    pub unchecked_count: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// The number of numbers of a configuration; sovo_robot_joint() tells which of them belong to a joint.
    pub position_count: usize,
    /// The number of velocities of a configuration: that of its positions, but six for a floating joint.
    pub velocity_count: usize,
}

/// Writes what a robot consists of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_describe(
    robot: *const sovo_robot,
    info: *mut sovo_robot_info,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (info, "info"), |robot| {
            Ok(sovo_robot_info {
                name: robot.name.as_ptr(),
                link_count: number(robot.links.len()),
                joint_count: number(robot.joints.len()),
                body_count: number(robot.bodies.len()),
                warning_count: number(robot.warnings.len()),
                unchecked_count: number(robot.unchecked.len()),
                reserved: 0,
                position_count: robot.robot.position_count(),
                velocity_count: robot.robot.velocity_count(),
            })
        })
    }
}

/// A link.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_link {
    /// The name.
    pub name: *const c_char,
    /// The joint that moves it; UINT32_MAX for the root, which no joint moves.
    pub parent_joint: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

/// Writes the description of a link. SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_link(
    robot: *const sovo_robot,
    index: u32,
    link: *mut sovo_link,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (link, "link"), |robot| {
            let name = part(&robot.links, index, "link")?.as_ptr();
            let parent = robot.robot.parent_joint(index as usize);
            Ok(sovo_link {
                name,
                parent_joint: parent.map_or(u32::MAX, number),
                reserved: 0,
            })
        })
    }
}

/// Finds the link of a name. SOVO_STATUS_ERROR_CONFIGURATION: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_link_index(
    robot: *const sovo_robot,
    name: *const c_char,
    link: *mut u32,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (link, "link"), |robot| {
            let name = read_text(name, "name")?;
            let found = robot.robot.link_index(name);
            found.map(number).ok_or_else(|| unknown("link", name))
        })
    }
}

fn unknown(kind: &str, name: &str) -> Failure {
    Failure::other(
        SOVO_STATUS_ERROR_CONFIGURATION,
        format!("the robot has no {kind} {name:?}"),
    )
}

/// The types of joint.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_joint_kind {
    /// The joint has no motion and no position.
    SOVO_JOINT_KIND_FIXED = 0,
    /// The joint rotates about the axis within limits; its position is one number, radians.
    SOVO_JOINT_KIND_REVOLUTE = 1,
    /// The joint rotates about the axis without limits; its position is one number, radians.
    SOVO_JOINT_KIND_CONTINUOUS = 2,
    /// The joint translates along the axis within limits; its position is one number, metres.
    SOVO_JOINT_KIND_PRISMATIC = 3,
    /// The joint has all six degrees of freedom; its position is seven numbers: translation, metres, and unit
    /// quaternion x, y, z, w.
    SOVO_JOINT_KIND_FLOATING = 4,
    /// The joint moves in the plane normal to the axis; its position is three numbers: x and y, metres, and yaw,
    /// radians.
    SOVO_JOINT_KIND_PLANAR = 5,
}
use sovo_joint_kind::*;

/// A joint.
///
/// A configuration of the robot is one array of numbers in which every joint that can be set has its place, in the
/// order of the file. A joint that mimics another one cannot be set: its position is multiplier times that of the
/// joint that it follows, plus offset.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_joint {
    /// The name.
    pub name: *const c_char,
    /// The type, a sovo_joint_kind.
    pub kind: u32,
    /// The parent link.
    pub parent_link: u32,
    /// The child link, which the joint moves.
    pub child_link: u32,
    /// 1 if the position has limits, otherwise 0.
    pub has_range: u32,
    /// The least position, radians or metres; 0 without limits.
    pub lower: f64,
    /// The greatest position, radians or metres; 0 without limits.
    pub upper: f64,
    /// 1 if the joint follows another joint, otherwise 0.
    pub mimics: u32,
    /// The joint that it follows in the end, which itself follows none; UINT32_MAX if it does not mimic.
    pub source: u32,
    /// The factor of the source's position; 1 if it does not mimic.
    pub multiplier: f64,
    /// The offset, radians or metres; 0 if it does not mimic.
    pub offset: f64,
    /// The index of its first number in a configuration.
    pub first_position: u32,
    /// The number of its numbers: 0, 1, 3 or 7.
    pub position_count: u32,
}

/// Finds the joint of a name. SOVO_STATUS_ERROR_CONFIGURATION: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_joint_index(
    robot: *const sovo_robot,
    name: *const c_char,
    joint: *mut u32,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (joint, "joint"), |robot| {
            let name = read_text(name, "name")?;
            let found = robot.robot.joint_index(name);
            found.map(number).ok_or_else(|| unknown("joint", name))
        })
    }
}

/// Writes the description of a joint, with its place in a configuration. SOVO_STATUS_ERROR_CONFIGURATION: an index that
/// the robot does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_joint(
    robot: *const sovo_robot,
    index: u32,
    joint: *mut sovo_joint,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (joint, "joint"), |robot| {
            let name = part(&robot.joints, index, "joint")?;
            Ok(joint_of(&robot.robot, index as usize, name))
        })
    }
}

fn joint_of(robot: &Robot, index: usize, name: &CStr) -> sovo_joint {
    let joint = &robot.joints()[index];
    let link = |name: &str| robot.link_index(name).map_or(u32::MAX, number);
    let range = joint.range();
    let [lower, upper] = range.unwrap_or_default();
    let follows = robot.follows(index);
    let (source, multiplier, offset) = follows.unwrap_or((usize::MAX, 1.0, 0.0));
    let numbers = robot.position_range(index).unwrap_or_default();
    let kind = match joint.kind {
        JointKind::Fixed => SOVO_JOINT_KIND_FIXED,
        JointKind::Revolute => SOVO_JOINT_KIND_REVOLUTE,
        JointKind::Continuous => SOVO_JOINT_KIND_CONTINUOUS,
        JointKind::Prismatic => SOVO_JOINT_KIND_PRISMATIC,
        JointKind::Floating => SOVO_JOINT_KIND_FLOATING,
        JointKind::Planar => SOVO_JOINT_KIND_PLANAR,
    };
    sovo_joint {
        name: name.as_ptr(),
        kind: kind as u32,
        parent_link: link(&joint.parent),
        child_link: link(&joint.child),
        has_range: u32::from(range.is_some()),
        lower,
        upper,
        mimics: u32::from(follows.is_some()),
        source: number(source),
        multiplier,
        offset,
        first_position: number(numbers.start),
        position_count: number(numbers.len()),
    }
}

/// A superovoid among the collision shapes of a robot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_superovoid_body {
    /// The link to which it belongs.
    pub link: u32,
    /// The index among the link's collision elements, from 0.
    pub collision: u32,
    /// The shape.
    pub shape: sovo_superovoid,
    /// The pose in the frame of the link.
    pub pose: sovo_pose,
}

/// Writes a superovoid among the collision shapes; those of other kinds are not told.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_body(
    robot: *const sovo_robot,
    index: u32,
    body: *mut sovo_superovoid_body,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (body, "body"), |robot| {
            part(&robot.bodies, index, "body").copied()
        })
    }
}

/// Writes a warning of the reader: about parts of the file that the robot does not hold, each with line and column, and
/// about forms other than the one that sovo_robot_urdf() writes.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_warning(
    robot: *const sovo_robot,
    index: u32,
    warning: *mut *const c_char,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (warning, "warning"), |robot| {
            Ok(part(&robot.warnings, index, "warning")?.as_ptr())
        })
    }
}

/// Writes a description of a collision shape that is not checked for contact: its link, its number among the link's
/// collision elements, counted from 1 as in the texts of errors and warnings, and its kind, such as: link "base",
/// collision 1: mesh
///
/// SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_unchecked(
    robot: *const sovo_robot,
    index: u32,
    shape: *mut *const c_char,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        tell(robot, (shape, "shape"), |robot| {
            Ok(part(&robot.unchecked, index, "unchecked shape")?.as_ptr())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_within_a_text_does_not_end_it() {
        assert_eq!(text("a\0b").as_bytes(), b"a?b");
    }

    #[test]
    fn an_index_that_does_not_fit_stands_for_none() {
        assert_eq!(number(7), 7);
        assert_eq!(number(usize::MAX), u32::MAX);
    }

    #[test]
    fn errors_keep_their_meaning() {
        let io = std::io::Error::from(std::io::ErrorKind::NotFound);
        for (problem, expected) in [
            (UrdfProblem::Io(io), SOVO_STATUS_ERROR_FILE),
            (UrdfProblem::Encoding, SOVO_STATUS_ERROR_TEXT),
            (UrdfProblem::Doctype, SOVO_STATUS_ERROR_URDF),
        ] {
            let mut error = Robot::from_urdf_str("").unwrap_err();
            error.problem = Box::new(problem);
            assert_eq!(Failure::from(error).status(), expected);
        }
    }

    #[test]
    fn a_handle_is_shared_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Robot>();
        shared::<CString>();
        shared::<sovo_superovoid_body>();
    }
}

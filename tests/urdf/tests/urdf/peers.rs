//! Other readers, brought to one form, and forward kinematics that share no code with the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use superovoid_robot::{JointPosition, Robot};

/// A robot as another reader has it.
pub struct Peer {
    pub links: BTreeSet<String>,
    pub joints: Vec<PeerJoint>,
}

pub struct PeerJoint {
    pub name: String,
    pub kind: String,
    pub parent: String,
    pub child: String,
    pub origin: Pose,
    /// As written, of any length.
    pub axis: [f64; 3],
    pub limits: [f64; 2],
    /// Joint, multiplier and offset.
    pub mimic: Option<(String, f64, f64)>,
}

/// A rotation matrix by rows and a translation.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    pub rotation: [[f64; 3]; 3],
    pub translation: [f64; 3],
}

impl Pose {
    pub const IDENTITY: Pose = Pose {
        rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [0.0; 3],
    };

    fn then(&self, next: &Pose) -> Pose {
        let mut product = Pose {
            rotation: [[0.0; 3]; 3],
            translation: self.translation,
        };
        for i in 0..3 {
            for k in 0..3 {
                product.translation[i] += self.rotation[i][k] * next.translation[k];
                for j in 0..3 {
                    product.rotation[i][j] += self.rotation[i][k] * next.rotation[k][j];
                }
            }
        }
        product
    }

    /// Rotation by `angle` about a unit axis (Rodrigues): `R = c I + s [n]× + (1 − c) n nᵀ`.
    fn turn(n: [f64; 3], angle: f64) -> Pose {
        let (s, c) = angle.sin_cos();
        let cross = [[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]];
        let mut pose = Pose::IDENTITY;
        for i in 0..3 {
            for j in 0..3 {
                let identity = if i == j { c } else { 0.0 };
                pose.rotation[i][j] = identity + s * cross[i][j] + (1.0 - c) * n[i] * n[j];
            }
        }
        pose
    }

    /// Roll, pitch and yaw about the fixed axes x, y and z.
    fn from_rpy([roll, pitch, yaw]: [f64; 3], translation: [f64; 3]) -> Pose {
        let [x, y, z] = [
            Pose::turn([1.0, 0.0, 0.0], roll),
            Pose::turn([0.0, 1.0, 0.0], pitch),
            Pose::turn([0.0, 0.0, 1.0], yaw),
        ];
        Pose {
            translation,
            ..z.then(&y).then(&x)
        }
    }

    /// Of a unit quaternion x, y, z, w.
    fn from_quaternion([x, y, z, w]: [f64; 4], translation: [f64; 3]) -> Pose {
        let rotation = [
            [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
            ],
            [
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
            ],
            [
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                1.0 - 2.0 * (x * x + y * y),
            ],
        ];
        Pose {
            rotation,
            translation,
        }
    }

    /// Greatest difference between entries of the rotations, and between translations.
    pub fn difference(&self, other: &Pose) -> f64 {
        let own = self.rotation.iter().flatten().chain(&self.translation);
        let others = other.rotation.iter().flatten().chain(&other.translation);
        own.zip(others)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max)
    }
}

impl Peer {
    /// The poses of all links in the frame of the root, for positions of the joints by name.
    pub fn poses(&self, positions: &BTreeMap<String, f64>) -> BTreeMap<&str, Pose> {
        let children: BTreeSet<&str> = self.joints.iter().map(|joint| &*joint.child).collect();
        let mut by_parent: BTreeMap<&str, Vec<&PeerJoint>> = BTreeMap::new();
        for joint in &self.joints {
            by_parent.entry(&joint.parent).or_default().push(joint);
        }
        let roots = self
            .links
            .iter()
            .filter(|link| !children.contains(link.as_str()));
        let mut open: Vec<(&str, Pose)> = roots.map(|root| (&**root, Pose::IDENTITY)).collect();
        let mut poses = BTreeMap::new();
        while let Some((link, pose)) = open.pop() {
            poses.insert(link, pose);
            for joint in by_parent.get(link).into_iter().flatten() {
                let motion = self.motion(joint, positions);
                open.push((&joint.child, pose.then(&joint.origin).then(&motion)));
            }
        }
        poses
    }

    fn motion(&self, joint: &PeerJoint, positions: &BTreeMap<String, f64>) -> Pose {
        let length = joint.axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let axis = joint.axis.map(|x| x / length);
        let position = self.position(joint, positions);
        match joint.kind.as_str() {
            "revolute" | "continuous" => Pose::turn(axis, position),
            "prismatic" => Pose {
                translation: axis.map(|x| x * position),
                ..Pose::IDENTITY
            },
            // Planar and floating joints stay where they are.
            _ => Pose::IDENTITY,
        }
    }

    fn position(&self, joint: &PeerJoint, positions: &BTreeMap<String, f64>) -> f64 {
        match &joint.mimic {
            None => positions.get(&joint.name).copied().unwrap_or(0.0),
            Some((source, multiplier, offset)) => {
                let source = self.joints.iter().find(|other| other.name == *source);
                let source = source.expect("the joint that is mimicked");
                multiplier * self.position(source, positions) + offset
            }
        }
    }
}

/// Fails unless the links, joints, types and ends are the same; the greatest difference between
/// the poses of all links, in the neutral and in some more configurations, relative to the size of
/// the robot where that exceeds 1 m.
pub fn compare(robot: &Robot, peer: &Peer, mut random: impl FnMut() -> f64) -> f64 {
    let links: BTreeSet<String> = robot.links().iter().map(|link| link.name.clone()).collect();
    assert_eq!(links, peer.links);
    let ours = robot.joints().iter().map(|joint| {
        let [kind, parent, child] = [joint.kind.name(), &joint.parent, &joint.child];
        (joint.name.as_str(), [kind, parent, child])
    });
    let theirs = peer.joints.iter().map(|joint| {
        let ends = [joint.kind.as_str(), &joint.parent, &joint.child];
        (joint.name.as_str(), ends)
    });
    assert_eq!(
        ours.collect::<BTreeMap<_, _>>(),
        theirs.collect::<BTreeMap<_, _>>()
    );
    for joint in &peer.joints {
        let own = &robot.joints()[robot.joint_index(&joint.name).unwrap()];
        if let Some(range) = own.range() {
            assert_eq!(range, joint.limits, "{}", joint.name);
        }
    }
    let mut worst = 0.0_f64;
    for round in 0..4 {
        let mut configuration = robot.neutral();
        if round > 0 {
            for joint in robot.joints() {
                if joint.kind.has_one_freedom() && joint.mimic.is_none() {
                    let [lower, upper] = joint.range().unwrap_or([-3.0, 3.0]);
                    let [lower, upper] = [lower.max(-1e3), upper.min(1e3)];
                    let at = lower + (upper - lower) * random();
                    let at = joint
                        .range()
                        .map_or(at, |[lower, upper]| at.clamp(lower, upper));
                    configuration.set(&joint.name, at).unwrap();
                }
            }
        }
        let positions = robot.joints().iter().filter_map(|joint| {
            let JointPosition::Scalar(q) = configuration.position(&joint.name).unwrap() else {
                return None;
            };
            Some((joint.name.clone(), q))
        });
        let theirs = peer.poses(&positions.collect());
        let ours = robot.forward_kinematics(&configuration).unwrap();
        for (link, own) in robot.links().iter().zip(ours) {
            let matrix = own.rotation.to_rotation_matrix();
            let own = Pose {
                rotation: std::array::from_fn(|i| std::array::from_fn(|j| matrix[(i, j)])),
                translation: own.translation.vector.into(),
            };
            let size = own
                .translation
                .iter()
                .fold(1.0, |size: f64, x| size.max(x.abs()));
            worst = worst.max(own.difference(&theirs[&*link.name]) / size);
        }
    }
    worst
}

/// Reads with urdf-rs.
pub fn urdf_rs(text: &str) -> Result<Peer, String> {
    let robot = urdf_rs::read_from_string(text).map_err(|error| error.to_string())?;
    let joints = robot.joints.into_iter().map(|joint| PeerJoint {
        kind: format!("{:?}", joint.joint_type).to_lowercase(),
        origin: Pose::from_rpy(*joint.origin.rpy, *joint.origin.xyz),
        axis: *joint.axis.xyz,
        limits: [joint.limit.lower, joint.limit.upper],
        mimic: joint.mimic.map(|mimic| {
            let [multiplier, offset] = [mimic.multiplier, mimic.offset];
            (
                mimic.joint,
                multiplier.unwrap_or(1.0),
                offset.unwrap_or(0.0),
            )
        }),
        name: joint.name,
        parent: joint.parent.link,
        child: joint.child.link,
    });
    Ok(Peer {
        links: robot.links.into_iter().map(|link| link.name).collect(),
        joints: joints.collect(),
    })
}

/// The program that reads with urdfdom, compiled; `Err` says why there is none.
pub fn urdfdom() -> Result<PathBuf, String> {
    let flags = Command::new("pkg-config")
        .args(["--cflags", "--libs", "urdfdom"])
        .output()
        .map_err(|error| format!("pkg-config: {error}"))?;
    if !flags.status.success() {
        return Err("liburdfdom-dev is not installed".to_owned());
    }
    let flags = String::from_utf8_lossy(&flags.stdout).into_owned();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("urdfdom_tree");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/cpp/urdfdom_tree.cpp");
    let compiled = Command::new("c++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", source, "-o"])
        .arg(&program)
        .args(flags.split_whitespace())
        .output()
        .map_err(|error| format!("c++: {error}"))?;
    let told = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{told}");
    Ok(program)
}

/// Reads with urdfdom.
pub fn read_with_urdfdom(program: &Path, file: &Path) -> Result<Peer, String> {
    let run = Command::new(program).arg(file).output().unwrap();
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned());
    }
    let text = String::from_utf8(run.stdout).unwrap();
    let mut peer = Peer {
        links: BTreeSet::new(),
        joints: Vec::new(),
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| words[at].parse::<f64>().unwrap();
        match words[0] {
            "link" => drop(peer.links.insert(words[1].to_owned())),
            _ => peer.joints.push(PeerJoint {
                name: words[1].to_owned(),
                kind: words[2].to_owned(),
                parent: words[3].to_owned(),
                child: words[4].to_owned(),
                origin: Pose::from_quaternion([8, 9, 10, 11].map(number), [5, 6, 7].map(number)),
                axis: [12, 13, 14].map(number),
                limits: [15, 16].map(number),
                mimic: (!words[17].is_empty())
                    .then(|| (words[17].to_owned(), number(18), number(19))),
            }),
        }
    }
    Ok(peer)
}

//! The kinematic tree: names resolved to indices, joints in breadth-first order so that every pose is known before it
//! is needed, and mimicking joints traced back to the ones that move.
//!
//! Nothing here recurses, so that a chain may be as long as memory allows.

use super::error::RobotError;
use super::model::{Joint, JointKind, Link};
use super::refusal::{Item, Refused};
use nalgebra::{Isometry3, Unit, Vector3};
use std::collections::HashMap;
use std::ops::Range;

/// The joints and everything that follows from them; shared between a robot and its configurations.
#[derive(Debug, PartialEq)]
pub(super) struct Tree {
    pub joints: Vec<Joint>,
    pub link_index: HashMap<String, usize>,
    pub joint_index: HashMap<String, usize>,
    pub root: usize,
    /// The parent and child link of every joint.
    pub ends: Vec<[usize; 2]>,
    /// The joint that moves each link.
    pub parent_joint: Vec<Option<usize>>,
    /// The joints from the root outwards.
    pub order: Vec<usize>,
    /// The joint that in the end moves each joint that mimics.
    pub follows: Vec<Option<Follow>>,
    /// The frame of every joint at position zero, and the axis about or along which it moves.
    pub frames: Vec<Frame>,
    /// The range of every joint's numbers in the vector of all positions; it is empty for a joint that is fixed or
    /// mimics.
    pub numbers: Vec<Range<usize>>,
    /// The range of every joint's velocities in the vector of all velocities, which has six for a floating joint.
    pub velocities: Vec<Range<usize>>,
}

/// The origin of a joint as an isometry, and its axis at unit length (x where the type has no axis).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub origin: Isometry3<f64>,
    pub axis: Unit<Vector3<f64>>,
}

/// The relation `position = multiplier · position of source + offset`, where the source moves freely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Follow {
    pub source: usize,
    pub multiplier: f64,
    pub offset: f64,
}

impl Tree {
    pub fn build(robot: &str, links: &[Link], joints: Vec<Joint>) -> Result<Tree, Refused> {
        if links.is_empty() {
            let robot = robot.to_owned();
            return Err(refused(
                Item::Robot,
                "robot",
                None,
                RobotError::NoLinks { robot },
            ));
        }
        let link_index = index("link", Item::Link, links.iter().map(|link| &link.name))?;
        let joint_index = index("joint", Item::Joint, joints.iter().map(|joint| &joint.name))?;
        let ends = resolve_ends(&joints, &link_index)?;
        let parent_joint = parent_joints(links, &joints, &ends)?;
        let root = single_root(links, &parent_joint, &ends)?;
        let order = outward(links, root, &parent_joint, &ends)?;
        let follows = trace_mimics(&joints, &joint_index)?;
        let frames = joints.iter().map(frame).collect();
        let numbers = ranges(&joints, 7);
        let velocities = ranges(&joints, 6);
        Ok(Tree {
            joints,
            link_index,
            joint_index,
            root,
            ends,
            parent_joint,
            order,
            follows,
            frames,
            numbers,
            velocities,
        })
    }
}

/// The validation has made sure that a joint that needs an axis has one.
fn frame(joint: &Joint) -> Frame {
    Frame {
        origin: joint.origin.isometry(),
        axis: joint.unit_axis().unwrap_or_else(Vector3::x_axis),
    }
}

/// Returns the ranges of numbers one after the other, in the order of the joints; a floating joint has `floating`.
fn ranges(joints: &[Joint], floating: usize) -> Vec<Range<usize>> {
    let mut end = 0;
    let next = |joint: &Joint| {
        let start = end;
        if joint.mimic.is_none() {
            end += match joint.kind {
                JointKind::Fixed => 0,
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => 1,
                JointKind::Planar => 3,
                JointKind::Floating => floating,
            };
        }
        start..end
    };
    joints.iter().map(next).collect()
}

fn refused(item: Item, element: &str, attribute: Option<&str>, error: RobotError) -> Refused {
    Refused {
        item,
        element: element.to_owned(),
        attribute: attribute.map(str::to_owned),
        error: Box::new(error),
    }
}

/// Returns the indices by name.
fn index<'a>(
    element: &'static str,
    item: fn(usize) -> Item,
    names: impl Iterator<Item = &'a String>,
) -> Result<HashMap<String, usize>, Refused> {
    let mut index = HashMap::with_capacity(names.size_hint().0);
    for (i, name) in names.enumerate() {
        if index.insert(name.clone(), i).is_some() {
            let name = name.clone();
            let error = RobotError::DuplicateName { element, name };
            return Err(refused(item(i), element, Some("name"), error));
        }
    }
    Ok(index)
}

fn resolve_ends(
    joints: &[Joint],
    link_index: &HashMap<String, usize>,
) -> Result<Vec<[usize; 2]>, Refused> {
    let mut ends = Vec::with_capacity(joints.len());
    for (i, joint) in joints.iter().enumerate() {
        let find = |element: &'static str, link: &String| {
            link_index.get(link).copied().ok_or_else(|| {
                let error = RobotError::UnknownLink {
                    joint: joint.name.clone(),
                    element,
                    link: link.clone(),
                };
                refused(Item::Joint(i), element, Some("link"), error)
            })
        };
        ends.push([find("parent", &joint.parent)?, find("child", &joint.child)?]);
    }
    Ok(ends)
}

fn parent_joints(
    links: &[Link],
    joints: &[Joint],
    ends: &[[usize; 2]],
) -> Result<Vec<Option<usize>>, Refused> {
    let mut parent_joint = vec![None; links.len()];
    for (i, &[_, child]) in ends.iter().enumerate() {
        if let Some(first) = parent_joint[child].replace(i) {
            let error = RobotError::TwoParents {
                link: links[child].name.clone(),
                joints: [first, i].map(|joint: usize| joints[joint].name.clone()),
            };
            return Err(refused(Item::Joint(i), "child", Some("link"), error));
        }
    }
    Ok(parent_joint)
}

fn single_root(
    links: &[Link],
    parent_joint: &[Option<usize>],
    ends: &[[usize; 2]],
) -> Result<usize, Refused> {
    let mut roots = (0..links.len()).filter(|&link| parent_joint[link].is_none());
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(roots);
            let links = all.map(|link| links[link].name.clone()).collect();
            let error = RobotError::SeveralRoots { links };
            Err(refused(Item::Link(second), "link", Some("name"), error))
        }
        (None, _) => Err(cycle_above(0, links, parent_joint, ends)),
    }
}

/// Returns the joints from the root outwards, breadth first, children in the order of the file.
fn outward(
    links: &[Link],
    root: usize,
    parent_joint: &[Option<usize>],
    ends: &[[usize; 2]],
) -> Result<Vec<usize>, Refused> {
    let mut below = vec![Vec::new(); links.len()];
    for (joint, &[parent, _]) in ends.iter().enumerate() {
        below[parent].push(joint);
    }
    let mut order: Vec<usize> = below[root].clone();
    let mut reached = vec![false; links.len()];
    reached[root] = true;
    let mut next = 0;
    while next < order.len() {
        let [_, child] = ends[order[next]];
        reached[child] = true;
        order.extend_from_slice(&below[child]);
        next += 1;
    }
    // Every link except the root is the child of one joint, so one that is not reached is the child of a cycle.
    match reached.iter().position(|&reached| !reached) {
        None => Ok(order),
        Some(link) => Err(cycle_above(link, links, parent_joint, ends)),
    }
}

/// Returns the cycle that is met on the way up from a link that has no root above it.
fn cycle_above(
    mut link: usize,
    links: &[Link],
    parent_joint: &[Option<usize>],
    ends: &[[usize; 2]],
) -> Refused {
    let up = |link: usize| parent_joint[link].map(|joint| ends[joint][0]);
    let mut seen = vec![false; links.len()];
    while !std::mem::replace(&mut seen[link], true) {
        link = up(link).unwrap_or(link);
    }
    // The `link` is the first one met twice: it lies on the cycle.
    let mut cycle = vec![link];
    let mut at = link;
    while let Some(above) = up(at).filter(|&above| above != link) {
        cycle.push(above);
        at = above;
    }
    cycle.reverse();
    let names = cycle.iter().map(|&link| links[link].name.clone()).collect();
    let error = RobotError::Cycle { links: names };
    refused(Item::Link(cycle[0]), "link", Some("name"), error)
}

/// Follows every chain of mimicking joints to its end and multiplies its factors.
fn trace_mimics(
    joints: &[Joint],
    joint_index: &HashMap<String, usize>,
) -> Result<Vec<Option<Follow>>, Refused> {
    let mut targets = vec![None; joints.len()];
    for (i, joint) in joints.iter().enumerate() {
        let Some(mimic) = &joint.mimic else { continue };
        let target = joint_index.get(&mimic.joint).copied();
        targets[i] = target.filter(|&target| joints[target].kind.has_one_freedom());
        if targets[i].is_none() {
            let error = RobotError::MimicTarget {
                joint: joint.name.clone(),
                target: mimic.joint.clone(),
            };
            return Err(refused(Item::Joint(i), "mimic", Some("joint"), error));
        }
    }
    let mut follows: Vec<Option<Follow>> = vec![None; joints.len()];
    let mut on_chain = vec![false; joints.len()];
    for start in 0..joints.len() {
        let mut chain = Vec::new();
        let mut at = start;
        // This goes down the chain to a joint that moves freely or whose source is already known.
        while let (None, Some(target)) = (follows[at], targets[at]) {
            if std::mem::replace(&mut on_chain[at], true) {
                return Err(mimic_cycle(at, &chain, joints));
            }
            chain.push(at);
            at = target;
        }
        let mut below = follows[at].unwrap_or(Follow {
            source: at,
            multiplier: 1.0,
            offset: 0.0,
        });
        // This goes back up: q = m (m₀ s + o₀) + o.
        for &joint in chain.iter().rev() {
            if let Some(mimic) = &joints[joint].mimic {
                below.multiplier *= mimic.multiplier;
                below.offset = mimic.multiplier * below.offset + mimic.offset;
            }
            follows[joint] = Some(below);
        }
    }
    Ok(follows)
}

fn mimic_cycle(joint: usize, chain: &[usize], joints: &[Joint]) -> Refused {
    let cycle = chain.iter().skip_while(|&&on| on != joint);
    let names = cycle.map(|&on| joints[on].name.clone()).collect();
    let error = RobotError::MimicCycle { joints: names };
    refused(Item::Joint(joint), "mimic", Some("joint"), error)
}

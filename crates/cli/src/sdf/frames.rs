//! Which links are frames in SDF.
//!
//! A link without mass and shapes marks a place: a flange, a camera, a base. Simulators cannot move what has no mass, so
//! that Gazebo's reader of URDF makes such links frames of the rigid body that they belong to, and so does this one. A
//! rigid body that has neither mass nor shape gets a link with the least mass.

use crate::export::Model;
use std::collections::HashMap;

/// What becomes of each link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The link is a link.
    Link,
    /// The link is a frame of this link, which belongs to the same rigid body.
    Frame(usize),
    /// The link is the world.
    World,
}

/// What becomes of all links, in the order of the robot's.
pub struct Frames {
    pub places: Vec<Place>,
}

impl Frames {
    /// Gives a mass to what needs one, and decides.
    pub fn new(model: &mut Model) -> Self {
        let count = model.links.len();
        for link in 0..count {
            if model.links[link].mass.is_none() && !model.links[link].is_frame() {
                model.give_least_mass(link);
            }
        }
        let world = model.root_is_world().then(|| model.robot.root());
        let tops = model.tops();
        // The link of each rigid body whose frames the others are: the first one that hangs on frames alone. Were one of
        // its ancestors a link too, the joints from frames to that ancestor would close a loop.
        let mut solid: HashMap<usize, usize> = HashMap::new();
        for link in (0..count).filter(|link| !model.links[*link].is_frame()) {
            if hangs_on_frames(model, link) {
                solid.entry(tops[link]).or_insert(link);
            }
        }
        let bare = |link: &usize| Some(*link) != world && !solid.contains_key(&tops[*link]);
        let bare: Vec<usize> = (0..count).filter(bare).collect();
        for link in bare {
            // Of those fixed to the world each one; else the topmost.
            if tops[link] == link || Some(tops[link]) == world {
                model.give_least_mass(link);
                solid.insert(tops[link], link);
            }
        }
        let place = |link: usize| match solid.get(&tops[link]) {
            _ if Some(link) == world => Place::World,
            Some(body) if model.links[link].is_frame() => Place::Frame(*body),
            _ => Place::Link,
        };
        Frames {
            places: (0..count).map(place).collect(),
        }
    }
}

/// Whether all links to which fixed joints lead from this one are frames.
fn hangs_on_frames(model: &Model, mut link: usize) -> bool {
    while let Some(above) = model.fixed_to(link) {
        if !model.links[above].is_frame() {
            return false;
        }
        link = above;
    }
    true
}

//! The scene: bodies and obstacles that are added, moved and removed.

use super::allowed::{AllowedCollisions, Group};
use super::body::{Body, BodyPlace};
use super::candidate::Candidate;
use super::error::SceneError;
use super::hierarchy::Hierarchy;
use super::id::BodyId;
use super::padding::Padding;
use super::warm::WarmStarts;
use crate::levels::Levels;
use nalgebra::Isometry3;
use std::collections::HashMap;
use std::sync::Arc;
use superovoid::Shape;

/// A set of bodies and obstacles; see the [module](super). A clone is an independent scene with the same ids, which
/// another thread may query.
#[derive(Clone, Default)]
pub struct Scene {
    pub(super) slots: Vec<Slot>,
    /// The empty slots.
    pub(super) free: Vec<u32>,
    /// The boxes of bodies and of obstacles, by slot.
    pub(super) bodies: Hierarchy,
    pub(super) obstacles: Arc<Hierarchy>,
    /// The slots of the half-spaces, which have no box.
    pub(super) half_spaces: Vec<u32>,
    /// What few changes touch is shared among clones.
    pub(super) group_names: Arc<Vec<String>>,
    pub(super) groups: Arc<HashMap<String, Group>>,
    pub(super) allowed: AllowedCollisions,
    pub(super) padding: Padding,
    pub(super) warm: WarmStarts,
    /// The candidates of the last query, kept for their memory.
    pub(super) candidates: Vec<Candidate>,
}

#[derive(Clone, Default)]
pub(super) struct Slot {
    pub(super) generation: u32,
    pub(super) body: Option<Body>,
}

impl Scene {
    /// Makes an empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty scene whose next bodies get the ids of `next` in their order, and those after them as a scene would
    /// give them in which the ids of `free` are free, the last one first: a scene that was written down is made again
    /// by it. None if the ids are not those of slots from 0 on, one for each.
    #[doc(hidden)]
    pub fn with_ids(next: &[BodyId], free: &[BodyId]) -> Option<Self> {
        let mut scene = Self::default();
        let all = || free.iter().chain(next.iter().rev());
        let count = free.len() + next.len();
        let mut known = vec![false; count];
        scene.slots.resize_with(count, Slot::default);
        for id in all() {
            let slot = id.slot as usize;
            if std::mem::replace(known.get_mut(slot)?, true) {
                return None;
            }
            scene.slots[slot].generation = id.generation;
        }
        scene.free = all().map(|id| id.slot).collect();
        Some(scene)
    }

    /// Returns the ids that the next bodies get, the last one first.
    #[doc(hidden)]
    pub fn free_ids(&self) -> impl Iterator<Item = BodyId> {
        self.free.iter().map(|&slot| self.id(slot))
    }

    /// Whether an id is that of an obstacle.
    ///
    /// # Errors
    /// The error names an id that no body has.
    pub fn is_obstacle(&self, id: BodyId) -> Result<bool, SceneError> {
        Ok(self.get(id)?.is_obstacle)
    }

    /// Returns the names of the groups, in their order.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.group_names.iter().map(String::as_str)
    }

    /// Returns the group of this name, and adds it if there is none.
    pub fn group(&mut self, name: &str) -> Group {
        if let Some(&group) = self.groups.get(name) {
            return group;
        }
        // There is no memory for 2³² names.
        let group = Group(u32::try_from(self.group_names.len()).unwrap_or(u32::MAX));
        Arc::make_mut(&mut self.group_names).push(name.to_owned());
        Arc::make_mut(&mut self.groups).insert(name.to_owned(), group);
        group
    }

    /// Returns the group of this name, if there is one.
    pub fn find_group(&self, name: &str) -> Option<Group> {
        self.groups.get(name).copied()
    }

    /// Returns the group of an index, from 0 in the order in which the scene met its groups.
    ///
    /// # Errors
    /// The error names an index that no group has.
    #[doc(hidden)]
    pub fn group_at(&self, index: u32) -> Result<Group, SceneError> {
        let group = Group(index);
        let found = self.group_name(group).map(|_| group);
        found.ok_or(SceneError::NoGroup {
            index: group.index(),
            count: self.group_names.len(),
        })
    }

    /// Returns the name of a group; `None` for one of another scene that this one does not have.
    pub fn group_name(&self, group: Group) -> Option<&str> {
        self.group_names.get(group.index()).map(String::as_str)
    }

    /// Returns the allowed-collision matrix.
    pub fn allowed(&self) -> &AllowedCollisions {
        &self.allowed
    }

    /// Returns the allowed-collision matrix, to change it.
    pub fn allowed_mut(&mut self) -> &mut AllowedCollisions {
        &mut self.allowed
    }

    /// Adds a body: it is compared with all other bodies and with all obstacles.
    ///
    /// # Errors
    /// The error names a group of another scene, a pose that is not finite or whose quaternion is not of unit length, a
    /// polytope without vertices or with one that is not finite, or says that the shape is a half-space, which can only
    /// be an obstacle, or a plane, which no scene takes.
    pub fn add(
        &mut self,
        group: Group,
        shape: impl Into<Shape>,
        pose: Isometry3<f64>,
    ) -> Result<BodyId, SceneError> {
        let shape = shape.into();
        if let Shape::HalfSpace(_) = shape {
            let group = self.name(group);
            return Err(SceneError::HalfSpace { group });
        }
        self.insert(group, shape, false, pose)
    }

    /// Adds an obstacle: it is compared with all bodies, and not with other obstacles. Large shapes are shared:
    /// clones of an [`Arc`](std::sync::Arc) may be in any number of scenes.
    ///
    /// # Errors
    /// The errors are those of [`Scene::add`], without that of half-spaces.
    pub fn add_obstacle(
        &mut self,
        group: Group,
        shape: impl Into<Shape>,
        pose: Isometry3<f64>,
    ) -> Result<BodyId, SceneError> {
        self.insert(group, shape.into(), true, pose)
    }

    /// Moves a body or an obstacle.
    ///
    /// # Errors
    /// The error names an id that no body has, or a pose that is not finite or whose quaternion is not of unit
    /// length; the body is then unmoved.
    pub fn move_to(&mut self, id: BodyId, pose: Isometry3<f64>) -> Result<(), SceneError> {
        let slot = self.find(id)?;
        if let Some(body) = &mut self.slots[slot as usize].body
            && let Err(error) = body.move_to(&pose)
        {
            let group = body.group;
            let group = self.name(group);
            return Err(SceneError::Pose { group, error });
        }
        self.enclose(slot);
        Ok(())
    }

    /// Removes a body or an obstacle; its id is invalid from then on.
    ///
    /// # Errors
    /// The error names an id that no body has.
    pub fn remove(&mut self, id: BodyId) -> Result<(), SceneError> {
        let index = self.find(id)?;
        let slot = &mut self.slots[index as usize];
        slot.body = None;
        self.bodies.remove(index);
        Arc::make_mut(&mut self.obstacles).remove(index);
        self.half_spaces.retain(|&half_space| half_space != index);
        // A slot whose generations are used up is not used again.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(index);
        }
        Ok(())
    }

    /// Returns the pose of a body or an obstacle, as it was given.
    ///
    /// # Errors
    /// The error names an id that no body has.
    pub fn pose(&self, id: BodyId) -> Result<Isometry3<f64>, SceneError> {
        Ok(self.get(id)?.pose)
    }

    /// Returns the group of a body or an obstacle.
    ///
    /// # Errors
    /// The error names an id that no body has.
    pub fn group_of(&self, id: BodyId) -> Result<Group, SceneError> {
        Ok(self.get(id)?.group)
    }

    /// Returns the shape of a body or an obstacle.
    ///
    /// # Errors
    /// The error names an id that no body has.
    pub fn shape(&self, id: BodyId) -> Result<&Shape, SceneError> {
        Ok(&self.get(id)?.shape)
    }

    /// Whether queries compare these two: they do not if both are obstacles, if they are of one group (or the same),
    /// or if their groups are allowed to collide.
    ///
    /// # Errors
    /// The error names an id that no body has.
    pub fn compares(&self, a: BodyId, b: BodyId) -> Result<bool, SceneError> {
        let (a, b) = (self.get(a)?, self.get(b)?);
        let both_obstacles = a.is_obstacle && b.is_obstacle;
        Ok(!both_obstacles && !self.is_skipped(a, b))
    }

    /// Returns the number of bodies and obstacles.
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.body.is_some()).count()
    }

    /// Whether the scene is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns every body and obstacle, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> {
        let slots = (0u32..).zip(&self.slots);
        let taken = slots.filter(|(_, slot)| slot.body.is_some());
        taken.map(|(slot, _)| self.id(slot))
    }

    /// Returns the number of pairs whose last answer is kept as a warm start.
    #[doc(hidden)]
    pub fn warm_starts(&self) -> usize {
        self.warm.len()
    }

    /// Clears the warm starts: the next queries start as in a new scene.
    pub fn clear_warm_starts(&mut self) {
        self.warm = WarmStarts::default();
    }

    fn insert(
        &mut self,
        group: Group,
        shape: Shape,
        is_obstacle: bool,
        pose: Isometry3<f64>,
    ) -> Result<BodyId, SceneError> {
        let name = self.group_name(group).ok_or(SceneError::NoGroup {
            index: group.index(),
            count: self.group_names.len(),
        })?;
        let body = Body::new(group, name, shape, is_obstacle, pose)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.slots.len()).map_err(|_| SceneError::Full)?;
                self.slots.push(Slot::default());
                index
            }
        };
        if let BodyPlace::HalfSpace(..) = body.place {
            self.half_spaces.push(index);
        }
        self.slots[index as usize].body = Some(body);
        self.enclose(index);
        Ok(self.id(index))
    }

    /// Makes a body of an obstacle, or an obstacle of a body, with the same id.
    pub(super) fn set_obstacle(&mut self, id: BodyId, is_obstacle: bool) -> Result<(), SceneError> {
        let slot = self.find(id)?;
        let Some(body) = &mut self.slots[slot as usize].body else {
            return Ok(());
        };
        body.is_obstacle = is_obstacle;
        let group = body.group;
        self.bodies.remove(slot);
        Arc::make_mut(&mut self.obstacles).remove(slot);
        self.extend_bounds(group);
        self.enclose(slot);
        Ok(())
    }

    /// Lets a body have the levels of another one of the same shape.
    pub(super) fn share_levels(&mut self, id: BodyId, levels: &Arc<Levels>) {
        if let Some(body) = &mut self.slots[id.slot as usize].body {
            body.levels = Arc::clone(levels);
        }
    }

    /// Replaces the shape of a body, which keeps its id and its pose.
    pub(super) fn set_shape(&mut self, id: BodyId, shape: Shape) -> Result<(), SceneError> {
        let body = self.get(id)?;
        let (group, is_obstacle, pose) = (body.group, body.is_obstacle, body.pose);
        let body = Body::new(group, &self.name(group), shape, is_obstacle, pose)?;
        self.slots[id.slot as usize].body = Some(body);
        self.extend_bounds(group);
        self.enclose(id.slot);
        self.clear_warm_starts();
        Ok(())
    }

    /// Returns the ids of a group's bodies and obstacles.
    pub(super) fn ids_of(&self, group: Group) -> Vec<BodyId> {
        let of_group = |id: &BodyId| self.body(id.slot).is_some_and(|body| body.group == group);
        self.ids().filter(of_group).collect()
    }

    /// Moves the box of a body to its pose.
    pub(super) fn enclose(&mut self, index: u32) {
        let Some(body) = &self.slots[index as usize].body else {
            return;
        };
        if let BodyPlace::Bounded { bounds, .. } = &body.place {
            let hierarchy = if body.is_obstacle {
                Arc::make_mut(&mut self.obstacles)
            } else {
                &mut self.bodies
            };
            hierarchy.put(index, &bounds.aabb);
        }
    }

    /// Returns the id of the body in a slot.
    pub(super) fn id(&self, slot: u32) -> BodyId {
        BodyId {
            slot,
            generation: self.slots[slot as usize].generation,
        }
    }

    fn find(&self, id: BodyId) -> Result<u32, SceneError> {
        self.get(id).map(|_| id.slot)
    }

    fn get(&self, id: BodyId) -> Result<&Body, SceneError> {
        let slot = self.slots.get(id.slot as usize);
        let current = slot.filter(|slot| slot.generation == id.generation);
        current
            .and_then(|slot| slot.body.as_ref())
            .ok_or(SceneError::NoBody { id })
    }

    pub(super) fn body(&self, slot: u32) -> Option<&Body> {
        self.slots[slot as usize].body.as_ref()
    }

    pub(super) fn name(&self, group: Group) -> String {
        self.group_name(group).unwrap_or_default().to_owned()
    }

    pub(super) fn is_skipped(&self, a: &Body, b: &Body) -> bool {
        a.group == b.group || self.allowed.is_allowed(a.group, b.group)
    }
}

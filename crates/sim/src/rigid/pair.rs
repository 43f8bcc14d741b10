//! Contact of a pair of bodies: when it is asked for, and the points that it gives.
//!
//! A query proves a distance d. Until the points of both bodies have moved by more than d − t (t the skin), counted
//! along their ways, nothing of the pair can be nearer than t: the distance is 1-Lipschitz. A pair within the margin
//! keeps its points, fixed to the bodies, whose gaps are taken anew in every substep; it is asked again once a frame
//! if it moved by a quarter of the skin, and within a frame if it moved by two.

use crate::rigid::body::{ContactShape, RigidBody, StaticMesh};
use crate::rigid::manifold::{
    MOST_POINTS, TILTS, Touch, Touches, corners, merge, of_pair, reduced,
};
use crate::rigid::mesh;
use crate::rigid::published;
use crate::rigid::surface_material::SurfaceMaterial;
use crate::rigid::told::{Tale, Told};
use nalgebra::Vector3;
use superovoid::{PairCache, QueryOptions, Superovoid, VertexOptions, contact};

/// A point of contact: fixed to both bodies, with what a substep needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// The points in the frames of the bodies, about their centres of mass.
    pub on_a: Vector3<f64>,
    pub on_b: Vector3<f64>,
    /// The unit normal from A to B, in the world frame.
    pub normal: Vector3<f64>,
    /// The points about the centres of mass, in the world frame, at the start of the substep.
    pub ra: Vector3<f64>,
    pub rb: Vector3<f64>,
    /// The gap at the start of the substep, and the one that is aimed at.
    pub gap: f64,
    pub target: f64,
    /// The inverse mass along the normal.
    pub weight: f64,
    /// The normal velocity before the substep.
    pub approach: f64,
    /// The normal impulse of the substep and of the one before, and the tangential impulse on B, all times h.
    pub lambda: f64,
    pub lambda_before: f64,
    pub grip: Vector3<f64>,
    /// The torque on B against rolling, times h².
    pub roll: Vector3<f64>,
    /// The normal impulse on the velocities of the substep.
    pub kick: f64,
    /// Where it is told what it pressed with in this frame.
    pub told: Option<u8>,
}

/// A pair of bodies that are near each other; a < b.
#[derive(Clone)]
pub(crate) struct Pair {
    pub a: u32,
    pub b: u32,
    cache: PairCache,
    /// The sum of the bodies' paths at the last query.
    asked_at: f64,
    /// The distance is known to be at least this at the last query.
    clearance: f64,
    /// The last query looked for points up to this distance.
    good_within: f64,
    pub points: [Point; MOST_POINTS],
    pub count: usize,
    /// Whether the pair pressed in this frame.
    pub touching: bool,
    /// Whether the boxes of the bodies meet; otherwise the slot of this pair is free.
    pub live: bool,
    /// What the surfaces make together.
    pub surface: SurfaceMaterial,
    /// What is told of this frame.
    pub tale: Tale,
}

impl Pair {
    pub fn new(a: u32, b: u32, surface: SurfaceMaterial) -> Self {
        let zero = Vector3::zeros();
        let point = Point {
            on_a: zero,
            on_b: zero,
            normal: zero,
            ra: zero,
            rb: zero,
            gap: 0.0,
            target: 0.0,
            weight: 0.0,
            approach: 0.0,
            lambda: 0.0,
            lambda_before: 0.0,
            grip: zero,
            roll: zero,
            kick: 0.0,
            told: None,
        };
        Pair {
            a,
            b,
            cache: PairCache::default(),
            asked_at: f64::NEG_INFINITY,
            clearance: 0.0,
            good_within: 0.0,
            points: [point; MOST_POINTS],
            count: 0,
            touching: false,
            live: true,
            surface,
            tale: Tale::default(),
        }
    }

    /// Asks anew if the pair could have moved too far since the last query, or will in the next substep, in which it
    /// moves by at most `ahead`. `allowed` is the motion in which points stay good.
    pub fn update(&mut self, bodies: &[RigidBody], skin: f64, ahead: f64, allowed: f64) {
        let (a, b) = (&bodies[self.a as usize], &bodies[self.b as usize]);
        if !a.is_movable() && !b.is_movable() {
            return;
        }
        let moved = a.path + b.path - self.asked_at;
        let far = moved + ahead < self.clearance - skin;
        let good = self.count > 0 && moved <= allowed && moved + ahead < self.good_within - skin;
        if far || good {
            return;
        }
        let margin = 3.0 * skin + 2.0 * ahead;
        self.asked_at = a.path + b.path;

        let (old, old_count) = (self.points, std::mem::take(&mut self.count));
        (self.clearance, self.good_within) = (margin, margin);
        match (&a.shape, &b.shape) {
            (ContactShape::Superovoid(sa), ContactShape::Superovoid(sb)) => {
                self.ask_pair((a, sa), (b, sb), margin)
            }
            (ContactShape::Superovoid(sa), ContactShape::HalfSpace) => {
                self.ask_half_space((a, sa), b, margin, false)
            }
            (ContactShape::HalfSpace, ContactShape::Superovoid(sb)) => {
                self.ask_half_space((b, sb), a, margin, true)
            }
            (ContactShape::Superovoid(sa), ContactShape::Mesh(mesh)) => {
                self.ask_mesh((a, sa), (b, mesh), margin, false);
            }
            (ContactShape::Mesh(mesh), ContactShape::Superovoid(sb)) => {
                self.ask_mesh((b, sb), (a, mesh), margin, true);
            }
            // Neither a half-space nor a mesh is dynamic.
            _ => self.clearance = f64::INFINITY,
        }
        self.inherit(&old[..old_count], 5.0 * skin);
    }

    /// Asks as published, whatever is known; half-spaces are asked as ever.
    pub fn update_as_published(
        &mut self,
        bodies: &[RigidBody],
        skin: f64,
        ahead: f64,
        options: &VertexOptions,
    ) {
        let (a, b) = (&bodies[self.a as usize], &bodies[self.b as usize]);
        let flat = |body: &RigidBody| matches!(body.shape, ContactShape::HalfSpace);
        if flat(a) || flat(b) {
            self.update(bodies, skin, ahead, 0.0);
        } else if a.is_movable() || b.is_movable() {
            let (old, old_count) = (self.points, std::mem::take(&mut self.count));
            let touches = published::touches(a, b, options, skin);
            self.keep(touches.as_slice(), a, b, false);
            self.inherit(&old[..old_count], 5.0 * skin);
        }
    }

    /// Tells the impulses of a substep of length h, after its velocities.
    pub fn tell(&mut self, h: f64) {
        let pressed = |point: &&mut Point| point.lambda > 0.0;
        for point in self.points[..self.count].iter_mut().filter(pressed) {
            let pushed = point.normal * point.lambda + point.grip;
            let told = Told {
                on_a: point.on_a,
                on_b: point.on_b,
                normal: point.normal,
                impulse: pushed / h + point.normal * point.kick,
                angular: point.roll / h,
            };
            point.told = Some(self.tale.add(point.told, &told));
        }
    }

    /// Forgets what was told, at the start of a frame.
    pub fn forget_told(&mut self) {
        self.tale.clear();
        self.points.iter_mut().for_each(|point| point.told = None);
    }

    /// Gives every new point the load of the old one that is nearest, if that is near.
    fn inherit(&mut self, old: &[Point], near: f64) {
        let mut claimed = [false; MOST_POINTS];
        for point in &mut self.points[..self.count] {
            point.told = None;
            (point.lambda, point.lambda_before) = (0.0, 0.0);
            (point.grip, point.roll) = (Vector3::zeros(), Vector3::zeros());
            let distance = |old: &Point| (old.on_a - point.on_a).norm_squared();
            let nearest = old
                .iter()
                .min_by(|s, t| distance(s).total_cmp(&distance(t)));
            if let Some(nearest) = nearest.filter(|old| distance(old) < near * near) {
                (point.lambda, point.lambda_before) = (nearest.lambda, nearest.lambda_before);
                point.grip = nearest.grip - point.normal * point.normal.dot(&nearest.grip);
                point.roll = nearest.roll;
                if let Some(k) = nearest.told
                    && !std::mem::replace(&mut claimed[usize::from(k)], true)
                {
                    point.told = Some(k);
                }
            }
        }
    }

    fn ask_pair(
        &mut self,
        (a, sa): (&RigidBody, &Superovoid),
        (b, sb): (&RigidBody, &Superovoid),
        margin: f64,
    ) {
        let (pose_a, pose_b) = (a.pose(), b.pose());
        let options = QueryOptions::default().with_max_distance(4.0 * margin);
        let Ok(answer) = contact(sa, &pose_a, sb, &pose_b, &options, Some(&mut self.cache)) else {
            return;
        };
        self.clearance = answer.lower;
        if answer.lower > margin {
            return;
        }
        let touches = of_pair(
            a.placed(sa, &pose_a),
            b.placed(sb, &pose_b),
            &answer,
            margin,
        );
        self.keep(touches.as_slice(), a, b, false);
    }

    fn ask_half_space(
        &mut self,
        (a, sa): (&RigidBody, &Superovoid),
        b: &RigidBody,
        margin: f64,
        swapped: bool,
    ) {
        let pose = a.pose();
        let up = b.rotation.column(2).into_owned();
        let offset = up.dot(&b.pose().translation.vector);
        let touch = |p: Vector3<f64>| {
            let gap = up.dot(&p) - offset;
            Touch {
                a: p,
                b: p - up * gap,
                normal: -up,
                gap,
            }
        };
        let deepest = touch((pose * sa.support(&(pose.rotation.inverse() * -up)).point).coords);
        self.clearance = deepest.gap;
        if deepest.gap > margin {
            return;
        }
        let mut kept = Touches::<MOST_POINTS>::new();
        for tilt in TILTS {
            let mut touches = Touches::<5>::new();
            touches.push(deepest);
            for corner in corners(a.placed(sa, &pose), &-up, tilt)
                .into_iter()
                .flatten()
            {
                touches.push(touch(corner));
            }
            merge(&mut kept, &reduced(touches.as_slice()));
        }
        self.keep(kept.as_slice(), a, b, swapped);
    }

    fn ask_mesh(
        &mut self,
        (a, sa): (&RigidBody, &Superovoid),
        (b, m): (&RigidBody, &StaticMesh),
        margin: f64,
        swapped: bool,
    ) {
        let mut touches = Touches::<MOST_POINTS>::new();
        self.clearance = mesh::touches((a, sa), (b, m), margin, &mut touches);
        self.keep(touches.as_slice(), a, b, swapped);
    }

    /// Fixes touches between `first` and `second` to the bodies; swapped, the first is the pair's B.
    fn keep(&mut self, touches: &[Touch], first: &RigidBody, second: &RigidBody, swapped: bool) {
        for touch in touches {
            let point = &mut self.points[self.count];
            let on_first = first.rotation.tr_mul(&(touch.a - first.x));
            let on_second = second.rotation.tr_mul(&(touch.b - second.x));
            (point.on_a, point.on_b, point.normal) = if swapped {
                (on_second, on_first, -touch.normal)
            } else {
                (on_first, on_second, touch.normal)
            };
            self.count += 1;
        }
    }

    pub fn active(&mut self) -> &mut [Point] {
        &mut self.points[..self.count]
    }
}

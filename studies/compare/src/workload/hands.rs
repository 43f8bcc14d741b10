//! The two iCub hands closing on each other.
//!
//! The path, by its length s in metres: the right hand comes nearer until the thumb tips touch, then it turns inward
//! by 0.7 rad, whose 0.105 m are the way of a finger tip about 0.15 m from the axis. All fingers close by a tenth of
//! their range along the whole of it; the thumbs are turned out so that they do not touch their palms.

use super::case::{BEFORE, Case, Field, Other, Workload};
use super::random::Draw;
use anyhow::{Context, Result};
use nalgebra::Isometry3;
use superovoid::{BoundingSphere, QueryOptions, Superovoid, contact};
use superovoid_robot::{ClearanceOptions, Configuration, Robot};

const URDF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../urdf/icub_hands.urdf");

/// Where `right_hand_approach` starts, and where the thumb tips touch, metres.
const APPROACH: [f64; 2] = [-0.05, 0.0035];
/// Of the finger tips from the axis of `right_hand_inward`, metres.
const RADIUS: f64 = 0.15;
/// Largest angle of `right_hand_inward`, radians.
const INWARD: f64 = 0.7;
/// Bodies whose bounding spheres are farther apart than this are no case, metres.
const NEAR: f64 = 0.01;

/// The model, and which bodies are compared.
pub struct Hands {
    pub robot: Robot,
    shapes: Vec<Superovoid>,
    spheres: Vec<BoundingSphere>,
    /// Link of each shape, and its pose there.
    mounts: Vec<(usize, Isometry3<f64>)>,
    /// Every pair of bodies that are not adjacent.
    pub pairs: Vec<[usize; 2]>,
}

/// Configurations, and every pair of every one of them as a case.
pub struct Scene {
    pub configurations: Vec<Configuration>,
    /// Each of them 1 mm before: where a warm start comes from.
    pub before: Vec<Configuration>,
    pub workload: Workload,
}

impl Hands {
    pub fn load() -> Result<Hands> {
        let robot = Robot::from_urdf_file(URDF).context("the model of the hands")?;
        let bodies = robot.superovoid_bodies();
        let shapes: Vec<Superovoid> = bodies.iter().map(|body| body.shape).collect();
        let mounts = bodies.iter().map(|body| (body.link, body.pose)).collect();
        let all = robot.clearances(&robot.neutral(), &ClearanceOptions::default())?;
        let index = |link, collision| {
            let place = bodies
                .iter()
                .position(|body| (body.link, body.collision) == (link, collision));
            place.context("a pair of unknown bodies")
        };
        let pairs = all.pairs.iter().map(|pair| {
            let a = index(pair.link_a, pair.collision_a)?;
            Ok([a, index(pair.link_b, pair.collision_b)?])
        });
        let mut pairs = pairs.collect::<Result<Vec<_>>>()?;
        pairs.sort_unstable();
        let spheres = shapes.iter().map(Superovoid::bounding_sphere).collect();
        Ok(Hands {
            robot,
            shapes,
            spheres,
            mounts,
            pairs,
        })
    }

    /// Length of the path, metres.
    pub fn length() -> f64 {
        APPROACH[1] - APPROACH[0] + INWARD * RADIUS
    }

    /// The configuration at s metres along the path.
    pub fn at(&self, s: f64) -> Result<Configuration> {
        let straight = APPROACH[1] - APPROACH[0];
        let mut configuration = self.robot.neutral();
        for joint in self.robot.joints() {
            let Some([lower, upper]) = joint.range().filter(|_| joint.mimic.is_none()) else {
                continue;
            };
            let position = match joint.name.as_str() {
                "l_hand_thumb_0_joint" | "r_hand_thumb_0_joint" => 0.25,
                "right_hand_approach" => APPROACH[0] + s.min(straight),
                "right_hand_inward" => (s - straight) / RADIUS,
                _ => 0.0_f64.clamp(lower, upper) + 0.1 * (upper - lower) * s / Self::length(),
            };
            configuration.set(&joint.name, position.clamp(lower, upper))?;
        }
        Ok(configuration)
    }

    /// The poses of all bodies.
    fn poses(&self, configuration: &Configuration) -> Result<Vec<Isometry3<f64>>> {
        let links = self.robot.forward_kinematics(configuration)?;
        let of = |(link, mount): &(usize, Isometry3<f64>)| links[*link] * mount;
        Ok(self.mounts.iter().map(of).collect())
    }

    /// Pairs whose bounding spheres are near each other.
    fn near(&self, poses: &[Isometry3<f64>]) -> Vec<[usize; 2]> {
        let apart = |&[a, b]: &[usize; 2]| {
            let centres = [a, b].map(|k| poses[k] * self.spheres[k].center);
            (centres[1] - centres[0]).norm() - self.spheres[a].radius - self.spheres[b].radius
        };
        self.pairs
            .iter()
            .copied()
            .filter(|pair| apart(pair) < NEAR)
            .collect()
    }

    fn workload(&self) -> Workload {
        Workload {
            title: "Hands",
            note: "Pairs of bodies of both iCub hands (tapered, convex, 6 to 40 mm) whose bounding spheres are \
                   at most 10 mm apart, every other one overlapping, at random places of a path that closes the \
                   hands: the right one comes nearer until the thumb tips touch, then turns inward by 0.7 rad \
                   through the left one.",
            shapes: self.shapes.clone(),
            ..Workload::default()
        }
    }

    /// Random pairs at random places of the path, every other one overlapping.
    pub fn pairs(&self, draw: &mut Draw, count: usize) -> Result<Workload> {
        let mut workload = self.workload();
        while workload.cases.len() < count {
            let s = draw.between(0.0, Self::length());
            let overlapping = workload.cases.len() % 2 == 1;
            let case = self.case(draw, &[s])?;
            workload
                .cases
                .extend(case.filter(|case| !overlapping || self.overlaps(case)));
        }
        Ok(workload)
    }

    /// By our own answer, which only chooses the cases.
    fn overlaps(&self, case: &Case) -> bool {
        let Other::Shape(b) = case.b else {
            return false;
        };
        let ([pose_a, pose_b], options) = (&case.poses, QueryOptions::default());
        contact(
            &self.shapes[case.a],
            pose_a,
            &self.shapes[b],
            pose_b,
            &options,
            None,
        )
        .is_ok_and(|found| found.distance < 0.0)
    }

    /// The same, at steps of that many metres along the path: [`BEFORE`] queries before the one asked.
    pub fn trajectory(&self, draw: &mut Draw, count: usize, step: f64) -> Result<Workload> {
        let mut workload = Workload {
            note: "Pairs as in *Hands*, overlapping ones only as they come, after six queries at steps of that \
                   length along the path.",
            field: Field::Warm,
            ..self.workload()
        };
        while workload.cases.len() < count {
            let s = draw.between(BEFORE as f64 * step, Self::length());
            let places: Vec<_> = (0..=BEFORE).rev().map(|k| s - k as f64 * step).collect();
            workload.cases.extend(self.case(draw, &places)?);
        }
        Ok(workload)
    }

    /// A random pair among the near ones at the last of the places; `None` if there is none.
    fn case(&self, draw: &mut Draw, places: &[f64]) -> Result<Option<Case>> {
        let poses: Result<Vec<_>> = places.iter().map(|s| self.poses(&self.at(*s)?)).collect();
        let poses = poses?;
        let (last, before) = poses.split_last().context("no place")?;
        let near = self.near(last);
        if near.is_empty() {
            return Ok(None);
        }
        let [a, b] = near[draw.below(near.len())];
        let of = |poses: &Vec<Isometry3<f64>>| [poses[a], poses[b]];
        Ok(Some(Case {
            before: before.iter().map(of).collect(),
            ..Case::pair(a, b, of(last))
        }))
    }

    /// Every pair at evenly spaced places of the path.
    pub fn scene(&self, count: usize) -> Result<Scene> {
        let mut scene = Scene {
            configurations: Vec::new(),
            before: Vec::new(),
            workload: self.workload(),
        };
        for k in 0..count {
            let s = Self::length() * (k as f64 + 0.5) / count as f64;
            let configuration = self.at(s)?;
            let poses = self.poses(&configuration)?;
            let case = |&[a, b]: &[usize; 2]| Case::pair(a, b, [poses[a], poses[b]]);
            scene.workload.cases.extend(self.pairs.iter().map(case));
            scene.configurations.push(configuration);
            scene.before.push(self.at(s - 1e-3)?);
        }
        Ok(scene)
    }
}

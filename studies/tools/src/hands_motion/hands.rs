//! Both hands of one version of the model, as bodies in the world.

use super::Moment;
use anyhow::{Context, Result, ensure};
use nalgebra::Isometry3;
use std::path::Path;
use superovoid::{Contact, PairCache, QueryOptions, Superovoid, contact};
use superovoid_robot::{Configuration, Robot, SuperovoidBody};

/// Both hands.
#[derive(Clone, Debug)]
pub struct Hands {
    /// What this version is called in the report.
    pub name: String,
    /// The model.
    pub robot: Robot,
    /// Its shapes; a link may have several.
    pub bodies: Vec<SuperovoidBody>,
    /// Every body of the left hand with every body of the right one, as indices.
    ///
    /// The bodies of one hand do not move against each other: the fingers keep still.
    pub pairs: Vec<[usize; 2]>,
}

/// A body in its place.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its shape.
    pub shape: Superovoid,
    /// In the frame of the root link, metres.
    pub pose: Isometry3<f64>,
}

impl Hands {
    /// Reads a version from its URDF.
    ///
    /// # Errors
    /// A file that is refused, a hand without shapes, or a shape that is not convex (the depth of such a one
    /// has no oracle).
    pub fn load(name: &str, urdf: &Path) -> Result<Self> {
        let robot = Robot::from_urdf_file(urdf)?;
        let bodies = robot.superovoid_bodies();
        let link = |body: &SuperovoidBody| robot.links()[body.link].name.as_str();
        let of_hand = |prefix: &str| {
            let all = (0..bodies.len()).filter(|&k| link(&bodies[k]).starts_with(prefix));
            all.collect::<Vec<usize>>()
        };
        for body in &bodies {
            ensure!(
                body.shape.is_convex(),
                "{}: the shape of {} is not convex: {}",
                urdf.display(),
                link(body),
                body.shape.convexity()
            );
        }
        let [left, right] = ["l_hand", "r_hand"].map(of_hand);
        ensure!(
            !left.is_empty() && !right.is_empty(),
            "{}: expected superovoids on links l_hand… and r_hand…",
            urdf.display()
        );
        let pairs = left
            .iter()
            .flat_map(|&l| right.iter().map(move |&r| [l, r]));
        Ok(Hands {
            name: name.to_owned(),
            pairs: pairs.collect(),
            bodies,
            robot,
        })
    }

    /// The same hands with tapers too small to change a bit of a body: the queries take them for tapered.
    ///
    /// # Errors
    /// None for bodies without tapers.
    pub fn by_general_code(&self) -> Result<Hands> {
        const TAPER: f64 = 1e-300;
        let mut hands = self.clone();
        hands.name = format!("{} by the code for tapered bodies", self.name);
        for body in &mut hands.bodies {
            let shape = &body.shape;
            ensure!(shape.tapers() == [0.0; 2], "{} has tapers", self.name);
            body.shape = Superovoid::new(shape.semi_axes(), shape.exponents(), [TAPER; 2])?;
        }
        Ok(hands)
    }

    /// The joints' positions at a moment.
    ///
    /// # Errors
    /// A joint that the model lacks, or a position beyond its limits.
    pub fn configuration(&self, moment: &Moment) -> Result<Configuration> {
        let mut configuration = self.robot.neutral();
        for (joint, position) in moment.positions() {
            configuration
                .set(joint, position)
                .with_context(|| self.name.clone())?;
        }
        Ok(configuration)
    }

    /// The poses of all links at a moment.
    ///
    /// # Errors
    /// As [`Hands::configuration`].
    pub fn links(&self, moment: &Moment) -> Result<Vec<Isometry3<f64>>> {
        Ok(self
            .robot
            .forward_kinematics(&self.configuration(moment)?)?)
    }

    /// All bodies at a moment, in the order of [`Hands::bodies`].
    ///
    /// # Errors
    /// As [`Hands::configuration`].
    pub fn at(&self, moment: &Moment) -> Result<Vec<Body>> {
        let links = self.links(moment)?;
        let place = |body: &SuperovoidBody| Body {
            shape: body.shape,
            pose: links[body.link] * body.pose,
        };
        Ok(self.bodies.iter().map(place).collect())
    }

    /// The name of the link of a body.
    pub fn link(&self, body: usize) -> &str {
        &self.robot.links()[self.bodies[body].link].name
    }
}

/// The contact of two bodies.
///
/// # Errors
/// Options that the query refuses.
pub(super) fn ask(
    [a, b]: [&Body; 2],
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact> {
    Ok(contact(
        &a.shape, &a.pose, &b.shape, &b.pose, options, cache,
    )?)
}

//! The world: a scene that moves, frame by frame.
//!
//! A frame of time Δt has n substeps of length h = Δt/n. In each of them bodies and particles are predicted, their
//! constraints are corrected, and the velocities are taken from the positions:
//!
//! ```text
//! v += h a;   x₀ = x;   x += h v;   one pass over the constraints (as many as asked for with position-based dynamics);
//! v = (x − x₀)/h;   the velocity pass: restitution
//! ```
//!
//! Before the velocities a guard moves cloths and bodies apart that have crossed, or leaves them where they were
//! (`cloth/guard.rs`), so that no cloth passes through itself, another one or a body, at any speed.
//!
//! The order is fixed: fabrics, joints, contacts of bodies, contacts of cloths, tetrahedra of solids and their contacts,
//! each in the order of its list; where there are gimbals, joints and contacts of bodies follow each other in rounds. Contact
//! of bodies and cloths is found once a frame, and again within it only for what moved too far; contact of solids is found
//! in every substep.
//!
//! Threads, where they are asked for, search for contacts, and of solids they also renew the surfaces and correct the
//! tetrahedra: every query and every solid writes what is its own, so that the bits are the same for any number of threads.

use crate::cloth::ClothSystem;
use crate::contacts::{ClothContactPoint, ContactPoint};
use crate::error::{SceneError, StepError};
use crate::guide::{Goal, GuideError, Guides};
use crate::pull::{Hold, Pull, PullError};
use crate::rigid::RigidSystem;
use crate::scene::{Motion, Scene, Scheme, Settings};
use crate::soft::{PairReport, SoftSystem};
use crate::state::{BodyState, ClothState, SolidState, State};
use crate::threads::Threads;
use crate::validation::validate;
use nalgebra::Vector3;

/// The most sweeps over the contacts of rigid bodies in a substep: a load passes one body in a sweep, and a stack sinks
/// until its loads are known (ten boxes by 12 mm with one sweep, by 0.3 mm with ten).
const SWEEPS: u32 = 10;
/// No more sweeps are made when the last one moved no point by more than this share of the skin.
const ENOUGH: f64 = 1e-6;

/// The stages of a step, in the words of the thesis' tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The prediction of positions and orientations.
    Integration,
    /// The correction of positions by constraints and contacts.
    PositionConstraints,
    /// The correction of velocities by contacts.
    VelocityConstraints,
    /// The search for contacts: broad phase, queries, manifolds.
    Collision,
    /// The velocities from the positions, and the end of the frame: sleep, checks and the state.
    VelocityUpdate,
}

impl Stage {
    /// All stages, in the order of the thesis' tables.
    pub const ALL: [Stage; 5] = [
        Stage::Integration,
        Stage::PositionConstraints,
        Stage::VelocityConstraints,
        Stage::Collision,
        Stage::VelocityUpdate,
    ];
}

/// A scene that moves.
pub struct World {
    settings: Settings,
    rigid: RigidSystem,
    cloth: ClothSystem,
    soft: SoftSystem,
    threads: Threads,
    begin: Vec<Vector3<f64>>,
    state: State,
    failed: Option<StepError>,
    pull: Option<Pull>,
    holds: Vec<Hold>,
    /// The inverse masses of what is held, while the fabrics are solved.
    weights: Vec<f64>,
    guides: Guides,
    /// Whether a body can be guided.
    guidable: Vec<bool>,
}

impl World {
    /// Validates a scene and builds a world at its start.
    ///
    /// # Errors
    /// The error names the first field that is refused, with its index.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        validate(scene)?;
        let rigid = RigidSystem::new(scene);
        let cloth = ClothSystem::new(scene, &rigid.bodies);
        let soft = SoftSystem::new(scene, &rigid.bodies);
        let mut world = World {
            settings: scene.settings,
            begin: cloth.particles.x.clone(),
            rigid,
            cloth,
            soft,
            threads: Threads::default(),
            state: State::default(),
            failed: None,
            pull: None,
            holds: Vec::new(),
            weights: Vec::new(),
            guides: Guides::default(),
            guidable: scene
                .bodies
                .iter()
                .map(|b| guidable(scene, &b.motion))
                .collect(),
        };
        world.make_state();
        Ok(world)
    }

    /// Distributes the search for contacts, and the surfaces and tetrahedra of solids, to threads; 1 means none but the
    /// caller's, which is the default. The bits do not depend on it.
    #[cfg(feature = "rayon")]
    pub fn set_threads(&mut self, count: usize) {
        self.threads = Threads::new(count);
    }

    /// Pulls something from the next frame on, or lets it go. A pull is an input from outside: a scene that is pulled
    /// repeats itself only if the pulls are repeated.
    ///
    /// # Errors
    /// The error names what cannot be pulled; then what was pulled before is still pulled.
    pub fn pull(&mut self, pull: Option<Pull>) -> Result<(), PullError> {
        if let Some(pull) = &pull {
            pull.validate(&self.rigid.bodies, &self.cloth, &self.soft)?;
        }
        self.pull = pull;
        Ok(())
    }

    /// Holds vertices of cloths from the next frame on, and no others.
    ///
    /// # Errors
    /// The error names what cannot be held; then what was held before is still held.
    pub fn hold(&mut self, holds: &[Hold]) -> Result<(), PullError> {
        for hold in holds {
            hold.validate(&self.cloth, &self.soft)?;
        }
        for hold in holds.iter().filter(|hold| !self.holds.contains(hold)) {
            self.cloth.stir(hold.cloth);
        }
        for hold in self.holds.iter().filter(|hold| !holds.contains(hold)) {
            self.cloth.stir(hold.cloth);
        }
        self.holds = holds.to_vec();
        Ok(())
    }

    /// Guides a kinematic superovoid without keys towards a goal from the next frame on, no faster than cloths can follow:
    /// no point of its surface moves by more in a substep than the least height that triangles of cloths keep, a quarter of
    /// the thickness.
    ///
    /// # Errors
    /// The error names what is refused: a body that is not of this kind or in a scene with solids, and numbers out of range;
    /// then the goal of before is still there.
    pub fn guide(&mut self, body: usize, goal: Goal) -> Result<(), GuideError> {
        let guidable = self.guidable.get(body).is_some_and(|can| *can);
        self.guides.set(body, goal, &self.rigid.bodies, guidable)
    }

    /// Returns the semi-axes and exponents of a body that has been guided.
    pub fn form(&self, body: usize) -> Option<([f64; 3], [f64; 2])> {
        self.guides.form(body)
    }

    /// Gives a cloth other positions and velocities.
    ///
    /// # Errors
    /// The error names what is refused: a cloth that is not there, a wrong number of vertices, numbers that are not finite;
    /// then nothing is changed.
    pub fn set_cloth(
        &mut self,
        cloth: usize,
        positions: &[[f64; 3]],
        velocities: &[[f64; 3]],
    ) -> Result<(), SceneError> {
        let Some(fabric) = self.cloth.cloths.get(cloth) else {
            return Err(SceneError::new(format!("cloths[{cloth}]"), "is not there"));
        };
        let count = fabric.range.len();
        for (name, list, most) in [
            ("positions", positions, 1e6),
            ("velocities", velocities, 1e9),
        ] {
            if list.len() != count {
                let wanted = format!("must be {count} in number, and are {}", list.len());
                return Err(SceneError::new(name, wanted));
            }
            if let Some(k) = list.iter().position(|x| !x.iter().all(|x| x.abs() < most)) {
                return Err(SceneError::new(format!("{name}[{k}]"), "must be finite"));
            }
        }
        self.cloth.set(cloth, positions, velocities);
        self.fill_state();
        Ok(())
    }

    /// Advances the world by one frame.
    ///
    /// # Errors
    /// The error says what diverged: a state that is not finite, or an edge 100 times its rest length. Then
    /// [`World::state`] keeps the last good state, and every later step returns the same error.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&mut |_| {})
    }

    /// Advances the world by one frame and calls `enter` whenever a stage begins: a caller with a clock can time the
    /// stages, as this library has none.
    ///
    /// # Errors
    /// The errors are those of [`World::step`].
    pub fn step_with(&mut self, enter: &mut dyn FnMut(Stage)) -> Result<(), StepError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.begin.copy_from_slice(&self.cloth.particles.x);
        let substeps = self.settings.substeps;
        let h = self.settings.frame / f64::from(substeps);
        let start = self.state.frame as f64 * self.settings.frame;
        if let Some(pull) = &self.pull {
            pull.wake(&mut self.rigid.bodies, &mut self.cloth);
        }
        let followed = self.cloth.followed();
        self.guides
            .begin_frame(&mut self.rigid.bodies, start, &self.settings, followed);
        enter(Stage::Collision);
        self.rigid.begin_frame(start, &self.settings);
        self.cloth
            .begin_frame(&self.rigid.bodies, start, &self.settings, &self.threads);
        for substep in 0..substeps {
            let end = start + f64::from(substep + 1) * h;
            self.guides
                .reshape(substep, substeps, &mut self.rigid.bodies, &mut self.cloth);
            self.substep(substep == 0, end, h, enter);
        }
        self.guides.end_frame(&self.rigid.bodies, &mut self.cloth);
        enter(Stage::VelocityUpdate);
        self.rigid.end_frame(&self.settings);
        self.cloth.end_frame(&self.settings, &self.begin);
        self.check()?;
        self.state.frame += 1;
        self.state.time = self.state.frame as f64 * self.settings.frame;
        self.fill_state();
        Ok(())
    }

    fn substep(&mut self, first: bool, end: f64, h: f64, enter: &mut dyn FnMut(Stage)) {
        let push_out = self.settings.push_out_speed * h;
        enter(Stage::Collision);
        self.rigid
            .find_contacts(first, [end, h], &self.settings, &self.threads);
        if !first {
            self.cloth
                .renew_faces(&self.rigid.bodies, [end - h, h], &self.settings);
        }
        self.soft
            .find_contacts(&mut self.rigid.bodies, &self.settings, &self.threads);
        enter(Stage::Integration);
        if let Some(pull) = &self.pull {
            pull.accelerate(&mut self.rigid.bodies, h);
        }
        self.rigid.predict(end, h, &self.settings);
        self.cloth.predict(&self.rigid.bodies, h);
        self.soft.predict(&self.rigid.bodies, &self.settings, h);
        enter(Stage::PositionConstraints);
        let (passes, sweeps, velocity_passes) = match self.settings.scheme {
            Scheme::Xpbd => (1, SWEEPS, 1),
            Scheme::Pbd {
                iterations,
                velocity_iterations,
                ..
            } => (iterations, 1, velocity_iterations),
        };
        for _ in 0..passes {
            self.solve_fabrics();
            if let Some(pull) = &self.pull {
                pull.hold(&mut self.cloth, h);
            }
            let enough = ENOUGH * self.settings.skin;
            self.rigid
                .solve_positions(h, sweeps, enough, self.settings.skin);
            self.cloth
                .solve_contacts(&mut self.rigid.bodies, push_out, sweeps, enough);
        }
        self.soft
            .solve(&mut self.rigid.bodies, &self.settings, h, &self.threads);
        if let Some(pull) = &self.pull {
            pull.hold_solid(&mut self.soft, h);
        }
        enter(Stage::Collision);
        self.cloth.push_radially(&self.rigid.bodies);
        self.cloth
            .sweep(&mut self.rigid.bodies, end - h, &self.settings, push_out);
        let guides = &mut self.guides;
        self.cloth
            .keep_apart(&mut self.rigid.bodies, push_out, |b, share, body| {
                guides.hold_back(b, share, body);
            });
        enter(Stage::VelocityUpdate);
        self.rigid.finish(h);
        self.cloth.finish(h);
        self.soft.finish(h);
        enter(Stage::VelocityConstraints);
        for _ in 0..velocity_passes {
            self.rigid.solve_velocities(h);
        }
        self.rigid.tell(h);
    }

    /// Solves the fabrics about the vertices that are held: those go back to their places first, and have no inverse mass
    /// meanwhile, so that the fabric hangs from them. What is in the way may press them off after that.
    fn solve_fabrics(&mut self) {
        let most = self.cloth.followed();
        self.weights.clear();
        for hold in &self.holds {
            hold.hold(&mut self.cloth, most);
            self.weights.push(hold.weigh(&mut self.cloth, 0.0));
        }
        self.cloth.solve_fabrics();
        // Backwards: of two holds of a vertex the first knows its weight.
        for (hold, weight) in self.holds.iter().zip(&self.weights).rev() {
            hold.weigh(&mut self.cloth, *weight);
        }
    }

    fn check(&mut self) -> Result<(), StepError> {
        let frame = self.state.frame;
        let found = (
            self.rigid.diverged(),
            self.cloth.diverged(),
            self.soft.diverged(),
        );
        let error = match found {
            (Some(body), _, _) => StepError::Body { frame, body },
            (None, Some((cloth, vertex)), _) => StepError::Cloth {
                frame,
                cloth,
                vertex,
            },
            (None, None, Some((solid, vertex))) => StepError::Solid {
                frame,
                solid,
                vertex,
            },
            (None, None, None) => return Ok(()),
        };
        self.failed = Some(error);
        Err(error)
    }

    /// The state at the end of the last frame that did not diverge.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the points at which bodies pressed on each other in the last frame: none before the first frame, nor after
    /// a step that failed. Pairs of bodies that sleep keep those of the frame in which they fell asleep.
    pub fn contacts(&self) -> impl Iterator<Item = ContactPoint> + '_ {
        let failed = self.failed.is_some();
        self.rigid.contacts().filter(move |_| !failed)
    }

    /// Returns the vertices of cloths that pressed on bodies in the last frame: none before the first frame, nor after a step
    /// that failed. Cloths that sleep keep those of the frame in which they fell asleep. The published method of 2015
    /// pushes vertices without an impulse, and tells none.
    pub fn cloth_contacts(&self) -> impl Iterator<Item = ClothContactPoint> + '_ {
        let failed = self.failed.is_some();
        let h = self.settings.frame / f64::from(self.settings.substeps);
        self.cloth.contacts(h).filter(move |_| !failed)
    }

    /// What the rays of the pairs of solids whose boxes met said at the start of the last substep.
    pub fn solid_pairs(&self) -> &[PairReport] {
        &self.soft.reports
    }

    /// The contacts of the last substep between solids (and of solids with themselves), and of solids with bodies.
    pub fn solid_contacts(&self) -> [usize; 2] {
        self.soft.contact_counts()
    }

    /// The settings of the scene.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn make_state(&mut self) {
        self.state.bodies = self.rigid.bodies.iter().map(body_state).collect();
        for cloth in &self.cloth.cloths {
            let zeros = vec![[0.0; 3]; cloth.range.len()];
            self.state.cloths.push(ClothState {
                positions: zeros.clone(),
                velocities: zeros,
                asleep: false,
            });
        }
        for solid in &self.soft.solids {
            let zeros = vec![[0.0; 3]; solid.x.len()];
            self.state.solids.push(SolidState {
                positions: zeros.clone(),
                velocities: zeros,
            });
        }
        self.fill_state();
    }

    fn fill_state(&mut self) {
        for (state, body) in self.state.bodies.iter_mut().zip(&self.rigid.bodies) {
            *state = body_state(body);
        }
        for (state, cloth) in self.state.cloths.iter_mut().zip(&self.cloth.cloths) {
            let particles = &self.cloth.particles;
            copy(&mut state.positions, &particles.x[cloth.range.clone()]);
            copy(&mut state.velocities, &particles.v[cloth.range.clone()]);
            state.asleep = cloth.asleep;
        }
        for (state, solid) in self.state.solids.iter_mut().zip(&self.soft.solids) {
            copy(&mut state.positions, &solid.x);
            copy(&mut state.velocities, &solid.v);
        }
    }
}

/// Whether a body of this motion can be guided.
fn guidable(scene: &Scene, motion: &Motion) -> bool {
    scene.solids.is_empty() && matches!(motion, Motion::Kinematic { keys } if keys.is_empty())
}

fn copy(to: &mut [[f64; 3]], from: &[Vector3<f64>]) {
    to.iter_mut()
        .zip(from)
        .for_each(|(to, from)| *to = (*from).into());
}

fn body_state(body: &crate::rigid::RigidBody) -> BodyState {
    let q = body.q.quaternion();
    BodyState {
        position: body.pose().translation.vector.into(),
        orientation: [q.w, q.i, q.j, q.k],
        velocity: body.v.into(),
        angular_velocity: body.omega.into(),
        asleep: body.asleep,
    }
}

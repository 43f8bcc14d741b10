//! Motions of a robot among obstacles.

use super::batch::sovo_cancel;
use super::configuration::read_configuration;
use super::edge::sovo_robot_contact;
use super::memory::{
    Out, Plain, Strided, StridedOut, Versioned, free, read_sized, room_for, size_through,
};
use super::options::{switch, time_limit, zero};
use super::robot::{number, part, read_texts, robot_of, sovo_robot, text};
use super::robot_scene::{sovo_robot_scene, used};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use superovoid_plan::{
    Plan, PlanError, PlanOptions, PlanProblem, PlanStatistics, Reason, movable_joints,
    plan_with_progress,
};

/// The answer of sovo_robot_scene_plan(): a path, or the reason why none was found. It is immutable, so that threads can
/// share it, and must be freed with sovo_plan_free().
pub struct sovo_plan {
    info: sovo_plan_info,
    /// The text that the info points to.
    _in_words: Option<CString>,
    /// The numbers of the path.
    positions: Vec<f64>,
    touching: Vec<(CString, CString, sovo_robot_contact)>,
}

/// The reason why no path was found.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_plan_reason {
    /// A path was found.
    SOVO_PLAN_REASON_NONE = 0,
    /// The start is in collision, or not proven free; sovo_plan_touching() tells the pair.
    SOVO_PLAN_REASON_START_IN_COLLISION = 1,
    /// Every goal is in collision, or not proven free; sovo_plan_touching() tells the pairs, in the order of the goals.
    SOVO_PLAN_REASON_GOALS_IN_COLLISION = 2,
    /// The samples were used up.
    SOVO_PLAN_REASON_SAMPLES = 3,
    /// The time was used up.
    SOVO_PLAN_REASON_TIME = 4,
    /// The cancel callback ended the plan.
    SOVO_PLAN_REASON_CANCELLED = 5,
}
use sovo_plan_reason::*;

/// The options of a plan. Distances between configurations are Euclidean, in radians and metres alike. A field that is zero
/// means the default, but for shortcuts, and a NULL in place of the whole struct means all defaults. Start from
/// SOVO_PLAN_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_plan_options {
    /// The size, sizeof(sovo_plan_options).
    pub size: usize,
    /// The seed of the random numbers. The same problem, options and seed give the same path, unless the time ends.
    pub seed: u64,
    /// The greatest distance between two states that are checked on an edge; twice that where edges are proven, as a proof
    /// refuses what is between the states. 0: 1/32.
    pub spacing: f64,
    /// The greatest length of an edge of the search's trees. 0: 1.
    pub max_step: f64,
    /// The time, seconds, after which the plan ends. 0 and INFINITY: no limit.
    pub max_time: f64,
    /// The number of random configurations after which the search ends. 0: 100000.
    pub max_samples: u32,
    /// The number of rounds that make the path shorter, each with shortcuts and rounder corners; SOVO_PLAN_OPTIONS_INIT sets 3.
    pub shortcuts: u32,
    /// 0: every edge of the path is proven. 1: states at the spacing are checked only, and the path is not proven.
    pub no_proof: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// A callback that decides whether the plan goes on; NULL: none. It is called once at the beginning, then every 10 ms or, if
    /// a single query takes longer, after it, during proofs too: with the samples that were drawn and max_samples. It must not
    /// use the scene.
    pub cancel: sovo_cancel,
    /// A pointer that cancel receives.
    pub cancel_data: *mut c_void,
}

// SAFETY: The struct consists of numbers, a function pointer that may be NULL and a pointer, for which any bits are valid.
unsafe impl Plain for sovo_plan_options {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_plan_options {
    const DEFAULT: Self = sovo_plan_options {
        size: 0,
        seed: 0,
        spacing: 0.0,
        max_step: 0.0,
        max_time: 0.0,
        max_samples: 0,
        shortcuts: 3,
        no_proof: 0,
        reserved: 0,
        cancel: None,
        cancel_data: ptr::null_mut(),
    };
    const FIRST: usize = size_through!(sovo_plan_options.reserved: u32);
}

/// What a plan consists of, and the work that it took.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_plan_info {
    /// The number of configurations of the path, from the start to a goal: the robot moves straight from one to the next, as in
    /// sovo_robot_edge_free(). 0 if no path was found.
    pub configurations: usize,
    /// The number of numbers of a configuration.
    pub position_count: usize,
    /// The index of the goal where the path ends; SIZE_MAX without a path.
    pub goal: usize,
    /// 1 if every edge of the path is proven free, both ends included, otherwise 0.
    pub proven: u32,
    /// Why no path was found, a sovo_plan_reason. Unless an end is in collision this does not prove that there is none.
    pub reason: u32,
    /// The reason in words, with the links and objects that touch; NULL if a path was found. The text belongs to the plan.
    pub text: *const c_char,
    /// The number of pairs for sovo_plan_touching().
    pub touching_count: u32,
    /// The number of times that a path was searched, repaired or not: 1 if the first path was proven at once.
    pub rounds: u32,
    /// The number of random configurations of the search.
    pub samples: u64,
    /// The number of states that were checked on edges; a collision ends the check of an edge, whose states all count.
    pub states_checked: u64,
    /// The number of edges whose states were checked.
    pub edges_checked: u64,
    /// The number of edges that were proven free.
    pub edges_proven: u64,
    /// The number of edges whose states were free, and that the proof refused.
    pub edges_refused: u64,
    /// The time of the search and of repairs, seconds.
    pub search_time: f64,
    /// The time of shortcuts, seconds.
    pub shortcutting_time: f64,
    /// The time in which the edges of paths were proven, seconds.
    pub proof_time: f64,
}

/// A pair that is in collision at the start or at a goal, or not proven to be free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_touching_pair {
    /// The name of the link, or of the object attached to it. The texts belong to the plan.
    pub name_a: *const c_char,
    /// The name of the other link, of an attached object, or of the obstacle.
    pub name_b: *const c_char,
    /// The contact, world frame.
    pub contact: sovo_robot_contact,
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let status = match error {
            PlanError::Scene(error) => return error.into(),
            PlanError::NoGoal => SOVO_STATUS_ERROR_SIZE,
            PlanError::NotProvable { .. } => SOVO_STATUS_ERROR_UNCHECKED,
            PlanError::Option { .. } => SOVO_STATUS_ERROR_OPTION,
            _ => SOVO_STATUS_ERROR_CONFIGURATION,
        };
        Failure::other(status, error.to_string())
    }
}

/// Searches a path from a start (count numbers) to one of its goals (goal_count configurations of count numbers, one after
/// the other), among the obstacles of a scene: RRT-Connect, shortcuts, and a proof of every edge as that of
/// sovo_robot_scene_edge_free(); an edge that is refused is replaced. joints: the names of the joint_count joints that move, the
/// others stay where the start has them; NULL with a count of 0 stands for every revolute, continuous and prismatic joint
/// that mimics no other one. options: NULL for the defaults. The plan must be freed with sovo_plan_free().
///
/// That no path is found is no error: sovo_plan_describe() tells the reason. SOVO_STATUS_ERROR_SIZE: no goal, or a wrong
/// count. SOVO_STATUS_ERROR_CONFIGURATION: a wrong position, a joint that is unknown, given twice, or not one with one degree
/// of freedom that mimics no other one, or a goal that has a joint that does not move elsewhere than the start.
/// SOVO_STATUS_ERROR_OPTION: an option that is out of its domain. SOVO_STATUS_ERROR_UNCHECKED: the robot has collision shapes
/// that are not checked, so that no edge can be proven.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_plan(
    scene: *mut sovo_robot_scene,
    start: *const f64,
    count: usize,
    goals: *const f64,
    goal_count: usize,
    joints: *const *const c_char,
    joint_count: usize,
    options: *const sovo_plan_options,
    plan: *mut *mut sovo_plan,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (options, cancel) = unsafe { read_plan_options(options) }?;
        let robot = scene.scene.robot();
        // SAFETY: As above, the caller guarantees it.
        let start = unsafe { read_configuration(robot, (start, "start"), count) }?;
        let stride = count.saturating_mul(size_of::<f64>());
        let places = Strided::new(goals, goal_count, stride, "goals")?;
        room_for(goal_count, stride.saturating_add(256))?;
        let mut goals = Vec::with_capacity(goal_count);
        for k in 0..goal_count {
            // SAFETY: As above, the caller guarantees it.
            let goal = unsafe { read_configuration(robot, (places.place(k), "goals"), count) };
            let named =
                |error| Failure::At("goals", Box::new(Failure::Element(k, Box::new(error))));
            goals.push(goal.map_err(named)?);
        }
        // SAFETY: As above, the caller guarantees it.
        let joints = unsafe { read_texts(joints, joint_count, "joints") }?;
        let out = Out::new(plan, "plan")?;
        let mut problem = PlanProblem::new(start, goals);
        if !joints.is_empty() {
            problem = problem.with_joints(joints);
        }
        let answer = match cancel {
            None => superovoid_plan::plan(&mut scene.scene, &problem, &options),
            Some((cancel, data)) => {
                let mut goes_on = |work: &PlanStatistics| {
                    // SAFETY: The caller passes a function that can be called with its data.
                    (unsafe { cancel(data, work.samples, options.max_samples) }) == 0
                };
                plan_with_progress(&mut scene.scene, &problem, &options, &mut goes_on)
            }
        }?;
        let made = sovo_plan::of(scene, answer);
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Finds the joints that move in a plan unless it names others: every revolute, continuous and prismatic one that mimics no
/// other one, in the order of the robot. The function writes the names of as many as capacity allows, the first ones, which
/// belong to the robot, and sets total to their number; names may be NULL if capacity is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_movable_joints(
    robot: *const sovo_robot,
    names: *mut *const c_char,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let robot = unsafe { robot_of(robot) }?;
        let places = StridedOut::new(names, capacity, size_of::<*const c_char>(), "names")?;
        let out = Out::new(total, "total")?;
        let moving = movable_joints(&robot.robot);
        let moving = moving.filter_map(|joint| robot.robot.joint_index(&joint.name));
        let found: Vec<*const c_char> = moving.map(|k| robot.joints[k].as_ptr()).collect();
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            places.write_all(found.iter().take(capacity).copied());
            out.write(found.len());
        }
        Ok(())
    })
}

/// Writes what a plan consists of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_plan_describe(
    plan: *const sovo_plan,
    info: *mut sovo_plan_info,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let plan = unsafe { plan.as_ref() }.ok_or(Failure::Null("plan"))?;
        let out = Out::new(info, "info")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(plan.info) };
        Ok(())
    })
}

/// Writes the path: the configurations one after the other, count numbers in all, which is configurations * position_count of
/// the sovo_plan_info.
///
/// SOVO_STATUS_ERROR_SIZE: another count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_plan_path(
    plan: *const sovo_plan,
    positions: *mut f64,
    count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let plan = unsafe { plan.as_ref() }.ok_or(Failure::Null("plan"))?;
        let numbers = &plan.positions;
        if count != numbers.len() {
            let expected = numbers.len();
            let text = format!("count = {count}: the path has {expected} numbers");
            return Err(Failure::other(SOVO_STATUS_ERROR_SIZE, text));
        }
        let places = StridedOut::new(positions, count, size_of::<f64>(), "positions")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(numbers.iter().copied()) };
        Ok(())
    })
}

/// Writes a pair that is in collision at the start or at a goal.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: an index that is not below the touching_count of the sovo_plan_info.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_plan_touching(
    plan: *const sovo_plan,
    index: u32,
    touching: *mut sovo_touching_pair,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let plan = unsafe { plan.as_ref() }.ok_or(Failure::Null("plan"))?;
        let out = Out::new(touching, "touching")?;
        let (a, b, contact) = part(&plan.touching, index, "touching pair")?;
        let found = sovo_touching_pair {
            name_a: a.as_ptr(),
            name_b: b.as_ptr(),
            contact: *contact,
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Frees a plan and its texts; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_plan_free(plan: *mut sovo_plan) {
    // SAFETY: As above, the caller guarantees it.
    unsafe { free(plan) }
}

impl sovo_plan {
    fn of(scene: &sovo_robot_scene, answer: Plan) -> Self {
        let position_count = scene.scene.robot().position_count();
        let (statistics, reason) = match &answer {
            Plan::Found { statistics, .. } => (statistics, None),
            Plan::NotFound { statistics, reason } => (statistics, Some(reason)),
        };
        let pairs = match reason {
            Some(Reason::StartInCollision(pair)) => std::slice::from_ref(&**pair),
            Some(Reason::GoalsInCollision(pairs)) => pairs,
            _ => &[],
        };
        let touching = pairs.iter().map(|pair| {
            let contact = sovo_robot_contact::of(&scene.scene, &pair.contact);
            (text(&pair.a), text(&pair.b), contact)
        });
        let touching: Vec<_> = touching.collect();
        let in_words = reason.map(|reason| text(&reason.to_string()));
        let (path, goal, proven) = match &answer {
            Plan::Found {
                path, goal, proven, ..
            } => (path.as_slice(), *goal, *proven),
            Plan::NotFound { .. } => (&[][..], usize::MAX, false),
        };
        let positions = path.iter().flat_map(|configuration| configuration.to_vec());
        sovo_plan {
            info: sovo_plan_info {
                configurations: path.len(),
                position_count,
                goal,
                proven: u32::from(proven),
                reason: match reason {
                    None => SOVO_PLAN_REASON_NONE,
                    Some(Reason::StartInCollision(_)) => SOVO_PLAN_REASON_START_IN_COLLISION,
                    Some(Reason::GoalsInCollision(_)) => SOVO_PLAN_REASON_GOALS_IN_COLLISION,
                    Some(Reason::Time { .. }) => SOVO_PLAN_REASON_TIME,
                    Some(Reason::Cancelled) => SOVO_PLAN_REASON_CANCELLED,
                    Some(_) => SOVO_PLAN_REASON_SAMPLES,
                } as u32,
                text: in_words.as_ref().map_or(ptr::null(), |text| text.as_ptr()),
                touching_count: number(touching.len()),
                rounds: number(statistics.rounds),
                samples: statistics.samples as u64,
                states_checked: statistics.states_checked as u64,
                edges_checked: statistics.edges_checked as u64,
                edges_proven: statistics.edges_proven as u64,
                edges_refused: statistics.edges_refused as u64,
                search_time: statistics.search.as_secs_f64(),
                shortcutting_time: statistics.shortcutting.as_secs_f64(),
                proof_time: statistics.proof.as_secs_f64(),
            },
            positions: positions.collect(),
            _in_words: in_words,
            touching,
        }
    }
}

/// A cancel callback and its data.
type Cancel = (
    unsafe extern "C" fn(*mut c_void, usize, usize) -> i32,
    *mut c_void,
);

/// # Safety
/// The requirements are those of [`read_sized`].
unsafe fn read_plan_options(
    pointer: *const sovo_plan_options,
) -> Result<(PlanOptions, Option<Cancel>), Failure> {
    // SAFETY: The caller guarantees it.
    let options = unsafe { read_sized(pointer, "options") }?;
    let options = options.unwrap_or(sovo_plan_options::DEFAULT);
    zero(options.reserved, "options->reserved")?;
    let default = PlanOptions::default();
    let or_default = |length: f64, default| if length == 0.0 { default } else { length };
    let cancel = options.cancel.map(|cancel| (cancel, options.cancel_data));
    let options = default
        .with_seed(options.seed)
        .with_spacing(or_default(options.spacing, default.spacing))
        .with_max_step(or_default(options.max_step, default.max_step))
        .with_max_time(time_limit(options.max_time)?)
        .with_max_samples(match options.max_samples {
            0 => default.max_samples,
            samples => samples as usize,
        })
        .with_shortcuts(options.shortcuts as usize)
        .with_prove(!switch(options.no_proof, "options->no_proof")?);
    Ok((options, cancel))
}

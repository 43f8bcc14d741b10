//! Plans of planar arms and of a ball on two slides, whose free spaces are known.

use nalgebra::Isometry3;
use std::time::{Duration, Instant};
use superovoid::Superovoid;
use superovoid::convex::ConvexShape;
use superovoid_plan::{
    Plan, PlanError, PlanOptions, PlanProblem, Reason, plan, plan_with_progress,
};
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Configuration, EdgeOptions, Robot};

/// Two links of 0.5 m that turn in the plane.
const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.04 0.04"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.4 0.04 0.04"/></geometry></collision></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>
</robot>"#;

/// A ball of radius 0.1 m on two slides of 2 m.
const BALL: &str = r#"<robot name="slides">
  <link name="base"/> <link name="carriage"/>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="y" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"#;

fn scene(urdf: &str) -> RobotScene {
    RobotScene::new(Robot::from_urdf_str(urdf).unwrap()).unwrap()
}

/// The arm among four posts.
fn among_posts() -> RobotScene {
    let mut scene = scene(ARM);
    for (k, [x, y]) in [[0.6, 0.45], [-0.2, 0.7], [-0.6, -0.3], [0.3, -0.7]]
        .into_iter()
        .enumerate()
    {
        let post = Superovoid::superellipsoid([0.08, 0.08, 0.5], [1.0, 0.1]).unwrap();
        let at = Isometry3::translation(x, y, 0.0);
        scene.add_obstacle(&format!("post {k}"), post, at).unwrap();
    }
    scene
}

fn wall(scene: &mut RobotScene, name: &str, half: [f64; 3], at: [f64; 3]) {
    let shape = ConvexShape::cuboid(half).unwrap();
    let pose = Isometry3::translation(at[0], at[1], at[2]);
    scene.add_obstacle(name, shape, pose).unwrap();
}

fn at(scene: &RobotScene, numbers: &[f64]) -> Configuration {
    scene.robot().configuration(numbers).unwrap()
}

fn problem(scene: &RobotScene, start: &[f64], goals: &[&[f64]]) -> PlanProblem {
    let goals = goals.iter().map(|goal| at(scene, goal));
    PlanProblem::new(at(scene, start), goals.collect())
}

/// The path and the index of its goal.
fn found(answer: Plan) -> (Vec<Configuration>, usize) {
    match answer {
        Plan::Found {
            path,
            goal,
            proven: true,
            ..
        } => (path, goal),
        other => panic!("{other:?}"),
    }
}

fn reason(answer: Plan) -> Reason {
    match answer {
        Plan::NotFound { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

/// Looks at every state of a path at 1e-3, which the planner does not.
fn assert_dense_states_are_free(scene: &mut RobotScene, path: &[Configuration]) {
    let options = SceneOptions::default();
    for ends in path.windows(2) {
        let [from, to] = [ends[0].to_vec(), ends[1].to_vec()];
        let length = from
            .iter()
            .zip(&to)
            .map(|(a, b)| (b - a).powi(2))
            .sum::<f64>()
            .sqrt();
        let count = (length / 1e-3).ceil().max(1.0) as usize;
        for k in 0..=count {
            let t = k as f64 / count as f64;
            let state: Vec<f64> = from
                .iter()
                .zip(&to)
                .map(|(a, b)| (1.0 - t) * a + t * b)
                .collect();
            let state = at(scene, &state);
            assert!(!scene.in_collision(&state, &options).unwrap(), "{state:?}");
        }
        let proof = scene.edge_free(&ends[0], &ends[1], &EdgeOptions::default());
        assert!(proof.unwrap().is_free());
    }
}

#[test]
fn an_arm_passes_posts_and_every_edge_is_free() {
    let mut scene = among_posts();
    for seed in 0..10 {
        let problem = problem(&scene, &[0.0, 0.0], &[&[2.9, 0.5]]);
        let options = PlanOptions::default().with_seed(seed);
        let (path, _) = found(plan(&mut scene, &problem, &options).unwrap());
        assert_eq!(
            (path.first(), path.last()),
            (Some(&problem.start), problem.goals.first())
        );
        assert!(path.len() > 2, "the posts are in the straight way");
        assert_dense_states_are_free(&mut scene, &path);
    }
}

#[test]
fn a_seed_gives_one_path() {
    let paths = [3, 3, 4].map(|seed| {
        let mut scene = among_posts();
        let problem = problem(&scene, &[0.0, 0.0], &[&[2.9, 0.5]]);
        found(
            plan(
                &mut scene,
                &problem,
                &PlanOptions::default().with_seed(seed),
            )
            .unwrap(),
        )
    });
    assert_eq!(paths[0], paths[1]);
    assert_ne!(paths[0], paths[2]);
}

#[test]
fn of_several_goals_one_that_is_free_is_reached() {
    let mut scene = scene(BALL);
    wall(&mut scene, "block", [0.3, 0.3, 0.3], [0.6, 0.6, 0.0]);
    let problem = problem(&scene, &[-0.8, 0.0], &[&[0.6, 0.6], &[0.8, -0.8]]);
    let (path, goal) = found(plan(&mut scene, &problem, &PlanOptions::default()).unwrap());
    assert_eq!(goal, 1);
    assert_eq!(path.last(), Some(&problem.goals[1]));
}

#[test]
fn a_wall_thinner_than_the_spacing_stops_a_proven_path_only() {
    let mut scene = scene(BALL.replace("\"0.1\"", "\"0.001\"").as_str());
    // With a slit at the top; the ball's ways are checked every 0.3 m.
    wall(&mut scene, "wall", [1e-5, 0.9, 0.5], [0.05, -0.2, 0.0]);
    let problem = problem(&scene, &[-0.8, -0.5], &[&[0.8, -0.5]]);
    let coarse = PlanOptions::default().with_spacing(0.3);
    let Plan::Found { path, proven, .. } =
        plan(&mut scene, &problem, &coarse.with_prove(false)).unwrap()
    else {
        panic!("the wall is not seen");
    };
    assert!(!proven && path.len() == 2);
    let edge = scene
        .edge_free(&path[0], &path[1], &EdgeOptions::default())
        .unwrap();
    assert!(!edge.is_free());
    let answer = plan(&mut scene, &problem, &coarse).unwrap();
    let Plan::Found { statistics, .. } = &answer else {
        panic!("{answer:?}");
    };
    assert!(statistics.edges_refused > 0 && statistics.rounds > 1);
    let (path, _) = found(answer);
    assert!(path.iter().any(|state| state.to_vec()[1] > 0.7), "{path:?}");
    assert_dense_states_are_free(&mut scene, &path);
}

/// A point that rounds a corner need not be among the states of the edge on which it lies.
#[test]
fn every_configuration_of_a_path_that_is_not_proven_is_free() {
    let mut touching = 0;
    for seed in 0..40 {
        let mut scene = scene(BALL.replace("\"0.1\"", "\"0.001\"").as_str());
        for (k, x) in (0..8).map(|k| (k, 0.2 * f64::from(k) - 0.7)) {
            let y = if k % 2 == 0 { -0.3 } else { 0.3 };
            wall(
                &mut scene,
                &format!("wall {k}"),
                [0.03, 0.8, 0.5],
                [x, y, 0.0],
            );
        }
        let problem = problem(&scene, &[-0.8, -0.5], &[&[0.8, 0.5]]);
        let options = PlanOptions::default().with_seed(seed).with_spacing(0.2);
        let answer = plan(&mut scene, &problem, &options.with_prove(false)).unwrap();
        let Plan::Found { path, .. } = answer else {
            panic!("{answer:?}");
        };
        for state in &path {
            let collides = scene.in_collision(state, &SceneOptions::default()).unwrap();
            touching += usize::from(collides);
        }
    }
    assert_eq!(touching, 0);
}

/// Where steps are far shorter than the limits are wide, hardly a sample is within a few of them.
#[test]
fn short_steps_leave_a_pocket_in_a_space_of_many_joints() {
    let mut urdf = BALL.replace("</robot>", "");
    for k in 0..6 {
        let parent = if k == 0 {
            "ball".to_owned()
        } else {
            format!("arm {}", k - 1)
        };
        urdf += &format!(
            "<link name='arm {k}'/><joint name='turn {k}' type='continuous'><parent link='{parent}'/>\
             <child link='arm {k}'/><axis xyz='0 0 1'/></joint>"
        );
    }
    let mut scene = scene(&(urdf + "</robot>"));
    // Open to the left.
    wall(&mut scene, "right", [0.02, 0.3, 0.5], [0.15, 0.0, 0.0]);
    wall(&mut scene, "above", [0.2, 0.02, 0.5], [0.0, 0.13, 0.0]);
    wall(&mut scene, "below", [0.2, 0.02, 0.5], [0.0, -0.13, 0.0]);
    let start = [0.0; 8];
    let goal = [0.8, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0];
    let problem = problem(&scene, &start, &[&goal]);
    let options = PlanOptions::default().with_max_step(0.3);
    found(plan(&mut scene, &problem, &options).unwrap());
}

#[test]
fn a_closed_thin_wall_ends_without_a_path() {
    let mut scene = scene(BALL);
    wall(&mut scene, "wall", [1e-6, 2.0, 2.0], [0.0, 0.0, 0.0]);
    let problem = problem(&scene, &[-0.8, 0.0], &[&[0.8, 0.0]]);
    let options = PlanOptions::default()
        .with_spacing(0.7)
        .with_max_samples(200);
    let Reason::Samples { samples: 200, .. } =
        reason(plan(&mut scene, &problem, &options).unwrap())
    else {
        panic!("the samples end");
    };
}

#[test]
fn a_goal_in_a_closed_cell_is_not_found_within_the_budget() {
    let mut scene = scene(BALL);
    for (name, half, centre) in [
        ("left", [0.02, 0.4, 0.4], [0.2, 0.6, 0.0]),
        ("below", [0.4, 0.02, 0.4], [0.6, 0.2, 0.0]),
    ] {
        wall(&mut scene, name, half, centre);
    }
    let problem = problem(&scene, &[-0.8, 0.0], &[&[0.7, 0.7]]);
    let options = PlanOptions::default().with_max_samples(500);
    let answer = reason(plan(&mut scene, &problem, &options).unwrap());
    assert!(
        matches!(answer, Reason::Samples { samples: 500, .. }),
        "{answer}"
    );
    let options = options
        .with_max_samples(usize::MAX)
        .with_max_time(Some(Duration::from_millis(50)));
    let answer = reason(plan(&mut scene, &problem, &options).unwrap());
    assert!(matches!(answer, Reason::Time { .. }), "{answer}");
}

#[test]
fn a_plan_that_is_cancelled_ends_at_once_and_says_so() {
    let mut scene = scene(BALL);
    wall(&mut scene, "wall", [0.01, 3.0, 1.0], [0.5, 0.0, 0.0]);
    let problem = problem(&scene, &[-0.8, 0.0], &[&[0.8, 0.0]]);
    let options = PlanOptions::default().with_max_samples(usize::MAX);
    for most in [1, 5] {
        let (mut calls, mut samples) = (0, 0);
        let began = Instant::now();
        let answer = plan_with_progress(&mut scene, &problem, &options, &mut |work| {
            assert!(work.samples >= samples && (calls == 0) == (work.samples == 0));
            (calls, samples) = (calls + 1, work.samples);
            calls < most
        });
        // Calls are 10 ms apart.
        assert!(began.elapsed() >= Duration::from_millis(10 * (most - 1)));
        assert!(began.elapsed() < Duration::from_secs(10));
        assert_eq!(reason(answer.unwrap()), Reason::Cancelled);
        assert_eq!(calls, most);
    }
}

#[test]
fn a_path_does_not_depend_on_its_progress() {
    let mut scene = among_posts();
    let problem = problem(&scene, &[0.0, 0.0], &[&[2.5, 0.5]]);
    let options = PlanOptions::default();
    let alone = found(plan(&mut scene, &problem, &options).unwrap());
    let mut calls = 0;
    let told = plan_with_progress(&mut scene, &problem, &options, &mut |_| {
        calls += 1;
        true
    });
    assert_eq!(found(told.unwrap()), alone);
    assert!(calls > 0);
}

#[test]
fn ends_in_collision_name_the_pair() {
    let mut scene = scene(BALL);
    wall(&mut scene, "block", [0.3, 0.3, 0.3], [0.6, 0.6, 0.0]);
    let (free, inside): (&[f64], &[f64]) = (&[-0.8, 0.0], &[0.6, 0.6]);
    let from_inside = problem(&scene, inside, &[free]);
    let answer = reason(plan(&mut scene, &from_inside, &PlanOptions::default()).unwrap());
    assert!(
        answer
            .to_string()
            .starts_with("the start is in collision: ball and block"),
        "{answer}"
    );
    let into = problem(&scene, free, &[inside]);
    let answer = reason(plan(&mut scene, &into, &PlanOptions::default()).unwrap());
    assert!(
        answer
            .to_string()
            .starts_with("no goal is free: goal 1: ball and block"),
        "{answer}"
    );
}

#[test]
fn links_in_collision_are_named() {
    let urdf = ARM.replace(
        "<link name=\"base\"/>",
        r#"<link name="base"><collision><origin xyz="0.5 0.3 0"/>
        <geometry><sphere radius="0.1"/></geometry></collision></link>"#,
    );
    let mut scene = scene(&urdf);
    let problem = problem(&scene, &[0.0, 1.57], &[&[0.0, 0.0]]);
    let answer = reason(plan(&mut scene, &problem, &PlanOptions::default()).unwrap());
    assert!(answer.to_string().contains("base and lower"), "{answer}");
}

#[test]
fn joints_that_mimic_follow_and_others_stay() {
    // The elbow follows the shoulder, and a third joint stays.
    let urdf = ARM.replace(
        "<limit lower=\"-2.5\"",
        "<mimic joint=\"shoulder\" multiplier=\"-0.5\"/><limit lower=\"-2.5\"",
    );
    let mut mimic = scene(&urdf);
    let one = problem(&mimic, &[-1.0], &[&[1.0]]);
    let (path, _) = found(plan(&mut mimic, &one, &PlanOptions::default()).unwrap());
    assert_eq!(path.last().unwrap().position("elbow"), Ok((-0.5).into()));
    let named = one.with_joints(["elbow"]);
    let error = plan(&mut mimic, &named, &PlanOptions::default()).unwrap_err();
    assert!(matches!(error, PlanError::Mimics { joint, .. } if joint == "elbow"));

    let mut arm = among_posts();
    let shoulder = problem(&arm, &[0.0, -1.2], &[&[0.2, -1.2]]).with_joints(["shoulder"]);
    let (path, _) = found(plan(&mut arm, &shoulder, &PlanOptions::default()).unwrap());
    assert!(
        path.iter()
            .all(|state| state.position("elbow") == Ok((-1.2).into()))
    );
    let elsewhere = problem(&arm, &[0.0, -1.2], &[&[0.2, -1.3]]).with_joints(["shoulder"]);
    let error = plan(&mut arm, &elsewhere, &PlanOptions::default()).unwrap_err();
    assert!(matches!(error, PlanError::Elsewhere { joint, .. } if joint == "elbow"));
}

#[test]
fn a_path_stays_within_the_limits() {
    let mut scene = scene(BALL);
    // Its upper half is open only beyond the limits.
    wall(&mut scene, "wall", [0.02, 1.5, 0.5], [0.0, -0.9, 0.0]);
    let problem = problem(&scene, &[-0.8, -0.8], &[&[0.8, -0.8]]);
    let (path, _) = found(plan(&mut scene, &problem, &PlanOptions::default()).unwrap());
    for number in path.iter().flat_map(Configuration::to_vec) {
        assert!((-1.0..=1.0).contains(&number));
    }
}

#[test]
fn a_start_that_is_the_goal_is_a_path() {
    let mut scene = scene(BALL);
    let problem = problem(&scene, &[0.5, 0.5], &[&[0.5, 0.5]]);
    let (path, _) = found(plan(&mut scene, &problem, &PlanOptions::default()).unwrap());
    assert_eq!(path, [problem.start]);
}

#[test]
fn what_is_wrong_is_named() {
    let mut ball = scene(BALL);
    let options = PlanOptions::default();
    let good = problem(&ball, &[0.0, 0.0], &[&[0.5, 0.5]]);
    // A configuration refuses what is not finite or beyond a limit when it is set.
    assert!(
        good.start
            .clone()
            .set("x", f64::NAN)
            .unwrap_err()
            .to_string()
            .contains("\"x\"")
    );
    assert!(
        good.start
            .clone()
            .set("x", 1.5)
            .unwrap_err()
            .to_string()
            .contains("\"x\"")
    );
    let mut message = |problem: &PlanProblem, options: &PlanOptions| {
        plan(&mut ball, problem, options).unwrap_err().to_string()
    };
    let nan = options.with_spacing(f64::NAN);
    assert_eq!(
        message(&good, &nan),
        "spacing = NaN: it must be finite and greater than 0"
    );
    assert_eq!(
        message(&good, &options.with_max_step(0.0)),
        "max_step = 0: it must be finite and greater than 0"
    );
    let none = PlanProblem::new(good.start.clone(), Vec::new());
    assert_eq!(
        message(&none, &options),
        "there is no goal; expected at least one"
    );
    let unknown = good.clone().with_joints(["z"]);
    assert_eq!(
        message(&unknown, &options),
        "the robot has no joint \"z\"; expected one of x, y"
    );
    let twice = good.clone().with_joints(["x", "y", "x"]);
    assert_eq!(message(&twice, &options), "joint \"x\" is named twice");
    let arm = scene(ARM).robot().neutral();
    let other = PlanProblem::new(good.start.clone(), vec![good.goals[0].clone(), arm]);
    assert_eq!(
        message(&other, &options),
        "goal 2: the configuration was made for a robot with other joints"
    );

    let mut empty = scene(r#"<robot name="stone"><link name="stone"/></robot>"#);
    let neutral = empty.robot().neutral();
    let problem = PlanProblem::new(neutral.clone(), vec![neutral]);
    let error = plan(&mut empty, &problem, &options).unwrap_err();
    assert!(error.to_string().contains("\"stone\""), "{error}");
}

#[test]
fn shapes_that_are_not_checked_are_no_proof() {
    let urdf = BALL.replace(
        "<link name=\"base\"/>",
        r#"<link name="base"><collision><geometry>
        <mesh filename="base.stl"/></geometry></collision></link>"#,
    );
    let mut scene = scene(&urdf);
    scene.set_allow_unchecked(true);
    let problem = problem(&scene, &[0.0, 0.0], &[&[0.5, 0.5]]);
    let options = PlanOptions::default();
    let error = plan(&mut scene, &problem, &options).unwrap_err();
    assert_eq!(error, PlanError::NotProvable { count: 1 });
    let answer = plan(&mut scene, &problem, &options.with_prove(false)).unwrap();
    assert!(matches!(answer, Plan::Found { proven: false, .. }));
}

//! Measures proven edges: the Panda in the cage of spheres of OMPL's VAMP tutorial, and both iCub hands.
//!
//! ```text
//! cargo run --release -p superovoid-compare --example edge_times [-- EDGES [FOLDER]]
//! ```
//!
//! Prints a table for each robot. With a FOLDER it writes what studies/compare/edges.py needs there to ask coal and Pinocchio
//! the same questions. Edges start at random free configurations and lead 1 rad, of the hands 0.3 rad (Euclidean, in the
//! joints that move), in a random direction, within the limits.

use nalgebra::Isometry3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;
use superovoid::Superovoid;
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Configuration, EdgeOptions, EdgeStatus, JointPosition, Robot};

/// The spacing of VAMP's checks, radians.
const SPACING: f64 = 1.0 / 32.0;
/// The spacing of the samples that try to refute a proof, radians.
const FINE: f64 = 1e-4;
/// The finest spacing, 2^-14 rad, that is tried to confirm a refusal.
const FINEST: i32 = 14;
/// The number of free edges that fine samples try to refute.
const SAMPLED: usize = 50;
/// The number of distances after which an edge is given up.
const MOST: usize = 20_000;

/// The centres of the spheres of the cage, metres; their radius is 0.2.
const CAGE: [[f64; 3]; 14] = [
    [0.55, 0.0, 0.25],
    [0.35, 0.35, 0.25],
    [0.0, 0.55, 0.25],
    [-0.55, 0.0, 0.25],
    [-0.35, -0.35, 0.25],
    [0.0, -0.55, 0.25],
    [0.35, -0.35, 0.25],
    [0.35, 0.35, 0.8],
    [0.0, 0.55, 0.8],
    [-0.35, 0.35, 0.8],
    [-0.55, 0.0, 0.8],
    [-0.35, -0.35, 0.8],
    [0.0, -0.55, 0.8],
    [0.35, -0.35, 0.8],
];

struct Workload {
    title: &'static str,
    file: &'static str,
    scene: RobotScene,
    /// The length of an edge, radians.
    length: f64,
    /// The joints that are moved.
    joints: Vec<String>,
    obstacles: Vec<[f64; 4]>,
    allowed: Vec<[&'static str; 2]>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let edges: usize = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let folder = arguments.next();
    for mut workload in [panda()?, hands()?] {
        let lines = draw(&mut workload, edges)?;
        report(&mut workload, &lines)?;
        if let Some(folder) = &folder {
            write(&workload, &lines, folder)?;
        }
    }
    Ok(())
}

fn panda() -> Result<Workload, Box<dyn Error>> {
    let robot = Robot::from_urdf_file("urdf/panda.urdf")?;
    let joints = (1..=7).map(|k| format!("panda_joint{k}")).collect();
    let mut scene = RobotScene::new(robot)?;
    let ball = Superovoid::sphere(0.2)?;
    for [x, y, z] in CAGE {
        scene.add_obstacle("cage", ball, Isometry3::translation(x, y, z))?;
    }
    // Bodies that enclose whole links overlap there in nearly every configuration.
    let allowed = vec![
        ["panda_link5", "panda_link7"],
        ["panda_link5", "panda_hand"],
        ["panda_link6", "panda_hand"],
        ["panda_leftfinger", "panda_rightfinger"],
    ];
    for [a, b] in &allowed {
        scene.allow(a, b);
    }
    Ok(Workload {
        title: "Panda in the cage",
        file: "panda",
        length: 1.0,
        scene,
        joints,
        obstacles: CAGE.map(|[x, y, z]| [x, y, z, 0.2]).to_vec(),
        allowed,
    })
}

fn hands() -> Result<Workload, Box<dyn Error>> {
    let robot = Robot::from_urdf_file("urdf/icub_hands.urdf")?;
    let movable = robot
        .joints()
        .iter()
        .filter(|j| j.range().is_some_and(|[l, u]| l < u) && j.mimic.is_none());
    let joints = movable.map(|joint| joint.name.clone()).collect();
    Ok(Workload {
        title: "Both iCub hands",
        file: "hands",
        length: 0.3,
        scene: RobotScene::new(robot)?,
        joints,
        obstacles: Vec::new(),
        allowed: Vec::new(),
    })
}

/// The two ends of an edge.
type Line = [Configuration; 2];

fn draw(workload: &mut Workload, edges: usize) -> Result<Vec<Line>, Box<dyn Error>> {
    let robot = workload.scene.robot().clone();
    let mut rng = ChaCha8Rng::seed_from_u64(29);
    let mut lines = Vec::new();
    while lines.len() < edges {
        let (mut from, mut to) = (robot.neutral(), robot.neutral());
        let direction: Vec<f64> = workload.joints.iter().map(|_| normal(&mut rng)).collect();
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        for (name, x) in workload.joints.iter().zip(&direction) {
            let index = robot.joint_index(name).ok_or("no such joint")?;
            let [lower, upper] = robot.joints()[index].range().ok_or("no limits")?;
            let q = rng.random_range(lower..=upper);
            from.set(name, q)?;
            to.set(name, (q + workload.length * x / norm).clamp(lower, upper))?;
        }
        if !workload
            .scene
            .in_collision(&from, &SceneOptions::default())?
        {
            lines.push([from, to]);
        }
    }
    Ok(lines)
}

/// A normal deviate, of the sum of twelve uniform ones.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random_range(-0.5..0.5)).sum()
}

fn length(joints: &[String], [from, to]: &Line) -> Result<f64, Box<dyn Error>> {
    let mut square = 0.0;
    for name in joints {
        let [a, b] = [from, to].map(|c| scalar(c, name));
        square += (b? - a?).powi(2);
    }
    Ok(square.sqrt())
}

fn scalar(configuration: &Configuration, name: &str) -> Result<f64, Box<dyn Error>> {
    match configuration.position(name)? {
        JointPosition::Scalar(q) => Ok(q),
        _ => Err("a joint of one number was expected".into()),
    }
}

fn between(joints: &[String], [from, to]: &Line, t: f64) -> Result<Configuration, Box<dyn Error>> {
    let mut middle = from.clone();
    for name in joints {
        middle.set(
            name,
            (1.0 - t) * scalar(from, name)? + t * scalar(to, name)?,
        )?;
    }
    Ok(middle)
}

/// Whether configurations at a spacing are free, and how many there are.
fn sampled(
    workload: &mut Workload,
    line: &Line,
    spacing: f64,
) -> Result<(bool, usize), Box<dyn Error>> {
    let length = length(&workload.joints, line)?;
    let steps = (length / spacing).ceil().max(1.0) as usize;
    for k in 0..=steps {
        let at = between(&workload.joints, line, k as f64 / steps as f64)?;
        if workload.scene.in_collision(&at, &SceneOptions::default())? {
            return Ok((false, k + 1));
        }
    }
    Ok((true, steps + 1))
}

fn report(workload: &mut Workload, lines: &[Line]) -> Result<(), Box<dyn Error>> {
    let any = EdgeOptions::default().with_first_contact(false);
    let count = lines.len() as f64;
    println!("\n{}, {} edges", workload.title, lines.len());
    for (name, options) in [
        ("any contact", any),
        ("first contact", EdgeOptions::default()),
    ] {
        let [mut time, mut free_time] = [0.0, 0.0];
        let [mut free, mut undecided, mut states, mut distances] = [0, 0, 0, 0];
        let mut free_distances = 0;
        for [from, to] in lines {
            // The first call fills the caches of the processor.
            workload.scene.edge_free(from, to, &options)?;
            let start = Instant::now();
            let edge = workload.scene.edge_free(from, to, &options)?;
            let took = start.elapsed().as_secs_f64();
            time += took;
            states += edge.states;
            distances += edge.distances;
            undecided += usize::from(edge.status == EdgeStatus::Undecided);
            if edge.is_free() {
                free += 1;
                free_time += took;
                free_distances += edge.distances;
            }
        }
        println!(
            "  {name}: {:.0} edges/s, {free} free, {undecided} undecided; of each {:.1} µs ({:.1} of a free one), {:.1} states, \
             {:.1} distances ({:.1} of a free one)",
            count / time,
            1e6 * time / count,
            1e6 * free_time / free.max(1) as f64,
            states as f64 / count,
            distances as f64 / count,
            free_distances as f64 / free.max(1) as f64,
        );
    }
    coarse(workload, lines, &any)?;
    before(workload, lines, &any)
}

/// Edges that pass at VAMP's spacing and that the proof refuses, and proven ones against fine samples.
fn coarse(
    workload: &mut Workload,
    lines: &[Line],
    options: &EdgeOptions,
) -> Result<(), Box<dyn Error>> {
    let [
        mut passed,
        mut refused,
        mut proven,
        mut refuted,
        mut fine_states,
    ] = [0; 5];
    let mut confirmed = [0; FINEST as usize + 1];
    let mut time = 0.0;
    for line in lines {
        let edge = workload.scene.edge_free(&line[0], &line[1], options)?;
        let start = Instant::now();
        let (passes, _) = sampled(workload, line, SPACING)?;
        time += start.elapsed().as_secs_f64();
        passed += usize::from(passes);
        if edge.is_free() {
            proven += 1;
            if proven <= SAMPLED {
                let (free, states) = sampled(workload, line, FINE)?;
                fine_states += states;
                refuted += usize::from(!free);
            }
        } else if passes {
            refused += 1;
            for power in 6..=FINEST {
                if !sampled(workload, line, 0.5_f64.powi(power))?.0 {
                    confirmed[power as usize] += 1;
                    break;
                }
            }
        }
    }
    let spacings = (6..=FINEST).map(|power| (power, confirmed[power as usize]));
    let spacings = spacings.filter(|(_, count)| *count > 0);
    let spacings: Vec<String> = spacings
        .map(|(power, n)| format!("{n} at 2^-{power}"))
        .collect();
    println!(
        "  spacing 1/32 rad: {passed} pass, {:.1} µs an edge; the proof refuses {refused} of them, of which finer samples \
         show {} to collide ({} rad)",
        1e6 * time / lines.len() as f64,
        confirmed.iter().sum::<usize>(),
        spacings.join(", ")
    );
    println!(
        "  of the first {} proven edges {fine_states} samples at {FINE:e} rad refute {refuted}",
        proven.min(SAMPLED)
    );
    Ok(())
}

/// How the example for OMPL proved a path before: intervals are halved until the least clearance of the whole robot in
/// the middle exceeds the largest motion of any pair.
fn before(
    workload: &mut Workload,
    lines: &[Line],
    options: &EdgeOptions,
) -> Result<(), Box<dyn Error>> {
    let (reaches, mut distances, mut proven, mut open) = (pair_reaches(workload)?, 0, 0, 0);
    let mut time = 0.0;
    for line in lines {
        let [from, to] = line;
        if proven == SAMPLED || !workload.scene.edge_free(from, to, options)?.is_free() {
            continue;
        }
        let start = Instant::now();
        let rates = rates(&workload.joints, line)?;
        let motion =
            |pair: &Vec<f64>| -> f64 { pair.iter().zip(&rates).map(|(r, q)| r * q.abs()).sum() };
        let worst = reaches.iter().map(motion).fold(0.0, f64::max);
        let mut intervals = vec![(0.5, 0.5)];
        let mut own = 0;
        while let Some((middle, half)) = intervals.pop() {
            own += 1;
            if own > MOST {
                open += 1;
                break;
            }
            let at = between(&workload.joints, line, middle)?;
            let closest = workload.scene.closest(&at, &SceneOptions::default())?;
            let clearance = closest.map_or(f64::INFINITY, |found| found.contact.lower);
            if worst * half >= clearance - 1e-7 {
                intervals.push((middle - 0.5 * half, 0.5 * half));
                intervals.push((middle + 0.5 * half, 0.5 * half));
            }
        }
        distances += own;
        proven += 1;
        time += start.elapsed().as_secs_f64();
    }
    let count = proven.max(1) as f64;
    println!(
        "  before (worst motion against least clearance), the first {proven} free edges: {:.1} least distances of the \
         robot and {:.0} µs an edge, {open} of them given up at {MOST}",
        distances as f64 / count,
        1e6 * time / count
    );
    Ok(())
}

fn rates(joints: &[String], [from, to]: &Line) -> Result<Vec<f64>, Box<dyn Error>> {
    joints
        .iter()
        .map(|name| Ok(scalar(to, name)? - scalar(from, name)?))
        .collect()
}

/// For every pair of bodies, or body and obstacle, how far each joint moves a point at most, relative to the other one.
fn pair_reaches(workload: &Workload) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let robot = workload.scene.robot();
    let origins: Vec<f64> = robot
        .joints()
        .iter()
        .map(|joint| {
            let slide = match (joint.range(), joint.kind) {
                (Some([l, u]), superovoid_robot::JointKind::Prismatic) => l.abs().max(u.abs()),
                _ => 0.0,
            };
            joint.origin.isometry().translation.vector.norm() + slide
        })
        .collect();
    let mut bodies = vec![vec![0.0; workload.joints.len()]];
    for body in robot.superovoid_bodies() {
        let mut own = vec![0.0; workload.joints.len()];
        let mut reach = body.pose.translation.vector.norm() + body.shape.bounding_sphere().radius;
        let mut link = body.link;
        while let Some(joint) = robot.parent_joint(link) {
            let at = &robot.joints()[joint];
            let (source, factor) = robot
                .follows(joint)
                .map_or((joint, 1.0), |(source, factor, _)| (source, factor));
            let name = &robot.joints()[source].name;
            if let Some(k) = workload.joints.iter().position(|moved| moved == name) {
                let slides = at.kind == superovoid_robot::JointKind::Prismatic;
                own[k] += factor.abs() * if slides { 1.0 } else { reach };
            }
            reach += origins[joint];
            link = robot.link_index(&at.parent).ok_or("no parent")?;
        }
        bodies.push(own);
    }
    let mut pairs = Vec::new();
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[i + 1..] {
            // Joints above both links move them alike.
            let alone = |(x, y): (&f64, &f64)| {
                if (*x > 0.0) == (*y > 0.0) {
                    0.0
                } else {
                    x.max(*y)
                }
            };
            pairs.push(a.iter().zip(b).map(alone).collect());
        }
    }
    Ok(pairs)
}

/// Writes bodies, obstacles, allowed pairs and edges as lines of text, and the meshes that stand for the bodies.
fn write(workload: &Workload, lines: &[Line], folder: &str) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let robot = workload.scene.robot();
    let mut text = String::new();
    for name in &workload.joints {
        writeln!(text, "joint {name}")?;
    }
    for [x, y, z, radius] in &workload.obstacles {
        writeln!(text, "sphere {x} {y} {z} {radius}")?;
    }
    for [a, b] in &workload.allowed {
        writeln!(text, "allowed {a} {b}")?;
    }
    for body in robot.superovoid_bodies() {
        let (t, q) = (body.pose.translation.vector, body.pose.rotation.coords);
        writeln!(
            text,
            "body {} {} {} {} {} {} {} {}",
            robot.links()[body.link].name,
            t.x,
            t.y,
            t.z,
            q.x,
            q.y,
            q.z,
            q.w
        )?;
        // The same hulls as in docs/reports/comparison.md, with 266 vertices.
        for v in &body.shape.tessellate(24).vertices {
            writeln!(text, "vertex {} {} {}", v.x, v.y, v.z)?;
        }
    }
    for [from, to] in lines {
        write!(text, "edge")?;
        for configuration in [from, to] {
            for name in &workload.joints {
                write!(text, " {}", scalar(configuration, name)?)?;
            }
        }
        writeln!(text)?;
    }
    std::fs::write(format!("{folder}/{}.txt", workload.file), text)?;
    Ok(())
}

//! What `superovoid check` prints of one configuration.

use super::found::{Counts, Found, FoundPair, Side, status_name};
use crate::output::outcome_name;
use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use nalgebra::Point3;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use superovoid_robot::{CollisionStatus, Robot};

/// Returns the table of the closest `rows` pairs, and its summary.
pub fn for_people(robot: &Robot, found: &Found, rows: usize, max_distance: f64) -> String {
    table(robot, found, rows) + &summary(robot, found, max_distance)
}

// ---- for people: millimetres ----

const MILLIMETRES: f64 = 1e3;

/// Returns the closest `rows` pairs, and every pair that is not free.
fn table(robot: &Robot, found: &Found, rows: usize) -> String {
    let shown: Vec<&FoundPair> = found
        .pairs
        .iter()
        .enumerate()
        .filter(|(i, pair)| *i < rows || pair.status() != CollisionStatus::Free)
        .map(|(_, pair)| pair)
        .collect();
    if shown.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header([
            "",
            "distance/mm",
            "bracket/mm",
            "outcome",
            "link a",
            "link b",
            "point a/mm",
            "point b/mm",
        ]);
    for pair in &shown {
        table.add_row(row(robot, pair));
    }
    for numbers in [1, 2, 6, 7] {
        if let Some(column) = table.column_mut(numbers) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = table.trim_fmt() + "\n";
    let hidden = found.pairs.len() - shown.len();
    if hidden > 0 {
        let _ = writeln!(
            text,
            "  … and {hidden} more pairs (--max-distance or --all-pairs shows them)"
        );
    }
    text + "\n"
}

fn row(robot: &Robot, pair: &FoundPair) -> [String; 8] {
    let contact = &pair.contact;
    let mark = match pair.status() {
        CollisionStatus::Collision => "COLLISION",
        CollisionStatus::Undecided => "UNDECIDED",
        CollisionStatus::Free => "",
    };
    let point = |point: Point3<f64>| {
        let [x, y, z]: [f64; 3] = (point.coords * MILLIMETRES).into();
        format!("{x:.3} {y:.3} {z:.3}")
    };
    [
        mark.to_owned(),
        format!("{:.6}", contact.distance * MILLIMETRES),
        format!("{:.1e}", (contact.upper - contact.lower) * MILLIMETRES),
        outcome_name(contact.outcome).to_owned(),
        Side::Link(pair.a.0, pair.a.1).label(robot),
        pair.b.label(robot),
        point(contact.point_a),
        point(contact.point_b),
    ]
}

fn summary(robot: &Robot, found: &Found, max_distance: f64) -> String {
    let count = |status| {
        found
            .pairs
            .iter()
            .filter(|pair| pair.status() == status)
            .count()
    };
    let verdict = match (
        count(CollisionStatus::Collision),
        count(CollisionStatus::Undecided),
    ) {
        (0, 0) if found.is_free(robot) => "free".to_owned(),
        (0, 0) => "NOT CHECKED".to_owned(),
        (collisions, 0) => format!("{collisions} IN COLLISION"),
        (0, undecided) => format!("{undecided} UNDECIDED"),
        (collisions, undecided) => format!("{collisions} IN COLLISION, {undecided} UNDECIDED"),
    };
    let mut text = format!("{}: {verdict}; ", robot.name());
    let within = || {
        let limit = max_distance * MILLIMETRES;
        format!("{} within {limit} mm", found.pairs.len())
    };
    match (found.counts, max_distance.is_finite()) {
        (None, true) => text += &within(),
        (None, false) => text += &counted(found.pairs.len(), "pair"),
        (Some(counts), limited) => {
            text += &counted(counts.considered, "pair");
            if limited {
                text += ", ";
                text += &within();
            }
            let _ = write!(text, ", {} culled, {} solved", counts.culled, counts.solved);
        }
    }
    text + &left_out(robot) + "\n" + &faster(robot)
}

/// Returns the links with geometry that is not checked, and the kinds of its elements.
pub fn left_out(robot: &Robot) -> String {
    let mut links: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for body in robot.unchecked() {
        let elements = links.entry(body.link).or_default();
        elements.push(body.geometry.element());
    }
    if links.is_empty() {
        return String::new();
    }
    let named = links
        .iter()
        .map(|(&link, elements)| format!("{} ({})", robot.links()[link].name, elements.join(", ")));
    let named: Vec<String> = named.collect();
    format!("; not checked: {}", named.join(", "))
}

/// Returns a line that says how to get faster, for a robot without superovoids.
fn faster(robot: &Robot) -> String {
    if robot.collision_body_count() == 0 || !robot.superovoid_bodies().is_empty() {
        return String::new();
    }
    "superovoid fit-robot makes superovoids of these shapes, which are checked many times faster\n"
        .to_owned()
}

pub fn counted(n: usize, thing: &str) -> String {
    match n {
        1 => format!("1 {thing}"),
        _ => format!("{n} {thing}s"),
    }
}

// ---- for programs: metres ----

#[derive(Serialize)]
struct Report<'a> {
    robot: &'a str,
    /// Whether every collision shape was checked and every pair is proven to be free.
    free: bool,
    /// The maximum distance, metres; null for every pair.
    max_distance: Option<f64>,
    #[serde(flatten)]
    counts: Option<Counts>,
    pairs: Vec<PairReport<'a>>,
    unchecked: Vec<LeftOut<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PairReport<'a> {
    link_a: &'a str,
    /// The index among the collisions of the link, from 0.
    collision_a: usize,
    /// The link of body B, or the name of an obstacle.
    #[serde(skip_serializing_if = "Option::is_none")]
    link_b: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collision_b: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    obstacle_b: Option<&'a str>,
    status: &'static str,
    distance: f64,
    lower: f64,
    upper: f64,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    outcome: &'static str,
    iterations: u32,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    link: &'a str,
    collision: usize,
    geometry: &'a str,
}

/// Returns every pair, in full precision.
pub fn json(robot: &Robot, found: &Found, max_distance: f64) -> Result<String> {
    let link = |link: usize| robot.links()[link].name.as_str();
    let pair = |pair: &'_ FoundPair| {
        let contact = &pair.contact;
        let (link_a, collision_a) = pair.a;
        let (link_b, collision_b) = match pair.b {
            Side::Link(link, collision) => (Some(link), Some(collision)),
            Side::Obstacle(_) => (None, None),
        };
        PairReport {
            link_a: link(link_a),
            collision_a,
            link_b: link_b.map(link),
            collision_b,
            obstacle_b: None,
            status: status_name(pair.status()),
            distance: contact.distance,
            lower: contact.lower,
            upper: contact.upper,
            point_a: contact.point_a.into(),
            point_b: contact.point_b.into(),
            normal: contact.normal.into_inner().into(),
            outcome: outcome_name(contact.outcome),
            iterations: contact.iterations,
        }
    };
    let left_out = robot.unchecked().into_iter().map(|body| LeftOut {
        link: link(body.link),
        collision: body.collision,
        geometry: body.geometry.element(),
    });
    let pairs = found.pairs.iter().map(|of| PairReport {
        obstacle_b: of.b.obstacle(),
        ..pair(of)
    });
    let report = Report {
        robot: robot.name(),
        free: found.is_free(robot),
        max_distance: max_distance.is_finite().then_some(max_distance),
        counts: found.counts,
        pairs: pairs.collect(),
        unchecked: left_out.collect(),
        warnings: robot.warnings().iter().map(ToString::to_string).collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

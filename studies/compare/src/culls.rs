//! What keeps bodies apart without a solver: balls, boxes, and the limit of a query's distance.
//!
//! Far bodies are farther apart than their balls; the boxes of near ones are apart and their balls are not; those of
//! meeting ones meet.

use crate::workload::{Battery, Draw, Other};
use anyhow::{Context, Result, bail};
use nalgebra::{Isometry3, Point3};
use std::hint::black_box;
use std::time::Instant;
use superovoid::{
    Aabb, BoundingSphere, Obb, QueryOptions, Superovoid, VertexOptions, contact, vertex_contact,
};

/// Where the bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Far,
    Near,
    Meeting,
}

/// A test of two bodies that costs little.
pub struct Cull {
    pub name: &'static str,
    place: Place,
    ask: fn(&Question) -> f64,
}

/// Two bodies, and what holds them.
pub struct Question {
    shapes: [Superovoid; 2],
    poses: [Isometry3<f64>; 2],
    center_b: Point3<f64>,
    balls: [BoundingSphere; 2],
    aabbs: [Aabb; 2],
    obbs: [Obb; 2],
}

/// All of them.
pub const CULLS: [Cull; 14] = [
    cull(
        "contact beyond max_distance by the balls",
        Place::Far,
        |q| {
            let options = QueryOptions::default().with_max_distance(0.1);
            let ([a, b], [pose_a, pose_b]) = (&q.shapes, &q.poses);
            contact(a, pose_a, b, pose_b, &options, None).map_or(f64::NAN, |found| found.lower)
        },
    ),
    cull(
        "vertex_contact beyond max_distance by the ball",
        Place::Far,
        |q| {
            let options = VertexOptions::default().with_max_distance(0.1);
            let found = vertex_contact(&q.shapes[0], &q.poses[0], &q.center_b, &options);
            found.map_or(f64::NAN, |found| found.lower)
        },
    ),
    cull("BoundingSphere::intersects, apart", Place::Far, |q| {
        truth(q.balls[0].intersects(&q.balls[1]))
    }),
    cull("BoundingSphere::intersects, meeting", Place::Meeting, |q| {
        truth(q.balls[0].intersects(&q.balls[1]))
    }),
    cull("BoundingSphere::distance", Place::Far, |q| {
        q.balls[0].distance(&q.balls[1])
    }),
    cull("Aabb::intersects", Place::Meeting, |q| {
        truth(q.aabbs[0].intersects(&q.aabbs[1]))
    }),
    cull("Aabb::distance", Place::Far, |q| {
        q.aabbs[0].distance(&q.aabbs[1])
    }),
    cull("Obb::intersects, balls apart", Place::Far, |q| {
        truth(q.obbs[0].intersects(&q.obbs[1]))
    }),
    cull("Obb::intersects, boxes apart", Place::Near, |q| {
        truth(q.obbs[0].intersects(&q.obbs[1]))
    }),
    cull("Obb::intersects, boxes meeting", Place::Meeting, |q| {
        truth(q.obbs[0].intersects(&q.obbs[1]))
    }),
    cull("Obb::distance_bound, balls apart", Place::Far, |q| {
        q.obbs[0].distance_bound(&q.obbs[1])
    }),
    cull("Obb::distance_bound, boxes apart", Place::Near, |q| {
        q.obbs[0].distance_bound(&q.obbs[1])
    }),
    cull("Obb::distance_bound, boxes meeting", Place::Meeting, |q| {
        q.obbs[0].distance_bound(&q.obbs[1])
    }),
    cull("Superovoid::obb", Place::Near, |q| {
        q.shapes[0].obb(&q.poses[0]).half_extents.x
    }),
];

const fn cull(name: &'static str, place: Place, ask: fn(&Question) -> f64) -> Cull {
    Cull { name, place, ask }
}

fn truth(x: bool) -> f64 {
    f64::from(u8::from(x))
}

/// What the loop costs by itself.
fn nothing(_: &Question) -> f64 {
    0.0
}

/// That many questions of the kind.
fn questions(place: Place, count: usize) -> Vec<Question> {
    let distance = if place == Place::Far { 5.0 } else { 1.3 };
    let battery = Battery {
        axes: [0.2, 1.0],
        exponents: [0.1, 1.9],
        distance,
        ..Battery::default()
    };
    let mut draw = Draw::new(1);
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let workload = draw.battery(count, &battery);
        let drawn = workload.cases.iter().filter_map(|case| {
            let Other::Shape(b) = case.b else { return None };
            let shapes = [workload.shapes[case.a], workload.shapes[b]];
            Some(Question::new(shapes, case.poses))
        });
        chosen.extend(drawn.filter(|q| place == Place::Far || q.place() == place));
    }
    chosen.truncate(count);
    chosen
}

impl Question {
    fn new(shapes: [Superovoid; 2], poses: [Isometry3<f64>; 2]) -> Question {
        let [a, b] = &shapes;
        let [pose_a, pose_b] = &poses;
        Question {
            center_b: pose_b.translation.vector.into(),
            balls: [
                a.bounding_sphere().transformed(pose_a),
                b.bounding_sphere().transformed(pose_b),
            ],
            aabbs: [a.aabb(pose_a), b.aabb(pose_b)],
            obbs: [a.obb(pose_a), b.obb(pose_b)],
            shapes,
            poses,
        }
    }

    fn place(&self) -> Place {
        let meeting = self.obbs[0].intersects(&self.obbs[1]);
        match (meeting, self.balls[0].intersects(&self.balls[1])) {
            (true, _) => Place::Meeting,
            (false, true) => Place::Near,
            (false, false) => Place::Far,
        }
    }
}

fn ask_all(questions: &[Question], ask: fn(&Question) -> f64) {
    for question in questions {
        black_box(ask(black_box(question)));
    }
}

/// Nanoseconds of each, those of an empty loop subtracted: the fastest of many rounds.
pub fn times(rounds: usize) -> Vec<f64> {
    /// Of a kind: all fit into the processor's caches.
    const QUESTIONS: usize = 500;
    /// Within a round of the other tables'.
    const REPEATED: usize = 100;
    let time = |cull: &Cull| {
        let questions = questions(cull.place, QUESTIONS);
        let mut fastest = [f64::INFINITY; 2];
        for _ in 0..rounds * REPEATED {
            for (fastest, ask) in fastest.iter_mut().zip([nothing, cull.ask]) {
                let start = Instant::now();
                ask_all(&questions, ask);
                *fastest = fastest.min(start.elapsed().as_nanos() as f64);
            }
        }
        (fastest[1] - fastest[0]) / QUESTIONS as f64
    };
    CULLS.iter().map(time).collect()
}

/// The questions of one kind, asked or only looked at: what callgrind counts.
///
/// # Errors
/// No such test.
pub fn run(index: usize, count: usize, ask: bool) -> Result<()> {
    let cull = CULLS.get(index).context("there is no such path")?;
    let questions = questions(cull.place, count);
    ask_all(&questions, if ask { cull.ask } else { nothing });
    if questions.iter().any(|q| (cull.ask)(q).is_nan()) {
        bail!("{}: no answer", cull.name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_tells_apart_what_its_name_says() {
        for cull in &CULLS {
            for q in questions(cull.place, 50) {
                let answer = (cull.ask)(&q);
                // Along the world's axes a body's own box can be the smaller one.
                if cull.name.starts_with("Aabb::intersects") {
                    continue;
                }
                if cull.name.contains("intersects") {
                    assert_eq!(answer == 1.0, cull.place == Place::Meeting, "{}", cull.name);
                } else if cull.place == Place::Meeting {
                    assert_eq!(answer, 0.0, "{}", cull.name);
                } else {
                    assert!(answer > 0.0, "{}: {answer}", cull.name);
                }
            }
        }
    }
}

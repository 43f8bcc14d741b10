//! The oracle of moving bodies: it walks along their motions.
//!
//! It has its own motions and its own support functions. A direction along which its gap is positive proves the bodies
//! apart, whoever proposed the direction; no point of a body is faster than a simple bound, so that a gap g takes at least
//! g divided by that bound to close. So the walk is dense where the bodies are near and wide where they are not.

use crate::oracle::body::{Body, Shape};
use crate::oracle::search::Pair;
use nalgebra::{Isometry3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, time_of_impact};
use superovoid::{QueryOptions, Superovoid, contact};

/// A motion of the oracle: a point of the body moves on a straight line while the body turns about it. A screw is one of
/// a point of its axis.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub start: Isometry3<f64>,
    pub center: Vector3<f64>,
    pub linear: Vector3<f64>,
    pub angular: Vector3<f64>,
    pub screw: bool,
}

impl Course {
    pub fn still(start: Isometry3<f64>) -> Self {
        Course {
            start,
            center: Vector3::zeros(),
            linear: Vector3::zeros(),
            angular: Vector3::zeros(),
            screw: false,
        }
    }

    pub fn motion(&self) -> Motion {
        if self.screw {
            Motion::screw(self.start, self.linear, self.angular).expect("a valid screw")
        } else {
            let center = Point3::from(self.center);
            Motion::line_spin_about(self.start, center, self.linear, self.angular)
                .expect("a valid line")
        }
    }

    /// The arm from the body's origin to the point on the line, and the point's velocity.
    pub fn line(&self) -> (Vector3<f64>, Vector3<f64>) {
        let w2 = self.angular.norm_squared();
        if self.screw && w2 > 0.0 {
            let arm = self.angular.cross(&self.linear) / w2;
            (arm, self.angular * (self.angular.dot(&self.linear) / w2))
        } else {
            (self.start.rotation * self.center, self.linear)
        }
    }

    pub fn pose(&self, t: f64) -> Isometry3<f64> {
        let (arm, velocity) = self.line();
        let turn = Rotation3::from_scaled_axis(self.angular * t);
        let origin = self.start.translation.vector + arm + velocity * t - turn * arm;
        let rotation = turn * self.start.rotation.to_rotation_matrix();
        Isometry3::from_parts(
            Translation3::from(origin),
            UnitQuaternion::from_rotation_matrix(&rotation),
        )
    }

    /// A bound of the speed of the points within `radius` of the origin.
    pub fn speed(&self, radius: f64) -> f64 {
        let (arm, velocity) = self.line();
        velocity.norm() + self.angular.norm() * (arm.norm() + radius)
    }

    /// The same motion the other way round.
    pub fn reversed(&self) -> Course {
        let (arm, velocity) = self.line();
        let start = self.pose(1.0);
        let arm = Rotation3::from_scaled_axis(self.angular) * arm;
        Course {
            start,
            center: start.rotation.inverse() * arm,
            linear: -velocity,
            angular: -self.angular,
            screw: false,
        }
    }

    pub fn moved(&self, by: &Isometry3<f64>) -> Course {
        Course {
            start: by * self.start,
            linear: by.rotation * self.linear,
            angular: by.rotation * self.angular,
            ..*self
        }
    }

    pub fn scaled(&self, k: f64) -> Course {
        let start = Isometry3::from_parts(
            (self.start.translation.vector * k).into(),
            self.start.rotation,
        );
        Course {
            start,
            center: self.center * k,
            linear: self.linear * k,
            ..*self
        }
    }
}

/// Two moving bodies.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub a: Shape,
    pub course_a: Course,
    pub b: Shape,
    pub course_b: Course,
}

impl Case {
    pub fn answer(&self, options: &TimeOfImpactOptions) -> TimeOfImpact {
        let (a, b) = (self.a.build(), self.b.build());
        let (motion_a, motion_b) = (self.course_a.motion(), self.course_b.motion());
        time_of_impact(&a, &motion_a, &b, &motion_b, options).expect("a valid case")
    }

    pub fn swapped(&self) -> Case {
        Case {
            a: self.b,
            course_a: self.course_b,
            b: self.a,
            course_b: self.course_a,
        }
    }

    pub fn size(&self) -> f64 {
        self.a.size().max(self.b.size())
    }
}

/// The oracle at an instant: the best known gap, and the points that the query proposes.
struct Walker {
    bodies: [Body; 2],
    shapes: [Superovoid; 2],
    case: Case,
    speed: f64,
    size: f64,
}

impl Walker {
    pub fn new(case: &Case) -> Self {
        let shapes = [case.a.build(), case.b.build()];
        let radius = |shape: &Shape| {
            Vector3::from(shape.a).norm() * (1.0 + shape.t[0].abs().max(shape.t[1].abs()))
        };
        Walker {
            bodies: [Body::new(case.a), Body::new(case.b)],
            shapes,
            case: *case,
            speed: case.course_a.speed(radius(&case.a)) + case.course_b.speed(radius(&case.b)),
            size: case.size(),
        }
    }

    /// The gap along the direction that the query proposes, and a point that should be common where that is negative.
    pub fn at(&self, t: f64) -> (f64, Pair<'_>, superovoid::Contact) {
        let (pose_a, pose_b) = (self.case.course_a.pose(t), self.case.course_b.pose(t));
        let hint = contact(
            &self.shapes[0],
            &pose_a,
            &self.shapes[1],
            &pose_b,
            &QueryOptions::default(),
            None,
        )
        .expect("valid poses");
        let pair = Pair::new(&self.bodies[0], &pose_a, &self.bodies[1], &pose_b);
        let n = hint.normal.into_inner();
        (pair.gap(&n), pair, hint)
    }

    /// Walks until `end` and returns the first instant at which the gap is below `level`.
    pub fn first_below(&self, level: f64, end: f64) -> Option<(f64, f64)> {
        let mut t: f64 = 0.0;
        loop {
            let (gap, ..) = self.at(t);
            if gap < level - 1e-11 * self.size {
                return Some((t, gap));
            }
            if t >= end {
                return None;
            }
            t = (t + ((gap - level) / self.speed).max(1e-5)).min(end);
        }
    }

    /// Whether the oracle sees that the distance is at most `level` at an instant.
    pub fn touches(&self, level: f64, t: f64) -> bool {
        let (_, pair, hint) = self.at(t);
        let slack = 1.0 + 1e-8;
        let middle = 0.5 * (hint.point_a.coords + hint.point_b.coords);
        let common = pair.a.gauge(&middle) <= slack && pair.b.gauge(&middle) <= slack;
        let near = pair.a.gauge(&hint.point_a.coords) <= slack
            && pair.b.gauge(&hint.point_b.coords) <= slack
            && (hint.point_b - hint.point_a).norm() <= level + 1e-11 * self.size;
        // In a deep overlap the middle of the witness points need not be in both bodies: then a common point is searched.
        let searched = || {
            let hints = [middle, hint.point_a.coords, hint.point_b.coords];
            pair.deepest_common_point(&hints).1 <= slack
        };
        common || near || searched()
    }
}

/// What the oracle says of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Free,
    Hit,
    Overlapping,
    Undecided,
}

pub fn judge(case: &Case, options: &TimeOfImpactOptions) -> Result<Verdict, String> {
    let walker = Walker::new(case);
    let level = options.min_separation;
    let tolerance = if options.tolerance > 0.0 {
        options.tolerance
    } else {
        1e-9 * walker.size
    };
    match case.answer(options) {
        TimeOfImpact::Free { clearance } => match walker.first_below(level, 1.0) {
            Some((t, gap)) => Err(format!("missed: free, but the gap is {gap} at {t}")),
            // From a start in touch.
            None if clearance < level - 1.001 * tolerance => {
                Err(format!("the clearance is {clearance}"))
            }
            None => match walker.first_below(clearance, 1.0) {
                Some((t, gap)) => Err(format!("clearance {clearance}, but {gap} at {t}")),
                None => Ok(Verdict::Free),
            },
        },
        TimeOfImpact::Hit {
            safe,
            touching,
            contact,
        } => {
            if !(0.0 <= safe && safe < touching && touching <= 1.0) {
                return Err(format!("the bracket is [{safe}, {touching}]"));
            }
            if let Some((t, gap)) = walker.first_below(level, safe) {
                return Err(format!("safe {safe}, but the gap is {gap} at {t}"));
            }
            if !walker.touches(level, touching) {
                return Err(format!("false: no contact at {touching}, safe {safe}"));
            }
            let (gap, ..) = walker.at(safe);
            if (gap - contact.distance).abs() > 1e-9 * walker.size
                || contact.distance > level + tolerance + 1e-14 * walker.size
            {
                let d = contact.distance;
                return Err(format!("at {safe} the distance is {d}, the gap {gap}"));
            }
            Ok(Verdict::Hit)
        }
        TimeOfImpact::Overlapping { .. } => {
            if walker.touches(level, 0.0) {
                Ok(Verdict::Overlapping)
            } else {
                Err("false: no overlap at the start".to_owned())
            }
        }
        TimeOfImpact::Undecided { safe, .. } => match walker.first_below(level, safe) {
            Some((t, gap)) => Err(format!("undecided at {safe}, but the gap is {gap} at {t}")),
            None => Ok(Verdict::Undecided),
        },
    }
}

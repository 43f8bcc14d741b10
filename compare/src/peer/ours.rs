//! The library, and the papers' schemes as it implements them.

use super::{Answer, Peer, native};
use crate::workload::{Case, Field, Other, Workload};
use nalgebra::{Isometry3, Point3};
use std::ops::Range;
use std::time::Instant;
use superovoid::{
    Contact, DepthMode, Jacobian, Method, Outcome, Pair, PairCache, PointMethod, PointOptions,
    QueryOptions, contact, contacts as contacts_of, vertex_contact, vertex_contacts,
};

pub fn peers(workload: &Workload) -> Vec<Box<dyn Peer + '_>> {
    if workload.field == Field::Points {
        return points(workload);
    }
    let exact = QueryOptions::default();
    let mut peers = Vec::new();
    if workload.field == Field::Warm {
        peers.push(warm(workload, "superovoid, warm", exact));
        peers.push(cold(workload, "superovoid, cold", exact));
        for method in &Method::ALL[1..] {
            let options = QueryOptions {
                method: *method,
                ..exact
            };
            peers.push(warm(workload, &format!("{method}, warm"), options));
        }
        return peers;
    }
    peers.push(cold(workload, "superovoid", exact));
    peers.extend(Batch::of(workload));
    if workload.deep {
        let certified = QueryOptions {
            depth: DepthMode::Certified,
            ..exact
        };
        peers.push(cold(workload, "superovoid, certified depth", certified));
    }
    if workload.field == Field::Ellipsoids {
        return peers;
    }
    for method in &Method::ALL[1..] {
        for (jacobian, name) in [
            (Jacobian::Analytic, "analytic"),
            (Jacobian::ForwardDifferences, "differences"),
        ] {
            let options = QueryOptions {
                method: *method,
                jacobian,
                ..exact
            };
            peers.push(cold(workload, &format!("{method}, {name}"), options));
        }
    }
    peers
}

fn answer(contact: &Contact) -> Answer {
    Answer {
        distance: contact.distance,
        converged: u32::from(contact.outcome != Outcome::NotConverged),
        evaluations: contact.iterations,
    }
}

/// One pair query; a refused one is a failure.
fn ask(
    workload: &Workload,
    case: &Case,
    poses: &[Isometry3<f64>; 2],
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Answer {
    let Other::Shape(b) = case.b else {
        return Answer::NONE;
    };
    let (a, b) = (&workload.shapes[case.a], &workload.shapes[b]);
    contact(a, &poses[0], b, &poses[1], options, cache).map_or(Answer::NONE, |found| answer(&found))
}

fn cold<'a>(workload: &'a Workload, name: &str, options: QueryOptions) -> Box<dyn Peer + 'a> {
    native(name, move |k| {
        let case = &workload.cases[k];
        ask(workload, case, &case.poses, &options, None)
    })
}

/// From a copy of the cache that the queries before have left.
fn warm<'a>(workload: &'a Workload, name: &str, options: QueryOptions) -> Box<dyn Peer + 'a> {
    let fill = |case: &Case| {
        let mut cache = PairCache::default();
        for poses in &case.before {
            ask(workload, case, poses, &options, Some(&mut cache));
        }
        cache
    };
    let caches: Vec<PairCache> = workload.cases.iter().map(fill).collect();
    native(name, move |k| {
        let case = &workload.cases[k];
        let mut cache = caches[k];
        ask(workload, case, &case.poses, &options, Some(&mut cache))
    })
}

fn points(workload: &Workload) -> Vec<Box<dyn Peer + '_>> {
    let exact = PointOptions::default();
    let iterative = PointOptions {
        method: PointMethod::Iterative,
        ..exact
    };
    vec![
        single(workload, "superovoid", exact),
        Box::new(Slices {
            workload,
            points: workload.cases.iter().map(point).collect(),
            contacts: vec![Contact::default(); workload.cases.len()],
        }),
        single(workload, "iterative (thesis)", iterative),
    ]
}

fn point(case: &Case) -> Point3<f64> {
    case.poses[1].translation.vector.into()
}

fn single<'a>(workload: &'a Workload, name: &str, options: PointOptions) -> Box<dyn Peer + 'a> {
    native(name, move |k| {
        let case = &workload.cases[k];
        let shape = &workload.shapes[case.a];
        vertex_contact(shape, &case.poses[0], &point(case), &options)
            .map_or(Answer::NONE, |found| answer(&found))
    })
}

/// All pairs of a range in one call, on this thread.
struct Batch<'a> {
    pairs: Vec<Pair<'a>>,
    contacts: Vec<Contact>,
}

impl<'a> Batch<'a> {
    /// None where a case is not a pair of shapes.
    fn of(workload: &'a Workload) -> Option<Box<dyn Peer + 'a>> {
        let pair = |case: &'a Case| {
            let Other::Shape(b) = case.b else {
                return None;
            };
            Some(Pair {
                a: &workload.shapes[case.a],
                pose_a: &case.poses[0],
                b: &workload.shapes[b],
                pose_b: &case.poses[1],
            })
        };
        let pairs: Option<Vec<_>> = workload.cases.iter().map(pair).collect();
        let pairs = pairs?;
        let contacts = vec![Contact::default(); pairs.len()];
        Some(Box::new(Batch { pairs, contacts }))
    }

    fn call(&mut self, cases: Range<usize>) -> f64 {
        let start = Instant::now();
        let (pairs, contacts) = (&self.pairs[cases.clone()], &mut self.contacts[cases]);
        if contacts_of(pairs, contacts, &QueryOptions::default()).is_err() {
            contacts.fill(Contact::default());
        }
        start.elapsed().as_nanos() as f64
    }
}

impl Peer for Batch<'_> {
    fn name(&self) -> &str {
        "superovoid, batch"
    }

    fn run(&mut self, cases: Range<usize>, answers: &mut [Answer]) {
        self.call(cases.clone());
        for (out, contact) in answers.iter_mut().zip(&self.contacts[cases]) {
            *out = answer(contact);
        }
    }

    /// There is no time of one pair: each has the mean.
    fn time(&mut self, cases: Range<usize>, nanoseconds: &mut [f64]) {
        let count = cases.len() as f64;
        let mean = self.call(cases) / count;
        nanoseconds.fill(mean);
    }
}

/// All points of a shape in one call.
struct Slices<'a> {
    workload: &'a Workload,
    points: Vec<Point3<f64>>,
    contacts: Vec<Contact>,
}

impl Slices<'_> {
    /// Calls with as many points as belong to one body; what they take together.
    fn call(&mut self, cases: Range<usize>) -> f64 {
        let start = Instant::now();
        let mut first = cases.start;
        while first < cases.end {
            let all = &self.workload.cases;
            let same =
                |case: &&Case| case.a == all[first].a && case.poses[0] == all[first].poses[0];
            let last = first + all[first..cases.end].iter().take_while(same).count();
            let (points, contacts) = (&self.points[first..last], &mut self.contacts[first..last]);
            let (shape, pose) = (&self.workload.shapes[all[first].a], &all[first].poses[0]);
            let options = PointOptions::default();
            if vertex_contacts(shape, pose, points, contacts, &options).is_err() {
                contacts.fill(Contact::default());
            }
            first = last;
        }
        start.elapsed().as_nanos() as f64
    }
}

impl Peer for Slices<'_> {
    fn name(&self) -> &str {
        "superovoid, slices of points"
    }

    fn run(&mut self, cases: Range<usize>, answers: &mut [Answer]) {
        self.call(cases.clone());
        for (out, contact) in answers.iter_mut().zip(&self.contacts[cases]) {
            *out = answer(contact);
        }
    }

    /// There is no time of one point: each has the mean.
    fn time(&mut self, cases: Range<usize>, nanoseconds: &mut [f64]) {
        let count = cases.len() as f64;
        let mean = self.call(cases) / count;
        nanoseconds.fill(mean);
    }
}

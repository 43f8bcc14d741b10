//! The library, and the papers' schemes as it implements them.

use super::{Answer, Peer, native};
use crate::workload::{Case, Field, Other, Workload};
use nalgebra::{Isometry3, Point3};
use std::ops::Range;
use std::time::Instant;
use superovoid::{
    Contact, DepthMode, Jacobian, Method, Outcome, Pair, PairCache, QueryOptions, VertexMethod,
    VertexOptions, contact, contact_batch, vertex_contact, vertex_contact_batch,
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
    peers.extend(batch(workload));
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
    let exact = VertexOptions::default();
    let iterative = VertexOptions {
        method: VertexMethod::Iterative,
        ..exact
    };
    vec![
        single(workload, "superovoid", exact),
        slices(workload),
        single(workload, "iterative (thesis)", iterative),
    ]
}

fn point(case: &Case) -> Point3<f64> {
    case.poses[1].translation.vector.into()
}

fn single<'a>(workload: &'a Workload, name: &str, options: VertexOptions) -> Box<dyn Peer + 'a> {
    native(name, move |k| {
        let case = &workload.cases[k];
        let shape = &workload.shapes[case.a];
        vertex_contact(shape, &case.poses[0], &point(case), &options)
            .map_or(Answer::NONE, |found| answer(&found))
    })
}

/// Cases that are answered in one call for many, on this thread. `solve` answers a range of them into
/// the range's places.
struct Together<F> {
    name: &'static str,
    contacts: Vec<Contact>,
    solve: F,
}

impl<F: FnMut(Range<usize>, &mut [Contact]) -> bool> Together<F> {
    /// What the range takes; failures are the contacts that say nothing.
    fn call(&mut self, cases: Range<usize>) -> f64 {
        let start = Instant::now();
        let contacts = &mut self.contacts[cases.clone()];
        if !(self.solve)(cases, contacts) {
            contacts.fill(Contact::default());
        }
        start.elapsed().as_nanos() as f64
    }
}

impl<F: FnMut(Range<usize>, &mut [Contact]) -> bool> Peer for Together<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&mut self, cases: Range<usize>, answers: &mut [Answer]) {
        self.call(cases.clone());
        for (out, contact) in answers.iter_mut().zip(&self.contacts[cases]) {
            *out = answer(contact);
        }
    }

    /// There is no time of one case: each has the mean.
    fn time(&mut self, cases: Range<usize>, nanoseconds: &mut [f64]) {
        let count = cases.len() as f64;
        let mean = self.call(cases) / count;
        nanoseconds.fill(mean);
    }

    fn cases_a_reading(&self, timed: usize) -> usize {
        timed
    }
}

/// None where a case is not a pair of shapes.
fn batch(workload: &Workload) -> Option<Box<dyn Peer + '_>> {
    let mut pairs = Vec::with_capacity(workload.cases.len());
    for case in &workload.cases {
        let Other::Shape(b) = case.b else {
            return None;
        };
        pairs.push(Pair {
            a: &workload.shapes[case.a],
            pose_a: &case.poses[0],
            b: &workload.shapes[b],
            pose_b: &case.poses[1],
        });
    }
    Some(Box::new(Together {
        name: "superovoid, batch",
        contacts: vec![Contact::default(); pairs.len()],
        solve: move |cases: Range<usize>, answers: &mut [Contact]| {
            contact_batch(&pairs[cases], answers, &QueryOptions::default()).is_ok()
        },
    }))
}

/// All points of a shape in one call.
fn slices(workload: &Workload) -> Box<dyn Peer + '_> {
    let points: Vec<_> = workload.cases.iter().map(point).collect();
    let all = &workload.cases;
    let solve = move |cases: Range<usize>, answers: &mut [Contact]| {
        let mut first = cases.start;
        while first < cases.end {
            let same =
                |case: &&Case| case.a == all[first].a && case.poses[0] == all[first].poses[0];
            let last = first + all[first..cases.end].iter().take_while(same).count();
            let (shape, pose) = (&workload.shapes[all[first].a], &all[first].poses[0]);
            let answers = &mut answers[first - cases.start..last - cases.start];
            let options = VertexOptions::default();
            if vertex_contact_batch(shape, pose, &points[first..last], answers, &options).is_err() {
                return false;
            }
            first = last;
        }
        true
    };
    Box::new(Together {
        name: "superovoid, slices of points",
        contacts: vec![Contact::default(); all.len()],
        solve,
    })
}

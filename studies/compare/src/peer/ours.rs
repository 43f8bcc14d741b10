//! The library, and the papers' schemes as it implements them.

use super::answer::{Answer, Peer, native};
use crate::workload::{Case, Field, Other, Workload};
use nalgebra::{Isometry3, Point3};
use std::ops::Range;
use std::time::Instant;
use superovoid::published::{
    Jacobian, Scheme, SchemeOptions, iterative_vertex_contact, scheme_contact,
};
use superovoid::{
    Contact, DepthMode, Outcome, Pair, PairCache, QueryError, QueryOptions, Superovoid,
    VertexOptions, contact, contact_batch, vertex_contact, vertex_contact_batch,
};

/// A pair query by the exact method or by a published scheme.
#[derive(Clone, Copy)]
enum Query {
    Exact(QueryOptions),
    Scheme(SchemeOptions),
}

type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

pub fn peers(workload: &Workload) -> Vec<Box<dyn Peer + '_>> {
    if workload.field == Field::Points {
        return points(workload);
    }
    let exact = Query::Exact(QueryOptions::default());
    let mut peers = Vec::new();
    if workload.field == Field::Warm {
        peers.push(warm(workload, "superovoid, warm", exact));
        peers.push(cold(workload, "superovoid, cold", exact));
        for scheme in Scheme::ALL {
            let options = SchemeOptions {
                scheme,
                ..SchemeOptions::default()
            };
            let query = Query::Scheme(options);
            peers.push(warm(workload, &format!("{scheme}, warm"), query));
        }
        return peers;
    }
    peers.push(cold(workload, "superovoid", exact));
    peers.extend(batch(workload));
    if workload.deep {
        let certified = Query::Exact(QueryOptions::default().with_depth(DepthMode::Certified));
        peers.push(cold(workload, "superovoid, certified depth", certified));
    }
    if workload.field == Field::Ellipsoids {
        return peers;
    }
    for scheme in Scheme::ALL {
        for (jacobian, name) in [
            (Jacobian::Analytic, "analytic"),
            (Jacobian::ForwardDifferences, "differences"),
        ] {
            let options = SchemeOptions {
                scheme,
                jacobian,
                ..SchemeOptions::default()
            };
            let query = Query::Scheme(options);
            peers.push(cold(workload, &format!("{scheme}, {name}"), query));
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
    query: &Query,
    cache: Option<&mut PairCache>,
) -> Answer {
    let Other::Shape(b) = case.b else {
        return Answer::NONE;
    };
    let (a, b) = (&workload.shapes[case.a], &workload.shapes[b]);
    let [pose_a, pose_b] = poses;
    match query {
        Query::Exact(options) => contact(a, pose_a, b, pose_b, options, cache),
        Query::Scheme(options) => scheme_contact(a, pose_a, b, pose_b, options, cache),
    }
    .map_or(Answer::NONE, |found| answer(&found))
}

fn cold<'a>(workload: &'a Workload, name: &str, query: Query) -> Box<dyn Peer + 'a> {
    native(name, move |k| {
        let case = &workload.cases[k];
        ask(workload, case, &case.poses, &query, None)
    })
}

/// From a copy of the cache that the queries before have left.
fn warm<'a>(workload: &'a Workload, name: &str, query: Query) -> Box<dyn Peer + 'a> {
    let fill = |case: &Case| {
        let mut cache = PairCache::default();
        for poses in &case.before {
            ask(workload, case, poses, &query, Some(&mut cache));
        }
        cache
    };
    let caches: Vec<PairCache> = workload.cases.iter().map(fill).collect();
    native(name, move |k| {
        let case = &workload.cases[k];
        let mut cache = caches[k];
        ask(workload, case, &case.poses, &query, Some(&mut cache))
    })
}

fn points(workload: &Workload) -> Vec<Box<dyn Peer + '_>> {
    vec![
        single(workload, "superovoid", vertex_contact),
        slices(workload),
        single(workload, "iterative (thesis)", iterative_vertex_contact),
    ]
}

fn point(case: &Case) -> Point3<f64> {
    case.poses[1].translation.vector.into()
}

fn single<'a>(workload: &'a Workload, name: &str, query: VertexQuery) -> Box<dyn Peer + 'a> {
    native(name, move |k| {
        let case = &workload.cases[k];
        let shape = &workload.shapes[case.a];
        query(
            shape,
            &case.poses[0],
            &point(case),
            &VertexOptions::default(),
        )
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

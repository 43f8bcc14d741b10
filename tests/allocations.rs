//! A query allocates nothing on the heap. The tests of this binary run one at a time, so that no other thread
//! allocates while one counts.

#![allow(unsafe_code)] // a global allocator cannot be written without

#[path = "contact/oracle/mod.rs"]
mod oracle;
#[path = "contact/sets/mod.rs"]
mod sets;

use rand::SeedableRng;
use sets::{Battery, Case, PairQuery};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::motion::{
    Motion, TimeOfImpactOptions, half_space_time_of_impact, polytope_time_of_impact,
    time_of_impact, vertex_time_of_impact,
};
use superovoid::polytope::{Cuboid, Segment, polytope_contact};
use superovoid::published::{
    Scheme, SchemeOptions, iterative_vertex_contact, radial_vertex_contact,
};
use superovoid::{
    Contact, DepthMode, HalfSpace, Pair, PairCache, Plane, QueryOptions, Ray, Superovoid,
    VertexOptions, contact_batch, half_space_contact, plane_contact, vertex_contact,
    vertex_contact_batch,
};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of one query of each pair, without a cache and twice with one.
fn single_allocations(cases: &[Case], options: &impl PairQuery) -> usize {
    let shapes: Vec<(Superovoid, Superovoid)> =
        cases.iter().map(|c| (c.a.build(), c.b.build())).collect();
    let mut sum = 0.0;
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for (case, (a, b)) in cases.iter().zip(&shapes) {
        let mut cache = PairCache::default();
        let query = |cache: Option<&mut PairCache>| {
            options
                .contact(a, &case.pose_a, b, &case.pose_b, cache)
                .map_or(f64::NAN, |answer| answer.distance)
        };
        sum += query(None) + query(Some(&mut cache)) + query(Some(&mut cache));
    }
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    assert!(sum.is_finite(), "the queries were made");
    after - before
}

/// As [`single_allocations`], and of all pairs in one slice.
fn allocations(cases: &[Case], options: &QueryOptions) -> usize {
    let shapes: Vec<(Superovoid, Superovoid)> =
        cases.iter().map(|c| (c.a.build(), c.b.build())).collect();
    let pairs: Vec<Pair> = cases.iter().zip(&shapes).map(pair).collect();
    let mut answers = vec![Contact::default(); pairs.len()];
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let done = contact_batch(&pairs, &mut answers, options);
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    assert!(done.is_ok(), "the queries were made");
    after - before + single_allocations(cases, options)
}

fn pair<'a>((case, (a, b)): (&'a Case, &'a (Superovoid, Superovoid))) -> Pair<'a> {
    Pair {
        a,
        pose_a: &case.pose_a,
        b,
        pose_b: &case.pose_b,
    }
}

/// Allocations of point queries of every method: of each A at B's centre and at points inside A, and
/// of all these in one slice.
fn point_allocations(cases: &[Case]) -> usize {
    let methods = [
        vertex_contact,
        iterative_vertex_contact,
        radial_vertex_contact,
    ];
    let options = VertexOptions::default();
    let inside = [0.2, 0.9].map(|k| nalgebra::Vector3::new(0.3, -0.2, 0.4) * k);
    let mut sum = 0.0;
    let mut count = 0;
    for case in cases {
        let a = case.a.build();
        let size = case.size();
        let [near, far] = inside.map(|x| case.pose_a * nalgebra::Point3::from(x * size));
        let points = [near, far, case.pose_b.translation.vector.into()];
        let mut answers = [Contact::default(); 3];
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for method in methods {
            for point in &points {
                sum += method(&a, &case.pose_a, point, &options)
                    .map_or(f64::NAN, |answer| answer.distance);
            }
        }
        let done = vertex_contact_batch(&a, &case.pose_a, &points, &mut answers, &options);
        sum += done.map_or(f64::NAN, |()| answers[0].distance);
        count += ALLOCATIONS.load(Ordering::Relaxed) - before;
    }
    assert!(sum.is_finite(), "the queries were made");
    count
}

/// Allocations of the queries against other shapes, each case's A against shapes about B's centre.
fn other_shapes_allocations(cases: &[Case]) -> usize {
    let up = nalgebra::Vector3::z();
    let segment = [
        nalgebra::Point3::origin(),
        nalgebra::Point3::new(0.5, 0.2, 0.1),
    ];
    let segment = Segment::new(segment[0], segment[1]).expect("finite");
    let cuboid = Cuboid::new([0.3, 0.2, 0.1]).expect("finite");
    let plane = Plane::new(up, 0.2).expect("a direction");
    let half_space = HalfSpace::new(up, 0.2).expect("a direction");
    let can = ConvexShape::cylinder(0.3, 0.5).expect("lengths");
    let cone = ConvexShape::cone(0.3, 0.5).expect("lengths");
    let options = QueryOptions::default();
    let mut count = 0;
    for case in cases {
        let ovoid = ConvexShape::from(case.a.build());
        let (a, pose, there) = (case.a.build(), &case.pose_a, &case.pose_b);
        let from = nalgebra::Point3::from(there.translation.vector);
        let ray = Ray {
            origin: from,
            direction: pose.translation.vector - from.coords + up * 0.1,
        };
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let answered = polytope_contact(&a, pose, &segment, there, &options).is_ok()
            && polytope_contact(&a, pose, &cuboid, there, &options).is_ok()
            && plane_contact(&a, pose, &plane).is_ok()
            && half_space_contact(&a, pose, &half_space).is_ok()
            && convex_contact(&can, pose, &cone, there, &options).is_ok()
            && convex_contact(&ovoid, pose, &can, there, &options).is_ok()
            && a.ray_cast(pose, &ray, 10.0, true).is_ok();
        count += ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert!(answered, "the queries were made");
    }
    count
}

/// Allocations of times of impact, each case's B moving through A and turning, and shapes about it.
fn motion_allocations(cases: &[Case]) -> usize {
    let up = nalgebra::Vector3::z();
    let half_space = HalfSpace::new(up, 0.2).expect("a direction");
    let cuboid = Cuboid::new([0.3, 0.2, 0.1]).expect("finite");
    let options = TimeOfImpactOptions::default();
    let mut count = 0;
    for case in cases {
        let (a, b) = (case.a.build(), case.b.build());
        let way = (case.pose_a.translation.vector - case.pose_b.translation.vector) * 1.5;
        let mut start = case.pose_b;
        start.translation.vector -= way;
        let moving = Motion::screw(start, way * 2.0, up * 3.0).expect("finite");
        let still = Motion::still(case.pose_a).expect("a pose");
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let answered = time_of_impact(&a, &still, &b, &moving, &options).is_ok()
            && vertex_time_of_impact(&a, &still, &moving, &options).is_ok()
            && half_space_time_of_impact(&b, &moving, &half_space, &options).is_ok()
            && polytope_time_of_impact(&a, &still, &cuboid, &moving, &options).is_ok();
        count += ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert!(answered, "the queries were made");
    }
    count
}

/// On one thread, which is all of the pool: others allocate when they start, or wait.
#[cfg(feature = "rayon")]
fn on_one_thread(test: impl FnOnce() + Send) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread").install(test);
}

#[cfg(not(feature = "rayon"))]
fn on_one_thread(test: impl FnOnce() + Send) {
    test();
}

#[test]
fn queries_allocate_nothing() {
    on_one_thread(|| count_allocations(200));
}

#[test]
#[ignore = "five times the pairs"]
fn queries_allocate_nothing_long() {
    on_one_thread(|| count_allocations(1000));
}

/// One test at a time, also where both are asked for.
static ALONE: Mutex<()> = Mutex::new(());

/// Of so many pairs of the battery and of the convex domain, and of fewer where more is asked of each.
fn count_allocations(pairs: usize) {
    let _alone = ALONE.lock().expect("the other test has passed");
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    drop(std::hint::black_box(vec![1u8; 100]));
    assert!(
        ALLOCATIONS.load(Ordering::Relaxed) > before,
        "the counter counts"
    );

    let fast = QueryOptions::default();
    let mut draw = |count: usize, f: &dyn Fn(&mut rand_chacha::ChaCha8Rng) -> Case| {
        (0..count).map(|_| f(&mut rng)).collect::<Vec<Case>>()
    };
    let battery = draw(pairs, &|rng| Battery::PAPER.draw(rng));
    assert_eq!(allocations(&battery, &fast), 0, "battery");
    let whole = draw(pairs, &|rng| sets::whole_convex_domain(rng));
    assert_eq!(allocations(&whole, &fast), 0, "whole convex domain");
    let boxes = draw(pairs / 3, &|rng| sets::parallel_boxes(rng));
    assert_eq!(allocations(&boxes, &fast), 0, "parallel boxes");
    let hollow = draw(pairs / 3, &|rng| sets::non_convex(rng));
    assert_eq!(allocations(&hollow, &fast), 0, "non-convex");
    for scheme in Scheme::ALL {
        let options = SchemeOptions {
            scheme,
            ..SchemeOptions::default()
        };
        for (set, cases) in [
            ("battery", &battery),
            ("whole", &whole),
            ("hollow", &hollow),
        ] {
            let count = single_allocations(&cases[..pairs / 10], &options);
            assert_eq!(count, 0, "{scheme}, {set}");
        }
    }
    let certified = fast.with_depth(DepthMode::Certified);
    assert_eq!(
        allocations(&whole[..pairs / 20], &certified),
        0,
        "certified"
    );

    for (set, cases) in [
        ("battery", &battery),
        ("whole", &whole),
        ("hollow", &hollow),
    ] {
        assert_eq!(point_allocations(cases), 0, "points, {set}");
        let cases = &cases[..pairs / 5];
        assert_eq!(other_shapes_allocations(cases), 0, "other shapes, {set}");
        assert_eq!(motion_allocations(cases), 0, "motions, {set}");
    }
}

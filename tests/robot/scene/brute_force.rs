//! A list of bodies that is searched pair by pair, from the beginning each time.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};
use superovoid::Shape;
use superovoid::bvh::tree_contact;
use superovoid::convex::ConvexKind;
use superovoid::polytope::{Triangle, polytope_contact};
use superovoid::{
    CollisionStatus, Contact, HalfSpace, Outcome, QueryOptions, Superovoid, contact,
    half_space_contact,
};
use superovoid_robot::scene::{BodyId, Scene, SceneContact, SceneOptions};

#[derive(Clone)]
pub struct Listed {
    pub id: BodyId,
    pub group: usize,
    pub shape: Shape,
    pub obstacle: bool,
    pub pose: Isometry3<f64>,
}

/// Bodies, and for two groups whether they may collide.
#[derive(Default)]
pub struct List {
    pub bodies: Vec<Listed>,
    pub allowed: Vec<[usize; 2]>,
}

impl List {
    fn compares(&self, a: &Listed, b: &Listed) -> bool {
        let pair = [a.group.min(b.group), a.group.max(b.group)];
        !(a.obstacle && b.obstacle) && a.group != b.group && !self.allowed.contains(&pair)
    }

    /// All pairs not proven to be farther apart than `max_distance`.
    pub fn contacts(&self, max_distance: f64) -> Vec<SceneContact> {
        let mut sorted: Vec<&Listed> = self.bodies.iter().collect();
        sorted.sort_by_key(|body| (body.obstacle, body.id));
        let mut found = Vec::new();
        for (i, a) in sorted.iter().enumerate() {
            for b in sorted[i + 1..].iter().filter(|b| self.compares(a, b)) {
                let answer = solve(a, b, max_distance);
                let one = |(part, contact)| SceneContact::new(a.id, b.id, part, contact);
                found.extend(answer.map(one));
            }
        }
        found.sort_by_key(|c| (c.a, c.b));
        found
    }
}

fn solve(a: &Listed, b: &Listed, max_distance: f64) -> Option<(Option<u32>, Contact)> {
    let options = QueryOptions::default().with_max_distance(max_distance);
    let Shape::Superovoid(shape) = &a.shape else {
        panic!("a body is a superovoid");
    };
    let (pose_a, pose_b) = (&a.pose, &b.pose);
    let found = match &b.shape {
        Shape::Superovoid(other) => {
            let found = contact(shape, &a.pose, other, &b.pose, &options, None).unwrap();
            Some((None, found))
        }
        Shape::HalfSpace(half_space) => {
            let on_it = half_space.normal().into_inner() * half_space.offset();
            let normal = b.pose.rotation * half_space.normal().into_inner();
            let offset = normal.dot(&(b.pose * nalgebra::Point3::from(on_it)).coords);
            let moved = HalfSpace::new(normal, offset).unwrap();
            let found = half_space_contact(shape, &a.pose, &moved).unwrap();
            Some((None, found))
        }
        Shape::Polytope(polytope) => {
            let found = polytope_contact(shape, &a.pose, polytope.as_ref(), &b.pose, &options);
            Some((None, found.unwrap()))
        }
        // A triangle.
        Shape::Convex(convex) => {
            let ConvexKind::Hull(&[a, b, c]) = convex.kind() else {
                panic!("another shape");
            };
            let triangle = Triangle::new([a, b, c]).unwrap();
            let found = polytope_contact(shape, pose_a, &triangle, pose_b, &options);
            Some((None, found.unwrap()))
        }
        Shape::Mesh(tree) => tree_contact(shape, &a.pose, tree.as_ref(), &b.pose, &options)
            .unwrap()
            .map(|found| (Some(found.part), found.contact)),
        Shape::Boxes(tree) => tree_contact(shape, &a.pose, tree.as_ref(), &b.pose, &options)
            .unwrap()
            .map(|found| (Some(found.part), found.contact)),
        _ => panic!("another shape"),
    };
    found.filter(|(_, found)| found.outcome != Outcome::Beyond && found.lower <= max_distance)
}

/// The same pairs with the same status and, to the tolerance, the same distance; overlaps to the
/// last bit. Closest first.
pub fn assert_same(found: &[SceneContact], expected: &[SceneContact], tolerance: f64) {
    for pair in found.windows(2) {
        assert!(pair[0].contact.distance <= pair[1].contact.distance);
    }
    let mut found = found.to_vec();
    found.sort_by_key(|c| (c.a, c.b));
    let pairs =
        |contacts: &[SceneContact]| -> Vec<_> { contacts.iter().map(|c| (c.a, c.b)).collect() };
    assert_eq!(pairs(&found), pairs(expected));
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.status(), expected.status(), "{found:?} {expected:?}");
        assert_eq!(found.contact.outcome, expected.contact.outcome);
        let error = (found.contact.distance - expected.contact.distance).abs();
        assert!(error <= tolerance, "{found:?} {expected:?}");
        // Half-spaces are moved by other sums.
        if expected.contact.outcome == Outcome::Converged {
            assert_eq!(found, expected);
        }
    }
}

/// Every query of a scene at every margin, against the list.
pub fn check(scene: &mut Scene, list: &List, margins: &[f64], tolerance: f64) -> Vec<SceneContact> {
    let mut last = Vec::new();
    for &max_distance in margins {
        let options = SceneOptions::default().with_max_distance(max_distance);
        let expected = list.contacts(max_distance);
        let found = scene.contacts(&options).unwrap();
        assert_same(&found, &expected, tolerance);
        let least = expected
            .iter()
            .map(|c| c.contact.distance)
            .min_by(f64::total_cmp);
        let near = scene.candidates(max_distance).unwrap();
        assert!(expected.iter().all(|c| near.contains(&[c.a, c.b])));
        let closest = scene.closest(&options).unwrap();
        assert_eq!(closest.is_some(), least.is_some(), "{closest:?} {least:?}");
        if let (Some(closest), Some(least)) = (closest, least) {
            let error = (closest.contact.distance - least).abs();
            assert!(error <= tolerance, "{closest:?} {least}");
        }
        let touching = expected.iter().any(|c| c.status() != CollisionStatus::Free);
        assert_eq!(scene.in_collision(&options).unwrap(), touching);
        last = expected;
    }
    last
}

pub fn any_pose(rng: &mut impl Rng, reach: f64) -> Isometry3<f64> {
    let mut number = || rng.random_range(-1.0..1.0);
    let axis = Vector3::new(number(), number(), number());
    let place = Vector3::new(number(), number(), number()) * reach;
    Isometry3::from_parts(
        Translation3::from(place),
        UnitQuaternion::from_scaled_axis(axis * 3.0),
    )
}

/// Shapes of sizes about 0.1, convex and not, box-like and pointed, and spheres.
pub fn any_shape(rng: &mut impl Rng) -> Superovoid {
    let a = [0; 3].map(|_| rng.random_range(0.04..0.15));
    if rng.random_range(0..8) == 0 {
        return Superovoid::sphere(a[0]).unwrap();
    }
    let e = [0; 2].map(|_| match rng.random_range(0..4) {
        0 => 0.1,
        1 => 1.8,
        _ => rng.random_range(0.2..1.4),
    });
    let t = [0; 2].map(|_| match rng.random_range(0..3) {
        0 => rng.random_range(-0.5..0.5),
        _ => 0.0,
    });
    Superovoid::new(a, e, t).unwrap()
}

//! Inputs that several queries answered wrongly once.

use super::pose;
use crate::oracle::body::Shape;
use crate::sets::{Case, any_direction, seeded};
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use superovoid::polytope::{Segment, Triangle, polytope_contact};
use superovoid::published::{Scheme, SchemeOptions, scheme_contact};
use superovoid::{
    CollisionStatus, Contact, DepthMode, Outcome, QueryError, QueryOptions, Superovoid,
    VertexOptions, contact, vertex_contact,
};

/// An exponent 1e-12 below 2: rounding spoiled the support function and an overlap was certified
/// to be apart.
#[test]
fn exponents_too_close_to_two_certify_nothing() {
    let a = Superovoid::new([0.5, 1.0, 1.0], [1.999999, 1.999999999999], [0.999; 2]);
    let b = Superovoid::new([2.0, 1.0, 2.0], [0.6666666666666666, 1.5], [0.5; 2]);
    let pose_a = pose([0.0, 0.3826834323650898, 0.0, 0.9238795325112867], [0.0; 3]);
    let pose_b = pose(
        [0.0, 0.0, 0.3826834323650898, 0.9238795325112867],
        [2.2577835526569316, 0.19342956196631203, 0.29047809392866053],
    );
    let (a, b) = (a.expect("valid"), b.expect("valid"));
    let answer = contact(&a, &pose_a, &b, &pose_b, &QueryOptions::default(), None).expect("valid");
    assert_ne!(answer.outcome, Outcome::Certified, "{answer:?}");
    // A point of A inside B was found by sampling.
    assert!(answer.lower < 0.0, "{answer:?}");
}

/// What the balls about and in them prove of bodies that rounding leaves no other proof of.
#[test]
fn balls_about_and_in_bodies_prove_what_their_exponents_do_not() {
    let here = Isometry3::identity();
    let places = [
        (0.5, CollisionStatus::Collision),
        (0.8, CollisionStatus::Collision),
        (1.9, CollisionStatus::Undecided),
        (2.1, CollisionStatus::Undecided),
        (5.0, CollisionStatus::Free),
    ];
    for e in [1e-9, 2.0 - 1e-9] {
        let body = Superovoid::superellipsoid([1.0, 0.75, 1.25], [e; 2]).expect("valid");
        for (x, expected) in places {
            let there = Isometry3::translation(x, 0.0, 0.0);
            let options = QueryOptions::default();
            let corner = Point3::new(x - 1.0, 0.0, 0.0);
            let segment = Segment::new(corner, corner + Vector3::x()).expect("finite");
            let answers = [
                contact(&body, &here, &body, &there, &options, None),
                polytope_contact(&body, &here, &segment, &here, &options),
                vertex_contact(&body, &here, &corner, &VertexOptions::default()),
            ];
            for answer in answers {
                let answer = answer.expect("valid");
                assert_ne!(answer.outcome, Outcome::Certified, "{x} {answer:?}");
                assert_eq!(answer.status(), expected, "{x} {answer:?}");
                let [lower, upper] = [answer.lower, answer.upper];
                let holds = lower <= answer.distance && answer.distance <= upper;
                assert!(holds, "{x} {answer:?}");
            }
        }
    }
}

/// A rotation whose quaternion had length 1e300 made a query run for ever.
#[test]
fn a_rotation_that_is_none_is_an_error() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let turned = UnitQuaternion::new_unchecked(Quaternion::new(1e300, 2.0, 0.0, 0.0));
    let there = Isometry3::from_parts(Translation3::new(3.0, 0.0, 0.0), turned);
    let here = Isometry3::identity();
    let error = contact(&ball, &here, &ball, &there, &QueryOptions::default(), None).unwrap_err();
    assert!(
        matches!(error, QueryError::Rotation { body: 'B', .. }),
        "{error}"
    );
    // What rounding leaves is none of its business.
    let nearly = UnitQuaternion::new_unchecked(Quaternion::new(1.0 + 1e-9, 0.0, 0.0, 0.0));
    let there = Isometry3::from_parts(Translation3::new(3.0, 0.0, 0.0), nearly);
    assert!(contact(&ball, &here, &ball, &there, &QueryOptions::default(), None).is_ok());
}

/// Newton's method went round in circles for as long as it was allowed to.
#[test]
fn any_number_of_iterations_ends() {
    let needle = Superovoid::new([1.0, 1e-3, 1e-3], [1.98, 1.97], [0.01, 0.01]).expect("valid");
    let options = QueryOptions::default().with_max_iterations(u32::MAX);
    for k in 0..50 {
        let k = f64::from(k);
        let turn = UnitQuaternion::from_euler_angles(0.3 * k, 0.7 * k, 1.1 * k);
        let there = Isometry3::from_parts(Translation3::new(0.02 * k, 0.01, 0.0), turn);
        let here = Isometry3::identity();
        assert!(contact(&needle, &here, &needle, &there, &options, None).is_ok());
        for scheme in Scheme::ALL {
            let options = SchemeOptions {
                scheme,
                max_iterations: u32::MAX,
                ..SchemeOptions::default()
            };
            assert!(scheme_contact(&needle, &here, &needle, &there, &options, None).is_ok());
        }
    }
}

/// The bracket was infinite, or the product of two semi-axes left the number range before the third was
/// multiplied.
#[test]
fn answers_beyond_the_number_range_are_errors() {
    use superovoid::{HalfSpace, Plane, half_space_contact, plane_contact};
    let giant = Superovoid::superellipsoid([1.7e308; 3], [1e-9, 1e-9]).expect("valid");
    let here = Isometry3::identity();
    let plane = Plane::new(Vector3::x(), -1e307).expect("valid");
    let half_space = HalfSpace::new(Vector3::x(), -1e307).expect("valid");
    for answer in [
        plane_contact(&giant, &here, &plane),
        half_space_contact(&giant, &here, &half_space),
        contact(
            &giant,
            &here,
            &Superovoid::sphere(1.0).expect("valid"),
            &here,
            &QueryOptions::default(),
            None,
        ),
    ] {
        assert!(
            answer.is_err_and(|e| e == QueryError::Overflow)
                || answer.is_ok_and(|a| a.lower.is_finite())
        );
    }
    let needle = Superovoid::ellipsoid([1e-200, 1e-200, 1e300]).expect("valid");
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((needle.volume() / (ball * 1e-100) - 1.0).abs() < 1e-12);
}

/// The unit of length followed the coordinates instead of their difference; beside it the squares of the
/// bodies' lengths vanished, and a bracket closed at nothing.
#[test]
fn bodies_near_each_other_and_far_from_the_origin_keep_their_sizes() {
    use nalgebra::{Isometry2, Point2, Point3, Vector2};
    use superovoid::planar::{Superellipse, segment_contact};
    use superovoid::polytope::{Cuboid, polytope_contact};
    use superovoid::{VertexOptions, vertex_contact};
    const FAR: f64 = -1.7976931348623157e308;
    let ball = Superovoid::sphere(1.0).expect("valid");
    let cube = Cuboid::new([1.0; 3]).expect("valid");
    let options = QueryOptions::default();
    let at = |z: f64| Isometry3::translation(0.0, FAR, z);
    for offset in [3.0, 1e20, -1e20, 0.5] {
        let (here, there) = (at(0.0), at(offset));
        let pair = contact(&ball, &here, &ball, &there, &options, None).expect("an answer");
        let cube = polytope_contact(&ball, &here, &cube, &there, &options).expect("an answer");
        let point = Point3::new(0.0, FAR, offset);
        let point = vertex_contact(&ball, &here, &point, &VertexOptions::default());
        let point = point.expect("an answer");
        let expected = offset.abs() - 2.0;
        let slack = 1e-9 + 1e-14 * offset.abs();
        for (answer, expected) in [(pair, expected), (cube, expected), (point, expected + 1.0)] {
            assert!(
                (answer.distance - expected).abs() <= slack,
                "{offset}: {answer:?}"
            );
            assert!(answer.lower <= expected + slack && expected - slack <= answer.upper);
        }
    }
    let disc = Superellipse::new([1.0, 1.0], 1.0).expect("valid");
    let pose = Isometry2::new(Vector2::new(FAR, 0.0), 0.0);
    let end = |y: f64| Point2::new(FAR, y);
    let answer = segment_contact(&disc, &pose, &end(3.0), &end(5.0)).expect("an answer");
    assert!((answer.distance - 2.0).abs() < 1e-9, "{answer:?}");
}

/// Bodies apart by less than rounding, with the gap along the normal in 40 digits: the common point that was found is
/// one to rounding, and they were said to overlap, under tolerances that rounding alone exceeds.
#[test]
fn bodies_apart_by_less_than_rounding_are_not_said_to_overlap() {
    let shape = |a, e| Shape::new(a, e, [0.0; 2]);
    let cases = [
        (
            5.089321988538971e-16,
            Case {
                a: shape(
                    [0.5028331690958158, 0.3129743047398322, 0.9015782724351777],
                    [1.0, 1.0],
                ),
                pose_a: pose(
                    [
                        0.7923981951931484,
                        0.4468813659965469,
                        0.3719131803342456,
                        -0.1846150895061618,
                    ],
                    [0.0; 3],
                ),
                b: shape(
                    [0.6919384116781699, 0.9084488712226304, 0.5066770638057372],
                    [0.2535981150120463, 0.26089683556119514],
                ),
                pose_b: pose(
                    [
                        -0.5317574802921785,
                        0.48798959979804235,
                        -0.5311991259003672,
                        -0.4437652772411852,
                    ],
                    [0.46486125566215164, 0.6372205792657448, 1.204005341011651],
                ),
            },
        ),
        (
            3.394265328630385e-16,
            Case {
                a: shape(
                    [0.767142953923915, 0.7395104929812016, 0.40055289590761123],
                    [1.0, 1.0],
                ),
                pose_a: pose(
                    [
                        -0.3779644730092272,
                        -0.3779644730092272,
                        0.7559289460184544,
                        0.3779644730092272,
                    ],
                    [0.0; 3],
                ),
                b: shape(
                    [0.4529602985169385, 0.8223354239361487, 0.9652719882814982],
                    [0.17450282308995702, 0.2777579513874189],
                ),
                pose_b: pose(
                    [
                        -0.6881642757926343,
                        -0.18145784644458401,
                        0.6362156579918661,
                        0.2978802041298984,
                    ],
                    [-1.2536636780405592, 1.3599794122313296, 0.09525224388831947],
                ),
            },
        ),
    ];
    for (gap, case) in cases {
        for tolerance in [0.0, 1e-17] {
            let options = QueryOptions::default().with_tolerance(tolerance);
            let answer = case.query(&options);
            assert!(answer.lower <= gap && gap <= answer.upper, "{answer:?}");
            assert_eq!(answer.status(), CollisionStatus::Undecided, "{answer:?}");
        }
    }
}

/// A body 1 long, and a point on its axis.
fn touched_by_a_point(a: Shape, gap: f64, options: &QueryOptions) -> Contact {
    let options = VertexOptions::default()
        .with_tolerance(options.tolerance)
        .with_depth(options.depth);
    let point = Point3::new(1.0 + gap, 0.0, 0.0);
    vertex_contact(&a.build(), &Isometry3::identity(), &point, &options).expect("valid")
}

/// Bodies, and points, whose gap along a common axis is known to the last bit. Points inside by less than
/// rounding were called collisions with brackets that hold 0. One in so many of all combinations.
fn brackets_of_touching_bodies(one_in: usize) {
    const EXPONENTS: [f64; 7] = [0.02, 0.3, 0.5, 0.8, 1.0, 1.3, 1.98];
    let turns = [
        [0.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.5, 0.5, 0.5, 0.5],
        [-0.5, -0.5, -0.5, 0.5],
    ];
    let (mut queries, mut schemes) = (Vec::new(), Vec::new());
    for tolerance in [0.0, 1e-17] {
        for depth in [DepthMode::Fast, DepthMode::Certified] {
            queries.push(
                QueryOptions::default()
                    .with_tolerance(tolerance)
                    .with_depth(depth),
            );
        }
        schemes.extend(Scheme::ALL.map(|scheme| SchemeOptions {
            scheme,
            tolerance,
            ..SchemeOptions::default()
        }));
    }
    let (mut number, mut false_brackets) = (0_usize, Vec::new());
    for (i, e) in EXPONENTS.into_iter().enumerate() {
        for e_of_b in EXPONENTS {
            let a = Shape::new([1.0, 0.75, 1.25], [e, EXPONENTS[(i + 3) % 7]], [0.0; 2]);
            let b = Shape::new([0.5, 1.0, 0.875], [e_of_b, e], [0.0; 2]);
            for turn in turns {
                let turned = pose(turn, [0.0; 3]);
                let reach = turned.inverse_transform_vector(&Vector3::x()).abs();
                let reach_of_b = reach.dot(&Vector3::from(b.a));
                for steps in [-64, -9, -2, -1, 0, 1, 2, 5, 9, 64] {
                    number += 1;
                    if !number.is_multiple_of(one_in) {
                        continue;
                    }
                    let gap = f64::from(steps) * f64::EPSILON;
                    let case = Case {
                        a,
                        pose_a: Isometry3::identity(),
                        b,
                        pose_b: pose(turn, [1.0 + reach_of_b + gap, 0.0, 0.0]),
                    };
                    let exact = queries.iter().flat_map(|options| {
                        [case.query(options), touched_by_a_point(a, gap, options)]
                    });
                    let published = schemes.iter().map(|options| case.query(options));
                    for answer in exact.chain(published) {
                        let right = answer.lower <= gap && gap <= answer.upper;
                        let collides = answer.status() == CollisionStatus::Collision;
                        if !right || (collides && answer.upper > 0.0) {
                            false_brackets.push((gap, answer, case));
                        }
                    }
                }
            }
        }
    }
    let first = false_brackets.first();
    assert!(first.is_none(), "{}: {first:?}", false_brackets.len());
}

draws!(brackets_of_touching_bodies: brackets_of_touching_bodies_hold_to_the_last_bit 9, brackets_of_touching_bodies_hold_to_the_last_bit_long 1);

/// Points on an ellipsoid to rounding, how far above it they are, and the normal there. The side is exact: as
/// whole numbers of 2⁻⁵² their squares fit into 128 bits.
fn points_on_an_ellipsoid(a: [f64; 3], count: usize) -> Vec<(Vector3<f64>, f64, Vector3<f64>)> {
    const ONE: f64 = 4503599627370496.0;
    let mut rng = seeded(64);
    let mut point = || {
        let u = any_direction(&mut rng);
        let whole = u.map(|x| (x * ONE).round());
        let squares: i128 = whole.iter().map(|k| (*k as i128) * (*k as i128)).sum();
        let above = (squares - (1 << 104)) as f64 / (ONE * ONE);
        let gradient = 2.0 * u.component_div(&Vector3::from(a));
        let x = Vector3::from(a).component_mul(&whole) / ONE;
        (x, above / gradient.norm(), gradient.normalize())
    };
    (0..count).map(|_| point()).collect()
}

/// Points and polytopes that touch a body to rounding, asked under a tolerance below that.
#[test]
fn points_and_polytopes_apart_by_less_than_rounding_are_no_collision() {
    const SEMI_AXES: [f64; 3] = [1.0, 0.5, 2.0];
    let body = Superovoid::superellipsoid(SEMI_AXES, [1.0; 2]).expect("valid");
    let here = Isometry3::identity();
    let mut wrong = Vec::new();
    for (x, gap, n) in points_on_an_ellipsoid(SEMI_AXES, 2000) {
        let corner = Point3::from(x);
        let beside = n.cross(&Vector3::new(0.6, 0.48, 0.64)).normalize();
        let segment = Segment::new(corner, corner + n).expect("finite");
        let triangle = Triangle::new([corner, corner + n + beside, corner + n - beside]);
        let triangle = triangle.expect("finite");
        let mut answers = Vec::new();
        for tolerance in [0.0, 1e-17] {
            for depth in [DepthMode::Fast, DepthMode::Certified] {
                let options = QueryOptions::default()
                    .with_tolerance(tolerance)
                    .with_depth(depth);
                let of_points = VertexOptions::default()
                    .with_tolerance(tolerance)
                    .with_depth(depth);
                answers.push(vertex_contact(&body, &here, &corner, &of_points));
                answers.push(polytope_contact(&body, &here, &segment, &here, &options));
                answers.push(polytope_contact(&body, &here, &triangle, &here, &options));
            }
        }
        for (i, answer) in answers.into_iter().enumerate() {
            let answer = answer.expect("valid");
            let right = answer.lower <= gap && gap <= answer.upper;
            let collides = answer.status() == CollisionStatus::Collision;
            if !right || (collides && answer.upper > 0.0) {
                wrong.push((gap, i, x, answer));
            }
        }
    }
    let first = wrong.first();
    assert!(first.is_none(), "{}: {first:?}", wrong.len());
}

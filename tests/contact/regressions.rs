//! Pairs and directions that were answered wrongly once.

use crate::oracle::body::{Body, Shape};
use crate::oracle::{Effort, check, examine};
use crate::sets::{Case, any_direction, seeded};
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};
use superovoid::polytope::{Segment, Triangle, polytope_contact};
use superovoid::published::{Scheme, SchemeOptions, scheme_contact};
use superovoid::{
    CollisionStatus, Contact, DepthMode, Outcome, QueryError, QueryOptions, Superovoid,
    VertexOptions, contact, vertex_contact,
};

/// A pose with every digit: the quaternion is not normalised again.
fn pose(ijkw: [f64; 4], t: [f64; 3]) -> Isometry3<f64> {
    let q = Quaternion::new(ijkw[3], ijkw[0], ijkw[1], ijkw[2]);
    Isometry3::from_parts(Translation3::new(t[0], t[1], t[2]), Unit::new_unchecked(q))
}

fn judged(case: &Case) {
    let answer = case.query(&QueryOptions::default());
    let (a, b) = (case.a.build(), case.b.build());
    let verdict = check(&a, &case.pose_a, &b, &case.pose_b, &answer);
    assert!(verdict.is_ok(), "{}", verdict.unwrap_err());
}

/// Sharp equators (e2 near 2) of non-convex tapers, where the maximum over the height is narrow.
#[test]
fn support_of_a_sharp_tapered_body_is_not_lowered() {
    let cases = [
        (
            Shape::new(
                [0.7225715618779764, 1.1843292129427092, 2.1239110823557517],
                [1.6952493247046259, 1.911222562179932],
                [0.6055276726630713, -0.2748508460384786],
            ),
            Vector3::y(),
        ),
        (
            Shape::new(
                [1.3088555224713687, 0.4702973023553791, 0.31103656958681136],
                [0.3639298716193684, 1.9563497851906966],
                [-0.5937529610090431, 0.7105713896432868],
            ),
            Vector3::new(0.0, 0.9423728442555169, -0.3345645265263002),
        ),
    ];
    for (shape, n) in cases {
        let (value, truth) = (
            shape.build().support(&n).value,
            Body::new(shape).support(&n),
        );
        assert!(
            (value / truth - 1.0).abs() <= 1e-12,
            "{shape:?}: {value} {truth}"
        );
    }
}

/// Of two local maxima over the height, the lower one was returned (1.573 for 1.596): a false lower
/// bound of every distance along that direction.
#[test]
fn support_of_a_hollow_body_is_the_global_maximum() {
    let shape = Shape::new(
        [0.5040226325553686, 2.929110081663729, 1.2863990202866424],
        [1.8350767405834398, 1.9442386373973606],
        [0.6328857504508233, 0.46234263554021504],
    );
    let n = Vector3::new(0.3674616852716279, 0.5370831215371039, 0.7592849467869724);
    let (value, truth) = (
        shape.build().support(&n).value,
        Body::new(shape).support(&n),
    );
    assert!((value / truth - 1.0).abs() <= 1e-12, "{value} {truth}");
}

/// Nearly parallel boxes, edge to face, 1e-5 to 1e-3 apart: the bracket was right, but the gap
/// along the returned normal fell short of the distance by more than the tolerance.
#[test]
fn normal_of_nearly_touching_boxes_supports_the_distance() {
    let cases = [
        Case {
            a: Shape::new(
                [0.719497549925133, 0.9797178413474873, 1.2591494978502302],
                [0.10584414785173538, 0.058823482129800306],
                [0.0; 2],
            ),
            pose_a: pose(
                [
                    -0.29795317245915054,
                    -0.3799364085867583,
                    0.8230160047410299,
                    0.2991937305356462,
                ],
                [1.7618401082244644, 0.7722645590281693, 0.5472904931758231],
            ),
            b: Shape::new(
                [0.5488734990634284, 1.7795314653732883, 0.6114310351603675],
                [0.04896604129308183, 0.04518017979838772],
                [0.0; 2],
            ),
            pose_b: pose(
                [
                    0.05709369591532456,
                    -0.7926449066586538,
                    -0.48021752692496245,
                    0.3712754889147621,
                ],
                [3.0612125717121264, 1.5816162950580295, -0.4189157872716134],
            ),
        },
        Case {
            a: Shape::new(
                [0.4370510400228648, 0.4272442227640129, 0.3687325376612027],
                [0.06802909603968516, 0.10185839297243635],
                [0.0; 2],
            ),
            pose_a: pose(
                [
                    -0.13633919478672388,
                    -0.22365103240313983,
                    0.7152748093716862,
                    0.6478995190214418,
                ],
                [1.1517043096848294, 1.2266219088117722, 1.0811918774557807],
            ),
            b: Shape::new(
                [0.598488936379071, 1.8482321712437852, 0.46045932695711395],
                [0.18979144133655598, 0.13684143089309028],
                [0.0; 2],
            ),
            pose_b: pose(
                [
                    0.501592050601632,
                    -0.009968273633085889,
                    0.8615822777914958,
                    -0.07734356398333003,
                ],
                [0.38305233810155936, 1.172991928903203, 0.6403371044459584],
            ),
        },
    ];
    for case in &cases {
        judged(case);
    }
}

/// A pointed body (e1 = 1.93): the witness was 3e-8 off the surface.
#[test]
fn witness_of_a_pointed_body_is_on_its_surface() {
    judged(&Case {
        a: Shape::new(
            [2.7737738233561124, 0.7996140513668062, 0.6091890977193594],
            [1.9272255864349266, 1.8089520143409827],
            [0.0486217685454226, 0.16935000189930066],
        ),
        pose_a: pose(
            [
                0.0924936082035984,
                -0.437149527505708,
                -0.6193231764820937,
                -0.645588124205476,
            ],
            [0.0; 3],
        ),
        b: Shape::new(
            [0.4214491553307315, 0.7369682968706939, 2.266652495813631],
            [1.8303458309346352, 1.8306884628244429],
            [-0.04308780698293513, -0.04308780698293513],
        ),
        pose_b: pose(
            [
                0.1991119700778127,
                0.6846407911986087,
                0.6990128694383848,
                -0.05479433144213875,
            ],
            [-1.0269611599421968, 0.938017402410315, -2.69632619789382],
        ),
    });
}

/// Bodies of the smallest positive size: the distance was NaN, and certified.
#[test]
fn smallest_positive_sizes_do_not_give_nan() {
    let egg = Superovoid::new([5e-324; 3], [1.0, 1.0], [0.1, 0.1]).expect("valid");
    let dust = Superovoid::sphere(5e-324).expect("valid");
    let here = Isometry3::identity();
    let there = Isometry3::translation(1e-150, 0.0, -1e-150);
    let options = QueryOptions::default();
    if let Ok(answer) = contact(&egg, &here, &dust, &there, &options, None) {
        assert!(!answer.distance.is_nan(), "{answer:?}");
    }
}

/// Axis-aligned pairs that touch exactly: the difference of the witnesses is zero or points the
/// wrong way, and the normal came out as NaN or reversed.
#[test]
fn exactly_touching_pairs_have_the_common_normal() {
    let ellipsoid = Superovoid::ellipsoid([1.0, 0.5, 0.7]).expect("valid");
    let brick = Superovoid::superellipsoid([0.5; 3], [0.05, 0.02]).expect("valid");
    let slab = Superovoid::superellipsoid([0.3, 0.1, 0.7], [0.1, 0.1]).expect("valid");
    let small = Superovoid::ellipsoid([0.3, 0.7, 1.0]).expect("valid");
    let large = Superovoid::ellipsoid([2.0, 0.3, 0.7]).expect("valid");
    let cases = [
        (ellipsoid, ellipsoid, Vector3::new(0.0, -1.0, 0.0)),
        (brick, slab, Vector3::new(0.0, 0.0, -1.2)),
        (small, large, Vector3::new(-2.3, 0.0, 0.0)),
    ];
    for (a, b, center) in cases {
        let here = Isometry3::identity();
        let there = Isometry3::new(center, Vector3::zeros());
        let answer = contact(&a, &here, &b, &there, &QueryOptions::default(), None).expect("valid");
        let verdict = check(&a, &here, &b, &there, &answer);
        assert!(verdict.is_ok(), "{}", verdict.unwrap_err());
        assert!(answer.distance.abs() < 1e-15, "{answer:?}");
        assert!(
            (answer.normal.as_ref() - center.normalize()).norm() < 1e-9,
            "{answer:?}"
        );
    }
}

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

/// Overlapping boxes, nearly parallel: the witnesses' depth fell short of the depth along the
/// normal by more than the tolerance.
#[test]
fn depth_of_nearly_parallel_boxes_is_that_along_the_normal() {
    let flat = [0.0; 2];
    let cases = [
        Case {
            a: Shape::new(
                [
                    0.42654361445601396,
                    0.30647175177657027,
                    0.37094448370394756,
                ],
                [0.14706960363166918, 0.1397640118682662],
                flat,
            ),
            pose_a: pose(
                [
                    0.39222588536027586,
                    -0.9120060199989322,
                    0.03962584783483652,
                    -0.11328577369831343,
                ],
                [
                    -1.8528410906209394,
                    -0.49381105965115085,
                    -0.568445714446697,
                ],
            ),
            b: Shape::new(
                [2.091441775713475, 0.4180430184235872, 0.9230374150255045],
                [0.024836757452977688, 0.09958393877539386],
                flat,
            ),
            pose_b: pose(
                [
                    0.19724045574584478,
                    -0.6168659802782769,
                    0.6729053640482467,
                    -0.35745060641659077,
                ],
                [-1.4469153027411408, 0.4987697461913025, 0.34019668699781347],
            ),
        },
        Case {
            a: Shape::new(
                [0.9400657525740206, 0.5680801778430578, 0.3057456288311715],
                [0.03860842987674293, 0.03623510611727293],
                flat,
            ),
            pose_a: pose(
                [
                    0.6864148809288313,
                    -0.6881638590863534,
                    0.13520192983732005,
                    -0.19231628234525613,
                ],
                [1.8696931631765557, 0.33858811357064666, -0.6241839191452438],
            ),
            b: Shape::new(
                [0.6571937913385465, 0.7908924047263689, 2.493208811123652],
                [0.17198650299755402, 0.024117147230384037],
                flat,
            ),
            pose_b: pose(
                [
                    -0.0012366342881272234,
                    -0.9719739495650653,
                    -0.04038597548655137,
                    -0.23159033893175412,
                ],
                [
                    3.1449772839116914,
                    -0.35666452270208604,
                    -3.1861934426297527,
                ],
            ),
        },
        Case {
            a: Shape::new(
                [1.6884596657727473, 0.5175913445326119, 1.285383780844637],
                [0.024341768076762773, 0.02272916338004439],
                flat,
            ),
            pose_a: pose(
                [
                    -0.626337724351551,
                    0.4244299289458171,
                    -0.646887409174462,
                    0.09537803898550948,
                ],
                [
                    -0.4544973935755099,
                    -1.2581549061335209,
                    -1.4867677530149823,
                ],
            ),
            b: Shape::new(
                [0.9181426500395692, 1.2803238447453626, 2.4820213273235603],
                [0.03492921898711057, 0.14577649537203663],
                flat,
            ),
            pose_b: pose(
                [
                    0.6468875703865585,
                    0.09537809573239714,
                    -0.6263376412766015,
                    -0.424429793079963,
                ],
                [
                    -0.40344269146503464,
                    -0.2559693192991719,
                    -4.144652878666182,
                ],
            ),
        },
    ];
    for case in &cases {
        judged(case);
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
    let options = QueryOptions {
        max_iterations: u32::MAX,
        ..QueryOptions::default()
    };
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

/// The squares of a tiny normal lost their digits, and the bracket said that more than the distance was
/// proven.
#[test]
fn planar_brackets_of_needles_and_far_segments_hold() {
    use nalgebra::{Isometry2, Point2, Vector2};
    use superovoid::planar::{Superellipse, segment_contact};
    let cases = [
        // Semi-axes, e, translation, segment.
        (
            [0.8114062993, 1e-160],
            1.0,
            [-0.98453825, 0.0],
            [[0.69283987, -0.39331941], [1.9999999, -2.67257451]],
        ),
        (
            [0.73884052, 0.28432893],
            1.3,
            [-1.11983141, -1e300],
            [[1e20, 0.98548308], [-0.78734412, 2.2e-16]],
        ),
        (
            [0.0364059, 1.44637562],
            5e-324,
            [-1e300, 1.42956362],
            [[1.22995714, 0.0], [-2.01062916, 0.0]],
        ),
    ];
    for (axes, e, translation, ends) in cases {
        let shape = Superellipse::new(axes, e).expect("valid");
        let pose = Isometry2::new(Vector2::from(translation), 0.0);
        let [p, q] = ends.map(Point2::from);
        let answer = segment_contact(&shape, &pose, &p, &q).expect("an answer");
        let [lower, upper] = [answer.lower, answer.upper];
        assert!(
            lower <= answer.distance && answer.distance <= upper,
            "{answer:?}"
        );
        // Both points belong to their bodies, so nothing beyond their distance is proven.
        let scale = answer.distance.abs();
        let apart = ((answer.point_b - answer.point_a) / scale).norm();
        assert!(lower / scale <= apart * (1.0 + 1e-12), "{answer:?}");
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

/// The square of a length left the number range, and the normal of a far point that is done with as one of a
/// group was zero.
#[test]
fn normals_of_far_groups_are_of_unit_length() {
    use superovoid::{Contact, VertexOptions, vertex_contact_batch};
    let ball = Superovoid::sphere(1.0).expect("valid");
    let points = [[5.0, 1e200, 0.0], [5.0, -1.0, 0.0]].map(Point3::from);
    let options = VertexOptions {
        max_distance: 1.0,
        ..VertexOptions::default()
    };
    let mut answers = [Contact::default(); 2];
    vertex_contact_batch(
        &ball,
        &Isometry3::identity(),
        &points,
        &mut answers,
        &options,
    )
    .expect("answers");
    for answer in answers {
        assert_eq!(answer.outcome, Outcome::Beyond);
        assert!((answer.normal.norm() - 1.0).abs() < 1e-12, "{answer:?}");
    }
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

/// Beyond a power of 1000 a coordinate above 1 left the number range, its circle was normalised by the
/// limit in its place, and points far off the surface were certified (2.145 m for 2.262 m).
#[test]
fn exponents_beside_2_are_normalised_far_off_their_circles() {
    let case = Case {
        a: Shape::new(
            [0.9571473209344541, 0.44708940173375944, 1.0501882338162716],
            [1e-6, 1.9999],
            [0.0; 2],
        ),
        pose_a: pose(
            [
                0.27052233396752823,
                0.509833104289722,
                -0.14979492975694797,
                -0.8027760283006573,
            ],
            [0.0; 3],
        ),
        b: Shape::new(
            [0.6821753694206569, 0.4000446161636902, 0.4978289879087602],
            [1.999, 1.99999],
            [0.0; 2],
        ),
        pose_b: pose(
            [
                0.2705227868971263,
                0.5098331889379876,
                -0.14979434485593737,
                -0.8027759310516945,
            ],
            [
                -2.3690413253278573,
                -2.7574706062953034,
                -0.7765061079526501,
            ],
        ),
    };
    let answer = case.query(&QueryOptions::default());
    // By its own support functions, along a direction near the best: no less is possible.
    let n = Vector3::new(
        -0.7247764325563271,
        -0.6848719194713947,
        0.07516366629223985,
    );
    let (a, b) = (Body::new(case.a), Body::new(case.b));
    let center = case.pose_b.translation.vector - case.pose_a.translation.vector;
    let gap = n.dot(&center)
        - a.support(&case.pose_a.inverse_transform_vector(&n))
        - b.support(&-case.pose_b.inverse_transform_vector(&n));
    assert!((gap - 2.2623590439056).abs() < 1e-9, "{gap}");
    assert!(
        answer.upper > gap - 1e-9 && answer.lower < gap + 1e-9,
        "{answer:?}"
    );
}

/// All poses of a group were checked before any of its pairs was solved, so a later pose was named before
/// an earlier distance beyond the number range.
#[test]
fn the_first_pair_that_is_refused_is_named() {
    use superovoid::{Contact, Pair, PairError, contact_batch};
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::translation(-1.7e308, 0.0, 0.0);
    let there = Isometry3::translation(1.7e308, 0.0, 0.0);
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let pair = |pose_a, pose_b| Pair {
        a: &ball,
        pose_a,
        b: &ball,
        pose_b,
    };
    let fine = pair(&here, &here);
    let far = pair(&here, &there);
    let bad = pair(&nowhere, &here);
    let overflow = QueryError::Overflow;
    let pose = QueryError::NonFinitePose { body: 'A' };
    for (pairs, index, error) in [
        ([fine, far, bad], 1, overflow),
        ([fine, bad, far], 1, pose),
        ([bad, fine, far], 0, pose),
        ([fine, fine, far], 2, overflow),
    ] {
        let mut answers = [Contact::default(); 3];
        let refused = contact_batch(&pairs, &mut answers, &QueryOptions::default());
        assert_eq!(refused, Err(PairError { index, error }));
    }
}

/// Without Newton the witnesses of the cutting planes were lined up with a normal that moved them apart,
/// after their bracket had been found closed: 4.5e-6 wide, and certified.
#[test]
fn lined_up_witnesses_are_certified_by_the_bracket_they_leave() {
    let (a, b) = (
        Superovoid::superellipsoid(
            [0.03252993767261448, 1.084967678894826, 0.03252993767261448],
            [1.8399060691931526, 1.9629214150765624],
        ),
        Superovoid::superellipsoid(
            [0.1681022050904479, 0.1681022050904479, 0.5775929531492762],
            [1.8981808936100562, 1.905594828737921],
        ),
    );
    let (a, b) = (a.expect("valid"), b.expect("valid"));
    let pose_a = pose(
        [
            0.572459119376153,
            -0.6759418872135005,
            -0.11319173376593553,
            -0.45008971679032195,
        ],
        [0.0; 3],
    );
    let pose_b = pose(
        [
            0.0019655035210724655,
            0.23730670160484868,
            0.9432523002335186,
            -0.23228595367243404,
        ],
        [-0.4526350756211323, 0.8034082839344406, -0.4604950858413818],
    );
    let options = QueryOptions {
        max_iterations: 0,
        ..QueryOptions::default()
    };
    let answer = contact(&a, &pose_a, &b, &pose_b, &options, None).expect("an answer");
    let width = answer.upper - answer.lower;
    assert!(
        answer.outcome == Outcome::Certified && width <= 1.1e-9,
        "{answer:?}"
    );
}

/// Boxes that overlap by less than a fifth of their radii, but along a direction beside a better one: the
/// fast depth took the first for the least.
#[test]
fn fast_depth_of_boxes_a_little_way_in_is_the_least() {
    let cases = [
        (
            [0.131, 0.162, 0.045, 0.159],
            [2.016, -1.698, 1.692, 0.031, 0.711, -0.863],
        ),
        (
            [0.186, 0.077, 0.047, 0.04],
            [-2.196, 0.068, -0.335, 1.465, 3.121, -1.397],
        ),
        (
            [0.08, 0.072, 0.064, 0.19],
            [2.253, 1.199, -2.25, 2.782, 0.882, -2.442],
        ),
        (
            [0.109, 0.098, 0.048, 0.055],
            [-3.143, 3.104, 2.504, 0.649, -0.822, 0.961],
        ),
    ];
    for (e, w) in cases {
        let a = Superovoid::superellipsoid([1.0; 3], [e[0], e[1]]).expect("valid");
        let b = Superovoid::superellipsoid([1.0; 3], [e[2], e[3]]).expect("valid");
        let here = Isometry3::new(Vector3::zeros(), Vector3::new(w[0], w[1], w[2]));
        let there = Isometry3::new(Vector3::new(0.0, 2.8, 0.0), Vector3::new(w[3], w[4], w[5]));
        let options = QueryOptions::default();
        let answer = contact(&a, &here, &b, &there, &options, None).expect("valid");
        assert!(answer.distance < 0.0, "{answer:?}");
        let finding = examine(&a, &here, &b, &there, &options, &answer, Effort::THOROUGH);
        let finding = finding.unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(finding.excess < 1e-6, "{}: {answer:?}", finding.excess);
    }
}

/// Boxes near each other whose bound the oracle's search once stopped 2e-13 short of: the bound is right.
#[test]
fn bounds_between_near_boxes_are_not_above_the_best_gap() {
    let cases = [
        (
            (
                [0.742901807120637, 0.6101966692728666, 0.5480869670674465],
                [0.14278905064276656, 0.106175813184551],
            ),
            pose(
                [
                    -0.5309158927330286,
                    -0.8150707179114844,
                    -0.204472506490033,
                    -0.1094487722015734,
                ],
                [-1.4008055904380037, -0.5128276624851633, 1.332197990685934],
            ),
            (
                [2.155831597262905, 0.5309471212240341, 1.0182713295938741],
                [0.07474170746240993, 0.02299385974005857],
            ),
            pose(
                [
                    -0.45280698275233144,
                    -0.7209255195614053,
                    0.43175657575067766,
                    0.29802431261878093,
                ],
                [-2.6380499485900364, -1.0953271487436171, 1.8514028889802554],
            ),
        ),
        (
            (
                [0.5338727670638375, 0.5524548417723629, 0.3202346032363889],
                [0.09690151467038044, 0.15154560164322475],
            ),
            pose(
                [
                    0.048437213167026996,
                    0.33760097001781836,
                    -0.9366431412628438,
                    0.07986893857384483,
                ],
                [-0.6911292031020325, 1.4904728025714906, 1.1405398938284605],
            ),
            (
                [1.5743897937327267, 0.33701149248832946, 0.806083802093169],
                [0.10198041179583386, 0.05592257489536924],
            ),
            pose(
                [
                    0.2837946649886154,
                    0.7014988682968739,
                    -0.31480194822895247,
                    -0.5729394900802882,
                ],
                [-0.7153485570404742, 1.0692652122005766, 1.6454403948361558],
            ),
        ),
    ];
    for ((a, e), pose_a, (b, f), pose_b) in cases {
        let a = Superovoid::superellipsoid(a, e).expect("valid");
        let b = Superovoid::superellipsoid(b, f).expect("valid");
        let answer = contact(&a, &pose_a, &b, &pose_b, &QueryOptions::default(), None);
        let answer = answer.expect("valid");
        assert_eq!(answer.outcome, Outcome::Certified);
        assert_eq!(check(&a, &pose_a, &b, &pose_b, &answer), Ok(()));
    }
}

/// Alone, and in a batch.
fn answers(case: &Case) -> [superovoid::Contact; 2] {
    let (a, b) = (case.a.build(), case.b.build());
    let pair = superovoid::Pair {
        a: &a,
        pose_a: &case.pose_a,
        b: &b,
        pose_b: &case.pose_b,
    };
    let mut found = [superovoid::Contact::default(); 20];
    superovoid::contact_batch(&[pair; 20], &mut found, &QueryOptions::default()).expect("valid");
    [case.query(&QueryOptions::default()), found[13]]
}

fn ellipsoids(a: [f64; 3], pose_a: Isometry3<f64>, b: [f64; 3], pose_b: Isometry3<f64>) -> Case {
    let shape = |a| Shape::new(a, [1.0; 2], [0.0; 2]);
    let (a, b) = (shape(a), shape(b));
    Case {
        a,
        pose_a,
        b,
        pose_b,
    }
}

/// Thin ellipsoids whose own method ends at stationary points that are not the nearest: these were handed on as a start,
/// and the search that had to follow took up to 55 times as long as the method for all bodies, or proved less.
#[test]
fn stationary_points_that_are_not_the_nearest_are_no_start() {
    let (here, turned) = (
        pose(
            [
                -0.055414799513949946,
                -0.7451111581516914,
                -0.6427525018244143,
                -0.16913835576571737,
            ],
            [0.0; 3],
        ),
        pose(
            [
                0.648977808127037,
                0.6843823833391377,
                -0.18951476876564144,
                -0.2730067954344246,
            ],
            [0.001, 0.0, 0.0],
        ),
    );
    let needle = [0.00039691591030843515, 0.00039691591030843515, 1.0];
    let cases = [
        ellipsoids([1.0; 3], here, needle, turned),
        ellipsoids(
            [1.0, 1.0, 0.008938461877366102],
            pose([0.0, 0.0, -1.0, 6.123233995736766e-17], [0.0; 3]),
            [
                0.052751236482333236,
                0.0047959672067368645,
                0.05763564914270304,
            ],
            pose(
                [
                    -0.717302796109299,
                    0.0042487137122805855,
                    -0.574688823853526,
                    0.393943400583667,
                ],
                [
                    0.01587551966398042,
                    -0.025170822484433406,
                    0.052371277214016826,
                ],
            ),
        ),
    ];
    for case in &cases {
        judged(case);
        for answer in answers(case) {
            assert_eq!(answer.outcome, Outcome::Certified, "{answer:?}");
            assert!(answer.iterations < 20, "{answer:?}");
        }
    }
}

/// Centres so near to each other that the square of their distance loses its digits: the direction of the centre line
/// was no unit vector, and the lower bounds along it too high, by up to 1e-3 of the size.
#[test]
fn nearly_the_same_centers_have_no_line() {
    let turned = [
        0.10208095318423847,
        0.5512709334153939,
        0.7656823386893675,
        -0.31529413757236024,
    ];
    let needle = [1.0, 0.01, 0.01];
    let offset = [
        -0.8010248965697169,
        -0.5537338537945559,
        -0.2274597420145023,
    ];
    for power in [-170, -162, -161, -160, -159, -150, -141, -139] {
        let distance = 10.0_f64.powi(power);
        let away = offset.map(|x| x * distance);
        let disc = pose(
            [
                0.7590405006421785,
                0.32344598964084675,
                0.31511782321468645,
                0.4689786430772324,
            ],
            [0.0, 0.0, distance],
        );
        let cases = [
            ellipsoids(
                [0.0005196891120258006, 1.0, 1.0],
                disc,
                [1.0, 1.0, 0.0001],
                Isometry3::identity(),
            ),
            ellipsoids(needle, Isometry3::identity(), needle, pose(turned, away)),
            ellipsoids(
                [1.0; 3],
                Isometry3::identity(),
                [1.0; 3],
                pose(turned, away),
            ),
        ];
        for mut case in cases {
            judged(&case);
            case.pose_b.translation.vector = case.pose_a.translation.vector;
            let same_center = case.query(&QueryOptions::default());
            case.pose_b.translation.vector += Vector3::from(away);
            let options = QueryOptions {
                max_distance: -0.02,
                ..QueryOptions::default()
            };
            for answer in answers(&case).into_iter().chain([case.query(&options)]) {
                let says = || format!("{case:?} {answer:?} {same_center:?}");
                assert!(answer.lower <= same_center.upper, "{}", says());
                assert!((answer.normal.norm() - 1.0).abs() < 1e-14, "{}", says());
            }
        }
    }
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
            let options = QueryOptions {
                tolerance,
                ..QueryOptions::default()
            };
            let answer = case.query(&options);
            assert!(answer.lower <= gap && gap <= answer.upper, "{answer:?}");
            assert_eq!(answer.status(), CollisionStatus::Undecided, "{answer:?}");
        }
    }
}

/// A body 1 long, and a point on its axis.
fn touched_by_a_point(a: Shape, gap: f64, options: &QueryOptions) -> Contact {
    let options = VertexOptions {
        tolerance: options.tolerance,
        depth: options.depth,
        ..VertexOptions::default()
    };
    let point = Point3::new(1.0 + gap, 0.0, 0.0);
    vertex_contact(&a.build(), &Isometry3::identity(), &point, &options).expect("valid")
}

/// Bodies, and points, whose gap along a common axis is known to the last bit. Points inside by less than
/// rounding were called collisions with brackets that hold 0.
#[test]
fn brackets_of_touching_bodies_hold_to_the_last_bit() {
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
            queries.push(QueryOptions {
                tolerance,
                depth,
                ..QueryOptions::default()
            });
        }
        schemes.extend(Scheme::ALL.map(|scheme| SchemeOptions {
            scheme,
            tolerance,
            ..SchemeOptions::default()
        }));
    }
    let mut false_brackets = Vec::new();
    for (i, e) in EXPONENTS.into_iter().enumerate() {
        for e_of_b in EXPONENTS {
            let a = Shape::new([1.0, 0.75, 1.25], [e, EXPONENTS[(i + 3) % 7]], [0.0; 2]);
            let b = Shape::new([0.5, 1.0, 0.875], [e_of_b, e], [0.0; 2]);
            for turn in turns {
                let turned = pose(turn, [0.0; 3]);
                let reach = turned.inverse_transform_vector(&Vector3::x()).abs();
                let reach_of_b = reach.dot(&Vector3::from(b.a));
                for steps in [-64, -9, -2, -1, 0, 1, 2, 5, 9, 64] {
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

/// A polytope, or a point, at a body's centre, or nearly: beyond a negative `max_distance` polytopes had no
/// normal and were left open, and that of bodies 1e-161 apart was no unit vector.
#[test]
fn the_centre_of_a_body_has_a_normal_too() {
    let body = Superovoid::superellipsoid([1.0, 0.7, 0.5], [0.6, 0.8]).expect("valid");
    let options = QueryOptions {
        max_distance: -5.0,
        ..QueryOptions::default()
    };
    let of_points = VertexOptions {
        max_distance: -5.0,
        ..VertexOptions::default()
    };
    let here = Isometry3::identity();
    for away in [0.0, 1e-170, 3e-162, 1e-161, 1e-155, 1e-139] {
        let point = Point3::new(0.0, 0.8 * away, 0.6 * away);
        let there = Isometry3::from(point.coords);
        let segment = Segment::new(Point3::origin(), [0.0; 3].into());
        let segment = segment.expect("finite");
        let answers = [
            polytope_contact(&body, &here, &segment, &there, &options),
            vertex_contact(&body, &here, &point, &of_points),
            contact(&body, &here, &body, &there, &options, None),
        ];
        for answer in answers {
            let answer = answer.expect("valid");
            assert_eq!(answer.outcome, Outcome::Beyond, "{away:e} {answer:?}");
            let length = answer.normal.norm();
            assert!((length - 1.0).abs() < 1e-14, "{away:e} {answer:?}");
            assert!(answer.lower <= -0.5, "{away:e} {answer:?}");
        }
    }
}

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
                let options = QueryOptions {
                    tolerance,
                    depth,
                    ..QueryOptions::default()
                };
                let of_points = VertexOptions {
                    tolerance,
                    depth,
                    ..VertexOptions::default()
                };
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

//! Pairs that were answered wrongly once.

use super::{answers, ellipsoids, judged, pose};
use crate::oracle::body::{Body, Shape};
use crate::oracle::{Effort, check, examine};
use crate::sets::{Case, seeded};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use rand::RngExt;
use superovoid::{Outcome, QueryOptions, Superovoid, contact};

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
    let options = QueryOptions::default().with_max_iterations(0);
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
            let options = QueryOptions::default().with_max_distance(-0.02);
            for answer in answers(&case).into_iter().chain([case.query(&options)]) {
                let says = || format!("{case:?} {answer:?} {same_center:?}");
                assert!(answer.lower <= same_center.upper, "{}", says());
                assert!((answer.normal.norm() - 1.0).abs() < 1e-14, "{}", says());
            }
        }
    }
}

/// About the middle of a body that is 5 to 1,000 times as large all local depths are alike. The search in single precision
/// missed depths along faces there.
#[test]
fn no_face_of_bodies_of_very_different_size_is_less_deep_than_the_answer() {
    let mut rng = seeded(53);
    for _ in 0..1000 {
        let ratio = 10_f64.powf(rng.random_range(0.7..3.0));
        let [large, small] = [ratio, 1.0].map(|size| {
            let axes = [(); 3].map(|()| size * rng.random_range(0.9_f64..1.1).min(1.0));
            let exponents = [(); 2].map(|()| rng.random_range(-0.5_f64..1.0).max(0.02));
            Superovoid::superellipsoid(axes, exponents).expect("valid")
        });
        let offset = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0))
            * 10_f64.powf(rng.random_range(-5.0..-1.0));
        let turn = Vector3::from_fn(|_, _| rng.random_range(-3.0..3.0));
        let turn = UnitQuaternion::from_scaled_axis(if rng.random_bool(0.5) {
            turn
        } else {
            turn * 0.0
        });
        let at = Isometry3::from_parts(offset.into(), turn);
        let here = Isometry3::identity();
        let answer = contact(&large, &here, &small, &at, &QueryOptions::default(), None);
        let distance = answer.expect("valid").distance;
        for k in 0..6 {
            let axis = Vector3::ith(k % 3, 1.0);
            let axis = if k < 3 { axis } else { turn * axis };
            for n in [axis, -axis] {
                let height_a = n.dot(&large.support(&n).point.coords);
                let in_b = turn.inverse() * -n;
                let height_b = in_b.dot(&small.support(&in_b).point.coords);
                let along = n.dot(&offset) - height_a - height_b;
                assert!(
                    along <= distance + 1e-9 * ratio,
                    "{ratio} {n:?}: {along} {distance}"
                );
            }
        }
    }
}

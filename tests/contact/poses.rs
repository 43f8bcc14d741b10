//! Poses from numbers: quaternions of any length and matrices near rotations.

use crate::sets::{any_rotation, seeded};
use nalgebra::{Isometry3, Matrix3, Point3, Quaternion, UnitQuaternion, Vector3};
use rand::RngExt;
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::motion::Motion;
use superovoid::polytope::{Cuboid, polytope_contact};
use superovoid::pose::{PoseError, from_matrix, from_quaternion};
use superovoid::superquadric::Superquadric;
use superovoid::{
    Contact, Pair, QueryOptions, Ray, Superovoid, VertexOptions, contact, contact_batch,
    vertex_contact, vertex_contact_batch,
};

#[test]
fn a_quaternion_of_any_length_but_zero_is_a_rotation() {
    let mut rng = seeded(51);
    for _ in 0..200 {
        let turn = any_rotation(&mut rng);
        let q: [f64; 4] = turn.coords.into();
        for length in [1e-300, 1e-3, 1.0 - 1e-7, 1.0 + 1e-5, 2.0, 1e3, 1e300] {
            let found = from_quaternion([1.0, 2.0, 3.0], q.map(|x| x * length)).expect("a pose");
            assert!((found.rotation.coords.norm() - 1.0).abs() < 4e-16);
            assert!(
                (found.rotation.coords - turn.coords).norm() < 4e-16,
                "{length}"
            );
            // What is of length 1 is kept to the bit.
            let again = from_quaternion([1.0, 2.0, 3.0], found.rotation.coords.into());
            assert_eq!(again, Ok(found));
        }
    }
    let least = f64::from_bits(1);
    let found = from_quaternion([0.0; 3], [0.0, 0.0, least, 0.0]).expect("a half turn");
    assert_eq!(found.rotation.coords.as_slice(), [0.0, 0.0, 1.0, 0.0]);
    assert!(from_quaternion([f64::MAX, f64::MAX, 0.0], [f64::MAX; 4]).is_ok());
}

#[test]
fn numbers_of_no_pose_are_refused() {
    let here = [0.0, 0.0, 0.0, 1.0];
    assert_eq!(
        from_quaternion([0.0; 3], [0.0; 4]),
        Err(PoseError::NoRotation)
    );
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            from_quaternion([0.0, bad, 0.0], here),
            Err(PoseError::NotFinite)
        );
        assert_eq!(
            from_quaternion([0.0; 3], [0.0, bad, 0.0, 1.0]),
            Err(PoseError::NotFinite)
        );
    }
    let rows = |m: Matrix3<f64>| [0, 1, 2].map(|i| [0, 1, 2].map(|k| m[(i, k)]));
    let refused = |m: Matrix3<f64>| from_matrix([0.0; 3], rows(m)).expect_err("no rotation");
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0));
    assert_eq!(refused(mirror), PoseError::Mirrors);
    for wrong in [Matrix3::zeros(), Matrix3::identity() * 1.0001] {
        assert!(matches!(refused(wrong), PoseError::NotOrthonormal { .. }));
    }
    assert_eq!(refused(Matrix3::repeat(f64::NAN)), PoseError::NotFinite);
}

/// The nearest rotation is the orthogonal factor of the singular value decomposition.
#[test]
fn a_matrix_that_is_a_little_off_is_the_nearest_rotation() {
    let mut rng = seeded(52);
    for _ in 0..200 {
        let matrix = any_rotation(&mut rng).to_rotation_matrix().into_inner();
        let off = 10f64.powf(rng.random_range(-9.0..-4.7));
        let rough = matrix.map(|x| x + off * rng.random_range(-1.0..1.0));
        let svd = rough.svd(true, true);
        let nearest = svd.u.expect("asked for") * svd.v_t.expect("asked for");
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| rough[(i, k)]));
        let found = from_matrix([0.0; 3], rows).expect("is near");
        let found = found.rotation.to_rotation_matrix().into_inner();
        assert!((found - nearest).amax() < 1e-14, "{off}");
    }
}

#[test]
fn a_motion_is_made_again_from_its_numbers() {
    let mut rng = seeded(53);
    for _ in 0..200 {
        let vector = |rng: &mut rand_chacha::ChaCha8Rng| {
            Vector3::from([0; 3].map(|_| rng.random_range(-2.0..2.0)))
        };
        let turn: UnitQuaternion<f64> = any_rotation(&mut rng);
        let start = nalgebra::Isometry3::from_parts(vector(&mut rng).into(), turn);
        let (v, w, c) = (vector(&mut rng), vector(&mut rng), vector(&mut rng));
        for motion in [
            Motion::screw(start, v, w),
            Motion::line_spin_about(start, c.into(), v, w),
            Motion::still(start),
        ] {
            let motion = motion.expect("valid");
            assert_eq!(Motion::from_numbers(&motion.to_numbers()), Ok(motion));
        }
    }
    assert!(Motion::from_numbers(&[0.0; 16]).is_err());
}

/// A rotation may be off its length by a millionth, as one of single precision is by a ten-millionth: it turns, and makes no
/// body larger or smaller, whichever query is asked.
#[test]
fn rotations_that_are_a_little_off_their_length_only_turn() {
    let mut rng = seeded(54);
    let (options, near) = (QueryOptions::default(), VertexOptions::default());
    let egg = Superovoid::new([1.0, 0.8, 0.9], [0.3, 0.5], [0.4, -0.2]).unwrap();
    let can = Superovoid::superellipsoid([0.5, 0.5, 1.0], [0.1, 1.0]).unwrap();
    let ball = Superovoid::sphere(0.7).unwrap();
    let ring = Superquadric::toroid([0.3; 3], [1.0, 1.0], 3.0).unwrap();
    let [box_a, box_b] =
        [[1.0, 0.5, 0.2], [0.3, 0.8, 0.6]].map(|h| ConvexShape::cuboid(h).unwrap());
    let brick = Cuboid::new([0.5, 0.4, 0.3]).unwrap();
    for k in 0..60 {
        let turns = [any_rotation(&mut rng), any_rotation(&mut rng)];
        let at = Vector3::from([0; 3].map(|_| rng.random_range(-1.5..1.5)));
        let length = 1.0 + 9e-7 * rng.random_range(-1.0..1.0);
        let off = |q: UnitQuaternion<f64>| Quaternion::from_vector(q.coords * length);
        let poses = [true, false].map(|exact| {
            [0, 1].map(|i| {
                let q = if exact {
                    turns[i]
                } else {
                    UnitQuaternion::new_unchecked(off(turns[i]))
                };
                Isometry3::from_parts((at * i as f64).into(), q)
            })
        });
        let point = Point3::from(at * 1.3);
        let answers = poses.map(|[a, b]| {
            let mut found = Vec::<Contact>::new();
            for (x, y) in [(&egg, &can), (&can, &egg), (&ball, &egg), (&ball, &ball)] {
                found.push(contact(x, &a, y, &b, &options, None).unwrap());
            }
            let pairs = [(&egg, &can), (&can, &ball), (&egg, &egg)];
            let pairs = pairs.map(|(x, y)| Pair {
                a: x,
                pose_a: &a,
                b: y,
                pose_b: &b,
            });
            let mut lanes = [found[0]; 3];
            contact_batch(&pairs, &mut lanes, &options).unwrap();
            found.extend(lanes);
            found.push(polytope_contact(&egg, &a, &brick, &b, &options).unwrap());
            found.push(convex_contact(&box_a, &a, &box_b, &b, &options).unwrap());
            found.push(ring.contact(&a, &egg.into(), &b, &options).unwrap());
            found.push(ring.point_contact(&a, &point, &near).unwrap());
            found.push(vertex_contact(&egg, &b, &point, &near).unwrap());
            let mut batch = [found[0]; 2];
            vertex_contact_batch(&egg, &b, &[point, point], &mut batch, &near).unwrap();
            found.extend(batch);
            let ray = Ray {
                origin: Point3::from(at * 3.0),
                direction: -at,
            };
            let hit = egg.ray_cast(&a, &ray, 4.0, true).unwrap();
            (found, hit.map(|hit| hit.time_of_impact))
        });
        let [(exact, hit), (rough, rough_hit)] = &answers;
        for (i, (x, y)) in exact.iter().zip(rough).enumerate() {
            let away = (x.point_a - y.point_a)
                .norm()
                .max((x.point_b - y.point_b).norm());
            assert!(
                (x.distance - y.distance).abs() < 1e-9 && away < 1e-5,
                "{k} {i}: {x:?} {y:?}"
            );
        }
        assert!((hit.unwrap() - rough_hit.unwrap()).abs() < 1e-9, "{k}");
    }
}

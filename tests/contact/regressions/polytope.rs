//! Polytopes that were answered wrongly once.

use super::pose;
use crate::oracle::body::Shape;
use crate::polytope::{Case, Kind, THOROUGH, judge};
use nalgebra::Vector3;
use superovoid::{CollisionStatus, Outcome, QueryOptions};

/// Segments through the skin of pointed bodies, less than 2e-8 deep. The witnesses missed the segment by more than
/// rounding, so that none was accepted as the common point which proves the overlap, and the answer was left open. The
/// point of the segment that is nearest to a witness is one.
#[test]
fn segments_through_the_skin_of_pointed_bodies_are_proven_to_overlap() {
    let cases = [
        (
            Shape::new(
                [0.8782328330123779, 0.2931068729198887, 0.2119587119272273],
                [0.16267394758912512, 1.902139559074289],
                [-0.0630180159413853, 0.08917827643486109],
            ),
            pose(
                [
                    0.16296655525398468,
                    -0.29501497996241255,
                    -0.7609282723100077,
                    -0.5544332492426244,
                ],
                [-0.5530170762179767, -0.7302527181007221, 0.4011272629949603],
            ),
            [
                [
                    -0.23944507060653003,
                    0.41040969892799584,
                    -0.42455172181134837,
                ],
                [0.5695955473599157, -0.3368733328616532, 0.16769158206779844],
            ],
            pose(
                [
                    0.3918139540701032,
                    -0.6954649997402956,
                    -0.4497248903468717,
                    0.4006966215663367,
                ],
                [-0.42631793969303533, -1.5258297478115876, 0.377132207692657],
            ),
        ),
        (
            Shape::new(
                [0.8538599267502456, 0.2486198348163248, 0.3564992820186074],
                [1.927288393055364, 1.0],
                [-0.1231194313733045, 0.23583136217982326],
            ),
            pose(
                [
                    -0.5004901739140618,
                    -0.14747033845970497,
                    -0.8506265109549508,
                    -0.06478135496158861,
                ],
                [
                    -0.43222050817266155,
                    -0.23836347339429162,
                    -0.8696943640534731,
                ],
            ),
            [
                [
                    -0.0878446106215931,
                    0.059054384516238546,
                    0.5355772385935086,
                ],
                [
                    0.2987829296105457,
                    0.030639734375943372,
                    -0.24546574273311428,
                ],
            ],
            pose(
                [
                    -0.9038571536295408,
                    0.2379735534912023,
                    -0.32662304646712476,
                    0.14045717919711104,
                ],
                [-0.5033902762355362, -0.5195566066203792, -1.121885577829726],
            ),
        ),
    ];
    for (shape, pose, ends, body_pose) in cases {
        let body = Kind::Segment(ends.map(Vector3::from));
        let case = Case {
            shape,
            pose,
            body,
            body_pose,
        };
        let options = QueryOptions::default();
        let found = case.query(&options);
        assert_eq!(found.outcome, Outcome::Certified, "{found:?}");
        assert_eq!(found.status(), CollisionStatus::Collision, "{found:?}");
        judge(&case, &options, &found, THOROUGH).unwrap_or_else(|e| panic!("{e}"));
    }
}

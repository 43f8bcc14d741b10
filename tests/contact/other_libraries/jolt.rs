//! The cases of Jolt: EPATests, GJKTests, RayAABoxTests, CollideShapeTests, CollidePointTests, CastShapeTests, RayShapeTests,
//! ConvexVsTrianglesTest.

use super::{
    Cases, Cast, O, Pose, Solid, X, Y, Z, at, ball, boxes, capsule, closed, corners, cuboid,
    cylinder, hull, point, posed, quaternion, scaled, surface, triangle, turned, upright, vector,
};
use nalgebra::{Matrix3, Point3, UnitQuaternion};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, PI};

/// The box between two corners, about its centre.
fn between([min, max]: [[f64; 3]; 2]) -> (Solid, Pose) {
    let (min, max) = (vector(min), vector(max));
    (
        cuboid((0.5 * (max - min)).into()),
        (0.5 * (min + max)).into(),
    )
}

/// EPATests, GJKTests, CollideShapeTests and ConvexVsTrianglesTest.
#[test]
fn contacts_of_jolt() {
    let mut cases = Cases::default();
    // Spheres and boxes: the distance of the centre from the face, edge or corner, less the radius.
    let wide = between([[-2.0, -3.0, -4.0], [2.0, 3.0, 4.0]]);
    let column = between([[1.0, 1.0, -2.0], [2.0, 2.0, 2.0]]);
    let cube = between([[1.0; 3], [2.0; 3]]);
    let (edge, corner) = (8f64.sqrt(), 12f64.sqrt());
    for ((solid, pose), place, radius, distance, normal) in [
        (&wide, [4.0, 0.0, 0.0], 1.99, 0.01, X),
        (&wide, [4.0, 0.0, 0.0], 2.01, -0.01, X),
        (&wide, [3.0, 0.0, 0.0], 2.0, -1.0, X),
        (&column, [4.0, 4.0, 0.0], edge - 0.01, 0.01, [1.0, 1.0, 0.0]),
        (
            &column,
            [4.0, 4.0, 0.0],
            edge + 0.01,
            -0.01,
            [1.0, 1.0, 0.0],
        ),
        (&cube, [4.0; 3], corner - 0.01, 0.01, [1.0; 3]),
        (&cube, [4.0; 3], corner + 0.01, -0.01, [1.0; 3]),
    ] {
        contacts! { cases:
            "EPASphereBox", (solid, *pose), (&ball(radius), at(place)) => distance, normal;
        }
    }
    // Spheres: the distance of the centres less the radii.
    let place = at([1.0, 2.0, 3.0]);
    contacts! { cases:
        "EPASphereSphereOverlapping", (&ball(2.0), place), (&ball(2.0), place) => -4.0, None;
        "EPASphereSphereNearOverlapping", (&ball(2.0), place), (&ball(1.8), at([1.1, 2.0, 3.0])) => 0.1 - 3.8, X;
    }
    let unit = ball(1.0);
    contacts! { cases:
        "GJKIntersectSphere", (&unit, at(O)), (&unit, at([10.0; 3])) => 300f64.sqrt() - 2.0, [1.0; 3];
    }
    let touching = at([2.0 / 3f64.sqrt(); 3]);
    contacts! { cases:
        "GJKIntersectSphere", (&unit, at(O)), (&unit, touching) => 0.0, [1.0; 3];
    }
    for (a, b) in [
        ([10.0, 11.0, 12.0], [13.0, 11.0, 12.0]),
        ([10.0, 21.0, 12.0], [13.0, 22.0, 12.0]),
        ([10.0, 11.0, 12.0], [13.0, 22.0, 12.0]),
    ] {
        let between = vector(b) - vector(a);
        let distance = between.norm() - 3.5;
        contacts! { cases:
            "CollideShapeSphere", (&ball(2.0), at(a)), (&ball(1.5), at(b)) => distance, <[f64; 3]>::from(between);
        }
    }
    // A tower whose top is at 1 + 10, the centre of the sphere on it.
    let tower = (cuboid([10.0, 1.0, 1.0]), posed(Y, turned(Z, FRAC_PI_2)));
    contacts! { cases:
        "CollideShapeSphereVsBox", (&unit, at([0.0, 11.0, 0.0])), (&tower.0, tower.1) => -1.0, [0.0, -1.0, 0.0];
    }

    // A box through the segment inside a capsule that is 100 times longer.
    let (block, _) = between([[-1.0, -2.0, 0.5], [2.0, -0.5, 3.0]]);
    let axes = Matrix3::new(
        0.516170502,
        0.815010250,
        -0.263298869,
        -0.803887904,
        0.354940295,
        -0.477264702,
        -0.295520246,
        0.458012700,
        0.838386655,
    );
    let block_at = posed(
        [-10.2214508, -18.6808319, 40.7468987],
        UnitQuaternion::from_matrix(&axes),
    );
    let lying = quaternion([0.5, 0.5, -0.5, -0.5]) * upright();
    let capsule_at = posed([-9.68538570, -18.0328083, 41.3212280], lying);
    let depth = cases.by_axes(
        "LongCapsuleVsEmbeddedBox",
        (&capsule(1.5, 75.0), capsule_at),
        (&block, block_at),
    );
    assert!(depth < 0.0, "{depth}");
    // A triangle of a third of a metre close to a box of 600.
    let box_corners = [
        [125.932892, -374.712250, 364.192169],
        [319.492218, -73.2614441, 475.009613],
        [-122.277550, -152.200287, 192.441437],
        [71.2817841, 149.250519, 303.258881],
        [-77.8921967, -359.410797, 678.579712],
        [115.667137, -57.9600067, 789.397095],
        [-326.102631, -136.898834, 506.828949],
        [-132.543304, 164.551971, 617.646362],
    ];
    let small = triangle([
        [-81.5637589, -126.987244, -146.771729],
        [-81.8749924, -127.270691, -146.544403],
        [-81.6972275, -127.383545, -146.773254],
    ]);
    let apart = cases.by_axes(
        "SmallTriangleVsLargeBox",
        (&small, at(O)),
        (&hull(&box_corners), at(O)),
    );
    assert!(apart > 0.0, "{apart}");
    // Triangles that are parallel to the axis of a capsule but for a millionth.
    for (number, radius, half, corners) in [
        (
            1,
            0.37,
            0.5,
            [
                [-0.479988575, -1.36185002, 0.269966960],
                [-0.104996204, 0.388152480, 0.269967079],
                [-0.104996204, -1.36185002, 0.269966960],
            ],
        ),
        (
            2,
            0.42,
            0.675,
            [
                [-0.0904417038, -4.72410202, 0.307858467],
                [-0.0904417038, 5.27589798, 0.307857513],
                [9.90955830, 5.27589798, 0.307864189],
            ],
        ),
        (
            3,
            0.5,
            0.649999976,
            [
                [-0.474807739, 17.2921791, 0.212532043],
                [-0.474807739, -2.70782185, 0.212535858],
                [-0.857490540, -2.70782185, -0.711341858],
            ],
        ),
    ] {
        let standing = (&capsule(radius, half), posed(O, upright()));
        let distance = cases.by_axes(
            "ParallelTriangleVsCapsule",
            standing,
            (&triangle(corners), at(O)),
        );
        assert_eq!(distance < 0.0, number < 3, "{number} {distance}");
    }
    // Issue 1008: a cylinder beside the edge of a parallel triangle, across which it is 20 mm and 249 mm away.
    let edge = [-42.7954292, 12.4227943];
    let sheet = triangle([
        [edge[0], -0.647318780, edge[1]],
        [-29.9111290, -0.647318780, edge[1]],
        [edge[0], -4.86970234, edge[1]],
    ]);
    let drum = posed([-42.8155518, -4.32299995, 12.1734285], upright());
    let across = [edge[0] + 42.8155518, 0.0, edge[1] - 12.1734285];
    let distance = vector(across).norm() - 0.25;
    assert!(distance > 0.0 && distance < 2e-4);
    contacts! { cases:
        "ParallelTriangleVsCylinder", (&cylinder(0.25, 0.85), drum), (&sheet, at(O)) => distance, across;
    }
    // A box half a millimetre above a slab, both of them turned.
    let slab = hull(&corners([[-2.5, -0.25, -1.5], [2.5, 0.25, 1.5]]));
    for k in 0..25 {
        let turn = posed(O, turned(Y, f64::from(k) * FRAC_PI_4 / 3.0));
        let above = turn * posed([0.1, 1.0005, -0.5], turned(Y, -FRAC_PI_4));
        let down = [0.0, -1.0, 0.0];
        contacts! { cases:
            "BoxVsConvexHullNoConvexRadius", (&cuboid([0.25, 0.75, 0.375]), above), (&slab, turn) => 5e-4, down;
        }
    }
    // Discussion 1379: a sphere beside a box of 10, and a triangle at x = −0.1 across one, from 11 deep to far apart.
    let block = cuboid([10.0; 3]);
    let sheet = triangle([[-0.1, -10.0, 10.0], [-0.1, -10.0, -10.0], [-0.1, 10.0, 0.0]]);
    for x in [
        0.0, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1000.0, 5000.0, 10000.0,
    ] {
        let place = at([x, 0.0, 0.0]);
        let normal = if x > 0.0 { Some(X) } else { None };
        contacts! { cases:
            "BoxVsSphereLargeSeparationDistance", (&block, at(O)), (&unit, place) => x - 11.0, normal;
            "TriangleVsBoxLargeSeparationDistance", (&sheet, at(O)), (&block, place) => x - 9.9, X;
        }
    }
    // The tip of a triangle 10 mm below another one.
    let floor = triangle([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
    let tip = triangle([[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, -0.01, 0.0]]);
    contacts! { cases:
        "CollideTriangleVsTriangle", (&floor, at(O)), (&tip, at(O)) => -0.01, Y;
    }

    // A sphere and a triangle: above and below, beside its edges and before its corners, a millionth above its plane.
    let (sheet, half) = (triangle([O, [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]]), ball(0.5));
    let mut ask = |place: [f64; 3], nearest: [f64; 3]| {
        let towards = vector(nearest) - vector(place);
        let distance = towards.norm() - 0.5;
        contacts! { cases:
            "ConvexVsTriangles", (&half, at(place)), (&sheet, at(O)) => distance, <[f64; 3]>::from(towards);
        }
    };
    for height in [0.6, 1.1, -0.6, -1.1, 0.1, -0.1] {
        ask([1.0, height, 1.0], [1.0, 0.0, 1.0]);
    }
    let (tenth, up) = (0.1 * FRAC_1_SQRT_2, 1e-6);
    for (nearest, [x, z]) in [
        ([0.0, 0.0, 2.0], [-0.1, 0.0]),
        ([2.0, 0.0, 2.0], [tenth, tenth]),
        ([2.0, 0.0, 0.0], [0.0, -0.1]),
        (O, [-tenth, -tenth]),
        ([0.0, 0.0, 4.0], [-tenth, tenth]),
        ([4.0, 0.0, 0.0], [tenth, -tenth]),
    ] {
        ask([nearest[0] + x, up, nearest[2] + z], nearest);
    }
    cases.done(81);
}

/// CollidePointTests: points a hundredth inside and outside.
#[test]
fn points_of_jolt() {
    let mut cases = Cases::default();
    let half = [0.1, 0.2, 0.3];
    let offset = [10.0, 11.0, 12.0];
    let turned_by = turned([1.0, 2.0, 3.0], 0.3 * PI);
    let axes = |k: usize, sign: f64| {
        let mut axis = O;
        axis[k] = sign;
        axis
    };
    // Boxes: of 1 % of half their edge from a face.
    for (solid, pose, half) in [
        (cuboid(half), at(O), half),
        (hull(&corners([scaled(half, -1.0), half])), at(offset), half),
        (
            hull(&corners([[9.9, 10.8, 11.7], [10.1, 11.2, 12.3]])),
            at(O),
            half,
        ),
        (cuboid(half), posed(offset, turned_by), half),
        (cuboid([0.2, 0.6, 1.2]), at(O), [0.2, 0.6, 1.2]),
    ] {
        let middle = if solid.size()[1] > 10.0 { offset } else { O };
        let place = |x: [f64; 3]| {
            at((pose * Point3::from(vector(middle) + vector(x)))
                .coords
                .into())
        };
        contacts! { cases:
            "CollidePointVsBox", (&solid, pose), (&point(), place(O)) => -half[0], None;
        }
        for (k, sign) in (0..3).flat_map(|k| [(k, -1.0), (k, 1.0)]) {
            for share in [0.99, 1.01] {
                let x = axes(k, sign * share * half[k]);
                let normal = pose.rotation * vector(axes(k, sign));
                let distance = (share - 1.0) * half[k];
                contacts! { cases:
                    "CollidePointVsBox", (&solid, pose), (&point(), place(x)) => distance, <[f64; 3]>::from(normal);
                }
            }
        }
    }
    // Round bodies: from the ends, the sides, and the side at the height of the ends of the axis.
    let bodies = [ball(0.1), capsule(0.1, 0.2), cylinder(0.1, 0.2)];
    for (solid, end) in bodies.iter().zip([0.1, 0.3, 0.2]) {
        let stands = posed(O, upright());
        cases.around(
            "CollidePointVsSphere, Capsule, Cylinder",
            (solid, stands),
            (&point(), at(O)),
            -0.1,
        );
        for share in [0.99, 1.01] {
            for sign in [-1.0, 1.0] {
                for (k, reach) in [(0, 0.1), (1, end), (2, 0.1)] {
                    let place = axes(k, sign * share * reach);
                    let distance = (share - 1.0) * reach;
                    contacts! { cases:
                        "CollidePointVsSphere, Capsule, Cylinder", (solid, stands),
                            (&point(), at(place)) => distance, axes(k, sign);
                    }
                }
            }
        }
    }
    // Beside the end of the capsule's axis, and beside the rim of the cylinder by 1 % of 0.1 and of 0.2.
    let side = [0.099, 0.2, 0.0];
    contacts! { cases:
        "CollidePointVsCapsule", (&bodies[1], posed(O, upright())), (&point(), at(side)) => -0.001, X;
    }
    let rim = [0.099, 0.198, 0.0];
    contacts! { cases:
        "CollidePointVsCylinder", (&bodies[2], posed(O, upright())), (&point(), at(rim)) => -0.001, X;
    }
    // A grid of cubes of half an edge of 0.2. The depth in a mesh that need not be convex is called converged.
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let digit = |k: i32| f64::from(k % 3 - 1);
    let grid: Vec<_> = (0..27)
        .map(|k| [digit(k), digit(k / 3), digit(k / 9)])
        .collect();
    let vertices = grid
        .iter()
        .flat_map(|center| corners([-0.2, 0.2].map(|h| center.map(|x| x + h))));
    let quads = (0..27).flat_map(|k| faces.map(|face| face.map(|corner| 8 * k + corner)));
    let triangles: Vec<_> = quads
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    let mesh = closed(&vertices.collect::<Vec<_>>(), &triangles);
    for center in grid.iter().step_by(2) {
        cases.around(
            "CollidePointVsMesh",
            (&mesh, at(O)),
            (&point(), at(*center)),
            -0.2,
        );
        for (k, sign) in (0..3).flat_map(|k| [(k, -1.0), (k, 1.0)]) {
            let mut place = *center;
            place[k] += 0.4 * sign;
            contacts! { cases:
                "CollidePointVsMesh", (&mesh, at(O)), (&point(), at(place)) => 0.2, axes(k, sign);
            }
        }
    }
    cases.done(204);
}

/// CastShapeTests.
#[test]
fn casts_of_jolt() {
    let mut cases = Cases::default();
    let (fifth, unit) = (ball(0.2), ball(1.0));
    // Spheres, from −10 by 20 past at 2.1, to touch at −2, and from within.
    casts! { cases:
        "EPACastSphereSphereMiss", (&unit, at([-10.0, 2.1, 0.0])), [20.0, 0.0, 0.0], (&unit, at(O)), O => Cast::Free;
        "EPACastSphereSphereHit", (&unit, at([-10.0, 0.0, 0.0])), [20.0, 0.0, 0.0], (&unit, at(O)),
            O => Cast::Hit(0.4);
    }
    let overlapping = Cast::Overlapping;
    casts! { cases:
        "EPACastSphereSphereInitialOverlap", (&unit, at([-1.0, 0.0, 0.0])), [10.0, 0.0, 0.0], (&unit, at(O)),
            O => overlapping;
    }
    // A triangle: its faces, its edges, across them, and its corners; the sphere's centre ends there.
    let sheet = triangle([[50.0, 25.0, 0.0], [-50.0, 25.0, 0.0], [0.0, -25.0, 0.0]]);
    for side in [-1.0, 1.0] {
        let (from, by) = (at([0.0, 0.0, 15.0 * side]), [0.0, 0.0, -30.0 * side]);
        casts! { cases:
            "CastSphereTriangle", (&fifth, from), by, (&sheet, at(O)), O => Cast::Hit(14.8 / 30.0);
        }
    }
    let from = at([0.0, 0.0, -0.1]);
    casts! { cases:
        "CastSphereTriangle", (&fifth, from), [0.0, 0.0, 15.0], (&sheet, at(O)), O => Cast::Overlapping;
    }
    contacts! { cases:
        "CastSphereTriangle", (&fifth, from), (&sheet, at(O)) => -0.1, Z;
    }
    for (end, by) in [
        ([50.0, 25.0, 0.0], [-10.0, -10.0, 0.0]),
        ([-50.0, 25.0, 0.0], [10.0, -10.0, 0.0]),
        ([0.0, -25.0, 0.0], [0.0, 10.0, 0.0]),
        ([0.0, 25.0, 0.0], [0.0, -10.0, 0.0]),
        ([-25.0, 0.0, 0.0], [10.0, 10.0, 0.0]),
        ([25.0, 0.0, 0.0], [-10.0, 10.0, 0.0]),
    ] {
        let start = vector(end) - vector(by);
        let hit = Cast::Hit(1.0 - 0.2 / vector(by).norm());
        casts! { cases:
            "CastSphereTriangle", (&fifth, start.into()), by, (&sheet, at(O)), O => hit;
        }
    }
    // Ten slabs of 0.2 side by side, from both ends, and from within: the deepest way out is that of the sixth, 1.05 to the left.
    let slab = |k: u32| {
        [
            [0.2 * f64::from(k), -2.0, -2.0],
            [0.2 * f64::from(k + 1), 2.0, 2.0],
        ]
    };
    let slabs = boxes(&(0..10).map(slab).collect::<Vec<_>>());
    for (x, by, hit) in [(-5.0, 10.0, 4.0 / 10.0), (5.0, -10.0, 2.0 / 10.0)] {
        let name = "CastShapePenetrationDepthOrdering";
        casts! { cases:
            name, (&unit, at([x, 0.0, 0.0])), [by, 0.0, 0.0], (&slabs, at(O)), O => Cast::Hit(hit);
        }
    }
    contacts! { cases:
        "CastShapePenetrationDepthOrdering", (&unit, at([1.05, 0.0, 0.0])), (&slabs, at(O)) => -1.05, X;
    }
    // A capsule 0.9 deep in a grid of triangles.
    let step = |k: u32| 0.1 * f64::from(k) - 0.5;
    let vertices: Vec<_> = (0..121)
        .map(|k| [step(k % 11), 0.0, step(k / 11)])
        .collect();
    let cells = (0..10).flat_map(|z| (0..10).map(move |x| 11 * z + x));
    let triangles: Vec<_> = cells
        .flat_map(|k| [[k, k + 11, k + 12], [k, k + 12, k + 1]])
        .collect();
    let grid = surface(&vertices, &triangles);
    let standing = posed([0.0, 2.1, 0.0], upright());
    contacts! { cases:
        "DeepestPenetrationAtFraction0", (&capsule(1.0, 2.0), standing), (&grid, at(O)) => -0.9, None;
    }
    // Issue 886: a triangle without an area, 2.4 away.
    let line = triangle([
        [14.5536213, 10.5973721, -0.00600051880],
        [14.5536213, 10.5969315, -3.18638134],
        [14.5536213, 10.5969315, -5.18637228],
    ]);
    let from = at([14.8314590, 8.19055080, -4.30825043]);
    let by = [-0.0988006592, 5.96046448e-08, 0.000732421875];
    casts! { cases:
        "CastSphereVsDegenerateTriangle", (&fifth, from), by, (&line, at(O)), O => Cast::Free;
    }
    // Slabs from −0.5 to 0.5 and from 0.5 to 1.5.
    let slab = |k: u32| {
        [
            [0.1 * f64::from(k) - 0.5, -0.5, -0.5],
            [0.1 * f64::from(k) - 0.4, 0.5, 0.5],
        ]
    };
    let slabs = boxes(&(0..20).map(slab).collect::<Vec<_>>());
    for (x, by) in [(-1.0, 3.0), (2.0, -3.0)] {
        let name = "ClosestHitPerBodyCollisionCollector";
        casts! { cases:
            name, (&ball(0.1), at([x, 0.0, 0.0])), [by, 0.0, 0.0], (&slabs, at(O)), O => Cast::Hit(0.4 / 3.0);
        }
    }
    // A square on a box, that moves into it.
    let block = hull(&corners([[-5.0, -5.0, -1.0], [5.0, 5.0, 1.0]]));
    let square = hull(&[
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ]);
    casts! { cases:
        "Cast2DBoxVsBox", (&square, at(Z)), [0.0, 0.0, -10.0], (&block, at(O)), O => Cast::Hit(0.0);
    }
    // A sphere of 2 at 14 that falls by 0.8, and counts as touching half a metre above the tower and the edge of a triangle.
    let tower = (cuboid([10.0, 1.0, 1.0]), posed(Y, turned(Z, FRAC_PI_2)));
    let sheet = (
        triangle([[50.0, 10.0, 0.0], [-50.0, 10.0, 0.0], [0.0, 10.0, 50.0]]),
        at(Y),
    );
    for (other, place) in [tower, sheet] {
        let falling = at([0.0, 14.0, 0.0]);
        let hit = Cast::Hit(0.5 / 0.8);
        cases.cast_at(
            "CastShapeExtraConvexRadius",
            (&ball(2.0), falling),
            [0.0, -0.8, 0.0],
            (&other, place),
            O,
            hit,
            0.5,
        );
        casts! { cases:
            "CastShapeSphereVsBox", (&unit, at([0.0, 11.0, 0.0])), Y, (&other, place), O => Cast::Overlapping;
        }
    }
    let (cube, plate) = (cuboid([0.5; 3]), cuboid([1.5, 0.5, 1.5]));
    let low = at([0.01, 0.95, 0.0]);
    casts! { cases:
        "CastShapeInitiallyIntersecting", (&cube, low), [0.0, -0.5, 0.0], (&plate, at(O)), O => Cast::Overlapping;
    }
    contacts! { cases:
        "CastShapeInitiallyIntersecting", (&cube, low), (&plate, at(O)) => -0.05, [0.0, -1.0, 0.0];
    }
    cases.done(27);
}

/// RayAABoxTests and RayShapeTests.
#[test]
fn rays_of_jolt() {
    let mut cases = Cases::default();
    let cube = cuboid([1.0; 3]);
    for axis in [X, Y, Z] {
        for sign in [-1.0, 1.0] {
            let here = (&cube, at(O));
            let (out, inwards) = (scaled(axis, 1.1 * sign), scaled(axis, -sign));
            rays! { cases:
                "RayAABox", here, O, inwards => Cast::Overlapping;
                "RayAABox", here, out, inwards => Cast::Hit(0.1);
                "RayAABox", here, out, scaled(axis, sign) => Cast::Free;
            }
        }
    }
    rays! { cases:
        "RayAABox", (&cube, at(O)), [-0.492, 1.492, 0.0], [4.0, -4.0, 0.0] => Cast::Hit(0.123);
    }
    // Lines through two points of the surface, from both sides: before it, up to a tenth inside, through, from a tenth before the
    // end to beyond it, and beyond it.
    let block = [[-2.0, -4.0, -6.0], [3.0, 5.0, 7.0]];
    let wide = block.map(|[x, y, z]| [2.0 * x, 3.0 * y, 4.0 * z]);
    let flipped = [[-6.0, -12.0, -24.0], [4.0, 15.0, 28.0]];
    let axes = |solid: Solid, rotation, [low, high]: [[f64; 3]; 2]| {
        let ends = [0, 1, 2].map(|k| {
            [low, high].map(|x| {
                let mut end = O;
                end[k] = x[k];
                end
            })
        });
        (solid, rotation, ends)
    };
    let none = UnitQuaternion::identity();
    for (solid, rotation, lines) in [
        axes(
            cuboid([2.0, 3.0, 4.0]),
            none,
            [[-2.0, -3.0, -4.0], [2.0, 3.0, 4.0]],
        ),
        axes(ball(2.0), none, [[-2.0; 3], [2.0; 3]]),
        axes(hull(&corners(block)), none, block),
        axes(
            capsule(2.0, 4.0),
            upright(),
            [[-2.0, -6.0, -2.0], [2.0, 6.0, 2.0]],
        ),
        axes(
            cylinder(2.0, 4.0),
            upright(),
            [[-2.0, -4.0, -2.0], [2.0, 4.0, 2.0]],
        ),
        axes(hull(&corners(wide)), none, wide),
        axes(hull(&corners(flipped)), none, flipped),
    ] {
        let frame = posed([2.0, 3.0, 4.0], turned(X, FRAC_PI_4));
        let body = (&solid, frame * posed(O, rotation));
        for [a, b] in lines.into_iter().flat_map(|[a, b]| [[a, b], [b, a]]) {
            let [a, b] = [a, b].map(|x| (frame * Point3::from(x)).coords);
            let along = b - a;
            for (from, to, expected) in [
                (-2.0, -0.1, Cast::Free),
                (-0.1, 0.1, Cast::Hit(0.5)),
                (-0.1, 1.1, Cast::Hit(0.1 / 1.2)),
                (0.9, 1.1, Cast::Overlapping),
                (1.1, 3.0, Cast::Free),
            ] {
                let start = (a + along * from).into();
                rays! { cases:
                    "TestRayHelper", body, start, (along * (to - from)).into() => expected;
                }
            }
        }
    }
    let block = hull(&corners(block));
    for y in [-5.0, 0.0, 6.0] {
        rays! { cases:
            "ConvexHullShapeRay", (&block, at(O)), [-3.0, y, 0.0], Y => Cast::Free;
        }
    }
    cases.done(232);
}

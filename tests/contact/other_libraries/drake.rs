//! The cases of Drake: tests of geometry/proximity.

use super::{
    Cases, DOWN, O, Solid, Vec3, X, Y, Z, at, ball, box_hull, capsule, closed, cuboid, cylinder,
    ellipsoid, half_space, point, posed, scaled, triangle, turned, vector,
};
use nalgebra::{Point3, UnitQuaternion};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};

/// Three numbers of −1, 0 and 1, not all 0.
fn signs() -> impl Iterator<Item = [f64; 3]> {
    let digit = |k: i32| f64::from(k % 3 - 1);
    let all = (0..27).map(move |k| [digit(k), digit(k / 3), digit(k / 9)]);
    all.filter(|&s| s != O)
}

/// distance_to_shape_callback_test.
#[test]
fn distances_of_drake() {
    let mut cases = Cases::default();
    let (unit, two) = (ball(1.0), ball(2.0));
    // Spheres: the distance of the centres less the radii.
    for (x, distance) in [(4.0, 1.0), (3.0, 0.0), (2.5, -0.5), (1.0, -2.0)] {
        contacts! { cases:
            "SphereSphere", (&unit, at(O)), (&two, at([x, 0.0, 0.0])) => distance, X;
        }
    }
    // 1² + 4² + 8² = 9².
    let far = at([1.0, 4.0, 8.0]);
    contacts! { cases:
        "SphereSphereNonAligned", (&ball(2.25), at(O)), (&ball(9.0), far) => -2.25, [1.0, 4.0, 8.0];
    }
    for (a, b) in [
        (1.0, 1.0),
        (0.5, 2.0),
        (0.3, 0.7),
        (0.7, 0.7),
        (3.0, 7.0),
        (7.0, 7.0),
    ] {
        let place = at([1.0, 2.0, 3.0]);
        contacts! { cases:
            "SphereSphereConcentric", (&ball(a), place), (&ball(b), place) => -a - b, None;
        }
    }
    contacts! { cases:
        "SphereBoxConcentric", (&two, at(O)), (&cuboid([2.0, 4.0, 8.0]), at(O)) => -4.0, None;
    }
    // Spheres of 0.5, 1 apart diagonally and 0.9 apart.
    let half = ball(0.5);
    let (left, right, up) = (at([-0.45, 0.0, 0.0]), at([0.45, 0.0, 0.0]), at(Y));
    contacts! { cases:
        "NonPositiveThreshold", (&half, left), (&half, right) => -0.1, X;
        "NonPositiveThreshold", (&half, left), (&half, up) => 0.45f64.hypot(1.0) - 1.0, [0.45, 1.0, 0.0];
    }

    // A sphere of 2 from outside a box, a capsule and a cylinder to deep inside, over a face at 8, a cap at 14 and an end at 8.
    let (block, pill, drum) = (
        cuboid([8.0, 6.0, 4.0]),
        capsule(6.0, 8.0),
        cylinder(12.0, 8.0),
    );
    for distance in [4.0, 0.0, -1.0, -2.0, -3.0, -4.0, -5.0] {
        let place = |axis, end: f64| at(scaled(axis, end + distance + 2.0));
        contacts! { cases:
            "SphereBox", (&two, place(X, 8.0)), (&block, at(O)) => distance, [-1.0, 0.0, 0.0];
            "SphereCapsule", (&two, place(Z, 14.0)), (&pill, at(O)) => distance, DOWN;
            "SphereCylinder", (&two, place(Z, 8.0)), (&drum, at(O)) => distance, DOWN;
        }
    }
    // Its centre on the surface of the box: at a corner and an edge any normal between those of the faces will do.
    for s in signs() {
        let place = [8.0 * s[0], 6.0 * s[1], 4.0 * s[2]];
        let face = s.iter().filter(|&&x| x != 0.0).count() == 1;
        let normal = face.then_some(scaled(s, -1.0));
        contacts! { cases:
            "SphereBoxBoundary", (&two, at(place)), (&block, at(O)) => -2.0, normal;
        }
    }
    // On the surface of a cylinder: its ends, its side, its rims.
    let (four, drum) = (ball(4.0), cylinder(8.0, 8.0));
    for k in 0..8 {
        let (sin, cos) = (f64::from(k) * FRAC_PI_4).sin_cos();
        for share in [-1.0, -0.5, 0.0, 0.5, 1.0f64] {
            let place = [8.0 * cos, 8.0 * sin, 8.0 * share];
            let normal = (share.abs() < 1.0).then_some([-cos, -sin, 0.0]);
            contacts! { cases:
                "SphereCylinderBoundary", (&four, at(place)), (&drum, at(O)) => -4.0, normal;
            }
        }
        for share in [-1.0, 1.0] {
            let place = [4.0 * cos, 4.0 * sin, 8.0 * share];
            contacts! { cases:
                "SphereCylinderBoundary", (&four, at(place)), (&drum, at(O)) => -4.0, [0.0, 0.0, -share];
            }
        }
    }
    // Above, on and in a half-space, one of which is turned.
    let sphere = ball(1.75);
    let tilted = posed(
        [10.0, 11.0, 12.0],
        UnitQuaternion::from_euler_angles(PI / 3.0, PI / 6.0, FRAC_PI_2),
    );
    for ground in [at(O), tilted] {
        for distance in [0.25, 0.0, -0.25] {
            let place = ground * Point3::new(1.25, 1.5, 1.75 + distance);
            let down = <[f64; 3]>::from(ground.rotation * -Vec3::z());
            contacts! { cases:
                "HalfspaceSphere", (&sphere, at(place.coords.into())), (&half_space(), ground) => distance, down;
            }
        }
    }
    // A pair that Drake refuses: the box is half inside.
    contacts! { cases:
        "HalfspaceException", (&cuboid([0.25, 0.125, 0.375]), at(O)), (&half_space(), at(O)) => -0.375, DOWN;
    }
    cases.done(124);
}

/// distance_to_shape_touching_test: bodies in touch to rounding.
#[test]
fn touching_bodies_of_drake() {
    let mut cases = Cases::default();
    let frame = posed(
        [0.5, 1.0, 2.0],
        UnitQuaternion::from_euler_angles(PI, FRAC_PI_2, FRAC_PI_4),
    );
    let [left, right] = [-2.0, 2.0].map(|x| frame * at([x, 0.0, 0.0]));
    let normal = <[f64; 3]>::from(frame.rotation * Vec3::x());
    contacts! { cases:
        "SphereTouch", (&ball(2.0), left), (&ellipsoid([2.0, 3.0, 4.0]), right) => 0.0, normal;
    }
    let (a, b) = (cuboid([1.0, 1.5, 2.0]), cuboid([1.0, 2.5, 3.0]));
    contacts! { cases:
        "box_touches_box", (&a, at([-1.0, 0.0, 0.0])), (&b, at(X)) => 0.0, X;
    }
    // A face; edges that cross; parallel edges; a corner on an edge; of which one is turned about the diagonal.
    let (small, large, cube) = (cuboid([0.5; 3]), cuboid([1.5; 3]), cuboid([1.0; 3]));
    let tenth = cuboid([0.1; 3]);
    let diagonal = 1.0 + FRAC_1_SQRT_2;
    let crossing = posed([2.0, 2.0, 0.0], turned([1.0, 1.0, 0.0], FRAC_PI_2));
    let leaning = posed([diagonal, diagonal, 2.0], turned(Z, FRAC_PI_4));
    for (name, a, b, pose, normal) in [
        ("Face", &small, &large, at([2.0, 0.0, 0.0]), Some(X)),
        (
            "EdgeCrossEdge",
            &cube,
            &cube,
            crossing,
            Some([1.0, 1.0, 0.0]),
        ),
        ("ParallelEdgeEdge", &cube, &cube, at([2.0, 2.0, 0.0]), None),
        ("EdgeVertex", &cube, &cube, leaning, None),
        (
            "VertexVertexUseFaceNormal",
            &cube,
            &cube,
            at([2.0; 3]),
            None,
        ),
        (
            "VertexVertexUseFaceNormalSpecial",
            &cube,
            &cube,
            at([2.0, 0.0, 0.0]),
            Some(X),
        ),
        (
            "VertexVertexNeedCrossProduct",
            &cube,
            &cube,
            posed([2.0; 3], turned([1.0; 3], FRAC_PI_4)),
            None,
        ),
        (
            "InputWithNumericalErrors, issue 21192",
            &tenth,
            &tenth,
            at([0.2, 0.2, 0.0]),
            None,
        ),
    ] {
        contacts! { cases:
            name, (a, at(O)), (b, pose) => 0.0, normal;
        }
    }
    cases.done(10);
}

/// penetration_as_point_pair_callback_test.
#[test]
fn penetrations_of_drake() {
    let mut cases = Cases::default();
    let half = ball(0.5);
    let apart = vector([1.0, -2.0, 3.0]).normalize() * 0.9;
    let turn = turned(Y, PI / 3.0) * turned(Z, -PI / 7.0);
    contacts! { cases:
        "NonCollision", (&half, at(O)), (&half, at([1.5, 0.0, 0.0])) => 0.5, X;
        "CollisionFilterRespected", (&half, at(O)), (&half, posed(apart.into(), turn)) => -0.1, [1.0, -2.0, 3.0];
    }
    // Bodies that are 0.1 deep in the sphere, along x turned by 0.2.
    let turn = turned(Z, 0.2);
    for (name, solid, reach) in [
        ("SphereBox", cuboid([0.05, 0.1, 0.15]), 0.05),
        ("SphereCylinder", cylinder(1.2, 1.05), 1.2),
        ("SphereCapsule", capsule(1.3, 1.15), 1.3),
    ] {
        let towards = turn * Vec3::x();
        let pose = posed((towards * (reach + 0.4)).into(), turn);
        contacts! { cases:
            name, (&half, at(O)), (&solid, pose) => -0.1, <[f64; 3]>::from(towards);
        }
    }
    let ground = posed([0.5, -0.2, 0.9], turned(Z, 0.1) * turned(X, 0.5));
    let up = ground.rotation * Vec3::z();
    let depth = -up.dot(&ground.translation.vector) - 0.5;
    contacts! { cases:
        "SphereHalfspace", (&half, at(O)), (&half_space(), ground) => depth, <[f64; 3]>::from(-up);
    }
    // Issue 10577: a disc 1 mm above and below its middle on a plate of 15 mm, far from the plate's middle.
    let plate = posed([-0.25, 0.0, 0.0], turned(Z, FRAC_PI_2));
    let disc = (cylinder(0.08, 0.001), at([0.0, 0.0, 0.0085]));
    contacts! { cases:
        "Issue10577Regression_Osculation", (&cuboid([0.245, 0.315, 0.0075]), plate), (&disc.0, disc.1) => 0.0, Z;
    }

    // A cube that stands on a corner 1 mm below the origin, and bodies whose highest point or face is at the origin: of those
    // that are round there, the corner is 0.999 from the centre or axis.
    let prone = turned(X, FRAC_PI_2);
    let bodies = [
        ("TangentPlane", half_space(), at(O)),
        ("TangentBox", cuboid([5.0; 3]), at([0.0, 0.0, -5.0])),
        ("TangentConvex", box_hull([5.0; 3]), at([0.0, 0.0, -5.0])),
        ("TangentSphere", ball(1.0), at(DOWN)),
        (
            "TangentStandingCylinder",
            cylinder(1.0, 5.0),
            at([0.0, 0.0, -5.0]),
        ),
        (
            "TangentProneCylinder",
            cylinder(1.0, 5.0),
            posed(DOWN, prone),
        ),
        (
            "TangentStandingCapsule",
            capsule(1.0, 5.0),
            at([0.0, 0.0, -6.0]),
        ),
        ("TangentProneCapsule", capsule(1.0, 5.0), posed(DOWN, prone)),
    ];
    let turns = [
        turned(Y, -FRAC_PI_4) * turned(X, FRAC_PI_4),
        turned([1.0, -1.0, 0.0], SQRT_2.atan()),
    ];
    for (name, solid, pose) in &bodies {
        for turn in turns {
            let corner = turn * Vec3::repeat(-0.5);
            let standing = posed((vector([0.0, 0.0, -1e-3]) - corner).into(), turn);
            contacts! { cases:
                name, (solid, *pose), (&cuboid([0.5; 3]), standing) => -1e-3, Z;
            }
        }
    }
    cases.done(23);
}

/// distance_to_point_callback_test, calc_distance_to_surface_mesh_test and calc_signed_distance_to_surface_mesh_test.
#[test]
fn points_of_drake() {
    let mut cases = Cases::default();
    let here = posed([0.5, 1.25, -2.0], turned([1.0, 2.0, 3.0], PI / 5.0));
    let mut ask = |name: &str, solid: &Solid, place: Vec3, distance: f64, normal: Option<Vec3>| {
        let there = here * Point3::from(place);
        let normal = normal.map(|n| <[f64; 3]>::from(here.rotation * n));
        contacts! { cases:
            name, (solid, here), (&point(), at(there.coords.into())) => distance, normal;
        }
    };
    // Boxes: out of a face, an edge or a corner by so much along each axis; a tenth in from a face.
    let half = vector([0.5, 1.0, 1.5]);
    let block = cuboid(half.into());
    for s in signs().map(vector) {
        let surface = s.component_mul(&half);
        ask("Box", &block, surface + s, s.norm(), Some(s));
        ask("Box", &block, surface, 0.0, None);
        if s.norm() == 1.0 {
            ask("Box", &block, surface - 0.1 * s, -0.1, Some(s));
        }
    }
    // Inside, where the nearest faces are at 5 and 10.
    let long = cuboid([10.0, 5.0, 5.0]);
    for (place, distance, normal) in [
        ([6.0, 1.0, 2.0], -3.0, Some(Vec3::z())),
        ([6.0, 0.0, 1.0], -4.0, None),
        ([6.0, 1.0, 1.0], -4.0, None),
        ([0.0, 0.0, 0.0], -5.0, None),
        ([5.0, 0.0, 0.0], -5.0, None),
    ] {
        ask("InsideBoxNonUnique", &long, vector(place), distance, normal);
    }
    // Capsules: by so much along the normal from the caps and the side.
    let pill = capsule(0.7, 0.65);
    for (towards, z) in [
        ([2.0, -3.0, 6.0], 0.65),
        ([2.0, -3.0, 0.0], 0.325),
        ([2.0, -3.0, -6.0], -0.65),
    ] {
        let n = vector(towards).normalize();
        let surface = n * 0.7 + Vec3::z() * z;
        for distance in [1.5, 0.0, -0.35] {
            ask("Capsule", &pill, surface + n * distance, distance, Some(n));
        }
        ask("Capsule", &pill, Vec3::z() * z, -0.7, None);
    }
    // Ellipsoids: along the normal from points of the by less than the radius of curvature; the centre.
    let radii = vector([1.5, 0.75, 1.25]);
    let egg = ellipsoid(radii.into());
    for (theta, phi) in [
        (0.0f64, 0.0f64),
        (7.0 * PI / 5.0, PI / 6.0),
        (3.0 * PI / 7.0, 4.0 * PI / 5.0),
    ] {
        let u = vector([theta.cos() * phi.sin(), theta.sin() * phi.sin(), phi.cos()]);
        let n = u.component_div(&radii).normalize();
        for distance in [-0.125, 0.0, 0.2] {
            ask(
                "Ellipsoid",
                &egg,
                u.component_mul(&radii) + n * distance,
                distance,
                Some(n),
            );
        }
    }
    ask("Ellipsoid", &egg, Vec3::zeros(), -0.75, None);
    // Half-spaces and spheres, 2² + 3² + 6² = 7².
    for distance in [1.5, 0.0, -0.1, -1.5] {
        ask(
            "Halfspace",
            &half_space(),
            vector([0.25, 0.5, distance]),
            distance,
            Some(Vec3::z()),
        );
    }
    let n = vector([2.0, -3.0, 6.0]) / 7.0;
    for distance in [1.5, 6.3, 0.0, -0.15, -0.35] {
        ask(
            "Sphere",
            &ball(0.7),
            n * (0.7 + distance),
            distance,
            Some(n),
        );
    }
    ask("Sphere", &ball(0.7), Vec3::zeros(), -0.7, None);
    // Cylinders: from the ends, the side and, by (1, 1), the rims.
    let can = cylinder(0.75, 1.25);
    let (sin, cos) = (PI / 7.0).sin_cos();
    let side = vector([cos, sin, 0.0]);
    for sign in [-1.0, 1.0] {
        let up = Vec3::z() * sign;
        for distance in [0.75, 0.0, -0.1] {
            ask(
                "Cylinder",
                &can,
                vector([0.1875, 0.1875, 0.0]) + up * (1.25 + distance),
                distance,
                Some(up),
            );
            ask("Cylinder", &can, up * (1.25 + distance), distance, Some(up));
            ask(
                "Cylinder",
                &can,
                side * (0.75 + distance) + up * 0.625,
                distance,
                Some(side),
            );
        }
        ask(
            "Cylinder",
            &can,
            side * 1.75 + up * 2.25,
            SQRT_2,
            Some(side + up),
        );
        ask("Cylinder", &can, side * 0.75 + up * 1.25, 0.0, None);
    }
    // Triangles: over, and beside each edge and before each corner, above, in and below the plane.
    let right = triangle([O, X, Y]);
    for z in [-0.5, 0.0, 0.5f64] {
        for ([x, y], beside) in [
            ([0.25, 0.25], 0.0),
            ([0.25, -0.25], 0.25),
            ([-0.25, -0.25], 0.25 * SQRT_2),
            ([-0.25, 0.0], 0.25),
            ([-0.25, 1.5], 0.25f64.hypot(0.5)),
            ([1.0, 1.0], FRAC_1_SQRT_2),
            ([1.5, -0.25], 0.25f64.hypot(0.5)),
        ] {
            ask(
                "SingleTriangle",
                &right,
                vector([x, y, z]),
                z.hypot(beside),
                None,
            );
        }
    }
    // A tetrahedron of the unit vectors: 9 above its top.
    let corners = [O, X, Y, Z];
    let tetrahedron = closed(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    ask(
        "MeshDistanceBoundary",
        &tetrahedron,
        vector([0.0, 0.0, 10.0]),
        9.0,
        Some(Vec3::z()),
    );
    // A solid with a notch along z: a quarter out of each face from its middle, on a corner, and beside the bottom of the notch.
    let corners = [O, X, Y, Z, [-1.0, -1.0, 0.0]];
    let faces = [
        [0, 1, 4],
        [0, 3, 1],
        [1, 3, 4],
        [0, 4, 2],
        [0, 2, 3],
        [4, 3, 2],
    ];
    let notched = closed(&corners, &faces);
    for face in faces {
        let [a, b, c] = face.map(|k| vector(corners[k as usize]));
        let n = (b - a).cross(&(c - a)).normalize();
        ask(
            "PositiveTriangle",
            &notched,
            (a + b + c) / 3.0 + n * 0.25,
            0.25,
            Some(n),
        );
    }
    ask("ZeroVertex", &notched, Vec3::z(), 0.0, None);
    cases.around(
        "NegativeEdge",
        (&notched, at(O)),
        (&point(), at([-0.01, -0.02, 0.5])),
        -0.01f64.hypot(0.02),
    );
    cases.done(147);
}

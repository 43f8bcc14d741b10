//! The cases of parry: the tests of parry3d, and those of parry2d with a depth along z.

use super::{
    Cases, Cast, DOWN, Known, O, Solid, X, Y, Z, at, ball, capsule, cuboid, cylinder, hull, point,
    posed, segment, surface, triangle, turned, upright, vector,
};
use std::f64::consts::FRAC_PI_2;
use superovoid::{Plane, Shape};

/// The tests of parry3d, and those of parry2d with a depth along z.
#[test]
fn contacts_of_parry() {
    let mut cases = Cases::default();
    // Issue 157: the edge of a box is 0.48 and 0.02 from the axis of a cylinder of 0.5.
    let drum = posed([10.97, 0.925, 61.02], upright());
    let across = [11.45 - 10.97, 0.0, 61.0 - 61.02];
    let block = (cuboid([0.05, 0.75, 0.5]), at([11.5, 0.75, 60.5]));
    let distance = vector(across).norm() - 0.5;
    contacts! { cases:
        "cylinder_cuboid_contact", (&cylinder(0.5, 0.925), drum), (&block.0, block.1) => distance, across;
    }
    // Lengths of 4 and 2, 3.5 and 0.2 apart.
    let brick = cuboid([2.0, 1.0, 1.0]);
    contacts! { cases:
        "cuboid_cuboid_EPA", (&brick, at([3.5, 0.0, 0.0])), (&brick, at(O)) => -0.5, [-1.0, 0.0, 0.0];
        "cuboid_cuboid_EPA", (&brick, at([0.0, 0.2, 0.0])), (&brick, at(O)) => -1.8, [0.0, -1.0, 0.0];
    }
    // Issues 246 and 253: a corner of a triangle on the edge of another one.
    let lying = triangle([
        [-13.174434, 1.0, 8.736801],
        [3.5251038, 1.0, 12.1],
        [3.2048466, 1.0, 12.218325],
    ]);
    let standing = triangle([
        [-1.63, 0.0, 11.19],
        [-2.349647, 0.0, 11.037681],
        [-2.349647, 1.0, 11.037681],
    ]);
    cases.by_axes(
        "triangle_vertex_touches_triangle_edge_epa",
        (&lying, at(O)),
        (&standing, at(O)),
    );
    // Issue 205: a capsule whose parts are hundreds of units from the origin of a triangle, here a prism.
    let outline = [[64.0, 507.0], [440.0, 326.0], [1072.0, 507.0]];
    let prism = hull(
        &[-50.0, 50.0]
            .map(|z| outline.map(|[x, y]| [x, y, z]))
            .concat(),
    );
    let place = posed([381.592, 348.491, 0.0], upright());
    cases.by_axes(
        "capsule_convergence",
        (&capsule(10.0, 5.0), place),
        (&prism, at(O)),
    );
    // Issue 181: boxes of 20 and 600 at any angle.
    let (small, large) = (cuboid([10.0, 10.0, 5.0]), cuboid([300.0, 1.5, 5.0]));
    let beside = posed([5.0, 0.0, 0.0], turned(Z, 1.5));
    for k in 0..12 {
        let (x, angle) = (1e-4 * f64::from(900 * k), 0.005 * f64::from(91 * k));
        let here = posed([x, 0.0, 0.0], turned(Z, angle));
        cases.by_axes(
            "cuboids_large_size_ratio_issue_181",
            (&small, here),
            (&large, beside),
        );
    }
    // A ball whose centre is below a face by 3.5 − y, and one whose centre is on an edge.
    let (half, unit) = (cuboid([0.5; 3]), cuboid([1.0; 3]));
    let pocket = at([0.0517938, 3.05178815, 0.0]);
    contacts! { cases:
        "ball_cuboid_query_contact", (&half, at([0.0, 4.0, 0.0])),
            (&ball(0.5), pocket) => 3.5 - 3.05178815 - 0.5, [0.0, -1.0, 0.0];
        "false_negative", (&ball(1.0), at([1.0, 1.0, 0.0])), (&unit, at(O)) => -1.0, None;
    }
    // Two tetrahedra on one face, from −2 to 2 along z and x, and planes.
    let diamond = surface(
        &[
            [0.0, 2.0, 0.0],
            [-2.0, -1.0, 0.0],
            [0.0, 0.0, 2.0],
            [2.0, -1.0, 0.0],
            [0.0, 0.0, -2.0],
        ],
        &[
            [0, 1, 2],
            [0, 2, 3],
            [1, 2, 3],
            [0, 1, 4],
            [0, 4, 3],
            [1, 4, 3],
        ],
    );
    for (normal, offset, distance, out) in [
        (Z, 0.5, -1.5, Some(Z)),
        (Z, 0.0, -2.0, None),
        (X, 0.0, -2.0, None),
        (Z, -5.0, 3.0, Some(DOWN)),
        (Z, 5.0, 3.0, Some(Z)),
    ] {
        let plane = Shape::from(Plane::new(normal.into(), offset).unwrap());
        let sheet = Solid {
            shapes: vec![plane],
            known: Known::Nothing,
        };
        contacts! { cases:
            "trimesh_plane_intersection", (&diamond, at(O)), (&sheet, at(O)) => distance, out;
        }
    }
    // Points and triangles: on them, 1 below a corner, and a tenth of their normal above.
    let obtuse = triangle([[-10.0, 10.0, 0.0], O, [20.0, 0.0, 0.0]]);
    for (place, distance) in [
        ([-3.0, 5.0, 0.0], 0.0),
        ([5.0, 1.0, 0.0], 0.0),
        ([0.0, -1.0, 0.0], 1.0),
    ] {
        contacts! { cases:
            "obtuse_triangle_contains_point", (&obtuse, at(O)), (&point(), at(place)) => distance, None;
        }
    }
    let corners = [[1.2, 1.4, 5.6], [1.5, 6.7, 1.9], [5.0, 2.1, 1.3]];
    let [a, b, c] = corners.map(vector);
    let normal = (a - b).cross(&(b - c));
    let sheet = triangle(corners);
    for (shares, height) in [
        ([0.2, 0.3, 0.5], 0.0),
        ([0.2, 0.3, 0.5], 0.1),
        ([-0.5, 0.8, 0.7], 0.0),
        ([-0.5, 0.8, 0.7], 0.1),
    ] {
        let place = a * shares[0] + b * shares[1] + c * shares[2] + normal * height;
        cases.by_axes(
            "3dtriangle_contains_point",
            (&sheet, at(O)),
            (&point(), place.into()),
        );
    }
    cases.done(31);
}

#[test]
fn casts_of_parry() {
    let mut cases = Cases::default();
    let half = ball(0.5);
    // Issue 35: 9 of 10 metres.
    casts! { cases:
        "ball_ball_toi", (&half, at(O)), [0.0, 10.0, 0.0], (&half, at([0.0, 10.0, 0.0])), O => Cast::Hit(0.9);
    }
    // Issue 123: a motion that is too small to matter.
    let sheet = triangle([[0.5, -0.5, 0.0], [-0.5, -0.5, 0.0], [-0.5, 0.5, 0.0]]);
    let there = at([11.5, 5.5, 0.0]);
    casts! { cases:
        "ball_triangle_toi", (&ball(0.375), at(O)), [0.0, 6.925e-39, 0.0], (&sheet, there), O => Cast::Free;
    }
    // Issue 141: 0.1 above another one.
    let cube = cuboid([0.5; 3]);
    for (speed, expected) in [(0.0, Cast::Free), (1.0, Cast::Free), (-1.0, Cast::Hit(0.1))] {
        let above = (&cube, at([0.0, 1.1, 0.0]));
        casts! { cases:
            "still_objects_toi", above, [0.0, speed, 0.0], (&cube, at(O)), O => expected;
        }
    }
    // The centre is √3 from the corner, and comes nearer along the diagonal.
    let (unit, block) = (ball(1.0), cuboid([1.0; 3]));
    for (place, by, by_block, expected) in [
        ([1.0; 3], [2.0; 3], [-1.0, 1.0, 1.0], Cast::Overlapping),
        (
            [2.0; 3],
            [-0.5; 3],
            [1.0; 3],
            Cast::Hit((3f64.sqrt() - 1.0) / (1.5 * 3f64.sqrt())),
        ),
        ([3.0; 3], [2.0; 3], [-1.0, 1.0, 1.0], Cast::Free),
    ] {
        casts! { cases:
            "ball_cuboid_toi", (&unit, at(place)), by, (&block, at(O)), by_block => expected;
        }
    }
    // Issue 194: corners that meet, of meshes that are 998 apart, at 100 km a unit of time.
    let pyramid = surface(
        &[Y, [-1.0, -0.5, 0.0], [0.0, -0.5, -1.0], [1.0, -0.5, 0.0]],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 1]],
    );
    let there = at([1000.0, 0.0, 0.0]);
    casts! { cases:
        "trimesh_trimesh_toi", (&pyramid, at(O)), [1e5, 0.0, 0.0], (&pyramid, there), O => Cast::Hit(0.00998);
    }
    // Issue 214: 8 of 10 metres.
    let wall = cuboid([1.0, 1.5, 1.0]);
    let there = at([10.0, 0.0, 0.0]);
    casts! { cases:
        "cuboid_cuboid_toi_issue_214", (&block, at(O)), [10.0, 0.0, 0.0], (&wall, there), O => Cast::Hit(0.8);
    }
    // A line from −1 to 1 at x = 1.
    let line = segment([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]);
    casts! { cases:
        "ball_and_rotated_polyline", (&half, at(O)), X, (&line, posed(O, turned(Z, -FRAC_PI_2))), O => Cast::Hit(0.5);
    }
    // A line and points that move beside it, along it from below and above, and across it.
    let line = segment([Y, [0.0, -1.0, 0.0]]);
    for (from, by, expected) in [
        ([-2.0, 0.0, 0.0], Y, Cast::Free),
        ([0.0, -2.0, 0.0], [0.0, 2.0, 0.0], Cast::Graze(0.5)),
        ([0.0, 2.0, 0.0], Y, Cast::Free),
        ([-1.0, 0.0, 0.0], [2.0, 0.0, 0.0], Cast::Graze(0.5)),
        ([1.0, 0.0, 0.0], X, Cast::Free),
        ([0.0, 1.5, 0.0], X, Cast::Free),
    ] {
        rays! { cases:
            "raycast on a segment", (&line, at(O)), from, by => expected;
        }
    }
    // Through the corner of a triangle, from both sides.
    let right = triangle([O, X, Y]);
    for side in [-1.0, 1.0] {
        rays! { cases:
            "cast_ray_on_trimesh", (&right, at(O)), [0.0, 0.0, side], [0.0, 0.0, -2.0 * side] => Cast::Graze(0.5);
        }
    }
    // Issue 242: from 5 to the centre of a ball, where 1/5 is left, and of turned boxes, where the first face is
    // reached: that of the greatest |u|/h.
    let directions = [
        X,
        [0.3, 0.4, 0.8],
        [1.0; 3],
        [0.0, 0.6, 0.8],
        [0.9, 0.1, 0.2],
        [0.5, 0.7, 0.0],
    ];
    for (k, direction) in directions.into_iter().enumerate() {
        let u = vector(direction).normalize();
        let (from, by) = ((u * 5.0).into(), (u * -5.0).into());
        let turn = turned([1.0, 2.0, -0.5], 0.7 * k as f64);
        rays! { cases:
            "shape_ray_cast_points_to_surface", (&unit, posed(O, turn)), from, by => Cast::Hit(0.8);
        }
        for half in [[1.0; 3], [1.0, 1.0, 0.5], [0.5, 1.0, 0.5]] {
            let local = turn.inverse() * u;
            let steepest = (0..3).map(|i| local[i].abs() / half[i]).fold(0.0, f64::max);
            let hit = Cast::Hit(1.0 - 0.2 / steepest);
            rays! { cases:
                "shape_ray_cast_points_to_surface", (&cuboid(half), posed(O, turn)), from, by => hit;
            }
        }
    }
    cases.done(43);
}

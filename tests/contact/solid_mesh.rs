//! Closed meshes are solids: bodies inside overlap them.
//!
//! The oracle looks at every triangle: the winding number is the sum of their solid angles (A. van Oosterom, J. Strackee
//! 1983), and the distance of a point from a triangle is that of the best of its corners, edges and its face.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use superovoid::bvh::{
    BoxSet, PartContact, TriMesh, convex_tree_contact, tree_contact, trees_contact,
};
use superovoid::convex::ConvexShape;
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, tree_time_of_impact};
use superovoid::polytope::{Segment, Triangle, polytope_contact};
use superovoid::{
    Aabb, CollisionStatus, Contact, DepthMode, Outcome, QueryOptions, Shape, Superovoid,
};

type Soup = Vec<[Point3<f64>; 3]>;

/// The box between two corners, outwards.
fn cuboid(min: [f64; 3], max: [f64; 3]) -> Soup {
    let ends = [min, max];
    let corner = |k: usize| {
        let end = |axis: usize| ends[k >> axis & 1][axis];
        Point3::new(end(0), end(1), end(2))
    };
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = faces
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    triangles.map(|t| t.map(corner)).collect()
}

fn unit_cube() -> Soup {
    cuboid([-0.5; 3], [0.5; 3])
}

fn inside_out(soup: Soup) -> Soup {
    soup.into_iter().map(|[a, b, c]| [a, c, b]).collect()
}

fn both(mut a: Soup, b: Soup) -> Soup {
    a.extend(b);
    a
}

/// A ring about z.
fn torus(ring: f64, tube: f64) -> Soup {
    const SIDES: [usize; 2] = [24, 12];
    let at = |i: usize, j: usize| {
        let angle = |k: usize, of: usize| 2.0 * PI * (k % of) as f64 / of as f64;
        let (u, v) = (angle(i, SIDES[0]), angle(j, SIDES[1]));
        let rho = ring + tube * v.cos();
        Point3::new(rho * u.cos(), rho * u.sin(), tube * v.sin())
    };
    let mut soup = Vec::new();
    for i in 0..SIDES[0] {
        for j in 0..SIDES[1] {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            soup.push([a, b, c]);
            soup.push([a, c, d]);
        }
    }
    soup
}

/// A prism along z over a polygon, anticlockwise, of which the ears are given.
fn prism(polygon: &[[f64; 2]], ears: &[[usize; 3]]) -> Soup {
    let at = |k: usize, z: f64| Point3::new(polygon[k][0], polygon[k][1], z);
    let mut soup = Vec::new();
    for &[a, b, c] in ears {
        soup.push([at(a, 0.5), at(b, 0.5), at(c, 0.5)]);
        soup.push([at(a, -0.5), at(c, -0.5), at(b, -0.5)]);
    }
    for k in 0..polygon.len() {
        let next = (k + 1) % polygon.len();
        soup.push([at(k, -0.5), at(next, -0.5), at(next, 0.5)]);
        soup.push([at(k, -0.5), at(next, 0.5), at(k, 0.5)]);
    }
    soup
}

/// An L, with a reflex edge at the origin.
fn angle() -> Soup {
    let polygon = [
        [-1.0, -1.0],
        [1.0, -1.0],
        [1.0, 0.0],
        [0.0, 0.0],
        [0.0, 1.0],
        [-1.0, 1.0],
    ];
    prism(&polygon, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
}

/// Every triangle has corners of its own, as in an STL file.
fn mesh_of(soup: &Soup) -> TriMesh {
    let vertices = soup.iter().flatten().copied().collect();
    let triangles = (0..soup.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
    TriMesh::new(vertices, triangles.collect()).expect("a valid mesh")
}

fn winding_number(soup: &Soup, p: &Point3<f64>) -> f64 {
    let angle = |corners: &[Point3<f64>; 3]| {
        let [a, b, c] = corners.map(|corner| corner - p);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        let volume = a.dot(&b.cross(&c));
        2.0 * volume.atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y)
    };
    soup.iter().map(angle).sum::<f64>() / (4.0 * PI)
}

fn point_to_triangle(p: &Point3<f64>, corners: &[Point3<f64>; 3]) -> f64 {
    let to_edge = |i: usize| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        let edge = to - from;
        let t = ((p - from).dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
        (p - (from + edge * t)).norm()
    };
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let over = (0..3).all(|i| {
        let edge = corners[(i + 1) % 3] - corners[i];
        normal.cross(&edge).dot(&(p - corners[i])) >= 0.0
    });
    let edges = to_edge(0).min(to_edge(1)).min(to_edge(2));
    if over {
        edges.min((p - corners[0]).dot(&normal.normalize()).abs())
    } else {
        edges
    }
}

fn distance(soup: &Soup, p: &Point3<f64>) -> f64 {
    let each = soup.iter().map(|corners| point_to_triangle(p, corners));
    each.fold(f64::INFINITY, f64::min)
}

fn any_pose(rng: &mut impl Rng, reach: f64) -> Isometry3<f64> {
    let mut number = || rng.random_range(-1.0..1.0);
    let axis = Vector3::new(number(), number(), number());
    let place = Vector3::new(number(), number(), number()) * reach;
    Isometry3::from_parts(
        Translation3::from(place),
        UnitQuaternion::from_scaled_axis(axis * 3.0),
    )
}

fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}

fn ask_ball(radius: f64, pose: &Isometry3<f64>, mesh: &TriMesh) -> Contact {
    let ball = Superovoid::sphere(radius).expect("valid");
    ask(&ball, pose, mesh, &Isometry3::identity(), f64::INFINITY).expect("no limit")
}

fn ask(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    mesh: &TriMesh,
    mesh_pose: &Isometry3<f64>,
    max_distance: f64,
) -> Option<Contact> {
    let options = QueryOptions::default().with_max_distance(max_distance);
    let found = tree_contact(shape, pose, mesh, mesh_pose, &options).expect("valid");
    found.map(|found| found.contact)
}

/// What holds for every answer.
fn is_sound(contact: &Contact, size: f64) {
    let way = contact.point_b - contact.point_a;
    let along = contact.normal.into_inner() * contact.distance;
    assert!((way - along).norm() < 1e-9 * size, "{contact:?}");
    assert!((contact.normal.norm() - 1.0).abs() < 1e-12, "{contact:?}");
    assert!(contact.lower <= contact.distance && contact.distance <= contact.upper);
}

#[test]
fn a_ball_in_a_cube_is_as_deep_as_the_way_out_through_its_nearest_face() {
    let mesh = mesh_of(&unit_cube());
    assert!(mesh.is_solid() && mesh.is_closed());
    let found = ask_ball(0.1, &at(0.1, 0.2, -0.3), &mesh);
    assert_eq!(found.status(), CollisionStatus::Collision);
    assert_eq!(found.outcome, Outcome::Converged);
    assert!((found.distance + 0.3).abs() < 1e-9, "{found:?}");
    // The cube is above the ball that leaves downwards.
    assert!((found.normal.z - 1.0).abs() < 1e-9, "{found:?}");
    assert!((found.point_a.z + 0.2).abs() < 1e-9 && (found.point_b.z + 0.5).abs() < 1e-9);
    assert!(found.upper <= -0.2 + 1e-9 && found.lower <= found.distance);
    is_sound(&found, 1.0);
}

#[test]
fn a_body_wholly_inside_collides_also_where_no_distance_is_asked_for() {
    let (mesh, here) = (mesh_of(&unit_cube()), Isometry3::identity());
    let ball = Superovoid::sphere(0.1).expect("valid");
    let found = ask(&ball, &here, &mesh, &here, 0.0).expect("a collision");
    assert!((found.distance + 0.6).abs() < 1e-9, "{found:?}");
    let deep = ask(&ball, &here, &mesh, &here, -0.5).expect("deeper than that");
    assert!((deep.distance + 0.6).abs() < 1e-9, "{found:?}");
    assert_eq!(ask(&ball, &at(0.0, 0.0, 0.61), &mesh, &here, 0.0), None);
}

#[test]
fn a_ball_in_a_hollow_or_in_the_hole_of_a_torus_is_free() {
    let hollow = both(unit_cube(), inside_out(cuboid([-0.4; 3], [0.4; 3])));
    let mesh = mesh_of(&hollow);
    assert!(mesh.is_solid());
    let found = ask_ball(0.1, &at(0.0, 0.1, 0.0), &mesh);
    assert!((found.distance - 0.2).abs() < 1e-9, "{found:?}");
    // In the wall.
    let found = ask_ball(0.02, &at(0.0, 0.46, 0.0), &mesh);
    assert!((found.distance + 0.06).abs() < 1e-9, "{found:?}");
    // A body in the hollow, with a hollow of its own.
    let more = both(
        cuboid([-0.3; 3], [0.3; 3]),
        inside_out(cuboid([-0.2; 3], [0.2; 3])),
    );
    let mesh = mesh_of(&both(hollow, more));
    assert!(mesh.is_solid());
    let status = |x: f64| ask_ball(0.01, &at(x, 0.0, 0.0), &mesh).status();
    assert_eq!(status(0.1), CollisionStatus::Free);
    assert_eq!(status(0.25), CollisionStatus::Collision);
    assert_eq!(status(0.35), CollisionStatus::Free);
    assert_eq!(status(0.45), CollisionStatus::Collision);
    assert_eq!(status(0.55), CollisionStatus::Free);

    let mesh = mesh_of(&torus(1.0, 0.3));
    assert!(mesh.is_solid());
    assert!(ask_ball(0.1, &at(0.0, 0.0, 0.0), &mesh).lower > 0.0);
    assert!(ask_ball(0.1, &at(0.0, 1.0, 0.0), &mesh).upper < 0.0);
}

#[test]
fn shells_of_one_sense_inside_one_another_are_one_solid() {
    let mesh = mesh_of(&both(unit_cube(), cuboid([-0.3; 3], [0.3; 3])));
    assert!(mesh.is_solid());
    // Near the inner shell, outside of that.
    for x in [0.0, 0.27, 0.33] {
        let found = ask_ball(0.01, &at(x, 0.0, 0.0), &mesh);
        assert_eq!(found.status(), CollisionStatus::Collision, "{x}: {found:?}");
    }
}

#[test]
fn open_and_inverted_meshes_are_surfaces_and_say_so() {
    let ball_is_free = |soup: Soup| {
        let mesh = mesh_of(&soup);
        assert!(!mesh.is_solid() && !mesh.is_closed());
        let found = ask_ball(0.1, &at(0.1, 0.0, 0.0), &mesh);
        assert!((found.distance - 0.3).abs() < 1e-9, "{found:?}");
    };
    let mut open = unit_cube();
    open.remove(0);
    ball_is_free(open);
    let mut turned = unit_cube();
    turned[4].swap(1, 2);
    ball_is_free(turned);
    ball_is_free(inside_out(unit_cube()));
    // A shell beside the cube that is inside out is no cavity.
    let beside = inside_out(cuboid([2.0; 3], [3.0; 3]));
    ball_is_free(both(unit_cube(), beside));
    // Nor is there a cavity in a cavity, or a volume between two sides of a sheet.
    let twice = both(
        inside_out(cuboid([-0.45; 3], [0.45; 3])),
        inside_out(cuboid([-0.44; 3], [0.44; 3])),
    );
    assert!(!mesh_of(&both(unit_cube(), twice)).is_solid());
    let sheet = unit_cube()[..2].to_vec();
    assert!(!mesh_of(&both(sheet.clone(), inside_out(sheet))).is_solid());
    // A surface on request.
    let surface = mesh_of(&unit_cube()).surface();
    assert!(surface.is_closed() && !surface.is_solid());
    let found = ask_ball(0.1, &at(0.1, 0.0, 0.0), &surface);
    assert!((found.distance - 0.3).abs() < 1e-9, "{found:?}");
    let scaled = surface.scaled([1.0, -1.0, 1.0]).expect("finite");
    assert!(scaled.is_closed() && !scaled.is_solid());
}

#[test]
fn degenerate_triangles_and_zeros_of_both_signs_do_not_open_a_mesh() {
    let mut soup = unit_cube();
    let [a, b, c] = soup[0];
    soup.push([a, a, b]);
    soup.push([c, c, c]);
    assert!(mesh_of(&soup).is_solid());
    // An edge that is split has a needle beside it.
    let middle = nalgebra::center(&a, &b);
    soup[0] = [a, middle, c];
    soup.push([middle, b, c]);
    assert!(!mesh_of(&soup).is_solid());
    soup.push([a, b, middle]);
    let mesh = mesh_of(&soup);
    assert!(mesh.is_solid());
    assert!(ask_ball(0.1, &at(0.0, 0.0, 0.1), &mesh).upper < 0.0);
    let mut soup = cuboid([-1.0, -1.0, 0.0], [1.0; 3]);
    for v in soup.iter_mut().step_by(2).flatten() {
        if v.z == 0.0 {
            v.z = -0.0;
        }
    }
    assert!(mesh_of(&soup).is_solid());
}

#[test]
fn a_mirrored_solid_stays_one() {
    let mesh = mesh_of(&angle());
    for scale in [[-1.0, 1.0, 1.0], [-2.0, -1.0, -0.5], [1.0, -1.0, -1.0]] {
        let scaled = mesh.scaled(scale).expect("finite");
        assert!(scaled.is_solid(), "{scale:?}");
        let inside = at(-0.5 * scale[0], -0.5 * scale[1], 0.0);
        assert!(ask_ball(0.1, &inside, &scaled).upper < 0.0);
        let outside = at(0.5 * scale[0], 0.5 * scale[1], 0.0);
        assert!(ask_ball(0.1, &outside, &scaled).lower > 0.0);
    }
    let overflow = mesh.scaled([f64::MAX, 1.0, f64::MAX]);
    assert!(overflow.is_ok());
    assert!(mesh.scaled([f64::INFINITY, 1.0, 1.0]).is_err());
}

/// From the middle of a cube out through a face: the depth falls as the ball goes, without a step.
#[test]
fn the_depth_is_continuous_where_a_body_passes_the_surface() {
    let mesh = mesh_of(&unit_cube());
    for k in 0..=150 {
        let z = 0.2 + 0.004 * f64::from(k);
        let found = ask_ball(0.1, &at(0.05, 0.12, z), &mesh);
        let right = z - 0.5 - 0.1;
        assert!((found.distance - right).abs() < 1e-8, "{z}: {found:?}");
        is_sound(&found, 1.0);
    }
    // Touching from inside, within rounding.
    let found = ask_ball(0.1, &at(0.0, 0.0, 0.4), &mesh);
    assert!((found.distance + 0.2).abs() < 1e-9, "{found:?}");
    assert_eq!(found.status(), CollisionStatus::Collision);
}

/// A thin plate that is half in the block is as deep as it is in, not as half its thickness.
#[test]
fn a_blade_is_as_deep_as_it_is_in() {
    let mesh = mesh_of(&unit_cube());
    let blade = ConvexShape::cuboid([0.02, 0.2, 0.3]).expect("valid");
    let here = Isometry3::identity();
    let ask = |z: f64| {
        let options = QueryOptions::default();
        let found = convex_tree_contact(&blade, &at(0.1, 0.05, z), &mesh, &here, &options);
        found.expect("valid").expect("no limit").contact
    };
    for z in [0.1, 0.19, 0.21, 0.3, 0.5, 0.7] {
        let found = ask(z);
        let right = z - 0.3 - 0.5;
        assert!((found.distance - right).abs() < 1e-6, "{z}: {found:?}");
    }
}

/// A body on the rim of a solid, over its edge: the side's triangles are as deep there.
#[test]
fn a_body_over_the_edge_of_a_solid_is_as_deep_as_its_top_face() {
    let mesh = mesh_of(&unit_cube());
    let (block, here) = (
        ConvexShape::cuboid([0.3, 0.2, 0.1]).expect("valid"),
        Isometry3::identity(),
    );
    for x in [0.0, 0.3, 0.5, 0.6, 0.79] {
        let pose = at(x, 0.1, 0.59);
        let found = convex_tree_contact(&block, &pose, &mesh, &here, &QueryOptions::default());
        let found = found.expect("valid").expect("no limit").contact;
        assert!((found.distance + 0.01).abs() < 1e-6, "{x}: {found:?}");
    }
}

#[test]
fn every_kind_of_body_is_found_inside() {
    let mesh = mesh_of(&cuboid([-1.0; 3], [1.0; 3]));
    let corner = |k: u32, axis: u32| if k >> axis & 1 == 0 { -0.2 } else { 0.2 };
    let corners: Vec<_> = (0..8)
        .map(|k| Point3::new(corner(k, 0), corner(k, 1), corner(k, 2)))
        .collect();
    let ovoid = Superovoid::new([0.2, 0.2, 0.2], [0.4, 0.7], [0.0, 0.0]).expect("valid");
    let bodies = [
        ConvexShape::cuboid([0.2; 3]),
        ConvexShape::cylinder(0.2, 0.4),
        ConvexShape::capsule(0.1, 0.2),
        ConvexShape::cone(0.2, 0.4),
        ConvexShape::ball(0.2),
        ConvexShape::hull(&corners),
    ];
    let mut bodies: Vec<_> = bodies
        .into_iter()
        .map(|body| body.expect("valid"))
        .collect();
    bodies.push(ovoid.into());
    let (pose, here) = (at(0.1, -0.2, 0.6), Isometry3::identity());
    for body in &bodies {
        for max_distance in [f64::INFINITY, 0.0] {
            let options = QueryOptions::default().with_max_distance(max_distance);
            let found = convex_tree_contact(body, &pose, &mesh, &here, &options);
            let found = found.expect("valid").expect("a collision").contact;
            assert!((found.distance + 0.6).abs() < 1e-8, "{body:?}: {found:?}");
            assert!(found.upper < 0.0 && found.lower <= -0.6 + 1e-9);
            is_sound(&found, 1.0);
        }
    }
    let found = ask(&ovoid, &pose, &mesh, &here, f64::INFINITY).expect("no limit");
    assert!((found.distance + 0.6).abs() < 1e-8, "{found:?}");
}

#[test]
fn meshes_and_boxes_are_found_inside_meshes_from_both_sides() {
    let (large, small) = (mesh_of(&unit_cube()), mesh_of(&cuboid([-0.1; 3], [0.1; 3])));
    let far = mesh_of(&both(
        cuboid([5.0; 3], [5.2; 3]),
        cuboid([-0.1; 3], [0.1; 3]),
    ));
    let cells = [[5.0, 5.2], [-0.1, 0.1]].map(|[min, max]| Aabb {
        min: Point3::new(min, min, min),
        max: Point3::new(max, max, max),
    });
    let cells = BoxSet::new(cells.to_vec()).expect("valid");
    let mut open = cuboid([-0.1; 3], [0.1; 3]);
    open.remove(3);
    let open = mesh_of(&open);
    let (inside, here) = (at(0.1, 0.0, 0.2), Isometry3::identity());
    let options = |max_distance| QueryOptions::default().with_max_distance(max_distance);
    for max_distance in [f64::INFINITY, 0.0] {
        let options = options(max_distance);
        let found = [
            trees_contact(&small, &inside, &large, &here, &options),
            trees_contact(&large, &here, &small, &inside, &options),
            trees_contact(&open, &inside, &large, &here, &options),
            trees_contact(&large, &here, &open, &inside, &options),
        ];
        for found in found {
            let contact = found.expect("valid").expect("a collision").contact;
            assert!((contact.distance + 0.4).abs() < 1e-8, "{contact:?}");
            assert!(contact.upper < 0.0 && contact.lower <= contact.distance);
            is_sound(&contact, 1.0);
        }
        // One piece of two is inside.
        let found = [
            trees_contact(&far, &inside, &large, &here, &options),
            trees_contact(&cells, &inside, &large, &here, &options),
            trees_contact(&large, &here, &cells, &inside, &options),
        ];
        for found in found {
            let contact = found.expect("valid").expect("a collision").contact;
            assert!(contact.upper < 0.0, "{contact:?}");
            is_sound(&contact, 10.0);
        }
    }
    // The surfaces, on request.
    let apart = trees_contact(
        &small,
        &inside,
        &large.clone().surface(),
        &here,
        &options(1.0),
    );
    let apart = apart.expect("valid").expect("within a metre").contact;
    assert!((apart.distance - 0.2).abs() < 1e-8, "{apart:?}");
    let beside = trees_contact(&small, &at(0.8, 0.0, 0.0), &large, &here, &options(1.0));
    let beside = beside.expect("valid").expect("within a metre").contact;
    assert!((beside.distance - 0.2).abs() < 1e-8, "{beside:?}");
}

#[test]
fn a_motion_that_begins_inside_a_solid_overlaps() {
    let mesh = mesh_of(&unit_cube());
    let ball = Superovoid::sphere(0.1).expect("valid");
    let still = Motion::still(Isometry3::identity()).expect("valid");
    let options = TimeOfImpactOptions::default();
    for speed in [0.01, 5.0] {
        let from = Isometry3::translation(0.0, 0.0, 0.1);
        let motion = Motion::screw(from, speed * Vector3::z(), Vector3::x()).expect("valid");
        let found = tree_time_of_impact(&ball, &motion, &mesh, &still, &options).expect("valid");
        let TimeOfImpact::Overlapping { contact } = found.found else {
            panic!("{found:?}");
        };
        assert!((contact.distance + 0.5).abs() < 1e-8);
    }
    let surface = mesh.surface();
    let motion = Motion::screw(Isometry3::identity(), Vector3::z(), Vector3::x()).expect("valid");
    let found = tree_time_of_impact(&ball, &motion, &surface, &still, &options).expect("valid");
    assert!(matches!(found.found, TimeOfImpact::Hit { .. }), "{found:?}");
}

/// A mesh that is a draw of several kinds, and whether balls may pass its edges.
fn any_soup(rng: &mut impl Rng) -> Soup {
    let scale = [0; 3].map(|_| rng.random_range(0.5..2.0));
    let mut soup = match rng.random_range(0..7) {
        0 => unit_cube(),
        1 => both(unit_cube(), inside_out(cuboid([-0.3; 3], [0.3; 3]))),
        2 => both(unit_cube(), cuboid([-0.2; 3], [0.9; 3])),
        3 => torus(0.7, 0.25),
        4 => angle(),
        5 => both(cuboid([-1.0; 3], [-0.1; 3]), cuboid([0.1; 3], [0.8; 3])),
        _ => {
            let [a, b, c] = [0; 3].map(|_| rng.random_range(0.3..0.8));
            let shape = Superovoid::new([a, b, c], [0.6, 1.2], [0.0, 0.0]).expect("valid");
            let mesh = shape.tessellate(12);
            let corner = |v: u32| mesh.vertices[v as usize];
            mesh.triangles.iter().map(|t| t.map(corner)).collect()
        }
    };
    for p in soup.iter_mut().flatten() {
        *p = Point3::from([0, 1, 2].map(|i| p[i] * scale[i]));
    }
    soup
}

fn draw(rng: &mut ChaCha8Rng, counts: &mut [usize; 3]) {
    let mut soup = any_soup(rng);
    let mut mesh = mesh_of(&soup);
    assert!(mesh.is_solid());
    if rng.random() {
        let mirror = [0; 3].map(|_| if rng.random() { -1.0 } else { 1.0 });
        mesh = mesh.scaled(mirror).expect("finite");
        for p in soup.iter_mut().flatten() {
            *p = Point3::from([0, 1, 2].map(|i| p[i] * mirror[i]));
        }
        if mirror.iter().product::<f64>() < 0.0 {
            soup = inside_out(soup);
        }
    }
    let far = if rng.random_range(0..4) == 0 {
        1e4
    } else {
        1.0
    };
    let mesh_pose = any_pose(rng, far);
    for _ in 0..20 {
        let center = [0; 3].map(|_| rng.random_range(-1.3..1.3));
        let radius = rng.random_range(0.01..0.4);
        let local = Point3::from(center);
        let pose = mesh_pose * at(center[0], center[1], center[2]);
        let away = distance(&soup, &local);
        let inside = winding_number(&soup, &local) > 0.5;
        if (away - radius).abs() < 1e-6 {
            continue;
        }
        let ball = Superovoid::sphere(radius).expect("valid");
        let found = ask(&ball, &pose, &mesh, &mesh_pose, f64::INFINITY).expect("no limit");
        let tolerance = 1e-9 + 1e-13 * far;
        is_sound(&found, 1.0 + 1e-3 * far);
        if away > radius {
            let right = if inside {
                -(away + radius)
            } else {
                away - radius
            };
            assert!(
                (found.distance - right).abs() < tolerance,
                "{right} {found:?}"
            );
            assert_eq!(found.upper < 0.0, inside, "{found:?}");
            let limited = ask(&ball, &pose, &mesh, &mesh_pose, 0.0);
            assert_eq!(limited.is_some(), inside);
            let near = limited.is_none_or(|same| (same.distance - right).abs() < tolerance);
            assert!(near, "{right} {limited:?}");
            counts[usize::from(inside)] += 1;
        } else {
            assert!(found.upper <= 0.0, "{found:?}");
            // The ball has its centre on one side: it leaves on that side, past its farther end from inside.
            let least = if inside { 0.0 } else { radius - away - 1e-9 };
            let most = radius + away + 1e-9;
            let depth = -found.distance;
            assert!(
                (least..=most).contains(&depth),
                "{depth} {least} {most} {found:?}"
            );
            counts[2] += 1;
        }
    }
}

#[test]
fn balls_among_solids_are_as_by_winding_numbers_and_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(51);
    let mut counts = [0; 3];
    for _ in 0..500 {
        draw(&mut rng, &mut counts);
    }
    assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
}

/// After the translation by the depth the body has passed the triangle that is named.
#[test]
fn the_depth_inside_leads_past_the_nearest_triangle() {
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    let mut inside = 0;
    for _ in 0..200 {
        let soup = any_soup(&mut rng);
        let (mesh, mesh_pose) = (mesh_of(&soup), any_pose(&mut rng, 1.0));
        let a = [0; 3].map(|_| rng.random_range(0.05..0.3));
        let e = [0; 2].map(|_| rng.random_range(0.2..1.4));
        let shape = Superovoid::new(a, e, [0.0, 0.0]).expect("valid");
        let pose = mesh_pose * any_pose(&mut rng, 0.7);
        let surface = mesh.clone().surface();
        let options = QueryOptions::default();
        let query = |mesh: &TriMesh| -> PartContact {
            let found = tree_contact(&shape, &pose, mesh, &mesh_pose, &options);
            found.expect("valid").expect("no limit")
        };
        let (solid, apart) = (query(&mesh), query(&surface));
        let center = mesh_pose.inverse_transform_point(&pose.translation.vector.into());
        let holds = winding_number(&soup, &center) > 0.5;
        if apart.contact.lower <= 0.0 {
            continue;
        }
        if !holds {
            assert_eq!(solid, apart);
            continue;
        }
        inside += 1;
        let contact = solid.contact;
        assert_eq!(contact.status(), CollisionStatus::Collision);
        assert!(contact.distance < -apart.contact.distance);
        is_sound(&contact, 1.0);
        let way = contact.normal.into_inner() * contact.distance;
        let moved = Translation3::from(way) * pose;
        let part = Triangle::new(soup[solid.part as usize]).expect("finite");
        let after = polytope_contact(&shape, &moved, &part, &mesh_pose, &options).expect("valid");
        assert!(after.distance > -1e-8, "{after:?}");
    }
    assert!(inside > 10, "{inside}");
}

/// The middle of a flat body on a face, or a corner of a mesh on one, is on the surface: that is no inside.
#[test]
fn flat_bodies_and_meshes_that_touch_from_outside_are_not_inside() {
    let (mesh, here) = (mesh_of(&unit_cube()), Isometry3::identity());
    let square: Vec<_> = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]
        .map(|[x, y]| Point3::new(x, y, 0.0))
        .to_vec();
    let square = ConvexShape::hull(&square).expect("valid");
    let options = QueryOptions::default();
    for x in [-0.3, 0.0, 0.07, 0.21] {
        let pose = at(x, 0.03, 0.5);
        let found = convex_tree_contact(&square, &pose, &mesh, &here, &options);
        let found = found.expect("valid").expect("no limit").contact;
        assert!(found.distance.abs() < 1e-8, "{found:?}");
    }
    let tip = |z: f64| Point3::new(0.05, 0.03, z);
    let tent = [
        tip(0.5),
        Point3::new(0.2, 0.0, 0.9),
        Point3::new(-0.2, 0.1, 0.9),
    ];
    let top = Point3::new(0.0, -0.2, 0.9);
    let [a, b, c] = tent;
    let tent = vec![[a, c, b], [a, b, top], [a, top, c], [b, c, top]];
    for other in [mesh_of(&tent), mesh_of(&inside_out(tent))] {
        let found = trees_contact(&other, &here, &mesh, &here, &options);
        let found = found.expect("valid").expect("no limit").contact;
        assert!(found.distance.abs() < 1e-8, "{found:?}");
    }
}

/// The first ray from a point is along an axis, where models have faces, edges and vertices.
#[test]
fn verdicts_inside_are_right_where_rays_pass_along_faces_and_through_edges_and_vertices() {
    let here = Isometry3::identity();
    let options = QueryOptions::default()
        .with_depth(DepthMode::Any)
        .with_max_distance(0.0);
    let (radius, steps) = (1e-3, 24);
    let flat = [
        [radius, 0.0, 0.0],
        [-radius, radius, 0.0],
        [0.0, -radius, 0.0],
    ]
    .map(Point3::from);
    let bodies: [Shape; 3] = [
        ConvexShape::ball(radius).expect("valid").into(),
        Superovoid::ellipsoid([radius; 3]).expect("valid").into(),
        Triangle::new(flat).expect("valid").into(),
    ];
    let mut counts = [0; 2];
    for soup in [unit_cube(), angle(), torus(0.6, 0.3)] {
        let mesh = mesh_of(&soup);
        let Aabb { min, max } = mesh.aabb();
        let mesh = Shape::from(mesh);
        for k in 0..steps * steps * steps {
            let place = [k % steps, k / steps % steps, k / (steps * steps)];
            let share = place.map(|i| i as f64 / steps as f64);
            let p = Point3::from(Vector3::from_fn(|i, _| {
                min[i] + share[i] * (max[i] - min[i])
            }));
            if distance(&soup, &p) < 2.0 * radius {
                continue;
            }
            let inside = winding_number(&soup, &p) > 0.5;
            for body in &bodies {
                let found = body.contact(&at(p.x, p.y, p.z), &mesh, &here, &options);
                let found = found.expect("valid").map(|found| found.contact);
                let collides = found.is_some_and(|found| found.upper <= 0.0);
                assert_eq!(collides, inside, "{p:?} {found:?}");
            }
            counts[usize::from(inside)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 5000), "{counts:?}");
}

#[test]
fn numbers_that_are_none_are_refused_for_solids_too() {
    let (mesh, here) = (mesh_of(&unit_cube()), Isometry3::identity());
    let ball = Superovoid::sphere(0.1).expect("valid");
    let options = QueryOptions::default().with_max_distance(f64::NAN);
    assert!(tree_contact(&ball, &here, &mesh, &here, &options).is_err());
    let lost = at(f64::NAN, 0.0, 0.0);
    assert!(tree_contact(&ball, &lost, &mesh, &here, &QueryOptions::default()).is_err());
}

/// A point has no size, and its default tolerance was 0: halfway between two triangles its distance counted as open.
#[test]
fn the_distance_of_a_point_from_a_mesh_is_certified() {
    let p = Point3::new;
    let corners = vec![
        p(-1.0, -1.0, 0.0),
        p(1.0, -1.0, 0.0),
        p(0.0, 1.0, 0.0),
        p(-9.0, -9.0, 0.5),
        p(9.0, -9.0, 0.5),
        p(0.0, 9.0, 0.5),
    ];
    let mesh = Shape::from(TriMesh::new(corners, vec![[0, 1, 2], [3, 4, 5]]).unwrap());
    let halfway = Isometry3::translation(0.0, 0.0, 0.25);
    let point: Shape = Segment::new(p(0.0, 0.0, 0.0), p(0.0, 0.0, 0.0))
        .unwrap()
        .into();
    for (body, distance) in [
        (point, 0.25),
        (ConvexShape::ball(1e-6).unwrap().into(), 0.25 - 1e-6),
    ] {
        let found = body.contact(
            &halfway,
            &mesh,
            &Isometry3::identity(),
            &QueryOptions::default(),
        );
        let contact = found.unwrap().unwrap().contact;
        assert!((contact.distance - distance).abs() < 1e-14);
        assert_eq!(contact.outcome, Outcome::Certified);
    }

    // In a solid the depth of a point is that of the nearest face, whose plane bounds it from both sides in a box.
    let cube = Shape::from(mesh_of(&unit_cube()));
    let point: Shape = Segment::new(p(0.0, 0.0, 0.0), p(0.0, 0.0, 0.0))
        .unwrap()
        .into();
    let found = point.contact(
        &at(0.1, 0.2, -0.3),
        &cube,
        &Isometry3::identity(),
        &QueryOptions::default(),
    );
    let contact = found.unwrap().unwrap().contact;
    assert!((contact.distance + 0.2).abs() < 1e-14, "{contact:?}");
    assert_eq!(contact.outcome, Outcome::Certified, "{contact:?}");
}

//! The same shape gets the same fit: turned, moved, mirrored, scaled, and with its points or triangles in another order.

mod shapes;
mod way;

use nalgebra::{Point3, Unit, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_fit::{
    Aim, Axis, Family, Fit, FitOptions, Loss, Mesh, MeshOptions, PartsOptions, Target, fit,
    fit_mesh, fit_parts, refine_union,
};
use way::Way;

/// Volumes agree to this part.
const SAME: f64 = 1e-3;

fn moved(way: &mut Way, points: &[Point3<f64>]) -> Vec<Point3<f64>> {
    let points = points.iter().map(|p| way.point(p)).collect();
    way.shuffled(points)
}

/// The body as a mirror shows it: a superovoid is its own mirror image along its x axis.
fn moved_body(way: &Way, fit: &Fit) -> Fit {
    let axis = |k: usize| way.direction(&(fit.pose * Vector3::ith(k, 1.0)));
    let x = if way.mirrored { -axis(0) } else { axis(0) };
    let turn = nalgebra::Matrix3::from_columns(&[x, axis(1), axis(2)]);
    let turn = nalgebra::Rotation3::from_matrix_unchecked(turn);
    let center = way.point(&Point3::from(fit.pose.translation.vector));
    let shape = &fit.shape;
    let semi_axes = shape.semi_axes().map(|a| a * way.scale);
    let shape = superovoid::Superovoid::new(semi_axes, shape.exponents(), shape.tapers());
    let turn = UnitQuaternion::from_rotation_matrix(&turn);
    let pose = nalgebra::Isometry3::from_parts(center.into(), turn);
    Fit::new(shape.unwrap(), pose, fit.time)
}

fn volume(fits: &[Fit]) -> f64 {
    fits.iter().map(|fit| fit.shape.volume()).sum()
}

/// Volumes of fits to a shape and to the shape moved agree.
fn check_volumes(name: &str, way: &Way, before: &[Fit], after: &[Fit]) {
    let (before, after) = (volume(before) * way.scale.powi(3), volume(after));
    let off = (after / before - 1.0).abs();
    assert!(off < SAME, "{name}: volumes differ by {off}");
}

/// The bodies are the same ones, moved: the same way from the centre to each point of the shape leads out of both.
fn check_bodies(name: &str, way: &Way, points: &[Point3<f64>], before: &[Fit], after: &[Fit]) {
    check_volumes(name, way, before, after);
    assert_eq!(before.len(), after.len(), "{name}");
    for (a, b) in before.iter().zip(after) {
        for p in points {
            let (a, b) = (gauge(a, p), gauge(b, &way.point(p)));
            assert!((a / b - 1.0).abs() < 1e-3, "{name}: {a} and {b} at {p}");
        }
    }
}

/// How many times as large a body has to be to reach a point, by bisection.
fn gauge(fit: &Fit, p: &Point3<f64>) -> f64 {
    let local = fit.pose.inverse_transform_point(p);
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..50 {
        let middle = f64::sqrt(low * high);
        let holds = fit.shape.inside_outside(&(local / middle)) <= 0.0;
        *(if holds { &mut high } else { &mut low }) = middle;
    }
    high
}

/// A hull with no symmetry, which a mirror makes another shape.
fn odd() -> Mesh {
    let p = |x: f64, y: f64, z: f64| Point3::new(x, y, z);
    shapes::hull(vec![
        p(-1.0, -0.7, -0.5),
        p(1.1, -0.6, -0.4),
        p(0.9, 0.8, -0.6),
        p(-0.8, 0.5, -0.5),
        p(-0.7, -0.4, 0.6),
        p(0.5, 0.6, 0.4),
        p(0.8, -0.5, 0.7),
    ])
}

fn options(aim: Aim) -> MeshOptions<'static> {
    let mut options = MeshOptions::default().with_samples(200);
    options.fit.aim = aim;
    options
}

#[test]
fn symmetric_meshes_turned_and_mirrored_get_the_same_volume() {
    let block = shapes::blocks(&[[[-1.0; 3], [1.0; 3]]]);
    let tetrahedron = shapes::hull(
        block
            .vertices()
            .iter()
            .copied()
            .filter(odd_corner)
            .collect(),
    );
    let meshes = [
        ("tetrahedron", tetrahedron),
        ("cube", block),
        ("prism", shapes::prism(3, [1.0, 1.0, 0.4], 1.0)),
    ];
    for (name, mesh) in meshes {
        let first = fit_mesh(&mesh, &options(Aim::Enclosing)).unwrap();
        for seed in 0..2 {
            let mut way = Way::new(seed);
            let again = fit_mesh(&way.mesh(&mesh), &options(Aim::Enclosing)).unwrap();
            check_volumes(name, &way, &[first], &[again]);
        }
    }
}

fn odd_corner(p: &Point3<f64>) -> bool {
    p.x * p.y * p.z > 0.0
}

#[test]
fn a_mirrored_mesh_gets_the_mirrored_body() {
    let mesh = odd();
    for aim in [Aim::Enclosing, Aim::Inscribed] {
        let mut way = Way::new(3);
        let first = fit_mesh(&mesh, &options(aim)).unwrap();
        let again = fit_mesh(&way.mesh(&mesh), &options(aim)).unwrap();
        check_bodies(
            &format!("{aim:?}"),
            &way,
            mesh.vertices(),
            &[first],
            &[again],
        );
    }
}

/// Points with noise, some of them far off.
fn scan() -> Vec<Point3<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut points = shapes::tessellated([0.5, 0.7, 1.0], [0.6, 0.8], [0.2; 2], 14)
        .vertices()
        .to_vec();
    for (k, p) in points.iter_mut().enumerate() {
        let far = if k % 11 == 0 { 0.5 } else { 0.01 };
        *p += Vector3::from_fn(|_, _| random.random_range(-far..far));
    }
    points
}

#[test]
fn points_in_another_order_and_frame_get_the_same_body() {
    let points = scan();
    for (loss, family) in [
        (Loss::Robust, Family::Convex),
        (Loss::Squares, Family::Superellipsoid),
    ] {
        let options = FitOptions::default().with_loss(loss).with_family(family);
        let mut way = Way::new(1);
        let first = fit(&points, &options).unwrap();
        let again = fit(&moved(&mut way, &points), &options).unwrap();
        check_bodies(&format!("{loss:?}"), &way, &points, &[first], &[again]);
    }
}

#[test]
fn a_given_axis_moves_with_a_cube() {
    // Of the cube's symmetries the axis keeps only few.
    let block = shapes::blocks(&[[[-1.0; 3], [1.0; 3]]]);
    let direction = Vector3::new(0.1, 0.2, 1.0);
    let through = Point3::new(0.1, 0.05, 0.0);
    let with = |direction: Vector3<f64>, through: Point3<f64>| {
        let mut options = options(Aim::Best);
        options.fit.axis = Some(Axis {
            direction: Unit::new_normalize(direction),
            through: Some(through),
        });
        options
    };
    let mut way = Way::new(5);
    let first = fit_mesh(&block, &with(direction, through)).unwrap();
    // The other direction and another point of the same axis.
    let moved = with(
        -way.direction(&direction),
        way.point(&(through + 2.0 * direction)),
    );
    let again = fit_mesh(&way.mesh(&block), &moved).unwrap();
    let points = block.vertices();
    check_bodies("axis", &way, points, &[first], &[again]);
}

/// The parts of a mesh by an aim.
fn parts(mesh: &Mesh, aim: Aim, most: u32) -> Vec<Fit> {
    let mut mesh_options = options(aim);
    // Without the distances both ways, which take most of the time.
    mesh_options.fit.loss = Loss::Robust;
    let options = PartsOptions::default()
        .with_mesh(mesh_options)
        .with_most(most)
        .with_gain(0.0)
        .with_resolution(24);
    let parts = fit_parts(mesh, &options).unwrap();
    parts.iter().map(|part| part.fit).collect()
}

#[test]
fn parts_and_their_union_are_mirrored_with_the_mesh() {
    let mesh = shapes::angle(1.0, 0.7, 0.25);
    let mut way = Way::new(1);
    let moved = way.mesh(&mesh);
    let (first, again) = (parts(&mesh, Aim::Best, 4), parts(&moved, Aim::Best, 4));
    assert!(first.len() > 1);
    check_bodies("parts", &way, mesh.vertices(), &first, &again);
    // From the same bodies, so that nothing but the refinement counts.
    let again: Vec<Fit> = first.iter().map(|fit| moved_body(&way, fit)).collect();
    let first = refine_union(&mesh, &first).unwrap();
    let again = refine_union(&moved, &again).unwrap();
    check_bodies("union", &way, mesh.vertices(), &first, &again);
}

#[test]
fn several_enclosing_bodies_are_mirrored_with_the_mesh() {
    let mesh = odd();
    let mut way = Way::new(7);
    let first = parts(&mesh, Aim::Enclosing, 2);
    let again = parts(&way.mesh(&mesh), Aim::Enclosing, 2);
    assert_eq!(first.len(), 2);
    check_bodies("cover", &way, mesh.vertices(), &first, &again);
}

/// `SHAPES` and `WAYS` take fewer of them. That all 4,000 are the same before they are fitted is tested in `crates/fit/src/frame.rs`.
#[test]
#[ignore = "4,000 fits of each kind"]
fn two_hundred_meshes_in_twenty_frames_get_the_same_volumes_long() {
    let asked =
        |name: &str, all: usize| std::env::var(name).map_or(all, |number| number.parse().unwrap());
    let (count, ways) = (asked("SHAPES", 200), asked("WAYS", 20));
    let mut largest = [0.0f64; 3];
    for (name, mesh) in shapes::all().into_iter().step_by(200 / count) {
        let kinds = |mesh: &Mesh| {
            let surface = options(Aim::Best).with_target(Target::Surface);
            [options(Aim::Best), options(Aim::Enclosing), surface]
                .map(|options| fit_mesh(mesh, &options).unwrap().shape.volume())
        };
        let first = kinds(&mesh);
        for seed in 0..ways as u64 {
            let mut way = Way::new(seed);
            let again = kinds(&way.mesh(&mesh));
            for k in 0..3 {
                let off = (again[k] / (first[k] * way.scale.powi(3)) - 1.0).abs();
                largest[k] = largest[k].max(off);
                assert!(off < SAME, "{name} {seed} {k}: volumes differ by {off}");
            }
        }
    }
    println!("{count} meshes, {ways} frames: largest difference of volumes {largest:?}");
}

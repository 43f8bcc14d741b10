//! Rays against shapes of every kind, by the stretches of the line in their parts, which bisection of a convex function finds,
//! and triangles one by one.

use crate::sets::{any_direction, any_pose, spread};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};
use superovoid::convex::ConvexShape;
use superovoid::polytope::{ConvexHull, Cuboid, Segment, Triangle};
use superovoid::{Aabb, HalfSpace, Plane, QueryError, Ray, RayHit, Shape, Superovoid};

/// A convex function of a point in the shape's frame: negative inside, and outside at most the distance.
type Part = Box<dyn Fn(&Vector3<f64>) -> f64>;

/// Planes of the hull of points: those of three of them that have the others on one side.
fn hull_part(points: &[Point3<f64>]) -> Part {
    let mut planes = Vec::new();
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            for r in &points[j + 1..] {
                let n = (q - p).cross(&(r - p));
                if n.norm() < 1e-12 {
                    continue;
                }
                for n in [n.normalize(), -n.normalize()] {
                    let height = n.dot(&p.coords);
                    if points.iter().all(|x| n.dot(&x.coords) <= height + 1e-12) {
                        planes.push((n, height));
                    }
                }
            }
        }
    }
    let above = |x: &Vector3<f64>, (n, height): &(Vector3<f64>, f64)| n.dot(x) - height;
    Box::new(move |x| (planes.iter().map(|plane| above(x, plane))).fold(f64::MIN, f64::max))
}

fn box_part(Aabb { min, max }: Aabb) -> Part {
    Box::new(move |x| {
        let beyond = |i: usize| (min[i] - x[i]).max(x[i] - max[i]);
        beyond(0).max(beyond(1)).max(beyond(2))
    })
}

/// A shape of a size near 1, its parts, and whether it is a surface (without an inside), which has triangles instead.
struct Case {
    name: &'static str,
    shape: Shape,
    parts: Vec<Part>,
    triangles: Vec<[Point3<f64>; 3]>,
}

fn solid(name: &'static str, shape: impl Into<Shape>, parts: Vec<Part>) -> Case {
    let triangles = Vec::new();
    Case {
        name,
        shape: shape.into(),
        parts,
        triangles,
    }
}

/// A tetrahedron with its corners anticlockwise seen from outside.
fn tetrahedron(rng: &mut impl Rng, center: Vector3<f64>) -> [Point3<f64>; 4] {
    loop {
        let p = [0; 4].map(|_| Point3::from(any_direction(rng) + center));
        let [a, b, c] = [p[1] - p[0], p[2] - p[0], p[3] - p[0]];
        if a.dot(&b.cross(&c)) > 0.3 {
            return p;
        }
    }
}

const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn cases(rng: &mut ChaCha8Rng) -> Vec<Case> {
    let [a, b, c] = [0; 3].map(|_| spread(rng, 0.05, 1.0));
    let ball: Part = Box::new(move |x| x.norm() - a);
    let cylinder: Part = Box::new(move |x| (x.xy().norm() - a).max(x.z.abs() - 0.5 * b));
    let capsule: Part = Box::new(move |x| {
        let z = x.z - x.z.clamp(-0.5 * b, 0.5 * b);
        Vector3::new(x.x, x.y, z).norm() - a
    });
    let slant = b / a.hypot(b);
    let cone: Part =
        Box::new(move |x| ((x.xy().norm() - a * (0.5 * b - x.z) / b) * slant).max(-x.z - 0.5 * b));
    let around = |half: Vector3<f64>| Aabb {
        min: (-half).into(),
        max: half.into(),
    };
    let half = Vector3::new(a, b, c);
    let points: Vec<_> = (0..rng.random_range(4..9))
        .map(|_| Point3::from(any_direction(rng) * spread(rng, 0.3, 1.0)))
        .collect();
    let n = any_direction(rng);
    let height = rng.random_range(-0.5..0.5);
    let boxes: Vec<_> = (0..12)
        .map(|_| {
            // On a grid, so that they touch.
            let min = Point3::from(Vector3::from_fn(|_, _| {
                f64::from(rng.random_range(-4..4)) / 4.0
            }));
            let size = Vector3::from_fn(|_, _| f64::from(rng.random_range(1..3)) / 4.0);
            Aabb {
                min,
                max: min + size,
            }
        })
        .collect();
    let heights: Vec<_> = (0..20).map(|_| rng.random_range(-0.3..0.5)).collect();
    let field = HeightField::new(heights, 4, [-1.0, 1.0], [1.0, -1.0], -0.5).unwrap();
    let mut prisms = Vec::new();
    for (row, column) in (1..5).flat_map(|row| (1..4).map(move |column| (row, column))) {
        for corner in [field.point(row - 1, column - 1), field.point(row, column)] {
            let top = [
                corner,
                field.point(row, column - 1),
                field.point(row - 1, column),
            ];
            let below = top.map(|p| Point3::new(p.x, p.y, -0.5));
            prisms.push(hull_part(&[top, below].concat()));
        }
    }
    let shells =
        [Vector3::zeros(), any_direction(rng) * 0.7].map(|center| tetrahedron(rng, center));
    let faces = (0..2).flat_map(|k| FACES.map(|face| face.map(|v| v + 4 * k)));
    let mesh = TriMesh::new(shells.concat(), faces.collect()).unwrap();
    assert!(mesh.is_solid());
    let soup: Vec<_> = (0..20)
        .map(|_| {
            let at = Point3::from(any_direction(rng) * 0.7);
            [0; 3].map(|_| at + any_direction(rng) * 0.4)
        })
        .collect();
    let open = TriMesh::new(
        soup.concat(),
        (0..20).map(|k| [0, 1, 2].map(|i| 3 * k + i)).collect(),
    );
    let surface = |name, shape: Shape, triangles| Case {
        triangles,
        ..solid(name, shape, Vec::new())
    };
    let closed = mesh.clone().surface();
    let closed_triangles = shells
        .iter()
        .flat_map(|p| FACES.map(|f| f.map(|v| p[v as usize])));
    vec![
        solid("ball", ConvexShape::ball(a).unwrap(), vec![ball]),
        solid(
            "cylinder",
            ConvexShape::cylinder(a, b).unwrap(),
            vec![cylinder],
        ),
        solid(
            "capsule",
            ConvexShape::capsule(a, b).unwrap(),
            vec![capsule],
        ),
        solid("cone", ConvexShape::cone(a, b).unwrap(), vec![cone]),
        solid(
            "box",
            ConvexShape::cuboid([a, b, c]).unwrap(),
            vec![box_part(around(half))],
        ),
        solid(
            "box by corners",
            Cuboid::new([a, b, c]).unwrap(),
            vec![box_part(around(half))],
        ),
        solid(
            "hull",
            ConvexShape::hull(&points).unwrap(),
            vec![hull_part(&points)],
        ),
        solid(
            "hull of a query",
            ConvexHull::new(points.clone()).unwrap(),
            vec![hull_part(&points)],
        ),
        solid(
            "half-space",
            HalfSpace::new(n, height).unwrap(),
            vec![Box::new(move |x| n.dot(x) - height)],
        ),
        solid(
            "boxes",
            BoxSet::new(boxes.clone()).unwrap(),
            boxes.into_iter().map(box_part).collect(),
        ),
        solid("terrain", field, prisms),
        solid(
            "solid mesh",
            mesh,
            shells.iter().map(|p| hull_part(p)).collect(),
        ),
        surface(
            "triangle",
            Triangle::new(soup[0]).unwrap().into(),
            vec![soup[0]],
        ),
        surface("open mesh", open.unwrap().into(), soup),
        surface(
            "surface of a closed mesh",
            closed.into(),
            closed_triangles.collect(),
        ),
    ]
}

/// The stretch of a line in a part, by golden sections and bisection.
fn stretch(part: &Part, from: &Vector3<f64>, along: &Vector3<f64>, reach: f64) -> Option<[f64; 2]> {
    let f = |s: f64| part(&(from + along * s));
    let (mut low, mut high) = (-reach, reach);
    for _ in 0..150 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if f(a) < f(b) {
            high = b;
        } else {
            low = a;
        }
    }
    let lowest = 0.5 * (low + high);
    let border = |mut outside: f64| {
        let mut inside = lowest;
        if f(outside) <= 0.0 {
            return f64::INFINITY.copysign(outside);
        }
        for _ in 0..150 {
            let middle = 0.5 * (inside + outside);
            if f(middle) <= 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    (f(lowest) < 0.0).then(|| [border(-reach), border(reach)])
}

/// Where a line meets a triangle (T. Möller, B. Trumbore 1997).
fn meets([p, q, r]: &[Point3<f64>; 3], from: &Vector3<f64>, along: &Vector3<f64>) -> Option<f64> {
    let (e, f) = (q - p, r - p);
    let det = e.dot(&along.cross(&f));
    let t = from - p.coords;
    let u = t.dot(&along.cross(&f)) / det;
    let v = along.dot(&t.cross(&e)) / det;
    let s = f.dot(&t.cross(&e)) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && s >= 0.0).then_some(s)
}

/// What a ray hits, by the oracle, as a length; `None` for a miss.
fn expected(case: &Case, from: &Vector3<f64>, along: &Vector3<f64>, filled: bool) -> Option<f64> {
    if !case.triangles.is_empty() {
        let hits = case.triangles.iter().filter_map(|t| meets(t, from, along));
        return hits.min_by(f64::total_cmp);
    }
    let reach = 1e6 * (1.0 + from.norm());
    let stretches = case
        .parts
        .iter()
        .filter_map(|part| stretch(part, from, along, reach));
    let mut stretches: Vec<_> = stretches.collect();
    stretches.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let inside = stretches
        .iter()
        .any(|[enter, leave]| *enter < 0.0 && *leave > 0.0);
    if !inside {
        return stretches.iter().map(|s| s[0]).find(|s| *s >= 0.0);
    }
    if filled {
        return Some(0.0);
    }
    let mut end = 0.0_f64;
    for [enter, leave] in stretches {
        if enter <= end + 1e-9 {
            end = end.max(leave);
        }
    }
    end.is_finite().then_some(end)
}

/// Returns how many rays were judged and how many of them hit.
fn judge(case: &Case, rng: &mut ChaCha8Rng, rays: usize) -> [usize; 2] {
    let mut count = [0; 2];
    for _ in 0..rays {
        let at = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)) * spread(rng, 0.02, 1.0);
        let along = match rng.random_range(0..3) {
            0 => Vector3::ith(
                rng.random_range(0..3),
                if rng.random_bool(0.5) { 1.0 } else { -1.0 },
            ),
            _ => any_direction(rng),
        };
        let back = if rng.random_bool(0.3) {
            0.0
        } else {
            spread(rng, 1e-3, 1e3)
        };
        let from = at - along * back;
        let filled = rng.random_bool(0.5);
        let right = expected(case, &from, &along, filled);

        // The same in another place, of another size of direction.
        let pose = any_pose(rng, 1.0);
        let speed = spread(rng, 1e-3, 1e3);
        let ray = Ray {
            origin: pose * Point3::from(from),
            direction: pose.rotation * along * speed,
        };
        let hit = case
            .shape
            .ray_cast(&pose, &ray, f64::INFINITY, filled)
            .unwrap();
        let name = case.name;
        let shown = format!("{name}: {from:?} {along:?} filled {filled}: {hit:?}, right {right:?}");
        count[0] += 1;
        let (Some(hit), Some(s)) = (hit, right) else {
            assert!(
                hit.is_none() == right.is_none() || grazes(case, &from, &along),
                "{shown}"
            );
            continue;
        };
        count[1] += 1;
        let tolerance = 1e-11 * (1.0 + from.norm());
        let normal = pose.rotation.inverse() * hit.normal.into_inner();
        let slope = normal.dot(&along).abs();
        let near = (hit.time_of_impact * speed - s).abs() * slope <= tolerance;
        assert!(near || grazes(case, &from, &along), "{shown}");
        if s == 0.0 {
            assert_eq!(hit.time_of_impact, 0.0, "{shown}");
            continue;
        }
        let point = pose.inverse() * hit.point;
        assert!(
            (point.coords - from - along * s).norm() * slope <= tolerance,
            "{shown}"
        );
        judge_normal(case, &point.coords, &normal, &shown);
        // A limit of time cuts the hit off, and only then.
        let just = |k: f64| {
            let most = hit.time_of_impact * k;
            (case.shape.ray_cast(&pose, &ray, most, filled).unwrap()).is_some()
        };
        assert!(just(1.0 + 1e-12) && !just(1.0 - 1e-12), "{shown}");
    }
    count
}

/// Whether a line passes an edge, a tip or a surface so closely that rounding decides.
fn grazes(case: &Case, from: &Vector3<f64>, along: &Vector3<f64>) -> bool {
    let shifts = (0..40).map(|k| {
        let turn = f64::from(k) * 2.4;
        let across = along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize();
        (across * turn.cos() + along.cross(&across) * turn.sin()) * 1e-9 * (1.0 + from.norm())
    });
    let answers: Vec<_> = shifts
        .flat_map(|shift| {
            [false, true].map(|filled| (filled, expected(case, &(from + shift), along, filled)))
        })
        .collect();
    [false, true].iter().any(|filled| {
        let of = || {
            answers
                .iter()
                .filter(|answer| answer.0 == *filled)
                .map(|answer| answer.1)
        };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        of().flatten()
            .for_each(|s| (low, high) = (low.min(s), high.max(s)));
        of().any(|s| s.is_none()) && of().any(|s| s.is_some())
            || high - low > 1e-6 * (1.0 + from.norm())
    })
}

/// The normal is a unit vector, and the body ends across it.
fn judge_normal(case: &Case, point: &Vector3<f64>, normal: &Vector3<f64>, shown: &str) {
    assert!((normal.norm() - 1.0).abs() < 1e-13, "{shown}");
    if !case.triangles.is_empty() {
        return;
    }
    let inside = |x: Vector3<f64>| {
        case.parts
            .iter()
            .map(|part| part(&x))
            .fold(f64::MAX, f64::min)
    };
    let step = 1e-8;
    // At an edge the normal is of one of its faces, and beyond it another one may follow.
    assert!(
        inside(point + normal * step) > -1e-2 * step,
        "outside: {shown}"
    );
    let behind = inside(point - normal * step);
    assert!(behind < 0.3 * step, "inside by {behind:e}: {shown}");
}

#[test]
fn rays_meet_every_kind_of_shape_where_its_parts_say() {
    rays(40, 40);
}

#[test]
#[ignore = "a long draw"]
fn a_long_draw_of_rays_against_every_kind_of_shape() {
    rays(1_000, 100);
}

fn rays(draws: u64, each: usize) {
    let mut met = std::collections::BTreeMap::new();
    for draw in 0..draws {
        let mut rng = ChaCha8Rng::seed_from_u64(draw);
        for case in cases(&mut rng) {
            let [rays, hits] = judge(&case, &mut rng, each);
            let sum = met.entry(case.name).or_insert([0, 0]);
            *sum = [sum[0] + rays, sum[1] + hits];
        }
    }
    for (name, [rays, hits]) in met {
        println!("{name}: {rays} rays, {hits} hits");
        // A single triangle is small.
        assert!(hits * 150 > rays && hits < rays, "{name}");
    }
}

fn cast(shape: &Shape, origin: [f64; 3], direction: [f64; 3], solid: bool) -> Option<RayHit> {
    let ray = Ray {
        origin: origin.into(),
        direction: direction.into(),
    };
    let cast = shape.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, solid);
    cast.expect("a valid query")
}

/// A cube of edges 2 about the origin, and inside it a cavity of edges 1.
fn hollow_cube() -> TriMesh {
    let corner = |k: u32, half: f64| {
        Point3::from(Vector3::from_fn(
            |i, _| if k >> i & 1 == 1 { half } else { -half },
        ))
    };
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let outer = faces
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let inner = outer.clone().map(|[a, b, c]| [a + 8, c + 8, b + 8]);
    let vertices = (0..8)
        .map(|k| corner(k, 1.0))
        .chain((0..8).map(|k| corner(k, 0.5)));
    TriMesh::new(vertices.collect(), outer.chain(inner).collect()).unwrap()
}

#[test]
fn a_ray_in_a_cavity_is_outside_the_solid() {
    let mesh = Shape::from(hollow_cube());
    for solid in [true, false] {
        let hit = cast(&mesh, [0.1, 0.2, 0.0], [0.0, 0.0, 1.0], solid).unwrap();
        assert_eq!(hit.time_of_impact, 0.5);
        assert_eq!(*hit.normal, -Vector3::z());
    }
    // In the wall: a body is hit at once, a shell where the ray comes into the cavity.
    let inside = cast(&mesh, [0.1, 0.2, -0.75], [0.0, 0.0, 2.0], true).unwrap();
    assert_eq!(
        (inside.time_of_impact, *inside.normal),
        (0.0, -Vector3::z())
    );
    let shell = cast(&mesh, [0.1, 0.2, -0.75], [0.0, 0.0, 2.0], false).unwrap();
    assert_eq!((shell.time_of_impact, *shell.normal), (0.125, Vector3::z()));
    assert!(cast(&mesh, [0.1, 0.2, 1.5], [0.0, 0.0, 2.0], true).is_none());
}

/// Through every vertex and edge, and along faces: a ray into the middle of a closed mesh hits it.
#[test]
fn no_ray_slips_between_two_triangles() {
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let steps = 12;
    let mut vertices = Vec::new();
    for i in 0..=steps {
        for k in 0..steps {
            let [u, v] =
                [f64::from(i) / 12.0, f64::from(k) / 6.0].map(|x| x * std::f64::consts::PI);
            // The poles are many vertices at one place.
            let sine = if i == 0 || i == steps { 0.0 } else { u.sin() };
            vertices.push(Point3::new(sine * v.cos(), sine * v.sin(), u.cos()));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..steps {
        for k in 0..steps {
            let at = |i: u32, k: u32| i * steps + k % steps;
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mesh = TriMesh::new(vertices.clone(), triangles.clone()).unwrap();
    assert!(mesh.is_solid());
    let shapes = [Shape::from(mesh.clone()), Shape::from(mesh.surface())];
    for [a, b, c] in triangles {
        let [a, b, c] = [a, b, c].map(|v| vertices[v as usize]);
        for target in [
            a,
            nalgebra::center(&a, &b),
            nalgebra::center(&a, &c),
            a + (b - a) * rng.random_range(0.0..1.0),
        ] {
            let toward = target.coords * -rng.random_range(0.1..3.0);
            let from = target - toward * rng.random_range(0.5..50.0);
            for shape in &shapes {
                let hit = cast(shape, from.coords.into(), toward.into(), true);
                let hit = hit.unwrap_or_else(|| panic!("{from:?} {toward:?}"));
                assert!((hit.point - target).norm() < 1e-13 * (1.0 + from.coords.norm()));
                let inside = cast(shape, [0.0; 3], target.coords.into(), false).unwrap();
                assert!((inside.point - target).norm() < 1e-13);
            }
        }
    }
}

#[test]
fn flat_things_have_two_sides() {
    let plane = Shape::from(Plane::new(Vector3::z(), 1.0).unwrap());
    for solid in [true, false] {
        for (z, toward) in [(3.0, -1.0), (-1.0, 1.0)] {
            let hit = cast(&plane, [5.0, 0.0, z], [1.0, 0.0, toward], solid).unwrap();
            assert_eq!(
                (hit.point, hit.time_of_impact),
                (Point3::new(7.0, 0.0, 1.0), 2.0)
            );
            assert_eq!(*hit.normal, Vector3::z() * -toward);
        }
        assert!(cast(&plane, [0.0, 0.0, 3.0], [1.0, 0.0, 0.0], solid).is_none());
        assert!(cast(&plane, [0.0, 0.0, 3.0], [1.0, 0.0, 0.1], solid).is_none());
        let ends = [Point3::origin(), Point3::new(0.0, 0.0, 1.0)];
        let segment = Shape::from(Segment::new(ends[0], ends[1]).unwrap());
        let hit = cast(&segment, [-2.0, 0.0, 0.25], [4.0, 0.0, 0.0], solid).unwrap();
        assert!((hit.time_of_impact - 0.5).abs() < 1e-15);
        assert!(cast(&segment, [-2.0, 1e-9, 0.25], [4.0, 0.0, 0.0], solid).is_none());
    }
}

#[test]
fn a_convex_superovoid_is_hit_as_the_superovoid_itself() {
    let egg = Superovoid::new([0.2, 0.3, 0.5], [0.7, 1.2], [0.2, -0.1]).unwrap();
    let (own, convex) = (Shape::from(egg), Shape::from(ConvexShape::from(egg)));
    let [from, along] = [[3.0, 0.1, 0.2], [-1.0, 0.0, 0.02]];
    let hit = cast(&own, from, along, true);
    assert!(hit.is_some() && hit == cast(&convex, from, along, true));
}

/// Lengths of 1e±100 metres neither overflow nor lose digits.
#[test]
fn rays_at_bodies_of_any_size() {
    for size in [1e-100, 1e-9, 1e9, 1e100] {
        let shapes: [(Shape, f64); 5] = [
            (ConvexShape::ball(size).unwrap().into(), 1.0),
            (ConvexShape::capsule(size, size).unwrap().into(), 1.0),
            (ConvexShape::cylinder(size, size).unwrap().into(), 1.0),
            // Half its length is where its radius is half that of its base.
            (ConvexShape::cone(size, size).unwrap().into(), 0.5),
            (Cuboid::new([size; 3]).unwrap().into(), 1.0),
        ];
        for (shape, at) in shapes {
            let hit = cast(&shape, [-3.0 * size, 0.0, 0.0], [1.0, 0.0, 0.0], true).unwrap();
            let t = hit.time_of_impact / size;
            assert!((t - (3.0 - at)).abs() < 1e-14, "{size:e} {t}");
        }
    }
}

#[test]
fn what_cannot_be_cast_is_named() {
    let can = Shape::from(ConvexShape::cylinder(1.0, 1.0).unwrap());
    let here = Isometry3::identity();
    let good = Ray {
        origin: Point3::origin(),
        direction: Vector3::x(),
    };
    let refused = |ray: Ray, most: f64| match can.ray_cast(&here, &ray, most, true) {
        Err(QueryError::Input { name, .. } | QueryError::Option { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    let direction = Vector3::zeros();
    assert_eq!(refused(Ray { direction, ..good }, 1.0), "ray direction");
    let origin = Point3::new(f64::NAN, 0.0, 0.0);
    assert_eq!(refused(Ray { origin, ..good }, 1.0), "ray origin");
    for most in [-1.0, f64::NAN] {
        assert_eq!(refused(good, most), "max_time_of_impact");
    }
}

//! Several enclosing bodies hold the whole hull: judged by random points of the hull, which share nothing with the cells.

use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_fit::{Aim, Cover, Family, Mesh, PartsOptions, fit_cover, fit_parts};

/// The corners of a hull, and its planes n·x ≤ h by brute force.
struct Hull {
    corners: Vec<Point3<f64>>,
    planes: Vec<(Vector3<f64>, f64)>,
}

impl Hull {
    fn of(corners: Vec<Point3<f64>>) -> Hull {
        let mut planes = Vec::new();
        let n = corners.len();
        for (i, j, k) in
            (0..n).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k))))
        {
            let cross = (corners[j] - corners[i]).cross(&(corners[k] - corners[i]));
            let Some(normal) = cross.try_normalize(1e-12) else {
                continue;
            };
            for normal in [normal, -normal] {
                let h = normal.dot(&corners[i].coords);
                if corners.iter().all(|c| normal.dot(&c.coords) <= h + 1e-12) {
                    planes.push((normal, h));
                }
            }
        }
        Hull { corners, planes }
    }

    fn holds(&self, x: &Point3<f64>) -> bool {
        self.planes.iter().all(|(n, h)| n.dot(&x.coords) <= *h)
    }

    /// A point of the hull: of its inside, of the hull of two, three or four corners, or a corner.
    fn point(&self, rng: &mut ChaCha8Rng) -> Point3<f64> {
        let count = rng.random_range(1..6usize);
        let weights: Vec<f64> = (0..count)
            .map(|_| -rng.random_range(1e-12..1.0f64).ln())
            .collect();
        let total: f64 = weights.iter().sum();
        let sum = weights.iter().map(|w| {
            let corner = self.corners[rng.random_range(0..self.corners.len())];
            corner.coords * (w / total)
        });
        Point3::from(sum.sum::<Vector3<f64>>())
    }
}

fn mesh(corners: &[Point3<f64>]) -> Mesh {
    // The hull of every triple of corners.
    let n = corners.len() as u32;
    let triangles = (0..n).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| [i, j, k])));
    Mesh::new(corners.to_vec(), triangles.collect())
        .unwrap()
        .hull()
        .unwrap()
}

fn holds(cover: &Cover, x: &Point3<f64>) -> bool {
    cover.parts.iter().any(|part| {
        let local = part.fit.pose.inverse_transform_point(x);
        part.fit.shape.inside_outside(&local) <= 0.0
    })
}

fn options(most: u32, budget: Option<f64>, gain: f64) -> PartsOptions<'static> {
    let mut options = PartsOptions::default()
        .with_most(most)
        .with_budget(budget)
        .with_gain(gain);
    options.mesh.fit.aim = Aim::Enclosing;
    options.mesh.samples = 300;
    options
}

/// A prism over a triangle that leans, which no superovoid follows.
fn wedge() -> Vec<Point3<f64>> {
    let section = [[0.0, 0.0], [0.06, 0.0], [0.0, 0.04]];
    let ends = [[0.0, 0.0, 0.0], [0.02, 0.01, 0.1]];
    let corners = ends
        .iter()
        .flat_map(|[x, y, z]| section.map(|[u, v]| Point3::new(x + u, y + v, *z)));
    corners.collect()
}

fn check_that_covers_hold_their_hull(points: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let random = (0..9).map(|_| Point3::from(Vector3::from_fn(|_, _| rng.random_range(-0.1..0.1))));
    for corners in [wedge(), random.collect()] {
        let hull = Hull::of(corners.clone());
        let cover = fit_cover(&mesh(&corners), &options(3, None, 0.0)).unwrap();
        assert!(cover.parts.len() > 1, "{:?}", cover.volumes);
        for _ in 0..points {
            let x = hull.point(&mut rng);
            assert!(holds(&cover, &x), "{x} is in none of {cover:?}");
        }
    }
}

#[test]
fn bodies_about_a_cut_hull_hold_all_of_it() {
    check_that_covers_hold_their_hull(20_000);
}

#[test]
#[ignore = "ten times the points"]
fn bodies_about_a_cut_hull_hold_all_of_it_long() {
    check_that_covers_hold_their_hull(200_000);
}

#[test]
fn the_volumes_that_are_told_are_those_of_the_unions() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let hull = Hull::of(wedge());
    let cover = fit_cover(&mesh(&wedge()), &options(2, None, 0.0)).unwrap();
    assert_eq!(cover.volumes.len(), 2);
    assert!(
        cover.volumes[1] < 0.9 * cover.volumes[0],
        "{:?}",
        cover.volumes
    );
    // Points in a box about all bodies.
    let boxes = cover
        .parts
        .iter()
        .map(|part| part.fit.shape.aabb(&part.fit.pose));
    let far = Vector3::repeat(f64::INFINITY);
    let (low, high) = boxes.fold((far, -far), |(low, high), b| {
        (low.inf(&b.min.coords), high.sup(&b.max.coords))
    });
    let (mut in_hull, mut in_bodies) = (0, 0);
    for _ in 0..400_000 {
        let x = Vector3::from_fn(|i, _| rng.random_range(low[i]..high[i]));
        let x = Point3::from(x);
        in_hull += i32::from(hull.holds(&x));
        in_bodies += i32::from(holds(&cover, &x));
    }
    let counted = f64::from(in_bodies) / f64::from(in_hull);
    assert!(
        (counted / cover.volumes[1] - 1.0).abs() < 0.03,
        "{counted} {:?}",
        cover.volumes
    );
}

#[test]
fn a_box_needs_one_body_and_a_budget_takes_the_fewest() {
    let corner = |k: usize| {
        Point3::new(
            0.1 * (k & 1) as f64,
            0.2 * (k >> 1 & 1) as f64,
            0.3 * (k >> 2) as f64,
        )
    };
    let block = mesh(&(0..8).map(corner).collect::<Vec<_>>());
    let cover = fit_cover(&block, &options(2, None, 0.03)).unwrap();
    assert_eq!(cover.parts.len(), 1, "{:?}", cover.volumes);
    let wedge = mesh(&wedge());
    let one = fit_cover(&wedge, &options(4, Some(9.0), 0.0)).unwrap();
    assert_eq!((one.parts.len(), one.volumes.len()), (1, 1));
    let met = fit_cover(&wedge, &options(4, Some(0.999 * one.volumes[0]), 0.0)).unwrap();
    assert_eq!((met.parts.len(), met.volumes.len()), (2, 2));
}

#[test]
fn untapered_and_hollow_families_are_obeyed() {
    let mut asked = options(2, None, 0.0);
    asked.mesh.fit.family = Family::Superellipsoid;
    let cover = fit_cover(&mesh(&wedge()), &asked).unwrap();
    assert!(
        cover
            .parts
            .iter()
            .all(|part| part.fit.shape.tapers() == [0.0; 2])
    );
    asked.mesh.fit.family = Family::Convex;
    for part in fit_parts(&mesh(&wedge()), &asked).unwrap() {
        assert!(part.fit.shape.is_convex());
    }
}

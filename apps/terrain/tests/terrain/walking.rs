//! A walker on frozen ground, judged by code of its own: points of triangles in the walker's inside-outside function, and
//! the way of its centre against all triangles.

use crate::common::run;
use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::LazyLock;
use superovoid_terrain::{Ground, HALF, SCALE, SIDE, STEP_HEIGHT, Terrain, WALKER, Walker};

/// The exponents of the walker, (1, 0.7), written down once more.
fn inside(p: &Vector3<f64>, at: &Vector3<f64>) -> bool {
    let d = p - at;
    let flat = (d.x / WALKER[0]).powi(2) + (d.y / WALKER[1]).powi(2);
    flat.powf(1.0 / 0.7) + (d.z / WALKER[2]).abs().powf(2.0 / 0.7) < 1.0
}

fn corners(ground: &Ground, triangle: &[u32; 3]) -> [Vector3<f64>; 3] {
    triangle.map(|v| ground.vertices()[v as usize].coords)
}

/// Whether a triangle reaches into the walker, at points 12 along an edge, or the floor does.
fn pierced(ground: &Ground, at: &Vector3<f64>) -> bool {
    const N: usize = 12;
    let near = |[a, b, c]: &[Vector3<f64>; 3]| {
        (0..3).all(|k| {
            let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
            low <= at[k] + WALKER[k] && high >= at[k] - WALKER[k]
        })
    };
    let reached = |[a, b, c]: [Vector3<f64>; 3]| {
        (0..=N).any(|i| {
            (0..=N - i).any(|j| {
                let (u, v) = (i as f64 / N as f64, j as f64 / N as f64);
                inside(&(a + (b - a) * u + (c - a) * v), at)
            })
        })
    };
    let triangles = ground.triangles().iter().map(|t| corners(ground, t));
    at.z < WALKER[2] || triangles.filter(near).any(reached)
}

/// Whether a segment crosses a triangle: its ends are on both sides, and sees the three sides in one turn.
fn crosses(ground: &Ground, from: &Vector3<f64>, to: &Vector3<f64>) -> bool {
    let d = to - from;
    ground.triangles().iter().any(|t| {
        let [a, b, c] = corners(ground, t);
        let n = (b - a).cross(&(c - a));
        let (h, k) = (n.dot(&(from - a)), n.dot(&(to - a)));
        let [a, b, c] = [a, b, c].map(|x| x - from);
        let turns = [
            a.cross(&b).dot(&d),
            b.cross(&c).dot(&d),
            c.cross(&a).dot(&d),
        ];
        let all = |sign: f64| turns.iter().all(|t| t * sign > 0.0);
        h * k < 0.0 && (all(1.0) || all(-1.0))
    })
}

/// The heights at which the vertical through a place meets the ground, from below.
fn layers(ground: &Ground, x: f64, y: f64) -> Vec<f64> {
    let mut heights: Vec<f64> = ground
        .triangles()
        .iter()
        .filter_map(|t| {
            let [a, b, c] = corners(ground, t);
            let area =
                |p: &Vector3<f64>, q: &Vector3<f64>| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
            let w = [area(&b, &c), area(&c, &a), area(&a, &b)];
            let sum: f64 = w.iter().sum();
            let met = w.iter().all(|w| *w > 0.0) || w.iter().all(|w| *w < 0.0);
            met.then(|| (w[0] * a.z + w[1] * b.z + w[2] * c.z) / sum)
        })
        .collect();
    heights.sort_by(f64::total_cmp);
    heights
}

fn position(walker: &Walker) -> Vector3<f64> {
    walker.pose().position.into()
}

/// Walks for a time and judges every frame.
fn walk(walker: &mut Walker, ground: &Ground, seconds: f64, forward: f64, turn: f64) {
    for frame in 0..(60.0 * seconds) as usize {
        let before = position(walker);
        walker.step(1.0 / 60.0, forward, turn).unwrap();
        let after = position(walker);
        assert!(
            !pierced(ground, &after),
            "frame {frame}: pierced at {after:?}"
        );
        assert!(
            !crosses(ground, &before, &after),
            "frame {frame}: through at {after:?}"
        );
    }
}

/// A plane for x < 0, then one that rises with a slope for 6 m, 8 m wide.
fn ramp(angle: f64) -> Ground {
    let (end, top) = (6.0 * angle.cos(), 6.0 * angle.sin());
    let profile = [
        (-6.0, 0.5),
        (0.0, 0.5),
        (end, 0.5 + top),
        (end + 6.0, 0.5 + top),
    ];
    strip(&profile)
}

/// A step up at x = 0.
fn stair(height: f64) -> Ground {
    strip(&[
        (-6.0, 0.5),
        (0.0, 0.5),
        (0.0, 0.5 + height),
        (6.0, 0.5 + height),
    ])
}

fn strip(profile: &[(f64, f64)]) -> Ground {
    let ends = |&(x, z): &(f64, f64)| [Point3::new(x, -4.0, z), Point3::new(x, 4.0, z)];
    let vertices = profile.iter().flat_map(ends).collect();
    let quad = |k: u32| [[2 * k, 2 * k + 2, 2 * k + 3], [2 * k, 2 * k + 3, 2 * k + 1]];
    let triangles = (0..profile.len() as u32 - 1).flat_map(quad).collect();
    Ground::new(vertices, triangles).unwrap()
}

#[test]
fn slopes_below_the_limit_are_walked_up_and_others_are_not() {
    for (degrees, up) in [(20.0f64, true), (42.0, true), (48.0, false), (75.0, false)] {
        let ground = ramp(degrees.to_radians());
        let mut walker = Walker::at(&ground, [-3.0, 0.3, 2.0], 0.0).unwrap();
        walk(&mut walker, &ground, 6.0, 2.0, 0.0);
        let at = position(&walker);
        let top = 0.5 + 6.0 * degrees.to_radians().sin();
        assert!(walker.on_ground(), "{degrees}");
        if up {
            assert!((at.z - WALKER[2] - top).abs() < 0.05, "{degrees}: {at:?}");
        } else {
            assert!(at.z - WALKER[2] < 0.6 && at.x < 0.3, "{degrees}: {at:?}");
        }
    }
}

#[test]
fn a_walker_on_a_steep_slope_slides_down_and_one_on_another_stays() {
    for (degrees, stays) in [(40.0f64, true), (55.0, false)] {
        let ground = ramp(degrees.to_radians());
        let mut walker = Walker::at(&ground, [2.0, 0.0, 6.0], 0.0).unwrap();
        walk(&mut walker, &ground, 3.0, 0.0, 0.0);
        let at = position(&walker);
        assert!(
            if stays { at.x > 1.9 } else { at.x < 0.1 },
            "{degrees}: {at:?}"
        );
        assert!(walker.on_ground());
    }
}

#[test]
fn steps_up_to_the_limit_are_taken_and_others_are_not() {
    for (height, up) in [
        (0.1, true),
        (STEP_HEIGHT - 0.03, true),
        (STEP_HEIGHT + 0.05, false),
        (2.0, false),
    ] {
        let ground = stair(height);
        let mut walker = Walker::at(&ground, [-2.0, 0.3, 1.5], 0.0).unwrap();
        walk(&mut walker, &ground, 3.0, 2.0, 0.0);
        let at = position(&walker);
        assert!(walker.on_ground(), "{height}");
        assert_eq!(at.x > 1.0, up, "{height}: {at:?}");
        let floor = if up { 0.5 + height } else { 0.5 };
        assert!((at.z - WALKER[2] - floor).abs() < 0.05, "{height}: {at:?}");
    }
}

#[test]
fn what_falls_lands() {
    let ground = stair(1.0);
    let mut walker = Walker::at(&ground, [-1.0, 0.0, 15.0], 0.0).unwrap();
    assert!(!walker.on_ground());
    walk(&mut walker, &ground, 3.0, 0.0, 0.0);
    assert!(walker.on_ground());
    assert!((position(&walker).z - WALKER[2] - 0.5).abs() < 0.02);
    // Off the mesh there is the floor.
    walk(&mut walker, &ground, 6.0, -3.0, 0.0);
    assert!((position(&walker).z - WALKER[2]).abs() < 0.02 && walker.on_ground());
}

/// A row of vertices is pulled up, then sideways, and pinned: the cloth hangs over itself like a wave.
fn wave() -> Terrain {
    static TEXT: LazyLock<String> = LazyLock::new(|| raised_wave().to_json().unwrap());
    Terrain::from_json(&TEXT).unwrap()
}

fn raised_wave() -> Terrain {
    let mut terrain = Terrain::new();
    let vertex = |x: f64, y: f64| {
        let at = |x: f64| ((x + HALF) * 0.5 * (SIDE - 1) as f64).round() as usize;
        at(y) * SIDE + at(x)
    };
    let rows = [-0.4, -0.2, 0.0, 0.2, 0.4];
    for y in rows {
        terrain.grab(vertex(0.0, y)).unwrap();
        terrain.pull_to([0.0, y, 0.5]).unwrap();
        run(&mut terrain, 40, 20);
        terrain.let_go(true).unwrap();
    }
    for (k, y) in rows.into_iter().enumerate() {
        terrain.move_pin(k, [0.0, y, 0.5]).unwrap();
    }
    run(&mut terrain, 40, 20);
    for (k, y) in rows.into_iter().enumerate() {
        terrain.move_pin(k, [0.7, y, 0.5]).unwrap();
    }
    run(&mut terrain, 120, 20);
    assert_eq!(terrain.pins().len(), rows.len());
    terrain
}

#[test]
fn a_walker_goes_under_an_overhang_and_stands_there() {
    let terrain = wave();
    let ground = terrain.freeze().unwrap();
    // Where the ground lies below, the cloth above, and a walker in between.
    let far = HALF * SCALE;
    let room = 2.0 * WALKER[2] + 0.2;
    let mut found = Vec::new();
    for i in 0..80 {
        for j in 0..80 {
            let at = |k: i32| far * (f64::from(k) + 0.37) / 40.0 - far;
            let (x, y) = (at(i), at(j));
            let layers = layers(&ground, x, y);
            if layers.len() >= 3 && layers[1] - layers[0] > room {
                found.push((x, y, layers[0]));
            }
        }
    }
    assert!(!found.is_empty(), "nothing hangs over");
    let stood = found.iter().filter(|&&(x, y, low)| {
        let start = [x, y, low + WALKER[2] + 0.1];
        let Ok(mut walker) = Walker::at(&ground, start, 0.0) else {
            return false;
        };
        walk(&mut walker, &ground, 0.5, 0.0, 0.0);
        let at = position(&walker);
        let layers = layers(&ground, at.x, at.y);
        let below = layers.iter().filter(|z| **z < at.z - WALKER[2]).count();
        let above = layers.iter().filter(|z| **z > at.z + WALKER[2]).count();
        // The walker comes out by itself, and back.
        if !(walker.on_ground() && below == 1 && above >= 2) {
            return false;
        }
        walk(&mut walker, &ground, 2.0, 3.0, 0.0);
        position(&walker).x > at.x + 1.0
    });
    assert!(stood.take(3).count() > 0, "of {} places", found.len());
}

fn wander(seed: u64, seconds: f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut terrain = wave();
    for _ in 0..6 {
        let mut place = || random.random_range(-HALF..HALF);
        let id = terrain.add_body(place(), place()).unwrap();
        let e = [0; 2].map(|_| random.random_range(0.1..1.9));
        terrain.shape_body(id, e).unwrap();
    }
    run(&mut terrain, 90, 30);
    let ground = terrain.freeze().unwrap();
    let mut walker = Walker::new(&ground).unwrap();
    // The middle may be steep: then the walker slides down first.
    walk(&mut walker, &ground, 3.0, 0.0, 0.0);
    assert!(walker.on_ground(), "seed {seed}");
    let start = position(&walker);
    let mut farthest: f64 = 0.0;
    for _ in 0..seconds as usize {
        let forward = random.random_range(-2.0..6.0);
        walk(
            &mut walker,
            &ground,
            1.0,
            forward,
            random.random_range(-2.0..2.0),
        );
        farthest = farthest.max((position(&walker) - start).norm());
    }
    assert!(farthest > 2.0, "seed {seed}: it went {farthest} m");
}

#[test]
fn nothing_is_passed_through_in_random_walks() {
    wander(1, 10.0);
}

#[test]
#[ignore = "minutes"]
fn nothing_is_passed_through_in_random_walks_long() {
    for seed in 2..12 {
        wander(seed, 120.0);
    }
}

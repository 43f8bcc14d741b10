//! Strokes as hands draw them, generated.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::{PI, TAU};

/// What the stroke was meant to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Ellipse,
    Rectangle,
    Triangle,
    Line,
    Arc,
    Zigzag,
    Eight,
    Scribble,
}

pub const KINDS: [Kind; 8] = [
    Kind::Ellipse,
    Kind::Rectangle,
    Kind::Triangle,
    Kind::Line,
    Kind::Arc,
    Kind::Zigzag,
    Kind::Eight,
    Kind::Scribble,
];
/// Tremor, in parts of the stroke's greatest extent: of each point for itself, and as much in slow waves.
pub const NOISES: [f64; 4] = [0.0, 0.005, 0.01, 0.02];

impl Kind {
    /// What is right: 0 an ellipse, 1 bones, 2 refused.
    pub fn right(self) -> usize {
        match self {
            Kind::Ellipse => 0,
            Kind::Line | Kind::Arc | Kind::Zigzag => 1,
            _ => 2,
        }
    }
}

pub struct Hand(ChaCha8Rng);

impl Hand {
    pub fn new(seed: u64) -> Self {
        Hand(ChaCha8Rng::seed_from_u64(seed))
    }

    pub fn draw(&mut self, kind: Kind, noise: f64) -> Vec<[f64; 2]> {
        let size = self.0.random_range(0.12..0.42);
        let turned = self.0.random_range(0.0..TAU);
        let path = self.path(kind);
        let count = self.0.random_range(30..200);
        let (wobble, phases) = (
            self.0.random_range(0.0..0.5),
            [(); 5].map(|()| self.0.random_range(0.0..TAU)),
        );
        let point = |k: usize, rng: &mut ChaCha8Rng| {
            // Uneven speed along the path.
            let t = k as f64 / (count - 1) as f64;
            let t = t + wobble * (TAU * t).sin() / TAU;
            let [x, y] = at(&path, t);
            let slow = |a: f64, b: f64| noise * ((TAU * t + a).sin() + (2.0 * TAU * t + b).sin());
            // The extents of paths are 2.
            let mut shake = || 2.0 * noise * rng.random_range(-1.0..1.0);
            let [x, y] = [
                x + slow(phases[0], phases[1]) + shake(),
                y + slow(phases[2], phases[3]) + shake(),
            ];
            let (s, c) = turned.sin_cos();
            [0.5 + size * (c * x - s * y), 0.5 + size * (s * x + c * y)]
        };
        let mut rng = self.0.clone();
        let points = (0..count).map(|k| point(k, &mut rng)).collect::<Vec<_>>();
        self.0 = rng;
        points
            .iter()
            .map(|p| p.map(|x| x.clamp(0.0, 1.0)))
            .collect()
    }

    /// A polyline within [−1, 1]².
    fn path(&mut self, kind: Kind) -> Vec<[f64; 2]> {
        let rng = &mut self.0;
        let aspect: f64 = rng.random_range(1.0..5.0);
        // From a gap of 10 % to an overlap of 12 %.
        let turns = rng.random_range(0.9..1.12);
        let start = rng.random_range(0.0..1.0);
        let curve =
            |f: &dyn Fn(f64) -> [f64; 2]| (0..=400).map(|k| f(f64::from(k) / 400.0)).collect();
        let around = |corners: &[[f64; 2]]| {
            let closed: Vec<_> = corners.iter().chain(&corners[..1]).copied().collect();
            curve(&|t| at(&closed, (start + turns * t).fract()))
        };
        match kind {
            Kind::Ellipse => curve(&|t| {
                let (s, c) = (TAU * (start + turns * t)).sin_cos();
                [c, s / aspect]
            }),
            Kind::Rectangle => {
                let h = 1.0 / aspect;
                around(&[[-1.0, -h], [1.0, -h], [1.0, h], [-1.0, h]])
            }
            Kind::Triangle => {
                let apex = rng.random_range(-0.9..0.9);
                let h = rng.random_range(0.4..1.0);
                around(&[[-1.0, -h], [1.0, -h], [apex, h]])
            }
            Kind::Line => vec![[-1.0, 0.0], [1.0, 0.0]],
            Kind::Arc => {
                let angle = rng.random_range(0.5..1.3 * PI);
                curve(&|t| [(angle * (t - 0.5)).sin(), (angle * (t - 0.5)).cos() - 0.5])
            }
            Kind::Zigzag => {
                let teeth = rng.random_range(2..5);
                let x = |k: i32| 2.0 * f64::from(k) / f64::from(teeth) - 1.0;
                let height = rng.random_range(0.3..0.8);
                (0..=teeth)
                    .map(|k| [x(k), if k % 2 == 0 { -height } else { height }])
                    .collect()
            }
            Kind::Eight => {
                let width = rng.random_range(0.3..1.0);
                curve(&|t| {
                    let a = TAU * (start + turns * t);
                    [a.sin(), width * (2.0 * a).sin()]
                })
            }
            Kind::Scribble => {
                // Several harmonics, none of which rules.
                let wave = |rng: &mut ChaCha8Rng| -> Vec<[f64; 2]> {
                    (2..6)
                        .map(|_| [rng.random_range(0.2..0.5), rng.random_range(0.0..TAU)])
                        .collect()
                };
                let (x, y) = (wave(rng), wave(rng));
                let sum = |w: &[[f64; 2]], t: f64| {
                    let terms = w.iter().zip(2..);
                    terms
                        .map(|([a, b], k)| a * (f64::from(k) * PI * t + b).sin())
                        .sum::<f64>()
                        / 1.2
                };
                curve(&|t| [sum(&x, 1.3 * t), sum(&y, 1.3 * t)])
            }
        }
    }
}

/// The point of a polyline at a part of its length.
fn at(path: &[[f64; 2]], t: f64) -> [f64; 2] {
    let lengths: Vec<f64> = path
        .windows(2)
        .map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]))
        .collect();
    let mut left = t.clamp(0.0, 1.0) * lengths.iter().sum::<f64>();
    for (pair, length) in path.windows(2).zip(lengths) {
        if left <= length {
            let part = if length > 0.0 { left / length } else { 0.0 };
            return [0, 1].map(|i| pair[0][i] + part * (pair[1][i] - pair[0][i]));
        }
        left -= length;
    }
    path[path.len() - 1]
}

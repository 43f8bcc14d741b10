//! The surface of a body divided by its angles (φ1, φ2), every cell into four.
//!
//! Equal steps of φ crowd the points (cos^e φ, sin^e φ) of a circle at its corners, which lie between the axes for e < 1
//! and on them for e > 1: with e = 0.1 half of the points of a quarter turn are within a tenth of the corner. The paper leaves
//! a non-uniform tree as future work. The point at the polar angle θ is (cos θ, sin θ) / ‖(cos θ, sin θ)‖,
//! the norm that of the circle, and equal steps of θ keep the points a factor of 2 of evenly spaced for every e; the
//! surface angle there follows from tan φ = (tan θ)^(1/e).

use crate::Superovoid;
use crate::published::front::{Ranking, Sample, Tree};
use crate::published::scheme_options::Division;
use crate::published::trace::CellExtent;
use crate::shape::circle::{Circle, norm};
use crate::surface::circles::Circles;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::FRAC_PI_2;

/// The number of levels of the tree, as in the papers.
const LEVELS: usize = 6;
/// The number of steps in a quarter turn: the centres of all cells are at multiples of a step.
const STEPS: usize = 1 << LEVELS;

/// The cosines of the surface angles at these multiples in a quarter turn, and their powers, computed once for all
/// cells.
struct Table {
    cosines: [f64; STEPS + 1],
    powers: [f64; STEPS + 1],
}

impl Table {
    fn new(e: f64, division: Division) -> Self {
        let angle = |k: usize| k as f64 / STEPS as f64 * FRAC_PI_2;
        match division {
            Division::SurfaceAngles => {
                let mut cosines: [f64; STEPS + 1] = std::array::from_fn(|k| angle(k).cos());
                cosines[STEPS] = 0.0;
                Table {
                    cosines,
                    powers: cosines.map(|c| c.powf(e)),
                }
            }
            Division::PolarAngles => {
                let mut powers: [f64; STEPS + 1] = std::array::from_fn(|k| {
                    let (sin, cos) = angle(k).sin_cos();
                    cos / norm(cos, sin, 2.0 / e)
                });
                powers[STEPS] = 0.0;
                Table {
                    cosines: powers.map(|u| u.powf(1.0 / e)),
                    powers,
                }
            }
        }
    }

    /// Returns the surface angle at k steps, radians.
    fn angle(&self, k: isize) -> f64 {
        let quarter = STEPS as isize;
        let (whole, rest) = (k.div_euclid(quarter), k.rem_euclid(quarter) as usize);
        let within = self.cosines[STEPS - rest].atan2(self.cosines[rest]);
        whole as f64 * FRAC_PI_2 + within
    }

    /// Returns the cosine and its power at k steps.
    fn cosine(&self, k: isize) -> (f64, f64) {
        let turn = 4 * STEPS as isize;
        let k = k.rem_euclid(turn);
        let k = k.min(turn - k) as usize;
        if k <= STEPS {
            (self.cosines[k], self.powers[k])
        } else {
            let k = 2 * STEPS - k;
            (-self.cosines[k], -self.powers[k])
        }
    }

    fn circle(&self, k: isize) -> Circle {
        let ((cos, u), (sin, v)) = (self.cosine(k), self.cosine(k - STEPS as isize));
        let dual = |x: f64, power: f64| if x == 0.0 { 0.0 } else { x * x / power };
        Circle {
            u,
            v,
            u_dual: dual(cos, u),
            v_dual: dual(sin, v),
        }
    }
}

/// A cell by its centre and half its widths, in steps.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    center: [isize; 2],
    half: [isize; 2],
}

pub(super) struct Quadtree<'a> {
    shape: &'a Superovoid,
    tables: [Table; 2],
    rotation: Matrix3<f64>,
    center: Vector3<f64>,
}

impl<'a> Quadtree<'a> {
    /// Makes the tree of a body at a pose.
    pub fn new(
        shape: &'a Superovoid,
        rotation: Matrix3<f64>,
        center: Vector3<f64>,
        division: Division,
    ) -> Self {
        Quadtree {
            shape,
            tables: shape.e.map(|e| Table::new(e, division)),
            rotation,
            center,
        }
    }

    pub fn circles(&self, cell: &Cell) -> Circles {
        Circles {
            section: self.tables[0].circle(cell.center[0]),
            profile: self.tables[1].circle(cell.center[1]),
        }
    }

    fn sample(&self, cell: Cell, ranking: Ranking) -> Sample<Cell> {
        let circles = self.circles(&cell);
        let n = match ranking {
            Ranking::Nearest => Vector3::zeros(),
            Ranking::Opposed { .. } => self.rotation * circles.normal(self.shape).normalize(),
        };
        Sample {
            cell,
            x: self.rotation * circles.point(self.shape) + self.center,
            n,
        }
    }
}

impl Tree for Quadtree<'_> {
    type Cell = Cell;
    const LEVELS: usize = LEVELS;

    /// The root covers φ1 from −π to π and φ2 from −π/2 to π/2.
    fn root(&self) -> Sample<Cell> {
        let steps = STEPS as isize;
        let cell = Cell {
            center: [0, 0],
            half: [2 * steps, steps],
        };
        self.sample(cell, Ranking::Nearest)
    }

    fn extent(&self, cell: &Cell) -> CellExtent {
        let range = |i: usize| {
            [-1, 1].map(|side| self.tables[i].angle(cell.center[i] + side * cell.half[i]))
        };
        CellExtent::Angles {
            phi1: range(0),
            phi2: range(1),
        }
    }

    fn divide(&self, cell: &Cell, ranking: Ranking, mut found: impl FnMut(Sample<Cell>)) {
        let half = cell.half.map(|h| h / 2);
        for (i, j) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let center = [cell.center[0] + i * half[0], cell.center[1] + j * half[1]];
            found(self.sample(Cell { center, half }, ranking));
        }
    }
}

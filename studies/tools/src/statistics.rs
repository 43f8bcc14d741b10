//! Mean, standard deviation and median, and the errors of nearest points.

use nalgebra::Point3;

/// Mean and standard deviation of a stream of numbers (Welford).
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    count: usize,
    mean: f64,
    squares: f64,
}

impl Summary {
    /// Takes one more number in.
    pub fn add(&mut self, x: f64) {
        self.count += 1;
        let from_mean = x - self.mean;
        self.mean += from_mean / self.count as f64;
        self.squares += from_mean * (x - self.mean);
    }

    /// The mean; NaN of no numbers.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.mean }
    }

    /// The standard deviation of the sample; 0 of fewer than two numbers.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        (self.squares / (self.count - 1) as f64).sqrt()
    }

    /// How many numbers there were.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean for a table; nothing if there is none.
    pub fn cell(&self, digits: usize) -> String {
        if self.count == 0 {
            String::new()
        } else {
            format!("{:.digits$}", self.mean)
        }
    }
}

impl FromIterator<f64> for Summary {
    fn from_iter<T: IntoIterator<Item = f64>>(numbers: T) -> Self {
        let mut summary = Summary::default();
        numbers.into_iter().for_each(|x| summary.add(x));
        summary
    }
}

/// The median; NaN of no numbers.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
    }
}

/// The accuracy (20) of Gonçalves et al. 2017, the norm of the six differences of both points' coordinates, and the difference of the distances;
/// metres. The paper takes the coordinates in the frames of the bodies, which change no norm.
pub fn witness_errors(found: &[Point3<f64>; 2], exact: &[Point3<f64>; 2]) -> [f64; 2] {
    let squares: f64 = (0..2).map(|k| (found[k] - exact[k]).norm_squared()).sum();
    let length = |w: &[Point3<f64>; 2]| (w[1] - w[0]).norm();
    [squares.sqrt(), (length(found) - length(exact)).abs()]
}

//! Mean and standard deviation of a stream of numbers (Welford).

#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    count: usize,
    mean: f64,
    squares: f64,
}

impl Summary {
    pub fn add(&mut self, x: f64) {
        self.count += 1;
        let from_mean = x - self.mean;
        self.mean += from_mean / self.count as f64;
        self.squares += from_mean * (x - self.mean);
    }

    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.mean }
    }

    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        (self.squares / (self.count - 1) as f64).sqrt()
    }

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

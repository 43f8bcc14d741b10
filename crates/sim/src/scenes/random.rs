//! Random numbers of the ready scenes: SplitMix64 (Steele, Lea, Flood 2014), the same on every machine.

/// A generator with a seed.
#[derive(Clone, Copy, Debug)]
pub struct Random(u64);

impl Random {
    /// Makes a generator of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// Returns a number of the range, uniformly.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Returns a unit quaternion `[w, x, y, z]`, uniform over all orientations.
    pub fn orientation(&mut self) -> [f64; 4] {
        loop {
            let q = [0; 4].map(|_| self.within(-1.0, 1.0));
            let square: f64 = q.iter().map(|x| x * x).sum();
            if (0.01..=1.0).contains(&square) {
                let length = square.sqrt();
                return q.map(|x| x / length);
            }
        }
    }
}

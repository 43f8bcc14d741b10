//! Quantiles and spreads of measured values.

/// (largest − smallest) / median.
pub fn spread(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(0.0, f64::max);
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    (largest - smallest) / median(values)
}

/// The p-quantile of sorted values; NaN of none.
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = (p * sorted.len() as f64).ceil() as usize;
    let place = place.clamp(1, sorted.len().max(1)) - 1;
    sorted.get(place).copied().unwrap_or(f64::NAN)
}

/// Middle of the values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

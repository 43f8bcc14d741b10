//! The radius of a superhyperboloid of two sheets.

/// Returns ρ of a sheet of two at the height |ζ|, `(|ζ|^p − 1)^(1/p)`, without the power of a large number and without
/// cancellation; 0 below the sheet.
pub(crate) fn sheet_radius(zeta: f64, p: f64) -> f64 {
    let above = zeta.abs() - 1.0;
    if above <= 0.0 {
        return 0.0;
    }
    zeta.abs() * (-(-p * above.ln_1p()).exp_m1()).powf(1.0 / p)
}

//! The options that `superovoid sdf` and `superovoid mjcf` share.

use std::path::PathBuf;

/// Whether the root link may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Base {
    /// The root link is fixed to the world.
    Fixed,
    /// The root link moves freely.
    Free,
}

#[derive(clap::Args)]
pub struct Options {
    /// The number of edges around each mesh of a superovoid, rounded up to a multiple of 4; half as many from pole to pole
    #[arg(long, value_name = "N", default_value_t = 48,
          value_parser = clap::value_parser!(u32).range(8..=1024))]
    pub segments: u32,

    /// The density of the collision shapes of links without `<inertial>`, in kg/m³
    #[arg(long, value_name = "KG/M3", default_value_t = 1000.0, allow_hyphen_values = true, value_parser = positive)]
    pub density: f64,

    /// The coefficient of friction of all collision shapes
    #[arg(long, value_name = "MU", default_value_t = 1.0, allow_hyphen_values = true, value_parser = not_negative)]
    pub friction: f64,

    /// A folder that is a package or contains packages, from which meshes may be read; may be repeated
    #[arg(long = "package-path", value_name = "FOLDER")]
    pub package_paths: Vec<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err("expected a finite number above 0".to_owned()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value >= 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err("expected a finite number, 0 or more".to_owned()),
    }
}

//! Values of arguments that several commands have.

use std::str::FromStr;
use superovoid::Superovoid;
use superovoid::superquadric::{Sheets, Superquadric};

/// The value of `--shape`.
#[derive(Clone, Copy, Debug)]
pub struct Shape(pub Superovoid);

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [a1, a2, a3, e1, e2, tx, ty] = numbers(text, "a1,a2,a3,e1,e2,tx,ty")?;
        Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty])
            .map(Shape)
            .map_err(|error| error.to_string())
    }
}

/// Returns the numbers of a list with commas, as many as it has names.
fn numbers<const N: usize>(text: &str, names: &str) -> Result<[f64; N], String> {
    let mut numbers = Vec::new();
    for field in text.split(',') {
        let number: f64 = field
            .trim()
            .parse()
            .map_err(|_| format!("{field:?} is not a number"))?;
        numbers.push(number);
    }
    let count = numbers.len();
    numbers
        .try_into()
        .map_err(|_| format!("{count} numbers where {N} are needed: {names}"))
}

/// The value of `--toroid`.
pub fn toroid(text: &str) -> Result<Superquadric, String> {
    let [a1, a2, a3, e1, e2, ring] = numbers(text, "a1,a2,a3,e1,e2,ring")?;
    Superquadric::toroid([a1, a2, a3], [e1, e2], ring).map_err(|error| error.to_string())
}

/// The value of `--hyperboloid`.
pub fn hyperboloid(text: &str) -> Result<Superquadric, String> {
    let [a1, a2, a3, e1, e2, height] = numbers(text, HYPERBOLOID)?;
    Superquadric::one_sheet([a1, a2, a3], [e1, e2], height).map_err(|error| error.to_string())
}

/// The value of `--cup`.
pub fn cup(text: &str) -> Result<Superquadric, String> {
    two_sheets(text, Sheets::Upper)
}

/// The value of `--two-sheets`.
pub fn both_sheets(text: &str) -> Result<Superquadric, String> {
    two_sheets(text, Sheets::Both)
}

const HYPERBOLOID: &str = "a1,a2,a3,e1,e2,height";

fn two_sheets(text: &str, sheets: Sheets) -> Result<Superquadric, String> {
    let [a1, a2, a3, e1, e2, height] = numbers(text, HYPERBOLOID)?;
    Superquadric::two_sheets([a1, a2, a3], [e1, e2], height, sheets)
        .map_err(|error| error.to_string())
}

/// The value of `--tolerance`.
pub fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value >= 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err("expected a finite length in metres, 0 or more".to_owned()),
    }
}

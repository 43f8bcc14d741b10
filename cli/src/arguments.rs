//! Values of arguments that several commands have.

use std::str::FromStr;
use superovoid::Superovoid;

/// The value of `--shape`.
#[derive(Clone, Copy, Debug)]
pub struct Shape(pub Superovoid);

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut numbers = Vec::new();
        for field in text.split(',') {
            let number: f64 = field
                .trim()
                .parse()
                .map_err(|_| format!("{field:?} is not a number"))?;
            numbers.push(number);
        }
        let [a1, a2, a3, e1, e2, tx, ty] = numbers[..] else {
            let count = numbers.len();
            return Err(format!(
                "{count} numbers where 7 are needed: a1,a2,a3,e1,e2,tx,ty"
            ));
        };
        Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty])
            .map(Shape)
            .map_err(|error| error.to_string())
    }
}

/// The value of `--tolerance`.
pub fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value >= 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err("expected a finite length in metres, 0 or more".to_owned()),
    }
}

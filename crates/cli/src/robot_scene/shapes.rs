//! A table of shapes: a row for each, with the numbers that URDF has for it.

use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::StringRecord;
use nalgebra::Isometry3;
use std::collections::HashMap;
use std::path::Path;
use superovoid::Shape;
use superovoid::Superovoid;
use superovoid::convex::ConvexShape;
use superovoid_robot::Origin;

/// A shape that stands still.
pub struct Obstacle {
    pub name: String,
    pub shape: Shape,
    pub pose: Isometry3<f64>,
}

/// The columns of numbers, all of which may be left out.
const NUMBERS: [&str; 18] = [
    "x", "y", "z", "roll", "pitch", "yaw", "radius", "length", "size_x", "size_y", "size_z", "a1",
    "a2", "a3", "e1", "e2", "tx", "ty",
];

/// Reads the shapes of a file.
pub fn read(path: &Path) -> Result<Vec<Obstacle>> {
    let file = path.display();
    let mut rows = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)
        .with_context(|| file.to_string())?;
    let header = rows.headers().with_context(|| file.to_string())?.clone();
    for column in &header {
        let known = ["name", "shape"].contains(&column) || NUMBERS.contains(&column);
        ensure!(
            known,
            "{file}: the column {column:?} is unknown; expected name, shape and any of {}",
            NUMBERS.join(" ")
        );
    }
    let mut obstacles = Vec::new();
    for row in rows.records() {
        let row = row.with_context(|| file.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let made = Row::new(&header, &row).and_then(|row| row.obstacle());
        obstacles.push(made.map_err(|problem| anyhow!("{file}:{line}: {problem:#}"))?);
    }
    ensure!(!obstacles.is_empty(), "{file}: there is no shape in it");
    Ok(obstacles)
}

/// The values of a row by column; empty ones are left out.
struct Row<'a>(HashMap<&'a str, &'a str>);

impl<'a> Row<'a> {
    fn new(header: &'a StringRecord, row: &'a StringRecord) -> Result<Self> {
        let values = header
            .iter()
            .zip(row)
            .filter(|(_, value)| !value.is_empty());
        Ok(Row(values.collect()))
    }

    fn text(&self, column: &str) -> Result<&'a str> {
        let found = self.0.get(column).copied();
        found.with_context(|| format!("{column} is missing"))
    }

    fn optional(&self, column: &str) -> Result<f64> {
        let Some(text) = self.0.get(column) else {
            return Ok(0.0);
        };
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.with_context(|| format!("{column}: {text:?} is not a finite number"))
    }

    fn number(&self, column: &str) -> Result<f64> {
        self.text(column)?;
        self.optional(column)
    }

    fn obstacle(&self) -> Result<Obstacle> {
        let shape = self.text("shape")?;
        let pose = Origin {
            xyz: [
                self.optional("x")?,
                self.optional("y")?,
                self.optional("z")?,
            ],
            rpy: [
                self.optional("roll")?,
                self.optional("pitch")?,
                self.optional("yaw")?,
            ],
        };
        Ok(Obstacle {
            name: self.text("name")?.to_owned(),
            shape: self.shape(shape)?,
            pose: pose.isometry(),
        })
    }

    fn shape(&self, name: &str) -> Result<Shape> {
        let number = |column| self.number(column);
        Ok(match name {
            "sphere" => Superovoid::sphere(number("radius")?)?.into(),
            "box" => {
                let size = [number("size_x")?, number("size_y")?, number("size_z")?];
                ConvexShape::cuboid(size.map(|length| 0.5 * length))?.into()
            }
            "cylinder" => ConvexShape::cylinder(number("radius")?, number("length")?)?.into(),
            "capsule" => ConvexShape::capsule(number("radius")?, number("length")?)?.into(),
            "cone" => ConvexShape::cone(number("radius")?, number("length")?)?.into(),
            "superovoid" => Superovoid::new(
                [number("a1")?, number("a2")?, number("a3")?],
                [number("e1")?, number("e2")?],
                [self.optional("tx")?, self.optional("ty")?],
            )?
            .into(),
            _ => bail!(
                "shape: {name:?} is unknown; expected sphere, box, cylinder, capsule, cone or superovoid"
            ),
        })
    }
}

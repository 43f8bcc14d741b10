//! The table of docs/guides/pairs.md: what two kinds of shape answer, made by asking.

use crate::shapes::shapes;
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::TriMesh;
use superovoid::motion::{Motion, TimeOfImpactOptions};
use superovoid::{Outcome, QueryError, QueryOptions, Ray, Shape};

/// What was found of one pair of kinds.
#[derive(Default)]
struct Cell {
    answers: bool,
    /// Of the answers apart, and of those in overlap: how many there are, and how many have a closed bracket.
    apart: [usize; 2],
    overlapping: [usize; 2],
    points: usize,
    moves: bool,
    slopes: bool,
}

impl Cell {
    fn ask(a: &Shape, b: &Shape, rng: &mut ChaCha8Rng) -> Self {
        let mut cell = Cell::default();
        let options = QueryOptions::default();
        let mut pose = |reach: f64| {
            let at = Vector3::from_fn(|_, _| rng.random_range(-reach..reach));
            Isometry3::new(at, Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)))
        };
        for k in 0..60 {
            // Every third time faces lie on each other.
            let square = k % 3 == 2;
            let (at_a, mut at_b) = (pose(0.1), pose(if k % 2 == 0 { 0.2 } else { 0.8 }));
            if square {
                at_b.rotation = at_a.rotation;
            }
            let found = match a.contact(&at_a, b, &at_b, &options) {
                Err(QueryError::Unsupported { .. }) => return cell,
                found => found.unwrap().unwrap().contact,
            };
            cell.answers = true;
            if found.distance.is_finite() {
                let side = if found.distance > 0.0 {
                    &mut cell.apart
                } else {
                    &mut cell.overlapping
                };
                side[0] += 1;
                side[1] += usize::from(found.outcome == Outcome::Certified);
                let slope = a.distance_gradient(&at_a, b, &at_b, &found).unwrap();
                cell.slopes |= slope.is_some();
            }
            let margin = found.distance.max(0.0) + 1e-3;
            let count = |manifold: &superovoid::Manifold| {
                cell.points = cell.points.max(manifold.points().len());
                true
            };
            a.manifolds(&at_a, b, &at_b, margin, &options, count)
                .unwrap();
        }
        // Half-spaces and planes have to rest.
        let [from, still] = [[2.0, 0.1, 3.0], [0.0; 3]]
            .map(|at| Motion::still(Isometry3::from(Point3::from(at))).expect("a valid pose"));
        let options = TimeOfImpactOptions::default();
        cell.moves = match a.time_of_impact(&from, b, &still, &options) {
            Err(QueryError::Unsupported { .. }) => false,
            found => found.is_ok(),
        };
        cell
    }

    fn text(&self) -> String {
        if !self.answers {
            return String::new();
        }
        let distance = if self.apart[0] == self.apart[1] {
            "="
        } else {
            "<"
        };
        let depth = match self.overlapping {
            [0, _] => "",
            [all, closed] if 10 * closed >= 9 * all => "=",
            _ => "<",
        };
        let points = if self.points > 1 { "n" } else { "1" };
        // Two half-spaces that meet have no finite depth.
        let finite = self.apart[0] + self.overlapping[0] > 0;
        assert!(self.moves && (self.slopes || !finite));
        format!("{distance}{depth} {points}")
    }
}

fn table() -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let mut kinds = shapes();
    let mesh = kinds.iter().find_map(|(_, shape)| match shape {
        Shape::Mesh(mesh) => Some(TriMesh::clone(mesh)),
        _ => None,
    });
    let surface = mesh.expect("a mesh").surface();
    let place = kinds.iter().position(|(name, _)| *name == "boxes").unwrap();
    kinds.insert(place, ("surface", surface.into()));
    let mut lines = vec![String::from("| |"), String::from("| --- |")];
    for (name, _) in &kinds {
        lines[0] += &format!(" {name} |");
        lines[1] += " :---: |";
    }
    for (k, (name, a)) in kinds.iter().enumerate() {
        let mut line = format!("| **{name}** |");
        for (_, b) in &kinds[..=k] {
            line += &format!(" {} |", Cell::ask(a, b, &mut rng).text());
        }
        line += &" |".repeat(kinds.len() - k - 1);
        lines.push(line);
        // A ray at its middle from afar, and back.
        let ray = Ray {
            origin: Point3::new(3.0, 4.0, 5.0),
            direction: Vector3::new(-3.0, -4.0, -5.0),
        };
        assert!(
            a.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, true)
                .is_ok()
        );
    }
    lines.join("\n")
}

#[test]
fn the_table_of_pairs_is_what_they_answer() {
    let page = include_str!("../../docs/guides/pairs.md");
    let table = table();
    assert!(
        page.contains(&table),
        "docs/guides/pairs.md is to have this table:\n{table}"
    );
}

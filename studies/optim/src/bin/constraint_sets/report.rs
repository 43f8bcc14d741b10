//! The tables, and what the paper says about them.

use crate::batch::{Batch, Case};
use std::fmt::Write;
use std::time::Duration;
use superovoid_optim::constrained::{ConstraintSet, Solver, Start, SurfaceForm, Verdict};

/// The questions and sets that are solved from other starts: a set that finds the distance, and one that finds the
/// penetration.
pub const OF_STARTS: [(Case, ConstraintSet); 3] = [
    (Case::Apart, ConstraintSet::A),
    (Case::Apart, ConstraintSet::B),
    (Case::Overlapping, ConstraintSet::B),
];

/// The shares of the line of centres at which these start.
pub const SHARES: [f64; 2] = [0.20, 0.45];

/// Sums over the pairs of one row.
#[derive(Default)]
pub struct Tally {
    errors: Vec<f64>,
    other: usize,
    wrong: usize,
    not_converged: usize,
    iterations: u64,
    time: Duration,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict, iterations: u32, time: Duration) {
        match verdict {
            Verdict::Right(error) => self.errors.push(error),
            Verdict::OtherStationary => self.other += 1,
            Verdict::Wrong => self.wrong += 1,
            Verdict::NotConverged => self.not_converged += 1,
        }
        self.iterations += u64::from(iterations);
        self.time += time;
    }

    fn count(&self) -> usize {
        self.errors.len() + self.other + self.wrong + self.not_converged
    }

    fn mostly_right(&self) -> bool {
        2 * self.errors.len() > self.count()
    }

    /// The verdicts, and the mean iterations and microseconds, as cells of a table.
    fn cells(&self) -> String {
        let count = self.count() as f64;
        format!(
            "{} | {} | {} | {} | {:.0} | {:.0}",
            self.errors.len(),
            self.other,
            self.wrong,
            self.not_converged,
            self.iterations as f64 / count,
            self.time.as_secs_f64() * 1e6 / count,
        )
    }

    fn largest_error(&self) -> String {
        match self.errors.iter().copied().reduce(f64::max) {
            Some(error) => format!("{error:.0e}"),
            None => "-".to_owned(),
        }
    }
}

pub struct Row {
    pub case: Case,
    pub form: SurfaceForm,
    pub set: ConstraintSet,
    pub solver: Solver,
    pub start: Start,
    pub tally: Tally,
}

pub fn markdown(batch: &Batch, rows: &[Row], seed: u64) -> String {
    let mut out = head(batch, seed);
    findings(&mut out, rows);
    for case in Case::ALL {
        for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
            let surface = match form {
                SurfaceForm::Norm => "surface as a norm, (F+1)^(e2/2) − 1 = 0",
                SurfaceForm::InsideOutside => "surface as in the paper, F = 0",
            };
            table(
                &mut out,
                rows,
                case,
                form,
                &format!("{}; {surface}", case.title()),
            );
        }
    }
    starts(&mut out, rows);
    out
}

fn head(batch: &Batch, seed: u64) -> String {
    let pairs = batch.pairs(Case::Apart).len();
    let uncertified = batch.uncertified();
    format!(
        "\
# Constraint sets of the contact program

The contact of two superovoids as a nonlinear program in the two contact points: minimise |d|² under
the sets a to h of Portal, Sousa and Dias, *Contact detection between convex superquadric surfaces*, The
Archive of Mechanical Engineering 57(2), 2010. Every set holds both surface equations; b, c, d add n_A × n_B = 0, and e, f, g add n_A·n_B = −1; c and f add d along n_A;
d and g add d along n_B; h adds both of these alone.

    cargo run --release -p superovoid-optim --bin constraint_sets -- --pairs {pairs} --seed {seed} --output docs/reports/constraint_sets.md

{pairs} pairs apart and {pairs} overlapping: semi-axes 0.5 to 1.5, exponents 0.3 to 1.5, half of the bodies
with equal tapers up to 0.4, convex, centres 0.8 to 3.2 apart, random orientations. The numbers of the
paper's own cases are not in the text that we have, so that they are not among these. SQP is the crate
`slsqp`, interior point the crate `ripopt`; both start where the line of centres leaves the bodies.

- *right*: on both surfaces (1e-5), normals opposite and along d (0.01 rad), signed distance that of
  the library's query in certified mode (1e-4 of the larger semi-axis). {uncertified} of those reference
  answers kept an open bracket.
- *other*: as right, but another stationary pair: deeper than the least depth, or the far sides.
- *wrong*: the solver reports success and the constraints hold to 1e-6, but neither of these.
- *not converged*: the solver reports failure, or the constraints do not hold.
- *iterations* and *time* are means over all pairs (of the two, iterations repeat), *error* is the
  largest of the right answers. The interior point may take 200 iterations, the SQP 2000 evaluations.

"
    )
}

/// The paper's two statements, and for each the sets for which it holds here.
fn findings(out: &mut String, rows: &[Row]) {
    let right = |case: Case, solver: Solver| {
        let mut letters = String::new();
        for row in rows.iter().filter(|row| row.start == Start::OnSurfaces) {
            let asked = row.case == case && row.solver == solver && row.form == SurfaceForm::Norm;
            if asked && row.tally.mostly_right() {
                letters.push(row.set.letter());
            }
        }
        if letters.is_empty() {
            "none".to_owned()
        } else {
            letters
        }
    };
    let _ = writeln!(
        out,
        "| right in more than half of the pairs | paper | SQP | interior point |"
    );
    let _ = writeln!(out, "| --- | --- | --- | --- |");
    for (case, question, paper) in [
        (Case::Apart, "distance", "abcdefgh (one pair)"),
        (
            Case::Overlapping,
            "penetration, as printed",
            "be (one pair)",
        ),
        (
            Case::OverlappingTurned,
            "penetration, sign turned",
            "not tried",
        ),
    ] {
        let (sqp, ip) = (right(case, Solver::Sqp), right(case, Solver::InteriorPoint));
        let _ = writeln!(out, "| {question} | {paper} | {sqp} | {ip} |");
    }
    out.push_str(
        "
The paper concludes that the other sets restrict the solver too much. The cause is a sign: at a
penetration d points against n_A, and c, d, f, g, h demand that it point along it, which no two points
with opposite normals of overlapping convex bodies do. Where c and d report success, the normals are
equal. Set a has the points where the surfaces meet as its minimum, with d = 0. The paper prefers the
dot product (e) to the cross product (b); here that depends on the solver.
",
    );
}

/// The starts of the paper's figure 8, and what it says of them.
fn starts(out: &mut String, rows: &[Row]) {
    out.push_str(
        "
## Starts: the paper's figure 8

The paper draws three starts on the line of centres: at 0.20 and at 0.45 of it from either centre, and where it leaves the
bodies. It states that the last takes fewer iterations and more time, without numbers. Here it takes the fewest iterations
with set a; the time, which includes that of the start, shows no difference.

| question | surface | set | solver | start | right | other | wrong | not converged | iterations | time, µs |
| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
",
    );
    for (case, set) in OF_STARTS {
        for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
            for solver in [Solver::Sqp, Solver::InteriorPoint] {
                let of_question = rows.iter().filter(|row| {
                    (row.case, row.set, row.form, row.solver) == (case, set, form, solver)
                });
                of_question.for_each(|row| start_row(out, row));
            }
        }
    }
}

fn start_row(out: &mut String, row: &Row) {
    let question = if row.case == Case::Apart {
        "distance"
    } else {
        "penetration"
    };
    let surface = match row.form {
        SurfaceForm::Norm => "norm",
        SurfaceForm::InsideOutside => "F",
    };
    let start = match row.start {
        Start::OnSurfaces => "on the surfaces".to_owned(),
        Start::Share(share) => format!("δ = {share:.2}"),
    };
    let _ = writeln!(
        out,
        "| {question} | {surface} | {} | {} | {start} | {} |",
        row.set.letter(),
        solver_name(row.solver),
        row.tally.cells(),
    );
}

fn solver_name(solver: Solver) -> &'static str {
    match solver {
        Solver::Sqp => "SQP",
        Solver::InteriorPoint => "interior point",
    }
}

fn table(out: &mut String, rows: &[Row], case: Case, form: SurfaceForm, title: &str) {
    let _ = writeln!(out, "\n## {title}\n");
    let _ = writeln!(
        out,
        "| set | solver | right | other | wrong | not converged | iterations | time, µs | error |"
    );
    let _ = writeln!(
        out,
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for row in rows
        .iter()
        .filter(|row| row.case == case && row.form == form && row.start == Start::OnSurfaces)
    {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            row.set.letter(),
            solver_name(row.solver),
            row.tally.cells(),
            row.tally.largest_error(),
        );
    }
}

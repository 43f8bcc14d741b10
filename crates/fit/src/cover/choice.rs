//! How many bodies a mesh gets.

use super::cell::Cell;
use super::split::{Covered, split};
use super::union::union_volume;
use crate::parts::{self, Part, PartsOptions, in_own_frame};
use crate::{Family, Fit, FitError, Mesh, MeshOptions, Target, fit_mesh};

/// Enclosing bodies of a mesh, and what other numbers of them would have been.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cover {
    /// The bodies that were chosen, with what each of them holds.
    pub parts: Vec<Part>,
    /// The volume of the union of one body, of two, and so on, over that of the mesh's hull, as far as they were tried.
    pub volumes: Vec<f64>,
}

/// Covers a mesh by enclosing bodies, as many as pay: the number k that makes the volume of the union over that of the
/// hull plus [`gain`](PartsOptions::gain) times k least; or with a [`budget`](PartsOptions::budget) the least number
/// that meets it, where one of at most [`most`](PartsOptions::most) does.
///
/// The aim counts as [`Aim::Enclosing`](crate::Aim::Enclosing), the family [`Family::Any`] as convex. The bodies together hold every point of the
/// mesh's hull, or, where the parts of a concave mesh are smaller, every point of its surface, in spite of rounding.
///
/// # Errors
/// As [`fit_mesh`].
pub fn fit_cover(mesh: &Mesh, options: &PartsOptions) -> Result<Cover, FitError> {
    let options = PartsOptions {
        mesh: enclosing(options),
        ..*options
    };
    let (parts, volumes) = in_own_frame(mesh, &options, |mesh, options| {
        let (tries, hull) = tried(mesh, options)?;
        let cover = tries.chosen(hull, options);
        Ok((cover.parts, cover.volumes))
    })?;
    Ok(Cover { parts, volumes })
}

/// The smallest covers found of each number of bodies up to the most, from one; empty where none was found.
pub(crate) fn fit_covers(
    mesh: &Mesh,
    options: &PartsOptions,
) -> Result<(Vec<Vec<Part>>, Vec<f64>), FitError> {
    let options = PartsOptions {
        mesh: enclosing(options),
        budget: None,
        ..*options
    };
    let (all, (counts, volumes)) = in_own_frame(mesh, &options, |mesh, options| {
        let (tries, hull) = tried(mesh, options)?;
        let volumes = tries.volumes(hull);
        let found = tries.0.into_iter();
        let found: Vec<Vec<Part>> = found
            .map(|of| of.map_or_else(Vec::new, |of| of.1))
            .collect();
        let counts: Vec<usize> = found.iter().map(Vec::len).collect();
        Ok((found.concat(), (counts, volumes)))
    })?;
    let mut all = all.into_iter();
    let covers = counts
        .iter()
        .map(|count| all.by_ref().take(*count).collect());
    Ok((covers.collect(), volumes))
}

/// The covers of a mesh in its own frame, and the volume of its hull.
fn tried(mesh: &Mesh, options: &PartsOptions) -> Result<(Tries, f64), FitError> {
    let one = whole(mesh, options)?;
    let hull = one[0].cell.volume;
    let met = |volume: f64| options.budget.is_some_and(|budget| volume <= budget * hull);
    let mut tries = Tries::default();
    tries.add(one.iter().map(Covered::part).collect());
    if options.most > 1 && !met(tries.least()) {
        let pieces = hollow(mesh, hull, options)?;
        grow(one, options, &mut tries, met);
        if let Some(pieces) = pieces {
            grow(pieces, options, &mut tries, met);
        }
    }
    Ok((tries, hull))
}

/// The one body of the whole hull.
fn whole(mesh: &Mesh, options: &PartsOptions) -> Result<Vec<Covered>, FitError> {
    let cell = Cell::of(mesh).ok_or(FitError::Flat)?;
    let fit = fit_mesh(mesh, &options.mesh)?;
    Ok(vec![Covered { cell, fit }])
}

fn enclosing<'a>(options: &PartsOptions<'a>) -> MeshOptions<'a> {
    let mut mesh = options.mesh;
    mesh.target = Target::Hull;
    mesh.fit.aim = crate::Aim::Enclosing;
    if mesh.fit.family == Family::Any {
        mesh.fit.family = Family::Convex;
    }
    mesh
}

/// The parts of a concave mesh; None where it is nearly convex or they are not more than one.
fn hollow(
    mesh: &Mesh,
    hull: f64,
    options: &PartsOptions,
) -> Result<Option<Vec<Covered>>, FitError> {
    let volume = mesh.volume().unwrap_or(0.0);
    if volume >= (1.0 - options.concavity) * hull {
        return Ok(None);
    }
    let parts = parts::decomposed(mesh, options)?;
    let covered = parts.iter().map(|part| {
        Some(Covered {
            cell: Cell::of(&part.hull)?,
            fit: part.fit,
        })
    });
    Ok(covered
        .collect::<Option<Vec<_>>>()
        .filter(|parts| parts.len() > 1))
}

/// Cuts cells until there are as many as allowed or the budget is met.
fn grow(
    mut covered: Vec<Covered>,
    options: &PartsOptions,
    tries: &mut Tries,
    met: impl Fn(f64) -> bool,
) {
    let family = options.mesh.fit.family;
    if covered.len() > 1 {
        tries.add(covered.iter().map(Covered::part).collect());
    }
    while covered.len() < options.most as usize && !met(tries.of(covered.len())) {
        let excess = |c: &Covered| c.fit.shape.volume() - c.cell.volume;
        let order =
            (0..covered.len()).max_by(|&i, &j| excess(&covered[i]).total_cmp(&excess(&covered[j])));
        let Some(worst) = order else { return };
        let Some([a, b]) = split(&covered[worst], family) else {
            return;
        };
        covered[worst] = a;
        covered.push(b);
        tries.add(covered.iter().map(Covered::part).collect());
    }
}

impl Covered {
    fn part(&self) -> Option<Part> {
        Some(Part {
            hull: self.cell.hull()?,
            fit: self.fit,
            slack: self.cell.slack,
        })
    }
}

/// The smallest unions found of each number of bodies, from one.
#[derive(Default)]
struct Tries(Vec<Option<(f64, Vec<Part>)>>);

impl Tries {
    fn add(&mut self, parts: Option<Vec<Part>>) {
        let Some(parts) = parts else { return };
        let fits: Vec<Fit> = parts.iter().map(|part| part.fit).collect();
        let volume = union_volume(&fits);
        let count = parts.len();
        if self.0.len() < count {
            self.0.resize(count, None);
        }
        let known = &mut self.0[count - 1];
        if known.as_ref().is_none_or(|(least, _)| volume < *least) {
            *known = Some((volume, parts));
        }
    }

    fn of(&self, count: usize) -> f64 {
        let known = self.0.get(count - 1).and_then(Option::as_ref);
        known.map_or(f64::INFINITY, |(volume, _)| *volume)
    }

    fn least(&self) -> f64 {
        self.0
            .iter()
            .flatten()
            .map(|(volume, _)| *volume)
            .fold(f64::INFINITY, f64::min)
    }

    fn volumes(&self, hull: f64) -> Vec<f64> {
        let counts = 1..=self.0.len();
        counts.map(|count| self.of(count) / hull).collect()
    }

    fn chosen(self, hull: f64, options: &PartsOptions) -> Cover {
        let volumes = self.volumes(hull);
        let count = choice(&volumes, options.budget, options.gain);
        let chosen = self.0.into_iter().nth(count - 1).flatten();
        Cover {
            parts: chosen.map_or_else(Vec::new, |(_, parts)| parts),
            volumes,
        }
    }
}

/// The number of bodies, from their volumes.
fn choice(volumes: &[f64], budget: Option<f64>, gain: f64) -> usize {
    let met = volumes
        .iter()
        .position(|v| budget.is_some_and(|most| *v <= most));
    let cost = |k: &usize| volumes[*k] + gain * *k as f64;
    let cheapest = || (0..volumes.len()).min_by(|i, j| cost(i).total_cmp(&cost(j)));
    met.or_else(cheapest).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::choice;

    #[test]
    fn a_further_body_must_pay_and_a_budget_is_met_by_the_fewest() {
        let volumes = [1.5, 1.3, 1.28, 1.1];
        assert_eq!(choice(&volumes, None, 0.05), 4);
        assert_eq!(choice(&volumes[..3], None, 0.05), 2);
        assert_eq!(choice(&volumes, None, 0.3), 1);
        assert_eq!(choice(&volumes, Some(1.4), 0.05), 2);
        assert_eq!(choice(&volumes[..3], Some(1.2), 0.05), 2);
        assert_eq!(choice(&volumes, Some(1.6), 0.0), 1);
    }
}

//! The broad phase that a robot alone and a scene share: sweep and prune along x, and the closest of the pairs that it
//! leaves.

use std::cmp::Ordering;

/// Returns the pairs of bodies whose boxes are not farther apart along x than `max_distance` returns, which may be
/// less from pair to pair. The bodies are sorted by the lower end of their boxes along x, and `range` returns both ends.
pub(crate) fn sweep<T>(
    sorted: &[T],
    range: impl Fn(&T) -> [f64; 2] + Copy,
    max_distance: impl Fn() -> f64 + Copy,
) -> impl Iterator<Item = (&T, &T)> {
    sorted.iter().enumerate().flat_map(move |(i, first)| {
        let [_, end] = range(first);
        let starts_in_time = move |second: &&T| range(second)[0] - end <= max_distance();
        let after = sorted[i + 1..].iter().take_while(starts_in_time);
        after.map(move |second| (first, second))
    })
}

/// Returns the closest pair within a distance. Of each candidate comes a lower bound of its distance, the least first;
/// `solve` returns an answer and its signed distance, or `None` for one that is proven to be farther apart than the
/// limit. Once a bound is beyond the closest answer, those that follow are as well.
pub(crate) fn closest<C, A, E>(
    candidates: &[C],
    within: f64,
    bound: impl Fn(&C) -> f64,
    order: impl Fn(&A, &A) -> Ordering + Copy,
    mut solve: impl FnMut(&C, f64) -> Result<Option<(f64, A)>, E>,
) -> Result<Option<A>, E> {
    let mut limit = within;
    let mut closest = None;
    for candidate in candidates {
        if bound(candidate) > limit {
            break;
        }
        if let Some((distance, answer)) = solve(candidate, limit)? {
            limit = limit.min(distance.max(0.0));
            closest = match closest {
                Some(before) if order(&before, &answer).is_le() => Some(before),
                _ => Some(answer),
            };
        }
    }
    Ok(closest)
}

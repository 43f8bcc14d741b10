//! The derivatives of many contacts, each as by itself, on this thread or with the feature `rayon` on those of the pool.

use super::answer::{ContactDerivatives, DistanceGradient};
use super::contact_derivatives::{contact_derivatives, distance_gradient};
use crate::query::error::QueryError;
use crate::{Contact, Pair, PairError};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// Writes the [`distance_gradient`] of every pair at its contact to `found`: `None` where there is none. `contacts` are
/// the answers that [`contact_batch`](crate::contact_batch) gave for `pairs`.
///
/// The feature `rayon` shares the work between the threads of the current pool; the numbers are those of single calls, on
/// any number of threads. Nothing is allocated for a pair.
///
/// # Errors
/// The error is that of the first pair that is refused, as by [`distance_gradient`]; the contents of `found` are then
/// unspecified. Slices of different lengths are an error of pair 0.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::derivatives::{POSE_B, distance_gradient_batch};
/// use superovoid::{Contact, Pair, QueryOptions, Superovoid, contact_batch};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
/// let pairs = [Pair { a: &ball, pose_a: &here, b: &ball, pose_b: &there }; 10];
/// let mut contacts = [Contact::default(); 10];
/// contact_batch(&pairs, &mut contacts, &QueryOptions::default())?;
/// let mut found = [None; 10];
/// distance_gradient_batch(&pairs, &contacts, &mut found)?;
/// assert!(found.iter().flatten().all(|g| (g.gradient[POSE_B.start] - 1.0).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_gradient_batch(
    pairs: &[Pair],
    contacts: &[Contact],
    found: &mut [Option<DistanceGradient>],
) -> Result<(), PairError> {
    each(pairs, contacts, found, |p, contact| {
        distance_gradient(p.a, p.pose_a, p.b, p.pose_b, contact)
    })
}

/// Writes the [`contact_derivatives`] of every pair at its contact to `found`, 8 kB each, as
/// [`distance_gradient_batch`] writes gradients.
///
/// # Errors
/// The errors are those of [`contact_derivatives`], reported as by [`distance_gradient_batch`].
pub fn contact_derivatives_batch(
    pairs: &[Pair],
    contacts: &[Contact],
    found: &mut [Option<ContactDerivatives>],
) -> Result<(), PairError> {
    each(pairs, contacts, found, |p, contact| {
        contact_derivatives(p.a, p.pose_a, p.b, p.pose_b, contact)
    })
}

fn each<T: Send>(
    pairs: &[Pair],
    contacts: &[Contact],
    found: &mut [Option<T>],
    derive: impl Fn(&Pair, &Contact) -> Result<Option<T>, QueryError> + Sync,
) -> Result<(), PairError> {
    for answers in [contacts.len(), found.len()] {
        if answers != pairs.len() {
            let inputs = pairs.len();
            let error = QueryError::LengthMismatch { inputs, answers };
            return Err(PairError { index: 0, error });
        }
    }
    #[cfg(feature = "rayon")]
    let all = pairs.par_iter().zip(contacts).zip(found);
    #[cfg(not(feature = "rayon"))]
    let all = pairs.iter().zip(contacts).zip(found);
    let first_error = all
        .enumerate()
        .filter_map(|(index, ((pair, contact), place))| {
            let answer = derive(pair, contact).map_err(|error| PairError { index, error });
            answer.map(|answer| *place = answer).err()
        })
        .min_by_key(|error| error.index);
    first_error.map_or(Ok(()), Err)
}

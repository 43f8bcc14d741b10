//! The contact of two bodies of a scene.

use super::body::{Body, BodyPlace};
use nalgebra::Isometry3;
use superovoid::{Contact, QueryError, QueryOptions, Shape, Superovoid};

/// A contact, with the part of body B if that has many.
pub(super) type Found = Option<(Option<u32>, Contact)>;

/// Returns the contact of two bodies at other poses than their own, but for a half-space, which stays in its place;
/// `None` if they are proven to be farther apart than the option `max_distance`. `solve` answers two superovoids, which
/// may have a warm start.
pub(super) fn posed_contact(
    [a, b]: [&Body; 2],
    [pose_a, pose_b]: [&Isometry3<f64>; 2],
    options: &QueryOptions,
    solve: impl FnOnce(&Superovoid, &Superovoid) -> Result<Contact, QueryError>,
) -> Result<Found, QueryError> {
    let whole = |contact| Some((None, contact));
    let found = match (&a.shape, &b.shape, &b.place) {
        (Shape::Superovoid(x), Shape::Superovoid(y), _) => solve(x, y).map(whole)?,
        (shape, _, BodyPlace::HalfSpace(_, half_space)) => {
            let found = half_space.contact_with(shape.as_ref(), pose_a, options)?;
            found.and_then(|found| whole(found.contact))
        }
        (x, y, _) => {
            let found = x.contact(pose_a, y, pose_b, options)?;
            found.map(|found| {
                let part = y.as_ref().has_parts().then_some(found.parts[1]);
                (part, found.contact)
            })
        }
    };
    Ok(found.filter(|(_, contact)| !contact.is_beyond(options.max_distance)))
}

//! Numbers from JavaScript, as bodies, poses and points, and answers as numbers.
//!
//! A body is seven numbers `a1 a2 a3 e1 e2 tx ty`, a pose `x y z qx qy qz qw`, an answer [`ANSWER`] numbers.

use nalgebra::{Isometry3, Point3, Unit, Vector3};
use superovoid::pose::from_quaternion;
use superovoid::{Contact, Outcome, Superovoid};

/// The numbers of a body, and of a pose.
pub const BODY: usize = 7;
/// The numbers of an answer: distance, lower and upper end of the bracket, the witness points of A and B, the normal,
/// the outcome (0 certified, 1 converged, 2 not converged, 3 beyond) and the iterations.
pub const ANSWER: usize = 14;

/// Returns as many numbers as are needed, or an error that names the thing.
pub fn exactly<'a, const N: usize>(name: &str, numbers: &'a [f64]) -> Result<&'a [f64; N], String> {
    numbers.try_into().map_err(|_| {
        format!(
            "{name}: {N} numbers are needed, {} are given",
            numbers.len()
        )
    })
}

/// Makes a body of its seven numbers.
pub fn shape(name: &str, numbers: &[f64]) -> Result<Superovoid, String> {
    let &[a1, a2, a3, e1, e2, tx, ty] = exactly(name, numbers)?;
    Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty]).map_err(|error| format!("{name}: {error}"))
}

/// Makes a pose; the quaternion may have any length but zero.
pub fn pose(name: &str, numbers: &[f64]) -> Result<Isometry3<f64>, String> {
    let &[x, y, z, qx, qy, qz, qw] = exactly(name, numbers)?;
    from_quaternion([x, y, z], [qx, qy, qz, qw]).map_err(|error| format!("{name}: {error}"))
}

/// Makes a point.
pub fn point(name: &str, numbers: &[f64]) -> Result<Point3<f64>, String> {
    let &[x, y, z] = exactly(name, numbers)?;
    Ok(Point3::new(x, y, z))
}

/// Makes a vector.
pub fn vector(name: &str, numbers: &[f64]) -> Result<Vector3<f64>, String> {
    Ok(point(name, numbers)?.coords)
}

/// Returns the answer of such numbers.
pub fn contact(numbers: &[f64]) -> Result<Contact, String> {
    let numbers = exactly::<ANSWER>("answer", numbers)?;
    let vector = |k: usize| Vector3::from_column_slice(&numbers[k..k + 3]);
    let mut contact = Contact::default();
    [contact.distance, contact.lower, contact.upper] = [numbers[0], numbers[1], numbers[2]];
    contact.point_a = vector(3).into();
    contact.point_b = vector(6).into();
    contact.normal = Unit::new_unchecked(vector(9));
    contact.outcome = match numbers[12] {
        0.0 => Outcome::Certified,
        1.0 => Outcome::Converged,
        2.0 => Outcome::NotConverged,
        _ => Outcome::Beyond,
    };
    contact.iterations = numbers[13] as u32;
    Ok(contact)
}

/// Returns the numbers of an answer, in the order of [`ANSWER`].
pub fn answer(contact: &Contact) -> [f64; ANSWER] {
    let (a, b, n) = (&contact.point_a, &contact.point_b, &contact.normal);
    let outcome = match contact.outcome {
        Outcome::Certified => 0.0,
        Outcome::Converged => 1.0,
        Outcome::Beyond => 3.0,
        _ => 2.0,
    };
    [
        contact.distance,
        contact.lower,
        contact.upper,
        a.x,
        a.y,
        a.z,
        b.x,
        b.y,
        b.z,
        n.x,
        n.y,
        n.z,
        outcome,
        f64::from(contact.iterations),
    ]
}

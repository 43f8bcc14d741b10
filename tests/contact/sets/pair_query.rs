//! The pair queries of the exact method and of the published schemes, under one name.

use nalgebra::Isometry3;
use superovoid::published::{SchemeOptions, scheme_contact};
use superovoid::{Contact, PairCache, QueryError, QueryOptions, Superovoid, contact};

/// Options of a pair query, which choose the method that answers.
pub trait PairQuery {
    fn contact(
        &self,
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
        cache: Option<&mut PairCache>,
    ) -> Result<Contact, QueryError>;
}

impl PairQuery for QueryOptions {
    fn contact(
        &self,
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
        cache: Option<&mut PairCache>,
    ) -> Result<Contact, QueryError> {
        contact(a, pose_a, b, pose_b, self, cache)
    }
}

impl PairQuery for SchemeOptions {
    fn contact(
        &self,
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
        cache: Option<&mut PairCache>,
    ) -> Result<Contact, QueryError> {
        scheme_contact(a, pose_a, b, pose_b, self, cache)
    }
}

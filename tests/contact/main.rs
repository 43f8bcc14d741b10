//! Surfaces and contact answers, compared with an oracle that shares no code with the library.
//!
//! One program, so that the oracle is compiled once and the batteries share the processors.

/// Defines a test with a short draw, and an ignored one with a long draw, of a function that takes the number of pairs.
macro_rules! draws {
    ($set:ident: $short:ident $few:expr, $long:ident $many:expr) => {
        #[test]
        fn $short() {
            $set($few);
        }

        #[test]
        #[ignore = "a long draw"]
        fn $long() {
            $set($many);
        }
    };
}

mod all_kinds;
mod as_published;
mod bounding_volumes;
mod bvh;
mod convex;
mod derivatives;
mod derivatives_precise;
mod double_double;
mod ellipsoids;
mod every_two;
mod flats;
mod gradients;
mod manifolds;
mod max_distance;
mod mesh_pairs;
mod moving_oracle;
mod oracle;
mod oracle_selftest;
mod other_libraries;
mod pair_batch;
mod pair_battery;
mod pair_properties;
mod pair_table;
mod planar;
mod plane;
mod polytope;
mod poses;
mod published;
mod ray;
mod ray_kinds;
mod regressions;
mod sets;
mod shapes;
mod solid_mesh;
mod surface;
mod time_of_impact;
mod traces;
mod triangles;
mod vertex;
mod wide_impacts;
mod wrong_answers;

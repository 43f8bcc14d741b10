//! Parameters, points, normals, meshes and mass properties.

use crate::oracle::{Body, FAMILIES, mesh_moments};
use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::f64::consts::PI;
use superovoid::superquadric::{Family, Sheets, Superquadric, SurfaceParameters};

#[test]
fn bad_parameters_are_refused_by_name() {
    let toroid = |a, e, b| Superquadric::toroid(a, e, b).map(|_| ());
    let neck = |a, e, h| Superquadric::one_sheet(a, e, h).map(|_| ());
    let cup = |a, e, h| Superquadric::two_sheets(a, e, h, Sheets::Upper).map(|_| ());
    let (a, e) = ([1.0; 3], [1.0; 2]);
    for (made, field) in [
        (toroid([0.0, 1.0, 1.0], e, 2.0), "a1"),
        (toroid([1.0, -1.0, 1.0], e, 2.0), "a2"),
        (toroid([1.0, 1.0, f64::NAN], e, 2.0), "a3"),
        (neck([f64::INFINITY, 1.0, 1.0], e, 2.0), "a1"),
        (neck(a, [0.0, 1.0], 2.0), "e1"),
        (neck(a, [1.0, 2.0], 2.0), "e2"),
        (cup(a, [1.0, f64::NAN], 2.0), "e2"),
        (toroid(a, e, 1.0), "ring"),
        (toroid(a, e, 0.5), "ring"),
        (toroid(a, e, f64::NAN), "ring"),
        (toroid(a, e, f64::INFINITY), "ring"),
        (toroid([1e308, 1.0, 1.0], e, 10.0), "ring"),
        (neck(a, e, 0.0), "height"),
        (neck(a, e, -1.0), "height"),
        (neck(a, e, f64::NAN), "height"),
        (neck(a, e, f64::INFINITY), "height"),
        (neck([1.0, 1.0, 1e300], e, 1e300), "height"),
        (cup(a, e, 1.0), "height"),
        (cup(a, e, f64::NAN), "height"),
        (cup(a, e, f64::INFINITY), "height"),
    ] {
        let error = made.unwrap_err();
        assert_eq!(error.field, field);
        assert!(
            error.to_string().starts_with(&format!("{field} = ")),
            "{error}"
        );
    }
    for tiny in [f64::MIN_POSITIVE, 5e-324] {
        assert!(neck([tiny; 3], e, tiny).is_ok());
        assert!(toroid([tiny; 3], e, 1.0 + f64::EPSILON).is_ok());
        assert!(cup([tiny; 3], e, 1.0 + f64::EPSILON).is_ok());
    }
}

/// The parameters of a random point of the curved surface.
fn random_parameters(body: &Body, random: &mut ChaCha8Rng) -> SurfaceParameters {
    let largest = body.shape.largest_parameter();
    SurfaceParameters {
        phi: random.random_range(-PI..PI),
        s: random.random_range(-largest..largest),
    }
}

#[test]
fn parametric_points_lie_on_the_implicit_surface() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for family in FAMILIES {
        for _ in 0..2000 {
            let body = Body::random(family, 0.02, &mut random);
            let at = random_parameters(&body, &mut random);
            let x = body.shape.point_at(at);
            // The oracle's powers lose as many digits as the exponent has.
            let off = body.outside(&x.coords);
            assert!(off.abs() < 1e-11, "{body:?} {at:?}: {off}");
            let off = body.shape.inside_outside(&x);
            assert!(off.abs() < 1e-12, "{body:?} {at:?}: {off}");
            let aabb = body.shape.aabb();
            for k in 0..3 {
                let slack = 1e-12 * body.half_widths()[k];
                assert!(x[k] >= aabb.min[k] - slack && x[k] <= aabb.max[k] + slack);
            }
        }
    }
}

#[test]
fn inside_and_outside_are_those_of_the_definition() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for family in FAMILIES {
        let mut inside = 0;
        for _ in 0..4000 {
            let body = Body::random(family, 0.02, &mut random);
            let reach = body.half_widths() * 1.2;
            let x = reach.map(|r| random.random_range(-r..r));
            let expected = body.outside(&x);
            let found = body.shape.inside_outside(&Point3::from(x));
            assert!(
                found * expected > 0.0 || found.abs() + expected.abs() < 1e-9,
                "{body:?} {x}"
            );
            inside += usize::from(found < 0.0);
        }
        assert!(inside > 100, "{family:?}: {inside}");
    }
}

#[test]
fn normals_are_the_gradients_of_the_oracle() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for family in FAMILIES {
        for _ in 0..2000 {
            let body = Body::random(family, 0.1, &mut random);
            let at = random_parameters(&body, &mut random);
            let x = body.shape.point_at(at).coords;
            // Ridges have no second derivative, which differences need.
            let near_ridge = x.iter().any(|c| c.abs() < 0.05);
            if near_ridge || (body.n(&x) - body.extent).abs() < 0.05 {
                continue;
            }
            // Near the cap the oracle's maximum is that of the cap.
            if family != Family::Toroid && x.z.abs() > 0.999 * body.half_widths().z {
                continue;
            }
            let h = 1e-6;
            let gradient = Vector3::from_fn(|k, _| {
                let step = Vector3::ith(k, h);
                (body.outside(&(x + step)) - body.outside(&(x - step))) / (2.0 * h)
            });
            let normal = body.shape.normal_at(at);
            let off = (gradient.normalize() - *normal).norm();
            assert!(off < 1e-5, "{body:?} {at:?}: {off}");
        }
    }
}

/// Returns vertices − edges + triangles of a mesh that has every edge once in each direction.
fn euler_number(vertices: usize, triangles: &[[u32; 3]]) -> i64 {
    let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    for (&[a, b], &count) in &edges {
        assert!(a != b && count == 1, "edge {a}-{b}: {count}");
        assert!(edges.contains_key(&[b, a]), "edge {a}-{b} is open");
    }
    vertices as i64 - edges.len() as i64 / 2 + triangles.len() as i64
}

#[test]
fn meshes_are_closed_and_lie_on_the_surface() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for family in FAMILIES {
        for k in 0..60 {
            let body = Body::random(family, 0.02, &mut random);
            let mesh = body.shape.tessellate(8 + k);
            let euler = match family {
                Family::Toroid => 0,
                Family::TwoSheets(Sheets::Both) => 4,
                _ => 2,
            };
            assert_eq!(euler_number(mesh.vertices.len(), &mesh.triangles), euler);
            for x in &mesh.vertices {
                // The middle of a cap is on the plane of the cap, and inside the oracle's other surface.
                let off = body.outside(&x.coords);
                assert!(off.abs() < 1e-10, "{body:?} {x}: {off}");
            }
            assert!(mesh.volume() > 0.0, "{body:?}");
        }
    }
}

#[test]
fn volumes_of_meshes_converge_to_the_closed_form() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for family in FAMILIES {
        for _ in 0..6 {
            let body = Body::random(family, 0.1, &mut random);
            let exact = body.shape.volume();
            let error = |segments| body.shape.tessellate(segments).volume() / exact - 1.0;
            let (coarse, fine) = (error(64), error(256));
            assert!(fine.abs() < 2e-3, "{body:?}: {coarse} {fine}");
            assert!(
                fine.abs() < 0.25 * coarse.abs() + 1e-6,
                "{body:?}: {coarse} {fine}"
            );
        }
    }
}

#[test]
fn volumes_of_revolution_are_those_of_the_textbook() {
    for h in [0.5, 1.5, 4.0] {
        let neck = Superquadric::one_sheet([2.0, 2.0, 3.0], [1.0; 2], h).unwrap();
        let exact = 12.0 * PI * (2.0 * h + 2.0 * h.powi(3) / 3.0);
        assert!((neck.volume() / exact - 1.0).abs() < 1e-13);
        let h = h + 1.0;
        let cup = Superquadric::two_sheets([2.0, 2.0, 3.0], [1.0; 2], h, Sheets::Upper).unwrap();
        let exact = 12.0 * PI * (h.powi(3) / 3.0 - h + 2.0 / 3.0);
        assert!((cup.volume() / exact - 1.0).abs() < 1e-13);
    }
    // A ring of a square tube: the section is a circle, the tube nearly a square.
    let washer = Superquadric::toroid([1.0; 3], [1.0, 1e-9], 3.0).unwrap();
    assert!((washer.volume() / (PI * 2.0 * (16.0 - 4.0)) - 1.0).abs() < 1e-7);
}

#[test]
fn mass_properties_are_those_of_a_fine_mesh() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for family in FAMILIES {
        for _ in 0..6 {
            let body = Body::random(family, 0.2, &mut random);
            let mesh = body.shape.tessellate(512);
            let [v, z, x2, y2, z2] = mesh_moments(&mesh.vertices, &mesh.triangles);
            let mass = body.shape.mass_properties();
            let size = body.half_widths().amax();
            assert!((mass.volume / v - 1.0).abs() < 1e-3, "{body:?}");
            assert!(
                (mass.center_of_mass.z - z / v).abs() < 1e-3 * size,
                "{body:?}"
            );
            let about = z2 - z * z / v;
            let expected = Vector3::new(y2 + about, x2 + about, x2 + y2);
            for k in 0..3 {
                let off = mass.inertia[(k, k)] / expected[k] - 1.0;
                assert!(off.abs() < 3e-3, "{body:?} {k}: {off}");
            }
        }
    }
}

#[test]
fn mass_scales_with_the_size_up_to_the_ends_of_the_number_range() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for family in FAMILIES {
        let body = Body::random(family, 0.02, &mut random);
        for k in [1e-90, 1e60] {
            let [a, e] = [
                body.a.map(|a| a * k).to_vec(),
                body.shape.exponents().to_vec(),
            ];
            let large = Body::new(family, [a[0], a[1], a[2]], [e[0], e[1]], body.extent);
            let ratio = large.shape.volume() / k / k / k / body.shape.volume();
            assert!((ratio - 1.0).abs() < 1e-12, "{body:?} {k}: {ratio}");
        }
    }
}

//! The procedural molars, their meshes and scans.

use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::HashMap;
use superovoid::TriangleMesh;
use superovoid_bite::{BiteError, Molar, scan, union_mesh, union_mesh_of};

/// Vertices less edges plus triangles; every edge must be there once in each direction.
fn euler_number(mesh: &TriangleMesh) -> i64 {
    let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in &mesh.triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    for (&[a, b], &count) in &edges {
        assert_eq!(count, 1, "edge {a}-{b}");
        assert_eq!(edges.get(&[b, a]), Some(&1), "edge {a}-{b} is open");
    }
    mesh.vertices.len() as i64 - edges.len() as i64 / 2 + mesh.triangles.len() as i64
}

#[test]
fn crowns_have_the_sizes_of_textbooks() {
    for (molar, sizes) in [
        (Molar::lower(), [11.0, 10.5, 7.5]),
        (Molar::upper(), [10.0, 11.0, 7.5]),
    ] {
        let bounds = molar.tooth().unwrap().aabb(&Isometry3::identity());
        let size = (bounds.max - bounds.min) * 1e3;
        assert!((size - Vector3::from(sizes)).amax() < 1e-6, "{size}");
    }
    assert_eq!(Molar::lower().parts.len(), 1 + 5);
    assert_eq!(Molar::upper().parts.len(), 1 + 4);
}

fn check_that_meshes_are_closed_spheres(numbers: &[usize]) {
    for molar in [Molar::lower(), Molar::upper()] {
        let tooth = molar.tooth().unwrap();
        for &wanted in numbers {
            let mesh = union_mesh_of(&tooth, wanted).unwrap();
            assert_eq!(euler_number(&mesh), 2);
            let count = mesh.triangles.len() as f64;
            assert!((count / wanted as f64 - 1.0).abs() < 0.02, "{count}");
            let worst = mesh.vertices.iter().map(|v| tooth.norm_form(v).abs());
            assert!(worst.fold(0.0, f64::max) < 1e-12);
            assert!(mesh.volume() > 0.0);
        }
    }
}

#[test]
fn meshes_of_unions_are_closed_spheres_on_their_bodies() {
    check_that_meshes_are_closed_spheres(&[1500, 6200]);
}

#[test]
#[ignore = "fine meshes"]
fn meshes_of_unions_are_closed_spheres_on_their_bodies_long() {
    check_that_meshes_are_closed_spheres(&[24_000]);
}

#[test]
fn the_volume_of_a_mesh_tends_to_that_of_the_union() {
    // Counted on a grid that has nothing to do with that of the mesh.
    let tooth = Molar::lower().tooth().unwrap();
    let bounds = tooth.aabb(&Isometry3::identity());
    let size = bounds.max - bounds.min;
    const N: usize = 80;
    let mut inside = 0;
    for i in 0..N * N * N {
        let at = Vector3::new(i % N, i / N % N, i / (N * N)).map(|k| (k as f64 + 0.5) / N as f64);
        let point: Point3<f64> = bounds.min + size.component_mul(&at);
        inside += usize::from(tooth.norm_form(&point) < 0.0);
    }
    let counted = size.product() * inside as f64 / (N * N * N) as f64;
    let volume = |cell: f64| union_mesh(&tooth, cell).unwrap().volume();
    let (coarse, fine) = (volume(6e-4), volume(3e-4));
    // The triangles' sagitta goes with the square of the cell.
    let limit = (4.0 * fine - coarse) / 3.0;
    assert!((limit / counted - 1.0).abs() < 2e-3, "{limit} {counted}");
    assert!((fine / limit - 1.0).abs() < 5e-3);
}

#[test]
fn scans_are_noisy_by_no_more_than_they_are_told() {
    let tooth = Molar::upper().tooth().unwrap();
    let mesh = union_mesh_of(&tooth, 2000).unwrap();
    let noisy = scan(&mesh, 5e-5, 7);
    let moved: Vec<f64> = (mesh.vertices.iter().zip(&noisy.vertices))
        .map(|(a, b)| (b - a).norm())
        .collect();
    assert!(moved.iter().all(|d| *d <= 5e-5 * (1.0 + 1e-9)));
    let mean = moved.iter().sum::<f64>() / moved.len() as f64;
    assert!((mean / 2.5e-5 - 1.0).abs() < 0.1, "{mean}");
    assert_eq!(noisy, scan(&mesh, 5e-5, 7));
    assert_ne!(noisy, scan(&mesh, 5e-5, 8));
    assert_eq!(euler_number(&noisy), 2);
}

#[test]
fn bad_cusps_and_cells_are_named() {
    let mut bent = Molar::lower();
    bent.parts[2].taper = -0.9;
    let error = bent.tooth().unwrap_err();
    assert!(matches!(&error, BiteError::NotConvex { name, .. } if name == "distobuccal"));
    assert!(error.to_string().contains("not convex"), "{error}");
    let mut flat = Molar::upper();
    flat.parts[1].semi_axes[2] = 0.0;
    let error = flat.tooth().unwrap_err().to_string();
    assert!(error.starts_with("mesiobuccal: "), "{error}");
    let mut lost = Molar::upper();
    lost.parts[3].center[0] = f64::NAN;
    let error = lost.tooth().unwrap_err().to_string();
    assert!(error.starts_with("mesiopalatal: the pose"), "{error}");
    let mut none = Molar::lower();
    none.parts.clear();
    assert_eq!(none.tooth().unwrap_err(), BiteError::NoBodies);
    let tooth = Molar::lower().tooth().unwrap();
    for cell in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-6] {
        let error = union_mesh(&tooth, cell).unwrap_err();
        assert!(matches!(error, BiteError::Setting { name: "cell", .. }));
    }
    for triangles in [0, 99, 1_000_000] {
        assert!(union_mesh_of(&tooth, triangles).is_err());
    }
}

//! The mass and inertia that links without `<inertial>` get, by closed forms and by sampling.

use crate::common::superovoid;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;
use std::fs;

/// The `<inertial>` of the only link with this collision: mass, centre and tensor.
fn of_collision(collision: &str, arguments: &[&str]) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let folder = tempfile::tempdir().unwrap();
    let robot = format!("<robot name='r'><link name='a'>{collision}</link></robot>");
    fs::write(folder.path().join("r.urdf"), robot).unwrap();
    let all = [&["mjcf", "r.urdf", "-o", "r.xml"], arguments].concat();
    let run = superovoid(&all, folder.path());
    assert!(run.status.success(), "{run:?}");
    let text = fs::read_to_string(folder.path().join("r.xml")).unwrap();
    let element = text.split("<inertial ").nth(1).unwrap();
    let of = |name: &str| {
        let value = element.split(&format!("{name}=\"")).nth(1).unwrap();
        let words = value.split('"').next().unwrap().split(' ');
        words
            .map(|word| word.parse().unwrap())
            .collect::<Vec<f64>>()
    };
    let [mass, center, i] = ["mass", "pos", "fullinertia"].map(of);
    let tensor = Matrix3::new(i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]);
    (mass[0], Vector3::from_column_slice(&center), tensor)
}

fn assert_close(
    found: (f64, Vector3<f64>, Matrix3<f64>),
    mass: f64,
    center: Vector3<f64>,
    moments: [f64; 3],
    tolerance: f64,
) {
    assert!(
        (found.0 / mass - 1.0).abs() < tolerance,
        "{} {mass}",
        found.0
    );
    assert!(
        (found.1 - center).amax() < tolerance,
        "{} {center}",
        found.1
    );
    let expected = Matrix3::from_diagonal(&moments.into());
    assert!(
        (found.2 - expected).amax() < tolerance * expected.amax(),
        "{} {expected}",
        found.2
    );
}

#[test]
fn solids_have_the_mass_of_the_textbook() {
    let at = |geometry: &str| {
        format!("<collision><origin xyz='1 2 3'/><geometry>{geometry}</geometry></collision>")
    };
    let center = Vector3::new(1.0, 2.0, 3.0);
    let found = of_collision(&at("<box size='0.2 0.4 0.6'/>"), &["--density", "500"]);
    let mass = 24.0;
    assert_close(
        found,
        mass,
        center,
        [2.0 * 0.52, 2.0 * 0.4, 2.0 * 0.2],
        1e-12,
    );
    let found = of_collision(&at("<sphere radius='0.5'/>"), &[]);
    let mass = 1000.0 * PI / 6.0;
    assert_close(found, mass, center, [0.1 * mass; 3], 1e-12);
    let found = of_collision(&at("<cylinder radius='0.5' length='2'/>"), &[]);
    let mass = 500.0 * PI;
    let across = mass * (0.0625 + 1.0 / 3.0);
    assert_close(found, mass, center, [across, across, 0.125 * mass], 1e-12);
}

/// A capsule and a tapered superovoid by midpoints of a fine grid: volume and moments to a thousandth.
#[test]
fn round_solids_have_the_mass_of_a_grid_of_points() {
    type Inside = fn(f64, f64, f64) -> bool;
    let capsule: Inside = |x, y, z| {
        let beyond = (z.abs() - 0.2).max(0.0);
        x * x + y * y + beyond * beyond <= 0.09
    };
    let egg: Inside = |x, y, z| {
        let zeta = z / 0.5;
        if zeta.abs() >= 1.0 {
            return false;
        }
        let [u, v] = [
            x / (0.3 * (1.0 + 0.3 * zeta)),
            y / (0.2 * (1.0 - 0.1 * zeta)),
        ];
        // Exponents 0.8 and 1.2.
        let section = (u.abs().powf(2.0 / 0.8) + v.abs().powf(2.0 / 0.8)).powf(0.8 / 1.2);
        section + zeta.abs().powf(2.0 / 1.2) <= 1.0
    };
    for (shape, inside) in [
        (
            "<geometry><capsule radius='0.3' length='0.4'/></geometry>",
            capsule,
        ),
        (
            "<geometry><sphere radius='1'/></geometry>\
             <superovoid a1='0.3' a2='0.2' a3='0.5' e1='0.8' e2='1.2' tx='0.3' ty='-0.1'/>",
            egg,
        ),
    ] {
        let (mass, center, tensor) = of_collision(
            &format!("<collision>{shape}</collision>"),
            &["--density", "1"],
        );
        let (step, half) = (0.01, 60);
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        let cells = -half..half;
        for i in cells.clone() {
            for j in cells.clone() {
                for k in cells.clone() {
                    let at =
                        Vector3::new(f64::from(i) + 0.5, f64::from(j) + 0.5, f64::from(k) + 0.5)
                            * step;
                    if inside(at.x, at.y, at.z) {
                        volume += step.powi(3);
                        first += at * step.powi(3);
                        second += at * at.transpose() * step.powi(3);
                    }
                }
            }
        }
        let mean = first / volume;
        let about = second - mean * mean.transpose() * volume;
        let about = Matrix3::identity() * about.trace() - about;
        assert!((mass / volume - 1.0).abs() < 2e-3, "{mass} {volume}");
        assert!((center - mean).amax() < 5e-4, "{center} {mean}");
        assert!(
            (tensor - about).amax() < 5e-3 * about.amax(),
            "{tensor} {about}"
        );
    }
}

#[test]
fn several_shapes_and_a_mesh_have_the_mass_of_their_sum() {
    // Two cubes beside each other are a box, however they are turned.
    let cube = |x: f64, turn: &str| {
        format!(
            "<collision><origin xyz='{x} 0 0' rpy='{turn}'/><geometry><box size='1 1 1'/></geometry></collision>"
        )
    };
    let two = cube(0.5, "0 0 1.5707963267948966") + &cube(-0.5, "3.141592653589793 0 0");
    let mass = 2000.0;
    let moments = [mass / 6.0, mass * 5.0 / 12.0, mass * 5.0 / 12.0];
    assert_close(
        of_collision(&two, &[]),
        mass,
        Vector3::zeros(),
        moments,
        1e-12,
    );
    // The same box as a mesh, away from its origin.
    let folder = tempfile::tempdir().unwrap();
    let corners = (0..8).map(|k| {
        let on = |bit: i32| f64::from((k >> bit) & 1);
        format!("v {} {} {}\n", 2.0 * on(0) + 5.0, on(1), on(2) - 7.0)
    });
    let sides = [
        "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6",
    ];
    let sides = sides.iter().map(|side| format!("f {side}\n"));
    fs::write(
        folder.path().join("box.obj"),
        corners.chain(sides).collect::<String>(),
    )
    .unwrap();
    let mesh =
        "<collision><geometry><mesh filename='package://boxes/box.obj'/></geometry></collision>";
    let package = folder.path().join("boxes");
    fs::create_dir(&package).unwrap();
    fs::rename(folder.path().join("box.obj"), package.join("box.obj")).unwrap();
    let found = of_collision(mesh, &["--package-path", package.to_str().unwrap()]);
    assert_close(found, mass, Vector3::new(6.0, 0.5, -6.5), moments, 1e-12);
}

/// MuJoCo takes less for nothing, and refuses the model.
#[test]
fn a_grain_has_the_least_inertia_that_mujoco_reads() {
    let grain = "<collision><geometry><sphere radius='0.0003'/></geometry></collision>";
    let (mass, _, tensor) = of_collision(grain, &[]);
    assert!((mass - 4.0 / 3.0 * PI * 0.0003_f64.powi(3) * 1000.0).abs() < 1e-12);
    assert!(tensor.symmetric_eigenvalues().min() > 1e-13, "{tensor}");
}

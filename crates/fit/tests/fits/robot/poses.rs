//! Where the superovoids are, and what they hold.

use super::judge::{Vector, Written, moved};
use super::meshes::{Shape, block, disc, egg};
use super::{Folder, enclosing, mesh_collision, robot, rough};
use superovoid_fit::{Aim, Fallback};
use superovoid_robot::Robot;

const XYZ: Vector = [0.3, -0.2, 0.7];
const RPY: Vector = [0.4, -0.7, 1.9];
const ORIGIN: &str = r#"<origin xyz="0.3 -0.2 0.7" rpy="0.4 -0.7 1.9"/>"#;
/// The origin in the mirror y → −y, which turns the other way about x and z.
const MIRRORED: &str = r#"<origin xyz="0.3 0.2 0.7" rpy="-0.4 -0.7 -1.9"/>"#;

/// The corners of a mesh in the frame of its link.
fn in_link(mesh: &Shape, scale: Vector, xyz: Vector, rpy: Vector) -> Vec<Vector> {
    let corners = mesh.corners.iter();
    let scaled = corners.map(|c| [0, 1, 2].map(|k| scale[k] * c[k]));
    scaled.map(|c| moved(xyz, rpy, c)).collect()
}

fn worst(body: &Written, points: &[Vector]) -> f64 {
    let errors = points.iter().map(|p| (body.gauge(*p) - 1.0).abs());
    errors.fold(0.0, f64::max)
}

#[test]
fn the_mesh_lies_on_the_written_superovoid_whatever_its_scale_and_origin() {
    let folder = Folder::new();
    // In the frame of the mesh the body is shifted and turned as well. Stretched along its own axes a superovoid
    // remains one, so it is not turned there.
    let (xyz, rpy) = ([0.11, 0.05, -0.3], [1.1, 0.3, -2.0]);
    let turned = egg().map(|c| moved(xyz, rpy, c));
    let shifted = egg().map(|c| [0, 1, 2].map(|k| xyz[k] + c[k]));
    folder.write("turned.stl", turned.stl());
    folder.write(
        "turned_mm.obj",
        turned.clone().map(|c| c.map(|x| 1e3 * x)).obj(),
    );
    folder.write("shifted.obj", shifted.obj());
    for (file, mesh, scale) in [
        ("turned.stl", &turned, [1.0, 1.0, 1.0]),
        ("turned.stl", &turned, [1.0, -1.0, 1.0]),
        ("turned.stl", &turned, [-20.0, -20.0, -20.0]),
        ("shifted.obj", &shifted, [2.0, 0.5, 1.5]),
        ("shifted.obj", &shifted, [-1.0, 2.0, -0.7]),
        ("shifted.obj", &shifted, [1.0, 1.0, -1.0]),
        ("turned_mm.obj", &turned, [1e-3, 1e-3, 1e-3]),
    ] {
        let text = scale.map(|s| s.to_string()).join(" ");
        let out = folder
            .roughly_fitted(&robot(&mesh_collision(ORIGIN, file, &text)))
            .urdf;
        let [body] = &Written::all(&out, "arm")[..] else {
            panic!("{out}");
        };
        let unit = if file == "turned_mm.obj" { 1e3 } else { 1.0 };
        let points = in_link(mesh, scale.map(|s| unit * s), XYZ, RPY);
        // The error of a fit to a mesh of flat triangles, which are inside of the body.
        let worst = worst(body, &points);
        assert!(worst < 0.02, "{file} {scale:?}: {worst}");
    }
}

#[test]
fn links_that_are_mirror_images_get_mirrored_bodies() {
    let folder = Folder::new();
    // Unlike its mirror image, which is written once as a mesh of its own and once by a scale.
    let left = egg().and(block([0.06, 0.09, 0.04]));
    let mut right = left.clone().map(mirrored);
    right.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    folder.write("left.obj", left.obj());
    folder.write("right.obj", right.obj());
    let links = [
        ("left", mesh_collision(ORIGIN, "left.obj", "1 1 1")),
        ("right", mesh_collision(MIRRORED, "right.obj", "1 1 1")),
        ("scaled", mesh_collision(MIRRORED, "left.obj", "1 -1 1")),
    ];
    let links = links.map(|(name, collision)| format!("<link name=\"{name}\">{collision}</link>"));
    let joints = ["right", "scaled"].map(|name| {
        format!(
            "<joint name=\"{name}_joint\" type=\"fixed\"><parent link=\"left\"/><child link=\"{name}\"/></joint>"
        )
    });
    let urdf = format!(
        "<robot name=\"r\">{}{}</robot>",
        links.concat(),
        joints.concat()
    );
    for aim in [Aim::Best, Aim::Enclosing] {
        let mut options = rough();
        options.parts.mesh.fit.aim = aim;
        let out = folder.fit(&urdf, &options).unwrap().urdf;
        let body = |link| Written::all(&out, link).remove(0);
        let (left_body, others) = (body("left"), ["right", "scaled"].map(body));
        for p in in_link(&left, [1.0; 3], XYZ, RPY) {
            let gauge = left_body.gauge(p);
            for other in &others {
                let off = (other.gauge(mirrored(p)) - gauge).abs();
                assert!(off < 1e-6 * gauge, "{off} of {gauge} in {out}");
            }
        }
    }
}

fn mirrored([x, y, z]: Vector) -> Vector {
    [x, -y, z]
}

#[test]
fn several_collisions_of_a_link_and_an_absent_origin() {
    let folder = Folder::new();
    folder.write("meshes/egg.obj", egg().obj());
    let collisions = [
        mesh_collision("", "meshes/egg.obj", "1 1 1"),
        mesh_collision(ORIGIN, "meshes/egg.obj", "1 1 1"),
        mesh_collision(
            "<origin rpy=\"0 1.5707963267948966 0\"/>",
            "./meshes/egg.obj",
            "1 1 1",
        ),
        mesh_collision("<origin xyz=\"1 2 3\"/>", "meshes/egg.obj", "2 2 2"),
    ];
    let fitted = folder.roughly_fitted(&robot(&collisions.concat()));
    let bodies = Written::all(&fitted.urdf, "arm");
    let places = [
        ([0.0; 3], [0.0; 3], 1.0),
        (XYZ, RPY, 1.0),
        ([0.0; 3], [0.0, std::f64::consts::FRAC_PI_2, 0.0], 1.0),
        ([1.0, 2.0, 3.0], [0.0; 3], 2.0),
    ];
    assert_eq!(bodies.len(), places.len());
    for (body, (xyz, rpy, scale)) in bodies.iter().zip(places) {
        let points = in_link(&egg(), [scale; 3], xyz, rpy);
        assert!(worst(body, &points) < 0.02, "{body:?}");
    }
    // One file, however it is written, at one scale is fitted once.
    let repeated: Vec<bool> = fitted.bodies.iter().map(|b| b.repeated).collect();
    assert_eq!(repeated, [false, true, true, false]);
    // What is told is what is written, to the bit.
    let read = Robot::from_urdf_str(&fitted.urdf).unwrap();
    for (told, read) in fitted.bodies.iter().zip(read.superovoid_bodies()) {
        assert_eq!((told.fit.shape, told.fit.pose), (read.shape, read.pose));
    }
}

#[test]
fn enclosing_bodies_hold_every_vertex_in_the_frame_of_the_link() {
    let folder = Folder::new();
    let brick = block([0.3, 0.1, 0.05]);
    folder.write("egg.obj", egg().obj());
    folder.write("brick.obj", brick.obj());
    // So far away that the pose is rounded to nanometres.
    let far = "<origin xyz=\"1e7 -2e7 3e6\" rpy=\"0.4 -0.7 1.9\"/>";
    for (origin, xyz) in [(ORIGIN, XYZ), (far, [1e7, -2e7, 3e6])] {
        for (file, mesh) in [("egg.obj", &egg()), ("brick.obj", &brick)] {
            let collision = mesh_collision(origin, file, "1 -1 2");
            let fitted = folder.fit(&robot(&collision), &enclosing()).unwrap();
            let body = &Written::all(&fitted.urdf, "arm")[0];
            let rounding = 1e-12 + 1e-14 * xyz[1].abs();
            for p in in_link(mesh, [1.0, -1.0, 2.0], xyz, RPY) {
                let gauge = body.gauge(p);
                assert!(gauge <= 1.0 + rounding, "{file}: {gauge}");
            }
            let ratio = fitted.bodies[0].report.volume_to_mesh.unwrap();
            assert!((1.0..1.5).contains(&ratio), "{file}: {ratio}");
        }
    }
}

#[test]
fn enclosing_bodies_hold_standard_shapes() {
    let folder = Folder::new();
    let shapes = "<collision><origin xyz=\"0.3 -0.2 0.7\" rpy=\"0.4 -0.7 1.9\"/>
           <geometry><box size=\"0.2 0.05 1.3\"/></geometry></collision>
         <collision><geometry><cylinder radius=\"0.03\" length=\"0.4\"/></geometry></collision>
         <collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let fitted = folder.fit(&robot(shapes), &enclosing()).unwrap();
    let [block, cylinder, ball] = &Written::all(&fitted.urdf, "arm")[..] else {
        panic!("{}", fitted.urdf);
    };
    let side = |k: usize, bit: usize, half: f64| if k >> bit & 1 == 1 { half } else { -half };
    for k in 0..8 {
        let corner = [side(k, 0, 0.1), side(k, 1, 0.025), side(k, 2, 0.65)];
        assert!(block.gauge(moved(XYZ, RPY, corner)) <= 1.0 + 1e-12);
        let (sin, cos) = (k as f64).sin_cos();
        assert!(cylinder.gauge([0.03 * cos, 0.03 * sin, side(k, 0, 0.2)]) <= 1.0 + 1e-12);
        assert!((ball.gauge([0.0, 0.1 * cos, 0.1 * sin]) - 1.0).abs() < 1e-12);
    }
    // They stay what other programs see.
    let seen = [block, cylinder, ball].map(Written::fallback);
    assert_eq!(seen, ["box", "cylinder", "sphere"]);
    let errors: Vec<f64> = fitted
        .bodies
        .iter()
        .map(|b| b.report.mesh_to_body.max)
        .collect();
    assert!(
        errors[0] > 1e-3 && errors[1] > 1e-4 && errors[2] == 0.0,
        "{errors:?}"
    );
}

#[test]
fn fallbacks_hold_the_body_and_the_mesh() {
    let folder = Folder::new();
    // No superovoid: the best fit leaves parts of it outside.
    let mesh = block([0.3, 0.1, 0.05])
        .and(block([0.1, 0.3, 0.05]))
        .map(|c| moved(XYZ, RPY, c));
    folder.write("angle.obj", mesh.obj());
    folder.write("egg.obj", egg().obj());
    folder.write("disc.obj", disc().obj());
    let mut seen = Vec::new();
    for file in ["angle.obj", "egg.obj", "disc.obj"] {
        for fallback in [Fallback::Tightest, Fallback::Sphere] {
            let options = rough().with_fallback(fallback);
            let text = robot(&mesh_collision(ORIGIN, file, "1 1 1"));
            let out = folder.fit(&text, &options).unwrap().urdf;
            let body = &Written::all(&out, "arm")[0];
            let reach = body.surface();
            let outside = reach.iter().map(|p| body.outside_fallback(*p));
            let outside = outside.fold(f64::NEG_INFINITY, f64::max);
            assert!(outside <= 0.0, "{file}: {outside}");
            if file == "angle.obj" {
                for p in in_link(&mesh, [1.0; 3], XYZ, RPY) {
                    assert!(body.outside_fallback(p) <= 0.0, "{file}");
                }
            }
            seen.push(body.fallback().to_owned());
        }
    }
    assert_eq!(
        seen[1..],
        ["sphere", "box", "sphere", "cylinder", "sphere"].map(str::to_owned)
    );
}

#[test]
fn a_concave_mesh_becomes_several_collisions() {
    let folder = Folder::new();
    let long = block([0.4, 0.1, 0.1]);
    let high = block([0.1, 0.1, 0.4]).map(|[x, y, z]| [x - 0.1, y, z]);
    let angle = long.and(high);
    folder.write("angle.stl", angle.stl());
    let named = mesh_collision(ORIGIN, "angle.stl", "1 1 1")
        .replace("<collision>", "<collision name=\"l\">");
    let mut options = enclosing();
    options.parts.most = 2;
    options.parts.mesh.samples = rough().parts.mesh.samples;
    let fitted = folder.fit(&robot(&named), &options).unwrap();
    let bodies = Written::all(&fitted.urdf, "arm");
    let names: Vec<Option<&str>> = bodies.iter().map(|b| b.name.as_deref()).collect();
    assert_eq!(names, [Some("l"), Some("l_2")], "{}", fitted.urdf);
    for p in in_link(&angle, [1.0; 3], XYZ, RPY) {
        let least = bodies
            .iter()
            .map(|b| b.gauge(p))
            .fold(f64::INFINITY, f64::min);
        // Single precision of the file.
        assert!(least <= 1.0 + 1e-6, "{least}");
    }
    for body in &bodies {
        assert!(
            body.surface()
                .iter()
                .all(|p| body.outside_fallback(*p) <= 0.0)
        );
    }
}

#[test]
fn collada_has_its_unit_and_not_its_up_axis_as_the_programs_around_urdf_have_it() {
    let folder = Folder::new();
    for (asset, scale) in [
        ("", 1.0),
        ("<up_axis>Z_UP</up_axis>", 1.0),
        ("<up_axis>Y_UP</up_axis>", 1.0),
        ("<unit meter=\"0.01\"/><up_axis>X_UP</up_axis>", 100.0),
    ] {
        let mesh = egg().map(|c| c.map(|x| scale * x));
        folder.write("egg.dae", mesh.dae(asset));
        let out = folder
            .roughly_fitted(&robot(&mesh_collision(ORIGIN, "egg.dae", "1 1 1")))
            .urdf;
        let body = &Written::all(&out, "arm")[0];
        let points = in_link(&egg(), [1.0; 3], XYZ, RPY);
        assert!(worst(body, &points) < 0.02, "{asset}");
    }
}

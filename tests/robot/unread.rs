//! Versions of URDF, and what a file holds that is not read: an error where it bears on collision or motion.

use crate::urdf::{joint_with, link_with, read, refused};
use nalgebra::{Isometry3, Matrix3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::Superovoid;
use superovoid::convex::{ConvexShape, ConvexShapeError, convex_contact};
use superovoid::{Outcome, QueryOptions};
use superovoid_robot::{Geometry, Robot, RobotError, UrdfProblem};

/// The rotation of x, y, z, w, of any length, by the formula of matrices.
fn matrix([x, y, z, w]: [f64; 4]) -> Matrix3<f64> {
    let cross = Matrix3::new(0.0, -z, y, z, 0.0, -x, -y, x, 0.0);
    let square = x * x + y * y + z * z + w * w;
    Matrix3::identity() + (cross * cross + cross * w) * (2.0 / square)
}

fn version(text: &str, version: &str) -> String {
    text.replace("<robot ", &format!("<robot version=\"{version}\" "))
}

#[test]
fn quaternions_of_version_1_1_turn_every_origin() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let six_digits = (1e6 * half).round() / 1e6;
    let mut quaternions = vec![
        [0.0, half, 0.0, half],
        [0.0, -half, 0.0, half],
        [half, 0.0, half, 0.0],
        [0.0, 0.0, 0.0, -3.0],
        [0.5, 0.5, 0.5, 0.5],
        [0.0, 0.0, six_digits, six_digits],
        [0.0, 1.0, 0.0, 1e-9],
        [1.0, 0.0, 0.0, 0.0],
    ];
    for _ in 0..2000 {
        let mut q: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        // Near the pitches at which roll and yaw turn about one axis, too.
        if rng.random_bool(0.3) {
            q[1] = q[3] * (1.0 + 1e-9 * q[0]);
            q[2] = -q[0];
        }
        quaternions.push(q);
    }
    for q in quaternions {
        let expected = matrix(q);
        // Their length says nothing.
        for scale in [1.0, 3e-200, 7e200] {
            let words = q.map(|x| (scale * x).to_string()).join(" ");
            let origin = format!("<origin xyz=\"1 2 3\" quat_xyzw=\"{words}\"/>");
            let ball = "<geometry><sphere radius=\"1\"/></geometry>";
            let inside = format!(
                "<inertial>{origin}<mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" \
                 izz=\"1\"/></inertial><visual>{origin}{ball}</visual><collision>{origin}{ball}</collision>"
            );
            let text = joint_with("fixed", &origin).replace(
                "<link name=\"a\"/>",
                &format!("<link name=\"a\">{inside}</link>"),
            );
            for number in ["1.1", "1.2"] {
                let robot = read(&version(&text, number));
                assert_eq!(robot.warnings(), []);
                let link = &robot.links()[0];
                for origin in [
                    robot.joints()[0].origin,
                    link.inertial.unwrap().origin,
                    link.visuals[0].origin,
                    link.collisions[0].origin,
                ] {
                    assert_eq!(origin.xyz, [1.0, 2.0, 3.0]);
                    let found = origin.isometry().rotation.to_rotation_matrix();
                    let error = (found.matrix() - expected).amax();
                    assert!(error < 4e-15, "{words}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn quaternions_that_say_no_rotation_are_refused() {
    let of = |attributes: &str| joint_with("fixed", &format!("<origin {attributes}/>"));
    let refused = |attributes: &str, number: &str, parts: &[&str]| {
        let problem = refused(&version(&of(attributes), number), parts);
        assert!(matches!(
            problem,
            UrdfProblem::Robot(RobotError::Value { .. })
        ));
    };
    for bad in [
        "0 0 0 0",
        "-0 0 0 0",
        "0 0 1",
        "0 0 0 1 0",
        "nan 0 0 1",
        "0 inf 0 1",
        "0,0 0 1",
        "",
        "1e999 0 0 1",
    ] {
        let value = format!("quat_xyzw={bad:?}");
        let parts = ["joint \"j\"", "<origin>", &value];
        refused(&format!("§quat_xyzw=\"{bad}\""), "1.1", &parts);
    }
    let both = "rpy=\"0 0 0\" §quat_xyzw=\"0 0 0 1\"";
    refused(both, "1.1", &["no rpy beside it"]);
    // urdfdom drops the rotation of such a file.
    let alone = "§quat_xyzw=\"0.5 0.5 0.5 0.5\"";
    refused(alone, "1.0", &["quat_xyzw", "version=\"1.1\" on <robot>"]);
    let unsaid = crate::urdf::refused(&of(alone), &["version=\"1.1\" on <robot>"]);
    assert!(matches!(
        unsaid,
        UrdfProblem::Robot(RobotError::Value { .. })
    ));
}

#[test]
fn versions_that_urdf_has_not_are_refused() {
    for good in ["1.0", "1.1", "1.2"] {
        let robot = read(&format!(
            "<robot version=\"{good}\" name=\"r\"><link name=\"a\"/></robot>"
        ));
        assert_eq!(robot.warnings(), []);
    }
    for bad in [
        "1", "2.0", "1.3", "0.9", "1.0.0", "1,1", "v1.1", "", "1.1~pre",
    ] {
        let text = format!("<robot §version=\"{bad}\" name=\"r\"><link name=\"a\"/></robot>");
        refused(
            &text,
            &[
                "robot \"r\"",
                &format!("version={bad:?}"),
                "1.0, 1.1 or 1.2",
            ],
        );
    }
}

/// Version 1.2 has no limits of 0 where none are written.
#[test]
fn limits_of_version_1_2_are_written() {
    for kind in ["revolute", "prismatic"] {
        let lower = joint_with(kind, "§<limit upper=\"1\"/>");
        read(&lower.replace('§', ""));
        refused(&version(&lower, "1.2"), &["<limit>", "lacks", "lower"]);
        let upper = joint_with(kind, "§<limit lower=\"-1\"/>");
        refused(&version(&upper, "1.2"), &["<limit>", "lacks", "upper"]);
        let more =
            "<limit lower=\"-1\" upper=\"1\" acceleration=\"1\" deceleration=\"2\" jerk=\"3\"/>";
        let robot = read(&version(&joint_with(kind, more), "1.2"));
        assert_eq!(robot.joints()[0].range(), Some([-1.0, 1.0]));
    }
    read(&version(
        &joint_with("continuous", "<limit effort=\"1\"/>"),
        "1.2",
    ));
}

#[test]
fn a_capsule_needs_no_version() {
    for number in ["1.0", "1.1"] {
        let capsule =
            "<collision><geometry><capsule radius=\"0.1\" length=\"1\"/></geometry></collision>";
        let robot = read(&version(&link_with(capsule), number));
        let expected = Geometry::Capsule {
            radius: 0.1,
            length: 1.0,
        };
        assert_eq!(robot.links()[0].collisions[0].geometry, expected);
    }
}

fn unread(text: &str, parts: &[&str]) {
    let problem = refused(text, parts);
    assert!(matches!(problem, UrdfProblem::Unread { .. }), "{problem}");
}

/// Each in a collision of its own.
#[test]
fn what_bears_on_a_collision_and_is_not_read_is_refused_at_its_place() {
    let sphere = "<geometry><sphere radius=\"1\"/></geometry>";
    let shapes = [
        ("<sphere radius=\"1\" §raduis=\"2\"/>", "raduis of <sphere>"),
        (
            "<sphere §colour=\"red\" radius=\"1\"/>",
            "colour of <sphere>",
        ),
        ("<sphere radius=\"1\" §Radius=\"2\"/>", "Radius of <sphere>"),
        ("<box size=\"1 1 1\" §scale=\"2 2 2\"/>", "scale of <box>"),
        (
            "<cylinder radius=\"1\" length=\"1\" §height=\"2\"/>",
            "height of <cylinder>",
        ),
        (
            "<capsule radius=\"1\" length=\"1\" §axis=\"x\"/>",
            "axis of <capsule>",
        ),
        (
            "<mesh filename=\"m.obj\" §scal=\"2 2 2\"/>",
            "scal of <mesh>",
        ),
        (
            "<mesh filename=\"m.obj\" §units=\"mm\"/>",
            "units of <mesh>",
        ),
        (
            "<mesh filename=\"m.obj\" §convex=\"true\"/>",
            "convex of <mesh>",
        ),
        (
            "<sphere radius=\"1\">§<scale/></sphere>",
            "<scale> in <sphere>",
        ),
        ("<sphere radius=\"1\">§2</sphere>", "text in <sphere>"),
        (
            "<box size=\"1 1 1\">§<origin xyz=\"0 0 1\"/></box>",
            "<origin> in <box>",
        ),
        ("§<shpere radius=\"1\"/>", "<shpere> in <geometry>"),
        ("§<Sphere radius=\"1\"/>", "<Sphere> in <geometry>"),
        ("§<cone radius=\"1\" length=\"1\"/>", "<cone> in <geometry>"),
        ("§<plane normal=\"0 0 1\"/>", "<plane> in <geometry>"),
        (
            "§<geometry><sphere radius=\"1\"/></geometry>",
            "<geometry> in <geometry>",
        ),
        (
            "<superovoid a1=\"1\" a2=\"1\" a3=\"1\" e1=\"1\" e2=\"1\" §t_x=\"0.1\"/>",
            "t_x of <superovoid>",
        ),
        (
            "<superovoid a1=\"1\" a2=\"1\" a3=\"1\" e1=\"1\" e2=\"1\" §tX=\"0.1\"/>",
            "tX of <superovoid>",
        ),
    ];
    for (shape, what) in shapes {
        let collision = format!(
            "<collision>{sphere}</collision>\n<collision><geometry>{shape}</geometry></collision>"
        );
        let parts = [
            "link \"a\", collision 2: ",
            what,
            "is not read",
            "expected ",
        ];
        unread(&link_with(&collision), &parts);
        // What is only seen is no error.
        let visual = collision.replace("collision", "visual").replace('§', "");
        assert_ne!(read(&link_with(&visual)).links()[0].visuals, []);
    }
    let bodies = [
        ("<origin §rpz=\"0 0 1\"/>", "rpz of <origin>"),
        (
            "<origin xyz=\"0 0 1\" §quat=\"0 0 0 1\"/>",
            "quat of <origin>",
        ),
        ("<origin §XYZ=\"0 0 1\"/>", "XYZ of <origin>"),
        ("<origin>§0 0 1</origin>", "text in <origin>"),
        ("<origin>§<xyz>0 0 1</xyz></origin>", "<xyz> in <origin>"),
        ("§<orgin xyz=\"0 0 1\"/>", "<orgin> in <collision>"),
        ("§<Origin xyz=\"0 0 1\"/>", "<Origin> in <collision>"),
        ("§<pose>0 0 1 0 0 0</pose>", "<pose> in <collision>"),
        ("§<SuperOvoid a1=\"1\"/>", "<SuperOvoid> in <collision>"),
        ("§<sphere radius=\"2\"/>", "<sphere> in <collision>"),
        ("§<scale>2</scale>", "<scale> in <collision>"),
        ("§origin xyz=\"0 0 1\"/&gt;", "text in <collision>"),
    ];
    for (inside, what) in bodies {
        let collision = format!("<collision>{inside}{sphere}</collision>");
        unread(&link_with(&collision), &["link \"a\", collision 1: ", what]);
    }
    // Bullet leaves such pairs out.
    let filter = format!("<collision §group=\"0\" mask=\"0\">{sphere}</collision>");
    unread(&link_with(&filter), &["group of <collision>"]);
    let flagged = "<collision><geometry §scale=\"2\"><sphere radius=\"1\"/></geometry></collision>";
    unread(&link_with(flagged), &["scale of <geometry>"]);
}

#[test]
fn what_bears_on_motion_and_is_not_read_is_refused_at_its_place() {
    let joints = [
        ("§<orgin xyz=\"0 0 1\"/>", "<orgin> in <joint>"),
        ("§<axes xyz=\"0 0 1\"/>", "<axes> in <joint>"),
        ("§<limits lower=\"-1\" upper=\"1\"/>", "<limits> in <joint>"),
        ("§<mimick joint=\"k\"/>", "<mimick> in <joint>"),
        (
            "§<placement><origin xyz=\"0 0 1\"/></placement>",
            "<placement> in <joint>",
        ),
        ("§origin xyz=\"0 0 1\"/&gt;", "text in <joint>"),
        ("<origin §xy=\"0 0\"/>", "xy of <origin>"),
        ("<axis xyz=\"0 0 1\" §frame=\"parent\"/>", "frame of <axis>"),
        ("<axis xyz=\"0 0 1\" §rpy=\"0 0 1\"/>", "rpy of <axis>"),
        ("<axis>§0 0 1</axis>", "text in <axis>"),
        ("<axis>§<xyz>0 0 1</xyz></axis>", "<xyz> in <axis>"),
        (
            "<limit lower=\"-1\" upper=\"1\" §uper=\"2\"/>",
            "uper of <limit>",
        ),
        ("<limit §lowr=\"-1\" upper=\"1\"/>", "lowr of <limit>"),
        ("<limit §min=\"-1\" §max=\"1\"/>", "min of <limit>"),
        (
            "<limit lower=\"-1\" upper=\"1\" §twist=\"1\"/>",
            "twist of <limit>",
        ),
        (
            "<mimic joint=\"k\" §multiplyer=\"2\"/>",
            "multiplyer of <mimic>",
        ),
        ("<mimic joint=\"k\" §ofset=\"2\"/>", "ofset of <mimic>"),
    ];
    for (inside, what) in joints {
        let inside = inside
            .replacen('§', "\u{1}", 1)
            .replace('§', "")
            .replace('\u{1}', "§");
        let text = joint_with("continuous", &inside);
        unread(&text, &["joint \"j\": ", what]);
    }
    let ends =
        joint_with("fixed", "").replace("<child link=\"b\"/>", "<child link=\"b\" §frame=\"c\"/>");
    unread(&ends, &["frame of <child>"]);
    let attribute = joint_with("fixed", "").replace(" type=", " §xyz=\"0 0 1\" type=");
    unread(&attribute, &["xyz of <joint>"]);
    // An axis without its numbers is none.
    let bare = joint_with("continuous", "§<axis/>");
    refused(&bare, &["<axis>", "lacks", "xyz"]);
    read(&joint_with("fixed", "<axis/>"));
}

#[test]
fn shapes_and_joints_under_another_name_are_refused_at_their_place() {
    let ball = "<geometry><sphere radius=\"1\"/></geometry>";
    for name in ["colision", "Collision", "collisions", "collision_geometry"] {
        let text = link_with(&format!("§<{name}>{ball}</{name}>"));
        unread(&text, &["link \"a\": ", &format!("<{name}> in <link>")]);
    }
    unread(&link_with(&format!("§{ball}")), &["<geometry> in <link>"]);
    unread(
        &link_with("§<sphere radius=\"1\"/>"),
        &["<sphere> in <link>"],
    );
    unread(
        &link_with("§<origin xyz=\"0 0 1\"/>"),
        &["<origin> in <link>"],
    );
    let robot = |inside: &str| format!("<robot name=\"r\"><link name=\"a\"/>\n{inside}</robot>");
    let lost = [
        format!("§<lnik name=\"b\"><collision>{ball}</collision></lnik>"),
        format!("§<Link name=\"b\"><visual>{ball}</visual></Link>"),
        "§<jiont name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></jiont>"
            .to_owned(),
        format!("§<collision>{ball}</collision>"),
        "§<deformable name=\"d\"><inertial/></deformable>".to_owned(),
    ];
    for lost in lost {
        unread(&robot(&lost), &["in <robot>"]);
    }
}

#[test]
fn what_other_programs_read_and_does_not_bear_on_collision_is_warned_of() {
    let collision = |inside: &str, attributes: &str| {
        link_with(&format!(
            "<collision{attributes}>{inside}<geometry><sphere radius=\"1\"/></geometry></collision>"
        ))
    };
    let named = |text: String| text.replace("<robot ", "<robot xmlns:v=\"urn:v\" ");
    let texts = [
        collision("<material name=\"m\"/>", ""),
        collision("<verbose value=\"Factory\"/>", ""),
        collision("<contact_coefficients mu=\"0\" kp=\"1\" kd=\"1\"/>", ""),
        collision("robot", ""),
        collision("", " concave=\"yes\""),
        named(collision("<v:margin value=\"1\"/>", "")),
        named(collision("", " v:group=\"1\"")),
        collision("<drake:proximity_properties/>", ""),
        link_with("<contact><friction value=\"1\"/></contact>"),
        link_with("<sensor name=\"s\"><origin xyz=\"0 0 1\"/></sensor>"),
        link_with("<origin xyz=\"0 0 0\" rpy=\"0 -0 0\"/>"),
        link_with("<collision_checking><capsule name=\"c\"/></collision_checking>"),
        link_with("<my_tool grip=\"1\"><force>3</force></my_tool>"),
        joint_with("fixed", "<joint_properties damping=\"1\" friction=\"0\"/>"),
        joint_with("fixed", "<axis rpy=\"0 0 0\" xyz=\"0 0 1\"/>"),
        joint_with("fixed", "<hardwareInterface>Effort</hardwareInterface>"),
        joint_with("fixed", "<dynamics damping=\"1\" mu_coulomb=\"0\"/>"),
        joint_with("fixed", "<limit gear_velocity=\"1\"/>"),
        joint_with("fixed", "").replace("type=", "dont_collapse=\"true\" type="),
        "<robot name=\"r\"><gazebo><link name=\"x\"><collision/></link></gazebo><link name=\"a\"/></robot>".to_owned(),
        "<robot name=\"r\"><mujoco><compiler angle=\"radian\"/></mujoco><link name=\"a\"/></robot>".to_owned(),
    ];
    for text in texts {
        let robot = read(&text);
        assert_ne!(robot.warnings(), [], "{text}");
    }
    // An attribute of URDF's own namespace is none of theirs.
    let own = "<u:robot xmlns:u=\"urn:urdf\" name=\"r\"><u:link name=\"a\"><u:collision><u:origin §u:xyz=\"0 0 1\"/>\
               <u:geometry><u:sphere radius=\"1\"/></u:geometry></u:collision></u:link></u:robot>";
    unread(own, &["u:xyz of <u:origin>"]);
}

#[test]
fn what_xacro_left_over_is_refused_as_xacro() {
    let ball = "<geometry><sphere radius=\"1\"/></geometry>";
    for text in [
        link_with(&format!("<collision §name=\"${{n}}\">{ball}</collision>")),
        link_with(
            "<collision><geometry><mesh §filename=\"$(find p)/m.stl\"/></geometry></collision>",
        ),
        link_with(&format!(
            "<collision><origin §xyz=\"0 0 ${{h}}\"/>{ball}</collision>"
        )),
        link_with(&format!(
            "<visual><origin §xyz=\"0 0 $(arg h)\"/>{ball}</visual>"
        )),
        link_with("").replace("<link name=\"a\"", "<link §name=\"${prefix}a\""),
        joint_with("fixed", "").replace("name=\"j\"", "§name=\"${prefix}j\""),
        joint_with("fixed", "").replace("<parent link=\"a\"", "<parent §link=\"$(arg a)\""),
        joint_with("revolute", "<limit lower=\"0\" §upper=\"${pi/2}\"/>"),
    ] {
        let problem = refused(&text, &["xacro", "expand the file with xacro first"]);
        assert!(
            matches!(problem, UrdfProblem::XacroExpression { .. }),
            "{problem}"
        );
    }
}

/// Rust, URDF and queries.
#[test]
fn a_capsule_of_length_0_is_a_ball() {
    for zero in [0.0, -0.0] {
        assert_eq!(
            ConvexShape::capsule(0.3, zero).unwrap(),
            ConvexShape::ball(0.3).unwrap()
        );
    }
    for bad in [-1e-300, -1.0, f64::NAN, f64::INFINITY] {
        let refused = ConvexShape::capsule(0.3, bad).unwrap_err();
        assert!(matches!(
            refused,
            ConvexShapeError::NegativeLength { name: "length", .. }
        ));
        let refused = ConvexShape::capsule(bad, 0.0).unwrap_err();
        assert!(matches!(
            refused,
            ConvexShapeError::Length { name: "radius", .. }
        ));
    }
    // And capsules of hardly any length are hardly different.
    for length in [5e-324, 1e-300, 1e-12] {
        let (a, b) = (
            ConvexShape::capsule(0.3, length).unwrap(),
            ConvexShape::ball(0.2).unwrap(),
        );
        let (here, there) = (Isometry3::identity(), Isometry3::translation(0.3, 0.0, 0.8));
        let found = convex_contact(&a, &here, &b, &there, &QueryOptions::default()).unwrap();
        let expected: f64 = Vector3::new(0.3, 0.0, 0.8).norm() - 0.5;
        assert_eq!(found.outcome, Outcome::Certified);
        assert!(
            (found.distance - expected).abs() < 2e-12,
            "{length}: {found:?}"
        );
    }
    let text =
        "<collision><geometry><capsule radius=\"0.3\" §length=\"0\"/></geometry></collision>";
    let robot = read(&link_with(&text.replace('§', "")));
    assert_eq!(
        robot.superovoid_bodies()[0].shape,
        Superovoid::sphere(0.3).unwrap()
    );
    assert_eq!(read(&robot.to_urdf()), robot);
    let made = Robot::new("r", robot.links().to_vec(), vec![], vec![]).unwrap();
    assert_eq!(made, robot);
    let negative = link_with(text).replace("length=\"0\"", "length=\"-0.1\"");
    refused(&negative, &["<capsule>", "length=\"-0.1\"", "at least 0"]);
    // A cylinder or a box of no thickness is no body.
    let flat = "<collision><geometry><cylinder radius=\"1\" §length=\"0\"/></geometry></collision>";
    refused(&link_with(flat), &["length=\"0\"", "more than 0"]);
    let sheet = "<collision><geometry><box §size=\"1 0 1\"/></geometry></collision>";
    refused(&link_with(sheet), &["size=\"1 0 1\"", "more than 0"]);
}

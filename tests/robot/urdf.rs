//! Reading and writing URDF: what is read, what is refused and where, and that nothing is lost.

use superovoid::Superovoid;
use superovoid_robot::{
    Collision, Geometry, Joint, JointKind, Limit, Link, Material, Mimic, Origin, Robot, RobotError,
    UrdfProblem,
};

/// A robot with one of everything that the model holds.
const EVERYTHING: &str = r#"<?xml version="1.0"?>
<robot name="one of &quot;everything&quot; &amp; more">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <material name="wood"><texture filename="wood &lt;oak&gt;.png"/></material>
  <link name="base">
    <inertial>
      <origin xyz="0.1 -2e-7 1e20" rpy="0.1 0.2 0.3"/>
      <mass value="1.5"/>
      <inertia ixx="1" ixy="0.01" ixz="0.02" iyy="2" iyz="0.03" izz="3"/>
    </inertial>
    <visual name="looks">
      <origin xyz="0 0 0.1"/>
      <geometry><mesh filename="package://a/b.dae" scale="1 -1 0.001"/></geometry>
      <material name="grey"/>
    </visual>
    <visual>
      <geometry><box size="0.1 0.2 0.3"/></geometry>
      <superovoid a1="0.05" a2="0.1" a3="0.15" e1="0.1" e2="0.2" tx="0" ty="0"/>
      <material name="own"><color rgba="1 0 0 0.25"/></material>
    </visual>
    <visual><geometry><cone height="2" base="a &amp; b"/></geometry></visual>
    <collision name="tip">
      <origin xyz="0 0 0.011" rpy="0 0 0"/>
      <geometry><sphere radius="0.0162"/></geometry>
      <superovoid a1="0.0064" a2="0.0162" a3="0.0064" e1="1" e2="0.64" tx="0.1" ty="-0.2"/>
    </collision>
    <collision><geometry><sphere radius="0.25"/></geometry></collision>
    <collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
    <collision><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision>
    <collision><geometry><capsule radius="0.1" length="0.2"/></geometry></collision>
    <collision><geometry><mesh filename="hull.obj"/></geometry></collision>
  </link>
  <link name="l1"/><link name="l2"/><link name="l3"/><link name="l4"/><link name="l5"/><link name="l6"/>
  <joint name="j1" type="fixed"><parent link="base"/><child link="l1"/></joint>
  <joint name="j2" type="revolute">
    <origin xyz="0.1 0.2 0.3" rpy="-0.5 0.6 3.0"/>
    <parent link="base"/><child link="l2"/><axis xyz="0 3 4"/>
    <limit lower="-1.5" upper="0.1" effort="30" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
    <safety_controller soft_lower_limit="-1" soft_upper_limit="0.05" k_position="10" k_velocity="5"/>
    <calibration rising="0.5"/>
  </joint>
  <joint name="j3" type="continuous">
    <parent link="l2"/><child link="l3"/><axis xyz="0 0 1"/><limit effort="3" velocity="4"/>
    <mimic joint="j4" multiplier="-2" offset="0.25"/>
  </joint>
  <joint name="j4" type="prismatic">
    <parent link="l3"/><child link="l4"/><limit lower="0" upper="0.1" effort="1" velocity="1"/>
  </joint>
  <joint name="j5" type="floating"><parent link="l4"/><child link="l5"/></joint>
  <joint name="j6" type="planar"><parent link="l5"/><child link="l6"/><axis xyz="0 1 0"/></joint>
</robot>
"#;

pub fn read(text: &str) -> Robot {
    Robot::from_urdf_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A robot of one link with this inside it.
pub fn link_with(inside: &str) -> String {
    format!("<robot name=\"r\">\n<link name=\"a\">\n{inside}\n</link>\n</robot>")
}

/// Two links and, on line 3, a joint between them with this type and inside.
pub fn joint_with(kind: &str, inside: &str) -> String {
    format!(
        "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/>\n\
         <joint name=\"j\" type=\"{kind}\"><parent link=\"a\"/><child link=\"b\"/>{inside}</joint>\n\
         </robot>"
    )
}

// ---- what is read ----

#[test]
fn every_element_of_the_model_is_read() {
    let robot = read(EVERYTHING);
    assert_eq!(robot.warnings(), []);
    assert_eq!(robot.name(), "one of \"everything\" & more");
    assert_eq!(
        robot.materials()[1].texture.as_deref(),
        Some("wood <oak>.png")
    );
    let base = &robot.links()[0];
    let inertial = base.inertial.unwrap();
    assert_eq!(inertial.origin.xyz, [0.1, -2e-7, 1e20]);
    assert_eq!(inertial.origin.rpy, [0.1, 0.2, 0.3]);
    assert_eq!(inertial.mass, 1.5);
    assert_eq!(inertial.inertia, [1.0, 0.01, 0.02, 2.0, 0.03, 3.0]);
    let Geometry::Mesh { filename, scale } = &base.visuals[0].geometry else {
        panic!("{:?}", base.visuals[0].geometry)
    };
    assert_eq!(
        (filename.as_str(), scale),
        ("package://a/b.dae", &[1.0, -1.0, 0.001])
    );
    let own = Material {
        name: "own".to_owned(),
        color: Some([1.0, 0.0, 0.0, 0.25]),
        texture: None,
    };
    assert_eq!(base.visuals[1].material, Some(own));
    assert!(base.visuals[1].superovoid.is_some());
    let tip = Superovoid::new([0.0064, 0.0162, 0.0064], [1.0, 0.64], [0.1, -0.2]).unwrap();
    assert_eq!(base.collisions[0].name.as_deref(), Some("tip"));
    assert_eq!(base.collisions[0].superovoid, Some(tip));
    assert_eq!(
        base.collisions[0].geometry,
        Geometry::Sphere { radius: 0.0162 }
    );
    let Geometry::Other(cone) = &base.visuals[2].geometry else {
        panic!("{:?}", base.visuals[2].geometry)
    };
    assert_eq!(cone.element(), "cone");
    let attributes = [("height", "2"), ("base", "a & b")];
    let attributes = attributes.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(cone.attributes(), attributes);
    let kinds: Vec<JointKind> = robot.joints().iter().map(|joint| joint.kind).collect();
    let all = [
        JointKind::Fixed,
        JointKind::Revolute,
        JointKind::Continuous,
        JointKind::Prismatic,
        JointKind::Floating,
        JointKind::Planar,
    ];
    assert_eq!(kinds, all);
    let elbow = &robot.joints()[1];
    assert_eq!(elbow.range(), Some([-1.5, 0.1]));
    assert_eq!(elbow.limit.unwrap().effort, Some(30.0));
    assert_eq!(elbow.axis, [0.0, 3.0, 4.0]);
    let unit = elbow.unit_axis().unwrap();
    assert!((unit.y - 0.6).abs() < 1e-15 && (unit.z - 0.8).abs() < 1e-15);
    assert_eq!(elbow.dynamics.unwrap().friction, 0.2);
    assert_eq!(elbow.safety_controller.unwrap().k_velocity, 5.0);
    assert_eq!(elbow.calibration.unwrap().rising, Some(0.5));
    assert_eq!(elbow.calibration.unwrap().falling, None);
    let mimic = Mimic {
        joint: "j4".to_owned(),
        multiplier: -2.0,
        offset: 0.25,
    };
    assert_eq!(robot.joints()[2].mimic, Some(mimic));
    assert_eq!(robot.joints()[2].range(), None);
    // The axis of URDF when there is none.
    assert_eq!(robot.joints()[3].axis, [1.0, 0.0, 0.0]);
    assert_eq!(robot.root(), 0);
    assert_eq!(robot.link_index("l4"), Some(4));
    assert_eq!(robot.parent_joint(4), Some(3));
    assert_eq!(
        (robot.parent_joint(0), robot.parent_joint(99)),
        (None, None)
    );
}

#[test]
fn what_takes_part_in_contact_is_told_from_what_does_not() {
    let robot = read(EVERYTHING);
    let bodies = robot.superovoid_bodies();
    let taking: Vec<_> = bodies
        .iter()
        .map(|body| (body.link, body.collision))
        .collect();
    assert_eq!(taking, [(0, 0), (0, 1)]);
    assert_eq!(bodies[0].shape.semi_axes(), [0.0064, 0.0162, 0.0064]);
    assert_eq!(bodies[0].pose.translation.z, 0.011);
    assert_eq!(bodies[1].shape, Superovoid::sphere(0.25).unwrap());
    let not = robot.unchecked();
    let not: Vec<_> = not
        .iter()
        .map(|n| (n.collision, n.geometry.element()))
        .collect();
    assert_eq!(not, [(5, "mesh")]);
    let compared: Vec<_> = robot
        .collision_bodies()
        .map(|body| body.collision)
        .collect();
    assert_eq!(compared, [0, 1, 2, 3, 4]);
}

#[test]
fn a_superovoid_is_read_beside_and_inside_geometry() {
    let shape = Superovoid::new([0.1, 0.2, 0.3], [0.5, 0.8], [0.1, 0.0]).unwrap();
    let numbers = r#"a1="0.1" a2="0.2" a3="0.3" e1="0.5" e2="0.8" tx="0.1""#;
    let fallback = r#"<sphere radius="1"/>"#;
    for body in [
        format!("<geometry>{fallback}</geometry><superovoid {numbers}/>"),
        format!("<superovoid {numbers}/><geometry>{fallback}</geometry>"),
        format!("<geometry><superovoid {numbers}/></geometry>"),
        format!("<geometry><SUPEROVOID {numbers}/></geometry>"),
        format!("<geometry>{fallback}<superovoid {numbers}/></geometry>"),
    ] {
        for element in ["collision", "visual"] {
            let robot = read(&link_with(&format!("<{element}>{body}</{element}>")));
            let link = &robot.links()[0];
            let (read, geometry) = match element {
                "visual" => (link.visuals[0].superovoid, &link.visuals[0].geometry),
                _ => (link.collisions[0].superovoid, &link.collisions[0].geometry),
            };
            assert_eq!(read, Some(shape), "{body}");
            let alone = !body.contains("sphere");
            if alone {
                assert_eq!(*geometry, Geometry::enclosing_sphere(&shape));
            } else {
                assert_eq!(*geometry, Geometry::Sphere { radius: 1.0 });
            }
            // The form that other programs drop is not passed over in silence.
            assert_eq!(robot.warnings().len(), usize::from(alone), "{body}");
        }
    }
    let ellipsoid = r#"<collision><geometry>
        <superellipsoid a1="0.1" a2="0.2" a3="0.3" e1="0.5" e2="0.8"/></geometry></collision>"#;
    let robot = read(&link_with(ellipsoid));
    let untapered = Superovoid::superellipsoid([0.1, 0.2, 0.3], [0.5, 0.8]).unwrap();
    assert_eq!(robot.links()[0].collisions[0].superovoid, Some(untapered));
}

/// The fallback holds every point of the body: its parametric surface stays inside.
#[test]
fn the_enclosing_sphere_encloses() {
    for (e, t) in [
        ([1.0, 0.64], [0.4, -0.3]),
        ([0.1, 0.1], [0.0, 0.0]),
        ([1.8, 0.3], [-0.9, 0.9]),
    ] {
        let shape = Superovoid::new([0.1, 0.2, 0.15], e, t).unwrap();
        let Geometry::Sphere { radius } = Geometry::enclosing_sphere(&shape) else {
            panic!("not a sphere")
        };
        let farthest = shape
            .tessellate(24)
            .vertices
            .iter()
            .map(|vertex| vertex.coords.norm())
            .fold(0.0, f64::max);
        assert!(farthest <= radius * (1.0 + 1e-12), "{farthest} > {radius}");
        // And is not absurdly large: no body reaches beyond twice its widest section's corner.
        assert!(radius < 4.0 * farthest, "{radius} for {farthest}");
    }
}

#[test]
fn what_the_model_does_not_hold_is_told() {
    let text = r#"<robot name="r" author="me">
  <link name="a" type="x">
    <collision><max_contacts>1</max_contacts>
      <geometry name="ball"><sphere radius="1"/></geometry>
    </collision>
    stray
  </link>
  <gazebo reference="a"><selfCollide>true</selfCollide></gazebo>
  <transmission name="t"/><transmission name="u"/>
</robot>"#;
    let robot = read(text);
    let told: Vec<(u32, u32, &str)> = robot
        .warnings()
        .iter()
        .map(|n| (n.line, n.column, n.message.as_str()))
        .collect();
    let expected = [
        (1, 17, "author of <robot> is not part of the model"),
        (8, 3, "<gazebo> in <robot> is not part of the model"),
        (9, 3, "<transmission> in <robot> is not part of the model"),
        (9, 27, "<transmission> in <robot> is not part of the model"),
        (2, 18, "type of <link> is not part of the model"),
        (5, 17, "text in <link> is not part of the model"),
        (
            3,
            16,
            "<max_contacts> in <collision> is not part of the model",
        ),
        (4, 17, "name of <geometry> is not part of the model"),
    ];
    assert_eq!(told, expected);
    assert_eq!(
        robot.warnings()[0].to_string(),
        "line 1, column 17: author of <robot> is not part of the model"
    );
}

#[test]
fn elements_of_another_namespace_are_not_urdf() {
    let text = r#"<robot name="r" xmlns:sensor="http://example.org/sensor">
  <link name="a"/><sensor:link name="b"/></robot>"#;
    let robot = read(text);
    assert_eq!(robot.links().len(), 1);
    assert_eq!(
        robot.warnings()[0].message,
        "<sensor:link> in <robot> is not part of the model"
    );
    // A default namespace on the root covers the whole file.
    let text = r#"<robot name="r" xmlns="http://example.org/urdf"><link name="a"/></robot>"#;
    assert_eq!(read(text).links().len(), 1);
}

// ---- what is written ----

#[test]
fn written_and_read_again_it_is_the_same_robot() {
    let robot = read(EVERYTHING);
    let text = robot.to_urdf();
    let again = read(&text);
    assert_eq!(again, robot);
    assert_eq!(again.warnings(), []);
    assert_eq!(again.to_urdf(), text);
    // Superovoids stand beside their fallback, and a continuous joint gets no limits of 0.
    let tip = &text[text.find("\"tip\"").unwrap()..];
    assert!(tip.find("</geometry>").unwrap() < tip.find("<superovoid").unwrap());
    let continuous = &text[text.find("\"j3\"").unwrap()..text.find("\"j4\" type").unwrap()];
    assert!(!continuous.contains("lower"), "{continuous}");
}

#[test]
fn hard_numbers_and_strings_survive_writing() {
    let numbers = [
        0.1 + 0.2,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        1.0 / 3.0,
        -1e-7,
        123_456_789.0,
    ];
    for number in numbers {
        let mut link = Link::new("tab\there, line\nthere, \"quotes\", <&> é \u{1F916} 'x'");
        link.collisions.push(Collision {
            name: Some(" spaces ".to_owned()),
            origin: Origin {
                xyz: [number, 0.0, -number],
                rpy: [0.1, number, 0.3],
            },
            geometry: Geometry::Box {
                size: [number.abs(), 1.0, 2.0],
            },
            superovoid: Some(
                Superovoid::superellipsoid([number.abs(), 1.0, 1.0], [1.0, 0.1]).unwrap(),
            ),
        });
        let robot = Robot::new("r", vec![link], vec![], vec![]).unwrap();
        assert_eq!(read(&robot.to_urdf()), robot, "{number:e}");
    }
}

#[test]
fn an_origin_survives_as_a_pose() {
    // `rpy` is kept as it is, also where it is not unique.
    for rpy in [
        [0.3, -0.4, 2.5],
        [0.3, std::f64::consts::FRAC_PI_2, 0.2],
        [7.0, 0.0, -9.0],
    ] {
        let origin = Origin {
            xyz: [1.0, 2.0, 3.0],
            rpy,
        };
        let pose = origin.isometry();
        let back = Origin::from_isometry(&pose).isometry();
        assert!(pose.rotation.angle_to(&back.rotation) < 4e-15, "{rpy:?}");
        assert_eq!(back.translation, pose.translation);
    }
}

// ---- what is refused, and where ----

/// Line and column, from 1, of the place marked § in a text, and the text without the mark.
fn unmarked(marked: &str) -> (u32, u32, String) {
    let (before, after) = marked.split_once('§').expect("no place is marked");
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |n: usize| u32::try_from(n).unwrap();
    (number(line), number(column), format!("{before}{after}"))
}

/// Reads what must be refused at the place marked §, and checks parts of the message.
pub fn refused(marked: &str, message: &[&str]) -> UrdfProblem {
    let (line, column, text) = unmarked(marked);
    refused_at(&text, line, column, message)
}

/// Reads what is left out with a warning at the place marked §.
fn left_out(marked: &str, message: &[&str]) -> Robot {
    let (line, column, text) = unmarked(marked);
    let robot = Robot::from_urdf_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let [warning] = robot.warnings() else {
        panic!("{:?}\n{text}", robot.warnings());
    };
    assert_eq!((warning.line, warning.column), (line, column), "{warning}");
    for part in ["left out"].iter().chain(message) {
        assert!(
            warning.message.contains(part),
            "{part:?} is not in: {warning}"
        );
    }
    robot
}

#[test]
fn what_is_wrong_only_in_what_is_seen_is_left_out_with_a_warning() {
    let cases = [
        "<visual><geometry><sphere §radius=\"zero\"/></geometry></visual>",
        "<visual><geometry><box §size=\"0 0 0\"/></geometry></visual>",
        "<visual><geometry><mesh filename=\"m.obj\" §scale=\"1 1 1 2\"/></geometry></visual>",
        "§<visual/>",
    ];
    for case in cases {
        let robot = left_out(
            &link_with(case),
            &["the <visual> is left out: link \"a\", visual 1"],
        );
        assert!(robot.links()[0].visuals.is_empty());
        refused(
            &link_with(&case.replace("visual", "collision")),
            &["collision 1"],
        );
    }
    // Xacro stays what it is.
    let expression = "<visual><geometry><sphere §radius=\"${r}\"/></geometry></visual>";
    refused(&link_with(expression), &["radius=\"${r}\"", "expand"]);
}

#[test]
fn a_material_in_the_geometry_of_a_visual_is_not_a_second_shape() {
    let inside = "<geometry><sphere radius=\"1\"/><material name=\"red\"/></geometry>";
    let robot = read(&link_with(&format!("<visual>{inside}</visual>")));
    assert_eq!(robot.links()[0].visuals.len(), 1);
    assert_eq!(
        robot.warnings()[0].message,
        "<material> in <geometry> is not part of the model"
    );
    let collision = inside.replace("<material", "§<material");
    refused(
        &link_with(&format!("<collision>{collision}</collision>")),
        &["<material>"],
    );
}

#[test]
fn what_an_undeclared_prefix_marks_is_no_part_of_the_model() {
    let text = "<robot name=\"r\">\n<link name=\"a\">\n  <collision>\n\
                <geometry><sphere radius=\"1\"/></geometry>\n\
                §<drake:proximity_properties>\n<drake:mu value=\"1\"/> <!-- drake:x -->\n\
                </drake:proximity_properties>\n</collision>\n</link>\n</robot>";
    let (line, column, text) = unmarked(text);
    let robot = read(&text);
    assert_eq!(robot.superovoid_bodies().len(), 1);
    let warning = &robot.warnings()[0];
    // Behind the <.
    assert_eq!((warning.line, warning.column), (line, column + 1));
    assert!(
        warning
            .message
            .contains("the prefix drake: is not declared"),
        "{warning}"
    );
    let unknown = &robot.warnings()[1];
    assert!(
        unknown
            .message
            .contains("<drake:proximity_properties> in <collision>"),
        "{unknown}"
    );
    // Nothing says what such a shape is.
    let shape = "<collision><geometry>§<drake:ellipsoid a=\"1\"/></geometry></collision>";
    refused(&link_with(shape), &["the prefix drake:", "is not declared"]);
    // Errors keep their place.
    let broken = "<collision a:b=\"'\"><geometry><sphere §radius=\"a:b\"/></geometry></collision>";
    refused(&link_with(broken), &["radius=\"a:b\""]);
}

fn refused_at(text: &str, line: u32, column: u32, message: &[&str]) -> UrdfProblem {
    let Err(error) = Robot::from_urdf_str(text) else {
        panic!("accepted: {text}")
    };
    let told = error.to_string();
    assert_eq!(error.position, Some((line, column)), "{told}\n{text}");
    assert!(
        told.starts_with(&format!("line {line}, column {column}: ")),
        "{told}"
    );
    for part in message {
        assert!(told.contains(part), "{part:?} is not in: {told}");
    }
    *error.problem
}

#[test]
fn broken_xml_is_refused() {
    let cases = [
        (
            "<robot name=\"r\">\n  <link name=\"a\">§</joint>\n</robot>",
            "</joint> inside <link> (line 2, column 3); expected </link>",
        ),
        (
            "<robot name=\"r\">\n<link name=\"a\" §name=\"b\"/></robot>",
            "a second attribute name",
        ),
        (
            "<robot name=\"r\">\n<link name=\"a\"/>§",
            "the file ends inside <robot> (line 1, column 1)",
        ),
        ("§", "the file is empty"),
        (
            "<robot name=\"r\"><link name=\"a§\u{0}\"/></robot>",
            "a NUL character",
        ),
        ("<robot name=\"r\">§&bomb;</robot>", "bomb"),
        ("<robot name=§r/>", "quote"),
    ];
    for (text, message) in cases {
        let problem = refused(text, &["not well-formed XML", message]);
        assert!(matches!(problem, UrdfProblem::Xml(_)));
        // The place is told once, in front.
        assert!(!problem.to_string().contains(" at "), "{problem}");
    }
}

#[test]
fn doctype_is_refused() {
    let text = "<?xml version=\"1.0\"?>\n<!-- not a <!DOCTYPE x> -->\n  <!DOCTYPE robot [\n\
                <!ENTITY a \"b\">]>\n<robot name=\"r\"><link name=\"a\"/></robot>";
    let problem = refused_at(text, 3, 3, &["DOCTYPE"]);
    assert!(matches!(problem, UrdfProblem::Doctype));
}

#[test]
fn other_xml_is_refused() {
    let problem = refused("\n§<sdf version='1.6'/>", &["<sdf>", "<robot>"]);
    assert!(matches!(problem, UrdfProblem::RootElement { .. }));
    let xacro = "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n\
                 §<xacro:property name=\"x\" value=\"1\"/></robot>";
    let problem = refused(xacro, &["<xacro:property>", "expand"]);
    assert!(matches!(problem, UrdfProblem::Xacro { .. }));
    let expression = "<collision><geometry><sphere §radius=\"${r}\"/></geometry></collision>";
    let problem = refused(&link_with(expression), &["radius=\"${r}\"", "expand"]);
    assert!(matches!(problem, UrdfProblem::XacroExpression { .. }));
    let name = "<robot §name=\"${r}\"><link name=\"a\"/></robot>";
    refused(name, &["name=\"${r}\"", "a xacro expression", "expand"]);
}

#[test]
fn columns_count_characters() {
    // Characters of two and of four bytes before the error, on its line.
    let text = "<robot name=\"é\u{1F916}\"><link/></robot>";
    refused_at(text, 1, 18, &["<link>", "name"]);
}

#[test]
fn numbers_that_are_not_are_refused() {
    for bad in [
        "0,5", "1e999", "-1e999", "nan", "NaN", "inf", "", "1 2", "0x10", "1f", "one",
    ] {
        let body =
            format!("<collision><geometry><sphere §radius=\"{bad}\"/></geometry></collision>");
        let value = format!("radius={bad:?}");
        let parts = [
            "link \"a\", collision 1",
            "<sphere>",
            &value,
            "one finite number",
        ];
        refused(&link_with(&body), &parts);
    }
    for bad in ["0 0", "0 0 0 0", "0,1 0 0", "0 nan 0", "", "0;0;0"] {
        for attribute in ["xyz", "rpy"] {
            let joint = joint_with("fixed", &format!("<origin §{attribute}=\"{bad}\"/>"));
            let value = format!("{attribute}={bad:?}");
            refused(
                &joint,
                &["joint \"j\"", "<origin>", &value, "3 finite numbers"],
            );
        }
    }
    // White space of any kind separates.
    let robot = read(&joint_with("fixed", "<origin xyz=\" 1\t2\n 3 \"/>"));
    assert_eq!(robot.joints()[0].origin.xyz, [1.0, 2.0, 3.0]);
}

#[test]
fn parameters_that_no_superovoid_has_are_refused() {
    let good = [
        ("a1", "1"),
        ("a2", "1"),
        ("a3", "1"),
        ("e1", "1"),
        ("e2", "1"),
        ("tx", "0"),
        ("ty", "0"),
    ];
    let with = |before: &str, numbers: &[(&str, &str)], marked: &str| {
        let numbers = numbers.iter().map(|(name, value)| {
            let mark = if *name == marked { "§" } else { "" };
            format!(" {mark}{name}=\"{value}\"")
        });
        let numbers: String = numbers.collect();
        link_with(&format!(
            "<collision><geometry><sphere radius=\"1\"/></geometry>\n\
             {before}<superovoid{numbers}/></collision>"
        ))
    };
    for (i, (name, _)) in good.into_iter().enumerate() {
        let bad = if name.starts_with('a') { "0" } else { "2" };
        let mut numbers = good;
        numbers[i].1 = bad;
        let parts = [
            "link \"a\", collision 1",
            "<superovoid>",
            &format!("{name} = {bad}"),
        ];
        let problem = refused(&with("", &numbers, name), &parts);
        assert!(matches!(
            problem,
            UrdfProblem::Robot(RobotError::Shape { .. })
        ));
        // And one that is not there: only a taper may be missing.
        let others: Vec<_> = good
            .into_iter()
            .filter(|(other, _)| *other != name)
            .collect();
        if name.starts_with('t') {
            read(&with("", &others, ""));
        } else {
            refused(&with("§", &others, ""), &["<superovoid>", "lacks", name]);
        }
    }
    let tapered = "<collision><geometry><superellipsoid a1=\"1\" a2=\"1\" a3=\"1\" e1=\"1\" e2=\"1\" \
                   §ty=\"0.1\"/></geometry></collision>";
    refused(
        &link_with(tapered),
        &["<superellipsoid>", "ty=\"0.1\"", "<superovoid>"],
    );
}

#[test]
fn shapes_must_be_there_once() {
    let sphere = "<sphere radius=\"1\"/>";
    let ovoid = "<superovoid a1=\"1\" a2=\"1\" a3=\"1\" e1=\"1\" e2=\"1\"/>";
    let collision = |inside: &str| link_with(&format!("<collision>{inside}</collision>"));
    let marked = |inside: &str| link_with(&format!("§<collision>{inside}</collision>"));
    refused(&marked(""), &["collision 1", "<geometry> is missing"]);
    refused(&marked("<geometry/>"), &["<geometry>", "one shape"]);
    // The message shows the fallback that would make the file good.
    refused(
        &marked(ovoid),
        &["<geometry><sphere radius=\"1\"/></geometry>"],
    );
    refused(
        &marked(&format!("<geometry/>{ovoid}")),
        &["<sphere radius=\"1\"/>"],
    );
    let two = format!("<geometry>{sphere}§<box size=\"1 1 1\"/></geometry>");
    refused(&collision(&two), &["<box>", "second shape"]);
    let twice = format!("<geometry>{sphere}</geometry>§<geometry>{sphere}</geometry>");
    refused(&collision(&twice), &["a second <geometry>"]);
    let both = format!("<geometry>§{ovoid}</geometry>{ovoid}");
    refused(&collision(&both), &["<superovoid>", "second shape"]);
}

#[test]
fn sizes_must_be_positive() {
    for (shape, attribute) in [
        ("<sphere §radius=\"0\"/>", "radius=\"0\""),
        ("<sphere §radius=\"-1\"/>", "radius=\"-1\""),
        ("<box §size=\"1 0 1\"/>", "size=\"1 0 1\""),
        ("<cylinder radius=\"1\" §length=\"0\"/>", "length=\"0\""),
        ("<capsule §radius=\"-1\" length=\"1\"/>", "radius=\"-1\""),
        (
            "<mesh filename=\"m.obj\" §scale=\"1 1 0\"/>",
            "scale=\"1 1 0\"",
        ),
        ("<mesh §filename=\"\"/>", "filename=\"\""),
    ] {
        for body in ["collision", "visual"] {
            // The second one, so that the place is that of the right one.
            let text = link_with(&format!(
                "<{body}><geometry><sphere radius=\"1\"/></geometry></{body}>\n\
                 <{body}><geometry>{shape}</geometry></{body}>"
            ));
            let owner = format!("link \"a\", {body} 2");
            let message = [&owner, attribute, "expected"];
            if body == "collision" {
                refused(&text, &message);
            } else {
                let robot = left_out(&text, &message);
                assert_eq!(robot.links()[0].visuals.len(), 1);
            }
        }
    }
    for shape in [
        "<sphere/>",
        "<box/>",
        "<cylinder radius=\"1\"/>",
        "<capsule/>",
        "<mesh/>",
    ] {
        let text = link_with(&format!(
            "<collision><geometry>§{shape}</geometry></collision>"
        ));
        refused(&text, &["lacks the attribute"]);
    }
}

#[test]
fn missing_and_repeated_parts_are_refused() {
    refused(
        "§<robot><link name=\"a\"/></robot>",
        &["<robot>", "lacks", "name"],
    );
    refused(
        "<robot §name=\"\"><link name=\"a\"/></robot>",
        &["<robot>", "name=\"\""],
    );
    refused(
        "<robot name=\"r\">§<link/></robot>",
        &["link without a name", "lacks"],
    );
    left_out(
        &link_with("§<inertial/>"),
        &["link \"a\"", "<mass> is missing"],
    );
    let massive = "§<inertial><mass value=\"1\"/></inertial>";
    let robot = left_out(&link_with(massive), &["<inertia> is missing"]);
    assert_eq!(robot.links()[0].inertial, None);
    let joint = |inside: &str| {
        format!("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n{inside}</robot>")
    };
    refused(
        &joint("§<joint type=\"fixed\"/>"),
        &["joint without a name", "name"],
    );
    refused(
        &joint("§<joint name=\"j\"/>"),
        &["joint \"j\"", "type", "revolute"],
    );
    let unknown = "<joint name=\"j\" §type=\"hinge\"/>";
    refused(&joint(unknown), &["type=\"hinge\"", "fixed, revolute"]);
    refused(
        &joint("§<joint name=\"j\" type=\"fixed\"/>"),
        &["<parent> is missing"],
    );
    let childless = "§<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>";
    refused(&joint(childless), &["<child> is missing"]);
    let nameless = "<joint name=\"j\" type=\"fixed\">§<parent/><child link=\"b\"/></joint>";
    refused(&joint(nameless), &["<parent>", "lacks", "link"]);
    let twice = joint_with("fixed", "<origin/>§<origin xyz=\"0 0 0\"/>");
    refused(&twice, &["joint \"j\"", "a second <origin>"]);
    let same = joint_with("fixed", "<origin xyz=\"1 2 3\"/>§<origin xyz=\"1 2 3\"/>");
    let robot = left_out(&same, &["a second <origin> that says the same"]);
    assert_eq!(robot.joints()[0].origin.xyz, [1.0, 2.0, 3.0]);
}

#[test]
fn joints_that_cannot_be_are_refused() {
    let limit = "<limit lower=\"-1\" upper=\"1\"/>";
    for kind in ["revolute", "prismatic"] {
        let unlimited = joint_with(kind, "").replace("<joint", "§<joint");
        refused(&unlimited, &["joint \"j\"", "<limit> is missing", kind]);
        // Bullet's way to say that there are none.
        let crossed = joint_with(kind, "§<limit lower=\"2\" upper=\"1\"/>");
        let robot = left_out(&crossed, &["limits from 2 to 1 are reversed"]);
        assert_eq!(robot.joints()[0].range(), None);
        let mut far = robot.neutral();
        far.set("j", 7.0).unwrap();
        assert!(robot.forward_kinematics(&far).is_ok());
        read(&joint_with(kind, "<limit lower=\"1\" upper=\"1\"/>"));
    }
    for kind in ["revolute", "continuous", "prismatic", "planar"] {
        let text = joint_with(kind, &format!("<axis §xyz=\"0 0 0\"/>{limit}"));
        refused(&text, &["<axis>", "xyz=\"0 0 0\"", "not zero"]);
    }
    // An axis that does not matter may be anything; limits of a continuous joint too.
    read(&joint_with("fixed", "<axis xyz=\"0 0 0\"/>"));
    read(&joint_with(
        "continuous",
        "<limit lower=\"2\" upper=\"1\"/>",
    ));
    // Tiny and huge axes are directions like any other.
    for axis in ["0 1e-320 0", "0 1e308 0"] {
        let robot = read(&joint_with(
            "continuous",
            &format!("<axis xyz=\"{axis}\"/>"),
        ));
        assert_eq!(robot.joints()[0].unit_axis().unwrap().y, 1.0);
    }
}

#[test]
fn mimics_must_lead_to_a_joint_that_moves() {
    let robot = |mimics: [&str; 3]| {
        let joints = ["a", "b", "c"].iter().zip(mimics).enumerate();
        let joints = joints.map(|(i, (name, mimic))| {
            let child = i + 1;
            format!(
                "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{i}\"/>\
                 <child link=\"{child}\"/>{mimic}</joint>\n"
            )
        });
        let joints: String = joints.collect();
        let links: String = (0..4).map(|i| format!("<link name=\"{i}\"/>")).collect();
        format!("<robot name=\"r\">{links}\n{joints}</robot>")
    };
    let unknown = robot(["", "<mimic §joint=\"x\"/>", ""]);
    refused(&unknown, &["joint \"b\"", "joint=\"x\""]);
    let own = robot(["", "<mimic §joint=\"b\"/>", ""]);
    refused(&own, &["\"b\" mimic each other"]);
    let circle = [
        "<mimic joint=\"b\"/>",
        "<mimic §joint=\"c\"/>",
        "<mimic joint=\"b\"/>",
    ];
    let problem = refused(&robot(circle), &["\"b\", \"c\" mimic each other"]);
    assert!(matches!(
        problem,
        UrdfProblem::Robot(RobotError::MimicCycle { .. })
    ));
    refused(
        &robot(["§<mimic/>", "", ""]),
        &["<mimic>", "lacks", "joint"],
    );
    let fixed = robot(["", "", "<mimic §joint=\"a\"/>"]).replacen("continuous", "fixed", 1);
    refused(&fixed, &["joint \"c\"", "joint=\"a\"", "revolute"]);
    let floating = joint_with("floating", "<mimic joint=\"j\"/>").replace("type", "§type");
    refused(&floating, &["type=\"floating\"", "<mimic>"]);
}

/// Links by name and fixed joints by name, parent and child, each on a line of its own.
fn graph(links: &[&str], joints: &[[&str; 3]]) -> String {
    let links = links
        .iter()
        .map(|link| format!("<link name=\"{link}\"/>\n"));
    let joints = joints.iter().map(|[name, parent, child]| {
        format!(
            "<joint name=\"{name}\" type=\"fixed\"><parent link=\"{parent}\"/>\
             <child link=\"{child}\"/></joint>\n"
        )
    });
    let parts: String = links.chain(joints).collect();
    format!("<robot name=\"r\">\n{parts}</robot>")
}

/// The text with the mark before the n-th occurrence (from 0) of `what`.
fn mark(text: &str, what: &str, n: usize) -> String {
    let (at, _) = text.match_indices(what).nth(n).expect("nothing to mark");
    format!("{}§{}", &text[..at], &text[at..])
}

#[test]
fn links_and_joints_must_be_one_tree() {
    refused(
        "§<robot name=\"r\">\n</robot>",
        &["robot \"r\" has no <link>"],
    );
    let text = graph(&["a", "b", "a"], &[]);
    refused(
        &mark(&text, "name=\"a\"", 1),
        &["second <link>", "name=\"a\""],
    );
    let text = graph(&["a", "b", "c"], &[["j", "a", "b"], ["j", "b", "c"]]);
    refused(
        &mark(&text, "name=\"j\"", 1),
        &["second <joint>", "name=\"j\""],
    );
    let text = graph(&["a", "b"], &[["j", "x", "b"]]);
    refused(
        &mark(&text, "link=\"x\"", 0),
        &["joint \"j\"", "<parent>", "link=\"x\""],
    );
    let text = graph(&["a", "b"], &[["j", "a", "x"]]);
    refused(
        &mark(&text, "link=\"x\"", 0),
        &["joint \"j\"", "<child>", "link=\"x\""],
    );
    let text = graph(&["a", "b", "c"], &[["j", "a", "c"], ["k", "b", "c"]]);
    refused(
        &mark(&text, "link=\"c\"", 1),
        &["link \"c\"", "\"j\" and \"k\""],
    );
    let text = graph(&["a", "b", "c", "d"], &[["j", "a", "c"]]);
    refused(
        &mark(&text, "name=\"b\"", 0),
        &["\"a\", \"b\", \"d\" are all roots"],
    );
    // No root at all, and a root with a cycle beside it.
    let text = graph(&["a", "b"], &[["j", "a", "b"], ["k", "b", "a"]]);
    let problem = refused(
        &mark(&text, "name=\"b\"", 0),
        &["\"b\", \"a\" form a cycle"],
    );
    assert!(matches!(
        problem,
        UrdfProblem::Robot(RobotError::Cycle { .. })
    ));
    let text = graph(
        &["r", "a", "b", "c"],
        &[["j", "a", "b"], ["k", "b", "a"], ["l", "b", "c"]],
    );
    let problem = refused(
        &mark(&text, "name=\"b\"", 0),
        &["\"b\", \"a\" form a cycle"],
    );
    assert!(matches!(
        problem,
        UrdfProblem::Robot(RobotError::Cycle { .. })
    ));
    let text = graph(&["a"], &[["j", "a", "a"]]);
    refused(&mark(&text, "name=\"a\"", 0), &["\"a\" form a cycle"]);
    let twice = "<robot name=\"r\"><material name=\"m\"/>\n<material §name=\"m\"/>\
                 <link name=\"a\"/></robot>";
    refused(twice, &["second <material>", "\"m\""]);
}

#[test]
fn a_robot_made_by_a_program_is_checked_like_a_file() {
    let links = || vec![Link::new("a"), Link::new("b")];
    let joint = || Joint {
        limit: Some(Limit {
            upper: 1.0,
            ..Limit::default()
        }),
        ..Joint::new("j", JointKind::Revolute, "a", "b")
    };
    let robot = Robot::new("r", links(), vec![joint()], vec![]).unwrap();
    assert_eq!(read(&robot.to_urdf()), robot);

    type Spoil = fn(&mut Joint);
    let bad_joints: [(Spoil, &str); 6] = [
        (|joint| joint.origin.rpy[1] = f64::NAN, "rpy"),
        (|joint| joint.axis = [0.0, f64::INFINITY, 0.0], "axis"),
        (|joint| joint.limit = None, "limit"),
        (
            |joint| joint.limit.as_mut().unwrap().upper = f64::INFINITY,
            "upper",
        ),
        (|joint| joint.name = "bell \u{7}".to_owned(), "control"),
        (|joint| joint.child = "c".to_owned(), "\"c\""),
    ];
    for (spoil, part) in bad_joints {
        let mut joint = joint();
        spoil(&mut joint);
        let error = Robot::new("r", links(), vec![joint], vec![]).unwrap_err();
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
    let mut spoiled = links();
    spoiled[1].collisions.push(Collision {
        name: None,
        origin: Origin::default(),
        geometry: Geometry::Sphere { radius: f64::NAN },
        superovoid: None,
    });
    let error = Robot::new("r", spoiled, vec![joint()], vec![]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("link \"b\", collision 1: <sphere>"),
        "{error}"
    );
}

#[test]
fn files_are_named_in_errors() {
    let folder = std::env::temp_dir().join(format!("superovoid-urdf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("robot.urdf");
    let missing = Robot::from_urdf_file(&path).unwrap_err();
    assert!(matches!(*missing.problem, UrdfProblem::Io(_)));
    assert_eq!(missing.path.as_ref(), Some(&path));
    assert_eq!(missing.position, None);

    std::fs::write(&path, b"<robot name=\"r\">\n<link name=\"\xe9\"/></robot>").unwrap();
    let latin = Robot::from_urdf_file(&path).unwrap_err();
    assert!(matches!(*latin.problem, UrdfProblem::Encoding));
    assert_eq!(latin.position, Some((2, 13)));
    assert!(
        latin
            .to_string()
            .contains("robot.urdf: line 2, column 13: "),
        "{latin}"
    );

    // A byte order mark is no part of the text.
    std::fs::write(&path, format!("\u{feff}{EVERYTHING}")).unwrap();
    assert_eq!(Robot::from_urdf_file(&path).unwrap(), read(EVERYTHING));
    std::fs::write(&path, "\u{feff}<robot><link/></robot>").unwrap();
    let marked = Robot::from_urdf_file(&path).unwrap_err();
    assert_eq!(marked.position, Some((1, 1)));
    std::fs::remove_dir_all(&folder).unwrap();
}

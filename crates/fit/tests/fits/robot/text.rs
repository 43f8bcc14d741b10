//! What stays in the text, and how what is new looks.

use super::judge::Written;
use super::meshes::egg;
use super::{Folder, robot, rough};
use superovoid_fit::{FitRobotError, RobotProgress};
use superovoid_robot::Robot;

/// The text without the collisions of its links.
pub fn around(urdf: &str) -> Vec<String> {
    let text = urdf.trim_start_matches('\u{feff}');
    let document = roxmltree::Document::parse(text).unwrap();
    let all = document
        .root_element()
        .children()
        .flat_map(|link| link.children());
    let own = document.root_element().tag_name().namespace();
    let collisions =
        all.filter(|n| n.tag_name().name() == "collision" && n.tag_name().namespace() == own);
    let mark = urdf.len() - text.len();
    let mut pieces = vec![urdf[..mark].to_owned()];
    let mut done = 0;
    for range in collisions.map(|n| n.range()) {
        pieces.push(text[done..range.start].to_owned());
        done = range.end;
    }
    pieces.push(text[done..].to_owned());
    pieces
}

const FULL: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!-- <collision><geometry><mesh filename="none.stl"/></geometry></collision> -->
<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro" xmlns:s="urn:sensor">
	<link name='a &amp; b'>
		<visual><geometry><mesh filename="none.stl"/></geometry></visual>
		<!-- first -->
		<collision name='first'  >
			<!-- < & > -->
			<geometry><!-- before --><mesh   scale = '1 1 1'
				filename="egg.obj" /><!-- after --></geometry>
			<verbose value="x"/>
		</collision >
		<s:collision><geometry><mesh filename="none.stl"/></geometry></s:collision>
		<collision><origin rpy="0 0 1"
		    xyz="1 2 3"></origin><geometry>

			<mesh filename="e&#103;g.obj"/>

		</geometry></collision>
	</link>
	<gazebo><collision><geometry><mesh filename="none.stl"/></geometry></collision>
	<![CDATA[ <link name="c"><collision><geometry/></collision></link> ]]></gazebo>
	<?later <collision> ?>
	<link name="ü"><collision><geometry><cylinder length="1e-1" radius=".05"/></geometry></collision></link>
	<joint name="j" type="fixed"><parent link="a &amp; b"/><child link="ü"/></joint>
</robot>
<!-- end -->
"##;

#[test]
fn all_but_the_collisions_stays_byte_for_byte() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let broken = FULL.replace('\n', "\r\n");
    for text in [FULL.to_owned(), broken, format!("\u{feff}{FULL}")] {
        let fitted = folder.roughly_fitted(&text);
        assert_eq!(around(&fitted.urdf), around(&text));
        assert_eq!(fitted.bodies.len(), 3);
        let breaks = |text: &str, what: &str| text.matches(what).count();
        if text.contains('\r') {
            assert_eq!(breaks(&fitted.urdf, "\n"), breaks(&fitted.urdf, "\r\n"));
        } else {
            assert!(!fitted.urdf.contains('\r'));
        }
        let (before, after) = (
            Robot::from_urdf_str(&text),
            Robot::from_urdf_str(&fitted.urdf),
        );
        let (before, after) = (before.unwrap(), after.unwrap());
        for (old, new) in before.links().iter().zip(after.links()) {
            assert_eq!((&old.visuals, &old.name), (&new.visuals, &new.name));
            assert_eq!(old.collisions.len(), new.collisions.len());
            let whole = new.collisions.iter().all(|c| c.superovoid.is_some());
            assert!(whole, "{}", fitted.urdf);
        }
        assert_eq!(before.joints(), after.joints());
    }
}

#[test]
fn within_a_collision_the_rest_stays_too() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let out = folder.roughly_fitted(FULL).urdf;
    for kept in [
        "<collision name='first'  >\n\t\t\t<!-- < & > -->\n\t\t\t<origin xyz=\"",
        "<geometry><!-- before --><box size=\"",
        "/><!-- after --></geometry>\n\t\t\t<superovoid a1=\"",
        "\n\t\t\t<verbose value=\"x\"/>\n\t\t</collision >",
        "<geometry>\n\n\t\t\t<box size=\"",
        "/>\n\n\t\t</geometry><superovoid a1=\"",
        "<geometry><cylinder length=\"1e-1\" radius=\".05\"/></geometry><superovoid a1=\"",
    ] {
        assert!(out.contains(kept), "{kept}\n{out}");
    }
    // The collision without an origin has one, the other has its own replaced.
    assert_eq!(out.matches("<origin").count(), 2);
    assert!(!out.contains("xyz=\"1 2 3\""));
}

#[test]
fn an_origin_may_follow_the_geometry_without_a_gap() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let text = robot(
        "<collision><geometry><mesh filename='egg.obj'/></geometry><origin xyz='1 2 3'/></collision>",
    );
    let out = folder.roughly_fitted(&text).urdf;
    assert!(
        out.contains("</geometry><superovoid ") && out.contains("/><origin xyz=\""),
        "{out}"
    );
    let [body] = &Written::all(&out, "arm")[..] else {
        panic!("{out}");
    };
    assert!((body.xyz[2] - 3.0).abs() < 0.05, "{out}");
}

#[test]
fn prefixes_and_default_namespaces_are_kept() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let text = "<u:robot xmlns:u='urn:urdf' name='r'><u:link name='arm'><u:collision><u:geometry>\
                <u:mesh filename='egg.obj'/></u:geometry></u:collision></u:link></u:robot>";
    let out = folder.roughly_fitted(text).urdf;
    assert!(
        out.contains("<u:origin ") && out.contains("<u:superovoid "),
        "{out}"
    );
    assert_eq!(
        Robot::from_urdf_str(&out)
            .unwrap()
            .superovoid_bodies()
            .len(),
        1
    );
    let text = "<robot xmlns='urn:urdf' name='r'><link name='arm'><collision><geometry>\
                <mesh filename='egg.obj'/></geometry></collision></link></robot>";
    let out = folder.roughly_fitted(text).urdf;
    assert_eq!(
        Robot::from_urdf_str(&out)
            .unwrap()
            .superovoid_bodies()
            .len(),
        1
    );
}

#[test]
fn superovoids_that_are_there_and_capsules_stay() {
    let folder = Folder::new();
    let text = robot(
        "<collision><geometry><mesh filename=\"none.stl\"/></geometry>\
           <superovoid a1=\"1\" a2=\"1\" a3=\"1\" e1=\"1\" e2=\"1\"/></collision>\
         <collision><geometry><SUPEROVOID a1=\"1\" a2=\"1\" a3=\"1\" e1=\"1\" e2=\"1\"/></geometry></collision>\
         <collision><geometry><capsule radius=\"1\" length=\"2\"/></geometry></collision>",
    );
    let fitted = folder.roughly_fitted(&text);
    assert_eq!(fitted.urdf, text);
    assert!(fitted.bodies.is_empty());
    let kept: Vec<(usize, bool)> = fitted
        .untouched
        .iter()
        .map(|u| (u.collision, u.has_superovoid))
        .collect();
    assert_eq!(kept, [(0, true), (1, true), (2, false)]);
}

#[test]
fn a_robot_fitted_twice_is_fitted_once() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let once = folder.roughly_fitted(FULL).urdf;
    let twice = folder.roughly_fitted(&once);
    assert_eq!(twice.urdf, once);
    assert_eq!(twice.untouched.len(), 3);
}

#[test]
fn copies_of_a_collision_are_told_apart_by_their_names() {
    let folder = Folder::new();
    let bar = super::meshes::block([1.0, 0.1, 0.1]);
    let angle = bar.clone().and(bar.map(|[x, y, z]| [y, x, z]));
    folder.write("angle.obj", angle.obj());
    let text = "<robot name=\"r\">\r\n <link name=\"arm\">\r\n  <collision name=\"l\">\r\n   <geometry>\
                <mesh filename=\"angle.obj\"/></geometry>\r\n  </collision>\r\n  <collision name=\"l_2\"><geometry><sphere radius=\"1\"/></geometry></collision>\r\n \
                </link>\r\n</robot>";
    let mut options = rough();
    options.parts.most = 2;
    let out = folder.fit(text, &options).unwrap().urdf;
    assert!(
        out.contains("  </collision>\r\n  <collision name=\"l_3\">\r\n   <origin"),
        "{out}"
    );
    assert_eq!(Written::all(&out, "arm").len(), 3);
}

#[test]
fn progress_is_told_and_can_end_the_work() {
    let folder = Folder::new();
    folder.write("egg.obj", egg().obj());
    let told = std::cell::RefCell::new(Vec::new());
    let tell = |p: RobotProgress| {
        told.borrow_mut().push((p.link.to_owned(), p.done, p.steps));
        p.done < 2
    };
    let options = rough().with_progress(Some(&tell));
    let error = folder.fit(FULL, &options).unwrap_err();
    assert!(matches!(error, FitRobotError::Cancelled));
    let [a, u] = ["a & b", "ü"].map(str::to_owned);
    assert_eq!(told.into_inner(), [(a.clone(), 0, 3), (a, 1, 3), (u, 2, 3)]);
}

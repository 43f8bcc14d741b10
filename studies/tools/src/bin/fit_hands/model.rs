//! The robot as URDF: both hands on one root.
//!
//! The left hand's fingers point along +x of `l_hand`, the right hand's along −x of `r_hand`, both tilted by 15°
//! about y; the thumb is at +z and the palms face −y. The root has x forward (along the fingers), y left, z up (the
//! thumbs' side), and the hands are mirror images in its plane y = 0.

use crate::facts::{Facts, Joint, Limit, Origin};
use crate::fits::{LinkFit, Rounded};
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt::Write;

const TILT: f64 = PI / 12.0;
const HALF_GAP: f64 = 0.035;
/// Effort and velocity, which URDF requires.
const PLACEHOLDER: f64 = 50_000.0;

/// The three models, as in Gonçalves et al. 2017, section 5.2.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Superovoids,
    Superellipsoids,
    /// Superovoids for the fingertips, superellipsoids for the other links.
    Mixed,
}

impl Version {
    pub const ALL: [Version; 3] = [
        Version::Superovoids,
        Version::Superellipsoids,
        Version::Mixed,
    ];

    /// The robot's name.
    fn name(self) -> &'static str {
        match self {
            Version::Superovoids => "icub_hands",
            Version::Superellipsoids => "icub_hands_superellipsoids",
            Version::Mixed => "icub_hands_mixed",
        }
    }

    pub fn file(self) -> String {
        format!("{}.urdf", self.name())
    }

    fn description(self) -> &'static str {
        match self {
            Version::Superovoids => "21 convex superovoids each",
            Version::Superellipsoids => "21 superellipsoids each",
            Version::Mixed => "5 superovoids (fingertips) and 16 superellipsoids each",
        }
    }

    pub fn body(self, fit: &LinkFit) -> &Rounded {
        let superovoid = match self {
            Version::Superovoids => true,
            Version::Superellipsoids => false,
            Version::Mixed => is_tip(&fit.name),
        };
        if superovoid {
            &fit.superovoid
        } else {
            &fit.superellipsoid
        }
    }
}

/// Whether a link is the last of its finger.
fn is_tip(name: &str) -> bool {
    name.ends_with("_3")
}

pub fn urdf(facts: &Facts, fits: &[LinkFit], version: Version) -> String {
    let mut text = header(facts, version);
    for name in ["root", "right_hand_slide", "right_hand_wrist"] {
        text += &empty_link(name);
    }
    own_joints()
        .iter()
        .for_each(|joint| text += &of_joint(joint));
    for (side, hand) in facts.hands() {
        let _ = write!(text, "\n  <!-- {side} hand -->\n");
        for link in &hand.links {
            text += &match fits.iter().find(|fit| fit.name == link.name) {
                Some(fit) => of_link(&link.name, version.body(fit)),
                None => empty_link(&link.name),
            };
        }
        hand.joints
            .iter()
            .for_each(|joint| text += &of_joint(joint));
    }
    text + "</robot>\n"
}

fn header(facts: &Facts, version: Version) -> String {
    let Facts {
        source_repo,
        commit,
        source_urdf,
        licence,
        ..
    } = facts;
    let (name, what) = (version.name(), version.description());
    format!(
        r#"<?xml version="1.0"?>
<!--
  Both hands of the iCub robot, {what}, palms facing each other.

  Written by the program fit_hands of studies/tools/; change that, not this. Frames, joints and the fit's
  errors are explained in docs/reports/icub_hands.md. Lengths in metres, angles in radians.

  Link names, joint origins, axes and limits, and the collision meshes that the bodies were fitted
  to, are facts taken from
    https://{source_repo}
    commit {commit}
    {source_urdf}
  by the iCub Facility, Istituto Italiano di Tecnologia, licensed {licence}
  (https://creativecommons.org/licenses/by-sa/4.0/). Changes: hands only, on a common root with
  two joints of our own; collision meshes replaced by superovoids, numbers rounded; no inertia,
  no visuals.

  Each <superovoid> stands beside an enclosing sphere, which is what other URDF readers see.
  effort="{PLACEHOLDER}" and velocity="{PLACEHOLDER}" are placeholders (URDF requires them).
-->
<robot name="{name}">
"#
    )
}

/// What holds the two hands: the left one fixed, the right one on a slide and a wrist.
fn own_joints() -> [Joint; 4] {
    let joint = |name: &str, parent: &str, child: &str, xyz, rpy| Joint {
        name: name.into(),
        kind: "fixed".into(),
        parent: parent.into(),
        child: child.into(),
        origin: Origin { xyz, rpy },
        axis: None,
        limit: None,
    };
    let moving = |kind: &str, axis, lower, upper, joint| Joint {
        kind: kind.into(),
        axis: Some(axis),
        limit: Some(Limit {
            lower,
            upper,
            effort: PLACEHOLDER,
            velocity: PLACEHOLDER,
        }),
        ..joint
    };
    let (slide, wrist) = ("right_hand_slide", "right_hand_wrist");
    [
        joint(
            "left_hand_mount",
            "root",
            "l_hand",
            [0.0, HALF_GAP, 0.0],
            [0.0, TILT, 0.0],
        ),
        moving(
            "prismatic",
            [0.0, 1.0, 0.0],
            -0.2,
            2.0 * HALF_GAP,
            joint(
                "right_hand_approach",
                "root",
                slide,
                [0.0, -HALF_GAP, 0.0],
                [0.0; 3],
            ),
        ),
        moving(
            "revolute",
            [0.0, 0.0, 1.0],
            0.0,
            FRAC_PI_2,
            joint("right_hand_inward", slide, wrist, [0.0; 3], [0.0; 3]),
        ),
        joint(
            "right_hand_mount",
            wrist,
            "r_hand",
            [0.0; 3],
            [0.0, -TILT, PI],
        ),
    ]
}

fn empty_link(name: &str) -> String {
    format!("  <link name=\"{name}\"/>\n")
}

fn of_link(name: &str, body: &Rounded) -> String {
    let shape = &body.shape;
    let ([a1, a2, a3], [e1, e2], [tx, ty]) = (
        shape.semi_axes().map(number),
        shape.exponents().map(number),
        shape.tapers().map(number),
    );
    let origin = of_origin(&body.origin, 6);
    let radius = number(body.enclosing_radius());
    format!(
        r#"  <link name="{name}">
    <collision name="{name}">
{origin}      <geometry><sphere radius="{radius}"/></geometry>
      <superovoid a1="{a1}" a2="{a2}" a3="{a3}" e1="{e1}" e2="{e2}" tx="{tx}" ty="{ty}"/>
    </collision>
  </link>
"#
    )
}

fn of_joint(joint: &Joint) -> String {
    let Joint {
        name,
        kind,
        parent,
        child,
        ..
    } = joint;
    let mut text = format!(
        "  <joint name=\"{name}\" type=\"{kind}\">\n    <parent link=\"{parent}\"/>\n    \
         <child link=\"{child}\"/>\n{}",
        of_origin(&joint.origin, 4)
    );
    if kind != "fixed" {
        if let Some(axis) = joint.axis {
            let _ = writeln!(text, "    <axis xyz=\"{}\"/>", vector(axis));
        }
        if let Some(limit) = joint.limit {
            let [lower, upper, effort, velocity] =
                [limit.lower, limit.upper, limit.effort, limit.velocity].map(number);
            let _ = writeln!(
                text,
                "    <limit lower=\"{lower}\" upper=\"{upper}\" effort=\"{effort}\" \
                 velocity=\"{velocity}\"/>"
            );
        }
    }
    text + "  </joint>\n"
}

fn of_origin(origin: &Origin, indent: usize) -> String {
    let (xyz, rpy) = (vector(origin.xyz), vector(origin.rpy));
    format!("{:indent$}<origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>\n", "")
}

fn vector(v: [f64; 3]) -> String {
    v.map(number).join(" ")
}

/// Nine decimals at most (1e-9 m, 1e-9 rad): what the source holds beyond is rounding noise.
fn number(x: f64) -> String {
    let text = format!("{x:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        let cases = [
            (0.0, "0"),
            (-1e-12, "0"),
            (50_000.0, "50000"),
            (-0.25, "-0.25"),
            (1.0 / 3.0, "0.333333333"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
    }
}

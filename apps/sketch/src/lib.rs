//! Figures from strokes, after Gonçalves 2015 (§4.1 to §4.3): strokes become bones and ellipses become superellipsoids on
//! them, joints have ranges, and a figure becomes a robot in URDF, a mesh in OBJ or COLLADA, or a file of its own.
//!
//! Lengths are metres, angles radians; a figure looks along x, its left is y, and up is z. Points of a pane are from 0 to 1
//! with y up.
//!
//! ```
//! use superovoid_sketch::{Face, Preset, Sketch, View, to_urdf, Drawn, UrdfOptions};
//!
//! let view = View { face: Face::Front, center: [0.0, 0.0, 1.0].into(), extent: 2.0 };
//! let mut sketch = Sketch::default();
//! let line: Vec<[f64; 2]> = (0..50).map(|k| [0.5, 0.8 - 0.01 * f64::from(k)]).collect();
//! let Drawn::Bones(bones) = sketch.draw(&view, &line)? else { unreachable!() };
//! sketch.set_preset(bones[0], Preset::Hinge)?;
//! let round = |k| (0.1 * f64::from(k) as f64).sin_cos();
//! let ring: Vec<[f64; 2]> = (0..63).map(round).map(|(s, c)| [0.5 + 0.05 * c, 0.5 + 0.2 * s]).collect();
//! assert!(matches!(sketch.draw(&view, &ring)?, Drawn::Hitbox(_)));
//! let robot = to_urdf(sketch.figure(), &UrdfOptions::default())?;
//! assert_eq!(robot.superovoid_bodies().len(), 1);
//! sketch.undo()?;
//! # Ok::<(), superovoid_sketch::SketchError>(())
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `stroke` | a stroke at even arc length, the chain of bones that it draws |
//! | `hull`, `ellipse`, `recogniser` | three ratios, the ellipse of least squares, what a stroke means |
//! | `view` | the six orthographic views |
//! | `figure`, `key` | the data: joints, bones, hitboxes, and their keys |
//! | `skeleton`, `drawing` | chains that weld, bones that are split, joints that move |
//! | `joint`, `kinematics` | ranges and presets, the poses of the bones |
//! | `hitbox` | bodies from ellipses |
//! | `picking` | what lies at a point of a pane |
//! | `sketch`, `history` | every edit as a step that is undone and done again |
//! | `export` | URDF with inertia, SRDF, OBJ, COLLADA, JSON |
//! | `ragdoll` | a figure as a scene of the simulation |
//! | `figures` | a horse, a humanoid and a walker on six legs, from strokes |

mod drawing;
mod ellipse;
mod error;
mod export;
mod figure;
mod figures;
mod history;
mod hitbox;
mod hull;
mod joint;
mod key;
mod kinematics;
mod picking;
mod ragdoll;
mod recogniser;
mod skeleton;
mod sketch;
mod stroke;
mod view;

pub use drawing::SNAP;
pub use ellipse::{Ellipse, fit_ellipse};
pub use error::SketchError;
pub use export::collada::to_collada;
pub use export::json::{from_json, to_json};
pub use export::meshes::to_obj;
pub use export::srdf::to_srdf;
pub use export::urdf::{UrdfOptions, to_urdf};
pub use figure::{Bone, Figure, Hitbox};
pub use figures::{hexapod, horse, humanoid};
pub use hitbox::Touch;
pub use hull::{Ratios, area, convex_hull, ratios};
pub use joint::{Articulation, MIDDLE_LIMIT, Preset, rotation};
pub use key::{BoneId, HitboxId, JointId};
pub use kinematics::{Angles, Branch};
pub use picking::Picked;
pub use ragdoll::to_scene;
pub use recogniser::{Recognised, Refusal, recognise};
pub use sketch::{Drawn, Sketch};
pub use stroke::{Stroke, StrokeError};
pub use superovoid_json::JsonError;
pub use view::{Face, View};

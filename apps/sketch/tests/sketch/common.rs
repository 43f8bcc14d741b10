//! Figures, views and strokes that several tests use.

use nalgebra::Point3;
use superovoid_sketch::{Face, Sketch, View, hexapod, horse, humanoid};

/// The ready figures with their names.
pub fn shipped() -> [(&'static str, Sketch); 3] {
    [
        ("humanoid", humanoid().unwrap()),
        ("horse", horse().unwrap()),
        ("hexapod", hexapod().unwrap()),
    ]
}

/// Two metres seen from the front.
pub fn front() -> View {
    View {
        face: Face::Front,
        center: Point3::new(0.0, 0.0, 1.0),
        extent: 2.0,
    }
}

/// A straight stroke.
pub fn line(from: [f64; 2], to: [f64; 2]) -> Vec<[f64; 2]> {
    let at = |k: i32| [0, 1].map(|i| from[i] + f64::from(k) / 60.0 * (to[i] - from[i]));
    (0..=60).map(at).collect()
}

/// A figure of one bone that stands.
pub fn one_bone() -> Sketch {
    let mut sketch = Sketch::default();
    sketch
        .draw(&front(), &line([0.5, 0.3], [0.5, 0.7]))
        .unwrap();
    sketch
}

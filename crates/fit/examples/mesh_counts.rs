//! Prints what is read of mesh files as robots have them, for comparison with other readers (`crates/fit/tests/mesh_counts.py`):
//!
//! ```sh
//! cargo run -p superovoid-fit --example mesh_counts -- MESH.stl …
//! ```
//!
//! A line for each file: its name, its triangles that have an area, their area, and the corners of their box; or the error.

use std::error::Error;
use std::io::Write as _;
use superovoid_fit::{Mesh, ReadLimits, read_robot_mesh};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args_os().skip(1) {
        let name = path.to_string_lossy();
        match read_robot_mesh(&path, &ReadLimits::default()) {
            Ok(mesh) => writeln!(out, "{name}\t{}", facts(&mesh))?,
            Err(error) => writeln!(out, "{name}\terror\t{error}")?,
        }
    }
    Ok(())
}

fn facts(mesh: &Mesh) -> String {
    let vertices = mesh.vertices();
    let areas = mesh.triangles().iter().map(|t| {
        let [a, b, c] = t.map(|k| vertices[k as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    });
    let mut low = vertices[0];
    let mut high = vertices[0];
    for vertex in vertices {
        low = low.inf(vertex);
        high = high.sup(vertex);
    }
    let area: f64 = areas.sum();
    let count = mesh.triangles().len();
    let [a, b, c] = [low.x, low.y, low.z];
    let [d, e, f] = [high.x, high.y, high.z];
    format!("{count}\t{area:e}\t{a:e} {b:e} {c:e} {d:e} {e:e} {f:e}")
}

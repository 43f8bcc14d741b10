//! Fits one body, an enclosing one and several bodies to a mesh file, and says how good they are.
//!
//! ```text
//! cargo run --release -p superovoid-fit --example fit_mesh -- MESH.stl
//! ```

use superovoid_fit::{Aim, Fit, Mesh, MeshOptions, PartsOptions, ReadLimits};
use superovoid_fit::{fit_mesh, fit_parts, read_mesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("which mesh? Give a .stl, .obj or .dae file")?;
    let mesh = read_mesh(&path, &ReadLimits::default())?;
    let hull = mesh.hull().ok_or("the mesh is flat")?;
    println!(
        "{path}: {} triangles, lengths in mm",
        mesh.triangles().len()
    );

    let mut options = MeshOptions::default();
    show("best", &fit_mesh(&mesh, &options)?, &hull)?;
    options.fit.aim = Aim::Enclosing;
    show("enclosing", &fit_mesh(&mesh, &options)?, &hull)?;
    for (k, part) in fit_parts(&mesh, &PartsOptions::default())?
        .iter()
        .enumerate()
    {
        show(&format!("part {k}"), &part.fit, &part.hull)?;
    }
    Ok(())
}

fn show(name: &str, fit: &Fit, target: &Mesh) -> Result<(), Box<dyn std::error::Error>> {
    let report = fit.report(target)?;
    let (there, back) = (report.mesh_to_body, report.body_to_mesh);
    let mm = |x: f64| 1e3 * x;
    println!(
        "{name}: {:?} at {}",
        fit.shape.semi_axes().map(mm),
        fit.pose
    );
    println!(
        "  exponents {:?}, tapers {:?}",
        fit.shape.exponents(),
        fit.shape.tapers()
    );
    println!(
        "  mesh to body: rms {:.3}, 95 % {:.3}, largest {:.3}",
        mm(there.rms),
        mm(there.p95),
        mm(there.max)
    );
    println!(
        "  body to mesh: rms {:.3}, 95 % {:.3}, largest {:.3}",
        mm(back.rms),
        mm(back.p95),
        mm(back.max)
    );
    let volume = report.volume_to_hull.unwrap_or(f64::NAN);
    println!(
        "  volume {volume:.3} of the hull's, {:.0} ms",
        1e3 * report.time.as_secs_f64()
    );
    Ok(())
}

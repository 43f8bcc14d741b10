//! Writes the shipped figures to a folder, as URDF with SRDF, OBJ, COLLADA and JSON: `cargo run -p superovoid-sketch --example figures --
//! FOLDER`.

use std::path::PathBuf;
use superovoid_sketch::{
    UrdfOptions, hexapod, horse, humanoid, to_collada, to_json, to_obj, to_srdf, to_urdf,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("give a folder")?.into();
    let made = [
        ("humanoid", humanoid()?),
        ("horse", horse()?),
        ("hexapod", hexapod()?),
    ];
    for (name, sketch) in made {
        let figure = sketch.figure();
        let options = UrdfOptions {
            name: name.to_owned(),
            ..UrdfOptions::default()
        };
        let robot = to_urdf(figure, &options)?;
        let rest = figure.neutral();
        let files = [
            ("urdf", robot.to_urdf()),
            ("srdf", to_srdf(figure, name)),
            ("obj", to_obj(figure, &rest, 32)?),
            ("dae", to_collada(figure, &rest, 32)?),
            ("json", to_json(figure)),
        ];
        for (ending, text) in files {
            std::fs::write(folder.join(name).with_extension(ending), text)?;
        }
        let mass: f64 = robot
            .links()
            .iter()
            .filter_map(|link| link.inertial)
            .map(|i| i.mass)
            .sum();
        let [bones, bodies] = [figure.bones().len(), figure.hitboxes().len()];
        println!("{name}: {bones} bones, {bodies} bodies, {mass:.1} kg");
    }
    Ok(())
}

//! A ready scene without WebAssembly, for the studio's tests: the arguments are its name and the frames. The output is
//! the poses of the bodies, then the vertices of cloths and solids, a number a line; the last line is the mean time of a frame
//! in milliseconds. With a third argument the frames are recorded to that file.

use std::error::Error;
use std::fs::File;
use std::time::Instant;
use superovoid_sim::recording::RecordingWriter;
use superovoid_sim::{World, scenes};
use superovoid_studio::bumps;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, frames, file) = match arguments.as_slice() {
        [name, frames] => (name, frames, None),
        [name, frames, file] => (name, frames, Some(file)),
        _ => return Err("the name of a scene and a number of frames are needed".into()),
    };
    let scene = match name.as_str() {
        "bumps" => bumps(),
        _ => scenes::ready(name).ok_or("no ready scene")?,
    };
    let mut world = World::new(&scene)?;
    let frames: u32 = frames.parse()?;
    if let Some(file) = file {
        let mut writer = RecordingWriter::new(File::create(file)?, &scene)?;
        for _ in 0..frames {
            world.step()?;
            writer.frame(world.state())?;
        }
        writer.finish()?;
        return Ok(());
    }
    let start = Instant::now();
    for _ in 0..frames {
        world.step()?;
    }
    let mean = start.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    let state = world.state();
    for body in &state.bodies {
        let ([x, y, z], [w, i, j, k]) = (body.position, body.orientation);
        for number in [x, y, z, i, j, k, w] {
            println!("{number:e}");
        }
    }
    let cloths = state.cloths.iter().map(|cloth| &cloth.positions);
    let solids = state.solids.iter().map(|solid| &solid.positions);
    for number in cloths
        .chain(solids)
        .flat_map(|positions| positions.as_flattened())
    {
        println!("{number:e}");
    }
    println!("{mean:e}");
    Ok(())
}

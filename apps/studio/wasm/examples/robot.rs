//! The closest pairs of a robot without WebAssembly, for the studio's tests: the arguments are a URDF file and the
//! numbers of the configuration, or none for the neutral one. A line is `link link distance`, closest first.

use std::error::Error;
use superovoid_robot::{ClearanceOptions, Robot};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the file of a robot is needed")?;
    let robot = Robot::from_urdf_file(file)?;
    let numbers = arguments
        .map(|word| word.parse())
        .collect::<Result<Vec<f64>, _>>()?;
    let configuration = if numbers.is_empty() {
        robot.neutral()
    } else {
        robot.configuration(&numbers)?
    };
    let options = ClearanceOptions::default()
        .with_max_distance(0.05)
        .with_allow_unchecked(true);
    for pair in robot.clearances(&configuration, &options)?.pairs {
        let [a, b] = [pair.link_a, pair.link_b].map(|link| &robot.links()[link].name);
        println!("{a} {b} {:e}", pair.contact.distance);
    }
    Ok(())
}

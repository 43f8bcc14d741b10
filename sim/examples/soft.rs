//! Runs scenes of soft rings and prints what became of them.
//!
//!     cargo run --release -p superovoid-sim --example soft -- separation

use superovoid_sim::scene::{SoftContact, SoftScheme};
use superovoid_sim::{World, judge, scenes};

fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    match what.as_str() {
        "separation" => separation(),
        "scene" => run(),
        "debug" => debug(),
        "near" => near(),
        _ => eprintln!("separation or scene"),
    }
}

fn run() {
    let name = std::env::args().nth(2).unwrap();
    let seconds: f64 = std::env::args().nth(3).unwrap().parse().unwrap();
    let scene = scenes::ready(&name).unwrap();
    let mut world = World::new(&scene).unwrap();
    let n = (seconds * 60.0) as usize;
    let start = std::time::Instant::now();
    for k in 0..n {
        if let Err(e) = world.step() {
            println!("{e}");
            break;
        }
        if k % 15 == 14 {
            let s = world.state();
            print!("{:.2} contacts {:?}", s.time, world.solid_contacts());
            for solid in &s.solids {
                let n = solid.positions.len() as f64;
                let m = solid.positions.iter().fold([0.0; 3], |m, p| {
                    [m[0] + p[0] / n, m[1] + p[1] / n, m[2] + p[2] / n]
                });
                let low = solid
                    .positions
                    .iter()
                    .map(|p| p[2])
                    .fold(f64::INFINITY, f64::min);
                print!("  [{:.3} {:.3} {:.3}] low {low:.4}", m[0], m[1], m[2]);
            }
            println!("  kin {:.5}", judge::energy(&scene, s).kinetic);
        }
    }
    println!(
        "{:.2} ms a frame",
        start.elapsed().as_secs_f64() * 1e3 / n as f64
    );
}

fn separation() {
    let kappa = 3e7;
    for (name, contact, scheme) in [
        (
            "rays xpbd",
            SoftContact::Rays { stiffness: kappa },
            SoftScheme::Xpbd,
        ),
        (
            "proximity xpbd",
            SoftContact::Proximity {
                threshold: 0.01,
                stiffness: 300.0,
            },
            SoftScheme::Xpbd,
        ),
        (
            "rays implicit",
            SoftContact::RaysAsPublished { stiffness: 300.0 },
            SoftScheme::ImplicitEuler {
                iterations: 200,
                tolerance: 1e-4,
            },
        ),
        (
            "proximity implicit",
            SoftContact::Proximity {
                threshold: 0.01,
                stiffness: 300.0,
            },
            SoftScheme::ImplicitEuler {
                iterations: 200,
                tolerance: 1e-4,
            },
        ),
    ] {
        let mut scene = scenes::rings_in_one_another(2);
        scene.settings.soft.contact = contact;
        scene.settings.soft.scheme = scheme;
        if scheme != SoftScheme::Xpbd {
            scene.settings.substeps = 1;
        }
        let mut world = World::new(&scene).unwrap();
        println!("{name}");
        let start = std::time::Instant::now();
        for k in 0..=60 {
            if k % 10 == 0 {
                let v = judge::overlap_volume(&scene, world.state(), [0, 1], 60);
                println!(
                    "  {k} overlap {:.3} cm3 contacts {:?} kinetic {:.5} {:?}",
                    v * 1e6,
                    world.solid_contacts(),
                    judge::energy(&scene, world.state()).kinetic,
                    world.solid_pairs().first().map(|p| p.finding())
                );
            }
            if let Err(e) = world.step() {
                println!("{e}");
                break;
            }
        }
        println!(
            "  {:.2} ms a frame",
            start.elapsed().as_secs_f64() * 1e3 / 61.0
        );
    }
}

fn debug() {
    let name = std::env::args().nth(2).unwrap();
    let mut scene = scenes::ready(&name).unwrap();
    scene.settings.frame /= scene.settings.substeps as f64;
    scene.settings.substeps = 1;
    if std::env::var("NB").is_ok() {
        scene.bodies.clear();
    }
    if std::env::var("NC").is_ok() {
        scene.settings.soft.contact = SoftContact::Rays { stiffness: 1e-6 };
    }
    if std::env::var("ND").is_ok() {
        for s in &mut scene.solids {
            s.substance.damping = 0.0;
        }
    }
    let mut world = World::new(&scene).unwrap();
    for k in 0..std::env::args().nth(3).unwrap().parse::<usize>().unwrap() {
        let e = world.step();
        let s = world.state();
        let mut out = (0, 0, 0.0);
        for (i, solid) in s.solids.iter().enumerate() {
            for (j, v) in solid.velocities.iter().enumerate() {
                let n = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                if n > out.2 {
                    out = (i, j, n);
                }
            }
        }
        if k % std::env::args()
            .nth(4)
            .map_or(1, |s| s.parse::<usize>().unwrap())
            == 0
        {
            println!(
                "{k} {:?} contacts {:?} kin {:.5} fastest {out:?} at {:?}",
                e,
                world.solid_contacts(),
                judge::energy(&scene, s).kinetic,
                s.solids[out.0].positions[out.1]
            );
        }
        if e.is_err() {
            break;
        }
    }
}

fn near() {
    let scene = scenes::ready("squeeze").unwrap();
    let mut world = World::new(&scene).unwrap();
    for k in 0..80 {
        if k == 0 || k == 66 || k == 79 {
            for (i, b) in world.state().bodies.iter().enumerate() {
                let n = &scene.bodies[i].name;
                if n.contains("thumb") {
                    println!(
                        "{k} {n} {:?} {:?}",
                        b.position,
                        if let superovoid_sim::scene::Shape::Superovoid { semi_axes, .. } =
                            &scene.bodies[i].shape
                        {
                            semi_axes.map(|x| (x * 1e3).round())
                        } else {
                            [0.0; 3]
                        }
                    );
                }
            }
        }
        world.step().unwrap();
    }
}

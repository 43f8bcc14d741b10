//! What several tests need: the judge of the simulation, and random sessions.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use superovoid_sim::scene::{self, Cloth, ClothContact, Fabric, Motion, Scene, Shape};
use superovoid_sim::{BodyState, ClothState, State, judge};
use superovoid_terrain::{HALF, Terrain};

/// The deepest point of the cloth in a body or under the ground, by the judge of the simulation, which shares no code with
/// it: of the vertices, and of points of the triangles, `fineness` along an edge.
pub fn depth(terrain: &Terrain, fineness: usize) -> f64 {
    let (scene, state) = judged(terrain);
    let found = judge::cloth_depth(&scene, &state, 0, fineness);
    found.vertices.max(found.triangles)
}

fn judged(terrain: &Terrain) -> (Scene, State) {
    let mut scene = Scene::default();
    let mut state = State::default();
    let mut push = |shape, position, orientation| {
        scene.bodies.push(scene::Body {
            name: String::new(),
            shape,
            position,
            orientation,
            motion: Motion::Static,
            material: 0,
        });
        state.bodies.push(BodyState {
            position,
            orientation,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            asleep: false,
        });
    };
    push(Shape::HalfSpace, [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    for body in terrain.bodies() {
        let shape = Shape::Superovoid {
            semi_axes: body.now.semi_axes,
            exponents: body.now.exponents,
            tapers: [0.0; 2],
        };
        push(shape, body.now.position, body.now.orientation);
    }
    scene.cloths.push(Cloth {
        name: String::new(),
        vertices: terrain.cloth().to_vec(),
        triangles: terrain.triangles().to_vec(),
        fabric: Fabric::COTTON,
        thickness: 0.02,
        material: 0,
        pins: Vec::new(),
        long_range: false,
        strain_limit: None,
        self_contact: false,
        contact: ClothContact::Exact,
    });
    state.cloths.push(ClothState {
        positions: terrain.cloth().to_vec(),
        velocities: Vec::new(),
        asleep: false,
    });
    (scene, state)
}

/// Steps for some frames and judges every `every`th.
pub fn run(terrain: &mut Terrain, frames: usize, every: usize) {
    for frame in 0..frames {
        terrain.step().expect("nothing diverges");
        if frame % every == every - 1 {
            let depth = depth(terrain, 4);
            assert!(depth == 0.0, "frame {frame}: {depth} m deep");
            let (scene, state) = judged(terrain);
            let crossings = judge::cloth_crossings(&scene, &state, 0).own;
            assert!(
                crossings == 0,
                "frame {frame}: {crossings} edges through triangles"
            );
        }
    }
}

/// Does one of the things that a person can do, at random.
pub fn act(terrain: &mut Terrain, random: &mut ChaCha8Rng) {
    let place = |random: &mut ChaCha8Rng| random.random_range(-HALF..HALF);
    let (x, y) = (place(random), place(random));
    let bodies = terrain.bodies();
    let id = match bodies.len() {
        0 => None,
        n => Some(bodies[random.random_range(0..n)].id),
    };
    match (random.random_range(0..14), id) {
        (0 | 1, _) | (_, None) => {
            terrain.add_body(x, y).expect("there is room");
        }
        (2 | 3, Some(id)) => terrain.move_body(id, x, y).expect("it is there"),
        (4, Some(id)) => {
            let a = [0; 3].map(|_| 0.03 * random.random_range(0.0..3.2f64).exp());
            terrain.size_body(id, a).expect("it is there");
        }
        (5, Some(id)) => {
            let e = [0; 2].map(|_| random.random_range(0.0..2.0));
            terrain.shape_body(id, e).expect("it is there");
        }
        (6, Some(id)) => terrain.turn_body(id, 3.0 * x).expect("it is there"),
        (7, Some(id)) => terrain.lift_body(id, 0.5 * (x + 1.0)).expect("it is there"),
        (8, Some(id)) => terrain.remove_body(id).expect("it is there"),
        (9 | 10, _) => {
            let vertex = random.random_range(0..terrain.cloth().len());
            terrain.grab(vertex).expect("it is there");
            let z = random.random_range(0.0..1.0);
            terrain.pull_to([x, y, z]).expect("it is grabbed");
        }
        (11, _) if terrain.grabbed().is_some() => {
            let pin = random.random_range(0..3) > 0;
            terrain.let_go(pin).expect("it is grabbed");
        }
        (12, _) if !terrain.pins().is_empty() => {
            let k = random.random_range(0..terrain.pins().len());
            let z = random.random_range(0.0..1.0);
            terrain.move_pin(k, [x, y, z]).expect("it is there");
        }
        (13, _) if !terrain.pins().is_empty() && x < -0.5 => {
            let k = random.random_range(0..terrain.pins().len());
            terrain.remove_pin(k).expect("it is there");
        }
        _ => {}
    }
}

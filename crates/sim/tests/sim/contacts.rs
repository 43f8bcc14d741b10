//! What is told of contacts, by Newton's laws: the oracle knows masses, velocities and gravity, and nothing of the solver.

use crate::common::{body, dynamic, material, run, slope, square};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use superovoid::Superovoid;
use superovoid_sim::scene::{Body, Fabric, Material, Motion, Scene, Settings, Shape};
use superovoid_sim::{BodyState, ContactPoint, State, World};

const SKIN: f64 = 0.005;
const FRAME: f64 = 1.0 / 60.0;
const G: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// What is awake for ever.
fn awake() -> Settings {
    Settings {
        sleep_speed: 0.0,
        ..Settings::default()
    }
}

fn floor() -> Body {
    slope(0.0)
}

fn shape(body: &Body) -> Option<Superovoid> {
    match &body.shape {
        Shape::Superovoid {
            semi_axes,
            exponents,
            tapers,
        } => Superovoid::new(*semi_axes, *exponents, *tapers).ok(),
        _ => None,
    }
}

/// The mass of a dynamic body, kg.
fn mass(body: &Body) -> Option<f64> {
    match (&body.motion, shape(body)) {
        (Motion::Dynamic { density, .. }, Some(shape)) => {
            Some(density * shape.mass_properties().volume)
        }
        _ => None,
    }
}

fn vector(of: &[f64; 3]) -> Vector3<f64> {
    Vector3::from(*of)
}

fn turn(of: &BodyState) -> UnitQuaternion<f64> {
    let [w, x, y, z] = of.orientation;
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// The impulse of a contact on a body, and the arm from the body's centre of mass at `center`: none if it is not its.
fn on(contact: &ContactPoint, k: usize) -> Option<(f64, Vector3<f64>)> {
    match contact.bodies {
        [a, _] if a == k => Some((-1.0, vector(&contact.point_a))),
        [_, b] if b == k => Some((1.0, vector(&contact.point_b))),
        _ => None,
    }
}

/// The largest error of the linear momentum of a body in a frame over the sum of its terms, contacts of cloths included.
fn imbalance(scene: &Scene, world: &World, before: &State) -> f64 {
    let mut worst: f64 = 0.0;
    for (k, body) in scene.bodies.iter().enumerate() {
        let Some(mass) = mass(body) else { continue };
        let [v0, v1] = [before, world.state()].map(|s| vector(&s.bodies[k].velocity));
        let mut error = (v1 - v0) * mass - G * (mass * FRAME);
        let mut scale = mass * (v0.norm() + v1.norm() + G.norm() * FRAME);
        for contact in world.contacts() {
            if let Some((sign, _)) = on(&contact, k) {
                error -= vector(&contact.impulse) * sign;
                scale += vector(&contact.impulse).norm();
            }
        }
        for contact in world.cloth_contacts().filter(|contact| contact.body == k) {
            error += vector(&contact.impulse);
            scale += vector(&contact.impulse).norm();
        }
        worst = worst.max(error.norm() / scale);
    }
    worst
}

/// Rounding: a substep makes at most some thousand corrections of a body, each rounded to 1.1e-16 of the sum of the terms
/// or of a load that later corrections take back.
const ROUNDING: f64 = 1e-11;

#[test]
fn a_ball_at_rest_has_one_contact_at_its_lowest_point_that_carries_its_weight() {
    for ball_first in [false, true] {
        let ball = body([0.1; 3], [1.0; 2], [0.3, -0.2, 0.1 + SKIN], dynamic());
        let weight = mass(&ball).unwrap() * 9.81 * FRAME;
        let bodies = if ball_first {
            vec![ball, floor()]
        } else {
            vec![floor(), ball]
        };
        let scene = Scene {
            settings: awake(),
            bodies,
            ..Scene::default()
        };
        assert_eq!(World::new(&scene).unwrap().contacts().count(), 0);
        let world = run(&scene, 1.0);
        let [contact] = &world.contacts().collect::<Vec<_>>()[..] else {
            panic!("one contact");
        };
        assert_eq!(contact.bodies, [0, 1]);
        let (sign, [of_floor, of_ball]) = if ball_first {
            (-1.0, [contact.point_b, contact.point_a])
        } else {
            (1.0, [contact.point_a, contact.point_b])
        };
        // What is corrected by less than a millionth of the skin in a substep is at rest.
        let still = 1e-6 * SKIN;
        assert!((vector(&of_ball) - Vector3::new(0.3, -0.2, SKIN)).norm() < 10.0 * still);
        assert!((vector(&of_floor) - Vector3::new(0.3, -0.2, 0.0)).norm() < 10.0 * still);
        assert!((contact.distance - SKIN).abs() < 10.0 * still);
        assert_eq!(contact.normal, [0.0, 0.0, sign]);
        let slow = still / (FRAME / 10.0) / (9.81 * FRAME);
        assert!((contact.normal_impulse() - weight).abs() < slow * weight);
        let impulse = vector(&contact.impulse) * sign - Vector3::z() * weight;
        assert!(impulse.norm() < slow * weight, "{impulse}");
        assert_eq!(contact.angular_impulse, [0.0; 3]);
    }
}

#[test]
fn a_box_that_fell_on_the_ground_has_corners_that_carry_its_weight_together() {
    let mut fallen = body([0.2; 3], [0.1; 2], [0.0, 0.0, 0.4], dynamic());
    fallen.orientation = [1.0, 0.1, 0.05, 0.0];
    let scene = Scene {
        settings: awake(),
        bodies: vec![floor(), fallen],
        ..Scene::default()
    };
    let world = run(&scene, 4.0);
    let contacts: Vec<_> = world.contacts().collect();
    assert!(contacts.len() >= 3, "{}", contacts.len());
    let sum: Vector3<f64> = contacts.iter().map(|c| vector(&c.impulse)).sum();
    let weight = mass(&scene.bodies[1]).unwrap() * 9.81 * FRAME;
    assert!(
        (sum - Vector3::z() * weight).norm() < 1e-4 * weight,
        "{sum}"
    );
    // It does not tip: the impulses have no moment about its centre.
    let center = vector(&world.state().bodies[1].position);
    let moment: Vector3<f64> = contacts
        .iter()
        .map(|c| (vector(&c.point_b) - center).cross(&vector(&c.impulse)))
        .sum();
    assert!(moment.norm() < 1e-3 * 0.2 * weight, "{moment}");
}

#[test]
fn the_lower_of_two_bodies_carries_both() {
    let ball = |z: f64| body([0.2; 3], [0.2; 2], [0.0, 0.0, z], dynamic());
    let scene = Scene {
        settings: awake(),
        bodies: vec![floor(), ball(0.2 + SKIN), ball(0.6 + 2.0 * SKIN)],
        ..Scene::default()
    };
    let world = run(&scene, 2.0);
    let weight = mass(&scene.bodies[1]).unwrap() * 9.81 * FRAME;
    for (pair, times) in [([0, 1], 2.0), ([1, 2], 1.0)] {
        let between = world.contacts().filter(|contact| contact.bodies == pair);
        let sum: Vector3<f64> = between.map(|contact| vector(&contact.impulse)).sum();
        assert!((sum - Vector3::z() * (times * weight)).norm() < 1e-3 * weight);
    }
    assert!(world.contacts().all(|contact| contact.bodies != [0, 2]));
}

#[test]
fn what_sleeps_keeps_the_contacts_with_which_it_fell_asleep() {
    let scene = Scene {
        bodies: vec![
            floor(),
            body([0.1; 3], [1.0; 2], [0.0, 0.0, 0.1 + SKIN], dynamic()),
        ],
        ..Scene::default()
    };
    let mut world = run(&scene, 2.0);
    assert!(world.state().bodies[1].asleep);
    let kept: Vec<_> = world.contacts().collect();
    let weight = mass(&scene.bodies[1]).unwrap() * 9.81 * FRAME;
    assert_eq!(kept.len(), 1);
    assert!((kept[0].normal_impulse() - weight).abs() < 1e-4 * weight);
    world.step().unwrap();
    assert_eq!(world.contacts().collect::<Vec<_>>(), kept);
}

#[test]
fn nothing_is_told_in_free_flight() {
    let mut thrown = body([0.1, 0.2, 0.15], [0.5, 1.2], [0.0, 0.0, 3.0], dynamic());
    if let Motion::Dynamic { velocity, .. } = &mut thrown.motion {
        *velocity = [1.0, 0.0, 2.0];
    }
    let scene = Scene {
        bodies: vec![floor(), thrown],
        cloths: vec![square(5, 0.5, 4.0, 0.01)],
        ..Scene::default()
    };
    let mut world = World::new(&scene).unwrap();
    for _ in 0..20 {
        world.step().unwrap();
        assert_eq!(world.contacts().count(), 0);
        assert_eq!(world.cloth_contacts().count(), 0);
    }
}

/// A pit of four slopes, the floor in its middle or a mesh of two triangles in its place, and bodies over it that overlap
/// nowhere.
fn pile(seed: u64, mesh: bool, balls: bool) -> Scene {
    let mut random = rand::rngs::StdRng::seed_from_u64(seed);
    let ground = if mesh {
        Body {
            shape: Shape::Mesh {
                vertices: vec![
                    [-5.0, -5.0, 0.0],
                    [5.0, -5.0, 0.0],
                    [5.0, 5.0, 0.0],
                    [-5.0, 5.0, 0.0],
                ],
                triangles: vec![[0, 1, 2], [0, 2, 3]],
            },
            ..floor()
        }
    } else {
        floor()
    };
    let fall = (0..6).map(|k| {
        let mut draw = |low: f64, high: f64| random.random_range(low..high);
        let (a, e) = if balls {
            ([draw(0.08, 0.15); 3], [1.0; 2])
        } else {
            (
                [0; 3].map(|_| draw(0.08, 0.2)),
                [0; 2].map(|_| draw(0.2, 1.6)),
            )
        };
        let at = [draw(-0.2, 0.2), draw(-0.2, 0.2), 0.5 + 0.4 * f64::from(k)];
        let q = [0; 4].map(|_| draw(-1.0, 1.0));
        let motion = Motion::Dynamic {
            density: draw(300.0, 3000.0),
            velocity: [0; 3].map(|_| draw(-1.0, 1.0)),
            angular_velocity: [0; 3].map(|_| draw(-5.0, 5.0)),
        };
        let mut body = body(a, e, at, motion);
        body.orientation = q;
        if let (Shape::Superovoid { tapers, .. }, false) = (&mut body.shape, balls) {
            *tapers = [draw(-0.3, 0.3), draw(-0.3, 0.3)];
        }
        body
    });
    let fall: Vec<_> = fall.collect();
    // One that is driven to and fro under the others.
    let mut pusher = body([0.3, 0.3, 0.1], [0.4; 2], [0.0, 0.0, 0.12], Motion::Static);
    let key = |time: f64, x: f64| superovoid_sim::scene::Key {
        time,
        position: [x, 0.0, 0.12],
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    pusher.motion = Motion::Kinematic {
        keys: vec![key(0.0, 0.0), key(1.0, 0.1), key(2.0, -0.05)],
    };
    let walls = [(0.5_f64, 0.0_f64), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)].map(|(x, y)| {
        let q = [(0.5 * (x + y)).cos(), (0.5 * x).sin(), (0.5 * y).sin(), 0.0];
        Body {
            orientation: q,
            position: [0.0, 0.0, -0.1],
            ..floor()
        }
    });
    Scene {
        settings: awake(),
        materials: vec![Material {
            static_friction: 0.5,
            kinetic_friction: 0.4,
            restitution: 0.3,
            rolling_friction: 0.002,
        }],
        bodies: [ground, pusher]
            .into_iter()
            .chain(walls)
            .chain(fall)
            .collect(),
        ..Scene::default()
    }
}

#[test]
fn momentum_changes_by_gravity_and_by_the_impulses_that_are_told() {
    for (seed, mesh) in [(1, false), (2, true)] {
        let scene = pile(seed, mesh, false);
        let mut world = World::new(&scene).unwrap();
        let (mut pressed, mut bodies) = (0, 0);
        for frame in 0..75 {
            let before = world.state().clone();
            world.step().unwrap();
            let error = imbalance(&scene, &world, &before);
            assert!(error < ROUNDING, "{seed}, frame {frame}: {error:e}");
            pressed += world.contacts().count();
            bodies += world.contacts().filter(|c| c.bodies[0] > 5).count();
        }
        assert!(pressed > 300 && bodies > 25, "{pressed} {bodies}");
    }
}

#[test]
fn a_blow_is_told_though_the_bodies_have_parted_within_the_frame() {
    for speed in [3.0, 20.0, 80.0] {
        let mut ball = body([0.1; 3], [1.0; 2], [0.0, 0.0, 0.5], dynamic());
        if let Motion::Dynamic { velocity, .. } = &mut ball.motion {
            *velocity = [0.3 * speed, 0.0, -speed];
        }
        let scene = Scene {
            settings: awake(),
            materials: material(0.4, 0.8),
            bodies: vec![floor(), ball],
            ..Scene::default()
        };
        let mut world = World::new(&scene).unwrap();
        let mut blows = 0;
        for frame in 0..20 {
            let before = world.state().clone();
            world.step().unwrap();
            let error = imbalance(&scene, &world, &before);
            assert!(error < ROUNDING, "{speed} m/s, frame {frame}: {error:e}");
            blows += world.contacts().count();
        }
        assert!(blows > 0, "{speed}");
    }
}

/// A substep turns the arms of its points with the body, of which the test knows the turn; the inertia of a ball does not
/// turn, so that nothing but rounding (of turns too, of some 1e-15 a step) is left.
#[test]
fn spin_of_balls_changes_by_the_moments_of_the_impulses() {
    for mesh in [false, true] {
        let mut scene = pile(5, mesh, true);
        scene.settings.substeps = 1;
        scene.settings.frame = 1.0 / 300.0;
        let mut world = World::new(&scene).unwrap();
        let mut spun = 0;
        for frame in 0..500 {
            let before = world.state().clone();
            world.step().unwrap();
            for (k, of) in scene.bodies.iter().enumerate() {
                let (Some(mass), Shape::Superovoid { semi_axes, .. }) = (mass(of), &of.shape)
                else {
                    continue;
                };
                let inertia = 0.4 * mass * semi_axes[0].powi(2);
                let (old, new) = (&before.bodies[k], &world.state().bodies[k]);
                let back = turn(old) * turn(new).inverse();
                let [w0, w1] = [old, new].map(|of| vector(&of.angular_velocity));
                let mut error = (w1 - w0) * inertia;
                let mut scale = (w0.norm() + w1.norm()) * inertia;
                for contact in world.contacts() {
                    let Some((sign, point)) = on(&contact, k) else {
                        continue;
                    };
                    let arm = back * (point - vector(&new.position));
                    let moment = arm.cross(&vector(&contact.impulse));
                    error -= (moment + vector(&contact.angular_impulse)) * sign;
                    scale += arm.norm() * vector(&contact.impulse).norm();
                    spun += usize::from(moment.norm() > 1e-6);
                }
                assert!(
                    error.norm() < 1e-10 * scale,
                    "{k}, {frame}: {error} {scale}"
                );
            }
        }
        assert!(spun > 1000, "{spun}");
    }
}

/// Over ten substeps the told points are those of the end of the frame. In slow frames no pair renews its points within the
/// frame, and an arm and the spin differ from those of a substep by no more than the turn θ of the frame times their
/// lengths: |Δ(Iω) − Σ r × P| ≤ θ (Σ |r| |P| + 2 |Iω|). The turn is taken as 2 max(|ω₀|, |ω₁|) Δt, and as at least that of
/// 0.08 rad/s, the twentieth part of what the speed of gravity in a frame makes at an arm of 0.1 m: blows cancel.
#[test]
fn spin_of_any_bodies_changes_by_the_moments_of_the_impulses_in_slow_frames() {
    let scene = pile(7, false, false);
    let mut world = World::new(&scene).unwrap();
    let (mut judged, mut largest, mut worst) = (0, 0.0_f64, 0.0_f64);
    for _ in 0..340 {
        let before = world.state().clone();
        world.step().unwrap();
        let fast = |state: &State| {
            let speed = |b: &BodyState| {
                vector(&b.velocity).norm() + 0.3 * vector(&b.angular_velocity).norm()
            };
            state.bodies.iter().map(speed).fold(0.0, f64::max)
        };
        if fast(&before).max(fast(world.state())) > 0.25 {
            continue;
        }
        for (k, of) in scene.bodies.iter().enumerate() {
            let (Some(shape), Motion::Dynamic { density, .. }) = (shape(of), &of.motion) else {
                continue;
            };
            let properties = shape.mass_properties();
            let (old, new) = (&before.bodies[k], &world.state().bodies[k]);
            let spin = |of: &BodyState| {
                let r: Matrix3<f64> = turn(of).to_rotation_matrix().into_inner();
                r * properties.inertia * r.transpose() * vector(&of.angular_velocity) * *density
            };
            let center = vector(&new.position) + turn(new) * properties.center_of_mass.coords;
            let (l0, l1) = (spin(old), spin(new));
            let (mut error, mut scale) = (l1 - l0, 2.0 * (l0.norm() + l1.norm()));
            for contact in world.contacts() {
                let Some((sign, point)) = on(&contact, k) else {
                    continue;
                };
                let (arm, impulse) = (point - center, vector(&contact.impulse));
                error -= (arm.cross(&impulse) + vector(&contact.angular_impulse)) * sign;
                scale += arm.norm() * impulse.norm();
            }
            let [w0, w1] = [old, new].map(|of| vector(&of.angular_velocity).norm());
            let theta = 2.0 * w0.max(w1).max(9.81 * FRAME / 0.1 * 0.05) * FRAME;
            worst = worst.max(error.norm() / (theta * scale));
            judged += usize::from(scale > 0.0);
            largest = largest.max(theta);
        }
    }
    assert!(judged > 80, "{judged}");
    assert!(largest < 0.05, "{largest}");
    assert!(worst < 1.0, "{worst}");
}

/// A cloth without air, damping or pins on a ball on the floor: the momentum of the ball, and that of the cloth.
#[test]
fn what_a_cloth_presses_with_moves_the_body_and_carries_the_cloth() {
    let mut cloth = square(15, 0.8, 0.35, 0.01);
    cloth.fabric = Fabric {
        air: 0.0,
        drag: 0.0,
        ..Fabric::DENIM
    };
    let density = cloth.fabric.density;
    let scene = Scene {
        settings: awake(),
        bodies: vec![
            floor(),
            body([0.15; 3], [0.8; 2], [0.02, 0.01, 0.15 + SKIN], dynamic()),
        ],
        cloths: vec![cloth],
        ..Scene::default()
    };
    // A third of the area around each vertex.
    let cloth = &scene.cloths[0];
    let mut masses = vec![0.0; cloth.vertices.len()];
    for t in &cloth.triangles {
        let [a, b, c] = t.map(|v| vector(&cloth.vertices[v as usize]));
        let area = 0.5 * (b - a).cross(&(c - a)).norm();
        t.iter()
            .for_each(|&v| masses[v as usize] += density * area / 3.0);
    }
    let all: f64 = masses.iter().sum();
    let mut world = World::new(&scene).unwrap();
    let momentum = |state: &State| -> Vector3<f64> {
        let each = state.cloths[0].velocities.iter().zip(&masses);
        each.map(|(v, m)| vector(v) * *m).sum()
    };
    let mut pressed = [0; 2];
    for frame in 0..120 {
        let before = world.state().clone();
        world.step().unwrap();
        let error = imbalance(&scene, &world, &before);
        assert!(error < ROUNDING, "frame {frame}: {error:e}");
        let told: Vector3<f64> = world.cloth_contacts().map(|c| vector(&c.impulse)).sum();
        let error = momentum(world.state()) - momentum(&before) - G * (all * FRAME) - told;
        // Velocities are differences of positions, which are rounded to 1e-16 m, over a substep.
        let rounded = all * 1e-15 / (FRAME / 10.0) + ROUNDING * (told.norm() + all * 9.81 * FRAME);
        assert!(
            error.norm() < 100.0 * rounded,
            "frame {frame}: {error} {rounded:e}"
        );
        for contact in world.cloth_contacts() {
            pressed[contact.body] += 1;
            assert_eq!(contact.cloth, 0);
            let at = world.state().cloths[0].positions[contact.vertex];
            assert_eq!(contact.point, at);
            assert!((vector(&contact.normal).norm() - 1.0).abs() < 1e-9);
            assert!(contact.body == 1 || contact.normal == [0.0, 0.0, 1.0]);
        }
    }
    assert!(pressed[0] > 100 && pressed[1] > 1000, "{pressed:?}");
}

#[test]
fn a_world_that_diverged_tells_no_contacts() {
    let mut far = body([0.1; 3], [1.0; 2], [9e5, 0.0, 0.1 + SKIN], dynamic());
    if let Motion::Dynamic { velocity, .. } = &mut far.motion {
        *velocity = [1e5, 0.0, 0.0];
    }
    let scene = Scene {
        materials: material(0.0, 0.0),
        bodies: vec![floor(), far],
        ..Scene::default()
    };
    let mut world = World::new(&scene).unwrap();
    let steps = (0..600).take_while(|_| world.step().is_ok()).count();
    assert!((10..600).contains(&steps), "{steps}");
    assert_eq!(world.contacts().count() + world.cloth_contacts().count(), 0);
}

//! Soft solids: contact by inward rays, its momentum, its limits, and the opponent.

use crate::common::{body, dynamic, run};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::collections::HashMap;
use superovoid_sim::scene::{
    Key, Motion, Pin, RayTree, Scene, Settings, Shape, SoftContact, SoftScheme, Solid, Substance,
    VertexNormals,
};
use superovoid_sim::soft::{
    Finding, OwnSides, RayCounts, RayEnd, SolidMesh, Surface, SurfaceAt, Trees, VertexShapes, ball,
    cast, cast_all, cast_inwards, torus,
};
use superovoid_sim::{World, judge, scenes};

/// A surface with what rays need.
struct Ready {
    surface: Surface,
    x: Vec<Vector3<f64>>,
    shapes: VertexShapes,
    trees: Trees,
}

impl Ready {
    fn new(mesh: &SolidMesh) -> Self {
        let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
        let x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
        let mut shapes = VertexShapes::default();
        shapes.update(&surface, &x, VertexNormals::Angle);
        let trees = Trees::new(&surface, &x, RayTree::Hierarchy);
        Ready {
            surface,
            x,
            shapes,
            trees,
        }
    }

    fn at(&self) -> SurfaceAt<'_> {
        SurfaceAt {
            surface: &self.surface,
            x: &self.x,
            shapes: &self.shapes,
            trees: &self.trees,
        }
    }
}

/// A box of given corners, each side in two triangles.
fn block(low: [f64; 3], high: [f64; 3]) -> SolidMesh {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { high[k] } else { low[k] });
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    SolidMesh {
        vertices: (0..8).map(corner).collect(),
        triangles: sides
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
        tetrahedra: Vec::new(),
    }
}

/// The six tetrahedra of a block about its diagonal.
fn filled(mut mesh: SolidMesh) -> SolidMesh {
    for [i, j] in [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]] {
        let mut t = [0, i, j, 7];
        let [a, b, c, d] = t.map(|v| Vector3::from(mesh.vertices[v as usize]));
        if (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
            t.swap(2, 3);
        }
        mesh.tetrahedra.push(t);
    }
    mesh
}

/// A prism of n sides and radius 1 about the y axis, with a ring of vertices in its middle, turned by an angle.
fn prism(n: usize, turn: f64) -> SolidMesh {
    let mut vertices = Vec::new();
    for y in [-50.0, 0.0, 50.0] {
        for k in 0..n {
            let angle = turn + std::f64::consts::TAU * k as f64 / n as f64;
            vertices.push([angle.sin(), y, -angle.cos()]);
        }
    }
    vertices.extend([[0.0, -50.0, 0.0], [0.0, 50.0, 0.0]]);
    let at = |ring: usize, k: usize| (ring * n + k % n) as u32;
    let mut triangles = Vec::new();
    for k in 0..n {
        for ring in 0..2 {
            let [a, b, c, d] = [
                at(ring, k),
                at(ring, k + 1),
                at(ring + 1, k + 1),
                at(ring + 1, k),
            ];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([at(0, k + 1), at(0, k), 3 * n as u32]);
        triangles.push([at(2, k), at(2, k + 1), 3 * n as u32 + 1]);
    }
    let mut mesh = SolidMesh {
        vertices,
        triangles,
        tetrahedra: Vec::new(),
    };
    if Surface::new(&mesh.vertices, &mesh.triangles).is_err() {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    mesh
}

/// The tangential and the normal force of the middle ring's rays into a plane at the height −c, without and with the
/// weight cos α.
fn forces(n: usize, turn: f64, c: f64) -> [[f64; 2]; 2] {
    let cylinder = Ready::new(&prism(n, turn));
    let ground = Ready::new(&block([-90.0, -90.0, -90.0], [90.0, 90.0, -c]));
    let mut sums = [[0.0; 2]; 2];
    for v in n..2 * n {
        if let RayEnd::Kept(ray) = cast(&cylinder.at(), v as u32, &ground.at()) {
            for (sum, weight) in sums.iter_mut().zip([1.0, ray.cosine]) {
                let force = ray.direction * (ray.depth * weight);
                sum[0] += force.x;
                sum[1] += force.z;
            }
        }
    }
    sums
}

/// The closed form: vertices at angles φ from the bottom with cos φ > c, ℓ = 1 − c/cos φ along the ray.
fn closed_form(n: usize, turn: f64, c: f64) -> [[f64; 2]; 2] {
    let mut sums = [[0.0; 2]; 2];
    for k in 0..n {
        let phi = turn + std::f64::consts::TAU * k as f64 / n as f64;
        let (sin, cos) = phi.sin_cos();
        if cos > c {
            let length = 1.0 - c / cos;
            for (sum, weight) in sums.iter_mut().zip([1.0, cos]) {
                sum[0] -= length * sin * weight;
                sum[1] += length * cos * weight;
            }
        }
    }
    sums
}

/// Figures 7 and 8: the worst ratio of tangential to normal force over 100 turns.
fn worst(n: usize, c: f64, of: impl Fn(usize, f64, f64) -> [[f64; 2]; 2]) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for turn in 0..100 {
        // Just beyond the turns at which a vertex is in the plane itself, and rounding decides whether it counts.
        let turn = (f64::from(turn) + 0.01) * std::f64::consts::TAU / n as f64 / 100.0;
        for (worst, [tangential, normal]) in worst.iter_mut().zip(of(n, turn, c)) {
            *worst = worst.max((tangential / normal).abs());
        }
    }
    worst
}

#[test]
fn the_friction_bed_is_its_closed_form() {
    for n in [10, 12, 20, 31, 50, 75, 100, 150] {
        for c in [0.0, 0.1, 0.5] {
            for turn in 0..5 {
                let turn = (f64::from(turn) + 0.37) * std::f64::consts::TAU / n as f64 / 5.0;
                let (ours, exact) = (forces(n, turn, c), closed_form(n, turn, c));
                for (ours, exact) in ours.as_flattened().iter().zip(exact.as_flattened()) {
                    assert!((ours - exact).abs() < 1e-10, "{n} {c} {ours} {exact}");
                }
            }
        }
    }
}

#[test]
fn the_worst_ratios_are_those_of_the_design_and_weighted_rays_push_straight_at_half_immersion() {
    let near = |value: f64, wanted: f64, digit: f64| {
        assert!((value - wanted).abs() < digit, "{value} {wanted}");
    };
    let [plain, weighted] = worst(10, 0.1, forces);
    near(plain, 0.084, 5e-4);
    near(weighted, 0.031, 5e-4);
    let [plain, weighted] = worst(150, 0.1, forces);
    near(plain, 0.001, 5e-4);
    near(weighted, 0.0001, 5e-5);
    near(worst(10, 0.0, forces)[0], 0.32, 5e-3);
    near(worst(150, 0.0, forces)[0], 0.021, 5e-4);
    // Even numbers of sides: with odd ones, one vertex more or less is below the plane, and 1/n³ is left.
    for n in (10..=150).step_by(20) {
        near(worst(n, 0.0, forces)[1], 0.0, 1e-12);
    }
}

#[test]
fn the_first_condition_drops_rays_that_enter_and_the_second_those_that_left() {
    // A slab, a block below that reaches into it, and one above, apart: rays down from the top of the slab.
    let slab = Ready::new(&block([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]));
    let below = Ready::new(&block([-5.0, -5.0, -3.0], [5.0, 5.0, 0.5]));
    let all = |a: &Ready, b: &Ready| {
        let mut kept = Vec::new();
        let counts = cast_all(&a.at(), 0..a.x.len(), &b.at(), |ray| kept.push(ray));
        (counts, kept)
    };
    // The four lower vertices are inside; their rays are diagonal.
    let (counts, kept) = all(&slab, &below);
    assert_eq!((counts.cast, counts.kept), (4, 4));
    for ray in &kept {
        assert!((ray.depth - 0.5 * 3f64.sqrt()).abs() < 1e-12);
        assert!((ray.cosine - 1.0 / 3f64.sqrt()).abs() < 1e-12);
        assert!(slab.x[ray.vertex as usize].z == 0.0);
    }
    // A thin plate wholly within the block: its rays leave it first.
    let plate = Ready::new(&block([-1.0, -1.0, 0.0], [1.0, 1.0, 0.1]));
    let (counts, _) = all(&plate, &below);
    assert_eq!((counts.cast, counts.left_first, counts.kept), (8, 8, 0));
    // A ball in the hole of a ring, inside the ring's box and outside the ring: its rays cross the hole and enter.
    let ring = Ready::new(&torus(0.1, 0.03, [40, 20]));
    let inner = Ready::new(&ball(0.025, 2, 1));
    let (counts, kept) = all(&inner, &ring);
    assert_eq!(counts.cast, inner.x.len() - 1);
    assert!(counts.entering > 50 && kept.is_empty(), "{counts:?}");
    assert_eq!((counts.kept, counts.left_first), (0, 0));
    assert_eq!(counts.entering + counts.missed, counts.cast);
}

/// A solid of the cells between lines along the axes that are to be kept, six tetrahedra in each.
fn cells(lines: [&[f64]; 3], keep: impl Fn([usize; 3]) -> bool) -> SolidMesh {
    let mut mesh = SolidMesh::default();
    let mut known = HashMap::new();
    let counts = lines.map(|line| line.len() - 1);
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            for k in (0..counts[2]).filter(|&k| keep([i, j, k])) {
                let corners: Vec<u32> = (0..8)
                    .map(|c| {
                        let place = [i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1)];
                        *known.entry(place).or_insert_with(|| {
                            mesh.vertices.push([0, 1, 2].map(|a| lines[a][place[a]]));
                            mesh.vertices.len() as u32 - 1
                        })
                    })
                    .collect();
                let at = [0, 1, 2].map(|a| lines[a][[i, j, k][a]]);
                let end = [0, 1, 2].map(|a| lines[a][[i, j, k][a] + 1]);
                let cell = filled(block(at, end)).tetrahedra;
                mesh.tetrahedra
                    .extend(cell.iter().map(|t| t.map(|c| corners[c as usize])));
            }
        }
    }
    let mut outer = HashMap::new();
    for &[a, b, c, d] in &mesh.tetrahedra {
        for face in [[a, c, b], [a, b, d], [a, d, c], [b, c, d]] {
            let mut key = face;
            key.sort_unstable();
            if outer.remove(&key).is_none() {
                outer.insert(key, face);
            }
        }
    }
    mesh.triangles = outer.into_values().collect();
    mesh.triangles.sort_unstable();
    mesh
}

/// A bar that hangs: under its own weight its length changes by ρ g/E (L − x) at x, away from where it is held.
#[test]
fn a_bar_under_its_weight_stretches_by_youngs_modulus() {
    let line = |count: usize, side: f64| -> Vec<f64> {
        (0..=count)
            .map(|i| side * i as f64 / count as f64)
            .collect()
    };
    let (long, wide) = (line(20, 0.5), line(4, 0.1));
    let mesh = cells([&long, &wide, &wide], |_| true);
    let (mu, lambda, density, pull) = (2e4, 8e4, 1000.0, 1.0);
    // Near rest the neo-Hookean solid has Lamé's λ − μ, the corotational one λ.
    let young = |lambda: f64| mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
    for (scheme, substeps, young) in [
        (SoftScheme::Xpbd, 60, young(lambda - mu)),
        (PUBLISHED, 5, young(lambda)),
    ] {
        let mut bar = scenes::solid("bar", mesh.clone());
        bar.substance = Substance {
            density,
            shear: mu,
            lambda,
            damping: 0.0,
            air: 20.0,
        };
        let held = (0..mesh.vertices.len()).filter(|&v| mesh.vertices[v][0] == 0.0);
        bar.pins = held.map(|vertex| Pin { vertex, body: None }).collect();
        let mut scene = Scene {
            solids: vec![bar],
            ..Scene::default()
        };
        scene.settings.gravity = [pull, 0.0, 0.0];
        scene.settings.substeps = substeps;
        scene.settings.soft.scheme = scheme;
        let world = run(&scene, 0.5);
        // The mean displacement of a section of the bar.
        let moved = |x: f64| {
            let on = |rest: &&[f64; 3]| (rest[0] - x).abs() < 1e-9;
            let all = mesh.vertices.iter().zip(&world.state().solids[0].positions);
            let section: Vec<f64> = all
                .filter(|(rest, _)| on(rest))
                .map(|(rest, at)| at[0] - rest[0])
                .collect();
            section.iter().sum::<f64>() / section.len() as f64
        };
        let (from, to, length) = (0.1, 0.4, 0.5);
        let share = length * (to - from) - 0.5 * (to * to - from * from);
        let measured = density * pull * share / (moved(to) - moved(from));
        assert!(
            (measured / young - 1.0).abs() < 0.03,
            "{scheme:?} {measured} {young}"
        );
    }
}

/// Two solids with different materials that overlap, move and turn, without gravity.
fn collision(fine: usize) -> Scene {
    let turn = UnitQuaternion::from_euler_angles(0.5, 0.3, 0.2);
    let first = torus(0.1, 0.035, [12 * fine, 8 * fine]);
    let second = ball(0.06, 2, 2).at(&Isometry3::from_parts(
        Vector3::new(0.1, 0.02, 0.06).into(),
        turn,
    ));
    let mut scene = Scene {
        settings: Settings {
            gravity: [0.0; 3],
            ..Settings::default()
        },
        solids: vec![scenes::solid("ring", first), scenes::solid("ball", second)],
        ..Scene::default()
    };
    scene.settings.soft.contact = SoftContact::Rays { stiffness: 1e7 };
    for (solid, velocity) in scene
        .solids
        .iter_mut()
        .zip([[0.1, 0.0, 0.5], [0.0, 0.3, -2.0]])
    {
        solid.velocity = velocity;
        solid.substance.air = 0.0;
    }
    scene
}

/// The linear and the angular momentum of the first solids of a world.
fn momentum(scene: &Scene, world: &World) -> [Vector3<f64>; 2] {
    let mut sums = [Vector3::zeros(); 2];
    for solid in 0..scene.solids.len() {
        let (linear, angular) = judge::momentum(scene, world.state(), solid);
        sums[0] += Vector3::from(linear);
        sums[1] += Vector3::from(angular);
    }
    sums
}

/// The changes of momentum in half a second, as shares of what there was, for a scene that presses.
fn changes(scene: &Scene) -> [f64; 2] {
    let mut world = World::new(scene).unwrap();
    let before = momentum(scene, &world);
    let mut pressed = 0;
    for _ in 0..30 {
        world.step().unwrap();
        pressed += world.solid_contacts()[0];
    }
    assert!(pressed > 0);
    let after = momentum(scene, &world);
    [0, 1].map(|k| (after[k] - before[k]).norm() / before[k].norm())
}

/// A clamp of two arms, whose upper one a ball presses onto the lower one.
fn clamp() -> Scene {
    let long: Vec<f64> = (0..=10).map(|i| 0.02 * f64::from(i)).collect();
    let wide = [0.0, 0.02, 0.04];
    let high = [0.0, 0.015, 0.03, 0.036, 0.051, 0.066];
    let arms = cells([&long, &wide, &high], |[i, _, k]| i == 0 || k != 2);
    let mut bar = scenes::solid("clamp", arms);
    bar.self_contact = true;
    let pose = Isometry3::translation(0.17, 0.02, 0.095);
    let mut scene = Scene {
        solids: vec![bar, scenes::solid("ball", ball(0.025, 2, 2).at(&pose))],
        ..Scene::default()
    };
    scene.solids[1].velocity = [0.0, 0.1, -3.0];
    for solid in &mut scene.solids {
        solid.substance.air = 0.0;
    }
    scene.settings.gravity = [0.0; 3];
    scene
}

#[test]
fn momentum_is_kept_in_contact_of_a_solid_with_itself() {
    let scene = clamp();
    let mut world = World::new(&scene).unwrap();
    let before = momentum(&scene, &world);
    let mut own = 0;
    for _ in 0..12 {
        world.step().unwrap();
        let kept = |pair: &superovoid_sim::soft::PairReport| pair.rays[0].kept + pair.rays[1].kept;
        let others: usize = world.solid_pairs().iter().map(kept).sum();
        own += world.solid_contacts()[0] - others;
    }
    assert!(own > 0);
    for (after, before) in momentum(&scene, &world).iter().zip(before) {
        let change = (after - before).norm() / before.norm();
        assert!(change < 1e-11, "{change}");
    }
}

#[test]
fn linear_and_angular_momentum_are_kept_in_every_contact_of_solids() {
    let proximity = SoftContact::Proximity {
        threshold: 0.01,
        stiffness: 3e3,
    };
    let published = SoftContact::RaysAsPublished { stiffness: 3e3 };
    for contact in [SoftContact::Rays { stiffness: 1e7 }, published, proximity] {
        let mut scene = collision(1);
        scene.settings.soft.contact = contact;
        let [linear, angular] = changes(&scene);
        assert!(linear < 1e-12, "{contact:?} {linear}");
        assert!(angular < 1e-11, "{contact:?} {angular}");
        // The published scheme holds the turns of the tetrahedra fast while K acts on Δv + v, so that a body that turns
        // feels forces with a moment: only linear momentum is kept.
        scene.settings.soft.scheme = PUBLISHED;
        scene.settings.substeps = 2;
        let [linear, angular] = changes(&scene);
        assert!(linear < 1e-12, "{contact:?} {linear}");
        assert!(
            angular > 1e-6,
            "{contact:?} {angular}: it is kept after all"
        );
    }
}

#[test]
fn a_solid_at_rest_keeps_its_volume_and_place() {
    let scene = Scene {
        solids: vec![scenes::solid("ball", ball(0.1, 2, 3))],
        settings: Settings {
            gravity: [0.0; 3],
            ..Settings::default()
        },
        ..Scene::default()
    };
    let world = run(&scene, 0.5);
    let moved: Vec<f64> = world.state().solids[0]
        .positions
        .iter()
        .zip(&scene.solids[0].vertices)
        .map(|(x, rest)| (Vector3::from(*x) - Vector3::from(*rest)).norm())
        .collect();
    let farthest = moved.into_iter().fold(0.0, f64::max);
    assert!(farthest < 1e-10, "{farthest}");
}

/// The overlap of two rings that begin in one another, at the start and after a second.
fn separated(contact: SoftContact, scheme: SoftScheme, tree: RayTree) -> [f64; 2] {
    let mut scene = scenes::rings_in_one_another(2);
    for (solid, z) in scene.solids.iter_mut().zip([0.0, 0.045]) {
        let mesh = torus(0.1, 0.035, [24, 12]).at(&Isometry3::translation(0.1 * z, 0.0, z));
        *solid = scenes::solid("", mesh);
    }
    scene.settings.soft.contact = contact;
    scene.settings.soft.scheme = scheme;
    scene.settings.soft.tree = tree;
    if scheme != SoftScheme::Xpbd {
        scene.settings.substeps = 1;
    }
    let overlap = |world: &World| judge::overlap_volume(&scene, world.state(), [0, 1], 40);
    let mut world = World::new(&scene).unwrap();
    let start = overlap(&world);
    world.step().unwrap();
    // Without rays there is nothing to report: least of all that the two are apart.
    if matches!(contact, SoftContact::Proximity { .. }) {
        assert!(world.solid_contacts()[0] > 0 && world.solid_pairs().is_empty());
    }
    for _ in 1..60 {
        world.step().unwrap();
    }
    [start, overlap(&world)]
}

const PUBLISHED: SoftScheme = SoftScheme::ImplicitEuler {
    iterations: 100,
    tolerance: 1e-3,
};

#[test]
fn rays_separate_rings_that_begin_in_one_another() {
    let rays = SoftContact::Rays { stiffness: 1e6 };
    for tree in [RayTree::Hierarchy, RayTree::Octree] {
        let [start, end] = separated(rays, SoftScheme::Xpbd, tree);
        assert!(start > 1e-4 && end == 0.0, "{start} {end}");
    }
    let rays = SoftContact::RaysAsPublished { stiffness: 300.0 };
    let [_, end] = separated(rays, PUBLISHED, RayTree::Octree);
    assert_eq!(end, 0.0);
}

#[test]
fn proximity_does_not_separate_them() {
    let proximity = SoftContact::Proximity {
        threshold: 0.01,
        stiffness: 300.0,
    };
    let [start, end] = separated(proximity, PUBLISHED, RayTree::Hierarchy);
    assert!(end > 0.5 * start, "{start} {end}");
}

#[test]
fn both_trees_give_the_same_bits_near_the_origin_and_far_away() {
    let end = |tree: RayTree, shift: f64| {
        let mut scene = collision(1);
        for vertex in scene.solids.iter_mut().flat_map(|s| &mut s.vertices) {
            *vertex = vertex.map(|x| x + shift);
        }
        scene.settings.soft.tree = tree;
        let mut world = World::new(&scene).unwrap();
        let mut pressed = 0;
        for _ in 0..12 {
            world.step().unwrap();
            pressed += world.solid_contacts()[0];
        }
        assert!(pressed > 0);
        world.state().clone()
    };
    for shift in [0.0, 1e5] {
        assert_eq!(end(RayTree::Hierarchy, shift), end(RayTree::Octree, shift));
    }
}

#[test]
fn one_and_two_threads_give_the_same_bits() {
    let end = |threads: usize| {
        let mut scene = collision(2);
        scene.solids[0].self_contact = true;
        let mut world = World::new(&scene).unwrap();
        world.set_threads(threads);
        let mut pressed = 0;
        for _ in 0..10 {
            world.step().unwrap();
            pressed += world.solid_contacts()[0];
        }
        assert!(pressed > 0);
        world.state().clone()
    };
    let one = end(1);
    assert_eq!(one, end(2));
    assert_eq!(one, end(3));
}

/// Two solids of a scene whose only frame is short, and what their rays say.
fn finding(first: SolidMesh, second: SolidMesh) -> (Finding, [RayCounts; 2], [usize; 2]) {
    let mut scene = Scene {
        solids: vec![scenes::solid("", first), scenes::solid("", second)],
        ..Scene::default()
    };
    scene.settings.substeps = 1;
    scene.settings.frame = 1e-4;
    scene.settings.gravity = [0.0; 3];
    let mut world = World::new(&scene).unwrap();
    world.step().unwrap();
    let report = world.solid_pairs().first().expect("their boxes meet");
    (report.finding(), report.rays, world.solid_contacts())
}

#[test]
fn one_solid_wholly_inside_the_other_is_reported_and_no_pair_is_kept() {
    let (found, rays, contacts) = finding(ball(0.1, 2, 3), ball(0.03, 1, 1));
    assert_eq!(found, Finding::Inside);
    assert_eq!(contacts, [0, 0]);
    assert_eq!(rays[1].left_first, 42);
}

#[test]
fn where_all_rays_leave_first_there_is_no_force_and_no_instability() {
    // Figure 9: the end of a thin rod in a block. The rod's rays leave the rod first, and the block has no vertex in it.
    let rod = filled(block([-0.01, -0.01, 0.0], [0.01, 0.01, 1.0]));
    let (found, rays, contacts) = finding(filled(block([-1.0; 3], [1.0, 1.0, 0.5])), rod);
    assert_eq!(found, Finding::AllLeaveFirst, "{rays:?}");
    assert_eq!(contacts, [0, 0]);
    assert!(rays[1].left_first > 0);
}

#[test]
fn edge_against_edge_is_not_found() {
    // Two wedges that cross edge on edge, no vertex of either in the other.
    let wedge = |turn: f64, z: f64| {
        let pose = Isometry3::from_parts(
            Vector3::new(0.0, 0.0, z).into(),
            UnitQuaternion::from_euler_angles(0.0, 0.0, turn)
                * UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_4, 0.0, 0.0),
        );
        filled(block([-1.0, -0.1, -0.1], [1.0, 0.1, 0.1]).at(&pose))
    };
    let (found, rays, contacts) = finding(wedge(0.0, 0.0), wedge(1.3, 0.25));
    assert_eq!(found, Finding::Apart);
    assert_eq!((rays[0].kept, rays[1].kept), (0, 0));
    assert_eq!(contacts, [0, 0]);
    // They do overlap.
    let scene = Scene {
        solids: vec![
            scenes::solid("", wedge(0.0, 0.0)),
            scenes::solid("", wedge(1.3, 0.25)),
        ],
        ..Scene::default()
    };
    let world = World::new(&scene).unwrap();
    assert!(judge::overlap_volume(&scene, world.state(), [0, 1], 100) > 1e-6);
}

/// A bar along x that is bent into a U by a turn about y, so that its ends lie in one another.
fn bent(angle: f64) -> (Ready, OwnSides) {
    // A ring that is cut open would need other tetrahedra; a long prism is enough for rays.
    let (rings, sides) = (61, 8);
    let mut mesh = SolidMesh::default();
    for i in 0..rings {
        for k in 0..sides {
            let phi = std::f64::consts::TAU * k as f64 / sides as f64;
            mesh.vertices
                .push([0.05 * i as f64, 0.2 * phi.cos(), 0.2 * phi.sin()]);
        }
    }
    let at = |i: usize, k: usize| (i * sides + k % sides) as u32;
    for i in 0..rings - 1 {
        for k in 0..sides {
            let [a, b, c, d] = [at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)];
            mesh.triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    for (ring, turn) in [(0, false), (rings - 1, true)] {
        for k in 1..sides - 1 {
            let t = [at(ring, 0), at(ring, k), at(ring, k + 1)];
            mesh.triangles
                .push(if turn { [t[0], t[2], t[1]] } else { t });
        }
    }
    if Surface::new(&mesh.vertices, &mesh.triangles).is_err() {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let rest = Ready::new(&mesh);
    let own = OwnSides::new(&rest.surface, &rest.x, VertexNormals::Angle);
    // Bent along a circle of the radius 3/angle.
    let radius = 3.0 / angle;
    for v in &mut mesh.vertices {
        let turn = v[0] / radius;
        *v = [
            (radius + v[2]) * turn.sin(),
            v[1] + 0.03 * turn,
            (radius + v[2]) * turn.cos(),
        ];
    }
    (Ready::new(&mesh), own)
}

#[test]
fn a_bar_bent_onto_itself_meets_itself_and_a_straight_one_does_not() {
    let own_contacts = |angle: f64| {
        let (bar, own) = bent(angle);
        let mut hits = Vec::new();
        let cast = |v: usize| cast_inwards(&bar.at(), &own, v as u32, &mut hits);
        (0..bar.x.len()).filter_map(cast).collect::<Vec<_>>()
    };
    assert!(own_contacts(0.01).is_empty());
    assert!(own_contacts(4.0).is_empty());
    // A turn and a half turn of a tenth more: the ends lie in one another.
    let contacts = own_contacts(6.5);
    assert!(!contacts.is_empty());
    for ray in contacts {
        // P₂ belongs to the other end.
        let ring = ray.vertex / 8;
        let (bar, _) = bent(6.5);
        let other = bar.surface.triangles()[ray.triangle as usize][0] / 8;
        assert!(ring.abs_diff(other) > 30, "{ring} {other}");
    }
}

#[test]
fn self_contact_during_contact_may_hide_the_other_body() {
    // The first exit of another body lies behind an outer face of it: the ray enters first, and nothing is reported, as the
    // paper says. Two blocks of one body stand in a third one, with a gap between them.
    let comb = {
        let mut comb = block([0.0, 0.0, 0.0], [1.0, 1.0, 0.4]);
        let upper = block([0.0, 0.0, 0.5], [1.0, 1.0, 0.9]);
        comb.vertices.extend(upper.vertices);
        comb.triangles
            .extend(upper.triangles.iter().map(|t| t.map(|v| v + 8)));
        Ready::new(&comb)
    };
    let probe = |low: f64| Ready::new(&block([0.3, 0.3, low], [0.7, 0.7, 3.0]));
    let rays = |low: f64| {
        let probe = probe(low);
        cast_all(&probe.at(), 0..8, &comb.at(), |_| ())
    };
    // In the lower block the rays leave that one. In the gap they enter the upper one, where half of the probe still is.
    assert_eq!(rays(0.2).kept, 4);
    let gap = rays(0.45);
    assert_eq!((gap.kept, gap.entering), (0, 4));
}

#[test]
fn wrong_solids_are_refused_with_the_field_named() {
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scenes::rings_in_one_another(2);
        change(&mut scene);
        World::new(&scene)
            .err()
            .expect("the scene is refused")
            .to_string()
    };
    let said = refused(&|scene| {
        scene.solids[1].triangles.remove(3);
    });
    assert!(
        said.starts_with("solids[1].triangles: edge ") && said.contains("boundary"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].triangles[3].swap(0, 1));
    assert!(
        said.starts_with("solids[0].triangles: edge ") && said.contains("inverted"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].tetrahedra[7].swap(0, 1));
    assert!(
        said.starts_with("solids[0].tetrahedra[7]: has the volume -"),
        "{said}"
    );
    let said = refused(&|scene| {
        let again = scene.solids[0].tetrahedra[7];
        scene.solids[0]
            .tetrahedra
            .push([0, 2, 3, 1].map(|k| again[k]));
    });
    assert!(
        said.starts_with("solids[0].tetrahedra[2400]: has the vertices of tetrahedron 7"),
        "{said}"
    );
    let said = refused(&|scene| {
        scene.solids[0].tetrahedra.remove(7);
    });
    assert!(
        said.starts_with("solids[0].triangles") && said.contains("outer side"),
        "{said}"
    );
    let said = refused(&|scene| {
        // Two balls of which one has no triangles: the other's surface is closed.
        let (mut both, other) = (ball(0.1, 0, 1), ball(0.1, 0, 1));
        let count = both.vertices.len() as u32;
        let away = other.vertices.iter().map(|&[x, y, z]| [x + 1.0, y, z]);
        both.vertices.extend(away);
        let others = other.tetrahedra.iter().map(|t| t.map(|v| v + count));
        both.tetrahedra.extend(others);
        scene.solids[0] = scenes::solid("", both);
    });
    assert!(
        said.starts_with("solids[0].triangles: lack 1") && said.contains("outer side"),
        "{said}"
    );
    let said = refused(&|scene| {
        scene.settings.soft.contact = SoftContact::Proximity {
            threshold: 1e3,
            stiffness: 300.0,
        };
    });
    assert!(
        said.starts_with("settings.soft.contact.threshold") && said.contains("mean edges"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].vertices.push([9.0; 3]));
    assert!(
        said.starts_with("solids[0].vertices[840]: belongs to no"),
        "{said}"
    );
    let said = refused(&|scene| scene.solids[0].substance.shear = f64::NAN);
    assert!(said.starts_with("solids[0].substance.shear"), "{said}");
    let said = refused(&|scene| {
        scene.settings.soft.contact = SoftContact::Rays { stiffness: -1.0 };
    });
    assert!(
        said.starts_with("settings.soft.contact.stiffness"),
        "{said}"
    );
    let said = refused(&|scene| {
        scene.settings.soft.scheme = PUBLISHED;
        scene.bodies = vec![body([0.1; 3], [1.0; 2], [3.0; 3], dynamic())];
    });
    assert!(said.starts_with("bodies[0].motion"), "{said}");
    let said = refused(&|scene| {
        let mut open = body([0.1; 3], [1.0; 2], [3.0; 3], Motion::Static);
        open.shape = Shape::Mesh {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2]],
        };
        scene.bodies = vec![open];
    });
    assert!(
        said.starts_with("bodies[0].shape.triangles: edge "),
        "{said}"
    );
}

/// A soft ball over bodies of each kind.
fn dropped(shape: Shape, position: [f64; 3], motion: Motion) -> Scene {
    let mesh = ball(0.1, 2, 3).at(&Isometry3::translation(0.01, 0.0, 0.12));
    let mut soft: Solid = scenes::solid("ball", mesh);
    soft.substance = Substance {
        shear: 3e4,
        lambda: 1.2e5,
        damping: 2e-3,
        air: 4.0,
        ..Substance::RUBBER
    };
    let mut under = body([1.0; 3], [1.0; 2], position, motion);
    under.shape = shape;
    Scene {
        bodies: vec![under],
        solids: vec![soft],
        ..Scene::default()
    }
}

#[test]
fn a_soft_ball_rests_on_half_spaces_superovoids_and_meshes() {
    let slab = Shape::Superovoid {
        semi_axes: [1.0, 1.0, 0.2],
        exponents: [0.1, 0.1],
        tapers: [0.0; 2],
    };
    let plank = block([-1.0, -1.0, -0.4], [1.0, 1.0, 0.0]);
    let mesh = Shape::Mesh {
        vertices: plank.vertices,
        triangles: plank.triangles,
    };
    let mut heights = Vec::new();
    for (shape, z) in [(Shape::HalfSpace, 0.0), (slab, -0.2), (mesh, 0.0)] {
        let scene = dropped(shape, [0.0, 0.0, z], Motion::Static);
        let world = run(&scene, 1.5);
        let at = &world.state().solids[0];
        let lowest = at
            .positions
            .iter()
            .map(|p| p[2])
            .fold(f64::INFINITY, f64::min);
        let fastest = at
            .velocities
            .iter()
            .map(|v| Vector3::from(*v).norm())
            .fold(0.0, f64::max);
        assert!(lowest > -0.002, "{lowest}");
        assert!(fastest < 0.05, "{fastest}");
        heights.push(at.positions.last().unwrap()[2]);
    }
    // The centre is equally high on all of them.
    for height in &heights {
        assert!((0.08..0.1).contains(height), "{heights:?}");
        assert!((height - heights[0]).abs() < 5e-4, "{heights:?}");
    }
}

/// A body that moves at a constant velocity from where it is, for 10 s.
fn moving(velocity: [f64; 3]) -> Motion {
    let key = |time: f64| Key {
        time,
        position: velocity.map(|v| v * time),
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    Motion::Kinematic {
        keys: vec![key(0.0), key(10.0)],
    }
}

#[test]
fn a_pinned_solid_that_is_carried_at_a_constant_speed_keeps_its_shape_in_both_schemes() {
    let velocity = [1.5, -0.7, 0.4];
    for scheme in [PUBLISHED, SoftScheme::Xpbd] {
        let mut soft = scenes::solid("", torus(0.1, 0.03, [16, 8]));
        soft.velocity = velocity;
        soft.substance.air = 0.0;
        soft.pins = [0, 1, 2, 40, 41]
            .map(|vertex| Pin {
                vertex,
                body: Some(0),
            })
            .to_vec();
        let mut carrier = body([0.01; 3], [1.0; 2], [0.0; 3], moving(velocity));
        carrier.name = "carrier".into();
        let mut scene = Scene {
            bodies: vec![carrier],
            solids: vec![soft],
            ..Scene::default()
        };
        scene.settings.gravity = [0.0; 3];
        scene.settings.substeps = 2;
        scene.settings.soft.scheme = scheme;
        let world = run(&scene, 1.0);
        let gone = Vector3::from(velocity) * world.state().time;
        for (x, rest) in world.state().solids[0]
            .positions
            .iter()
            .zip(&scene.solids[0].vertices)
        {
            let off = Vector3::from(*x) - Vector3::from(*rest) - gone;
            assert!(off.norm() < 1e-11, "{scheme:?} {}", off.norm());
        }
    }
}

/// A ball in the published scheme, 5 mm in a floor that moves up or down.
fn in_a_floor(speed: f64, own: f64, gravity: f64) -> Scene {
    let mut floor = body([1.0; 3], [1.0; 2], [0.0; 3], moving([0.0, 0.0, speed]));
    floor.shape = Shape::HalfSpace;
    let mut soft = scenes::solid(
        "",
        ball(0.1, 2, 2).at(&Isometry3::translation(0.0, 0.0, 0.095)),
    );
    soft.velocity = [0.0, 0.0, own];
    soft.substance.air = 0.0;
    let mut scene = Scene {
        bodies: vec![floor],
        solids: vec![soft],
        ..Scene::default()
    };
    scene.settings.gravity = [0.0, 0.0, gravity];
    scene.settings.substeps = 1;
    scene.settings.soft.scheme = PUBLISHED;
    scene.settings.soft.contact = SoftContact::RaysAsPublished { stiffness: 300.0 };
    scene
}

#[test]
fn a_floor_that_recedes_does_not_pull_in_the_published_scheme() {
    let scene = in_a_floor(-2.0, 0.0, 0.0);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..5 {
        world.step().unwrap();
        let (momentum, _) = judge::momentum(&scene, world.state(), 0);
        assert!(momentum[2] > -1e-12, "{momentum:?}");
    }
}

#[test]
fn the_published_scheme_is_the_same_on_a_floor_that_moves_along() {
    let speed = -0.4;
    let [still, along] = [0.0, speed].map(|speed| run(&in_a_floor(speed, speed, -9.81), 0.5));
    assert!(still.solid_contacts()[1] > 0);
    let gone = speed * still.state().time;
    for (a, b) in still.state().solids[0]
        .positions
        .iter()
        .zip(&along.state().solids[0].positions)
    {
        let off = Vector3::from(*b) - Vector3::from(*a) - Vector3::z() * gone;
        assert!(off.norm() < 1e-7, "{}", off.norm());
    }
}

#[test]
fn a_soft_ball_and_a_rigid_one_exchange_momentum_only() {
    let shape = Shape::Superovoid {
        semi_axes: [0.1; 3],
        exponents: [1.0; 2],
        tapers: [0.0; 2],
    };
    let mut scene = dropped(shape, [0.0, 0.0, -0.1], dynamic());
    scene.settings.gravity = [0.0; 3];
    scene.solids[0].velocity = [0.0, 0.0, -1.0];
    scene.solids[0].substance.air = 0.0;
    let momentum = |world: &World| {
        let (linear, angular) = judge::momentum(&scene, world.state(), 0);
        let ball = &world.state().bodies[0];
        let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.001;
        let (x, v) = (Vector3::from(ball.position), Vector3::from(ball.velocity));
        let spin = Vector3::from(ball.angular_velocity) * (0.4 * mass * 0.01);
        [
            Vector3::from(linear) + v * mass,
            Vector3::from(angular) + x.cross(&v) * mass + spin,
        ]
    };
    let before = momentum(&World::new(&scene).unwrap());
    let world = run(&scene, 0.5);
    assert!(world.state().bodies[0].velocity[2] < -0.3);
    let after = momentum(&world);
    assert!((after[0] - before[0]).norm() < 1e-9 * before[0].norm());
    assert!((after[1] - before[1]).norm() < 1e-11 * before[1].norm());
}

/// Whether neighbours of the chain are linked after some seconds, by the linking number of their core circles.
fn stays_linked(seconds: f64) {
    let scene = scenes::chain(4);
    let mut world = World::new(&scene).unwrap();
    let cores = |world: &World| -> Vec<f64> {
        let core = |k: usize| &world.state().solids[k].positions[448..];
        (1..4)
            .map(|k| judge::linking_number(core(k - 1), core(k)).abs())
            .collect()
    };
    for _ in 0..(seconds * 60.0) as usize {
        world.step().unwrap();
        if world.state().frame.is_multiple_of(30) {
            for (k, linked) in cores(&world).into_iter().enumerate() {
                assert!(
                    (linked - 1.0).abs() < 1e-6,
                    "{k} at {} s",
                    world.state().time
                );
            }
        }
    }
}

#[test]
fn the_chain_stays_linked() {
    stays_linked(0.5);
}

#[test]
#[ignore = "long: a chain for 60 s"]
fn the_chain_stays_linked_long() {
    stays_linked(60.0);
}

#[test]
fn the_thumbs_lift_the_ball() {
    let scene = scenes::squeeze();
    let world = run(&scene, 2.5);
    let height =
        |positions: &[[f64; 3]]| positions.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
    let lifted = height(&world.state().solids[0].positions) - height(&scene.solids[0].vertices);
    assert!((0.035..0.042).contains(&lifted), "{lifted}");
}

#[test]
fn a_ring_comes_to_rest_on_a_superovoid() {
    let world = run(&scenes::ring_on_superovoid(), 1.2);
    let at = &world.state().solids[0];
    let speeds = at.velocities.iter().map(|v| Vector3::from(*v).norm());
    assert!(speeds.fold(0.0, f64::max) < 0.1);
    assert!(world.solid_contacts()[1] > 20);
}

#[test]
fn a_recording_of_solids_is_read_back() {
    use superovoid_sim::recording::{ObjFrames, Recording, RecordingWriter};
    let scene = collision(1);
    let mut world = World::new(&scene).unwrap();
    let mut writer = RecordingWriter::new(Vec::new(), &scene).unwrap();
    world.step().unwrap();
    writer.frame(world.state()).unwrap();
    let bytes = writer.finish().unwrap();
    assert_eq!(bytes.len() % 4, 0);
    let recording = Recording::read(bytes.as_slice()).unwrap();
    assert_eq!(recording.scene, scene);
    for (read, solid) in recording.frames[0].solids.iter().zip(&world.state().solids) {
        let singles: Vec<_> = solid
            .positions
            .iter()
            .map(|p| p.map(|x| x as f32))
            .collect();
        assert_eq!(read, &singles);
    }
    let mut text = Vec::new();
    ObjFrames::new(&scene, 16)
        .moving(world.state(), &mut text)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let names: Vec<&str> = text.lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(names, ["o solid_0_ring", "o solid_1_ball"]);
}

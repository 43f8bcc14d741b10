//! The validation of a scene: once, before anything is built, with errors that name field and index.
//!
//! Every number is finite; lengths, masses and densities are positive; friction is at least 0 and restitution in
//! [0, 1]; indices are in range; the counts are limited ([`MOST_BODIES`], [`MOST_VERTICES`]), so that a hostile file
//! cannot ask for the memory of the machine.

mod solids;

use crate::error::SceneError;
use crate::scene::{
    Body, BodyContact, Cloth, ClothContact, Joint, JointKind, Material, Motion, SCENE_VERSION,
    Scene, Scheme, Settings, Shape, SoftContact, SoftScheme, Solid,
};
use crate::soft::{self, check_triangles, directed_edges, internals::Surface};
use std::collections::{HashMap, HashSet};
use superovoid::pose::rotation;
use superovoid::{MeshError, Superovoid};

/// The most bodies, joints or cloths of a scene.
pub const MOST_BODIES: usize = 100_000;
/// The most vertices of a cloth or mesh, and half the most triangles.
pub const MOST_VERTICES: usize = 1_000_000;
/// The largest coordinate, metres.
pub const LARGEST: f64 = 1e6;

/// The most mean edges of a solid over which proximity reaches.
const MOST_EDGES: f64 = 10.0;

type Checked = Result<(), SceneError>;

/// Checks the whole scene.
pub(crate) fn validate(scene: &Scene) -> Checked {
    if scene.version != SCENE_VERSION {
        let wanted = format!(
            "is {}; this library reads version {SCENE_VERSION}",
            scene.version
        );
        return Err(SceneError::new("version", wanted));
    }
    settings(&scene.settings)?;
    count("materials", scene.materials.len(), MOST_BODIES)?;
    count("bodies", scene.bodies.len(), MOST_BODIES)?;
    count("cloths", scene.cloths.len(), MOST_BODIES)?;
    count("joints", scene.joints.len(), MOST_BODIES)?;
    let vertices: usize = scene.cloths.iter().map(|cloth| cloth.vertices.len()).sum();
    count("cloths: vertices", vertices, MOST_VERTICES)?;
    for (i, m) in scene.materials.iter().enumerate() {
        material(&format!("materials[{i}]"), m)?;
    }
    for (i, b) in scene.bodies.iter().enumerate() {
        body(&format!("bodies[{i}]"), b, scene)?;
    }
    for (i, c) in scene.cloths.iter().enumerate() {
        cloth(&format!("cloths[{i}]"), c, scene)?;
    }
    count("solids", scene.solids.len(), MOST_BODIES)?;
    let vertices: usize = scene.solids.iter().map(|solid| solid.vertices.len()).sum();
    count("solids: vertices", vertices, MOST_VERTICES)?;
    for (i, s) in scene.solids.iter().enumerate() {
        solid(&format!("solids[{i}]"), s, scene)?;
    }
    if !scene.solids.is_empty() {
        met_by_solids(scene)?;
        solids::passes(scene)?;
    }
    for (i, j) in scene.joints.iter().enumerate() {
        joint(&format!("joints[{i}]"), j, scene)?;
    }
    excluded(scene)?;
    crate::cloth::crossed(scene)
}

fn settings(s: &Settings) -> Checked {
    let at = |name: &str| format!("settings.{name}");
    within(&at("frame"), s.frame, 1e-6, 1.0)?;
    if !(1..=1000).contains(&s.substeps) {
        return Err(SceneError::new(
            at("substeps"),
            format!("is {}; it must be 1 to 1000", s.substeps),
        ));
    }
    coordinates(&at("gravity"), &s.gravity)?;
    coordinates(&at("wind"), &s.wind)?;
    within(&at("skin"), s.skin, 0.0, LARGEST)?;
    within(&at("push_out_speed"), s.push_out_speed, 0.0, LARGEST)?;
    within(&at("sleep_speed"), s.sleep_speed, 0.0, LARGEST)?;
    if let Scheme::Pbd {
        iterations,
        velocity_iterations,
        stretch,
        bend,
        ..
    } = s.scheme
    {
        let at = |name: &str| at(&format!("scheme.{name}"));
        within(&at("iterations"), f64::from(iterations), 1.0, 1000.0)?;
        within(
            &at("velocity_iterations"),
            f64::from(velocity_iterations),
            0.0,
            1000.0,
        )?;
        within(&at("stretch"), stretch, 0.0, 1.0)?;
        within(&at("bend"), bend, 0.0, 1.0)?;
    }
    soft_settings(s)?;
    match s.body_contact {
        BodyContact::Iterative {
            tolerance,
            iterations,
        } => iterative(&at("body_contact"), tolerance, iterations),
        BodyContact::Exact => Ok(()),
    }
}

fn soft_settings(s: &Settings) -> Checked {
    let at = |name: &str| format!("settings.soft.{name}");
    match s.soft.contact {
        SoftContact::Rays { stiffness } | SoftContact::RaysAsPublished { stiffness } => {
            within(&at("contact.stiffness"), stiffness, 1e-9, 1e15)?;
        }
        SoftContact::Proximity {
            threshold,
            stiffness,
        } => {
            within(&at("contact.threshold"), threshold, 1e-9, LARGEST)?;
            within(&at("contact.stiffness"), stiffness, 1e-9, 1e15)?;
        }
    }
    if let SoftScheme::ImplicitEuler {
        iterations,
        tolerance,
    } = s.soft.scheme
    {
        within(
            &at("scheme.iterations"),
            f64::from(iterations),
            1.0,
            10_000.0,
        )?;
        within(&at("scheme.tolerance"), tolerance, 0.0, 1.0)?;
    }
    Ok(())
}

fn iterative(at: &str, tolerance: f64, iterations: u32) -> Checked {
    within(&format!("{at}.tolerance"), tolerance, 0.0, LARGEST)?;
    let name = format!("{at}.iterations");
    within(&name, f64::from(iterations), 1.0, 1000.0)
}

fn material(at: &str, m: &Material) -> Checked {
    within(
        &format!("{at}.static_friction"),
        m.static_friction,
        0.0,
        LARGEST,
    )?;
    within(
        &format!("{at}.kinetic_friction"),
        m.kinetic_friction,
        0.0,
        m.static_friction,
    )?;
    within(&format!("{at}.restitution"), m.restitution, 0.0, 1.0)?;
    within(
        &format!("{at}.rolling_friction"),
        m.rolling_friction,
        0.0,
        LARGEST,
    )
}

fn body(at: &str, b: &Body, scene: &Scene) -> Checked {
    coordinates(&format!("{at}.position"), &b.position)?;
    orientation(&format!("{at}.orientation"), &b.orientation)?;
    surface(at, b.material, scene)?;
    let dynamic = matches!(b.motion, Motion::Dynamic { .. });
    match &b.shape {
        Shape::Superovoid {
            semi_axes,
            exponents,
            tapers,
        } => {
            let refused = |e| SceneError::new(format!("{at}.shape"), format!("{e}"));
            Superovoid::new(*semi_axes, *exponents, *tapers).map_err(refused)?;
            for (i, &a) in semi_axes.iter().enumerate() {
                within(&format!("{at}.shape.semi_axes[{i}]"), a, 1e-6, LARGEST)?;
            }
        }
        Shape::HalfSpace | Shape::Mesh { .. } if dynamic => {
            return Err(SceneError::new(
                format!("{at}.motion"),
                "only superovoids can be dynamic",
            ));
        }
        Shape::HalfSpace => {}
        Shape::Mesh {
            vertices,
            triangles,
        } => {
            mesh(&format!("{at}.shape"), vertices, triangles)?;
        }
    }
    match &b.motion {
        Motion::Static => Ok(()),
        Motion::Dynamic {
            density,
            velocity,
            angular_velocity,
        } => {
            within(&format!("{at}.motion.density"), *density, 1e-9, 1e9)?;
            coordinates(&format!("{at}.motion.velocity"), velocity)?;
            coordinates(&format!("{at}.motion.angular_velocity"), angular_velocity)
        }
        Motion::Kinematic { keys } => {
            count(&format!("{at}.motion.keys"), keys.len(), MOST_VERTICES)?;
            let mut before = f64::NEG_INFINITY;
            for (k, key) in keys.iter().enumerate() {
                let at = format!("{at}.motion.keys[{k}]");
                within(&format!("{at}.time"), key.time, 0.0, 1e9)?;
                if key.time <= before {
                    return Err(SceneError::new(
                        format!("{at}.time"),
                        "must be later than the one before",
                    ));
                }
                before = key.time;
                coordinates(&format!("{at}.position"), &key.position)?;
                orientation(&format!("{at}.orientation"), &key.orientation)?;
            }
            Ok(())
        }
    }
}

fn cloth(at: &str, c: &Cloth, scene: &Scene) -> Checked {
    mesh(at, &c.vertices, &c.triangles)?;
    manifold(at, &c.triangles)?;
    let mut used = vec![false; c.vertices.len()];
    c.triangles
        .iter()
        .flatten()
        .for_each(|&v| used[v as usize] = true);
    if let Some(alone) = used.iter().position(|used| !used) {
        return Err(SceneError::new(
            format!("{at}.vertices[{alone}]"),
            "belongs to no triangle and has no mass",
        ));
    }
    let f = &c.fabric;
    within(&format!("{at}.fabric.density"), f.density, 1e-9, 1e9)?;
    within(&format!("{at}.fabric.stretch"), f.stretch, 1e-9, 1e15)?;
    within(&format!("{at}.fabric.bend"), f.bend, 0.0, 1e15)?;
    within(&format!("{at}.fabric.damping"), f.damping, 0.0, 1e3)?;
    within(&format!("{at}.fabric.air"), f.air, 0.0, 1e3)?;
    within(&format!("{at}.fabric.drag"), f.drag, 0.0, 1e3)?;
    within(&format!("{at}.thickness"), c.thickness, 1e-9, LARGEST)?;
    surface(at, c.material, scene)?;
    for (i, pin) in c.pins.iter().enumerate() {
        index(
            &format!("{at}.pins[{i}].vertex"),
            pin.vertex,
            c.vertices.len(),
            "vertices",
        )?;
        if let Some(body) = pin.body {
            index(
                &format!("{at}.pins[{i}].body"),
                body,
                scene.bodies.len(),
                "bodies",
            )?;
        }
    }
    if let Some(limit) = c.strain_limit {
        within(&format!("{at}.strain_limit"), limit, 0.0, 100.0)?;
    }
    match c.contact {
        ClothContact::Iterative {
            tolerance,
            iterations,
        } => iterative(&format!("{at}.contact"), tolerance, iterations),
        _ => Ok(()),
    }
}

fn solid(at: &str, s: &Solid, scene: &Scene) -> Checked {
    for (i, vertex) in s.vertices.iter().enumerate() {
        coordinates(&format!("{at}.vertices[{i}]"), vertex)?;
    }
    count(
        &format!("{at}.triangles"),
        s.triangles.len(),
        2 * MOST_VERTICES,
    )?;
    count(
        &format!("{at}.tetrahedra"),
        s.tetrahedra.len(),
        8 * MOST_VERTICES,
    )?;
    Surface::new(&s.vertices, &s.triangles)
        .map_err(|error| SceneError::new(format!("{at}.triangles"), error.to_string()))?;
    let mut used = vec![false; s.vertices.len()];
    for (i, t) in s.tetrahedra.iter().enumerate() {
        let at = format!("{at}.tetrahedra[{i}]");
        for &v in t {
            index(&at, v as usize, s.vertices.len(), "vertices")?;
            used[v as usize] = true;
        }
        let [a, b, c, d] = t.map(|v| nalgebra::Vector3::from(s.vertices[v as usize]));
        let longest = [b - a, c - a, d - a, c - b, d - b, d - c]
            .iter()
            .fold(0.0, |m: f64, e| m.max(e.norm()));
        let volume = (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0;
        if volume.is_nan() || volume <= 1e-9 * longest.powi(3) {
            let said = format!("has the volume {volume} m³: it is flat or inverted");
            return Err(SceneError::new(at, said));
        }
    }
    if let Some(alone) = used.iter().position(|used| !used) {
        return Err(SceneError::new(
            format!("{at}.vertices[{alone}]"),
            "belongs to no tetrahedron and has no mass",
        ));
    }
    filled(at, s)?;
    let m = &s.substance;
    within(&format!("{at}.substance.density"), m.density, 1e-9, 1e9)?;
    within(&format!("{at}.substance.shear"), m.shear, 1e-9, 1e15)?;
    within(&format!("{at}.substance.lambda"), m.lambda, 1e-9, 1e15)?;
    within(&format!("{at}.substance.damping"), m.damping, 0.0, 1e3)?;
    within(&format!("{at}.substance.air"), m.air, 0.0, 1e3)?;
    coordinates(&format!("{at}.velocity"), &s.velocity)?;
    surface(at, s.material, scene)?;
    for (i, pin) in s.pins.iter().enumerate() {
        let vertex = format!("{at}.pins[{i}].vertex");
        index(&vertex, pin.vertex, s.vertices.len(), "vertices")?;
        if let Some(body) = pin.body {
            let at = format!("{at}.pins[{i}].body");
            index(&at, body, scene.bodies.len(), "bodies")?;
            if matches!(scene.bodies[body].motion, Motion::Dynamic { .. }) {
                return Err(SceneError::new(
                    at,
                    "is dynamic: solids are held by others only",
                ));
            }
        }
    }
    Ok(())
}

/// Checks that no tetrahedron is there twice, and that the triangles are the boundary of the tetrahedra.
fn filled(at: &str, s: &Solid) -> Checked {
    let mut known = HashMap::with_capacity(s.tetrahedra.len());
    for (i, t) in s.tetrahedra.iter().enumerate() {
        let mut key = *t;
        key.sort_unstable();
        if let Some(other) = known.insert(key, i) {
            return Err(SceneError::new(
                format!("{at}.tetrahedra[{i}]"),
                format!("has the vertices of tetrahedron {other}"),
            ));
        }
    }
    // The least vertex first: the turn is what counts.
    let key = |&[a, b, c]: &[u32; 3]| {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    };
    let faces = soft::boundary(&s.tetrahedra);
    let mut open: HashSet<[u32; 3]> = faces.iter().map(key).collect();
    for (i, t) in s.triangles.iter().enumerate() {
        if !open.remove(&key(t)) {
            return Err(SceneError::new(
                format!("{at}.triangles[{i}]"),
                "is no outer side of one tetrahedron alone",
            ));
        }
    }
    match faces.iter().find(|face| open.contains(&key(face))) {
        None => Ok(()),
        Some([a, b, c]) => Err(SceneError::new(
            format!("{at}.triangles"),
            format!("lack {a}, {b}, {c}, an outer side of the tetrahedra"),
        )),
    }
}

/// The mean edge of a solid's surface.
fn mean_edge(s: &Solid) -> f64 {
    let at = |v: u32| nalgebra::Vector3::from(s.vertices[v as usize]);
    let around = |t: &[u32; 3]| {
        let [a, b, c] = t.map(at);
        (b - a).norm() + (c - b).norm() + (a - c).norm()
    };
    s.triangles.iter().map(around).sum::<f64>() / (3 * s.triangles.len()) as f64
}

/// Checks what else a scene with solids must be: meshes are closed, so that rays know what is inside, the published scheme
/// moves solids alone, and proximity has no more pairs than features that are near.
fn met_by_solids(scene: &Scene) -> Checked {
    if let SoftContact::Proximity { threshold, .. } = scene.settings.soft.contact {
        let finest = scene.solids.iter().map(mean_edge);
        let most = MOST_EDGES * finest.fold(f64::INFINITY, f64::min);
        if threshold > most {
            return Err(SceneError::new(
                "settings.soft.contact.threshold",
                format!(
                    "must be at most {most}, {MOST_EDGES} mean edges of the finest solid, not {threshold}"
                ),
            ));
        }
    }
    let published = matches!(scene.settings.soft.scheme, SoftScheme::ImplicitEuler { .. });
    for (i, body) in scene.bodies.iter().enumerate() {
        if let Shape::Mesh {
            vertices,
            triangles,
        } = &body.shape
        {
            Surface::new(vertices, triangles).map_err(|error| {
                SceneError::new(format!("bodies[{i}].shape.triangles"), error.to_string())
            })?;
        }
        if published && matches!(body.motion, Motion::Dynamic { .. }) {
            return Err(SceneError::new(
                format!("bodies[{i}].motion"),
                "is dynamic, which implicit Euler of solids does not cover",
            ));
        }
    }
    Ok(())
}

fn excluded(scene: &Scene) -> Checked {
    count("excluded_pairs", scene.excluded_pairs.len(), MOST_BODIES)?;
    for (i, pair) in scene.excluded_pairs.iter().enumerate() {
        for (end, &body) in pair.iter().enumerate() {
            let at = format!("excluded_pairs[{i}][{end}]");
            index(&at, body, scene.bodies.len(), "bodies")?;
        }
        if pair[0] == pair[1] {
            return Err(SceneError::new(
                format!("excluded_pairs[{i}]"),
                format!("has the body {} twice", pair[0]),
            ));
        }
    }
    Ok(())
}

fn joint(at: &str, j: &Joint, scene: &Scene) -> Checked {
    index(
        &format!("{at}.child"),
        j.child,
        scene.bodies.len(),
        "bodies",
    )?;
    if let Some(parent) = j.parent {
        index(
            &format!("{at}.parent"),
            parent,
            scene.bodies.len(),
            "bodies",
        )?;
        if parent == j.child {
            return Err(SceneError::new(
                format!("{at}.parent"),
                "must not be the child itself",
            ));
        }
    }
    coordinates(&format!("{at}.anchor"), &j.anchor)?;
    within(&format!("{at}.compliance"), j.compliance, 0.0, 1e9)?;
    let pi = std::f64::consts::PI;
    let axis_of = |axis: &[f64; 3]| {
        coordinates(&format!("{at}.kind.axis"), axis)?;
        if axis.iter().all(|x| x.abs() < 1e-9) {
            return Err(SceneError::new(
                format!("{at}.kind.axis"),
                "must not be zero",
            ));
        }
        Ok(())
    };
    let range = |name: &str, limits: &Option<[f64; 2]>| match limits {
        Some([low, high]) => {
            within(&format!("{at}.kind.{name}[0]"), *low, -pi, pi)?;
            within(&format!("{at}.kind.{name}[1]"), *high, *low, pi)
        }
        None => Ok(()),
    };
    match &j.kind {
        JointKind::Fixed => Ok(()),
        JointKind::Hinge {
            axis,
            limits,
            drive,
        } => {
            axis_of(axis)?;
            range("limits", limits)?;
            if let Some(drive) = drive {
                within(&format!("{at}.kind.drive.angle"), drive.angle, -pi, pi)?;
                within(
                    &format!("{at}.kind.drive.compliance"),
                    drive.compliance,
                    0.0,
                    1e9,
                )?;
                within(&format!("{at}.kind.drive.damping"), drive.damping, 0.0, 1e3)?;
            }
            Ok(())
        }
        JointKind::Ball { axis, swing, twist } => {
            axis_of(axis)?;
            if let Some(swing) = swing {
                within(&format!("{at}.kind.swing"), *swing, 0.0, pi)?;
            }
            range("twist", twist)
        }
        JointKind::Gimbal {
            frame,
            start,
            ranges,
            damping,
        } => {
            orientation(&format!("{at}.kind.frame"), frame)?;
            for (i, [low, high]) in ranges.iter().enumerate() {
                let place = |end: usize| format!("{at}.kind.ranges[{i}][{end}]");
                within(&place(0), *low, -2.0 * pi, 2.0 * pi)?;
                within(&place(1), *high, *low, 2.0 * pi)?;
                within(&format!("{at}.kind.start[{i}]"), start[i], *low, *high)?;
            }
            within(&format!("{at}.kind.damping"), *damping, 0.0, 1e9)
        }
    }
}

/// Checks vertices and triangles: in range, finite, none of them a needle.
fn mesh(at: &str, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Checked {
    /// The least height of a triangle over its longest side.
    const NEEDLE: f64 = 1e-6;
    count(&format!("{at}.vertices"), vertices.len(), MOST_VERTICES)?;
    count(
        &format!("{at}.triangles"),
        triangles.len(),
        2 * MOST_VERTICES,
    )?;
    for (i, vertex) in vertices.iter().enumerate() {
        coordinates(&format!("{at}.vertices[{i}]"), vertex)?;
    }
    check_triangles(vertices, triangles, NEEDLE).map_err(|error| {
        let field = match error {
            MeshError::VertexOutOfRange { triangle, .. } | MeshError::Degenerate { triangle } => {
                format!("{at}.triangles[{triangle}]")
            }
            _ => format!("{at}.triangles"),
        };
        SceneError::new(field, error.to_string())
    })
}

/// Checks that every edge has at most two triangles, which run along it in opposite directions.
fn manifold(at: &str, triangles: &[[u32; 3]]) -> Checked {
    directed_edges(triangles)
        .map(drop)
        .map_err(|(_, [other, i])| {
            let said = format!(
                "runs along an edge in the direction of triangle {other}: a cloth must be a manifold"
            );
            SceneError::new(format!("{at}.triangles[{i}]"), said)
        })
}

fn count(field: &str, count: usize, most: usize) -> Checked {
    if count > most {
        return Err(SceneError::new(
            field,
            format!("there are {count}; at most {most} are allowed"),
        ));
    }
    Ok(())
}

/// Checks the index of the material of a body, cloth or solid.
fn surface(at: &str, material: usize, scene: &Scene) -> Checked {
    let field = format!("{at}.material");
    if scene.materials.is_empty() && material > 0 {
        let said = format!("is {material}; a scene without materials has the default one alone, 0");
        return Err(SceneError::new(field, said));
    }
    index(&field, material, scene.surfaces().len(), "materials")
}

fn index(field: &str, index: usize, count: usize, of: &str) -> Checked {
    if index >= count {
        return Err(SceneError::new(
            field,
            format!("is {index}; there are {count} {of} (from 0)"),
        ));
    }
    Ok(())
}

fn within(field: &str, value: f64, least: f64, most: f64) -> Checked {
    if !(least..=most).contains(&value) {
        return Err(SceneError::new(
            field,
            format!("is {value}; it must be in [{least}, {most}]"),
        ));
    }
    Ok(())
}

fn coordinates(field: &str, values: &[f64; 3]) -> Checked {
    for (value, axis) in values.iter().zip(["x", "y", "z"]) {
        within(&format!("{field}.{axis}"), *value, -LARGEST, LARGEST)?;
    }
    Ok(())
}

fn orientation(field: &str, q: &[f64; 4]) -> Checked {
    let [w, x, y, z] = *q;
    match rotation([x, y, z, w]) {
        Ok(_) => Ok(()),
        Err(_) => Err(SceneError::new(
            field,
            format!("{q:?} must be a quaternion [w, x, y, z], finite and not zero"),
        )),
    }
}

//! Judges of a simulation: penetration, strain and energy of a state.
//!
//! They read nothing but the scene and the state and share no code with the solver, nor its queries: the bodies are
//! written down here once more, by their inside-outside function and their support function,
//!
//! ```text
//! F(x) = (|x/(a₁τx)|^(2/e1) + |y/(a₂τy)|^(2/e1))^(e1/e2) + |z/a₃|^(2/e2) − 1,      τ = 1 + t z/a₃
//! h(n) = max over ζ of a₃ n₃ ζ + (1 − |ζ|^(2/e2))^(e2/2) ‖(a₁ τx n₁, a₂ τy n₂)‖_q,   q = 2/(2 − e1)
//! ```
//!
//! and the depth of a point inside a convex body is the least h(n) − n·p over unit n, by a search over many directions,
//! refined about the best. Only the mass of a body is the library's, which has it in closed form.

mod balance;
mod crossings;
mod solids;

pub use balance::hanging_balance;
pub use crossings::{Crossings, cloth_crossings};
pub use solids::{linking_number, momentum, overlap_volume};

use crate::scene::{Body, Motion, Scene, Shape};
use crate::state::{BodyState, State};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use superovoid::Superovoid;

/// A superovoid as the judges see it.
#[derive(Clone, Copy, Debug)]
struct Ovoid {
    a: [f64; 3],
    e: [f64; 2],
    t: [f64; 2],
}

impl Ovoid {
    fn of(shape: &Shape) -> Option<Ovoid> {
        match *shape {
            Shape::Superovoid {
                semi_axes,
                exponents,
                tapers,
            } => Some(Ovoid {
                a: semi_axes,
                e: exponents,
                t: tapers,
            }),
            _ => None,
        }
    }

    fn inside(&self, p: &Vector3<f64>) -> bool {
        self.value(p) < 1.0
    }

    /// 1 on the surface, less inside.
    fn value(&self, p: &Vector3<f64>) -> f64 {
        let z = p.z / self.a[2];
        if z.abs() >= 1.0 {
            return f64::INFINITY;
        }
        let x = (p.x / (self.a[0] * (1.0 + self.t[0] * z))).abs();
        let y = (p.y / (self.a[1] * (1.0 + self.t[1] * z))).abs();
        let section = x.powf(2.0 / self.e[0]) + y.powf(2.0 / self.e[0]);
        section.powf(self.e[0] / self.e[1]) + z.abs().powf(2.0 / self.e[1])
    }

    fn support(&self, n: &Vector3<f64>) -> f64 {
        let q = 2.0 / (2.0 - self.e[0]);
        let at = |zeta: f64| {
            let x = (self.a[0] * (1.0 + self.t[0] * zeta) * n.x).abs();
            let y = (self.a[1] * (1.0 + self.t[1] * zeta) * n.y).abs();
            let (most, least) = (x.max(y), x.min(y));
            let norm = if most == 0.0 {
                0.0
            } else {
                most * (1.0 + (least / most).powf(q)).powf(1.0 / q)
            };
            self.a[2] * n.z * zeta
                + (1.0 - zeta.abs().powf(2.0 / self.e[1]))
                    .max(0.0)
                    .powf(self.e[1] / 2.0)
                    * norm
        };
        // Golden sections of a concave function, finer towards the ends, where box-like profiles bend.
        let (mut low, mut high) = (-1.0, 1.0);
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        for _ in 0..90 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if at(left) > at(right) {
                high = right;
            } else {
                low = left;
            }
        }
        at(0.5 * (low + high)).max(at(1.0)).max(at(-1.0))
    }

    /// The depth of a point if it may be more than `least`, otherwise `least`. A convex body is nowhere deeper than the sides
    /// of its box, nor than the way out along any direction, of which that of the gradient is nearly the shortest.
    fn depth_over(&self, p: &Vector3<f64>, least: f64) -> f64 {
        let side = |k: usize| {
            let wide = if k < 2 { 1.0 + self.t[k].abs() } else { 1.0 };
            self.a[k] * wide - p[k].abs()
        };
        if side(0).min(side(1)).min(side(2)) <= least {
            return least;
        }
        let leaves = |n: Vector3<f64>| !self.inside(&(p + n * least));
        if !self.inside(p) || self.gradient(p).is_some_and(leaves) {
            return least;
        }
        self.depth(p).max(least)
    }

    /// The direction of the gradient, by differences; next to the poles and in the middle there is none.
    fn gradient(&self, p: &Vector3<f64>) -> Option<Vector3<f64>> {
        let along = |k: usize| {
            let step = Vector3::ith(k, 1e-6 * self.a[k]);
            (self.value(&(p + step)) - self.value(&(p - step))) / self.a[k]
        };
        let n = Vector3::from_fn(|k, _| along(k)).normalize();
        n.iter().all(|x| x.is_finite()).then_some(n)
    }

    /// The depth of a point, 0 if it is outside.
    fn depth(&self, p: &Vector3<f64>) -> f64 {
        if !self.inside(p) {
            return 0.0;
        }
        let gap = |n: &Vector3<f64>| self.support(n) - n.dot(p);
        let coarse = directions(600).map(|n| (gap(&n), n));
        let coarse = coarse.min_by(|x, y| x.0.total_cmp(&y.0));
        // From one side of a box-like body a search does not come to another.
        let along = self.gradient(p).map(|n| (gap(&n), n));
        let mut depth = f64::INFINITY;
        for mut best in coarse.into_iter().chain(along) {
            let mut step = 0.1;
            while step > 1e-7 {
                let (s, t) = across(&best.1);
                let around = [s, t, -s, -t, s + t, s - t, t - s, -s - t];
                let tried = around
                    .map(|d| (best.1 + d * step).normalize())
                    .map(|n| (gap(&n), n));
                let least = tried
                    .into_iter()
                    .min_by(|x, y| x.0.total_cmp(&y.0))
                    .expect("there are eight");
                if least.0 < best.0 {
                    best = least;
                } else {
                    step *= 0.5;
                }
            }
            depth = depth.min(best.0);
        }
        depth.max(0.0)
    }

    /// Points of the surface, at about `count` parameters.
    fn surface(&self, count: usize) -> impl Iterator<Item = Vector3<f64>> + '_ {
        directions(count).map(|d| {
            let radius = |u: f64, v: f64, e: f64| {
                let sum = u.abs().powf(2.0 / e) + v.abs().powf(2.0 / e);
                sum.powf(-0.5 * e)
            };
            let flat = d.x.hypot(d.y);
            let profile = radius(flat, d.z, self.e[1]);
            let (rho, zeta) = (flat * profile, d.z * profile);
            let section = if flat > 0.0 {
                radius(d.x / flat, d.y / flat, self.e[0]) / flat
            } else {
                0.0
            };
            let (x, y) = (d.x * section * rho, d.y * section * rho);
            Vector3::new(
                self.a[0] * (1.0 + self.t[0] * zeta) * x,
                self.a[1] * (1.0 + self.t[1] * zeta) * y,
                self.a[2] * zeta,
            )
        })
    }
}

/// Directions spread evenly over the sphere, on a spiral.
fn directions(count: usize) -> impl Iterator<Item = Vector3<f64>> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |k| {
        let z = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vector3::new(r * cos, r * sin, z)
    })
}

fn across(n: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let axis = if n.x.abs() < 0.6 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let s = n.cross(&axis).normalize();
    (s, n.cross(&s))
}

fn rotation(state: &BodyState) -> UnitQuaternion<f64> {
    let [w, x, y, z] = state.orientation;
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}

fn local(state: &BodyState, p: &Vector3<f64>) -> Vector3<f64> {
    rotation(state).inverse() * (p - Vector3::from(state.position))
}

/// The vertices of a cloth in the frame of a body.
fn placed(positions: &[[f64; 3]], at: &BodyState) -> Vec<Vector3<f64>> {
    positions.iter().map(|&p| local(at, &p.into())).collect()
}

/// The deepest penetration of a cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ClothDepth {
    /// The deepest vertex in a body, metres, 0 if all are outside.
    pub vertices: f64,
    /// The deepest point of a triangle in a body, of those on a grid of `fineness` points along an edge, metres.
    pub triangles: f64,
}

/// Returns the deepest penetration of a cloth into superovoids, half-spaces and closed meshes; what a mesh pierces between
/// these points [`cloth_crossings`] counts. `fineness` is the number of points along
/// an edge of a triangle, at least 2.
pub fn cloth_depth(scene: &Scene, state: &State, cloth: usize, fineness: usize) -> ClothDepth {
    cloth_depth_over(ClothDepth::default(), scene, state, cloth, fineness)
}

/// Returns the larger one of a penetration and that of [`cloth_depth`]: of many states it takes much less time than each alone.
pub fn cloth_depth_over(
    mut deepest: ClothDepth,
    scene: &Scene,
    state: &State,
    cloth: usize,
    fineness: usize,
) -> ClothDepth {
    for (body, at) in scene.bodies.iter().zip(&state.bodies) {
        let vertices = placed(&state.cloths[cloth].positions, at);
        let bounds = mesh_bounds(&body.shape);
        let ovoid = Ovoid::of(&body.shape);
        let deeper = |p: &Vector3<f64>, least: f64| match (&body.shape, &ovoid) {
            (_, Some(ovoid)) => ovoid.depth_over(p, least),
            (Shape::HalfSpace, _) => (-p.z).max(least),
            (
                Shape::Mesh {
                    vertices,
                    triangles,
                },
                _,
            ) if holds(&bounds, p) => mesh_depth(vertices, triangles, p).max(least),
            _ => least,
        };
        deepest.vertices = vertices
            .iter()
            .fold(deepest.vertices, |least, p| deeper(p, least));
        for triangle in &scene.cloths[cloth].triangles {
            let [a, b, c] = triangle.map(|v| vertices[v as usize]);
            if out_of_reach(body, &bounds, &[a, b, c]) {
                continue;
            }
            for i in 0..fineness {
                for j in 0..fineness - i {
                    let n = (fineness - 1) as f64;
                    let (u, v) = (i as f64 / n, j as f64 / n);
                    let p = a * (1.0 - u - v) + b * u + c * v;
                    deepest.triangles = deeper(&p, deepest.triangles);
                }
            }
        }
    }
    deepest
}

/// Whether a triangle lies beyond a side of the box of the body.
fn out_of_reach(body: &Body, bounds: &[[f64; 3]; 2], corners: &[Vector3<f64>; 3]) -> bool {
    if matches!(body.shape, Shape::Mesh { .. }) {
        let beyond = |k: usize| {
            corners.iter().all(|p| p[k] > bounds[1][k])
                || corners.iter().all(|p| p[k] < bounds[0][k])
        };
        return (0..3).any(beyond);
    }
    let Some(ovoid) = Ovoid::of(&body.shape) else {
        return false;
    };
    (0..3).any(|axis| {
        let half = ovoid.a[axis]
            * if axis < 2 {
                1.0 + ovoid.t[axis].abs()
            } else {
                1.0
            };
        corners.iter().all(|p| p[axis] > half) || corners.iter().all(|p| p[axis] < -half)
    })
}

/// Returns the largest strain of an edge of a cloth: the length over that at the start, less 1.
pub fn largest_strain(scene: &Scene, state: &State, cloth: usize) -> f64 {
    let (rest, now) = (
        &scene.cloths[cloth].vertices,
        &state.cloths[cloth].positions,
    );
    let length = |of: &[[f64; 3]], i: u32, j: u32| {
        (Vector3::from(of[i as usize]) - Vector3::from(of[j as usize])).norm()
    };
    let edges = scene.cloths[cloth]
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    edges
        .map(|(i, j)| length(now, i, j) / length(rest, i, j) - 1.0)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the deepest penetration of dynamic superovoids into the other bodies, metres: of `points` points spread over
/// the surface of each, the deepest inside another superovoid, below a half-space, or inside a closed mesh.
pub fn body_depth(scene: &Scene, state: &State, points: usize) -> f64 {
    let mut deepest: f64 = 0.0;
    for (i, body) in scene.bodies.iter().enumerate() {
        let Some(ovoid) = Ovoid::of(&body.shape) else {
            continue;
        };
        let (q, x) = (
            rotation(&state.bodies[i]),
            Vector3::from(state.bodies[i].position),
        );
        let reach = |b: &Ovoid| b.a.iter().map(|a| a * a).sum::<f64>().sqrt() * 2.0;
        for (j, other) in scene.bodies.iter().enumerate().filter(|(j, _)| *j != i) {
            let at = &state.bodies[j];
            if let Some(o) = Ovoid::of(&other.shape)
                && (x - Vector3::from(at.position)).norm() > reach(&ovoid) + reach(&o)
            {
                continue;
            }
            let bounds = mesh_bounds(&other.shape);
            for p in ovoid.surface(points) {
                let p = local(at, &(q * p + x));
                let depth = match &other.shape {
                    Shape::Superovoid { .. } => {
                        Ovoid::of(&other.shape).map_or(0.0, |o| o.depth(&p))
                    }
                    Shape::HalfSpace => (-p.z).max(0.0),
                    Shape::Mesh {
                        vertices,
                        triangles,
                    } if holds(&bounds, &p) => mesh_depth(vertices, triangles, &p),
                    Shape::Mesh { .. } => 0.0,
                };
                deepest = deepest.max(depth);
            }
        }
    }
    deepest
}

/// Whether a box holds a point.
fn holds(bounds: &[[f64; 3]; 2], p: &Vector3<f64>) -> bool {
    (0..3).all(|axis| (bounds[0][axis]..=bounds[1][axis]).contains(&p[axis]))
}

/// The lower and the upper corner of the box of a mesh.
fn mesh_bounds(shape: &Shape) -> [[f64; 3]; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    if let Shape::Mesh { vertices, .. } = shape {
        for vertex in vertices {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(vertex[axis]);
                bounds[1][axis] = bounds[1][axis].max(vertex[axis]);
            }
        }
    }
    bounds
}

/// The depth of a point in a closed mesh, 0 outside: by the solid angle of all triangles (van Oosterom, Strackee 1983) and
/// the nearest point of all. What two rays in general directions both leave an even number of times is outside, which is
/// quicker to see; a ray through an edge may be counted wrongly, but hardly both.
fn mesh_depth(vertices: &[[f64; 3]], triangles: &[[u32; 3]], p: &Vector3<f64>) -> f64 {
    let rays = [[0.31, 0.27, 0.91], [-0.57, 0.71, 0.41]].map(Vector3::from);
    let odd = |ray: &Vector3<f64>| {
        let crossed =
            |t: &&[u32; 3]| crosses(t.map(|v| Vector3::from(vertices[v as usize]) - p), ray);
        triangles.iter().filter(crossed).count() % 2 == 1
    };
    if !rays.iter().any(odd) {
        return 0.0;
    }
    let mut winding = 0.0;
    let mut nearest = f64::INFINITY;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| Vector3::from(vertices[v as usize]) - p);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        winding += 2.0 * a.dot(&b.cross(&c)).atan2(below);
        nearest = nearest.min(distance_to_triangle(&a, &b, &c));
    }
    if winding > 2.0 * std::f64::consts::PI {
        nearest
    } else {
        0.0
    }
}

/// Whether the ray from the origin along d crosses a triangle: the origin sees its three sides in one turn about d, and
/// its plane lies ahead.
fn crosses([a, b, c]: [Vector3<f64>; 3], d: &Vector3<f64>) -> bool {
    let sides = [a.cross(&b).dot(d), b.cross(&c).dot(d), c.cross(&a).dot(d)];
    let inside = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
    if !inside {
        return false;
    }
    let normal = (b - a).cross(&(c - a));
    normal.dot(&a) * normal.dot(d) > 0.0
}

/// The distance of the origin from a triangle.
fn distance_to_triangle(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>) -> f64 {
    let normal = (b - a).cross(&(c - a));
    let foot = normal * (a.dot(&normal) / normal.norm_squared());
    let sides = [(a, b), (b, c), (c, a)];
    if sides
        .iter()
        .all(|(p, q)| (*q - *p).cross(&(foot - *p)).dot(&normal) >= 0.0)
    {
        return foot.norm();
    }
    let to_side = |(p, q): &(&Vector3<f64>, &Vector3<f64>)| {
        let d = *q - *p;
        let t = (-p.dot(&d) / d.norm_squared()).clamp(0.0, 1.0);
        (*p + d * t).norm()
    };
    sides.iter().map(to_side).fold(f64::INFINITY, f64::min)
}

/// The mechanical energy of a state, joules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// The kinetic energy of bodies, cloths and solids.
    pub kinetic: f64,
    /// The potential energy in the field of gravity, from z = 0 (and likewise for x and y).
    pub potential: f64,
}

impl Energy {
    /// The sum of both.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Returns the mechanical energy of the dynamic bodies, of the cloths and of the solids, without the elastic energy of
/// these two.
pub fn energy(scene: &Scene, state: &State) -> Energy {
    let g = Vector3::from(scene.settings.gravity);
    let mut energy = Energy::default();
    for (body, at) in scene.bodies.iter().zip(&state.bodies) {
        let (Some(o), Motion::Dynamic { density, .. }) = (Ovoid::of(&body.shape), &body.motion)
        else {
            continue;
        };
        let Ok(shape) = Superovoid::new(o.a, o.e, o.t) else {
            continue;
        };
        let mass = shape.mass_properties();
        let q = rotation(at);
        let center = Vector3::from(at.position) + q * mass.center_of_mass.coords;
        let (v, omega) = (
            Vector3::from(at.velocity),
            q.inverse() * Vector3::from(at.angular_velocity),
        );
        let m = mass.volume * density;
        energy.kinetic +=
            0.5 * m * v.norm_squared() + 0.5 * density * omega.dot(&(mass.inertia * omega));
        energy.potential -= m * g.dot(&center);
    }
    for (cloth, at) in scene.cloths.iter().zip(&state.cloths) {
        for triangle in &cloth.triangles {
            let [a, b, c] = triangle.map(|v| Vector3::from(cloth.vertices[v as usize]));
            let third = (b - a).cross(&(c - a)).norm() * 0.5 * cloth.fabric.density / 3.0;
            for v in triangle.map(|v| v as usize) {
                energy.kinetic += 0.5 * third * Vector3::from(at.velocities[v]).norm_squared();
                energy.potential -= third * g.dot(&Vector3::from(at.positions[v]));
            }
        }
    }
    for (s, at) in state.solids.iter().enumerate() {
        for (v, m) in solids::vertex_masses(scene, s).into_iter().enumerate() {
            energy.kinetic += 0.5 * m * Vector3::from(at.velocities[v]).norm_squared();
            energy.potential -= m * g.dot(&Vector3::from(at.positions[v]));
        }
    }
    energy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_point_is_not_missed_by_what_leaves_out_others() {
        for (e, t) in [
            ([1.0, 1.0], [0.0, 0.0]),
            ([0.4, 0.3], [0.0, 0.0]),
            ([0.05, 0.1], [0.2, -0.3]),
            ([1.7, 1.4], [0.0, 0.0]),
        ] {
            let a = [0.7, 0.4, 1.1];
            let ovoid = Ovoid { a, e, t };
            // The middle, the axes and the planes of symmetry have the odd gradients.
            let axes = [0, 1, 2].map(|k| Vector3::ith(k, 0.9 * a[k]));
            let some = directions(12).map(|d| Vector3::from(a).component_mul(&d) * 0.6);
            let points = [Vector3::zeros(), axes[0], axes[1], axes[2]];
            for p in points.into_iter().chain(some) {
                let depth = ovoid.depth(&p);
                for share in [0.0, 0.5, 0.99, 1.0, 2.0] {
                    let over = ovoid.depth_over(&p, share * depth);
                    let want = depth * share.max(1.0);
                    assert!(
                        (over - want).abs() < 1e-6,
                        "{e:?} {p} {share}: {over} {want}"
                    );
                }
            }
            // Outside there is no depth.
            assert_eq!(ovoid.depth_over(&Vector3::from(a), 0.0), 0.0);
        }
    }

    #[test]
    fn the_depth_in_a_mesh_is_that_of_its_shape() {
        let ball = Superovoid::sphere(1.0).unwrap().tessellate(32);
        let vertices: Vec<[f64; 3]> = ball.vertices.iter().map(|&v| v.into()).collect();
        for p in directions(200) {
            let depth = |radius: f64| mesh_depth(&vertices, &ball.triangles, &(p * radius));
            assert_eq!(depth(1.01), 0.0);
            // The faces lie up to 1 − cos(π/32) and some inside the sphere.
            assert!((depth(0.7) - 0.3).abs() < 0.02, "{}", depth(0.7));
        }
    }
}

//! Bodies that follow a mesh: the last refinement, by exact distances both ways.
//!
//! The search minimises first-order distances from points of the mesh. A body may then still bulge where the
//! mesh has no points, and at corners the first-order distance is not the true one. So the best bodies are
//! refined to the least sum of
//!
//! ```text
//! mean d²(mesh → body) + mean d²(body → mesh)
//! ```
//!
//! with exact distances: from the mesh by [`superovoid::vertex_contact_batch`], from the body's points to the nearest
//! point of the mesh's triangles, each point of the body counted by the area around it.
//!
//! A body point is carried along by the unknowns. Its direction m, relative to the semi-axes, stays, and with the
//! gauge g of the untapered unit body it is, in the body's frame,
//!
//! ```text
//! s = m/g(m)        y = (a1 τx s1, a2 τy s2, a3 s3),   τ = 1 + t s3
//! ∂s/∂e = −s ∂ln g/∂e
//! ```
//!
//! Nearest points move along the surfaces too, but that does not change a distance to first order. So the derivative
//! of a body point's distance is that of u·y, with u the unit vector that comes from the mesh, and the one of a mesh
//! point's distance is that of −n·y, with y its foot on the body and n the normal there.

use crate::Mesh;
use crate::areas::areas;
use crate::body::{Body, NATURAL};
use crate::chart::{Chart, Line, Tapers, made_convex};
use crate::least_squares::{Residuals, minimise};
use crate::points::Cloud;
use crate::search::Candidate;
use nalgebra::{Matrix3, Point3, SVector, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use superovoid::{Contact, VertexOptions, vertex_contact_batch};

/// Points on the mesh, and segments around the body.
const SAMPLES: usize = 1000;
const SEGMENTS: usize = 40;
/// Runs of the solver, each with the body's points spread anew.
const ROUNDS: usize = 4;
const EVALUATIONS: usize = 12;
const TOLERANCE: f64 = 1e-7;

/// A mesh in the units of its cloud.
pub(crate) struct Followed {
    samples: Vec<Point3<f64>>,
    surface: TriMesh,
}

/// A point of the body.
struct Carried {
    direction: Vector3<f64>,
    /// Square root of its share of the area.
    weight: f64,
}

impl Followed {
    /// None for a mesh without triangles, which there is none of.
    pub fn new(mesh: &Mesh, cloud: &Cloud) -> Option<Followed> {
        let within = |p: &Point3<f64>| Point3::from((p.coords - cloud.center) / cloud.scale);
        let vertices = mesh.vertices().iter().map(|p| vector(&within(p))).collect();
        let triangles = mesh.triangles().to_vec();
        Some(Followed {
            samples: mesh.sample(SAMPLES).iter().map(within).collect(),
            surface: TriMesh::with_flags(vertices, triangles, TriMeshFlags::empty()).ok()?,
        })
    }

    /// The body near `start` of least error. Its loss is the error, the sum of both mean squares.
    pub fn refined(&self, start: &Body, tapers: Tapers, line: Option<Line>) -> Option<Candidate> {
        let mut body = *start;
        for _ in 0..ROUNDS {
            let chart = Chart::around(&body, tapers, line);
            let problem = BothWays::at(self, &body, chart)?;
            let start = chart.unknowns_of(&body);
            body = chart.body(&minimise(&problem, start, EVALUATIONS, TOLERANCE).unknowns);
        }
        if matches!(tapers, Tapers::ConvexEqual | Tapers::ConvexUnequal) {
            body = made_convex(&body);
        }
        let loss = self.loss(&body)?;
        Some(Candidate { body, loss })
    }

    fn loss(&self, body: &Body) -> Option<f64> {
        let chart = Chart::around(body, Tapers::Free, None);
        let problem = BothWays::at(self, body, chart)?;
        let mut squares = 0.0;
        problem.each(body, |_, residual, _| squares += residual * residual)?;
        Some(squares)
    }

    fn nearest(&self, point: &Point3<f64>) -> Point3<f64> {
        let surface = &self.surface;
        let nearest = surface.project_point(&Pose::IDENTITY, vector(point), false);
        Point3::new(nearest.point.x, nearest.point.y, nearest.point.z)
    }
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

struct BothWays<'a> {
    mesh: &'a Followed,
    carried: Vec<Carried>,
    chart: Chart,
}

impl<'a> BothWays<'a> {
    /// With the body's points spread as its surface is at `body`.
    fn at(mesh: &'a Followed, body: &Body, chart: Chart) -> Option<BothWays<'a>> {
        let surface = body.shape().ok()?.tessellate(SEGMENTS);
        let areas = areas(&surface);
        let total: f64 = areas.iter().sum();
        let carried = surface
            .vertices
            .iter()
            .zip(&areas)
            .map(|(y, area)| Carried {
                direction: body.relative(&y.coords),
                weight: (area / total).sqrt(),
            });
        Some(BothWays {
            mesh,
            carried: carried.collect(),
            chart,
        })
    }

    /// Calls `row` with every residual's index and value, and its derivative in the natural parameters; None where
    /// lengths leave the number range.
    fn each(
        &self,
        body: &Body,
        mut row: impl FnMut(usize, f64, SVector<f64, NATURAL>),
    ) -> Option<()> {
        let (shape, pose) = (body.shape().ok()?, body.pose());
        let samples = &self.mesh.samples;
        let mut contacts = vec![Contact::default(); samples.len()];
        let options = VertexOptions::default();
        vertex_contact_batch(&shape, &pose, samples, &mut contacts, &options).ok()?;
        let share = (samples.len() as f64).sqrt().recip();
        for (i, contact) in contacts.iter().enumerate() {
            let foot = body.relative(&body.local(&contact.point_a.coords));
            let normal = body.rotation.tr_mul(&contact.normal);
            let derivative = body.carry(&foot, &-normal);
            row(i, share * contact.distance, derivative * share);
        }
        for (i, point) in self.carried.iter().enumerate() {
            let at = Point3::from(body.rotation * body.surface(&point.direction) + body.center);
            let away = at - self.mesh.nearest(&at);
            let unit = away.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
            let derivative = body.carry(&point.direction, &body.rotation.tr_mul(&unit));
            let weight = point.weight;
            row(samples.len() + i, weight * away.norm(), derivative * weight);
        }
        Some(())
    }
}

impl Residuals for BothWays<'_> {
    fn count(&self) -> usize {
        self.mesh.samples.len() + self.carried.len()
    }

    fn evaluate(&self, unknowns: &[f64], residuals: &mut [f64], jacobian: &mut [f64]) {
        let (body, chain) = self.chart.body_and_derivatives(unknowns);
        let rows = self.count();
        let written = self.each(&body, |i, value, natural| {
            residuals[i] = value;
            for k in 0..unknowns.len() {
                jacobian[k * rows + i] = natural.dot(&chain.fixed_view::<NATURAL, 1>(0, k));
            }
        });
        if written.is_none() {
            // Ends the run; the best so far stays.
            residuals.fill(f64::INFINITY);
        }
    }
}

impl Body {
    /// The untapered body of semi-axes 1.
    fn unit(&self) -> Body {
        Body {
            a: [1.0; 3],
            t: [0.0; 2],
            rotation: Matrix3::identity(),
            center: Vector3::zeros(),
            ..*self
        }
    }

    /// s of a surface point in the body's frame.
    fn relative(&self, y: &Vector3<f64>) -> Vector3<f64> {
        let zeta = (y.z / self.a[2]).clamp(-1.0, 1.0);
        let tau = self.t.map(|t| 1.0 + t * zeta);
        Vector3::new(y.x / (self.a[0] * tau[0]), y.y / (self.a[1] * tau[1]), zeta)
    }

    /// s of a direction.
    fn on_unit(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        direction * (-self.unit().gauge(direction).ln).exp()
    }

    /// The surface point of a direction, in the body's frame.
    fn surface(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        let s = self.on_unit(direction);
        Vector3::new(
            self.a[0] * (1.0 + self.t[0] * s.z) * s.x,
            self.a[1] * (1.0 + self.t[1] * s.z) * s.y,
            self.a[2] * s.z,
        )
    }

    /// Derivative of u·y in the natural parameters, y the surface point of a direction.
    fn carry(&self, direction: &Vector3<f64>, u: &Vector3<f64>) -> SVector<f64, NATURAL> {
        let [a1, a2, _] = self.a;
        let s = self.on_unit(direction);
        let y = self.surface(direction);
        let tau = self.t.map(|t| 1.0 + t * s.z);
        // u·∂y/∂s · s: along the ray through s.
        let outwards = u.x * a1 * (tau[0] + self.t[0] * s.z) * s.x
            + u.y * a2 * (tau[1] + self.t[1] * s.z) * s.y
            + u.z * y.z;
        let gauge = self.unit().gauge(direction).natural;
        let turn = y.cross(u);
        SVector::from([
            u.x * y.x,
            u.y * y.y,
            u.z * y.z,
            -outwards * gauge[3],
            -outwards * gauge[4],
            u.x * a1 * s.z * s.x,
            u.y * a2 * s.z * s.y,
            turn.x,
            turn.y,
            turn.z,
            u.x,
            u.y,
            u.z,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;
    use superovoid::Superovoid;

    fn body() -> Body {
        Body {
            a: [0.7, 1.3, 0.9],
            e: [0.6, 0.8],
            t: [0.3, 0.3],
            rotation: *Rotation3::from_euler_angles(0.3, -0.5, 1.1).matrix(),
            center: Vector3::new(0.1, -0.2, 0.3),
        }
    }

    fn brick() -> Followed {
        let brick = Superovoid::superellipsoid([1.3, 0.8, 0.9], [0.1, 0.1]).unwrap();
        let mesh = Mesh::try_from(brick.tessellate(16)).unwrap();
        let cloud = Cloud {
            points: Vec::new(),
            center: Vector3::zeros(),
            scale: 1.0,
            axes: Matrix3::identity(),
        };
        Followed::new(&mesh, &cloud).unwrap()
    }

    #[test]
    fn a_surface_point_has_a_gauge_of_1_and_its_direction_back() {
        let body = body();
        let direction = Vector3::new(0.3, -0.8, 0.4);
        let y = body.surface(&direction);
        let at = body.rotation * y + body.center;
        assert!(body.gauge(&at).ln.abs() < 1e-14);
        let back = body.relative(&y);
        assert!((back - body.on_unit(&direction)).norm() < 1e-14);
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let mesh = brick();
        let chart = Chart::around(&body(), Tapers::Free, None);
        let problem = BothWays::at(&mesh, &body(), chart).unwrap();
        let x = chart.unknowns_of(&body());
        let rows = problem.count();
        let at = |x: &[f64]| {
            let (mut r, mut j) = (vec![0.0; rows], vec![0.0; rows * x.len()]);
            problem.evaluate(x, &mut r, &mut j);
            (r, j)
        };
        let jacobian = at(&x).1;
        for k in 0..x.len() {
            const H: f64 = 1e-6;
            let moved = |h: f64| {
                let mut y = x.clone();
                y[k] += h;
                at(&y).0
            };
            let (ahead, behind) = (moved(H), moved(-H));
            // Some points pass from one nearest triangle to another, or through the surface.
            let off = |i: &usize| {
                let difference = (ahead[*i] - behind[*i]) / (2.0 * H);
                (difference - jacobian[k * rows + i]).abs() > 1e-6
            };
            let wrong = (0..rows).filter(off).count();
            assert!(wrong * 100 < rows, "{k}: {wrong} of {rows}");
        }
    }

    #[test]
    fn a_body_near_the_mesh_comes_nearer() {
        let mesh = brick();
        let before = mesh.loss(&body()).unwrap();
        let after = mesh.refined(&body(), Tapers::ConvexEqual, None).unwrap();
        assert!(after.loss < 0.01 * before, "{before} {}", after.loss);
    }
}

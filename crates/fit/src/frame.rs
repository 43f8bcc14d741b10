//! The frame of a shape's own, so that the same shape gets the same fit wherever it lies, whatever its size and hand.
//!
//! In it the shape has its centre of area at 0, a root mean square distance of 1 from there, and axes that only depend on
//! the shape. What is fitted are the coordinates in this frame, rounded to a grid and put in order: of the same shape they
//! are the same to the bit, and so is all that is done with them.
//!
//! The axes come from the second moments `M = ∫ p pᵀ` where their eigenvalues differ. An axis may then point either way.
//! Where two or all three eigenvalues are the same, as those of prisms, cubes and balls are, the points farthest from the
//! axis (or from the centre) take the place of the eigenvectors. All this gives a set of frames, left-handed ones among
//! them, that moves with the shape. Of these the one counts that makes
//!
//! ```text
//! K(R) = Σ_k T_k(R c_k),   T_k(v) = ∫ (p·v)^k,   k = 3 to 6
//! ```
//!
//! least, with constant vectors c_k of no symmetry. Frames with the same K show the same shape, but for shapes that differ in
//! higher moments only, or in how a symmetric shape is cut into triangles. T_k is a sum over the moments of degree k, so that
//! K takes no pass over the points; of the frames with the same K short waves decide, summed over the triangles (or over the
//! corners, where the hull is fitted).

use crate::body::Body;
use crate::bounding::{Side, settled_with};
use crate::fit_options::{Aim, Axis, FitOptions};
use crate::hull::before;
use crate::{FitError, Mesh};
use nalgebra::{
    Isometry3, Matrix3, Point3, Rotation3, SymmetricEigen, Translation3, Unit, UnitQuaternion,
    Vector3,
};
use superovoid::Superovoid;

/// Steps of the grid in a unit of length: 1e-9 is far above rounding, and far below what matters.
const STEPS: f64 = (1u64 << 30) as f64;
/// Eigenvalues that differ by less than this part of the largest count as the same.
const SAME: f64 = 1e-4;
/// Distances that differ by less than this part count as the same.
const AS_FAR: f64 = 1e-6;
/// Values of K that differ by less than this are the same.
const ROUNDING: f64 = 1e-9;
/// Over how many frames times points waves are summed at most: of shapes of hundreds of sides moments are enough.
const WAVES: usize = 4_000_000;
/// The vectors c_k.
const GENERIC: [[f64; 3]; 4] = [
    [0.61, 0.47, 0.34],
    [0.23, 0.71, 0.53],
    [0.83, 0.31, 0.43],
    [0.37, 0.59, 0.79],
];
const DEGREES: [usize; 4] = [3, 4, 5, 6];

/// A frame with a scale.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    center: Vector3<f64>,
    scale: f64,
    /// As columns; a reflection for shapes of the other hand.
    axes: Matrix3<f64>,
}

/// Points that count with a weight.
type Weighted = (Vector3<f64>, f64);

impl Frame {
    /// The frame of points, and of the axis that a fit is asked for.
    pub fn of_points(points: &[Point3<f64>], options: &FitOptions) -> Result<Frame, FitError> {
        let unit = Unitary::of(points)?;
        let points: Vec<Vector3<f64>> = points.iter().map(|p| unit.within(p)).collect();
        let nodes: Vec<Weighted> = points.iter().map(|p| (*p, 1.0)).collect();
        Ok(unit.frame(nodes.clone(), points, nodes, options.axis, &[]))
    }

    /// The frame of the surface of a mesh, however it is cut into triangles; with the axis that a fit is asked for, and bodies
    /// that go with the mesh.
    pub fn of_mesh(mesh: &Mesh, options: &FitOptions, bodies: &[Body]) -> Result<Frame, FitError> {
        let details = (0..mesh.triangles().len()).map(|k| {
            let [a, b, c] = mesh.corners(k);
            let area = 0.5 * (b - a).cross(&(c - a)).norm();
            (Point3::from((a.coords + b.coords + c.coords) / 3.0), area)
        });
        Frame::of_surface(mesh, details, options.axis, bodies)
    }

    /// The frame of the hull of a mesh; with the axis that a fit is asked for.
    pub fn of_hull(hull: &Mesh, mesh: &Mesh, options: &FitOptions) -> Result<Frame, FitError> {
        let details = mesh.vertices().iter().map(|p| (*p, 1.0));
        Frame::of_surface(hull, details, options.axis, &[])
    }

    fn of_surface(
        mesh: &Mesh,
        details: impl Iterator<Item = (Point3<f64>, f64)>,
        axis: Option<Axis>,
        bodies: &[Body],
    ) -> Result<Frame, FitError> {
        let unit = Unitary::of(mesh.vertices())?;
        let corners = |k: usize| mesh.corners(k).map(|p| unit.within(&p));
        let nodes = (0..mesh.triangles().len()).flat_map(|k| nodes_of(&corners(k)));
        let features = mesh.vertices().iter().map(|p| unit.within(p));
        let details = details.map(|(p, weight)| (unit.within(&p), weight));
        Ok(unit.frame(
            nodes.collect(),
            features.collect(),
            details.collect(),
            axis,
            bodies,
        ))
    }

    fn within(&self, p: &Point3<f64>) -> Point3<f64> {
        Point3::from(rounded(
            &(self.axes.tr_mul(&(p.coords - self.center)) / self.scale),
        ))
    }

    /// Points in this frame, in order.
    pub fn points(&self, points: &[Point3<f64>]) -> Vec<Point3<f64>> {
        let mut points: Vec<Point3<f64>> = points.iter().map(|p| self.within(p)).collect();
        points.sort_by(before);
        points
    }

    /// A mesh in this frame, its vertices and triangles in order.
    pub fn mesh(&self, mesh: &Mesh) -> Result<Mesh, FitError> {
        let placed: Vec<Point3<f64>> = mesh.vertices().iter().map(|p| self.within(p)).collect();
        let mut order: Vec<u32> = (0..placed.len() as u32).collect();
        order.sort_by(|&i, &j| before(&placed[i as usize], &placed[j as usize]));
        let mut place = vec![0; placed.len()];
        for (k, &i) in order.iter().enumerate() {
            place[i as usize] = k as u32;
        }
        let vertices = order.iter().map(|&i| placed[i as usize]).collect();
        let triangles = mesh.triangles().iter().map(|t| {
            let [a, b, c] = self.facing(t.map(|v| place[v as usize]));
            [[a, b, c], [b, c, a], [c, a, b]]
                .into_iter()
                .min()
                .unwrap_or([a, b, c])
        });
        let mut triangles: Vec<[u32; 3]> = triangles.collect();
        triangles.sort_unstable();
        Mesh::new(vertices, triangles).map_err(|_| FitError::Flat)
    }

    /// A triangle that keeps its outside.
    fn facing(&self, [a, b, c]: [u32; 3]) -> [u32; 3] {
        if self.is_mirror() {
            [a, c, b]
        } else {
            [a, b, c]
        }
    }

    fn is_mirror(&self) -> bool {
        self.axes.determinant() < 0.0
    }

    /// The axis that a fit is asked for, in this frame; an error where it is none.
    pub fn axis(&self, options: &FitOptions) -> Result<Option<Axis>, FitError> {
        let Some(axis) = options.axis else {
            return Ok(None);
        };
        let unit = (axis.direction.norm() - 1.0).abs() < 1e-6;
        let finite = |p: Point3<f64>| p.iter().all(|x| x.is_finite());
        if !unit || !axis.through.is_none_or(finite) {
            return Err(FitError::Axis);
        }
        let along = rounded(&self.axes.tr_mul(&axis.direction));
        // Either direction of an axis is the same axis.
        let way = along.dot(&Vector3::from(GENERIC[0])).signum();
        let foot = |p| Point3::from(self.foot(&axis.direction, &p) + self.center);
        Ok(Some(Axis {
            direction: Unit::new_normalize(along * way),
            through: axis.through.map(|p| self.within(&foot(p))),
        }))
    }

    /// The point of an axis nearest to the centre, from there.
    fn foot(&self, direction: &Vector3<f64>, through: &Point3<f64>) -> Vector3<f64> {
        let off = through.coords - self.center;
        off - direction * direction.dot(&off)
    }

    /// A body as it is seen in this frame; which way its axes point does not depend on how it is given.
    pub fn body(&self, body: &Body) -> Body {
        let generic = Vector3::from(GENERIC[0]);
        let axes = self.axes.tr_mul(&body.rotation);
        let way = |k: usize| axes.column(k).dot(&generic).signum();
        let x = rounded(&(axes.column(0) * way(0)));
        let z = rounded(&(axes.column(2) * way(2))).normalize();
        let x = (x - z * z.dot(&x)).normalize();
        Body {
            a: body.a.map(|a| round(a / self.scale)),
            e: body.e,
            t: body.t.map(|t| t * way(2)),
            rotation: Matrix3::from_columns(&[x, z.cross(&x), z]),
            center: self.within(&Point3::from(body.center)).coords,
        }
    }

    /// A slack within this frame, and by how much the grid and rounding move a point, in the units of the shape.
    pub fn slack(&self, within: f64) -> f64 {
        self.scale * (within + 1.0 / STEPS) + 32.0 * f64::EPSILON * self.center.norm()
    }

    /// A mesh from this frame.
    pub fn mesh_from(&self, mesh: &Mesh) -> Result<Mesh, FitError> {
        let vertices = mesh.vertices().iter().map(|p| self.point_from(p)).collect();
        let triangles = mesh.triangles().iter().map(|t| self.facing(*t)).collect();
        Mesh::new(vertices, triangles).map_err(|_| FitError::Flat)
    }

    pub fn point_from(&self, p: &Point3<f64>) -> Point3<f64> {
        Point3::from(self.axes * p.coords * self.scale + self.center)
    }

    /// A body from this frame.
    pub fn body_from(&self, body: &Body) -> Result<(Superovoid, Isometry3<f64>), FitError> {
        let mut rotation = self.axes * body.rotation;
        if self.is_mirror() {
            // A superovoid is its own mirror image along x.
            rotation.column_mut(0).neg_mut();
        }
        let body = Body {
            a: body.a.map(|a| a * self.scale),
            rotation,
            center: self.axes * body.center * self.scale + self.center,
            ..*body
        };
        let shape = body.shape().map_err(|_| FitError::NotFound)?;
        Ok((shape, body.pose()))
    }

    /// A body from this frame, which keeps to the axis and to its side of the points as they were given, known to within
    /// `slack`.
    pub fn kept_from(
        &self,
        shape: &Superovoid,
        pose: &Isometry3<f64>,
        options: &FitOptions,
        kept: &[Point3<f64>],
        slack: f64,
    ) -> Result<(Superovoid, Isometry3<f64>), FitError> {
        let (shape, mut pose) = self.body_from(&Body::of(shape, pose))?;
        if let Some(axis) = options.axis {
            pose = on_axis(&pose, &axis);
        }
        let side = match options.aim {
            Aim::Best => return Ok((shape, pose)),
            Aim::Enclosing => Side::Inside,
            Aim::Inscribed => Side::Outside,
        };
        let shape = settled_with(&shape, &pose, kept, side, slack);
        Ok((shape.ok_or(FitError::NotFound)?, pose))
    }
}

/// The pose with its z axis on an axis that it is already on, but for rounding.
fn on_axis(pose: &Isometry3<f64>, axis: &Axis) -> Isometry3<f64> {
    let z = pose * Vector3::z();
    let direction = axis.direction.into_inner() * z.dot(&axis.direction).signum();
    let turn = shortest_turn(&z, &direction);
    let mut center = pose.translation.vector;
    if let Some(through) = axis.through {
        center = through.coords + direction * direction.dot(&(center - through.coords));
    }
    let turn = UnitQuaternion::from_rotation_matrix(&turn);
    Isometry3::from_parts(Translation3::from(center), turn * pose.rotation)
}

/// The shortest turn between directions that are not opposite. By the sine and the cosine of the angle: of two directions that
/// are nearly the same the cosine alone may come out larger than 1.
pub(crate) fn shortest_turn(from: &Vector3<f64>, to: &Vector3<f64>) -> Rotation3<f64> {
    let cross = from.cross(to);
    let angle = cross.norm().atan2(from.dot(to));
    Unit::try_new(cross, 0.0).map_or_else(Rotation3::identity, |axis| {
        Rotation3::from_axis_angle(&axis, angle)
    })
}

/// Adding 0 makes one of the two zeros.
fn round(x: f64) -> f64 {
    (x * STEPS).round() / STEPS + 0.0
}

fn rounded(v: &Vector3<f64>) -> Vector3<f64> {
    v.map(round)
}

/// The box about points, in units of which nothing overflows.
struct Unitary {
    middle: Vector3<f64>,
    half: f64,
}

impl Unitary {
    fn of(points: &[Point3<f64>]) -> Result<Unitary, FitError> {
        let largest = points.iter().map(|p| p.coords.amax()).fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(FitError::OnePlace);
        }
        if !(1e-150..1e150).contains(&largest) {
            return Err(FitError::Size { largest });
        }
        let far = Vector3::repeat(f64::INFINITY);
        let (low, high) = points.iter().fold((far, -far), |(low, high), p| {
            (low.inf(&p.coords), high.sup(&p.coords))
        });
        let half = 0.5 * (high - low).amax();
        if half <= 1e-12 * largest {
            return Err(FitError::OnePlace);
        }
        let middle = 0.5 * (low + high);
        Ok(Unitary { middle, half })
    }

    fn within(&self, p: &Point3<f64>) -> Vector3<f64> {
        (p.coords - self.middle) / self.half
    }

    /// The frame from the nodes that stand for the shape, from points of it, and from points that tell frames apart in which
    /// the shape is the same; all in the units of the box.
    fn frame(
        &self,
        mut nodes: Vec<Weighted>,
        mut features: Vec<Vector3<f64>>,
        mut details: Vec<Weighted>,
        axis: Option<Axis>,
        bodies: &[Body],
    ) -> Frame {
        let total: f64 = nodes.iter().map(|(_, w)| w).sum();
        let center = nodes.iter().map(|(p, w)| p * *w).sum::<Vector3<f64>>() / total;
        let squares = |(p, w): &Weighted| w * (p - center).norm_squared();
        let spread = (nodes.iter().map(squares).sum::<f64>() / total).sqrt();
        let all: f64 = details.iter().map(|(_, w)| w).sum();
        let centered = |(p, w): &mut Weighted, total: f64| {
            (*p, *w) = ((*p - center) / spread, *w / total);
        };
        nodes.iter_mut().for_each(|node| centered(node, total));
        details.iter_mut().for_each(|node| centered(node, all));
        features
            .iter_mut()
            .for_each(|p| *p = (*p - center) / spread);
        let mut frame = Frame {
            center: self.middle + center * self.half,
            scale: spread * self.half,
            axes: Matrix3::identity(),
        };
        let moments = Moments::of(&nodes);
        let marks = Moments::of(&frame.marks(axis, bodies));
        let along = |axes: &Matrix3<f64>| GENERIC.map(|c| axes * Vector3::from(c));
        let all = frames(&nodes, &features, &moments);
        let alike = of_least(all, |axes| {
            moments.at(&along(axes)) + marks.at(&along(axes))
        });
        let alike = if alike.len() * details.len() <= WAVES {
            of_least(alike, |axes| waves(&details, axes))
        } else {
            let moments = Moments::of(&details);
            of_least(alike, |axes| moments.at(&along(axes)))
        };
        frame.axes = alike.first().copied().unwrap_or_else(Matrix3::identity);
        frame
    }
}

/// The frames of which a value is least, but for rounding.
fn of_least(frames: Vec<Matrix3<f64>>, value: impl Fn(&Matrix3<f64>) -> f64) -> Vec<Matrix3<f64>> {
    let values: Vec<f64> = frames.iter().map(value).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = least + ROUNDING * least.abs().max(1.0);
    let kept = frames.iter().zip(&values).filter(|(_, k)| **k <= most);
    kept.map(|(axes, _)| *axes).collect()
}

/// Waves of the four directions and several lengths, summed over points. Of these frames tell shapes apart that have the
/// same moments, as those with seven or more sides may, down to details of some hundredth of the size.
fn waves(points: &[Weighted], axes: &Matrix3<f64>) -> f64 {
    let wave = |c: [f64; 3], number: f64| {
        let along = axes * Vector3::from(c) * number;
        let at = |(p, weight): &Weighted| weight * (along.dot(p) + number).sin();
        points.iter().map(at).sum::<f64>()
    };
    let numbers = [8.0, 20.0, 50.0, 125.0];
    GENERIC
        .into_iter()
        .zip(numbers)
        .map(|(c, number)| wave(c, number))
        .sum()
}

impl Frame {
    /// Points that tell an axis and bodies apart from what the shape's symmetries make of them, before the axes are known.
    fn marks(&self, axis: Option<Axis>, bodies: &[Body]) -> Vec<Weighted> {
        let mut marks = Vec::new();
        if let Some(axis) = axis {
            marks.extend([-1.0, 1.0].map(|way| (axis.direction.into_inner() * way, 1.0)));
            let foot = axis.through.map(|p| self.foot(&axis.direction, &p));
            marks.extend(foot.map(|foot| (foot / self.scale, 1.0)));
        }
        for body in bodies {
            let center = (body.center - self.center) / self.scale;
            let edges = 1.0 + 0.3 * body.e[0] + 0.1 * body.e[1];
            for k in 0..3 {
                let end = body.rotation.column(k) * (body.a[k] / self.scale);
                let lean = 0.2 * body.t[0] + 0.1 * body.t[1];
                let lean = if k == 2 { lean } else { 0.0 };
                marks.extend(
                    [-1.0, 1.0].map(|way| (center + end * way, edges * (1.0 + way * lean))),
                );
            }
        }
        marks
    }
}

/// Points and weights for which the integral of every polynomial of degree 6 over a triangle is exact (Dunavant, "High
/// degree efficient symmetrical Gaussian quadrature rules for the triangle", 1985).
fn nodes_of([a, b, c]: &[Vector3<f64>; 3]) -> [Weighted; 12] {
    const TWICE: [[f64; 3]; 2] = [
        [
            0.249_286_745_170_910_4,
            0.501_426_509_658_179_1,
            0.116_786_275_726_379_4,
        ],
        [
            0.063_089_014_491_502_2,
            0.873_821_971_016_995_5,
            0.050_844_906_370_206_8,
        ],
    ];
    const ONCE: [f64; 4] = [
        0.053_145_049_844_816_9,
        0.310_352_451_033_784_4,
        0.636_502_499_121_398_7,
        0.082_851_075_618_373_6,
    ];
    let area = 0.5 * (b - a).cross(&(c - a)).norm();
    let node = |[u, v, w]: [f64; 3], weight: f64| (a * u + b * v + c * w, weight * area);
    let [[p, q, w], [r, s, x]] = TWICE;
    let [d, e, f, y] = ONCE;
    [
        node([p, p, q], w),
        node([p, q, p], w),
        node([q, p, p], w),
        node([r, r, s], x),
        node([r, s, r], x),
        node([s, r, r], x),
        node([d, e, f], y),
        node([d, f, e], y),
        node([e, d, f], y),
        node([e, f, d], y),
        node([f, d, e], y),
        node([f, e, d], y),
    ]
}

/// The moments of the degrees of K, each times how often it occurs in T_k.
struct Moments(Vec<(usize, [i32; 3], f64)>);

impl Moments {
    fn of(nodes: &[Weighted]) -> Moments {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let mut terms = Vec::new();
        for (which, degree) in DEGREES.into_iter().enumerate() {
            for i in 0..=degree {
                for j in 0..=degree - i {
                    let k = degree - i - j;
                    let often = factorial(degree) / (factorial(i) * factorial(j) * factorial(k));
                    terms.push((which, [i as i32, j as i32, k as i32], often));
                }
            }
        }
        let mut sums = vec![0.0; terms.len()];
        for (p, weight) in nodes {
            let powers = [0, 1, 2].map(|axis| {
                let mut powers = [1.0; 7];
                (1..7).for_each(|n| powers[n] = powers[n - 1] * p[axis]);
                powers
            });
            for ((_, [i, j, k], _), sum) in terms.iter().zip(&mut sums) {
                let [i, j, k] = [*i, *j, *k].map(|n| n as usize);
                *sum += weight * powers[0][i] * powers[1][j] * powers[2][k];
            }
        }
        for (term, sum) in terms.iter_mut().zip(sums) {
            term.2 *= sum;
        }
        Moments(terms)
    }

    /// Σ T_k(v_k).
    fn at(&self, along: &[Vector3<f64>; 4]) -> f64 {
        let term = |(which, powers, moment): &(usize, [i32; 3], f64)| {
            let v = &along[*which];
            moment * v.x.powi(powers[0]) * v.y.powi(powers[1]) * v.z.powi(powers[2])
        };
        self.0.iter().map(term).sum()
    }
}

/// Frames that move with the shape.
fn frames(nodes: &[Weighted], features: &[Vector3<f64>], moments: &Moments) -> Vec<Matrix3<f64>> {
    let second = nodes
        .iter()
        .map(|(p, w)| p * p.transpose() * *w)
        .sum::<Matrix3<f64>>();
    let eigen = SymmetricEigen::new(second);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
    let [long, middle, short] = order.map(|k| eigen.eigenvalues[k]);
    let axis = |k: usize| eigen.eigenvectors.column(order[k]).into_owned();
    let same = |p: f64, q: f64| p - q <= SAME * long;
    let both = [-1.0, 1.0];
    match (same(long, middle), same(middle, short)) {
        (false, false) => {
            let ways = both.map(|x| both.map(|y| both.map(|z| [x, y, z])));
            let ways = ways.into_iter().flatten().flatten();
            ways.map(|[x, y, z]| Matrix3::from_columns(&[axis(0) * x, axis(1) * y, axis(2) * z]))
                .collect()
        }
        (true, true) => {
            let z = distinguished(farthest(features, &Vector3::zeros()), moments);
            let frames = z.iter().flat_map(|z| {
                let x = farthest(features, z);
                x.into_iter().flat_map(|x| about(x, z))
            });
            frames.collect()
        }
        (alike, _) => {
            let z = axis(if alike { 2 } else { 0 });
            let x = distinguished(farthest(features, &z), moments);
            let frames = both.map(|way| x.iter().flat_map(move |x| about(*x, &(z * way))));
            frames.into_iter().flatten().collect()
        }
    }
}

/// The frames with an x axis and a z axis.
fn about(x: Vector3<f64>, z: &Vector3<f64>) -> [Matrix3<f64>; 2] {
    let y = z.cross(&x);
    [-1.0, 1.0].map(|way| Matrix3::from_columns(&[x, y * way, *z]))
}

/// Directions of the points farthest from the line through the centre along `z`, or from the centre where `z` is 0.
fn farthest(points: &[Vector3<f64>], z: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let off = |p: &Vector3<f64>| p - z * z.dot(p);
    let largest = points.iter().map(|p| off(p).norm()).fold(0.0, f64::max);
    if largest < AS_FAR {
        // Points on a line are refused later.
        let other = Vector3::ith(z.iamin(), 1.0);
        return vec![off(&other).normalize()];
    }
    let far = points.iter().map(off);
    let far = far.filter(|p| p.norm() >= (1.0 - AS_FAR) * largest);
    // Once more: the part along z of a point far along it leaves a little behind.
    far.map(|p| off(&p).normalize()).collect()
}

/// Those of some directions that the moments tell from the others.
fn distinguished(directions: Vec<Vector3<f64>>, moments: &Moments) -> Vec<Vector3<f64>> {
    let values: Vec<f64> = directions.iter().map(|v| moments.at(&[*v; 4])).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = most - AS_FAR * most.abs().max(1.0);
    let kept = directions.iter().zip(&values).filter(|(_, x)| **x >= least);
    kept.map(|(v, _)| *v).collect()
}

#[cfg(test)]
#[path = "../tests/fits/same_shape/shapes.rs"]
mod shapes;
#[cfg(test)]
#[path = "../tests/fits/same_shape/way.rs"]
mod way;

#[cfg(test)]
mod tests {
    use super::{shapes, way::Way, *};

    /// So that the fits to them are the same too. One of the 200 has a coordinate that lies on an edge of the grid to within
    /// rounding: its points may be off by a step.
    #[test]
    fn two_hundred_meshes_in_twenty_frames_are_the_same_in_their_own() {
        let options = FitOptions::default();
        let mut off = 0;
        for (name, mesh) in shapes::all() {
            let within = |mesh: &Mesh| {
                let of_hull = Frame::of_hull(&mesh.hull().unwrap(), mesh, &options).unwrap();
                let of_mesh = Frame::of_mesh(mesh, &options, &[]).unwrap();
                let points = of_hull.points(mesh.vertices());
                (points, of_mesh.mesh(mesh).unwrap())
            };
            let first = within(&mesh);
            let mut differ = false;
            for seed in 0..20 {
                let again = within(&Way::new(seed).mesh(&mesh));
                differ |= again != first;
                let pairs = [
                    (&first.0, &again.0),
                    (&middles(&first.1), &middles(&again.1)),
                ];
                for (before, after) in pairs {
                    let near =
                        |p: &Point3<f64>| before.iter().any(|q| (p - q).amax() < 2.0 / STEPS);
                    assert!(after.iter().all(near), "{name} {seed}");
                }
            }
            off += usize::from(differ);
        }
        assert!(off < 2);
    }

    /// Two heptagons, one a little turned against the other: its moments are those of its mirror image.
    #[test]
    fn points_with_seven_sides_are_told_from_their_mirror_image() {
        let ring = |z: f64, turn: f64| {
            let angle = move |k: usize| turn + std::f64::consts::TAU * k as f64 / 7.0;
            (0..7).map(move |k| Point3::new(angle(k).cos(), angle(k).sin(), z))
        };
        let points: Vec<Point3<f64>> = ring(-0.9, 0.0).chain(ring(0.9, 0.12)).collect();
        let options = FitOptions::default();
        let within = |points: &[Point3<f64>]| {
            let frame = Frame::of_points(points, &options).unwrap();
            frame.points(points)
        };
        let first = within(&points);
        for seed in 0..20 {
            let mut way = Way::new(seed);
            let moved = points.iter().map(|p| way.point(p)).collect();
            assert!(within(&way.shuffled(moved)) == first, "{seed}");
        }
    }

    fn middles(mesh: &Mesh) -> Vec<Point3<f64>> {
        let middle = |k| {
            mesh.corners(k)
                .iter()
                .map(|p| p.coords / 3.0)
                .sum::<Vector3<f64>>()
        };
        let middles = (0..mesh.triangles().len()).map(|k| Point3::from(middle(k)));
        middles.collect()
    }
}

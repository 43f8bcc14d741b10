//! A walker: a superellipsoid that stands upright on the frozen mesh, on any part of it and below others.
//!
//! The walker only shifts, never tilts, and its sections are round. The exact query gives for each triangle within a margin
//! m the unit normal n from the walker to it. With h the support function of the walker at p, and the corners x_i,
//!
//! ```text
//! g = min n·x_i − n·p − h(n)
//! ```
//!
//! and after a shift s the walker is still at least g − n·s away from that triangle, and m − |s| from all others. So a
//! shift with n·s ≤ g − c for every triangle near by and |s| ≤ m − c keeps the distance c from the whole mesh, however
//! thin and folded it is: nothing is passed through. Gravity, slopes and steps only choose the wanted shift, which is then
//! brought within these bounds by projecting on them in turn, and at last, for half of c, by shortening it.
//!
//! A walker stands on triangles of 45° or less that it touches from above, and on the edge of one if the edge is no higher
//! over its foot than a step: such an edge meets the flank of the walker, whose normal there says nothing of the ground.

use crate::error::{TerrainError, finite};
use crate::ground::Ground;
use crate::limits::{HALF, SCALE};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::bvh::tree_contacts;
use superovoid::{QueryOptions, Superovoid};

/// The semi-axes of the walker, metres.
pub const WALKER: [f64; 3] = [0.3, 0.3, 0.85];
/// The exponents of the walker: round from above, upright in profile.
const EXPONENTS: [f64; 2] = [1.0, 0.7];
/// The greatest height of a step that the walker takes, metres.
pub const STEP_HEIGHT: f64 = 0.35;
/// The cosine of the steepest slope on which the walker stands, 45°.
pub const SLOPE: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// The greatest speed of walking, m/s.
const FASTEST: f64 = 6.0;
/// The longest step of time, seconds.
const LONGEST: f64 = 0.1;
/// The gravity, m/s², and the greatest speed of falling, m/s.
const GRAVITY: f64 = 9.81;
const FALLING: f64 = 20.0;
/// The distance c that the walker keeps from the mesh, metres.
const KEPT: f64 = 0.01;
/// The longest shift that is looked at as a whole, metres.
const SHIFT: f64 = 0.08;
/// What is nearer than this below the walker carries it, metres.
const CARRIES: f64 = 3.0 * KEPT;
/// The least cosine between the vertical and the normal at an edge that carries.
const EDGE: f64 = 0.05;
/// Walls are met at the same place if the cosine between their normals is above this.
const SAME: f64 = 1.0 - 1e-6;
/// How far from the middle the walker gets, metres.
const FAR: f64 = 2.0 * HALF * SCALE;

/// Where a walker is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The centre, metres.
    pub position: [f64; 3],
    /// The angle about the vertical of where it looks, radians; 0 is along x.
    pub heading: f64,
}

/// A walker on a frozen ground.
#[derive(Clone)]
pub struct Walker {
    ground: Ground,
    shape: Superovoid,
    p: Vector3<f64>,
    heading: f64,
    /// The speed of falling, m/s.
    falling: f64,
    on_ground: bool,
}

/// A half-space that holds a triangle near by: the unit normal towards it, and how far away it is.
#[derive(Clone, Copy)]
struct Wall {
    n: Vector3<f64>,
    g: f64,
    /// Whether the walker stands on it.
    carries: bool,
}

impl Walker {
    /// A walker on top of the middle of the ground.
    ///
    /// # Errors
    /// There is no room, which does not happen.
    pub fn new(ground: &Ground) -> Result<Self, TerrainError> {
        let top = ground.vertices().iter().map(|x| x.z).fold(0.0, f64::max);
        let mut walker = Walker::at(ground, [0.0, 0.0, top + WALKER[2] + 2.0 * KEPT], 0.0)?;
        walker.lower(top + 1.0);
        walker.on_ground = walker.stands();
        Ok(walker)
    }

    /// A walker at a place, in the air or on the ground.
    ///
    /// # Errors
    /// A number is not finite, or the walker does not fit there or is too far away.
    pub fn at(ground: &Ground, position: [f64; 3], heading: f64) -> Result<Self, TerrainError> {
        finite("the place of a walker", &position)?;
        finite("the heading of a walker", &[heading])?;
        let shape = Superovoid::superellipsoid(WALKER, EXPONENTS);
        let mut walker = Walker {
            ground: ground.clone(),
            shape: shape.map_err(|error| TerrainError::Scene(error.to_string()))?,
            p: position.into(),
            heading,
            falling: 0.0,
            on_ground: false,
        };
        if walker.p.amax() > FAR {
            return Err(TerrainError::NoRoom);
        }
        let walls = walker.walls(KEPT).ok_or(TerrainError::NoRoom)?;
        if walls.iter().any(|wall| wall.g < 0.5 * KEPT) {
            return Err(TerrainError::NoRoom);
        }
        walker.on_ground = walker.stands();
        Ok(walker)
    }

    /// Returns where the walker is.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.p.into(),
            heading: self.heading,
        }
    }

    /// Returns the shape of the walker.
    pub fn shape(&self) -> &Superovoid {
        &self.shape
    }

    /// Whether something carries the walker.
    pub fn on_ground(&self) -> bool {
        self.on_ground
    }

    /// Advances by a time of at most 0.1 s: walks at the speed `forward`, m/s, within ±6, and turns at the speed `turn`,
    /// rad/s.
    ///
    /// # Errors
    /// A number is not finite, or the time is negative; then nothing is changed.
    pub fn step(&mut self, time: f64, forward: f64, turn: f64) -> Result<(), TerrainError> {
        finite(
            "the time, the speed or the turn of a walker",
            &[time, forward, turn],
        )?;
        if time < 0.0 {
            return Err(TerrainError::Negative("the time of a walker"));
        }
        let time = time.min(LONGEST);
        self.heading = (self.heading + turn * time) % std::f64::consts::TAU;
        let (sin, cos) = self.heading.sin_cos();
        let way = forward.clamp(-FASTEST, FASTEST) * time;
        self.walk(Vector3::new(cos, sin, 0.0) * way);
        self.fall(time);
        Ok(())
    }

    /// Walks horizontally, up what carries, and down to the ground where it is near.
    fn walk(&mut self, way: Vector3<f64>) {
        if way == Vector3::zeros() {
            return;
        }
        self.shift(way, true);
        if !self.on_ground {
            return;
        }
        let walked = self.p;
        self.lower(STEP_HEIGHT);
        if !self.stands() {
            self.p = walked;
        }
    }

    /// Falls, and slides down what is too steep.
    fn fall(&mut self, time: f64) {
        if self.stands() {
            (self.falling, self.on_ground) = (0.0, true);
            return;
        }
        self.falling = (self.falling + GRAVITY * time).min(FALLING);
        let (start, way) = (self.p, self.falling * time);
        self.shift(Vector3::z() * -way, false);
        self.on_ground = self.stands();
        // Between two slopes nothing falls farther.
        if self.on_ground || (self.p - start).norm() < 0.05 * way {
            (self.falling, self.on_ground) = (0.0, true);
        }
    }

    /// Goes straight down until something is near.
    fn lower(&mut self, way: f64) {
        let mut left = way;
        while left > 1e-6 {
            let Some(walls) = self.walls(SHIFT + KEPT) else {
                return;
            };
            let free = |wall: &Wall| (wall.g - KEPT).max(0.0) / (-wall.n.z).max(1e-9);
            let below = walls.iter().filter(|wall| wall.n.z < 0.0);
            let down = below.map(free).fold(left.min(SHIFT), f64::min);
            self.p.z -= down;
            left -= down;
            if down < 1e-6 {
                return;
            }
        }
    }

    /// Whether something carries the walker.
    fn stands(&self) -> bool {
        let walls = self.walls(CARRIES).unwrap_or_default();
        walls.iter().any(|wall| wall.carries)
    }

    /// Shifts by pieces, each within its bounds. One that walks does not get up or down what is too steep.
    fn shift(&mut self, way: Vector3<f64>, walks: bool) {
        let pieces = (way.norm() / SHIFT).ceil().max(1.0);
        for _ in 0..pieces as usize {
            let Some(walls) = self.walls(SHIFT + KEPT) else {
                return;
            };
            let s = bounded(way / pieces, &walls, walks);
            self.p += s;
            for axis in 0..2 {
                self.p[axis] = self.p[axis].clamp(-FAR, FAR);
            }
        }
    }

    /// The walls within a margin; none where the query fails, which does not happen.
    fn walls(&self, margin: f64) -> Option<Vec<Wall>> {
        let pose = Isometry3::translation(self.p.x, self.p.y, self.p.z);
        let mesh = &self.ground.mesh;
        let mut walls = Vec::new();
        let floor = self.p.z - WALKER[2];
        if floor <= margin {
            walls.push(Wall {
                n: -Vector3::z(),
                g: floor,
                carries: true,
            });
        }
        let found = tree_contacts(
            &self.shape,
            &pose,
            mesh,
            &Isometry3::identity(),
            margin,
            &QueryOptions::default(),
            |found| {
                let n = found.contact.normal.into_inner();
                let corners = mesh.triangles()[found.part as usize];
                let height = |v: u32| n.dot(&(mesh.vertices()[v as usize] - Point3::from(self.p)));
                let least = corners
                    .map(height)
                    .into_iter()
                    .fold(f64::INFINITY, f64::min);
                walls.push(Wall {
                    n,
                    g: least - self.shape.support(&n).value,
                    carries: self.stands_on(&n, found.contact.point_b.z, corners),
                });
                true
            },
        );
        found.ok()?;
        // The riser below the edge of a step meets the walker at the same edge.
        for k in 0..walls.len() {
            let same = |wall: &Wall| wall.carries && wall.n.dot(&walls[k].n) > SAME;
            walls[k].carries = walls[k].carries || walls.iter().any(same);
        }
        Some(walls)
    }

    /// Whether a triangle carries the walker that it meets at a height, with the normal n towards it.
    fn stands_on(&self, n: &Vector3<f64>, height: f64, triangle: [u32; 3]) -> bool {
        let [a, b, c] = triangle.map(|v| self.ground.mesh.vertices()[v as usize]);
        let across = (b - a).cross(&(c - a));
        let gentle = across.z.abs() >= SLOPE * across.norm();
        let low = height - (self.p.z - WALKER[2]) <= STEP_HEIGHT;
        gentle && (-n.z >= SLOPE || (low && -n.z >= EDGE))
    }
}

/// The shift near a wanted one that keeps the distance from all walls.
fn bounded(wanted: Vector3<f64>, walls: &[Wall], walks: bool) -> Vector3<f64> {
    const ROUNDS: usize = 16;
    let mut s = wanted;
    for _ in 0..ROUNDS {
        for wall in walls {
            let flat = Vector3::new(wall.n.x, wall.n.y, 0.0);
            let (n, room) = match flat.try_normalize(1e-9) {
                Some(n) if walks && !wall.carries => (n, (wall.g - KEPT).max(0.0) / flat.norm()),
                _ => (wall.n, wall.g - KEPT),
            };
            let over = n.dot(&s) - room;
            if over > 0.0 && walks && wall.carries {
                // A walker on a slope goes straight up.
                s.z += over / -wall.n.z;
            } else if over > 0.0 {
                s -= n * over;
            }
        }
    }
    let most = walls.iter().fold(1.0, |most: f64, wall| {
        let towards = wall.n.dot(&s);
        let room = (wall.g - 0.5 * KEPT).max(0.0);
        if towards > room {
            most.min(room / towards)
        } else {
            most
        }
    });
    s = s.cap_magnitude(SHIFT) * most;
    if s.iter().all(|x| x.is_finite()) {
        s
    } else {
        Vector3::zeros()
    }
}

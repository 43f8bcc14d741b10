//! What a ray meets: bodies by the exact ray query, the cloth by its triangles, pins by balls.

use crate::error::{TerrainError, finite};
use crate::terrain::Terrain;
use nalgebra::{Point3, Vector3};
use superovoid::Ray;

/// The radius of the ball that stands for a pin, metres.
const PIN: f64 = 0.03;
/// A body is met through the cloth if it is within this distance behind it, metres: its silhouette is seen.
const COVER: f64 = 0.25;

/// What a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Picked {
    /// A body, by its number, at a point.
    Body {
        /// The number of the body.
        id: u32,
        /// The point of its surface, metres.
        point: [f64; 3],
    },
    /// The cloth at a point, and the vertex of that triangle that is nearest to it.
    Cloth {
        /// The vertex.
        vertex: usize,
        /// The point, metres.
        point: [f64; 3],
    },
    /// A pin, by its place in the list.
    Pin(usize),
    /// Nothing.
    Nothing,
}

impl Terrain {
    /// Returns what a ray meets: the nearest pin that the cloth does not hide, or else the nearest body above the ground
    /// that lies at most 0.25 m behind the cloth, or else the cloth.
    ///
    /// # Errors
    /// A number is not finite, or the direction is 0.
    pub fn pick(&self, origin: [f64; 3], direction: [f64; 3]) -> Result<Picked, TerrainError> {
        finite("the origin of a ray", &origin)?;
        finite("the direction of a ray", &direction)?;
        let o = Vector3::from(origin);
        let scaled = Vector3::from(direction) / Vector3::from(direction).amax();
        let Some(d) = scaled
            .try_normalize(0.0)
            .filter(|d| d.iter().all(|x| x.is_finite()))
        else {
            return Err(TerrainError::Zero("the direction of a ray"));
        };
        let cloth = self.cloth_on(&o, &d);
        let depth = cloth.map_or(f64::INFINITY, |(t, _)| t);
        if let Some((t, index)) = self.pin_on(&o, &d)
            && t <= depth + 2.0 * PIN
        {
            return Ok(Picked::Pin(index));
        }
        if let Some((t, id)) = self.body_on(&o, &d)
            && t <= depth + COVER
        {
            let point = (o + d * t).into();
            return Ok(Picked::Body { id, point });
        }
        Ok(cloth.map_or(Picked::Nothing, |(t, vertex)| Picked::Cloth {
            vertex,
            point: (o + d * t).into(),
        }))
    }

    fn body_on(&self, o: &Vector3<f64>, d: &Vector3<f64>) -> Option<(f64, u32)> {
        let ray = Ray {
            origin: Point3::from(*o),
            direction: *d,
        };
        let met = self.model.bodies.iter().filter_map(|body| {
            let shape = body.now.shape()?;
            let hit = shape.ray_cast(&body.now.pose(), &ray, f64::INFINITY, true);
            let hit = hit.ok().flatten().filter(|hit| hit.point.z >= 0.0)?;
            Some(((hit.point.coords - o).dot(d), body.id))
        });
        met.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn pin_on(&self, o: &Vector3<f64>, d: &Vector3<f64>) -> Option<(f64, usize)> {
        let met = self.model.pins.iter().enumerate().filter_map(|(k, pin)| {
            let to = Vector3::from(self.model.positions[pin.vertex]) - o;
            let t = to.dot(d);
            (t >= 0.0 && (to - d * t).norm() <= PIN).then_some((t, k))
        });
        met.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn cloth_on(&self, o: &Vector3<f64>, d: &Vector3<f64>) -> Option<(f64, usize)> {
        let at = |v: u32| Vector3::from(self.model.positions[v as usize]);
        let met = self.triangles().iter().filter_map(|triangle| {
            let corners = triangle.map(at);
            let (t, weights) = crossed(&corners, o, d)?;
            let nearest = (0..3).max_by(|&i, &j| weights[i].total_cmp(&weights[j]))?;
            Some((t, triangle[nearest] as usize))
        });
        met.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Where a ray crosses a triangle, from either side, with the weights of the corners (Möller and Trumbore 1997).
fn crossed(
    [a, b, c]: &[Vector3<f64>; 3],
    o: &Vector3<f64>,
    d: &Vector3<f64>,
) -> Option<(f64, [f64; 3])> {
    let (ab, ac, ao) = (b - a, c - a, o - a);
    let across = d.cross(&ac);
    let volume = ab.dot(&across);
    let u = ao.dot(&across) / volume;
    let turned = ao.cross(&ab);
    let v = d.dot(&turned) / volume;
    let t = ac.dot(&turned) / volume;
    let met = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0;
    met.then_some((t, [1.0 - u - v, u, v]))
}

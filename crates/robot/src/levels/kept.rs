//! Levels of meshes as bytes, for a file that keeps them from one process to the next.
//!
//! ```text
//! "superovoid levels", FORMAT and the version of the library, zeros up to 32 bytes
//! the number of meshes
//! of each: a hash of its vertices and triangles, and of whether it is a solid (2 numbers)
//!     the points of the hull, its margin, the balls that cover it, the balls inside the mesh
//! a hash of all before (2 numbers)
//! ```
//!
//! Every number has 64 bits, the lowest first; lists begin with their length. What is read is as good as what is made: a
//! mesh that is another one in one bit has another hash, and so has a file in which a bit is another one.

use super::hull::Hull;
use super::levels::Levels;
use nalgebra::Point3;
use superovoid::bvh::TriMesh;
use superovoid::convex::{ConvexKind, ConvexShape};
use superovoid::{BoundingSphere, Shape};

/// What a file begins with.
const NAME: &[u8] = b"superovoid levels";
/// Another one for whatever makes other levels.
const FORMAT: &str = concat!(" 1 ", env!("CARGO_PKG_VERSION"));
const HEAD: usize = 32;
const _: () = assert!(NAME.len() + FORMAT.len() <= HEAD);
/// The most bytes of a mesh.
const OF_MESH: usize = 1 << 14;

/// Why bytes are not the levels of some meshes.
#[derive(Debug, PartialEq)]
pub(crate) enum Unfit {
    /// They are something else.
    Other,
    /// They are of other meshes or another version, or are not whole.
    Old,
}

/// Returns the levels of meshes as bytes. A mesh without a hull has no points.
pub(crate) fn to_bytes(bodies: &[(&Shape, &Levels)]) -> Vec<u8> {
    let mut bytes = head().to_vec();
    let meshes: Vec<(&TriMesh, &Shape, &Levels)> = meshes(bodies).collect();
    let mut put = |number: u64| bytes.extend(number.to_le_bytes());
    put(meshes.len() as u64);
    for (mesh, shape, levels) in meshes {
        let hull = levels.hull(shape);
        let points = match hull.map(|hull| &hull.shape) {
            Some(Shape::Convex(convex)) => match convex.kind() {
                ConvexKind::Hull(points) => points,
                _ => &[],
            },
            _ => &[],
        };
        hash_of(mesh).into_iter().for_each(&mut put);
        put(points.len() as u64);
        let coordinates = points.iter().flat_map(|p| p.iter());
        coordinates.for_each(|x| put(x.to_bits()));
        put(hull.map_or(0.0, |hull| hull.margin).to_bits());
        let cover = hull.map_or(&[][..], Hull::balls);
        for balls in [cover, levels.inner_balls(shape)] {
            put(balls.len() as u64);
            for ball in balls {
                let numbers = ball.center.iter().chain([&ball.radius]);
                numbers.for_each(|x| put(x.to_bits()));
            }
        }
    }
    let mut hash = Hash::default();
    words(&bytes).for_each(|word| hash.take(word));
    hash.ends()
        .into_iter()
        .for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

/// Returns the number of bytes beyond which a file is not that of these bodies.
pub(crate) fn most_bytes(bodies: &[(&Shape, &Levels)]) -> usize {
    HEAD + 64 + OF_MESH * meshes(bodies).count()
}

/// Gives the levels of meshes what bytes hold of them: all of it or nothing.
pub(crate) fn from_bytes(bodies: &[(&Shape, &Levels)], bytes: &[u8]) -> Result<(), Unfit> {
    // What a power cut leaves of a file may be empty, or zeros.
    let is_begun = NAME.starts_with(bytes) || bytes.iter().all(|byte| *byte == 0);
    if !bytes.starts_with(NAME) && !is_begun {
        return Err(Unfit::Other);
    }
    let read = || {
        let (begin, end) = bytes.split_at_checked(bytes.len().checked_sub(16)?)?;
        let mut hash = Hash::default();
        words(begin).for_each(|word| hash.take(word));
        let is_whole = begin.starts_with(&head()) && words(end).eq(hash.ends());
        let mut numbers = words(begin.get(HEAD..)?);
        let count = numbers.next()?;
        let meshes: Vec<(&TriMesh, &Shape, &Levels)> = meshes(bodies).collect();
        if !is_whole || count != meshes.len() as u64 {
            return None;
        }
        let mut found = Vec::new();
        for (mesh, _, levels) in meshes {
            if hash_of(mesh).map(Some) != [numbers.next(), numbers.next()] {
                return None;
            }
            let points = list(&mut numbers, |[x, y, z]| Some(Point3::new(x, y, z)))?;
            let margin = length(f64::from_bits(numbers.next()?))?;
            let mut balls = || {
                list(&mut numbers, |[x, y, z, radius]| {
                    let (center, radius) = (Point3::new(x, y, z), length(radius)?);
                    Some(BoundingSphere { center, radius })
                })
            };
            found.push((levels, points, margin, balls()?, balls()?));
        }
        (numbers.next().is_none() && bytes.len().is_multiple_of(8)).then_some(found)
    };
    for (levels, points, margin, cover, inner) in read().ok_or(Unfit::Old)? {
        if points.is_empty() {
            continue;
        }
        let shape = ConvexShape::of_points(&points).into();
        levels.keep(Hull::kept(shape, margin, cover), inner);
    }
    Ok(())
}

/// Returns those of the bodies that are meshes.
fn meshes<'a>(
    bodies: &'a [(&'a Shape, &'a Levels)],
) -> impl Iterator<Item = (&'a TriMesh, &'a Shape, &'a Levels)> {
    bodies.iter().filter_map(|&(shape, levels)| match shape {
        Shape::Mesh(mesh) => Some((&**mesh, shape, levels)),
        _ => None,
    })
}

fn head() -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let name = NAME.iter().chain(FORMAT.as_bytes());
    head.iter_mut().zip(name).for_each(|(to, from)| *to = *from);
    head
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
}

/// Returns a length; `None` of what is none.
fn length(number: f64) -> Option<f64> {
    (number >= 0.0 && number.is_finite()).then_some(number)
}

/// Returns a list of what has so many numbers each; `None` if it has no end, or a number is not finite.
fn list<const N: usize, T>(
    numbers: &mut impl Iterator<Item = u64>,
    of: impl Fn([f64; N]) -> Option<T>,
) -> Option<Vec<T>> {
    let count = numbers.next()?;
    let mut list = Vec::new();
    for _ in 0..count {
        let mut item = [0.0; N];
        for number in &mut item {
            *number = Some(f64::from_bits(numbers.next()?)).filter(|x| x.is_finite())?;
        }
        list.push(of(item)?);
    }
    Some(list)
}

fn hash_of(mesh: &TriMesh) -> [u64; 2] {
    let mut hash = Hash::default();
    // Balls are inside a solid, and not of its surface.
    hash.take(u64::from(mesh.is_solid()));
    hash.take(mesh.vertices().len() as u64);
    for p in mesh.vertices() {
        p.iter().for_each(|x| hash.take(x.to_bits()));
    }
    let corners = mesh.triangles().iter().flatten();
    corners.for_each(|&corner| hash.take(u64::from(corner)));
    hash.ends()
}

/// The hash of Fowler, Noll and Vo with 128 bits (1a), of words of 64 bits, which are turned between the steps so that the high bits reach
/// the low ones.
struct Hash(u128);

impl Default for Hash {
    fn default() -> Self {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    fn take(&mut self, word: u64) {
        const PRIME: u128 = (1 << 88) + 0x13b;
        self.0 = (self.0 ^ u128::from(word))
            .wrapping_mul(PRIME)
            .rotate_left(47);
    }

    fn ends(&self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

//! Bodies of every kind, in one tagged struct.

use super::hull::sovo_hull;
use super::memory::{Plain, read_points};
use super::options::{chosen, no_choice, zero};
use super::shape::sovo_superovoid;
use super::status::{Failure, sovo_status::*};
use super::tree::{sovo_box_set, sovo_height_field, sovo_tri_mesh};
use nalgebra::Point3;
use std::borrow::Cow;
use std::mem::MaybeUninit;
use superovoid::convex::{ConvexKind, ConvexShape};
use superovoid::polytope::{Cuboid, Polytope, PolytopeError, Segment, Triangle};
use superovoid::superquadric::{Sheets, Superquadric};
use superovoid::{HalfSpace, Plane, ShapeRef};

/// The kinds of body.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_body_kind {
    /// No body: this is the value of a body that is all zero, which every query refuses.
    #[allow(dead_code, reason = "it is for programs")]
    SOVO_BODY_KIND_NONE = 0,
    /// The superovoid data.superovoid.
    SOVO_BODY_KIND_SUPEROVOID = 1,
    /// A ball about the origin, of the radius data.radius.
    SOVO_BODY_KIND_BALL = 2,
    /// A solid box with its centre at the origin and edges along the axes; data.half_extents is half their lengths. Against
    /// a superovoid they may be 0.
    SOVO_BODY_KIND_CUBOID = 3,
    /// A cylinder about z with its centre at the origin: data.round, the length being the whole length.
    SOVO_BODY_KIND_CYLINDER = 4,
    /// A capsule about z with its centre at the origin: data.round, the length being that of its cylindrical part. A
    /// capsule of length 0 is a ball.
    SOVO_BODY_KIND_CAPSULE = 5,
    /// A cone about z, its tip at z = length/2 and its base of this radius at z = -length/2: data.round.
    SOVO_BODY_KIND_CONE = 6,
    /// The convex hull data.hull, which sovo_hull_new() has prepared.
    SOVO_BODY_KIND_HULL = 7,
    /// The convex hull of data.points, which stay in the program's memory. Nothing is prepared: points that are not
    /// contiguous and aligned are copied by every query.
    SOVO_BODY_KIND_POINTS = 8,
    /// The point at the origin of the frame; it has no data.
    SOVO_BODY_KIND_POINT = 9,
    /// The segment between the first two of data.corners, which may coincide. Like a triangle it has no interior: its
    /// depth is the length of the least translation that separates it.
    SOVO_BODY_KIND_SEGMENT = 10,
    /// The two-sided triangle of data.corners, in either order. It may be degenerate.
    SOVO_BODY_KIND_TRIANGLE = 11,
    /// The solid half-space of all x with normal . x <= offset: data.plane.
    SOVO_BODY_KIND_HALF_SPACE = 12,
    /// The thin plane of all x with normal . x = offset: data.plane. Both of its sides are free, and a body that straddles
    /// it overlaps it by the smaller of the two translations that clear it.
    SOVO_BODY_KIND_PLANE = 13,
    /// The triangle mesh data.tri_mesh.
    SOVO_BODY_KIND_TRI_MESH = 14,
    /// The set of boxes data.box_set.
    SOVO_BODY_KIND_BOX_SET = 15,
    /// The superhyperboloid or supertoroid data.superquadric.
    SOVO_BODY_KIND_SUPERQUADRIC = 16,
    /// The convex hull of data.superquadric; for one sheet of two that is the body itself.
    SOVO_BODY_KIND_SUPERQUADRIC_HULL = 17,
    /// The height field data.height_field.
    SOVO_BODY_KIND_HEIGHT_FIELD = 18,
}
use sovo_body_kind::*;

impl sovo_body_kind {
    /// All kinds that are bodies, with their names in texts.
    const NAMES: [(sovo_body_kind, &'static str); 18] = [
        (SOVO_BODY_KIND_SUPEROVOID, "superovoid"),
        (SOVO_BODY_KIND_BALL, "ball"),
        (SOVO_BODY_KIND_CUBOID, "cuboid"),
        (SOVO_BODY_KIND_CYLINDER, "cylinder"),
        (SOVO_BODY_KIND_CAPSULE, "capsule"),
        (SOVO_BODY_KIND_CONE, "cone"),
        (SOVO_BODY_KIND_HULL, "hull"),
        (SOVO_BODY_KIND_POINTS, "hull of points"),
        (SOVO_BODY_KIND_POINT, "point"),
        (SOVO_BODY_KIND_SEGMENT, "segment"),
        (SOVO_BODY_KIND_TRIANGLE, "triangle"),
        (SOVO_BODY_KIND_HALF_SPACE, "half-space"),
        (SOVO_BODY_KIND_PLANE, "plane"),
        (SOVO_BODY_KIND_TRI_MESH, "triangle mesh"),
        (SOVO_BODY_KIND_BOX_SET, "box set"),
        (SOVO_BODY_KIND_SUPERQUADRIC, "superquadric"),
        (SOVO_BODY_KIND_SUPERQUADRIC_HULL, "hull of a superquadric"),
        (SOVO_BODY_KIND_HEIGHT_FIELD, "height field"),
    ];

    pub(super) fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(kind, _)| *kind == self);
        found.map_or("nothing", |(_, name)| name)
    }
}

/// The lengths of a body of revolution about z.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_round {
    /// The radius, metres.
    pub radius: f64,
    /// The length along z, metres.
    pub length: f64,
}

/// Points in the program's memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_points {
    /// The first coordinate of the first point; each is three numbers, metres. Points inside the hull, duplicates and
    /// flat sets are allowed; each costs time.
    pub first: *const f64,
    /// The number of points, at least 1.
    pub count: usize,
    /// The bytes from one point to the next; 3 * sizeof(double) where the points are contiguous.
    pub stride: usize,
}

/// A plane, the boundary of a half-space.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_plane {
    /// The normal, out of the solid, of any length but zero; normal and offset are divided by its length.
    pub normal: [f64; 3],
    /// The offset along the normal.
    pub offset: f64,
}

/// The families of superquadrics that are no superovoids.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_superquadric_family {
    /// A solid ring about z; extent is its ring radius in units of the tube, more than 1: the centre line has the
    /// half-widths a1 * extent and a2 * extent.
    SOVO_SUPERQUADRIC_FAMILY_TOROID = 1,
    /// A solid neck about z, a superhyperboloid of one sheet, between flat caps at z = +-a3 * extent, extent more than 0.
    /// Its waist has the half-widths a1 and a2.
    SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET = 2,
    /// Both sheets of a superhyperboloid of two sheets, which move as one: solid from their tips at z = +-a3 to flat caps
    /// at z = +-a3 * extent, extent more than 1.
    SOVO_SUPERQUADRIC_FAMILY_TWO_SHEETS = 3,
    /// The sheet above the xy plane, a convex cup that opens upwards.
    SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET = 4,
    /// The sheet below the xy plane, a convex cup that opens downwards.
    SOVO_SUPERQUADRIC_FAMILY_LOWER_SHEET = 5,
}
use sovo_superquadric_family::*;

/// A superhyperboloid of one or two sheets, or a supertoroid: a neck, a cup, a ring or a washer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_superquadric {
    /// The semi-axes a1, a2, a3, metres; of a ring those of its tube.
    pub semi_axes: [f64; 3],
    /// The exponents e1 (around z) and e2 (of the profile), both strictly between 0 and 2.
    pub exponents: [f64; 2],
    /// The extent, whose meaning depends on the family.
    pub extent: f64,
    /// The family, a sovo_superquadric_family.
    pub family: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

/// The data of a body: the member that its kind names, and room for kinds to come.
#[repr(C)]
#[derive(Clone, Copy)]
pub union sovo_body_data {
    /// A superovoid.
    pub superovoid: sovo_superovoid,
    /// The radius of a ball, metres.
    pub radius: f64,
    /// Half the edge lengths of a cuboid, metres.
    pub half_extents: [f64; 3],
    /// A cylinder, capsule or cone.
    pub round: sovo_round,
    /// The corners of a triangle, metres; of a segment the first two.
    pub corners: [[f64; 3]; 3],
    /// Points and their hull.
    pub points: sovo_points,
    /// A half-space or plane.
    pub plane: sovo_plane,
    /// A superquadric.
    pub superquadric: sovo_superquadric,
    /// A convex hull.
    pub hull: *const sovo_hull,
    /// A triangle mesh.
    pub tri_mesh: *const sovo_tri_mesh,
    /// A set of boxes.
    pub box_set: *const sovo_box_set,
    /// A height field.
    pub height_field: *const sovo_height_field,
    /// Room that no kind uses yet.
    pub reserved: [u64; 24],
}

/// A body of any kind in its own frame: a plain value, which can be copied, kept in arrays and shared between threads.
/// The functions sovo_body_ball() and so on, at the end of this header, make one; its numbers are checked by the queries.
/// What it points to (a hull, mesh, set of boxes, height field or points) must exist while it is used.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_body {
    /// The kind, a sovo_body_kind.
    pub kind: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// The data that the kind names.
    pub data: sovo_body_data,
}

// SAFETY: The struct consists of numbers and raw pointers, for which any bits are valid, and so does every member of its
// union.
unsafe impl Plain for sovo_body {}

/// A body as the queries take it.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub kind: sovo_body_kind,
    pub shape: ShapeRef<'a>,
}

/// The point of a body of the kind SOVO_BODY_KIND_POINT.
const ORIGIN: [Point3<f64>; 1] = [Point3::new(0.0, 0.0, 0.0)];
static POINT: Points<'static> = Points(Cow::Borrowed(&ORIGIN));

/// The hull of a program's points.
pub(super) struct Points<'a>(Cow<'a, [Point3<f64>]>);

impl Polytope for Points<'_> {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

/// Where a body lies that is made for one query, on the stack.
pub(super) struct BodyBuffer<'a> {
    copy: MaybeUninit<sovo_body>,
    made: Made<'a>,
}

/// A body that is made of the numbers of a [`sovo_body`].
#[allow(clippy::large_enum_variant, reason = "a query does not allocate")]
pub(super) enum Made<'a> {
    Nothing,
    Convex(ConvexShape),
    Superquadric(Superquadric),
    HalfSpace(HalfSpace),
    Plane(Plane),
    Segment(Segment),
    Cuboid(Cuboid),
    Points(Points<'a>),
}

impl BodyBuffer<'_> {
    #[inline]
    pub fn new() -> Self {
        BodyBuffer {
            copy: MaybeUninit::uninit(),
            made: Made::Nothing,
        }
    }
}

/// Returns the body behind a pointer, checked; what must be made of its numbers lies in `buffer`.
///
/// # Safety
/// A pointer that is not NULL must be to a `sovo_body`, aligned or not, whose pointers are as the header demands, and
/// nothing may write to it while the body is used.
#[inline]
pub(super) unsafe fn look_at_body<'a, 'p: 'a>(
    body: *const sovo_body,
    name: &'static str,
    buffer: &'a mut BodyBuffer<'p>,
) -> Result<Body<'a>, Failure> {
    if body.is_null() {
        return Err(Failure::Null(name));
    }
    let BodyBuffer { copy, made } = buffer;
    let body = if body.is_aligned() {
        // SAFETY: Not NULL, aligned, and any bits are a body; the rest is the caller's promise.
        unsafe { &*body }
    } else {
        // SAFETY: The caller guarantees it.
        copy.write(unsafe { body.read_unaligned() })
    };
    // SAFETY: The caller guarantees it.
    match unsafe { body.look(made) } {
        Ok(found) => Ok(found),
        Err(failure) => Err(Failure::At(name, Box::new(failure))),
    }
}

impl sovo_body {
    #[inline]
    pub(super) fn kind(&self) -> Result<sovo_body_kind, Failure> {
        zero(self.reserved, "reserved")?;
        // The names are in the order of the numbers, from 1.
        match sovo_body_kind::NAMES.get((self.kind as usize).wrapping_sub(1)) {
            Some((kind, _)) => Ok(*kind),
            None => Err(no_choice(self.kind, "kind", "sovo_body_kind of a body")),
        }
    }

    /// # Safety
    /// The requirements are those of [`look_at_body`].
    #[inline]
    pub(super) unsafe fn look<'a, 'p: 'a>(
        &'a self,
        made: &'a mut Made<'p>,
    ) -> Result<Body<'a>, Failure> {
        let kind = self.kind()?;
        let data = &self.data;
        // SAFETY: Any bits are valid in every member; what handles and points are is the caller's promise, here and in all
        // that follows.
        let shape = unsafe {
            match kind {
                SOVO_BODY_KIND_SUPEROVOID => {
                    ShapeRef::Superovoid(data.superovoid.superovoid("data.superovoid")?)
                }
                SOVO_BODY_KIND_HULL => ShapeRef::Convex(&handle(data.hull, "data.hull")?.0),
                SOVO_BODY_KIND_TRI_MESH => {
                    ShapeRef::Mesh(&handle(data.tri_mesh, "data.tri_mesh")?.0)
                }
                SOVO_BODY_KIND_BOX_SET => ShapeRef::Boxes(&handle(data.box_set, "data.box_set")?.0),
                SOVO_BODY_KIND_HEIGHT_FIELD => {
                    ShapeRef::HeightField(&handle(data.height_field, "data.height_field")?.0)
                }
                _ => self.make(kind, made)?,
            }
        };
        Ok(Body { kind, shape })
    }

    /// Makes the body of a kind that consists of a few numbers.
    ///
    /// # Safety
    /// The requirements are those of [`look_at_body`].
    unsafe fn make<'a, 'p: 'a>(
        &self,
        kind: sovo_body_kind,
        made: &'a mut Made<'p>,
    ) -> Result<ShapeRef<'a>, Failure> {
        let data = &self.data;
        // Each kind is written to its place at once: through another one it would be copied whole.
        // SAFETY: As in `look`.
        unsafe {
            let sovo_round { radius, length } = data.round;
            match kind {
                SOVO_BODY_KIND_BALL => *made = Made::Convex(ConvexShape::ball(data.radius)?),
                SOVO_BODY_KIND_CUBOID if data.half_extents.contains(&0.0) => {
                    *made = Made::Cuboid(Cuboid::new(data.half_extents)?);
                }
                SOVO_BODY_KIND_CUBOID => {
                    *made = Made::Convex(ConvexShape::cuboid(data.half_extents)?);
                }
                SOVO_BODY_KIND_CYLINDER => {
                    *made = Made::Convex(ConvexShape::cylinder(radius, length)?);
                }
                SOVO_BODY_KIND_CAPSULE => {
                    *made = Made::Convex(ConvexShape::capsule(radius, length)?);
                }
                SOVO_BODY_KIND_CONE => *made = Made::Convex(ConvexShape::cone(radius, length)?),
                SOVO_BODY_KIND_HALF_SPACE => {
                    let sovo_plane { normal, offset } = data.plane;
                    *made = Made::HalfSpace(HalfSpace::new(normal.into(), offset)?);
                }
                SOVO_BODY_KIND_PLANE => {
                    let sovo_plane { normal, offset } = data.plane;
                    *made = Made::Plane(Plane::new(normal.into(), offset)?);
                }
                SOVO_BODY_KIND_SEGMENT => *made = Made::Segment(self.segment()?),
                SOVO_BODY_KIND_TRIANGLE => {
                    *made = Made::Convex(ConvexShape::of_points(self.triangle()?.vertices()));
                }
                SOVO_BODY_KIND_POINTS => *made = Made::Points(Points(self.points()?)),
                SOVO_BODY_KIND_SUPERQUADRIC => {
                    *made = Made::Superquadric(data.superquadric.checked()?);
                }
                SOVO_BODY_KIND_SUPERQUADRIC_HULL => {
                    *made = Made::Convex(ConvexShape::hull_of(&data.superquadric.checked()?));
                }
                _ => *made = Made::Nothing,
            }
        }
        Ok(match made {
            Made::Convex(shape) => ShapeRef::Convex(shape),
            Made::Superquadric(shape) => ShapeRef::Superquadric(shape),
            Made::HalfSpace(shape) => ShapeRef::HalfSpace(shape),
            Made::Plane(shape) => ShapeRef::Plane(shape),
            Made::Segment(shape) => ShapeRef::Polytope(shape),
            Made::Cuboid(shape) => ShapeRef::Polytope(shape),
            Made::Points(shape) => ShapeRef::Polytope(shape),
            Made::Nothing => ShapeRef::Polytope(&POINT),
        })
    }

    /// # Safety
    /// The kind must be that of a segment.
    pub(super) unsafe fn segment(&self) -> Result<Segment, Failure> {
        // SAFETY: Any bits are numbers.
        let [from, to, _] = unsafe { self.data.corners }.map(Point3::from);
        Ok(Segment::new(from, to)?)
    }

    /// # Safety
    /// The kind must be that of a triangle.
    pub(super) unsafe fn triangle(&self) -> Result<Triangle, Failure> {
        // SAFETY: Any bits are numbers.
        Ok(Triangle::new(
            unsafe { self.data.corners }.map(Point3::from),
        )?)
    }

    /// # Safety
    /// The kind must be that of points, which are as the header demands.
    pub(super) unsafe fn points<'p>(&self) -> Result<Cow<'p, [Point3<f64>]>, Failure> {
        // SAFETY: The caller guarantees it.
        let points = unsafe {
            let sovo_points {
                first,
                count,
                stride,
            } = self.data.points;
            read_points(first, count, stride, "data.points.first")?
        };
        if points.is_empty() {
            return Err(PolytopeError::Empty.into());
        }
        Ok(points)
    }
}

impl sovo_superquadric {
    pub(super) fn checked(&self) -> Result<Superquadric, Failure> {
        zero(self.reserved, "data.superquadric.reserved")?;
        let families = [
            SOVO_SUPERQUADRIC_FAMILY_TOROID,
            SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET,
            SOVO_SUPERQUADRIC_FAMILY_TWO_SHEETS,
            SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET,
            SOVO_SUPERQUADRIC_FAMILY_LOWER_SHEET,
        ];
        let families = families.map(|family| (family as u32, family));
        let field = "data.superquadric.family";
        let sheets = match chosen(self.family, families, field, "sovo_superquadric_family")? {
            SOVO_SUPERQUADRIC_FAMILY_TOROID => {
                return Ok(Superquadric::toroid(
                    self.semi_axes,
                    self.exponents,
                    self.extent,
                )?);
            }
            SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET => {
                let made = Superquadric::one_sheet(self.semi_axes, self.exponents, self.extent);
                return Ok(made?);
            }
            SOVO_SUPERQUADRIC_FAMILY_TWO_SHEETS => Sheets::Both,
            SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET => Sheets::Upper,
            SOVO_SUPERQUADRIC_FAMILY_LOWER_SHEET => Sheets::Lower,
        };
        let made = Superquadric::two_sheets(self.semi_axes, self.exponents, self.extent, sheets);
        Ok(made?)
    }
}

/// Returns the object behind a handle.
///
/// # Safety
/// The handle must be NULL, or one that is not freed while the reference is used.
unsafe fn handle<'a, T>(handle: *const T, name: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { handle.as_ref() }.ok_or(Failure::Null(name))
}

/// Calls a function with the corners of a shape, if it has some.
pub(super) fn with_corners<R>(shape: ShapeRef, call: impl FnOnce(&dyn Polytope) -> R) -> Option<R> {
    match shape {
        ShapeRef::Polytope(polytope) => Some(call(polytope)),
        ShapeRef::Convex(shape) => match shape.kind() {
            ConvexKind::Cuboid(half) => Some(call(&Cuboid::new(half).ok()?)),
            ConvexKind::Hull(points) => Some(call(&Points(Cow::Borrowed(points)))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the error of two bodies for which there is no solver.
#[cold]
pub(super) fn unsupported(query: &str, a: Body, b: Body) -> Failure {
    let (a, b) = (a.kind.name(), b.kind.name());
    let text = format!("{query}: this library has no answer for a {a} (A) and a {b} (B)");
    Failure::other(SOVO_STATUS_ERROR_UNSUPPORTED, text)
}

/// Returns the error of a body for which a query has no solver.
#[cold]
pub(super) fn unsupported_kind(query: &str, kind: sovo_body_kind) -> Failure {
    let text = format!("{query}: this library has no answer for a {}", kind.name());
    Failure::other(SOVO_STATUS_ERROR_UNSUPPORTED, text)
}

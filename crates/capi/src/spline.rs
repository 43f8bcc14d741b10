//! Splines of configurations, and whether a robot may move along them.

use super::configuration::check_count;
use super::edge::{read_edge_options, sovo_edge, sovo_edge_options, sovo_robot_contact};
use super::memory::{Out, Strided, StridedOut, free, room_for, with_capacity};
use super::robot_scene::{sovo_robot_scene, used};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use superovoid_robot::{Spline, SplineError};

/// A motion by piecewise polynomials of the numbers of a configuration, continuous in time. It is immutable, so that threads
/// can share it, and must be freed with sovo_spline_free().
pub struct sovo_spline {
    spline: Spline,
}

impl From<SplineError> for Failure {
    fn from(error: SplineError) -> Self {
        let status = match error {
            SplineError::Count { .. } => SOVO_STATUS_ERROR_SIZE,
            SplineError::Degree { .. } => SOVO_STATUS_ERROR_OPTION,
            _ => SOVO_STATUS_ERROR_CONFIGURATION,
        };
        Failure::other(status, error.to_string())
    }
}

/// Makes a spline of cubic pieces from positions and velocities at times, as a ROS JointTrajectory means them. times:
/// time_count numbers that grow, seconds, at least two; positions and velocities: count numbers for each time, one
/// configuration after the other, radians and metres. The spline must be freed with sovo_spline_free().
///
/// SOVO_STATUS_ERROR_SIZE: fewer than two times, or more numbers than memory holds. SOVO_STATUS_ERROR_CONFIGURATION: times
/// that do not grow, or a number that is not finite; the text names its index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_cubic(
    times: *const f64,
    time_count: usize,
    positions: *const f64,
    velocities: *const f64,
    count: usize,
    spline: *mut *mut sovo_spline,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let times = unsafe { read_list(times, time_count, "times") }?;
        // SAFETY: As above, the caller guarantees it.
        let [positions, velocities] = unsafe {
            [
                Table::read(positions, time_count, count, "positions")?,
                Table::read(velocities, time_count, count, "velocities")?,
            ]
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            made(spline, 4 * positions.numbers.len(), || {
                Spline::cubic(&times, &positions.rows()?, &velocities.rows()?)
                    .map_err(Failure::from)
            })
        }
    })
}

/// Makes a spline of quintic pieces from positions, velocities and accelerations at times. It is like sovo_spline_cubic().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_quintic(
    times: *const f64,
    time_count: usize,
    positions: *const f64,
    velocities: *const f64,
    accelerations: *const f64,
    count: usize,
    spline: *mut *mut sovo_spline,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let times = unsafe { read_list(times, time_count, "times") }?;
        // SAFETY: As above, the caller guarantees it.
        let [positions, velocities, accelerations] = unsafe {
            [
                Table::read(positions, time_count, count, "positions")?,
                Table::read(velocities, time_count, count, "velocities")?,
                Table::read(accelerations, time_count, count, "accelerations")?,
            ]
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            made(spline, 6 * positions.numbers.len(), || {
                let [p, v, a] = [positions.rows()?, velocities.rows()?, accelerations.rows()?];
                Spline::quintic(&times, &p, &v, &a).map_err(Failure::from)
            })
        }
    })
}

/// Makes a spline of polynomials of one degree, from 1 to 15: number i is the sum over j, from 0 to degree, of
/// c[k][j][i] (t - times[k])^j from times[k] to times[k + 1]. coefficients: the numbers c of the time_count - 1 pieces, one
/// after the other. Otherwise it is like sovo_spline_cubic().
///
/// SOVO_STATUS_ERROR_OPTION: another degree. SOVO_STATUS_ERROR_CONFIGURATION: also a number that jumps from one piece to the
/// next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_polynomials(
    times: *const f64,
    time_count: usize,
    coefficients: *const f64,
    degree: u32,
    count: usize,
    spline: *mut *mut sovo_spline,
) -> sovo_status {
    guarded(|| {
        check_degree(degree)?;
        let powers = degree as usize + 1;
        let pieces = time_count.saturating_sub(1);
        // SAFETY: As above, the caller guarantees it.
        let times = unsafe { read_list(times, time_count, "times") }?;
        let all = pieces.saturating_mul(powers);
        // SAFETY: As above, the caller guarantees it.
        let table = unsafe { Table::read(coefficients, all, count, "coefficients") }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            made(spline, table.numbers.len(), || {
                let rows = table.rows()?;
                let pieces: Vec<&[&[f64]]> = rows.chunks(powers).collect();
                Spline::polynomials(&times, &pieces).map_err(Failure::from)
            })
        }
    })
}

/// Makes a B-spline of a degree from 1 to 15. knots: knot_count numbers that do not fall, one more than points and degree
/// together; points: point_count control points of count numbers each, one after the other. It runs from knot degree to the
/// last but degree. Otherwise it is like sovo_spline_cubic().
///
/// SOVO_STATUS_ERROR_OPTION: another degree. SOVO_STATUS_ERROR_SIZE: also another number of knots, or no more points than the
/// degree. SOVO_STATUS_ERROR_CONFIGURATION: also a knot that is there so often that the curve jumps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_b_spline(
    degree: u32,
    knots: *const f64,
    knot_count: usize,
    points: *const f64,
    point_count: usize,
    count: usize,
    spline: *mut *mut sovo_spline,
) -> sovo_status {
    guarded(|| {
        check_degree(degree)?;
        // SAFETY: As above, the caller guarantees it.
        let knots = unsafe { read_list(knots, knot_count, "knots") }?;
        // SAFETY: As above, the caller guarantees it.
        let points = unsafe { Table::read(points, point_count, count, "points") }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            made(spline, (degree as usize + 1) * points.numbers.len(), || {
                Spline::b_spline(degree as usize, &knots, &points.rows()?).map_err(Failure::from)
            })
        }
    })
}

/// Makes a spline of Bezier pieces of a degree from 1 to 15. times: the time_count ends of the pieces; points: the
/// (time_count - 1) * degree + 1 points of the pieces, of which neighbours share one, count numbers each. Otherwise it is like
/// sovo_spline_cubic().
///
/// SOVO_STATUS_ERROR_OPTION: another degree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_bezier(
    degree: u32,
    times: *const f64,
    time_count: usize,
    points: *const f64,
    count: usize,
    spline: *mut *mut sovo_spline,
) -> sovo_status {
    guarded(|| {
        check_degree(degree)?;
        let pieces = time_count.saturating_sub(1);
        // SAFETY: As above, the caller guarantees it.
        let times = unsafe { read_list(times, time_count, "times") }?;
        let all = pieces.saturating_mul(degree as usize).saturating_add(1);
        // SAFETY: As above, the caller guarantees it.
        let points = unsafe { Table::read(points, all, count, "points") }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            made(spline, 2 * points.numbers.len(), || {
                Spline::bezier(degree as usize, &times, &points.rows()?).map_err(Failure::from)
            })
        }
    })
}

/// Writes the numbers of the configuration at a time; before the first and after the last time they are those there.
///
/// SOVO_STATUS_ERROR_OPTION: a time that is not finite. SOVO_STATUS_ERROR_SIZE: a count that is not that of the spline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_position(
    spline: *const sovo_spline,
    time: f64,
    positions: *mut f64,
    count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let spline = &unsafe { spline.as_ref() }
            .ok_or(Failure::Null("spline"))?
            .spline;
        if !time.is_finite() {
            let problem = format!("time = {time}: it must be finite");
            return Err(Failure::other(SOVO_STATUS_ERROR_OPTION, problem));
        }
        let expected = spline.position_count();
        if count != expected {
            let problem = format!("count = {count}: the spline has {expected} numbers");
            return Err(Failure::other(SOVO_STATUS_ERROR_SIZE, problem));
        }
        let places = StridedOut::new(positions, count, SIZE, "positions")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(spline.position(time).into_iter()) };
        Ok(())
    })
}

/// Frees a spline; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_spline_free(spline: *mut sovo_spline) {
    // SAFETY: As above, the caller guarantees it.
    unsafe { free(spline) }
}

/// Judges the motion along a spline as sovo_robot_scene_edge_free() judges a straight line: the same proof holds at every time.
/// In the edge, safe and touching are times of the spline; where an edge has -1 they are NaN. Planar and floating joints must
/// rest. options: NULL for the defaults.
///
/// SOVO_STATUS_ERROR_SIZE: a spline whose count is not the position_count of the robot. SOVO_STATUS_ERROR_CONFIGURATION: a joint
/// that leaves its limits, of which the text tells when, or a planar or floating joint that moves. SOVO_STATUS_ERROR_OPTION: as
/// for sovo_robot_edge_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_spline_free(
    scene: *mut sovo_robot_scene,
    spline: *const sovo_spline,
    options: *const sovo_edge_options,
    edge: *mut sovo_edge,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = &mut unsafe { used(scene) }?.scene;
        // SAFETY: As above, the caller guarantees it.
        let spline = &unsafe { spline.as_ref() }
            .ok_or(Failure::Null("spline"))?
            .spline;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_edge_options(options) }?;
        let out = Out::new(edge, "edge")?;
        let width = spline.position_count();
        check_count("the spline's count", width, scene.robot().position_count())?;
        let answer = scene.spline_free(spline, &options)?;
        let found = sovo_edge::of(&answer, |found| sovo_robot_contact::of(scene, found));
        let found = sovo_edge {
            safe: answer.safe.unwrap_or(f64::NAN),
            touching: answer.touching.unwrap_or(f64::NAN),
            ..found
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

const SIZE: usize = size_of::<f64>();

fn check_degree(degree: u32) -> Result<(), Failure> {
    let degree = degree as usize;
    match degree {
        1..=Spline::MOST_DEGREE => Ok(()),
        _ => Err(SplineError::Degree { degree }.into()),
    }
}

/// # Safety
/// The pointer must be as the header demands.
unsafe fn read_list(
    first: *const f64,
    count: usize,
    name: &'static str,
) -> Result<Vec<f64>, Failure> {
    let places = Strided::new(first, count, SIZE, name)?;
    let mut list = with_capacity(count)?;
    // SAFETY: The caller guarantees it.
    list.extend((0..count).map(|k| unsafe { places.get(k) }));
    Ok(list)
}

/// Rows of `width` numbers.
struct Table {
    numbers: Vec<f64>,
    count: usize,
    width: usize,
}

impl Table {
    /// # Safety
    /// The pointer must be as the header demands.
    unsafe fn read(
        first: *const f64,
        count: usize,
        width: usize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        // SAFETY: The caller guarantees it.
        let numbers = unsafe { read_list(first, count.saturating_mul(width), name) }?;
        Ok(Table {
            numbers,
            count,
            width,
        })
    }

    fn rows(&self) -> Result<Vec<&[f64]>, Failure> {
        let mut rows = with_capacity(self.count)?;
        let row = |k: usize| &self.numbers[k * self.width..(k + 1) * self.width];
        rows.extend((0..self.count).map(row));
        Ok(rows)
    }
}

/// Makes a spline of at most so many numbers, if there is a place and memory for it.
///
/// # Safety
/// The pointer must be as the header demands.
unsafe fn made(
    spline: *mut *mut sovo_spline,
    numbers: usize,
    make: impl FnOnce() -> Result<Spline, Failure>,
) -> Result<(), Failure> {
    let out = Out::new(spline, "spline")?;
    room_for(numbers, SIZE)?;
    let spline = make()?;
    // SAFETY: The caller guarantees it.
    unsafe { out.write(Box::into_raw(Box::new(sovo_spline { spline }))) };
    Ok(())
}

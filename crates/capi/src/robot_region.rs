//! Regions of configurations of a robot among obstacles.

use super::edge::{read_edge_options_or, sovo_edge_options};
use super::memory::StridedOut;
use super::robot_scene::{sovo_robot_scene, used};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use superovoid_robot::{EdgeOptions, RegionOptions};

/// Grows a box of configurations around a free one (count numbers), in all of which every pair that the scene compares is
/// proven to keep more than options->min_separation: those whose every number is at least that of lower and at most that of
/// upper, count numbers each. It is as large as was found: every face is moved outwards in turn until no step of
/// options->resolution, metres of motion of the bodies (0: 1e-3), can be proven, or options->max_states configurations
/// (0: 20000) were asked. The limits of the joints bound it; a joint that turns without limits goes at most half a turn each
/// way, and planar and floating joints stay where they are. options: NULL for the defaults; any_contact and max_time must be
/// 0. The function allocates memory.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a wrong position, a configuration that is not free (the text names the pair), or a
/// prismatic joint without limits. SOVO_STATUS_ERROR_SIZE: a wrong count. SOVO_STATUS_ERROR_OPTION: an option that is out of
/// its domain. SOVO_STATUS_ERROR_UNCHECKED: see sovo_robot_scene_set_allow_unchecked().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_free_region(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    options: *const sovo_edge_options,
    lower: *mut f64,
    upper: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let sovo_robot_scene { scene, states, .. } = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_region_options(options) }?;
        let robot = scene.robot();
        // SAFETY: As above, the caller guarantees it.
        let configuration = unsafe { states.one(robot, (positions, "positions"), count) }?;
        let [lower, upper] = [
            StridedOut::new(lower, count, size_of::<f64>(), "lower")?,
            StridedOut::new(upper, count, size_of::<f64>(), "upper")?,
        ];
        let region = scene.free_region(configuration, &options)?;
        let mut ranges: Vec<[f64; 2]> = region.at.iter().map(|&q| [q, q]).collect();
        for joint in &region.joints {
            ranges[joint.number] = [joint.lower, joint.upper];
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            lower.write_all(ranges.iter().map(|range| range[0]));
            upper.write_all(ranges.iter().map(|range| range[1]));
        }
        Ok(())
    })
}

/// # Safety
/// The requirements are those of [`read_edge_options_or`].
unsafe fn read_region_options(pointer: *const sovo_edge_options) -> Result<RegionOptions, Failure> {
    let default = RegionOptions::default();
    let of_edge = EdgeOptions::default()
        .with_resolution(default.resolution)
        .with_max_states(default.max_states);
    // SAFETY: The caller guarantees it.
    let options = unsafe { read_edge_options_or(pointer, of_edge) }?;
    for (field, is_zero) in [
        ("any_contact", options.first_contact),
        ("max_time", options.max_time.is_none()),
    ] {
        if !is_zero {
            let problem = format!("options->{field}: it must be 0 for a region");
            return Err(Failure::other(SOVO_STATUS_ERROR_OPTION, problem));
        }
    }
    Ok(default
        .with_min_separation(options.min_separation)
        .with_resolution(options.resolution)
        .with_max_states(options.max_states)
        .with_query(options.query))
}

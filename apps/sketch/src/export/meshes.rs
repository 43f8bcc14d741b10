//! The meshes of a figure's bodies in a pose, and their OBJ file.

use crate::error::SketchError;
use crate::figure::Figure;
use crate::kinematics::Angles;
use superovoid::TriangleMesh;
use superovoid::surface::write_obj;

/// The most segments of a quarter turn.
pub(crate) const MOST_SEGMENTS: usize = 512;

/// Requires a number of segments that the mesher takes.
pub(crate) fn segments_of(segments: usize) -> Result<usize, SketchError> {
    if (1..=MOST_SEGMENTS).contains(&segments) {
        return Ok(segments);
    }
    Err(SketchError::Segments(segments, MOST_SEGMENTS))
}

/// Returns the bodies as a Wavefront OBJ file, an object each, `BONE_KEY`, in metres and single precision.
///
/// # Errors
/// The error names a number of segments that is 0 or too large, a bone that does not exist, or angles that are not finite.
pub fn to_obj(figure: &Figure, angles: &Angles, segments: usize) -> Result<String, SketchError> {
    let segments = segments_of(segments)?;
    let motions = figure.motions(angles)?;
    let mut meshes: Vec<(String, TriangleMesh)> = Vec::new();
    for (id, hitbox) in figure.hitboxes() {
        let pose = motions[&hitbox.bone] * hitbox.pose();
        let mut mesh = hitbox.shape()?.tessellate(segments);
        mesh.vertices.iter_mut().for_each(|v| *v = pose * *v);
        let name = format!("{}_{}", figure.bone(hitbox.bone)?.name, id.0);
        meshes.push((name, mesh));
    }
    let named: Vec<(&str, &TriangleMesh)> =
        meshes.iter().map(|(name, mesh)| (&**name, mesh)).collect();
    let mut out = Vec::new();
    write_obj(&mut out, &named).map_err(|error| SketchError::File(error.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

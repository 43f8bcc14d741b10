//! A figure's own file: JSON with a version, read to the same bits and validated.

use crate::error::SketchError;
use crate::figure::Figure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use superovoid::pose::rotation;
use superovoid_json::JsonError;

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<F> {
    version: u32,
    figure: F,
}

/// Returns the file of a figure.
pub fn to_json(figure: &Figure) -> String {
    let file = File {
        version: VERSION,
        figure,
    };
    // Numbers are finite and keys are numbers, so that nothing can fail.
    serde_json::to_string_pretty(&file).unwrap_or_default()
}

/// Reads a figure.
///
/// # Errors
/// The error names the place in a text that is no figure, another version, or the joint, bone or hitbox that is not
/// valid.
pub fn from_json(text: &str) -> Result<Figure, JsonError> {
    let mut file: File<Figure> = superovoid_json::from_json(text, VERSION)?;
    turns(&mut file.figure)?;
    check(&file.figure)?;
    Ok(file.figure)
}

/// Divides the quaternions by their lengths.
fn turns(figure: &mut Figure) -> Result<(), JsonError> {
    for (id, hitbox) in &mut figure.hitboxes {
        let turn = rotation(hitbox.rotation)
            .map_err(|error| JsonError::value(format!("hitboxes[{}].rotation", id.0), error))?;
        hitbox.rotation = [turn.i, turn.j, turn.k, turn.w];
    }
    Ok(())
}

fn check(figure: &Figure) -> Result<(), JsonError> {
    figure.check_count().map_err(at("figure"))?;
    for (id, &position) in figure.joints() {
        let place = format!("joints[{}]", id.0);
        Figure::check_position(position.into()).map_err(at(&place))?;
        if figure.bones_at(*id).next().is_none() {
            return Err(JsonError::value(&place, "no bone has this joint"));
        }
    }
    let mut names = BTreeSet::new();
    for (&id, bone) in figure.bones() {
        let place = format!("bones[{}]", id.0);
        for joint in bone.joints {
            figure.position(joint).map_err(at(&place))?;
        }
        figure.check_name(id, &bone.name).map_err(at(&place))?;
        if !names.insert(&bone.name) {
            return Err(JsonError::value(&place, "its name is that of another bone"));
        }
        bone.articulation.check().map_err(at(&place))?;
    }
    figure.check_lengths().map_err(at("bones"))?;
    // A forest has as many edges as joints less trees.
    if figure.bones().len() + figure.roots().len() != figure.joints().len() {
        return Err(JsonError::value("bones", "they form a cycle"));
    }
    if let Some(root) = figure.root() {
        figure.position(root).map_err(at("root"))?;
    }
    for (id, hitbox) in figure.hitboxes() {
        let place = format!("hitboxes[{}]", id.0);
        figure.bone(hitbox.bone).map_err(at(&place))?;
        Figure::check_position(hitbox.center.into()).map_err(at(&place))?;
        hitbox
            .shape()
            .map_err(|error| JsonError::value(&place, error))?;
    }
    figure.check_keys().map_err(|place| {
        JsonError::value(
            &place,
            "its key must be below `next`, and of one thing alone",
        )
    })
}

fn at(place: &str) -> impl Fn(SketchError) -> JsonError {
    move |error| JsonError::value(place, error)
}

//! The path of a bite: the poses of the upper tooth.
//!
//! The published path is linear, down and up again, of 181 frames: the teeth overlap from frame 47 to frame 111, so that
//! the turn is at frame 79. With the step s, the turn n and the first contact half a frame before the frame c, the upper
//! tooth is lowered beyond first contact by
//!
//! ```text
//! s (k − c + ½)  up to the turn,      s (2n − k − c + ½)  after it.
//! ```

use crate::lift::last_contact;
use crate::tooth::is_pose;
use crate::{BiteError, Tooth};
use nalgebra::Isometry3;

/// A linear bite along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing {
    /// How many frames there are; 181 by default.
    pub frames: usize,
    /// How far the upper tooth moves in a frame, metres; 2e-5 by default.
    pub step: f64,
    /// The first frame, from 0, at which the teeth overlap; 47 by default.
    pub contact: usize,
    /// The frame at which the upper tooth turns; 79 by default.
    pub turn: usize,
}

impl Default for Closing {
    fn default() -> Self {
        Closing {
            frames: 181,
            step: 2e-5,
            contact: 47,
            turn: 79,
        }
    }
}

impl Closing {
    /// Returns a bite of another number of frames, at least 4, with contact and turn in proportion.
    pub fn of_frames(frames: usize) -> Self {
        let standard = Closing::default();
        let share = |frame: usize| (frame * frames + standard.frames / 2) / standard.frames;
        Closing {
            frames,
            contact: share(standard.contact).max(1),
            turn: share(standard.turn).max(1),
            ..standard
        }
    }

    fn validate(&self) -> Result<(), BiteError> {
        let wrong = |name, value, requirement| {
            Err(BiteError::Setting {
                name,
                value,
                requirement,
            })
        };
        if !(4..=100_000).contains(&self.frames) {
            return wrong("frames", self.frames as f64, "4 to 100000");
        }
        if !(self.step > 0.0 && self.step.is_finite()) {
            return wrong("step", self.step, "metres, finite, above 0");
        }
        if !(1..self.frames).contains(&self.contact) {
            let value = self.contact as f64;
            return wrong("contact", value, "a frame of the path, at least 1");
        }
        if !(self.contact..self.frames).contains(&self.turn) {
            let value = self.turn as f64;
            return wrong("turn", value, "a frame of the path, not before contact");
        }
        Ok(())
    }

    /// How far the upper tooth is below its first contact at a frame, metres.
    pub fn depth(&self, frame: usize) -> f64 {
        let down = if frame <= self.turn {
            frame as f64
        } else {
            2.0 * self.turn as f64 - frame as f64
        };
        self.step * (down - self.contact as f64 + 0.5)
    }
}

/// The poses of the upper tooth, in the frame in which the lower one rests.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    poses: Vec<Isometry3<f64>>,
}

impl Path {
    /// Takes any list of poses.
    ///
    /// # Errors
    /// No poses, or one that is not finite or whose quaternion is not of unit length: the error names the frame.
    pub fn new(poses: Vec<Isometry3<f64>>) -> Result<Self, BiteError> {
        if poses.is_empty() {
            return Err(BiteError::NoFrames);
        }
        match poses.iter().position(|pose| !is_pose(pose)) {
            Some(frame) => Err(BiteError::Pose {
                name: format!("frame {frame}"),
            }),
            None => Ok(Path { poses }),
        }
    }

    /// Makes the linear path of two teeth, from where they stand: the upper one is moved along z only.
    ///
    /// # Errors
    /// A setting out of its domain, or teeth that pass each other.
    pub fn closing(lower: &Tooth, upper: &Tooth, closing: &Closing) -> Result<Self, BiteError> {
        closing.validate()?;
        let here = Isometry3::identity();
        let first = last_contact(lower, upper, &here, f64::NEG_INFINITY)?;
        let first = first.ok_or(BiteError::NeverMeet)?.upper;
        let pose = |frame: usize| Isometry3::translation(0.0, 0.0, first - closing.depth(frame));
        Path::new((0..closing.frames).map(pose).collect())
    }

    /// Returns the poses, one for each frame.
    pub fn poses(&self) -> &[Isometry3<f64>] {
        &self.poses
    }
}

//! Recordings: the scene and what moved in it, in one compact file that a viewer can play, and as OBJ files.
//!
//! The file has these parts, all numbers little-endian, every part at a multiple of four bytes, so that a page can lay
//! arrays of numbers over them:
//!
//! ```text
//! "SOVOREC1"
//! u32 length of the scene, the scene as JSON in UTF-8, filled up with spaces to a multiple of 4
//! u32 number m of moving bodies, u32 × m their indices in the scene
//! u32 number c of cloths and soft solids, u32 × c their numbers of vertices, the cloths first
//! a frame: u32 1, u64 number of the frame, f64 time in seconds,
//!          f32 × 7m position and orientation (w, x, y, z) of the moving bodies, u32 × m whether they sleep,
//!          for each of these u32 whether it sleeps, f32 × 3n its vertices
//! the end: u32 0, u64 number of frames
//! ```
//!
//! Bodies that are not among the moving ones stay where the scene has them. A file without its end is refused.

#[cfg(feature = "obj")]
mod obj;

#[cfg(feature = "obj")]
pub use obj::ObjFrames;

use crate::error::SceneError;
use crate::scene::{Motion, Scene};
use crate::state::State;
use crate::validation::validate;
use std::io::{self, ErrorKind, Read, Write};
use superovoid_json::JsonError;

const MAGIC: &[u8; 8] = b"SOVOREC1";
/// Longer scenes are refused: the limits of a scene need less.
const LONGEST_SCENE: u32 = 1 << 30;

/// Returns the indices of the bodies that can move.
pub fn moving_bodies(scene: &Scene) -> Vec<usize> {
    let moves = |i: &usize| scene.bodies[*i].motion != Motion::Static;
    (0..scene.bodies.len()).filter(moves).collect()
}

/// Writes a recording, frame by frame.
pub struct RecordingWriter<W: Write> {
    out: W,
    moving: Vec<usize>,
    vertices: Vec<usize>,
    frames: u64,
}

impl<W: Write> RecordingWriter<W> {
    /// Writes the head of a recording of a scene.
    ///
    /// # Errors
    /// The errors are those of `out`, and a scene of more than a gigabyte.
    pub fn new(mut out: W, scene: &Scene) -> io::Result<Self> {
        let mut text = scene.to_json();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        if length > LONGEST_SCENE {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "the scene is too long",
            ));
        }
        let moving = moving_bodies(scene);
        let vertices = vertices(scene);
        out.write_all(MAGIC)?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(text.as_bytes())?;
        for list in [&moving, &vertices] {
            out.write_all(&(list.len() as u32).to_le_bytes())?;
            for &item in list {
                out.write_all(&(item as u32).to_le_bytes())?;
            }
        }
        Ok(RecordingWriter {
            out,
            moving,
            vertices,
            frames: 0,
        })
    }

    /// Appends a state of the scene.
    ///
    /// # Errors
    /// The errors are those of the output, and a state that is not one of the scene.
    pub fn frame(&mut self, state: &State) -> io::Result<()> {
        let cloths = state.cloths.iter().map(|cloth| cloth.positions.len());
        let solids = state.solids.iter().map(|solid| solid.positions.len());
        let counts = cloths.chain(solids);
        let fits = self.moving.last().is_none_or(|&i| i < state.bodies.len())
            && counts.eq(self.vertices.iter().copied());
        if !fits {
            let said = "the state is not one of the recorded scene";
            return Err(io::Error::new(ErrorKind::InvalidInput, said));
        }
        let out = &mut self.out;
        out.write_all(&1u32.to_le_bytes())?;
        out.write_all(&state.frame.to_le_bytes())?;
        out.write_all(&state.time.to_le_bytes())?;
        for body in self.moving.iter().map(|&i| &state.bodies[i]) {
            singles(out, &body.position)?;
            singles(out, &body.orientation)?;
        }
        for body in self.moving.iter().map(|&i| &state.bodies[i]) {
            out.write_all(&u32::from(body.asleep).to_le_bytes())?;
        }
        for cloth in &state.cloths {
            out.write_all(&u32::from(cloth.asleep).to_le_bytes())?;
            for position in &cloth.positions {
                singles(out, position)?;
            }
        }
        for solid in &state.solids {
            // Solids do not sleep.
            out.write_all(&0u32.to_le_bytes())?;
            for position in &solid.positions {
                singles(out, position)?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Writes the end and hands back the output, flushed.
    ///
    /// # Errors
    /// The errors are those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&0u32.to_le_bytes())?;
        self.out.write_all(&self.frames.to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The numbers of vertices of the cloths and of the solids.
fn vertices(scene: &Scene) -> Vec<usize> {
    let cloths = scene.cloths.iter().map(|cloth| cloth.vertices.len());
    let solids = scene.solids.iter().map(|solid| solid.vertices.len());
    cloths.chain(solids).collect()
}

fn singles(out: &mut impl Write, numbers: &[f64]) -> io::Result<()> {
    numbers
        .iter()
        .try_for_each(|x| out.write_all(&(*x as f32).to_le_bytes()))
}

/// A recording that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The scene that was simulated.
    pub scene: Scene,
    /// The indices of the bodies that can move, in the order of [`Frame::bodies`].
    pub moving: Vec<usize>,
    /// The frames, in the order of time.
    pub frames: Vec<Frame>,
}

/// A frame of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The number of the frame since the start of the simulation.
    pub frame: u64,
    /// The time since the start, seconds.
    pub time: f64,
    /// The poses of the moving bodies.
    pub bodies: Vec<Pose>,
    /// The cloths.
    pub cloths: Vec<ClothFrame>,
    /// The vertices of the soft solids, metres.
    pub solids: Vec<Vec<[f32; 3]>>,
}

/// The pose of a body in a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The origin of the shape's frame, metres.
    pub position: [f32; 3],
    /// The orientation, a unit quaternion `[w, x, y, z]` to single precision.
    pub orientation: [f32; 4],
    /// Whether the body sleeps.
    pub asleep: bool,
}

/// A cloth in a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothFrame {
    /// The vertices, metres.
    pub positions: Vec<[f32; 3]>,
    /// Whether the cloth sleeps.
    pub asleep: bool,
}

/// A file that is not a recording, or not a whole one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file does not begin as a recording of this version.
    #[error("this is no recording of version 1: it does not begin with SOVOREC1")]
    Magic,
    /// The file ends too early or cannot be read.
    #[error("the recording cannot be read to its end: {0}")]
    Io(#[from] io::Error),
    /// The scene in it is not one.
    #[error("the scene in the recording: {0}")]
    Json(#[from] JsonError),
    /// The scene in it is refused.
    #[error("the scene in the recording: {0}")]
    Scene(#[from] SceneError),
    /// A number contradicts another.
    #[error("the recording contradicts itself: {0}")]
    Contradiction(&'static str),
}

impl Recording {
    /// Reads a whole recording, and validates its scene.
    ///
    /// # Errors
    /// The error says what is wrong with the file: not a recording, not whole, or of an invalid scene.
    pub fn read(mut input: impl Read) -> Result<Recording, RecordingError> {
        let mut magic = [0; 8];
        let begins = input.read_exact(&mut magic);
        if begins.is_err() || &magic != MAGIC {
            return Err(RecordingError::Magic);
        }
        let (scene, moving) = head(&mut input)?;
        let mut frames = Vec::new();
        loop {
            match number(&mut input)? {
                1 => frames.push(frame(&mut input, &scene, moving.len())?),
                0 => break,
                _ => {
                    return Err(RecordingError::Contradiction(
                        "a frame begins with neither 0 nor 1",
                    ));
                }
            }
        }
        if long(&mut input)? != frames.len() as u64 {
            return Err(RecordingError::Contradiction("the number of frames"));
        }
        Ok(Recording {
            scene,
            moving,
            frames,
        })
    }
}

/// The scene and the indices of the moving bodies.
fn head(input: &mut impl Read) -> Result<(Scene, Vec<usize>), RecordingError> {
    let length = number(input)?;
    if length > LONGEST_SCENE {
        return Err(RecordingError::Contradiction("the length of the scene"));
    }
    let mut text = String::new();
    // Grows with what is there, so that a wrong length asks for no memory.
    input.take(u64::from(length)).read_to_string(&mut text)?;
    let scene = Scene::from_json(&text)?;
    validate(&scene)?;
    let moving = moving_bodies(&scene);
    let vertices = vertices(&scene);
    for (list, what) in [
        (&moving, "the moving bodies"),
        (&vertices, "the vertices of the cloths and solids"),
    ] {
        let same = number(input)? as usize == list.len();
        for &item in list {
            if !same || number(input)? as usize != item {
                return Err(RecordingError::Contradiction(what));
            }
        }
        if !same {
            return Err(RecordingError::Contradiction(what));
        }
    }
    Ok((scene, moving))
}

fn frame(input: &mut impl Read, scene: &Scene, moving: usize) -> Result<Frame, RecordingError> {
    let number_of_frame = long(input)?;
    let time = f64::from_bits(long(input)?);
    let mut bodies = Vec::with_capacity(moving);
    for _ in 0..moving {
        bodies.push(Pose {
            position: three(input)?,
            orientation: {
                let w = single(input)?;
                let [x, y, z] = three(input)?;
                [w, x, y, z]
            },
            asleep: false,
        });
    }
    for body in &mut bodies {
        body.asleep = number(input)? != 0;
    }
    let mut cloths = Vec::with_capacity(scene.cloths.len());
    for cloth in &scene.cloths {
        let asleep = number(input)? != 0;
        let positions = (0..cloth.vertices.len()).map(|_| three(input));
        cloths.push(ClothFrame {
            positions: positions.collect::<io::Result<_>>()?,
            asleep,
        });
    }
    let mut solids = Vec::with_capacity(scene.solids.len());
    for solid in &scene.solids {
        number(input)?;
        let positions = (0..solid.vertices.len()).map(|_| three(input));
        solids.push(positions.collect::<io::Result<_>>()?);
    }
    Ok(Frame {
        frame: number_of_frame,
        time,
        bodies,
        cloths,
        solids,
    })
}

fn number(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn long(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn single(input: &mut impl Read) -> io::Result<f32> {
    number(input).map(f32::from_bits)
}

fn three(input: &mut impl Read) -> io::Result<[f32; 3]> {
    Ok([single(input)?, single(input)?, single(input)?])
}

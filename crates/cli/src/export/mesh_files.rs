//! The mesh files that are written beside a robot, and the address by which the robot refers to them.

use crate::output::write_whole;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Component, Path, PathBuf};
use superovoid::TriangleMesh;
use superovoid::surface::{write_obj, write_stl};

/// The most triangles that MuJoCo reads from an STL file.
const STL_TRIANGLES: usize = 200_000;

/// The meshes to write, and how the robot refers to them.
pub struct MeshFiles {
    folder: PathBuf,
    /// The address of the folder, with a slash at its end where it is not empty.
    address: String,
    files: Vec<(String, TriangleMesh)>,
}

impl MeshFiles {
    /// Prepares the folder of meshes for the robot that will be the file `output`: `meshes`, or a folder beside the robot
    /// that is named after it and ends in `suffix`, one for each format, so that none takes the files of another; `address`
    /// is how readers find it, the path from the robot where it is `None`.
    ///
    /// # Errors
    /// The error names an output that cannot be written, and a folder to which no path leads from it.
    pub fn new(
        output: &Path,
        meshes: Option<&Path>,
        suffix: &str,
        address: Option<&str>,
    ) -> Result<Self> {
        can_be_written(output)?;
        let folder = match meshes {
            Some(folder) => folder.to_owned(),
            None => beside(output, suffix)?,
        };
        let address = match address {
            Some(address) if address.is_empty() || address.ends_with('/') => address.to_owned(),
            Some(address) => format!("{address}/"),
            None => path_from(output, &folder)?,
        };
        Ok(MeshFiles {
            folder,
            address,
            files: Vec::new(),
        })
    }

    /// Adds a mesh of a link, and returns its address.
    pub fn add(&mut self, link: &str, mesh: TriangleMesh) -> String {
        let ending = match mesh.triangles.len() {
            0..=STL_TRIANGLES => "stl",
            _ => "obj",
        };
        let number = self.files.len() + 1;
        let name = format!("{number:03}_{}.{ending}", file_name(link));
        let address = format!("{}{name}", self.address);
        self.files.push((name, mesh));
        address
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files, as binary STL, or OBJ where MuJoCo does not read STL.
    pub fn write(&self) -> Result<()> {
        if self.files.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        for (name, mesh) in &self.files {
            write_whole(&self.folder.join(name), |out| {
                match name.ends_with(".obj") {
                    true => write_obj(out, &[(name, mesh)]),
                    false => write_stl(out, &[mesh]),
                }
            })?;
        }
        Ok(())
    }

    /// Returns the count and the folder, for people.
    pub fn summary(&self) -> String {
        format!("{} meshes in {}", self.files.len(), self.folder.display())
    }
}

/// Returns an error for an output that is no file, before any mesh is written.
fn can_be_written(output: &Path) -> Result<()> {
    let name = output.display();
    ensure!(
        output != Path::new("-"),
        "--output -: the robot needs a file, beside which its meshes are found"
    );
    ensure!(
        !output.is_dir(),
        "--output {name}: is a folder; name a file"
    );
    if let Some(parent) = output.parent().filter(|parent| *parent != Path::new("")) {
        let parent_name = parent.display();
        ensure!(
            parent.is_dir(),
            "--output {name}: there is no folder {parent_name}; create it"
        );
    }
    Ok(())
}

fn beside(output: &Path, suffix: &str) -> Result<PathBuf> {
    let stem = output.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.with_context(|| {
        let name = output.display();
        format!("--output {name}: name a file, or a folder of meshes with --meshes")
    })?;
    Ok(output.with_file_name(format!("{stem}{suffix}")))
}

fn path_from(output: &Path, folder: &Path) -> Result<String> {
    let parent = plain(output.parent().unwrap_or(Path::new("")));
    let plain_folder = plain(folder);
    let inside = match plain_folder.strip_prefix(&parent) {
        Ok(inside) => inside,
        Err(_) if folder.is_absolute() => folder,
        Err(_) => bail!(
            "--meshes {}: is not in the folder of {}, where readers look for it; name one there, or an absolute one, or say \
             with the --address of visual and sdf how they find it",
            folder.display(),
            output.display()
        ),
    };
    let text = inside.to_str();
    let text = text.with_context(|| format!("--meshes {}: is no text", folder.display()))?;
    Ok(if text.is_empty() {
        String::new()
    } else {
        format!("{text}/")
    })
}

/// Returns a path without `.` in it.
fn plain(path: &Path) -> PathBuf {
    let here = |part: &Component| matches!(part, Component::CurDir);
    path.components().filter(|part| !here(part)).collect()
}

/// Returns the name of a link with what files may not be called replaced.
fn file_name(link: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    link.chars()
        .take(60)
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}

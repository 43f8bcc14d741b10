//! Superovoids in the text of a robot: where they are, what they hold, and what stays as it was.
//!
//! What is written is judged by maths of its own: numbers are taken from the text, rotations are
//! products of three matrices, and the gauge is that of the definition.

mod judge;
mod meshes;
mod poses;
mod random;
mod refused;
mod text;

use std::path::{Path, PathBuf};
use superovoid_fit::{Aim, FitRobotError, FittedRobot, Loss, RobotOptions, fit_robot};

/// A folder with a robot and its meshes.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, in folders that are made.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    fn fit(&self, urdf: &str, options: &RobotOptions) -> Result<FittedRobot, FitRobotError> {
        fit_robot(self.write("robot.urdf", urdf), options)
    }

    /// Fitted to few points: for what does not depend on how well the bodies fit.
    fn roughly_fitted(&self, urdf: &str) -> FittedRobot {
        self.fit(urdf, &rough()).unwrap()
    }
}

/// Without the distances both ways, which take most of the time.
fn rough() -> RobotOptions<'static> {
    let mut options = RobotOptions::default();
    options.parts.mesh.samples = 100;
    options.parts.mesh.fit.loss = Loss::Robust;
    options
}

fn enclosing() -> RobotOptions<'static> {
    let mut options = RobotOptions::default();
    options.parts.mesh.fit.aim = Aim::Enclosing;
    options
}

/// A robot of one link with these collisions.
fn robot(collisions: &str) -> String {
    format!("<robot name=\"r\"><link name=\"arm\">{collisions}</link></robot>")
}

fn mesh_collision(origin: &str, filename: &str, scale: &str) -> String {
    format!(
        "<collision>{origin}<geometry><mesh filename=\"{filename}\" scale=\"{scale}\"/></geometry></collision>"
    )
}

//! Where the mesh files of a robot are, and which of them may be read.
//!
//! A URDF may come from anywhere, so the names in it must not lead everywhere. Read is only what lies in the
//! folder of the URDF or below, or in one of the package paths or below; `..` and symbolic links are followed first,
//! and what counts is where they end.

use super::error::FitRobotError;
use super::path_problem::PathProblem;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The folders of which files may be read, as real paths.
pub(super) struct Folders {
    /// That of the URDF, where relative paths start.
    robot: PathBuf,
    packages: Vec<PathBuf>,
}

impl Folders {
    pub fn new(urdf: &Path, packages: &[PathBuf]) -> Result<Folders, FitRobotError> {
        let folder = match urdf.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let real = |path: &Path| {
            let real = path.canonicalize();
            real.map_err(|source| FitRobotError::Folder {
                path: path.into(),
                source,
            })
        };
        let packages = packages.iter().map(|path| real(path));
        Ok(Folders {
            robot: real(folder)?,
            packages: packages.collect::<Result<_, _>>()?,
        })
    }

    /// The real path of the file that a URDF names.
    pub fn find(&self, name: &str) -> Result<PathBuf, PathProblem> {
        if let Some(rest) = name.strip_prefix("package://") {
            return self.in_package(rest);
        }
        let path = name.strip_prefix("file://").unwrap_or(name);
        // `file://host/path` is on another machine.
        let is_local = path.len() == name.len() || Path::new(path).is_absolute();
        if path.contains("://") || !is_local {
            return Err(PathProblem::Address);
        }
        self.file(&self.robot.join(path))
    }

    /// The file in a package: `name/path`. A package path is the package's folder, or holds it.
    fn in_package(&self, address: &str) -> Result<PathBuf, PathProblem> {
        // Some robots have `package:///name/path`.
        let address = address.trim_start_matches('/');
        let (package, rest) = address.split_once('/').unwrap_or((address, ""));
        let mut parts = Path::new(package).components();
        let named = matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(_)), None)
        );
        if !named || rest.is_empty() {
            return Err(PathProblem::Address);
        }
        // A second slash would make `rest` a path from the root.
        let rest = rest.trim_start_matches('/');
        for folder in self.packages.iter().chain([&self.robot]) {
            let is_it = folder.file_name().is_some_and(|name| name == package);
            let candidates = [is_it.then(|| folder.clone()), Some(folder.join(package))];
            for candidate in candidates.into_iter().flatten() {
                match self.file(&candidate.join(rest)) {
                    Err(PathProblem::Missing { source, .. })
                        if source.kind() == ErrorKind::NotFound => {}
                    found => return found,
                }
            }
        }
        Err(PathProblem::NoPackage {
            package: package.to_owned(),
        })
    }

    /// The real path of a file that may be read.
    fn file(&self, path: &Path) -> Result<PathBuf, PathProblem> {
        let outside = |path| Err(PathProblem::Outside { path });
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(source) => {
                // Of what lies outside nothing is told, not even whether it is there.
                let path = without_dots(path);
                if !self.may_read(&path) {
                    return outside(path);
                }
                return Err(PathProblem::Missing { path, source });
            }
        };
        if !self.may_read(&real) {
            return outside(real);
        }
        if !real.is_file() {
            return Err(PathProblem::NoFile { path: real });
        }
        Ok(real)
    }

    fn may_read(&self, path: &Path) -> bool {
        let mut folders = self.packages.iter().chain([&self.robot]);
        folders.any(|folder| path.starts_with(folder))
    }
}

/// The path with `.` and `..` carried out.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `robots/arm/arm.urdf` with meshes around it, and a secret beside `robots`.
    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new() -> Tree {
            let folder = tempfile::tempdir().unwrap();
            for file in [
                "robots/arm/arm.urdf",
                "robots/arm/meshes/a.stl",
                "robots/arm/hand/b.stl",
                "robots/grip/b.stl",
                "secret/s.stl",
            ] {
                let path = folder.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
            Tree(folder)
        }

        fn path(&self, path: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(path)
        }

        fn folders(&self, packages: &[&str]) -> Folders {
            let packages: Vec<PathBuf> = packages.iter().map(|p| self.path(p)).collect();
            Folders::new(&self.path("robots/arm/arm.urdf"), &packages).unwrap()
        }

        fn message(&self, packages: &[&str], name: &str) -> String {
            self.folders(packages).find(name).unwrap_err().to_string()
        }
    }

    #[test]
    fn names_of_every_kind_are_found() {
        let tree = Tree::new();
        let absolute = format!("file://{}", tree.path("robots/arm/meshes/a.stl").display());
        for (packages, name, file) in [
            (&[][..], "meshes/a.stl", "robots/arm/meshes/a.stl"),
            (&[], "./meshes/../meshes/a.stl", "robots/arm/meshes/a.stl"),
            (&[], &absolute, "robots/arm/meshes/a.stl"),
            (&[], &absolute[7..], "robots/arm/meshes/a.stl"),
            // The folder of the URDF is, or holds, the package.
            (&[], "package://arm/meshes/a.stl", "robots/arm/meshes/a.stl"),
            (&[], "package://hand/b.stl", "robots/arm/hand/b.stl"),
            (&["robots"], "package://grip/b.stl", "robots/grip/b.stl"),
            (&["robots"], "package:///grip/b.stl", "robots/grip/b.stl"),
            (
                &["robots/grip"],
                "package://grip//b.stl",
                "robots/grip/b.stl",
            ),
            (&["robots"], "../grip/b.stl", "robots/grip/b.stl"),
            // The package paths come first, in their order.
            (
                &["secret", "robots/arm/hand"],
                "package://hand/b.stl",
                "robots/arm/hand/b.stl",
            ),
        ] {
            let found = tree.folders(packages).find(name).unwrap();
            assert_eq!(found, tree.path(file), "{name}");
        }
    }

    #[test]
    fn names_that_lead_out_are_refused_with_the_option_that_would_allow_them() {
        let tree = Tree::new();
        let secret = tree.path("secret/s.stl").display().to_string();
        for name in [
            "../../secret/s.stl",
            "meshes/../../../secret/s.stl",
            "package://arm/../../secret/s.stl",
            "package://arm/meshes/../../../secret/s.stl",
            &secret,
            &format!("file://{secret}"),
            // Not there.
            "../../secret/t.stl",
            "/etc/passwd",
        ] {
            let message = tree.message(&[], name);
            assert!(
                message.contains("outside of the folders"),
                "{name}: {message}"
            );
            assert!(message.contains("--package-path"), "{name}: {message}");
        }
        // Beside a folder whose name starts alike.
        std::fs::create_dir(tree.path("robots/arm2")).unwrap();
        std::fs::write(tree.path("robots/arm2/c.stl"), "").unwrap();
        assert!(tree.message(&[], "../arm2/c.stl").contains("outside"));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_before_it_is_decided() {
        use std::os::unix::fs::symlink;
        let tree = Tree::new();
        symlink(tree.path("secret"), tree.path("robots/arm/out")).unwrap();
        symlink(
            tree.path("secret/s.stl"),
            tree.path("robots/arm/meshes/s.stl"),
        )
        .unwrap();
        symlink(tree.path("robots/grip"), tree.path("robots/arm/grip")).unwrap();
        for name in [
            "out/s.stl",
            "meshes/s.stl",
            "package://out/s.stl",
            "grip/b.stl",
        ] {
            assert!(tree.message(&[], name).contains("outside"), "{name}");
        }
        let found = tree.folders(&["robots/grip"]).find("grip/b.stl").unwrap();
        assert_eq!(found, tree.path("robots/grip/b.stl"));
        // `..` after a link leads to where the link's target is.
        let message = tree.message(&[], "out/../meshes/a.stl");
        assert!(
            message.contains("not there") || message.contains("outside"),
            "{message}"
        );
    }

    #[test]
    fn what_is_no_file_and_what_is_no_address_is_said() {
        let tree = Tree::new();
        for (name, part) in [
            ("meshes/none.stl", "is not there"),
            ("meshes", "is no file"),
            ("package://none/a.stl", "no package \"none\""),
            ("package://arm/none.stl", "no package \"arm\""),
            ("package://arm", "is no address"),
            ("package://arm/", "is no address"),
            ("package://../arm/meshes/a.stl", "is no address"),
            ("package:///etc/passwd", "no package \"etc\""),
            ("package:////", "is no address"),
            ("file://host/meshes/a.stl", "is no address"),
            ("file://meshes/a.stl", "is no address"),
            ("http://example.org/a.stl", "is no address"),
            ("model://arm/meshes/a.stl", "is no address"),
        ] {
            let message = tree.message(&[], name);
            assert!(message.contains(part), "{name}: {message}");
        }
    }

    #[test]
    fn package_paths_must_be_there() {
        let tree = Tree::new();
        let found = Folders::new(&tree.path("robots/arm/arm.urdf"), &[tree.path("none")]);
        let message = found.err().unwrap().to_string();
        assert!(message.contains("none"), "{message}");
    }
}

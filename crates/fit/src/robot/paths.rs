//! Where the mesh files of a robot are, and which of them may be read.
//!
//! A URDF may come from anywhere, so the names in it must not lead everywhere. Read is only what lies in the
//! folder of the URDF or below, in one of the package paths or below, or in the package that the URDF is in; `..` and
//! symbolic links are followed first, and what counts is where they end.

use super::address::{Address, readings};
use super::error::FitRobotError;
use super::packages::{Package, below, name_of};
use super::path_problem::PathProblem;
use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};

/// The folders of which files may be read, as real paths.
pub(super) struct Folders {
    /// That of the URDF, where relative paths start.
    robot: PathBuf,
    packages: Vec<PathBuf>,
    below: OnceCell<Vec<Vec<Package>>>,
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
            below: OnceCell::new(),
        })
    }

    fn of(folder: PathBuf) -> Folders {
        Folders {
            robot: folder,
            packages: Vec::new(),
            below: OnceCell::new(),
        }
    }

    /// The real path of the file that a URDF names.
    pub fn find(&self, name: &str) -> Result<PathBuf, PathProblem> {
        let mut missing = None;
        for address in readings(name)? {
            let found = match &address {
                Address::Path(path) => self.file(&self.robot.join(path)),
                Address::Package { package, path } => self.in_package(package, path),
            };
            match found {
                Err(problem) if problem.is_missing() => missing = missing.or(Some(problem)),
                found => return found,
            }
        }
        Err(missing.unwrap_or(PathProblem::Address))
    }

    /// The file in a package. A package path or the folder of the URDF is the package's folder or holds it, or the URDF
    /// is in the package. The name of a package is that in its `package.xml`; where none has the name, it is that of
    /// the folder.
    fn in_package(&self, package: &str, path: &str) -> Result<PathBuf, PathProblem> {
        for (root, known) in self.roots().zip(self.packages_below()) {
            let mut named = known.iter().filter(|known| known.name == package);
            if let (Some(first), Some(second)) = (named.next(), named.next()) {
                return Err(PathProblem::TwoPackages {
                    package: package.to_owned(),
                    folders: Box::new([first, second].map(|known| known.folder.clone())),
                });
            }
            let mut named = known.iter().filter(|known| known.name == package);
            let listed = named.next().map(|known| known.folder.clone());
            let called = called(root, package).filter(|folder| name_of(folder).is_none());
            for folder in listed.into_iter().chain(called) {
                match self.file(&folder.join(path)) {
                    Err(problem) if problem.is_missing() => {}
                    found => return found,
                }
            }
        }
        let mut around = self.robot.ancestors().skip(1);
        if let Some(own) = around.find(|folder| name_of(folder).is_some_and(|name| name == package))
        {
            // The robot is a part of this package, whose files may be read therefore.
            let own = Folders::of(own.to_owned());
            match own.file(&own.robot.join(path)) {
                Err(problem) if problem.is_missing() => {}
                found => return found,
            }
        }
        for folder in self.roots().flat_map(|root| called(root, package)) {
            match self.file(&folder.join(path)) {
                Err(problem) if problem.is_missing() => {}
                found => return found,
            }
        }
        Err(PathProblem::NoPackage {
            package: package.to_owned(),
        })
    }

    /// The package paths, and then the folder of the URDF.
    fn roots(&self) -> impl Iterator<Item = &PathBuf> {
        self.packages.iter().chain([&self.robot])
    }

    /// The packages in each of the roots, which are searched once.
    fn packages_below(&self) -> &[Vec<Package>] {
        self.below
            .get_or_init(|| self.roots().map(|root| below(root)).collect())
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
        self.roots().any(|folder| path.starts_with(folder))
    }
}

/// The folders that have the name of a package: one of those that may be read, and the one of this name in it.
fn called(root: &Path, package: &str) -> impl Iterator<Item = PathBuf> {
    let is_it = root.file_name().is_some_and(|name| name == package);
    let itself = is_it.then(|| root.to_owned());
    itself.into_iter().chain([root.join(package)])
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

    /// A folder of packages: `ws/arm-1.2` is called "arm" in its package.xml, and so on.
    fn workspace() -> Tree {
        let folder = tempfile::tempdir().unwrap();
        let tree = Tree(folder);
        for (file, text) in [
            (
                "ws/arm-1.2/package.xml",
                "<package format='3'><name> arm </name></package>",
            ),
            ("ws/arm-1.2/urdf/arm.urdf", ""),
            ("ws/arm-1.2/meshes/a.stl", ""),
            (
                "ws/deep/down/tool_dir/package.xml",
                "<?xml version='1.0'?>\n<package><name>tool</name></package>",
            ),
            ("ws/deep/down/tool_dir/t.stl", ""),
            // Not searched: inside a package, left out, hidden.
            (
                "ws/arm-1.2/inner/package.xml",
                "<package><name>inner</name></package>",
            ),
            ("ws/arm-1.2/inner/i.stl", ""),
            ("ws/left/COLCON_IGNORE", ""),
            (
                "ws/left/out/package.xml",
                "<package><name>left_out</name></package>",
            ),
            ("ws/left/out/l.stl", ""),
            // The folder's name is that of another package, or of none.
            (
                "ws/grip/package.xml",
                "<package><name>hand</name></package>",
            ),
            ("ws/grip/g.stl", ""),
            ("ws/broken/package.xml", "<package><name>"),
            ("ws/broken/b.stl", ""),
            (
                "ws/twice/one/package.xml",
                "<package><name>two</name></package>",
            ),
            ("ws/twice/one/2.stl", ""),
            (
                "ws/twice/other/package.xml",
                "<package><name>two</name></package>",
            ),
            ("ws/twice/other/2.stl", ""),
            (
                "over/arm/package.xml",
                "<package><name>arm</name></package>",
            ),
            ("over/arm/meshes/a.stl", ""),
        ] {
            let path = tree.path(".").join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        tree
    }

    #[test]
    fn a_package_has_the_name_in_its_package_xml() {
        let tree = workspace();
        let find = |packages: &[&str], name: &str| {
            let packages: Vec<PathBuf> = packages.iter().map(|p| tree.path(p)).collect();
            let folders = Folders::new(&tree.path("ws/arm-1.2/urdf/arm.urdf"), &packages);
            folders.unwrap().find(name)
        };
        for (packages, name, file) in [
            (
                &["ws"][..],
                "package://arm/meshes/a.stl",
                "ws/arm-1.2/meshes/a.stl",
            ),
            (
                &["ws/arm-1.2"],
                "package://arm/meshes/a.stl",
                "ws/arm-1.2/meshes/a.stl",
            ),
            (
                &["ws"],
                "package://tool/t.stl",
                "ws/deep/down/tool_dir/t.stl",
            ),
            (&["ws"], "package://hand/g.stl", "ws/grip/g.stl"),
            // Where no package has the name, a folder may have it.
            (&["ws"], "package://grip/g.stl", "ws/grip/g.stl"),
            (&["ws"], "package://broken/b.stl", "ws/broken/b.stl"),
            (
                &["ws"],
                "package://arm-1.2/meshes/a.stl",
                "ws/arm-1.2/meshes/a.stl",
            ),
            // The first package path that has it counts, as in ROS.
            (
                &["over", "ws"],
                "package://arm/meshes/a.stl",
                "over/arm/meshes/a.stl",
            ),
            (
                &["ws", "over"],
                "package://arm/meshes/a.stl",
                "ws/arm-1.2/meshes/a.stl",
            ),
            (
                &["ws/twice/other", "ws"],
                "package://two/2.stl",
                "ws/twice/other/2.stl",
            ),
            // The package that the robot is in needs no package path.
            (&[], "package://arm/meshes/a.stl", "ws/arm-1.2/meshes/a.stl"),
        ] {
            let found = find(packages, name).unwrap_or_else(|e| panic!("{name} {e}"));
            assert_eq!(found, tree.path(file), "{name}");
        }
        for (packages, name, parts) in [
            (
                &[][..],
                "package://tool/t.stl",
                &["no package \"tool\"", "--package-path"][..],
            ),
            (&["ws"], "package://inner/i.stl", &["no package"]),
            (&["ws"], "package://left_out/l.stl", &["no package"]),
            (
                &[],
                "package://arm/../grip/g.stl",
                &["outside of the folders"],
            ),
            (
                &["ws"],
                "package://two/2.stl",
                &["two packages", "twice/one", "twice/other"],
            ),
        ] {
            let message = find(packages, name).unwrap_err().to_string();
            for part in parts {
                assert!(message.contains(part), "{name}: {message}");
            }
        }
    }

    #[test]
    fn percent_signs_of_addresses_are_characters() {
        let tree = Tree::new();
        for file in [
            "robots/my arm/a b.stl",
            "robots/my arm/100%.stl",
            "robots/my arm/a%20c.stl",
            "robots/my arm/ä.stl",
        ] {
            let path = tree.path(".").join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let base = tree.path("robots").display().to_string();
        for (name, file) in [
            ("package://my%20arm/a%20b.stl".to_owned(), "a b.stl"),
            ("package://my arm/a b.stl".to_owned(), "a b.stl"),
            ("PACKAGE://my%20arm/%61%20b.stl".to_owned(), "a b.stl"),
            (format!("file://{base}/my%20arm/a%20b.stl"), "a b.stl"),
            (
                format!("file://localhost{base}/my%20arm/a%20b.stl"),
                "a b.stl",
            ),
            (format!("file:{base}/my%20arm/a%20b.stl"), "a b.stl"),
            (format!("file://{base}/my arm/%C3%A4.stl"), "ä.stl"),
            // What is no such sign stays.
            ("package://my%20arm/100%.stl".to_owned(), "100%.stl"),
            ("package://my%20arm/100%25.stl".to_owned(), "100%.stl"),
            // A name that has the signs on the disk, and a path, which is no address.
            ("package://my arm/a%20c.stl".to_owned(), "a%20c.stl"),
            ("../my arm/a%20c.stl".to_owned(), "a%20c.stl"),
        ] {
            let found = tree.folders(&["robots"]).find(&name);
            let found = found.unwrap_or_else(|e| panic!("{name} {e}"));
            assert_eq!(found, tree.path("robots/my arm").join(file), "{name}");
        }
        for name in [
            "package://my%20arm/%2e%2e/%2e%2e/secret/s.stl",
            "package://my%20arm/..%2f..%2fsecret/s.stl",
            &format!("file://{base}/%2e%2e/secret/s.stl"),
        ] {
            let message = tree.message(&["robots"], name);
            assert!(
                message.contains("outside of the folders"),
                "{name}: {message}"
            );
        }
        for name in [
            "package://a%2Fb/c.stl",
            "package://my%20arm/%00.stl",
            "package://%2e%2e/a.stl",
        ] {
            tree.message(&["robots"], name);
        }
    }

    #[test]
    #[cfg(not(windows))]
    fn paths_of_windows_are_read_or_named() {
        let tree = Tree::new();
        for name in [
            r"meshes\a.stl",
            r".\meshes\a.stl",
            r"meshes\..\meshes/a.stl",
        ] {
            let found = tree.folders(&[]).find(name).unwrap();
            assert_eq!(found, tree.path("robots/arm/meshes/a.stl"), "{name}");
        }
        for name in [
            r"C:\robots\a.stl",
            "C:/robots/a.stl",
            "file:///C:/robots/a.stl",
            "file:///C:%5Crobots%5Ca.stl",
            r"\\server\share\a.stl",
        ] {
            let message = tree.message(&[], name);
            assert!(message.contains("Windows"), "{name}: {message}");
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

//! The packages of ROS in folders, by the names in their `package.xml`.
//!
//! As `rospack` does it, the folders below a package path are searched, but not those inside packages; among several
//! package paths the first one that has the package counts.

use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A package, and the name in its `package.xml`.
#[derive(Debug)]
pub(super) struct Package {
    pub name: String,
    pub folder: PathBuf,
}

/// The number of folders that are searched below one, so that a search ends soon wherever it begins.
const MOST: usize = 20_000;

/// Files that keep the tools of ROS out of a folder.
const IGNORED: [&str; 3] = ["COLCON_IGNORE", "AMENT_IGNORE", "CATKIN_IGNORE"];

/// The packages in a folder: itself, or those below it, the nearest first and then by their paths. Links are not
/// followed, so that the search ends.
pub(super) fn below(folder: &Path) -> Vec<Package> {
    let mut packages = Vec::new();
    let mut open = VecDeque::from([folder.to_owned()]);
    let mut searched = 0;
    while let Some(folder) = open.pop_front().filter(|_| searched < MOST) {
        searched += 1;
        if let Some(name) = name_of(&folder) {
            packages.push(Package { name, folder });
            continue;
        }
        if IGNORED.iter().any(|file| folder.join(file).exists()) {
            continue;
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            !hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
        });
        let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
        folders.sort();
        open.extend(folders);
    }
    packages
}

/// The name in the `package.xml` of a folder, if it has one.
pub(super) fn name_of(folder: &Path) -> Option<String> {
    /// No such file is longer.
    const BYTES: u64 = 1 << 20;
    let file = std::fs::File::open(folder.join("package.xml")).ok()?;
    let mut text = String::new();
    file.take(BYTES).read_to_string(&mut text).ok()?;
    let text = text.trim_start_matches('\u{feff}');
    let document = roxmltree::Document::parse(text).ok()?;
    let mut parts = document.root_element().children();
    let name = parts.find(|part| part.has_tag_name("name"))?.text()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

//! Embeds the studio's page if it is built: `apps/studio/dist` becomes a table of paths and contents.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, process};

fn main() {
    if let Err(error) = write_table() {
        eprintln!("the studio's page cannot be embedded: {error}");
        process::exit(1);
    }
}

fn write_table() -> io::Result<()> {
    let folder = |name| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let studio = folder("CARGO_MANIFEST_DIR").join("../../apps/studio");
    let page = studio.join("dist");
    println!("cargo::rerun-if-changed=build.rs");
    // Where the page is not built yet, building it changes the folder.
    for watched in [&page, &studio] {
        if watched.is_dir() {
            println!("cargo::rerun-if-changed={}", watched.display());
            break;
        }
    }
    let mut files = Vec::new();
    if page.join("index.html").is_file() {
        collect(&page, "", &mut files)?;
    }
    files.sort();
    // Copies, which a later build of the page leaves alone.
    let out = folder("OUT_DIR");
    let copies = out.join("studio");
    fs::create_dir_all(&copies)?;
    let mut table = File::create(out.join("page.rs"))?;
    writeln!(table, "&[")?;
    for (index, (name, path)) in files.iter().enumerate() {
        let copy = copies.join(index.to_string());
        fs::copy(path, &copy)?;
        writeln!(table, "    ({name:?}, include_bytes!({copy:?})),")?;
    }
    writeln!(table, "]")
}

/// Lists the files below a folder, with their paths from its top.
fn collect(folder: &Path, above: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path().canonicalize()?;
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let name = format!("{above}{name}");
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else {
            files.push((name, path));
        }
    }
    Ok(())
}

//! Output files that are there whole or not at all.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// Lets `fill` write the file at `path`, or standard output for `-`.
///
/// A file is written beside its destination under a temporary name and renamed when it is
/// complete, so that an error leaves what was there before.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    if path == Path::new("-") {
        // Not the locked standard output itself, which would flush at every line.
        let mut out = BufWriter::new(io::stdout().lock());
        return fill(&mut out)
            .and_then(|()| out.flush())
            .context("standard output");
    }
    write_file(path, fill).with_context(|| path.display().to_string())
}

fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // Through symbolic links: the link stays and its target is replaced.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    if target.is_dir() {
        let message = "is a folder; name a file in it";
        return Err(io::Error::new(ErrorKind::IsADirectory, message));
    }
    if target.exists() && !target.is_file() {
        // A pipe or a device must not be replaced by a file.
        let mut out = BufWriter::new(File::options().write(true).open(&target)?);
        fill(&mut out)?;
        return out.flush();
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // What `File::create` asks for and the umask then narrows; a temporary file would be
        // readable by its owner alone.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut out = BufWriter::new(builder.tempfile_in(folder)?);
    fill(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(&target)?;
    Ok(())
}

/// Whether the reader of standard output went away.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|c| c.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

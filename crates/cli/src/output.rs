//! Output files that are there whole or not at all.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use superovoid::Outcome;

/// Lets `fill` write the file at `path`, or standard output for `-`.
///
/// A file is written next to its destination under a temporary name and renamed when it is
/// complete, so that an error leaves an existing file unchanged.
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
    if !folder.is_dir() {
        // Otherwise the message would name the temporary file.
        let message = format!("there is no folder {}; create it", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, message));
    }
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

/// Whether the reader of standard output has closed the pipe.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|c| c.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Returns an error if the output is the input file.
pub fn refuse_to_overwrite(input: &Path, output: &Path) -> Result<()> {
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output && input.is_file(),
        // Standard streams, and files that are not there yet.
        _ => false,
    };
    anyhow::ensure!(
        !same,
        "{}: is the input; name another output",
        output.display()
    );
    Ok(())
}

/// A progress bar on standard error, drawn only if that is a terminal.
pub fn progress_bar(count: usize, what: &str) -> Result<ProgressBar> {
    let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {what}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).context("progress bar")?;
    Ok(ProgressBar::new(count as u64).with_style(style))
}

/// Returns the name of an outcome in the output columns.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Certified => "certified",
        Outcome::Converged => "converged",
        Outcome::Beyond => "beyond",
        _ => "not_converged",
    }
}

/// Returns 17 significant digits, enough to read the same double back.
pub fn write_number(out: &mut dyn Write, number: f64) -> io::Result<()> {
    write!(out, "{number:.16e}")
}

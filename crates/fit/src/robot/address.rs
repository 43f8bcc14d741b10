//! What the name of a mesh file in a URDF says: a path, or an address of a package or file.

use super::path_problem::PathProblem;
use percent_encoding::percent_decode_str;
use std::path::{Component, Path};

/// A place that a name may mean.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// A path, from the folder of the URDF if it is relative.
    Path(String),
    /// A path in a package.
    Package { package: String, path: String },
}

/// What a name means, and what it means to programs that take it otherwise, in the order in which they are tried: an
/// address without its percent signs (`%20` is a blank) and as it is written, a path as it is written and with `/` for
/// the `\` of Windows.
pub(super) fn readings(name: &str) -> Result<Vec<Address>, PathProblem> {
    let scheme = |prefix: &str| {
        let begins = name.get(..prefix.len())?.eq_ignore_ascii_case(prefix);
        begins.then(|| &name[prefix.len()..])
    };
    if let Some(rest) = scheme("package://") {
        let known: Vec<Address> = both(rest).iter().filter_map(|text| package(text)).collect();
        return Some(known)
            .filter(|known| !known.is_empty())
            .ok_or(PathProblem::Address);
    }
    let file = match scheme("file://") {
        // `file://host/path` is on another machine.
        Some(rest) => Some(rest.strip_prefix("localhost/").map_or(rest, |_| &rest[9..])),
        None => scheme("file:").filter(|rest| rest.starts_with('/')),
    };
    let paths = match file {
        Some(path) if path.starts_with('/') => both(path),
        None if !name.contains("://") => [name.to_owned(), name.replace('\\', "/")].into(),
        _ => return Err(PathProblem::Address),
    };
    let mut addresses = Vec::new();
    for path in paths {
        // `file:///C:/a.stl` too.
        if is_of_windows(path.strip_prefix('/').unwrap_or(&path)) {
            return Err(PathProblem::Windows);
        }
        let address = Address::Path(path);
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

/// The text without its percent signs, where that is text, and as it is.
fn both(text: &str) -> Vec<String> {
    let decoded = percent_decode_str(text).decode_utf8();
    let decoded = decoded.ok().filter(|path| !path.contains('\0'));
    let mut both: Vec<String> = decoded.into_iter().map(Into::into).collect();
    if both.first().is_none_or(|decoded| decoded != text) {
        both.push(text.to_owned());
    }
    both
}

/// The address `name/path`; some robots have `/name/path`.
fn package(text: &str) -> Option<Address> {
    let text = text.trim_start_matches('/');
    let (package, path) = text.split_once('/').unwrap_or((text, ""));
    let mut parts = Path::new(package).components();
    let first = parts.next();
    let is_name = matches!(first, Some(Component::Normal(_))) && parts.next().is_none();
    // A second slash would make the rest a path from the root.
    let path = path.trim_start_matches('/');
    let [package, path] = [package, path].map(str::to_owned);
    (is_name && !path.is_empty()).then_some(Address::Package { package, path })
}

/// Whether a path begins with a drive or a computer of Windows, on another system.
fn is_of_windows(path: &str) -> bool {
    let is_drive =
        matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    !cfg!(windows) && (is_drive || path.starts_with(r"\\"))
}

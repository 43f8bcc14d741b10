//! Errors of the XML parser, in the words of a person who repairs the file, with their place.

use super::error::{UrdfProblem, quoted};
use super::limits::{Outline, UrdfLimits, outline};
use super::lines::Lines;
use roxmltree::Error;

/// Returns the place where the text is not well-formed, and the reason.
pub(super) fn problem(lines: &Lines, error: &Error) -> (usize, UrdfProblem) {
    let text = lines.text;
    let found = lines.byte(error.pos().row, error.pos().col);
    let at = match error {
        Error::DtdDetected => before(text).declaration.unwrap_or(0),
        // The parser reports the place of the prefix.
        Error::UnknownNamespace(..) if text[..found].ends_with('<') => found - 1,
        Error::NoRootNode | Error::UnclosedRootNode | Error::UnexpectedEndOfStream => text.len(),
        _ => found,
    };
    let problem = match error {
        Error::DtdDetected => UrdfProblem::Doctype,
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => UrdfProblem::Xacro {
            element: tag(text, at),
        },
        _ => UrdfProblem::Xml(message(lines, at, error)),
    };
    (at, problem)
}

/// Parses the text up to its end.
fn before(text: &str) -> Outline {
    outline(text, &UrdfLimits::NONE).unwrap_or_default()
}

fn message(lines: &Lines, at: usize, error: &Error) -> String {
    let text = lines.text;
    let actual = text[at..].chars().next();
    match error {
        Error::NoRootNode if text.trim().is_empty() => {
            "the file is empty; expected a <robot>".to_owned()
        }
        Error::NoRootNode => "the file ends without a root element; expected a <robot>".to_owned(),
        Error::UnclosedRootNode => format!("the file ends{}", inside(lines, text.len())),
        Error::UnexpectedEndOfStream => {
            let inside = inside(lines, text.len());
            format!("the file ends in the middle of a tag{inside}")
        }
        Error::InvalidString(expected, _) if at == text.len() => {
            format!("the file ends{}; expected {expected}", inside(lines, at))
        }
        Error::InvalidString(expected, _) => format!("expected {expected}"),
        Error::UnexpectedCloseTag(expected, actual, _) => {
            let [expected, actual] = [expected, actual].map(|name| shown(name));
            let inside = inside(lines, at);
            format!("</{actual}>{inside}; expected </{expected}>")
        }
        Error::UnknownToken(_) | Error::NonXmlChar(..) if actual == Some('\0') => {
            "a NUL character (a byte of value 0); expected none: the file may be padded or cut off"
                .to_owned()
        }
        Error::UnknownToken(_) if at == 0 => {
            "the file does not begin with <; expected XML with a <robot>".to_owned()
        }
        Error::UnknownToken(_) => {
            "something that is no part of XML, or after the end of the root element".to_owned()
        }
        Error::UnknownNamespace(prefix, _) => {
            let prefix = shown(prefix);
            format!(
                "the prefix {prefix}: is not declared; expected xmlns:{prefix}=\"…\" on <robot>"
            )
        }
        Error::DuplicatedAttribute(name, _) => {
            format!("a second attribute {}; expected it once", shown(name))
        }
        Error::UnknownEntityReference(name, _) => format!(
            "&{}; is not defined; XML has &amp; &lt; &gt; &quot; &apos; only",
            shown(name)
        ),
        Error::MalformedEntityReference(_) => {
            "& begins a reference, but no valid one follows; expected &amp; for the character"
                .to_owned()
        }
        Error::InvalidChar(quote @ (b'"' | b'\''), b'<', _) => format!(
            "< inside an attribute; expected &lt;, or the closing {} before it",
            char::from(*quote)
        ),
        Error::InvalidChar(expected, ..) => {
            let expected = char::from(*expected);
            found_instead(actual, &format!("{expected:?}"))
        }
        Error::InvalidChar2(expected, ..) => found_instead(actual, expected),
        Error::NonXmlChar(c, _) => format!("{c:?} is a character that XML does not allow"),
        Error::InvalidName(_) => "a name cannot begin like this".to_owned(),
        // The position is reported once, in front of the message.
        _ => error
            .to_string()
            .replace(&format!(" at {}", error.pos()), ""),
    }
}

fn found_instead(actual: Option<char>, expected: &str) -> String {
    match actual {
        Some(actual) => format!("found {actual:?}; expected {expected}"),
        None => format!("the file ends; expected {expected}"),
    }
}

/// Returns ` inside <link> (line 3, column 5)`: the element that is open before a byte, if there is one.
fn inside(lines: &Lines, byte: usize) -> String {
    let open = before(&lines.text[..byte]).open;
    open.last().map_or_else(String::new, |&start| {
        let (line, column) = lines.position(start);
        let name = tag(lines.text, start);
        format!(" inside <{name}> (line {line}, column {column})")
    })
}

/// Returns the name in the tag at a byte.
pub(super) fn tag(text: &str, start: usize) -> String {
    let ends = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
    let name = text[start + 1..].split(ends).next();
    shown(name.unwrap_or_default())
}

/// Returns a name, shortened like one in quotes.
fn shown(name: &str) -> String {
    quoted(name).replace('"', "")
}

//! What the XML parser reports, in the words of somebody who mends the file, and where it is.

use super::error::{UrdfProblem, quoted};
use super::limits::{Outline, UrdfLimits, outline};
use super::lines::Lines;
use roxmltree::Error;

/// Where the text is not well-formed, and why.
pub(super) fn problem(lines: &Lines, error: &Error) -> (usize, UrdfProblem) {
    let text = lines.text;
    let found = lines.byte(error.pos().row, error.pos().col);
    let at = match error {
        Error::DtdDetected => before(text).declaration.unwrap_or(0),
        Error::NoRootNode | Error::UnclosedRootNode | Error::UnexpectedEndOfStream => text.len(),
        _ => found,
    };
    let problem = match error {
        Error::DtdDetected => UrdfProblem::Doctype,
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => UrdfProblem::Xacro {
            element: "xacro:…".to_owned(),
        },
        _ => UrdfProblem::Xml(message(lines, at, error)),
    };
    (at, problem)
}

/// The text taken apart up to its end.
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
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            let open = before(text).open;
            match open.last() {
                Some(&start) => format!("the file ends inside {}", tag_and_place(lines, start)),
                None => "the file ends too early".to_owned(),
            }
        }
        Error::UnexpectedCloseTag(expected, actual, _) => {
            let open = before(&text[..at]).open;
            let started = open.last().map_or_else(String::new, |&start| {
                format!(", to close {}", tag_and_place(lines, start))
            });
            let [expected, actual] = [expected, actual].map(|name| shown(name));
            format!("</{actual}> is wrong here; expected </{expected}>{started}")
        }
        Error::UnknownToken(_) if at == 0 => {
            "the file does not begin with <; expected XML with a <robot>".to_owned()
        }
        Error::UnknownToken(_) => {
            "something that is no part of XML, or after the end of the root element".to_owned()
        }
        Error::UnknownNamespace(prefix, _) => {
            let prefix = shown(prefix);
            format!("the prefix {prefix}: is not declared; expected xmlns:{prefix}=\"…\" on <robot>")
        }
        Error::DuplicatedAttribute(name, _) => {
            format!("a second attribute {}; expected one at most", shown(name))
        }
        Error::UnknownEntityReference(name, _) => format!(
            "&{}; is not defined; XML has &amp; &lt; &gt; &quot; &apos; only",
            shown(name)
        ),
        Error::MalformedEntityReference(_) => {
            "& begins a reference such as &amp; but none follows; expected &amp; for the character"
                .to_owned()
        }
        Error::InvalidChar(quote @ (b'"' | b'\''), b'<', _) => format!(
            "< inside an attribute; expected &lt;, or the closing {} before it",
            char::from(*quote)
        ),
        Error::InvalidChar(expected, ..) => match actual {
            Some(actual) => format!("{actual:?}; expected {:?}", char::from(*expected)),
            None => format!("the file ends; expected {:?}", char::from(*expected)),
        },
        Error::InvalidChar2(expected, ..) => match actual {
            Some(actual) => format!("{actual:?}; expected {expected}"),
            None => format!("the file ends; expected {expected}"),
        },
        Error::InvalidName(_) => "a name cannot begin like this".to_owned(),
        // The position is told once, in front of the message.
        _ => error.to_string().replace(&format!(" at {}", error.pos()), ""),
    }
}

/// `<link> (line 3, column 5)`.
fn tag_and_place(lines: &Lines, start: usize) -> String {
    let (line, column) = lines.position(start);
    let ends = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
    let name = lines.text[start + 1..].split(ends).next();
    let name = shown(name.unwrap_or_default());
    format!("<{name}> (line {line}, column {column})")
}

/// A name, shortened like one in quotes.
fn shown(name: &str) -> String {
    quoted(name).replace('"', "")
}

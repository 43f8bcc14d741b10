//! Another reader of SRDF, on another reader of XML. It believes that the text is well-formed.

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use superovoid_robot::{LinkPair, Srdf};

/// What a text says.
pub fn read(text: &str) -> Result<Srdf, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // A second mark, which should not be there, this reader passes over without counting it.
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - unmarked.len();
    let mut reader = NsReader::from_str(unmarked);
    let mut srdf = Srdf {
        robot: String::new(),
        disabled: Vec::new(),
        enabled: Vec::new(),
        disabled_by_default: Vec::new(),
    };
    let mut own_namespace = None;
    let mut depth = 0;
    loop {
        let start = mark + reader.buffer_position() as usize;
        let (namespace, event) = reader.read_resolved_event().map_err(|e| e.to_string())?;
        let (element, opens) = match &event {
            Event::Start(element) => (element, true),
            Event::Empty(element) => (element, false),
            Event::End(_) => {
                depth -= 1;
                continue;
            }
            Event::Eof => return Ok(srdf),
            _ => continue,
        };
        let namespace = match namespace {
            ResolveResult::Bound(name) if !name.as_ref().is_empty() => Some(name.as_ref().to_vec()),
            _ => None,
        };
        if depth == 0 {
            own_namespace.clone_from(&namespace);
            srdf.robot = attribute(element, "name")?.ok_or("no name")?;
        } else if depth == 1 && (namespace.is_none() || namespace == own_namespace) {
            statement(element, place(text, start), &mut srdf)?;
        }
        depth += usize::from(opens);
    }
}

fn statement(element: &BytesStart, position: (u32, u32), srdf: &mut Srdf) -> Result<(), String> {
    let name =
        |attribute_name| attribute(element, attribute_name)?.ok_or("a link is missing".to_owned());
    let pair = || {
        Ok::<LinkPair, String>(LinkPair {
            links: [name("link1")?, name("link2")?],
            reason: attribute(element, "reason")?,
            position,
        })
    };
    match element.local_name().as_ref() {
        b"disable_collisions" => srdf.disabled.push(pair()?),
        b"enable_collisions" => srdf.enabled.push(pair()?),
        b"disable_default_collisions" => {
            srdf.disabled_by_default.push((name("link")?, position));
        }
        _ => {}
    }
    Ok(())
}

/// The value of an attribute without a prefix, its white space and references resolved.
fn attribute(element: &BytesStart, name: &str) -> Result<Option<String>, String> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        if attribute.key.as_ref() == name.as_bytes() {
            let raw = std::str::from_utf8(&attribute.value).map_err(|e| e.to_string())?;
            // White space that is no reference counts as a space, a line break of two characters once.
            let spaced = raw.replace("\r\n", " ").replace(['\t', '\n', '\r'], " ");
            return resolved(&spaced).map(Some);
        }
    }
    Ok(None)
}

/// References resolved; one to a number that is no character is `U+FFFD`.
fn resolved(value: &str) -> Result<String, String> {
    let mut parts = value.split('&');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or("a reference without an end")?;
        let number = match name.strip_prefix("#x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => name
                .strip_prefix('#')
                .and_then(|digits| digits.parse().ok()),
        };
        text.push(match (number, name) {
            (Some(number), _) => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
            (None, "lt") => '<',
            (None, "gt") => '>',
            (None, "amp") => '&',
            (None, "quot") => '"',
            (None, "apos") => '\'',
            _ => return Err(format!("&{name};")),
        });
        text.push_str(rest);
    }
    Ok(text)
}

/// Line and column of a byte, both from 1, the column in characters.
fn place(text: &str, byte: usize) -> (u32, u32) {
    let before = &text[..byte];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].chars().count() + 1;
    (u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
}

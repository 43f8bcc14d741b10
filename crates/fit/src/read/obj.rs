//! OBJ: its vertices and faces.
//!
//! Lines, points, groups, materials, normals and texture coordinates are passed over: they are no surface, or change none.
//! What may be one and is not read, free-form surfaces and other files, is an error, and so is what is no statement of
//! the format. Faces may name vertices that follow.

use super::soup::{Problem, Soup};
use super::text::{at, decoded, lines, number, shown, words};
use nalgebra::Point3;
use std::borrow::Cow;

pub(super) fn read(bytes: &[u8], soup: &mut Soup) -> Result<(), Problem> {
    let text = decoded(bytes);
    let mut vertices = Vec::new();
    for (line, statement) in statements(&text) {
        let mut words = words(&statement);
        if words.next() == Some("v") {
            vertices.push(vertex(line, words)?);
        }
    }
    // How many of the vertices stand before the line.
    let mut before = 0;
    let mut corners = Vec::new();
    for (line, statement) in statements(&text) {
        let mut words = words(&statement);
        match words.next() {
            None => {}
            Some("v") => before += 1,
            Some("f" | "fo") => {
                corners.clear();
                for word in words {
                    let index = index(line, word, before, vertices.len())?;
                    corners.push(vertices[index]);
                }
                soup.polygon(&corners, &[])
                    .map_err(|p| p.within(|| format!("line {line}")))?;
            }
            // The attributes of free-form curves and surfaces are nothing without these.
            Some("vn" | "vt" | "vp" | "l" | "p" | "cstype" | "deg" | "bmat" | "step" | "parm")
            | Some("trim" | "hole" | "scrv" | "sp" | "end" | "con" | "ctech" | "stech") => {}
            Some(word) if is_label(word) => {}
            Some(word @ ("surf" | "curv" | "curv2" | "bsp" | "bzp" | "cdc" | "cdp" | "res")) => {
                let reason = format!("{word}: free-form curves and surfaces are not read");
                return Err(at(line, reason));
            }
            Some(word @ ("call" | "csh")) => {
                return Err(at(line, format!("{word}: other files are not read")));
            }
            Some(word) => {
                let reason = format!("{} is no statement of OBJ", shown(word));
                return Err(at(line, reason));
            }
        }
    }
    Ok(())
}

/// Whether a statement says how what follows is named, grouped or drawn.
fn is_label(keyword: &str) -> bool {
    matches!(
        keyword,
        "o" | "g"
            | "s"
            | "mg"
            | "mtllib"
            | "usemtl"
            | "maplib"
            | "usemap"
            | "bevel"
            | "c_interp"
            | "d_interp"
            | "lod"
            | "shadow_obj"
            | "trace_obj"
    )
}

/// Returns the statements with the numbers of their first lines, without comments. A backslash at the end of a line joins
/// the next one to it, but not behind a comment or a name, which may end in one.
fn statements(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let without_comment = |line| match str::split_once(line, '#') {
        Some((before, _)) => before.trim_end(),
        None => line.trim_end(),
    };
    let mut lines = lines(text);
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let mut statement = Cow::Borrowed(without_comment(line));
        if words(line).next().is_some_and(is_label) {
            return Some((number, statement));
        }
        while statement.ends_with('\\') {
            let next = lines.next().map_or("", |(_, line)| without_comment(line));
            let joined = statement.to_mut();
            // Where the line ends within a word, the backslash stays in it, so that it is refused.
            let is_word = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
            if !(is_word(joined.chars().rev().nth(1)) && is_word(next.chars().next())) {
                joined.pop();
                joined.push(' ');
            }
            joined.push_str(next);
        }
        Some((number, statement))
    })
}

/// Returns the place of a vertex; a weight of 1 and a colour may follow it.
fn vertex<'a>(line: usize, words: impl Iterator<Item = &'a str>) -> Result<Point3<f64>, Problem> {
    let mut numbers = [0.0; 7];
    let mut count = 0;
    for word in words {
        let place = numbers.get_mut(count).ok_or_else(|| counted(line, 8))?;
        *place = number(line, word)?;
        count += 1;
    }
    match count {
        4 if numbers[3] != 1.0 => {
            let reason = format!("the weight of the vertex is {}, not 1", numbers[3]);
            Err(at(line, reason))
        }
        3 | 4 | 6 | 7 => Ok(Point3::new(numbers[0], numbers[1], numbers[2])),
        _ => Err(counted(line, count)),
    }
}

fn counted(line: usize, count: usize) -> Problem {
    let more = if count > 7 { " or more" } else { "" };
    let reason = format!(
        "a vertex has 3 numbers, 4 with its weight, 6 or 7 with its colour; this has {count}{more}"
    );
    at(line, reason)
}

/// Returns the vertex, from 0, that the corner of a face names, from 1, or from the last one backwards by −1, −2, ….
fn index(line: usize, word: &str, before: usize, count: usize) -> Result<usize, Problem> {
    let wrong = || at(line, format!("{} is no corner of a face", shown(word)));
    let mut parts = word.split('/');
    let named = parts.next().unwrap_or("").parse::<i64>();
    let named = named.map_err(|_| wrong())?;
    // The texture coordinate and the normal: not used, and empty or whole numbers.
    let others = parts.map(|part| part.is_empty() || part.parse::<i64>().is_ok());
    let others: Vec<bool> = others.collect();
    if others.len() > 2 || others.contains(&false) {
        return Err(wrong());
    }
    let from_0 = match named {
        0 => None,
        1.. => usize::try_from(named - 1).ok().filter(|k| *k < count),
        _ => usize::try_from(named.unsigned_abs())
            .ok()
            .and_then(|back| before.checked_sub(back)),
    };
    from_0.ok_or_else(|| {
        let reason = match named {
            0 => "vertex 0 is named; they are counted from 1".to_owned(),
            1.. => format!("vertex {named} is named; there are {count}"),
            _ => format!("vertex {named} is named; {before} stand before this line"),
        };
        at(line, reason)
    })
}

//! STL: text, as people have it, and binary.
//!
//! Text is read word by word: capitals, blanks and line ends do not matter. Names and normals are not used. Every facet
//! of every solid is read, with three vertices or more. What is no statement of the format is an error, and so is a solid
//! without its `endsolid`, for the file may have been cut there.
//!
//! A file is binary if its length is that of the triangles which its header counts, whatever its header begins with.
//! Otherwise it is text, unless a byte of its start is 0, which no text has.

use super::soup::{Problem, Soup, problem};
use super::text::{at, decoded, lines, number, shown, words};
use nalgebra::Point3;

/// The header and the count of triangles.
const START: usize = 84;
/// A record: normal, three corners, attribute, all little-endian single precision but the last, two bytes.
const TRIANGLE: usize = 50;
/// Bytes in which the zeros of a binary file are looked for: the count is within them.
const LOOKED_AT: usize = 512;

pub(super) fn read(bytes: &[u8], soup: &mut Soup) -> Result<(), Problem> {
    let count = bytes.get(START - 4..START).map(|four| {
        let four = [four[0], four[1], four[2], four[3]];
        u32::from_le_bytes(four) as usize
    });
    let is_whole = |n: usize| bytes.len() as u64 == START as u64 + n as u64 * TRIANGLE as u64;
    if count.is_some_and(is_whole) {
        return binary(bytes, soup);
    }
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if !is_utf16 && bytes.iter().take(LOOKED_AT).any(|&b| b == 0) {
        return binary(bytes, soup);
    }
    text(&decoded(bytes), soup)
}

fn binary(bytes: &[u8], soup: &mut Soup) -> Result<(), Problem> {
    let place = |byte: usize| format!("byte {byte}");
    let Some((start, records)) = bytes.split_at_checked(START) else {
        let reason = format!("the file ends within the header of {START} bytes of binary STL");
        return Err(problem(place(bytes.len()), reason));
    };
    let count = u32::from_le_bytes([start[80], start[81], start[82], start[83]]) as usize;
    let found = records.len() / TRIANGLE;
    let counted = |what: String| {
        let reason = format!("the header counts {count} triangles of {TRIANGLE} bytes, {what}");
        problem(place(START - 4), reason)
    };
    if count == 0 && records.is_empty() {
        return Err(counted("so that there is no mesh".to_owned()));
    }
    if found < count {
        return Err(counted(format!("and the file ends after {found}")));
    }
    let (records, rest) = records.split_at(count * TRIANGLE);
    // Less than a triangle, and zeros, are padding.
    if rest.len() >= TRIANGLE && rest.iter().any(|&b| b != 0) {
        let more = rest.len();
        return Err(counted(format!("and {more} bytes stand behind them")));
    }
    for (index, record) in records.chunks_exact(TRIANGLE).enumerate() {
        let number = |k: usize| {
            let four = [0, 1, 2, 3].map(|i| record[4 * k + i]);
            f64::from(f32::from_le_bytes(four))
        };
        let corners =
            [3, 6, 9].map(|first| Point3::new(number(first), number(first + 1), number(first + 2)));
        if !corners.iter().all(|p| p.iter().all(|x| x.is_finite())) {
            let place = format!("triangle {index}, byte {}", START + index * TRIANGLE);
            return Err(problem(place, "a coordinate is not finite"));
        }
        soup.triangle(corners)?;
    }
    Ok(())
}

fn text(text: &str, soup: &mut Soup) -> Result<(), Problem> {
    let mut words = lines(text).flat_map(|(line, text)| words(text).map(move |word| (line, word)));
    let mut end = 1;
    // The line on which the solid began that has not ended.
    let mut open = None;
    while let Some((line, word)) = words.next() {
        end = line;
        match statement(word, &mut words).as_str() {
            "solid" => {
                if let Some(first) = open.replace(line) {
                    let reason = format!("the solid of line {first} has no endsolid before this");
                    return Err(at(line, reason));
                }
                name(line, &mut words);
            }
            "endsolid" => {
                if open.take().is_none() {
                    return Err(at(line, "there is no solid that endsolid could end"));
                }
                name(line, &mut words);
            }
            "facet" => {
                // A facet without a solid is a facet.
                open.get_or_insert(line);
                end = facet(line, &mut words, soup)?;
            }
            _ => return Err(unexpected(line, word, "solid, facet or endsolid")),
        }
    }
    match open {
        Some(first) => {
            let reason = format!("the file ends, and the solid of line {first} has no endsolid");
            Err(at(end, reason))
        }
        None if end == 1 && text.trim().is_empty() => Err(at(1, "the file is empty")),
        None => Ok(()),
    }
}

/// Returns a statement in lower case; those of two words, `outer loop`, `end solid`, as one.
fn statement<'a>(word: &str, words: &mut impl Iterator<Item = (usize, &'a str)>) -> String {
    let mut statement = word.to_ascii_lowercase();
    if statement == "outer" || statement == "end" {
        let second = words.next().map_or("", |(_, word)| word);
        statement += &second.to_ascii_lowercase();
    }
    statement
}

/// Passes over a solid's name: the rest of its line, or what stands before a facet in it.
fn name<'a>(line: usize, words: &mut (impl Iterator<Item = (usize, &'a str)> + Clone)) {
    loop {
        let mut ahead = words.clone();
        let Some((_, word)) = ahead.next().filter(|(at, _)| *at == line) else {
            return;
        };
        let word = word.to_ascii_lowercase();
        let second = ahead.next().map_or("", |(_, second)| second);
        let second = second.to_ascii_lowercase();
        match (word.as_str(), second.as_str()) {
            ("facet", "normal" | "outer") | ("outer", "loop") => return,
            ("vertex", number) if number.parse::<f64>().is_ok() => return,
            _ => words.next(),
        };
    }
}

/// Reads a facet from behind its first word; returns the line on which it ends.
fn facet<'a>(
    first: usize,
    words: &mut (impl Iterator<Item = (usize, &'a str)> + Clone),
    soup: &mut Soup,
) -> Result<usize, Problem> {
    let is = |word: &str, wanted: &str| word.eq_ignore_ascii_case(wanted);
    let cut = || at(first, "the file ends within this facet");
    let mut ahead = words.clone();
    if ahead.next().is_some_and(|(_, word)| is(word, "normal")) {
        *words = ahead;
        // Up to three words, whatever they are: normals are not used.
        for _ in 0..3 {
            let mut ahead = words.clone();
            if ahead.next().is_some_and(|(_, word)| !is(word, "outer")) {
                *words = ahead;
            }
        }
    }
    let (line, word) = words.next().ok_or_else(cut)?;
    if statement(word, words) != "outerloop" {
        return Err(unexpected(line, word, "outer loop"));
    }
    let mut corners = Vec::with_capacity(3);
    loop {
        let (line, word) = words.next().ok_or_else(cut)?;
        match statement(word, words).as_str() {
            "vertex" => {
                let mut number = || {
                    let (line, word) = words.next().ok_or_else(cut)?;
                    number(line, word)
                };
                corners.push(Point3::new(number()?, number()?, number()?));
            }
            "endloop" => break,
            _ => return Err(unexpected(line, word, "vertex or endloop")),
        }
    }
    let (line, word) = words.next().ok_or_else(cut)?;
    if statement(word, words) != "endfacet" {
        return Err(unexpected(line, word, "endfacet"));
    }
    if corners.len() < 3 {
        let count = corners.len();
        return Err(at(first, format!("a facet of {count} vertices is none")));
    }
    soup.polygon(&corners, &[])
        .map_err(|p| p.within(|| format!("line {first}")))?;
    Ok(line)
}

fn unexpected(line: usize, word: &str, wanted: &str) -> Problem {
    let reason = format!("expected {wanted} of text STL, found {}", shown(word));
    at(line, reason)
}

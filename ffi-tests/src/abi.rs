//! The binary interface in words: every enum, struct and function of the header, with the numbers that
//! a compiled program depends on. `ffi-tests/abi.txt` is the committed one.
//!
//! The declarations are read from the header's text, which cbindgen writes in one regular form; sizes,
//! offsets and values come from a C program that the C compiler works out.

use crate::{Program, interface, root};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A declaration of the header.
enum Declaration {
    /// Name, type, names of its values.
    Enum(String, String, Vec<String>),
    /// Name, and the fields as they stand there.
    Struct(String, Vec<Field>),
    /// A handle, or the type of a callback.
    Type(String),
    /// Name, and the whole declaration.
    Function(String, String),
}

struct Field {
    name: String,
    declaration: String,
}

/// Where the committed description lies.
pub fn committed() -> PathBuf {
    root().join("ffi-tests/abi.txt")
}

/// The description of the interface as it is.
///
/// # Errors
/// A header that cannot be read, a C compiler that is not there.
pub fn describe() -> Result<String, Box<dyn Error>> {
    let header = std::fs::read_to_string(root().join("include/superovoid.h"))?;
    let program = c_program(&declarations(&header)?)?;
    let source = Program::directory()?.join("abi.c");
    std::fs::write(&source, program)?;
    Program::new(source, "c11").run(&[])
}

/// The functions that the header declares, sorted.
///
/// # Errors
/// A header that cannot be read.
pub fn declared_functions() -> Result<Vec<String>, Box<dyn Error>> {
    let header = std::fs::read_to_string(root().join("include/superovoid.h"))?;
    let mut functions: Vec<_> = declarations(&header)?
        .into_iter()
        .filter_map(|declaration| match declaration {
            Declaration::Function(name, _) => Some(name),
            _ => None,
        })
        .collect();
    functions.sort();
    Ok(functions)
}

/// The symbols that a shared library exports, sorted.
///
/// # Errors
/// What `nm` prints.
pub fn exported_symbols(library: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut nm = Command::new("nm");
    nm.args(["--dynamic", "--defined-only", "--format=posix"]);
    let output = crate::finish(nm.arg(library))?;
    let mut symbols: Vec<_> = String::from_utf8(output.stdout)?
        .lines()
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    symbols.sort();
    Ok(symbols)
}

/// Values of the dynamic section of a program or shared library, by their tag: `SONAME`, `NEEDED`.
///
/// # Errors
/// What `readelf` prints.
pub fn dynamic_entries(file: &Path, tag: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let output = crate::finish(
        Command::new("readelf")
            .args(["--dynamic", "--wide"])
            .arg(file),
    )?;
    let text = String::from_utf8(output.stdout)?;
    let tag = format!("({tag})");
    let entries = text.lines().filter(|line| line.contains(&tag));
    let values = entries.filter_map(|line| line.split('[').nth(1)?.split(']').next());
    Ok(values.map(str::to_owned).collect())
}

/// What the header declares, in its order.
fn declarations(header: &str) -> Result<Vec<Declaration>, Box<dyn Error>> {
    let code = without_comments_and_directives(header);
    statements(&code)
        .into_iter()
        .filter(|statement| !statement.is_empty())
        .map(|statement| declaration(&statement))
        .filter_map(Result::transpose)
        .collect()
}

/// One declaration from its statement; none from the second name of an enum.
fn declaration(statement: &str) -> Result<Option<Declaration>, Box<dyn Error>> {
    let body = statement.split_once('{').and_then(|(head, rest)| {
        let (body, _) = rest.rsplit_once('}')?;
        Some((head.trim(), body))
    });
    let found = match (statement, body) {
        (_, Some((head, body))) if head.starts_with("enum ") => {
            let (name, type_) = head["enum ".len()..]
                .split_once(':')
                .ok_or("enum without type")?;
            let values = body.split(',').filter_map(|value| value.split('=').next());
            let values = values.map(str::trim).filter(|value| !value.is_empty());
            let (name, type_) = (name.trim().to_owned(), type_.trim().to_owned());
            Declaration::Enum(name, type_, values.map(str::to_owned).collect())
        }
        (_, Some((head, body)))
            if head.starts_with("typedef struct ") || head.starts_with("typedef union ") =>
        {
            let name = last_word(head);
            let fields = body.split(';').map(str::trim).filter(|f| !f.is_empty());
            Declaration::Struct(name, fields.map(field).collect())
        }
        (alias, None) if alias.starts_with("typedef enum") || is_integer_alias(alias) => {
            return Ok(None);
        }
        (type_, None) if type_.starts_with("typedef ") => Declaration::Type(type_.to_owned()),
        (function, None) if function.ends_with(')') => {
            let before = function.split('(').next().unwrap_or_default();
            Declaration::Function(last_word(before), function.to_owned())
        }
        _ => return Err(format!("what is this in the header? {statement}").into()),
    };
    Ok(Some(found))
}

/// `typedef int32_t sovo_status`: the enums of C before C23.
fn is_integer_alias(statement: &str) -> bool {
    let words: Vec<_> = statement.split_whitespace().collect();
    matches!(words[..], ["typedef", type_, _] if type_.ends_with("int32_t"))
}

fn field(declaration: &str) -> Field {
    let before = declaration.split('[').next().unwrap_or_default();
    Field {
        name: last_word(before),
        declaration: declaration.to_owned(),
    }
}

/// `sovo_pose` of `const struct sovo_pose *sovo_pose`.
fn last_word(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = text.trim_end().rsplit(|c| !is_part(c)).next();
    name.unwrap_or_default().to_owned()
}

/// The statements outside of braces, each with single spaces and without its semicolon.
fn statements(code: &str) -> Vec<String> {
    let code = code.replace("extern \"C\" {", "");
    let (mut statements, mut statement, mut depth) = (Vec::new(), String::new(), 0);
    for c in code.chars() {
        match c {
            '{' => depth += 1,
            // The end of extern "C" has no beginning any more.
            '}' if depth == 0 => continue,
            '}' => {
                depth -= 1;
                // A function with its body is no symbol of the library.
                if depth == 0 && statement.trim_start().starts_with("static inline ") {
                    statement.clear();
                    continue;
                }
            }
            ';' if depth == 0 => {
                let words: Vec<_> = statement.split_whitespace().collect();
                statements.push(words.join(" "));
                statement.clear();
                continue;
            }
            _ => {}
        }
        statement.push(c);
    }
    statements
}

fn without_comments_and_directives(header: &str) -> String {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let mut continued = false;
    code.lines()
        .filter(|line| {
            let directive = continued || line.trim_start().starts_with('#');
            continued = directive && line.ends_with('\\');
            !directive
        })
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A C program that prints the description.
fn c_program(declarations: &[Declaration]) -> Result<String, std::fmt::Error> {
    let mut c = String::from(
        "#include <stdalign.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <superovoid.h>\n\n\
         int main(void) {\n",
    );
    writeln!(c, "  puts(\"interface {}\");", interface())?;
    for declaration in declarations {
        match declaration {
            Declaration::Enum(name, type_, values) => {
                writeln!(c, "  puts(\"\\nenum {name}, {type_}\");")?;
                for value in values {
                    writeln!(c, "  printf(\"  {value} %lld\\n\", (long long){value});")?;
                }
            }
            Declaration::Struct(name, fields) => {
                let text = format!("\\nstruct {name}, size %zu, alignment %zu\\n");
                writeln!(c, "  printf(\"{text}\", sizeof({name}), alignof({name}));")?;
                for Field {
                    name: field,
                    declaration,
                } in fields
                {
                    let text = format!("  %zu: {declaration}\\n");
                    writeln!(c, "  printf(\"{text}\", offsetof({name}, {field}));")?;
                }
            }
            Declaration::Type(text) => writeln!(c, "  puts(\"\\n{text}\");")?,
            Declaration::Function(_, text) => writeln!(c, "  puts(\"\\n{text}\");")?,
        }
    }
    c.push_str("  return 0;\n}\n");
    Ok(c)
}

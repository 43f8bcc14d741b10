//! The reader of scenes, figures, terrains and records of matches: JSON that names its version.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A text that is refused, with the place of the error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// The text is not JSON, or not that of such a document.
    #[error("line {line}, column {column}{}: {problem}", if .field.is_empty() { String::new() } else { format!(", {}", .field) })]
    Text {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1; 0 is the end of the line before.
        column: usize,
        /// The path of the field, such as `bodies[3].shape`; empty for the text as a whole.
        field: String,
        /// What is wrong there.
        problem: String,
    },
    /// The document is of another version.
    #[error("version = {found}: this program reads version {read}")]
    Version {
        /// The version of the document.
        found: u64,
        /// The version that is read.
        read: u32,
    },
    /// A field has a value that is refused.
    #[error("{field}: {requirement}")]
    Value {
        /// The path of the field.
        field: String,
        /// What is asked of it.
        requirement: String,
    },
}

impl JsonError {
    /// Returns the error of a field's value.
    pub fn value(field: impl Into<String>, requirement: impl ToString) -> Self {
        JsonError::Value {
            field: field.into(),
            requirement: requirement.to_string(),
        }
    }

    fn text(error: &serde_json::Error, field: &str) -> Self {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let place = format!(" at line {line} column {column}");
        JsonError::Text {
            line,
            column,
            // The end of the path may be unknown.
            field: field.trim_end_matches(['.', '?']).to_owned(),
            problem: said.strip_suffix(&place).unwrap_or(&said).to_owned(),
        }
    }
}

/// Reads a document, an object with the field `version`, which `T` has too. Numbers are read to the last bit.
///
/// # Errors
/// A document of another version is told as such, whatever else is in it. Of any other text that is no `T` the error
/// names the line, the column and the field.
pub fn from_json<T: DeserializeOwned>(text: &str, version: u32) -> Result<T, JsonError> {
    #[derive(Deserialize)]
    struct Version {
        version: u64,
    }
    // What is wrong with a text without a version is said below.
    let found = serde_json::from_str(text).map_or(version.into(), |Version { version }| version);
    if found != u64::from(version) {
        let read = version;
        return Err(JsonError::Version { found, read });
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let document = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| JsonError::text(error.inner(), &error.path().to_string()))?;
    reader.end().map_err(|error| JsonError::text(&error, ""))?;
    Ok(document)
}

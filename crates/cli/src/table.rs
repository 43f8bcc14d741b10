//! A CSV table of numbers: columns by name, every value checked, every error with its place.

use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::StringRecord;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The columns that a table must have, in any order.
pub struct Columns<const N: usize> {
    pub names: [String; N],
    /// The description of the columns, for the message about an unknown one.
    pub described: String,
    /// Columns that may be there and are not read.
    pub ignored: &'static [&'static str],
}

/// Reads a file, or standard input for `-`. `row` converts the numbers of a row, in the order of
/// the columns; its error continues the row's `file:line`, as `:column: message`.
pub fn read<T, const N: usize>(
    path: &Path,
    columns: &Columns<N>,
    row: impl Fn(&[f64; N]) -> Result<T>,
) -> Result<Vec<T>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let name = "standard input";
        io::stdin().read_to_end(&mut bytes).context(name)?;
        return Source::new(name, &bytes).rows(columns, row);
    }
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| name.clone())?;
    Source::new(&name, &bytes).rows(columns, row)
}

/// The text of a file and its name.
struct Source<'a> {
    file: &'a str,
    text: &'a [u8],
}

impl<'a> Source<'a> {
    fn new(file: &'a str, bytes: &'a [u8]) -> Self {
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        Source { file, text }
    }

    fn rows<T, const N: usize>(
        &self,
        columns: &Columns<N>,
        make: impl Fn(&[f64; N]) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut rows = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            // Rows of the wrong length are found here, where the missing column can be named.
            .flexible(true)
            .has_headers(false)
            .from_reader(self.text);
        let mut row = StringRecord::new();
        if !self.next_row(&mut rows, &mut row)? {
            let file = self.file;
            bail!("{file}: the file is empty; expected a header that names the columns");
        }
        let header = Header::new(&row, columns, &self.place(&row))?;
        let mut made = Vec::new();
        while self.next_row(&mut rows, &mut row)? {
            let one = header.numbers(&row).and_then(|numbers| make(&numbers));
            made.push(one.map_err(|problem| anyhow!("{}{problem:#}", self.place(&row)))?);
        }
        Ok(made)
    }

    fn next_row(&self, rows: &mut csv::Reader<&[u8]>, row: &mut StringRecord) -> Result<bool> {
        let start = rows.position().byte();
        rows.read_record(row).map_err(|error| match error.kind() {
            csv::ErrorKind::Utf8 { err, .. } => anyhow!(
                "{}:{}: value {} is not UTF-8 text; save the file as UTF-8",
                self.file,
                self.line(start),
                err.field() + 1
            ),
            _ => anyhow!("{}: {error}", self.file),
        })
    }

    /// Returns `file:line` of a row.
    fn place(&self, row: &StringRecord) -> String {
        let start = row.position().map_or(0, csv::Position::byte);
        format!("{}:{}", self.file, self.line(start))
    }

    /// Returns the line, from 1, of the row that starts at a byte or after the line ends there. (The line that
    /// the csv reader gives is that of the first blank line before the row.)
    fn line(&self, byte: u64) -> usize {
        let blank = self.text[byte as usize..].iter();
        let blank = blank.take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let before = &self.text[..byte as usize + blank];
        // Lines end in \n, \r\n or, as the csv reader has it, \r.
        let ends = |k: &usize| match before[*k] {
            b'\n' => true,
            b'\r' => before.get(k + 1) != Some(&b'\n'),
            _ => false,
        };
        1 + (0..before.len()).filter(ends).count()
    }
}

/// The place of each column in a row.
struct Header<const N: usize> {
    /// The names as in the file.
    names: Vec<String>,
    /// The index of the field of each column.
    fields: [usize; N],
}

impl<const N: usize> Header<N> {
    fn new(row: &StringRecord, columns: &Columns<N>, place: &str) -> Result<Self> {
        let names: Vec<String> = row.iter().map(str::to_owned).collect();
        for (field, name) in names.iter().enumerate() {
            // Not skipped: a misspelt column must not turn into a missing one.
            ensure!(
                columns.names.contains(name) || columns.ignored.contains(&name.as_str()),
                "{place}: unknown column {name:?}; the columns, separated by commas, are {}",
                columns.described,
            );
            ensure!(
                !names[..field].contains(name),
                "{place}: column {name:?} is there twice; keep one"
            );
        }
        let mut missing = Vec::new();
        let fields = columns.names.each_ref().map(|column| {
            let field = names.iter().position(|name| name == column);
            field.unwrap_or_else(|| {
                missing.push(column.as_str());
                usize::MAX
            })
        });
        ensure!(
            missing.is_empty(),
            "{place}: missing column{} {}; the header must name all {N} columns",
            if missing.len() == 1 { "" } else { "s" },
            missing.join(", "),
        );
        Ok(Header { names, fields })
    }

    fn numbers(&self, row: &StringRecord) -> Result<[f64; N]> {
        let (count, all) = (row.len(), self.names.len());
        if count < all {
            let missing = &self.names[count];
            bail!(":{missing}: missing; the row has {count} of {all} values");
        }
        if count > all {
            let extra = &row[all];
            let last = &self.names[all - 1];
            bail!(
                ": extra value {extra:?} after column {last}; the row has {count} \
                 values for {all} columns"
            );
        }
        let mut numbers = [0.0; N];
        for (value, &field) in numbers.iter_mut().zip(&self.fields) {
            let place = || format!(":{}", self.names[field]);
            *value = number(&row[field]).with_context(place)?;
        }
        Ok(numbers)
    }
}

fn number(text: &str) -> Result<f64> {
    ensure!(!text.is_empty(), "the value is empty; expected a number");
    let Ok(value) = text.parse::<f64>() else {
        bail!("{text:?} is not a number");
    };
    ensure!(value.is_finite(), "{text:?} is not a finite number");
    Ok(value)
}

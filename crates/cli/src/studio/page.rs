//! The files of the page by their addresses. Only these are ever served: no address reaches anything else.

use anyhow::{Context, Result, ensure};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What `apps/studio/dist` held when the program was built.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// How the page is built, for messages.
const HOW: &str = "build the page: cd apps/studio && npm ci && npm run build; then name apps/studio/dist by --page, or build this \
                   program again";

/// The page's files are fewer and smaller by far: a folder with more is another one.
const MOST_FILES: usize = 1000;

/// The folder of the files that are opened in the page.
pub const FILES: &str = "files/";

/// The files that are served.
pub struct Page {
    files: BTreeMap<String, Cow<'static, [u8]>>,
}

impl Page {
    /// Returns the page that was embedded.
    pub fn embedded() -> Result<Self> {
        ensure!(
            !EMBEDDED.is_empty(),
            "this program was built without the studio's page; {HOW}"
        );
        let files = EMBEDDED
            .iter()
            .map(|(name, content)| (name.to_string(), Cow::Borrowed(*content)));
        Ok(Page {
            files: files.collect(),
        })
    }

    /// Reads the page of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        let index = folder.join("index.html");
        ensure!(index.is_file(), "{shown}: there is no index.html; {HOW}");
        let mut page = Page {
            files: BTreeMap::new(),
        };
        page.collect(folder, "")
            .with_context(|| shown.to_string())?;
        Ok(page)
    }

    fn collect(&mut self, folder: &Path, above: &str) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Some(name) = entry
                .file_name()
                .to_str()
                .map(|name| format!("{above}{name}"))
            else {
                continue;
            };
            // A link may lead out of the folder, and is left out.
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.collect(&entry.path(), &format!("{name}/"))?;
            } else if kind.is_file() {
                ensure!(
                    self.files.len() < MOST_FILES,
                    "has more than {MOST_FILES} files"
                );
                let content = fs::read(entry.path()).with_context(|| name.clone())?;
                self.files.insert(name, content.into());
            }
        }
        Ok(())
    }

    /// Adds a file; returns whether the name was free.
    pub fn add(&mut self, name: String, content: Vec<u8>) -> bool {
        self.files.insert(name, content.into()).is_none()
    }

    /// Lists the names of the files that are opened in the page, under the address of their folder.
    pub fn list_files(&mut self) {
        let files = self.files.keys();
        let names: Vec<&str> = files.filter_map(|name| name.strip_prefix(FILES)).collect();
        let list = serde_json::json!(names).to_string();
        self.add(FILES.to_owned(), list.into_bytes());
    }

    /// Returns the file of an address without its query, with its type.
    pub fn file(&self, address: &str) -> Option<(&[u8], &'static str)> {
        let name = unescaped(address.strip_prefix('/')?)?;
        let name = if name.is_empty() { "index.html" } else { &name };
        Some((self.files.get(name)?, kind(name)))
    }
}

/// Returns the type of a file by the end of its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}

/// Returns what an address means, in which `%` and two digits stand for a byte.
fn unescaped(address: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        rest = others;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, others) = rest.split_at_checked(2)?;
        rest = others;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

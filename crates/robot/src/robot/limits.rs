//! Limits of the size and depth of a URDF file, enforced in one pass before the file is parsed.
//!
//! The XML parser holds the whole document, reserves memory for every `<` and `=` in the text before it examines
//! them, compares every attribute of an element with every other one, and passes all namespaces of an element down to
//! those inside it that declare more. Its time and memory are linear only while attributes and namespaces are few.
//! One pass over the text, which stores no more than the open elements, finds what exceeds a limit before the parser
//! reaches it.
//!
//! The pass splits well-formed text as the parser does. Where the text is not well-formed the parser stops, so that
//! the result of the pass for the rest does not matter.

/// The limits of a URDF file, so that a hostile one cannot take all memory.
///
/// Within the defaults a file takes less than a gigabyte and a few seconds; robots of practice have
/// far less than a tenth of each of them. Reading takes time linear in the size of the
/// text, with one exception: the square of the number of attributes on one element and of that of
/// namespace declarations.
///
/// ```
/// use superovoid_robot::{Robot, UrdfLimits, UrdfProblem};
///
/// let limits = UrdfLimits::default().with_links(1);
/// let text = "<robot name='r'>\n  <link name='a'/>\n  <link name='b'/></robot>";
/// let error = Robot::from_urdf_str_with(text, &limits).unwrap_err();
/// assert_eq!(error.position, Some((3, 3)));
/// assert!(matches!(*error.problem, UrdfProblem::Limit { limit: 1, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrdfLimits {
    /// The number of bytes of text; the default is 64 MiB.
    pub bytes: usize,
    /// The number of elements, comments, processing instructions and pieces of text between them; the default is
    /// 2,000,000.
    pub nodes: usize,
    /// The number of signs `<` and `=`, also in comments and values; the default is 8,000,000. The parser reserves up
    /// to a hundred bytes for each.
    pub signs: usize,
    /// The depth of nested elements, the root included; the default is 128.
    pub depth: usize,
    /// The number of attributes of one element; the default is 128.
    pub attributes: usize,
    /// The number of namespace declarations in the whole file; the default is 256.
    pub namespaces: usize,
    /// The number of links; the default is 200,000.
    pub links: usize,
}

impl UrdfLimits {
    superovoid::setters! {
        with_bytes bytes: usize,
        with_nodes nodes: usize,
        with_signs signs: usize,
        with_depth depth: usize,
        with_attributes attributes: usize,
        with_namespaces namespaces: usize,
        with_links links: usize,
    }

    /// No limits, for text that is trusted.
    pub const NONE: UrdfLimits = UrdfLimits {
        bytes: usize::MAX,
        nodes: usize::MAX,
        signs: usize::MAX,
        depth: usize::MAX,
        attributes: usize::MAX,
        namespaces: usize::MAX,
        links: usize::MAX,
    };
}

impl Default for UrdfLimits {
    fn default() -> Self {
        UrdfLimits {
            bytes: 64 << 20,
            nodes: 2_000_000,
            signs: 8_000_000,
            depth: 128,
            attributes: 128,
            namespaces: 256,
            links: 200_000,
        }
    }
}

/// A limit that is exceeded, and at which byte of the text.
#[derive(Debug)]
pub(super) struct Exceeded {
    pub at: usize,
    pub limit: usize,
    /// The field of [`UrdfLimits`].
    pub field: &'static str,
}

/// What the pass found on the way.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Where the elements start that are open where the pass ended.
    pub open: Vec<usize>,
    /// Where the pass ended at a `<!` that starts neither a comment nor character data.
    pub declaration: Option<usize>,
}

/// Passes over the text.
pub(super) fn outline(text: &str, limits: &UrdfLimits) -> Result<Outline, Exceeded> {
    if text.len() > limits.bytes {
        return Err(Exceeded {
            at: boundary(text, limits.bytes),
            limit: limits.bytes,
            field: "bytes",
        });
    }
    let mut signs = text.match_indices(['<', '=']);
    if let Some((at, _)) = signs.nth(limits.signs) {
        let (limit, field) = (limits.signs, "signs");
        return Err(Exceeded { at, limit, field });
    }
    let mut pass = Pass {
        text,
        limits,
        nodes: 0,
        namespaces: 0,
        outline: Outline::default(),
    };
    pass.run()?;
    Ok(pass.outline)
}

struct Pass<'a> {
    text: &'a str,
    limits: &'a UrdfLimits,
    nodes: usize,
    namespaces: usize,
    outline: Outline,
}

impl Pass<'_> {
    fn run(&mut self) -> Result<(), Exceeded> {
        let mut end = 0;
        while let Some(distance) = self.text[end..].find('<') {
            let start = end + distance;
            let text_before = usize::from(start > end);
            let rest = &self.text[start..];
            end = if rest.starts_with("<!--") {
                self.after(start + 4, "-->")
            } else if rest.starts_with("<![CDATA[") {
                self.after(start + 9, "]]>")
            } else if rest.starts_with("<?") {
                self.after(start + 2, "?>")
            } else if rest.starts_with("<!") {
                self.outline.declaration = Some(start);
                return Ok(());
            } else if rest.starts_with("</") {
                self.outline.open.pop();
                self.after(start, ">")
            } else {
                self.start_tag(start)?
            };
            self.nodes += text_before + usize::from(!rest.starts_with("</"));
            within(self.nodes, self.limits.nodes, start, "nodes")?;
        }
        Ok(())
    }

    /// Returns the byte after the next `what`, or the end of the text.
    fn after(&self, from: usize, what: &str) -> usize {
        let found = self.text[from..].find(what);
        found.map_or(self.text.len(), |distance| from + distance + what.len())
    }

    /// Counts the attributes of the start tag at a byte; returns the byte after it.
    fn start_tag(&mut self, start: usize) -> Result<usize, Exceeded> {
        let depth = self.outline.open.len() + 1;
        within(depth, self.limits.depth, start, "depth")?;
        let bytes = self.text.as_bytes();
        let mut attributes = 0;
        // This is the start of the last name, which is that of the attribute when a quote is met.
        let mut name = start;
        let mut at = start + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'>' => {
                    if bytes[at - 1] != b'/' {
                        self.outline.open.push(start);
                    }
                    return Ok(at + 1);
                }
                // The text is not well-formed.
                b'<' => return Ok(at),
                b'"' | b'\'' => {
                    attributes += 1;
                    within(attributes, self.limits.attributes, name, "attributes")?;
                    if bytes[name..].starts_with(b"xmlns") {
                        self.namespaces += 1;
                        within(self.namespaces, self.limits.namespaces, name, "namespaces")?;
                    }
                    let value = bytes[at + 1..].iter().position(|&b| b == byte);
                    at = value.map_or(bytes.len(), |length| at + 2 + length);
                    continue;
                }
                b'=' => {}
                _ => {
                    let before = bytes[at - 1];
                    if before.is_ascii_whitespace() && !byte.is_ascii_whitespace() {
                        name = at;
                    }
                }
            }
            at += 1;
        }
        Ok(bytes.len())
    }
}

/// Returns the last boundary of a character up to a byte of the text.
fn boundary(text: &str, byte: usize) -> usize {
    let mut before = (0..=byte).rev();
    before.find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn within(count: usize, limit: usize, at: usize, field: &'static str) -> Result<(), Exceeded> {
    if count <= limit {
        return Ok(());
    }
    Err(Exceeded { at, limit, field })
}

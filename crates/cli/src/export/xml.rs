//! A writer of indented XML.

/// A document that is being written. Elements that are open are closed by [`Xml::close`].
pub struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    pub fn new() -> Self {
        Xml {
            text: "<?xml version=\"1.0\"?>\n".to_owned(),
            open: Vec::new(),
        }
    }

    /// Opens an element.
    pub fn open(&mut self, element: &'static str, attributes: &[(&str, &str)]) {
        self.start(element, attributes);
        self.text.push_str(">\n");
        self.open.push(element);
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self) {
        if let Some(element) = self.open.pop() {
            self.indent();
            self.text.push_str("</");
            self.text.push_str(element);
            self.text.push_str(">\n");
        }
    }

    /// Writes an element without content.
    pub fn leaf(&mut self, element: &'static str, attributes: &[(&str, &str)]) {
        self.start(element, attributes);
        self.text.push_str("/>\n");
    }

    /// Writes an element with a text.
    pub fn value(&mut self, element: &'static str, attributes: &[(&str, &str)], value: &str) {
        self.start(element, attributes);
        self.text.push('>');
        escape(&mut self.text, value);
        self.text.push_str("</");
        self.text.push_str(element);
        self.text.push_str(">\n");
    }

    /// Returns the document, all of whose elements are closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn start(&mut self, element: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.text.push('<');
        self.text.push_str(element);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(&mut self.text, value);
            self.text.push('"');
        }
    }

    /// Indents by two spaces an element, up to a depth at which nobody reads on: chains of links are as long as they want.
    fn indent(&mut self) {
        const DEEPEST: usize = 40;
        self.text
            .extend(self.open.iter().take(DEEPEST).map(|_| "  "));
    }
}

fn escape(text: &mut String, value: &str) {
    for c in value.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            _ => text.push(c),
        }
    }
}

/// Returns numbers with spaces between them, each the shortest decimal that reads back as the same double.
pub fn numbers(values: &[f64]) -> String {
    let words: Vec<String> = values.iter().map(|x| number(*x)).collect();
    words.join(" ")
}

fn number(x: f64) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

//! A report as one self-contained HTML file.

use std::fmt::Write as _;

const STYLE: &str = include_str!("html.css");

/// A document to which parts are appended, from top to bottom.
pub(crate) struct Document {
    title: String,
    body: String,
}

impl Document {
    /// A document with only a title.
    pub(crate) fn new(title: &str) -> Self {
        Self {
            title: escaped(title),
            body: String::new(),
        }
    }

    /// Appends a heading.
    pub(crate) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escaped(text));
    }

    /// Appends a table of names and values.
    pub(crate) fn table(&mut self, rows: &[(&str, String)]) {
        self.body += "<table>\n";
        for (name, value) in rows {
            let _ = writeln!(self.body, "<tr><th>{name}</th><td>{}</td></tr>", escaped(value));
        }
        self.body += "</table>\n";
    }

    /// Appends a table of figures with a header.
    pub(crate) fn figures(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
            let cells: String = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        self.body += "<div class=\"wide\"><table class=\"figures\">\n";
        self.body += &cells("th", &mut header.iter().copied());
        for row in rows {
            self.body += &cells("td", &mut row.iter().map(String::as_str));
        }
        self.body += "</table></div>\n";
    }

    /// Appends a figure with a caption. Without an SVG, appends nothing.
    pub(crate) fn figure(&mut self, title: &str, text: &str, svg: Option<String>) {
        if let Some(svg) = svg {
            let _ = writeln!(
                self.body,
                "<figure><figcaption><b>{title}.</b> {text}</figcaption>\n{svg}</figure>"
            );
        }
    }

    /// Returns the whole document.
    pub(crate) fn html(&self) -> String {
        let Self { title, body } = self;
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>evenstep: {title}</title>\n\
             <style>\n{STYLE}</style>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</html>\n"
        )
    }
}

/// Text for an element or an attribute of HTML or XML.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

//! Renders a document as one HTML file with its style, which every browser shows and prints, and
//! which loads nothing from a network.
//!
//! The markup is that of the window's page, and the stylesheet is the same file; a test of the
//! front end compares both.

use std::fmt::Write as _;

use super::{Paper, PaperGroup, PaperLine, PaperNotice, PaperQr, PaperSize};
use crate::texts::wire_name;

/// The style of the window's page.
const STYLE: &str = include_str!("../../../../../ui/src/paper/paper.css");

/// What the document may load: only its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The whole document, UTF-8.
pub fn document(paper: &Paper, size: PaperSize) -> String {
    let language = wire_name(&paper.language);
    let title = escaped(&paper.title);
    let sheet = sheet(paper, size);
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body class=\"paper-ground\">\n{sheet}\n</body>\n</html>\n"
    )
}

/// The sheet without the document around it.
pub fn sheet(paper: &Paper, size: PaperSize) -> String {
    let mut out = format!(
        "<article class=\"paper {} {}\" lang=\"{}\"><header>{}{}</header>",
        wire_name(&size),
        wire_name(&paper.standing),
        wire_name(&paper.language),
        paragraph("shop", &paper.shop),
        paragraph("issued", &paper.issued)
    );
    if let Some(practice) = &paper.practice {
        out.push_str(&paragraph("practice", practice));
    }
    let _ = write!(out, "<h1>{}</h1>", escaped(&paper.title));
    if let Some(PaperNotice { mark, text }) = &paper.notice {
        let (mark, text) = (paragraph("mark", mark), escaped(text));
        let _ = write!(out, "<div class=\"notice\">{mark}<p>{text}</p></div>");
    }
    if let Some(customer) = &paper.customer {
        out.push_str(&paragraph("customer", customer.expose()));
    }
    if !paper.codes.is_empty() {
        out.push_str(&lines(&paper.codes, "codes"));
    }
    if let Some(PaperQr { side, path }) = &paper.qr {
        let _ = write!(
            out,
            "<svg class=\"qr\" aria-hidden=\"true\" viewBox=\"0 0 {side} {side}\"><path d=\"{path}\"></path></svg>"
        );
    }
    for part in &paper.groups {
        out.push_str(&group(part, "group"));
    }
    if let Some(inquire) = &paper.inquire {
        out.push_str(&group(inquire, "inquire"));
    }
    out.push_str("</article>");
    out
}

fn group(group: &PaperGroup, class: &str) -> String {
    let mut out = format!(
        "<section class=\"{class}\"><h2>{}</h2>",
        escaped(&group.title)
    );
    if let Some(text) = &group.text {
        let _ = write!(out, "<p>{}</p>", escaped(text));
    }
    out.push_str(&lines(&group.lines, "lines"));
    out.push_str("</section>");
    out
}

fn lines(lines: &[PaperLine], class: &str) -> String {
    let mut out = format!("<dl class=\"{class}\">");
    for line in lines {
        let _ = write!(
            out,
            "<div><dt>{}</dt><dd{}>{}</dd></div>",
            escaped(&line.name),
            if line.code { " class=\"code\"" } else { "" },
            escaped(line.value.expose())
        );
    }
    out.push_str("</dl>");
    out
}

fn paragraph(class: &str, text: &str) -> String {
    format!("<p class=\"{class}\">{}</p>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

//! Tables. The first row is the head: Markdown has no tables without one. A table whose cells span others
//! or hold lists is written as HTML, with Markdown in its cells.

use super::{Writer, inline, marks, node};
use markup5ever_rcdom::Handle;
use std::rc::Rc;

/// Maximum number of columns; wider tables become paragraphs.
const MAX_COLUMNS: usize = 60;
/// Maximum number of rows or columns that a cell spans.
const MAX_SPAN: u32 = 1_000;
/// Elements that a cell of Markdown cannot hold.
const BLOCKS: [&str; 6] = ["ul", "ol", "dl", "pre", "blockquote", "table"];

/// Returns the blocks of a table.
pub fn table(writer: &mut Writer<'_>, at: &Handle) -> Vec<String> {
    let was_in_table = std::mem::replace(&mut writer.is_in_table, true);
    let rows = rows(at);
    let caption = node::children(at).into_iter().find(|part| node::name(part) == Some("caption"));
    let caption = caption.map(|caption| line(writer, &caption));
    let mut out: Vec<String> = caption.into_iter().filter(|caption| !caption.is_empty()).collect();
    let all = rows.iter().flat_map(cells).collect::<Vec<_>>();
    if !was_in_table && all.iter().any(|cell| spans(cell) != [1, 1] || has_blocks(cell)) {
        writer.is_in_table = false;
        out.push(html(writer, &rows));
        return out;
    }
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| cells(row).iter().map(|cell| line(writer, cell)).collect()).collect();
    writer.is_in_table = was_in_table;
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if columns == 0 || columns > MAX_COLUMNS || was_in_table {
        out.extend(rows.into_iter().map(|row| row.join(" ")).filter(|row| !row.trim().is_empty()));
        return out;
    }
    let mut lines = Vec::new();
    for (place, mut row) in rows.into_iter().enumerate() {
        row.resize(columns, String::new());
        lines.push(format!("| {} |", row.join(" | ")));
        if place == 0 {
            lines.push(format!("|{}", " --- |".repeat(columns)));
        }
    }
    out.push(lines.join("\n"));
    out
}

/// The rows of a table, without those of tables in its cells.
fn rows(table: &Handle) -> Vec<Handle> {
    let is_row = |node: &Handle| node::name(node) == Some("tr");
    let rows = node::children(table).into_iter().flat_map(|part| match node::name(&part) {
        Some("thead" | "tbody" | "tfoot") => node::children(&part).into_iter().filter(is_row).collect(),
        Some("tr") => vec![Rc::clone(&part)],
        _ => Vec::new(),
    });
    rows.collect()
}

fn cells(row: &Handle) -> Vec<Handle> {
    let cells = node::children(row).into_iter();
    cells.filter(|cell| matches!(node::name(cell), Some("td" | "th"))).collect()
}

/// Everything in a cell in one line.
fn line(writer: &mut Writer<'_>, cell: &Handle) -> String {
    let mut line = String::new();
    inline::append_all(writer, &node::children(cell), &mut line);
    marks::resolved(&line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Numbers of columns and rows that a cell spans.
fn spans(cell: &Handle) -> [u32; 2] {
    ["colspan", "rowspan"]
        .map(|name| node::attribute(cell, name).parse::<u32>().unwrap_or(1).clamp(1, MAX_SPAN))
}

/// Whether a cell holds what a line cannot.
fn has_blocks(cell: &Handle) -> bool {
    BLOCKS.iter().any(|name| !node::find_all(cell, name).is_empty())
}

/// The table as HTML. Blank lines around the content of a cell let Markdown read it.
fn html(writer: &mut Writer<'_>, rows: &[Handle]) -> String {
    let mut lines = vec!["<table>".to_owned()];
    for row in rows {
        lines.push("<tr>".to_owned());
        for cell in cells(row) {
            let name = if node::name(&cell) == Some("th") { "th" } else { "td" };
            let [columns, rows] = spans(&cell);
            let attribute = |name: &str, number: u32| {
                if number > 1 { format!(" {name}=\"{number}\"") } else { String::new() }
            };
            let attributes = attribute("colspan", columns) + &attribute("rowspan", rows);
            let mut inner = Vec::new();
            writer.blocks(&node::children(&cell), &mut inner);
            lines.push(if inner.is_empty() {
                format!("<{name}{attributes}></{name}>")
            } else {
                format!("<{name}{attributes}>\n\n{}\n\n</{name}>", inner.join("\n\n"))
            });
        }
        lines.push("</tr>".to_owned());
    }
    lines.push("</table>".to_owned());
    lines.join("\n")
}

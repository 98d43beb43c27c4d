//! Tables. The first row is the head: Markdown has no tables without one.

use super::{Writer, inline, node};
use markup5ever_rcdom::Handle;

/// Maximum number of columns; wider tables become paragraphs.
const MAX_COLUMNS: usize = 60;

/// Returns the blocks of a table.
pub fn table(writer: &mut Writer<'_>, at: &Handle) -> Vec<String> {
    let was_in_table = std::mem::replace(&mut writer.is_in_table, true);
    let rows: Vec<Vec<String>> = node::find_all(at, "tr").iter().map(|row| cells(writer, row)).collect();
    let caption = node::find_all(at, "caption").first().map(|caption| line(writer, caption));
    writer.is_in_table = was_in_table;
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut out: Vec<String> = caption.into_iter().filter(|caption| !caption.is_empty()).collect();
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

fn cells(writer: &mut Writer<'_>, row: &Handle) -> Vec<String> {
    let cells = node::children(row);
    let cells = cells.iter().filter(|cell| matches!(node::name(cell), Some("td" | "th")));
    cells.map(|cell| line(writer, cell)).collect()
}

/// Everything in a cell in one line.
fn line(writer: &mut Writer<'_>, cell: &Handle) -> String {
    let mut line = String::new();
    inline::append_all(writer, &node::children(cell), &mut line);
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

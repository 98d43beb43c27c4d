//! CSV as spreadsheets read it: RFC 4180 with a byte order mark, and no cell is a formula.

/// Mark at the beginning, by which spreadsheets know that the text is UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Appends a row.
pub fn push_row(text: &mut String, cells: &[&str]) {
    for (place, value) in cells.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        push_cell(text, value);
    }
    text.push_str("\r\n");
}

/// Appends a cell. One that a spreadsheet would take for a formula gets an apostrophe first.
fn push_cell(text: &mut String, value: &str) {
    let is_formula = value.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    let needs_quotes = value.contains(['"', ',', ';', '\n', '\r', '\t']) || value.trim() != value;
    if needs_quotes {
        text.push('"');
    }
    if is_formula {
        text.push('\'');
    }
    if needs_quotes {
        text.push_str(&value.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> String {
        let mut text = String::new();
        push_row(&mut text, cells);
        text
    }

    #[test]
    fn cells_with_separators_quotes_and_lines_are_quoted() {
        assert_eq!(row(&["a", "", "b c"]), "a,,b c\r\n");
        assert_eq!(
            row(&["a,b", "say \"so\"", "x\ny", " z"]),
            "\"a,b\",\"say \"\"so\"\"\",\"x\ny\",\" z\"\r\n"
        );
    }

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(row(&["=cmd|'/c calc'!A1"]), "'=cmd|'/c calc'!A1\r\n");
        assert_eq!(row(&["+1", "-1", "@a", "=1,2"]), "'+1,'-1,'@a,\"'=1,2\"\r\n");
        assert_eq!(row(&["\t=1"]), "\"'\t=1\"\r\n");
        assert_eq!(row(&["a=1", "1-2"]), "a=1,1-2\r\n");
    }
}

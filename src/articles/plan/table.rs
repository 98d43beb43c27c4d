//! Reads CSV as spreadsheets write it: with commas, semicolons or tabs, each row with the number of its
//! first line.

use domain::{
    DomainError,
    articles::plan::{MAX_TABLE_ROWS, TableProblem},
    error::ValidationError,
    text::slice_text,
};

/// Field of errors about the whole table.
const FIELD: &str = "table";
/// Last row, added to the text: a quote that is not closed takes it in. No text contains its first character.
const END: &str = "\u{1}end";

/// A row, or the names of the columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Number of its first line, from 1.
    pub line: usize,
    pub cells: Vec<String>,
}

/// Returns the refusal of a table.
pub fn refused(why: TableProblem) -> DomainError {
    DomainError::invalid(FIELD, ValidationError::Table { why })
}

/// Returns the rows that are not empty, the names of the columns first. All cells are text.
pub fn records(text: &str) -> Result<Vec<Record>, DomainError> {
    let (delimiter, start) = stated_delimiter(text).unwrap_or_else(|| (delimiter(text), 0));
    let (before, rest) = text.split_at(start);
    let rest = format!("{rest}\n{END}");
    let mut lines = Lines { bytes: rest.as_bytes(), offset: 0, line: 1 + breaks(before.as_bytes()) };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(rest.as_bytes());
    let (mut records, mut last) = (Vec::<Record>::new(), 1);
    for record in reader.records() {
        let record = record.map_err(|_| refused(TableProblem::NotText))?;
        if record.len() == 1 && record.get(0) == Some(END) {
            return Ok(records);
        }
        last = lines.at(record.position().map_or(0, csv::Position::byte));
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if records.len() > MAX_TABLE_ROWS {
            let max = u32::try_from(MAX_TABLE_ROWS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid(FIELD, ValidationError::TooMany { max }));
        }
        records.push(Record { line: last, cells: record.iter().map(str::to_owned).collect() });
    }
    Err(refused(TableProblem::OpenQuote { line: last }))
}

/// Counts the lines up to a place that moves forward.
struct Lines<'t> {
    bytes: &'t [u8],
    offset: usize,
    line: usize,
}

impl Lines<'_> {
    /// Number of the line on which the row begins that is read from this byte on: after empty lines.
    fn at(&mut self, byte: u64) -> usize {
        let mut place = usize::try_from(byte).unwrap_or(usize::MAX).min(self.bytes.len());
        while matches!(self.bytes.get(place), Some(b'\r' | b'\n')) {
            place += 1;
        }
        self.line += breaks(self.bytes.get(self.offset..place).unwrap_or_default());
        self.offset = place;
        self.line
    }
}

/// Number of line ends: `\n`, `\r\n` or `\r`.
fn breaks(bytes: &[u8]) -> usize {
    let is_alone = |place: usize| bytes.get(place + 1) != Some(&b'\n');
    let ends = bytes.iter().enumerate().filter(|(place, byte)| match byte {
        b'\n' => true,
        b'\r' => is_alone(*place),
        _ => false,
    });
    ends.count()
}

/// The separator that a first line `sep=;` states, as spreadsheets write it, and the length of the line.
fn stated_delimiter(text: &str) -> Option<(u8, usize)> {
    let end = text.find(['\r', '\n']).unwrap_or(text.len());
    let line = slice_text(text, ..end).trim_matches('"');
    let (name, value) = line.split_at_checked(4)?;
    let delimiter = match value {
        "," => b',',
        ";" => b';',
        "" | "\t" => b'\t',
        _ => return None,
    };
    name.eq_ignore_ascii_case("sep=").then_some((delimiter, end))
}

/// The separator that the first line has most of, outside of quotes.
fn delimiter(text: &str) -> u8 {
    let (mut counts, mut is_quoted) = ([(b',', 0_usize), (b';', 0), (b'\t', 0)], false);
    for byte in text.trim_start_matches(['\r', '\n']).bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\r' | b'\n' if !is_quoted => break,
            _ if is_quoted => {}
            byte => counts.iter_mut().filter(|(one, _)| *one == byte).for_each(|(_, count)| *count += 1),
        }
    }
    let [comma, others @ ..] = counts;
    others.into_iter().fold(comma, |most, one| if one.1 > most.1 { one } else { most }).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, Vec<String>)> {
        records(text).unwrap().into_iter().map(|record| (record.line, record.cells)).collect()
    }

    fn row(line: usize, cells: &[&str]) -> (usize, Vec<String>) {
        (line, cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn cells_are_separated_by_commas_semicolons_or_tabs() {
        let expected = [row(1, &["a", "b"]), row(2, &["1", "2"])];
        for text in ["a,b\n1,2", "a;b\r\n1;2\r\n", "a\tb\r1\t2\r", "\"a\",b\n1,\"2\"\n"] {
            assert_eq!(read(text), expected, "{text:?}");
        }
        assert_eq!(read("sep=;\r\na;b,c\r\n"), [row(2, &["a", "b,c"])]);
        assert_eq!(read("\"x;y;z\",b\n"), [row(1, &["x;y;z", "b"])], "quotes protect a separator");
        assert_eq!(read("title\nOne, two\n"), [row(1, &["title"]), row(2, &["One", " two"])]);
    }

    #[test]
    fn quotes_hold_separators_quotes_and_lines_and_lines_are_counted() {
        let text = "a,b\r\n\r\n\"x,\"\"y\"\"\r\nz\",2\r\n,\r\n=cmd|'/c calc'!A1,\"3\r\r\n\n4\"\r\n5\r\n";
        assert_eq!(
            read(text),
            [
                row(1, &["a", "b"]),
                row(3, &["x,\"y\"\r\nz", "2"]),
                row(6, &["=cmd|'/c calc'!A1", "3\r\r\n\n4"]),
                row(10, &["5"]),
            ]
        );
    }

    #[test]
    fn an_open_quote_and_too_many_rows_are_refused() {
        let open = records("a\n1\n\n\"2\n3\n").unwrap_err();
        assert_eq!(open, refused(TableProblem::OpenQuote { line: 4 }));
        assert!(records(&format!("a\n{}", "1\n".repeat(MAX_TABLE_ROWS))).is_ok());
        let many = records(&format!("a\n{}", "1\n".repeat(MAX_TABLE_ROWS + 1))).unwrap_err();
        assert_eq!(many, DomainError::invalid("table", ValidationError::TooMany { max: 10_000 }));
        assert_eq!(records("").unwrap(), []);
    }
}

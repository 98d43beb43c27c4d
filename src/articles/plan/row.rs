//! Reads the rows of a table: what each would be as an article.

use super::{
    decode::decode,
    table::{self, Record},
    time::{self, Clock, PlannedTime},
};
use crate::{
    articles::{check, checked_details, create::slug_of},
    zone::Zone,
};
use domain::{
    DomainError,
    articles::{
        details::ArticleDetails,
        plan::{RowProblem, RowWarning, TableProblem},
    },
};
use std::{borrow::Cow, collections::HashMap};
use store::rendered::Rendering;

/// Maximum length of a title or a name in a report, in characters.
const MAX_SHOWN_CHARS: usize = 100;
/// Characters that separate tags in a cell.
const TAG_SEPARATORS: [char; 6] = [',', ';', '，', '；', '、', '\n'];

/// A column that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Title,
    Body,
    File,
    Time,
    Zone,
    Tags,
    Summary,
    Slug,
}

/// The names of the columns, in lower case.
const COLUMNS: [(Column, [&str; 3]); 8] = [
    (Column::Title, ["title", "标题", "titel"]),
    (Column::Body, ["body", "正文", "inhalt"]),
    (Column::File, ["file", "文件", "datei"]),
    (Column::Time, ["time", "时间", "zeit"]),
    (Column::Zone, ["zone", "时区", "zeitzone"]),
    (Column::Tags, ["tags", "标签", "schlagwörter"]),
    (Column::Summary, ["summary", "摘要", "zusammenfassung"]),
    (Column::Slug, ["slug", "网址别名", "kurzname"]),
];

/// A row of the table, and what it would be.
#[derive(Debug)]
pub struct Row {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Title for a report.
    pub title: String,
    pub wanted: Result<Wanted, RowProblem>,
}

/// An article to write.
#[derive(Debug)]
pub struct Wanted {
    pub title: String,
    pub body: String,
    pub details: ArticleDetails,
    /// The wanted slug, then the one that it gets.
    pub slug: String,
    /// Whether the table names the slug.
    pub has_own_slug: bool,
    pub due: PlannedTime,
    /// The zone of its time.
    pub zone: Zone,
    /// `None`: not rendered yet.
    pub rendering: Option<Rendering>,
    pub warnings: Vec<RowWarning>,
}

/// A table that was read.
#[derive(Debug)]
pub struct Table {
    pub rows: Vec<Row>,
    /// Names of the columns that are not read.
    pub ignored: Vec<String>,
}

/// Reads a table. `files`: the texts that its column `file` names.
pub fn read(bytes: &[u8], files: &HashMap<String, Vec<u8>>, clock: Clock) -> Result<Table, DomainError> {
    let (columns, records) = parse(bytes)?;
    let mut lines: HashMap<String, usize> = HashMap::new();
    let mut rows = Vec::with_capacity(records.len());
    for record in &records {
        let mut wanted = wanted(record, &columns, files, clock);
        if let Ok(wanted) = &mut wanted {
            match lines.get(&wanted.title) {
                Some(line) => wanted.warnings.push(RowWarning::TitleTwice { line: *line }),
                None => _ = lines.insert(wanted.title.clone(), record.line),
            }
        }
        rows.push(Row { line: record.line, title: shown(columns.cell(record, Column::Title)), wanted });
    }
    Ok(Table { rows, ignored: columns.ignored })
}

/// Returns the names in the column `file`.
pub fn file_names(bytes: &[u8]) -> Result<Vec<String>, DomainError> {
    let (columns, records) = parse(bytes)?;
    let names = records.iter().map(|record| columns.cell(record, Column::File).trim());
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn parse(bytes: &[u8]) -> Result<(Columns, Vec<Record>), DomainError> {
    let text = decode(bytes).ok_or_else(|| table::refused(TableProblem::NotText))?;
    let mut records = table::records(&text)?;
    if records.is_empty() {
        return Err(table::refused(TableProblem::NoTitle));
    }
    let columns = Columns::of(&records.remove(0)).map_err(table::refused)?;
    match records.is_empty() {
        true => Err(table::refused(TableProblem::NoRows)),
        false => Ok((columns, records)),
    }
}

/// Which column is where.
#[derive(Debug)]
struct Columns {
    places: Vec<(Column, usize)>,
    count: usize,
    ignored: Vec<String>,
}

impl Columns {
    fn of(names: &Record) -> Result<Self, TableProblem> {
        let (mut places, mut ignored) = (Vec::<(Column, usize)>::new(), Vec::new());
        for (place, name) in names.cells.iter().enumerate() {
            let key = name.trim().to_lowercase();
            let found = COLUMNS.iter().find(|(_, names)| names.contains(&key.as_str()));
            match found.map(|(column, _)| *column) {
                Some(column) if places.iter().any(|(known, _)| *known == column) => {
                    return Err(TableProblem::ColumnTwice { name: shown(name) });
                }
                Some(column) => places.push((column, place)),
                None if key.is_empty() => {}
                None => ignored.push(shown(name)),
            }
        }
        match places.iter().any(|(column, _)| *column == Column::Title) {
            true => Ok(Self { places, count: names.cells.len(), ignored }),
            false => Err(TableProblem::NoTitle),
        }
    }

    /// The cell of a row; empty: it has none.
    fn cell<'r>(&self, record: &'r Record, column: Column) -> &'r str {
        let place = self.places.iter().find(|(one, _)| *one == column).map(|(_, place)| *place);
        place.and_then(|place| record.cells.get(place)).map_or("", String::as_str)
    }
}

fn wanted(
    record: &Record,
    columns: &Columns,
    files: &HashMap<String, Vec<u8>>,
    clock: Clock,
) -> Result<Wanted, RowProblem> {
    let cell = |column| columns.cell(record, column);
    if record.cells.iter().skip(columns.count).any(|cell| !cell.trim().is_empty()) {
        return Err(RowProblem::TooManyCells { columns: columns.count });
    }
    let title = check::title(cell(Column::Title))?;
    let body = check::body(&text(cell(Column::Body), cell(Column::File), files)?)?;
    let tags = cell(Column::Tags).split(TAG_SEPARATORS).map(str::trim).filter(|tag| !tag.is_empty());
    let details = checked_details(ArticleDetails {
        summary: cell(Column::Summary).to_owned(),
        tags: tags.map(str::to_owned).collect(),
        ..ArticleDetails::default()
    })?;
    let typed = cell(Column::Slug).trim();
    let slug = if typed.is_empty() { slug_of(&title) } else { check::slug(typed)? };
    let (due, zone) = time::read(cell(Column::Time), cell(Column::Zone), clock)?;
    let is_empty = due != PlannedTime::Draft && body.trim().is_empty();
    Ok(Wanted {
        has_own_slug: !typed.is_empty(),
        warnings: if is_empty { vec![RowWarning::NoText] } else { Vec::new() },
        rendering: None,
        title,
        body,
        details,
        slug,
        due,
        zone,
    })
}

/// The text of a row: its cell, or the file that it names.
fn text<'r>(body: &'r str, file: &str, files: &HashMap<String, Vec<u8>>) -> Result<Cow<'r, str>, RowProblem> {
    let file = file.trim();
    if file.is_empty() {
        return Ok(Cow::Borrowed(body));
    }
    if !body.trim().is_empty() {
        return Err(RowProblem::BodyAndFile);
    }
    // A browser sends names without folders.
    let last = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let found = files.get(file).or_else(|| files.get(last));
    let bytes = found.ok_or_else(|| RowProblem::NoFile { name: shown(file) })?;
    decode(bytes).map(Cow::Owned).ok_or_else(|| RowProblem::FileNotText { name: shown(file) })
}

/// A title or a name for a report.
fn shown(text: &str) -> String {
    text.trim().chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str, files: &[(&str, &[u8])]) -> Result<Table, DomainError> {
        let now = "2027-03-01T08:00:00Z".parse().unwrap();
        let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
        read(text.as_bytes(), &files, Clock { now, zone: Zone::UTC, is_month_first: false })
    }

    fn problem(row: &str) -> String {
        let text = format!("title,body,file,time,zone,tags,slug\n{row}\n");
        let table = table(&text, &[("bad.md", b"\xff")]).unwrap();
        table.rows[0].wanted.as_ref().map_or_else(|problem| problem.code().to_owned(), |_| "ok".to_owned())
    }

    #[test]
    fn columns_are_found_by_name_in_any_order_and_case() {
        let text = "Tags;TITLE; 时间 ;Note;File\n\"a; b,c\";=1+1;2027-06-09 09:00;x;posts/one.md\n";
        let table = table(text, &[("one.md", b"\xef\xbb\xbf# One")]).unwrap();
        let wanted = table.rows[0].wanted.as_ref().unwrap();
        assert_eq!((wanted.title.as_str(), wanted.body.as_str()), ("=1+1", "# One"));
        assert_eq!(
            (wanted.slug.as_str(), &wanted.details.tags[..]),
            ("1-1", &["a", "b", "c"].map(str::to_owned)[..])
        );
        assert_eq!((table.rows[0].line, table.ignored), (2, vec!["Note".to_owned()]));
    }

    #[test]
    fn a_row_that_is_not_valid_says_why() {
        for (row, code) in [
            ("One", "ok"),
            (",text", "invalid"),
            ("One,text,file.md", "body_and_file"),
            ("One,,file.md", "no_file"),
            ("One,,bad.md", "file_not_text"),
            ("One,,,2020-01-01 09:00", "past"),
            ("One,,,,Mars", "invalid"),
            ("One,,,,,a/b", "invalid"),
            ("One,,,,,,---", "invalid"),
            ("One,,,,,,,more", "too_many_cells"),
            ("One,,,,,,,", "ok"),
        ] {
            assert_eq!(problem(row), code, "{row}");
        }
    }

    #[test]
    fn a_table_needs_titles_and_rows() {
        let refused = |text: &str| table(text, &[]).unwrap_err();
        assert_eq!(refused(""), table::refused(TableProblem::NoTitle));
        assert_eq!(refused("name,time\nx,y\n"), table::refused(TableProblem::NoTitle));
        assert_eq!(refused("title,time\n\n"), table::refused(TableProblem::NoRows));
        let twice = TableProblem::ColumnTwice { name: "Title".to_owned() };
        assert_eq!(refused("title,Title\nx,y\n"), table::refused(twice));
    }

    #[test]
    fn a_repeated_title_is_named_with_the_line_of_the_first() {
        let table = table("title\nOne\nTwo\nOne\n", &[]).unwrap();
        let warnings = |place: usize| table.rows[place].wanted.as_ref().unwrap().warnings.clone();
        assert_eq!((warnings(1), warnings(2)), (Vec::new(), vec![RowWarning::TitleTwice { line: 2 }]));
    }
}

//! `/articles/import`: a plain form for a table of articles with their times, and what becomes of its
//! rows.

mod report;

use crate::{
    session::visitor,
    ui::{
        form::{Alert, IMPORT_OTHERS, REPORT, result_of, select::ZoneField, textarea::Textarea},
        icon::Icon,
        page::header::PageHeader,
    },
};
use domain::{
    DomainError,
    articles::plan::{TableEncoding, TableReport},
};
use leptos::prelude::*;
use report::Report;
use texts::articles::plan::{PlanTexts, encoding_name};
use texts::language;
use texts::number::grouped;

/// Where the form posts to.
pub const IMPORT_PATH: &str = "/fn/import_plan";
/// The page of the form.
pub const IMPORT_PAGE: &str = "/articles/import";
/// Field with the pasted table.
pub const TEXT: &str = "text";
/// Field with the hash of the table that was checked.
pub const CHECKED: &str = "checked";
/// Field that says that the table is another one than the one that was checked.
pub const CHANGED: &str = "changed";
/// Field with the encoding of a file that is not Unicode.
pub const ENCODING: &str = "encoding";
/// Field with words of such a file, as they were read.
pub const LETTERS: &str = "letters";
/// Maximum size of the text of a file that the page keeps, in bytes; a larger file is chosen again.
pub const MAX_KEPT_BYTES: usize = 256 * 1024;
/// Maximum number of rows on the page; those with problems come first.
pub const MAX_SHOWN: usize = 200;
/// What a table looks like.
const EXAMPLE: &str = "title,time,zone,tags,body\n\"Spring, at last\",2027-03-20 09:00,Europe/Berlin,\"garden; news\",The first text.\nIdeas,,,,A draft.";

/// The page.
#[component]
pub fn PlanImport() -> impl IntoView {
    let texts = PlanTexts::here();
    let result = result_of(IMPORT_PATH, None);
    let typed = |field: &str| result.as_ref().and_then(|form| form.typed(field).map(str::to_owned));
    let report: Option<TableReport> = typed(REPORT).and_then(|text| serde_json::from_str(&text).ok());
    let refusal = result.as_ref().filter(|_| report.is_none()).map(|form| form.refusal.clone());
    let is_unwritten = report.as_ref().is_some_and(|report| !report.is_written);
    let count = report.as_ref().filter(|_| is_unwritten).map_or(0, TableReport::articles);
    let checked = typed(CHECKED).filter(|_| count > 0);
    // It asked for an import, and got a check: the table is another one.
    let is_changed = is_unwritten && typed(CHANGED).is_some();
    // The button says that rows are left out.
    let leaves_out = report.as_ref().is_some_and(|report| report.refused > 0);
    let zone = typed("zone").unwrap_or_else(|| visitor().zone().to_owned());
    let text = typed(TEXT).unwrap_or_default();
    let encoding = typed(ENCODING).and_then(|word| word.parse::<TableEncoding>().ok());
    let letters = typed(LETTERS).filter(|_| is_unwritten);
    let read_as = encoding.zip(letters);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>""</PageHeader>
        {is_changed.then(|| view! { <p class="notice warn">{texts.changed()}</p> })}
        {read_as.map(|(encoding, letters)| view! {
            <div class="notice warn">
                <p>{texts.read_as(encoding_name(language(), encoding))}</p>
                <p dir="auto">{letters}</p>
                <p>{texts.wrong_letters()}</p>
            </div>
        })}
        {report.map(|report| view! { <Report report=report /> })}
        <form method="post" action=IMPORT_PATH enctype="multipart/form-data" class="stack import-form">
            <Alert refusal=Signal::stored(refusal.clone().filter(|refusal| !refusal.is_about(&["zone"]))) />
            {checked.map(|checked| view! {
                <input type="hidden" name=CHECKED value=checked />
                <p>
                    <button class="button main" type="submit" name="what" value=if leaves_out { IMPORT_OTHERS } else { "import" }>
                        <Icon name="check" />
                        {if leaves_out { texts.import_others(grouped(count as u64)) } else { texts.import_new(grouped(count as u64)) }}
                    </button>
                </p>
            })}
            <Table text=text zone=zone encoding=encoding refusal=refusal />
            <p>
                <button class="button" class:main=count == 0 type="submit" name="what" value="check">
                    <Icon name="search" />{texts.check()}
                </button>
            </p>
        </form>
        <Columns />
    }
}

/// The fields with the table and what it needs.
#[component]
fn Table(
    text: String,
    zone: String,
    /// Encoding of the file; `None`: it is recognised.
    encoding: Option<TableEncoding>,
    refusal: Option<DomainError>,
) -> impl IntoView {
    let texts = PlanTexts::here();
    let option = |one: &TableEncoding| {
        let name = encoding_name(language(), *one);
        view! { <option value=one.as_str() selected=encoding == Some(*one)>{name}</option> }
    };
    let options = TableEncoding::ALL.iter().map(option).collect_view();
    view! {
        <div class="field">
            <label for=TEXT>{texts.text()}</label>
            <Textarea name=TEXT value=text rows=10 />
        </div>
        <div class="field">
            <label for="plan-table">{texts.file()}</label>
            <input id="plan-table" name="table" type="file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="plan-table-hint" />
            <span class="hint" id="plan-table-hint">{texts.file_hint()}</span>
        </div>
        <div class="field">
            <label for="plan-encoding">{texts.encoding()}</label>
            <select id="plan-encoding" name=ENCODING aria-describedby="plan-encoding-hint">
                <option value="">{texts.is_recognised()}</option>
                {options}
            </select>
            <span class="hint" id="plan-encoding-hint">{texts.encoding_hint()}</span>
        </div>
        <div class="field">
            <label for="plan-files">{texts.files()}</label>
            <input id="plan-files" name="files" type="file" multiple=true accept=".md,.markdown,.txt,text/markdown" aria-describedby="plan-files-hint" />
            <span class="hint" id="plan-files-hint">{texts.files_hint()}</span>
        </div>
        <ZoneField value=Some(zone) refusal=Signal::stored(refusal) />
    }
}

/// Says what a table contains.
#[component]
fn Columns() -> impl IntoView {
    let texts = PlanTexts::here();
    view! {
        <section class="stack" aria-labelledby="plan-columns">
            <h2 id="plan-columns">{texts.columns()}</h2>
            <p>{texts.columns_hint()}</p>
            <p>{texts.time_hint()}</p>
            <pre class="plan-example" dir="ltr">{EXAMPLE}</pre>
        </section>
    }
}

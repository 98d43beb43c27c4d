//! `/meetings/import`: a plain form for a calendar file, and what becomes of its events.

use crate::ui::{
    form::{Alert, IMPORT_OTHERS, REPORT, result_of},
    icon::Icon,
    page::header::PageHeader,
};
use domain::meetings::{ImportItem, ImportOutcome, ImportReport};
use leptos::prelude::*;
use texts::meetings::span::{moment_here, span_here};
use texts::{
    Language, language,
    meeting_import::{ImportTexts, problem_sentence},
    sentences,
    time::date_text,
};

/// Where the form posts to.
pub const IMPORT_PATH: &str = "/fn/import_meetings";
/// The page of the form.
pub const IMPORT_PAGE: &str = "/meetings/import";
/// Field with the text of a file that was checked.
pub const TEXT: &str = "text";
/// Maximum size of a text that the page keeps, in bytes; a larger file is chosen again.
pub const MAX_KEPT_BYTES: usize = 256 * 1024;
/// Maximum number of events on the page; those that are refused come first.
const MAX_SHOWN: usize = 200;

/// The page.
#[component]
pub fn MeetingImport() -> impl IntoView {
    let texts = ImportTexts::here();
    let result = result_of(IMPORT_PATH, None);
    let typed = |field: &str| result.as_ref().and_then(|form| form.typed(field).map(str::to_owned));
    let report: Option<ImportReport> = typed(REPORT).and_then(|text| serde_json::from_str(&text).ok());
    let refusal = result.as_ref().filter(|_| report.is_none()).map(|form| form.refusal.clone());
    let kept = typed(TEXT);
    // The button says that events are left out.
    let leaves_out = report.as_ref().is_some_and(|report| report.counts().refused > 0);
    let import = if leaves_out { IMPORT_OTHERS } else { "import" };
    let invites = typed("attendees").as_deref() == Some("invite");
    // A large file is not kept: it was checked and must be chosen again.
    let is_checked = kept.is_none() && report.as_ref().is_some_and(|report| !report.is_written);
    let count = report.as_ref().filter(|_| kept.is_some()).map(|report| report.counts().written());
    let keeps = typed("known").as_deref() == Some("keep");
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>""</PageHeader>
        <Alert refusal=Signal::stored(refusal) />
        {report.map(|report| view! { <Report report=report /> })}
        <form method="post" action=IMPORT_PATH enctype="multipart/form-data" class="meeting-form import-form">
            {kept.map(|text| view! { <input type="hidden" name=TEXT value=text /> })}
            <fieldset class="field">
                <legend>{texts.attendees()}</legend>
                <label class="choice"><input type="radio" name="attendees" value="none" checked=!invites />{texts.do_not_invite()}</label>
                <label class="choice"><input type="radio" name="attendees" value="invite" checked=invites />{texts.invite()}</label>
            </fieldset>
            <fieldset class="field">
                <legend>{texts.known_events()}</legend>
                <label class="choice"><input type="radio" name="known" value="update" checked=!keeps />{texts.update_known()}</label>
                <label class="choice"><input type="radio" name="known" value="keep" checked=keeps />{texts.keep_known()}</label>
            </fieldset>
            {count.filter(|count| *count > 0).map(|count| view! {
                <p>
                    <button class="button main" type="submit" name="what" value=import>
                        <Icon name="check" />{if leaves_out { texts.import_others(count) } else { texts.import_new(count) }}
                    </button>
                </p>
            })}
            <div class="field">
                <label for="import-file">{texts.file()}</label>
                <input id="import-file" name="file" type="file" accept=".ics,text/calendar" aria-describedby="import-hint" />
                <span class="hint" id="import-hint">{texts.file_hint()}</span>
            </div>
            <p class="row">
                <button class="button" class:main=count.is_none() type="submit" name="what" value="check">
                    <Icon name="search" />{texts.check()}
                </button>
                {is_checked.then(|| view! {
                    <button class="button" type="submit" name="what" value=import>{texts.import()}</button>
                })}
            </p>
        </form>
    }
}

#[component]
fn Report(report: ImportReport) -> impl IntoView {
    let texts = ImportTexts::here();
    let counts = report.counts();
    let mut said = match report.is_written {
        true => texts.written(counts.new),
        false => texts.would(counts.new, counts.known, counts.refused),
    };
    if counts.update + counts.cancel > 0 {
        let changes = match report.is_written {
            true => texts.changed(counts.update, counts.cancel),
            false => texts.would_change(counts.update, counts.cancel),
        };
        said = sentences(&said, &changes);
    }
    let mut items = report.items;
    items.sort_by_key(|item| (!matches!(item.outcome, ImportOutcome::Refused(_)), item.line));
    let more = items.len().saturating_sub(MAX_SHOWN);
    items.truncate(MAX_SHOWN);
    let rows = items.into_iter().map(row).collect_view();
    view! {
        <p class="notice" role="status">{said}</p>
        <table class="list import-report">
            <thead>
                <tr>
                    <th scope="col">{texts.line()}</th>
                    <th scope="col">{texts.event()}</th>
                    <th scope="col">{texts.when()}</th>
                    <th scope="col">{texts.result()}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        {(more > 0).then(|| view! { <p class="hint">{texts.more(more)}</p> })}
    }
}

fn row(item: ImportItem) -> impl IntoView {
    let (texts, language) = (ImportTexts::here(), language());
    let when = item.starts.zip(item.ends).map(|(starts, ends)| span_here(language, starts, ends));
    let result = result(&item, language);
    let is_refused = matches!(item.outcome, ImportOutcome::Refused(_));
    let title = if item.title.is_empty() { texts.untitled().to_owned() } else { item.title };
    view! {
        <tr class:is-refused=is_refused>
            <td class="line">{item.line}</td>
            <th scope="row" dir="auto">{title}</th>
            <td>{when}{(!item.room.is_empty()).then(|| format!(" {}", texts.in_room(&item.room)))}</td>
            <td>{result}{(item.attendees > 0).then(|| format!(" {}", texts.invited(item.attendees)))}</td>
        </tr>
    }
}

/// What becomes of an event, and what of it is left out.
fn result(item: &ImportItem, language: Language) -> String {
    let texts = ImportTexts(language);
    let outcome = match &item.outcome {
        ImportOutcome::New(_) if item.count > 1 => texts.repeats(item.count),
        ImportOutcome::New(_) => texts.is_new().to_owned(),
        ImportOutcome::Known => texts.known().to_owned(),
        ImportOutcome::Update(_) if item.count > 1 => texts.updates(item.count),
        ImportOutcome::Update(_) => texts.update().to_owned(),
        ImportOutcome::Cancel(_) if item.count > 1 => texts.cancels(item.count),
        ImportOutcome::Cancel(_) => texts.cancel().to_owned(),
        ImportOutcome::Older => texts.older().to_owned(),
        ImportOutcome::Merged => texts.merged().to_owned(),
        ImportOutcome::Refused(problem) => problem_sentence(language, problem),
    };
    let was = item.was.map(|was| texts.was(&moment_here(language, was)));
    let running = item.is_running.then(|| texts.running().to_owned());
    let shortened = item.shortened_to.as_deref().map(|date| texts.shortened(&date_text(language, date)));
    let notes = [was, running, shortened].into_iter().flatten();
    notes.fold(outcome, |said, note| format!("{said} · {note}"))
}

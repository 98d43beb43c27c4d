//! What becomes of the rows of a table.

use crate::{session::visitor, tasks::list_page::bulk::bulk_fns::UndoBatch, ui::time::date_time::DateTime};
use domain::{
    BatchId,
    articles::plan::{TableReport, TableRow, TableTime},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::articles::plan::{PlanTexts, problem_sentence, warning_sentence};
use texts::{language, number::grouped, sentences};

/// What became of a table, or would.
#[component]
pub fn Report(report: TableReport) -> impl IntoView {
    let texts = PlanTexts::here();
    let [scheduled, drafts, refused, warned] =
        [report.scheduled, report.drafts, report.refused, report.warned].map(|count| grouped(count as u64));
    let said = match report.is_written {
        true if report.refused > 0 => sentences(&texts.written(scheduled, drafts), &texts.left(refused)),
        true => texts.written(scheduled, drafts),
        false => texts.would(scheduled, drafts, refused, warned),
    };
    let ignored = (!report.ignored.is_empty()).then(|| texts.ignored(report.ignored.join(", ")));
    let more = (report.articles() + report.refused).saturating_sub(report.rows.len());
    let (is_written, batch) = (report.is_written, report.batch);
    let rows = report.rows.into_iter().map(row).collect_view();
    view! {
        <p class="notice" role="status">{said}</p>
        {ignored.map(|ignored| view! { <p class="notice warn">{ignored}</p> })}
        {is_written.then(|| view! { <p><a href="/articles">{texts.see()}</a></p> })}
        {batch.map(|batch| view! { <Undo batch=batch /> })}
        <table class="list import-report">
            <thead>
                <tr>
                    <th scope="col">{texts.line()}</th>
                    <th scope="col">{texts.article()}</th>
                    <th scope="col">{texts.when()}</th>
                    <th scope="col">{texts.result()}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        {(more > 0).then(|| view! { <p class="hint">{texts.more(grouped(more as u64))}</p> })}
    }
}

/// Cancels all schedules of the import.
#[component]
fn Undo(batch: BatchId) -> impl IntoView {
    let texts = PlanTexts::here();
    view! {
        <form method="post" action=UndoBatch::PATH>
            <input type="hidden" name="from" value="/articles" />
            <input type="hidden" name="id" value=batch.to_string() />
            <p>
                <button class="button" type="submit">{texts.undo()}</button>
                " " <span class="hint">{texts.undo_hint()}</span>
            </p>
        </form>
    }
}

fn row(row: TableRow) -> impl IntoView {
    let (texts, language) = (PlanTexts::here(), language());
    let is_refused = row.problem.is_some();
    let result = match &row.problem {
        Some(problem) => problem_sentence(language, problem),
        None if row.due.is_some() => texts.is_scheduled().to_owned(),
        None => texts.is_draft().to_owned(),
    };
    let warnings = row.warnings.iter().map(|warning| warning_sentence(language, warning));
    let warnings: Vec<_> = warnings.map(|warning| view! { <p class="meta">{warning}</p> }).collect();
    let title = if row.title.is_empty() { texts.untitled().to_owned() } else { row.title };
    let title = match row.article {
        Some(id) => view! { <a href=format!("/articles/{id}")>{title}</a> }.into_any(),
        None => title.into_any(),
    };
    view! {
        <tr class:is-refused=is_refused>
            <td class="line">{row.line}</td>
            <th scope="row" dir="auto">{title}</th>
            <td>{row.due.map(moment)}</td>
            <td>{result}{warnings}</td>
        </tr>
    }
}

/// The moment for the user, and in the zone of the row if that is another one.
fn moment(due: TableTime) -> impl IntoView {
    let is_other = due.zone != visitor().zone();
    let there = is_other.then(|| format!("{} {}", due.local.replacen('T', " ", 1), due.zone));
    view! {
        <DateTime at=due.at />
        {there.map(|there| view! { <p class="meta">{there}</p> })}
    }
}

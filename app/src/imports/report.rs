//! One import: its state, its report, and what can be done.

use crate::imports::server_fns::{DiscardImport, RunImport, StopImport, UndoImport};
use crate::{live::live, session::visitor, ui::form::PlainForm};
use domain::imports::{Import, ImportReport, ImportState, Listed, UndoReport};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::settings::import::ImportTexts;
use texts::{Language, colon, language, number::grouped, time};

/// One import.
#[component]
pub fn ImportPanel(import: Import) -> impl IntoView {
    let texts = ImportTexts::here();
    let heading = format!("{} · {}", texts.name_of(import.system), import.file_name);
    let when = time::moment(language(), import.created, visitor().zone(), live().now().get_untracked());
    let uploaded = texts.uploaded(import.by.clone(), when);
    let is_interrupted = import.state == ImportState::Interrupted;
    let lead = match import.state {
        ImportState::Checking => texts.checking_lead(),
        ImportState::Running => texts.running_lead(),
        ImportState::Ready if !import.has_file => texts.file_gone(),
        ImportState::Interrupted if !import.has_file => texts.file_gone(),
        ImportState::Ready => texts.ready_lead(),
        ImportState::Failed => texts.failed_lead(),
        ImportState::Interrupted => texts.interrupted_lead(),
        ImportState::Done => texts.done_lead(),
        ImportState::Undone => "",
    };
    let report =
        import.report.clone().filter(|_| matches!(import.state, ImportState::Ready | ImportState::Done));
    view! {
        <article class="panel import-panel">
            <header><h3 dir="auto">{heading}</h3><span class="muted">{texts.state_of(import.state)}</span></header>
            <p class="muted">{uploaded}</p>
            {(!lead.is_empty()).then(|| view! { <p class=is_interrupted.then_some("notice warn")>{lead}</p> })}
            {import.why.clone().map(|why| view! { <p class="muted" lang="en">{why}</p> })}
            {import.state.is_active().then(|| view! { <Progress done=import.done total=import.total /> })}
            {report.map(|report| view! { <Report report=report /> })}
            {import.undo.clone().map(|undo| view! { <Undone undo=undo /> })}
            <Actions import=import />
        </article>
    }
}

#[component]
fn Progress(done: u64, total: u64) -> impl IntoView {
    let text = ImportTexts::here().progress(grouped(done), grouped(total));
    (total > 0).then(|| {
        view! { <p class="import-progress"><progress max=total.to_string() value=done.to_string()></progress>" "<span>{text}</span></p> }
    })
}

#[component]
fn Report(report: ImportReport) -> impl IntoView {
    let texts = ImportTexts::here();
    let counts = [
        (report.created, texts.created_one(), texts.created()),
        (report.updated, texts.updated_one(), texts.updated()),
        (report.published, texts.published(), texts.published()),
        (report.scheduled, texts.scheduled(), texts.scheduled()),
        (report.pictures, texts.picture(), texts.pictures_count()),
        (report.unchanged, texts.unchanged(), texts.unchanged()),
    ];
    let lists = [
        (report.refused, texts.refused(), texts.refused()),
        (report.held, texts.held_one(), texts.held()),
        (report.kept, texts.kept_one(), texts.kept()),
        (report.warnings, texts.warning(), texts.warnings()),
    ];
    let is_nothing = report.created + report.updated == 0 && lists.iter().all(|(list, ..)| list.count == 0);
    let has_details = lists.iter().any(|(list, ..)| list.count > 0) || !report.left_out.is_empty();
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| {
        view! { <li><strong>{grouped(count)}</strong>" "{if count == 1 { one } else { many }}</li> }
    });
    let left_out: Vec<String> = report
        .left_out
        .iter()
        .map(|one| match one.names.is_empty() {
            true => format!("{} ({})", one.kind, one.count),
            false => format!("{} ({}): {}", one.kind, one.count, one.names.join(", ")),
        })
        .collect();
    view! {
        {is_nothing.then(|| view! { <p>{texts.nothing()}</p> })}
        <ul class="plain-list">{counts.collect_view()}</ul>
        {(!report.shortcodes.is_empty()).then(|| view! { <p>{texts.shortcodes(report.shortcodes.join(", "))}</p> })}
        {lists
            .into_iter()
            .map(|(list, one, many)| view! { <Items name=if list.count == 1 { one } else { many } list=list /> })
            .collect_view()}
        {(!left_out.is_empty()).then(|| view! {
            <details>
                <summary>{texts.left_out()}</summary>
                <ul class="plain-list" lang="en">
                    {left_out.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}
                </ul>
            </details>
        })}
        {(has_details && language() != Language::En).then(|| view! { <p class="muted">{texts.english()}</p> })}
    }
}

/// Items of a report, with their reasons.
#[component]
fn Items(list: Listed, name: &'static str) -> impl IntoView {
    let more = list.count.saturating_sub(list.items.len() as u64);
    let items = list.items.into_iter().map(|item| {
        view! { <li><strong dir="auto">{item.name}</strong>{colon()}<span lang="en">{item.why}</span></li> }
    });
    let items = items.collect_view();
    (list.count > 0).then(|| {
        view! {
            <details>
                <summary><strong>{grouped(list.count)}</strong>" "{name}</summary>
                <ul class="plain-list">
                    {items}
                    {(more > 0).then(|| view! { <li class="muted">{ImportTexts::here().more(more)}</li> })}
                </ul>
            </details>
        }
    })
}

#[component]
fn Undone(undo: UndoReport) -> impl IntoView {
    let texts = ImportTexts::here();
    let more = undo.kept.saturating_sub(undo.kept_articles.len() as u64);
    let kept = undo.kept_articles.into_iter().map(|article| {
        let href = format!("/articles/{}", article.id);
        view! { <li><a href=href dir="auto">{article.title}</a>{colon()}{texts.reason_of(article.why)}</li> }
    });
    let kept = kept.collect_view();
    view! {
        <p>{texts.moved(undo.moved, undo.cancelled)}</p>
        {(undo.unpublished > 0).then(|| view! { <p>{texts.unpublished(undo.unpublished)}</p> })}
        {(undo.kept > 0).then(|| view! {
            <p>{texts.kept_articles(undo.kept)}</p>
            <ul class="plain-list">
                {kept}
                {(more > 0).then(|| view! { <li class="muted">{texts.more(more)}</li> })}
            </ul>
        })}
    }
}

/// What can be done with it.
#[component]
fn Actions(import: Import) -> impl IntoView {
    let texts = ImportTexts::here();
    let (id, state) = (import.id.to_string(), import.state);
    let run = if state == ImportState::Ready { texts.import_now() } else { texts.run_again() };
    let remove = match state {
        ImportState::Checking | ImportState::Ready => texts.discard(),
        _ => texts.remove(),
    };
    let is_left = import.undo.as_ref().is_none_or(|undo| undo.kept > 0);
    let undo = if state == ImportState::Undone { texts.undo_again() } else { texts.undo() };
    let button = |function, class, label| {
        view! { <Button function=function id=id.clone() seen=import.version.0 class=class label=label /> }
    };
    view! {
        <div class="row">
            {(state.may_run() && import.has_file).then(|| button(RunImport::PATH, "button main", run))}
            {match state {
                ImportState::Running => button(StopImport::PATH, "button", texts.stop()),
                _ => button(DiscardImport::PATH, "button", remove),
            }}
        </div>
        {(state.may_undo() && is_left).then(|| view! {
            <details class="open-in-place">
                <summary class="button">{undo}</summary>
                <p class="hint">{texts.undo_hint()}</p>
                <PlainForm function=UndoImport::PATH about=id.clone()>
                    <input type="hidden" name="id" value=id.clone() />
                    {(import.public > 0).then(|| view! {
                        <label class="choice">
                            <input type="checkbox" name="unpublish" value="true" />
                            <span>{texts.also_unpublish(import.public)}</span>
                        </label>
                    })}
                    <button class="button danger" type="submit">{texts.undo_confirm()}</button>
                </PlainForm>
            </details>
        })}
    }
}

/// A form with one button.
#[component]
fn Button(
    function: &'static str,
    id: String,
    seen: i32,
    class: &'static str,
    label: &'static str,
) -> impl IntoView {
    view! {
        <PlainForm function=function about=id.clone()>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=seen />
            <button class=class type="submit">{label}</button>
        </PlainForm>
    }
}

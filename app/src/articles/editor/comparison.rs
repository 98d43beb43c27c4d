//! Compares two edits of one text: the lines that each changed, and those that both changed.

use crate::articles::editor::{draft::ServerVersion, local_backup::Text};
use domain::articles::merge::{MergePart, merge_lines};
use leptos::prelude::*;
use texts::articles::editor::EditorTexts;
use texts::{articles::ArticleTexts, colon};

/// Number of equal lines shown around a change.
const CONTEXT_LINES: usize = 2;
/// Maximum number of changes shown.
const MAX_PARTS: usize = 200;

/// The changes of my text and of the saved one. If their common base is unknown, the changes from
/// the saved text to mine.
#[component]
pub fn Comparison(
    /// My text.
    mine: Text,
    /// The saved text.
    server_version: ServerVersion,
) -> impl IntoView {
    let whole = |text: &Text| format!("{}\n\n{}", text.title, text.body);
    let theirs = whole(&server_version.text);
    let base = server_version.base.as_ref().map_or_else(|| theirs.clone(), whole);
    let parts = merge_lines(&base, &whole(&mine), &theirs);
    let rows = parts.into_iter().take(MAX_PARTS).map(part).collect_view();
    let label = EditorTexts::here().compare();
    view! { <div class="diff scroll merge" tabindex="0" role="region" aria-label=label>{rows}</div> }
}

fn part(part: MergePart) -> AnyView {
    let texts = EditorTexts::here();
    match part {
        MergePart::Same(lines) => same(&lines).into_any(),
        MergePart::Mine { base, mine } => {
            view! { <div class="merge-part">{rows(None, base)} {rows(Some(texts.mine()), mine)}</div> }
                .into_any()
        }
        MergePart::Theirs { base, theirs } => {
            view! { <div class="merge-part">{rows(None, base)} {rows(Some(texts.theirs()), theirs)}</div> }
                .into_any()
        }
        MergePart::Conflict { base, mine, theirs } => view! {
            <div class="merge-part is-conflict">
                <p class="merge-heading">{texts.conflict()}</p>
                {rows(None, base)}
                {rows(Some(texts.mine()), mine)}
                {rows(Some(texts.theirs()), theirs)}
            </div>
        }
        .into_any(),
    }
}

/// Equal lines: the first and the last ones.
fn same(lines: &[String]) -> impl IntoView + use<> {
    let left_out = lines.len().saturating_sub(2 * CONTEXT_LINES);
    let end = if left_out > 1 { lines.len() - CONTEXT_LINES } else { CONTEXT_LINES.min(lines.len()) };
    let line = |text: &String| {
        view! { <p class="diff-line"><span class="diff-sign"></span><span class="diff-text" dir="auto">{text.clone()}</span></p> }
    };
    let (first, last) = (lines.iter().take(CONTEXT_LINES), lines.iter().skip(end));
    let skipped =
        (left_out > 1).then(|| ArticleTexts::here().skipped(u32::try_from(left_out).unwrap_or(u32::MAX)));
    view! {
        {first.map(line).collect_view()}
        {skipped.map(|skipped| view! { <p class="diff-skipped">{skipped}</p> })}
        {last.map(line).collect_view()}
    }
}

/// Lines of one version; without a name, those before.
fn rows(name: Option<&'static str>, lines: Vec<String>) -> impl IntoView {
    let (class, sign) =
        if name.is_some() { ("diff-line is-added", "+") } else { ("diff-line is-removed", "−") };
    let spoken = name.unwrap_or(EditorTexts::here().before());
    let row = move |text: String| {
        view! {
            <p class=class>
                <span class="diff-sign" aria-hidden="true">{sign}</span>
                <span class="diff-text" dir="auto">
                    <span class=if name.is_some() { "mark merge-name" } else { "visually-hidden" }>{spoken}<span class="visually-hidden">{colon()}</span></span>
                    {text}
                </span>
            </p>
        }
    };
    lines.into_iter().map(row).collect_view()
}

//! What changed between two texts, by line.

use crate::words::articles::ArticleWords;
use domain::article::DiffLine;
use leptos::prelude::*;

/// The lines, each with its sign: colour alone says nothing.
#[component]
pub fn Diff(
    /// What changed.
    lines: Vec<DiffLine>,
) -> impl IntoView {
    let words = ArticleWords::here();
    let is_same = !lines.iter().any(|line| matches!(line, DiffLine::Removed(_) | DiffLine::Added(_)));
    if is_same {
        return view! { <p class="empty">{words.no_difference()}</p> }.into_any();
    }
    let rows = lines.into_iter().map(|line| row(words, line)).collect_view();
    view! { <div class="diff scroll" tabindex="0" role="region" aria-label=words.compare()>{rows}</div> }
        .into_any()
}

fn row(words: ArticleWords, line: DiffLine) -> AnyView {
    let (class, sign, name, text) = match line {
        DiffLine::Same(text) => ("diff-line", " ", None, text),
        DiffLine::Removed(text) => ("diff-line is-removed", "−", Some(words.removed()), text),
        DiffLine::Added(text) => ("diff-line is-added", "+", Some(words.added()), text),
        DiffLine::Skipped(count) => {
            return view! { <p class="diff-skipped">{words.skipped(count)}</p> }.into_any();
        }
    };
    view! {
        <p class=class>
            <span class="diff-sign" aria-hidden="true">{sign}</span>
            {name.map(|name| view! { <span class="hidden-word">{name} ": "</span> })}
            <span class="diff-text" dir="auto">{text}</span>
        </p>
    }
    .into_any()
}

//! Difference between two texts, by line.

use domain::article::DiffLine;
use leptos::prelude::*;
use texts::{articles::ArticleTexts, colon};

/// The lines, each with a sign, so that the difference does not depend on colour.
#[component]
pub fn Diff(
    /// The lines.
    lines: Vec<DiffLine>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let is_same = !lines.iter().any(|line| matches!(line, DiffLine::Removed(_) | DiffLine::Added(_)));
    if is_same {
        return view! { <p class="empty">{texts.no_difference()}</p> }.into_any();
    }
    let rows = lines.into_iter().map(|line| row(texts, line)).collect_view();
    view! { <div class="diff scroll" tabindex="0" role="region" aria-label=texts.compare()>{rows}</div> }
        .into_any()
}

fn row(texts: ArticleTexts, line: DiffLine) -> AnyView {
    let (class, sign, name, text) = match line {
        DiffLine::Same(text) => ("diff-line", " ", None, text),
        DiffLine::Removed(text) => ("diff-line is-removed", "−", Some(texts.removed()), text),
        DiffLine::Added(text) => ("diff-line is-added", "+", Some(texts.added()), text),
        DiffLine::Skipped(count) => {
            return view! { <p class="diff-skipped">{texts.skipped(count)}</p> }.into_any();
        }
    };
    view! {
        <p class=class>
            <span class="diff-sign" aria-hidden="true">{sign}</span>
            {name.map(|name| view! { <span class="visually-hidden">{name}{colon()}</span> })}
            <span class="diff-text" dir="auto">{text}</span>
        </p>
    }
    .into_any()
}

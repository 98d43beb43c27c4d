//! Hits of word lists, marked in the source of a text.

use crate::review::state::action_word;
use domain::review::{Action, Field, FoundTerm};
use leptos::prelude::*;
use texts::review::ReviewTexts;

/// Number of characters shown before and after a hit.
const CONTEXT_CHARS: usize = 40;
/// Maximum number of hits that are listed.
const MAX_LISTED: usize = 50;

/// A part of a text: whether it is a hit, and of which action.
type Part = (String, Option<Action>);

/// Splits a text into hits and what is between them. Where hits overlap, the strictest counts.
#[must_use]
pub fn parts(text: &str, hits: &[FoundTerm]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut sorted: Vec<&FoundTerm> = hits.iter().collect();
    sorted.sort_by_key(|hit| hit.start);
    let action_at = |place: usize, open: &[&FoundTerm]| {
        open.iter().filter(|hit| hit.start <= place && place < hit.end).map(|hit| hit.action).max()
    };
    let (mut next, mut open): (usize, Vec<&FoundTerm>) = (0, Vec::new());
    for (place, letter) in text.chars().enumerate() {
        while sorted.get(next).is_some_and(|hit| hit.start <= place) {
            open.push(sorted[next]);
            next += 1;
        }
        open.retain(|hit| hit.end > place);
        let action = action_at(place, &open);
        match parts.last_mut().filter(|(_, last)| *last == action) {
            Some((part, _)) => part.push(letter),
            None => parts.push((letter.to_string(), action)),
        }
    }
    parts
}

fn view_of((text, action): Part) -> AnyView {
    match action {
        Some(action) => {
            view! { <mark class="hit" data-action=action.as_str() title=action_word(action)>{text}</mark> }
                .into_any()
        }
        None => text.into_any(),
    }
}

/// A text with its hits marked, as its source.
#[component]
pub fn MarkedText(
    /// The source.
    text: String,
    /// The hits in it.
    hits: Vec<FoundTerm>,
) -> impl IntoView {
    let parts = parts(&text, &hits).into_iter().map(view_of).collect_view();
    view! { <p class="marked-text" dir="auto">{parts}</p> }
}

/// The hits of a review, each with some text around it.
#[component]
pub fn HitList(
    /// The hits.
    hits: Vec<FoundTerm>,
    /// The title.
    title: String,
    /// Markdown.
    body: String,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let rows = hits.into_iter().take(MAX_LISTED).map(|hit| {
        let is_title = hit.field == Field::Title;
        let place = if is_title { texts.in_title() } else { texts.in_text() };
        let around = around(if is_title { &title } else { &body }, &hit);
        view! {
            <li>
                <span class="mark" data-action=hit.action.as_str()>{action_word(hit.action)}</span>
                " " <strong dir="auto">{hit.term}</strong> " " <span class="muted">{place}</span>
                {hit.replacement.map(|by| view! { " " <span dir="auto">{texts.replacement(&by)}</span> })}
                <p class="hit-context" dir="auto">{around.into_iter().map(view_of).collect_view()}</p>
            </li>
        }
    });
    view! { <ul class="hit-list">{rows.collect_view()}</ul> }
}

/// The terms of hits, without repetitions.
#[component]
pub fn HitTerms(
    /// The hits.
    hits: Vec<FoundTerm>,
) -> impl IntoView {
    let mut terms: Vec<(String, Action)> = Vec::new();
    for hit in hits {
        if terms.len() < MAX_LISTED && !terms.iter().any(|(term, _)| *term == hit.term) {
            terms.push((hit.term, hit.action));
        }
    }
    let rows = terms.into_iter().map(|(term, action)| {
        view! {
            <li>
                <span class="mark" data-action=action.as_str()>{action_word(action)}</span> " "
                <strong dir="auto">{term}</strong>
            </li>
        }
    });
    view! { <ul class="hit-list">{rows.collect_view()}</ul> }
}

/// The text around a hit.
fn around(text: &str, hit: &FoundTerm) -> Vec<Part> {
    let begin = hit.start.saturating_sub(CONTEXT_CHARS);
    let slice = |from: usize, to: usize| -> String {
        let line = |letter: char| if letter == '\n' { ' ' } else { letter };
        text.chars().skip(from).take(to.saturating_sub(from)).map(line).collect()
    };
    let after = slice(hit.end, hit.end + CONTEXT_CHARS);
    let more = |is_cut: bool| if is_cut { "…" } else { "" };
    let is_cut = text.chars().count() > hit.end + CONTEXT_CHARS;
    vec![
        (format!("{}{}", more(begin > 0), slice(begin, hit.start)), None),
        (slice(hit.start, hit.end), Some(hit.action)),
        (format!("{after}{}", more(is_cut)), None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::WordListId;

    fn hit(start: usize, end: usize, action: Action) -> FoundTerm {
        let list = WordListId(uuid::Uuid::nil());
        let (field, replacement, quote) = (Field::Text, None, None);
        FoundTerm { term: String::new(), list, action, field, start, end, replacement, quote }
    }

    #[test]
    fn overlapping_hits_are_marked_with_the_strictest_action() {
        let hits = [hit(1, 4, Action::Flag), hit(3, 5, Action::Block)];
        let parts = parts("赌abcdef", &hits);
        let shown: Vec<(&str, Option<Action>)> =
            parts.iter().map(|(text, action)| (text.as_str(), *action)).collect();
        let expected = [("赌", None), ("ab", Some(Action::Flag)), ("cd", Some(Action::Block)), ("ef", None)];
        assert_eq!(shown, expected);
    }
}

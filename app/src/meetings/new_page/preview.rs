//! The next meetings of a series, and those that are not possible.

use crate::meetings::server_fns::CheckedSeries;
use domain::{
    DomainError,
    meetings::{OccurrenceConflict, PlannedOccurrence, SeriesDryRun, SkipReason},
};
use leptos::prelude::*;
use texts::{
    calendar::rule_text::date_words,
    language,
    meetings::{RepeatTexts, span::span_here},
    refusal::sentence,
};

/// What the input means.
#[component]
pub fn SeriesPreview(
    /// The answer.
    checked: RwSignal<CheckedSeries>,
    /// Error of the form: what it says is not said again.
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let is_said = move |what: &DomainError| refusal.with(|said| said.as_ref() == Some(what));
    let lists_conflicts =
        move || !refusal.with(|said| matches!(said, Some(DomainError::OccurrencesTaken { .. })));
    view! {
        <div class="series-preview" role="status">
            {move || match checked.get() {
                CheckedSeries::Incomplete => ().into_any(),
                CheckedSeries::Refused(refusal) if is_said(&refusal) => ().into_any(),
                CheckedSeries::Refused(refusal) => {
                    view! { <p class="notice warn">{sentence(language(), &refusal)}</p> }.into_any()
                }
                CheckedSeries::Known(run) => {
                    view! { <Known run=*run lists_conflicts=lists_conflicts() /> }.into_any()
                }
            }}
        </div>
    }
}

#[component]
fn Known(run: SeriesDryRun, lists_conflicts: bool) -> impl IntoView {
    let texts = RepeatTexts::here();
    let SeriesDryRun { next, count, booked_at_once, conflicts } = run;
    let later = (booked_at_once < count).then(|| texts.booked_later(booked_at_once));
    let shown = next.len();
    let items = next.into_iter().map(|one| {
        let conflict = conflicts.iter().find(|other| other.original_local == one.original_local).cloned();
        view! { <Next one=one conflict=conflict /> }
    });
    let items = items.collect_view();
    let taken = conflicts.len();
    view! {
        <p>{texts.count(count, shown)} {later.map(|later| view! { " " <span class="muted">{later}</span> })}</p>
        <ol>{items}</ol>
        {(taken > 0 && lists_conflicts).then(|| view! { <div class="notice warn"><Conflicts all=conflicts count=count /></div> })}
    }
}

/// One of the next meetings, with what is special about it.
#[component]
fn Next(one: PlannedOccurrence, conflict: Option<OccurrenceConflict>) -> impl IntoView {
    let texts = RepeatTexts::here();
    let when = span_here(language(), one.starts, one.ends);
    let notes: Vec<String> = [
        (!one.omitted.is_empty()).then(|| texts.left_out(omitted(&one.omitted))),
        one.has_other_offset.then(|| texts.clocks_change().to_owned()),
        one.mark.map(|mark| texts.mark(mark).to_owned()),
        conflict.as_ref().map(|conflict| why(texts, conflict)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let is_taken = conflict.is_some();
    view! {
        <li class:is-taken=is_taken>
            <span>{when}</span>
            {(!notes.is_empty()).then(|| view! { " " <span class="muted">{notes.join(" · ")}</span> })}
        </li>
    }
}

/// The months and days that a rule leaves out.
fn omitted(all: &[String]) -> String {
    let names: Vec<String> = all.iter().map(|one| date_words(language(), one)).collect();
    names.join(texts::punctuation::list_comma(language()))
}

/// Why a meeting of a series is not booked.
#[must_use]
pub fn why(texts: RepeatTexts, conflict: &OccurrenceConflict) -> String {
    match (conflict.reason, conflict.meetings.first()) {
        (SkipReason::RoomTaken, Some(meeting)) => texts.taken_by(meeting.title.clone()),
        (SkipReason::RoomTaken, None) => texts.taken().to_owned(),
        (SkipReason::Closed, _) => texts.closed().to_owned(),
        (SkipReason::NoRoom, _) => texts.no_room().to_owned(),
        (SkipReason::Missed, _) => texts.missed().to_owned(),
    }
}

/// Every meeting that is not possible.
#[component]
fn Conflicts(all: Vec<OccurrenceConflict>, count: usize) -> impl IntoView {
    let texts = RepeatTexts::here();
    let sentence = texts.not_possible(all.len(), count);
    let items = all.into_iter().map(|one| {
        let when = span_here(language(), one.starts, one.ends);
        view! { <li><span>{when}</span> " " <span class="muted">{why(texts, &one)}</span></li> }
    });
    view! {
        <p>{sentence}</p>
        <ul class="series-conflicts">{items.collect_view()}</ul>
    }
}

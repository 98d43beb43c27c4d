//! The series of a meeting: how it repeats, its other meetings, and those that were not booked.

use crate::{
    meetings::{new_page::preview::why, state::StateMark},
    session::visitor,
    ui::form::FormResult,
};
use domain::{
    MeetingId,
    meetings::{MeetingSeries, MeetingState},
};
use leptos::prelude::*;
use texts::{
    calendar::rule_text::rule_text_for,
    language,
    meetings::{RepeatTexts, SeriesTexts, span::span_here},
};

/// Maximum number of other meetings that are shown at once.
const MAX_SHOWN: usize = 10;

/// The panel.
#[component]
pub(super) fn SeriesPanel(series: MeetingSeries, id: MeetingId) -> impl IntoView {
    let (texts, repeat) = (SeriesTexts::here(), RepeatTexts::here());
    let count = series.occurrences.len();
    let place = series.occurrences.iter().position(|one| one.id == id).unwrap_or(0);
    let first = place.saturating_sub(2).min(count.saturating_sub(MAX_SHOWN));
    let items = series.occurrences.into_iter().skip(first).take(MAX_SHOWN).map(|one| {
        let when = span_here(language(), one.starts, one.ends);
        let is_this = one.id == id;
        let mark = (one.state != MeetingState::Confirmed).then(|| view! { <StateMark state=one.state /> });
        let link = match is_this {
            true => view! { <strong aria-current="true">{when}</strong> }.into_any(),
            false => view! { <a href=format!("/meetings/{}", one.id)>{when}</a> }.into_any(),
        };
        view! { <li>{link} " " {mark}</li> }
    });
    let items = items.collect_view();
    let skipped: Vec<_> = series
        .skipped
        .iter()
        .map(|one| (span_here(language(), one.starts, one.ends), why(repeat, one)))
        .collect();
    let has_more = count > MAX_SHOWN;
    let rule = rule_text_for(language(), &series.rule, &series.zone, visitor().zone());
    view! {
        <section class="panel" aria-labelledby="series">
            <header><h2 id="series">{texts.series()}</h2></header>
            <p>{rule}</p>
            <ul class="series-meetings">{items}</ul>
            {has_more.then(|| view! { <p class="muted">{texts.more(count - MAX_SHOWN)}</p> })}
            {(!skipped.is_empty()).then(|| view! {
                <div class="notice warn">
                    <p>{texts.skipped(skipped.len())}</p>
                    <ul class="series-conflicts">
                        {skipped.into_iter().map(|(when, why)| view! { <li><span>{when}</span> " " <span class="muted">{why}</span></li> }).collect_view()}
                    </ul>
                </div>
            })}
        </section>
    }
}

/// Asks how far a change reaches. The smallest is preselected; a refused form brings back what was
/// chosen.
#[component]
pub(super) fn ReachFields(
    series: MeetingSeries,
    refused: Option<FormResult>,
    /// Whether the form cancels.
    #[prop(optional)]
    is_cancel: bool,
) -> impl IntoView {
    let texts = SeriesTexts::here();
    let typed = |name: &str| refused.as_ref().and_then(|form| form.typed(name).map(str::to_owned));
    let (reach, moved) = (typed("reach[reach]").unwrap_or_default(), typed("reach[moved]"));
    let has_following = series.following > 1;
    let has_all = series.all > 1;
    let is_small = !matches!(reach.as_str(), "following" | "all");
    (has_following || has_all).then(|| {
        view! {
            <fieldset class="field reach">
                <legend class="label">{texts.reach()}</legend>
                {radio("reach[reach]", "this", is_small, texts.reach_this().to_owned())}
                {has_following.then(|| radio("reach[reach]", "following", reach == "following", texts.reach_following(series.following)))}
                {has_all.then(|| radio("reach[reach]", "all", reach == "all", texts.reach_all(series.all)))}
                {(series.other_moved > 0).then(|| {
                    let counts = (series.other_moved_following, series.other_moved);
                    view! { <MovedFields counts=counts is_cancel=is_cancel moved=moved is_refused=refused.is_some() /> }
                })}
            </fieldset>
        }
    })
}

fn radio(name: &'static str, value: &'static str, is_on: bool, label: String) -> impl IntoView {
    view! {
        <label class="choice"><input type="radio" name=name value=value checked=is_on /><span>{label}</span></label>
    }
}

/// Asks what happens to the meetings that were moved one by one. CSS shows it for a reach that has some.
#[component]
fn MovedFields(
    /// Their numbers among this and the following meetings, and among all.
    counts: (usize, usize),
    is_cancel: bool,
    /// What was chosen in a refused form.
    moved: Option<String>,
    is_refused: bool,
) -> impl IntoView {
    let texts = SeriesTexts::here();
    let (following, all) = counts;
    let follows = moved.as_deref() == Some("follow");
    let count = move |text: fn(SeriesTexts, usize) -> String| {
        view! {
            {(following > 0).then(|| view! { <span class="of-following">{text(texts, following)}</span> })}
            <span class="of-all">{text(texts, all)}</span>
        }
    };
    let fields = if is_cancel {
        view! {
            <label class="choice">
                <input type="checkbox" name="reach[moved]" value="follow" checked=follows || !is_refused />
                {count(SeriesTexts::cancel_moved)}
            </label>
        }
        .into_any()
    } else {
        view! {
            <p class="hint">{count(SeriesTexts::moved_ones)}</p>
            {radio("reach[moved]", "keep", !follows, texts.moved_keep().to_owned())}
            {radio("reach[moved]", "follow", follows, texts.moved_follow().to_owned())}
        }
        .into_any()
    };
    let has_following = following > 0;
    view! { <div class="moved-alone of-all" class:of-following=has_following>{fields}</div> }
}

//! What the input means: the time in all zones, or what is missing.

use super::{
    TimeInput,
    choices::{AmbiguousTimeChoice, OfferedTimes, SeveralTimesChoice, SkippedTimeChoice},
    time_input::Blocker,
};
use crate::{live::live, session::visitor, ui::debounce::Debounce};
use domain::{
    DomainError, LocalizedTime,
    base::{city::City, when::problem::WhenProblem},
    error::ValidationError,
};
use leptos::{html, prelude::*};
use texts::{
    articles::schedule::ScheduleTexts,
    language,
    picker::TimeFieldTexts,
    refusal::sentence,
    time::{desk_moment, moment, relative},
};

/// Pause after the last change before screen readers hear what the input means, in milliseconds.
const SAY_AFTER_MS: u64 = 1_000;

/// Shows the resolved time in the typed zone, the user's and the desk's, and relative to now; or the
/// choice or input that is needed first.
#[component]
pub fn TimeFeedback(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    #[prop(into)]
    name: String,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let was_refused = input.resolved.with_untracked(|resolved| matches!(resolved, Some(Err(_))));
    let blocker = input.blocker();
    let (question_name, skipped_name, offers_name) = (name.clone(), name.clone(), name.clone());
    let shown = Memo::new(move |_| input.resolved.get());
    let feedback = NodeRef::<html::Div>::new();
    let said = said_after_pause(input, blocker, feedback);
    view! {
        {move || input.question.get().map(|ambiguous| view! {
            <AmbiguousTimeChoice input=input name=question_name.clone() ambiguous=ambiguous autofocus=was_refused />
        })}
        <OfferedTimes input=input name=offers_name />
        <p class="visually-hidden" role="status">{said}</p>
        <div class="time-feedback" id=format!("{name}-feedback") node_ref=feedback>
            {move || (blocker.get() == Some(Blocker::Past)).then(|| view! { <p class="notice warn">{texts.past()}</p> })}
            {move || (blocker.get() == Some(Blocker::Missing)).then(|| view! { <Missing input=input /> })}
            {move || match shown.get() {
                Some(Ok(at)) => view! { <div class="js-only"><TimePreview at=at typed=typed_elsewhere(input) /></div> }
                    .into_any(),
                Some(Err(DomainError::SkippedTime { before, after, .. })) => view! {
                    <SkippedTimeChoice
                        input=input name=skipped_name.clone() before=before after=after autofocus=was_refused
                    />
                }
                .into_any(),
                Some(Err(DomainError::Invalid { problem: ValidationError::When { why: WhenProblem::Several { locals } }, .. })) => {
                    view! { <SeveralTimesChoice locals=locals autofocus=was_refused /> }.into_any()
                }
                Some(Err(refusal @ DomainError::Invalid { .. })) => {
                    view! { <p class="notice warn">{sentence(language(), &refusal)}</p> }.into_any()
                }
                Some(Err(DomainError::DoubledTime { .. })) => {
                    view! { <p class="hint">{TimeFieldTexts::here().undecided()}</p> }.into_any()
                }
                _ => ().into_any(),
            }}
        </div>
    }
}

/// The text of the feedback for screen readers: what half a word means is shown, but not said.
fn said_after_pause(
    input: TimeInput,
    blocker: Memo<Option<Blocker>>,
    feedback: NodeRef<html::Div>,
) -> RwSignal<String> {
    let (said, timer) = (RwSignal::new(String::new()), Debounce::new());
    let say = move || {
        let text = feedback.get_untracked().map(|feedback| feedback.inner_text()).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if said.with_untracked(|known| *known != text) {
            said.set(text);
        }
    };
    Effect::new(move |was: Option<()>| {
        for field in [input.typed, input.zone] {
            field.track();
        }
        input.problem.track();
        input.resolved.track();
        blocker.track();
        if was.is_some() {
            timer.schedule(SAY_AFTER_MS, say);
        }
    });
    said
}

/// Says how to write what is missing.
#[component]
fn Missing(input: TimeInput) -> impl IntoView {
    let texts = TimeFieldTexts::here();
    let is_zone = move || input.date.with(|date| !date.is_empty());
    let problem = move || input.problem.get().map(|problem| sentence(language(), &problem));
    view! {
        {move || problem().map(|problem| view! { <p class="notice warn">{problem}</p> })}
        <p class="hint">{move || if is_zone() { texts.missing_zone() } else { texts.missing_time() }}</p>
    }
}

/// The time as typed, if its zone is not the user's.
fn typed_elsewhere(input: TimeInput) -> Option<String> {
    let mine = City::of_zone(visitor().zone()).map(|city| city.zone);
    let typed = input.zone.with_untracked(|zone| City::named(zone)).map(|city| city.zone);
    let is_mine = typed.is_some() && typed == mine;
    if is_mine { None } else { untrack(|| input.as_sentence()) }
}

/// The time in the user's time zone, in the desk's time zone if it differs, and relative to now.
#[component]
pub fn TimePreview(
    /// The time.
    at: LocalizedTime,
    /// The same time as typed, in another zone.
    #[prop(default = None)]
    typed: Option<String>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let visitor = visitor();
    let live = live();
    let (zone, desk_zone) = (visitor.zone().to_owned(), visitor.desk.zone.clone());
    let now = live.now().get_untracked();
    let here = moment(language(), at, &zone, now);
    let at_desk = desk_moment(language(), at, &desk_zone, now).filter(|desk| Some(desk) != typed.as_ref());
    let is_split = at_desk.is_some() || typed.is_some();
    view! {
        <p class="time-preview">
            {typed.map(|text| view! { <span class="time-preview-line">{text}</span> })}
            <span class="time-preview-line">
                <time datetime=at.at.to_string()>{here}</time>
                {is_split.then(|| view! { <small>{texts.your_time()}</small> })}
            </span>
            {at_desk.map(|text| view! {
                <span class="time-preview-line">{text} <small>{texts.desk_time()}</small></span>
            })}
            <span class="time-preview-left">{move || relative(language(), at.at, live.now().get())}</span>
        </p>
    }
}

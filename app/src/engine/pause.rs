//! Pauses and resumes all publishing.

use crate::{
    engine::{pause_result::announce_pause, server_fns::PauseEngine},
    session::visitor,
    ui::{
        form::{Form, result_of},
        icon::Icon,
        time::picker::{
            CityList, TimeFeedback, TimeFields, TimeInput, TimeSubmit, date_and_time, shows_refusal,
            zone_as_typed,
        },
    },
};
use domain::{
    DomainError, LocalizedTime,
    engine::{EngineReport, Upcoming},
};
use leptos::{either::Either, prelude::*};
use server_fn::ServerFn;
use texts::{engine::verdict::VerdictTexts, number::counted, sentences};

/// Prefix of the field ids.
const NAME: &str = "pause";

/// The question that pauses publishing, or the button that resumes it.
#[component]
pub fn PauseSwitch(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let is_paused = Memo::new(move |_| report.with(|report| report.status.is_paused()));
    let upcoming = Memo::new(move |_| report.with(|report| report.upcoming));
    move || match is_paused.get() {
        true => Either::Left(view! { <Resume /> }),
        false => Either::Right(view! { <PauseQuestion upcoming=upcoming /> }),
    }
}

#[component]
fn Resume() -> impl IntoView {
    let action = ServerAction::<PauseEngine>::new();
    announce_pause(action);
    view! {
        <Form action=action class="inline">
            <input type="hidden" name="is_paused" value="false" />
            <button class="button main" type="submit"><Icon name="play" />{VerdictTexts::here().resume()}</button>
        </Form>
    }
}

/// Says what a pause holds and asks when it ends. A refused form keeps its input and stays open.
#[component]
fn PauseQuestion(upcoming: Memo<Upcoming>) -> impl IntoView {
    let texts = VerdictTexts::here();
    let action = ServerAction::<PauseEngine>::new();
    announce_pause(action);
    let is_open = result_of(PauseEngine::PATH, None).is_some();
    let held = move || sentences(&held(texts, upcoming.get().in_next_hour), texts.grace());
    let input = end_input(upcoming);
    input.show_refusals(NAME.to_owned(), move || action.value().get()?.err());
    let label = Signal::derive(move || match input.as_sentence() {
        Some(when) => texts.pause_until(when),
        None => texts.pause().to_owned(),
    });
    let shows_refusal: fn(&DomainError) -> bool = shows_refusal;
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button"><Icon name="pause" />{texts.pause_question()}</summary>
            <p>{held}</p>
            <Form action=action class="pause-form" shown_by_fields=shows_refusal>
                <input type="hidden" name="is_paused" value="true" />
                <div class="time-sentence"><span>{texts.until()}</span><TimeFields input=input name=NAME /></div>
                <TimeFeedback input=input name=NAME />
                <TimeSubmit input=input name=NAME label=label no_js=texts.pause() />
            </Form>
            <Form action=action class="inline">
                <input type="hidden" name="is_paused" value="true" />
                <button class="button" type="submit"><Icon name="pause" />{texts.pause_open()}</button>
            </Form>
            <CityList />
        </details>
    }
}

/// Number of tasks that a pause of an hour holds.
fn held(texts: VerdictTexts, count: u64) -> String {
    match count {
        0 => texts.holds_none().to_owned(),
        1 => texts.holds_one().to_owned(),
        count => texts.holds(counted(count)),
    }
}

/// Returns the end in the refused form; otherwise the time in an hour.
fn end_input(upcoming: Memo<Upcoming>) -> TimeInput {
    let result = result_of(PauseEngine::PATH, None);
    let typed = |field: &str| Some(result.as_ref()?.typed(field)?.to_owned());
    let hour_end = upcoming.get_untracked().hour_end.map(|at| {
        // Without seconds.
        let minute = at.at.plus(-at.at.millis().rem_euclid(60_000));
        date_and_time(LocalizedTime { at: minute, ..at })
    });
    let (date, time) = hour_end.unwrap_or_default();
    TimeInput::new(
        (typed("date").unwrap_or(date), typed("time").unwrap_or(time)),
        typed("zone").unwrap_or_else(|| zone_as_typed(visitor().zone())),
        typed("which").unwrap_or_default(),
        result.map(|result| Err(result.refusal)),
    )
}

//! Pauses and resumes all publishing.

use crate::{
    engine::{
        pause_result::announce_pause,
        server_fns::{PauseEnd, PauseEngine},
        verdict_texts::VerdictTexts,
    },
    shell::session::visitor,
    texts::{language, number::counted, sentences, time},
    ui::{
        form::{Form, result_of},
        icon::Icon,
        time::picker::date_and_time,
    },
};
use domain::engine::{EngineReport, Upcoming};
use leptos::{either::Either, prelude::*};
use server_fn::ServerFn;

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
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button"><Icon name="pause" />{texts.pause_question()}</summary>
            <Form action=action class="pause-form">
                <input type="hidden" name="is_paused" value="true" />
                <p>{held}</p>
                <EndFields typed=typed_end(upcoming) />
                <button class="button main" type="submit"><Icon name="pause" />{texts.pause()}</button>
            </Form>
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

/// Returns the end in the refused form; otherwise the date in an hour, without a time.
fn typed_end(upcoming: Memo<Upcoming>) -> PauseEnd {
    let result = result_of(PauseEngine::PATH, None);
    let typed = |field: &str| result.as_ref().and_then(|result| result.typed(field)).map(str::to_owned);
    let date = upcoming.get_untracked().hour_end.map(|at| date_and_time(at).0);
    PauseEnd {
        date: typed("until[date]").or(date).unwrap_or_default(),
        time: typed("until[time]").unwrap_or_default(),
        zone: typed("until[zone]").unwrap_or_else(|| visitor().zone().to_owned()),
    }
}

#[component]
fn EndFields(typed: PauseEnd) -> impl IntoView {
    let texts = VerdictTexts::here();
    let place = time::place(language(), &typed.zone);
    view! {
        <fieldset class="pause-end" aria-describedby="pause-end-hint">
            <legend>{texts.until()}</legend>
            <input type="date" name="until[date]" value=typed.date aria-label=texts.date() />
            <input type="time" name="until[time]" value=typed.time aria-label=texts.time() />
            <input type="hidden" name="until[zone]" value=typed.zone />
            <span>{place}</span>
            <span class="hint" id="pause-end-hint">{texts.end_hint()}</span>
        </fieldset>
    }
}

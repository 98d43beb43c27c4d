//! The schedule of an article that was not saved yet. Scheduling saves it.
//!
//! Without JavaScript the fields belong to the form of the text, so one button saves and schedules.

use super::Warnings;
use super::form::{NewArticleTime, NextSlotForm, PublishNowForm, ScheduleForm};
use crate::{
    articles::{
        editor::{FORM, draft::Draft},
        server_fns::{CreateArticle, SCHEDULE_AT},
    },
    ui::{
        form::result_of,
        result::last_result,
        time::picker::{CityList, OuterForm, TimeInput, zone_as_typed},
    },
};
use domain::TimePresets;
use domain::{ArticleId, DomainError, Kind, review::workflow::checklist::CheckItem};
use leptos::{ev, prelude::*};
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::articles::schedule::ScheduleTexts;
use wasm_bindgen::JsCast;

/// The form, then `saved` once the article is saved, unless the user is typing a time.
#[component]
pub fn NewArticleSchedule<V: IntoView + 'static>(
    /// The draft being edited.
    draft: Draft,
    /// Time presets.
    presets: TimePresets,
    /// The panel of the saved article.
    saved: impl Fn(ArticleId) -> V + Send + 'static,
) -> impl IntoView {
    provide_context(NewArticleTime(initial_input(&presets)));
    provide_context(OuterForm { form: FORM, button: ("then", SCHEDULE_AT) });
    let (has_focus, is_sent) = (RwSignal::new(false), RwSignal::new(false));
    let shown = last_result().shown;
    Effect::new(move |_| {
        if shown.with(Option::is_some) {
            is_sent.set(false);
        }
    });
    let id = Memo::new(move |known: Option<&Option<ArticleId>>| {
        let ready = draft.id.get().filter(|_| !has_focus.get() && !is_sent.get());
        known.copied().flatten().or(ready)
    });
    let leave = move |event: ev::FocusEvent| {
        let place = event.current_target().and_then(|place| place.dyn_into::<web_sys::Node>().ok());
        let next = event.related_target().and_then(|next| next.dyn_into::<web_sys::Node>().ok());
        let stays = next.is_some() && place.is_some_and(|place| place.contains(next.as_ref()));
        has_focus.set(stays);
    };
    move || match id.get() {
        Some(id) => saved(id).into_any(),
        None => view! {
            <section
                class="schedule"
                aria-labelledby="schedule-heading"
                on:focusin=move |_| has_focus.set(true)
                on:focusout=leave
                on:submit:capture=move |_| is_sent.set(true)
            >
                <NewForms draft=draft presets=presets.clone() />
            </section>
        }
        .into_any(),
    }
}

#[component]
fn NewForms(draft: Draft, presets: TimePresets) -> impl IntoView {
    let (texts, next_slot) = (ScheduleTexts::here(), presets.next_slot);
    view! {
        <h2 id="schedule-heading" tabindex="-1">{texts.heading()}</h2>
        <Warnings draft=draft listed=Signal::stored(Vec::<CheckItem>::new()) is_new=true />
        <ScheduleForm draft=draft kind=Kind::ArticlePublish is_public=false presets=presets />
        <div class="needs-js"><NextSlotForm draft=draft at=next_slot /></div>
        <div class="needs-js"><PublishNowForm draft=draft label=texts.publish_now().to_owned() /></div>
        <CityList />
    }
}

/// Whether a refused form of a new article was refused for its time.
#[must_use]
pub fn is_about_time(refusal: &DomainError) -> bool {
    use crate::ui::time::picker::shows_refusal;
    shows_refusal(refusal) && !matches!(refusal.field(), Some("title" | "body"))
}

/// Returns the input of the refused form, else the time that the URL names, else the second preset
/// (tomorrow at nine).
fn initial_input(presets: &TimePresets) -> TimeInput {
    let result = result_of(CreateArticle::PATH, None);
    let typed = |field: &str| {
        let typed = result.as_ref()?.typed(field)?;
        (!typed.is_empty()).then(|| typed.to_owned())
    };
    let first = presets.presets.get(1).or(presets.presets.first());
    let (date, time) = first.map(|preset| (preset.date.clone(), preset.time.clone())).unwrap_or_default();
    let query = use_query_map();
    let named = |name: &str| query.with_untracked(|query| query.get(name)).filter(|value| !value.is_empty());
    let value = |name: &str| typed(name).or_else(|| named(name));
    let (date, time) = (value("date").unwrap_or(date), value("time").unwrap_or(time));
    let zone = value("zone").unwrap_or_else(|| zone_as_typed(&presets.zone));
    let which = typed("which").unwrap_or_default();
    let refusal = result.map(|result| result.refusal).filter(is_about_time);
    TimeInput::new((date, time), zone, which, refusal.map(Err))
}

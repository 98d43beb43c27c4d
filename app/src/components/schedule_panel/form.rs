//! The sentence that gives an article its moment.

use super::done::Done;
use crate::{
    calls::schedule::{Picks, PublishArticle, ScheduleArticle, UnpublishArticle},
    components::{
        editor::{draft::Draft, line::why},
        when::{Label, Meaning, QuickPicks, Wanted, WhenFields, is_told},
    },
    form::{Form, LogInLink, answer_of, refusal_of},
    words::{language, schedule::ScheduleWords},
};
use domain::{ArticleId, Kind, Refusal};
use leptos::{ev, prelude::*};
use server_fn::ServerFn;

/// "Publish *Title* on … at … in …", with a button that carries the moment.
#[component]
pub fn ScheduleForm(
    /// The text; it is saved first.
    draft: Draft,
    /// Which article.
    article: ArticleId,
    /// What shall happen.
    kind: Kind,
    /// Whether readers see it already.
    #[prop(into)]
    is_public: Signal<bool>,
    /// Times people often want.
    picks: Picks,
    /// Where the outcome is shown.
    done: RwSignal<Option<Done>>,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let action = ServerAction::<ScheduleArticle>::new();
    let wanted = wanted_at_first(kind, &picks);
    let answered = is_answer(kind).then(|| refusal_of(ScheduleArticle::PATH)).flatten();
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(refused)) => Some(refused.0.clone()),
        Some(Ok(_)) => None,
        None => answered.clone(),
    });
    Done::follow(action, "schedule", done);
    let is_past = wanted.is_past();
    let name = if kind == Kind::ArticlePublish { "publish" } else { "unpublish" };
    let verb = move || match (kind, is_public.get()) {
        (Kind::ArticleUnpublish, _) => words.take_off(),
        (Kind::ArticlePublish, true) => words.update(),
        (Kind::ArticlePublish, false) => words.publish(),
    };
    let label = Signal::derive(move || match (wanted.spoken(language()), kind) {
        (Some(when), Kind::ArticlePublish) => words.schedule_for(when),
        (Some(when), Kind::ArticleUnpublish) => words.off_at(when),
        (None, _) => words.schedule().to_owned(),
    });
    let tells: fn(&Refusal) -> bool = is_told;
    view! {
        <div class="schedule-form" on:submit:capture=move |event| save_first(draft, name, &event)>
            <Form action=action attr:id=format!("schedule-{name}") told=tells>
                <input type="hidden" name="article" value=article.to_string() />
                <input type="hidden" name="kind" value=kind.as_str() />
                <p class="when-sentence">
                    <span>{verb} " " <em>{move || title_of(draft)}</em></span>
                    {(kind == Kind::ArticleUnpublish).then(|| words.take_off_end())}
                    <WhenFields wanted=wanted name=name />
                </p>
                <Meaning wanted=wanted refusal=refusal />
                <button type="submit" class="button main" disabled=move || is_past.get()>
                    <Label live=label paper=words.schedule() />
                </button>
            </Form>
            <AtButton draft=draft form=name />
            <Ways refusal=refusal wanted=wanted />
            <QuickPicks picks=picks wanted=wanted />
        </div>
    }
}

/// Publishes or updates at once, with the text that is being written.
#[component]
pub fn AtOnce(
    /// The text; it is saved first.
    draft: Draft,
    /// Which article.
    article: ArticleId,
    /// What stands on the button.
    #[prop(into)]
    label: Signal<String>,
    /// Where the outcome is shown.
    done: RwSignal<Option<Done>>,
) -> impl IntoView {
    let action = ServerAction::<PublishArticle>::new();
    Done::follow(action, "publish", done);
    view! {
        <div on:submit:capture=move |event| save_first(draft, "now", &event)>
            <Form action=action>
                <input type="hidden" name="article" value=article.to_string() />
                <button type="submit" class="button">{label}</button>
            </Form>
            <AtButton draft=draft form="now" />
        </div>
    }
}

/// At the button of a form: that it waits for the text to be saved, or that it was not sent, why, and what helps.
#[component]
pub fn AtButton(
    /// The text.
    draft: Draft,
    /// Which form.
    form: &'static str,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let held = Memo::new(move |_| draft.held.get().filter(|held| held.form == form));
    move || {
        held.get().map(|held| match held.refusal {
            None => view! { <p class="hint" role="status">{words.waits_for_save()}</p> }.into_any(),
            Some(refusal) => {
                let why = why(draft, &refusal);
                view! { <p class="alert" role="alert">{words.not_sent()} " " {why} <LogInLink refusal=refusal /></p> }
                    .into_any()
            }
        })
    }
}

/// Takes an article off the site at once.
#[component]
pub fn OffAtOnce(article: ArticleId, done: RwSignal<Option<Done>>) -> impl IntoView {
    let words = ScheduleWords::here();
    let action = ServerAction::<UnpublishArticle>::new();
    Done::follow(action, "unpublish", done);
    view! {
        <Form action=action>
            <input type="hidden" name="article" value=article.to_string() />
            <button type="submit" class="button danger">{words.unpublish_now()}</button>
        </Form>
    }
}

/// The way out of a refusal that leads elsewhere: the task that waits already.
#[component]
fn Ways(refusal: Signal<Option<Refusal>>, wanted: Wanted) -> impl IntoView {
    let words = ScheduleWords::here();
    let problem = move || match wanted.meant.get() {
        Some(Err(problem)) => Some(problem),
        _ => refusal.get(),
    };
    move || match problem() {
        Some(Refusal::AlreadyScheduled { task }) => {
            let address = format!("/tasks/{}", task.id);
            Some(view! { <p>{words.already()} " " <a href=address>{words.see_it()}</a></p> })
        }
        _ => None,
    }
}

/// Holds a form back until the desk has the text, then submits it.
pub fn save_first(draft: Draft, name: &'static str, event: &ev::SubmitEvent) {
    use wasm_bindgen::JsCast;
    let form = event.target().and_then(|form| form.dyn_into::<web_sys::HtmlElement>().ok());
    draft.read_fields();
    if form.is_some_and(|form| draft.submit_after_save(name, &form)) {
        event.prevent_default();
        event.stop_propagation();
    }
}

fn title_of(draft: Draft) -> String {
    let title = draft.text.with(|text| text.title.trim().to_owned());
    if title.is_empty() { ScheduleWords::here().this_article().to_owned() } else { title }
}

/// Whether the page answers a refused form of this kind.
fn is_answer(kind: Kind) -> bool {
    answer_of(ScheduleArticle::PATH, None).is_some_and(|answer| answer.typed("kind") == Some(kind.as_str()))
}

/// What was typed into the refused form, else tomorrow at nine.
fn wanted_at_first(kind: Kind, picks: &Picks) -> Wanted {
    let answer = answer_of(ScheduleArticle::PATH, None).filter(|_| is_answer(kind));
    let typed = |field: &str| answer.as_ref().and_then(|answer| answer.typed(field)).map(str::to_owned);
    let first = picks.picks.get(1).or(picks.picks.first());
    Wanted::new(
        typed("date").or_else(|| first.map(|pick| pick.date.clone())).unwrap_or_default(),
        typed("time").or_else(|| first.map(|pick| pick.time.clone())).unwrap_or_default(),
        typed("zone").unwrap_or_else(|| picks.zone.clone()),
        typed("which").unwrap_or_default(),
        None,
    )
}

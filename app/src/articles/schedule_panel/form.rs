//! The form that schedules an article.

use super::approval::{ApprovedVersion, VersionChoice};
use crate::{
    articles::{
        editor::{draft::Draft, status_bar::refusal_text},
        schedule_fns::{PublishArticle, ScheduleArticle, UnpublishArticle},
    },
    calendar::slots::server_fns::ScheduleNext,
    live::live,
    session::visitor,
    tasks::result::announce_change,
    ui::{
        form::{Form, LogInLink, refusal_of, result_of},
        time::picker::{
            PresetButtons, TimeFeedback, TimeFields, TimeInput, TimeSubmit, shows_refusal, zone_as_typed,
        },
    },
};
use domain::TimePresets;
use domain::{ArticleId, DomainError, Kind, LocalizedTime};
use leptos::{ev, prelude::*};
use server_fn::ServerFn;
use texts::{articles::schedule::ScheduleTexts, calendar::SlotTexts, language, sentences, time::moment};

/// The typed time of an article that was not saved yet. It is kept when the first save replaces the
/// panel.
#[derive(Clone, Copy)]
pub struct NewArticleTime(pub TimeInput);

/// "Publish *Title* on … at … in …", with a button that names the time.
#[component]
pub fn ScheduleForm(
    /// The draft; saved before the form is submitted.
    draft: Draft,
    /// Kind of the task.
    kind: Kind,
    /// Whether the article is published.
    #[prop(into)]
    is_public: Signal<bool>,
    /// Time presets.
    presets: TimePresets,
    /// The approved version beside newer edits; `None`: the newest one is published.
    #[prop(optional)]
    approved: Option<Memo<Option<ApprovedVersion>>>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let action = ServerAction::<ScheduleArticle>::new();
    let new_article = use_context::<NewArticleTime>().filter(|_| kind == Kind::ArticlePublish);
    let input = new_article.map_or_else(|| initial_input(kind, &presets), |time| time.0);
    let answered = is_result_of(kind).then(|| refusal_of(ScheduleArticle::PATH)).flatten();
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(refused)) => Some(refused.0.clone()),
        Some(Ok(_)) => None,
        None => answered.clone(),
    });
    announce_change(action);
    let presets = RwSignal::new(Some(presets));
    let name = if kind == Kind::ArticlePublish { "publish" } else { "unpublish" };
    input.show_refusals(name.to_owned(), move || action.value().get()?.err());
    let verb = move || match (kind, is_public.get()) {
        (Kind::ArticleUnpublish, _) => texts.unpublish(),
        (Kind::ArticlePublish, true) => texts.update(),
        (Kind::ArticlePublish | Kind::Other(_), _) => texts.publish(),
    };
    let label = Signal::derive(move || match (input.as_sentence(), kind) {
        (Some(when), Kind::ArticlePublish) => texts.schedule_for(when),
        (Some(when), Kind::ArticleUnpublish) => texts.unpublish_on(when),
        (_, _) => texts.schedule().to_owned(),
    });
    let shows_refusal: fn(&DomainError) -> bool = shows_refusal;
    view! {
        <div class="schedule-form" on:submit:capture=move |event| save_before_submit(draft, name, &event)>
            <Form action=action attr:id=format!("schedule-{name}") shown_by_fields=shows_refusal>
                <ArticleIdField draft=draft />
                <input type="hidden" name="kind" value=kind.as_str() />
                <div class="time-sentence">
                    <span>{verb} " " <em>{move || article_title(draft)}</em></span>
                    <TimeFields input=input name=name has_words=true />
                </div>
                <TimeFeedback input=input name=name />
                {approved.map(|approved| view! { <VersionChoice approved=approved /> })}
                <TimeSubmit input=input name=name label=label no_js=texts.schedule() />
            </Form>
            <SubmitStatus draft=draft form=name />
            <AlreadyScheduledLink refusal=refusal input=input />
            <PresetButtons presets=presets input=input />
        </div>
    }
}

/// Publishes the article in the next free posting slot, which the button names.
#[component]
pub fn NextSlotForm(
    /// The draft; saved before the form is submitted.
    draft: Draft,
    /// When it is; `None`: there is none.
    at: Option<LocalizedTime>,
    /// The approved version beside newer edits, which it publishes.
    #[prop(optional)]
    approved: Option<Memo<Option<ApprovedVersion>>>,
) -> impl IntoView {
    let at = at?;
    let texts = SlotTexts::here();
    let action = ServerAction::<ScheduleNext>::new();
    announce_change(action);
    let when = moment(language(), at, visitor().zone(), live().now().get_untracked());
    Some(view! {
        <div class="next-slot" on:submit:capture=move |event| save_before_submit(draft, "slot", &event)>
            <Form action=action>
                <ArticleIdField draft=draft />
                <input type="hidden" name="kind" value=Kind::ArticlePublish.as_str() />
                <button type="submit" class="button" title=texts.take()>{texts.next_slot(when)}</button>
                " "
                <button type="submit" class="button bare" name="share" value="true" title=texts.share_hint()>{texts.share_next()}</button>
            </Form>
            {move || approved.and_then(|approved| approved.get()).map(|_| view! { <p class="hint">{ScheduleTexts::here().slot_approved()}</p> })}
            <SubmitStatus draft=draft form="slot" />
        </div>
    })
}

/// Publishes or updates the article now.
#[component]
pub fn PublishNowForm(
    /// The draft; saved before the form is submitted.
    draft: Draft,
    /// `approved` or `current`; empty: the current text, or the approved one if that needs an approval.
    #[prop(optional)]
    revision: &'static str,
    /// Label of the button.
    #[prop(into)]
    label: Signal<String>,
) -> impl IntoView {
    let action = ServerAction::<PublishArticle>::new();
    announce_change(action);
    view! {
        <div on:submit:capture=move |event| save_before_submit(draft, "now", &event)>
            <Form action=action>
                <ArticleIdField draft=draft />
                {(!revision.is_empty()).then(|| view! { <input type="hidden" name="revision" value=revision /> })}
                <button type="submit" class="button">{label}</button>
            </Form>
            <SubmitStatus draft=draft form="now" />
        </div>
    }
}

/// The hidden field with the id of the article. A new one has it after the first save, for which the
/// form waits.
#[component]
fn ArticleIdField(draft: Draft) -> impl IntoView {
    let id = move || draft.id.get().map(|id| id.to_string());
    view! { <input type="hidden" name="article" value=id /> }
}

/// Says that a form waits for the text to be saved, or why it was not submitted.
#[component]
pub fn SubmitStatus(
    /// The draft.
    draft: Draft,
    /// Name of the form.
    form: &'static str,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let pending = Memo::new(move |_| draft.pending_submit.get().filter(|pending| pending.form == form));
    move || {
        pending.get().map(|pending| match pending.refusal {
            None => view! { <p class="hint" role="status">{texts.waiting_for_save()}</p> }.into_any(),
            Some(refusal) => {
                let reason = refusal_text(draft, &refusal);
                view! { <p class="alert" role="alert">{sentences(texts.not_sent(), &reason)} <LogInLink refusal=refusal /></p> }
                    .into_any()
            }
        })
    }
}

/// Unpublishes an article now.
#[component]
pub fn UnpublishNowForm(article: ArticleId) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let action = ServerAction::<UnpublishArticle>::new();
    announce_change(action);
    view! {
        <Form action=action>
            <input type="hidden" name="article" value=article.to_string() />
            <button type="submit" class="button danger">{texts.unpublish_now()}</button>
        </Form>
    }
}

/// Link to the task that is already scheduled, if that is the error.
#[component]
fn AlreadyScheduledLink(refusal: Signal<Option<DomainError>>, input: TimeInput) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let problem = move || match input.resolved.get() {
        Some(Err(problem)) => Some(problem),
        _ => refusal.get(),
    };
    move || match problem() {
        Some(DomainError::AlreadyScheduled { task }) => {
            let address = format!("/tasks/{}", task.id);
            Some(view! { <p>{texts.already_scheduled()} " " <a href=address>{texts.view()}</a></p> })
        }
        _ => None,
    }
}

/// Delays a form until the text is saved.
pub fn save_before_submit(draft: Draft, name: &'static str, event: &ev::SubmitEvent) {
    use wasm_bindgen::JsCast;
    let form = event.target().and_then(|form| form.dyn_into::<web_sys::HtmlElement>().ok());
    draft.read_fields();
    if form.is_some_and(|form| draft.submit_after_save(name, &form)) {
        event.prevent_default();
        event.stop_propagation();
    }
}

fn article_title(draft: Draft) -> String {
    let title = draft.text.with(|text| text.title.trim().to_owned());
    if title.is_empty() { ScheduleTexts::here().this_article().to_owned() } else { title }
}

/// Whether the page shows the refused form of this kind.
fn is_result_of(kind: Kind) -> bool {
    result_of(ScheduleArticle::PATH, None).is_some_and(|result| result.typed("kind") == Some(kind.as_str()))
}

/// Returns the input of the refused form, else the second preset (tomorrow at nine).
fn initial_input(kind: Kind, presets: &TimePresets) -> TimeInput {
    let result = result_of(ScheduleArticle::PATH, None).filter(|_| is_result_of(kind));
    let typed = |field: &str| Some(result.as_ref()?.typed(field)?.to_owned());
    let first = presets.presets.get(1).or(presets.presets.first());
    let first = first.map(|preset| (preset.date.clone(), preset.time.clone())).unwrap_or_default();
    TimeInput::new(
        (typed("date").unwrap_or(first.0), typed("time").unwrap_or(first.1)),
        typed("zone").unwrap_or_else(|| zone_as_typed(&presets.zone)),
        typed("which").unwrap_or_default(),
        result.map(|result| Err(result.refusal)),
    )
}

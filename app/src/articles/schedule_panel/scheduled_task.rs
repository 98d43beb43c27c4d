//! Card of a scheduled task: time, countdown and actions.

use super::{
    approval::needed_now,
    form::{PublishNowForm, SubmitStatus, save_before_submit},
};
use crate::{
    articles::editor::{FORM, draft::Draft},
    live::live,
    review::panel::{DriftLine, drift_to_submit},
    tasks::{
        move_form::MoveInPlace,
        result::{LaterUndo, announce_change},
        server_fns::{ChangeTask, MoveTask},
    },
    ui::{form::Form, time::picker::TimePreview},
};
use domain::{
    Kind, LocalizedTime, TaskId,
    article::{Article, Drift},
    review::workflow::{Review, ReviewState},
    task::TaskRow,
};
use leptos::prelude::*;
use texts::{articles::schedule::ScheduleTexts, language, time::countdown};

/// What a refusal of an action depends on in a review: the revision, the state, and whether one of two
/// reviewers has approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewSeen(i32, ReviewState, bool);

impl ReviewSeen {
    /// Returns what is seen of a review.
    #[must_use]
    pub fn of(review: &Review) -> Self {
        Self(review.revision, review.state, review.first.is_some())
    }
}

/// How the current text differs from the one that a task publishes, and what is offered for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ahead {
    drift: Drift,
    /// Whether the changes must be submitted first, which the review says.
    is_in_review: bool,
    /// Whether the current text can be published as it is.
    is_ready: bool,
}

impl Ahead {
    /// Returns the difference for this task; `None`: there is none.
    #[must_use]
    pub fn of(article: &Article, task: TaskId) -> Option<Self> {
        let drift = article.drift.filter(|drift| drift.task == task)?;
        let is_in_review = drift_to_submit(article).is_some();
        Some(Self { drift, is_in_review, is_ready: needed_now(article, false).is_none() })
    }
}

/// The card.
#[component]
pub fn ScheduledTask(
    /// The task.
    task: TaskRow,
    /// When the version was saved that it sends, if it follows what is saved.
    saved: Memo<Option<LocalizedTime>>,
    /// Changes that are not in the scheduled revision.
    ahead: Memo<Option<Ahead>>,
    /// The draft; saved before the task takes its text.
    draft: Draft,
    /// The review; `None`: there is none.
    review: Memo<Option<ReviewSeen>>,
    /// Which approval it needs before it is published; `None`: none.
    approval: Memo<Option<&'static str>>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let is_unpublish = task.kind == Kind::ArticleUnpublish;
    let head = move || match (is_unpublish, approval.get()) {
        (true, _) => texts.will_be_unpublished(),
        (false, Some(_)) => texts.will_be_published_approved(),
        (false, None) => texts.will_be_published(),
    };
    let address = format!("/tasks/{}", task.id);
    let (due, may_change) = (task.due, task.may_change);
    let moving = ServerAction::<MoveTask>::new();
    announce_change(moving);
    let name = if task.kind == Kind::ArticlePublish { "move" } else { "move-off" };
    let actions = may_change.then(|| {
        let (cancel, now, undo) = (task.clone(), task.clone(), task.clone());
        let mover = task.clone();
        view! {
            <div class="row">
                <NowButtons task=now ahead=ahead draft=draft review=review />
                <ChangeButton task=cancel what="cancel" label=texts.unschedule() class="button bare" />
                <LaterUndo row=undo />
            </div>
            <MoveInPlace row=mover action=moving name=name>{texts.reschedule_more()}</MoveInPlace>
        }
    });
    let notice = move || {
        let task = task.clone();
        if let Some(saved) = saved.get() {
            let times = (due, saved);
            let line = view! { <SavedLine times=times may_change=may_change ahead=ahead draft=draft /> };
            return Some(line.into_any());
        }
        let ahead = ahead.get().filter(|ahead| !ahead.is_in_review);
        ahead.map(|ahead| view! { <DriftNotice task=task ahead=ahead draft=draft /> }.into_any())
    };
    view! {
        <section class="scheduled-card">
            <h3>{head}</h3>
            <TimePreview at=due />
            <p class="scheduled-countdown" aria-hidden="true">{move || left(due.at)}</p>
            {move || approval.get().map(|needed| view! { <p class="notice warn">{needed}</p> })}
            {notice}
            {actions}
            <p><a href=address>{texts.history()}</a></p>
        </section>
    }
}

fn left(at: domain::Timestamp) -> String {
    let left = at.since(live().now().get());
    if left > 0 { countdown(language(), left) } else { ScheduleTexts::here().due().to_owned() }
}

/// A button that changes a task.
#[component]
pub fn ChangeButton(
    /// The task.
    task: TaskRow,
    /// The change, as the server names it.
    what: &'static str,
    /// Label of the button.
    #[prop(into)]
    label: Signal<&'static str>,
    /// Its CSS class.
    class: &'static str,
    /// The review that a refusal may be about: the refusal ends with its next change.
    #[prop(optional)]
    review: Option<Memo<Option<ReviewSeen>>>,
) -> impl IntoView {
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    if let Some(review) = review {
        Effect::watch(move || review.get(), move |_, _, _| action.clear(), false);
    }
    let id = task.id.to_string();
    view! {
        <Form action=action>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=task.version.0 />
            <input type="hidden" name="what" value=what />
            <button type="submit" class=class>{label}</button>
        </Form>
    }
}

/// Does the task now. If the current text differs from the scheduled one, it asks which is published.
#[component]
fn NowButtons(
    task: TaskRow,
    ahead: Memo<Option<Ahead>>,
    draft: Draft,
    review: Memo<Option<ReviewSeen>>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let is_publish = task.kind == Kind::ArticlePublish;
    let with_changes = Memo::new(move |_| {
        let is_typed = draft.text.with(|_| draft.is_changed());
        let changes = ahead.with(|ahead| ahead.as_ref().map(|ahead| ahead.drift.changes));
        match (is_publish, is_typed, changes) {
            (true, false, Some(changes)) => Some(texts.publish_with(changes)),
            (true, true, _) => Some(texts.publish_typed().to_owned()),
            _ => None,
        }
    });
    let is_choice = Memo::new(move |_| with_changes.with(Option::is_some));
    let label = if is_publish { texts.publish_now() } else { texts.unpublish_now() };
    move || {
        let task = task.clone();
        if !is_choice.get() {
            return view! { <ChangeButton task=task what="publish_now" label=label class="button" review=review /> }
                .into_any();
        }
        let changed = Signal::derive(move || with_changes.get().unwrap_or_default());
        view! {
            <details class="open-in-place">
                <summary class="button">{texts.publish_now_more()}</summary>
                <div class="row">
                    <ChangeButton task=task what="publish_now" label=texts.publish_scheduled() class="button" review=review />
                    <PublishNowForm draft=draft revision="current" label=changed />
                </div>
            </details>
        }
        .into_any()
    }
}

/// Says which save the task sends. Newer typing, which is only autosaved, is saved by the button.
#[component]
fn SavedLine(
    /// When the task is due, and when the version was saved.
    times: (LocalizedTime, LocalizedTime),
    /// Whether the user may change the task.
    may_change: bool,
    ahead: Memo<Option<Ahead>>,
    draft: Draft,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let has_newer = Memo::new(move |_| {
        draft.save_state.track();
        draft.text.with(|_| draft.is_changed()) || ahead.with(Option::is_some)
    });
    let sentence = move || texts.sends(times, live().now().get_untracked(), has_newer.get());
    let button = move || {
        (may_change && has_newer.get()).then(|| {
            view! {
                <button
                    type="submit" form=FORM name="then" value="schedule" class="button main"
                    on:click=move |_| draft.mark_ahead()
                >
                    {texts.save_now()}
                </button>
            }
        })
    };
    view! { <div class="drift"><p>{sentence}</p> {button}</div> }
}

/// Says how many changes are not scheduled, and offers to schedule the current text.
#[component]
fn DriftNotice(task: TaskRow, ahead: Ahead, draft: Draft) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    let id = task.id.to_string();
    let article = draft.id.get_untracked();
    view! {
        <div class="drift" on:submit:capture=move |event| save_before_submit(draft, "replace", &event)>
            {article.map(|article| view! { <DriftLine article=article drift=ahead.drift /> })}
            {task.may_change.then(|| view! {
                <Form action=action>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=task.version.0 />
                    <input type="hidden" name="what" value="replace_revision" />
                    <button type="submit" class="button" class:main=ahead.is_ready>{texts.use_current_text()}</button>
                </Form>
                <SubmitStatus draft=draft form="replace" />
            })}
        </div>
    }
}

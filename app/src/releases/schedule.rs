//! When a release is published: the forms, its task, and how it is reverted.

use crate::releases::{
    list_page::moment,
    server_fns::{ActOnRelease, ScheduleRelease},
};
use crate::{
    live::live,
    session::visitor,
    tasks::{actions::TaskActions, move_form::can_move, row::MoveRow},
    ui::{
        form::{PlainForm, result_of},
        icon::Icon,
        time::picker::{TimeFeedback, TimeFields, TimeInput, TimeSubmit, date_and_time, zone_as_typed},
    },
};
use domain::{
    LocalizedTime,
    releases::{ItemProblem, Release, ReleaseItem, ReleaseRow, ReleaseState, read_blocked_reason},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::articles::releases::ReleaseTexts;
use texts::{language, problem::release::item_problem, reason};

/// Prefix of the ids of the time fields.
const NAME: &str = "release";
/// Time that the form offers, milliseconds from now on.
const OFFERED_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
/// Fields of the forms whose problems are not about the time.
const NO_TIME: [&str; 4] = ["name", "ids", "items", "into"];

/// What can be done with the release in its state.
#[component]
pub fn Moment(
    /// The release.
    release: Release,
) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let row = release.row.clone();
    let note = match (row.state, row.published) {
        (ReleaseState::Published, Some(at)) => Some(texts.published_at(moment(at))),
        (ReleaseState::Scheduled, _) => Some(texts.is_locked().to_owned()),
        (ReleaseState::Reverted, _) => Some(texts.is_reverted().to_owned()),
        (ReleaseState::Failed, _) if waits_for_review(&row) => Some(match has_blocked_words(&release) {
            true => texts.continues_without_words().to_owned(),
            false => texts.continues().to_owned(),
        }),
        _ => None,
    };
    let may_schedule = row.may_change && row.state.may_edit();
    let may_revert = row.may_change && row.state == ReleaseState::Published;
    view! {
        <section class="panel" aria-labelledby="moment">
            <header><h2 id="moment">{texts.when()}</h2><StateLine release=release.clone() /></header>
            {note.map(|note| view! { <p>{note}</p> })}
            {row.task.map(|task| {
                let why = task.reason.as_deref().map(|why| reason::sentence(language(), why));
                view! {
                    {why.map(|why| view! { <p class="notice warn">{why}</p> })}
                    <div class="task-actions">
                        <TaskActions row=task.clone() keeps_undo=true />
                        {can_move(&task).then(|| view! { <MoveRow row=task.clone() /> })}
                        <a class="button small" href=format!("/tasks/{}", task.id)>{texts.open_task()}</a>
                    </div>
                }
            })}
            {may_schedule.then(|| view! { <ScheduleForms release=release.clone() /> })}
            {may_revert.then(|| view! { <RevertForm release=release /> })}
        </section>
    }
}

/// Whether it was held at its moment because an article is not approved.
fn waits_for_review(row: &ReleaseRow) -> bool {
    let reason = row.task.as_ref().and_then(|task| task.reason.as_deref());
    reason.and_then(read_blocked_reason).is_some_and(|(problem, _)| problem.may_end_by_itself())
}

/// Whether words that must not be published are in an article of it: a reviewer cannot approve them.
fn has_blocked_words(release: &Release) -> bool {
    let is_blocked = |item: &ReleaseItem| item.problem == Some(ItemProblem::WordsBlock);
    let reason = release.row.task.as_ref().and_then(|task| task.reason.as_deref());
    let failed_for = reason.and_then(read_blocked_reason).map(|(problem, _)| problem);
    failed_for == Some(ItemProblem::WordsBlock) || release.items.iter().any(is_blocked)
}

/// When it is due, or how many articles are ready.
#[component]
fn StateLine(release: Release) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let line = match (release.row.state, release.row.task) {
        (ReleaseState::Published, _) => None,
        (_, Some(task)) => Some(moment(task.due)),
        (_, None) => {
            let ready = release.items.iter().filter(|item| item.problem.is_none()).count();
            Some(texts.ready_count(ready, release.items.len()))
        }
    };
    line.map(|line| view! { <span class="muted">{line}</span> })
}

/// The reasons for which a release cannot be scheduled or reverted.
#[component]
fn Blockers(label: &'static str, items: Vec<ReleaseItem>) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let line = move |item: ReleaseItem| {
        let why = item_problem(language(), item.problem?);
        Some(view! { <li dir="auto">{texts.is(&item.title, why)}</li> })
    };
    view! {
        <div class="notice warn">
            <p>{label}</p>
            <ul>{items.into_iter().filter_map(line).collect_view()}</ul>
        </div>
    }
}

/// The articles with a problem that counts.
fn blocked(release: &Release, counts: impl Fn(ItemProblem) -> bool) -> Vec<ReleaseItem> {
    release.items.iter().filter(|item| item.problem.is_some_and(&counts)).cloned().collect()
}

/// The time field, *Schedule* and *Publish now*; or why that is not possible.
#[component]
fn ScheduleForms(release: Release) -> impl IntoView {
    let texts = ReleaseTexts::here();
    if release.items.is_empty() {
        return view! { <p class="muted">{texts.no_articles_hint()}</p> }.into_any();
    }
    let certain = blocked(&release, |problem| !problem.may_end_by_itself());
    let is_refused = result_of(ScheduleRelease::PATH, None).is_some();
    if !certain.is_empty() && !is_refused {
        return view! { <Blockers label=texts.cannot_schedule() items=certain /> }.into_any();
    }
    let words = blocked(&release, |problem| problem == ItemProblem::WordsBlock);
    let (id, input) = (release.row.id.to_string(), initial_input(ScheduleRelease::PATH, |_| None));
    let now = id.clone();
    let label = Signal::derive(move || {
        input.as_sentence().map_or_else(|| texts.schedule().to_owned(), |when| texts.schedule_for(when))
    });
    let fields = &["due_at", "time", "date", "zone", "local"];
    view! {
        {(!words.is_empty()).then(|| view! { <Blockers label=texts.words_block() items=words /> })}
        <PlainForm function=ScheduleRelease::PATH about=id.clone() class="message-form" fields=fields>
            <input type="hidden" name="id" value=id />
            <div class="time-sentence"><span>{texts.publish_at()}</span><TimeFields input=input name=NAME /></div>
            <TimeFeedback input=input name=NAME />
            <p><TimeSubmit input=input name=NAME label=label no_js=texts.schedule() /></p>
        </PlainForm>
        <PlainForm function=ActOnRelease::PATH about=now.clone() class="inline">
            <input type="hidden" name="id" value=now />
            <input type="hidden" name="seen" value=release.row.version.0 />
            <button class="button" type="submit" name="what" value="publish"><Icon name="now" />{texts.publish_now()}</button>
        </PlainForm>
    }
    .into_any()
}

/// *Revert*, with a confirmation; or why that is not possible.
#[component]
fn RevertForm(release: Release) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let id = release.row.id.to_string();
    let changed = blocked(&release, |_| true);
    let is_refused = result_of(ActOnRelease::PATH, Some(&id)).is_some();
    if !changed.is_empty() && !is_refused {
        return view! { <Blockers label=texts.cannot_revert() items=changed /> }.into_any();
    }
    view! {
        <details class="open-in-place" open=is_refused>
            <summary class="button small">{texts.revert()}</summary>
            <p>{texts.revert_hint()}</p>
            <PlainForm function=ActOnRelease::PATH about=id.clone()>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=release.row.version.0 />
                <button class="button main" type="submit" name="what" value="revert">{texts.revert_confirm()}</button>
            </PlainForm>
        </details>
    }
    .into_any()
}

/// The input of the refused form of this function, else that of the URL, else an hour from now.
pub(super) fn initial_input(
    function: &'static str,
    of_url: impl Fn(&'static str) -> Option<String>,
) -> TimeInput {
    let result = result_of(function, None);
    let typed = |field: &'static str| match &result {
        Some(result) => result.typed(field).map(str::to_owned),
        None => of_url(field),
    };
    let visitor = visitor();
    let later = live().now().get_untracked().plus(OFFERED_MS);
    let at = later.plus(-later.millis().rem_euclid(MINUTE_MS));
    let offset = visitor.heartbeat.heartbeat_offset;
    let (date, time) = date_and_time(LocalizedTime::new(at, offset, offset));
    TimeInput::new(
        (typed("date").unwrap_or(date), typed("time").unwrap_or(time)),
        typed("zone").unwrap_or_else(|| zone_as_typed(visitor.zone())),
        typed("which").unwrap_or_default(),
        result.map(|result| result.refusal).filter(|refusal| !refusal.is_about(&NO_TIME)).map(Err),
    )
}

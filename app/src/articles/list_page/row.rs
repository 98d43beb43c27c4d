//! One article as a row of the list.

use crate::{
    articles::schedule_panel::delete::{DeleteForm, RestoreForm},
    deliveries::notified::Notified,
    session::visitor,
    tasks::{
        list_page::{bulk::SelectBox, table_row::RowActions},
        move_form::move_form_of,
    },
    ui::{
        shortcut::single_key,
        table::{
            address::{DELETE, ListAddress},
            form_row::{OpenForm, is_open},
            row_menu::RowMenu,
        },
        time::date_time::{DateTime, relative},
    },
};
use domain::{
    ArticleId, Kind, TaskId, Version,
    article::{ArticleRow, ExcerptPart},
    post::PostState,
    releases::ReleaseAction,
    task::TaskRow,
};
use leptos::prelude::*;
use texts::{articles::ArticleTexts, deliveries::posts::PostTexts};

/// Article, revision, times, next task, other sites, and what else is shown.
type RowKey = (ArticleId, i32, [i64; 2], Option<(TaskId, Version)>, Option<PostState>, [bool; 4]);

/// Key of a row. A row with an equal key keeps its element, focus and input.
pub(super) fn key(row: &ArticleRow) -> RowKey {
    let release = row.release.as_ref().map_or(0, |release| release.due.at.millis());
    let waiting = next_task(row).map(|task| (task.id, task.version));
    let needs_approval = next_task(row).is_some_and(|task| task.needs_approval);
    let flags = [row.published.is_some(), row.deleted.is_some(), row.excerpt.is_empty(), needs_approval];
    (row.id, row.revision, [row.changed.at.millis(), release], waiting, row.worst_post, flags)
}

/// Its next task, else the publish that the review holds.
fn next_task(row: &ArticleRow) -> Option<&TaskRow> {
    row.waiting.as_ref().or(row.held.as_ref().filter(|_| row.deleted.is_none()))
}

/// Returns what opens the form that reschedules its next or held task.
pub(super) fn move_form(row: &ArticleRow) -> Option<(String, TaskRow)> {
    move_form_of(next_task(row)?)
}

/// Whether the user can change the article together with others, or approve it.
pub(super) fn can_select(row: &ArticleRow) -> bool {
    row.deleted.is_none() && (row.may_change || visitor().is_reviewer())
}

/// One article: title, state, time, owner, last change and actions.
#[component]
pub(super) fn ArticleTableRow(row: ArticleRow, address: Memo<ListAddress>) -> impl IntoView {
    let href = format!("/articles/{}", row.id);
    let edit = href.clone();
    let select =
        can_select(&row).then(|| view! { <SelectBox id=row.id.to_string() title=row.title.clone() /> });
    let is_idle =
        row.may_change && row.published.is_none() && next_task(&row).is_none() && row.deleted.is_none();
    let (state, time, acts, deleted) = (row.clone(), row.clone(), row.clone(), row.clone());
    let changed = relative(row.changed.at, true);
    let is_searched = address.with_untracked(|address| address.get("q").is_some());
    let excerpt = (!row.excerpt.is_empty())
        .then(|| view! { <p class="excerpt">{row.excerpt.into_iter().map(excerpt).collect_view()}</p> });
    view! {
        <tr class="list-row" id=format!("article-{}", row.id) data-edit=edit>
            <th scope="row" class="main">
                {select}
                <a class="title" dir="auto" href=href aria-keyshortcuts=single_key("e")>{row.title}</a>
                {excerpt}
                {is_searched.then(|| view! { <code class="meta">"/"{row.slug}</code> })}
            </th>
            <td class="state"><StateMarks row=state /></td>
            <td class="when"><ArticleTime row=time /></td>
            <td class="owner" dir="auto">{row.owner}</td>
            <td class="changed">{changed}</td>
            <td class="actions"><Actions row=acts address=address /></td>
        </tr>
        {is_idle.then(|| view! { <DeleteFormRow row=deleted address=address /> })}
    }
}

/// A part of the excerpt, marked if it matches the search.
fn excerpt(part: ExcerptPart) -> AnyView {
    if part.is_hit { view! { <mark>{part.text}</mark> }.into_any() } else { part.text.into_any() }
}

/// State of an article: draft, scheduled, published or deleted. A published one may be scheduled
/// again.
#[component]
fn StateMarks(row: ArticleRow) -> impl IntoView {
    let texts = ArticleTexts::here();
    let is_public = row.published.is_some();
    let waits = row.waiting.as_ref().map(|task| match (task.kind, is_public) {
        (Kind::ArticlePublish, true) => texts.update_scheduled(),
        (Kind::ArticleUnpublish, _) => texts.unpublish_scheduled(),
        _ if task.needs_approval => texts.scheduled_unapproved(),
        _ => texts.scheduled(),
    });
    let waits = waits.or_else(|| {
        row.release.as_ref().map(|release| match (release.action, is_public) {
            (ReleaseAction::Unpublish, _) => texts.unpublish_scheduled(),
            (ReleaseAction::Publish, true) => texts.update_scheduled(),
            (ReleaseAction::Publish, false) => texts.scheduled(),
        })
    });
    let held = row.held.as_ref().filter(|_| waits.is_none() && row.deleted.is_none());
    let held = held.map(|task| texts.held_because(task.reason.as_deref()));
    let other = match (row.deleted.is_some(), is_public, waits.is_some() || held.is_some()) {
        (true, ..) => Some(("cancelled", texts.deleted())),
        (_, true, _) => Some(("executed", texts.published())),
        (_, _, false) => Some(("draft", texts.draft())),
        _ => None,
    };
    view! {
        {other.map(|(phase, word)| view! { <span class="phase state-mark" data-phase=phase>{word}</span> })}
        {is_public.then(|| view! { <Notified count=row.notified /> })}
        {row.worst_post.map(|state| view! { <OnOtherSites state=state /> })}
        {waits.map(|word| view! { <span class="phase state-mark" data-phase="scheduled">{word}</span> })}
        {held.map(|word| view! { <span class="phase state-mark" data-phase="due">{word}</span> })}
    }
}

/// What became of it on other sites.
#[component]
fn OnOtherSites(state: PostState) -> impl IntoView {
    let texts = PostTexts::here();
    let class = if state.needs_user() { "notified missing" } else { "notified" };
    view! { <span class=class>{texts.title()} ": " {texts.state(state)}</span> }
}

/// When its next task or its release is due, whichever comes first; else since when it is public or
/// deleted.
#[component]
fn ArticleTime(row: ArticleRow) -> impl IntoView {
    let task = row.waiting.map(|task| task.due);
    let release = row.release.filter(|release| task.is_none_or(|due| release.due.at <= due.at));
    let due = release.as_ref().map(|release| release.due).or(task);
    match due {
        Some(due) => view! {
            <DateTime at=due />" "{relative(due.at, false)}
            {release.map(|release| view! {
                " "<a class="meta" dir="auto" href=format!("/releases/{}", release.id)>{release.name}</a>
            })}
        }
        .into_any(),
        None => match row.held.filter(|_| row.deleted.is_none()) {
            Some(task) => {
                view! { <span class="meta">{ArticleTexts::here().was_planned()}</span>" "<DateTime at=task.due /> }.into_any()
            }
            None => row.deleted.or(row.published).map(|at| view! { <DateTime at=at /> }).into_any(),
        },
    }
}

/// The actions of an article, by its state. On touch they are a menu.
#[component]
fn Actions(row: ArticleRow, address: Memo<ListAddress>) -> impl IntoView {
    let texts = ArticleTexts::here();
    if !row.may_change {
        return ().into_any();
    }
    if row.deleted.is_some() {
        return view! { <RestoreForm id=row.id.to_string() name=texts.restore() /> }.into_any();
    }
    if let Some(task) = next_task(&row).cloned() {
        return view! { <RowActions row=task address=address /> }.into_any();
    }
    let (id, is_draft) = (row.id.to_string(), row.published.is_none());
    let named = texts.delete_named(&row.title);
    let delete = move || address.with(|address| address.with(DELETE, &id).to_string());
    view! {
        <RowMenu title=row.title />
        <a class="button small" href=format!("/articles/{}?view=schedule", row.id) aria-keyshortcuts=single_key("m")>{texts.schedule()}</a>
        {is_draft.then(|| view! {
            <a class="button small bare" href=delete data-noscroll="" aria-label=named aria-keyshortcuts=single_key("x")>{texts.delete()}</a>
        })}
    }
    .into_any()
}

/// The form that deletes an article, while the URL names it.
#[component]
fn DeleteFormRow(row: ArticleRow, address: Memo<ListAddress>) -> impl IntoView {
    let is_deleting = is_open(address, DELETE, row.id.to_string());
    move || {
        let row = row.clone();
        is_deleting.get().then(|| view! {
            <tr class="form-row">
                <td colspan="6"><OpenForm address=address name=DELETE><DeleteQuestion row=row /></OpenForm></td>
            </tr>
        })
    }
}

#[component]
fn DeleteQuestion(row: ArticleRow) -> impl IntoView {
    view! { <p>{ArticleTexts::here().delete_question(&row.title)}</p> <DeleteForm row=row /> }
}

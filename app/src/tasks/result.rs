//! The result of a change of a task, and its undo.

use crate::{
    live::{live, live_value},
    server_fns::Refused,
    session::visitor,
    tasks::{
        server_fns::{ChangeTask, find_task},
        target::title_of,
    },
    ui::{
        form::Form,
        result::{ActionResult, ResultLink, Undo, announce, last_result, view::UndoButton},
    },
};
use domain::{
    Kind, State, Timestamp,
    input_limits::UNDO_OFFER_MS,
    task::{TaskRow, UndoOffer},
};
use leptos::prelude::*;
use texts::{
    language,
    tasks::{TaskTexts, result::TaskResultTexts},
    time,
};

/// Announces each success of an action that changes a task.
pub fn announce_change<F>(action: ServerAction<F>)
where
    F: server_fn::ServerFn<Output = TaskRow, Error = Refused> + Clone + Send + Sync + 'static,
{
    announce(action, result_of_change);
}

/// Describes the last change of a task.
#[must_use]
pub fn result_of_change(row: TaskRow) -> ActionResult {
    let due = time::moment(language(), row.due, visitor().zone(), live().now().get_untracked());
    let sentence = sentence(TaskResultTexts::here(), &row, due);
    let link = Some(link(&row));
    let started = (row.state == State::Scheduled && is_started(&row)).then(|| Box::new(row.clone()));
    let undo = row.undo.is_some().then(|| Undo::Task(Box::new(row)));
    ActionResult { link, undo, started, ..ActionResult::new(sentence) }
}

/// Whether the last change starts the task at once.
fn is_started(row: &TaskRow) -> bool {
    let verb = row.undo.as_ref().map(|undo| undo.verb.as_str()).or(row.last_verb.as_deref());
    matches!(verb, Some("publish_now" | "run_now" | "unpublish" | "retry"))
}

/// The result of a task that was started, once it is done or failed.
#[must_use]
pub fn result_of_start(row: TaskRow) -> Signal<Option<ActionResult>> {
    let (id, read_id) = (row.id.0, row.id.to_string());
    let read = move || {
        let id = read_id.clone();
        async move { find_task(id).await.map(|task| task.row) }
    };
    // The task may be done before its changes are followed.
    let latest =
        live_value(row, false, move |change| change.entity == "task" && change.entity_id == id, read);
    Signal::derive(move || {
        latest.with(|row| match row.state {
            State::Executed => Some(result_of_change(row.clone())),
            State::Failed | State::Missed => {
                let sentence = TaskResultTexts::here().failed(title_of(language(), row));
                let link = Some(link(row));
                Some(ActionResult { is_warning: true, link, ..ActionResult::new(sentence) })
            }
            _ => None,
        })
    })
}

fn link(row: &TaskRow) -> ResultLink {
    let texts = TaskResultTexts::here();
    if row.state == State::Executed && row.kind == Kind::ArticlePublish && !row.slug.is_empty() {
        let href = format!("/site/{}", row.slug);
        return ResultLink { href, label: texts.view_public(), is_external: true };
    }
    ResultLink { href: format!("/tasks/{}", row.id), label: texts.open_task(), is_external: false }
}

/// Says what the last change did. `due`: the due time of the task.
fn sentence(texts: TaskResultTexts, row: &TaskRow, due: String) -> String {
    let title = title_of(texts.0, row);
    let is_unpublish = row.kind == Kind::ArticleUnpublish;
    let is_done = row.state == State::Executed;
    let is_update = row.undo.as_ref().is_some_and(|undo| undo.is_update);
    let is_other = matches!(row.kind, Kind::Other("message.send" | "rule.fire"));
    let verb = row.undo.as_ref().map(|undo| undo.verb.as_str()).or(row.last_verb.as_deref());
    match (verb.unwrap_or_default(), row.state) {
        ("undo", State::Scheduled) => texts.undone_scheduled(title, due),
        ("undo", State::Cancelled) => texts.undone_unscheduled(title),
        ("undo", State::Failed | State::Missed) => texts.undone_dismissed(title),
        ("dismiss", State::Cancelled) => texts.dismissed(title),
        (_, State::Cancelled) if is_other => texts.cancelled(title),
        ("publish_now" | "run_now", State::Scheduled) if is_other => texts.running(title),
        _ if is_done && is_other => texts.done(title),
        // The task that reverted another one.
        ("undo" | "execute", State::Executed) if is_unpublish => texts.undone_private(title),
        ("undo" | "execute", State::Executed) => texts.undone_public(title),
        ("retry", State::Scheduled) => texts.retried(title),
        ("reschedule", State::Scheduled) => texts.rescheduled(title, due),
        ("replace_revision", State::Scheduled) => texts.replaced(title),
        ("unpublish", State::Scheduled) => texts.unpublishing(title),
        ("publish_now", State::Scheduled) if is_unpublish => texts.unpublishing(title),
        ("publish_now", State::Scheduled) if is_update => texts.updating(title),
        ("publish_now", State::Scheduled) if row.needs_approval => texts.publishing_approved(title),
        ("publish_now", State::Scheduled) => texts.publishing(title),
        ("schedule", State::Scheduled) if is_unpublish => texts.scheduled_unpublish(title, due),
        ("schedule", State::Scheduled) if row.needs_approval => texts.scheduled_unapproved(title, due),
        ("schedule", State::Scheduled) if row.has_newer_revision => texts.scheduled_approved(title, due),
        ("schedule", State::Scheduled) => texts.scheduled(title, due),
        (_, State::Cancelled) => texts.unscheduled(title),
        _ if is_done && is_unpublish => texts.unpublished(title),
        _ if is_done && is_update => texts.updated(title),
        _ if is_done => texts.published(title),
        _ => texts.changed(title),
    }
}

/// Whether undo of a change of the public site is still offered.
fn is_offered(undo: &UndoOffer, now: Timestamp) -> bool {
    undo.changed_at.plus(UNDO_OFFER_MS).min(undo.until) > now
}

/// Whether undo would change the public site.
fn changes_site(undo: &UndoOffer) -> bool {
    matches!(undo.verb.as_str(), "publish_now" | "unpublish")
}

/// The undo in the result. If it would change the public site, it is replaced after ten seconds by
/// a link to the explicit action.
#[component]
pub fn UndoChange(
    /// The task.
    row: TaskRow,
) -> impl IntoView {
    let undo = row.undo.clone()?;
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    let (texts, now) = (TaskTexts::here(), live().now());
    let is_over = Memo::new(move |_| changes_site(&undo) && !is_offered(&undo, now.get()));
    let article = format!("/articles/{}?view=schedule", row.target_id);
    let other = if row.kind == Kind::ArticlePublish { texts.unpublish() } else { texts.publish() };
    Some(move || match is_over.get() {
        true => view! { <a class="button small" href=article.clone()>{other}</a> }.into_any(),
        false => view! { <ChangeUndo row=row.clone() action=action /> }.into_any(),
    })
}

/// The undo on the page of a task or article: while it is possible, does not change the public
/// site, and is not shown as the last result.
#[component]
pub fn LaterUndo(
    /// The task.
    row: TaskRow,
) -> impl IntoView {
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    let is_offered = offers_undo_later(&row);
    move || is_offered.get().then(|| view! { <ChangeUndo row=row.clone() action=action /> })
}

/// The form that undoes the last change of a task.
#[component]
fn ChangeUndo(row: TaskRow, action: ServerAction<ChangeTask>) -> impl IntoView {
    let texts = TaskTexts::here();
    let label = match &row.undo {
        Some(undo) if undo.is_update => texts.undo_update(),
        undo => texts.undo_of(undo.as_ref().map_or("", |undo| &undo.verb)),
    };
    let id = row.id.to_string();
    view! {
        <Form action=action about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=row.version.0 />
            <input type="hidden" name="what" value="undo" />
            <UndoButton label=label />
        </Form>
    }
}

fn offers_undo_later(row: &TaskRow) -> Memo<bool> {
    let (is_shown, now) = (last_result().offers_undo_of(row.id), live().now());
    let undo = row.undo.clone().filter(|_| row.may_change);
    Memo::new(move |_| {
        let is_possible = |undo: &UndoOffer| match changes_site(undo) {
            true => is_offered(undo, now.get()),
            false => undo.until > now.get(),
        };
        undo.as_ref().is_some_and(is_possible) && !is_shown()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{AccountId, LocalizedTime, Priority, TaskId, Version};
    use texts::Language;

    fn changed(kind: Kind, state: State, last_verb: &str, undo: Option<&str>) -> TaskRow {
        let at = Timestamp::from_millis(0);
        let due = LocalizedTime::new(at, 0, 0);
        let undo =
            undo.map(|verb| UndoOffer { verb: verb.to_owned(), changed_at: at, until: at, is_update: false });
        TaskRow {
            id: TaskId::generate(),
            kind,
            target_id: TaskId::generate().0,
            state,
            version: Version::FIRST,
            due,
            priority: Priority::Normal,
            title: "Zones".to_owned(),
            slug: "zones".to_owned(),
            owner_id: AccountId(TaskId::generate().0),
            owner: "Ann".to_owned(),
            executed: None,
            reason: None,
            has_newer_revision: false,
            needs_approval: false,
            last_verb: Some(last_verb.to_owned()),
            undo,
            may_change: true,
        }
    }

    #[test]
    fn a_change_of_what_is_public_is_an_update() {
        for (state, expected) in [
            (State::Scheduled, "“Zones” is being updated."),
            (State::Executed, "The update of “Zones” is public."),
        ] {
            let mut row = changed(Kind::ArticlePublish, state, "schedule", Some("publish_now"));
            row.undo.as_mut().unwrap().is_update = true;
            assert_eq!(sentence(TaskResultTexts(Language::En), &row, "NOON".to_owned()), expected);
        }
    }

    #[test]
    fn every_change_has_a_sentence() {
        use Kind::{ArticlePublish as Publish, ArticleUnpublish as Unpublish};
        use State::{Cancelled, Executed, Missed, Scheduled};
        let cases = [
            (Publish, Scheduled, "schedule", Some("schedule"), "“Zones” is scheduled for NOON."),
            (Unpublish, Scheduled, "schedule", Some("schedule"), "“Zones” will be unpublished on NOON."),
            (Publish, Scheduled, "reschedule", Some("reschedule"), "“Zones” is rescheduled to NOON."),
            (Publish, Cancelled, "cancel", Some("cancel"), "“Zones” is unscheduled."),
            (Publish, Cancelled, "cancel", None, "“Zones” is unscheduled."),
            (Publish, Cancelled, "cancel", Some("dismiss"), "“Zones” is dismissed."),
            (Publish, Missed, "undo", None, "Undone: “Zones” needs attention again."),
            (Publish, Executed, "schedule", Some("publish_now"), "“Zones” is published."),
            (Publish, Executed, "publish_now", None, "“Zones” is published."),
            (Publish, Scheduled, "schedule", Some("publish_now"), "“Zones” is being published."),
            (Unpublish, Executed, "schedule", Some("unpublish"), "“Zones” is unpublished."),
            (Unpublish, Scheduled, "schedule", Some("unpublish"), "“Zones” is being unpublished."),
            (Publish, Scheduled, "retry", None, "“Zones” is tried again."),
            (Publish, Scheduled, "undo", None, "Undone: “Zones” is scheduled for NOON again."),
            (Publish, Cancelled, "undo", None, "Undone: “Zones” is no longer scheduled."),
            (Unpublish, Executed, "execute", None, "Undone: “Zones” is no longer public."),
            (Publish, Executed, "execute", None, "Undone: “Zones” is public as before."),
        ];
        for (kind, state, last, undo, expected) in cases {
            let row = changed(kind, state, last, undo);
            assert_eq!(sentence(TaskResultTexts(Language::En), &row, "NOON".to_owned()), expected, "{last}");
            let chinese = sentence(TaskResultTexts(Language::Zh), &row, "NOON".to_owned());
            assert!(chinese.contains("“Zones”") && chinese.ends_with('。'), "{chinese}");
        }
    }
}

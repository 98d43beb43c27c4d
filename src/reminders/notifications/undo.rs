//! Whether the change that a notification notifies of can still be reverted by the account that reads it.

use crate::{
    reminders::read,
    services::{Presenter, internal_error},
};
use domain::{
    AccountId, ArticleId, DomainError, MeetingId, ReminderId, TaskId, Version,
    meetings::decide,
    reminders::{NotificationUndo, UndoneThing},
};
use std::collections::HashMap;
use store::{Conn, article, meeting, notification::NotificationRow, reminder_list, task_list};
use uuid::Uuid;

/// Returns what can be reverted now, by notification: nothing has changed it since, and its time has not passed.
pub async fn offers(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    rows: &[NotificationRow],
) -> Result<HashMap<Uuid, NotificationUndo>, DomainError> {
    let mut offers = HashMap::new();
    for row in rows {
        if let Some(undo) = stored(row)
            && is_open(conn.reborrow(), presenter, undo).await?
        {
            offers.insert(row.id, undo);
        }
    }
    Ok(offers)
}

fn stored(row: &NotificationRow) -> Option<NotificationUndo> {
    let thing = row.undo_kind.as_deref()?.parse().ok()?;
    Some(NotificationUndo { thing, id: row.undo_id?, version: Version(row.undo_version?) })
}

async fn is_open(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    undo: NotificationUndo,
) -> Result<bool, DomainError> {
    let NotificationUndo { thing, id, version } = undo;
    Ok(match thing {
        UndoneThing::Task => {
            let row = task_list::find(conn, TaskId(id)).await.map_err(internal_error)?;
            let task = row.and_then(|row| presenter.task(row));
            task.is_some_and(|task| task.version == version && task.undo.is_some())
        }
        UndoneThing::Article => {
            let row = article::find(conn, ArticleId(id)).await.map_err(internal_error)?;
            row.is_some_and(|row| {
                row.deleted_at.is_some() && presenter.actor.may_change(AccountId(row.owner_id))
            })
        }
        UndoneThing::Meeting => {
            let row = meeting::find(conn, MeetingId(id)).await.map_err(internal_error)?;
            let Some(row) = row.filter(|row| row.version == version.0) else { return Ok(false) };
            let booking = row.booking().map_err(internal_error)?;
            let may_undo = |verb: &str| {
                !matches!(verb, "approve" | "reject") && presenter.actor.may_change(row.organizer())
            };
            let until = row.undo().filter(|(verb, ..)| may_undo(verb));
            until.is_some_and(|(verb, _, was)| presenter.now < decide::undo_until(verb, &booking, &was))
        }
        UndoneThing::Reminder => {
            let row = reminder_list::find(conn, ReminderId(id)).await.map_err(internal_error)?;
            let Some(row) = row.filter(|row| row.version == version.0) else { return Ok(false) };
            read::present(presenter, row)?.undo.is_some()
        }
    })
}

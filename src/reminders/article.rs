//! Reminders about articles move and are cancelled with the publication, in the transaction that
//! changes its task.

use crate::kinds::task_kind::{Followers, MovedBy};
use crate::reminders::{
    write_plans,
    write_plans::{PlanChange, moment_at},
};
use domain::{
    Timestamp,
    reminders::{ReminderState, decide},
};
use std::collections::{BTreeSet, HashMap};
use store::{StoreError, Tx, reminder, reminder_list, subject, target};
use uuid::Uuid;

/// Makes the reminders about these articles follow their publications. Returns what must be stored.
pub async fn follow(tx: &mut Tx, articles: &[Uuid], by: MovedBy) -> Result<Followers, StoreError> {
    let ids = reminder::ids_about(tx.conn(), articles).await?;
    if ids.is_empty() {
        return Ok(Followers::default());
    }
    target::lock(tx.conn(), &ids).await?;
    let rows = reminder_list::find_many(tx.conn(), &ids).await?;
    let reminded: BTreeSet<Uuid> = rows.iter().filter_map(|row| row.about_id).collect();
    let reminded: Vec<Uuid> = reminded.into_iter().collect();
    subject::mark_followed(tx.conn(), &reminded).await?;
    let published: HashMap<Uuid, Option<Timestamp>> =
        subject::publications(tx.conn(), &reminded).await?.into_iter().collect();
    let mut changes = Vec::new();
    for row in &rows {
        let Some((article, offset)) = row.about_id.zip(row.offset_minutes) else { continue };
        let base = published.get(&article).copied().flatten();
        let due = base.map(|base| moment_at(base, offset));
        let before = row.plan()?;
        let after = decide::followed(&before, due, by.at);
        if after != before {
            let verb = if after.state == ReminderState::Cancelled { "cancel" } else { "move" };
            changes.push(PlanChange { row, before, after, verb, can_undo: false });
        }
    }
    if changes.is_empty() {
        return Ok(Followers::default());
    }
    let written = write_plans::write(tx, &changes, by).await?;
    written.ok_or_else(|| StoreError::Corrupt("a locked reminder was changed".to_owned()))
}

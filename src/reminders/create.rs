//! Creates a reminder.

use super::{
    apply,
    input::{check, time},
    read,
};
use crate::reminders::of_item;
use crate::{
    app_state::AppState,
    deliveries::outside::planned,
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    Actor, DomainError, ReminderId,
    error::ValidationError,
    mail_limits::MailMove,
    reminders::{MAX_OPEN_REMINDERS, NewReminder, Recipient, Reminder, ReminderState, ReminderTime},
    series::RuleFields,
};
use store::{
    event::NewEvent,
    reminder::{self, NewReminderRow},
    reminder_list,
    task::NewTaskRow,
};

/// Creates a reminder with its task.
pub async fn create(parts: &AppState, actor: &Actor, new: NewReminder) -> Result<Reminder, DomainError> {
    let text = check::text(&new.text)?;
    let id = ReminderId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(done) = find_idempotent_result(&mut unit, id.0).await? {
        return read::one(unit.tx.conn(), &unit.presenter, ReminderId(done)).await;
    }
    let recipient = new.recipient.unwrap_or(Recipient::Account(actor.account));
    let recipient = check::recipient(&mut unit, recipient).await?;
    let open = reminder_list::open_count(unit.tx.conn(), actor.account, MAX_OPEN_REMINDERS).await;
    if open.map_err(internal_error)? >= MAX_OPEN_REMINDERS {
        let max = u32::try_from(MAX_OPEN_REMINDERS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("text", ValidationError::TooMany { max }));
    }
    let (row, task) = match new.time {
        ReminderTime::Relative(_) if new.repeats.is_some() => {
            let why = "send series with due_at, when, or local and zone".to_owned();
            return Err(DomainError::invalid("series", ValidationError::Sentence { why }));
        }
        ReminderTime::Relative(time) => of_item::new_row(&mut unit, id, (text, recipient), time).await?,
        time => absolute(&unit, id, (text, recipient), (&time, new.repeats))?,
    };
    let due_at = row.plan.due_at;
    if let Recipient::Mail(address) = &row.recipient {
        let mail = MailMove { from: None, to: (address, due_at) };
        planned::check(unit.tx.conn(), &unit.presenter, &[mail]).await?;
    }
    let now = unit.now();
    reminder::insert(unit.tx.conn(), &[row], now).await.map_err(write_error(parts))?;
    let simple = NewEvent::simple(now, Some(actor.account), "reminder", id.0, "create");
    unit.record_events([NewEvent {
        to_state: Some(ReminderState::Scheduled.as_str()),
        version: Some(1),
        detail: serde_json::json!({ "due_at": due_at }).to_string(),
        ..simple
    }]);
    apply::add_tasks(&mut unit, vec![task]);
    unit.write_events().await?;
    let created = read::one(unit.tx.conn(), &unit.presenter, id).await?;
    unit.commit().await?;
    Ok(created)
}

/// Returns the row of a reminder at a moment of its own, and its task.
fn absolute(
    unit: &UnitOfWork<'_>,
    id: ReminderId,
    (text, recipient): (String, Recipient),
    (time, rule): (&ReminderTime, Option<RuleFields>),
) -> Result<(NewReminderRow, NewTaskRow), DomainError> {
    let owner = unit.presenter.actor.account;
    let plan = time::resolve(time, rule, unit.presenter.actor, unit.now())?.scheduled();
    let task = apply::new_task(unit.parts, (id, &recipient), owner, &plan);
    let row = NewReminderRow { id, text, owner, recipient, plan, about: None, task: Some(task.id) };
    Ok((row, task))
}

//! Changes a reminder: each change is one compare-and-set with its task and its event.

pub mod bulk;
mod outside;

use super::{
    apply::{self, PlanChange},
    input::{check, time},
    read,
};
use crate::{
    app_state::AppState,
    deliveries::outside::planned,
    services::internal_error,
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    AccountId, Actor, DomainError, ReminderId, Version, When,
    error::ValidationError,
    reminders::{
        BELL_TEXT, LocalTimeInZone, Plan, Recipient, Reminder, ReminderChange, ReminderEdit, ReminderState,
        ReminderTime, decide,
    },
    series::{RuleFields, SeriesProblem},
};
use store::{
    reminder,
    reminder_list::{self, ReminderRow},
    target,
};

/// Changes a reminder if it still has the version the actor saw.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: ReminderId,
    change: ReminderChange,
    seen: Option<Version>,
) -> Result<Reminder, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let row = load(&mut unit, id).await?;
    check_rights(actor, &row, &change)?;
    if find_idempotent_result(&mut unit, id.0).await?.is_some() {
        return read::one(unit.tx.conn(), &unit.presenter, id).await;
    }
    if seen.is_some_and(|seen| seen.0 != row.version) {
        return Err(DomainError::Changed);
    }
    let before = row.plan().map_err(internal_error)?;
    let mut has_other_content = false;
    let mut address = row.address.clone();
    let (verb, after) = match change {
        ReminderChange::Edit(edit) => {
            let edited = edited(&mut unit, &row, &before, edit).await?;
            has_other_content = edited.has_other_content;
            address = edited.address;
            ("edit", edited.plan)
        }
        ReminderChange::Snooze(until) => {
            let at = time::snoozed(until, actor, unit.now())?;
            ("snooze", decide::moved(at, None))
        }
        ReminderChange::Done => ("done", decide::done(&before)?),
        ReminderChange::Cancel => ("cancel", decide::cancelled(&before)?),
        ReminderChange::CancelSeries => ("cancel", decide::series_cancelled(&before)?),
        ReminderChange::Undo => {
            let (_, was) = row.undo().ok_or(DomainError::CannotUndo)?;
            ("undo", decide::undone(&was, unit.now()).ok_or(DomainError::CannotUndo)?)
        }
    };
    if after == before && !has_other_content {
        return read::one(unit.tx.conn(), &unit.presenter, id).await;
    }
    let change = PlanChange { row: &row, before, after, verb, can_undo: false };
    if let Some(mail) = outside::mail_move(&change, address.as_deref()) {
        planned::check(unit.tx.conn(), &unit.presenter, &[mail]).await?;
    }
    let can_undo = change.has_undo();
    apply::write(&mut unit, &[PlanChange { can_undo, ..change }]).await?;
    unit.write_events().await?;
    let changed = read::one(unit.tx.conn(), &unit.presenter, id).await?;
    unit.commit().await?;
    Ok(changed)
}

/// Locks and loads a reminder.
async fn load(unit: &mut UnitOfWork<'_>, id: ReminderId) -> Result<ReminderRow, DomainError> {
    target::lock(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
    let row = reminder_list::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    row.ok_or_else(|| DomainError::no_such("reminder"))
}

/// The account it is for may put it off and complete it; its creator and admins may do everything.
fn check_rights(actor: &Actor, row: &ReminderRow, change: &ReminderChange) -> Result<(), DomainError> {
    let is_own = actor.may_change(row.owner());
    let is_recipient = row.recipient_id.map(AccountId) == Some(actor.account);
    let may = match change {
        ReminderChange::Snooze(_) | ReminderChange::Done => is_own || is_recipient,
        ReminderChange::Undo => {
            let is_answer = matches!(row.undo_verb.as_deref(), Some("snooze" | "done"));
            is_own || (is_recipient && is_answer)
        }
        ReminderChange::Edit(_) | ReminderChange::Cancel | ReminderChange::CancelSeries => is_own,
    };
    match may {
        true => Ok(()),
        false if is_own || is_recipient => Err(DomainError::NotAllowed),
        false => Err(DomainError::no_such("reminder")),
    }
}

/// What an edit makes of a reminder.
struct Edited {
    plan: Plan,
    /// Whether another text or recipient was stored.
    has_other_content: bool,
    /// The address that gets a mail.
    address: Option<String>,
}

/// Stores another text or recipient.
async fn edited(
    unit: &mut UnitOfWork<'_>,
    row: &ReminderRow,
    before: &Plan,
    edit: ReminderEdit,
) -> Result<Edited, DomainError> {
    let ReminderEdit { text, recipient, time, repeats, is_whole_series } = edit;
    let rule = repeats.map(|rule| *rule);
    let plan = new_plan(unit, before, (time.as_ref(), rule), is_whole_series)?;
    if row.about_id.is_some() && plan.repeats.is_some() {
        let why = "is only for reminders that are about no article or meeting".to_owned();
        return Err(DomainError::invalid("series", ValidationError::Sentence { why }));
    }
    let text = text.as_deref().map(check::text).transpose()?;
    let recipient = match recipient {
        Some(recipient) => Some(check::recipient(unit, recipient).await?),
        None => None,
    };
    let was = row.recipient().map_err(internal_error)?;
    let recipient = recipient.unwrap_or_else(|| was.clone());
    let text = new_text(row, (&was, &recipient), text)?;
    let has_other_content = text != row.text || recipient != was;
    if has_other_content {
        let id = ReminderId(row.id);
        reminder::set_content(unit.tx.conn(), id, &text, &recipient).await.map_err(internal_error)?;
    }
    // Another text of this occurrence alone: the others keep theirs.
    let leaves = has_other_content && !is_whole_series && plan == *before;
    let plan = if leaves { Plan { repeats: None, ..plan } } else { plan };
    let address = if let Recipient::Mail(address) = recipient { Some(address) } else { None };
    Ok(Edited { plan, has_other_content, address })
}

/// The text after an edit. That of a reminder in the bell only says where it is shown: with another one it
/// would be mailed.
fn new_text(
    row: &ReminderRow,
    (was, recipient): (&Recipient, &Recipient),
    text: Option<String>,
) -> Result<String, DomainError> {
    match text {
        Some(text) if *recipient == Recipient::Bell || is_bell_text(recipient, &text) => {
            let why = "this reminder says when and where its meeting is, and has no other text".to_owned();
            Err(DomainError::invalid("text", ValidationError::Sentence { why }))
        }
        Some(text) => Ok(text),
        None if *was == Recipient::Bell && *recipient != Recipient::Bell => Ok(String::new()),
        None => Ok(row.text.clone()),
    }
}

/// Whether this text would turn a mail to the attendees into a reminder in the bell.
fn is_bell_text(recipient: &Recipient, text: &str) -> bool {
    *recipient == Recipient::Attendees && text == BELL_TEXT
}

/// The plan after an edit of time and rule.
fn new_plan(
    unit: &UnitOfWork<'_>,
    before: &Plan,
    (time, rule): (Option<&ReminderTime>, Option<RuleFields>),
    is_whole_series: bool,
) -> Result<Plan, DomainError> {
    let own = time.is_none().then(|| own_time(before));
    let Some(time) = time.or(own.as_ref()).filter(|_| time.is_some() || rule.is_some()) else {
        return Ok(before.clone());
    };
    let now = unit.now();
    let to = time::resolve(time, rule, unit.presenter.actor, now)?;
    if before.repeats.is_some() && to.repeats.is_some() && !is_whole_series {
        return Err(DomainError::invalid("reach", ValidationError::Series { why: SeriesProblem::RuleOfOne }));
    }
    let is_same = before.state == ReminderState::Scheduled
        && (before.due_at, &before.local) == (to.due_at, &to.local)
        && (to.repeats.is_none() || to.repeats == before.repeats);
    if is_same {
        return Ok(before.clone());
    }
    let is_moved_series = is_whole_series && to.repeats.is_none();
    let to = if is_moved_series { time::moved_series(before, to, now)? } else { to };
    Ok(to.moved())
}

/// The time that the reminder has.
fn own_time(plan: &Plan) -> ReminderTime {
    ReminderTime::At(match plan.local.clone() {
        Some(LocalTimeInZone { local, zone }) => When::Local { local, zone, disambiguation: None },
        None => plan.due_at.into(),
    })
}

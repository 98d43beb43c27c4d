//! Mails the notifications that are due: one mail for each account.

use crate::{
    app_state::AppState,
    kinds::new_tasks::scheduled,
    messages::{check::REMINDER_KEY, kinds::task_of},
    services::hints,
};
use domain::{AccountId, ChannelId, MessageId, TaskId, Timestamp, message::MessageOptions};
use store::{
    PoolRole, StoreError,
    announcement::{self, DueMail},
    due_reminder,
    event::NewEvent,
    failpoint,
    message::{self, NewMessageRow},
    task::{self, NewTaskRow},
};
use texts::{Language, mail::announcement::AnnouncementWords};
use uuid::Uuid;

/// Maximum number of notifications mailed in one transaction.
const MAX_MAILED: i64 = 500;

/// Passes the mails that are due to the engine. Without a mail server, the notifications are shown in the list.
pub async fn send_due(parts: &AppState, public_url: &str, now: Timestamp) -> Result<(), StoreError> {
    let mut lease = parts.store.read(PoolRole::Engine).await?;
    let due = announcement::due_mails(lease.conn(), now, MAX_MAILED).await?;
    if due.is_empty() {
        return Ok(());
    }
    let (channel, _) = due_reminder::channels(lease.conn()).await?;
    drop(lease);
    let ids: Vec<Uuid> = due.iter().map(|one| one.id).collect();
    let mails = channel.map_or_else(Vec::new, |channel| mails(&due, channel, public_url));
    let buckets = parts.hints.buckets();
    let tasks: Vec<NewTaskRow> =
        mails.iter().map(|mail| task_of(mail, (queue::bucket_of(mail.task, buckets), now))).collect();
    let mut tx = parts.store.begin(PoolRole::Engine).await?;
    if !announcement::take_mails(tx.conn(), &ids, channel.is_none()).await? {
        return Ok(());
    }
    message::insert(tx.conn(), &mails, now).await?;
    let scheduled: Vec<NewEvent> = tasks.iter().map(|task| scheduled(task, now)).collect();
    task::insert(tx.conn(), &tasks, now, &scheduled).await?;
    failpoint::hit("notifications.mailed").await?;
    tx.commit().await?;
    hints::publish(parts, tasks.iter().map(NewTaskRow::hint).collect());
    Ok(())
}

/// One mail for each account that has an address.
fn mails(due: &[DueMail], channel: ChannelId, public_url: &str) -> Vec<NewMessageRow> {
    let of_account = due.chunk_by(|one, next| one.account_id == next.account_id);
    of_account.filter_map(|lines| mail(lines, channel, public_url)).collect()
}

fn mail(lines: &[DueMail], channel: ChannelId, public_url: &str) -> Option<NewMessageRow> {
    let first = lines.first()?;
    let address = first.email.clone()?;
    let language = first.language.as_deref().and_then(|word| word.parse().ok()).unwrap_or(Language::En);
    let words = AnnouncementWords(language);
    let subject = match lines {
        [only] => only.text.lines().next().unwrap_or_default().to_owned(),
        many => words.subject(many.len()),
    };
    let line = |one: &DueMail| match one.has_undo {
        1 => format!(
            "{}\n{public_url}{}\n{} {public_url}/notifications\n",
            one.text,
            one.link,
            words.undo_here()
        ),
        _ => format!("{}\n{public_url}{}\n", one.text, one.link),
    };
    let mut body = lines.iter().map(line).collect::<Vec<_>>().join("\n");
    body.push_str(&format!("\n{}\n{public_url}/settings/notifications\n", words.choose()));
    let options = MessageOptions {
        headers: [("Subject".to_owned(), subject)].into(),
        to: vec![address],
        ..MessageOptions::default()
    };
    let (id, task) = (MessageId::generate(), TaskId::generate());
    Some(NewMessageRow {
        id,
        key: format!("{REMINDER_KEY}notifications:{task}"),
        channel,
        body,
        options: serde_json::to_string(&options).ok()?,
        fingerprint: String::new(),
        task,
        owner: AccountId(first.account_id),
    })
}

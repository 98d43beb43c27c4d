//! Notifies accounts of mails that a limit holds, and of those that are not sent because their address is
//! blocked: one notification for each reason.

use crate::app_state::AppState;
use domain::{NotificationId, Timestamp, mail_limits::HeldReason};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    mail::held::{self, UnnotifiedRow},
    notification::{self, NewNotification},
};
use texts::{Language, mail::held::HeldMailWords};

/// Page with the held mails.
const PAGE: &str = "/settings/outside-mail";

/// Notifies the accounts that have not been notified.
pub async fn notify(parts: &AppState, now: Timestamp) -> Result<(), StoreError> {
    let mut lease = parts.store.read(PoolRole::Engine).await?;
    if held::unnotified(lease.conn()).await?.is_empty() {
        return Ok(());
    }
    drop(lease);
    let mut tx = parts.store.begin(PoolRole::Engine).await?;
    let rows = held::unnotified(tx.conn()).await?;
    let mut events = Vec::new();
    for row in &rows {
        let new = NewNotification {
            id: NotificationId::generate().0,
            account: row.account_id,
            text: text(row),
            link: PAGE.to_owned(),
            ..NewNotification::default()
        };
        notification::replace(tx.conn(), &new, &format!("held-mail:{}", row.reason), now).await?;
        events.push(NewEvent::simple(now, None, "account", row.account_id, "notify"));
        held::mark_notified(tx.conn(), row.account_id).await?;
    }
    event::append(tx.conn(), &events).await?;
    tx.commit().await?;
    parts.committed.notify_waiters();
    Ok(())
}

fn text(row: &UnnotifiedRow) -> String {
    let words = HeldMailWords(row.language.parse().unwrap_or(Language::En));
    match row.reason.parse() {
        Ok(HeldReason::Blocked) => words.blocked(row.count, &row.address),
        Ok(HeldReason::Address) => words.address(row.count, &row.address),
        Ok(HeldReason::Desk) => words.desk(row.count),
        Ok(HeldReason::Account) | Err(_) => words.account(row.count),
    }
}

//! Mail to persons outside the desk: its limits, what they hold, and the addresses that get none.

pub mod api;
pub mod notify;
pub mod planned;
pub mod stop_mail;

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
};
use async_trait::async_trait;
use domain::{
    AccountId, Actor, DeliveryId, DomainError, EmailAddress, MeetingId, Page,
    channel::MAIL_SERVER,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    mail_limits::{BlockedAddress, HeldMail, MAX_MAIL_LIMIT, MailLimits},
    message::MessageOptions,
    services::OutsideMail,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{
    Conn, PoolRole, Tx, account,
    event::{self, NewEvent},
    mail::{
        blocked::{self, BlockedRow},
        held::{self, HeldMailRow},
        usage,
    },
};
use uuid::Uuid;

/// Maximum number of held mails in a list.
const MAX_HELD: i64 = 500;

/// The service.
#[derive(Clone)]
pub struct OutsideMailService {
    parts: AppState,
}

impl OutsideMailService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }

    /// Records what an admin changed, and commits.
    async fn commit(&self, mut tx: Tx, actor: &Actor, detail: Value) -> Result<(), DomainError> {
        let now = self.parts.clock.now();
        let simple = NewEvent::simple(now, Some(actor.account), "channel", MAIL_SERVER.0, "change");
        let event = NewEvent { detail: detail.to_string(), ..simple };
        event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
        tx.commit().await.map_err(internal_error)?;
        self.parts.committed.notify_waiters();
        self.parts.deliveries_added.notify_one();
        Ok(())
    }
}

fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

/// Validates an address.
fn address(typed: &str) -> Result<EmailAddress, DomainError> {
    EmailAddress::parse(typed).map_err(|why| crate::accounts::not_an_email("address", why))
}

#[async_trait]
impl OutsideMail for OutsideMailService {
    async fn limits(&self, _actor: &Actor) -> Result<MailLimits, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        usage::limits(lease.conn()).await.map_err(internal_error)
    }

    async fn set_limits(&self, actor: &Actor, limits: MailLimits) -> Result<MailLimits, DomainError> {
        admin_only(actor)?;
        for (field, value) in [
            ("account_per_day", limits.account_per_day),
            ("address_per_hour", limits.address_per_hour),
            ("desk_per_minute", limits.desk_per_minute),
        ] {
            if !(1..=MAX_MAIL_LIMIT).contains(&value) {
                let max = i32::try_from(MAX_MAIL_LIMIT).unwrap_or(i32::MAX);
                return Err(DomainError::invalid(field, ValidationError::NotBetween { min: 1, max }));
            }
        }
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let now = self.parts.clock.now();
        usage::put_limits(tx.conn(), &limits, now).await.map_err(internal_error)?;
        self.commit(tx, actor, json!({"name": "Mail limits", "limits": limits})).await?;
        Ok(limits)
    }

    async fn blocked(
        &self,
        actor: &Actor,
        cursor: Option<String>,
        limit: Option<u32>,
    ) -> Result<Page<BlockedAddress>, DomainError> {
        admin_only(actor)?;
        let limit = limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS);
        let start = cursor.unwrap_or_default();
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        let rows = blocked::list(lease.conn(), &start, i64::from(limit) + 1).await.map_err(internal_error)?;
        let size = usize::try_from(limit).unwrap_or(usize::MAX);
        let next = (rows.len() > size).then(|| rows.get(size - 1).map(|row| row.address.clone())).flatten();
        let present = |row: BlockedRow| BlockedAddress {
            address: row.address,
            blocked: presenter.moment(row.blocked_at),
            by: row.blocked_by.map(|_| row.name.unwrap_or_default()),
        };
        Ok(Page {
            items: rows.into_iter().take(size).map(present).collect(),
            next_cursor: next,
            previous_cursor: None,
        })
    }

    async fn block(&self, actor: &Actor, typed: &str) -> Result<BlockedAddress, DomainError> {
        admin_only(actor)?;
        let (address, now) = (address(typed)?, self.parts.clock.now());
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(tx.conn(), actor, now).await?;
        let by = Some(actor.account);
        if !blocked::block(tx.conn(), address.as_str(), by, now).await.map_err(internal_error)? {
            return Err(DomainError::Taken { what: "e-mail".to_owned() });
        }
        let by = account::find(tx.conn(), actor.account).await.map_err(internal_error)?;
        let added = BlockedAddress {
            address: address.to_string(),
            blocked: presenter.moment(now),
            by: by.map(|account| account.name),
        };
        self.commit(tx, actor, json!({"name": "Blocked addresses", "blocked": address.as_str()})).await?;
        Ok(added)
    }

    async fn allow(&self, actor: &Actor, typed: &str) -> Result<(), DomainError> {
        admin_only(actor)?;
        let address = EmailAddress::parse(typed).map_err(|_| DomainError::no_such("address"))?;
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        if !blocked::allow(tx.conn(), address.as_str()).await.map_err(internal_error)? {
            return Err(DomainError::no_such("address"));
        }
        self.commit(tx, actor, json!({"name": "Blocked addresses", "allowed": address.as_str()})).await
    }

    async fn held(&self, actor: &Actor) -> Result<Vec<HeldMail>, DomainError> {
        let account = (!actor.is_admin()).then_some(actor.account);
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        let rows = held::list(lease.conn(), account, MAX_HELD).await.map_err(internal_error)?;
        rows.into_iter().map(|row| present(&presenter, row)).collect()
    }
}

/// Returns the mails about a meeting or its series that a limit holds.
pub async fn held_about_meeting(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    meeting: MeetingId,
) -> Result<Vec<HeldMail>, DomainError> {
    let rows = held::about_meeting(conn, meeting.0, MAX_HELD).await.map_err(internal_error)?;
    rows.into_iter().map(|row| present(presenter, row)).collect()
}

/// Returns the mails of reminders that a limit holds, by reminder, with one statement for all.
pub async fn held_of_reminders(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    reminders: &[Uuid],
) -> Result<HashMap<Uuid, Vec<HeldMail>>, DomainError> {
    let mut held: HashMap<Uuid, Vec<HeldMail>> = HashMap::new();
    for row in held::of_reminders(conn, reminders, MAX_HELD).await.map_err(internal_error)? {
        if let Some(reminder) = row.reminder() {
            held.entry(reminder).or_default().push(present(presenter, row)?);
        }
    }
    Ok(held)
}

fn present(presenter: &Presenter<'_>, row: HeldMailRow) -> Result<HeldMail, DomainError> {
    let options: MessageOptions = serde_json::from_str(&row.options).unwrap_or_default();
    let reason = row.reason.parse();
    Ok(HeldMail {
        delivery_id: DeliveryId(row.delivery_id),
        subject: crate::senders::program_message::subject(&options, &row.body),
        address: row.address,
        account_id: AccountId(row.account_id),
        account: row.account,
        reason: reason.map_err(|_| DomainError::no_such("mail"))?,
        held: presenter.moment(row.held_at),
        until: row.until_at.map(|at| presenter.moment(at)),
    })
}

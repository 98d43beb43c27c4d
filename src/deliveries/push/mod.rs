//! Browsers that show the notifications of their account (Web Push). Their messages are stored with the
//! notifications (`store::push_message`) and sent by the engine (`engine::push`).

pub mod api;
pub mod service_worker;

use crate::{
    accounts::browser,
    app_state::AppState,
    senders::{egress::Rules, push::encrypt},
    services::{Presenter, internal_error},
};
use async_trait::async_trait;
use domain::{
    Actor, DomainError, PushDeviceId, Timestamp,
    error::ValidationError,
    push::{MAX_AGENT_CHARS, MAX_ENDPOINT_BYTES, NewPushDevice, Push, PushDevice, PushDevices},
};
use store::{
    PoolRole, Tx,
    event::{self, NewEvent},
    push_subscription::{self, NewPushSubscription, PushSubscriptionRow},
};

/// The service of browsers that show notifications.
#[derive(Clone)]
pub struct PushService {
    parts: AppState,
}

impl PushService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }

    /// Records the event, which only the account and admins see, and commits.
    async fn finish(&self, mut tx: Tx, actor: &Actor, verb: &'static str) -> Result<(), DomainError> {
        let now = self.parts.clock.now();
        let event = NewEvent::simple(now, Some(actor.account), "account", actor.account.0, verb);
        event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
        tx.commit().await.map_err(internal_error)?;
        self.parts.committed.notify_waiters();
        Ok(())
    }
}

#[async_trait]
impl Push for PushService {
    async fn devices(&self, actor: &Actor) -> Result<PushDevices, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        let rows = push_subscription::list(lease.conn(), actor.account).await.map_err(internal_error)?;
        let key = self.parts.senders.push_key.as_ref().map(|key| key.public_key().to_owned());
        let items = rows.into_iter().map(|row| device(&presenter, row)).collect();
        Ok(PushDevices { public_key: key.unwrap_or_default(), items })
    }

    async fn subscribe(&self, actor: &Actor, new: NewPushDevice) -> Result<PushDevice, DomainError> {
        let new = checked(&self.parts.senders.rules, new)?;
        let now: Timestamp = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(tx.conn(), actor, now).await?;
        let new = NewPushSubscription {
            account: actor.account,
            endpoint: &new.endpoint,
            p256dh: &new.p256dh,
            auth: &new.auth,
            agent: &new.agent,
        };
        let row = push_subscription::save(tx.conn(), new, now).await.map_err(internal_error)?;
        self.finish(tx, actor, "subscribe").await?;
        Ok(device(&presenter, row))
    }

    async fn unsubscribe(&self, actor: &Actor, endpoint: &str) -> Result<(), DomainError> {
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let deleted = push_subscription::delete_at(tx.conn(), actor.account, endpoint.trim()).await;
        if deleted.map_err(internal_error)? {
            self.finish(tx, actor, "unsubscribe").await?;
        }
        Ok(())
    }

    async fn remove(&self, actor: &Actor, id: PushDeviceId) -> Result<(), DomainError> {
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let deleted = push_subscription::delete(tx.conn(), actor.account, id).await;
        if !deleted.map_err(internal_error)? {
            return Err(DomainError::no_such("device"));
        }
        self.finish(tx, actor, "unsubscribe").await
    }
}

fn device(presenter: &Presenter<'_>, row: PushSubscriptionRow) -> PushDevice {
    PushDevice {
        id: PushDeviceId(row.id),
        endpoint: row.endpoint,
        agent: browser::name(row.agent),
        created: presenter.moment(row.created_at),
        used: row.used_at.map(|at| presenter.moment(at)),
        failed: row.failed_at.map(|at| presenter.moment(at)),
    }
}

/// Checks the address by the rules that apply when a message is sent, and the keys.
fn checked(rules: &Rules, new: NewPushDevice) -> Result<NewPushDevice, DomainError> {
    let endpoint = new.endpoint.trim().to_owned();
    if endpoint.len() > MAX_ENDPOINT_BYTES {
        let max = u32::try_from(MAX_ENDPOINT_BYTES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("endpoint", ValidationError::TooLarge { max }));
    }
    if endpoint.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
        return Err(DomainError::invalid("endpoint", ValidationError::BadCharacters));
    }
    rules
        .check(&endpoint)
        .map_err(|why| DomainError::invalid("endpoint", ValidationError::Address { why }))?;
    let unreadable = |field: &str, why: &str| {
        let why = format!("{why}; nothing was saved: subscribe again in the browser");
        DomainError::invalid(field, ValidationError::Unreadable { why })
    };
    let (p256dh, auth) = (new.p256dh.trim().to_owned(), new.auth.trim().to_owned());
    if encrypt::parse_key(&p256dh).is_none() {
        return Err(unreadable("p256dh", "is not a point of P-256, 65 bytes in base64url"));
    }
    if !encrypt::is_auth(&auth) {
        return Err(unreadable("auth", "is not a secret of 16 bytes in base64url"));
    }
    let agent = new.agent.chars().filter(|letter| !letter.is_control()).take(MAX_AGENT_CHARS).collect();
    Ok(NewPushDevice { endpoint, p256dh, auth, agent })
}

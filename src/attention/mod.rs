//! The Attention page: everything that needs a user, as sentences.

pub mod api;

use super::services::{Presenter, internal_error};
use crate::server::app_state::AppState;
use app::{
    attention::texts::AttentionTexts,
    texts::{number::counted, reason, time},
};
use async_trait::async_trait;
use domain::{
    AccountId, Actor, ChannelId, DomainError, State, Timestamp,
    attention::{AttentionCause, AttentionEntry, Item, MAX_ITEMS},
    services::Attention,
    state::ParseEnumError,
    task::reason as code,
};
use std::{
    collections::HashMap,
    iter,
    sync::{Arc, Mutex, PoisonError},
};
use store::{
    Conn, PoolRole,
    attention::{self, AttentionDelivery, AttentionTask},
    failing::{self, FailingChannel},
    restore,
};

/// Maximum number of characters quoted from a response.
const MAX_QUOTED_CHARS: usize = 200;
/// A pause requested by the receiver is shown if it is longer than this, milliseconds.
const LONG_PAUSE_MS: i64 = 3_600_000;
/// Maximum age of a cached count, milliseconds.
const COUNT_CACHE_MS: i64 = 2_000;

/// The service behind the Attention page.
#[derive(Clone)]
pub struct AttentionService {
    parts: AppState,
    /// Time and result of the last count for each account.
    counts: Arc<Mutex<HashMap<AccountId, (Timestamp, u64)>>>,
}

impl AttentionService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts, counts: Arc::default() }
    }
}

#[async_trait]
impl Attention for AttentionService {
    async fn list(&self, actor: &Actor, only_theirs: bool) -> Result<Vec<AttentionEntry>, DomainError> {
        list(&self.parts, actor, only_theirs).await
    }

    async fn count(&self, actor: &Actor, may_be_cached: bool) -> Result<u64, DomainError> {
        let (now, all) = (self.parts.clock.now(), self.parts.engine.attention());
        if actor.is_admin() || (may_be_cached && all == 0) {
            return Ok(all);
        }
        let cached = self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(&actor.account).copied();
        let is_fresh = |at: Timestamp| may_be_cached && (0..COUNT_CACHE_MS).contains(&now.since(at));
        if let Some((_, count)) = cached.filter(|(at, _)| is_fresh(*at)) {
            return Ok(count);
        }
        let count = count(&self.parts, actor).await?;
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).insert(actor.account, (now, count));
        Ok(count)
    }
}

/// Returns the sum of the counts of all entries for this user.
pub async fn count(parts: &AppState, actor: &Actor) -> Result<u64, DomainError> {
    Ok(list(parts, actor, true).await?.iter().map(|entry| entry.count).sum())
}

async fn list(
    parts: &AppState,
    actor: &Actor,
    only_theirs: bool,
) -> Result<Vec<AttentionEntry>, DomainError> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let owner = (only_theirs && !actor.is_admin()).then_some(actor.account);
    let view = View { presenter: &presenter, words: AttentionTexts(actor.language), owner };
    let limit = i64::try_from(MAX_ITEMS).unwrap_or(i64::MAX);
    let tasks = attention::tasks(lease.conn(), now, owner, limit).await.map_err(internal_error)?;
    let ended = attention::ended(lease.conn(), now, owner, limit).await.map_err(internal_error)?;
    let mut all: Vec<AttentionEntry> = tasks
        .chunk_by(|one, next| (&one.state, &one.cause) == (&next.state, &next.cause))
        .map(|group| view.tasks(group))
        .collect::<Result<_, _>>()?;
    all.extend(view.channels(lease.conn(), limit).await?);
    let of_channel = |one: &AttentionDelivery, next: &AttentionDelivery| {
        (&one.state, one.channel_id) == (&next.state, next.channel_id)
    };
    all.extend(ended.chunk_by(of_channel).map(|group| view.ended(group)));
    all.extend(view.held(lease.conn()).await?);
    // The sort is stable: entries of equal severity keep their order.
    all.sort_by_key(|entry| entry.cause.severity());
    Ok(all)
}

/// The user for whom the entries are written.
struct View<'a> {
    presenter: &'a Presenter<'a>,
    words: AttentionTexts,
    /// Owner whose items are listed; `None`: all.
    owner: Option<AccountId>,
}

impl View<'_> {
    /// Returns the entry of tasks with one state and reason.
    fn tasks(&self, group: &[AttentionTask]) -> Result<AttentionEntry, DomainError> {
        let first = &group[0];
        let strange = |odd: ParseEnumError| internal_error(store::StoreError::Corrupt(odd.to_string()));
        let (cause, title) = match first.state.parse().map_err(strange)? {
            _ if first.cause == code::ZONE_DATA => (AttentionCause::ZoneData, self.words.zone_data()),
            _ if first.cause == code::PUBLISH_NOW_FAILED => {
                (AttentionCause::TaskFailed, self.words.publish_now_failed())
            }
            State::Failed if first.cause == code::OLDER_TEXT => {
                (AttentionCause::TextOlder, self.words.older_revision())
            }
            State::Failed => (AttentionCause::TaskFailed, self.words.task_failed()),
            State::Missed => (AttentionCause::TaskMissed, self.words.task_missed()),
            _ => (AttentionCause::TaskOverdue, self.words.task_overdue()),
        };
        let count = first.total.unsigned_abs();
        let why = reason::sentence(self.words.0, &first.cause);
        let item = |task: &AttentionTask| Item {
            id: Some(task.id),
            kind: "task".to_owned(),
            title: task.title.clone(),
            path: format!("/tasks/{}", task.id),
        };
        Ok(AttentionEntry {
            cause,
            title: title.to_owned(),
            message: self.words.tasks(counted(count), why),
            count,
            since: first.since.map(Timestamp::from_millis),
            channel: None,
            items: group.iter().map(item).collect(),
        })
    }

    /// Returns the entry of one channel's failed or unconfirmed deliveries.
    fn ended(&self, group: &[AttentionDelivery]) -> AttentionEntry {
        let (first, words) = (&group[0], self.words);
        let count = first.total.unsigned_abs();
        let (cause, title, message) = if first.state == "failed" {
            let hint = words.delivery_failed_hint(counted(count));
            (AttentionCause::DeliveryFailed, words.delivery_failed(first.channel.clone()), hint)
        } else {
            let hint = words.delivery_unconfirmed_hint(counted(count));
            (AttentionCause::DeliveryUnconfirmed, words.delivery_unconfirmed(first.channel.clone()), hint)
        };
        let since = first.since.map(Timestamp::from_millis);
        let channel = Some(ChannelId(first.channel_id));
        AttentionEntry { cause, title, message, count, since, channel, items: self.messages(group) }
    }

    /// Returns deliveries as items. Admins get links to the channel's log, other users to the task.
    fn messages(&self, group: &[AttentionDelivery]) -> Vec<Item> {
        let path = |one: &AttentionDelivery| match (self.is_admin(), one.task_id) {
            (false, Some(task)) => format!("/tasks/{task}"),
            _ => format!("/settings/channels/{}?delivery={}", one.channel_id, one.id),
        };
        let item = |one: &AttentionDelivery| Item {
            id: Some(one.id),
            kind: "delivery".to_owned(),
            title: one.title.clone(),
            path: path(one),
        };
        group.iter().map(item).collect()
    }

    /// Returns entries of channels that do not deliver.
    async fn channels(&self, mut conn: Conn<'_>, limit: i64) -> Result<Vec<AttentionEntry>, DomainError> {
        let mut all = Vec::new();
        for channel in failing::channels(conn.reborrow(), self.presenter.now).await.map_err(internal_error)? {
            let waiting = attention::waiting(conn.reborrow(), channel.id, self.owner, limit).await;
            let waiting = waiting.map_err(internal_error)?;
            let theirs = waiting.first().map_or(0, |one| one.total.unsigned_abs());
            if self.owner.is_some() && theirs == 0 {
                continue;
            }
            let undelivered = if self.owner.is_some() { theirs } else { channel.undelivered.unsigned_abs() };
            all.push(self.channel(&channel, undelivered, &waiting));
        }
        Ok(all)
    }

    fn channel(
        &self,
        channel: &FailingChannel,
        undelivered: u64,
        waiting: &[AttentionDelivery],
    ) -> AttentionEntry {
        let (words, name) = (self.words, channel.name.clone());
        let requested = channel.breaker_open_until.zip(channel.failed_at).map(|(until, at)| until - at);
        let is_paused = requested.is_some_and(|requested| requested > LONG_PAUSE_MS)
            && channel.breaker_open_until > Some(self.presenter.now.millis());
        let (cause, title, message) = match channel.state.as_str() {
            "off" => (
                AttentionCause::ChannelOff,
                words.channel_disabled(name),
                words.channel_disabled_hint(counted(undelivered)),
            ),
            _ if is_paused => {
                (AttentionCause::ChannelDelayed, words.channel_paused(name), self.why(channel, undelivered))
            }
            _ => {
                (AttentionCause::ChannelFailing, words.channel_failing(name), self.why(channel, undelivered))
            }
        };
        let own = Item {
            id: Some(channel.id),
            kind: "channel".to_owned(),
            title: channel.name.clone(),
            path: format!("/settings/channels/{}", channel.id),
        };
        let items = self.messages(waiting);
        AttentionEntry {
            cause,
            title,
            message,
            count: undelivered.max(1),
            since: channel.since.or(channel.failed_at).map(Timestamp::from_millis),
            channel: Some(ChannelId(channel.id)),
            items: if items.is_empty() { iter::once(own).collect() } else { items },
        }
    }

    /// Returns the number of waiting deliveries, the last response (admins only) and the time of
    /// the next attempt.
    fn why(&self, channel: &FailingChannel, undelivered: u64) -> String {
        let (words, is_admin) = (self.words, self.is_admin());
        let retried =
            (is_admin && channel.retried > 0).then(|| words.retried(counted(channel.retried.unsigned_abs())));
        let answer = quoted(channel.last_status, channel.last_response_body.as_deref());
        let answer = answer.filter(|_| is_admin).map(|answer| words.last_answer(answer));
        let next = channel.next_at.max(channel.breaker_open_until).filter(|_| channel.next_at.is_some());
        let next = match next {
            Some(at) => words.next_at(self.clock(at)),
            None => words.in_flight().to_owned(),
        };
        let ask = (!is_admin).then(|| words.ask_admin().to_owned());
        let undelivered = (undelivered > 0).then(|| words.undelivered(counted(undelivered)));
        let parts = [undelivered, retried, answer, Some(next), ask];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    fn clock(&self, at: i64) -> String {
        let actor = self.presenter.actor;
        time::moment(actor.language, self.presenter.moment(at), &actor.zone, self.presenter.now)
    }

    fn is_admin(&self) -> bool {
        self.presenter.actor.is_admin()
    }

    /// Returns the entry "all deliveries are held"; `None`: they are not.
    async fn held(&self, conn: Conn<'_>) -> Result<Option<AttentionEntry>, DomainError> {
        if self.owner.is_some() {
            return Ok(None);
        }
        let since = restore::delivery_hold_since(conn).await.map_err(internal_error)?;
        let words = self.words;
        Ok(since.map(|since| AttentionEntry {
            cause: AttentionCause::DeliveriesHeld,
            title: words.held().to_owned(),
            message: words.held_hint().to_owned(),
            count: 1,
            since: Some(since),
            channel: None,
            items: vec![Item {
                id: None,
                kind: "engine".to_owned(),
                title: words.engine().to_owned(),
                path: if self.is_admin() { "/engine" } else { "/" }.to_owned(),
            }],
        }))
    }
}

/// Returns the beginning of a response on one line, such as `500 no room`; `None`: there was no
/// response.
fn quoted(status: Option<i32>, answer: Option<&str>) -> Option<String> {
    let words: Vec<&str> = answer.unwrap_or_default().split_whitespace().collect();
    let text = words.join(" ");
    let is_long = text.chars().count() > MAX_QUOTED_CHARS;
    let text: String = text.chars().take(MAX_QUOTED_CHARS).chain(is_long.then_some('…')).collect();
    let status = status.map(|status| status.to_string());
    let parts: Vec<String> = status.into_iter().chain((!text.is_empty()).then_some(text)).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

//! The causes of the Attention page as sentences, for the API, and their counts.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
};
use domain::{
    AccountId, Actor, ChannelId, DomainError, State, Timestamp,
    attention::{AttentionCause, AttentionEntry, Item, MAX_ITEMS},
    delivery::Answer,
    engine::backups::BackupProblem,
    state::ParseEnumError,
    task::reason as code,
};
use std::{
    collections::{HashMap, HashSet},
    iter,
};
use store::{
    Conn, PoolRole,
    attention::{self, AttentionDelivery, AttentionTask},
    backup_run,
    failing::{self, FailingChannel},
    restore,
};
use texts::{attention::AttentionTexts, deliveries::ChannelTexts, number::counted, reason, time};
use uuid::Uuid;

/// Maximum number of characters quoted from a response.
const MAX_QUOTED_CHARS: usize = 200;
/// A pause requested by the receiver is shown if it is longer than this, milliseconds.
const LONG_PAUSE_MS: i64 = 3_600_000;
/// State of the messages that a failing channel has not delivered, see [`attention::messages`].
pub const WAITING: &str = "waiting";
/// Returns the entries, most severe first. `only_theirs`: for non-admins, only what concerns their
/// own articles.
pub async fn list(
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
    let messages = attention::messages(lease.conn(), now, owner, limit).await.map_err(internal_error)?;
    let failing = failing::channels(lease.conn(), now).await.map_err(internal_error)?;
    let mut all: Vec<AttentionEntry> = tasks
        .chunk_by(|one, next| (&one.state, &one.cause) == (&next.state, &next.cause))
        .map(|group| view.tasks(group))
        .collect::<Result<_, _>>()?;
    let of_channel = |one: &AttentionDelivery, next: &AttentionDelivery| {
        (&one.state, one.channel_id) == (&next.state, next.channel_id)
    };
    let (waiting, ended): (Vec<_>, Vec<_>) =
        messages.chunk_by(of_channel).partition(|group| group[0].state == WAITING);
    let with_ended: HashSet<Uuid> = ended.iter().map(|group| group[0].channel_id).collect();
    all.extend(view.channels(&failing, &waiting, &with_ended));
    all.extend(ended.into_iter().map(|group| view.ended(group)));
    all.extend(view.held(lease.conn()).await?);
    all.extend(view.backups(lease.conn()).await?);
    all.extend(super::meetings::entries(lease.conn(), &presenter, view.words).await?);
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
            State::Failed | State::Missed if AttentionCause::of_review(&first.cause).is_some() => {
                (AttentionCause::TaskHeld, self.words.task_held())
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
            message: match count {
                1 => self.words.task_one(why),
                _ => self.words.tasks(counted(count), why),
            },
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
            let hint = match count {
                1 => words.delivery_failed_hint_one().to_owned(),
                _ => words.delivery_failed_hint(counted(count)),
            };
            (AttentionCause::DeliveryFailed, words.delivery_failed(first.channel.clone()), hint)
        } else {
            let hint = match count {
                1 => words.delivery_unconfirmed_hint_one().to_owned(),
                _ => words.delivery_unconfirmed_hint(counted(count)),
            };
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

    /// Returns entries of channels that do not deliver. A channel counts as one item, unless messages
    /// of it are counted; `with_ended`: channels with an entry for failed or unconfirmed messages.
    fn channels(
        &self,
        failing: &[FailingChannel],
        waiting: &[&[AttentionDelivery]],
        with_ended: &HashSet<Uuid>,
    ) -> Vec<AttentionEntry> {
        let waiting: HashMap<Uuid, &[AttentionDelivery]> =
            waiting.iter().map(|group| (group[0].channel_id, *group)).collect();
        let entry = |channel: &FailingChannel| {
            let waiting = waiting.get(&channel.id).copied().unwrap_or_default();
            let theirs = waiting.first().map_or(0, |one| one.total.unsigned_abs());
            let undelivered = if self.owner.is_some() { theirs } else { channel.undelivered.unsigned_abs() };
            let count = undelivered.max(u64::from(!with_ended.contains(&channel.id)));
            (self.owner.is_none() || theirs > 0)
                .then(|| AttentionEntry { count, ..self.channel(channel, undelivered, waiting) })
        };
        failing.iter().filter_map(entry).collect()
    }

    fn channel(
        &self,
        channel: &FailingChannel,
        undelivered: u64,
        waiting: &[AttentionDelivery],
    ) -> AttentionEntry {
        let (words, name) = (self.words, channel.name.clone());
        let cause = cause_of(channel, self.presenter.now);
        let (title, message) = match cause {
            AttentionCause::ChannelOff => {
                let hint = match undelivered {
                    1 => words.channel_disabled_hint_one().to_owned(),
                    _ => words.channel_disabled_hint(counted(undelivered)),
                };
                (words.channel_disabled(name), hint)
            }
            AttentionCause::ChannelDelayed => (words.channel_paused(name), self.why(channel, undelivered)),
            _ => (words.channel_failing(name), self.why(channel, undelivered)),
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
            count: undelivered,
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
        let texts = ChannelTexts(self.presenter.actor.language);
        let answer = quoted(texts, channel.last_status, channel.last_response_body.as_deref());
        let answer = answer.filter(|_| is_admin).map(|answer| words.last_answer(answer));
        let next = match next_attempt(channel) {
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

    /// Returns the entry "backups are failing", for admins; `None`: they are not.
    async fn backups(&self, conn: Conn<'_>) -> Result<Option<AttentionEntry>, DomainError> {
        if self.owner.is_some() {
            return Ok(None);
        }
        let found = backup_run::find_problem(conn).await.map_err(internal_error)?;
        let Some((problem, since)) = found else { return Ok(None) };
        let words = self.words;
        let (title, message) = match problem.parse() {
            Ok(BackupProblem::NoSpace) => (words.backup_no_space(), words.backup_no_space_hint()),
            Ok(BackupProblem::NotRestorable) => (words.backup_broken(), words.backup_broken_hint()),
            Ok(BackupProblem::Missed) | Err(_) => (words.backup_missed(), words.backup_missed_hint()),
        };
        Ok(Some(AttentionEntry {
            cause: AttentionCause::BackupsFailing,
            title: title.to_owned(),
            message: message.to_owned(),
            count: 1,
            since: Some(Timestamp::from_millis(since)),
            channel: None,
            items: vec![self.engine_page()],
        }))
    }

    /// Returns the engine page as an item.
    fn engine_page(&self) -> Item {
        Item {
            id: None,
            kind: "engine".to_owned(),
            title: self.words.engine().to_owned(),
            path: if self.is_admin() { "/engine" } else { "/" }.to_owned(),
        }
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
            items: vec![self.engine_page()],
        }))
    }
}

/// Returns why a channel is on Attention.
pub fn cause_of(channel: &FailingChannel, now: Timestamp) -> AttentionCause {
    let requested = channel.breaker_open_until.zip(channel.failed_at).map(|(until, at)| until - at);
    let is_delayed = requested.is_some_and(|requested| requested > LONG_PAUSE_MS)
        && channel.breaker_open_until > Some(now.millis());
    match channel.state.as_str() {
        "off" => AttentionCause::ChannelOff,
        _ if is_delayed => AttentionCause::ChannelDelayed,
        _ => AttentionCause::ChannelFailing,
    }
}

/// Returns when the next attempt may start; `None`: one is in flight, or none is waiting.
pub fn next_attempt(channel: &FailingChannel) -> Option<i64> {
    channel.next_at.max(channel.breaker_open_until).filter(|_| channel.next_at.is_some())
}

/// Returns the beginning of a response on one line, such as `500 no room`, or why there was none.
fn quoted(texts: ChannelTexts, status: Option<i32>, answer: Option<&str>) -> Option<String> {
    let status = status.and_then(|status| u16::try_from(status).ok());
    let text = texts.answer_line(&Answer { status, text: answer.map(str::to_owned) }, MAX_QUOTED_CHARS);
    let status = status.map(|status| status.to_string());
    let parts: Vec<String> = status.into_iter().chain(text).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

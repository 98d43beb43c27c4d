//! What needs a person, from every part of the desk, in sentences.

use super::{Lens, broken};
use crate::parts::Parts;
use app::words::{attention::AttentionWords, number::counted, reason, time};
use async_trait::async_trait;
use domain::{
    Actor, ChannelId, PersonId, Refusal, State, Timestamp,
    attention::{Cause, Entry, ITEMS_MAX, Item},
    desk::Attention,
    state::UnknownWord,
    task::reason as code,
};
use std::iter;
use store::{
    Conn, Who,
    failing::{self, Failing, Stopped, Waiting},
    restore,
};

/// Maximum number of characters of an answer that a sentence quotes.
const QUOTED: usize = 200;
/// A wait that the receiver asked for is shown from this length on, milliseconds.
const LONG_REST_MS: i64 = 3_600_000;

/// What needs a person, over these parts.
#[derive(Clone)]
pub struct AttentionDesk {
    parts: Parts,
}

impl AttentionDesk {
    /// Over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Attention for AttentionDesk {
    async fn list(&self, actor: &Actor, only_theirs: bool) -> Result<Vec<Entry>, Refusal> {
        let now = self.parts.clock.now();
        let mut lease = self.parts.store.read(Who::People).await.map_err(broken)?;
        let lens = Lens::of(lease.conn(), actor, now).await?;
        let owner = (only_theirs && !actor.is_admin()).then_some(actor.person);
        let view = View { lens: &lens, words: AttentionWords(actor.language), owner };
        let limit = i64::try_from(ITEMS_MAX).unwrap_or(i64::MAX);
        let tasks = failing::tasks(lease.conn(), now, owner, limit).await.map_err(broken)?;
        let ended = failing::ended(lease.conn(), now, owner, limit).await.map_err(broken)?;
        let mut all: Vec<Entry> = tasks
            .chunk_by(|one, next| (&one.state, &one.cause) == (&next.state, &next.cause))
            .map(|group| view.tasks(group))
            .collect::<Result<_, _>>()?;
        all.extend(view.channels(lease.conn(), limit).await?);
        let of_channel =
            |one: &Waiting, next: &Waiting| (&one.state, one.channel_id) == (&next.state, next.channel_id);
        all.extend(ended.chunk_by(of_channel).map(|group| view.ended(group)));
        all.extend(view.held(lease.conn()).await?);
        // Stable: what is equally bad keeps its order.
        all.sort_by_key(|entry| entry.cause.severity());
        Ok(all)
    }
}

/// For whom it is written.
struct View<'a> {
    lens: &'a Lens<'a>,
    words: AttentionWords,
    /// Whose things are listed; `None`: all.
    owner: Option<PersonId>,
}

impl View<'_> {
    /// Tasks of one state and reason.
    fn tasks(&self, group: &[Stopped]) -> Result<Entry, Refusal> {
        let first = &group[0];
        let strange = |odd: UnknownWord| broken(store::StoreError::Corrupt(odd.to_string()));
        let (cause, title) = match first.state.parse().map_err(strange)? {
            _ if first.cause == code::ZONE_DATA => (Cause::ZoneData, self.words.zone_data()),
            State::Failed if first.cause == code::OLDER_TEXT => (Cause::TextOlder, self.words.text_older()),
            State::Failed => (Cause::TaskFailed, self.words.task_failed()),
            State::Missed => (Cause::TaskMissed, self.words.task_missed()),
            _ => (Cause::TaskOverdue, self.words.task_overdue()),
        };
        let count = first.total.unsigned_abs();
        let why = reason::sentence(self.words.0, &first.cause);
        let item = |task: &Stopped| Item {
            id: Some(task.id),
            kind: "task".to_owned(),
            title: task.title.clone(),
            path: format!("/tasks/{}", task.id),
        };
        Ok(Entry {
            cause,
            title: title.to_owned(),
            message: self.words.tasks(counted(count), why),
            count,
            since: first.since.map(Timestamp::from_millis),
            channel: None,
            items: group.iter().map(item).collect(),
        })
    }

    /// Messages of one channel that failed, or may have arrived.
    fn ended(&self, group: &[Waiting]) -> Entry {
        let (first, words) = (&group[0], self.words);
        let count = first.total.unsigned_abs();
        let (cause, title, message) = if first.state == "failed" {
            let hint = words.delivery_failed_hint(counted(count));
            (Cause::DeliveryFailed, words.delivery_failed(first.channel.clone()), hint)
        } else {
            let hint = words.delivery_unconfirmed_hint(counted(count));
            (Cause::DeliveryUnconfirmed, words.delivery_unconfirmed(first.channel.clone()), hint)
        };
        let since = first.since.map(Timestamp::from_millis);
        let channel = Some(ChannelId(first.channel_id));
        Entry { cause, title, message, count, since, channel, items: self.messages(group) }
    }

    /// Messages as items: for admins in the log of their channel, for others on the page of their task.
    fn messages(&self, group: &[Waiting]) -> Vec<Item> {
        let path = |one: &Waiting| match (self.is_admin(), one.task_id) {
            (false, Some(task)) => format!("/tasks/{task}"),
            _ => format!("/settings/channels/{}?delivery={}", one.channel_id, one.id),
        };
        let item = |one: &Waiting| Item {
            id: Some(one.id),
            kind: "delivery".to_owned(),
            title: one.title.clone(),
            path: path(one),
        };
        group.iter().map(item).collect()
    }

    /// The channels that do not take messages.
    async fn channels(&self, mut conn: Conn<'_>, limit: i64) -> Result<Vec<Entry>, Refusal> {
        let mut all = Vec::new();
        for channel in failing::channels(conn.again(), self.lens.now).await.map_err(broken)? {
            let waiting = failing::waiting(conn.again(), channel.id, self.owner, limit).await;
            let waiting = waiting.map_err(broken)?;
            let theirs = waiting.first().map_or(0, |one| one.total.unsigned_abs());
            if self.owner.is_some() && theirs == 0 {
                continue;
            }
            let undelivered = if self.owner.is_some() { theirs } else { channel.undelivered.unsigned_abs() };
            all.push(self.channel(&channel, undelivered, &waiting));
        }
        Ok(all)
    }

    fn channel(&self, channel: &Failing, undelivered: u64, waiting: &[Waiting]) -> Entry {
        let (words, name) = (self.words, channel.name.clone());
        let asked = channel.rests_until.zip(channel.failed_at).map(|(until, at)| until - at);
        let is_resting = asked.is_some_and(|asked| asked > LONG_REST_MS)
            && channel.rests_until > Some(self.lens.now.millis());
        let (cause, title, message) = match channel.state.as_str() {
            "off" => {
                (Cause::ChannelOff, words.channel_off(name), words.channel_off_hint(counted(undelivered)))
            }
            _ if is_resting => {
                (Cause::ChannelResting, words.channel_resting(name), self.why(channel, undelivered))
            }
            _ => (Cause::ChannelFailing, words.channel_failing(name), self.why(channel, undelivered)),
        };
        let own = Item {
            id: Some(channel.id),
            kind: "channel".to_owned(),
            title: channel.name.clone(),
            path: format!("/settings/channels/{}", channel.id),
        };
        let items = self.messages(waiting);
        Entry {
            cause,
            title,
            message,
            count: undelivered.max(1),
            since: channel.since.or(channel.failed_at).map(Timestamp::from_millis),
            channel: Some(ChannelId(channel.id)),
            items: if items.is_empty() { iter::once(own).collect() } else { items },
        }
    }

    /// How many wait, the last answer, and when the next attempt is made. What the receiver answered is for admins.
    fn why(&self, channel: &Failing, undelivered: u64) -> String {
        let (words, is_admin) = (self.words, self.is_admin());
        let retried =
            (is_admin && channel.retried > 0).then(|| words.retried(counted(channel.retried.unsigned_abs())));
        let answer = quoted(channel.last_status, channel.last_answer.as_deref());
        let answer = answer.filter(|_| is_admin).map(|answer| words.last_answer(answer));
        let next = channel.next_at.max(channel.rests_until).filter(|_| channel.next_at.is_some());
        let next = match next {
            Some(at) => words.next_at(self.clock(at)),
            None => words.on_the_way().to_owned(),
        };
        let ask = (!is_admin).then(|| words.ask_admin().to_owned());
        let parts = [Some(words.undelivered(counted(undelivered))), retried, answer, Some(next), ask];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    fn clock(&self, at: i64) -> String {
        let actor = self.lens.actor;
        time::moment(actor.language, self.lens.moment(at), &actor.zone, self.lens.now)
    }

    fn is_admin(&self) -> bool {
        self.lens.actor.is_admin()
    }

    /// That all messages are held.
    async fn held(&self, conn: Conn<'_>) -> Result<Option<Entry>, Refusal> {
        if self.owner.is_some() {
            return Ok(None);
        }
        let since = restore::held_since(conn).await.map_err(broken)?;
        let words = self.words;
        Ok(since.map(|since| Entry {
            cause: Cause::DeliveriesHeld,
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

/// `500 no room`: the beginning of an answer on one line; `None`: there was none.
fn quoted(status: Option<i32>, answer: Option<&str>) -> Option<String> {
    let words: Vec<&str> = answer.unwrap_or_default().split_whitespace().collect();
    let text = words.join(" ");
    let is_long = text.chars().count() > QUOTED;
    let text: String = text.chars().take(QUOTED).chain(is_long.then_some('…')).collect();
    let status = status.map(|status| status.to_string());
    let parts: Vec<String> = status.into_iter().chain((!text.is_empty()).then_some(text)).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

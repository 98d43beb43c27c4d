//! The moment of a wait has come: the rule acts, in the same transaction.

use super::{FIRE, WAIT};
use crate::rules::kinds::{send_from_task, send_from_task::LOCKED_MS};
use crate::{
    kinds::task_kind::{Planned, TaskKind},
    rules::{
        action,
        action::Effect,
        caps::{self, Caps},
    },
};
use async_trait::async_trait;
use domain::{
    AccountId, DomainError, KindClass, Timestamp, error::ValidationError, message::MessageOptions,
    signal::Signal, task::reason,
};
use futures::future::BoxFuture;
use std::collections::{BTreeMap, HashMap};
use store::{
    Conn, StoreError, Tx, channel,
    execute::{ClaimedTask, SideEffects, Verdict},
    message::{self, HandOver, NewMessageRow},
    signal,
    wait_firing::{self, FiringWait},
};
use uuid::Uuid;

/// Returns the words for which filled texts are not sent, one entry for each; `None`: it may be sent.
pub type RefusedWords =
    for<'a> fn(conn: Conn<'a>, texts: Vec<String>) -> BoxFuture<'a, Result<Vec<Option<String>>, StoreError>>;

/// The kind `rule.fire`.
pub struct Fire {
    /// The content review of what is sent.
    pub refused_words: RefusedWords,
}

#[async_trait]
impl TaskKind for Fire {
    fn word(&self) -> &'static str {
        FIRE
    }

    fn is_for_admins(&self) -> bool {
        true
    }

    fn class(&self) -> KindClass {
        KindClass::Machines
    }

    /// Each rule has its own.
    fn has_common_grace(&self) -> bool {
        false
    }

    fn target_kind(&self) -> &'static str {
        WAIT
    }

    /// The key of a wait is made of rule, subject and key; only signals open waits.
    fn unique_key(&self, _target: Uuid) -> Option<String> {
        None
    }

    fn run_now_verb(&self) -> &'static str {
        "run_now"
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// Only signals open waits.
    async fn check(
        &self,
        _tx: &mut Tx,
        request: &[Planned],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let refusal = || {
            let why = "is a wait of a rule; only signals open waits".to_owned();
            DomainError::invalid("target_id", ValidationError::Unreadable { why })
        };
        let places = request.iter().enumerate().filter(|(_, one)| one.kind.as_str() == FIRE);
        Ok(places.map(|(place, _)| (place, refusal())).collect())
    }

    /// *Dead* if the rule or its channel is gone, or if its templates cannot be filled; *blocked* if what
    /// it would send has words that must not be sent.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        if !signal::lock_subjects(tx.conn(), std::iter::empty(), false).await? {
            // A rule is being changed.
            return Ok(vec![Verdict::RetryAt(at.plus(LOCKED_MS)); tasks.len()]);
        }
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let waits = wait_firing::firing(tx.conn(), &ids).await?;
        let waits: HashMap<Uuid, FiringWait> = waits.into_iter().map(|wait| (wait.id, wait)).collect();
        let mut batch =
            Batch { at, verdicts: HashMap::new(), messages: Vec::new(), signals: BTreeMap::new() };
        let mail = action::mail_channel(tx, waits.values()).await?;
        for task in tasks {
            let Some(wait) = waits.get(&task.target_id) else { continue };
            if let Some(until) = action::put_off_until(wait, at)? {
                batch.end(wait.id, Verdict::RetryAt(until));
            } else if let Some(until) = action::quiet_until(wait, task.due_at, at)? {
                batch.end(wait.id, Verdict::RetryAt(until));
            }
        }
        let is_open = |id: &&Uuid| !batch.verdicts.contains_key(*id);
        let in_order: Vec<&FiringWait> = ids.iter().filter(is_open).filter_map(|id| waits.get(id)).collect();
        let Caps { reached, locked } = caps::read(tx, &in_order, at).await?;
        for task in tasks {
            match waits.get(&task.target_id) {
                Some(wait) if batch.verdicts.contains_key(&wait.id) => {}
                Some(wait) if reached.contains(&wait.id) => batch.end(wait.id, Verdict::Done),
                Some(wait) if locked.contains(&wait.id) => {
                    batch.end(wait.id, Verdict::RetryAt(at.plus(LOCKED_MS)));
                }
                Some(wait) => batch.add(task, wait, mail)?,
                None => batch.end(task.target_id, Verdict::Dead(reason::TARGET_GONE)),
            }
        }
        batch.hold_messages(tx, self.refused_words).await?;
        batch.send_messages(tx, after).await?;
        batch.send_signals(tx, after).await?;
        let is_done = |id: &&Uuid| batch.verdicts.get(*id) == Some(&Verdict::Done) && !reached.contains(*id);
        let done: Vec<Uuid> = ids.iter().filter(is_done).copied().collect();
        wait_firing::fired(tx.conn(), &done, at).await?;
        let reached: Vec<Uuid> = reached.into_iter().collect();
        wait_firing::capped(tx.conn(), &reached, at).await?;
        let verdict = |id: &Uuid| batch.verdicts.remove(id).unwrap_or(Verdict::Dead(reason::TARGET_GONE));
        Ok(ids.iter().map(verdict).collect())
    }
}

/// Waits whose rules act in one transaction.
struct Batch {
    at: Timestamp,
    /// By the id of the wait.
    verdicts: HashMap<Uuid, Verdict>,
    /// Messages with their task.
    messages: Vec<(NewMessageRow, ClaimedTask)>,
    /// Signals with their wait, by the account that sends them.
    signals: BTreeMap<AccountId, Vec<(Uuid, Signal)>>,
}

impl Batch {
    fn end(&mut self, wait: Uuid, verdict: Verdict) {
        self.verdicts.insert(wait, verdict);
    }

    fn add(&mut self, task: &ClaimedTask, wait: &FiringWait, mail: Option<Uuid>) -> Result<(), StoreError> {
        if wait.state == "paused" || wait.owner_is_disabled != 0 {
            self.end(wait.id, Verdict::RetryAt(self.at.plus(action::PAUSED_MS)));
            return Ok(());
        }
        match action::effect(wait, self.at, mail)? {
            Effect::Message(message) => {
                let message = NewMessageRow { task: task.id, ..*message };
                self.messages.push((message, *task));
            }
            Effect::Signal(signal) => {
                self.signals.entry(AccountId(wait.owner_id)).or_default().push((wait.id, *signal));
            }
            Effect::Dead(why) => self.end(wait.id, Verdict::Dead(why)),
        }
        Ok(())
    }

    /// Holds the messages with words that must not be sent. A retry fills and checks them again.
    async fn hold_messages(&mut self, tx: &mut Tx, refused_words: RefusedWords) -> Result<(), StoreError> {
        if self.messages.is_empty() {
            return Ok(());
        }
        let texts = self.messages.iter().map(|(message, _)| words_of(message)).collect();
        let mut refused = refused_words(tx.conn(), texts).await?.into_iter();
        let verdicts = &mut self.verdicts;
        self.messages.retain(|(_, task)| {
            let terms = refused.next().flatten();
            let is_held = terms.is_some();
            let verdict = terms.map(|terms| Verdict::Blocked(format!("{}{terms}", reason::WORDS)));
            verdicts.extend(verdict.map(|verdict| (task.target_id, verdict)));
            !is_held
        });
        Ok(())
    }

    /// Stores messages and their deliveries.
    async fn send_messages(&mut self, tx: &mut Tx, after: &mut SideEffects) -> Result<(), StoreError> {
        let mut messages = std::mem::take(&mut self.messages);
        if messages.is_empty() {
            return Ok(());
        }
        let channels: Vec<Uuid> = messages.iter().map(|(message, _)| message.channel.0).collect();
        let channels = channel::transports(tx.conn(), &channels).await?;
        messages.retain(|(message, task)| {
            let is_there = channels.contains_key(&message.channel.0);
            let gone = Verdict::Dead(reason::CHANNEL_GONE);
            self.verdicts.insert(task.target_id, if is_there { Verdict::Done } else { gone });
            is_there
        });
        let sent: Vec<_> =
            messages.iter().map(|(message, task)| (message.id, task.id, task.version)).collect();
        let messages: Vec<NewMessageRow> = messages.into_iter().map(|(message, _)| message).collect();
        message::insert(tx.conn(), &messages, self.at).await?;
        for (_, handed) in message::hand_over(tx.conn(), &sent).await? {
            if let HandOver::Delivery(delivery) = handed {
                after.deliveries.push(*delivery);
            }
        }
        Ok(())
    }

    /// Sends the signals.
    async fn send_signals(&mut self, tx: &mut Tx, after: &mut SideEffects) -> Result<(), StoreError> {
        let signals = std::mem::take(&mut self.signals);
        self.verdicts.extend(send_from_task::send(tx, signals, self.at, after).await?);
        Ok(())
    }
}

/// The words of a message: its body, and the values of its headers.
fn words_of(message: &NewMessageRow) -> String {
    let options: MessageOptions = serde_json::from_str(&message.options).unwrap_or_default();
    let values = options.headers.into_values();
    std::iter::once(message.body.clone()).chain(values).collect::<Vec<_>>().join("\n\n")
}

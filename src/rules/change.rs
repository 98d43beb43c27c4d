//! Creates, changes, pauses and deletes rules.

use super::{
    check,
    kinds::update_waits::{self, Updating},
};
use crate::{
    app_state::AppState,
    messages,
    services::{hints, idempotency::claimed_result, internal_error, write_error},
    zone::Zone,
};
use domain::{
    Actor, ChannelId, DomainError, EmailAddress, Hint, RuleId, Timestamp, Version,
    channel::Transport,
    engine::MAX_COUNTED,
    error::ValidationError,
    message::MessageOptions,
    rule::{Action, MAX_RULES, RuleSettings, RuleState, Waiting},
    rules::graph::{self, RuleCycle},
};
use serde_json::{Value, json};
use store::{
    PoolRole, StoreError, Tx, channel,
    event::{self, NewEvent},
    rule::{self, RuleRecord},
    rule_waits, signal, task, wait_list,
};

/// A change of a rule in progress.
struct Unit<'a> {
    parts: &'a AppState,
    actor: &'a Actor,
    now: Timestamp,
    tx: Tx,
    events: Vec<NewEvent>,
    hints: Vec<Hint>,
}

impl<'a> Unit<'a> {
    async fn begin(parts: &'a AppState, actor: &'a Actor) -> Result<Self, DomainError> {
        let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        signal::lock_rules(tx.conn()).await.map_err(internal_error)?;
        Ok(Self { parts, actor, now: parts.clock.now(), tx, events: Vec::new(), hints: Vec::new() })
    }

    /// Reads a rule that was not deleted.
    async fn rule(&mut self, id: RuleId) -> Result<(RuleRecord, RuleSettings, RuleState), DomainError> {
        let record = rule::find(self.tx.conn(), id).await.map_err(internal_error)?;
        let record = record.ok_or_else(|| DomainError::no_such("rule"))?;
        let state = record.state().map_err(internal_error)?;
        if state == RuleState::Deleted {
            return Err(DomainError::no_such("rule"));
        }
        let settings = record.settings().map_err(internal_error)?;
        Ok((record, settings, state))
    }

    async fn change(
        &mut self,
        id: RuleId,
        seen: Version,
        to: (&RuleSettings, RuleState),
    ) -> Result<Version, DomainError> {
        let changed = rule::change(self.tx.conn(), id, seen, to, self.now).await;
        changed.map_err(write_error(self.parts))?.ok_or(DomainError::Changed)
    }

    fn record(&mut self, id: RuleId, verb: &'static str, version: Version, detail: &Value) {
        let plain = NewEvent::simple(self.now, Some(self.actor.account), "rule", id.0, verb);
        let event = NewEvent { version: Some(version.0), detail: detail.to_string(), ..plain };
        self.events.push(event);
    }

    async fn commit(mut self) -> Result<(), DomainError> {
        event::append(self.tx.conn(), &self.events).await.map_err(write_error(self.parts))?;
        self.tx.commit().await.map_err(write_error(self.parts))?;
        hints::publish(self.parts, self.hints);
        Ok(())
    }

    /// Refuses a channel that cannot send what the rule sends.
    async fn check_channel(&mut self, action: &Action) -> Result<(), DomainError> {
        let (channel, options) = match action {
            Action::Message { channel_id, headers, routing_key, exchange, .. } => {
                let options = MessageOptions {
                    headers: headers.clone(),
                    // Filled from the data of each signal.
                    routing_key: routing_key.as_ref().map(|_| "key".to_owned()),
                    exchange: exchange.clone(),
                    ..MessageOptions::default()
                };
                (*channel_id, Some(options))
            }
            Action::Reminder { channel_id: Some(channel), .. } => (*channel, None),
            Action::Reminder { channel_id: None, .. } | Action::Signal { .. } => return Ok(()),
        };
        let transport = self.transport(channel).await?;
        match options {
            Some(options) => messages::check::options(&options, transport),
            None if transport == Transport::Mail => Ok(()),
            None => {
                let why = "must be a channel of the type mail".to_owned();
                Err(DomainError::invalid("action.channel_id", ValidationError::Unreadable { why }))
            }
        }
    }

    /// Refuses a rule that would start itself through other rules.
    async fn check_cycle(&mut self, id: RuleId, settings: &RuleSettings) -> Result<(), DomainError> {
        let mut others = Vec::new();
        for record in rule::all(self.tx.conn()).await.map_err(internal_error)? {
            if record.id != id.0 {
                others.push(record.settings().map_err(internal_error)?);
            }
        }
        let Some(RuleCycle { signals, rules }) = graph::find_cycle(settings, &others) else { return Ok(()) };
        let problem =
            ValidationError::RuleCycle { signals: signals.join(" → "), rules: rules.join(" → ") };
        Err(DomainError::invalid("action.name", problem))
    }

    async fn transport(&mut self, id: ChannelId) -> Result<Transport, DomainError> {
        let found = channel::transports(self.tx.conn(), &[id.0]).await.map_err(internal_error)?;
        found.get(&id.0).copied().ok_or_else(|| DomainError::no_such("channel"))
    }

    /// Stores what becomes of all open waits of a rule that was just changed, which holds at once, and
    /// updates the first of them. If there are more, a task updates those.
    async fn decide_waits(&mut self, id: RuleId, to: Version, waiting: Waiting) -> Result<(), StoreError> {
        if waiting == Waiting::Keep {
            return Ok(());
        }
        let by = Updating { at: self.now, actor: Some(self.actor.account), waits: true };
        rule::decide_waits(self.tx.conn(), id, to, waiting).await?;
        if waiting == Waiting::Cancel {
            rule_waits::cancel_deliveries(self.tx.conn(), id, self.now).await?;
        }
        let Some(record) = rule::find(self.tx.conn(), id).await? else { return Ok(()) };
        let done = update_waits::update(&mut self.tx, &record, by).await?.unwrap_or_default();
        self.events.extend(done.events);
        self.hints.extend(done.hints);
        if done.is_last || rule::has_update_task(self.tx.conn(), id).await? {
            return Ok(());
        }
        let (mut task, event) = update_waits::new_task(&record, 0, self.now);
        task.bucket = queue::bucket_of(task.id, self.parts.hints.buckets());
        task::insert(self.tx.conn(), std::slice::from_ref(&task), self.now, &[]).await?;
        self.events.push(event);
        self.hints.push(task.hint());
        Ok(())
    }
}

/// Returns the valid settings: the times of a day are in the zone of the actor unless they name one, and an
/// address has the form in which it is compared.
fn complete(actor: &Actor, mut settings: RuleSettings) -> Result<RuleSettings, DomainError> {
    check::rule(&settings)?;
    if let Action::Reminder { to, .. } = &mut settings.action
        && let Ok(address) = EmailAddress::parse(to)
    {
        *to = address.into();
    }
    let zone = match &settings.zone {
        Some(zone) => Some(Zone::named(zone)?.name().to_owned()),
        None => settings.needs_zone().then(|| actor.zone.clone()),
    };
    Ok(RuleSettings { zone, ..settings })
}

/// Creates an active rule.
pub async fn add(parts: &AppState, actor: &Actor, new: RuleSettings) -> Result<RuleId, DomainError> {
    let new = complete(actor, new)?;
    let mut unit = Unit::begin(parts, actor).await?;
    let (id, now) = (RuleId::generate(), unit.now);
    if let Some(first) = claimed_result(unit.tx.conn(), actor, id.0, now).await? {
        return Ok(RuleId(first));
    }
    let count = rule::count(unit.tx.conn()).await.map_err(internal_error)?;
    if usize::try_from(count).unwrap_or(usize::MAX) >= MAX_RULES {
        let max = u32::try_from(MAX_RULES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("rule", ValidationError::DeskFull { max }));
    }
    unit.check_channel(&new.action).await?;
    unit.check_cycle(id, &new).await?;
    rule::insert(unit.tx.conn(), id, actor.account, &new, now).await.map_err(write_error(parts))?;
    unit.record(id, "create", Version::FIRST, &json!({"name": new.name}));
    unit.commit().await?;
    Ok(id)
}

/// Changes a rule, and what becomes of those that wait.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: RuleId,
    (settings, waiting): (RuleSettings, Waiting),
    seen: Option<Version>,
) -> Result<(), DomainError> {
    let settings = complete(actor, settings)?;
    let mut unit = Unit::begin(parts, actor).await?;
    let (record, was, state) = unit.rule(id).await?;
    if settings.action != was.action {
        unit.check_channel(&settings.action).await?;
    }
    if !graph::is_same_edge(&settings, &was) {
        unit.check_cycle(id, &settings).await?;
    }
    let seen = seen.unwrap_or(Version(record.version));
    let version = unit.change(id, seen, (&settings, state)).await?;
    unit.decide_waits(id, version, waiting).await.map_err(write_error(parts))?;
    unit.record(id, "change", version, &json!({"name": settings.name, "was": was.name, "waiting": waiting}));
    unit.commit().await
}

/// Deletes a rule.
pub async fn delete(
    parts: &AppState,
    actor: &Actor,
    id: RuleId,
    waiting: Option<Waiting>,
) -> Result<(), DomainError> {
    let mut unit = Unit::begin(parts, actor).await?;
    let (record, settings, _) = unit.rule(id).await?;
    if waiting.is_none() {
        let limit = i64::try_from(MAX_COUNTED).unwrap_or(i64::MAX);
        let count = wait_list::count_open(unit.tx.conn(), id, limit).await.map_err(internal_error)?;
        if count > 0 {
            return Err(DomainError::HasWaits { count });
        }
    }
    let version = unit.change(id, Version(record.version), (&settings, RuleState::Deleted)).await?;
    if waiting == Some(Waiting::Cancel) {
        unit.decide_waits(id, version, Waiting::Cancel).await.map_err(write_error(parts))?;
    }
    unit.record(id, "delete", version, &json!({"name": settings.name}));
    unit.commit().await
}

/// Pauses or resumes a rule.
pub async fn pause(parts: &AppState, actor: &Actor, id: RuleId, is_paused: bool) -> Result<(), DomainError> {
    let mut unit = Unit::begin(parts, actor).await?;
    let (record, settings, state) = unit.rule(id).await?;
    let (to, verb) = match is_paused {
        true => (RuleState::Paused, "pause"),
        false => (RuleState::Active, "resume"),
    };
    if state == to {
        return Ok(());
    }
    let version = unit.change(id, Version(record.version), (&settings, to)).await?;
    if !is_paused {
        rule_waits::act_now(unit.tx.conn(), id).await.map_err(write_error(parts))?;
    }
    unit.record(id, verb, version, &json!({"name": settings.name}));
    unit.commit().await
}

/// Makes the actor the owner of a rule and of its open waits.
pub async fn take_over(parts: &AppState, actor: &Actor, id: RuleId) -> Result<(), DomainError> {
    let mut unit = Unit::begin(parts, actor).await?;
    let (record, settings, _) = unit.rule(id).await?;
    if record.owner_id == actor.account.0 {
        return Ok(());
    }
    let (seen, now) = (Version(record.version), unit.now);
    let taken = rule::take_over(unit.tx.conn(), id, seen, actor.account, now).await;
    let version = taken.map_err(write_error(parts))?.ok_or(DomainError::Changed)?;
    rule_waits::reassign(unit.tx.conn(), id, actor.account).await.map_err(write_error(parts))?;
    rule_waits::act_now(unit.tx.conn(), id).await.map_err(write_error(parts))?;
    let owners = json!({"name": settings.name, "owner_id": actor.account.0, "was_owner_id": record.owner_id});
    unit.record(id, "hand_over", version, &owners);
    unit.commit().await
}

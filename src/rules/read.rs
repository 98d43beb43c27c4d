//! Reads rules.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
};
use domain::{
    AccountId, Actor, DomainError, RuleId, Timestamp, Version, WaitId,
    engine::MAX_COUNTED,
    rule::{Rule, RuleActivity, RuleError, RuleState},
    rules::signal::{DESK_SIGNALS, SignalName},
};
use std::{
    collections::{HashMap, HashSet},
    iter,
};
use store::{
    PoolRole, ReadConn,
    rule::{self, RuleRecord},
    rule_activity::{self, ActivityRecord},
    signal, wait_list,
};
use uuid::Uuid;

const DAY_MS: i64 = 24 * 3_600_000;
/// Number of newest signals whose names are proposed.
const NEWEST_SIGNALS: i64 = 5_000;
/// Maximum number of their names.
const MAX_NAMES: i64 = 50;

/// What rules did, by rule.
struct Activity {
    waiting: HashMap<Uuid, u64>,
    today: HashMap<Uuid, ActivityRecord>,
    errors: HashMap<Uuid, (Option<String>, i64)>,
}

impl Activity {
    async fn read(lease: &mut ReadConn, presenter: &Presenter<'_>) -> Result<Self, DomainError> {
        let midnight = midnight(presenter);
        Ok(Self {
            waiting: wait_list::counts_open(lease.conn(), limit()).await.map_err(internal_error)?,
            today: rule_activity::since(lease.conn(), midnight, limit()).await.map_err(internal_error)?,
            errors: rule_activity::last_errors(lease.conn()).await.map_err(internal_error)?,
        })
    }

    fn today_of(&self, rule: Uuid) -> RuleActivity {
        let counted = |count: i64| count.unsigned_abs();
        self.today.get(&rule).map_or_else(RuleActivity::default, |record| RuleActivity {
            acted: counted(record.acted),
            closed: counted(record.closed),
        })
    }

    fn present(&self, presenter: &Presenter<'_>, record: RuleRecord) -> Result<Rule, DomainError> {
        let error = self.errors.get(&record.id);
        Ok(Rule {
            id: RuleId(record.id),
            settings: record.settings().map_err(internal_error)?,
            state: record.state().map_err(internal_error)?,
            version: Version(record.version),
            owner_id: AccountId(record.owner_id),
            is_held: record.is_held(),
            changed: presenter.moment(record.changed_at),
            waiting: self.waiting.get(&record.id).copied().unwrap_or(0),
            today: self.today_of(record.id),
            last_error: error
                .map(|(reason, due)| RuleError { reason: reason.clone(), due: presenter.moment(*due) }),
            owner: record.owner.unwrap_or_default(),
        })
    }
}

/// Returns the last midnight in the time zone of the user, by the current offset.
fn midnight(presenter: &Presenter<'_>) -> Timestamp {
    let now = presenter.now;
    let offset = i64::from(presenter.moment(now).viewer_offset) * 60_000;
    now.plus(-(now.millis() + offset).rem_euclid(DAY_MS))
}

/// Returns all rules that were not deleted, by name.
pub async fn list(parts: &AppState, actor: &Actor) -> Result<Vec<Rule>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let records = rule::all(lease.conn()).await.map_err(internal_error)?;
    let activity = Activity::read(&mut lease, &presenter).await?;
    let rules = records.into_iter().map(|record| activity.present(&presenter, record));
    let mut rules = rules.collect::<Result<Vec<_>, _>>()?;
    rules.sort_by_key(|rule| (rule.settings.name.to_lowercase(), rule.id));
    Ok(rules)
}

/// Returns the names to propose to a rule, each once.
pub async fn signal_names(parts: &AppState, actor: &Actor) -> Result<Vec<SignalName>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let seen = signal::newest_names(lease.conn(), NEWEST_SIGNALS, MAX_NAMES).await.map_err(internal_error)?;
    drop(lease);
    let rules = list(parts, actor).await?;
    let of_rules =
        rules.into_iter().flat_map(|rule| iter::once(rule.settings.after).chain(rule.settings.unless));
    let of_desk = DESK_SIGNALS.iter().map(|event| event.as_str().to_owned());
    let mut known = HashSet::new();
    let unseen = of_rules.chain(of_desk).map(|name| SignalName { name, seen: 0 });
    let seen = seen.into_iter().map(|(name, seen)| SignalName { name, seen: seen.unsigned_abs() });
    Ok(seen.chain(unseen).filter(|one| known.insert(one.name.clone())).collect())
}

/// Returns one rule that was not deleted.
pub async fn find(parts: &AppState, actor: &Actor, id: RuleId) -> Result<Rule, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let record = record(&mut lease, id).await?;
    Activity::read(&mut lease, &presenter).await?.present(&presenter, record)
}

/// Returns the rule of a wait, if it was not deleted.
pub async fn of_wait(parts: &AppState, actor: &Actor, id: WaitId) -> Result<Rule, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rule = rule::of_wait(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    find(parts, actor, rule.ok_or_else(|| DomainError::no_such("rule"))?).await
}

/// Reads one rule that was not deleted.
pub async fn record(lease: &mut ReadConn, id: RuleId) -> Result<RuleRecord, DomainError> {
    let record = rule::find(lease.conn(), id).await.map_err(internal_error)?;
    let record = record.ok_or_else(|| DomainError::no_such("rule"))?;
    match record.state().map_err(internal_error)? {
        RuleState::Deleted => Err(DomainError::no_such("rule")),
        RuleState::Active | RuleState::Paused => Ok(record),
    }
}

/// Number up to which waits are counted, and one more.
fn limit() -> i64 {
    i64::try_from(MAX_COUNTED).unwrap_or(i64::MAX - 1) + 1
}

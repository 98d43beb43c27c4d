//! Reads rules.

use crate::{
    server::app_state::AppState,
    services::{Presenter, internal_error},
};
use domain::{
    AccountId, Actor, DomainError, RuleId, Version,
    engine::MAX_COUNTED,
    rule::{Rule, RuleState},
};
use store::{
    PoolRole, ReadConn,
    rule::{self, RuleRecord},
    wait_list,
};

/// Returns all rules that were not deleted, by name.
pub async fn list(parts: &AppState, actor: &Actor) -> Result<Vec<Rule>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let records = rule::all(lease.conn()).await.map_err(internal_error)?;
    let counts = wait_list::counts_open(lease.conn(), limit()).await.map_err(internal_error)?;
    let waiting = |record: &RuleRecord| counts.get(&record.id).copied().unwrap_or(0);
    let mut rules = records
        .into_iter()
        .map(|record| {
            let waiting = waiting(&record);
            present(&presenter, record, waiting)
        })
        .collect::<Result<Vec<_>, _>>()?;
    rules.sort_by_key(|rule| (rule.settings.name.to_lowercase(), rule.id));
    Ok(rules)
}

/// Returns one rule that was not deleted.
pub async fn find(parts: &AppState, actor: &Actor, id: RuleId) -> Result<Rule, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let record = record(&mut lease, id).await?;
    let waiting = wait_list::count_open(lease.conn(), id, limit()).await.map_err(internal_error)?;
    present(&presenter, record, waiting)
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

fn present(presenter: &Presenter<'_>, record: RuleRecord, waiting: u64) -> Result<Rule, DomainError> {
    Ok(Rule {
        id: RuleId(record.id),
        settings: record.settings().map_err(internal_error)?,
        state: record.state().map_err(internal_error)?,
        version: Version(record.version),
        owner_id: AccountId(record.owner_id),
        changed: presenter.moment(record.changed_at),
        waiting,
    })
}

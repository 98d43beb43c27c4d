//! The services of signals and rules.

use super::{
    rule::{DryRun, Rule, RuleSettings, Waiting},
    signal::{NewSignal, SignalResult},
    wait::{WaitChange, WaitQuery, WaitRow},
};
use crate::{Actor, DomainError, Page, RuleId, Version, WaitId};
use async_trait::async_trait;

/// Signals and rules. Every account may send signals; all else is for admins only.
#[async_trait]
pub trait Rules: Send + Sync {
    /// Stores signals, all or none, at most [`crate::input_limits::MAX_BULK_ITEMS`], and opens and
    /// closes the waits of rules, in their order. Returns a result for each.
    async fn signal(&self, actor: &Actor, new: Vec<NewSignal>) -> Result<Vec<SignalResult>, DomainError>;
    /// All rules that were not deleted, by name.
    async fn list(&self, actor: &Actor) -> Result<Vec<Rule>, DomainError>;
    /// One rule.
    async fn find(&self, actor: &Actor, id: RuleId) -> Result<Rule, DomainError>;
    /// Creates an active rule.
    async fn add(&self, actor: &Actor, new: RuleSettings) -> Result<Rule, DomainError>;
    /// Changes a rule. `Changed` if `seen` is not its version; `None`: whatever its version is.
    async fn edit(
        &self,
        actor: &Actor,
        id: RuleId,
        edit: (RuleSettings, Waiting),
        seen: Option<Version>,
    ) -> Result<Rule, DomainError>;
    /// Deletes a rule. `HasWaits` if some wait and `waiting` does not say what becomes of them.
    async fn delete(&self, actor: &Actor, id: RuleId, waiting: Option<Waiting>) -> Result<(), DomainError>;
    /// Pauses or resumes a rule. Those that wait keep their moments; what became due while it was
    /// paused is done at once if its grace allows it.
    async fn pause(&self, actor: &Actor, id: RuleId, is_paused: bool) -> Result<Rule, DomainError>;
    /// What the rule would have done with the signals of the last `days`, at most 30.
    async fn dry_run(&self, actor: &Actor, id: RuleId, days: u32) -> Result<DryRun, DomainError>;
    /// One page of the waits of a rule, newest first.
    async fn waits(&self, actor: &Actor, id: RuleId, query: WaitQuery) -> Result<Page<WaitRow>, DomainError>;
    /// Changes a wait. `TaskConflict` if its state does not allow the change.
    async fn change_wait(
        &self,
        actor: &Actor,
        id: WaitId,
        change: WaitChange,
    ) -> Result<WaitRow, DomainError>;
}

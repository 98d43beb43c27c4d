//! The services of signals and rules.

use super::{
    rule::{DryRun, Rule, RuleSettings, RuleTrial, Waiting},
    signal::{NewSignal, SignalName, SignalResult},
    wait::{WaitChange, WaitEntry, WaitQuery, WaitRow},
};
use crate::{Actor, DomainError, Page, RuleId, Version, WaitId};
use async_trait::async_trait;

/// Signals and rules. Every account may send signals; all else is for admins only.
#[async_trait]
pub trait Rules: Send + Sync {
    /// Stores signals, all or none, at most [`crate::input_limits::MAX_BULK_ITEMS`], and opens and
    /// closes the waits of rules, in their order. Returns a result for each.
    async fn signal(&self, actor: &Actor, new: Vec<NewSignal>) -> Result<Vec<SignalResult>, DomainError>;
    /// Refuses the signals that cannot be stored, by index; stores nothing.
    fn check_signals(&self, new: &[NewSignal]) -> Result<(), DomainError>;
    /// All rules that were not deleted, by name.
    async fn list(&self, actor: &Actor) -> Result<Vec<Rule>, DomainError>;
    /// The names to propose to a rule, each once: those of the newest signals, the most frequent first; then
    /// those that rules name, and those of the desk.
    async fn signal_names(&self, actor: &Actor) -> Result<Vec<SignalName>, DomainError>;
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
    /// Makes the actor the owner of a rule and of its open waits. What became due while the account
    /// of its owner was disabled is done at once if its grace allows it.
    async fn take_over(&self, actor: &Actor, id: RuleId) -> Result<Rule, DomainError>;
    /// The rule of a wait.
    async fn rule_of_wait(&self, actor: &Actor, id: WaitId) -> Result<Rule, DomainError>;
    /// What the rule would do with a signal that came now. Stores nothing.
    async fn try_signal(
        &self,
        actor: &Actor,
        id: RuleId,
        signal: NewSignal,
    ) -> Result<RuleTrial, DomainError>;
    /// What the rule would have done with the signals of the last `days`, at most 30.
    async fn dry_run(&self, actor: &Actor, id: RuleId, days: u32) -> Result<DryRun, DomainError>;
    /// One page of the waits of a rule, newest first.
    async fn waits(&self, actor: &Actor, id: RuleId, query: WaitQuery) -> Result<Page<WaitRow>, DomainError>;
    /// The same page with the task of each wait, and what came after the rule had acted.
    async fn waits_with_tasks(
        &self,
        actor: &Actor,
        id: RuleId,
        query: WaitQuery,
    ) -> Result<Page<WaitEntry>, DomainError>;
    /// Changes a wait. `TaskConflict` if `seen` is not its version or its state does not allow the
    /// change. `None`: whatever its version is.
    async fn change_wait(
        &self,
        actor: &Actor,
        id: WaitId,
        change: WaitChange,
        seen: Option<Version>,
    ) -> Result<WaitRow, DomainError>;
}

//! Signals and rules: after a signal, wait, then act, unless another signal came first. Every account
//! sends signals; rules belong to admins.

mod action;
pub mod api;
mod caps;
mod change;
mod check;
mod dry_run;
mod due;
pub mod kinds;
mod read;
mod signals;
mod template;
mod trial;
mod waits;

use crate::app_state::AppState;
use async_trait::async_trait;
use domain::{
    Actor, DomainError, Page, RuleId, Version, WaitId,
    rule::{DryRun, Rule, RuleSettings, RuleTrial, Waiting},
    services::Rules,
    signal::{NewSignal, SignalName, SignalResult},
    wait::{WaitChange, WaitEntry, WaitQuery, WaitRow},
};

/// The service of signals and rules.
#[derive(Clone)]
pub struct RuleService {
    parts: AppState,
}

impl RuleService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

#[async_trait]
impl Rules for RuleService {
    async fn signal(&self, actor: &Actor, new: Vec<NewSignal>) -> Result<Vec<SignalResult>, DomainError> {
        signals::store(&self.parts, actor, new).await
    }
    fn check_signals(&self, new: &[NewSignal]) -> Result<(), DomainError> {
        signals::check_all(new, self.parts.clock.now())
    }
    async fn list(&self, actor: &Actor) -> Result<Vec<Rule>, DomainError> {
        admin_only(actor)?;
        read::list(&self.parts, actor).await
    }
    async fn signal_names(&self, actor: &Actor) -> Result<Vec<SignalName>, DomainError> {
        admin_only(actor)?;
        read::signal_names(&self.parts, actor).await
    }
    async fn find(&self, actor: &Actor, id: RuleId) -> Result<Rule, DomainError> {
        admin_only(actor)?;
        read::find(&self.parts, actor, id).await
    }
    async fn add(&self, actor: &Actor, new: RuleSettings) -> Result<Rule, DomainError> {
        admin_only(actor)?;
        let id = change::add(&self.parts, actor, new).await?;
        read::find(&self.parts, actor, id).await
    }
    async fn edit(
        &self,
        actor: &Actor,
        id: RuleId,
        edit: (RuleSettings, Waiting),
        seen: Option<Version>,
    ) -> Result<Rule, DomainError> {
        admin_only(actor)?;
        change::edit(&self.parts, actor, id, edit, seen).await?;
        read::find(&self.parts, actor, id).await
    }
    async fn delete(&self, actor: &Actor, id: RuleId, waiting: Option<Waiting>) -> Result<(), DomainError> {
        admin_only(actor)?;
        change::delete(&self.parts, actor, id, waiting).await
    }
    async fn pause(&self, actor: &Actor, id: RuleId, is_paused: bool) -> Result<Rule, DomainError> {
        admin_only(actor)?;
        change::pause(&self.parts, actor, id, is_paused).await?;
        read::find(&self.parts, actor, id).await
    }
    async fn take_over(&self, actor: &Actor, id: RuleId) -> Result<Rule, DomainError> {
        admin_only(actor)?;
        change::take_over(&self.parts, actor, id).await?;
        read::find(&self.parts, actor, id).await
    }
    async fn rule_of_wait(&self, actor: &Actor, id: WaitId) -> Result<Rule, DomainError> {
        admin_only(actor)?;
        read::of_wait(&self.parts, actor, id).await
    }
    async fn try_signal(
        &self,
        actor: &Actor,
        id: RuleId,
        signal: NewSignal,
    ) -> Result<RuleTrial, DomainError> {
        admin_only(actor)?;
        trial::run(&self.parts, actor, id, signal).await
    }
    async fn waits_with_tasks(
        &self,
        actor: &Actor,
        id: RuleId,
        query: WaitQuery,
    ) -> Result<Page<WaitEntry>, DomainError> {
        admin_only(actor)?;
        waits::list_with_tasks(&self.parts, actor, id, query).await
    }
    async fn dry_run(&self, actor: &Actor, id: RuleId, days: u32) -> Result<DryRun, DomainError> {
        admin_only(actor)?;
        dry_run::run(&self.parts, actor, id, days).await
    }
    async fn waits(&self, actor: &Actor, id: RuleId, query: WaitQuery) -> Result<Page<WaitRow>, DomainError> {
        admin_only(actor)?;
        waits::list(&self.parts, actor, id, query).await
    }
    async fn change_wait(
        &self,
        actor: &Actor,
        id: WaitId,
        change: WaitChange,
        seen: Option<Version>,
    ) -> Result<WaitRow, DomainError> {
        admin_only(actor)?;
        waits::change(&self.parts, actor, id, change, seen).await
    }
}

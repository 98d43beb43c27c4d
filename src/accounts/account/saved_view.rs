//! Saved views of lists. Each account has its own.

use crate::{accounts::AccountService, services::internal_error};
use async_trait::async_trait;
use domain::{
    Actor, DomainError, SavedViewId, Timestamp, Version,
    accounts::{
        saved_view::{MAX_VIEWS, NewSavedView, SavedView, ViewedList, checked_name},
        use_cases::SavedViews,
    },
    error::ValidationError,
};
use store::{
    PoolRole, StoreError, Tx,
    event::{self, NewEvent},
    saved_view,
};

/// Name of a view in the event log.
const ENTITY: &str = "saved_view";

#[async_trait]
impl SavedViews for AccountService {
    async fn list(&self, actor: &Actor, list: ViewedList) -> Result<Vec<SavedView>, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        saved_view::list(lease.conn(), actor.account, list).await.map_err(internal_error)
    }

    async fn save(&self, actor: &Actor, new: NewSavedView) -> Result<SavedView, DomainError> {
        let new = new.checked()?;
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let view = saved_view::save(tx.conn(), actor.account, &new, now).await.map_err(internal_error)?;
        let all = saved_view::list(tx.conn(), actor.account, new.list).await.map_err(internal_error)?;
        if all.len() > MAX_VIEWS {
            let max = u32::try_from(MAX_VIEWS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("views", ValidationError::TooMany { max }));
        }
        let verb = if view.version == Version::FIRST { "create" } else { "change" };
        finish(self, tx, (actor, now), (&view, verb)).await?;
        Ok(view)
    }

    async fn rename(
        &self,
        actor: &Actor,
        id: SavedViewId,
        name: String,
        seen: Version,
    ) -> Result<SavedView, DomainError> {
        let name = checked_name(&name)?;
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let renamed = saved_view::rename(tx.conn(), actor.account, (id, seen), &name).await;
        let Some(view) = renamed.map_err(taken)? else { return Err(refused(tx, actor, id).await) };
        finish(self, tx, (actor, now), (&view, "change")).await?;
        Ok(view)
    }

    async fn delete(&self, actor: &Actor, id: SavedViewId, seen: Version) -> Result<SavedView, DomainError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let deleted = saved_view::delete(tx.conn(), actor.account, (id, seen)).await;
        let Some(view) = deleted.map_err(internal_error)? else { return Err(refused(tx, actor, id).await) };
        finish(self, tx, (actor, now), (&view, "delete")).await?;
        Ok(view)
    }
}

/// Why a change of a view found no row: another version, or no such view of the account.
async fn refused(mut tx: Tx, actor: &Actor, id: SavedViewId) -> DomainError {
    match saved_view::exists(tx.conn(), actor.account, id).await {
        Ok(true) => DomainError::Changed,
        Ok(false) => DomainError::no_such("view"),
        Err(error) => internal_error(error),
    }
}

fn taken(error: StoreError) -> DomainError {
    match error.is_unique_violation() {
        true => DomainError::Taken { what: "name".to_owned() },
        false => internal_error(error),
    }
}

/// Records the event, without name and filters, and commits.
async fn finish(
    service: &AccountService,
    mut tx: Tx,
    (actor, now): (&Actor, Timestamp),
    (view, verb): (&SavedView, &'static str),
) -> Result<(), DomainError> {
    let event = NewEvent::simple(now, Some(actor.account), ENTITY, view.id.0, verb);
    let event = NewEvent { version: Some(view.version.0), ..event };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

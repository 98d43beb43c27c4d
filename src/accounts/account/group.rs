//! Groups of accounts: every account sees them, admins change them.

use crate::{
    accounts::{AccountService, admin_only},
    services::internal_error,
};
use async_trait::async_trait;
use domain::{
    AccountId, Actor, DomainError, GroupId, Timestamp, Version,
    accounts::group::{
        self as rules, Group, GroupEdit, Groups, MAX_GROUP_MEMBERS, MAX_GROUPS, checked_group_name,
    },
    error::ValidationError,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{
    PoolRole, StoreError, Tx,
    event::{self, NewEvent},
    group,
};
use uuid::Uuid;

/// Name of a group in the event log.
const ENTITY: &str = "group";

#[async_trait]
impl Groups for AccountService {
    async fn list(&self, _actor: &Actor) -> Result<Vec<Group>, DomainError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        group::list(lease.conn()).await.map_err(internal_error)
    }

    async fn create(
        &self,
        actor: &Actor,
        name: String,
        members: Vec<AccountId>,
    ) -> Result<Group, DomainError> {
        admin_only(actor)?;
        let (name, members) = (checked_group_name(&name)?, distinct(&members)?);
        let (id, now) = (GroupId::generate(), self.parts.clock.now());
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        group::create(tx.conn(), id, &name, now).await.map_err(taken)?;
        set_members(&mut tx, id, &members).await?;
        let groups = group::list(tx.conn()).await.map_err(internal_error)?;
        if groups.len() > MAX_GROUPS {
            let max = u32::try_from(MAX_GROUPS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("groups", ValidationError::DeskFull { max }));
        }
        let created = found(groups, id)?;
        let detail = json!({ "name": created.name, "members": members.len() });
        finish(self, tx, (actor, now), (id, "create", detail)).await?;
        Ok(created)
    }

    async fn change(
        &self,
        actor: &Actor,
        id: GroupId,
        edit: GroupEdit,
        seen: Version,
    ) -> Result<Group, DomainError> {
        admin_only(actor)?;
        let name = edit.name.as_deref().map(checked_group_name).transpose()?;
        let members = edit.members.as_deref().map(distinct).transpose()?;
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let is_changed = group::change(tx.conn(), (id, seen), name.as_deref()).await.map_err(taken)?;
        if !is_changed {
            return Err(refused(tx, id).await);
        }
        if let Some(members) = &members {
            set_members(&mut tx, id, members).await?;
        }
        let changed = found(group::list(tx.conn()).await.map_err(internal_error)?, id)?;
        let detail = json!({ "name": changed.name, "members": changed.members.len() });
        finish(self, tx, (actor, now), (id, "change", detail)).await?;
        Ok(changed)
    }

    async fn delete(&self, actor: &Actor, id: GroupId, seen: Version) -> Result<(), DomainError> {
        admin_only(actor)?;
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let deleted = group::delete(tx.conn(), (id, seen)).await.map_err(internal_error)?;
        let Some(name) = deleted else { return Err(refused(tx, id).await) };
        finish(self, tx, (actor, now), (id, "delete", json!({ "name": name }))).await
    }

    async fn reviewers_of(
        &self,
        actor: &Actor,
        groups: Vec<GroupId>,
        except: Option<AccountId>,
    ) -> Result<Vec<AccountId>, DomainError> {
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        rules::reviewers_of(&Groups::list(self, actor).await?, &groups, except)
    }
}

/// Returns each account once. Refuses more than a group may have.
fn distinct(members: &[AccountId]) -> Result<Vec<Uuid>, DomainError> {
    let ids: BTreeSet<Uuid> = members.iter().map(|member| member.0).collect();
    if ids.len() > MAX_GROUP_MEMBERS {
        let max = u32::try_from(MAX_GROUP_MEMBERS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("members", ValidationError::TooMany { max }));
    }
    Ok(ids.into_iter().collect())
}

/// Replaces the members. Refuses accounts that do not exist.
async fn set_members(tx: &mut Tx, id: GroupId, members: &[Uuid]) -> Result<(), DomainError> {
    let stored = group::set_members(tx.conn(), id, members).await.map_err(internal_error)?;
    if usize::try_from(stored).is_ok_and(|stored| stored == members.len()) {
        Ok(())
    } else {
        Err(DomainError::invalid("members", ValidationError::Unknown))
    }
}

fn found(groups: Vec<Group>, id: GroupId) -> Result<Group, DomainError> {
    groups.into_iter().find(|group| group.id == id).ok_or_else(|| DomainError::no_such("group"))
}

/// Why a change of a group found no row: another version, or no such group.
async fn refused(mut tx: Tx, id: GroupId) -> DomainError {
    match group::exists(tx.conn(), id).await {
        Ok(true) => DomainError::Changed,
        Ok(false) => DomainError::no_such("group"),
        Err(error) => internal_error(error),
    }
}

fn taken(error: StoreError) -> DomainError {
    match error.is_unique_violation() {
        true => DomainError::Taken { what: "name".to_owned() },
        false => internal_error(error),
    }
}

/// Records the event and commits.
async fn finish(
    service: &AccountService,
    mut tx: Tx,
    (actor, now): (&Actor, Timestamp),
    (id, verb, detail): (GroupId, &'static str, Value),
) -> Result<(), DomainError> {
    let event = NewEvent::simple(now, Some(actor.account), ENTITY, id.0, verb);
    let event = NewEvent { detail: detail.to_string(), ..event };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

//! Accounts: the user's own profile, and lists for admins.

mod author;
mod change;
mod disable;
mod group;
pub mod groups_api;
mod lock;
mod presence;
mod saved_view;
mod undo;
pub mod views_api;

pub use change::{change_role, enable};
pub use disable::disable;
pub use undo::{undo_change, undo_offer};

use super::{AccountService, admin_only, check};
use crate::{
    kinds,
    services::{Presenter, internal_error, rendering::own_picture},
};
use domain::{
    AccountId, Actor, DomainError, FieldProblems, Timestamp,
    account::{Account, ProfileEdit},
    task::TaskRow,
};
use serde_json::json;
use store::{
    PoolRole, Tx,
    account::{self, AccountRecord},
    event::{self, NewEvent},
    task_list,
};

pub async fn me(service: &AccountService, actor: &Actor) -> Result<Account, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    account_of(account::find(lease.conn(), actor.account).await.map_err(internal_error)?)
}

fn account_of(record: Option<AccountRecord>) -> Result<Account, DomainError> {
    record.ok_or_else(|| DomainError::no_such("account"))?.try_into().map_err(internal_error)
}

pub async fn change_profile(
    service: &AccountService,
    actor: &Actor,
    edit: ProfileEdit,
) -> Result<Account, DomainError> {
    let mut problems = FieldProblems::default();
    let name = edit.name.map(|name| problems.take(check::person_name(&name))).transpose()?;
    let zone = edit.zone.map(|zone| problems.take(check::zone(&zone))).transpose()?;
    let about = edit.about.map(|about| problems.take(author::about(&about))).transpose()?;
    problems.finish()?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let picture = match &edit.picture {
        Some(picture) => Some(own_picture(tx.conn(), "picture", picture).await?),
        None => None,
    };
    let edit = ProfileEdit { name, zone, about, picture, ..edit };
    let was = account_of(account::find(tx.conn(), actor.account).await.map_err(internal_error)?)?;
    let person =
        account_of(account::set_profile(tx.conn(), actor.account, &edit).await.map_err(internal_error)?)?;
    let mut event = event_of(service.parts.clock.now(), actor, actor.account, "change_profile");
    if was.name != person.name {
        event.detail = json!({ "name": person.name, "was": was.name }).to_string();
    }
    commit_with_events(service, tx, vec![event]).await?;
    Ok(person)
}

pub async fn list(service: &AccountService, actor: &Actor) -> Result<Vec<Account>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let people = account::all(lease.conn()).await.map_err(internal_error)?;
    people.into_iter().map(|record| record.try_into().map_err(internal_error)).collect()
}

pub async fn waiting_of(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
) -> Result<Vec<TaskRow>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, service.parts.clock.now()).await?;
    let mut lines = task_list::waiting_of_owner(lease.conn(), id).await.map_err(internal_error)?;
    lines.retain(|row| kinds::find(&row.kind).is_none_or(|kind| !kind.is_managed()));
    Ok(presenter.tasks(lines))
}

fn event_of(now: Timestamp, actor: &Actor, id: AccountId, verb: &'static str) -> NewEvent {
    NewEvent::simple(now, Some(actor.account), "account", id.0, verb)
}

async fn commit_with_events(
    service: &AccountService,
    mut tx: Tx,
    events: Vec<NewEvent>,
) -> Result<(), DomainError> {
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

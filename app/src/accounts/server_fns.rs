//! Accounts. For admins.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::{
    AccountId, Role,
    account::{Account, AccountUndo, InvitationRow, OnDisable},
    task::TaskRow,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A one-time link. Shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewLink {
    /// The URL.
    pub address: String,
    /// Name of its recipient.
    pub name: String,
    /// Whether it resets the password.
    pub is_reset: bool,
    /// Whether the link of an earlier invitation for the same address no longer works.
    #[serde(default)]
    pub was_invited: bool,
}

/// All accounts, by name.
#[server(name = ListAccounts, prefix = "/fn", endpoint = "accounts", output = JsonOutput)]
pub async fn list_accounts() -> Result<Vec<Account>, Refused> {
    ssr::respond(async { ssr::services()?.accounts.list(&ssr::actor()?).await }.await)
}

/// Creates a one-time link that invites a user.
#[server(name = Invite, prefix = "/fn", endpoint = "invite", output = JsonOutput)]
pub async fn invite(
    email: String,
    name: String,
    role: Role,
    password: Option<String>,
) -> Result<NewLink, Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let link = ssr::services()?.invitations.invite(&actor, email.trim(), name.trim(), role).await?;
            let address = format!("{}{}", ssr::caller()?.public_url, link.path);
            let (name, was_invited) = (name.trim().to_owned(), link.was_invited);
            let created = NewLink { address, name, is_reset: false, was_invited };
            ssr::show_once("link", &created, "/settings/people");
            Ok(created)
        }
        .await,
    )
}

/// The invitations that were not accepted yet.
#[server(name = ListInvitations, prefix = "/fn", endpoint = "invitations", output = JsonOutput)]
pub async fn list_invitations() -> Result<Vec<InvitationRow>, Refused> {
    ssr::respond(async { ssr::services()?.invitations.invitations(&ssr::actor()?).await }.await)
}

/// Replaces the link of an invitation by a new one.
#[server(name = RenewInvitation, prefix = "/fn", endpoint = "renew_invitation", output = JsonOutput)]
pub async fn renew_invitation(
    id: String,
    name: String,
    password: Option<String>,
) -> Result<NewLink, Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let link = ssr::services()?.invitations.renew_invitation(&actor, &id).await?;
            let address = format!("{}{}", ssr::caller()?.public_url, link.path);
            let created = NewLink { address, name, is_reset: false, was_invited: false };
            ssr::show_once("link", &created, "/settings/people");
            Ok(created)
        }
        .await,
    )
}

/// Withdraws an invitation.
#[server(name = WithdrawInvitation, prefix = "/fn", endpoint = "withdraw_invitation", output = JsonOutput)]
pub async fn withdraw_invitation(id: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.invitations.withdraw_invitation(&ssr::actor()?, &id).await?;
            ssr::redirect("/settings/people?done=withdraw");
            Ok(())
        }
        .await,
    )
}

/// Creates a one-time link to a new password.
#[server(name = ResetPassword, prefix = "/fn", endpoint = "reset_password", output = JsonOutput)]
pub async fn reset_password(
    id: AccountId,
    name: String,
    password: Option<String>,
) -> Result<NewLink, Refused> {
    ssr::respond(
        async {
            let link =
                ssr::services()?.invitations.reset_password(&ssr::confirmed(password).await?, id).await?;
            let address = format!("{}{}", ssr::caller()?.public_url, link.path);
            let created = NewLink { address, name, is_reset: true, was_invited: false };
            ssr::show_once("link", &created, "/settings/people");
            Ok(created)
        }
        .await,
    )
}

/// Returns the link that a form without JavaScript has just created; `None` after the first call.
#[server(name = TakeNewLink, prefix = "/fn", endpoint = "new_link", output = JsonOutput)]
pub async fn new_link() -> Result<Option<NewLink>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once("link")))
}

/// Changes the role.
#[server(name = ChangeRole, prefix = "/fn", endpoint = "change_role", output = JsonOutput)]
pub async fn change_role(id: AccountId, role: Role, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.accounts.change_role(&ssr::confirmed(password).await?, id, role).await?;
            ssr::redirect(&people_page("role", id));
            Ok(())
        }
        .await,
    )
}

/// Returns the scheduled tasks of an account.
#[server(name = ScheduledTasksOf, prefix = "/fn", endpoint = "scheduled_tasks_of", output = JsonOutput)]
pub async fn scheduled_tasks_of(id: AccountId) -> Result<Vec<TaskRow>, Refused> {
    ssr::respond(async { ssr::services()?.accounts.scheduled_tasks_of(&ssr::actor()?, id).await }.await)
}

/// Disables an account. If it has scheduled tasks and `on_disable` is `None`, redirects to a page
/// that asks. `to`: the account that the tasks are handed over to.
#[server(name = DisableAccount, prefix = "/fn", endpoint = "disable_account", output = JsonOutput)]
pub async fn disable_account(
    id: AccountId,
    on_disable: Option<OnDisable>,
    to: Option<AccountId>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (on_disable, done) = match (on_disable, to) {
                (Some(OnDisable::Keep), Some(to)) => (Some(OnDisable::HandOver(to)), "handed"),
                (on_disable, _) => (on_disable, "disable"),
            };
            match ssr::services()?.accounts.disable(&ssr::actor()?, id, on_disable).await {
                Ok(_) => ssr::redirect(&people_page(done, id)),
                Err(domain::DomainError::HasTasks { .. }) => {
                    ssr::redirect(&format!("/settings/people?disable={id}"));
                }
                Err(refusal) => return Err(refusal),
            }
            Ok(())
        }
        .await,
    )
}

/// Enables an account.
#[server(name = EnableAccount, prefix = "/fn", endpoint = "enable_account", output = JsonOutput)]
pub async fn enable_account(id: AccountId) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.accounts.enable(&ssr::actor()?, id).await?;
            ssr::redirect(&people_page("enable", id));
            Ok(())
        }
        .await,
    )
}

/// Returns the last change of an account if this admin may undo it now; `None` if `id` is `None`.
#[server(name = ReadAccountUndo, prefix = "/fn", endpoint = "account_undo", output = JsonOutput)]
pub async fn account_undo(id: Option<AccountId>) -> Result<Option<AccountUndo>, Refused> {
    ssr::respond(
        async {
            let actor = ssr::actor()?;
            let Some(id) = id else { return Ok(None) };
            ssr::services()?.accounts.undo_offer(&actor, id).await
        }
        .await,
    )
}

/// Undoes the change `seen` of an account.
#[server(name = UndoAccountChange, prefix = "/fn", endpoint = "undo_account_change", output = JsonOutput)]
pub async fn undo_account_change(id: AccountId, seen: i64) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.accounts.undo_change(&ssr::actor()?, id, seen).await?;
            ssr::redirect("/settings/people?done=undo");
            Ok(())
        }
        .await,
    )
}

/// Returns the URL of the list, which says what was done to an account and offers to undo it.
#[cfg(feature = "ssr")]
fn people_page(done: &str, id: AccountId) -> String {
    format!("/settings/people?done={done}&account={id}")
}

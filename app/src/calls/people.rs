//! Who works here. For admins.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told};
use domain::{
    PersonId, Role,
    person::{Leftover, Person},
    task::TaskRow,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A one-time link, ready to be sent to somebody. Shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshLink {
    /// The whole address.
    pub address: String,
    /// Who it is for.
    pub name: String,
    /// Whether it is for a new password.
    pub is_reset: bool,
}

/// Everybody, by name.
#[server(name = ListPeople, prefix = "/fn", endpoint = "people", output = Told)]
pub async fn list_people() -> Result<Vec<Person>, Refused> {
    ssr::answer(async { ssr::desk()?.people.list(&ssr::actor()?).await }.await)
}

/// A one-time link for somebody new.
#[server(name = Invite, prefix = "/fn", endpoint = "invite", output = Told)]
pub async fn invite(
    email: String,
    name: String,
    role: Role,
    password: Option<String>,
) -> Result<FreshLink, Refused> {
    ssr::answer(
        async {
            let actor = ssr::confirmed(password).await?;
            let link = ssr::desk()?.people.invite(&actor, email.trim(), name.trim(), role).await?;
            let address = format!("{}{}", ssr::caller()?.public_url, link.path);
            let fresh = FreshLink { address, name: name.trim().to_owned(), is_reset: false };
            ssr::show_once("link", &fresh, "/settings/people");
            Ok(fresh)
        }
        .await,
    )
}

/// A one-time link to a new password.
#[server(name = ResetPerson, prefix = "/fn", endpoint = "reset", output = Told)]
pub async fn reset_person(
    id: PersonId,
    name: String,
    password: Option<String>,
) -> Result<FreshLink, Refused> {
    ssr::answer(
        async {
            let link = ssr::desk()?.people.reset(&ssr::confirmed(password).await?, id).await?;
            let address = format!("{}{}", ssr::caller()?.public_url, link.path);
            let fresh = FreshLink { address, name, is_reset: true };
            ssr::show_once("link", &fresh, "/settings/people");
            Ok(fresh)
        }
        .await,
    )
}

/// The link made a moment ago by a form without JavaScript; `None` the second time.
#[server(name = TakeFreshLink, prefix = "/fn", endpoint = "fresh_link", output = Told)]
pub async fn fresh_link() -> Result<Option<FreshLink>, Refused> {
    ssr::answer(ssr::actor().map(|_| ssr::take_once("link")))
}

/// Another role.
#[server(name = ChangeRole, prefix = "/fn", endpoint = "change_role", output = Told)]
pub async fn change_role(id: PersonId, role: Role, password: Option<String>) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.people.change_role(&ssr::confirmed(password).await?, id, role).await?;
            ssr::go("/settings/people?done=role");
            Ok(())
        }
        .await,
    )
}

/// What waits in the name of a person.
#[server(name = WaitingOf, prefix = "/fn", endpoint = "waiting_of", output = Told)]
pub async fn waiting_of(id: PersonId) -> Result<Vec<TaskRow>, Refused> {
    ssr::answer(async { ssr::desk()?.people.waiting_of(&ssr::actor()?, id).await }.await)
}

/// Shuts an account. Asks on a page of its own where something waits and nothing was said about it.
#[server(name = DisablePerson, prefix = "/fn", endpoint = "disable", output = Told)]
pub async fn disable_person(id: PersonId, leftover: Option<Leftover>) -> Result<(), Refused> {
    ssr::answer(
        async {
            match ssr::desk()?.people.disable(&ssr::actor()?, id, leftover).await {
                Ok(_) => ssr::go("/settings/people?done=disable"),
                Err(domain::Refusal::HasTasks { .. }) => {
                    ssr::go(&format!("/settings/people?disable={id}"));
                }
                Err(refusal) => return Err(refusal),
            }
            Ok(())
        }
        .await,
    )
}

/// Opens an account again.
#[server(name = EnablePerson, prefix = "/fn", endpoint = "enable", output = Told)]
pub async fn enable_person(id: PersonId) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.people.enable(&ssr::actor()?, id).await?;
            ssr::go("/settings/people?done=enable");
            Ok(())
        }
        .await,
    )
}

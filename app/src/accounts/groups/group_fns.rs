//! Groups: list, create, change and delete.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::{AccountId, GroupId, account::Account, accounts::group::Group};
#[cfg(feature = "ssr")]
use domain::{Version, accounts::group::GroupEdit};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The groups, and the accounts that can be members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupsAndPeople {
    /// Groups, by name.
    pub groups: Vec<Group>,
    /// Accounts, by name.
    pub people: Vec<Account>,
}

/// All groups, by name.
#[server(name = ListGroups, prefix = "/fn", endpoint = "groups", output = JsonOutput)]
pub async fn list_groups() -> Result<Vec<Group>, Refused> {
    ssr::respond(async { ssr::services()?.groups.list(&ssr::actor()?).await }.await)
}

/// All groups and accounts. For admins.
#[server(name = ListGroupsAndPeople, prefix = "/fn", endpoint = "groups_and_people", output = JsonOutput)]
pub async fn list_groups_and_people() -> Result<GroupsAndPeople, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let people = services.accounts.list(&actor).await?;
            Ok(GroupsAndPeople { groups: services.groups.list(&actor).await?, people })
        }
        .await,
    )
}

/// Creates a group with these members.
#[server(name = CreateGroup, prefix = "/fn", endpoint = "create_group", output = JsonOutput)]
pub async fn create_group(name: String, #[server(default)] members: Vec<AccountId>) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.groups.create(&ssr::actor()?, name, members).await?;
            ssr::redirect("/settings/groups?done=create");
            Ok(())
        }
        .await,
    )
}

/// Changes name and members of a group.
#[server(name = ChangeGroup, prefix = "/fn", endpoint = "change_group", output = JsonOutput)]
pub async fn change_group(
    id: GroupId,
    seen: i32,
    name: String,
    #[server(default)] members: Vec<AccountId>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let edit = GroupEdit { name: Some(name), members: Some(members) };
            ssr::services()?.groups.change(&ssr::actor()?, id, edit, Version(seen)).await?;
            ssr::redirect("/settings/groups?done=save");
            Ok(())
        }
        .await,
    )
}

/// Deletes a group.
#[server(name = DeleteGroup, prefix = "/fn", endpoint = "delete_group", output = JsonOutput)]
pub async fn delete_group(id: GroupId, seen: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.groups.delete(&ssr::actor()?, id, Version(seen)).await?;
            ssr::redirect("/settings/groups?done=delete");
            Ok(())
        }
        .await,
    )
}

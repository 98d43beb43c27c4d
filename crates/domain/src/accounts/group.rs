//! Groups: named sets of accounts. A group stands for its members when reviewers are asked or people are
//! invited: what was asked or invited stays as it is when the group changes.

use crate::{
    AccountId, Actor, DomainError, GroupId, Version, error::ValidationError, text::find_forbidden_char,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Maximum length of a name, characters.
pub const MAX_GROUP_NAME: usize = 60;
/// Maximum number of groups of a desk.
pub const MAX_GROUPS: usize = 100;
/// Maximum number of members of a group.
pub const MAX_GROUP_MEMBERS: usize = 100;

/// A member of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupMember {
    /// The account.
    pub id: AccountId,
    /// Its name.
    pub name: String,
    /// Whether it may review articles now: it is enabled, and a reviewer or an admin.
    pub may_review: bool,
    /// Whether it is disabled. It stays a member, but nothing is asked of it.
    pub is_disabled: bool,
}

/// A group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Id.
    pub id: GroupId,
    /// Name; no two groups have the same one, without regard to case.
    pub name: String,
    /// Members, by name.
    pub members: Vec<GroupMember>,
    /// Increases with every change.
    pub version: Version,
}

/// What changes of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupEdit {
    /// New name; `None`: it stays.
    pub name: Option<String>,
    /// All members; `None`: they stay.
    pub members: Option<Vec<AccountId>>,
}

/// Groups of accounts. Every account sees them, admins change them.
#[async_trait]
pub trait Groups: Send + Sync {
    /// All groups, by name.
    async fn list(&self, actor: &Actor) -> Result<Vec<Group>, DomainError>;
    /// Creates a group. `Taken` if another one has this name. Admins only.
    async fn create(
        &self,
        actor: &Actor,
        name: String,
        members: Vec<AccountId>,
    ) -> Result<Group, DomainError>;
    /// Changes a group. `NoSuch`; `Changed` if `seen` is not its version; `Taken`. Admins only.
    async fn change(
        &self,
        actor: &Actor,
        id: GroupId,
        edit: GroupEdit,
        seen: Version,
    ) -> Result<Group, DomainError>;
    /// Deletes a group. `NoSuch`; `Changed` if `seen` is not its version. Admins only.
    async fn delete(&self, actor: &Actor, id: GroupId, seen: Version) -> Result<(), DomainError>;
    /// The members of these groups that may review, each once, without the account `except`. `Invalid`
    /// names the field `groups`: one is unknown, or has no such member.
    async fn reviewers_of(
        &self,
        actor: &Actor,
        groups: Vec<GroupId>,
        except: Option<AccountId>,
    ) -> Result<Vec<AccountId>, DomainError>;
}

/// Returns a name without blanks around it; `Invalid` names the field `name`.
pub fn checked_group_name(name: &str) -> Result<String, DomainError> {
    let name = name.trim();
    let problem = if name.is_empty() {
        ValidationError::Empty
    } else if name.chars().count() > MAX_GROUP_NAME {
        ValidationError::TooLong { max: u32::try_from(MAX_GROUP_NAME).unwrap_or(u32::MAX) }
    } else if find_forbidden_char(name).is_some() {
        ValidationError::BadCharacters
    } else {
        return Ok(name.to_owned());
    };
    Err(DomainError::invalid("name", problem))
}

/// Returns what two names have in common that differ in case only.
#[must_use]
pub fn group_name_key(name: &str) -> String {
    name.to_lowercase()
}

/// Returns the members of the groups `chosen` that may review, each once and by group, without `except`.
pub fn reviewers_of(
    all: &[Group],
    chosen: &[GroupId],
    except: Option<AccountId>,
) -> Result<Vec<AccountId>, DomainError> {
    let mut found: Vec<AccountId> = Vec::new();
    for id in chosen {
        let group = all.iter().find(|group| group.id == *id);
        let group = group.ok_or_else(|| DomainError::invalid("groups", ValidationError::Unknown))?;
        let may_be_asked = |member: &&GroupMember| member.may_review && Some(member.id) != except;
        let reviewers: Vec<AccountId> =
            group.members.iter().filter(may_be_asked).map(|member| member.id).collect();
        if reviewers.is_empty() {
            return Err(DomainError::invalid("groups", ValidationError::Empty));
        }
        let new: Vec<AccountId> = reviewers.into_iter().filter(|one| !found.contains(one)).collect();
        found.extend(new);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(may_review: bool) -> GroupMember {
        let id = AccountId::generate();
        GroupMember { id, name: "A person".to_owned(), may_review, is_disabled: false }
    }

    fn group(members: &[&GroupMember]) -> Group {
        let members = members.iter().map(|member| (*member).clone()).collect();
        Group { id: GroupId::generate(), name: "Desk".to_owned(), members, version: Version::FIRST }
    }

    #[test]
    fn names_have_limits_and_are_equal_without_case() {
        assert_eq!(checked_group_name("  Legal "), Ok("Legal".to_owned()));
        for name in ["", " \t", "a\u{0}b", "a\u{202E}b", &*"n".repeat(61)] {
            assert_eq!(checked_group_name(name).unwrap_err().field(), Some("name"), "{name:?}");
        }
        assert!(checked_group_name(&"图".repeat(60)).is_ok());
        assert_eq!(group_name_key("ÜBERSETZUNG"), group_name_key("Übersetzung"));
    }

    #[test]
    fn a_group_stands_for_its_members_that_may_review() {
        let (one, two, writer) = (member(true), member(true), member(false));
        let all = [group(&[&one, &two, &writer]), group(&[&two]), group(&[&writer])];
        let of = |places: &[usize], except| {
            let chosen: Vec<GroupId> = places.iter().map(|place| all[*place].id).collect();
            reviewers_of(&all, &chosen, except)
        };
        assert_eq!(of(&[], None), Ok(Vec::new()));
        assert_eq!(of(&[0, 1], None), Ok(vec![one.id, two.id]), "each once");
        assert_eq!(of(&[0], Some(two.id)), Ok(vec![one.id]), "not the owner");
        let empty = DomainError::invalid("groups", ValidationError::Empty);
        assert_eq!(of(&[0, 2], None), Err(empty.clone()));
        assert_eq!(of(&[1], Some(two.id)), Err(empty));
        let unknown = DomainError::invalid("groups", ValidationError::Unknown);
        assert_eq!(reviewers_of(&all, &[GroupId::generate()], None), Err(unknown));
    }
}

//! Groups of accounts, and their members.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    AccountId, GroupId, Role, Timestamp, Version,
    accounts::group::{Group, GroupMember, group_name_key},
};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// A stored group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct GroupRow {
        id: Uuid,
        name: String,
        version: i32,
    }
}

row! {
    /// A stored member.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct MemberRow {
        group_id: Uuid,
        account_id: Uuid,
        name: String,
        role: String,
        is_disabled: i32,
    }
}

impl MemberRow {
    fn member(self) -> GroupMember {
        let is_disabled = self.is_disabled != 0;
        let is_reviewer = self.role.parse().is_ok_and(|role: Role| role >= Role::Reviewer);
        let (id, name) = (AccountId(self.account_id), self.name);
        GroupMember { id, name, may_review: is_reviewer && !is_disabled, is_disabled }
    }
}

/// Returns all groups with their members, both by name.
pub async fn list(mut conn: Conn<'_>) -> Result<Vec<Group>, StoreError> {
    let groups: Vec<GroupRow> = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "select id, name, version from account_group order by name_key, id").fetch_all(c).await)?;
    let members: Vec<MemberRow> = with_conn!(conn, c => sqlx::query_as(
        "select m.group_id, m.account_id, a.name, a.role, a.is_disabled
           from account_group_member m
           join account a on a.id = m.account_id
          order by a.name, a.id").fetch_all(c).await)?;
    let mut by_group: HashMap<Uuid, Vec<GroupMember>> = HashMap::new();
    for row in members {
        by_group.entry(row.group_id).or_default().push(row.member());
    }
    let with_members = |row: GroupRow| {
        let members = by_group.remove(&row.id).unwrap_or_default();
        Group { id: GroupId(row.id), name: row.name, members, version: Version(row.version) }
    };
    Ok(groups.into_iter().map(with_members).collect())
}

/// Stores a group without members. [`StoreError::is_unique_violation`]: another one has this name.
pub async fn create(conn: Conn<'_>, id: GroupId, name: &str, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into account_group (id, name, name_key, created_at) values ($1, $2, $3, $4)")
        .bind(id.0).bind(name).bind(group_name_key(name)).bind(now.millis())
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Gives a group its next version if it has the version `seen`, and a name if there is a new one. Returns
/// whether it had. [`StoreError::is_unique_violation`]: another one has this name.
pub async fn change(
    conn: Conn<'_>,
    (id, seen): (GroupId, Version),
    name: Option<&str>,
) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "update account_group
            set name = coalesce($3, name), name_key = coalesce($4, name_key), version = version + 1
          where id = $1 and version = $2
         returning version")
        .bind(id.0).bind(seen.0).bind(name).bind(name.map(group_name_key)).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Whether there is such a group.
pub async fn exists(conn: Conn<'_>, id: GroupId) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select version from account_group where id = $1")
        .bind(id.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Deletes a group if it has the version `seen`. Returns its name; `None`: it has another version, or there
/// is none.
pub async fn delete(conn: Conn<'_>, (id, seen): (GroupId, Version)) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "delete from account_group where id = $1 and version = $2 returning name")
        .bind(id.0).bind(seen.0).fetch_optional(c).await)?)
}

/// Replaces the members of a group. Returns how many of these accounts there are: unknown ones are not
/// stored.
pub async fn set_members(mut conn: Conn<'_>, id: GroupId, members: &[Uuid]) -> Result<u64, StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from account_group_member where group_id = $1")
        .bind(id.0).execute(c).await?.rows_affected());
    let stored = match conn {
        _ if members.is_empty() => return Ok(0),
        Conn::Sqlite(c) => sqlx::query(
            "insert into account_group_member (group_id, account_id)
             select $1, id from account where id in (select unhex(value) from jsonb_each($2))",
        )
        .bind(id.0)
        .bind(encode(members.iter().map(Uuid::as_simple))?)
        .execute(c)
        .await?
        .rows_affected(),
        Conn::Postgres(c) => sqlx::query(
            "insert into account_group_member (group_id, account_id)
             select $1, id from account where id = any($2)",
        )
        .bind(id.0)
        .bind(column(members, |member| *member))
        .execute(c)
        .await?
        .rows_affected(),
    };
    Ok(stored)
}

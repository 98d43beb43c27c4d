//! Saved views of lists.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{
    AccountId, SavedViewId, Timestamp, Version,
    accounts::saved_view::{NewSavedView, SavedView, ViewedList},
};
use uuid::Uuid;

row! {
    /// A stored view.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct ViewRow {
        id: Uuid,
        list: String,
        name: String,
        query: String,
        version: i32,
    }
}

impl ViewRow {
    fn view(self) -> Result<SavedView, StoreError> {
        let list = self.list.parse().map_err(|_| StoreError::Corrupt(format!("list: {:?}", self.list)))?;
        let (id, version) = (SavedViewId(self.id), Version(self.version));
        Ok(SavedView { id, list, name: self.name, query: self.query, version })
    }
}

/// Returns the views of an account for a list, by name.
pub async fn list(
    conn: Conn<'_>,
    account: AccountId,
    list: ViewedList,
) -> Result<Vec<SavedView>, StoreError> {
    let rows: Vec<ViewRow> = with_conn!(conn, c => sqlx::query_as(
        "select id, list, name, query, version from saved_view
          where account_id = $1 and list = $2 order by name, id")
        .bind(account.0).bind(list.as_str()).fetch_all(c).await)?;
    rows.into_iter().map(ViewRow::view).collect()
}

/// Stores a view; one with the same name gets its filters.
pub async fn save(
    conn: Conn<'_>,
    account: AccountId,
    new: &NewSavedView,
    now: Timestamp,
) -> Result<SavedView, StoreError> {
    let row: ViewRow = with_conn!(conn, c => sqlx::query_as(
        "insert into saved_view (id, account_id, list, name, query, created_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (account_id, list, name) do update
            set query = excluded.query, version = saved_view.version + 1
         returning id, list, name, query, version")
        .bind(SavedViewId::generate().0).bind(account.0).bind(new.list.as_str()).bind(&new.name)
        .bind(&new.query).bind(now.millis()).fetch_one(c).await)?;
    row.view()
}

/// Renames a view of the account if it has the version `seen`. `None`: it has another one, or there is
/// none. [`StoreError::is_unique_violation`]: another view of the list has this name.
pub async fn rename(
    conn: Conn<'_>,
    account: AccountId,
    (id, seen): (SavedViewId, Version),
    name: &str,
) -> Result<Option<SavedView>, StoreError> {
    let row: Option<ViewRow> = with_conn!(conn, c => sqlx::query_as(
        "update saved_view set name = $4, version = version + 1
          where id = $1 and account_id = $2 and version = $3
         returning id, list, name, query, version")
        .bind(id.0).bind(account.0).bind(seen.0).bind(name).fetch_optional(c).await)?;
    row.map(ViewRow::view).transpose()
}

/// Whether the account has the view.
pub async fn exists(conn: Conn<'_>, account: AccountId, id: SavedViewId) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select version from saved_view where id = $1 and account_id = $2")
        .bind(id.0).bind(account.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Deletes a view of the account if it has the version `seen`, and returns it. `None`: it has another
/// one, or there is none.
pub async fn delete(
    conn: Conn<'_>,
    account: AccountId,
    (id, seen): (SavedViewId, Version),
) -> Result<Option<SavedView>, StoreError> {
    let row: Option<ViewRow> = with_conn!(conn, c => sqlx::query_as(
        "delete from saved_view where id = $1 and account_id = $2 and version = $3
         returning id, list, name, query, version")
        .bind(id.0).bind(account.0).bind(seen.0).fetch_optional(c).await)?;
    row.map(ViewRow::view).transpose()
}

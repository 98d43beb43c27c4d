//! Settings: names and values.

use crate::{Conn, StoreError, db::with_conn};
use domain::{account::Language, settings::SiteSettings};

/// Returns all stored settings.
pub async fn all(conn: Conn<'_>) -> Result<Vec<(String, String)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as("select name, value from setting").fetch_all(c).await)?)
}

/// Returns the value of a setting; `None`: never set.
pub async fn find(conn: Conn<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select value from setting where name = $1")
        .bind(name).fetch_optional(c).await)?)
}

/// Sets a setting.
pub async fn put(conn: Conn<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value")
        .bind(name).bind(value).execute(c).await?.rows_affected());
    Ok(())
}

/// Replaces the value `from` of a setting. `false`: it has another value.
pub async fn replace(conn: Conn<'_>, name: &str, (from, to): (&str, &str)) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query("update setting set value = $3 where name = $1 and value = $2")
        .bind(name).bind(from).bind(to).execute(c).await?.rows_affected());
    Ok(changed == 1)
}

/// Locks a setting until the transaction ends.
pub async fn lock(conn: Conn<'_>, name: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update setting set name = name where name = $1")
        .bind(name).execute(c).await?.rows_affected());
    Ok(())
}

/// Sets a setting unless it is set; returns its value.
pub async fn put_if_absent(mut conn: Conn<'_>, name: &str, value: &str) -> Result<String, StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into setting (name, value) values ($1, $2) on conflict (name) do nothing")
        .bind(name).bind(value).execute(c).await?.rows_affected());
    Ok(with_conn!(conn, c => sqlx::query_scalar("select value from setting where name = $1")
        .bind(name).fetch_one(c).await)?)
}

/// Returns the settings of the site; the defaults are *Presstime*, UTC and English.
pub async fn site_settings(conn: Conn<'_>) -> Result<SiteSettings, StoreError> {
    let mut settings =
        SiteSettings { title: "Presstime".to_owned(), zone: "UTC".to_owned(), language: Language::En };
    for (name, value) in all(conn).await? {
        match name.as_str() {
            "title" => settings.title = value,
            "time_zone" => settings.zone = value,
            "language" => settings.language = value.parse().unwrap_or(Language::En),
            _ => {}
        }
    }
    Ok(settings)
}

/// Stores the settings of the site.
pub async fn put_site_settings(conn: Conn<'_>, settings: &SiteSettings) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into setting (name, value) values ('title', $1), ('time_zone', $2), ('language', $3)
         on conflict (name) do update set value = excluded.value")
        .bind(&settings.title).bind(&settings.zone).bind(settings.language.as_str()).execute(c).await?.rows_affected());
    Ok(())
}

/// Changes the time zone of the desk if it still is `from`. `false`: it is another one.
pub async fn change_time_zone(conn: Conn<'_>, from: &str, to: &str) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "insert into setting (name, value) values ('time_zone', $2)
         on conflict (name) do update set value = excluded.value where setting.value = $1")
        .bind(from).bind(to).execute(c).await?.rows_affected());
    Ok(changed == 1)
}

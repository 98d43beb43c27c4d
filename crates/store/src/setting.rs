//! Settings: names and values.

use crate::{Conn, StoreError, db::on};
use domain::{person::Language, settings::DeskSettings};

/// Every setting that is stored.
pub async fn all(conn: Conn<'_>) -> Result<Vec<(String, String)>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as("select name, value from setting").fetch_all(c).await)?)
}

/// The value of one setting; `None`: never set.
pub async fn find(conn: Conn<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar("select value from setting where name = $1")
        .bind(name).fetch_optional(c).await)?)
}

/// Sets one.
pub async fn put(conn: Conn<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value")
        .bind(name).bind(value).execute(c).await?.rows_affected());
    Ok(())
}

/// Sets one unless it is set; returns what it is now.
pub async fn put_first(mut conn: Conn<'_>, name: &str, value: &str) -> Result<String, StoreError> {
    on!(conn.again(), c => sqlx::query(
        "insert into setting (name, value) values ($1, $2) on conflict (name) do nothing")
        .bind(name).bind(value).execute(c).await?.rows_affected());
    Ok(on!(conn, c => sqlx::query_scalar("select value from setting where name = $1")
        .bind(name).fetch_one(c).await)?)
}

/// The settings of the desk; *Presstime* in UTC and English until somebody sets them.
pub async fn desk(conn: Conn<'_>) -> Result<DeskSettings, StoreError> {
    let mut settings =
        DeskSettings { title: "Presstime".to_owned(), zone: "UTC".to_owned(), language: Language::En };
    for (name, value) in all(conn).await? {
        match name.as_str() {
            "title" => settings.title = value,
            "zone" => settings.zone = value,
            "language" => settings.language = value.parse().unwrap_or(Language::En),
            _ => {}
        }
    }
    Ok(settings)
}

/// Sets the settings of the desk.
pub async fn put_desk(conn: Conn<'_>, settings: &DeskSettings) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into setting (name, value) values ('title', $1), ('zone', $2), ('language', $3)
         on conflict (name) do update set value = excluded.value")
        .bind(&settings.title).bind(&settings.zone).bind(settings.language.as_str()).execute(c).await?.rows_affected());
    Ok(())
}

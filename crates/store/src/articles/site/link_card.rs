//! Cards of links that are a whole paragraph: what their pages say, stored with each revision.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

row! {
    /// A card.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LinkCard {
        /// Address of the link.
        pub url: String,
        /// Title of the page.
        pub title: String,
        /// Its description; empty: none.
        pub description: String,
        /// Name of its site; empty: none.
        pub site: String,
    }
}

row! {
    /// A link whose page is to be read.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WaitingLink {
        /// SHA-256 of the address, in hex.
        pub url_hash: String,
        /// Address of the link.
        pub url: String,
    }
}

/// What is asked for, when a text is saved.
#[derive(Debug, Clone, Copy)]
pub struct AskedCards<'l> {
    /// The revision.
    pub revision: Uuid,
    /// Account that saves it.
    pub account: AccountId,
    /// Hash and address of each link.
    pub links: &'l [(String, String)],
    /// Time of saving.
    pub at: Timestamp,
}

/// Limits for reading pages.
#[derive(Debug, Clone, Copy)]
pub struct CardLimits {
    /// A card that was read since this moment is used again.
    pub card_since: Timestamp,
    /// A page without a card that was read since this moment is not read again.
    pub failure_since: Timestamp,
    /// Begin of the day for which pages of an account are counted.
    pub day_since: Timestamp,
    /// Maximum number of pages that are read for an account since then.
    pub per_account: u32,
}

/// Attempts that another node may still make.
#[derive(Debug, Clone, Copy)]
pub struct Attempts {
    /// An attempt that began before this moment has ended.
    pub ended_before: Timestamp,
    /// Maximum number of attempts.
    pub max: i32,
}

/// A statement on links, a JSON array of arrays, as rows `l` with a column `value`.
macro_rules! of_links {
    (sqlite: $before:literal, $after:literal) => {
        concat!($before, " from jsonb_each($1) l ", $after)
    };
    (postgres: $before:literal, $after:literal) => {
        concat!($before, " from json_array_elements($1::json) as l (value) ", $after)
    };
}

/// Stores the links of a revision: with the newest card of their page, else as waiting. Over the limit of
/// the account they stay links.
pub async fn ask(conn: Conn<'_>, asked: AskedCards<'_>, limits: CardLimits) -> Result<(), StoreError> {
    if asked.links.is_empty() {
        return Ok(());
    }
    macro_rules! insert {
        ($database:ident) => {
            of_links!($database:
                "insert into link_card (revision_id, url_hash, url, account_id, asked_at, answered_at, title,
                                        description, site)
                 select $2, l.value ->> 0, l.value ->> 1, $3,
                        case when c.answered_at is null then cast($4 as bigint) end, c.answered_at, c.title,
                        coalesce(c.description, ''), coalesce(c.site, '')",
                "left join link_card c
                   on c.url_hash = l.value ->> 0
                  and c.revision_id = (
                        select n.revision_id
                          from link_card n
                         where n.url_hash = l.value ->> 0
                           and n.answered_at >= case when n.title is null then cast($6 as bigint)
                                                     else cast($5 as bigint) end
                         order by n.answered_at desc, n.revision_id desc
                         limit 1)
                  where c.answered_at is not null
                     or (select count(*) from link_card a where a.account_id = $3 and a.asked_at >= $7) < $8
                 on conflict (revision_id, url_hash) do nothing")
        };
    }
    let links = encode(asked.links)?;
    let statement = match &conn {
        Conn::Sqlite(_) => insert!(sqlite),
        Conn::Postgres(_) => insert!(postgres),
    };
    with_conn!(conn, c => sqlx::query(statement)
        .bind(links).bind(asked.revision).bind(asked.account.0).bind(asked.at.millis())
        .bind(limits.card_since.millis()).bind(limits.failure_since.millis())
        .bind(limits.day_since.millis()).bind(i64::from(limits.per_account))
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Gives a revision with the same text the cards of an earlier one.
pub async fn copy(conn: Conn<'_>, from: Uuid, to: Uuid) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into link_card (revision_id, url_hash, url, account_id, asked_at, attempts, tried_at, answered_at,
                                title, description, site)
         select $2, url_hash, url, account_id, case when answered_at is null then asked_at end, attempts, tried_at,
                answered_at, title, description, site
           from link_card
          where revision_id = $1
         on conflict (revision_id, url_hash) do nothing")
        .bind(from).bind(to).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns links whose pages are to be read: the first of each account, then the second of each.
pub async fn waiting(conn: Conn<'_>, attempts: Attempts, limit: u32) -> Result<Vec<WaitingLink>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select w.url_hash, w.url
           from (select url_hash, url, asked_at,
                        row_number() over (partition by account_id order by asked_at, url_hash) as turn
                   from link_card
                  where answered_at is null and attempts < $1 and (tried_at is null or tried_at < $2)) w
          order by w.turn, w.asked_at, w.url_hash
          limit $3")
        .bind(attempts.max).bind(attempts.ended_before.millis()).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Begins an attempt to read a page. `false`: another node has begun one, or the page was read.
pub async fn begin(
    conn: Conn<'_>,
    url_hash: &str,
    attempts: Attempts,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let rows = with_conn!(conn, c => sqlx::query(
        "update link_card set attempts = attempts + 1, tried_at = $4
          where url_hash = $1 and answered_at is null and attempts < $2 and (tried_at is null or tried_at < $3)")
        .bind(url_hash).bind(attempts.max).bind(attempts.ended_before.millis()).bind(now.millis())
        .execute(c).await?.rows_affected());
    Ok(rows > 0)
}

/// Stores what a page says for all texts that wait for it. `None`: it has no card.
pub async fn answer(
    conn: Conn<'_>,
    url_hash: &str,
    card: Option<&LinkCard>,
    now: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update link_card set answered_at = $2, title = $3, description = $4, site = $5
          where url_hash = $1 and answered_at is null")
        .bind(url_hash).bind(now.millis()).bind(card.map(|card| card.title.as_str()))
        .bind(card.map_or("", |card| card.description.as_str())).bind(card.map_or("", |card| card.site.as_str()))
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the cards of a revision.
pub async fn of_revision(conn: Conn<'_>, revision: Uuid) -> Result<Vec<LinkCard>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select url, title, description, site from link_card where revision_id = $1 and title is not null
          order by url_hash")
        .bind(revision).fetch_all(c).await)?)
}

/// Returns the newest card of each of these links, by their hashes and addresses.
pub async fn newest(conn: Conn<'_>, links: &[(String, String)]) -> Result<Vec<LinkCard>, StoreError> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    macro_rules! select {
        ($database:ident) => {
            of_links!($database:
                "select c.url, c.title, c.description, c.site",
                "join link_card c
                   on c.url_hash = l.value ->> 0
                  and c.revision_id = (
                        select n.revision_id
                          from link_card n
                         where n.url_hash = l.value ->> 0 and n.answered_at is not null and n.title is not null
                         order by n.answered_at desc, n.revision_id desc
                         limit 1)")
        };
    }
    let statement = match &conn {
        Conn::Sqlite(_) => select!(sqlite),
        Conn::Postgres(_) => select!(postgres),
    };
    let links = encode(links)?;
    Ok(with_conn!(conn, c => sqlx::query_as(statement).bind(links).fetch_all(c).await)?)
}

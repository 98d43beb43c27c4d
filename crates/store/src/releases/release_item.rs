//! The articles of releases.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    ReleaseId,
    releases::{ItemFacts, ReleaseAction},
};
use uuid::Uuid;

row! {
    /// An article of a release.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ItemRow {
        /// Id of the release.
        pub release_id: Uuid,
        /// Id of the article.
        pub article_id: Uuid,
        /// Word of the action.
        pub action: String,
        /// The pinned revision; `None`: the article is unpublished.
        pub revision_id: Option<Uuid>,
        /// Title of the pinned revision, or of the article; `None`: it does not exist.
        pub title: Option<String>,
        /// Owner of the article; `None`: it does not exist.
        pub owner_id: Option<Uuid>,
        /// When the article was moved to the trash, milliseconds.
        pub deleted_at: Option<i64>,
        /// Current revision of the article.
        pub current_id: Option<Uuid>,
        /// Number of the pinned revision; `None`: it does not exist.
        pub pinned: Option<i32>,
        /// Id of the public revision.
        pub public_id: Option<Uuid>,
        /// Number of the public revision.
        pub public_number: Option<i32>,
        /// What was public before the release was published: the revision.
        pub was_revision_id: Option<Uuid>,
        /// Since when it was public, milliseconds.
        pub was_published_at: Option<i64>,
        /// When its text was last replaced, milliseconds.
        pub was_updated_at: Option<i64>,
        /// 1 if another release that is not published has the article.
        pub is_elsewhere: Option<i32>,
    }
}

impl ItemRow {
    /// What the release does with the article.
    pub fn action(&self) -> Result<ReleaseAction, StoreError> {
        self.action.parse().map_err(|_| StoreError::Corrupt(format!("action {:?}", self.action)))
    }

    /// What is known of it, for decisions.
    pub fn facts(&self) -> Result<ItemFacts, StoreError> {
        Ok(ItemFacts {
            action: self.action()?,
            exists: self.owner_id.is_some(),
            is_deleted: self.deleted_at.is_some(),
            pinned: self.pinned,
            public: self.public_number,
        })
    }
}

/// A new article of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewItemRow {
    /// Id of the article.
    pub article: Uuid,
    /// What the release does with it.
    pub action: ReleaseAction,
    /// The pinned revision; `None`: it is unpublished.
    pub revision: Option<Uuid>,
}

/// A select of [`ItemRow`]s.
macro_rules! select {
    ($which:literal) => {
        concat!(
            "select i.release_id, i.article_id, i.action, i.revision_id, coalesce(r.title, a.title) as title, a.owner_id,
                    a.deleted_at, a.revision_id as current_id, r.number as pinned, p.id as public_id,
                    p.number as public_number, i.was_revision_id, i.was_published_at, i.was_updated_at,
                    (select 1 from article_release_item o
                      where o.article_id = i.article_id and o.is_open = 1 and o.release_id <> i.release_id) as is_elsewhere
               from article_release_item i
               left join article a on a.id = i.article_id
               left join revision r on r.id = i.revision_id and r.article_id = i.article_id
               left join revision p on p.id = a.published_revision_id
              where i.release_id ",
            $which,
            " order by i.release_id, i.place"
        )
    };
}

/// Returns the articles of these releases, in order.
pub async fn of_releases(conn: Conn<'_>, releases: &[Uuid]) -> Result<Vec<ItemRow>, StoreError> {
    Ok(match conn {
        _ if releases.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(releases.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(select!("= any($1)")).bind(releases).fetch_all(c).await?,
    })
}

/// Replaces the articles of a release. [`StoreError::is_unique_violation`]: one of them is in another open
/// release.
pub async fn replace(mut conn: Conn<'_>, release: ReleaseId, items: &[NewItemRow]) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from article_release_item where release_id = $1")
        .bind(release.0).execute(c).await?.rows_affected());
    match conn {
        _ if items.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows = items
                .iter()
                .map(|one| (one.article.simple(), one.action.as_str(), one.revision.map(Uuid::simple)));
            sqlx::query(
                "insert into article_release_item (release_id, article_id, place, action, revision_id)
                 select $2, unhex(value ->> 0), key, value ->> 1, unhex(value ->> 2) from jsonb_each($1)",
            )
            .bind(encode(rows)?)
            .bind(release.0)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into article_release_item (release_id, article_id, place, action, revision_id)
                 select $4, article_id, place - 1, action, revision_id
                   from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as new (article_id, action, revision_id, place)",
            )
            .bind(column(items, |one| one.article))
            .bind(column(items, |one| one.action.as_str()))
            .bind(column(items, |one| one.revision))
            .bind(release.0)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// An article that another release has.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TakenRow {
        /// Id of the article.
        pub article_id: Uuid,
        /// Its title.
        pub title: String,
        /// Name of that release.
        pub release: String,
    }
}

/// A select of [`TakenRow`]s.
macro_rules! taken {
    ($which:literal) => {
        concat!(
            "select i.article_id, coalesce(a.title, '') as title, r.name as release
               from article_release_item i
               join article_release r on r.id = i.release_id
               left join article a on a.id = i.article_id
              where i.is_open = 1 and i.release_id <> $2 and i.article_id ",
            $which,
            " order by i.article_id"
        )
    };
}

/// Returns those of the articles that are in an open release other than this one.
pub async fn taken(
    conn: Conn<'_>,
    release: ReleaseId,
    articles: &[Uuid],
) -> Result<Vec<TakenRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(taken!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(articles.iter().map(Uuid::as_simple))?)
                .bind(release.0)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(taken!("= any($1)")).bind(articles).bind(release.0).fetch_all(c).await?
        }
    })
}

row! {
    /// A revision to pin.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PinnedRow {
        /// Id of the article.
        pub article_id: Uuid,
        /// Number of the revision.
        pub number: i32,
        /// Its id.
        pub id: Uuid,
    }
}

/// Returns the revisions with these numbers, of those that exist.
pub async fn revisions(conn: Conn<'_>, numbers: &[(Uuid, i32)]) -> Result<Vec<PinnedRow>, StoreError> {
    Ok(match conn {
        _ if numbers.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select r.article_id, r.number, r.id
                   from jsonb_each($1) w
                   join revision r on r.article_id = unhex(w.value ->> 0) and r.number = w.value ->> 1",
            )
            .bind(encode(numbers.iter().map(|(article, number)| (article.simple(), number)))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select r.article_id, r.number, r.id
                   from unnest($1::uuid[], $2::integer[]) as w (article_id, number)
                   join revision r on r.article_id = w.article_id and r.number = w.number",
            )
            .bind(column(numbers, |(article, _)| *article))
            .bind(column(numbers, |(_, number)| *number))
            .fetch_all(c)
            .await?
        }
    })
}

/// Locks the articles of these releases, in id order, as far as no other transaction holds them: it does
/// not wait, because this transaction holds other targets. Returns the existing ones that are still locked
/// by others.
pub async fn lock(conn: Conn<'_>, releases: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(Vec::new()) };
    Ok(sqlx::query_scalar(
        "with mine as materialized (
             select g.id
               from target g
              where g.id in (select i.article_id from article_release_item i where i.release_id = any($1))
              order by g.id
                for no key update skip locked)
         select g.id
           from article_release_item i
           join target g on g.id = i.article_id
          where i.release_id = any($1) and g.id not in (select id from mine)",
    )
    .bind(releases)
    .fetch_all(c)
    .await?)
}

/// Remembers what is public of the articles, and closes their items: they may be in other releases then.
pub async fn remember(conn: Conn<'_>, releases: &[Uuid]) -> Result<(), StoreError> {
    macro_rules! remember {
        ($which:literal) => {
            concat!(
                "update article_release_item
                    set is_open = 0,
                        was_revision_id = (select a.published_revision_id from article a where a.id = article_id),
                        was_published_at = (select a.published_at from article a where a.id = article_id),
                        was_updated_at = (select a.updated_at from article a where a.id = article_id)
                  where release_id ",
                $which
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(remember!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(releases.iter().map(Uuid::as_simple))?)
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(remember!("= any($1)")).bind(releases).execute(c).await?;
        }
    }
    Ok(())
}

/// Opens the items of reverted releases again.
pub async fn reopen(conn: Conn<'_>, releases: &[Uuid]) -> Result<(), StoreError> {
    macro_rules! reopen {
        ($which:literal) => {
            concat!(
                "update article_release_item
                    set is_open = 1, was_revision_id = null, was_published_at = null, was_updated_at = null
                  where release_id ",
                $which
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(reopen!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(releases.iter().map(Uuid::as_simple))?)
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(reopen!("= any($1)")).bind(releases).execute(c).await?;
        }
    }
    Ok(())
}

/// Returns the articles that these releases publish and that are not published yet.
pub async fn published_by(conn: Conn<'_>, releases: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    macro_rules! published_by {
        ($which:literal) => {
            concat!(
                "select article_id from article_release_item
                  where is_open = 1 and action = 'publish' and release_id ",
                $which,
                " order by article_id"
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(published_by!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(releases.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(published_by!("= any($1)")).bind(releases).fetch_all(c).await?
        }
    })
}

/// Removes these revisions from the releases that are not published.
pub async fn remove_texts(conn: Conn<'_>, revisions: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        _ if revisions.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from article_release_item
                  where is_open = 1 and revision_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from article_release_item where is_open = 1 and revision_id = any($1)")
                .bind(revisions)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

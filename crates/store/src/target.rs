//! Articles as targets of tasks: locked before their tasks, in id order.

use crate::{Conn, StoreError, batch::pack, db::on, row::row};
use domain::PersonId;
use uuid::Uuid;

row! {
    /// An article as scheduling sees it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Target {
        /// Identity.
        pub id: Uuid,
        /// Whose it is.
        pub owner_id: Uuid,
        /// What they are called.
        pub owner: String,
        /// Name in the address.
        pub slug: String,
        /// Title of the current revision.
        pub title: String,
        /// The current revision.
        pub revision_id: Uuid,
        /// The public revision.
        pub public_revision_id: Option<Uuid>,
        /// Since when it is public, milliseconds.
        pub published_at: Option<i64>,
        /// When what is public was last replaced, milliseconds.
        pub updated_at: Option<i64>,
        /// In the trash since, milliseconds.
        pub deleted_at: Option<i64>,
    }
}

impl Target {
    /// Whose it is.
    #[must_use]
    pub fn owner(&self) -> PersonId {
        PersonId(self.owner_id)
    }

    /// Where it stands on the site.
    #[must_use]
    pub fn public(&self) -> Option<Public> {
        let (revision_id, published_at) = (self.public_revision_id?, self.published_at?);
        Some(Public { revision_id, published_at, updated_at: self.updated_at })
    }
}

/// What an article shows on the site, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Public {
    /// The revision.
    pub revision_id: Uuid,
    /// Since when the article is public, milliseconds.
    pub published_at: i64,
    /// When its text was last replaced, milliseconds.
    pub updated_at: Option<i64>,
}

macro_rules! target {
    ($rest:literal) => {
        concat!(
            "select a.id, a.owner_id, coalesce(p.name, '') as owner, a.slug, a.title, a.revision_id,
                    a.published_revision_id as public_revision_id, a.published_at, a.updated_at, a.deleted_at
               from article a
               left join person p on p.id = a.owner_id ",
            $rest
        )
    };
}

/// Locks the articles, in id order, until the transaction ends. Those that do not exist are missing from the answer.
pub async fn lock(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Target>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(target!("where a.id in (select unhex(value) from jsonb_each($1)) order by a.id"))
                .bind(pack(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(target!("where a.id = any($1) order by a.id for no key update of a"))
                .bind(ids)
                .fetch_all(c)
                .await?
        }
    })
}

/// Marks their current texts as good to go out.
pub async fn approve(conn: Conn<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update article set state = 'approved'
                  where id in (select unhex(value) from jsonb_each($1)) and state <> 'approved'",
            )
            .bind(pack(ids.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("update article set state = 'approved' where id = any($1) and state <> 'approved'")
                .bind(ids)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Puts an article back to where it stood on the site; `None`: off it. `was` is what must be there now. Returns the number of the
/// revision that is public then, or of the current one where none is; `None`: nothing changed.
pub async fn put_back(
    conn: Conn<'_>,
    id: Uuid,
    was: Option<Uuid>,
    public: Option<Public>,
) -> Result<Option<i32>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "update article
            set published_revision_id = $3, published_at = $4, updated_at = $5
          where id = $1 and published_revision_id is not distinct from $2 and deleted_at is null
         returning (select r.number from revision r where r.id = coalesce(published_revision_id, revision_id))")
        .bind(id).bind(was)
        .bind(public.map(|public| public.revision_id))
        .bind(public.map(|public| public.published_at))
        .bind(public.and_then(|public| public.updated_at))
        .fetch_optional(c).await)?)
}

//! Articles as targets of tasks. Targets are locked before tasks, in id order.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::AccountId;
use uuid::Uuid;

row! {
    /// An article, as scheduling needs it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Target {
        /// Id.
        pub id: Uuid,
        /// Owner.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// Slug.
        pub slug: String,
        /// Title of the current revision.
        pub title: String,
        /// Id of the current revision.
        pub revision_id: Uuid,
        /// Id of the published revision; `None`: not public.
        pub public_revision_id: Option<Uuid>,
        /// When it was first published, milliseconds.
        pub published_at: Option<i64>,
        /// When the published text was last replaced, milliseconds.
        pub updated_at: Option<i64>,
        /// When it was moved to the trash, milliseconds; `None`: it is not there.
        pub deleted_at: Option<i64>,
    }
}

impl Target {
    /// Owner.
    #[must_use]
    pub fn owner(&self) -> AccountId {
        AccountId(self.owner_id)
    }

    /// Returns the state on the public site; `None`: not public.
    #[must_use]
    pub fn public(&self) -> Option<PublicState> {
        let (revision_id, published_at) = (self.public_revision_id?, self.published_at?);
        Some(PublicState { revision_id, published_at, updated_at: self.updated_at })
    }
}

/// State of an article on the public site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PublicState {
    /// Id of the published revision.
    pub revision_id: Uuid,
    /// When it was first published, milliseconds.
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
               left join account p on p.id = a.owner_id ",
            $rest
        )
    };
}

/// Locks the articles, in id order, until the transaction ends. Articles that do not exist are not
/// returned.
pub async fn lock(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Target>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(target!("where a.id in (select unhex(value) from jsonb_each($1)) order by a.id"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
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

/// Marks their current revisions as approved.
pub async fn approve(conn: Conn<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update article set state = 'approved'
                  where id in (select unhex(value) from jsonb_each($1)) and state <> 'approved'",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
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

/// Restores the published state of an article; `None`: unpublishes it. `was` must be the currently
/// published revision. Returns the number of the revision that is published then, or of the current
/// one if none is; `None`: nothing changed.
pub async fn restore_public_state(
    conn: Conn<'_>,
    id: Uuid,
    was: Option<Uuid>,
    public: Option<PublicState>,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
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

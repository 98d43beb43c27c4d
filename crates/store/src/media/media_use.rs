//! Which revisions use which files: where a file is used, and who may read it.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{AccountId, media::address::references};
use uuid::Uuid;

row! {
    /// An article that uses a file.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MediaUseRow {
        /// Its id.
        pub article_id: Uuid,
        /// Its title.
        pub title: String,
        /// Whether its public text uses the file: 0 or 1.
        pub is_public: i32,
        /// Whether a text that is scheduled or in an open release uses it: 0 or 1.
        pub is_scheduled: i32,
        /// Whether its current text uses it: 0 or 1.
        pub is_current: i32,
    }
}

row! {
    /// Who may read the files with a hash.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MediaAccess {
        /// Name of the file.
        pub name: String,
        /// Ending of the file.
        pub format: String,
        /// Width in pixels; `None`: it is no picture.
        pub width: Option<i32>,
        /// Height in pixels.
        pub height: Option<i32>,
        /// Whether a public text, the page of an author or the look of the site uses it: 0 or 1.
        pub is_public: i32,
        /// Whether any text uses it: 0 or 1.
        pub is_used: i32,
        /// Whether the account uploaded it: 0 or 1.
        pub is_own: i32,
        /// Folder of the content.
        pub folder: String,
        /// Whether the content was replaced: an address may name the size of an earlier one. 0 or 1.
        pub is_replaced: i32,
    }
}

/// Records the files that the texts of new revisions name, in the transaction that stores them.
pub async fn record(conn: Conn<'_>, texts: &[(Uuid, &str)]) -> Result<(), StoreError> {
    let rows: Vec<(Uuid, &str)> = texts
        .iter()
        .flat_map(|(revision, text)| references(text).into_iter().map(|hash| (*revision, hash)))
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into revision_media (revision_id, hash)
                 select unhex(t.value ->> 0), t.value ->> 1 from jsonb_each($1) t",
            )
            .bind(encode(rows.iter().map(|(id, hash)| (id.simple(), hash)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into revision_media (revision_id, hash) select * from unnest($1::uuid[], $2::text[])",
            )
            .bind(column(&rows, |(id, _)| *id))
            .bind(column(&rows, |(_, hash)| *hash))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Records the files of a revision whose text was replaced.
pub async fn record_again(mut conn: Conn<'_>, revision: Uuid, text: &str) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from revision_media where revision_id = $1")
        .bind(revision).execute(c).await?.rows_affected());
    record(conn, &[(revision, text)]).await
}

/// Returns the articles that use the files with this hash, public and scheduled ones first.
pub async fn uses(conn: Conn<'_>, hash: &str, limit: u32) -> Result<Vec<MediaUseRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select x.article_id, x.title, max(x.is_public) as is_public, max(x.is_scheduled) as is_scheduled,
                max(x.is_current) as is_current
           from (select a.id as article_id, a.title,
                        case when a.published_revision_id = r.id then 1 else 0 end as is_public,
                        case when exists (select 1 from task t
                                           where t.target_id = a.id and t.state || '' = 'scheduled' and t.revision_id = r.id)
                                  or exists (select 1 from article_release_item i
                                              where i.article_id = a.id and i.is_open = 1 and i.revision_id = r.id)
                             then 1 else 0 end as is_scheduled,
                        case when a.revision_id = r.id then 1 else 0 end as is_current
                   from revision_media u
                   join revision r on r.id = u.revision_id
                   join article a on a.id = r.article_id
                  where u.hash = $1) as x
          group by x.article_id, x.title
          order by 3 desc, 4 desc, 5 desc, 1 desc
          limit $2")
        .bind(hash).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Whether a revision uses the files with this hash.
pub async fn is_used_by(conn: Conn<'_>, revision: Uuid, hash: &str) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from revision_media where revision_id = $1 and hash = $2")
        .bind(revision).bind(hash).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Whether a text that a reviewer approved uses the files with this hash: also the first of two reviewers, and a
/// text after which a newer one was submitted.
pub async fn is_approved(conn: Conn<'_>, hash: &str) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1
           from revision_media u
          where u.hash = $1
            and (exists (select 1 from approval p where p.revision_id = u.revision_id)
                 or exists (select 1 from review w
                             where w.revision_id = u.revision_id
                               and (w.state = 'approved'
                                    or (w.state in ('submitted', 'held') and w.first_approved_at is not null))))
          limit 1")
        .bind(hash).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns who may read the files with this hash; `viewer`: an account that is logged in. `None`:
/// there are no such files.
pub async fn access(
    conn: Conn<'_>,
    hash: &str,
    viewer: Option<AccountId>,
) -> Result<Option<MediaAccess>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select m.name, m.format, m.width, m.height,
                case when exists (select 1
                                    from revision_media u
                                    join article a on a.published_revision_id = u.revision_id
                                   where u.hash = m.hash and a.published_at is not null)
                       or exists (select 1 from account p
                                   where p.picture <> '' and p.picture like '/media/' || m.hash || '/%')
                       or exists (select 1 from setting s
                                   where s.name in ('site_look', 'site_style') and s.value like '%/media/' || m.hash || '/%')
                     then 1 else 0 end as is_public,
                case when exists (select 1 from revision_media u where u.hash = m.hash) then 1 else 0 end as is_used,
                case when exists (select 1 from media o where o.hash = m.hash and o.owner_id = $2)
                     then 1 else 0 end as is_own,
                coalesce(m.content, m.hash) as folder,
                case when m.content is not null or m.earlier is not null then 1 else 0 end as is_replaced
           from media m
          where m.hash = $1
          order by m.id
          limit 1")
        .bind(hash).bind(viewer.map(|account| account.0)).fetch_optional(c).await)?)
}

//! Imports of uploaded exports: their rows, and the articles that they created.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, ArticleId, ImportId, Timestamp, imports::ImportState};
use uuid::Uuid;

row! {
    /// An import.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ImportRow {
        /// Id.
        pub id: Uuid,
        /// Word of the system.
        pub system: String,
        /// Name of the uploaded file.
        pub file_name: String,
        /// JSON: how it is imported.
        pub options: String,
        /// Word of the state.
        pub state: String,
        /// Version.
        pub version: i32,
        /// JSON: result of the check or the import.
        pub report: Option<String>,
        /// Why it failed or was interrupted.
        pub why: Option<String>,
        /// JSON: what undoing it did.
        pub undo: Option<String>,
        /// Number of posts.
        pub total: i64,
        /// Number of posts that were processed.
        pub done: i64,
        /// Name of the account.
        pub by_name: String,
        /// When it was uploaded, milliseconds.
        pub created_at: i64,
        /// When it was last known to run, milliseconds.
        pub touched_at: i64,
        /// When it ended, milliseconds.
        pub finished_at: Option<i64>,
    }
}

row! {
    /// An article that an import created.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CreatedArticle {
        /// Id.
        pub id: Uuid,
        /// Title.
        pub title: String,
        /// Slug.
        pub slug: String,
        /// Number of its current revision.
        pub revision: i32,
        /// Number of the revision that an import created.
        pub import_revision: Option<i32>,
        /// When it was published, milliseconds; `None`: not public.
        pub published_at: Option<i64>,
        /// 1 if its current text is public.
        pub is_current_public: i32,
        /// Number of its tasks that no import created, or that were changed since, or that were executed
        /// otherwise than planned by the import.
        pub other_tasks: i64,
    }
}

/// A new import.
#[derive(Debug, Clone, Copy)]
pub struct NewImportRow<'t> {
    /// Id.
    pub id: ImportId,
    /// Word of the system.
    pub system: &'t str,
    /// Name of the uploaded file.
    pub file_name: &'t str,
    /// JSON: how it is imported.
    pub options: &'t str,
    /// Account.
    pub account: AccountId,
    /// Current time.
    pub at: Timestamp,
}

/// Result of a check, an import or an undo.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'t> {
    /// The new state.
    pub state: ImportState,
    /// JSON; `None`: as it was.
    pub report: Option<&'t str>,
    /// Why it failed or was interrupted.
    pub why: Option<&'t str>,
    /// JSON of what undoing did; `None`: as it was.
    pub undo: Option<&'t str>,
    /// Current time.
    pub at: Timestamp,
}

/// A select of [`ImportRow`]s.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select i.id, i.system, i.file_name, i.options, i.state, i.version, i.report, i.why, i.undo, i.total, i.done,
                    coalesce(p.name, '') as by_name, i.created_at, i.touched_at, i.finished_at
               from import i
               left join account p on p.id = i.account_id ",
            $rest
        )
    };
}

/// Stores an import that is being checked.
pub async fn insert(conn: Conn<'_>, new: &NewImportRow<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into import (id, system, file_name, options, state, account_id, created_at, touched_at)
         values ($1, $2, $3, $4, 'checking', $5, $6, $6)")
        .bind(new.id.0).bind(new.system).bind(new.file_name).bind(new.options).bind(new.account.0)
        .bind(new.at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the newest imports.
pub async fn list(conn: Conn<'_>, limit: u32) -> Result<Vec<ImportRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("order by i.id desc limit $1"))
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns an import; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: ImportId) -> Result<Option<ImportRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("where i.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns the number of imports whose file waits, uploaded after `since`.
pub async fn waiting(conn: Conn<'_>, since: Timestamp) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from import where state in ('checking', 'ready', 'running') and created_at > $1")
        .bind(since.millis()).fetch_one(c).await)?)
}

/// Ends imports and checks that were not renewed since `before`: their process has ended.
pub async fn interrupt(conn: Conn<'_>, before: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update import set state = case when state = 'running' then 'interrupted' else 'failed' end
          where state in ('running', 'checking') and touched_at < $1")
        .bind(before.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Starts an import. False: it was changed meanwhile. The error is a unique violation if another one
/// is running.
pub async fn start(conn: Conn<'_>, id: ImportId, seen: i32, at: Timestamp) -> Result<bool, StoreError> {
    let started = with_conn!(conn, c => sqlx::query(
        "update import set state = 'running', version = version + 1, done = 0, why = null, touched_at = $3
          where id = $1 and version = $2 and state in ('ready', 'interrupted')")
        .bind(id.0).bind(seen).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(started > 0)
}

/// Records the progress. False: it does not run any more.
pub async fn touch(
    conn: Conn<'_>,
    (id, seen): (ImportId, i32),
    (done, total): (i64, i64),
    at: Timestamp,
) -> Result<bool, StoreError> {
    let touched = with_conn!(conn, c => sqlx::query(
        "update import set done = $3, total = $4, touched_at = $5
          where id = $1 and version = $2 and state in ('running', 'checking')")
        .bind(id.0).bind(seen).bind(done).bind(total).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(touched > 0)
}

/// Ends a check, an import or an undo. False: it was changed meanwhile.
pub async fn end(conn: Conn<'_>, id: ImportId, seen: i32, ending: Ending<'_>) -> Result<bool, StoreError> {
    let ended = with_conn!(conn, c => sqlx::query(
        "update import
            set state = $3, version = version + 1, report = coalesce($4, report), why = $5, undo = coalesce($6, undo),
                touched_at = $7, finished_at = $7
          where id = $1 and version = $2")
        .bind(id.0).bind(seen).bind(ending.state.as_str()).bind(ending.report).bind(ending.why).bind(ending.undo)
        .bind(ending.at.millis()).execute(c).await?.rows_affected());
    Ok(ended > 0)
}

/// Removes an import. False: it was changed meanwhile.
pub async fn remove(conn: Conn<'_>, id: ImportId, seen: i32) -> Result<bool, StoreError> {
    let removed = with_conn!(conn, c => sqlx::query("delete from import where id = $1 and version = $2")
        .bind(id.0).bind(seen).execute(c).await?.rows_affected());
    Ok(removed > 0)
}

/// Records the articles that an import created.
pub async fn add_articles(conn: Conn<'_>, id: ImportId, articles: &[ArticleId]) -> Result<(), StoreError> {
    match conn {
        _ if articles.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into import_article (import_id, article_id) select $1, unhex(value) from jsonb_each($2)",
            )
            .bind(id.0)
            .bind(encode(articles.iter().map(|article| article.0.simple()))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            let articles: Vec<Uuid> = articles.iter().map(|article| article.0).collect();
            sqlx::query(
                "insert into import_article (import_id, article_id) select $1, id from unnest($2::uuid[]) as t (id)",
            )
            .bind(id.0)
            .bind(articles)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Number of the tasks of the article `a` that no import created, or that were changed since, or that were
/// executed otherwise than planned by the import.
macro_rules! other_tasks {
    () => {
        "(select count(*) from task t
           where t.target_id = a.id
             and not (t.version = 1 and t.state || '' = 'scheduled' and t.kind = 'article.publish'
                      and t.due_at = coalesce(a.import_due_at, -1))
             and not (a.published_at is not null and t.state || '' = 'executed' and t.kind = 'article.publish'
                      and t.due_at = coalesce(a.import_due_at, -1))
             and not (t.version = 1 and t.state || '' = 'scheduled' and t.kind = 'article.unpublish'
                      and t.due_at = coalesce(a.import_expires_at, -1)))"
    };
}

/// Returns the articles that an import created and that are not in the trash, after `after`, by id.
pub async fn articles(
    conn: Conn<'_>,
    id: ImportId,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<CreatedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select a.id, a.title, a.slug, a.revision, a.import_revision, a.published_at,
                case when a.published_revision_id = a.revision_id then 1 else 0 end as is_current_public,
                ", other_tasks!(), " as other_tasks
           from import_article i
           join article a on a.id = i.article_id
          where i.import_id = $1 and a.deleted_at is null and ($2 is null or i.article_id > $2)
          order by i.article_id
          limit $3"))
        .bind(id.0).bind(after).bind(limit).fetch_all(c).await)?)
}

/// Returns for these imports how many of the articles that they created are public and were not changed
/// since. Imports without any are missing.
pub async fn unchanged_public(conn: Conn<'_>, imports: &[Uuid]) -> Result<Vec<(Uuid, i64)>, StoreError> {
    macro_rules! unchanged_public {
        ($which:literal) => {
            concat!(
                "select i.import_id, count(*)
                   from import_article i
                   join article a on a.id = i.article_id
                  where i.import_id ",
                $which,
                " and a.deleted_at is null and a.published_revision_id = a.revision_id
                    and a.revision = a.import_revision and ",
                other_tasks!(),
                " = 0 group by i.import_id"
            )
        };
    }
    Ok(match conn {
        _ if imports.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(unchanged_public!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(imports.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(unchanged_public!("= any($1)")).bind(imports).fetch_all(c).await?
        }
    })
}

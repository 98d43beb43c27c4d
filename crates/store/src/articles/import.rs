//! Articles imported from files: identified by the path of their file, written in batches.

pub use super::import_plan::{DraftToPublish, ImportAuthor, PlannedTasks};
use crate::{
    Conn, StoreError,
    db::with_conn,
    details::{self, StoredDetails},
    json_rows::encode,
    rendered::Rendering,
    row::row,
    search::{self, Entry, Tokens},
    slug,
};
use domain::{ArticleId, RevisionId, Timestamp, articles::details::ArticleDetails};
use serde_json::json;
use uuid::Uuid;

row! {
    /// An article that was imported before.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KnownArticle {
        /// Path of its file, relative to the imported folder.
        pub import_path: String,
        /// Hash of the file when it was imported.
        pub import_hash: String,
        /// Number of the revision that the import created.
        pub import_revision: Option<i32>,
        /// Id of the article.
        pub id: Uuid,
        /// Number of its current revision.
        pub revision: i32,
        /// When it was first published, milliseconds; `None`: not public.
        pub published_at: Option<i64>,
        /// Number of its tasks, in any state.
        pub tasks: i64,
        /// Number of its tasks that no import created, or that a user has changed since.
        pub tasks_of_people: i64,
        /// Id of the next task that publishes it.
        pub waiting_id: Option<Uuid>,
        /// Version of that task.
        pub waiting_version: Option<i32>,
        /// Due time of that task, milliseconds.
        pub waiting_at: Option<i64>,
        /// Kind and state of its newest task, separated by a space.
        pub newest: Option<String>,
    }
}

/// An imported text: a new article, or a new revision of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedText {
    /// Id of the article.
    pub id: ArticleId,
    /// Id of the new revision.
    pub revision_id: RevisionId,
    /// Revision number; of a new article 1, or the one that its export names.
    pub number: i32,
    /// Slug; used for new articles only.
    pub slug: String,
    /// Earlier slugs, which redirect to it; used for new articles only.
    pub former_slugs: Vec<String>,
    /// Title.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Details.
    pub details: ArticleDetails,
    /// Instant of the date in the details.
    pub dated_at: Option<Timestamp>,
    /// Number of words.
    pub words: u32,
    /// Path of its file, relative to the imported folder; empty: it has none.
    pub path: String,
    /// Hash of the file.
    pub hash: String,
    /// Rendered HTML.
    pub rendering: Option<Rendering>,
    /// Publication time; `None`: a draft, or unchanged.
    pub published_at: Option<Timestamp>,
    /// Last change, if it becomes public; `None`: never, or now if it was public before.
    pub updated_at: Option<Timestamp>,
}

/// Returns all imported articles, by path.
pub async fn known_articles(conn: Conn<'_>) -> Result<Vec<KnownArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.import_path, coalesce(a.import_hash, '') as import_hash, a.import_revision, a.id, a.revision, a.published_at,
                (select count(*) from task t where t.target_id = a.id) as tasks,
                (select count(*) from task t
                  where t.target_id = a.id
                    and not (t.version = 1 and t.kind = 'article.publish' and t.due_at = coalesce(a.import_due_at, -1))
                    and not (t.version = 1 and t.kind = 'article.unpublish' and t.due_at = coalesce(a.import_expires_at, -1))
                    and not (t.version > 1
                             and (case when t.kind = 'article.publish' then a.import_due_at else a.import_expires_at end) is not null
                             and exists (select 1 from event e where e.entity_id = t.id and e.verb = 'adjust_zone')
                             and not exists (select 1 from event e
                                              where e.entity_id = t.id and e.actor_id is not null and e.verb <> 'schedule'))
                ) as tasks_of_people,
                (select t.id from task t
                  where t.target_id = a.id and t.kind = 'article.publish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as waiting_id,
                (select t.version from task t
                  where t.target_id = a.id and t.kind = 'article.publish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as waiting_version,
                (select t.due_at from task t
                  where t.target_id = a.id and t.kind = 'article.publish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as waiting_at,
                (select t.kind || ' ' || t.state from task t
                  where t.target_id = a.id order by t.id desc limit 1) as newest
           from article a
          where a.import_path is not null
          order by a.import_path")
        .fetch_all(c).await)?)
}

/// Returns all slugs in use: current ones, redirects and those of deleted articles.
pub async fn all_slugs(conn: Conn<'_>) -> Result<Vec<String>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_scalar("select slug from article union select slug from slug_redirect
         union select name from deleted_name where kind = 'slug'")
        .fetch_all(c).await)?,
    )
}

/// Stores new articles, each with its first revision. The error is a unique violation if a slug or
/// path was taken meanwhile.
pub async fn create(mut conn: Conn<'_>, texts: &[ImportedText], by: ImportAuthor) -> Result<(), StoreError> {
    let rows = rows(texts)?;
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query(CREATE_SQLITE)
                .bind(&rows)
                .bind(by.account.0)
                .bind(by.now.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(CREATE_POSTGRES)
                .bind(&rows)
                .bind(by.account.0)
                .bind(by.now.millis())
                .execute(c)
                .await?;
        }
    }
    let former = texts.iter().flat_map(|text| text.former_slugs.iter().map(|slug| (slug.as_str(), text.id)));
    let former: Vec<_> = former.collect();
    slug::add_redirects(conn.reborrow(), former.into_iter(), by.now).await?;
    add_revisions(conn.reborrow(), (texts, &rows), by).await?;
    put_lists(conn.reborrow(), texts, by.now).await?;
    search::put(conn, entries(texts)).await
}

/// Locks the articles that get a new revision, in id order. Returns those whose current revision is
/// still the previous one; the others were saved by a user meanwhile.
pub async fn lock(conn: Conn<'_>, texts: &[ImportedText]) -> Result<Vec<Uuid>, StoreError> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let rows = rows(texts)?;
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_scalar(LOCK_SQLITE).bind(rows).fetch_all(c).await?,
        Conn::Postgres(c) => sqlx::query_scalar(LOCK_POSTGRES).bind(rows).fetch_all(c).await?,
    })
}

/// Stores new revisions of articles that [`lock`] has locked.
pub async fn update(mut conn: Conn<'_>, texts: &[ImportedText], by: ImportAuthor) -> Result<(), StoreError> {
    let rows = rows(texts)?;
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query(UPDATE_SQLITE).bind(&rows).bind(by.now.millis()).execute(c).await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(UPDATE_POSTGRES).bind(&rows).bind(by.now.millis()).execute(c).await?;
        }
    }
    add_revisions(conn.reborrow(), (texts, &rows), by).await?;
    put_lists(conn.reborrow(), texts, by.now).await?;
    search::put(conn, entries(texts)).await
}

/// Publishes drafts with their imported revision, unless a user has changed or scheduled something
/// meanwhile. Returns the articles that were published.
pub async fn publish(conn: Conn<'_>, drafts: &[DraftToPublish]) -> Result<Vec<Uuid>, StoreError> {
    if drafts.is_empty() {
        return Ok(Vec::new());
    }
    let row = |draft: &DraftToPublish| {
        json!({
            "id": draft.id.0.simple(),
            "at": draft.at.millis(),
            "updated_at": draft.updated_at.map(Timestamp::millis),
        })
    };
    let rows = encode(drafts.iter().map(row))?;
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_scalar(PUBLISH_SQLITE).bind(rows).fetch_all(c).await?,
        Conn::Postgres(c) => sqlx::query_scalar(PUBLISH_POSTGRES).bind(rows).fetch_all(c).await?,
    })
}

/// Records which tasks an import creates.
pub async fn record_planned_tasks(conn: Conn<'_>, planned: &[PlannedTasks]) -> Result<(), StoreError> {
    if planned.is_empty() {
        return Ok(());
    }
    let row = |planned: &PlannedTasks| {
        json!({
            "id": planned.id.0.simple(),
            "due_at": planned.due_at.map(Timestamp::millis),
            "expires_at": planned.expires_at.map(Timestamp::millis),
        })
    };
    let rows = encode(planned.iter().map(row))?;
    match conn {
        Conn::Sqlite(c) => sqlx::query(PLAN_SQLITE).bind(rows).execute(c).await.map(drop)?,
        Conn::Postgres(c) => sqlx::query(PLAN_POSTGRES).bind(rows).execute(c).await.map(drop)?,
    }
    Ok(())
}

fn entries(texts: &[ImportedText]) -> Vec<Entry> {
    let tokens = |text: &ImportedText| Tokens::of_body(&text.body).and_text(&text.details.words());
    texts.iter().map(|text| Entry { article: text.id.0, body: tokens(text) }).collect()
}

async fn put_lists(conn: Conn<'_>, texts: &[ImportedText], at: Timestamp) -> Result<(), StoreError> {
    let stored = |text: &ImportedText| Ok((text.revision_id.0, StoredDetails::of(&text.details, None)?));
    let stored = texts.iter().map(stored).collect::<Result<Vec<_>, StoreError>>()?;
    details::put_lists(conn, &stored.iter().map(|(id, details)| (*id, details)).collect::<Vec<_>>(), at).await
}

async fn add_revisions(
    mut conn: Conn<'_>,
    (texts, rows): (&[ImportedText], &str),
    by: ImportAuthor,
) -> Result<(), StoreError> {
    let statement = if matches!(conn, Conn::Sqlite(_)) { REVISE_SQLITE } else { REVISE_POSTGRES };
    with_conn!(conn.reborrow(), c => sqlx::query(statement)
        .bind(rows).bind(by.account.0).bind(by.now.millis()).execute(c).await?.rows_affected());
    let addresses = |text: &ImportedText| {
        (text.revision_id.0, [text.body.as_str(), text.details.cover.as_str()].join("\n"))
    };
    let named: Vec<(Uuid, String)> = texts.iter().map(addresses).collect();
    let named: Vec<(Uuid, &str)> = named.iter().map(|(id, text)| (*id, text.as_str())).collect();
    crate::media_use::record(conn, &named).await
}

/// Encodes the whole batch as one JSON text, which both engines decode in SQL.
fn rows(texts: &[ImportedText]) -> Result<String, StoreError> {
    let row = |text: &ImportedText| {
        let details = StoredDetails::of(&text.details, text.dated_at)?;
        Ok(json!({
            "id": text.id.0.simple(),
            "details": details.json,
            "template": details.template,
            "is_featured": details.is_featured,
            "dated_at": details.dated_at,
            "revision_id": text.revision_id.0.simple(),
            "number": text.number,
            "slug": text.slug,
            "title": text.title,
            "body": text.body,
            "words": text.words,
            "path": text.path,
            "hash": text.hash,
            "published_at": text.published_at.map(Timestamp::millis),
            "updated_at": text.updated_at.map(Timestamp::millis),
        }))
    };
    encode(texts.iter().map(row).collect::<Result<Vec<_>, StoreError>>()?)
}

const CREATE_SQLITE: &str = "
    insert into article (id, slug, owner_id, state, revision_id, revision, title, published_revision_id, published_at,
                         updated_at, created_at, changed_at, import_path, import_hash, import_revision)
    select unhex(t.value ->> 'id'), t.value ->> 'slug', $2,
           case when t.value ->> 'published_at' is null then 'draft' else 'approved' end,
           unhex(t.value ->> 'revision_id'), t.value ->> 'number', t.value ->> 'title',
           case when t.value ->> 'published_at' is null then null else unhex(t.value ->> 'revision_id') end,
           t.value ->> 'published_at', t.value ->> 'updated_at', $3, $3, nullif(t.value ->> 'path', ''), t.value ->> 'hash',
           t.value ->> 'number'
      from jsonb_each($1) t";

const CREATE_POSTGRES: &str = "
    insert into article (id, slug, owner_id, state, revision_id, revision, title, published_revision_id, published_at,
                         updated_at, created_at, changed_at, import_path, import_hash, import_revision)
    select t.id, t.slug, $2, case when t.published_at is null then 'draft' else 'approved' end,
           t.revision_id, t.number, t.title, case when t.published_at is null then null else t.revision_id end,
           t.published_at, t.updated_at, $3, $3, nullif(t.path, ''), t.hash, t.number
      from json_to_recordset($1::json) as t (id uuid, revision_id uuid, number integer, slug text, title text,
                                             published_at bigint, updated_at bigint, path text, hash text)";

const REVISE_SQLITE: &str = "
    insert into revision (id, article_id, number, title, body, words, is_autosave, author_id, saved_at, details, template, is_featured, dated_at)
    select unhex(t.value ->> 'revision_id'), unhex(t.value ->> 'id'), t.value ->> 'number', t.value ->> 'title',
           t.value ->> 'body', t.value ->> 'words', 0, $2, $3, t.value ->> 'details', t.value ->> 'template', t.value ->> 'is_featured', t.value ->> 'dated_at'
      from jsonb_each($1) t";

const REVISE_POSTGRES: &str = "
    insert into revision (id, article_id, number, title, body, words, is_autosave, author_id, saved_at, details, template, is_featured, dated_at)
    select t.revision_id, t.id, t.number, t.title, t.body, t.words, 0, $2, $3, t.details, t.template, t.is_featured, t.dated_at
      from json_to_recordset($1::json) as t (id uuid, revision_id uuid, number integer, title text, body text,
                                             words integer, details text, template text, is_featured integer, dated_at bigint)";

const LOCK_SQLITE: &str = "
    select a.id
      from article a join jsonb_each($1) t on a.id = unhex(t.value ->> 'id')
     where a.revision = (t.value ->> 'number') - 1 and a.deleted_at is null
     order by a.id";

const LOCK_POSTGRES: &str = "
    select a.id
      from target g
      join article a on a.id = g.id
      join json_to_recordset($1::json) as t (id uuid, number integer) on a.id = t.id
     where a.revision = t.number - 1 and a.deleted_at is null
     order by a.id
       for update of g, a";

// A public article shows the new text only if the file has a publication date; otherwise the
// published text stays.
const UPDATE_SQLITE: &str = "
    update article
       set revision_id = unhex(t.value ->> 'revision_id'),
           revision = t.value ->> 'number',
           title = t.value ->> 'title',
           import_hash = t.value ->> 'hash',
           import_revision = t.value ->> 'number',
           changed_at = $2,
           state = case when t.value ->> 'published_at' is null then 'draft' else 'approved' end,
           updated_at = case when t.value ->> 'published_at' is null then article.updated_at
                             else coalesce(t.value ->> 'updated_at', $2) end,
           published_at = coalesce(t.value ->> 'published_at', article.published_at),
           published_revision_id = case when t.value ->> 'published_at' is null then article.published_revision_id
                                        else unhex(t.value ->> 'revision_id') end
      from jsonb_each($1) t
     where article.id = unhex(t.value ->> 'id')
       and article.revision = (t.value ->> 'number') - 1";

const UPDATE_POSTGRES: &str = "
    update article a
       set revision_id = t.revision_id,
           revision = t.number,
           title = t.title,
           import_hash = t.hash,
           import_revision = t.number,
           changed_at = $2,
           state = case when t.published_at is null then 'draft' else 'approved' end,
           updated_at = case when t.published_at is null then a.updated_at else coalesce(t.updated_at, $2) end,
           published_at = coalesce(t.published_at, a.published_at),
           published_revision_id = case when t.published_at is null then a.published_revision_id
                                        else t.revision_id end
      from json_to_recordset($1::json) as t (id uuid, revision_id uuid, number integer, title text,
                                             published_at bigint, updated_at bigint, hash text)
     where a.id = t.id
       and a.revision = t.number - 1";

const PUBLISH_SQLITE: &str = "
    update article
       set published_revision_id = article.revision_id,
           published_at = t.value ->> 'at',
           updated_at = t.value ->> 'updated_at',
           state = 'approved'
      from jsonb_each($1) t
     where article.id = unhex(t.value ->> 'id')
       and article.published_at is null and article.deleted_at is null
       and article.revision = article.import_revision
       and not exists (select 1 from task where task.target_id = article.id)
    returning article.id";

const PUBLISH_POSTGRES: &str = "
    update article a
       set published_revision_id = a.revision_id,
           published_at = t.at,
           updated_at = t.updated_at,
           state = 'approved'
      from json_to_recordset($1::json) as t (id uuid, at bigint, updated_at bigint)
     where a.id = t.id
       and a.published_at is null and a.deleted_at is null
       and a.revision = a.import_revision
       and not exists (select 1 from task where task.target_id = a.id)
    returning a.id";

const PLAN_SQLITE: &str = "
    update article
       set import_due_at = coalesce(t.value ->> 'due_at', article.import_due_at),
           import_expires_at = coalesce(t.value ->> 'expires_at', article.import_expires_at)
      from jsonb_each($1) t
     where article.id = unhex(t.value ->> 'id')";

const PLAN_POSTGRES: &str = "
    update article a
       set import_due_at = coalesce(t.due_at, a.import_due_at),
           import_expires_at = coalesce(t.expires_at, a.import_expires_at)
      from json_to_recordset($1::json) as t (id uuid, due_at bigint, expires_at bigint)
     where a.id = t.id";

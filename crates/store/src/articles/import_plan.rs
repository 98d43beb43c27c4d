//! What an import does with an article: publish a draft with a past date, create tasks, or add the
//! revisions that an export has.

use crate::{
    Conn, StoreError,
    db::with_conn,
    details::StoredDetails,
    revision::{self, NewRevision},
    search::{self, Entry, Tokens},
};
use domain::{
    AccountId, ArticleId, Timestamp,
    articles::details::{ArticleDetails, RevisionChange},
};
use uuid::Uuid;

/// Account and time of an import.
#[derive(Debug, Clone, Copy)]
pub struct ImportAuthor {
    /// Owner of new articles and author of the revisions.
    pub account: AccountId,
    /// Current time.
    pub now: Timestamp,
}

/// A draft to publish with a past date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftToPublish {
    /// Id of the article.
    pub id: ArticleId,
    /// Publication time.
    pub at: Timestamp,
    /// Last change; `None`: never.
    pub updated_at: Option<Timestamp>,
}

/// The tasks that an import creates for an article. They are recorded to separate them from tasks that
/// users create or change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedTasks {
    /// Id of the article.
    pub id: ArticleId,
    /// When it is published; `None`: this import creates no such task.
    pub due_at: Option<Timestamp>,
    /// When it is unpublished; `None`: this import creates no such task.
    pub expires_at: Option<Timestamp>,
}

/// Who saved a revision of another desk, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportedSave {
    /// Revision number.
    pub number: i32,
    /// When it was saved.
    pub at: Timestamp,
    /// Account that saved it.
    pub author: AccountId,
    /// Whether the editor saved it automatically.
    pub is_autosave: bool,
    /// What it changed.
    pub changed: RevisionChange,
}

/// A revision of an imported article besides the one in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRevision {
    /// Who saved it, and when.
    pub save: ImportedSave,
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
}

/// The revisions of a new article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedHistory {
    /// Id of the article.
    pub article: ArticleId,
    /// Id of the revision in its file.
    pub revision_id: Uuid,
    /// Who saved that revision, and when.
    pub save: ImportedSave,
    /// The other revisions.
    pub others: Vec<ImportedRevision>,
}

/// Adds the revisions of new articles. The newest one of each becomes its current one; what is public
/// stays.
pub async fn add_history(mut conn: Conn<'_>, all: &[ImportedHistory]) -> Result<(), StoreError> {
    for history in all {
        let ImportedHistory { article, revision_id, save, others } = history;
        with_conn!(conn.reborrow(), c => sqlx::query(
            "update revision set saved_at = $2, author_id = $3, is_autosave = $4, changed = $5 where id = $1")
            .bind(*revision_id).bind(save.at.millis()).bind(save.author.0).bind(i32::from(save.is_autosave))
            .bind(save.changed.as_str()).execute(c).await?.rows_affected());
        let mut newest: Option<(Uuid, &ImportedRevision)> = None;
        for other in others {
            let id = Uuid::now_v7();
            add_revision(conn.reborrow(), (id, *article), other).await?;
            if other.save.number > newest.map_or(save.number, |(_, newest)| newest.save.number) {
                newest = Some((id, other));
            }
        }
        if let Some((id, newest)) = newest {
            make_current(conn.reborrow(), (id, *article), newest).await?;
        }
    }
    Ok(())
}

async fn add_revision(
    conn: Conn<'_>,
    (id, article): (Uuid, ArticleId),
    new: &ImportedRevision,
) -> Result<(), StoreError> {
    let details = StoredDetails::of(&new.details, new.dated_at)?;
    let ImportedSave { number, at, author, is_autosave, changed } = new.save;
    let row = NewRevision {
        id,
        article,
        number,
        title: &new.title,
        body: &new.body,
        details: &details,
        changed,
        words: i32::try_from(new.words).unwrap_or(i32::MAX),
        is_autosave,
        author,
        at,
    };
    revision::insert(conn, &row).await
}

async fn make_current(
    mut conn: Conn<'_>,
    (id, article): (Uuid, ArticleId),
    newest: &ImportedRevision,
) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update article set revision_id = $2, revision = $3, import_revision = $3, title = $4, state = 'draft'
          where id = $1")
        .bind(article.0).bind(id).bind(newest.save.number).bind(&newest.title).execute(c).await?.rows_affected());
    let body = Tokens::of_body(&newest.body).and_text(&newest.details.words());
    search::put(conn, vec![Entry { article: article.0, body }]).await
}

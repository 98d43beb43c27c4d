//! One change of many articles: assigned, tagged, submitted, approved. A preview, or the change in transactions of
//! a hundred articles. One undo reverts all of it but
//! submissions and approvals.

pub mod api;
mod approve;
mod assign;
mod submit;
mod tags;
mod undo;

pub use undo::undo;

use super::{ArticleService, read};
use crate::services::internal_error;
use domain::{
    AccountId, Actor, ArticleId, BatchId, DomainError, TaskId,
    articles::bulk::{ArticleChange, ArticleSelection, ArticlesOutcome, MAX_BULK_ARTICLES},
    bulk_change::{BulkItem, BulkOutcome, BulkRefusal, MAX_LISTED},
    error::ValidationError,
};
use std::collections::{HashMap, HashSet};
use store::{
    PoolRole, StoreError, Tx,
    article::{self, ArticleRecord},
    batch::{self, BatchArticle},
    revision,
};
use uuid::Uuid;

/// Number of articles in one transaction.
const CHUNK: usize = 100;

/// Changes the selected articles. `is_dry_run`: changes nothing and says what would be changed.
pub async fn change(
    service: &ArticleService,
    actor: &Actor,
    selection: ArticleSelection,
    wanted: ArticleChange,
    is_dry_run: bool,
) -> Result<ArticlesOutcome, DomainError> {
    let ids = selected(service, actor, selection).await?;
    let actor = Actor { idempotency: None, ..actor.clone() };
    let task = Task { service, actor: &actor, is_dry_run, batch: BatchId::generate() };
    match wanted {
        ArticleChange::Approve { seen } => approve::all(&task, &ids, seen).await,
        ArticleChange::Submit => submit::all(&task, &ids).await.map(plain),
        ArticleChange::Assign { to } => assign::all(&task, &ids, to).await.map(plain),
        ArticleChange::AddTag { tag } => tags::all(&task, &ids, (&tag, true)).await.map(plain),
        ArticleChange::RemoveTag { tag } => tags::all(&task, &ids, (&tag, false)).await.map(plain),
    }
}

fn plain(outcome: BulkOutcome) -> ArticlesOutcome {
    ArticlesOutcome { outcome, seen: None }
}

/// The ids of the selection, each once.
async fn selected(
    service: &ArticleService,
    actor: &Actor,
    selection: ArticleSelection,
) -> Result<Vec<Uuid>, DomainError> {
    let (ids, field) = match selection {
        ArticleSelection::Articles(ids) if ids.is_empty() => {
            return Err(DomainError::invalid("ids", ValidationError::Empty));
        }
        ArticleSelection::Articles(ids) => (ids.into_iter().map(|id| id.0).collect(), "ids"),
        ArticleSelection::Matching(query) => {
            (read::matching(service, actor, *query, MAX_BULK_ARTICLES).await?, "filter")
        }
    };
    let mut ids: Vec<Uuid> = ids.into_iter().collect::<HashSet<_>>().into_iter().collect();
    if ids.len() > MAX_BULK_ARTICLES {
        let max = u32::try_from(MAX_BULK_ARTICLES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid(field, ValidationError::TooMany { max }));
    }
    ids.sort_unstable();
    Ok(ids)
}

/// A change in progress.
struct Task<'a> {
    service: &'a ArticleService,
    actor: &'a Actor,
    is_dry_run: bool,
    batch: BatchId,
}

/// An article and why it is not changed.
type Refused = (Uuid, String, DomainError);

impl Task<'_> {
    async fn begin(&self) -> Result<Tx, DomainError> {
        self.service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)
    }

    /// Locks articles, and separates those that the actor may change.
    async fn lock(
        &self,
        tx: &mut Tx,
        ids: &[Uuid],
    ) -> Result<(Vec<ArticleRecord>, Vec<Refused>), DomainError> {
        let found = article::lock_many(tx.conn(), ids).await.map_err(internal_error)?;
        let mut found: HashMap<Uuid, ArticleRecord> =
            found.into_iter().map(|article| (article.id, article)).collect();
        let (mut open, mut refused) = (Vec::new(), Vec::new());
        for id in ids {
            let Some(article) = found.remove(id) else {
                refused.push((*id, String::new(), DomainError::no_such("article")));
                continue;
            };
            let why = match &article {
                article if !self.actor.may_change(AccountId(article.owner_id)) => {
                    Some(DomainError::NotAllowed)
                }
                article if article.deleted_at.is_some() => Some(DomainError::InTrash),
                _ => None,
            };
            match why {
                Some(why) => refused.push((*id, article.title, why)),
                None => open.push(article),
            }
        }
        Ok((open, refused))
    }

    /// Records what a transaction changed, and commits it.
    async fn commit(&self, mut tx: Tx, changed: &[BatchArticle]) -> Result<(), DomainError> {
        if self.is_dry_run || changed.is_empty() {
            return Ok(());
        }
        let (account, now) = (self.actor.account, self.service.parts.clock.now());
        let written = async {
            batch::create(tx.conn(), self.batch, account, now).await?;
            batch::add_articles(tx.conn(), self.batch, changed).await?;
            tx.commit().await
        };
        written.await.map_err(crate::services::write_error(&self.service.parts))?;
        self.service.parts.committed.notify_waiters();
        Ok(())
    }

    /// The outcome. `changed`: the articles that were changed, or would be.
    fn outcome(&self, matched: usize, changed: Vec<BulkItem>, refused: Vec<Refused>) -> BulkOutcome {
        BulkOutcome {
            batch: (!changed.is_empty() && !self.is_dry_run).then_some(self.batch),
            matched: matched as u64,
            changed: changed.len() as u64,
            items: if self.is_dry_run { changed.into_iter().take(MAX_LISTED).collect() } else { Vec::new() },
            refused: refused.into_iter().map(refusal).collect(),
            ..BulkOutcome::default()
        }
    }
}

fn item(id: Uuid, title: &str) -> BulkItem {
    BulkItem { id: TaskId(id), title: title.to_owned(), at: None }
}

fn refusal((id, title, why): Refused) -> BulkRefusal {
    BulkRefusal { id: TaskId(id), title, why }
}

/// The current text of a locked article.
async fn current(tx: &mut Tx, article: &ArticleRecord) -> Result<revision::RevisionRecord, DomainError> {
    let found = revision::find(tx.conn(), article.revision_id).await.map_err(internal_error)?;
    let id = ArticleId(article.id);
    found.ok_or_else(|| internal_error(StoreError::Corrupt(format!("article {id} has no current text"))))
}

//! The review at the moment of publishing: a text is published only if it is the approved one and the
//! current word lists allow it.

use super::{
    content::{self, CheckedRevision},
    lists,
    notify::{self, Change},
};
use crate::text::render::Budget;
use domain::{
    ArticleId, RevisionId, Timestamp,
    review::{
        FoundTerm, Verdict,
        workflow::{ReviewSettings, Workflow, are_approved},
    },
    task::reason,
};
use serde_json::json;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use store::{
    Conn, StoreError, Tx,
    approval::{self, Approval},
    article_review,
    due_reviews::{self, HeldText},
    event::NewEvent,
    review_settings,
};
use uuid::Uuid;

/// Maximum number of texts in memory at once.
const MAX_TEXTS_IN_MEMORY: usize = 50;

/// Result of the review of several texts.
#[derive(Debug, Default)]
pub struct Reviewed {
    /// Texts that may be published.
    pub allowed: Vec<(ArticleId, RevisionId)>,
    /// Articles that may not, with the reason.
    pub held: HashMap<Uuid, &'static str>,
    /// Events of the held ones.
    pub events: Vec<NewEvent>,
}

/// Reviews texts that are to be published at `at`, and holds the reviews of those that may not be.
pub async fn review(
    tx: &mut Tx,
    texts: &[(ArticleId, RevisionId)],
    at: Timestamp,
) -> Result<Reviewed, StoreError> {
    let mut reviewed = Reviewed::default();
    if texts.is_empty() {
        return Ok(reviewed);
    }
    let settings = review_settings::find(tx.conn()).await?;
    if settings.workflow == Workflow::None {
        // A text that was submitted before the workflow was switched off waits for its approval.
        let revisions: Vec<Uuid> = texts.iter().map(|(_, revision)| revision.0).collect();
        let waiting = unapproved(tx.conn(), &revisions).await?;
        let is_waiting = |(_, revision): &(ArticleId, RevisionId)| waiting.contains(&revision.0);
        let (held, allowed): (Vec<_>, Vec<_>) = texts.iter().copied().partition(is_waiting);
        reviewed.held = held.into_iter().map(|(article, _)| (article.0, reason::NOT_APPROVED)).collect();
        reviewed.allowed = allowed;
        return Ok(reviewed);
    }
    let (mut held, time) = (Vec::new(), Arc::new(lists::time_for_all()));
    for some in texts.chunks(MAX_TEXTS_IN_MEMORY) {
        review_some(tx, (&settings, &time), (some, at), (&mut reviewed, &mut held)).await?;
    }
    keep_open(tx, &reviewed.held, &mut held).await?;
    due_reviews::hold(tx.conn(), &held, at).await?;
    let articles: Vec<Uuid> = held.iter().map(|text| text.article).collect();
    let mut rows = article_review::by_articles(tx.conn(), &articles).await?;
    rows.retain(|row| row.announced_at.is_none());
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    article_review::announced(tx.conn(), &ids, at).await?;
    let changes: Vec<_> = rows.iter().map(|row| (row, Change::Held)).collect();
    reviewed.events.extend(notify::notify(tx, &changes, (None, at)).await?);
    Ok(reviewed)
}

/// Leaves the reviews of texts alone that are only not approved: a reviewer or their deadline decides them.
/// A text without a review gets one.
async fn keep_open(
    tx: &mut Tx,
    reasons: &HashMap<Uuid, &'static str>,
    held: &mut Vec<HeldText>,
) -> Result<(), StoreError> {
    let is_unapproved = |article: &Uuid| reasons.get(article) == Some(&reason::NOT_APPROVED);
    let unapproved: Vec<Uuid> = held.iter().map(|text| text.article).filter(is_unapproved).collect();
    let reviews = article_review::by_articles(tx.conn(), &unapproved).await?;
    let known: HashSet<Uuid> = reviews.iter().map(|review| review.revision_id).collect();
    held.retain(|text| !(is_unapproved(&text.article) && known.contains(&text.revision)));
    Ok(())
}

async fn review_some(
    tx: &mut Tx,
    (settings, time): (&ReviewSettings, &Arc<Budget>),
    (texts, at): (&[(ArticleId, RevisionId)], Timestamp),
    (reviewed, held): (&mut Reviewed, &mut Vec<HeldText>),
) -> Result<(), StoreError> {
    let revisions: Vec<Uuid> = texts.iter().map(|(_, revision)| revision.0).collect();
    let (approvals, checked) = load(tx.conn(), &revisions, time).await?;
    for (article, revision) in texts {
        // A text that is gone is not published either; the task says why.
        let Some(text) = checked.get(&revision.0) else { continue };
        match refusal(settings.workflow, text, approvals.get(&revision.0))? {
            None => reviewed.allowed.push((*article, *revision)),
            Some(why) => {
                reviewed.held.insert(article.0, why);
                reviewed.events.push(event(at, article.0, why, text));
                held.push(HeldText {
                    id: Uuid::now_v7(),
                    article: article.0,
                    revision: revision.0,
                    hash: text.hash.clone(),
                    found: content::stored(&text.found)?,
                });
            }
        }
    }
    Ok(())
}

/// Returns the approvals of revisions, and what the word lists find in them.
async fn load(
    mut conn: Conn<'_>,
    revisions: &[Uuid],
    time: &Arc<Budget>,
) -> Result<(HashMap<Uuid, Approval>, HashMap<Uuid, CheckedRevision>), StoreError> {
    let approvals = approval::of_revisions(conn.reborrow(), revisions).await?;
    let bodies = approval::texts(conn.reborrow(), revisions).await?;
    let checked = content::check_all(conn, bodies, time).await?;
    Ok((
        approvals.into_iter().map(|one| (one.revision_id, one)).collect(),
        checked.into_iter().map(|one| (one.id, one)).collect(),
    ))
}

/// Returns why revisions may not be published now; those that may are missing. Changes nothing.
pub async fn refusals(
    mut conn: Conn<'_>,
    revisions: &[Uuid],
) -> Result<HashMap<Uuid, &'static str>, StoreError> {
    let mut refused = HashMap::new();
    if revisions.is_empty() {
        return Ok(refused);
    }
    let settings = review_settings::find(conn.reborrow()).await?;
    if settings.workflow == Workflow::None {
        let waiting = unapproved(conn, revisions).await?;
        return Ok(waiting.into_iter().map(|revision| (revision, reason::NOT_APPROVED)).collect());
    }
    let time = Arc::new(lists::time_for_all());
    for some in revisions.chunks(MAX_TEXTS_IN_MEMORY) {
        let (approvals, checked) = load(conn.reborrow(), some, &time).await?;
        for text in checked.values() {
            if let Some(why) = refusal(settings.workflow, text, approvals.get(&text.id))? {
                refused.insert(text.id, why);
            }
        }
    }
    Ok(refused)
}

/// Why a text may not be published; `None`: it may.
fn refusal(
    workflow: Workflow,
    text: &CheckedRevision,
    approval: Option<&Approval>,
) -> Result<Option<&'static str>, StoreError> {
    let approval = approval.filter(|approval| approval.hash == text.hash);
    if text.found.verdict == Verdict::Block {
        return Ok(Some(reason::WORDS_BLOCK));
    }
    if workflow.reviewers() > 0 && approval.is_none() {
        return Ok(Some(reason::NOT_APPROVED));
    }
    if text.found.verdict < Verdict::NeedsApproval {
        return Ok(None);
    }
    let approved: Vec<FoundTerm> = match approval {
        Some(approval) => serde_json::from_str(&approval.hits)
            .map_err(|_| StoreError::Corrupt("the hits of an approval".to_owned()))?,
        None => Vec::new(),
    };
    let is_approved = are_approved(&text.found.hits, &approved);
    Ok((!is_approved).then_some(reason::WORDS_APPROVAL))
}

fn event(at: Timestamp, article: Uuid, why: &str, text: &CheckedRevision) -> NewEvent {
    let detail = json!({"reason": why, "terms": content::named(text.found.hits.iter())});
    NewEvent { detail: detail.to_string(), ..NewEvent::simple(at, None, "article", article, "review_hold") }
}

/// Returns which of these revisions a reviewer must approve before they can be published.
pub async fn unapproved(conn: Conn<'_>, revisions: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    Ok(approval::unapproved(conn, revisions).await?.into_iter().collect())
}

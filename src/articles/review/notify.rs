//! Whom a review concerns, and what they are notified of: authors of decisions, reviewers of texts
//! that wait for them.

use crate::reminders::notifications::{MAX_APPROVERS, NotificationBatch, language};
use domain::{
    AccountId, ArticleId, Role, Timestamp,
    reminders::NotificationEvent,
    review::{Verdict, workflow::ReviewState},
};
use store::{
    Conn, StoreError, Tx,
    approver::{self, ApproverRow},
    article_review::{self, ReviewRow},
    asked,
    event::NewEvent,
    review_comment, review_settings,
};
use texts::mail::review_notice::ReviewWords;
use uuid::Uuid;

/// The accounts that some reviews concern.
pub struct People {
    reviewers: Vec<ApproverRow>,
    owners: Vec<ApproverRow>,
    /// The reviews and who was asked for them.
    asked: Vec<(Uuid, ApproverRow)>,
    allow_own: bool,
}

impl People {
    /// Loads them.
    pub async fn of(mut conn: Conn<'_>, rows: &[ReviewRow]) -> Result<Self, StoreError> {
        let owners: Vec<Uuid> = rows.iter().map(|row| row.owner_id).collect();
        Ok(Self {
            allow_own: review_settings::find(conn.reborrow()).await?.allow_own,
            reviewers: approver::approvers(conn.reborrow(), MAX_APPROVERS).await?,
            asked: asked_for(conn.reborrow(), rows).await?,
            owners: approver::accounts(conn, &owners).await?,
        })
    }

    /// The reviewers that may decide a review: the assigned one, or all.
    #[must_use]
    pub fn reviewers(&self, row: &ReviewRow) -> Vec<&ApproverRow> {
        self.reviewers.iter().filter(|one| self.may_decide(row, one)).collect()
    }

    /// The reviewers that hear of a text that waits: those who were asked and may decide, else all.
    fn asked(&self, row: &ReviewRow) -> Vec<&ApproverRow> {
        let asked = self.asked.iter().filter(|(review, one)| *review == row.id && self.may_decide(row, one));
        let asked: Vec<&ApproverRow> = asked.map(|(_, one)| one).collect();
        if asked.is_empty() { self.reviewers(row) } else { asked }
    }

    fn may_decide(&self, row: &ReviewRow, one: &ApproverRow) -> bool {
        let is_own = [row.owner_id, row.author_id].contains(&one.id);
        (self.allow_own || !is_own) && row.assigned_id.is_none_or(|to| to == one.id)
    }

    /// The owner of the article, unless the account is disabled.
    #[must_use]
    pub fn owner(&self, row: &ReviewRow) -> Option<&ApproverRow> {
        self.owners.iter().find(|one| one.id == row.owner_id)
    }
}

/// Who was asked for these reviews and may still review.
async fn asked_for(mut conn: Conn<'_>, rows: &[ReviewRow]) -> Result<Vec<(Uuid, ApproverRow)>, StoreError> {
    let reviews: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let asked = asked::of_reviews(conn.reborrow(), &reviews).await?;
    let ids: Vec<Uuid> = asked.iter().map(|row| row.account_id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut accounts = approver::accounts(conn, &ids).await?;
    accounts.retain(|one| one.role.parse::<Role>().is_ok_and(|role| role >= Role::Reviewer));
    let account = |row: asked::AskedRow| {
        let found = accounts.iter().find(|one| one.id == row.account_id)?;
        Some((row.review_id, found.clone()))
    };
    Ok(asked.into_iter().filter_map(account).collect())
}

/// Path of the page where a review is decided.
pub fn review_page(row: &ReviewRow) -> String {
    format!("/review/{}", row.article_id)
}

/// Path of the page of the article.
pub fn article_page(row: &ReviewRow) -> String {
    format!("/articles/{}", row.article_id)
}

/// What happened to a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// It waits for a reviewer.
    Submitted,
    /// A reviewer decided, with a reason if the text was sent back.
    Decided(ReviewState, &'a str),
    /// The first of two reviewers approved.
    ApprovedFirst,
    /// A reviewer undid the approval.
    ApprovalUndone,
    /// Its deadline has come.
    Expired(ReviewState),
    /// The text was not published at its time.
    Held,
    /// An admin changed the review and made the text a draft again.
    Withdrawn,
}

/// Notifies the accounts that a change of some reviews concerns, without `by`, who made it. Returns
/// the events.
pub async fn notify(
    tx: &mut Tx,
    changes: &[(&ReviewRow, Change<'_>)],
    (by, at): (Option<Uuid>, Timestamp),
) -> Result<Vec<NewEvent>, StoreError> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<ReviewRow> = changes.iter().map(|(row, _)| (*row).clone()).collect();
    let people = People::of(tx.conn(), &rows).await?;
    let mut batch = NotificationBatch::default();
    for (row, change) in changes {
        let owner = people.owner(row).filter(|owner| Some(owner.id) != by);
        if let Some(owner) = owner
            && let Some(text) = text_for_owner(row, *change, ReviewWords(language(owner)))
        {
            batch.notify_of(NotificationEvent::Decided, owner, (text, article_page(row)), at);
        }
        let others = if matches!(change, Change::Submitted | Change::ApprovalUndone) {
            people.asked(row)
        } else {
            people.reviewers(row)
        };
        let others = others.into_iter();
        for one in others.filter(|one| Some(one.id) != by && one.id != row.owner_id) {
            if let Some(text) = text_for_reviewer(row, *change, ReviewWords(language(one))) {
                batch.notify_of(NotificationEvent::Approval, one, (text, review_page(row)), at);
            }
        }
    }
    batch.store(tx, at).await
}

/// Notifies owner and reviewers that texts are held which no reviewer has approved, once for each
/// submission. Returns the events.
pub async fn announce_held(
    tx: &mut Tx,
    articles: &[Uuid],
    at: Timestamp,
) -> Result<Vec<NewEvent>, StoreError> {
    let mut rows = article_review::by_articles(tx.conn(), articles).await?;
    rows.retain(|row| row.announced_at.is_none() && row.held_at.is_some());
    let mut open = Vec::new();
    for row in &rows {
        if row.state()?.is_open() {
            open.push((row, Change::Held));
        }
    }
    let ids: Vec<Uuid> = open.iter().map(|(row, _)| row.id).collect();
    article_review::announced(tx.conn(), &ids, at).await?;
    notify(tx, &open, (None, at)).await
}

/// Notifies the owner of an article and those who commented on it that `by` commented.
pub async fn commented(
    tx: &mut Tx,
    (article, title): (ArticleId, &str),
    (by, at): (AccountId, Timestamp),
) -> Result<Vec<NewEvent>, StoreError> {
    let mut ids = review_comment::people(tx.conn(), article).await?;
    ids.retain(|id| *id != by.0);
    let mut batch = NotificationBatch::default();
    for one in approver::accounts(tx.conn(), &ids).await? {
        let text = ReviewWords(language(&one)).commented(title);
        batch.notify(one.id, text, format!("/review/{article}"));
    }
    batch.store(tx, at).await
}

fn text_for_owner(row: &ReviewRow, change: Change<'_>, words: ReviewWords) -> Option<String> {
    let title = row.title.as_str();
    Some(match change {
        Change::Submitted | Change::ApprovedFirst => return None,
        Change::Decided(ReviewState::Approved, _) => words.approved(title),
        Change::Decided(_, reason) => words.sent_back(title, reason),
        Change::ApprovalUndone => words.approval_undone(title),
        Change::Expired(ReviewState::Approved) => words.approved_at_deadline(title),
        Change::Expired(ReviewState::Expired) => words.sent_back_at_deadline(title),
        Change::Expired(_) => words.held_at_deadline(title),
        Change::Held => held(row, words),
        Change::Withdrawn => words.withdrawn(title),
    })
}

/// Why a text was not published at its time. A reviewer cannot approve blocked words.
fn held(row: &ReviewRow, words: ReviewWords) -> String {
    match row.verdict.parse() {
        Ok(Verdict::Block) => words.held_words(&row.title),
        _ => words.held(&row.title),
    }
}

/// Reviewers hear of what they can decide.
fn text_for_reviewer(row: &ReviewRow, change: Change<'_>, words: ReviewWords) -> Option<String> {
    match change {
        Change::Submitted | Change::ApprovalUndone => Some(words.waits_for_you(&row.title)),
        Change::ApprovedFirst => Some(words.waits_for_second(&row.title)),
        Change::Expired(ReviewState::Held) => Some(words.held_at_deadline(&row.title)),
        Change::Held => Some(held(row, words)),
        Change::Decided(..) | Change::Expired(_) | Change::Withdrawn => None,
    }
}

//! What keeps the articles of releases from being published, unpublished or reverted, before their task
//! is executed. Changes nothing.

use crate::articles::review::{checklist, publishing};
use domain::{
    Timestamp,
    releases::{ItemProblem, ReleaseAction, ReleaseProblem, is_as_left, problem_of},
};
use std::collections::HashMap;
use store::{Conn, StoreError, release_item::ItemRow, task_list};
use uuid::Uuid;

/// Problems by release and article.
pub type Problems = HashMap<(Uuid, Uuid), ItemProblem>;

/// When each release is due; one that is missing: at any time.
pub type DueTimes = HashMap<Uuid, Timestamp>;

/// Returns what keeps articles from being published or unpublished.
pub async fn problems(
    mut conn: Conn<'_>,
    items: &[ItemRow],
    due: &DueTimes,
    now: Timestamp,
) -> Result<Problems, StoreError> {
    let mut problems = Problems::new();
    for item in items {
        if let Some(problem) = problem_of(item.facts()?) {
            problems.insert((item.release_id, item.article_id), problem);
        }
    }
    let revisions: Vec<Uuid> = items.iter().filter_map(|item| item.revision_id).collect();
    let incomplete = checklist::incomplete(conn.reborrow(), &revisions, now).await?;
    let refused = publishing::refusals(conn.reborrow(), &revisions).await?;
    for item in items {
        let Some(revision) = item.revision_id else { continue };
        let problem = match refused.get(&revision) {
            _ if incomplete.contains(&revision) => Some(ItemProblem::Checklist),
            Some(why) => Some(item_problem(why)?),
            None => None,
        };
        if let Some(problem) = problem {
            problems.entry((item.release_id, item.article_id)).or_insert(problem);
        }
    }
    for item in not_public(conn, items, due).await? {
        problems.entry(item).or_insert(ItemProblem::NotPublic);
    }
    Ok(problems)
}

/// Reads the code of a reason for which a text may not be published.
pub fn item_problem(why: &str) -> Result<ItemProblem, StoreError> {
    why.parse().map_err(|_| StoreError::Corrupt(format!("a review refuses with {why:?}")))
}

/// Returns the articles to be unpublished that are not public, unless they are published before.
async fn not_public(
    conn: Conn<'_>,
    items: &[ItemRow],
    due: &DueTimes,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    let is_private =
        |item: &&ItemRow| item.action == ReleaseAction::Unpublish.as_str() && item.public_number.is_none();
    let private: Vec<&ItemRow> = items.iter().filter(is_private).collect();
    if private.is_empty() {
        return Ok(Vec::new());
    }
    let articles: Vec<Uuid> = private.iter().map(|item| item.article_id).collect();
    let waiting = task_list::waiting_of_targets(conn, &articles).await?;
    let is_published_before = |item: &ItemRow| {
        let due = due.get(&item.release_id).map(|due| due.millis());
        waiting.iter().any(|task| {
            task.target_id == item.article_id
                && task.kind == domain::Kind::ArticlePublish.as_str()
                && due.is_none_or(|due| task.due_at <= due)
        })
    };
    let found = private.into_iter().filter(|item| !is_published_before(item));
    Ok(found.map(|item| (item.release_id, item.article_id)).collect())
}

/// Returns what keeps articles of published releases from being reverted.
pub fn revert_problems(items: &[ItemRow]) -> Result<Problems, StoreError> {
    let mut problems = Problems::new();
    for item in items {
        let problem = match item.is_elsewhere {
            _ if !is_as_left(item.facts()?) => ItemProblem::ChangedSince,
            Some(_) => ItemProblem::InOtherRelease,
            None => continue,
        };
        problems.insert((item.release_id, item.article_id), problem);
    }
    Ok(problems)
}

/// Returns the refusal that names the first blocked article of a release; `None`: none is blocked.
pub fn blocked(release: Uuid, items: &[ItemRow], problems: &Problems) -> Option<ReleaseProblem> {
    let of_release = items.iter().filter(|item| item.release_id == release);
    let mut blocked =
        of_release.filter_map(|item| Some((item, *problems.get(&(item.release_id, item.article_id))?)));
    let (first, problem) = blocked.next()?;
    let title = first.title.clone().unwrap_or_default();
    Some(ReleaseProblem::Blocked { title, problem, others: blocked.count() })
}

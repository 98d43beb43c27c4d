//! Checks the requested articles of a release and pins their revisions.

use crate::{services::internal_error, tasks::unit_of_work::UnitOfWork};
use domain::{
    DomainError, ReleaseId,
    error::ValidationError,
    releases::{ItemProblem, MAX_RELEASE_ITEMS, NewItem, ReleaseAction, ReleaseProblem},
};
use std::collections::{HashMap, HashSet};
use store::{
    release_item::{self, NewItemRow},
    target::{self, Target},
};
use uuid::Uuid;

fn invalid(why: &str) -> DomainError {
    DomainError::invalid("items", ValidationError::Unreadable { why: why.to_owned() })
}

/// Refuses lists that no release can have.
fn check(items: &[NewItem]) -> Result<(), DomainError> {
    if items.len() > MAX_RELEASE_ITEMS {
        let max = u32::try_from(MAX_RELEASE_ITEMS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("items", ValidationError::TooMany { max }));
    }
    let mut seen = HashSet::new();
    if !items.iter().all(|item| seen.insert(item.article)) {
        return Err(invalid("has an article twice"));
    }
    let is_wrong = |item: &NewItem| item.action == ReleaseAction::Unpublish && item.revision.is_some();
    if items.iter().any(is_wrong) {
        return Err(invalid("has a revision for an article that is to be unpublished"));
    }
    Ok(())
}

/// Locks the articles, and the release if it exists, in id order. Returns the rows to store. Refuses
/// articles that the actor may not change, that are in the trash, or in another release.
pub async fn pin(
    unit: &mut UnitOfWork<'_>,
    release: ReleaseId,
    items: &[NewItem],
) -> Result<Vec<NewItemRow>, DomainError> {
    check(items)?;
    let ids: Vec<Uuid> = items.iter().map(|item| item.article.0).collect();
    let all: Vec<Uuid> = ids.iter().copied().chain([release.0]).collect();
    let targets = target::lock(unit.tx.conn(), &all).await.map_err(internal_error)?;
    let targets = targets.into_iter().filter(|target| target.kind == "article");
    let targets: HashMap<Uuid, Target> = targets.map(|target| (target.id, target)).collect();
    for id in &ids {
        let target = targets.get(id).ok_or_else(|| DomainError::no_such("article"))?;
        if !unit.presenter.actor.may_change(target.owner()) {
            return Err(DomainError::NotAllowed);
        }
        if target.deleted_at.is_some() {
            let (title, problem) = (target.title.clone(), ItemProblem::InTrash);
            return Err(ReleaseProblem::Blocked { title, problem, others: 0 }.into());
        }
    }
    let taken = release_item::taken(unit.tx.conn(), release, &ids).await.map_err(internal_error)?;
    if let Some(one) = taken.into_iter().next() {
        return Err(ReleaseProblem::Taken { title: one.title, release: one.release }.into());
    }
    let numbers: Vec<(Uuid, i32)> =
        items.iter().filter_map(|item| Some((item.article.0, item.revision?))).collect();
    let found = release_item::revisions(unit.tx.conn(), &numbers).await.map_err(internal_error)?;
    let found: HashMap<(Uuid, i32), Uuid> =
        found.into_iter().map(|row| ((row.article_id, row.number), row.id)).collect();
    let row = |item: &NewItem| {
        let article = item.article.0;
        let revision = match (item.action, item.revision) {
            (ReleaseAction::Unpublish, _) => None,
            (ReleaseAction::Publish, None) => targets.get(&article).and_then(|target| target.revision_id),
            (ReleaseAction::Publish, Some(number)) => {
                let revision = found.get(&(article, number)).copied();
                Some(revision.ok_or_else(|| DomainError::no_such("revision"))?)
            }
        };
        Ok(NewItemRow { article, action: item.action, revision })
    };
    items.iter().map(row).collect()
}

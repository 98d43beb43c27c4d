//! Kinds of releases: publish, and revert.

use super::{
    RELEASE,
    check::{self, DueTimes, Problems},
    effect, held,
};
use crate::kinds::task_kind::{Followers, MovedBy, Planned, TaskKind};
use async_trait::async_trait;
use domain::{
    DomainError, KindClass, Timestamp,
    releases::{PUBLISH_KIND, REVERT_KIND, ReleaseProblem},
};
use std::collections::HashMap;
use store::{
    Conn, StoreError, Tx,
    execute::{ClaimedTask, SideEffects, Verdict},
    release::{self, ReleaseRecord},
    release_item::{self, ItemRow},
    released_task::ReleasedTask,
    target::Target,
    task_list::TaskListRow,
};
use uuid::Uuid;

/// The kind `release.publish`.
pub struct Publish;

/// The kind `release.revert`.
pub struct Revert;

/// Releases with their articles.
struct Loaded {
    records: HashMap<Uuid, ReleaseRecord>,
    items: Vec<ItemRow>,
}

impl Loaded {
    async fn of(mut conn: Conn<'_>, releases: &[Uuid]) -> Result<Self, StoreError> {
        let records = release::find_many(conn.reborrow(), releases).await?;
        let items = release_item::of_releases(conn, releases).await?;
        Ok(Self { records: records.into_iter().map(|record| (record.id, record)).collect(), items })
    }

    /// Why a release cannot be published; `None`: it can.
    fn publish_problem(&self, release: Uuid, problems: &Problems) -> Option<ReleaseProblem> {
        match self.records.get(&release) {
            Some(record) if record.published_at.is_some() => Some(ReleaseProblem::Published),
            Some(record) if record.count == 0 => Some(ReleaseProblem::NoArticles),
            _ => check::blocked(release, &self.items, problems),
        }
    }

    /// Why a release cannot be reverted; `None`: it can.
    fn revert_problem(&self, release: Uuid, problems: &Problems) -> Option<ReleaseProblem> {
        match self.records.get(&release) {
            Some(record) if record.published_at.is_none() => Some(ReleaseProblem::NotPublished),
            _ => check::blocked(release, &self.items, problems),
        }
    }
}

/// The requested tasks of a kind, by their index.
fn of_kind<'r>(request: &'r [Planned], word: &'static str) -> Vec<(usize, &'r Planned)> {
    request.iter().enumerate().filter(|(_, one)| one.kind.as_str() == word).collect()
}

/// The releases of these tasks.
fn targets(tasks: &[&TaskListRow]) -> Vec<Uuid> {
    tasks.iter().map(|task| task.target_id).collect()
}

/// The tasks whose release has a problem, by their index.
fn refused(
    tasks: &[&TaskListRow],
    problem_of: impl Fn(Uuid) -> Option<ReleaseProblem>,
) -> Vec<(usize, DomainError)> {
    let places = tasks.iter().enumerate();
    places.filter_map(|(place, task)| Some((place, problem_of(task.target_id)?.into()))).collect()
}

#[async_trait]
impl TaskKind for Publish {
    fn word(&self) -> &'static str {
        PUBLISH_KIND
    }

    fn class(&self) -> KindClass {
        KindClass::Content
    }

    fn target_kind(&self) -> &'static str {
        RELEASE
    }

    /// A published release is reverted by a task of its own.
    fn can_be_undone(&self) -> bool {
        false
    }

    fn always_checks_again(&self) -> bool {
        true
    }

    /// Refuses a release with an article that can certainly not be published then. A text that is held by
    /// the review may be allowed until then.
    async fn check(&self, tx: &mut Tx, request: &[Planned]) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let mine = of_kind(request, PUBLISH_KIND);
        let releases: Vec<Uuid> = mine.iter().map(|(_, one)| one.target).collect();
        let due: DueTimes = mine.iter().map(|(_, one)| (one.target, one.due_at)).collect();
        let loaded = Loaded::of(tx.conn(), &releases).await?;
        let Some(now) = mine.first().map(|(_, one)| one.now) else { return Ok(Vec::new()) };
        let mut problems = check::problems(tx.conn(), &loaded.items, &due, now).await?;
        problems.retain(|_, problem| !problem.may_end_by_itself());
        let refused = mine
            .iter()
            .filter_map(|(place, one)| Some((*place, loaded.publish_problem(one.target, &problems)?)));
        Ok(refused.map(|(place, problem)| (place, problem.into())).collect())
    }

    /// Refuses while any article is blocked.
    async fn check_again(
        &self,
        mut conn: Conn<'_>,
        tasks: &[&TaskListRow],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let loaded = Loaded::of(conn.reborrow(), &targets(tasks)).await?;
        let due = tasks.iter().map(|task| (task.target_id, Timestamp::from_millis(task.due_at)));
        // Links may have answered at any time: what was scheduled was checked then.
        let problems = check::problems(conn, &loaded.items, &due.collect(), Timestamp::EARLIEST).await?;
        let problem_of = |release: Uuid| loaded.publish_problem(release, &problems);
        Ok(refused(tasks, problem_of))
    }

    /// *Dead* with the name of the first blocked article, if one is blocked: then nothing changes.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        effect::publish(tx, tasks, at, after).await
    }

    async fn resume_approved(
        &self,
        tx: &mut Tx,
        revisions: &[Uuid],
        at: Timestamp,
    ) -> Result<Vec<ReleasedTask>, StoreError> {
        held::resume_approved(tx, revisions, at).await
    }

    async fn is_done(&self, tx: &mut Tx, target: &Target) -> Result<bool, StoreError> {
        let found = release::find(tx.conn(), target.id.into()).await?;
        Ok(found.is_some_and(|record| record.published_at.is_some()))
    }

    fn has_followers(&self) -> bool {
        true
    }

    /// Reminders about the articles that become public.
    async fn follow(&self, tx: &mut Tx, targets: &[Uuid], by: MovedBy) -> Result<Followers, StoreError> {
        let articles = release_item::published_by(tx.conn(), targets).await?;
        crate::reminders::article::follow(tx, &articles, by).await
    }
}

#[async_trait]
impl TaskKind for Revert {
    fn word(&self) -> &'static str {
        REVERT_KIND
    }

    fn class(&self) -> KindClass {
        KindClass::Content
    }

    fn target_kind(&self) -> &'static str {
        RELEASE
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    fn always_checks_again(&self) -> bool {
        true
    }

    /// Refuses unless the release is published, and everything is as it left it.
    async fn check(&self, tx: &mut Tx, request: &[Planned]) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let mine = of_kind(request, REVERT_KIND);
        let releases: Vec<Uuid> = mine.iter().map(|(_, one)| one.target).collect();
        let loaded = Loaded::of(tx.conn(), &releases).await?;
        let problems = check::revert_problems(&loaded.items)?;
        let refused = mine
            .iter()
            .filter_map(|(place, one)| Some((*place, loaded.revert_problem(one.target, &problems)?)));
        Ok(refused.map(|(place, problem)| (place, problem.into())).collect())
    }

    async fn check_again(
        &self,
        conn: Conn<'_>,
        tasks: &[&TaskListRow],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let loaded = Loaded::of(conn, &targets(tasks)).await?;
        let problems = check::revert_problems(&loaded.items)?;
        let problem_of = |release: Uuid| loaded.revert_problem(release, &problems);
        Ok(refused(tasks, problem_of))
    }

    /// *Dead* with the name of the first article that was changed since: then nothing changes.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        effect::revert(tx, tasks, at, after).await
    }

    async fn is_done(&self, tx: &mut Tx, target: &Target) -> Result<bool, StoreError> {
        let found = release::find(tx.conn(), target.id.into()).await?;
        Ok(found.is_some_and(|record| record.published_at.is_none() && record.reverted_at.is_some()))
    }
}

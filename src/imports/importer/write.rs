//! Writes a batch: texts and events in one transaction, then the tasks through the task service.

use super::{
    Importer, Problem, Report,
    date::ParsedDate,
    plan::{Action, ImportState, Plan, TextChange, history},
};
use crate::{process::cli_error::CliError, zone::Zone};
use domain::{
    Actor, ArticleId, DomainError, Kind, RevisionId, TaskId, Timestamp, Version, When,
    task::{Change, NewTask, RevisionChoice},
};
use serde_json::{Value, json};
use store::{PoolRole, StoreError, event, event::NewEvent, import, import_job, import_plan, rendered};

/// Writes a batch. If another article has taken a slug in the meantime, it chooses other slugs and
/// retries once.
pub async fn write(
    importer: &Importer,
    actor: &Actor,
    mut plans: Vec<Plan>,
    state: &mut ImportState,
    report: &mut Report,
) -> Result<(), CliError> {
    let now = importer.parts.clock.now();
    let mut batch = Batch::of(&plans, now);
    match batch.commit(importer, actor).await {
        Err(error) if error.is_unique_violation() => {
            state.read_slugs(importer).await?;
            for plan in plans.iter_mut().filter(|plan| plan.text == TextChange::Create) {
                plan.slug = state.take_slug(&plan.file);
                state.take_former_slugs(&mut plan.file);
            }
            batch = Batch::of(&plans, now);
            batch.commit(importer, actor).await?;
        }
        other => other?,
    }
    importer.parts.committed.notify_waiters();
    batch.count(report);
    for path in &batch.lost {
        report.refuse(path, Problem::at(1, "this article was saved just now; run the import again"));
    }
    cancel(importer, actor, batch.to_cancel, report).await;
    schedule(importer, actor, batch.to_schedule, report).await
}

/// Counts what plans would write.
pub fn count(plans: &[Plan], now: Timestamp, report: &mut Report) {
    let batch = Batch::of(plans, now);
    batch.count(report);
    let publishes = batch.to_schedule.iter().filter(|due| due.kind == Kind::ArticlePublish).count();
    report.scheduled += publishes;
    report.expiring += batch.to_schedule.len() - publishes;
}

/// What a transaction writes, and what is scheduled after it.
#[derive(Debug, Default)]
struct Batch {
    created: Vec<import::ImportedText>,
    histories: Vec<import_plan::ImportedHistory>,
    updated: Vec<import::ImportedText>,
    to_publish: Vec<import::DraftToPublish>,
    planned: Vec<import::PlannedTasks>,
    to_schedule: Vec<DueTask>,
    to_cancel: Vec<(String, (TaskId, Version))>,
    unchanged: usize,
    lost: Vec<String>,
}

/// A task to schedule.
#[derive(Debug)]
struct DueTask {
    path: String,
    article: ArticleId,
    kind: Kind,
    date: ParsedDate,
    /// Number of the revision to publish; `None`: the current one.
    revision: Option<i32>,
}

impl DueTask {
    /// Returns its due time: a local time if the file gives one, so that newer time-zone data moves
    /// its instant.
    fn when(&self) -> When {
        let ParsedDate { at, zone } = self.date;
        zone.map_or_else(|| at.into(), |zone| Zone::stored(zone).local_time_at(at))
    }
}

impl Batch {
    fn of(plans: &[Plan], now: Timestamp) -> Self {
        let mut batch = Self::default();
        for plan in plans {
            let article = batch.add(plan, now);
            let due = match plan.action {
                Action::Schedule(date) => Some(date),
                Action::Nothing | Action::Publish(_) => None,
            };
            if due.is_some() || plan.expires.is_some() {
                batch.planned.push(import::PlannedTasks {
                    id: article,
                    due_at: due.map(|date| date.at),
                    expires_at: plan.expires.map(|date| date.at),
                });
            }
            let publish = due.map(|date| (Kind::ArticlePublish, date));
            let unpublish = plan.expires.map(|date| (Kind::ArticleUnpublish, date));
            // The text of the file: an export may also have a newer one.
            let number = plan.file.save.map(|save| save.number);
            for (kind, date) in publish.into_iter().chain(unpublish) {
                let revision = number.filter(|_| kind == Kind::ArticlePublish);
                batch.to_schedule.push(DueTask {
                    path: plan.file.path.clone(),
                    article,
                    kind,
                    date,
                    revision,
                });
            }
            batch.to_cancel.extend(plan.cancel.map(|task| (plan.file.path.clone(), task)));
        }
        batch
    }

    fn add(&mut self, plan: &Plan, now: Timestamp) -> ArticleId {
        match plan.text {
            TextChange::Create => {
                let id = ArticleId::generate();
                let new = text(plan, id, plan.file.save.map_or(1, |save| save.number), now);
                self.histories.extend(history::of_file(&plan.file, id, new.revision_id));
                self.created.push(new);
                id
            }
            TextChange::Update { id, revision } => {
                self.updated.push(text(plan, id.into(), revision + 1, now));
                id.into()
            }
            TextChange::Keep { id } => {
                self.unchanged += 1;
                if let Action::Publish(at) = plan.action {
                    let updated_at = updated(plan, at, now);
                    self.to_publish.push(import::DraftToPublish { id: id.into(), at, updated_at });
                }
                id.into()
            }
        }
    }

    /// Writes everything in one transaction.
    async fn commit(&mut self, importer: &Importer, actor: &Actor) -> Result<(), StoreError> {
        let is_empty = self.created.is_empty() && self.updated.is_empty();
        if is_empty && self.to_publish.is_empty() && self.planned.is_empty() {
            return Ok(());
        }
        let by = import::ImportAuthor { account: actor.account, now: importer.parts.clock.now() };
        let mut tx = importer.parts.store.begin(PoolRole::Web).await?;
        let current = import::lock(tx.conn(), &self.updated).await?;
        let is_current = |text: &import::ImportedText| current.contains(&text.id.0);
        let (updated, lost): (Vec<_>, Vec<_>) = self.updated.drain(..).partition(is_current);
        self.updated = updated;
        self.lost = lost.into_iter().map(|text| text.path).collect();
        self.to_schedule.retain(|due| !self.lost.contains(&due.path));
        import::create(tx.conn(), &self.created, by).await?;
        import_plan::add_history(tx.conn(), &self.histories).await?;
        if let Some(id) = importer.id {
            let created: Vec<_> = self.created.iter().map(|text| text.id).collect();
            import_job::add_articles(tx.conn(), id, &created).await?;
        }
        import::update(tx.conn(), &self.updated, by).await?;
        let published = import::publish(tx.conn(), &self.to_publish).await?;
        self.to_publish.retain(|publish| published.contains(&publish.id.0));
        import::record_planned_tasks(tx.conn(), &self.planned).await?;
        let texts = self.created.iter().chain(&self.updated);
        let renderings = texts.filter_map(|text| Some((text.revision_id.0, text.rendering.as_ref()?)));
        rendered::put_all(tx.conn(), &renderings.collect::<Vec<_>>()).await?;
        event::append(tx.conn(), &self.events(actor, by.now)).await?;
        tx.commit().await
    }

    /// Returns one event for each article.
    fn events(&self, actor: &Actor, now: Timestamp) -> Vec<NewEvent> {
        let event = |id: ArticleId, revision: Option<i32>, detail: Value| NewEvent {
            version: revision,
            detail: detail.to_string(),
            ..NewEvent::simple(now, Some(actor.account), "article", id.0, "import")
        };
        let texts = self.created.iter().chain(&self.updated).map(|text| {
            let detail = json!({ "path": text.path, "title": text.title, "published_at": text.published_at });
            event(text.id, Some(text.number), detail)
        });
        let published = self
            .to_publish
            .iter()
            .map(|publish| event(publish.id, None, json!({ "published_at": publish.at })));
        texts.chain(published).collect()
    }

    fn count(&self, report: &mut Report) {
        let public =
            |texts: &[import::ImportedText]| texts.iter().filter(|text| text.published_at.is_some()).count();
        report.created += self.created.len();
        report.updated += self.updated.len();
        report.unchanged += self.unchanged;
        report.published += public(&self.created) + public(&self.updated) + self.to_publish.len();
    }
}

fn text(plan: &Plan, id: ArticleId, number: i32, now: Timestamp) -> import::ImportedText {
    let file = &plan.file;
    let published_at = match plan.action {
        Action::Publish(at) => Some(at),
        Action::Nothing | Action::Schedule(_) => None,
    };
    import::ImportedText {
        id,
        revision_id: RevisionId::generate(),
        number,
        slug: plan.slug.clone(),
        former_slugs: file.former_slugs.clone(),
        title: file.title.clone(),
        body: file.body.clone(),
        details: file.details.clone(),
        dated_at: file.dated,
        words: file.words,
        path: file.path.clone(),
        hash: file.hash.clone(),
        rendering: file.rendering.clone(),
        published_at,
        updated_at: published_at.and_then(|at| updated(plan, at, now)),
    }
}

/// Returns the date of the last change in the file, if it is after the publication and not in the
/// future.
fn updated(plan: &Plan, published_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
    plan.file.updated.filter(|at| *at > published_at && *at <= now)
}

/// Cancels tasks of an earlier import whose files are now marked as not public.
async fn cancel(
    importer: &Importer,
    actor: &Actor,
    tasks: Vec<(String, (TaskId, Version))>,
    report: &mut Report,
) {
    for (path, (task, seen)) in tasks {
        if let Err(refusal) = importer.tasks.change(actor, task, Change::Cancel, seen).await {
            let why = format!("its schedule could not be cancelled: {refusal}; cancel it at the desk");
            report.refuse(&path, Problem::at(1, why));
        }
    }
}

/// Schedules tasks through the task service, which handles approvals, hints and events. A refused
/// article stays a draft and is reported; the others are scheduled.
async fn schedule(
    importer: &Importer,
    actor: &Actor,
    mut rest: Vec<DueTask>,
    report: &mut Report,
) -> Result<(), CliError> {
    while !rest.is_empty() {
        let task = |due: &DueTask| NewTask {
            kind: due.kind,
            target_id: due.article.0,
            when: due.when(),
            priority: None,
            revision: due.revision.map(RevisionChoice::Number),
        };
        match importer.tasks.schedule_all(actor, rest.iter().map(task).collect()).await {
            Ok(scheduled) => {
                let publishes = scheduled.iter().filter(|task| task.kind == Kind::ArticlePublish).count();
                report.scheduled += publishes;
                report.expiring += scheduled.len() - publishes;
                return Ok(());
            }
            Err(DomainError::Bulk { items, .. }) if !items.is_empty() => refuse(&mut rest, items, report),
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(())
}

/// Removes the refused tasks. An unpublish is removed together with its publish.
fn refuse(rest: &mut Vec<DueTask>, items: Vec<(usize, DomainError)>, report: &mut Report) {
    let mut refused = Vec::new();
    for (index, refusal) in
        items.into_iter().rev().filter(|(index, _)| *index < rest.len()).collect::<Vec<_>>()
    {
        let due = rest.remove(index);
        let why = match due.kind {
            Kind::ArticleUnpublish => format!("it will not be unpublished on {}: {refusal}", due.date.at),
            _ => format!("it is a draft now and was not scheduled for {}: {refusal}", due.date.at),
        };
        report.refuse(&due.path, Problem::at(1, why));
        if due.kind == Kind::ArticlePublish {
            refused.push(due.article);
        }
    }
    rest.retain(|due| due.kind == Kind::ArticlePublish || !refused.contains(&due.article));
}

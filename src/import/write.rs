//! Writing a batch: the texts in one transaction with their events, then the tasks through the desk.

use super::{
    Problem, Report,
    plan::{Known, Plan, Text, Then},
};
use crate::{house::House, trouble::Trouble};
use domain::{
    Actor, ArticleId, Kind, Refusal, RevisionId, TaskId, Timestamp, Version,
    task::{Change, NewTask},
};
use serde_json::{Value, json};
use store::{StoreError, Who, event, event::NewEvent, import, rendered};

/// Writes a batch. Where another article took one of the names meanwhile, it chooses others and tries once more.
pub async fn write(
    house: &House,
    actor: &Actor,
    mut plans: Vec<Plan>,
    known: &mut Known,
    report: &mut Report,
) -> Result<(), Trouble> {
    let now = house.parts.clock.now();
    let mut batch = Batch::of(&plans, now);
    match batch.commit(house, actor).await {
        Err(error) if error.is_taken() => {
            known.read_slugs(house).await?;
            for plan in plans.iter_mut().filter(|plan| plan.text == Text::Create) {
                plan.slug = known.take_slug(&plan.file.slug);
            }
            batch = Batch::of(&plans, now);
            batch.commit(house, actor).await?;
        }
        other => other?,
    }
    house.parts.committed.notify_waiters();
    batch.count(report);
    for path in &batch.lost {
        report.refuse(path, Problem::at(1, "this article was saved just now; run the import again"));
    }
    cancel(house, actor, batch.to_cancel, report).await;
    schedule(house, actor, batch.to_schedule, report).await
}

/// What one transaction writes, and what is scheduled after it.
#[derive(Debug, Default)]
struct Batch {
    created: Vec<import::Text>,
    updated: Vec<import::Text>,
    to_publish: Vec<import::Publish>,
    planned: Vec<import::Planned>,
    to_schedule: Vec<Due>,
    to_cancel: Vec<(String, TaskId)>,
    unchanged: usize,
    lost: Vec<String>,
}

/// What becomes of an article at a moment.
#[derive(Debug)]
struct Due {
    path: String,
    article: ArticleId,
    kind: Kind,
    at: Timestamp,
}

impl Batch {
    fn of(plans: &[Plan], now: Timestamp) -> Self {
        let mut batch = Self::default();
        for plan in plans {
            let article = batch.add(plan, now);
            let due = match plan.then {
                Then::Schedule(at) => Some(at),
                Then::Nothing | Then::Publish(_) => None,
            };
            if due.is_some() || plan.expires.is_some() {
                batch.planned.push(import::Planned { id: article, due_at: due, expires_at: plan.expires });
            }
            let publish = due.map(|at| (Kind::ArticlePublish, at));
            let unpublish = plan.expires.map(|at| (Kind::ArticleUnpublish, at));
            for (kind, at) in publish.into_iter().chain(unpublish) {
                batch.to_schedule.push(Due { path: plan.file.path.clone(), article, kind, at });
            }
            batch.to_cancel.extend(plan.cancel.map(|task| (plan.file.path.clone(), task)));
        }
        batch
    }

    fn add(&mut self, plan: &Plan, now: Timestamp) -> ArticleId {
        match plan.text {
            Text::Create => {
                let id = ArticleId::fresh();
                self.created.push(text(plan, id, 1, now));
                id
            }
            Text::Update { id, revision } => {
                self.updated.push(text(plan, id.into(), revision + 1, now));
                id.into()
            }
            Text::Keep { id } => {
                self.unchanged += 1;
                if let Then::Publish(at) = plan.then {
                    let updated_at = updated(plan, at, now);
                    self.to_publish.push(import::Publish { id: id.into(), at, updated_at });
                }
                id.into()
            }
        }
    }

    /// All of it in one transaction, or nothing.
    async fn commit(&mut self, house: &House, actor: &Actor) -> Result<(), StoreError> {
        let is_empty = self.created.is_empty() && self.updated.is_empty();
        if is_empty && self.to_publish.is_empty() && self.planned.is_empty() {
            return Ok(());
        }
        let by = import::By { person: actor.person, now: house.parts.clock.now() };
        let mut tx = house.parts.store.begin(Who::People).await?;
        let current = import::lock(tx.conn(), &self.updated).await?;
        let is_current = |text: &import::Text| current.contains(&text.id.0);
        let (updated, lost): (Vec<_>, Vec<_>) = self.updated.drain(..).partition(is_current);
        self.updated = updated;
        self.lost = lost.into_iter().map(|text| text.path).collect();
        self.to_schedule.retain(|due| !self.lost.contains(&due.path));
        import::create(tx.conn(), &self.created, by).await?;
        import::update(tx.conn(), &self.updated, by).await?;
        let published = import::publish(tx.conn(), &self.to_publish).await?;
        self.to_publish.retain(|publish| published.contains(&publish.id.0));
        import::plan(tx.conn(), &self.planned).await?;
        let texts = self.created.iter().chain(&self.updated);
        let renderings = texts.filter_map(|text| Some((text.revision_id.0, text.rendering.as_ref()?)));
        rendered::put_all(tx.conn(), &renderings.collect::<Vec<_>>()).await?;
        event::append(tx.conn(), &self.events(actor, by.now)).await?;
        tx.commit().await
    }

    /// One event an article.
    fn events(&self, actor: &Actor, now: Timestamp) -> Vec<NewEvent> {
        let event = |id: ArticleId, revision: Option<i32>, detail: Value| NewEvent {
            version: revision,
            detail: detail.to_string(),
            ..NewEvent::plain(now, Some(actor.person), "article", id.0, "import")
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
        let public = |texts: &[import::Text]| texts.iter().filter(|text| text.published_at.is_some()).count();
        report.created += self.created.len();
        report.updated += self.updated.len();
        report.unchanged += self.unchanged;
        report.published += public(&self.created) + public(&self.updated) + self.to_publish.len();
    }
}

fn text(plan: &Plan, id: ArticleId, number: i32, now: Timestamp) -> import::Text {
    let file = &plan.file;
    let published_at = match plan.then {
        Then::Publish(at) => Some(at),
        Then::Nothing | Then::Schedule(_) => None,
    };
    import::Text {
        id,
        revision_id: RevisionId::fresh(),
        number,
        slug: plan.slug.clone(),
        title: file.title.clone(),
        body: file.body.clone(),
        words: file.words,
        path: file.path.clone(),
        hash: file.hash.clone(),
        rendering: file.rendering.clone(),
        published_at,
        updated_at: published_at.and_then(|at| updated(plan, at, now)),
    }
}

/// When the file says that it was changed last, after it was published and not in the future.
fn updated(plan: &Plan, published_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
    plan.file.updated.filter(|at| *at > published_at && *at <= now)
}

/// Cancels what an earlier import scheduled and the file holds back now.
async fn cancel(house: &House, actor: &Actor, tasks: Vec<(String, TaskId)>, report: &mut Report) {
    for (path, task) in tasks {
        if let Err(refusal) = house.desk.tasks.change(actor, task, Change::Cancel, Version::FIRST).await {
            let why = format!("its schedule could not be cancelled: {refusal}; cancel it at the desk");
            report.refuse(&path, Problem::at(1, why));
        }
    }
}

/// Through the desk, so that approvals, hints and the log are what they always are. What the desk refuses stays a draft and is
/// told; the others are scheduled.
async fn schedule(
    house: &House,
    actor: &Actor,
    mut rest: Vec<Due>,
    report: &mut Report,
) -> Result<(), Trouble> {
    while !rest.is_empty() {
        let task =
            |due: &Due| NewTask { kind: due.kind, target_id: due.article.0, when: due.at.into(), lane: None };
        match house.desk.tasks.schedule_all(actor, rest.iter().map(task).collect()).await {
            Ok(scheduled) => {
                let publishes = scheduled.iter().filter(|task| task.kind == Kind::ArticlePublish).count();
                report.scheduled += publishes;
                report.expiring += scheduled.len() - publishes;
                return Ok(());
            }
            Err(Refusal::Bulk { items }) if !items.is_empty() => refuse(&mut rest, items, report),
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(())
}

/// Takes out what the desk refused; what would unpublish an article goes with what would have published it.
fn refuse(rest: &mut Vec<Due>, items: Vec<(usize, Refusal)>, report: &mut Report) {
    let mut refused = Vec::new();
    for (place, refusal) in
        items.into_iter().rev().filter(|(place, _)| *place < rest.len()).collect::<Vec<_>>()
    {
        let due = rest.remove(place);
        let why = match due.kind {
            Kind::ArticleUnpublish => format!("it will not be unpublished on {}: {refusal}", due.at),
            _ => format!("it is a draft now and was not scheduled for {}: {refusal}", due.at),
        };
        report.refuse(&due.path, Problem::at(1, why));
        if due.kind == Kind::ArticlePublish {
            refused.push(due.article);
        }
    }
    rest.retain(|due| due.kind == Kind::ArticlePublish || !refused.contains(&due.article));
}

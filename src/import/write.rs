//! Writing a batch: the texts in one transaction with their events, then the plans through the desk.

use super::{
    Problem, Report,
    plan::{Known, Plan, Text, Then},
};
use crate::{house::House, trouble::Trouble};
use domain::{Actor, ArticleId, Kind, Refusal, RevisionId, Timestamp, task::NewTask};
use serde_json::{Value, json};
use store::{StoreError, Who, event, event::NewEvent, import};

/// Writes a batch. Where another article took one of the names meanwhile, it chooses others and tries once more.
pub async fn write(
    house: &House,
    actor: &Actor,
    mut plans: Vec<Plan>,
    known: &mut Known,
    report: &mut Report,
) -> Result<(), Trouble> {
    let mut batch = Batch::of(&plans);
    match batch.commit(house, actor).await {
        Err(error) if error.is_taken() => {
            known.read_slugs(house).await?;
            for plan in plans.iter_mut().filter(|plan| plan.text == Text::Create) {
                plan.slug = known.take_slug(&plan.file.slug);
            }
            batch = Batch::of(&plans);
            batch.commit(house, actor).await?;
        }
        other => other?,
    }
    house.parts.committed.notify_waiters();
    batch.count(report);
    for path in &batch.lost {
        report.refuse(path, Problem::at(1, "somebody saved this article just now; run the import again"));
    }
    schedule(house, actor, batch.to_schedule, report).await
}

/// What one transaction writes, and what is scheduled after it.
#[derive(Debug, Default)]
struct Batch {
    created: Vec<import::Text>,
    updated: Vec<import::Text>,
    published: Vec<(ArticleId, Timestamp)>,
    to_schedule: Vec<Due>,
    unchanged: usize,
    lost: Vec<String>,
}

/// An article and the moment it becomes public.
#[derive(Debug)]
struct Due {
    path: String,
    article: ArticleId,
    at: Timestamp,
}

impl Batch {
    fn of(plans: &[Plan]) -> Self {
        let mut batch = Self::default();
        for plan in plans {
            let article = batch.add(plan);
            if let Then::Schedule(at) = plan.then {
                batch.to_schedule.push(Due { path: plan.file.path.clone(), article, at });
            }
        }
        batch
    }

    fn add(&mut self, plan: &Plan) -> ArticleId {
        match plan.text {
            Text::Create => {
                let id = ArticleId::fresh();
                self.created.push(text(plan, id, 1));
                id
            }
            Text::Update { id, revision, .. } => {
                self.updated.push(text(plan, id.into(), revision + 1));
                id.into()
            }
            Text::Keep { id } => {
                self.unchanged += 1;
                if let Then::Publish(at) = plan.then {
                    self.published.push((id.into(), at));
                }
                id.into()
            }
        }
    }

    /// All of it in one transaction, or nothing.
    async fn commit(&mut self, house: &House, actor: &Actor) -> Result<(), StoreError> {
        if self.created.is_empty() && self.updated.is_empty() && self.published.is_empty() {
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
        import::publish(tx.conn(), &self.published).await?;
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
        let published = self.published.iter().map(|(id, at)| event(*id, None, json!({ "published_at": at })));
        texts.chain(published).collect()
    }

    fn count(&self, report: &mut Report) {
        let public = |texts: &[import::Text]| texts.iter().filter(|text| text.published_at.is_some()).count();
        report.created += self.created.len();
        report.updated += self.updated.len();
        report.unchanged += self.unchanged;
        report.published += public(&self.created) + public(&self.updated) + self.published.len();
    }
}

fn text(plan: &Plan, id: ArticleId, number: i32) -> import::Text {
    let file = &plan.file;
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
        published_at: match plan.then {
            Then::Publish(at) => Some(at),
            _ => None,
        },
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
        let task = |due: &Due| NewTask {
            kind: Kind::ArticlePublish,
            target_id: due.article.0,
            when: due.at.into(),
            lane: None,
        };
        match house.desk.tasks.schedule_all(actor, rest.iter().map(task).collect()).await {
            Ok(scheduled) => {
                report.scheduled += scheduled.len();
                return Ok(());
            }
            Err(Refusal::Bulk { items }) if !items.is_empty() => {
                for (place, refusal) in
                    items.into_iter().rev().filter(|(place, _)| *place < rest.len()).collect::<Vec<_>>()
                {
                    let due = rest.remove(place);
                    let why = format!("it is a draft now and was not scheduled for {}: {refusal}", due.at);
                    report.refuse(&due.path, Problem::at(1, why));
                }
            }
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(())
}

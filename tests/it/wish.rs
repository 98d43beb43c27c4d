//! What the stories about tasks ask for, past the web: short ways to the desk of tasks.

use crate::house::Story;
use domain::{
    Actor, ArticleId, Kind, Refusal, TaskId, Timestamp, When,
    person::Idempotency,
    task::{Change, NewTask, TaskRow},
    time::Disambiguation,
};

/// A wish to publish an article.
pub fn publish(article: ArticleId, at: Timestamp) -> NewTask {
    NewTask { kind: Kind::ArticlePublish, target_id: article.0, when: at.into(), lane: None }
}

/// A wish to take an article off the site.
pub fn unpublish(article: ArticleId, at: Timestamp) -> NewTask {
    NewTask { kind: Kind::ArticleUnpublish, ..publish(article, at) }
}

/// A wall-clock time.
pub fn local(local: &str, zone: &str, disambiguation: Option<Disambiguation>) -> When {
    When::Local { local: local.to_owned(), zone: zone.to_owned(), disambiguation }
}

/// The same person with an `Idempotency-Key`.
pub fn keyed(actor: &Actor, key: &str, fingerprint: &str) -> Actor {
    let idempotency = Idempotency { key: key.to_owned(), fingerprint: fingerprint.to_owned() };
    Actor { idempotency: Some(idempotency), ..actor.clone() }
}

impl Story {
    /// A draft of the creator's.
    pub async fn article(&self, title: &str) -> ArticleId {
        let draft = self.draft(title).await;
        draft["id"].as_str().expect("an article has an id").parse().expect("an id")
    }

    /// Many drafts of the creator's, written in one go.
    pub async fn articles(&self, count: usize) -> Vec<ArticleId> {
        let text = |number: usize| store::import::Text {
            id: ArticleId::fresh(),
            revision_id: domain::RevisionId::fresh(),
            number: 1,
            slug: format!("many-{number}"),
            title: format!("Many {number}"),
            body: String::new(),
            words: 0,
            path: format!("many-{number}.md"),
            hash: String::new(),
            rendering: None,
            published_at: None,
            updated_at: None,
        };
        let texts: Vec<_> = (0..count).map(text).collect();
        let by = store::import::By { person: self.creator.actor.person, now: self.now() };
        let mut tx = self.house.parts.store.begin(store::Who::People).await.expect("a transaction");
        store::import::create(tx.conn(), &texts, by).await.expect("they are written");
        tx.commit().await.expect("and kept");
        texts.into_iter().map(|text| text.id).collect()
    }

    /// A task of the creator's that publishes a new draft in `millis`.
    pub async fn waiting(&self, title: &str, millis: i64) -> TaskRow {
        let article = self.article(title).await;
        let wish = publish(article, self.now().plus(millis));
        self.house.desk.tasks.schedule(&self.creator.actor, wish).await.expect("it is scheduled")
    }

    /// A change by the creator of what they see.
    pub async fn change(&self, row: &TaskRow, change: Change) -> Result<TaskRow, Refusal> {
        self.house.desk.tasks.change(&self.creator.actor, row.id, change, row.version).await
    }

    /// The task as it is now, for the creator.
    pub async fn look(&self, id: TaskId) -> TaskRow {
        self.house.desk.tasks.find(&self.creator.actor, id).await.expect("it is there").row
    }

    /// Verbs of the task's timeline.
    pub async fn verbs(&self, id: TaskId) -> Vec<String> {
        let task = self.house.desk.tasks.find(&self.creator.actor, id).await.expect("it is there");
        task.timeline.into_iter().map(|event| event.verb).collect()
    }

    /// The article's public revision and since when, past the desk.
    pub async fn public(&self, article: ArticleId) -> Option<store::target::Public> {
        let mut tx = self.house.parts.store.begin(store::Who::People).await.expect("a transaction");
        let found = store::target::lock(tx.conn(), &[article.0]).await.expect("it answers");
        found.first().expect("the article is there").public()
    }

    /// How many execution rows there are for the executed tasks, and how many executed tasks: must be equal.
    pub async fn ledger_agrees(&self) {
        let tasks = &self.house.desk.tasks;
        let query = domain::task::TaskQuery { state: Some(domain::State::Executed), ..Default::default() };
        for row in tasks.list(&self.admin.actor, query).await.expect("a list").items {
            let task = tasks.find(&self.admin.actor, row.id).await.expect("it is there");
            let stages = task.stages.expect("an executed task has its row in the ledger");
            assert_eq!(Some(stages.executed_at), task.row.executed.map(|at| at.at));
        }
    }
}

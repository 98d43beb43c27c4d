//! Builders for new tasks, and shortcuts that call the services without HTTP.

use crate::test_server::TestServer;
use domain::{
    Actor, ArticleId, DomainError, Kind, TaskId, Timestamp, When,
    account::Idempotency,
    task::{Change, NewTask, TaskRow},
    time::Disambiguation,
};

/// A request to publish an article.
pub fn publish(article: ArticleId, at: Timestamp) -> NewTask {
    NewTask {
        kind: Kind::ArticlePublish,
        target_id: article.0,
        when: at.into(),
        priority: None,
        revision: None,
    }
}

/// A request to unpublish an article.
pub fn unpublish(article: ArticleId, at: Timestamp) -> NewTask {
    NewTask { kind: Kind::ArticleUnpublish, ..publish(article, at) }
}

/// A wall-clock time.
pub fn local(local: &str, zone: &str, disambiguation: Option<Disambiguation>) -> When {
    When::Local { local: local.to_owned(), zone: zone.to_owned(), disambiguation }
}

/// The same user with an `Idempotency-Key`.
pub fn keyed(actor: &Actor, key: &str, fingerprint: &str) -> Actor {
    let idempotency = Idempotency { key: key.to_owned(), fingerprint: fingerprint.to_owned() };
    Actor { idempotency: Some(idempotency), ..actor.clone() }
}

impl TestServer {
    /// Creates a draft of the creator.
    pub async fn create_article(&self, title: &str) -> ArticleId {
        let draft = self.create_draft(title).await;
        draft["id"].as_str().expect("an article has an id").parse().expect("an id")
    }

    /// Creates many drafts of the creator in one transaction.
    pub async fn create_articles(&self, count: usize) -> Vec<ArticleId> {
        let text = |number: usize| store::import::ImportedText {
            id: ArticleId::generate(),
            revision_id: domain::RevisionId::generate(),
            number: 1,
            slug: format!("many-{number}"),
            former_slugs: Vec::new(),
            dated_at: None,
            title: format!("Many {number}"),
            body: String::new(),
            details: domain::articles::details::ArticleDetails::default(),
            words: 0,
            path: format!("many-{number}.md"),
            hash: String::new(),
            rendering: None,
            published_at: None,
            updated_at: None,
        };
        let texts: Vec<_> = (0..count).map(text).collect();
        let by = store::import::ImportAuthor { account: self.creator.actor.account, now: self.now() };
        let mut tx = self.app.parts.store.begin(store::PoolRole::Web).await.expect("a transaction");
        store::import::create(tx.conn(), &texts, by).await.expect("they are written");
        tx.commit().await.expect("and committed");
        texts.into_iter().map(|text| text.id).collect()
    }

    /// Schedules the publication of a new draft of the creator in `millis`.
    pub async fn create_task(&self, title: &str, millis: i64) -> TaskRow {
        let article = self.create_article(title).await;
        let new_task = publish(article, self.now().plus(millis));
        self.app.services.tasks.schedule(&self.creator.actor, new_task).await.expect("it is scheduled")
    }

    /// Changes a task as the creator, at the version of `row`.
    pub async fn change(&self, row: &TaskRow, change: Change) -> Result<TaskRow, DomainError> {
        self.app.services.tasks.change(&self.creator.actor, row.id, change, row.version).await
    }

    /// Returns the current task as the creator sees it.
    pub async fn find_task(&self, id: TaskId) -> TaskRow {
        self.app.services.tasks.find(&self.creator.actor, id).await.expect("it is there").row
    }

    /// Verbs of the task's timeline.
    pub async fn timeline_verbs(&self, id: TaskId) -> Vec<String> {
        let task = self.app.services.tasks.find(&self.creator.actor, id).await.expect("it is there");
        task.timeline.into_iter().map(|event| event.verb).collect()
    }

    /// Reads the public revision of the article, and since when, from the database.
    pub async fn publication(&self, article: ArticleId) -> Option<store::publication::PublicState> {
        let mut tx = self.app.parts.store.begin(store::PoolRole::Web).await.expect("a transaction");
        store::publication::find(tx.conn(), article.0).await.expect("it answers")
    }

    /// Asserts that every executed task has an execution record with the same time.
    pub async fn assert_execution_records_match(&self) {
        let tasks = &self.app.services.tasks;
        let query = domain::task::TaskQuery { state: Some(domain::State::Executed), ..Default::default() };
        for row in tasks.list(&self.admin.actor, query).await.expect("a list").items {
            let task = tasks.find(&self.admin.actor, row.id).await.expect("it is there");
            let stages = task.stages.expect("an executed task has an execution record");
            assert_eq!(Some(stages.executed_at), task.row.executed.map(|at| at.at));
        }
    }
}

//! Observers outside the program: a trigger that records each change of what is public in a table
//! without constraints, and a webhook receiver.

use domain::Timestamp;
use sqlx::{Connection as _, PgConnection, PgExecutor};
use std::collections::BTreeMap;
use test_support::{Postgres, Sink};

const TRIGGER: &str = "
    create table observation (article text, was text, now text, at bigint);
    create function observation() returns trigger language plpgsql as $$
    begin
        insert into observation values (new.id::text, old.published_revision_id::text, new.published_revision_id::text,
                                    floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
        return new;
    end $$;
    create trigger observation after update of published_revision_id on article for each row execute function observation();";

/// Installs the trigger.
pub fn install(postgres: &Postgres, database: &str) {
    let name = database.rsplit('/').next().unwrap_or_default();
    postgres.sql(name, TRIGGER);
}

/// Returns when each article was published, once for each publication.
pub async fn publications(database: &str) -> BTreeMap<String, Vec<Timestamp>> {
    publications_on(&mut PgConnection::connect(database).await.expect("PostgreSQL responds")).await
}

/// The same over an existing connection.
pub async fn publications_on(server: impl PgExecutor<'_>) -> BTreeMap<String, Vec<Timestamp>> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("select article, at from observation where now is not null order by at")
            .fetch_all(server)
            .await
            .expect("the observations can be read");
    let mut publications = BTreeMap::<String, Vec<Timestamp>>::new();
    for (article, at) in rows {
        publications.entry(article).or_default().push(at.into());
    }
    publications
}

/// Returns the delivery state of each article: a message that was not received yet must still be in
/// the outbox. Read it before the received messages.
pub async fn delivery_states(database: &str) -> BTreeMap<String, String> {
    let mut server = PgConnection::connect(database).await.expect("PostgreSQL responds");
    let rows: Vec<(String, String)> =
        sqlx::query_as("select body::jsonb -> 'data' ->> 'article_id', state from delivery where event = 'article.published'")
            .fetch_all(&mut server)
            .await
            .expect("the outbox can be read");
    rows.into_iter().collect()
}

/// Summary of the messages that the webhook receiver got.
#[derive(Debug, Default)]
pub struct ReceivedMessages {
    /// Number of different messages.
    pub messages: usize,
    /// Number of further copies.
    pub copies: usize,
    /// Number of violations: two messages for one article, or two bodies of one message.
    pub wrong: usize,
    /// Articles with a message.
    pub articles: Vec<String>,
}

/// Summarises the received messages.
pub fn received_messages(sink: &Sink) -> ReceivedMessages {
    let (mut bodies, mut message_ids) =
        (BTreeMap::<String, String>::new(), BTreeMap::<String, String>::new());
    let mut received = ReceivedMessages::default();
    for message in sink.received() {
        let id = message.header("webhook-id").to_owned();
        let body: serde_json::Value = serde_json::from_str(&message.body).unwrap_or_default();
        let article = body["data"]["article_id"].as_str().unwrap_or_default().to_owned();
        match bodies.insert(id.clone(), message.body.clone()) {
            None => {
                received.messages += 1;
                received.wrong += usize::from(message_ids.insert(article, id).is_some());
            }
            Some(previous) => {
                received.copies += 1;
                received.wrong += usize::from(previous != message.body);
            }
        }
    }
    received.articles = message_ids.into_keys().collect();
    received
}
